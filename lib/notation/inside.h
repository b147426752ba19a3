/* What only the notation floor sees of itself: the context, the dialects as spellers and as
 * one lexer, and the search of resolve.c that why.c runs again to find out what went wrong. */
#ifndef QP_NOTATION_INSIDE_H
#define QP_NOTATION_INSIDE_H

#include "notation/notation.h"

/* ---- resolve ---- */

enum { QP_RESOLVE_MAX = 8 };

typedef struct qp_search qp_search;
struct qp_search {
    const qp_board *board;
    qp_side side; /* whose pieces are meant */
    qp_way way;
    unsigned arg;
    bool wxf;
    unsigned pick;
    qp_move *moves;
    size_t count;
    /* If set, called instead for each piece that the words pick out; to is QP_NO_SQUARE
     * where they lead nowhere. */
    void (*trouble)(qp_search *search, qp_kind kind, qp_square from, qp_square to);
};
/* Collects what a written move of names and numbers (not COORD or SQUARES) can mean. */
void qp_search_run(qp_search *search, const qp_written *written);
/* Where the piece on a square goes by way and arg; QP_NO_SQUARE for nowhere. */
qp_square qp_goal(qp_side side, qp_kind kind, qp_square from, qp_way way, unsigned arg);

#endif
