/* The JSON of vschess: {"fen":FEN,"comment":…,"next":[node,…],"defaultIndex":0}, where a
 * node is {"move":"h2e2","comment":…,"next":[…],"defaultIndex":…}. What stands in one
 * `next` are alternatives; the first of them is the main line. See json.h. */
#include "config.h"

#include "format/json.h"

/* The nodes that follow `parent`: each is a move, and what follows it stands in it. */
static void push_next(qp_json_reading *r, uint32_t array, uint32_t parent)
{
    if (array != 0 && qp_json_expect(r, array, QP_JSON_ARRAY, "an array of moves") &&
        qp_json_push(r, QP_JSON_NEXT, array))
        r->state->frames[r->state->depth - 1].parent = parent;
}

/* Its comment goes to the ply; returns the array of what follows. */
static uint32_t tree_node(qp_json_reading *r, uint32_t object, uint32_t parent,
                          uint32_t *ply)
{
    uint32_t move = 0, next = 0, comment = 0;
    for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next) {
        if (qp_json_is_key(r, i, "move"))
            move = i + 1;
        else if (qp_json_is_key(r, i, "next"))
            next = i + 1;
        else if (qp_json_is_key(r, i, "comment") &&
                 qp_json_is_kind(r, i + 1, QP_JSON_STRING))
            comment = i + 1;
        else if (qp_json_is_key(r, i, "defaultIndex") &&
                 !qp_str_is(qp_json_raw(r, i + 1), "0") &&
                 r->reports++ < QP_JSON_REPORTS_MAX)
            qp_plies_tell_shown(r->in->record, r->values[i].at, r->values[i].len);
    }
    *ply = 0;
    if (object != 0) {
        bool good = move != 0 && qp_json_expect(r, move, QP_JSON_STRING, "a move");
        uint32_t at = good ? move : object;
        *ply = qp_plies_add(r->state->plies, parent,
                            good ? qp_squares_read(qp_json_text(r, move)) : 0,
                            r->values[at].at, good ? r->values[at].len : 1);
        if (*ply == 0) {
            r->in->record->failed = true;
            return 0;
        }
    }
    if (comment != 0 && r->values[comment].len != 0)
        qp_plies_comment(r->state->plies, *ply, qp_json_made(r, comment),
                         r->values[comment].at, r->values[comment].len);
    return next;
}

void qp_json_tree(qp_json_reading *r)
{
    qp_json_state *s = r->state;
    uint32_t ply;
    qp_plies_rewind(s->plies);
    s->depth = 0;
    push_next(r, tree_node(r, 0, 0, &ply), 0);
    while (s->depth > 0 && !r->in->record->failed) {
        qp_json_frame *f = &s->frames[s->depth - 1];
        uint32_t at = f->at;
        if (at >= f->end) {
            s->depth--;
            continue;
        }
        f->at = r->values[at].next;
        if (qp_json_expect(r, at, QP_JSON_OBJECT, "a move with what follows it")) {
            uint32_t next = tree_node(r, at, f->parent, &ply);
            push_next(r, next, ply);
        }
    }
    qp_plies_tell(s->plies, r->in->record);
}
