/* The text floor: bytes from a callback become UTF-8 text whose every offset can be
 * traced back to the file. Knows encodings and lines, no formats and no chess.
 *
 * What a source hands on is UTF-8 with LF line ends, without BOMs, NULs and other control
 * characters that carry nothing; a byte that the encoding does not allow is U+FFFD. All
 * else is as it was: folding glyphs and spaces is the lexers' work, from tables.
 */
#ifndef QP_TEXT_H
#define QP_TEXT_H

#include "base/base.h"

/* ---- encodings ---- */

typedef enum qp_encoding {
    QP_ENC_NONE, /* not known yet, or nothing but ASCII */
    QP_ENC_UTF8,
    QP_ENC_GB18030, /* covers GB2312 and GBK */
    QP_ENC_BIG5,    /* CP950 with HKSCS */
    QP_ENC_UTF16LE,
    QP_ENC_UTF16BE,
    QP_ENC_BINARY, /* no text: bytes are handed on as they are */
} qp_encoding;

/* "utf-8" "gb18030" "big5" "utf-16le" …; "ascii" for QP_ENC_NONE. */
const char *qp_encoding_name(qp_encoding encoding);
/* By any usual name (UTF8, gbk, cp936, GB2312, big5-hkscs, cp950 …); QP_ENC_NONE:
 * unknown. */
qp_encoding qp_encoding_find(const char *name);
/* Decodes one character at p (n >= 1 bytes). *used is set to how many bytes it took;
 * returns its code point, or 0xFFFD with *used = 1 for a byte that is not allowed. *used
 * = 0: the character goes on past the n bytes. Not for UTF-16 halves; slow path. */
uint32_t qp_decode_one(qp_encoding encoding, const unsigned char *p, size_t n,
                       size_t *used);

/* ---- source ---- */

/* Something about the bytes that the reader should report. */
typedef struct qp_text_note {
    qp_code code;       /* encoding_invalid, encoding_guessed, encoding_junk */
    const char *detail; /* guessed: "guessed" "encoding-mixed"; junk: "nul" "control";
                           invalid: "bad-byte", "lost-character" (U+FFFD stood there) */
    size_t at, len; /* in the text, from the record's start; len is 0 for junk, which is
                       told once a record, where it begins */
    uint32_t count; /* how many of the kind in a row were put into this one note */
    qp_encoding from, to; /* encoding_guessed: before and now */
} qp_text_note;

/* Says how well a reading of some bytes makes sense as moves: the number of legal plies
 * at its beginning. Settles a tie between encodings; may be NULL. */
typedef unsigned (*qp_text_judge)(void *user, qp_str text);

/* Read the fields; only the functions below change them. A record is text[0, len) from
 * its start; len grows with qp_source_more, and text may move then. */
typedef struct qp_source {
    const char *text; /* start of the current record */
    size_t len;       /* bytes of it that are decoded */
    bool ended;       /* nothing follows text[len] */
    bool lost;        /* a read failed; errno in error */
    int error;
    qp_encoding encoding; /* of the record's first line */
    bool had_bytes;       /* the file holds at least one byte */
    struct qp_source_inside *inside;
} qp_source;

/* encoding: QP_ENC_NONE to detect. false: memory ran out. */
bool qp_source_open(qp_source *source, qp_read_fn read, void *user, qp_encoding encoding,
                    qp_text_judge judge, void *judge_user);
/* What a text's decoding carries from one record to the next: where the record begins, and
 * how what stands before it was read. */
typedef struct qp_source_stand {
    uint64_t byte;
    uint32_t line; /* line ends before it */
    bool inside;   /* a line, that goes on from here */
    uint8_t encoding;
    bool checked; /* it may change with every game */
    bool spoken;  /* text beyond ASCII stands before it */
    bool told;    /* and a guess at its encoding was reported */
} qp_source_stand;
/* The same for a reader of a part, in a source that is {0} or rests: read hands on the bytes from
 * stand->byte on. until: where the next part begins, so that little is decoded of that;
 * UINT64_MAX: nothing follows. */
bool qp_source_open_at(qp_source *source, qp_read_fn read, void *user,
                       const qp_source_stand *stand, uint64_t until, qp_text_judge judge,
                       void *judge_user);
