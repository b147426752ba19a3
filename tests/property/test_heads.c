/* Games of which nothing but the heads is asked for (qp_reader_options.heads) against the same
 * ones read whole: what a program can learn of them is the same, and, where it is not asked whether
 * they are sound (unplayed), all but that. Over games from fixed seeds in
 * each notation and encoding, over their bytes with all kinds of damage, and over shapes made by
 * hand. */
#include "config.h"

#include "property/written.h"
#include "text/inside.h"

/* WHOLE_FEW: what is left of WHOLE where moves are not played. */
enum way { WHOLE, HEADS, WHOLE_FEW, UNPLAYED };

/* What is told of one game, but for its number. */
static void show_head(const qp_game *game, bool few, bool first, qp_buf *out)
{
    char fen[QP_FEN_MAX];
    qp_fen_write(&game->start, fen);
    qp_buf_printf(out, "%s %s ", game->format, game->encoding);
    if (!few)
        qp_buf_printf(out, "%d %u ", game->legal, game->plies);
    if (!few || first)
        qp_buf_printf(out, "%s ", game->notation);
    qp_buf_printf(out, "%u %u %u %u %s %d ", game->line_plies, game->nodes, game->variations,
                  game->comment_places, fen, game->start_given);
    qp_buf_printf(out, "%s %d", qp_result_text(game->result), game->result_given);
    for (size_t i = 0; i < game->tag_count; i++)
        qp_buf_printf(out, " [%.*s %.*s]", (int)game->tags[i].name.len, game->tags[i].name.data,
                      (int)game->tags[i].value.len, game->tags[i].value.data);
}

/* All that is to be the same, a line a record. Returns how many games came without a tree. */
static unsigned show(const qp_context *context, qp_str bytes, const qp_stand *stand, enum way way,
                     size_t step, qp_buf *out)
{
    memory m = {.data = bytes.data, .len = bytes.len, .at = stand ? (size_t)stand->byte : 0,
                .step = step};
    qp_reader_options options = {
        .from = stand,
        .spare_tree = way == HEADS || way == UNPLAYED ? UINT32_MAX : 0,
        .heads = way == HEADS || way == UNPLAYED,
        .unplayed = way == UNPLAYED,
    };
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    unsigned spared = 0, games = 0;
    qp_status status;
    do {
        status = qp_reader_next(reader, &game);
        size_t count;
        qp_stand at;
        const qp_finding *findings = qp_reader_findings(reader, &count);
        if (game != NULL) {
            spared += game->first == NULL && game->line_plies != 0;
            qp_buf_printf(out, "%u ", game->number);
            show_head(game, way >= WHOLE_FEW, games++ == 0, out);
        } else {
            gen_dump_findings(findings, count, out);
        }
        qp_buf_add_char(out, '\n');
        if (qp_reader_stand(reader, false, &at))
            qp_buf_printf(out, "at %llu line %u%s, %u games, %u, %d\n",
                          (unsigned long long)at.byte, at.line, at.inside ? " inside" : "",
                          at.games, at.carried, qp_reader_past(reader, 1000));
    } while (status == QP_OK || status == QP_BAD);
    qp_buf_printf(out, "%d\n", status);
    qp_reader_close(reader);
    return spared;
}

/* *counted, if not NULL: how many came without a tree where moves are not played. */
static unsigned compare(const qp_context *context, qp_str bytes, const qp_stand *stand,
                        size_t step, unsigned *counted)
{
    unsigned spared[4] = {0};
    qp_buf told[4] = {{0}};
    for (enum way way = WHOLE; way <= UNPLAYED; way++) {
        spared[way] = show(context, bytes, stand, way, step, &told[way]);
        qp_buf_add_char(&told[way], '\0');
    }
    for (enum way way = WHOLE; way <= UNPLAYED; way += 2) {
        cr_expect_eq(spared[way], 0);
        cr_expect_str_eq(told[way + 1].data, told[way].data,
                         "%s\nis not, read whole,\n%s\nof\n%.*s", told[way + 1].data,
                         told[way].data, (int)(bytes.len < 8000 ? bytes.len : 8000), bytes.data);
    }
    for (enum way way = WHOLE; way <= UNPLAYED; way++)
        qp_buf_clear(&told[way]);
    if (counted != NULL)
        *counted = spared[UNPLAYED];
    return spared[HEADS];
}

