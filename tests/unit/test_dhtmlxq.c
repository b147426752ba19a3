#include "config.h"

#include <criterion/criterion.h>

#include "format/dhtmlxq.h"
#include "show.h"
#include "table.h"

/* Rows of data/dhtmlxq.tsv: a text and what is read, or written, from it. */
Test(dhtmlxq, table)
{
    run_table("dhtmlxq.tsv");
}

/* The same whatever the size of the pieces in which the text comes. */
Test(dhtmlxq, pieces)
{
    static const char text[] =
        "some text "
        "[DhtmlXQ]\n[DhtmlXQ_title]\xE7\x94\xB2&amp;\xE4\xB9\x99[/DhtmlXQ_title]\n"
        "[DhtmlXQ_movelist]7747\n7062[/DhtmlXQ_movelist]\n"
        "[DhtmlXQ_move_0_2_1]1022[/DhtmlXQ_move_0_2_1]\n"
        "[DhtmlXQ_comment1_2]x||y[/DhtmlXQ_comment1_2][/DhtmlXQ]\n"
        "and more\n[DhtmlXQ][DhtmlXQ_movelist]7967[/DhtmlXQ_movelist][/DhtmlXQ]\n";
    char *whole = convert(text, NULL, NULL, 0);
    cr_expect_str_eq(whole, "Title=\xE7\x94\xB2&\xE4\xB9\x99; h2e2 h9g7 ( b9c7 {x\ny} )\n"
                            " h0g2\n");
    for (size_t step = 1; step < 9; step++) {
        char *parts = convert(text, NULL, NULL, step);
        cr_expect_str_eq(parts, whole, "in pieces of %zu: %s", step, parts);
        free(parts);
    }
    free(whole);
}

/* Each key is known in either case, and none that only looks like one. */
Test(dhtmlxq, keys)
{
    static const struct {
        const char *key, *tag;
    } rows[] = {
#define ROW(key, tag) {#key, tag},
        QP_DX_KEYS(ROW)
#undef ROW
    };
    for (unsigned i = 0; i < QP_COUNT(rows); i++) {
        char text[2 * QP_DX_KEY_MAX + 1] = "";
        size_t len = strlen(rows[i].key), found;
        memcpy(text, rows[i].key, len);
        cr_expect_eq(qp_dhtmlxq_known((qp_str){text, len}), i + 1, "%s", text);
        cr_expect_eq(qp_dhtmlxq_known((qp_str){text, len - 1}) == i + 1, false, "%s", text);
        text[len] = ']';
        cr_expect(qp_dhtmlxq_stands(text, (qp_dx_key)(i + 1), &found), "%s", text);
        cr_expect_eq(found, len);
        text[len] = 's';
        cr_expect_not(qp_dhtmlxq_stands(text, (qp_dx_key)(i + 1), &found), "%s", text);
        cr_expect_eq(qp_dhtmlxq_known((qp_str){text, len + 1}), QP_DX_KEY_OTHER, "%s", text);
        text[len / 2] = (char)(text[len / 2] == '_' ? '_' : text[len / 2] - 32);
        cr_expect_eq(qp_dhtmlxq_known((qp_str){text, len}), i + 1, "%s", text);
        text[len] = ']';
        cr_expect_eq(qp_dhtmlxq_stands(text, (qp_dx_key)(i + 1), &found),
                     text[len / 2] == '_', "%s", text);
        if (*rows[i].tag != '\0')
            cr_expect_str_eq(qp_dhtmlxq_key(qp_str_of(rows[i].tag)), rows[i].key);
    }
}

/* A long page before the block is passed over without being kept. */
Test(dhtmlxq, block_after_a_long_page)
{
    qp_buf page = {0};
    qp_buf_add_text(&page, "\n<html>");
    for (int i = 0; i < 30000; i++)
        qp_buf_add_text(&page, "<p>[no record] here</p>\n");
    qp_buf_add_text(&page,
                    "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]");
    qp_buf_add_char(&page, '\0');
    char *shown = convert(page.data, NULL, NULL, 0);
    cr_expect_str_eq(shown, " h2e2\n");
    free(shown);
    qp_buf_clear(&page);
}

