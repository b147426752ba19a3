/* Text that was decoded wrongly once and saved again: GBK, Big5 or UTF-8 bytes that
 * somebody's program took for Latin-1, CP1252 or Mac Roman, or for another of the three.
 * Undone only where the bytes that it stands for are sound and read as moves; letters with
 * accents alone, or rare characters, prove nothing.
 */
#include "config.h"

#include "text/decode.h"

#include <iconv.h>
#include <stdlib.h>

/* The upper half of a code page as code points; what it leaves out is a C1 control, as
 * the programs that made such text had it. */
static bool load_page(const char *name, uint32_t page[128])
{
    iconv_t converter = iconv_open("UTF-8", name);
    if (converter == (iconv_t)-1)
        return false;
    for (unsigned i = 0; i < 128; i++) {
        char in = (char)(0x80 + i), out[8], *from = &in, *to = out;
        size_t in_left = 1, out_left = sizeof out, len;
        iconv(converter, NULL, NULL, NULL, NULL);
        page[i] = 0x80 + i;
        if (iconv(converter, &from, &in_left, &to, &out_left) != (size_t)-1 && to > out)
            page[i] = qp_utf8_at(out, (size_t)(to - out), &len);
    }
    iconv_close(converter);
    return true;
}

/* The bytes that text stands for in a code page; false where it has other characters. */
static bool to_bytes(qp_str text, const uint32_t page[128], qp_buf *bytes)
{
    size_t len;
    for (size_t at = 0; at < text.len; at += len) {
        uint32_t c = qp_utf8_at(text.data + at, text.len - at, &len);
        unsigned i = 0;
        if (c < 0x80) {
            qp_buf_add_char(bytes, (char)c);
            continue;
        }
        if (c < 0x100 && page[c - 0x80] == c) {
            i = c - 0x80;
        } else {
            while (i < 128 && page[i] != c)
                i++;
            /* C1 controls stand for themselves where the page has a character instead. */
            if (i == 128 && c < 0xA0)
                i = c - 0x80;
        }
        if (i == 128)
            return false;
        qp_buf_add_char(bytes, (char)(0x80 + i));
    }
    return !bytes->failed;
}

/* Whether nothing speaks against it at a glance: characters beyond ASCII, and none that
 * no page of single bytes has (Mac Roman reaches up to U+FB02). */
static bool may_be(qp_str text)
{
    bool beyond = false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= 0xE3 && c != 0xEF)
            return false;
        beyond |= c >= 0x80;
    }
    return beyond;
}

/* The evidence for one reading: enough that no name with accents has it by accident. parts: of
 * that many characters one may be broken. */
static uint32_t worth(qp_encoding encoding, const qp_buf *bytes, unsigned parts)
{
    qp_evidence e;
    qp_weigh(encoding, (const unsigned char *)bytes->data, bytes->len, false, &e);
    bool sound = encoding == QP_ENC_UTF8 ? e.errors == 0 : parts * e.errors <= e.multi;
    return sound && e.moves > 0 && e.glyphs >= 3 && 8 * e.glyphs >= e.multi ? e.glyphs
                                                                            : 0;
}

/* ---- read as another encoding of Chinese ---- */

enum { LOST = 0xFF }; /* a byte that the wrong reading could make nothing of */

/* Kana in Big5, of which bytes of GBK are full and which iconv leaves out: as ETEN has them and
 * browsers, or as the table of the Unicode consortium. */
typedef enum kana_table { NO_KANA, ETEN, CONSORTIUM } kana_table;

