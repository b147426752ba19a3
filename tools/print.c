/* Findings as text for people:
 *
 *     FILE:LINE:COLUMN: error: message [code]
 *        14 | the source line
 *           |     ^^^^^^^^
 *           = note: one more sentence
 *           = help: write 炮八平五 (likely)
 *
 * In a binary file, which has no lines, `= at ply 14 h2e2, byte 1092` stands instead, and of what
 * an output cannot hold `= at game 3, ply 14`.
 * Columns count characters, the caret counts cells of a terminal. With -q the first line
 * stands alone. */
#include "config.h"

#include "common.h"

#include <string.h>

/* Carets are written up to so many cells; no window is wider. */
#define CARET_MAX 400

struct paint {
    const char *bold, *severity, *soft, *plain;
};

static struct paint choose_paint(qp_severity severity, bool color)
{
    static const char *const colors[] = {
        [QP_NOTE] = "\033[1;36m", [QP_WARNING] = "\033[1;35m", [QP_ERROR] = "\033[1;31m"};
    if (!color)
        return (struct paint){"", "", "", ""};
    return (struct paint){"\033[1m", colors[severity], "\033[1;32m", "\033[0m"};
}

static void put_all(FILE *out, const char *a, const char *b, const char *c)
{
    fputs(a, out);
    fputs(b, out);
    fputs(c, out);
}

static void put_times(FILE *out, char c, unsigned count)
{
    char some[64];
    memset(some, c, sizeof some);
    for (; count > sizeof some; count -= sizeof some)
        fwrite(some, 1, sizeof some, out);
    fwrite(some, 1, count, out);
}

static void put_source(const struct options *options, FILE *out, const struct paint *paint,
                       const qp_finding *finding)
{
    put_line_number(options, out, 5, finding->line);
    fputs(" | ", out);
    put_visible(out, finding->source.data, finding->source.len);
    fputc('\n', out);
    if (finding->caret_cells == 0)
        return;
    unsigned cells = finding->caret_cells < CARET_MAX ? finding->caret_cells : CARET_MAX;
    fputs("      | ", out);
    put_times(out, ' ', finding->caret);
    fputs(paint->soft, out);
    put_times(out, '^', cells);
    put_all(out, paint->plain, "\n", "");
}

/* In a file without lines: the game, the ply, as it is known there, and the byte. */
static void put_place(const struct options *options, FILE *out, const qp_finding *finding)
{
    if (!finding->byte_end && !finding->ply) {
        put_place_game(options, out, PLACE_ALONE, finding->game);
        return;
    }
    fputs("      = at ", out);
    put_place_game(options, out, PLACE_FIRST, finding->game);
    if (finding->ply)
        fprintf(out, "ply %u", finding->ply);
    if (finding->token.len) {
        fputc(' ', out);
        put_visible(out, finding->token.data, finding->token.len);
    }
    if (finding->variation)
        fprintf(out, " of variation %u", finding->variation);
    if (finding->byte_end)
        fprintf(out, "%sbyte %llu", finding->ply ? ", " : "",
                (unsigned long long)finding->byte);
    fputc('\n', out);
}

static void put_help(FILE *out, const qp_finding *finding)
{
    static const char *const certainties[] = {
        [QP_POSSIBLE] = "possible", [QP_LIKELY] = "likely", [QP_CERTAIN] = "certain"};
    for (size_t i = 0; i < finding->suggestion_count; i++) {
        const qp_suggestion *suggestion = &finding->suggestions[i];
        fputs(suggestion->replace.len ? "      = help: write " : "      = help: take it out",
              out);
        put_visible(out, suggestion->replace.data, suggestion->replace.len);
        if (suggestion->ply)
            fprintf(out, " at ply %u", suggestion->ply);
        fprintf(out, " (%s)\n", certainties[suggestion->certainty]);
    }
    if (finding->suggestion_count == 0 && finding->severity != QP_NOTE)
        put_all(out, "      = help: ", qp_code_help(finding->code), "\n");
}

void print_finding(const struct options *options, FILE *out, bool color, const char *file,
                   const qp_finding *finding)
{
    struct paint paint = choose_paint(finding->severity, color);
    fputs(paint.bold, out);
    put_visible(out, file, strlen(file));
    if (finding->line) {
        fputc(':', out);
        put_line_number(options, out, 0, finding->line);
        fputc(':', out);
        put_decimal(out, 0, finding->column);
    }
    put_all(out, ":", paint.plain, " ");
    put_all(out, paint.severity, severity_name(finding->severity), ":");
    put_all(out, paint.plain, " ", "");
    put_visible(out, finding->message.data, finding->message.len);
    put_all(out, " [", qp_code_name(finding->code), "]\n");
    if (options->verbosity < 0)
        return;
    if (finding->line && finding->source.len)
        put_source(options, out, &paint, finding);
    else if (!finding->line)
        put_place(options, out, finding);
    if (finding->note.len) {
        fputs("      = note: ", out);
        put_visible(out, finding->note.data, finding->note.len);
        fputc('\n', out);
    }
    put_help(out, finding);
}
