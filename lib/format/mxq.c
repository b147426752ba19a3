/* MXQ, the record of 弈天 (movesky) and 象棋世家: a chain of strings with their lengths, in GBK or
 * Big5. The twelfth is `Moves`, or begins with `initboard` and holds a start position; then
 * each ply is a string as `7C-4C` (column from Red's left, rank from A at Red's side) up to
 * `Ends`; comments may follow. Known from one file and two readers; a start position from one
 * reader alone. */
#include "config.h"

#include "format/sites.h"

#include <stdlib.h>

enum { HEADER_MAX = 32, NAMED = 11 };

static bool take_string(qp_bytes *bytes, qp_str *text)
{
    unsigned len = qp_bytes_take_u8(bytes);
    const unsigned char *data = bytes->failed ? NULL : qp_bytes_take(bytes, len);
    *text = (qp_str){(const char *)data, data != NULL ? len : 0};
    return data != NULL;
}

static bool begins(qp_str text, const char *with)
{
    size_t len = strlen(with);
    return text.len >= len && memcmp(text.data, with, len) == 0;
}

static unsigned mxq_probe(const qp_probe *probe)
{
    qp_bytes bytes = {.data = (const unsigned char *)probe->bytes.data,
                      .size = probe->bytes.len};
    qp_str text;
    for (unsigned i = 0; i < NAMED; i++)
        if (!take_string(&bytes, &text))
            return 0;
    if (!take_string(&bytes, &text))
        return 0;
    return qp_str_is(text, "Moves") || begins(text, "initboard") ? 80 : 0;
}

/* `Red-胜-Black`: splits at the last such mark, since names may hold hyphens. The mark is
 * looked for in bytes, of GBK and Big5: between ASCII names no encoding can be told. */
static void read_players(qp_record *record, qp_strings *strings, qp_str text, size_t at)
{
    static const struct {
        char mark[3];
        qp_result result;
    } marks[] = {{"\xCA\xA4", QP_RESULT_RED},   {"\x84\xD9", QP_RESULT_RED},
                 {"\xB3\xD3", QP_RESULT_RED},   {"\xB8\xBA", QP_RESULT_BLACK},
                 {"\xD8\x93", QP_RESULT_BLACK}, {"\xAD\x74", QP_RESULT_BLACK},
                 {"\xBA\xCD", QP_RESULT_DRAW},  {"\xA9\x4D", QP_RESULT_DRAW}};
    const unsigned char *data = (const unsigned char *)text.data;
    for (size_t i = text.len; i-- > 0;)
        for (size_t m = 0; m < QP_COUNT(marks); m++) {
            if (text.len - i < 4 || data[i] != '-' || data[i + 3] != '-' ||
                memcmp(data + i + 1, marks[m].mark, 2) != 0)
                continue;
            qp_site_tag(record, "Red", qp_strings_get(strings, data, i, at), at, i);
            qp_site_tag(record, "Black",
                        qp_strings_get(strings, data + i + 4, text.len - i - 4, at + i + 4),
                        at + i + 4, text.len - i - 4);
            record->result = marks[m].result;
            record->has_result = true;
            return;
        }
    qp_site_tag(record, "Event", qp_strings_get(strings, data, text.len, at), at, text.len);
}

/* 32 numbers, then +R or +B. Number - 1 is an index of a board of 16 by 16 whose fourth row
 * and column hold a9. */
static void read_board(qp_record *record, qp_str text, size_t at)
{
    static const uint8_t kinds[16] = {QP_PAWN,  QP_PAWN,     QP_PAWN,     QP_PAWN,
                                      QP_PAWN,  QP_CANNON,   QP_CANNON,   QP_HORSE,
                                      QP_HORSE, QP_ROOK,     QP_ROOK,     QP_ELEPHANT,
                                      QP_ELEPHANT, QP_ADVISOR, QP_ADVISOR, QP_KING};
    qp_board board = {.round = 1};
    unsigned count = 0;
    bool side = false;
    for (size_t i = 9; i < text.len; i++) {
        unsigned number = 0, digits = 0;
        for (; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++, digits++)
            number = number < 1000 ? number * 10 + (unsigned)(text.data[i] - '0') : number;
        if (digits != 0 && count < 32) {
            unsigned row = (number - 1) / 16 - 3, column = (number - 1) % 16 - 3;
            if (number != 0 && row <= 9 && column <= 8)
                board.at[QP_SQUARE(column, 9 - row)] =
                    QP_PIECE(count < 16 ? QP_RED : QP_BLACK, kinds[count % 16]);
            count++;
        }
        if (i + 1 < text.len && text.data[i] == '+') {
            side = true;
            board.side = text.data[i + 1] == 'B' || text.data[i + 1] == 'b' ? QP_BLACK
                                                                            : QP_RED;
        }
    }
    qp_record_board(record, &board, side, at, text.len);
    if (count != 32)
        qp_record_report(record, QP_D_file_corrupt, at, text.len, "mxq-board",
                         "the start position has %u numbers, not 32", count);
}

