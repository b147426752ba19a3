/* The rules floor: what the public header does not need to see. A board, a move, legality;
 * no text but FEN. Source of the rules: World Xiangqi Rules 2018 and the Chinese competition
 * rules of 1999 and 2011, which agree on all that stands here. */
#ifndef QP_RULES_H
#define QP_RULES_H

#include "base/base.h"

/* +1 or -1: the rank step that is forward for the side. */
#define QP_FORWARD(side) ((side) == QP_RED ? 1 : -1)
/* The file number (1..9, from the mover's right) of a file (0..8 from Red's left), and back. */
#define QP_ROAD(side, file) ((side) == QP_RED ? 9 - (file) : (file) + 1)
#define QP_ROAD_FILE(side, road) ((side) == QP_RED ? 9 - (road) : (road) - 1)
#define QP_OTHER(side) ((qp_side)((side) ^ 1))

typedef struct qp_undo {
    unsigned char rest[sizeof(qp_board) - offsetof(qp_board, side)]; /* all but at[] */
    qp_piece taken;
} qp_undo;

/* qp_board_play, with what qp_rules_undo needs to take it back. */
void qp_rules_make(qp_board *board, qp_move move, qp_undo *undo);
/* The same of a move known to be legal: the board then knows that the mover's king is
 * safe, and judges the next moves faster. */
void qp_rules_make_legal(qp_board *board, qp_move move, qp_undo *undo);
/* qp_board_play of many moves that are legal one after the other, faster. */
void qp_rules_play_all(qp_board *board, const qp_move *moves, size_t count);
void qp_rules_undo(qp_board *board, qp_move move, const qp_undo *undo);

/* Whether the table of moves allows it (shape, zone, blocking, own piece), the king aside.
 * The piece on the first square may be of either side; squares are 0..89. */
bool qp_rules_pseudo(const qp_board *board, qp_move move);
/* Pseudo-legal, by the side to move, and its king neither in check nor facing afterwards.
 * The hot path of replay: no allocation, no move list. */
bool qp_rules_legal(const qp_board *board, qp_move move);
/* Whether the side's king cannot be taken on the next move and does not face the other. */
bool qp_rules_king_stands(const qp_board *board, qp_side side);
/* Whether a pseudo-legal move leaves the mover's king safe. */
bool qp_rules_king_safe(const qp_board *board, qp_move move);
/* Pseudo-legal moves of the side to move, unsorted. */
size_t qp_rules_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX]);
/* Those of them that capture. */
size_t qp_rules_captures(const qp_board *board, qp_move moves[QP_MOVES_MAX]);
/* Whether the side to move has a legal move at all. */
bool qp_rules_can_move(const qp_board *board);
/* Fills king[] from at[], and forgets what was known of their safety. */
void qp_rules_set_kings(qp_board *board);
/* The legal moves, unsorted. */
size_t qp_rules_legal_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX]);
/* An answer of a bounded search; the lesser of two is what both allow. */
typedef enum qp_answer { QP_NO, QP_UNKNOWN, QP_YES } qp_answer;
/* The squares of a piece, a0 first; returns how many (up to 90). */
/* The faults that a piece has by standing there: bits of qp_fen_fault. */
uint32_t qp_rules_point_faults(qp_piece piece, unsigned square);
size_t qp_rules_find(const qp_board *board, qp_piece piece, qp_square squares[QP_SQUARES]);

#endif
