/* Inside the check floor: which pieces threaten to win which, and what an exchange
 * brings. */
#ifndef QP_CHASE_H
#define QP_CHASE_H

#include "check/check.h"
#include "rules/field.h"

/* Won minus lost. Rook 2 strong; horse, cannon 1 strong; advisor, elephant 1 weak; pawn
 * across the river 1 pawn; king and other pawns nothing. */
typedef struct qp_gain {
    int strong, weak, pawns;
} qp_gain;

qp_gain qp_gain_add(qp_gain a, qp_gain b);
qp_gain qp_gain_sub(qp_gain a, qp_gain b);
/* Whether it is one by the rules; UNKNOWN where they give no measure. */
qp_answer qp_gain_judge(qp_gain gain);
qp_gain qp_piece_gain(qp_piece piece, unsigned square);

/* How a threat is looked for. */
typedef struct qp_seeking {
    qp_chase_model model;
    bool pawns;     /* they attack like other pieces */
    uint32_t nodes; /* work left */
    bool spent;     /* a part of it came to its end */
    qp_memo *memo;
    unsigned doubts;
} qp_seeking;

/* What a capture by the side to move brings on its square, when both sides may then
 * capture there on and stop where they like. The capture need not be legal. */
qp_gain qp_exchange(qp_field *field, qp_move capture, qp_seeking *seeking);
/* Whether that, with what was won before, is a gain that the next ply does not answer by
 * mate or stalemate. */
qp_answer qp_capture_wins(qp_field *field, qp_move capture, qp_gain before,
                          qp_seeking *seeking);

/* A capture that wins something, or in the direct model one that the rules call a chase.
 */
typedef struct qp_threat {
    uint8_t from, to;
    uint8_t answer; /* qp_answer: YES or UNKNOWN */
} qp_threat;
#define QP_THREATS_MAX 512

/* The threats of the side to move. Where it is in check, captures count that only the
 * check forbids. */
size_t qp_threats(qp_field *field, qp_seeking *seeking,
                  qp_threat threats[QP_THREATS_MAX]);
/* Whether the side to move, not in check, can win something by at most so many checks in
 * a row and then a capture. */
qp_answer qp_wins_by_checks(qp_field *field, unsigned checks, qp_seeking *seeking);
/* Whether captures alone, four plies deep, win something for the side to move. */
bool qp_captures_win(qp_field *field, qp_seeking *seeking);
/* Whether a rook, were it not there, would let an enemy horse take its king. */
bool qp_pinned_by_horse(const qp_board *board, unsigned square);

#endif
