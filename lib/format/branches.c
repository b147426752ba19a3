/* Analysis in text: moves that go back to an earlier round (1. … 1.……), that stand in words
 * (如改走车二进六，马7进6) or below a label (甲、 (一)) are lines beside the main one, or nothing
 * but words; never a part of it. Known from books, journals and pages that comment on games.
 *
 * What is clear becomes a variation: all its moves can be played from a place that its number
 * or its words allow. All else that is said there stays a comment as it stands. */
#include "config.h"

#include "format/marks.h"

#include <stdlib.h>

enum { LINES_MAX = 200, DEPTH_MAX = 8, RUN_MAX = 60, LOOK = 4, WORK_MAX = 1 << 18 };

typedef struct line {
    uint32_t parent, base; /* plies before its first */
    qp_board end;
    qp_move *moves;
    uint32_t *owner; /* the event of each */
    uint32_t count, room;
    uint32_t *items; /* events in order */
    size_t item_count, item_room;
    uint32_t depth;
} line;

/* A line that hangs beside a ply of another one. */
typedef struct hang {
    uint32_t event, line;
} hang;

typedef struct settle {
    qp_reading *reading;
    qp_record *record;
    const struct qp_lexer *lexer;
    const char *text;
    line *lines;
    uint32_t line_count, at; /* at: the line that goes on */
    hang *hangs;
    size_t hang_count, pending; /* pending: hangs that wait for the next ply of the main line */
    int offset; /* of printed round numbers */
    bool offset_known, numbered, broken, failed, changed;
    bool undressed; /* a side's moves were seen with the other's digits or glyphs */
    unsigned work, again; /* plies played for places, and for what may be said again */
} settle;

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

static void add_item(settle *s, uint32_t to, size_t event)
{
    line *l = &s->lines[to];
    if (!grow((void **)&l->items, &l->item_room, l->item_count, sizeof *l->items)) {
        s->failed = true;
        return;
    }
    l->items[l->item_count++] = (uint32_t)event;
}

static void add_ply(settle *s, uint32_t to, size_t event, qp_move move)
{
    line *l = &s->lines[to];
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
    add_item(s, to, event);
}

static uint32_t new_line(settle *s, uint32_t parent, uint32_t base, const qp_board *board)
{
    uint32_t made = s->line_count++;
    s->lines[made] = (line){.parent = parent,
                            .base = base,
                            .end = *board,
                            .depth = made ? s->lines[parent].depth + 1 : 0};
    return made;
}

/* The board before ply `ply` of a line, counted from the start of the record. */
static bool board_at(settle *s, uint32_t of, uint32_t ply, qp_board *board)
{
    uint32_t path[DEPTH_MAX + 1], n = 0;
    for (uint32_t l = of;; l = s->lines[l].parent) {
        path[n++] = l;
        if (l == 0)
            break;
    }
    *board = s->record->start;
    for (uint32_t done = 0; done < ply;) {
        const line *l = &s->lines[path[--n]];
        uint32_t to = n != 0 ? s->lines[path[n - 1]].base : ply;
        for (; done < to && done < ply; done++) {
            if (done - l->base >= l->count || s->work++ > WORK_MAX)
                return false;
            qp_board_play(board, l->moves[done - l->base]);
        }
        if (n == 0)
            break;
    }
    return true;
}

static qp_move resolve(const qp_board *board, const qp_written *written)
{
    qp_move moves[8];
    unsigned pick;
    return written->form != QP_FORM_NONE &&
                   qp_resolve(board, written, QP_BASE_ZERO, moves, &pick) == 1
               ? moves[0]
               : 0;
}

/* ---- numbers that go back ---- */

static bool has_word(qp_str text, const char *const *words, size_t count)
{
    for (size_t i = 0; i + 3 <= text.len; i++)
        for (size_t w = 0; w < count; w++) {
            size_t len = strlen(words[w]);
            if (text.len - i >= len && memcmp(text.data + i, words[w], len) == 0)
                return true;
        }
    return false;
}

