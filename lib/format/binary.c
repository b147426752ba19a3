/* Bytes, strings and trees of binary formats. See binary.h. */
#include "config.h"

#include "format/binary.h"
#include "format/plies.h"
#include "rules/rules.h"
#include "text/decode.h"

#include <stdlib.h>

/* ---- bytes ---- */

bool qp_bytes_whole(qp_reading *reading, qp_bytes *bytes)
{
    qp_source *source = reading->source;
    while (!source->ended && source->len <= reading->limit)
        if (!qp_source_more(source))
            break;
    bool fits = source->len <= reading->limit;
    *bytes = (qp_bytes){.data = (const unsigned char *)source->text,
                        .size = fits ? source->len : (size_t)reading->limit};
    reading->used = source->len;
    if (!fits) {
        qp_record_report(reading->record, QP_D_file_limit, bytes->size, 0, "record",
                         "the record is longer than %llu bytes: the rest is passed over",
                         (unsigned long long)reading->limit);
        reading->record->broken = true;
    }
    return fits;
}

qp_bytes qp_bytes_part(const qp_bytes *bytes, size_t at, size_t size)
{
    if (!qp_bytes_have(bytes, at, size))
        return (qp_bytes){.data = bytes->data, .failed = true};
    return (qp_bytes){.data = bytes->data + at, .size = size};
}

unsigned qp_bytes_u8(const qp_bytes *bytes, size_t at)
{
    return qp_bytes_have(bytes, at, 1) ? bytes->data[at] : 0;
}

unsigned qp_bytes_u16(const qp_bytes *bytes, size_t at)
{
    return qp_bytes_have(bytes, at, 2) ? bytes->data[at] | (unsigned)bytes->data[at + 1] << 8
                                       : 0;
}

uint32_t qp_bytes_u32(const qp_bytes *bytes, size_t at)
{
    return qp_bytes_have(bytes, at, 4)
               ? qp_bytes_u16(bytes, at) | (uint32_t)qp_bytes_u16(bytes, at + 2) << 16
               : 0;
}

unsigned qp_bytes_take_u8(qp_bytes *bytes)
{
    size_t at = bytes->at;
    return qp_bytes_take(bytes, 1) ? qp_bytes_u8(bytes, at) : 0;
}

unsigned qp_bytes_take_u16(qp_bytes *bytes)
{
    size_t at = bytes->at;
    return qp_bytes_take(bytes, 2) ? qp_bytes_u16(bytes, at) : 0;
}

uint32_t qp_bytes_take_u32(qp_bytes *bytes)
{
    size_t at = bytes->at;
    return qp_bytes_take(bytes, 4) ? qp_bytes_u32(bytes, at) : 0;
}

void qp_record_board(qp_record *record, const qp_board *board, bool side_given, size_t at,
                     size_t len)
{
    qp_board usual;
    qp_board_start(&usual);
    bool sound = memcmp(board->at, usual.at, sizeof usual.at) == 0, empty = !sound;
    for (int i = 0; empty && i < QP_SQUARES; i++)
        empty = board->at[i] == 0;
    record->start = *board;
    qp_rules_set_kings(&record->start);
    record->has_start = !qp_board_same(board, &usual) || board->round != usual.round;
    record->side_given = side_given;
    record->start_at = (uint32_t)at;
    record->start_len = (uint32_t)len;
    if (!empty && !sound)
        qp_record_start_faults(record, qp_board_faults(&record->start));
}

/* ---- strings ---- */

void qp_strings_init(qp_strings *strings, qp_reading *reading)
{
    *strings = (qp_strings){.reading = reading, .last = reading->encoding};
}

void qp_strings_clear(qp_strings *strings)
{
    qp_buf_clear(&strings->work);
    *strings = (qp_strings){0};
}

/* Whether valid UTF-8 has no character of more than two bytes. */
static bool two_bytes_each(const unsigned char *data, size_t len)
{
    size_t i = 0;
    while (i < len && data[i] < 0xE0)
        i++;
    return i == len;
}

qp_str qp_strings_get(qp_strings *strings, const unsigned char *data, size_t size,
                      size_t text_at)
{
    const unsigned char *nul = size ? memchr(data, 0, size) : NULL;
    return qp_strings_all(strings, data, nul ? (size_t)(nul - data) : size, text_at);
}

