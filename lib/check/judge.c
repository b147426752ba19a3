/* How likely a player was to make a move, as far as material tells: what the move and the
 * captures behind it lose against the best capture or none. A shallow search; it knows no
 * plans, but few players leave a rook to be taken. */
#include "config.h"

#include "check/repair.h"

enum { DEPTH = 4, LOSS_MAX = 900, KING = 10000 };

static int worth(qp_piece piece, int rank)
{
    static const int16_t values[] = {[QP_KING] = KING,    [QP_ADVISOR] = 200,
                                     [QP_ELEPHANT] = 210, [QP_HORSE] = 420,
                                     [QP_ROOK] = 900,     [QP_CANNON] = 450,
                                     [QP_PAWN] = 100};
    int value = values[QP_PIECE_KIND(piece)];
    if (QP_PIECE_KIND(piece) == QP_PAWN &&
        (QP_PIECE_SIDE(piece) == QP_RED ? rank >= 5 : rank <= 4))
        value += 80;
    return value;
}

typedef struct capture {
    qp_move move;
    int16_t gain, order;
} capture;

/* Captures of the side to move, best first: the most valuable taken by the least. */
static size_t captures(const qp_board *board, capture out[64])
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_rules_moves(board, moves), n = 0;
    for (size_t i = 0; i < count && n < 64; i++) {
        qp_piece taken = board->at[QP_TO(moves[i])];
        if (taken == 0)
            continue;
        int gain = worth(taken, QP_RANK(QP_TO(moves[i])));
        int by = worth(board->at[QP_FROM(moves[i])], QP_RANK(QP_FROM(moves[i])));
        capture made = {moves[i], (int16_t)gain,
                        (int16_t)(gain - (by < KING ? by / 16 : 0))};
        size_t at = n++;
        for (; at > 0 && out[at - 1].order < made.order; at--)
            out[at] = out[at - 1];
        out[at] = made;
    }
    return n;
}

/* What the side to move can win by captures, 0 at least. Calls itself DEPTH deep. */
static int quiet(qp_board *board, int alpha, int beta, int depth)
{
    int best = 0;
    if (best >= beta || depth == 0)
        return best;
    if (best > alpha)
        alpha = best;
    capture list[64];
    size_t count = captures(board, list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].gain >= KING)
            return KING;
        if (list[i].gain <= alpha)
            continue; /* what follows can only cost */
        qp_undo undo;
        qp_rules_make(board, list[i].move, &undo);
        int value = list[i].gain - quiet(board, list[i].gain - beta, list[i].gain - alpha,
                                         depth - 1);
        qp_rules_undo(board, list[i].move, &undo);
        if (value > best)
            best = value;
        if (best > alpha)
            alpha = best;
        if (best >= beta)
            break;
    }
    return best;
}

unsigned qp_judge_win(const qp_board *board)
{
    qp_board copy = *board;
    return (unsigned)quiet(&copy, -KING, KING, DEPTH);
}

unsigned qp_judge_loss_of(const qp_board *board, qp_move move, unsigned before, unsigned after)
{
    qp_piece taken = board->at[QP_TO(move)];
    int gain = taken ? worth(taken, QP_RANK(QP_TO(move))) : 0;
    int loss = (int)before - gain + (int)after;
    return loss < 0 ? 0 : loss > LOSS_MAX ? LOSS_MAX : (unsigned)loss;
}

unsigned qp_judge_loss(const qp_board *board, qp_move move)
{
    qp_board after = *board;
    qp_board_play(&after, move);
    return qp_judge_loss_of(board, move, qp_judge_win(board), qp_judge_win(&after));
}

int qp_judge_place(const qp_board *board, qp_move move)
{
    /* By rank from the piece's own side and by file from the edge. Made by hand: horses want
     * the middle and the other half, elephants and advisors the middle file, the king home. */
    static const int8_t horse[10][5] = {
        {-20, -10, -5, -5, -15}, {-10, 0, 0, 5, -20},  {0, 5, 20, 15, 5},    {5, 15, 20, 25, 25},
        {10, 25, 25, 35, 35},    {15, 40, 35, 45, 45}, {15, 45, 45, 50, 50}, {15, 40, 60, 50, 35},
        {10, 50, 50, 45, 20},    {0, 10, 20, 15, 5}};
    static const int8_t guard[5][5] = {
        {0, 0, 0, 0, 0}, {0, 0, 0, 0, 12}, {-15, 0, 0, -8, 20}, {0, 0, 0, 0, 0}, {0, 0, -5, 0, 0}};
    static const int8_t king[3] = {0, -20, -40};
    qp_piece piece = board->at[QP_FROM(move)];
    int places[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned square = i == 0 ? QP_FROM(move) : QP_TO(move);
        int rank = QP_RANK(square), file = QP_FILE(square);
        if (QP_PIECE_SIDE(piece) == QP_BLACK)
            rank = 9 - rank;
        if (file > 4)
            file = 8 - file;
        switch (QP_PIECE_KIND(piece)) {
        case QP_HORSE:
            places[i] = horse[rank][file];
            break;
        case QP_ADVISOR:
        case QP_ELEPHANT:
            places[i] = rank < 5 ? guard[rank][file] : 0;
            break;
        case QP_KING:
            places[i] = rank < 3 ? king[rank] - (file < 4 ? 4 : 0) : 0;
            break;
        case QP_ROOK:
            places[i] = (rank == 0 ? -15 : rank >= 4 && rank <= 6 ? 10 : 0) + (file >= 3 ? 4 : 0);
            break;
        case QP_CANNON:
            places[i] = (rank == 0 ? -4 : 0) + (file == 4 ? 8 : 0);
            break;
        default:
            places[i] = 0;
            break;
        }
    }
    return places[1] - places[0];
}
