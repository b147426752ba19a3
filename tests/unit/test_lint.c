/* Lint: what is found on a card, and what the likely changes make of it. */
#include "config.h"

#include <criterion/criterion.h>
#include <math.h>

#include "check/player.h"
#include "check/repair.h"
#include "check/sight.h"
#include "table.h"

typedef struct memory {
    const char *at;
    size_t left;
} memory;

static ptrdiff_t read_memory(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t n = m->left < size ? m->left : size;
    memcpy(buffer, m->at, n);
    m->at += n;
    m->left -= n;
    return (ptrdiff_t)n;
}

/* Findings as "code:ply …", and the text with all changes of a certainty made. */
static void lint(const qp_context *context, qp_str text, qp_buf *codes, qp_buf *mended)
{
    memory m = {text.data, text.len};
    qp_reader *reader = qp_reader_open(context, read_memory, &m, NULL);
    const qp_game *game;
    size_t count, from = 0;
    cr_assert_not_null(reader);
    for (qp_status st; (st = qp_reader_next(reader, &game)) == QP_OK || st == QP_BAD;) {
        const qp_finding *f = qp_lint(reader, NULL, NULL, &count);
        for (size_t i = 0; i < count; i++)
            if (f[i].severity != QP_NOTE)
                qp_buf_printf(codes, "%s%s:%u", codes->len ? " " : "", qp_code_name(f[i].code),
                              f[i].ply);
        const qp_edit *edits = qp_lint_edits(reader, &count);
        for (size_t i = 0; i < count; i++) {
            cr_expect(edits[i].byte >= from && edits[i].byte_end <= text.len &&
                      edits[i].byte <= edits[i].byte_end);
            if (edits[i].certainty < QP_LIKELY)
                continue;
            qp_buf_add(mended, text.data + from, (size_t)edits[i].byte - from);
            qp_buf_add(mended, edits[i].bytes.data, edits[i].bytes.len);
            from = (size_t)edits[i].byte_end;
        }
    }
    qp_buf_add(mended, text.data + from, text.len - from);
    qp_reader_close(reader);
}

static void moves_of(const qp_context *context, qp_str text, qp_buf *moves)
{
    memory m = {text.data, text.len};
    qp_reader *reader = qp_reader_open(context, read_memory, &m, NULL);
    const qp_game *game;
    if (qp_reader_next(reader, &game) == QP_OK)
        for (const qp_node *n = game->first; n != NULL; n = n->next) {
            char move[5];
            qp_move_text(n->move, move);
            qp_buf_printf(moves, "%s%s", moves->len ? " " : "", move);
        }
    qp_reader_close(reader);
}

Test(lint, cards)
{
    qp_context *context = qp_context_new();
    table t;
    cr_assert(table_open(&t, "lint.tsv"));
    while (table_next(&t)) {
        qp_buf codes = {0}, mended = {0}, again = {0}, none = {0}, moves = {0};
        for (char *p = t.field[0]; *p; p++)
            if (*p == '|')
                *p = '\n';
        lint(context, qp_str_of(t.field[0]), &codes, &mended);
        if (codes.len == 0)
            qp_buf_add_char(&codes, '-');
        cr_expect(qp_str_is((qp_str){codes.data, codes.len}, t.field[1]), "row %d: %.*s", t.row,
                  (int)codes.len, codes.data);
        qp_str text = {mended.data, mended.len};
        moves_of(context, text, &moves);
        cr_expect(qp_str_is((qp_str){moves.data, moves.len}, t.field[2]), "row %d: %.*s", t.row,
                  (int)moves.len, moves.data);
        lint(context, text, &none, &again);
        cr_expect(qp_str_same(text, (qp_str){again.data, again.len}),
                  "row %d: mended twice is not mended once", t.row);
        cr_expect_eq(none.len, 0, "row %d: mended, it still has %.*s", t.row, (int)none.len,
                     none.data);
        qp_buf_clear(&codes);
        qp_buf_clear(&mended);
        qp_buf_clear(&again);
        qp_buf_clear(&none);
        qp_buf_clear(&moves);
    }
    qp_context_free(context);
}

static qp_move move_of(const char *m)
{
    return QP_MOVE(QP_SQUARE(m[0] - 'a', m[1] - '0'), QP_SQUARE(m[2] - 'a', m[3] - '0'));
}

