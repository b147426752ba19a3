/* Check, facing kings, legal moves, the end of a game, perft, and why a move is refused.
 * Source: see rules.h. That facing kings are a way of leaving the own king to be taken,
 * and not an attack, is the wording of the Chinese competition rules of 2011. */
#include "config.h"

#include "rules/field.h"

/* What stands for the mover's own piece on a line: it neither threatens nor lets through.
 */
#define NO_THREAT 15u

/* Nine squares that lie step apart, four bits each, the first lowest. */
static QP_INLINE uint64_t nine_pieces(const qp_piece *at, int step)
{
    uint64_t low = at[0] | (unsigned)at[step] << 4 | (unsigned)at[2 * step] << 8 |
                   (unsigned)at[3 * step] << 12 | (unsigned)at[4 * step] << 16;
    uint64_t high = at[5 * step] | (unsigned)at[6 * step] << 4 |
                    (unsigned)at[7 * step] << 8 | (unsigned)at[8 * step] << 12;
    return low | high << 20;
}

/* A line after a move: whether its from and to lie on it, and at which places. No branch.
 */
static QP_INLINE uint64_t after_move(uint64_t pieces, bool has_from, unsigned from,
                                     bool has_to, unsigned to)
{
    pieces &= ~((uint64_t)(15u & -(unsigned)has_from) << from * 4);
    return pieces | (uint64_t)(NO_THREAT & -(unsigned)has_to) << to * 4;
}

/* Whether, of pieces of four bits each, nearest first, the nearest is one of two or the
 * second nearest a cannon. */
static inline bool ray_threat(uint64_t pieces, qp_piece a, qp_piece b, qp_piece cannon)
{
    const uint64_t end = (uint64_t)NO_THREAT << 60;
    pieces |= end;
    pieces >>= qp_lowest_bit(pieces) & ~3u;
    unsigned first = pieces & 15;
    pieces = pieces >> 4 | end;
    pieces >>= qp_lowest_bit(pieces) & ~3u;
    return first == a || first == b || (pieces & 15) == cannon;
}

/* Whether a rank holds an enemy rook or cannon at all. */
static inline bool rank_is_armed(const qp_piece *row, unsigned enemy_bit)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    /* Without the enemy's side bit his rooks are 5 and his cannons 6; the sums carry into
     * the top bit of the bytes that are at least 5, at least 7. */
    uint64_t eight = first_eight(row) ^ ones * enemy_bit;
    uint64_t from_rook = eight + ones * (0x80 - QP_ROOK);
    uint64_t past_cannon = eight + ones * (0x80 - QP_PAWN);
    unsigned last = row[8] ^ enemy_bit;
    return (from_rook & ~past_cannon & ones << 7) != 0 || last - QP_ROOK < 2;
}

/* The same question as of the file, on the king's rank; seldom asked. */
static bool rank_threat(const qp_board *board, unsigned king, unsigned from, unsigned to,
                        qp_piece rook, qp_piece cannon)
{
    unsigned rank = king / 9, file = king % 9;
    bool has_from = from / 9 == rank, has_to = to / 9 == rank;
    const qp_piece *row = board->at + rank * 9;
    uint64_t right = after_move(nine_pieces(row, 1), has_from, from % 9, has_to, to % 9);
    uint64_t left =
        after_move(nine_pieces(row + 8, -1), has_from, 8 - from % 9, has_to, 8 - to % 9);
    return ray_threat(right >> file * 4 >> 4, rook, rook, cannon) ||
           ray_threat(left >> (8 - file) * 4 >> 4, rook, rook, cannon);
}

/* Whether an enemy horse stands so far from the king, with the leg free after the move.
 */
static QP_INLINE bool horse_threat(const qp_board *board, unsigned king, unsigned from,
                                   unsigned to, int away, int leg_away, qp_piece horse)
{
    if (QP_LIKELY_TO(board->at[king + (unsigned)away] != horse))
        return false;
    unsigned leg = king + (unsigned)leg_away;
    return king + (unsigned)away != to &&
           (leg == from || (leg != to && board->at[leg] == 0));
}

