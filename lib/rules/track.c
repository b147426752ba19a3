/* Tracks of a board, and strides: see track.h. Steps are those of movegen.c. */
#include "config.h"

#include "rules/step.h"

void qp_track_king_at(qp_track *track, qp_side side, unsigned square)
{
    unsigned rank = square / 9, file = square - rank * 9, here = 1u << rank;
    track->king[side] = (qp_track_king){
        .column = (uint16_t)qp_track_column(file),
        .row = (uint16_t)qp_track_row(rank),
        .here = (uint16_t)here,
        .ahead = (uint16_t)(side == QP_RED ? 0x3ff & ~(here | (here - 1)) : here - 1),
        .next = (uint16_t)(side == QP_RED ? here << 1 : here >> 1),
        .near = (uint16_t)(0x3ff & (0x1fu << rank >> 2)),
    };
}

bool qp_track_set(qp_track *track, const qp_board *board)
{
    unsigned kings[2] = {0, 0};
    memset(track, 0, sizeof *track);
    for (unsigned square = 0; square < QP_SQUARES; square++) {
        qp_piece piece = board->at[square] & 15;
        unsigned rank = square / 9, file = square % 9;
        if (piece == 0)
            continue;
        uint16_t *column = track->column[file + QP_TRACK_MARGIN];
        uint16_t *row = track->row[rank + QP_TRACK_MARGIN];
        column[QP_TRACK_ALL] |= (uint16_t)(1u << rank);
        row[QP_TRACK_ALL] |= (uint16_t)(1u << file);
        column[piece] |= (uint16_t)(1u << rank);
        row[piece] |= (uint16_t)(1u << file);
        if (QP_PIECE_KIND(piece) == QP_KING) {
            kings[QP_PIECE_SIDE(piece)]++;
            qp_track_king_at(track, QP_PIECE_SIDE(piece), square);
        }
    }
    return kings[QP_RED] == 1 && kings[QP_BLACK] == 1 &&
           (qp_zones[board->king[QP_RED]] & QP_ZONE_PALACE(QP_RED)) &&
           (qp_zones[board->king[QP_BLACK]] & QP_ZONE_PALACE(QP_BLACK));
}

void qp_track_move(qp_track *track, qp_move move, qp_piece piece, qp_piece taken)
{
    qp_step s = qp_step_of(QP_FROM(move), QP_TO(move));
    qp_step_follow(track, &s, piece, taken);
    if (QP_PIECE_KIND(piece) == QP_KING)
        qp_track_king_at(track, QP_PIECE_SIDE(piece), QP_TO(move));
}

void qp_track_undo(qp_track *track, qp_move move, qp_piece piece, qp_piece taken)
{
    unsigned square = QP_TO(move), rank = square / 9, file = square - rank * 9;
    uint16_t *column = track->column[file + QP_TRACK_MARGIN];
    uint16_t *row = track->row[rank + QP_TRACK_MARGIN];
    qp_track_move(track, QP_MOVE(square, QP_FROM(move)), piece, QP_TRACK_NONE);
    if (taken != 0) {
        column[QP_TRACK_ALL] |= (uint16_t)(1u << rank);
        column[taken] |= (uint16_t)(1u << rank);
        row[QP_TRACK_ALL] |= (uint16_t)(1u << file);
        row[taken] |= (uint16_t)(1u << file);
    }
}

bool qp_track_threat(const qp_track *track, qp_side side)
{
    enum { NEXT = 16 };
    const unsigned enemy = QP_PIECE(QP_OTHER(side), 0);
    const qp_track_king *king = &track->king[side];
    const uint16_t *column = &track->column[0][0] + king->column;
    const uint16_t *row = &track->column[0][0] + king->row;
    const uint16_t *pawns = column + (enemy | QP_PAWN);
    const uint16_t *horses = column + (enemy | QP_HORSE);
    unsigned here = king->here, file = king->column / NEXT - QP_TRACK_MARGIN;
    unsigned rooks = (unsigned)column[enemy | QP_ROOK] | column[enemy | QP_KING];
    unsigned cannons = column[enemy | QP_CANNON];
    /* Mostly one of the lines, or a horse, is what is to be looked at. */
    if ((rooks | cannons) && qp_line_threat(column[QP_TRACK_ALL], here, rooks, cannons))
        return true;
    rooks = row[enemy | QP_ROOK];
    cannons = row[enemy | QP_CANNON];
    if ((rooks | cannons) &&
        qp_line_threat(row[QP_TRACK_ALL], 1u << file, rooks, cannons))
        return true;
    if ((((unsigned)pawns[-NEXT] | pawns[NEXT]) & here) || (pawns[0] & king->next))
        return true;
    if (!(((unsigned)horses[-2 * NEXT] | horses[-NEXT] | horses[NEXT] |
           horses[2 * NEXT]) &
          king->near))
        return false;
    /* A horse has its leg beside it, on its way: aslant of the king. */
    for (int aside = -NEXT; aside <= NEXT; aside += 2 * NEXT) {
        unsigned legs = column[aside + QP_TRACK_ALL];
        for (int up = 0; up < 2; up++) {
            unsigned leg = up ? here << 1 : here >> 1, two = up ? here << 2 : here >> 2;
            if (!(legs & leg) && ((horses[aside] & two) || (horses[2 * aside] & leg)))
                return true;
        }
    }
    return false;
}

