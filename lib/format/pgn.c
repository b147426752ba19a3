/* PGN for Xiangqi: tags and movetext in Chinese, WXF or coordinates. Sources: the xqbase norm
 * (cchess_pgn), the writers of eleeye, XQWizard, vschess, pychess, and 58,000 public files.
 * Movetext is read in movetext.c; tags are read here, the writer stands in pgn_write.c. */
#include "config.h"

#include "format/format.h"

/* ---- tags ---- */

typedef struct tag_value {
    size_t at, len;
    bool escaped, bare_quote, open;
    size_t used; /* past the bracket that closes the tag */
} tag_value;

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

/* Whether a quote at i closes the value: then `]` follows, and behind it the line ends, or
 * another tag or movetext begins. */
static bool closes(const char *p, size_t n, size_t i, size_t *used)
{
    size_t k = skip_blanks(p, n, i + 1);
    if (k >= n || p[k] != ']')
        return false;
    *used = k + 1;
    k = skip_blanks(p, n, k + 1);
    return k >= n || qp_is_tag_line(p + k, n - k) || (p[k] >= '0' && p[k] <= '9') ||
           p[k] == '{' || p[k] == '(' || p[k] == '*' || p[k] == ';';
}

/* The value that begins behind the quote at p[from - 1]; n bytes are the line. */
static tag_value read_value(const char *p, size_t n, size_t from)
{
    tag_value v = {.at = from};
    size_t last = 0, last_used = 0;
    bool found = false;
    const char *quote = memchr(p + from, '"', n - from);
    if (QP_LIKELY_TO(quote != NULL)) { /* the usual value: no other quote, no escape */
        v.len = (size_t)(quote - p) - from;
        if (closes(p, n, from + v.len, &v.used) && memchr(p + from, '\\', v.len) == NULL)
            return v;
    }
    for (size_t i = from; i < n; i++) {
        if (p[i] == '\\' && i + 1 < n && (p[i + 1] == '"' || p[i + 1] == '\\')) {
            v.escaped = true;
            i++;
            continue;
        }
        if (p[i] != '"')
            continue;
        if (closes(p, n, i, &v.used)) {
            v.len = i - from;
            return v;
        }
        v.bare_quote = true;
        found = true;
        last = i;
        size_t k = skip_blanks(p, n, i + 1);
        last_used = k < n && p[k] == ']' ? k + 1 : i + 1;
    }
    /* No `"]` ends it: to the last quote, or to the bracket, or to the end of the line. */
    v.open = true;
    if (found) {
        v.len = last - from;
        v.used = last_used;
        v.bare_quote = memchr(p + from, '"', v.len) != NULL;
        return v;
    }
    size_t end = n;
    while (end > from && (p[end - 1] == ' ' || p[end - 1] == '\t'))
        end--;
    if (end > from && p[end - 1] == ']')
        end--;
    v.len = end - from;
    v.used = n;
    return v;
}

static qp_str unescape(qp_arena *arena, const char *p, size_t n)
{
    char *out = qp_arena_alloc(arena, n + 1);
    size_t len = 0;
    if (out == NULL)
        return (qp_str){"", 0};
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\\' && i + 1 < n && (p[i + 1] == '"' || p[i + 1] == '\\'))
            i++;
        out[len++] = p[i];
    }
    out[len] = '\0';
    return (qp_str){out, len};
}

/* Reads the tags of one line, usually one; at is the line's offset, n its length. Returns
 * where the tags end: n, or where movetext begins in the same line; 0 where none begins. */
