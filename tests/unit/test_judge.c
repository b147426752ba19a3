/* The judge of repetition and of the move limit: loops, classes, verdicts, counts. */
#include "config.h"

#include <criterion/criterion.h>

#include "check/chase.h"
#include "check/ruling.h"
#include "table.h"

static qp_arena arena;

static void set_up(void)
{
    qp_arena_init(&arena);
}

static void tear_down(void)
{
    qp_arena_clear(&arena);
}

TestSuite(judge, .init = set_up, .fini = tear_down);

static void read_fen(const char *fen, qp_board *board)
{
    qp_fen_report report;
    qp_fen_read((qp_str){fen, strlen(fen)}, board, &report);
}

/* Moves parted by blanks, so many times over, as a line; *plies is counted up. */
static qp_node *make_line(const char *moves, unsigned times, uint32_t *plies)
{
    qp_node *first = NULL, *last = NULL;
    *plies = 0;
    for (unsigned i = 0; i < times; i++)
        for (const char *at = moves; strlen(at) >= 4; at += strspn(at, " ")) {
            qp_move move = QP_MOVE(QP_SQUARE(at[0] - 'a', at[1] - '0'),
                                   QP_SQUARE(at[2] - 'a', at[3] - '0'));
            qp_node *node = qp_tree_node(&arena, move);
            node->prev = last;
            if (last != NULL)
                last->next = node;
            else
                first = node;
            last = node;
            at += 4;
            ++*plies;
        }
    return first;
}

/* A line over a board that outlives it. */
static qp_run read_run(const qp_board *board, const char *moves, unsigned times)
{
    qp_run run;
    uint32_t plies;
    qp_node *first = make_line(moves, times, &plies);
    cr_assert(qp_run_read(&run, &arena, board, first, NULL, plies));
    return run;
}

/* The loop of the whole line with most passes. */
static qp_cycle best_cycle(const qp_run *run)
{
    qp_stretch stretch = {.next = 0};
    qp_cycle best = {0}, cycle;
    while (qp_run_stretch(run, &stretch))
        if (qp_run_cycle(run, stretch.from, stretch.to, &cycle) &&
            (cycle.passes > best.passes ||
             (cycle.passes == best.passes && cycle.period < best.period)))
            best = cycle;
    return best;
}

static const qp_loop *judge(const char *fen, const char *moves, unsigned times,
                            const char *rules)
{
    static qp_board board;
    read_fen(fen, &board);
    qp_run run = read_run(&board, moves, times);
    qp_cycle cycle = best_cycle(&run);
    return qp_loop_judge(&run, &arena, qp_ruleset_find(rules), &cycle, 0, QP_JUDGE_NODES);
}

static const char *offender(const qp_loop *loop)
{
    switch (loop->tends) {
    case QP_VERDICT_RED_LOSES:
    case QP_VERDICT_RED_MUST_CHANGE:
        return "red";
    case QP_VERDICT_BLACK_LOSES:
    case QP_VERDICT_BLACK_MUST_CHANGE:
        return "black";
    case QP_VERDICT_DRAW:
        return "none";
    default:
        return "arbiter";
    }
}

static void classes(const qp_loop *loop, qp_side side, char *text)
{
    *text = '\0';
    for (size_t i = 0; i < loop->ply_count; i++) {
        if (loop->plies[i].side != side)
            continue;
        strcat(text, *text ? "," : "");
        strcat(text, qp_attack_name(loop->plies[i].attack));
        strcat(text, loop->plies[i].doubtful ? "?" : "");
    }
}

Test(judge, loops_of_own_making)
{
    static const char *const rulesets[] = {"cxa-1999",  "cxa-2007", "cxa-2011", "cxa-2020",
                                           "axf", "wxf-2018", "engine-3fold"};
    static const int column[] = {4, 5, 5, 5, 6, 6, 6};
    table t;
    cr_assert(table_open(&t, "judge.tsv"));
    while (table_next(&t)) {
        for (size_t i = 0; i < QP_COUNT(rulesets); i++) {
            qp_arena_rewind(&arena);
            const qp_loop *loop = judge(t.field[0], t.field[1], 4, rulesets[i]);
            cr_assert_not_null(loop);
            cr_expect_str_eq(offender(loop), t.field[column[i]], "row %d, %s", t.row,
                             rulesets[i]);
            char text[256];
            for (int side = QP_RED; side <= QP_BLACK && column[i] == 5; side++) {
                classes(loop, (qp_side)side, text);
                cr_expect_str_eq(text, t.field[2 + side], "row %d, side %d", t.row, side);
            }
        }
    }
}

#define CHECKS "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a8a9 d9d8 a9a8 d8d9"
#define CHASES "4ka3/4a4/9/9/R8/9/2n6/9/9/3K5 w - - 0 1", "a5a3 c3d5 a3a5 d5c3"

