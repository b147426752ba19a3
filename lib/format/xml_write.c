/* The XML writer: the project's own schema, grammars/qipu.rng. */
#include "config.h"

#include "format/xml.h"

#include <stdio.h>

enum {
    INDENT_MAX = 24, /* levels: deeper variations are not set further in */
    LINE_LEVEL = 3,  /* of the moves of the main line */
};

static void put_indent(qp_buf *out, unsigned level)
{
    static const char blanks[2 * INDENT_MAX + 1] =
        "                                                ";
    qp_buf_add(out, blanks, 2 * (level < INDENT_MAX ? level : INDENT_MAX));
}

/* What stands for a byte in text (T) or only in attributes (A); NULL: the byte itself. A
 * character reference keeps what parsers would else take for a blank or a line end. */
static const char *escape_of(unsigned char c, bool attribute)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '\r':
        return "&#13;";
    case 0x7F:
        return "&#127;";
    case '"':
        return attribute ? "&quot;" : NULL;
    case '\n':
        return attribute ? "&#10;" : NULL;
    case '\t':
        return attribute ? "&#9;" : NULL;
    default:
        return NULL;
    }
}

/* Whether U+FFFE or U+FFFF begins at p: XML has neither. */
static bool is_noncharacter(const char *p, size_t n)
{
    return n >= 3 && memcmp(p, "\xEF\xBF", 2) == 0 &&
           ((unsigned char)p[2] & 0xFE) == 0xBE;
}

/* How many of n bytes at p stand for themselves, in text and in attributes. */
static inline size_t plain_len(const char *p, size_t n)
{
    enum { E = 1 };
    static const uint8_t odd[256] = {
        E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E,
        E, E, E, E, ['&'] = E, ['<'] = E, ['>'] = E, ['"'] = E, [0x7F] = E, [0xEF] = E};
    if (n == 0) /* then p may be NULL */
        return 0;
    for (size_t i = 0;; i++) {
        i += qp_len_outside(p + i, n - i, odd);
        if (i == n || (unsigned char)p[i] != 0xEF ||
            (i + 1 < n &&
             ((unsigned char)p[i + 1] == 0xBB || (unsigned char)p[i + 1] == 0xBF)))
            return i;
    }
}

void qp_xml_put(qp_writing *writing, qp_str text, bool attribute, const char *detail,
                const qp_node *node)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    qp_buf *out = writing->out;
    const char *p = text.data, *end = p + text.len, *from = p;
    size_t lost = 0;
    if (text.len == 0)
        return;
    while ((p += plain_len(p, (size_t)(end - p))) < end) {
        unsigned char c = (unsigned char)*p;
        size_t len = 1;
        const char *instead = escape_of(c, attribute);
        if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') {
            instead = replacement;
            lost++;
        } else if (c == 0xEF && is_noncharacter(p, (size_t)(end - p))) {
            instead = replacement;
            len = 3;
            lost++;
        } else if (c == 0xEF && end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
            instead = "&#xFEFF;"; /* a reader of text takes it for a byte order mark */
            len = 3;
        }
        if (instead != NULL) {
            qp_buf_add(out, from, (size_t)(p - from));
            qp_buf_add_text(out, instead);
            from = p + len;
        }
        p += len;
    }
    qp_buf_add(out, from, (size_t)(end - from));
    if (lost != 0)
        qp_writing_loss(writing, detail, 1, node,
                        "%zu control character%s in a %.*s became U+FFFD, since XML has none",
                        lost, lost == 1 ? "" : "s", (int)strcspn(detail, "-"), detail);
}

static void put_element(qp_writing *writing, unsigned level, const char *name,
                        qp_str text, const qp_node *node)
{
    qp_buf *out = writing->out;
    put_indent(out, level);
    qp_buf_add_char(out, '<');
    qp_buf_add_text(out, name);
    qp_buf_add_char(out, '>');
    qp_xml_put(writing, text, false, "comment-character", node);
    qp_buf_add_text(out, "</");
    qp_buf_add_text(out, name);
    qp_buf_add_text(out, ">\n");
}

static void put_comments(qp_writing *writing, unsigned level, const qp_comment *comment,
                         const qp_node *node)
{
    for (; comment != NULL; comment = comment->next)
        put_element(writing, level, "comment", comment->text, node);
}

/* A ply that is its squares and a text, if any, in which nothing is to be escaped; false: it
 * is more than that. */
static inline bool put_plain(qp_buf *out, unsigned level, const qp_node *node)
{
    static const char head[] = "<move iccs=\"", middle[] = "\" text=\"", tail[] = "\"/>\n";
    enum { HEAD = sizeof head - 1, MIDDLE = sizeof middle - 1, TAIL = sizeof tail - 1 };
    enum { SQUARES = 4 };
    size_t len = node->text_len;
    if (node->extra != NULL || node->flags & (QP_NODE_ILLEGAL | QP_NODE_UNREADABLE) ||
        node->move == 0 || !qp_on_board(node->move) || level > INDENT_MAX ||
        plain_len(node->text, len) != len ||
        !qp_buf_reserve(out, 2 * INDENT_MAX + HEAD + SQUARES + MIDDLE + len + TAIL))
        return false;
    char *p = out->data + out->len;
    memset(p, ' ', 2 * INDENT_MAX);
    p += 2 * level;
    p = qp_put_ply(p, (qp_str){head, HEAD}, (qp_str){middle, MIDDLE}, node);
    memcpy(p, tail, TAIL);
    out->len = (size_t)(p + TAIL - out->data);
    return true;
}

