/* How a piece is named in the four-character notation: 炮二, 前炮, 中兵, 前九. Rooks,
 * horses and cannons take 前 and 后 as the Chinese rule books have it; of four or five
 * pawns the first is 前, the others 二 to 五, and where two files hold several, xqbase
 * numbers them all through and older print and DhtmlXQ name the file. */
#include "config.h"

#include "notation/inside.h"

static size_t index_of(const qp_square *squares, size_t count, qp_square square)
{
    size_t i = 0;
    while (i < count && squares[i] != square)
        i++;
    return i;
}

/* The order word of the index-th of count pieces, front to rear: 前 后, 前 中 后, 前 二
 * 三 四 五. {NULL, 0}: none reaches so far. */
static qp_str order_word(const struct qp_speller *speller, size_t index, size_t count)
{
    if (index == 0)
        return speller->which[QP_WHICH_FRONT];
    if (count <= 3)
        return speller->which[index + 1 == count ? QP_WHICH_REAR : QP_WHICH_MIDDLE];
    return index < 5 ? speller->which[QP_WHICH_1 + index] : (qp_str){NULL, 0};
}

/* Whether another piece of the file has a move of the same way and number. */
static bool other_can(const qp_board *board, const qp_square *squares, size_t count,
                      qp_square from, qp_way way, unsigned arg)
{
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    qp_kind kind = QP_PIECE_KIND(board->at[from]);
    for (size_t i = 0; i < count; i++) {
        qp_square to = qp_goal(side, kind, squares[i], way, arg);
        if (squares[i] != from && to != QP_NO_SQUARE &&
            qp_rules_pseudo(board, QP_MOVE(squares[i], to)))
            return true;
    }
    return false;
}

static bool head_pawn(const struct qp_speller *speller, const qp_board *board,
                      qp_square from, const qp_square *squares, size_t count,
                      qp_head *head)
{
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    uint8_t roads[9];
    size_t files = qp_doubled_roads(board, side, QP_PAWN, roads);
    size_t index = index_of(squares, count, from);

    head->road = 0;
    if (files == 1 || speller->pawns != QP_PAWNS_NUMBERED) {
        head->which = order_word(speller, index, count);
        if (files > 1) {
            head->road = (uint8_t)QP_ROAD(side, QP_FILE(from));
            if (speller->pawns == QP_PAWNS_FILE)
                head->kind = QP_NO_KIND;
        }
        return head->which.len != 0;
    }
    for (size_t i = 0; roads[i] != QP_ROAD(side, QP_FILE(from)); i++) {
        qp_square others[10];
        index += qp_column(board, side, QP_PAWN, QP_ROAD_FILE(side, roads[i]), others);
    }
    if (index >= 5)
        return false;
    head->which = speller->which[QP_WHICH_1 + index];
    return head->which.len != 0;
}

bool qp_head_chinese(const struct qp_speller *speller, const qp_board *board,
                     qp_move move, qp_way way, unsigned arg, qp_head *head)
{
    qp_square from = QP_FROM(move), squares[10];
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    qp_kind kind = QP_PIECE_KIND(board->at[from]);
    size_t count = qp_column(board, side, kind, QP_FILE(from), squares);

    *head = (qp_head){.kind = kind, .road = (uint8_t)QP_ROAD(side, QP_FILE(from))};
    if (count < 2 || kind == QP_KING || kind == QP_ADVISOR || kind == QP_ELEPHANT)
        return true;
    if (kind == QP_PAWN)
        return head_pawn(speller, board, from, squares, count, head);
    if (speller->order_needed && !other_can(board, squares, count, from, way, arg))
        return true;
    head->road = 0;
    head->which = order_word(speller, index_of(squares, count, from), count);
    return count <= 3 && head->which.len != 0;
}
