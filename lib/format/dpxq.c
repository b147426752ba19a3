/* The text that dpxq.com exports with variations: header lines, 【主变: …】 and the
 * rounds of the main line, then blocks such as 【变①接主变第12回合】 or 【变3-0-12】 that
 * leave a line before them, and remarks as *第 5 回合红: …. A block says where it leaves
 * by its heading, its first round number, or the sign behind the move that it replaces;
 * where these differ the number counts, and a finding says so. Sources: the readers of
 * vschess and others; headings are the patterns of messy.tsv. */
#include "config.h"

#include "format/marks.h"
#include "format/plies.h"

#include <stdlib.h>

enum { SIGNS = 52, IDS = 10000, NO_LINE = UINT32_MAX };

/* A line of play; its plies stand in a row. */
typedef struct line {
    uint32_t parent; /* line that it leaves */
    uint32_t first,
        ply; /* number of its first ply from the start; its index, 0 none yet */
    uint32_t count;
} line;

/* A reader's state between records. */
typedef struct dpxq {
    qp_plies *plies;
    line *lines; /* [0] the main line */
    size_t count, room;
    uint32_t by_sign[SIGNS], by_id[IDS]; /* line + 1, 0: none */
    uint32_t mark[SIGNS],
        mark_line[SIGNS]; /* ply behind which the sign stands, 0: none */
} dpxq;

typedef struct scan {
    qp_reading *in;
    dpxq *d;
    uint32_t line;  /* that is read; NO_LINE: text that belongs to none */
    uint32_t round; /* what its heading says, 0: nothing */
    uint32_t at;    /* the last number of 【变3-0-12】 */
    uint32_t sign;
    unsigned number; /* round number that stood last */
    bool black, black_said, dots;
    unsigned first_round; /* of the main line */
    bool guessed, stray;
} scan;

static unsigned sign_of(const char *p, size_t n, size_t *len)
{
    *len = 0;
    if (n == 0 || (*p != 'B' && (unsigned char)*p < 0x80))
        return 0;
    uint32_t c = qp_utf8_at(p, n, len);
    return c >= 0x2460 && c <= 0x2473   ? c - 0x2460 + 1
           : c >= 0x3251 && c <= 0x325F ? c - 0x3251 + 21
           : c >= 0x32B1 && c <= 0x32BF ? c - 0x32B1 + 36
           : c == 'B'                   ? 51
                                        : 0;
}

static unsigned number_in(qp_str text)
{
    unsigned value = 0;
    for (size_t i = 0; i < text.len && value < IDS; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == 0xEF && i + 2 < text.len) { /* a full-width digit */
            value = value * 10 + (unsigned char)text.data[i + 2] - 0x90u;
            i += 2;
        } else if (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
        }
    }
    return value;
}

static qp_str group(qp_patterns *patterns, const qp_match *m, const char *pattern,
                    const char *name)
{
    qp_str text = m->group[qp_pattern_group(patterns, pattern, name)];
    return text.data != NULL ? text : (qp_str){"", 0};
}

static unsigned dpxq_probe(const qp_probe *probe)
{
    static const char *const heads[] = {"【主变", "【主變"};
    const char *p = probe->text.data;
    size_t n = probe->text.len;
    for (size_t i = 0; i < n;) {
        const char *lf = memchr(p + i, '\n', n - i);
        size_t end = lf ? (size_t)(lf - p) : n, at = i, blank;
        while (at < end && (blank = qp_blank_len(p + at, end - at)) != 0)
            at += blank;
        for (size_t h = 0; h < QP_COUNT(heads); h++)
            if (end - at > strlen(heads[h]) &&
                memcmp(p + at, heads[h], strlen(heads[h])) == 0)
                return 60;
        i = end + 1;
    }
    return 0;
}

/* ---- lines ---- */

static bool add_line(scan *s, uint32_t parent)
{
    dpxq *d = s->d;
    if (d->count == d->room) {
        size_t room = d->room ? d->room * 2 : 32;
        line *grown = realloc(d->lines, room * sizeof *grown);
        if (grown == NULL) {
            s->in->record->failed = true;
            return false;
        }
        d->lines = grown;
        d->room = room;
    }
    s->line = (uint32_t)d->count;
    d->lines[d->count++] = (line){.parent = parent};
    s->round = s->at = s->sign = s->number = 0;
    s->black = s->black_said = s->dots = false;
    return true;
}

