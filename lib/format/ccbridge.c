/* The record of CCBridge, versions 1 and 2: a head of fixed fields in UTF-16LE, a board of 90
 * bytes, and a tree of moves in pre-order with two flags a move. The gaps between the fields
 * hold whatever the program's memory held. Facts: write-ups of the format, other readers, and
 * a game that exists in version 1 and in CBF, whose trees of 15352 moves are the same. */
#include "config.h"

#include "format/ccbridge.h"
#include "format/said.h"
#include "rules/lines.h"

#include <stdio.h>

const char qp_cbr_signature[QP_CBR_SIGNATURE] = "CCBridge Record";
const char qp_cbl_signature[QP_CBR_SIGNATURE] = "CCBridgeLibrary";

const qp_cbr_field qp_cbr_fields[] = {
    {"CBR_ScriptFile", NULL, {0, 52}, 128},
    {"Title", "Name", {52, 180}, 128},
    {"CBR_Category", NULL, {180, 308}, 256},
    {"CBR_URL", "URL", {0, 0}, 0},
    {"CBR_From", "From", {436, 564}, 64},
    {"CBR_ContestType", "ContestType", {500, 628}, 64},
    {"Event", "Contest", {564, 692}, 64},
    {"Round", "Round", {628, 756}, 64},
    {"Section", "Group", {692, 820}, 32},
    {"Board", "Table", {724, 852}, 32},
    {"Date", "Date", {756, 884}, 64},
    {"Site", "Site", {820, 948}, 64},
    {"TimeControl", "TimeRule", {884, 1012}, 64},
    {"Red", "Red", {948, 1076}, 64},
    {"RedTeam", "RedTeam", {1012, 1140}, 64},
    {"RedTime", "RedTime", {1076, 1204}, 64},
    {"RedElo", "RedRating", {1140, 1268}, 32},
    {"Black", "Black", {1172, 1300}, 64},
    {"BlackTeam", "BlackTeam", {1236, 1364}, 64},
    {"BlackTime", "BlackTime", {1300, 1428}, 64},
    {"BlackElo", "BlackRating", {1364, 1492}, 32},
    {"CBR_Referee", "Referee", {0, 1524}, 64},
    {"CBR_Recorder", "Recorder", {0, 1588}, 64},
    {"Annotator", "Commentator", {1396, 1652}, 64},
    {"CBR_CommentatorURL", "CommentatorURL", {1460, 1716}, 64},
    {"CBR_Creator", "Creator", {1524, 1780}, 64},
    {"CBR_CreatorURL", "CreatorURL", {1588, 1844}, 64},
    {"CBR_DateCreated", "DateCreated", {1652, 1908}, 40},
    {"CBR_DateModified", "DateModified", {1716, 1972}, 40},
    {"ECCO", "ECCO", {0, 0}, 0},
    {"CBR_RecordType", "RecordType", {1784, 2040}, 0},
    {"CBR_RecordKind", "RecordKind", {1788, 2044}, 32},
    {"Termination", "ResultType", {1824, 2080}, 32},
    {NULL, NULL, {0, 0}, 0},
};

/* What else the head holds. */
typedef struct layout {
    uint16_t result, side, round, board, nodes;
    uint16_t date, reason; /* of the fields that checks look at */
} layout;
static const layout layouts[2] = {{1820, 1856, 1860, 1864, 1958, 756, 1824},
                                  {2076, 2112, 2116, 2120, 2214, 884, 2080}};

const qp_cbr_field *qp_cbr_field_of(qp_str tag)
{
    bool ours = tag.len > 4 && (memcmp(tag.data, "CBR_", 4) == 0 ||
                                memcmp(tag.data, "CBF_", 4) == 0);
    qp_str element = {tag.data + 4, ours ? tag.len - 4 : 0};
    for (const qp_cbr_field *field = qp_cbr_fields; field->tag != NULL; field++)
        if (qp_str_is_nocase(tag, field->tag) ||
            (ours && field->element != NULL && qp_str_is_nocase(element, field->element)))
            return field;
    return NULL;
}

/* ---- the head ---- */

