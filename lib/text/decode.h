/* The decoders of the text floor: bytes of one encoding to UTF-8, LF line ends. */
#ifndef QP_TEXT_DECODE_H
#define QP_TEXT_DECODE_H

#include "text/text.h"

/* What one item of the input came to. */
typedef enum qp_step_kind {
    QP_STEP_TEXT,
    QP_STEP_MARK, /* a byte order mark: no text */
    QP_STEP_JUNK, /* NUL or a control character: no text */
    QP_STEP_BAD,  /* not allowed: U+FFFD */
    QP_STEP_LOST, /* U+FFFD stood in the input */
} qp_step_kind;

enum {
    QP_STEP_ROOM = 8,   /* bytes that one item can come to */
    QP_STEP_AHEAD = 80, /* a step never looks further on than this */
    QP_LOAD_SLACK = 16, /* bytes behind the input and the output that may be touched */
};

/* Tables are filled as pairs turn up: most files use a few hundred of the 24,000. An
 * entry holds its UTF-8 in memory order, zero-padded; 0: not asked yet, 1: no such
 * character. */
typedef struct qp_decoder {
    qp_encoding encoding; /* NONE is read as UTF-8 */
    uint32_t *pairs;      /* [128][256], double-byte encodings only */
    void *converter[2];   /* iconv_t; the second is HKSCS behind CP950 */
    bool opened[2];
} qp_decoder;

/* false: memory ran out. {0} may be cleared. */
bool qp_decoder_init(qp_decoder *decoder, qp_encoding encoding);
void qp_decoder_clear(qp_decoder *decoder);

/* Decodes one item at p < end; what is cut off at end is bad. Returns the bytes taken. */
size_t qp_decoder_step(qp_decoder *decoder, const unsigned char *p,
                       const unsigned char *end, char out[QP_STEP_ROOM], size_t *put,
                       qp_step_kind *kind);

/* Decodes from *from until stop, or to the first item that only a step can do. Items that
 * begin before stop may reach past it, to end. out has room for 3 bytes each and
 * QP_LOAD_SLACK. Line ends are added to *lines. */
void qp_decoder_run(qp_decoder *decoder, const unsigned char **from,
                    const unsigned char *stop, const unsigned char *end, char **out,
                    uint32_t *lines);

/* Whether all of the bytes are plain text, which can be decoded without a word about it: of it
 * nothing is kept. QP_LOAD_SLACK bytes behind end may be touched. */
bool qp_decoder_clean(qp_decoder *decoder, const unsigned char *p, const unsigned char *end);

/* The table entry of a pair, filled in where it was not asked yet. */
uint32_t qp_decoder_pair(qp_decoder *decoder, unsigned lead, unsigned trail);
/* The same through iconv alone, and not kept. */
uint32_t qp_decoder_ask(qp_decoder *decoder, unsigned lead, unsigned trail);
/* What iconv makes of the pairs, as code points; 0: nothing. NULL: it was not there when the
 * library was built. See tools/make_pairs.c. */
enum { QP_PAIRS = 126 * 191, QP_PAIR_ASK = 0xFFFF /* more than one below U+FFFF */ };
#define QP_PAIR_AT(lead, trail) (((lead) - 0x81) * 191 + ((trail) - 0x40))
typedef struct qp_pair_tables {
    const uint16_t *big5, *gb;
} qp_pair_tables;
extern const qp_pair_tables qp_pairs_built_in;
/* A four-byte character of GB18030; 0: none. */
size_t qp_decoder_four(qp_decoder *decoder, const unsigned char *p,
                       char out[QP_STEP_ROOM]);

/* All of bytes, appended; how many items were bad. */
size_t qp_decoder_all(qp_decoder *decoder, qp_str bytes, qp_buf *out);

/* Bytes of the UTF-8 character at p, 0 where it is not strictly valid or cut off at
 * end. */
static inline size_t qp_utf8_valid(const unsigned char *p, const unsigned char *end)
{
    size_t n = (size_t)(end - p);
    unsigned c = p[0];
    if (c < 0x80)
        return 1;
    if (c < 0xC2 || c > 0xF4 || n < 2 || (p[1] & 0xC0) != 0x80)
        return 0;
    if (c < 0xE0)
        return 2;
    if (n < 3 || (p[2] & 0xC0) != 0x80)
        return 0;
    if (c < 0xF0)
        return (c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F) ? 0 : 3;
    if (n < 4 || (p[3] & 0xC0) != 0x80)
        return 0;
    return (c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F) ? 0 : 4;
}

/* Encodes all of text, or returns false where a character is missing. */
bool qp_encoder_strict(qp_encoder *encoder, qp_str text, qp_buf *out);

/* ---- detection ---- */

/* What a reading of some bytes in one encoding shows. */
typedef struct qp_evidence {
    uint32_t glyphs; /* characters that moves are written with */
    uint32_t moves;  /* of these: 平 进 進 退 */
    uint32_t errors;
    uint32_t wide;   /* UTF-8: characters of three bytes and more */
    uint32_t multi;  /* all characters of more than one byte */
    uint32_t common; /* hanzi from the half of the table that holds the usual ones */
} qp_evidence;

/* Weighs the bytes as UTF-8, GB18030 or Big5. cut: the end may lie inside a character. */
void qp_weigh(qp_encoding encoding, const unsigned char *p, size_t n, bool cut,
              qp_evidence *evidence);
static inline int64_t qp_score(const qp_evidence *e)
{
    return (int64_t)e->glyphs - 5 * (int64_t)e->errors;
}
/* Whether the code point is one of those that the evidence counts; *moves: a
 * direction. */
bool qp_is_move_glyph(uint32_t code_point, bool *direction);
/* A byte order mark: *len gets its bytes. NONE: none there. */
qp_encoding qp_detect_mark(const unsigned char *p, size_t n, size_t *len);
/* UTF-16 without mark, by its zero bytes; NONE: it is not. */
qp_encoding qp_detect_utf16(const unsigned char *p, size_t n);
/* The encoding of bytes of which some are not ASCII. *sure: nothing had to be guessed. */
qp_encoding qp_detect(const unsigned char *p, size_t n, bool cut, qp_text_judge judge,
                      void *judge_user, bool *sure);
/* The encoding that fits a part of a file better than current does; current if none. */
qp_encoding qp_detect_change(qp_encoding current, const unsigned char *p, size_t n,
                             bool cut);

#endif
