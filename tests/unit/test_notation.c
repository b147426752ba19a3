/* The notation floor: lex, resolve, spell, the reasons, and dialects of the user's own.
 */
#include "config.h"

#include "notation/inside.h"

#include <criterion/criterion.h>
#include "table.h"

static void board_of(const char *position, qp_board *board)
{
    qp_fen_report report;
    if (strcmp(position, "start") == 0)
        qp_board_start(board);
    else
        qp_fen_read(qp_str_of(position), board, &report);
}

static qp_move move_of(const char *text)
{
    return QP_MOVE(QP_SQUARE(text[0] - 'a', text[1] - '0'),
                   QP_SQUARE(text[2] - 'a', text[3] - '0'));
}

/* The moves, sorted by text and parted by |. */
static void list_moves(const qp_move *moves, size_t count, char text[64])
{
    char sorted[8][5];
    for (size_t i = 0; i < count; i++) {
        char one[5];
        size_t k = i;
        qp_move_text(moves[i], one);
        for (; k > 0 && strcmp(sorted[k - 1], one) > 0; k--)
            memcpy(sorted[k], sorted[k - 1], 5);
        memcpy(sorted[k], one, 5);
    }
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            strcat(text, "|");
        strcat(text, sorted[i]);
    }
}

Test(notation, moves)
{
    table t;
    qp_context *context = qp_context_new();
    cr_assert(table_open(&t, "moves.tsv"));
    while (table_next(&t)) {
        qp_board board;
        qp_move moves[8];
        qp_code code;
        char got[64];
        board_of(t.field[0], &board);
        size_t count = qp_move_read(context, &board, qp_str_of(t.field[1]), moves, &code);
        list_moves(moves, count, got);
        if (count == 0) {
            strcpy(got, "!");
            strcat(got, qp_code_name(code));
            if (moves[0] != 0) {
                strcat(got, ":");
                qp_move_text(moves[0], got + strlen(got));
            }
        }
        cr_expect_str_eq(got, t.field[2], "row %d: %s is %s, not %s", t.row, t.field[1],
                         got, t.field[2]);
        cr_expect_eq(code == QP_D_none, count == 1, "row %d: code", t.row);
    }
    qp_context_free(context);
}

/* "piece-road cannon - 2 across 5" */
static void describe(const qp_written *w, char text[80])
{
    static const char *const forms[] = {"none",       "piece-road",       "which-piece",
                                        "which-road", "which-piece-road", "digits",
                                        "coord",      "squares"};
    static const char *const kinds[] = {"*",     "king", "advisor", "elephant",
                                        "horse", "rook", "cannon",  "pawn"};
    static const char *const which[] = {
        "-", "1", "2", "3", "4", "5", "front", "middle", "rear", "frontmost", "rearmost"};
    static const char *const ways[] = {"-", "forward", "back", "across"};
    char order[12];
    if (w->form == QP_FORM_COORD) {
        sprintf(text, "coord %c%d %c%d", 'a' + w->from_file, w->from_rank,
                'a' + w->to_file, w->to_rank);
        return;
    }
    strcpy(order, w->form == QP_FORM_DIGITS ? "" : which[w->which]);
    if (w->form == QP_FORM_DIGITS)
        sprintf(order, "%d", w->which);
    sprintf(text, "%s %s %s %d %s %d", forms[w->form],
            w->kind == 0 && w->kinds == 0 ? "-" : kinds[w->kind], order, w->road,
            ways[w->way], w->arg);
}

Test(notation, lex)
{
    table t;
    qp_context *context = qp_context_new();
    cr_assert(table_open(&t, "lex.tsv"));
    while (table_next(&t)) {
        qp_written written;
        char got[80] = "-";
        size_t want = strcmp(t.field[1], "-") == 0 ? 0 : strlen(t.field[1]);
        size_t len = qp_lex_move(qp_context_lexer(context), t.field[0],
                                 strlen(t.field[0]), &written);
        if (len != 0)
            describe(&written, got);
        cr_expect_eq(len, want, "row %d: %s: %zu bytes taken", t.row, t.field[0], len);
        cr_expect_str_eq(got, t.field[2], "row %d: %s is %s", t.row, t.field[0], got);
    }
    qp_context_free(context);
}

