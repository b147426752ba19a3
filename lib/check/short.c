/* Abbreviated cards, on which each move leaves its direction open: all games that the
 * card can mean are followed side by side, and of those the ones kept that players would
 * rather have played (player.c). Games that come to the same position count once. Where a
 * round shows one move instead of two, a ply is missing, before it or behind it. */
#include "config.h"

#include "check/player.h"
#include "check/repair.h"

#include <stdlib.h>

enum {
    BEAM = 160,
    BEAM_LATE = 24, /* once so many positions were weighed */
    PRICED_SOME = 8000,
    BEAM_LAST = 5,
    PRICED_MANY = 12000,
    FALL = 1400, /* games that much less likely are let go */
    MISSING = 200,
    CLUES_MAX = 2000, /* no card is longer */
    OPEN = 20,        /* a game so little less likely is as good */
};

/* A ply of one of the games, linked backwards. */
typedef struct step {
    int32_t before;
    uint32_t clue; /* UINT32_MAX: inserted */
    qp_move move;
    bool choice; /* the token alone leaves it open */
} step;

typedef struct line {
    qp_board board;
    int32_t last;
    int32_t score; /* minus the logarithm of how likely it is, in hundredths */
    qp_past past;
} line;

typedef struct lines {
    line line[BEAM];
    size_t count;
} lines;

/* The moves of a position with their costs, worked out when first asked for. */
typedef struct priced {
    qp_move moves[QP_PLAYER_MOVES];
    uint16_t costs[QP_PLAYER_MOVES];
    size_t count;
} priced;

typedef struct follower {
    qp_linting *lint;
    step *steps;
    size_t step_count, step_room;
    uint32_t priced_count; /* positions whose moves were weighed */
    lines now, next;
    priced priced;
    qp_move *path;
    qp_foresight *foresight;
    bool failed;
} follower;

static int by_score(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static bool same_place(const qp_board *a, const qp_board *b)
{
    return a->side == b->side && memcmp(a->at, b->at, sizeof a->at) == 0;
}

static int32_t cost_in(const priced *p, qp_move move)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->moves[i] == move)
            return p->costs[i];
    return 0;
}

/* Puts a game among the next ones, where it is among the best. */
static void offer(follower *f, const line *from, qp_move move, uint32_t clue, bool choice,
                  int32_t cost)
{
    lines *next = &f->next;
    line made = {.board = from->board, .score = from->score + cost};
    size_t at = next->count, worst = 0;
    made.past = qp_past_after(from->past, &from->board, move);
    qp_board_play(&made.board, move);
    for (size_t i = 0; i < next->count; i++) {
        if (same_place(&next->line[i].board, &made.board)) {
            if (next->line[i].score <= made.score)
                return;
            at = i;
            break;
        }
        if (next->line[i].score > next->line[worst].score)
            worst = i;
    }
    if (at == BEAM) {
        if (next->line[worst].score <= made.score)
            return;
        at = worst;
    }
    if (f->step_count == f->step_room) {
        size_t room = f->step_room ? f->step_room * 2 : 1024;
        step *grown = realloc(f->steps, room * sizeof *grown);
        if (grown == NULL) {
            f->failed = true;
            return;
        }
        f->steps = grown;
        f->step_room = room;
    }
    f->steps[f->step_count] = (step){from->last, clue, move, choice};
    made.last = (int32_t)f->step_count++;
    next->line[at] = made;
    if (at == next->count)
        next->count++;
}

static void turn(follower *f)
{
    int32_t best = INT32_MAX;
    size_t width = f->priced_count < PRICED_SOME   ? BEAM
                   : f->priced_count < PRICED_MANY ? BEAM_LATE
                                                   : BEAM_LAST;
    if (f->next.count > width) {
        qsort(f->next.line, f->next.count, sizeof *f->next.line, by_score);
        f->next.count = width;
    }
    f->now.count = 0;
    for (size_t i = 0; i < f->next.count; i++)
        if (f->next.line[i].score < best)
            best = f->next.line[i].score;
    for (size_t i = 0; i < f->next.count; i++)
        if (f->next.line[i].score <= best + FALL)
            f->now.line[f->now.count++] = f->next.line[i];
    f->next.count = 0;
}

