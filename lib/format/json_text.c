/* A strict JSON parser without recursion: RFC 8259. See json.h. */
#include "config.h"

#include "format/json.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

typedef struct parser {
    qp_source *source;
    qp_json_row *row;
    qp_json_error *error;
    size_t at;
    size_t end;    /* the limit: nothing at or past it is read */
    uint32_t open; /* innermost open array or object; its next names the one around it */
    size_t depth;
} parser;

static int fail(parser *p, qp_code code, const char *detail, const char *message)
{
    if (p->error->code == QP_D_none)
        *p->error = (qp_json_error){code, detail, message, p->at};
    return -1;
}

/* The byte at p->at, or -1 at the end of the file or of what may be read. */
static int slow_peek(parser *p)
{
    if (p->at >= p->end)
        return fail(p, QP_D_file_limit, "record", "the record is longer than the limit");
    if (qp_source_has(p->source, p->at, 1))
        return (unsigned char)p->source->text[p->at];
    return fail(p, QP_D_file_truncated, "json", "the text ends within a value");
}

static inline int peek(parser *p)
{
    if (QP_LIKELY_TO(p->at < p->source->len && p->at < p->end))
        return (unsigned char)p->source->text[p->at];
    return slow_peek(p);
}

static inline int skip_blanks(parser *p)
{
    int c;
    while ((c = peek(p)) <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
        p->at++;
    return c;
}

static QP_APART bool grow(parser *p)
{
    qp_json_row *row = p->row;
    size_t room = row->room ? row->room * 2 : 1024;
    qp_json_value *grown =
        room >= NONE ? NULL : realloc(row->values, room * sizeof *grown);
    if (grown == NULL) {
        row->failed = true;
        fail(p, QP_D_file_limit, "memory", "memory ran out");
        return false;
    }
    row->values = grown;
    row->room = room;
    return true;
}

static inline qp_json_value *add(parser *p, qp_json_kind kind)
{
    qp_json_row *row = p->row;
    if (QP_RARE(row->count == row->room) && !grow(p))
        return NULL;
    qp_json_value *value = &row->values[row->count++];
    *value = (qp_json_value){
        .kind = (uint8_t)kind, .at = (uint32_t)p->at, .next = (uint32_t)row->count};
    return value;
}

static bool hex4(parser *p)
{
    for (unsigned i = 0; i < 4; i++) {
        int c = peek(p);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
              (c >= 'A' && c <= 'F'))) {
            fail(p, QP_D_file_corrupt, "json-escape",
                 "\\u needs four hexadecimal digits");
            return false;
        }
        p->at++;
    }
    return true;
}

/* How many of n bytes stand before a quote, a backslash or a control character. */
static inline size_t plain_len(const char *p, size_t n)
{
    return qp_len_before(p, n, ' ', '"', '\\', '"', '\\');
}

static bool string(parser *p)
{
    p->at++;
    size_t start = p->at;
    bool escaped = false;
    for (;;) {
        const char *text = p->source->text;
        size_t have = p->source->len < p->end ? p->source->len : p->end;
        if (QP_LIKELY_TO(p->at < have))
            p->at += plain_len(text + p->at, have - p->at);
        int c = peek(p);
        if (c == '"')
            break;
        if (c < 0)
            return false;
        if (c == '\\') {
            escaped = true;
            p->at++;
            c = peek(p);
            if (c < 0)
                return false;
            if (c == 'u') {
                p->at++;
                if (!hex4(p))
                    return false;
                continue;
            }
            if (strchr("\"\\/bfnrt", c) == NULL) {
                fail(p, QP_D_file_corrupt, "json-escape", "no such escape in a string");
                return false;
            }
            p->at++;
        } else if (c < 0x20) {
            fail(p, QP_D_file_corrupt, "json-control",
                 "a line end or control character stands bare in a string");
            return false;
        }
    }
    size_t end = p->at++;
    qp_json_value *value = add(p, QP_JSON_STRING);
    if (value == NULL)
        return false;
    value->escaped = escaped;
    value->at = (uint32_t)start;
    value->len = (uint32_t)(end - start);
    return true;
}

static size_t digits(parser *p)
{
    size_t count = 0;
    /* A number may end the file: no byte behind it is then no fault of its own. */
    while (qp_source_has(p->source, p->at, 1) && p->at < p->end &&
           p->source->text[p->at] >= '0' && p->source->text[p->at] <= '9') {
        p->at++;
        count++;
    }
    return count;
}