/* Whether two lexers of the same dialects are the same. */
static void expect_same_lexer(const struct qp_lexer *built, const struct qp_lexer *now,
                              const qp_dialect *const *used, size_t count, const char *name)
{
    for (uint32_t c = 1; c < 0x110000; c++) {
        char text[8] = {0};
        unsigned len = (unsigned)qp_utf8_put(text, c), a_len, b_len;
        const unsigned char *p = (const unsigned char *)text;
        qp_symbol a = qp_symbol_at(built, p, p + len, &a_len);
        qp_symbol b = qp_symbol_at(now, p, p + len, &b_len);
        cr_expect(memcmp(&a, &b, sizeof a) == 0, "%s: U+%04X", name, (unsigned)c);
    }
    cr_expect_eq(built->several == NULL, now->several == NULL, "%s", name);
    for (size_t i = 0; now->several != NULL && i < count; i++)
        for (size_t k = 0; used[i] != NULL && k < used[i]->row_count; k++)
            for (size_t n = 0; n < used[i]->rows[k].spelling_count; n++) {
                qp_str text = used[i]->rows[k].spellings[n];
                uint64_t a, b;
                cr_expect_eq(qp_trie_match(built->several, text.data, text.len, &a),
                             qp_trie_match(now->several, text.data, text.len, &b));
                cr_expect_eq(a, b, "%s: %s", name, text.data);
            }
    cr_expect_eq(built->several_count, now->several_count);
    cr_expect_eq(memcmp(built->several_symbols, now->several_symbols,
                        sizeof now->several_symbols), 0);
    cr_expect_eq(memcmp(built->allow, now->allow, sizeof now->allow), 0);
    cr_expect_eq(memcmp(built->ends, now->ends, sizeof now->ends), 0);
    cr_expect_eq(memcmp(built->shapes, now->shapes, sizeof now->shapes), 0);
    cr_expect_eq(memcmp(built->places, now->places, sizeof now->places), 0);
    cr_expect_eq(built->shape_count, now->shape_count);
    cr_expect_eq(built->all, now->all);
    cr_expect_eq(built->usual, now->usual);
    cr_expect_eq(built->apart, now->apart);
    cr_expect_eq(built->san, now->san);
    cr_expect_eq(built->chinese, now->chinese);
    cr_expect_eq(built->traditional, now->traditional);
    cr_expect_eq(built->coordinates, now->coordinates);
}

static void expect_same_speller(const qp_named *named, const qp_dialect *dialect)
{
    struct qp_speller *built = qp_speller_built_in(named), *now = qp_speller_new(dialect);
    const qp_str *a = (const qp_str *)(const void *)built, *b = (const qp_str *)(const void *)now;
    unsigned spellings = 0;
    for (size_t i = 0; i < QP_SPELLINGS; i++) {
        spellings += b[i].len != 0;
        cr_expect(qp_str_same(a[i], b[i]), "%s: spelling %zu", named->name, i);
    }
    cr_expect(spellings >= 19, "%s: %u spellings", named->name, spellings);
    cr_expect_eq(built->shape_count, now->shape_count, "%s", named->name);
    cr_expect_eq(memcmp(built->shapes, now->shapes, sizeof now->shapes), 0, "%s", named->name);
    cr_expect_eq(built->pawns, now->pawns, "%s", named->name);
    cr_expect_eq(built->order_needed, now->order_needed, "%s", named->name);
    cr_expect_eq(built->lower[0], now->lower[0], "%s", named->name);
    cr_expect_eq(built->lower[1], now->lower[1], "%s", named->name);
    cr_expect_eq(built->full_digits, now->full_digits, "%s", named->name);
    cr_expect_eq(built->red_digits, now->red_digits, "%s", named->name);
    cr_expect_eq(built->base, now->base, "%s", named->name);
    free(built);
    free(now);
}

/* The tables that are made when the library is built are what is made of the grammars now. */
Test(notation, built_in)
{
    char error[256];
    qp_context *context = qp_context_new();
    const qp_dialects *dialects = qp_context_dialects(context);
    unsigned apart_ones = 0;
    cr_assert_eq(qp_built_in.notation_count, dialects->count);
    for (size_t which = 0; which <= dialects->count; which++) {
        const qp_dialect *used[QP_DIALECTS_MAX] = {NULL};
        const qp_dialect *one = which != 0 ? dialects->at[which - 1] : NULL;
        if (one != NULL) {
            const qp_named *named = &qp_built_in.notations[which - 1];
            bool writes = !qp_str_is(qp_dialect_option(one, "writes"), "no");
            cr_expect_str_eq(named->name, one->name.data);
            cr_expect_str_eq(named->title, one->title.data);
            cr_expect_eq(named->writes, writes, "%s", named->name);
            expect_same_speller(named, one);
            if (!qp_str_is(qp_dialect_option(one, "reads"), "apart"))
                continue;
            apart_ones++;
        }
        for (size_t i = 0; i < dialects->count; i++) {
            bool apart = qp_str_is(qp_dialect_option(dialects->at[i], "reads"), "apart");
            if (one != NULL ? dialects->at[i] == one : !apart)
                used[i] = dialects->at[i];
        }
        const char *name = one != NULL ? one->name.data : "common";
        struct qp_lexer *own = one != NULL ? qp_context_card_lexer(context, name) : NULL;
        struct qp_lexer *now = qp_lexer_new(used, dialects->count, dialects->folds, error);
        cr_assert(now != NULL, "%s: %s", name, error);
        expect_same_lexer(own != NULL ? own : qp_context_lexer(context), now, used,
                          dialects->count, name);
        qp_lexer_free(now);
        qp_lexer_free(own);
    }
    cr_expect_eq(qp_built_in.lexer_count, 1 + apart_ones);
    qp_context_free(context);
}

