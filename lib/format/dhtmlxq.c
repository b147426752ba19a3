/* DhtmlXQ: the descriptor, the table of fields, marks and escapes. See dhtmlxq.h. */
#include "config.h"

#include "format/dhtmlxq.h"

static const struct {
    char key[QP_DX_KEY_MAX + 1];
    uint8_t len;
} key_table[QP_DX_KEY_COUNT] = {
#define ROW(key, tag) [QP_DX_KEY_##key] = {#key, sizeof #key - 1},
    QP_DX_KEYS(ROW)
#undef ROW
};
const qp_str qp_dhtmlxq_tags[QP_DX_KEY_COUNT] = {
#define ROW(key, tag) [QP_DX_KEY_##key] = {sizeof tag > 1 ? tag : NULL, sizeof tag - 1},
    QP_DX_KEYS(ROW)
#undef ROW
};
#define NOT_LONGER(key, tag) _Static_assert(sizeof #key - 1 <= QP_DX_KEY_MAX, "");
QP_DX_KEYS(NOT_LONGER)
#undef NOT_LONGER

const char *const qp_dhtmlxq_results[4] = {"未知", "红胜", "黑胜", "和棋"};

qp_dx_key qp_dhtmlxq_known(qp_str key)
{
    /* The first and the last key of each letter. */
#define FROM(first, last) {QP_DX_KEY_##first, QP_DX_KEY_##last}
    static const uint8_t letters[26][2] = {
        ['a' - 'a'] = FROM(author, author),  ['b' - 'a'] = FROM(binit, blacktime),
        ['c' - 'a'] = FROM(class, class),    ['d' - 'a'] = FROM(date, date),
        ['e' - 'a'] = FROM(ecco, event),     ['f' - 'a'] = FROM(fen, fen),
        ['g' - 'a'] = FROM(group, group),    ['i' - 'a'] = FROM(init, init_board),
        ['j' - 'a'] = FROM(judge, judge),    ['m' - 'a'] = FROM(movelist, movelist),
        ['o' - 'a'] = FROM(open, open),      ['p' - 'a'] = FROM(place, place),
        ['r' - 'a'] = FROM(red, round),      ['t' - 'a'] = FROM(table, title),
        ['v' - 'a'] = FROM(variation, ver),  ['x' - 'a'] = FROM(x_result, x_result),
    };
#undef FROM
    unsigned letter = key.len != 0 ? (unsigned)(key.data[0] | 32) - 'a' : 26;
    if (letter >= 26)
        return QP_DX_KEY_OTHER;
    for (unsigned i = letters[letter][0]; i != 0 && i <= letters[letter][1]; i++) {
        if (key_table[i].len != key.len)
            continue;
        size_t k = 1;
        while (k < key.len && qp_dhtmlxq_lower(key.data[k]) == key_table[i].key[k])
            k++;
        if (k == key.len)
            return (qp_dx_key)i;
    }
    return QP_DX_KEY_OTHER;
}

bool qp_dhtmlxq_stands(const char *p, qp_dx_key known, size_t *len)
{
    *len = key_table[known].len;
    return known != QP_DX_KEY_OTHER && p[*len] == ']' &&
           memcmp(p, key_table[known].key, *len) == 0;
}

const char *qp_dhtmlxq_tag(qp_str key)
{
    return qp_dhtmlxq_tags[qp_dhtmlxq_known(key)].data;
}

const char *qp_dhtmlxq_key(qp_str tag)
{
    for (size_t i = 1; i < QP_DX_KEY_COUNT && tag.len != 0; i++)
        if (qp_str_same(qp_dhtmlxq_tags[i], tag))
            return key_table[i].key;
    return NULL;
}

int qp_dhtmlxq_compare(qp_str a, qp_str b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++)
        if (qp_dhtmlxq_lower(a.data[i]) != qp_dhtmlxq_lower(b.data[i]))
            return qp_dhtmlxq_lower(a.data[i]) - qp_dhtmlxq_lower(b.data[i]);
    return a.len == b.len ? 0 : a.len < b.len ? -1 : 1;
}

bool qp_dhtmlxq_begins(const char *p, size_t n, const char *word)
{
    size_t i = 0;
    for (; word[i] != '\0'; i++)
        if (i >= n || qp_dhtmlxq_lower(p[i]) != qp_dhtmlxq_lower(word[i]))
            return false;
    return true;
}