static bool add_kana(qp_buf *bytes, uint32_t c, kana_table kind)
{
    enum { ROW = 157, LOW = 63 }; /* cells of a row, and of its trail bytes from 0x40 on */
    static const uint16_t hiragana[] = {0, 5 * ROW + 133, 5 * ROW + 67};
    static const uint16_t katakana[] = {0, 6 * ROW + 59, 5 * ROW + 150};
    uint32_t cell;
    if (kind != NO_KANA && c >= 0x3041 && c <= 0x3093)
        cell = c - 0x3041 + hiragana[kind];
    else if (kind != NO_KANA && c >= 0x30A1 && c <= 0x30F6)
        cell = c - 0x30A1 + katakana[kind];
    else
        return false;
    uint32_t trail = cell % ROW;
    qp_buf_add_char(bytes, (char)(0xC1 + cell / ROW));
    qp_buf_add_char(bytes, (char)(trail < LOW ? 0x40 + trail : 0xA1 + trail - LOW));
    return true;
}

/* The bytes that text stands for in such an encoding. */
static bool to_wide_bytes(qp_str text, const char *name, kana_table kana, qp_buf *bytes)
{
    iconv_t converter = iconv_open(name, "UTF-8");
    if (converter == (iconv_t)-1)
        return false;
    size_t len;
    for (size_t at = 0; at < text.len; at += len) {
        char *from = (char *)text.data + at, made[16], *to = made;
        uint32_t c = qp_utf8_at(from, text.len - at, &len);
        size_t left = len, room = sizeof made;
        if (c < 0x80) {
            qp_buf_add_char(bytes, (char)c);
        } else if (c == 0xFFFD || iconv(converter, &from, &left, &to, &room) == (size_t)-1) {
            iconv(converter, NULL, NULL, NULL, NULL);
            if (add_kana(bytes, c, kana))
                continue;
            /* Two bytes may have become two marks. */
            if (c != 0xFFFD || bytes->len == 0 ||
                (unsigned char)bytes->data[bytes->len - 1] != LOST)
                qp_buf_add_char(bytes, (char)LOST);
        } else {
            qp_buf_add(bytes, made, (size_t)(to - made));
        }
    }
    iconv_close(converter);
    return !bytes->failed;
}

/* Whether a digit or a glyph of moves stands at p. */
static bool is_of_move(const char *p, size_t n)
{
    bool direction;
    size_t len;
    if (n == 0 || (unsigned char)*p < 0x80)
        return n != 0 && *p >= '1' && *p <= '9';
    return n >= 3 && ((unsigned char)*p & 0xF0) == 0xE0 &&
           qp_is_move_glyph(qp_utf8_at(p, n, &len), &direction);
}

/* UTF-8 of three bytes of which one was lost. Read in pairs, that is mostly the third, before
 * ASCII: in a move that is the one of the 64 with which moves are written, if there is but one;
 * else it is U+FFFD. */
static void mend_lost(qp_buf *bytes)
{
    unsigned char *p = (unsigned char *)bytes->data;
    bool tag = false;
    for (size_t i = 0; i + 2 < bytes->len; i++) {
        if (i == 0 || p[i - 1] == '\n')
            tag = p[i] == '[';
        if ((p[i] & 0xF0) != 0xE0 && p[i] != LOST)
            continue;
        unsigned lost = (p[i] == LOST) + (p[i + 1] == LOST) + (p[i + 2] == LOST);
        bool rest = (p[i + 1] == LOST || (p[i + 1] & 0xC0) == 0x80) &&
                    (p[i + 2] == LOST || (p[i + 2] & 0xC0) == 0x80);
        if (lost != 1 || !rest)
            continue;
        unsigned third = 0, found = 0;
        const char *at = bytes->data + i;
        bool move = !tag && p[i + 2] == LOST &&
                    (is_of_move(at + 3, bytes->len - i - 3) || (i >= 1 && is_of_move(at - 1, 1)) ||
                     (i >= 3 && is_of_move(at - 3, 3)));
        for (unsigned k = 0; k < 64 && move; k++) {
            bool direction;
            if (qp_is_move_glyph((p[i] & 15u) << 12 | (p[i + 1] & 63u) << 6 | k, &direction)) {
                third = k;
                found++;
            }
        }
        if (found == 1)
            p[i + 2] = (unsigned char)(0x80 | third);
        else
            memcpy(p + i, "\xEF\xBF\xBD", 3);
        i += 2;
    }
}

