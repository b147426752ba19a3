/* Cards whose moves do not stand in the order in which they were played: red's column and then
 * black's, a row of red's and a row of black's, rounds in blocks side by side without numbers.
 * Where the moves cannot be played as they stand, and in one such order they can, that order is
 * the record's. */
#include "config.h"

#include "format/marks.h"

#include <stdlib.h>

enum { MOVES_MIN = 4, MOVES_MAX = 2000, LINES_MAX = 1000 };

/* A move and what belongs to it: the number before, comments behind. */
typedef struct group {
    size_t from, to; /* events */
    size_t move;
    uint32_t line;
} group;

typedef struct layout {
    const qp_record *record;
    const char *text;
    group groups[MOVES_MAX];
    uint16_t order[MOVES_MAX], best[MOVES_MAX];
    uint32_t first_of[LINES_MAX + 1]; /* group of each line; of the last the end */
    uint32_t count, lines, most;
    bool numbered;
    size_t end; /* of the groups; results stand behind */
} layout;

/* Cuts the events into groups; false where they are not of the kind looked for. */
static bool cut(layout *l, size_t from)
{
    const qp_record *record = l->record;
    size_t end = record->event_count, start = from;
    while (end > from && record->events[end - 1].kind == QP_EV_RESULT)
        end--;
    l->end = end;
    for (size_t i = from; i < end; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN || e->kind == QP_EV_RESULT)
            return false;
        l->numbered |= e->kind == QP_EV_NUMBER && e->value > 1;
        if (e->kind != QP_EV_MOVE)
            continue;
        if (l->count == MOVES_MAX)
            return false;
        start = i;
        while (start > from && record->events[start - 1].kind == QP_EV_NUMBER)
            start--;
        group *g = &l->groups[l->count];
        *g = (group){.from = start, .to = end, .move = i};
        if (l->count != 0) {
            const qp_event *before = &record->events[g[-1].move];
            size_t gap = before->at + before->len;
            g[-1].to = start;
            g->line = g[-1].line;
            if (gap <= e->at && memchr(l->text + gap, '\n', e->at - gap) != NULL)
                g->line++;
        }
        if (g->line == LINES_MAX)
            return false;
        if (l->count == 0 || g->line != g[-1].line)
            l->first_of[g->line] = l->count;
        l->lines = g->line + 1;
        l->count++;
    }
    l->first_of[l->lines] = l->count;
    return l->count >= MOVES_MIN;
}

static uint32_t in_line(const layout *l, uint32_t line)
{
    return l->first_of[line + 1] - l->first_of[line];
}

/* How many moves can be played in an order. */
static uint32_t legal(const layout *l, const uint16_t *order)
{
    qp_board board = l->record->start;
    uint32_t plies = 0;
    for (; plies < l->count; plies++) {
        uint32_t at = order ? order[plies] : plies;
        const qp_event *e = &l->record->events[l->groups[at].move];
        qp_move moves[8];
        unsigned pick;
        if (e->as.written.form == QP_FORM_NONE ||
            qp_resolve(&board, &e->as.written, QP_BASE_ZERO, moves, &pick) == 0)
            break;
        qp_board_play(&board, moves[0]);
    }
    return plies;
}

/* Keeps the order at work where it is the best so far. */
static void weigh(layout *l, uint32_t placed)
{
    uint32_t plies = placed == l->count ? legal(l, l->order) : 0;
    if (plies > l->most) {
        l->most = plies;
        memcpy(l->best, l->order, l->count * sizeof *l->best);
    }
}

/* Two runs of moves, red's and black's, ply by ply. */
static uint32_t interleave(layout *l, uint32_t red, uint32_t black, uint32_t end, uint32_t placed)
{
    uint32_t reds = black - red, blacks = end - black;
    if (blacks > reds || reds > blacks + 1)
        return l->count + 1;
    for (uint32_t i = 0; i < reds; i++) {
        l->order[placed++] = (uint16_t)(red + i);
        if (i < blacks)
            l->order[placed++] = (uint16_t)(black + i);
    }
    return placed;
}

/* A row of red's, a row of black's. */
static void try_rows(layout *l)
{
    uint32_t placed = 0;
    for (uint32_t i = 0; i + 1 < l->lines && placed <= l->count; i += 2)
        placed = interleave(l, l->first_of[i], l->first_of[i + 1], l->first_of[i + 2], placed);
    weigh(l, l->lines % 2 == 0 ? placed : 0);
}

/* Blocks of `width` moves side by side, each read to its foot; from the left, or the right. */
static void try_blocks(layout *l, uint32_t width, bool leftward)
{
    uint32_t placed = 0, most = 0, several = 0;
    for (uint32_t i = 0; i < l->lines; i++) {
        most = in_line(l, i) > most ? in_line(l, i) : most;
        several += in_line(l, i) > width;
    }
    if (several * 2 < l->lines) /* a line too long is no block */
        return;
    uint32_t blocks = (most + width - 1) / width;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t from = (leftward ? blocks - 1 - b : b) * width;
        for (uint32_t i = 0; i < l->lines; i++)
            for (uint32_t k = from; k < from + width && k < in_line(l, i); k++)
                l->order[placed++] = (uint16_t)(l->first_of[i] + k);
    }
    weigh(l, placed);
}

