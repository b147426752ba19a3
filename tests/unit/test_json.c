#include "config.h"

#include <criterion/criterion.h>

#include "format/json.h"
#include "games.h"
#include "table.h"

static qp_context *context;

static void open_context(void)
{
    context = qp_context_new();
}

static void close_context(void)
{
    qp_context_free(context);
}

TestSuite(json, .init = open_context, .fini = close_context);

/* Whether findings of the last record have this code; *line is set to the place. */
static bool told(qp_reader *reader, qp_code code, uint32_t *line, uint32_t *column)
{
    size_t count;
    const qp_finding *findings = qp_reader_findings(reader, &count);
    for (size_t i = 0; i < count; i++)
        if (findings[i].code == code) {
            if (line != NULL) {
                *line = findings[i].line;
                *column = findings[i].column;
            }
            return true;
        }
    return false;
}

Test(json, random_games_survive)
{
    uint64_t seed = 20240611;
    for (unsigned round = 0; round < 300; round++) {
        qp_arena arena;
        qp_arena_init(&arena);
        qp_game game;
        char why[160] = "";
        random_game(&seed, &arena, &game);
        cr_expect(survives(context, &game, "json", why), "game %u: %s", round, why);
        qp_arena_clear(&arena);
    }
}

/* Each text is a game that comes back as it is, byte for byte. */
Test(json, texts_come_back)
{
    static const struct {
        const char *text;
    } rows[] = {
        {"{\"tags\":{},\"line\":[]}\n"},
        {"{\"tags\":{\"Event\":\"a\\\"b\\\\c\",\"Red\":\"周\"},\"result\":\"*\","
         "\"comment\":\"x\\ny\","
         "\"line\":[{\"move\":\"h2e2\",\"text\":\"炮二平五\"}]}\n"},
        {"{\"tags\":{\"B\":\"2\",\"A\":\"1\"},\"tagList\":[[\"B\",\"2\"],[\"A\",\"1\"],["
         "\"B\",\"3\"]],"
         "\"line\":[]}\n"},
        {"{\"tags\":{},\"comment\":\"one\\n\\ntwo\",\"comments\":[\"one\\n\",\"two\"],"
         "\"line\":["
         "{\"move\":\"h2e2\",\"nags\":[1,146],\"clock\":\"0:01:30\",\"comment\":\"\"}]}"
         "\n"},
        /* what replaces a variation's first ply stands beside it */
        {"{\"tags\":{},\"line\":[{\"move\":\"h2e2\",\"variations\":[[{\"move\":\"b2e2\","
         "\"before\":"
         "\"b\"},{\"move\":\"h9g7\"}],[{\"move\":\"c3c4\"}]]},{\"move\":\"h9g7\"}]}\n"},
        {"{\"tags\":{},\"line\":[{\"move\":\"h2e2\"},{\"move\":\"a9a5\",\"illegal\":true}"
         ","
         "{\"move\":\"a0a1\"},{\"text\":\"xyzzy\",\"rest\":\"xyzzy 1-0\"},"
         "{\"text\":\"foo \\\"bar\\\"\"}]}\n"},
        {"{\"tags\":{},\"start\":\"4k4/9/9/9/9/9/9/9/4p4/3K5 b - - 7 "
         "31\",\"line\":[]}\n"},
        {"{\"tags\":{\"\\u0000\\u001f\":\"\\u0001\"},\"line\":[]}\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        for (size_t step = 0; step < 3; step++) {
            memory m = {.text = qp_str_of(rows[i].text), .step = step};
            qp_reader *reader = memory_reader(context, &m, NULL);
            const qp_game *game;
            qp_buf out = {0};
            qp_reader_next(reader, &game);
            cr_assert_not_null(game, "text %zu", i);
            cr_expect_str_eq(game->format, "json", "text %zu", i);
            write_game(context, game, "json", &out);
            qp_buf_add_char(&out, '\0');
            cr_expect_str_eq(out.data, rows[i].text, "text %zu", i);
            qp_buf_clear(&out);
            qp_reader_close(reader);
        }
    }
}

/* What other hands write: pretty-printed, keys in another order, escapes, an array of
 * games, variations of a variation's first ply, a tag that is no string. */
