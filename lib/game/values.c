/* Results and dates as people write them. Sources: the tags of public archives, the dpxq,
 * vschess, CCBridge and XQWizard exports; the words are listed beside what they mean. */
#include "config.h"

#include "game/game.h"

static const char *const result_texts[] = {"*", "1-0", "0-1", "1/2-1/2"};

const char *qp_result_text(qp_result result)
{
    return result_texts[(unsigned)result < QP_COUNT(result_texts) ? result : 0];
}

qp_str qp_game_tag(const qp_game *game, const char *name)
{
    for (size_t i = 0; i < game->tag_count; i++)
        if (qp_str_is_nocase(game->tags[i].name, name))
            return game->tags[i].value;
    return (qp_str){0};
}

/* 先 and 后 words speak of the player named first, who is Red; 红 and 黑 words of the side
 * named; 黑先胜 is Black to move and Black wins (XQWizard). */
static const struct {
    const char *text;
    qp_result result;
} result_words[] = {
    {"1-0", QP_RESULT_RED},       {"1:0", QP_RESULT_RED},
    {"红胜", QP_RESULT_RED},      {"红方胜", QP_RESULT_RED},
    {"红先胜", QP_RESULT_RED},    {"黑负", QP_RESULT_RED},
    {"黑方负", QP_RESULT_RED},    {"黑先负", QP_RESULT_RED},
    {"帅胜", QP_RESULT_RED},      {"先胜", QP_RESULT_RED},
    {"后胜", QP_RESULT_RED},      {"胜", QP_RESULT_RED},
    {"红棋胜", QP_RESULT_RED},    {"红方获胜", QP_RESULT_RED},
    {"0-1", QP_RESULT_BLACK},     {"0:1", QP_RESULT_BLACK},
    {"黑胜", QP_RESULT_BLACK},    {"黑方胜", QP_RESULT_BLACK},
    {"黑先胜", QP_RESULT_BLACK},  {"红负", QP_RESULT_BLACK},
    {"红方负", QP_RESULT_BLACK},  {"红先负", QP_RESULT_BLACK},
    {"将胜", QP_RESULT_BLACK},    {"先负", QP_RESULT_BLACK},
    {"后负", QP_RESULT_BLACK},    {"负", QP_RESULT_BLACK},
    {"黑棋胜", QP_RESULT_BLACK},  {"黑方获胜", QP_RESULT_BLACK},
    {"1/2-1/2", QP_RESULT_DRAW},  {"1/2:1/2", QP_RESULT_DRAW},
    {"1/2", QP_RESULT_DRAW},      {"½-½", QP_RESULT_DRAW},
    {"½:½", QP_RESULT_DRAW},      {"½", QP_RESULT_DRAW},
    {"0.5-0.5", QP_RESULT_DRAW},  {"0.5:0.5", QP_RESULT_DRAW},
    {"1-1", QP_RESULT_DRAW},      {"1:1", QP_RESULT_DRAW},
    {"和", QP_RESULT_DRAW},       {"和棋", QP_RESULT_DRAW},
    {"和局", QP_RESULT_DRAW},     {"红和", QP_RESULT_DRAW},
    {"黑和", QP_RESULT_DRAW},     {"红先和", QP_RESULT_DRAW},
    {"黑先和", QP_RESULT_DRAW},   {"先和", QP_RESULT_DRAW},
    {"后和", QP_RESULT_DRAW},     {"双方和", QP_RESULT_DRAW},
    {"双方和棋", QP_RESULT_DRAW}, {"握手言和", QP_RESULT_DRAW},
    {"平局", QP_RESULT_DRAW},     {"平", QP_RESULT_DRAW},
    {"*", QP_RESULT_UNKNOWN},     {"未知", QP_RESULT_UNKNOWN},
    {"其他", QP_RESULT_UNKNOWN},  {"未终局", QP_RESULT_UNKNOWN},
    {"不分胜负", QP_RESULT_UNKNOWN}, {"待定", QP_RESULT_UNKNOWN},
    {"未分胜负", QP_RESULT_UNKNOWN}, {"未完", QP_RESULT_UNKNOWN},
    {"?", QP_RESULT_UNKNOWN},     {"-", QP_RESULT_UNKNOWN},
    {"", QP_RESULT_UNKNOWN},      {"对", QP_RESULT_UNKNOWN},
};