/* How many moves stand at event i before anything else, and how many of them can be played
 * on a board; LOOK at the most. */
static unsigned legal_moves(const settle *s, size_t i, qp_board board, unsigned *there)
{
    unsigned legal = 0;
    *there = 0;
    for (; i < s->record->event_count && *there < LOOK; i++) {
        const qp_event *e = &s->record->events[i];
        if (e->kind == QP_EV_NUMBER && (e->value == 0 || *there != 0 || legal == 0))
            continue;
        if (e->kind != QP_EV_MOVE)
            break;
        qp_move move = legal == *there ? resolve(&board, &e->as.written) : 0;
        ++*there;
        if (move != 0) {
            qp_board_play(&board, move);
            legal++;
        }
    }
    return legal;
}

static uint32_t end_of(const line *l)
{
    return l->base + l->count;
}

/* The ply that a round number stands before; UINT32_MAX for none. */
static uint32_t ply_of(const settle *s, unsigned value, bool dots)
{
    const qp_board *start = &s->record->start;
    long round = (long)value - s->offset - start->round;
    long ply = round * 2 + dots - (start->side == QP_BLACK);
    return round < 0 || ply < 0 ? UINT32_MAX : (uint32_t)ply;
}

/* Passes over moves from event *i on that a line has already, from a ply on; returns how many,
 * and sets *i behind them. */