/* Of two moves that a card may mean, the one that a player would rather make. */
Test(player, rather)
{
    static const struct {
        const char *fen, *rather, *than;
    } rows[] = {
        {"4k4/9/9/9/4r4/9/9/9/4R4/3K5 w", "e1e5", "e1e4"}, /* takes a rook; leaves its own */
        {"4k4/9/9/9/4r4/9/9/9/4R4/3K5 w", "e1e5", "d0d1"},
        {"4kab2/4a4/4b4/8p/9/9/8P/4B4/4A4/4KABR1 w", "h0h6", "h0h9"}, /* not to be taken */
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b", "h9g7", "h9i7"},
        {"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w", "i0h0", "i0i2"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        qp_fen_report report;
        qp_past past = {0};
        qp_move moves[QP_PLAYER_MOVES];
        uint16_t costs[QP_PLAYER_MOVES];
        unsigned rather = UINT16_MAX, than = 0;
        qp_fen_read(qp_str_of(rows[i].fen), &board, &report);
        size_t count = qp_player_costs(&board, &past, moves, costs);
        for (size_t k = 0; k < count; k++) {
            rather = moves[k] == move_of(rows[i].rather) ? costs[k] : rather;
            than = moves[k] == move_of(rows[i].than) ? costs[k] : than;
        }
        cr_expect_lt(rather, than, "row %zu: %s costs %u, %s %u", i, rows[i].rather, rather,
                     rows[i].than, than);
    }
}

/* The chances of all moves are one, and a sight kept up behind moves is the one made anew; along
 * lines that take every n-th move. */
Test(player, along_lines)
{
    for (unsigned n = 1; n <= 24; n++) {
        qp_board board;
        qp_past past = {0};
        qp_men men;
        qp_sight kept, made;
        qp_board_start(&board);
        qp_men_of(&men, &board);
        qp_sight_of(&kept, &men);
        for (unsigned ply = 0; ply < 60; ply++) {
            qp_move moves[QP_PLAYER_MOVES];
            uint16_t costs[QP_PLAYER_MOVES];
            size_t count = qp_player_costs(&board, &past, moves, costs);
            double chance = 0;
            for (size_t i = 0; i < count; i++)
                chance += exp(costs[i] / -100.0);
            if (count == 0)
                break;
            cr_expect(chance > 0.9 && chance < 1.1, "line %u, ply %u: %g", n, ply, chance);
            qp_move move = moves[(n * (ply + 1) * 7) % count];
            qp_side side = (qp_side)board.side;
            unsigned taken = qp_men_play(&men, side, move);
            qp_sight before = kept;
            qp_sight_after(&kept, &before, &men, side, move, taken);
            qp_sight_of(&made, &men);
            cr_expect(memcmp(kept.hits, made.hits, sizeof kept.hits) == 0 &&
                          memcmp(kept.stake, made.stake, sizeof kept.stake) == 0,
                      "line %u, ply %u: the sight differs", n, ply);
            for (unsigned k = 0; k < 2; k++)
                for (unsigned id = 0; id < QP_MEN_MAX; id++)
                    cr_expect(!(men.alive[k] >> id & 1) ||
                                  kept.man[k][id].reach == made.man[k][id].reach,
                              "line %u, ply %u: man %u of %u", n, ply, id, k);
            past = qp_past_after(past, &board, move);
            qp_board_play(&board, move);
        }
    }
}

/* A mate in one is seen, and one that a quiet move lets in. */
Test(player, foresees_mates)
{
    qp_board board;
    qp_fen_report report;
    qp_foresight *f = qp_foresight_new();
    qp_fen_read(QP_STR("3k5/R8/9/9/9/9/9/9/1R7/5K3 w"), &board, &report);
    cr_expect_gt(qp_foresee(f, &board, move_of("b1b9"), 1, -QP_FORESEEN_MAX), 10000);
    cr_expect_lt(qp_foresee(f, &board, move_of("b1b5"), 1, -QP_FORESEEN_MAX), 10000);
    qp_fen_read(QP_STR("3k5/R8/9/9/9/9/p8/9/1R7/5K3 b"), &board, &report);
    cr_expect_lt(qp_foresee(f, &board, move_of("a3a2"), 2, -QP_FORESEEN_MAX), -10000);
    qp_foresight_free(f);
}

/* No sign is listed as a sure misreading of another, and none of itself. */
Test(confusions, rows)
{
    qp_context *context = qp_context_new();
    qp_confusions *confusions = qp_confusions_new();
    cr_assert_not_null(confusions);
    for (uint32_t c = 0x4E00; c < 0xA000; c++) {
        const qp_confusion *row;
        char text[4];
        size_t used, count = qp_confusions_find(confusions, c, &row);
        size_t len = qp_utf8_put(text, c);
        qp_sign sign = qp_lex_sign(qp_context_lexer(context), text, len, &used);
        for (size_t i = 0; i < count; i++) {
            cr_expect(row[i].right != c && row[i].cost >= 1 && row[i].cost <= 3, "U+%04X", c);
            cr_expect(row[i].cost != 1 || (sign.digit == 0 && sign.way == 0),
                      "U+%04X is a sign", c);
        }
    }
    qp_confusions_free(confusions);
    qp_context_free(context);
}
