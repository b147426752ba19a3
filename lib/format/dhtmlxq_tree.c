/* DhtmlXQ, the tree: lines name their parent by number and may stand in any order, so
 * they are collected first, then attached and turned into nested events. All of it is a
 * few sorts and one walk with a stack of its own. */
#include "config.h"

#include "format/dhtmlxq.h"

#include <stdlib.h>

static int by_number(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_id(const void *a, const void *b)
{
    const qp_dx_line *x = a, *y = b;
    int order = by_number(x->id, y->id);
    if (order == 0)
        order = by_number(x->parent_id, y->parent_id);
    if (order == 0)
        order = by_number(x->n, y->n);
    return order ? order : by_number(x->key_at, y->key_at);
}

/* Sorts the lines by number and drops those that another with the same key replaces: the
 * last one counts that is not empty. Two lines may share a number, not a key. */
static void sort_lines(qp_dx *dx)
{
    size_t n = dx->lines.count, kept = 1;
    qp_dx_line *all = dx->lines.at;
    bool sorted = true;
    for (size_t i = 2; i < n && sorted; i++)
        sorted = by_id(&all[i - 1], &all[i]) < 0;
    if (!sorted)
        qsort(all + 1, n - 1, sizeof *all, by_id);
    for (size_t i = 1; i < n; i++) {
        qp_dx_line *last = &all[kept - 1];
        bool again = kept > 1 && last->id == all[i].id && last->id != QP_DX_NONE &&
                     last->parent_id == all[i].parent_id && last->n == all[i].n;
        if (!again)
            all[kept++] = all[i];
        else if (all[i].count != 0)
            *last = all[i];
    }
    dx->lines.count = kept;
}

/* The index of the first line of that number, or NONE. */
static uint32_t find_line(const qp_dx *dx, uint32_t id)
{
    if (id == 0 || id == QP_DX_NONE)
        return id;
    size_t low = 1, high = dx->lines.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dx->lines.at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < dx->lines.count && dx->lines.at[low].id == id ? (uint32_t)low
                                                               : QP_DX_NONE;
}

typedef struct child {
    uint32_t parent, n, line;
} child;

static int by_parent(const void *a, const void *b)
{
    const child *x = a, *y = b;
    int order = by_number(x->parent, y->parent);
    if (order == 0)
        order = by_number(x->n, y->n);
    return order ? order : by_number(x->line, y->line);
}

/* Gives each line the list of the lines that leave it, by ply and then by number. */
static bool list_children(qp_dx *dx)
{
    size_t n = dx->lines.count, used = 0;
    child *all = n > 1 ? malloc((n - 1) * sizeof *all) : NULL;
    if (n > 1 && all == NULL) {
        dx->record->failed = true;
        return false;
    }
    for (size_t i = 1; i < n; i++) {
        qp_dx_line *line = &dx->lines.at[i];
        line->parent = find_line(dx, line->parent_id);
        if (line->count != 0 && line->parent != QP_DX_NONE)
            all[used++] = (child){line->parent, line->n, (uint32_t)i};
    }
    if (used != 0)
        qsort(all, used, sizeof *all, by_parent);
    dx->children.count = 0;
    for (size_t i = 0; i < used; i++) {
        if (!QP_DX_ROOM(dx, dx->children))
            break;
        qp_dx_line *parent = &dx->lines.at[all[i].parent];
        if (i == 0 || all[i - 1].parent != all[i].parent)
            parent->child = (uint32_t)i;
        parent->child_end = (uint32_t)i + 1;
        dx->children.at[dx->children.count++] = all[i].line;
    }
    free(all);
    return !dx->record->failed;
}

/* Gives every line that hangs together with the main line the ply where it starts. local:
 * plies count from the start of the parent's line, not of the game. Returns how many
 * lines stand where their parent has no ply. Lines that only name one another are never
 * come to. */
static size_t attach(qp_dx *dx, bool local)
{
    size_t wrong = 0;
    for (size_t i = 0; i < dx->lines.count; i++) {
        dx->lines.at[i].start = i == 0;
        dx->lines.at[i].tail = QP_DX_NONE;
    }
    dx->queue.count = 0;
    if (QP_DX_ROOM(dx, dx->queue))
        dx->queue.at[dx->queue.count++] = 0;
    for (size_t done = 0; done < dx->queue.count; done++) {
        uint32_t index = dx->queue.at[done];
        for (uint32_t c = dx->lines.at[index].child; c < dx->lines.at[index].child_end;
             c++) {
            qp_dx_line *parent = &dx->lines.at[index];
            qp_dx_line *line = &dx->lines.at[dx->children.at[c]];
            uint64_t n = local ? (uint64_t)parent->start + line->n - 1 : line->n;
            uint64_t end = (uint64_t)parent->start + parent->count;
            if (line->n == 0 || n < parent->start || n > end) {
                wrong++;
                continue;
            }
            line->start = (uint32_t)n;
            if (n == end && parent->tail == QP_DX_NONE)
                parent->tail = dx->children.at[c];
            if (QP_DX_ROOM(dx, dx->queue))
                dx->queue.at[dx->queue.count++] = dx->children.at[c];
        }
    }
    return wrong;
}

static int by_place(const void *a, const void *b)
{
    const qp_dx_note *x = a, *y = b;
    int order = by_number(x->line, y->line);
    if (order == 0)
        order = by_number(x->ply, y->ply);
    if (order == 0)
        order = by_number(x->kind, y->kind);
    return order ? order : by_number(x->order, y->order);
}

/* Sorts the notes by line and ply and gives each line its own; those of lines that are
 * not there come last. Of two that say the same of one ply the last counts that is not
 * empty. */
static void sort_notes(qp_dx *dx)
{
    size_t n = dx->notes.count, kept = 0;
    qp_dx_note *all = dx->notes.at;
    for (size_t i = 0; i < n; i++) {
        uint32_t line = find_line(dx, all[i].line);
        if (line != QP_DX_NONE && dx->lines.at[line].start == 0)
            line = QP_DX_NONE;
        all[i].line = line;
    }
    if (n > 1)
        qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0; i < n; i++) {
        qp_dx_note *last = kept ? &all[kept - 1] : NULL;
        bool again = last != NULL && last->line != QP_DX_NONE &&
                     last->line == all[i].line && last->ply == all[i].ply &&
                     last->kind == all[i].kind;
        if (!again)
            all[kept++] = all[i];
        else if (all[i].value_len != 0)
            *last = all[i];
    }
    dx->notes.count = kept;
    for (size_t i = 0; i < kept && all[i].line != QP_DX_NONE; i++) {
        qp_dx_line *line = &dx->lines.at[all[i].line];
        if (i == 0 || all[i - 1].line != all[i].line)
            line->note = (uint32_t)i;
        line->note_end = (uint32_t)i + 1;
    }
}

