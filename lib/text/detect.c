/* Which encoding some bytes are in: marks, zero bytes, strict UTF-8, and where that says
 * nothing, which reading shows the characters that moves are written with.
 *
 * The double-byte codes below are those of the same characters in GBK and CP950 (the
 * mapping tables of both, as iconv has them). Weighing needs no tables beside them: what
 * counts as an error is known from the layout of the codes. The areas that GBK leaves to
 * its users and Big5 to its extensions count as errors here: real text hardly uses them,
 * and text in the other encoding falls into them all the time.
 */
#include "config.h"

#include "text/decode.h"

#include <stdlib.h>

/* Pieces, digits and words of moves, by code. */
static const uint16_t gb_glyphs[] = {
    0x8265, 0x82D8, 0x8CA2, 0x8E9B, 0xA3B1, 0xA3B2, 0xA3B3, 0xA3B4, 0xA3B5,
    0xA3B6, 0xA3B7, 0xA3B8, 0xA3B9, 0xB0CB, 0xB0FC, 0xB1F8, 0xB368, 0xB3B5,
    0xB6FE, 0xBAF3, 0xBDAB, 0xBDF8, 0xBEC5, 0xC1F9, 0xC2ED, 0xC5DA, 0xC6BD,
    0xC6DF, 0xC7B0, 0xC8FD, 0xCABF, 0xCACB, 0xCBA7, 0xCBC4, 0xCDCB, 0xCEE5,
    0xCFE0, 0xCFF3, 0xD2BB, 0xD6D0, 0xD7E4, 0xDC87, 0xDF4D, 0xE1E1, 0xF152,
};
static const uint16_t big5_glyphs[] = {
    0xA2B0, 0xA2B1, 0xA2B2, 0xA2B3, 0xA2B4, 0xA2B5, 0xA2B6, 0xA2B7, 0xA2B8, 0xA440,
    0xA443, 0xA445, 0xA447, 0xA44B, 0xA454, 0xA468, 0xA4A4, 0xA4AD, 0xA4BB, 0xA54B,
    0xA55D, 0xA57C, 0xA5AD, 0xA65A, 0xA74C, 0xA8AE, 0xA8F2, 0xAB65, 0xABD3, 0xABE1,
    0xACB6, 0xACDB, 0xAFA5, 0xB068, 0xB0A8, 0xB14E, 0xB648, 0xB669, 0xD858,
};
static const uint16_t unicode_glyphs[] = {
    0x4E00, 0x4E03, 0x4E09, 0x4E2D, 0x4E5D, 0x4E8C, 0x4E94, 0x4ED5, 0x4FE5,
    0x508C, 0x516B, 0x516D, 0x5175, 0x524D, 0x5305, 0x5352, 0x540E, 0x56DB,
    0x58EB, 0x5C06, 0x5C07, 0x5E05, 0x5E25, 0x5E73, 0x5F8C, 0x70AE, 0x76F8,
    0x7832, 0x8C61, 0x8ECA, 0x8F66, 0x8FDB, 0x9000, 0x9032, 0x99AC, 0x9A6C,
    0xFF11, 0xFF12, 0xFF13, 0xFF14, 0xFF15, 0xFF16, 0xFF17, 0xFF18, 0xFF19,
};

static bool holds(const uint16_t *codes, size_t count, uint32_t code)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && codes[low] == code;
}

bool qp_is_move_glyph(uint32_t c, bool *direction)
{
    *direction = c == 0x5E73 || c == 0x8FDB || c == 0x9032 || c == 0x9000;
    return c < 0x10000 && holds(unicode_glyphs, QP_COUNT(unicode_glyphs), c);
}

/* Whether a character of UTF-8 begins at p and is cut off by the end. */
static bool breaks_off(const unsigned char *p, const unsigned char *end)
{
    size_t len = *p < 0xC2 || *p > 0xF4 ? 1 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
    if ((size_t)(end - p) >= len)
        return false;
    while (++p < end)
        if ((*p & 0xC0) != 0x80)
            return false;
    return true;
}

static void weigh_utf8(const unsigned char *p, const unsigned char *end, qp_evidence *e)
{
    while (p < end) {
        if (*p < 0x80) {
            p++;
            continue;
        }
        size_t len = qp_utf8_valid(p, end), used;
        if (len == 0) {
            if (breaks_off(p, end))
                break;
            e->errors++;
            p++;
            continue;
        }
        bool direction;
        e->multi++;
        e->wide += len > 2;
        if (qp_is_move_glyph(qp_utf8_at((const char *)p, len, &used), &direction)) {
            e->glyphs++;
            e->moves += direction;
        }
        p += len;
    }
}

/* What a pair counts as. */
enum { GLYPH = 1, DIRECTION = 2, COMMON = 4, ERROR = 8, SORTS = 16, NO_PAIR = SORTS };

