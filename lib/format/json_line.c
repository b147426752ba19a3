/* The plies of a JSON game: what each of them has, and lines inside lines, without
 * recursion. */
#include "config.h"

#include "format/json.h"

#include <stdlib.h>

/* ---- values ---- */

qp_str qp_json_raw(const qp_json_reading *r, uint32_t index)
{
    return (qp_str){r->text + r->values[index].at, r->values[index].len};
}

qp_str qp_json_made(qp_json_reading *r, uint32_t index)
{
    bool odd = false;
    if (!r->values[index].escaped)
        return (qp_str){0};
    qp_str text = qp_json_unescape(r->in->record->arena, qp_json_raw(r, index), &odd);
    if (odd && r->reports++ < QP_JSON_REPORTS_MAX)
        qp_record_report(r->in->record, QP_D_encoding_invalid, r->values[index].at,
                         r->values[index].len, "lone-surrogate",
                         "half a surrogate pair became U+FFFD");
    return text;
}

qp_str qp_json_text(qp_json_reading *r, uint32_t index)
{
    qp_str text = qp_json_made(r, index);
    return text.data ? text : qp_json_raw(r, index);
}

bool qp_json_is_key(qp_json_reading *r, uint32_t index, const char *name)
{
    return QP_LIKELY_TO(!r->values[index].escaped)
               ? qp_str_is(qp_json_raw(r, index), name)
               : qp_str_is(qp_json_text(r, index), name);
}

bool qp_json_is_kind(const qp_json_reading *r, uint32_t index, qp_json_kind kind)
{
    return r->values[index].kind == kind;
}

void qp_json_wrong(qp_json_reading *r, uint32_t index, const char *what)
{
    r->in->record->broken = true;
    if (r->reports++ < QP_JSON_REPORTS_MAX)
        qp_record_report(r->in->record, QP_D_file_corrupt, r->values[index].at,
                         r->values[index].len, "json-type", "%s is expected here", what);
}

bool qp_json_expect(qp_json_reading *r, uint32_t index, qp_json_kind kind,
                    const char *what)
{
    if (qp_json_is_kind(r, index, kind))
        return true;
    if (!qp_json_is_kind(r, index, QP_JSON_NULL))
        qp_json_wrong(r, index, what);
    return false;
}

void qp_json_unknown(qp_json_reading *r, uint32_t key)
{
    qp_str name = qp_json_raw(r, key);
    for (unsigned i = 0; i < r->unknown_count; i++)
        if (qp_str_same(r->unknown[i], name))
            return;
    if (r->unknown_count == QP_JSON_REPORTS_MAX)
        return;
    r->unknown[r->unknown_count++] = name;
    qp_record_report(r->in->record, QP_D_loss, r->values[key].at, r->values[key].len,
                     "unknown-key", "the key \"%.*s\" is not known and was left out",
                     (int)(name.len < 64 ? name.len : qp_whole_len(name.data, 64)), name.data);
}

/* ---- what a ply has ---- */

void qp_json_comments(qp_json_reading *r, uint32_t one, uint32_t many)
{
    qp_record *record = r->in->record;
    if (many != 0 && qp_json_expect(r, many, QP_JSON_ARRAY, "an array of comments")) {
        for (uint32_t i = many + 1; i < r->values[many].next; i = r->values[i].next)
            if (qp_json_expect(r, i, QP_JSON_STRING, "a comment"))
                qp_record_comment(record, r->values[i].at, r->values[i].len,
                                  qp_json_made(r, i));
    } else if (one != 0 && qp_json_expect(r, one, QP_JSON_STRING, "a comment")) {
        qp_record_comment(record, r->values[one].at, r->values[one].len,
                          qp_json_made(r, one));
    }
}

static void nags(qp_json_reading *r, uint32_t list)
{
    if (!qp_json_expect(r, list, QP_JSON_ARRAY, "an array of numbers"))
        return;
    for (uint32_t i = list + 1; i < r->values[list].next; i = r->values[i].next) {
        qp_str digits = qp_json_raw(r, i);
        unsigned value = 0;
        size_t d = 0;
        for (; d < digits.len && value <= UINT16_MAX; d++) {
            if (digits.data[d] < '0' || digits.data[d] > '9')
                break;
            value = value * 10 + (unsigned)(digits.data[d] - '0');
        }
        if (!qp_json_is_kind(r, i, QP_JSON_NUMBER) || d != digits.len ||
            value > UINT16_MAX) {
            qp_json_wrong(r, i, "a whole number up to 65535");
            continue;
        }
        qp_event *event =
            qp_record_add(r->in->record, QP_EV_NAG, r->values[i].at, digits.len);
        if (event != NULL)
            event->value = (uint16_t)value;
    }
}

