/* For tests of binary formats: bytes are put together, read, and shown as one text. */
#ifndef QP_TEST_BINARY_FILES_H
#define QP_TEST_BINARY_FILES_H

#include "format/binary.h"
#include "show.h"

static inline void put_at(qp_buf *out, size_t at, const void *data, size_t len)
{
    if (at + len <= out->len)
        memcpy(out->data + at, data, len);
}

static inline void put_zeros(qp_buf *out, size_t count)
{
    static const char zeros[4096];
    for (; count > sizeof zeros; count -= sizeof zeros)
        qp_buf_add(out, zeros, sizeof zeros);
    qp_buf_add(out, zeros, count);
}

/* ASCII as UTF-16LE with a NUL behind it, into a field. */
static inline void put_wide(qp_buf *out, size_t at, const char *text)
{
    for (size_t i = 0; i <= strlen(text) && at + 2 * i + 1 < out->len; i++) {
        out->data[at + 2 * i] = text[i];
        out->data[at + 2 * i + 1] = 0;
    }
}

static inline qp_buf copy_of(const qp_buf *from)
{
    qp_buf copy = {0};
    qp_buf_add(&copy, from->data, from->len);
    return copy;
}

/* All games of a file, a line each, with their findings as `#code/detail@ply`; what is found
 * at the end of the file stands on a line of its own. The caller frees it. */
static inline char *show_bytes(const void *data, size_t len, const char *from, size_t step)
{
    qp_context *context = qp_context_new();
    /* A copy of its exact size, so that a read past its end is seen. */
    char *exact = malloc(len != 0 ? len : 1);
    if (len != 0)
        memcpy(exact, data, len);
    memory m = {.data = exact, .len = len, .step = step};
    qp_buf out = {0};
    qp_reader_options options = {.format = from};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    qp_status status;
    do {
        status = qp_reader_next(reader, &game);
        if (game != NULL)
            show_game(&out, game);
        size_t count;
        const qp_finding *findings = qp_reader_findings(reader, &count);
        for (size_t i = 0; i < count; i++) {
            if (findings[i].byte > findings[i].byte_end || findings[i].byte_end > len)
                qp_buf_add_text(&out, " OUTSIDE");
            qp_buf_printf(&out, " #%s/%s@%u", qp_code_name(findings[i].code),
                          findings[i].detail ? findings[i].detail : "", findings[i].ply);
        }
        if (game != NULL || count != 0)
            qp_buf_add_char(&out, '\n');
    } while (status == QP_OK || status == QP_BAD);
    if (status == QP_FATAL)
        qp_buf_add_text(&out, "FATAL");
    qp_reader_close(reader);
    qp_context_free(context);
    free(exact);
    qp_buf_add_char(&out, '\0');
    return out.data;
}

#define expect_shown(file, from, wanted, ...)                                            \
    do {                                                                                 \
        char *found_ = show_bytes((file).data, (file).len, from, 0);                      \
        cr_expect_str_eq(found_, wanted, __VA_ARGS__);                                    \
        if (strcmp(found_, wanted) != 0)                                                  \
            fprintf(stderr, "got:  %s\nwant: %s\n", found_, wanted);                      \
        free(found_);                                                                     \
    } while (0)

/* Reads every beginning of a file, and a file with some bytes changed, many times: nothing
 * may crash, and every finding lies in the file. */
static inline void torture(const qp_buf *file, const char *format, unsigned rounds)
{
    size_t stride = 1 + file->len / 8000; /* every byte of what is not long */
    for (size_t len = 0; len < file->len; len += stride) {
        char *shown = show_bytes(file->data, len, format, 0);
        cr_expect(strstr(shown, "OUTSIDE") == NULL && strstr(shown, "FATAL") == NULL,
                  "%s cut to %zu: %s", format, len, shown);
        free(shown);
    }
    uint64_t seed = 20261130;
    for (unsigned round = 0; round < rounds; round++) {
        qp_buf changed = copy_of(file);
        for (unsigned i = 0; i <= round % 7; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            /* Most of what matters stands at the beginning or the end. */
            size_t at = (size_t)(seed >> 33) % changed.len;
            if (round % 3 == 0 && changed.len > 400)
                at = at % 2 ? at % 400 : changed.len - 1 - at % 400;
            changed.data[at] = (char)(round % 2 ? seed >> 20 : (seed >> 20 & 1) * 255);
        }
        char *shown = show_bytes(changed.data, changed.len, format, 0);
        cr_expect(strstr(shown, "OUTSIDE") == NULL && strstr(shown, "FATAL") == NULL,
                  "%s, round %u: %s", format, round, shown);
        free(shown);
        qp_buf_clear(&changed);
    }
}

#endif
