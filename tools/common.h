/* What the commands of qipu share: options, inputs, printing, outputs. The tool knows the
 * library by its public header alone. Names, options, exit codes and JSON are promises to
 * scripts; qipu(1) and its sister pages state them. */
#ifndef QIPU_COMMON_H
#define QIPU_COMMON_H

#include <qipu.h>

#include <stdio.h>
#include <sys/types.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { EXIT_SOUND = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2, EXIT_STOPPED = 130 };

/* ---- commands (main.c) ---- */

/* Bits, so that an option can name the commands that it belongs to. */
enum {
    CMD_CONVERT = 1 << 0,
    CMD_CHECK = 1 << 1,
    CMD_INFO = 1 << 2,
    CMD_MOVES = 1 << 3,
    CMD_FORMATS = 1 << 4,
    CMD_HELP = 1 << 5,
    CMD_LINT = 1 << 6,
    CMD_SHOW = 1 << 7,
    CMD_ALL = (1 << 8) - 1,
};

struct options;

struct command {
    const char *group, *name;
    unsigned bit;
    const char *operands;                /* as the SYNOPSIS shows them */
    int (*run)(struct options *options); /* returns the exit code */
    const char *summary;
};

extern const struct command commands[];
extern const size_t command_count;
/* NULL where there is none of that name; says so, and names the nearest. */
const struct command *command_find(const char *name);

int cmd_convert(struct options *options);
int cmd_check(struct options *options);
int cmd_lint(struct options *options);
int cmd_show(struct options *options);
int cmd_info(struct options *options);
int cmd_moves(struct options *options);
int cmd_formats(struct options *options);
int cmd_help(struct options *options);

/* ---- options (options.c) ---- */

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };
enum on_error { ON_ERROR_KEEP, ON_ERROR_SKIP, ON_ERROR_STOP };
enum fix { FIX_NONE, FIX_CERTAIN, FIX_LIKELY };

/* From one number to another, both included. */
struct range {
    uint64_t from, to;
    bool given;
};

struct options {
    const struct command *command;
    const char *from, *to, *output, *notation, *encoding, *output_encoding, *rules;
    const char **dialects;
    size_t dialect_count;
    bool recursive, json, werror, main_line, help;
    int verbosity; /* -1 quiet, 0, 1 verbose */
    enum when color, progress;
    enum on_error on_error;
    enum fix fix;
    bool in_place;
    const char *against;
    qp_quotes quotes;
    unsigned format_version; /* 0: the usual one */
    unsigned jobs;
    uint64_t split;         /* games in each part, 0: no parts */
    uint64_t shard, shards; /* the shard-th of shards; shards 0: all */
    struct range ply, game;
    uint64_t every;         /* 0: each */
    uint32_t variation;     /* 0: the main line */
    bool letters, from_black;
    qp_language language;   /* of terms */
    uint32_t spare_tree; /* qp_reader_options.spare_tree: set by commands that need no tree */
    bool spare_loud, pass_sound, heads, unplayed, unchecked; /* the same */
    uint32_t limit; /* rounds; 0: the ruleset's */
    unsigned perft;
    bool perft_given;
    bool lints;  /* set by the command that calls qp_lint */
    bool counts; /* set by a command that takes of variations nothing but how many there are */
    char **operands;
    size_t operand_count;
    /* Where a command writes its text; a worker's is kept until its turn comes. */
    FILE *out;
    bool part; /* it is a worker's: numbers of games and lines count from its own beginning,
                  and what is to be settled in order is marked (jobs.c) */
};

/* Reads the arguments behind the command's name. EXIT_SOUND, or EXIT_TROUBLE when it has
 * said what is wrong with them; nothing is read from files before that. */
int options_read(struct options *options, const struct command *command, int argc,
                 char **argv);
void options_clear(struct options *options);
/* before stands in front of it, "usage: " for one. */
void options_synopsis(const struct command *command, const char *before, FILE *out);
void options_describe(const struct command *command, FILE *out);

/* ---- words (words.c) ---- */

