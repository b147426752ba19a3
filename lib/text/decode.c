/* Bytes to UTF-8: a run for what is plain, a step for one item of any kind. Both agree; a
 * step is what finds the place of a character in the file again.
 *
 * UTF-8 is taken strictly (Unicode 15, table 3-7): no surrogates, nothing over-long. A
 * byte that is not allowed is one U+FFFD and costs nothing but itself, so that a line end
 * or a bracket behind a stray lead byte stays what it is.
 */
#include "config.h"

#include "text/decode.h"

static const uint64_t HIGH_BITS = 0x8080808080808080u;
static const uint64_t BLANKS = 0x2020202020202020u;

/* How many bytes from the first in memory on have a clear top bit in mask; 8 for none
 * set. */
static inline unsigned clear_bytes(uint64_t mask)
{
    if (mask == 0)
        return 8;
#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
    return (unsigned)__builtin_ctzll(mask) >> 3;
#elif defined(__GNUC__)
    return (unsigned)__builtin_clzll(mask) >> 3;
#else
    unsigned char bytes[8];
    unsigned n = 0;
    memcpy(bytes, &mask, 8);
    while (bytes[n] == 0)
        n++;
    return n;
#endif
}

/* Length of a table entry: its bytes up to the zeros behind them. */
static inline unsigned entry_len(uint32_t entry)
{
#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
    return 4 - ((unsigned)__builtin_clz(entry) >> 3);
#elif defined(__GNUC__)
    return 4 - ((unsigned)__builtin_ctz(entry) >> 3);
#else
    unsigned char bytes[4];
    unsigned n = 4;
    memcpy(bytes, &entry, 4);
    while (bytes[n - 1] == 0)
        n--;
    return n;
#endif
}

/* Whether an entry is a character of three bytes, as nearly all are. */
static inline bool entry_is_three(uint32_t entry)
{
#if defined(WORDS_BIGENDIAN)
    return (entry & 0xFF) == 0 && (entry & 0xFF00) != 0;
#else
    return entry - 0x10000 < 0x1000000 - 0x10000;
#endif
}

static size_t step_bad(char *out, size_t *put, qp_step_kind *kind)
{
    memcpy(out, "\xEF\xBF\xBD", 3);
    *put = 3;
    *kind = QP_STEP_BAD;
    return 1;
}

/* ASCII: line ends become LF, what separates pages a blank, other control characters
 * go. */
static size_t step_ascii(const unsigned char *p, const unsigned char *end, char *out,
                         size_t *put, qp_step_kind *kind)
{
    *put = 1;
    *kind = QP_STEP_TEXT;
    *out = (char)*p;
    if (*p >= 0x20 || *p == '\n' || *p == '\t')
        return 1;
    if (*p == '\r') {
        *out = '\n';
        return end - p > 1 && p[1] == '\n' ? 2 : 1;
    }
    if (*p == '\f' || *p == '\v') {
        *out = ' ';
        return 1;
    }
    *put = 0;
    *kind = QP_STEP_JUNK;
    return 1;
}

/* Two or more bytes of UTF-8 in out: a mark, a lost character or text. */
static void classify(const char *out, size_t *put, qp_step_kind *kind)
{
    *kind = QP_STEP_TEXT;
    if (*put != 3 || (unsigned char)out[0] != 0xEF)
        return;
    if (memcmp(out, "\xEF\xBB\xBF", 3) == 0) {
        *put = 0;
        *kind = QP_STEP_MARK;
    } else if (memcmp(out, "\xEF\xBF\xBD", 3) == 0) {
        *kind = QP_STEP_LOST;
    }
}

static size_t step_utf8(const unsigned char *p, const unsigned char *end, char *out,
                        size_t *put, qp_step_kind *kind)
{
    size_t len = qp_utf8_valid(p, end);
    if (len == 0)
        return step_bad(out, put, kind);
    memcpy(out, p, len);
    *put = len;
    classify(out, put, kind);
    return len;
}

/* A well-formed pair that has no character may be one, or a stray byte before another
 * pair: an even number of bytes above ASCII behind its first says that this one stands
 * alone. */
static bool stray_lead(const unsigned char *p, const unsigned char *end)
{
    const unsigned char *at = p + 1;
    if (end - at > QP_STEP_AHEAD - 8)
        end = at + (QP_STEP_AHEAD - 8);
    while (at < end && *at >= 0x80)
        at++;
    return (at - p - 1) % 2 == 0;
}

