/* What can be wrong at one place of a card, and what it costs to think so.
 *
 * The costs are those of glyphs (repair.h) and the ones below. They are logarithms of how
 * often such a fault is made, by feel: what a card shows plainly (a gap in its numbers,
 * the same move twice) costs a third of what it does not.
 */
#include "config.h"

#include "check/states.h"

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
    COST_GAP = 56,    /* a round is missing where the numbers leave one out */
    COST_LATE = 3,    /* the fault shows only later */
    READINGS = 4,     /* moves that a sound token can mean and that are tried */

    FIXES_MAX = 200000,
};

static bool add_fix(qp_search *s, qp_state *n, qp_fix_kind kind, uint32_t clue,
                    qp_move move, unsigned cost)
{
    qp_search_result *r = s->result;
    if (r->fix_count == FIXES_MAX || n->fixes == QP_FIXES_MAX) {
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

static void try_write(qp_search *s, const qp_state *at, const qp_move *moves,
                      size_t count, unsigned late)
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
        qp_state n = *at;
        if (!add_fix(s, &n, seat ? QP_FIX_SEAT : QP_FIX_WRITE, at->clue, moves[i],
                     cost + late))
            return;
        qp_state_play(&n, moves[i]);
        n.clue++;
        qp_state_try(s, &n);
    }
}

static void try_insert(qp_search *s, const qp_state *at, const qp_move *moves,
                       size_t count, unsigned cost)
{
    if (at->cost + cost > s->bound)
        return;
    for (size_t i = 0; i < count; i++) {
        qp_state n = *at;
        if (!add_fix(s, &n, QP_FIX_INSERT, at->clue, moves[i], cost))
            return;
        qp_state_play(&n, moves[i]);
        qp_state_try(s, &n);
    }
}

/* Two missing plies in a row. */
static void try_insert_round(qp_search *s, const qp_state *at, unsigned cost)
{
    qp_move first[QP_MOVES_MAX], second[QP_MOVES_MAX];
    size_t count = qp_board_moves(&at->board, first);
    for (size_t i = 0; i < count && s->work < QP_WORK_MAX; i++) {
        qp_state n = *at;
        if (!add_fix(s, &n, QP_FIX_INSERT, at->clue, first[i], cost / 2))
            return;
        qp_state_play(&n, first[i]);
        try_insert(s, &n, second, qp_board_moves(&n.board, second), cost - cost / 2);
    }
}

static void try_delete(qp_search *s, const qp_state *at, unsigned late)
{
    const qp_clues *clues = s->clues;
    const qp_clue *clue = &clues->clue[at->clue];
    const qp_clue *one = move_before(clues, at->clue, 1),
                  *two = move_before(clues, at->clue, 2);
    uint32_t next = move_after(clues, at->clue);
    bool again =
        (one != NULL && same_text(one, clue)) || (two != NULL && same_text(two, clue));
    qp_state n = *at;
    if (add_fix(s, &n, QP_FIX_DELETE, at->clue, 0,
                (again ? COST_AGAIN : COST_DELETE) + late)) {
        s->result->fixes[n.fix].again = again;
        n.clue++;
        qp_state_try(s, &n);
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
                    qp_state_number(&n, &clues->clue[n.clue]);
    }
    n.clue++;
    n.uncounted = true;
    qp_state_try(s, &n);
}

static void try_swap(qp_search *s, const qp_state *at, unsigned late)
{
    const qp_clues *clues = s->clues;
    uint32_t next = move_after(clues, at->clue);
    qp_move moves[8];
    unsigned pick;
    if (next != at->clue + 1 || clues->clue[next].written.form == QP_FORM_NONE ||
        clues->clue[at->clue].written.form == QP_FORM_NONE)
        return;
    qp_state n = *at;
    for (unsigned i = 0; i < 2; i++) {
        const qp_clue *clue = &clues->clue[i == 0 ? next : at->clue];
        if (qp_resolve(&n.board, &clue->written, s->base, moves, &pick) != 1)
            return;
        if (i == 0 && !add_fix(s, &n, QP_FIX_SWAP, at->clue, 0, COST_SWAP + late))
            return;
        qp_state_dress(s, &n, clue);
        qp_state_play(&n, moves[0]);
    }
    n.clue = next + 1;
    qp_state_try(s, &n);
}

/* A ply is seldom missing between two that stand in one numbered round. */
static unsigned insert_cost(const qp_search *s, const qp_state *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    return at->clue > 0 && clue->kind == QP_CLUE_MOVE && clue->number != 0 &&
                   clue[-1].kind == QP_CLUE_MOVE
               ? COST_INSERT + COST_INSIDE
               : COST_INSERT;
}

/* What the other card has from here on, as many plies as it takes. */
static void try_against(qp_search *s, const qp_state *at, unsigned late)
{
    enum { MOST = 24 };
    qp_state n = *at;
    for (unsigned i = 0; i < MOST && n.plies < s->against_count; i++) {
        qp_move move = s->against[n.plies];
        if (!qp_rules_legal(&n.board, move) ||
            !add_fix(s, &n, QP_FIX_INSERT, at->clue, move,
                     COST_FILL + (i == 0 ? late : 0)))
            return;
        qp_state_play(&n, move);
        qp_state tried = n;
        qp_state_try(s, &tried);
    }
}

void qp_fixes_at(qp_search *s, const qp_state *at, bool here)
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
        qp_state n = *at;
        if (add_fix(s, &n, QP_FIX_DELETE, at->clue, 0, COST_IGNORE)) {
            n.clue++;
            qp_state_try(s, &n);
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

void qp_fixes_read(qp_search *s, const qp_state *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    qp_move moves[8];
    unsigned pick;
    size_t count = qp_resolve(&at->board, &clue->written, s->base, moves, &pick);
    for (size_t i = 0; i < count && i < READINGS; i++) {
        qp_state n = *at;
        if (!add_fix(s, &n, QP_FIX_READ, at->clue, moves[i], 0))
            return;
        qp_state_dress(s, &n, clue);
        qp_state_play(&n, moves[i]);
        n.clue++;
        qp_state_try(s, &n);
    }
}

/* Whether the numbers leave room for a round before this place. */
static bool gap_here(const qp_search *s, const qp_state *at)
{
    const qp_clue *clue = &s->clues->clue[at->clue];
    if (clue->kind != QP_CLUE_NUMBER || !at->numbered)
        return false;
    int32_t said = 2 * ((int32_t)clue->number - 1);
    return said - ((int32_t)at->plies - at->offset) >= 2;
}

void qp_fixes_gap(qp_search *s, const qp_state *at)
{
    if (gap_here(s, at) && at->cost + COST_GAP <= s->bound)
        try_insert_round(s, at, COST_GAP);
}
