/* How a piece is named in WXF notation: C2, R+, and pawns by one of three schemes: number
 * and file as in Fairy-Stockfish, the signs of the federation's own page (AXF), or
 * xqbase's letters. */
#include "config.h"

#include "notation/inside.h"

/* 15: number on the file and file. */
static bool by_number(const struct qp_speller *speller, size_t index, qp_head *head)
{
    if (index >= 5)
        return false;
    head->kind = QP_NO_KIND;
    head->which = speller->which[QP_WHICH_1 + index];
    return true;
}

/* + and -, and with three . or the like for the middle one. */
static bool by_sign(const struct qp_speller *speller, size_t index, size_t count,
                    qp_head *head)
{
    head->road = 0;
    head->which = speller->which[index == 0           ? QP_WHICH_FRONT
                                 : index + 1 == count ? QP_WHICH_REAR
                                                      : QP_WHICH_MIDDLE];
    return true;
}

static bool by_axf(const struct qp_speller *speller, size_t index, size_t count,
                   size_t files, qp_side side, qp_head *head)
{
    bool middle = count % 2 == 1 && index == count / 2;
    if (count > 5 || (files > 1 && count > 3))
        return by_number(speller, index, head);
    if (files > 1) {
        head->kind = QP_NO_KIND;
        head->road_first = true;
        head->which = middle
                          ? speller->digit[side][head->road]
                          : speller->which[index == 0 ? QP_WHICH_FRONT : QP_WHICH_REAR];
        return true;
    }
    if (middle)
        return true; /* P3: the plain file */
    head->road = 0;
    if (count >= 4 && (index == 0 || index + 1 == count)) {
        head->kind = QP_NO_KIND;
        head->which =
            speller->which[index == 0 ? QP_WHICH_SECOND_FRONT : QP_WHICH_SECOND_REAR];
    } else {
        head->which = speller->which[index < count / 2 ? QP_WHICH_FRONT : QP_WHICH_REAR];
    }
    return true;
}

static bool head_pawn(const struct qp_speller *speller, const qp_board *board,
                      qp_square from, const qp_square *squares, size_t count,
                      qp_head *head)
{
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    uint8_t roads[9];
    size_t files = qp_doubled_roads(board, side, QP_PAWN, roads), index = 0;
    while (squares[index] != from)
        index++;

    if (speller->pawns == QP_PAWNS_AXF)
        return by_axf(speller, index, count, files, side, head);
    if (speller->pawns == QP_PAWNS_ORDINAL)
        return count > 2 || files > 1 ? by_number(speller, index, head)
                                      : by_sign(speller, index, count, head);
    if (files == 1 && count <= 3)
        return by_sign(speller, index, count, head);
    for (size_t i = 0; roads[i] != head->road; i++) {
        qp_square others[10];
        index += qp_column(board, side, QP_PAWN, QP_ROAD_FILE(side, roads[i]), others);
    }
    if (index >= 5)
        return false;
    head->road = 0;
    head->which = speller->letter[1 + index];
    return true;
}

bool qp_head_wxf(const struct qp_speller *speller, const qp_board *board, qp_move move,
                 qp_way way, unsigned arg, qp_head *head)
{
    qp_square from = QP_FROM(move), squares[10];
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    if (QP_PIECE_KIND(board->at[from]) != QP_PAWN) /* told apart as with Chinese words */
        return qp_head_chinese(speller, board, move, way, arg, head);
    size_t count = qp_column(board, side, QP_PAWN, QP_FILE(from), squares);
    *head = (qp_head){.kind = QP_PAWN, .road = (uint8_t)QP_ROAD(side, QP_FILE(from))};
    return count < 2 || (head_pawn(speller, board, from, squares, count, head) &&
                         (head->which.len != 0 || head->road != 0));
}
