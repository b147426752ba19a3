/* The check floor: each row of the table proves itself. */
#include "config.h"

#include <criterion/criterion.h>

#include "check/check.h"
#include "show.h"
#include "table.h"

/* How many findings of a code qp_check gives for a text. */
static unsigned count(const qp_context *context, const char *text, qp_code code)
{
    memory m = {.data = text, .len = strlen(text)};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game;
    unsigned found = 0;
    cr_assert_not_null(reader);
    for (qp_status st; (st = qp_reader_next(reader, &game)) == QP_OK || st == QP_BAD;) {
        size_t n;
        const qp_finding *f = qp_check(reader, NULL, NULL, &n);
        for (size_t i = 0; i < n; i++)
            found += f[i].code == code;
    }
    qp_reader_close(reader);
    return found;
}

Test(check, every_row_proves_itself)
{
    qp_context *context = qp_context_new();
    cr_assert_not_null(context);
    for (size_t i = 0; i < qp_check_count; i++) {
        const qp_check_row *row = &qp_checks[i];
        cr_expect_eq(count(context, row->bad, row->code), 1, "%s: bad", row->name);
        cr_expect_eq(count(context, row->good, row->code), 0, "%s: good", row->name);
    }
    qp_context_free(context);
}

/* Statements of the result that contradict each other, in one place or in two. */
Test(check, results_that_contradict_each_other)
{
    static const struct {
        const char *text;
        unsigned mismatches;
    } rows[] = {
        {"[Result \"1-0\"]\n[Red \"A\"]\n[Result \"0-1\"]\n\n1. C2=5 *\n", 1},
        {"[Result \"1-0\"]\n[Red \"A\"]\n[Result \"1-0\"]\n\n1. C2=5 *\n", 0},
        {"[Result \"*\"]\n[Result \"0-1\"]\n\n1. C2=5 *\n", 0},
        {"[Red \"A\"]\n\n1. C2=5 H8+7 1-0 0-1\n", 1},
        {"[Red \"A\"]\n\n1. C2=5 H8+7 1-0 {so it was} 1/2-1/2\n", 1},
        {"[Red \"A\"]\n\n1. C2=5 H8+7 1-0 红胜\n", 0},
        {"[Red \"A\"]\n\n1. C2=5 H8+7 1-0 *\n", 0},
        {"[Red \"A\"]\n\n1. C2=5 (1. C8=5 0-1) 1... H8+7 1-0\n", 0},
        {"[Result \"0-1\"]\n\n1. C2=5 H8+7 1-0\n", 1},
    };
    qp_context *context = qp_context_new();
    cr_assert_not_null(context);
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(count(context, rows[i].text, QP_D_result_mismatch), rows[i].mismatches,
                     "row %zu", i);
    qp_context_free(context);
}

/* A last move that exposes its own king loses; one that takes the other's king does not. */
Test(check, suicide)
{
    static const struct {
        const char *text;
        unsigned missing;
    } rows[] = {
        {"[FEN \"4k4/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1\"]\n\n1. d0e0 *\n", 1},
        {"[FEN \"3k5/9/9/9/9/9/9/9/3R5/4K4 w - - 0 1\"]\n\n1. d1d9 *\n", 0},
    };
    qp_context *context = qp_context_new();
    cr_assert_not_null(context);
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(count(context, rows[i].text, QP_D_result_missing), rows[i].missing, "row %zu",
                     i);
    qp_context_free(context);
}