void qp_cbr_tag(qp_reading *in, qp_strings *strings, const char *name, const qp_bytes *bytes,
                size_t at, size_t size, size_t text_at)
{
    if (!qp_bytes_have(bytes, at, 2) || (bytes->data[at] | bytes->data[at + 1]) == 0)
        return;
    size = size < bytes->size - at ? size : bytes->size - at;
    qp_str value =
        qp_strings_utf16(strings, bytes->data + at, size / 2, text_at + at);
    unsigned char first = value.len != 0 ? (unsigned char)value.data[0] : 0;
    bool seen = first > ' ' && first != 0xC2 && first != 0xE3; /* no blank begins so */
    if (seen || qp_str_trim(value).len != 0)
        qp_record_tag_made(in->record, qp_str_of(name), value, text_at + at, size);
}

static void number_tag(qp_record *record, const char *name, uint32_t value, size_t at)
{
    qp_record_tag_made(record, qp_str_of(name),
                       qp_arena_printf(record->arena, "%lu", (unsigned long)value), at, 4);
}

static void read_head(qp_reading *in, qp_strings *strings, const qp_bytes *bytes,
                      unsigned version, size_t text_at)
{
    qp_record *record = in->record;
    const layout *where = &layouts[version - 1];
    for (const qp_cbr_field *field = qp_cbr_fields; field->tag != NULL; field++) {
        size_t at = field->at[version - 1];
        if (at != 0 && field->size != 0)
            qp_cbr_tag(in, strings, field->tag, bytes, at, field->size, text_at);
        else if (at != 0 && qp_bytes_have(bytes, at, 4) && qp_bytes_u32(bytes, at) != 1)
            number_tag(record, field->tag, qp_bytes_u32(bytes, at), text_at + at);
    }
    unsigned result = qp_bytes_u8(bytes, where->result);
    if (result > QP_RESULT_DRAW)
        number_tag(record, "CBR_RecordResult", result, text_at + where->result);
    else
        record->result = (qp_result)result;
    record->has_result = record->result != QP_RESULT_UNKNOWN;
}

static const qp_kind kinds[8] = {QP_NO_KIND, QP_ROOK, QP_HORSE,  QP_ELEPHANT,
                                 QP_ADVISOR, QP_KING, QP_CANNON, QP_PAWN};

/* 90 bytes from the top left, rows from the left; anything that is no piece is empty. */
static void read_board(qp_record *record, const qp_bytes *bytes, const layout *where,
                       size_t text_at)
{
    qp_board board = {.round = 1};
    unsigned side = qp_bytes_u8(bytes, where->side);
    unsigned round = qp_bytes_u16(bytes, where->round);
    for (unsigned i = 0; i < QP_SQUARES; i++) { /* they stand before the nodes */
        unsigned byte = bytes->data[where->board + i], owner = byte >> 4;
        qp_kind kind = (byte & 15) < 8 ? kinds[byte & 15] : QP_NO_KIND;
        if (kind != QP_NO_KIND && (owner == 1 || owner == 2))
            board.at[QP_SQUARE(i % 9, 9 - i / 9)] =
                QP_PIECE(owner == 1 ? QP_RED : QP_BLACK, kind);
    }
    board.side = side == 2 ? QP_BLACK : QP_RED;
    if (round != 0)
        board.round = (uint16_t)round;
    qp_record_board(record, &board, side == 1 || side == 2, text_at + where->board,
                    QP_SQUARES);
}

/* ---- the moves ---- */

enum { LINE_ENDS = 1, SIBLING = 2, COMMENT = 4 };

typedef struct stream {
    qp_reading *in;
    qp_strings *strings;
    qp_bytes bytes;
    size_t text_at;
    unsigned version;
    bool damaged;
} stream;

static void damage(stream *s, qp_code code, const char *detail, size_t at, size_t len,
                   const char *what)
{
    qp_record_report(s->in->record, code, s->text_at + at, len, detail,
                     "%s at byte %zu of the record: the moves end here", what, at);
    s->in->record->broken = true;
    s->damaged = true;
}

/* Squares in rows from the top. */
#define ROW_OF(rank)                                                                       \
    QP_SQUARE(0, rank), QP_SQUARE(1, rank), QP_SQUARE(2, rank), QP_SQUARE(3, rank),        \
        QP_SQUARE(4, rank), QP_SQUARE(5, rank), QP_SQUARE(6, rank), QP_SQUARE(7, rank),    \
        QP_SQUARE(8, rank)
