/* Characters that count as another one, from grammars/fold.tsv. */
#include "config.h"

#include "grammar/grammar.h"

#include <stdlib.h>

typedef struct pair {
    uint32_t from, to;
} pair;

struct qp_folds {
    size_t count;
    pair *pairs; /* by from */
};

static int by_from(const void *a, const void *b)
{
    uint32_t x = ((const pair *)a)->from, y = ((const pair *)b)->from;
    return (x > y) - (x < y);
}

static uint32_t code_point(qp_str text)
{
    size_t used;
    return qp_utf8_at(text.data, text.len, &used);
}

/* The rows `fold CHARACTER VARIANT…` of a file. false: memory ran out. */
static bool read_rows(const qp_builtin_file *file, qp_buf *pairs)
{
    for (size_t i = 0; i < file->line_count; i++) {
        qp_str column[QP_COLUMNS];
        size_t count;
        if (!qp_columns_split(qp_str_of(file->lines[i]), column, &count) || count < 3 ||
            !qp_str_is(column[0], "fold"))
            continue;
        for (size_t k = 2; k < count; k++) {
            pair made = {code_point(column[k]), code_point(column[1])};
            qp_buf_add(pairs, &made, sizeof made);
        }
    }
    return !pairs->failed;
}

qp_folds *qp_folds_new(void)
{
    qp_folds *folds = calloc(1, sizeof *folds);
    qp_buf pairs = {0};
    bool fine = folds != NULL;
    for (size_t i = 0; fine && i < qp_builtin_file_count; i++)
        if (strcmp(qp_builtin_files[i].name, "fold.tsv") == 0)
            fine = read_rows(&qp_builtin_files[i], &pairs);
    if (!fine) {
        qp_buf_clear(&pairs);
        free(folds);
        return NULL;
    }
    folds->pairs = (pair *)(void *)pairs.data; /* from malloc, so aligned */
    folds->count = pairs.len / sizeof(pair);
    if (folds->count != 0)
        qsort(folds->pairs, folds->count, sizeof(pair), by_from);
    return folds;
}

void qp_folds_free(qp_folds *folds)
{
    if (folds == NULL)
        return;
    free(folds->pairs);
    free(folds);
}

uint32_t qp_fold(const qp_folds *folds, uint32_t point)
{
    if (point < 0x80)
        return point;
    size_t low = qp_first_from(folds->pairs, folds->count, sizeof *folds->pairs, point);
    return low < folds->count && folds->pairs[low].from == point ? folds->pairs[low].to
                                                                 : point;
}

size_t qp_fold_variants(const qp_folds *folds, uint32_t point, uint32_t *variants,
                        size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < folds->count; i++) {
        if (folds->pairs[i].to != point)
            continue;
        if (count < room)
            variants[count] = folds->pairs[i].from;
        count++;
    }
    return count;
}
