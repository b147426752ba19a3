/* Comments, marks, clocks and variations of a replay. See replay.h. */
#include "config.h"

#include "game/replay.h"

#include <stdlib.h>

static void take_comment(struct qp_replaying *r, qp_str text)
{
    qp_frame *f = r->top;
    qp_comment *comment = qp_arena_zero(r->record->tree, sizeof *comment);
    if (comment == NULL)
        return;
    comment->text = qp_keep_text(r->record, text);
    if (f->last == NULL) {
        if (f->pending_tail == NULL)
            f->pending_tail = &f->pending;
        *f->pending_tail = comment;
        f->pending_tail = (qp_comment **)&comment->next;
        return;
    }
    if (f->after_tail == NULL) {
        qp_extra *extra;
        qp_set_extra(r->record, f->last, &extra);
        if (extra == NULL)
            return;
        f->after_tail = (qp_comment **)&extra->after;
        r->places += extra->after == NULL;
        while (*f->after_tail != NULL)
            f->after_tail = (qp_comment **)&(*f->after_tail)->next;
    }
    *f->after_tail = comment;
    f->after_tail = (qp_comment **)&comment->next;
}

static void take_nag(struct qp_replaying *r, const qp_event *event)
{
    qp_frame *f = r->top;
    qp_extra *extra;
    if (f->last == NULL) { /* belongs to nothing: kept as text */
        take_comment(r, qp_arena_printf(r->record->arena, "$%u", event->value));
        return;
    }
    qp_set_extra(r->record, f->last, &extra);
    if (extra == NULL)
        return;
    size_t count = extra->nag_count;
    if ((count & (count - 1)) == 0) { /* full at 0, 1, 2, 4, 8 … */
        uint16_t *grown =
            qp_arena_alloc(r->record->tree, (count ? count * 2 : 1) * sizeof *grown);
        if (grown == NULL)
            return;
        if (count != 0)
            memcpy(grown, extra->nags, count * sizeof *grown);
        extra->nags = grown;
    }
    ((uint16_t *)extra->nags)[count] = event->value;
    extra->nag_count = count + 1;
}

/* What belongs to the ply before it: a clock, or the rest of a line that breaks off there. */
static void take_text(struct qp_replaying *r, const qp_event *event)
{
    qp_extra *extra;
    if (r->top->last == NULL)
        return;
    qp_set_extra(r->record, r->top->last, &extra);
    if (extra == NULL)
        return;
    if (event->kind == QP_EV_CLOCK)
        extra->clock = qp_keep_text(r->record, qp_event_text(r->record, event));
    else
        extra->rest = qp_keep_text(r->record, qp_event_text(r->record, event));
}

/* Events [from, to) as movetext, for a format whose own text is none. */
static qp_str spell_events(const qp_record *record, size_t from, size_t to)
{
    qp_buf out = {0};
    for (size_t i = from; i < to; i++) {
        const qp_event *e = &record->events[i];
        char move[5];
        if (out.len != 0 && e->kind != QP_EV_VAR_CLOSE &&
            record->events[i - 1].kind != QP_EV_VAR_OPEN)
            qp_buf_add_char(&out, ' ');
        switch ((qp_event_kind)e->kind) {
        case QP_EV_MOVE:
            if (e->as.written.form == QP_FORM_SQUARES) {
                qp_move_text(e->as.written.move, move);
                qp_buf_add(&out, move, 4);
            } else {
                qp_buf_add_str(&out, qp_record_span(record, e->at, e->len));
            }
            break;
        case QP_EV_COMMENT:
            qp_buf_add_str(&out, qp_event_text(record, e));
            break;
        case QP_EV_NAG:
            qp_buf_printf(&out, "$%u", e->value);
            break;
        case QP_EV_VAR_OPEN:
            qp_buf_add_char(&out, '(');
            break;
        case QP_EV_VAR_CLOSE:
            qp_buf_add_char(&out, ')');
            break;
        case QP_EV_TEXT:
        case QP_EV_REST:
        case QP_EV_NUMBER:
        case QP_EV_CLOCK:
        case QP_EV_RESULT:
            break;
        }
    }
    qp_str text = qp_arena_str(record->arena, out.data ? out.data : "", out.len);
    qp_buf_clear(&out);
    return text;
}

/* The event that closes the variation that the current one opens, or the end of all. */
static size_t variation_end(const struct qp_replaying *r)
{
    const qp_record *record = r->record;
    size_t depth = 0, i = r->event;
    for (; i < record->event_count; i++) {
        depth += record->events[i].kind == QP_EV_VAR_OPEN;
        depth -= record->events[i].kind == QP_EV_VAR_CLOSE;
        if (depth == 0)
            break;
    }
    return i;
}

/* Passes over a variation that cannot be kept as one; its text becomes a comment. */
static void skip_variation(struct qp_replaying *r)
{
    qp_record *record = r->record;
    size_t i = variation_end(r);
    const qp_event *from = &record->events[r->event];
    const qp_event *to = &record->events[i < record->event_count ? i : i - 1];
    if (!record->verbatim)
        take_comment(r, spell_events(record, r->event + 1, i));
    else if (to->at >= from->at + from->len)
        take_comment(r, qp_record_span(record, from->at + from->len,
                                       to->at - (from->at + from->len)));
    r->event = i;
}

