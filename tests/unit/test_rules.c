/* The rules floor: moves, legality, ends and FEN against tables, and against a second,
 * slow generator that knows nothing of the first one's tricks. */
#include "config.h"

#include <criterion/criterion.h>

#include "rules/field.h"
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
        cr_expect_eq(qp_board_in_check(&board, board.side), atoi(t.field[2]), "row %d",
                     t.row);
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
        cr_expect_eq(qp_board_in_check(&board, board.side), atoi(t.field[4]), "row %d",
                     t.row);
        cr_expect_eq(qp_board_moves(&board, moves), strtoul(t.field[5], NULL, 10),
                     "row %d", t.row);
        cr_expect_eq(qp_board_dead_material(&board), atoi(t.field[6]), "row %d", t.row);
    }
}

Test(rules, illegal_shared)
{
    table t;
    if (!table_open_shared(&t, "corpora/rules/illegal.tsv"))
        return;
    table_next(&t);
    while (table_next(&t)) {
        qp_board board = board_of(t.field[1]);
        qp_refusal refusal = qp_board_refuse(&board, move_of(t.field[2]));
        cr_expect_str_eq(qp_refusal_name(refusal), t.field[3], "row %d: %s on %s", t.row,
                         t.field[2], t.field[1]);
    }
}

Test(rules, positions)
{
    table t;
    cr_assert(table_open(&t, "rules_positions.tsv"));
    while (table_next(&t)) {
        char text[QP_MOVES_MAX * 5 + 1];
        qp_board board = board_of(t.field[0]);
        qp_end end = qp_board_end(&board);
        list_moves(&board, text);
        cr_expect_eq(qp_board_in_check(&board, board.side), atoi(t.field[1]), "row %d",
                     t.row);
        cr_expect_str_eq(qp_end_name(end), t.field[2], "row %d: %s", t.row, t.field[0]);
        cr_expect_eq(qp_board_dead_material(&board), atoi(t.field[3]), "row %d", t.row);
        cr_expect_str_eq(text, t.field[4], "row %d: moves of %s", t.row, t.field[0]);
        cr_expect_eq(qp_rules_can_move(&board), strcmp(text, "-") != 0, "row %d", t.row);
    }
}

Test(rules, refusals)
{
    bool met[QP_REFUSAL_COUNT] = {false};
    table t;
    cr_assert(table_open(&t, "rules_refusals.tsv"));
    while (table_next(&t)) {
        qp_board board = board_of(t.field[0]);
        qp_move move = move_of(t.field[1]);
        qp_refusal refusal = qp_board_refuse(&board, move);
        met[refusal] = true;
        cr_expect_str_eq(qp_refusal_name(refusal), t.field[2], "row %d: %s on %s", t.row,
                         t.field[1], t.field[0]);
        cr_expect_str_eq(qp_code_name(qp_refusal_code(refusal)), t.field[3], "row %d",
                         t.row);
        cr_expect_eq(qp_rules_legal(&board, move), refusal == QP_LEGAL, "row %d", t.row);
    }
    for (int i = 0; i < QP_REFUSAL_COUNT; i++)
        cr_expect(met[i], "no row is refused as %s", qp_refusal_name(i));
}

/* The names of fault bits, parted by blanks; "-" for none. */
static void list_faults(uint32_t faults, char *text)
{
    strcpy(text, faults ? "" : "-");
    for (unsigned bit = 0; bit < 32; bit++)
        if (faults >> bit & 1)
            sprintf(text + strlen(text), "%s%s", *text ? " " : "",
                    qp_fen_fault_name((qp_fen_fault)(1u << bit)));
}

Test(rules, fen_spellings)
{
    table t;
    cr_assert(table_open(&t, "rules_fen.tsv"));
    while (table_next(&t)) {
        char faults[512], written[QP_FEN_MAX];
        qp_board board;
        qp_fen_report report;
        qp_str text = qp_str_of(t.field[0]);
        qp_fen_read(text, &board, &report);
        list_faults(report.faults, faults);
        size_t length = qp_fen_write(&board, written);
        cr_expect_str_eq(faults, t.field[2], "row %d: %s", t.row, t.field[0]);
        cr_expect_eq(text.len - report.used, strlen(t.field[1]), "row %d: %zu used of %s",
                     t.row, report.used, t.field[0]);
        cr_expect_eq(report.side_given, strcmp(t.field[3], "given") == 0, "row %d",
                     t.row);
        cr_expect_eq(report.where, strtoul(t.field[4], NULL, 10), "row %d: where is %zu",
                     t.row, report.where);
        cr_expect_str_eq(written, t.field[5], "row %d: %s", t.row, t.field[0]);
        cr_expect_eq(length, strlen(written), "row %d", t.row);
    }
}

