/* The player of invented games: material, a little sense of place, two plies of search and
 * captures behind them. Plays like a beginner who does not leave pieces hanging. */
#include "config.h"

#include "gen/gen.h"

enum { WIN = 30000, CAPTURE_DEPTH = 6 };

uint64_t gen_next(gen_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

unsigned gen_below(gen_random *random, unsigned below)
{
    return (unsigned)((gen_next(random) >> 32) * below >> 32);
}

uint64_t gen_position_key(const qp_board *board)
{
    uint64_t key = board->side + 1;
    for (unsigned s = 0; s < QP_SQUARES; s++)
        if (board->at[s] != 0) {
            gen_random one = {(uint64_t)board->at[s] << 8 | s};
            key ^= gen_next(&one);
        }
    return key;
}

/* Worth of a red piece; rank and file from Red's left corner. */
static int worth_of(qp_kind kind, int file, int rank)
{
    int centre = 4 - (file < 4 ? 4 - file : file - 4); /* 0 at the edge, 4 on the middle file */
    switch (kind) {
    case QP_KING:
        return rank == 0 ? 10 : 0;
    case QP_ADVISOR:
        return 120;
    case QP_ELEPHANT:
        return 120 + centre * 2;
    case QP_HORSE:
        return 390 + centre * 6 + (rank == 0 ? -20 : rank < 4 ? 8 : rank < 9 ? 24 : 0);
    case QP_ROOK:
        return 900 + (rank == 0 ? centre * 8 : 20 + centre * 4) + (rank > 4 ? 10 : 0);
    case QP_CANNON:
        return 440 + (rank < 3 ? centre * 6 : 10) + (rank == 9 ? 6 : 0);
    case QP_PAWN:
        if (rank < 5)
            return 60 + (rank == 4 ? 10 : 0);
        return rank == 9 ? 80 : 110 + centre * 8 + (rank - 5) * 12;
    case QP_NO_KIND:
        break;
    }
    return 0;
}

void gen_player_init(gen_player *player)
{
    memset(player, 0, sizeof *player);
    for (int kind = QP_KING; kind <= QP_PAWN; kind++)
        for (int rank = 0; rank < 10; rank++)
            for (int file = 0; file < 9; file++) {
                int worth = worth_of((qp_kind)kind, file, rank);
                player->worth[QP_PIECE(QP_RED, kind)][QP_SQUARE(file, rank)] = (int16_t)worth;
                player->worth[QP_PIECE(QP_BLACK, kind)][QP_SQUARE(file, 9 - rank)] =
                    (int16_t)-worth;
            }
}

/* What a move adds to Red's score. */
static int gain(const gen_player *player, const qp_board *board, qp_move move)
{
    qp_piece piece = board->at[QP_FROM(move)], taken = board->at[QP_TO(move)];
    return player->worth[piece][QP_TO(move)] - player->worth[piece][QP_FROM(move)] -
           player->worth[taken][QP_TO(move)];
}

static int for_mover(const qp_board *board, int score)
{
    return board->side == QP_RED ? score : -score;
}

/* Puts captures first, the biggest first; returns how many there are. */
static size_t sort_captures(const qp_board *board, qp_move *moves, size_t count)
{
    static const uint8_t order[8] = {0, 9, 2, 2, 4, 8, 5, 1};
    size_t captures = 0;
    for (size_t i = 0; i < count; i++) {
        qp_move move = moves[i];
        if (board->at[QP_TO(move)] == 0)
            continue;
        moves[i] = moves[captures];
        size_t j = captures++;
        unsigned rank = order[QP_PIECE_KIND(board->at[QP_TO(move)])];
        for (; j > 0 && order[QP_PIECE_KIND(board->at[QP_TO(moves[j - 1])])] < rank; j--)
            moves[j] = moves[j - 1];
        moves[j] = move;
    }
    return captures;
}

/* Captures alone, none forced; score is Red's. Bounded depth, so recursion is too. */
static int settle(const gen_player *player, qp_board *board, int score, int alpha, int beta,
                  int depth)
{
    qp_move moves[QP_MOVES_MAX];
    int best = for_mover(board, score);
    if (best >= beta || depth == 0)
        return best;
    if (best > alpha)
        alpha = best;
    size_t count = sort_captures(board, moves, qp_rules_moves(board, moves));
    if (count > 0 && QP_PIECE_KIND(board->at[QP_TO(moves[0])]) == QP_KING)
        return WIN;
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        int after = score + gain(player, board, moves[i]);
        qp_rules_make(board, moves[i], &undo);
        int value = -settle(player, board, after, -beta, -alpha, depth - 1);
        qp_rules_undo(board, moves[i], &undo);
        if (value > best)
            best = value;
        if (best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

/* The answer to a move: one ply in full, then captures. */
static int answer(const gen_player *player, qp_board *board, int score, int alpha, int beta)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_rules_moves(board, moves);
    int best = -WIN; /* no legal answer: mate or stalemate, both lost */
    sort_captures(board, moves, count);
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        if (!qp_rules_king_safe(board, moves[i]))
            continue;
        int after = score + gain(player, board, moves[i]);
        qp_rules_make(board, moves[i], &undo);
        int value = -settle(player, board, after, -beta, -alpha, CAPTURE_DEPTH);
        qp_rules_undo(board, moves[i], &undo);
        if (value > best)
            best = value;
        if (best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

size_t gen_candidates(const gen_player *player, const qp_board *given, int margin,
                      qp_move moves[QP_MOVES_MAX], int *score)
{
    qp_board board = *given;
    int values[QP_MOVES_MAX];
    int total = 0, best = -2 * WIN;
    size_t count = qp_board_moves(&board, moves), near = 0;
    for (unsigned s = 0; s < QP_SQUARES; s++)
        total += player->worth[board.at[s]][s];
    sort_captures(&board, moves, count);
    for (size_t i = 0; i < count; i++) {
        qp_undo undo;
        int after = total + gain(player, &board, moves[i]);
        qp_rules_make(&board, moves[i], &undo);
        /* The window is margin wide below the best, so that near-best values are true. */
        values[i] = -answer(player, &board, after, -2 * WIN, -(best - margin - 1));
        qp_rules_undo(&board, moves[i], &undo);
        if (values[i] > best)
            best = values[i];
    }
    for (size_t i = 0; i < count; i++)
        if (values[i] >= best - margin)
            moves[near++] = moves[i];
    *score = best;
    return near;
}
