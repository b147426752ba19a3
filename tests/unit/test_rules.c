/* The rules floor: moves, legality, ends and FEN against tables, and against a second,
 * slow generator that knows nothing of the first one's tricks. */
#include "config.h"

#include <criterion/criterion.h>

#include "rules/rules.h"
#include "table.h"

static const char start_fen[] =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

static qp_board board_of(const char *fen)
{
    qp_board board;
    qp_fen_report report;
    qp_fen_read(qp_str_of(fen), &board, &report);
    return board;
}

static qp_move move_of(const char *text)
{
    return QP_MOVE(QP_SQUARE(text[0] - 'a', text[1] - '0'),
                   QP_SQUARE(text[2] - 'a', text[3] - '0'));
}

/* The legal moves as one text, parted by blanks; "-" for none. */
static void list_moves(const qp_board *board, char *text)
{
    qp_move moves[QP_MOVES_MAX];
    size_t n = qp_board_moves(board, moves);
    strcpy(text, n ? "" : "-");
    for (size_t i = 0; i < n; i++) {
        char move[5];
        qp_move_text(moves[i], move);
        text += sprintf(text, "%s%s", i ? " " : "", move);
    }
}

static void check_perft(table *t, int fen, int depth, int nodes, unsigned most)
{
    while (table_next(t)) {
        unsigned plies = (unsigned)atoi(t->field[depth]);
        if (plies == 0 || plies > most)
            continue;
        qp_board board = board_of(t->field[fen]);
        unsigned long long want = strtoull(t->field[nodes], NULL, 10);
        unsigned long long got = qp_board_perft(&board, plies);
        cr_expect(got == want, "row %d: perft %u of %s is %llu, not %llu", t->row, plies,
                  t->field[fen], got, want);
    }
}

Test(rules, perft)
{
    table t;
    cr_assert(table_open(&t, "rules_perft.tsv"));
    check_perft(&t, 0, 1, 2, 4);
}

Test(rules, perft_shared)
{
    table t;
    if (table_open_shared(&t, "corpora/rules/perft.tsv"))
        check_perft(&t, 2, 3, 4, 4);
}

Test(rules, legal_moves_shared)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/legal_moves.tsv"))
        return;
    table_next(&t);
    while (table_next(&t)) {
        char text[QP_MOVES_MAX * 5 + 1];
        qp_board board = board_of(t.field[1]);
        list_moves(&board, text);
        cr_expect_str_eq(text, t.field[7], "row %d: moves of %s", t.row, t.field[1]);
        cr_expect_eq(qp_board_in_check(&board, board.side), atoi(t.field[2]), "row %d", t.row);
        cr_expect_str_eq(qp_end_name(qp_board_end(&board)), t.field[3], "row %d", t.row);
    }
}

Test(rules, terminal_shared)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/terminal.tsv"))
        return;
    table_next(&t);
    while (table_next(&t)) {
        qp_move moves[QP_MOVES_MAX];
        qp_board board = board_of(t.field[1]);
        cr_expect_str_eq(qp_end_name(qp_board_end(&board)), t.field[2], "row %d", t.row);
        cr_expect_eq(qp_board_in_check(&board, board.side), atoi(t.field[4]), "row %d", t.row);
        cr_expect_eq(qp_board_moves(&board, moves), strtoul(t.field[5], NULL, 10), "row %d",
                     t.row);
        cr_expect_eq(qp_board_dead_material(&board), atoi(t.field[6]), "row %d", t.row);
    }
}

static void check_refusals(table *t, int fen, int move, int reason)
{
    while (table_next(t)) {
        qp_board board = board_of(t->field[fen]);
        qp_refusal refusal = qp_board_refuse(&board, move_of(t->field[move]));
        cr_expect_str_eq(qp_refusal_name(refusal), t->field[reason], "row %d: %s on %s",
                         t->row, t->field[move], t->field[fen]);
    }
}

Test(rules, illegal_shared)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/illegal.tsv"))
        return;
    table_next(&t);
    check_refusals(&t, 1, 2, 3);
}

Test(rules, start)
{
    qp_board board;
    char text[QP_FEN_MAX];
    qp_board_start(&board);
    qp_fen_write(&board, text);
    cr_expect_str_eq(text, start_fen);
    qp_board same = board_of(start_fen);
    cr_expect(qp_board_same(&board, &same));
}