/* ---- events ---- */

static void add_comment(qp_dx *dx, const qp_dx_note *note, qp_str made)
{
    qp_record_comment(dx->record, note->value_at, note->value_len, made);
}

/* The number at the beginning of a list of them; advances it. 0 at its end. */
static uint32_t next_number(qp_str *list)
{
    uint32_t value = 0;
    while (list->len != 0 && !(*list->data >= '0' && *list->data <= '9'))
        list->data++, list->len--;
    for (; list->len != 0 && *list->data >= '0' && *list->data <= '9';
         list->data++, list->len--)
        if (value < UINT32_MAX / 16)
            value = value * 10 + (uint32_t)(*list->data - '0');
    return value;
}

/* Comments that were joined for the player: split says how many lines each has. note is
 * NULL where no text came with it. */
static void add_split(qp_dx *dx, const qp_dx_note *split, const qp_dx_note *note)
{
    qp_str text = {"", 0}, rest, counts = {dx->text + split->value_at, split->value_len};
    if (note != NULL) {
        text = qp_dx_value(dx, note->value_at, note->value_len, true);
        if (text.data == NULL)
            text = (qp_str){dx->text + note->value_at, note->value_len};
    }
    uint64_t lines = 1, stated = 0, count;
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    for (rest = counts; (count = next_number(&rest)) != 0;)
        stated += count;
    if (note == NULL)
        note = split;
    if (stated != lines) {
        if (note != split)
            add_comment(dx, note, qp_arena_str(dx->record->arena, text.data, text.len));
        return;
    }
    text = qp_arena_str(dx->record->arena, text.data, text.len);
    while ((count = next_number(&counts)) != 0) {
        qp_str one = {text.data, 0};
        for (; one.len < text.len; one.len++)
            if (text.data[one.len] == '\n' && --count == 0)
                break;
        add_comment(dx, note, one);
        size_t skip = one.len + (one.len < text.len);
        text.data += skip;
        text.len -= skip;
    }
}

