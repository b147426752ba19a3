/* The grammar floor: tries, dialect files and their errors, folds, patterns. */
#include "config.h"

#include <criterion/criterion.h>

#include "grammar/grammar.h"
#include "table.h"

/* ---- trie ---- */

static void match_is(const qp_trie *trie, const char *text, size_t len, uint64_t symbols,
                     int line)
{
    uint64_t got;
    size_t n = qp_trie_match(trie, text, strlen(text), &got);
    cr_expect(n == len && got == symbols, "line %d: \"%s\" gave %zu bytes, symbols %llx",
              line, text, n, (unsigned long long)got);
}
#define MATCH_IS(text, len, symbols) match_is(trie, text, len, symbols, __LINE__)

Test(trie, longest_match)
{
    qp_trie *trie = qp_trie_new();
    cr_assert(trie != NULL);
    MATCH_IS("", 0, 0);
    MATCH_IS("x", 0, 0);
    cr_assert(qp_trie_add(trie, QP_STR("+"), 1));
    cr_assert(qp_trie_add(trie, QP_STR("+++"), 2));
    cr_assert(qp_trie_add(trie, QP_STR("马"), 4));
    cr_assert(qp_trie_add(trie, QP_STR("马后炮"), 8));
    cr_assert(qp_trie_add(trie, QP_STR("¹"), 16));
    cr_assert(qp_trie_add(trie, QP_STR("²"), 32));
    cr_assert(qp_trie_add(trie, QP_STR("𝟏"), 64));
    cr_assert(qp_trie_add(trie, QP_STR("b"), 128));
    cr_assert(qp_trie_add(trie, QP_STR("b"), 256));
    cr_assert(qp_trie_add(trie, QP_STR("进步"), UINT64_C(1) << 63));
    MATCH_IS("+", 1, 1);
    MATCH_IS("++", 1, 1); /* the way to +++ is no spelling */
    MATCH_IS("+++", 3, 2);
    MATCH_IS("++++", 3, 2);
    MATCH_IS("马", 3, 4);
    MATCH_IS("马后退一", 3, 4);
    MATCH_IS("马后炮", 9, 8);
    MATCH_IS("¹²", 2, 16);
    MATCH_IS("²", 2, 32);
    MATCH_IS("³", 0, 0);
    MATCH_IS("𝟏1", 4, 64);
    MATCH_IS("𝟐", 0, 0);
    MATCH_IS("bb", 1, 128 | 256);
    MATCH_IS("进", 0, 0);
    MATCH_IS("进步", 6, UINT64_C(1) << 63);
    MATCH_IS("馬", 0, 0);
    qp_trie_free(trie);
}

Test(trie, cut_and_wrong_bytes)
{
    uint64_t symbols;
    qp_trie *trie = qp_trie_new();
    cr_assert(qp_trie_add(trie, QP_STR("马"), 1));
    cr_expect_eq(qp_trie_match(trie, "马", 2, &symbols), 0);
    cr_expect_eq(qp_trie_match(trie, "马", 0, &symbols), 0);
    /* Bytes whose low bits are those of 马. */
    cr_expect_eq(qp_trie_match(trie, "\xe9\x29\xac", 3, &symbols), 0);
    cr_expect_eq(qp_trie_match(trie, "\xe9\xa9\xec", 3, &symbols), 0);
    cr_expect_eq(qp_trie_match(trie, "\xff\xff\xff", 3, &symbols), 0);
    cr_expect(!qp_trie_add(trie, QP_STR(""), 1));
    char longest[65];
    memset(longest, 'x', sizeof longest);
    cr_expect(qp_trie_add(trie, (qp_str){longest, 64}, 2));
    cr_expect(!qp_trie_add(trie, (qp_str){longest, 65}, 2));
    cr_expect_eq(qp_trie_match(trie, longest, 65, &symbols), 64);
    qp_trie_free(trie);
}

Test(trie, many_spellings)
{
    qp_trie *trie = qp_trie_new();
    for (uint32_t c = 0x4e00; c < 0x9fff; c++) { /* every second one is added */
        char text[] = {(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 63)),
                       (char)(0x80 | (c & 63))};
        if (c % 2 == 0)
            cr_assert(qp_trie_add(trie, (qp_str){text, sizeof text}, c));
    }
    for (uint32_t c = 0x4e00; c < 0x9fff; c++) {
        uint64_t symbols;
        char text[] = {(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 63)),
                       (char)(0x80 | (c & 63))};
        cr_assert_eq(qp_trie_match(trie, text, sizeof text, &symbols),
                     c % 2 == 0 ? 3 : 0);
        cr_assert_eq(symbols, c % 2 == 0 ? c : 0);
    }
    qp_trie_free(trie);
}