static void made_event(qp_json_reading *r, qp_event_kind kind, uint32_t index)
{
    qp_str text = qp_json_made(r, index);
    qp_event *event =
        qp_record_add(r->in->record, kind, r->values[index].at, r->values[index].len);
    if (event != NULL)
        event->as.made = text;
}

static void ply_move(qp_json_reading *r, uint32_t ply, uint32_t move, uint32_t text)
{
    qp_record *record = r->in->record;
    if (move != 0 && !qp_json_expect(r, move, QP_JSON_STRING, "a move"))
        move = 0;
    if (text != 0 && !qp_json_expect(r, text, QP_JSON_STRING, "a text"))
        text = 0;
    qp_move squares = move != 0 ? qp_squares_read(qp_json_text(r, move)) : 0;
    if (squares == 0 && move != 0 && text != 0)
        qp_json_wrong(r, move, "two squares such as h2e2");
    else if (text == 0)
        text = squares == 0 ? move : 0; /* another notation than squares */
    if (text != 0 && (squares != 0 || r->values[text].escaped))
        made_event(r, QP_EV_TEXT, text);
    if (squares != 0) {
        qp_record_squares(record, r->values[move].at, r->values[move].len, squares);
    } else if (text != 0) {
        qp_reading_words(r->in, qp_json_text(r, text), r->values[text].at,
                         r->values[text].len);
    } else {
        qp_json_wrong(r, ply, "a ply with a move or a text");
        qp_record_bad_move(record, r->values[ply].at, 0);
    }
}

/* ---- lines ---- */

bool qp_json_push(qp_json_reading *r, qp_json_frame_kind kind, uint32_t array)
{
    qp_json_state *s = r->state;
    if (s->depth == s->room) {
        size_t room = s->room ? s->room * 2 : 64;
        qp_json_frame *grown = realloc(s->frames, room * sizeof *grown);
        if (grown == NULL) {
            r->in->record->failed = true;
            return false;
        }
        s->frames = grown;
        s->room = room;
    }
    s->frames[s->depth++] = (qp_json_frame){
        .at = array + 1, .end = r->values[array].next, .kind = (uint8_t)kind};
    return true;
}

/* A ply of squares, perhaps with a text, and nothing else. */
static inline void plain_ply(qp_record *record, const qp_json_value *value)
{
    if (value->len > QP_JSON_PLY_TEXT) {
        qp_event *event =
            qp_record_add(record, QP_EV_TEXT, value->at + QP_JSON_PLY_TEXT,
                          value->len - QP_JSON_PLY_TEXT - QP_JSON_PLY_END);
        if (event != NULL)
            event->as.made = (qp_str){0};
    }
    qp_record_squares(record, value->at + QP_JSON_PLY_MOVE, 4, value->move);
}

/* What a ply can have. */
enum { MOVE, TEXT, BEFORE, BEFORES, COMMENT, COMMENTS, NAGS, CLOCK, VARIATIONS, ILLEGAL, REST,
       PLY_KEYS };

/* Which of that a key names; PLY_KEYS: none. */
static unsigned ply_key(qp_str key)
{
    static const struct {
        uint8_t len, key;
        char name[11];
    } known[] = {
        {4, MOVE, "move"},          {4, TEXT, "text"},       {7, COMMENT, "comment"},
        {10, VARIATIONS, "variations"}, {6, BEFORE, "before"},   {4, NAGS, "nags"},
        {5, CLOCK, "clock"},        {8, COMMENTS, "comments"}, {7, BEFORES, "befores"},
        {7, ILLEGAL, "illegal"},    {4, REST, "rest"},
    };
    for (size_t i = 0; i < QP_COUNT(known); i++)
        if (known[i].len == key.len && *key.data == *known[i].name &&
            memcmp(key.data, known[i].name, key.len) == 0)
            return known[i].key;
    return PLY_KEYS;
}

