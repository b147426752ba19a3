/* The ground floor: one game's memory, growing bytes, borrowed strings, the table of codes. */
#include "config.h"

#include <criterion/criterion.h>

#include "base/base.h"

/* All blocks of an arena, and how many there are. */
static size_t arena_size(const qp_arena *arena, size_t *blocks)
{
    struct head {
        struct head *next;
        size_t size;
    };
    size_t size = 0;
    *blocks = 0;
    for (const struct head *b = (const struct head *)(const void *)arena->first; b != NULL;
         b = b->next) {
        size += b->size;
        ++*blocks;
    }
    return size;
}

Test(arena, memory)
{
    qp_arena arena;
    qp_arena_init(&arena);
    char *first = qp_arena_alloc(&arena, 3);
    char *second = qp_arena_alloc(&arena, 1);
    cr_expect_eq(second - first, 8, "aligned to 8");
    unsigned char *zero = qp_arena_zero(&arena, 100);
    for (size_t i = 0; i < 100; i++)
        cr_expect_eq(zero[i], 0, "byte %zu", i);
    qp_str copy = qp_arena_str(&arena, "abcd", 3);
    cr_expect(qp_str_is(copy, "abc") && copy.data[3] == '\0');
    cr_expect(qp_str_is(qp_arena_str(&arena, NULL, 0), ""));
    cr_expect(qp_str_is(qp_arena_printf(&arena, "%d-%s", 7, "x"), "7-x"));
    for (int width = 250; width < 260; width++) {
        qp_str padded = qp_arena_printf(&arena, "%*d", width, 7);
        cr_expect(padded.len == (size_t)width && padded.data[width - 1] == '7' &&
                      padded.data[0] == ' ' && padded.data[width] == 0,
                  "%d", width);
    }
    qp_arena_rewind(&arena);
    cr_expect_eq((char *)qp_arena_alloc(&arena, 1), first, "blocks are kept");
    qp_arena_clear(&arena);
}

/* Games that grow from one to the next must not leave a block of each size behind. */
Test(arena, growing_games)
{
    qp_arena arena;
    size_t blocks, size;
    qp_arena_init(&arena);
    for (size_t game = 1; game <= 200; game++) {
        qp_arena_rewind(&arena);
        cr_assert_not_null(qp_arena_alloc(&arena, 64));
        cr_assert_not_null(qp_arena_alloc(&arena, 100000 + game * 1000));
    }
    size = arena_size(&arena, &blocks);
    cr_expect(blocks <= 3 && size < 1000000, "%zu blocks of %zu bytes", blocks, size);
    qp_arena_clear(&arena);
}

Test(arena, failure_is_sticky)
{
    qp_arena arena;
    qp_arena_init(&arena);
    cr_expect_not_null(qp_arena_alloc(&arena, 8));
    cr_expect_null(qp_arena_alloc(&arena, SIZE_MAX - 100));
    cr_expect(arena.failed);
    cr_expect_null(qp_arena_alloc(&arena, 8), "also what would fit");
    cr_expect(qp_str_is(qp_arena_str(&arena, "a", 1), ""));
    qp_arena_rewind(&arena);
    cr_expect(!arena.failed);
    cr_expect_not_null(qp_arena_alloc(&arena, 8));
    qp_arena_clear(&arena);
}

Test(buf, bytes)
{
    qp_buf buf = {0};
    qp_buf_add(&buf, NULL, 0);
    cr_expect_null(buf.data);
    for (unsigned i = 0; i < 300; i++)
        qp_buf_add_char(&buf, 'a');
    qp_buf_add_text(&buf, "bc");
    qp_buf_add_number(&buf, 0);
    qp_buf_add_number(&buf, UINT64_MAX);
    qp_buf_printf(&buf, "<%s>", "x");
    cr_expect(qp_str_is((qp_str){buf.data + 299, buf.len - 299}, "abc018446744073709551615<x>"));
    cr_expect(!qp_buf_reserve(&buf, SIZE_MAX / 2) && buf.failed);
    qp_buf_clear(&buf);
    cr_expect(!buf.failed && buf.data == NULL);
}

