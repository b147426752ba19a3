/* repair: damages cards of sound games in known ways and counts what qp_lint makes of them.
 *
 *     repair [-n CARDS] [-s SEED] [-k KIND] [-p PLIES] [-H HALF] [-a] [-v] [FILE …]
 *
 * Games come from the files, or are invented where none is named. The same seed damages the
 * same games alike; -H takes one half of them, to the first of which lib/check/weights.h was
 * fitted; -a prints what is aimed at. A line for each kind of damage: cards; found at the right
 * place; first suggestion right; right within three; whole game back by what is likely; plies
 * right; claims of certainty, and how many were wrong; milliseconds of processor a card, median
 * and most. In per cent. Of abbreviated cards, found says that what is read wrongly is marked as
 * open. */
#include "config.h"

#include "check/repair.h"
#include "bench/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef enum kind {
    GLYPH, GLYPHS, MISSING, BLANK, ROUND, DOUBLED, DOUBLED_ROUND, SEAT, COLUMNS, FIVE,
    SHORT_1999, SHORT_2011, SHORT_MISSING, KINDS
} kind;

static const char *const kind_names[KINDS] = {
    "one misread glyph", "two misread glyphs", "a ply missing", "a ply left blank",
    "a round missing", "a ply doubled", "a round doubled", "a seat exchanged",
    "columns exchanged", "five plies missing", "abbreviated 1999", "abbreviated 2011",
    "abbreviated, one missing"};

/* What is aimed at, in per cent: found, first, three, whole, plies; 0 nothing. */
static const uint8_t aims[KINDS][5] = {
    [GLYPH] = {99, 0, 0, 97, 0},      [MISSING] = {97, 92, 97, 0, 0},
    [BLANK] = {97, 92, 97, 0, 0},     [ROUND] = {0, 82, 90, 0, 0},
    [DOUBLED] = {99, 0, 0, 0, 0},     [DOUBLED_ROUND] = {99, 0, 0, 0, 0},
    [SEAT] = {99, 0, 0, 0, 0},        [COLUMNS] = {99, 0, 0, 0, 0},
    [SHORT_1999] = {100, 0, 0, 50, 98}, [SHORT_2011] = {100, 0, 0, 50, 98},
};

static void print_aims(kind k)
{
    bool any = false;
    for (unsigned i = 0; i < 5; i++)
        any |= aims[k][i] != 0;
    if (!any)
        return;
    printf("%-32s", "    aim");
    for (unsigned i = 0; i < 5; i++)
        printf(aims[k][i] ? " %6u" : "       ", aims[k][i]);
    putchar('\n');
}

/* What was done to a card. */
typedef struct damage {
    qp_buf text;
    uint32_t ply, ply2; /* from 1; 0 none */
    qp_move right, right2;
    bool done;
} damage;

typedef struct score {
    unsigned cards, found, first, three, whole, claims, wrong, unsettled;
    uint64_t plies, plies_right;
    double *ms;
} score;

/* ---- cards ---- */

typedef struct cell {
    char text[QP_MOVE_TEXT_MAX * 2];
    bool gone;
} cell;

static void spell_cells(const qp_context *context, const game *g, cell *cells)
{
    const qp_notation *notation = qp_notation_find(context, "chinese");
    qp_board board;
    qp_board_start(&board);
    for (unsigned i = 0; i < g->count; i++) {
        cells[i].gone = false;
        qp_move_spell(notation, &board, g->moves[i], cells[i].text);
        qp_board_play(&board, g->moves[i]);
    }
}

/* The k-th character of a UTF-8 text. */
static size_t glyph_at(const char *text, unsigned k, size_t *len)
{
    size_t i = 0, n = strlen(text);
    for (;;) {
        qp_utf8_at(text + i, n - i, len);
        if (k-- == 0)
            return i;
        i += *len;
    }
}