static void weigh(follower *f, const line *l)
{
    f->priced.count =
        qp_player_costs(&l->board, &l->past, f->priced.moves, f->priced.costs);
    f->priced_count++;
}

static void read_move(follower *f, lines *from, uint32_t index)
{
    const qp_clue *clue = &f->lint->clues.clue[index];
    for (size_t i = 0; i < from->count; i++) {
        qp_move moves[8];
        unsigned pick;
        size_t count = clue->written.form == QP_FORM_NONE
                           ? 0
                           : qp_resolve(&from->line[i].board, &clue->written,
                                        f->lint->base, moves, &pick);
        priced *p = &f->priced;
        p->count = 0;
        if (count > 1 || (count != 0 && from->count > 1))
            weigh(f, &from->line[i]);
        for (size_t m = 0; m < count; m++)
            offer(f, &from->line[i], moves[m], index, count > 1, cost_in(p, moves[m]));
    }
}

static void insert_any(follower *f, lines *from)
{
    enum { WIDEST = 100 }; /* games that any move at all is tried in */
    if (from->count > WIDEST) {
        qsort(from->line, from->count, sizeof *from->line, by_score);
        from->count = WIDEST;
    }
    for (size_t i = 0; i < from->count; i++) {
        priced *p = &f->priced;
        weigh(f, &from->line[i]);
        for (size_t m = 0; m < p->count; m++)
            offer(f, &from->line[i], p->moves[m], UINT32_MAX, true,
                  p->costs[m] + MISSING);
    }
}

/* The moves of the round that begins at a number; *next is where the next one begins. */
static size_t round_of(const qp_clues *clues, uint32_t index, uint32_t moves[2],
                       uint32_t *next)
{
    size_t count = 0;
    uint32_t i = index + (clues->clue[index].kind == QP_CLUE_NUMBER);
    for (; i < clues->count && clues->clue[i].kind != QP_CLUE_NUMBER; i++)
        if (clues->clue[i].kind != QP_CLUE_DOTS && !clues->clue[i].weak) {
            if (count < 2)
                moves[count] = i;
            count++;
        }
    *next = i;
    return count;
}

/* One ply: a token, or a mark in its place. */
static void follow(follower *f, uint32_t index)
{
    lines *from = &f->now;
    if (f->lint->clues.clue[index].kind == QP_CLUE_BLANK)
        insert_any(f, from);
    else
        read_move(f, from, index);
    turn(f);
}

/* A round that shows one move of two. */
static void follow_torn(follower *f, uint32_t index)
{
    static const lines none;
    lines *before = malloc(sizeof *before), *both = malloc(sizeof *both);
    if (before == NULL || both == NULL) {
        f->failed = true;
    } else {
        *before = f->now;
        *both = none;
        read_move(f, before, index); /* Red's, Black's is missing */
        turn(f);
        insert_any(f, &f->now);
        *both = f->next;
        f->next.count = 0;
        insert_any(f, before); /* or the other way round */
        turn(f);
        f->next = *both;
        read_move(f, &f->now, index);
        turn(f);
    }
    free(before);
    free(both);
}

/* ---- the likeliest games once more ---- */

enum { FORK = 8 };

/* What it says against a move that it brings so much less than the best one: fitted like
 * the traits, as is the weight of the traits beside it. */
static int32_t cost_behind(int behind)
{
    static const struct {
        int from, to, cost;
    } spans[] = {{0, 100, 190}, {100, 400, 60}, {400, 1000, 330}};
    int32_t cost = 0;
    for (size_t i = 0; i < QP_COUNT(spans) && behind > spans[i].from; i++) {
        int end = behind < spans[i].to ? behind : spans[i].to;
        cost += spans[i].cost * (end - spans[i].from) / (spans[i].to - spans[i].from);
    }
    return cost;
}

/* Where several of the likeliest games part, a few plies of search say more than the
 * traits of the moves do. */