static unsigned sort_gb(unsigned code)
{
    unsigned lead = code >> 8, trail = code & 0xFF;
    if (lead == 0x80 || lead == 0xFF || trail == 0x7F || trail == 0xFF || trail < 0x40)
        return NO_PAIR;
    bool users = trail < 0xA1 ? lead > 0xA0 && lead < 0xA8
                              : (lead > 0xA9 && lead < 0xB0) || lead > 0xF7;
    bool common = lead >= 0xB0 && lead <= 0xD7 && trail >= 0xA1;
    bool direction = code == 0xBDF8 || code == 0xC6BD || code == 0xCDCB || code == 0xDF4D;
    return (users ? ERROR : 0) | (common ? COMMON : 0) | (direction ? DIRECTION : 0) |
           (holds(gb_glyphs, QP_COUNT(gb_glyphs), code) ? GLYPH : 0);
}

static unsigned sort_big5(unsigned code)
{
    unsigned lead = code >> 8, trail = code & 0xFF;
    if (lead == 0x80 || lead == 0xFF || trail < 0x40 || (trail > 0x7E && trail < 0xA1) ||
        trail == 0xFF)
        return NO_PAIR;
    bool users = lead < 0xA1 || lead == 0xC7 || lead == 0xC8 || lead > 0xF9;
    bool common = lead >= 0xA4 && lead <= 0xC6;
    bool direction = code == 0xA5AD || code == 0xB669 || code == 0xB068;
    return (users ? ERROR : 0) | (common ? COMMON : 0) | (direction ? DIRECTION : 0) |
           (holds(big5_glyphs, QP_COUNT(big5_glyphs), code) ? GLYPH : 0);
}

/* A text has a few hundred pairs, so that each is sorted once or twice. */
static void weigh_pairs(bool big5, const unsigned char *p, const unsigned char *end, bool cut,
                        qp_evidence *e)
{
    struct {
        uint16_t code; /* 0: none */
        uint8_t sort;
    } known[256] = {{0, 0}};
    uint32_t counts[SORTS] = {0};
    while (p < end) {
        if (*p < 0x80) {
            p++;
            continue;
        }
        if (end - p < 2) {
            e->errors += !cut;
            break;
        }
        unsigned code = (unsigned)p[0] << 8 | p[1], slot = (code ^ code >> 7) & 255;
        if (known[slot].code != code) {
            known[slot].code = (uint16_t)code;
            known[slot].sort = (uint8_t)(big5 ? sort_big5(code) : sort_gb(code));
        }
        if (QP_LIKELY_TO(known[slot].sort != NO_PAIR)) {
            counts[known[slot].sort]++;
            p += 2;
        } else if (!big5 && p[0] > 0x80 && p[0] < 0xFF && p[1] >= 0x30 && p[1] <= 0x39) {
            bool four = end - p >= 4 && p[2] > 0x80 && p[2] < 0xFF && p[3] >= 0x30 &&
                        p[3] <= 0x39;
            if (!four && cut && end - p < 4)
                break;
            e->errors += !four;
            e->multi += four;
            p += four ? 4 : 1;
        } else {
            e->errors++;
            p++;
        }
    }
    for (unsigned sort = 0; sort < SORTS; sort++) {
        uint32_t glyphs = sort & GLYPH ? counts[sort] : 0;
        e->multi += counts[sort];
        e->glyphs += glyphs;
        e->moves += sort & DIRECTION ? glyphs : 0;
        e->common += sort & COMMON ? counts[sort] : 0;
        e->errors += sort & ERROR ? counts[sort] : 0;
    }
}

void qp_weigh(qp_encoding encoding, const unsigned char *p, size_t n, bool cut,
              qp_evidence *evidence)
{
    memset(evidence, 0, sizeof *evidence);
    if (n == 0)
        return;
    if (encoding == QP_ENC_GB18030 || encoding == QP_ENC_BIG5)
        weigh_pairs(encoding == QP_ENC_BIG5, p, p + n, cut, evidence);
    else
        weigh_utf8(p, p + n, evidence);
}

qp_encoding qp_detect_mark(const unsigned char *p, size_t n, size_t *len)
{
    *len = 0;
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        *len = 3;
        return QP_ENC_UTF8;
    }
    if (n >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF))) {
        *len = 2;
        return p[0] == 0xFF ? QP_ENC_UTF16LE : QP_ENC_UTF16BE;
    }
    return QP_ENC_NONE;
}

/* In text of this kind blanks, digits, tag names and line ends are ASCII: an eighth of
 * the units at the least. NULs that pad other text come in runs and fall on both
 * sides. */