static const qp_square squares[QP_SQUARES] = {
    ROW_OF(9), ROW_OF(8), ROW_OF(7), ROW_OF(6), ROW_OF(5),
    ROW_OF(4), ROW_OF(3), ROW_OF(2), ROW_OF(1), ROW_OF(0),
};

/* A square of version 1 (column, row from the top) or 2 (an index); QP_NO_SQUARE: none. */
static QP_INLINE qp_square square_of(unsigned byte, unsigned version)
{
    if (QP_LIKELY_TO(version != 1))
        return byte < QP_SQUARES ? squares[byte] : QP_NO_SQUARE;
    unsigned x = byte >> 4, row = byte & 15;
    return x > 8 || row > 9 ? QP_NO_SQUARE : QP_SQUARE(x, 9 - row);
}

/* The comment at the cursor. Line ends at its end are the program's, not the writer's. */
static qp_str read_comment(stream *s)
{
    size_t at = s->bytes.at;
    uint32_t size = qp_bytes_take_u32(&s->bytes);
    if (s->bytes.failed || !qp_bytes_have(&s->bytes, s->bytes.at, size)) {
        damage(s, QP_D_file_truncated, "cbr-comment", at, s->bytes.failed ? 0 : 4,
               "the file ends inside a comment");
        return (qp_str){"", 0};
    }
    if (size % 2 != 0) {
        damage(s, QP_D_file_corrupt, "cbr-comment", at, 4,
               "a comment of half a character stands");
        return (qp_str){"", 0};
    }
    const unsigned char *data = qp_bytes_take(&s->bytes, size);
    qp_str text = qp_strings_utf16(s->strings, data, size / 2, s->text_at + at + 4);
    while (text.len != 0 && text.data[text.len - 1] == '\n')
        text.len--;
    return text;
}

/* Reads one move into the tree. false: that was the last, or the stream is damaged. */
static bool read_node(stream *s, qp_depth_first *tree)
{
    size_t at = s->bytes.at;
    const unsigned char *node = qp_bytes_take(&s->bytes, 4);
    if (node == NULL) {
        damage(s, QP_D_file_truncated, "cbr-moves", at, 0, "the file ends inside the moves");
        return false;
    }
    qp_square from = square_of(node[2], s->version), to = square_of(node[3], s->version);
    if (node[0] > 7 || from == QP_NO_SQUARE || to == QP_NO_SQUARE || from == to) {
        damage(s, QP_D_file_corrupt, "cbr-node", at, 4, "what stands is no move");
        return false;
    }
    qp_str comment = {"", 0};
    if (node[0] & COMMENT)
        comment = read_comment(s);
    return qp_depth_first_add(tree, QP_MOVE(from, to), s->text_at + at, 4, comment,
                              !(node[0] & LINE_ENDS), node[0] & SIBLING) &&
           !s->damaged;
}

/* Takes in the nodes that are a move and nothing else, in one line, as long as they come. */
static void read_line(stream *s, qp_depth_first *tree, uint64_t limit)
{
    qp_move moves[QP_TAKE];
    size_t n = QP_TAKE;
    while (n == QP_TAKE && !s->bytes.failed && tree->count <= limit && qp_depth_first_takes(tree)) {
        const unsigned char *node = s->bytes.data + s->bytes.at;
        size_t most = (s->bytes.size - s->bytes.at) / 4;
        most = most < QP_TAKE ? most : QP_TAKE;
        most = limit - tree->count < most ? (size_t)(limit - tree->count) + 1 : most;
        for (n = 0; n < most; n++, node += 4) {
            qp_square from = square_of(node[2], s->version), to = square_of(node[3], s->version);
            if (node[0] != 0 || from == QP_NO_SQUARE || to == QP_NO_SQUARE || from == to)
                break;
            moves[n] = QP_MOVE(from, to);
        }
        qp_depth_first_take(tree, moves, n, s->text_at + s->bytes.at, 4);
        s->bytes.at += 4 * n;
    }
}

