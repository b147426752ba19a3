/* Reports to findings: where each stands in the file, the line it stands in, and their order. */
#include "config.h"

#include "format/placing.h"

#include <stdlib.h>

static uint32_t round_of(const qp_game *game, uint32_t ply)
{
    uint32_t half = ply - 1 + (game->start.side == QP_BLACK);
    return (game->start.round ? game->start.round : 1) + half / 2;
}

/* A piece of a long line around the token, whole characters. */
static void cut_line(qp_place *place, size_t len)
{
    enum { SHOWN = 200, BEFORE = 60 };
    qp_str *line = &place->source;
    if (line->len <= SHOWN)
        return;
    size_t from = place->source_at > BEFORE ? place->source_at - BEFORE : 0;
    while (from > 0 && ((unsigned char)line->data[from] & 0xC0) == 0x80)
        from--;
    size_t to = place->source_at + len + SHOWN - BEFORE;
    if (to > line->len || to < from)
        to = line->len;
    if (to > from + 2 * SHOWN)
        to = from + 2 * SHOWN;
    while (to < line->len && to > from && ((unsigned char)line->data[to] & 0xC0) == 0x80)
        to--;
    *line = (qp_str){line->data + from, to - from};
    place->source_at -= from;
}

static bool inside_char(const qp_source *source, size_t at)
{
    return at < source->len && ((unsigned char)source->text[at] & 0xC0) == 0x80;
}

/* A format may point at one byte; what is shown are whole characters. */
static void whole_chars(const qp_source *source, size_t *at, size_t *len)
{
    for (; *at > 0 && inside_char(source, *at); --*at)
        ++*len;
    while (*len > 0 && inside_char(source, *at + *len))
        ++*len;
}

static void place_one(qp_source *source, qp_arena *arena, const qp_game *game,
                      const qp_report *report, qp_finding *f)
{
    *f = (qp_finding){
        .code = report->code,
        .severity = report->severity,
        .detail = report->detail,
        .game = game != NULL ? game->number : 0,
        .ply = report->ply,
        .variation = report->variation,
        .missing = report->missing,
        .count = report->count,
        .has_side = report->has_side,
        .side = report->side,
        .message = report->message,
        .note = report->note,
        .fen = report->fen,
        .suggestions = report->suggestions,
        .suggestion_count = report->suggestion_count,
    };
    if (report->ply != 0 && game != NULL)
        f->round = round_of(game, report->ply);
    if (!report->placed)
        return;
    qp_place place;
    size_t at = report->at, len = report->len;
    if (source->encoding != QP_ENC_BINARY)
        whole_chars(source, &at, &len);
    qp_source_locate(source, at, len, &place);
    f->byte = place.byte;
    f->byte_end = place.byte_end;
    f->line = place.line;
    f->column = place.column;
    size_t in_line = place.source.len > place.source_at ? place.source.len - place.source_at
                                                        : 0;
    size_t shown = len < in_line ? len : in_line;
    cut_line(&place, shown);
    if (place.source.len < place.source_at + shown)
        shown = place.source.len > place.source_at ? place.source.len - place.source_at : 0;
    f->source = qp_arena_str(arena, place.source.data, place.source.len);
    /* The bytes of a binary file are no text to show. */
    f->token = source->encoding != QP_ENC_BINARY
                   ? (qp_str){source->text + at, len}
                   : report->token;
    if (place.source.data == NULL) /* no text: there is nothing to point at */
        return;
    f->caret = (uint32_t)qp_cells((qp_str){place.source.data, place.source_at});
    f->caret_cells =
        (uint32_t)qp_cells((qp_str){place.source.data + place.source_at, shown});
}

/* By place, those without one first; equals as they came. */
static int by_place(const void *x, const void *y)
{
    const qp_place_key *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void qp_placing_clear(qp_placing *placing)
{
    free(placing->findings);
    free(placing->order);
    *placing = (qp_placing){.done = 0};
}

static bool widen(qp_placing *placing, size_t count)
{
    if (count <= placing->room)
        return true;
    qp_finding *findings = realloc(placing->findings, count * 2 * sizeof *findings);
    if (findings == NULL)
        return false;
    placing->findings = findings;
    qp_place_key *order = realloc(placing->order, count * 2 * sizeof *order);
    if (order == NULL)
        return false;
    placing->order = order;
    placing->room = count * 2;
    return true;
}

const qp_finding *qp_placing_run(qp_placing *placing, qp_source *source, qp_record *record,
                                 const qp_game *game, size_t *count)
{
    if (record->reports_left_out != 0) {
        qp_record_remark(record, QP_D_file_limit, "findings",
                         "%zu more findings in this record are left out",
                         record->reports_left_out);
        record->reports_left_out = 0;
    }
    size_t n = record->report_count;
    *count = 0;
    if (!widen(placing, n))
        return NULL;
    if (n != 0 && n != placing->done) {
        for (size_t i = 0; i < n; i++) {
            const qp_report *report = &record->reports[i];
            uint64_t place = report->placed ? 2 * ((uint64_t)report->at + 1) : 0;
            placing->order[i] = (qp_place_key){place + report->understood, i};
        }
        qsort(placing->order, n, sizeof *placing->order, by_place);
        for (size_t i = 0; i < n; i++)
            place_one(source, record->arena, game, &record->reports[placing->order[i].index],
                      &placing->findings[i]);
        placing->done = n;
    }
    *count = n;
    return placing->findings;
}
