/* The search for the game that a card is about. Clues are read as they stand until one
 * cannot be; there, and at each place before it (a wrong move may be legal and only its
 * consequence not), every fix is tried: another move, a ply more, one less, two
 * exchanged. What then goes furthest at least cost is tried first, until games are found
 * that explain all; then on until none within QP_MARGIN of the cheapest can be left, or
 * the budget is spent.
 *
 * The costs are those of glyphs (repair.h) and the ones below. They are logarithms of how
 * often such a fault is made, by feel: what a card shows plainly (a gap in its numbers,
 * the same move twice) costs a third of what it does not.
 */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

enum {
    COST_INSERT = 40, /* a missing ply */
    COST_INSIDE = 20, /* … inside a round that has two */
    COST_FILL = 6,    /* one whose place is marked */
    COST_AGAIN = 24,  /* the same move or round twice */
    COST_DELETE = 70, /* any other token too many */
    COST_SWAP = 45,
    COST_IGNORE = 30, /* a blank mark that stands for nothing */
    COST_WORD = 4,    /* to read a word as a move */
    COST_PASS = 40,   /* not to, though it looks like one */
    COST_GAP = 56,    /* a round is missing where the numbers leave one out */
    COST_NUMBER = 40, /* round numbers jump */
    COST_TURN = 48,   /* … by half a round */
    COST_DRESS = 12,  /* a move in the other side's dress; five times at most */
    COST_LATE = 3,    /* the fault shows only later */
    DRESS_MAX = 5,
    READINGS = 4,    /* moves that a sound token can mean and that are tried */

    NODES_MAX = 20000,
    FIXES_MAX = 200000,
    WORK_MAX = 3000000, /* clues read */
    WINDOW = 16,        /* clues that a further fix looks back */
    DEPTH_MAX = QP_FIXES_MAX,     /* fixes in one game */
    PROGRESS = 2,       /* what a clue still to be read counts for */
};

typedef struct node {
    qp_board board;
    uint64_t hash;
    int32_t fix;
    uint32_t clue;                   /* the first that is not read */
    uint32_t plies, cost, first_ply; /* first_ply: of the first fix */
    int32_t offset;                  /* plies played beyond what the numbers say */
    uint16_t dress, fixes;
    bool numbered;
    bool uncounted; /* a round was taken out: the next number may count it or not */
} node;

/* A place where a fix can be made: the state before a clue. */
typedef struct place {
    node state;
} place;

typedef struct search {
    const qp_clues *clues;
    qp_search_result *result;
    qp_base base;
    node *heap; /* by key */
    size_t heap_count, heap_room;
    place *places;
    size_t place_count;
    uint32_t bound; /* dearer games are of no interest */
    uint32_t work;
    const qp_move *against;
    size_t against_count;
    bool failed, cut; /* cut: something was left out */
} search;

/* ---- the heap ---- */

static uint32_t key_of(const search *s, const node *n)
{
    return n->cost + (uint32_t)(s->clues->count - n->clue) * PROGRESS;
}

