/* Inside the library: a game that is only played forward, from the usual start position,
 * as nearly all games are. A step costs a few additions to few numbers, and no branch
 * that a processor could not foresee. Nothing is ever taken back, and nothing said of
 * what is not sound: others do that (rules.h, step.h). Strides and paces are those of
 * track.h.
 */
#ifndef QP_RULES_COURSE_H
#define QP_RULES_COURSE_H

#include "rules/lines.h"
#include "rules/track.h"

/* What stands on a file or a rank: its pieces as bits from bit 0 on, and once more, from
 * where these say, those that shoot along lines. */
enum {
    QP_LINE_ALL = (1 << 10) - 1,
    QP_LINE_BLACK = 10, /* black rooks and king; ten bits on, black cannons */
    QP_LINE_RED = 30,   /* the same of Red */
};
enum { QP_RANK_LINES = 9, QP_LINES = 19 }; /* files, then ranks */

/* What a side's pieces are in sum, each on its square: from bit 0 on the place of its
 * king, by ranks from its baseline and there by files; from QP_SUM_NEAR on for each such
 * place of the other king how many horses and pawns are where they might take it, in
 * three bits; above that what tells positions apart. */
enum { QP_SUM_KING = 15, QP_SUM_NEAR = 4, QP_SUM_KEY = 32 };

/* How a king sees its lines from a place. */
typedef struct qp_king_view {
    uint32_t near;                   /* bits of the other side's sum */
    uint16_t file_sight, rank_sight; /* the start of a table in qp_course.sight */
    uint8_t file, rank;              /* lines */
    char unused[6];                  /* a power of two is faster to count by */
} qp_king_view;

/* Where pieces of a kind are on a file, at file * 16 + piece: for each of them QP_PLACE
 * and its rank, in sum, so that one alone can be told from several. What is there for no
 * piece says nothing. */
enum { QP_PLACES = 9 * 16, QP_PLACE = 16 };

/* What changes in a game. */
typedef struct qp_course_state {
    uint64_t red_sum; /* not beside the other, or compilers are tempted to add in pairs */
    uint64_t line[QP_LINES];
    uint64_t black_sum;
    uint8_t place[QP_PLACES];
    qp_board board; /* its at[] alone is kept */
} qp_course_state;

/* A game, and what is known of pieces on squares. */
typedef struct qp_course {
    qp_course_state now, start;
    qp_king_view view[2][9];
    uint64_t on_line[16];   /* what a piece adds to a line, at its bit 0 */
    bool barred[2][16];     /* what a side may not take: its own pieces, and the king */
    uint64_t sums[16 << 7]; /* by piece << 7 | square; of no piece 0 */
    uint32_t sight[3 * 512 + 6 * 1024]; /* see qp_course_alarm */
} qp_course;

/* A step of a piece from a file: as qp_stride. */
typedef struct qp_course_stride {
    uint64_t leave_rank; /* qp_course.on_line of the piece, on its file */
    uint32_t along;      /* bits that have to be empty on the line, of a piece on rank 0,
                            QP_STRIDE_UNIT places up */
    uint16_t across;     /* and those on the piece's rank */
    uint8_t line;        /* a file */
    uint8_t piece;
    uint32_t jumps; /* all bits of a cannon, which takes over one piece */
    uint8_t low;   /* QP_PLACE + the first rank from which the step stays on the board and
                      in   the piece's zone; */
    uint8_t ranks; /* so many such ranks there are; 0: it is no step at all */
    uint8_t from_file, to_file;
    uint8_t from_place, to_place; /* in place[] */
    int8_t rise, reach; /* ranks and squares from the first square to the second */
} qp_course_stride;

/* A step by its squares: as qp_pace. */
typedef struct qp_course_pace {
    uint16_t pieces;  /* 1 << piece bits of those that go so and may stand there then */
    uint16_t between; /* bits that have to be empty on the line */
    uint8_t line;
    uint8_t from, to;
    uint8_t from_file, to_file, from_rank, to_rank;
    bool made; /* the rest is filled in */
} qp_course_pace;

