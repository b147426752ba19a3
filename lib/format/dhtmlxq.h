/* What the files of the DhtmlXQ format share: the table of fields, the escapes, and the
 * record on its way from fields to events.
 *
 * DhtmlXQ is the tagged text of the player at dpxq.com: [DhtmlXQ_key]value[/DhtmlXQ_key]
 * within [DhtmlXQ] … [/DhtmlXQ], by itself or anywhere in a page. Facts: the player's
 * public pages and the records that other programs write for it.
 */
#ifndef QP_DHTMLXQ_H
#define QP_DHTMLXQ_H

#include "format/plies.h"
#include "format/said.h"

/* ---- fields and tags: dhtmlxq.c ---- */

/* The keys that are known, by their first letters, and the tags that say the same, if any.
 * A field that does not stand here is kept as the tag DhtmlXQ_key, a tag that does not as
 * the field tag_NAME. */
#define QP_DX_KEYS(KEY)                                                                  \
    KEY(author, "Author")                                                                \
    KEY(binit, "")                                                                       \
    KEY(black, "Black")                                                                  \
    KEY(blacklevel, "BlackTitle")                                                        \
    KEY(blackname, "BlackName")                                                          \
    KEY(blackrating, "BlackElo")                                                         \
    KEY(blackteam, "BlackTeam")                                                          \
    KEY(blacktime, "BlackTime")                                                          \
    KEY(class, "Class")                                                                  \
    KEY(date, "Date")                                                                    \
    KEY(ecco, "ECCO")                                                                    \
    KEY(endtype, "Termination")                                                          \
    KEY(event, "Event")                                                                  \
    KEY(fen, "")                                                                         \
    KEY(group, "Group")                                                                  \
    KEY(init, "")                                                                        \
    KEY(init_board, "")                                                                  \
    KEY(judge, "Arbiter")                                                                \
    KEY(movelist, "")                                                                    \
    KEY(open, "Opening")                                                                 \
    KEY(place, "Site")                                                                   \
    KEY(red, "Red")                                                                      \
    KEY(redlevel, "RedTitle")                                                            \
    KEY(redname, "RedName")                                                              \
    KEY(redrating, "RedElo")                                                             \
    KEY(redteam, "RedTeam")                                                              \
    KEY(redtime, "RedTime")                                                              \
    KEY(remark, "Remark")                                                                \
    KEY(result, "Result")                                                                \
    KEY(round, "Round")                                                                  \
    KEY(table, "Table")                                                                  \
    KEY(timerule, "TimeControl")                                                         \
    KEY(title, "Title")                                                                  \
    KEY(variation, "Variation")                                                          \
    KEY(ver, "")                                                                         \
    KEY(x_result, "")
typedef enum qp_dx_key {
    QP_DX_KEY_OTHER,
#define QP_DX_KEY(key, tag) QP_DX_KEY_##key,
    QP_DX_KEYS(QP_DX_KEY)
#undef QP_DX_KEY
        QP_DX_KEY_COUNT
} qp_dx_key;
/* Which of them a key is; ASCII case does not count. */
qp_dx_key qp_dhtmlxq_known(qp_str key);
/* Whether a key stands at p, its bracket behind it, in lower case; the bytes of the longest
 * key have to be there. */
enum { QP_DX_KEY_MAX = 11 };
bool qp_dhtmlxq_stands(const char *p, qp_dx_key known, size_t *len);
/* The tags that fields are kept as; data NULL for keys that say something else. */
extern const qp_str qp_dhtmlxq_tags[QP_DX_KEY_COUNT];
/* That of a key, or NULL. */
const char *qp_dhtmlxq_tag(qp_str key);
/* The field that a tag is kept as, or NULL; only the very spelling of the tag will do. */
const char *qp_dhtmlxq_key(qp_str tag);
/* Whether a key has a meaning of its own: moves, comments, positions, and what is ours.
 */
bool qp_dhtmlxq_reserved(qp_str key);
/* binit of the usual start position. */
#define QP_DX_USUAL_BINIT                                                                \
    "8979695949392919097717866646260600102030405060708012720323436383"
/* The four words that the player shows for results: "红胜" for QP_RESULT_RED … */
extern const char *const qp_dhtmlxq_results[4];

/* What the escape at p stands for: HTML entities, \uXXXX and its relatives, <br>. Returns
 * the bytes it takes, 0 where none stands there. Reader and writer both ask it, so that
 * what only looks like an escape is written in a way that reads back. */
