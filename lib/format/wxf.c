/* The WXF file: header lines, then START{ moves }END. Sources: the files of PlayOK and
 * XieXie, the readers of vschess and wxf.py, a mirror of the federation's draft (SETUP).
 * A record may also be nothing but its moves. */
#include "config.h"

#include "format/wxf.h"

/* `1.` or a bare number before a blank; `33.4` and `15.6` are pawns of the notation. */
static size_t number_at(const char *p, size_t n, unsigned *value)
{
    size_t i = 0;
    *value = 0;
    while (i < n && i < 4 && p[i] >= '0' && p[i] <= '9')
        *value = *value * 10 + (unsigned)(p[i++] - '0');
    if (i == 0 || i > 3)
        return 0;
    if (i < n && (p[i] == '.' || p[i] == ')')) {
        if (i == 1 || i + 1 >= n || p[i + 1] < '0' || p[i + 1] > '9')
            return i + 1;
        return 0;
    }
    return i == n || qp_blank_len(p + i, n - i) != 0 ? i : 0;
}

/* Dots that stand for a move. */
static size_t dots_at(const char *p, size_t n)
{
    size_t i = 0, count = 0;
    for (;;) {
        if (i < n && p[i] == '.') {
            i++;
            count++;
        } else if (n - i >= 3 && memcmp(p + i, "…", 3) == 0) {
            i += 3;
            count += 2;
        } else {
            return count >= 2 ? i : 0;
        }
    }
}

/* Whether movetext begins at p: a number and a move, perhaps dots between them. letters:
 * the move is in letters and no coordinates. */
static bool is_movetext(const struct qp_lexer *lexer, const char *p, size_t n,
                        bool *letters)
{
    qp_written written;
    unsigned value;
    size_t i = qp_wxf_blanks(p, n, 0), used = number_at(p + i, n - i, &value);
    if (used == 0)
        return false;
    i = qp_wxf_blanks(p, n, i + used);
    if (dots_at(p + i, n - i) != 0)
        i = qp_wxf_blanks(p, n, i + dots_at(p + i, n - i));
    if (qp_lex_move(lexer, p + i, n - i, &written) == 0)
        return false;
    *letters = (unsigned char)p[i] < 0x80 && written.form != QP_FORM_COORD;
    return true;
}

static unsigned wxf_probe(const qp_probe *probe)
{
    const char *p = probe->text.data, *end = p + probe->text.len;
    const qp_wxf_key *key;
    unsigned bid = 0, lines = 0, keys = 0;
    bool letters;
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((lf ? lf : end) - p), i = qp_wxf_blanks(p, n, 0), used;
        if (qp_wxf_opens(p + i, n - i, "START") != 0)
            return keys != 0 || lines == 0 ? 90 : 60;
        used = qp_wxf_key_at(p, n, &key);
        if (used != 0 && key != NULL) {
            keys++;
            if (key->shape == QP_WXF_FORMAT && lines == 0)
                bid = 60;
        } else if (lines == 0 && i < n &&
                   is_movetext(qp_context_lexer(probe->context), p, n, &letters)) {
            /* P2-5 is a pawn that goes back, and a cannon of a Vietnamese card. */
            bid = letters && !qp_cards_vietnamese(probe->context, (qp_str){p, n}) ? 30 : 10;
        }
        lines += i < n;
        p += n + 1;
    }
    return bid;
}

/* ---- moves ---- */

typedef struct scan {
    qp_reading *reading;
    size_t at;
    bool block;  /* START{ was read */
    bool closed; /* and its end */
    bool ended;  /* another record begins here, or the end was read */
    bool broken; /* longer than the limit */
    bool result;
    uint32_t plies, last_number;
} scan;

bool qp_wxf_ends(const char *p, size_t n)
{
    return (n >= 4 && memcmp(p, "}END", 4) == 0) || qp_wxf_begins(p, n);
}

/* The offset of `close` from `from` on, before the record ends; SIZE_MAX: there is none,
 * and *stop is where the search ended. */
static size_t find_close(scan *s, size_t from, const char *close, size_t *stop)
{
    qp_source *source = s->reading->source;
    size_t at = from, len = strlen(close);
    while (at < s->reading->limit && qp_source_has(source, at, 1)) {
        size_t end = qp_source_line_end(source, at, s->reading->limit);
        const char *p = source->text + at;
        if (at != from && qp_wxf_ends(p, end - at))
            break;
        for (const char *q = p;
             (q = memchr(q, close[0], end - at - (size_t)(q - p))) != NULL; q++)
            if (end - at - (size_t)(q - p) >= len && memcmp(q, close, len) == 0)
                return at + (size_t)(q - p);
        at = end < source->len ? end + 1 : end;
    }
    *stop = at;
    return SIZE_MAX;
}