/* Brings a value to the spelling of the table: full width and traditional glyphs folded, all
 * dashes `-`, blanks and brackets around it gone. Returns its length, SIZE_MAX where it is
 * too long to be any of them. */
static size_t plain(qp_str text, char out[64])
{
    static const struct {
        const char *from, *to;
    } folds[] = {
        {"紅", "红"}, {"勝", "胜"}, {"負", "负"}, {"後", "后"}, {"帥", "帅"}, {"將", "将"},
        {"（", ""},   {"）", ""},   {"(", ""},    {")", ""},    {"[", ""},    {"]", ""},
        {"：", ":"},  {"－", "-"},  {"—", "-"},   {"–", "-"},   {"−", "-"},   {"／", "/"},
        {"０", "0"},  {"１", "1"},  {"２", "2"},  {"＊", "*"},  {"？", "?"},  {"．", "."},
        {"。", ""},   {"!", ""},    {"！", ""},   {"&nbsp;", ""},
    };
    size_t n = 0;
    for (size_t i = 0; i < text.len;) {
        size_t blank = qp_blank_len(text.data + i, text.len - i);
        if (blank != 0) {
            i += blank;
            continue;
        }
        const char *to = NULL;
        for (size_t f = 0; f < QP_COUNT(folds) && to == NULL; f++) {
            size_t len = strlen(folds[f].from);
            if (text.len - i >= len && memcmp(text.data + i, folds[f].from, len) == 0) {
                to = folds[f].to;
                i += len;
            }
        }
        if (n + 4 >= 64)
            return SIZE_MAX;
        if (to != NULL) {
            memcpy(out + n, to, strlen(to));
            n += strlen(to);
        } else {
            out[n++] = text.data[i++];
        }
    }
    return n;
}

bool qp_result_read(qp_str text, qp_result *result)
{
    char word[64];
    /* The usual forms first: this runs once a game. */
    for (unsigned i = 0; i < QP_COUNT(result_texts); i++)
        if (qp_str_is(text, result_texts[i])) {
            *result = (qp_result)i;
            return true;
        }
    size_t len = plain(text, word);
    for (size_t i = 0; len != SIZE_MAX && i < QP_COUNT(result_words); i++)
        if (qp_str_is((qp_str){word, len}, result_words[i].text)) {
            *result = result_words[i].result;
            return true;
        }
    return false;
}

/* ---- dates ---- */

/* A date as a row of numbers and what stands between them. */
typedef struct date_part {
    unsigned value, digits;
    char mark; /* what follows: Y M D for 年 月 日, else the separator or 0 */
} date_part;

static size_t number_at(qp_str text, size_t i, unsigned *value)
{
    unsigned char c = (unsigned char)text.data[i];
    if (c >= '0' && c <= '9') {
        *value = c - '0';
        return 1;
    }
    /* U+FF10..U+FF19 */
    if (text.len - i >= 3 && memcmp(text.data + i, "\xEF\xBC", 2) == 0) {
        c = (unsigned char)text.data[i + 2];
        if (c >= 0x90 && c <= 0x99) {
            *value = c - 0x90;
            return 3;
        }
    }
    return 0;
}

static bool begins(qp_str text, size_t i, const char *word)
{
    size_t len = strlen(word);
    return text.len - i >= len && memcmp(text.data + i, word, len) == 0;
}

