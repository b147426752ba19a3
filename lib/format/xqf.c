/* XQF, the descriptor and the reader. See xqf.h.
 *
 * From version 11 on the bytes behind the header are scrambled: keys in the header give a
 * number that is taken from each byte, by its place modulo 32, and others that squares and
 * lengths are offset by. */
#include "config.h"

#include "format/said.h"
#include "format/xqf.h"
#include "rules/lines.h"

#include <stdio.h>

const qp_xqf_field qp_xqf_fields[QP_XQF_FIELDS] = {
    {"Title", 80, 63},        {"XQF_Title2", 144, 63},   {"Event", 208, 63},
    {"Date", 272, 15},        {"Site", 288, 15},         {"Red", 304, 15},
    {"Black", 320, 15},       {"TimeControl", 336, 63},  {"RedTime", 400, 15},
    {"BlackTime", 416, 15},   {"XQF_Reserved", 432, 31}, {"Annotator", 464, 15},
    {"Author", 480, 15},
};

const uint8_t qp_xqf_slots[16] = {
    QP_ROOK, QP_HORSE,  QP_ELEPHANT, QP_ADVISOR, QP_KING, QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
    QP_ROOK, QP_CANNON, QP_CANNON,   QP_PAWN,    QP_PAWN, QP_PAWN,    QP_PAWN,     QP_PAWN,
};

/* Ten to a file. */
#define FILE_OF(file)                                                                      \
    QP_SQUARE(file, 0), QP_SQUARE(file, 1), QP_SQUARE(file, 2), QP_SQUARE(file, 3),        \
        QP_SQUARE(file, 4), QP_SQUARE(file, 5), QP_SQUARE(file, 6), QP_SQUARE(file, 7),    \
        QP_SQUARE(file, 8), QP_SQUARE(file, 9)
static const qp_square squares[QP_SQUARES] = {
    FILE_OF(0), FILE_OF(1), FILE_OF(2), FILE_OF(3), FILE_OF(4),
    FILE_OF(5), FILE_OF(6), FILE_OF(7), FILE_OF(8),
};

unsigned qp_xqf_usual_type(const qp_board *start)
{
    qp_board usual;
    qp_board_start(&usual);
    return qp_board_same(&usual, start) ? 0 : 3;
}

enum { STREAM = 32 };

typedef struct xqf {
    qp_reading *reading;
    qp_record *record;
    qp_bytes file;
    qp_strings strings;
    qp_buf plain; /* a comment, unscrambled */
    unsigned version;
    bool limited; /* the file is longer than the limit: that it ends is no news */
    bool scrambled;
    uint8_t stream[STREAM + 8]; /* taken from each byte of the tree; the first eight again */
    uint8_t key_square, key_from, key_to;
    uint32_t key_length;
} xqf;

typedef struct node {
    size_t at, len; /* without the comment */
    unsigned from, to;
    bool child, sibling, damaged; /* damaged: nothing can be read behind it */
    qp_str comment;
} node;

/* ---- keys ---- */

static uint8_t product(unsigned key, unsigned with)
{
    return (uint8_t)((54u * key * key + 221u) * with);
}

static void read_keys(xqf *x)
{
    static const char text[] = "[(C) Copyright Mr. Dong Shiwei.]";
    if (x->version <= 10)
        return; /* the bytes mean nothing there */
    unsigned mask = qp_bytes_u8(&x->file, QP_XQF_KEY_MASK), sum = 0, key[4];
    for (unsigned i = 0; i < 4; i++) {
        key[i] = qp_bytes_u8(&x->file, QP_XQF_KEY_SUM + i);
        sum += key[i];
    }
    x->key_square = product(key[1], key[1]);
    x->key_from = product(key[2], x->key_square);
    x->key_to = product(key[3], x->key_from);
    x->key_length = (key[0] * 256 + key[1]) % 32000 + QP_XQF_LENGTH_BASE;
    for (unsigned i = 0; i < STREAM; i++) {
        unsigned bits = (key[i % 4] & mask) | qp_bytes_u8(&x->file, QP_XQF_KEY_OR + i % 4);
        x->stream[i] = (uint8_t)(text[i] & bits);
        x->scrambled |= x->stream[i] != 0;
    }
    memcpy(x->stream + STREAM, x->stream, 8);
    if ((sum & 0xFF) != 0)
        qp_record_report(x->record, QP_D_file_corrupt, QP_XQF_KEY_SUM, 4, "xqf-keys",
                         "the keys do not add up to 0: what follows may be misread");
}

