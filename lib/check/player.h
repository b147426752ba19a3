/* Inside the check floor: how likely a player was to make each move of a position. */
#ifndef QP_PLAYER_H
#define QP_PLAYER_H

#include "check/check.h"

/* What was played just before: the mover's last ply, and the other side's, 0 for none. took: the
 * latter was a capture. */
typedef struct qp_past {
    qp_move own, other;
    bool took;
} qp_past;

/* What speaks for a move and against it, one number each; traits.h names them. */
enum { QP_TRAITS = 184, QP_PLAYER_MOVES = 320 };

/* Tells the traits of each legal move. */
typedef void qp_trait_sink(void *user, qp_move move, const int16_t traits[QP_TRAITS]);
void qp_player_traits(const qp_board *board, const qp_past *past, qp_trait_sink *sink,
                      void *user);

/* The legal moves, and for each minus the logarithm of how likely it is, in hundredths. No more
 * than QP_PLAYER_MOVES; a game has no more. */
size_t qp_player_costs(const qp_board *board, const qp_past *past,
                       qp_move moves[QP_PLAYER_MOVES], uint16_t costs[QP_PLAYER_MOVES]);

/* How good a kind stands on a square, in hundredths of a pawn. */
int qp_place_of(qp_kind kind, qp_side side, unsigned square);
/* What a move brings its side when so many plies more are looked at, in the same measure. */
int qp_foresee(const qp_board *board, qp_move move, unsigned depth);

#endif
