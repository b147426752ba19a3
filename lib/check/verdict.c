/* The verdict on a loop of moves. Source: Chinese rules of 1999, articles 24 and 27, and
 * for the direct model the manual of the World Xiangqi Rules: see rules/ruleset.c. A
 * doubtful ply is read both ways, and a verdict only given where all readings agree. */
#include "config.h"

#include "check/ruling.h"

/* So many different ways back to a position are looked at. */
#define WAYS_MAX 16

const char *qp_verdict_name(qp_verdict verdict)
{
    static const char *const names[] = {
        [QP_VERDICT_NONE] = "none",
        [QP_VERDICT_DRAW] = "draw",
        [QP_VERDICT_RED_LOSES] = "red-loses",
        [QP_VERDICT_BLACK_LOSES] = "black-loses",
        [QP_VERDICT_RED_MUST_CHANGE] = "red-must-change",
        [QP_VERDICT_BLACK_MUST_CHANGE] = "black-must-change",
        [QP_VERDICT_NEEDS_ARBITER] = "needs-arbiter",
    };
    return names[(unsigned)verdict < QP_COUNT(names) ? (unsigned)verdict : 0];
}

const char *qp_attack_name(qp_attack attack)
{
    static const char *const names[] = {"idle", "chase", "kill", "check"};
    return names[(unsigned)attack < QP_COUNT(names) ? (unsigned)attack : 0];
}

const char *qp_grade_name(qp_grade grade)
{
    static const char *const names[] = {"certain", "certain-despite-doubt", "derived",
                                        "needs-arbiter"};
    return names[(unsigned)grade < QP_COUNT(names) ? (unsigned)grade : 0];
}

const char *qp_doubt_name(qp_doubt doubt)
{
    static const struct {
        qp_doubt doubt;
        const char *name;
    } names[] = {
        {QP_DOUBT_VALUE, "value-unknown"},
        {QP_DOUBT_BOUND, "search-bound"},
        {QP_DOUBT_EVASION, "king-evasion"},
        {QP_DOUBT_POST, "post-exemption-possible"},
        {QP_DOUBT_EXCHANGE, "exchange-not-searched"},
        {QP_DOUBT_MIXED, "loop-mixed"},
        {QP_DOUBT_IDENTITY, "identity"},
    };
    for (size_t i = 0; i < QP_COUNT(names); i++)
        if (names[i].doubt == doubt)
            return names[i].name;
    return "";
}

/* ---- one side of a loop ---- */

typedef struct side_plies {
    uint32_t attacks[4]; /* by qp_attack */
    bool forbidden, may; /* attacks on every ply; the same with the doubtful ones */
    bool checks;         /* on every ply */
} side_plies;

static side_plies look_at(const qp_pass *pass, qp_side side)
{
    side_plies s = {.forbidden = true, .may = true, .checks = true};
    for (uint32_t i = 0; i < pass->period; i++) {
        const qp_loop_ply *ply = &pass->plies[i];
        if (ply->side != side)
            continue;
        s.attacks[ply->attack]++;
        s.forbidden &= ply->attack != QP_ATTACK_NONE && !ply->doubtful;
        s.may &= ply->attack != QP_ATTACK_NONE;
        s.checks &= ply->attack == QP_ATTACK_CHECK;
    }
    return s;
}

static const char *chinese_name(const side_plies *s)
{
    static const char *const always[8] = {"闲着", "长捉",     "长杀",     "一杀一捉",
                                          "长将", "一将一捉", "一将一杀", "将杀捉"};
    static const char *const mixed[3][3] = {
        {"一捉一闲", "一杀一闲", "一将一闲"}, /* as often as not */
        {"数捉一闲", "数杀一闲", "数将一闲"},
        {"一捉数闲", "一杀数闲", "一将数闲"}};
    static const char *const any[3] = {"一打一闲", "数打一闲", "一打数闲"};
    const uint32_t *n = s->attacks;
    unsigned kinds = (n[1] != 0) | (n[2] != 0) << 1 | (n[3] != 0) << 2;
    if (n[0] == 0 || kinds == 0)
        return always[kinds];
    uint32_t all = n[1] + n[2] + n[3];
    unsigned row = all == n[0] ? 0 : all > n[0] ? 1 : 2;
    return kinds & (kinds - 1) ? any[row] : mixed[row][kinds >> 1];
}