/* A comment that opens with `open` bytes at s->at. */
static void read_comment(scan *s, size_t open, const char *close)
{
    qp_record *record = s->reading->record;
    size_t from = s->at + open, stop = from, end = find_close(s, from, close, &stop);
    if (end == SIZE_MAX) {
        qp_record_report(record, QP_D_comment_unclosed, s->at, open, "comment-unclosed",
                         "this comment is never closed");
        s->at = stop;
        while (stop > from && s->reading->source->text[stop - 1] == '\n')
            stop--;
        qp_record_comment(record, from, stop - from, (qp_str){0});
        return;
    }
    qp_record_comment(record, from, end - from, (qp_str){0});
    s->at = end + strlen(close);
}

/* ! ? !! ?? !? ?!; returns the length. */
static size_t mark_at(const char *p, size_t n, unsigned *nag)
{
    if (n == 0 || (p[0] != '!' && p[0] != '?'))
        return 0;
    bool good = p[0] == '!';
    if (n == 1 || (p[1] != '!' && p[1] != '?')) {
        *nag = good ? 1 : 2;
        return 1;
    }
    *nag = good ? (p[1] == '!' ? 3 : 5) : (p[1] == '!' ? 6 : 4);
    return 2;
}

static size_t result_at(const char *p, size_t n, qp_result *result)
{
    static const char *const texts[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static const uint8_t results[] = {QP_RESULT_RED, QP_RESULT_BLACK, QP_RESULT_DRAW,
                                      QP_RESULT_UNKNOWN};
    for (size_t i = 0; i < QP_COUNT(texts); i++) {
        size_t len = strlen(texts[i]);
        if (n >= len && memcmp(p, texts[i], len) == 0 &&
            (n == len || p[len] == '}' || qp_blank_len(p + len, n - len) != 0)) {
            *result = (qp_result)results[i];
            return len;
        }
    }
    return 0;
}

static void add_event(scan *s, qp_event_kind kind, size_t len, unsigned value,
                      unsigned flags)
{
    qp_event *event = qp_record_add(s->reading->record, kind, s->at, len);
    if (event != NULL) {
        event->value = (uint16_t)value;
        event->flags = (uint8_t)flags;
    }
    s->at += len;
}

/* A word that no rule takes: a broken move, a result in words, or a remark. */
static void read_word(scan *s, const char *p, size_t n)
{
    qp_record *record = s->reading->record;
    size_t len = 0;
    bool digit = false, ascii = true;
    while (len < n && p[len] != '}' && qp_blank_len(p + len, n - len) == 0) {
        digit |= p[len] >= '0' && p[len] <= '9';
        ascii &= (unsigned char)p[len] < 0x80;
        len++;
    }
    len += len == 0;
    qp_str word = {p, len};
    qp_result result;
    if (qp_result_read(s->reading->patterns, word, &result)) {
        s->result = true;
        add_event(s, QP_EV_RESULT, len, result, 0);
    } else if ((ascii && digit && len >= 2 && len <= 8) ||
               qp_lex_resembles_move(s->reading->lexer, word)) {
        qp_record_bad_move(record, s->at, len);
        s->plies++;
        s->at += len;
    } else {
        qp_record_comment(record, s->at, len, (qp_str){0});
        s->at += len;
    }
}

/* Reads moves, and numbers before them, with nothing but blanks between, as far as they stand in
 * the line: what read_moves makes of them, in fewer steps. false: there are none. */
static bool read_plain(scan *s, size_t end)
{
    enum { AHEAD = 16 };
    qp_reading *reading = s->reading;
    qp_record *record = reading->record;
    const char *text = reading->source->text;
    const size_t had = s->at, seen = reading->source->len;
    size_t at = had, used;
    while (at < end && seen - at > AHEAD) {
        if (text[at] == ' ') {
            at++;
        } else if ((text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z') {
            const qp_known_move *known =
                qp_lex_known(reading->memo, reading->lexer, text + at, &used);
            qp_event *event = known != NULL ? qp_record_add(record, QP_EV_MOVE, at, used) : NULL;
            if (event == NULL)
                break;
            event->value = known->stride;
            event->as.written = known->written;
            s->plies++;
            at += used;
        } else { /* 12. and, behind blanks, a letter: no dots, no result */
            size_t digits = 0, next;
            unsigned value = 0;
            for (; digits < 3 && (unsigned)(text[at + digits] - '0') < 10; digits++)
                value = value * 10 + (unsigned)(text[at + digits] - '0');
            for (next = at + digits + 1; text[next] == ' ' && next < at + AHEAD - 1;)
                next++;
            if (digits == 0 || value < 2 || text[at + digits] != '.' ||
                text[at + digits + 1] != ' ' || (text[next] | 0x20) < 'a' ||
                (text[next] | 0x20) > 'z')
                break;
            qp_event *event = qp_record_add(record, QP_EV_NUMBER, at, digits + 1);
            if (event == NULL)
                break;
            event->value = (uint16_t)value;
            s->last_number = value;
            at = next;
        }
    }
    s->at = at;
    return at != had;
}

/* The moves of one line, or less where a comment goes on past it. */
static void read_moves(scan *s, size_t end)
{
    qp_reading *reading = s->reading;
    qp_record *record = reading->record;
    const bool has_memo =
        reading->memo != NULL && reading->lexer == qp_context_lexer(reading->context);
    bool first = true;
    while (s->at < end && !s->ended) {
        if (has_memo && read_plain(s, end)) {
            first = false;
            continue;
        }
        const char *p = s->reading->source->text + s->at;
        size_t n = end - s->at, used;
        unsigned value;
        qp_written written;
        qp_result result;
        if ((used = qp_blank_len(p, n)) != 0) {
            s->at += used;
            continue;
        }
        if (*p == '}' && s->block) {
            s->ended = s->closed = true;
            s->at++;
        } else if (first && s->block && qp_str_is(qp_str_trim((qp_str){p, n}), "END")) {
            s->ended = s->closed = true;
        } else if (n >= 2 && p[0] == '/' && p[1] == '*') {
            read_comment(s, 2, "*/");
            return;
        } else if (*p == '{') {
            read_comment(s, 1, "}");
            return;
        } else if ((used = qp_wxf_opens(p, n, "COMMENT")) != 0) {
            read_comment(s, used, "}");
            return;
        } else if ((used = mark_at(p, n, &value)) != 0) {
            if (s->plies != 0)
                add_event(s, QP_EV_NAG, used, value, 0);
            else
                read_word(s, p, n);
        } else if ((used = result_at(p, n, &result)) != 0) {
            s->result = true;
            add_event(s, QP_EV_RESULT, used, result, 0);
        } else if ((used = number_at(p, n, &value)) != 0) {
            if (!s->block && first && value == 1 && s->last_number > 1) {
                s->ended = true;
                return;
            }
            s->last_number = value;
            size_t dots = qp_wxf_blanks(p, n, used);
            dots += dots_at(p + dots, n - dots);
            bool black = dots > qp_wxf_blanks(p, n, used);
            add_event(s, QP_EV_NUMBER, black ? dots : used, value,
                      black ? QP_EV_DOTS : 0);
        } else if ((used = dots_at(p, n)) != 0) {
            add_event(s, QP_EV_NUMBER, used, 0, QP_EV_DOTS);
        } else if ((used = qp_lex_move(s->reading->lexer, p, n, &written)) != 0) {
            qp_record_move(record, s->at, used, &written);
            s->plies++;
            s->at += used;
        } else {
            read_word(s, p, n);
        }
        first = false;
    }
}

/* What stands behind }END: a result in the same line, then nothing that counts. */
static void read_end(scan *s)
{
    qp_source *source = s->reading->source;
    bool said = false;
    for (bool same_line = true;
         s->at < s->reading->limit && qp_source_has(source, s->at, 1);
         same_line = false) {
        size_t end = qp_source_line_end(source, s->at, s->reading->limit);
        const char *p = source->text + s->at;
        size_t n = end - s->at, i = qp_wxf_blanks(p, n, 0);
        const qp_wxf_key *key;
        qp_result result;
        bool letters;
        if (same_line) {
            if (n - i >= 3 && memcmp(p + i, "END", 3) == 0)
                i = qp_wxf_blanks(p, n, i + 3);
            size_t used = result_at(p + i, n - i, &result);
            if (used != 0) {
                s->at += i;
                s->result = true;
                add_event(s, QP_EV_RESULT, used, result, 0);
                continue;
            }
        } else if (qp_wxf_key_at(p, n, &key) != 0 ||
                   qp_wxf_opens(p + i, n - i, "START") != 0 ||
                   is_movetext(s->reading->lexer, p, n, &letters)) {
            return;
        }
        if (i < n && !said) {
            qp_record_report(s->reading->record, QP_D_trailing_text, s->at + i, n - i,
                             "trailing-text",
                             "text behind the end of the game is passed over");
            said = true;
        }
        s->at = end < source->len ? end + 1 : end;
    }
}

/* One line of the header, or the end of the header. */
static bool read_head_line(scan *s, size_t end)
{
    qp_reading *reading = s->reading;
    qp_record *record = reading->record;
    const char *p = reading->source->text + s->at;
    size_t n = end - s->at, i = qp_wxf_blanks(p, n, 0), used;
    bool letters;
    if (i == n) {
        s->at = end;
        return true;
    }
    if (qp_wxf_begins(p, n) && (record->tag_count != 0 || record->has_start)) {
        const qp_wxf_key *key;
        qp_wxf_key_at(p, n, &key);
        if (key->shape == QP_WXF_FORMAT) { /* a header without moves, and the next one */
            s->ended = true;
            return true;
        }
    }
    if ((used = qp_wxf_opens(p + i, n - i, "START")) != 0) {
        s->block = true;
        s->at += i + used;
        return false;
    }
    if ((used = qp_wxf_opens(p + i, n - i, "COMMENT")) != 0) {
        s->at += i;
        read_comment(s, used, "}");
    } else if ((used = qp_wxf_opens(p + i, n - i, "SETUP")) != 0) {
        size_t from = s->at + i + used, stop = from,
               close = find_close(s, from, "}", &stop);
        s->at = close == SIZE_MAX ? stop : close + 1;
        qp_wxf_setup(reading, from, (close == SIZE_MAX ? stop : close) - from);
    } else if (n - i >= 2 && memcmp(p + i, "/*", 2) == 0) {
        s->at += i;
        read_comment(s, 2, "*/");
    } else if (qp_wxf_header(reading, s->at, (qp_str){p, n})) {
        s->at = end;
    } else if (is_movetext(reading->lexer, p, n, &letters)) {
        return false;
    } else {
        size_t len = qp_str_trim((qp_str){p + i, n - i}).len;
        qp_record_comment(record, s->at + i, len, (qp_str){0});
        s->at = end;
    }
    return true;
}

static qp_status wxf_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    qp_record *record = reading->record;
    scan s = {.reading = reading};
    bool head = true;
    record->verbatim = true;
    while (!s.ended && qp_source_has(source, s.at, 1)) {
        if (s.at >= reading->limit) {
            s.broken = true;
            break;
        }
        size_t end = qp_source_line_end(source, s.at, reading->limit);
        const qp_wxf_key *key;
        const char *p = source->text + s.at;
        if (source->text[s.at] == '\n') {
            s.at++;
        } else if (head) {
            head = read_head_line(&s, end);
        } else if (qp_wxf_begins(p, end - s.at)) {
            s.ended = true;
        } else if (!s.block && qp_wxf_key_at(p, end - s.at, &key) != 0) {
            qp_wxf_header(reading, s.at, (qp_str){p, end - s.at});
            s.at = end;
        } else {
            read_moves(&s, end);
        }
    }
    if (s.broken) {
        qp_record_report(
            record, QP_D_file_limit, s.at, 0, "record",
            "the record is longer than %llu bytes: what follows is read as another",
            (unsigned long long)reading->limit);
        record->broken = true;
    } else if (s.closed) {
        read_end(&s);
    } else if (s.block && !s.result) {
        qp_report *report = qp_record_report(record, QP_D_file_truncated, s.at, 0,
                                             "wxf-end", "no }END closes the moves");
        if (report != NULL)
            report->severity = QP_WARNING;
    }
    reading->used = s.at;
    return s.block || s.plies != 0 || record->tag_count != 0 || record->has_start ||
                   s.broken
               ? QP_OK
               : QP_END;
}

const qp_format qp_format_wxf = {
    .name = "wxf",
    .title = "the WXF file of PlayOK and others: header, START{ moves }END",
    .suffixes = "wxf",
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_NAGS |
               QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_RESULT |
               QP_CARRIES_MOVES,
    .notation = "wxf",
    .probe = wxf_probe,
    .read = wxf_read,
    .cut = qp_cut_wxf,
    .between = "\n",
    .write = qp_wxf_write,
};