/* ---- dialects ---- */

/* \t \n \r \xHH, and \s for 65 letters. */
static size_t unescape(char *text)
{
    static char out[4096];
    size_t n = 0;
    for (const char *p = text; *p != '\0' && n + 80 < sizeof out; p++) {
        if (*p != '\\') {
            out[n++] = *p;
            continue;
        }
        switch (*++p) {
        case 't':
            out[n++] = '\t';
            break;
        case 'n':
            out[n++] = '\n';
            break;
        case 'r':
            out[n++] = '\r';
            break;
        case 's':
            memset(out + n, 'x', 65);
            n += 65;
            break;
        case 'x': {
            char hex[3] = {p[1], p[2], '\0'};
            out[n++] = (char)strtoul(hex, NULL, 16);
            p += 2;
            break;
        }
        }
    }
    memcpy(text, out, n);
    return n;
}

Test(dialect, errors)
{
    table t;
    cr_assert(table_open(&t, "dialect-errors.tsv"));
    while (table_next(&t)) {
        char text[4096], error[256] = "";
        snprintf(text, sizeof text, "%s", t.field[0]);
        size_t len = unescape(text);
        qp_dialect *dialect = qp_dialect_parse_text((qp_str){text, len}, error);
        cr_expect_eq(dialect == NULL, strcmp(t.field[1], "-") != 0, "row %d: %s", t.row,
                     error);
        cr_expect_str_eq(dialect ? "-" : error, t.field[1], "row %d: %s", t.row, error);
        qp_dialect_free(dialect);
    }
}

static const qp_row *row_of(const qp_dialect *dialect, const char *kind,
                            const char *value)
{
    for (size_t i = 0; i < dialect->row_count; i++)
        if (qp_str_is(dialect->rows[i].kind, kind) &&
            qp_str_is(dialect->rows[i].value, value))
            return &dialect->rows[i];
    return NULL;
}

static void first_is(const qp_dialect *dialect, const char *kind, const char *value,
                     const char *spelling)
{
    const qp_row *row = row_of(dialect, kind, value);
    cr_expect(row != NULL && qp_str_is(row->spellings[0], spelling),
              "%s: %s %s is not %s", dialect->name.data, kind, value, spelling);
}

static bool reads(const qp_dialect *dialect, const char *kind, const char *value,
                  const char *spelling)
{
    const qp_row *row = row_of(dialect, kind, value);
    for (size_t i = 0; row != NULL && i < row->spelling_count; i++)
        if (qp_str_is(row->spellings[i], spelling))
            return true;
    return false;
}

Test(dialect, like_puts_own_spellings_first)
{
    char error[256];
    qp_dialect *d = qp_dialect_parse_text(
        QP_STR("name\ta\ntitle\tFirst\nlike\tchinese\npiece.red\trook\t俥\t戰\n"
               "option\tpawns\tlong\nname\tb\nlike\ta\ndigit\t2\t兩\n"),
        error);
    cr_assert(d != NULL, "%s", error);
    cr_expect(qp_str_is(d->name, "a") && qp_str_is(d->title, "First"));
    const qp_row *row = row_of(d, "piece.red", "rook");
    cr_assert(row->spelling_count > 4);
    cr_expect(qp_str_is(row->spellings[0], "俥") && qp_str_is(row->spellings[1], "戰") &&
              qp_str_is(row->spellings[2], "车"));
    cr_expect_eq(row->line, 4);
    for (size_t i = 1; i < row->spelling_count; i++)
        cr_expect(!qp_str_is(row->spellings[i], "俥"), "a spelling is there twice");
    first_is(d, "piece.black", "rook", "车");
    cr_expect(qp_str_is(qp_dialect_option(d, "pawns"), "long"));
    cr_expect(qp_str_is(qp_dialect_option(d, "order"), "always"));
    cr_expect(qp_str_is(qp_dialect_option(d, "case"), ""));
    d->rows = NULL; /* what `like` took is not changed by the model's end */
    const qp_dialect *b = d->next;
    cr_assert(b != NULL && b->next == NULL);
    cr_expect(qp_str_is(b->title, "b"));
    first_is(b, "piece.red", "rook", "俥");
    first_is(b, "digit.red", "2", "兩");
    first_is(b, "digit.black", "2", "兩");
    cr_expect(reads(b, "digit.black", "2", "２"));
    cr_expect(qp_str_is(qp_dialect_option(b, "pawns"), "long"));
    qp_dialect_free(d);
}