static const char *offence(const side_plies *s)
{
    const uint32_t *n = s->attacks;
    if (n[QP_ATTACK_KILL] + n[QP_ATTACK_CHASE] == 0)
        return "perpetual-check";
    if (n[QP_ATTACK_CHECK] + n[QP_ATTACK_CHASE] == 0)
        return "perpetual-kill";
    if (n[QP_ATTACK_CHECK] + n[QP_ATTACK_KILL] == 0)
        return "perpetual-chase";
    return "perpetual-attack";
}

/* Whether the pieces that a side chases are advisors and elephants alone: its defensive
 * post may exempt it. */
static bool chases_guards(const qp_pass *pass, qp_side side)
{
    bool some = false;
    for (uint32_t i = 0; i < pass->period; i++) {
        const qp_loop_ply *ply = &pass->plies[i];
        for (size_t k = 0; ply->side == side && k < ply->pair_count; k++) {
            qp_kind kind = QP_PIECE_KIND(ply->pairs[k].target);
            if (kind != QP_ADVISOR && kind != QP_ELEPHANT)
                return false;
            some = true;
        }
        if (ply->side == side && ply->by_checks)
            return false;
    }
    return some;
}

/* ---- the ruling ---- */

/* Who is wrong, before passes are counted. */
typedef enum ruling { RULE_DRAW, RULE_RED, RULE_BLACK } ruling;
#define EVERY_RULING (1u << RULE_DRAW | 1u << RULE_RED | 1u << RULE_BLACK)

/* The ruling on one pass: which are possible as bits, and what was seen. */
typedef struct finding {
    unsigned possible;
    side_plies sides[2];
} finding;

static ruling rule(bool red, bool black)
{
    return red == black ? RULE_DRAW : red ? RULE_RED : RULE_BLACK;
}

/* Where soldiers count too, and then both sides attack for ever: a draw. */
static unsigned soldiers_clash(const qp_pass *pass, qp_arena *arena,
                               const qp_ruleset *rules, unsigned possible,
                               qp_budget *budget)
{
    qp_pass again = {.run = pass->run,
                     .start = pass->start,
                     .period = pass->period,
                     .memo = pass->memo,
                     .kills = pass->kills};
    if (!qp_pass_classify(&again, arena, rules, true, budget) || again.cut)
        return possible | 1u << RULE_DRAW;
    side_plies red = look_at(&again, QP_RED), black = look_at(&again, QP_BLACK);
    if (red.forbidden && black.forbidden)
        return 1u << RULE_DRAW;
    return red.may && black.may ? possible | 1u << RULE_DRAW : possible;
}

static void rule_pass(finding *f, qp_pass *pass, qp_arena *arena, const qp_ruleset *rules,
                      qp_budget *budget)
{
    const side_plies *red = &f->sides[QP_RED], *black = &f->sides[QP_BLACK];
    f->sides[QP_RED] = look_at(pass, QP_RED);
    f->sides[QP_BLACK] = look_at(pass, QP_BLACK);
    f->possible = 0;
    if (pass->cut && red->checks == black->checks) {
        f->possible = EVERY_RULING;
        return;
    }
    if (rules->model == QP_CHASE_DIRECT) {
        unsigned r = pass->levels[QP_RED], b = pass->levels[QP_BLACK];
        f->possible = 1u << (r == b ? RULE_DRAW : r > b ? RULE_RED : RULE_BLACK);
        return;
    }
    if (red->checks != black->checks) {
        f->possible = 1u << rule(red->checks, black->checks);
        return;
    }
    for (unsigned r = red->forbidden; r <= red->may; r++)
        for (unsigned b = black->forbidden; b <= black->may; b++)
            f->possible |= 1u << rule(r, b);
    if (rules->pawns_clash && (f->possible & ~(1u << RULE_DRAW)))
        f->possible = soldiers_clash(pass, arena, rules, f->possible, budget);
    for (int side = QP_RED; side <= QP_BLACK; side++)
        if (f->possible >> (side == QP_RED ? RULE_RED : RULE_BLACK) & 1 &&
            chases_guards(pass, (qp_side)side))
            pass->doubts |= QP_DOUBT_POST;
}

