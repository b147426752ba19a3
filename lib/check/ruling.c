/* What the rules say of a whole game: the loop that decides, findings for each position
 * that came up the third time and for the natural move limit. */
#include "config.h"

#include "check/ruling.h"

#include <stdio.h>

/* So many loops of one game are reported; the others are like them. */
#define LOOPS_MAX 8
#define LIMITS_MAX 8 /* findings of that kind */

typedef struct loops {
    qp_cycle cycle[LOOPS_MAX];
    uint32_t mixed[LOOPS_MAX]; /* how often the position came up, where its plies vary */
    uint32_t third[LOOPS_MAX]; /* the ply after which a position came up the third time */
    size_t count;
} loops;

/* ---- finding them ---- */

static bool better(const qp_cycle *a, const qp_cycle *b)
{
    return a->passes > b->passes || (a->passes == b->passes && a->period < b->period);
}

/* The first third occurrence in [from, to] that no loop from first on covers, or
 * QP_NO_PLY.
 */
static uint32_t third_in(const qp_run *run, uint32_t from, uint32_t to,
                         const loops *found, size_t first)
{
    for (uint32_t i = from; i <= to; i++) {
        if (QP_LIKELY_TO(run->nth[i] != 3))
            continue;
        bool covered = false;
        for (size_t k = first; k < found->count && !covered; k++)
            covered = i >= found->cycle[k].start && i <= found->cycle[k].end;
        if (!covered)
            return i;
    }
    return QP_NO_PLY;
}

/* The position of a stretch that came up most often, so many times: the first of them. */
static uint32_t commonest(const qp_run *run, uint32_t from, uint32_t to, uint32_t most)
{
    uint32_t best = to;
    for (uint32_t i = from; i <= to; i++)
        if (QP_RARE(run->nth[i] == most))
            best = run->first[i] < best ? run->first[i] : best;
    return best;
}

static void add_loop(loops *found, const qp_cycle *cycle, uint32_t mixed, uint32_t third)
{
    if (found->count == LOOPS_MAX)
        return;
    found->cycle[found->count] = *cycle;
    found->mixed[found->count] = mixed;
    found->third[found->count++] = third;
}

/* A position that comes up by different plies, from its first occurrence on. */
static qp_cycle ways_back(const qp_run *run, uint32_t position, uint32_t to)
{
    qp_cycle cycle = {.start = position};
    for (uint32_t i = position + 1; i <= to; i++)
        if (run->first[i] == position) {
            if (cycle.period == 0)
                cycle.period = i - position;
            cycle.end = i;
        }
    cycle.passes = 1;
    return cycle;
}

static void find_in_stretch(const qp_run *run, const qp_ruleset *rules,
                            const qp_stretch *stretch, loops *found)
{
    uint32_t from = stretch->from, to = stretch->to;
    uint32_t parts[2 * LOOPS_MAX][2] = {{from, to}};
    size_t part_count = 1, first = found->count;
    uint32_t most = 0;
    /* The last place is for a position that comes up by different plies. */
    for (size_t i = 0; i < part_count && found->count < LOOPS_MAX - 1; i++) {
        uint32_t low = parts[i][0], high = parts[i][1];
        qp_cycle c;
        if (!qp_run_cycle(run, low, high, &c) || c.passes < 2)
            continue;
        add_loop(found, &c, 0, c.start + 2 * c.period);
        most = c.passes > most ? c.passes : most;
        if (part_count + 2 > QP_COUNT(parts))
            continue;
        parts[part_count][0] = low;
        parts[part_count++][1] = c.start;
        parts[part_count][0] = c.end;
        parts[part_count++][1] = high;
    }
    uint32_t position = commonest(run, from, to, stretch->most);
    uint32_t third = third_in(run, from, to, found, first);
    if (run->times[position] <= rules->claim_passes || most >= rules->claim_passes) {
        if (third == QP_NO_PLY)
            return;
        position = run->first[third];
    } else {
        for (uint32_t i = position; i <= to && i < third; i++)
            if (run->first[i] == position && run->nth[i] == 3)
                third = i;
    }
    qp_cycle c = ways_back(run, position, to);
    add_loop(found, &c, run->times[position], third);
}

/* ---- reporting ---- */

