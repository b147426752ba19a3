/* What the readers and writers of binary formats share: bounded access to a file's bytes,
 * strings of unknown encoding, and the tree's "parents owed a sibling".
 *
 * Rules of safety, for each of them: no length is trusted; nothing recurses over moves; an
 * error inside the moves ends them and keeps what was read. */
#ifndef QP_FORMAT_BINARY_H
#define QP_FORMAT_BINARY_H

#include "format/plies.h"

/* Bytes with bounds. Reads past the end give 0 and set failed, which is sticky; nothing is
 * ever read outside data[0, size). */
typedef struct qp_bytes {
    const unsigned char *data;
    size_t size;
    size_t at;   /* cursor of the qp_bytes_take_… calls */
    bool failed; /* a read went past the end */
} qp_bytes;

/* Makes the whole file (or what is left of it, up to reading->limit) stand in the window and
 * lends it; offsets in it are offsets of the source's text, so they can be reported. false:
 * it is longer than the limit (reported as file_limit, the record is broken). */
bool qp_bytes_whole(qp_reading *reading, qp_bytes *bytes);
/* A part; an empty failed one where it does not lie inside. */
qp_bytes qp_bytes_part(const qp_bytes *bytes, size_t at, size_t size);
static inline bool qp_bytes_have(const qp_bytes *bytes, size_t at, size_t size)
{
    return at <= bytes->size && size <= bytes->size - at;
}
/* Little-endian numbers at an offset; 0 outside. */
unsigned qp_bytes_u8(const qp_bytes *bytes, size_t at);
unsigned qp_bytes_u16(const qp_bytes *bytes, size_t at);
uint32_t qp_bytes_u32(const qp_bytes *bytes, size_t at);
/* The same at the cursor, which moves on; past the end failed is set. */
unsigned qp_bytes_take_u8(qp_bytes *bytes);
unsigned qp_bytes_take_u16(qp_bytes *bytes);
uint32_t qp_bytes_take_u32(qp_bytes *bytes);
/* size bytes at the cursor, NULL (and failed) where there are not so many. */
static inline const unsigned char *qp_bytes_take(qp_bytes *bytes, size_t size)
{
    if (bytes->failed || !qp_bytes_have(bytes, bytes->at, size)) {
        bytes->failed = true;
        return NULL;
    }
    const unsigned char *p = bytes->data + bytes->at;
    bytes->at += size;
    return p;
}

/* Makes a board, side and counters included (the kings' squares are found here), the record's start position, and reports what
 * cannot be about it. side_given: the file says who moves. The usual position is not marked
 * as stated: these formats store one always. */
void qp_record_board(qp_record *record, const qp_board *board, bool side_given, size_t at,
                     size_t len);

/* ---- strings ---- */

/* Decodes strings of one file: a named encoding, or found string by string (UTF-8 where it
 * is strictly valid, else GB18030 or Big5, and what was found before on a tie). */
typedef struct qp_strings {
    qp_reading *reading;
    qp_encoding last;  /* what the strings before were; for qp_game.encoding */
    bool told_bad;     /* bytes that are no text are reported once a record */
    qp_buf work;
} qp_strings;
void qp_strings_init(qp_strings *strings, qp_reading *reading);
void qp_strings_clear(qp_strings *strings);
/* The string at bytes[at, at + size), up to its first NUL, in the record's arena; UTF-8, LF
 * line ends, trimmed of nothing. Bad bytes are U+FFFD and reported as encoding_invalid at
 * their place (base is the offset of bytes in the source's text). */
qp_str qp_strings_get(qp_strings *strings, const unsigned char *data, size_t size,
                      size_t text_at);
/* The same of all its bytes; NULs among them are passed over. */
qp_str qp_strings_all(qp_strings *strings, const unsigned char *data, size_t size,
                      size_t text_at);
/* The same for UTF-16LE of `units` code units, up to its first NUL unit. */
qp_str qp_strings_utf16(qp_strings *strings, const unsigned char *data, size_t units,
                        size_t text_at);

/* ---- trees ---- */

/* The limit of nodes in one game's tree, as a number that counts can be compared with. */
size_t qp_node_limit(const qp_reading *reading);

/* Builds a record's events from nodes that come depth first, each with two flags: whether
 * another node follows it in its line, and whether a sibling of it is still to come. A
 * sibling comes when the line that it waits behind has ended: the last one owed first. All
 * formats of XQStudio and CCBridge store trees so. Up to the first node with a sibling, events
 * come in that order too; what follows is put in order in plies. Where the reader may lend a
 * game without its tree, plain nodes that stand one behind the other are no events at first:
 * if there is nothing else, they are played at once. */
