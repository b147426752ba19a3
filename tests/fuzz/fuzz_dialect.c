/* The fuzz target of dialect files (qipu-dialect(5)): loads one, spells every move of the
 * start position in each notation, and reads it again. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "qipu.h"

#include <stdlib.h>

static void use(const qp_context *context, const qp_notation *notation)
{
    static qp_move moves[QP_MOVES_MAX];
    qp_board board;
    qp_board_start(&board);
    for (int ply = 0; ply < 2; ply++) {
        size_t count = qp_board_moves(&board, moves);
        for (size_t i = 0; i < count; i++) {
            char text[QP_MOVE_TEXT_MAX];
            qp_move read[8];
            qp_code code;
            size_t len = qp_move_spell(notation, &board, moves[i], text);
            if (len >= QP_MOVE_TEXT_MAX) {
                fuzz_complain("a move that is too long");
                abort();
            }
            qp_move_read(context, &board, (qp_str){text, len}, read, &code);
        }
        qp_board_play(&board, moves[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    qp_context *context = qp_context_new();
    const char *error = NULL;
    const qp_notation *notation;
    if (context == NULL)
        return 0;
    qp_status status =
        qp_context_add_dialect(context, (qp_str){(const char *)data, size}, &error);
    if (status == QP_BAD && (error == NULL || error[0] == '\0')) {
        fuzz_complain("a dialect refused without a reason");
        abort();
    }
    for (size_t i = 0; (notation = qp_notation_at(context, i)) != NULL; i++)
        if (qp_notation_writes(notation))
            use(context, notation);
    qp_context_free(context);
    return 0;
}