/* The ply with that number, counted from the start, on the way through a line; 0 is the
 * start position. Past the line's end it is its last one, and *past is set. */
static uint32_t ply_at(const dpxq *d, uint32_t index, uint32_t number, bool *past)
{
    const line *l = &d->lines[index];
    while (index != 0 && (l->count == 0 || number < l->first)) {
        index = l->parent;
        l = &d->lines[index];
    }
    if (number == 0 || l->count == 0)
        return 0;
    if (number < l->first + l->count)
        return l->ply + (number - l->first);
    *past = true;
    return l->ply + l->count - 1;
}

static uint32_t ply_number(const scan *s, unsigned round, bool black)
{
    unsigned from = s->first_round ? s->first_round : 1;
    bool black_starts = s->in->record->start.side == QP_BLACK;
    uint32_t half = (round > from ? round - from : 0) * 2 + black;
    return half >= black_starts ? half - black_starts + 1 : 1;
}

static void guess(scan *s, size_t at, size_t len)
{
    if (s->guessed)
        return;
    qp_report *report = qp_record_report(s->in->record, QP_D_variation_unbalanced, at,
                                         len, "variation-attach-guessed",
                                         "where this line leaves the one before "
                                         "it is not said plainly");
    if (report != NULL)
        report->severity = QP_WARNING;
    s->guessed = true;
}

/* The ply that the first of the line at hand follows; its number in l->first. */
static uint32_t leave(scan *s, size_t at, size_t len)
{
    dpxq *d = s->d;
    line *l = &d->lines[s->line];
    bool past = false, black = s->number != 0 ? s->dots : s->black;
    unsigned round = s->number != 0 ? s->number : s->round;
    if (s->line == 0) {
        qp_record *record = s->in->record;
        s->first_round = round;
        if (s->dots && !record->side_given) {
            record->start.side = QP_BLACK;
            record->side_given = record->has_start = true;
        }
        l->first = 1;
        return 0;
    }
    if (round != 0) {
        l->first = ply_number(s, round, black);
        if ((s->round != 0 && s->round != round) ||
            (s->black_said && s->black != black) ||
            (s->at != 0 && s->at != round && s->at != l->first))
            guess(s, at, len);
    } else if (s->sign != 0 && d->mark[s->sign] != 0) {
        l->first = d->mark[s->sign];
        l->parent = d->mark_line[s->sign];
    } else {
        l->first = s->at != 0 ? s->at : 1;
        guess(s, at, len);
    }
    uint32_t ply = ply_at(d, l->parent, l->first - 1, &past);
    if (past)
        guess(s, at, len);
    return ply;
}

static void add_ply(scan *s, size_t at, size_t len)
{
    dpxq *d = s->d;
    line *l = &d->lines[s->line];
    uint32_t parent = l->count != 0 ? l->ply + l->count - 1 : leave(s, at, len);
    uint32_t ply = qp_plies_add(d->plies, parent, 0, at, len);
    if (ply == 0) {
        s->in->record->failed = true;
        return;
    }
    if (l->count++ == 0)
        l->ply = ply;
}

/* ---- headings and remarks ---- */

static void set_result(scan *s, qp_str words)
{
    qp_record *record = s->in->record;
    words = qp_str_trim(words);
    if (words.len != 0 && !record->has_result &&
        qp_result_read(s->in->patterns, words, &record->result))
        record->has_result = true;
}

static uint32_t line_of_sign(const dpxq *d, qp_str text)
{
    size_t len;
    unsigned sign = sign_of(text.data, text.len, &len);
    return sign != 0 && d->by_sign[sign] != 0 ? d->by_sign[sign] - 1 : 0;
}

