/* The tags of records that are skimmed. Most files write the same tags in the same order above
 * each game, so the tag that is expected is compared as a whole and its value passed over some
 * bytes at a time; anything else is looked at more closely. Where records with nothing to say
 * are passed over, the values must be such that lib/check finds nothing in them.
 */
#include "config.h"

#include "format/skim.h"

#include <stdlib.h>

enum {
    HEADS = 32,
    HEAD_WORDS = 2, /* `[BlackTeam "` and nearly all others fit */
};

typedef enum meaning { PLAIN, FEN, RESULT, DATE, TERMINATION } tag_meaning;

/* A tag up to its value: its bytes as they lie in memory, and which of them count. */
typedef struct tag_head {
    uint64_t bytes[HEAD_WORDS], mask[HEAD_WORDS];
    size_t len; /* 0: not known yet */
    tag_meaning meaning;
} tag_head;

struct qp_skim_heads {
    tag_head at[HEADS]; /* by their place in the record met last */
    qp_encoding encoding; /* of what follows */
    uint32_t recoded, recoded_mask; /* how a value begins that may have been read as another
                                       encoding: see check/header.c */
    qp_said_dates dates;
};

/* One record's tags under way. */
typedef struct tags_pass {
    qp_skim_heads *heads;
    qp_source *source;
    qp_patterns *patterns;
    qp_encoding encoding;
    qp_said *said;
} tags_pass;

qp_skim_heads *qp_skim_heads_new(void)
{
    qp_skim_heads *heads = calloc(1, sizeof *heads);
    if (heads != NULL)
        heads->encoding = QP_ENC_BINARY; /* none that is asked for */
    return heads;
}

static tag_meaning meaning_of(qp_str name)
{
    return qp_str_is_nocase(name, "FEN")           ? FEN
           : qp_str_is_nocase(name, "Result")      ? RESULT
           : qp_str_is_nocase(name, "Date")        ? DATE
           : qp_str_is_nocase(name, "Termination") ? TERMINATION
                                                   : PLAIN;
}

/* A head that is not the expected one, which it becomes; one that is too long is lent. NULL: it
 * is none. */
static QP_APART const tag_head *other_head(tag_head *expected, tag_head *lent,
                                           const unsigned char *p, size_t n)
{
    size_t len = qp_skim_tag_head(p, n);
    if (len == 0)
        return NULL;
    tag_head *made = len <= sizeof made->bytes ? expected : lent;
    *made = (tag_head){.len = len, .meaning = meaning_of((qp_str){(const char *)p + 1, len - 3})};
    if (made == expected) {
        memcpy(made->bytes, p, len);
        memset(made->mask, 0xff, len);
    }
    return made;
}

/* The tag's start at p: the expected one, or another. Behind n, QP_LOAD_SLACK bytes may be
 * touched. */
static inline const tag_head *head_at(tag_head *expected, tag_head *lent,
                                      const unsigned char *p, size_t n)
{
    uint64_t bytes[HEAD_WORDS];
    memcpy(bytes, p, sizeof bytes);
    if (QP_LIKELY_TO((((bytes[0] ^ expected->bytes[0]) & expected->mask[0]) |
                      ((bytes[1] ^ expected->bytes[1]) & expected->mask[1])) == 0 &&
                     expected->len != 0 && expected->len < n))
        return expected;
    return other_head(expected, lent, p, n);
}

/* The length of the usual start position at p, with the quote behind it; 0: another one. */
static size_t usual_start(const unsigned char *p, size_t n)
{
    static const char usual[] =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"";
    return n >= sizeof usual - 1 && memcmp(p, usual, sizeof usual - 1) == 0 ? sizeof usual - 2 : 0;
}

/* false: none of the usual results, or a second one. */
static inline bool take_result(qp_said *said, const unsigned char *value, size_t len)
{
    bool first = !said->has_result, usual = true;
    said->has_result = true;
    if (len == 3 && memcmp(value, "1-0", 3) == 0)
        said->result = QP_RESULT_RED;
    else if (len == 3 && memcmp(value, "0-1", 3) == 0)
        said->result = QP_RESULT_BLACK;
    else if (len == 7 && memcmp(value, "1/2-1/2", 7) == 0)
        said->result = QP_RESULT_DRAW;
    else {
        said->result = QP_RESULT_UNKNOWN;
        usual = len == 1 && *value == '*';
    }
    return first && usual;
}

