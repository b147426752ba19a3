/* The search for the game that a card is about. Clues are read as they stand until one
 * cannot be; there, and at each place before it (a wrong move may be legal and only its
 * consequence not), every fix is tried: another move, a ply more, one less, two
 * exchanged. What then goes furthest at least cost is tried first, until games are found
 * that explain all; then on until none within QP_MARGIN of the cheapest can be left, or
 * the budget is spent.
 *
 * What can be wrong at a place, and what it costs, stands in fixes.c; how a game is read
 * on in states.c. */
#include "config.h"

#include "check/states.h"

#include <stdlib.h>

enum { WINDOW = 16 /* clues that a further fix looks back */ };

static void expand(qp_search *s, const qp_state *from, const qp_state *start, bool first)
{
    const qp_clues *clues = s->clues;
    const qp_clue *clue = from->clue < clues->count ? &clues->clue[from->clue] : NULL;
    /* What no board can make readable is to be mended where it stands. */
    bool local =
        clue != NULL && clue->kind == QP_CLUE_MOVE && clue->written.form == QP_FORM_NONE;
    qp_fixes_at(s, from, true);
    if (local || clue == NULL)
        return;
    s->place_count = 0;
    qp_state again = *start;
    qp_state_run(s, &again, true);
    size_t count = s->place_count;
    size_t least = first || count < WINDOW ? 0 : count - WINDOW;
    for (size_t i = count; i-- > least && !s->failed;) {
        qp_state at = s->places[i];
        if (at.clue >= from->clue)
            continue;
        if (s->work > QP_WORK_MAX) {
            s->cut = true;
            return;
        }
        qp_fixes_at(s, &at, false);
        qp_fixes_gap(s, &at);
    }
    qp_fixes_gap(s, from);
}

static bool begin(qp_search *s, const qp_clues *clues, qp_base base,
                  qp_search_result *result)
{
    *s = (qp_search){.clues = clues, .result = result, .base = base, .bound = UINT32_MAX};
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
    qp_search s;
    qp_state root = {.board = *start, .fix = -1};
    if (!begin(&s, clues, base, result)) {
        free(s.places);
        return;
    }
    s.against = against;
    s.against_count = against_count;
    qp_state plain = root;
    qp_outcome how = qp_state_run(&s, &plain, false);
    result->plain_plies = plain.plies;
    result->plain_clue = plain.clue;
    result->plain_cost = plain.cost;
    s.bound = DEAREST + (uint32_t)clues->count * 4;
    if (how == QP_ENDED)
        qp_state_told(&s, &plain);
    if (how == QP_BRANCHED) {
        qp_fixes_read(&s, &plain);
    } else {
        expand(&s, &plain, &root, true);
    }
    for (unsigned i = 0; s.heap_count > 0 && !s.failed; i++) {
        qp_state n = qp_state_next(&s), after;
        const qp_clue *clue = n.clue < clues->count ? &clues->clue[n.clue] : NULL;
        if (i == EXPANSIONS || s.work > QP_WORK_MAX) {
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
            qp_fixes_read(&s, &n);
        } else if (qp_state_after(&s, &n, &root, &after)) {
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
    qp_search s = {.clues = clues, .base = base, .bound = UINT32_MAX};
    qp_state n = {.board = *start, .fix = -1};
    qp_outcome how = qp_state_run(&s, &n, false);
    *plies = n.plies;
    *cost = n.cost;
    return how == QP_ENDED;
}

bool qp_repair_stuck(const qp_clues *clues, const qp_board *start, qp_base base,
                     const qp_search_result *result, int32_t last, qp_board *board,
                     uint32_t *clue)
{
    qp_search s = {.clues = clues,
                   .base = base,
                   .bound = UINT32_MAX,
                   .result = (qp_search_result *)result};
    qp_state root = {.board = *start, .fix = -1}, n = {.fix = last}, after;
    if (!qp_state_after(&s, &n, &root, &after))
        return false;
    qp_outcome how = qp_state_run(&s, &after, false);
    *board = after.board;
    *clue = after.clue;
    return how == QP_STUCK || how == QP_BRANCHED;
}
