/* Named PCRE2 patterns from grammars/messy.tsv, for what tries cannot say:
 * result words, headers in prose. Rows, parted by single tabs:
 *
 *     pattern NAME REGEX              in (?x) form; only named groups capture
 *             MORE                    lines that begin with a tab go on with it
 *     yes     NAME TEXT GROUP=VALUE…  the pattern must be found, with these groups
 *     no      NAME TEXT               it must not
 *
 * In TEXT, \n \t \e and \\ stand for characters; a missing one is the empty text. The
 * group "mark" of a yes row is the mark of the match. */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "grammar/grammar.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SLOTS = 256,        /* of the table of names; a power of two */
    PATTERNS_MAX = 128, /* half of that */
    STEPS_MAX = 1000000,
    DEPTH_MAX = 10000,
    HEAP_MAX = 4096, /* KiB */
    SAMPLE_MAX = 1024,
    KEPT = 32, /* searches; a power of two */
    KEPT_MAX = 96, /* bytes of the text of one */
    FEW = 16, /* searches of a pattern, in texts as short as that */
};

typedef struct pattern {
    qp_str name;
    size_t line; /* in the file, from 0 */
    pcre2_code *code;
    int error; /* of the compiler */
    size_t error_at;
    bool tried;
    bool quick; /* made into machine code; that takes as long as many short searches do */
    unsigned searches;
} pattern;

struct qp_patterns {
    bool loaded; /* what follows; a reader of squares may never need it */
    const qp_builtin_file *file;
    pattern *patterns;
    size_t count;
    uint8_t slots[SLOTS]; /* index + 1 */
    pcre2_match_context *limits;
    pcre2_match_data *found;
    /* Some of the last searches: a reader tends to ask of lines what they are, and then what
     * they say. */
    struct found {
        const pattern *of; /* NULL: nothing is kept here */
        size_t at, len;
        char text[KEPT_MAX];
        int count; /* of groups; less than 0: nothing was found */
        uint32_t span[2 * QP_MATCH_GROUPS];
        const char *mark;
    } kept[KEPT];
};

/* The first columns of a row; the last of them holds the rest of the line. */
static size_t cut(const char *line, qp_str *column, size_t room)
{
    size_t count = 0;
    while (count + 1 < room) {
        const char *tab = strchr(line, '\t');
        column[count++] = (qp_str){line, tab ? (size_t)(tab - line) : strlen(line)};
        if (tab == NULL)
            return count;
        line = tab + 1;
    }
    column[count++] = qp_str_of(line);
    return count;
}

static size_t slot_of(const char *name, size_t len)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return (hash ^ hash >> 16) & (SLOTS - 1);
}

static pattern *known(const qp_patterns *patterns, qp_str name)
{
    for (size_t at = slot_of(name.data, name.len); patterns->slots[at] != 0;
         at = (at + 1) & (SLOTS - 1)) {
        pattern *p = &patterns->patterns[patterns->slots[at] - 1];
        if (qp_str_same(p->name, name))
            return p;
    }
    return NULL;
}

static void add(qp_patterns *patterns, qp_str name, size_t line)
{
    size_t at = slot_of(name.data, name.len);
    if (patterns->count == PATTERNS_MAX || known(patterns, name) != NULL)
        return;
    while (patterns->slots[at] != 0)
        at = (at + 1) & (SLOTS - 1);
    patterns->patterns[patterns->count++] = (pattern){.name = name, .line = line};
    patterns->slots[at] = (uint8_t)patterns->count;
}

/* false: memory ran out. */
static bool load(qp_patterns *patterns)
{
    for (size_t i = 0; i < qp_builtin_file_count; i++)
        if (strcmp(qp_builtin_files[i].name, "messy.tsv") == 0)
            patterns->file = &qp_builtin_files[i];
    patterns->patterns = calloc(PATTERNS_MAX, sizeof *patterns->patterns);
    patterns->limits = pcre2_match_context_create(NULL);
    patterns->found = pcre2_match_data_create(QP_MATCH_GROUPS, NULL);
    patterns->loaded = true;
    if (patterns->patterns == NULL || patterns->limits == NULL || patterns->found == NULL)
        return false;
    pcre2_set_match_limit(patterns->limits, STEPS_MAX);
    pcre2_set_depth_limit(patterns->limits, DEPTH_MAX);
    pcre2_set_heap_limit(patterns->limits, HEAP_MAX);
    for (size_t i = 0; patterns->file != NULL && i < patterns->file->line_count; i++) {
        qp_str column[3];
        if (cut(patterns->file->lines[i], column, 3) == 3 &&
            qp_str_is(column[0], "pattern"))
            add(patterns, column[1], i);
    }
    return true;
}

