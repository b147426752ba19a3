/* Movetext, what stands beside the moves: comments, words, results, variations, marks, and
 * the furniture of pages. See movetext.h. */
#include "config.h"

#include "format/movetext.h"

/* A comment's text; clocks and a start position that stand in it are taken out. */
static void add_comment(qp_mt_scan *s, size_t at, size_t len)
{
    qp_record *record = s->record;
    const char *p = s->text + at;
    if (len > 5 && memcmp(p, "$fen ", 5) == 0) { /* XQWizard's clipboard */
        qp_record_start(record, (qp_str){p + 5, len - 5}, at + 5, len - 5);
        return;
    }
    while (len > 7 && memcmp(p, "[%clk ", 6) == 0) {
        const char *close = memchr(p, ']', len);
        if (close == NULL)
            break;
        size_t used = (size_t)(close - p) + 1;
        qp_event *event = qp_record_add(record, QP_EV_CLOCK, at + 6, used - 7);
        if (event != NULL)
            event->as.made = (qp_str){0};
        at += used;
        len -= used;
        if (len == 0)
            return;
        p = s->text + at;
        if (*p == ' ') {
            at++;
            len--;
            p++;
        }
    }
    qp_record_comment(record, at, len, (qp_str){0});
}

/* Whether two tag lines in a row begin at a line start: the next game, so that a comment
 * which is still open was never closed. */
static bool tags_begin(qp_mt_scan *s, size_t at)
{
    size_t end = qp_mt_line_end(s->source, at, s->m->reading->limit);
    s->text = s->source->text;
    if (!qp_is_tag_line(s->text + at, end - at) || end >= s->source->len)
        return false;
    size_t next = qp_mt_line_end(s->source, end + 1, s->m->reading->limit);
    s->text = s->source->text;
    return qp_is_tag_line(s->text + end + 1, next - end - 1);
}

/* { … }: to the brace that closes it; a pair of braces inside belongs to it where that ends
 * before the next move number. */
void qp_mt_braces(qp_mt_scan *s)
{
    size_t open = s->at, i = open + 1, first_close = 0;
    unsigned nested = 0;
    uint64_t limit = s->m->reading->limit;
    for (;;) {
        if (i >= s->source->len && (i > limit || !qp_mt_more(s->source)))
            break;
        s->text = s->source->text;
        size_t n = s->source->len - i;
        const char *p = s->text + i;
        size_t j = 0;
        while (j < n && p[j] != '}' && p[j] != '{' && p[j] != '\n')
            j++;
        i += j;
        if (j == n)
            continue;
        char c = s->text[i++];
        if (c == '{') {
            nested++;
        } else if (c == '}') {
            if (nested == 0) {
                add_comment(s, open + 1, (first_close ? first_close : i - 1) - open - 1);
                s->at = first_close ? first_close + 1 : i;
                qp_mt_moved(s);
                return;
            }
            if (first_close == 0)
                first_close = i - 1;
            nested--;
            /* Text behind the first } that is a number or a move, the result * or the end of
             * the file, or opens another comment, is movetext again: the comment ended there. */
            size_t k = i;
            while ((k < s->source->len || qp_mt_more(s->source)) &&
                   (s->source->text[k] == ' ' || s->source->text[k] == '\n'))
                k++;
            s->text = s->source->text;
            qp_written written;
            if (k == s->source->len ||
                (qp_digits_only(s->text + k, 1) || memchr("{()*$", s->text[k], 5) != NULL ||
                 qp_lex_move(s->m->reading->lexer, s->text + k, s->source->len - k,
                             &written) != 0)) {
                add_comment(s, open + 1, first_close - open - 1);
                s->at = first_close + 1;
                qp_mt_moved(s);
                return;
            }
            if (nested == 0) /* the pair inside is balanced: go on to our own */
                first_close = 0;
        } else if (tags_begin(s, i)) {
            break;
        }
    }
    s->text = s->source->text;
    if (first_close != 0) {
        add_comment(s, open + 1, first_close - open - 1);
        s->at = first_close + 1;
        qp_mt_moved(s);
        return;
    }
    size_t end = i < s->source->len ? i : s->source->len;
    qp_record_report(s->record, QP_D_comment_unclosed, open, 1, "comment-unclosed",
                     "this comment is never closed");
    size_t len = end - open - 1;
    while (len > 0 && s->text[open + len] == '\n')
        len--;
    add_comment(s, open + 1, len);
    s->at = end;
    s->line_end = end;
    s->line_start = true;
}

