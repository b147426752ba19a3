/* The fuzz target of the two ways to read XML: what stands within a <game> is read as it is,
 * and with an empty comment before it, which leads it past xml_plain.c to libxml2. Both give
 * the same game and the same findings. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"
#include "gen/gen.h"

#include <stdlib.h>

static const char head[] = "<qipu version=\"1\"><game>", tail[] = "</game></qipu>";

/* The first game and all that is found in it, places left out; whether it was read whole. */
static bool dump(const qp_context *context, const qp_buf *text, qp_buf *out)
{
    fuzz_input in = {(const uint8_t *)text->data, text->len, 0, 4096};
    qp_reader_options options = {.format = "xml", .encoding = "utf-8"};
    const qp_game *game = NULL;
    size_t count;
    bool whole = true;
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    fuzz_require(reader != NULL, "xml that is not read");
    qp_reader_next(reader, &game);
    const qp_finding *findings = qp_reader_findings(reader, &count);
    if (game != NULL)
        gen_dump_game(game, GEN_DUMP_ALL, out);
    for (size_t i = 0; i < count; i++) {
        qp_buf_add_str(out, findings[i].message);
        qp_buf_add_str(out, findings[i].token);
        whole = whole && findings[i].code != QP_D_file_corrupt &&
                findings[i].code != QP_D_file_truncated;
        qp_buf_add(out, "\n", 1);
    }
    qp_reader_close(reader);
    return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static qp_context *context; /* made once: it does not change */
    qp_buf text = {0}, plain = {0}, other = {0};
    bool whole[2] = {false};
    if (context == NULL)
        context = qp_context_new();
    if (context == NULL)
        return 0;
    for (int commented = 0; commented < 2; commented++) {
        text.len = 0;
        qp_buf_add(&text, head, sizeof head - 1);
        if (commented)
            qp_buf_add(&text, "<!---->", 7);
        qp_buf_add(&text, data, size);
        qp_buf_add(&text, tail, sizeof tail - 1);
        whole[commented] = dump(context, &text, commented ? &other : &plain);
    }
    fuzz_require(whole[0] == whole[1], "a fault that only one of them sees");
    /* A damaged record is libxml2's in either case. */
    if (whole[0] && (plain.len != other.len ||
                     memcmp(plain.data, other.data, plain.len) != 0)) {
        fuzz_show("as it is", plain.data, plain.len);
        fuzz_show("by libxml2", other.data, other.len);
        fuzz_require(false, "plain XML that libxml2 reads otherwise");
    }
    qp_buf_clear(&text);
    qp_buf_clear(&plain);
    qp_buf_clear(&other);
    return 0;
}
