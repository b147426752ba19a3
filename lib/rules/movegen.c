/* The table of moves: how each piece goes, where it may not go and what stands in its
 * way, kings aside; lists of such moves. Source: see rules.h. */
#include "config.h"

#include "rules/lines.h"

#define ZONE(f, r)                                                                       \
    ((r) < 5 ? QP_ZONE_HALF(QP_RED) : QP_ZONE_HALF(QP_BLACK)) |                          \
        ((f) < 3 || (f) > 5 ? 0                                                          \
         : (r) < 3          ? QP_ZONE_PALACE(QP_RED)                                     \
         : (r) > 6          ? QP_ZONE_PALACE(QP_BLACK)                                   \
                            : 0),
const uint8_t qp_zones[256] = {QP_GRID(ZONE)};

#define SPOT(f, r) (r) * 17 + (f),
const uint8_t qp_spots[256] = {QP_GRID(SPOT)};

/* X(files, ranks) for each step, 8 files to the left and 9 ranks down first. */
#define STEPS_OF(X, r)                                                                   \
    X(-8, r)                                                                             \
    X(-7, r) X(-6, r) X(-5, r) X(-4, r) X(-3, r) X(-2, r) X(-1, r) QP_RANK_OF(X, r)
#define STEPS(X)                                                                         \
    STEPS_OF(X, -9)                                                                      \
    STEPS_OF(X, -8)                                                                      \
    STEPS_OF(X, -7)                                                                      \
    STEPS_OF(X, -6)                                                                      \
    STEPS_OF(X, -5) STEPS_OF(X, -4) STEPS_OF(X, -3) STEPS_OF(X, -2) STEPS_OF(X, -1)      \
        STEPS_OF(X, 0) STEPS_OF(X, 1) STEPS_OF(X, 2) STEPS_OF(X, 3) STEPS_OF(X, 4)       \
            STEPS_OF(X, 5) STEPS_OF(X, 6) STEPS_OF(X, 7) STEPS_OF(X, 8) STEPS_OF(X, 9)

#define LENGTH(f, r) ((f) * (f) + (r) * (r)) /* squared */
#define WAY(f, r)                                                                        \
    (LENGTH(f, r) == 1   ? ((r) == 0  ? QP_ASIDE                                         \
                            : (r) > 0 ? QP_UP                                            \
                                      : QP_DOWN)                                         \
     : LENGTH(f, r) == 2 ? QP_DIAGONAL                                                   \
     : LENGTH(f, r) == 8 ? QP_LEAP                                                       \
     : LENGTH(f, r) == 5 ? QP_BEND                                                       \
                         : 0) |                                                          \
        ((f) != 0 && (r) == 0   ? QP_ON_RANK                                             \
         : (f) == 0 && (r) != 0 ? QP_ON_FILE                                             \
                                : 0),
const uint8_t qp_ways[QP_STEPS] = {STEPS(WAY)};

/* Pawns come beside the king, horses where their step leads to it; those are held up by
 * what stands aslant of it. */
#define ON_LINE(f, r) ((f) == 0 ? QP_CALM_FILE : 0) | ((r) == 0 ? QP_CALM_RANK : 0)
#define TOUCH(f, r)                                                                      \
    ON_LINE(f, r) | (LENGTH(f, r) == 1 || LENGTH(f, r) == 5 ? QP_CALM_NEAR : 0),
#define LEAVE(f, r) ON_LINE(f, r) | (LENGTH(f, r) == 2 ? QP_CALM_NEAR : 0),
const uint8_t qp_touches[QP_STEPS] = {STEPS(TOUCH)};
const uint8_t qp_leaves[QP_STEPS] = {STEPS(LEAVE)};