static pattern *named(qp_patterns *patterns, qp_str name)
{
    return patterns->loaded || load(patterns) ? known(patterns, name) : NULL;
}

qp_patterns *qp_patterns_new(void)
{
    return calloc(1, sizeof(qp_patterns));
}

void qp_patterns_free(qp_patterns *patterns)
{
    if (patterns == NULL)
        return;
    for (size_t i = 0; patterns->patterns != NULL && i < patterns->count; i++)
        pcre2_code_free(patterns->patterns[i].code);
    pcre2_match_data_free(patterns->found);
    pcre2_match_context_free(patterns->limits);
    free(patterns->patterns);
    free(patterns);
}

/* The text of a pattern, from its row and the lines that go on with it. */
static void read_regex(const qp_patterns *patterns, const pattern *p, qp_buf *regex)
{
    qp_str column[3];
    cut(patterns->file->lines[p->line], column, 3);
    qp_buf_add_str(regex, column[2]);
    for (size_t i = p->line + 1; i < patterns->file->line_count; i++) {
        if (patterns->file->lines[i][0] != '\t')
            break;
        qp_buf_add_char(regex, '\n');
        qp_buf_add_text(regex, patterns->file->lines[i]);
    }
}

static const pcre2_code *compiled(const qp_patterns *patterns, pattern *p)
{
    if (QP_LIKELY_TO(p->tried))
        return p->code;
    qp_buf regex = {0};
    p->tried = true;
    read_regex(patterns, p, &regex);
    if (!regex.failed)
        p->code = pcre2_compile((PCRE2_SPTR)regex.data, regex.len,
                                PCRE2_UTF | PCRE2_NO_AUTO_CAPTURE | PCRE2_DOLLAR_ENDONLY,
                                &p->error, &p->error_at, NULL);
    qp_buf_clear(&regex);
    return p->code;
}

/* Searches a text; unset groups end before they begin. */
static void search(qp_patterns *patterns, pattern *p, qp_str text, size_t at, struct found *to)
{
    if (!p->quick && (text.len > KEPT_MAX || ++p->searches > FEW)) {
        pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* without it, it is but slower */
        p->quick = true;
    }
    int count = pcre2_match(p->code, (PCRE2_SPTR)text.data, text.len, at, PCRE2_NO_UTF_CHECK,
                            patterns->found, patterns->limits);
    if (count == 0 || count > QP_MATCH_GROUPS) /* more groups than there is room for */
        count = QP_MATCH_GROUPS;
    to->count = count;
    const PCRE2_SIZE *span = pcre2_get_ovector_pointer(patterns->found);
    for (int i = 0; i < count; i++) {
        bool set = span[2 * i] != PCRE2_UNSET && span[2 * i] <= span[2 * i + 1];
        to->span[2 * i] = set ? (uint32_t)span[2 * i] : 1;
        to->span[2 * i + 1] = set ? (uint32_t)span[2 * i + 1] : 0;
    }
    to->mark = count < 0 ? NULL : (const char *)pcre2_get_mark(patterns->found);
}

/* The same of a text that is short, and may have been searched before. */
static const struct found *search_kept(qp_patterns *patterns, pattern *p, qp_str text,
                                       size_t at)
{
    uint64_t hash = (uint64_t)(p - patterns->patterns) + 64 * at + 4096 * text.len;
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    struct found *kept = &patterns->kept[hash >> 40 & (KEPT - 1)];
    if (kept->of != p || kept->at != at || kept->len != text.len ||
        memcmp(kept->text, text.data, text.len) != 0) {
        search(patterns, p, text, at, kept);
        kept->of = p;
        kept->at = at;
        kept->len = text.len;
        memcpy(kept->text, text.data, text.len);
    }
    return kept;
}

static bool find(qp_patterns *patterns, pattern *p, qp_str text, size_t at,
                 qp_match *match)
{
    const char *data = text.data ? text.data : "";
    const pcre2_code *code = compiled(patterns, p);
    struct found own;
    const struct found *found = &own;
    *match = (qp_match){0};
    if (code == NULL || at > text.len ||
        (at < text.len && ((unsigned char)text.data[at] & 0xc0) == 0x80))
        return false;
    if (text.len <= KEPT_MAX)
        found = search_kept(patterns, p, (qp_str){data, text.len}, at);
    else
        search(patterns, p, (qp_str){data, text.len}, at, &own);
    if (found->count < 0)
        return false;
    for (int i = 0; i < found->count; i++)
        if (found->span[2 * i] <= found->span[2 * i + 1])
            match->group[i] = (qp_str){data + found->span[2 * i],
                                       found->span[2 * i + 1] - found->span[2 * i]};
    match->whole = match->group[0];
    match->mark = found->mark;
    return true;
}

