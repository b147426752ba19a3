/* qipu convert: read records, write them in another format. All inputs go into one
 * output, or each into a file of its own in a folder; --split cuts an output into parts.
 */
#include "config.h"

#include "common.h"
#include "paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct convert {
    const struct options *options;
    const qp_context *context;
    const qp_format *format;
    qp_writer_options wanted;
    struct tally tally;
    FILE *report; /* findings go here */
    bool color;

    /* where output goes */
    const char *place; /* the value of -o; NULL: standard output */
    bool to_folder;
    struct stat folder, file; /* for what a walk must not read; st_ino 0: there is none */
    struct names names;       /* taken in the folder */

    /* the output that is open */
    bool open;
    struct output output;
    qp_writer *writer;
    uint64_t part, part_games;

    /* of a worker: what it has made of games, for the writer of the main thread */
    char *made;
    size_t made_len, made_room, made_usual;
    unsigned told; /* findings of one a file that stand in the piece at hand */

    /* the input at hand */
    const char *input;
    const char *input_file; /* its name in its folder or archive */
    char *input_path; /* of its output in the folder, once it has one */
    bool stopped;     /* by --on-error stop */
    bool broken;      /* output failed: nothing more can be written */
};

/* ---- the output ---- */

/* keep: the output is whole. */
static void close_output(struct convert *convert, bool keep)
{
    if (!convert->open)
        return;
    convert->open = false;
    if (qp_writer_close(convert->writer) != QP_OK && !convert->output.error)
        convert->output.error = ENOMEM;
    convert->writer = NULL;
    if (!output_close(&convert->output, keep))
        convert->tally.trouble = convert->broken = true;
}

/* Finds a name in the folder for what the input at hand becomes. */
static bool name_output(struct convert *convert)
{
    bool again;
    convert->input_path = folder_path(&convert->names, convert->place, convert->input_file,
                                      convert->format, &again);
    if (convert->input_path && again && convert->options->verbosity >= 0)
        complain_of(convert->options, convert->input,
                    "another input has this name; written as %s", convert->input_path);
    return convert->input_path != NULL;
}

static bool open_output(struct convert *convert)
{
    const char *named = convert->place;
    char *part = NULL;
    bool fine = true;
    if (convert->to_folder) {
        fine = convert->input_path || name_output(convert);
        named = convert->input_path;
    }
    if (fine && convert->options->split) {
        named = part = part_path(named, ++convert->part);
        fine = named != NULL;
    }
    if (!fine)
        complain(convert->options, "%s", strerror(ENOMEM));
    fine = fine && output_open(&convert->output, convert->options, named);
    free(part);
    if (fine) {
        convert->writer = qp_writer_open(convert->context, output_write, &convert->output,
                                         &convert->wanted);
        if (!convert->writer) {
            complain(convert->options, "%s", strerror(ENOMEM));
            output_close(&convert->output, false);
            fine = false;
        }
    }
    convert->open = fine;
    convert->part_games = 0;
    if (!fine)
        convert->tally.trouble = convert->broken = true;
    return fine;
}

/* Sees to it that there is an output for one more game. */
static bool ready_output(struct convert *convert)
{
    if (convert->options->split && convert->open &&
        convert->part_games == convert->options->split) {
        close_output(convert, true);
        if (convert->broken)
            return false;
    }
    if (!convert->open && !open_output(convert))
        return false;
    convert->part_games++;
    return true;
}

static bool give_up(struct convert *convert)
{
    close_output(convert, false);
    convert->tally.trouble = convert->broken = true;
    return false;
}

/* A worker's: kept until the main thread writes it, in order. */
static bool make_game(struct convert *convert, const qp_game *game)
{
    size_t before = convert->made_len;
    if (qp_writer_put(convert->writer, game) != QP_OK) {
        complain(convert->options, "%s", strerror(ENOMEM));
        convert->tally.trouble = convert->broken = true;
        return false;
    }
    fprintf(convert->options->out, "%c%zu%c", MARK_GAME, convert->made_len - before,
            MARK_GAME);
    return true;
}

static bool write_game(struct convert *convert, const qp_game *game)
{
    if (convert->options->part)
        return make_game(convert, game);
    if (!ready_output(convert))
        return false;
    return qp_writer_put(convert->writer, game) == QP_OK || give_up(convert);
}

/* ---- findings ---- */

static void report_one(struct convert *convert, const qp_finding *finding)
{
    progress_wipe(convert->options);
    if (convert->options->json)
        json_finding(convert->options, convert->report, convert->input, finding);
    else
        print_finding(convert->options, convert->report, convert->color, convert->input,
                      finding);
}

/* What is said once a file is asked about when it is known which games stand before. */
static void report_once(struct convert *convert, const qp_finding *finding)
{
    if (convert->told & finding->once)
        return;
    if (!convert->options->split)
        convert->told |= finding->once;
    fprintf(convert->options->out, "%c%u%c", MARK_ONCE, finding->once, MARK_ONCE);
    report_one(convert, finding);
    fputc(MARK_ONCE_END, convert->options->out);
}

