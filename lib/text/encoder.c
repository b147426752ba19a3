/* UTF-8 to any encoding, through iconv. Characters that the encoding lacks are found one
 * by one and told; nothing is replaced behind the caller's back, so iconv's own
 * //TRANSLIT and
 * //IGNORE are not let in.
 */
#include "config.h"

#include "text/decode.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>

struct qp_encoder {
    iconv_t converter[2]; /* Big5-HKSCS: CP950, then HKSCS for what it lacks */
    size_t converters;
    bool utf8;
    const char *mark; /* the byte order mark that is still to be written, or "" */
};

/* What iconv is asked for instead of a name that is ours, or that would leave the order
 * of bytes to the machine. */
static const struct {
    qp_encoding encoding;
    const char *first, *second, *mark;
} ours[] = {
    {QP_ENC_BIG5, "CP950", "BIG5-HKSCS", ""},
    {QP_ENC_UTF16LE, "UTF-16LE", NULL, "\xFF\xFE"},
    {QP_ENC_UTF16BE, "UTF-16BE", NULL, "\xFE\xFF"},
};

static bool add_converter(qp_encoder *encoder, const char *name)
{
    iconv_t converter = name ? iconv_open(name, "UTF-8") : (iconv_t)-1;
    if (converter == (iconv_t)-1)
        return false;
    encoder->converter[encoder->converters++] = converter;
    return true;
}

/* Whether a name holds a word, whatever its case. */
static bool has_word(const char *name, const char *word)
{
    for (size_t len = strlen(word), n = strlen(name); n >= len; name++, n--)
        if (qp_str_is_nocase((qp_str){name, len}, word))
            return true;
    return false;
}

/* Of the names found as UTF-8, those that are not ASCII: less than UTF-8 on output. */
static bool names_utf8(const char *name)
{
    return has_word(name, "utf") || has_word(name, "65001");
}

qp_encoder *qp_encoder_open(const char *name)
{
    qp_encoder *encoder = strchr(name, '/') == NULL ? calloc(1, sizeof *encoder) : NULL;
    if (encoder == NULL)
        return NULL;
    qp_encoding encoding = qp_encoding_find(name);
    encoder->mark = "";
    encoder->utf8 = encoding == QP_ENC_UTF8 && names_utf8(name);
    if (encoder->utf8)
        return encoder;
    for (size_t i = 0; i < QP_COUNT(ours); i++)
        if (ours[i].encoding == encoding) {
            if (!add_converter(encoder, ours[i].first))
                add_converter(encoder, "BIG5");
            if (has_word(name, "hkscs")) /* plain Big5's readers cannot show these */
                add_converter(encoder, ours[i].second);
            encoder->mark = ours[i].mark;
        }
    if (encoder->converters == 0 && !add_converter(encoder, name) &&
        !(encoding == QP_ENC_GB18030 && add_converter(encoder, "GB18030"))) {
        qp_encoder_close(encoder);
        return NULL;
    }
    return encoder;
}

void qp_encoder_close(qp_encoder *encoder)
{
    if (encoder == NULL)
        return;
    for (size_t i = 0; i < encoder->converters; i++)
        iconv_close(encoder->converter[i]);
    free(encoder);
}

bool qp_encoder_is_utf8(const qp_encoder *encoder)
{
    return encoder->utf8;
}

/* Puts text through one converter until something stops it; how much of it was taken. */
static size_t put(iconv_t converter, qp_str text, qp_buf *out)
{
    char *from = (char *)text.data;
    size_t left = text.len;
    while (left > 0 && qp_buf_reserve(out, left + 16)) {
        char *to = out->data + out->len;
        size_t room = out->room - out->len;
        size_t done = iconv(converter, &from, &left, &to, &room);
        out->len = out->room - room;
        if (done == (size_t)-1 && (errno != E2BIG || !qp_buf_reserve(out, 4 * left + 64)))
            break;
    }
    return text.len - left;
}

/* Takes a converter back to its first shift state; nothing for most encodings. */
static void settle(iconv_t converter, qp_buf *out)
{
    if (!qp_buf_reserve(out, 16))
        return;
    char *to = out->data + out->len;
    size_t room = out->room - out->len;
    if (iconv(converter, NULL, NULL, &to, &room) != (size_t)-1)
        out->len = out->room - room;
}

/* One character that the first converter does not take. */
static bool put_other(qp_encoder *encoder, qp_str one, qp_buf *out)
{
    for (size_t i = 1; i < encoder->converters; i++) {
        size_t start = out->len;
        iconv(encoder->converter[i], NULL, NULL, NULL, NULL);
        if (put(encoder->converter[i], one, out) == one.len) {
            settle(encoder->converter[i], out);
            return true;
        }
        out->len = start;
    }
    return false;
}

void qp_encoder_add(qp_encoder *encoder, qp_str text, qp_buf *out, const char *fallback,
                    qp_unmappable_fn missing, void *user)
{
    if (encoder->utf8) {
        qp_buf_add_str(out, text);
        return;
    }
    if (text.len > 0) {
        qp_buf_add_text(out, encoder->mark);
        encoder->mark = "";
    }
    /* iconv may go far past what stops it before it notices: after a character that is
     * missing it gets small helpings, and larger ones as they go well. */
    size_t helping = text.len;
    for (size_t at = 0; at < text.len && !out->failed;) {
        size_t len = text.len - at;
        if (len > helping) {
            len = helping;
            while (len > 1 && ((unsigned char)text.data[at + len] & 0xC0) == 0x80)
                len--;
        }
        size_t taken = put(encoder->converter[0], (qp_str){text.data + at, len}, out);
        at += taken;
        helping = taken < len ? 16 : helping > text.len / 2 ? text.len : 2 * helping;
        if (taken == len || out->failed)
            continue;
        uint32_t c = qp_utf8_at(text.data + at, text.len - at, &len);
        if (!put_other(encoder, (qp_str){text.data + at, len}, out)) {
            const char *instead = missing != NULL ? missing(user, at, c) : NULL;
            put(encoder->converter[0], qp_str_of(instead != NULL ? instead : fallback), out);
        }
        at += len;
    }
    settle(encoder->converter[0], out);
}

bool qp_encoder_has(qp_encoder *encoder, uint32_t code_point)
{
    if (encoder->utf8)
        return true;
    char text[4];
    qp_buf out = {0};
    qp_str one = {text, qp_utf8_put(text, code_point)};
    iconv(encoder->converter[0], NULL, NULL, NULL, NULL);
    bool has =
        put(encoder->converter[0], one, &out) == one.len || put_other(encoder, one, &out);
    iconv(encoder->converter[0], NULL, NULL, NULL, NULL);
    qp_buf_clear(&out);
    return has;
}

static const char *count_missing(void *user, size_t at, uint32_t code_point)
{
    ++*(size_t *)user;
    return NULL;
}

bool qp_encoder_strict(qp_encoder *encoder, qp_str text, qp_buf *out)
{
    size_t lacking = 0;
    encoder->mark = "";
    qp_encoder_add(encoder, text, out, "", count_missing, &lacking);
    return lacking == 0 && !out->failed;
}
