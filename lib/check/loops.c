/* Repetition in a line of moves: keys of its positions, how often each comes up, and
 * loops of the very same plies. Source: the Chinese rules of 1999, where moves that
 * repeat "in a cycle" are judged, and a club digest that counts the passes. */
#include "config.h"

#include "check/ruling.h"

/* A number for a piece on a square; sums of them tell positions apart (splitmix64; of
 * numbers that are mixed less, sums of two can coincide). */
static inline uint64_t key_of(qp_piece piece, unsigned square)
{
    uint64_t x = (uint64_t)(piece << 7 | square) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Positions by key: open addressing, 0 is an empty slot, else a position's number plus 1.
 */
typedef struct places {
    uint32_t *slots;
    uint32_t mask;
} places;

/* Enters position i of a stretch that begins at from. */
static inline void enter(qp_run *run, const places *p, uint32_t i, uint32_t from)
{
    uint32_t at = (uint32_t)(run->keys[i] >> 32) & p->mask;
    for (uint32_t slot; (slot = p->slots[at]) != 0; at = (at + 1) & p->mask) {
        uint32_t known = slot - 1;
        if (known >= from && run->keys[known] == run->keys[i]) {
            run->first[i] = known;
            run->nth[i] = ++run->times[known];
            if (run->nth[i] > run->most)
                run->most = run->nth[i];
            return;
        }
    }
    p->slots[at] = i + 1;
    run->first[i] = i;
    run->times[i] = run->nth[i] = 1;
}

bool qp_run_read(qp_run *run, qp_arena *arena, const qp_board *start,
                 const qp_node *first, uint32_t plies)
{
    qp_piece at[QP_SQUARES];
    places p = {.mask = 15};
    uint32_t from = 0;
    size_t count = (size_t)plies + 1;
    while (p.mask < 2 * count)
        p.mask = p.mask * 2 + 1;
    *run = (qp_run){.start = start, .plies = plies, .most = 1};
    run->keys = qp_arena_alloc(arena, count * sizeof *run->keys);
    run->first = qp_arena_alloc(arena, count * sizeof *run->first);
    run->times = qp_arena_alloc(arena, count * sizeof *run->times);
    run->nth = qp_arena_alloc(arena, count * sizeof *run->nth);
    run->since = qp_arena_alloc(arena, count * sizeof *run->since);
    run->moves = qp_arena_alloc(arena, count * sizeof *run->moves);
    p.slots = qp_arena_zero(arena, (p.mask + (size_t)1) * sizeof *p.slots);
    if (run->keys == NULL || run->first == NULL || run->times == NULL ||
        run->nth == NULL || run->since == NULL || run->moves == NULL || p.slots == NULL)
        return false;
    memcpy(at, start->at, sizeof at);
    uint64_t key = 0;
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (at[square] != 0)
            key += key_of(at[square], square);
    const qp_node *node = first;
    for (uint32_t i = 0;; i++, node = node->next) {
        run->keys[i] = i & 1 ? ~key : key;
        run->since[i] = from;
        enter(run, &p, i, from);
        if (i == plies || node == NULL) {
            run->plies = i;
            break;
        }
        unsigned move_from = QP_FROM(node->move), move_to = QP_TO(node->move);
        qp_piece piece = at[move_from], taken = at[move_to];
        run->moves[i] = node->move;
        key += key_of(piece, move_to) - key_of(piece, move_from);
        at[move_from] = 0;
        at[move_to] = piece;
        if (taken != 0) {
            key -= key_of(taken, move_to);
            from = i + 1;
        }
    }
    return true;
}

void qp_run_board(const qp_run *run, uint32_t ply, qp_board *board)
{
    *board = *run->start;
    qp_rules_play_all(board, run->moves, ply);
}

bool qp_run_stretch(const qp_run *run, qp_stretch *s)
{
    if (s->begun && s->to == run->plies)
        return false;
    uint32_t from = s->begun ? s->to + 1 : 0, to = from;
    *s = (qp_stretch){.from = from, .most = 1, .begun = true};
    for (; to <= run->plies && run->since[to] == from; to++)
        s->most = run->nth[to] > s->most ? run->nth[to] : s->most;
    s->to = to - 1;
    return true;
}

/* Whether some position comes up again after so many plies. */
static bool has_period(const qp_run *run, uint32_t from, uint32_t to, uint32_t period)
{
    const uint64_t *keys = run->keys;
    for (uint32_t i = from; i + period <= to; i++)
        if (keys[i] == keys[i + period])
            return true;
    return false;
}

/* Whether some position comes up again at all. */
static bool has_any(const qp_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to; i++)
        if (run->nth[i] > 1)
            return true;
    return false;
}

/* The best loop of one period. Walks back, so that the plies that go on as they did a
 * period before are counted along. */
static void try_period(const qp_run *run, uint32_t from, uint32_t to, uint32_t period,
                       qp_cycle *best)
{
    uint32_t same = 0; /* plies from i on that equal those a period later */
    for (uint32_t i = to - period + 1; i-- > from;) {
        same = i + period < to && run->moves[i] == run->moves[i + period] ? same + 1 : 0;
        if (run->keys[i] != run->keys[i + period])
            continue;
        uint32_t passes = 1 + same / period;
        if (passes == 1 && period > QP_PERIOD_ONCE)
            continue;
        if (passes > best->passes || (passes == best->passes && period == best->period))
            *best = (qp_cycle){i, period, passes, i + period + same};
    }
}

bool qp_run_cycle(const qp_run *run, uint32_t from, uint32_t to, qp_cycle *cycle)
{
    enum { PLIES_TRIED = 1 << 23 };
    uint32_t longest = QP_PERIOD_MAX, plies = to - from;
    *cycle = (qp_cycle){0};
    if (plies > PLIES_TRIED / QP_PERIOD_MAX)
        longest = PLIES_TRIED / plies;
    if (longest < QP_PERIOD_ONCE)
        longest = QP_PERIOD_ONCE;
    if (!has_any(run, from, to))
        return false;
    for (uint32_t period = 2; period <= longest && period <= plies; period += 2)
        if (has_period(run, from, to, period))
            try_period(run, from, to, period, cycle);
    return cycle->passes != 0;
}
