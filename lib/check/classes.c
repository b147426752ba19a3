/* What each ply of a loop does: check, kill, chase or idle, the most severe of them.
 * Source: Chinese rules of 1999, articles 24 to 29; threats of mate and by checks are
 * searched to a bound. */
#include "config.h"

#include "check/chase.h"
#include "check/ruling.h"

/* Like pieces that have changed places after a pass have all come back after so many,
 * unless there are more of them than a set of men has. */
#define PASSES_FOLLOWED 12

/* Threats that are new: those after the ply without those before it, where the ply's own
 * piece stood on its first square. */
typedef struct novelty {
    qp_threat before[QP_THREATS_MAX], after[QP_THREATS_MAX];
    size_t before_count, after_count;
} novelty;

static qp_answer answer_before(const novelty *n, const qp_threat *threat, qp_move ply)
{
    unsigned from = threat->from == QP_TO(ply) ? QP_FROM(ply) : threat->from;
    for (size_t i = 0; i < n->before_count; i++)
        if (n->before[i].from == from && n->before[i].to == threat->to)
            return (qp_answer)n->before[i].answer;
    return QP_NO;
}

/* One ply being classified: the positions before it and after it, both with its side to
 * move. */
typedef struct step {
    qp_field before, after;
    qp_move move;
    qp_side side;
    bool was_in_check, king_moves;
} step;

static void add_pairs(qp_loop_ply *ply, const step *s, const novelty *n, bool certain,
                      qp_arena *arena)
{
    qp_pair *pairs = qp_arena_alloc(arena, (n->after_count + 1) * sizeof *pairs);
    if (pairs == NULL)
        return;
    for (size_t i = 0; i < n->after_count; i++) {
        const qp_threat *t = &n->after[i];
        qp_answer before = answer_before(n, t, s->move);
        bool fresh = certain ? t->answer == QP_YES && before == QP_NO
                             : t->answer == QP_UNKNOWN || before == QP_UNKNOWN;
        if (fresh && before != QP_YES)
            pairs[ply->pair_count++] = (qp_pair){
                s->after.board.at[t->from], s->after.board.at[t->to], t->from, t->to};
    }
    ply->pairs = pairs;
}

/* Fills in the pairs; whether there is a chase for certain, perhaps or not. */
static qp_answer find_pairs(qp_loop_ply *ply, step *s, qp_seeking *seeking,
                            size_t *threats, qp_arena *arena)
{
    novelty n = {.before_count = 0};
    *threats = n.after_count = qp_threats(&s->after, seeking, n.after);
    if (n.after_count == 0)
        return QP_NO;
    n.before_count = qp_threats(&s->before, seeking, n.before);
    add_pairs(ply, s, &n, true, arena);
    if (ply->pair_count != 0)
        return QP_YES;
    add_pairs(ply, s, &n, false, arena);
    return ply->pair_count != 0 ? QP_UNKNOWN : QP_NO;
}

/* Half of the work is kept for what comes after. */
static qp_answer find_kill(step *s, qp_seeking *seeking)
{
    uint32_t half = seeking->nodes / 2, left = half;
    qp_answer kill =
        qp_rules_mate_by_checks(&s->after, QP_JUDGE_KILL_CHECKS, seeking->memo, &left);
    seeking->nodes -= half - left;
    seeking->spent |= left == 0;
    return kill;
}

/* Whether the ply makes it possible to win by checks. Where it was so before, and no
 * check hindered it, it is not new; what cannot be measured may be. */
static qp_answer newly_by_checks(step *s, qp_seeking *seeking)
{
    qp_answer after = qp_wins_by_checks(&s->after, QP_JUDGE_WIN_CHECKS, seeking);
    if (after == QP_NO || s->was_in_check)
        return after;
    return qp_wins_by_checks(&s->before, QP_JUDGE_WIN_CHECKS, seeking) == QP_YES ? QP_NO
                                                                                 : after;
}

