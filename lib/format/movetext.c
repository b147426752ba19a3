/* Movetext: what stands between the tags of one game and those of the next. Sources: the PGN
 * norm for Xiangqi of xqbase, and what eleeye, XQWizard, vschess, pychess and people write.
 *
 * Numbers are decoration, never a side; a move is what the lexer reads; all else is a
 * comment or a broken move, and nothing is passed over in silence.
 */
#include "config.h"

#include "format/marks.h"

typedef struct scan {
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
} scan;

static bool more(qp_source *source)
{
    return !source->ended && qp_source_more(source);
}

/* end_of_line, where the line ends behind what is decoded. */
static QP_APART size_t far_end_of_line(qp_source *source, uint64_t limit)
{
    size_t i = source->len;
    while (i <= limit && more(source)) {
        const char *lf = memchr(source->text + i, '\n', source->len - i);
        if (lf != NULL)
            return (size_t)(lf - source->text);
        i = source->len;
    }
    return source->len;
}

static inline size_t end_of_line(qp_source *source, size_t at, uint64_t limit)
{
    const char *lf = NULL;
    if (QP_LIKELY_TO(at < source->len))
        lf = memchr(source->text + at, '\n', source->len - at);
    return QP_LIKELY_TO(lf != NULL) ? (size_t)(lf - source->text)
                                    : far_end_of_line(source, limit);
}

/* After at has moved on, perhaps into another line. */
static void find_line_end(scan *s)
{
    if (s->at > s->line_end)
        s->line_end = end_of_line(s->source, s->at, s->m->reading->limit);
    s->text = s->source->text;
}

/* A comment's text; clocks and a start position that stand in it are taken out. */
static void add_comment(scan *s, size_t at, size_t len)
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
static bool tags_begin(scan *s, size_t at)
{
    size_t end = end_of_line(s->source, at, s->m->reading->limit);
    s->text = s->source->text;
    if (!qp_is_tag_line(s->text + at, end - at) || end >= s->source->len)
        return false;
    size_t next = end_of_line(s->source, end + 1, s->m->reading->limit);
    s->text = s->source->text;
    return qp_is_tag_line(s->text + end + 1, next - end - 1);
}

/* { … }: to the brace that closes it; a pair of braces inside belongs to it where that ends
 * before the next move number. */