static size_t read_tag_line(qp_reading *reading, size_t at, size_t n)
{
    qp_record *record = reading->record;
    const char *p = reading->source->text + at;
    size_t i = 0, head;
    qp_str name;
    while (i < n && (head = qp_tag_head(p + i, n - i, &name)) != 0) {
        size_t name_at = (size_t)(name.data - p);
        qp_record_tag tag = {.name_at = (uint32_t)(at + name_at),
                             .name_len = (uint32_t)name.len};
        i += head;
        bool curly = p[i] != '"';
        size_t from = i + (curly ? 3 : 1);
        tag_value v;
        if (curly) { /* “…” of a word processor */
            v = (tag_value){.at = from, .open = true, .used = n};
            while (from + v.len < n && memcmp(p + from + v.len, "\xE2\x80\x9D",
                                              n - from - v.len < 3 ? n - from - v.len : 3) != 0)
                v.len++;
        } else {
            v = read_value(p, n, from);
        }
        tag.value_at = (uint32_t)(at + v.at);
        tag.value_len = (uint32_t)v.len;
        if (v.escaped)
            tag.made_value = unescape(record->arena, p + v.at, v.len);
        qp_record_tag_add(record, tag);
        if (v.open)
            qp_record_report(record, QP_D_tag_broken, at + name_at, v.used - name_at,
                             "tag-unterminated", "the value of this tag is not closed by \"]");
        else if (skip_blanks(p, i, name_at + name.len) != i)
            qp_record_report(record, QP_D_tag_broken, at + name_at, v.used - name_at, "tag-sign",
                             "a sign stands between the name of this tag and its value");
        else if (v.bare_quote)
            qp_record_report(record, QP_D_tag_broken, at + v.at, v.len,
                             "tag-quote-unescaped",
                             "a quotation mark inside the value is not escaped");
        if (qp_str_is_nocase(name, "FEN")) {
            qp_str fen = tag.made_value.data ? tag.made_value : (qp_str){p + v.at, v.len};
            if (qp_str_trim(fen).len != 0 && !qp_str_is(fen, "?") && !qp_str_is(fen, "-"))
                qp_record_start(record, fen, at + v.at, v.len);
        }
        i = skip_blanks(p, n, v.used);
    }
    return i;
}

/* Reads a tag as nearly all are written, [Name "value"] with nothing before it and behind it
 * in its line, as read_tag_line does; returns the line's length with its end, 0 for all
 * else. */
static size_t read_plain_tag(qp_reading *reading, size_t at)
{
    const char *p = reading->source->text + at;
    const char *lf = memchr(p, '\n', reading->source->len - at);
    size_t n = lf != NULL ? (size_t)(lf - p) : 0, i = 1;
    if (n < 6 || p[0] != '[' || p[n - 1] != ']' || p[n - 2] != '"')
        return 0;
    while (((unsigned)(unsigned char)p[i] | 0x20) - 'a' < 26) /* the line's end is no letter */
        i++;
    if (i == 1 || i > 65 || p[i] != ' ' || p[i + 1] != '"' || i + 2 > n - 2)
        return 0;
    size_t len = n - 2 - (i + 2);
    if (len != 0 && (memchr(p + i + 2, '"', len) || memchr(p + i + 2, '\\', len)))
        return 0;
    if (i == 4 && qp_str_is_nocase((qp_str){p + 1, 3}, "FEN"))
        return 0;
    qp_record_tag_add(reading->record, (qp_record_tag){.name_at = (uint32_t)at + 1,
                                                       .name_len = (uint32_t)i - 1,
                                                       .value_at = (uint32_t)(at + i + 2),
                                                       .value_len = (uint32_t)len});
    return n + 1;
}