static void open_variation(struct qp_replaying *r, const qp_event *event)
{
    qp_record *record = r->record;
    qp_frame *f = r->top;
    bool deep = r->depth >= qp_context_limit(r->context, QP_LIMIT_VARIATIONS);
    if (record->open && (f->last == NULL || deep) && variation_end(r) == record->event_count) {
        r->starved = true;
        return;
    }
    if (f->last == NULL) {
        qp_record_report(record, QP_D_variation_unbalanced, event->at, event->len,
                         "variation-unmatched", "a variation before any move replaces nothing");
        skip_variation(r);
        return;
    }
    if (deep) {
        qp_record_report(record, QP_D_file_limit, event->at, event->len, "variations",
                         "variations stand more than %u deep: the rest is kept as text",
                         (unsigned)r->depth);
        skip_variation(r);
        return;
    }
    if (r->depth + 1 == r->kept->room) {
        if (!qp_frames_grow(r->kept)) {
            record->failed = true;
            skip_variation(r);
            return;
        }
        r->frames = r->kept->frames;
        f = r->top = &r->frames[r->depth];
    }
    qp_frame *v = f + 1;
    *v = (qp_frame){.board = f->board,
                 .before = f->last->prev,
                 .mark = qp_arena_here(record->tree),
                 .bad = f->was_bad,
                 .lost = f->was_lost};
    if (f->tracked == QP_TRACKED && f->played) {
        qp_track *tracks = r->kept->tracks + r->depth;
        qp_move move = f->last->move;
        tracks[1] = tracks[0];
        qp_track_undo(&tracks[1], move, v->board.at[QP_TO(move)], f->undo.taken);
        v->tracked = QP_TRACKED;
    }
    if (f->played)
        qp_rules_undo(&v->board, f->last->move, &f->undo);
    else
        v->board.side ^= 1;
    /* What replaces a variation's first ply stands beside it, not below it. */
    v->owner_frame =
        r->depth > 0 && f->last == f->first ? f->owner_frame : r->depth;
    bool beside = v->owner_frame != r->depth;
    v->inside = f->inside || (!beside && f->rest.node != NULL);
    if (beside && f->rest.node != NULL)
        qp_rest_pause(&f->rest, record, event->at);
    r->depth++;
    r->top = v;
}

size_t qp_replay_here(const struct qp_replaying *r)
{
    const qp_record *record = r->record;
    if (r->event < record->event_count)
        return record->events[r->event].at;
    const qp_event *last = record->event_count ? &record->events[record->event_count - 1] : NULL;
    if (last == NULL)
        return 0;
    size_t at = (size_t)last->at + last->len;
    if (last->kind == QP_EV_COMMENT && record->verbatim && at < record->text_len) {
        const char *p = record->text + at; /* what closes a comment is no part of it */
        size_t left = record->text_len - at;
        at += *p == '}' || *p == ')' ? 1 : left >= 2 && memcmp(p, "*/", 2) == 0 ? 2 : 0;
    }
    return at;
}

void qp_replay_close(struct qp_replaying *r)
{
    if (r->depth == 0)
        return; /* the reader has reported it */
    size_t at = qp_replay_here(r);
    bool beside = r->top->owner_frame != r->depth - 1;
    qp_comment *left = r->top->pending;
    qp_arena_mark mark = r->top->mark;
    qp_rest_end(&r->top->rest, r->record, at);
    r->top = &r->frames[--r->depth];
    if (beside)
        r->top->rest.from =
            at + (r->event < r->record->event_count ? r->record->events[r->event].len : 0);
    for (const qp_comment *c = left, *next; c != NULL; c = next) {
        next = c->next; /* a variation without a ply: its comments stay */
        take_comment(r, c->text);
    }
    if (left == NULL && !qp_keeps_all(r->record))
        qp_arena_back(r->record->tree, mark);
}

/* All events but moves and numbers. */
void qp_replay_other(struct qp_replaying *r, const qp_event *event)
{
    switch ((qp_event_kind)event->kind) {
    case QP_EV_TEXT:
        r->text = qp_event_text(r->record, event);
        break;
    case QP_EV_COMMENT:
        take_comment(r, qp_event_text(r->record, event));
        break;
    case QP_EV_NAG:
        take_nag(r, event);
        break;
    case QP_EV_CLOCK:
    case QP_EV_REST:
        take_text(r, event);
        break;
    case QP_EV_VAR_OPEN:
        open_variation(r, event);
        break;
    case QP_EV_VAR_CLOSE:
        qp_replay_close(r);
        break;
    case QP_EV_RESULT:
        qp_rest_end(&r->top->rest, r->record, event->at);
        break;
    case QP_EV_MOVE:
    case QP_EV_NUMBER:
        break;
    }
}
