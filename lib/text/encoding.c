/* Encodings by name, one character at a time, and text that was read as another encoding. */
#include "config.h"

#include "text/decode.h"

static const struct {
    qp_encoding encoding;
    const char *names; /* parted by blanks; lower case, without - _ and : */
} names[] = {
    {QP_ENC_UTF8, "utf8 unicode11utf8 cp65001 utf8sig utf8bom utf8mac ascii usascii"
                  " ansix3.41968 iso646us 646"},
    {QP_ENC_GB18030,
     "gb18030 gbk gb2312 gb231280 cp936 ms936 windows936 936 euccn"
     " chinese csgb2312 csiso58gb231280 gb180302000 gb180302005 gb180302022 xgbk ansigb"
     " cp54936 54936 simplifiedchinese ibm1386 cp1386 isoir58"},
    {QP_ENC_BIG5,
     "big5 bigfive big5hkscs hkscs big5hkscs1999 big5hkscs2001 big5hkscs2004 "
     "big5hkscs2008"
     " cp950 ms950 windows950 950 xxbig5 csbig5 big5eten big5tw big5hk cnbig5 big52003"
     " traditionalchinese big5e big5plus xwindows950"},
    {QP_ENC_UTF16LE,
     "utf16le utf16 ucs2 ucs2le unicode unicodelittle unicodelittleunmarked"
     " iso10646ucs2 csunicode xutf16lebom utf16lebom windows1200 cp1200 1200"},
    {QP_ENC_UTF16BE, "utf16be ucs2be unicodebig unicodebigunmarked unicodefffe utf16bebom"
                     " windows1201 cp1201 1201"},
};

const char *qp_encoding_name(qp_encoding encoding)
{
    switch (encoding) {
    case QP_ENC_NONE:
        return "ascii";
    case QP_ENC_UTF8:
        return "utf-8";
    case QP_ENC_GB18030:
        return "gb18030";
    case QP_ENC_BIG5:
        return "big5";
    case QP_ENC_UTF16LE:
        return "utf-16le";
    case QP_ENC_UTF16BE:
        return "utf-16be";
    case QP_ENC_BINARY:
        break;
    }
    return "";
}

qp_encoding qp_encoding_find(const char *name)
{
    char plain[32];
    size_t n = 0;
    for (; *name != '\0'; name++) {
        char c = *name;
        if (c == '-' || c == '_' || c == ' ' || c == ':')
            continue;
        if (n == sizeof plain - 1)
            return QP_ENC_NONE;
        plain[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    plain[n] = '\0';
    if (n == 0)
        return QP_ENC_NONE;
    for (size_t i = 0; i < QP_COUNT(names); i++)
        for (const char *at = names[i].names; *at != '\0';) {
            size_t len = strcspn(at, " ");
            if (len == n && memcmp(at, plain, n) == 0)
                return names[i].encoding;
            at += len + (at[len] == ' ');
        }
    return QP_ENC_NONE;
}

uint32_t qp_decode_one(qp_encoding encoding, const unsigned char *p, size_t n,
                       size_t *used)
{
    qp_decoder decoder;
    char out[QP_STEP_ROOM];
    size_t put, len;
    qp_step_kind kind;
    size_t need = 1;
    if (encoding == QP_ENC_UTF8 || encoding == QP_ENC_NONE) {
        need = p[0] < 0xC2 || p[0] > 0xF4 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
        size_t good = 1;
        while (good < need && good < n && (p[good] & 0xC0) == 0x80)
            good++;
        if (good < need && good == n) {
            *used = 0;
            return 0xFFFD;
        }
    } else if (encoding == QP_ENC_GB18030 || encoding == QP_ENC_BIG5) {
        bool lead = p[0] > 0x80 && p[0] < 0xFF;
        bool four = lead && encoding == QP_ENC_GB18030 && n > 1 && p[1] >= '0' &&
                    p[1] <= '9' && (n == 2 || (p[2] > 0x80 && p[2] < 0xFF));
        if (lead && (n == 1 || (four && n < 4))) {
            *used = 0;
            return 0xFFFD;
        }
    } else {
        *used = 1;
        return encoding == QP_ENC_BINARY ? p[0] : 0xFFFD;
    }
    if (p[0] < 0x80) {
        *used = 1;
        return p[0];
    }
    uint32_t code_point = 0xFFFD;
    *used = 1;
    if (qp_decoder_init(&decoder, encoding)) {
        *used = qp_decoder_step(&decoder, p, p + n, out, &put, &kind);
        if (kind == QP_STEP_MARK)
            code_point = 0xFEFF;
        else if (kind != QP_STEP_BAD && put != 0)
            code_point = qp_utf8_at(out, put, &len);
        else
            *used = 1;
    }
    qp_decoder_clear(&decoder);
    return code_point;
}

bool qp_recode(qp_str text, qp_encoding from, qp_encoding to, qp_buf *out)
{
    qp_buf bytes = {0};
    size_t start = out->len;
    bool good = true;
    if (from == QP_ENC_UTF8) {
        qp_buf_add_str(&bytes, text);
    } else {
        qp_encoder *encoder = qp_encoder_open(qp_encoding_name(from));
        good = encoder != NULL && qp_encoder_strict(encoder, text, &bytes);
        qp_encoder_close(encoder);
    }
    qp_decoder decoder = {0};
    good = good && qp_decoder_init(&decoder, to) &&
           qp_decoder_all(&decoder, (qp_str){bytes.data, bytes.len}, out) == 0 &&
           !bytes.failed && !out->failed;
    qp_decoder_clear(&decoder);
    qp_buf_clear(&bytes);
    if (!good)
        out->len = start;
    return good;
}