Test(strings, compare)
{
    cr_expect(qp_str_is_nocase(QP_STR("ReSult"), "rEsult"));
    cr_expect(!qp_str_is_nocase(QP_STR("Result"), "Results"));
    cr_expect(!qp_str_is_nocase(QP_STR("Results"), "Result"));
    cr_expect(qp_str_is_nocase((qp_str){NULL, 0}, ""));
    cr_expect(!qp_str_is_nocase(QP_STR("["), "{"), "the bit of the case of no letter");
    cr_expect(qp_str_same((qp_str){NULL, 0}, QP_STR("")));
}

Test(strings, trim)
{
    static const struct {
        const char *text, *trimmed;
    } rows[] = {
        {"", ""},
        {" \t\r\n", ""},
        {"　 a　b \xC2\xA0", "a　b"},
        {"\xC2\xA0\xE3\x80\x80", ""},
        {"a\x80\x80", "a\x80\x80"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect(qp_str_is(qp_str_trim(qp_str_of(rows[i].text)), rows[i].trimmed), "row %zu",
                  i);
    cr_expect_eq(qp_str_trim((qp_str){NULL, 0}).len, 0);
}

Test(strings, whole_characters)
{
    static const struct {
        const char *text;
        size_t len, whole;
    } rows[] = {
        {"", 0, 0},           {"ab", 2, 2},         {"a\xE9\xA9\xAC", 4, 4},
        {"a\xE9\xA9", 3, 1},  {"a\xE9", 2, 1},      {"\xF0\x9F\xA8\x85", 4, 4},
        {"\xF0\x9F\xA8", 3, 0}, {"a\xC2\xA0", 3, 3}, {"a\xC2", 2, 1},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(qp_whole_len(rows[i].text, rows[i].len), rows[i].whole, "row %zu", i);
}

/* A stop at each place of runs of each length, behind bytes that are nearly stops. */
Test(strings, runs)
{
    static const uint8_t set[256] = {['"'] = 1, ['\\'] = 1, [0xEF] = 1, ['\n'] = 1};
    static const char stops[] = "\"\\\xEF\n";
    char text[24];
    for (size_t n = 0; n <= sizeof text; n++)
        for (size_t at = 0; at <= n; at++)
            for (size_t s = 0; s < sizeof stops - 1; s++) {
                memset(text, '#', sizeof text);
                for (size_t i = 0; i < n; i += 3)
                    text[i] = (char)(i % 2 ? 0xEE : 0xA2);
                for (size_t i = at; i < n; i++)
                    text[i] = stops[(s + i - at) % (sizeof stops - 1)];
                cr_expect_eq(qp_len_before(text, n, ' ', '"', '\\', 0xEF, '"'), at,
                             "%zu %zu %zu", n, at, s);
                cr_expect_eq(qp_len_outside(text, n, set), at, "%zu %zu %zu", n, at, s);
            }
}

Test(rows, first_from)
{
    static const struct {
        uint32_t key, value;
    } rows[] = {{2, 0}, {2, 1}, {5, 2}, {0xFFFFFFFF, 3}};
    static const uint32_t keys[] = {0, 2, 3, 5, 6, 0xFFFFFFFF};
    static const size_t first[] = {0, 0, 2, 2, 3, 3};
    for (size_t i = 0; i < QP_COUNT(keys); i++)
        cr_expect_eq(qp_first_from(rows, QP_COUNT(rows), sizeof *rows, keys[i]), first[i],
                     "row %zu", i);
    cr_expect_eq(qp_first_from(rows, 3, sizeof *rows, 6), 3);
    cr_expect_eq(qp_first_from(NULL, 0, sizeof *rows, 6), 0);
}

Test(codes, table)
{
    cr_expect_str_eq(qp_code_name(QP_D_move_no_piece), "move-no-piece");
    cr_expect_eq(qp_code_severity(QP_D_move_no_piece), QP_ERROR);
    cr_expect_eq(qp_code_severity(QP_D_loss), QP_WARNING);
    cr_expect_str_eq(qp_code_name(QP_CODE_COUNT), "none");
    cr_expect_str_eq(qp_code_help((qp_code)-1), "");
    for (int i = 1; i < QP_CODE_COUNT; i++) {
        cr_expect(strlen(qp_code_summary((qp_code)i)) > 0, "%s", qp_code_name((qp_code)i));
        cr_expect(strlen(qp_code_help((qp_code)i)) > 0, "%s", qp_code_name((qp_code)i));
        for (int k = 1; k < i; k++)
            cr_expect_str_neq(qp_code_name((qp_code)i), qp_code_name((qp_code)k));
    }
}
