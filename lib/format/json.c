/* JSON: the project's own exchange form, one game per line, holding all that the game
 * model holds. Read tolerantly: pretty-printed, several in a file, or an array of games;
 * also the trees of vschess ({"fen":…,"next":[…],"defaultIndex":…}), and what
 * json_flavours.c says.
 *
 *     {"tags":{…},"start":FEN,"result":…,"comment":…,"line":[ply,…]}
 *     ply: {"move":"h2e2","text":…,"illegal":true,"before":…,"comment":…,"nags":[…],
 *           "clock":…,"variations":[[ply,…],…]}
 *
 * Beside what the page of formats promises there are, only where they are needed:
 * "comments" and "befores" (arrays, where more than one comment stands in a place),
 * "tagList" (pairs, where a tag's name comes twice) and "rest" (the verbatim end of a
 * line that breaks off).
 */
#include "config.h"

#include "format/dhtmlxq.h"
#include "format/json.h"

#include <stdlib.h>

enum { DEPTH_PER_VARIATION = 3, DEPTH_MORE = 64 };

/* ---- tags ---- */

static void tag(qp_json_reading *r, uint32_t name, uint32_t value)
{
    qp_record_tag made_tag = {.name_at = r->values[name].at,
                              .name_len = r->values[name].len,
                              .value_at = r->values[value].at,
                              .value_len = r->values[value].len,
                              .made_name = qp_json_made(r, name)};
    if (qp_json_is_kind(r, value, QP_JSON_STRING))
        made_tag.made_value = qp_json_made(r, value);
    else if (qp_json_is_kind(r, value, QP_JSON_OBJECT) ||
             qp_json_is_kind(r, value, QP_JSON_ARRAY)) {
        qp_json_wrong(r, value, "the text of a tag");
        return;
    }
    qp_record_tag_add(r->in->record, made_tag);
}

static void tags(qp_json_reading *r, uint32_t object)
{
    if (!qp_json_expect(r, object, QP_JSON_OBJECT, "an object of tags"))
        return;
    for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next)
        tag(r, i, i + 1);
}

static void tag_list(qp_json_reading *r, uint32_t list)
{
    if (!qp_json_expect(r, list, QP_JSON_ARRAY, "an array of pairs"))
        return;
    for (uint32_t i = list + 1; i < r->values[list].next; i = r->values[i].next) {
        uint32_t name = i + 1;
        if (qp_json_is_kind(r, i, QP_JSON_ARRAY) && r->values[i].next >= i + 3 &&
            qp_json_is_kind(r, name, QP_JSON_STRING) &&
            r->values[name + 1].next == r->values[i].next)
            tag(r, name, name + 1);
        else
            qp_json_wrong(r, i, "a pair of name and value");
    }
}

/* ---- a game ---- */

void qp_json_start(qp_json_reading *r, uint32_t value)
{
    if (qp_json_expect(r, value, QP_JSON_STRING, "a FEN"))
        qp_record_start(r->in->record, qp_json_text(r, value), r->values[value].at,
                        r->values[value].len);
}

static void result(qp_json_reading *r, uint32_t value)
{
    qp_record *record = r->in->record;
    if (!qp_json_expect(r, value, QP_JSON_STRING, "a result"))
        return;
    if (qp_result_read(record->patterns, qp_json_text(r, value), &record->result))
        record->has_result = true;
    else
        qp_json_wrong(r, value, "one of 1-0, 0-1, 1/2-1/2 and *");
}

/* {"positions":{FEN:[{"move":…},…],…},…}: an opening book. */
static bool is_book(qp_json_reading *r)
{
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        uint32_t value = i + 1;
        if (!qp_json_is_key(r, i, "positions") || !qp_json_is_kind(r, value, QP_JSON_OBJECT) ||
            r->values[value].next <= value + 1)
            continue;
        qp_board board;
        qp_fen_report report;
        qp_fen_read(qp_json_raw(r, value + 1), &board, &report);
        return (report.faults & QP_FEN_UNREADABLE) == 0;
    }
    return false;
}

