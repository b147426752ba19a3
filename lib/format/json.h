/* JSON text (RFC 8259) as a flat row of values: what json.c reads games from. */
#ifndef QP_FORMAT_JSON_H
#define QP_FORMAT_JSON_H

#include "format/format.h"

typedef enum qp_json_kind {
    QP_JSON_NULL,
    QP_JSON_FALSE,
    QP_JSON_TRUE,
    QP_JSON_NUMBER,
    QP_JSON_STRING,
    QP_JSON_ARRAY,
    QP_JSON_OBJECT,
} qp_json_kind;

/* A value of the row. What an array or object holds stands right behind it, an object's
 * members as key and value by turns; next is the index past all of that. */
typedef struct qp_json_value {
    uint8_t kind;     /* qp_json_kind */
    bool escaped;     /* STRING: has a backslash */
    uint32_t at, len; /* in the record's text; of a string without its quotes */
    uint32_t next;
} qp_json_value;

typedef struct qp_json_row {
    qp_json_value *values;
    size_t count, room;
    bool failed; /* memory ran out */
} qp_json_row;

/* Why a text is no JSON, and where. */
typedef struct qp_json_error {
    qp_code code; /* QP_D_none: it is */
    const char *detail, *message;
    size_t at;
} qp_json_error;

/* Reads the value that begins at `at`; returns the offset past it, or past what could be
 * read of it. After an error the row holds what stood before, every array and object
 * closed. */
size_t qp_json_parse(qp_source *source, size_t at, uint64_t limit, size_t depth_limit,
                     qp_json_row *row, qp_json_error *error);
/* The text of a string with its escapes undone, in the arena; *odd is set where half a
 * surrogate pair had to become U+FFFD. */
qp_str qp_json_unescape(qp_arena *arena, qp_str raw, bool *odd);

/* The writer; see qp_format. */
void qp_json_write(qp_writing *writing, const qp_game *game);

#endif
