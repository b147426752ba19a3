/* Analysis in text: moves that go back to an earlier round (1. … 1.……), that stand in words
 * (如改走车二进六，马7进6) or below a label (甲、 (一)) are lines beside the main one, or nothing
 * but words; never a part of it. Known from books, journals and pages that comment on games.
 *
 * What is clear becomes a variation: all its moves can be played from a place that its number
 * or its words allow. All else that is said there stays a comment as it stands. */
#include "config.h"

#include "format/branches.h"

#include <stdlib.h>

enum { LOOK = 4 };

/* ---- numbers that go back ---- */

/* How many moves stand at event i before anything else, and how many of them can be played
 * on a board; LOOK at the most. */
static unsigned legal_moves(const qp_branches *s, size_t i, qp_board board,
                            unsigned *there)
{
    unsigned legal = 0;
    *there = 0;
    for (; i < s->record->event_count && *there < LOOK; i++) {
        const qp_event *e = &s->record->events[i];
        if (e->kind == QP_EV_NUMBER && (e->value == 0 || *there != 0 || legal == 0))
            continue;
        if (e->kind != QP_EV_MOVE)
            break;
        qp_move move = legal == *there ? qp_branches_resolve(&board, &e->as.written) : 0;
        ++*there;
        if (move != 0) {
            qp_board_play(&board, move);
            legal++;
        }
    }
    return legal;
}

/* The ply that a round number stands before; UINT32_MAX for none. */
static uint32_t ply_of(const qp_branches *s, unsigned value, bool dots)
{
    const qp_board *start = &s->record->start;
    long round = (long)value - s->offset - start->round;
    long ply = round * 2 + dots - (start->side == QP_BLACK);
    return round < 0 || ply < 0 ? UINT32_MAX : (uint32_t)ply;
}

/* Passes over moves from event *i on that a line has already, from a ply on; returns how many,
 * and sets *i behind them. */
static uint32_t repeats(const qp_branches *s, const qp_branch_line *l, uint32_t ply,
                        size_t *i)
{
    qp_board board;
    uint32_t same = 0;
    size_t at = *i;
    qp_branches *work = (qp_branches *)s;
    if (!qp_branches_board(work, (uint32_t)(l - s->lines), ply, &board))
        return 0;
    for (; at < s->record->event_count && ply + same < qp_branch_end(l) &&
           work->again < QP_BRANCHES_WORK_MAX;
         at++) {
        const qp_event *e = &s->record->events[at];
        if (e->kind == QP_EV_NUMBER)
            continue;
        if (e->kind != QP_EV_MOVE || ply + same < l->base)
            break;
        qp_move moves[8], is = l->moves[ply + same - l->base];
        unsigned pick;
        size_t n = e->as.written.form == QP_FORM_NONE
                       ? 0
                       : qp_resolve(&board, &e->as.written, QP_BASE_ZERO, moves, &pick);
        bool equal = false;
        for (size_t k = 0; k < n; k++)
            equal |= moves[k] == is;
        if (!equal)
            break;
        qp_board_play(&board, is);
        work->again++;
        same++;
        *i = at + 1;
    }
    return same;
}

/* Whether moves that a line has already are written as they are there: `count` from event i on. */
static bool same_words(const qp_branches *s, const qp_branch_line *l, uint32_t ply,
                       size_t i, uint32_t count)
{
    const qp_event *events = s->record->events;
    for (uint32_t k = 0; k < count && i < s->record->event_count; i++) {
        if (events[i].kind != QP_EV_MOVE)
            continue;
        const qp_event *first = &events[l->owner[ply + k++ - l->base]];
        if (first->len != events[i].len ||
            memcmp(s->text + first->at, s->text + events[i].at, first->len) != 0)
            return false;
    }
    return true;
}

/* Whether a number says that black moves: 3.…… and 3. …… */
static bool has_dots(const qp_branches *s, size_t i)
{
    const qp_event *e = &s->record->events[i];
    return e->flags & QP_EV_DOTS ||
           (i + 1 < s->record->event_count && e[1].kind == QP_EV_NUMBER && e[1].value == 0 &&
            e[1].flags & QP_EV_DOTS);
}

