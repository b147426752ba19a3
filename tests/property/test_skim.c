/* Records that are skimmed (qp_reader_options.spare_tree) against the same ones read whole:
 * what a program can learn of a game and its findings is the same, but for the tree. Over games
 * from fixed seeds in each notation and encoding, and in formats that hold squares, over their bytes with all kinds of damage,
 * and over shapes made by hand. */
#include "config.h"

#include "property/written.h"
#include "text/inside.h"

enum { MOST_QUIET = 119 };

/* All that is to be the same, a line a record. Returns how many games came without a tree. */
static unsigned show(const qp_context *context, qp_str bytes, const qp_stand *stand,
                     uint32_t spare, bool loud, size_t step, qp_buf *out)
{
    memory m = {.data = bytes.data, .len = bytes.len, .step = step};
    m.at = stand ? (size_t)stand->byte : 0;
    qp_reader_options options = {.from = stand, .spare_tree = spare, .spare_loud = loud};
    qp_check_options checks = {.tendencies = true, .reasons = true};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    unsigned spared = 0;
    qp_status status;
    do {
        status = qp_reader_next(reader, &game);
        const qp_finding *findings;
        const qp_judgement *judgement = NULL;
        size_t count;
        char fen[QP_FEN_MAX];
        if (game != NULL) {
            spared += game->first == NULL && game->line_plies != 0;
            qp_fen_write(&game->final, fen);
            qp_buf_printf(out, "%u %s %s %s ", game->number, game->format, game->encoding,
                          game->notation);
            qp_buf_printf(out, "%u %u %u %u %u ", game->plies, game->line_plies, game->nodes,
                          game->variations, game->comment_places);
            qp_buf_printf(out, "%s %d %d %s %s", fen, game->legal, game->start_given,
                          qp_end_name(game->end), qp_result_text(game->result));
            for (size_t i = 0; i < game->tag_count; i++)
                qp_buf_printf(out, " [%.*s %.*s]", (int)game->tags[i].name.len,
                              game->tags[i].name.data, (int)game->tags[i].value.len,
                              game->tags[i].value.data);
            findings = qp_check(reader, &checks, &judgement, &count);
            qp_buf_printf(out, " %s", qp_verdict_name(judgement->verdict));
        } else {
            findings = qp_reader_findings(reader, &count);
        }
        qp_buf_add_char(out, '\n');
        gen_dump_findings(findings, count, out);
        qp_stand at;
        if (qp_reader_stand(reader, false, &at))
            qp_buf_printf(out, "at %llu line %u%s, %u games, %u\n", (unsigned long long)at.byte,
                          at.line, at.inside ? " inside" : "", at.games, at.carried);
    } while (status == QP_OK || status == QP_BAD);
    qp_buf_printf(out, "%d\n", status);
    qp_reader_close(reader);
    return spared;
}

/* What `qipu check` says: findings, and how many games and plies there are. passes: sound games
 * are passed over, which are returned. */
static uint64_t tell(const qp_context *context, qp_str bytes, const qp_stand *stand, bool passes,
                     size_t step, qp_buf *out)
{
    memory m = {.data = bytes.data, .len = bytes.len, .at = stand ? (size_t)stand->byte : 0,
                .step = step};
    qp_reader_options options = {
        .from = stand, .spare_tree = passes ? MOST_QUIET : 0, .spare_loud = passes,
        .pass_sound = passes};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    uint64_t games = 0, plies = 0, skipped = 0;
    qp_status status;
    do {
        status = qp_reader_next(reader, &game);
        qp_skipped past = qp_reader_skipped(reader);
        size_t count;
        const qp_finding *findings = game != NULL ? qp_check(reader, NULL, NULL, &count)
                                                  : qp_reader_findings(reader, &count);
        gen_dump_findings(findings, count, out);
        games += past.games + (game != NULL);
        plies += past.plies + (game != NULL ? game->plies : 0);
        skipped += past.games;
        cr_expect(game == NULL || game->number == (stand ? stand->games : 0) + games);
    } while (status == QP_OK || status == QP_BAD);
    qp_stand at;
    if (qp_reader_stand(reader, false, &at))
        qp_buf_printf(out, "at %llu line %u, %u games\n", (unsigned long long)at.byte, at.line,
                      at.games);
    qp_buf_printf(out, "%d, %llu games, %llu plies\n", status, (unsigned long long)games,
                  (unsigned long long)plies);
    qp_reader_close(reader);
    return skipped;
}

