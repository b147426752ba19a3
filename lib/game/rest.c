/* What a line holds from the first ply on that cannot be, as it was written. See inside.h. */
#include "config.h"

#include "game/inside.h"

struct qp_rest_piece {
    qp_str text;
    qp_rest_piece *next;
};

void qp_rest_begin(qp_rest *rest, qp_node *node, size_t at)
{
    *rest = (qp_rest){.node = node, .from = at};
}

void qp_rest_pause(qp_rest *rest, qp_record *record, size_t at)
{
    if (at <= rest->from)
        return;
    qp_str text = qp_str_trim(qp_record_span(record, rest->from, at - rest->from));
    rest->from = at;
    if (text.len == 0)
        return;
    qp_rest_piece *piece = qp_arena_alloc(record->arena, sizeof *piece);
    if (piece == NULL)
        return;
    *piece = (qp_rest_piece){.text = qp_keep_text(record, text)};
    if (rest->last != NULL)
        rest->last->next = piece;
    else
        rest->first = piece;
    rest->last = piece;
    rest->len += text.len + 1;
}

/* Pieces with blanks between them; a single one stays where it is. */
static qp_str join(const qp_rest *rest, qp_arena *arena)
{
    if (rest->first == NULL)
        return (qp_str){"", 0};
    if (rest->first == rest->last)
        return rest->first->text;
    char *text = qp_arena_alloc(arena, rest->len);
    size_t len = 0;
    if (text == NULL)
        return (qp_str){"", 0};
    for (const qp_rest_piece *p = rest->first; p != NULL; p = p->next) {
        if (len != 0)
            text[len++] = ' ';
        memcpy(text + len, p->text.data, p->text.len);
        len += p->text.len;
    }
    return (qp_str){text, len};
}

void qp_rest_end(qp_rest *rest, qp_record *record, size_t at)
{
    qp_node *node = rest->node;
    if (node == NULL)
        return;
    qp_rest_pause(rest, record, at);
    if (node->extra == NULL)
        node->extra = qp_arena_zero(record->tree, sizeof *node->extra);
    if (node->extra != NULL)
        ((qp_extra *)node->extra)->rest = join(rest, record->arena);
    rest->node = NULL;
}