Test(rules, fen_blanks)
{
    static const char *const texts[] = {
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\tb\t-\t-\t3\t7",
        " \n rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  b - -  3 "
        "7\nmore",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR\xC2\xA0"
        "b\xE3\x80\x80- - 3 7",
    };
    for (size_t i = 0; i < QP_COUNT(texts); i++) {
        char written[QP_FEN_MAX];
        qp_board board;
        qp_fen_report report;
        qp_fen_read(qp_str_of(texts[i]), &board, &report);
        qp_fen_write(&board, written);
        cr_expect_eq(report.faults, 0, "text %zu", i);
        cr_expect_str_eq(written, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
                                  "RNBAKABNR b - - 3 7");
        cr_expect_eq(texts[i][report.used - 1], '7', "text %zu", i);
    }
}

/* No cut of a FEN, and no byte of it changed, reads past the end or leaves king[] untrue.
 */
Test(rules, fen_damage)
{
    size_t length = strlen(start_fen);
    for (size_t cut = 0; cut <= length; cut++) {
        char *copy = malloc(cut ? cut : 1);
        cr_assert(copy);
        memcpy(copy, start_fen, cut);
        for (size_t i = 0; i < (cut ? cut : 1); i++) {
            static const char odd[] = "%/+0x;b\xE3";
            for (size_t k = 0; k + 1 < sizeof odd; k++) {
                qp_board board, again;
                qp_fen_report report;
                if (cut)
                    copy[i] = odd[k];
                qp_fen_read((qp_str){copy, cut}, &board, &report);
                again = board;
                qp_rules_set_kings(&again);
                cr_expect(report.used <= cut && report.where <= cut);
                cr_expect(memcmp(again.king, board.king, 2) == 0);
            }
            if (cut)
                copy[i] = start_fen[i];
        }
        free(copy);
    }
}

Test(rules, fen_fault_texts)
{
    for (unsigned bit = 0; bit < 20; bit++) {
        qp_fen_fault fault = (qp_fen_fault)(1u << bit);
        cr_expect_str_neq(qp_fen_fault_name(fault), "none", "bit %u", bit);
        cr_expect_str_neq(qp_fen_fault_text(fault), "", "bit %u", bit);
        if (fault & QP_FEN_UNREADABLE)
            cr_expect_eq(qp_fen_fault_severity(fault), QP_ERROR, "bit %u", bit);
    }
    cr_expect_eq(qp_fen_fault_severity(QP_FEN_ROW_SHORT), QP_NOTE);
    cr_expect_eq(qp_fen_fault_severity(QP_FEN_FACING), QP_ERROR);
    cr_expect_eq(qp_fen_fault_severity(QP_FEN_PAWN_FILE), QP_NOTE);
    cr_expect_str_eq(qp_fen_fault_name((qp_fen_fault)0), "none");
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
    same.quiet = 9;
    cr_expect(qp_board_same(&board, &same), "counters do not count");
    same.side = QP_BLACK;
    cr_expect(!qp_board_same(&board, &same));
    cr_expect_eq(qp_board_perft(&board, 0), 1);

    qp_square squares[QP_SQUARES];
    cr_expect_eq(qp_rules_find(&board, QP_PIECE(QP_BLACK, QP_CANNON), squares), 2);
    cr_expect_eq(squares[0], QP_SQUARE(1, 7));
    cr_expect_eq(squares[1], QP_SQUARE(7, 7));
    cr_expect_eq(qp_rules_find(&board, 0, squares), 58);
}

