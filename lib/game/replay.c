/* Replay: a record and the rules make a game. One pass over the events builds the tree and
 * finds, in each line, the first ply that cannot be: what follows from it is not reported.
 *
 * The hot path is a sound ply: resolve, make, one node. All that is rare (ambiguity, errors,
 * comments, variations) is kept out of it.
 */
#include "config.h"

#include "game/inside.h"

#include <stdio.h>
#include <stdlib.h>

/* The state of one line: the main line, or a variation that is still open. */
typedef struct frame {
    qp_board board; /* after last */
    qp_undo undo;   /* takes last back, where played */
    qp_node *last;  /* NULL: no ply of this line yet */
    qp_node *first; /* first ply of the line */
    qp_node *before; /* the ply before the line's first: what the line hangs behind */
    qp_comment **after_tail; /* where the next comment behind last goes */
    qp_comment *pending, **pending_tail; /* comments before the first ply */
    qp_node *sibling_tail;   /* the last alternative of last so far */
    size_t owner_frame;      /* of a variation: the frame whose last it replaces */
    uint32_t variation;
    bool played;      /* last was made on the board */
    bool bad, lost;   /* a ply of the line cannot be; the board is not to be trusted */
    bool was_bad, was_lost; /* the same before last */
    bool inside;      /* the line is part of what a line around it keeps as its rest */
    qp_rest rest;     /* of the line, once it breaks off */
} frame;

/* The place behind the notations is for squares that no notation had to read. */
enum { NO_DIALECT = QP_DIALECTS_MAX, DIALECTS };

struct replay {
    const qp_context *context;
    qp_record *record;
    qp_game *game;
    frame *frames;
    frame *top; /* frames[depth]: the current one */
    size_t depth, room;
    qp_base base;
    uint32_t variations;
    uint32_t nodes, node_limit;
    size_t event;       /* index of the current event */
    qp_str text;        /* of a TEXT event, for the next move */
    bool numbered, commented;
    int number_offset;
    unsigned number_reports;
    unsigned look_left; /* of QP_LOOK_GAME */
    uint32_t dialects[DIALECTS]; /* plies of the main line by what read them */
    uint32_t traditional;
};

static void set_extra(qp_record *record, qp_node *node, qp_extra **extra)
{
    if (node->extra == NULL)
        node->extra = qp_arena_zero(record->arena, sizeof *node->extra);
    *extra = (qp_extra *)node->extra;
}

static qp_str event_text(const qp_record *record, const qp_event *event)
{
    return event->as.made.data ? event->as.made
                               : qp_record_span(record, event->at, event->len);
}

/* ---- findings about a ply ---- */

/* The ply under way in words of its own: of squares their text. */
static qp_str token_of(struct replay *r)
{
    const qp_event *event = &r->record->events[r->event];
    char text[5];
    if (event->kind != QP_EV_MOVE || event->as.written.form != QP_FORM_SQUARES)
        return r->text;
    qp_move_text(event->as.written.move, text);
    return qp_arena_str(r->record->arena, text, 4);
}

static void about_ply(struct replay *r, qp_report *report, const frame *f, uint32_t ply)
{
    if (report == NULL)
        return;
    char fen[QP_FEN_MAX];
    size_t len = qp_fen_write(&f->board, fen);
    report->ply = ply;
    report->variation = f->variation;
    report->has_side = true;
    report->side = (qp_side)f->board.side;
    report->token = token_of(r);
    report->fen = qp_arena_str(r->record->arena, fen, len).data;
}

static uint32_t next_ply(const frame *f)
{
    return f->last ? f->last->ply + 1 : f->before ? f->before->ply + 1 : 1;
}

static void report_error(struct replay *r, frame *f, const qp_event *event,
                         const qp_reason *reason)
{
    uint32_t ply = next_ply(f);
    qp_end end = f->board.king[0] != QP_NO_SQUARE && f->board.king[1] != QP_NO_SQUARE
                     ? qp_board_end(&f->board)
                     : QP_END_NONE;
    qp_report *report;
    if (end != QP_END_NONE) {
        report = qp_record_report(r->record, QP_D_move_after_end, event->at, event->len, NULL,
                                  "the game ended by %s before this move", qp_end_name(end));
    } else {
        report = qp_record_report(r->record, reason->code, event->at, event->len,
                                  reason->detail, "%s", reason->message);
    }
    about_ply(r, report, f, ply);
}