static void read_tree(stream *s)
{
    qp_record *record = s->in->record;
    size_t at = s->bytes.at;
    const unsigned char *root = qp_bytes_take(&s->bytes, 4);
    if (root == NULL) {
        damage(s, QP_D_file_truncated, "cbr-moves", at, 0, "the file ends before the moves");
        return;
    }
    if (root[0] > 7) {
        damage(s, QP_D_file_corrupt, "cbr-node", at, 4, "no tree of moves begins");
        return;
    }
    if (root[0] & COMMENT) {
        qp_str comment = read_comment(s);
        if (comment.len != 0)
            qp_record_comment(record, s->text_at + at, 4, comment);
    }
    if ((root[0] & LINE_ENDS) || s->damaged)
        return;
    qp_depth_first tree;
    uint64_t limit = qp_context_limit(s->in->context, QP_LIMIT_NODES);
    qp_depth_first_init(&tree, s->in);
    bool due = true;
    while (due && !s->damaged) {
        read_line(s, &tree, limit);
        due = tree.count > limit || (read_node(s, &tree) && qp_depth_first_due(&tree));
        s->damaged |= due && tree.count > limit; /* which replay reports */
    }
    qp_depth_first_end(&tree);
    qp_depth_first_clear(&tree);
}

size_t qp_cbr_read(qp_reading *in, qp_strings *strings, const qp_bytes *bytes, size_t text_at)
{
    qp_record *record = in->record;
    unsigned version = qp_bytes_u8(bytes, 19);
    if (!qp_bytes_have(bytes, 0, QP_CBR_GUID)) {
        qp_record_report(record, QP_D_file_truncated, text_at + bytes->size, 0, "cbr-head",
                         "the record ends inside its head");
        record->broken = true;
        return bytes->size;
    }
    if (version != 1 && version != 2) {
        qp_record_report(record, QP_D_format_unsupported, text_at + 19, 1, "cbr-version",
                         "a record of version %u; 1 and 2 are read", version);
        record->broken = true;
        return bytes->size;
    }
    const layout *where = &layouts[version - 1];
    read_head(in, strings, bytes, version, text_at);
    if (!qp_bytes_have(bytes, 0, where->nodes)) {
        qp_record_report(record, QP_D_file_truncated, text_at + bytes->size, 0, "cbr-head",
                         "the record ends inside its head, after %zu of %u bytes",
                         bytes->size, (unsigned)where->nodes);
        record->broken = true;
        return bytes->size;
    }
    read_board(record, bytes, where, text_at);
    stream s = {.in = in,
                .strings = strings,
                .bytes = *bytes,
                .text_at = text_at,
                .version = version};
    s.bytes.at = where->nodes;
    read_tree(&s);
    return s.damaged ? bytes->size : s.bytes.at;
}

/* ---- records that can be passed over ---- */

/* 90 bytes as read_board takes them. */
static const unsigned char usual_board[QP_SQUARES] = {
    [0] = 0x21, [1] = 0x22, [2] = 0x23, [3] = 0x24, [4] = 0x25, [5] = 0x24, [6] = 0x23,
    [7] = 0x22, [8] = 0x21, [19] = 0x26, [25] = 0x26, [27] = 0x27, [29] = 0x27, [31] = 0x27,
    [33] = 0x27, [35] = 0x27, [54] = 0x17, [56] = 0x17, [58] = 0x17, [60] = 0x17, [62] = 0x17,
    [64] = 0x16, [70] = 0x16, [81] = 0x11, [82] = 0x12, [83] = 0x13, [84] = 0x14, [85] = 0x15,
    [86] = 0x14, [87] = 0x13, [88] = 0x12, [89] = 0x11,
};

static inline unsigned unit_at(const unsigned char *p, size_t i)
{
    return p[2 * i] | (unsigned)p[2 * i + 1] << 8;
}

/* Whether a date is one that exists, or none. It holds no surrogates. */
static bool is_date(qp_patterns *patterns, const unsigned char *p, size_t units)
{
    char text[3 * 32 + 4];
    size_t len = 0;
    for (size_t i = 0; i < units && unit_at(p, i) != 0 && len < sizeof text - 4; i++)
        len += qp_utf8_put(text + len, unit_at(p, i));
    return qp_said_date(patterns, (qp_str){text, len});
}

/* Whether a text up to its first NUL is without halves of surrogate pairs. */
static inline bool is_whole(const unsigned char *p, size_t units)
{
    size_t i = 0;
#ifndef WORDS_BIGENDIAN
    const uint64_t ones = UINT64_C(0x0001000100010001), high = ones << 15;
    for (; units - i >= 4; i += 4) {
        uint64_t word;
        memcpy(&word, p + 2 * i, sizeof word);
        uint64_t half = (word & ones * 0xF800) ^ ones * 0xD800;
        if ((((word - ones) & ~word) | ((half - ones) & ~half)) & high)
            break;
    }
#endif
    while (i < units && unit_at(p, i) != 0 && (unit_at(p, i) & 0xF800) != 0xD800)
        i++;
    return i == units || unit_at(p, i) == 0;
}