qp_refusal qp_rules_shape(const qp_board *board, unsigned from, unsigned to)
{
    qp_piece piece = board->at[from], target = board->at[to];
    qp_side side = QP_PIECE_SIDE(piece);
    int ranks = QP_RANK(to) - QP_RANK(from), files = QP_FILE(to) - QP_FILE(from);
    unsigned way = qp_ways[step_index(from, to)];
    unsigned between;

    switch (QP_PIECE_KIND(piece)) {
    case QP_KING:
    case QP_ADVISOR:
        if (!(way & (QP_PIECE_KIND(piece) == QP_KING ? QP_STEP : QP_DIAGONAL)))
            return QP_REFUSE_BAD_SHAPE;
        if (!(qp_zones[to] & QP_ZONE_PALACE(side)))
            return QP_REFUSE_LEAVES_PALACE;
        break;
    case QP_ELEPHANT:
        if (!(way & QP_LEAP))
            return QP_REFUSE_BAD_SHAPE;
        if (!(qp_zones[to] & QP_ZONE_HALF(side)))
            return QP_REFUSE_CROSSES_RIVER;
        if (board->at[(from + to) / 2])
            return QP_REFUSE_BLOCKED_EYE;
        break;
    case QP_HORSE:
        if (!(way & QP_BEND))
            return QP_REFUSE_BAD_SHAPE;
        /* A half of one step is none: the leg lies in the long direction. */
        if (board->at[(int)from + ranks / 2 * 9 + files / 2])
            return QP_REFUSE_BLOCKED_LEG;
        break;
    case QP_ROOK:
        if (!(way & QP_LINE))
            return QP_REFUSE_BAD_SHAPE;
        if (bits_between(board, from, to, ranks == 0))
            return QP_REFUSE_PATH_BLOCKED;
        break;
    case QP_CANNON:
        if (!(way & QP_LINE))
            return QP_REFUSE_BAD_SHAPE;
        between = bits_between(board, from, to, ranks == 0);
        if (target == 0) {
            if (between)
                return QP_REFUSE_PATH_BLOCKED;
        } else if (!between) {
            return QP_REFUSE_CANNON_NO_SCREEN;
        } else if (between & (between - 1)) {
            return QP_REFUSE_CANNON_MANY_SCREENS;
        }
        break;
    case QP_PAWN:
        if (!(way & QP_STEP))
            return QP_REFUSE_BAD_SHAPE;
        if (ranks == -QP_FORWARD(side))
            return QP_REFUSE_PAWN_BACKWARD;
        if (ranks == 0 && (qp_zones[from] & QP_ZONE_HALF(side)))
            return QP_REFUSE_PAWN_SIDEWAYS;
        break;
    default:
        return QP_REFUSE_BAD_SHAPE;
    }
    return target != 0 && QP_PIECE_SIDE(target) == side ? QP_REFUSE_CAPTURES_OWN
                                                        : QP_LEGAL;
}

const uint8_t qp_ways_of[16] = {
    [QP_PIECE(QP_RED, QP_KING)] = QP_STEP,
    [QP_PIECE(QP_BLACK, QP_KING)] = QP_STEP,
    [QP_PIECE(QP_RED, QP_ADVISOR)] = QP_DIAGONAL,
    [QP_PIECE(QP_BLACK, QP_ADVISOR)] = QP_DIAGONAL,
    [QP_PIECE(QP_RED, QP_ELEPHANT)] = QP_LEAP,
    [QP_PIECE(QP_BLACK, QP_ELEPHANT)] = QP_LEAP,
    [QP_PIECE(QP_RED, QP_HORSE)] = QP_BEND,
    [QP_PIECE(QP_BLACK, QP_HORSE)] = QP_BEND,
    [QP_PIECE(QP_RED, QP_ROOK)] = QP_LINE,
    [QP_PIECE(QP_BLACK, QP_ROOK)] = QP_LINE,
    [QP_PIECE(QP_RED, QP_CANNON)] = QP_LINE,
    [QP_PIECE(QP_BLACK, QP_CANNON)] = QP_LINE,
    [QP_PIECE(QP_RED, QP_PAWN)] = QP_UP | QP_ASIDE,
    [QP_PIECE(QP_BLACK, QP_PAWN)] = QP_DOWN | QP_ASIDE,
};
#define ANYWHERE 0xFF
const uint8_t qp_zones_of[16] = {
    [QP_PIECE(QP_RED, QP_KING)] = QP_ZONE_PALACE(QP_RED),
    [QP_PIECE(QP_RED, QP_ADVISOR)] = QP_ZONE_PALACE(QP_RED),
    [QP_PIECE(QP_RED, QP_ELEPHANT)] = QP_ZONE_HALF(QP_RED),
    [QP_PIECE(QP_RED, QP_HORSE)] = ANYWHERE,
    [QP_PIECE(QP_RED, QP_PAWN)] = QP_ZONE_HALF(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_KING)] = QP_ZONE_PALACE(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_ADVISOR)] = QP_ZONE_PALACE(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_ELEPHANT)] = QP_ZONE_HALF(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_HORSE)] = ANYWHERE,
    [QP_PIECE(QP_BLACK, QP_PAWN)] = QP_ZONE_HALF(QP_RED),
};