/* Words at the end of a line that are the heading of the one that begins behind them. */
static void move_heading(qp_branches *s, uint32_t from, uint32_t to)
{
    enum { LONGEST = 40 };
    qp_branch_line *in = &s->lines[from];
    size_t first = in->item_count;
    while (first > 0) {
        const qp_event *e = &s->record->events[in->items[first - 1]];
        if (e->kind != QP_EV_COMMENT || e->len > LONGEST ||
            qp_branches_says((qp_str){s->text + e->at, e->len},
                             (const char *const[]){"。"}, 1))
            break;
        first--;
    }
    for (size_t k = first; k < in->item_count; k++)
        qp_branches_item(s, to, in->items[k]);
    s->lines[from].item_count = first;
}

/* Whether words or an empty line stand between a number and the move before it: a round told
 * again without them is one that was written twice. */
static bool parted(const qp_branches *s, size_t i)
{
    const qp_event *e = &s->record->events[i];
    if (i == 0)
        return false;
    size_t from = e[-1].at + e[-1].len;
    if (e[-1].kind == QP_EV_COMMENT)
        return true;
    unsigned lines = 0;
    for (size_t at = from; at < e->at; at++)
        lines += s->text[at] == '\n';
    return lines > 1;
}

/* A round number with a move behind it that does not go on from where the line at work
 * stands. Finds the line that it belongs to; returns the event to go on with. */
static size_t take_back(qp_branches *s, size_t i)
{
    const qp_event *e = &s->record->events[i];
    uint32_t ply = ply_of(s, e->value, has_dots(s, i)), from = s->at;
    for (uint32_t l = s->at; ply != UINT32_MAX; l = s->lines[l].parent) {
        qp_branch_line *in = &s->lines[l];
        unsigned there;
        qp_board board;
        if ((l == 0 || ply > in->base) && ply <= qp_branch_end(in) &&
            qp_branches_board(s, l, ply, &board)) {
            unsigned legal = legal_moves(s, i, board, &there);
            if (there != 0 && legal == there && ply == qp_branch_end(in)) {
                s->at = l;
                return i;
            }
            size_t next = i;
            uint32_t same = ply < qp_branch_end(in) ? repeats(s, in, ply, &next) : 0;
            bool again = parted(s, i) || !same_words(s, in, ply, i, same);
            if (same != 0 && ply + same == qp_branch_end(in) && again) {
                s->at = l; /* said once more, to go on from there */
                s->changed = true;
                return next;
            }
            if (there != 0 && legal == there && again &&
                s->line_count < QP_BRANCHES_MAX && in->depth < QP_BRANCH_DEPTH_MAX) {
                if (same != 0 && !qp_branches_board(s, l, ply + same, &board))
                    return i;
                uint32_t owner = in->owner[ply + same - in->base];
                s->hangs[s->hang_count++] = (qp_branch_hang){owner, s->line_count};
                s->at = qp_branches_line(s, l, ply + same, &board);
                move_heading(s, from, s->at);
                s->changed = true;
                return same != 0 ? next : i;
            }
        }
        if (l == 0)
            break;
    }
    return i;
}

/* Whether a move below a label is said again by the number behind it: (一)车2进5 9.……车2进5. */
static bool is_label(const qp_branches *s, size_t i, size_t count)
{
    const qp_event *e = s->record->events;
    size_t next = i + 1;
    if (i == 0 || e[i - 1].kind != QP_EV_COMMENT)
        return false;
    while (next < count && e[next].kind == QP_EV_NUMBER)
        next++;
    return next > i + 1 && next < count && e[next].kind == QP_EV_MOVE &&
           e[next].len == e[i].len &&
           memcmp(s->text + e[next].at, s->text + e[i].at, e[i].len) == 0;
}

/* A round told once more in short, as rule books show two ways of keeping a card side by side:
 * 1 炮二平五 马8进7 1 炮25 马87. Returns the event past it, i where none is told. */
static size_t told_short(const qp_branches *s, size_t i, size_t count)
{
    const qp_branch_line *in = &s->lines[s->at];
    const qp_event *events = s->record->events;
    uint32_t plies = in->end.side == QP_RED ? 2 : 1;
    size_t next = i + 1;
    if (in->count < plies)
        return i;
    for (uint32_t k = in->count - plies; k < in->count; k++, next++) {
        const qp_written *full = &events[in->owner[k]].as.written;
        const qp_written *other = &events[next].as.written;
        if (next >= count || events[next].kind != QP_EV_MOVE ||
            full->form != QP_FORM_PIECE_ROAD || full->way == QP_WAY_NONE ||
            other->way != QP_WAY_NONE || other->kind != full->kind ||
            other->road != full->road || other->arg != full->arg)
            return i;
    }
    return next;
}

