/* Repetition in a line of moves: keys of its positions, how often each comes up, and
 * loops of the very same plies. Source: the Chinese rules of 1999, where moves that
 * repeat "in a cycle" are judged, and a club digest that counts the passes. */
#include "config.h"

#include "check/ruling.h"

/* Positions by key: open addressing, 0 is an empty slot, else a position's number plus 1.
 * With it the arrays of a run, which a function that writes to a board can keep at hand.
 */
typedef struct places {
    void *slots; /* numbers of 16 bits, or of 32 (wide) where a line is longer */
    uint32_t mask;
    uint64_t *keys;
    uint32_t *first, *times, *nth;
} places;

/* Enters position i of a stretch that begins at from, and notes how often its most
 * frequent one came up. */
static QP_INLINE void enter(const places p, uint64_t key, uint32_t i, uint32_t from,
                            uint32_t *most, const bool wide)
{
    uint32_t *slots = p.slots;
    uint16_t *narrow = p.slots;
    uint32_t at = (uint32_t)(key >> 32) & p.mask;
    p.keys[i] = key;
    for (uint32_t slot; QP_RARE((slot = wide ? slots[at] : narrow[at]) != 0);
         at = (at + 1) & p.mask) {
        uint32_t known = slot - 1;
        if (known >= from && p.keys[known] == key) {
            p.first[i] = known;
            p.nth[i] = ++p.times[known];
            *most = p.nth[i] > *most ? p.nth[i] : *most;
            return;
        }
    }
    if (wide)
        slots[at] = i + 1;
    else
        narrow[at] = (uint16_t)(i + 1);
    p.first[i] = i;
    p.times[i] = p.nth[i] = 1;
}

/* The moves of a line of nodes, at most plies of them; returns how many there are. */
static uint32_t take_moves(qp_move *moves, const qp_node *node, uint32_t plies)
{
    uint32_t i = 0;
    for (; i < plies && node != NULL; i++, node = node->next)
        moves[i] = node->move;
    return i;
}

static void end_stretch(qp_run *run, uint32_t *count, qp_stretch *stretch)
{
    run->most = stretch->most > run->most ? stretch->most : run->most;
    run->stretches[(*count)++] = *stretch;
    *stretch = (qp_stretch){.from = stretch->to + 1, .most = 1};
}

static QP_INLINE void read_moves(qp_run *run, const places p, const bool wide)
{
    qp_piece at[QP_SQUARES];
    const qp_move *moves = run->moves;
    const uint32_t plies = run->plies;
    memcpy(at, run->start->at, sizeof at);
    /* Keys are of what differs from the start, and of whose turn it is. */
    uint64_t key = 0, turn = 0;
    qp_stretch stretch = {.most = 1};
    uint32_t stretches = 0;
    for (uint32_t i = 0;; i++, turn = ~turn) {
        enter(p, key ^ turn, i, stretch.from, &stretch.most, wide);
        if (i == plies)
            break;
        unsigned from = QP_FROM(moves[i]), to = QP_TO(moves[i]);
        qp_piece piece = at[from], taken = at[to];
        key += qp_piece_numbers[piece & 15] *
               (qp_square_numbers[to] - qp_square_numbers[from]);
        at[from] = 0;
        at[to] = piece;
        if (QP_LIKELY_TO(taken == 0))
            continue;
        key -= qp_piece_numbers[taken & 15] * qp_square_numbers[to];
        if (stretches + 1 == QP_COUNT(run->stretches)) /* more than there are men */
            continue;
        stretch.to = i;
        end_stretch(run, &stretches, &stretch);
    }
    stretch.to = plies;
    end_stretch(run, &stretches, &stretch);
    run->stretch_count = stretches;
}

bool qp_run_read(qp_run *run, qp_arena *arena, const qp_board *start,
                 const qp_node *first, const qp_move *moves, uint32_t plies)
{
    size_t count = (size_t)plies + 1;
    const bool wide = count > UINT16_MAX;
    uint32_t mask = 15;
    /* Usual lines get so many slots that most positions find theirs empty. */
    while (mask < (count < 1000 ? 8 : 2) * count)
        mask = mask * 2 + 1;
    const places p = {
        .slots = qp_arena_zero(arena, (mask + (size_t)1) *
                                          (wide ? sizeof(uint32_t) : sizeof(uint16_t))),
        .mask = mask,
        .keys = qp_arena_alloc(arena, count * sizeof *p.keys),
        .first = qp_arena_alloc(arena, count * sizeof *p.first),
        .times = qp_arena_alloc(arena, count * sizeof *p.times),
        .nth = qp_arena_alloc(arena, count * sizeof *p.nth),
    };
    qp_move *of_nodes =
        moves == NULL ? qp_arena_alloc(arena, count * sizeof *moves) : NULL;
    if (p.slots == NULL || p.keys == NULL || p.first == NULL || p.times == NULL ||
        p.nth == NULL || (moves == NULL && of_nodes == NULL))
        return false;
    if (moves == NULL) {
        plies = take_moves(of_nodes, first, plies);
        moves = of_nodes;
    }
    run->start = start;
    run->moves = moves;
    run->keys = p.keys;
    run->first = p.first;
    run->times = p.times;
    run->nth = p.nth;
    run->plies = plies;
    run->most = 0;
    if (wide)
        read_moves(run, p, true);
    else
        read_moves(run, p, false);
    return true;
}

void qp_run_board(const qp_run *run, uint32_t ply, qp_board *board)
{
    *board = *run->start;
    qp_rules_play_all(board, run->moves, ply);
}

bool qp_run_stretch(const qp_run *run, qp_stretch *s)
{
    uint32_t next = s->next;
    if (next >= run->stretch_count)
        return false;
    *s = run->stretches[next];
    s->next = next + 1;
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

static inline bool comes_again(const qp_run *run, uint32_t i)
{
    return run->times[run->first[i]] > 1;
}

/* Narrows [*from, *to] to where positions come up again, which is all that loops are made
 * of; false where none does. */
static bool narrow(const qp_run *run, uint32_t *from, uint32_t *to)
{
    uint32_t low = *from, high = *to;
    while (low < high && !comes_again(run, low))
        low++;
    while (low < high && !comes_again(run, high))
        high--;
    *from = low;
    *to = high;
    return low < high;
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
    if (!narrow(run, &from, &to))
        return false;
    for (uint32_t period = 2; period <= longest && period <= to - from; period += 2)
        if (has_period(run, from, to, period))
            try_period(run, from, to, period, cycle);
    return cycle->passes != 0;
}