/* Each text read with a memory of moves, before and after it holds what it can, and with
 * another character behind it, is what it is without. */
Test(notation, lex_known)
{
    static const char *const behind[] = {" ", " ", "4", "\n", " 炮二平五 "};
    qp_context *context = qp_context_new();
    const struct qp_lexer *lexer = qp_context_lexer(context);
    qp_lex_memo *memo = calloc(1, sizeof *memo);
    unsigned known_ones = 0;
    for (size_t turn = 0; turn < QP_COUNT(behind); turn++) {
        table t;
        cr_assert(table_open(&t, "lex.tsv"));
        while (table_next(&t)) {
            char text[256] = {0};
            qp_written want;
            size_t len;
            snprintf(text, sizeof text, "%s%s", t.field[0], behind[turn]);
            size_t want_len = qp_lex_move(lexer, text, strlen(text), &want);
            const qp_known_move *known = qp_lex_known(memo, lexer, text, &len);
            if (known == NULL)
                continue;
            known_ones++;
            cr_expect_eq(len, want_len, "row %d: %s: %zu bytes taken", t.row, text, len);
            cr_expect_eq(memcmp(&known->written, &want, sizeof want), 0, "row %d: %s", t.row,
                         text);
            cr_expect_eq(known->stride, qp_stride_number(&want), "row %d: %s", t.row, text);
        }
    }
    cr_expect(known_ones > 100, "only %u", known_ones);
    free(memo);
    qp_context_free(context);
}

/* Coordinates at the edge of what four look-ups may read. */
Test(notation, lex_squares)
{
    static const struct {
        const char *text;
        size_t len;
        unsigned form, from_rank, to_rank;
    } rows[] = {
        {"h2e2", 4, QP_FORM_COORD, 2, 2},    {"h2e2 ", 4, QP_FORM_COORD, 2, 2},
        {"H2E2", 4, QP_FORM_COORD, 2, 2},    {"h2e10", 5, QP_FORM_COORD, 2, 10},
        {"h10e2", 5, QP_FORM_COORD, 10, 2},  {"h2e1", 4, QP_FORM_COORD, 2, 1},
        {"h2e2x", 0, QP_FORM_NONE, 0, 0},    {"h2e", 0, QP_FORM_NONE, 0, 0},
        {"h2e2.", 4, QP_FORM_COORD, 2, 2},   {"h2j2", 0, QP_FORM_NONE, 0, 0},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_written written = {0};
        size_t len = qp_lex_move(qp_context_lexer(context), rows[i].text,
                                 strlen(rows[i].text), &written);
        cr_expect_eq(len, rows[i].len, "%s: %zu bytes", rows[i].text, len);
        if (len == 0 || len != rows[i].len)
            continue;
        cr_expect_eq(written.form, rows[i].form, "%s", rows[i].text);
        cr_expect_eq(written.from_rank, rows[i].from_rank, "%s", rows[i].text);
        cr_expect_eq(written.to_rank, rows[i].to_rank, "%s", rows[i].text);
    }
    qp_context_free(context);
}

/* The text is cut off anywhere, or broken: never read past its end (for sanitizers). */
Test(notation, lex_cut_off)
{
    static const char *const texts[] = {"前兵九平八",
                                        "炮　二平五",
                                        "＋Ｐ＋１",
                                        "h10g10",
                                        "红车八进一",
                                        "++.4",
                                        "\xf0\x9d\x9f\x8f\xe7\x82"};
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            qp_written written;
            char *copy = malloc(len + 1);
            memcpy(copy, texts[i], len);
            copy = realloc(copy, len ? len : 1);
            size_t taken = qp_lex_move(qp_context_lexer(context), copy, len, &written);
            cr_expect(taken <= len, "%s at %zu", texts[i], len);
            qp_lex_resembles_move(qp_context_lexer(context), (qp_str){copy, len});
            free(copy);
        }
    qp_context_free(context);
}

