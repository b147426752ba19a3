/* Which records of PGN can be skimmed: tags, an empty line, plain rounds and a result, all as
 * nearly every program writes them. Their moves are played from the bytes of the file
 * (game/rounds.c) and never become text, events or a tree. Anything else is left alone here
 * and read by pgn.c; so nothing is ever reported. What is left of the record must lead pgn.c
 * to the start of the next one, whatever that holds.
 */
#include "config.h"

#include "format/marks.h"

#include <stdlib.h>

struct qp_skim {
    qp_rounds_reading rounds;
    uint64_t limit; /* of a record's bytes */
    qp_rounds *found; /* by the index of their gap */
    size_t room;
};

static inline bool is_letter(unsigned char c)
{
    return (c | 0x20u) - 'a' < 26;
}

/* The line end at p: its length, 0 where none is there. */
static inline size_t line_end(const unsigned char *p)
{
    return p[0] == '\n' ? 1 : p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

/* The start of a tag as nearly all are written, up to its value; 0: it is no such one. */
static inline size_t tag_head(const unsigned char *p, size_t n)
{
    enum { NAME_MAX_LEN = 64 };
    size_t i = 1, most = n < NAME_MAX_LEN ? n : NAME_MAX_LEN;
    if (n == 0 || p[0] != '[')
        return 0;
    while (i < most && is_letter(p[i]))
        i++;
    return i > 1 && i + 2 < n && p[i] == ' ' && p[i + 1] == '"' ? i + 2 : 0;
}

static bool is_name(const unsigned char *p, size_t head, const char *name, size_t len)
{
    return head == len + 3 && qp_str_is_nocase((qp_str){(const char *)p + 1, len}, name);
}

/* Whether a FEN is that of the usual start. */
static bool is_usual_start(const unsigned char *p, size_t n)
{
    static const char usual[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR ";
    static const char *const rests[] = {"w - - 0 1", "r - - 0 1", "w", "r"};
    const size_t len = sizeof usual - 1;
    if (n <= len || memcmp(p, usual, len) != 0)
        return false;
    for (size_t i = 0; i < QP_COUNT(rests); i++)
        if (n - len == strlen(rests[i]) && memcmp(p + len, rests[i], n - len) == 0)
            return true;
    return false;
}

/* Where the tags and the empty lines behind them end; 0: not all of them are plain. */
static size_t pass_tags(const unsigned char *p, size_t n, bool *result)
{
    size_t at = 0, head, end;
    while (at < n && p[at] == '[') {
        if ((head = tag_head(p + at, n - at)) == 0)
            return 0;
        const unsigned char *value = p + at + head, *quote;
        quote = memchr(value, '"', n - at - head);
        /* A backslash before the quote may be a character's second byte. */
        if (quote == NULL || quote + 4 > p + n || quote[1] != ']' || quote[-1] == '\\')
            return 0;
        size_t len = (size_t)(quote - value);
        if (memchr(value, '\n', len) != NULL || memchr(value, '\r', len) != NULL ||
            (end = line_end(quote + 2)) == 0)
            return 0;
        if (is_name(p + at, head, "FEN", 3) && !is_usual_start(value, len))
            return 0;
        *result |= is_name(p + at, head, "Result", 6);
        at += head + len + 2 + end;
    }
    while (at != 0 && at < n && (end = line_end(p + at)) != 0)
        at += end;
    return at;
}

/* Whether nothing stands at p but a result, if any, in lines of its own but for the first. */
static bool is_tail(const unsigned char *p, size_t n, bool *result)
{
    bool seen = false;
    for (size_t at = 0, len; at < n; at += len) {
        qp_result found;
        if (p[at] == '\n' || p[at] == ' ') {
            len = 1;
        } else if (p[at] == '\r' && at + 1 < n && p[at + 1] == '\n') {
            len = 2;
        } else if (!seen && (p[at] == '*' || p[at] == '0' || p[at] == '1')) {
            len = qp_result_len((const char *)p + at, n - at, &found);
            bool ends = at + len == n || p[at + len] == '\n' || p[at + len] == '\r';
            if (len == 0 || !ends)
                return false;
            seen = *result = true;
        } else {
            return false;
        }
    }
    return true;
}

static bool skim(void *user, uint32_t index, qp_encoding encoding, const unsigned char *p,
                 size_t len, size_t more, qp_gap *gap)
{
    qp_skim *skim = user;
    bool result = false;
    if (len > skim->limit || (more != 0 && tag_head(p + len, more) == 0))
        return false;
    gap->from = pass_tags(p, len, &result);
    if (gap->from == 0 || len - gap->from < 3 || memcmp(p + gap->from, "1. ", 3) != 0)
        return false;
    if (index >= skim->room) {
        size_t room = skim->room ? skim->room * 2 : 64;
        qp_rounds *grown = realloc(skim->found, room * sizeof *grown);
        if (grown == NULL)
            return false;
        skim->found = grown;
        skim->room = room;
    }
    qp_rounds *rounds = &skim->found[index];
    size_t line;
    skim->rounds.encoding = encoding;
    gap->on = qp_rounds_read(&skim->rounds, p + gap->from, len - gap->from, rounds, &line,
                             &gap->lines);
    if (gap->on == 0)
        return false;
    gap->on += gap->from;
    gap->to = gap->from + line;
    return is_tail(p + gap->on, len - gap->on, &result) &&
           (result || rounds->end == QP_END_NONE); /* that may ask for a result's place */
}

qp_skim *qp_skim_new(void)
{
    qp_skim *made = calloc(1, sizeof *made);
    if (made == NULL || (made->rounds.words = qp_words_new()) == NULL) {
        free(made);
        return NULL;
    }
    return made;
}

void qp_skim_begin(const qp_reading *reading, uint32_t most_quiet)
{
    qp_skim *to = reading->skim;
    uint64_t plies = qp_context_limit(reading->context, QP_LIMIT_NODES);
    to->rounds = (qp_rounds_reading){
        .context = reading->context,
        .lexer = reading->lexer,
        .memo = reading->memo,
        .words = to->rounds.words,
        .source = reading->source,
        .record = reading->record,
        .most_plies = plies < UINT32_MAX ? (uint32_t)plies : UINT32_MAX,
        .most_quiet = most_quiet,
    };
    to->limit = reading->limit / 3; /* no character takes more than three times its bytes */
    qp_source_skim(reading->source, skim, to);
}

void qp_skim_free(qp_skim *skim)
{
    if (skim == NULL)
        return;
    qp_words_free(skim->rounds.words);
    free(skim->found);
    free(skim);
}

const qp_rounds *qp_skim_found(const qp_reading *reading, size_t at, size_t *on)
{
    uint32_t index;
    if (reading->skim == NULL || !qp_source_gap(reading->source, at, on, &index))
        return NULL;
    return &reading->skim->found[index];
}

bool qp_skim_begins(const qp_reading *reading)
{
    qp_str bytes = qp_source_waiting(reading->source);
    return tag_head((const unsigned char *)bytes.data, bytes.len) != 0;
}
