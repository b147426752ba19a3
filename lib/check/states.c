/* The states of a search: reading on as the clues stand, what the numbers and the dress
 * of the moves cost, which state is read on next, and the games found. */
#include "config.h"

#include "check/states.h"

#include <stdlib.h>

enum {
    COST_PASS = 40,   /* not to read a word as a move, though it looks like one */
    COST_NUMBER = 40, /* round numbers jump */
    COST_TURN = 48,   /* … by half a round */
    COST_DRESS = 12,  /* a move in the other side's dress; five times at most */
    DRESS_MAX = 5,

    STATES_MAX = 20000,
    PROGRESS = 2, /* what a clue still to be read counts for */
};

/* ---- those that wait: a heap by key ---- */

static uint32_t key_of(const qp_search *s, const qp_state *n)
{
    return n->cost + (uint32_t)(s->clues->count - n->clue) * PROGRESS;
}

static void push(qp_search *s, const qp_state *n)
{
    if (s->heap_count == STATES_MAX) {
        s->cut = true;
        return;
    }
    if (s->heap_count == s->heap_room) {
        size_t room = s->heap_room ? s->heap_room * 2 : 64;
        qp_state *grown = realloc(s->heap, room * sizeof *grown);
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

qp_state qp_state_next(qp_search *s)
{
    qp_state top = s->heap[0], last = s->heap[--s->heap_count];
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

void qp_state_play(qp_state *n, qp_move move)
{
    qp_undo undo;
    qp_rules_make_legal(&n->board, move, &undo);
    n->plies++;
    n->hash = (n->hash ^ move) * UINT64_C(0x9E3779B97F4A7C15);
    n->hash ^= n->hash >> 29;
}

void qp_state_number(qp_state *n, const qp_clue *clue)
{
    int32_t said = 2 * ((int32_t)clue->number - 1) + (clue->glued ? 1 : 0);
    int32_t offset = (int32_t)n->plies - said;
    if (n->numbered && offset != n->offset && !(n->uncounted && offset == n->offset - 2))
        n->cost += (offset - n->offset) & 1 ? COST_TURN : COST_NUMBER;
    n->numbered = true;
    n->uncounted = false;
    n->offset = offset;
}

void qp_state_dress(const qp_search *s, qp_state *n, const qp_clue *clue)
{
    if (!s->clues->dressed || clue->side == QP_NO_SIDE || clue->side == n->board.side)
        return;
    if (n->dress < DRESS_MAX) {
        n->cost += COST_DRESS;
        n->dress++;
    }
}

qp_outcome qp_state_run(qp_search *s, qp_state *n, bool places)
{
    const qp_clues *clues = s->clues;
    for (; n->clue < clues->count; n->clue++) {
        const qp_clue *clue = &clues->clue[n->clue];
        if (n->cost > s->bound)
            return QP_DEAR;
        if (places)
            s->places[s->place_count++] = *n;
        s->work++;
        if (clue->kind == QP_CLUE_NUMBER) {
            qp_state_number(n, clue);
        } else if (clue->kind == QP_CLUE_DOTS) {
            if (n->board.side == QP_RED)
                return QP_STUCK;
        } else if (clue->kind == QP_CLUE_BLANK) {
            if (!clue->weak)
                return QP_STUCK;
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
                return count == 0 ? QP_STUCK : QP_BRANCHED;
            qp_state_dress(s, n, clue);
            qp_state_play(n, moves[0]);
        }
    }
    if (places)
        s->places[s->place_count++] = *n;
    return n->cost > s->bound ? QP_DEAR : QP_ENDED;
}

/* ---- the games found ---- */

void qp_state_told(qp_search *s, const qp_state *n)
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

void qp_state_try(qp_search *s, qp_state *n)
{
    if (n->cost > s->bound)
        return;
    qp_outcome how = qp_state_run(s, n, false);
    if (how == QP_ENDED)
        qp_state_told(s, n);
    else if (how != QP_DEAR &&
             n->cost + QP_COST_SURE <= s->bound + (how == QP_BRANCHED) * 100)
        push(s, n);
}

/* ---- once more from the start ---- */

bool qp_state_after(qp_search *s, const qp_state *n, const qp_state *start,
                    qp_state *state)
{
    enum { CHAIN = QP_FIXES_MAX };
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
                qp_state_number(state, clue);
            if (clue->kind == QP_CLUE_MOVE && clue->weak && clue->like)
                state->cost += COST_PASS;
            if (clue->kind != QP_CLUE_MOVE || clue->weak)
                continue;
            if (qp_resolve(&state->board, &clue->written, s->base, moves, &pick) != 1)
                return false;
            qp_state_dress(s, state, clue);
            qp_state_play(state, moves[0]);
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
                qp_state_dress(s, state, clue);
                qp_state_play(state, moves[0]);
            }
            state->clue = fix->clue + 2;
            continue;
        }
        if (fix->kind == QP_FIX_READ)
            qp_state_dress(s, state, clue);
        if (fix->move != 0)
            qp_state_play(state, fix->move);
        if (fix->kind != QP_FIX_INSERT)
            state->clue = fix->clue + 1;
        state->uncounted = fix->kind == QP_FIX_DELETE && fix->again && fix->before >= 0 &&
                           s->result->fixes[fix->before].again &&
                           s->result->fixes[fix->before].ply == fix->ply;
    }
    return true;
}
