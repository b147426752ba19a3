/* The WXF file: what its reader, in two parts, and its writer share. */
#ifndef QP_WXF_H
#define QP_WXF_H

#include "format/format.h"

/* What the value of a header line is made of. */
typedef enum qp_wxf_shape {
    QP_WXF_PLAIN,
    QP_WXF_PLAYER, /* name ; rating ;; */
    QP_WXF_EVENT,  /* event, and behind a semicolon the time control, as PlayOK has it */
    QP_WXF_START,  /* a FEN */
    QP_WXF_RESULT,
    QP_WXF_FORMAT, /* says how moves are written */
} qp_wxf_shape;

/* A header line and its tags, in the order in which they are written. */
typedef struct qp_wxf_key {
    const char *key;
    qp_wxf_shape shape;
    bool always; /* written without a value too */
    const char *tag;
    const char *second; /* PLAYER: of the rating; EVENT: of the time control */
    const char *rest;   /* PLAYER: of what stands behind the rating */
} qp_wxf_key;
enum { QP_WXF_KEYS = 10 };
extern const qp_wxf_key qp_wxf_keys[QP_WXF_KEYS];

/* Whether text is a time control and no part of an event's name: 10m+0s. */
bool qp_wxf_is_time(qp_str text);
/* ---- the header: wxf_header.c; p[0, n) is a line or the rest of one ---- */

/* The offset of what is no blank from i on. */
size_t qp_wxf_blanks(const char *p, size_t n, size_t i);
/* `WORD{` or `WORD {` at p: the offset behind the brace, else 0. */
size_t qp_wxf_opens(const char *p, size_t n, const char *word);
/* A header line: a known key, or any word in capitals (*key is NULL then), and a blank or the
 * line's end behind it. Returns the length of the key, else 0. */
size_t qp_wxf_key_at(const char *p, size_t n, const qp_wxf_key **key);
/* Whether another record's header begins in this line. */
bool qp_wxf_begins(const char *p, size_t n);
/* Reads a header line at offset `at` of the record's text; false where it is none. */
bool qp_wxf_header(qp_reading *reading, size_t at, qp_str line);
/* Reads what stands in SETUP{ Ra0 Kd0 … ke9 MOVE 1 RED }: small letters, or those behind the
 * word BLACK, are Black's. */
void qp_wxf_setup(qp_reading *reading, size_t at, size_t len);

/* ---- the rest ---- */

/* Whether a line ends the record, even inside a comment. */
bool qp_wxf_ends(const char *p, size_t n);
void qp_wxf_write(qp_writing *writing, const qp_game *game);

#endif