Test(rules, play_counts)
{
    qp_board board;
    qp_board_start(&board);
    qp_board_play(&board, move_of("h2e2"));
    cr_expect(board.side == QP_BLACK && board.quiet == 1 && board.round == 1);
    qp_board_play(&board, move_of("h9g7"));
    cr_expect(board.side == QP_RED && board.quiet == 2 && board.round == 2);
    qp_board_play(&board, move_of("e2e6"));
    cr_expect_eq(board.quiet, 0, "a capture starts the count again");
    qp_board_play(&board, move_of("e9e8"));
    cr_expect_eq(board.king[QP_BLACK], QP_SQUARE(4, 8));
    qp_board_play(&board, move_of("e6e8"));
    cr_expect_eq(board.king[QP_BLACK], QP_NO_SQUARE, "the king was taken");

    qp_board before = board;
    qp_board_play(&board, move_of("a5e8"));
    cr_expect_eq(memcmp(before.at, board.at, sizeof board.at), 0, "nothing to lift");
    cr_expect_neq(before.side, board.side);
    before = board;
    qp_board_play(&board, 0xFFFF);
    cr_expect(qp_board_same(&before, &board), "no square of the board");

    board.quiet = board.round = 65535;
    qp_board_play(&board, move_of("a0a1"));
    qp_board_play(&board, move_of("a9a8"));
    cr_expect(board.quiet == 65535 && board.round == 65535, "counters stop at their end");
}

Test(rules, texts)
{
    char text[5];
    qp_move_text(move_of("i0a9"), text);
    cr_expect_str_eq(text, "i0a9");
    qp_move_text(0, text);
    cr_expect_str_eq(text, "----");
    qp_move_text(QP_MOVE(3, 100), text);
    cr_expect_str_eq(text, "----");
    qp_move_text(0xFFFF, text);
    cr_expect_str_eq(text, "----");
    cr_expect_eq(qp_piece_letter(QP_PIECE(QP_RED, QP_HORSE)), 'N');
    cr_expect_eq(qp_piece_letter(QP_PIECE(QP_BLACK, QP_ELEPHANT)), 'b');
    cr_expect_eq(qp_piece_letter(0), '.');
    cr_expect_str_eq(qp_refusal_name((qp_refusal)999), "legal");
    cr_expect_str_eq(qp_end_name((qp_end)999), "none");
    qp_board board = board_of(start_fen);
    cr_expect_eq(qp_board_refuse(&board, 0xFFFF), QP_REFUSE_NO_PIECE);
    cr_expect_eq(qp_board_refuse(&board, QP_MOVE(0, 100)), QP_REFUSE_BAD_SHAPE);
}

/* ---- the slow generator: squares as file and rank, one step at a time ---- */

static qp_piece slow_at(const qp_board *board, int file, int rank)
{
    return board->at[rank * 9 + file];
}

static int slow_between(const qp_board *board, int f, int r, int tf, int tr)
{
    int df = (tf > f) - (tf < f), dr = (tr > r) - (tr < r), n = 0;
    for (f += df, r += dr; f != tf || r != tr; f += df, r += dr)
        n += slow_at(board, f, r) != 0;
    return n;
}

static qp_refusal slow_shape(const qp_board *board, int from, int to)
{
    int f = from % 9, r = from / 9, tf = to % 9, tr = to / 9;
    int df = tf - f, dr = tr - r, af = abs(df), ar = abs(dr);
    qp_piece piece = board->at[from], target = board->at[to];
    bool red = QP_PIECE_SIDE(piece) == QP_RED;
    bool palace = tf >= 3 && tf <= 5 && (red ? tr <= 2 : tr >= 7);
    int n;

    switch (QP_PIECE_KIND(piece)) {
    case QP_KING:
        if (af + ar != 1)
            return QP_REFUSE_BAD_SHAPE;
        if (!palace)
            return QP_REFUSE_LEAVES_PALACE;
        break;
    case QP_ADVISOR:
        if (af != 1 || ar != 1)
            return QP_REFUSE_BAD_SHAPE;
        if (!palace)
            return QP_REFUSE_LEAVES_PALACE;
        break;
    case QP_ELEPHANT:
        if (af != 2 || ar != 2)
            return QP_REFUSE_BAD_SHAPE;
        if (red ? tr > 4 : tr < 5)
            return QP_REFUSE_CROSSES_RIVER;
        if (slow_at(board, f + df / 2, r + dr / 2))
            return QP_REFUSE_BLOCKED_EYE;
        break;
    case QP_HORSE:
        if (!(af == 1 && ar == 2) && !(af == 2 && ar == 1))
            return QP_REFUSE_BAD_SHAPE;
        if (slow_at(board, af == 2 ? f + df / 2 : f, ar == 2 ? r + dr / 2 : r))
            return QP_REFUSE_BLOCKED_LEG;
        break;
    case QP_ROOK:
    case QP_CANNON:
        if ((df != 0) == (dr != 0))
            return QP_REFUSE_BAD_SHAPE;
        n = slow_between(board, f, r, tf, tr);
        if (QP_PIECE_KIND(piece) == QP_ROOK || target == 0) {
            if (n > 0)
                return QP_REFUSE_PATH_BLOCKED;
        } else if (n != 1) {
            return n == 0 ? QP_REFUSE_CANNON_NO_SCREEN : QP_REFUSE_CANNON_MANY_SCREENS;
        }
        break;
    case QP_PAWN:
        if (af + ar != 1)
            return QP_REFUSE_BAD_SHAPE;
        if (dr == (red ? -1 : 1))
            return QP_REFUSE_PAWN_BACKWARD;
        if (dr == 0 && (red ? r < 5 : r > 4))
            return QP_REFUSE_PAWN_SIDEWAYS;
        break;
    default:
        return QP_REFUSE_BAD_SHAPE;
    }
    return target != 0 && (QP_PIECE_SIDE(target) == QP_RED) == red
               ? QP_REFUSE_CAPTURES_OWN
               : QP_LEGAL;
}

