/* What stands around moves in text that people copy and type, and says nothing: the markup of
 * pages, tables and forums, quotation marks, bullets, bars between columns, and the words red
 * and black before a move. Known from pages, forum posts and mails that hold records. */
#include "config.h"

#include "format/marks.h"

static bool starts(const char *p, size_t n, const char *word)
{
    size_t len = strlen(word);
    return n >= len && memcmp(p, word, len) == 0;
}

static bool letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

/* <td class="x">, </p>, <!-- … -->: to the end of the line at the most. */
static size_t html_tag(const char *p, size_t n)
{
    enum { LONGEST = 300 };
    if (n < 3 || !(letter(p[1]) || p[1] == '/' || p[1] == '!' || p[1] == '?'))
        return 0;
    for (size_t i = 2; i < n && i < LONGEST; i++) {
        if (p[i] == '>')
            return i + 1;
        if (p[i] == '<')
            return 0;
    }
    return 0;
}

/* &nbsp; &#160; */
static size_t html_entity(const char *p, size_t n)
{
    size_t i = 1;
    while (i < n && i < 9 && (letter(p[i]) || (p[i] >= '0' && p[i] <= '9') || p[i] == '#'))
        i++;
    return i > 2 && i < n && p[i] == ';' ? i + 1 : 0;
}

/* [b] [/quote] [color=red] */
static size_t forum_tag(const char *p, size_t n)
{
    static const char *const names[] = {
        "b",    "i",     "u",   "s",      "color", "size",  "font",  "quote", "code", "url",
        "left", "right", "img", "center", "align", "table", "tr",    "td",    "th",   "list",
        "hide", "sup",   "sub", "indent", "p",     "float", "email", "free",  "post", "backcolor"};
    size_t i = n > 1 && p[1] == '/' ? 2 : 1, from = i;
    while (i < n && i < 16 && letter(p[i]))
        i++;
    qp_str name = {p + from, i - from};
    bool known = false;
    for (size_t k = 0; k < QP_COUNT(names) && !known; k++)
        known = name.len == strlen(names[k]) && qp_str_is_nocase(name, names[k]);
    if (!known || i >= n || (p[i] != ']' && p[i] != '='))
        return 0;
    const char *close = memchr(p + i, ']', n - i < 80 ? n - i : 80);
    return close != NULL ? (size_t)(close - p) + 1 : 0;
}

size_t qp_side_word_len(const char *p, size_t n, qp_side *side)
{
    static const struct {
        const char *word;
        qp_side side;
    } words[] = {{"红", QP_RED},   {"紅", QP_RED},   {"黑", QP_BLACK}, {"Red", QP_RED},
                 {"RED", QP_RED},  {"red", QP_RED},  {"Black", QP_BLACK},
                 {"BLACK", QP_BLACK}, {"black", QP_BLACK}};
    for (size_t w = 0; w < QP_COUNT(words); w++) {
        if (!starts(p, n, words[w].word))
            continue;
        size_t i = strlen(words[w].word);
        static const char *const kinds[] = {"方", "棋", "子", "走"};
        for (size_t k = 0; k < QP_COUNT(kinds); k++)
            if (starts(p + i, n - i, kinds[k])) {
                i += 3;
                break;
            }
        *side = words[w].side;
        return i;
    }
    return 0;
}

/* 红： 黑方 before a move, with the move's text left. */
static size_t side_before_move(const struct qp_lexer *lexer, const char *p, size_t n)
{
    qp_side side;
    qp_written written;
    size_t i = qp_side_word_len(p, n, &side);
    if (i == 0)
        return 0;
    i = skip_blanks(p, n, i);
    if (i < n && p[i] == ':')
        i++;
    else if (starts(p + i, n - i, "："))
        i += 3;
    i = skip_blanks(p, n, i);
    return qp_lex_move(lexer, p + i, n - i, &written) != 0 ? i : 0;
}

/* A dash, a star or a plus with a blank behind it: a bullet, or it parts two moves. */
static size_t bullet(const struct qp_lexer *lexer, const char *p, size_t n, bool first)
{
    unsigned value;
    bool dots;
    qp_written written;
    size_t blank = n > 1 ? qp_blank_len(p + 1, n - 1) : 0;
    if (blank == 0)
        return 0;
    size_t i = skip_blanks(p, n, 1);
    if (i >= n)
        return 0;
    size_t used = qp_lex_move(lexer, p + i, n - i, &written);
    if (first || (used == 0 && qp_number_len(p + i, n - i, &value, &dots) != 0))
        return 1;
    return used != 0 && *p == '-' ? 1 : 0;
}