qp_str qp_strings_all(qp_strings *strings, const unsigned char *data, size_t len,
                      size_t text_at)
{
    qp_reading *reading = strings->reading;
    qp_record *record = reading->record;
    size_t high = 0;
    while (high < len && data[high] < 0x80 && data[high] >= ' ')
        high++;
    if (high == len)
        return qp_arena_str(record->arena, (const char *)data, len);
    while (high < len && data[high] < 0x80)
        high++;
    qp_encoding encoding = reading->encoding;
    if (high == len) { /* ASCII is the same in all of them */
        encoding = QP_ENC_UTF8;
    } else {
        bool sure = true;
        if (encoding == QP_ENC_NONE)
            encoding = qp_detect(data, len, false, NULL, NULL, &sure);
        /* GBK's \xCA\xA4 (胜) is good UTF-8 too; but Chinese has three bytes a character
         * there, and no program of these formats writes it. */
        if (reading->encoding == QP_ENC_NONE && encoding == QP_ENC_UTF8 &&
            strings->last != QP_ENC_UTF8 && two_bytes_each(data + high, len - high))
            encoding = strings->last == QP_ENC_BIG5 ? QP_ENC_BIG5 : QP_ENC_GB18030;
        /* A short string can be anything: what those before it were decides. */
        if (!sure && len < 16 && strings->last != QP_ENC_NONE)
            encoding = strings->last;
        strings->last = encoding;
    }
    bool known = encoding == QP_ENC_UTF8 || encoding == QP_ENC_GB18030;
    qp_decoder *decoder =
        qp_source_decoder(reading->source, known ? encoding : QP_ENC_BIG5);
    if (decoder == NULL) {
        record->failed = true;
        return (qp_str){"", 0};
    }
    strings->work.len = 0;
    size_t bad =
        qp_decoder_all(decoder, (qp_str){(const char *)data, len}, &strings->work);
    if (bad != 0 && !strings->told_bad) {
        qp_record_report(record, QP_D_encoding_invalid, text_at, len, "bad-byte",
                         "%zu byte%s of this string %s no %s text and read as U+FFFD", bad,
                         bad == 1 ? "" : "s", bad == 1 ? "is" : "are",
                         qp_encoding_name(encoding));
        strings->told_bad = true;
    }
    return qp_arena_str(record->arena, strings->work.data ? strings->work.data : "",
                        strings->work.len);
}

qp_str qp_strings_utf16(qp_strings *strings, const unsigned char *data, size_t units,
                        size_t text_at)
{
    qp_record *record = strings->reading->record;
    size_t n = 0;
    bool bad = false;
    while (n < units && (data[2 * n] | data[2 * n + 1]) != 0)
        n++;
    strings->work.len = 0;
    if (!qp_buf_reserve(&strings->work, 3 * n)) {
        record->failed = true;
        return (qp_str){"", 0};
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t c = data[2 * i] | (uint32_t)data[2 * i + 1] << 8;
        char *out = strings->work.data + strings->work.len;
        if (c >= 0x800 && c < 0xD800) { /* nearly all */
            out[0] = (char)(0xE0 | c >> 12);
            out[1] = (char)(0x80 | (c >> 6 & 0x3F));
            out[2] = (char)(0x80 | (c & 0x3F));
            strings->work.len += 3;
            continue;
        }
        if (c < 0x80 && c != '\r') {
            *out = (char)c;
            strings->work.len++;
            continue;
        }
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < n) {
            uint32_t low = data[2 * i + 2] | (uint32_t)data[2 * i + 3] << 8;
            if (low >= 0xDC00 && low < 0xE000) {
                c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
                i++;
            }
        }
        if (c >= 0xD800 && c < 0xE000) {
            c = 0xFFFD;
            bad = true;
        }
        if (c == '\r') { /* LF line ends, as everywhere */
            if (i + 1 < n && data[2 * i + 2] == '\n' && data[2 * i + 3] == 0)
                continue;
            c = '\n';
        }
        char text[4];
        size_t len = qp_utf8_put(text, c);
        if (c != 0xFEFF || i != 0) /* a byte order mark */
            qp_buf_add(&strings->work, text, len);
    }
    if (n > 0)
        strings->last = QP_ENC_UTF16LE;
    if (bad && !strings->told_bad) {
        qp_record_report(record, QP_D_encoding_invalid, text_at, 2 * n, "bad-byte",
                         "a half of a surrogate pair stands alone and is read as U+FFFD");
        strings->told_bad = true;
    }
    return qp_arena_str(record->arena, strings->work.data ? strings->work.data : "",
                        strings->work.len);
}

/* ---- trees ---- */

size_t qp_node_limit(const qp_reading *reading)
{
    uint64_t limit = qp_context_limit(reading->context, QP_LIMIT_NODES);
    return limit < UINT32_MAX ? (size_t)limit : UINT32_MAX;
}

