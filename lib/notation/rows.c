/* The rows of dialect files as the notation floor's own numbers and forms. */
#include "config.h"

#include "notation/inside.h"

static const struct value_name {
    const char *kind; /* the class, up to a dot */
    qp_part part;
    const char *name;
    int value;
} names[] = {
    {"piece", QP_PART_PIECE, "king", QP_KING},
    {"piece", QP_PART_PIECE, "advisor", QP_ADVISOR},
    {"piece", QP_PART_PIECE, "elephant", QP_ELEPHANT},
    {"piece", QP_PART_PIECE, "horse", QP_HORSE},
    {"piece", QP_PART_PIECE, "rook", QP_ROOK},
    {"piece", QP_PART_PIECE, "cannon", QP_CANNON},
    {"piece", QP_PART_PIECE, "pawn", QP_PAWN},
    {"way", QP_PART_WAY, "forward", QP_WAY_FORWARD},
    {"way", QP_PART_WAY, "back", QP_WAY_BACK},
    {"way", QP_PART_WAY, "across", QP_WAY_ACROSS},
    {"which", QP_PART_WHICH, "front", QP_WHICH_FRONT},
    {"which", QP_PART_WHICH, "middle", QP_WHICH_MIDDLE},
    {"which", QP_PART_WHICH, "rear", QP_WHICH_REAR},
    {"which", QP_PART_WHICH, "1", QP_WHICH_1},
    {"which", QP_PART_WHICH, "2", QP_WHICH_2},
    {"which", QP_PART_WHICH, "3", QP_WHICH_3},
    {"which", QP_PART_WHICH, "4", QP_WHICH_4},
    {"which", QP_PART_WHICH, "5", QP_WHICH_5},
    {"which", QP_PART_WHICH, "frontmost", QP_WHICH_SECOND_FRONT},
    {"which", QP_PART_WHICH, "rearmost", QP_WHICH_SECOND_REAR},
    {"separator", QP_PART_SEPARATOR, "-", 0},
};

static bool is_class(qp_str kind, const char *name)
{
    size_t len = strlen(name);
    return kind.len >= len && memcmp(kind.data, name, len) == 0 &&
           (kind.len == len || kind.data[len] == '.');
}

int qp_row_value(const qp_row *row, qp_part *part)
{
    qp_str value = row->value;
    if (value.len == 0)
        return -1;
    if (is_class(row->kind, "digit")) {
        *part = QP_PART_ARG;
        return value.data[0] - '0';
    }
    if (is_class(row->kind, "file")) {
        *part = QP_PART_FILE;
        return value.data[0] - 'a';
    }
    if (is_class(row->kind, "rank")) {
        *part = QP_PART_RANK;
        return value.len == 2 ? 10 : value.data[0] - '0';
    }
    for (size_t i = 0; i < QP_COUNT(names); i++)
        if (is_class(row->kind, names[i].kind) && qp_str_is(value, names[i].name)) {
            *part = names[i].part;
            return names[i].value;
        }
    return -1;
}

bool qp_shape_read(qp_str parts, qp_shape *shape)
{
    static const char *const words[] = {"piece", "which", "road", "way",
                                        "arg",   "file",  "rank", "separator"};
    *shape = (qp_shape){.count = 0};
    for (size_t i = 0; i < parts.len;) {
        size_t end = i, part = 0;
        while (end < parts.len && parts.data[end] != ' ')
            end++;
        qp_str word = {parts.data + i, end - i};
        i = end + 1;
        if (word.len == 0)
            continue;
        while (part < QP_COUNT(words) && !qp_str_is(word, words[part]))
            part++;
        if (part == QP_COUNT(words) || shape->count == QP_FORM_PARTS)
            return false;
        shape->parts[shape->count++] = (uint8_t)part;
        shape->set |= (uint8_t)(1u << part);
    }
    return shape->count != 0;
}