Test(json, reads_what_others_write)
{
    static const struct {
        const char *text, *same;
    } rows[] = {
        {"[\n  {\n    \"line\": [ {\"text\": \"\\u70ae\\u4e8c\\u5e73\\u4e94\", \"move\": "
         "\"h2e2\"} ],\n    \"tags\": {}\n  }\n]\n",
         "{\"tags\":{},\"line\":[{\"move\":\"h2e2\",\"text\":\"炮二平五\"}]}\n"},
        {"{\"line\":[{\"variations\":[[{\"move\":\"b2e2\",\"variations\":[[{\"move\":"
         "\"c3c4\"}]]}]],"
         "\"move\":\"h2e2\"}]}",
         "{\"tags\":{},\"line\":[{\"move\":\"h2e2\",\"variations\":[[{\"move\":\"b2e2\"}]"
         ","
         "[{\"move\":\"c3c4\"}]]}]}\n"},
        {"{\"tags\":{\"Round\":3},\"line\":null,\"comment\":\"\\ud83d\\udc0e\\/\"}",
         "{\"tags\":{\"Round\":\"3\"},\"comment\":\"\xF0\x9F\x90\x8E/\",\"line\":[]}\n"},
        /* the tree of vschess: what stands in one "next" are alternatives */
        {"{\"fen\":\"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\",\"comment\":\"c\",\"next\":["
         "{\"move\":\"d0d1\",\"comment\":\"\",\"next\":[{\"move\":\"e9e8\",\"next\":[]},"
         "{\"move\":\"e9f9\",\"next\":[{\"move\":\"d1d2\",\"comment\":\"\\u0041\"}]}]},"
         "{\"move\":\"d0d1\"}],\"defaultIndex\":0}",
         "{\"tags\":{},\"start\":\"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\",\"comment\":\"c\","
         "\"line\":[{\"move\":\"d0d1\",\"variations\":[[{\"move\":\"d0d1\"}]]},"
         "{\"move\":\"e9e8\",\"variations\":[[{\"move\":\"e9f9\"},"
         "{\"move\":\"d1d2\",\"comment\":\"A\"}]]}]}\n"},
        {"{\"line\":[\"h2e2\",\"h9g7\"]}",
         "{\"tags\":{},\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}]}\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        memory m = {.text = qp_str_of(rows[i].text), .step = 1};
        qp_reader *reader = memory_reader(context, &m, "json");
        const qp_game *game;
        qp_buf out = {0};
        size_t count;
        cr_expect_eq(qp_reader_next(reader, &game), QP_OK, "row %zu", i);
        cr_assert_not_null(game, "row %zu", i);
        qp_reader_findings(reader, &count);
        cr_expect_eq(count, 0, "row %zu: %zu findings", i, count);
        write_game(context, game, "json", &out);
        qp_buf_add_char(&out, '\0');
        cr_expect_str_eq(out.data, rows[i].same, "row %zu", i);
        cr_expect_eq(qp_reader_next(reader, &game), QP_END, "row %zu", i);
        qp_buf_clear(&out);
        qp_reader_close(reader);
    }
}

/* A JSON text with a blank before each bracket and quote that is not inside a string. */
static void spread(const char *text, qp_buf *out)
{
    bool inside = false;
    for (; *text != '\0'; text++) {
        if (!inside && strchr("{}[]\",:", *text) != NULL)
            qp_buf_add_char(out, ' ');
        if (*text == '"')
            inside = !inside;
        qp_buf_add_char(out, *text);
        if (*text == '\\' && text[1] != '\0')
            qp_buf_add_char(out, *++text);
    }
    qp_buf_add_char(out, '\0');
}

static void expect_same(const char *text)
{
    qp_buf wide = {0}, plain = {0}, whole = {0};
    spread(text, &wide);
    tell_all(context, "json", text, 0, &plain);
    tell_all(context, "json", wide.data, 0, &whole);
    cr_expect_str_eq(plain.data, whole.data, "%s", text);
    for (size_t step = 1; step < 4; step++) {
        plain.len = 0;
        tell_all(context, "json", text, step, &plain);
        cr_expect_str_eq(plain.data, whole.data, "in pieces of %zu: %s", step, text);
    }
    qp_buf_clear(&wide);
    qp_buf_clear(&plain);
    qp_buf_clear(&whole);
}

/* Plies without a blank are taken at once; they are read like those with blanks, and what
 * only looks like one of them is not. */
Test(json, plain_plies_are_like_others)
{
    static const char *const texts[] = {
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\",\"text\":\"\"},{\"move\":\"h0g2\","
        "\"text\":\"\xE9\xA9\xAC\xE4\xBA\x8C\xE8\xBF\x9B\xE4\xB8\x89\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"H9G7\"},{\"move\":\"h0g2\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9j7\"},{\"move\":\"h0g\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h\\u0039g7\"},{\"move\":\"a0a0\"}]}",
        "{\"line\":[{\"move\":\"h2e2\",\"text\":\"a\\\"b\"},{\"move\":\"h9g7\",\"text\":7}]}",
        "{\"line\":[{\"move\":\"h2e2\",\"text\":\"abcdefgh\\\\\",\"nags\":[1]},"
        "{\"move\":\"h9g7\",\"clock\":\"1\"},{\"move\":\"h0g2\",\"move\":\"b0c2\"}]}",
        "{\"line\":[{\"move\":\"h2e2\",\"variations\":[[{\"move\":\"b2e2\"},{\"move\":\"h9g7\","
        "\"variations\":[[{\"move\":\"b9c7\"}],[],[{\"move\":\"c6c5\"}]]}],"
        "{\"move\":\"c3c4\"}]},{\"move\":\"h9g7\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"}],\"line\":[{\"move\":\"b2e2\"}],\"tags\":{}}",
        "{\"tags\":{\"line\":[{\"move\":\"h2e2\"}]},\"line\":[{\"move\":\"b2e2\"}]}",
        "{\"comments\":[{\"move\":\"h2e2\"}],\"line\":[]}",
        "{\"variations\":[[{\"move\":\"h2e2\"}]],\"line\":[{\"move\":\"b2e2\",\"comment\":[[{"
        "\"move\":\"h2e2\"}]]}]}",
        "[\"line\",[{\"move\":\"h2e2\"}]]\n{\"line\":[{\"move\":\"b2e2\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"},]}",
        "{\"line\":[{\"move\":\"h2e2\"}{\"move\":\"h9g7\"}]}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}",
        "{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\",\"text\":\"x",
        "{\"line\":[{\"move\":\"h2e2\",\"text\":\"a\tb\"},{\"move\":\"h9g7\"}]}",
        "{\"line\":[{\"move\":\"h9g7\",\"text\":\"x\"},{\"move\":\"h2e2\",\"text\":\"y\"}]}",
        "{\"next\":[{\"move\":\"h2e2\"}],\"line\":7}",
        "{\"moves\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}]}",
    };
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        expect_same(texts[i]);
    uint64_t seed = 20261130;
    for (unsigned round = 0; round < 30; round++) {
        qp_arena arena;
        qp_arena_init(&arena);
        qp_game game;
        qp_buf json = {0};
        random_game(&seed, &arena, &game);
        write_game(context, &game, "json", &json);
        qp_buf_add_char(&json, '\0');
        expect_same(json.data);
        qp_buf_clear(&json);
        qp_arena_clear(&arena);
    }
}

