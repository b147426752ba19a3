/* Files in memory for the tests of the text floor. */
#ifndef QP_TEST_SOURCES_H
#define QP_TEST_SOURCES_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "text/decode.h"

/* A file in memory, read in chunks. */
typedef struct memory {
    const char *data;
    size_t len, at;
    size_t chunk;    /* the most that one read gives; 0: no limit */
    uint32_t random; /* not 0: chunks of 1 to chunk bytes */
} memory;

static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline ptrdiff_t read_memory(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t n = m->len - m->at;
    if (n > size)
        n = size;
    if (m->chunk != 0 && n > m->chunk)
        n = m->chunk;
    if (m->random != 0 && n > 1)
        n = 1 + next_random(&m->random) % n;
    if (n > 0)
        memcpy(buffer, m->data + m->at, n);
    m->at += n;
    return (ptrdiff_t)n;
}

/* Undoes \n \r \t \\ \xHH in place; returns the length. */
static inline size_t unescape(char *text)
{
    char *out = text;
    for (char *p = text; *p != '\0';) {
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        char c = p[1];
        p += 2;
        if (c == 'x') {
            char hex[3] = {p[0], p[1], '\0'};
            *out++ = (char)strtoul(hex, NULL, 16);
            p += 2;
        } else {
            *out++ = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

static inline void read_all(qp_source *source, memory *m, qp_encoding encoding)
{
    cr_assert(qp_source_open(source, read_memory, m, encoding, NULL, NULL));
    while (qp_source_more(source))
        ;
    cr_assert(source->ended && !source->lost);
}

static inline qp_str text_of(const qp_source *source)
{
    return (qp_str){source->text, source->len};
}

/* "code:detail:at:len:count …", "-" for none; encoding_guessed says from and to instead
 * of the count. */
static inline void describe_notes(qp_source *source, size_t upto, qp_buf *out)
{
    size_t count;
    const qp_text_note *notes = qp_source_notes(source, upto, &count);
    out->len = 0;
    for (size_t i = 0; i < count; i++) {
        qp_buf_printf(out, "%s%s:%s:%zu:%zu:", i ? " " : "", qp_code_name(notes[i].code),
                      notes[i].detail, notes[i].at, notes[i].len);
        if (notes[i].code == QP_D_encoding_guessed)
            qp_buf_printf(out, "%s>%s", qp_encoding_name(notes[i].from),
                          qp_encoding_name(notes[i].to));
        else
            qp_buf_add_number(out, notes[i].count);
    }
    if (count == 0)
        qp_buf_add_char(out, '-');
    qp_buf_add_char(out, '\0');
}

static inline void encode(const char *text, const char *encoding, qp_buf *out)
{
    qp_encoder *encoder = qp_encoder_open(encoding);
    cr_assert_not_null(encoder, "%s", encoding);
    cr_assert(qp_encoder_strict(encoder, qp_str_of(text), out), "%s in %s", text,
              encoding);
    qp_encoder_close(encoder);
}

#endif
