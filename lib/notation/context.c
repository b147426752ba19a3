/* The context: dialects, what is made of them, and limits. */
#include "config.h"

#include "notation/inside.h"

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>
#endif
#include <stdio.h>
#include <stdlib.h>

const qp_notation *qp_notation_find(const qp_context *context, const char *name)
{
    for (size_t i = 0; i < context->count; i++)
        if (strcmp(context->notations[i]->name, name) == 0)
            return context->notations[i];
    return NULL;
}

const qp_notation *qp_notation_at(const qp_context *context, size_t index)
{
    return index < context->count ? context->notations[index] : NULL;
}

const char *qp_notation_name(const qp_notation *notation)
{
    return notation->name;
}

const char *qp_notation_title(const qp_notation *notation)
{
    return notation->title;
}

bool qp_notation_writes(const qp_notation *notation)
{
    return notation->writes;
}

const struct qp_lexer *qp_context_lexer(const qp_context *context)
{
    return context->lexer;
}

void qp_context_set_limit(qp_context *context, qp_limit limit, uint64_t value)
{
    if (limit == QP_LIMIT_RECORD && value > QP_RECORD_MOST)
        value = QP_RECORD_MOST;
    if ((unsigned)limit < QP_LIMIT_COUNT)
        context->limits[limit] = value;
}

uint64_t qp_context_limit(const qp_context *context, qp_limit limit)
{
    return (unsigned)limit < QP_LIMIT_COUNT ? context->limits[limit] : 0;
}

/* ---- spares ---- */

#ifndef __STDC_NO_ATOMICS__

void qp_context_leave(const qp_context *context, qp_spare *spare)
{
    qp_context *changed = (qp_context *)context;
    for (size_t i = 0; i < QP_SPARES; i++) {
        qp_spare *none = NULL;
        if (atomic_compare_exchange_strong(&changed->spares[i], &none, spare))
            return;
    }
    spare->end(spare);
}

qp_spare *qp_context_take(const qp_context *context)
{
    qp_context *changed = (qp_context *)context;
    for (size_t i = 0; i < QP_SPARES; i++) {
        qp_spare *spare = atomic_exchange(&changed->spares[i], NULL);
        if (spare != NULL)
            return spare;
    }
    return NULL;
}

#else

void qp_context_leave(const qp_context *context, qp_spare *spare)
{
    (void)context;
    spare->end(spare);
}

qp_spare *qp_context_take(const qp_context *context)
{
    (void)context;
    return NULL;
}

#endif

static void drop_spares(qp_context *context)
{
    qp_spare *spare;
    while ((spare = qp_context_take(context)) != NULL)
        spare->end(spare);
}

/* ---- dialects ---- */

static void free_notation(qp_notation *notation)
{
    if (notation == NULL)
        return;
    free(notation->speller);
    free(notation);
}

static qp_notation *new_notation(const qp_dialect *dialect)
{
    qp_notation *notation = calloc(1, sizeof *notation);
    if (notation == NULL)
        return NULL;
    notation->name = dialect->name.data;
    notation->title = dialect->title.data;
    notation->writes = !qp_str_is(qp_dialect_option(dialect, "writes"), "no");
    notation->speller = qp_speller_new(dialect);
    if (notation->speller == NULL) {
        free(notation);
        return NULL;
    }
    return notation;
}

/* Takes a file's dialects in and keeps the file; on failure nothing is kept, the file is
 * still the caller's, and the error, if any, tells why: else memory ran out. */
