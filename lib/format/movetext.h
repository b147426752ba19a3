/* One run through movetext: what its two halves share. movetext.c reads rounds, numbers and
 * moves, movetext_words.c all that stands beside them. Each function starts at s->at and
 * moves it past what it read. */
#ifndef QP_FORMAT_MOVETEXT_H
#define QP_FORMAT_MOVETEXT_H

#include "format/marks.h"

typedef struct qp_mt_scan {
    qp_movetext *m;
    qp_source *source;
    qp_record *record;
    const char *text; /* of the record; moves when the source grows */
    size_t at, line_end; /* line_end: of the line that at lies in */
    bool line_start;  /* nothing but blanks before at in its line */
    bool begun;       /* a line was looked at before */
    bool trailing;    /* text behind the end was reported */
    bool blank_before; /* the line before this one is empty */
    unsigned depth;   /* open variations */
    uint32_t last_number;
    bool odd;         /* numbers do not rise */
    size_t usual;     /* events that read_rounds or a result added */
    uint32_t number_plies; /* m->plies when the last number was read */
    bool after_result;
    uint32_t opened[8]; /* where the outermost open variations begin */
    size_t paren_work;  /* bytes looked at for partners of parentheses */
} qp_mt_scan;

/* Decodes some more; false: there is none. */
static inline bool qp_mt_more(qp_source *source)
{
    return !source->ended && qp_source_more(source);
}

/* qp_mt_line_end for lines that end behind what is decoded. */
size_t qp_mt_far_line_end(qp_source *source, uint64_t limit);

/* Where the line that `at` lies in ends. */
static inline size_t qp_mt_line_end(qp_source *source, size_t at, uint64_t limit)
{
    const char *lf = NULL;
    if (QP_LIKELY_TO(at < source->len))
        lf = memchr(source->text + at, '\n', source->len - at);
    return QP_LIKELY_TO(lf != NULL) ? (size_t)(lf - source->text)
                                    : qp_mt_far_line_end(source, limit);
}

/* After at has moved on, perhaps into another line. */
static inline void qp_mt_moved(qp_mt_scan *s)
{
    if (s->at > s->line_end)
        s->line_end = qp_mt_line_end(s->source, s->at, s->m->reading->limit);
    s->text = s->source->text;
}

static inline void qp_mt_number(qp_mt_scan *s, size_t at, size_t len, unsigned value, bool dots)
{
    qp_event *event = qp_record_add(s->record, QP_EV_NUMBER, at, len);
    if (event == NULL)
        return;
    event->value = (uint16_t)value;
    event->flags = dots ? QP_EV_DOTS : 0;
    if (s->depth == 0 && value != 0) {
        s->last_number = value;
        s->number_plies = s->m->plies;
    }
}

/* Whether `15.6` here is a pawn of WXF (first pawn of file 5 across to 6) and no number. */
static inline bool qp_mt_wxf_pawn(qp_mt_scan *s, const char *p, size_t n, qp_written *written)
{
    if (n < 4 || !qp_digits_only(p, 2))
        return false;
    size_t used = qp_lex_move(s->m->reading->lexer, p, n, written);
    if (used < 4)
        return false;
    return p[2] != '.' || used == n || qp_blank_len(p + used, n - used) != 0;
}

/* ---- movetext_words.c ---- */

/* The result at the end, or in the midst, of movetext. */
void qp_mt_result(qp_mt_scan *s, size_t at, size_t len, qp_result result);
/* Whether the line from here on is a divider or an advertisement: =====, a URL, 欢迎访问 … */
bool qp_mt_trailer(qp_mt_scan *s);
/* A comment in braces. */
void qp_mt_braces(qp_mt_scan *s);
/* A word that is no move, with those that belong to it. */
void qp_mt_word(qp_mt_scan *s);
/* A variation, a remark or a clock in parentheses. */
void qp_mt_paren(qp_mt_scan *s);
/* The end of a variation. */
void qp_mt_close(qp_mt_scan *s);
/* $1 */
void qp_mt_nag(qp_mt_scan *s);
/* What begins with none of the usual characters. */
void qp_mt_other(qp_mt_scan *s);
/* What pages put around moves and that says nothing, clocks apart; false: none stands there. */
bool qp_mt_frills(qp_mt_scan *s);

#endif