static unsigned plain_byte(const xqf *x, size_t at)
{
    return (uint8_t)(x->file.data[at] - x->stream[at % STREAM]);
}

/* ---- header ---- */

/* The bytes of a string in a field of size bytes that is full: programs cut texts there,
 * also through a character. */
static size_t whole_characters(const xqf *x, size_t at, size_t size)
{
    size_t i = 0;
    while (i < size) {
        size_t used = 1;
        if (x->file.data[at + i] >= 0x80)
            qp_decode_one(x->reading->encoding, x->file.data + at + i, size - i, &used);
        if (used == 0)
            break;
        i += used;
    }
    return i;
}

static void add_tag(xqf *x, const char *name, size_t at, size_t len)
{
    qp_str value = qp_strings_all(&x->strings, x->file.data + at, len, at);
    while (value.len != 0 &&
           (value.data[value.len - 1] == ' ' || value.data[value.len - 1] == '\n'))
        value.len--;
    if (value.len != 0)
        qp_record_tag_made(x->record, qp_str_of(name), value, at, len);
}

/* Programs copied a text with its true length into a field too short for it. Then the field
 * behind cut it, or was overrun by it. */
static void read_strings(xqf *x)
{
    for (size_t i = 0; i < QP_XQF_FIELDS; i++) {
        const qp_xqf_field *field = &qp_xqf_fields[i];
        const qp_xqf_field *next = i + 1 < QP_XQF_FIELDS ? field + 1 : NULL;
        size_t at = field->at + 1u, len = qp_bytes_u8(&x->file, field->at);
        if (i == 0 && len > field->size && len <= 127) {
            i++; /* the title goes on through the second one */
        } else if (len >= field->size) {
            bool over = len > field->size && next != NULL &&
                        qp_bytes_u8(&x->file, next->at) > next->size;
            size_t most = over ? field->size + 1u + next->size : field->size;
            len = whole_characters(x, at, len < most ? len : most);
            i += over;
            if (over)
                qp_record_report(x->record, QP_D_tag_broken, at, len, "xqf-overrun",
                                 "the text of %s runs over that of %s, which is lost",
                                 field->tag, next->tag);
        }
        add_tag(x, field->tag, at, len);
    }
}

/* Where a piece's square stands in the list, and which it is. */
static inline unsigned place_of(const xqf *x, unsigned slot)
{
    return x->version >= 12 ? (slot - 1 - x->key_square) & 31 : slot;
}
static inline unsigned value_of(const xqf *x, unsigned place)
{
    return (uint8_t)(x->file.data[QP_XQF_PIECES + place] - x->key_square);
}

/* Whether the pieces stand as usual, each on the square that programs give it. */
static bool is_usual(const xqf *x)
{
    static const uint8_t usual[16] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83};
    unsigned other = 0;
    for (unsigned slot = 0; slot < 16; slot++) {
        unsigned red = usual[slot], rank = red % 10, black = red + 9 - 2 * rank;
        other |= value_of(x, place_of(x, slot)) ^ red;
        other |= value_of(x, place_of(x, slot + 16)) ^ black;
    }
    return other == 0;
}

static void read_board(xqf *x, qp_board *board)
{
    memset(board, 0, sizeof *board);
    board->round = 1;
    bool told = false;
    for (unsigned slot = 0; slot < 32; slot++) { /* of two on one square the later stays */
        unsigned i = place_of(x, slot), value = value_of(x, i);
        if (value >= QP_SQUARES)
            continue; /* captured */
        qp_square square = squares[value];
        if (board->at[square] != 0 && !told)
            qp_record_report(x->record, QP_D_fen_invalid, QP_XQF_PIECES + i, 1,
                             "xqf-two-pieces", "two pieces stand on %c%u",
                             (int)('a' + value / 10), value % 10);
        told |= board->at[square] != 0;
        board->at[square] =
            QP_PIECE(slot < 16 ? QP_RED : QP_BLACK, qp_xqf_slots[slot % 16]);
    }
}