/* Fills one that is all 0. */
void qp_course_init(qp_course *course);
void qp_course_stride_make(const qp_course *course, qp_course_stride *stride,
                           const qp_stride *from);
void qp_course_pace_make(qp_course_pace *pace, qp_move move);
/* Puts place[] in order, where steps were played without it. */
void qp_course_places(qp_course_state *state);
/* Fills in board.king. */
void qp_course_kings(qp_course_state *state);
/* Sets a state to a board with one king a side, each in its palace. */
void qp_course_set(const qp_course *course, qp_course_state *state,
                   const qp_board *board);
/* Whether the side's king is safe behind its ply. */
bool qp_course_safe(qp_course *course, qp_side side);
/* Whether it is sure that the side, whose turn it is, has a legal move: one step ahead of a rook,
 * a cannon or a pawn outside the palace, where the king is safe. Cheap, and the usual answer. */
bool qp_course_moves_on(qp_course *course, qp_side side);

static QP_INLINE uint64_t *qp_course_sum(qp_course_state *state, const qp_side side)
{
    return side == QP_RED ? &state->red_sum : &state->black_sum;
}

/* A step that was played. */
typedef struct qp_course_step {
    size_t from, to, taken;
} qp_course_step;

/* Whether a piece may go so, by what stands where its step needs free squares, and by
 * whether it takes something. */
static QP_INLINE bool qp_course_free(size_t taken, uint64_t between, size_t jumps)
{
    if (QP_RARE((between | (taken & jumps)) != 0))
        return between != 0 && (between & (between - 1)) == 0 && (taken & jumps) != 0;
    return true;
}
/* The parts of a step that is played: what leaves a square, and what comes to another. */
static QP_INLINE void qp_course_move(qp_course *course, size_t piece,
                                     const qp_course_step *s, const qp_side side)
{
    qp_course_state *now = &course->now;
    const uint64_t *sums = &course->sums[piece << 7];
    *qp_course_sum(now, side) += sums[s->to] - sums[s->from];
    now->board.at[s->from] = 0;
    *qp_course_sum(now, QP_OTHER(side)) -= course->sums[s->taken << 7 | s->to];
    now->board.at[s->to] = (qp_piece)piece;
}
static QP_INLINE void qp_course_leave(qp_course_state *now, uint64_t on_line,
                                      uint64_t leave_rank, size_t file, size_t rank)
{
    now->line[file] ^= on_line << rank;
    now->line[QP_RANK_LINES + rank] ^= leave_rank;
}
static QP_INLINE void qp_course_arrive(qp_course_state *now, uint64_t on_line,
                                       size_t file, size_t rank)
{
    now->line[file] ^= on_line << rank;
    now->line[QP_RANK_LINES + rank] ^= on_line << file;
}

/* What has to be empty where a piece on a rank makes a stride, as far as something is
 * there. */
static QP_INLINE uint64_t qp_course_between(const qp_course_state *now,
                                            const qp_course_stride *stride, size_t rank)
{
    return (now->line[QP_RANK_LINES + rank] & stride->across) |
           (now->line[stride->line] & (stride->along << rank >> QP_STRIDE_UNIT));
}

/* Of several pieces on the file of a stride, the place of the only one that can make it,
 * as far as the king's safety goes for nothing; 0: none can, or several. */
unsigned qp_course_only(const qp_course *course, const qp_course_stride *stride,
                        qp_side side);

/* Plays a stride of a piece that is alone at a place, if it may go so. others: what is
 * left at the file then. false: nothing was done. */
