/* What stands around moves, told from its first bytes. p[0, n) is the rest of a line; lengths
 * are in bytes, 0 where the thing does not stand at p. */
#ifndef QP_FORMAT_MARKS_H
#define QP_FORMAT_MARKS_H

#include "format/format.h"

/* Whether p[0, n) is nothing but ASCII digits, and not empty. */
bool qp_digits_only(const char *p, size_t n);
/* A run of dots in any script; *count says how many, an ellipsis for two. */
size_t qp_dots_len(const char *p, size_t n, unsigned *count);
/* A round number with what belongs to it: `12.` `12、` `(12)` `第12回合` `第十二回合` `①` `⒈`
 * `⑴` `#12` `12.……`. *dots: it says that Black moves. */
size_t qp_number_len(const char *p, size_t n, unsigned *value, bool *dots);
/* 十二、: a round number where a move follows, else what heads a paragraph. */
size_t qp_numeral_len(const char *p, size_t n, unsigned *value);
/* 1-0, 0:1, ½-½, * …: the result at the end of movetext. */
size_t qp_result_len(const char *p, size_t n, qp_result *result);
/* Marks behind a move: ! ?! ± …; *nag is the glyph that they are, 0 for one that says
 * nothing that the board does not (+ #). */
size_t qp_mark_len(const char *p, size_t n, unsigned *nag);
/* Whether a line is movetext; see txt.c. */
bool qp_is_movetext(const struct qp_lexer *lexer, const char *p, size_t n);
/* Text around moves that says nothing: see markup.c. first: nothing else stands before it in
 * its line. */
size_t qp_markup_len(const struct qp_lexer *lexer, const char *p, size_t n, bool first);
/* A time: 2:35, 0:02:35, 2分35秒, 2'35". */
size_t qp_clock_len(const char *p, size_t n);
/* 红 黑方 Red: the word for a side. */
size_t qp_side_word_len(const char *p, size_t n, qp_side *side);
/* Whether a character is a letter or ideograph, with which a word goes on. */
bool qp_goes_on(const char *p, size_t n);
/* To the next blank or bracket; never 0. */
size_t qp_token_len(const char *p, size_t n);
/* Whether a token has the make of a move in letters and digits, though none reads it. */
bool qp_ascii_move_like(const char *p, size_t n);
/* Whether U+FFFD stands in it. */
bool qp_has_lost_character(const char *p, size_t n);

#endif
