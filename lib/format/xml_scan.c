/* Finds XML records in a text and their tags, before any parser sees them. See xml.h. */
#include "config.h"

#include "format/xml.h"

#include <stdlib.h>

enum {
    FORGET = 64 * 1024, /* text between records is given up in such pieces */
    DEPTH_MAX = 65536,  /* elements inside one another */
    WRAP_LEN = 64,      /* how far a record stands from the comment that wraps it */
};

typedef enum markup {
    MARKUP_NONE, /* a bare < */
    MARKUP_START,
    MARKUP_EMPTY,
    MARKUP_END,
    MARKUP_COMMENT,
    MARKUP_CDATA,
    MARKUP_INSTRUCTION,
    MARKUP_DOCTYPE,
    MARKUP_OPEN, /* the text, or what may be read of it, ends within it */
} markup;

static bool begins(const qp_source *source, size_t at, const char *word)
{
    size_t len = strlen(word);
    return source->len - at >= len && memcmp(source->text + at, word, len) == 0;
}

/* Whether n bytes stand at `at`; a text that has ended is asked for nothing. */
static bool have(qp_source *source, size_t at, size_t n)
{
    return source->len - at >= n || (!source->ended && qp_source_has(source, at, n));
}

/* The offset of a byte at or after `at`, SIZE_MAX where none stands before max. */
static size_t seek_byte(qp_source *source, size_t at, char byte, size_t max)
{
    for (;;) {
        size_t end = source->len < max ? source->len : max;
        const char *found = at < end ? memchr(source->text + at, byte, end - at) : NULL;
        if (found != NULL)
            return (size_t)(found - source->text);
        at = at < end ? end : at;
        if (end == max || source->ended || !qp_source_more(source))
            return SIZE_MAX;
    }
}

/* The offset past a word that ends in >. */
static size_t seek_end(qp_source *source, size_t at, const char *word, size_t max)
{
    size_t len = strlen(word);
    for (size_t from = at; (from = seek_byte(source, from, '>', max)) != SIZE_MAX; from++)
        if (from + 1 - at >= len && memcmp(source->text + from + 1 - len, word, len) == 0)
            return from + 1;
    return SIZE_MAX;
}

/* The end of a document type: past the > that is in neither quotes, brackets nor
 * comments. */
static size_t doctype_end(qp_source *source, size_t at, size_t max)
{
    char quote = 0;
    int depth = 0;
    for (; at < max && have(source, at, 1); at++) {
        char c = source->text[at];
        if (quote != 0) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[') {
            depth++;
        } else if (c == ']') {
            depth--;
        } else if (c == '<' && have(source, at, 4) && begins(source, at, "<!--")) {
            at = seek_end(source, at + 4, "-->", max);
            if (at == SIZE_MAX)
                return SIZE_MAX;
            at--;
        } else if (c == '>' && depth <= 0) {
            return at + 1;
        }
    }
    return SIZE_MAX;
}

/* What begins at the < at `at`; *end is set past it. Nothing at or past max is read. */
static markup markup_at(qp_source *source, size_t at, size_t max, size_t *end)
{
    have(source, at, 9);
    markup kind = MARKUP_START;
    size_t past = 0;
    if (begins(source, at, "<!--")) {
        kind = MARKUP_COMMENT;
        past = seek_end(source, at + 4, "-->", max);
    } else if (begins(source, at, "<![CDATA[")) {
        kind = MARKUP_CDATA;
        past = seek_end(source, at + 9, "]]>", max);
    } else if (begins(source, at, "<?")) {
        kind = MARKUP_INSTRUCTION;
        past = seek_end(source, at + 2, "?>", max);
    } else if (begins(source, at, "<!DOCTYPE")) {
        kind = MARKUP_DOCTYPE;
        past = doctype_end(source, at + 9, max);
    } else if (begins(source, at, "</")) {
        kind = MARKUP_END;
    } else if (source->len - at < 2 ||
               strchr(" \n\t\"'&<>=/!", source->text[at + 1]) != NULL) {
        *end = at + 1;
        return MARKUP_NONE;
    }
    if (past == SIZE_MAX) {
        *end = source->len < max ? source->len : max;
        return MARKUP_OPEN;
    }
    if (past != 0) {
        *end = past;
        return kind;
    }
    char quote = 0;
    for (size_t i = at + 1;; i++) {
        if (i >= max || !have(source, i, 1)) {
            *end = i;
            return MARKUP_OPEN;
        }
        char c = source->text[i];
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (c == '<') { /* never within a tag: this one was not finished */
            *end = i;
            return kind;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote == 0 && c == '>') {
            *end = i + 1;
            return kind == MARKUP_START && source->text[i - 1] == '/' ? MARKUP_EMPTY
                                                                      : kind;
        }
    }
}