/* The stand at an offset of the current record. ahead: what the text decoded so far, beyond
 * the offset too, has shown of encodings. Not for binary files. */
void qp_source_stand_at(qp_source *source, size_t at, bool ahead, qp_source_stand *stand);
/* Whether an offset of the text lies at or behind a byte of the file. */
bool qp_source_past(qp_source *source, size_t at, uint64_t byte);
void qp_source_close(qp_source *source);
/* The same, but what memory it took stays for qp_source_open_at, up to QP_REST_ROOM. */
void qp_source_rest(qp_source *source);
/* A decoder of the source's own, for strings in binary formats; NULL: memory ran out. */
struct qp_decoder *qp_source_decoder(qp_source *source, qp_encoding encoding);
/* Passes over plain text as nearly all is, which can be decoded without a word about it: up to a
 * quote, a control character, what only a closer look can tell, or end, which it may pass by some
 * bytes. QP_LOAD_SLACK bytes behind end may be touched. Not for UTF-16. */
const unsigned char *qp_decoder_quoted(const struct qp_decoder *decoder, const unsigned char *p,
                                       const unsigned char *end);
/* The first bytes of the file as they are on disk, for binary probes; read, not consumed.
 * At most 4096. Call before anything else. */
qp_str qp_source_head(qp_source *source);
/* Before any text was asked for: hand on bytes as they are (binary formats). */
void qp_source_set_binary(qp_source *source);
/* Decodes another block behind len. Blocks end at line ends where lines are shorter than
 * a block. false: the end (ended is set), or memory ran out (lost is set). */
bool qp_source_more(qp_source *source);
/* Makes sure that at least want bytes stand behind offset at; false where the text ends
 * before that. */
static inline bool qp_source_has(qp_source *source, size_t at, size_t want)
{
    while (QP_RARE(at > source->len || source->len - at < want))
        if (!qp_source_more(source))
            return false;
    return true;
}
/* The offset of the line end at or after at (of the LF, or of the text's end). limit
 * bounds how far to look: past it at + limit is returned. */
size_t qp_source_line_end(qp_source *source, size_t at, size_t limit);
/* The next record starts used bytes on. Forgets what stands before it, but for the line
 * it lies in, and the notes that qp_source_notes has lent. */
void qp_source_next(qp_source *source, size_t used);

/* ---- gaps ---- */

/* Part of a game that is not decoded, since its user read it from the bytes: whole lines. */
typedef struct qp_gap {
    bool whole;      /* all of the game; then lines alone counts */
    size_t from, to; /* of the game's bytes: starts of lines */
    size_t on;       /* from here on, at or behind to, its text is to be read */
    size_t end;      /* of the game: another begins there, or nothing does */
    uint32_t lines;  /* line ends that are left out */
} qp_gap;
/* Sees the bytes from the start of a game on before they are decoded: len bytes at p, behind
 * which the file ends or not, and QP_GAP_PAST that may be looked at in any case. index counts
 * the gaps since the user last stood behind all that was decoded. own: the game is not another
 * reader's, and may be left out whole. false: decode all of it. */
enum { QP_GAP_PAST = 16 };
typedef bool (*qp_skim_fn)(void *user, uint32_t index, qp_encoding encoding,
                           const unsigned char *p, size_t len, bool ended, bool own,
                           qp_gap *gap);
/* From now on games are shown to skim, where the user stands at the start of a record when
 * the text goes on, and as long as it finds gaps. passes: it may leave out games as a whole;
 * then the text goes on by one game at a time, so that those stand before it. Not for UTF-16 and
 * binary files. */
void qp_source_skim(qp_source *source, qp_skim_fn skim, void *user, bool passes);
/* The stand behind the text, and what was left out whole there; *told: there is something to say
 * of what stands before it that no record has taken yet. */
void qp_source_here(const qp_source *source, qp_source_stand *stand, bool *told);
/* Whether some bytes can be decoded without a word about them. */
bool qp_source_clean(qp_source *source, qp_encoding encoding, const unsigned char *p, size_t n);
/* Whether a game of some bytes is read in an encoding that the one before it was in. */
bool qp_source_fits(const qp_source *source, qp_encoding encoding, const unsigned char *p,
                    size_t n);
