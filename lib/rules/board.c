/* A position as a value: play a move and take it back, find pieces, and what of a
 * position cannot be. Points of advisors, elephants and pawns follow from their moves and
 * the start position. */
#include "config.h"

#include "rules/lines.h"

/* What qp_undo.taken says where the first square was empty and nothing was moved. */
#define NOTHING_LIFTED 0xFF

void qp_board_start(qp_board *board)
{
#define BOTH(file, rank, kind)                                                           \
    [QP_SQUARE(file, rank)] = QP_PIECE(QP_RED, kind),                                    \
                     [QP_SQUARE(file, 9 - (rank))] = QP_PIECE(QP_BLACK, kind)
#define PAIR(file, rank, kind) BOTH(file, rank, kind), BOTH(8 - (file), rank, kind)
    static const qp_board start = {
        .at = {PAIR(0, 0, QP_ROOK), PAIR(1, 0, QP_HORSE), PAIR(2, 0, QP_ELEPHANT),
               PAIR(3, 0, QP_ADVISOR), BOTH(4, 0, QP_KING), PAIR(1, 2, QP_CANNON),
               PAIR(0, 3, QP_PAWN), PAIR(2, 3, QP_PAWN), BOTH(4, 3, QP_PAWN)},
        .side = QP_RED,
        .king = {QP_SQUARE(4, 0), QP_SQUARE(4, 9)},
        .round = 1,
    };
#undef PAIR
#undef BOTH
    *board = start;
}

bool qp_board_same(const qp_board *a, const qp_board *b)
{
    return a->side == b->side && memcmp(a->at, b->at, sizeof a->at) == 0;
}

void qp_rules_set_kings(qp_board *board)
{
    board->calm = 0;
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        const qp_piece *king = memchr(board->at, QP_PIECE(side, QP_KING), QP_SQUARES);
        board->king[side] = king ? (qp_square)(king - board->at) : QP_NO_SQUARE;
    }
}

/* Plays a move. legal: it is known to be so. plain: no king moves or is taken. Both are
 * constants wherever this is called. */
static QP_INLINE void make(qp_board *board, qp_move move, qp_undo *undo, const bool legal,
                           const bool plain)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    unsigned mover = board->side, other = mover ^ 1;
    qp_piece piece = board->at[from], taken = board->at[to];
    memcpy(undo->rest, (const char *)board + offsetof(qp_board, side), sizeof undo->rest);
    undo->taken = taken;
    board->at[from] = 0;
    board->at[to] = piece;
    if (!plain)
        qp_rules_set_kings(board);

    board->calm = calm_after(board, (qp_side)mover, from, to, legal);

    unsigned round = board->round + mover;
    unsigned plies = taken != 0 && (legal || from != to) ? 0 : board->quiet + 1u;
    board->round = (uint16_t)(round - (round >> 16)); /* stays at the highest number */
    board->quiet = (uint16_t)(plies - (plies >> 16));
    board->side = (uint8_t)other;
}

static QP_APART void make_with_king(qp_board *board, qp_move move, qp_undo *undo)
{
    make(board, move, undo, true, false);
}

void qp_rules_make_legal(qp_board *board, qp_move move, qp_undo *undo)
{
    if (QP_RARE(QP_PIECE_KIND(board->at[QP_FROM(move)]) == QP_KING))
        make_with_king(board, move, undo);
    else
        make(board, move, undo, true, true);
}

void qp_rules_make(qp_board *board, qp_move move, qp_undo *undo)
{
    qp_piece piece = board->at[QP_FROM(move)], taken = board->at[QP_TO(move)];
    if (piece != 0 && QP_PIECE_KIND(piece) != QP_KING &&
        QP_PIECE_KIND(taken) != QP_KING) {
        make(board, move, undo, false, true);
    } else if (piece != 0) {
        make(board, move, undo, false, false);
    } else { /* nothing to lift, so nothing is put down */
        board->at[QP_TO(move)] = 0;
        make(board, move, undo, false, true);
        board->at[QP_TO(move)] = taken;
        undo->taken = NOTHING_LIFTED;
    }
}

void qp_rules_undo(qp_board *board, qp_move move, const qp_undo *undo)
{
    if (QP_LIKELY_TO(undo->taken != NOTHING_LIFTED)) {
        qp_piece piece = board->at[QP_TO(move)];
        board->at[QP_TO(move)] = undo->taken;
        board->at[QP_FROM(move)] = piece;
    }
    memcpy((char *)board + offsetof(qp_board, side), undo->rest, sizeof undo->rest);
}