/* The name of the tag in text[at, end), without a prefix. */
static qp_str tag_name(const char *text, size_t at, size_t end)
{
    size_t from = at + 1 + (at + 1 < end && text[at + 1] == '/'), i = from;
    for (; i < end && text[i] != '>' && text[i] != ' ' && text[i] != '/' &&
           text[i] != '\n' && text[i] != '\t';
         i++)
        if (text[i] == ':')
            from = i + 1;
    return (qp_str){text + from, i - from};
}

/* Whether a tag has an attribute m that looks like a FEN. */
static bool has_fen(qp_str tag)
{
    for (size_t i = 2; i + 4 < tag.len; i++) {
        if (tag.data[i] != 'm' || strchr(" \n\t\"'", tag.data[i - 1]) == NULL)
            continue;
        size_t at = i + 1;
        while (at < tag.len && strchr(" \n\t=", tag.data[at]) != NULL)
            at++;
        if (at == i + 1 || at >= tag.len || (tag.data[at] != '"' && tag.data[at] != '\''))
            continue;
        const char *close = memchr(tag.data + at + 1, tag.data[at], tag.len - at - 1);
        size_t len = close ? (size_t)(close - tag.data) - at - 1 : tag.len - at - 1;
        return memchr(tag.data + at + 1, '/', len) != NULL;
    }
    return false;
}

/* What record begins with the tag, or ends with it. */
static qp_xml_root root_named(qp_str name, qp_str tag, bool inside)
{
    if (qp_str_is(name, "ChineseChessRecord"))
        return QP_XML_CBF;
    if (qp_str_is(name, "game") && inside)
        return QP_XML_GAME;
    if (qp_str_is(name, "n") && has_fen(tag))
        return QP_XML_PFC;
    return QP_XML_NONE;
}

static qp_xml_root root_of(const char *text, size_t at, size_t end, bool inside)
{
    return root_named(tag_name(text, at, end), (qp_str){text + at, end - at}, inside);
}

/* Whether a comment begins that only wraps a record, as forum software wants it. */
static bool wraps(const qp_source *source, size_t at)
{
    size_t end = source->len - at < WRAP_LEN ? source->len : at + WRAP_LEN;
    if (!begins(source, at, "<!--"))
        return false;
    for (at += 4; at < end; at++)
        if (source->text[at] != ' ' && source->text[at] != '\n' &&
            source->text[at] != '\t')
            return begins(source, at, "<?xml") || begins(source, at, "<n ");
    return false;
}

/* Whether the start tag of <qipu> names this version of the schema. */
static bool is_version_1(qp_str tag)
{
    static const char name[] = "version";
    for (size_t i = 0; i + sizeof name < tag.len; i++) {
        if (memcmp(tag.data + i, name, sizeof name - 1) != 0)
            continue;
        i += sizeof name - 1;
        while (i < tag.len && memchr(" \n\t=", tag.data[i], 4) != NULL)
            i++;
        return tag.len - i >= 3 && tag.data[i + 1] == '1' &&
               tag.data[i + 2] == tag.data[i];
    }
    return false;
}

static void check_doctype(qp_xml *xml, size_t at, size_t end)
{
    qp_source *source = xml->in->source;
    for (size_t i = at; (i = seek_byte(source, i, '<', end)) != SIZE_MAX; i++)
        if (begins(source, i, "<!ENTITY")) {
            qp_record_report(
                xml->in->record, QP_D_file_limit, i, 8, "xml-entity",
                "the file declares entities of its own: they are not expanded");
            return;
        }
}

/* How long a record may be; places are counted in 32 bits. */
static size_t limit_of(const qp_xml *xml)
{
    uint64_t limit = xml->in->limit;
    return limit < UINT32_MAX / 2 ? (size_t)limit : UINT32_MAX / 2;
}

/* The offset of a < at or after `at`, SIZE_MAX where none is left. Text without any is given
 * up in pieces; what was said of it has no place any more. */