static void classify_full(qp_loop_ply *ply, step *s, qp_answer kill, qp_seeking *seeking,
                          unsigned *doubts, qp_arena *arena)
{
    bool evasion = s->was_in_check && s->king_moves;
    size_t threats;
    if (kill == QP_YES) {
        ply->attack = QP_ATTACK_KILL;
        ply->doubtful = evasion;
        *doubts |= evasion ? QP_DOUBT_EVASION : 0;
        return;
    }
    qp_answer chase = find_pairs(ply, s, seeking, &threats, arena);
    qp_answer checks = chase != QP_YES ? newly_by_checks(s, seeking) : QP_NO;
    if (chase != QP_YES && checks == QP_YES) {
        ply->by_checks = true;
        ply->doubtful = evasion;
        *doubts |= evasion ? QP_DOUBT_EVASION : 0;
    } else if (chase != QP_YES) {
        ply->by_checks = chase == QP_NO && checks == QP_UNKNOWN;
        ply->doubtful = chase == QP_UNKNOWN || checks == QP_UNKNOWN;
        *doubts |= ply->doubtful ? QP_DOUBT_VALUE : 0;
        *doubts |= kill == QP_UNKNOWN ? QP_DOUBT_BOUND : 0;
        if (threats == 0 && qp_captures_win(&s->after, seeking))
            *doubts |= QP_DOUBT_EXCHANGE;
    }
    if (chase != QP_NO || ply->by_checks)
        ply->attack = QP_ATTACK_CHASE;
    if (seeking->nodes == 0) { /* what was found may be wrong */
        ply->attack = QP_ATTACK_CHASE;
        ply->doubtful = true;
        *doubts |= QP_DOUBT_BOUND;
    }
}

static void classify_direct(qp_loop_ply *ply, step *s, qp_seeking *seeking,
                            qp_arena *arena)
{
    size_t threats;
    if (find_pairs(ply, s, seeking, &threats, arena) == QP_YES)
        ply->attack = QP_ATTACK_CHASE;
    else if (find_kill(s, seeking) == QP_YES)
        ply->attack = QP_ATTACK_KILL;
}

/* ---- the direct model: one and the same piece ---- */

/* Squares or numbers of pieces, as bits. */
typedef struct set {
    uint64_t low, high;
} set;

static bool set_has(const set *s, unsigned i)
{
    return (i < 64 ? s->low >> i : s->high >> (i - 64)) & 1;
}

static void set_add(set *s, unsigned i)
{
    if (i < 64)
        s->low |= UINT64_C(1) << i;
    else
        s->high |= UINT64_C(1) << (i - 64);
}

/* The numbers of the pieces that a ply chases. numbers: by square, after the ply. */
static set chased(const qp_loop_ply *ply, const uint8_t numbers[QP_SQUARES],
                  const set *squares)
{
    set all = {0, 0};
    for (size_t i = 0; i < ply->pair_count; i++)
        if (squares == NULL || set_has(squares, ply->pairs[i].to))
            set_add(&all, numbers[ply->pairs[i].to]);
    return all;
}

/* Which pieces each side chases on all its plies, followed through the passes until each
 * piece is back on the square where it began. pinned: by ply, the squares of rooks that a
 * horse pins. */
static void find_levels(qp_pass *pass, const set *pinned)
{
    uint8_t numbers[QP_SQUARES], at_start[QP_SQUARES];
    set same[2] = {{~UINT64_C(0), ~UINT64_C(0)}, {~UINT64_C(0), ~UINT64_C(0)}};
    set held[2] = {same[0], same[1]};
    bool checks[2] = {true, true}, chases[2] = {true, true};
    for (unsigned square = 0; square < QP_SQUARES; square++)
        at_start[square] = numbers[square] = (uint8_t)square;
    unsigned walked = 0;
    do {
        for (uint32_t i = 0; i < pass->period; i++) {
            const qp_loop_ply *ply = &pass->plies[i];
            set all, rooks;
            numbers[QP_TO(ply->move)] = numbers[QP_FROM(ply->move)];
            numbers[QP_FROM(ply->move)] = QP_NO_SQUARE;
            checks[ply->side] &= ply->attack == QP_ATTACK_CHECK;
            chases[ply->side] &= ply->attack == QP_ATTACK_CHASE;
            all = chased(ply, numbers, NULL);
            rooks = chased(ply, numbers, &pinned[i]);
            same[ply->side].low &= all.low;
            same[ply->side].high &= all.high;
            held[ply->side].low &= rooks.low;
            held[ply->side].high &= rooks.high;
        }
        /* Empty squares keep the numbers of no piece. */
        for (unsigned square = 0; square < QP_SQUARES; square++)
            if (numbers[square] == QP_NO_SQUARE)
                numbers[square] = (uint8_t)square;
    } while (memcmp(numbers, at_start, sizeof numbers) != 0 &&
             ++walked < PASSES_FOLLOWED);
    if (walked == PASSES_FOLLOWED)
        pass->doubts |= QP_DOUBT_IDENTITY;
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        bool one = chases[side] && (same[side].low | same[side].high) != 0;
        bool rook = chases[side] && (held[side].low | held[side].high) != 0;
        pass->levels[side] = checks[side] ? 3 : rook ? 2 : one ? 1 : 0;
    }
}