/* A tag without quotes among tags; false for all else. next is where the line after it begins. */
static bool read_bare_tag(qp_reading *reading, size_t at, size_t n, size_t next, bool among)
{
    qp_source *source = reading->source;
    qp_str name, value;
    if (!qp_bare_tag((qp_str){source->text + at, n}, &name, &value))
        return false;
    if (!among) { /* the first of them: then a tag follows */
        size_t end = qp_source_line_end(source, next, reading->limit);
        if (!qp_is_tag_line(source->text + next, end - next) &&
            !qp_is_bare_tag(source->text + next, end - next))
            return false;
        qp_bare_tag((qp_str){source->text + at, n}, &name, &value); /* the text may have moved */
    }
    size_t name_at = (size_t)(name.data - source->text);
    size_t value_at = (size_t)(value.data - source->text);
    qp_record_tag_add(reading->record, (qp_record_tag){.name_at = (uint32_t)name_at,
                                                       .name_len = (uint32_t)name.len,
                                                       .value_at = (uint32_t)value_at,
                                                       .value_len = (uint32_t)value.len});
    qp_record_report(reading->record, QP_D_tag_broken, name_at, value_at + value.len - name_at,
                     "tag-unquoted", "the value of this tag stands without quotes");
    if (qp_str_is_nocase(name, "FEN") && value.len != 0)
        qp_record_start(reading->record, value, value_at, value.len);
    return true;
}

/* ---- the record ---- */

/* qp_reading.carried */
enum { PGN_SKIPPING = 1 << 0 }; /* the rest of a record past the limit */

/* Whether a line begins with the tag that the record began with. */
static bool begins_again(const qp_record *record, const char *text, const char *p, size_t n)
{
    const qp_record_tag *first = record->tags;
    qp_str name;
    char word[65]; /* qp_tag_head takes no longer ones */
    if (record->tag_count == 0 || qp_tag_head(p, n, &name) == 0 ||
        name.len != first->name_len)
        return false;
    memcpy(word, text + first->name_at, name.len);
    word[name.len] = '\0';
    return qp_str_is_nocase(name, word);
}

/* Comments among tags, {…} or ; to the end of the line, with a tag right behind them. Returns
 * where that begins, 0 where it is otherwise. keep: adds them. */
static size_t pass_comments(qp_reading *reading, size_t at, bool keep)
{
    enum { LONGEST = 16 * 1024 };
    qp_source *source = reading->source;
    for (size_t from = at; at - from < LONGEST && qp_source_has(source, at, 1);) {
        size_t end = qp_source_line_end(source, at, reading->limit), stop = end;
        const char *p = source->text + at;
        if (*p == '{') {
            for (stop = at + 1; qp_source_has(source, stop, 1) && stop - from < LONGEST &&
                                source->text[stop] != '}';)
                stop++;
            end = qp_source_line_end(source, stop, reading->limit);
            p = source->text + at;
            if (stop >= end || p[stop - at] != '}' ||
                qp_str_trim((qp_str){p + stop - at + 1, end - stop - 1}).len != 0)
                return 0;
        } else if (*p != ';' && *p != '%') {
            return qp_is_tag_line(p, end - at) &&
                           !begins_again(reading->record, source->text, p, end - at)
                       ? at
                       : 0;
        }
        if (keep && *p != '%')
            qp_record_comment(reading->record, at + 1, stop - at - 1, (qp_str){0});
        at = end < source->len ? end + 1 : end;
    }
    return 0;
}

/* The tags from at on; returns where they end. *found tells whether there is one. Behind an
 * empty line the first tag's name begins another record: this one has no moves, as in lists
 * of positions; *bare is set then. */