static void push(search *s, const node *n)
{
    if (s->heap_count == NODES_MAX) {
        s->cut = true;
        return;
    }
    if (s->heap_count == s->heap_room) {
        size_t room = s->heap_room ? s->heap_room * 2 : 64;
        node *grown = realloc(s->heap, room * sizeof *grown);
        if (grown == NULL) {
            s->failed = true;
            return;
        }
        s->heap = grown;
        s->heap_room = room;
    }
    size_t i = s->heap_count++;
    uint32_t key = key_of(s, n);
    for (; i > 0 && key < key_of(s, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = *n;
}

static node pop(search *s)
{
    node top = s->heap[0], last = s->heap[--s->heap_count];
    uint32_t key = key_of(s, &last);
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count &&
            key_of(s, &s->heap[child + 1]) < key_of(s, &s->heap[child]))
            child++;
        if (key <= key_of(s, &s->heap[child]))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

/* ---- reading ---- */

static void play(node *n, qp_move move)
{
    qp_undo undo;
    qp_rules_make_legal(&n->board, move, &undo);
    n->plies++;
    n->hash = (n->hash ^ move) * UINT64_C(0x9E3779B97F4A7C15);
    n->hash ^= n->hash >> 29;
}

static void count_number(node *n, const qp_clue *clue)
{
    int32_t said = 2 * ((int32_t)clue->number - 1) + (clue->glued ? 1 : 0);
    int32_t offset = (int32_t)n->plies - said;
    if (n->numbered && offset != n->offset && !(n->uncounted && offset == n->offset - 2))
        n->cost += (offset - n->offset) & 1 ? COST_TURN : COST_NUMBER;
    n->numbered = true;
    n->uncounted = false;
    n->offset = offset;
}

static void count_dress(const search *s, node *n, const qp_clue *clue)
{
    if (!s->clues->dressed || clue->side == QP_NO_SIDE || clue->side == n->board.side)
        return;
    if (n->dress < DRESS_MAX) {
        n->cost += COST_DRESS;
        n->dress++;
    }
}

typedef enum outcome { ENDED, STUCK, BRANCHED, DEAR } outcome;

/* Reads on from a node as the clues stand. places: keeps the state before each clue. */
static outcome run(search *s, node *n, bool places)
{
    const qp_clues *clues = s->clues;
    for (; n->clue < clues->count; n->clue++) {
        const qp_clue *clue = &clues->clue[n->clue];
        if (n->cost > s->bound)
            return DEAR;
        if (places)
            s->places[s->place_count++].state = *n;
        s->work++;
        if (clue->kind == QP_CLUE_NUMBER) {
            count_number(n, clue);
        } else if (clue->kind == QP_CLUE_DOTS) {
            if (n->board.side == QP_RED)
                return STUCK;
        } else if (clue->kind == QP_CLUE_BLANK) {
            if (!clue->weak)
                return STUCK;
        } else if (clue->weak) {
            n->cost += clue->like ? COST_PASS : 0;
        } else {
            qp_move moves[8];
            unsigned pick;
            size_t count =
                clue->written.form == QP_FORM_NONE
                    ? 0
                    : qp_resolve(&n->board, &clue->written, s->base, moves, &pick);
            if (count != 1)
                return count == 0 ? STUCK : BRANCHED;
            count_dress(s, n, clue);
            play(n, moves[0]);
        }
    }
    if (places)
        s->places[s->place_count++].state = *n;
    return n->cost > s->bound ? DEAR : ENDED;
}

/* ---- fixes ---- */

static bool add_fix(search *s, node *n, qp_fix_kind kind, uint32_t clue, qp_move move,
                    unsigned cost)
{
    qp_search_result *r = s->result;
    if (r->fix_count == FIXES_MAX || n->fixes == DEPTH_MAX) {
        s->cut = true;
        return false;
    }
    if ((r->fix_count & (r->fix_count + 1)) == 0 && r->fix_count >= 63) {
        qp_fix *grown = realloc(r->fixes, (r->fix_count + 1) * 2 * sizeof *grown);
        if (grown == NULL) {
            s->failed = true;
            return false;
        }
        r->fixes = grown;
    }
    if (n->fix < 0)
        n->first_ply = n->plies + 1;
    r->fixes[r->fix_count] = (qp_fix){.before = n->fix,
                                      .kind = (uint8_t)kind,
                                      .clue = clue,
                                      .ply = n->plies + 1,
                                      .move = move,
                                      .cost = (uint16_t)cost};
    n->fix = (int32_t)r->fix_count++;
    n->fixes++;
    n->cost += cost;
    return true;
}

static void add_story(search *s, const node *n)
{
    qp_search_result *r = s->result;
    if (n->cost + QP_MARGIN < s->bound)
        s->bound = n->cost + QP_MARGIN;
    for (size_t i = 0; i < r->story_count; i++) {
        if (r->stories[i].hash != n->hash)
            continue;
        if (n->cost < r->stories[i].cost) /* the same game, told more simply */
            r->stories[i] = (qp_story){
                .cost = n->cost, .fix = n->fix, .plies = n->plies, .hash = n->hash};
        return;
    }
    size_t at = r->story_count;
    if (at == QP_STORIES_MAX) {
        s->cut = true;
        for (size_t i = at = 0; i < r->story_count; i++)
            if (r->stories[i].cost > r->stories[at].cost)
                at = i;
        if (r->stories[at].cost <= n->cost)
            return;
    } else {
        r->story_count++;
    }
    r->stories[at] =
        (qp_story){.cost = n->cost, .fix = n->fix, .plies = n->plies, .hash = n->hash};
}

/* Runs a node that has just got a fix; keeps it where it explains all or may be mended.
 */
static void try_node(search *s, node *n)
{
    if (n->cost > s->bound)
        return;
    outcome how = run(s, n, false);
    if (how == ENDED)
        add_story(s, n);
    else if (how != DEAR && n->cost + QP_COST_SURE <= s->bound + (how == BRANCHED) * 100)
        push(s, n);
}

static bool same_text(const qp_clue *a, const qp_clue *b)
{
    const qp_written *x = &a->written, *y = &b->written;
    return a->kind == QP_CLUE_MOVE && b->kind == QP_CLUE_MOVE &&
           x->form != QP_FORM_NONE && x->form == y->form && x->kind == y->kind &&
           x->kinds == y->kinds && x->which == y->which && x->road == y->road &&
           x->way == y->way && x->arg == y->arg && x->from_file == y->from_file &&
           x->from_rank == y->from_rank && x->to_file == y->to_file &&
           x->to_rank == y->to_rank && x->move == y->move;
}

/* The move clue that stands n before this one, or NULL; numbers do not count. */
static const qp_clue *move_before(const qp_clues *clues, uint32_t clue, unsigned n)
{
    while (clue > 0) {
        const qp_clue *c = &clues->clue[--clue];
        if (c->kind == QP_CLUE_MOVE && !c->weak && --n == 0)
            return c;
    }
    return NULL;
}

static uint32_t move_after(const qp_clues *clues, uint32_t clue)
{
    for (clue++; clue < clues->count; clue++)
        if (clues->clue[clue].kind == QP_CLUE_MOVE && !clues->clue[clue].weak)
            return clue;
    return UINT32_MAX;
}

static void try_write(search *s, const node *at, const qp_move *moves, size_t count,
                      unsigned late)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    for (size_t i = 0; i < count; i++) {
        bool seat = false;
        unsigned cost = clue->kind == QP_CLUE_BLANK
                            ? COST_FILL
                            : qp_glyphs_cost(s->clues, clue, &at->board, moves[i], &seat);
        if (clue->kind == QP_CLUE_MOVE && cost > QP_COST_ANY)
            cost = clue->weak ? QP_COST_NONE : QP_COST_ANY;
        if (cost == 0 && late != 0 && clue->written.form != QP_FORM_NONE)
            continue; /* what the token says already */
        if (cost == 0)
            cost = QP_COST_SURE;
        if (clue->weak)
            cost += COST_WORD;
        if (at->plies < s->against_count && s->against[at->plies] == moves[i])
            cost = cost / 2 < QP_COST_SURE ? cost / 2 : QP_COST_SURE;
        if (cost >= QP_COST_NONE || at->cost + cost + late > s->bound)
            continue;
        node n = *at;
        if (!add_fix(s, &n, seat ? QP_FIX_SEAT : QP_FIX_WRITE, at->clue, moves[i],
                     cost + late))
            return;
        play(&n, moves[i]);
        n.clue++;
        try_node(s, &n);
    }
}

static void try_insert(search *s, const node *at, const qp_move *moves, size_t count,
                       unsigned cost)
{
    if (at->cost + cost > s->bound)
        return;
    for (size_t i = 0; i < count; i++) {
        node n = *at;
        if (!add_fix(s, &n, QP_FIX_INSERT, at->clue, moves[i], cost))
            return;
        play(&n, moves[i]);
        try_node(s, &n);
    }
}

/* Two missing plies in a row. */
static void try_insert_round(search *s, const node *at, unsigned cost)
{
    qp_move first[QP_MOVES_MAX], second[QP_MOVES_MAX];
    size_t count = qp_board_moves(&at->board, first);
    for (size_t i = 0; i < count && s->work < WORK_MAX; i++) {
        node n = *at;
        if (!add_fix(s, &n, QP_FIX_INSERT, at->clue, first[i], cost / 2))
            return;
        play(&n, first[i]);
        try_insert(s, &n, second, qp_board_moves(&n.board, second), cost - cost / 2);
    }
}

static void try_delete(search *s, const node *at, unsigned late)
{
    const qp_clues *clues = s->clues;
    const qp_clue *clue = &clues->clue[at->clue];
    const qp_clue *one = move_before(clues, at->clue, 1),
                  *two = move_before(clues, at->clue, 2);
    uint32_t next = move_after(clues, at->clue);
    bool again =
        (one != NULL && same_text(one, clue)) || (two != NULL && same_text(two, clue));
    node n = *at;
    if (add_fix(s, &n, QP_FIX_DELETE, at->clue, 0,
                (again ? COST_AGAIN : COST_DELETE) + late)) {
        s->result->fixes[n.fix].again = again;
        n.clue++;
        try_node(s, &n);
    }
    if (two == NULL || next == UINT32_MAX || !same_text(two, clue) ||
        !same_text(one, &clues->clue[next]))
        return;
    n = *at; /* a whole round */
    for (unsigned i = 0; i < 2; i++) {
        if (!add_fix(s, &n, QP_FIX_DELETE, n.clue, 0,
                     COST_AGAIN / 2 + (i == 0 ? late : 0)))
            return;
        s->result->fixes[n.fix].again = true;
        if (i == 0)
            for (n.clue++; n.clue < next; n.clue++)
                if (clues->clue[n.clue].kind == QP_CLUE_NUMBER)
                    count_number(&n, &clues->clue[n.clue]);
    }
    n.clue++;
    n.uncounted = true;
    try_node(s, &n);
}

static void try_swap(search *s, const node *at, unsigned late)
{
    const qp_clues *clues = s->clues;
    uint32_t next = move_after(clues, at->clue);
    qp_move moves[8];
    unsigned pick;
    if (next != at->clue + 1 || clues->clue[next].written.form == QP_FORM_NONE ||
        clues->clue[at->clue].written.form == QP_FORM_NONE)
        return;
    node n = *at;
    for (unsigned i = 0; i < 2; i++) {
        const qp_clue *clue = &clues->clue[i == 0 ? next : at->clue];
        if (qp_resolve(&n.board, &clue->written, s->base, moves, &pick) != 1)
            return;
        if (i == 0 && !add_fix(s, &n, QP_FIX_SWAP, at->clue, 0, COST_SWAP + late))
            return;
        count_dress(s, &n, clue);
        play(&n, moves[0]);
    }
    n.clue = next + 1;
    try_node(s, &n);
}

/* A ply is seldom missing between two that stand in one numbered round. */
static unsigned insert_cost(const search *s, const node *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    return at->clue > 0 && clue->kind == QP_CLUE_MOVE && clue->number != 0 &&
                   clue[-1].kind == QP_CLUE_MOVE
               ? COST_INSERT + COST_INSIDE
               : COST_INSERT;
}

/* What the other card has from here on, as many plies as it takes. */
static void try_against(search *s, const node *at, unsigned late)
{
    enum { MOST = 24 };
    node n = *at;
    for (unsigned i = 0; i < MOST && n.plies < s->against_count; i++) {
        qp_move move = s->against[n.plies];
        if (!qp_rules_legal(&n.board, move) ||
            !add_fix(s, &n, QP_FIX_INSERT, at->clue, move,
                     COST_FILL + (i == 0 ? late : 0)))
            return;
        play(&n, move);
        node tried = n;
        try_node(s, &tried);
    }
}

/* Every fix at one place. here: the reading got stuck at it. */
static void fix_at(search *s, const node *at, bool here)
{
    const qp_clue *clue = at->clue < s->clues->count ? &s->clues->clue[at->clue] : NULL;
    unsigned late = here ? 0 : COST_LATE;
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(&at->board, moves);
    if (clue == NULL)
        return;
    if (clue->kind == QP_CLUE_MOVE || clue->kind == QP_CLUE_BLANK)
        try_write(s, at, moves, count, late);
    if (s->against_count != 0)
        try_against(s, at, late);
    if (clue->kind == QP_CLUE_BLANK && here) {
        node n = *at;
        if (add_fix(s, &n, QP_FIX_DELETE, at->clue, 0, COST_IGNORE)) {
            n.clue++;
            try_node(s, &n);
        }
        return;
    }
    if (clue->kind == QP_CLUE_DOTS && here) {
        try_insert(s, at, moves, count, COST_FILL);
        return;
    }
    if (clue->kind == QP_CLUE_MOVE && !clue->weak) {
        try_delete(s, at, late);
        try_swap(s, at, late);
        if (clue->written.form == QP_FORM_NONE)
            return;
    }
    try_insert(s, at, moves, count, insert_cost(s, at));
}

/* A sound token that means several moves. */
static void branch(search *s, const node *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    qp_move moves[8];
    unsigned pick;
    size_t count = qp_resolve(&at->board, &clue->written, s->base, moves, &pick);
    for (size_t i = 0; i < count && i < READINGS; i++) {
        node n = *at;
        if (!add_fix(s, &n, QP_FIX_READ, at->clue, moves[i], 0))
            return;
        count_dress(s, &n, clue);
        play(&n, moves[i]);
        n.clue++;
        try_node(s, &n);
    }
}

/* Whether the numbers leave room for a round before this place. */
static bool gap_here(const search *s, const node *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    if (clue->kind != QP_CLUE_NUMBER || !at->numbered)
        return false;
    int32_t said = 2 * ((int32_t)clue->number - 1);
    return said - ((int32_t)at->plies - at->offset) >= 2;
}

static void expand(search *s, const node *from, const node *start, bool first)
{
    const qp_clues *clues = s->clues;
    const qp_clue *clue = from->clue < clues->count ? &clues->clue[from->clue] : NULL;
    /* What no board can make readable is to be mended where it stands. */
    bool local =
        clue != NULL && clue->kind == QP_CLUE_MOVE && clue->written.form == QP_FORM_NONE;
    fix_at(s, from, true);
    if (local || clue == NULL)
        return;
    s->place_count = 0;
    node again = *start;
    run(s, &again, true);
    size_t count = s->place_count;
    size_t least = first || count < WINDOW ? 0 : count - WINDOW;
    for (size_t i = count; i-- > least && !s->failed;) {
        node at = s->places[i].state;
        if (at.clue >= from->clue)
            continue;
        if (s->work > WORK_MAX) {
            s->cut = true;
            return;
        }
        fix_at(s, &at, false);
        if (gap_here(s, &at) && at.cost + COST_GAP <= s->bound)
            try_insert_round(s, &at, COST_GAP);
    }
    if (clue->kind == QP_CLUE_NUMBER && gap_here(s, from))
        try_insert_round(s, from, COST_GAP);
}

/* The state behind the last fix of a node, from which it ran to where it is stuck. */
static bool state_after(search *s, const node *n, const node *start, node *state)
{
    enum { CHAIN = DEPTH_MAX };
    int32_t chain[CHAIN];
    size_t count = 0;
    for (int32_t f = n->fix; f >= 0 && count < CHAIN; f = s->result->fixes[f].before)
        chain[count++] = f;
    *state = *start;
    while (count-- > 0) {
        const qp_fix *fix = &s->result->fixes[chain[count]];
        for (; state->clue < fix->clue; state->clue++) {
            const qp_clue *clue = &s->clues->clue[state->clue];
            qp_move moves[8];
            unsigned pick;
            if (clue->kind == QP_CLUE_NUMBER)
                count_number(state, clue);
            if (clue->kind == QP_CLUE_MOVE && clue->weak && clue->like)
                state->cost += COST_PASS;
            if (clue->kind != QP_CLUE_MOVE || clue->weak)
                continue;
            if (qp_resolve(&state->board, &clue->written, s->base, moves, &pick) != 1)
                return false;
            count_dress(s, state, clue);
            play(state, moves[0]);
        }
        state->fix = chain[count];
        state->fixes++;
        state->cost += fix->cost;
        if (state->fixes == 1)
            state->first_ply = fix->ply;
        const qp_clue *clue = &s->clues->clue[fix->clue];
        if (fix->kind == QP_FIX_SWAP) {
            qp_move moves[8];
            unsigned pick;
            for (unsigned i = 0; i < 2; i++) {
                clue = &s->clues->clue[fix->clue + 1 - i];
                if (qp_resolve(&state->board, &clue->written, s->base, moves, &pick) != 1)
                    return false;
                count_dress(s, state, clue);
                play(state, moves[0]);
            }
            state->clue = fix->clue + 2;
            continue;
        }
        if (fix->kind == QP_FIX_READ)
            count_dress(s, state, clue);
        if (fix->move != 0)
            play(state, fix->move);
        if (fix->kind != QP_FIX_INSERT)
            state->clue = fix->clue + 1;
        state->uncounted = fix->kind == QP_FIX_DELETE && fix->again && fix->before >= 0 &&
                           s->result->fixes[fix->before].again &&
                           s->result->fixes[fix->before].ply == fix->ply;
    }
    return true;
}

/* ---- the whole ---- */

static bool begin(search *s, const qp_clues *clues, qp_base base,
                  qp_search_result *result)
{
    *s = (search){.clues = clues, .result = result, .base = base, .bound = UINT32_MAX};
    *result = (qp_search_result){0};
    s->places = malloc((clues->count + 1) * sizeof *s->places);
    result->fixes = malloc(64 * sizeof *result->fixes);
    return s->places != NULL && result->fixes != NULL;
}

static uint32_t min_bound(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void qp_repair_search(const qp_clues *clues, const qp_board *start, qp_base base,
                      const qp_move *against, size_t against_count,
                      qp_search_result *result)
{
    enum { DEAREST = 240, EXPANSIONS = 4000 };
    search s;
    node root = {.board = *start, .fix = -1};
    if (!begin(&s, clues, base, result))
        return;
    s.against = against;
    s.against_count = against_count;
    node plain = root;
    outcome how = run(&s, &plain, false);
    result->plain_plies = plain.plies;
    result->plain_clue = plain.clue;
    result->plain_cost = plain.cost;
    s.bound = DEAREST + (uint32_t)clues->count * 4;
    if (how == ENDED)
        add_story(&s, &plain);
    if (how == BRANCHED) {
        branch(&s, &plain);
    } else {
        expand(&s, &plain, &root, true);
    }
    for (unsigned i = 0; s.heap_count > 0 && !s.failed; i++) {
        node n = pop(&s), after;
        const qp_clue *clue = n.clue < clues->count ? &clues->clue[n.clue] : NULL;
        if (i == EXPANSIONS || s.work > WORK_MAX) {
            s.cut = true;
            break;
        }
        qp_move moves[8];
        unsigned pick;
        bool several = clue != NULL && clue->kind == QP_CLUE_MOVE && !clue->weak &&
                       clue->written.form != QP_FORM_NONE &&
                       qp_resolve(&n.board, &clue->written, base, moves, &pick) > 1;
        if (n.cost + (several ? 0 : QP_COST_SURE) > s.bound)
            continue;
        if (several) {
            branch(&s, &n);
        } else if (state_after(&s, &n, &root, &after)) {
            expand(&s, &n, &after, false);
        }
    }
    /* What was found before the bound came down. */
    size_t kept = 0;
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < result->story_count; i++)
        least = min_bound(least, result->stories[i].cost);
    for (size_t i = 0; i < result->story_count; i++)
        if (result->stories[i].cost <= least + QP_MARGIN)
            result->stories[kept++] = result->stories[i];
    result->story_count = kept;
    qp_story_judge judge = {clues, start, base, against, against_count};
    s.failed |= !qp_stories_order(&judge, result);
    result->complete = !s.cut && !s.failed;
    free(s.heap);
    free(s.places);
}

void qp_repair_clear(qp_search_result *result)
{
    free(result->fixes);
    *result = (qp_search_result){0};
}

bool qp_repair_plain(const qp_clues *clues, const qp_board *start, qp_base base,
                     uint32_t *plies, uint32_t *cost)
{
    search s = {.clues = clues, .base = base, .bound = UINT32_MAX};
    node n = {.board = *start, .fix = -1};
    outcome how = run(&s, &n, false);
    *plies = n.plies;
    *cost = n.cost;
    return how == ENDED;
}

bool qp_repair_stuck(const qp_clues *clues, const qp_board *start, qp_base base,
                     const qp_search_result *result, int32_t last, qp_board *board,
                     uint32_t *clue)
{
    search s = {.clues = clues,
                .base = base,
                .bound = UINT32_MAX,
                .result = (qp_search_result *)result};
    node root = {.board = *start, .fix = -1}, n = {.fix = last}, after;
    if (!state_after(&s, &n, &root, &after))
        return false;
    outcome how = run(&s, &after, false);
    *board = after.board;
    *clue = after.clue;
    return how == STUCK || how == BRANCHED;
}