/* Whether nothing is to be said of the first bytes of the current record's text. */
bool qp_source_silent(const qp_source *source, size_t upto);
/* Passes over line ends at the beginning of the current record of which nothing is to be said:
 * it begins behind them then. */
void qp_source_pass_lines(qp_source *source);
/* Of a source that is skimmed: some bytes that wait behind the text, for telling whether a game
 * begins there. Reads on where there are none yet; text may move. Empty: nothing is known. */
qp_str qp_source_waiting(qp_source *source);
/* Whether a gap lies at an offset of the current record; *on gets the offset to read on from. */
bool qp_source_gap(const qp_source *source, size_t at, size_t *on, uint32_t *index);
/* The text of bytes in an encoding: its length, 0 where any of it is no plain text, or more
 * than room. Faster where there is room for whatever they may be. */
#define QP_DECODE_ROOM(bytes) (3 * (bytes) + 16)
size_t qp_source_decode(qp_source *source, qp_encoding encoding, const unsigned char *p,
                        size_t n, char *out, size_t room);

/* Where a span of the current record lies in the file. An empty span holds the bytes that
 * were passed over there (NULs, byte order marks). */
typedef struct qp_place {
    uint64_t byte, byte_end;
    uint32_t line, column; /* from 1; column in characters; 0 in a binary file */
    qp_str source;    /* the line, without its end, cut where it is long; lent until the
                         next qp_source_more or qp_source_next */
    size_t source_at; /* offset of the span in it */
} qp_place;
void qp_source_locate(qp_source *source, size_t at, size_t len, qp_place *place);
/* What happened in text[0, upto), in order, with SIZE_MAX also behind it at the file's end;
 * lent until the next call on the source. What was passed over and not asked for stands
 * first, at 0. */
const qp_text_note *qp_source_notes(qp_source *source, size_t upto, size_t *count);
/* The encoding that the text at an offset came in. */
qp_encoding qp_source_encoding_at(qp_source *source, size_t at);

/* ---- characters ---- */

/* Decodes one UTF-8 character of valid text; *len gets its bytes. n >= 1. */
uint32_t qp_utf8_at(const char *p, size_t n, size_t *len);
size_t qp_utf8_put(char out[4], uint32_t code_point);
/* Columns on a terminal: 0 for what combines or cannot be seen, 2 for wide ones, else
 * 1. */
unsigned qp_cell_width(uint32_t code_point);
/* Bytes of the blank at p: ASCII white space (LF too), U+00A0, U+3000, other Unicode
 * spaces and characters that cannot be seen (U+200B U+2060 U+FEFF …). 0: none. */
size_t qp_blank_len(const char *p, size_t n);

/* ---- wrongly decoded text ---- */

/* Whether text looks like GBK, Big5 or UTF-8 once read as Latin-1, CP1252 or Mac Roman, or as
 * another of the three, and saved again: then *out gets what was meant and *how
 * says it ("GBK read as Latin-1"). The score counts Xiangqi glyphs; text that is good as
 * it stands is never taken. */
bool qp_mojibake_undo(qp_str text, qp_buf *out, const char **how);
/* text encoded in `from`, decoded again as `to`; false where either is not possible. */
bool qp_recode(qp_str text, qp_encoding from, qp_encoding to, qp_buf *out);

/* ---- output ---- */

/* UTF-8 in, any encoding out, through iconv. */
typedef struct qp_encoder qp_encoder;
/* name: any that iconv knows. NULL: unknown, or memory ran out. */
qp_encoder *qp_encoder_open(const char *name);
void qp_encoder_close(qp_encoder *encoder);
bool qp_encoder_is_utf8(const qp_encoder *encoder);
/* Appends text. What cannot be said is told to missing, once a character, with its offset in
 * text, and written as what that returns (in ASCII), or as `fallback` for NULL. */
typedef const char *(*qp_unmappable_fn)(void *user, size_t at, uint32_t code_point);
void qp_encoder_add(qp_encoder *encoder, qp_str text, qp_buf *out, const char *fallback,
                    qp_unmappable_fn missing, void *user);
/* Whether the encoding has the character. */
bool qp_encoder_has(qp_encoder *encoder, uint32_t code_point);

#endif