bool qp_dhtmlxq_reserved(qp_str key)
{
    return qp_str_is_nocase(key, "movelist") || qp_str_is_nocase(key, "binit") ||
           qp_str_is_nocase(key, "fen") ||
           qp_dhtmlxq_begins(key.data, key.len, "move_") ||
           qp_dhtmlxq_begins(key.data, key.len, "comment") ||
           qp_dhtmlxq_begins(key.data, key.len, "tag_") ||
           qp_dhtmlxq_begins(key.data, key.len, "x_");
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)qp_dhtmlxq_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex4(const char *p, size_t n, uint32_t *value)
{
    if (n < 4)
        return false;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex(p[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    return true;
}

/* U+0000, halves of surrogate pairs and what lies past Unicode are no characters. */
static bool character(uint32_t c)
{
    return c != 0 && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

static size_t entity(const char *p, size_t n, uint32_t *out)
{
    static const struct {
        const char *name;
        uint32_t code_point;
    } named[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                 {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}};
    if (n < 4)
        return 0;
    if (p[1] != '#') {
        for (size_t i = 0; i < QP_COUNT(named); i++)
            if (qp_dhtmlxq_begins(p, n, named[i].name)) {
                *out = named[i].code_point;
                return strlen(named[i].name);
            }
        return 0;
    }
    size_t i = 2;
    unsigned base = 10;
    if (p[i] == 'x' || p[i] == 'X') {
        base = 16;
        i++;
    }
    size_t digits = i;
    uint32_t value = 0;
    for (; i < n && i < digits + 8; i++) {
        int digit = hex(p[i]);
        if (digit < 0 || (unsigned)digit >= base)
            break;
        value = value * base + (unsigned)digit;
    }
    if (i == digits || i >= n || p[i] != ';' || !character(value))
        return 0;
    *out = value;
    return i + 1;
}

/* The number behind a \u, %5Cu, %25u, %u or _u of `prefix` bytes. */
static size_t unicode(const char *p, size_t n, size_t prefix, uint32_t *out)
{
    uint32_t high, low;
    if (!hex4(p + prefix, n - prefix, &high))
        return 0;
    size_t len = prefix + 4;
    if (high >= 0xD800 && high <= 0xDBFF && n >= 2 * len &&
        memcmp(p, p + len, prefix) == 0 && hex4(p + len + prefix, 4, &low) &&
        low >= 0xDC00 && low <= 0xDFFF) {
        *out = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return 2 * len;
    }
    *out = high;
    return character(high) ? len : 0;
}

size_t qp_dhtmlxq_escape(const char *p, size_t n, uint32_t *out)
{
    switch (*p) {
    case '&':
        return entity(p, n, out);
    case '\\':
        return n >= 2 && p[1] == 'u' ? unicode(p, n, 2, out) : 0;
    case '%':
        if (qp_dhtmlxq_begins(p, n, "%5Cu") || qp_dhtmlxq_begins(p, n, "%25u"))
            return unicode(p, n, 4, out);
        return n >= 2 && p[1] == 'u' ? unicode(p, n, 2, out) : 0;
    case '_': {
        /* Only for what the player cannot take as it is: _u0041 may be a name. */
        size_t len = n >= 2 && p[1] == 'u' ? unicode(p, n, 2, out) : 0;
        bool mark = len != 0 && *out > ' ' && *out < 0x7F &&
                    !(*out >= '0' && *out <= '9') &&
                    !((*out | 32) >= 'a' && (*out | 32) <= 'z');
        return mark ? len : 0;
    }
    case '<':
        if (qp_dhtmlxq_begins(p, n, "<br")) {
            size_t i = 3;
            while (i < n && (p[i] == ' ' || p[i] == '/'))
                i++;
            if (i < n && p[i] == '>') {
                *out = '\n';
                return i + 1;
            }
        }
        return 0;
    default:
        return 0;
    }
}

size_t qp_dhtmlxq_key_len(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] == ']')
            return i;
        if (p[i] == '[' || p[i] == '\n')
            break;
    }
    return 0;
}

static bool is_branch(qp_str key)
{
    int bars = 0;
    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == '_' && i > 0 && key.data[i - 1] != '_')
            bars++;
        else if (key.data[i] < '0' || key.data[i] > '9')
            return false;
    }
    return bars == 2 && key.data[key.len - 1] != '_';
}