static void report(struct convert *convert, const qp_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (findings[i].once) {
            report_once(convert, &findings[i]);
            continue;
        }
        tally_findings(&convert->tally, &findings[i], 1);
        report_one(convert, &findings[i]);
    }
}

/* ---- the loop ---- */

/* A game with an unreadable or illegal move, in the main line or elsewhere. */
static bool is_bad(const qp_game *game)
{
    if (!game->legal)
        return true;
    if (game->variations == 0)
        return false;
    for (const qp_node *node = game->first; node; node = qp_node_walk(node, NULL))
        if (node->flags & (QP_NODE_ILLEGAL | QP_NODE_UNREADABLE))
            return true;
    return false;
}

static bool convert_record(void *user, const struct record *record)
{
    struct convert *convert = user;
    const struct options *options = convert->options;
    const qp_game *game = record->game;
    if (!game) {
        report(convert, record->findings, record->finding_count);
        return true;
    }
    report(convert, record->findings, record->finding_count);
    convert->tally.games++;
    convert->tally.plies += game->plies;
    bool bad = options->on_error != ON_ERROR_KEEP && is_bad(game);
    if (!bad) {
        if (!write_game(convert, game))
            return false;
        size_t count;
        const qp_finding *findings = qp_writer_findings(convert->writer, &count);
        report(convert, findings, count);
    }
    if (options->json)
        json_game(options, convert->report, convert->input, game, NULL, bad);
    if (!bad)
        return true;
    convert->stopped = options->on_error == ON_ERROR_STOP;
    if (!options->json && options->verbosity >= 0)
        complain_of_game(options, convert->input, convert->stopped ? "stopped at game " : "game ",
                         game->number, convert->stopped ? "" : " is left out");
    return !convert->stopped;
}

/* Whether all games go into one file, or to standard output. */
static bool is_one_output(const struct convert *convert)
{
    return !convert->to_folder && !convert->options->split;
}

static void convert_begin(void *user, const struct input *input)
{
    struct convert *convert = user;
    convert->input = input->name;
    convert->input_file = input->member ? input->member : input->name;
    if (convert->options->shards && !convert->options->part && is_one_output(convert) &&
        !convert->open && !convert->broken) {
        convert->wanted.follows = input->follows;
        open_output(convert);
    }
}

static bool convert_end(void *user, const struct input *input, bool fine)
{
    struct convert *convert = user;
    (void)input;
    if (!fine)
        convert->tally.trouble = true;
    if (convert->to_folder) {
        close_output(convert, fine);
        free(convert->input_path);
        convert->input_path = NULL;
        convert->part = 0;
    }
    return !convert->stopped && !convert->broken;
}

/* ---- workers ---- */

static int keep_made(void *user, const void *bytes, size_t size)
{
    struct convert *convert = user;
    if (convert->made_room - convert->made_len < size) {
        size_t room = (convert->made_len + size) * 2;
        if (room < convert->made_usual)
            room = convert->made_usual;
        char *grown = realloc(convert->made, room);
        if (!grown)
            return -1;
        convert->made = grown;
        convert->made_room = room;
    }
    memcpy(convert->made + convert->made_len, bytes, size);
    convert->made_len += size;
    return 0;
}

static bool convert_split(void *copy, const struct options *options)
{
    struct convert *convert = copy;
    qp_writer_options wanted = convert->wanted;
    wanted.part = true;
    convert->options = options;
    convert->report = options->out;
    convert->writer = qp_writer_open(convert->context, keep_made, convert, &wanted);
    return convert->writer != NULL;
}

static void convert_collect(void *copy, struct piece *piece)
{
    struct convert *convert = copy;
    /* It may wait for its turn: without much of the room that it had to grow. */
    size_t over = convert->made_room - convert->made_len;
    char *tight = convert->made_len && over > convert->made_len / 4
                      ? realloc(convert->made, convert->made_len)
                      : NULL;
    convert->made_usual = convert->made_len + convert->made_len / 8;
    piece->tally = convert->tally;
    piece->games = tight ? tight : convert->made;
    piece->games_len = convert->made_len;
    piece->stopped = convert->stopped || convert->broken;
    convert->tally = (struct tally){0};
    convert->made = NULL;
    convert->made_len = convert->made_room = 0;
    convert->told = 0;
    convert->stopped = convert->broken = false;
}

static void convert_close(void *copy)
{
    struct convert *convert = copy;
    qp_writer_close(convert->writer);
    free(convert->made);
}

static bool convert_join(void *user, const struct piece *piece)
{
    struct convert *convert = user;
    tally_add(&convert->tally, &piece->tally);
    convert->stopped |= piece->stopped;
    return !convert->stopped && !convert->broken;
}

static bool convert_once(void *user, unsigned kind)
{
    struct convert *convert = user;
    if (!convert->open || !qp_writer_first(convert->writer, kind))
        return false;
    convert->tally.warnings++;
    return true;
}

static bool convert_game(void *user, const char *bytes, size_t size)
{
    struct convert *convert = user;
    if (!ready_output(convert))
        return false;
    return qp_writer_join(convert->writer, bytes, size) == QP_OK || give_up(convert);
}

