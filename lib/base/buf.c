/* Growing bytes, and small helpers on borrowed strings. See base.h. */
#include "config.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void qp_buf_clear(qp_buf *buf)
{
    free(buf->data);
    *buf = (qp_buf){0};
}

bool qp_buf_grow(qp_buf *buf, size_t more)
{
    if (buf->failed || more > SIZE_MAX / 4) {
        buf->failed = true;
        return false;
    }
    size_t room = buf->room ? buf->room : 256;
    while (room - buf->len < more)
        room *= 2;
    char *data = realloc(buf->data, room);
    if (data == NULL) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->room = room;
    return true;
}

void qp_buf_printf(qp_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0 || !qp_buf_reserve(buf, (size_t)len + 1))
        return;
    va_start(args, format);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
    va_end(args);
    buf->len += (size_t)len;
}

void qp_buf_add_number(qp_buf *buf, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    qp_buf_add(buf, digits + at, sizeof digits - at);
}

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

bool qp_str_same_nocase(qp_str a, const char *b)
{
    size_t i = 0;
    for (; i < a.len && b[i] != '\0'; i++)
        if (a.data[i] != b[i] &&
            lower((unsigned char)a.data[i]) != lower((unsigned char)b[i]))
            return false;
    return i == a.len && b[i] == '\0';
}

/* Length of the blank that starts (or, from the end, ends) the text; 0 for none. */
static size_t blank_at(const char *p, size_t n)
{
    if (n >= 1 && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
        return 1;
    if (n >= 2 && memcmp(p, "\xC2\xA0", 2) == 0)
        return 2;
    if (n >= 3 && memcmp(p, "\xE3\x80\x80", 3) == 0)
        return 3;
    return 0;
}

qp_str qp_str_trim(qp_str text)
{
    size_t n;
    while ((n = blank_at(text.data, text.len)) != 0) {
        text.data += n;
        text.len -= n;
    }
    for (;;) {
        unsigned char last = text.len != 0 ? (unsigned char)text.data[text.len - 1] : 'x';
        if (last > ' ' && last < 0x80)
            return text;
        size_t cut = 0;
        for (n = 1; n <= 3 && n <= text.len; n++)
            if (blank_at(text.data + text.len - n, n) == n)
                cut = n;
        if (cut == 0)
            return text;
        text.len -= cut;
    }
}