/* Whether a king in its own palace can be taken, or (where facing) an enemy king looks at
 * it, after a move; from and to are the king's own square where there is none. Only
 * rooks, cannons, horses and pawns come near, and in front and at both sides of it the
 * board goes on for two squares at least. doubts: from where (QP_CALM_...) is to be
 * asked. side is a constant wherever this is called. */
static QP_INLINE bool palace_threat(const qp_board *board, unsigned king, unsigned from,
                                    unsigned to, bool facing, unsigned doubts,
                                    const qp_side side)
{
    const qp_side enemy = QP_OTHER(side);
    const qp_piece rook = QP_PIECE(enemy, QP_ROOK), cannon = QP_PIECE(enemy, QP_CANNON);
    const qp_piece horse = QP_PIECE(enemy, QP_HORSE), pawn = QP_PIECE(enemy, QP_PAWN);
    const int forward = QP_FORWARD(side);
    unsigned file = king % 9, rank = side == QP_RED ? king / 9 : 9 - king / 9;
    qp_piece other = facing ? QP_PIECE(enemy, QP_KING) : rook;

    if (doubts & QP_CALM_FILE) {
        const qp_piece *back = board->at + file + (side == QP_RED ? 0 : 81);
        uint64_t pieces = nine_pieces(back, 9 * forward) | (uint64_t)back[81 * forward]
                                                               << 36;
        pieces =
            after_move(pieces, from % 9 == file, side == QP_RED ? from / 9 : 9 - from / 9,
                       to % 9 == file, side == QP_RED ? to / 9 : 9 - to / 9);
        if (ray_threat(pieces >> rank * 4 >> 4, rook, other, cannon))
            return true;
        if (QP_RARE(rank != 0)) {
            uint64_t behind = pieces >> (rank - 1) * 4 & 15;
            if (rank == 2)
                behind |= (pieces & 15) << 4;
            if (ray_threat(behind, rook, other, cannon))
                return true;
        }
    }
    if ((doubts & QP_CALM_RANK) &&
        QP_RARE(rank_is_armed(board->at + (king - file), QP_PIECE(enemy, 0))) &&
        rank_threat(board, king, from, to, rook, cannon))
        return true;
    if (!(doubts & QP_CALM_NEAR))
        return false;
    const qp_piece *at = board->at + king;
    if (QP_RARE(at[9 * forward] == pawn || at[1] == pawn || at[-1] == pawn) &&
        ((at[9 * forward] == pawn && king + (unsigned)(9 * forward) != to) ||
         (at[1] == pawn && king + 1 != to) || (at[-1] == pawn && king - 1 != to)))
        return true;
#define HORSE(away, leg)                                                                 \
    horse_threat(board, king, from, to, (away)*forward, (leg)*forward, horse)
    if (HORSE(7, 8) || HORSE(11, 10) || HORSE(17, 8) || HORSE(19, 10))
        return true;
    if (rank != 0 && (HORSE(-7, -8) || HORSE(-11, -10)))
        return true;
    return rank == 2 && (HORSE(-17, -8) || HORSE(-19, -10));
#undef HORSE
}

/* Whether an enemy king looks at the side's king along an open file. */
static bool facing_kings(const qp_board *board, unsigned king, qp_side side)
{
    for (int step = -9; step <= 9; step += 18) {
        int square = (int)king + step;
        while (square >= 0 && square < QP_SQUARES && board->at[square] == 0)
            square += step;
        if (square >= 0 && square < QP_SQUARES &&
            board->at[square] == QP_PIECE(QP_OTHER(side), QP_KING))
            return true;
    }
    return false;
}

/* The same of a king anywhere: every enemy piece is asked. */
static bool stray_threat(const qp_board *before, unsigned king, unsigned from,
                         unsigned to, bool facing, qp_side side)
{
    qp_board board = *before;
    if (from != to) {
        board.at[to] = board.at[from];
        board.at[from] = 0;
    }
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (board.at[square] != 0 && QP_PIECE_SIDE(board.at[square]) != side &&
            step_allowed(&board, square, king))
            return true;
    return facing && facing_kings(&board, king, side);
}

