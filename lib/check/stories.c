/* The games that a search found: their moves, and which is the likeliest. What the faults
 * cost and how likely players were to play so weigh in one measure, hundredths of a
 * natural logarithm. */
#include "config.h"

#include "check/player.h"
#include "check/repair.h"

#include <stdlib.h>

size_t qp_story_tell(const qp_clues *clues, const qp_board *start, qp_base base,
                     const qp_search_result *result, const qp_story *story, qp_told *told,
                     size_t room)
{
    int32_t chain[QP_FIXES_MAX];
    size_t left = 0, count = 0;
    qp_board board = *start;
    for (int32_t f = story->fix; f >= 0 && left < QP_FIXES_MAX;
         f = result->fixes[f].before)
        chain[left++] = f;
    for (uint32_t clue = 0; clue <= clues->count && count + 2 <= room;) {
        int32_t index = left != 0 ? chain[left - 1] : -1;
        const qp_fix *fix = index >= 0 ? &result->fixes[index] : NULL;
        uint32_t read[2] = {clue, clue + 1};
        unsigned reads = 1;
        if (fix != NULL && fix->clue == clue) {
            left--;
            if (fix->kind == QP_FIX_SWAP) {
                read[0] = clue + 1;
                read[1] = clue;
                reads = 2;
            } else {
                if (fix->move != 0) {
                    told[count++] = (qp_told){
                        fix->move, fix->kind == QP_FIX_INSERT ? UINT32_MAX : clue, index};
                    qp_board_play(&board, fix->move);
                }
                clue += fix->kind != QP_FIX_INSERT;
                continue;
            }
        } else {
            index = -1;
        }
        for (unsigned i = 0; i < reads && read[i] < clues->count; i++) {
            const qp_clue *c = &clues->clue[read[i]];
            qp_move moves[8];
            unsigned pick;
            if (c->kind != QP_CLUE_MOVE || c->weak)
                continue;
            if (qp_resolve(&board, &c->written, base, moves, &pick) != 1)
                return count;
            told[count++] = (qp_told){moves[0], read[i], index};
            qp_board_play(&board, moves[0]);
        }
        clue += reads;
    }
    return count;
}

/* ---- which is the likeliest ---- */

typedef struct telling {
    qp_told *told;
    size_t count;
} telling;

/* How likely players were to play what a story tells from a ply to a clue; each ply
 * counts in the position that the story makes of what is written there. */
static int32_t judge(const qp_story_judge *j, const telling *t, uint32_t from,
                     uint32_t to, size_t most)
{
    enum { AGAINST = 3000, USUAL = 230 }; /* a longer game is no less likely for that */
    qp_move moves[QP_PLAYER_MOVES];
    uint16_t costs[QP_PLAYER_MOVES];
    qp_board board = *j->start;
    qp_past past = {0};
    int32_t doubt = 0;
    for (size_t i = 0; i < t->count; i++) {
        const qp_told *told = &t->told[i];
        if (told->clue != UINT32_MAX && told->clue > to)
            break;
        if (i >= from && i - from < most) {
            size_t count = qp_player_costs(&board, &past, moves, costs);
            for (size_t m = 0; m < count; m++)
                if (moves[m] == told->move)
                    doubt += costs[m] - USUAL;
        }
        if (i < j->against_count && told->move != j->against[i])
            doubt += AGAINST;
        past = qp_past_after(past, &board, told->move);
        qp_board_play(&board, told->move);
    }
    return doubt;
}

/* From where the first of them is mended to a while behind the last. */
static bool judge_all(const qp_story_judge *j, qp_search_result *r)
{
    enum { BEHIND = 16, PLIES = 4000 }; /* clues; plies of all stories together */
    size_t room = j->clues->count + QP_FIXES_MAX + 2;
    telling tellings[QP_STORIES_MAX] = {{0}};
    uint32_t from = UINT32_MAX, to = 0;
    bool fine = true;
    for (size_t i = 0; i < r->story_count; i++) {
        tellings[i].told = malloc(room * sizeof *tellings[i].told);
        fine &= tellings[i].told != NULL;
        if (tellings[i].told != NULL)
            tellings[i].count = qp_story_tell(j->clues, j->start, j->base, r,
                                              &r->stories[i], tellings[i].told, room);
        for (int32_t f = r->stories[i].fix; f >= 0; f = r->fixes[f].before) {
            if (r->fixes[f].ply - 1 < from)
                from = r->fixes[f].ply - 1;
            if (r->fixes[f].clue + BEHIND > to)
                to = r->fixes[f].clue + BEHIND;
        }
    }
    for (size_t i = 0; i < r->story_count; i++) {
        if (tellings[i].told != NULL)
            r->stories[i].doubt +=
                judge(j, &tellings[i], from, to, PLIES / r->story_count);
        free(tellings[i].told);
    }
    return fine;
}

static int by_doubt(const void *a, const void *b)
{
    const qp_story *x = a, *y = b;
    if (x->doubt != y->doubt)
        return x->doubt < y->doubt ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

bool qp_stories_order(const qp_story_judge *j, qp_search_result *result)
{
    enum { COST_DOUBT = 25 }; /* a unit of cost */
    for (size_t i = 0; i < result->story_count; i++)
        result->stories[i].doubt = (int32_t)(result->stories[i].cost * COST_DOUBT);
    bool fine = result->story_count < 2 || judge_all(j, result);
    qsort(result->stories, result->story_count, sizeof *result->stories, by_doubt);
    return fine;
}
