/* JSON text (RFC 8259) as a flat row of values: what json.c reads games from. */
#ifndef QP_FORMAT_JSON_H
#define QP_FORMAT_JSON_H

#include "format/plies.h"

typedef enum qp_json_kind {
    QP_JSON_NULL,
    QP_JSON_FALSE,
    QP_JSON_TRUE,
    QP_JSON_NUMBER,
    QP_JSON_STRING,
    QP_JSON_ARRAY,
    QP_JSON_OBJECT,
    QP_JSON_PLY, /* an object, {"move":"h2e2"} or {"move":"h2e2","text":"…"} to the letter, in
                    a line of a game: what it holds does not stand behind it */
} qp_json_kind;

/* What an array holds that can be plies. */
enum { QP_JSON_OF_PLIES = 1, QP_JSON_OF_LINES };

/* A value of the row. What an array or object holds stands right behind it, an object's
 * members as key and value by turns; next is the index past all of that. */
typedef struct qp_json_value {
    uint8_t kind;     /* qp_json_kind */
    bool escaped;     /* STRING: has a backslash */
    uint16_t move;    /* PLY: its squares; ARRAY: QP_JSON_OF_PLIES, of "line" and all that stand
                         in "variations" of its plies, QP_JSON_OF_LINES, these themselves */
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

/* Where in a PLY its move stands, and its text, if it has one. */
enum { QP_JSON_PLY_MOVE = 9, QP_JSON_PLY_TEXT = 23, QP_JSON_PLY_END = 2 };

/* Reads the value that begins at `at`; returns the offset past it, or past what could be
 * read of it. After an error the row holds what stood before, every array and object
 * closed. */
size_t qp_json_parse(qp_source *source, size_t at, uint64_t limit, size_t depth_limit,
                     qp_json_row *row, qp_json_error *error);
/* The text of a string with its escapes undone, in the arena; *odd is set where half a
 * surrogate pair had to become U+FFFD. */
qp_str qp_json_unescape(qp_arena *arena, qp_str raw, bool *odd);

/* ---- what the readers of JSON games share: json.c, json_line.c, json_tree.c ---- */

enum { QP_JSON_REPORTS_MAX = 16 };

/* An array of plies, or of variations, that is being read. */
typedef enum qp_json_frame_kind {
    QP_JSON_LINE,
    QP_JSON_VARIATIONS,
    QP_JSON_NEXT
} qp_json_frame_kind;

typedef struct qp_json_frame {
    uint32_t at, end; /* next value, past the last */
    uint32_t parent;  /* NEXT: the ply that they follow */
    uint8_t kind;     /* qp_json_frame_kind */
} qp_json_frame;

/* A reader's state between records. */
typedef struct qp_json_state {
    qp_json_row row;
    qp_json_frame *frames;
    size_t depth, room;
    qp_plies *plies; /* of a vschess tree */
    struct qp_dx *road; /* what of DhtmlXQ stands in a game of Chess Road */
} qp_json_state;

/* qp_reading.carried */
enum {
    QP_JSON_TOLD = 1 << 0,    /* that an object is no game: once a file */
    QP_JSON_WRAPPED = 1 << 1, /* games stand in an object of which we are past the begin */
    QP_JSON_SKIPPING = 1 << 2, /* the rest of what could not be read */
};

/* One record while it is read. */
typedef struct qp_json_reading {
    qp_reading *in;
    qp_json_state *state;
    const qp_json_value *values;
    const char *text;
    unsigned reports;
    qp_str unknown[QP_JSON_REPORTS_MAX];
    unsigned unknown_count;
} qp_json_reading;

qp_str qp_json_raw(const qp_json_reading *r, uint32_t index);
/* A string: made where it has escapes, else {NULL, 0}, which means the span itself. */
qp_str qp_json_made(qp_json_reading *r, uint32_t index);
qp_str qp_json_text(qp_json_reading *r, uint32_t index);
bool qp_json_is_key(qp_json_reading *r, uint32_t index, const char *name);
bool qp_json_is_kind(const qp_json_reading *r, uint32_t index, qp_json_kind kind);
/* Whether a value is of that kind; reports what is expected where it is not, null apart.
 */
bool qp_json_expect(qp_json_reading *r, uint32_t index, qp_json_kind kind,
                    const char *what);
/* Reports a value that is none of what is expected. */
void qp_json_wrong(qp_json_reading *r, uint32_t index, const char *what);
/* A key that nobody knows: said once for each name. */
void qp_json_unknown(qp_json_reading *r, uint32_t key);
/* The comments of one place: the array `many` where there is one, else the single one. */
void qp_json_comments(qp_json_reading *r, uint32_t one, uint32_t many);
bool qp_json_push(qp_json_reading *r, qp_json_frame_kind kind, uint32_t array);
void qp_json_start(qp_json_reading *r, uint32_t value);
/* Reads a line with all variations inside it, without recursion. */
void qp_json_line(qp_json_reading *r, uint32_t array);
/* Reads the tree of a vschess object. */
void qp_json_tree(qp_json_reading *r);
/* Reads the game of another program. false: it is none; where games stand in an array of
 * the object, *at is set behind its bracket. */
bool qp_json_flavour(qp_json_reading *r, size_t *at);

/* Reads a game of Chess Road, json_road.c; false: it is none. */
bool qp_json_road(qp_json_reading *r);
/* A member as a tag, under its own name where name is NULL. */
void qp_json_tag(qp_json_reading *r, const char *name, uint32_t key, uint32_t value);

/* The writer; see qp_format. */
void qp_json_write(qp_writing *writing, const qp_game *game);
/* \uXXXX, twice for what needs a pair. */
void qp_json_refer(uint32_t code_point, char text[16]);

#endif
