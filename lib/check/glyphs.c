/* What a token can be misread from: each character has a cost for each sign of notation, and
 * a move costs what its cheapest spelling costs, character by character. Nothing is spelled
 * out as text for that. */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

static void cheaper(uint8_t *cost, unsigned offered)
{
    if (offered < *cost)
        *cost = (uint8_t)offered;
}

static void take_sign(qp_glyph *g, const qp_sign *sign, unsigned cost)
{
    for (unsigned kind = QP_KING; kind <= QP_PAWN; kind++)
        if (sign->kinds >> kind & 1)
            cheaper(&g->piece[kind], cost);
    if (sign->digit != 0)
        cheaper(&g->digit[sign->digit], cost);
    if (sign->way != 0)
        cheaper(&g->way[sign->way], cost);
    if (sign->before != 0)
        cheaper(&g->before[sign->before], cost);
    if (sign->after != 0)
        cheaper(&g->after[sign->after], cost);
}

static bool is_lost(uint32_t c)
{
    return c == 0xFFFD || c == 0x25A1 || c == 0x25A0 || c == '?' || c == 0xFF1F || c == '_' ||
           c == 0xFF3F || c == '*' || c == 0x25CB || c == 0x3007 || c == 0x56D7 || c == 0xFF0A;
}

static void split_glyph(qp_glyph *g, const char *p, size_t n, const struct qp_lexer *lexer,
                        const qp_confusions *confusions)
{
    size_t len;
    uint32_t c = qp_utf8_at(p, n, &len);
    qp_sign sign = qp_lex_sign(lexer, p, n, &len);
    g->sign = sign.kinds != 0 || sign.digit != 0 || sign.way != 0 || sign.before != 0 ||
              sign.after != 0;
    g->lost = !g->sign && is_lost(c);
    int any = g->sign ? QP_COST_OTHER : g->lost ? QP_COST_LOST : QP_COST_STRANGE;
    memset(g->piece, any, sizeof g->piece);
    memset(g->digit, any, sizeof g->digit);
    memset(g->way, any, sizeof g->way);
    memset(g->before, any, sizeof g->before);
    memset(g->after, any, sizeof g->after);
    const qp_confusion *row;
    size_t count = qp_confusions_find(confusions, c, &row);
    for (size_t i = 0; i < count; i++) {
        char right[4];
        size_t used, size = qp_utf8_put(right, row[i].right);
        qp_sign meant = qp_lex_sign(lexer, right, size, &used);
        take_sign(g, &meant,
                  row[i].cost == 1   ? QP_COST_SURE
                  : row[i].cost == 2 ? QP_COST_LIKE
                                     : QP_COST_SIGN);
    }
    take_sign(g, &sign, 0);
}

static unsigned least_of(const uint8_t *costs, size_t count)
{
    unsigned least = costs[0];
    for (size_t i = 1; i < count; i++)
        if (costs[i] < least)
            least = costs[i];
    return least;
}

/* 乌7迸8: no character is right, or few, and yet it can only be a move. */
static bool is_like_move(const qp_glyph *g)
{
    return (least_of(g[0].piece + 1, 7) <= QP_COST_LIKE ||
            least_of(g[0].before + 1, 15) <= QP_COST_LIKE) &&
           (least_of(g[1].digit + 1, 9) <= QP_COST_LIKE ||
            least_of(g[1].piece + 1, 7) <= QP_COST_LIKE) &&
           least_of(g[2].way + 1, 3) <= QP_COST_LIKE &&
           least_of(g[3].digit + 1, 9) <= QP_COST_LIKE;
}

void qp_clues_split(qp_clues *clues, const qp_record *record, const struct qp_lexer *lexer,
                    const qp_confusions *confusions)
{
    clues->glyphs = malloc((clues->count + 1) * QP_GLYPHS_MAX * sizeof *clues->glyphs);
    if (clues->glyphs == NULL) {
        clues->failed = true;
        return;
    }
    for (size_t i = 0; i < clues->count; i++) {
        qp_clue *clue = &clues->clue[i];
        const char *p = record->text + clue->at;
        size_t n = clue->len, len;
        clue->glyph = (uint32_t)clues->glyph_count;
        if (clue->kind != QP_CLUE_MOVE)
            continue;
        for (size_t k = 0; k < n; k += len) {
            qp_utf8_at(p + k, n - k, &len);
            if (qp_blank_len(p + k, n - k) != 0)
                continue;
            if (clue->glyph_count == QP_GLYPHS_MAX) {
                clue->glyph_count = 0; /* too long to be a move */
                break;
            }
            qp_glyph *g = &clues->glyphs[clue->glyph + clue->glyph_count++];
            *g = (qp_glyph){.at = (uint32_t)(clue->at + k), .len = (uint32_t)len};
            split_glyph(g, p + k, n - k, lexer, confusions);
        }
        clue->like = clue->glyph_count == 4 && is_like_move(&clues->glyphs[clue->glyph]);
        clues->glyph_count = clue->glyph + clue->glyph_count;
    }
}

/* ---- moves as signs ---- */

typedef struct spelling {
    qp_kind kind;
    unsigned road, way, arg;
    unsigned index, count; /* of its file, front to rear */
} spelling;

static unsigned which_cost(const uint8_t cost[16], const spelling *s)
{
    unsigned best = QP_COST_NONE, n = s->count, i = s->index;
    if (i == 0)
        best = cost[QP_WHICH_FRONT];
    if (i + 1 == n && cost[QP_WHICH_REAR] < best)
        best = cost[QP_WHICH_REAR];
    if (n == 3 && i == 1 && cost[QP_WHICH_MIDDLE] < best)
        best = cost[QP_WHICH_MIDDLE];
    if (i < 5 && s->kind == QP_PAWN && cost[QP_WHICH_1 + i] < best)
        best = cost[QP_WHICH_1 + i];
    return best;
}

