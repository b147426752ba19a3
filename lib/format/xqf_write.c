/* XQF, the writer: version 10, which every XQStudio opens, or version 18 with keys that are
 * all zero, so that the same game always gives the same bytes. See xqf.h. */
#include "config.h"

#include "format/xqf.h"

#include <stdio.h>

typedef struct output {
    qp_writing *writing;
    unsigned char header[QP_XQF_TREE];
    qp_buf text, plain, bytes; /* a string in UTF-8, without what XQF has not, and encoded */
    size_t joined;      /* comments made of several, or of those before a move */
} output;

/* ---- header ---- */

static const qp_xqf_field *field_of(qp_str tag)
{
    for (size_t i = 0; i < QP_XQF_FIELDS; i++)
        if (qp_str_is_nocase(tag, qp_xqf_fields[i].tag))
            return &qp_xqf_fields[i];
    return NULL;
}

/* The number of a type of game; false where the value is none. */
static bool read_type(qp_str value, unsigned *type)
{
    *type = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9' || *type > 6553)
            return false;
        *type = *type * 10 + (unsigned)(value.data[i] - '0');
    }
    return value.len != 0 && *type <= 0xFFFF;
}

static void put_tags(output *o, const qp_game *game)
{
    qp_lost_tags lost = {0};
    unsigned type = qp_xqf_usual_type(&game->start);
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        const qp_xqf_field *field = field_of(tag->name);
        unsigned stated;
        if (qp_writing_said(o->writing, game, tag))
            continue;
        if (qp_str_is(tag->name, QP_XQF_TYPE_TAG) && read_type(tag->value, &stated)) {
            type = stated;
        } else if (field != NULL && o->header[field->at] == 0) {
            bool changed;
            o->bytes.len = 0;
            qp_str value =
                qp_plain(tag->value, QP_PLAIN_CONTROLS | QP_PLAIN_MARKS | QP_PLAIN_END,
                         &o->text, &changed);
            size_t len =
                qp_writing_string(o->writing, value, field->size, field->tag, &o->bytes);
            if (changed && len < field->size)
                qp_writing_loss(o->writing, "tag-character", 1, NULL,
                                "blanks, line ends or control characters of %s are not as "
                                "they were",
                                field->tag);
            o->header[field->at] = (unsigned char)len;
            if (len != 0)
                memcpy(o->header + field->at + 1, o->bytes.data, len);
        } else {
            qp_lost_tag(&lost, tag);
        }
    }
    o->header[QP_XQF_TYPE] = (unsigned char)(type & 0xFF);
    o->header[QP_XQF_TYPE + 1] = (unsigned char)(type >> 8);
    qp_lost_tags_end(&lost, o->writing, "xqf");
}

static void put_start(output *o, const qp_game *game)
{
    const qp_board *board = &game->start;
    bool taken[32] = {false};
    size_t left_out = 0;
    /* From version 12 on the list begins with its second place. */
    unsigned first = o->writing->version >= 12 ? 1 : 0;
    memset(o->header + QP_XQF_PIECES, 0xFF, 32);
    for (unsigned value = 0; value < QP_SQUARES; value++) {
        qp_piece piece = board->at[QP_SQUARE(value / 10, value % 10)];
        if (piece == 0)
            continue;
        unsigned slot = QP_PIECE_SIDE(piece) == QP_RED ? 0 : 16, end = slot + 16;
        while (slot < end &&
               (taken[slot] || qp_xqf_slots[slot % 16] != QP_PIECE_KIND(piece)))
            slot++;
        if (slot == end) {
            left_out++;
            continue;
        }
        taken[slot] = true;
        o->header[QP_XQF_PIECES + ((slot + 32 - first) & 31)] = (unsigned char)value;
    }
    if (left_out != 0)
        qp_writing_loss(o->writing, "start", 1, NULL,
                        "%zu pieces of the start position are more than there are in a set",
                        left_out);
    o->header[QP_XQF_SIDE] = board->side == QP_BLACK;
    qp_writing_side(o->writing, game);
}

