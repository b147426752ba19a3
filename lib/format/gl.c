/* The records of 联众 (ourgame), .chn and .xqi: a head with the boards at the start and at the
 * end, then a node of 36 bytes for each ply, whose memory pointers mean nothing. Known from two
 * files whose last boards agree with their moves. And an older .chn without a mark, known from
 * two readers and no file: plies of 32 bytes from byte 188. */
#include "config.h"

#include "format/sites.h"

#include <stdio.h>

enum {
    TITLE = 0x24,
    START = 0xB4,
    FINAL = 0x10E,
    FIRST_SIDE = 0x168,
    COUNT = 0x16C,
    SENTINEL = 0x1D8,
    NODE = 36,
    NODES = SENTINEL + NODE,
    OLD_MOVES = 188,
    OLD_MOVE = 32,
};

static bool has_mark(qp_str bytes)
{
    return bytes.len >= 4 && memcmp(bytes.data, "GL\xD0\x07", 4) == 0;
}

/* A ply of the older kind: its number, then four u16. */
static void old_squares(const qp_bytes *bytes, size_t at, unsigned square[4])
{
    for (unsigned i = 0; i < 4; i++)
        square[i] = qp_bytes_u16(bytes, at + 4 + 2 * i);
}

/* Whether the file can be of the older kind: a list of plies, numbered in order. */
static bool is_old(qp_str head)
{
    qp_bytes bytes = {.data = (const unsigned char *)head.data, .size = head.len};
    for (size_t i = 0; qp_bytes_have(&bytes, OLD_MOVES + i * OLD_MOVE, OLD_MOVE); i++)
        if (qp_bytes_u32(&bytes, OLD_MOVES + i * OLD_MOVE) != i + 1)
            return false;
    return qp_site_is_list(&bytes, OLD_MOVES, OLD_MOVE, old_squares);
}

static unsigned gl_probe(const qp_probe *probe)
{
    if (has_mark(probe->bytes))
        return 90;
    return probe->suffix == &qp_format_gl && is_old(probe->bytes) ? 60 : 0;
}

/* ---- with a mark ---- */

/* The low half names the piece; the high half only numbers those of a kind. */
static qp_piece piece_of(unsigned byte)
{
    static const qp_kind kinds[8] = {QP_NO_KIND, QP_ROOK,    QP_HORSE,    QP_CANNON,
                                     QP_KING,    QP_ADVISOR, QP_ELEPHANT, QP_PAWN};
    qp_kind kind = kinds[byte & 7];
    return kind == QP_NO_KIND ? 0 : QP_PIECE(byte & 8 ? QP_BLACK : QP_RED, kind);
}

static qp_board board_at(const qp_bytes *bytes, size_t at)
{
    qp_board board = {.round = 1};
    for (unsigned i = 0; i < QP_SQUARES; i++)
        board.at[QP_SQUARE(i / 10, 9 - i % 10)] = piece_of(qp_bytes_u8(bytes, at + i));
    return board;
}

static void text_tag(qp_reading *in, qp_strings *strings, const qp_bytes *bytes,
                     const char *name, size_t at, size_t size)
{
    if (qp_bytes_have(bytes, at, size))
        qp_site_tag(in->record, name, qp_strings_get(strings, bytes->data + at, size, at),
                    at, size);
}

/* Whether a text has this shape: 9 a digit, _ a digit or blank, A a letter. */
static bool has_shape(qp_str text, const char *shape)
{
    size_t i = 0;
    for (; shape[i] != '\0' && i < text.len; i++) {
        char c = text.data[i], s = shape[i];
        bool digit = c >= '0' && c <= '9';
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (s == '9' ? !digit : s == '_' ? !digit && c != ' ' : s == 'A' ? !letter : c != s)
            return false;
    }
    return shape[i] == '\0' && i == text.len;
}

/* "Tue Dec 27 20:57:56 2016", as C's ctime writes it. */
static void read_date(qp_reading *in, qp_strings *strings, const qp_bytes *bytes)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    qp_record *record = in->record;
    if (!qp_bytes_have(bytes, 8, 28))
        return;
    qp_str text = qp_str_trim(qp_strings_get(strings, bytes->data + 8, 28, 8));
    const char *p = text.data, *month = NULL;
    if (has_shape(text, "AAA AAA _9 99:99:99 9999"))
        for (const char *m = months; *m != '\0' && month == NULL; m += 3)
            month = memcmp(m, p + 4, 3) == 0 ? m : NULL;
    if (month == NULL) {
        qp_site_tag(record, "GL_Date", text, 8, 28);
        return;
    }
    qp_record_tag_made(record, QP_STR("Date"),
                       qp_arena_printf(record->arena, "%.4s.%02u.%c%c", p + 20,
                                       (unsigned)(month - months) / 3 + 1,
                                       p[8] == ' ' ? '0' : p[8], p[9]),
                       8, 28);
    qp_record_tag_made(record, QP_STR("Time"), (qp_str){p + 11, 8}, 8, 28);
}

