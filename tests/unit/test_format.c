/* Reading from text to game, through the public reader. */
#include "config.h"

#include <criterion/criterion.h>

#include "show.h"
#include "table.h"

/* The sound main line as `h2e2 h9g7 …`, "-" for none. */
static void line_of(const qp_game *game, qp_buf *out)
{
    uint32_t plies = 0;
    for (const qp_node *n = game->first; n != NULL && plies < game->plies;
         n = n->next, plies++) {
        char text[5];
        qp_move_text(n->move, text);
        qp_buf_printf(out, "%s%s", plies ? " " : "", text);
    }
    if (plies == 0)
        qp_buf_add_char(out, '-');
}

Test(format, replay)
{
    qp_context *context = qp_context_new();
    table t;
    cr_assert(table_open(&t, "replay.tsv"));
    while (table_next(&t)) {
        qp_buf text = {0}, line = {0}, found = {0};
        const qp_game *game;
        size_t count;
        qp_buf_add_text(&text, "[Game \"Chinese Chess\"]\n");
        if (strcmp(t.field[0], "-") != 0)
            qp_buf_printf(&text, "[FEN \"%s\"]\n", t.field[0]);
        qp_buf_printf(&text, "\n%s\n", t.field[1]);
        memory m = {.data = text.data, .len = text.len};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        cr_assert_not_null(reader);
        qp_status status = qp_reader_next(reader, &game);
        cr_assert(status == QP_OK, "replay.tsv:%d: status %d", t.row, status);
        line_of(game, &line);
        const qp_finding *f = qp_reader_findings(reader, &count);
        for (size_t i = 0; i < count; i++)
            if (f[i].severity != QP_NOTE)
                qp_buf_printf(&found, "%s%u:%s", found.len ? "," : "", f[i].ply,
                              qp_code_name(f[i].code));
        if (found.len == 0)
            qp_buf_add_char(&found, '-');
        qp_buf_add_char(&line, '\0');
        qp_buf_add_char(&found, '\0');
        cr_expect_str_eq(line.data, t.field[2], "replay.tsv:%d: %s: %s", t.row, t.field[1],
                         line.data);
        cr_expect_str_eq(found.data, t.field[3], "replay.tsv:%d: %s: %s", t.row, t.field[1],
                         found.data);
        qp_reader_close(reader);
        qp_buf_clear(&text);
        qp_buf_clear(&line);
        qp_buf_clear(&found);
    }
    qp_context_free(context);
}

/* Lines are numbered in the order of the file, and only those that have a ply: the same game in
 * another format has the same numbers. */
Test(format, numbers_of_variations)
{
    static const struct {
        const char *text, *lines; /* move/number of every ply */
    } rows[] = {
        {"[Game \"Chinese Chess\"]\n\n1. 炮二平五 (1. 兵七进一 (1. 相三进五)) 马8进7 (1... 卒7进1) *\n",
         "h2e2/0 c3c4/1 g0e2/2 h9g7/0 g6g5/3 "},
        {"[Game \"Chinese Chess\"]\n\n(1. 炮二平五) 1. 炮二平五 (1. 兵七进一 马8进7) *\n",
         "h2e2/0 c3c4/1 h9g7/1 "},
        {"<?xml version=\"1.0\"?>\n<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/>"
         "<variation/><variation><comment>a</comment></variation><variation>"
         "<move iccs=\"b2e2\"/></variation></line></game></qipu>\n",
         "h2e2/0 b2e2/1 "},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_1_1]"
         "[/DhtmlXQ_move_0_1_1]\n[DhtmlXQ_move_0_2_2]1022[/DhtmlXQ_move_0_2_2]\n"
         "[/DhtmlXQ]\n",
         "h2e2/0 h9g7/0 b9c7/1 "},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memory m = {.data = rows[i].text, .len = strlen(rows[i].text)};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        const qp_game *game = NULL;
        qp_buf lines = {0};
        qp_reader_next(reader, &game);
        for (const qp_node *n = game ? game->first : NULL; n; n = qp_node_walk(n, NULL)) {
            char move[5];
            qp_move_text(n->move, move);
            qp_buf_printf(&lines, "%s/%u ", move, n->variation);
        }
        qp_buf_add_char(&lines, '\0');
        cr_expect_str_eq(lines.data, rows[i].lines, "row %zu: %s", i, lines.data);
        qp_buf_clear(&lines);
        qp_reader_close(reader);
    }
    qp_context_free(context);
}

