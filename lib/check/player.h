/* Inside the check floor: how likely a player was to make each move of a position. */
#ifndef QP_PLAYER_H
#define QP_PLAYER_H

#include "check/check.h"

/* What was played just before, 0 for none: the other side's last ply, the mover's, and
 * those before them. took: the last was a capture. */
typedef struct qp_past {
    qp_move other, own, other2, own2;
    bool took;
} qp_past;

/* The past of the next ply. */
static inline qp_past qp_past_after(qp_past past, const qp_board *board, qp_move move)
{
    return (qp_past){move, past.other, past.own, past.other2,
                     board->at[QP_TO(move)] != 0};
}

/* What speaks for a move and against it, one number each; traits.h names them. */
enum { QP_TRAITS = 240, QP_PLAYER_MOVES = 320 };

/* Tells the traits of each legal move. */
typedef void qp_trait_sink(void *user, qp_move move, const int16_t traits[QP_TRAITS]);
void qp_player_traits(const qp_board *board, const qp_past *past, qp_trait_sink *sink,
                      void *user);

/* The legal moves, and for each minus the logarithm of how likely it is, in hundredths.
 * No more than QP_PLAYER_MOVES; a game has no more. */
size_t qp_player_costs(const qp_board *board, const qp_past *past,
                       qp_move moves[QP_PLAYER_MOVES], uint16_t costs[QP_PLAYER_MOVES]);

/* The cost of any one of them. */
int32_t qp_player_any(const int32_t *costs, size_t count);

/* How good a kind stands on a square, in hundredths of a pawn. */
int qp_place_of(qp_kind kind, qp_side side, unsigned square);
/* What a move brings its side when so many plies more are looked at (up to 7), in the
 * same measure; where that is less than least, any number less. What was seen is kept for
 * the next question. */
enum { QP_FORESEEN_MAX = 60000 };
typedef struct qp_foresight qp_foresight;
qp_foresight *qp_foresight_new(void);
void qp_foresight_free(qp_foresight *sight);
int qp_foresee(qp_foresight *sight, const qp_board *board, qp_move move, unsigned depth,
               int least);

#endif