/* The strings before the moves. false: the moves do not begin. */
static bool read_head(qp_reading *in, qp_strings *strings, qp_bytes *bytes)
{
    static const char *const tags[NAMED] = {
        "Site",  "Date",  NULL,    "RedElo", "BlackElo",   NULL,
        NULL,    NULL,    "MXQ_8", "MXQ_9",  "Termination"};
    qp_record *record = in->record;
    qp_buf time = {0};
    qp_str raw;
    bool moves = false;
    for (unsigned i = 0; i < HEADER_MAX && !moves && take_string(bytes, &raw); i++) {
        size_t at = bytes->at - raw.len;
        moves = qp_str_is(raw, "Moves");
        if (moves)
            break;
        if (begins(raw, "initboard")) {
            read_board(record, raw, at);
            moves = true;
            break;
        }
        if (i == 2) {
            read_players(record, strings, raw, at);
            continue;
        }
        qp_str text =
            qp_strings_get(strings, (const unsigned char *)raw.data, raw.len, at);
        if (i >= 5 && i <= 7) { /* minutes, as it seems, moves and seconds */
            if (time.len != 0)
                qp_buf_add_char(&time, ' ');
            qp_buf_add_str(&time, qp_str_trim(text));
        } else if (i < NAMED) {
            qp_site_tag(record, tags[i], text, at, raw.len);
        }
        if (i == 7)
            qp_site_tag(record, "TimeControl",
                        qp_arena_str(record->arena, time.data ? time.data : "", time.len),
                        at, raw.len);
    }
    qp_buf_clear(&time);
    return moves;
}

static bool read_ply(qp_str text, unsigned square[4])
{
    if (text.len != 5 || text.data[2] != '-')
        return false;
    for (unsigned i = 0; i < 2; i++) {
        square[2 * i] = (unsigned)(unsigned char)text.data[3 * i] - '0';
        square[2 * i + 1] = 9 - ((unsigned)(unsigned char)text.data[3 * i + 1] - 'A');
    }
    return true;
}

static qp_status mxq_read(qp_reading *in)
{
    qp_bytes bytes;
    qp_record *record = in->record;
    qp_str text;
    unsigned square[4];
    if (in->state != NULL) { /* one record a file */
        in->used = in->source->len;
        return QP_END;
    }
    in->state = in;
    qp_bytes_whole(in, &bytes);
    qp_strings strings;
    qp_strings_init(&strings, in);
    if (!read_head(in, &strings, &bytes)) {
        qp_strings_clear(&strings);
        if (bytes.failed && record->tag_count > 2)
            qp_record_report(record, QP_D_file_truncated, bytes.size, 0, "mxq-head",
                             "the file ends before the moves");
        return QP_END;
    }
    qp_site_line line;
    qp_site_begin(&line, in, false);
    bool ends = false;
    while (!ends && !line.broken) {
        size_t at = bytes.at;
        if (!take_string(&bytes, &text))
            qp_site_broken(&line, QP_D_file_truncated, at, "mxq-moves", "the file ends");
        else if (qp_str_is(text, "Ends"))
            ends = true;
        else if (line.plies == 0 && qp_str_is(text, "Moves"))
            continue;
        else if (!read_ply(text, square))
            qp_site_broken(&line, QP_D_file_corrupt, at, "mxq-moves",
                           "what stands is no move");
        else
            qp_site_ply(&line, square, 0, at + 1, text.len);
    }
    while (ends && bytes.at < bytes.size) {
        size_t at = bytes.at;
        if (!take_string(&bytes, &text)) {
            qp_record_report(record, QP_D_file_truncated, at, 0, "mxq-comments",
                             "the file ends inside the comments");
            record->broken = true;
            break;
        }
        if (qp_str_is(text, "CommentsEnd"))
            break;
        qp_str made = qp_strings_get(&strings, (const unsigned char *)text.data, text.len,
                                     at + 1);
        if (qp_str_trim(made).len != 0)
            qp_record_comment(record, at + 1, text.len, made);
    }
    in->encoding = in->encoding != QP_ENC_NONE ? in->encoding : strings.last;
    qp_strings_clear(&strings);
    return QP_OK;
}

const qp_format qp_format_mxq = {
    .name = "mxq",
    .title = "movesky (弈天)",
    .suffixes = "mxq",
    .experimental = true,
    .binary = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_START |
               QP_CARRIES_RESULT | QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = mxq_probe,
    .read = mxq_read,
};