/* All of the games, trees and texts, and the reader's findings. unchecked: qp_check is not called. */
static void dump(const qp_context *context, qp_str bytes, const qp_stand *stand, bool unchecked,
                 size_t step, qp_buf *out)
{
    memory m = {.data = bytes.data, .len = bytes.len, .at = stand ? (size_t)stand->byte : 0,
                .step = step};
    qp_reader_options options = {.from = stand, .no_lint = true, .unchecked = unchecked};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    qp_status status;
    do {
        size_t count;
        status = qp_reader_next(reader, &game);
        if (game != NULL)
            gen_dump_game(game, GEN_DUMP_ALL, out);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        gen_dump_findings(findings, count, out);
        qp_stand at;
        if (qp_reader_stand(reader, false, &at))
            qp_buf_printf(out, "at %llu line %u%s, %u games, %u\n", (unsigned long long)at.byte,
                          at.line, at.inside ? " inside" : "", at.games, at.carried);
    } while (status == QP_OK || status == QP_BAD);
    qp_buf_printf(out, "%d\n", status);
    qp_reader_close(reader);
}

/* Some of the bytes from an offset on, as ASCII. */
static const char *visible(qp_buf bytes, size_t from, char *text, size_t room)
{
    size_t len = 0;
    for (; from < bytes.len && len + 1 < room; from++)
        text[len++] = bytes.data[from] == '\n' || (bytes.data[from] >= ' ' && bytes.data[from] < 127)
                          ? bytes.data[from]
                          : '~';
    text[len] = '\0';
    return text;
}

static void expect_same(qp_buf whole, qp_buf skimmed, qp_str bytes, const qp_stand *stand)
{
    char want[201], got[201], text[1001];
    size_t at = 0, line = 0;
    if (whole.len == skimmed.len && memcmp(whole.data, skimmed.data, whole.len) == 0)
        return;
    for (; at < whole.len && at < skimmed.len && whole.data[at] == skimmed.data[at]; at++)
        line += whole.data[at] == '\n';
    size_t from = at > 100 ? at - 100 : 0;
    cr_expect(false, "line %zu of what is told, read whole:\n%s\nskimmed:\n%s\nof\n%s", line,
              visible(whole, from, want, sizeof want), visible(skimmed, from, got, sizeof got),
              visible((qp_buf){.data = (char *)bytes.data, .len = bytes.len},
                      stand ? (size_t)stand->byte : 0, text, sizeof text));
}

/* Returns how many games came without a tree, those that repeat as well; *passed, if not NULL:
 * were passed over by the user's wish. */
static unsigned compare(const qp_context *context, qp_str bytes, const qp_stand *stand,
                        size_t step, unsigned *passed)
{
    qp_buf whole = {0}, skimmed = {0};
    cr_expect_eq(show(context, bytes, stand, 0, false, step, &whole), 0);
    show(context, bytes, stand, MOST_QUIET, false, step, &skimmed);
    expect_same(whole, skimmed, bytes, stand);
    skimmed.len = 0;
    unsigned spared = show(context, bytes, stand, MOST_QUIET, true, step, &skimmed);
    expect_same(whole, skimmed, bytes, stand);
    whole.len = skimmed.len = 0;
    cr_expect_eq(tell(context, bytes, stand, false, step, &whole), 0);
    unsigned count = (unsigned)tell(context, bytes, stand, true, step, &skimmed);
    if (passed != NULL)
        *passed = count;
    expect_same(whole, skimmed, bytes, stand);
    whole.len = skimmed.len = 0;
    dump(context, bytes, stand, false, step, &whole);
    dump(context, bytes, stand, true, step, &skimmed);
    expect_same(whole, skimmed, bytes, stand);
    qp_buf_clear(&whole);
    qp_buf_clear(&skimmed);
    return spared;
}

/* Changes bytes behind the first record in one place: some go, and something comes. */
static void damage(gen_random *random, size_t from, qp_buf *bytes)
{
    static const char *const oddities[] = {
        "",      " ",     "\n",    "\r\n",  "\r",   "\n\n",   "\t",     "{x}",   "(",   ")",
        "1. ",   "2. ",   "12. ",  "1-0",   "*",    "0-1\n",  "\"",     "]",     "[",   "\\",
        "[Event \"x\"]\n",         "[Date \"2023.02.30\"]\n", "[FEN \"\"]\n",    "%",   ";",
        "\n\n[Event \"y\"]\n",     "[Result \"0-1\"]\n",      "\x80",   "\xA3",  "\xFE", "h2e2",
        "\xEF\xBB\xBF",            "\xB3\xB5",                "\xE8\xBD\xA6",
        "7747",  "<",     "/>",    "}",     "</line>", "</move>", "<move iccs=\"h2e2\"/>",
        "[DhtmlXQ]", "[DhtmlXQ_comment1]c[/DhtmlXQ_comment1]", "{\"move\":\"h2e2\"},",
    };
    size_t room = bytes->len - from, at = from + gen_below(random, (unsigned)room + 1);
    size_t cut = gen_below(random, 2) ? gen_below(random, 20) : 0;
    cut = cut < bytes->len - at ? cut : bytes->len - at;
    qp_buf made = {0};
    qp_buf_add(&made, bytes->data, at);
    if (gen_below(random, 3) != 0) {
        const char *odd = oddities[gen_below(random, QP_COUNT(oddities))];
        qp_buf_add(&made, odd, strlen(odd));
    } else { /* something that stands elsewhere */
        size_t piece = from + gen_below(random, (unsigned)room);
        size_t len = gen_below(random, 60);
        len = len < bytes->len - piece ? len : bytes->len - piece;
        qp_buf_add(&made, bytes->data + piece, len);
    }
    qp_buf_add(&made, bytes->data + at + cut, bytes->len - at - cut);
    qp_buf_clear(bytes);
    *bytes = made;
}