static size_t step_pair(qp_decoder *decoder, const unsigned char *p,
                        const unsigned char *end, char *out, size_t *put,
                        qp_step_kind *kind)
{
    size_t n = (size_t)(end - p);
    if (n < 2 || *p == 0x80 || *p == 0xFF)
        return step_bad(out, put, kind);
    if (decoder->encoding == QP_ENC_GB18030 && p[1] >= '0' && p[1] <= '9' && n >= 4 &&
        p[2] > 0x80 && p[2] < 0xFF && p[3] >= '0' && p[3] <= '9') {
        *put = qp_decoder_four(decoder, p, out);
        if (*put < 2)
            return step_bad(out, put, kind);
        classify(out, put, kind);
        return 4;
    }
    uint32_t entry = qp_decoder_pair(decoder, p[0], p[1]);
    if (entry > 1) {
        *put = entry_len(entry);
        memcpy(out, &entry, 4);
        classify(out, put, kind);
        return 2;
    }
    step_bad(out, put, kind);
    unsigned least = decoder->encoding == QP_ENC_BIG5 ? 0xA1 : 0x80;
    return p[1] < least || p[1] == 0xFF || stray_lead(p, end) ? 1 : 2;
}

static inline unsigned unit(const unsigned char *p, bool big)
{
    return big ? (unsigned)p[0] << 8 | p[1] : (unsigned)p[1] << 8 | p[0];
}

static size_t step_utf16(bool big, const unsigned char *p, const unsigned char *end,
                         char *out, size_t *put, qp_step_kind *kind)
{
    size_t n = (size_t)(end - p), used = 2;
    if (n < 2)
        return step_bad(out, put, kind);
    uint32_t c = unit(p, big);
    if (c < 0x80) {
        const unsigned char ascii[2] = {(unsigned char)c,
                                        n >= 4 && unit(p + 2, big) == '\n' ? '\n' : 0};
        return 2 * step_ascii(ascii, ascii + 2, out, put, kind);
    }
    if (c >= 0xD800 && c < 0xE000) {
        uint32_t low = c < 0xDC00 && n >= 4 ? unit(p + 2, big) : 0;
        if (low < 0xDC00 || low > 0xDFFF) {
            step_bad(out, put, kind);
            return 2;
        }
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        used = 4;
    }
    *put = qp_utf8_put(out, c);
    classify(out, put, kind);
    return used;
}

size_t qp_decoder_step(qp_decoder *decoder, const unsigned char *p,
                       const unsigned char *end, char out[QP_STEP_ROOM], size_t *put,
                       qp_step_kind *kind)
{
    switch (decoder->encoding) {
    case QP_ENC_BINARY:
        *out = (char)*p;
        *put = 1;
        *kind = QP_STEP_TEXT;
        return 1;
    case QP_ENC_UTF16LE:
    case QP_ENC_UTF16BE:
        return step_utf16(decoder->encoding == QP_ENC_UTF16BE, p, end, out, put, kind);
    case QP_ENC_GB18030:
    case QP_ENC_BIG5:
        if (*p >= 0x80)
            return step_pair(decoder, p, end, out, put, kind);
        break;
    case QP_ENC_NONE:
    case QP_ENC_UTF8:
        if (*p >= 0x80)
            return step_utf8(p, end, out, put, kind);
        break;
    }
    return step_ascii(p, end, out, put, kind);
}

/* Copies ASCII until something else or stop; false: only a step can go on. One turn
 * copies up to eight bytes. Leaves *p at a byte above ASCII, or at stop. */