Test(json, errors_have_places)
{
    static const struct {
        const char *text;
        qp_code code;
        uint32_t line, column;
        unsigned plies; /* kept */
    } rows[] = {
        {"{\"line\":[{\"move\":\"h2e2\"}", QP_D_file_truncated, 1, 25, 1},
        {"{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"} x", QP_D_file_corrupt, 1, 42,
         2},
        {"{\"line\":[{\"move\":\"h2e2\"},]}", QP_D_file_corrupt, 1, 26, 1},
        {"{\"tags\":{\"a\":1,},\"line\":[]}", QP_D_file_corrupt, 1, 16, 0},
        {"{\"tags\":{\"a\":01}}", QP_D_file_corrupt, 1, 14, 0},
        {"{\"tags\":{\"a\":\"\\x\"}}", QP_D_file_corrupt, 1, 16, 0},
        {"{\"tags\":{\"a\":\"\\u12g4\"}}", QP_D_file_corrupt, 1, 19, 0},
        {"{\"tags\":{\"a\":\"one\ntwo\"}}", QP_D_file_corrupt, 1, 18, 0},
        {"{\"tags\":{\"a\":tru}}", QP_D_file_corrupt, 1, 14, 0},
        {"{\"tags\":{a:1}}", QP_D_file_corrupt, 1, 10, 0},
        {"{\"tags\":[],\"line\":[]}", QP_D_file_corrupt, 1, 9, 0},
        {"{\"line\":[{\"move\":\"h2e2\",\"nags\":[1.5]}]}", QP_D_file_corrupt, 1, 33, 1},
        {"{\"line\":[{\"move\":\"h2e2\",\"nags\":[65536]}]}", QP_D_file_corrupt, 1, 33,
         1},
        {"{\"line\":[{\"move\":\"h2e2\",\"variations\":[3]}]}", QP_D_file_corrupt, 1, 39,
         1},
        {"{\"line\":[7]}", QP_D_file_corrupt, 1, 10, 0},
        {"{\"tags\":{},\"result\":\"red\"}", QP_D_file_corrupt, 1, 22, 0},
        {"{\"tags\":{},\"comment\":\"\\ud83d\"}", QP_D_encoding_invalid, 1, 23, 0},
        {"{\"tags\":{},\"colour\":1}", QP_D_loss, 1, 13, 0},
        {"{\"line\":[{\"move\":\"h2e2\",\"eval\":0.3}]}", QP_D_loss, 1, 26, 1},
        {"{\"line\":[{\"move\":\"h2\",\"text\":\"炮二平五\"}]}", QP_D_file_corrupt, 1, 19,
         1},
        {"{\"line\":[{\"comment\":\"x\"}]}", QP_D_file_corrupt, 1, 10, 0},
        {"{\"fen\":\"\",\"next\":[{\"move\":\"h2e2\"}],\"defaultIndex\":1}", QP_D_loss, 1,
         37, 1},
        {"{\"next\":[{\"move\":\"h2e2\",\"next\":[3]}]}", QP_D_file_corrupt, 1, 33, 1},
        {"junk {\"line\":[{\"move\":\"h2e2\"}]}", QP_D_file_corrupt, 1, 1, 1},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        memory m = {.text = qp_str_of(rows[i].text)};
        qp_reader *reader = memory_reader(context, &m, "json");
        const qp_game *game;
        uint32_t line = 0, column = 0;
        qp_reader_next(reader, &game);
        cr_assert_not_null(game, "row %zu", i);
        cr_expect(told(reader, rows[i].code, &line, &column), "row %zu", i);
        cr_expect_eq(line, rows[i].line, "row %zu: line %u", i, line);
        cr_expect_eq(column, rows[i].column, "row %zu: column %u", i, column);
        cr_expect_eq(game->plies, rows[i].plies, "row %zu: %u plies", i, game->plies);
        qp_reader_close(reader);
    }
}