static qp_verdict verdict_of(ruling r, const finding *f, const qp_ruleset *rules,
                             uint32_t passes)
{
    if (r == RULE_DRAW)
        return QP_VERDICT_DRAW;
    qp_side side = r == RULE_RED ? QP_RED : QP_BLACK;
    bool lost =
        passes >= (f->sides[side].checks ? rules->check_passes : rules->loss_passes);
    if (side == QP_RED)
        return lost ? QP_VERDICT_RED_LOSES : QP_VERDICT_RED_MUST_CHANGE;
    return lost ? QP_VERDICT_BLACK_LOSES : QP_VERDICT_BLACK_MUST_CHANGE;
}

static bool is_one(unsigned bits)
{
    return bits != 0 && (bits & (bits - 1)) == 0;
}

static const char *reason_of(unsigned possible, const finding *f, const qp_pass *pass,
                             const qp_ruleset *rules)
{
    if (possible == 1u << RULE_RED)
        return offence(&f->sides[QP_RED]);
    if (possible == 1u << RULE_BLACK)
        return offence(&f->sides[QP_BLACK]);
    bool mutual = rules->model == QP_CHASE_DIRECT
                      ? pass->levels[QP_RED] != 0 && pass->levels[QP_BLACK] != 0
                      : f->sides[QP_RED].forbidden && f->sides[QP_BLACK].forbidden;
    return possible == 1u << RULE_DRAW && mutual ? "mutual-perpetual" : "repetition";
}

/* ---- loops ---- */

static bool same_plies(const qp_run *run, uint32_t a, uint32_t b, uint32_t count)
{
    return memcmp(run->moves + a, run->moves + b, count * sizeof *run->moves) == 0;
}

/* A side does what it does on all ways together: one that checks for ever on the first of
 * them alone is no perpetual checker. */
static void join_sides(side_plies *all, const side_plies *way)
{
    for (int attack = QP_ATTACK_NONE; attack <= QP_ATTACK_CHECK; attack++)
        all->attacks[attack] += way->attacks[attack];
    all->forbidden &= way->forbidden;
    all->may &= way->may;
    all->checks &= way->checks;
}

/* The other ways back to the position that the loop starts from: the rulings that are
 * possible on all together, none where they differ or are too many. all is of the first way
 * and becomes that of all; *open gets the rulings that are possible on any. */
static unsigned rule_ways(const qp_run *run, qp_memo *memo, qp_arena *arena, const qp_ruleset *rules,
                          const qp_cycle *cycle, finding *all, unsigned *open,
                          unsigned *doubts, qp_budget *budget)
{
    unsigned possible = all->possible;
    struct {
        uint32_t start, length;
    } ways[WAYS_MAX] = {{cycle->start, cycle->period}};
    size_t count = 1;
    uint32_t from = cycle->start + cycle->period;
    for (uint32_t i = from + 1; i <= cycle->end; i++) {
        if (run->keys[i] != run->keys[from])
            continue;
        size_t k = 0;
        while (k < count && !(ways[k].length == i - from &&
                              same_plies(run, ways[k].start, from, i - from)))
            k++;
        if (k == count) {
            if (count == WAYS_MAX || i - from > QP_PERIOD_MAX) {
                *open = EVERY_RULING;
                return 0;
            }
            ways[count].start = from;
            ways[count++].length = i - from;
            qp_pass pass = {
                .run = run, .start = from, .period = i - from, .memo = memo};
            finding f;
            if (!qp_pass_classify(&pass, arena, rules, false, budget))
                return 0;
            rule_pass(&f, &pass, arena, rules, budget);
            *doubts |= pass.doubts;
            *open |= f.possible;
            join_sides(&all->sides[QP_RED], &f.sides[QP_RED]);
            join_sides(&all->sides[QP_BLACK], &f.sides[QP_BLACK]);
        }
        from = i;
    }
    return *open == possible ? possible : 0;
}

