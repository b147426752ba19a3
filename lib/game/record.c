/* The record as found: events, tags and reports in file order. See game.h. */
#include "config.h"

#include "game/game.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void qp_record_init(qp_record *record, qp_arena *arena)
{
    *record = (qp_record){.arena = arena, .tree = arena};
    qp_record_rewind(record);
}

void qp_record_clear(qp_record *record)
{
    free(record->events);
    free(record->tags);
    free(record->reports);
    qp_replay_forget(record);
    *record = (qp_record){0};
}

static void rest(void **vector, size_t *room, size_t size)
{
    if (*room <= QP_REST_ROOM / size)
        return;
    free(*vector);
    *vector = NULL;
    *room = 0;
}

void qp_record_rest(qp_record *record)
{
    rest((void **)&record->events, &record->event_room, sizeof *record->events);
    rest((void **)&record->tags, &record->tag_room, sizeof *record->tags);
    rest((void **)&record->reports, &record->report_room, sizeof *record->reports);
    qp_replay_rest(record);
    record->coords_from_zero = false;
    qp_record_rewind(record);
}

void qp_record_rewind(qp_record *record)
{
    bool coords_from_zero = record->coords_from_zero;
    *record = (qp_record){
        .arena = record->arena,
        .tree = record->tree,
        .patterns = record->patterns,
        .events = record->events,
        .event_room = record->event_room,
        .tags = record->tags,
        .tag_room = record->tag_room,
        .reports = record->reports,
        .report_room = record->report_room,
        .coords_from_zero = coords_from_zero,
        .kept = record->kept,
        .context = record->context,
        .game = record->game,
        .source = record->source,
        .pass_at = SIZE_MAX,
        .slice = record->slice,
    };
    qp_board_start(&record->start);
}

/* Doubles a vector; false (and record->failed) where memory ran out. */
static bool grow(qp_record *record, void **vector, size_t *room, size_t size, size_t first)
{
    size_t want = *room ? *room * 2 : first;
    void *grown = want > SIZE_MAX / 2 / size ? NULL : realloc(*vector, want * size);
    if (grown == NULL) {
        record->failed = true;
        return false;
    }
    *vector = grown;
    *room = want;
    return true;
}

bool qp_record_grow_events(qp_record *record)
{
    enum { EVENTS_MAX = 1 << 22 };
    if (record->event_room >= EVENTS_MAX) {
        record->full = true;
        return false;
    }
    return grow(record, (void **)&record->events, &record->event_room,
                sizeof *record->events, 512);
}

void qp_record_move(qp_record *record, size_t at, size_t len, const qp_written *written)
{
    qp_event *event = qp_record_add(record, QP_EV_MOVE, at, len);
    if (event != NULL) {
        event->as.written = *written;
        event->value = (uint16_t)qp_stride_number(written);
    }
}

void qp_record_bad_move(qp_record *record, size_t at, size_t len)
{
    qp_event *event = qp_record_add(record, QP_EV_MOVE, at, len);
    if (event != NULL)
        event->as.written = (qp_written){.form = QP_FORM_NONE};
}

void qp_record_text(qp_record *record, size_t at, size_t len, qp_str made)
{
    qp_event *event = qp_record_add(record, QP_EV_TEXT, at, len);
    if (event != NULL)
        event->as.made = made;
}

void qp_record_comment(qp_record *record, size_t at, size_t len, qp_str made)
{
    qp_event *event = qp_record_add(record, QP_EV_COMMENT, at, len);
    if (event != NULL)
        event->as.made = made;
}

void qp_record_tag_add(qp_record *record, qp_record_tag tag)
{
    if (record->tag_count == record->tag_room &&
        !grow(record, (void **)&record->tags, &record->tag_room, sizeof *record->tags, 32))
        return;
    record->tags[record->tag_count++] = tag;
}

void qp_record_tag_made(qp_record *record, qp_str name, qp_str value, size_t at, size_t len)
{
    if (name.data == NULL)
        name.data = "";
    if (value.data == NULL)
        value.data = "";
    qp_record_tag_add(record, (qp_record_tag){.value_at = (uint32_t)at,
                                              .value_len = (uint32_t)len,
                                              .name_at = (uint32_t)at,
                                              .made_name = name,
                                              .made_value = value});
}

/* More than anyone reads, and a bound on what hostile input can make of one record. */
enum { REPORTS_MAX = 1000 };

static qp_report *add_report(qp_record *record, qp_code code, const char *detail)
{
    static const qp_report nothing;
    if (record->report_count >= REPORTS_MAX && code != QP_D_file_limit) {
        record->reports_left_out++;
        return NULL;
    }
    if (record->report_count == record->report_room &&
        !grow(record, (void **)&record->reports, &record->report_room,
              sizeof *record->reports, 16))
        return NULL;
    qp_report *report = &record->reports[record->report_count++];
    *report = nothing;
    report->code = code;
    report->severity = qp_code_severity(code);
    report->detail = detail;
    report->understood = record->understanding;
    return report;
}

static qp_str print_into(qp_arena *arena, const char *format, va_list args)
{
    char text[512];
    if (strcmp(format, "%s") == 0) {
        const char *all = va_arg(args, const char *);
        size_t length = strlen(all);
        if (length < sizeof text)
            return qp_arena_str(arena, all, length);
        return qp_arena_str(arena, all, qp_whole_len(all, sizeof text - 1));
    }
    int len = vsnprintf(text, sizeof text, format, args);
    if (len < 0)
        len = 0;
    if ((size_t)len >= sizeof text)
        len = (int)qp_whole_len(text, sizeof text - 1);
    return qp_arena_str(arena, text, (size_t)len);
}

qp_report *qp_record_report(qp_record *record, qp_code code, size_t at, size_t len,
                            const char *detail, const char *format, ...)
{
    qp_report *report = add_report(record, code, detail);
    if (report == NULL)
        return NULL;
    report->placed = true;
    report->at = (uint32_t)at;
    report->len = (uint32_t)len;
    va_list args;
    va_start(args, format);
    report->message = print_into(record->arena, format, args);
    va_end(args);
    return report;
}

qp_report *qp_record_remark(qp_record *record, qp_code code, const char *detail,
                            const char *format, ...)
{
    qp_report *report = add_report(record, code, detail);
    if (report == NULL)
        return NULL;
    va_list args;
    va_start(args, format);
    report->message = print_into(record->arena, format, args);
    va_end(args);
    return report;
}

void qp_report_suggest(qp_record *record, qp_report *report, qp_str replace, qp_move move,
                       qp_certainty certainty)
{
    if (report == NULL)
        return;
    size_t count = report->suggestion_count;
    qp_suggestion *all = qp_arena_alloc(record->arena, (count + 1) * sizeof *all);
    if (all == NULL)
        return;
    if (count != 0)
        memcpy(all, report->suggestions, count * sizeof *all);
    all[count] = (qp_suggestion){
        .replace = qp_arena_str(record->arena, replace.data, replace.len),
        .move = move,
        .certainty = certainty};
    report->suggestions = all;
    report->suggestion_count = count + 1;
}

void qp_record_start(qp_record *record, qp_str fen, size_t at, size_t len)
{
    record->again |= record->open;
    qp_fen_report found;
    qp_fen_read(fen, &record->start, &found);
    record->has_start = true;
    record->side_given = found.side_given;
    record->start_at = (uint32_t)at;
    record->start_len = (uint32_t)len;
    qp_record_start_faults(record, found.faults & ~(uint32_t)QP_FEN_FIELDS);
    if (found.faults & QP_FEN_UNREADABLE)
        record->broken = true;
}
