/* Repetition in a line of moves: keys of its positions, how often each comes up, and
 * loops of the very same plies. Source: the Chinese rules of 1999, where moves that
 * repeat "in a cycle" are judged, and a club digest that counts the passes. */
#include "config.h"

#include "check/ruling.h"

/* A number for a piece on a square; sums of them tell positions apart (splitmix64). */
static inline uint64_t key_of(qp_piece piece, unsigned square)
{
    uint64_t x = (uint64_t)(piece << 7 | square) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Whether a position came up three times in the plies that end in last without a capture.
 * at: the board then. Keys count from there, so that walking back needs no board before.
 */
static QP_APART bool thrice(const qp_piece at_end[QP_SQUARES], const qp_node *last,
                            uint32_t plies)
{
    enum { PLIES_MAX = 512 };
    uint64_t keys[PLIES_MAX + 1] = {0};
    qp_piece at[QP_SQUARES];
    if (plies > PLIES_MAX)
        return true;
    memcpy(at, at_end, sizeof at);
    for (uint32_t i = 1; i <= plies; i++, last = last->prev) {
        unsigned from = QP_FROM(last->move), to = QP_TO(last->move), seen = 1;
        qp_piece piece = at[to];
        at[to] = 0;
        at[from] = piece;
        keys[i] = keys[i - 1] + key_of(piece, from) - key_of(piece, to);
        for (uint32_t back = 4; back <= i; back += 2)
            if (keys[i - back] == keys[i] && ++seen == 3)
                return true;
    }
    return false;
}

/* A position only comes up again where each side's last ply puts a piece on a square that
 * a like piece has left since the last capture. Few stretches have two such plies of each
 * side, as a third occurrence needs, so few are looked into. Whether a ply captures is
 * what a processor cannot foresee, so nothing but that branches on it. */
qp_glance qp_run_glance(const qp_board *start, const qp_node *first, uint32_t plies)
{
    uint32_t left[QP_SQUARES] = {
        0}; /* stretch << 16 | pieces that left the square in it */
    uint32_t stretch = 1, since = 0, own = 0, other = 0;
    qp_piece at[QP_SQUARES];
    qp_glance glance = {0, false};
    const qp_node *node = first, *last = NULL;
    memcpy(at, start->at, sizeof at);
    for (uint32_t i = 0; i < plies && node != NULL; i++) {
        unsigned from = QP_FROM(node->move), to = QP_TO(node->move);
        qp_piece piece = at[from];
        uint32_t takes = at[to] != 0, keep = takes - 1;
        if (QP_RARE((since >= 8) & (own >= 2) & (other >= 2) & takes) && !glance.thrice)
            glance.thrice = thrice(at, last, since);
        stretch += takes;
        uint32_t back = (left[to] >> 16 == stretch) & (left[to] >> (piece & 15));
        uint32_t known = left[from] >> 16 == stretch ? left[from] : stretch << 16;
        left[from] = known | 1u << (piece & 15);
        uint32_t returned = (own + back) & keep;
        own = other & keep;
        other = returned;
        since = (since + 1) & keep;
        glance.longest = since > glance.longest ? since : glance.longest;
        at[from] = 0;
        at[to] = piece;
        last = node;
        node = node->next;
    }
    if (since >= 8 && own >= 2 && other >= 2 && !glance.thrice)
        glance.thrice = thrice(at, last, since);
    return glance;
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
    run->moves = qp_arena_alloc(arena, count * sizeof *run->moves);
    p.slots = qp_arena_zero(arena, (p.mask + (size_t)1) * sizeof *p.slots);
    if (run->keys == NULL || run->first == NULL || run->times == NULL ||
        run->nth == NULL || run->moves == NULL || p.slots == NULL)
        return false;
    memcpy(at, start->at, sizeof at);
    uint64_t key = 0;
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (at[square] != 0)
            key += key_of(at[square], square);
    const qp_node *node = first;
    for (uint32_t i = 0;; i++, node = node->next) {
        run->keys[i] = i & 1 ? ~key : key;
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
    for (uint32_t i = 0; i < ply; i++)
        qp_board_play(board, run->moves[i]);
}

bool qp_run_stretch(const qp_run *run, qp_stretch *s)
{
    if (!s->begun) {
        *s = (qp_stretch){.board = *run->start, .begun = true};
    } else {
        if (s->to == run->plies)
            return false;
        s->board = s->last;
        qp_board_play(&s->board, run->moves[s->to]);
        s->from = s->to + 1;
    }
    s->last = s->board;
    for (s->to = s->from; s->to < run->plies; s->to++) {
        if (s->last.at[QP_TO(run->moves[s->to])] != 0)
            break;
        qp_board_play(&s->last, run->moves[s->to]);
    }
    return true;
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
    for (uint32_t period = 2; period <= longest && period <= plies; period += 2)
        try_period(run, from, to, period, cycle);
    return cycle->passes != 0;
}
