/* CHE, the record of QQ象棋: numbers parted by blanks. The first is 1, the second the number of
 * plies, then ten a ply: piece, 32, side (1 Red), rank and column of both squares, 0, the ply's
 * number, 0. An XML text may follow. Known from one file.
 *
 * Programs disagree on whether columns count from Red's left or right, and the board's symmetry
 * hides it; they are read from the left, as most do, and that is noted. */
#include "config.h"

#include "format/sites.h"

enum { PER_PLY = 10, NUMBER_MAX = 99999999 };

/* The number at the cursor, behind blanks. false: none stands there. */
static bool take_number(qp_bytes *bytes, long *number, size_t *at)
{
    size_t i = bytes->at, digits = 0;
    while (i < bytes->size && (bytes->data[i] == ' ' || bytes->data[i] == '\n' ||
                               bytes->data[i] == '\r' || bytes->data[i] == '\t'))
        i++;
    *at = i;
    bool negative = i < bytes->size && bytes->data[i] == '-';
    i += negative;
    *number = 0;
    for (; i < bytes->size && bytes->data[i] >= '0' && bytes->data[i] <= '9'; i++, digits++)
        *number = *number < NUMBER_MAX ? *number * 10 + (bytes->data[i] - '0') : *number;
    bool ends = i == bytes->size || bytes->data[i] <= ' ' || bytes->data[i] == '<';
    if (digits == 0 || !ends)
        return false;
    bytes->at = i;
    *number = negative ? -*number : *number;
    return true;
}

/* Ten numbers; false: they are not there. */
static bool take_ply(qp_bytes *bytes, long number[PER_PLY], size_t *at)
{
    size_t place;
    for (unsigned i = 0; i < PER_PLY; i++) {
        if (!take_number(bytes, &number[i], &place))
            return false;
        if (i == 0)
            *at = place;
    }
    return true;
}

static qp_piece piece_of(long number)
{
    static const qp_kind kinds[16] = {QP_KING,  QP_ADVISOR, QP_ADVISOR, QP_ELEPHANT,
                                      QP_ELEPHANT, QP_HORSE, QP_HORSE,  QP_ROOK,
                                      QP_ROOK,  QP_CANNON,  QP_CANNON,  QP_PAWN,
                                      QP_PAWN,  QP_PAWN,    QP_PAWN,    QP_PAWN};
    if (number < 0 || number > 31)
        return 0;
    return QP_PIECE(number < 16 ? QP_BLACK : QP_RED, kinds[number % 16]);
}

static unsigned coordinate(long number)
{
    return number < 0 || number > 9 ? 255 : (unsigned)number;
}

static unsigned che_probe(const qp_probe *probe)
{
    qp_bytes bytes = {.data = (const unsigned char *)probe->text.data,
                      .size = probe->text.len};
    long number[PER_PLY], type, count;
    size_t at;
    if (!take_number(&bytes, &type, &at) || !take_number(&bytes, &count, &at) || type < 0 ||
        type > 1 || count < 1 || !take_ply(&bytes, number, &at))
        return 0;
    bool fits = piece_of(number[0]) != 0 && number[1] == 32 && number[2] >= 0 &&
                number[2] <= 1 && number[7] == 0 && number[8] == 1 && number[9] == 0;
    return fits ? 80 : 0;
}

static void read_plies(qp_reading *in, qp_bytes *bytes, long count)
{
    qp_site_line line;
    long number[PER_PLY];
    size_t at = bytes->at;
    qp_site_begin(&line, in, false);
    for (long i = 0; i < count && !line.broken; i++) {
        if (!take_ply(bytes, number, &at)) {
            qp_site_broken(&line, QP_D_file_truncated, bytes->at, "che-numbers",
                           "the numbers end");
            return;
        }
        unsigned square[4] = {coordinate(number[4]), 9 - coordinate(number[3]),
                              coordinate(number[6]), 9 - coordinate(number[5])};
        qp_site_ply(&line, square, piece_of(number[0]), at, bytes->at - at);
    }
}

static qp_status che_read(qp_reading *in)
{
    qp_bytes bytes;
    qp_record *record = in->record;
    long type, count;
    size_t at;
    if (in->state != NULL) { /* one record a file */
        in->used = in->source->len;
        return QP_END;
    }
    in->state = in;
    qp_bytes_whole(in, &bytes);
    if (!take_number(&bytes, &type, &at) || !take_number(&bytes, &count, &at))
        return QP_END;
    if (count < 0) {
        qp_record_report(record, QP_D_file_corrupt, at, bytes.at - at, "che-count",
                         "%ld is no number of plies", count);
        record->broken = true;
        return QP_OK;
    }
    if (count > 0)
        qp_record_report(record, QP_D_notation_style, 0, bytes.at, "che-columns",
                         "columns are read from Red's left; some programs count them from "
                         "the right, which would mirror the game");
    read_plies(in, &bytes, count);
    qp_str rest = {(const char *)bytes.data + bytes.at, bytes.size - bytes.at};
    if (!record->broken && qp_str_trim(rest).len != 0)
        qp_record_report(record, QP_D_trailing_text, bytes.at, rest.len, NULL,
                         "%zu bytes behind the last of %ld plies", rest.len, count);
    return QP_OK;
}

const qp_format qp_format_che = {
    .name = "che",
    .title = "QQ象棋",
    .suffixes = "che",
    .experimental = true,
    .carries = QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = che_probe,
    .read = che_read,
};