/* Where a ply of the main line stands in the record's text; false: nowhere. */
static bool place_of(const qp_record *record, uint32_t ply, size_t *at, size_t *len)
{
    size_t depth = 0;
    if (record->rounds != NULL)
        return qp_rounds_place(record, ply, at, len);
    for (size_t i = 0; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN)
            depth++;
        else if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        else if (e->kind == QP_EV_MOVE && depth == 0 && --ply == 0) {
            *at = e->at;
            *len = e->len;
            return true;
        }
    }
    return false;
}

static qp_report *report_at(qp_checking *c, const qp_run *run, qp_code code, uint32_t ply,
                            const char *detail, const char *message)
{
    qp_record *record = c->record;
    size_t at, len;
    qp_report *report =
        ply != 0 && place_of(record, ply, &at, &len)
            ? qp_record_report(record, code, at, len, detail, "%s", message)
            : qp_record_remark(record, code, detail, "%s", message);
    if (report == NULL || ply == 0)
        return report;
    qp_board board;
    char fen[QP_FEN_MAX];
    qp_run_board(run, ply - 1, &board);
    report->ply = ply;
    report->has_side = true;
    report->side = (qp_side)board.side;
    report->fen = qp_arena_str(record->arena, fen, qp_fen_write(&board, fen)).data;
    return report;
}

static const char *ordinal(uint32_t n)
{
    static const char *const ends[10] = {"th", "st", "nd", "rd", "th",
                                         "th", "th", "th", "th", "th"};
    return n % 100 / 10 == 1 ? "th" : ends[n % 10];
}

static const char *verdict_text(qp_verdict verdict)
{
    static const char *const texts[] = {
        [QP_VERDICT_NONE] = "nothing follows",
        [QP_VERDICT_DRAW] = "it is a draw",
        [QP_VERDICT_RED_LOSES] = "red loses",
        [QP_VERDICT_BLACK_LOSES] = "black loses",
        [QP_VERDICT_RED_MUST_CHANGE] = "red must change",
        [QP_VERDICT_BLACK_MUST_CHANGE] = "black must change",
        [QP_VERDICT_NEEDS_ARBITER] = "an arbiter must decide",
    };
    return texts[verdict];
}

/* "red: check, idle, check, idle (one check, one idle; 一将一闲)" */
static void add_side(qp_buf *out, const qp_loop *loop, qp_side side)
{
    enum { SHOWN = 12 };
    unsigned shown = 0;
    qp_buf_add_text(out, side == QP_RED ? "; red: " : "; black: ");
    for (size_t i = 0; i < loop->ply_count; i++) {
        const qp_loop_ply *ply = &loop->plies[i];
        if (ply->side != side)
            continue;
        if (shown == SHOWN) {
            qp_buf_add_text(out, " \xe2\x80\xa6");
            break;
        }
        qp_buf_add_text(out, shown++ ? ", " : "");
        qp_buf_add_text(out, qp_attack_name(ply->attack));
        qp_buf_add_text(out, ply->doubtful ? "?" : "");
    }
    qp_buf_printf(out, " (%s; %s)", qp_term(loop->name[side], QP_ENGLISH),
                  loop->name[side]);
}

static void add_possible(qp_buf *out, const qp_loop *loop)
{
    const char *before = "; possible: ";
    for (unsigned verdict = 0; verdict < QP_VERDICT_NEEDS_ARBITER; verdict++) {
        if (!(loop->possible >> verdict & 1))
            continue;
        qp_buf_add_text(out, before);
        qp_buf_add_text(out, qp_term(qp_verdict_name((qp_verdict)verdict), QP_ENGLISH));
        before = ", ";
    }
}