void qp_depth_first_init(qp_depth_first *tree, qp_reading *in)
{
    *tree = (qp_depth_first){.in = in, .record = in->record};
    if (in->spare_tree != 0 && in->record->event_count == 0)
        tree->line = qp_arena_alloc(in->record->arena, QP_LINE_MAX * sizeof *tree->line);
}

void qp_depth_first_flush(qp_depth_first *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        qp_record_squares(tree->record, tree->at + i * tree->len, tree->len, tree->line[i]);
    tree->line = NULL;
}

void qp_depth_first_clear(qp_depth_first *tree)
{
    qp_plies_free(tree->plies);
    *tree = (qp_depth_first){0};
}

void qp_depth_first_take(qp_depth_first *tree, const qp_move *moves, size_t count, size_t at,
                         size_t len)
{
    if (count == 0)
        return;
    if (tree->plies != NULL) {
        uint32_t first = qp_plies_run(tree->plies, tree->last, moves, count, at, len);
        tree->record->failed |= first == 0;
        tree->last = first + (uint32_t)count - 1;
        tree->nameless = false;
        tree->count += count;
        return;
    }
    if (tree->count == 0) {
        tree->first = moves[0];
        tree->at = at;
        tree->len = len;
    }
    if (tree->line != NULL && (count > QP_LINE_MAX - tree->count || len != tree->len ||
                               at != tree->at + tree->count * len))
        qp_depth_first_flush(tree);
    if (tree->line != NULL)
        memcpy(tree->line + tree->count, moves, count * sizeof *moves);
    for (size_t i = 0; tree->line == NULL && i < count; i++)
        qp_record_squares(tree->record, at + i * len, len, moves[i]);
    tree->count += count;
}

bool qp_depth_first_ply(qp_depth_first *tree, qp_move move, size_t at, size_t len,
                        qp_str comment, bool has_next, bool has_sibling)
{
    if (tree->ended && tree->owed_count == 0)
        return false;
    if (tree->line != NULL)
        qp_depth_first_flush(tree);
    if (tree->plies == NULL && (tree->plies = qp_plies_new()) == NULL) {
        tree->record->failed = true;
        return false;
    }
    uint32_t parent = tree->last;
    if (tree->ended) {
        uint32_t owed = qp_plies_owed(tree->plies);
        tree->owed_count--;
        parent = qp_plies_parent(tree->plies, owed);
    }
    uint32_t index = qp_plies_add(tree->plies, parent, move, at, len);
    if (index == 0) {
        tree->record->failed = true;
        return false;
    }
    if (comment.len != 0)
        qp_plies_comment(tree->plies, index, comment, at, len);
    if (has_sibling) {
        qp_plies_owe(tree->plies, index);
        tree->owed_count++;
    }
    tree->last = index;
    tree->nameless = move == 0;
    tree->count++;
    tree->ended = !has_next;
    return true;
}

/* The bytes themselves are no text. */
void qp_depth_first_words(qp_depth_first *tree, unsigned from, unsigned to)
{
    qp_plies_words(tree->plies, tree->last,
                   qp_arena_printf(tree->record->arena, "<%u-%u>", from & 0xFFu, to & 0xFFu));
}

size_t qp_depth_first_end(qp_depth_first *tree)
{
    if (tree->first != 0)
        qp_record_first_ply(tree->record, tree->first);
    const qp_squares squares = {.moves = tree->line, .step = sizeof *tree->line,
                                .count = tree->count, .at = tree->at, .apart = tree->len,
                                .len = tree->len};
    if (tree->line != NULL && tree->ended && !tree->record->broken &&
        qp_reading_spare_nodes(tree->in, &squares))
        return 0;
    if (tree->line != NULL)
        qp_depth_first_flush(tree);
    qp_record_settle(tree->record);
    if (tree->plies != NULL && tree->first != 0)
        qp_plies_tell_on(tree->plies, tree->record);
    else if (tree->plies != NULL)
        qp_plies_tell(tree->plies, tree->record);
    return tree->owed_count;
}

/* ---- writing ---- */

typedef struct lacking {
    qp_writing *writing;
    const char *what;
    bool told;
} lacking;

static const char *unmappable(void *user, size_t at, uint32_t code_point)
{
    lacking *l = user;
    char text[4];
    (void)at;
    if (l->told)
        return NULL;
    l->told = true;
    int len = (int)qp_utf8_put(text, code_point);
    qp_record_remark(l->writing->reports, QP_D_encoding_unmappable, NULL,
                     "%s lacks the character U+%04X %.*s of %s; it was replaced",
                     l->writing->encoding, (unsigned)code_point, len, text, l->what);
    return NULL;
}

