/* The tables of the double-byte encodings. GB18030 (GB2312 and GBK are its subsets) comes from
 * iconv; Big5 is CP950, and where that has no character, Big5-HKSCS. iconv is asked while the
 * library is built (tools/make_pairs.c), and later for what could not be told then.
 */
#include "config.h"

#include "text/decode.h"

#include <iconv.h>
#include <stdlib.h>

bool qp_decoder_init(qp_decoder *decoder, qp_encoding encoding)
{
    memset(decoder, 0, sizeof *decoder);
    decoder->encoding = encoding;
    if (encoding != QP_ENC_GB18030 && encoding != QP_ENC_BIG5)
        return true;
    decoder->pairs = calloc(128 * 256, sizeof *decoder->pairs);
    return decoder->pairs != NULL;
}

void qp_decoder_clear(qp_decoder *decoder)
{
    for (int i = 0; i < 2; i++)
        if (decoder->opened[i] && decoder->converter[i] != (void *)-1)
            iconv_close((iconv_t)decoder->converter[i]);
    free(decoder->pairs);
    memset(decoder, 0, sizeof *decoder);
}

/* Puts the n bytes of one character through iconv; the length of its UTF-8, 0: none. */
static size_t convert(qp_decoder *decoder, int which, const unsigned char *p, size_t n,
                      char out[QP_STEP_ROOM])
{
    static const char *const big5[2] = {"CP950", "BIG5-HKSCS"};
    if (!decoder->opened[which]) {
        const char *name = decoder->encoding == QP_ENC_BIG5 ? big5[which] : "GB18030";
        iconv_t opened = iconv_open("UTF-8", name);
        if (opened == (iconv_t)-1 && decoder->encoding == QP_ENC_BIG5)
            opened = iconv_open("UTF-8", "BIG5");
        decoder->converter[which] = (void *)opened;
        decoder->opened[which] = true;
    }
    iconv_t converter = (iconv_t)decoder->converter[which];
    if (converter == (iconv_t)-1)
        return 0;
    char in[4], *from = in, *to = out;
    size_t in_left = n, out_left = QP_STEP_ROOM;
    memcpy(in, p, n);
    iconv(converter, NULL, NULL, NULL, NULL);
    if (iconv(converter, &from, &in_left, &to, &out_left) == (size_t)-1 || in_left != 0)
        return 0;
    iconv(converter, NULL, NULL, &to, &out_left); /* HKSCS holds back what may combine */
    size_t len = QP_STEP_ROOM - out_left;
    /* A pair that iconv takes for two characters, an odd byte and an ASCII one, is none.
     */
    return len != 0 &&
                   ((unsigned char)out[0] < 0x80 || (unsigned char)out[len - 1] < 0x80)
               ? 0
               : len;
}

/* U+E000 to U+F8FF: where some iconvs put what CP950 leaves to the user. */
static bool is_private(const char *out, size_t len)
{
    return len == 3 && ((unsigned char)out[0] == 0xEE ||
                        ((unsigned char)out[0] == 0xEF && (unsigned char)out[1] < 0xA4));
}

static bool is_formed(bool big5, unsigned lead, unsigned trail)
{
    return lead > 0x80 && lead < 0xFF && trail >= 0x40 && trail != 0x7F && trail != 0xFF &&
           !(big5 && trail >= 0x80 && trail < 0xA1);
}

uint32_t qp_decoder_ask(qp_decoder *decoder, unsigned lead, unsigned trail)
{
    const unsigned char pair[2] = {(unsigned char)lead, (unsigned char)trail};
    bool big5 = decoder->encoding == QP_ENC_BIG5;
    bool formed = is_formed(big5, lead, trail);
    char out[QP_STEP_ROOM];
    size_t len = formed ? convert(decoder, 0, pair, 2, out) : 0;
    if (formed && big5 && (len == 0 || is_private(out, len))) {
        char other[QP_STEP_ROOM];
        size_t found = convert(decoder, 1, pair, 2, other);
        if (found != 0) {
            memcpy(out, other, found);
            len = found;
        }
    }
    uint32_t entry = 1;
    if (len >= 2 && len <= 4) {
        entry = 0;
        memcpy(&entry, out, len);
    }
    return entry;
}

uint32_t qp_decoder_pair(qp_decoder *decoder, unsigned lead, unsigned trail)
{
    uint32_t *entry = &decoder->pairs[(lead & 0x7F) << 8 | trail];
    bool big5 = decoder->encoding == QP_ENC_BIG5;
    const uint16_t *known = big5 ? qp_pairs_built_in.big5 : qp_pairs_built_in.gb;
    unsigned code = QP_PAIR_ASK;
    if (*entry != 0)
        return *entry;
    if (known != NULL && is_formed(big5, lead, trail))
        code = known[QP_PAIR_AT(lead, trail)];
    if (code == QP_PAIR_ASK) {
        *entry = qp_decoder_ask(decoder, lead, trail);
    } else if (code == 0) {
        *entry = 1;
    } else {
        char out[4] = {0};
        qp_utf8_put(out, code);
        memcpy(entry, out, sizeof out);
    }
    return *entry;
}

size_t qp_decoder_four(qp_decoder *decoder, const unsigned char *p,
                       char out[QP_STEP_ROOM])
{
    return convert(decoder, 0, p, 4, out);
}