static inline bool run_ascii(const unsigned char **from, const unsigned char *stop,
                             const unsigned char *end, char **to, uint32_t *lines)
{
    const unsigned char *p = *from;
    char *out = *to;
    bool plain = true;
    while (p < stop) {
        if (*p == '\n') {
            ++*lines;
            *out++ = '\n';
            p++;
            continue;
        }
        uint64_t word;
        memcpy(&word, p, 8);
        unsigned n = clear_bytes((word | ((word - BLANKS) & ~word)) & HIGH_BITS);
        memcpy(out, &word, 8);
        if (QP_RARE(n > (size_t)(stop - p)))
            n = (unsigned)(stop - p);
        p += n;
        out += n;
        if (n == 8) {
            for (; stop - p >= 16; p += 16, out += 16) { /* what is long tends to go on */
                uint64_t two[2];
                memcpy(two, p, 16);
                if ((((two[0] | ((two[0] - BLANKS) & ~two[0])) |
                      (two[1] | ((two[1] - BLANKS) & ~two[1]))) &
                     HIGH_BITS) != 0)
                    break;
                memcpy(out, two, 16);
            }
            continue;
        }
        if (p == stop)
            continue;
        if (*p >= 0x80)
            break;
        if (*p == '\r') {
            ++*lines;
            *out++ = '\n';
            p += end - p > 1 && p[1] == '\n' ? 2 : 1;
        } else if (*p == '\t') {
            *out++ = '\t';
            p++;
        } else if (*p == '\n') {
            ++*lines;
            *out++ = '\n';
            p++;
        } else if (*p < 0x20) {
            plain = false;
            break;
        }
    }
    *from = p;
    *to = out;
    return plain;
}

static void run_pairs(qp_decoder *decoder, const unsigned char **from,
                      const unsigned char *stop, const unsigned char *end, char **to,
                      uint32_t *lines)
{
    const unsigned char *p = *from;
    const unsigned char *whole = stop < end ? stop : end - 1; /* before it a pair fits */
    char *out = *to;
    const uint32_t *pairs = decoder->pairs;
    while (p < stop) {
        while (p < whole) {
            unsigned pair = (unsigned)p[0] << 8 | p[1];
            if (pair < 0x8000) {
                if (pair < 0x2000 || (pair & 0x80) == 0)
                    break;
                *out++ = (char)*p++; /* alone between two pairs */
                continue;
            }
            uint32_t entry = pairs[pair - 0x8000];
            if (QP_RARE(!entry_is_three(entry))) {
                if (entry == 0 && (pair & 0xFF) >= 0x40)
                    entry = qp_decoder_pair(decoder, pair >> 8, pair & 0xFF);
                if (entry <= 1)
                    goto done;
                memcpy(out, &entry, 4);
                out += entry_len(entry);
                p += 2;
                continue;
            }
            memcpy(out, &entry, 4);
            out += 3;
            p += 2;
        }
        if (p >= stop || *p >= 0x80 || !run_ascii(&p, stop, end, &out, lines))
            break;
    }
done:
    *from = p;
    *to = out;
}

static void run_utf8(const unsigned char **from, const unsigned char *stop,
                     const unsigned char *end, char **to, uint32_t *lines)
{
    const unsigned char *p = *from;
    /* Before it three bytes fit. */
    const unsigned char *whole = end - stop >= 2 ? stop : end - p >= 2 ? end - 2 : p;
    char *out = *to;
    while (p < stop) {
        while (p < whole) {
            /* Most are U+1000 .. U+CFFF, or digits in full width: three bytes without a
             * second thought. */
            uint16_t tail;
            memcpy(&tail, p + 1, 2);
            if (QP_LIKELY_TO((tail & 0xC0C0) == 0x8080 &&
                             ((p[0] > 0xE0 && p[0] < 0xED) ||
                              (p[0] == 0xEF && p[1] == 0xBC)))) {
                memcpy(out, p, 4);
                out += 3;
                p += 3;
                continue;
            }
            if (p[0] < 0x20 || p[0] >= 0x80 || p[1] < 0x80)
                break;
            *out++ = (char)*p++; /* alone between two others */
        }
        if (p >= stop)
            break;
        if (*p < 0x80) {
            if (!run_ascii(&p, stop, end, &out, lines))
                break;
            continue;
        }
        size_t len = qp_utf8_valid(p, end);
        if (len == 0 || (*p == 0xEF && (p[1] == 0xBB || p[1] == 0xBF) &&
                         (p[2] == 0xBF || p[2] == 0xBD)))
            break;
        memcpy(out, p, 4);
        out += len;
        p += len;
    }
    *from = p;
    *to = out;
}

static void run_utf16(bool big, const unsigned char **from, const unsigned char *stop,
                      const unsigned char *end, char **to, uint32_t *lines)
{
    const unsigned char *p = *from;
    char *out = *to;
    for (; p < stop && end - p >= 2; p += 2) {
        unsigned c = unit(p, big);
        if (c < 0x80) {
            if (c == '\r' && end - p >= 4 && unit(p + 2, big) == '\n')
                p += 2;
            if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
                break;
            if (c == '\n' || c == '\r') {
                ++*lines;
                c = '\n';
            }
            *out++ = (char)c;
        } else if ((c >= 0xD800 && c < 0xE000) || c == 0xFEFF || c == 0xFFFD) {
            break;
        } else {
            out += qp_utf8_put(out, c);
        }
    }
    *from = p;
    *to = out;
}