static const struct {
    const char *notation, *encoding;
} dresses[] = {
    {"chinese", "UTF-8"},          {"chinese", "GB18030"},
    {"chinese-traditional", "BIG5"}, {"chinese-traditional", "UTF-8"}, {"wxf", "UTF-8"},
    {"iccs", "UTF-8"},             {"iccs", "GB18030"},
};

Test(skim, games_are_the_same_whole_or_damaged)
{
    enum { GAMES = 7, DAMAGES = 60 };
    qp_context *context = qp_context_new();
    gen_random random = {7};
    for (size_t i = 0; i < QP_COUNT(dresses); i++) {
        static const gen_options plain = {0};
        qp_buf bytes = {0};
        qp_stand stand;
        write_games(context, "pgn", dresses[i].notation, dresses[i].encoding, &plain, 1, 10 * i + 1,
                    GAMES, &bytes);
        first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
        unsigned passed;
        unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
        cr_expect(spared >= GAMES - 3 && passed >= GAMES - 4, "only %u and %u of %s in %s", spared,
                  passed, dresses[i].notation, dresses[i].encoding);
        qp_buf fresh = {0};
        for (int k = 0; k < DAMAGES; k++) {
            if (k % 6 == 0) { /* one fault, up to six */
                fresh.len = 0;
                qp_buf_add(&fresh, bytes.data, bytes.len);
            }
            damage(&random, (size_t)stand.byte, &fresh);
            compare(context, (qp_str){fresh.data, fresh.len}, &stand, k % 4 == 0 ? 517 : 0,
                    &passed);
        }
        qp_buf_clear(&fresh);
        qp_buf_clear(&bytes);
    }
    qp_context_free(context);
}

/* What is judged is the same, and told at the same places, whether or not the moves are kept as
 * a tree. */
Test(skim, games_that_repeat_are_the_same)
{
    enum { GAMES = 14, DAMAGES = 12 };
    qp_context *context = qp_context_new();
    gen_random random = {13};
    for (size_t i = 0; i < QP_COUNT(dresses); i++) {
        static const gen_options kind = {.max_plies = 40, .returns = 80};
        qp_buf bytes = {0};
        qp_stand stand;
        write_games(context, "pgn", dresses[i].notation, dresses[i].encoding, &kind, 1, 100 * i + 1,
                    GAMES, &bytes);
        first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
        unsigned passed;
        unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
        qp_buf strict = {0};
        unsigned few = show(context, (qp_str){bytes.data, bytes.len}, &stand, MOST_QUIET, false, 0,
                            &strict);
        qp_buf_clear(&strict);
        cr_expect(spared >= GAMES - 3 && passed + 3 <= spared && few + 3 <= spared,
                  "%u, %u and %u of %s in %s", spared, few, passed, dresses[i].notation,
                  dresses[i].encoding);
        for (int k = 0; k < DAMAGES; k++) {
            damage(&random, (size_t)stand.byte, &bytes);
            compare(context, (qp_str){bytes.data, bytes.len}, &stand, k % 4 == 0 ? 517 : 0,
                    &passed);
        }
        qp_buf_clear(&bytes);
    }
    qp_context_free(context);
}

/* The same of formats that hold squares. What stands in a file is damaged as that of another
 * format would be. */