static QP_INLINE bool qp_course_stride_play(qp_course *course,
                                            const qp_course_stride *stride, size_t place,
                                            size_t others, qp_course_step *step,
                                            const qp_side side)
{
    qp_course_state *now = &course->now;
    if (QP_RARE((uint8_t)(place - stride->low) >= stride->ranks))
        return false;
    size_t rank = place - QP_PLACE, to_rank = rank + (size_t)(int)stride->rise;
    size_t from = rank * 9 + stride->from_file, to = from + (size_t)(int)stride->reach;
    size_t taken = now->board.at[to];
    if (QP_RARE(course->barred[side][taken]) ||
        QP_RARE(
            !qp_course_free(taken, qp_course_between(now, stride, rank), stride->jumps)))
        return false;
    *step = (qp_course_step){from, to, taken};
    size_t piece = stride->piece;
    uint64_t on_line = course->on_line[piece];
    now->place[stride->from_place] = (uint8_t)others;
    qp_course_leave(now, on_line, stride->leave_rank, stride->from_file, rank);
    qp_course_move(course, piece, step, side);
    size_t to_file = stride->to_file;
    qp_course_arrive(now, on_line ^ course->on_line[taken], to_file, to_rank);
    uint8_t new_place = (uint8_t)(QP_PLACE + to_rank);
    now->place[stride->to_place] += new_place;
    now->place[to_file << 4 | taken] -= new_place;
    return true;
}

/* The same of a pace; without places, those are out of order then. */
static QP_INLINE bool qp_course_pace_play(qp_course *course, const qp_course_pace *pace,
                                          qp_course_step *step, const qp_side side,
                                          const bool places)
{
    qp_course_state *now = &course->now;
    size_t from = pace->from, to = pace->to, piece = now->board.at[from];
    unsigned own_pieces = pace->pieces & (side == QP_RED ? 0x00FFu : 0xFF00u);
    size_t jumps = piece == QP_PIECE(side, QP_CANNON) ? 15 : 0;
    size_t taken = now->board.at[to];
    if (QP_RARE(!(own_pieces >> piece & 1)) || QP_RARE(course->barred[side][taken]) ||
        QP_RARE(!qp_course_free(taken, now->line[pace->line] & pace->between, jumps)))
        return false;
    *step = (qp_course_step){from, to, taken};
    size_t from_file = pace->from_file, to_file = pace->to_file;
    size_t from_rank = pace->from_rank, to_rank = pace->to_rank;
    uint64_t on_line = course->on_line[piece];
    qp_course_leave(now, on_line, on_line << from_file, from_file, from_rank);
    qp_course_move(course, piece, step, side);
    qp_course_arrive(now, on_line ^ course->on_line[taken], to_file, to_rank);
    if (places) {
        now->place[from_file << 4 | piece] -= (uint8_t)(QP_PLACE + from_rank);
        now->place[to_file << 4 | piece] += (uint8_t)(QP_PLACE + to_rank);
        now->place[to_file << 4 | taken] -= (uint8_t)(QP_PLACE + to_rank);
    }
    return true;
}

/* Whether something may threaten the side's king, or face it: false is sure; true is, but
 * for horses whose leg is blocked. A table for each place of a king on a line tells by
 * what stands there which squares it can be reached from, by rooks and by cannons. */
static QP_INLINE bool qp_course_alarm(const qp_course *course, const qp_side side)
{
    const qp_course_state *now = &course->now;
    uint64_t own = side == QP_RED ? now->red_sum : now->black_sum;
    uint64_t other = side == QP_RED ? now->black_sum : now->red_sum;
    const qp_king_view *view = &course->view[side][own & QP_SUM_KING];
    const unsigned enemy = side == QP_RED ? 0 : QP_LINE_RED - QP_LINE_BLACK;
    uint64_t file = now->line[view->file], rank = now->line[view->rank];
    uint32_t on_file = course->sight[view->file_sight + (file & QP_LINE_ALL)];
    uint32_t on_rank = course->sight[view->rank_sight + (rank & QP_LINE_ALL)];
    return (((uint32_t)other & view->near) | ((uint32_t)(file >> enemy) & on_file) |
            ((uint32_t)(rank >> enemy) & on_rank)) != 0;
}

/* What tells positions apart. */
static QP_INLINE uint32_t qp_course_key(const qp_course *course)
{
    return (uint32_t)((course->now.red_sum + course->now.black_sum) >> QP_SUM_KEY);
}

#endif
