/* Inside the rules floor: zones of the board, and which squares of a rank or file are
 * occupied, as bits. A whole line costs about as much as two steps along it, and no
 * branch depends on what stands there. */
#ifndef QP_RULES_LINES_H
#define QP_RULES_LINES_H

#include "rules/rules.h"

/* For functions that are only fast where their constant arguments are known. */
#if defined(__GNUC__)
#define QP_INLINE __attribute__((always_inline)) inline
#else
#define QP_INLINE inline
#endif

/* X(file, rank) for each square, a0 first: tables that the compiler fills. */
#define QP_RANK_OF(X, r)                                                                 \
    X(0, r) X(1, r) X(2, r) X(3, r) X(4, r) X(5, r) X(6, r) X(7, r) X(8, r)
#define QP_GRID(X)                                                                       \
    QP_RANK_OF(X, 0)                                                                     \
    QP_RANK_OF(X, 1) QP_RANK_OF(X, 2) QP_RANK_OF(X, 3) QP_RANK_OF(X, 4) QP_RANK_OF(X, 5) \
        QP_RANK_OF(X, 6) QP_RANK_OF(X, 7) QP_RANK_OF(X, 8) QP_RANK_OF(X, 9)

#define QP_ZONE_HALF(side) (1u << (side))
#define QP_ZONE_PALACE(side) (4u << (side))
/* By qp_square, QP_NO_SQUARE too, which lies in none. */
extern const uint8_t qp_zones[256];

/* What a step of so many files and ranks can be. */
enum {
    QP_ASIDE = 1 << 0,    /* one file; king, pawn */
    QP_UP = 1 << 1,       /* one rank towards Black */
    QP_DOWN = 1 << 2,     /* one rank towards Red */
    QP_DIAGONAL = 1 << 3, /* advisor */
    QP_LEAP = 1 << 4,     /* elephant */
    QP_BEND = 1 << 5,     /* horse */
    QP_ON_RANK = 1 << 6,  /* rook, cannon */
    QP_ON_FILE = 1 << 7,
    QP_STEP = QP_ASIDE | QP_UP | QP_DOWN,
    QP_LINE = QP_ON_RANK | QP_ON_FILE,
};
/* The square as rank * 17 + file, so that the difference of two of them tells the step. */
extern const uint8_t qp_spots[256];
enum { QP_STEPS_MIDDLE = 9 * 17 + 8, QP_STEPS = 2 * QP_STEPS_MIDDLE + 1 };
extern const uint8_t qp_ways[QP_STEPS]; /* by that difference + QP_STEPS_MIDDLE */
extern const uint8_t qp_touches[QP_STEPS];
extern const uint8_t qp_leaves[QP_STEPS];

static inline int step_index(unsigned from, unsigned to)
{
    return qp_spots[to] - qp_spots[from] + QP_STEPS_MIDDLE;
}

/* From where a king in its palace can be taken, or faced. qp_board.calm holds these bits
 * for each side, Black's above Red's: whatever comes from there, it was seen that the king
 * is safe from it, and no move since touched that. */
enum {
    QP_CALM_FILE = 1 << 0,
    QP_CALM_RANK = 1 << 1,
    QP_CALM_NEAR = 1 << 2, /* horses and pawns */
    QP_CALM_ALL = 7,
};
#define QP_CALM(side, bits) ((bits) << 4 * (side))

/* The bits that are in doubt once a piece came to a square, or left it. QP_NO_SQUARE for
 * king is no error. */
static inline unsigned comes_near(unsigned king, unsigned square)
{
    return qp_touches[step_index(king, square)];
}
static inline unsigned leaves_open(unsigned king, unsigned square)
{
    return qp_leaves[step_index(king, square)];
}

/* What is known of the kings' safety behind a move of the side, which is made. legal: the mover's
 * own is safe. */
static QP_INLINE uint8_t calm_after(const qp_board *board, qp_side mover, unsigned from,
                                    unsigned to, bool legal)
{
    const qp_side other = QP_OTHER(mover);
    unsigned own = board->king[mover], its = board->king[other], know = 0;
    unsigned keep =
        QP_CALM(other, ~(leaves_open(its, from) | comes_near(its, to)) & QP_CALM_ALL);
    if (!legal)
        keep |=
            QP_CALM(mover, ~(leaves_open(own, from) | comes_near(own, to)) & QP_CALM_ALL);
    else if (qp_zones[own] & QP_ZONE_PALACE(mover))
        know = QP_CALM(mover, QP_CALM_ALL);
    return (uint8_t)((board->calm & keep) | know);
}