static void read_new(qp_reading *in, qp_strings *strings, const qp_bytes *bytes)
{
    qp_record *record = in->record;
    qp_site_line line;
    unsigned side = qp_bytes_u8(bytes, FIRST_SIDE);
    read_date(in, strings, bytes);
    text_tag(in, strings, bytes, "Title", TITLE, 64);
    text_tag(in, strings, bytes, "Red", 0x78, 20);
    text_tag(in, strings, bytes, "Black", 0xA0, 20);
    text_tag(in, strings, bytes, "GL_RedAccount", 0x64, 20);
    text_tag(in, strings, bytes, "GL_BlackAccount", 0x8C, 20);
    if (!qp_bytes_have(bytes, 0, FINAL)) {
        qp_record_report(record, QP_D_file_truncated, bytes->size, 0, "gl-head",
                         "the file ends inside its head");
        record->broken = true;
        return;
    }
    qp_board start = board_at(bytes, START);
    start.side = side == 2 ? QP_BLACK : QP_RED;
    qp_record_board(record, &start, side == 1 || side == 2, START, QP_SQUARES);
    qp_site_begin(&line, in, false);
    uint32_t count = qp_bytes_u32(bytes, COUNT);
    for (uint32_t i = 0; i < count && !line.broken; i++) {
        size_t at = NODES + (size_t)i * NODE;
        if (!qp_bytes_have(bytes, at, NODE)) {
            qp_site_broken(&line, QP_D_file_truncated, bytes->size, "gl-nodes",
                           "the file ends");
            return;
        }
        unsigned from = qp_bytes_u8(bytes, at + 14), to = qp_bytes_u8(bytes, at + 15);
        unsigned square[4] = {from & 15, from >> 4, to & 15, to >> 4};
        qp_site_ply(&line, square, piece_of(qp_bytes_u8(bytes, at + 16)), at + 14, 2);
    }
    if (line.broken)
        return;
    qp_site_trailing(&line, bytes, NODES + (size_t)count * NODE);
    qp_board final = board_at(bytes, FINAL);
    if (memcmp(final.at, line.board.at, sizeof final.at) != 0) {
        qp_report *report =
            qp_record_report(record, QP_D_file_corrupt, FINAL, QP_SQUARES, "gl-final",
                             "the moves do not lead to the last board of the file");
        if (report != NULL)
            report->severity = QP_WARNING;
    }
}

/* ---- without ---- */

static void read_old(qp_reading *in, const qp_bytes *bytes)
{
    qp_site_line line;
    unsigned square[4];
    old_squares(bytes, OLD_MOVES, square);
    qp_site_begin(&line, in, qp_site_turned(square[1]));
    size_t at = OLD_MOVES;
    for (; !line.broken && qp_bytes_have(bytes, at, OLD_MOVE); at += OLD_MOVE) {
        if (qp_bytes_u32(bytes, at) != line.plies + 1) {
            qp_site_broken(&line, QP_D_file_corrupt, at, "gl-number",
                           "a ply has another number than its place");
            return;
        }
        old_squares(bytes, at, square);
        qp_site_ply(&line, square, 0, at, OLD_MOVE);
    }
    if (!line.broken && at < bytes->size)
        qp_site_broken(&line, QP_D_file_truncated, bytes->size, "gl-moves",
                       "the file ends inside a move");
}

static qp_status gl_read(qp_reading *in)
{
    qp_bytes bytes;
    if (in->state != NULL) { /* one record a file */
        in->used = in->source->len;
        return QP_END;
    }
    in->state = in;
    qp_bytes_whole(in, &bytes);
    if (!has_mark((qp_str){(const char *)bytes.data, bytes.size})) {
        if (bytes.size < OLD_MOVES + OLD_MOVE)
            return QP_END;
        read_old(in, &bytes);
        return QP_OK;
    }
    qp_strings strings;
    qp_strings_init(&strings, in);
    read_new(in, &strings, &bytes);
    in->encoding = in->encoding != QP_ENC_NONE ? in->encoding : strings.last;
    qp_strings_clear(&strings);
    return QP_OK;
}

const qp_format qp_format_gl = {
    .name = "gl",
    .title = "ourgame (联众)",
    .suffixes = "chn xqi",
    .experimental = true,
    .binary = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_START | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES,
    .probe = gl_probe,
    .read = gl_read,
};
