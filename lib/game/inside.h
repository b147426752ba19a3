/* What the files of the replay share. */
#ifndef QP_GAME_INSIDE_H
#define QP_GAME_INSIDE_H

#include "game/game.h"

/* Resolved plies of looking ahead in all of a game: hostile records ask without end. */
#define QP_LOOK_GAME (1u << 21)

/* The one of several moves that can be made on a board which the moves behind event index
 * decide for, or 0. *left: of QP_LOOK_GAME; it is used up. *past is set where that took events
 * that an open record does not have yet. */
qp_move qp_look_ahead(const qp_record *record, const qp_board *board, qp_base base,
                      size_t index, const qp_move *moves, size_t count, unsigned *left,
                      bool *past);

/* Text that may be a span of the record, made to stay where that is passed on: a copy, or, of
 * moves, one for all that are alike. */
qp_str qp_keep_text(qp_record *record, qp_str text);

/* The end of a line that breaks off, while it is read: verbatim, in one pass, each byte once.
 * What hangs beside the line's first ply is a line of its own and no part of it. */
typedef struct qp_rest_piece qp_rest_piece;
typedef struct qp_rest {
    qp_node *node; /* the ply that it begins with; NULL: nothing is being kept */
    size_t from;   /* where the piece begins that is not added yet */
    qp_rest_piece *first, *last;
    size_t len; /* of all pieces with a blank behind each */
} qp_rest;
void qp_rest_begin(qp_rest *rest, qp_node *node, size_t at);
/* Adds what stands before at; a caller that leaves something out sets from behind it. */
void qp_rest_pause(qp_rest *rest, qp_record *record, size_t at);
/* The line ends before at: gives the node its rest. Does nothing where none is kept. */
void qp_rest_end(qp_rest *rest, qp_record *record, size_t at);

/* Gives the start position's turn where the record does not say whose it is. */
void qp_start_side(qp_record *record);
/* Whether the events so far are enough to say both of that; they are not if coordinates count
 * from anything but 0. */
bool qp_start_is_seen(const qp_record *record);
/* How the ranks of the record's coordinates count. */
qp_base qp_start_base(const qp_record *record);

#endif
