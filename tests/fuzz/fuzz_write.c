/* The fuzz target of the writers: reads records, writes each game in every format and version
 * there is, and reads what was written. Whatever a game holds, its writer ends well, and no
 * output is more than a reader can bear. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

enum { VERSIONS = 32 };

static void read_back(const qp_context *context, const char *format, const qp_buf *out)
{
    fuzz_input in = {(const uint8_t *)out->data, out->len, 0, 4096};
    qp_reader_options options = {.format = format};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    qp_status status;
    fuzz_require(reader != NULL, "a format that writes and does not read");
    do {
        const qp_game *game;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
        fuzz_check_findings(findings, count, out->len);
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
}

static void write_as(const qp_context *context, const qp_writer_options *options,
                     const qp_game *game, qp_buf *out)
{
    size_t count;
    out->len = 0;
    qp_writer *writer = qp_writer_open(context, fuzz_put, out, options);
    fuzz_require(writer != NULL, "a format that does not write as it says");
    fuzz_require(qp_writer_put(writer, game) == QP_OK, "a writer that fails");
    qp_writer_findings(writer, &count);
    fuzz_require(qp_writer_close(writer) == QP_OK, "a writer that fails at its end");
    read_back(context, options->format, out);
}

static void write_all(const qp_context *context, const qp_game *game, size_t turn, qp_buf *out)
{
    static const char *const encodings[] = {NULL, "gb18030", "big5", "utf-16le"};
    const qp_format *format;
    for (size_t i = 0; (format = qp_format_at(i)) != NULL; i++) {
        if (!qp_format_writes(format))
            continue;
        qp_writer_options options = {
            .format = qp_format_name(format),
            .encoding = encodings[(turn + i) % QP_COUNT(encodings)],
            .main_line = turn % 7 == 0,
        };
        qp_writer *probe = qp_writer_open(context, fuzz_put, out, &options);
        if (probe == NULL) /* not in that encoding */
            options.encoding = NULL;
        else
            qp_writer_close(probe);
        for (unsigned version = 0; version < VERSIONS; version++) {
            options.version = version;
            if (qp_format_has_version(format, version))
                write_as(context, &options, game, out);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static qp_context *context; /* made once: it does not change */
    fuzz_input in = {data, size, 0, 1 + size % 997};
    qp_buf out = {0};
    qp_status status;
    if (context == NULL)
        context = qp_context_new();
    qp_reader *reader = context ? qp_reader_open(context, fuzz_get, &in, NULL) : NULL;
    if (reader == NULL)
        return 0;
    do {
        const qp_game *game = NULL;
        status = qp_reader_next(reader, &game);
        if (game != NULL)
            write_all(context, game, size, &out);
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    qp_buf_clear(&out);
    return 0;
}