static void report_loop(qp_checking *c, const qp_run *run, const qp_ruleset *rules,
                        const qp_loop *loop, uint32_t third)
{
    char message[256];
    uint32_t times = loop->occurrences;
    const char *ruling = verdict_text(loop->tends);
    if (loop->verdict == QP_VERDICT_NONE)
        snprintf(
            message, sizeof message,
            "the position came up the third time, too seldom for a ruling by %s; if it "
            "goes on, %s (%s)",
            rules->name, ruling, loop->reason);
    else
        snprintf(message, sizeof message,
                 "the position came up the third time; by %s %s (%s)", rules->name,
                 ruling, loop->reason);
    qp_report *report = report_at(c, run, QP_D_repetition, third,
                                  qp_verdict_name(loop->verdict), message);
    if (report == NULL)
        return;
    qp_buf note = {0};
    if (loop->mixed)
        qp_buf_printf(&note,
                      "the position after ply %u comes up %u times by different plies; on the "
                      "first way back",
                      (unsigned)loop->start_ply, (unsigned)times);
    else
        qp_buf_printf(&note,
                      "plies %u to %u are played %u times, so that the position comes up "
                      "the %u%s time",
                      (unsigned)loop->start_ply + 1,
                      (unsigned)(loop->start_ply + loop->period), (unsigned)loop->passes,
                      (unsigned)times, ordinal(times));
    add_side(&note, loop, loop->plies[0].side);
    add_side(&note, loop, QP_OTHER(loop->plies[0].side));
    if (loop->tends == QP_VERDICT_NEEDS_ARBITER)
        add_possible(&note, loop);
    for (unsigned bit = 1; bit <= loop->doubts; bit <<= 1)
        if (loop->doubts & bit)
            qp_buf_printf(&note, "; doubt: %s",
                          qp_term(qp_doubt_name((qp_doubt)bit), QP_ENGLISH));
    if (!note.failed)
        report->note = qp_arena_str(c->record->arena, note.data, note.len);
    qp_buf_clear(&note);
}

/* "; black: 61 plies, 12 of them checks, 59 count, could not claim" */
static void add_claim(qp_buf *out, const qp_ruleset *rules, const qp_limit_count *limit,
                      qp_side side)
{
    uint32_t plies = limit->plies[side], checks = limit->checks[side];
    qp_buf_printf(out, "; %s: %u plies, %u of them checks",
                  side == QP_RED ? "red" : "black", (unsigned)plies, (unsigned)checks);
    if (limit->counted[side] != plies)
        qp_buf_printf(out, ", %u count", (unsigned)limit->counted[side]);
    if (rules->limit_ends)
        return;
    if (limit->can_claim[side])
        qp_buf_printf(out, ", could claim from ply %u", (unsigned)limit->claim_ply[side]);
    else
        qp_buf_add_text(out, ", could not claim");
}

static void report_limit(qp_checking *c, const qp_run *run, const qp_ruleset *rules,
                         const qp_limit_count *limit)
{
    char message[256];
    uint32_t red = limit->can_claim[QP_RED] ? limit->claim_ply[QP_RED] : UINT32_MAX;
    uint32_t black = limit->can_claim[QP_BLACK] ? limit->claim_ply[QP_BLACK] : UINT32_MAX;
    uint32_t ply = red < black ? red : black;
    if (ply == c->game->plies && c->game->end != QP_END_NONE)
        snprintf(message, sizeof message,
                 "%u rounds without a capture, but the last move ends the game (%s)",
                 (unsigned)rules->limit_rounds, rules->name);
    else if (rules->limit_ends)
        snprintf(message, sizeof message,
                 "%u rounds without a capture: the game is drawn (%s)",
                 (unsigned)rules->limit_rounds, rules->name);
    else
        snprintf(message, sizeof message,
                 "%u rounds without a capture: %s could claim a draw (%s)",
                 (unsigned)rules->limit_rounds,
                 red == black  ? "either side"
                 : red < black ? "red"
                               : "black",
                 rules->name);
    qp_report *report = report_at(c, run, QP_D_move_limit, ply,
                                  limit->uncertain ? "uncertain" : NULL, message);
    if (report == NULL)
        return;
    qp_buf note = {0};
    uint32_t plies = limit->end_ply - limit->start_ply;
    qp_buf_printf(&note, "plies %u to %u capture nothing", (unsigned)limit->start_ply + 1,
                  (unsigned)limit->end_ply);
    if (limit->since_capture > plies)
        qp_buf_printf(&note, ", nor %u before the record's first",
                      (unsigned)(limit->since_capture - plies));
    add_claim(&note, rules, limit, QP_RED);
    add_claim(&note, rules, limit, QP_BLACK);
    qp_buf_printf(&note,
                  rules->limit_ends ? "; of a side's checks %u count, and their answers"
                                    : "; of the claimant's own checks %u count",
                  (unsigned)rules->limit_checks);
    if (!note.failed)
        report->note = qp_arena_str(c->record->arena, note.data, note.len);
    qp_buf_clear(&note);
}

/* ---- the game ---- */

/* The loop that the verdict is of: the best of the very same plies, unless it is passed
 * too seldom and some position came up often enough. */
