/* qipu moves FEN: the legal moves of a position, or how many leaf nodes its tree has. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Columns at most: there are not so many notations. */
#define COLUMNS_MAX 16

/* A FEN of any spelling is far shorter. */
#define FEN_TEXT_MAX 1024

struct columns {
    const qp_notation *notations[COLUMNS_MAX];
    size_t count;
};

static bool choose_columns(const struct options *options, const qp_context *context,
                           struct columns *columns)
{
    columns->count = 0;
    for (const char *p = options->notation; p; p = *p ? p + 1 : NULL) {
        size_t len = strcspn(p, ",");
        if (columns->count == COLUMNS_MAX) {
            complain(options, "too many notations");
            return false;
        }
        const qp_notation *notation = find_notation(options, context, p, len);
        if (!notation)
            return false;
        columns->notations[columns->count++] = notation;
        p += len;
    }
    return true;
}

static void print_move(const struct columns *columns, const qp_board *board, qp_move move)
{
    char text[QP_MOVE_TEXT_MAX];
    if (columns->count == 0) {
        qp_move_text(move, text);
        fputs(text, stdout);
    }
    for (size_t i = 0; i < columns->count; i++) {
        if (i > 0)
            putchar('\t');
        fputs(qp_move_spell(columns->notations[i], board, move, text) ? text : "-",
              stdout);
    }
    putchar('\n');
}

/* Says what is wrong with the position: errors always, notes with -v. */
static int judge_fen(const struct options *options, qp_str text,
                     const qp_fen_report *report)
{
    int code = EXIT_SOUND;
    for (unsigned bit = 0; bit < 32; bit++) {
        qp_fen_fault fault = (qp_fen_fault)(1u << bit);
        if (!(report->faults & fault))
            continue;
        bool error = qp_fen_fault_severity(fault) == QP_ERROR;
        if (error || options->verbosity > 0)
            complain(options, "%s: %s [%s]", error ? "error" : "note",
                     qp_fen_fault_text(fault), qp_fen_fault_name(fault));
        if (error)
            code = EXIT_FINDINGS;
    }
    for (size_t i = report->used; i < text.len; i++) {
        if (text.data[i] == ' ' || text.data[i] == '\t')
            continue;
        complain(options, "text after the position: '%.*s'", (int)(text.len - i),
                 text.data + i);
        return EXIT_TROUBLE;
    }
    return report->faults & QP_FEN_UNREADABLE ? EXIT_TROUBLE : code;
}

static int run_position(const struct options *options, const struct columns *columns,
                        qp_str text)
{
    static qp_move moves[QP_MOVES_MAX];
    qp_board board;
    qp_fen_report report;
    qp_fen_read(text, &board, &report);
    int code = judge_fen(options, text, &report);
    if (code == EXIT_TROUBLE)
        return code;
    if (options->perft_given) {
        printf("%llu\n", (unsigned long long)qp_board_perft(&board, options->perft));
        return code;
    }
    size_t count = qp_board_moves(&board, moves);
    for (size_t i = 0; i < count; i++)
        print_move(columns, &board, moves[i]);
    return code;
}

/* One position from standard input: its first line. */
static int run_input(const struct options *options, const struct columns *columns)
{
    char text[FEN_TEXT_MAX];
    if (!fgets(text, sizeof text, stdin)) {
        complain_of(options, "-", "%s", ferror(stdin) ? strerror(errno) : "no position");
        return EXIT_TROUBLE;
    }
    return run_position(options, columns, (qp_str){text, strcspn(text, "\r\n")});
}

/* The fields of a FEN may come as one argument or as several. */
static int run_operands(const struct options *options, const struct columns *columns)
{
    char text[FEN_TEXT_MAX];
    size_t len = 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        int put = snprintf(text + len, sizeof text - len, i ? " %s" : "%s",
                           options->operands[i]);
        if (put < 0 || (size_t)put >= sizeof text - len) {
            complain(options, "the position is too long");
            return EXIT_TROUBLE;
        }
        len += (size_t)put;
    }
    return run_position(options, columns, (qp_str){text, len});
}

int cmd_moves(struct options *options)
{
    qp_context *context = open_context(options);
    if (!context)
        return EXIT_TROUBLE;
    struct columns columns;
    int code = EXIT_TROUBLE;
    if (!choose_columns(options, context, &columns))
        code = EXIT_TROUBLE;
    else if (options->operand_count == 0 ||
             (options->operand_count == 1 && strcmp(options->operands[0], "-") == 0))
        code = run_input(options, &columns);
    else
        code = run_operands(options, &columns);
    qp_context_free(context);
    return code;
}
