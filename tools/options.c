/* The options: one table for all commands, since a name means the same wherever it
 * appears. Short ones can be glued (-qtpgn), long ones take =VALUE or the next argument,
 * none can be abbreviated. What is not an option is an operand, before or after options;
 * -- ends them. */
#include "config.h"

#include "common.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPT_FROM,
    OPT_TO,
    OPT_OUTPUT,
    OPT_NOTATION,
    OPT_ENCODING,
    OPT_OUTPUT_ENCODING,
    OPT_RECURSIVE,
    OPT_DIALECT,
    OPT_SPLIT,
    OPT_SHARD,
    OPT_JOBS,
    OPT_RULES,
    OPT_LIMIT,
    OPT_ON_ERROR,
    OPT_SAFE_QUOTES,
    OPT_RAW_QUOTES,
    OPT_NO_VARIATIONS,
    OPT_FORMAT_VERSION,
    OPT_PERFT,
    OPT_JSON,
    OPT_WERROR,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_PROGRESS,
    OPT_NO_PROGRESS,
    OPT_COLOR,
    OPT_FIX,
    OPT_IN_PLACE,
    OPT_AGAINST,
    OPT_PLY,
    OPT_EVERY,
    OPT_GAME,
    OPT_VARIATION,
    OPT_LETTERS,
    OPT_FROM_BLACK,
    OPT_TERMS,
    OPT_HELP,
};

struct option_row {
    enum option_id id;
    unsigned commands;
    char short_name; /* 0: none */
    const char *name;
    const char *value; /* what stands for its value in texts; NULL: it takes none; with = in
                          front: it may have one, glued to it */
    const char *help;
};

#define READERS (CMD_CONVERT | CMD_CHECK | CMD_INFO | CMD_LINT | CMD_SHOW)
#define WRITERS (CMD_CONVERT | CMD_LINT)
#define SHARERS (CMD_CONVERT | CMD_CHECK | CMD_INFO | CMD_LINT)