static int slow_king(const qp_board *board, int side)
{
    for (int square = 0; square < 90; square++)
        if (board->at[square] == QP_PIECE(side, QP_KING))
            return square;
    return -1;
}

static bool slow_check(const qp_board *board, int side)
{
    int king = slow_king(board, side);
    for (int from = 0; king >= 0 && from < 90; from++)
        if (board->at[from] && QP_PIECE_SIDE(board->at[from]) != (qp_side)side &&
            slow_shape(board, from, king) == QP_LEGAL)
            return true;
    return false;
}

static bool slow_facing(const qp_board *board, int side)
{
    int king = slow_king(board, side);
    for (int rank = 0; king >= 0 && rank < 10; rank++)
        if (slow_at(board, king % 9, rank) == QP_PIECE(!side, QP_KING) &&
            slow_between(board, king % 9, king / 9, king % 9, rank) == 0)
            return true;
    return false;
}

static qp_refusal slow_refuse(const qp_board *board, int from, int to)
{
    int side = board->side;
    if (board->at[from] == 0)
        return QP_REFUSE_NO_PIECE;
    if (QP_PIECE_SIDE(board->at[from]) != (qp_side)side)
        return QP_REFUSE_WRONG_SIDE;
    if (from == to)
        return QP_REFUSE_NULL_MOVE;
    qp_refusal shape = slow_shape(board, from, to);
    if (shape != QP_LEGAL)
        return shape;
    if (QP_PIECE_KIND(board->at[to]) == QP_KING)
        return QP_REFUSE_CAPTURES_KING;
    qp_board after = *board;
    after.at[to] = after.at[from];
    after.at[from] = 0;
    if (slow_facing(&after, side))
        return QP_REFUSE_KINGS_FACING;
    if (slow_check(&after, side))
        return slow_check(board, side) ? QP_REFUSE_STILL_IN_CHECK : QP_REFUSE_SELF_CHECK;
    return QP_LEGAL;
}