/* The end of what ( or （ opens: past its partner in the same paragraph, or 0. */
static size_t matching_paren(qp_mt_scan *s, size_t at)
{
    enum { WINDOW = 4096, WORK_MAX = 4 << 20 };
    unsigned nested = 0;
    size_t limit = s->paren_work < WORK_MAX ? at + WINDOW : at;
    for (size_t i = at; i < limit; i++, s->paren_work++) {
        if (i >= s->source->len && !qp_mt_more(s->source))
            return 0;
        s->text = s->source->text;
        size_t left = s->source->len - i;
        const char *p = s->text + i;
        if (*p == '(')
            nested++;
        else if (left >= 3 && memcmp(p, "（", 3) == 0)
            nested++;
        else if ((*p == ')' || (left >= 3 && memcmp(p, "）", 3) == 0)) && --nested == 0)
            return i + (*p == ')' ? 1 : 3);
        else if (*p == '\n' && left >= 2 && p[1] == '\n')
            return 0;
    }
    return 0;
}

void qp_mt_result(qp_mt_scan *s, size_t at, size_t len, qp_result result)
{
    qp_event *event = qp_record_add(s->record, QP_EV_RESULT, at, len);
    if (event != NULL)
        event->value = (uint16_t)result;
    if (s->depth == 0) {
        s->usual++;
        s->m->result = true;
        s->after_result = true;
    }
}

static void add_nag(qp_mt_scan *s, size_t at, size_t len, unsigned nag)
{
    qp_event *event = qp_record_add(s->record, QP_EV_NAG, at, len);
    if (event != NULL)
        event->value = (uint16_t)nag;
}

/* The line from here on is a divider or an advertisement: =====, a URL, 欢迎访问 … */
bool qp_mt_trailer(qp_mt_scan *s)
{
    enum { LINE_MAX_READ = 400 };
    qp_patterns *patterns = s->m->reading->patterns;
    qp_str line = {s->text + s->at, s->line_end - s->at};
    qp_match match;
    if (line.len > LINE_MAX_READ)
        for (line.len = LINE_MAX_READ; ((unsigned char)line.data[line.len] & 0xC0) == 0x80;)
            line.len--; /* whole characters */
    return patterns != NULL && (qp_pattern_find(patterns, "divider", line, 0, &match) ||
                                qp_pattern_find(patterns, "advert", line, 0, &match));
}

/* Where a word ends before its own end: at a colon with a move behind it (张三：炮二平五); with
 * `any` at any move that ends a part of the sentence. */
static size_t before_move(const struct qp_lexer *lexer, const char *p, size_t n, size_t len,
                          bool any)
{
    qp_written written;
    for (size_t i = 0, used; i < len; i += used) {
        size_t colon = p[i] == ':' ? 1 : len - i >= 3 && memcmp(p + i, "：", 3) == 0 ? 3 : 0;
        if (colon != 0 && qp_lex_move(lexer, p + i + colon, n - i - colon, &written) != 0)
            return i + colon;
        if (any && i != 0 && (used = qp_lex_move(lexer, p + i, n - i, &written)) != 0 &&
            (i + used == n || !qp_goes_on(p + i + used, n - i - used) ||
             qp_side_word_len(p + i + used, n - i - used, &(qp_side){0}) != 0))
            return i;
        qp_utf8_at(p + i, len - i, &used);
    }
    return len;
}

/* Words that no rule takes, kept as a comment. */
static void bare_words(qp_mt_scan *s, size_t len)
{
    if (!(s->m->flags & QP_MT_WORDS))
        qp_record_report(s->record, QP_D_comment_bare, s->at, len, NULL,
                         "words among the moves stand outside braces");
    qp_record_comment(s->record, s->at, len, (qp_str){0});
    s->at += len;
}

