/* Where a record begins, by the look of raw bytes: so a file can be read in parts by several
 * readers. Line ends and what stands at the start of a line are safe to look for in all
 * encodings that extend ASCII (see text/blocks.c).
 *
 * Nothing here needs to be sure. A reader of the part before that comes to another place, or
 * there to another stand, simply reads on (qp_stand in qipu.h). What is asked for is the place
 * where the format's read leaves `used`, and that two who ask about one place agree.
 */
#include "config.h"

#include "format/format.h"

/* The start of the next line behind at; n where there is none. */
static size_t next_line(const char *p, size_t n, size_t at)
{
    const char *lf = at < n ? memchr(p + at, '\n', n - at) : NULL;
    return lf ? (size_t)(lf - p) + 1 : n;
}

/* The first line start at or behind from. */
static size_t line_start(const char *p, size_t n, size_t from)
{
    return from == 0 || p[from - 1] == '\n' ? from : next_line(p, n, from);
}

/* The line at `at`, without its end. */
static qp_str line_at(const char *p, size_t n, size_t at)
{
    size_t end = next_line(p, n, at);
    while (end > at && (p[end - 1] == '\n' || p[end - 1] == '\r'))
        end--;
    return (qp_str){p + at, end - at};
}

static bool is_empty(qp_str line)
{
    return qp_str_trim(line).len == 0;
}

/* The line before `at`, empty ones passed over; false where none is seen. *empty tells
 * whether there were such. */
static bool line_before(const char *p, size_t at, qp_str *line, bool *empty)
{
    *empty = false;
    while (at > 0) {
        size_t from = at - 1;
        while (from > 0 && p[from - 1] != '\n')
            from--;
        *line = (qp_str){p + from, at - 1 - from};
        if (!is_empty(*line))
            return true;
        *empty = true;
        at = from;
    }
    return false;
}

/* A tag, behind it another or an empty line, and before it a line that is none: within a
 * comment too, two tags in a row begin another game. */
size_t qp_cut_pgn(const char *p, size_t n, size_t from)
{
    for (size_t at = line_start(p, n, from); at < n; at = next_line(p, n, at)) {
        qp_str line = line_at(p, n, at), before;
        bool empty;
        if (line.len == 0 || p[at] != '[' || !qp_is_tag_line(line.data, line.len))
            continue;
        qp_str after = line_at(p, n, next_line(p, n, at));
        if (!is_empty(after) && !qp_is_tag_line(after.data, after.len))
            continue;
        if (line_before(p, at, &before, &empty) && before.data[0] != '[' &&
            before.data[0] != '%' && !qp_is_tag_line(before.data, before.len))
            return at;
    }
    return n;
}

static bool has_colon(qp_str line)
{
    enum { KEY_MAX = 24 };
    size_t n = line.len < KEY_MAX ? line.len : KEY_MAX;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)line.data[i];
        bool fullwidth = i + 2 < line.len && (memcmp(line.data + i, "\xEF\xBC\x9A", 3) == 0 ||
                                              memcmp(line.data + i, "\xA3\xBA", 2) == 0 ||
                                              memcmp(line.data + i, "\xA1\x47", 2) == 0);
        if (i > 0 && (c == ':' || fullwidth))
            return true;
        if (c < 0x80 && c != ' ' && (c < 'A' || c > 'z'))
            return false;
    }
    return false;
}

/* A header line behind an empty line, and before that no header. */
size_t qp_cut_txt(const char *p, size_t n, size_t from)
{
    for (size_t at = line_start(p, n, from); at < n; at = next_line(p, n, at)) {
        qp_str before;
        bool empty;
        if (has_colon(line_at(p, n, at)) && line_before(p, at, &before, &empty) && empty &&
            !has_colon(before))
            return at;
    }
    return n;
}

/* Whether a line holds a position: nine slashes. */
static bool is_position(qp_str line)
{
    unsigned slashes = 0;
    for (size_t i = 0; i < line.len && slashes < 9; i++)
        slashes += line.data[i] == '/';
    return slashes == 9;
}

/* Any line, but for a position that may belong to the moves above it. */
size_t qp_cut_lines(const char *p, size_t n, size_t from)
{
    for (size_t at = line_start(p, n, from); at < n; at = next_line(p, n, at)) {
        qp_str before;
        bool empty;
        if (!is_position(line_at(p, n, at)) || !line_before(p, at, &before, &empty) ||
            memchr(before.data, ' ', before.len) != NULL || is_position(before))
            return at;
    }
    return n;
}

/* Behind the brace that ends a line where the next begins with one. */
size_t qp_cut_json(const char *p, size_t n, size_t from)
{
    for (size_t at = next_line(p, n, from); at < n; at = next_line(p, n, at)) {
        size_t end = at;
        while (end > 0 && strchr("\r\n\t ,", p[end - 1]) != NULL)
            end--;
        if (p[at] == '{' && end > 0 && end >= from && p[end - 1] == '}')
            return end;
    }
    return n;
}

/* Behind a mark that stands at the end of a line; letters of either case. */
static size_t behind(const char *p, size_t n, size_t from, const char *mark)
{
    size_t len = strlen(mark);
    size_t at = from > len ? from - len : 0;
    for (const char *found;
         at + len < n && (found = memchr(p + at, mark[0], n - len - at)) != NULL; at++) {
        at = (size_t)(found - p);
        if (at + len >= from && (p[at + len] == '\n' || p[at + len] == '\r') &&
            qp_str_is_nocase((qp_str){p + at, len}, mark))
            return at + len;
    }
    return n;
}

size_t qp_cut_dhtmlxq(const char *p, size_t n, size_t from)
{
    return behind(p, n, from, "[/DhtmlXQ]");
}

size_t qp_cut_xml(const char *p, size_t n, size_t from)
{
    return behind(p, n, from, "</game>");
}

/* The line that names the format, behind the end of the game before. */
size_t qp_cut_wxf(const char *p, size_t n, size_t from)
{
    for (size_t at = line_start(p, n, from); at < n; at = next_line(p, n, at)) {
        qp_str line = line_at(p, n, at), before;
        bool empty;
        if (line.len > 6 && memcmp(line.data, "FORMAT", 6) == 0 &&
            line_before(p, at, &before, &empty) && before.len >= 4 &&
            memcmp(before.data, "}END", 4) == 0)
            return at;
    }
    return n;
}
