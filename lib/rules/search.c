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
static inline bool can_threaten(unsigned king, qp_move move)
{
    return king < QP_SQUARES &&
           (leaves_open(king, QP_FROM(move)) | comes_near(king, QP_TO(move))) != 0;
}

/* Takes work off what is left; false once there is none. A unit is about a thousand
 * instructions. */
static bool spend(uint32_t *nodes, uint32_t work)
{
    if (*nodes < work || *nodes == 0) {
        *nodes = 0;
        return false;
    }
    *nodes -= work;
    return true;
}

static uint32_t work_of(size_t moves)
{
    return 1 + (uint32_t)moves / 8;
}

/* Which moves can give check to a king in its palace: QP_CALM_... bits of what comes near
 * it, by kind, and of what leaves a line open. */
typedef struct checking {
    unsigned comes[8], leaves;
} checking;

static void find_checking(checking *c, const qp_board *board, unsigned king)
{
    const qp_piece rook = QP_PIECE(board->side, QP_ROOK);
    const qp_piece cannon = QP_PIECE(board->side, QP_CANNON);
    unsigned rooks = 0, cannons = 0; /* lines of the king that hold them */
    const qp_piece *file = board->at + king % 9, *rank = board->at + king / 9 * 9;
    for (int i = 0; i < 10; i++) {
        rooks |= file[i * 9] == rook ? QP_CALM_FILE : 0;
        cannons |= file[i * 9] == cannon ? QP_CALM_FILE : 0;
    }
    for (int i = 0; i < 9; i++) {
        rooks |= rank[i] == rook ? QP_CALM_RANK : 0;
        cannons |= rank[i] == cannon ? QP_CALM_RANK : 0;
    }
    for (int kind = 0; kind < 8; kind++)
        c->comes[kind] = cannons; /* any piece is a screen */
    c->comes[QP_ROOK] = c->comes[QP_CANNON] = QP_CALM_FILE | QP_CALM_RANK;
    c->comes[QP_HORSE] |= QP_CALM_NEAR;
    c->comes[QP_PAWN] |= QP_CALM_NEAR;
    c->leaves = rooks | cannons | QP_CALM_NEAR;
}

static inline bool can_check(const checking *c, const qp_board *board, unsigned king,
                             qp_move move)
{
    unsigned from = QP_FROM(move), kind = QP_PIECE_KIND(board->at[from]);
    return ((leaves_open(king, from) & c->leaves) |
            (comes_near(king, QP_TO(move)) & c->comes[kind])) != 0;
}

size_t qp_rules_checks(const qp_board *board, qp_move moves[QP_MOVES_MAX],
                       uint32_t *nodes)
{
    qp_side enemy = QP_OTHER(board->side);
    unsigned king = board->king[enemy];
    bool stray = king < QP_SQUARES && !(qp_zones[king] & QP_ZONE_PALACE(enemy));
    size_t count = qp_rules_moves(board, moves), n = 0;
    qp_board after = *board;
    if (!spend(nodes, work_of(count)))
        return 0;
    if (king >= QP_SQUARES)
        return 0;
    checking c;
    find_checking(&c, board, king);
    if (!stray && !qp_board_in_check(board, enemy))
        after.calm |= QP_CALM(enemy, QP_CALM_ALL);
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) == QP_KING ||
            !(stray || can_check(&c, board, king, moves[i])))
            continue;
        qp_rules_make_legal(&after, moves[i], &undo);
        bool check = qp_rules_check_left(&after, enemy);
        qp_rules_undo(&after, moves[i], &undo);
        if (check && qp_rules_king_safe(board, moves[i]))
            moves[n++] = moves[i];
    }
    return n;
}

/* Where a move must end, or what it must move, to answer a check by another piece than the
 * king. */
typedef struct answers {
    bool any; /* nothing is known */
    uint64_t low, high; /* squares, as bits */
    unsigned screen; /* the piece that a cannon needs */
} answers;

static void answer_at(answers *a, unsigned square)
{
    if (square < 64)
        a->low |= UINT64_C(1) << square;
    else
        a->high |= UINT64_C(1) << (square - 64);
}

static bool may_answer(const answers *a, qp_move move)
{
    unsigned to = QP_TO(move);
    return a->any || QP_FROM(move) == a->screen ||
           ((to < 64 ? a->low >> to : a->high >> (to - 64)) & 1) != 0;
}

static void find_answers(answers *a, const qp_board *board)
{
    qp_side side = (qp_side)board->side;
    unsigned king = board->king[side], checker = QP_NO_SQUARE;
    *a = (answers){.any = true, .screen = QP_NO_SQUARE};
    if (king >= QP_SQUARES)
        return;
    for (unsigned from = 0; from < QP_SQUARES; from++) {
        if (board->at[from] == 0 || board->at[from] >> 3 == (unsigned)side ||
            !step_allowed(board, from, king))
            continue;
        if (checker != QP_NO_SQUARE)
            return;
        checker = from;
    }
    if (checker == QP_NO_SQUARE)
        return;
    qp_kind kind = QP_PIECE_KIND(board->at[checker]);
    answer_at(a, checker);
    if (kind == QP_ROOK || kind == QP_CANNON) {
        int step = checker / 9 == king / 9 ? 1 : 9;
        if (king < checker)
            step = -step;
        for (unsigned at = checker + (unsigned)step; at != king; at += (unsigned)step)
            if (board->at[at] == 0)
                answer_at(a, at);
            else
                a->screen = at;
    } else if (kind == QP_HORSE) {
        answer_at(a, checker + (unsigned)qp_halves[step_index(checker, king)]);
    } else if (kind != QP_PAWN) {
        return;
    }
    a->any = false;
}