static void ambiguous(const qp_move *moves, size_t count, qp_reason *reason)
{
    reason->code = QP_D_move_ambiguous;
    reason->detail = NULL;
    reason->move = 0;
    reason->at = QP_NO_SQUARE;
    char list[80];
    size_t len = 0;
    for (size_t i = 0; i < count && len + 8 < sizeof list; i++) {
        char text[5];
        qp_move_text(moves[i], text);
        if (i > 0) {
            memcpy(list + len, i + 1 == count ? " or " : ", ", i + 1 == count ? 4 : 2);
            len += i + 1 == count ? 4 : 2;
        }
        memcpy(list + len, text, 4);
        len += 4;
    }
    list[len] = '\0';
    snprintf(reason->message, sizeof reason->message,
             "the move can be %s and nothing decides", list);
}

/* ---- plies ---- */

/* Hangs the first ply of a line where it belongs. */
static QP_APART void begin_line(struct replay *r, frame *f, qp_node *node)
{
    f->first = node;
    if (r->depth == 0) {
        r->game->first = node;
    } else {
        frame *home = &r->frames[f->owner_frame];
        node->owner = home->last->owner ? home->last->owner : home->last;
        if (home->sibling_tail != NULL)
            home->sibling_tail->sibling = node;
        else
            node->owner->alternative = node;
        home->sibling_tail = node;
    }
    if (f->pending != NULL) {
        qp_extra *extra;
        set_extra(r->record, node, &extra);
        if (extra != NULL)
            extra->before = f->pending;
        f->pending = NULL;
    }
}

static QP_APART void report_limit(struct replay *r, const qp_event *event)
{
    qp_record_report(r->record, QP_D_file_limit, event->at, event->len, "nodes",
                     "more than %u moves in one game: the rest is left out",
                     (unsigned)r->node_limit);
    r->event = r->record->event_count - 1; /* the last to be taken */
}

static inline qp_node *add_node(struct replay *r, frame *f, const qp_event *event,
                                qp_move move, uint16_t flags)
{
    qp_record *record = r->record;
    if (QP_RARE(r->nodes >= r->node_limit)) {
        report_limit(r, event);
        return NULL;
    }
    qp_node *node = qp_arena_alloc(record->arena, sizeof *node);
    if (QP_RARE(node == NULL))
        return NULL;
    qp_node *prev = f->last ? f->last : f->before;
    r->nodes++;
    *node = (qp_node){.prev = prev,
                      .text = qp_record_span(record, event->at, event->len),
                      .move = move,
                      .flags = flags,
                      .ply = prev ? prev->ply + 1 : 1,
                      .variation = f->variation};
    if (event->as.written.form == QP_FORM_SQUARES)
        node->text = (qp_str){"", 0};
    if (QP_RARE(r->text.data != NULL))
        node->text = r->text;
    if (QP_LIKELY_TO(f->last != NULL))
        f->last->next = node;
    else
        begin_line(r, f, node);
    f->last = node;
    f->after_tail = NULL;
    f->sibling_tail = NULL;
    return node;
}

/* The sound part of the main line ends before this ply. */
static void main_line_breaks(struct replay *r, const frame *f)
{
    if (r->depth == 0 && r->game->legal) {
        r->game->legal = false;
        r->game->plies = f->last ? f->last->ply : 0;
        r->game->final = f->board;
    }
}

/* A ply that is wrong by itself, or stands behind one in its line. */
static void bad_move(struct replay *r, frame *f, const qp_event *event, qp_reason *reason)
{
    bool follows = f->bad;
    uint16_t flags = follows ? QP_NODE_AFTER_ERROR : 0;
    qp_move move = reason->move;
    if (!follows && !(event->flags & QP_EV_REPORTED))
        report_error(r, f, event, reason);
    main_line_breaks(r, f);
    if (move == 0)
        flags |= QP_NODE_UNREADABLE;
    else if (!f->lost)
        flags |= QP_NODE_ILLEGAL;
    qp_node *node = add_node(r, f, event, move, flags);
    f->was_bad = f->bad;
    f->was_lost = f->lost;
    f->bad = true;
    f->played = false;
    if (node == NULL)
        return;
    if (!follows && !f->inside && r->record->verbatim)
        qp_rest_begin(&f->rest, node, event->at);
    if (move != 0 && !f->lost && f->board.at[QP_FROM(move)] != 0) {
        qp_rules_make(&f->board, move, &f->undo);
        f->played = true;
    } else {
        f->lost = true;
        f->board.side ^= 1;
    }
}

