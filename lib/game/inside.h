/* What the files of the replay share. */
#ifndef QP_GAME_INSIDE_H
#define QP_GAME_INSIDE_H

#include "game/game.h"

/* Resolved plies of looking ahead in all of a game: hostile records ask without end. */
#define QP_LOOK_GAME (1u << 21)

/* The one of several moves that can be made on a board which the moves behind event index
 * decide for, or 0. *left: of QP_LOOK_GAME; it is used up. */
qp_move qp_look_ahead(const qp_record *record, const qp_board *board, qp_base base,
                      size_t index, const qp_move *moves, size_t count, unsigned *left);

/* Gives the start position's turn where the record does not say whose it is. */
void qp_start_side(qp_record *record);
/* How the ranks of the record's coordinates count. */
qp_base qp_start_base(const qp_record *record);

#endif
