/* DhtmlXQ, records that can be passed over: the block with a field a line that nearly every
 * program writes, of which no check has anything to say. They are known by their bytes, and
 * never become text, fields or a tree. Whatever is not as plain as that is left to
 * dhtmlxq_read.c. */
#include "config.h"

#include "format/dhtmlxq.h"
#include "text/decode.h"

static const char block[] = "[DhtmlXQ]", block_end[] = "[/DhtmlXQ]";
static const char field_open[] = "[DhtmlXQ_", field_close[] = "[/DhtmlXQ_";
enum {
    BLOCK = sizeof block - 1,
    BLOCK_END = sizeof block_end - 1,
    OPEN = sizeof field_open - 1,
    CLOSE = sizeof field_close - 1,
};

/* Whether n bytes are the same, eight of them at the least: nearly always as few as one line. */
static inline bool are_same(const unsigned char *a, const unsigned char *b, size_t n)
{
    uint64_t x, y;
    for (size_t i = 0; i + 8 < n; i += 8) {
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        if (x != y)
            return false;
    }
    memcpy(&x, a + n - 8, 8);
    memcpy(&y, b + n - 8, 8);
    return x == y;
}

/* What a field means to the checks, and to the moves. */
typedef enum kind {
    OTHER,  /* this record cannot be passed over, or it is not known */
    PLAIN,  /* nothing, whatever it holds */
    MOVES,
    BOARD,  /* binit: the usual start position */
    FEN,    /* the same */
    DATE,
    RESULT,
    REASON, /* why the game ended: nothing */
} kind;

static inline bool is_letter(char c)
{
    return ((unsigned char)c | 0x20u) - 'a' < 26;
}

/* Whether a key is kept as a tag of another name than those that checks look at. */
static bool is_tag(qp_str key)
{
    static const char *const looked_at[] = {"Result", "Date", "Termination"};
    bool own = qp_dhtmlxq_begins(key.data, key.len, "tag_");
    qp_str name = {key.data + (own ? 4 : 0), key.len - (own ? 4 : 0)};
    int first = qp_dhtmlxq_lower(key.data[0]);
    /* Those with these letters may be lines of moves, or what is said of plies. */
    if (name.len == 0 || (!own && (first == 'c' || first == 'm' || first == 'x')))
        return false;
    for (size_t i = 0; i < QP_COUNT(looked_at); i++)
        if (own && qp_str_is_nocase(name, looked_at[i]))
            return false;
    for (size_t i = 0; i < name.len; i++)
        if (!is_letter(name.data[i]))
            return false;
    return true;
}

static kind kind_of(qp_str key)
{
    qp_dx_key known = qp_dhtmlxq_known(key);
    switch (known) {
    case QP_DX_KEY_movelist:
        return MOVES;
    case QP_DX_KEY_binit:
    case QP_DX_KEY_init_board:
        return BOARD;
    case QP_DX_KEY_fen:
        return FEN;
    case QP_DX_KEY_date:
        return DATE;
    case QP_DX_KEY_result:
        return RESULT;
    case QP_DX_KEY_endtype:
        return REASON;
    case QP_DX_KEY_x_result:
        return OTHER;
    case QP_DX_KEY_OTHER:
        return is_tag(key) ? PLAIN : OTHER;
    default:
        return PLAIN;
    }
}

/* The first byte at or behind p that is no plain text within a value, as a bracket is; end for
 * none. Of pairs, characters beyond ASCII of two bytes, nothing is said but where they end: the
 * second byte can be any. */
static inline const unsigned char *value_end(const unsigned char *p, const unsigned char *end,
                                             bool pairs)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    while (pairs && p < end && *p != '[' && *p >= ' ')
        p += *p < 0x80 ? 1 : 2;
    while (!pairs && p < end) {
        uint64_t word;
        memcpy(&word, p, 8);
        p += qp_word_clear(qp_word_equal(word, '[') | qp_word_below(word, ' ') | (word & high));
        const unsigned char *from = p;
        while (p[0] - 0xE3u < 7 && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80)
            p += 3; /* Chinese */
        if (p != from || (*p >= ' ' && *p < 0x80 && *p != '['))
            continue;
        size_t len = *p >= 0x80 && p < end ? qp_utf8_valid(p, end) : 0;
        if (len == 0 || (p[0] == 0xEF && (p[1] == 0xBB || p[1] == 0xBF)))
            break; /* what is reported may be among these */
        p += len;
    }
    return p < end ? p : end;
}

