/* Inside the library: the hot path of replay, a step along a track. Written for few branches
 * and no calls; what it refuses may still be a move, for others to say. */
#ifndef QP_RULES_STEP_H
#define QP_RULES_STEP_H

#include "rules/lines.h"
#include "rules/track.h"

/* The squares of a step: their numbers, and where a track has them. */
typedef struct qp_step {
    unsigned from, to;
    unsigned from_column, to_column, from_row, to_row; /* in uint16_t from qp_track.column */
    uint16_t from_bit, to_bit;   /* the files, as bits of rows */
    uint16_t from_rank, to_rank; /* the ranks, as bits of columns */
} qp_step;

/* A track as one row of numbers: columns, then rows. */
#define QP_TRACK_ROWS ((9 + 2 * QP_TRACK_MARGIN) * 16)
_Static_assert(offsetof(qp_track, row) == QP_TRACK_ROWS * sizeof(uint16_t), "no gap");

static QP_INLINE unsigned qp_track_column(unsigned file)
{
    return (file + QP_TRACK_MARGIN) * 16;
}
static QP_INLINE unsigned qp_track_row(unsigned rank)
{
    return QP_TRACK_ROWS + (rank + QP_TRACK_MARGIN) * 16;
}

static QP_INLINE qp_step qp_step_of(unsigned from, unsigned to)
{
    const qp_track_spot *a = &qp_track_spots[from], *b = &qp_track_spots[to];
    return (qp_step){
        .from = from,
        .to = to,
        .from_column = a->column,
        .to_column = b->column,
        .from_row = a->row,
        .to_row = b->row,
        .from_bit = a->bit,
        .to_bit = b->bit,
        .from_rank = a->rank,
        .to_rank = b->rank,
    };
}

/* What a step changes on a track, kings aside. */
static QP_INLINE void qp_step_follow(qp_track *track, const qp_step *s, qp_piece piece,
                                     qp_piece taken)
{
    uint16_t *t = &track->column[0][0];
    uint16_t *from = t + s->from_column, *to = t + s->to_column;
    from[QP_TRACK_ALL] ^= s->from_rank;
    from[piece] ^= s->from_rank;
    to[QP_TRACK_ALL] |= s->to_rank;
    to[piece] ^= s->to_rank;
    to[taken] ^= s->to_rank; /* QP_TRACK_NONE where nothing was */
    from = t + s->from_row;
    to = t + s->to_row;
    from[QP_TRACK_ALL] ^= s->from_bit;
    from[piece] ^= s->from_bit;
    to[QP_TRACK_ALL] |= s->to_bit;
    to[piece] ^= s->to_bit;
    to[taken] ^= s->to_bit;
}

/* The lowest, or the highest, of some bits; 0 of none. */
static QP_INLINE unsigned qp_step_first(unsigned bits, const bool upwards)
{
    if (upwards)
        return bits & (0u - bits);
#if defined(__GNUC__)
    return 1u << 31 >> __builtin_clz(bits << 1 | 1) >> 1;
#else
    while (bits & (bits - 1))
        bits &= bits - 1;
    return bits;
#endif
}

/* Whether, of what stands on a line, the nearest to one side of a place is one of the first,
 * or the next behind it one of the second. */
static QP_INLINE bool qp_line_threat(unsigned all, unsigned here, unsigned first,
                                      unsigned second)
{
    unsigned above = all & ~(here | (here - 1)), below = all & (here - 1);
    unsigned up = qp_step_first(above, true), down = qp_step_first(below, false);
    return ((up | down) & first) != 0 ||
           ((qp_step_first(above ^ up, true) | qp_step_first(below ^ down, false)) & second);
}

/* Whether something may threaten the side's king in its palace, or face it: false is sure,
 * and the usual answer. side is a constant wherever this is called. */
static QP_INLINE bool qp_step_alarm(const qp_track *track, const qp_side side)
{
    enum { NEXT = 16 }; /* from a column to the next */
    const unsigned enemy = QP_PIECE(QP_OTHER(side), 0);
    const bool up = side == QP_RED;
    const qp_track_king *king = &track->king[side];
    const uint16_t *column = &track->column[0][0] + king->column;
    const uint16_t *row = &track->column[0][0] + king->row;
    const uint16_t *horses = column + (enemy | QP_HORSE), *pawns = column + (enemy | QP_PAWN);
    unsigned ahead = king->ahead;
    unsigned rooks = (unsigned)column[enemy | QP_ROOK] | column[enemy | QP_KING];
    unsigned cannons = column[enemy | QP_CANNON];
    unsigned front = column[QP_TRACK_ALL] & ahead;
    unsigned first = qp_step_first(front, up), second = qp_step_first(front ^ first, up);
    unsigned found = (first & rooks) | (second & cannons);
    found |= (rooks | cannons) & ~ahead; /* from behind */
    found |= (unsigned)row[enemy | QP_ROOK] | row[enemy | QP_CANNON];
    found |= ((unsigned)horses[-2 * NEXT] | horses[-NEXT] | horses[NEXT] | horses[2 * NEXT]) &
             king->near;
    found |= ((unsigned)pawns[-NEXT] | pawns[NEXT]) & king->here;
    found |= (unsigned)pawns[0] & king->next;
    return found != 0;
}

/* Whether something does: asked where that was not sure. */
bool qp_track_threat(const qp_track *track, qp_side side);
/* A king that comes to a square of its palace. */
void qp_track_king_at(qp_track *track, qp_side side, unsigned square);
/* Takes a step back that leaves the king in danger. */
void qp_step_back(qp_track *track, qp_board *board, qp_move move, qp_undo *undo);

