/* qipu lint: read records as scorecards, say what is missing, doubled, misread or swapped, and
 * mend what can be known. Mending is done in the bytes of the file, and what comes of it is
 * read again like any other file, until nothing is left to mend or three rounds are over. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 3 };

struct lint {
    const struct options *options;
    const qp_context *context;
    struct tally tally;
    FILE *report;
    bool color;
    bool quiet; /* a round whose findings are not shown: the file was changed already */
    const struct input *input;
    qp_writer_options wanted; /* of -t */
    struct output output;
    qp_writer *writer;
    bool open; /* output is: to one file or to standard output */
    bool to_folder;
    qp_certainty least; /* that is mended */
    qp_move *against;   /* the moves of the other card */
    size_t against_count;
};

/* Bytes in memory, as a file to be read. */
struct bytes {
    char *data;
    size_t len, room, at;
};

static ptrdiff_t read_bytes(void *user, void *buffer, size_t size)
{
    struct bytes *bytes = user;
    size_t n = bytes->len - bytes->at < size ? bytes->len - bytes->at : size;
    if (n)
        memcpy(buffer, bytes->data + bytes->at, n);
    bytes->at += n;
    return (ptrdiff_t)n;
}

static bool make_room(struct bytes *bytes, size_t more)
{
    if (bytes->room - bytes->len >= more)
        return true;
    size_t room = (bytes->len + more) * 2;
    char *grown = realloc(bytes->data, room);
    if (!grown)
        return false;
    bytes->data = grown;
    bytes->room = room;
    return true;
}

static bool append(struct bytes *bytes, const char *data, size_t len)
{
    if (!make_room(bytes, len))
        return false;
    if (len)
        memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
    return true;
}

/* Line ends of an edit as those of the file. */
static bool append_edit(struct bytes *bytes, const qp_edit *edit, bool crlf)
{
    if (!crlf)
        return append(bytes, edit->bytes.data, edit->bytes.len);
    for (size_t i = 0; i < edit->bytes.len; i++)
        if ((edit->bytes.data[i] == '\n' && !append(bytes, "\r", 1)) ||
            !append(bytes, edit->bytes.data + i, 1))
            return false;
    return true;
}

static bool read_all(const struct input *input, struct bytes *bytes)
{
    ptrdiff_t got = 1;
    while (got > 0) {
        if (!make_room(bytes, 1 << 16)) {
            errno = ENOMEM;
            return false;
        }
        got = input->read(input->from, bytes->data + bytes->len, bytes->room - bytes->len);
        if (got > 0)
            bytes->len += (size_t)got;
    }
    return got == 0;
}

/* ---- findings ---- */

static void show(struct lint *lint, const qp_finding *findings, size_t count)
{
    const char *file = lint->input->name;
    tally_findings(&lint->tally, findings, count);
    if (count)
        progress_wipe(lint->options);
    for (size_t i = 0; i < count; i++) {
        if (lint->options->json)
            json_finding(lint->options, lint->report, file, &findings[i]);
        else
            print_finding(lint->options, lint->report, lint->color, file, &findings[i]);
    }
}

static bool lint_record(void *user, const struct record *record)
{
    struct lint *lint = user;
    size_t count = record->finding_count;
    const qp_lint_options wanted = {.rules = lint->options->rules,
                                    .against = lint->against,
                                    .against_count = lint->against_count};
    const qp_finding *findings = record->findings;
    const qp_judgement *judgement = NULL;
    if (record->reader)
        findings = qp_lint(record->reader, &wanted, &judgement, &count);
    show(lint, findings, count);
    if (!record->game)
        return true;
    lint->tally.games++;
    lint->tally.plies += record->game->plies;
    if (lint->options->json)
        json_game(lint->options, lint->report, lint->input->name, record->game, judgement, false);
    return true;
}

/* ---- mending ---- */