static const struct option_row rows[] = {
    {OPT_FROM, READERS, 'f', "from", "format",
     "input format; without it, found by content, then by file name"},
    {OPT_TO, WRITERS, 't', "to", "format",
     "output format; without it, by the name given to -o"},
    {OPT_OUTPUT, WRITERS, 'o', "output", "path",
     "write this file, or with a / at the end one file per input into this folder"},
    {OPT_NOTATION, WRITERS | CMD_MOVES | CMD_SHOW, 'n', "notation", "name",
     "notation of the moves written"},
    {OPT_ENCODING, READERS, 'e', "encoding", "name",
     "input encoding; without it, detected"},
    {OPT_OUTPUT_ENCODING, WRITERS, 'E', "output-encoding", "name",
     "output encoding; without it, UTF-8"},
    {OPT_RECURSIVE, READERS, 'r', "recursive", NULL, "walk folders"},
    {OPT_DIALECT, READERS | CMD_MOVES | CMD_FORMATS, 0, "dialect", "file",
     "a notation of your own, beside the built-in ones; may be repeated"},
    {OPT_SPLIT, CMD_CONVERT, 0, "split", "n", "write parts of n games each"},
    {OPT_SHARD, SHARERS, 0, "shard", "k/n",
     "take the k-th of n shares of the records"},
    {OPT_JOBS, READERS, 'j', "jobs", "n", "worker threads, 0 for all cores"},
    {OPT_RULES, CMD_CONVERT | CMD_CHECK | CMD_LINT, 0, "rules", "name",
     "ruleset; without it, cxa-2011"},
    {OPT_LIMIT, CMD_CHECK, 0, "limit", "rounds",
     "natural move limit; without it, the ruleset's"},
    {OPT_ON_ERROR, CMD_CONVERT, 0, "on-error", "keep|skip|stop",
     "what to do with a game that has a bad move"},
    {OPT_SAFE_QUOTES, CMD_CONVERT, 0, "safe-quotes", NULL,
     "PGN: write quotes inside tag values as \xe2\x80\x9c and \xe2\x80\x9d"},
    {OPT_RAW_QUOTES, CMD_CONVERT, 0, "raw-quotes", NULL,
     "PGN: write quotes inside tag values as they are"},
    {OPT_NO_VARIATIONS, CMD_CONVERT, 0, "no-variations", NULL,
     "write the main line alone"},
    {OPT_FORMAT_VERSION, CMD_CONVERT, 0, "format-version", "n",
     "version of the output format, where it has several"},
    {OPT_FIX, CMD_LINT, 0, "fix", "=likely",
     "write the record with what is certain mended; with =likely what is likely too"},
    {OPT_AGAINST, CMD_LINT, 0, "against", "file", "the other player's card of the same game"},
    {OPT_IN_PLACE, CMD_LINT, 0, "in-place", NULL, "replace each file that was mended"},
    {OPT_PERFT, CMD_MOVES, 0, "perft", "n",
     "print the number of leaf nodes n plies deep"},
    {OPT_PLY, CMD_SHOW, 0, "ply", "n[-[m]]",
     "the position after ply n, or after each of n to m; without it, the last"},
    {OPT_EVERY, CMD_SHOW, 0, "every", "n", "of the plies every n-th, and the last"},
    {OPT_GAME, CMD_SHOW, 0, "game", "n[-[m]]", "of each file this game, or these"},
    {OPT_VARIATION, CMD_SHOW, 0, "variation", "n", "the n-th variation, not the main line"},
    {OPT_LETTERS, CMD_SHOW | CMD_CHECK, 0, "letters", NULL, "pieces as the letters of a FEN"},
    {OPT_FROM_BLACK, CMD_SHOW, 0, "from-black", NULL, "Black's side below"},
    {OPT_TERMS, CMD_CHECK, 0, "terms", "en|zh", "language of the terms in tables of loops"},
    {OPT_JSON, READERS | CMD_FORMATS, 0, "json", NULL,
     "report as JSON, an object a line"},
    {OPT_WERROR, CMD_CONVERT | CMD_CHECK | CMD_LINT, 0, "werror", NULL,
     "let warnings count as errors for the exit code"},
    {OPT_QUIET, READERS | CMD_MOVES, 'q', "quiet", NULL,
     "less on standard error; of a finding its first line alone"},
    {OPT_VERBOSE, READERS | CMD_MOVES, 'v', "verbose", NULL, "more on standard error"},
    {OPT_PROGRESS, READERS, 0, "progress", NULL, "show progress on standard error"},
    {OPT_NO_PROGRESS, READERS, 0, "no-progress", NULL, "show no progress"},
    {OPT_COLOR, CMD_CONVERT | CMD_CHECK | CMD_LINT | CMD_SHOW, 0, "color",
     "auto|always|never", "color what is printed"},
    {OPT_HELP, CMD_ALL, 'h', "help", NULL, "print the synopsis"},
};

/* A line of the synopsis that is full goes on below the first option. */
#define SYNOPSIS_WIDTH 78

static int print_item(FILE *out, int at, int indent, const char *item)
{
    int len = (int)strlen(item);
    if (at + 1 + len > SYNOPSIS_WIDTH) {
        fprintf(out, "\n%*s", indent, "");
        at = indent;
    }
    return at + fprintf(out, " %s", item);
}

void options_synopsis(const struct command *command, const char *before, FILE *out)
{
    char item[64];
    int at = fprintf(out, "%sqipu %s", before, command->name), indent = at;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct option_row *row = &rows[i];
        if (!(row->commands & command->bit) || row->id == OPT_HELP)
            continue;
        char letter[2] = {row->short_name};
        if (row->value && row->value[0] == '=')
            snprintf(item, sizeof item, "[--%s[%s]]", row->name, row->value);
        else
            snprintf(item, sizeof item, "[-%s%s%s%s]", row->short_name ? "" : "-",
                     row->short_name ? letter : row->name, row->value ? " " : "",
                     row->value ? row->value : "");
        at = print_item(out, at, indent, item);
    }
    if (command->operands[0])
        print_item(out, at, indent, command->operands);
    fputc('\n', out);
}

