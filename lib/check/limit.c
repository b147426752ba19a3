/* The natural move limit (自然限着): plies without a capture, of the claimant's checks so
 * many as the ruleset counts. Source: Chinese rules of 1999, 23.3; for engine-3fold the
 * source text of one engine, which leaves the answers to checks that do not count out as
 * well. */
#include "config.h"

#include "check/ruling.h"

typedef struct tally {
    uint32_t plies[2], checks[2];
} tally;

static uint32_t excess(uint32_t checks, const qp_ruleset *rules)
{
    return checks > rules->limit_checks ? checks - rules->limit_checks : 0;
}

static uint32_t valid(const tally *t, const qp_ruleset *rules, qp_side side)
{
    return t->plies[side] - excess(t->checks[side], rules);
}

static bool claims(const tally *t, const qp_ruleset *rules, qp_side side)
{
    return valid(t, rules, side) >= rules->limit_rounds &&
           t->plies[QP_OTHER(side)] >= rules->limit_rounds;
}

void qp_limit_judge(const qp_run *run, const qp_ruleset *rules, const qp_stretch *stretch,
                    qp_limit_count *limit)
{
    qp_board board;
    uint32_t from = stretch->from, to = stretch->to;
    uint32_t before = from == 0 ? run->start->quiet : 0;
    tally known = {{0}, {0}}, best, worst; /* best: none of the plies before checks */
    qp_run_board(run, from, &board);
    known.plies[board.side] = before / 2;
    known.plies[QP_OTHER(board.side)] = before - before / 2;
    best = worst = known;
    worst.checks[QP_RED] = worst.plies[QP_RED];
    worst.checks[QP_BLACK] = worst.plies[QP_BLACK];
    *limit = (qp_limit_count){.start_ply = from, .end_ply = to};
    bool claimed[2] = {false, false}, answers = false;
    uint32_t counted[2] = {known.plies[0], known.plies[1]}; /* as engines count */
    for (uint32_t i = from;; i++) {
        bool check = i > from && qp_board_in_check(&board, (qp_side)board.side);
        if (i > from) {
            qp_side mover = QP_OTHER(board.side);
            best.plies[mover]++;
            worst.plies[mover]++;
            best.checks[mover] += check;
            worst.checks[mover] += check;
            bool over = check && best.checks[mover] > rules->limit_checks;
            counted[mover] += !over && !answers;
            answers = over;
        }
        for (int side = QP_RED; side <= QP_BLACK; side++)
            if (!claimed[side] &&
                (rules->limit_ends ? counted[0] + counted[1] >= 2u * rules->limit_rounds
                                   : claims(&best, rules, (qp_side)side))) {
                limit->claim_ply[side] = i;
                claimed[side] = limit->reached = true;
            }
        if (i == to)
            break;
        qp_board_play(&board, run->moves[i]);
    }
    limit->since_capture = before + to - from;
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        bool claim = claims(&best, rules, (qp_side)side);
        limit->plies[side] = best.plies[side];
        limit->checks[side] = best.checks[side];
        limit->counted[side] =
            rules->limit_ends ? counted[side] : valid(&best, rules, (qp_side)side);
        limit->can_claim[side] = rules->limit_ends ? limit->reached : claim;
        limit->uncertain |= claim != claims(&worst, rules, (qp_side)side);
    }
    limit->draw_by_count = limit->can_claim[QP_RED] && limit->can_claim[QP_BLACK] &&
                           qp_board_end(&board) == QP_END_NONE;
}