/* Text that holds Chinese as it stands, but hardly a glyph of moves. */
static bool undo_wide(qp_str text, qp_buf *out, const char **how)
{
    static const struct {
        const char *read;
        kana_table kana;
        qp_encoding meant;
        const char *said;
    } ways[] = {
        {"GB18030", NO_KANA, QP_ENC_UTF8, "UTF-8 read as GBK"},
        {"BIG5", ETEN, QP_ENC_UTF8, "UTF-8 read as Big5"},
        {"BIG5", ETEN, QP_ENC_GB18030, "GBK read as Big5"},
        {"BIG5", CONSORTIUM, QP_ENC_GB18030, "GBK read as Big5"},
        {"GB18030", NO_KANA, QP_ENC_BIG5, "Big5 read as GBK"},
    };
    qp_evidence as_is;
    qp_weigh(QP_ENC_UTF8, (const unsigned char *)text.data, text.len, false, &as_is);
    if (as_is.multi == 0 || 16 * as_is.moves > as_is.multi)
        return false; /* most records with a broken move */
    uint32_t best = 4 * as_is.glyphs;
    qp_buf bytes = {0};
    bool done = false;
    for (size_t i = 0; i < QP_COUNT(ways); i++) {
        bytes.len = 0;
        if (!to_wide_bytes(text, ways[i].read, ways[i].kana, &bytes))
            continue;
        if (ways[i].meant == QP_ENC_UTF8)
            mend_lost(&bytes);
        uint32_t found = worth(ways[i].meant, &bytes, 8);
        qp_decoder decoder = {0};
        if (found > best && qp_decoder_init(&decoder, ways[i].meant)) {
            out->len = 0;
            qp_decoder_all(&decoder, (qp_str){bytes.data, bytes.len}, out);
            *how = ways[i].said;
            best = found;
            done = !out->failed;
        }
        qp_decoder_clear(&decoder);
    }
    qp_buf_clear(&bytes);
    return done;
}

bool qp_mojibake_undo(qp_str text, qp_buf *out, const char **how)
{
    static const char *const pages[] = {"ISO-8859-1", "CP1252", "MACINTOSH"};
    static const qp_encoding meant[] = {QP_ENC_UTF8, QP_ENC_GB18030, QP_ENC_BIG5};
    static const char *const said[QP_COUNT(meant)][QP_COUNT(pages)] = {
        {"UTF-8 read as Latin-1", "UTF-8 read as CP1252", "UTF-8 read as Mac Roman"},
        {"GBK read as Latin-1", "GBK read as CP1252", "GBK read as Mac Roman"},
        {"Big5 read as Latin-1", "Big5 read as CP1252", "Big5 read as Mac Roman"},
    };
    if (!may_be(text))
        return undo_wide(text, out, how);
    uint32_t best = 0;
    size_t best_page = 0, best_meant = 0;
    qp_buf bytes = {0};
    for (size_t i = 0; i < QP_COUNT(pages); i++) {
        uint32_t page[128];
        bytes.len = 0;
        if (!load_page(pages[i], page) || !to_bytes(text, page, &bytes))
            continue;
        for (size_t k = 0; k < QP_COUNT(meant); k++) {
            uint32_t found = worth(meant[k], &bytes, 20);
            if (found > best) {
                best = found;
                best_page = i;
                best_meant = k;
            }
        }
    }
    bool done = false;
    if (best > 0) {
        uint32_t page[128];
        qp_decoder decoder = {0};
        bytes.len = 0;
        if (load_page(pages[best_page], page) && to_bytes(text, page, &bytes) &&
            qp_decoder_init(&decoder, meant[best_meant])) {
            qp_decoder_all(&decoder, (qp_str){bytes.data, bytes.len}, out);
            *how = said[best_meant][best_page];
            done = !out->failed;
        }
        qp_decoder_clear(&decoder);
    }
    qp_buf_clear(&bytes);
    return done;
}
