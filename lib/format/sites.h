/* What the readers of the records of playing sites share: one line of squares, each with the
 * piece that moved, often from whichever side the player sat on. */
#ifndef QP_FORMAT_SITES_H
#define QP_FORMAT_SITES_H

#include "format/binary.h"

typedef struct qp_site_line {
    qp_reading *in;
    qp_board board;   /* after the plies so far */
    bool turned;      /* squares are as Black sees them: the board turns by half */
    bool told;        /* a piece was another than the file says */
    bool broken;      /* no more plies are to be added */
    uint32_t plies;
} qp_site_line;

/* The record's start position must be set. */
void qp_site_begin(qp_site_line *line, qp_reading *in, bool turned);
/* The move of two squares, columns from Red's left and rows from the top; 0: they name none. */
qp_move qp_site_move(const unsigned square[4], bool turned);
/* Adds a ply. piece: what moves according to the file, 0 where it does not say. false: the
 * squares name no move, which is reported and ends the line. */
bool qp_site_ply(qp_site_line *line, const unsigned square[4], qp_piece piece, size_t at,
                 size_t len);
/* Whether Black's side of the board is at the bottom: the first ply, which is Red's, leaves
 * the upper half. */
static inline bool qp_site_turned(unsigned first_row)
{
    return first_row < 5;
}
/* What two readers of files without a mark know: whether the file can be a list of plies, all
 * on squares and the first of them legal. squares: of the ply at a place. */
typedef void qp_site_squares(const qp_bytes *bytes, size_t at, unsigned square[4]);
bool qp_site_is_list(const qp_bytes *bytes, size_t at, size_t size, qp_site_squares *squares);
/* A finding where bytes stand behind the last ply, which ends at this place. */
void qp_site_trailing(const qp_site_line *line, const qp_bytes *bytes, size_t end);
/* Reports that the file breaks off, or is damaged, and ends the line. */
void qp_site_broken(qp_site_line *line, qp_code code, size_t at, const char *detail,
                    const char *what);
/* The tags UTCDate and UTCTime of seconds since 1970. */
void qp_site_time(qp_record *record, uint32_t seconds, size_t at);
/* Adds a tag unless its value is blank. */
void qp_site_tag(qp_record *record, const char *name, qp_str value, size_t at, size_t len);

#endif