/* ---- invented games ---- */

/* Puts something into a place behind the first record: mostly what stands elsewhere, so that
 * moves cannot be played, tags are double, and numbers go on wrongly. */
static void damage(gen_random *random, size_t from, qp_buf *bytes)
{
    static const char *const oddities[] = {
        "",     " ",   "\n",  "\r\n", "\t",  "{x}",  "(",    ")",   "1. ", "7. ", "1-0", "*",
        "\"",   "]",   "[",   "\\",   "\x80", "\xA3", "h2e2", "...", "0-1\n", "% ", "\n\n",
        "[Event \"x\"]\n",    "[FEN \"\"]\n", "[Red \"\\\\\"]\n", "\n[Game \"y\"]\n\n",
        "[Result \"\xE7\xBA\xA2\xE8\x83\x9C\"]\n", "\xEF\xBB\xBF", "\xB3\xB5", "\xE8\xBD\xA6",
        "[Black \"\x01\"]\n", "null", "--",
    };
    size_t room = bytes->len - from, at = from + gen_below(random, (unsigned)room + 1);
    size_t cut = gen_below(random, 2) ? gen_below(random, 20) : 0;
    cut = cut < bytes->len - at ? cut : bytes->len - at;
    qp_buf made = {0};
    qp_buf_add(&made, bytes->data, at);
    if (gen_below(random, 2) != 0) {
        qp_buf_add_text(&made, oddities[gen_below(random, QP_COUNT(oddities))]);
    } else {
        size_t piece = from + gen_below(random, (unsigned)room);
        size_t len = gen_below(random, 60);
        qp_buf_add(&made, bytes->data + piece,
                   len < bytes->len - piece ? len : bytes->len - piece);
    }
    qp_buf_add(&made, bytes->data + at + cut, bytes->len - at - cut);
    qp_buf_clear(bytes);
    *bytes = made;
}

/* Swaps two pieces of the same length that stand between blanks: words, mostly. */
static void swap_words(gen_random *random, size_t from, qp_buf *bytes)
{
    size_t at[2], len[2] = {0, 0};
    for (int tries = 0; tries < 200; tries++) {
        for (int i = 0; i < 2; i++) {
            size_t p = from + gen_below(random, (unsigned)(bytes->len - from));
            while (p < bytes->len && bytes->data[p] != ' ')
                p++;
            at[i] = p + 1;
            for (len[i] = 0; at[i] + len[i] < bytes->len &&
                             (unsigned char)bytes->data[at[i] + len[i]] > ' ';)
                len[i]++;
        }
        if (len[0] != 0 && len[0] == len[1] && at[0] != at[1])
            break;
    }
    for (size_t i = 0; len[0] == len[1] && i < len[0]; i++) {
        char c = bytes->data[at[0] + i];
        bytes->data[at[0] + i] = bytes->data[at[1] + i];
        bytes->data[at[1] + i] = c;
    }
}