static unsigned add_up(unsigned a, unsigned b, unsigned c, unsigned d)
{
    unsigned sum = a + b + c + d;
    return sum < QP_COST_NONE ? sum : QP_COST_NONE;
}

/* Four glyphs against the usual forms. */
static unsigned four(const qp_glyph *a, const qp_glyph *b, const qp_glyph *c,
                     const qp_glyph *d, const spelling *s)
{
    unsigned tail = (unsigned)c->way[s->way] + d->digit[s->arg];
    unsigned best = add_up(a->piece[s->kind], b->digit[s->road], tail, 0), other;
    if (s->count > 1) {
        other = add_up(which_cost(a->before, s), b->piece[s->kind], tail, 0);
        if (other < best)
            best = other;
        other = add_up(a->piece[s->kind], which_cost(b->after, s), tail, 0);
        if (other < best)
            best = other;
        if (s->kind == QP_PAWN) {
            other = add_up(which_cost(a->before, s), b->digit[s->road], tail, 0);
            if (other < best)
                best = other;
        }
    }
    return best;
}

/* The same with one glyph too few, by a place left free for it. */
static unsigned three(const qp_glyph *g, const spelling *s)
{
    static const qp_glyph nothing; /* costs nothing; the drop is paid for */
    unsigned best = QP_COST_NONE;
    for (unsigned gap = 0; gap < 4; gap++) {
        const qp_glyph *at[4];
        for (unsigned i = 0, k = 0; i < 4; i++)
            at[i] = i == gap ? &nothing : &g[k++];
        unsigned cost = four(at[0], at[1], at[2], at[3], s);
        if (cost < best)
            best = cost;
    }
    return best + QP_COST_DROPPED < QP_COST_NONE ? best + QP_COST_DROPPED : QP_COST_NONE;
}

static unsigned five(const qp_glyph *g, const spelling *s)
{
    unsigned best = QP_COST_NONE;
    if (s->kind == QP_PAWN && s->count > 1) /* 前兵九平八 */
        best = add_up(which_cost(g[0].before, s), g[1].piece[s->kind], g[2].digit[s->road],
                      (unsigned)g[3].way[s->way] + g[4].digit[s->arg]);
    for (unsigned out = 0; out < 5; out++) {
        const qp_glyph *at[4];
        for (unsigned i = 0, k = 0; i < 5; i++)
            if (i != out)
                at[k++] = &g[i];
        unsigned cost = four(at[0], at[1], at[2], at[3], s) + QP_COST_DROPPED;
        if (cost < best)
            best = cost;
    }
    return best;
}

static void spell(const qp_board *board, qp_move move, spelling *s)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    qp_piece piece = board->at[from];
    qp_side side = QP_PIECE_SIDE(piece);
    int rise = (QP_RANK(to) - QP_RANK(from)) * QP_FORWARD(side);
    s->kind = QP_PIECE_KIND(piece);
    s->road = (unsigned)QP_ROAD(side, QP_FILE(from));
    s->way = rise > 0 ? QP_WAY_FORWARD : rise < 0 ? QP_WAY_BACK : QP_WAY_ACROSS;
    s->arg = QP_FILE(from) != QP_FILE(to) ? (unsigned)QP_ROAD(side, QP_FILE(to))
                                          : (unsigned)(rise < 0 ? -rise : rise);
    s->index = s->count = 0;
    for (int i = 0; i < 10; i++) {
        int square = QP_SQUARE(QP_FILE(from), side == QP_RED ? 9 - i : i);
        if (board->at[square] != piece)
            continue;
        if (square == (int)from)
            s->index = s->count;
        s->count++;
    }
}

/* Squares as coordinates, h2e2. */
static unsigned coordinates(const qp_clue *clue, qp_move move)
{
    if (clue->written.form != QP_FORM_COORD)
        return QP_COST_NONE;
    unsigned from = QP_FROM(move), to = QP_TO(move);
    unsigned wrong = (clue->written.from_file != QP_FILE(from)) +
                     (unsigned)(clue->written.from_rank != QP_RANK(from)) +
                     (clue->written.to_file != QP_FILE(to)) +
                     (unsigned)(clue->written.to_rank != QP_RANK(to));
    return wrong == 1 ? QP_COST_OTHER : QP_COST_NONE;
}

unsigned qp_glyphs_cost(const qp_clues *clues, const qp_clue *clue, const qp_board *board,
                        qp_move move, bool *seat)
{
    const qp_glyph *g = clues->glyphs + clue->glyph;
    spelling s;
    *seat = false;
    if (clue->written.form == QP_FORM_COORD || clue->written.form == QP_FORM_SQUARES)
        return coordinates(clue, move);
    if (clue->written.form == QP_FORM_SAN)
        return QP_COST_NONE;
    if (clue->glyph_count < 3 || clue->glyph_count > 5)
        return QP_COST_NONE;
    spell(board, move, &s);
    unsigned cost = clue->glyph_count == 4   ? four(&g[0], &g[1], &g[2], &g[3], &s)
                    : clue->glyph_count == 3 ? three(g, &s)
                                             : five(g, &s);
    if (clue->glyph_count == 4) {
        spelling mirrored = s;
        mirrored.road = 10 - s.road;
        if (QP_FILE(QP_FROM(move)) != QP_FILE(QP_TO(move)))
            mirrored.arg = 10 - s.arg;
        if (cost > QP_COST_SEAT && four(&g[0], &g[1], &g[2], &g[3], &mirrored) == 0) {
            *seat = true;
            cost = QP_COST_SEAT;
        }
    }
    return cost;
}