static size_t seek_markup(qp_xml *xml, size_t at)
{
    qp_source *source = xml->in->source;
    for (;;) {
        size_t found = seek_byte(source, at, '<', at + FORGET);
        if (found != SIZE_MAX)
            return found;
        if (source->len - at < FORGET)
            return SIZE_MAX;
        for (size_t i = 0; i < xml->in->record->report_count; i++)
            xml->in->record->reports[i].placed = false;
        qp_source_next(source, at + FORGET);
        at = 0;
    }
}

qp_xml_root qp_xml_find(qp_xml *xml, unsigned wanted)
{
    qp_source *source = xml->in->source;
    size_t at = 0;
    while ((at = seek_markup(xml, at)) != SIZE_MAX) {
        if (at > FORGET && xml->in->record->report_count == 0) {
            qp_source_next(source, at);
            at = 0;
        }
        size_t end;
        if (have(source, at, WRAP_LEN) && wraps(source, at)) {
            at += 4;
            continue;
        }
        markup kind = markup_at(source, at, at + limit_of(xml), &end);
        if (kind == MARKUP_DOCTYPE ||
            (kind == MARKUP_OPEN && begins(source, at, "<!DOCTYPE")))
            check_doctype(xml, at, end);
        qp_str name = tag_name(source->text, at, end);
        if (kind == MARKUP_END && qp_str_is(name, "qipu"))
            xml->in->carried = 0;
        if (kind == MARKUP_START || kind == MARKUP_EMPTY || kind == MARKUP_OPEN) {
            if (qp_str_is(name, "qipu")) {
                xml->in->carried = kind == MARKUP_START ? QP_XML_INSIDE : 0;
                if (!is_version_1((qp_str){source->text + at, end - at}))
                    qp_record_report(
                        xml->in->record, QP_D_tag_broken, at, end - at, "xml-version",
                        "this is not version 1 of the schema; it is read as if it were");
            }
            qp_xml_root root = root_of(source->text, at, end, xml->in->carried != 0);
            if (root & wanted) {
                xml->start = at;
                return root;
            }
        }
        at = end;
    }
    return QP_XML_NONE;
}

/* ---- the tags of one record ---- */

static bool grow(void **vector, size_t *room, size_t size)
{
    size_t want = *room ? *room * 2 : 256;
    void *grown = realloc(*vector, want * size);
    if (grown == NULL)
        return false;
    *vector = grown;
    *room = want;
    return true;
}

static bool add_piece(qp_xml_tag **pieces, size_t *count, size_t *room, size_t at,
                      size_t end)
{
    if (*count == *room && !grow((void **)pieces, room, sizeof **pieces))
        return false;
    (*pieces)[(*count)++] = (qp_xml_tag){(uint32_t)at, (uint32_t)(end - at), 0};
    return true;
}

static bool add_tag(qp_xml *xml, size_t at, size_t end)
{
    return add_piece(&xml->tags, &xml->tag_count, &xml->tag_room, at, end);
}

static bool add_hole(qp_xml *xml, size_t at, size_t end)
{
    return add_piece(&xml->holes, &xml->hole_count, &xml->hole_room, at, end);
}

/* Whether a tag has more attributes or declares more namespaces than any record has: the
 * parser's time grows with their square. */
static bool too_many_attributes(qp_str tag, unsigned *namespaces)
{
    enum { ATTRIBUTES_MAX = 256, NAMESPACES_MAX = 64 };
    unsigned attributes = 0;
    char quote = 0;
    for (size_t i = 0; i < tag.len; i++) {
        char c = tag.data[i];
        if (quote != 0) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
            attributes++;
        } else if (c == 'x' && tag.len - i > 5 && memcmp(tag.data + i, "xmlns", 5) == 0) {
            ++*namespaces;
        }
    }
    return attributes > ATTRIBUTES_MAX || *namespaces > NAMESPACES_MAX;
}