void qp_decoder_run(qp_decoder *decoder, const unsigned char **from,
                    const unsigned char *stop, const unsigned char *end, char **out,
                    uint32_t *lines)
{
    switch (decoder->encoding) {
    case QP_ENC_NONE:
    case QP_ENC_UTF8:
        run_utf8(from, stop, end, out, lines);
        break;
    case QP_ENC_GB18030:
    case QP_ENC_BIG5:
        run_pairs(decoder, from, stop, end, out, lines);
        break;
    case QP_ENC_UTF16LE:
    case QP_ENC_UTF16BE:
        run_utf16(decoder->encoding == QP_ENC_UTF16BE, from, stop, end, out, lines);
        break;
    case QP_ENC_BINARY:
        break;
    }
}

bool qp_decoder_clean(qp_decoder *decoder, const unsigned char *p, const unsigned char *end)
{
    bool pairs = decoder->encoding == QP_ENC_GB18030 || decoder->encoding == QP_ENC_BIG5;
    while (p < end) {
        uint64_t word;
        memcpy(&word, p, 8);
        p += clear_bytes((word | ((word - BLANKS) & ~word)) & HIGH_BITS);
        if (p >= end)
            return true;
        if ((*p >= 0x20 && *p < 0x80) || *p == '\n') { /* behind eight of them, or alone */
            p += *p == '\n';
            continue;
        }
        while (pairs && end - p >= 2 && *p >= 0x80 &&
               entry_is_three(decoder->pairs[((size_t)p[0] << 8 | p[1]) - 0x8000]))
            p += 2;
        if (p < end && (*p < 0x20 || *p >= 0x80)) {
            char out[QP_STEP_ROOM];
            size_t put;
            qp_step_kind kind;
            p += qp_decoder_step(decoder, p, end, out, &put, &kind);
            if (kind != QP_STEP_TEXT)
                return false;
        }
    }
    return true;
}

/* How many of the eight bytes at p are plain ASCII and no quotes, before the first that is
 * not; at most so many. */
static inline unsigned quoted_ascii(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return qp_word_clear(qp_word_equal(word, '"') | qp_word_below(word, ' ') |
                         (word & HIGH_BITS));
}

const unsigned char *qp_decoder_quoted(const qp_decoder *decoder, const unsigned char *p,
                                       const unsigned char *end)
{
    const uint32_t *pairs = decoder->pairs;
    while (p < end) {
        while (*p >= 0x80) {
            uint16_t tail;
            if (pairs != NULL) {
                if (pairs[((size_t)p[0] << 8 | p[1]) - 0x8000] <= 1)
                    return p;
                p += 2;
                continue;
            }
            memcpy(&tail, p + 1, 2); /* U+1000 .. U+CFFF, as in a run */
            if ((tail & 0xC0C0) != 0x8080 || p[0] <= 0xE0 || p[0] >= 0xED)
                return p;
            p += 3;
        }
        if (*p == '"' || *p < ' ')
            return p;
        p++;
        p += quoted_ascii(p);
    }
    return p;
}

size_t qp_decoder_all(qp_decoder *decoder, qp_str bytes, qp_buf *out)
{
    const unsigned char *p = (const unsigned char *)bytes.data;
    size_t bad = 0;
    for (size_t at = 0; at < bytes.len;) {
        char one[QP_STEP_ROOM];
        size_t put;
        qp_step_kind kind;
        if (decoder->pairs != NULL && p[at] >= 0x80 && bytes.len - at >= 2) {
            uint32_t entry = decoder->pairs[(p[at] & 0x7F) << 8 | p[at + 1]];
            if (QP_LIKELY_TO(entry_is_three(entry))) {
                memcpy(one, &entry, 4);
                qp_buf_add(out, one, 3);
                at += 2;
                continue;
            }
        }
        at += qp_decoder_step(decoder, p + at, p + bytes.len, one, &put, &kind);
        qp_buf_add(out, one, put);
        bad += kind == QP_STEP_BAD;
    }
    return bad;
}
