#include "config.h"

#include <criterion/criterion.h>

#include "show.h"
#include "table.h"

/* Rows of data/trees.tsv: a text and what is read from it. */
Test(trees, table)
{
    run_table("trees.tsv");
}

Test(trees, pieces)
{
    static const char *const texts[] = {"[red \"x\"]\n\n0-2724{c} 1-9776 1-9172 2-0726\n",
                                        "    17747炮二平五\n    27062马８进７\n    "
                                        "21022马２进３    c\n    17242炮８平５\n"};
    for (size_t i = 0; i < QP_COUNT(texts); i++) {
        char *whole = convert(texts[i], NULL, NULL, 0);
        for (size_t step = 1; step < 6; step++) {
            char *parts = convert(texts[i], NULL, NULL, step);
            cr_expect_str_eq(parts, whole, "text %zu in pieces of %zu: %s", i, step,
                             parts);
            free(parts);
        }
        free(whole);
    }
}

/* Files that are known and not read are named, and nothing else is said of them. */
Test(trees, foreign)
{
    static const char cm[] = "\x0D\0\0\0\3FEN\x1D"
                             "4k4/9/9/9/9/9/9/9/9/3K5 w";
    static const char rar[] = "Rar!\x1A\x07\1\0 and more";
    const struct {
        const char *data;
        size_t len;
    } rows[] = {{cm, sizeof cm - 1}, {rar, sizeof rar - 1}};
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        memory m = {.data = rows[i].data, .len = rows[i].len};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        const qp_game *game;
        size_t count;
        cr_expect_eq(qp_reader_next(reader, &game), QP_END, "row %zu", i);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        cr_assert_eq(count, 1, "row %zu: %zu findings", i, count);
        cr_expect_eq(findings[0].code, QP_D_format_unsupported, "row %zu", i);
        qp_reader_close(reader);
    }
    qp_context_free(context);
}

/* A deep tree, and a long line, cost no stack and no time squared. */
Test(trees, deep)
{
    enum { PLIES = 20000 };
    qp_buf text = {0};
    qp_buf_add_text(&text, "[red \"x\"]\n\n");
    for (int i = 0; i < PLIES; i++)
        qp_buf_printf(&text, "%d-%s ", i, i % 2 ? "9484" : "0313");
    qp_buf_add_char(&text, '\0');
    char *got = convert(text.data, NULL, NULL, 0);
    cr_expect_eq(strncmp(got, "Red=x; d0d1!", 12), 0, "%.40s", got);
    free(got);
    text.len = 0;
    qp_buf_add_text(&text, "{\"rootMove\":{\"m\":\"\"");
    for (int i = 0; i < PLIES; i++)
        qp_buf_printf(&text, ",\"n\":{\"m\":\"%s\"", i % 2 ? "9484" : "0313");
    for (int i = 0; i <= PLIES; i++)
        qp_buf_add_char(&text, '}');
    qp_buf_add_text(&text, "}");
    qp_buf_add_char(&text, '\0');
    got = convert(text.data, NULL, NULL, 0);
    cr_expect_eq(strncmp(got, " d0d1!", 6), 0, "%.40s", got);
    free(got);
    qp_buf_clear(&text);
}
