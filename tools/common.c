/* What commands say on standard error, the context that they work in, and what they
 * count. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A dialect file is read whole; no sensible one is longer. */
#define DIALECT_MAX ((size_t)1 << 20)

int flush_output(void)
{
    static int first;
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && !first)
        first = errno ? errno : EIO;
    return first;
}

FILE *aside_begin(const struct options *options)
{
    if (!options || !options->part)
        return stderr;
    fputc(MARK_ASIDE, options->out);
    return options->out;
}

void aside_end(const struct options *options)
{
    if (options && options->part)
        fputc(MARK_BACK, options->out);
}

/* What was found before comes before it, where both are shown. */
static FILE *begin_complaint(const struct options *options)
{
    FILE *out = aside_begin(options);
    if (out == stderr) {
        progress_wipe(options);
        flush_output();
    }
    if (options)
        fprintf(out, "qipu %s: ", options->command->name);
    else
        fputs("qipu: ", out);
    return out;
}

/* The formatted text may quote what a user or a file says. */
static void put_complaint(FILE *out, const char *format, va_list arguments)
{
    char text[1024];
    int len = vsnprintf(text, sizeof text, format, arguments);
    if (len > 0)
        put_visible(out, text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
    fputc('\n', out);
}

void complain(const struct options *options, const char *format, ...)
{
    FILE *out = begin_complaint(options);
    va_list arguments;
    va_start(arguments, format);
    put_complaint(out, format, arguments);
    va_end(arguments);
    aside_end(options);
}

static void put_file(FILE *out, const char *file)
{
    if (strcmp(file, "-") == 0)
        fputs("standard input", out);
    else
        put_visible(out, file, strlen(file));
    fputs(": ", out);
}

void complain_of_game(const struct options *options, const char *file, const char *before,
                      uint32_t game, const char *behind)
{
    FILE *out = begin_complaint(options);
    put_file(out, file);
    fputs(before, out);
    put_game_number(options, out, 0, game);
    fprintf(out, "%s\n", behind);
    aside_end(options);
}

size_t write_decimal(char text[DECIMAL_MAX], int width, uint32_t number)
{
    size_t len = 1;
    for (uint32_t rest = number; rest > 9; rest /= 10)
        len++;
    if ((int)len < width)
        len = width < DECIMAL_MAX ? (size_t)width : DECIMAL_MAX;
    memset(text, ' ', len);
    size_t at = len;
    do
        text[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    return len;
}

void write_number(FILE *out, char kind, int width, uint32_t number)
{
    char text[DECIMAL_MAX];
    if (kind == PLACE_ALONE && number > 1)
        fprintf(out, "      = at game %u\n", number);
    else if (kind == PLACE_FIRST && number > 1)
        fprintf(out, "game %u, ", number);
    else if (kind != PLACE_ALONE && kind != PLACE_FIRST)
        fwrite(text, 1, write_decimal(text, width, number), out);
}

static void put_number(const struct options *options, FILE *out, char kind, int width,
                       uint32_t number)
{
    if (options && options->part && number != 0)
        fprintf(out, "%c%c%d%u%c", MARK_NUMBER, kind, width, number, MARK_NUMBER);
    else
        write_number(out, kind, width, number);
}

void put_place_game(const struct options *options, FILE *out, char kind, uint32_t number)
{
    put_number(options, out, kind, 0, number);
}

void put_game_number(const struct options *options, FILE *out, int width, uint32_t number)
{
    put_number(options, out, 'g', width, number);
}

void put_line_number(const struct options *options, FILE *out, int width, uint32_t number)
{
    put_number(options, out, 'l', width, number);
}

void complain_of(const struct options *options, const char *file, const char *format, ...)
{
    FILE *out = begin_complaint(options);
    put_file(out, file);
    va_list arguments;
    va_start(arguments, format);
    put_complaint(out, format, arguments);
    va_end(arguments);
    aside_end(options);
}

/* Bytes of the character at p that no terminal should obey, 0 for any other: controls of
 * ASCII, U+0080 to U+009F, and what turns the direction of text (U+202A to U+202E, U+2066
 * to U+2069). */
static size_t unsafe_length(const char *p, size_t len)
{
    const unsigned char *c = (const unsigned char *)p;
    if (c[0] < 0x20 || c[0] == 0x7F)
        return 1;
    if (c[0] == 0xC2 && len >= 2 && c[1] >= 0x80 && c[1] <= 0x9F)
        return 2;
    if (c[0] == 0xE2 && len >= 3 &&
        ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) ||
         (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9)))
        return 3;
    return 0;
}

