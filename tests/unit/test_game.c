/* The game floor: results, dates, the tree and its replay. */
#include "config.h"

#include <criterion/criterion.h>

#include "game/game.h"
#include "table.h"

Test(game, results)
{
    table t;
    qp_patterns *patterns = qp_patterns_new();
    cr_assert(table_open(&t, "results.tsv"));
    while (table_next(&t)) {
        qp_result result = QP_RESULT_UNKNOWN;
        bool known = qp_result_read(patterns, qp_str_of(t.field[0]), &result);
        cr_expect_str_eq(known ? qp_result_text(result) : "-", t.field[1],
                         "results.tsv:%d: %s", t.row, t.field[0]);
    }
    qp_patterns_free(patterns);
}

Test(game, dates)
{
    static const char *const names[] = {"ok", "empty", "ambiguous", "bad"};
    table t;
    qp_patterns *patterns = qp_patterns_new();
    cr_assert(table_open(&t, "dates.tsv"));
    while (table_next(&t)) {
        char date[11];
        qp_date_status status = qp_date_read(patterns, qp_str_of(t.field[0]), date);
        cr_expect_str_eq(names[status], t.field[2], "dates.tsv:%d: %s", t.row, t.field[0]);
        cr_expect_str_eq(date, t.field[1], "dates.tsv:%d: %s is %s", t.row, t.field[0], date);
    }
    qp_patterns_free(patterns);
}
