/* Makes the lexer: every spelling of every dialect in one table from characters to
 * symbols, and the forms as bit masks. What a spelling means is the dialects' to say;
 * what an order word may stand for where is decided here, once, so that reading need not
 * ask. */
#include "config.h"

#include "notation/inside.h"

#include <stdio.h>
#include <stdlib.h>

/* While the table is made, these bits say which writer uses a glyph; they are told from
 * the style bits of whole moves, which no symbol has. */
enum {
    USED_SIMPLIFIED = QP_STYLE_PIECE_FIRST,
    USED_TRADITIONAL = QP_STYLE_FILE_FIRST,
    USED = QP_STYLE_SPACED,
};

typedef struct maker {
    struct qp_lexer *lexer;
    qp_symbol *symbols; /* the lexer's */
    qp_far *far;
    const qp_folds *folds;
    char *error;
    bool failed, has_files;
    bool apart; /* letters are order words behind a piece too */
    /* the row at work */
    const qp_dialect *dialect;
    const qp_row *row;
    unsigned index, used;
} maker;

static bool is_letter(uint32_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static qp_symbol *far_symbol(maker *m, uint32_t c)
{
    struct qp_lexer *lexer = m->lexer;
    size_t i = 0;
    while (i < lexer->far_count && m->far[i].code_point < c)
        i++;
    if (i < lexer->far_count && m->far[i].code_point == c)
        return &m->far[i].symbol;
    qp_far *grown = realloc(m->far, (lexer->far_count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    lexer->far = m->far = grown;
    memmove(grown + i + 1, grown + i, (lexer->far_count - i) * sizeof *grown);
    lexer->far_count++;
    grown[i] = (qp_far){.code_point = c};
    return &grown[i].symbol;
}

/* The symbol of a character, for filling; NULL (and failed) where memory ran out. */
static qp_symbol *symbol_of(maker *m, uint32_t c)
{
    struct qp_lexer *lexer = m->lexer;
    qp_symbol *found;
    if (c > 0xffff) {
        found = far_symbol(m, c);
        m->failed |= found == NULL;
        return found;
    }
    uint16_t *block = &lexer->block[c >> 6];
    if (*block == 0) {
        qp_symbol *grown =
            realloc(m->symbols, (lexer->block_count + 1) * 64 * sizeof *grown);
        if (grown == NULL) {
            m->failed = true;
            return NULL;
        }
        lexer->symbols = m->symbols = grown;
        memset(grown + lexer->block_count * 64, 0, 64 * sizeof *grown);
        *block = (uint16_t)lexer->block_count++;
    }
    return &m->symbols[*block * 64u + (c & 63)];
}

static void clash(maker *m, qp_str spelling)
{
    if (m->error[0] == '\0')
        snprintf(m->error, 256, "line %zu: \"%.*s\" already means another %.*s",
                 m->row->line, (int)spelling.len, spelling.data, (int)m->row->kind.len,
                 m->row->kind.data);
    m->failed = true;
}

/* Adds the meanings of one symbol to another. false: they cannot both be. */
static bool merge(qp_symbol *into, const qp_symbol *from)
{
#define CLASHES(field)                                                                   \
    (into->field != 0 && from->field != 0 && into->field != from->field)
    if (CLASHES(digit) || CLASHES(before) || CLASHES(after) || CLASHES(way) ||
        CLASHES(file) || CLASHES(rank))
        return false;
#undef CLASHES
    if (into->can == 0 && into->file == 0 && into->side == 0)
        into->dialect = from->dialect;
    into->can |= from->can;
    into->kinds |= from->kinds;
    into->digit |= from->digit;
    into->before |= from->before;
    into->after |= from->after;
    into->way |= from->way;
    into->file |= from->file;
    into->rank |= from->rank;
    into->side |= from->side;
    into->separator |= from->separator;
    into->blank |= from->blank;
    into->unseen |= from->unseen;
    into->several |= from->several;
    into->latin |= from->latin;
    into->style |= from->style;
    return true;
}

/* The place of a meaning among those of several characters, which spellings share, from `least`
 * on; -1 where there is no room. */
static int several_place(maker *m, const qp_symbol *meaning, size_t least)
{
    struct qp_lexer *lexer = m->lexer;
    size_t i = least;
    while (i < lexer->several_count &&
           memcmp(&lexer->several_symbols[i], meaning, sizeof *meaning) != 0)
        i++;
    if (i == QP_SEVERAL_MAX) {
        if (m->error[0] == '\0')
            snprintf(m->error, 256, "line %zu: more than %d meanings of several characters",
                     m->row->line, QP_SEVERAL_MAX);
        m->failed = true;
        return -1;
    }
    lexer->several_symbols[i] = *meaning;
    lexer->several_count += i == lexer->several_count;
    return (int)i;
}

/* A spelling of several characters: kept in a trie beside the table. One that means two things
 * gets the place of both, which is the last of its places. */
static void add_several(maker *m, qp_str spelling, const qp_symbol *meaning,
                        uint32_t first)
{
    struct qp_lexer *lexer = m->lexer;
    uint64_t set = 0;
    qp_symbol both = *meaning;
    size_t least = 0;
    if (lexer->several == NULL)
        lexer->several = qp_trie_new();
    if (lexer->several == NULL) {
        m->failed = true;
        return;
    }
    if (qp_trie_match(lexer->several, spelling.data, spelling.len, &set) == spelling.len) {
        both = lexer->several_symbols[qp_highest_bit(set)];
        least = qp_highest_bit(set) + 1;
        if (!merge(&both, meaning)) {
            clash(m, spelling);
            return;
        }
    }
    int place = several_place(m, &both, least);
    if (place < 0)
        return;
    if (!qp_trie_add(lexer->several, spelling, (uint64_t)1 << place))
        m->failed = true;
    qp_symbol *start = symbol_of(m, first);
    if (start != NULL)
        start->several = 1;
}

static void add_spelling(maker *m, qp_str spelling, qp_symbol meaning)
{
    size_t len = 0;
    if (spelling.len == 0)
        return;
    uint32_t c = qp_utf8_at(spelling.data, spelling.len, &len);
    meaning.dialect = m->index & 63;
    if (len < spelling.len) {
        add_several(m, spelling, &meaning, c);
        return;
    }
    meaning.latin = qp_fold(m->folds, c) < 0x80;
    qp_symbol *symbol = symbol_of(m, c);
    if (symbol != NULL && !merge(symbol, &meaning))
        clash(m, spelling);
}

/* Where an order word may stand. Letters and signs have their places so that nothing else
 * reads differently: Pa is the first pawn, bC the rear cannon, +4 and 4+ pawns of file 4.
 */
static qp_symbol order_word(qp_str spelling, unsigned which, const qp_folds *folds,
                            bool apart)
{
    qp_symbol made = {0};
    size_t len = 0;
    uint32_t c = spelling.len != 0
                     ? qp_fold(folds, qp_utf8_at(spelling.data, spelling.len, &len))
                     : 0;
    bool letter = len == spelling.len && is_letter(c);
    if (which == QP_WHICH_SECOND_FRONT || which == QP_WHICH_SECOND_REAR)
        made.can = QP_CAN_OUTER;
    else if (which <= QP_WHICH_5)
        made.can = letter ? QP_CAN_AFTER : QP_CAN_BEFORE | QP_CAN_ORDER;
    else if (apart && spelling.data[0] > 0)
        made.can = QP_CAN_AFTER;
    else if (letter)
        made.can = QP_CAN_BEFORE;
    else if (which == QP_WHICH_MIDDLE && c < 0x80)
        made.can = QP_CAN_AFTER;
    else
        made.can = QP_CAN_BEFORE | QP_CAN_AFTER | QP_CAN_ORDER | QP_CAN_MARK;
    if (made.can & (QP_CAN_BEFORE | QP_CAN_ORDER | QP_CAN_OUTER))
        made.before = which & 15;
    if (made.can & (QP_CAN_AFTER | QP_CAN_MARK))
        made.after = which & 15;
    return made;
}

static qp_symbol meaning_of(maker *m, qp_part part, unsigned value, qp_str spelling)
{
    const qp_row *row = m->row;
    qp_symbol made = {0};
    size_t len;
    uint32_t c = qp_utf8_at(spelling.data, spelling.len, &len);
    switch (part) {
    case QP_PART_PIECE:
        made.can = QP_CAN_PIECE;
        made.kinds = 1u << value & 255;
        if (spelling.data == row->spellings[0].data)
            made.style =
                m->used | (qp_str_is(row->kind, "piece.red") ? QP_STYLE_GLYPH_RED
                                                             : QP_STYLE_GLYPH_BLACK);
        break;
    case QP_PART_WHICH:
        made = order_word(spelling, value, m->folds, m->apart);
        break;
    case QP_PART_ARG:
        made.can = QP_CAN_DIGIT;
        made.digit = value & 15;
        made.style = c >= 0x3400 && qp_fold(m->folds, c) >= 0x80 ? QP_STYLE_DIGIT_CHINESE
                                                                 : QP_STYLE_DIGIT_ARABIC;
        if (value > QP_WHICH_5 && len == spelling.len && c < 0x80)
            made.can |= QP_CAN_ORDER; /* 77=6, 62.5 */
        return made;
    case QP_PART_WAY:
        made.can = QP_CAN_WAY;
        made.way = value & 3;
        break;
    case QP_PART_FILE:
        if (!m->has_files)
            m->lexer->coordinates = (uint8_t)m->index;
        m->has_files = true;
        made.file = (value + 1) & 15;
        break;
    case QP_PART_RANK:
        made.rank = (value + 1) & 15;
        break;
    default:
        made.separator = 1;
        break;
    }
    if (spelling.data == row->spellings[0].data)
        made.style |= m->used;
    return made;
}

static void add_row(maker *m)
{
    const qp_row *row = m->row;
    qp_part part = QP_PART_COUNT;
    qp_symbol side = {.side = 1};
    int value = qp_row_value(row, &part);
    if (qp_str_is(row->kind, "side"))
        for (size_t i = 0; i < row->spelling_count; i++)
            add_spelling(m, row->spellings[i], side);
    if (value < 0)
        return;
    for (size_t i = 0; i < row->spelling_count && !m->failed; i++) {
        if (part == QP_PART_RANK && value == 10)
            continue; /* 1 and 0: see qp_lex_coord */
        add_spelling(m, row->spellings[i],
                     meaning_of(m, part, (unsigned)value, row->spellings[i]));
    }
}

/* What an order word must be able to be at its place in a form. */
static unsigned which_needs(const qp_shape *shape, size_t at)
{
    size_t piece = QP_FORM_PARTS, road = QP_FORM_PARTS;
    for (size_t i = 0; i < shape->count; i++) {
        if (shape->parts[i] == QP_PART_PIECE)
            piece = i;
        if (shape->parts[i] == QP_PART_ROAD)
            road = i;
    }
    if (piece < QP_FORM_PARTS && at < piece)
        return QP_CAN_BEFORE;
    if (road < QP_FORM_PARTS)
        return at < road ? QP_CAN_ORDER : QP_CAN_MARK;
    return piece < QP_FORM_PARTS ? QP_CAN_AFTER : QP_CAN_OUTER;
}

static void add_form(maker *m, const qp_shape *shape)
{
    struct qp_lexer *lexer = m->lexer;
    for (size_t i = 0; i < lexer->shape_count; i++)
        if (memcmp(&lexer->shapes[i], shape, sizeof *shape) == 0)
            return;
    if (shape->set & 1u << QP_PART_FILE) {
        lexer->san |= (shape->set & 1u << QP_PART_PIECE) != 0;
        return;
    }
    if (lexer->shape_count == QP_FORMS_MAX)
        return;
    size_t index = lexer->shape_count++;
    unsigned bit = 1u << index;
    lexer->shapes[index] = *shape;
    memset(lexer->places[index], QP_FORM_PARTS, QP_PART_COUNT);
    for (size_t at = 0; at < shape->count; at++) {
        unsigned needs = shape->parts[at] == QP_PART_PIECE   ? QP_CAN_PIECE
                         : shape->parts[at] == QP_PART_WHICH ? which_needs(shape, at)
                         : shape->parts[at] == QP_PART_WAY   ? QP_CAN_WAY
                                                             : QP_CAN_DIGIT;
        lexer->places[index][shape->parts[at]] = (uint8_t)at;
        for (unsigned can = 0; can < 256; can++)
            if (can & needs)
                lexer->allow[at][can] |= (uint16_t)bit;
    }
    lexer->ends[shape->count] |= (uint16_t)bit;
    lexer->all |= (uint16_t)bit;
}

/* Characters that count as one that has a meaning have it too. */
static void add_variants(maker *m, uint32_t c, qp_symbol symbol)
{
    uint32_t variants[16];
    size_t count = qp_fold_variants(m->folds, c, variants, QP_COUNT(variants));
    for (size_t i = 0; i < count && i < QP_COUNT(variants); i++) {
        qp_symbol *made = symbol_of(m, variants[i]);
        if (made != NULL)
            merge(made, &symbol); /* what the variant means by itself goes before */
    }
}

static void add_all_variants(maker *m)
{
    struct qp_lexer *lexer = m->lexer;
    static const qp_symbol none;
    uint16_t block[1024];
    memcpy(block, lexer->block, sizeof block);
    for (uint32_t i = 0; i < QP_COUNT(block); i++)
        for (uint32_t k = 0; block[i] != 0 && k < 64; k++) {
            qp_symbol symbol = lexer->symbols[block[i] * 64u + k];
            if (memcmp(&symbol, &none, sizeof symbol) != 0)
                add_variants(m, i << 6 | k, symbol);
        }
}

/* White space and characters that cannot be seen may stand within a move, line ends not.
 */
static void add_blanks(maker *m)
{
    static const uint16_t blanks[] = {'\t',   ' ',    0xa0,   0x2000, 0x2001, 0x2002,
                                      0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
                                      0x2009, 0x200a, 0x202f, 0x205f, 0x3000};
    static const uint16_t unseen[] = {0xad,   0x200b, 0x200c, 0x200d,
                                      0x200e, 0x200f, 0x2060, 0xfeff};
    for (size_t i = 0; i < QP_COUNT(blanks); i++) {
        qp_symbol *symbol = symbol_of(m, blanks[i]);
        if (symbol != NULL)
            symbol->blank = 1;
    }
    for (size_t i = 0; i < QP_COUNT(unseen); i++) {
        qp_symbol *symbol = symbol_of(m, unseen[i]);
        if (symbol != NULL)
            symbol->blank = symbol->unseen = 1;
    }
}

/* Which form is the usual one; no other may have come to its end by its second place. */
static void find_usual(struct qp_lexer *lexer)
{
    static const uint8_t parts[] = {QP_PART_PIECE, QP_PART_ROAD, QP_PART_WAY,
                                    QP_PART_ARG};
    for (size_t i = 0; i < lexer->shape_count; i++)
        if (lexer->shapes[i].count == QP_COUNT(parts) &&
            memcmp(lexer->shapes[i].parts, parts, sizeof parts) == 0 &&
            lexer->ends[1] == 0 && lexer->ends[2] == 0)
            lexer->usual = (uint16_t)(1u << i);
}

static void settle(qp_symbol *symbol)
{
    unsigned style = symbol->style;
    unsigned both = QP_STYLE_GLYPH_RED | QP_STYLE_GLYPH_BLACK;
    if ((style & both) == both)
        style &= ~both;
    if ((style & (USED_SIMPLIFIED | USED_TRADITIONAL)) == USED_SIMPLIFIED)
        style |= QP_STYLE_SIMPLIFIED;
    if ((style & (USED_SIMPLIFIED | USED_TRADITIONAL)) == USED_TRADITIONAL)
        style |= QP_STYLE_TRADITIONAL;
    if (symbol->can & QP_CAN_WAY && !symbol->latin && !(style & USED))
        style |= QP_STYLE_RARE_WAY;
    style &= ~(unsigned)(USED | USED_SIMPLIFIED | USED_TRADITIONAL);
    symbol->style = style & 2047;
    if (symbol->blank) /* never part of a form */
        symbol->can = 0;
    for (unsigned kind = QP_KING; kind <= QP_PAWN; kind++)
        if (symbol->kinds == 1u << kind)
            symbol->kind = kind & 7;
    if (symbol->kind != 0)
        symbol->kinds = 0;
}

struct qp_lexer *qp_lexer_new(const qp_dialect *const *dialects, size_t count,
                              const qp_folds *folds, char error[256])
{
    maker m = {.folds = folds, .error = error, .lexer = calloc(1, sizeof *m.lexer)};
    struct qp_lexer *lexer = m.lexer;
    error[0] = '\0';
    if (lexer == NULL)
        return NULL;
    lexer->chinese = lexer->traditional = -1;
    lexer->symbols = m.symbols = calloc(64, sizeof *m.symbols);
    m.failed = m.symbols == NULL;
    lexer->block_count = 1;
    for (size_t i = 0; i < count && !m.failed; i++) {
        if (dialects[i] == NULL)
            continue;
        m.dialect = dialects[i];
        m.apart = qp_str_is(qp_dialect_option(m.dialect, "reads"), "apart");
        lexer->apart |= m.apart;
        m.index = (unsigned)i;
        m.used = USED;
        if (qp_str_is(dialects[i]->name, "chinese")) {
            lexer->chinese = (int)i;
            m.used |= USED_SIMPLIFIED;
        } else if (qp_str_is(dialects[i]->name, "chinese-traditional")) {
            lexer->traditional = (int)i;
            m.used |= USED_TRADITIONAL;
        }
        for (size_t k = 0; k < dialects[i]->row_count && !m.failed; k++) {
            qp_shape shape;
            m.row = &dialects[i]->rows[k];
            if (!qp_str_is(m.row->kind, "form"))
                add_row(&m);
            else if (qp_shape_read(m.row->spellings[0], &shape))
                add_form(&m, &shape);
        }
    }
    if (!m.failed)
        add_blanks(&m);
    if (!m.failed)
        add_all_variants(&m);
    if (m.failed) {
        qp_lexer_free(lexer);
        return NULL;
    }
    find_usual(lexer);
    for (size_t i = 0; i < lexer->block_count * 64; i++)
        settle(&m.symbols[i]);
    for (size_t i = 0; i < lexer->far_count; i++)
        settle(&m.far[i].symbol);
    for (size_t i = 0; i < lexer->several_count; i++)
        settle(&lexer->several_symbols[i]);
    return lexer;
}

void qp_lexer_free(struct qp_lexer *lexer)
{
    if (lexer == NULL)
        return;
    qp_trie_free(lexer->several);
    if (!lexer->lent) {
        free((void *)lexer->symbols);
        free((void *)lexer->far);
    }
    free(lexer);
}

struct qp_lexer *qp_lexer_built_in(const qp_table *table)
{
    struct qp_lexer *lexer = malloc(sizeof *lexer);
    if (lexer == NULL)
        return NULL;
    *lexer = table->lexer;
    bool good = table->several_count == 0 || (lexer->several = qp_trie_new()) != NULL;
    for (size_t i = 0; good && i < table->several_count; i++)
        good = qp_trie_add(lexer->several, qp_str_of(table->several[i].text),
                           table->several[i].set);
    if (good)
        return lexer;
    qp_lexer_free(lexer);
    return NULL;
}

qp_symbol qp_symbol_far(const struct qp_lexer *lexer, uint32_t code_point)
{
    size_t low =
        qp_first_from(lexer->far, lexer->far_count, sizeof *lexer->far, code_point);
    if (low < lexer->far_count && lexer->far[low].code_point == code_point)
        return lexer->far[low].symbol;
    return (qp_symbol){0};
}
