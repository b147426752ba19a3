/* The make of a line in all grammar files: columns parted by tabs, comments. */
#include "config.h"

#include "grammar/grammar.h"

size_t qp_valid_utf8(qp_str text)
{
    const unsigned char *s = (const unsigned char *)text.data;
    size_t i = 0;
    while (i < text.len) {
        unsigned char c = s[i];
        if (c < 0x80) {
            i++;
            continue;
        }
        size_t more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        if (c < 0xc2 || c > 0xf4 || text.len - i <= more)
            return i;
        for (size_t k = 1; k <= more; k++)
            if ((s[i + k] & 0xc0) != 0x80)
                return i;
        if ((c == 0xe0 && s[i + 1] < 0xa0) || (c == 0xed && s[i + 1] > 0x9f) ||
            (c == 0xf0 && s[i + 1] < 0x90) || (c == 0xf4 && s[i + 1] > 0x8f))
            return i;
        i += more + 1;
    }
    return i;
}

bool qp_columns_split(qp_str line, qp_str column[QP_COLUMNS], size_t *count)
{
    *count = 0;
    for (size_t at = 0; at < line.len;) {
        size_t end = at, next;
        while (end < line.len && line.data[end] != '\t')
            end++;
        next = end + 1;
        while (at < end && line.data[at] == ' ')
            at++;
        while (end > at && line.data[end - 1] == ' ')
            end--;
        qp_str text = {line.data + at, end - at};
        at = next;
        if (text.len == 0)
            continue;
        if (text.data[0] == '#' && (*count == 0 || (text.len > 1 && text.data[1] == ' ')))
            break;
        if (*count == QP_COLUMNS)
            return false;
        column[(*count)++] = text;
    }
    return true;
}
