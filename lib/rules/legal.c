/* Check, facing kings, legal moves, the end of a game, and why a move is refused.
 * Source: World Xiangqi Rules 2018, chapter 1; the wording of facing kings as a kind of
 * leaving the king to be taken follows the Chinese competition rules of 2011. */
#include "config.h"

#include "rules/lines.h"

/* From where a king on this square could be taken by a horse or pawn. Where a square would
 * lie off the board, the king's own stands instead: nothing threatens from there. */
typedef struct nearby {
    uint8_t leg[4], horse[8]; /* legs, and the two horses that pass each */
    uint8_t pawn[2][3];       /* enemy pawns, by the side of the king */
} nearby;
#define ON(f, r, kf, kr) \
    ((f) >= 0 && (f) < 9 && (r) >= 0 && (r) < 10 ? (r) * 9 + (f) : (kr) * 9 + (kf))
#define NEARBY(f, r)                                                                       \
    {{ON(f - 1, r - 1, f, r), ON(f + 1, r - 1, f, r), ON(f - 1, r + 1, f, r),              \
      ON(f + 1, r + 1, f, r)},                                                             \
     {ON(f - 1, r - 2, f, r), ON(f - 2, r - 1, f, r), ON(f + 1, r - 2, f, r),              \
      ON(f + 2, r - 1, f, r), ON(f - 1, r + 2, f, r), ON(f - 2, r + 1, f, r),              \
      ON(f + 1, r + 2, f, r), ON(f + 2, r + 1, f, r)},                                     \
     {{ON(f, r + 1, f, r), ON(r < 5 ? f - 1 : -1, r, f, r), ON(r < 5 ? f + 1 : -1, r, f, r)}, \
      {ON(f, r - 1, f, r), ON(r > 4 ? f - 1 : -1, r, f, r),                                \
       ON(r > 4 ? f + 1 : -1, r, f, r)}}},
static const nearby around[QP_SQUARES] = {QP_GRID(NEARBY)};

/* A question about a king: its square, the side, and a move made in thought (from and to are
 * the king's own square where there is none). */
typedef struct question {
    const qp_board *board;
    unsigned king, from, to;
    qp_side side;
} question;

/* What stands on a square after the move; the mover's piece there is no threat to him. */
static inline qp_piece seen(const question *q, unsigned square)
{
    return square == q->to ? 0 : q->board->at[square];
}

/* The occupied squares of the king's line after the move. */
static inline unsigned moved_bits(unsigned bits, bool clear, unsigned from, bool set,
                                  unsigned to)
{
    return (bits & ~((unsigned)clear << from)) | (unsigned)set << to;
}

/* Whether the nearest piece is one of two, or the second nearest a cannon. */
static inline bool line_threat(const question *q, unsigned near, unsigned next, qp_piece a,
                               qp_piece b, qp_piece cannon)
{
    qp_piece first = seen(q, near);
    return first == a || first == b || seen(q, next) == cannon;
}

/* Towards higher squares (step 1 or 9) and towards lower ones. The king's own square stands
 * for a piece that is not there. */
static inline bool line_threats(const question *q, unsigned bits, unsigned place,
                                unsigned step, qp_piece a, qp_piece b, qp_piece cannon)
{
    unsigned up = bits >> place >> 1, down = bits & ((1u << place) - 1);
    unsigned near = q->king, next = q->king;
    if (up) {
        near += (lowest_bit(up) + 1) * step;
        up &= up - 1;
        next = up ? next + (lowest_bit(up) + 1) * step : next;
        if (line_threat(q, near, next, a, b, cannon))
            return true;
    }
    if (down) {
        unsigned high = highest_bit(down);
        near = q->king - (place - high) * step;
        down ^= 1u << high;
        next = down ? q->king - (place - highest_bit(down)) * step : q->king;
        if (line_threat(q, near, next, a, b, cannon))
            return true;
    }
    return false;
}

/* Advisors, elephants and kings come near an enemy king only where one stands outside its
 * palace. */
static bool stray_threat(const question *q)
{
    qp_board board = *q->board;
    if (q->from != q->to) {
        board.at[q->to] = board.at[q->from];
        board.at[q->from] = 0;
    }
    for (unsigned from = 0; from < QP_SQUARES; from++) {
        qp_kind kind = QP_PIECE_KIND(board.at[from]);
        if (kind >= QP_KING && kind <= QP_ELEPHANT && QP_PIECE_SIDE(board.at[from]) != q->side &&
            qp_rules_shape(&board, from, q->king) == QP_LEGAL)
            return true;
    }
    return false;
}