/* The known name that is nearest to a word, by edit distance. */
struct nearest {
    const char *word, *best;
    unsigned distance;
};
void nearest_offer(struct nearest *nearest, const char *candidate);

/* Each says so on standard error and names the nearest where the name is not known. */
const qp_format *find_format(const struct options *options, const char *name);
const qp_notation *find_notation(const struct options *options, const qp_context *context,
                                 const char *name, size_t len);
bool rules_known(const struct options *options, const char *name);
/* For the output in a format; for the input where format is NULL. */
bool encoding_known(const struct options *options, const qp_context *context,
                    const char *name, const char *format);

/* ---- talk (common.c) ---- */

/* One line on standard error: "qipu COMMAND: …". options may be NULL. */
void complain(const struct options *options, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same about a file: "qipu COMMAND: FILE: …". */
void complain_of(const struct options *options, const char *file, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Flushes standard output; returns errno of the first time that it could not be written.
 */
int flush_output(void);
/* Text that comes from files, with control characters made visible. */
void put_visible(FILE *out, const char *text, size_t len);
/* How much of it stands before the first of these. */
size_t visible_length(const char *text, size_t len);
/* What is written in between goes to standard error, in its place. */
FILE *aside_begin(const struct options *options);
void aside_end(const struct options *options);
/* A number of a game, or of a line, as wide at the least as said; 0 is none. */
void put_game_number(const struct options *options, FILE *out, int width, uint32_t number);
void put_line_number(const struct options *options, FILE *out, int width, uint32_t number);
/* The same of the game that a finding without a line belongs to, unless it is the first: a line
 * of its own, or what begins one. */
enum { PLACE_ALONE = 'G', PLACE_FIRST = 'H' };
void put_place_game(const struct options *options, FILE *out, char kind, uint32_t number);
/* A number, with blanks before it up to a width; returns the length. */
enum { DECIMAL_MAX = 24 };
size_t write_decimal(char text[DECIMAL_MAX], int width, uint32_t number);
/* Writes a number that stands behind MARK_NUMBER, or would. */
void write_number(FILE *out, char kind, int width, uint32_t number);
/* complain_of with the number of a game between two words. */
void complain_of_game(const struct options *options, const char *file, const char *before,
                      uint32_t game, const char *behind);
const char *plural(uint64_t count); /* "" for one, "s" for all else */
bool wants_color(const struct options *options, FILE *out);

/* A context with the user's dialects loaded; NULL when it has said why not. */
qp_context *open_context(const struct options *options);
/* The same for a command that reads records: checks -f and -e too. */
qp_context *open_reading(const struct options *options);

/* A line on standard error that says how far the work is; one for the whole program. */
void progress_start(const struct options *options);
void progress_file(void); /* another file was begun */
void progress_bytes(size_t count); /* so many more bytes were read */
void progress_games(uint64_t count); /* so many more games were read */
/* Wipes the line, so that other text can be written to the terminal. A worker's text is not
 * written yet. */
void progress_wipe(const struct options *options);

/* ---- inputs (inputs.c) ---- */

struct input {
    const char *name;   /* "-" is standard input; of a member "a.zip!dir/b.pgn" */
    const char *member; /* what stands behind the ! in name, NULL for a file */
    qp_read_fn read;
    void *from; /* what read is called with */
    dev_t device;
    ino_t inode;
    off_t size;      /* -1 where it is not known */
    bool walked;     /* found in a folder or archive, not named by the user */
    uint64_t *games; /* counted where it is set */
    const qp_finding *finding; /* all that there is to say; nothing is read */
    bool settle; /* nothing is read or said: games is about to be looked at, and then gone */
    const qp_stand *stand; /* where reading begins; NULL: at the file's beginning */
    /* --shard */
    bool dealt; /* records are taken in turn, since there is no telling where they lie */
    bool cut;   /* a part of it is in the share, if it can be cut: from one byte to another; */
    bool owned; /* else all of it is, where this is set */
    bool follows; /* what stands before it is in other shares */
    uint64_t share_from, share_upto;
    int fd;
};

/* Called once for each input. false ends the walk. */
typedef bool (*input_fn)(void *user, const struct input *input);
/* Files that a walk passes over, such as the output; may be NULL. */
typedef bool (*input_skip_fn)(void *user, const struct input *input);
/* Opens one input after the other, folders in the order of their names' bytes. Says what
 * cannot be opened and goes on; false where there was such a thing. */
bool inputs_each(const struct options *options, input_fn run, input_skip_fn skip,
                 void *user);

/* The bytes of an open file, or of a member. What was read to look at its head is handed out
 * first, unless that was done beside (head_at is head_len then). */
struct stream {
    int fd;
    qp_read_fn inner; /* in place of fd, where it is set; called with from */
    void *from;
    bool regular; /* and was opened at its begin */
    bool whole;   /* the head is all there is */
    const unsigned char *head;
    size_t head_len, head_at;
};
enum { HEAD = 512 }; /* bytes that show what it is */
/* A qp_read_fn; user is the struct stream (archive.c). */
ptrdiff_t stream_read(void *user, void *buffer, size_t size);

/* What an archive or a compressed file begins with: "zip", "tar", "gzip" …; NULL for all
 * else (archive.c). */
const char *archive_kind(const struct stream *stream);
/* Runs each member of an archive as an input, and those of archives in it. false ends the
 * walk. */
bool archive_each(const struct options *options, const struct input *archive,
                  struct stream *stream, input_fn run, void *user);

/* What is counted over all inputs. */
struct tally {
    uint64_t games, plies, errors, warnings;
    bool trouble;
};
void tally_add(struct tally *tally, const struct tally *more);
void tally_findings(struct tally *tally, const qp_finding *findings, size_t count);
/* One line on standard error, unless -q. */
void print_summary(const struct options *options, const struct tally *tally);
int tally_exit(const struct tally *tally, const struct options *options);

/* One step of a reader: a game with its findings, or findings about the file alone, where
 * game is NULL. */
struct record {
    const struct input *input;
    qp_reader *reader;
    const qp_game *game;
    const qp_finding *findings;
    size_t finding_count;
    qp_skipped passed; /* sound games before it, which nobody has to see */
};
/* false ends the reading of this input. */
typedef bool (*record_fn)(void *user, const struct record *record);

/* ---- reading (records.c, jobs.c) ---- */

/* What came of a stretch of an input that a worker read. */
struct piece {
    char *text; /* what was written to the worker's out, with marks */
    size_t text_len;
    char *games; /* what was made of the games */
    size_t games_len;
    struct tally tally;
    uint64_t games_read;
    bool stopped; /* nothing behind it is wanted */
};

/* What stands in a piece beside text: these bytes never do, since text is made visible and
 * JSON escapes them. */
enum {
    MARK_NUMBER = 1, /* g, l, PLACE_ALONE or PLACE_FIRST, a digit for the width, a number, and
                        the mark again */
    MARK_ASIDE,      /* what follows goes to standard error, up to */
    MARK_BACK,
    MARK_ONCE, /* a number and the mark again: what follows is asked about, up to */
    MARK_ONCE_END,
    MARK_GAME, /* a number and the mark again: so many bytes of games are due here */
};

/* How a command reads its inputs. The functions get user; those of a worker a copy of it. */
struct work {
    const struct options *options;
    const qp_context *context;
    void *user;
    input_skip_fn skip;                                   /* may be NULL */
    void (*begin)(void *user, const struct input *input); /* the same */
    record_fn record;
    /* The input was read; fine: to its end. false ends the walk. */
    bool (*end)(void *user, const struct input *input, bool fine);

    /* For -j; split NULL: all is done on one thread. */
    size_t size; /* of what user points to */
    /* Makes a copy a worker's, that writes to options->out; false: memory ran out. */
    bool (*split)(void *copy, const struct options *options);
    void (*input)(void *copy, const struct input *input); /* another one; may be NULL */
    void (*collect)(void *copy, struct piece *piece); /* hands over what came, begins anew */
    void (*close)(void *copy);                        /* may be NULL */
    /* In order, in the main thread: the tallies; false ends the input. */
    bool (*join)(void *user, const struct piece *piece);
    bool (*once)(void *user, unsigned kind); /* whether to show it; see MARK_ONCE */
    bool (*game)(void *user, const char *bytes, size_t size);
};
/* Reads all inputs; false where one could not be opened, which has been said. */
bool read_inputs(const struct work *work);
/* The same with several threads (jobs.c). */
bool read_inputs_jobs(const struct work *work);

/* What of an input is in the share of --shard (shares.c). */
struct share {
    struct input input; /* as it is to be read */
    qp_stand stand;
    uint64_t at, upto; /* bytes of the file that are still to be read */
    int fd;
};
/* false: nothing is; of an input that is not cut, all is. */
bool share_open(const struct options *options, const qp_context *context,
                const struct input *input, struct share *share);

/* The loop over the records of one reader. */
struct steps {
    struct record record;
    uint64_t dealt; /* records seen of an input that is dealt */
    bool had_games;
    uint64_t games; /* read so far */
    qp_status status;
};
enum step { STEP_ON, STEP_ENDED, STEP_STOPPED, STEP_VOID };
/* Reads a record and hands it on. In a walk, a file that no format knows is passed over.
 * STEP_VOID: *torn was set meanwhile, and what was read does not count; torn may be NULL.
 * After STEP_ENDED status tells whether the input was lost, and it has been said. */
enum step read_step(struct steps *steps, const struct options *options, record_fn run,
                    void *user, const bool *torn);
qp_reader *open_reader(const struct options *options, const qp_context *context,
                       const struct input *input, const qp_stand *from, uint64_t until);
/* Reads an input to its end. false: it was lost on the way, and it has been said. */
bool read_records(const struct options *options, const qp_context *context,
                  const struct input *input, record_fn run, void *user);

/* ---- printing (print.c, json.c) ---- */

void print_finding(const struct options *options, FILE *out, bool color, const char *file,
                   const qp_finding *finding);
const char *severity_name(qp_severity severity);
void json_string(FILE *out, qp_str text);
/* A file name as a JSON string: valid UTF-8 whatever its bytes, and no two the same. */
void json_file(FILE *out, const char *file);
void json_finding(const struct options *options, FILE *out, const char *file,
                  const qp_finding *finding);
/* judgement may be NULL: the game was not judged. */
void json_game(const struct options *options, FILE *out, const char *file,
               const qp_game *game, const qp_judgement *judgement, bool skipped);
void json_summary(FILE *out, const struct tally *tally);

/* How a loop is drawn (loop.c). notation is for moves that the record does not write. */
struct loop_style {
    qp_board_style board;
    qp_language language;
    const qp_notation *notation;
};
/* The board that a judged loop starts from, its plies as a table, the ruling; to
 * options->out. judgement->loop is not NULL. */
void print_loop(const struct options *options, const struct loop_style *style,
                const char *file, const qp_game *game, const qp_judgement *judgement);

/* ---- outputs (output.c) ---- */

/* A file that is written whole or not at all: bytes go to a hidden file beside it, which
 * takes its name when all is well. Standard output and what is no regular file are
 * written as they are. At most one is open at a time. */
struct output {
    const struct options *options;
    FILE *stream;
    char *path,
        *temporary; /* NULL for standard output; temporary NULL: written in place */
    int error;      /* errno of the first failure */
};
/* path NULL: standard output. false when it has said why not. */
bool output_open(struct output *output, const struct options *options, const char *path);
/* A qp_write_fn; user is the struct output. */
int output_write(void *output, const void *buffer, size_t size);
/* keep: give it its name; otherwise leave no trace. false when it has said what failed.
 */
bool output_close(struct output *output, bool keep);
/* Sees to it that a signal leaves no hidden file behind. */
void catch_signals(void);

#endif