static void read_braces(scan *s)
{
    size_t open = s->at, i = open + 1, first_close = 0;
    unsigned nested = 0;
    uint64_t limit = s->m->reading->limit;
    for (;;) {
        if (i >= s->source->len && (i > limit || !more(s->source)))
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
                find_line_end(s);
                return;
            }
            if (first_close == 0)
                first_close = i - 1;
            nested--;
            /* Text behind the first } that is a number or a move, the result * or the end of
             * the file, or opens another comment, is movetext again: the comment ended there. */
            size_t k = i;
            while ((k < s->source->len || more(s->source)) &&
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
                find_line_end(s);
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
        find_line_end(s);
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
static size_t matching_paren(scan *s, size_t at)
{
    enum { WINDOW = 4096, WORK_MAX = 4 << 20 };
    unsigned nested = 0;
    size_t limit = s->paren_work < WORK_MAX ? at + WINDOW : at;
    for (size_t i = at; i < limit; i++, s->paren_work++) {
        if (i >= s->source->len && !more(s->source))
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

/* ---- numbers ---- */

static inline void add_number(scan *s, size_t at, size_t len, unsigned value, bool dots)
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
static bool wxf_pawn(scan *s, const char *p, size_t n, qp_written *written)
{
    if (n < 4 || !qp_digits_only(p, 2))
        return false;
    size_t used = qp_lex_move(s->m->reading->lexer, p, n, written);
    if (used < 4)
        return false;
    return p[2] != '.' || used == n || qp_blank_len(p + used, n - used) != 0;
}

/* ---- results and words ---- */

static void add_result(scan *s, size_t at, size_t len, qp_result result)
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

static void add_nag(scan *s, size_t at, size_t len, unsigned nag)
{
    qp_event *event = qp_record_add(s->record, QP_EV_NAG, at, len);
    if (event != NULL)
        event->value = (uint16_t)nag;
}

/* The line from here on is a divider or an advertisement: =====, a URL, 欢迎访问 … */
static bool is_trailer(scan *s)
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

static void read_word(scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, len = qp_token_len(p, n);
    if (s->m->flags & QP_MT_WORDS)
        len = before_move(s->m->reading->lexer, p, n, len, s->last_number == 0);
    qp_str token = {p, len};
    qp_result result;
    if (s->line_start && is_trailer(s)) { /* what follows is no movetext */
        s->after_result = true;
        s->at = s->line_end;
        return;
    }
    if (qp_result_read(s->m->reading->patterns, token, &result) && len >= 3 && (unsigned char)*p >= 0x80) {
        add_result(s, s->at, len, result);
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
        if (!(s->m->flags & QP_MT_WORDS))
            qp_record_report(s->record, QP_D_comment_bare, s->at, end, NULL,
                             "words among the moves stand outside braces");
        qp_record_comment(s->record, s->at, end, (qp_str){0});
        s->at += end;
        return;
    }
    qp_record_bad_move(s->record, s->at, len);
    if (s->depth == 0)
        s->m->plies++;
    s->at += len;
}

/* ---- variations ---- */

/* Whether what ( opens begins, behind numbers, dots and comments, with a move. */
static bool begins_with_move(scan *s, size_t at)
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
            while (i < s->source->len || more(s->source)) {
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
        } else if (qp_digits_only(p, 1) && wxf_pawn(s, p, n, &written)) {
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

static void add_clock(scan *s, size_t at, size_t len)
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

static void read_paren(scan *s)
{
    unsigned value;
    bool dots;
    size_t n = s->line_end - s->at;
    size_t used = qp_number_len(s->text + s->at, n, &value, &dots);
    if (used > 0 && (s->line_start || value == s->last_number + 1)) { /* (12) before a move */
        add_number(s, s->at, used, value, dots);
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
    find_line_end(s);
}

static void read_close(scan *s)
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

/* ---- the loop ---- */

/* Whether a game was read so far: moves, or among prose a result alone. */
static bool is_game(const scan *s)
{
    return s->m->plies != 0 || (s->m->result && s->m->flags & QP_MT_WORDS);
}

/* Passes to the next line; false where the movetext ends there. */
static bool next_line(scan *s, qp_mt_stop *stop)
{
    qp_reading *reading = s->m->reading;
    if (s->at >= s->source->len && !more(s->source)) {
        *stop = QP_MT_ENDED;
        return false;
    }
    if (s->begun && s->source->text[s->at] == '\n') {
        s->blank_before = s->line_start;
        s->at++;
    }
    s->begun = true;
    s->line_end = end_of_line(s->source, s->at, reading->limit);
    s->text = s->source->text;
    s->line_start = true;
    if (s->at >= reading->limit) {
        *stop = QP_MT_LIMIT;
        return false;
    }
    if (s->at >= s->source->len && s->source->ended) {
        *stop = QP_MT_ENDED;
        return false;
    }
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at;
    if (n > 0 && *p == '%') { /* an escaped line */
        s->at = s->line_end;
        return true;
    }
    if (n > 3 && (*p == '[' || *p == ' ' || *p == '\t') && (s->m->flags & QP_MT_TAGS) &&
        qp_is_tag_line(p, n)) {
        *stop = QP_MT_TAG;
        return false;
    }
    if (s->m->begins != NULL && n > 0 && (s->blank_before || s->after_result) &&
        s->depth == 0 && is_game(s)) {
        bool begins = s->m->begins(reading, s->at, s->last_number);
        s->text = s->source->text; /* it may have looked ahead */
        if (begins) {
            *stop = QP_MT_RESTART;
            return false;
        }
    }
    return true;
}

/* A line behind the end of the game. Advertisements and dividers need no word. */
static void pass_over(scan *s)
{
    size_t n = s->line_end - s->at;
    if (!s->trailing && !is_trailer(s)) {
        qp_record_report(s->record, QP_D_trailing_text, s->at, n, "trailing-text",
                         "text behind the end of the game is passed over");
        s->trailing = true;
    }
    s->at = s->line_end;
}

/* The text behind the end of a game: another game's first round, or to be passed over. */
static bool restarts(scan *s, unsigned value, size_t number, bool dots)
{
    bool ended = s->after_result ||
                 (s->blank_before && s->m->plies >= 2 && s->last_number >= 2);
    if (s->depth != 0 || !s->line_start || value != 1 || dots || !is_game(s) || !ended)
        return false;
    qp_written written;
    size_t i = s->at + number, blank;
    while (i < s->line_end && (blank = qp_blank_len(s->text + i, s->line_end - i)) != 0)
        i += blank;
    qp_result result;
    if (s->m->flags & QP_MT_WORDS && i < s->line_end && /* a game without moves */
        qp_result_len(s->text + i, s->line_end - i, &result) == s->line_end - i)
        return true;
    return qp_lex_move(s->m->reading->lexer, s->text + i, s->line_end - i, &written) != 0;
}

/* Whether the round that a number begins is the next one, or the same one's other half: the
 * game goes on behind what looked like its result. */
static bool goes_on(const scan *s, unsigned value, size_t at)
{
    unsigned count;
    size_t used;
    if (!(s->m->flags & QP_MT_WORDS) || value < s->last_number || value > s->last_number + 1 ||
        s->last_number < 2)
        return false;
    while (at < s->line_end && ((used = qp_blank_len(s->text + at, s->line_end - at)) != 0 ||
                                (used = qp_dots_len(s->text + at, s->line_end - at, &count)) != 0))
        at += used;
    return qp_lex_move(s->m->reading->lexer, s->text + at, s->line_end - at,
                       &(qp_written){0}) != 0;
}

/* The usual spelling of a round number, `12. `, at the digit that p begins with; 5 bytes
 * are there. Returns its length with the blank, or 0 for all else. With 1 another game may
 * begin. */
static inline size_t plain_number(const char *p, unsigned *value)
{
    size_t i = 1;
    *value = (unsigned char)p[0] - (unsigned)'0';
    for (unsigned digit; i < 3 && (digit = (unsigned char)p[i] - (unsigned)'0') <= 9; i++)
        *value = *value * 10 + digit;
    return *value != 0 && p[i] == '.' && p[i + 1] == ' ' ? i + 2 : 0;
}

/* Whether a bare number that ends at `at` can be that of a round: two moves stand before it in
 * the round, or behind it. Else it is a time or the like. */
static bool round_follows(const scan *s, size_t at, unsigned value)
{
    unsigned moves = 0;
    if (value == s->last_number + 1 && s->m->plies == s->number_plies + 2)
        return true;
    while (at < s->line_end && moves < 2) {
        qp_written written;
        size_t used = qp_blank_len(s->text + at, s->line_end - at);
        if (used == 0) {
            used = qp_lex_move(s->m->reading->lexer, s->text + at, s->line_end - at, &written);
            if (used == 0)
                break;
            moves++;
        }
        at += used;
    }
    return moves == 2;
}

static bool read_number(scan *s, qp_mt_stop *stop)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    unsigned value;
    bool dots;
    qp_result result;
    qp_written written;
    if ((used = qp_result_len(p, n, &result)) != 0) {
        add_result(s, s->at, used, result);
        s->at += used;
        return true;
    }
    if (wxf_pawn(s, p, n, &written)) {
        used = qp_lex_move(s->m->reading->lexer, p, n, &written);
        qp_record_move(s->record, s->at, used, &written);
        s->m->good++;
        s->m->plies += s->depth == 0;
        s->at += used;
        return true;
    }
    used = qp_number_len(p, n, &value, &dots);
    if (used == 0) {
        used = qp_lex_move(s->m->reading->lexer, p, n, &written);
        if (used == 0) {
            read_word(s);
            return true;
        }
        qp_record_move(s->record, s->at, used, &written);
        s->m->good++;
        s->m->plies += s->depth == 0;
        s->at += used;
        return true;
    }
    if (restarts(s, value, used, dots)) {
        *stop = QP_MT_RESTART;
        return false;
    }
    if (s->m->flags & QP_MT_WORDS && !s->line_start && qp_digits_only(p, used) &&
        !round_follows(s, s->at + used, value)) {
        qp_record_comment(s->record, s->at, used, (qp_str){0}); /* another column's */
        s->at += used;
        return true;
    }
    add_number(s, s->at, used, value, dots);
    s->at += used;
    return true;
}

static inline bool may_begin_move(unsigned char c)
{
    return c >= 0x80 || (c >= 'A' && c <= 'z');
}

/* Moves and plain numbers with blanks between them, as many as stand in the line. Returns
 * where they end. */
static size_t read_moves(scan *s)
{
    const struct qp_lexer *lexer = s->m->reading->lexer;
    const char *text = s->text;
    size_t at = s->at, end = s->line_end, used;
    uint32_t moves = 0;
    for (; at < end; at += used) {
        unsigned char c = (unsigned char)text[at];
        if (may_begin_move(c)) {
            qp_written written;
            used = qp_lex_move(lexer, text + at, end - at, &written);
            if (used == 0)
                break;
            qp_record_move(s->record, at, used, &written);
            moves++;
        } else if (c == ' ' || c == '\t') {
            used = 1;
            continue;
        } else {
            unsigned value;
            if (c < '0' || c > '9' || end - at < 5 ||
                (used = plain_number(text + at, &value)) == 0 || value == 1)
                break;
            add_number(s, at, used - 1, value, false);
        }
        s->line_start = false;
    }
    s->m->good += moves;
    if (s->depth == 0)
        s->m->plies += moves;
    return at;
}

/* Rounds as nearly all files write them, a number and moves with blanks between, line after
 * line: what read_moves and next_line make of them, in fewer steps. Stops where anything else
 * begins, which may be in a line. */
static void read_rounds(scan *s)
{
    enum { AHEAD = 16 };
    const qp_reading *reading = s->m->reading;
    qp_record *record = s->record;
    const char *text = s->text;
    size_t at = s->at, end = s->source->len;
    const size_t had = record->event_count;
    uint32_t numbers = 0;
    if (reading->memo == NULL || reading->lexer != qp_context_lexer(reading->context) ||
        (record->event_room == 0 && !qp_record_grow_events(record)))
        return;
    end = end < reading->limit ? end : (size_t)reading->limit;
    end = end < AHEAD ? 0 : end - AHEAD; /* before it, a move and what follows can be seen */
    if (record->event_room == 0 && !qp_record_grow_events(record))
        return;
    qp_event *event = record->events + had, *last = record->events + record->event_room;
    while (at < end) {
        unsigned char c = (unsigned char)text[at];
        if (QP_RARE(event == last)) {
            record->event_count = record->event_room;
            if (!qp_record_grow_events(record))
                break;
            event = record->events + record->event_count;
            last = record->events + record->event_room;
        }
        if (may_begin_move(c)) {
            size_t used;
            const qp_known_move *known =
                qp_lex_known(reading->memo, reading->lexer, text + at, &used);
            if (QP_RARE(known == NULL))
                break;
            event->kind = QP_EV_MOVE;
            event->flags = 0;
            event->value = known->stride;
            event->at = (uint32_t)at;
            event->len = (uint32_t)used;
            event->as.written = known->written;
            event++;
            at += used;
            at += text[at] == ' ';
            s->line_start = false;
        } else if (c == '\n') {
            unsigned char next = (unsigned char)text[at + 1];
            if (s->line_start || next < '1' || next > '9' || s->m->begins != NULL ||
                s->after_result)
                break; /* a paragraph ends, or something else begins */
            at++;
            s->line_start = true;
            s->blank_before = false;
        } else if (c == ' ') {
            at++;
        } else {
            unsigned value;
            size_t used;
            bool moves = s->m->plies != 0 || event != record->events + had + numbers;
            if (c < '0' || c > '9' || (used = plain_number(text + at, &value)) == 0 ||
                (value == 1 && moves))
                break;
            event->kind = QP_EV_NUMBER;
            event->flags = 0;
            event->value = (uint16_t)value;
            event->at = (uint32_t)at;
            event->len = (uint32_t)used - 1;
            event++;
            numbers++;
            s->odd |= value <= s->last_number;
            if (s->depth == 0)
                s->last_number = value;
            at += used;
            s->line_start = false;
        }
    }
    record->event_count = (size_t)(event - record->events);
    uint32_t moves = (uint32_t)(record->event_count - had) - numbers;
    s->usual += record->event_count - had;
    s->m->good += moves;
    if (s->depth == 0)
        s->m->plies += moves;
    s->at = at;
    if (at > s->line_end)
        s->line_end = end_of_line(s->source, at, reading->limit);
    s->text = s->source->text;
    size_t number = record->event_count;
    while (number > had && record->events[number - 1].kind != QP_EV_NUMBER)
        number--;
    if (number > had && s->depth == 0)
        s->number_plies = s->m->plies - (uint32_t)(record->event_count - number);
}

static void read_nag(scan *s)
{
    size_t i = s->at + 1;
    unsigned value = 0;
    while (i < s->line_end && s->text[i] >= '0' && s->text[i] <= '9' && value < 10000)
        value = value * 10 + (unsigned)(s->text[i++] - '0');
    if (i == s->at + 1) {
        read_word(s);
        return;
    }
    add_nag(s, s->at, i - s->at, value);
    s->at = i;
}

/* A token that begins with none of the usual bytes. */
static void read_other(scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    unsigned value;
    bool dots;
    if (n >= 3 && memcmp(p, "（", 3) == 0) {
        read_paren(s);
    } else if (qp_mark_len(p, n, &value) != 0) {
        used = qp_mark_len(p, n, &value);
        if (value != 0)
            add_nag(s, s->at, used, value);
        s->at += used;
    } else if ((used = qp_dots_len(p, n, &value)) != 0) {
        if (value >= 2 || p[0] != '.')
            add_number(s, s->at, used, 0, value >= 2);
        s->at += used;
    } else if ((used = qp_number_len(p, n, &value, &dots)) != 0) {
        add_number(s, s->at, used, value, dots);
        s->at += used;
    } else if (n >= 3 && (memcmp(p, "，", 3) == 0 || memcmp(p, "。", 3) == 0 ||
                          memcmp(p, "、", 3) == 0 || memcmp(p, "；", 3) == 0)) {
        s->at += 3;
    } else {
        read_word(s);
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
static bool read_frills(scan *s)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    unsigned value;
    if (s->line_start && n >= 3 && memcmp(p, "第", 3) == 0 && s->m->plies != 0 &&
        !qp_is_movetext(s->m->reading->lexer, p, n) && !lone_number(p, n)) {
        qp_record_comment(s->record, s->at, n, (qp_str){0}); /* speaks of a round */
        s->at = s->line_end;
        return true;
    }
    if ((unsigned char)*p >= 0x80 && (used = qp_numeral_len(p, n, &value)) != 0 &&
        value == s->last_number + 1 &&
        qp_lex_move(s->m->reading->lexer, p + used, n - used, &(qp_written){0}) != 0) {
        add_number(s, s->at, used, value, false);
        s->at += used;
        return true;
    }
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

qp_mt_stop qp_movetext_read(qp_movetext *movetext)
{
    qp_reading *reading = movetext->reading;
    const struct qp_lexer *lexer = reading->lexer;
    scan s = {.m = movetext,
              .source = reading->source,
              .record = reading->record,
              .text = reading->source->text,
              .at = movetext->at,
              .line_end = movetext->at,
              .line_start = true};
    qp_mt_stop stop = QP_MT_ENDED;
    const size_t events = reading->record->event_count;
    reading->record->verbatim = true;
    while (next_line(&s, &stop)) {
        while (s.at < s.line_end) {
            unsigned char c = (unsigned char)s.text[s.at];
            qp_written written;
            size_t used;
            if (s.after_result && s.line_start && c != '{' && c != ';') {
                if (c == ' ' || c == '\t') {
                    s.at++;
                    continue;
                }
                /* Behind the result only another game counts. */
                unsigned value;
                bool dots;
                used = qp_number_len(s.text + s.at, s.line_end - s.at, &value, &dots);
                if (used != 0 && restarts(&s, value, used, dots)) {
                    stop = QP_MT_RESTART;
                    goto done;
                }
                if (used == 0 || !goes_on(&s, value, s.at + used)) {
                    pass_over(&s);
                    continue;
                }
                s.after_result = false; /* words in the midst of the game */
            }
            read_rounds(&s);
            s.at = read_moves(&s);
            if (s.at == s.line_end)
                break;
            c = (unsigned char)s.text[s.at];
            if (c >= 0x80 && (used = qp_blank_len(s.text + s.at, s.line_end - s.at)) != 0) {
                s.at += used;
                continue;
            }
            if (movetext->flags & QP_MT_WORDS && read_frills(&s))
                continue;
            if (c >= '0' && c <= '9') {
                if (!read_number(&s, &stop))
                    goto done;
            } else if (c == '{') {
                read_braces(&s);
            } else if (c == '(') {
                read_paren(&s);
            } else if (c == ')') {
                read_close(&s);
            } else if (c == ';') {
                size_t len = s.line_end - s.at - 1;
                qp_record_comment(s.record, s.at + 1, len, (qp_str){0});
                s.at = s.line_end;
            } else if (c == '$') {
                read_nag(&s);
            } else if (c == '*' && (s.line_end - s.at == 1 || s.text[s.at + 1] != '*')) {
                add_result(&s, s.at, 1, QP_RESULT_UNKNOWN);
                s.at++;
            } else if ((c == '+' || c == '-' || c == '=') &&
                       (used = qp_lex_move(lexer, s.text + s.at, s.line_end - s.at,
                                           &written)) != 0) {
                qp_record_move(s.record, s.at, used, &written);
                movetext->good++;
                movetext->plies += s.depth == 0;
                s.at += used;
            } else if (c == '[' && (movetext->flags & QP_MT_TAGS) &&
                       qp_is_tag_line(s.text + s.at, s.line_end - s.at)) {
                stop = QP_MT_TAG; /* the next game's tags, in the same line */
                goto done;
            } else if (c == ',' || (c < ' ' && c != '\n')) {
                s.at++;
            } else {
                read_other(&s);
            }
            s.line_start = false;
        }
    }
done:
    while (s.depth > 0) {
        s.depth--;
        if (s.depth < QP_COUNT(s.opened))
            qp_record_report(s.record, QP_D_variation_unbalanced, s.opened[s.depth], 1,
                             "variation-unmatched", "this variation is never closed");
        qp_record_add(s.record, QP_EV_VAR_CLOSE, s.at, 0);
    }
    movetext->at = s.at;
    movetext->plain = !s.odd && movetext->plies != 0 &&
                      s.usual == reading->record->event_count - events;
    return stop;
}

unsigned qp_judge_text(void *user, qp_str text)
{
    const qp_context *context = user;
    qp_arena arena;
    qp_record record;
    qp_source source = {.text = text.data, .len = text.len, .ended = true};
    qp_arena_init(&arena);
    qp_record_init(&record, &arena);
    qp_reading reading = {.context = context,
                          .lexer = qp_context_lexer(context),
                          .source = &source,
                          .record = &record,
                          .limit = text.len};
    /* From the first line that is no tag. */
    size_t at = 0;
    for (;;) {
        const char *lf = memchr(text.data + at, '\n', text.len - at);
        if (lf == NULL || !qp_is_tag_line(text.data + at, text.len - at))
            break;
        at = (size_t)(lf - text.data) + 1;
    }
    qp_movetext movetext = {.reading = &reading, .flags = QP_MT_TAGS, .at = at};
    qp_movetext_read(&movetext);
    record.text = text.data;
    record.text_len = text.len;
    unsigned plies = qp_replay_plies(context, &record);
    qp_record_clear(&record);
    qp_arena_clear(&arena);
    return plies;
}
