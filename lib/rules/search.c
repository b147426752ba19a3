/* Short searches: which moves give check, and whether checks alone can mate. Depth and
 * work are bounded by the caller. */
#include "config.h"

#include "rules/lines.h"

size_t qp_rules_legal_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    size_t count = qp_rules_moves(board, moves), n = 0;
    for (size_t i = 0; i < count; i++)
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) != QP_KING &&
            qp_rules_king_safe(board, moves[i]))
            moves[n++] = moves[i];
    return n;
}

/* Whether a move can touch the king's safety at all. */
static bool can_threaten(unsigned king, qp_move move)
{
    return king < QP_SQUARES &&
           (leaves_open(king, QP_FROM(move)) | comes_near(king, QP_TO(move))) != 0;
}

size_t qp_rules_checks(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    qp_side enemy = QP_OTHER(board->side);
    unsigned king = board->king[enemy];
    bool stray = king < QP_SQUARES && !(qp_zones[king] & QP_ZONE_PALACE(enemy));
    size_t count = qp_rules_moves(board, moves), n = 0;
    qp_board after = *board;
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) == QP_KING ||
            !(stray || can_threaten(king, moves[i])) ||
            !qp_rules_king_safe(board, moves[i]))
            continue;
        qp_rules_make_legal(&after, moves[i], &undo);
        if (qp_board_in_check(&after, enemy))
            moves[n++] = moves[i];
        qp_rules_undo(&after, moves[i], &undo);
    }
    return n;
}

static bool spend(uint32_t *nodes)
{
    if (*nodes == 0)
        return false;
    --*nodes;
    return true;
}

/* checks bounds the recursion. The row ends where one reply has no answer: whether that
 * is NO or UNKNOWN makes no difference to a YES, so the first one found is taken. */
static qp_answer mate(qp_board *board, unsigned checks, uint32_t *nodes)
{
    qp_move tried[QP_MOVES_MAX], replies[QP_MOVES_MAX];
    qp_answer best = QP_NO;
    if (!spend(nodes))
        return QP_UNKNOWN;
    size_t count = qp_rules_checks(board, tried);
    for (size_t i = 0; i < count && best != QP_YES; i++) {
        qp_undo undo;
        if (!spend(nodes))
            return best > QP_UNKNOWN ? best : QP_UNKNOWN;
        qp_rules_make_legal(board, tried[i], &undo);
        qp_answer all = QP_YES;
        if (checks <= 1) {
            if (qp_rules_can_move(board))
                all = QP_UNKNOWN;
        } else {
            size_t n = qp_rules_legal_moves(board, replies);
            for (size_t k = 0; k < n && all == QP_YES; k++) {
                qp_undo reply;
                qp_rules_make_legal(board, replies[k], &reply);
                all = mate(board, checks - 1, nodes);
                qp_rules_undo(board, replies[k], &reply);
            }
        }
        qp_rules_undo(board, tried[i], &undo);
        if (all > best)
            best = all;
    }
    return best;
}

qp_answer qp_rules_mate_by_checks(const qp_board *board, unsigned checks, uint32_t *nodes)
{
    qp_board copy = *board;
    qp_answer answer = QP_NO;
    if (checks > QP_MATE_CHECKS_MAX)
        checks = QP_MATE_CHECKS_MAX;
    for (unsigned depth = 1; depth <= checks; depth++) {
        answer = mate(&copy, depth, nodes);
        if (answer != QP_UNKNOWN || *nodes == 0)
            break;
    }
    return answer;
}