/* Reads one ply but for its variations: the index of their array, or 0. */
static uint32_t ply(qp_json_reading *r, uint32_t object)
{
    if (qp_json_is_kind(r, object, QP_JSON_STRING)) { /* a bare move */
        ply_move(r, object, object, 0);
        return 0;
    }
    if (!qp_json_expect(r, object, QP_JSON_OBJECT, "a ply")) {
        qp_record_bad_move(r->in->record, r->values[object].at, r->values[object].len);
        return 0;
    }
    uint32_t has[PLY_KEYS + 1] = {0};
    for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next) {
        unsigned key = ply_key(qp_json_text(r, i));
        has[key] = i + 1;
        if (key == PLY_KEYS)
            qp_json_unknown(r, i);
    }
    bool illegal = has[ILLEGAL] != 0 && qp_json_is_kind(r, has[ILLEGAL], QP_JSON_TRUE);
    qp_record *record = r->in->record;
    qp_json_comments(r, has[BEFORE], has[BEFORES]);
    size_t index = record->event_count;
    ply_move(r, object, has[MOVE], has[TEXT]);
    if (illegal && record->event_count > index)
        record->events[record->event_count - 1].flags |= QP_EV_ILLEGAL;
    if (has[REST] != 0 && qp_json_expect(r, has[REST], QP_JSON_STRING, "a text"))
        made_event(r, QP_EV_REST, has[REST]);
    if (has[NAGS] != 0)
        nags(r, has[NAGS]);
    if (has[CLOCK] != 0 && qp_json_expect(r, has[CLOCK], QP_JSON_STRING, "a clock"))
        made_event(r, QP_EV_CLOCK, has[CLOCK]);
    qp_json_comments(r, has[COMMENT], has[COMMENTS]);
    uint32_t variations = has[VARIATIONS];
    if (variations != 0 &&
        !qp_json_expect(r, variations, QP_JSON_ARRAY, "an array of variations"))
        variations = 0;
    return variations;
}

/* Whether a line is plain plies alone, and was played where no tree is asked for. */
static bool is_spared(qp_json_reading *r, uint32_t array)
{
    const qp_json_value *first = &r->values[array + 1], *end = &r->values[r->values[array].next];
    if (r->in->spare_tree == 0 || first == end)
        return false;
    for (const qp_json_value *value = first; value < end; value++)
        if (value->kind != QP_JSON_PLY)
            return false;
    const qp_squares squares = {.moves = &first->move, .step = sizeof *first,
                                .count = (size_t)(end - first), .places = &first->at,
                                .at = QP_JSON_PLY_MOVE, .len = 4};
    return qp_reading_spare(r->in, &squares);
}

void qp_json_line(qp_json_reading *r, uint32_t array)
{
    qp_record *record = r->in->record;
    qp_json_state *s = r->state;
    if (is_spared(r, array))
        return;
    s->depth = 0;
    qp_json_push(r, QP_JSON_LINE, array);
    qp_record_settle(record);
    while (s->depth > 0 && !record->failed) {
        if (qp_record_is_long(record))
            qp_record_pass(record);
        qp_json_frame *f = &s->frames[s->depth - 1];
        uint32_t at = f->at;
        if (at >= f->end) {
            s->depth--;
            if (f->kind == QP_JSON_LINE && s->depth > 0)
                qp_record_add(record, QP_EV_VAR_CLOSE, r->values[f->end - 1].at, 0);
            continue;
        }
        if (qp_json_is_kind(r, at, QP_JSON_PLY)) {
            do
                plain_ply(record, &r->values[at++]);
            while (at < f->end && qp_json_is_kind(r, at, QP_JSON_PLY) &&
                   !qp_record_is_long(record));
            f->at = at;
            continue;
        }
        f->at = r->values[at].next;
        if (f->kind == QP_JSON_LINE) {
            uint32_t variations = ply(r, at);
            if (variations != 0)
                qp_json_push(r, QP_JSON_VARIATIONS, variations);
        } else if (qp_json_expect(r, at, QP_JSON_ARRAY, "an array of plies") &&
                   r->values[at].next > at + 1) {
            qp_record_add(record, QP_EV_VAR_OPEN, r->values[at].at, 1);
            qp_json_push(r, QP_JSON_LINE, at);
        }
    }
}