Test(skim, squares_are_the_same_whole_or_damaged)
{
    static const char *const formats[] = {"dhtmlxq", "json", "xml", "iccs", "uci"};
    static const gen_options kinds[] = {{0}, {0}, {.comments = 2}, {.starts = 50}, {.variations = 3}};
    enum { GAMES = 9, DAMAGES = 90 };
    qp_context *context = qp_context_new();
    gen_random random = {9};
    for (size_t i = 0; i < QP_COUNT(formats); i++) {
        qp_buf bytes = {0}, fresh = {0};
        write_games(context, formats[i], NULL, NULL, kinds, QP_COUNT(kinds), 50 * i, GAMES, &bytes);
        unsigned passed;
        unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, NULL, 0, &passed);
        cr_expect(spared >= 2 && (i < 3 || passed >= 2), "only %u and %u in %s", spared, passed,
                  formats[i]);
        qp_stand behind, *stand = NULL;
        if (i == 0) { /* known by its bytes, once it is known what they are */
            stand = &behind;
            first_stand(context, (qp_str){bytes.data, bytes.len}, stand);
            compare(context, (qp_str){bytes.data, bytes.len}, stand, 0, &passed);
            cr_expect_geq(passed, 2, "only %u in %s", passed, formats[i]);
        }
        for (int k = 0; k < DAMAGES; k++) {
            if (k % 5 == 0) {
                fresh.len = 0;
                qp_buf_add(&fresh, bytes.data, bytes.len);
            }
            damage(&random, stand != NULL ? (size_t)stand->byte : 0, &fresh);
            compare(context, (qp_str){fresh.data, fresh.len}, stand, k % 4 == 0 ? 517 : 0, NULL);
        }
        qp_buf_clear(&fresh);
        qp_buf_clear(&bytes);
    }
    qp_context_free(context);
}

/* Results that are checked against the board, and where such a finding stands. */
Test(skim, results_beside_squares)
{
    /* Black mates with the eighth ply. */
#define MATE "77471242798742465948604289887279"
    static const struct {
        const char *text;
        unsigned spared;
    } rows[] = {
        {"[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]", 1},
        {"[DhtmlXQ][DhtmlXQ_result]红胜[/DhtmlXQ_result][DhtmlXQ_movelist]77477062"
         "[/DhtmlXQ_movelist][/DhtmlXQ]", 1},
        {"[DhtmlXQ][DhtmlXQ_result]红胜[/DhtmlXQ_result][DhtmlXQ_x_result]beside"
         "[/DhtmlXQ_x_result][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]", 0},
        {"[DhtmlXQ][DhtmlXQ_movelist]" MATE "[/DhtmlXQ_movelist][/DhtmlXQ]", 0},
        {"[DhtmlXQ][DhtmlXQ_result]红胜[/DhtmlXQ_result][DhtmlXQ_movelist]" MATE
         "[/DhtmlXQ_movelist][/DhtmlXQ]", 1},
        {"{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\",\"text\":\"x\"}]}", 1},
        {"{\"result\":\"1-0\",\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}]}", 0},
        {"{\"comment\":\"c\",\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}]}", 0},
        {"{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\"}],\"start\":\"3k5/9/9/9/9/9/9/9/9/4K4 "
         "w - - 0 1\"}", 0},
        {"<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/><move iccs=\"h9g7\" text=\"x\"/>"
         "</line></game></qipu>", 1},
        {"<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/></line><result>1-0</result></game>"
         "</qipu>", 0},
        {"<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/></line><start>3k5/9/9/9/9/9/9/9/9/"
         "4K4 w - - 0 1</start></game></qipu>", 0},
        {"<qipu version=\"1\"><game><tags><tag name=\"Result\">0-1</tag></tags><result>0-1"
         "</result><line><move iccs=\"h2e2\"/></line></game></qipu>", 1},
    };
#undef MATE
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        unsigned spared = compare(context, qp_str_of(rows[i].text), NULL, 0, NULL);
        cr_expect_eq(spared, rows[i].spared, "row %zu: %u", i, spared);
    }
    qp_context_free(context);
}

#define TAGS "[Game \"Chinese Chess\"]\n[Red \"许银川\"]\n[Result \"1-0\"]\n"
#define BARE "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n"
/* A mate by a cannon over an elephant. */
#define MATE "\n1. 炮二进三 士４进５\n2. 炮二平三 炮２平１\n3. 炮三进四\n"
#define PLAIN TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n1-0\n\n"

