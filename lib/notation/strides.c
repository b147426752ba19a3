/* Moves that come up again and again: as text in a memory, and the usual ones, 炮二平五, by
 * number with what each is on a board: what resolve.c makes of them where one such piece stands
 * on the file, worked out once for all boards. */
#include "config.h"

#include "notation/inside.h"

void qp_stride_fill(qp_stride *stride, qp_side side, unsigned number)
{
    unsigned left = number - 1;
    unsigned arg = left % 9 + 1, road = left / 9 % 9 + 1;
    qp_way way = (qp_way)(left / 81 % 3 + QP_WAY_FORWARD);
    qp_kind kind = (qp_kind)(left / 243 + QP_KING);
    int file = QP_ROAD_FILE(side, (int)road);
    /* The step is the same from each rank, unless it leaves the board. */
    for (int rank = 0; rank <= 9; rank += 9) {
        qp_square to = qp_goal(side, kind, QP_SQUARE(file, rank), way, arg);
        if (to != QP_NO_SQUARE) {
            qp_stride_make(stride, QP_PIECE(side, kind), file, QP_FILE(to) - file,
                           QP_RANK(to) - rank);
            return;
        }
    }
    qp_stride_make(stride, QP_PIECE(side, kind), file, 0, 0); /* never possible */
}

bool qp_lex_learn(const struct qp_lexer *lexer, const char *text, size_t len,
                  qp_known_move *known)
{
    bool good = (len == QP_USUAL && qp_lex_usual(lexer, text, &known->written)) ||
                qp_lex_move(lexer, text, len + 1, &known->written) == len;
    if (good)
        known->stride = (uint16_t)qp_stride_number(&known->written);
    else
        known->head = 0;
    return good;
}