static size_t digits_at(const char *p, size_t n, size_t most)
{
    size_t i = 0;
    while (i < n && i < most && p[i] >= '0' && p[i] <= '9')
        i++;
    return i;
}

size_t qp_clock_len(const char *p, size_t n)
{
    static const char *const units[] = {"小时", "分钟", "分", "秒", "'", "’", "′", "\"", "”", "″"};
    size_t i = digits_at(p, n, 3), more;
    if (i == 0)
        return 0;
    if (i < 3 && i < n && p[i] == ':') { /* 2:35, 0:02:35, 12:03.5 */
        unsigned parts = 1;
        while (parts < 3 && i < n && p[i] == ':' && digits_at(p + i + 1, n - i - 1, 3) == 2) {
            i += 3;
            parts++;
        }
        if (parts == 1)
            return 0;
        if (i < n && p[i] == '.' && (more = digits_at(p + i + 1, n - i - 1, 4)) != 0 &&
            more < 4)
            i += 1 + more;
        return i < n && p[i] >= '0' && p[i] <= '9' ? 0 : i;
    }
    unsigned parts = 0;
    for (size_t at = 0; parts < 3; parts++) { /* 2分35秒, 2'35" */
        size_t unit = 0, len = digits_at(p + at, n - at, 3);
        for (size_t u = 0; len != 0 && u < QP_COUNT(units) && unit == 0; u++)
            if (starts(p + at + len, n - at - len, units[u]))
                unit = strlen(units[u]);
        if (unit == 0)
            break;
        i = at += len + unit;
    }
    return parts != 0 ? i : 0;
}

size_t qp_markup_len(const struct qp_lexer *lexer, const char *p, size_t n, bool first)
{
    static const char *const marks[] = {
        "“", "”", "‘", "’", "「", "」", "『", "』", "】", "〔", "〕", "｜", "│", "┃", "║",
        "•", "▪", "→", "⇒", "➡", "》", "《", "；", "，", "、", "·"};
    /* Elsewhere they may stand for what could not be read. */
    static const char *const bullets[] = {"●", "◆", "◇", "▲", "△", "★", "☆", "※"};
    size_t i = 1;
    switch (*p) {
    case '<':
        return html_tag(p, n);
    case '&':
        return html_entity(p, n);
    case '[':
        return forum_tag(p, n);
    case '|':
    case '>':
    case '"':
    case '`':
    case '\\':
    case '\'':
        return 1;
    case '/': /* between two moves; else a comment, or a mark in the place of one */
    case ';':
        i = skip_blanks(p, n, 1);
        return i < n && qp_lex_move(lexer, p + i, n - i, &(qp_written){0}) != 0 ? 1 : 0;
    case '_':
    case '*':
        while (i < n && p[i] == *p)
            i++;
        if (i == 1)
            return bullet(lexer, p, n, first);
        /* **1.**; by itself it stands for what could not be read. */
        return (i < n && qp_blank_len(p + i, n - i) == 0) ||
                       (!first && (unsigned char)p[-1] > ' ') ? i : 0;
    case '-':
    case '+':
        return bullet(lexer, p, n, first);
    case 'R':
    case 'r':
    case 'B':
    case 'b':
        return side_before_move(lexer, p, n);
    default:
        break;
    }
    /* By their first bytes most characters are none of those that follow. */
    unsigned char c = (unsigned char)*p;
    if (c != 0xC2 && c != 0xE2 && c != 0xE3 && c != 0xEF)
        return c == 0xE7 || c == 0xE9 ? side_before_move(lexer, p, n) : 0;
    if (starts(p, n, "【")) {
        i = skip_blanks(p, n, 3);
        return i < n && qp_lex_move(lexer, p + i, n - i, &(qp_written){0}) != 0 ? 3 : 0;
    }
    for (size_t k = 0; first && k < QP_COUNT(bullets); k++)
        if (starts(p, n, bullets[k]))
            return strlen(bullets[k]);
    if (starts(p, n, "／") || starts(p, n, "－") || starts(p, n, "–")) {
        size_t len = strlen("／");
        i = skip_blanks(p, n, len);
        return i < n && qp_lex_move(lexer, p + i, n - i, &(qp_written){0}) != 0 ? len : 0;
    }
    for (size_t k = 0; k < QP_COUNT(marks); k++)
        if (starts(p, n, marks[k]))
            return strlen(marks[k]);
    return 0;
}