Test(skim, shapes)
{
    static const struct {
        const char *text; /* between two plain records */
        unsigned spared;  /* of all three, without a tree */
        unsigned tells;   /* of these, what check has to say something of, or may have */
    } rows[] = {
        {"", 2, 0},
        {PLAIN, 3, 0},
        {TAGS "\n1. 炮二平五 炮８平５ 2. 马二进三 马８进７ 1-0\n\n", 3, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７ 1-0\n\n", 3, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 *\n\n", 3, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 0-1\n\n", 3, 1}, /* result-mismatch */
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三\n\n\n", 3, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三\n\n\n1/2-1/2\n\n", 3, 1},
        {TAGS "1. 炮二平五 炮８平５\n2. 马二进三\n\n", 3, 0},
        {TAGS "\n1. 炮二平五\n炮８平５ 2. 马二进三\n马８进７\n1-0\n\n", 3, 0},
        {TAGS "\n1. 炮二平五  炮８平５ \n2. 马二进三 马８进７ \n1-0\n\n", 3, 0},
        {BARE "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n\n", 3, 0},
        {BARE "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n1-0\n\n", 3, 0},
        {TAGS "[Date \"2023.02.30\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1},
        {TAGS "[Date \"2023.02.28\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 0},
        {TAGS "[Date \"2023年2月28日\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 0},
        {TAGS "[Date \"0203-2023\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1},
        {TAGS "[Round \"菴1謫\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1},
        {TAGS "[Termination \"checkmate\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1},
        {TAGS "[Event \"\x80\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 2, 0}, /* no UTF-8 */
        {BARE "[Result \"*\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1}, /* result-missing */
        {BARE "[Result \"红胜\"]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 1},
        {BARE "[Result \"1/2-1/2\"]\n\n1. 炮二平五 炮８平５\n1/2-1/2\n\n", 3, 0},
        {TAGS "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n"
              "\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 0},
        {TAGS "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\"]\n"
              "\n1. 炮８平５ 炮二平五\n1-0\n\n", 2, 0},
        {TAGS "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 9 1\"]\n"
              "\n1. 炮二平五 炮８平５\n1-0\n\n", 2, 0},
        {TAGS "\n1.炮二平五 炮８平５\n2.马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n2. 炮二平五 炮８平５\n3. 马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n3. 马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进五 马８进７\n1-0\n\n", 2, 0}, /* illegal */
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 {好} 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n{开局} 1. 炮二平五 炮８平５\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n1-0 0-1\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n1-0\n\n谢谢\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n\n2. 马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５\n1-0\n\n1. 马二进三 马８进７\n2. 车一平二\n*\n\n", 2, 0},
        {TAGS "[Bare x]\n\n1. 炮二平五 炮８平５\n1-0\n\n", 2, 0},
        {"[Event \"a \\\" b\"]\n" TAGS "\n1. 炮二平五 炮８平５\n1-0\n\n", 2, 0},
        {"[Event \"a\\\"]\n" TAGS "\n1. 炮二平五 炮８平５\n1-0\n\n", 2, 0},
        {"[Event \"{\"]\n" TAGS "\n1. 炮二平五 炮８平５\n1-0\n\n", 3, 0},
        {TAGS "\n1. 炮二平五 {\n1-0\n\n", 1, 0}, /* the brace may hold what follows */
        {TAGS "\n1. 车一进一 卒１进１\n2. 车一平四 卒９进１\n3. 车四进三 卒３进１\n"
              "4. 车九进一 卒７进１\n5. 车九平四 卒５进１\n6. 前车进一\n\n", 3, 0},
        {TAGS "\n1. 马二进一 马８进９\n2. 马一退二 马９退８\n3. 马二进一 马８进９\n"
              "4. 马一退二 马９退８\n5. 马二进一 马８进９\n*\n\n", 3, 1}, /* repetition */
        {BARE "\n1. 马二进一 马８进９\n2. 马一退二 马９退８\n3. 马二进一 马８进９\n"
              "4. 马一退二 马９退８ 5. 马二进一 马８进９\n6. 炮二平五\n\n", 2, 0}, /* no result */
        {TAGS "\n1. h2e2 h9g7\n2. h0g2\n1-0\n\n", 3, 0},
        /* Words that go on, in front of what is known: by length alone they would be it. */
        {TAGS "\n1. 炮二平五炮８平５\n2. 马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五 炮８平５马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. 炮二平五! 炮８平５\n2. 马二进三 马８进７\n1-0\n\n", 2, 0},
        {TAGS "\n1. h2e2 h9g7\n2. h0g2x i9h9\n1-0\n\n", 2, 0},
        {TAGS "\n1. h2e2 h9g7\n2. h0g i9h9\n1-0\n\n", 2, 0},
        /* Squares among words, and words of other lengths. */
        {TAGS "\n1. h2e2 炮８平５\n2. 马二进三 h9g7\n3. i0h0 车９平８\n1-0\n\n", 3, 0},
        {TAGS "\n1. 炮2平5 炮８平５\n2. 马二进三 马8进7\n3. 车1平2 车9平8\n1-0\n\n", 3, 0},
        /* Two rooks on a file, of which one is named, or not; and one alone again. */
        {TAGS "\n1. 车一进一 卒１进１\n2. 车一平四 卒９进１\n3. 车四进三 卒３进１\n"
              "4. 车九进一 卒７进１\n5. 车九平四 卒５进１\n6. 前车进一 马２进３\n"
              "7. 后车进二 马８进７\n8. 前车平五 士６进５\n9. 车四进一\n1-0\n\n", 3, 0},
        {TAGS "\n1. 车一进一 卒１进１\n2. 车一平四 卒９进１\n3. 车四进三 卒３进１\n"
              "4. 车九进一 卒７进１\n5. 车九平四 卒５进１\n6. 车四平五\n1-0\n\n", 2, 0},
        {TAGS "\n1. H2-E2 H9-G7\n2. H0-G2 1-0\n\n", 3, 0},
        {TAGS "\n1. h3e3 h10g8\n2. h1g3\n1-0\n\n", 2, 0}, /* ranks from 1 */
        {TAGS "\n1. C2=5 H8+7\n2. H2+3\n1-0\n\n", 3, 0},
        {TAGS "\n1. 炮2平5 炮8平5\n2. 马2进3\n1-0\n\n", 3, 0},
        /* Mates, with a tag, with another result, and with nothing to point at. */
        {TAGS MATE "1-0\n\n", 3, 0},
        {TAGS MATE "0-1\n\n", 3, 1},
        {BARE MATE "\n", 2, 0},
        {BARE MATE "*\n\n", 3, 1},
        {BARE MATE "1-0\n\n", 3, 0},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        for (int shape = 0; shape < 3; shape++) {
            qp_buf bytes = {0};
            qp_stand stand;
            qp_buf_add_text(&bytes, PLAIN PLAIN);
            qp_buf_add_text(&bytes, rows[i].text);
            qp_buf_add_text(&bytes, PLAIN);
            if (shape == 1) { /* CR LF */
                qp_buf made = {0};
                for (size_t k = 0; k < bytes.len; k++) {
                    if (bytes.data[k] == '\n')
                        qp_buf_add_char(&made, '\r');
                    qp_buf_add_char(&made, bytes.data[k]);
                }
                qp_buf_clear(&bytes);
                bytes = made;
            }
            for (; shape == 2 && bytes.data[bytes.len - 1] == '\n';)
                bytes.len--; /* no end of the last line */
            first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
            unsigned passed;
            unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
            cr_expect(spared == rows[i].spared && passed == rows[i].spared - rows[i].tells,
                      "row %zu, shape %d: %u games skimmed, not %u; %u passed over", i, shape,
                      spared, rows[i].spared, passed);
            qp_buf_clear(&bytes);
        }
    qp_context_free(context);
}

/* Where words would be, NULs: no word is known by them. */
Test(skim, nothing_where_words_would_be)
{
    static const char *const texts[] = {"\n1. ", "\n1. 炮二平五 ", "\n1. 炮二平五 炮８平５\n2. ",
                                        "\n1. h2e2 ", "\n1. C2=5 "};
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        for (size_t nuls = 1; nuls < 40; nuls += 6) {
            static const char none[40] = {0};
            qp_buf bytes = {0};
            qp_stand stand;
            unsigned passed;
            qp_buf_add_text(&bytes, PLAIN PLAIN TAGS);
            qp_buf_add_text(&bytes, texts[i]);
            qp_buf_add(&bytes, none, nuls);
            qp_buf_add_text(&bytes, "\n1-0\n\n" PLAIN);
            first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
            compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
            cr_expect(passed <= 2, "text %zu, %zu NULs: %u games passed over", i, nuls, passed);
            qp_buf_clear(&bytes);
        }
    qp_context_free(context);
}

#define FIELD(key, value) "[DhtmlXQ_" key "]" value "[/DhtmlXQ_" key "]\n"
#define PLIES FIELD("movelist", "774770627967")
#define BLOCK(fields) "[DhtmlXQ]\n" fields "[/DhtmlXQ]\n\n"
#define PLAIN_BLOCK BLOCK(FIELD("red", "许银川") FIELD("result", "红胜") PLIES)
/* Black mates with the eighth ply. */
#define MATE_PLIES FIELD("movelist", "77471242798742465948604289887279")

/* What keeps a block from being passed over, between others that are, in each encoding. */
Test(skim, blocks)
{
    static const struct {
        const char *text;
        bool passed;
    } rows[] = {
        {PLAIN_BLOCK, true},
        {BLOCK(PLIES), true},
        {BLOCK(FIELD("red", "") PLIES FIELD("black", "甲")), true},
        {BLOCK(FIELD("binit", "89796959493929190977178666462606"
                              "00102030405060708012720323436383") PLIES), true},
        {BLOCK(FIELD("binit", "79896959493929190977178666462606"
                              "00102030405060708012720323436383") PLIES), false},
        {BLOCK(FIELD("fen", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
                            " w - - 0 1") PLIES), true},
        {BLOCK(FIELD("fen", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
                            " b - - 0 1") PLIES), false},
        {BLOCK(FIELD("date", "2023.02.28") PLIES), true},
        {BLOCK(FIELD("date", "2023年2月28日") PLIES), true},
        {BLOCK(FIELD("date", "2023.02.30") PLIES), false},
        {BLOCK(FIELD("date", "2023.02.2&#56;") PLIES), false},
        {BLOCK(FIELD("tag_date", "2023.02.30") PLIES), false},
        {BLOCK(FIELD("result", "未知") PLIES), true},
        {BLOCK(FIELD("result", "") PLIES), true},
        {BLOCK(FIELD("result", "和") PLIES), false},
        {BLOCK(FIELD("result", "红胜") FIELD("result", "黑胜") PLIES), false},
        {BLOCK(FIELD("x_result", "*") PLIES), false},
        {BLOCK(FIELD("endtype", "") PLIES), true},
        {BLOCK(FIELD("endtype", "checkmate") PLIES), false},
        {BLOCK(FIELD("round", "菴1謫") PLIES), false},
        {BLOCK(FIELD("round", "&#33780;1謫") PLIES), false},
        {BLOCK(FIELD("tag_Round", "菴1謫") PLIES), false},
        {BLOCK(FIELD("round", "第1轮") PLIES), true},
        {BLOCK(FIELD("event", "(甲)，乙") PLIES), true},
        {BLOCK(FIELD("event", " 甲") PLIES), false},
        {BLOCK(FIELD("event", "甲\001") PLIES), false}, /* a control character */
        {BLOCK(FIELD("event", "甲\n乙") PLIES), false},
        {BLOCK(FIELD("event", "[甲]") PLIES), false},
        {BLOCK(FIELD("other", "甲") PLIES), true},
        {BLOCK(FIELD("comment1", "甲") PLIES), false},
        {BLOCK(FIELD("move_0_2_1", "7062") PLIES), false},
        {BLOCK(FIELD("movelist", "") PLIES), false},
        {BLOCK(FIELD("movelist", "7747 7062")), false},
        {BLOCK(FIELD("movelist", "77477062796")), false},
        {BLOCK(FIELD("movelist", "7747")), true},
        {BLOCK(FIELD("movelist", "77477061")), false}, /* no such move */
        {BLOCK(FIELD("movelist", "7062")), false}, /* Black moves first */
        {BLOCK(FIELD("movelist", "897870628978") FIELD("red", "甲")), false},
        {BLOCK(FIELD("red", "甲")), false},
        {BLOCK(MATE_PLIES), false},
        {BLOCK(FIELD("result", "黑胜") MATE_PLIES), true},
        {BLOCK(FIELD("result", "红胜") MATE_PLIES), false},
        {"[DhtmlXQ]" FIELD("red", "甲") PLIES "[/DhtmlXQ]\n\n", false},
        {"[DhtmlXQ]\n" FIELD("red", "甲") PLIES "[/DhtmlXQ] \n\n", false},
        {"[DhtmlXQ]\n" FIELD("red", "甲") PLIES "[/DhtmlXQ]\n", false},
        {"[DhtmlXQ]\n" FIELD("red", "甲") PLIES "\n[/DhtmlXQ]\n\n", false},
        {"[DhtmlXQ]\n" PLIES "[DhtmlXQ_red]甲\n[/DhtmlXQ]\n\n", false},
        {"[DhtmlXQ]\n" PLIES "[DhtmlXQ_red]甲[/DhtmlXQ_black]\n[/DhtmlXQ]\n\n", false},
    };
    static const char *const encodings[] = {"UTF-8", "GB18030"};
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < 4 * QP_COUNT(rows); i++) {
        qp_buf text = {0}, bytes = {0};
        qp_stand stand;
        bool crlf = i & 1;
        const char *parts[] = {PLAIN_BLOCK PLAIN_BLOCK, rows[i / 4].text, PLAIN_BLOCK};
        for (size_t k = 0; k < QP_COUNT(parts); k++)
            for (const char *p = parts[k]; *p != '\0'; p++) {
                if (crlf && *p == '\n')
                    qp_buf_add_char(&text, '\r');
                qp_buf_add_char(&text, *p);
            }
        qp_encoder *encoder = qp_encoder_open(encodings[i / 2 % 2]);
        qp_encoder_add(encoder, (qp_str){text.data, text.len}, &bytes, "?", NULL, NULL);
        qp_encoder_close(encoder);
        first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
        unsigned passed;
        compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
        /* One that is read may take the next one with it. */
        cr_expect(rows[i / 4].passed ? passed == 3 : passed == 1 || passed == 2,
                  "row %zu, shape %zu: %u passed over", i / 4, i % 4, passed);
        qp_buf_clear(&bytes);
        qp_buf_clear(&text);
    }
    qp_context_free(context);
}

/* Of games that are passed over nothing stays, however many they are. */
static void expect_forgotten(const char *text)
{
    enum { GAMES = 30000, ROOM = 512 * 1024 };
    qp_context *context = qp_context_new();
    qp_buf bytes = {0};
    for (int i = 0; i < GAMES; i++)
        qp_buf_add_text(&bytes, text);
    memory m = {.data = bytes.data, .len = bytes.len};
    qp_reader_options options = {.spare_tree = MOST_QUIET, .pass_sound = true};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    uint64_t lent = 0, skipped = 0;
    qp_status status;
    while ((status = qp_reader_next(reader, &game)) == QP_OK) {
        lent += game != NULL;
        skipped += qp_reader_skipped(reader).games;
    }
    skipped += qp_reader_skipped(reader).games;
    const struct qp_source_inside *in = qp_reader_source(reader)->inside;
    cr_expect(status == QP_END && lent + skipped == GAMES && skipped > GAMES - 300,
              "%llu lent, %llu passed over", (unsigned long long)lent, (unsigned long long)skipped);
    cr_expect(in->raw_room <= ROOM && in->out_room <= ROOM && in->mark_count < 200,
              "%zu bytes, %zu of text, %zu marks", in->raw_room, in->out_room, in->mark_count);
    qp_reader_close(reader);
    qp_buf_clear(&bytes);
    qp_context_free(context);
}

Test(skim, what_is_passed_over_is_forgotten)
{
    expect_forgotten(PLAIN);
    expect_forgotten(PLAIN_BLOCK);
    expect_forgotten("position startpos moves h2e2 h9g7 h0g2\n");
}

/* Large files, of which some games are skimmed and some are not. */
Test(skim, mixed_archive)
{
    static const gen_options kinds[] = {{0}, {.comments = 3}, {.returns = 70}, {.variations = 5}};
    qp_context *context = qp_context_new();
    qp_buf bytes = {0};
    qp_stand stand;
    for (unsigned i = 0; i < 60; i++)
        write_games(context, "pgn", "chinese", "GB18030", &kinds[i % 4], 1, 1000 + 4 * i,
                    1 + i % 4, &bytes);
    first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
    unsigned passed, spared;
    spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &passed);
    cr_expect(spared > 20 && passed > 20, "only %u and %u", spared, passed);
    compare(context, (qp_str){bytes.data, bytes.len}, &stand, 4099, &passed);
    qp_buf_clear(&bytes);
    qp_context_free(context);
}

/* Binary files, whole and with bytes changed or missing. */
Test(skim, nodes)
{
    static const struct {
        const char *format;
        unsigned games;
    } rows[] = {{"xqf", 1}, {"cbr", 1}, {"cbl", 5}};
    static const gen_options kinds[] = {{0}, {0}, {.comments = 3}, {.variations = 5}};
    enum { FILES = 24, DAMAGES = 20 };
    qp_context *context = qp_context_new();
    gen_random random = {11};
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        unsigned spared = 0, passed = 0;
        for (unsigned k = 0; k < FILES; k++) {
            qp_buf bytes = {0};
            write_games(context, rows[i].format, "iccs", NULL, &kinds[k % 4], 1, 5000 + 8 * k,
                        rows[i].games, &bytes);
            unsigned count;
            spared += compare(context, (qp_str){bytes.data, bytes.len}, NULL, 0, &count);
            passed += count;
            for (unsigned d = 0; d < DAMAGES; d++) {
                size_t at = gen_below(&random, (unsigned)bytes.len);
                unsigned before = (unsigned char)bytes.data[at];
                bytes.data[at] = (char)(d % 2 ? gen_below(&random, 256) : before ^ 1u << d % 8);
                size_t len = d % 7 ? bytes.len : gen_below(&random, (unsigned)bytes.len);
                compare(context, (qp_str){bytes.data, len}, NULL, 0, NULL);
                if (d % 5 == 0) /* one fault, up to five */
                    bytes.data[at] = (char)before;
            }
            qp_buf_clear(&bytes);
        }
        cr_expect(spared >= FILES / 4 * rows[i].games && passed >= FILES / 4 * rows[i].games,
                  "only %u and %u of %s", spared, passed, rows[i].format);
    }
    qp_context_free(context);
}