static void part(follower *f, const uint32_t *fork, size_t count, int32_t *extra)
{
    enum { DEPTH = 4 };
    qp_board board = f->lint->game->start;
    qp_past past = {0};
    size_t plies = 0;
    int value[FORK], best = INT32_MIN;
    int32_t cost[FORK], again[FORK];
    for (int32_t s = f->steps[fork[0]].before; s >= 0; s = f->steps[s].before)
        f->path[plies++] = f->steps[s].move;
    while (plies-- > 0) {
        past = qp_past_after(past, &board, f->path[plies]);
        qp_board_play(&board, f->path[plies]);
    }
    f->priced.count = qp_player_costs(&board, &past, f->priced.moves, f->priced.costs);
    for (size_t i = 0; i < count; i++) {
        value[i] = qp_foresee(f->foresight, &board, f->steps[fork[i]].move, DEPTH,
                              best == INT32_MIN ? -QP_FORESEEN_MAX : best - 1000);
        cost[i] = cost_in(&f->priced, f->steps[fork[i]].move);
        if (value[i] > best)
            best = value[i];
    }
    for (size_t i = 0; i < count; i++)
        again[i] = cost[i] * 70 / 100 + cost_behind(best - value[i]);
    int32_t all = qp_player_any(cost, count), all_again = qp_player_any(again, count);
    for (size_t i = 0; i < count; i++)
        extra[fork[i]] = again[i] - all_again - (cost[i] - all);
}