/* Splits into at most eight numbers; false where other text stands among the first three. */
static size_t date_parts(qp_str text, date_part parts[8])
{
    size_t n = 0;
    for (size_t i = 0; i < text.len && n < 8;) {
        unsigned digit;
        size_t used = number_at(text, i, &digit);
        if (used == 0 && begins(text, i, "元月")) {
            parts[n++] = (date_part){1, 1, 'M'};
            i += strlen("元月");
            continue;
        }
        if (used == 0) {
            if (n > 0 && parts[n - 1].mark == 0) {
                char mark = begins(text, i, "年")   ? 'Y'
                            : begins(text, i, "月") ? 'M'
                            : begins(text, i, "日") ? 'D'
                                                    : text.data[i];
                bool spaced = parts[n - 1].digits == 4 || (n > 1 && parts[n - 2].mark == ' ');
                if (mark != ' ' || spaced)
                    parts[n - 1].mark = mark;
            }
            i++;
            while (i < text.len && ((unsigned char)text.data[i] & 0xC0) == 0x80)
                i++;
            continue;
        }
        date_part part = {0};
        while (i < text.len && (used = number_at(text, i, &digit)) != 0) {
            if (part.digits < 9)
                part.value = part.value * 10 + digit;
            part.digits++;
            i += used;
        }
        parts[n++] = part;
    }
    return n;
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static void put_digits(char *at, unsigned value, unsigned digits)
{
    while (digits-- > 0) {
        at[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

qp_date_status qp_date_read(qp_str text, char date[11])
{
    date_part part[8];
    unsigned year = 0, month = 0, day = 0;
    qp_date_status status = QP_DATE_OK;
    memcpy(date, "????.??.??", 11);
    size_t n = date_parts(text, part);
    if (n == 0)
        return text.len != 0 && memchr(text.data, '?', text.len) == NULL &&
                       !qp_str_is(text, "-") && !qp_str_is(text, "&nbsp;") &&
                       qp_str_trim(text).len != 0
                   ? QP_DATE_BAD
                   : QP_DATE_EMPTY;
    if (part[0].digits == 8) { /* 20040305 */
        year = part[0].value / 10000;
        month = part[0].value / 100 % 100;
        day = part[0].value % 100;
    } else if (part[0].digits == 6 && part[0].mark == 0) { /* 200403 */
        year = part[0].value / 100;
        month = part[0].value % 100;
    } else if (part[0].digits == 4 || part[0].mark == 'Y') {
        year = part[0].value;
        if (n > 1 && part[0].mark != 0 && part[1].digits <= 2) {
            month = part[1].value;
            if (n > 2 && part[2].digits <= 2 && part[1].mark != 0 && part[1].mark != ':')
                day = part[2].value;
        }
        if (part[0].digits <= 2)
            year += year < 30 ? 2000 : 1900;
    } else if (n >= 3 && part[2].digits == 4) { /* 8-3-2004, 10/31/1960 */
        unsigned a = part[0].value, b = part[1].value;
        year = part[2].value;
        if (a > 12 && b <= 12) {
            day = a;
            month = b;
        } else if (b > 12 && a <= 12) {
            day = b;
            month = a;
        } else if (a == b) {
            day = a;
            month = b;
        } else {
            status = QP_DATE_AMBIGUOUS;
        }
    } else if (part[0].mark == 'M') { /* 11月11日 */
        month = part[0].value;
        if (n > 1 && part[1].mark == 'D')
            day = part[1].value;
    } else if (n >= 3 && part[0].digits <= 2) { /* 83-7-24 */
        year = part[0].value + (part[0].value < 30 ? 2000 : 1900);
        month = part[1].value;
        day = part[2].value;
    } else {
        return QP_DATE_BAD;
    }
    if (year == 0 && month == 0 && day == 0 && status == QP_DATE_OK)
        return QP_DATE_EMPTY;
    if (month > 12 || (year != 0 && (year < 1000 || year > 9999)) ||
        (day != 0 && (month == 0 || day > days_in(year ? year : 2000, month))))
        return QP_DATE_BAD;
    if (year != 0)
        put_digits(date, year, 4);
    if (month != 0)
        put_digits(date + 5, month, 2);
    if (day != 0)
        put_digits(date + 8, day, 2);
    return status;
}