/* What players have no place for, and text full of what looks like marks and escapes. */
Test(dhtmlxq, nothing_is_lost)
{
    static const char *const games[] = {
        "{\"tags\":{\"Event\":\"[a] & &amp; <br> _u003f \\\\u0041\",\"A b\":\" x\\n\","
        "\"DhtmlXQ_title\":\"t\",\"DhtmlXQ_hits\":\"\"},\"comment\":\"|\\n||| %u4e2d\","
        "\"line\":[{\"move\":\"h2e2\",\"comments\":[\"\",\"a\\nb\",\"\"],\"nags\":[1,14]}"
        ","
        "{\"move\":\"h9g7\",\"clock\":\"0:01\",\"variations\":[[{\"move\":\"b9c7\","
        "\"befores\":[\"x\",\"y\"],\"comment\":\"\"}],[{\"move\":\"h9g9\",\"illegal\":"
        "true}]]}]}\n",
        "{\"tags\":{\"Result\":\"1-0\"},\"result\":\"0-1\"}\n",
        "{\"tags\":{\"Result\":\"\xE7\xBA\xA2\xE8\x83\x9C\"},\"result\":\"1-0\"}\n",
        "{\"tags\":{\"Result\":\"1/2-1/2\"},\"result\":\"1/2-1/2\"}\n",
        "{\"tags\":{},\"result\":\"*\"}\n",
        "{\"tags\":{},\"start\":\"3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 7\"}\n",
        "{\"tags\":{},\"start\":\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
        "RNBAKABNR "
        "w - - 0 1\",\"line\":[{\"move\":\"h2e2\"}]}\n",
        "{\"tags\":{},\"start\":\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
        "RNBAKABNR "
        "b - - 0 1\",\"line\":[{\"move\":\"h2e2\",\"illegal\":true}]}\n",
    };
    for (size_t i = 0; i < QP_COUNT(games); i++) {
        char *json = convert(games[i], "json", "json", 0);
        char *block = convert(json, "json", "dhtmlxq", 0);
        char *again = convert(block, "dhtmlxq", "json", 0);
        cr_expect(strstr(json, "tags") != NULL, "game %zu was not read", i);
        cr_expect_str_eq(again, json, "game %zu: %s\nis not %s\n%s", i, again, json,
                         block);
        free(json);
        free(block);
        free(again);
    }
}

/* Of two fields of one name the last counts that says something, also among thousands that a
 * table would put in one place. */
Test(dhtmlxq, fields_of_one_place)
{
    enum { FIELDS = 3000, PLACES = 8192 };
    qp_buf text = {0};
    qp_buf_add_text(&text, "[DhtmlXQ]\n[DhtmlXQ_z]first[/DhtmlXQ_z]\n");
    for (unsigned i = 0, fields = 0; fields < FIELDS; i++) {
        char key[16];
        uint32_t hash = 0;
        snprintf(key, sizeof key, "y%u", i);
        for (const char *p = key; *p != '\0'; p++)
            hash = (hash ^ (unsigned char)*p) * UINT32_C(0x01000193);
        if (((hash ^ hash >> 15) & (PLACES - 1)) != 0)
            continue;
        qp_buf_printf(&text, "[DhtmlXQ_%s]a[/DhtmlXQ_%s]\n", key, key);
        fields++;
    }
    qp_buf_add_text(&text, "[DhtmlXQ_Z]last[/DhtmlXQ_Z]\n[DhtmlXQ_z][/DhtmlXQ_z]\n[/DhtmlXQ]\n");
    qp_buf_add_char(&text, '\0');
    char *json = convert(text.data, "dhtmlxq", "json", 0);
    cr_expect(strstr(json, "first") == NULL && strstr(json, "last") != NULL, "%.300s", json);
    unsigned values = 0;
    for (const char *p = json; (p = strstr(p, ":\"a\"")) != NULL; p++)
        values++;
    cr_expect_eq(values, FIELDS, "%u fields", values);
    free(json);
    qp_buf_clear(&text);
}

static void add_line(qp_buf *text, unsigned parent, unsigned ply, unsigned id,
                     const char *moves)
{
    qp_buf_printf(text, "[DhtmlXQ_move_%u_%u_%u]%s[/DhtmlXQ_move_%u_%u_%u]\n", parent,
                  ply, id, moves, parent, ply, id);
}