bool qp_xml_is_reference(const char *p, size_t n)
{
    static const char *const names[] = {"lt;", "gt;", "amp;", "quot;", "apos;"};
    for (size_t i = 0; i < QP_COUNT(names); i++)
        if (n >= strlen(names[i]) && memcmp(p, names[i], strlen(names[i])) == 0)
            return true;
    if (n < 3 || *p != '#')
        return false;
    bool hex = p[1] == 'x';
    uint32_t code = 0;
    size_t i = hex ? 2 : 1, first = i;
    for (; i < n && p[i] != ';' && code < 0x110000; i++) {
        int c = p[i];
        int digit = c >= '0' && c <= '9' ? c - '0'
                    : hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
                        ? (c | 32) - 'a' + 10
                        : -1;
        if (digit < 0)
            return false;
        code = code * (hex ? 16 : 10) + (uint32_t)digit;
    }
    if (i == first || i >= n || p[i] != ';')
        return false;
    return code == '\t' || code == '\n' || code == '\r' ||
           (code >= 0x20 && code < 0xD800) || (code >= 0xE000 && code <= 0xFFFD) ||
           (code >= 0x10000 && code < 0x110000);
}

static bool check_ampersands(qp_xml *xml, size_t at, size_t end)
{
    enum { REPORTS_MAX = 8 };
    const char *text = xml->in->source->text;
    for (const char *p = text + at; p < text + end; p++) {
        p = memchr(p, '&', (size_t)(text + end - p));
        if (p == NULL)
            break;
        size_t left = (size_t)(text + end - p) - 1;
        if (qp_xml_is_reference(p + 1, left))
            continue;
        if (!add_hole(xml, (size_t)(p - text), (size_t)(p - text) + 1))
            return false;
        if (xml->reports++ < REPORTS_MAX) {
            const char *semicolon = memchr(p, ';', left < 32 ? left + 1 : 32);
            qp_record_report(xml->in->record, QP_D_tag_broken, (size_t)(p - text),
                             semicolon ? (size_t)(semicolon - p) + 1 : 1, "xml-reference",
                             "nothing known to XML: it is kept as text");
        }
    }
    return true;
}

static bool too_much(qp_xml *xml, size_t at, const char *detail, const char *message)
{
    xml->end = at;
    xml->in->record->broken = true;
    qp_record_report(xml->in->record, QP_D_file_limit, xml->start, 1, detail, "%s",
                     message);
    return false;
}

/* Takes the plain tag at open into account: whether the record can still be plain. */
static bool fits(qp_xml *xml, size_t depth, qp_str name, markup kind)
{
    const char *text = xml->in->source->text;
    if (kind == MARKUP_START)
        return depth < QP_XML_PLAIN_DEPTH;
    if (kind != MARKUP_END)
        return true;
    if (depth == 0)
        return false;
    const qp_xml_tag *tag = &xml->tags[xml->open[depth - 1]];
    return tag->len > name.len + 1 &&
           memcmp(text + tag->at + 1, name.data, name.len) == 0 &&
           memchr(" \n\t>", text[tag->at + 1 + name.len], 4) != NULL;
}

/* The plain tag at open; MARKUP_NONE: it is another kind, or is not there yet. */
static markup plain_at(const qp_source *source, size_t open, size_t max, size_t *end,
                       qp_str *name)
{
    bool opens, closes;
    size_t len = qp_xml_plain_tag(source->text + open, source->len - open, name, &opens,
                                  &closes);
    if (len == 0 || open + len > max)
        return MARKUP_NONE;
    *end = open + len;
    return !closes ? MARKUP_START : opens ? MARKUP_EMPTY : MARKUP_END;
}

/* Takes the plain moves that follow one another from `at` on; returns where to go on. *kept is
 * false once memory ran out. */
static size_t take_moves(qp_xml *xml, size_t at, size_t max, bool *kept)
{
    const qp_source *source = xml->in->source;
    const char *text = source->text;
    size_t end = source->len < max ? source->len : max;
    while (*kept) {
        qp_move move;
        size_t open = at;
        while (open < end && (text[open] == ' ' || text[open] == '\n' || text[open] == '\t'))
            open++;
        size_t len = qp_xml_plain_move(text + open, end - open, &move);
        if (len == 0)
            break;
        at = open + len;
        *kept = add_tag(xml, open, at);
        if (*kept)
            xml->tags[xml->tag_count - 1].move = move;
    }
    return at;
}

