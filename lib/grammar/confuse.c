/* Characters that stand for another by misreading, from grammars/confusions.tsv. */
#include "config.h"

#include "grammar/grammar.h"

#include <stdlib.h>

struct qp_confusions {
    size_t count;
    qp_confusion *rows; /* by the wrong character */
};

static int by_wrong(const void *a, const void *b)
{
    const qp_confusion *x = a, *y = b;
    if (x->wrong != y->wrong)
        return x->wrong < y->wrong ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->right > y->right) - (x->right < y->right);
}

static uint32_t code_point(qp_str text)
{
    size_t used;
    return qp_utf8_at(text.data, text.len, &used);
}

/* The rows `confuse SIGN COST WRONG…` of a file. */
static void read_rows(const qp_builtin_file *file, qp_buf *rows)
{
    for (size_t i = 0; i < file->line_count; i++) {
        qp_str column[QP_COLUMNS];
        size_t count;
        if (!qp_columns_split(qp_str_of(file->lines[i]), column, &count) || count < 4 ||
            !qp_str_is(column[0], "confuse"))
            continue;
        for (size_t k = 3; k < count; k++) {
            qp_confusion made = {.wrong = code_point(column[k]),
                                 .right = code_point(column[1]),
                                 .cost = (uint8_t)(column[2].data[0] - '0')};
            qp_buf_add(rows, &made, sizeof made);
        }
    }
}

qp_confusions *qp_confusions_new(void)
{
    qp_confusions *made = calloc(1, sizeof *made);
    qp_buf rows = {0};
    if (made == NULL)
        return NULL;
    for (size_t i = 0; i < qp_builtin_file_count; i++)
        if (strcmp(qp_builtin_files[i].name, "confusions.tsv") == 0)
            read_rows(&qp_builtin_files[i], &rows);
    if (rows.failed) {
        qp_buf_clear(&rows);
        free(made);
        return NULL;
    }
    made->rows = (qp_confusion *)(void *)rows.data; /* from malloc, so aligned */
    made->count = rows.len / sizeof *made->rows;
    if (made->count != 0)
        qsort(made->rows, made->count, sizeof *made->rows, by_wrong);
    return made;
}

void qp_confusions_free(qp_confusions *confusions)
{
    if (confusions == NULL)
        return;
    free(confusions->rows);
    free(confusions);
}

size_t qp_confusions_find(const qp_confusions *confusions, uint32_t wrong,
                          const qp_confusion **first)
{
    const qp_confusion *rows = confusions->rows;
    size_t low = qp_first_from(rows, confusions->count, sizeof *rows, wrong), end;
    for (end = low; end < confusions->count && rows[end].wrong == wrong;)
        end++;
    *first = rows + low;
    return end - low;
}
