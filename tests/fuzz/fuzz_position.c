/* The fuzz target of FEN: reads a position, asks for all that can be asked of a board, and
 * writes it; what was written reads as the same position. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "rules/rules.h"

#include <stdlib.h>

static void check_moves(qp_board *board)
{
    static qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, moves);
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        qp_board before = *board;
        if (qp_board_refuse(board, moves[i]) != QP_LEGAL) {
            fuzz_complain("a legal move is refused");
            abort();
        }
        qp_rules_make(board, moves[i], &undo);
        qp_rules_undo(board, moves[i], &undo);
        if (!qp_board_same(&before, board)) {
            fuzz_complain("a move taken back leaves another board");
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    qp_board board, again;
    qp_fen_report report;
    char fen[QP_FEN_MAX];
    qp_fen_read((qp_str){(const char *)data, size}, &board, &report);
    if (report.faults & QP_FEN_UNREADABLE)
        return 0;
    qp_board_faults(&board);
    qp_board_end(&board);
    qp_board_dead_material(&board);
    check_moves(&board);
    qp_board_perft(&board, 1);
    size_t len = qp_fen_write(&board, fen);
    qp_fen_read((qp_str){fen, len}, &again, &report);
    if ((report.faults & QP_FEN_UNREADABLE) || !qp_board_same(&board, &again) ||
        board.quiet != again.quiet || board.round != again.round) {
        fuzz_show("a position changed by its own FEN", fen, len);
        abort();
    }
    return 0;
}