void qp_mt_word(qp_mt_scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, len = qp_token_len(p, n);
    if (s->m->flags & QP_MT_WORDS)
        len = before_move(s->m->reading->lexer, p, n, len, s->last_number == 0);
    qp_str token = {p, len};
    qp_result result;
    if (s->line_start && qp_mt_trailer(s)) { /* what follows is no movetext */
        s->after_result = true;
        s->at = s->line_end;
        return;
    }
    if (qp_result_read(s->m->reading->patterns, token, &result) && len >= 3 && (unsigned char)*p >= 0x80) {
        qp_mt_result(s, s->at, len, result);
        s->at += len;
        return;
    }
    bool move_like = qp_ascii_move_like(p, len) || qp_has_lost_character(p, len) ||
                     qp_lex_resembles_move(s->m->reading->lexer, token);
    if (s->m->flags & QP_MT_WORDS ? !move_like : !move_like && len > 0) {
        /* Prose: to the end of its run, kept as a comment. */
        size_t end = len;
        for (;;) {
            size_t k = end, blank;
            while (k < n && (blank = qp_blank_len(p + k, n - k)) != 0)
                k += blank;
            if (k >= n)
                break;
            qp_written written;
            unsigned value;
            bool dots;
            if (p[k] == '{' || p[k] == '(' || p[k] == ')' || p[k] == ';' || p[k] == '*' ||
                qp_lex_move(s->m->reading->lexer, p + k, n - k, &written) != 0 ||
                qp_number_len(p + k, n - k, &value, &dots) != 0 ||
                qp_result_len(p + k, n - k, &result) != 0)
                break;
            end = k + qp_token_len(p + k, n - k);
            if (s->m->flags & QP_MT_WORDS)
                end = k + before_move(s->m->reading->lexer, p + k, n - k, end - k,
                                      s->last_number == 0);
        }
        bare_words(s, end);
        return;
    }
    qp_record_bad_move(s->record, s->at, len);
    if (s->depth == 0)
        s->m->plies++;
    s->at += len;
}

/* Whether what ( opens begins, behind numbers, dots and comments, with a move. */
static bool begins_with_move(qp_mt_scan *s, size_t at)
{
    size_t i = at;
    for (unsigned rounds = 0; rounds < 64; rounds++) {
        if (!s->source->ended)
            qp_source_has(s->source, i, 256);
        s->text = s->source->text;
        const char *p = s->text + i;
        size_t n = s->source->len - i, used;
        unsigned value, count;
        bool dots;
        qp_written written;
        qp_result result;
        if (n == 0)
            return false;
        if ((used = qp_blank_len(p, n)) != 0) {
            i += used;
        } else if (*p == '{') {
            while (i < s->source->len || qp_mt_more(s->source)) {
                s->text = s->source->text;
                const char *close = memchr(s->text + i, '}', s->source->len - i);
                if (close != NULL) {
                    i = (size_t)(close - s->text) + 1;
                    break;
                }
                if (s->source->ended || i > s->m->reading->limit)
                    return false;
                i = s->source->len;
            }
        } else if (*p == '(') {
            i++;
        } else if (qp_result_len(p, n, &result) != 0) {
            return false;
        } else if (qp_digits_only(p, 1) && qp_mt_wxf_pawn(s, p, n, &written)) {
            return true;
        } else if ((used = qp_number_len(p, n, &value, &dots)) != 0) {
            if (p[used - 1] == ')' && *p != '(')
                return false; /* (0:01) */
            i += used;
        } else if (qp_lex_move(s->m->reading->lexer, p, n, &written) != 0) {
            return true;
        } else if ((used = qp_dots_len(p, n, &count)) != 0) {
            i += used;
        } else {
            size_t len = qp_token_len(p, n < 64 ? n : 64);
            return len > 1 && (qp_lex_resembles_move(s->m->reading->lexer, (qp_str){p, len}) ||
                               (qp_ascii_move_like(p, len) && i > at));
        }
    }
    return false;
}

