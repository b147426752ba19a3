/* For tests of formats: reads a text from memory, shows a game in one line, writes it. */
#ifndef QP_SHOW_H
#define QP_SHOW_H

#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory {
    const char *data;
    size_t len, at, step; /* step: bytes handed out at a time, 0: all */
} memory;

static inline ptrdiff_t memory_read(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t n = m->len - m->at;
    if (n > size)
        n = size;
    if (m->step != 0 && n > m->step)
        n = m->step;
    memcpy(buffer, m->data + m->at, n);
    m->at += n;
    return (ptrdiff_t)n;
}

static inline int buf_write(void *user, const void *data, size_t size)
{
    qp_buf_add(user, data, size);
    return 0;
}

static inline void show_comments(qp_buf *out, const qp_comment *comment)
{
    for (; comment != NULL; comment = comment->next) {
        qp_buf_add_text(out, " {");
        qp_buf_add_str(out, comment->text);
        qp_buf_add_char(out, '}');
    }
}

/* A line from a node on; the depth of what the tests hold is small. */
static inline void show_line(qp_buf *out, const qp_node *node)
{
    for (; node != NULL; node = node->next) {
        char move[5];
        const qp_extra *extra = node->extra;
        qp_move_text(node->move, move);
        if (extra != NULL)
            show_comments(out, extra->before);
        qp_buf_add_char(out, ' ');
        if (node->move == 0) {
            qp_buf_add_char(out, '?');
            qp_buf_add_str(out, qp_node_text(node));
        } else {
            qp_buf_add_text(out, move);
        }
        if (node->flags & QP_NODE_ILLEGAL)
            qp_buf_add_char(out, '!');
        for (size_t i = 0; extra != NULL && i < extra->nag_count; i++)
            qp_buf_printf(out, " $%u", extra->nags[i]);
        if (extra != NULL && extra->clock.len != 0)
            qp_buf_printf(out, " @%.*s", (int)extra->clock.len, extra->clock.data);
        if (extra != NULL)
            show_comments(out, extra->after);
        for (const qp_node *a = qp_node_alternative(node); a != NULL; a = qp_node_sibling(a)) {
            qp_buf_add_text(out, " (");
            show_line(out, a);
            qp_buf_add_text(out, " )");
        }
    }
}

/* `Name=value;…`, the start where it is given, comments, the tree, the result. */
static inline void show_game(qp_buf *out, const qp_game *game)
{
    for (size_t i = 0; i < game->tag_count; i++) {
        qp_buf_add_str(out, game->tags[i].name);
        qp_buf_add_char(out, '=');
        qp_buf_add_str(out, game->tags[i].value);
        qp_buf_add_char(out, ';');
    }
    if (game->start_given) {
        char fen[QP_FEN_MAX];
        qp_fen_write(&game->start, fen);
        qp_buf_printf(out, "<%s>", fen);
    }
    show_comments(out, game->comments);
    show_line(out, game->first);
    if (game->result_given)
        qp_buf_printf(out, " %s", qp_result_text(game->result));
}

/* All games of a text, a line each, and their findings: `#code/detail@ply`. With `to`
 * they are written in that format instead. The caller frees what is returned. */
static inline char *convert_bytes(const char *bytes, size_t len, const char *from,
                                  const char *to, size_t step)
{
    qp_context *context = qp_context_new();
    memory m = {.data = bytes, .len = len, .step = step};
    qp_buf out = {0};
    qp_reader_options options = {.format = from};
    qp_writer_options target = {.format = to};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    qp_writer *writer = to ? qp_writer_open(context, buf_write, &out, &target) : NULL;
    const qp_game *game;
    qp_status status;
    do {
        status = qp_reader_next(reader, &game);
        if (to != NULL) {
            if (game != NULL)
                qp_writer_put(writer, game);
            continue;
        }
        if (game != NULL)
            show_game(&out, game);
        size_t count;
        const qp_finding *findings = qp_reader_findings(reader, &count);
        for (size_t i = 0; i < count; i++)
            qp_buf_printf(&out, " #%s/%s@%u", qp_code_name(findings[i].code),
                          findings[i].detail ? findings[i].detail : "", findings[i].ply);
        if (status == QP_OK || status == QP_BAD)
            qp_buf_add_char(&out, '\n');
    } while (status == QP_OK || status == QP_BAD);
    qp_writer_close(writer);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_add_char(&out, '\0');
    return out.data;
}

static inline char *convert(const char *text, const char *from, const char *to,
                            size_t step)
{
    return convert_bytes(text, strlen(text), from, to, step);
}

/* In place: \n, \r, \t and \\ of a table's field. */
static inline void unescape(char *text)
{
    char *to = text;
    for (; *text != '\0'; text++) {
        bool escape =
            text[0] == '\\' && text[1] != '\0' && strchr("nrt\\", text[1]) != NULL;
        text += escape;
        *to++ = !escape ? *text : *text == 'n'   ? '\n'
                         : *text == 'r' ? '\r'
                         : *text == 't' ? '\t'
                                        : '\\';
    }
    *to = '\0';
}

/* Rows: format to read ("-": found), format to write ("-": shown), text, what comes out.
 * Games of the output stand on lines of their own. Include criterion and table.h too. */
#define run_table(name)                                                                  \
    do {                                                                                 \
        table t;                                                                         \
        int rows = 0;                                                                    \
        cr_assert(table_open(&t, name));                                                 \
        while (table_next(&t)) {                                                         \
            const char *from = strcmp(t.field[0], "-") ? t.field[0] : NULL;              \
            const char *to = strcmp(t.field[1], "-") ? t.field[1] : NULL;                \
            unescape(t.field[2]);                                                        \
            unescape(t.field[3]);                                                        \
            char *got = convert(t.field[2], from, to, 0);                                \
            cr_expect_str_eq(got, t.field[3], "row %d:\n%s\nis not\n%s", t.row, got,     \
                             t.field[3]);                                                \
            free(got);                                                                   \
            rows++;                                                                      \
        }                                                                                \
        cr_expect_gt(rows, 0);                                                           \
    } while (0)

#endif