void options_describe(const struct command *command, FILE *out)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct option_row *row = &rows[i];
        if (!(row->commands & command->bit))
            continue;
        int width = row->short_name
                        ? fprintf(out, "  -%c, --%s", row->short_name, row->name)
                        : fprintf(out, "      --%s", row->name);
        if (row->value)
            width += fprintf(out, row->value[0] == '=' ? "[%s]" : " %s", row->value);
        fprintf(out, "%*s%s\n", width < 30 ? 30 - width : 2, "", row->help);
    }
}

/* ---- values ---- */

/* A whole number in decimal digits, nothing else. */
static bool read_number(const char *text, size_t len, uint64_t most, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)text[i]) || n > most / 10)
            return false;
        n = n * 10 + (uint64_t)(text[i] - '0');
    }
    *number = n;
    return len > 0 && n <= most;
}

static bool wants_number(const struct options *options, const char *name,
                         const char *value, uint64_t least, uint64_t most,
                         uint64_t *number)
{
    if (read_number(value, strlen(value), most, number) && *number >= least)
        return true;
    complain(options, "--%s wants a number from %llu to %llu, not '%s'", name,
             (unsigned long long)least, (unsigned long long)most, value);
    return false;
}

/* The index of value among words, or -1 when it has said that it is none of them. */
static int wants_word(const struct options *options, const char *name, const char *value,
                      const char *const *words, size_t count)
{
    struct nearest nearest = {.word = value};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], value) == 0)
            return (int)i;
        nearest_offer(&nearest, words[i]);
    }
    complain(options, "unknown value '%s' of --%s; the nearest is '%s'", value, name,
             nearest.best);
    return -1;
}

static bool wants_shard(struct options *options, const char *value)
{
    const char *slash = strchr(value, '/');
    if (slash &&
        read_number(value, (size_t)(slash - value), UINT32_MAX, &options->shard) &&
        read_number(slash + 1, strlen(slash + 1), UINT32_MAX, &options->shards) &&
        options->shard >= 1 && options->shard <= options->shards)
        return true;
    complain(options, "--shard wants k/n with k from 1 to n, not '%s'", value);
    return false;
}

/* n, n-m or n- */
static bool wants_range(const struct options *options, const char *name, const char *value,
                        uint64_t least, struct range *range)
{
    size_t first = strcspn(value, "-");
    const char *second = value[first] == '-' ? value + first + 1 : NULL;
    range->given = true;
    range->to = UINT32_MAX;
    if (read_number(value, first, UINT32_MAX, &range->from) && range->from >= least) {
        if (!second)
            range->to = range->from;
        if (!second || *second == '\0' ||
            (read_number(second, strlen(second), UINT32_MAX, &range->to) &&
             range->to >= range->from))
            return true;
    }
    complain(options, "--%s wants n, n-m or n- from %llu on, not '%s'", name,
             (unsigned long long)least, value);
    return false;
}

