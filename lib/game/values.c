/* Results and dates as people write them. The wordings and shapes are patterns of
 * grammars/messy.tsv; here is what they mean. */
#include "config.h"

#include "game/game.h"

static const char *const result_texts[] = {"*", "1-0", "0-1", "1/2-1/2"};
static const uint8_t result_lengths[] = {1, 3, 3, 7};

const char *qp_result_text(qp_result result)
{
    return result_texts[(unsigned)result < QP_COUNT(result_texts) ? result : 0];
}

qp_str qp_game_tag(const qp_game *game, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < game->tag_count; i++)
        if (game->tags[i].name.len == len && qp_str_is_nocase(game->tags[i].name, name))
            return game->tags[i].value;
    return (qp_str){0};
}

bool qp_result_read(qp_patterns *patterns, qp_str text, qp_result *result)
{
    static const struct {
        const char *pattern;
        qp_result result;
    } words[] = {{"result-red-value", QP_RESULT_RED},
                 {"result-black-value", QP_RESULT_BLACK},
                 {"result-draw-value", QP_RESULT_DRAW},
                 {"result-unknown-value", QP_RESULT_UNKNOWN}};
    qp_match match;
    /* The usual forms without a pattern: this runs once a game. */
    for (unsigned i = 0; i < QP_COUNT(result_texts); i++)
        if (text.len == result_lengths[i] &&
            memcmp(text.data, result_texts[i], text.len) == 0) {
            *result = (qp_result)i;
            return true;
        }
    if (text.len == 0) {
        *result = QP_RESULT_UNKNOWN;
        return true;
    }
    for (unsigned i = 0; patterns != NULL && text.len < 64 && i < QP_COUNT(words); i++)
        if (qp_pattern_find(patterns, words[i].pattern, text, 0, &match)) {
            *result = words[i].result;
            /* W, L and D do not say whose view they are. */
            unsigned letter = qp_pattern_group(patterns, words[i].pattern, "letter");
            return letter == 0 || match.group[letter].data == NULL;
        }
    return false;
}

/* ---- dates ---- */

/* The number in a group: digits of either width, 元 is 1, all else 0. */
static unsigned number_in(qp_str text)
{
    unsigned value = 0;
    if (qp_str_is(text, "元"))
        return 1;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= '0' && c <= '9')
            value = value * 10 + (c - '0');
        else if (c == 0xEF && text.len - i >= 3) { /* U+FF10..U+FF19 */
            value = value * 10 + ((unsigned char)text.data[i + 2] - 0x90u);
            i += 2;
        }
    }
    return value;
}

static unsigned group_of(qp_patterns *patterns, const char *pattern, const char *name,
                         const qp_match *match)
{
    unsigned group = qp_pattern_group(patterns, pattern, name);
    return group != 0 && group < QP_COUNT(match->group) &&
                   match->group[group].data != NULL
               ? number_in(match->group[group])
               : 0;
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

/* Reads up to most digits; how many there were. */
static size_t read_digits(const char *p, size_t most, unsigned *value)
{
    size_t n = 0;
    for (*value = 0; n < most && p[n] >= '0' && p[n] <= '9'; n++)
        *value = *value * 10 + (unsigned)(p[n] - '0');
    return n;
}

/* Whether text is one of the usual dates, 1999.4.19 1999-04-19 1999年4月19日, which need
 * no pattern: this runs once a game. */
static bool plain_date(qp_str text, unsigned part[3])
{
    static const struct {
        char first; /* byte of the mark */
        const char *mark[3];
        uint8_t len[3];
    } shapes[] = {{'.', {".", ".", ""}, {1, 1, 0}},
                  {'-', {"-", "-", ""}, {1, 1, 0}},
                  {'/', {"/", "/", ""}, {1, 1, 0}},
                  {'\xE5', {"年", "月", "日"}, {3, 3, 3}}};
    size_t shape = 0, at = 0;
    while (text.len > 8 && text.data[text.len - 1] == ' ')
        text.len--;
    if (text.len < 8 || text.data[0] == '0')
        return false;
    while (shapes[shape].first != text.data[4])
        if (++shape == QP_COUNT(shapes))
            return false;
    for (unsigned i = 0; i < 3; i++) {
        size_t most = text.len - at < 4 ? text.len - at : 4, len = shapes[shape].len[i];
        size_t digits = read_digits(text.data + at, most, &part[i]);
        at += digits;
        if (digits == 0 || (i == 0 ? digits != 4 : digits > 2) || text.len - at < len ||
            memcmp(text.data + at, shapes[shape].mark[i], len) != 0)
            return false;
        at += len;
    }
    return at == text.len;
}

qp_date_status qp_date_read(qp_patterns *patterns, qp_str text, char date[11])
{
    static const char *const shapes[] = {"date-ymd", "date-cjk", "date-compact",
                                         "date-short-year", "date-no-year"};
    qp_match match;
    unsigned year = 0, month = 0, day = 0, part[3];
    qp_date_status status = QP_DATE_BAD;
    memcpy(date, "????.??.??", 11);
    if (text.len == 0)
        return QP_DATE_EMPTY;
    if (plain_date(text, part)) {
        year = part[0];
        month = part[1];
        day = part[2];
        status = QP_DATE_OK;
    } else if (qp_pattern_find(patterns, "date-unknown", text, 0, &match)) {
        return QP_DATE_EMPTY;
    }
    for (size_t i = 0; i < QP_COUNT(shapes) && status == QP_DATE_BAD; i++) {
        if (!qp_pattern_find(patterns, shapes[i], text, 0, &match))
            continue;
        year = group_of(patterns, shapes[i], "year", &match);
        month = group_of(patterns, shapes[i], "month", &match);
        day = group_of(patterns, shapes[i], "day", &match);
        status = QP_DATE_OK;
        if (i != 4 && year < 100 && year + month + day != 0)
            year += year < 30 ? 2000 : 1900;
    }
    if (status == QP_DATE_BAD &&
        qp_pattern_find(patterns, "date-year-last", text, 0, &match)) {
        unsigned first = group_of(patterns, "date-year-last", "first", &match);
        unsigned second = group_of(patterns, "date-year-last", "second", &match);
        year = group_of(patterns, "date-year-last", "year", &match);
        status = QP_DATE_OK;
        if (first > 12 || first == second) {
            day = first;
            month = second;
        } else if (second > 12) {
            day = second;
            month = first;
        } else {
            status = QP_DATE_AMBIGUOUS;
        }
    }
    if (status == QP_DATE_BAD)
        return status;
    if (month > 12 || (year != 0 && year < 1000) ||
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
