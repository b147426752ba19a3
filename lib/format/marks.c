/* What stands around moves, told from its first bytes: tags, round numbers, results, marks. No
 * state and no events; movetext.c says what becomes of them. */
#include "config.h"

#include "format/marks.h"

size_t qp_tag_sign_len(const char *p, size_t n)
{
    if (n > 0 && (*p == ':' || *p == '='))
        return 1;
    return n >= 3 && (memcmp(p, "：", 3) == 0 || memcmp(p, "＝", 3) == 0) ? 3 : 0;
}

bool qp_is_tag_char(const char *p, size_t n)
{
    unsigned char c = (unsigned char)*p;
    if (c >= 0x80)
        return qp_blank_len(p, n) == 0 && qp_tag_sign_len(p, n) == 0;
    return (unsigned)(c | 0x20) - 'a' < 26 || (c >= '0' && c <= '9') || c == '_';
}

static size_t pass_blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

size_t qp_tag_head(const char *p, size_t n, qp_str *name)
{
    size_t i = pass_blanks(p, n, 0), from;
    if (i == n || p[i++] != '[')
        return 0;
    i = from = pass_blanks(p, n, i);
    while (i < n && qp_is_tag_char(p + i, n - i))
        i++;
    *name = (qp_str){p + from, i - from};
    if (i == from || i - from > QP_TAG_NAME_MAX || i == n)
        return 0;
    if (p[i] == '"') /* [Red"x"] */
        return i;
    from = i;
    i = pass_blanks(p, n, i);
    i = pass_blanks(p, n, i + qp_tag_sign_len(p + i, n - i));
    if (i == from || i == n)
        return 0;
    /* A straight quote, or a curly one of a word processor. */
    return p[i] == '"' || (n - i >= 3 && memcmp(p + i, "\xE2\x80\x9C", 3) == 0) ? i : 0;
}

bool qp_is_tag_line(const char *p, size_t n)
{
    qp_str name;
    return qp_tag_head(p, n, &name) != 0;
}

bool qp_bare_tag(qp_str line, qp_str *name, qp_str *value)
{
    line = qp_str_trim(line);
    if (line.len < 4 || line.data[0] != '[' || line.data[line.len - 1] != ']')
        return false;
    size_t i = 1, end = line.len - 1;
    while (i < end && (((unsigned)(line.data[i] | 0x20) - 'a') < 26 || line.data[i] == '_'))
        i++;
    *name = (qp_str){line.data + 1, i - 1};
    size_t from = pass_blanks(line.data, end, i);
    from += qp_tag_sign_len(line.data + from, end - from);
    *value = qp_str_trim((qp_str){line.data + from, end - from});
    if (value->len >= 2 && value->data[0] == '\'' && value->data[value->len - 1] == '\'')
        *value = (qp_str){value->data + 1, value->len - 2};
    return i > 1 && i < end && from != i && memchr(value->data, '"', value->len) == NULL;
}

bool qp_is_bare_tag(const char *p, size_t n)
{
    static const char *const usual[] = {"Game", "Event", "Site",   "Date", "Round",
                                        "Red",  "Black", "Result", "FEN"};
    qp_str name, value;
    bool is = false;
    if (n == 0 || !qp_bare_tag((qp_str){p, n}, &name, &value))
        return false;
    for (size_t i = 0; i < QP_COUNT(usual); i++)
        is |= qp_str_is_nocase(name, usual[i]);
    return is;
}

bool qp_digits_only(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] < '0' || p[i] > '9')
            return false;
    return n > 0;
}

size_t qp_dots_len(const char *p, size_t n, unsigned *count)
{
    static const char *const dots[] = {"…", "·", "．", "。", "⋯", "─", "—"};
    size_t i = 0;
    *count = 0;
    while (i < n) {
        size_t step = 0;
        if (p[i] == '.') {
            step = 1;
        } else {
            for (size_t d = 0; d < QP_COUNT(dots) && step == 0; d++) {
                size_t len = strlen(dots[d]);
                if (n - i >= len && memcmp(p + i, dots[d], len) == 0) {
                    step = len;
                    *count += d == 0; /* … is more than one */
                }
            }
        }
        if (step == 0)
            break;
        ++*count;
        i += step;
    }
    return i;
}