bool qp_pattern_find(qp_patterns *patterns, const char *name, qp_str text, size_t at,
                     qp_match *match)
{
    pattern *p = named(patterns, qp_str_of(name));
    if (p != NULL)
        return find(patterns, p, text, at, match);
    *match = (qp_match){0};
    return false;
}

static unsigned group_number(const qp_patterns *patterns, pattern *p, const char *group)
{
    const pcre2_code *code = compiled(patterns, p);
    int number = code ? pcre2_substring_number_from_name(code, (PCRE2_SPTR)group) : -1;
    return number > 0 && number < QP_MATCH_GROUPS ? (unsigned)number : 0;
}

unsigned qp_pattern_group(qp_patterns *patterns, const char *name, const char *group)
{
    pattern *p = named(patterns, qp_str_of(name));
    return p ? group_number(patterns, p, group) : 0;
}

/* ---- self-test ---- */

static qp_str sample_text(qp_str escaped, char out[SAMPLE_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < escaped.len && n < SAMPLE_MAX; i++) {
        char c = escaped.data[i];
        if (c == '\\' && i + 1 < escaped.len) {
            c = escaped.data[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'e' ? '\033' : c;
        }
        out[n++] = c;
    }
    return (qp_str){out, n};
}

/* What is wrong with a match in view of `GROUP=VALUE`; false: nothing. */
static bool group_differs(const qp_patterns *patterns, pattern *p, const qp_match *match,
                          qp_str wanted, char why[128])
{
    const char *sign = memchr(wanted.data, '=', wanted.len);
    char name[40];
    size_t len = sign ? (size_t)(sign - wanted.data) : 0;
    snprintf(why, 128, "bad column \"%.*s\"", (int)(wanted.len < 60 ? wanted.len : 60),
             wanted.data);
    if (len == 0 || len >= sizeof name)
        return true;
    memcpy(name, wanted.data, len);
    name[len] = '\0';
    qp_str value = {sign + 1, wanted.len - len - 1}, got;
    if (strcmp(name, "whole") == 0) {
        got = match->whole;
    } else if (strcmp(name, "mark") == 0) {
        got = qp_str_of(match->mark);
    } else {
        unsigned number = group_number(patterns, p, name);
        if (number == 0)
            return true;
        got = match->group[number];
    }
    snprintf(why, 128, "%s is \"%.*s\"", name, (int)(got.len < 60 ? got.len : 60),
             got.data ? got.data : "");
    return !qp_str_same(got, value);
}

/* Runs one row; false with *why where it fails. */
static bool row_holds(qp_patterns *patterns, const qp_str *column, size_t count,
                      char why[128])
{
    pattern *p = named(patterns, column[1]);
    char text[SAMPLE_MAX];
    qp_match match;
    if (p == NULL) {
        snprintf(why, 128, "no such pattern");
        return false;
    }
    if (compiled(patterns, p) == NULL) {
        snprintf(why, 128, "the pattern is wrong at %zu (error %d)", p->error_at,
                 p->error);
        return false;
    }
    uint32_t groups = 0;
    pcre2_pattern_info(p->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (groups >= QP_MATCH_GROUPS) {
        snprintf(why, 128, "more than %d groups", QP_MATCH_GROUPS - 1);
        return false;
    }
    bool found = find(patterns, p, count > 2 ? sample_text(column[2], text) : QP_STR(""),
                      0, &match);
    bool wanted = qp_str_is(column[0], "yes");
    snprintf(why, 128, "%s", found ? "found" : "not found");
    for (size_t i = 3; found && wanted && i < count; i++)
        if (group_differs(patterns, p, &match, column[i], why))
            return false;
    return found == wanted;
}

size_t qp_patterns_selftest(qp_patterns *patterns, char error[256])
{
    size_t failed = 0;
    error[0] = '\0';
    if (!patterns->loaded && !load(patterns))
        return 1;
    for (size_t i = 0; patterns->file != NULL && i < patterns->file->line_count; i++) {
        qp_str column[12];
        char why[128];
        size_t count = cut(patterns->file->lines[i], column, QP_COUNT(column));
        if (count < 2 || column[0].len == 0 || column[0].data[0] == '#' ||
            qp_str_is(column[0], "pattern"))
            continue;
        if (!qp_str_is(column[0], "yes") && !qp_str_is(column[0], "no"))
            snprintf(why, sizeof why, "unknown kind of row");
        else if (row_holds(patterns, column, count, why))
            continue;
        if (failed++ == 0)
            snprintf(error, 256, "line %zu: %.*s %.*s: %s", i + 1, (int)column[0].len,
                     column[0].data, (int)(column[1].len < 40 ? column[1].len : 40),
                     column[1].data, why);
    }
    return failed;
}