static qp_reader *open_bytes(const struct lint *lint, struct bytes *bytes)
{
    bytes->at = 0;
    qp_reader_options wanted = {
        .name = strcmp(lint->input->name, "-") == 0 ? NULL : lint->input->name,
        .format = lint->options->from,
        .encoding = lint->options->encoding,
    };
    return qp_reader_open(lint->context, read_bytes, bytes, &wanted);
}

/* One round over the bytes: *out gets them mended. Returns how many edits were made, or -1 when
 * it has said what is wrong. */
static long mend_round(struct lint *lint, struct bytes *in, struct bytes *out, bool first)
{
    const qp_lint_options wanted = {.rules = lint->options->rules,
                                    .against = lint->against,
                                    .against_count = lint->against_count};
    qp_reader *reader = open_bytes(lint, in);
    const char *lf = in->len ? memchr(in->data, '\n', in->len) : NULL;
    bool crlf = lf && lf > in->data && lf[-1] == '\r', fine = reader != NULL;
    size_t from = 0;
    long made = 0;
    qp_status status = QP_FATAL;
    out->len = 0;
    do {
        if (!reader)
            break;
        const qp_game *game = NULL;
        size_t count, edit_count;
        status = qp_reader_next(reader, &game);
        if (status == QP_FATAL)
            break;
        const qp_judgement *judgement = NULL;
        const qp_finding *findings = qp_lint(reader, &wanted, &judgement, &count);
        const qp_edit *edits = qp_lint_edits(reader, &edit_count);
        if (first) {
            show(lint, findings, count);
            if (status != QP_END) {
                lint->tally.games++;
                lint->tally.plies += game->plies;
                if (lint->options->json)
                    json_game(lint->options, lint->report, lint->input->name, game, judgement, false);
            }
        }
        for (size_t i = 0; i < edit_count && fine; i++) {
            if (edits[i].certainty < lint->least || edits[i].byte < from ||
                edits[i].byte_end > in->len)
                continue;
            fine = append(out, in->data + from, (size_t)edits[i].byte - from) &&
                   append_edit(out, &edits[i], crlf);
            from = (size_t)edits[i].byte_end;
            made++;
        }
    } while (fine && (status == QP_OK || status == QP_BAD));
    fine = fine && append(out, in->data + from, in->len - from);
    if (!fine || status == QP_FATAL) {
        const char *error = reader && fine ? qp_reader_error(reader) : NULL;
        complain_of(lint->options, lint->input->name, "%s",
                    error && *error ? error : strerror(ENOMEM));
        made = -1;
    }
    qp_reader_close(reader);
    return made;
}

/* ---- output ---- */

static char *folder_path(const struct lint *lint)
{
    const char *name = lint->input->name, *slash = strrchr(name, '/');
    const char *base = strcmp(name, "-") == 0 ? "stdin" : slash ? slash + 1 : name;
    char *path = malloc(strlen(lint->options->output) + strlen(base) + 1);
    if (path)
        strcat(strcpy(path, lint->options->output), base);
    return path;
}

static bool open_output(struct lint *lint)
{
    const struct options *options = lint->options;
    char *path = lint->to_folder ? folder_path(lint) : NULL;
    const char *place = options->in_place ? lint->input->name
                        : lint->to_folder ? path
                                          : options->output;
    if (place && strcmp(place, "-") == 0)
        place = NULL;
    lint->open = output_open(&lint->output, options, place);
    if (lint->open && options->to) {
        lint->writer =
            qp_writer_open(lint->context, output_write, &lint->output, &lint->wanted);
        if (!lint->writer) {
            complain(options, "%s", strerror(ENOMEM));
            output_close(&lint->output, false);
            lint->open = false;
        }
    }
    free(path);
    return lint->open;
}

static bool close_output(struct lint *lint, bool keep)
{
    bool fine = true;
    if (!lint->open)
        return true;
    if (lint->writer && qp_writer_close(lint->writer) != QP_OK)
        fine = keep = false;
    lint->writer = NULL;
    lint->open = false;
    return output_close(&lint->output, keep) && fine;
}