Test(notation, styles)
{
    static const struct {
        const char *text;
        unsigned style;
        const char *notation;
    } rows[] = {
        {"炮二平五", QP_STYLE_DIGIT_CHINESE, "chinese"},
        {"炮2平5", QP_STYLE_DIGIT_ARABIC, "chinese"},
        {"炮２平５", QP_STYLE_DIGIT_ARABIC, "chinese"},
        {"马二进三", QP_STYLE_DIGIT_CHINESE | QP_STYLE_SIMPLIFIED, "chinese"},
        {"馬二進三", QP_STYLE_DIGIT_CHINESE | QP_STYLE_TRADITIONAL,
         "chinese-traditional"},
        {"相三退五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_GLYPH_RED, "chinese"},
        {"卒3平5", QP_STYLE_DIGIT_ARABIC | QP_STYLE_GLYPH_BLACK, "chinese"},
        {"炮二上五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_RARE_WAY, "chinese"},
        {"炮 二平五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_SPACED, "chinese"},
        {"炮二\xe2\x80\x8b平五", QP_STYLE_DIGIT_CHINESE, "chinese"},
        {"炮二\xc2\xa0平五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_SPACED, "chinese"},
        {"炮前平五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_PIECE_FIRST, "chinese"},
        {"七兵平五", QP_STYLE_DIGIT_CHINESE | QP_STYLE_FILE_FIRST | QP_STYLE_GLYPH_RED,
         "chinese"},
        {"C2=5", QP_STYLE_DIGIT_ARABIC | QP_STYLE_WXF, "wxf"},
        {"15=6", QP_STYLE_DIGIT_ARABIC | QP_STYLE_WXF, NULL},
        {"h2e2", 0, "iccs"},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_written written = {0};
        size_t len = qp_lex_move(qp_context_lexer(context), rows[i].text,
                                 strlen(rows[i].text), &written);
        cr_expect_eq(len, strlen(rows[i].text), "%s", rows[i].text);
        cr_expect_eq(written.style, rows[i].style, "%s: style %#x", rows[i].text,
                     written.style);
        const qp_notation *notation = qp_notation_at(context, written.dialect);
        if (rows[i].notation != NULL)
            cr_expect_str_eq(qp_notation_name(notation), rows[i].notation, "%s",
                             rows[i].text);
    }
    qp_context_free(context);
}

Test(notation, picks)
{
    static const struct {
        const char *position, *text;
        unsigned pick;
    } rows[] = {
        {"start", "炮二平五", 0},
        {"3k5/4R4/9/9/4R4/9/9/9/9/5K3 w", "车五退四", QP_PICK_ORDER_MISSING},
        {"3k5/9/9/9/4R4/9/9/9/9/5K3 w", "前车退一", QP_PICK_ORDER_NEEDLESS},
        {"4k4/9/9/9/9/2B6/9/3A5/9/2BAK4 w", "前仕退五", QP_PICK_ORDER_NEEDLESS},
        {"4k4/2P6/6P2/2P3P2/2P6/9/9/9/9/3K5 w", "前兵平六", QP_PICK_FRONT_OF_TWO_FILES},
        {"4k4/2P6/6P2/2P3P2/2P6/9/9/9/9/3K5 w", "17=6", 0},
        {"4k4/2P6/6P2/2P3P2/2P6/9/9/9/9/3K5 w", "47=6", QP_PICK_WXF_SCHEME},
        {"4k4/2P6/6P2/2P3P2/2P6/9/9/9/9/3K5 w", "37=6", QP_PICK_WXF_SCHEME},
        {"start", "62=5", QP_PICK_WXF_SCHEME},
        {"start", "三兵进一", QP_PICK_FILE_FIRST},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        qp_written written = {0};
        qp_move moves[8];
        unsigned pick = 99;
        board_of(rows[i].position, &board);
        qp_lex_move(qp_context_lexer(context), rows[i].text, strlen(rows[i].text),
                    &written);
        cr_expect_eq(qp_resolve(&board, &written, QP_BASE_ZERO, moves, &pick), 1, "%s",
                     rows[i].text);
        cr_expect_eq(pick, rows[i].pick, "%s: %#x", rows[i].text, pick);
    }
    qp_context_free(context);
}

Test(notation, reasons)
{
    static const struct {
        const char *position, *text;
        qp_code code;
        const char *detail, *move, *at, *message;
    } rows[] = {
        {"start", "炮三平五", QP_D_move_no_piece, "no-piece", "----", "",
         "no red cannon 炮 stands on file 3; red's stand on b2 (file 8) and h2 (file 2)"},
        {"start", "马二进四", QP_D_move_blocked, "blocked-leg", "h0f1", "g0",
         "the leg of the horse on h0 is blocked by the elephant on g0"},
        {"start", "炮二进五", QP_D_move_blocked, "cannon-no-screen", "h2h7", "h7",
         "no screen stands between the cannon on h2 and the cannon on h7"},
        {"start", "车一进五", QP_D_move_blocked, "path-blocked", "i0i5", "i3",
         "the way of the rook from i0 to i5 is blocked by the pawn on i3"},
        {"start", "兵三平四", QP_D_move_geometry, "pawn-sideways-before-river", "g3f3",
         "", "the pawn on g3 may not go sideways before it has crossed the river"},
        {"start", "马二平三", QP_D_move_geometry, "bad-shape", "----", "h0",
         "a horse never goes sideways"},
        {"start", "e3e3", QP_D_move_geometry, "unsupported-promotion", "e3e3", "",
         "the move begins and ends on e3"},
        {"start", "车一平二", QP_D_move_own_piece, "captures-own", "i0h0", "h0",
         "red's own horse stands on h0"},
        {"5k3/9/9/9/9/9/9/3r5/9/4K4 w", "车4进1", QP_D_move_wrong_side, "wrong-side",
         "d2d1", "", "it is a move of black's rook on d2, and red is to move"},
        {"4k4/9/9/9/4r4/9/9/4C4/9/4K4 w", "炮五平六", QP_D_move_exposes_king,
         "self-check", "e2d2", "e5",
         "the move puts red's king in check from the rook on e5"},
        {"4k4/9/9/9/4r4/9/9/9/9/R3K4 w", "车九进一", QP_D_move_exposes_king,
         "still-in-check", "a0a1", "e5",
         "the move leaves red's king in check from the rook on e5"},
        {"4k4/9/9/9/9/9/9/4R4/9/4K4 w", "车五平六", QP_D_move_kings_face, "kings-facing",
         "e2d2", "", "the move leaves the two kings facing each other"},
        {"3k5/9/2P6/2P6/9/2P6/9/9/9/4K4 w", "47+1", QP_D_move_no_piece, "no-piece",
         "----", "",
         "no red pawn 兵 on file 7 has the number 4; red's stand on c4 (file 7), c6 "
         "(file 7) "
         "and c7 (file 7)"},
        {"3k5/4R4/9/9/4R4/9/9/9/9/5K3 w", "车五进一", QP_D_move_ambiguous, NULL, "----",
         "", "it can be e8e9 or e5e6"},
    };
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        qp_written written = {0};
        qp_reason reason;
        char move[5], at[3] = "";
        board_of(rows[i].position, &board);
        qp_lex_move(qp_context_lexer(context), rows[i].text, strlen(rows[i].text),
                    &written);
        qp_resolve_why(&board, &written, QP_BASE_ZERO, &reason);
        qp_move_text(reason.move, move);
        if (reason.at != QP_NO_SQUARE)
            sprintf(at, "%c%c", 'a' + QP_FILE(reason.at), '0' + QP_RANK(reason.at));
        cr_expect_eq(reason.code, rows[i].code, "%s: %s", rows[i].text,
                     qp_code_name(reason.code));
        cr_expect_str_eq(reason.message, rows[i].message, "%s: %s", rows[i].text,
                         reason.message);
        cr_expect_str_eq(move, rows[i].move, "%s: %s", rows[i].text, move);
        cr_expect_str_eq(at, rows[i].at, "%s: %s", rows[i].text, at);
        if (rows[i].detail != NULL)
            cr_expect_str_eq(reason.detail, rows[i].detail, "%s", rows[i].text);
    }
    qp_context_free(context);
}

Test(notation, resembles)
{
    static const char *const yes[] = {"炮二乎五", "土四进五", "将6进l", "车八平几",
                                      "炮二平",   "馬2退",    "C2=O",   "车 8 平 几"};
    static const char *const no[] = {"相持",   "将军",     "马后炮", "炮二路", "一车一马",
                                     "士象全", "红先胜",   "1-0",    "12.",    "和棋",
                                     "完",     "2004.5.1", "note",   "C2",     ""};
    qp_context *context = qp_context_new();
    for (size_t i = 0; i < QP_COUNT(yes); i++)
        cr_expect(qp_lex_resembles_move(qp_context_lexer(context), qp_str_of(yes[i])),
                  "%s", yes[i]);
    for (size_t i = 0; i < QP_COUNT(no); i++)
        cr_expect(!qp_lex_resembles_move(qp_context_lexer(context), qp_str_of(no[i])),
                  "%s", no[i]);
    qp_context_free(context);
}

Test(notation, spell)
{
    table t;
    qp_context *context = qp_context_new();
    cr_assert(table_open(&t, "spell.tsv"));
    while (table_next(&t)) {
        qp_board board;
        char text[QP_MOVE_TEXT_MAX];
        const qp_notation *notation = qp_notation_find(context, t.field[1]);
        cr_assert_not_null(notation, "row %d: %s", t.row, t.field[1]);
        board_of(t.field[0], &board);
        size_t len = qp_move_spell(notation, &board, move_of(t.field[2]), text);
        cr_expect_str_eq(text, t.field[3], "row %d: %s, not %s", t.row, text, t.field[3]);
        cr_expect_eq(len, strlen(text), "row %d", t.row);
    }
    qp_context_free(context);
}

/* ---- each legal move spells, lexes and resolves to itself ---- */

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void round_trip(const qp_context *context, const qp_board *board)
{
    qp_move all[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, all);
    const qp_notation *notation;
    for (size_t n = 0; (notation = qp_notation_at(context, n)) != NULL; n++)
        for (size_t i = 0; i < count && qp_notation_writes(notation); i++) {
            char text[QP_MOVE_TEXT_MAX], fen[QP_FEN_MAX], name[5];
            qp_written written;
            qp_move moves[8];
            unsigned pick;
            size_t len = qp_move_spell(notation, board, all[i], text), k = 0;
            size_t taken = qp_lex_move(qp_context_lexer(context), text, len, &written);
            qp_base base = strcmp(qp_notation_name(notation), "uci1") == 0 ? QP_BASE_ONE
                                                                           : QP_BASE_ZERO;
            qp_fen_write(board, fen);
            qp_move_text(all[i], name);
            cr_expect(len != 0 && taken == len, "%s: %s %s is %s", fen,
                      qp_notation_name(notation), name, text);
            /* AXF's 33.4 is another scheme's third pawn; a rook is never third on a file.
             */
            if (taken == 0 || (written.form == QP_FORM_DIGITS && text[0] == text[1]))
                continue;
            size_t found = qp_resolve(board, &written, base, moves, &pick);
            while (k < found && moves[k] != all[i])
                k++;
            cr_expect(k < found, "%s: %s %s is %s, read as %zu others", fen,
                      qp_notation_name(notation), name, text, found);
            cr_expect(found == 1, "%s: %s is %s, one of %zu", fen, name, text, found);
        }
}

Test(notation, round_trip_playouts)
{
    qp_context *context = qp_context_new();
    uint32_t seed = 1;
    for (int game = 0; game < 12; game++) {
        qp_board board;
        qp_board_start(&board);
        for (int ply = 0; ply < 120; ply++) {
            qp_move moves[QP_MOVES_MAX];
            size_t count = qp_board_moves(&board, moves);
            if (count == 0)
                break;
            if (ply % 3 == game % 3)
                round_trip(context, &board);
            qp_board_play(&board, moves[random_next(&seed) % count]);
        }
    }
    qp_context_free(context);
}

Test(notation, round_trip_many_pawns)
{
    qp_context *context = qp_context_new();
    uint32_t seed = 7;
    for (int n = 0; n < 400; n++) {
        qp_board board;
        qp_fen_report report;
        qp_fen_read(QP_STR("4k4/9/9/9/9/9/9/9/9/3K5 w"), &board, &report);
        board.side = n & 1;
        for (int i = 0; i < 5; i++) {
            /* few files, so that many share one; beyond the river, where they go aside */
            int file = (int)(random_next(&seed) % 3) * (n % 4 < 2 ? 1 : 3);
            int rank = 5 + (int)(random_next(&seed) % 4);
            int square = QP_SQUARE(file, board.side == QP_RED ? rank : 9 - rank);
            if (board.at[square] == 0)
                board.at[square] = QP_PIECE(board.side, QP_PAWN);
        }
        for (int i = 0; i < 4; i++) {
            int square = (int)(random_next(&seed) % QP_SQUARES);
            if (board.at[square] == 0 && QP_FILE(square) != 4)
                board.at[square] = QP_PIECE(board.side, i < 2 ? QP_CANNON : QP_HORSE);
        }
        round_trip(context, &board);
    }
    qp_context_free(context);
}

/* ---- dialects ---- */

static const char pinyin[] =
    "name\tpinyin\n"
    "title\tPinyin words\n"
    "option\tpawns\tfile\n"
    "piece.red\tking\tShuai\n"
    "piece.black\tking\tJiang\n"
    "piece\tadvisor\tShi\n"
    "piece\telephant\tXiang\n"
    "piece\thorse\tMa\n"
    "piece\trook\tJu\tChe\n"
    "piece\tcannon\tPao\n"
    "piece.red\tpawn\tBing\n"
    "piece.black\tpawn\tZu\n"
    "digit\t1\t1\ndigit\t2\t2\ndigit\t3\t3\ndigit\t4\t4\ndigit\t5\t5\n"
    "digit\t6\t6\ndigit\t7\t7\ndigit\t8\t8\ndigit\t9\t9\n"
    "way\tforward\tjin\nway\tback\ttui\nway\tacross\tping\n"
    "which\tfront\tqian\nwhich\tmiddle\tzhong\nwhich\trear\thou\n"
    "form\t-\tpiece road way arg\n"
    "form\t-\twhich piece way arg\n"
    "form\t-\twhich road way arg\n";

Test(notation, user_dialect)
{
    static const struct {
        const char *position, *move, *text;
    } rows[] = {
        {"start", "h2e2", "Pao2ping5"},
        {"start", "h0g2", "Ma2jin3"},
        {"start", "g3g4", "Bing3jin1"},
        {"3k5/4R4/9/9/4R4/9/9/9/9/5K3 w", "e8e7", "qianJutui1"},
        {"4k4/2P6/6P2/2P3P2/2P6/9/9/9/9/3K5 w", "c8d8", "qian7ping6"},
    };
    qp_context *context = qp_context_new();
    const char *error = NULL;
    cr_assert_eq(qp_context_add_dialect(context, qp_str_of(pinyin), &error), QP_OK, "%s",
                 error);
    const qp_notation *notation = qp_notation_find(context, "pinyin");
    cr_assert_not_null(notation);
    cr_expect_str_eq(qp_notation_title(notation), "Pinyin words");
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_board board;
        qp_move moves[8];
        qp_code code;
        char text[QP_MOVE_TEXT_MAX];
        board_of(rows[i].position, &board);
        qp_move_spell(notation, &board, move_of(rows[i].move), text);
        cr_expect_str_eq(text, rows[i].text);
        cr_expect_eq(qp_move_read(context, &board, qp_str_of(text), moves, &code), 1,
                     "%s", text);
        cr_expect_eq(moves[0], move_of(rows[i].move), "%s", text);
    }
    /* the built-in ones still read, and a second spelling and blanks */
    qp_board board;
    qp_move moves[8];
    qp_code code;
    qp_board_start(&board);
    cr_expect_eq(qp_move_read(context, &board, QP_STR("炮二平五"), moves, &code), 1);
    cr_expect_eq(qp_move_read(context, &board, QP_STR("C2=5"), moves, &code), 1);
    cr_expect_eq(qp_move_read(context, &board, QP_STR("Che 1 jin 1"), moves, &code), 1);
    /* its own name a second time */
    cr_expect_eq(qp_context_add_dialect(context, qp_str_of(pinyin), &error), QP_BAD);
    cr_expect_not_null(strstr(error, "pinyin"));
    qp_context_free(context);
}

Test(notation, user_dialect_errors)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"name\tx\nlike\tchinese\npeice\tcannon\tQ\n", "line 3: "},
        {"name\tx\nlike\twxf\nway\tforward\t.\n", "line 3: \".\" already means another way"},
        {"name\tchinese\nlike\twxf\n",
         "line 1: there is a notation named chinese already"},
        {"", "line "},
    };
    qp_context *context = qp_context_new();
    size_t count = 0;
    while (qp_notation_at(context, count) != NULL)
        count++;
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        const char *error = "";
        cr_expect_eq(qp_context_add_dialect(context, qp_str_of(rows[i].text), &error),
                     QP_BAD);
        cr_expect_eq(strncmp(error, rows[i].error, strlen(rows[i].error)), 0, "%s",
                     error);
        cr_expect_null(qp_notation_at(context, count), "%s", rows[i].text);
    }
    qp_context_free(context);
}