/* Whether a character at the beginning of a value, or at its end, is nothing but itself: no
 * blank, no escape. */
static inline bool is_itself(unsigned char c)
{
    static const bool other[256] = {['&'] = true, ['\\'] = true, ['%'] = true, ['_'] = true,
                                    ['<'] = true, ['|'] = true,  ['>'] = true, [';'] = true};
    return c > ' ' && !other[c];
}

/* Whether a short value is all that it seems. */
static bool is_bare(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_itself(p[i]))
            return false;
    return true;
}

/* A record under way. */
typedef struct passing {
    qp_dx *dx;
    qp_encoding encoding;
    unsigned kinds; /* met so far, as bits */
    qp_said said;
} passing;

/* Reads the moves at p; returns where they end. */
static inline const unsigned char *read_moves(passing *s, const unsigned char *p,
                                              const unsigned char *end)
{
    return p + qp_dx_squares(s->dx, (const char *)p, (size_t)(end - p));
}

static bool read_result(passing *s, const unsigned char *p, size_t n)
{
    char text[32];
    size_t len = n < sizeof text / 3 ? qp_source_decode(s->dx->in->source, s->encoding, p, n, text,
                                                        sizeof text)
                                     : 0;
    s->said.has_result = true;
    for (int i = 0; i < 4 && len != 0; i++)
        if (qp_str_is((qp_str){text, len}, qp_dhtmlxq_results[i])) {
            s->said.result = (qp_result)i;
            return true;
        }
    return n == 0;
}

/* Whether a field may be there: the only one of its kind, but for those that mean nothing. */
static inline bool take_kind(passing *s, kind what)
{
    bool again = s->kinds >> what & 1;
    s->kinds |= 1u << what;
    return what == PLAIN || !again;
}

/* Takes a value in; false: the record cannot be passed over. */
static bool take_value(passing *s, kind what, const unsigned char *p, size_t n)
{
    static const char board[] = QP_DX_USUAL_BINIT;
    if (!take_kind(s, what))
        return false;
    switch (what) {
    case PLAIN:
        return n == 0 || (is_itself(p[0]) && !qp_said_recoded(s->encoding, p, n));
    case MOVES:
        return n != 0;
    case BOARD:
        return n == 0 || (n == sizeof board - 1 && memcmp(p, board, n) == 0);
    case FEN:
        return n == 0 || qp_said_usual(p, n);
    case DATE:
        return is_bare(p, n) && !qp_said_recoded(s->encoding, p, n) &&
               qp_said_date_known(&s->dx->dates, s->dx->in->patterns, s->dx->in->source,
                                  s->encoding, p, n);
    case RESULT:
        return is_bare(p, n) && read_result(s, p, n);
    case REASON:
        return n == 0;
    default:
        return false;
    }
}

/* Takes in the field at p, which stands alone on its line; returns where that ends, without its
 * line end. NULL: it cannot be passed over. */
static const unsigned char *pass_field(passing *s, qp_dx_seen *seen, const unsigned char *p,
                                       const unsigned char *end)
{
    const bool pairs = s->encoding == QP_ENC_GB18030 || s->encoding == QP_ENC_BIG5;
    const unsigned char *key = p + OPEN;
    size_t len = seen->key_len, most = (size_t)(end - key);
    kind what = (kind)seen->kind;
    seen->len = 0;
    if (len == 0 || most <= len || !are_same(seen->line, p, OPEN + len + 1)) {
        enum { KEY_MAX = 30 };
        len = qp_dhtmlxq_key_len((const char *)key, most < KEY_MAX ? most : KEY_MAX);
        what = len != 0 ? kind_of((qp_str){(const char *)key, len}) : OTHER;
        if (what == OTHER)
            return NULL;
        seen->key_len = (uint8_t)len;
        seen->kind = (uint8_t)what;
        memcpy(seen->line, p, OPEN + len + 1);
        memcpy(seen->close, field_close, CLOSE);
        memcpy(seen->close + CLOSE, key, len + 1);
    }
    const unsigned char *value = key + len + 1;
    const unsigned char *close =
        what == MOVES ? read_moves(s, value, end) : value_end(value, end, pairs);
    if (close >= end || (size_t)(end - close) <= CLOSE + len + 1 ||
        !are_same(close, seen->close, CLOSE + len + 1) ||
        !take_value(s, what, value, (size_t)(close - value)))
        return NULL;
    const unsigned char *stop = close + CLOSE + len + 1;
    if ((what == PLAIN || what == BOARD || what == FEN || close == value) &&
        (size_t)(stop - p) <= sizeof seen->line) {
        seen->len = (uint8_t)(stop - p);
        memcpy(seen->line, p, seen->len);
    }
    return stop;
}

