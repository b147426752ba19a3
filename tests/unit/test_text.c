/* The text floor: decoding, detection, places, notes, characters, encoders. */
#include "config.h"

#include <criterion/criterion.h>

#include "text/text.h"
#include "table.h"

/* A file in memory, read in chunks. */
typedef struct memory {
    const char *data;
    size_t len, at;
    size_t chunk;    /* the most that one read gives; 0: no limit */
    uint32_t random; /* not 0: chunks of 1 to chunk bytes */
} memory;

static ptrdiff_t read_memory(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t n = m->len - m->at;
    if (n > size)
        n = size;
    if (m->chunk != 0 && n > m->chunk)
        n = m->chunk;
    if (m->random != 0 && n > 1) {
        m->random = m->random * 1664525u + 1013904223u;
        n = 1 + (m->random >> 8) % n;
    }
    memcpy(buffer, m->data + m->at, n);
    m->at += n;
    return (ptrdiff_t)n;
}

Test(text, decodes_and_locates)
{
    static const char bytes[] = "[Red \"\xD6\xDC\"]\r\n1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5\r\n";
    memory m = {.data = bytes, .len = sizeof bytes - 1, .chunk = 1};
    qp_source source;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    cr_assert(qp_source_more(&source));
    cr_expect(qp_str_is((qp_str){source.text, source.len}, "[Red \"周\"]\n1. 炮二平五\n"));
    cr_expect_eq(source.encoding, QP_ENC_GB18030);
    cr_expect(source.ended);
    qp_place place;
    qp_source_locate(&source, 18, 3, &place); /* 二 */
    cr_expect_eq(place.byte, 17);
    cr_expect_eq(place.byte_end, 19);
    cr_expect_eq(place.line, 2);
    cr_expect_eq(place.column, 5);
    cr_expect(qp_str_is(place.source, "1. 炮二平五"));
    qp_source_close(&source);
}