static bool takes(parser *p, const char *any)
{
    if (!qp_source_has(p->source, p->at, 1) || p->source->text[p->at] == '\0' ||
        strchr(any, p->source->text[p->at]) == NULL)
        return false;
    p->at++;
    return true;
}

static bool number(parser *p)
{
    size_t start = p->at;
    qp_json_value *value = add(p, QP_JSON_NUMBER);
    if (value == NULL)
        return false;
    takes(p, "-");
    size_t whole = p->at;
    bool good = digits(p) != 0;
    good = good && (p->source->text[whole] != '0' || p->at == whole + 1);
    if (good && takes(p, "."))
        good = digits(p) != 0;
    if (good && takes(p, "eE")) {
        takes(p, "+-");
        good = digits(p) != 0;
    }
    if (!good) {
        p->row->count--;
        p->at = start;
        fail(p, QP_D_file_corrupt, "json-number", "this is no number");
        return false;
    }
    value->len = (uint32_t)(p->at - start);
    return true;
}

static bool word(parser *p, const char *text, qp_json_kind kind)
{
    size_t len = strlen(text);
    if (!qp_source_has(p->source, p->at, len) ||
        memcmp(p->source->text + p->at, text, len) != 0) {
        fail(p, QP_D_file_corrupt, "json-value", "a value is expected here");
        return false;
    }
    qp_json_value *value = add(p, kind);
    if (value == NULL)
        return false;
    value->len = (uint32_t)len;
    p->at += len;
    return true;
}

static void close_value(parser *p)
{
    qp_json_value *value = &p->row->values[p->open];
    p->open = value->next;
    value->next = (uint32_t)p->row->count;
    value->len = (uint32_t)(p->at - value->at);
    p->depth--;
}

/* A key and its colon, at the key. */
static bool key(parser *p, int c)
{
    if (c != '"') {
        fail(p, QP_D_file_corrupt, "json-key", "a key in quotes is expected here");
        return false;
    }
    if (!string(p))
        return false;
    if (skip_blanks(p) != ':') {
        fail(p, QP_D_file_corrupt, "json-key", "a colon is expected behind a key");
        p->row->count--;
        return false;
    }
    p->at++;
    return true;
}

/* What an array holds that opens behind the row's last value. */
static uint16_t kind_of_array(const parser *p)
{
    const qp_json_value *values = p->row->values;
    if (p->open == NONE)
        return 0;
    const qp_json_value *around = &values[p->open];
    if (around->kind == QP_JSON_ARRAY)
        return around->move == QP_JSON_OF_LINES ? QP_JSON_OF_PLIES : 0;
    const qp_json_value *own = &values[p->row->count - 1]; /* the key */
    const char *text = p->source->text + own->at;
    if (p->depth == 1)
        return own->len == 4 && memcmp(text, "line", 4) == 0 ? QP_JSON_OF_PLIES : 0;
    return values[around->next].kind == QP_JSON_ARRAY &&
                   values[around->next].move == QP_JSON_OF_PLIES && own->len == 10 &&
                   memcmp(text, "variations", 10) == 0
               ? QP_JSON_OF_LINES
               : 0;
}

/* One value; an array or object is only opened. *opened says that. */
static bool value(parser *p, size_t depth_limit, bool *opened)
{
    int c = skip_blanks(p);
    *opened = false;
    switch (c) {
    case -1:
        return false;
    case '"':
        return string(p);
    case 't':
        return word(p, "true", QP_JSON_TRUE);
    case 'f':
        return word(p, "false", QP_JSON_FALSE);
    case 'n':
        return word(p, "null", QP_JSON_NULL);
    case '{':
    case '[':
        if (p->depth >= depth_limit) {
            fail(p, QP_D_file_limit, "depth", "values stand too deep in one another");
            return false;
        }
        uint16_t holds = c == '[' ? kind_of_array(p) : 0;
        qp_json_value *made = add(p, c == '{' ? QP_JSON_OBJECT : QP_JSON_ARRAY);
        if (made == NULL)
            return false;
        made->move = holds;
        made->next = p->open;
        p->open = (uint32_t)p->row->count - 1;
        p->depth++;
        p->at++;
        *opened = true;
        return true;
    default:
        if (c == '-' || (c >= '0' && c <= '9'))
            return number(p);
        fail(p, QP_D_file_corrupt, "json-value", "a value is expected here");
        return false;
    }
}