/* None or several moves fit: the one that the line decides for, or 0 and a bad ply. */
static qp_move unclear_move(struct replay *r, frame *f, const qp_event *event,
                            const qp_move *moves, size_t count)
{
    const qp_written *written = &event->as.written;
    qp_reason reason = {.code = QP_D_move_unreadable, .at = QP_NO_SQUARE};
    if (count > 1 && !f->bad) {
        qp_move pick = qp_look_ahead(r->record, &f->board, r->base, r->event, moves,
                                     count, &r->look_left);
        if (pick != 0)
            return pick;
        ambiguous(moves, count, &reason);
    } else if (f->lost) { /* no board to judge it by: its squares are all that is known */
        reason.move = written->form == QP_FORM_SQUARES ? written->move
                      : written->form == QP_FORM_COORD ? qp_coord_move(written, r->base)
                                                       : 0;
    } else if (written->form == QP_FORM_NONE) {
        memcpy(reason.message, "no notation known reads this", 29);
    } else {
        qp_resolve_why(&f->board, written, r->base, &reason);
    }
    bad_move(r, f, event, &reason);
    return 0;
}

/* A ply that is not one legal move: moves[0] gets the one it is all the same. false: there
 * is none, and the ply was kept as a bad one. */
static QP_APART bool settle_move(struct replay *r, frame *f, const qp_event *event,
                                 qp_move moves[8], size_t count)
{
    moves[0] = unclear_move(r, f, event, moves, count);
    if (moves[0] == 0) {
        r->text = (qp_str){0};
        return false;
    }
    if (!f->bad) {
        char square[5];
        qp_move_text(moves[0], square);
        about_ply(r,
                  qp_record_report(r->record, QP_D_notation_style, event->at, event->len,
                                   event->as.written.way == QP_WAY_NONE
                                       ? "way-missing"
                                       : "order-word-missing",
                                   "%s; those that follow decide for %s",
                                   event->as.written.way == QP_WAY_NONE
                                       ? "the move has no direction"
                                       : "two pieces can make the move",
                                   square),
                  f, next_ply(f));
    }
    return true;
}

static inline void take_move(struct replay *r, const qp_event *event)
{
    frame *f = r->top;
    const qp_written *written = &event->as.written;
    qp_move moves[8];
    unsigned pick = 0;
    size_t count = written->form == QP_FORM_NONE || f->lost
                       ? 0
                       : qp_resolve(&f->board, written, r->base, moves, &pick);
    if (QP_RARE(count != 1) && !settle_move(r, f, event, moves, count))
        return;
    qp_node *node =
        add_node(r, f, event, moves[0], f->bad ? QP_NODE_AFTER_ERROR : 0);
    r->text = (qp_str){0};
    if (QP_RARE(node == NULL)) {
        f->bad = f->lost = true;
        return;
    }
    qp_rules_make_legal(&f->board, moves[0], &f->undo);
    f->played = true;
    f->was_bad = f->bad;
    f->was_lost = f->lost;
    if (r->depth == 0) {
        r->dialects[written->form == QP_FORM_SQUARES ? NO_DIALECT : written->dialect]++;
        r->traditional += written->style / QP_STYLE_TRADITIONAL & 1;
    }
}

/* ---- comments, variations, numbers ---- */

static void take_comment(struct replay *r, qp_str text)
{
    frame *f = r->top;
    r->commented = true;
    qp_comment *comment = qp_arena_zero(r->record->arena, sizeof *comment);
    if (comment == NULL)
        return;
    comment->text = text;
    if (f->last == NULL) {
        if (f->pending_tail == NULL)
            f->pending_tail = &f->pending;
        *f->pending_tail = comment;
        f->pending_tail = (qp_comment **)&comment->next;
        return;
    }
    if (f->after_tail == NULL) {
        qp_extra *extra;
        set_extra(r->record, f->last, &extra);
        if (extra == NULL)
            return;
        f->after_tail = (qp_comment **)&extra->after;
        while (*f->after_tail != NULL)
            f->after_tail = (qp_comment **)&(*f->after_tail)->next;
    }
    *f->after_tail = comment;
    f->after_tail = (qp_comment **)&comment->next;
}