/* Emits one note; returns how many it took (a split takes its comment along). */
static uint32_t add_note(qp_dx *dx, uint32_t at, uint32_t end)
{
    const qp_dx_note *note = &dx->notes.at[at], *next = note + 1;
    qp_str value = {dx->text + note->value_at, note->value_len};
    switch ((qp_dx_kind)note->kind) {
    case QP_DX_BEFORE_SPLIT:
    case QP_DX_SPLIT:
        if (at + 1 < end && next->ply == note->ply && next->kind == note->kind + 1) {
            add_split(dx, note, next);
            return 2;
        }
        add_split(dx, note, NULL);
        return 1;
    case QP_DX_BEFORE:
    case QP_DX_COMMENT:
        if (value.len != 0)
            add_comment(dx, note, qp_dx_value(dx, note->value_at, note->value_len, true));
        return 1;
    case QP_DX_NAG:
        while (value.len != 0) {
            bool any = *value.data >= '0' && *value.data <= '9';
            uint32_t nag = next_number(&value);
            qp_event *event = (nag == 0 && !any) || nag > UINT16_MAX
                                  ? NULL
                                  : qp_record_add(dx->record, QP_EV_NAG, note->value_at,
                                                  note->value_len);
            if (event != NULL)
                event->value = (uint16_t)nag;
        }
        return 1;
    case QP_DX_CLOCK: {
        qp_event *event =
            qp_record_add(dx->record, QP_EV_CLOCK, note->value_at, note->value_len);
        if (event != NULL)
            event->as.made = qp_dx_value(dx, note->value_at, note->value_len, false);
        return 1;
    }
    }
    return 1;
}

static QP_APART void add_all_notes(qp_dx *dx, qp_dx_frame *frame, uint32_t ply,
                                   qp_dx_kind last)
{
    while (frame->note < frame->note_end) {
        const qp_dx_note *note = &dx->notes.at[frame->note];
        if (note->ply > ply || (note->ply == ply && note->kind > last))
            break;
        frame->note += add_note(dx, frame->note, frame->note_end);
    }
}

static inline void add_notes(qp_dx *dx, qp_dx_frame *frame, uint32_t ply, qp_dx_kind last)
{
    if (QP_RARE(frame->note < frame->note_end))
        add_all_notes(dx, frame, ply, last);
}

static void add_move(qp_dx *dx, const qp_dx_frame *frame, const qp_dx_line *line)
{
    const qp_dx_move *move = &dx->moves.at[line->first + frame->pos];
    qp_record *record = dx->record;
    if (move->move != 0) {
        qp_record_squares(record, move->at, move->len, move->move);
        return;
    }
    size_t events = record->event_count;
    qp_record_bad_move(record, move->at, move->len);
    if (line->cut == 0 || frame->pos + 1 != line->count || events == record->event_count)
        return;
    qp_report *report = qp_record_report(
        record, QP_D_file_truncated, move->at, move->len, "truncated-list",
        "the list of moves ends within a move: %u of four "
        "digits",
        (unsigned)line->cut);
    record->events[events].flags |= QP_EV_REPORTED;
    if (report != NULL) {
        report->ply = line->start + frame->pos;
        report->variation = frame->variation;
    }
}

static void enter(qp_dx *dx, uint32_t index)
{
    const qp_dx_line *line = &dx->lines.at[index];
    if (QP_DX_ROOM(dx, dx->frames))
        dx->frames.at[dx->frames.count++] = (qp_dx_frame){.line = index,
                                                          .variation = dx->variations,
                                                          .child = line->child,
                                                          .child_end = line->child_end,
                                                          .note = line->note,
                                                          .note_end = line->note_end};
}

/* The next line to go through beside the ply just emitted, or NONE. */
static uint32_t next_child(qp_dx *dx, qp_dx_frame *frame, uint32_t ply)
{
    while (frame->guest < frame->guest_end) {
        uint32_t index = dx->children.at[frame->guest++];
        if (dx->lines.at[index].start != 0)
            return index;
    }
    while (frame->child < frame->child_end) {
        uint32_t index = dx->children.at[frame->child];
        uint32_t start = dx->lines.at[index].start;
        if (start > ply)
            break;
        frame->child++;
        if (start != 0)
            return index;
    }
    return QP_DX_NONE;
}

/* Goes on with the line behind the frame's last ply. What else starts there are other
 * moves for the first of these. */
static void enter_tail(qp_dx *dx, qp_dx_frame *frame, uint32_t tail)
{
    const qp_dx_line *line = &dx->lines.at[tail];
    qp_dx_frame old = *frame;
    *frame = (qp_dx_frame){.line = tail,
                           .variation = old.variation,
                           .child = line->child,
                           .child_end = line->child_end,
                           .note = line->note,
                           .note_end = line->note_end};
    frame->guest = old.child;
    frame->guest_end = old.child_end;
}

