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