/* Finds where the record ends; false where it is too much to read. */
bool qp_xml_scan(qp_xml *xml, qp_xml_root root)
{
    qp_source *source = xml->in->source;
    size_t max = xml->start + limit_of(xml), at = xml->start, depth = 0;
    bool plain = true;
    xml->tag_count = xml->hole_count = 0;
    unsigned namespaces = 0;
    xml->truncated = xml->plain = false;
    for (;;) {
        bool kept = true;
        if (plain && root == QP_XML_GAME)
            at = take_moves(xml, at, max, &kept);
        size_t open = seek_byte(source, at, '<', max), end = 0;
        if (open == SIZE_MAX && source->ended && source->len <= max) {
            xml->end = source->len;
            xml->truncated = true;
            return check_ampersands(xml, at, source->len);
        }
        if (open == SIZE_MAX)
            return too_much(xml, max, "record", "the record is longer than the limit");
        qp_str name;
        markup kind = MARKUP_NONE;
        plain = plain && qp_xml_plain_text(source->text + at, open - at);
        if (plain)
            kind = plain_at(source, open, max, &end, &name);
        bool proven = kind != MARKUP_NONE;
        if (!proven) {
            kept = kept && check_ampersands(xml, at, open);
            kind = markup_at(source, open, max, &end);
            plain = plain && plain_at(source, open, max, &end, &name) != MARKUP_NONE;
            name = tag_name(source->text, open, end);
        }
        if (kind == MARKUP_OPEN) {
            if (end >= max)
                return too_much(xml, max, "record",
                                "the record is longer than the limit");
            xml->end = end;
            xml->truncated = true;
            return true;
        }
        at = end;
        if (kind == MARKUP_COMMENT ||
            (kind == MARKUP_INSTRUCTION && !begins(source, open, "<?xml ")))
            kept = kept && add_hole(xml, open, end);
        bool again = open != xml->start &&
                     ((kind == MARKUP_INSTRUCTION && begins(source, open, "<?xml ")) ||
                      (kind == MARKUP_END && qp_str_is(name, "qipu")));
        if (kind == MARKUP_START || kind == MARKUP_EMPTY || kind == MARKUP_END) {
            qp_str tag = {source->text + open, end - open};
            qp_xml_root here = root_named(name, tag, true);
            again |= open != xml->start && here == root && kind != MARKUP_END;
            if (!again) {
                if (!proven && kind != MARKUP_END && too_many_attributes(tag, &namespaces))
                    return too_much(xml, at, "attributes",
                                    "an element has more attributes than any record has");
                kept = kept && (proven || check_ampersands(xml, open, end)) &&
                       add_tag(xml, open, end);
                plain = plain && kept && fits(xml, depth, name, kind);
                if (plain && kind == MARKUP_START)
                    xml->open[depth] = (uint32_t)xml->tag_count - 1;
                depth += kind == MARKUP_START;
                depth -= kind == MARKUP_END && depth > 0;
                if ((root == QP_XML_PFC ? depth == 0
                                        : here == root && kind == MARKUP_END) ||
                    (kind == MARKUP_EMPTY && open == xml->start)) {
                    xml->end = end;
                    xml->plain = plain && depth == 0;
                    return kept;
                }
            }
        }
        if (again) { /* the next record begins before this one has ended */
            xml->end = open;
            return kept;
        }
        if (depth > DEPTH_MAX)
            return too_much(xml, at, "depth", "elements stand too deep in one another");
        if (!kept) {
            xml->end = at;
            xml->in->record->failed = true;
            return false;
        }
    }
}

qp_xml_root qp_xml_probe(qp_str text)
{
    static const char mark[] = "[pfchessrecord]";
    qp_source seen = {.text = text.data, .len = text.len, .ended = true};
    for (size_t at = 0; at < text.len;) {
        size_t left = text.len - at, end;
        size_t blank = qp_blank_len(text.data + at, left);
        if (blank == 0 && begins(&seen, at, mark))
            blank = sizeof mark - 1;
        if (blank == 0 && text.data[at] != '<')
            return QP_XML_NONE;
        if (blank != 0) {
            at += blank;
            continue;
        }
        if (wraps(&seen, at)) {
            at += 4;
            continue;
        }
        markup kind = markup_at(&seen, at, text.len, &end);
        if (kind == MARKUP_COMMENT || begins(&seen, at, "<!--"))
            at = end;
        else if (kind == MARKUP_INSTRUCTION || kind == MARKUP_DOCTYPE)
            at = end;
        else if (qp_str_is(tag_name(text.data, at, end), "qipu"))
            return QP_XML_GAME;
        else
            return root_of(text.data, at, end, false);
    }
    return QP_XML_NONE;
}