static void mark_event(qp_dx *dx, qp_event_kind kind, const qp_dx_line *line)
{
    qp_record_add(dx->record, kind, line->key_at, line->key_len);
}

/* Lines and notes that fit nowhere, so that nothing is lost: their keys and what they
 * hold, as comments behind the main line. */
static void add_strays(qp_dx *dx)
{
    qp_record *record = dx->record;
    uint32_t strays = 0, at = 0, len = 0;
    for (size_t i = 1; i < dx->lines.count; i++) {
        const qp_dx_line *line = &dx->lines.at[i];
        if (line->start != 0 || line->count == 0)
            continue;
        if (strays++ == 0) {
            at = line->key_at;
            len = line->key_len;
        }
        qp_record_comment(record, line->key_at, line->key_len,
                          qp_arena_printf(record->arena, "%.*s: %.*s", (int)line->key_len,
                                          dx->text + line->key_at, (int)line->value_len,
                                          dx->text + line->value_at));
    }
    for (size_t i = dx->notes.count; i > 0 && dx->notes.at[i - 1].line == QP_DX_NONE;
         i--) {
        const qp_dx_note *note = &dx->notes.at[i - 1];
        if (note->value_len == 0)
            continue;
        qp_str made = qp_dx_value(dx, note->value_at, note->value_len, true);
        if (made.data == NULL)
            made = (qp_str){dx->text + note->value_at, note->value_len};
        made = qp_arena_printf(record->arena, "%.*s: %.*s", (int)note->key_len,
                               dx->text + note->key_at, (int)made.len, made.data);
        qp_record_comment(record, note->value_at, note->value_len, made);
    }
    if (strays != 0)
        qp_record_report(record, QP_D_variation_unbalanced, at, len,
                         "dhtmlxq-parent-missing",
                         "a variation leaves a line or a ply that is not there%s",
                         strays > 1 ? ", and so do others" : "");
}

static void emit(qp_dx *dx)
{
    qp_record *record = dx->record;
    dx->variations = 0;
    enter(dx, 0);
    qp_record_settle(record);
    while (dx->frames.count != 0 && !record->failed) {
        if (qp_record_is_long(record))
            qp_record_pass(record);
        qp_dx_frame *frame = &dx->frames.at[dx->frames.count - 1];
        const qp_dx_line *line = &dx->lines.at[frame->line];
        uint32_t next = frame->pos == 0
                            ? QP_DX_NONE
                            : next_child(dx, frame, line->start + frame->pos - 1);
        if (next != QP_DX_NONE) {
            mark_event(dx, QP_EV_VAR_OPEN, &dx->lines.at[next]);
            dx->variations++;
            enter(dx, next);
            continue;
        }
        if (frame->pos < line->count) {
            uint32_t ply = line->start + frame->pos;
            add_notes(dx, frame, ply, QP_DX_BEFORE);
            add_move(dx, frame, line);
            frame->pos++;
            add_notes(dx, frame, ply, QP_DX_CLOCK);
            continue;
        }
        add_notes(dx, frame, UINT32_MAX, QP_DX_CLOCK);
        if (line->tail != QP_DX_NONE) {
            while (frame->child < frame->child_end &&
                   dx->children.at[frame->child] != line->tail)
                frame->child++;
            frame->child++;
            enter_tail(dx, frame, line->tail);
            continue;
        }
        if (dx->frames.count > 1)
            mark_event(dx, QP_EV_VAR_CLOSE, line);
        else
            add_strays(dx);
        dx->frames.count--;
    }
}

/* A record of one line with nothing said: its moves, and no more. */
static bool emit_plain(qp_dx *dx)
{
    const qp_dx_line *line = &dx->lines.at[0];
    qp_dx_frame frame = {.line = 0};
    if (dx->lines.count != 1 || dx->notes.count != 0)
        return false;
    dx->lines.at[0].start = 1;
    for (; frame.pos < line->count && !dx->record->failed; frame.pos++)
        add_move(dx, &frame, line);
    return true;
}

void qp_dx_build(qp_dx *dx)
{
    if (dx->told || emit_plain(dx))
        return;
    sort_lines(dx);
    if (!list_children(dx))
        return;
    /* Some programs count the plies of a variation within its parent's line. Taken only
     * where the usual way does not hold and this one does. */
    if (attach(dx, false) != 0 && attach(dx, true) != 0)
        attach(dx, false);
    sort_notes(dx);
    emit(dx);
}