/* The bytes of the ply that begins at `at`, where it is a QP_JSON_PLY; else 0. */
static inline size_t ply_len(const parser *p, size_t at, qp_move *move)
{
    enum { MOVE = QP_JSON_PLY_MOVE, TEXT = QP_JSON_PLY_TEXT, END = QP_JSON_PLY_END };
    const char *text = p->source->text + at;
    size_t have = (p->source->len < p->end ? p->source->len : p->end) - at;
    if (have < TEXT + END || memcmp(text, "{\"move\":\"", MOVE) != 0)
        return 0;
    *move = qp_squares_read((qp_str){text + MOVE, 4});
    if (*move == 0)
        return 0;
    if (memcmp(text + MOVE + 4, "\"}", END) == 0)
        return MOVE + 4 + END;
    if (memcmp(text + MOVE + 4, "\",\"text\":\"", TEXT - MOVE - 4) != 0)
        return 0;
    size_t len = TEXT + plain_len(text + TEXT, have - TEXT);
    return have - len >= END && memcmp(text + len, "\"}", END) == 0 ? len + END : 0;
}

/* Takes such plies, from the one at hand on; false: there is none. */
static bool plies(parser *p)
{
    size_t begin = p->at;
    for (size_t at = begin, len; at < p->source->len && at < p->end; at = p->at + 1) {
        qp_move move;
        if ((len = ply_len(p, at, &move)) == 0)
            break;
        qp_json_value *ply = add(p, QP_JSON_PLY);
        if (ply == NULL)
            break;
        ply->at = (uint32_t)at;
        ply->len = (uint32_t)len;
        ply->move = move;
        p->at = at + len;
        if (p->at >= p->source->len || p->source->text[p->at] != ',')
            break;
    }
    return p->at != begin;
}

static bool parse(parser *p, size_t depth_limit)
{
    bool opened;
    if (!value(p, depth_limit, &opened))
        return false;
    while (p->open != NONE) {
        bool object = p->row->values[p->open].kind == QP_JSON_OBJECT;
        int c = skip_blanks(p);
        if (c == (object ? '}' : ']')) {
            p->at++;
            close_value(p);
            opened = false;
            continue;
        }
        if (!opened) {
            if (c != ',') {
                fail(p, QP_D_file_corrupt, "json-comma",
                     object ? "a comma or } is expected here"
                            : "a comma or ] is expected here");
                return false;
            }
            p->at++;
            c = skip_blanks(p);
        }
        if (c == '{' && p->row->values[p->open].move == QP_JSON_OF_PLIES && plies(p)) {
            opened = false;
            continue;
        }
        if (object && !key(p, c))
            return false;
        if (!value(p, depth_limit, &opened)) {
            if (object)
                p->row->count--; /* the key without a value */
            return false;
        }
    }
    return true;
}

size_t qp_json_parse(qp_source *source, size_t at, uint64_t limit, size_t depth_limit,
                     qp_json_row *row, qp_json_error *error)
{
    parser p = {.source = source, .row = row, .error = error, .at = at, .open = NONE};
    p.end = limit > UINT32_MAX - 1 - at ? UINT32_MAX - 1 : at + (size_t)limit;
    row->count = 0;
    *error = (qp_json_error){.code = QP_D_none};
    if (!parse(&p, depth_limit))
        while (p.open != NONE)
            close_value(&p);
    return p.at;
}

static uint32_t hex_value(const char *digits4)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < 4; i++) {
        int c = digits4[i];
        code = code << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return code;
}

qp_str qp_json_unescape(qp_arena *arena, qp_str raw, bool *odd)
{
    /* An escape is never shorter than what it stands for. */
    char *text = qp_arena_alloc(arena, raw.len + 1);
    if (text == NULL)
        return (qp_str){"", 0};
    size_t len = 0;
    for (size_t i = 0; i < raw.len;) {
        if (raw.data[i] != '\\') {
            text[len++] = raw.data[i++];
            continue;
        }
        char c = raw.data[i + 1];
        i += 2;
        if (c != 'u') {
            static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
            const char *found = strchr(from, c);
            text[len++] = found ? to[found - from] : c;
            continue;
        }
        uint32_t code = hex_value(raw.data + i);
        i += 4;
        if (code >= 0xD800 && code < 0xDC00 && raw.len - i >= 6 && raw.data[i] == '\\' &&
            raw.data[i + 1] == 'u') {
            uint32_t low = hex_value(raw.data + i + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 6;
            }
        }
        if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
            *odd = true;
        }
        len += qp_utf8_put(text + len, code);
    }
    text[len] = '\0';
    return (qp_str){text, len};
}