/* The plies after which the position that a mixed loop starts from stands. */
static void list_returns(qp_loop *loop, const qp_run *run, qp_arena *arena,
                         const qp_cycle *cycle)
{
    uint32_t *at = qp_arena_alloc(arena, loop->occurrences * sizeof *at);
    if (at == NULL)
        return;
    for (uint32_t i = cycle->start;
         i <= cycle->end && loop->return_count < loop->occurrences; i++)
        if (run->keys[i] == run->keys[cycle->start])
            at[loop->return_count++] = i;
    loop->returns = at;
}

static qp_loop *judge(const qp_run *run, qp_arena *arena, const qp_ruleset *rules,
                      const qp_cycle *cycle, uint32_t mixed, qp_budget *budget)
{
    qp_loop *loop = qp_arena_zero(arena, sizeof *loop);
    qp_memo memo;
    qp_pass pass = {
        .run = run, .start = cycle->start, .period = cycle->period, .memo = &memo};
    finding f;
    const char *names[2];
    memset(memo.used, 0, sizeof memo.used);
    if (pass.period > QP_PERIOD_MAX) {
        pass.period = QP_PERIOD_MAX;
        pass.cut = true;
    }
    if (loop == NULL || !qp_pass_classify(&pass, arena, rules, false, budget))
        return NULL;
    rule_pass(&f, &pass, arena, rules, budget);
    unsigned possible = f.possible, open = f.possible;
    for (int side = QP_RED; side <= QP_BLACK; side++)
        names[side] = chinese_name(&f.sides[side]);
    if (mixed != 0) {
        possible = is_one(possible) ? rule_ways(run, &memo, arena, rules, cycle, &f, &open,
                                                &pass.doubts, budget)
                                    : 0;
        pass.doubts |= QP_DOUBT_MIXED;
    }
    uint32_t passes = mixed != 0 ? mixed - 1 : cycle->passes;
    *loop = (qp_loop){
        .start_ply = cycle->start,
        .period = cycle->period,
        .passes = cycle->passes,
        .occurrences = run->times[run->first[cycle->start]],
        .mixed = mixed != 0,
        .state = passes < rules->claim_passes    ? "below-threshold"
                 : passes == rules->claim_passes ? "pending"
                                                 : "repeated",
        .plies = pass.plies,
        .ply_count = pass.period,
        .doubts = pass.doubts,
        .reason = reason_of(possible, &f, &pass, rules),
    };
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        bool direct = rules->model == QP_CHASE_DIRECT;
        loop->forbidden[side] = direct ? pass.levels[side] != 0 : f.sides[side].forbidden;
        loop->may_forbidden[side] = direct ? loop->forbidden[side] : f.sides[side].may;
        loop->name[side] = names[side];
    }
    uint32_t counted = passes < rules->claim_passes ? rules->claim_passes : passes;
    if (is_one(possible)) {
        loop->tends = verdict_of((ruling)qp_lowest_bit(possible), &f, rules, counted);
        loop->grade = mixed != 0         ? QP_GRADE_DERIVED
                      : pass.doubts != 0 ? QP_GRADE_DESPITE_DOUBT
                                         : QP_GRADE_CERTAIN;
    } else {
        loop->tends = QP_VERDICT_NEEDS_ARBITER;
        loop->grade = QP_GRADE_ARBITER;
    }
    if (pass.doubts & QP_DOUBT_IDENTITY && rules->model == QP_CHASE_DIRECT) {
        loop->tends = QP_VERDICT_NEEDS_ARBITER;
        loop->grade = QP_GRADE_ARBITER;
        open = EVERY_RULING;
    }
    for (int r = RULE_DRAW; r <= RULE_BLACK; r++)
        if (open >> r & 1)
            loop->possible |= 1u << verdict_of((ruling)r, &f, rules, counted);
    if (mixed != 0)
        list_returns(loop, run, arena, cycle);
    loop->verdict = passes < rules->claim_passes ? QP_VERDICT_NONE : loop->tends;
    return loop;
}

qp_loop *qp_loop_judge(const qp_run *run, qp_arena *arena, const qp_ruleset *rules,
                       const qp_cycle *cycle, uint32_t mixed, uint32_t nodes)
{
    qp_budget rough = {.nodes = nodes, .roughly = true}, exact = {.nodes = nodes};
    qp_loop *loop = judge(run, arena, rules, cycle, mixed, &rough);
    return rough.spent ? judge(run, arena, rules, cycle, mixed, &exact) : loop;
}