#define HALF(f, r) (r) / 2 * 9 + (f) / 2,
const int8_t qp_halves[QP_STEPS] = {STEPS(HALF)};

bool qp_rules_pseudo(const qp_board *board, qp_move move)
{
    return step_allowed(board, QP_FROM(move), QP_TO(move));
}

/* Steps of the pieces that go no farther than two squares, in squares, in the order in
 * which their moves are listed; and as bits which of them end on the board and in the
 * piece's zone. A horse's come in pairs, by leg. */
static const int8_t king_steps[4] = {1, 9, -1, -9};
static const int8_t advisor_steps[4] = {10, 8, -10, -8};
static const int8_t elephant_steps[4] = {-20, -16, 16, 20};
static const int8_t horse_steps[8] = {17, 19, -19, -17, -7, 11, -11, 7};
static const int8_t horse_legs[4] = {9, -9, 1, -1};
static const int8_t pawn_steps[2][3] = {{9, -1, 1}, {-9, -1, 1}};

#define ON_BOARD(f, r) ((f) >= 0 && (f) < 9 && (r) >= 0 && (r) < 10)
#define RED_PALACE(f, r) ((f) > 2 && (f) < 6 && (r) >= 0 && (r) < 3)
#define BLACK_PALACE(f, r) ((f) > 2 && (f) < 6 && (r) > 6 && (r) < 10)
#define RED_HALF(f, r) (ON_BOARD(f, r) && (r) < 5)
#define BLACK_HALF(f, r) (ON_BOARD(f, r) && (r) > 4)
#define KING_MASK(ZONE, f, r)                                                            \
    ZONE((f) + 1, r) | ZONE(f, (r) + 1) << 1 | ZONE((f)-1, r) << 2 | ZONE(f, (r)-1) << 3,
#define ADVISOR_MASK(ZONE, f, r)                                                         \
    ZONE((f) + 1, (r) + 1) | ZONE((f)-1, (r) + 1) << 1 | ZONE((f)-1, (r)-1) << 2 |       \
        ZONE((f) + 1, (r)-1) << 3,
#define ELEPHANT_MASK(ZONE, f, r)                                                        \
    ZONE((f)-2, (r)-2) | ZONE((f) + 2, (r)-2) << 1 | ZONE((f)-2, (r) + 2) << 2 |         \
        ZONE((f) + 2, (r) + 2) << 3,
#define HORSE_MASK(f, r)                                                                 \
    ON_BOARD((f)-1, (r) + 2) | ON_BOARD((f) + 1, (r) + 2) << 1 |                         \
        ON_BOARD((f)-1, (r)-2) << 2 | ON_BOARD((f) + 1, (r)-2) << 3 |                    \
        ON_BOARD((f) + 2, (r)-1) << 4 | ON_BOARD((f) + 2, (r) + 1) << 5 |                \
        ON_BOARD((f)-2, (r)-1) << 6 | ON_BOARD((f)-2, (r) + 1) << 7,