/* What a text is taken for, by content alone. */
Test(format, found_by_content)
{
    static const struct {
        const char *text, *format;
    } rows[] = {
        {"[Game \"Chinese Chess\"]\n\n1. 炮二平五 *\n", "pgn"},
        {"[DhtmlXQ_ver \"www\"]\n[Red \"甲\"]\n\n1. 炮二平五 *\n", "pgn"},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n", "dhtmlxq"},
        {"1. 炮二平五 马8进7\n", "txt"},
        {"1. C2.5 H8+7\n2. H2+3 R9.8\n", "wxf"},
        {"1. P3+1 P7+1\n", "wxf"},
        {"1. P2-5 M8.7\n2. M2.3 X9-8\n", "txt"},
        {"1.B7.1 T3.5\n", "txt"},
        {"a1;h2e2,h9g7\n", "iccs"},
        {"position startpos moves h2e2 h9g7\n", "uci"},
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n", "fen"},
        {"{\"line\":[{\"move\":\"h2e2\"}]}\n", "json"},
        {"<?xml version=\"1.0\"?>\n<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/></line>"
         "</game></qipu>\n", "xml"},
        {"<ChineseChessRecord Version=\"1.0\"><Head/><MoveList><Move value=\"77-47\"/>"
         "</MoveList></ChineseChessRecord>\n", "cbf"},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memory m = {.data = rows[i].text, .len = strlen(rows[i].text)};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        const qp_game *game;
        cr_expect_eq(qp_reader_next(reader, &game), QP_OK, "row %zu", i);
        cr_expect(game != NULL && strcmp(game->format, rows[i].format) == 0, "row %zu: %s", i,
                  game ? game->format : "no game");
        qp_reader_close(reader);
    }
    qp_context_free(context);
}

/* Rows of data/pgn.tsv: tags, comments, variations, marks, numbers; PGN and text, written. */
Test(format, pgn)
{
    run_table("pgn.tsv");
}

/* A reader at each place where another stood reads what that one read on; and the place is one
 * that the bytes show. */
Test(format, parts)
{
    static const char text[] =
        "[Event \"One\"]\r\n[Red \"A\"]\r\n\r\n1. C2=5 H8+7 *\r\n\r\n"
        "[Event \"Two\"]\r\n[Red \"\xC2\xED\"]\r\n\r\n1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 *\r\n\r\n"
        "[Event \"Three\"]\r\n[Red \"B\"]\r\n\r\n1. C2=5 C2=5 *\r\n";
    qp_context *context = qp_context_new();
    memory m = {.data = text, .len = sizeof text - 1};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game, *again;
    qp_stand stand, next;
    size_t count, same;
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    for (unsigned i = 2; i <= 3; i++) {
        cr_assert(qp_reader_stand(reader, false, &stand));
        cr_expect_eq(stand.games, i - 1);
        cr_expect_eq(qp_format_cut(stand.format, text, sizeof text - 1, (size_t)stand.byte - 4),
                     stand.byte, "game %u", i);
        cr_expect(qp_reader_past(reader, stand.byte));
        cr_expect_not(qp_reader_past(reader, stand.byte + 1));
        memory rest = {.data = text + stand.byte, .len = sizeof text - 1 - (size_t)stand.byte};
        qp_reader *other = qp_reader_open(context, memory_read, &rest,
                                          &(qp_reader_options){.from = &stand});
        qp_reader_next(reader, &game);
        qp_reader_next(other, &again);
        const qp_finding *f = qp_reader_findings(reader, &count);
        const qp_finding *g = qp_reader_findings(other, &same);
        cr_expect_eq(again->number, i);
        cr_expect_eq(again->plies, game->plies, "game %u", i);
        cr_assert_eq(count, same, "game %u: %zu findings, %zu", i, count, same);
        for (size_t k = 0; k < count; k++)
            cr_expect(f[k].code == g[k].code && f[k].byte == g[k].byte &&
                          f[k].line == g[k].line && f[k].column == g[k].column,
                      "game %u: finding %zu", i, k);
        if (qp_reader_stand(reader, false, &stand) && qp_reader_stand(other, false, &next))
            cr_expect(qp_stand_same(&stand, &next), "game %u", i);
        qp_reader_close(other);
    }
    qp_reader_close(reader);
    qp_context_free(context);
}