static uint32_t repeats(const settle *s, const line *l, uint32_t ply, size_t *i)
{
    qp_board board;
    uint32_t same = 0;
    size_t at = *i;
    settle *work = (settle *)s;
    if (!board_at(work, (uint32_t)(l - s->lines), ply, &board))
        return 0;
    for (; at < s->record->event_count && ply + same < end_of(l) && work->again < WORK_MAX; at++) {
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
static bool same_words(const settle *s, const line *l, uint32_t ply, size_t i, uint32_t count)
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
static bool has_dots(const settle *s, size_t i)
{
    const qp_event *e = &s->record->events[i];
    return e->flags & QP_EV_DOTS ||
           (i + 1 < s->record->event_count && e[1].kind == QP_EV_NUMBER && e[1].value == 0 &&
            e[1].flags & QP_EV_DOTS);
}

/* Words at the end of a line that are the heading of the one that begins behind them. */
static void move_heading(settle *s, uint32_t from, uint32_t to)
{
    enum { LONGEST = 40 };
    line *in = &s->lines[from];
    size_t first = in->item_count;
    while (first > 0) {
        const qp_event *e = &s->record->events[in->items[first - 1]];
        if (e->kind != QP_EV_COMMENT || e->len > LONGEST ||
            has_word((qp_str){s->text + e->at, e->len}, (const char *const[]){"。"}, 1))
            break;
        first--;
    }
    for (size_t k = first; k < in->item_count; k++)
        add_item(s, to, in->items[k]);
    s->lines[from].item_count = first;
}

/* Whether words or an empty line stand between a number and the move before it: a round told
 * again without them is one that was written twice. */
static bool parted(const settle *s, size_t i)
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
static size_t take_back(settle *s, size_t i)
{
    const qp_event *e = &s->record->events[i];
    uint32_t ply = ply_of(s, e->value, has_dots(s, i)), from = s->at;
    for (uint32_t l = s->at; ply != UINT32_MAX; l = s->lines[l].parent) {
        line *in = &s->lines[l];
        unsigned there;
        qp_board board;
        if ((l == 0 || ply > in->base) && ply <= end_of(in) && board_at(s, l, ply, &board)) {
            unsigned legal = legal_moves(s, i, board, &there);
            if (there != 0 && legal == there && ply == end_of(in)) {
                s->at = l;
                return i;
            }
            size_t next = i;
            uint32_t same = ply < end_of(in) ? repeats(s, in, ply, &next) : 0;
            bool again = parted(s, i) || !same_words(s, in, ply, i, same);
            if (same != 0 && ply + same == end_of(in) && again) {
                s->at = l; /* said once more, to go on from there */
                s->changed = true;
                return next;
            }
            if (there != 0 && legal == there && again && s->line_count < LINES_MAX &&
                in->depth < DEPTH_MAX) {
                if (same != 0 && !board_at(s, l, ply + same, &board))
                    return i;
                uint32_t owner = in->owner[ply + same - in->base];
                s->hangs[s->hang_count++] = (hang){owner, s->line_count};
                s->at = new_line(s, l, ply + same, &board);
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

/* ---- words ---- */

static bool bracketed(const settle *s, const qp_event *e)
{
    const char *p = s->text + e->at;
    return e->at != 0 && (p[-1] == '(' || p[-1] == '{' ||
                          (e->at >= 3 && memcmp(p - 3, "（", 3) == 0));
}

/* Whether a line holds nothing before an event. */
static bool first_in_line(const settle *s, size_t from, size_t i)
{
    size_t at = s->record->events[i].at, last = 0;
    if (i > from)
        last = s->record->events[i - 1].at + s->record->events[i - 1].len;
    while (at > last && s->text[at - 1] != '\n')
        at--;
    return at == 0 || s->text[at - 1] == '\n';
}

/* Words that say that what follows was not played. */
static bool is_cue(qp_str text)
{
    static const char *const words[] = {"如", "若", "倘", "改走", "改为", "应走", "宜走", "不如",
                                        "可走", "也可", "亦可", "假如", "否则", "選", "變化",
                                        "变化", "甲、", "乙、", "丙、", "丁、", "另有"};
    return has_word(text, words, QP_COUNT(words));
}

/* Words between two moves of one line. */
static bool connects(qp_str text)
{
    enum { LONGEST = 9 };
    static const char *const labels[] = {"甲", "乙", "丙", "丁", "如", "若", "改", "。", "；", "或"};
    return text.len <= LONGEST && !has_word(text, labels, QP_COUNT(labels)) &&
           memchr(text.data, '\n', text.len) == NULL &&
           !(text.len != 0 && text.data[0] == '.' && text.len == 1);
}

/* Plays a run of written moves; how many are legal. */
static unsigned plays(qp_board board, const qp_written *run, unsigned count, qp_move *moves)
{
    unsigned i = 0;
    for (; i < count && (moves[i] = resolve(&board, &run[i])) != 0; i++)
        qp_board_play(&board, moves[i]);
    return i;
}

typedef struct run {
    unsigned count;
    qp_written written[RUN_MAX];
    uint32_t at[RUN_MAX], len[RUN_MAX];
} run;

/* Whether a move's digits or glyphs are those of the other side (兵, 三 are red's). */
static bool others(const qp_written *written, qp_side side)
{
    unsigned red = QP_STYLE_GLYPH_RED | QP_STYLE_DIGIT_CHINESE;
    unsigned black = QP_STYLE_GLYPH_BLACK | QP_STYLE_DIGIT_ARABIC;
    unsigned own = side == QP_RED ? red : black, theirs = side == QP_RED ? black : red;
    return (written->style & theirs) != 0 && (written->style & own) == 0;
}

/* Makes a variation of a run of moves out of words, where one place alone explains it: beside
 * the last ply, or beside the next one. */
static void hang_run(settle *s, const run *r)
{
    line *in = &s->lines[s->at];
    qp_move moves[RUN_MAX];
    qp_board board;
    uint32_t end = end_of(in);
    if (r->count < 2 || in->count == 0 || s->line_count == LINES_MAX || in->depth >= DEPTH_MAX)
        return;
    bool beside = board_at(s, s->at, end - 1, &board) &&
                  (s->undressed || !others(&r->written[0], (qp_side)board.side)) &&
                  plays(board, r->written, r->count, moves) == r->count &&
                  moves[0] != in->moves[in->count - 1];
    bool ahead = !beside && s->at == 0 &&
                 (s->undressed || !others(&r->written[0], (qp_side)in->end.side)) &&
                 plays(in->end, r->written, r->count, moves) == r->count;
    if (!beside && !ahead)
        return;
    uint32_t owner = beside ? in->owner[in->count - 1] : UINT32_MAX;
    uint32_t made = new_line(s, s->at, beside ? end - 1 : end, beside ? &board : &in->end);
    s->hangs[s->hang_count++] = (hang){owner, made};
    s->pending += ahead;
    for (unsigned i = 0; i < r->count; i++) {
        qp_record_move(s->record, r->at[i], r->len[i], &r->written[i]);
        add_ply(s, made, s->record->event_count - 1, moves[i]);
    }
    s->changed = true;
}

/* Looks for runs of moves in words that were not played. */
static void read_runs(settle *s, size_t at, size_t end)
{
    run r = {.count = 0};
    size_t last = at;
    for (size_t i = at, used; i < end; i += used) {
        qp_written written;
        used = qp_lex_move(s->lexer, s->text + i, end - i, &written);
        if (used == 0) {
            qp_utf8_at(s->text + i, end - i, &used);
            continue;
        }
        if (r.count != 0 && !connects((qp_str){s->text + last, i - last})) {
            hang_run(s, &r);
            r.count = 0;
        }
        if (r.count < RUN_MAX) {
            r.written[r.count] = written;
            r.at[r.count] = (uint32_t)i;
            r.len[r.count++] = (uint32_t)used;
        }
        last = i + used;
    }
    hang_run(s, &r);
}

/* The events from i on that one stretch of words holds, and their moves with them. moves: such
 * follow, also in the next line. */
static size_t end_of_words(const settle *s, size_t i, bool moves)
{
    const qp_record *record = s->record;
    for (i++; i < record->event_count; i++) {
        const qp_event *e = &record->events[i], *before = e - 1;
        if (e->kind == QP_EV_RESULT || e->kind == QP_EV_VAR_OPEN || e->kind == QP_EV_VAR_CLOSE ||
            (e->kind == QP_EV_NUMBER && e->value != 0))
            break;
        size_t from = before->at + before->len;
        if (from > e->at) /* rounds that were put in order */
            break;
        if (from < e->at && memchr(s->text + from, '\n', e->at - from) != NULL) {
            /* The next line: it goes on with the sentence, or it is one of words too. */
            static const char *const stops[] = {"。", "！", "？", "）", "…"};
            bool stopped = !moves || s->text[from] == '.' || s->text[from] == '!';
            for (size_t k = 0; k < QP_COUNT(stops); k++)
                stopped |= has_word((qp_str){s->text + from, e->at - from}, &stops[k], 1) ||
                           (before->len >= 3 &&
                            memcmp(s->text + from - 3, stops[k], 3) == 0);
            if (stopped || e->kind != QP_EV_MOVE)
                break;
        }
        moves |= e->kind == QP_EV_MOVE;
    }
    return i;
}

/* A comment, and the moves that belong to its words. Returns the event behind. */
static size_t take_words(settle *s, size_t from, size_t i, size_t count)
{
    qp_event *e = &s->record->events[i];
    qp_str said = {s->text + e->at, e->len};
    bool closed = bracketed(s, e), cue = is_cue(said);
    size_t end = i + 1;
    if (e->as.made.data != NULL) {
        add_item(s, s->at, i);
        return end;
    }
    if (!closed && (cue || (s->numbered && first_in_line(s, from, i)))) {
        end = end_of_words(s, i, cue);
        if (end > count)
            end = count;
    }
    const qp_event *last = &s->record->events[end - 1];
    uint32_t stop = last->at + last->len;
    if (end > i + 1) {
        /* A label and the move that the numbers behind it begin with: 甲、车2进5 … */
        e->len = stop - e->at;
        s->changed = true;
    }
    add_item(s, s->at, i);
    if (!s->broken)
        read_runs(s, s->record->events[i].at, stop);
    return end;
}

/* Whether a move below a label is said again by the number behind it: (一)车2进5 9.……车2进5. */
static bool is_label(const settle *s, size_t i, size_t count)
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
static size_t told_short(const settle *s, size_t i, size_t count)
{
    const line *in = &s->lines[s->at];
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

static size_t take_event(settle *s, size_t from, size_t i, size_t count)
{
    qp_event *e = &s->record->events[i];
    line *in = &s->lines[s->at];
    if (e->kind == QP_EV_COMMENT)
        return take_words(s, from, i, count);
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
            add_item(s, s->at, i);
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
        qp_move move = resolve(&s->lines[s->at].end, &e->as.written);
        if (move != 0) {
            for (size_t k = 0; s->at == 0 && s->pending != 0 && k < s->hang_count; k++)
                if (s->hangs[k].event == UINT32_MAX) {
                    s->hangs[k].event = (uint32_t)i;
                    if (s->lines[s->hangs[k].line].moves[0] == move)
                        s->hangs[k].line = 0; /* what came to be played */
                    s->pending--;
                }
            s->undressed |= others(&e->as.written, (qp_side)s->lines[s->at].end.side);
            add_ply(s, s->at, i, move);
            return i + 1;
        }
        s->broken = s->at == 0;
    }
    add_item(s, s->at, i);
    return i + 1;
}

/* Writes the events once more in the order of the tree. */
static void rebuild(settle *s, size_t from)
{
    qp_record *record = s->record;
    struct {
        uint32_t line;
        size_t item, hang;
    } stack[DEPTH_MAX + 2] = {{0, 0, SIZE_MAX}};
    size_t room = record->event_count + 2 * LINES_MAX, n = 0, depth = 0;
    qp_event *out = malloc(room * sizeof *out);
    if (out == NULL) {
        record->failed = true;
        return;
    }
    for (;;) {
        line *l = &s->lines[stack[depth].line];
        uint32_t owner = stack[depth].item != 0 ? l->items[stack[depth].item - 1] : UINT32_MAX;
        size_t k = stack[depth].hang;
        while (k < s->hang_count && (s->hangs[k].event != owner || s->hangs[k].line == 0))
            k++;
        if (k < s->hang_count) { /* a line beside the ply just written */
            const line *v = &s->lines[s->hangs[k].line];
            stack[depth].hang = k + 1;
            out[n++] = (qp_event){.kind = QP_EV_VAR_OPEN,
                                  .at = v->item_count ? record->events[v->items[0]].at : 0};
            stack[++depth].line = s->hangs[k].line;
            stack[depth].item = 0;
            stack[depth].hang = SIZE_MAX;
            continue;
        }
        if (stack[depth].item == l->item_count) {
            if (depth == 0)
                break;
            out[n] = (qp_event){.kind = QP_EV_VAR_CLOSE, .at = out[n - 1].at + out[n - 1].len};
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
        qp_event *event = qp_record_add(record, (qp_event_kind)out[i].kind, out[i].at, out[i].len);
        if (event != NULL)
            *event = out[i];
    }
    record->verbatim = false;
    free(out);
}

void qp_branches_settle(qp_reading *reading, size_t from)
{
    qp_record *record = reading->record;
    settle s = {.reading = reading,
                .record = record,
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
    s.lines = malloc(LINES_MAX * sizeof *s.lines);
    s.hangs = malloc(LINES_MAX * sizeof *s.hangs);
    if (s.lines != NULL && s.hangs != NULL) {
        new_line(&s, 0, 0, &record->start);
        for (size_t i = from; i < count && !s.failed;)
            i = take_event(&s, from, i, count);
        if (s.changed && !s.failed)
            rebuild(&s, from);
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