Test(judge, passes_decide_between_a_warning_and_a_loss)
{
    static const struct {
        const char *fen, *moves;
        unsigned passes;
        const char *rules, *verdict, *state;
    } rows[] = {
        {CHECKS, 2, "cxa-2011", "none", "below-threshold"},
        {CHECKS, 3, "cxa-2011", "red-loses", "pending"},
        {CHECKS, 4, "cxa-2011", "red-loses", "repeated"},
        {CHECKS, 3, "axf", "red-must-change", "pending"},
        {CHECKS, 4, "axf", "red-loses", "repeated"},
        {CHECKS, 2, "engine-3fold", "red-loses", "pending"},
        {CHASES, 2, "cxa-2011", "none", "below-threshold"},
        {CHASES, 3, "cxa-2011", "red-must-change", "pending"},
        {CHASES, 4, "cxa-2011", "red-loses", "repeated"},
        {CHASES, 3, "axf", "red-must-change", "pending"},
        {CHASES, 5, "axf", "red-must-change", "repeated"},
        {CHASES, 6, "axf", "red-loses", "repeated"},
        {CHASES, 3, "wxf-2018", "red-loses", "pending"},
        {CHASES, 2, "engine-3fold", "red-loses", "pending"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        const qp_loop *loop =
            judge(rows[i].fen, rows[i].moves, rows[i].passes, rows[i].rules);
        cr_expect_str_eq(qp_verdict_name(loop->verdict), rows[i].verdict, "row %zu", i);
        cr_expect_str_eq(loop->state, rows[i].state, "row %zu", i);
        cr_expect_eq(loop->passes, rows[i].passes, "row %zu", i);
        cr_expect_eq(loop->occurrences, rows[i].passes + 1, "row %zu", i);
    }
}

Test(judge, what_is_said_of_a_loop)
{
    const qp_loop *loop = judge(CHECKS, 3, "cxa-2011");
    cr_expect_str_eq(loop->reason, "perpetual-check");
    cr_expect_str_eq(loop->name[QP_RED], "长将");
    cr_expect_str_eq(loop->name[QP_BLACK], "闲着");
    cr_expect_eq(loop->grade, QP_GRADE_CERTAIN);
    cr_expect(loop->forbidden[QP_RED] && !loop->forbidden[QP_BLACK]);
    loop = judge(CHASES, 3, "wxf-2018");
    cr_expect_str_eq(loop->reason, "perpetual-chase");
    cr_assert_eq(loop->plies[0].pair_count, 1);
    cr_expect_eq(loop->plies[0].pairs[0].from, QP_SQUARE(0, 3));
    cr_expect_eq(loop->plies[0].pairs[0].to, QP_SQUARE(2, 3));
    cr_expect_eq(loop->plies[0].pairs[0].attacker, QP_PIECE(QP_RED, QP_ROOK));
    cr_expect_eq(loop->plies[0].pairs[0].target, QP_PIECE(QP_BLACK, QP_HORSE));
}

/* By a ruleset that allows mixtures of attacks, they are not forbidden. */
Test(judge, what_a_ruleset_forbids)
{
    static const char position_of[] = "3k5/9/9/9/R8/9/9/9/9/4K4 w - - 0 1";
    static const char moves[] = "a5a9 d9d8 a9a5 d8d9";
    const qp_loop *loop = judge(position_of, moves, 3, "cxa-2011");
    cr_expect(loop->forbidden[QP_RED] && loop->may_forbidden[QP_RED]);
    loop = judge(position_of, moves, 3, "wxf-2018");
    cr_expect(!loop->forbidden[QP_RED] && !loop->may_forbidden[QP_RED]);
    cr_expect_eq(loop->possible, 1u << QP_VERDICT_DRAW);
    loop = judge(CHASES, 3, "cxa-2011");
    cr_expect_eq(loop->doubts, QP_DOUBT_BOUND);
    cr_expect_eq(loop->plies[0].doubts | loop->plies[1].doubts | loop->plies[2].doubts, 0);
    cr_expect_eq(loop->plies[3].doubts, QP_DOUBT_BOUND);
    loop = judge(CHASES, 3, "wxf-2018");
    cr_expect(loop->forbidden[QP_RED] && !loop->forbidden[QP_BLACK]);
    cr_expect_eq(loop->possible, 1u << QP_VERDICT_RED_LOSES);
    cr_expect_eq(loop->return_count, 0);
}

/* A position that comes up by different plies: when it stood; where the ways back are judged
 * differently, both verdicts are possible. */
Test(judge, ways_back)
{
    static const struct {
        const char *fen, *moves;
        uint32_t returns[4];
        qp_verdict tends;
        unsigned possible;
    } rows[] = {
        {"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
         "e0e1 d9d8 e1e0 d8d9 e0f0 d9d8 f0e0 d8d9 e0e1 d9d8 e1e0 d8d9",
         {0, 4, 8, 12}, QP_VERDICT_DRAW, 1u << QP_VERDICT_DRAW},
        {"3k5/R8/9/9/9/9/9/9/9/5K3 w - - 0 1",
         "a8a9 d9d8 a9a8 d8d9 a8a4 d9d8 a4a8 d8d9 a8a9 d9d8 a9a8 d8d9",
         {0, 4, 8, 12}, QP_VERDICT_NEEDS_ARBITER,
         1u << QP_VERDICT_DRAW | 1u << QP_VERDICT_RED_MUST_CHANGE},
        /* It checks for ever on one way and threatens mate on another. */
        {"3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1",
         "a8a9 d9d8 a9a8 d8d9 a8a4 d9d8 a4a8 d8d9 a8a9 d9d8 a9a8 d8d9",
         {0, 4, 8, 12}, QP_VERDICT_RED_MUST_CHANGE, 1u << QP_VERDICT_RED_MUST_CHANGE},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        read_fen(rows[i].fen, &board);
        qp_run run = read_run(&board, rows[i].moves, 1);
        qp_cycle cycle = {.start = 0, .period = 4, .passes = 1, .end = 12};
        const qp_loop *loop = qp_loop_judge(&run, &arena, qp_ruleset_find("cxa-2011"), &cycle,
                                            4, QP_JUDGE_NODES);
        cr_expect_eq(loop->tends, rows[i].tends, "row %zu: %s", i,
                     qp_verdict_name(loop->tends));
        cr_expect_eq(loop->possible, rows[i].possible, "row %zu: %x", i, loop->possible);
        cr_assert_eq(loop->return_count, 4, "row %zu", i);
        cr_expect_eq(memcmp(loop->returns, rows[i].returns, sizeof rows[i].returns), 0);
    }
}

Test(judge, idle_plies)
{
    static const struct {
        const char *fen;
        qp_square from, to;
        const char *name;
    } rows[] = {
        {"4ka3/4a4/9/9/R8/2r6/9/9/9/3K5 w", QP_SQUARE(0, 5), QP_SQUARE(0, 4), "sacrifice"},
        {"4ka3/4a4/9/9/R8/2r6/9/1N7/9/3K5 w", QP_SQUARE(0, 5), QP_SQUARE(0, 4), "offer"},
        {"r3ka3/9/9/9/9/9/9/CN7/9/3K5 w", QP_SQUARE(1, 2), QP_SQUARE(0, 4), "block"},
        {"r3ka3/9/9/9/9/9/9/PN7/9/3K5 w", QP_SQUARE(1, 2), QP_SQUARE(0, 4), "plain"},
        {"4ka3/9/9/9/9/9/9/2h6/CN2K4/9 w", QP_SQUARE(4, 1), QP_SQUARE(5, 1), "plain"},
        {"4ka3/9/9/9/9/2n6/9/2C6/9/4K4 w", QP_SQUARE(2, 2), QP_SQUARE(2, 3), "plain"},
        {"4ka3/4a4/9/9/9/R2p5/2cp5/9/9/3K5 w", QP_SQUARE(0, 4), QP_SQUARE(0, 3), "follow"},
        /* It stood before, seen from the other rank too. */
        {"4ka3/4a4/9/9/9/9/R1cp5/9/9/3K5 w", QP_SQUARE(0, 3), QP_SQUARE(1, 3), "plain"},
        {"4ka3/4a4/9/9/9/9/9/9/9/3K5 w", QP_SQUARE(3, 0), QP_SQUARE(3, 1), "plain"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        read_fen(rows[i].fen, &board);
        cr_expect_str_eq(qp_idle_name(&board, QP_MOVE(rows[i].from, rows[i].to)),
                         rows[i].name, "row %zu: %s", i,
                         qp_idle_name(&board, QP_MOVE(rows[i].from, rows[i].to)));
    }
}

/* Every name has words in both languages. */
Test(judge, terms)
{
    for (int v = QP_VERDICT_NONE; v <= QP_VERDICT_NEEDS_ARBITER; v++)
        cr_expect_str_neq(qp_term(qp_verdict_name((qp_verdict)v), QP_CHINESE),
                          qp_verdict_name((qp_verdict)v), "verdict %d", v);
    for (int a = QP_ATTACK_NONE; a <= QP_ATTACK_CHECK; a++)
        cr_expect_str_neq(qp_term(qp_attack_name((qp_attack)a), QP_CHINESE),
                          qp_attack_name((qp_attack)a), "class %d", a);
    for (int g = QP_GRADE_CERTAIN; g < QP_GRADE_ARBITER; g++)
        cr_expect_str_neq(qp_term(qp_grade_name((qp_grade)g), QP_CHINESE),
                          qp_grade_name((qp_grade)g), "grade %d", g);
    for (unsigned d = QP_DOUBT_VALUE; d <= QP_DOUBT_IDENTITY; d <<= 1) {
        cr_expect_str_neq(qp_term(qp_doubt_name((qp_doubt)d), QP_CHINESE),
                          qp_doubt_name((qp_doubt)d), "doubt %x", d);
        cr_expect_str_neq(qp_term(qp_doubt_name((qp_doubt)d), QP_ENGLISH),
                          qp_doubt_name((qp_doubt)d), "doubt %x", d);
    }
    cr_expect_str_eq(qp_term("kill", QP_ENGLISH), "mate threat");
    cr_expect_str_eq(qp_term("kill", QP_CHINESE), "杀");
    cr_expect_str_eq(qp_term("长捉", QP_ENGLISH), "perpetual chase");
    cr_expect_str_eq(qp_term("n", QP_CHINESE), "马");
    cr_expect_str_eq(qp_term("needs-arbiter", QP_CHINESE), "须由裁判裁定");
    cr_expect_str_eq(qp_term("no such name", QP_CHINESE), "no such name");
}

/* Work that runs out makes a verdict doubtful, never another one. */
Test(judge, too_little_work_is_no_verdict)
{
    qp_board board;
    read_fen("4ka3/4a4/9/9/R8/9/2n6/9/9/3K5 w - - 0 1", &board);
    qp_run run = read_run(&board, "a5a3 c3d5 a3a5 d5c3", 4);
    qp_cycle cycle = best_cycle(&run);
    for (uint32_t work = 0; work < 600; work += 7) {
        const qp_loop *loop = qp_loop_judge(&run, &arena, qp_ruleset_find("cxa-2011"),
                                            &cycle, 0, work);
        cr_expect(loop->tends == QP_VERDICT_NEEDS_ARBITER ||
                      loop->tends == QP_VERDICT_RED_LOSES,
                  "%u: %s", (unsigned)work, qp_verdict_name(loop->tends));
        cr_expect(work > 0 || loop->tends == QP_VERDICT_NEEDS_ARBITER);
    }
}

/* Lines of more plies than a short number counts, and of about as many. */
Test(judge, very_long_lines)
{
    static const unsigned times[] = {249, 250, 16383, 16384, 17000};
    for (size_t i = 0; i < QP_COUNT(times); i++) {
        qp_board board;
        read_fen("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", &board);
        qp_run run = read_run(&board, "e0e1 d9d8 e1e0 d8d9", times[i]);
        cr_expect(run.plies == 4 * times[i] && run.most == times[i] + 1, "%u", times[i]);
        cr_expect(run.stretch_count == 1 && run.first[run.plies] == 0, "%u", times[i]);
        cr_expect_eq(run.nth[run.plies - 1], times[i], "%u", times[i]);
        qp_cycle cycle;
        cr_expect(qp_run_cycle(&run, 0, run.plies, &cycle) && cycle.period == 4 &&
                      cycle.passes == times[i] && cycle.start == 0,
                  "%u: %u", times[i], (unsigned)cycle.passes);
    }
}

Test(judge, ways_back_that_differ)
{
    qp_board board;
    read_fen("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", &board);
    qp_run run = read_run(&board,
                          "e0e1 d9d8 e1e0 d8d9 e0f0 d9d8 f0e0 d8d9 "
                          "e0e1 d9d8 e1e0 d8d9",
                          1);
    qp_cycle cycle = {.start = 0, .period = 4, .passes = 1, .end = 12};
    cr_expect_eq(run.most, 4);
    const qp_loop *loop =
        qp_loop_judge(&run, &arena, qp_ruleset_find("cxa-2011"), &cycle, 4, QP_JUDGE_NODES);
    cr_expect_eq(loop->verdict, QP_VERDICT_DRAW);
    cr_expect_eq(loop->grade, QP_GRADE_DERIVED);
    cr_expect(loop->mixed && (loop->doubts & QP_DOUBT_MIXED));
    /* One way with checks alone, one without: nothing follows. */
    read_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", &board);
    run = read_run(&board,
                   "a8a9 d9d8 a9a8 d8d9 e0e1 d9d8 e1e0 d8d9 a8a9 d9d8 a9a8 d8d9", 1);
    cycle.end = 12;
    loop =
        qp_loop_judge(&run, &arena, qp_ruleset_find("cxa-2011"), &cycle, 4, QP_JUDGE_NODES);
    cr_expect_eq(loop->verdict, QP_VERDICT_NEEDS_ARBITER);
}

Test(judge, loops_are_found)
{
    static const struct {
        const char *moves;
        unsigned times;
        uint32_t start, period, passes, most;
    } rows[] = {
        {"a0a1 a9a8", 1, 0, 0, 0, 1},
        {"a0a1 a9a8 a1a0 a8a9", 1, 0, 4, 1, 2},
        {"a0a1 a9a8 a1a0 a8a9", 3, 0, 4, 3, 4},
        {"a3a4 a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9", 1, 1, 4, 2, 3},
        {"a0a2 a9a8 a2a1 a8a7 a1a0 a7a9", 2, 0, 6, 2, 3},
        {"b2b9 a9b9 a0a1 b9a9 a1a0 a9b9 a0a1 b9a9 a1a0 a9b9", 1, 2, 4, 2, 3},
    };
    qp_board board;
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board_start(&board);
        qp_run run = read_run(&board, rows[i].moves, rows[i].times);
        qp_cycle cycle = best_cycle(&run);
        cr_expect_eq(run.most, rows[i].most, "row %zu: %u", i, (unsigned)run.most);
        cr_expect(cycle.start == rows[i].start && cycle.period == rows[i].period &&
                      cycle.passes == rows[i].passes,
                  "row %zu: %u %u %u", i, (unsigned)cycle.start, (unsigned)cycle.period,
                  (unsigned)cycle.passes);
    }
}

Test(judge, gains)
{
    static const struct {
        qp_gain gain;
        qp_answer answer;
    } rows[] = {
        {{0, 0, 0}, QP_NO},       {{1, 0, 0}, QP_YES},      {{0, 1, 1}, QP_YES},
        {{-1, 0, 0}, QP_NO},      {{1, 0, -1}, QP_NO},      {{-2, 0, 1}, QP_NO},
        {{1, -1, 0}, QP_YES},     {{-1, 1, 0}, QP_NO},      {{1, -2, 0}, QP_UNKNOWN},
        {{-1, 2, 0}, QP_UNKNOWN}, {{-1, 2, -1}, QP_UNKNOWN}, {{0, -1, 1}, QP_NO},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(qp_gain_judge(rows[i].gain), rows[i].answer, "row %zu", i);
}

/* The count of the last stretch of a line of rook moves. */
static qp_limit_count count_limit(const char *fen, const char *moves, unsigned times,
                                  const char *rules)
{
    qp_board board;
    read_fen(fen, &board);
    uint32_t plies;
    qp_node *first = make_line(moves, times, &plies);
    qp_run run;
    qp_limit_count limit = {.reached = false};
    qp_stretch stretch = {.next = 0};
    cr_assert(qp_run_read(&run, &arena, &board, first, NULL, plies));
    while (qp_run_stretch(&run, &stretch))
        qp_limit_judge(&run, qp_ruleset_find(rules), &stretch, &limit);
    return limit;
}

Test(judge, the_move_limit)
{
    const char *quiet = "4k4/4a4/9/9/R8/9/9/9/9/3K5 w - - 0 1";
    const char *idle = "a5a4 e8f7 a4a5 f7e8", *checks = "a8a9 d9d8 a9a8 d8d9";
    qp_limit_count limit = count_limit(quiet, idle, 29, "cxa-2011");
    cr_expect(!limit.reached && limit.since_capture == 116);
    limit = count_limit(quiet, idle, 30, "cxa-2011");
    cr_expect(limit.reached && limit.claim_ply[QP_RED] == 120 &&
              limit.claim_ply[QP_BLACK] == 120 && limit.draw_by_count);
    limit = count_limit(quiet, idle, 25, "axf");
    cr_expect(limit.reached && limit.claim_ply[QP_RED] == 100);
    /* Red's checks count ten times: Black alone can claim. */
    limit = count_limit("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", checks, 30, "cxa-2011");
    cr_expect(limit.reached && !limit.can_claim[QP_RED] && limit.can_claim[QP_BLACK]);
    cr_expect(limit.checks[QP_RED] == 60 && !limit.draw_by_count);
    cr_expect(limit.plies[QP_RED] == 60 && limit.counted[QP_RED] == 10 &&
              limit.counted[QP_BLACK] == 60);
    /* An engine leaves out the other 50 checks and their answers. */
    limit = count_limit("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", checks, 50, "engine-3fold");
    cr_expect(!limit.reached && limit.counted[QP_RED] == 10 && limit.counted[QP_BLACK] == 10);
    limit = count_limit(quiet, idle, 30, "engine-3fold");
    cr_expect(limit.reached && limit.draw_by_count && limit.claim_ply[QP_RED] == 120);
    /* What the position counts before the record may have been checks. */
    limit = count_limit("4k4/4a4/9/9/R8/9/9/9/9/3K5 w - - 100 51", idle, 5, "cxa-2011");
    cr_expect(limit.reached && limit.uncertain && limit.since_capture == 120);
    limit = count_limit("4k4/4a4/9/9/R8/9/9/9/9/3K5 w - - 20 51", idle, 25, "cxa-2011");
    cr_expect(limit.reached && !limit.uncertain);
}

Test(judge, rulesets_are_named)
{
    size_t count = 0;
    for (const qp_ruleset *rules; (rules = qp_ruleset_at(count)) != NULL; count++) {
        cr_expect_eq(qp_ruleset_find(rules->name), rules);
        cr_expect(*rules->title && *rules->source && *rules->confidence);
    }
    cr_expect_eq(count, 7);
    cr_expect_not_null(qp_ruleset_find(QP_RULESET_DEFAULT));
    cr_expect_null(qp_ruleset_find("cxa"));
}

/* ---- reasons that the record states ---- */

typedef struct memory {
    const char *at;
    size_t left;
} memory;

static ptrdiff_t read_memory(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t n = m->left < size ? m->left : size;
    memcpy(buffer, m->at, n);
    m->at += n;
    m->left -= n;
    return (ptrdiff_t)n;
}

static const char *certainty_mark(qp_certainty certainty)
{
    return certainty == QP_CERTAIN ? "!" : certainty == QP_LIKELY ? "" : "?";
}

/* The details of the findings of a PGN record, else their codes, and what they suggest:
 * "detail>text! ", where likely without a mark, where possible with "?". */
static void details(const char *text, const char *rules, bool reasons, char *out)
{
    qp_context *context = qp_context_new();
    memory m = {text, strlen(text)};
    qp_reader_options wanted = {.format = "pgn"};
    qp_check_options options = {.rules = rules, .tendencies = true, .reasons = reasons};
    qp_reader *reader = qp_reader_open(context, read_memory, &m, &wanted);
    const qp_game *game;
    const qp_judgement *judgement;
    size_t count;
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    const qp_finding *findings = qp_check(reader, &options, &judgement, &count);
    cr_expect_eq(judgement->rules, qp_ruleset_find(rules));
    *out = '\0';
    for (size_t i = 0; i < count; i++) {
        const qp_finding *f = &findings[i];
        strcat(out, f->detail != NULL ? f->detail : qp_code_name(f->code));
        for (size_t k = 0; k < f->suggestion_count; k++) {
            strcat(out, ">");
            strncat(out, f->suggestions[k].replace.data, f->suggestions[k].replace.len);
            strcat(out, certainty_mark(f->suggestions[k].certainty));
        }
        strcat(out, " ");
    }
    qp_reader_close(reader);
    qp_context_free(context);
}

#define ROOK "[FEN \"3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n"
#define PASS "车九进一 将4进1 车九退一 将4退1 "
#define QUIET "[FEN \"4k4/4a4/9/9/R8/9/9/9/9/3K5 w - - 118 60\"]\n"

Test(judge, reasons_and_results)
{
    static const struct {
        const char *text, *rules, *details;
    } rows[] = {
        {"[Result \"1-0\"]\n\n1. 炮二平五 {将死，红胜} 1-0\n", "cxa-2011",
         "reason-contradicts-position "},
        {"[Result \"1-0\"]\n[Termination \"checkmate\"]\n\n1. 炮二平五 1-0\n", "cxa-2011",
         "reason-contradicts-position "},
        {"[Result \"1-0\"]\n\n1. 炮二平五 {绝杀，黑认输} 1-0\n", "cxa-2011", ""},
        {"[Result \"1-0\"]\n\n1. 炮二平五 {下一着将死} 1-0\n", "cxa-2011", ""},
        {"[Result \"1-0\"]\n\n1. 炮二平五 {超时判负} 1-0\n", "cxa-2011", ""},
        {"[Result \"1/2-1/2\"]\n\n1. 炮二平五 {自然限着} 1/2-1/2\n", "cxa-2011",
         "reason-unsupported "},
        {"[Result \"1/2-1/2\"]\n\n1. 炮二平五 {三次重复} 1/2-1/2\n", "cxa-2011",
         "reason-unsupported "},
        {"[Result \"1-0\"]\n" ROOK "\n" PASS PASS PASS PASS "1-0\n", "cxa-2011",
         "result-contradicts-ruling red-loses "},
        {"[Result \"0-1\"]\n" ROOK "\n" PASS PASS PASS PASS "0-1\n", "cxa-2011",
         "red-loses "},
        {"[Result \"1/2-1/2\"]\n" ROOK "\n" PASS PASS PASS "{循环作和} 1/2-1/2\n", "cxa-2011",
         "draw-ground red-loses "},
        {"[Result \"1/2-1/2\"]\n" ROOK "\n" PASS PASS "{循环作和} 1/2-1/2\n", "cxa-2011",
         "reason-unsupported none "},
        {"[Result \"1/2-1/2\"]\n" ROOK "\n" PASS PASS "{循环作和} 1/2-1/2\n", "engine-3fold",
         "draw-ground red-loses "},
        {"[Result \"1/2-1/2\"]\n" QUIET "\n1. 车九退一 士5进6 {自然限着} 1/2-1/2\n", "cxa-2011",
         "draw-ground uncertain "},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        char got[512];
        details(rows[i].text, rows[i].rules, false, got);
        cr_expect_str_eq(got, rows[i].details, "row %zu: %s", i, got);
    }
}

#define BARE "[FEN \"3k5/9/9/9/9/9/9/R8/9/4K4 w - - 0 1\"]\n"
#define DEAD "[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n"
#define TAG(result) "[Result \"" result "\"]\n"

/* Tag, movetext, board and stated reason, held together. */
Test(judge, ends_and_results)
{
    static const struct {
        const char *text, *details;
        bool reasons;
    } rows[] = {
        /* mate and stalemate */
        {TAG("1-0") BARE "\n1. 车九平六 1-0\n", "", true},
        {TAG("0-1") BARE "\n1. 车九平六 0-1\n", "result-contradicts-mate>1-0 ", false},
        {TAG("1/2-1/2") BARE "\n1. 车九平六\n", "result-contradicts-mate>1-0 ", false},
        {TAG("1/2-1/2") BARE "\n1. 车九进六\n", "result-contradicts-mate>1-0 ", false},
        {TAG("*") BARE "\n1. 车九平六 *\n", "result-missing>1-0! ", false},
        {BARE "\n1. 车九平六\n", "result-missing>1-0! ", false},
        {BARE "\n1. 车九平六 黑胜\n", "result-contradicts-mate>红胜 ", false},
        {BARE "\n1. 车九平六 黑勝\n", "result-contradicts-mate>紅勝 ", false},
        /* tag and movetext quarrel */
        {TAG("1-0") BARE "\n1. 车九平六 0-1\n", "result-mismatch>1-0 ", false},
        {TAG("0-1") BARE "\n1. 车九平六 1-0\n", "result-contradicts-mate>1-0 ", false},
        {TAG("0-1") BARE "\n1. 车九平六 1/2-1/2\n",
         "result-contradicts-mate>1-0 result-mismatch>1-0 ", false},
        {TAG("1-0") BARE "\n1. 车九平五 0-1\n", "result-mismatch>1-0? ", false},
        {TAG("*") BARE "\n1. 车九平五 0-1\n", "result-missing>0-1 ", false},
        {TAG("1-0") BARE "\n1. 车九平五 *\n", "", false},
        /* moves behind the end count for nothing */
        {TAG("1-0") BARE "\n1. 车九平六 将4进1 1-0\n", "move-after-end ", false},
        {TAG("0-1") BARE "\n1. 车九平六 将4进1 0-1\n",
         "result-contradicts-mate>1-0? move-after-end ", false},
        {TAG("*") BARE "\n1. 车九平六 将4进1 *\n", "move-after-end ", false},
        /* suicide on the last move */
        {TAG("0-1") BARE "\n1. 帅五平六 0-1\n", "kings-facing ", false},
        {TAG("1-0") BARE "\n1. 帅五平六 1-0\n",
         "result-contradicts-illegal-move>0-1? kings-facing ", false},
        {TAG("*") BARE "\n1. 帅五平六 *\n", "result-missing>0-1? kings-facing ", false},
        {BARE "\n1. 帅五平六\n", "kings-facing ", false},
        {TAG("1-0") BARE "\n1. 帅五平六 将4进1 1-0\n", "kings-facing ", false},
        /* no side can win */
        {TAG("1-0") DEAD "\n1. 帅五进一 1-0\n", "result-dead-material ", false},
        {TAG("1/2-1/2") DEAD "\n1. 帅五进一 1/2-1/2\n", "", true},
        /* what the record says */
        {TAG("1-0") BARE "\n1. 车九平五 {黑方认负} 1-0\n", "", true},
        {TAG("0-1") BARE "\n1. 车九平五 {黑方认负} 0-1\n",
         "reason-contradicts-result>1-0? ", false},
        {TAG("*") BARE "\n1. 车九平五 {红方超时判负} *\n", "result-missing>0-1 ", false},
        {BARE "\n1. 车九平五 {双方议和}\n", "result-missing>1/2-1/2 ", false},
        {TAG("1-0") BARE "\n1. 车九平五 {双方议和} 1-0\n",
         "reason-contradicts-result>1/2-1/2? ", false},
        {TAG("0-1") BARE "\n1. 车九平五 {红方犯规} 0-1\n", "", false},
        {TAG("1-0") BARE "\n1. 车九平五 {红方犯规} 1-0\n", "", false},
        {TAG("1-0") BARE "\n1. 车九平五 {红方犯规判负} 1-0\n",
         "reason-contradicts-result>0-1? ", false},
        /* nothing is said, and whether that is asked for */
        {TAG("1-0") BARE "\n1. 车九平五 1-0\n", "", false},
        {TAG("1-0") BARE "\n1. 车九平五 1-0\n", "result-without-reason ", true},
        {TAG("1-0") "[Termination \"time forfeit\"]\n" BARE "\n1. 车九平五 1-0\n", "", true},
        {TAG("1/2-1/2") BARE "\n1. 车九平五 1/2-1/2\n", "", true},
        {TAG("0-1") "\n0-1\n", "unplayed ", true},
        {TAG("0-1") BARE "\n0-1\n", "", true},
        {TAG("0-1") ROOK "\n" PASS PASS PASS PASS "0-1\n", "red-loses ", true},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        char got[512];
        details(rows[i].text, "cxa-2011", rows[i].reasons, got);
        cr_expect_str_eq(got, rows[i].details, "row %zu: %s", i, got);
    }
}

/* ---- the shared material ---- */

Test(judge, shared_loops)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/loops.tsv"))
        cr_skip_test("QIPU_SHARED names no material");
    while (table_next(&t)) {
        if (strcmp(t.field[0], "id") == 0)
            continue;
        qp_arena_rewind(&arena);
        qp_board board;
        read_fen(t.field[1], &board);
        qp_run run = read_run(&board, t.field[7], 1);
        qp_cycle cycle = best_cycle(&run);
        int start = cycle.passes != 0 ? (int)cycle.start : -1;
        cr_expect(run.most == (uint32_t)atoi(t.field[3]) && start == atoi(t.field[4]) &&
                      cycle.period == (uint32_t)atoi(t.field[5]) &&
                      cycle.passes == (uint32_t)atoi(t.field[6]),
                  "%s: %u %d %u %u", t.field[0], (unsigned)run.most, start,
                  (unsigned)cycle.period, (unsigned)cycle.passes);
    }
}

Test(judge, shared_limits)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/natural_limit.tsv"))
        cr_skip_test("QIPU_SHARED names no material");
    while (table_next(&t)) {
        if (strcmp(t.field[0], "id") == 0)
            continue;
        qp_arena_rewind(&arena);
        qp_limit_count limit = count_limit(t.field[1], t.field[10], 1, "cxa-2011");
        const uint32_t got[] = {limit.since_capture, limit.plies[QP_RED],
                                limit.plies[QP_BLACK], limit.checks[QP_RED],
                                limit.checks[QP_BLACK]};
        for (int i = 0; i < 5; i++)
            cr_expect_eq(got[i], (uint32_t)atoi(t.field[2 + i]), "%s: column %d is %u",
                         t.field[0], 2 + i, (unsigned)got[i]);
        for (int side = QP_RED; side <= QP_BLACK; side++)
            cr_expect_str_eq(limit.can_claim[side] ? "yes" : "no", t.field[7 + side], "%s",
                             t.field[0]);
    }
}

