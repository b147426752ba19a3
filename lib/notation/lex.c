/* Text to a written move, without a board: one walk over the bytes, each character looked
 * up once, the forms that still fit kept as bits. The forms are those of the dialect
 * files; where two readings of a form are possible (一兵, 15=6), the written move holds
 * both. */
#include "config.h"

#include "notation/inside.h"

/* What the walk collected. */
typedef struct reading {
    qp_symbol symbols[QP_FORM_PARTS + 1]; /* the last is nothing, for parts not there */
    int shape;                            /* the form that fits */
    const unsigned char *end;             /* past its last character */
    bool spaced, arg_apart;               /* blanks inside; before the last symbol */
} reading;

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(unsigned char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

bool qp_lex_ends(const unsigned char *p, const unsigned char *end)
{
    if (p >= end || !is_letter(*p))
        return true;
    return end - p >= 2 &&
           (is_digit(p[1]) || p[1] == '+' || p[1] == '-' || p[1] == '=' || p[1] == '.');
}

/* 12-10 and 1.5.2004 are no pawns: what follows two digits, a sign and a digit at p. */
static bool digits_end(const unsigned char *p, const unsigned char *end)
{
    if (p >= end)
        return true;
    if (is_digit(*p))
        return p[-2] == '=' || p[-2] == '+';
    return !((*p == '-' || *p == '.' || *p == '/' || *p == ':') && end - p >= 2 &&
             is_digit(p[1]));
}

/* Whether p goes on as the number of a round does after its first digit: 5. 52 5、 5． */
static bool numbers(const unsigned char *p, const unsigned char *end)
{
    if (p >= end)
        return false;
    return *p == '.' || is_digit(*p) ||
           (end - p >= 3 && (memcmp(p, "、", 3) == 0 || memcmp(p, "．", 3) == 0));
}

/* Makes a written move of what fits a form; false where it only looks like one. */
static bool fill(const struct qp_lexer *lexer, const reading *r,
                 const unsigned char *text_end, qp_written *written)
{
    const uint8_t *place = lexer->places[r->shape];
    const qp_shape *shape = &lexer->shapes[r->shape];
    qp_symbol piece = r->symbols[place[QP_PART_PIECE]];
    qp_symbol which = r->symbols[place[QP_PART_WHICH]];
    qp_symbol road = r->symbols[place[QP_PART_ROAD]];
    qp_symbol way = r->symbols[place[QP_PART_WAY]];
    qp_symbol arg = r->symbols[place[QP_PART_ARG]];
    bool has_piece = shape->set & 1u << QP_PART_PIECE;
    bool has_which = shape->set & 1u << QP_PART_WHICH;
    bool has_road = shape->set & 1u << QP_PART_ROAD;
    bool latin = has_piece ? piece.latin : which.latin;
    unsigned style = piece.style | which.style | road.style | way.style | arg.style;

    if (r->spaced && latin && !lexer->apart)
        return false;
    if (r->arg_apart && arg.latin && numbers(r->end, text_end))
        return false;
    *written = (qp_written){.kind = piece.kind,
                            .kinds = piece.kinds,
                            .road = road.digit,
                            .way = way.way,
                            .arg = arg.digit,
                            .dialect = has_piece ? piece.dialect : which.dialect};
    if (has_piece && !has_which) {
        written->form = QP_FORM_PIECE_ROAD;
        if (place[QP_PART_ROAD] < place[QP_PART_PIECE]) {
            if (latin)
                return false;
            style |= QP_STYLE_FILE_FIRST;
        }
    } else if (has_piece) {
        bool first = place[QP_PART_WHICH] < place[QP_PART_PIECE];
        written->form = has_road ? QP_FORM_WHICH_PIECE_ROAD : QP_FORM_WHICH_PIECE;
        written->which = first ? which.before : which.after;
        if (!first && !latin)
            style |= QP_STYLE_PIECE_FIRST;
        if (first && which.latin && has_road && which.digit != 0)
            return false; /* 5兵七进一: a number stuck to the move */
        if (first && which.latin && which.digit == 0 && !latin)
            return false; /* -卒7平8: a dash before it */
        if (first && !has_road && which.digit != 0) {
            written->road = which.digit; /* 一兵 can be 兵一 */
            if (latin) {
                written->road = 0;
                if (piece.kind != QP_PAWN)
                    return false;
            } else if (piece.kind != QP_PAWN) {
                written->form = QP_FORM_PIECE_ROAD;
                written->which = QP_WHICH_NONE;
                style |= QP_STYLE_FILE_FIRST;
            }
        }
        if (which.latin && which.digit == 0)
            style |= QP_STYLE_WXF;
    } else {
        bool first = place[QP_PART_WHICH] < place[QP_PART_ROAD];
        written->form = has_road ? QP_FORM_WHICH_ROAD : QP_FORM_WHICH_PIECE;
        written->which = first ? which.before : which.after;
        if (latin && !way.latin)
            return false;
        if (!has_road)
            written->kind = QP_PAWN;
        if (has_road && first && which.digit != 0) {
            written->form = QP_FORM_DIGITS;
            written->which = which.digit;
            if (latin && !digits_end(r->end, text_end))
                return false;
        }
    }
    if (latin) {
        style |= QP_STYLE_WXF;
        if (!qp_lex_ends(r->end, text_end))
            return false;
    }
    if (r->spaced)
        style |= QP_STYLE_SPACED;
    written->style = (uint16_t)style;
    if (QP_RARE(style & QP_STYLE_TRADITIONAL) && lexer->traditional >= 0 &&
        written->dialect == lexer->chinese)
        written->dialect = (uint8_t)lexer->traditional;
    return true;
}

/* The walk where spellings of several characters may stand: at each place the longest of
 * them is tried, then the character alone. Calls itself once a place, six at the most. */
static bool walk(const struct qp_lexer *lexer, const unsigned char *p,
                 const unsigned char *end, unsigned at, unsigned alive, reading *r)
{
    unsigned len = 0;
    qp_symbol symbol = {0};
    bool spaced = r->spaced, apart = false;
    while (p < end) {
        symbol = qp_symbol_at(lexer, p, end, &len);
        if (!symbol.blank || at == 0)
            break;
        apart |= !symbol.unseen;
        p += len;
    }
    if (p >= end)
        return false;
    for (int turn = 0; turn < 2; turn++) {
        qp_symbol tried = symbol;
        size_t used = len;
        if (turn == 0) {
            uint64_t set = 0;
            if (!symbol.several)
                continue;
            used =
                qp_trie_match(lexer->several, (const char *)p, (size_t)(end - p), &set);
            if (used == 0)
                continue;
            tried = lexer->several_symbols[qp_highest_bit(set)];
        }
        unsigned fits = alive & lexer->allow[at][tried.can];
        if (fits == 0)
            continue;
        r->symbols[at] = tried;
        r->spaced = spaced || apart;
        if (fits & lexer->ends[at + 1]) {
            r->shape = (int)qp_lowest_bit(fits & lexer->ends[at + 1]);
            r->end = p + used;
            r->arg_apart = apart;
            return true;
        }
        if (at + 1 < QP_FORM_PARTS && walk(lexer, p + used, end, at + 1, fits, r))
            return true;
        r->spaced = spaced;
    }
    return false;
}

/* The symbol of a character of three bytes. */
static inline qp_symbol wide_symbol(const struct qp_lexer *lexer, const unsigned char *p)
{
    unsigned block = lexer->block[(p[0] & 15u) << 6 | (p[1] & 63u)];
    return lexer->symbols[block * 64u + (p[2] & 63u)];
}

bool qp_lex_usual(const struct qp_lexer *lexer, const char *text, qp_written *written)
{
    const unsigned char *p = (const unsigned char *)text;
    if ((p[0] & p[3] & p[6] & p[9] & 0xf0) != 0xe0 ||
        ((p[0] | p[3] | p[6] | p[9]) & 0x10) != 0)
        return false;
    qp_symbol piece = wide_symbol(lexer, p), road = wide_symbol(lexer, p + 3);
    qp_symbol way = wide_symbol(lexer, p + 6), arg = wide_symbol(lexer, p + 9);
    unsigned alive = lexer->allow[0][piece.can] & lexer->allow[1][road.can] &
                     lexer->allow[2][way.can];
    if (alive & lexer->ends[3])
        return false;
    alive &= lexer->allow[3][arg.can] & lexer->ends[4];
    if ((alive & -alive) != lexer->usual || alive == 0 || piece.latin || piece.side)
        return false;
    unsigned style = piece.style | road.style | way.style | arg.style;
    unsigned dialect = piece.dialect;
    if (style & QP_STYLE_TRADITIONAL && lexer->traditional >= 0 &&
        (int)dialect == lexer->chinese)
        dialect = (unsigned)lexer->traditional;
    *written = (qp_written){.form = QP_FORM_PIECE_ROAD,
                            .kind = piece.kind,
                            .kinds = piece.kinds,
                            .road = road.digit,
                            .way = way.way,
                            .arg = arg.digit,
                            .dialect = (uint8_t)dialect,
                            .style = (uint16_t)style};
    return true;
}

/* The symbol of a byte of ASCII. */
static inline qp_symbol narrow_symbol(const struct qp_lexer *lexer, unsigned char c)
{
    return lexer->symbols[lexer->block[c >> 6] * 64u + (c & 63u)];
}

/* The usual coordinates, h2e2: four bytes of ASCII that no form reads, no digit or letter
 * behind them. What qp_lex_coord makes of them; false where that has to be asked. */
static bool lex_squares(const struct qp_lexer *lexer, const unsigned char *p,
                        const unsigned char *end, qp_written *written)
{
    if (end - p < 4 || ((p[0] | p[1] | p[2] | p[3]) & 0x80) != 0)
        return false;
    qp_symbol from_file = narrow_symbol(lexer, p[0]), from_rank = narrow_symbol(lexer, p[1]);
    qp_symbol to_file = narrow_symbol(lexer, p[2]), to_rank = narrow_symbol(lexer, p[3]);
    if (!from_file.file || !from_rank.rank || !to_file.file || !to_rank.rank ||
        from_file.side)
        return false;
    if (p + 4 < end && (is_letter(p[4]) || is_digit(p[4])))
        return false;
    unsigned forms = lexer->allow[0][from_file.can] & lexer->allow[1][from_rank.can];
    if (forms & (lexer->allow[2][to_file.can] | lexer->ends[2]))
        return false;
    *written = (qp_written){.form = QP_FORM_COORD,
                            .dialect = lexer->coordinates,
                            .from_file = (uint8_t)(from_file.file - 1),
                            .from_rank = (uint8_t)(from_rank.rank - 1),
                            .to_file = (uint8_t)(to_file.file - 1),
                            .to_rank = (uint8_t)(to_rank.rank - 1)};
    return true;
}

/* Any move, by a walk over all that it can be. */
static QP_APART size_t lex_any(const struct qp_lexer *lexer, const char *text, size_t len,
                               qp_written *written)
{
    const unsigned char *start = (const unsigned char *)text, *p = start,
                        *end = start + len;
    unsigned alive = lexer->all, at = 0, used;
    bool several = false, apart = false;
    reading r;

    if (len == 0)
        return 0;
    if (QP_RARE(lexer->san))
        return qp_lex_san(lexer, text, len, written);
    r.spaced = false;
    qp_symbol symbol = qp_symbol_at(lexer, p, end, &used), first;
    if (QP_RARE(symbol.side)) { /* 红车八进一 */
        do {
            p += used;
            if (p >= end)
                return 0;
            symbol = qp_symbol_at(lexer, p, end, &used);
        } while (symbol.blank);
    }
    start = p;
    first = symbol;
    for (;;) {
        several |= symbol.several;
        if (QP_RARE(symbol.blank) && at != 0) {
            if (!symbol.unseen)
                r.spaced = apart = true;
        } else {
            alive &= lexer->allow[at][symbol.can];
            if (alive == 0)
                break;
            r.symbols[at++] = symbol;
            if (alive & lexer->ends[at]) {
                r.shape = (int)qp_lowest_bit(alive & lexer->ends[at]);
                r.end = p + used;
                r.arg_apart = apart;
                r.symbols[QP_FORM_PARTS] = (qp_symbol){0};
                if (fill(lexer, &r, end, written))
                    return (size_t)(r.end - (const unsigned char *)text);
                break;
            }
            apart = false;
            if (at == QP_FORM_PARTS)
                break;
        }
        p += used;
        if (p >= end)
            break;
        symbol = qp_symbol_at(lexer, p, end, &used);
    }
    if (first.file != 0) {
        size_t taken = qp_lex_coord(lexer, start, end, written);
        if (taken != 0)
            return taken + (size_t)(start - (const unsigned char *)text);
    }
    if (several) {
        r.symbols[QP_FORM_PARTS] = (qp_symbol){0};
        r.spaced = false;
        if (walk(lexer, start, end, 0, lexer->all, &r) && fill(lexer, &r, end, written))
            return (size_t)(r.end - (const unsigned char *)text);
    }
    return 0;
}

size_t qp_lex_move(const struct qp_lexer *lexer, const char *text, size_t len,
                   qp_written *written)
{
    const unsigned char *p = (const unsigned char *)text;
    if (len >= QP_USUAL && qp_lex_usual(lexer, text, written))
        return QP_USUAL;
    if (lex_squares(lexer, p, p + len, written))
        return 4;
    return lex_any(lexer, text, len, written);
}

qp_sign qp_lex_sign(const struct qp_lexer *lexer, const char *text, size_t len, size_t *used)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned bytes;
    qp_symbol symbol = qp_symbol_at(lexer, p, p + len, &bytes);
    qp_sign sign = {.style = symbol.style};
    *used = bytes;
    if (symbol.can & QP_CAN_PIECE)
        sign.kinds = (uint8_t)(symbol.kind ? 1u << symbol.kind : symbol.kinds);
    if (symbol.can & QP_CAN_DIGIT)
        sign.digit = symbol.digit;
    if (symbol.can & QP_CAN_WAY)
        sign.way = symbol.way;
    if (symbol.can & (QP_CAN_BEFORE | QP_CAN_ORDER))
        sign.before = symbol.before;
    if (symbol.can & (QP_CAN_AFTER | QP_CAN_MARK))
        sign.after = symbol.after;
    return sign;
}

