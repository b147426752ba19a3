/* What the fuzz target of every reader does: all that a program can do with a record.
 * Findings are asked for and checked to lie in the file, the game is walked and written, and
 * what JSON says of it is read back as the same game. A reader that need not keep everything
 * tells the same of it. */
#include "config.h"

#include "format/format.h"
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

/* What was read, record by record: all that is told of them, and their main lines. */
enum { RECORDS_MAX = 256, MOST_QUIET = 119 };
typedef struct whole {
    qp_buf told, lines, found; /* found: the findings of all records */
    size_t told_end[RECORDS_MAX], line_end[RECORDS_MAX], count;
    uint64_t games, plies;
} whole;

static void add_record(whole *w, const qp_game *game, const qp_finding *findings, size_t count)
{
    const unsigned beside = GEN_DUMP_ALL & ~(unsigned)(QP_CARRIES_VARIATIONS | QP_CARRIES_MOVES);
    gen_dump_findings(findings, count, &w->found);
    w->games += game != NULL;
    w->plies += game != NULL ? game->plies : 0;
    if (w->count == RECORDS_MAX)
        return;
    gen_dump_findings(findings, count, &w->told);
    if (game != NULL) {
        gen_dump_game(game, beside, &w->told);
        gen_dump_game(game, beside | QP_CARRIES_MOVES, &w->lines);
    }
    w->told_end[w->count] = w->told.len;
    w->line_end[w->count++] = w->lines.len;
}

/* Whether a record's part of two buffers is the same. */
static void require_same(const qp_buf *a, const size_t *a_end, const qp_buf *b,
                         const size_t *b_end, size_t i, const char *what)
{
    size_t a_at = i > 0 ? a_end[i - 1] : 0, b_at = i > 0 ? b_end[i - 1] : 0;
    size_t len = a_end[i] - a_at;
    if (len == b_end[i] - b_at &&
        (len == 0 || memcmp(a->data + a_at, b->data + b_at, len) == 0))
        return;
    fuzz_show("kept", a->data != NULL ? a->data + a_at : "", len);
    fuzz_show("not kept", b->data != NULL ? b->data + b_at : "", b_end[i] - b_at);
    fuzz_require(false, what);
}

/* A reader that is told to keep as little as it may finds, counts and understands the same. */
static void read_lean(const qp_context *context, const char *format, const uint8_t *data,
                      size_t size, const whole *kept)
{
    static whole lean; /* large */
    fuzz_input in = {data, size, 0, 4096};
    qp_reader_options options = {
        .format = format, .main_line = true, .no_lint = true, .spare_tree = MOST_QUIET};
    qp_status status;
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    if (reader == NULL)
        return;
    qp_reader_record(reader)->slice = 2 + size % 69; /* as if records were long */
    lean.count = lean.told.len = lean.lines.len = 0;
    do {
        const qp_game *game = NULL;
        size_t count, i = lean.count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
        add_record(&lean, game, findings, count);
        if (i == lean.count)
            break;
        fuzz_require(i < kept->count, "a record that is there when nothing is kept");
        require_same(&kept->told, kept->told_end, &lean.told, lean.told_end, i,
                     "what is told of a record that is not kept");
        if (game == NULL || game->first != NULL || game->line_plies == 0)
            require_same(&kept->lines, kept->line_end, &lean.lines, lean.line_end, i,
                         "the main line of a record that is not kept");
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    fuzz_require(lean.count == kept->count, "a record that is lost when nothing is kept");
    qp_buf_clear(&lean.found);
    qp_buf_clear(&lean.told);
    qp_buf_clear(&lean.lines);
}

/* A reader that passes over games of which there is nothing to say finds the same, and counts
 * them all. */
static void read_passing(const qp_context *context, const char *format, const uint8_t *data,
                         size_t size, const whole *kept)
{
    fuzz_input in = {data, size, 0, 1 + size % 4096};
    qp_reader_options options = {.format = format,
                                 .main_line = true,
                                 .no_lint = true,
                                 .spare_tree = MOST_QUIET,
                                 .spare_loud = true,
                                 .pass_sound = true};
    qp_buf found = {0};
    uint64_t games = 0, plies = 0;
    qp_status status;
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    if (reader == NULL)
        return;
    do {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        qp_skipped past = qp_reader_skipped(reader);
        const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
        gen_dump_findings(findings, count, &found);
        games += past.games + (game != NULL);
        plies += past.plies + (game != NULL ? game->plies : 0);
        fuzz_require(game == NULL || game->number == games, "a game of another number");
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(reader);
    size_t end = found.len;
    require_same(&kept->found, &kept->found.len, &found, &end, 0,
                 "findings that are others where games are passed over");
    fuzz_require(games == kept->games && plies == kept->plies, "games that are not counted");
    qp_buf_clear(&found);
}

int fuzz_reader(const char *format, const uint8_t *data, size_t size)
{
    static const char *const targets[] = {"pgn", "txt", "dhtmlxq", "xml", "wxf", "xqf"};
    static qp_context *context; /* made once: it does not change */
    fuzz_input in = {data, size, 0, 1 + size % 997};
    qp_reader_options options = {.format = format};
    static whole kept; /* large */
    qp_buf out = {0}, before = {0}, after = {0};
    qp_status status;
    if (context == NULL)
        context = qp_context_new();
    qp_reader *reader = context != NULL ? qp_reader_open(context, fuzz_get, &in, &options) : NULL;
    if (reader == NULL)
        return 0;
    kept.count = 0;
    kept.games = kept.plies = 0;
    do {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        fuzz_check_findings(findings, count, size);
        findings = qp_check(reader, NULL, NULL, &count);
        fuzz_check_findings(findings, count, size);
        add_record(&kept, game, findings, count);
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
    if (size % 2 != 0)
        read_lean(context, format, data, size, &kept);
    else
        read_passing(context, format, data, size, &kept);
    qp_buf_clear(&kept.found);
    qp_buf_clear(&kept.told);
    qp_buf_clear(&kept.lines);
    qp_buf_clear(&out);
    qp_buf_clear(&before);
    qp_buf_clear(&after);
    return 0;
}