static bool gated(const char *grade)
{
    static const char *const gates[] = {"manual", "engine-tests", "consensus", "text",
                                        "construction"};
    for (size_t i = 0; i < QP_COUNT(gates); i++)
        if (strcmp(grade, gates[i]) == 0)
            return true;
    return false;
}

/* Rows on which the direct model as described and the verdict differ: diagram 61 of the
 * manual, and checks that renew the attack on a piece. */
static bool known_exception(const table *t)
{
    return strncmp(t->field[15], "61. ", 4) == 0 ||
           (strcmp(t->field[1], "axf-engine-tests") == 0 &&
            (strstr(t->field[4], "chase,check") || strstr(t->field[5], "check,chase") ||
             strstr(t->field[4], "check,chase") || strstr(t->field[5], "chase,check")));
}

Test(judge, shared_repetition)
{
    static const struct {
        const char *rules;
        int grade, verdict;
    } jobs[] = {{"wxf-2018", 8, 7}, {"axf", 8, 7}, {"engine-3fold", 8, 7},
                {"cxa-1999", 11, 10}, {"cxa-2007", 11, 9}, {"cxa-2011", 11, 9},
                {"cxa-2020", 11, 9}};
    table t;
    if (!table_open_shared(&t, "corpora/rules/repetition.tsv"))
        cr_skip_test("QIPU_SHARED names no material");
    unsigned rows = 0;
    while (table_next(&t)) {
        for (size_t i = 0; i < QP_COUNT(jobs); i++) {
            qp_arena_rewind(&arena);
            if (!gated(t.field[jobs[i].grade]) ||
                (jobs[i].grade == 8 && known_exception(&t)))
                continue;
            const char *wanted = t.field[jobs[i].verdict];
            const char *who = offender(judge(t.field[2], t.field[3], 4, jobs[i].rules));
            bool same = strcmp(wanted, "draw") == 0 ? strcmp(who, "none") == 0
                                                    : strncmp(wanted, who, strlen(who)) == 0;
            cr_expect(same, "%s, %s: %s, not %s", t.field[0], jobs[i].rules, who, wanted);
            rows++;
        }
    }
    cr_expect_gt(rows, 1000);
}