void qp_step_back(qp_track *track, qp_board *board, qp_move move, qp_undo *undo)
{
    qp_track_undo(track, move, board->at[QP_TO(move)], undo->taken);
    qp_rules_undo(board, move, undo);
}

/* Whether the piece goes so from a square of that file on some rank. */
static bool reaches(qp_piece piece, int file, int rank, int aside, int rise, unsigned way)
{
    if ((unsigned)(file + aside) > 8 || (unsigned)(rank + rise) > 9)
        return false;
    if (way & QP_LINE)
        return true;
    return (qp_zones[QP_SQUARE(file + aside, rank + rise)] & qp_zones_of[piece]) ||
           (QP_PIECE_KIND(piece) == QP_PAWN && way != QP_ASIDE);
}

unsigned qp_stride_only(const qp_track *track, const qp_board *board, const qp_stride *stride,
                        qp_side side)
{
    unsigned bits = (&track->column[0][0])[stride->from + stride->piece] & stride->ranks, only = 0;
    for (; bits != 0; bits &= bits - 1) {
        unsigned rank = qp_lowest_bit(bits);
        unsigned to = rank * 9 + stride->file + (unsigned)stride->reach;
        if (!qp_step_free(stride->piece == QP_PIECE(side, QP_CANNON), board->at[to],
                          qp_stride_between(track, stride, rank), side))
            continue;
        if (only != 0)
            return 0;
        only = 1u << rank;
    }
    return only;
}

void qp_stride_make(qp_stride *stride, qp_piece piece, int file, int aside, int rise)
{
    *stride = (qp_stride){
        .from = (uint16_t)qp_track_column((unsigned)file),
        .to = (uint16_t)qp_track_column((unsigned)(file + aside)),
        .from_bit = (uint16_t)(1u << file),
        .to_bit = (uint16_t)(1u << (file + aside)),
        .piece = piece,
        .file = (uint8_t)file,
        .rise = (int8_t)rise,
        .reach = (int8_t)(rise * 9 + aside),
    };
    unsigned way = qp_ways[rise * 17 + aside + QP_STEPS_MIDDLE] & qp_ways_of[piece];
    if (way == 0)
        return;
    for (int rank = 0; rank < 10; rank++)
        if (reaches(piece, file, rank, aside, rise, way))
            stride->ranks |= (uint16_t)(1u << rank);
    int line = file;
    if (way & QP_ON_RANK) {
        int low = aside < 0 ? file + aside : file, high = aside < 0 ? file : file + aside;
        stride->between = ((1u << high) - (2u << low)) << QP_STRIDE_UNIT;
        stride->line = (uint16_t)(qp_track_row(0) + QP_TRACK_ALL);
        stride->on_rank = 0xFF;
    } else if (way & QP_ON_FILE) {
        int length = rise < 0 ? -rise : rise, low = rise < 0 ? rise : 0;
        stride->between = ((1u << length) - 2) << (QP_STRIDE_UNIT + low);
        stride->on_file = 15;
    } else if (way & (QP_LEAP | QP_BEND)) { /* the eye or leg, half way */
        stride->between = 1u << (QP_STRIDE_UNIT + rise / 2);
        line = file + aside / 2;
        stride->on_file = 15;
    }
    if (stride->on_rank == 0)
        stride->line = (uint16_t)(qp_track_column((unsigned)line) + QP_TRACK_ALL);
}

#define PLACE(file, rank)                                                                \
    {((file) + QP_TRACK_MARGIN) * 16, QP_TRACK_ROWS + ((rank) + QP_TRACK_MARGIN) * 16,   \
     1u << (file), 1u << (rank)}
#define PLACES(rank)                                                                     \
    PLACE(0, rank), PLACE(1, rank), PLACE(2, rank), PLACE(3, rank), PLACE(4, rank),      \
        PLACE(5, rank), PLACE(6, rank), PLACE(7, rank), PLACE(8, rank)
const qp_track_spot qp_track_spots[QP_SQUARES] = {
    PLACES(0), PLACES(1), PLACES(2), PLACES(3), PLACES(4),
    PLACES(5), PLACES(6), PLACES(7), PLACES(8), PLACES(9),
};
#undef PLACES
#undef PLACE

void qp_pace_make(qp_pace *pace, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    *pace = (qp_pace){.made = 1, .line = qp_track_spots[from].column + QP_TRACK_ALL};
    int file = QP_FILE(from), rank = QP_RANK(from);
    int aside = QP_FILE(to) - file, rise = QP_RANK(to) - rank;
    for (unsigned piece = 1; piece < 16; piece++) {
        unsigned way = qp_ways[step_index(from, to)] & qp_ways_of[piece];
        if (way == 0 || !reaches((qp_piece)piece, file, rank, aside, rise, way))
            continue;
        bool first = pace->pieces == 0;
        pace->pieces |= (uint16_t)(1u << piece);
        if (!first) /* what has to be empty is the same for all that go so */
            continue;
        qp_stride stride;
        qp_stride_make(&stride, (qp_piece)piece, file, aside, rise);
        pace->line = (uint16_t)(stride.line + ((unsigned)rank * 16 & stride.on_rank));
        pace->between = (uint16_t)(stride.between << ((unsigned)rank & stride.on_file) >>
                                   QP_STRIDE_UNIT);
    }
}
