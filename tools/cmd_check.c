/* qipu check: replay every game and say what is wrong with it. */
#include "config.h"

#include "common.h"

struct check {
    const struct options *options;
    const qp_context *context;
    struct tally tally;
    bool color;
};

static bool check_record(void *user, const struct record *record)
{
    struct check *check = user;
    const qp_finding *findings = record->findings;
    size_t count = record->finding_count;
    const char *file = record->input->name;
    const qp_judgement *judgement = NULL;
    qp_check_options wanted = {
        .rules = check->options->rules,
        .tendencies = check->options->json || check->options->verbosity > 0,
    };
    if (record->game)
        findings = qp_check(record->reader, &wanted, &judgement, &count);
    tally_findings(&check->tally, findings, count);
    if (count)
        progress_wipe();
    for (size_t i = 0; i < count; i++) {
        if (check->options->json)
            json_finding(stdout, file, &findings[i]);
        else
            print_finding(check->options, stdout, check->color, file, &findings[i]);
    }
    if (!record->game)
        return true;
    check->tally.games++;
    check->tally.plies += record->game->plies;
    if (check->options->json)
        json_game(stdout, file, record->game, judgement, false);
    return true;
}

static bool check_input(void *user, const struct input *input)
{
    struct check *check = user;
    if (!read_records(check->options, check->context, input, check_record, check))
        check->tally.trouble = true;
    return true;
}

int cmd_check(struct options *options)
{
    struct check check = {.options = options, .color = wants_color(options, stdout)};
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    check.context = context;
    progress_start(options);
    if (!inputs_each(options, check_input, NULL, &check))
        check.tally.trouble = true;
    progress_wipe();
    if (options->json)
        json_summary(stdout, &check.tally);
    else
        print_summary(options, &check.tally);
    qp_context_free(context);
    return tally_exit(&check.tally, options);
}
