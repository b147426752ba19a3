/* Each input read to its end through a reader, record by record. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <string.h>

/* Whether all that there is to say of a file is that it is no record, and what its bytes
 * look like as text. Empty files are spoken of: they were meant to become one. */
static bool is_foreign(const struct record *record, bool had_games)
{
    if (had_games || record->game || !record->input->walked || record->input->size == 0)
        return false;
    bool no_game = false;
    for (size_t i = 0; i < record->finding_count; i++) {
        switch (record->findings[i].code) {
        case QP_D_no_game:
            no_game = true;
            break;
        case QP_D_encoding_guessed:
        case QP_D_encoding_junk:
        case QP_D_encoding_invalid:
            break;
        default:
            return false;
        }
    }
    return no_game;
}

qp_reader *open_reader(const struct options *options, const qp_context *context,
                       const struct input *input, const qp_stand *from, uint64_t until)
{
    qp_reader_options wanted = {
        .name = strcmp(input->name, "-") == 0 ? NULL : input->name,
        .format = options->from,
        .encoding = options->encoding,
        .main_line = options->counts,
        .no_lint = !options->lints,
        .spare_tree = options->spare_tree,
        .spare_loud = options->spare_loud,
        .heads = options->heads,
        .unchecked = options->unchecked,
        .unplayed = options->unplayed,
        .pass_sound = options->pass_sound && !input->dealt,
        .from = from,
        .until = until,
    };
    qp_reader *reader = qp_reader_open(context, input->read, input->from, &wanted);
    if (!reader)
        complain_of(options, input->name, "%s", strerror(ENOMEM));
    return reader;
}

static enum step end_steps(struct steps *steps, const struct options *options)
{
    if (steps->status == QP_OK || steps->status == QP_BAD)
        return STEP_ON;
    if (steps->status == QP_FATAL) {
        const char *error = qp_reader_error(steps->record.reader);
        complain_of(options, steps->record.input->name, "%s",
                    error && *error ? error : "reading failed");
    }
    return STEP_ENDED;
}

/* Counts games that were passed over, which the record tells of. */
static void take_passed(struct steps *steps, const struct options *options)
{
    struct record *record = &steps->record;
    record->passed = qp_reader_skipped(record->reader);
    if (record->passed.games == 0)
        return;
    steps->games += record->passed.games;
    steps->had_games = true;
    if (!options->part)
        progress_games(record->passed.games);
    if (record->input->games)
        *record->input->games += record->passed.games;
}

enum step read_step(struct steps *steps, const struct options *options, record_fn run,
                    void *user, const bool *torn)
{
    struct record *record = &steps->record;
    record->game = NULL;
    steps->status = qp_reader_next(record->reader, &record->game);
    if (torn && *torn)
        return STEP_VOID;
    take_passed(steps, options);
    if (steps->status == QP_END || steps->status == QP_FATAL)
        record->game = NULL;
    if (record->game && record->input->dealt &&
        steps->dealt++ % options->shards != options->shard - 1)
        return STEP_ON;
    record->findings = qp_reader_findings(record->reader, &record->finding_count);
    steps->games += record->game != NULL;
    if (record->game && !options->part)
        progress_games(1);
    if (record->game && record->input->games)
        ++*record->input->games;
    if (!record->game && record->finding_count == 0) {
        bool more = record->passed.games == 0 || run(user, record);
        return more ? end_steps(steps, options) : STEP_STOPPED;
    }
    if (is_foreign(record, steps->had_games)) {
        if (options->verbosity > 0)
            complain_of(options, record->input->name, "passed over: no format knows it");
        return end_steps(steps, options);
    }
    steps->had_games |= record->game != NULL;
    return run(user, record) ? end_steps(steps, options) : STEP_STOPPED;
}

bool read_records(const struct options *options, const qp_context *context,
                  const struct input *input, record_fn run, void *user)
{
    struct steps steps = {.record = {.input = input}};
    if (input->finding) {
        steps.record.findings = input->finding;
        steps.record.finding_count = 1;
        run(user, &steps.record);
        return true;
    }
    steps.had_games = input->stand != NULL;
    steps.record.reader = open_reader(options, context, input, input->stand, 0);
    if (!steps.record.reader)
        return false;
    enum step step;
    do
        step = read_step(&steps, options, run, user, NULL);
    while (step == STEP_ON);
    qp_reader_close(steps.record.reader);
    return steps.status != QP_FATAL;
}

/* ---- one input after the other ---- */

static bool read_one(void *user, const struct input *input)
{
    const struct work *work = user;
    struct share share;
    if (input->settle || !share_open(work->options, work->context, input, &share))
        return true;
    input = &share.input;
    if (work->begin)
        work->begin(work->user, input);
    bool fine = read_records(work->options, work->context, input, work->record, work->user);
    return work->end(work->user, input, fine);
}

static bool work_skips(void *user, const struct input *input)
{
    const struct work *work = user;
    return work->skip && work->skip(work->user, input);
}

bool read_inputs(const struct work *work)
{
#ifdef HAVE_THREADS
    if (work->split && work->options->jobs != 1)
        return read_inputs_jobs(work);
#endif
    return inputs_each(work->options, read_one, work_skips, (void *)work);
}