static void add_clock(qp_mt_scan *s, size_t at, size_t len)
{
    qp_event *event = qp_record_add(s->record, QP_EV_CLOCK, at, len);
    if (event != NULL)
        event->as.made = (qp_str){0};
}

/* (2:35) */
static size_t clock_in_paren(const char *p, size_t n)
{
    size_t len = n > 2 && *p == '(' ? qp_clock_len(p + 1, n - 1) : 0;
    return len != 0 && len + 1 < n && p[len + 1] == ')' ? len + 2 : 0;
}

void qp_mt_paren(qp_mt_scan *s)
{
    unsigned value;
    bool dots;
    size_t n = s->line_end - s->at;
    size_t used = qp_number_len(s->text + s->at, n, &value, &dots);
    if (used > 0 && (s->line_start || value == s->last_number + 1)) { /* (12) before a move */
        qp_mt_number(s, s->at, used, value, dots);
        s->at += used;
        return;
    }
    if (s->m->flags & QP_MT_WORDS && (used = clock_in_paren(s->text + s->at, n)) != 0) {
        add_clock(s, s->at + 1, used - 2);
        s->at += used;
        return;
    }
    bool wide = s->text[s->at] != '(';
    size_t open = wide ? 3 : 1;
    if (!wide && begins_with_move(s, s->at + 1)) {
        qp_record_add(s->record, QP_EV_VAR_OPEN, s->at, 1);
        if (s->depth < QP_COUNT(s->opened))
            s->opened[s->depth] = (uint32_t)s->at;
        s->depth++;
        s->at++;
        return;
    }
    size_t end = matching_paren(s, s->at);
    if (end == 0) { /* closes nowhere: a word */
        qp_record_report(s->record, QP_D_variation_unbalanced, s->at, open,
                         "variation-unmatched", "this parenthesis is never closed");
        qp_record_comment(s->record, s->at, open, (qp_str){0});
        s->at += open;
        return;
    }
    size_t close = s->text[end - 1] == ')' ? 1 : 3;
    unsigned nag;
    const char *inner = s->text + s->at + open;
    size_t inner_len = end - s->at - open - close;
    if (inner_len >= 2 && inner[0] == '{' &&
        memchr(inner, '}', inner_len) == inner + inner_len - 1) { /* ({words}) */
        inner++;
        inner_len -= 2;
        open++;
    }
    if (inner_len > 0 && qp_mark_len(inner, inner_len, &nag) == inner_len && nag != 0)
        add_nag(s, s->at, end - s->at, nag); /* (?) */
    else
        qp_record_comment(s->record, s->at + open, inner_len, (qp_str){0});
    s->at = end;
    qp_mt_moved(s);
}

void qp_mt_close(qp_mt_scan *s)
{
    if (s->depth == 0) {
        qp_record_report(s->record, QP_D_variation_unbalanced, s->at, 1,
                         "variation-unmatched", "this parenthesis closes nothing");
    } else {
        qp_record_add(s->record, QP_EV_VAR_CLOSE, s->at, 1);
        s->depth--;
    }
    s->at++;
}

void qp_mt_nag(qp_mt_scan *s)
{
    size_t i = s->at + 1;
    unsigned value = 0;
    for (; i < s->line_end && s->text[i] >= '0' && s->text[i] <= '9'; i++)
        if (value <= UINT16_MAX)
            value = value * 10 + (unsigned)(s->text[i] - '0');
    if (i == s->at + 1) {
        qp_mt_word(s);
    } else if (value > UINT16_MAX) {
        bare_words(s, i - s->at);
    } else {
        add_nag(s, s->at, i - s->at, value);
        s->at = i;
    }
}

/* [1... 炮8平5]: moves in brackets behind one that was played were not. The length with the
 * brackets; 0: there are none. */
static size_t bracketed_line(qp_mt_scan *s)
{
    enum { LONGEST = 2000 };
    const char *p = s->text + s->at, *close;
    size_t n = s->line_end - s->at < LONGEST ? s->line_end - s->at : LONGEST;
    if (*p != '[' || s->m->flags & QP_MT_WORDS || s->m->plies == 0 ||
        (close = memchr(p, ']', n)) == NULL)
        return 0;
    size_t len = (size_t)(close - p) + 1;
    return begins_with_move(s, s->at + 1) ? len : 0;
}