/* All that a reader says of a text. */
static void say(const qp_context *context, qp_str text, const char *format, qp_buf *out)
{
    memory m = {.data = text.data, .len = text.len};
    qp_reader *reader = qp_reader_open(context, memory_read, &m,
                                       &(qp_reader_options){.format = format, .name = "a.txt"});
    const qp_game *game;
    qp_status status;
    do {
        size_t count;
        status = qp_reader_next(reader, &game);
        qp_buf_printf(out, "%d", status);
        if (game != NULL)
            qp_buf_printf(out, " %u %s %s %s %u %u %s", game->number, game->format,
                          game->encoding, game->notation, game->plies, game->nodes,
                          game->legal ? "legal" : "");
        for (size_t i = 0; game != NULL && i < game->tag_count; i++)
            qp_buf_printf(out, " %s=%s", game->tags[i].name.data, game->tags[i].value.data);
        const qp_finding *f = qp_reader_findings(reader, &count);
        for (size_t i = 0; i < count; i++)
            qp_buf_printf(out, " %s:%u:%u:%s", qp_code_name(f[i].code), (unsigned)f[i].byte,
                          f[i].line, f[i].message.data);
        qp_buf_add_char(out, '\n');
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    qp_buf_add_char(out, '\0');
}

/* A reader that has read another file reads as one that is new. */
Test(format, one_behind_another)
{
    static const struct {
        const char *text, *format;
    } rows[] = {
        {"[Event \"One\"]\n\n1. C2=5 (1. H2+3 H8+7) H8+7 {good} *\n\n[Event \"Two\"]\n\n1. C2=5", NULL},
        {"\xEF\xBB\xBF[Event \"\xE4\xB8\x80\"]\n\n1. \xE7\x82\xAE\xE4\xBA\x8C\xE5\xB9\xB3\xE4\xBA\x94 *\n",
         NULL},
        {"[Event \"\xD2\xBB\"]\r\n\r\n1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 C2=5 C8=9 \xFF *\r\n", NULL},
        {"a1;h2e2,h9g7\n", NULL},
        {"h3e3 h10g8\n", "iccs"},
        {"h3e3 h10g8\n", NULL},
        {"\xFF\xFE" "1\0.\0 \0C\0" "2\0=\0" "5\0", NULL},
        {"no game at all", NULL},
        {"", NULL},
        {"XQ\n", NULL},
        {"XQ\n", "xqf"},
        {"CCBridge Record", NULL},
        {"{\"line\":[{\"move\":\"h2e2\"}", NULL},
        {"<ChineseChessRecord Version=\"1.0\"><Head/><MoveList><Move value=\"77-47\"/>", NULL},
        {"[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n", NULL},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    qp_buf alone[COUNT] = {{0}};
    qp_str text[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        qp_context *context = qp_context_new();
        bool wide = (unsigned char)rows[i].text[0] == 0xFF;
        text[i] = (qp_str){rows[i].text, wide ? 14 : strlen(rows[i].text)};
        say(context, text[i], rows[i].format, &alone[i]);
        qp_context_free(context);
    }
    for (size_t i = 0; i < COUNT; i++) {
        qp_context *context = qp_context_new();
        for (size_t k = 0; k < COUNT; k++) {
            qp_buf behind = {0};
            say(context, text[i], rows[i].format, &behind);
            cr_expect_str_eq(behind.data, alone[i].data, "row %zu once more", i);
            behind.len = 0;
            say(context, text[k], rows[k].format, &behind);
            cr_expect_str_eq(behind.data, alone[k].data, "row %zu behind row %zu", k, i);
            qp_buf_clear(&behind);
        }
        qp_context_free(context);
    }
    for (size_t i = 0; i < COUNT; i++)
        qp_buf_clear(&alone[i]);
}

/* What a closed reader leaves behind is taken by the next one, and dropped with the lexer. */
Test(format, spare_reader)
{
    static const char dialect[] = "dialect\tspare\nextends\twxf\n";
    qp_context *context = qp_context_new();
    memory m = {.data = "", .len = 0};
    const char *error;
    qp_reader *first = qp_reader_open(context, memory_read, &m, NULL);
    qp_reader_close(first);
    cr_expect_eq(qp_reader_open(context, memory_read, &m, NULL), first);
    qp_reader *second = qp_reader_open(context, memory_read, &m, NULL);
    cr_expect_neq(second, first, "it is in use");
    qp_reader_close(first);
    qp_reader_close(second);
    qp_context_add_dialect(context, QP_STR(dialect), &error);
    cr_expect_null(qp_context_take(context));
    qp_context_free(context);
}

/* Bytes that are no text are told in the record that they stand in, however near the next. */
Test(format, junk_of_each_record)
{
    static const char text[] = "[Event \"a\"]\0\n\n1. C2=5\0 *\n\n[Event \"b\"]\n\n1. C2=5 *\n\n"
                               "[Event \"c\"]\0\0\0\n\n1. C2=5 *\n\x1A";
    static const unsigned bytes[] = {2, 0, 3, 1};
    qp_context *context = qp_context_new();
    memory m = {.data = text, .len = sizeof text - 1};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    const qp_game *game;
    for (size_t i = 0; i < QP_COUNT(bytes); i++) {
        size_t count;
        unsigned told = 0;
        cr_assert_eq(qp_reader_next(reader, &game), i < 3 ? QP_OK : QP_END);
        const qp_finding *f = qp_reader_findings(reader, &count);
        for (size_t k = 0; k < count; k++)
            if (f[k].code == QP_D_encoding_junk)
                told += (unsigned)strtoul(f[k].message.data, NULL, 10);
        cr_expect_eq(told, bytes[i], "record %zu: %u", i, told);
    }
    qp_reader_close(reader);
    qp_context_free(context);
}

/* Moves are kept in their words where these tell nothing of other pieces. */
Test(format, words_are_those_of_the_board)
{
    static const char *const boards[] = {
        "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "4k4/9/9/9/R8/9/9/9/9/R2K5 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "4k4/9/9/9/9/9/9/9/9/r2K5 b - - 0 1",
        "4k4/9/9/9/R8/9/R8/9/9/R2K5 w - - 0 1", "4k4/9/9/9/9/9/9/9/9/C2K5 w - - 0 1",
    };
    static const char *const words[] = {"车九进一", "后车进一", "车九进一",
                                        "车1退1",   "后车进一", "炮九进一"};
    qp_buf text = {0};
    for (size_t i = 0; i < QP_COUNT(boards); i++)
        qp_buf_printf(&text, "{\"start\":\"%s\",\"line\":[{\"move\":\"a0a1\"}]}\n", boards[i]);
    qp_buf_add_char(&text, '\0');
    char *pgn = convert(text.data, "json", "pgn", 0);
    const char *at = pgn;
    for (size_t i = 0; i < QP_COUNT(words); i++) {
        at = strstr(at, "\n1.");
        cr_assert_not_null(at, "game %zu of\n%s", i, pgn);
        at += strlen("\n1");
        at += strspn(at, ". ");
        cr_expect_eq(strncmp(at, words[i], strlen(words[i])), 0, "game %zu: %.20s", i, at);
    }
    free(pgn);
    qp_buf_clear(&text);
}