static bool take(struct options *options, const struct option_row *row, const char *value)
{
    static const char *const whens[] = {"auto", "always", "never"};
    static const char *const languages[] = {"en", "zh"};
    static const char *const on_errors[] = {"keep", "skip", "stop"};
    uint64_t number;
    int word;
    switch (row->id) {
    case OPT_FROM:
        options->from = value;
        return true;
    case OPT_TO:
        options->to = value;
        return true;
    case OPT_OUTPUT:
        options->output = value;
        return true;
    case OPT_NOTATION:
        options->notation = value;
        return true;
    case OPT_ENCODING:
        options->encoding = value;
        return true;
    case OPT_OUTPUT_ENCODING:
        options->output_encoding = value;
        return true;
    case OPT_RECURSIVE:
        options->recursive = true;
        return true;
    case OPT_DIALECT:
        options->dialects[options->dialect_count++] = value;
        return true;
    case OPT_SPLIT:
        return wants_number(options, row->name, value, 1, UINT32_MAX, &options->split);
    case OPT_SHARD:
        return wants_shard(options, value);
    case OPT_JOBS:
        if (!wants_number(options, row->name, value, 0, 1024, &number))
            return false;
        options->jobs = (unsigned)number;
        return true;
    case OPT_RULES:
        options->rules = value;
        return rules_known(options, value);
    case OPT_LIMIT:
        if (!wants_number(options, row->name, value, 1, 10000, &number))
            return false;
        options->limit = (uint32_t)number;
        return true;
    case OPT_ON_ERROR:
        word = wants_word(options, row->name, value, on_errors, COUNT(on_errors));
        options->on_error = (enum on_error)word;
        return word >= 0;
    case OPT_SAFE_QUOTES:
        options->quotes = QP_QUOTES_SAFE;
        return true;
    case OPT_RAW_QUOTES:
        options->quotes = QP_QUOTES_RAW;
        return true;
    case OPT_NO_VARIATIONS:
        options->main_line = true;
        return true;
    case OPT_FORMAT_VERSION:
        if (!wants_number(options, row->name, value, 1, 1000, &number))
            return false;
        options->format_version = (unsigned)number;
        return true;
    case OPT_PERFT:
        if (!wants_number(options, row->name, value, 0, QP_PERFT_MAX, &number))
            return false;
        options->perft = (unsigned)number;
        options->perft_given = true;
        return true;
    case OPT_JSON:
        options->json = true;
        return true;
    case OPT_WERROR:
        options->werror = true;
        return true;
    case OPT_QUIET:
        options->verbosity = -1;
        return true;
    case OPT_VERBOSE:
        options->verbosity = 1;
        return true;
    case OPT_PROGRESS:
        options->progress = WHEN_ALWAYS;
        return true;
    case OPT_NO_PROGRESS:
        options->progress = WHEN_NEVER;
        return true;
    case OPT_COLOR:
        word = wants_word(options, row->name, value, whens, COUNT(whens));
        options->color = (enum when)word;
        return word >= 0;
    case OPT_FIX:
        options->fix = FIX_CERTAIN;
        if (value) {
            static const char *const fixes[] = {"certain", "likely"};
            word = wants_word(options, row->name, value, fixes, COUNT(fixes));
            if (word < 0)
                return false;
            options->fix = word ? FIX_LIKELY : FIX_CERTAIN;
        }
        return true;
    case OPT_AGAINST:
        options->against = value;
        return true;
    case OPT_IN_PLACE:
        options->in_place = true;
        return true;
    case OPT_PLY:
        return wants_range(options, row->name, value, 0, &options->ply);
    case OPT_GAME:
        return wants_range(options, row->name, value, 1, &options->game);
    case OPT_EVERY:
        return wants_number(options, row->name, value, 1, UINT32_MAX, &options->every);
    case OPT_VARIATION:
        if (!wants_number(options, row->name, value, 1, UINT32_MAX, &number))
            return false;
        options->variation = (uint32_t)number;
        return true;
    case OPT_TERMS:
        word = wants_word(options, row->name, value, languages, COUNT(languages));
        options->language = word > 0 ? QP_CHINESE : QP_ENGLISH;
        return word >= 0;
    case OPT_LETTERS:
        options->letters = true;
        return true;
    case OPT_FROM_BLACK:
        options->from_black = true;
        return true;
    case OPT_HELP:
        options->help = true;
        return true;
    }
    return false;
}

/* ---- arguments ---- */

static void complain_long(const struct options *options, const char *name)
{
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].commands & options->command->bit)
            nearest_offer(&nearest, rows[i].name);
    complain(options, "unknown option '--%s'; the nearest is '--%s'", name, nearest.best);
}

/* Letters are as near to each other as the names that they stand for; the same letter in
 * the other case is nearest. */