Test(notation, options_of_the_writer)
{
    static const struct {
        const char *option, *position, *move, *text;
    } rows[] = {
        {"like\tchinese\noption\tblack-digits\tfull\n", "4k4/9/9/9/9/9/9/9/4p4/3K5 b",
         "e9e8", "将５进１"},
        {"like\tchinese\noption\tblack-digits\tchinese\n", "4k4/9/9/9/9/9/9/9/4p4/3K5 b",
         "e9e8", "将五进一"},
        {"like\tchinese\noption\torder\tneeded\n", "3k5/4R4/9/9/4R4/9/9/9/9/5K3 w",
         "e5e1", "车五退四"},
        {"like\tchinese\noption\torder\tneeded\n", "3k5/4R4/9/9/4R4/9/9/9/9/5K3 w",
         "e5e6", "后车进一"},
        {"like\twxf\noption\tcase\tlower-black\n", "4k4/9/9/9/9/9/9/9/4p4/3K5 b", "e9e8",
         "k5+1"},
        {"like\twxf\noption\tcase\tlower-black\n", "start", "h2e2", "C2=5"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_context *context = qp_context_new();
        qp_board board;
        char dialect[200], text[QP_MOVE_TEXT_MAX];
        const char *error = "";
        sprintf(dialect, "name\tx\n%s", rows[i].option);
        cr_assert_eq(qp_context_add_dialect(context, qp_str_of(dialect), &error), QP_OK,
                     "%s", error);
        board_of(rows[i].position, &board);
        qp_move_spell(qp_notation_find(context, "x"), &board, move_of(rows[i].move),
                      text);
        cr_expect_str_eq(text, rows[i].text);
        qp_context_free(context);
    }
}

Test(notation, limits)
{
    qp_context *context = qp_context_new();
    cr_expect_eq(qp_context_limit(context, QP_LIMIT_RECORD), (uint64_t)64 << 20);
    cr_expect_eq(qp_context_limit(context, QP_LIMIT_VARIATIONS), 10000);
    cr_expect_eq(qp_context_limit(context, QP_LIMIT_NODES), (uint64_t)4 << 20);
    qp_context_set_limit(context, QP_LIMIT_NODES, 5);
    cr_expect_eq(qp_context_limit(context, QP_LIMIT_NODES), 5);
    qp_context_set_limit(context, QP_LIMIT_RECORD, (uint64_t)1 << 32);
    cr_expect_eq(qp_context_limit(context, QP_LIMIT_RECORD), QP_RECORD_MOST);
    qp_context_free(context);
    qp_context_free(NULL);
}

/* ---- the shared material, where it is at hand ---- */

Test(notation, shared_notation)
{
    static const int read[] = {4, 5, 7, 8, 9};
    static const struct {
        const char *name;
        int field;
    } written[] = {{"wxf", 4}, {"chinese", 7}, {"chinese-numbered", 8}};
    table t;
    if (!table_open_shared(&t, "corpora/rules/notation.tsv"))
        return;
    qp_context *context = qp_context_new();
    while (table_next(&t)) {
        qp_board board;
        if (strcmp(t.field[0], "id") == 0)
            continue;
        board_of(t.field[1], &board);
        qp_move want = move_of(t.field[2]);
        for (size_t i = 0; i < QP_COUNT(read); i++) {
            qp_move moves[8];
            qp_code code;
            qp_str text = qp_str_of(t.field[read[i]]);
            size_t count = qp_move_read(context, &board, text, moves, &code);
            cr_expect(count == 1 && moves[0] == want, "row %d: %s", t.row, text.data);
        }
        for (size_t i = 0; i < QP_COUNT(written); i++) {
            char text[QP_MOVE_TEXT_MAX];
            qp_move_spell(qp_notation_find(context, written[i].name), &board, want, text);
            cr_expect_str_eq(text, t.field[written[i].field], "row %d: %s", t.row, text);
        }
    }
    qp_context_free(context);
}

Test(notation, shared_golden)
{
    table t;
    if (!table_open_shared(&t, "corpora/text/notation/golden-small.tsv"))
        return;
    qp_context *context = qp_context_new();
    while (table_next(&t)) {
        qp_board board;
        qp_move moves[8];
        qp_code code;
        char got[16];
        if (strcmp(t.field[0], "fen") == 0)
            continue;
        board_of(t.field[0], &board);
        size_t count = qp_move_read(context, &board, qp_str_of(t.field[2]), moves, &code);
        strcpy(got, count == 0 ? "ILLEGAL" : "AMBIGUOUS");
        if (count == 1)
            qp_move_text(moves[0], got);
        cr_expect_str_eq(got, t.field[3], "row %d: %s is %s", t.row, t.field[2], got);
    }
    qp_context_free(context);
}