/* Whether another king of its side stands behind the first, which is the one that counts. */
static inline bool has_other_king(const qp_board *board, unsigned king)
{
    return memchr(board->at + king + 1, board->at[king], QP_SQUARES - 1 - king) != NULL;
}

/* Why the table of moves does not allow a step of the piece on from (of either side):
 * QP_LEGAL, or one of QP_REFUSE_BAD_SHAPE to QP_REFUSE_CAPTURES_OWN. */
qp_refusal qp_rules_shape(const qp_board *board, unsigned from, unsigned to);
/* The pseudo-legal moves of the piece on one square; at most QP_PIECE_MOVES_MAX. */
#define QP_PIECE_MOVES_MAX 17
size_t qp_rules_piece_moves(const qp_board *board, unsigned from,
                            qp_move moves[QP_PIECE_MOVES_MAX]);
/* Those of them that capture. */
size_t qp_rules_piece_captures(const qp_board *board, unsigned from,
                               qp_move moves[QP_PIECE_MOVES_MAX]);

/* Files a to h of a row, file a lowest. Spelled so that it needs no byte order, and is
 * one load where bytes run upwards. */
static inline uint64_t first_eight(const qp_piece *row)
{
    return (uint64_t)row[0] | (uint64_t)row[1] << 8 | (uint64_t)row[2] << 16 |
           (uint64_t)row[3] << 24 | (uint64_t)row[4] << 32 | (uint64_t)row[5] << 40 |
           (uint64_t)row[6] << 48 | (uint64_t)row[7] << 56;
}

/* Bit f: whether something stands on file f of the rank. */
static inline unsigned rank_bits(const qp_board *board, unsigned rank)
{
    const qp_piece *row = board->at + rank * 9;
    uint64_t eight = first_eight(row);
    /* A piece is below 128, so adding 127 carries into the top bit of its byte, and of no
     * other; the product then collects the eight bits, lowest first. */
    eight = (eight + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    return (unsigned)(eight * UINT64_C(0x0102040810204080) >> 56) |
           (unsigned)(row[8] != 0) << 8;
}

/* Bit r: whether something stands on rank r of the file. */
static inline unsigned file_bits(const qp_board *board, unsigned file)
{
    const qp_piece *at = board->at + file;
#define BIT(r) (unsigned)(at[(r)*9] != 0) << (r)
    return BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(7) |
           BIT(8) | BIT(9);
#undef BIT
}

/* The occupied squares strictly between two different squares of one line, as bits. */
static QP_INLINE unsigned bits_between(const qp_board *board, unsigned from, unsigned to,
                                       bool on_rank)
{
    unsigned low = from < to ? from : to, high = from < to ? to : from;
    unsigned rank = low / 9, file = low - rank * 9;
    if (on_rank) {
        return rank_bits(board, rank) >> (file + 1) & ((1u << (high - low - 1)) - 1);
    }
    return file_bits(board, file) >> (rank + 1) & ((1u << (high / 9 - rank - 1)) - 1);
}

extern const uint8_t qp_ways_of[16];  /* of each piece, by its code */
extern const uint8_t qp_zones_of[16]; /* where its steps aside or aslant may end */
/* Half of a step, in squares: half of a long one leads to the eye or leg, half of a short
 * one nowhere. */
extern const int8_t qp_halves[QP_STEPS];

/* Whether qp_rules_shape has no reason against a step. Written for few branches: what kind
 * of piece moves, and whether it captures, is what a processor cannot foresee in a game. */
static QP_INLINE bool step_allowed(const qp_board *board, unsigned from, unsigned to)
{
    qp_piece piece = board->at[from], target = board->at[to];
    int step = step_index(from, to);
    unsigned way = qp_ways[step] & qp_ways_of[piece & 15];
    bool own = (target != 0) & ((target ^ piece) < 8);

    if (way == 0)
        return false;
    if (way & QP_LINE) {
        unsigned between = bits_between(board, from, to, way == QP_ON_RANK);
        bool jump = (QP_PIECE_KIND(piece) == QP_CANNON) & (target != 0);
        bool one = (between != 0) & ((between & (between - 1)) == 0);
        return (!own) & ((jump & one) | ((!jump) & (between == 0)));
    }
    unsigned middle = from + (unsigned)qp_halves[step];
    bool free = (middle == from) | (board->at[middle] == 0);
    bool zone = (qp_zones[to] & qp_zones_of[piece & 15]) != 0;
    bool ahead = (QP_PIECE_KIND(piece) == QP_PAWN) & (way != QP_ASIDE);
    return (!own) & free & (zone | ahead);
}

#endif