static int by_before(const void *a, const void *b)
{
    const step *const *x = a, *const *y = b;
    if ((*x)->before != (*y)->before)
        return (*x)->before < (*y)->before ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static void weigh_again(follower *f)
{
    enum { FIRST = 40, NEAR = 700 };
    lines *now = &f->now;
    size_t top = 0, marked = 0;
    while (top < now->count && top < FIRST &&
           now->line[top].score <= now->line[0].score + NEAR)
        top++;
    if (top < 2)
        return;
    uint8_t *seen = calloc(f->step_count, 1);
    int32_t *extra = calloc(f->step_count, sizeof *extra);
    const step **list = malloc(f->step_count * sizeof *list);
    f->path = malloc(f->step_count * sizeof *f->path);
    f->foresight = qp_foresight_new();
    if (f->foresight == NULL || seen == NULL || extra == NULL || list == NULL ||
        f->path == NULL) {
        f->failed = true;
    } else {
        for (size_t i = 0; i < top; i++)
            for (int32_t s = now->line[i].last; s >= 0 && !seen[s];
                 s = f->steps[s].before) {
                seen[s] = 1;
                if (f->steps[s].choice)
                    list[marked++] = &f->steps[s];
            }
        qsort(list, marked, sizeof *list, by_before);
        for (size_t i = 0, n; i < marked; i += n) {
            uint32_t fork[FORK];
            for (n = 1; i + n < marked && list[i + n]->before == list[i]->before; n++)
                ;
            for (size_t k = 0; k < n && k < FORK; k++)
                fork[k] = (uint32_t)(list[i + k] - f->steps);
            if (n > 1)
                part(f, fork, n < FORK ? n : FORK, extra);
        }
        now->count = top;
        for (size_t i = 0; i < top; i++)
            for (int32_t s = now->line[i].last; s >= 0; s = f->steps[s].before)
                now->line[i].score += extra[s];
        qsort(now->line, top, sizeof *now->line, by_score);
    }
    qp_foresight_free(f->foresight);
    free(f->path);
    free(list);
    free(extra);
    free(seen);
}

/* ---- what is told of it ---- */

typedef struct path {
    qp_passed *way;
    bool *choices;
    size_t count;
    bool settled; /* nothing was open or inserted so far: all readings agree */
    qp_ways *ways;
} path;

static bool trace(const follower *f, const line *l, path *p, size_t room)
{
    size_t count = 0;
    for (int32_t s = l->last; s >= 0; s = f->steps[s].before)
        count++;
    if (count > room)
        return false;
    p->count = count;
    p->settled = true;
    for (int32_t s = l->last; s >= 0 && count-- > 0; s = f->steps[s].before) {
        p->way[count] = (qp_passed){f->steps[s].move, f->steps[s].clue};
        p->choices[count] = f->steps[s].choice;
        p->settled &= f->steps[s].clue != UINT32_MAX;
    }
    return true;
}

/* Where else the games that are left go at a ply; the nearest of them in *lead. */
static size_t others(const follower *f, const path *best, size_t ply, qp_move moves[4],
                     uint32_t *lead)
{
    size_t count = 0;
    *lead = UINT32_MAX;
    for (size_t i = 1; i < f->now.count; i++) {
        size_t n = 0;
        int32_t at = -1;
        for (int32_t s = f->now.line[i].last; s >= 0; s = f->steps[s].before)
            n++;
        size_t back = n;
        for (int32_t s = f->now.line[i].last; s >= 0; s = f->steps[s].before)
            if (--back == ply) {
                at = s;
                break;
            }
        if (at < 0 || f->steps[at].move == best->way[ply].move)
            continue;
        uint32_t behind = (uint32_t)(f->now.line[i].score - f->now.line[0].score);
        if (behind < *lead)
            *lead = behind;
        bool seen = false;
        for (size_t k = 0; k < count; k++)
            seen |= moves[k] == f->steps[at].move;
        if (!seen && count < 4)
            moves[count++] = f->steps[at].move;
    }
    return count;
}

/* Whether the card can be read to its end in another way from here; adds those ways to
 * the others. */
static bool stays_open(const follower *f, const path *best, size_t ply,
                       const qp_board *board, qp_move others[4], size_t *count)
{
    const qp_linting *lint = f->lint;
    qp_move moves[8];
    unsigned pick;
    size_t readings = qp_resolve(board, &lint->clues.clue[best->way[ply].clue].written,
                                 lint->base, moves, &pick);
    for (size_t i = 0; i < readings; i++) {
        bool known = moves[i] == best->way[ply].move;
        for (size_t k = 0; k < *count; k++)
            known |= others[k] == moves[i];
        if (!known && *count < 4 &&
            (best->ways == NULL || qp_ways_go(best->ways, board, ply, moves[i]) != QP_NO))
            others[(*count)++] = moves[i];
    }
    return *count != 0;
}

static void tell_ply(follower *f, path *best, size_t i, const qp_board *board)
{
    qp_linting *lint = f->lint;
    qp_record *record = lint->record;
    qp_move other[4];
    uint32_t lead;
    uint32_t ply = (uint32_t)i + 1;
    bool inserted = best->way[i].clue == UINT32_MAX;
    size_t count = others(f, best, i, other, &lead);
    qp_certainty sure = lead <= OPEN ? QP_POSSIBLE : QP_LIKELY;
    qp_report *report;
    if (inserted) {
        uint32_t next =
            i + 1 < best->count ? best->way[i + 1].clue : (uint32_t)lint->clues.count - 1;
        const qp_clue *clue = &lint->clues.clue[next];
        report = qp_record_report(record, QP_D_move_missing, clue->at, clue->len, NULL,
                                  "%s's move is missing before this",
                                  board->side == QP_RED ? "red" : "black");
        if (report != NULL)
            report->missing = 1;
        qp_told told = {best->way[i].move, UINT32_MAX, -1};
        uint32_t place = next;
        if (board->side == QP_BLACK && place > 0 &&
            lint->clues.clue[place - 1].kind == QP_CLUE_NUMBER)
            place--;
        const qp_clue *mark = place > 0 ? &lint->clues.clue[place - 1] : NULL;
        if (mark != NULL && (mark->kind == QP_CLUE_BLANK || mark->kind == QP_CLUE_DOTS))
            qp_change_add(lint, mark->at, mark->len,
                          qp_change_spell(lint, board, best->way[i].move, NULL), sure);
        else
            qp_change_insert(lint, &told, 1, board, place, ply, sure);
    } else {
        const qp_clue *clue = &lint->clues.clue[best->way[i].clue];
        qp_str text = qp_change_spell(lint, board, best->way[i].move, clue);
        bool open = stays_open(f, best, i, board, other, &count);
        best->settled &= !open;
        if (best->settled)
            sure = QP_CERTAIN;
        report =
            open ? qp_record_report(record, QP_D_move_ambiguous, clue->at, clue->len,
                                    "ambiguous-abbrev",
                                    "the direction is left out, and the moves behind it "
                                    "do not decide")
                 : qp_record_report(
                       record, QP_D_notation_style, clue->at, clue->len, "way-missing",
                       "the direction is left out; the moves behind it decide");
        qp_change_add(lint, clue->at, clue->len, text, sure);
    }
    qp_lint_about(lint, report, board, ply);
    for (size_t k = 0; k <= count; k++) {
        qp_move move = k == 0 ? best->way[i].move : other[k - 1];
        if (board->at[QP_FROM(move)] != 0)
            qp_report_suggest(record, report, qp_change_spell(lint, board, move, NULL),
                              move, k == 0 ? sure : QP_POSSIBLE);
    }
}

static bool replaced(qp_code code, const char *detail)
{
    return (code >= QP_D_move_unreadable && code <= QP_D_move_after_end) ||
           code == QP_D_number_gap || code == QP_D_number_wrong ||
           (code == QP_D_notation_style && detail != NULL &&
            strcmp(detail, "way-missing") == 0);
}

static void tell(follower *f)
{
    qp_linting *lint = f->lint;
    size_t room = lint->clues.count * 2 + 2;
    path best = {.way = malloc(room * sizeof *best.way),
                 .choices = malloc(room * sizeof *best.choices)};
    qsort(f->now.line, f->now.count, sizeof *f->now.line, by_score);
    weigh_again(f);
    if (best.way != NULL && best.choices != NULL &&
        trace(f, &f->now.line[0], &best, room)) {
        qp_record *record = lint->record;
        size_t kept = 0;
        for (size_t i = 0; i < record->report_count; i++)
            if (!replaced(record->reports[i].code, record->reports[i].detail))
                record->reports[kept++] = record->reports[i];
        record->report_count = kept;
        best.ways = qp_ways_new(lint, best.way, best.count);
        qp_board board = lint->game->start;
        for (size_t i = 0; i < best.count; i++) {
            if (best.choices[i])
                tell_ply(f, &best, i, &board);
            qp_board_play(&board, best.way[i].move);
        }
    }
    qp_ways_free(best.ways);
    free(best.way);
    free(best.choices);
}

bool qp_lint_short(qp_linting *lint)
{
    const qp_clues *clues = &lint->clues;
    size_t short_moves = 0;
    for (size_t i = 0; i < clues->count; i++)
        short_moves += clues->clue[i].kind == QP_CLUE_MOVE &&
                       clues->clue[i].written.form != QP_FORM_NONE &&
                       clues->clue[i].written.way == QP_WAY_NONE &&
                       clues->clue[i].written.form != QP_FORM_COORD;
    if (short_moves == 0 || short_moves * 4 < clues->moves || clues->count > CLUES_MAX)
        return false;
    follower *f = calloc(1, sizeof *f);
    if (f == NULL)
        return false;
    f->lint = lint;
    f->now.count = 1;
    f->now.line[0] = (line){.board = lint->game->start, .last = -1};
    for (uint32_t i = 0; i < clues->count && f->now.count != 0 && !f->failed;) {
        uint32_t moves[2], next;
        size_t count = round_of(clues, i, moves, &next);
        bool numbered = clues->clue[i].kind == QP_CLUE_NUMBER;
        bool dots = i + 1 < clues->count && clues->clue[i + 1].kind == QP_CLUE_DOTS;
        if (numbered && count == 1 && next < clues->count &&
            f->now.line[0].board.side == QP_RED) {
            if (dots) {
                insert_any(f, &f->now);
                turn(f);
                follow(f, moves[0]);
            } else {
                follow_torn(f, moves[0]);
            }
        } else {
            for (uint32_t k = i; k < next && f->now.count != 0; k++)
                if (clues->clue[k].kind != QP_CLUE_NUMBER &&
                    clues->clue[k].kind != QP_CLUE_DOTS && !clues->clue[k].weak)
                    follow(f, k);
        }
        i = next > i ? next : i + 1;
    }
    bool whole = f->now.count != 0 && !f->failed;
    if (whole)
        tell(f);
    free(f->steps);
    free(f);
    return whole;
}