static void complain_short(const struct options *options, char name)
{
    const struct option_row *best = NULL;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct option_row *row = &rows[i];
        if (!(row->commands & options->command->bit))
            continue;
        if (row->short_name &&
            tolower((unsigned char)row->short_name) == tolower((unsigned char)name)) {
            best = row;
            break;
        }
        if (!best && row->name[0] == name)
            best = row;
    }
    char shown[8];
    if (isprint((unsigned char)name))
        snprintf(shown, sizeof shown, "-%c", name);
    else
        snprintf(shown, sizeof shown, "-\\x%02X", (unsigned char)name);
    if (best && best->short_name)
        complain(options, "unknown option '%s'; the nearest is '-%c'", shown,
                 best->short_name);
    else
        complain(options, "unknown option '%s'; the nearest is '--%s'", shown,
                 best ? best->name : "help");
}

static const struct option_row *find_row(unsigned command, const char *name, size_t len,
                                         char short_name)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!(rows[i].commands & command))
            continue;
        if (name ? strlen(rows[i].name) == len && memcmp(rows[i].name, name, len) == 0
                 : short_name != 0 && rows[i].short_name == short_name)
            return &rows[i];
    }
    return NULL;
}

/* One argument that begins with --; *next is where a value would be taken from. */
static bool take_long(struct options *options, const char *argument, char ***next,
                      char **end)
{
    const char *name = argument + 2;
    size_t len = strcspn(name, "=");
    const char *value = name[len] == '=' ? name + len + 1 : NULL;
    const struct option_row *row = find_row(options->command->bit, name, len, 0);
    if (!row) {
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(len < 63 ? len : 63), name);
        complain_long(options, word);
        return false;
    }
    if (!row->value && value) {
        complain(options, "option '--%s' takes no value", row->name);
        return false;
    }
    if (row->value && row->value[0] != '=' && !value) {
        if (*next == end) {
            complain(options, "option '--%s' wants a value: %s", row->name, row->value);
            return false;
        }
        value = *(*next)++;
    }
    return take(options, row, value);
}

/* One argument of letters behind a -. */
static bool take_short(struct options *options, const char *argument, char ***next,
                       char **end)
{
    for (const char *p = argument + 1; *p; p++) {
        const struct option_row *row = find_row(options->command->bit, NULL, 0, *p);
        if (!row) {
            complain_short(options, *p);
            return false;
        }
        if (!row->value) {
            if (!take(options, row, NULL))
                return false;
            continue;
        }
        const char *value = p + 1;
        if (!*value) {
            if (*next == end) {
                complain(options, "option '-%c' wants a value: %s", *p, row->value);
                return false;
            }
            value = *(*next)++;
        }
        return take(options, row, value);
    }
    return true;
}

int options_read(struct options *options, const struct command *command, int argc,
                 char **argv)
{
    memset(options, 0, sizeof *options);
    options->command = command;
    options->jobs = 1;
    options->out = stdout;
    size_t room = (size_t)argc + 1;
    options->operands = calloc(room, sizeof *options->operands);
    options->dialects = calloc(room, sizeof *options->dialects);
    if (!options->operands || !options->dialects) {
        complain(options, "%s", strerror(ENOMEM));
        return EXIT_TROUBLE;
    }
    bool ended = false;
    char **next = argv, **end = argv + argc;
    while (next < end) {
        char *argument = *next++;
        bool fine = true;
        if (ended || argument[0] != '-' || argument[1] == '\0')
            options->operands[options->operand_count++] = argument;
        else if (argument[1] != '-')
            fine = take_short(options, argument, &next, end);
        else if (argument[2] == '\0')
            ended = true;
        else
            fine = take_long(options, argument, &next, end);
        if (!fine)
            return EXIT_TROUBLE;
    }
    return EXIT_SOUND;
}

void options_clear(struct options *options)
{
    free(options->operands);
    free(options->dialects);
}