static bool evades(const qp_board *board, const answers *a, qp_move move)
{
    return (QP_FROM(move) == board->king[board->side] || may_answer(a, move)) &&
           QP_PIECE_KIND(board->at[QP_TO(move)]) != QP_KING &&
           qp_rules_king_safe(board, move);
}

size_t qp_rules_evasions(const qp_board *board, qp_move moves[QP_MOVES_MAX],
                         uint32_t *nodes)
{
    answers a;
    size_t count = qp_rules_moves(board, moves), n = 0;
    spend(nodes, work_of(count));
    find_answers(&a, board);
    for (size_t i = 0; i < count; i++)
        if (evades(board, &a, moves[i]))
            moves[n++] = moves[i];
    return n;
}

bool qp_rules_can_evade(const qp_board *board)
{
    answers a;
    qp_move moves[QP_PIECE_MOVES_MAX];
    unsigned king = board->king[board->side];
    a.any = true;
    for (unsigned i = 0; i <= QP_SQUARES; i++) { /* the king first */
        unsigned from = i == 0 ? king : i - 1;
        if (from >= QP_SQUARES || (i != 0 && from == king) || board->at[from] == 0 ||
            board->at[from] >> 3 != board->side)
            continue;
        size_t count = qp_rules_piece_moves(board, from, moves);
        for (size_t k = 0; k < count; k++)
            if (evades(board, &a, moves[k]))
                return true;
        if (i == 0)
            find_answers(&a, board);
    }
    return false;
}

/* Moves of one side that the other cannot take away but by a move that ends on one of these
 * squares, or touches the king's safety. */
#define SPARES_MAX 3
typedef struct spare {
    uint8_t from, middle, to;
} spare;

static size_t find_spares(const qp_board *board, qp_side side, spare spares[SPARES_MAX])
{
    qp_board turned = *board;
    qp_move moves[QP_PIECE_MOVES_MAX];
    unsigned king = board->king[side];
    size_t n = 0;
    if (king < QP_SQUARES && !(qp_zones[king] & QP_ZONE_PALACE(side)))
        return 0;
    turned.side = (uint8_t)side;
    for (unsigned from = 0; from < QP_SQUARES && n < SPARES_MAX; from++) {
        qp_piece piece = board->at[from];
        if (piece == 0 || QP_PIECE_SIDE(piece) != side || QP_PIECE_KIND(piece) == QP_KING)
            continue;
        size_t count = qp_rules_piece_moves(&turned, from, moves);
        for (size_t i = 0; i < count; i++) {
            unsigned to = QP_TO(moves[i]);
            int step = step_index(from, to);
            bool far = (qp_ways[step] & QP_LINE) && !(qp_ways[step] & QP_STEP);
            if (far || board->at[to] != 0 || !qp_rules_king_safe(&turned, moves[i]))
                continue;
            spares[n++] = (spare){(uint8_t)from, (uint8_t)((int)from + qp_halves[step]),
                                  (uint8_t)to};
            break;
        }
    }
    return n;
}

static bool has_spare(const spare *spares, size_t count, unsigned taken)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= (spares[i].from != taken) & (spares[i].middle != taken) &
               (spares[i].to != taken);
    return any;
}

static bool has_legal(const qp_board *board, const spare *spares, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (qp_rules_legal(board, QP_MOVE(spares[i].from, spares[i].to)))
            return true;
    return false;
}

qp_answer qp_rules_can_finish(const qp_board *board, uint32_t *nodes)
{
    spare spares[SPARES_MAX];
    qp_move moves[QP_MOVES_MAX];
    qp_board after = *board;
    qp_side other = QP_OTHER(board->side);
    unsigned king = board->king[other];
    size_t spare_count = find_spares(board, other, spares);
    size_t count = qp_rules_moves(board, moves);
    if (!spend(nodes, work_of(count)))
        return QP_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        unsigned to = QP_TO(moves[i]);
        bool takes_king = QP_PIECE_KIND(board->at[to]) == QP_KING;
        qp_undo undo;
        if ((!takes_king && !can_threaten(king, moves[i]) &&
             has_spare(spares, spare_count, to)) ||
            !qp_rules_king_safe(board, moves[i]))
            continue;
        if (takes_king)
            return QP_YES;
        if (!spend(nodes, 1))
            return QP_UNKNOWN;
        qp_rules_make_legal(&after, moves[i], &undo);
        bool found = !has_legal(&after, spares, spare_count) &&
                     (qp_board_in_check(&after, other) ? !qp_rules_can_evade(&after)
                                                       : !qp_rules_can_move(&after));
        qp_rules_undo(&after, moves[i], &undo);
        if (found)
            return QP_YES;
    }
    return QP_NO;
}

/* checks bounds the recursion. The row ends where one reply has no answer: whether that
 * is NO or UNKNOWN makes no difference to a YES, so the first one found is taken. */
static qp_answer mate(qp_board *board, unsigned checks, uint32_t *nodes)
{
    qp_move tried[QP_MOVES_MAX], replies[QP_MOVES_MAX];
    qp_answer best = QP_NO;
    size_t count = qp_rules_checks(board, tried, nodes);
    if (*nodes == 0)
        return QP_UNKNOWN;
    for (size_t i = 0; i < count && best != QP_YES; i++) {
        qp_undo undo;
        if (!spend(nodes, 1))
            return best > QP_UNKNOWN ? best : QP_UNKNOWN;
        qp_rules_make_legal(board, tried[i], &undo);
        qp_answer all = QP_YES;
        if (checks <= 1) {
            if (qp_rules_can_evade(board))
                all = QP_UNKNOWN;
        } else {
            size_t n = qp_rules_evasions(board, replies, nodes);
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
