/* Numbers and text of a line. Nearly all text can be written as it stands, which is seen eight
 * bytes at a time. */
#include "config.h"

#include "line.h"

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Not 0 where one of the eight bytes is below a limit, which is at most 0x80; the highest bit
 * of the first of them is set, and may be set behind it. */
static inline uint64_t below(uint64_t bytes, unsigned limit)
{
    return (bytes - EACH(limit)) & ~bytes & EACH(0x80);
}

static inline uint64_t equal(uint64_t bytes, unsigned byte)
{
    return below(bytes ^ EACH(byte), 1);
}

/* Some bytes, up to eight; behind the last one blanks. */
static inline uint64_t some(const char *p, size_t n)
{
    uint64_t bytes = EACH(' ');
    memcpy(&bytes, p, n < 8 ? n : 8);
    return bytes;
}

void line_number(struct line *line, unsigned width, uint32_t number)
{
    char text[16];
    size_t at = sizeof text;
    do
        text[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (sizeof text - at < width && at != 0)
        text[--at] = ' ';
    line_add(line, text + at, sizeof text - at);
}

void line_game(struct line *line, const struct options *options, unsigned width,
               uint32_t number)
{
    if (!options->part) {
        line_number(line, width, number);
        return;
    }
    line_end(line);
    put_game_number(options, line->out, (int)width, number);
}

void line_visible(struct line *line, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i += 8) {
        uint64_t bytes = some(text + i, len - i);
        /* What begins with C2 or E2 may be no letter. */
        if ((below(bytes, ' ') | equal(bytes, 0x7F) | equal(bytes, 0xC2) |
             equal(bytes, 0xE2)) != 0) {
            line_end(line);
            put_visible(line->out, text, len);
            return;
        }
    }
    line_add(line, text, len);
}

/* Whether text needs no escape in JSON; *ascii is cleared where it is more than ASCII. */
static bool is_plain(const char *text, size_t len, bool *ascii)
{
    uint64_t odd = 0, high = 0;
    for (size_t i = 0; i < len; i += 8) {
        uint64_t bytes = some(text + i, len - i);
        odd |= below(bytes, ' ') | equal(bytes, 0x7F) | equal(bytes, '"') | equal(bytes, '\\');
        high |= bytes;
    }
    *ascii = (high & EACH(0x80)) == 0;
    return odd == 0;
}

static void add_quoted(struct line *line, const char *text, size_t len)
{
    line_add(line, "\"", 1);
    line_add(line, text, len);
    line_add(line, "\"", 1);
}

void line_json(struct line *line, qp_str text)
{
    bool ascii;
    if (is_plain(text.data, text.len, &ascii)) {
        add_quoted(line, text.data, text.len);
    } else {
        line_end(line);
        json_string(line->out, text);
    }
}

void line_json_file(struct line *line, const char *file)
{
    bool ascii;
    size_t len = strlen(file);
    if (is_plain(file, len, &ascii) && ascii) {
        add_quoted(line, file, len);
    } else {
        line_end(line);
        json_file(line->out, file);
    }
}
