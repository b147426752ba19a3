/* Inside the library: a board for searches, which make and take back many moves from one
 * position and ask much of each. With it, as bits, what is occupied. */
#ifndef QP_RULES_FIELD_H
#define QP_RULES_FIELD_H

#include "rules/lines.h"

/* Numbers for a piece and for a square: sums of their products tell positions apart. */
extern const uint64_t qp_piece_numbers[16], qp_square_numbers[QP_SQUARES];

/* Squares, as bits: a word for each half of the board, Red's first. */
typedef struct qp_set {
    uint64_t half[2];
} qp_set;
/* Where a square stands in such words, and on its lines. */
typedef struct qp_spot {
    uint64_t bit;
    uint16_t rank_bit, file_bit;     /* 1 << rank, 1 << file */
    uint8_t rank, file, half, shift; /* shift: of its rank in the word */
} qp_spot;
extern const qp_spot qp_spots_of[QP_SQUARES];

/* Where pieces of a kind go from a square, on an empty board without zones. */
extern const qp_set qp_goals[8][QP_SQUARES];

/* A file in either half, and a rank in its own, by qp_spot.shift. */
#define QP_FILE_BITS(file) (UINT64_C(0x1008040201) << (file))
#define QP_RANK_BITS(shift) (UINT64_C(0x1ff) << (shift))

/* What of a set lies on a file, bit r for rank r, and the other way round. Bits nine
 * apart come together by a product of which the k-th is at 36 + k, and go apart by one
 * where it is at 9 k. */
static inline unsigned qp_set_file(const qp_set *set, unsigned file)
{
    const uint64_t gather = UINT64_C(0x1010101010);
    uint64_t low = (set->half[0] & QP_FILE_BITS(file)) >> file;
    uint64_t high = (set->half[1] & QP_FILE_BITS(file)) >> file;
    return (unsigned)((low * gather >> 36 & 31) | (high * gather >> 36 & 31) << 5);
}
static inline qp_set qp_set_of_file(unsigned bits, unsigned file)
{
    const uint64_t spread = UINT64_C(0x0101010101);
    return (qp_set){{((bits & 31) * spread & QP_FILE_BITS(0)) << file,
                     ((bits >> 5) * spread & QP_FILE_BITS(0)) << file}};
}

static inline bool qp_set_has(const qp_set *set, unsigned square)
{
    const qp_spot *spot = &qp_spots_of[square];
    return (set->half[spot->half] & spot->bit) != 0;
}
static inline void qp_set_add(qp_set *set, unsigned square)
{
    const qp_spot *spot = &qp_spots_of[square];
    set->half[spot->half] |= spot->bit;
}
static inline bool qp_set_meets(const qp_set *a, const qp_set *b)
{
    return ((a->half[0] & b->half[0]) | (a->half[1] & b->half[1])) != 0;
}
/* The lowest square of one half's bits, which are not 0. */
static inline unsigned qp_set_first(uint64_t bits, unsigned half)
{
    return half * 45 + qp_lowest_bit(bits);
}

typedef struct qp_field {
    qp_board board;    /* its counters stand still */
    uint16_t file[9];  /* what is occupied, bit r for rank r */
    uint64_t key;      /* a number for what stands where */
    uint16_t most[2];  /* by side: no position has more moves; 0 where they are counted */
    bool many;         /* a side has a king beside the one that counts */
    qp_set men[2];     /* by side */
    qp_set pieces[16]; /* by piece */
} qp_field;

/* What is occupied of the rank of a square, bit f for file f. */
static inline unsigned qp_field_rank(const qp_field *field, const qp_spot *spot)
{
    unsigned half = spot->half;
    return (unsigned)((field->men[0].half[half] | field->men[1].half[half]) >>
                      spot->shift) &
           0x1ff;
}

void qp_field_set(qp_field *field, const qp_board *board);
/* From here on searches take for each list of moves the work of the longest that can be,
 * so that they need not count: what they find is the same where the work then suffices.
 */
void qp_field_count_roughly(qp_field *field);

/* A pseudo-legal move of another piece than a king, that takes none. */
void qp_field_make(qp_field *field, qp_move move, qp_undo *undo);
/* A legal move: the board then knows that the mover's king is safe. */
void qp_field_make_legal(qp_field *field, qp_move move, qp_undo *undo);
void qp_field_undo(qp_field *field, qp_move move, const qp_undo *undo);

/* Whether a king of the side on that square cannot be taken, nor (where facing) sees the
 * other, after a move; from and to are the king's own square where there is none. doubts:
 * from where (QP_CALM_...) is to be asked. */
bool qp_field_safe(const qp_field *field, qp_side side, unsigned king, unsigned from,
                   unsigned to, bool facing, unsigned doubts);
/* The same of a move of a king. */
bool qp_field_king_steps(const qp_field *field, unsigned from, unsigned to);

/* Whether a pseudo-legal move leaves the mover's king safe, of whose safety calm says
 * what is known. */