/* ---- all of a record ---- */

static size_t take_event(qp_branches *s, size_t from, size_t i, size_t count)
{
    qp_event *e = &s->record->events[i];
    qp_branch_line *in = &s->lines[s->at];
    if (e->kind == QP_EV_COMMENT)
        return qp_branches_words(s, from, i, count);
    if (e->kind == QP_EV_NUMBER && e->value != 0 && !s->broken) {
        int expected = in->end.round;
        if (!s->offset_known) {
            s->offset = (int)e->value - expected;
            s->offset_known = true;
        }
        unsigned there, legal = legal_moves(s, i, in->end, &there);
        bool fits = (int)e->value == expected + s->offset && legal == there;
        size_t next = told_short(s, i, count);
        if (next != i) {
            const qp_event *last = &s->record->events[next - 1];
            *e = (qp_event){.kind = QP_EV_COMMENT, .at = e->at};
            e->len = last->at + last->len - e->at;
            s->changed = true;
            qp_branches_item(s, s->at, i);
            return next;
        }
        if (!fits && there != 0 && (int)e->value <= expected + s->offset) {
            next = take_back(s, i);
            if (next != i)
                return next;
        } else if (!fits && there != 0 && s->at != 0) {
            take_back(s, i); /* back to the line before */
        }
    }
    if (e->kind == QP_EV_MOVE && is_label(s, i, count)) {
        e->kind = QP_EV_COMMENT;
        e->as.made = (qp_str){0};
        s->changed = true;
    } else if (e->kind == QP_EV_MOVE && !s->broken) {
        qp_move move = qp_branches_resolve(&s->lines[s->at].end, &e->as.written);
        if (move != 0) {
            for (size_t k = 0; s->at == 0 && s->pending != 0 && k < s->hang_count; k++)
                if (s->hangs[k].event == UINT32_MAX) {
                    s->hangs[k].event = (uint32_t)i;
                    if (s->lines[s->hangs[k].line].moves[0] == move)
                        s->hangs[k].line = 0; /* what came to be played */
                    s->pending--;
                }
            s->undressed |=
                qp_branches_others(&e->as.written, (qp_side)s->lines[s->at].end.side);
            qp_branches_ply(s, s->at, i, move);
            return i + 1;
        }
        s->broken = s->at == 0;
    }
    qp_branches_item(s, s->at, i);
    return i + 1;
}

void qp_branches_settle(qp_reading *reading, size_t from)
{
    qp_record *record = reading->record;
    qp_branches s = {.record = record,
                     .lexer = record->lexer ? record->lexer : reading->lexer,
                     .text = reading->source->text};
    size_t count = record->event_count;
    unsigned last = 0, numbers = 0;
    bool needed = false;
    for (size_t i = from; i < count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN)
            return; /* parentheses say it all */
        needed |= e->kind == QP_EV_COMMENT;
        if (e->kind == QP_EV_NUMBER && e->value != 0) {
            needed |= e->value <= last;
            last = e->value;
            numbers++;
        }
    }
    if (!needed)
        return;
    s.numbered = numbers >= 2;
    s.lines = malloc(QP_BRANCHES_MAX * sizeof *s.lines);
    s.hangs = malloc(QP_BRANCHES_MAX * sizeof *s.hangs);
    if (s.lines != NULL && s.hangs != NULL) {
        qp_branches_line(&s, 0, 0, &record->start);
        for (size_t i = from; i < count && !s.failed;)
            i = take_event(&s, from, i, count);
        if (s.changed && !s.failed)
            qp_branches_rebuild(&s, from);
        else
            record->event_count = count;
        for (uint32_t i = 0; i < s.line_count; i++) {
            free(s.lines[i].moves);
            free(s.lines[i].owner);
            free(s.lines[i].items);
        }
    } else {
        s.failed = true;
    }
    record->failed |= s.failed;
    free(s.lines);
    free(s.hangs);
}
