/* What the fuzz target of every reader does: all that a program can do with a record.
 * Findings are asked for and checked to lie in the file, the game is walked and written, and
 * what JSON says of it is read back as the same game. Without variations all else is the same. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "gen/gen.h"
#include "text/text.h"

#include <stdlib.h>

/* Names, comments, messages: all that a reader lends is whole characters. */
static void require_utf8(const qp_buf *text, const char *what)
{
    size_t used;
    for (size_t i = 0; i < text->len; i += used) {
        size_t left = text->len - i;
        uint32_t c = qp_decode_one(QP_ENC_UTF8, (const unsigned char *)text->data + i, left,
                                   &used);
        bool said = left >= 3 && memcmp(text->data + i, "\xEF\xBF\xBD", 3) == 0;
        if (used == 0 || (c == 0xFFFD && !said)) {
            fuzz_show(what, text->data, text->len);
            fuzz_require(false, "text that is not UTF-8");
        }
    }
}

static void write_as(const qp_context *context, const char *format, const qp_game *game,
                     qp_buf *out)
{
    qp_writer_options options = {.format = format};
    size_t count;
    out->len = 0;
    qp_writer *writer = qp_writer_open(context, fuzz_put, out, &options);
    if (writer == NULL)
        return;
    fuzz_require(qp_writer_put(writer, game) == QP_OK, "a writer that fails");
    qp_writer_findings(writer, &count);
    fuzz_require(qp_writer_close(writer) == QP_OK, "a writer that fails at its end");
}

/* Whether every ply of the tree is sound. One that is not may be understood in JSON, where its
 * text stands alone. */
static bool is_sound(const qp_game *game)
{
    const qp_node *n = game->first;
    while (n != NULL && n->flags == 0)
        n = qp_node_walk(n, NULL);
    return n == NULL;
}

/* JSON holds all that a game holds, from a start position that can be: one with Red's king
 * on Black's side is taken for a board upside down when its FEN is read. */
static void read_back(const qp_context *context, const qp_game *game, const qp_buf *json,
                      qp_buf *before, qp_buf *after)
{
    fuzz_input in = {(const uint8_t *)json->data, json->len, 0, 4096};
    qp_reader_options options = {.format = "json"};
    const qp_game *again = NULL;
    if (json->len == 0 || qp_board_faults(&game->start) != 0)
        return;
    unsigned carries = qp_format_carries(qp_format_find("json"));
    if (!is_sound(game))
        carries &= ~(unsigned)(QP_CARRIES_MOVES | QP_CARRIES_VARIATIONS);
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    fuzz_require(reader != NULL, "json that is not read");
    qp_reader_next(reader, &again);
    fuzz_require(again != NULL, "a game lost in json");
    before->len = after->len = 0;
    gen_dump_game(game, carries, before);
    gen_dump_game(again, carries, after);
    if (before->len != after->len || memcmp(before->data, after->data, after->len) != 0) {
        fuzz_show("game", before->data, before->len);
        fuzz_show("json", json->data, json->len);
        fuzz_show("game again", after->data, after->len);
        fuzz_require(false, "a game changed by json");
    }
    qp_reader_close(reader);
}

/* What stands in the main line, and all findings. */
static void dump_main_line(const qp_game *game, const qp_finding *findings, size_t count,
                           qp_buf *out)
{
    gen_dump_findings(findings, count, out);
    if (game != NULL)
        gen_dump_game(game, GEN_DUMP_ALL & ~(unsigned)QP_CARRIES_VARIATIONS, out);
}

/* A reader that keeps no variations finds and counts the same. */
static void read_main_line(const qp_context *context, const char *format, const uint8_t *data,
                           size_t size, const qp_buf *expected)
{
    fuzz_input in = {data, size, 0, 4096};
    qp_reader_options options = {.format = format, .main_line = true};
    qp_buf got = {0};
    qp_status status;
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    if (reader == NULL)
        return;
    do {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
        dump_main_line(game, findings, count, &got);
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    if (got.len != expected->len ||
        (got.len != 0 && memcmp(got.data, expected->data, got.len) != 0)) {
        fuzz_show("with variations", expected->data ? expected->data : "", expected->len);
        fuzz_show("without", got.data ? got.data : "", got.len);
        fuzz_require(false, "a main line that is another without its variations");
    }
    qp_buf_clear(&got);
}

int fuzz_reader(const char *format, const uint8_t *data, size_t size)
{
    static const char *const targets[] = {"pgn", "txt", "dhtmlxq", "xml", "wxf", "xqf"};
    static qp_context *context; /* made once: it does not change */
    fuzz_input in = {data, size, 0, 1 + size % 997};
    qp_reader_options options = {.format = format};
    qp_buf out = {0}, before = {0}, after = {0}, main_line = {0};
    qp_status status;
    if (context == NULL)
        context = qp_context_new();
    qp_reader *reader = context != NULL ? qp_reader_open(context, fuzz_get, &in, &options) : NULL;
    if (reader == NULL)
        return 0;
    do {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        fuzz_check_findings(findings, count, size);
        findings = qp_check(reader, NULL, NULL, &count);
        fuzz_check_findings(findings, count, size);
        dump_main_line(game, findings, count, &main_line);
        out.len = 0;
        gen_dump_findings(findings, count, &out);
        require_utf8(&out, "findings");
        if (game != NULL) {
            /* Beside JSON one other writer: all of them would make the fuzzer slow. */
            write_as(context, targets[size % QP_COUNT(targets)], game, &out);
            before.len = 0;
            gen_dump_game(game, GEN_DUMP_ALL, &before);
            require_utf8(&before, "game");
            write_as(context, "json", game, &out);
            require_utf8(&out, "json");
            read_back(context, game, &out, &before, &after);
        }
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    read_main_line(context, format, data, size, &main_line);
    qp_buf_clear(&main_line);
    qp_buf_clear(&out);
    qp_buf_clear(&before);
    qp_buf_clear(&after);
    return 0;
}