/* Whether such a character begins with the byte; hardly any does. */
static inline bool may_be_unsafe(char first)
{
    unsigned char c = (unsigned char)first;
    return c - 0x20u >= 0x7Fu - 0x20 && (c < 0x80 || c == 0xC2 || c == 0xE2);
}

/* Of eight bytes in a word, the highest bit of each that is c; above the first such byte, others
 * may be set too. */
static inline uint64_t equal_bytes(uint64_t word, unsigned char c)
{
    word ^= c * UINT64_C(0x0101010101010101);
    return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

size_t visible_length(const char *text, size_t len)
{
    size_t i = 0;
    for (; len - i >= 8; i += 8) { /* eight at a time, as long as none of them can be unsafe */
        uint64_t word;
        memcpy(&word, text + i, 8);
        uint64_t below = (word - UINT64_C(0x2020202020202020)) & ~word &
                         UINT64_C(0x8080808080808080);
        if ((below | equal_bytes(word, 0x7F) | equal_bytes(word, 0xC2) |
             equal_bytes(word, 0xE2)) != 0)
            break;
    }
    while (i < len && (!may_be_unsafe(text[i]) || unsafe_length(text + i, len - i) == 0))
        i++;
    return i;
}

/* ASCII controls come out as the pictures U+2400 + byte (DEL as U+2421), a tab as a
 * blank, other unsafe characters as U+FFFD. All else, bytes that are no UTF-8 among them,
 * is left as it is: file names are any bytes. */
void put_visible(FILE *out, const char *text, size_t len)
{
    for (;;) {
        size_t plain = visible_length(text, len);
        fwrite(text, 1, plain, out);
        if (plain == len)
            return;
        text += plain;
        len -= plain;
        size_t unsafe = unsafe_length(text, len);
        unsigned char c = (unsigned char)*text;
        if (unsafe > 1)
            fputs("\xef\xbf\xbd", out);
        else if (c == '\t')
            fputc(' ', out);
        else
            fprintf(out, "\xe2\x90%c", c == 0x7F ? 0xA1 : 0x80 + c);
        text += unsafe;
        len -= unsafe;
    }
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

bool wants_color(const struct options *options, FILE *out)
{
    if (options->color != WHEN_AUTO)
        return options->color == WHEN_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0) &&
           isatty(fileno(out));
}

/* ---- context ---- */

static bool load_dialect(const struct options *options, qp_context *context,
                         const char *file)
{
    char *text = malloc(DIALECT_MAX);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (!text || fd < 0) {
        complain_of(options, file, "%s", strerror(errno));
        free(text);
        if (fd >= 0)
            close(fd);
        return false;
    }
    size_t len = 0;
    ptrdiff_t got = 1;
    while (len < DIALECT_MAX &&
           (got = qp_read_fd(&fd, text + len, DIALECT_MAX - len)) > 0)
        len += (size_t)got;
    bool fine = false;
    const char *error = NULL;
    if (got < 0)
        complain_of(options, file, "%s", strerror(errno));
    else if (len == DIALECT_MAX)
        complain_of(options, file, "too long for a dialect");
    else if (qp_context_add_dialect(context, (qp_str){text, len}, &error) != QP_OK)
        complain_of(options, file, "%s", error ? error : strerror(ENOMEM));
    else
        fine = true;
    close(fd);
    free(text);
    return fine;
}

qp_context *open_context(const struct options *options)
{
    qp_context *context = qp_context_new();
    if (!context) {
        complain(options, "%s", strerror(ENOMEM));
        return NULL;
    }
    for (size_t i = 0; i < options->dialect_count; i++) {
        if (!load_dialect(options, context, options->dialects[i])) {
            qp_context_free(context);
            return NULL;
        }
    }
    return context;
}

qp_context *open_reading(const struct options *options)
{
    if (options->from) {
        const qp_format *format = find_format(options, options->from);
        if (!format)
            return NULL;
        if (!qp_format_reads(format)) {
            complain(options, "format '%s' is written, not read", options->from);
            return NULL;
        }
    }
    qp_context *context = open_context(options);
    if (context && options->encoding &&
        !encoding_known(options, context, options->encoding, NULL)) {
        qp_context_free(context);
        return NULL;
    }
    return context;
}

/* ---- progress ---- */

/* Short work shows nothing; then the line is renewed so often, in milliseconds. The clock
 * is looked at once in so many games. */
#define PROGRESS_AFTER 2000
#define PROGRESS_EVERY 250
#define PROGRESS_STEPS 32

static struct {
    bool on;
    bool shown; /* the line stands on the terminal */
    uint64_t games, files;
    uint64_t bytes, size; /* read so far; of all operands, 0: not known */
    unsigned skipped;
    long long begun;
    long long last; /* when the line was written */
} progress;

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* How much there is to read, where the operands are plain files. */
static uint64_t operand_size(const struct options *options)
{
    uint64_t size = 0;
    struct stat status;
    for (size_t i = 0; i < options->operand_count; i++) {
        if (stat(options->operands[i], &status) != 0 || !S_ISREG(status.st_mode))
            return 0;
        size += (uint64_t)status.st_size;
    }
    return options->shards ? size / options->shards : size;
}

void progress_start(const struct options *options)
{
    progress.on = options->progress == WHEN_ALWAYS ||
                  (options->progress == WHEN_AUTO && options->verbosity >= 0 &&
                   isatty(STDERR_FILENO));
    if (!progress.on)
        return;
    progress.begun = progress.last = now();
    progress.size = operand_size(options);
    if (options->progress == WHEN_AUTO)
        progress.last += PROGRESS_AFTER - PROGRESS_EVERY;
}

/* How fast the work is, and how long it will last. */
static void put_rate(double seconds)
{
    if (seconds <= 0 || progress.bytes == 0)
        return;
    double rate = (double)progress.bytes / seconds;
    fprintf(stderr, ", %.1f MB/s", rate / 1e6);
    if (progress.size <= progress.bytes)
        return;
    unsigned long long left = (unsigned long long)((double)(progress.size - progress.bytes) / rate);
    fprintf(stderr, ", %llu:%02llu:%02llu left", left / 3600, left / 60 % 60, left % 60);
}

static void progress_step(void)
{
    if (++progress.skipped % PROGRESS_STEPS != 0)
        return;
    long long time = now();
    if (time - progress.last < PROGRESS_EVERY)
        return;
    progress.last = time;
    fprintf(stderr, "\r%llu games, %llu files", (unsigned long long)progress.games,
            (unsigned long long)progress.files);
    put_rate((double)(time - progress.begun) / 1000);
    fputs("\033[K", stderr);
    fflush(stderr);
    progress.shown = true;
}

void progress_file(void)
{
    progress.files++;
    if (progress.on)
        progress_step();
}

void progress_bytes(size_t count)
{
    progress.bytes += count;
}

void progress_games(uint64_t count)
{
    progress.games += count;
    if (progress.on)
        progress_step();
}

void progress_wipe(const struct options *options)
{
    if ((options && options->part) || !progress.shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress.shown = false;
}

/* ---- tally ---- */

void tally_findings(struct tally *tally, const qp_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tally->errors += findings[i].severity == QP_ERROR;
        tally->warnings += findings[i].severity == QP_WARNING;
    }
}

void tally_add(struct tally *tally, const struct tally *more)
{
    tally->games += more->games;
    tally->plies += more->plies;
    tally->errors += more->errors;
    tally->warnings += more->warnings;
    tally->trouble |= more->trouble;
}

void print_summary(const struct options *options, const struct tally *tally)
{
    if (options->verbosity < 0)
        return;
    flush_output();
    fprintf(stderr, "%llu game%s, %llu pl%s: %llu error%s, %llu warning%s\n",
            (unsigned long long)tally->games, plural(tally->games),
            (unsigned long long)tally->plies, tally->plies == 1 ? "y" : "ies",
            (unsigned long long)tally->errors, plural(tally->errors),
            (unsigned long long)tally->warnings, plural(tally->warnings));
}

int tally_exit(const struct tally *tally, const struct options *options)
{
    if (tally->trouble)
        return EXIT_TROUBLE;
    if (tally->errors > 0 || (options->werror && tally->warnings > 0))
        return EXIT_FINDINGS;
    return EXIT_SOUND;
}