/* The mended bytes as they are, or as games of another format. */
static bool write_bytes(struct lint *lint, struct bytes *bytes)
{
    if (!lint->writer)
        return output_write(&lint->output, bytes->data ? bytes->data : "", bytes->len) == 0;
    qp_reader *reader = open_bytes(lint, bytes);
    const qp_game *game;
    qp_status status = QP_FATAL;
    bool fine = reader != NULL;
    while (fine && ((status = qp_reader_next(reader, &game)) == QP_OK || status == QP_BAD)) {
        fine = qp_writer_put(lint->writer, game) == QP_OK;
        size_t count;
        const qp_finding *findings = qp_writer_findings(lint->writer, &count);
        show(lint, findings, count);
    }
    if (reader)
        qp_reader_close(reader);
    return fine && status == QP_END;
}

static bool mend_input(struct lint *lint)
{
    struct bytes in = {0}, out = {0};
    bool fine = read_all(lint->input, &in), changed = false;
    if (!fine)
        complain_of(lint->options, lint->input->name, "%s", strerror(errno));
    long made = 1;
    for (int round = 0; fine && made > 0 && round < ROUNDS; round++) {
        made = mend_round(lint, &in, &out, round == 0);
        fine = made >= 0;
        if (made > 0) {
            struct bytes swap = in;
            in = out;
            out = swap;
            changed = true;
        }
    }
    if (fine && (changed || !lint->options->in_place)) {
        fine = (lint->open || open_output(lint)) && write_bytes(lint, &in);
        if (lint->options->in_place || lint->to_folder)
            fine = close_output(lint, fine) && fine;
    }
    free(in.data);
    free(out.data);
    return fine;
}

static void lint_begin(void *user, const struct input *input)
{
    struct lint *lint = user;
    lint->input = input;
}

static bool lint_end(void *user, const struct input *input, bool fine)
{
    struct lint *lint = user;
    (void)input;
    if (!fine)
        lint->tally.trouble = true;
    return true;
}

static bool lint_split(void *copy, const struct options *options)
{
    struct lint *lint = copy;
    lint->options = options;
    lint->report = options->out;
    return true;
}

static void lint_collect(void *copy, struct piece *piece)
{
    struct lint *lint = copy;
    piece->tally = lint->tally;
    lint->tally = (struct tally){0};
}

static bool lint_join(void *user, const struct piece *piece)
{
    struct lint *lint = user;
    tally_add(&lint->tally, &piece->tally);
    return true;
}

/* With --fix: an input as a whole. */
static bool lint_input(void *user, const struct input *input)
{
    struct lint *lint = user;
    if (input->settle)
        return true;
    lint->input = input;
    if (lint->options->in_place && (input->member || strcmp(input->name, "-") == 0)) {
        complain_of(lint->options, input->name, "is no file that could be replaced");
        lint->tally.trouble = true;
        return true;
    }
    bool fine = !input->finding
                    ? mend_input(lint)
                    : read_records(lint->options, lint->context, input, lint_record, lint);
    if (!fine)
        lint->tally.trouble = true;
    return true;
}

/* ---- the other card ---- */

/* Its moves, as far as they are likely. */
static bool take_moves(struct lint *lint, struct bytes *bytes)
{
    qp_reader *reader = open_bytes(lint, bytes);
    const qp_game *game = NULL;
    if (!reader)
        return false;
    qp_status status = qp_reader_next(reader, &game);
    bool fine = (status == QP_OK || status == QP_BAD) && game;
    if (fine && game->plies) {
        lint->against = malloc(game->plies * sizeof *lint->against);
        fine = lint->against != NULL;
    }
    for (const qp_node *node = fine ? game->first : NULL; node; node = node->next)
        if (lint->against_count < game->plies)
            lint->against[lint->against_count++] = node->move;
    qp_reader_close(reader);
    return fine;
}