Test(heads, games_are_the_same_whole_or_damaged)
{
    static const struct {
        const char *notation, *encoding;
    } dresses[] = {
        {"chinese", "UTF-8"},          {"chinese", "GB18030"},
        {"chinese-traditional", "BIG5"}, {"chinese-traditional", "UTF-8"}, {"wxf", "UTF-8"},
        {"iccs", "UTF-8"},             {"iccs", "GB18030"},
    };
    enum { GAMES = 10, DAMAGES = 80 };
    qp_context *context = qp_context_new();
    gen_random random = {11};
    for (size_t i = 0; i < QP_COUNT(dresses); i++) {
        qp_buf bytes = {0}, fresh = {0};
        qp_stand stand;
        static const gen_options kinds[] = {{0}, {0}, {.comments = 3}, {0}, {.variations = 3},
                                            {.starts = 40}};
        write_games(context, "pgn", dresses[i].notation, dresses[i].encoding, kinds,
                    QP_COUNT(kinds), 100 * i + 1, GAMES, &bytes);
        first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
        unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, NULL);
        cr_expect_geq(spared, 4, "only %u of %s in %s", spared, dresses[i].notation,
                      dresses[i].encoding);
        for (int k = 0; k < DAMAGES; k++) {
            if (k % 6 == 0) {
                fresh.len = 0;
                qp_buf_add(&fresh, bytes.data, bytes.len);
            }
            if (k % 2 == 0)
                swap_words(&random, (size_t)stand.byte, &fresh);
            else
                damage(&random, (size_t)stand.byte, &fresh);
            compare(context, (qp_str){fresh.data, fresh.len}, &stand, k % 4 == 0 ? 517 : 0,
                    NULL);
        }
        qp_buf_clear(&fresh);
        qp_buf_clear(&bytes);
    }
    qp_context_free(context);
}

/* More games than are kept at a time, and some between them that are read whole. */
Test(heads, many_games)
{
    enum { GAMES = 2000 };
    qp_context *context = qp_context_new();
    for (int shape = 0; shape < 3; shape++) {
        qp_buf bytes = {0};
        for (unsigned i = 0; i < GAMES; i++) {
            qp_buf_printf(&bytes, "[Game \"Chinese Chess\"]\n[Red \"甲%u\"]\n", i);
            if (shape == 1 && i % 97 == 3) /* more than the usual room for tags */
                for (unsigned k = 0; k < 70; k++)
                    qp_buf_printf(&bytes, "[Tag%c \"%u\"]\n", 'a' + (int)(k % 26), k);
            qp_buf_add_text(&bytes, "\n1. 炮二平五 ");
            qp_buf_add_text(&bytes, shape == 2 && i % 5 == 2 ? "{好} " : "");
            qp_buf_add_text(&bytes, "炮８平５\n1-0\n\n");
        }
        unsigned spared = compare(context, (qp_str){bytes.data, bytes.len}, NULL, 0, NULL);
        cr_expect_geq(spared, shape == 2 ? GAMES / 2 : GAMES - 150, "shape %d: %u", shape, spared);
        qp_buf_clear(&bytes);
    }
    qp_context_free(context);
}

#define TAGS "[Game \"Chinese Chess\"]\n[Red \"许银川\"]\n[Result \"1-0\"]\n"
#define BARE "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n"
#define PLAIN TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n1-0\n\n"
#define MOVES "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n"