Test(json, a_broken_game_costs_only_itself)
{
    static const char text[] = "{\"line\":[{\"move\":\"h2e2\"}]}\n"
                               "{\"line\":[{\"move\":\"h2e2\"},{\"mo\n"
                               "{\"line\":[{\"move\":\"c3c4\"}]}\n";
    memory m = {.text = qp_str_of(text)};
    qp_reader *reader = memory_reader(context, &m, NULL);
    const qp_game *game;
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(qp_reader_next(reader, &game), QP_BAD);
    cr_expect_eq(game->plies, 1);
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_assert_not_null(game);
    cr_expect_eq(game->first->move, QP_MOVE(QP_SQUARE(2, 3), QP_SQUARE(2, 4)));
    cr_expect_eq(qp_reader_next(reader, &game), QP_END);
    qp_reader_close(reader);
}

/* Objects that are no games are passed over; a file of nothing else holds no game. */
Test(json, other_json_is_no_game)
{
    memory m = {.text =
                    QP_STR("{\"type\":\"info\",\"file\":\"a\"}\n{\"a\":[1,2]}\n[]\n3\n")};
    qp_reader *reader = memory_reader(context, &m, "json");
    const qp_game *game;
    cr_expect_eq(qp_reader_next(reader, &game), QP_END);
    cr_expect(told(reader, QP_D_no_game, NULL, NULL));
    qp_reader_close(reader);
}

Test(json, nesting_costs_no_stack)
{
    enum { DEEP = 200000 };
    static const struct {
        const char *open;
        size_t count;
    } rows[] = {
        {"[", DEEP},
        {"{\"a\":", DEEP},
        {"{\"line\":[{\"move\":\"h2e2\",\"variations\":[[", DEEP / 10},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf text = {0};
        const qp_game *game;
        qp_buf_add_text(&text,
                        "{\"tags\":{},\"line\":[{\"move\":\"h2e2\",\"variations\":");
        for (size_t n = 0; n < rows[i].count; n++)
            qp_buf_add_text(&text, rows[i].open);
        memory m = {.text = {text.data, text.len}};
        qp_reader *reader = memory_reader(context, &m, "json");
        qp_reader_next(reader, &game);
        cr_expect(told(reader, QP_D_file_limit, NULL, NULL) ||
                      told(reader, QP_D_file_truncated, NULL, NULL),
                  "row %zu", i);
        qp_reader_close(reader);
        qp_buf_clear(&text);
    }
}

Test(json, a_long_record_is_refused)
{
    qp_buf text = {0};
    const qp_game *game;
    qp_context_set_limit(context, QP_LIMIT_RECORD, 10000);
    qp_buf_add_text(&text, "{\"tags\":{\"a\":\"");
    for (size_t n = 0; n < 20000; n++)
        qp_buf_add_char(&text, 'x');
    qp_buf_add_text(&text, "\"}}\n{\"line\":[{\"move\":\"h2e2\"}]}\n");
    memory m = {.text = {text.data, text.len}};
    qp_reader *reader = memory_reader(context, &m, "json");
    cr_expect_eq(qp_reader_next(reader, &game), QP_BAD);
    cr_expect(told(reader, QP_D_file_limit, NULL, NULL));
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(game->plies, 1);
    qp_reader_close(reader);
    qp_buf_clear(&text);
}