/* Whether the king can be taken, or (where facing) an enemy king looks at it. */
static bool threatened(const question *q, bool facing)
{
    const nearby *n = &around[q->king];
    qp_side enemy = QP_OTHER(q->side);
    qp_piece rook = QP_PIECE(enemy, QP_ROOK), cannon = QP_PIECE(enemy, QP_CANNON);
    qp_piece horse = QP_PIECE(enemy, QP_HORSE), pawn = QP_PIECE(enemy, QP_PAWN);
    unsigned king_file = q->king % 9, king_rank = q->king / 9;
    unsigned from_file = q->from % 9, from_rank = q->from / 9;
    unsigned to_file = q->to % 9, to_rank = q->to / 9;

    unsigned bits = moved_bits(file_bits(q->board, king_file), from_file == king_file,
                               from_rank, to_file == king_file, to_rank);
    if (line_threats(q, bits, king_rank, 9, rook, facing ? QP_PIECE(enemy, QP_KING) : rook,
                     cannon))
        return true;
    bits = moved_bits(rank_bits(q->board, king_rank), from_rank == king_rank, from_file,
                      to_rank == king_rank, to_file);
    if (line_threats(q, bits, king_file, 1, rook, rook, cannon))
        return true;
    for (int i = 0; i < 3; i++)
        if (seen(q, n->pawn[q->side][i]) == pawn)
            return true;
    for (int i = 0; i < 8; i++)
        if (QP_RARE(q->board->at[n->horse[i]] == horse) && n->horse[i] != q->to) {
            unsigned leg = n->leg[i / 2];
            if (leg == q->from || (leg != q->to && q->board->at[leg] == 0))
                return true;
        }
    return QP_RARE(!(qp_zones[q->king] & QP_ZONE_PALACE(q->side))) && stray_threat(q);
}

bool qp_board_in_check(const qp_board *board, qp_side side)
{
    unsigned king = board->king[side];
    return king < QP_SQUARES && threatened(&(question){board, king, king, king, side}, false);
}

/* Whether the mover's king can be taken after a pseudo-legal move; where facing, also
 * whether it faces the enemy's. */
static bool exposed(const qp_board *board, qp_move move, bool facing)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    qp_piece piece = board->at[from];
    qp_side side = QP_PIECE_SIDE(piece);
    unsigned king = board->king[side];
    if (QP_RARE(king >= QP_SQUARES))
        return false;
    if (QP_PIECE_KIND(piece) == QP_KING) {
        /* The king that counts is the first of its side; one that stands alone is that. */
        if (QP_RARE(memchr(board->at + king + 1, piece, QP_SQUARES - 1 - king) != NULL)) {
            qp_board after = *board;
            after.at[from] = 0;
            after.at[to] = piece;
            qp_rules_set_kings(&after);
            king = after.king[side];
            return threatened(&(question){&after, king, king, king, side}, facing);
        }
        king = to;
    }
    return threatened(&(question){board, king, from, to, side}, facing);
}

bool qp_rules_king_safe(const qp_board *board, qp_move move)
{
    return !exposed(board, move, true);
}

bool qp_rules_legal(const qp_board *board, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    return QP_PIECE_SIDE(board->at[from]) == (qp_side)board->side &&
           QP_PIECE_KIND(board->at[to]) != QP_KING &&
           qp_rules_shape(board, from, to) == QP_LEGAL && !exposed(board, move, true);
}

/* The legal ones of one piece's moves, kept in place. */
static size_t keep_legal(const qp_board *board, qp_move *moves, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) != QP_KING &&
            !exposed(board, moves[i], true))
            moves[n++] = moves[i];
    return n;
}

static bool is_mover(const qp_board *board, unsigned square)
{
    return board->at[square] != 0 && QP_PIECE_SIDE(board->at[square]) == (qp_side)board->side;
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
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (is_mover(board, from) &&
            keep_legal(board, moves, qp_rules_piece_moves(board, from, moves)) > 0)
            return true;
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
            qp_rules_make(&board, b->moves[b->next - 1], &b->undo);
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

/* Whether an enemy king looks at the side's king along an open file. */
static bool facing_kings(const qp_board *board, qp_side side)
{
    unsigned king = board->king[side];
    qp_piece enemy = QP_PIECE(QP_OTHER(side), QP_KING);
    if (king >= QP_SQUARES)
        return false;
    for (int step = -9; step <= 9; step += 18)
        for (int square = (int)king + step; square >= 0 && square < QP_SQUARES; square += step)
            if (board->at[square] != 0) {
                if (board->at[square] == enemy)
                    return true;
                break;
            }
    return false;
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
    if (!exposed(board, move, true))
        return QP_LEGAL;
    qp_board after = *board;
    qp_board_play(&after, move);
    if (facing_kings(&after, (qp_side)board->side))
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