size_t qp_dhtmlxq_escape(const char *p, size_t n, uint32_t *code_point);
/* Compares keys; ASCII case does not count. */
int qp_dhtmlxq_compare(qp_str a, qp_str b);
static inline int qp_dhtmlxq_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}
/* Whether text begins with word, whatever the ASCII case. */
bool qp_dhtmlxq_begins(const char *p, size_t n, const char *word);

/* What stands at a `[`. */
typedef enum qp_dx_mark {
    QP_DX_NOTHING,
    QP_DX_OPEN,      /* [DhtmlXQ] [DhtmlXQiFrame] [DhtmlXQHTML] … */
    QP_DX_CLOSE,     /* [/DhtmlXQ] … */
    QP_DX_DHJ_OPEN,  /* [DHJHtmlXQ] */
    QP_DX_FIELD,     /* [DhtmlXQ_key], in a DHJ block [game_key] */
    QP_DX_FIELD_END, /* [/DhtmlXQ_key] … */
    QP_DX_BRANCH,    /* [0_4_1]: a line of moves, as pages keep them in a script */
    QP_DX_BRANCH_END,
} qp_dx_mark;
/* The longest mark looked for. */
#define QP_DX_MARK_MAX 160
/* Reads the mark at p (its `[`). *len gets its bytes, *key the key in it. */
qp_dx_mark qp_dhtmlxq_mark(const char *p, size_t n, bool dhj, size_t *len, qp_str *key);

/* The key that ends at the next `]`: its bytes, 0 where none ends. */
size_t qp_dhtmlxq_key_len(const char *p, size_t n);

/* ---- a record under way ---- */

#define QP_DX_NONE UINT32_MAX

/* Spans count from the record's start. */
typedef struct qp_dx_field {
    uint32_t key_at, key_len, value_at, value_len;
    bool branch; /* the key is P_N_C alone: QP_DX_BRANCH */
    bool note;   /* the key is that of a comment, N or C_N, alone */
    bool lost;   /* another of the same key counts */
    uint8_t known; /* qp_dx_key */
} qp_dx_field;

typedef struct qp_dx_move {
    uint32_t at;
    uint16_t len;
    qp_move move; /* 0: no squares */
} qp_dx_move;

/* A line of moves. */
typedef struct qp_dx_line {
    uint32_t id, parent_id, n; /* as named: move_P_N_C */
    uint32_t key_at, key_len, value_at, value_len;
    uint32_t first, count;     /* its plies among moves */
    uint32_t cut;              /* digits of a last move that is not whole */
    uint32_t parent;           /* index, or NONE */
    uint32_t start;            /* ply of its first move; 0: it could not be attached */
    uint32_t tail;             /* the line that goes on behind its last ply, or NONE */
    uint32_t child, child_end; /* lines that leave it, among children, by ply */
    uint32_t note, note_end;   /* what is said of its plies, among notes */
} qp_dx_line;

typedef enum qp_dx_kind {
    QP_DX_BEFORE_SPLIT, /* in the order in which a ply's events come */
    QP_DX_BEFORE,
    QP_DX_SPLIT,
    QP_DX_COMMENT,
    QP_DX_NAG,
    QP_DX_CLOCK,
} qp_dx_kind;

/* What is said of a ply. */
typedef struct qp_dx_note {
    uint32_t line; /* id as named, later the index, or NONE */
    uint32_t ply;
    uint32_t order;
    uint32_t key_at, key_len, value_at, value_len;
    uint8_t kind; /* qp_dx_kind */
} qp_dx_note;

typedef struct qp_dx_frame {
    uint32_t line, pos;
    uint32_t variation;        /* its number in the order of events */
    uint32_t child, child_end; /* own lines still to come */
    uint32_t guest, guest_end; /* lines of the line before, whose tail this is */
    uint32_t note, note_end;
} qp_dx_frame;

#define QP_DX_VECTOR(type)                                                               \
    struct {                                                                             \
        type *at;                                                                        \
        size_t count, room;                                                              \
    }

/* A line of records that were passed over: the next one has most likely the same in its place,
 * or the same field. */
typedef struct qp_dx_seen {
    unsigned char line[155]; /* up to its end, of one or two bytes */
    unsigned char close[42]; /* the mark that closes the field */
    uint8_t len, key_len, kind; /* len, key_len 0: not known */
} qp_dx_seen;

/* qp_reading.carried */
enum { QP_DX_SKIPPING = 1 << 0 }; /* the rest of a record past the limit */