static void take_nag(struct replay *r, const qp_event *event)
{
    frame *f = r->top;
    qp_extra *extra;
    if (f->last == NULL) { /* belongs to nothing: kept as text */
        take_comment(r, qp_arena_printf(r->record->arena, "$%u", event->value));
        return;
    }
    set_extra(r->record, f->last, &extra);
    if (extra == NULL)
        return;
    size_t count = extra->nag_count;
    if ((count & (count - 1)) == 0) { /* full at 0, 1, 2, 4, 8 … */
        uint16_t *grown =
            qp_arena_alloc(r->record->arena, (count ? count * 2 : 1) * sizeof *grown);
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
static void take_text(struct replay *r, const qp_event *event)
{
    qp_extra *extra;
    if (r->top->last == NULL)
        return;
    set_extra(r->record, r->top->last, &extra);
    if (extra == NULL)
        return;
    if (event->kind == QP_EV_CLOCK)
        extra->clock = event_text(r->record, event);
    else
        extra->rest = event_text(r->record, event);
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
            qp_buf_add_str(&out, event_text(record, e));
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

/* Passes over a variation that cannot be kept as one; its text becomes a comment. */
static void skip_variation(struct replay *r)
{
    qp_record *record = r->record;
    size_t depth = 0, i = r->event;
    for (; i < record->event_count; i++) {
        depth += record->events[i].kind == QP_EV_VAR_OPEN;
        depth -= record->events[i].kind == QP_EV_VAR_CLOSE;
        if (depth == 0)
            break;
    }
    const qp_event *from = &record->events[r->event];
    const qp_event *to = &record->events[i < record->event_count ? i : i - 1];
    if (!record->verbatim)
        take_comment(r, spell_events(record, r->event + 1, i));
    else if (to->at >= from->at + from->len)
        take_comment(r, qp_record_span(record, from->at + from->len,
                                       to->at - (from->at + from->len)));
    r->event = i;
}

static void open_variation(struct replay *r, const qp_event *event)
{
    qp_record *record = r->record;
    frame *f = r->top;
    r->variations++;
    if (f->last == NULL) {
        qp_record_report(record, QP_D_variation_unbalanced, event->at, event->len,
                         "variation-unmatched", "a variation before any move replaces nothing");
        skip_variation(r);
        return;
    }
    if (r->depth >= qp_context_limit(r->context, QP_LIMIT_VARIATIONS)) {
        qp_record_report(record, QP_D_file_limit, event->at, event->len, "variations",
                         "variations stand more than %u deep: the rest is kept as text",
                         (unsigned)r->depth);
        skip_variation(r);
        return;
    }
    if (r->depth + 1 == r->room) {
        size_t room = r->room * 2;
        frame *grown = realloc(r->frames, room * sizeof *grown);
        if (grown == NULL) {
            record->failed = true;
            skip_variation(r);
            return;
        }
        r->frames = grown;
        r->room = room;
        f = r->top = &grown[r->depth];
    }
    frame *v = f + 1;
    *v = (frame){.board = f->board,
                 .before = f->last->prev,
                 .variation = r->variations,
                 .bad = f->was_bad,
                 .lost = f->was_lost};
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

/* Where the current event begins; behind the last one, where that ends. */
static size_t here(const struct replay *r)
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

static void close_variation(struct replay *r)
{
    if (r->depth == 0)
        return; /* the reader has reported it */
    size_t at = here(r);
    bool beside = r->top->owner_frame != r->depth - 1;
    qp_comment *left = r->top->pending;
    qp_rest_end(&r->top->rest, r->record, at);
    r->top = &r->frames[--r->depth];
    if (beside)
        r->top->rest.from =
            at + (r->event < r->record->event_count ? r->record->events[r->event].len : 0);
    for (const qp_comment *c = left, *next; c != NULL; c = next) {
        next = c->next; /* a variation without a ply: its comments stay */
        take_comment(r, c->text);
    }
}

static void take_number(struct replay *r, const qp_event *event)
{
    frame *f = r->top;
    enum { REPORTS_MAX = 3 };
    if (r->depth != 0 || f->bad || r->number_reports >= REPORTS_MAX)
        return;
    qp_report *report = NULL;
    int expected = f->board.round;
    if (event->value != 0) {
        int offset = (int)event->value - expected;
        if (r->numbered && offset != r->number_offset) {
            report = qp_record_report(
                r->record,
                offset > r->number_offset ? QP_D_number_gap : QP_D_number_wrong, event->at,
                event->len, "moveno-mismatch", "round number %u stands where %d belongs",
                event->value, expected + r->number_offset);
            about_ply(r, report, f, next_ply(f));
        }
        r->numbered = true;
        r->number_offset = offset;
    }
    if (report == NULL && (event->flags & QP_EV_DOTS) && f->board.side == QP_RED) {
        report = qp_record_report(r->record, QP_D_number_wrong, event->at, event->len,
                                  "ellipsis-mismatch",
                                  "the dots say that black moves, but it is red's turn");
        about_ply(r, report, f, next_ply(f));
    }
    r->number_reports += report != NULL;
}

/* ---- the whole ---- */

static const char *notation_of(struct replay *r)
{
    size_t most = 0;
    for (size_t i = 1; i < QP_COUNT(r->dialects); i++)
        if (r->dialects[i] > r->dialects[most])
            most = i;
    if (r->dialects[most] == 0)
        return "";
    if (most == NO_DIALECT)
        return "iccs";
    if (r->base == QP_BASE_ONE)
        return "uci1";
    const qp_notation *notation = qp_notation_at(r->context, most);
    const char *name = notation ? qp_notation_name(notation) : "";
    if (strcmp(name, "chinese") == 0 && r->traditional * 2 > r->dialects[most])
        return "chinese-traditional";
    return name;
}

/* All events but moves and numbers. */
static QP_APART void take_other(struct replay *r, const qp_event *event)
{
    switch ((qp_event_kind)event->kind) {
    case QP_EV_TEXT:
        r->text = event_text(r->record, event);
        break;
    case QP_EV_COMMENT:
        take_comment(r, event_text(r->record, event));
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
        close_variation(r);
        break;
    case QP_EV_RESULT:
        qp_rest_end(&r->top->rest, r->record, event->at);
        break;
    case QP_EV_MOVE:
    case QP_EV_NUMBER:
        break;
    }
}

void qp_replay(const qp_context *context, qp_record *record, qp_game *game)
{
    struct replay r = {
        .context = context, .record = record, .game = game, .look_left = QP_LOOK_GAME};
    enum { FIRST_FRAMES = 16 };
    r.frames = malloc(FIRST_FRAMES * sizeof *r.frames);
    if (r.frames == NULL) {
        record->failed = true;
        return;
    }
    r.room = FIRST_FRAMES;
    r.top = r.frames;
    uint64_t limit = qp_context_limit(context, QP_LIMIT_NODES);
    r.node_limit = limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
    qp_start_side(record);
    r.base = qp_start_base(record);
    qp_replay_heads(record, game);
    r.frames[0] = (frame){.board = record->start};
    game->legal = true;
    for (; r.event < record->event_count; r.event++) {
        const qp_event *event = &record->events[r.event];
        if (QP_LIKELY_TO(event->kind == QP_EV_MOVE))
            take_move(&r, event);
        else if (event->kind == QP_EV_NUMBER)
            take_number(&r, event);
        else
            take_other(&r, event);
    }
    while (r.depth > 0)
        close_variation(&r);
    frame *f = &r.frames[0];
    qp_rest_end(&f->rest, record, here(&r));
    game->comments = f->pending; /* those of a game without a ply */
    if (game->first != NULL && game->first->extra != NULL &&
        game->first->extra->before != NULL) {
        game->comments = game->first->extra->before;
        ((qp_extra *)game->first->extra)->before = NULL;
    }
    if (game->legal) {
        game->plies = f->last ? f->last->ply : 0;
        game->final = f->board;
    }
    game->end = qp_board_end(&game->final);
    game->notation = notation_of(&r);
    free(r.frames);
    if (r.variations == 0 && !r.commented) /* most games: one line of moves alone */
        game->nodes = game->line_plies = r.nodes;
    else
        qp_game_count(game);
    if (record->arena->failed)
        record->failed = true;
}
