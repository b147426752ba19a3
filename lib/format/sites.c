/* Lines of squares. See sites.h. */
#include "config.h"

#include "format/plies.h"
#include "format/sites.h"

void qp_site_begin(qp_site_line *line, qp_reading *in, bool turned)
{
    *line = (qp_site_line){.in = in, .board = in->record->start, .turned = turned};
}

qp_move qp_site_move(const unsigned square[4], bool turned)
{
    unsigned x = square[0], row = square[1], to_x = square[2], to_row = square[3];
    if (x > 8 || row > 9 || to_x > 8 || to_row > 9 || (x == to_x && row == to_row))
        return 0;
    if (turned)
        return QP_MOVE(QP_SQUARE(8 - x, row), QP_SQUARE(8 - to_x, to_row));
    return QP_MOVE(QP_SQUARE(x, 9 - row), QP_SQUARE(to_x, 9 - to_row));
}

void qp_site_broken(qp_site_line *line, qp_code code, size_t at, const char *detail,
                    const char *what)
{
    qp_record_report(line->in->record, code, at, 0, detail,
                     "%s after ply %lu: the moves end here", what,
                     (unsigned long)line->plies);
    line->in->record->broken = true;
    line->broken = true;
}

bool qp_site_is_list(const qp_bytes *bytes, size_t at, size_t size, qp_site_squares *squares)
{
    qp_board start;
    unsigned square[4];
    if (!qp_bytes_have(bytes, at, size))
        return false;
    squares(bytes, at, square);
    bool turned = qp_site_turned(square[1]);
    qp_move first = qp_site_move(square, turned);
    qp_board_start(&start);
    if (first == 0 || qp_board_refuse(&start, first) != QP_LEGAL)
        return false;
    for (; qp_bytes_have(bytes, at, size); at += size) {
        squares(bytes, at, square);
        if (qp_site_move(square, turned) == 0)
            return false;
    }
    return true;
}

void qp_site_trailing(const qp_site_line *line, const qp_bytes *bytes, size_t end)
{
    if (!line->broken && end < bytes->size)
        qp_record_report(line->in->record, QP_D_trailing_text, end, bytes->size - end,
                         "trailing-bytes", "%zu bytes behind the last of %lu plies",
                         bytes->size - end, (unsigned long)line->plies);
}

bool qp_site_ply(qp_site_line *line, const unsigned square[4], qp_piece piece, size_t at,
                 size_t len)
{
    qp_record *record = line->in->record;
    qp_move move = qp_site_move(square, line->turned);
    if (move == 0) {
        qp_site_broken(line, QP_D_file_corrupt, at, "site-squares",
                       "what stands is no move");
        return false;
    }
    if (line->plies == 0) {
        qp_record_first_ply(record, move);
        line->board.side = record->start.side;
    }
    qp_record_squares(record, at, len, move);
    line->plies++;
    if (piece != 0 && line->board.at[QP_FROM(move)] != piece && !line->told) {
        line->told = true;
        qp_report *report = qp_record_report(
            record, QP_D_file_corrupt, at, len, "site-piece",
            "the file says that another piece than the one on this square makes ply %lu",
            (unsigned long)line->plies);
        if (report != NULL)
            report->severity = QP_WARNING; /* the squares are what counts */
    }
    qp_board_play(&line->board, move);
    return true;
}

void qp_site_time(qp_record *record, uint32_t seconds, size_t at)
{
    /* Days of the proleptic Gregorian calendar, years that begin in March. */
    uint32_t days = seconds / 86400 + 719468, rest = seconds % 86400;
    uint32_t era = days / 146097, day = days % 146097;
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    uint32_t month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    year += era * 400 + (month <= 2);
    qp_record_tag_made(record, QP_STR("UTCDate"),
                       qp_arena_printf(record->arena, "%04u.%02u.%02u", (unsigned)year,
                                       (unsigned)month, (unsigned)day + 1),
                       at, 4);
    qp_record_tag_made(record, QP_STR("UTCTime"),
                       qp_arena_printf(record->arena, "%02u:%02u:%02u",
                                       (unsigned)(rest / 3600), (unsigned)(rest / 60 % 60),
                                       (unsigned)(rest % 60)),
                       at, 4);
}

void qp_site_tag(qp_record *record, const char *name, qp_str value, size_t at, size_t len)
{
    value = qp_str_trim(value);
    if (value.len != 0)
        qp_record_tag_made(record, qp_str_of(name), value, at, len);
}
