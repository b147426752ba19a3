/* What skim.c and skim_tags.c share: tags as nearly every program writes them, taken in from the
 * bytes of the file. */
#ifndef QP_SKIM_H
#define QP_SKIM_H

#include "format/marks.h"
#include "format/said.h"

static inline bool qp_skim_is_letter(unsigned char c)
{
    return (c | 0x20u) - 'a' < 26;
}

/* The line end at p: its length, 0 where none is there. */
static inline size_t qp_skim_line_end(const unsigned char *p)
{
    return p[0] == '\n' ? 1 : p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

/* The start of a tag as nearly all are written, up to its value; 0: it is no such one. */
static inline size_t qp_skim_tag_head(const unsigned char *p, size_t n)
{
    enum { NAME_MAX_LEN = 64 };
    size_t i = 1, most = n < NAME_MAX_LEN ? n : NAME_MAX_LEN;
    if (n == 0 || p[0] != '[')
        return 0;
    while (i < most && qp_skim_is_letter(p[i]))
        i++;
    return i > 1 && i + 2 < n && p[i] == ' ' && p[i + 1] == '"' ? i + 2 : 0;
}

/* Where in a record's bytes its tags stand. */
typedef struct qp_skim_span {
    uint32_t name, name_len, value, value_len;
} qp_skim_span;
enum { QP_SKIM_SPANS = 64 };
typedef struct qp_skim_spans {
    size_t count; /* more than QP_SKIM_SPANS: not all of them are here */
    bool clean; /* nothing can be said of the bytes of all the tags */
    bool start_given; /* one of them gives the usual start position */
    qp_skim_span at[QP_SKIM_SPANS];
} qp_skim_spans;

/* The tags of a file's records, as they are met. */
typedef struct qp_skim_heads qp_skim_heads;
qp_skim_heads *qp_skim_heads_new(void); /* NULL: memory ran out; free() it */
/* Passes over the tags at p and the empty lines behind them; returns where these end, 0: not all
 * of them are plain; *lines gets how many lines they take. judges: whether they are quiet is asked.
 * spans, if not NULL, gets where they are. */
size_t qp_skim_tags_pass(qp_skim_heads *heads, qp_source *source, qp_encoding encoding,
                         qp_patterns *patterns, bool judges, const unsigned char *p, size_t n,
                         qp_said *said, uint32_t *lines, qp_skim_spans *spans);

#endif
