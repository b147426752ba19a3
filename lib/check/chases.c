/* Threats to win a piece, by the two models of the rulesets. Source: Chinese rules of
 * 1999 (27 to 29), of 2020 (24.3), and the manual of the World Xiangqi Rules, whose
 * diagrams the direct model gives; that an advisor or elephant chases what is dearer is
 * the practice of engines. */
#include "config.h"

#include "check/chase.h"

/* The side that looks for threats, and what its king suffers already. */
typedef struct hunter {
    qp_field *field;
    qp_side side;
    bool in_check;
    uint8_t checker[QP_SQUARES]; /* squares of pieces that give check, where in_check */
} hunter;

/* Marks the enemy pieces that could take the side's king, or face it, by square. */
static void mark_checkers(const qp_field *field, qp_side side, uint8_t marks[QP_SQUARES])
{
    const qp_board *board = &field->board;
    qp_square men[QP_SQUARES];
    unsigned king = board->king[side];
    memset(marks, 0, QP_SQUARES);
    if (king >= QP_SQUARES)
        return;
    size_t count = qp_field_men(field, QP_OTHER(side), men);
    for (size_t i = 0; i < count; i++)
        marks[men[i]] = qp_rules_pseudo(board, QP_MOVE(men[i], king));
    unsigned other = board->king[QP_OTHER(side)];
    if (other >= QP_SQUARES || QP_FILE(other) != QP_FILE(king))
        return;
    unsigned low = other < king ? other : king, high = other < king ? king : other;
    for (low += 9; low < high; low += 9)
        if (board->at[low] != 0)
            return;
    marks[other] = 1;
}

/* Legal, or forbidden only by a check that stood before: an attack that a check suspends
 * is no new one when the check is over. The capture is pseudo-legal. */
static bool can_capture(const hunter *h, qp_move move)
{
    if (!h->in_check)
        return qp_field_king_safe(h->field, move);
    uint8_t marks[QP_SQUARES];
    qp_undo undo;
    qp_field_make(h->field, move, &undo);
    mark_checkers(h->field, h->side, marks);
    qp_field_undo(h->field, move, &undo);
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (marks[square] && !h->checker[square])
            return false;
    return true;
}

static bool can_hunt(qp_kind kind, const qp_seeking *seeking)
{
    return kind != QP_KING && (kind != QP_PAWN || seeking->pawns);
}

static bool can_be_hunted(qp_piece piece, unsigned square)
{
    qp_gain gain = qp_piece_gain(piece, square);
    return gain.strong + gain.weak + gain.pawns != 0;
}

/* Like pieces that can take each other offer an exchange. */
static bool is_offer(const qp_field *field, qp_move move)
{
    const qp_piece *at = field->board.at;
    return QP_PIECE_KIND(at[QP_FROM(move)]) == QP_PIECE_KIND(at[QP_TO(move)]) &&
           qp_field_legal(field, QP_MOVE(QP_TO(move), QP_FROM(move)));
}

/* Whether the other side can legally take back on the square of a capture. */
static bool is_protected(qp_field *field, qp_move capture)
{
    qp_square men[QP_SQUARES];
    qp_undo undo;
    qp_field_make(field, capture, &undo);
    size_t count = qp_field_reachers(field, QP_TO(capture), men);
    qp_field_undo(field, capture, &undo);
    return count != 0;
}

static qp_answer direct_threat(qp_field *field, qp_move move)
{
    qp_kind attacker = QP_PIECE_KIND(field->board.at[QP_FROM(move)]);
    qp_kind target = QP_PIECE_KIND(field->board.at[QP_TO(move)]);
    if ((attacker == QP_HORSE || attacker == QP_CANNON) && target == QP_ROOK)
        return QP_YES;
    if ((attacker == QP_ADVISOR || attacker == QP_ELEPHANT) &&
        (target == QP_ROOK || target == QP_HORSE || target == QP_CANNON))
        return QP_YES;
    return is_protected(field, move) ? QP_NO : QP_YES;
}

size_t qp_threats(qp_field *field, qp_seeking *seeking, qp_threat threats[QP_THREATS_MAX])
{
    qp_move moves[QP_MOVES_MAX];
    const qp_piece *at = field->board.at;
    hunter h = {.field = field, .side = (qp_side)field->board.side};
    size_t count = qp_field_captures(field, moves), n = 0;
    h.in_check = qp_field_in_check(field, h.side);
    if (h.in_check)
        mark_checkers(field, h.side, h.checker);
    for (size_t i = 0; i < count && n < QP_THREATS_MAX; i++) {
        qp_move move = moves[i];
        unsigned from = QP_FROM(move), to = QP_TO(move);
        qp_gain none = {0, 0, 0};
        if (!can_hunt(QP_PIECE_KIND(at[from]), seeking) || !can_be_hunted(at[to], to) ||
            !can_capture(&h, move) || is_offer(field, move))
            continue;
        qp_answer answer = seeking->model == QP_CHASE_DIRECT
                               ? direct_threat(field, move)
                               : qp_capture_wins(field, move, none, seeking);
        if (answer != QP_NO)
            threats[n++] = (qp_threat){(uint8_t)from, (uint8_t)to, (uint8_t)answer};
    }
    return n;
}

bool qp_pinned_by_horse(const qp_board *board, unsigned square)
{
    qp_side side = QP_PIECE_SIDE(board->at[square]);
    unsigned king = board->king[side];
    if (king >= QP_SQUARES || QP_PIECE_KIND(board->at[square]) != QP_ROOK)
        return false;
    qp_board without = *board;
    without.at[square] = 0;
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (without.at[from] == QP_PIECE(QP_OTHER(side), QP_HORSE) &&
            qp_rules_pseudo(&without, QP_MOVE(from, king)))
            return true;
    return false;
}
