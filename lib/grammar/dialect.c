/* Reads dialect files: which spellings stand for which piece, digit, direction … Checks
 * the form of each row and that nothing a form needs is missing; what the values mean is
 * the notation floor's to know. The format is described in qipu-dialect(5). */
#include "config.h"

#include "grammar/grammar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SPELLING_MAX = 64,
    NAME_MAX_LEN = 32,
    TITLE_MAX = 200,
    DIALECTS_MAX = 32, /* of one file */
    ROWS_MAX = 256,    /* of one dialect; known classes and values make less */
    LIKE_DEPTH_MAX = 4,
    ERROR_MAX = 256,
};

/* Values are words parted by blanks. */
static const struct class_info {
    const char *name, *values;
} classes[] = {
    {"piece.red", "king advisor elephant horse rook cannon pawn"},
    {"piece.black", "king advisor elephant horse rook cannon pawn"},
    {"digit.red", "1 2 3 4 5 6 7 8 9"},
    {"digit.black", "1 2 3 4 5 6 7 8 9"},
    {"way", "forward back across"},
    {"which", "front middle rear 1 2 3 4 5 frontmost rearmost"},
    {"side", "red black"},
    {"file", "a b c d e f g h i"},
    {"rank", "0 1 2 3 4 5 6 7 8 9 10"},
    {"separator", "-"},
    {"option", "pawns order black-digits case base writes reads"},
    {"form", "-"},
};

static const struct option_info {
    const char *key, *settings;
} options[] = {
    {"pawns", "file numbered long ordinal axf letters"},
    {"order", "always needed"},
    {"black-digits", "half full chinese"},
    {"case", "upper lower lower-black"},
    {"base", "0 1"},
    {"writes", "yes no"},
    {"reads", "common apart"},
};

static const char form_parts[] = "piece which road way arg file rank separator";
static const char *const forms[] = {
    "piece road way arg",
    "which piece way arg",
    "piece which way arg",
    "which road way arg",
    "road which way arg",
    "which piece road way arg",
    "piece road which way arg",
    "road piece way arg",
    "which way arg",
    "piece road arg",
    "which piece arg",
    "file rank file rank",
    "file rank separator file rank",
    "piece file rank",
};

/* What a dialect must spell if one of its forms has the part: the values without which
 * the writer would be at a loss. Of ranks, 0 or 10 may be missing. */
static const struct need_info {
    const char *part, *kind, *values;
} needs[] = {
    {"piece", "piece.red", "king advisor elephant horse rook cannon pawn"},
    {"piece", "piece.black", "king advisor elephant horse rook cannon pawn"},
    {"road", "digit.red", "1 2 3 4 5 6 7 8 9"},
    {"road", "digit.black", "1 2 3 4 5 6 7 8 9"},
    {"arg", "digit.red", "1 2 3 4 5 6 7 8 9"},
    {"arg", "digit.black", "1 2 3 4 5 6 7 8 9"},
    {"way", "way", "forward back across"},
    {"which", "which", "front rear"},
    {"file", "file", "a b c d e f g h i"},
    {"rank", "rank", "1 2 3 4 5 6 7 8 9"},
    {"separator", "separator", "-"},
};

typedef struct parser {
    qp_arena *arena;
    char *error; /* "" as long as all is well */
    size_t line;
    qp_dialect *first, **last; /* finished or at work; *last is the NULL behind them */
    qp_dialect *now;
    size_t dialect_count, name_line;
    qp_row rows[ROWS_MAX]; /* of now; those with line 0 came by `like` */
    size_t row_count;
    bool own_rows;
} parser;