Test(heads, shapes)
{
    static const struct {
        const char *text; /* between two plain records */
        unsigned spared;  /* of all three, without a tree, */
        unsigned counted; /* and where moves are not played */
    } rows[] = {
        {PLAIN, 3, 3},
        {TAGS MOVES "*\n\n", 3, 3},
        {BARE MOVES "*\n\n", 3, 3},
        {BARE MOVES "\n", 3, 3},
        {BARE MOVES "1/2-1/2\n\n", 3, 3},
        {TAGS MOVES "0-1\n\n", 3, 3},
        {BARE "[Result \"*\"]\n" MOVES "0-1\n\n", 3, 3},
        {BARE "[Result \"\"]\n" MOVES "0-1\n\n", 3, 3},
        {BARE "[Result \"\"]\n" MOVES "\n\n", 3, 3},
        {BARE "[Result \"红胜\"]\n" MOVES "*\n\n", 3, 3},
        {BARE "[Result \"?\"]\n" MOVES "1-0\n\n", 3, 3},
        {BARE "[result \"0-1\"]\n[Result \"1-0\"]\n" MOVES "\n", 3, 3},
        {BARE "[Date \"2023.02.30\"]\n" MOVES "\n", 3, 3},
        {BARE "[Termination \"x\"]\n" MOVES "\n", 3, 3},
        {BARE "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n"
         MOVES "1-0\n\n", 3, 3},
        {BARE "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\"]\n"
         MOVES "1-0\n\n", 2, 2},
        /* What escapes, or is no plain text: the moves alone are passed over. */
        {BARE "[Event \"a\\\\b\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"a\\b\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"a \\\" b\"]\n" MOVES "\n", 2, 2},
        {BARE "[Event \"a\tb\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"a\x01" "b\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"a\x7F" "b\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"\x80\"]\n" MOVES "\n", 2, 2},
        {BARE "[Event \"\xEF\xBB\xBF\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"\xEF\xBF\xBD\"]\n" MOVES "\n", 3, 3},
        {BARE "[Event \"\xF0\x9F\x80\x80é\"]\n" MOVES "\n", 3, 3},
        {"\x01\x02 what is no record\n\n" PLAIN, 2, 2}, /* something is said of that */
        {"what is no record\n\n" PLAIN, 2, 2},
        /* Repetition is nothing here. */
        {TAGS "\n1. 马二进一 马８进９\n2. 马一退二 马９退８\n3. 马二进一 马８进９\n"
              "4. 马一退二 马９退８\n5. 马二进一 马８进９\n*\n\n", 3, 3},
        /* Moves that cannot be. */
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进五 马８进７\n1-0\n\n", 2, 3},
        {TAGS "\n1. 马二进五 炮８平５\n2. 马二进三 马８进７\n1-0\n\n", 2, 3},
        {TAGS "\n1. h3e3 h10g8\n2. h1g3\n1-0\n\n", 2, 3},
        {TAGS "\n1. h2e2 h9g7\n2. h0g2\n1-0\n\n", 3, 3},
        {TAGS "\n1. C2=5 H8+7\n2. H2+3\n1-0\n\n", 3, 3},
        {TAGS "\n1. C2=5 马8进7\n2. H2+3\n1-0\n\n", 3, 3},
        {TAGS "\n1. C2=5 馬８進７\n2. 兵七進一\n1-0\n\n", 3, 3},
        {TAGS "\n1. 炮二平五 馬８進７\n2. 马二进三 車９平８\n1-0\n\n", 3, 3},
        {TAGS "\n1. 炮二平五 {好} 炮８平５\n1-0\n\n", 2, 2},
        {TAGS "\n1. 炮二平五 炮８平５\n3. 马二进三 马８进７\n1-0\n\n", 2, 2},
        {TAGS "\n1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n2. 车一平二\n1-0\n\n", 2, 2},
        {TAGS "\n1. 炮二平五\n1-0\n\n", 3, 3},
        {TAGS "\n1-0\n\n", 2, 2},
        {TAGS "\n\n", 1, 1},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        for (int shape = 0; shape < 3; shape++) {
            qp_buf text = {0}, bytes = {0};
            qp_stand stand;
            qp_buf_add_text(&text, PLAIN PLAIN);
            qp_buf_add_text(&text, rows[i].text);
            qp_buf_add_text(&text, PLAIN);
            for (size_t k = 0; k < text.len; k++) {
                if (text.data[k] == '\n' && shape == 1)
                    qp_buf_add_char(&bytes, '\r');
                qp_buf_add_char(&bytes, text.data[k]);
            }
            if (shape == 2) /* the last line is not ended */
                bytes.len -= 2;
            first_stand(context, (qp_str){bytes.data, bytes.len}, &stand);
            unsigned counted,
                spared = compare(context, (qp_str){bytes.data, bytes.len}, &stand, 0, &counted);
            cr_expect_eq(spared, rows[i].spared, "row %zu, shape %d: %u", i, shape, spared);
            cr_expect_eq(counted, rows[i].counted, "row %zu, shape %d: %u", i, shape,
                         counted);
            qp_buf_clear(&text);
            qp_buf_clear(&bytes);
        }
    qp_context_free(context);
}

/* Limits hold all the same. */
Test(heads, limit_of_plies)
{
    qp_context *context = qp_context_new();
    qp_stand stand;
    qp_str bytes = qp_str_of(PLAIN PLAIN PLAIN);
    qp_context_set_limit(context, QP_LIMIT_NODES, 3);
    first_stand(context, bytes, &stand);
    cr_expect_eq(compare(context, bytes, &stand, 0, NULL), 0);
    qp_context_free(context);
}
