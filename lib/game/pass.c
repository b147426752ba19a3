/* Records too long to keep: their events are replayed while they are read. See game.h. */
#include "config.h"

#include "game/replay.h"

#include <stdlib.h>

enum {
    BEHIND = 64,   /* events that are left for the next time: numbers look so far ahead */
    TEXTS = 1024,  /* moves as they are written, kept once each; a power of two */
    TEXT_MAX = 24, /* bytes of one */
};

struct qp_passed {
    struct qp_replaying replaying;
    size_t kept;  /* events that stay, before those to be replayed */
    size_t depth; /* of variations that are open behind these */
    size_t text_at;  /* where r->text lies in the record's text; SIZE_MAX: elsewhere */
    qp_str texts[TEXTS]; /* in the arena */
};

static bool in_text(const qp_record *record, const char *p)
{
    /* Of two objects only equality can be asked for, but for their addresses. */
    uintptr_t at = (uintptr_t)p, text = (uintptr_t)record->text;
    return at >= text && at - text < record->text_len;
}

qp_str qp_keep_text(qp_record *record, qp_str text)
{
    if (!record->open || text.len == 0 || !in_text(record, text.data))
        return text;
    if (text.len > TEXT_MAX)
        return qp_arena_str(record->tree, text.data, text.len);
    uint32_t hash = 0;
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * UINT32_C(0x9e3779b1);
    qp_str *known = &record->kept->passed->texts[hash >> 22 & (TEXTS - 1)];
    if (!qp_str_same(*known, text))
        *known = qp_arena_str(record->arena, text.data, text.len);
    return *known;
}

void qp_keep_plies(struct qp_replaying *r, qp_node *first, qp_node *last)
{
    if (r->depth != 0 && !qp_keeps_all(r->record))
        return; /* they will be gone before their text is */
    for (; last != first; last = last->prev)
        qp_set_text(last, qp_keep_text(r->record, qp_node_text(last)));
}

/* Forgets what variations hold of the events before the current one. */
static void forget(struct qp_passed *passed, qp_record *record, struct qp_replaying *r)
{
    qp_event *events = record->events;
    size_t out = passed->kept, depth = passed->depth;
    for (size_t i = out; i < r->event; i++) {
        switch ((qp_event_kind)events[i].kind) {
        case QP_EV_VAR_OPEN:
            depth++;
            events[out++] = events[i];
            break;
        case QP_EV_VAR_CLOSE:
            /* Those that are open stand one behind the other: the last one is the last kept. */
            if (depth > 1)
                out--;
            else
                events[out++] = events[i];
            depth -= depth > 0;
            break;
        default:
            if (depth == 0)
                events[out++] = events[i];
            break;
        }
    }
    memmove(events + out, events + r->event, (record->event_count - r->event) * sizeof *events);
    record->event_count -= r->event - out;
    r->event = out;
    passed->kept = out;
    passed->depth = depth;
}

static bool begin(qp_record *record)
{
    struct qp_replaying r;
    if (!qp_start_is_seen(record))
        return false;
    if (!qp_replay_begin(&r, record->context, record, record->game))
        return false;
    if (r.kept->passed == NULL)
        r.kept->passed = malloc(sizeof *r.kept->passed);
    if (r.kept->passed == NULL)
        return false; /* it can be kept, with some luck */
    *r.kept->passed = (struct qp_passed){.replaying = r, .text_at = SIZE_MAX};
    record->open = true;
    return true;
}

void qp_record_pass(qp_record *record)
{
    size_t count = record->event_count;
    record->text = record->source->text;
    record->text_len = record->source->len;
    if (record->again || record->failed || (!record->open && !begin(record))) {
        record->pass_at = count < SIZE_MAX / 2 ? count * 2 : SIZE_MAX;
        return;
    }
    struct qp_passed *passed = record->kept->passed;
    struct qp_replaying *r = &passed->replaying;
    if (passed->text_at != SIZE_MAX)
        r->text.data = record->text + passed->text_at;
    record->understanding = true;
    r->starved = false;
    r->stop = count > r->event + BEHIND ? count - BEHIND : r->event;
    qp_replay_run(r);
    forget(passed, record, r);
    record->understanding = false;
    record->passed = record->event_count;
    passed->text_at = r->text.data != NULL && in_text(record, r->text.data)
                          ? (size_t)(r->text.data - record->text)
                          : SIZE_MAX;
    record->pass_at = r->starved ? 2 * record->event_count : record->event_count + record->slice;
}

struct qp_replaying *qp_passed_replay(qp_record *record)
{
    if (!record->open)
        return NULL;
    record->open = false;
    struct qp_passed *passed = record->kept->passed;
    if (passed->text_at != SIZE_MAX)
        passed->replaying.text.data = record->text + passed->text_at;
    passed->replaying.starved = false;
    return &passed->replaying;
}

void qp_passed_free(struct qp_replay_kept *kept)
{
    free(kept->passed);
}
