/* The fuzz target of records that are skimmed. A program is told the same of a file whether it
 * is read whole, without trees, or with sound games passed over: findings, games, plies; and of
 * heads alone, where moves are played or not: all that is asked for then. Of PGN
 * and DhtmlXQ behind a plain record, which shows what the file is; of any other format from its
 * beginning. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"
#include "gen/gen.h"

enum { RECORDS = 64, MOST_QUIET = 119 };

static const char *const firsts[] = {
    /* In UTF-8, Big5 and GBK. */
    "[Red \"\xE7\x94\xB2\"]\n[Result \"*\"]\n\n1. \xE7\x82\xAE\xE4\xBA\x8C\xE5\xB9\xB3\xE4\xBA\x94"
    " \xE9\xA9\xAC" "8\xE8\xBF\x9B" "7\n*\n\n",
    "[Red \"\xA5\xD2\"]\n[Result \"*\"]\n\n1. \xAC\xB6\xA4\x47\xA5\xAD\xA4\xAD"
    " \xB0\xA8\xA2\xB7\xB6\x69\xA2\xB6\n*\n\n",
    "[Red \"\xBC\xD7\"]\n[Result \"*\"]\n\n1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5"
    " \xC2\xED" "8\xBD\xF8" "7\n*\n\n",
    NULL, /* all that follows is the file */
    /* DhtmlXQ in the same. */
    "[DhtmlXQ]\n[DhtmlXQ_red]\xE7\x94\xB2[/DhtmlXQ_red]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"
    "\n[/DhtmlXQ]\n\n",
    "[DhtmlXQ]\n[DhtmlXQ_red]\xA7\xF5\xA8\xD3\xB8\x73[/DhtmlXQ_red]\n[DhtmlXQ_movelist]7747"
    "[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n\n",
    "[DhtmlXQ]\n[DhtmlXQ_red]\xBA\xFA\xC8\xD9\xBB\xAA[/DhtmlXQ_red]\n[DhtmlXQ_movelist]7747"
    "[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n\n",
};

enum way { WHOLE, SPARE, PASS };

static void tell(const qp_context *context, const qp_buf *bytes, size_t step,
                 const qp_stand *stand, enum way way, qp_buf *out)
{
    size_t at = stand != NULL ? (size_t)stand->byte : 0;
    fuzz_input in = {(const uint8_t *)bytes->data + at, bytes->len - at, 0, step};
    qp_reader_options options = {.from = stand,
                                 .spare_tree = way != WHOLE ? MOST_QUIET : 0,
                                 .spare_loud = way == PASS || (way == SPARE && bytes->len % 2 == 1),
                                 .pass_sound = way == PASS};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    qp_status status = reader != NULL ? QP_OK : QP_END;
    uint64_t games = 0, plies = 0;
    for (int i = 0; (status == QP_OK || status == QP_BAD) && i < RECORDS; i++) {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        qp_skipped skipped = qp_reader_skipped(reader);
        const qp_finding *findings = game != NULL ? qp_check(reader, NULL, NULL, &count)
                                                  : qp_reader_findings(reader, &count);
        fuzz_check_findings(findings, count, bytes->len);
        gen_dump_findings(findings, count, out);
        games += skipped.games + (game != NULL);
        plies += skipped.plies + (game != NULL ? game->plies : 0);
        fuzz_require(game == NULL || game->number == (stand != NULL ? stand->games : 0) + games, "a game's number");
    }
    qp_buf_printf(out, "%llu games, %llu plies\n", (unsigned long long)games,
                  (unsigned long long)plies);
    qp_reader_close(reader);
}

/* few: whether moves are sound, and in what notation, is left out, but for the first game. */
static void tell_heads(const qp_context *context, const qp_buf *bytes, size_t step,
                       const qp_stand *stand, bool heads, bool few, qp_buf *out)
{
    size_t at = stand != NULL ? (size_t)stand->byte : 0;
    fuzz_input in = {(const uint8_t *)bytes->data + at, bytes->len - at, 0, step};
    qp_reader_options options = {.from = stand,
                                 .spare_tree = heads ? UINT32_MAX : 0,
                                 .heads = heads,
                                 .unplayed = heads && few};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    qp_status status = reader != NULL ? QP_OK : QP_END;
    for (int i = 0; (status == QP_OK || status == QP_BAD) && i < RECORDS; i++) {
        const qp_game *game = NULL;
        size_t count;
        qp_stand behind;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        if (game == NULL) {
            gen_dump_findings(findings, count, out);
            continue;
        }
        qp_buf_printf(out, "%u %s %s %s ", game->number, game->format, game->encoding,
                      few && i > 0 ? "" : game->notation);
        if (!few)
            qp_buf_printf(out, "%d %u ", game->legal, game->plies);
        qp_buf_printf(out, "%u %u %u %u %s %d %d", game->line_plies, game->nodes,
                      game->variations, game->comment_places, qp_result_text(game->result),
                      game->result_given, game->start_given);
        for (size_t k = 0; k < game->tag_count; k++)
            qp_buf_printf(out, " [%.*s %.*s]", (int)game->tags[k].name.len,
                          game->tags[k].name.data, (int)game->tags[k].value.len,
                          game->tags[k].value.data);
        if (qp_reader_stand(reader, false, &behind))
            qp_buf_printf(out, " at %llu line %u %d %u", (unsigned long long)behind.byte,
                          behind.line, behind.inside, behind.carried);
        qp_buf_add_char(out, '\n');
    }
    qp_buf_printf(out, "%d\n", (int)status);
    qp_reader_close(reader);
}