/* Plays a step that the table of moves allows, by a piece of the side, if the king is safe
 * then: returns the move, or 0 with the board as it was. What the board counts, and its turn,
 * are left alone; undo takes no more back than that. side is a constant. */
static QP_INLINE qp_move qp_step_bare(qp_track *track, qp_board *board, const qp_step *s,
                                      qp_piece piece, qp_undo *undo, const qp_side side)
{
    qp_piece taken = board->at[s->to];
    if (QP_RARE(taken == QP_PIECE(QP_OTHER(side), QP_KING)))
        return 0;
    memcpy(undo->rest, (const char *)board + offsetof(qp_board, side), sizeof undo->rest);
    undo->taken = taken;
    board->at[s->from] = 0;
    board->at[s->to] = piece;
    qp_step_follow(track, s, piece, taken);
    if (QP_RARE(piece == QP_PIECE(side, QP_KING))) {
        board->king[side] = (uint8_t)s->to;
        qp_track_king_at(track, side, s->to);
    }
    if (QP_RARE(qp_step_alarm(track, side)) && qp_track_threat(track, side)) {
        qp_step_back(track, board, QP_MOVE(s->from, s->to), undo);
        return 0;
    }
    return QP_MOVE(s->from, s->to);
}

/* What the board counts, and whose turn it is, behind a step. */
static QP_INLINE void qp_step_count(qp_board *board, qp_piece taken, const qp_side side)
{
    unsigned round = board->round + (unsigned)side, quiet = board->quiet + 1u;
    board->calm = (uint8_t)QP_CALM(side, QP_CALM_ALL);
    board->round = (uint16_t)(round - (round >> 16)); /* both stay at the highest number */
    board->quiet = (uint16_t)((quiet - (quiet >> 16)) & ((taken != 0) - 1u));
    board->side = (uint8_t)QP_OTHER(side);
}

/* Whether a piece that goes so may go, by what it takes and by the bits of what stands where
 * its step needs free squares: one is in the way, but a cannon takes over exactly one. */
static QP_INLINE bool qp_step_free(bool cannon, qp_piece taken, unsigned between,
                                   const qp_side side)
{
    unsigned own = side == QP_RED ? (unsigned)taken - 1 < 7 : taken > 8;
    unsigned over = cannon & (taken != 0);
    return (own | ((between != 0) ^ over) | (between & (between - 1))) == 0;
}

/* What has to be empty where a piece on a rank makes a stride, as far as something is there. */
static QP_INLINE unsigned qp_stride_between(const qp_track *track, const qp_stride *stride,
                                            unsigned rank)
{
    return (&track->column[0][0])[stride->line + (rank * 16 & stride->on_rank)] &
           (stride->between << (rank & stride->on_file) >> QP_STRIDE_UNIT);
}

/* Of several pieces on the file of a stride the rank, as a bit, of the only one that can make
 * it, as far as the king's safety goes for nothing; 0: none can, or several. */
unsigned qp_stride_only(const qp_track *track, const qp_board *board, const qp_stride *stride,
                        qp_side side);

/* Plays a step of a stride of the side whose turn it is, as qp_step_bare does, if exactly one
 * such piece on the file can make it and it is legal; returns the move, or 0 for all else. side
 * is that constant. */
static QP_INLINE qp_move qp_step_stride(qp_track *track, qp_board *board, const qp_stride *stride,
                                        qp_undo *undo, const qp_side side)
{
    const uint16_t *t = &track->column[0][0];
    qp_piece piece = stride->piece;
    unsigned bits = t[stride->from + piece];
    if (QP_RARE((bits & (bits - 1)) != 0))
        bits = qp_stride_only(track, board, stride, side);
    if (QP_RARE((bits & stride->ranks) == 0))
        return 0;
    unsigned rank = qp_lowest_bit(bits), to_rank = rank + (unsigned)stride->rise;
    unsigned from = rank * 9 + stride->file, to = from + (unsigned)stride->reach;
    if (QP_RARE(!qp_step_free(piece == QP_PIECE(side, QP_CANNON), board->at[to],
                              qp_stride_between(track, stride, rank), side)))
        return 0;
    const qp_step s = {
        .from = from,
        .to = to,
        .from_column = stride->from,
        .to_column = stride->to,
        .from_row = qp_track_row(rank),
        .to_row = qp_track_row(to_rank),
        .from_bit = stride->from_bit,
        .to_bit = stride->to_bit,
        .from_rank = (uint16_t)bits,
        .to_rank = (uint16_t)(1u << to_rank),
    };
    return qp_step_bare(track, board, &s, piece, undo, side);
}

/* The same of a pace, which is that of the move. */
static QP_INLINE qp_move qp_step_pace(qp_track *track, qp_board *board, const qp_pace *pace,
                                      qp_move move, qp_undo *undo, const qp_side side)
{
    const qp_step s = qp_step_of(QP_FROM(move), QP_TO(move));
    qp_piece piece = board->at[s.from];
    unsigned own_pieces = pace->pieces & (side == QP_RED ? 0x00FFu : 0xFF00u);
    if (QP_RARE(!(own_pieces >> piece & 1)))
        return 0;
    unsigned between = (&track->column[0][0])[pace->line] & pace->between;
    if (QP_RARE(!qp_step_free(piece == QP_PIECE(side, QP_CANNON), board->at[s.to], between,
                              side)))
        return 0;
    return qp_step_bare(track, board, &s, piece, undo, side);
}

#endif