static void read_start(xqf *x)
{
    qp_board board;
    read_board(x, &board);
    board.side = qp_bytes_u8(&x->file, QP_XQF_SIDE) == 1 ? QP_BLACK : QP_RED;
    qp_record_board(x->record, &board, true, QP_XQF_PIECES, 32);
}

/* Once the first move has said whose turn it is, whatever the header says: programs did not
 * keep that in order. */
static void read_type(xqf *x)
{
    qp_record *record = x->record;
    unsigned type = qp_bytes_u16(&x->file, QP_XQF_TYPE), usual;
    usual = qp_xqf_usual_type(&record->start);
    record->has_start &= usual != 0;
    if (type != usual)
        qp_record_tag_made(record, QP_STR(QP_XQF_TYPE_TAG),
                           qp_arena_printf(record->arena, "%u", type), QP_XQF_TYPE, 2);
}

static void read_result(xqf *x)
{
    unsigned result = qp_bytes_u8(&x->file, QP_XQF_RESULT);
    if (result > QP_RESULT_DRAW) {
        qp_record_report(x->record, QP_D_result_note, QP_XQF_RESULT, 1, "xqf-result",
                         "%u is no result", result);
        return;
    }
    x->record->result = (qp_result)result;
    x->record->has_result = result != QP_RESULT_UNKNOWN;
}

/* ---- tree ---- */

static void broken(xqf *x, qp_code code, size_t at, size_t len, const char *detail,
                   const char *message)
{
    x->record->broken = true;
    if (!(x->limited && code == QP_D_file_truncated))
        qp_record_report(x->record, code, at, len, detail, "%s", message);
}

/* Lines end in CR LF, the last one as well where XQStudio wrote it. */
static qp_str read_comment(xqf *x, size_t at, size_t len)
{
    const unsigned char *bytes = x->file.data + at;
    if (x->scrambled) {
        x->plain.len = 0;
        if (!qp_buf_reserve(&x->plain, len)) {
            x->record->failed = true;
            return (qp_str){"", 0};
        }
        for (size_t i = 0; i < len; i++)
            x->plain.data[i] = (char)plain_byte(x, at + i);
        bytes = (const unsigned char *)x->plain.data;
    }
    qp_str text = qp_strings_all(&x->strings, bytes, len, at);
    if (text.len != 0 && text.data[text.len - 1] == '\n')
        text.len--;
    return text;
}

/* A comment that is cut off is still worth having, unless its length is none. */
enum { COMMENT_BELIEVED = 0xFFFF };

/* Eight bytes as a number, the first lowest. */
static inline uint64_t eight(const unsigned char *p)
{
#ifndef WORDS_BIGENDIAN
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
#else
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
#endif
}

/* Eight bytes as they were before they were scrambled, zeros behind the end of
 * the file. */
static QP_INLINE uint64_t plain_head(const xqf *x, size_t at, size_t left)
{
    static const uint64_t high = 0x8080808080808080u;
    uint64_t head = 0;
    if (QP_LIKELY_TO(left >= 8)) {
        uint64_t bytes = eight(x->file.data + at);
        uint64_t less = eight(x->stream + at % STREAM);
        return ((bytes | high) - (less & ~high)) ^ ((bytes ^ ~less) & high); /* each by itself */
    }
    for (size_t i = 0; i < left; i++)
        head |= (uint64_t)plain_byte(x, at + i) << 8 * i;
    return head;
}

/* Reads the comment of a node. */
static void read_counted(xqf *x, node *n, uint32_t length)
{
    if (length < x->key_length) {
        broken(x, QP_D_file_corrupt, n->at + 4, 4, "xqf-comment",
               "the length of a comment is less than nothing");
        n->damaged = true;
        return;
    }
    length -= x->key_length;
    size_t left = x->file.size - x->file.at;
    if (length > left) {
        bool believed = length <= COMMENT_BELIEVED;
        broken(x, believed ? QP_D_file_truncated : QP_D_file_corrupt, n->at + 4, 4,
               "xqf-comment", "a comment is longer than what is left of the file");
        n->damaged = true;
        length = believed ? (uint32_t)left : 0;
    }
    n->comment = read_comment(x, x->file.at, length);
    x->file.at += length;
}