static inline bool qp_field_safe_knowing(const qp_field *field, qp_move move,
                                         unsigned calm)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    qp_piece piece = field->board.at[from];
    qp_side side = QP_PIECE_SIDE(piece);
    unsigned king = field->board.king[side];
    if (QP_RARE(king >= QP_SQUARES))
        return true;
    if (QP_RARE(QP_PIECE_KIND(piece) == QP_KING))
        return qp_field_king_steps(field, from, to);
    /* What the own piece comes near to it does not threaten; it may be a cannon's screen.
     */
    unsigned doubts = (~calm >> 4 * side & QP_CALM_ALL) | leaves_open(king, from) |
                      (comes_near(king, to) & ~(unsigned)QP_CALM_NEAR);
    return doubts == 0 || qp_field_safe(field, side, king, from, to, true, doubts);
}
static inline bool qp_field_king_safe(const qp_field *field, qp_move move)
{
    return qp_field_safe_knowing(field, move, field->board.calm);
}
/* Whether the side is in check, of whose king's safety the board knows something. */
static inline bool qp_field_in_check(const qp_field *field, qp_side side)
{
    unsigned king = field->board.king[side];
    unsigned doubts = ~(unsigned)field->board.calm >> 4 * side & QP_CALM_ALL;
    return doubts != 0 && king < QP_SQUARES &&
           !qp_field_safe(field, side, king, king, king, false, doubts);
}
/* Lets the board know whose king is safe. */
void qp_field_learn(qp_field *field);

/* Whether a move is legal, on its piece's turn. */
bool qp_field_legal(const qp_field *field, qp_move move);
/* The pieces of the side to move that can legally go to a square, a0 first. */
size_t qp_field_reachers(const qp_field *field, unsigned to, qp_square from[QP_SQUARES]);
/* The squares of a side's pieces, a0 first; returns how many. */
size_t qp_field_men(const qp_field *field, unsigned side, qp_square squares[QP_SQUARES]);
/* The pseudo-legal moves of the piece on one square, as qp_rules_piece_moves lists them.
 */
size_t qp_field_piece_moves(const qp_field *field, unsigned from,
                            qp_move moves[QP_PIECE_MOVES_MAX]);
/* Those of them that end on some squares. */
size_t qp_field_moves_to(const qp_field *field, unsigned from, const qp_set *goals,
                         qp_move moves[QP_PIECE_MOVES_MAX]);
/* How many pseudo-legal moves the side to move has. */
size_t qp_field_count(const qp_field *field);
/* Whether the table of moves allows a step of the piece on from. */
bool qp_field_allows(const qp_field *field, unsigned from, unsigned to);
/* The pseudo-legal moves of the side to move that take something, as qp_rules_captures
 * lists them. */
size_t qp_field_captures(const qp_field *field, qp_move moves[QP_MOVES_MAX]);

/* ---- bounded searches: *nodes, of work left to do, is counted down to 0 ---- */

/* Takes work off what is left; false once there is none. A unit is some hundreds of
 * instructions. */
static inline bool qp_spend(uint32_t *nodes, uint32_t work)
{
    if (*nodes < work || *nodes == 0) {
        *nodes = 0;
        return false;
    }
    *nodes -= work;
    return true;
}
/* What a list of the moves of the side to move takes. */
static inline uint32_t qp_list_work(const qp_field *field)
{
    size_t moves = field->most[field->board.side];
    if (moves == 0)
        moves = qp_field_count(field);
    return 1 + (uint32_t)moves / 8;
}

/* The legal moves that give check; none where the work came to an end. */
size_t qp_rules_checks(const qp_field *field, qp_move moves[QP_MOVES_MAX],
                       uint32_t *nodes);
/* The legal moves of a side in check, unsorted, and whether it has one. */
size_t qp_rules_evasions(const qp_field *field, qp_move moves[QP_MOVES_MAX],
                         uint32_t *nodes);
bool qp_rules_can_evade(const qp_field *field);
/* The same lists and answers, kept by position: a search to one check more, and the next
 * search from a like position, ask for most of them again. They cost the same work then,
 * so that what a search finds does not depend on what was asked before. NULL keeps
 * nothing; what is not used need not be filled in. */
enum { QP_MEMO_LISTS = 256, QP_MEMO_MOVES = 24 };
typedef struct qp_memo_list {
    uint64_t key;
    uint16_t work, count;
    qp_move moves[QP_MEMO_MOVES]; /* longer lists are not kept */
} qp_memo_list;
typedef struct qp_memo_end {
    uint64_t key;
    uint16_t work;
    uint8_t answer;
} qp_memo_end;
typedef struct qp_memo {
    struct {
        bool list, evades, end;
    } used[QP_MEMO_LISTS];
    qp_memo_list lists[QP_MEMO_LISTS];
    uint64_t evades[QP_MEMO_LISTS]; /* keys, of which the lowest bit is the answer */
    qp_memo_end ends[QP_MEMO_LISTS];
} qp_memo;
bool qp_memo_can_evade(qp_memo *memo, const qp_field *field);
size_t qp_memo_checks(qp_memo *memo, const qp_field *field, qp_move moves[QP_MOVES_MAX],
                      uint32_t *nodes);
size_t qp_memo_evasions(qp_memo *memo, const qp_field *field, qp_move moves[QP_MOVES_MAX],
                        uint32_t *nodes);
/* Whether the side to move can mate by an unbroken row of at most so many checks (up to
 * QP_MATE_CHECKS_MAX), whatever is replied. UNKNOWN where the row or the work came to an
 * end. The field is left as it was, here and below. */
#define QP_MATE_CHECKS_MAX 8
qp_answer qp_rules_mate_by_checks(qp_field *field, unsigned checks, qp_memo *memo,
                                  uint32_t *nodes);
/* Whether the side to move has a move that leaves the other side none, or takes a king
 * that was left in check. */
qp_answer qp_rules_can_finish(qp_field *field, uint32_t *nodes);
qp_answer qp_memo_can_finish(qp_memo *memo, qp_field *field, uint32_t *nodes);

#endif