/* 十二、 with a move behind it: the round that follows. */
static bool read_numeral(qp_mt_scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    unsigned value;
    if ((unsigned char)*p < 0x80 || (used = qp_numeral_len(p, n, &value)) == 0 ||
        value != s->last_number + 1 ||
        qp_lex_move(s->m->reading->lexer, p + used, n - used, &(qp_written){0}) == 0)
        return false;
    qp_mt_number(s, s->at, used, value, false);
    s->at += used;
    return true;
}

/* A token that begins with none of the usual bytes. */
void qp_mt_other(qp_mt_scan *s)
{
    size_t used = bracketed_line(s); /* which may read on */
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at;
    unsigned value;
    bool dots;
    qp_result result;
    if (used != 0) {
        bare_words(s, used);
    } else if (n >= 3 && memcmp(p, "（", 3) == 0) {
        qp_mt_paren(s);
    } else if (qp_mark_len(p, n, &value) != 0) {
        used = qp_mark_len(p, n, &value);
        if (value != 0)
            add_nag(s, s->at, used, value);
        s->at += used;
    } else if ((used = qp_result_len(p, n, &result)) != 0) {
        qp_mt_result(s, s->at, used, result);
        s->at += used;
    } else if ((used = qp_dots_len(p, n, &value)) != 0) {
        if (value >= 2 || p[0] != '.')
            qp_mt_number(s, s->at, used, 0, value >= 2);
        s->at += used;
    } else if ((used = qp_number_len(p, n, &value, &dots)) != 0) {
        qp_mt_number(s, s->at, used, value, dots);
        s->at += used;
    } else if (n >= 3 && (memcmp(p, "，", 3) == 0 || memcmp(p, "。", 3) == 0 ||
                          memcmp(p, "、", 3) == 0 || memcmp(p, "；", 3) == 0)) {
        s->at += 3;
    } else if (!read_numeral(s)) {
        qp_mt_word(s);
    }
}

/* 第12回合 with nothing behind it. */
static bool lone_number(const char *p, size_t n)
{
    unsigned value;
    bool dots;
    size_t used = qp_number_len(p, n, &value, &dots), blank;
    while (used != 0 && used < n && (blank = qp_blank_len(p + used, n - used)) != 0)
        used += blank;
    return used == n;
}

/* The bytes of an engine's evaluation, +0.35 or -12.3. */
static size_t score_len(const char *p, size_t n)
{
    size_t i = *p == '+' || *p == '-', whole = i, point;
    while (i < n && p[i] >= '0' && p[i] <= '9')
        i++;
    if (i == whole || i >= n || p[i] != '.')
        return 0;
    for (point = i++; i < n && p[i] >= '0' && p[i] <= '9';)
        i++;
    return i > point + 1 && (i == n || qp_blank_len(p + i, n - i) != 0) ? i : 0;
}

/* What free text has around moves and movetext has not: markup, times. false: neither. */
bool qp_mt_frills(qp_mt_scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    if (s->line_start && n >= 3 && memcmp(p, "第", 3) == 0 && s->m->plies != 0 &&
        !qp_is_movetext(s->m->reading->lexer, p, n) && !lone_number(p, n)) {
        qp_record_comment(s->record, s->at, n, (qp_str){0}); /* speaks of a round */
        s->at = s->line_end;
        return true;
    }
    if (read_numeral(s))
        return true;
    if (!s->line_start && (used = score_len(p, n)) != 0) {
        qp_record_comment(s->record, s->at, used, (qp_str){0});
        s->at += used;
        return true;
    }
    if ((used = qp_markup_len(s->m->reading->lexer, p, n, s->line_start)) == 0) {
        if (s->m->plies == 0 || (used = qp_clock_len(p, n)) == 0)
            return false;
        add_clock(s, s->at, used);
    }
    s->at += used;
    return true;
}