/* Reads the node at file.at; false where there is none whole. */
static bool read_node(xqf *x, node *n)
{
    bool old = x->version <= 10;
    size_t at = x->file.at, least = old ? 8 : 4, left = x->file.size - at;
    if (QP_RARE(left < least)) {
        broken(x, QP_D_file_truncated, at, left, "xqf-tree",
               left == 0 ? "the file ends where a move should follow"
                         : "the file ends in the middle of a move");
        return false;
    }
    uint64_t head = plain_head(x, at, left);
    unsigned flags = head >> 16 & 0xFF;
    bool counted = old || (flags & QP_XQF_COMMENT);
    *n = (node){.at = at,
                .len = counted && left >= 8 ? 8 : 4,
                .from = (uint8_t)(head - QP_XQF_FROM_BASE - x->key_from),
                .to = (uint8_t)((head >> 8) - QP_XQF_TO_BASE - x->key_to),
                .child = flags & (old ? 0xF0 : QP_XQF_CHILD),
                .sibling = flags & (old ? 0x0F : QP_XQF_SIBLING)};
    x->file.at = at + n->len;
    if (QP_RARE(counted && left < 8)) {
        broken(x, QP_D_file_truncated, at, left, "xqf-tree",
               "the file ends in the middle of a move");
        n->damaged = true;
    } else if (QP_RARE(counted && head >> 32 != 0)) {
        read_counted(x, n, (uint32_t)(head >> 32));
    }
    return true;
}

static inline qp_move move_of(unsigned from, unsigned to)
{
    return from < QP_SQUARES && to < QP_SQUARES ? QP_MOVE(squares[from], squares[to]) : 0;
}

/* Reads the moves of nodes from `at` on that are a move and nothing else; returns how many. old
 * is a constant. */
static QP_INLINE size_t read_moves(const xqf *x, size_t at, const bool old, qp_move *moves,
                                   size_t most)
{
    enum { FLAGS = QP_XQF_CHILD | QP_XQF_SIBLING | QP_XQF_COMMENT, OLD_SIBLING = 0x0F };
    const unsigned from_base = QP_XQF_FROM_BASE + (old ? 0 : x->key_from);
    const unsigned to_base = QP_XQF_TO_BASE + (old ? 0 : x->key_to);
    const unsigned char *data = x->file.data;
    size_t n = 0, left = x->file.size - at;
    for (; n < most && left >= 8; at += 8, left -= 8) { /* an old one, which is as it is, or two */
        uint64_t head = old ? eight(data + at) : plain_head(x, at, 8);
        for (unsigned half = 0; half < (old ? 1 : 2) && n < most; half++, head >>= 32) {
            unsigned flags = head >> 16 & 0xFF;
            qp_move move = move_of((uint8_t)(head - from_base), (uint8_t)((head >> 8) - to_base));
            /* Of an old one, its second half is the length of a comment. */
            bool plain = old ? (head & ((uint64_t)UINT32_MAX << 32 | OLD_SIBLING << 16)) == 0 &&
                                   flags != 0
                             : (flags & FLAGS) == QP_XQF_CHILD;
            if (!plain || move == 0)
                return n;
            moves[n++] = move;
        }
    }
    return n;
}

/* Takes in such nodes as long as they come. */
static void read_line(xqf *x, qp_depth_first *tree, size_t limit)
{
    bool old = x->version <= 10;
    qp_move moves[QP_TAKE];
    size_t len = old ? 8 : 4, count = QP_TAKE;
    while (count == QP_TAKE && qp_depth_first_takes(tree)) {
        size_t most = limit - tree->count < QP_TAKE ? limit - tree->count : QP_TAKE;
        count = old ? read_moves(x, x->file.at, true, moves, most)
                    : read_moves(x, x->file.at, false, moves, most);
        qp_depth_first_take(tree, moves, count, x->file.at, len);
        x->file.at += count * len;
    }
}