/* Everything that is said of one position, against the slow generator and itself. */
static void compare(const qp_board *board)
{
    static qp_move moves[QP_MOVES_MAX];
    char fen[QP_FEN_MAX];
    bool listed[128 * 90] = {false}, pseudo[128 * 90] = {false};
    size_t count = qp_board_moves(board, moves), legal = 0;
    uint64_t leaves = 0;
    char last[5] = "";

    qp_fen_write(board, fen);
    for (size_t i = 0; i < count; i++) {
        char text[5];
        qp_move_text(moves[i], text);
        cr_expect_lt(strcmp(last, text), 0, "%s: %s before %s", fen, last, text);
        strcpy(last, text);
        listed[moves[i]] = true;
    }
    cr_expect_eq(qp_rules_can_move(board), count > 0, "%s", fen);
    cr_expect_eq(qp_board_perft(board, 1), count, "%s", fen);
    for (int side = 0; side < 2; side++)
        cr_expect_eq(qp_board_in_check(board, side), slow_check(board, side), "%s: %d",
                     fen, side);
    for (size_t i = qp_rules_moves(board, moves); i-- > 0;)
        pseudo[moves[i]] = true;
    for (int from = 0; from < 90; from++)
        for (int to = 0; to < 90; to++) {
            qp_move move = QP_MOVE(from, to);
            qp_refusal want = slow_refuse(board, from, to),
                       got = qp_board_refuse(board, move);
            bool shape = slow_shape(board, from, to) == QP_LEGAL;
            bool own = board->at[from] && QP_PIECE_SIDE(board->at[from]) == board->side;
            if (got != want || listed[move] != (want == QP_LEGAL) ||
                qp_rules_legal(board, move) != (want == QP_LEGAL) ||
                qp_rules_pseudo(board, move) != shape || pseudo[move] != (shape && own))
                cr_expect_fail(
                    "%s: %d to %d is %s, not %s; listed %d legal %d pseudo %d %d", fen,
                    from, to, qp_refusal_name(got), qp_refusal_name(want), listed[move],
                    qp_rules_legal(board, move), qp_rules_pseudo(board, move),
                    pseudo[move]);
            legal += want == QP_LEGAL;
            if (want != QP_LEGAL && (from + to) % 7)
                continue;
            /* Also illegal moves are made and taken back. */
            qp_board after = *board, played = *board;
            qp_undo undo;
            qp_rules_make(&after, move, &undo);
            qp_board_play(&played, move);
            leaves += want == QP_LEGAL ? qp_board_perft(&after, 1) : 0;
            cr_expect_eq(memcmp(&played, &after, sizeof after), 0, "%s: %d to %d", fen,
                         from, to);
            cr_expect_eq(after.king[0], (uint8_t)slow_king(&after, 0), "%s", fen);
            cr_expect_eq(after.king[1], (uint8_t)slow_king(&after, 1), "%s", fen);
            qp_rules_undo(&after, move, &undo);
            cr_expect_eq(memcmp(board, &after, sizeof after), 0, "%s: %d to %d back", fen,
                         from, to);
        }
    cr_expect_eq(legal, count, "%s", fen);
    cr_expect_eq(qp_board_perft(board, 2), leaves, "%s", fen);
    qp_board again;
    qp_fen_report report;
    qp_fen_read(qp_str_of(fen), &again, &report);
    if (!(report.faults & QP_FEN_TURNED))
        cr_expect_eq(memcmp(board, &again, sizeof again), 0, "%s read again", fen);
}

static int by_value(const void *a, const void *b)
{
    return *(const qp_move *)a - *(const qp_move *)b;
}

static void expect_list(qp_move *got, size_t got_count, qp_move *want, size_t want_count,
                        const char *what, const char *fen)
{
    qsort(got, got_count, sizeof *got, by_value);
    qsort(want, want_count, sizeof *want, by_value);
    cr_expect(got_count == want_count && memcmp(got, want, got_count * sizeof *got) == 0,
              "%s: %zu %s, not %zu", fen, got_count, what, want_count);
}

/* Moves made on a field and taken back, against those on a board: what stands where, whose
 * king is known to be safe, and the same field in the end. */
static void compare_making(const qp_field *field, qp_move move, const char *fen)
{
    qp_field made = *field, fresh;
    qp_undo undo;
    qp_board after = field->board;
    qp_board_play(&after, move);
    bool legal = qp_rules_legal(&field->board, move);
    if (legal)
        qp_field_make_legal(&made, move, &undo);
    else
        qp_field_make(&made, move, &undo);
    unsigned calm = made.board.calm;
    qp_field_set(&fresh, &made.board);
    cr_expect_eq(memcmp(&fresh, &made, sizeof made), 0, "%s: %x made", fen, move);
    made.board.round = after.round;
    made.board.quiet = after.quiet;
    made.board.calm = after.calm;
    cr_expect_eq(memcmp(&made.board, &after, sizeof after), 0, "%s: %x made", fen, move);
    for (int side = QP_RED; side <= QP_BLACK; side++)
        cr_expect((calm >> 4 * side & QP_CALM_ALL) != QP_CALM_ALL ||
                      qp_rules_king_stands(&after, side),
                  "%s: %x, king %d", fen, move, side);
    qp_field_undo(&made, move, &undo);
    cr_expect_eq(memcmp(&made, field, sizeof made), 0, "%s: %x back", fen, move);
}

