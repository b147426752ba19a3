/* A search at work: how far a game is read with the fixes made so far, what waits to be
 * read on, and the games found. See repair.c. */
#ifndef QP_STATES_H
#define QP_STATES_H

#include "check/repair.h"

typedef struct qp_state {
    qp_board board;
    uint64_t hash;
    int32_t fix;
    uint32_t clue;                   /* the first that is not read */
    uint32_t plies, cost, first_ply; /* first_ply: of the first fix */
    int32_t offset;                  /* plies played beyond what the numbers say */
    uint16_t dress, fixes;
    bool numbered;
    bool uncounted; /* a round was taken out: the next number may count it or not */
} qp_state;

typedef struct qp_search {
    const qp_clues *clues;
    qp_search_result *result;
    qp_base base;
    qp_state *heap; /* by key */
    size_t heap_count, heap_room;
    qp_state *places; /* the state before each clue where a fix can be made */
    size_t place_count;
    uint32_t bound; /* dearer games are of no interest */
    uint32_t work;  /* clues read */
    const qp_move *against;
    size_t against_count;
    bool failed, cut; /* cut: something was left out */
} qp_search;

enum { QP_WORK_MAX = 3000000 /* clues read in one search */ };

/* ---- states.c ---- */

typedef enum qp_outcome { QP_ENDED, QP_STUCK, QP_BRANCHED, QP_DEAR } qp_outcome;
/* Reads on as the clues stand. places: keeps the state before each clue. */
qp_outcome qp_state_run(qp_search *s, qp_state *n, bool places);
/* Plays a legal move; what a round number costs, and a move in the other side's dress. */
void qp_state_play(qp_state *n, qp_move move);
void qp_state_number(qp_state *n, const qp_clue *clue);
void qp_state_dress(const qp_search *s, qp_state *n, const qp_clue *clue);
/* Runs a state that has just got a fix; keeps it where it explains all or may be mended.
 */
void qp_state_try(qp_search *s, qp_state *n);
/* A game that explains all clues. */
void qp_state_told(qp_search *s, const qp_state *n);
/* Takes the one to be read on next of those that wait; there is one. */
qp_state qp_state_next(qp_search *s);
/* The state behind the last fix of another, from which that ran to where it is stuck. */
bool qp_state_after(qp_search *s, const qp_state *n, const qp_state *start,
                    qp_state *state);

/* ---- fixes.c ---- */

/* Tries every fix at one place. here: the reading got stuck at it. */
void qp_fixes_at(qp_search *s, const qp_state *at, bool here);
/* Tries two plies before a place where the numbers leave room for a round. */
void qp_fixes_gap(qp_search *s, const qp_state *at);
/* Tries the moves that a sound token can mean where it means several. */
void qp_fixes_read(qp_search *s, const qp_state *at);

#endif