Test(dialect, built_in)
{
    static const char *const names[] = {"chinese",      "chinese-numbered",
                                        "chinese-long", "chinese-traditional",
                                        "wxf",          "wxf-axf",
                                        "wxf-xqbase",   "iccs",
                                        "uci",          "uci1"};
    unsigned found = 0, files = 0;
    for (size_t i = 0; i < qp_builtin_file_count; i++) {
        const qp_builtin_file *file = &qp_builtin_files[i];
        char error[256] = "";
        if (!qp_builtin_is_dialect(file))
            continue;
        qp_dialect *first = qp_dialect_parse(file->lines, file->line_count, error);
        cr_expect(first != NULL, "%s: %s", file->name, error);
        files++;
        for (const qp_dialect *d = first; d != NULL; d = d->next) {
            for (size_t k = 0; k < QP_COUNT(names); k++)
                found |= (unsigned)qp_str_is(d->name, names[k]) << k;
            cr_expect(!qp_str_same(d->name, d->title), "%s has no title", d->name.data);
            if (qp_str_is(d->name, "chinese") ||
                qp_str_is(d->name, "chinese-traditional")) {
                bool trad = d->name.len > 7;
                first_is(d, "piece.red", "king", trad ? "帥" : "帅");
                first_is(d, "piece.black", "king", trad ? "將" : "将");
                first_is(d, "piece.red", "rook", trad ? "車" : "车");
                first_is(d, "way", "forward", trad ? "進" : "进");
                first_is(d, "which", "rear", trad ? "後" : "后");
                first_is(d, "digit.red", "7", "七");
                first_is(d, "digit.black", "7", "7");
                for (const char *const *g =
                         (const char *const[]){"车", "車", "俥", "砗", NULL};
                     *g != NULL; g++)
                    cr_expect(reads(d, "piece.black", "rook", *g), "%s", *g);
                cr_expect(reads(d, "piece.red", "pawn", "卒"));
                cr_expect(reads(d, "digit.red", "2", "②") &&
                          reads(d, "digit.red", "2", "貳"));
            } else if (qp_str_is(d->name, "wxf")) {
                first_is(d, "way", "across", "=");
                first_is(d, "piece.black", "elephant", "E");
                cr_expect(reads(d, "piece.red", "king", "G") &&
                          reads(d, "piece.red", "advisor", "G"));
            } else if (qp_str_is(d->name, "wxf-axf")) {
                first_is(d, "way", "across", ".");
                cr_expect(reads(d, "way", "across", "="));
                cr_expect(qp_str_is(qp_dialect_option(d, "pawns"), "axf"));
            } else if (qp_str_is(d->name, "uci1")) {
                cr_expect(qp_str_is(qp_dialect_option(d, "base"), "1"));
                first_is(d, "rank", "10", "10");
            }
        }
        qp_dialect_free(first);
    }
    cr_expect_eq(found, (1u << QP_COUNT(names)) - 1, "missing dialects: %x", ~found);
    cr_expect_eq(files, 5);
}

Test(dialect, limits)
{
    char error[256];
    qp_buf text = {0};
    for (int i = 0; i < 40; i++)
        qp_buf_printf(&text, "name\td%d\nlike\tchinese\n", i);
    cr_expect(qp_dialect_parse_text((qp_str){text.data, text.len}, error) == NULL);
    cr_expect_str_eq(error, "line 65: more than 32 dialects in a file");
    text.len = 0;
    qp_buf_add_text(&text, "name\tmine\nway\tforward");
    for (int i = 0; i < 65; i++)
        qp_buf_printf(&text, "\tw%d", i);
    cr_expect(qp_dialect_parse_text((qp_str){text.data, text.len}, error) == NULL);
    cr_expect_str_eq(error, "line 2: more than 64 spellings");
    qp_buf_clear(&text);
    qp_dialect_free(NULL);
}