static size_t read_tags(qp_reading *reading, size_t at, bool *found, bool *bare)
{
    qp_source *source = reading->source;
    bool empty = false;
    *found = *bare = false;
    while (at <= reading->limit && qp_source_has(source, at, 1)) {
        size_t plain = empty ? 0 : read_plain_tag(reading, at);
        if (QP_LIKELY_TO(plain != 0)) {
            *found = true;
            at += plain;
            continue;
        }
        size_t on;
        if (reading->skim != NULL && qp_skim_found(reading, at, &on) != NULL)
            break; /* what follows is behind the moves */
        size_t end = qp_source_line_end(source, at, reading->limit);
        const char *p = source->text + at;
        size_t n = end - at;
        const char first = n > 0 ? *p : '\0'; /* the text may move below */
        if (empty && begins_again(reading->record, source->text, p, n)) {
            *bare = true;
            return at;
        }
        size_t used = read_tag_line(reading, at, n);
        if (used != 0) {
            *found = true;
            empty = false;
            if (used < n)
                return at + used;
        } else if (first == '[' &&
                   read_bare_tag(reading, at, n, end < source->len ? end + 1 : end, *found)) {
            *found = true;
            empty = false;
        } else if (*found && !empty && (first == '{' || first == ';')) {
            size_t next = pass_comments(reading, at, false);
            if (next == 0)
                break;
            pass_comments(reading, at, true);
            at = next;
            continue;
        } else if (qp_str_trim((qp_str){source->text + at, n}).len != 0 && first != '%') {
            break;
        } else {
            empty = *found;
        }
        at = end < source->len ? end + 1 : end;
    }
    return at;
}

/* A record with no move in which round numbers stand before words: these were meant for moves.
 */
static void tell_no_move(qp_record *record)
{
    for (size_t i = 1; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind != QP_EV_COMMENT || e[-1].kind != QP_EV_NUMBER || e[-1].value == 0)
            continue;
        for (size_t k = 0; k < record->report_count; k++)
            if (record->reports[k].code == QP_D_comment_bare && record->reports[k].at == e->at) {
                qp_record_report(record, QP_D_move_unreadable, e->at, e->len, NULL,
                                 "no notation known reads this, nor any move of the record");
                return;
            }
    }
}

static qp_status pgn_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    if (reading->carried & PGN_SKIPPING)
        qp_skip_to_line(source, qp_is_tag_line);
    reading->carried = 0;
    for (;;) {
        bool tags, bare;
        qp_movetext movetext = {.reading = reading, .flags = QP_MT_TAGS | QP_MT_PASSES};
        movetext.at = read_tags(reading, 0, &tags, &bare);
        reading->record->rounds = qp_skim_found(reading, movetext.at, &movetext.at);
        if (reading->record->rounds != NULL)
            movetext.plies = movetext.good = reading->record->rounds->plies;
        if (!bare && qp_source_has(source, movetext.at, 1) &&
            qp_cards_read(&movetext) == QP_MT_LIMIT) {
            qp_record_report(reading->record, QP_D_file_limit, movetext.at, 0, "record",
                             "the record is longer than %llu bytes: the rest is passed over",
                             (unsigned long long)reading->limit);
            reading->record->broken = true;
            reading->carried |= PGN_SKIPPING;
        }
        reading->used = movetext.at;
        if (tags && movetext.plies == 0 && movetext.good == 0)
            tell_no_move(reading->record);
        if (tags || movetext.plies != 0 || movetext.good != 0)
            return QP_OK;
        if (movetext.at >= source->len && source->ended)
            return QP_END;
        /* Text without tags and moves is no game; there may be one behind it. */
        qp_record_rewind(reading->record);
        qp_source_next(source, movetext.at);
    }
}

static unsigned pgn_probe(const qp_probe *probe)
{
    const char *p = probe->text.data, *end = p + probe->text.len;
    unsigned lines = 0, bare = 0;
    while (p < end && lines < 64) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((lf ? lf : end) - p);
        if (qp_is_tag_line(p, n))
            return 60;
        bare += qp_is_bare_tag(p, n);
        lines++;
        p += n + 1;
    }
    return bare >= 2 ? 55 : 0;
}

const qp_format qp_format_pgn = {
    .name = "pgn",
    .title = "PGN, tags and movetext",
    .suffixes = "pgn pgns",
    .carries = QP_CARRIES_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_NAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_CLOCKS | QP_CARRIES_TEXT | QP_CARRIES_MOVES,
    .notation = "chinese",
    .probe = pgn_probe,
    .read = pgn_read,
    .skims = true,
    .cut = qp_cut_pgn,
    .between = "\n",
    .write = qp_pgn_write,
};