/* A field's answers, against those of its board. */
static void compare_field(const qp_board *board, const char *fen)
{
    static qp_move want[QP_MOVES_MAX], got[QP_MOVES_MAX];
    qp_field field;
    qp_field_set(&field, board);
    size_t count = qp_rules_moves(board, want), n = 0;
    cr_expect_eq(qp_field_count(&field), count, "%s: %zu", fen, qp_field_count(&field));
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (board->at[square] != 0 && QP_PIECE_SIDE(board->at[square]) == board->side)
            n += qp_field_piece_moves(&field, square, got + n);
    cr_expect(n == count && memcmp(got, want, n * sizeof *got) == 0, "%s: moves", fen);
    n = qp_rules_captures(board, want);
    cr_expect(qp_field_captures(&field, got) == n && memcmp(got, want, n * sizeof *got) == 0,
              "%s: captures", fen);
    for (int side = QP_RED; side <= QP_BLACK; side++)
        cr_expect_eq(qp_field_in_check(&field, side), slow_check(board, side), "%s: %d", fen,
                     side);
    n = qp_rules_moves(board, want);
    for (size_t i = 0; i < n; i++) {
        qp_piece piece = board->at[QP_FROM(want[i])], taken = board->at[QP_TO(want[i])];
        bool safe = qp_rules_king_safe(board, want[i]);
        cr_expect_eq(qp_field_king_safe(&field, want[i]), safe, "%s: %x", fen, want[i]);
        cr_expect_eq(qp_field_legal(&field, want[i]), qp_rules_legal(board, want[i]),
                     "%s: %x", fen, want[i]);
        if (QP_PIECE_KIND(taken) != QP_KING && (safe || QP_PIECE_KIND(piece) != QP_KING))
            compare_making(&field, want[i], fen);
    }
    for (unsigned to = 0; to < QP_SQUARES; to++) {
        qp_square from[QP_SQUARES];
        size_t reachers = qp_field_reachers(&field, to, from), k = 0;
        for (unsigned square = 0; square < QP_SQUARES; square++) {
            qp_move move = QP_MOVE(square, to);
            bool legal = board->at[square] != 0 && qp_rules_legal(board, move);
            cr_expect_eq(legal, k < reachers && from[k] == square, "%s: %x", fen, move);
            k += legal;
            bool allowed = board->at[square] != 0 && qp_rules_pseudo(board, move);
            if (board->at[square] != 0)
                cr_expect_eq(qp_field_allows(&field, square, to), allowed, "%s: %x", fen,
                             move);
        }
        cr_expect_eq(k, reachers, "%s: to %u", fen, to);
    }
}

/* Where moves are not counted the lists and answers are the same, and nothing costs less. */
static void compare_rough(const qp_field *field, const char *fen)
{
    static qp_move want[QP_MOVES_MAX], got[QP_MOVES_MAX];
    qp_field exact = *field, rough = *field;
    qp_field_count_roughly(&rough);
    for (int what = 0; what < 3; what++) {
        uint32_t left = 100000, rough_left = left;
        size_t n = what == 0   ? qp_rules_checks(&exact, want, &left)
                   : what == 1 ? qp_rules_evasions(&exact, want, &left)
                               : (size_t)qp_rules_can_finish(&exact, &left);
        size_t count = what == 0   ? qp_rules_checks(&rough, got, &rough_left)
                       : what == 1 ? qp_rules_evasions(&rough, got, &rough_left)
                                   : (size_t)qp_rules_can_finish(&rough, &rough_left);
        cr_expect(count == n && (what == 2 || memcmp(got, want, n * sizeof *got) == 0),
                  "%s: %d", fen, what);
        cr_expect_leq(rough_left, left, "%s: %d", fen, what);
    }
}

/* The lists for searches, against the legal moves picked one by one. */
static void compare_lists(qp_board board)
{
    qp_field field;
    static qp_move all[QP_MOVES_MAX], want[QP_MOVES_MAX], got[QP_MOVES_MAX];
    uint32_t nodes = 100000;
    char fen[QP_FEN_MAX];
    qp_side enemy = QP_OTHER(board.side);
    size_t count = qp_rules_moves(&board, all), n = 0;
    bool finish = false;
    qp_fen_write(&board, fen);
    compare_field(&board, fen);
    qp_field_set(&field, &board);
    compare_rough(&field, fen);
    for (size_t i = 0; i < count; i++)
        if (board.at[QP_TO(all[i])] != 0)
            want[n++] = all[i];
    expect_list(got, qp_rules_captures(&board, got), want, n, "captures", fen);
    for (size_t i = n = 0; i < count; i++) {
        qp_board after = board;
        bool king = QP_PIECE_KIND(board.at[QP_TO(all[i])]) == QP_KING;
        qp_board_play(&after, all[i]);
        finish |= qp_rules_king_safe(&board, all[i]) &&
                  (king || qp_board_moves(&after, got) == 0);
        if (qp_rules_legal(&board, all[i]) && slow_check(&after, enemy))
            want[n++] = all[i];
    }
    if (!qp_board_in_check(&board, enemy))
        expect_list(got, qp_rules_checks(&field, got, &nodes), want, n, "checks", fen);
    qp_square kings[QP_SQUARES];
    bool alone = qp_rules_find(&board, QP_PIECE(QP_RED, QP_KING), kings) == 1 &&
                 qp_rules_find(&board, QP_PIECE(QP_BLACK, QP_KING), kings) == 1;
    if (alone)
        cr_expect_eq(qp_rules_can_finish(&field, &nodes), finish ? QP_YES : QP_NO, "%s", fen);
    if (alone && qp_board_in_check(&board, (qp_side)board.side)) {
        n = qp_board_moves(&board, want);
        expect_list(got, qp_rules_evasions(&field, got, &nodes), want, n, "evasions", fen);
        cr_expect_eq(qp_rules_can_evade(&field), n != 0, "%s", fen);
    }
    nodes = 0;
    cr_expect_eq(qp_rules_can_finish(&field, &nodes), QP_UNKNOWN, "%s", fen);
}

