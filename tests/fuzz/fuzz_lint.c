/* The fuzz target of scorecards: reads each record as one, with and without the game of the
 * other player's card, and asks for what would mend it. Edits lie in the file one behind the
 * other, and the mended file is read without harm. What is long is cut: a hopeless card takes
 * its time by design. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"

enum { SIZE_MAX_CARD = 1024, AGAINST_MAX = 40 };

/* The card with its edits made. */
static void mend(qp_buf *out, const uint8_t *data, size_t size, const qp_edit *edits,
                 size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const qp_edit *e = &edits[i];
        fuzz_require(e->byte >= at && e->byte <= e->byte_end && e->byte_end <= size,
                     "edits that overlap or lie outside the file");
        qp_buf_add(out, data + at, (size_t)e->byte - at);
        qp_buf_add(out, e->bytes.data, e->bytes.len);
        at = (size_t)e->byte_end;
    }
    qp_buf_add(out, data + at, size - at);
}

static void read_card(const qp_context *context, const uint8_t *data, size_t size,
                      const qp_lint_options *options, qp_buf *mended)
{
    fuzz_input in = {data, size, 0, 1 + size % 997};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, NULL);
    qp_status status;
    bool first = true;
    if (reader == NULL)
        return;
    do {
        const qp_game *game;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_lint(reader, options, NULL, &count);
        fuzz_check_findings(findings, count, size);
        const qp_edit *edits = qp_lint_edits(reader, &count);
        qp_buf all = {0};
        mend(&all, data, size, edits, count);
        if (first && mended != NULL && count != 0)
            qp_buf_add(mended, all.data, all.len);
        first &= count == 0;
        qp_buf_clear(&all);
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static qp_context *context; /* made once: it does not change */
    qp_move against[AGAINST_MAX];
    qp_lint_options options = {0};
    qp_buf mended = {0};
    if (context == NULL)
        context = qp_context_new();
    if (context == NULL)
        return 0;
    if (size > SIZE_MAX_CARD)
        size = SIZE_MAX_CARD;
    read_card(context, data, size, &options, &mended);
    if (mended.len != 0)
        read_card(context, (const uint8_t *)mended.data, mended.len, &options, NULL);
    qp_buf_clear(&mended);
    /* Against another card: one whose moves are the input's own bytes. */
    if (size % 3 == 0 && size >= 2) {
        size_t count = size / 2 < AGAINST_MAX ? size / 2 : AGAINST_MAX;
        for (size_t i = 0; i < count; i++)
            against[i] = QP_MOVE(data[2 * i] % QP_SQUARES, data[2 * i + 1] % QP_SQUARES);
        options.against = against;
        options.against_count = count;
        read_card(context, data, size, &options, NULL);
    }
    return 0;
}