static bool add_file(qp_context *context, qp_dialect *file)
{
    size_t had = context->count;
    qp_dialect **files =
        realloc(context->files, (context->file_count + 1) * sizeof *files);
    if (files == NULL)
        return false;
    context->files = files;
    for (const qp_dialect *dialect = file; dialect != NULL; dialect = dialect->next) {
        if (qp_notation_find(context, dialect->name.data) != NULL)
            snprintf(context->error, sizeof context->error,
                     "line 1: there is a notation named %s already", dialect->name.data);
        else if (context->count == QP_DIALECTS_MAX)
            snprintf(context->error, sizeof context->error,
                     "line 1: more than %d notations", QP_DIALECTS_MAX);
        else if ((context->notations[context->count] = new_notation(dialect)) != NULL) {
            context->dialects[context->count++] = dialect;
            continue;
        }
        while (context->count > had)
            free_notation(context->notations[--context->count]);
        return false;
    }
    files[context->file_count++] = file;
    return true;
}

static bool reads_apart(const qp_dialect *dialect)
{
    return qp_str_is(qp_dialect_option(dialect, "reads"), "apart");
}

/* The lexer of what is read together, or of one that is read apart. */
static struct qp_lexer *lexer_of(const qp_context *context, const char *apart,
                                 char error[256])
{
    const qp_dialect *used[QP_DIALECTS_MAX];
    for (size_t i = 0; i < context->count; i++) {
        const qp_dialect *dialect = context->dialects[i];
        bool is = apart == NULL ? !reads_apart(dialect) : qp_str_is(dialect->name, apart);
        used[i] = is ? dialect : NULL;
    }
    return qp_lexer_new(used, context->count, context->folds, error);
}

struct qp_lexer *qp_context_card_lexer(const qp_context *context, const char *name)
{
    char error[256];
    return qp_notation_find(context, name) != NULL ? lexer_of(context, name, error) : NULL;
}

static bool make_lexer(qp_context *context)
{
    struct qp_lexer *lexer = lexer_of(context, NULL, context->error);
    if (lexer == NULL)
        return false;
    qp_lexer_free(context->lexer);
    context->lexer = lexer;
    return true;
}

qp_context *qp_context_new(void)
{
    qp_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->limits[QP_LIMIT_RECORD] = (uint64_t)64 << 20;
    context->limits[QP_LIMIT_VARIATIONS] = 10000;
    context->limits[QP_LIMIT_NODES] = (uint64_t)4 << 20;
    context->folds = qp_folds_new();
    bool good = context->folds != NULL;
    for (size_t i = 0; good && i < qp_builtin_file_count; i++) {
        const qp_builtin_file *file = &qp_builtin_files[i];
        if (!qp_builtin_is_dialect(file))
            continue;
        qp_dialect *dialect =
            qp_dialect_parse(file->lines, file->line_count, context->error);
        good = dialect != NULL && add_file(context, dialect);
        if (!good)
            qp_dialect_free(dialect);
    }
    if (!good || !make_lexer(context)) {
        qp_context_free(context);
        return NULL;
    }
    return context;
}

void qp_context_free(qp_context *context)
{
    if (context == NULL)
        return;
    drop_spares(context);
    for (size_t i = 0; i < context->count; i++)
        free_notation(context->notations[i]);
    for (size_t i = 0; i < context->file_count; i++)
        qp_dialect_free(context->files[i]);
    free(context->files);
    qp_lexer_free(context->lexer);
    qp_folds_free(context->folds);
    free(context);
}

qp_status qp_context_add_dialect(qp_context *context, qp_str text, const char **error)
{
    size_t had = context->count;
    drop_spares(context); /* they may know moves by the lexer of before */
    context->error[0] = '\0';
    *error = context->error;
    qp_dialect *file = qp_dialect_parse_text(text, context->error);
    if (file == NULL)
        return QP_BAD;
    if (!add_file(context, file)) {
        qp_dialect_free(file);
        return context->error[0] != '\0' ? QP_BAD : QP_FATAL;
    }
    if (make_lexer(context))
        return QP_OK;
    while (context->count > had)
        free_notation(context->notations[--context->count]);
    context->file_count--;
    qp_dialect_free(file);
    return context->error[0] != '\0' ? QP_BAD : QP_FATAL;
}