/* Whether there is no such threat to the king. */
static QP_APART bool safe(const qp_board *board, unsigned king, unsigned from,
                          unsigned to, bool facing, unsigned doubts, qp_side side)
{
    if (QP_RARE(!(qp_zones[king] & QP_ZONE_PALACE(side))))
        return !stray_threat(board, king, from, to, facing, side);
    return side == QP_RED
               ? !palace_threat(board, king, from, to, facing, doubts, QP_RED)
               : !palace_threat(board, king, from, to, facing, doubts, QP_BLACK);
}

bool qp_board_in_check(const qp_board *board, qp_side side)
{
    unsigned king = board->king[side];
    return king < QP_SQUARES && !safe(board, king, king, king, false, QP_CALM_ALL, side);
}

static void learn(qp_board *board, qp_side side)
{
    unsigned king = board->king[side];
    unsigned doubts = ~(unsigned)board->calm >> 4 * side & QP_CALM_ALL;
    if (doubts != 0 && king < QP_SQUARES && (qp_zones[king] & QP_ZONE_PALACE(side)) &&
        safe(board, king, king, king, true, doubts, side))
        board->calm |= QP_CALM(side, QP_CALM_ALL);
}

bool qp_rules_king_stands(const qp_board *board, qp_side side)
{
    unsigned king = board->king[side];
    return king >= QP_SQUARES || safe(board, king, king, king, true, QP_CALM_ALL, side);
}

/* stays_safe, of a move of the king itself. */
static QP_APART bool king_stays_safe(const qp_board *board, unsigned from, unsigned to)
{
    qp_piece piece = board->at[from];
    qp_side side = QP_PIECE_SIDE(piece);
    unsigned king = board->king[side];
    /* The king that counts is the first of its side; one that stands alone is that. */
    if (QP_RARE(has_other_king(board, king))) {
        qp_board after = *board;
        after.at[from] = 0;
        after.at[to] = piece;
        qp_rules_set_kings(&after);
        king = after.king[side];
        return safe(&after, king, king, king, true, QP_CALM_ALL, side);
    }
    return safe(board, to, from, to, true, QP_CALM_ALL, side);
}

/* Whether the mover's king cannot be taken, nor faces the enemy's, after a pseudo-legal
 * move. */
static inline bool stays_safe(const qp_board *board, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    qp_side side = QP_PIECE_SIDE(board->at[from]);
    unsigned king = board->king[side];
    if (QP_RARE(king >= QP_SQUARES))
        return true;
    if (QP_RARE(QP_PIECE_KIND(board->at[from]) == QP_KING))
        return king_stays_safe(board, from, to);
    /* What the own piece comes near to it does not threaten; it may be a cannon's screen.
     */
    unsigned doubts = (~(unsigned)board->calm >> 4 * side & QP_CALM_ALL) |
                      leaves_open(king, from) |
                      (comes_near(king, to) & ~(unsigned)QP_CALM_NEAR);
    return doubts == 0 || safe(board, king, from, to, true, doubts, side);
}

bool qp_rules_king_safe(const qp_board *board, qp_move move)
{
    return stays_safe(board, move);
}

bool qp_rules_legal(const qp_board *board, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    return board->at[from] >> 3 == board->side &&
           QP_PIECE_KIND(board->at[to]) != QP_KING && step_allowed(board, from, to) &&
           stays_safe(board, move);
}

/* The legal ones of one piece's moves, kept in place. */
static size_t keep_legal(const qp_board *board, qp_move *moves, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) != QP_KING &&
            stays_safe(board, moves[i]))
            moves[n++] = moves[i];
    return n;
}

size_t qp_rules_legal_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    return keep_legal(board, moves, qp_rules_moves(board, moves));
}

static bool is_mover(const qp_board *board, unsigned square)
{
    return board->at[square] != 0 &&
           QP_PIECE_SIDE(board->at[square]) == (qp_side)board->side;
}

/* By file, then rank, as the text of a square sorts. */
static unsigned text_order(qp_move move)
{
    return QP_FILE(QP_TO(move)) * 10u + (unsigned)QP_RANK(QP_TO(move));
}