static void read_tree(xqf *x)
{
    qp_record *record = x->record;
    qp_depth_first tree;
    node n;
    x->file.at = QP_XQF_TREE;
    if (!read_node(x, &n))
        return;
    /* The squares of the root mean nothing, it has no sibling. */
    if (n.comment.len != 0)
        qp_record_comment(record, n.at, n.len, n.comment);
    if (n.child && !n.damaged && x->file.at == x->file.size) {
        qp_report *report =
            qp_record_report(record, QP_D_file_truncated, n.at, n.len, "xqf-no-moves",
                             "moves are announced, but none follows");
        if (report != NULL)
            report->severity = QP_WARNING; /* programs wrote such files */
        return;
    }
    size_t limit = qp_node_limit(x->reading);
    qp_depth_first_init(&tree, x->reading);
    bool due = n.child && !n.damaged, whole = true;
    while (due) {
        read_line(x, &tree, limit);
        whole = tree.count < limit;
        if (!whole)
            qp_record_report(record, QP_D_file_limit, x->file.at, 0, "nodes",
                             "more than %zu moves in one game: the rest is left out", limit);
        whole = whole && read_node(x, &n);
        if (!whole)
            break;
        if (!qp_depth_first_add(&tree, move_of(n.from, n.to), n.at, n.len, n.comment, n.child,
                                n.sibling))
            break;
        qp_depth_first_raw(&tree, n.from, n.to);
        whole = !n.damaged;
        due = whole && qp_depth_first_due(&tree);
    }
    qp_depth_first_end(&tree);
    qp_depth_first_clear(&tree);
    if (!whole)
        record->broken = true;
    else if (x->file.at < x->file.size && !n.damaged)
        qp_record_report(record, QP_D_trailing_text, x->file.at, x->file.size - x->file.at,
                         "xqf-tree", "%zu bytes stand behind the end of the game",
                         x->file.size - x->file.at);
}

/* ---- a file that can be passed over ---- */

/* Whether nothing can be found in the header's texts, and none of them calls for a word. */
static bool is_quiet(const xqf *x)
{
    qp_reading *in = x->reading;
    for (size_t i = 0; i < QP_XQF_FIELDS; i++) {
        const qp_xqf_field *field = &qp_xqf_fields[i];
        const unsigned char *p = x->file.data + field->at + 1;
        size_t len = p[-1], plain = 0;
        if (len == 0)
            continue;
        if (len >= field->size)
            return false;
        while (plain < len && p[plain] >= ' ' && p[plain] < 0x80)
            plain++;
        if (plain < len && (!qp_source_clean(in->source, in->encoding, p, len) ||
                            qp_said_recoded(in->encoding, p, len)))
            return false;
        while (len != 0 && (p[len - 1] == ' ' || p[len - 1] == '\n'))
            len--;
        if (field->tag[0] == 'D' && /* Date */
            !qp_said_date_in(in->patterns, in->source, in->encoding, p, len))
            return false;
    }
    return true;
}

/* Reads the moves of one line without comments that the file ends with; returns how many, 0 for
 * all else. */
static size_t read_plain(xqf *x, qp_move moves[QP_LINE_MAX])
{
    enum { FLAGS = QP_XQF_CHILD | QP_XQF_SIBLING | QP_XQF_COMMENT };
    const bool old = x->version <= 10;
    const size_t len = old ? 8 : 4;
    const unsigned comment = old ? 0 : QP_XQF_COMMENT, child = old ? 0xF0 : QP_XQF_CHILD;
    size_t at = QP_XQF_TREE, count, left = x->file.size - at;
    uint64_t root = plain_head(x, at, left);
    if (left < 2 * len || (root >> 16 & child) == 0 || (root >> 16 & comment) != 0 ||
        (old && root >> 32 != 0))
        return 0;
    at += len;
    count = old ? read_moves(x, at, true, moves, QP_LINE_MAX - 1)
                : read_moves(x, at, false, moves, QP_LINE_MAX - 1);
    at += count * len;
    left = x->file.size - at;
    if (left != len)
        return 0;
    uint64_t head = plain_head(x, at, left);
    unsigned flags = head >> 16 & 0xFF;
    moves[count] = move_of((uint8_t)(head - QP_XQF_FROM_BASE - x->key_from),
                           (uint8_t)((head >> 8) - QP_XQF_TO_BASE - x->key_to));
    if (moves[count] == 0 || (old ? flags != 0 || head >> 32 != 0 : (flags & FLAGS) != 0))
        return 0;
    return count + 1;
}