qp_dx_mark qp_dhtmlxq_mark(const char *p, size_t n, bool dhj, size_t *len, qp_str *key)
{
    if (n > QP_DX_MARK_MAX)
        n = QP_DX_MARK_MAX;
    size_t at = 1;
    bool end = n > 1 && p[1] == '/';
    at += end;
    if (n > at + 8 && memcmp(p + at, "DhtmlXQ_", 8) == 0) { /* as nearly all are written */
        *key = (qp_str){p + at + 8, qp_dhtmlxq_key_len(p + at + 8, n - at - 8)};
        *len = at + 8 + key->len + 1;
        if (key->len == 0)
            return QP_DX_NOTHING;
        return end ? QP_DX_FIELD_END : QP_DX_FIELD;
    }
    size_t word = at; /* where the key begins, once known */
    if (at < n && p[at] >= '0' && p[at] <= '9') {
        *key = (qp_str){p + at, qp_dhtmlxq_key_len(p + at, n - at)};
        *len = at + key->len + 1;
        if (key->len == 0 || !is_branch(*key))
            return QP_DX_NOTHING;
        return end ? QP_DX_BRANCH_END : QP_DX_BRANCH;
    }
    if (dhj && (qp_dhtmlxq_begins(p + at, n - at, "game_") ||
                (end && qp_dhtmlxq_begins(p + at, n - at, "comment_")))) {
        word = at + (qp_dhtmlxq_lower(p[at]) == 'g' ? 5 : 8);
    } else if (qp_dhtmlxq_begins(p + at, n - at, "DHJHtmlXQ]")) {
        *len = at + 10;
        *key = (qp_str){p + at, 0};
        return end ? QP_DX_CLOSE : QP_DX_DHJ_OPEN;
    } else if (qp_dhtmlxq_begins(p + at, n - at, "DhtmlXQ")) {
        at += 7;
        if (at < n && p[at] != '_') {
            while (at < n && qp_dhtmlxq_lower(p[at]) >= 'a' &&
                   qp_dhtmlxq_lower(p[at]) <= 'z')
                at++;
            *len = at + 1;
            *key = (qp_str){p + word, 0};
            if (at >= n || p[at] != ']')
                return QP_DX_NOTHING;
            return end ? QP_DX_CLOSE : QP_DX_OPEN;
        }
        word = at + 1;
    } else {
        return QP_DX_NOTHING;
    }
    if (word >= n)
        return QP_DX_NOTHING;
    *key = (qp_str){p + word, qp_dhtmlxq_key_len(p + word, n - word)};
    *len = word + key->len + 1;
    if (key->len == 0)
        return QP_DX_NOTHING;
    return end ? QP_DX_FIELD_END : QP_DX_FIELD;
}

/* Whether a text is a page; its block may stand behind what a probe sees. */
static bool is_page(qp_str text)
{
    text = qp_str_trim(text);
    return qp_dhtmlxq_begins(text.data, text.len, "<!DOCTYPE html") ||
           qp_dhtmlxq_begins(text.data, text.len, "<html");
}

static unsigned dhtmlxq_probe(const qp_probe *probe)
{
    const char *p = probe->text.data;
    size_t n = probe->text.len;
    while (n > 0) {
        const char *bracket = memchr(p, '[', n);
        if (bracket == NULL)
            break;
        n -= (size_t)(bracket - p);
        p = bracket;
        size_t len;
        qp_str key;
        qp_dx_mark mark = qp_dhtmlxq_mark(p, n, false, &len, &key);
        /* A PGN tag that keeps a field of this format, [DhtmlXQ_ver "…"], is no such mark. */
        if ((mark == QP_DX_OPEN || mark == QP_DX_DHJ_OPEN || mark == QP_DX_FIELD) &&
            !qp_is_tag_line(p, n))
            return *probe->text.data == '{' ? 60 : 90; /* JSON may know more of it */
        p++;
        n--;
    }
    return is_page(probe->text) ? 5 : 0;
}

const qp_format qp_format_dhtmlxq = {
    .name = "dhtmlxq",
    .title = "DhtmlXQ tagged text (dpxq.com)",
    .suffixes = "dhtmlxq ubb",
    .carries = QP_CARRIES_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_NAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_CLOCKS | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES,
    .refer = qp_dhtmlxq_refer,
    .probe = dhtmlxq_probe,
    .read = qp_dhtmlxq_read,
    .read_end = qp_dhtmlxq_read_end,
    .cut = qp_cut_dhtmlxq,
    .between = "\n",
    .write = qp_dhtmlxq_write,
    .write_end = qp_dhtmlxq_write_end,
};
