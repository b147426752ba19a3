/* The lines of a record with analysis: what stands in each, the boards they go on from,
 * and all of them written as one tree again. */
#include "config.h"

#include "format/branches.h"

#include <stdlib.h>

static bool grow(void **data, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 32;
    void *grown = realloc(*data, more * size);
    if (grown == NULL)
        return false;
    *data = grown;
    *room = more;
    return true;
}

void qp_branches_item(qp_branches *s, uint32_t to, size_t event)
{
    qp_branch_line *l = &s->lines[to];
    if (!grow((void **)&l->items, &l->item_room, l->item_count, sizeof *l->items)) {
        s->failed = true;
        return;
    }
    l->items[l->item_count++] = (uint32_t)event;
}

void qp_branches_ply(qp_branches *s, uint32_t to, size_t event, qp_move move)
{
    qp_branch_line *l = &s->lines[to];
    size_t room = l->room, owners = l->room;
    if (!grow((void **)&l->moves, &room, l->count, sizeof *l->moves) ||
        !grow((void **)&l->owner, &owners, l->count, sizeof *l->owner)) {
        s->failed = true;
        return;
    }
    l->room = (uint32_t)room;
    l->owner[l->count] = (uint32_t)event;
    l->moves[l->count++] = move;
    qp_board_play(&l->end, move);
    qp_branches_item(s, to, event);
}

uint32_t qp_branches_line(qp_branches *s, uint32_t parent, uint32_t base,
                          const qp_board *board)
{
    uint32_t made = s->line_count++;
    s->lines[made] = (qp_branch_line){.parent = parent,
                                      .base = base,
                                      .end = *board,
                                      .depth = made ? s->lines[parent].depth + 1 : 0};
    return made;
}

bool qp_branches_board(qp_branches *s, uint32_t of, uint32_t ply, qp_board *board)
{
    uint32_t path[QP_BRANCH_DEPTH_MAX + 1], n = 0;
    for (uint32_t l = of;; l = s->lines[l].parent) {
        path[n++] = l;
        if (l == 0)
            break;
    }
    *board = s->record->start;
    for (uint32_t done = 0; done < ply;) {
        const qp_branch_line *l = &s->lines[path[--n]];
        uint32_t to = n != 0 ? s->lines[path[n - 1]].base : ply;
        for (; done < to && done < ply; done++) {
            if (done - l->base >= l->count || s->work++ > QP_BRANCHES_WORK_MAX)
                return false;
            qp_board_play(board, l->moves[done - l->base]);
        }
        if (n == 0)
            break;
    }
    return true;
}

qp_move qp_branches_resolve(const qp_board *board, const qp_written *written)
{
    qp_move moves[8];
    unsigned pick;
    return written->form != QP_FORM_NONE &&
                   qp_resolve(board, written, QP_BASE_ZERO, moves, &pick) == 1
               ? moves[0]
               : 0;
}

void qp_branches_rebuild(qp_branches *s, size_t from)
{
    qp_record *record = s->record;
    struct {
        uint32_t line;
        size_t item, hang;
    } stack[QP_BRANCH_DEPTH_MAX + 2] = {{0, 0, SIZE_MAX}};
    size_t room = record->event_count + 2 * QP_BRANCHES_MAX, n = 0, depth = 0;
    qp_event *out = malloc(room * sizeof *out);
    if (out == NULL) {
        record->failed = true;
        return;
    }
    for (;;) {
        qp_branch_line *l = &s->lines[stack[depth].line];
        uint32_t owner =
            stack[depth].item != 0 ? l->items[stack[depth].item - 1] : UINT32_MAX;
        size_t k = stack[depth].hang;
        while (k < s->hang_count && (s->hangs[k].event != owner || s->hangs[k].line == 0))
            k++;
        if (k < s->hang_count) { /* a line beside the ply just written */
            const qp_branch_line *v = &s->lines[s->hangs[k].line];
            stack[depth].hang = k + 1;
            out[n++] =
                (qp_event){.kind = QP_EV_VAR_OPEN,
                           .at = v->item_count ? record->events[v->items[0]].at : 0};
            stack[++depth].line = s->hangs[k].line;
            stack[depth].item = 0;
            stack[depth].hang = SIZE_MAX;
            continue;
        }
        if (stack[depth].item == l->item_count) {
            if (depth == 0)
                break;
            out[n] =
                (qp_event){.kind = QP_EV_VAR_CLOSE, .at = out[n - 1].at + out[n - 1].len};
            n++;
            depth--;
            continue;
        }
        uint32_t event = l->items[stack[depth].item++];
        out[n++] = record->events[event];
        stack[depth].hang = out[n - 1].kind == QP_EV_MOVE ? 0 : SIZE_MAX;
    }
    record->event_count = from;
    for (size_t i = 0; i < n; i++) {
        qp_event *event =
            qp_record_add(record, (qp_event_kind)out[i].kind, out[i].at, out[i].len);
        if (event != NULL)
            *event = out[i];
    }
    record->verbatim = false;
    free(out);
}
