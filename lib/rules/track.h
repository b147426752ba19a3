/* Inside the library: what stands where on a board, once more as bits by file and by rank,
 * for walking along a line of moves. A step of a game then costs a few tables and no search;
 * whatever is out of the ordinary is left to the functions of rules.h, which say the same.
 * What plays a step stands in step.h.
 */
#ifndef QP_RULES_TRACK_H
#define QP_RULES_TRACK_H

#include "rules/rules.h"

/* Rows and columns stand this far on, so that those beside the board are empty. In place of a
 * piece, what is there of all pieces, and a place that is written to and never read. */
enum { QP_TRACK_MARGIN = 2, QP_TRACK_ALL = 8, QP_TRACK_NONE = 0 };

/* What a track keeps of a king in its palace. */
typedef struct qp_track_king {
    uint16_t column, row;  /* its own, in uint16_t from qp_track.column */
    uint16_t here, ahead;  /* its rank, the ranks before it: as bits */
    uint16_t next, near;   /* the next one before it; where horses threaten it from */
} qp_track_king;

typedef struct qp_track {
    uint16_t column[9 + 2 * QP_TRACK_MARGIN][16]; /* [file][piece], bit r for rank r */
    uint16_t row[10 + 2 * QP_TRACK_MARGIN][16];   /* [rank][piece], bit f for file f */
    qp_track_king king[2]; /* by qp_side */
} qp_track;

/* One step in words: a piece of a side leaves a file, so and so far. Which squares it needs
 * empty, and from which ranks it can be made, is known without a board. Lines and columns are
 * counted in uint16_t from qp_track.column. */
typedef struct qp_stride {
    uint32_t between;  /* bits that have to be empty on the line, of a piece on rank 0,
                          QP_STRIDE_UNIT places up */
    uint16_t line;     /* of the squares between, */
    uint8_t on_rank;   /* of a piece on rank 0; added to it is the piece's rank * 16 & this, */
    uint8_t on_file;   /* and the bits are moved up by rank & this */
    uint16_t ranks;    /* from which the step stays on the board and in the piece's zone */
    uint16_t from, to; /* columns */
    uint16_t from_bit, to_bit; /* files, as bits */
    uint8_t piece, file;
    int8_t rise, reach; /* ranks and squares from the first square to the second */
} qp_stride;
enum { QP_STRIDE_UNIT = 10 };

/* Where a track has a square. */
typedef struct qp_track_spot {
    uint16_t column, row; /* in uint16_t from qp_track.column */
    uint16_t bit, rank;   /* its file as a bit of rows, its rank as one of columns */
} qp_track_spot;
extern const qp_track_spot qp_track_spots[QP_SQUARES];

/* One step by its squares: whose it can be, and which bits have to be empty. All that is known
 * without a board. */
typedef struct qp_pace {
    uint16_t pieces;  /* 1 << piece bits of those that go so and may stand there then */
    uint16_t made;    /* not 0: the rest is filled in */
    uint16_t line, between; /* the squares between: in uint16_t from qp_track.column, as bits */
} qp_pace;
void qp_pace_make(qp_pace *pace, qp_move move);

/* Fills a track. false: the board is none of those that have one, with one king a side, each
 * in its palace. */
bool qp_track_set(qp_track *track, const qp_board *board);
/* Puts together a stride; ranks is 0 where the piece never moves so. aside, rise: files and
 * ranks from the first square to the second. */
void qp_stride_make(qp_stride *stride, qp_piece piece, int file, int aside, int rise);
/* Follows a move that was played, and one that was taken back. */
void qp_track_move(qp_track *track, qp_move move, qp_piece piece, qp_piece taken);
void qp_track_undo(qp_track *track, qp_move move, qp_piece piece, qp_piece taken);

#endif