static void compare_heads(const qp_context *context, const qp_buf *bytes, size_t size,
                          const qp_stand *stand)
{
    for (unsigned few = 0; few < 2; few++) {
        size_t step = size % 3 == 0 ? 1 + size % 89 : bytes->len;
        qp_buf whole = {0}, heads = {0};
        tell_heads(context, bytes, step, stand, false, few != 0, &whole);
        tell_heads(context, bytes, step, stand, true, few != 0, &heads);
        if (whole.len != heads.len || memcmp(whole.data, heads.data, whole.len) != 0) {
            fuzz_show("read whole", whole.data, whole.len);
            fuzz_show(few ? "unplayed" : "heads", heads.data, heads.len);
            fuzz_require(false, "another reading of heads");
        }
        qp_buf_clear(&whole);
        qp_buf_clear(&heads);
    }
}

/* unchecked: qp_check is not called. */
static void tell_trees(const qp_context *context, const qp_buf *bytes, size_t step,
                       const qp_stand *stand, bool unchecked, qp_buf *out)
{
    size_t at = stand != NULL ? (size_t)stand->byte : 0;
    fuzz_input in = {(const uint8_t *)bytes->data + at, bytes->len - at, 0, step};
    qp_reader_options options = {.from = stand, .no_lint = true, .unchecked = unchecked};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    qp_status status = reader != NULL ? QP_OK : QP_END;
    for (int i = 0; (status == QP_OK || status == QP_BAD) && i < RECORDS; i++) {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        if (game != NULL)
            gen_dump_game(game, GEN_DUMP_ALL, out);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        gen_dump_findings(findings, count, out);
    }
    qp_buf_printf(out, "%d\n", (int)status);
    qp_reader_close(reader);
}

static void compare_trees(const qp_context *context, const qp_buf *bytes, size_t size,
                          const qp_stand *stand)
{
    size_t step = size % 3 == 0 ? 1 + size % 89 : bytes->len;
    qp_buf whole = {0}, fast = {0};
    tell_trees(context, bytes, step, stand, false, &whole);
    tell_trees(context, bytes, step, stand, true, &fast);
    if (whole.len != fast.len || memcmp(whole.data, fast.data, whole.len) != 0) {
        fuzz_show("read whole", whole.data, whole.len);
        fuzz_show("unchecked", fast.data, fast.len);
        fuzz_require(false, "another tree");
    }
    qp_buf_clear(&whole);
    qp_buf_clear(&fast);
}

static void compare(const qp_context *context, const qp_buf *bytes, size_t size,
                    const qp_stand *stand)
{
    qp_buf told[3] = {{0}};
    for (enum way way = WHOLE; way <= PASS; way++) {
        tell(context, bytes, size % 3 == 0 ? 1 + size % 89 : bytes->len, stand, way, &told[way]);
        bool same = told[way].len == told[WHOLE].len &&
                    memcmp(told[way].data, told[WHOLE].data, told[WHOLE].len) == 0;
        if (!same) {
            fuzz_show("read whole", told[WHOLE].data, told[WHOLE].len);
            fuzz_show(way == SPARE ? "without trees" : "passed over", told[way].data,
                      told[way].len);
            fuzz_require(false, "another reading of what is skimmed");
        }
    }
    for (enum way way = WHOLE; way <= PASS; way++)
        qp_buf_clear(&told[way]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static qp_context *context; /* made once: it does not change */
    if (context == NULL)
        context = qp_context_new();
    if (context == NULL || size < 2 || size > 8192) /* fewer than RECORDS are read then */
        return 0;
    qp_buf bytes = {0};
    const char *head = firsts[data[0] % QP_COUNT(firsts)];
    if (head != NULL)
        qp_buf_add_text(&bytes, head);
    qp_buf_add(&bytes, (const char *)data + 1, size - 1);
    qp_stand stand;
    if (head == NULL) {
        compare(context, &bytes, size, NULL);
        compare_heads(context, &bytes, size, NULL);
        compare_trees(context, &bytes, size, NULL);
    } else {
        fuzz_input in = {(const uint8_t *)bytes.data, bytes.len, 0, bytes.len};
        qp_reader *reader = qp_reader_open(context, fuzz_get, &in, NULL);
        const qp_game *game = NULL;
        bool known = reader != NULL && qp_reader_next(reader, &game) == QP_OK &&
                     qp_reader_stand(reader, false, &stand) && !stand.inside;
        qp_reader_close(reader);
        if (known) {
            compare(context, &bytes, size, &stand);
            compare_heads(context, &bytes, size, &stand);
            compare_trees(context, &bytes, size, &stand);
        }
    }
    qp_buf_clear(&bytes);
    return 0;
}