/* A list from a memo is the same, and costs the same, whether it was asked for before or
 * not; too little work left is too little again. */
static void compare_memo(const qp_board *board)
{
    static qp_memo memo;
    static qp_move want[QP_MOVES_MAX], got[QP_MOVES_MAX];
    static const uint32_t works[] = {1000, 1000, 6, 5, 4, 1, 0, 999};
    char fen[QP_FEN_MAX];
    qp_field field;
    qp_field_set(&field, board);
    qp_fen_write(board, fen);
    for (size_t i = 0; i < 2 * QP_COUNT(works); i++) {
        bool checks = i < QP_COUNT(works);
        uint32_t left = works[i % QP_COUNT(works)], work = left;
        size_t count = checks ? qp_rules_checks(&field, want, &left)
                              : qp_rules_evasions(&field, want, &left);
        size_t n = checks ? qp_memo_checks(&memo, &field, got, &work)
                          : qp_memo_evasions(&memo, &field, got, &work);
        cr_expect(n == count && memcmp(got, want, n * sizeof *got) == 0, "%s: list %zu", fen,
                  i);
        cr_expect_eq(work, left, "%s: list %zu leaves %u", fen, i, (unsigned)work);
        left = work = works[i % QP_COUNT(works)];
        qp_answer finish = qp_rules_can_finish(&field, &left);
        cr_expect_eq(qp_memo_can_finish(&memo, &field, &work), finish, "%s: %zu", fen, i);
        cr_expect_eq(work, left, "%s: answer %zu leaves %u", fen, i, (unsigned)work);
    }
    if (qp_field_in_check(&field, (qp_side)board->side))
        for (int i = 0; i < 2; i++)
            cr_expect_eq(qp_memo_can_evade(&memo, &field), qp_rules_can_evade(&field), "%s",
                         fen);
}

/* Lets a board know what a field finds out of its kings' safety. */
static void learn(qp_board *board)
{
    qp_field field;
    qp_field_set(&field, board);
    qp_field_learn(&field);
    *board = field.board;
}

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

Test(rules, slow_playouts)
{
    uint32_t seed = 1;
    for (int game = 0; game < 6; game++) {
        qp_board board, replayed;
        qp_move played[150];
        size_t plies = 0;
        qp_board_start(&board);
        while (plies < QP_COUNT(played)) {
            static qp_move moves[QP_MOVES_MAX];
            size_t n = qp_board_moves(&board, moves), ply = plies;
            if (n == 0)
                break;
            played[plies] = moves[draw(&seed, (uint32_t)n)];
            qp_board_play(&board, played[plies++]);
            qp_board_start(&replayed);
            qp_rules_play_all(&replayed, played, plies);
            replayed.calm = board.calm;
            cr_expect_eq(memcmp(&replayed, &board, sizeof board), 0, "%d: %zu", game, plies);
            if (ply % 2 == 0)
                compare(&board);
            qp_board known = board;
            learn(&known);
            compare_lists(board);
            compare_lists(known);
            compare_memo(&known);
            known.side ^= 1; /* as if the other side passed */
            compare_lists(known);
        }
    }
}

/* Boards that no game has: any piece anywhere, and often a second king, which does not
 * count. What it can do is only asked where a search promises it. */