size_t qp_writing_string(qp_writing *writing, qp_str text, size_t max, const char *what,
                         qp_buf *out)
{
    lacking l = {writing, what, false};
    size_t before = out->len, cut = text.len;
    /* No character of UTF-8 has more than four bytes, and none is written as less than one:
     * what lies further on need not be encoded to be cut. */
    if (max < SIZE_MAX / 8 && cut > 4 * max + 4) {
        cut = 4 * max + 4;
        while (cut > 0 && ((unsigned char)text.data[cut] & 0xC0) == 0x80)
            cut--;
    }
    qp_encoder_add(writing->encoder, (qp_str){text.data, cut}, out, "?", unmappable, &l);
    while (out->len - before > max) { /* too long: whole characters fewer */
        cut -= cut > 0;
        while (cut > 0 && ((unsigned char)text.data[cut] & 0xC0) == 0x80)
            cut--;
        out->len = before;
        l.told = true;
        qp_encoder_add(writing->encoder, (qp_str){text.data, cut}, out, "?", unmappable, &l);
    }
    if (cut < text.len)
        qp_writing_loss(writing, "tag-length", 1, NULL, "%s is cut to %zu bytes", what, max);
    return out->len - before;
}

void qp_put_u8(qp_buf *out, unsigned value)
{
    qp_buf_add_char(out, (char)value);
}

void qp_put_u16(qp_buf *out, unsigned value)
{
    qp_put_u8(out, value & 0xFF);
    qp_put_u8(out, value >> 8 & 0xFF);
}

void qp_put_u32(qp_buf *out, uint32_t value)
{
    qp_put_u16(out, value & 0xFFFF);
    qp_put_u16(out, value >> 16);
}

void qp_set_u32(qp_buf *out, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4 && at + i < out->len; i++)
        out->data[at + i] = (char)(value >> 8 * i & 0xFF);
}

/* Whether it names two squares. */
static bool told(const qp_node *node)
{
    return QP_FROM(node->move) != QP_TO(node->move);
}

/* What replaces the node's position next: the main ply's first alternative, an
 * alternative's sibling. */
static const qp_node *beside_of(const qp_node *node)
{
    node = !node->aside ? qp_node_alternative(node) : qp_node_sibling(node);
    while (node != NULL && !told(node))
        node = qp_node_sibling(node);
    return node;
}

static qp_flagged flags_of(const qp_node *node, bool main_line)
{
    if (node == NULL || !told(node))
        return (qp_flagged){0};
    return (qp_flagged){.node = node,
                        .has_next = node->next != NULL && told(node->next),
                        .has_sibling = !main_line && beside_of(node) != NULL};
}

qp_flagged qp_flagged_first(const qp_game *game, bool main_line)
{
    return flags_of(game->first, main_line);
}

qp_flagged qp_flagged_next(qp_flagged at, bool main_line, qp_buf *stack)
{
    if (at.has_sibling)
        qp_buf_add(stack, &at.node, sizeof at.node);
    if (at.has_next)
        return flags_of(at.node->next, main_line);
    const qp_node *owed = NULL;
    if (stack->len < sizeof owed)
        return (qp_flagged){0};
    stack->len -= sizeof owed;
    memcpy(&owed, stack->data + stack->len, sizeof owed);
    return flags_of(beside_of(owed), main_line);
}

/* A line end between two comments of one place. */
static void part(qp_buf *out, size_t from)
{
    if (out->len != from)
        qp_buf_add_char(out, '\n');
}

static void join(qp_buf *out, size_t from, const qp_comment *comment)
{
    for (; comment != NULL; comment = comment->next)
        if (comment->text.len != 0) {
            part(out, from);
            qp_buf_add_str(out, comment->text);
        }
}

bool qp_flagged_comment(const qp_game *game, const qp_node *node, bool main_line, qp_buf *out)
{
    size_t from = out->len;
    const qp_extra *extra = node != NULL ? node->extra : NULL;
    const qp_node *next = node != NULL ? node->next : game->first;
    const qp_comment *before = extra != NULL ? extra->before : NULL,
                     *after = node == NULL    ? game->comments
                              : extra != NULL ? extra->after
                                              : NULL;
    size_t texts = 0;
    for (const qp_comment *c = after; c != NULL; c = c->next)
        texts += c->text.len != 0;
    join(out, from, before);
    bool changed = texts > 1 || out->len != from;
    join(out, from, after);
    if (next != NULL && !told(next)) { /* with the other moves of its position */
        part(out, from);
        qp_writing_rest(next, out);
    } else if (next != NULL && !main_line) {
        for (const qp_node *a = qp_node_alternative(next); a != NULL; a = qp_node_sibling(a))
            if (!told(a)) {
                part(out, from);
                qp_writing_rest(a, out);
            }
    }
    return changed;
}