/* Lines in one another, children before parents: every one is attached. */
Test(dhtmlxq, deep_and_backwards)
{
    enum { DEPTH = 3000 };
    static const char *const moves[2] = {"1022", "7967"};
    qp_buf text = {0};
    qp_buf_add_text(&text, "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n");
    for (unsigned i = DEPTH; i > 0; i--) {
        char two[9];
        snprintf(two, sizeof two, "%s%s", moves[(i + 1) % 2], moves[i % 2]);
        add_line(&text, i - 1, i + 1, i, two);
    }
    qp_buf_add_text(&text, "[/DhtmlXQ]");
    qp_buf_add_char(&text, '\0');
    qp_context *context = qp_context_new();
    memory m = {.data = text.data, .len = text.len - 1};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game;
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(game->variations, DEPTH);
    cr_expect_eq(game->nodes, 2 * DEPTH + 2);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_clear(&text);
}

/* Lines that only name one another do no harm and are kept as text. */
Test(dhtmlxq, circles)
{
    qp_buf text = {0};
    qp_buf_add_text(&text, "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]");
    add_line(&text, 2, 2, 1, "7062");
    add_line(&text, 1, 2, 2, "1022");
    add_line(&text, 3, 2, 3, "1022");
    qp_buf_add_char(&text, '\0');
    char *shown = convert(text.data, NULL, NULL, 0);
    cr_expect_str_eq(shown,
                     " h2e2 {move_2_2_1: 7062} {move_1_2_2: 1022} {move_3_2_3: 1022}"
                     " #variation-unbalanced/dhtmlxq-parent-missing@0\n");
    free(shown);
    qp_buf_clear(&text);
}

/* A record past the limit is reported; the next one is read. */
Test(dhtmlxq, limit)
{
    qp_buf text = {0};
    qp_buf_add_text(&text, "[DhtmlXQ][DhtmlXQ_title]a[/DhtmlXQ_title][DhtmlXQ_remark]");
    for (int i = 0; i < 1000; i++)
        qp_buf_add_text(&text, "[x]");
    qp_buf_add_text(&text, "[/DhtmlXQ_remark][DhtmlXQ_red]r[/DhtmlXQ_red][/DhtmlXQ]\n"
                           "[DhtmlXQ][DhtmlXQ_title]b[/DhtmlXQ_title][/DhtmlXQ]");
    qp_context *context = qp_context_new();
    qp_context_set_limit(context, QP_LIMIT_RECORD, 1000);
    memory m = {.data = text.data, .len = text.len};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game;
    size_t count;
    cr_assert_eq(qp_reader_next(reader, &game), QP_BAD);
    const qp_finding *findings = qp_reader_findings(reader, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(findings[0].code, QP_D_file_limit);
    cr_expect(qp_str_is(qp_game_tag(game, "Title"), "a"));
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect(qp_str_is(qp_game_tag(game, "Title"), "b"));
    cr_expect_eq(qp_reader_next(reader, &game), QP_END);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_clear(&text);
}

static char *load(const char *path)
{
    const char *root = getenv("QIPU_SHARED");
    FILE *file = root && *root ? table_file(root, path) : NULL;
    if (file == NULL)
        return NULL;
    qp_buf text = {0};
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        qp_buf_add(&text, block, n);
    qp_buf_add_char(&text, '\0');
    fclose(file);
    return text.data;
}

/* A large tree of the optional material: all of it, and the same again when written. */
Test(dhtmlxq, large_tree)
{
    char *text = load("corpora/text/ubb/dhtmlxq.txt");
    if (text == NULL)
        cr_skip_test("no QIPU_SHARED");
    qp_context *context = qp_context_new();
    memory m = {.data = text, .len = strlen(text)};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game;
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(game->plies, 53);
    cr_expect_eq(game->nodes, 107001);
    cr_expect_eq(game->variations, 1446);
    cr_expect_eq(game->comment_places, 314);
    qp_reader_close(reader);
    qp_context_free(context);
    char *before = convert(text, NULL, NULL, 0);
    char *written = convert(text, NULL, "dhtmlxq", 0);
    char *after = convert(written, NULL, NULL, 0);
    cr_expect(strcmp(before, after) == 0);
    free(before);
    free(written);
    free(after);
    free(text);
}