/* The examples of the manual page can be loaded as they stand. */
Test(dialect, manual_examples)
{
    const char *top = getenv("top_srcdir");
    FILE *page = table_file(top ? top : ".", "man/qipu-dialect.5");
    char line[1024], error[256] = "";
    qp_buf text = {0};
    bool inside = false;
    int examples = 0;
    cr_assert(page != NULL);
    while (fgets(line, sizeof line, page) != NULL) {
        if (strcmp(line, ".Bd -literal\n") == 0) {
            inside = true;
        } else if (inside && strcmp(line, ".Ed\n") == 0) {
            qp_dialect *d = qp_dialect_parse_text((qp_str){text.data, text.len}, error);
            cr_expect(d != NULL, "example %d: %s", examples, error);
            if (examples == 0 && d != NULL) {
                first_is(d, "piece.black", "king", "jiang");
                first_is(d, "which", "front", "qian");
                first_is(d, "digit.black", "5", "5");
            } else if (d != NULL) {
                first_is(d, "piece.red", "rook", "俥");
                cr_expect(qp_str_is(qp_dialect_option(d, "black-digits"), "full"));
            }
            qp_dialect_free(d);
            inside = false;
            text.len = 0;
            examples++;
        } else if (inside) {
            qp_buf_add_text(&text, line);
        }
    }
    cr_expect_eq(examples, 2);
    qp_buf_clear(&text);
    fclose(page);
}

/* ---- folds ---- */

Test(folds, both_ways)
{
    qp_folds *folds = qp_folds_new();
    uint32_t variants[2] = {0};
    cr_assert(folds != NULL);
    cr_expect_eq(qp_fold(folds, 'a'), 'a');
    cr_expect_eq(qp_fold(folds, 0x8eca), 0x8eca);
    cr_expect_eq(qp_fold(folds, 0xf902), 0x8eca);
    cr_expect_eq(qp_fold(folds, 0x2f9e), 0x8eca);
    cr_expect_eq(qp_fold(folds, 0x2ecb), 0x8f66);
    cr_expect_eq(qp_fold(folds, 0x2ee2), 0x9a6c);
    cr_expect_eq(qp_fold(folds, 0x2f00), 0x4e00);
    cr_expect_eq(qp_fold(folds, 0xff0b), '+');
    cr_expect_eq(qp_fold(folds, 0x2212), '-');
    cr_expect_eq(qp_fold(folds, 0x1d7d0), '2');
    cr_expect_eq(qp_fold(folds, 0x4e00), 0x4e00, "the digit one is no dash");
    for (uint32_t c = 0x21; c < 0x7f; c++)
        cr_expect_eq(qp_fold(folds, c + 0xfee0), c);
    cr_expect_eq(qp_fold(folds, 0x10ffff), 0x10ffff);
    cr_expect_eq(qp_fold_variants(folds, 0x8eca, variants, 2), 2);
    cr_expect(variants[0] == 0x2f9e && variants[1] == 0xf902);
    cr_expect_eq(qp_fold_variants(folds, 0x8eca, NULL, 0), 2);
    cr_expect_eq(qp_fold_variants(folds, 0x70ae, variants, 2), 0);
    qp_folds_free(folds);
    qp_folds_free(NULL);
}

/* No spelling of a dialect is a character that folds to another, but for the full-width
 * digits, which are digits either way. No fold needs a second one. */
Test(folds, fit_the_dialects)
{
    qp_folds *folds = qp_folds_new();
    for (size_t i = 0; i < qp_builtin_file_count; i++) {
        char error[256];
        const qp_builtin_file *file = &qp_builtin_files[i];
        qp_dialect *first = qp_builtin_is_dialect(file)
                                ? qp_dialect_parse(file->lines, file->line_count, error)
                                : NULL;
        for (const qp_dialect *d = first; d != NULL; d = d->next)
            for (size_t r = 0; r < d->row_count; r++) {
                for (size_t k = 0; k < d->rows[r].spelling_count; k++) {
                    qp_str s = d->rows[r].spellings[k];
                    const unsigned char *p = (const unsigned char *)s.data;
                    if (s.len != 3 || p[0] < 0xe0)
                        continue;
                    uint32_t c = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
                    cr_expect(qp_fold(folds, c) == c ||
                                  qp_str_is(d->rows[r].kind, "digit.red") ||
                                  qp_str_is(d->rows[r].kind, "digit.black"),
                              "%s", s.data);
                }
            }
        qp_dialect_free(first);
    }
    for (uint32_t c = 0; c < 0x20000; c++)
        cr_expect_eq(qp_fold(folds, qp_fold(folds, c)), qp_fold(folds, c), "U+%04X", c);
    qp_folds_free(folds);
}