/* Whether the line above the first move is the head of two columns, black's before red's. */
static bool black_first(const qp_reading *reading, size_t at)
{
    enum { LONGEST = 60 };
    const qp_record *record = reading->record;
    const char *text = reading->source->text;
    if (at >= record->event_count)
        return false;
    size_t end = record->events[at].at, from;
    while (end > 0 && text[end - 1] != '\n')
        end--;
    if (end == 0)
        return false;
    for (from = --end; from > 0 && text[from - 1] != '\n' && end - from <= LONGEST;)
        from--;
    qp_side side, first = QP_RED;
    bool red = false, black = false;
    for (size_t i = from, used; i < end && end - from <= LONGEST; i += used) {
        if (text[i] == ':')
            return false;
        if ((used = qp_side_word_len(text + i, end - i, &side)) == 0) {
            qp_utf8_at(text + i, end - i, &used);
            continue;
        }
        if (!red && !black)
            first = side;
        red |= side == QP_RED;
        black |= side == QP_BLACK;
    }
    return red && black && first == QP_BLACK;
}

static void try_swapped(layout *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        l->order[i] = (uint16_t)(i % 2 == 0 && i + 1 < l->count ? i + 1 : i - i % 2);
    weigh(l, l->count);
}

/* Whether a comment is the head of a column: 黑方. */
static bool is_head(const layout *l, const qp_event *e)
{
    qp_side side;
    qp_str text = qp_str_trim((qp_str){l->text + e->at, e->len});
    size_t used = qp_side_word_len(text.data, text.len, &side);
    return e->kind == QP_EV_COMMENT && used != 0 &&
           (used == text.len || text.data[used] == ':' ||
            (text.len == used + 3 && memcmp(text.data + used, "：", 3) == 0));
}

static void rearrange(layout *l, qp_record *record)
{
    size_t from = l->groups[0].from, n = 0;
    qp_event *out = malloc((l->end - from) * sizeof *out);
    if (out == NULL) {
        record->failed = true;
        return;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        const group *g = &l->groups[l->best[i]];
        for (size_t k = g->from; k < g->to; k++)
            if (!is_head(l, &record->events[k]))
                out[n++] = record->events[k];
    }
    size_t tail = record->event_count - l->end;
    memmove(record->events + from + n, record->events + l->end, tail * sizeof *out);
    memcpy(record->events + from, out, n * sizeof *out);
    record->event_count = from + n + tail;
    record->verbatim = false;
    free(out);
}

/* Whether rounds of two moves stand one after the other, as in most records. */
static bool is_plain(const qp_record *record, size_t from)
{
    unsigned last = 0, moves = 2;
    for (size_t i = from; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_MOVE && ++moves > 2)
            return false;
        if (e->kind != QP_EV_NUMBER || e->value == 0)
            continue;
        if (moves != 2 || e->value != last + 1)
            return false;
        last = e->value;
        moves = 0;
    }
    return true;
}

/* Numbers that count plies, one a move, say nothing of rounds. */
static void drop_ply_numbers(qp_record *record, size_t from)
{
    enum { LEAST = 4 };
    unsigned moves = 0, fit = 0;
    for (size_t i = from; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        moves += e->kind == QP_EV_MOVE;
        if (e->kind != QP_EV_NUMBER || e->value == 0)
            continue;
        if (e->value != moves + 1 || e->flags & QP_EV_DOTS)
            return;
        fit++;
    }
    for (size_t i = from; fit >= LEAST && fit == moves && i < record->event_count; i++)
        if (record->events[i].kind == QP_EV_NUMBER)
            record->events[i].value = 0;
}

/* Dots at the end: the rest is left out, or goes on as it was. */
static void drop_last_dots(qp_record *record, size_t from)
{
    size_t end = record->event_count, last;
    while (end > from && (record->events[end - 1].kind == QP_EV_RESULT ||
                          record->events[end - 1].kind == QP_EV_COMMENT))
        end--;
    for (last = end; last > from && record->events[last - 1].kind == QP_EV_NUMBER &&
                     record->events[last - 1].value == 0;)
        last--;
    memmove(record->events + last, record->events + end,
            (record->event_count - end) * sizeof *record->events);
    record->event_count -= end - last;
}

void qp_layout_settle(qp_reading *reading, size_t from)
{
    enum { LEAST = 8 }; /* plies that say enough where not all can be played */
    drop_ply_numbers(reading->record, from);
    drop_last_dots(reading->record, from);
    if (is_plain(reading->record, from) && !black_first(reading, from))
        return;
    layout *l = calloc(1, sizeof *l);
    if (l == NULL) {
        reading->record->failed = true;
        return;
    }
    l->record = reading->record;
    l->text = reading->source->text;
    if (cut(l, from)) {
        uint32_t stands = legal(l, NULL);
        bool swapped = black_first(reading, from);
        l->most = stands;
        if (swapped) {
            l->most = stands - (stands != 0);
            try_swapped(l);
        }
        if (l->most < l->count) {
            uint32_t half = (l->count + 1) / 2;
            weigh(l, interleave(l, 0, half, l->count, 0));
            try_rows(l);
            for (uint32_t width = 1; width <= 2 && !l->numbered; width++) {
                try_blocks(l, width, false);
                try_blocks(l, width, true);
            }
        }
        if ((l->most > stands || swapped) && l->most >= stands &&
            (l->most == l->count || (l->most >= LEAST && l->most >= 2 * stands)))
            rearrange(l, reading->record);
    }
    free(l);
}