static size_t choose(const loops *found, const qp_ruleset *rules)
{
    size_t same = found->count, mixed = found->count;
    for (size_t i = 0; i < found->count; i++) {
        if (found->mixed[i] == 0 &&
            (same == found->count || better(&found->cycle[i], &found->cycle[same])))
            same = i;
        if (found->mixed[i] != 0 &&
            (mixed == found->count || found->mixed[i] > found->mixed[mixed]))
            mixed = i;
    }
    if (mixed == found->count)
        return same;
    if (same == found->count)
        return mixed;
    return found->cycle[same].passes < rules->claim_passes &&
                   found->mixed[mixed] > rules->claim_passes
               ? mixed
               : same;
}

/* What is said of a loop that came up too seldom for a ruling, when nobody asks where it
 * tends. */
static void report_seldom(qp_checking *c, const qp_run *run, const qp_ruleset *rules,
                          const qp_cycle *cycle, uint32_t third)
{
    qp_buf text = {0};
    qp_buf_add_text(&text, "the position came up the third time, too seldom for a ruling by ");
    qp_buf_add(&text, rules->name, strlen(rules->name) + 1);
    qp_report *report = text.failed
                            ? NULL
                            : report_at(c, run, QP_D_repetition, third,
                                        qp_verdict_name(QP_VERDICT_NONE), text.data);
    text.len = 0;
    qp_buf_add_text(&text, "it first stood after ply ");
    qp_buf_add_number(&text, cycle->start);
    if (report != NULL && cycle->start == 0)
        report->note = QP_STR("it first stood at the start");
    else if (report != NULL && !text.failed)
        report->note = qp_arena_str(c->record->arena, text.data, text.len);
    qp_buf_clear(&text);
}

static bool judge_loops(qp_checking *c, const qp_run *run, const qp_ruleset *rules,
                        bool tendencies, const loops *found, qp_judgement *judgement)
{
    size_t main = choose(found, rules);
    for (size_t i = 0; i < found->count; i++) {
        uint32_t passes = found->mixed[i] != 0 ? found->mixed[i] - 1 : found->cycle[i].passes;
        if (passes < rules->claim_passes && !tendencies) {
            report_seldom(c, run, rules, &found->cycle[i], found->third[i]);
            continue;
        }
        const qp_loop *loop =
            qp_loop_judge(run, c->record->arena, rules, &found->cycle[i], found->mixed[i],
                          QP_JUDGE_NODES);
        if (loop == NULL)
            return false;
        report_loop(c, run, rules, loop, found->third[i]);
        if (i == main)
            judgement->loop = loop;
    }
    if (judgement->loop == NULL)
        return true;
    judgement->verdict = judgement->loop->verdict;
    if (judgement->verdict != QP_VERDICT_NONE)
        judgement->reason = judgement->loop->reason;
    return true;
}

const qp_judgement *qp_judge(qp_checking *c, const qp_ruleset *rules, bool tendencies)
{
    const qp_game *game = c->game;
    qp_arena *arena = c->record->arena;
    qp_judgement *judgement = qp_arena_zero(arena, sizeof *judgement);
    qp_run run;
    if (judgement == NULL)
        return NULL;
    judgement->rules = rules;
    if (!c->record->may_repeat &&
        c->record->longest_quiet < 2u * rules->limit_rounds)
        return judgement;
    const qp_move *moves = c->record->rounds != NULL ? c->record->rounds->moves : NULL;
    if (!qp_run_read(&run, arena, &game->start, game->first, moves, game->plies))
        return NULL;
    loops found = {.count = 0};
    unsigned limits = 0;
    qp_stretch stretch = {.next = 0};
    while (qp_run_stretch(&run, &stretch)) {
        if (stretch.most >= 3)
            find_in_stretch(&run, rules, &stretch, &found);
        uint32_t before = stretch.from == 0 ? game->start.quiet : 0;
        if (stretch.to - stretch.from + before < 2u * rules->limit_rounds)
            continue;
        qp_limit_count limit;
        qp_limit_judge(&run, rules, &stretch, &limit);
        if (!limit.reached)
            continue;
        judgement->limit = limit;
        if (limits++ < LIMITS_MAX)
            report_limit(c, &run, rules, &limit);
    }
    if (found.count != 0 && !judge_loops(c, &run, rules, tendencies, &found, judgement))
        return NULL;
    if (rules->limit_ends && judgement->limit.draw_by_count &&
        judgement->verdict == QP_VERDICT_NONE) {
        judgement->verdict = QP_VERDICT_DRAW;
        judgement->reason = "move-limit";
    }
    return judgement;
}