/* ---- patterns ---- */

Test(patterns, match_what_their_rows_say)
{
    char error[256];
    qp_patterns *patterns = qp_patterns_new();
    cr_assert(patterns != NULL);
    cr_expect_eq(qp_patterns_selftest(patterns, error), 0, "messy.tsv: %s", error);
    qp_patterns_free(patterns);
    qp_patterns_free(NULL);
}

Test(patterns, find)
{
    qp_patterns *patterns = qp_patterns_new();
    qp_match match;
    qp_str text = QP_STR("炮二平五 变①接主变第12回合");
    cr_expect(!qp_pattern_find(patterns, "no-such-pattern", text, 0, &match));
    cr_expect(!qp_pattern_find(patterns, "heading-mark", text, 0, &match));
    cr_expect(match.whole.data == NULL);
    cr_expect(qp_pattern_find(patterns, "heading-mark", text, 13, &match));
    cr_expect(match.whole.data == text.data + 13 && match.whole.len == text.len - 13);
    unsigned number = qp_pattern_group(patterns, "heading-mark", "round");
    cr_expect_neq(number, 0);
    cr_expect(qp_str_is(match.group[number], "12"));
    cr_expect_eq(qp_pattern_group(patterns, "heading-mark", "nothing"), 0);
    cr_expect_eq(qp_pattern_group(patterns, "nothing", "round"), 0);
    unsigned from = qp_pattern_group(patterns, "heading-mark", "from");
    cr_expect(from != 0 && match.group[from].data == NULL, "unset groups have no text");
    qp_str fen = QP_STR("炮 4k4/9/9/9/9/9/9/9/9/4K4");
    cr_expect(qp_pattern_find(patterns, "fen", fen, 0, &match));
    cr_expect(match.whole.data == fen.data + 4, "a pattern without \\G looks on");
    cr_expect(!qp_pattern_find(patterns, "fen", fen, 1, &match), "inside a character");
    cr_expect(!qp_pattern_find(patterns, "fen", fen, fen.len + 1, &match));
    cr_expect(
        qp_pattern_find(patterns, "result-unknown-value", (qp_str){NULL, 0}, 0, &match));
    cr_expect(qp_pattern_find(patterns, "header", QP_STR("黑方: 乙"), 0, &match));
    cr_expect_str_eq(match.mark, "Black");
    qp_patterns_free(patterns);
}

/* Texts that make careless patterns try again and again: each search must end soon. */
Test(patterns, hostile_text, .timeout = 20)
{
    static const char *const units[] = {"(",  "1",  "1.",  " ", "　", "…",
                                        "红", "和", "甲 ", "*", "9/", "[",
                                        "<",  "=",  "0-",  "a", "：", "如"};
    enum { SIZE = 200000 };
    qp_patterns *patterns = qp_patterns_new();
    char *text = malloc(SIZE + 8);
    char names[128][40];
    size_t count = 0;
    for (size_t i = 0; i < qp_builtin_file_count; i++)
        for (size_t k = 0; k < qp_builtin_files[i].line_count; k++)
            if (strcmp(qp_builtin_files[i].name, "messy.tsv") == 0 && count < 128 &&
                sscanf(qp_builtin_files[i].lines[k], "pattern\t%39[^\t]", names[count]) ==
                    1)
                count++;
    cr_assert_gt(count, 20);
    for (size_t u = 0; u < QP_COUNT(units); u++) {
        size_t len = strlen(units[u]), n = 0;
        for (; n + len <= SIZE; n += len)
            memcpy(text + n, units[u], len);
        for (size_t i = 0; i < count; i++) {
            qp_match match;
            qp_pattern_find(patterns, names[i], (qp_str){text, n}, 0, &match);
        }
    }
    free(text);
    qp_patterns_free(patterns);
}