Test(rules, slow_odd_boards)
{
    uint32_t seed = 7;
    for (int row = 0; row < 1500; row++) {
        qp_board board = {.side = (uint8_t)draw(&seed, 2), .round = 1};
        uint32_t pieces = 2 + draw(&seed, 24);
        for (uint32_t i = 0; i < pieces; i++)
            board.at[draw(&seed, QP_SQUARES)] =
                QP_PIECE(draw(&seed, 2), QP_ADVISOR + draw(&seed, 6));
        for (uint32_t i = 0; i < 2 + draw(&seed, 3); i++) {
            unsigned file = 3 + draw(&seed, 3), rank = draw(&seed, 3);
            board.at[QP_SQUARE(file, i % 2 ? 9 - rank : rank)] = QP_PIECE(i % 2, QP_KING);
        }
        qp_rules_set_kings(&board);
        if (board.king[QP_RED] == QP_NO_SQUARE || board.king[QP_BLACK] == QP_NO_SQUARE)
            continue;
        compare_lists(board);
        learn(&board);
        compare_lists(board);
        compare_memo(&board);
        static qp_move moves[QP_MOVES_MAX];
        size_t count = qp_board_moves(&board, moves);
        cr_expect_eq(qp_rules_can_move(&board), count != 0, "row %d", row);
    }
}

/* What a board remembers of the kings' safety never changes what is legal: games of legal
 * moves, some taken back, with moves between them that no rule allows. */
Test(rules, calm_is_true)
{
    uint32_t seed = 3;
    unsigned calm = 0;
    for (int game = 0; game < 200; game++) {
        qp_board board;
        qp_board_start(&board);
        for (int ply = 0; ply < 120; ply++) {
            qp_move moves[QP_MOVES_MAX], want[QP_MOVES_MAX];
            char fen[QP_FEN_MAX];
            qp_board fresh = board;
            fresh.calm = 0;
            qp_fen_write(&board, fen);
            size_t count = qp_board_moves(&board, moves);
            cr_assert_eq(qp_board_moves(&fresh, want), count, "%s", fen);
            cr_assert_eq(memcmp(moves, want, count * sizeof *moves), 0, "%s", fen);
            calm += board.calm != 0;
            if (count == 0)
                break;
            qp_undo undo;
            qp_move move = moves[draw(&seed, (uint32_t)count)];
            uint32_t turn = draw(&seed, 16);
            if (turn == 0) {
                move = QP_MOVE(draw(&seed, 90), draw(&seed, 90));
                qp_rules_make(&board, move, &undo);
            } else {
                qp_rules_make_legal(&board, move, &undo);
            }
            if (turn < 3) {
                qp_board before = fresh;
                if (turn == 0 && draw(&seed, 2) == 0)
                    continue;
                qp_rules_undo(&board, move, &undo);
                cr_expect(qp_board_same(&board, &before), "%s taken back", fen);
            }
        }
    }
    cr_expect(calm > 1000, "%u boards knew something", calm);
}

/* Positions that cannot be: any piece anywhere, no king, many kings, full boards. */
Test(rules, slow_impossible)
{
    uint32_t seed = 2;
    for (int i = 0; i < 400; i++) {
        static const uint8_t densities[] = {4, 12, 30, 60, 90};
        qp_board board;
        memset(&board, 0, sizeof board);
        uint32_t density = densities[i % 5];
        for (int square = 0; square < 90; square++)
            if (draw(&seed, 90) < density)
                board.at[square] = QP_PIECE(draw(&seed, 2), 1 + draw(&seed, 7));
        if (i % 2 == 0) { /* one king a side, most often at home */
            for (int square = 0; square < 90; square++)
                if (QP_PIECE_KIND(board.at[square]) == QP_KING)
                    board.at[square] = 0;
            uint32_t stray = draw(&seed, 4) == 0 ? 10 : 3;
            board.at[draw(&seed, stray) * 9 + 3 + draw(&seed, 3)] =
                QP_PIECE(QP_RED, QP_KING);
            board.at[(9 - draw(&seed, stray)) * 9 + 3 + draw(&seed, 3)] =
                QP_PIECE(QP_BLACK, QP_KING);
        }
        board.side = (uint8_t)draw(&seed, 2);
        board.quiet = (uint16_t)draw(&seed, 200);
        board.round = (uint16_t)draw(&seed, 65536);
        qp_rules_set_kings(&board);
        compare(&board);
        compare_lists(board);
        learn(&board);
        compare_lists(board);
    }
}
