/* Inside the check floor: which man can take on which square, as bits, so that exchanges
 * are counted without playing them. Pins and pieces behind others are left aside. */
#ifndef QP_SIGHT_H
#define QP_SIGHT_H

#include "check/check.h"

enum { QP_MEN_MAX = 16 };

/* The men of both sides, the cheapest first, so that the lowest bit takes first. */
typedef struct qp_men {
    qp_piece at[QP_SQUARES];
    uint8_t id[QP_SQUARES]; /* of the man there */
    struct {
        uint8_t square, kind;
        int16_t worth; /* hundredths of a pawn */
    } man[2][QP_MEN_MAX];
    uint16_t alive[2];
} qp_men;

/* false: a side has more men than there are in a game. */
bool qp_men_of(qp_men *men, const qp_board *board);
/* Plays a move; returns the man that was taken, or QP_MEN_MAX. */
unsigned qp_men_play(qp_men *men, qp_side side, qp_move move);
void qp_men_unplay(qp_men *men, qp_side side, qp_move move, unsigned taken);

typedef struct qp_sight {
    uint16_t hits[2][QP_SQUARES];  /* who could take there, what stands there aside */
    uint16_t stake[2][QP_SQUARES]; /* whose sight depends on what stands there */
    struct {
        uint8_t reach; /* squares that a man can go to, by the table of moves */
        uint8_t count;
        uint8_t square[18]; /* of its stakes; with 128 added those that it hits */
    } man[2][QP_MEN_MAX];
} qp_sight;

void qp_sight_of(qp_sight *sight, const qp_men *men);
/* The same from the sight before a move that was just played, and the man that it took.
 */
void qp_sight_after(qp_sight *sight, const qp_sight *before, const qp_men *men,
                    qp_side side, qp_move move, unsigned taken);
/* The lowest bit of a set that is not empty. */
static inline unsigned qp_lowest(unsigned bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(bits);
#else
    unsigned id = 0;
    while (!(bits >> id & 1))
        id++;
    return id;
#endif
}
/* What the other side wins by taking the man, both taking there on as long as it pays. */
int qp_sight_loss(const qp_sight *sight, const qp_men *men, qp_side side, unsigned man);
int qp_men_worth(qp_kind kind, qp_side side, int rank);

#endif