size_t qp_board_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    size_t n = 0;
    for (unsigned i = 0; i < QP_SQUARES; i++) {
        unsigned from = QP_SQUARE(i / 10, i % 10);
        if (!is_mover(board, from))
            continue;
        qp_move *part = moves + n;
        size_t count = keep_legal(board, part, qp_rules_piece_moves(board, from, part));
        for (size_t a = 1; a < count; a++) {
            qp_move move = part[a];
            size_t b = a;
            for (; b > 0 && text_order(part[b - 1]) > text_order(move); b--)
                part[b] = part[b - 1];
            part[b] = move;
        }
        n += count;
    }
    return n;
}

bool qp_rules_can_move(const qp_board *board)
{
    qp_move moves[QP_PIECE_MOVES_MAX];
    qp_board known = *board; /* most moves do not touch a king that is safe */
    qp_side side = (qp_side)board->side;
    unsigned king = board->king[side];
    learn(&known, side);
    if ((~known.calm & QP_CALM(side, QP_CALM_ALL)) != 0 && king < QP_SQUARES &&
        !has_other_king(board, king)) {
        qp_field field;
        qp_field_set(&field, board);
        return qp_rules_can_evade(&field);
    }
    /* What stands before the palace is asked first: it seldom touches the king's lines.
     */
    for (unsigned i = 0; i < QP_SQUARES; i++) {
        unsigned own = i < 63 ? i + 27 : i - 63;
        unsigned from = board->side == QP_RED ? own : QP_SQUARES - 1 - own;
        size_t count =
            is_mover(board, from) ? qp_rules_piece_moves(board, from, moves) : 0;
        for (size_t k = 0; k < count; k++)
            if (keep_legal(&known, moves + k, 1) != 0)
                return true;
    }
    return false;
}

qp_end qp_board_end(const qp_board *board)
{
    if (qp_rules_can_move(board))
        return QP_END_NONE;
    return qp_board_in_check(board, (qp_side)board->side) ? QP_END_CHECKMATE
                                                          : QP_END_STALEMATE;
}

const char *qp_end_name(qp_end end)
{
    static const char *const names[] = {"none", "checkmate", "stalemate"};
    return names[(unsigned)end < QP_COUNT(names) ? (unsigned)end : 0];
}

/* One ply of the tree that perft walks: the moves of one piece at a time. */
typedef struct branch {
    qp_move moves[QP_PIECE_MOVES_MAX];
    uint8_t count, next; /* of moves */
    uint8_t from;        /* the square to take up next */
    qp_undo undo;        /* of the move being looked into */
} branch;

static uint64_t count_legal(const qp_board *board)
{
    qp_move moves[QP_PIECE_MOVES_MAX];
    uint64_t n = 0;
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (is_mover(board, from))
            n += keep_legal(board, moves, qp_rules_piece_moves(board, from, moves));
    return n;
}

/* Moves on to the branch's next legal move; false where there is none left. */
static bool branch_next(branch *b, const qp_board *board)
{
    while (b->next == b->count) {
        if (b->from == QP_SQUARES)
            return false;
        unsigned from = b->from++;
        b->next = b->count = 0;
        if (is_mover(board, from))
            b->count = (uint8_t)keep_legal(board, b->moves,
                                           qp_rules_piece_moves(board, from, b->moves));
    }
    b->next++;
    return true;
}

uint64_t qp_board_perft(const qp_board *start, unsigned depth)
{
    branch stack[QP_PERFT_MAX];
    qp_board board = *start;
    uint64_t leaves = 0;
    unsigned at = 0; /* the branch being walked; depth - at plies are left from it */

    if (depth == 0)
        return 1;
    if (depth > QP_PERFT_MAX)
        depth = QP_PERFT_MAX;
    stack[0].count = stack[0].next = stack[0].from = 0;
    for (;;) {
        branch *b = &stack[at];
        if (depth - at == 1) {
            leaves += count_legal(&board);
        } else if (branch_next(b, &board)) {
            qp_rules_make_legal(&board, b->moves[b->next - 1], &b->undo);
            b = &stack[++at];
            b->count = b->next = b->from = 0;
            continue;
        }
        if (at == 0)
            return leaves;
        b = &stack[--at];
        qp_rules_undo(&board, b->moves[b->next - 1], &b->undo);
    }
}

