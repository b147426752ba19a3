/* The context: dialects, what is made of them, and limits. */
#include "config.h"

#include "notation/inside.h"

#include <stdio.h>
#include <stdlib.h>

const qp_notation *qp_notation_find(const qp_context *context, const char *name)
{
    for (size_t i = 0; i < context->count; i++)
        if (strcmp(context->notations[i].name, name) == 0)
            return &context->notations[i];
    return NULL;
}

const qp_notation *qp_notation_at(const qp_context *context, size_t index)
{
    return index < context->count ? &context->notations[index] : NULL;
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

static void free_dialects(qp_dialects *dialects)
{
    if (dialects == NULL)
        return;
    for (size_t i = 0; i < dialects->file_count; i++)
        qp_dialect_free(dialects->files[i]);
    free(dialects->files);
    qp_folds_free(dialects->folds);
    free(dialects);
}

/* Takes a file's dialects in and keeps the file; on failure nothing is kept, the file is
 * still the caller's, and the error, if any, tells why: else memory ran out. */
static bool add_file(qp_dialects *dialects, qp_dialect *file, char error[256])
{
    size_t count = dialects->count;
    qp_dialect **files =
        realloc(dialects->files, (dialects->file_count + 1) * sizeof *files);
    if (files == NULL)
        return false;
    dialects->files = files;
    for (const qp_dialect *dialect = file; dialect != NULL; dialect = dialect->next) {
        for (size_t i = 0; i < count; i++)
            if (qp_str_same(dialects->at[i]->name, dialect->name)) {
                snprintf(error, 256, "line 1: there is a notation named %s already",
                         dialect->name.data);
                return false;
            }
        if (count == QP_DIALECTS_MAX) {
            snprintf(error, 256, "line 1: more than %d notations", QP_DIALECTS_MAX);
            return false;
        }
        dialects->at[count++] = dialect;
    }
    dialects->count = count;
    files[dialects->file_count++] = file;
    return true;
}

/* The built-in ones. */
static qp_dialects *read_dialects(void)
{
    char error[256];
    qp_dialects *dialects = calloc(1, sizeof *dialects);
    bool good = dialects != NULL && (dialects->folds = qp_folds_new()) != NULL;
    for (size_t i = 0; good && i < qp_builtin_file_count; i++) {
        const qp_builtin_file *file = &qp_builtin_files[i];
        if (!qp_builtin_is_dialect(file))
            continue;
        qp_dialect *dialect = qp_dialect_parse(file->lines, file->line_count, error);
        good = dialect != NULL && add_file(dialects, dialect, error);
        if (!good)
            qp_dialect_free(dialect);
    }
    if (good)
        return dialects;
    free_dialects(dialects);
    return NULL;
}

qp_dialects *qp_context_dialects(const qp_context *context)
{
    qp_context *changed = (qp_context *)context;
    qp_dialects *found = changed->dialects;
    if (found != NULL)
        return found;
    qp_dialects *made = read_dialects();
#ifndef __STDC_NO_ATOMICS__
    if (made != NULL && !atomic_compare_exchange_strong(&changed->dialects, &found, made)) {
        free_dialects(made); /* another thread's came first */
        return found;
    }
#else
    changed->dialects = made;
#endif
    return made;
}

const struct qp_speller *qp_notation_speller(const qp_notation *notation)
{
    qp_notation *changed = (qp_notation *)notation;
    struct qp_speller *found = changed->speller;
    if (found != NULL)
        return found;
    size_t index = (size_t)(notation - notation->context->notations);
    struct qp_speller *made = NULL;
    if (index < qp_built_in.notation_count) {
        made = qp_speller_built_in(&qp_built_in.notations[index]);
    } else {
        const qp_dialects *dialects = qp_context_dialects(notation->context);
        made = dialects != NULL ? qp_speller_new(dialects->at[index]) : NULL;
    }
#ifndef __STDC_NO_ATOMICS__
    if (made != NULL && !atomic_compare_exchange_strong(&changed->speller, &found, made)) {
        free(made);
        return found;
    }
#else
    changed->speller = made;
#endif
    return made;
}

static bool reads_apart(const qp_dialect *dialect)
{
    return qp_str_is(qp_dialect_option(dialect, "reads"), "apart");
}

/* The lexer of what is read together, or of one that is read apart. */
static struct qp_lexer *lexer_of(const qp_dialects *dialects, const char *apart,
                                 char error[256])
{
    const qp_dialect *used[QP_DIALECTS_MAX];
    for (size_t i = 0; i < dialects->count; i++) {
        const qp_dialect *dialect = dialects->at[i];
        bool is = apart == NULL ? !reads_apart(dialect) : qp_str_is(dialect->name, apart);
        used[i] = is ? dialect : NULL;
    }
    return qp_lexer_new(used, dialects->count, dialects->folds, error);
}

struct qp_lexer *qp_context_card_lexer(const qp_context *context, const char *name)
{
    char error[256];
    for (size_t i = 1; i < qp_built_in.lexer_count; i++)
        if (strcmp(qp_built_in.lexers[i].apart, name) == 0)
            return qp_lexer_built_in(&qp_built_in.lexers[i]);
    const qp_dialects *dialects =
        qp_notation_find(context, name) != NULL ? qp_context_dialects(context) : NULL;
    return dialects != NULL ? lexer_of(dialects, name, error) : NULL;
}

static void name_notation(qp_context *context, const char *name, const char *title, bool writes)
{
    qp_notation *notation = &context->notations[context->count++];
    notation->name = name;
    notation->title = title;
    notation->writes = writes;
    notation->context = context;
}

/* Names the notations of dialects that have none yet, and makes the lexer of all; false: an
 * error is told, or memory ran out, and nothing is changed. */
static bool take_dialects(qp_context *context, const qp_dialects *dialects)
{
    struct qp_lexer *lexer = lexer_of(dialects, NULL, context->error);
    if (lexer == NULL)
        return false;
    qp_lexer_free(context->lexer);
    context->lexer = lexer;
    while (context->count < dialects->count) {
        const qp_dialect *dialect = dialects->at[context->count];
        name_notation(context, dialect->name.data, dialect->title.data,
                      !qp_str_is(qp_dialect_option(dialect, "writes"), "no"));
    }
    return true;
}

/* The notations and the lexer as tools/make_tables.c found them; false: memory ran out. */
static bool take_tables(qp_context *context, const qp_tables *tables)
{
    for (size_t i = 0; i < tables->notation_count; i++)
        name_notation(context, tables->notations[i].name, tables->notations[i].title,
                      tables->notations[i].writes);
    context->lexer = qp_lexer_built_in(&tables->lexers[0]);
    return context->lexer != NULL;
}

#ifdef __STDC_NO_ATOMICS__
/* Nothing is left to be made by one of several threads. */
static bool make_all(qp_context *context)
{
    for (size_t i = 0; i < context->count; i++)
        if (qp_notation_speller(&context->notations[i]) == NULL)
            return false;
    return true;
}
#else
static bool make_all(qp_context *context)
{
    (void)context;
    return true;
}
#endif

qp_context *qp_context_new(void)
{
    qp_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->limits[QP_LIMIT_RECORD] = (uint64_t)64 << 20;
    context->limits[QP_LIMIT_VARIATIONS] = 10000;
    context->limits[QP_LIMIT_NODES] = (uint64_t)4 << 20;
    bool good;
    if (qp_built_in.notation_count != 0) {
        good = take_tables(context, &qp_built_in);
    } else {
        const qp_dialects *dialects = qp_context_dialects(context);
        good = dialects != NULL && take_dialects(context, dialects);
    }
    if (good && make_all(context))
        return context;
    qp_context_free(context);
    return NULL;
}

void qp_context_free(qp_context *context)
{
    if (context == NULL)
        return;
    drop_spares(context);
    for (size_t i = 0; i < context->count; i++)
        free(context->notations[i].speller);
    free_dialects(context->dialects);
    qp_lexer_free(context->lexer);
    free(context);
}

qp_status qp_context_add_dialect(qp_context *context, qp_str text, const char **error)
{
    qp_dialects *dialects = qp_context_dialects(context);
    drop_spares(context); /* they may know moves by the lexer of before */
    context->error[0] = '\0';
    *error = context->error;
    if (dialects == NULL)
        return QP_FATAL;
    size_t had = dialects->count;
    qp_dialect *file = qp_dialect_parse_text(text, context->error);
    if (file == NULL)
        return QP_BAD;
    if (!add_file(dialects, file, context->error)) {
        qp_dialect_free(file);
        return context->error[0] != '\0' ? QP_BAD : QP_FATAL;
    }
    if (take_dialects(context, dialects) && make_all(context))
        return QP_OK;
    dialects->count = had;
    dialects->file_count--;
    qp_dialect_free(file);
    return context->error[0] != '\0' ? QP_BAD : QP_FATAL;
}