static bool read_against(struct lint *lint)
{
    struct bytes in = {0}, out = {0};
    int fd = open(lint->options->against, O_RDONLY | O_CLOEXEC);
    struct input input = {.name = lint->options->against, .read = qp_read_fd, .from = &fd};
    bool fine = fd >= 0 && read_all(&input, &in);
    if (!fine)
        complain_of(lint->options, input.name, "%s", strerror(errno));
    qp_certainty least = lint->least;
    lint->input = &input;
    lint->least = QP_LIKELY;
    long made = 1;
    for (int round = 0; fine && made > 0 && round < ROUNDS; round++) {
        made = mend_round(lint, &in, &out, false);
        fine = made >= 0;
        if (made > 0) {
            struct bytes swap = in;
            in = out;
            out = swap;
        }
    }
    if (fine && !take_moves(lint, &in)) {
        complain_of(lint->options, input.name, "holds no game");
        fine = false;
    }
    lint->least = least;
    lint->input = NULL;
    if (fd >= 0)
        close(fd);
    free(in.data);
    free(out.data);
    return fine;
}

/* ---- choices ---- */

static bool choose(struct lint *lint)
{
    const struct options *options = lint->options;
    bool fixes = options->fix != FIX_NONE;
    size_t len = options->output ? strlen(options->output) : 0;
    if (!fixes && (options->output || options->to || options->in_place)) {
        complain(options, "%s needs --fix",
                 options->in_place ? "--in-place"
                 : options->output ? "-o"
                                   : "-t");
        return false;
    }
    if (options->in_place && (options->output || options->to)) {
        complain(options, "--in-place goes without -o and -t");
        return false;
    }
    if (fixes && options->shards) {
        complain(options, "--fix goes without --shard");
        return false;
    }
    lint->to_folder = len && options->output[len - 1] == '/';
    lint->report = fixes && !(options->json && options->output) ? stderr : stdout;
    lint->color = wants_color(options, lint->report);
    if (options->to) {
        const qp_format *format = find_format(options, options->to);
        if (!format)
            return false;
        if (!qp_format_writes(format)) {
            complain(options, "format '%s' is read, not written", options->to);
            return false;
        }
    }
    return true;
}

int cmd_lint(struct options *options)
{
    struct lint lint = {.options = options};
    if (!choose(&lint))
        return EXIT_TROUBLE;
    options->lints = true;
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    lint.context = context;
    lint.wanted.format = options->to;
    if (options->to && options->output_encoding &&
        !encoding_known(options, context, options->output_encoding, options->to)) {
        qp_context_free(context);
        return EXIT_TROUBLE;
    }
    lint.wanted.encoding = options->output_encoding;
    if (options->notation) {
        lint.wanted.notation =
            find_notation(options, context, options->notation, strlen(options->notation));
        if (!lint.wanted.notation) {
            qp_context_free(context);
            return EXIT_TROUBLE;
        }
    }
    lint.least = options->fix == FIX_LIKELY ? QP_LIKELY : QP_CERTAIN;
    if (options->against && !read_against(&lint)) {
        free(lint.against);
        qp_context_free(context);
        return EXIT_TROUBLE;
    }
    progress_start(options);
    const struct work work = {
        .options = options,
        .context = context,
        .user = &lint,
        .begin = lint_begin,
        .record = lint_record,
        .end = lint_end,
        .size = sizeof lint,
        .split = lint_split,
        .input = lint_begin,
        .collect = lint_collect,
        .join = lint_join,
    };
    bool fixes = options->fix != FIX_NONE;
    if (!(fixes ? inputs_each(options, lint_input, NULL, &lint) : read_inputs(&work)))
        lint.tally.trouble = true;
    progress_wipe(options);
    if (!close_output(&lint, !lint.tally.trouble))
        lint.tally.trouble = true;
    if (options->json)
        json_summary(lint.report, &lint.tally);
    else
        print_summary(options, &lint.tally);
    free(lint.against);
    qp_context_free(context);
    return tally_exit(&lint.tally, options);
}