/* A heading that begins a block; false where the line is none. */
static bool read_heading(scan *s, size_t at, qp_str text)
{
    qp_patterns *patterns = s->in->patterns;
    dpxq *d = s->d;
    qp_match m;
    size_t len;
    (void)at;
    if (qp_pattern_find(patterns, "heading-main", text, 0, &m)) {
        set_result(s, group(patterns, &m, "heading-main", "result"));
        return d->count != 0 || add_line(s, 0);
    }
    if (d->count == 0)
        return false;
    if (qp_pattern_find(patterns, "heading-line", text, 0, &m)) {
        unsigned id = number_in(group(patterns, &m, "heading-line", "id"));
        unsigned from = number_in(group(patterns, &m, "heading-line", "from"));
        unsigned ply = number_in(group(patterns, &m, "heading-line", "at"));
        if (!add_line(s, from < IDS && d->by_id[from] != 0 ? d->by_id[from] - 1 : 0))
            return false;
        s->at = ply;
        if (id < IDS)
            d->by_id[id] = s->line + 1;
        return true;
    }
    if (qp_pattern_find(patterns, "heading-mark", text, 0, &m)) {
        qp_str sign = group(patterns, &m, "heading-mark", "sign");
        qp_str side = group(patterns, &m, "heading-mark", "side");
        unsigned round = number_in(group(patterns, &m, "heading-mark", "round"));
        if (!add_line(s, line_of_sign(d, group(patterns, &m, "heading-mark", "from"))))
            return false;
        s->round = round;
        s->black_said = side.len != 0;
        s->black = qp_str_is(side, "黑");
        s->sign = sign_of(sign.data, sign.len, &len);
        d->by_sign[s->sign] = s->line + 1;
        return true;
    }
    if (qp_pattern_find(patterns, "heading", text, 0, &m)) {
        s->line = NO_LINE;
        return true;
    }
    return false;
}

/* *第 5 回合红: … */
static bool read_remark(scan *s, size_t at, qp_str text)
{
    qp_patterns *patterns = s->in->patterns;
    qp_match m;
    bool past = false;
    if (s->line == NO_LINE || !qp_pattern_find(patterns, "remark-at", text, 0, &m))
        return false;
    unsigned round = number_in(group(patterns, &m, "remark-at", "round"));
    qp_str side = group(patterns, &m, "remark-at", "side");
    qp_str words = qp_str_trim(group(patterns, &m, "remark-at", "text"));
    bool black = side.len == 0 || qp_str_is(side, "黑");
    uint32_t ply = ply_at(s->d, s->line, ply_number(s, round, black), &past);
    qp_plies_comment(s->d->plies, ply, (qp_str){0}, at + (size_t)(words.data - text.data),
                     words.len);
    return true;
}

/* ---- rounds ---- */

/* Text that no rule takes: to the end of the line. */
static void stray(scan *s, size_t at, size_t len)
{
    if (!s->stray)
        qp_record_report(s->in->record, QP_D_trailing_text, at, len, "trailing-text",
                         "text between the lines is passed over");
    s->stray = true;
}

static void read_rounds(scan *s, size_t at, size_t end)
{
    const char *text = s->in->source->text;
    bool moves = false;
    for (size_t used; at < end && !s->in->record->failed; at += used) {
        const char *p = text + at;
        size_t n = end - at, len;
        unsigned value, sign;
        bool dots;
        qp_written written;
        dpxq *d = s->d;
        if ((used = qp_blank_len(p, n)) != 0)
            continue;
        if ((sign = sign_of(p, n, &len)) != 0 && moves &&
            (len == n || *p != 'B' || qp_blank_len(p + len, n - len) != 0)) {
            line *l = &d->lines[s->line];
            d->mark[sign] = l->first + l->count - 1;
            d->mark_line[sign] = s->line;
            used = len;
        } else if ((used = qp_number_len(p, n, &value, &dots)) != 0) {
            s->number = value;
            s->dots = dots;
        } else if ((used = qp_dots_len(p, n, &value)) != 0) {
            s->dots |= value >= 2;
        } else if ((used = qp_lex_move(s->in->lexer, p, n, &written)) != 0) {
            add_ply(s, at, used);
            moves = true;
            s->dots = false;
        } else if (*p == '*' || (used = qp_mark_len(p, n, &value)) != 0) {
            if (*p != '*' && value != 0 && d->lines[s->line].count != 0)
                qp_plies_nag(d->plies,
                             d->lines[s->line].ply + d->lines[s->line].count - 1, value);
            used += *p == '*';
        } else {
            used = qp_token_len(p, n);
            if (!qp_lex_resembles_move(s->in->lexer, (qp_str){p, used})) {
                stray(s, at, n);
                return;
            }
            add_ply(s, at, used);
            moves = true;
        }
    }
}

