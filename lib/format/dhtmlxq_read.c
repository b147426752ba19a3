/* DhtmlXQ, reading: finds a block in the text and takes it apart into fields, whatever
 * stands around them. dhtmlxq_fields.c says what they mean, dhtmlxq_tree.c makes the
 * events. Knows the blocks of 01xq.com ([DHJHtmlXQ]) too. */
#include "config.h"

#include "format/dhtmlxq.h"

#include <stdlib.h>

enum { JUNK_MAX = 1 << 16 }; /* text passed over that is kept at most */

bool qp_dx_grow(qp_dx *dx, void **at, size_t *room, size_t count, size_t size)
{
    size_t more = count ? 2 * count : 64;
    void *grown = more > SIZE_MAX / size ? NULL : realloc(*at, more * size);
    if (grown == NULL) {
        dx->record->failed = true;
        return false;
    }
    *at = grown;
    *room = more;
    return true;
}

/* Finding a block's fields in the source. */
typedef struct scan {
    qp_reading *reading;
    qp_dx *dx;
    bool opened; /* by an outer mark */
    bool dhj;
    bool closed;              /* the outer mark stood there */
    bool in_value;            /* of the last field */
    unsigned heads;           /* fields of the head that hold something: head_bit */
    size_t odd_at, odd_len;   /* the first closing mark with another key */
    size_t open_at, open_len; /* the first field that is not closed */
} scan;

/* The bit of a field that stands at the head of a record, 0 for others. */
enum { HEAD_MOVES = 1 };
static inline unsigned head_bit(unsigned known)
{
    static const uint8_t heads[QP_DX_KEY_COUNT] = {
        [QP_DX_KEY_movelist] = HEAD_MOVES, [QP_DX_KEY_ver] = 2,   [QP_DX_KEY_init] = 4,
        [QP_DX_KEY_title] = 8,             [QP_DX_KEY_binit] = 16};
    return heads[known];
}

static void close_value(scan *s, size_t end, bool marked)
{
    if (!s->in_value)
        return;
    qp_dx_field *field = &s->dx->fields.at[s->dx->fields.count - 1];
    const char *text = s->reading->source->text;
    s->in_value = false;
    field->value_len = (uint32_t)end - field->value_at;
    if (!marked) {
        /* What goes on behind a lost closing mark is most likely the page. */
        const char *p = text + field->value_at, *cut = p;
        size_t n = field->value_len;
        uint32_t c;
        while ((cut = memchr(cut, '<', n - (size_t)(cut - p))) != NULL) {
            size_t len = qp_dhtmlxq_escape(cut, n - (size_t)(cut - p), &c);
            if (len == 0) {
                field->value_len = (uint32_t)(cut - p);
                break;
            }
            cut += len;
        }
        if (s->open_len == 0) {
            s->open_at = field->key_at;
            s->open_len = field->key_len;
        }
    }
    qp_dx_trim(text, &field->value_at, &field->value_len);
    if (field->value_len != 0)
        s->heads |= field->branch ? HEAD_MOVES : head_bit(field->known);
}

static void add_field(scan *s, qp_str key, size_t end, bool branch)
{
    uint32_t key_at = (uint32_t)(key.data - s->reading->source->text);
    qp_dx_add_field(s->dx, (qp_dx_field){.key_at = key_at,
                                         .key_len = (uint32_t)key.len,
                                         .value_at = (uint32_t)end,
                                         .branch = branch,
                                         .known = (uint8_t)qp_dhtmlxq_known(key)});
    s->in_value = !s->dx->record->failed;
}

/* Whether a field begins another record: without outer marks where the head comes again
 * behind moves; behind the outer mark any field but moves does. */
static bool another_record(const scan *s, qp_str key)
{
    unsigned head = head_bit(qp_dhtmlxq_known(key));
    if (s->closed)
        return head != HEAD_MOVES && !qp_dhtmlxq_begins(key.data, key.len, "move_");
    return !s->opened && (s->heads & HEAD_MOVES) && (s->heads & head);
}

