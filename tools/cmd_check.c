/* qipu check: replay every game and say what is wrong with it. */
#include "config.h"

#include "common.h"

#include <unistd.h>

struct check {
    const struct options *options;
    const qp_context *context;
    struct tally tally;
    bool color;
    bool tables; /* draw loops: people look on, or ask for more */
    struct loop_style style;
};

/* Moves are told in the record's notation, where that can be written. */
static void draw_loop(struct check *check, const char *file, const qp_game *game,
                      const qp_judgement *judgement)
{
    const qp_notation *notation = qp_notation_find(check->context, game->notation);
    if (!notation || !qp_notation_writes(notation))
        notation =
            qp_notation_find(check->context, check->options->letters ? "wxf" : "chinese");
    check->style.notation = notation;
    print_loop(check->options, &check->style, file, game, judgement);
}

static bool check_record(void *user, const struct record *record)
{
    struct check *check = user;
    FILE *out = check->options->out;
    const qp_finding *findings = record->findings;
    size_t count = record->finding_count;
    const char *file = record->input->name;
    const qp_judgement *judgement = NULL;
    qp_check_options wanted = {
        .rules = check->options->rules,
        .tendencies = check->options->json || check->tables,
        .reasons = check->options->verbosity > 0,
        .limit_rounds = check->options->limit,
    };
    if (record->game)
        findings = qp_check(record->reader, &wanted, &judgement, &count);
    check->tally.games += record->passed.games;
    check->tally.plies += record->passed.plies;
    tally_findings(&check->tally, findings, count);
    if (count)
        progress_wipe(check->options);
    for (size_t i = 0; i < count; i++) {
        if (check->options->json)
            json_finding(check->options, out, file, &findings[i]);
        else
            print_finding(check->options, out, check->color, file, &findings[i]);
    }
    if (!record->game)
        return true;
    check->tally.games++;
    check->tally.plies += record->game->plies;
    if (check->options->json)
        json_game(check->options, out, file, record->game, judgement, false);
    else if (check->tables && judgement && judgement->loop)
        draw_loop(check, file, record->game, judgement);
    return true;
}

static bool check_end(void *user, const struct input *input, bool fine)
{
    struct check *check = user;
    (void)input;
    if (!fine)
        check->tally.trouble = true;
    return true;
}

static bool check_split(void *copy, const struct options *options)
{
    struct check *check = copy;
    check->options = options;
    return true;
}

static void check_collect(void *copy, struct piece *piece)
{
    struct check *check = copy;
    piece->tally = check->tally;
    check->tally = (struct tally){0};
}

static bool check_join(void *user, const struct piece *piece)
{
    struct check *check = user;
    tally_add(&check->tally, &piece->tally);
    return true;
}

int cmd_check(struct options *options)
{
    struct check check = {.options = options, .color = wants_color(options, stdout)};
    options->counts = true;
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    check.context = context;
    check.tables = options->verbosity > 0 ||
                   (options->verbosity == 0 && !options->json && isatty(STDOUT_FILENO));
    check.style = (struct loop_style){
        .board = {.glyphs = options->letters ? QP_GLYPHS_LETTERS : QP_GLYPHS_CHINESE,
                  .color = check.color},
        .language = options->language,
    };
    const qp_ruleset *rules =
        qp_ruleset_find(options->rules ? options->rules : QP_RULESET_DEFAULT);
    options->pass_sound = !options->json && options->verbosity <= 0 && !check.tables;
    options->spare_loud = !check.tables; /* they tell plies as they are written */
    options->spare_tree = 2 * (options->limit ? options->limit : rules->limit_rounds) - 1;
    progress_start(options);
    const struct work work = {
        .options = options,
        .context = context,
        .user = &check,
        .record = check_record,
        .end = check_end,
        .size = sizeof check,
        .split = check_split,
        .collect = check_collect,
        .join = check_join,
    };
    if (!read_inputs(&work))
        check.tally.trouble = true;
    progress_wipe(options);
    if (options->json)
        json_summary(stdout, &check.tally);
    else
        print_summary(options, &check.tally);
    qp_context_free(context);
    return tally_exit(&check.tally, options);
}