/* Whether nothing can be found in a tag; what it says is noted. */
static inline bool take_tag(const tags_pass *pass, tag_meaning meaning, const unsigned char *value,
                            size_t len)
{
    uint32_t begin;
    memcpy(&begin, value, sizeof begin);
    bool quiet = (begin & pass->heads->recoded_mask) != pass->heads->recoded;
    if (QP_LIKELY_TO(meaning == PLAIN))
        return quiet;
    if (meaning == RESULT)
        return take_result(pass->said, value, len) && quiet;
    return meaning == FEN || (meaning == DATE && quiet && 
                                 qp_said_date_known(&pass->heads->dates, pass->patterns,
                                                    pass->source, pass->encoding, value, len));
}

/* The end of a value that is not known to be plain from `at` on, and whether it is; NULL: the tag
 * is none to be skimmed. */
static QP_APART const unsigned char *odd_end(const tags_pass *pass, const unsigned char *at,
                                             const unsigned char *end, bool *clean)
{
    const unsigned char *quote = at < end ? memchr(at, '"', (size_t)(end - at)) : NULL;
    size_t len = quote != NULL ? (size_t)(quote - at) : 0;
    if (quote == NULL || memchr(at, '\n', len) != NULL || memchr(at, '\r', len) != NULL)
        return NULL;
    *clean = *clean && qp_source_clean(pass->source, pass->encoding, at, len);
    return quote;
}

/* What is kept is of another encoding. */
static QP_APART void begin(qp_skim_heads *heads, qp_encoding encoding)
{
    const char *recoded = qp_said_recoded_mark(encoding);
    heads->encoding = encoding;
    heads->recoded_mask = 0;
    heads->recoded = 1; /* never found */
    if (recoded != NULL) {
        heads->recoded = 0;
        memcpy(&heads->recoded, recoded, strlen(recoded));
        memset(&heads->recoded_mask, 0xff, strlen(recoded));
    }
}

/* Notes the tag at a place behind p. */
static inline void note_span(qp_skim_spans *spans, const unsigned char *p, const unsigned char *at,
                             const tag_head *head, const unsigned char *value,
                             const unsigned char *quote)
{
    spans->start_given |= head->meaning == FEN;
    if (spans->count < QP_SKIM_SPANS)
        spans->at[spans->count] =
            (qp_skim_span){(uint32_t)(at + 1 - p), (uint32_t)(head->len - 3),
                           (uint32_t)(value - p), (uint32_t)(quote - value)};
    spans->count++;
}

size_t qp_skim_tags_pass(qp_skim_heads *heads, qp_source *source, qp_encoding encoding,
                         qp_patterns *patterns, bool judges, const unsigned char *p, size_t n,
                         qp_said *said, uint32_t *line_count, qp_skim_spans *spans)
{
    const unsigned char *at = p, *end = p + n;
    const struct qp_decoder *decoder = qp_source_decoder(source, encoding);
    tags_pass pass = {heads, source, patterns, encoding, said};
    bool clean = true, quiet = true;
    tag_head *expected = heads->at;
    uint32_t lines = 0;
    size_t len;
    *said = (qp_said){.quiet = true};
    if (decoder == NULL)
        return 0;
    if (heads->encoding != encoding)
        begin(heads, encoding);
    if (spans != NULL) {
        spans->count = 0;
        spans->start_given = false;
    }
    for (; at < end && *at == '['; lines++) {
        tag_head lent;
        const tag_head *head = head_at(expected, &lent, at, (size_t)(end - at));
        if (head == NULL)
            return 0;
        const unsigned char *value = at + head->len, *quote;
        if (head->meaning == FEN) {
            if ((len = usual_start(value, (size_t)(end - value))) == 0)
                return 0;
            quote = value + len;
        } else {
            quote = *value == '"' ? value : qp_decoder_quoted(decoder, value, end);
            if (QP_RARE(*quote != '"') && (quote = odd_end(&pass, quote, end, &clean)) == NULL)
                return 0;
        }
        /* A backslash before the quote may be a character's second byte. */
        if (end - quote < 4 || quote[-1] == '\\')
            return 0;
        len = 3;
        if (QP_RARE(memcmp(quote, "\"]\n", 3) != 0)) {
            if (quote[1] != ']' || qp_skim_line_end(quote + 2) == 0)
                return 0;
            len = 4;
        }
        if (quiet && judges)
            quiet = take_tag(&pass, head->meaning, value, (size_t)(quote - value));
        else if (head->meaning == RESULT)
            take_result(said, value, (size_t)(quote - value));
        if (spans != NULL)
            note_span(spans, p, at, head, value, quote);
        at = quote + len;
        expected += expected != &heads->at[HEADS - 1];
    }
    if (at == p)
        return 0;
    for (; at < end && (len = qp_skim_line_end(at)) != 0; lines++)
        at += len;
    *line_count = lines;
    said->quiet = quiet && clean;
    if (spans != NULL)
        spans->clean = clean;
    return (size_t)(at - p);
}