/* Passes over the fields from p on, one a line; returns where they end. *lines counts them.
 * NULL: one of them cannot be passed over. */
static const unsigned char *pass_fields(passing *s, const unsigned char *p,
                                        const unsigned char *end, uint32_t *lines)
{
    qp_dx_seen *seen = s->dx->seen, *last = seen + QP_COUNT(s->dx->seen) - 1;
    for (;; seen += seen != last) {
        if (seen->len != 0 && (size_t)(end - p) > seen->len && are_same(p, seen->line, seen->len) &&
            take_kind(s, (kind)seen->kind))
            p += seen->len;
        else if (end - p <= OPEN || !are_same(p, (const unsigned char *)field_open, OPEN))
            return p;
        else if ((p = pass_field(s, seen, p, end)) == NULL)
            return NULL;
        if (*p != '\n' && (*p != '\r' || p[1] != '\n'))
            return NULL;
        p += *p == '\r' ? 2 : 1;
        ++*lines;
    }
}

/* Passes over line ends; returns where they end. */
static const unsigned char *pass_lines(const unsigned char *p, const unsigned char *end,
                                       uint32_t *lines)
{
    for (; p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')); ++*lines)
        p += *p == '\r' ? 2 : 1;
    return p;
}

/* Keeps the moves of a record that is read next. */
static void keep_met(qp_dx *dx)
{
    while (dx->met.room < dx->squares.count)
        if (!qp_dx_grow(dx, (void **)&dx->met.at, &dx->met.room, dx->met.room,
                        sizeof *dx->met.at))
            return;
    memcpy(dx->met.at, dx->squares.at, dx->squares.count * sizeof *dx->met.at);
    dx->met.count = dx->squares.count;
}

bool qp_dhtmlxq_skim(void *user, uint32_t index, qp_encoding encoding, const unsigned char *p,
                     size_t n, bool ended, bool own, qp_gap *gap)
{
    qp_dx *dx = user;
    const unsigned char *end = p + n;
    passing s = {.dx = dx, .encoding = encoding, .said = {.quiet = true}};
    const bool pairs = encoding == QP_ENC_GB18030 || encoding == QP_ENC_BIG5;
    uint32_t lines = 0, behind = 0;
    const unsigned char *start = pass_lines(p, end, &lines), *at = start;
    (void)index;
    if (dx->seen_in != encoding)
        memset(dx->seen, 0, sizeof dx->seen);
    dx->seen_in = encoding;
    if (!own || end - at <= BLOCK || memcmp(at, block, BLOCK) != 0)
        return false;
    at += BLOCK;
    const unsigned char *fields = pass_lines(at, end, &lines);
    if (fields == at || (at = pass_fields(&s, fields, end, &lines)) == NULL ||
        end - at < BLOCK_END || memcmp(at, block_end, BLOCK_END) != 0)
        return false;
    const unsigned char *stop = at + BLOCK_END, *next = pass_lines(stop, end, &behind);
    /* What follows is another game also to those who look at the bytes for encodings. */
    bool last = next == end ? ended : behind >= 2 && *next == '[';
    const qp_squares squares = {.moves = dx->squares.at, .step = sizeof *dx->squares.at,
                                .count = dx->squares.count};
    qp_rounds *rounds = &dx->met_rounds;
    dx->met.count = 0;
    if (!last || (size_t)(stop - p) > dx->in->limit / 3 || /* bytes of a character */
        !(s.kinds >> MOVES & 1) ||
        dx->squares.count > qp_context_limit(dx->in->context, QP_LIMIT_NODES) ||
        !qp_rounds_squares(dx->in->record, &squares, dx->in->spare_tree, dx->in->spare_loud, rounds))
        return false;
    if (rounds->loud || !qp_said_agrees(&s.said, QP_RESULT_UNKNOWN, rounds)) {
        keep_met(dx);
        return false;
    }
    if (pairs && (!qp_source_fits(dx->in->source, encoding, start, (size_t)(next - start)) ||
                  !qp_source_clean(dx->in->source, encoding, fields, (size_t)(at - fields))))
        return false;
    dx->in->passed.games++;
    dx->in->passed.plies += rounds->plies;
    gap->whole = true;
    gap->end = (size_t)(stop - p);
    gap->lines = lines;
    return true;
}
