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

/* A finding is put together here, and written at once. */
struct sheet {
    FILE *out;
    size_t len;
    char text[2048];
};

static void sheet_write(struct sheet *sheet)
{
    fwrite(sheet->text, 1, sheet->len, sheet->out);
    sheet->len = 0;
}

static void add(struct sheet *sheet, const char *text, size_t len)
{
    if (len > sizeof sheet->text - sheet->len)
        sheet_write(sheet);
    if (len > sizeof sheet->text) {
        fwrite(text, 1, len, sheet->out);
        return;
    }
    memcpy(sheet->text + sheet->len, text, len);
    sheet->len += len;
}

static void add_text(struct sheet *sheet, const char *text)
{
    add(sheet, text, strlen(text));
}

static void add_times(struct sheet *sheet, char c, unsigned count)
{
    char some[64];
    memset(some, c, sizeof some);
    for (; count > sizeof some; count -= sizeof some)
        add(sheet, some, sizeof some);
    add(sheet, some, count);
}

/* Text that comes from files. */
static void add_visible(struct sheet *sheet, const char *text, size_t len)
{
    if (visible_length(text, len) == len) {
        add(sheet, text, len);
        return;
    }
    sheet_write(sheet);
    put_visible(sheet->out, text, len);
}

static void add_line_number(const struct options *options, struct sheet *sheet, int width,
                            uint32_t number)
{
    char text[DECIMAL_MAX];
    if (options->part) { /* it is known later */
        sheet_write(sheet);
        put_line_number(options, sheet->out, width, number);
        return;
    }
    add(sheet, text, write_decimal(text, width, number));
}

static void add_source(const struct options *options, struct sheet *sheet,
                       const struct paint *paint, const qp_finding *finding)
{
    add_line_number(options, sheet, 5, finding->line);
    add_text(sheet, " | ");
    add_visible(sheet, finding->source.data, finding->source.len);
    add_text(sheet, "\n");
    if (finding->caret_cells == 0)
        return;
    unsigned cells = finding->caret_cells < CARET_MAX ? finding->caret_cells : CARET_MAX;
    add_text(sheet, "      | ");
    add_times(sheet, ' ', finding->caret);
    add_text(sheet, paint->soft);
    add_times(sheet, '^', cells);
    add_text(sheet, paint->plain);
    add_text(sheet, "\n");
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

static void add_help(struct sheet *sheet, const qp_finding *finding)
{
    static const char *const certainties[] = {
        [QP_POSSIBLE] = "possible", [QP_LIKELY] = "likely", [QP_CERTAIN] = "certain"};
    for (size_t i = 0; i < finding->suggestion_count; i++) {
        const qp_suggestion *suggestion = &finding->suggestions[i];
        char text[DECIMAL_MAX];
        add_text(sheet, suggestion->replace.len ? "      = help: write "
                                                : "      = help: take it out");
        add_visible(sheet, suggestion->replace.data, suggestion->replace.len);
        if (suggestion->ply) {
            add_text(sheet, " at ply ");
            add(sheet, text, write_decimal(text, 0, suggestion->ply));
        }
        add_text(sheet, " (");
        add_text(sheet, certainties[suggestion->certainty]);
        add_text(sheet, ")\n");
    }
    if (finding->suggestion_count == 0 && finding->severity != QP_NOTE) {
        add_text(sheet, "      = help: ");
        add_text(sheet, qp_code_help(finding->code));
        add_text(sheet, "\n");
    }
}

/* FILE:LINE:COLUMN: error: message [code] */
static void add_first(const struct options *options, struct sheet *sheet,
                      const struct paint *paint, const char *file, const qp_finding *finding)
{
    char text[DECIMAL_MAX];
    add_text(sheet, paint->bold);
    add_visible(sheet, file, strlen(file));
    if (finding->line) {
        add_text(sheet, ":");
        add_line_number(options, sheet, 0, finding->line);
        add_text(sheet, ":");
        add(sheet, text, write_decimal(text, 0, finding->column));
    }
    add_text(sheet, ":");
    add_text(sheet, paint->plain);
    add_text(sheet, " ");
    add_text(sheet, paint->severity);
    add_text(sheet, severity_name(finding->severity));
    add_text(sheet, ":");
    add_text(sheet, paint->plain);
    add_text(sheet, " ");
    add_visible(sheet, finding->message.data, finding->message.len);
    add_text(sheet, " [");
    add_text(sheet, qp_code_name(finding->code));
    add_text(sheet, "]\n");
}

void print_finding(const struct options *options, FILE *out, bool color, const char *file,
                   const qp_finding *finding)
{
    struct paint paint = choose_paint(finding->severity, color);
    struct sheet sheet;
    sheet.out = out;
    sheet.len = 0;
    add_first(options, &sheet, &paint, file, finding);
    if (options->verbosity >= 0) {
        if (finding->line && finding->source.len) {
            add_source(options, &sheet, &paint, finding);
        } else if (!finding->line) {
            sheet_write(&sheet);
            put_place(options, out, finding);
        }
        if (finding->note.len) {
            add_text(&sheet, "      = note: ");
            add_visible(&sheet, finding->note.data, finding->note.len);
            add_text(&sheet, "\n");
        }
        add_help(&sheet, finding);
    }
    sheet_write(&sheet);
}