qp_encoding qp_detect_utf16(const unsigned char *p, size_t n)
{
    size_t whole = n - n % 2;
    while (n > 0 && p[n - 1] == 0)
        n--;
    n += n % 2; /* the zero half of the last unit belongs to it */
    n = n < whole ? n : whole;
    size_t units = n / 2, zero[2] = {0, 0}, ascii[2] = {0, 0};
    for (size_t i = 0; i + 1 < n; i += 2) {
        zero[0] += p[i] == 0;
        zero[1] += p[i + 1] == 0;
        ascii[0] += p[i] == 0 && p[i + 1] < 0x80 && p[i + 1] != 0;
        ascii[1] += p[i + 1] == 0 && p[i] < 0x80 && p[i] != 0;
    }
    for (int side = 0; side < 2; side++)
        if (zero[side] >= 2 && zero[side] * 8 >= units &&
            zero[!side] * 16 <= zero[side] && ascii[side] * 16 >= zero[side] * 15)
            return side ? QP_ENC_UTF16LE : QP_ENC_UTF16BE;
    return QP_ENC_NONE;
}

enum { JUDGED = 4096 }; /* bytes that a judge gets to see */

static unsigned judged(qp_encoding encoding, const unsigned char *p, size_t n,
                       qp_text_judge judge, void *judge_user)
{
    qp_decoder decoder = {0};
    qp_buf text = {0};
    unsigned plies = 0;
    if (qp_decoder_init(&decoder, encoding)) {
        size_t len = n < JUDGED ? n : JUDGED;
        qp_decoder_all(&decoder, (qp_str){(const char *)p, len}, &text);
        if (!text.failed)
            plies = judge(judge_user, (qp_str){text.data, text.len});
    }
    qp_buf_clear(&text);
    qp_decoder_clear(&decoder);
    return plies;
}

/* UTF-8 with stray bytes: other text shows hardly a valid sequence of three bytes. */
static bool mostly_utf8(const qp_evidence *e)
{
    return e->multi > 0 && (e->errors == 0 || e->wide > 3 * e->errors);
}

qp_encoding qp_detect(const unsigned char *p, size_t n, bool cut, qp_text_judge judge,
                      void *judge_user, bool *sure)
{
    static const qp_encoding tried[] = {QP_ENC_GB18030, QP_ENC_BIG5, QP_ENC_UTF8};
    qp_evidence evidence[QP_COUNT(tried)];
    unsigned plies[QP_COUNT(tried)] = {0};
    for (size_t i = QP_COUNT(tried); i-- > 0;) {
        qp_weigh(tried[i], p, n, cut, &evidence[i]);
        if (tried[i] == QP_ENC_UTF8 && mostly_utf8(&evidence[i])) {
            *sure = true;
            return QP_ENC_UTF8;
        }
    }
    *sure = false;
    int64_t best = qp_score(&evidence[0]);
    for (size_t i = 1; i < QP_COUNT(tried); i++)
        best = qp_score(&evidence[i]) > best ? qp_score(&evidence[i]) : best;
    size_t ties = 0;
    for (size_t i = 0; i < QP_COUNT(tried); i++)
        ties += qp_score(&evidence[i]) == best;
    size_t found = QP_COUNT(tried);
    for (size_t i = 0; i < QP_COUNT(tried); i++) {
        if (qp_score(&evidence[i]) != best)
            continue;
        if (ties > 1 && judge != NULL)
            plies[i] = judged(tried[i], p, n, judge, judge_user);
        if (found == QP_COUNT(tried) || plies[i] > plies[found] ||
            (plies[i] == plies[found] && evidence[i].common > evidence[found].common))
            found = i;
    }
    return tried[found];
}

qp_encoding qp_detect_change(qp_encoding current, const unsigned char *p, size_t n,
                             bool cut)
{
    qp_evidence utf8, gb, big5;
    size_t mark;
    qp_weigh(QP_ENC_UTF8, p, n, cut, &utf8);
    qp_weigh(QP_ENC_GB18030, p, n, cut, &gb);
    qp_weigh(QP_ENC_BIG5, p, n, cut, &big5);
    bool is_utf8 = mostly_utf8(&utf8);
    if (current == QP_ENC_UTF8) {
        bool to_big5 = qp_score(&big5) > qp_score(&gb) ||
                       (qp_score(&big5) == qp_score(&gb) && big5.common > gb.common);
        const qp_evidence *best = to_big5 ? &big5 : &gb;
        bool better = best->glyphs > utf8.glyphs && qp_score(best) > qp_score(&utf8);
        if (is_utf8 || !(better || (utf8.wide < utf8.errors && best->errors == 0)))
            return current;
        return to_big5 ? QP_ENC_BIG5 : QP_ENC_GB18030;
    }
    const qp_evidence *now = current == QP_ENC_BIG5 ? &big5 : &gb;
    const qp_evidence *other = current == QP_ENC_BIG5 ? &gb : &big5;
    if (is_utf8 && utf8.glyphs >= now->glyphs &&
        (utf8.wide >= 2 || qp_detect_mark(p, n, &mark) == QP_ENC_UTF8))
        return QP_ENC_UTF8;
    if (other->glyphs >= 2 * now->glyphs + 2 && qp_score(other) > qp_score(now))
        return current == QP_ENC_BIG5 ? QP_ENC_GB18030 : QP_ENC_BIG5;
    return current;
}