/* false: the object is no game; where *at is set, games stand in it from there on. */
static bool game(qp_json_reading *r, size_t *at)
{
    uint32_t tag_object = 0, pairs = 0, start_value = 0, result_value = 0, comment = 0;
    uint32_t many = 0, moves = 0, fen = 0, next = 0, strange[QP_JSON_REPORTS_MAX];
    unsigned strange_count = 0;
    bool known = false;
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        uint32_t *place = qp_json_is_key(r, i, "tags")       ? &tag_object
                          : qp_json_is_key(r, i, "tagList")  ? &pairs
                          : qp_json_is_key(r, i, "start")    ? &start_value
                          : qp_json_is_key(r, i, "result")   ? &result_value
                          : qp_json_is_key(r, i, "comment")  ? &comment
                          : qp_json_is_key(r, i, "comments") ? &many
                          : qp_json_is_key(r, i, "line")     ? &moves
                          : qp_json_is_key(r, i, "fen")      ? &fen
                          : qp_json_is_key(r, i, "next")     ? &next
                                                             : NULL;
        if (place != NULL)
            *place = i + 1;
        else if (strange_count < QP_JSON_REPORTS_MAX)
            strange[strange_count++] = i;
        known |= place != NULL && place != &fen;
    }
    if (next != 0 && moves == 0 && tag_object == 0) {
        if (fen != 0)
            qp_json_start(r, fen);
        qp_json_tree(r);
        return true;
    }
    if (moves == 0 && tag_object == 0 && start_value == 0 && qp_json_flavour(r, at))
        return *at == 0;
    if (!known) {
        if (!(r->in->carried & QP_JSON_TOLD) && is_book(r))
            qp_record_report(r->in->record, QP_D_format_unsupported, r->values[0].at, 1,
                             "json-book",
                             "a book of positions, each with moves to choose from, and no games");
        else if (!(r->in->carried & QP_JSON_TOLD))
            qp_record_report(r->in->record, QP_D_file_corrupt, r->values[0].at, 1,
                             "json-object",
                             "this object is no game: it has neither tags nor a line");
        r->in->carried |= QP_JSON_TOLD;
        return false;
    }
    for (unsigned i = 0; i < strange_count; i++)
        qp_json_unknown(r, strange[i]);
    if (pairs != 0)
        tag_list(r, pairs);
    else if (tag_object != 0)
        tags(r, tag_object);
    if (start_value != 0)
        qp_json_start(r, start_value);
    if (result_value != 0)
        result(r, result_value);
    qp_json_comments(r, comment, many);
    if (moves != 0 && qp_json_expect(r, moves, QP_JSON_ARRAY, "an array of plies"))
        qp_json_line(r, moves);
    return true;
}

/* ---- records ---- */

static bool is_object(const char *p, size_t n)
{
    return n > 0 && *p == '{';
}

/* The offset of the next line that begins with `{` from `at` on, or of the text's end; where
 * it is far, it is sought before the next record. */
static size_t next_line(qp_reading *in, size_t at)
{
    enum { FAR = 1 << 20 };
    qp_source *source = in->source;
    for (size_t from = at;;) {
        if (at - from > FAR) {
            in->carried |= QP_JSON_SKIPPING;
            return at;
        }
        if (at >= source->len && !qp_source_more(source))
            return source->len;
        const char *found = memchr(source->text + at, '\n', source->len - at);
        if (found == NULL) {
            at = source->len;
            continue;
        }
        at = (size_t)(found - source->text) + 1;
        if (qp_source_has(source, at, 1) && source->text[at] == '{')
            return at;
    }
}

/* Where the next object begins from *at on: past blanks, commas and the brackets of an
 * array of games. Other text is passed over to the next brace; *junk is its place then,
 * else SIZE_MAX. false: none is left. */
static bool find_object(qp_reading *in, size_t *at, size_t *junk)
{
    enum { FORGET = 64 * 1024 };
    qp_source *source = in->source;
    *junk = SIZE_MAX;
    for (;;) {
        if (*at > FORGET) { /* a desert: what was said of it has no place any more */
            for (size_t i = 0; i < in->record->report_count; i++)
                in->record->reports[i].placed = false;
            qp_source_next(source, *at);
            *at = 0;
            *junk = *junk == SIZE_MAX ? SIZE_MAX : 0;
        }
        if (!qp_source_has(source, *at, 1))
            return false;
        char c = source->text[*at];
        if (c == '{')
            return true;
        if (strchr(" \n\t\r,[]", c) != NULL || ((in->carried & QP_JSON_WRAPPED) && c == '}')) {
            ++*at;
            continue;
        }
        if (*junk == SIZE_MAX)
            *junk = *at;
        const char *brace = memchr(source->text + *at, '{', source->len - *at);
        const char *end = memchr(source->text + *at, '\n', source->len - *at);
        if (end != NULL && (brace == NULL || brace > end))
            *at = (size_t)(end - source->text) + 1;
        else
            *at = brace ? (size_t)(brace - source->text) : source->len;
    }
}

