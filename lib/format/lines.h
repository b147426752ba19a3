/* The formats of a game a line: what their files share. */
#ifndef QP_LINES_H
#define QP_LINES_H

#include "format/format.h"

qp_status qp_lines_read(qp_reading *reading);
/* What stands at p[0, n), the rest of a line: its bytes, 0 for none. */
size_t qp_line_coord(const char *p, size_t n, qp_written *written);
size_t qp_line_word(const char *p, size_t n);
size_t qp_line_number(const char *p, size_t n);
size_t qp_line_digits(const char *p, size_t n, bool after_fen, bool *from_bottom);
size_t qp_line_fen(const char *p, size_t n);
size_t qp_line_id(const char *p, size_t n);
/* Where a position command's words begin, 0 for none; behind separators and `moves`. */
size_t qp_line_position(const char *p, size_t n);
size_t qp_line_to_moves(const char *p, size_t n);
bool qp_line_separates(char c);

typedef enum qp_line_is {
    LINE_OTHER,
    LINE_BLANK,    /* or a comment of the list */
    LINE_POSITION, /* position startpos … */
    LINE_FEN,      /* a FEN alone, or with a comment */
    LINE_FEN_TAB,  /* a FEN, a tab, and no moves */
    LINE_FEN_MOVES,
    LINE_ID,
    LINE_GLUED, /* at least two moves without anything between them */
    LINE_MOVES,
    LINE_DIGITS,
} qp_line_is;
qp_line_is qp_line_kind(const char *p, size_t n);

unsigned qp_iccs_probe(const qp_probe *probe);
unsigned qp_uci_probe(const qp_probe *probe);
unsigned qp_fen_probe(const qp_probe *probe);

#endif