/* The start tag of a ply and what stands in it before its variations; false where it has
 * nothing of the kind and was ended. */
static bool put_move(qp_writing *writing, unsigned level, const qp_node *node, bool opens)
{
    qp_buf *out = writing->out;
    const qp_extra *extra = node->extra;
    if (!opens && put_plain(out, level, node))
        return false;
    if (extra != NULL)
        put_comments(writing, level, extra->before, node);
    put_indent(out, level);
    qp_buf_add(out, "<move", 5);
    if (node->move != 0) {
        char squares[5];
        qp_move_text(node->move, squares);
        qp_buf_add(out, " iccs=\"", 7);
        qp_buf_add(out, squares, 4);
        qp_buf_add_char(out, '"');
    }
    if (node->text_len != 0 || node->move == 0) {
        qp_buf_add(out, " text=\"", 7);
        qp_xml_put(writing, qp_node_text(node), true, "text-character", node);
        qp_buf_add_char(out, '"');
    }
    if (node->flags & QP_NODE_ILLEGAL)
        qp_buf_add_text(out, " illegal=\"true\"");
    if (node->flags & QP_NODE_UNREADABLE)
        qp_buf_add_text(out, " unreadable=\"true\"");
    bool more = extra != NULL && (extra->nag_count != 0 || extra->clock.len != 0 ||
                                  extra->after != NULL || extra->rest.len != 0);
    if (!more && !opens) {
        qp_buf_add(out, "/>\n", 3);
        return false;
    }
    qp_buf_add(out, ">\n", 2);
    if (!more)
        return true;
    for (size_t i = 0; i < extra->nag_count; i++) {
        put_indent(out, level + 1);
        qp_buf_add_text(out, "<nag>");
        qp_buf_add_number(out, extra->nags[i]);
        qp_buf_add_text(out, "</nag>\n");
    }
    if (extra->clock.len != 0)
        put_element(writing, level + 1, "clock", extra->clock, node);
    put_comments(writing, level + 1, extra->after, node);
    if (extra->rest.len != 0)
        put_element(writing, level + 1, "rest", extra->rest, node);
    return true;
}

static void put_tag(qp_buf *out, unsigned level, const char *tag)
{
    put_indent(out, level);
    qp_buf_add_text(out, tag);
    qp_buf_add_char(out, '\n');
}

static void put_line(qp_writing *writing, const qp_node *node)
{
    qp_buf *out = writing->out;
    unsigned level = LINE_LEVEL;
    while (node != NULL) {
        bool opens = qp_node_alternative(node) != NULL && !writing->main_line;
        qp_writing_spill(writing);
        bool open = put_move(writing, level, node, opens);
        if (opens) {
            put_tag(out, level + 1, "<variation>");
            level += 2;
            node = qp_node_alternative(node);
            continue;
        }
        for (;;) {
            if (open)
                put_tag(out, level, "</move>");
            if (node->next != NULL) {
                node = node->next;
                break;
            }
            while (!node->aside && node->prev != NULL)
                node = node->prev;
            if (!node->aside) {
                node = NULL;
                break;
            }
            put_tag(out, level - 1, "</variation>");
            if (qp_node_sibling(node) != NULL) {
                put_tag(out, level - 1, "<variation>");
                node = qp_node_sibling(node);
                break;
            }
            level -= 2;
            node = qp_node_owner(node);
            open = true;
        }
    }
}

void qp_xml_refer(uint32_t code_point, char text[16])
{
    snprintf(text, 16, "&#x%X;", (unsigned)code_point);
}

void qp_xml_write_begin(qp_writing *writing)
{
    const char *encoding = writing->encoding ? writing->encoding : "UTF-8";
    qp_buf_add_text(writing->out, "<?xml version=\"1.0\" encoding=\"");
    qp_buf_add_text(writing->out, encoding);
    qp_buf_add_text(writing->out, "\"?>\n<qipu version=\"1\">\n");
}

void qp_xml_write(qp_writing *writing, const qp_game *game)
{
    qp_buf *out = writing->out;
    put_tag(out, 1, "<game>");
    if (game->tag_count != 0)
        put_tag(out, 2, "<tags>");
    for (size_t i = 0; i < game->tag_count; i++) {
        put_indent(out, 3);
        qp_buf_add_text(out, "<tag name=\"");
        qp_xml_put(writing, game->tags[i].name, true, "tag-character", NULL);
        qp_buf_add_text(out, "\">");
        qp_xml_put(writing, game->tags[i].value, false, "tag-character", NULL);
        qp_buf_add_text(out, "</tag>\n");
    }
    if (game->tag_count != 0)
        put_tag(out, 2, "</tags>");
    if (qp_writing_start(game)) {
        char fen[QP_FEN_MAX];
        size_t len = qp_fen_write(&game->start, fen);
        put_element(writing, 2, "start", (qp_str){fen, len}, NULL);
    }
    if (game->result_given)
        put_element(writing, 2, "result", qp_str_of(qp_result_text(game->result)), NULL);
    put_comments(writing, 2, game->comments, NULL);
    if (game->first != NULL) {
        put_tag(out, 2, "<line>");
        put_line(writing, game->first);
        put_tag(out, 2, "</line>");
    }
    put_tag(out, 1, "</game>");
}

void qp_xml_write_end(qp_writing *writing)
{
    qp_buf_add_text(writing->out, "</qipu>\n");
}