typedef struct qp_depth_first {
    qp_reading *in;
    qp_record *record;
    struct qp_plies *plies; /* NULL: no such node yet */
    qp_move first;     /* of the plies that need no plies */
    qp_move *line;     /* all nodes so far, while there is no event of them; else NULL */
    size_t at, len;    /* of the first node, where there is a line: all have the same len */
    uint32_t last;     /* the node added last, 0: none */
    size_t count;      /* nodes added */
    size_t owed_count; /* siblings still to come */
    bool nameless;     /* the last node names no squares */
    bool ended; /* the last line has ended: the next node is the sibling owed last */
} qp_depth_first;
void qp_depth_first_init(qp_depth_first *tree, qp_reading *in);
void qp_depth_first_clear(qp_depth_first *tree);
/* Whether a node is due: the tree is not whole yet. */
static inline bool qp_depth_first_due(const qp_depth_first *tree)
{
    return !tree->ended || tree->owed_count != 0;
}
/* Makes events of the line. */
void qp_depth_first_flush(qp_depth_first *tree);
/* qp_depth_first_add and _raw of what is not usual. */
bool qp_depth_first_ply(qp_depth_first *tree, qp_move move, size_t at, size_t len,
                        qp_str comment, bool has_next, bool has_sibling);
void qp_depth_first_words(qp_depth_first *tree, unsigned from, unsigned to);
enum { QP_TAKE = 64 };
/* Whether the next node goes on the line of the one before, or begins the tree. */
static inline bool qp_depth_first_takes(const qp_depth_first *tree)
{
    return !tree->ended;
}
/* Then: adds the next nodes of a line, of each of which nothing is to be said but that another
 * one follows it. They stand one behind the other from `at` on, each len bytes long. */
void qp_depth_first_take(qp_depth_first *tree, const qp_move *moves, size_t count, size_t at,
                         size_t len);
/* Adds the next node's ply (squares as stored, however illegal; 0 where they name none: then
 * the bytes are reported as unreadable) and its comment (len 0: none). false: no node is due
 * here, the tree is whole; or memory ran out. */
static inline bool qp_depth_first_add(qp_depth_first *tree, qp_move move, size_t at,
                                      size_t len, qp_str comment, bool has_next,
                                      bool has_sibling)
{
    if (QP_RARE(has_sibling || move == 0 || tree->plies != NULL || tree->ended))
        return qp_depth_first_ply(tree, move, at, len, comment, has_next, has_sibling);
    qp_depth_first_take(tree, &move, 1, at, len);
    tree->ended = !has_next;
    if (QP_LIKELY_TO(comment.len == 0))
        return true;
    if (tree->line != NULL)
        qp_depth_first_flush(tree);
    qp_record_comment(tree->record, at, len, comment);
    return true;
}
/* The two bytes that are the squares of the node added last: where they name none, they are
 * the text that it is known by. */
static inline void qp_depth_first_raw(qp_depth_first *tree, unsigned from, unsigned to)
{
    if (QP_RARE(tree->nameless))
        qp_depth_first_words(tree, from, to);
}
/* Emits the events, and gives the turn to whom the first ply belongs. Returns how many
 * siblings are still owed: the file broke off. */
size_t qp_depth_first_end(qp_depth_first *tree);

/* ---- writing ---- */

/* Text in the encoding of the output (GB18030 unless named), for fields of a binary format.
 * What it lacks is reported as encoding_unmappable. max: bytes that the field holds, cut at a
 * whole character with a loss report named after what. Returns the bytes put. */
size_t qp_writing_string(qp_writing *writing, qp_str text, size_t max, const char *what,
                         qp_buf *out);
void qp_put_u8(qp_buf *out, unsigned value);
void qp_put_u16(qp_buf *out, unsigned value);
void qp_put_u32(qp_buf *out, uint32_t value);
/* Sets a u32 that was put before. */
void qp_set_u32(qp_buf *out, size_t at, uint32_t value);
/* The nodes of a game in depth-first order with both flags, for formats of that kind. A ply
 * that names no two squares is left out with all that stands behind it: see
 * qp_flagged_comment. */
typedef struct qp_flagged {
    const qp_node *node;
    bool has_next, has_sibling;
} qp_flagged;
/* The first node; {NULL} for none. */
qp_flagged qp_flagged_first(const qp_game *game, bool main_line);
/* The node after it: the next of its line, else the sibling owed last. stack holds what is
 * owed between calls and must start as {0}; clear it with qp_buf_clear. */
qp_flagged qp_flagged_next(qp_flagged at, bool main_line, qp_buf *stack);
/* The one comment of a node, or of the start (NULL): what stands before and behind it,
 * joined by line ends, and then verbatim what follows it and was left out. Returns whether
 * there are several, or one before the ply, which formats of this kind cannot say. */
bool qp_flagged_comment(const qp_game *game, const qp_node *node, bool main_line,
                        qp_buf *out);

#endif
