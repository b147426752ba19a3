/* The JSON writer: one line a game. See json.c for the shape. */
#include "config.h"

#include "format/json.h"

#include <stdio.h>
#include <stdlib.h>

/* How many of n bytes at p stand for themselves wherever they are. */
static inline size_t plain_len(const char *p, size_t n)
{
    enum { E = 1 };
    static const uint8_t escaped[256] = {
        E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E,
        E, E, E, E, ['"'] = E, ['\\'] = E, [0xEF] = E};
    if (n == 0) /* then p may be NULL */
        return 0;
    for (size_t i = 0;; i++) {
        i += qp_len_outside(p + i, n - i, escaped);
        if (i == n || (unsigned char)p[i] != 0xEF ||
            (i + 1 < n && (unsigned char)p[i + 1] == 0xBB))
            return i;
    }
}

static void put_string(qp_buf *out, qp_str text)
{
    static const char hex[] = "0123456789abcdef";
    const char *p = text.data, *end = p + text.len, *from = p;
    if (text.len == 0) {
        qp_buf_add(out, "\"\"", 2);
        return;
    }
    qp_buf_add_char(out, '"');
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;
        if (QP_LIKELY_TO(c >= 0x20 && c != '"' && c != '\\' && c != 0xEF))
            continue;
        if (c == 0xEF) { /* U+FEFF: a reader of text takes it for a byte order mark */
            if (end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
                qp_buf_add(out, from, (size_t)(p - from));
                qp_buf_add_text(out, "\\ufeff");
                p += 2;
                from = p + 1;
            }
            continue;
        }
        char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        size_t len = 2;
        qp_buf_add(out, from, (size_t)(p - from));
        from = p + 1;
        switch (c) {
        case '\n':
            escape[1] = 'n';
            break;
        case '\t':
            escape[1] = 't';
            break;
        case '\r':
            escape[1] = 'r';
            break;
        case '"':
        case '\\':
            escape[1] = (char)c;
            break;
        default:
            len = 6;
        }
        qp_buf_add(out, escape, len);
    }
    qp_buf_add(out, from, (size_t)(end - from));
    qp_buf_add_char(out, '"');
}

static void put_comments(qp_buf *out, const qp_comment *comments, const char *one,
                         const char *many)
{
    if (comments == NULL)
        return;
    qp_buf_add_text(out, one);
    if (comments->next == NULL) {
        put_string(out, comments->text);
        return;
    }
    /* Joined for those who read one text a place; the array says where each ends. */
    qp_buf joined = {0};
    for (const qp_comment *c = comments; c != NULL; c = c->next) {
        qp_buf_add_str(&joined, c->text);
        if (c->next != NULL)
            qp_buf_add_char(&joined, '\n');
    }
    put_string(out, (qp_str){joined.data, joined.len});
    out->failed |= joined.failed;
    qp_buf_clear(&joined);
    qp_buf_add_text(out, many);
    for (const qp_comment *c = comments; c != NULL; c = c->next) {
        put_string(out, c->text);
        qp_buf_add_char(out, c->next != NULL ? ',' : ']');
    }
}

static int by_name(const void *a, const void *b)
{
    const qp_tag *x = *(const qp_tag *const *)a, *y = *(const qp_tag *const *)b;
    size_t len = x->name.len < y->name.len ? x->name.len : y->name.len;
    int order = len ? memcmp(x->name.data, y->name.data, len) : 0;
    if (order != 0)
        return order;
    if (x->name.len != y->name.len)
        return x->name.len < y->name.len ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Marks the tags whose name an earlier one has; false where none has. sorted: room for a
 * pointer to each. */
static bool find_repeats(const qp_game *game, const qp_tag **sorted, bool *repeats)
{
    bool any = false;
    for (size_t i = 0; i < game->tag_count; i++)
        sorted[i] = &game->tags[i];
    qsort(sorted, game->tag_count, sizeof *sorted, by_name);
    for (size_t i = 1; i < game->tag_count; i++)
        if (qp_str_same(sorted[i]->name, sorted[i - 1]->name))
            any = repeats[sorted[i] - game->tags] = true;
    return any;
}

/* Whether two tags may have the same name: false is sure, and the usual answer. */
static bool may_repeat(const qp_game *game)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_str *name = &game->tags[i].name;
        unsigned hash = name->len != 0 ? (unsigned)name->len * 7 + (unsigned char)*name->data +
                                             (unsigned char)name->data[name->len - 1] * 3u
                                       : 0;
        uint64_t bit = UINT64_C(1) << hash % 64;
        if (seen & bit)
            return true;
        seen |= bit;
    }
    return false;
}

static void put_tags(qp_buf *out, const qp_game *game)
{
    bool few[64] = {0}, *repeats = few;
    const qp_tag *some[64], **sorted = some;
    if (game->tag_count > QP_COUNT(few)) {
        repeats = calloc(game->tag_count, sizeof *repeats);
        sorted = malloc(game->tag_count * sizeof *sorted);
        if (repeats == NULL || sorted == NULL) {
            free(repeats);
            free(sorted);
            out->failed = true;
            return;
        }
    }
    bool any = may_repeat(game) && find_repeats(game, sorted, repeats);
    qp_buf_add_text(out, "\"tags\":{");
    for (size_t i = 0, put = 0; i < game->tag_count; i++) {
        if (repeats[i])
            continue;
        if (put++ > 0)
            qp_buf_add_char(out, ',');
        put_string(out, game->tags[i].name);
        qp_buf_add_char(out, ':');
        put_string(out, game->tags[i].value);
    }
    qp_buf_add_char(out, '}');
    if (any) {
        qp_buf_add_text(out, ",\"tagList\":[");
        for (size_t i = 0; i < game->tag_count; i++) {
            qp_buf_add_text(out, i > 0 ? ",[" : "[");
            put_string(out, game->tags[i].name);
            qp_buf_add_char(out, ',');
            put_string(out, game->tags[i].value);
            qp_buf_add_char(out, ']');
        }
        qp_buf_add_char(out, ']');
    }
    if (repeats != few) {
        free(repeats);
        free(sorted);
    }
}

