#include "config.h"

#include <criterion/criterion.h>

#include "show.h"
#include "table.h"

/* Rows of data/lines.tsv: a text and what is read, or written, from it. */
Test(lines, table)
{
    run_table("lines.tsv");
}

Test(lines, pieces)
{
    static const char text[] =
        "# a list\nid1;h2e2,h9g7\n\nid2;b0c2\nid3;b2e2,b9c7,h0g2\n";
    char *whole = convert(text, NULL, NULL, 0);
    cr_expect_str_eq(whole, "Id=id1; h2e2 h9g7\nId=id2; b0c2\nId=id3; b2e2 b9c7 h0g2\n");
    for (size_t step = 1; step < 6; step++) {
        char *parts = convert(text, NULL, NULL, step);
        cr_expect_str_eq(parts, whole, "in pieces of %zu: %s", step, parts);
        free(parts);
    }
    free(whole);
}

/* A line past the limit is reported; the next one is read. */
Test(lines, limit)
{
    qp_buf text = {0};
    for (int i = 0; i < 1000; i++)
        qp_buf_add_text(&text, "h2e2 h9g7 ");
    qp_buf_add_text(&text, "\nb2e2\n");
    qp_context *context = qp_context_new();
    qp_context_set_limit(context, QP_LIMIT_RECORD, 1000);
    memory m = {.data = text.data, .len = text.len};
    qp_reader_options options = {.format = "iccs"};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    size_t count;
    cr_assert_eq(qp_reader_next(reader, &game), QP_BAD);
    const qp_finding *findings = qp_reader_findings(reader, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(findings[0].code, QP_D_file_limit);
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(game->plies, 1);
    cr_expect_eq(qp_reader_next(reader, &game), QP_END);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_clear(&text);
}