/* Whether nothing can be found in the texts of the head, and none of them calls for a word. */
static bool is_quiet(const qp_reading *in, const qp_bytes *bytes, unsigned version)
{
    enum { RECODED = 0x83F4, MARK = 0xFEFF }; /* see check/header.c */
    const layout *where = &layouts[version - 1];
    if (unit_at(bytes->data + where->reason, 0) != 0)
        return false;
    for (const qp_cbr_field *field = qp_cbr_fields; field->tag != NULL; field++) {
        size_t at = field->at[version - 1];
        const unsigned char *p = bytes->data + at;
        unsigned first = field->size != 0 && at != 0 ? unit_at(p, 0) : 0;
        if (first == 0)
            continue;
        if (first == RECODED || first == MARK || !is_whole(p, field->size / 2) ||
            (at == where->date && !is_date(in->patterns, p, field->size / 2)))
            return false;
    }
    return true;
}

/* Reads the moves of one line without comments; returns how many, 0 for all else. version is a
 * constant. */
static QP_INLINE size_t read_plain(const unsigned char *p, size_t n, const unsigned version,
                                   qp_move moves[QP_LINE_MAX])
{
    size_t most = n / 4 < QP_LINE_MAX ? n / 4 : QP_LINE_MAX;
    for (size_t i = 0; i < most; i++, p += 4) {
        qp_square from = square_of(p[2], version), to = square_of(p[3], version);
        if (QP_RARE(from == QP_NO_SQUARE || to == QP_NO_SQUARE || from == to))
            return 0;
        moves[i] = QP_MOVE(from, to);
        if (QP_RARE(p[0] != 0))
            return p[0] == LINE_ENDS ? i + 1 : 0;
    }
    return 0;
}

size_t qp_cbr_pass(qp_reading *in, const qp_bytes *bytes, uint32_t *plies)
{
    qp_move moves[QP_LINE_MAX];
    unsigned version = qp_bytes_u8(bytes, 19);
    if (!in->passes || in->record->report_count != 0 || in->record->tag_count != 0 ||
        (version != 1 && version != 2))
        return 0;
    const layout *where = &layouts[version - 1];
    if (!qp_bytes_have(bytes, 0, where->nodes + 8u))
        return 0;
    const unsigned char *root = bytes->data + where->nodes;
    unsigned result = qp_bytes_u8(bytes, where->result);
    qp_said said = {.quiet = true,
                    .result = result <= QP_RESULT_DRAW ? (qp_result)result : QP_RESULT_UNKNOWN};
    if (root[0] != 0 || qp_bytes_u8(bytes, where->side) > 1 ||
        qp_bytes_u16(bytes, where->round) > 1 ||
        memcmp(bytes->data + where->board, usual_board, sizeof usual_board) != 0 ||
        !is_quiet(in, bytes, version))
        return 0;
    qp_rounds rounds;
    qp_squares line = {.moves = moves, .step = sizeof *moves};
    size_t left = bytes->size - where->nodes - 4;
    line.count = version == 1 ? read_plain(root + 4, left, 1, moves)
                              : read_plain(root + 4, left, 2, moves);
    if (line.count == 0 || line.count > qp_context_limit(in->context, QP_LIMIT_NODES) ||
        !qp_rounds_squares(in->record, &line, in->spare_tree, false, &rounds) ||
        !qp_said_agrees(&said, QP_RESULT_UNKNOWN, &rounds))
        return 0;
    *plies = rounds.plies;
    return where->nodes + 4 * (1 + line.count);
}

void qp_cbr_guid_text(const unsigned char guid[16], char text[39])
{
    /* The first three groups are little-endian numbers. */
    static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    size_t len = 0;
    text[len++] = '{';
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[len++] = '-';
        text[len++] = "0123456789ABCDEF"[guid[order[i]] >> 4];
        text[len++] = "0123456789ABCDEF"[guid[order[i]] & 15];
    }
    text[len++] = '}';
    text[len] = '\0';
}