qp_refusal qp_board_refuse(const qp_board *board, qp_move move)
{
    unsigned from = move >> 7, to = QP_TO(move);
    if (from >= QP_SQUARES || board->at[from] == 0)
        return QP_REFUSE_NO_PIECE;
    if (QP_PIECE_SIDE(board->at[from]) != (qp_side)board->side)
        return QP_REFUSE_WRONG_SIDE;
    if (from == to)
        return QP_REFUSE_NULL_MOVE;
    if (to >= QP_SQUARES)
        return QP_REFUSE_BAD_SHAPE;
    qp_refusal shape = qp_rules_shape(board, from, to);
    if (shape != QP_LEGAL)
        return shape;
    if (QP_PIECE_KIND(board->at[to]) == QP_KING)
        return QP_REFUSE_CAPTURES_KING;
    if (stays_safe(board, move))
        return QP_LEGAL;
    qp_board after = *board;
    qp_board_play(&after, move);
    if (facing_kings(&after, after.king[board->side], (qp_side)board->side))
        return QP_REFUSE_KINGS_FACING;
    return qp_board_in_check(board, (qp_side)board->side) ? QP_REFUSE_STILL_IN_CHECK
                                                          : QP_REFUSE_SELF_CHECK;
}

static const struct {
    const char *name;
    qp_code code;
} refusals[QP_REFUSAL_COUNT] = {
    [QP_LEGAL] = {"legal", QP_D_none},
    [QP_REFUSE_NO_PIECE] = {"no-piece", QP_D_move_no_piece},
    [QP_REFUSE_WRONG_SIDE] = {"wrong-side", QP_D_move_wrong_side},
    [QP_REFUSE_NULL_MOVE] = {"null-move", QP_D_move_geometry},
    [QP_REFUSE_BAD_SHAPE] = {"bad-shape", QP_D_move_geometry},
    [QP_REFUSE_LEAVES_PALACE] = {"leaves-palace", QP_D_move_zone},
    [QP_REFUSE_CROSSES_RIVER] = {"crosses-river", QP_D_move_zone},
    [QP_REFUSE_PAWN_BACKWARD] = {"pawn-backward", QP_D_move_geometry},
    [QP_REFUSE_PAWN_SIDEWAYS] = {"pawn-sideways-before-river", QP_D_move_geometry},
    [QP_REFUSE_BLOCKED_EYE] = {"blocked-eye", QP_D_move_blocked},
    [QP_REFUSE_BLOCKED_LEG] = {"blocked-leg", QP_D_move_blocked},
    [QP_REFUSE_PATH_BLOCKED] = {"path-blocked", QP_D_move_blocked},
    [QP_REFUSE_CANNON_NO_SCREEN] = {"cannon-no-screen", QP_D_move_blocked},
    [QP_REFUSE_CANNON_MANY_SCREENS] = {"cannon-many-screens", QP_D_move_blocked},
    [QP_REFUSE_CAPTURES_OWN] = {"captures-own", QP_D_move_own_piece},
    [QP_REFUSE_CAPTURES_KING] = {"captures-king", QP_D_move_exposes_king},
    [QP_REFUSE_KINGS_FACING] = {"kings-facing", QP_D_move_kings_face},
    [QP_REFUSE_STILL_IN_CHECK] = {"still-in-check", QP_D_move_exposes_king},
    [QP_REFUSE_SELF_CHECK] = {"self-check", QP_D_move_exposes_king},
};

const char *qp_refusal_name(qp_refusal refusal)
{
    return refusals[(unsigned)refusal < QP_REFUSAL_COUNT ? refusal : QP_LEGAL].name;
}

qp_code qp_refusal_code(qp_refusal refusal)
{
    return refusals[(unsigned)refusal < QP_REFUSAL_COUNT ? refusal : QP_LEGAL].code;
}
