/* Which records of PGN can be skimmed: tags, an empty line, plain rounds and a result, all as
 * nearly every program writes them. Their moves are played from the bytes of the file
 * (game/rounds.c) and never become text, events or a tree. Anything else is left alone here
 * and read by pgn.c; so nothing is ever reported. What is left of the record must lead pgn.c
 * to the start of the next one, whatever that holds.
 *
 * Of most such records there is nothing to say at all: their tags, result and final position
 * agree. Where the user asks for no more, these are counted and passed over whole. Which they
 * are follows from what lib/check looks for; tests/property/test_skim.c holds the two
 * together.
 */
#include "config.h"

#include "format/marks.h"

#include <stdlib.h>

struct qp_skim {
    qp_rounds_reading rounds;
    qp_patterns *patterns;
    uint64_t limit; /* of a record's bytes */
    bool passes;    /* records of which there is nothing to say are passed over */
    qp_skipped passed;
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

/* What the tags say that matters here. */
typedef struct tags {
    bool quiet; /* nothing can be found in them */
    bool has_result;
    qp_result result;
    uint32_t lines;
} tags;

static bool is_usual_start(const unsigned char *p, size_t n)
{
    static const char usual[] =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    return n == sizeof usual - 1 && memcmp(p, usual, n) == 0;
}

/* Whether a date is one that exists, or none. */
static bool is_date(const qp_skim *skim, const unsigned char *p, size_t n)
{
    char text[64], date[11];
    size_t len = n != 0 && n < sizeof text / 3 ? qp_source_decode(skim->rounds.source,
                                                                  skim->rounds.encoding, p, n,
                                                                  text, sizeof text)
                                               : 0;
    return n == 0 || (len != 0 &&
                      qp_date_read(skim->patterns, (qp_str){text, len}, date) <= QP_DATE_EMPTY);
}

/* Whether a value begins as one of GBK does that was read as Big5: see check/header.c. */
static bool may_be_recoded(qp_encoding encoding, const unsigned char *p, size_t n)
{
    return encoding == QP_ENC_BIG5      ? n >= 2 && memcmp(p, "\xB5\xDA", 2) == 0
           : encoding == QP_ENC_GB18030 ? n >= 2 && memcmp(p, "\xC8\x43", 2) == 0
           : encoding == QP_ENC_UTF8    ? n >= 3 && memcmp(p, "\xE8\x8F\xB4", 3) == 0
                                        : false;
}

/* Takes a tag in; false: the record cannot be skimmed. */
static bool take_tag(const qp_skim *skim, tags *said, qp_str name, const unsigned char *value,
                     size_t len)
{
    if (name.len == 3 && qp_str_is_nocase(name, "FEN"))
        return is_usual_start(value, len);
    if (name.len == 6 && qp_str_is_nocase(name, "Result")) {
        static const char *const results[] = {
            [QP_RESULT_UNKNOWN] = "*", [QP_RESULT_RED] = "1-0", [QP_RESULT_BLACK] = "0-1",
            [QP_RESULT_DRAW] = "1/2-1/2"};
        size_t i = 0;
        while (i < QP_COUNT(results) &&
               (strlen(results[i]) != len || memcmp(results[i], value, len) != 0))
            i++;
        said->quiet = said->quiet && !said->has_result && i < QP_COUNT(results);
        said->result = i < QP_COUNT(results) ? (qp_result)i : QP_RESULT_UNKNOWN;
        said->has_result = true;
    }
    if (skim->passes && said->quiet)
        said->quiet = !may_be_recoded(skim->rounds.encoding, value, len) &&
                      !(name.len == 11 && qp_str_is_nocase(name, "Termination")) &&
                      (name.len != 4 || !qp_str_is_nocase(name, "Date") ||
                       is_date(skim, value, len));
    return true;
}

/* Where the tags and the empty lines behind them end; 0: not all of them are plain. */
static size_t pass_tags(const qp_skim *skim, const unsigned char *p, size_t n, tags *said)
{
    size_t at = 0, begin, end;
    *said = (struct tags){.quiet = true};
    for (; at < n && p[at] == '['; said->lines++) {
        if ((begin = tag_head(p + at, n - at)) == 0)
            return 0;
        const unsigned char *value = p + at + begin, *quote;
        quote = memchr(value, '"', n - at - begin);
        /* A backslash before the quote may be a character's second byte. */
        if (quote == NULL || quote + 4 > p + n || quote[1] != ']' || quote[-1] == '\\')
            return 0;
        size_t len = (size_t)(quote - value);
        if (memchr(value, '\n', len) != NULL || memchr(value, '\r', len) != NULL ||
            (end = line_end(quote + 2)) == 0 ||
            !take_tag(skim, said, (qp_str){(const char *)p + at + 1, begin - 3}, value, len))
            return 0;
        at += begin + len + 2 + end;
    }
    for (; at != 0 && at < n && (end = line_end(p + at)) != 0; said->lines++)
        at += end;
    return at;
}

/* What stands behind the moves. */
typedef struct ending {
    bool has_result;
    qp_result result;
    uint32_t lines;
} ending;

/* Passes over what stands behind the moves at an offset: nothing but a result, if any, in lines
 * of its own but for the first. Returns where another record begins, or n; 0: something else
 * stands there. */
static size_t pass_ending(const unsigned char *p, size_t n, size_t at, ending *end)
{
    *end = (struct ending){.lines = 0};
    for (size_t len; at < n; at += len) {
        if (p[at] == '\n' || p[at] == ' ') {
            len = 1;
            end->lines += p[at] == '\n';
        } else if (p[at] == '[' && p[at - 1] == '\n') {
            return tag_head(p + at, n - at) != 0 ? at : 0;
        } else if (p[at] == '\r' && at + 1 < n && p[at + 1] == '\n') {
            len = 2;
            end->lines++;
        } else if (!end->has_result && (p[at] == '*' || p[at] == '0' || p[at] == '1')) {
            len = qp_result_len((const char *)p + at, n - at, &end->result);
            bool ends = at + len == n || p[at + len] == '\n' || p[at + len] == '\r';
            if (len == 0 || !ends)
                return 0;
            for (size_t i = 0; i < len; i++)
                if (p[at + i] >= 0x80)
                    return 0;
            end->has_result = true;
        } else {
            return 0;
        }
    }
    return at;
}

/* Whether tags, result and board agree, so that no check finds anything. */
static bool agrees(const tags *said, const ending *end, const qp_rounds *rounds)
{
    qp_result result = said->result != QP_RESULT_UNKNOWN ? said->result : end->result;
    bool decided = result == QP_RESULT_RED || result == QP_RESULT_BLACK;
    if (!said->quiet ||
        (said->has_result && end->result != QP_RESULT_UNKNOWN && said->result != end->result))
        return false;
    if (rounds->end != QP_END_NONE)
        return result == (rounds->final.side == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED);
    return !decided || !qp_board_dead_material(&rounds->final);
}

static bool skim(void *user, uint32_t index, qp_encoding encoding, const unsigned char *p,
                 size_t len, bool ended, bool own, qp_gap *gap)
{
    qp_skim *skim = user;
    tags said;
    ending end;
    skim->rounds.encoding = encoding;
    gap->from = pass_tags(skim, p, len, &said);
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
    gap->on = qp_rounds_read(&skim->rounds, p + gap->from, len - gap->from, rounds, &line,
                             &gap->lines);
    if (gap->on == 0)
        return false;
    gap->on += gap->from;
    gap->to = gap->from + line;
    gap->end = pass_ending(p, len, gap->on, &end);
    if (gap->end == 0 || gap->end > skim->limit || (gap->end == len && !ended))
        return false;
    gap->whole = own && skim->passes && agrees(&said, &end, rounds) &&
                 qp_source_clean(skim->rounds.source, encoding, p, gap->from);
    if (gap->whole) {
        gap->lines += said.lines + end.lines;
        skim->passed.games++;
        skim->passed.plies += rounds->plies;
        return true;
    }
    rounds->notation = qp_rounds_notation(&skim->rounds);
    /* A mate may ask for a result's place. */
    return said.has_result || end.has_result || rounds->end == QP_END_NONE;
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

void qp_skim_begin(const qp_reading *reading, uint32_t most_quiet, bool passes)
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
    to->patterns = reading->patterns;
    to->passes = passes;
    to->passed = (qp_skipped){0};
    to->limit = reading->limit / 3; /* no character takes more than three times its bytes */
    qp_source_skim(reading->source, skim, to, passes);
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

qp_skipped qp_skim_skipped(qp_skim *skim)
{
    qp_skipped passed = {0};
    if (skim != NULL) {
        passed = skim->passed;
        skim->passed = (qp_skipped){0};
    }
    return passed;
}

bool qp_skim_begins(const qp_reading *reading)
{
    qp_str bytes = qp_source_waiting(reading->source);
    return tag_head((const unsigned char *)bytes.data, bytes.len) != 0;
}
