/* The WXF file: what its reader and its writer share. */
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
/* Whether a line ends the record, even inside a comment. */
bool qp_wxf_ends(const char *p, size_t n);
void qp_wxf_write(qp_writing *writing, const qp_game *game);

#endif