/* Takes the mark at `at`; false where the record ends. *next is where to go on. */
static bool take_mark(scan *s, size_t at, size_t *next)
{
    qp_reading *reading = s->reading;
    qp_source *source = reading->source;
    qp_dx *dx = s->dx;
    qp_str key;
    size_t len;
    /* No more is asked for than that: games that are passed over stand behind the last one. */
    if (memchr(source->text + at, ']', source->len - at) == NULL)
        qp_source_has(source, at, QP_DX_MARK_MAX);
    qp_dx_mark mark =
        qp_dhtmlxq_mark(source->text + at, source->len - at, s->dhj, &len, &key);
    bool any = dx->fields.count != 0;
    *next = at + 1;
    switch (mark) {
    case QP_DX_NOTHING:
        return true;
    case QP_DX_OPEN:
    case QP_DX_DHJ_OPEN:
        if (any) {
            close_value(s, at, false);
            *next = at;
            return false;
        }
        s->opened = true;
        s->dhj = mark == QP_DX_DHJ_OPEN;
        reading->carried = 0;
        break;
    case QP_DX_CLOSE:
        reading->carried = 0;
        s->opened &= any;
        if (any) {
            close_value(s, at, false);
            *next = at + len;
            s->closed = true; /* pages keep the moves in a script behind the block */
            return !(s->heads & HEAD_MOVES) && !s->dhj;
        }
        break;
    case QP_DX_BRANCH:
        if (!any || (s->in_value && !dx->fields.at[dx->fields.count - 1].branch))
            return true; /* text */
        close_value(s, at, false);
        add_field(s, key, at + len, true);
        break;
    case QP_DX_FIELD:
        if (reading->carried & QP_DX_SKIPPING)
            return true;
        close_value(s, at, false);
        if (any && another_record(s, key)) {
            *next = at;
            return false;
        }
        add_field(s, key, at + len, false);
        break;
    case QP_DX_BRANCH_END:
        if (s->in_value && !dx->fields.at[dx->fields.count - 1].branch)
            return true;
        /* fall through */
    case QP_DX_FIELD_END:
        if (s->in_value && !s->dhj && s->odd_len == 0) {
            const qp_dx_field *field = &dx->fields.at[dx->fields.count - 1];
            qp_str own = {source->text + field->key_at, field->key_len};
            if (qp_dhtmlxq_compare(own, key) != 0) {
                s->odd_at = at;
                s->odd_len = len;
            }
        }
        close_value(s, at, true);
        break;
    }
    *next = at + len;
    return true;
}

/* Takes the fields that follow one another from `at` on as programs write them, each closed
 * with its own key, alone on its line, and within the limit: those that take_mark would take
 * the same way. Returns where to go on. */
static size_t take_fields(scan *s, size_t at, size_t limit)
{
    const qp_source *source = s->reading->source;
    const char *text = source->text, *end = text + source->len;
    qp_dx *dx = s->dx;
    static const char open[] = "[DhtmlXQ_", close[] = "[/DhtmlXQ_";
    enum { OPEN = sizeof open - 1, CLOSE = sizeof close - 1, KEY_MAX = 24 };
    while ((size_t)(end - text) - at > OPEN + KEY_MAX &&
           memcmp(text + at, open, OPEN) == 0 && (s->opened || !(s->heads & HEAD_MOVES))) {
        qp_str key = {text + at + OPEN, 0};
        size_t place = dx->fields.count % sizeof dx->before;
        qp_dx_key known = (qp_dx_key)dx->before[place];
        if (!qp_dhtmlxq_stands(key.data, known, &key.len)) {
            key.len = qp_dhtmlxq_key_len(key.data, KEY_MAX);
            if (key.len == 0)
                break;
            known = qp_dhtmlxq_known(key);
            dx->before[place] = (uint8_t)known;
        }
        const char *value = key.data + key.len + 1;
        const char *mark = memchr(value, '[', (size_t)(end - value));
        if (mark == NULL || (size_t)(end - mark) <= CLOSE + key.len + 1 ||
            (size_t)(mark - text) > limit || memcmp(mark, close, CLOSE) != 0 ||
            memcmp(mark + CLOSE, key.data, key.len + 1) != 0)
            break;
        qp_dx_field field = {.key_at = (uint32_t)(key.data - text),
                             .key_len = (uint32_t)key.len,
                             .value_at = (uint32_t)(value - text),
                             .value_len = (uint32_t)(mark - value),
                             .known = (uint8_t)known};
        qp_dx_trim(text, &field.value_at, &field.value_len);
        if (field.value_len != 0)
            s->heads |= head_bit(known);
        qp_dx_add_field(dx, field);
        at = (size_t)(mark - text) + CLOSE + key.len + 1;
        at += text[at] == '\n';
    }
    return at;
}