typedef struct qp_dx { /* see qp_dx_begin, qp_dx_free; zeros to begin with */
    qp_reading *in;
    qp_record *record; /* that of in */
    const char *text;
    QP_DX_VECTOR(qp_dx_field) fields;
    QP_DX_VECTOR(qp_move) squares; /* all moves of a plain record */
    QP_DX_VECTOR(qp_dx_move) moves;
    QP_DX_VECTOR(qp_dx_line) lines; /* the main line first, then by id */
    QP_DX_VECTOR(qp_dx_note) notes;
    QP_DX_VECTOR(uint32_t) children;
    QP_DX_VECTOR(uint32_t) queue;
    QP_DX_VECTOR(qp_dx_frame) frames;
    qp_buf made;
    uint32_t variations; /* opened so far */
    bool told;           /* the squares are played, or events: there are no other moves */
    uint8_t before[32];  /* qp_dx_key of the fields of the record before: likely the same */
    qp_dx_seen seen[32];
    qp_encoding seen_in;
    qp_said_dates dates;
    QP_DX_VECTOR(qp_move) met; /* the moves of a record that was not passed over, but is sound, */
    qp_rounds met_rounds;      /* and what they came to: it is read next */
} qp_dx;

/* Room for one more; false: memory ran out and the record failed. */
bool qp_dx_grow(qp_dx *dx, void **at, size_t *room, size_t count, size_t size);
#define QP_DX_ROOM(dx, vector)                                                           \
    ((vector).count < (vector).room ||                                                   \
     qp_dx_grow(dx, (void **)&(vector).at, &(vector).room, (vector).count,               \
                sizeof *(vector).at))

/* A value with its escapes undone; data NULL where it is the span as it stands. In a
 * comment `||` is a line end; elsewhere a line end is a blank. */
qp_str qp_dx_value(qp_dx *dx, uint32_t at, uint32_t len, bool comment);
/* Takes blanks, &nbsp; and <br> off both ends of a span. */
void qp_dx_trim_ends(const char *text, uint32_t *at, uint32_t *len);
static inline void qp_dx_trim(const char *text, uint32_t *at, uint32_t *len)
{
    /* Most values begin and end with what is none of these. */
    if (*len == 0)
        return;
    const unsigned char first = (unsigned char)text[*at];
    const unsigned char last = (unsigned char)text[*at + *len - 1];
    if (first <= ' ' || first == '<' || first == '&' || last <= ' ' || last == '>' ||
        last == ';')
        qp_dx_trim_ends(text, at, len);
}
/* Bytes of what may stand between digits and means nothing: blanks, tags, entities. */
size_t qp_dx_filler(const char *p, size_t n);
/* Reads the digits of a line into moves. */
void qp_dx_moves(qp_dx *dx, qp_dx_line *line, bool from_bottom);
/* Reads the squares of groups of four digits, all of them moves, up to what is none, or most
 * bytes; returns the bytes that they take. */
size_t qp_dx_squares(qp_dx *dx, const char *p, size_t most);
/* Plays those of a record's only line, or adds their events; false: there is no room. */
bool qp_dx_tell_squares(qp_dx *dx, const qp_dx_line *line);
/* The old kind of movelist that holds a whole tree; false: it is none. */
bool qp_dx_old_moves(qp_dx *dx, uint32_t at, uint32_t len);
/* Forgets the record before; its text is that which all spans count from. */
void qp_dx_begin(qp_dx *dx, qp_reading *in, const char *text);
/* Adds a field, which is not lost; known is what qp_dhtmlxq_known says. */
static inline void qp_dx_add_field(qp_dx *dx, qp_dx_field field)
{
    if (QP_DX_ROOM(dx, dx->fields))
        dx->fields.at[dx->fields.count++] = field;
}
void qp_dx_free(qp_dx *dx);
/* Sorts the fields out into tags, the start, lines and notes; dhtmlxq_fields.c. */
void qp_dx_fields(qp_dx *dx, bool dhj);
/* Attaches lines and notes and turns them into events; what fits nowhere is kept as
 * comments. dhtmlxq_tree.c. */
void qp_dx_build(qp_dx *dx);

/* ---- the parts of the descriptor ---- */

qp_status qp_dhtmlxq_read(qp_reading *reading);
void qp_dhtmlxq_read_end(qp_reading *reading);
/* A qp_skim_fn; user is the qp_dx of a reading that passes games over. */
bool qp_dhtmlxq_skim(void *user, uint32_t index, qp_encoding encoding, const unsigned char *p,
                     size_t n, bool ended, bool own, qp_gap *gap);
void qp_dhtmlxq_write(qp_writing *writing, const qp_game *game);
void qp_dhtmlxq_write_end(qp_writing *writing);
/* A character reference. */
void qp_dhtmlxq_refer(uint32_t code_point, char text[16]);

#endif