static bool fail(parser *p, const char *format, ...) QP_PRINTF(2, 3);
static bool fail(parser *p, const char *format, ...)
{
    if (p->error[0] != '\0')
        return false;
    int n = snprintf(p->error, ERROR_MAX, "line %zu: ", p->line);
    va_list args;
    va_start(args, format);
    vsnprintf(p->error + n, ERROR_MAX - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* The precision for "%.*s": all of a short text, whole characters of a long one. */
static int shown(qp_str text)
{
    size_t len = text.len;
    if (len > 40)
        for (len = 40; len > 0 && ((unsigned char)text.data[len] & 0xc0) == 0x80;)
            len--;
    return (int)len;
}
#define SHOWN(text) shown(text), (text).data

/* The next word of a list, or an empty one. */
static qp_str next_word(const char **at)
{
    const char *p = *at + strspn(*at, " ");
    size_t len = strcspn(p, " ");
    *at = p + len;
    return (qp_str){p, len};
}

static bool has_word(const char *list, qp_str word)
{
    for (qp_str next = next_word(&list); next.len != 0; next = next_word(&list))
        if (qp_str_same(next, word))
            return true;
    return false;
}

static const struct class_info *class_find(qp_str name)
{
    for (size_t i = 0; i < QP_COUNT(classes); i++)
        if (qp_str_is(name, classes[i].name))
            return &classes[i];
    return NULL;
}

/* ---- rows ---- */

static qp_row *row_find(parser *p, qp_str kind, qp_str value)
{
    for (size_t i = 0; i < p->row_count; i++)
        if (qp_str_same(p->rows[i].kind, kind) && qp_str_same(p->rows[i].value, value))
            return &p->rows[i];
    return NULL;
}

static bool spellings_have(const qp_str *spellings, size_t count, qp_str text)
{
    for (size_t i = 0; i < count; i++)
        if (qp_str_same(spellings[i], text))
            return true;
    return false;
}

/* Sets a row's spellings: the given ones, then those it had that are not among them. */
static bool row_spell(parser *p, qp_row *row, const qp_str *given, size_t count)
{
    qp_str *all = qp_arena_alloc(p->arena, (count + row->spelling_count) * sizeof *all);
    size_t n = 0;
    if (all == NULL)
        return fail(p, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!spellings_have(all, n, given[i]))
            all[n++] = qp_arena_str(p->arena, given[i].data, given[i].len);
    for (size_t i = 0; i < row->spelling_count; i++)
        if (!spellings_have(all, n, row->spellings[i]))
            all[n++] = row->spellings[i];
    if (p->arena->failed)
        return fail(p, "out of memory");
    row->spellings = all;
    row->spelling_count = n;
    row->line = p->line;
    return true;
}

static qp_row *row_new(parser *p, qp_str kind, qp_str value)
{
    if (p->row_count == ROWS_MAX) {
        fail(p, "more than %d rows", ROWS_MAX);
        return NULL;
    }
    qp_row *row = &p->rows[p->row_count++];
    *row = (qp_row){.kind = qp_arena_str(p->arena, kind.data, kind.len),
                    .value = qp_arena_str(p->arena, value.data, value.len)};
    return row;
}

/* A row of a class other than form; kind is the class in full. */
static bool row_add(parser *p, qp_str kind, qp_str value, const qp_str *spellings,
                    size_t count)
{
    const struct class_info *info = class_find(kind);
    if (info == NULL)
        return fail(p, "unknown class \"%.*s\"", SHOWN(kind));
    if (!has_word(info->values, value))
        return fail(p, "unknown value \"%.*s\" of %s: it is one of %s", SHOWN(value),
                    info->name, info->values);
    qp_row *row = row_find(p, kind, value);
    if (row != NULL && row->line != 0)
        return fail(p, "%s %.*s was given in line %zu", info->name, SHOWN(value),
                    row->line);
    if (row == NULL)
        row = row_new(p, kind, value);
    return row != NULL && row_spell(p, row, spellings, count);
}

static bool spellings_good(parser *p, const qp_str *spellings, size_t count)
{
    if (count == 0)
        return fail(p, "no spelling");
    for (size_t i = 0; i < count; i++) {
        if (spellings[i].len > SPELLING_MAX)
            return fail(p, "spelling \"%.*s\" is longer than %d bytes",
                        SHOWN(spellings[i]), SPELLING_MAX);
        if (memchr(spellings[i].data, ' ', spellings[i].len) != NULL)
            return fail(p, "a blank in spelling \"%.*s\": columns are parted by tabs",
                        SHOWN(spellings[i]));
    }
    return true;
}

static bool add_spellings(parser *p, const qp_str *column, size_t count)
{
    qp_str kind = column[0];
    if (count < 2)
        return fail(p, "no value");
    if (!spellings_good(p, column + 2, count - 2))
        return false;
    if (qp_str_is(kind, "piece"))
        return row_add(p, QP_STR("piece.red"), column[1], column + 2, count - 2) &&
               row_add(p, QP_STR("piece.black"), column[1], column + 2, count - 2);
    if (qp_str_is(kind, "digit"))
        return row_add(p, QP_STR("digit.red"), column[1], column + 2, count - 2) &&
               row_add(p, QP_STR("digit.black"), column[1], column + 2, count - 2);
    return row_add(p, kind, column[1], column + 2, count - 2);
}

static bool add_option(parser *p, const qp_str *column, size_t count)
{
    if (count < 2)
        return fail(p, "no option's name");
    if (count != 3)
        return fail(p, "option %.*s takes one setting", SHOWN(column[1]));
    for (size_t i = 0; i < QP_COUNT(options); i++) {
        if (!qp_str_is(column[1], options[i].key))
            continue;
        if (!has_word(options[i].settings, column[2]))
            return fail(p, "option %s is one of %s", options[i].key, options[i].settings);
        qp_row *row = row_find(p, QP_STR("option"), column[1]);
        if (row != NULL && row->line == 0)
            row->spelling_count = 0;
        return row_add(p, QP_STR("option"), column[1], column + 2, 1);
    }
    return fail(p, "unknown option \"%.*s\"", SHOWN(column[1]));
}

static bool add_form(parser *p, const qp_str *column, size_t count)
{
    if (count != 3 || !qp_str_is(column[1], "-"))
        return fail(p, "a form is three columns: form, -, and its parts");
    char parts[SPELLING_MAX + 1];
    const char *at = parts;
    if (column[2].len > SPELLING_MAX)
        return fail(p, "unknown form \"%.*s\"", SHOWN(column[2]));
    memcpy(parts, column[2].data, column[2].len);
    parts[column[2].len] = '\0';
    for (qp_str part = next_word(&at); part.len != 0; part = next_word(&at))
        if (!has_word(form_parts, part))
            return fail(p, "\"%.*s\" is no part of a form: the parts are %s", SHOWN(part),
                        form_parts);
    for (size_t i = 0; i < QP_COUNT(forms); i++) {
        if (!qp_str_is(column[2], forms[i]))
            continue;
        for (size_t k = 0; k < p->row_count; k++) {
            qp_row *row = &p->rows[k];
            if (!qp_str_is(row->kind, "form") || !qp_str_is(row->spellings[0], forms[i]))
                continue;
            if (row->line != 0)
                return fail(p, "this form was given in line %zu", row->line);
            row->line = p->line;
            return true;
        }
        qp_row *row = row_new(p, QP_STR("form"), QP_STR("-"));
        return row != NULL && row_spell(p, row, &column[2], 1);
    }
    return fail(p, "unknown form \"%.*s\"", SHOWN(column[2]));
}

/* ---- dialects ---- */

static const qp_row *dialect_row(const qp_dialect *dialect, qp_str kind, qp_str value)
{
    for (size_t i = 0; i < dialect->row_count; i++)
        if (qp_str_same(dialect->rows[i].kind, kind) &&
            qp_str_same(dialect->rows[i].value, value))
            return &dialect->rows[i];
    return NULL;
}

static bool dialect_has_part(const qp_dialect *dialect, const char *part)
{
    for (size_t i = 0; i < dialect->row_count; i++)
        if (qp_str_is(dialect->rows[i].kind, "form") &&
            has_word(dialect->rows[i].spellings[0].data, qp_str_of(part)))
            return true;
    return false;
}

/* Closes the dialect at work: its rows are kept, and must say all that its forms need. */
static bool finish(parser *p)
{
    qp_dialect *now = p->now;
    if (now == NULL)
        return true;
    size_t line = p->line;
    p->line = p->name_line; /* what is missing has no line of its own */
    qp_row *rows = qp_arena_alloc(p->arena, (p->row_count + 1) * sizeof *rows);
    if (rows == NULL)
        return fail(p, "out of memory");
    memcpy(rows, p->rows, p->row_count * sizeof *rows);
    now->rows = rows;
    now->row_count = p->row_count;
    if (!dialect_has_part(now, "arg") && !dialect_has_part(now, "rank"))
        return fail(p, "dialect \"%.*s\" has no form", SHOWN(now->name));
    for (size_t i = 0; i < QP_COUNT(needs); i++) {
        if (!dialect_has_part(now, needs[i].part))
            continue;
        const char *at = needs[i].values;
        for (qp_str value = next_word(&at); value.len != 0; value = next_word(&at))
            if (dialect_row(now, qp_str_of(needs[i].kind), value) == NULL)
                return fail(p,
                            "dialect \"%.*s\" has no row %s %.*s, which its forms need",
                            SHOWN(now->name), needs[i].kind, SHOWN(value));
    }
    p->line = line;
    return true;
}

static const qp_dialect *named(const qp_dialect *dialect, qp_str name)
{
    while (dialect != NULL && !qp_str_same(dialect->name, name))
        dialect = dialect->next;
    return dialect;
}

static bool begin(parser *p, const qp_str *column, size_t count)
{
    if (!finish(p))
        return false;
    if (count != 2)
        return fail(p, "a name is one column");
    qp_str name = column[1];
    if (name.len > NAME_MAX_LEN)
        return fail(p, "name \"%.*s\" is longer than %d bytes", SHOWN(name),
                    NAME_MAX_LEN);
    for (size_t i = 0; i < name.len; i++)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", name.data[i]) == NULL)
            return fail(p, "a name is made of a-z, 0-9 and -: \"%.*s\"", SHOWN(name));
    if (named(p->first, name) != NULL)
        return fail(p, "name %.*s was given before", SHOWN(name));
    if (p->dialect_count++ == DIALECTS_MAX)
        return fail(p, "more than %d dialects in a file", DIALECTS_MAX);
    qp_dialect *made = qp_arena_zero(p->arena, sizeof *made);
    if (made == NULL)
        return fail(p, "out of memory");
    made->name = made->title = qp_arena_str(p->arena, name.data, name.len);
    p->now = *p->last = made;
    p->last = &made->next;
    p->name_line = p->line;
    p->row_count = 0;
    p->own_rows = false;
    return true;
}

static bool parse(qp_arena *arena, const char *const *lines, const qp_str *text,
                  size_t count, unsigned depth, qp_dialect **first, char *error);

/* The dialect of a built-in file, read into the same arena; NULL: there is none. */
static const qp_dialect *built_in(parser *p, qp_str name, unsigned depth)
{
    for (size_t i = 0; i < qp_builtin_file_count && depth < LIKE_DEPTH_MAX; i++) {
        const qp_builtin_file *file = &qp_builtin_files[i];
        for (size_t k = 0; k < file->line_count; k++) {
            qp_str column[QP_COLUMNS];
            size_t n;
            if (!qp_columns_split(qp_str_of(file->lines[k]), column, &n) || n != 2 ||
                !qp_str_is(column[0], "name") || !qp_str_same(column[1], name))
                continue;
            qp_dialect *found = NULL;
            char error[ERROR_MAX] = "";
            parse(p->arena, file->lines, NULL, file->line_count, depth + 1, &found,
                  error);
            return named(found, name);
        }
    }
    return NULL;
}

static bool take_over(parser *p, const qp_str *column, size_t count, unsigned depth)
{
    if (count != 2)
        return fail(p, "like takes one name");
    if (p->own_rows || p->row_count != 0)
        return fail(p, "like stands once, before all rows");
    const qp_dialect *model =
        qp_str_same(p->now->name, column[1]) ? NULL : named(p->first, column[1]);
    if (model == NULL)
        model = built_in(p, column[1], depth);
    if (model == NULL)
        return fail(p, "no dialect \"%.*s\" stands before this line or is built in",
                    SHOWN(column[1]));
    for (size_t i = 0; i < model->row_count; i++) {
        p->rows[i] = model->rows[i];
        p->rows[i].line = 0;
    }
    p->row_count = model->row_count;
    return true;
}

static bool set_title(parser *p, const qp_str *column, size_t count)
{
    if (count != 2)
        return fail(p, "a title is one column");
    if (column[1].len > TITLE_MAX)
        return fail(p, "the title is longer than %d bytes", TITLE_MAX);
    if (p->now->title.data != p->now->name.data)
        return fail(p, "a second title");
    p->now->title = qp_arena_str(p->arena, column[1].data, column[1].len);
    return true;
}

static bool parse_line(parser *p, qp_str line, unsigned depth)
{
    qp_str column[QP_COLUMNS];
    size_t count;
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    size_t good = qp_valid_utf8(line);
    if (good < line.len)
        return fail(p, "byte 0x%02x is not UTF-8",
                    (unsigned)(unsigned char)line.data[good]);
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.data[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return fail(p, "control character 0x%02x", (unsigned)c);
    }
    if (!qp_columns_split(line, column, &count))
        return fail(p, "more than %d spellings", QP_COLUMNS - 2);
    if (count == 0)
        return true;
    if (qp_str_is(column[0], "name"))
        return begin(p, column, count);
    if (p->now == NULL)
        return fail(p, "a dialect begins with its name");
    if (qp_str_is(column[0], "title"))
        return set_title(p, column, count);
    if (qp_str_is(column[0], "like"))
        return take_over(p, column, count, depth);
    p->own_rows = true;
    if (qp_str_is(column[0], "option"))
        return add_option(p, column, count);
    if (qp_str_is(column[0], "form"))
        return add_form(p, column, count);
    return add_spellings(p, column, count);
}

/* Lines come as an array or in one text. Calls itself only through built_in, whose depth
 * does not hang on the input. */
static bool parse(qp_arena *arena, const char *const *lines, const qp_str *text,
                  size_t count, unsigned depth, qp_dialect **first, char *error)
{
    parser *p = calloc(1, sizeof *p);
    bool fine = p != NULL;
    if (p == NULL) {
        snprintf(error, ERROR_MAX, "out of memory");
        return false;
    }
    p->arena = arena;
    p->error = error;
    p->last = &p->first;
    if (text != NULL) {
        const char *at = text->data, *end = at + text->len;
        if (text->len >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
            at += 3;
        while (fine && at < end) {
            const char *lf = memchr(at, '\n', (size_t)(end - at));
            const char *stop = lf ? lf : end;
            p->line++;
            fine = parse_line(p, (qp_str){at, (size_t)(stop - at)}, depth);
            at = lf ? lf + 1 : end;
        }
    } else {
        for (size_t i = 0; fine && i < count; i++) {
            p->line++;
            fine = parse_line(p, qp_str_of(lines[i]), depth);
        }
    }
    fine = fine && finish(p);
    if (fine && p->first == NULL)
        fine = fail(p, "a dialect begins with its name");
    if (fine && arena->failed)
        fine = fail(p, "out of memory");
    *first = fine ? p->first : NULL;
    free(p);
    return fine;
}

static qp_dialect *parse_file(const char *const *lines, const qp_str *text, size_t count,
                              char *error)
{
    qp_arena arena;
    qp_dialect *first = NULL;
    qp_arena_init(&arena);
    error[0] = '\0';
    if (!parse(&arena, lines, text, count, 0, &first, error)) {
        qp_arena_clear(&arena);
        return NULL;
    }
    first->arena = arena;
    return first;
}

qp_dialect *qp_dialect_parse(const char *const *lines, size_t line_count, char error[256])
{
    return parse_file(lines, NULL, line_count, error);
}

qp_dialect *qp_dialect_parse_text(qp_str text, char error[256])
{
    return parse_file(NULL, &text, 0, error);
}

void qp_dialect_free(qp_dialect *first)
{
    if (first == NULL)
        return;
    qp_arena arena = first->arena; /* first itself lies in it */
    qp_arena_clear(&arena);
}

qp_str qp_dialect_option(const qp_dialect *dialect, const char *key)
{
    const qp_row *row = dialect_row(dialect, QP_STR("option"), qp_str_of(key));
    return row ? row->spellings[0] : QP_STR("");
}

bool qp_builtin_is_dialect(const qp_builtin_file *file)
{
    for (size_t i = 0; i < file->line_count; i++) {
        qp_str column[QP_COLUMNS];
        size_t count;
        if (qp_columns_split(qp_str_of(file->lines[i]), column, &count) && count != 0)
            return qp_str_is(column[0], "name");
    }
    return false;
}
