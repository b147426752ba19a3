/* Analysis in text while it is made into variations: lines of moves, each beside a ply of
 * another one. branches.c says what becomes one. */
#ifndef QP_FORMAT_BRANCHES_H
#define QP_FORMAT_BRANCHES_H

#include "format/marks.h"

/* The bounds of one record: lines, lines inside one another, plies played to find places.
 */
enum { QP_BRANCHES_MAX = 200, QP_BRANCH_DEPTH_MAX = 8, QP_BRANCHES_WORK_MAX = 1 << 18 };

/* A line of moves and what stands between them. */
typedef struct qp_branch_line {
    uint32_t parent, base; /* plies before its first */
    qp_board end;
    qp_move *moves;
    uint32_t *owner; /* the event of each */
    uint32_t count, room;
    uint32_t *items; /* events in order */
    size_t item_count, item_room;
    uint32_t depth;
} qp_branch_line;

/* A line that hangs beside a ply of another one. */
typedef struct qp_branch_hang {
    uint32_t event, line;
} qp_branch_hang;

/* A record at work. */
typedef struct qp_branches {
    qp_record *record;
    const struct qp_lexer *lexer;
    const char *text;
    qp_branch_line *lines;
    uint32_t line_count, at; /* at: the line that goes on */
    qp_branch_hang *hangs;
    size_t hang_count,
        pending; /* pending: hangs that wait for the next ply of the main line */
    int offset;  /* of printed round numbers */
    bool offset_known, numbered, broken, failed, changed;
    bool undressed;       /* a side's moves were seen with the other's digits or glyphs */
    unsigned work, again; /* plies played for places, and for what may be said again */
} qp_branches;

/* ---- lines: branch_lines.c ---- */

/* Adds an event to a line: as it is, and as a ply that is legal there. */
void qp_branches_item(qp_branches *s, uint32_t to, size_t event);
void qp_branches_ply(qp_branches *s, uint32_t to, size_t event, qp_move move);
/* A line beside ply `base` of another one, from a board; there is room for it. */
uint32_t qp_branches_line(qp_branches *s, uint32_t parent, uint32_t base,
                          const qp_board *board);
/* The ply behind a line's last, from the start of the record. */
static inline uint32_t qp_branch_end(const qp_branch_line *l)
{
    return l->base + l->count;
}

/* The board before ply `ply` of a line, counted from the start of the record. */
bool qp_branches_board(qp_branches *s, uint32_t of, uint32_t ply, qp_board *board);
/* The one move that is written; 0: none can be played, or several. */
qp_move qp_branches_resolve(const qp_board *board, const qp_written *written);
/* Writes the events from `from` on once more in the order of the tree. */
void qp_branches_rebuild(qp_branches *s, size_t from);

/* ---- words: branch_words.c ---- */

/* Whether one of the words, of three bytes or more, stands in a text. */
bool qp_branches_says(qp_str text, const char *const *words, size_t count);
/* Whether a move's digits or glyphs are those of the other side (兵, 三 are red's). */
bool qp_branches_others(const qp_written *written, qp_side side);
/* A comment, and the moves that belong to its words. Returns the event behind. */
size_t qp_branches_words(qp_branches *s, size_t from, size_t i, size_t count);

#endif