static unsigned glyphs_in(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* A character that the table of confusions has for this one. */
static bool misread(const char *glyph, size_t len, gen_random *random, char out[8])
{
    enum { MOST = 128 };
    uint32_t wrong[MOST], right;
    unsigned cost[MOST], count = 0;
    size_t used;
    right = qp_utf8_at(glyph, len, &used);
    static qp_confusions *confusions;
    if (confusions == NULL)
        confusions = qp_confusions_new();
    for (uint32_t c = 0x21; c < 0xFFFF && count < MOST; c++) {
        const qp_confusion *row;
        size_t n = qp_confusions_find(confusions, c, &row);
        for (size_t i = 0; i < n; i++)
            if (row[i].right == right && count < MOST) {
                cost[count] = row[i].cost;
                wrong[count++] = c;
                break;
            }
    }
    if (count == 0)
        return false;
    bool sign = gen_percent(random, 15); /* for another sign */
    for (unsigned tries = 0; tries < 50; tries++) {
        unsigned pick = gen_below(random, count);
        if ((cost[pick] == 3) != sign && tries < 40)
            continue;
        out[qp_utf8_put(out, wrong[pick])] = '\0';
        return true;
    }
    return false;
}

static bool damage_glyph(cell *c, gen_random *random)
{
    char out[8] = "";
    size_t len, at = glyph_at(c->text, gen_below(random, glyphs_in(c->text)), &len);
    if (!misread(c->text + at, len, random, out))
        return false;
    char made[QP_MOVE_TEXT_MAX * 2];
    snprintf(made, sizeof made, "%.*s%s%s", (int)at, c->text, out, c->text + at + len);
    memcpy(c->text, made, sizeof made);
    return true;
}

/* Without the direction. ascii: all digits as 1 to 9. */
static void shorten(cell *c, bool ascii)
{
    static const char *const ways[] = {"进", "退", "平"};
    static const char *const digits[] = {"一", "二", "三", "四", "五",
                                         "六", "七", "八", "九"};
    char out[QP_MOVE_TEXT_MAX * 2];
    size_t n = 0, len, size = strlen(c->text);
    for (size_t i = 0; i < size; i += len) {
        qp_utf8_at(c->text + i, size - i, &len);
        bool way = false;
        for (unsigned w = 0; w < 3; w++)
            way |= len == 3 && memcmp(c->text + i, ways[w], 3) == 0;
        if (way) {
            if (!ascii && c->text[i + len] >= '0' && c->text[i + len] <= '9')
                out[n++] = ' ';
            continue;
        }
        unsigned d = 9;
        for (unsigned k = 0; k < 9 && ascii; k++)
            if (len == 3 && memcmp(c->text + i, digits[k], 3) == 0 &&
                (i != 0 || size < 6))
                d = k;
        if (d < 9) {
            out[n++] = (char)('1' + d);
        } else {
            memcpy(out + n, c->text + i, len);
            n += len;
        }
    }
    out[n] = '\0';
    memcpy(c->text, out, n + 1);
}

/* The move as the other side would number it: roads n as 10 - n. */
static bool change_seat(cell *c, qp_move move)
{
    static const char *const digits[] = {"一", "二", "三", "四", "五",
                                         "六", "七", "八", "九"};
    if (glyphs_in(c->text) != 4)
        return false;
    bool aside = QP_FILE(QP_FROM(move)) != QP_FILE(QP_TO(move)), changed = false;
    char out[QP_MOVE_TEXT_MAX * 2] = "";
    for (unsigned k = 0; k < 4; k++) {
        size_t len, at = glyph_at(c->text, k, &len);
        const char *p = c->text + at;
        char glyph[8] = "";
        memcpy(glyph, p, len);
        if (k == 1 || (k == 3 && aside)) {
            bool digit = len == 1 && *p >= '1' && *p <= '9';
            if (digit) {
                glyph[0] = (char)('0' + 10 - (*p - '0'));
                changed |= glyph[0] != *p;
            }
            for (unsigned d = 0; d < 9 && !digit; d++)
                if (strcmp(glyph, digits[d]) == 0) {
                    strcpy(glyph, digits[8 - d]);
                    changed |= d != 4;
                    digit = true;
                }
            if (!digit)
                return false; /* 前车 has no road */
        }
        strcat(out, glyph);
    }
    strcpy(c->text, out);
    return changed;
}

static void add_cell(qp_buf *out, const cell *c)
{
    if (!c->gone) {
        qp_buf_add_char(out, ' ');
        qp_buf_add_text(out, c->text);
    }
}

/* Damages a card; done is false where this one cannot be damaged so. */
static void make_card(const qp_context *context, const game *g, kind what, gen_random *random,
                      damage *d)
{
    cell *cells = malloc((g->count + 2u) * sizeof *cells);
    unsigned order[PLIES_MAX + 8], count = 0, skipped = UINT32_MAX;
    const char *tail[PLIES_MAX] = {NULL};
    *d = (damage){0};
    spell_cells(context, g, cells);
    unsigned middle = g->count / 5 + gen_below(random, g->count * 3 / 5);
    d->done = true;
    d->ply = middle + 1;
    d->right = g->moves[middle];
    bool inlined = gen_percent(random, 30), swap = false;
    for (unsigned i = 0; i < g->count; i++)
        order[count++] = i;
    switch (what) {
    case GLYPHS:
        d->ply2 = 1 + gen_below(random, g->count);
        d->right2 = g->moves[d->ply2 - 1];
        d->done = d->ply2 != d->ply && damage_glyph(&cells[d->ply2 - 1], random);
        /* fall through */
    case GLYPH:
        d->done = d->done && damage_glyph(&cells[middle], random);
        break;
    case MISSING:
    case SHORT_MISSING:
        cells[middle].gone = true;
        break;
    case BLANK: {
        static const char *const marks[] = {"……", "--", "？？", "---", "□□□□"};
        strcpy(cells[middle].text, marks[gen_below(random, QP_COUNT(marks))]);
        if (middle % 2 == 1 && strcmp(cells[middle].text, "……") == 0)
            strcpy(cells[middle].text, "--");
        break;
    }
    case ROUND:
        middle &= ~1u;
        d->ply = middle + 1;
        d->right = g->moves[middle];
        cells[middle].gone = true;
        if (middle + 1 < g->count)
            cells[middle + 1].gone = true;
        skipped = middle / 2;
        break;
    case DOUBLED:
        tail[middle] = cells[middle].text;
        d->ply = middle + 2;
        d->right = 0;
        break;
    case DOUBLED_ROUND:
        middle &= ~1u;
        for (unsigned i = count; i-- > middle + 2;)
            order[i + 2] = order[i];
        order[middle + 2] = middle;
        order[middle + 3] = middle + 1;
        count += 2;
        d->ply = middle + 3;
        d->right = 0;
        break;
    case SEAT:
        d->done = change_seat(&cells[middle], g->moves[middle]);
        break;
    case COLUMNS:
        swap = true;
        d->ply = 0;
        break;
    case FIVE: {
        unsigned from = g->count - 5 - (6 + gen_below(random, 8));
        d->ply = from + 1;
        d->right = g->moves[from];
        for (unsigned i = from; i < from + 5; i++)
            cells[i].gone = true;
        break;
    }
    default:
        break;
    }
    if (what == SHORT_1999 || what == SHORT_2011 || what == SHORT_MISSING)
        for (unsigned i = 0; i < g->count; i++)
            shorten(&cells[i], what != SHORT_2011);
    for (unsigned i = 0; i < count; i += 2) {
        cell none = {.gone = true};
        const cell *a = &cells[order[i]], *b = i + 1 < count ? &cells[order[i + 1]] : &none;
        if (i / 2 == skipped || (a->gone && b->gone))
            continue;
        qp_buf_printf(&d->text, "%u.", i / 2 + 1);
        add_cell(&d->text, swap ? b : a);
        if (tail[i] != NULL && !swap)
            add_cell(&d->text, a);
        add_cell(&d->text, swap ? a : b);
        if (i + 1 < count && tail[i + 1] != NULL)
            add_cell(&d->text, b);
        qp_buf_add_char(&d->text, inlined ? ' ' : '\n');
    }
    qp_buf_add_char(&d->text, '\n');
    free(cells);
}

/* ---- what lint makes of it ---- */

typedef struct bytes {
    const char *at;
    size_t left;
} bytes;

static ptrdiff_t read_bytes(void *user, void *buffer, size_t size)
{
    bytes *b = user;
    size_t n = b->left < size ? b->left : size;
    memcpy(buffer, b->at, n);
    b->at += n;
    b->left -= n;
    return (ptrdiff_t)n;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* One round of --fix. */
static bool mend(const qp_context *context, const qp_buf *in, qp_buf *out, qp_certainty least)
{
    bytes b = {in->data, in->len};
    qp_reader *reader = qp_reader_open(context, read_bytes, &b, NULL);
    const qp_game *g;
    size_t count, edits, from = 0, made = 0;
    out->len = 0;
    qp_status status = qp_reader_next(reader, &g);
    if (status == QP_OK || status == QP_BAD) {
        qp_lint(reader, NULL, NULL, &count);
        const qp_edit *edit = qp_lint_edits(reader, &edits);
        for (size_t i = 0; i < edits; i++) {
            if (edit[i].certainty < least || edit[i].byte < from)
                continue;
            qp_buf_add(out, in->data + from, (size_t)edit[i].byte - from);
            qp_buf_add(out, edit[i].bytes.data, edit[i].bytes.len);
            from = (size_t)edit[i].byte_end;
            made++;
        }
    }
    qp_buf_add(out, in->data + from, in->len - from);
    qp_reader_close(reader);
    return made != 0;
}

/* Plies of the text's game that are those of g; all: and no others. */
static unsigned same_plies(const qp_context *context, const qp_buf *text, const game *g,
                           bool *all)
{
    bytes b = {text->data, text->len};
    qp_reader *reader = qp_reader_open(context, read_bytes, &b, NULL);
    const qp_game *read;
    unsigned same = 0, at = 0;
    *all = false;
    qp_status status = qp_reader_next(reader, &read);
    if ((status == QP_OK || status == QP_BAD) && read != NULL) {
        for (const qp_node *n = read->first; n != NULL && at < g->count; n = n->next, at++)
            same += n->flags == 0 && n->move == g->moves[at];
        *all = same == g->count && read->legal && read->plies == g->count;
    }
    qp_reader_close(reader);
    return same;
}

/* The first ply that is not as it was. */
static void show_wrong(const qp_context *context, const qp_buf *text, const game *g)
{
    bytes b = {text->data, text->len};
    qp_reader *reader = qp_reader_open(context, read_bytes, &b, NULL);
    const qp_game *read;
    qp_status status = qp_reader_next(reader, &read);
    if ((status == QP_OK || status == QP_BAD) && read != NULL) {
        qp_board board;
        unsigned at = 0;
        qp_board_start(&board);
        const qp_node *n = read->first;
        for (; n != NULL && at < g->count; n = n->next, at++) {
            if (n->flags != 0 || n->move != g->moves[at])
                break;
            qp_board_play(&board, n->move);
        }
        if (n != NULL && at < g->count) {
            char fen[QP_FEN_MAX], is[5], was[5];
            qp_fen_write(&board, fen);
            qp_move_text(n->move, is);
            qp_move_text(g->moves[at], was);
            printf("     ply %u: %s for %s, %s\n", at + 1, is, was, fen);
        }
    }
    qp_reader_close(reader);
}

static bool is_right(const game *g, const qp_finding *f, const qp_suggestion *s)
{
    uint32_t ply = s->ply ? s->ply : f->ply;
    return s->move != 0 && ply >= 1 && ply <= g->count && g->moves[ply - 1] == s->move &&
           (s->second == 0 || (ply < g->count && g->moves[ply] == s->second));
}

/* Whether the first ply that was read wrongly was marked as open. */
static bool all_marked(const qp_context *context, const qp_buf *text, const qp_buf *mended,
                       const game *g)
{
    bytes b = {mended->data, mended->len};
    qp_reader *reader = qp_reader_open(context, read_bytes, &b, NULL);
    const qp_game *read;
    uint32_t wrong = 0, ply = 1;
    qp_status status = qp_reader_next(reader, &read);
    if ((status == QP_OK || status == QP_BAD) && read != NULL)
        for (const qp_node *n = read->first; n != NULL && ply <= g->count && wrong == 0;
             n = n->next, ply++)
            if (n->flags != 0 || n->move != g->moves[ply - 1])
                wrong = ply;
    qp_reader_close(reader);
    if (wrong == 0)
        return true;
    b = (bytes){text->data, text->len};
    reader = qp_reader_open(context, read_bytes, &b, NULL);
    bool marked = false;
    status = qp_reader_next(reader, &read);
    if (status == QP_OK || status == QP_BAD) {
        size_t count;
        const qp_finding *f = qp_lint(reader, NULL, NULL, &count);
        for (size_t i = 0; i < count; i++)
            marked |= f[i].ply == wrong &&
                      (f[i].code == QP_D_move_ambiguous || f[i].code == QP_D_move_missing);
    }
    qp_reader_close(reader);
    return marked;
}

static void judge(const qp_context *context, const game *g, kind what, damage *d, score *s,
                  bool verbose)
{
    bytes b = {d->text.data, d->text.len};
    double begin = now();
    qp_reader *reader = qp_reader_open(context, read_bytes, &b, NULL);
    const qp_game *read;
    size_t count = 0;
    qp_status status = qp_reader_next(reader, &read);
    const qp_finding *f = NULL;
    if (status == QP_OK || status == QP_BAD)
        f = qp_lint(reader, NULL, NULL, &count);
    s->ms[s->cards++] = now() - begin;
    bool found = false, first = false, three = false, wrong = false;
    unsigned claims = 0, deletes = 0;
    for (size_t i = 0; i < count; i++) {
        if (f[i].code == QP_D_result_missing)
            continue;
        bool note = f[i].severity == QP_NOTE;
        bool here = f[i].ply == d->ply || (d->ply2 != 0 && f[i].ply == d->ply2) ||
                    (d->ply == 0 && f[i].code == QP_D_columns_swapped) ||
                    (what == DOUBLED && f[i].ply + 1 == d->ply &&
                     f[i].code == QP_D_move_doubled);
        for (size_t k = 0; k < f[i].suggestion_count; k++) {
            const qp_suggestion *o = &f[i].suggestions[k];
            bool right = is_right(g, &f[i], o);
            here |= right;
            first |= right && k == 0 && !note;
            three |= right && k < 3 && !note;
            if (o->certainty == QP_CERTAIN) {
                claims++;
                if (o->move == 0)
                    deletes++;
                else if (!right)
                    wrong = true;
            }
        }
        found |= here && !note && f[i].code != QP_D_number_gap && f[i].code != QP_D_number_wrong;
    }
    qp_reader_close(reader);
    qp_buf now_text = {0}, next = {0};
    qp_buf_add(&now_text, d->text.data, d->text.len);
    int round = 0;
    for (; round < 4 && mend(context, &now_text, &next, QP_LIKELY); round++) {
        qp_buf swap = now_text;
        now_text = next;
        next = swap;
    }
    s->unsettled += round == 4;
    if (verbose && round == 4)
        printf("     UNSETTLED\n");
    bool whole;
    unsigned same = same_plies(context, &now_text, g, &whole);
    if (what >= SHORT_1999)
        found = all_marked(context, &d->text, &now_text, g);
    if (verbose && !whole)
        show_wrong(context, &now_text, g);
    if (deletes != 0 && !whole)
        wrong = true;
    if (d->right == 0 && whole)
        first = three = true;
    s->found += found;
    s->first += first;
    s->three += three;
    s->whole += whole;
    s->claims += claims;
    s->wrong += wrong;
    s->plies += g->count;
    s->plies_right += same;
    if (verbose && (!whole || wrong || !found)) {
        char move[5];
        qp_move_text(d->right, move);
        printf("---- %s, ply %u %s%s%s%s, %u of %u plies\n%.*s", kind_names[what], d->ply, move,
               found ? "" : " NOT FOUND", whole ? "" : " NOT WHOLE", wrong ? " WRONG" : "", same,
               g->count, (int)d->text.len, d->text.data);
    }
    qp_buf_clear(&now_text);
    qp_buf_clear(&next);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    unsigned cards = 200, only = KINDS, unsettled = 0;
    uint64_t seed = 1;
    bool verbose = false, with_aims = false;
    pool games = {.plies_least = 30};
    for (int c; (c = getopt(argc, argv, "n:s:k:p:H:av")) != -1;) {
        if (c == 'n')
            cards = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 's')
            seed = strtoull(optarg, NULL, 10);
        else if (c == 'k')
            only = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'p')
            games.plies_least = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'H')
            games.half = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'a')
            with_aims = true;
        else if (c == 'v')
            verbose = true;
        else
            return 2;
    }
    qp_context *context = qp_context_new();
    for (int i = optind; i < argc; i++)
        pool_read(&games, context, argv[i]);
    if (optind == argc)
        pool_invent(&games, cards < 400 ? cards : 400);
    if (context == NULL || games.count == 0) {
        fputs("repair: no games\n", stderr);
        return 2;
    }
    fprintf(stderr, "%zu games\n", games.count);
    printf("%-26s cards  found  first  three  whole  plies claims wrong   ms   most\n", "");
    for (unsigned k = 0; k < KINDS; k++) {
        if (only < KINDS && k != only)
            continue;
        score s = {.ms = malloc((cards + 1) * sizeof(double))};
        gen_random random = {seed * 1000 + k};
        for (unsigned n = 0, tries = 0; n < cards && tries < cards * 4; tries++) {
            const game *g = &games.games[gen_below(&random, (unsigned)games.count)];
            damage d;
            make_card(context, g, (kind)k, &random, &d);
            if (d.done) {
                judge(context, g, (kind)k, &d, &s, verbose);
                n++;
            }
            qp_buf_clear(&d.text);
        }
        qsort(s.ms, s.cards, sizeof *s.ms, by_value);
        double per = s.cards ? 100.0 / s.cards : 0;
        printf("%-26s %5u %6.1f %6.1f %6.1f %6.1f %6.2f %6u %5u %5.1f %6.0f\n", kind_names[k],
               s.cards, s.found * per, s.first * per, s.three * per, s.whole * per,
               s.plies ? 100.0 * (double)s.plies_right / (double)s.plies : 0, s.claims, s.wrong,
               s.cards ? s.ms[s.cards / 2] : 0, s.cards ? s.ms[s.cards - 1] : 0);
        if (with_aims)
            print_aims((kind)k);
        fflush(stdout);
        free(s.ms);
        unsettled += s.unsettled;
    }
    pool_clear(&games);
    qp_context_free(context);
    if (unsettled != 0)
        fprintf(stderr, "repair: %u mended cards that want mending for ever\n", unsettled);
    return unsettled != 0;
}
