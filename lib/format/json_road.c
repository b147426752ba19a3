/* The games of Chess Road (.crm), JSON that holds pieces of DhtmlXQ:
 *
 *     {"title":…,"red":…,"init_board":"8979…","move_list":"[DhtmlXQ_movelist]7747…",
 *      "comment_list":"1:text=|=0_2:text"}
 *     {…,"movelist":["0::7747…","0_2_1::1022"],"comments":["1_2::text"]}
 *
 * the second as its server sends them. Known from one reader, not from files. See json.h. */
#include "config.h"

#include "format/dhtmlxq.h"
#include "format/json.h"

#include <stdlib.h>

static bool is_string(const qp_json_reading *r, uint32_t value)
{
    return value != 0 && qp_json_is_kind(r, value, QP_JSON_STRING);
}

/* The fields of a text of marks; each value ends at the next bracket. */
static void add_marks(qp_json_reading *r, uint32_t value)
{
    const char *p = r->text + r->values[value].at, *end = p + r->values[value].len;
    while ((p = memchr(p, '[', (size_t)(end - p))) != NULL) {
        qp_str key;
        size_t len;
        qp_dx_mark mark = qp_dhtmlxq_mark(p, (size_t)(end - p), false, &len, &key);
        if (mark != QP_DX_FIELD && mark != QP_DX_BRANCH) {
            p++;
            continue;
        }
        const char *from = p + len, *to = memchr(from, '[', (size_t)(end - from));
        p = to ? to : end;
        qp_dx_add_field(r->state->road,
                        (qp_dx_field){.key_at = (uint32_t)(key.data - r->text),
                                      .key_len = (uint32_t)key.len,
                                      .value_at = (uint32_t)(from - r->text),
                                      .value_len = (uint32_t)(p - from),
                                      .branch = mark == QP_DX_BRANCH,
                                      .known = (uint8_t)qp_dhtmlxq_known(key)});
    }
}

/* A field whose key stands before `sign` in the span; of the main line "0" alone. */
static void add_pair(qp_json_reading *r, const char *p, size_t n, const char *sign,
                     bool note)
{
    size_t len = strlen(sign), at = 0;
    while (at + len <= n && memcmp(p + at, sign, len) != 0)
        at++;
    if (at + len > n)
        return;
    qp_dx_field field = {.key_at = (uint32_t)(p - r->text),
                         .key_len = (uint32_t)at,
                         .value_at = (uint32_t)(p + at + len - r->text),
                         .value_len = (uint32_t)(n - at - len),
                         .branch = !note,
                         .note = note,
                         .known = (uint8_t)qp_dhtmlxq_known((qp_str){p, at})};
    qp_dx *dx = r->state->road;
    if (!note && at == 1 && *p == '0')
        dx->lines.at[0] = (qp_dx_line){.n = 1,
                                       .key_at = field.key_at,
                                       .key_len = field.key_len,
                                       .value_at = field.value_at,
                                       .value_len = field.value_len};
    else
        qp_dx_add_field(dx, field);
}

/* Pairs of an array, or of a text between the signs `=|=`. */
static void add_pairs(qp_json_reading *r, uint32_t value, bool note)
{
    if (qp_json_is_kind(r, value, QP_JSON_ARRAY)) {
        for (uint32_t i = value + 1; i < r->values[value].next; i = r->values[i].next)
            if (is_string(r, i))
                add_pair(r, r->text + r->values[i].at, r->values[i].len, "::", note);
    } else if (is_string(r, value)) {
        const char *p = r->text + r->values[value].at, *end = p + r->values[value].len;
        for (const char *q = p; p < end; p = q + 3, q = p) {
            while (q < end && (end - q < 3 || memcmp(q, "=|=", 3) != 0))
                q++;
            add_pair(r, p, (size_t)(q - p), ":", note);
        }
    }
}

static bool begin(qp_json_reading *r)
{
    if (r->state->road == NULL)
        r->state->road = calloc(1, sizeof *r->state->road);
    if (r->state->road == NULL)
        r->in->record->failed = true;
    else
        qp_dx_begin(r->state->road, r->in, r->text);
    return r->state->road != NULL && !r->in->record->failed;
}

bool qp_json_road(qp_json_reading *r)
{
    uint32_t board = 0, marks = 0, lines = 0, notes = 0;
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        uint32_t *place = qp_json_is_key(r, i, "init_board")     ? &board
                          : qp_json_is_key(r, i, "move_list")    ? &marks
                          : qp_json_is_key(r, i, "movelist")     ? &lines
                          : qp_json_is_key(r, i, "comment_list") ? &notes
                          : qp_json_is_key(r, i, "comments")     ? &notes
                                                                 : NULL;
        if (place != NULL)
            *place = i + 1;
    }
    if (!is_string(r, board) || (marks == 0 && lines == 0))
        return false;
    if (!begin(r))
        return true;
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        uint32_t value = i + 1;
        if (value != board && value != marks && value != lines && value != notes)
            qp_json_tag(r, qp_dhtmlxq_tag(qp_json_text(r, i)), i, value);
    }
    qp_dx_add_field(r->state->road, (qp_dx_field){.key_at = r->values[board - 1].at,
                                                  .key_len = r->values[board - 1].len,
                                                  .value_at = r->values[board].at,
                                                  .value_len = r->values[board].len,
                                                  .known = QP_DX_KEY_init_board});
    if (is_string(r, marks))
        add_marks(r, marks);
    if (lines != 0)
        add_pairs(r, lines, false);
    if (notes != 0)
        add_pairs(r, notes, true);
    qp_dx_fields(r->state->road, false);
    if (!r->in->record->failed)
        qp_dx_build(r->state->road);
    return true;
}