#define PAWN_MASK(across, f, r, ahead)                                                   \
    ON_BOARD(f, ahead) | ((across) && (f) > 0) << 1 | ((across) && (f) < 8) << 2,
#define KING_RED(f, r) KING_MASK(RED_PALACE, f, r)
#define KING_BLACK(f, r) KING_MASK(BLACK_PALACE, f, r)
#define ADVISOR_RED(f, r) ADVISOR_MASK(RED_PALACE, f, r)
#define ADVISOR_BLACK(f, r) ADVISOR_MASK(BLACK_PALACE, f, r)
#define ELEPHANT_RED(f, r) ELEPHANT_MASK(RED_HALF, f, r)
#define ELEPHANT_BLACK(f, r) ELEPHANT_MASK(BLACK_HALF, f, r)
#define PAWN_RED(f, r) PAWN_MASK((r) > 4, f, r, (r) + 1)
#define PAWN_BLACK(f, r) PAWN_MASK((r) < 5, f, r, (r)-1)
static const uint8_t king_masks[2][QP_SQUARES] = {{QP_GRID(KING_RED)},
                                                  {QP_GRID(KING_BLACK)}};
static const uint8_t advisor_masks[2][QP_SQUARES] = {{QP_GRID(ADVISOR_RED)},
                                                     {QP_GRID(ADVISOR_BLACK)}};
static const uint8_t elephant_masks[2][QP_SQUARES] = {{QP_GRID(ELEPHANT_RED)},
                                                      {QP_GRID(ELEPHANT_BLACK)}};
static const uint8_t horse_masks[QP_SQUARES] = {QP_GRID(HORSE_MASK)};
static const uint8_t pawn_masks[2][QP_SQUARES] = {{QP_GRID(PAWN_RED)},
                                                  {QP_GRID(PAWN_BLACK)}};

/* Adds a move, but for one that ends on a piece of the side, or (captures) that takes
 * none of the other; returns how many there are then. No branch. */
static QP_INLINE size_t add(qp_move *moves, size_t n, unsigned from, unsigned to,
                            qp_piece target, unsigned side, const bool captures)
{
    moves[n] = QP_MOVE(from, to);
    return n + (captures ? (target ^ (side ^ 1) << 3) - 1u < 7
                         : (target ^ side << 3) - 1u >= 7);
}

static QP_INLINE size_t add_steps(const qp_board *board, unsigned from, unsigned side,
                                  qp_move *moves, const int8_t *steps, unsigned mask,
                                  const bool captures)
{
    size_t n = 0;
    for (; mask != 0; mask &= mask - 1) {
        unsigned to = from + (unsigned)steps[qp_lowest_bit(mask)];
        n = add(moves, n, from, to, board->at[to], side, captures);
    }
    return n;
}

/* The steps of an elephant or a horse that nothing is in the way of. */
static QP_INLINE unsigned elephant_mask(const qp_board *board, unsigned from,
                                        unsigned side)
{
    unsigned mask = elephant_masks[side][from];
    for (unsigned i = 0; i < 4; i++)
        if ((mask >> i & 1) && board->at[from + (unsigned)(elephant_steps[i] / 2)] != 0)
            mask ^= 1u << i;
    return mask;
}

static QP_INLINE unsigned horse_mask(const qp_board *board, unsigned from)
{
    unsigned mask = horse_masks[from];
    for (unsigned i = 0; i < 4; i++)
        if ((mask >> 2 * i & 3) && board->at[from + (unsigned)horse_legs[i]] != 0)
            mask &= ~(3u << 2 * i);
    return mask;
}

/* Moves of a rook or cannon from a square in one direction: step squares to the next, so
 * many to the edge. captures: those alone. */
static QP_INLINE size_t add_ray(const qp_board *board, unsigned from, unsigned side,
                                qp_move *moves, size_t n, int step, int left,
                                const bool cannon, const bool captures)
{
    const qp_piece *at = board->at;
    unsigned to = from;
    for (; left > 0; left--) {
        to += (unsigned)step;
        if (at[to] != 0)
            break;
        if (!captures)
            moves[n++] = QP_MOVE(from, to);
    }
    if (cannon && left > 0)
        while (--left > 0)
            if (at[to += (unsigned)step] != 0)
                break;
    return left > 0 ? add(moves, n, from, to, at[to], side, captures) : n;
}

