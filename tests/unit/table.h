/* Reads the tables that unit tests run through: tests/data/NAME.tsv, or one of an optional
 * folder with more material (QIPU_SHARED). Lines that begin with # and empty lines are passed
 * over. */
#ifndef QP_TABLE_H
#define QP_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_FIELDS = 24 };

typedef struct table {
    FILE *file;
    char *line;
    size_t room;
    int row;    /* line number in the file, for messages */
    int fields;
    char *field[TABLE_FIELDS]; /* parted by tabs; the unset ones are "" */
} table;

static inline FILE *table_file(const char *root, const char *path)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", root, path);
    return fopen(name, "rb");
}

/* tests/data/NAME; a missing file is an error of the caller's. */
static inline bool table_open(table *t, const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[512];
    memset(t, 0, sizeof *t);
    snprintf(path, sizeof path, "tests/data/%s", name);
    t->file = table_file(top ? top : ".", path);
    return t->file != NULL;
}

/* A file of the optional material; false where there is none: skip the test. */
static inline bool table_open_shared(table *t, const char *path)
{
    const char *root = getenv("QIPU_SHARED");
    memset(t, 0, sizeof *t);
    t->file = root && *root ? table_file(root, path) : NULL;
    return t->file != NULL;
}

static inline bool table_next(table *t)
{
    ssize_t n;
    while ((n = getline(&t->line, &t->room, t->file)) >= 0) {
        t->row++;
        while (n > 0 && (t->line[n - 1] == '\n' || t->line[n - 1] == '\r'))
            t->line[--n] = '\0';
        if (n == 0 || t->line[0] == '#')
            continue;
        t->fields = 0;
        for (char *at = t->line; t->fields < TABLE_FIELDS;) {
            t->field[t->fields++] = at;
            char *tab = strchr(at, '\t');
            if (tab == NULL)
                break;
            *tab = '\0';
            at = tab + 1;
        }
        for (int i = t->fields; i < TABLE_FIELDS; i++)
            t->field[i] = t->line + n;
        return true;
    }
    free(t->line);
    fclose(t->file);
    return false;
}

#endif
