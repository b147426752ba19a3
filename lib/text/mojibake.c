/* Text that was decoded wrongly once and saved again: GBK, Big5 or UTF-8 bytes that
 * somebody's program took for Latin-1, CP1252 or Mac Roman. Undone only where the bytes
 * that it stands for are sound and read as moves; letters with accents alone prove
 * nothing.
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

/* The evidence for one reading: enough that no name with accents has it by accident. */
static uint32_t worth(qp_encoding encoding, const qp_buf *bytes)
{
    qp_evidence e;
    qp_weigh(encoding, (const unsigned char *)bytes->data, bytes->len, false, &e);
    bool sound = encoding == QP_ENC_UTF8 ? e.errors == 0 : 20 * e.errors <= e.multi;
    return sound && e.moves > 0 && e.glyphs >= 3 && 8 * e.glyphs >= e.multi ? e.glyphs
                                                                            : 0;
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
        return false;
    uint32_t best = 0;
    size_t best_page = 0, best_meant = 0;
    qp_buf bytes = {0};
    for (size_t i = 0; i < QP_COUNT(pages); i++) {
        uint32_t page[128];
        bytes.len = 0;
        if (!load_page(pages[i], page) || !to_bytes(text, page, &bytes))
            continue;
        for (size_t k = 0; k < QP_COUNT(meant); k++) {
            uint32_t found = worth(meant[k], &bytes);
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
