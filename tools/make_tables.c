/* make_tables: writes lib/notation/tables.c, what the built-in grammars come to, while the library
 * is built; so no program needs to read them before it knows what it is asked. All that stands
 * there was made by lexer.c. */
#include "config.h"

#include "notation/inside.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMED_MAX = QP_DIALECTS_MAX };

static void put_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c > 0x7E || c == '"' || c == '\\' || c == '?')
            printf("\\%03o", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void put_symbol(const qp_symbol *symbol)
{
    const char *before = "{";
#define FIELD(name)                                                                      \
    if (symbol->name != 0) {                                                             \
        printf("%s.%s = %u", before, #name, (unsigned)symbol->name);                     \
        before = ", ";                                                                   \
    }
    FIELD(can)
    FIELD(blank)
    FIELD(unseen)
    FIELD(side)
    FIELD(separator)
    FIELD(several)
    FIELD(latin)
    FIELD(kind)
    FIELD(kinds)
    FIELD(digit)
    FIELD(before)
    FIELD(after)
    FIELD(way)
    FIELD(file)
    FIELD(rank)
    FIELD(dialect)
    FIELD(style)
#undef FIELD
    printf("%s}", *before == '{' ? "{.can = 0" : "");
}

static bool means_nothing(const qp_symbol *symbol)
{
    static const qp_symbol none;
    return memcmp(symbol, &none, sizeof none) == 0;
}

static void put_symbols(const struct qp_lexer *lexer, size_t number)
{
    printf("static const qp_symbol symbols_%zu[%zu] = {\n", number, lexer->block_count * 64);
    for (size_t i = 0; i < lexer->block_count * 64; i++)
        if (!means_nothing(&lexer->symbols[i])) {
            printf("    [%zu] = ", i);
            put_symbol(&lexer->symbols[i]);
            puts(",");
        }
    printf("};\n\nstatic const qp_far far_%zu[] = {\n", number);
    for (size_t i = 0; i < lexer->far_count; i++) {
        printf("    {%lu, ", (unsigned long)lexer->far[i].code_point);
        put_symbol(&lexer->far[i].symbol);
        puts("},");
    }
    puts("    {0, {.can = 0}},\n};\n");
}

/* The spellings of several characters of the dialects that the lexer reads. */
static void put_several(const struct qp_lexer *lexer, const qp_dialect *const *used, size_t count,
                        size_t number)
{
    printf("static const qp_several several_%zu[] = {\n", number);
    for (size_t i = 0; lexer->several != NULL && i < count; i++)
        for (size_t k = 0; used[i] != NULL && k < used[i]->row_count; k++) {
            const qp_row *row = &used[i]->rows[k];
            for (size_t n = 0; n < row->spelling_count; n++) {
                qp_str text = row->spellings[n];
                uint64_t set;
                if (qp_trie_match(lexer->several, text.data, text.len, &set) != text.len)
                    continue;
                printf("    {");
                put_text(text.data);
                printf(", UINT64_C(%llu)},\n", (unsigned long long)set);
            }
        }
    puts("    {0, 0},\n};\n");
}

static void put_shape(const qp_shape *shape)
{
    printf("{{");
    for (size_t k = 0; k < QP_FORM_PARTS; k++)
        printf("%u, ", shape->parts[k]);
    printf("}, %u, %u}", shape->count, shape->set);
}

static void put_lexer(const struct qp_lexer *lexer, const char *apart, size_t number)
{
    printf("    {\n    .apart = ");
    if (apart != NULL)
        put_text(apart);
    else
        printf("NULL");
    puts(",\n    .lexer = {\n    .block = {");
    for (size_t i = 0; i < QP_COUNT(lexer->block); i++)
        if (lexer->block[i] != 0)
            printf("        [%zu] = %u,\n", i, lexer->block[i]);
    printf("    },\n    .symbols = symbols_%zu,\n    .block_count = %zu,\n    .allow = {\n", number,
           lexer->block_count);
    for (size_t i = 0; i < QP_FORM_PARTS; i++)
        for (size_t k = 0; k < QP_COUNT(lexer->allow[i]); k++)
            if (lexer->allow[i][k] != 0)
                printf("        [%zu][%zu] = %u,\n", i, k, lexer->allow[i][k]);
    puts("    },");
    for (size_t i = 0; i < QP_COUNT(lexer->ends); i++)
        printf("    .ends[%zu] = %u,\n", i, lexer->ends[i]);
    printf("    .all = %u,\n    .usual = %u,\n", lexer->all, lexer->usual);
    for (size_t i = 0; i < lexer->shape_count; i++) {
        printf("    .shapes[%zu] = ", i);
        put_shape(&lexer->shapes[i]);
        printf(",\n    .places[%zu] = {", i);
        for (size_t k = 0; k < QP_PART_COUNT; k++)
            printf("%u, ", lexer->places[i][k]);
        puts("},");
    }
    printf("    .shape_count = %zu,\n    .far = far_%zu,\n    .far_count = %zu,\n"
           "    .lent = true,\n",
           lexer->shape_count, number, lexer->far_count);
    for (size_t i = 0; i < lexer->several_count; i++) {
        printf("    .several_symbols[%zu] = ", i);
        put_symbol(&lexer->several_symbols[i]);
        puts(",");
    }
    printf("    .several_count = %zu,\n    .apart = %d,\n    .san = %d,\n    .chinese = %d,\n"
           "    .traditional = %d,\n    .coordinates = %u,\n    },\n",
           lexer->several_count, lexer->apart, lexer->san, lexer->chinese, lexer->traditional,
           lexer->coordinates);
    printf("    .several = several_%zu,\n    .several_count = QP_COUNT(several_%zu) - 1,\n    },\n",
           number, number);
}

/* A speller's spellings, and all else of it. */
static void put_speller(const struct qp_speller *s)
{
    const qp_str *spelling = (const qp_str *)(const void *)s;
    for (size_t i = 0; i < QP_SPELLINGS; i++) {
        printf("\n        ");
        put_text(spelling[i].len != 0 ? spelling[i].data : "");
        printf(" \"\\0\"");
    }
    printf(",\n        {.shapes = {");
    for (size_t i = 0; i < s->shape_count; i++) {
        put_shape(&s->shapes[i]);
        printf(", ");
    }
    printf("}, .shape_count = %zu, .pawns = %d, .order_needed = %d,\n         .lower = {%d, %d}, "
           ".full_digits = %d, .red_digits = %d, .base = %u}",
           s->shape_count, (int)s->pawns, s->order_needed, s->lower[0], s->lower[1],
           s->full_digits, s->red_digits, s->base);
}

static bool put_notations(const qp_dialect *const *all, size_t count)
{
    puts("static const qp_named notations[] = {");
    for (size_t i = 0; i < count; i++) {
        struct qp_speller *speller = qp_speller_new(all[i]);
        if (speller == NULL)
            return false;
        printf("    {");
        put_text(all[i]->name.data);
        printf(", ");
        put_text(all[i]->title.data);
        printf(", %d,", !qp_str_is(qp_dialect_option(all[i], "writes"), "no"));
        put_speller(speller);
        puts("},");
        free(speller);
    }
    puts("};\n");
    return true;
}

static bool reads_apart(const qp_dialect *dialect)
{
    return qp_str_is(qp_dialect_option(dialect, "reads"), "apart");
}

/* The lexers: first of what is read together, then of each that is read apart. false: *error
 * tells why. */
static bool make_lexers(const qp_dialect *const *all, size_t count, const qp_folds *folds,
                        struct qp_lexer *lexers[NAMED_MAX + 1], const char *apart[NAMED_MAX + 1],
                        size_t *made, char error[256])
{
    for (size_t which = 0; which <= count; which++) {
        const qp_dialect *used[NAMED_MAX] = {NULL};
        if (which > 0 && !reads_apart(all[which - 1]))
            continue;
        for (size_t i = 0; i < count; i++)
            if (which == 0 ? !reads_apart(all[i]) : i == which - 1)
                used[i] = all[i];
        lexers[*made] = qp_lexer_new(used, count, folds, error);
        if (lexers[*made] == NULL)
            return false;
        apart[*made] = which == 0 ? NULL : all[which - 1]->name.data;
        put_symbols(lexers[*made], *made);
        put_several(lexers[*made], used, count, *made);
        ++*made;
    }
    return true;
}

/* false: *error tells why. */
static bool put_tables(const qp_dialect *const *all, size_t count, const qp_folds *folds,
                       char error[256])
{
    struct qp_lexer *lexers[NAMED_MAX + 1];
    const char *apart[NAMED_MAX + 1];
    size_t made = 0;
    puts("/* made by tools/make_tables.c; do not edit */\n#include \"config.h\"\n\n"
         "#include \"notation/inside.h\"\n");
    bool good = make_lexers(all, count, folds, lexers, apart, &made, error);
    good = put_notations(all, count) && good;
    puts("static const qp_table lexers[] = {");
    for (size_t i = 0; i < made; i++) {
        put_lexer(lexers[i], apart[i], i);
        qp_lexer_free(lexers[i]);
    }
    printf("};\n\nconst qp_tables qp_built_in = {lexers, %zu, notations, %zu};\n", made, count);
    return good;
}

int main(void)
{
    const qp_dialect *all[NAMED_MAX] = {NULL};
    qp_dialect *files[NAMED_MAX] = {NULL};
    size_t count = 0, file_count = 0;
    char error[256] = "out of memory";
    qp_folds *folds = qp_folds_new();
    bool good = folds != NULL;
    for (size_t i = 0; good && i < qp_builtin_file_count && file_count < NAMED_MAX; i++) {
        const qp_builtin_file *file = &qp_builtin_files[i];
        if (!qp_builtin_is_dialect(file))
            continue;
        qp_dialect *first = qp_dialect_parse(file->lines, file->line_count, error);
        good = first != NULL;
        for (const qp_dialect *d = first; d != NULL && count < NAMED_MAX; d = d->next)
            all[count++] = d;
        if (good)
            files[file_count++] = first;
    }
    good = good && put_tables(all, count, folds, error);
    if (!good)
        fprintf(stderr, "make_tables: %s\n", error);
    good = fflush(stdout) == 0 && !ferror(stdout) && good;
    for (size_t i = 0; i < file_count; i++)
        qp_dialect_free(files[i]);
    qp_folds_free(folds);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
