/* What lib/check finds in a plain game: see said.h. */
#include "config.h"

#include "format/said.h"

bool qp_said_usual(const unsigned char *p, size_t n)
{
    static const char usual[] = QP_SAID_USUAL;
    return n == sizeof usual - 1 && memcmp(p, usual, n) == 0;
}

bool qp_said_date(qp_patterns *patterns, qp_str value)
{
    char date[11];
    return value.len == 0 || qp_date_read(patterns, value, date) <= QP_DATE_EMPTY;
}

bool qp_said_date_in(qp_patterns *patterns, qp_source *source, qp_encoding encoding,
                     const unsigned char *p, size_t n)
{
    char text[64];
    size_t plain = 0;
    while (plain < n && p[plain] >= ' ' && p[plain] < 0x80)
        plain++;
    if (plain == n && encoding != QP_ENC_UTF16LE && encoding != QP_ENC_UTF16BE)
        return qp_said_date(patterns, (qp_str){(const char *)p, n});
    size_t len = n < sizeof text / 3
                     ? qp_source_decode(source, encoding, p, n, text, sizeof text)
                     : 0;
    return len != 0 && qp_said_date(patterns, (qp_str){text, len});
}

const char *qp_said_recoded_mark(qp_encoding encoding)
{
    return encoding == QP_ENC_BIG5      ? "\xB5\xDA"
           : encoding == QP_ENC_GB18030 ? "\xC8\x43"
           : encoding == QP_ENC_UTF8    ? "\xE8\x8F\xB4"
                                        : NULL;
}

bool qp_said_recoded(qp_encoding encoding, const unsigned char *p, size_t n)
{
    const char *mark = qp_said_recoded_mark(encoding);
    return mark != NULL && n >= strlen(mark) && memcmp(p, mark, strlen(mark)) == 0;
}

bool qp_said_agrees(const qp_said *said, qp_result end, const qp_rounds *rounds)
{
    qp_result result = said->result != QP_RESULT_UNKNOWN ? said->result : end;
    bool decided = result == QP_RESULT_RED || result == QP_RESULT_BLACK;
    if (!said->quiet ||
        (said->has_result && end != QP_RESULT_UNKNOWN && said->result != end))
        return false;
    if (rounds->end != QP_END_NONE)
        return result == (rounds->final.side == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED);
    return !decided || !qp_board_dead_material(&rounds->final);
}

bool qp_said_date_known(qp_said_dates *dates, qp_patterns *patterns, qp_source *source,
                        qp_encoding encoding, const unsigned char *p, size_t n)
{
    uint64_t bytes[2] = {0, 0};
    if (n == 0)
        return true;
    if (n > sizeof bytes)
        return qp_said_date_in(patterns, source, encoding, p, n);
    if (dates->encoding != encoding) {
        memset(dates, 0, sizeof *dates);
        dates->encoding = encoding;
    }
    memcpy(bytes, p, n);
    size_t slot = (bytes[0] ^ bytes[1]) * UINT64_C(0x9e3779b97f4a7c15) >> 32 &
                  (QP_SAID_DATES - 1);
    if (dates->at[slot].len != n || dates->at[slot].bytes[0] != bytes[0] ||
        dates->at[slot].bytes[1] != bytes[1]) {
        dates->at[slot].bytes[0] = bytes[0];
        dates->at[slot].bytes[1] = bytes[1];
        dates->at[slot].len = (uint8_t)n;
        dates->at[slot].good = qp_said_date_in(patterns, source, encoding, p, n);
    }
    return dates->at[slot].good;
}
