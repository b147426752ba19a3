#include "config.h"

#include <criterion/criterion.h>

#include "format/xml.h"
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

TestSuite(xml, .init = open_context, .fini = close_context);

static const qp_finding *told(qp_reader *reader, qp_code code)
{
    size_t count;
    const qp_finding *findings = qp_reader_findings(reader, &count);
    for (size_t i = 0; i < count; i++)
        if (findings[i].code == code)
            return &findings[i];
    return NULL;
}

/* The game's JSON, which says all of it; lent until the next call. */
static const char *as_json(const qp_game *game)
{
    static qp_buf out;
    out.len = 0;
    write_game(context, game, "json", &out);
    qp_buf_add_char(&out, '\0');
    return out.data;
}

Test(xml, random_games_survive)
{
    uint64_t seed = 7;
    for (unsigned round = 0; round < 300; round++) {
        qp_arena arena;
        qp_arena_init(&arena);
        qp_game game;
        char why[160] = "";
        random_game(&seed, &arena, &game);
        cr_expect(survives(context, &game, "xml", why), "game %u: %s", round, why);
        qp_arena_clear(&arena);
    }
}

/* Texts with plies that cannot be, from JSON to XML and back. */
Test(xml, broken_plies_survive)
{
    static const struct {
        const char *text;
    } rows[] = {
        {"{\"tags\":{},\"line\":[{\"move\":\"h2e2\"},{\"move\":\"a9a5\",\"illegal\":true}"
         ","
         "{\"move\":\"a0a1\"},{\"text\":\"xyzzy\",\"rest\":\"xyzzy <1-0>\"},"
         "{\"text\":\"foo \\\"bar\\\"\"}]}\n"},
        {"{\"tags\":{},\"line\":[{\"text\":\"\"}]}\n"},
        {"{\"tags\":{},\"line\":[{\"move\":\"h2e2\",\"text\":\"a\\tb\\nc\","
         "\"variations\":[["
         "{\"text\":\"9999\"}]]}]}\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        memory m = {.text = qp_str_of(rows[i].text)};
        qp_reader *reader = memory_reader(context, &m, "json");
        const qp_game *game;
        char why[160] = "";
        qp_reader_next(reader, &game);
        cr_assert_not_null(game, "text %zu", i);
        cr_expect(survives(context, game, "xml", why), "text %zu: %s", i, why);
        qp_reader_close(reader);
    }
}

Test(xml, control_characters_are_a_loss)
{
    memory m = {.text = QP_STR("{\"tags\":{\"a\":\"x\\u0001y\\uffff\"},\"line\":[]}")};
    qp_reader *reader = memory_reader(context, &m, "json");
    const qp_game *game;
    qp_buf out = {0};
    qp_writer_options options = {.format = "xml"};
    qp_writer *writer = qp_writer_open(context, memory_write, &out, &options);
    size_t count;
    qp_reader_next(reader, &game);
    cr_assert_not_null(game);
    qp_writer_put(writer, game);
    const qp_finding *findings = qp_writer_findings(writer, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(findings[0].code, QP_D_loss);
    qp_writer_close(writer);
    qp_buf_add_char(&out, '\0');
    cr_expect_not_null(strstr(out.data, ">x\xEF\xBF\xBDy\xEF\xBF\xBD<"));
    qp_buf_clear(&out);
    qp_reader_close(reader);
}

/* One record each, given a byte at a time too; what they hold as JSON. */
Test(xml, records)
{
    static const struct {
        const char *format;
        size_t findings;
        const char *text, *json;
    } rows[] = {
        {"xml", 0,
         "<?xml version=\"1.0\" encoding=\"GBK\"?><!-- c --><qipu version='1'>\n<game>"
         "<tags><tag name=\"A&amp;B\"><![CDATA[<x>]]>&#65;</tag></tags><comment/>"
         "<line><move iccs='h2e2' text='&#x70ae;二平五'><nag> 3 "
         "</nag></move></line></game></qipu>",
         "{\"tags\":{\"A&B\":\"<x>A\"},\"comment\":\"\",\"line\":[{\"move\":\"h2e2\","
         "\"text\":"
         "\"炮二平五\",\"nags\":[3]}]}\n"},
        {"cbf", 0,
         "\xEF\xBB\xBF<?xml version=\"1.0\"?><ChineseChessRecord Version=\"1.0\"><Head>"
         "<Name>n</Name><Red>甲&amp;乙</Red><From>f</From><Site "
         "/><RecordResult>2</RecordResult>"
         "</Head><MoveList><Move value=\"00-00\"><![CDATA[c]]></Move>"
         "<Move value=\"77-47\" branch=\"1\" /><Move value=\"70-62\" branch=\"1\" />"
         "<Move value=\"79-67\" end=\"1\">d</Move><Move value=\"63-64\" end=\"1\"/>"
         "<Move value=\"26-25\" end=\"1\"/></MoveList></ChineseChessRecord>",
         /* an alternative belongs to the ply that was owed last: ply 2, then ply 1 */
         "{\"tags\":{\"Title\":\"n\",\"Red\":\"甲&乙\",\"CBF_From\":\"f\"},\"result\":"
         "\"0-1\","
         "\"comment\":\"c\",\"line\":[{\"move\":\"h2e2\",\"variations\":[[{\"move\":"
         "\"c3c4\"}]]},"
         "{\"move\":\"h9g7\",\"variations\":[[{\"move\":\"g6g5\"}]]},{\"move\":\"h0g2\","
         "\"comment\":\"d\"}]}\n"},
        {"pfc", 2,
         "[pfchessrecord]<!-- <?xml version=\"1.0\"?><n version=\"2\" win=\"1-0\" "
         "title=\"t\" "
         "m=\"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\" c=\"s\"><n m=\"e0e1\" c=\"\"><n "
         "m=\"d9d8\"/>"
         "<n m=\"d9e9\" default=\"true\"><n m=\"e1e2\"/></n></n><n m=\"e0f0\" "
         "c=\"a&quot;b\"/></n>"
         " -->[/pfchessrecord]",
         "{\"tags\":{\"Title\":\"t\"},\"start\":\"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\","
         "\"result\":\"1-0\",\"comment\":\"s\",\"line\":[{\"move\":\"e0e1\","
         "\"variations\":[[{\"move\":"
         "\"e0f0\",\"comment\":\"a\\\"b\"}]]},{\"move\":\"d9d8\",\"variations\":[[{"
         "\"move\":\"d9e9\","
         "\"illegal\":true},{\"move\":\"e1e2\",\"illegal\":true}]]}]}\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        for (unsigned named = 0; named < 2; named++)
            for (size_t step = 0; step < 2; step++) {
                memory m = {.text = qp_str_of(rows[i].text), .step = step};
                qp_reader *reader = memory_reader(context, &m, named ? "xml" : NULL);
                const qp_game *game;
                qp_reader_next(reader, &game);
                cr_assert_not_null(game, "row %zu", i);
                size_t count;
                qp_reader_findings(reader, &count);
                cr_expect_eq(count, rows[i].findings, "row %zu: %zu", i, count);
                cr_expect_str_eq(game->format, rows[i].format, "row %zu", i);
                cr_expect_str_eq(as_json(game), rows[i].json, "row %zu", i);
                cr_expect_eq(qp_reader_next(reader, &game), QP_END, "row %zu", i);
                qp_reader_close(reader);
            }
}

/* A game before the damage is kept, and so is what follows the broken one. */
Test(xml, damage_has_a_place)
{
    static const struct {
        const char *text;
        qp_code code;
        uint32_t line;
        unsigned games, plies; /* of the first game */
    } rows[] = {
        {"<qipu version=\"1\">\n<game><line>\n<move iccs=\"h2e2\"/>\n<move iccs=\"h9g7\"",
         QP_D_file_truncated, 4, 1, 1},
        {"<qipu version=\"1\">\n<game><line>\n<move iccs=\"h2e2\"/></lin>\n<move "
         "iccs=\"h9g7\"/>"
         "</line></game>\n<game/></qipu>",
         QP_D_file_corrupt, 3, 2, 1},
        {"<qipu version=\"1\">\n<game><line>\n<move iccs=\"h2e2\"/>\n<move iccs=h9g7/>"
         "</line></game><game/></qipu>",
         QP_D_file_corrupt, 4, 2, 1},
        {"<qipu version=\"1\">\n<game><line>\n<move iccs=\"h2e2\"/>\n<game/></qipu>",
         QP_D_file_corrupt, 4, 2, 1},
        {"<qipu version=\"1\"><game>\n<tags><tag name=\"a\">x &nbsp; y "
         "&zz</tag></tags></game></qipu>",
         QP_D_tag_broken, 2, 1, 0},
        {"<qipu version=\"1\"><game>\n<comment>&#1; &#xD800; "
         "&#x;</comment></game></qipu>",
         QP_D_tag_broken, 2, 1, 0},
        {"<qipu version=\"1\"><game>\n<opening>x</opening></game></qipu>", QP_D_loss, 2,
         1, 0},
        {"<qipu version=\"7\"><game/></qipu>", QP_D_tag_broken, 1, 1, 0},
        {"<!DOCTYPE q [\n<!ENTITY a \"]>\">\n]><qipu version=\"1\"><game/></qipu>",
         QP_D_file_limit, 2, 1, 0},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        memory m = {.text = qp_str_of(rows[i].text)};
        qp_reader *reader = memory_reader(context, &m, "xml");
        const qp_game *game;
        unsigned games = 0;
        while (qp_reader_next(reader, &game) != QP_END && game != NULL) {
            if (games++ != 0)
                continue;
            const qp_finding *finding = told(reader, rows[i].code);
            cr_expect_not_null(finding, "row %zu", i);
            if (finding != NULL)
                cr_expect_eq(finding->line, rows[i].line, "row %zu: line %u", i,
                             finding->line);
            cr_expect_eq(game->plies, rows[i].plies, "row %zu: %u plies", i, game->plies);
        }
        cr_expect_eq(games, rows[i].games, "row %zu: %u games", i, games);
        qp_reader_close(reader);
    }
}

/* The same text with a second blank in each tag of a move, which is then read like any
 * other. */
static void spread(const char *text, qp_buf *out)
{
    static const char move[] = "<move ";
    for (; *text != '\0'; text++) {
        if (strncmp(text, move, sizeof move - 1) == 0) {
            qp_buf_add(out, move, sizeof move - 1);
            text += sizeof move - 2;
        }
        qp_buf_add_char(out, *text);
    }
    qp_buf_add_char(out, '\0');
}

static void expect_same(const char *line)
{
    qp_buf text = {0}, wide = {0}, plain = {0}, whole = {0};
    qp_buf_printf(&text, "<qipu version=\"1\"><game><line>%s</line></game></qipu>", line);
    qp_buf_add_char(&text, '\0');
    spread(text.data, &wide);
    tell_all(context, "xml", wide.data, 0, &whole);
    for (size_t step = 0; step < 4; step++) {
        plain.len = 0;
        tell_all(context, "xml", text.data, step, &plain);
        cr_expect_str_eq(plain.data, whole.data, "in pieces of %zu: %s", step, line);
    }
    qp_buf_clear(&text);
    qp_buf_clear(&wide);
    qp_buf_clear(&plain);
    qp_buf_clear(&whole);
}

/* Moves as programs write them are taken at once; they are read like others, and what only
 * looks like one of them is not. */
Test(xml, plain_moves_are_like_others)
{
    static const char *const lines[] = {
        "<move iccs=\"h2e2\"/><move iccs=\"h9g7\" text=\"\"/>\n\t <move iccs=\"h0g2\" "
        "text=\"\xE9\xA9\xAC\xE4\xBA\x8C\xE8\xBF\x9B\xE4\xB8\x89\"/>",
        "<move iccs=\"h2e2\" text=\"a&amp;b\"/><move iccs=\"h9g7\" text=\"a'b&gt;\"/>",
        "<move iccs=\"h2e2\" text=\"a>b]]>\"/><move iccs=\"h9g7\" text=\"a&foo;b\"/>",
        "<move iccs=\"h2e2\" text=\"\xE7\x82\xAE\xEF\xBC\x92\"/><move iccs=\"H9G7\"/>",
        "<move iccs=\"h2e2\" text=\"\xEF\xBF\xBE\"/><move iccs=\"h9g7\"/>",
        "<move iccs=\"h2e2\" text=\"a\tb\"/><move iccs=\"h9g7\" text=\"a\nb\"/>",
        "<move iccs=\"h2e2\" text=\"a<b\"/><move iccs=\"h9g7\"/>",
        "<move iccs=\"h2e2\"><comment>c</comment></move><move iccs=\"h9g7\"/>",
        "<move iccs=\"h2e2\" illegal=\"true\"/><move iccs=\"h9g7\" text=\"x\" "
        "illegal=\"true\"/>",
        "<move iccs=\"h2j2\"/><move iccs=\"h2h2\"/><move iccs=\"a0a0\" text=\"x\"/>",
        "<move iccs=\"h2e2\">\n<variation><move iccs=\"b2e2\"/><move iccs=\"h9g7\">"
        "<variation><move iccs=\"b9c7\"/></variation></move><move iccs=\"h0g2\"/>"
        "</variation></move><move iccs=\"h9g7\"/>",
        "<comment>a<move iccs=\"h2e2\"/>b</comment><move iccs=\"b2e2\"/>",
        "<other><move iccs=\"h2e2\"/></other><move iccs=\"b2e2\"/>",
        "<move iccs=\"h2e2\"/>text<move iccs=\"h9g7\"/>&#65;<move iccs=\"h0g2\"/>",
        "<move iccs=\"h2e2\"/><!-- <move iccs=\"h9g7\"/> --><move iccs=\"b9c7\"/>",
        "<move iccs=\"h2e2\"/></line></game><move iccs=\"h9g7\"/><game><line>"
        "<move iccs=\"b2e2\"/>",
        "<move iccs=\"h2e2\"/></variation><move iccs=\"h9g7\"/>",
    };
    for (size_t i = 0; i < QP_COUNT(lines); i++)
        expect_same(lines[i]);
}

Test(xml, unknown_references_stay_as_text)
{
    memory m = {
        .text = QP_STR("<qipu version=\"1\"><game><tags><tag name=\"R&amp;D &x; & y\">"
                       "&nbsp;&#0;&lt;</tag></tags></game></qipu>")};
    qp_reader *reader = memory_reader(context, &m, NULL);
    const qp_game *game;
    qp_reader_next(reader, &game);
    cr_assert_not_null(game);
    cr_expect_str_eq(as_json(game),
                     "{\"tags\":{\"R&D &x; & y\":\"&nbsp;&#0;<\"},\"line\":[]}\n");
    qp_reader_close(reader);
}

/* Several documents in one file, of several kinds. */
Test(xml, pasted_documents)
{
    memory m = {.text =
                    QP_STR("<?xml version=\"1.0\"?><qipu version=\"1\"><game/></qipu>\n"
                           "<?xml version=\"1.0\"?>\n<ChineseChessRecord/>junk"
                           "<qipu version=\"1\"><game/><game/></qipu><game/>")};
    qp_reader *reader = memory_reader(context, &m, "xml");
    const qp_game *game;
    unsigned games = 0;
    while (qp_reader_next(reader, &game) == QP_OK)
        games++;
    cr_expect_eq(games, 4);
    qp_reader_close(reader);
}

Test(xml, probe)
{
    static const struct {
        const char *text;
        qp_xml_root root;
    } rows[] = {
        {"<qipu version=\"1\">", QP_XML_GAME},
        {"<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a "
         "\"b\">]>\n<ChineseChessRecord>",
         QP_XML_CBF},
        {"<!-- <ChineseChessRecord> --><x>", QP_XML_NONE},
        {"<n m=\"4k4/9/9/9/9/9/9/9/9/4K4 w\">", QP_XML_PFC},
        {"<n m=\"h2e2\">", QP_XML_NONE},
        {"<game>", QP_XML_NONE},
        {"<PGNGAMES xmlns=\"x\"><game><moves><move from=\"d2\" to=\"d4\"/>", QP_XML_NONE},
        {"text <qipu version=\"1\">", QP_XML_NONE},
        {"", QP_XML_NONE},
        {"<", QP_XML_NONE},
        {"<!--", QP_XML_NONE},
        {"<!DOCTYPE", QP_XML_NONE},
        {"<?", QP_XML_NONE},
        {"<n m", QP_XML_NONE},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(qp_xml_probe(qp_str_of(rows[i].text)), rows[i].root, "row %zu", i);
}

Test(xml, nesting_costs_no_stack)
{
    enum { DEEP = 60000 };
    qp_buf text = {0};
    const qp_game *game;
    qp_buf_add_text(&text, "<n m=\"4k4/9/9/9/9/9/9/9/9/3K5 w\">");
    for (size_t n = 0; n < DEEP; n++)
        qp_buf_add_text(&text, n % 4 == 0   ? "<n m=\"d0d1\">"
                               : n % 4 == 1 ? "<n m=\"e9f9\">"
                               : n % 4 == 2 ? "<n m=\"d1d0\">"
                                            : "<n m=\"f9e9\">");
    for (size_t n = 0; n <= DEEP; n++)
        qp_buf_add_text(&text, "</n>");
    memory m = {.text = {text.data, text.len}};
    qp_reader *reader = memory_reader(context, &m, NULL);
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_assert_not_null(game);
    cr_expect_eq(game->plies, DEEP);
    qp_reader_close(reader);
    qp_buf_clear(&text);
}

Test(xml, a_long_record_is_refused)
{
    qp_buf text = {0};
    const qp_game *game;
    qp_context_set_limit(context, QP_LIMIT_RECORD, 10000);
    qp_buf_add_text(&text, "<qipu version=\"1\"><game><comment>");
    for (size_t n = 0; n < 20000; n++)
        qp_buf_add_char(&text, 'x');
    qp_buf_add_text(
        &text, "</comment></game><game><line><move iccs=\"h2e2\"/></line></game></qipu>");
    memory m = {.text = {text.data, text.len}};
    qp_reader *reader = memory_reader(context, &m, "xml");
    cr_expect_eq(qp_reader_next(reader, &game), QP_BAD);
    cr_expect_not_null(told(reader, QP_D_file_limit));
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_expect_eq(game->plies, 1);
    qp_reader_close(reader);
    qp_buf_clear(&text);
}

/* What would cost the parser the square of its length is refused. */
Test(xml, too_many_attributes_are_refused)
{
    for (unsigned namespaces = 0; namespaces < 2; namespaces++) {
        qp_buf text = {0};
        const qp_game *game;
        qp_buf_add_text(&text, "<qipu version=\"1\"><game><line ");
        for (unsigned n = 0; n < 300; n++)
            qp_buf_printf(&text, namespaces ? "/><line xmlns:a%u=\"b\"" : "a%u=\"b\" ",
                          n);
        qp_buf_add_text(&text, "/></game><game/></qipu>");
        memory m = {.text = {text.data, text.len}};
        qp_reader *reader = memory_reader(context, &m, NULL);
        cr_expect_eq(qp_reader_next(reader, &game), QP_BAD);
        cr_expect_not_null(told(reader, QP_D_file_limit));
        cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
        qp_reader_close(reader);
        qp_buf_clear(&text);
    }
}

/* Comments and instructions are no text, and a fault behind them has its place. */
Test(xml, comments_are_passed_over)
{
    memory m = {
        .text = QP_STR("<qipu version=\"1\"><game><!-- <tag> & --><comment>a<!-- b -->"
                       "<?c d?>e &</comment>\n<line><move/></lin></game></qipu>")};
    qp_reader *reader = memory_reader(context, &m, NULL);
    const qp_game *game;
    cr_expect_eq(qp_reader_next(reader, &game), QP_BAD);
    cr_assert_not_null(game);
    cr_expect(qp_str_is(game->comments->text, "ae &"));
    const qp_finding *finding = told(reader, QP_D_file_corrupt);
    cr_assert_not_null(finding);
    cr_expect_eq(finding->line, 2);
    cr_expect_eq(finding->column, 14);
    cr_expect(qp_str_is(finding->token, "</lin>"));
    qp_reader_close(reader);
}

/* The first move decides the side, whatever the position says. */
Test(xml, the_first_move_says_who_moves)
{
    memory m = {
        .text = QP_STR("<n m=\"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\"><n m=\"d9d8\"/></n>")};
    qp_reader *reader = memory_reader(context, &m, NULL);
    const qp_game *game;
    cr_expect_eq(qp_reader_next(reader, &game), QP_OK);
    cr_assert_not_null(game);
    cr_expect_eq(game->start.side, QP_BLACK);
    cr_expect(game->legal);
    cr_expect_not_null(told(reader, QP_D_fen_style));
    qp_reader_close(reader);
}
