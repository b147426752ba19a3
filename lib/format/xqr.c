/* XQR, read alone: elements of an id, a length and so many bytes, the last ones a tree of
 * moves and a checksum. Text is UTF-8. Facts: the published list of ids, and one record, which
 * keeps to an older list without round and FEN. */
#include "config.h"

#include "format/binary.h"

enum { CHILD = 1, SIBLING = 2, COMMENT = 4 };

/* What the elements are, by their ids in either list; NULL: no tag. */
static const char *const older[] = {NULL,   NULL,  "Event", "Site",   "Date",
                                    "Red",  "Black", "Result", NULL};
static const char *const newer[] = {NULL,  NULL,    "Event",  "Site", "Date", "Round",
                                    "Red", "Black", "Result", "FEN"};

typedef struct xqr {
    qp_reading *reading;
    qp_record *record;
    qp_bytes file;
    qp_strings strings;
    const char *const *names;
    unsigned moves; /* the id of the moves; the checksum's is the next one */
} xqr;

static void broken(xqr *x, qp_code code, size_t at, size_t len, const char *detail,
                   const char *message)
{
    x->record->broken = true;
    qp_record_report(x->record, code, at, len, detail, "%s", message);
}

/* ---- elements ---- */

/* The element of moves has no length of its own: id 9, or 10 in the newer list. There 9 is a
 * FEN, and can be empty; then the moves stand behind it. */
static void find_list(xqr *x)
{
    const qp_bytes *file = &x->file;
    x->moves = 9;
    x->names = older;
    for (size_t at = 0; qp_bytes_have(file, at, 2);) {
        unsigned id = qp_bytes_u8(file, at), len = qp_bytes_u8(file, at + 1);
        bool follows = qp_bytes_u8(file, at + 2) == 10 && qp_bytes_have(file, at, 4) &&
                       qp_bytes_u8(file, at + 3) == 0;
        if ((id == 9 && (len != 0 || follows)) || id == 10) {
            x->moves = 10;
            x->names = newer;
        }
        if (id >= 9)
            return;
        at += 2 + len;
    }
}

static void read_result(xqr *x, size_t at, size_t len)
{
    qp_record *record = x->record;
    unsigned value = qp_bytes_u8(&x->file, at);
    if (len == 1 && value <= QP_RESULT_DRAW)
        record->result = (qp_result)value;
    else if (!qp_result_read(record->patterns,
                             qp_strings_all(&x->strings, x->file.data + at, len, at),
                             &record->result))
        qp_record_report(record, QP_D_result_note, at, len, "xqr-result",
                         "the result is none of the known ones");
    record->has_result = record->result != QP_RESULT_UNKNOWN;
}

static void read_element(xqr *x, unsigned id, size_t at, size_t len)
{
    qp_record *record = x->record;
    const char *name = id < x->moves ? x->names[id] : NULL;
    if (id <= 1 || len == 0)
        return; /* the mark, the version */
    if (name != NULL && strcmp(name, "Result") == 0) {
        read_result(x, at, len);
        return;
    }
    qp_str value = qp_strings_all(&x->strings, x->file.data + at, len, at);
    if (name == NULL)
        qp_record_tag_made(record, qp_arena_printf(record->arena, "XQR_%u", id), value, at,
                           len);
    else if (strcmp(name, "FEN") == 0)
        qp_record_start(record, value, at, len);
    else
        qp_record_tag_made(record, qp_str_of(name), value, at, len);
}

/* Up to the moves; false where the file breaks off before. */
static bool read_elements(xqr *x)
{
    for (size_t at = 0; qp_bytes_have(&x->file, at, 2);) {
        unsigned id = qp_bytes_u8(&x->file, at), len = qp_bytes_u8(&x->file, at + 1);
        at += 2;
        if (id == x->moves && len == 0) {
            x->file.at = at;
            return true;
        }
        if (!qp_bytes_have(&x->file, at, len))
            break;
        read_element(x, id, at, len);
        at += len;
    }
    broken(x, QP_D_file_truncated, x->file.size, 0, "xqr-header",
           "the file ends before its moves");
    return false;
}

/* ---- moves ---- */

static qp_square square_of(unsigned byte)
{
    unsigned row = byte >> 4, file = byte & 15;
    return row <= 9 && file <= 8 ? QP_SQUARE(file, 9 - row) : QP_NO_SQUARE;
}

static qp_move move_of(const unsigned char *node)
{
    qp_square from = square_of(node[0]), to = square_of(node[1]);
    return from != QP_NO_SQUARE && to != QP_NO_SQUARE ? QP_MOVE(from, to) : 0;
}