static void report_marks(const scan *s)
{
    if (s->odd_len != 0)
        qp_record_report(s->dx->record, QP_D_tag_broken, s->odd_at, s->odd_len,
                         "dhtmlxq-close-mismatch",
                         "a field is closed with the mark of another");
    if (s->open_len != 0)
        qp_record_report(s->dx->record, QP_D_tag_broken, s->open_at, s->open_len,
                         "tag-unterminated", "a field is not closed");
}

void qp_dx_begin(qp_dx *dx, qp_reading *in, const char *text)
{
    dx->in = in;
    dx->record = in->record;
    dx->text = text;
    dx->told = false;
    dx->squares.count = 0;
    dx->fields.count = dx->moves.count = dx->lines.count = dx->notes.count = 0;
    dx->children.count = dx->queue.count = dx->frames.count = 0;
    if (QP_DX_ROOM(dx, dx->lines))
        dx->lines.at[dx->lines.count++] = (qp_dx_line){.n = 1};
}

qp_status qp_dhtmlxq_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    qp_dx *dx = reading->state;
    if (dx == NULL)
        dx = reading->state = calloc(1, sizeof *dx);
    reading->used = 0;
    if (dx == NULL) {
        reading->record->failed = true;
        return QP_END;
    }
    if (reading->passes) {
        dx->in = reading;
        dx->record = reading->record;
        qp_source_skim(source, qp_dhtmlxq_skim, dx, true);
    }
    qp_source_pass_lines(source); /* they may be in another encoding */
    qp_dx_begin(dx, reading, source->text);
    scan s = {.reading = reading, .dx = dx};
    uint64_t limit = reading->limit < UINT32_MAX / 2 ? reading->limit : UINT32_MAX / 2;
    size_t at = 0, start = 0;
    bool whole = false; /* the record's end was seen */
    while (!whole && !dx->record->failed) {
        const char *mark =
            at < source->len ? memchr(source->text + at, '[', source->len - at) : NULL;
        at = mark ? (size_t)(mark - source->text) : source->len;
        if (dx->fields.count == 0) {
            start = at;
            if (at > JUNK_MAX) {
                qp_source_next(source, at);
                at = start = 0;
                s.opened = false;
            }
        } else if (at - start > limit && s.closed) {
            break;
        } else if (at - start > limit) {
            qp_record_report(dx->record, QP_D_file_limit, start, 1, NULL,
                             "the record is longer than %llu bytes",
                             (unsigned long long)reading->limit);
            dx->record->broken = true;
            reading->carried |= QP_DX_SKIPPING;
            if (s.in_value)
                dx->fields.count--;
            s.in_value = false;
            break;
        }
        size_t plain = at;
        if (!s.closed && !s.dhj && !s.in_value && reading->carried == 0)
            plain = take_fields(&s, at, (size_t)limit + start);
        if (plain != at)
            at = plain;
        else if (mark != NULL)
            whole = !take_mark(&s, at, &at);
        else if (!qp_source_more(source))
            break;
    }
    if (dx->fields.count == 0 && !dx->record->broken) {
        reading->used = source->len;
        return QP_END;
    }
    close_value(&s, at, false);
    reading->used = at;
    dx->text = source->text;
    report_marks(&s);
    qp_dx_fields(dx, s.dhj);
    if (!dx->record->failed)
        qp_dx_build(dx);
    return QP_OK;
}

void qp_dhtmlxq_read_end(qp_reading *reading)
{
    qp_dx_free(reading->state);
    reading->state = NULL;
}

void qp_dx_free(qp_dx *dx)
{
    if (dx == NULL)
        return;
    free(dx->fields.at);
    free(dx->squares.at);
    free(dx->met.at);
    free(dx->moves.at);
    free(dx->lines.at);
    free(dx->notes.at);
    free(dx->children.at);
    free(dx->queue.at);
    free(dx->frames.at);
    qp_buf_clear(&dx->made);
    free(dx);
}