/* ---- a record ---- */

static void read_line(scan *s, size_t at, size_t end)
{
    qp_str text = {s->in->source->text + at, end - at};
    qp_match m;
    qp_patterns *patterns = s->in->patterns;
    if (qp_str_trim(text).len == 0 || read_heading(s, at, text))
        return;
    if (s->d->count == 0) {
        if (!qp_txt_keys(s->in, at, text)) {
            qp_str words = qp_str_trim(text);
            qp_record_comment(s->in->record, at + (size_t)(words.data - text.data),
                              words.len, (qp_str){0});
        }
        return;
    }
    if (read_remark(s, at, text))
        return;
    if (qp_pattern_find(patterns, "advert", text, 0, &m) ||
        qp_pattern_find(patterns, "divider", text, 0, &m)) {
        s->line = NO_LINE;
        return;
    }
    if (qp_pattern_find(patterns, "heading-short", text, 0, &m)) {
        size_t len;
        qp_str name = group(patterns, &m, "heading-short", "sign");
        unsigned sign = sign_of(name.data, name.len, &len);
        uint32_t from = s->d->mark[sign] != 0 ? s->d->mark_line[sign] : 0;
        if (!add_line(s, from))
            return;
        s->sign = sign;
        s->d->by_sign[sign] = s->line + 1;
        at += m.whole.len;
    }
    if (s->line == NO_LINE)
        stray(s, at, end - at);
    else
        read_rounds(s, at, end);
}

static bool open_state(qp_reading *in)
{
    dpxq *d = in->state;
    if (d == NULL && (d = in->state = calloc(1, sizeof *d)) != NULL)
        d->plies = qp_plies_new();
    if (d == NULL || d->plies == NULL)
        return false;
    qp_plies_rewind(d->plies);
    d->count = 0;
    memset(d->by_sign, 0, sizeof d->by_sign);
    memset(d->by_id, 0, sizeof d->by_id);
    memset(d->mark, 0, sizeof d->mark);
    return true;
}

static qp_status dpxq_read(qp_reading *in)
{
    qp_source *source = in->source;
    if (!open_state(in)) {
        in->record->failed = true;
        return QP_FATAL;
    }
    scan s = {.in = in, .d = in->state, .line = NO_LINE};
    size_t at = 0;
    while (at < in->limit && qp_source_has(source, at, 1) && !in->record->failed) {
        size_t end = qp_source_line_end(source, at, in->limit);
        qp_str text = {source->text + at, end - at}, value;
        const char *tag =
            s.d->count == 0 ? NULL : qp_header_tag(in->patterns, text, 0, &value);
        if (tag != NULL && strcmp(tag, "Title") == 0)
            break; /* another record */
        read_line(&s, at, end);
        at = end < source->len ? end + 1 : end;
    }
    if (at >= in->limit) {
        qp_record_report(in->record, QP_D_file_limit, at, 0, "record",
                         "the record is longer than %llu bytes: what follows is read as "
                         "another",
                         (unsigned long long)in->limit);
        in->record->broken = true;
    }
    in->used = at;
    qp_plies_tell(s.d->plies, in->record);
    qp_reading_read_words(in);
    if (in->record->failed)
        return QP_FATAL;
    return s.d->count != 0 || in->record->broken ? QP_OK : QP_END;
}

static void dpxq_read_end(qp_reading *in)
{
    dpxq *d = in->state;
    if (d != NULL) {
        qp_plies_free(d->plies);
        free(d->lines);
    }
    free(d);
    in->state = NULL;
}

const qp_format qp_format_dpxq = {
    .name = "dpxq",
    .title = "text export of dpxq.com with variations",
    .suffixes = "",
    .experimental = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_NAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_MOVES,
    .probe = dpxq_probe,
    .read = dpxq_read,
    .read_end = dpxq_read_end,
};