void qp_board_play(qp_board *board, qp_move move)
{
    qp_undo undo;
    if (move >> 7 < QP_SQUARES && QP_TO(move) < QP_SQUARES)
        qp_rules_make(board, move, &undo);
}

void qp_rules_play_all(qp_board *board, const qp_move *moves, size_t count)
{
    size_t quiet = board->quiet + count, round = board->round + (count + board->side) / 2;
    for (size_t i = 0; i < count; i++) {
        unsigned from = QP_FROM(moves[i]), to = QP_TO(moves[i]);
        qp_piece piece = board->at[from];
        quiet = board->at[to] != 0 ? count - 1 - i : quiet;
        board->at[from] = 0;
        board->at[to] = piece;
    }
    board->round = (uint16_t)(round < UINT16_MAX ? round : UINT16_MAX);
    board->quiet = (uint16_t)(quiet < UINT16_MAX ? quiet : UINT16_MAX);
    board->side = (uint8_t)(board->side ^ (count & 1));
    qp_rules_set_kings(board);
}

size_t qp_rules_find(const qp_board *board, qp_piece piece, qp_square squares[QP_SQUARES])
{
    size_t n = 0;
    for (const qp_piece *at = board->at, *end = at + QP_SQUARES;
         (at = memchr(at, piece, (size_t)(end - at))) != NULL && n < QP_SQUARES; at++)
        squares[n++] = (qp_square)(at - board->at);
    return n;
}

bool qp_board_dead_material(const qp_board *board)
{
    for (int square = 0; square < QP_SQUARES; square++)
        if (QP_PIECE_KIND(board->at[square]) >= QP_HORSE)
            return false;
    return true;
}

/* Seen from the piece's own side: rank 0 is its back rank. */
static uint32_t point_faults(qp_kind kind, int file, int rank)
{
    switch (kind) {
    case QP_KING:
        return file < 3 || file > 5 || rank > 2 ? QP_FEN_KING_PALACE : 0;
    case QP_ADVISOR:
        return rank > 2 || (rank == 1 ? file != 4 : file != 3 && file != 5)
                   ? QP_FEN_ADVISOR_POINT
                   : 0;
    case QP_ELEPHANT:
        return (rank == 2 ? file % 4 != 0 : (rank != 0 && rank != 4) || file % 4 != 2)
                   ? QP_FEN_ELEPHANT_POINT
                   : 0;
    case QP_PAWN:
        return rank < 3 || (rank < 5 && file % 2 != 0) ? QP_FEN_PAWN_POINT : 0;
    default:
        return 0;
    }
}

uint32_t qp_rules_point_faults(qp_piece piece, unsigned square)
{
    int rank = QP_RANK(square);
    return point_faults(QP_PIECE_KIND(piece), QP_FILE(square),
                        QP_PIECE_SIDE(piece) == QP_RED ? rank : 9 - rank);
}

uint32_t qp_board_faults(const qp_board *board)
{
    static const uint8_t most[8] = {0, 0, 2, 2, 2, 2, 2, 5};
    uint32_t faults = 0;
    unsigned count[2][8] = {{0}};
    unsigned home_pawns[2][9] = {{0}};

    for (int file = 0; file < 9; file++) {
        qp_piece below = 0; /* the last piece met on the way up this file */
        for (int rank = 0; rank < 10; rank++) {
            qp_piece piece = board->at[QP_SQUARE(file, rank)];
            if (piece == 0)
                continue;
            qp_side side = QP_PIECE_SIDE(piece);
            qp_kind kind = QP_PIECE_KIND(piece);
            int own_rank = side == QP_RED ? rank : 9 - rank;
            count[side][kind]++;
            faults |= point_faults(kind, file, own_rank);
            if (kind == QP_PAWN && (own_rank == 3 || own_rank == 4))
                home_pawns[side][file]++;
            if (kind == QP_KING && below == QP_PIECE(QP_OTHER(side), QP_KING))
                faults |= QP_FEN_FACING;
            below = piece;
        }
    }
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        if (count[side][QP_KING] != 1)
            faults |= QP_FEN_KING_COUNT;
        for (int kind = QP_ADVISOR; kind <= QP_PAWN; kind++)
            if (count[side][kind] > most[kind])
                faults |= QP_FEN_PIECE_COUNT;
        for (int file = 0; file < 9; file++)
            if (home_pawns[side][file] > 1)
                faults |= QP_FEN_PAWN_FILE;
    }
    if (qp_board_in_check(board, QP_OTHER(board->side)))
        faults |= QP_FEN_OPPONENT_IN_CHECK;
    return faults;
}