/* Reads the object at `at`; *at is set past it. false: it is no game. */
static bool read_object(qp_reading *in, size_t *at)
{
    qp_json_state *s = in->state;
    qp_record *record = in->record;
    qp_json_error error;
    size_t deep =
        qp_context_limit(in->context, QP_LIMIT_VARIATIONS) * DEPTH_PER_VARIATION;
    *at = qp_json_parse(in->source, *at, in->limit, deep + DEPTH_MORE, &s->row, &error);
    if (s->row.failed || in->source->lost) {
        record->failed |= s->row.failed;
        return true;
    }
    qp_json_reading r = {
        .in = in, .state = s, .values = s->row.values, .text = in->source->text};
    if (error.code != QP_D_none) {
        record->broken = true;
        qp_record_report(record, error.code, error.at, error.at < in->source->len,
                         error.detail, "%s", error.message);
    }
    size_t inside = 0;
    bool is_game = error.code == QP_D_file_limit ||
                   (s->row.count != 0 && s->row.values[0].next > 1 && game(&r, &inside));
    if (error.code != QP_D_none)
        *at = next_line(in, *at);
    else if (inside != 0)
        *at = inside;
    return is_game;
}

static bool open_state(qp_reading *in)
{
    qp_json_state *s = calloc(1, sizeof *s);
    if (s != NULL && (s->plies = qp_plies_new()) == NULL) {
        free(s);
        s = NULL;
    }
    in->state = s;
    return s != NULL;
}

static qp_status json_read(qp_reading *in)
{
    qp_record *record = in->record;
    if (in->state == NULL && !open_state(in)) {
        record->failed = true;
        return QP_FATAL;
    }
    size_t at = 0, junk;
    if (in->carried & QP_JSON_SKIPPING)
        qp_skip_to_line(in->source, is_object);
    in->carried &= ~(unsigned)QP_JSON_SKIPPING;
    do {
        bool found = find_object(in, &at, &junk);
        if (junk != SIZE_MAX && !(in->carried & QP_JSON_WRAPPED))
            qp_record_report(record, QP_D_file_corrupt, junk, 1, "json-value",
                             "this is no JSON object and was passed over");
        in->used = found ? at : in->source->len;
        if (!found)
            return in->source->lost ? QP_FATAL : QP_END;
    } while (!read_object(in, &at));
    in->used = at;
    return record->failed || in->source->lost ? QP_FATAL : QP_OK;
}

static void json_read_end(qp_reading *in)
{
    qp_json_state *s = in->state;
    if (s == NULL)
        return;
    free(s->row.values);
    free(s->frames);
    qp_plies_free(s->plies);
    qp_dx_free(s->road);
    free(s);
    in->state = NULL;
}

static bool holds(qp_str text, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++)
        if (text.data[i] == *word && memcmp(text.data + i, word, len) == 0)
            return true;
    return false;
}

static unsigned json_probe(const qp_probe *probe)
{
    static const char *const keys[] = {"\"tags\"",    "\"tagList\"", "\"line\"",
                                       "\"start\"",   "\"result\"",  "\"comment\"",
                                       "\"comments\""};
    qp_str text = qp_str_trim(probe->text);
    size_t at = 0;
    while (at < text.len && (text.data[at] == '[' || text.data[at] == ' ' ||
                             text.data[at] == '\n' || text.data[at] == '\t'))
        at++;
    if (at >= text.len || text.data[at] != '{')
        return 0;
    do
        at++;
    while (at < text.len &&
           (text.data[at] == ' ' || text.data[at] == '\n' || text.data[at] == '\t'));
    if (at >= text.len || (text.data[at] != '"' && text.data[at] != '}'))
        return 0;
    for (size_t i = 0; i < QP_COUNT(keys); i++) {
        size_t len = strlen(keys[i]);
        if (text.len - at >= len && memcmp(text.data + at, keys[i], len) == 0)
            return 90;
    }
    /* Nor are a vschess tree and a game of Chess Road other things, but their mark may come
     * late. */
    text = (qp_str){text.data + at, text.len - at};
    bool fen_first = text.len >= 5 && memcmp(text.data, "\"fen\"", 5) == 0;
    return (fen_first && holds(text, "\"next\"")) || holds(text, "\"init_board\"") ? 90
                                                                                  : 30;
}

const qp_format qp_format_json = {
    .name = "json",
    .title = "JSON, one game per line",
    .suffixes = "json jsonl ndjson",
    .carries = QP_CARRIES_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_NAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_CLOCKS | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES | QP_CARRIES_UNREADABLE,
    .refer = qp_json_refer,
    .probe = json_probe,
    .read = json_read,
    .read_end = json_read_end,
    .cut = qp_cut_json,
    .write = qp_json_write,
};