static void put_header(output *o, const qp_game *game)
{
    memset(o->header, 0, sizeof o->header);
    o->header[0] = 'X';
    o->header[1] = 'Q';
    o->header[QP_XQF_VERSION] = (unsigned char)o->writing->version;
    o->header[QP_XQF_RESULT] = (unsigned char)game->result;
    put_start(o, game);
    put_tags(o, game);
    qp_buf_add(o->writing->out, o->header, sizeof o->header);
}

/* ---- nodes ---- */

/* The comment of a place, encoded, with line ends as the programs write them. */
static void make_comment(output *o, const qp_game *game, const qp_node *node)
{
    o->bytes.len = o->text.len = 0;
    o->joined += qp_flagged_comment(game, node, o->writing->main_line, &o->text);
    if (o->text.len == 0)
        return;
    qp_str plain = qp_plain_comment(o->writing, (qp_str){o->text.data, o->text.len},
                                    QP_PLAIN_CONTROLS | QP_PLAIN_MARKS, node, &o->plain);
    const char *line = plain.data, *end = line + plain.len;
    for (;;) {
        size_t left = (size_t)(end - line);
        const char *stop = left ? memchr(line, '\n', left) : NULL;
        size_t len = stop ? (size_t)(stop - line) : left;
        qp_writing_string(o->writing, (qp_str){line, len}, SIZE_MAX, "a comment", &o->bytes);
        qp_buf_add(&o->bytes, "\r\n", 2);
        if (stop == NULL)
            break;
        line = stop + 1;
    }
}

static void put_node(output *o, const qp_game *game, unsigned from, unsigned to,
                     qp_flagged at)
{
    qp_buf *out = o->writing->out;
    bool child = at.node != NULL ? at.has_next : qp_flagged_first(game, false).node != NULL;
    make_comment(o, game, at.node);
    uint32_t length = (uint32_t)o->bytes.len;
    qp_put_u8(out, from);
    qp_put_u8(out, to);
    if (o->writing->version <= 10) {
        qp_put_u8(out, (child ? 0xF0u : 0) | (at.has_sibling ? 0x0Fu : 0));
        qp_put_u8(out, at.node != NULL ? 0 : 0xFF);
        qp_put_u32(out, length);
    } else {
        qp_put_u8(out, (child ? QP_XQF_CHILD : 0u) | (at.has_sibling ? QP_XQF_SIBLING : 0u) |
                           (length != 0 ? QP_XQF_COMMENT : 0u));
        qp_put_u8(out, 0);
        if (length != 0)
            qp_put_u32(out, length + QP_XQF_LENGTH_BASE);
    }
    qp_buf_add(out, o->bytes.data, o->bytes.len);
}

static unsigned value_of(qp_square square)
{
    return (unsigned)QP_FILE(square) * 10 + (unsigned)QP_RANK(square);
}

void qp_xqf_write(qp_writing *writing, const qp_game *game)
{
    output o = {.writing = writing};
    qp_buf stack = {0};
    put_header(&o, game);
    /* The root's squares mean nothing; these are the usual bytes. */
    bool old = writing->version <= 10;
    put_node(&o, game, old ? QP_XQF_FROM_BASE : 'X', old ? QP_XQF_TO_BASE : 'Q',
             (qp_flagged){.node = NULL});
    for (qp_flagged at = qp_flagged_first(game, writing->main_line); at.node != NULL;
         at = qp_flagged_next(at, writing->main_line, &stack))
        put_node(&o, game, value_of(QP_FROM(at.node->move)) + QP_XQF_FROM_BASE,
                 value_of(QP_TO(at.node->move)) + QP_XQF_TO_BASE, at);
    if (o.joined != 0)
        qp_writing_loss(writing, "comments-joined", o.joined, NULL,
                        "xqf holds one comment behind each move: %zu were made of several, or "
                        "of one before the move",
                        o.joined);
    writing->out->failed |= o.text.failed || o.bytes.failed || stack.failed;
    qp_buf_clear(&stack);
    qp_buf_clear(&o.text);
    qp_buf_clear(&o.plain);
    qp_buf_clear(&o.bytes);
}
