/* Inside the check floor: the judge of repetition and of the move limit. Its facts:
 * chapters on repetition of the rulesets in rules/ruleset.c. */
#ifndef QP_RULING_H
#define QP_RULING_H

#include "check/check.h"
#include "rules/field.h"

/* ---- loops.c: a line of moves and its positions by key ---- */

/* Positions [from, to], of which to is the last before a capture or the end. No position
 * comes up again behind it. */
typedef struct qp_stretch {
    uint32_t from, to;
    uint32_t most; /* how often the most frequent position in it comes up */
    uint32_t next; /* the number of the stretch after it */
} qp_stretch;

/* The sound part of a line. Position i stands after i plies, moves[i] leads from it to i
 * + 1. Captures part it into stretches. */
typedef struct qp_run {
    const qp_board *start;
    const qp_move *moves;
    uint64_t *keys;  /* plies + 1 of them; equal where pieces and side to move are */
    uint32_t *first; /* the position where this one came up first */
    uint32_t *times; /* how often, kept at the first */
    uint32_t *nth;   /* which time this was, from 1 */
    uint32_t plies;
    uint32_t stretch_count;
    uint32_t most; /* how often the most frequent position came up */
    qp_stretch stretches[QP_SQUARES];
} qp_run;

/* Reads plies moves of a line, from the array where it is not NULL, which must stay as it is,
 * else from nodes. false: memory ran out, and *run says nothing. */
bool qp_run_read(qp_run *run, qp_arena *arena, const qp_board *start,
                 const qp_node *first, const qp_move *moves, uint32_t plies);
void qp_run_board(const qp_run *run, uint32_t ply, qp_board *board);

/* The first stretch of a run into {0}, then the one after it; false at the end. */
bool qp_run_stretch(const qp_run *run, qp_stretch *stretch);

#define QP_NO_PLY UINT32_MAX

/* Plies start + 1 to start + period lead back to the position they start from, and are
 * played passes times in a row, and then the first of them up to ply end. */
typedef struct qp_cycle {
    uint32_t start, period, passes, end;
} qp_cycle;

/* Longer loops are not looked for, in a very long line not even these; and of those above
 * the second bound none that is passed only once. */
#define QP_PERIOD_MAX 256
#define QP_PERIOD_ONCE 24

/* The loop among positions [from, to] with most passes, then the shortest period, then
 * the earliest start; false where there is none. */
bool qp_run_cycle(const qp_run *run, uint32_t from, uint32_t to, qp_cycle *cycle);

/* ---- classes.c ---- */

/* The work that a loop may cost, of it one ply's searches, and what each ply costs beside
 * them; a unit takes about a tenth of a microsecond. Usual loops cost some hundreds. */
#define QP_JUDGE_NODES 8000
#define QP_JUDGE_PLY_NODES 4000
#define QP_JUDGE_PLY_COST 25

/* Such work, counted down. Where it is counted roughly it is never less than it would be
 * otherwise; what was found then stands unless it was all spent. */
typedef struct qp_budget {
    uint32_t nodes;
    bool roughly, spent;
} qp_budget;

/* What a pass of a loop is, ply by ply. */
typedef struct qp_pass {
    const qp_run *run;
    uint32_t start, period;
    qp_loop_ply *plies; /* period of them */
    qp_memo *memo;      /* of all passes of a loop; may be NULL */
    uint8_t *kills;     /* qp_answer of each ply; not NULL before: known from another reading */
    unsigned doubts;
    bool cut; /* plies are missing, or were not looked at: the work was used up */
    unsigned levels[2]; /* by side, of the direct model: 3 checks for ever, 2 chases a
                           rook that a horse pins, 1 chases one piece, 0 all else */
} qp_pass;

/* Classifies the plies of one pass. pawns: they attack like other pieces. false: memory ran
 * out. */
bool qp_pass_classify(qp_pass *pass, qp_arena *arena, const qp_ruleset *rules, bool pawns,
                      qp_budget *budget);

/* ---- verdict.c ---- */

/* Judges a cycle, and where mixed is not 0 instead the plies between the occurrences of a
 * position: cycle->start is its first, mixed how many there are, and cycle->end the last.
 * nodes is the work it may cost. Lends the loop; NULL once memory ran out. */
qp_loop *qp_loop_judge(const qp_run *run, qp_arena *arena, const qp_ruleset *rules,
                       const qp_cycle *cycle, uint32_t mixed, uint32_t nodes);

/* ---- ruling.c ---- */

/* Judges the game: reports what came up thrice and a limit that was reached. tendencies: as in
 * qp_check_options. NULL once memory ran out. */
const qp_judgement *qp_judge(qp_checking *checking, const qp_ruleset *rules, bool tendencies);

/* ---- limit.c ---- */

/* Counts a stretch against the limit; what the start position says of plies without a
 * capture counts with the first. */
void qp_limit_judge(const qp_run *run, const qp_ruleset *rules, const qp_stretch *stretch,
                    qp_limit_count *limit);

#endif