/* Whether there is nothing to say of the game, which is to be passed over; counts it then. */
static bool is_passed(xqf *x)
{
    qp_reading *in = x->reading;
    qp_rounds rounds;
    qp_move moves[QP_LINE_MAX];
    unsigned result = qp_bytes_u8(&x->file, QP_XQF_RESULT);
    const qp_said said = {.quiet = true, .result = (qp_result)result};
    if (!in->passes || x->limited || x->record->report_count != 0 || result > QP_RESULT_DRAW ||
        qp_bytes_u8(&x->file, QP_XQF_SIDE) == 1 || !is_usual(x) || !is_quiet(x))
        return false;
    qp_squares line = {.moves = moves, .step = sizeof *moves, .count = read_plain(x, moves)};
    if (line.count == 0 || line.count > qp_node_limit(in) ||
        !qp_rounds_squares(x->record, &line, in->spare_tree, false, &rounds) ||
        !qp_said_agrees(&said, QP_RESULT_UNKNOWN, &rounds))
        return false;
    in->passed = (qp_skipped){.games = 1, .plies = rounds.plies};
    return true;
}

/* ---- the file ---- */

/* Whether the file can be read at all; says why not. */
static bool readable(xqf *x)
{
    const qp_bytes *file = &x->file;
    qp_record *record = x->record;
    size_t mark = file->size < 2 ? file->size : 2;
    if (mark == 0)
        return false;
    if (memcmp(file->data, "XQ", mark) != 0) {
        qp_record_report(record, QP_D_file_corrupt, 0, mark, "xqf-mark",
                         "the file does not begin with XQ");
        return false;
    }
    if (file->size < QP_XQF_TREE) {
        qp_record_report(record, QP_D_file_truncated, file->size, 0, "xqf-header",
                         "the file ends within its header");
        return false;
    }
    x->version = qp_bytes_u8(file, QP_XQF_VERSION);
    bool known = x->version >= 1 && x->version <= QP_XQF_LAST;
    if (!known && !x->reading->named) {
        qp_record_report(record, QP_D_format_unsupported, QP_XQF_VERSION, 1, "xqf-version",
                         "version %u of XQF is not known; -f xqf tries all the same",
                         x->version);
        return false;
    }
    if (!known || x->version < 10 || x->version == 14 || x->version == 17) {
        qp_report *report = qp_record_report(
            record, QP_D_format_unsupported, QP_XQF_VERSION, 1, "xqf-version",
            "version %u of XQF was never seen; it is read as its neighbors are", x->version);
        if (report != NULL)
            report->severity = QP_WARNING;
    }
    return true;
}

static qp_status xqf_read(qp_reading *reading)
{
    xqf x = {.reading = reading, .record = reading->record};
    if (reading->state != NULL)
        return QP_END; /* a file holds one game */
    reading->state = reading;
    x.limited = !qp_bytes_whole(reading, &x.file);
    if (!readable(&x))
        return QP_END;
    if (reading->encoding == QP_ENC_NONE)
        reading->encoding = QP_ENC_GB18030; /* never guessed: the programs know no other */
    read_keys(&x);
    if (is_passed(&x))
        return QP_END;
    qp_strings_init(&x.strings, reading);
    read_strings(&x);
    read_result(&x);
    read_start(&x);
    read_tree(&x);
    read_type(&x);
    qp_strings_clear(&x.strings);
    qp_buf_clear(&x.plain);
    return QP_OK;
}

/* The mark is two letters: a header with the zeros that all have must stand behind it. */
static unsigned xqf_probe(const qp_probe *probe)
{
    static const char zeros[12];
    qp_str b = probe->bytes;
    if (b.len < 3 || memcmp(b.data, "XQ", 2) != 0)
        return 0;
    if (b.len >= 8 && memcmp(b.data + 4, zeros, 4) == 0)
        return 90;
    if (b.len >= 64 && memcmp(b.data + 52, zeros, 12) == 0)
        return 90;
    return b.len < 8 && (unsigned char)b.data[2] < 0x20 &&
                   (b.len <= 4 || memcmp(b.data + 4, zeros, b.len - 4) == 0)
               ? 60
               : 0;
}

const qp_format qp_format_xqf = {
    .name = "xqf",
    .title = "XQStudio, one game with variations",
    .suffixes = "xqf",
    .binary = true,
    .single = true,
    .versions = {10, 18},
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_RESULT | QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = xqf_probe,
    .read = xqf_read,
    .write = qp_xqf_write,
};
