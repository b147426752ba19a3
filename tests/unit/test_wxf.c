#include "config.h"

#include <criterion/criterion.h>

#include "show.h"
#include "table.h"

/* Rows of data/wxf.tsv: a text and what is read, or written, from it. */
Test(wxf, table)
{
    run_table("wxf.tsv");
}

Test(wxf, pieces)
{
    static const char text[] = "FORMAT\tWXF\nRED\ta;1;;\n/*one\ntwo*/\n\nSTART{\n"
                               " 1.  C2.5  H8+7    !! 2.  H2+3\n}END\n\n"
                               "FORMAT\tWXF\nRED\tb;;;\n\nSTART{\n 1.  C8.5\n}END 1-0\n";
    char *whole = convert(text, NULL, NULL, 0);
    cr_expect_str_eq(whole, "Red=a;RedElo=1; {one\ntwo} h2e2 h9g7 $3 h0g2\n"
                            "Red=b; b2e2 1-0\n");
    for (size_t step = 1; step < 6; step++) {
        char *parts = convert(text, NULL, NULL, step);
        cr_expect_str_eq(parts, whole, "in pieces of %zu: %s", step, parts);
        free(parts);
    }
    free(whole);
}

/* What is written reads back as the same, whatever the values hold. */
Test(wxf, round_trip)
{
    static const char text[] =
        "[Title \"t\"]\n[Red \"r\"]\n[RedElo \"1\"]\n[RedInfo \"x;y\"]\n[Black \"b\"]\n"
        "[Result \"0-1\"]\n[Date \"2001.02.03\"]\n[Event \"Cup; 10m\"]\n[Site \"s\"]\n"
        "[Round \"2\"]\n\n{one} {two} 1. 炮二平五 $6 {three} 1... 马8进7 2. 马二进三 "
        "0-1\n";
    char *wanted = convert(text, "pgn", NULL, 0),
         *written = convert(text, "pgn", "wxf", 0);
    char *got = convert(written, NULL, NULL, 0);
    cr_expect_str_eq(got, wanted, "%s\nfrom %s", got, written);
    free(wanted);
    free(written);
    free(got);
}

/* Comments that never end do not make reading cost time squared, nor is a record lost. */
Test(wxf, hostile)
{
    qp_buf text = {0};
    qp_buf_add_text(&text, "FORMAT WXF\nSTART{\n");
    for (int i = 0; i < 200000; i++)
        qp_buf_add_text(&text, "/* {\n");
    qp_buf_add_text(&text, "}END\nFORMAT WXF\nSTART{\n1. C2.5\n}END\n");
    qp_buf_add_char(&text, '\0');
    char *got = convert(text.data, NULL, NULL, 0);
    cr_expect_not_null(strstr(got, " h2e2\n"));
    free(got);
    qp_buf_clear(&text);
}