static bool is_output(void *user, const struct input *input)
{
    const struct convert *convert = user;
    return (convert->folder.st_ino == input->inode &&
            convert->folder.st_dev == input->device) ||
           (convert->file.st_ino == input->inode &&
            convert->file.st_dev == input->device);
}

/* ---- choices ---- */

static bool choose_format(struct convert *convert)
{
    const struct options *options = convert->options;
    if (options->to) {
        convert->format = find_format(options, options->to);
        if (!convert->format)
            return false;
    } else if (convert->place && !convert->to_folder) {
        convert->format = qp_format_by_suffix(convert->place);
        if (!convert->format) {
            complain(options, "no format has the suffix of '%s'; name one with -t",
                     convert->place);
            return false;
        }
    } else {
        complain(options,
                 "no output format; name one with -t ('qipu formats' lists them)");
        return false;
    }
    if (qp_format_writes(convert->format))
        return true;
    complain(options, "format '%s' is read, not written",
             qp_format_name(convert->format));
    return false;
}

static bool choose_notation(struct convert *convert)
{
    const struct options *options = convert->options;
    if (!options->notation)
        return true;
    convert->wanted.notation = find_notation(options, convert->context, options->notation,
                                             strlen(options->notation));
    if (!convert->wanted.notation)
        return false;
    if (!(qp_format_carries(convert->format) & QP_CARRIES_TEXT)) {
        convert->wanted.notation = NULL;
        if (options->verbosity >= 0)
            complain(options,
                     "format '%s' leaves no choice of notation; -n is passed over",
                     qp_format_name(convert->format));
    }
    return true;
}

/* Only the folder itself is made, not the folders above it. */
static bool choose_place(struct convert *convert)
{
    if (convert->options->split && !convert->place) {
        complain(convert->options, "--split needs -o: its parts are files");
        return false;
    }
    if (!convert->place)
        return true;
    if (!convert->to_folder) {
        if (stat(convert->place, &convert->file) != 0)
            convert->file.st_ino = 0;
        return true;
    }
    if ((mkdir(convert->place, 0777) != 0 && errno != EEXIST) ||
        stat(convert->place, &convert->folder) != 0) {
        complain_of(convert->options, convert->place, "%s", strerror(errno));
        return false;
    }
    return true;
}

static bool choose(struct convert *convert)
{
    const struct options *options = convert->options;
    if (options->output && strcmp(options->output, "-") != 0)
        convert->place = options->output;
    size_t len = convert->place ? strlen(convert->place) : 0;
    if (convert->place && len == 0) {
        complain(options, "-o wants a name");
        return false;
    }
    convert->to_folder = len > 0 && convert->place[len - 1] == '/';
    if (!choose_format(convert) || !choose_notation(convert))
        return false;
    if (options->output_encoding &&
        !encoding_known(options, convert->context, options->output_encoding,
                        qp_format_name(convert->format)))
        return false;
    convert->wanted.format = qp_format_name(convert->format);
    convert->wanted.encoding = options->output_encoding;
    convert->wanted.quotes = options->quotes;
    convert->wanted.main_line = options->main_line;
    convert->wanted.version = options->format_version;
    if (!qp_format_has_version(convert->format, options->format_version)) {
        complain(options, "format '%s' has no version %u to write",
                 qp_format_name(convert->format), options->format_version);
        return false;
    }
    if (!choose_place(convert))
        return false;
    convert->report = options->json && convert->place ? stdout : stderr;
    convert->color = wants_color(options, convert->report);
    return true;
}

int cmd_convert(struct options *options)
{
    struct convert convert = {.options = options};
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    convert.context = context;
    /* Of a share it is not known yet whether others stand before it. */
    if (!choose(&convert) ||
        (is_one_output(&convert) && !options->shards && !open_output(&convert))) {
        qp_context_free(context);
        return EXIT_TROUBLE;
    }
    options->out = convert.report;
    progress_start(options);
    const struct work work = {
        .options = options,
        .context = context,
        .user = &convert,
        .skip = is_output,
        .begin = convert_begin,
        .record = convert_record,
        .end = convert_end,
        .size = sizeof convert,
        .split = qp_writer_joins(&convert.wanted) ? convert_split : NULL,
        .input = convert_begin,
        .collect = convert_collect,
        .close = convert_close,
        .join = convert_join,
        .once = convert_once,
        .game = convert_game,
    };
    options->unchecked = true;
    if (!read_inputs(&work))
        convert.tally.trouble = true;
    progress_wipe(options);
    if (is_one_output(&convert) && !convert.open && !convert.broken)
        open_output(&convert);
    if (convert.open && convert.tally.trouble && convert.place)
        complain_of(options, convert.place, "not written, since not all could be read");
    close_output(&convert, !convert.tally.trouble);
    if (options->json)
        json_summary(convert.report, &convert.tally);
    else if (options->verbosity > 0)
        print_summary(options, &convert.tally);
    names_clear(&convert.names);
    qp_context_free(context);
    return tally_exit(&convert.tally, options);
}