static size_t digit_at(const char *p, size_t n, unsigned *value)
{
    if (n >= 1 && *p >= '0' && *p <= '9') {
        *value = (unsigned)(*p - '0');
        return 1;
    }
    if (n >= 3 && memcmp(p, "\xEF\xBC", 2) == 0 && (unsigned char)p[2] >= 0x90 &&
        (unsigned char)p[2] <= 0x99) {
        *value = (unsigned char)p[2] - 0x90u;
        return 3;
    }
    return 0;
}

/* ①…⑳ ⑴…⒇ ⒈…⒛ */
static size_t circled_at(const char *p, size_t n, unsigned *value)
{
    size_t len;
    if (n < 3 || *p != '\xE2')
        return 0;
    uint32_t c = qp_utf8_at(p, n, &len);
    if (c < 0x2460 || c > 0x249B)
        return 0;
    *value = (c - 0x2460) % 20 + 1;
    return len;
}

/* 一 … 九十九: a numeral of up to three characters. */
static size_t numeral_at(const char *p, size_t n, unsigned *value)
{
    static const char *const digits[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
    size_t i = 0;
    unsigned ones = 0;
    bool ten = false;
    *value = 0;
    while (n - i >= 3 && i < 9) {
        unsigned digit = 1;
        while (digit < 10 && memcmp(p + i, digits[digit], 3) != 0)
            digit++;
        if (digit < 10 && ones == 0) {
            ones = digit;
        } else if (digit == 10 && !ten && memcmp(p + i, "十", 3) == 0) {
            ten = true;
            *value = (ones ? ones : 1) * 10;
            ones = 0;
        } else {
            break;
        }
        i += 3;
    }
    *value += ones;
    return i;
}

size_t qp_numeral_len(const char *p, size_t n, unsigned *value)
{
    size_t i = numeral_at(p, n, value);
    return i != 0 && n - i >= 3 && (memcmp(p + i, "、", 3) == 0 || memcmp(p + i, "．", 3) == 0)
               ? i + 3 : 0;
}

/* What closes a bracket around a number; NULL where none opens at p. */
static const char *closing(const char *p, size_t n, size_t *open)
{
    *open = *p == '(' || *p == '[' ? 1 : 3;
    if (*p == '(')
        return ")";
    if (*p == '[')
        return "]";
    if (n >= 3 && memcmp(p, "（", 3) == 0)
        return "）";
    return n >= 3 && memcmp(p, "【", 3) == 0 ? "】" : NULL;
}

size_t qp_number_len(const char *p, size_t n, unsigned *value, bool *dots)
{
    size_t i = 0, used;
    unsigned digit, count = 0;
    bool ordinal = false;
    const char *close = NULL;
    *dots = false;
    if (n == 0)
        return 0;
    if ((used = circled_at(p, n, value)) != 0) {
        i = used;
    } else {
        if (n >= 3 && memcmp(p, "第", 3) == 0) {
            ordinal = true;
            i = 3;
        } else if (*p == '#') {
            i = 1;
        } else if ((unsigned)(*p - '0') > 9 && (close = closing(p, n, &used)) != NULL) {
            i = used;
        }
        *value = 0;
        while ((used = digit_at(p + i, n - i, &digit)) != 0 && count < 4) {
            *value = *value * 10 + digit;
            count++;
            i += used;
        }
        if (ordinal && count == 0) {
            i += numeral_at(p + i, n - i, value);
            count = *value != 0;
        }
        if (count == 0 || count > 3 || used != 0)
            return 0;
        size_t space = 0;
        while (i + space < n && p[i + space] == ' ')
            space++;
        const char *q = p + i + space;
        size_t left = n - i - space;
        if (ordinal) {
            static const char *const words[] = {"回合", "回", "着", "步"};
            for (size_t w = 0; w < QP_COUNT(words); w++) {
                size_t len = strlen(words[w]);
                if (left < len || memcmp(q, words[w], len) != 0)
                    continue;
                i += space + len;
                if (n - i >= 1 && p[i] == ':')
                    return i + 1;
                return n - i >= 3 && memcmp(p + i, "：", 3) == 0 ? i + 3 : i;
            }
            return 0;
        }
        if (close != NULL) {
            size_t len = strlen(close);
            return left >= len && memcmp(q, close, len) == 0 ? i + space + len : 0;
        }
        if (left >= 1 && (*q == ')' || *q == ':' || (*q == ',' && space == 0))) {
            i += space + 1;
        } else if (left >= 3 && (memcmp(q, "、", 3) == 0 || memcmp(q, "）", 3) == 0 ||
                                 memcmp(q, "，", 3) == 0 || memcmp(q, "：", 3) == 0)) {
            i += space + 3;
        } else {
            size_t len = qp_dots_len(q, left, &count);
            if (len == 0) {
                /* A bare number before a blank, or the bar or bracket of a table. */
                if (space == 0 && left > 0 && strchr("|<\";", *q) == NULL &&
                    qp_blank_len(q, left) == 0)
                    return 0;
                return i;
            }
            *dots = count >= 2;
            return i + space + len;
        }
    }
    return i;
}

/* What one side scored, in halves: 1, 0, ½, 1/2, 0.5. */
static size_t score_at(const char *p, size_t n, unsigned *halves)
{
    static const char *const half[] = {"1/2", "½", "0.5"};
    size_t len;
    for (size_t i = 0; i < QP_COUNT(half); i++)
        if (n >= (len = strlen(half[i])) && memcmp(p, half[i], len) == 0) {
            *halves = 1;
            return len;
        }
    len = digit_at(p, n, halves);
    if (*halves > 1)
        return 0;
    *halves *= 2;
    return len;
}

/* What stands between two scores: a hyphen or dash of any kind, or a colon, perhaps with a
 * blank on either side. */
static size_t score_sign_len(const char *p, size_t n)
{
    static const char signs[][4] = {"‐", "‑", "‒", "–", "—", "―", "−", "－", "：", "∶"};
    size_t at = n > 0 && *p == ' ', len = 0;
    if (at < n && (p[at] == '-' || p[at] == ':'))
        len = 1;
    for (size_t i = 0; len == 0 && i < QP_COUNT(signs); i++)
        if (n - at >= 3 && memcmp(p + at, signs[i], 3) == 0)
            len = 3;
    if (len == 0)
        return 0;
    at += len;
    return at + (at < n && p[at] == ' ');
}

/* A result as nearly all are written, with a blank or nothing behind it; 0: another, or none. */
static size_t usual_result_len(const char *p, size_t n, qp_result *result)
{
    static const struct {
        char text[8];
        uint8_t len, result;
    } usual[] = {{"1-0", 3, QP_RESULT_RED}, {"0-1", 3, QP_RESULT_BLACK},
                 {"1/2-1/2", 7, QP_RESULT_DRAW}};
    for (size_t i = 0; i < QP_COUNT(usual); i++) {
        size_t len = usual[i].len;
        if (n < len || memcmp(p, usual[i].text, len) != 0 ||
            (n > len && (unsigned char)p[len] > ' '))
            continue;
        *result = (qp_result)usual[i].result;
        return len;
    }
    return 0;
}

size_t qp_result_len(const char *p, size_t n, qp_result *result)
{
    unsigned red = 0, black = 0, digit;
    size_t usual = usual_result_len(p, n, result);
    if (usual != 0)
        return usual;
    if (n > 0 && *p == '*') {
        *result = QP_RESULT_UNKNOWN;
        return 1;
    }
    if (n >= 3 && memcmp(p, "＊", 3) == 0) {
        *result = QP_RESULT_UNKNOWN;
        return 3;
    }
    size_t first = score_at(p, n, &red);
    if (first == 0)
        return 0;
    size_t len = first, sign = score_sign_len(p + len, n - len);
    size_t second = sign != 0 ? score_at(p + len + sign, n - len - sign, &black) : 0;
    if (second != 0 && red + black == 2) {
        *result = red == 2 ? QP_RESULT_RED : red == 1 ? QP_RESULT_DRAW : QP_RESULT_BLACK;
        len += sign + second;
    } else if (red == 1 && first == 3 && *p == '1') { /* 1/2 */
        *result = QP_RESULT_DRAW;
    } else {
        return 0;
    }
    return digit_at(p + len, n - len, &digit) == 0 ? len : 0;
}

size_t qp_mark_len(const char *p, size_t n, unsigned *nag)
{
    static const struct {
        const char *text;
        unsigned nag; /* 0: says nothing that the board does not */
    } marks[] = {
        {"⩲", 14}, {"⩱", 15}, {"±", 16}, {"∓", 17}, {"∞", 13}, {"⊙", 22}, {"=", 10},
        {"#", 0},  {"+", 0},  {"＋", 0}, {"＃", 0}, {"†", 0},
    };
    unsigned kind[2], count = 0;
    size_t i = 0;
    while (i < n && count < 2) {
        size_t len = p[i] == '!' || p[i] == '?'                            ? 1
                     : n - i >= 3 && (memcmp(p + i, "！", 3) == 0 ||
                                      memcmp(p + i, "？", 3) == 0)         ? 3
                                                                           : 0;
        if (len == 0)
            break;
        kind[count++] = p[i] == '!' || (len == 3 && memcmp(p + i, "！", 3) == 0);
        i += len;
    }
    if (count == 1) {
        *nag = kind[0] ? 1 : 2;
        return i;
    }
    if (count == 2) {
        *nag = kind[0] ? (kind[1] ? 3 : 5) : (kind[1] ? 6 : 4);
        return i;
    }
    for (size_t m = 0; m < QP_COUNT(marks); m++) {
        size_t len = strlen(marks[m].text);
        if (n >= len && memcmp(p, marks[m].text, len) == 0) {
            *nag = marks[m].nag;
            return len;
        }
    }
    return 0;
}

bool qp_goes_on(const char *p, size_t n)
{
    size_t len;
    if ((unsigned char)*p < 0x80)
        return false;
    uint32_t c = qp_utf8_at(p, n, &len);
    return (c >= 0x3400 && c < 0xA000) || c >= 0x20000 || (c >= 0x3041 && c < 0x3100);
}

size_t qp_token_len(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        unsigned char c = (unsigned char)p[i];
        if (i > 0 && (c == '{' || c == '}' || c == '(' || c == ')' || c == ';'))
            break;
        if (c <= ' ' || c == 0xE2 || c == 0xE3 || c == 0xC2 || c == 0xEF) {
            if (qp_blank_len(p + i, n - i) != 0)
                break;
            if (i > 0 && n - i >= 3 && memcmp(p + i, "（", 3) == 0)
                break;
        }
        i++;
    }
    return i ? i : 1;
}

bool qp_ascii_move_like(const char *p, size_t n)
{
    bool digit = false, letter = false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        digit |= c >= '0' && c <= '9';
        letter |= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c >= 0x80)
            return false;
    }
    return digit && letter && n >= 2 && n <= 8;
}

bool qp_has_lost_character(const char *p, size_t n)
{
    for (size_t i = 0; i + 3 <= n; i++)
        if (memcmp(p + i, "\xEF\xBF\xBD", 3) == 0)
            return true;
    return false;
}