static void mark_pinned(set *pinned, const qp_loop_ply *ply, const qp_board *after)
{
    *pinned = (set){0, 0};
    for (size_t i = 0; i < ply->pair_count; i++)
        if (qp_pinned_by_horse(after, ply->pairs[i].to))
            set_add(pinned, ply->pairs[i].to);
}

bool qp_pass_classify(qp_pass *pass, qp_arena *arena, const qp_ruleset *rules, bool pawns,
                      qp_budget *budget)
{
    set *pinned = qp_arena_zero(arena, pass->period * sizeof *pinned);
    bool known = pass->kills != NULL;
    pass->plies = qp_arena_zero(arena, pass->period * sizeof *pass->plies);
    if (!known)
        pass->kills = qp_arena_zero(arena, pass->period);
    if (pinned == NULL || pass->plies == NULL || pass->kills == NULL)
        return false;
    step s;
    qp_board start;
    qp_run_board(pass->run, pass->start, &start);
    qp_field_set(&s.after, &start);
    if (budget->roughly)
        qp_field_count_roughly(&s.after);
    s.after.board.side ^= 1;
    for (uint32_t i = 0; i < pass->period; i++) {
        qp_loop_ply *ply = &pass->plies[i];
        qp_undo undo;
        s.before = s.after;
        s.before.board.side ^= 1;
        s.move = pass->run->moves[pass->start + i];
        s.side = (qp_side)s.before.board.side;
        s.after = s.before;
        qp_field_make_legal(&s.after, s.move, &undo);
        s.after.board.side ^= 1;
        s.was_in_check = qp_field_in_check(&s.before, s.side);
        s.king_moves = QP_PIECE_KIND(s.before.board.at[QP_FROM(s.move)]) == QP_KING;
        *ply = (qp_loop_ply){.ply = pass->start + i + 1, .move = s.move, .side = s.side};
        if (qp_field_in_check(&s.after, QP_OTHER(s.side))) {
            ply->attack = QP_ATTACK_CHECK;
            continue;
        }
        if (budget->nodes < QP_JUDGE_PLY_COST) {
            pass->cut = budget->spent = true;
            ply->doubts |= QP_DOUBT_BOUND;
            pass->doubts |= ply->doubts;
            continue;
        }
        qp_field_learn(&s.before);
        qp_field_learn(&s.after);
        budget->nodes -= QP_JUDGE_PLY_COST;
        uint32_t share =
            budget->nodes < QP_JUDGE_PLY_NODES ? budget->nodes : QP_JUDGE_PLY_NODES;
        qp_seeking seeking = {
            .model = rules->model, .pawns = pawns, .nodes = share, .memo = pass->memo};
        if (rules->model == QP_CHASE_FULL) {
            if (!known)
                pass->kills[i] = (uint8_t)find_kill(&s, &seeking);
            classify_full(ply, &s, (qp_answer)pass->kills[i], &seeking, &ply->doubts,
                          arena);
        } else {
            classify_direct(ply, &s, &seeking, arena);
        }
        budget->nodes -= share - seeking.nodes;
        budget->spent |= seeking.nodes == 0 || seeking.spent;
        mark_pinned(&pinned[i], ply, &s.after.board);
        ply->doubts |= seeking.doubts;
        pass->doubts |= ply->doubts;
    }
    find_levels(pass, pinned);
    return !arena->failed;
}