/* One node and its comment; false where it is not whole. */
static bool read_node(xqr *x, const unsigned char **node, qp_str *comment)
{
    size_t at = x->file.at;
    *comment = (qp_str){"", 0};
    *node = qp_bytes_take(&x->file, 4);
    bool has = *node != NULL && ((*node)[2] & COMMENT);
    uint32_t len = has ? qp_bytes_take_u32(&x->file) : 0;
    size_t text_at = x->file.at;
    const unsigned char *text = len != 0 ? qp_bytes_take(&x->file, len) : NULL;
    if (x->file.failed) {
        broken(x, QP_D_file_truncated, at, x->file.size - at, "xqr-tree",
               "the file ends in the middle of a move");
        return false;
    }
    if ((*node)[2] > (CHILD | SIBLING | COMMENT)) {
        broken(x, QP_D_file_corrupt, at + 2, 1, "xqr-tree", "a move has unknown flags");
        return false;
    }
    if (text != NULL)
        *comment = qp_strings_all(&x->strings, text, len, text_at);
    return true;
}

/* false where the tree is not whole. */
static bool read_tree(xqr *x)
{
    qp_depth_first tree;
    const unsigned char *node;
    qp_str comment;
    size_t at = x->file.at, limit = qp_node_limit(x->reading);
    if (!read_node(x, &node, &comment))
        return false;
    if (comment.len != 0)
        qp_record_comment(x->record, at, 4, comment);
    bool due = node[2] & CHILD, whole = true;
    qp_depth_first_init(&tree, x->reading);
    while (due && whole) {
        at = x->file.at;
        whole = tree.count < limit;
        if (!whole)
            broken(x, QP_D_file_limit, at, 0, "nodes", "too many moves in one game");
        whole = whole && read_node(x, &node, &comment) &&
                qp_depth_first_add(&tree, move_of(node), at, 4, comment, node[2] & CHILD,
                                   node[2] & SIBLING);
        if (whole)
            qp_depth_first_raw(&tree, node[0], node[1]);
        due = qp_depth_first_due(&tree);
    }
    qp_depth_first_end(&tree);
    qp_depth_first_clear(&tree);
    return whole;
}

/* CRC-32 as IEEE 802.3 has it. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void read_checksum(xqr *x)
{
    size_t at = x->file.at;
    if (!qp_bytes_have(&x->file, at, 6)) {
        broken(x, QP_D_file_truncated, at, x->file.size - at, "xqr-checksum",
               "the file ends before its checksum");
        return;
    }
    if (qp_bytes_u8(&x->file, at) != x->moves + 1 || qp_bytes_u8(&x->file, at + 1) != 4)
        broken(x, QP_D_file_corrupt, at, 2, "xqr-checksum",
               "no checksum follows the moves");
    else if (qp_bytes_u32(&x->file, at + 2) != checksum(x->file.data, at))
        qp_record_report(x->record, QP_D_file_corrupt, at + 2, 4, "xqr-checksum",
                         "the checksum is not that of the file");
    if (x->file.size > at + 6)
        qp_record_report(x->record, QP_D_trailing_text, at + 6, x->file.size - at - 6,
                         "xqr-end", "%zu bytes stand behind the end of the game",
                         x->file.size - at - 6);
}

/* ---- the file ---- */

static const char mark[4] = {0, 2, 0x20, 0x17};

static qp_status xqr_read(qp_reading *reading)
{
    xqr x = {.reading = reading, .record = reading->record};
    if (reading->state != NULL)
        return QP_END; /* a file holds one game */
    reading->state = reading;
    qp_bytes_whole(reading, &x.file);
    if (x.file.size == 0)
        return QP_END;
    size_t have = x.file.size < sizeof mark ? x.file.size : sizeof mark;
    if (memcmp(x.file.data, mark, have) != 0 || have < sizeof mark) {
        qp_record_report(x.record, have < sizeof mark ? QP_D_file_truncated : QP_D_file_corrupt,
                         0, have, "xqr-mark", "the file does not begin as XQR does");
        return QP_END;
    }
    if (reading->encoding == QP_ENC_NONE)
        reading->encoding = QP_ENC_UTF8;
    qp_strings_init(&x.strings, reading);
    find_list(&x);
    if (read_elements(&x) && read_tree(&x))
        read_checksum(&x);
    qp_strings_clear(&x.strings);
    return QP_OK;
}

static unsigned xqr_probe(const qp_probe *probe)
{
    qp_str b = probe->bytes;
    return b.len >= sizeof mark && memcmp(b.data, mark, sizeof mark) == 0 ? 90 : 0;
}

const qp_format qp_format_xqr = {
    .name = "xqr",
    .title = "XQR, one game with variations",
    .suffixes = "xqr",
    .binary = true,
    .experimental = true,
    .single = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_RESULT |
               QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = xqr_probe,
    .read = xqr_read,
};