static QP_INLINE size_t add_lines(const qp_board *board, unsigned from, unsigned side,
                                  qp_move *moves, const bool cannon, const bool captures)
{
    int rank = (int)(from / 9), file = (int)from - 9 * rank;
    size_t n = add_ray(board, from, side, moves, 0, 1, 8 - file, cannon, captures);
    n = add_ray(board, from, side, moves, n, -1, file, cannon, captures);
    n = add_ray(board, from, side, moves, n, 9, 9 - rank, cannon, captures);
    return add_ray(board, from, side, moves, n, -9, rank, cannon, captures);
}

static QP_INLINE size_t piece_moves(const qp_board *board, unsigned from, qp_move *moves,
                                    const bool captures)
{
    unsigned side = board->at[from] >> 3 & 1;
    switch (QP_PIECE_KIND(board->at[from])) {
    case QP_KING:
        return add_steps(board, from, side, moves, king_steps, king_masks[side][from],
                         captures);
    case QP_ADVISOR:
        return add_steps(board, from, side, moves, advisor_steps,
                         advisor_masks[side][from], captures);
    case QP_ELEPHANT:
        return add_steps(board, from, side, moves, elephant_steps,
                         elephant_mask(board, from, side), captures);
    case QP_HORSE:
        return add_steps(board, from, side, moves, horse_steps, horse_mask(board, from),
                         captures);
    case QP_ROOK:
        return add_lines(board, from, side, moves, false, captures);
    case QP_CANNON:
        return add_lines(board, from, side, moves, true, captures);
    case QP_PAWN:
        return add_steps(board, from, side, moves, pawn_steps[side],
                         pawn_masks[side][from], captures);
    default:
        return 0;
    }
}

size_t qp_rules_piece_moves(const qp_board *board, unsigned from,
                            qp_move moves[QP_PIECE_MOVES_MAX])
{
    return piece_moves(board, from, moves, false);
}

size_t qp_rules_piece_captures(const qp_board *board, unsigned from,
                               qp_move moves[QP_PIECE_MOVES_MAX])
{
    return piece_moves(board, from, moves, true);
}

/* The squares of a side's pieces, a0 first; returns how many. */
static size_t list_men(const qp_board *board, unsigned side, qp_square squares[QP_SQUARES])
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    enum { WHOLE = QP_SQUARES / 8 * 8 };
    size_t n = 0;
    for (unsigned first = 0; first < WHOLE; first += 8) {
        /* The side's pieces are 1 to 7 now, the other's 9 to 15: adding 7 carries into
         * bit 3 of those that did not have it. */
        uint64_t eight = first_eight(board->at + first) ^ ones * (side << 3);
        uint64_t men = (eight + ones * 7) & ~eight & ones << 3;
        for (; men != 0; men &= men - 1)
            squares[n++] = (qp_square)(first + qp_lowest_bit(men) / 8);
    }
    for (unsigned square = WHOLE; square < QP_SQUARES; square++) {
        squares[n] = (qp_square)square;
        n += (board->at[square] ^ side << 3) - 1u < 7;
    }
    return n;
}

size_t qp_rules_captures(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    qp_square men[QP_SQUARES];
    size_t count = list_men(board, board->side, men), n = 0;
    for (size_t k = 0; k < count; k++)
        n += piece_moves(board, men[k], moves + n, true);
    return n;
}

size_t qp_rules_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    qp_square men[QP_SQUARES];
    size_t count = list_men(board, board->side, men), n = 0;
    _Static_assert(QP_SQUARES * QP_PIECE_MOVES_MAX <= QP_MOVES_MAX, "no list is cut off");
    for (size_t k = 0; k < count; k++)
        n += piece_moves(board, men[k], moves + n, false);
    return n;
}