bool qp_lex_resembles_move(const struct qp_lexer *lexer, qp_str token)
{
    const unsigned char *p = (const unsigned char *)token.data, *end = p + token.len;
    qp_symbol symbols[QP_FORM_PARTS];
    unsigned count = 0, used;
    while (p < end && count < QP_FORM_PARTS) {
        qp_symbol symbol = qp_symbol_at(lexer, p, end, &used);
        if (symbol.side && count == 0)
            symbol.blank = 1;
        if (!symbol.blank)
            symbols[count++] = symbol;
        p += used;
    }
    /* One character off a form, or its last one missing: 炮二乎五, 土四进五, 炮二平. In
     * Latin letters the piece and the sign must be there. */
    for (size_t i = 0; i < lexer->shape_count; i++) {
        const qp_shape *shape = &lexer->shapes[i];
        unsigned bit = 1u << i, good = 0, seen = 0;
        if (count + 1 < shape->count)
            continue;
        for (unsigned at = 0; at < shape->count && at < count; at++)
            if (lexer->allow[at][symbols[at].can] & bit) {
                good++;
                seen |= 1u << shape->parts[at];
            }
        bool piece = seen & 1u << QP_PART_PIECE, way = seen & 1u << QP_PART_WAY;
        if (good + 1 >= shape->count && good >= 3 &&
            (symbols[0].latin ? piece && way && count <= shape->count + 1u
                              : piece || way))
            return true;
    }
    return false;
}