/* A ply but for its variations and its closing brace. */
static void put_ply(qp_buf *out, const qp_node *node)
{
    const qp_extra *extra = node->extra;
    if (node->move != 0) {
        char squares[5];
        qp_move_text(node->move, squares);
        qp_buf_add(out, "{\"move\":\"", 9);
        qp_buf_add(out, squares, 4);
        qp_buf_add_char(out, '"');
    }
    if (node->text_len != 0 || node->move == 0) {
        qp_buf_add(out, node->move != 0 ? ",\"text\":" : "{\"text\":", 8);
        put_string(out, qp_node_text(node));
    }
    if (node->flags & QP_NODE_ILLEGAL)
        qp_buf_add_text(out, ",\"illegal\":true");
    if (extra != NULL) {
        put_comments(out, extra->before, ",\"before\":", ",\"befores\":[");
        for (size_t i = 0; i < extra->nag_count; i++) {
            qp_buf_add_text(out, i == 0 ? ",\"nags\":[" : ",");
            qp_buf_add_number(out, extra->nags[i]);
        }
        if (extra->nag_count != 0)
            qp_buf_add_char(out, ']');
        if (extra->clock.len != 0) {
            qp_buf_add_text(out, ",\"clock\":");
            put_string(out, extra->clock);
        }
        put_comments(out, extra->after, ",\"comment\":", ",\"comments\":[");
        if (extra->rest.len != 0) {
            qp_buf_add_text(out, ",\"rest\":");
            put_string(out, extra->rest);
        }
    }
}

/* The same of a ply that is its squares and a text, if any, in which nothing is to be escaped;
 * false: it is more than that. */
static inline bool put_plain(qp_buf *out, const qp_node *node)
{
    static const char head[] = "{\"move\":\"", middle[] = "\",\"text\":\"";
    enum { HEAD = sizeof head - 1, MIDDLE = sizeof middle - 1, SQUARES = 4 };
    size_t len = node->text_len;
    if (node->extra != NULL || node->flags & QP_NODE_ILLEGAL || node->move == 0 ||
        !qp_on_board(node->move) || plain_len(node->text, len) != len ||
        !qp_buf_reserve(out, HEAD + SQUARES + MIDDLE + len + 2))
        return false;
    char *p = out->data + out->len;
    p = qp_put_ply(p, (qp_str){head, HEAD}, (qp_str){middle, MIDDLE}, node);
    *p++ = '"';
    out->len = (size_t)(p - out->data);
    return true;
}

static void put_line(qp_writing *writing, const qp_node *node)
{
    qp_buf *out = writing->out;
    bool main_line = writing->main_line;
    qp_buf_add_text(out, ",\"line\":[");
    while (node != NULL) {
        qp_writing_spill(writing);
        if (!put_plain(out, node))
            put_ply(out, node);
        if (qp_node_alternative(node) != NULL && !main_line) {
            qp_buf_add_text(out, ",\"variations\":[[");
            node = qp_node_alternative(node);
            continue;
        }
        for (;;) {
            qp_buf_add_char(out, '}');
            if (node->next != NULL) {
                qp_buf_add_char(out, ',');
                node = node->next;
                break;
            }
            while (!node->aside && node->prev != NULL)
                node = node->prev;
            if (!node->aside) {
                node = NULL;
                break;
            }
            if (qp_node_sibling(node) != NULL) {
                qp_buf_add_text(out, "],[");
                node = qp_node_sibling(node);
                break;
            }
            qp_buf_add_text(out, "]]");
            node = qp_node_owner(node);
        }
    }
    qp_buf_add_char(out, ']');
}

void qp_json_write(qp_writing *writing, const qp_game *game)
{
    qp_buf *out = writing->out;
    qp_buf_add_char(out, '{');
    put_tags(out, game);
    if (qp_writing_start(game)) {
        char fen[QP_FEN_MAX];
        size_t len = qp_fen_write(&game->start, fen);
        qp_buf_add_text(out, ",\"start\":");
        put_string(out, (qp_str){fen, len});
    }
    if (game->result_given) {
        qp_buf_add_text(out, ",\"result\":\"");
        qp_buf_add_text(out, qp_result_text(game->result));
        qp_buf_add_char(out, '"');
    }
    put_comments(out, game->comments, ",\"comment\":", ",\"comments\":[");
    put_line(writing, game->first);
    qp_buf_add_text(out, "}\n");
}

void qp_json_refer(uint32_t code_point, char text[16])
{
    if (code_point < 0x10000) {
        snprintf(text, 16, "\\u%04x", (unsigned)code_point);
        return;
    }
    unsigned rest = (unsigned)code_point - 0x10000;
    snprintf(text, 16, "\\u%04x\\u%04x", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}
