/* The source: reads blocks through a callback, has them decoded (blocks.c), and keeps the
 * window that belongs to the record in hand: its bytes on disk and its
 * text. */
#include "config.h"

#include "text/inside.h"

#include <errno.h>
#include <stdlib.h>

enum {
    FIRST_ROOM = 16 * 1024, /* most files are small */
    LINE_BACK = 2048,       /* how much of the record's first line is kept before it */
};

bool qp_inside_room(void **array, size_t *room, size_t count, size_t size)
{
    if (QP_LIKELY_TO(count < *room))
        return true;
    size_t more = *room ? *room * 2 : 16;
    void *grown = more < SIZE_MAX / 2 / size ? realloc(*array, more * size) : NULL;
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

qp_decoder *qp_inside_decoder(struct qp_source_inside *in, qp_encoding encoding)
{
    qp_decoder *decoder = &in->decoders[encoding];
    if (!in->decoder_ready[encoding])
        in->decoder_ready[encoding] = qp_decoder_init(decoder, encoding);
    return in->decoder_ready[encoding] ? decoder : NULL;
}

qp_decoder *qp_source_decoder(qp_source *source, qp_encoding encoding)
{
    return qp_inside_decoder(source->inside, encoding);
}

static bool open_in(qp_source *source, qp_read_fn read, void *user, qp_encoding encoding,
                    qp_text_judge judge, void *judge_user)
{
    struct qp_source_inside *in = source->inside;
    if (in == NULL && (in = calloc(1, sizeof *in)) == NULL)
        return false;
    *source = (qp_source){.text = "", .inside = in};
    in->read = read;
    in->user = user;
    in->judge = judge;
    in->judge_user = judge_user;
    in->encoding = in->first = encoding;
    in->checked = encoding == QP_ENC_NONE;
    in->until = in->spoken_at = in->told_at = in->passed_at = UINT64_MAX;
    source->encoding = encoding;
    return true;
}

bool qp_source_open(qp_source *source, qp_read_fn read, void *user, qp_encoding encoding,
                    qp_text_judge judge, void *judge_user)
{
    *source = (qp_source){.text = ""};
    return open_in(source, read, user, encoding, judge, judge_user);
}

bool qp_source_open_at(qp_source *source, qp_read_fn read, void *user,
                       const qp_source_stand *stand, uint64_t until, qp_text_judge judge,
                       void *judge_user)
{
    if (!open_in(source, read, user, (qp_encoding)stand->encoding, judge, judge_user))
        return false;
    struct qp_source_inside *in = source->inside;
    in->begun = stand->byte != 0;
    in->raw_base = stand->byte;
    in->line = stand->line;
    in->checked = stand->checked;
    in->spoken = stand->spoken;
    in->told = stand->told;
    in->spoken_at = stand->spoken ? 0 : UINT64_MAX;
    in->told_at = stand->told ? 0 : UINT64_MAX;
    in->until = until;
    source->had_bytes = stand->byte != 0;
    return true;
}

void qp_source_close(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    if (in != NULL) {
        for (size_t i = 0; i < QP_COUNT(in->decoders); i++)
            qp_decoder_clear(&in->decoders[i]);
        free(in->raw);
        free(in->out);
        free(in->marks);
        free(in->notes);
        free(in->lent);
        free(in->changes);
        free(in->gaps);
        free(in);
    }
    memset(source, 0, sizeof *source);
}

/* Frees what is too large to lie about. */
static void let_large(void **data, size_t *room, size_t size)
{
    if (*room <= QP_REST_ROOM / size)
        return;
    free(*data);
    *data = NULL;
    *room = 0;
}

void qp_source_rest(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    if (in != NULL) {
        let_large((void **)&in->raw, &in->raw_room, 1);
        let_large((void **)&in->out, &in->out_room, 1);
        let_large((void **)&in->marks, &in->mark_room, sizeof *in->marks);
        let_large((void **)&in->notes, &in->note_room, sizeof *in->notes);
        let_large((void **)&in->lent, &in->lent_room, sizeof *in->lent);
        let_large((void **)&in->changes, &in->change_room, sizeof *in->changes);
        let_large((void **)&in->gaps, &in->gap_room, sizeof *in->gaps);
        struct qp_source_inside rest = {
            .raw = in->raw,
            .raw_room = in->raw_room,
            .out = in->out,
            .out_room = in->out_room,
            .marks = in->marks,
            .mark_room = in->mark_room,
            .notes = in->notes,
            .note_room = in->note_room,
            .lent = in->lent,
            .lent_room = in->lent_room,
            .changes = in->changes,
            .change_room = in->change_room,
            .gaps = in->gaps,
            .gap_room = in->gap_room,
        };
        memcpy(rest.decoders, in->decoders, sizeof rest.decoders);
        memcpy(rest.decoder_ready, in->decoder_ready, sizeof rest.decoder_ready);
        *in = rest;
    }
    *source = (qp_source){.inside = in};
}

/* ---- the window ---- */

/* Whether the bytes between two marks are the text that they became. */
static bool is_same(const struct qp_source_inside *in, const qp_text_mark *mark)
{
    uint64_t len = mark[1].text - mark->text;
    return (mark->encoding == QP_ENC_UTF8 || mark->encoding == QP_ENC_NONE) &&
           len == mark[1].raw - mark->raw &&
           memcmp(in->out + (mark->text - in->out_base), in->raw + (mark->raw - in->raw_base),
                  (size_t)len) == 0;
}

/* From where on the bytes on disk are needed, that being so for the text from a mark on. Those
 * of a long record are kept once, where they are its text. */
static size_t raw_needed(struct qp_source_inside *in, size_t mark)
{
    enum { LONG = 256 * 1024 };
    if (in->same_to < mark)
        in->same_to = mark;
    if (in->raw_base + in->raw_at - in->marks[mark].raw > LONG)
        for (; in->same_to + 1 < in->mark_count; in->same_to++) {
            qp_text_mark *next = &in->marks[in->same_to];
            next->same = is_same(in, next);
            if (!next->same)
                break;
        }
    return (size_t)(in->marks[in->same_to].raw - in->raw_base);
}

/* Moves what is still needed to the front of both windows, where that is the smaller
 * part; so every byte is moved less than once on the average. */
static void forget(struct qp_source_inside *in)
{
    size_t keep = in->out_start, back = keep < LINE_BACK ? keep : LINE_BACK;
    /* What ends before the record tells where that begins, but for games that are left out. */
    keep -= keep != 0 && in->passed_at != in->out_base + in->out_start;
    while (keep > in->out_start - back && in->out[keep - 1] != '\n')
        keep--;
    size_t mark = in->mark_count ? qp_inside_mark(in, in->out_base + keep) : 0;
    size_t raw_keep = in->raw_at;
    if (in->mark_count > 0) {
        keep = (size_t)(in->marks[mark].text - in->out_base);
        raw_keep = raw_needed(in, mark);
    }
    if (keep > in->out_len - keep) {
        memmove(in->out, in->out + keep, in->out_len - keep);
        in->out_len -= keep;
        in->out_start -= keep;
        in->out_base += keep;
    }
    if (raw_keep > in->raw_len - raw_keep) {
        memmove(in->raw, in->raw + raw_keep, in->raw_len - raw_keep);
        in->raw_len -= raw_keep;
        in->raw_at -= raw_keep;
        in->raw_base += raw_keep;
    }
    if (mark > in->mark_count / 2) {
        memmove(in->marks, in->marks + mark, (in->mark_count - mark) * sizeof *in->marks);
        in->mark_count -= mark;
        in->same_to -= mark;
    }
}

bool qp_inside_widen(void **data, size_t *room, size_t len, size_t more)
{
    if (QP_LIKELY_TO(*room >= len + more + QP_LOAD_SLACK))
        return true;
    size_t size = *room ? *room : FIRST_ROOM;
    while (size < len + more + QP_LOAD_SLACK) {
        if (size > SIZE_MAX / 4)
            return false;
        size *= 2;
    }
    void *grown = realloc(*data, size);
    if (grown == NULL)
        return false;
    memset((char *)grown + *room, 0, *room ? 0 : QP_LOAD_SLACK);
    *data = grown;
    *room = size;
    return true;
}

/* How many raw bytes are to wait for the decoder. */
static size_t block_size(const struct qp_source_inside *in)
{
    uint64_t at = in->raw_base + in->raw_at;
    uint64_t own = in->until > at ? in->until - at : 0;
    if (at == 0) /* the first shows the encoding; see blocks.c */
        return QP_BLOCK;
    return own < QP_BLOCK - QP_BLOCK_PAST ? (size_t)own + QP_BLOCK_PAST : QP_BLOCK;
}

/* Reads until a block waits, or the file ends. */
static bool fill(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    size_t block = block_size(in);
    while (!in->eof && in->raw_len - in->raw_at < block) {
        size_t want = block - (in->raw_len - in->raw_at);
        size_t free_room = in->raw_room > in->raw_len + QP_LOAD_SLACK
                               ? in->raw_room - in->raw_len - QP_LOAD_SLACK
                               : 0;
        if (free_room == 0 &&
            !qp_inside_widen((void **)&in->raw, &in->raw_room, in->raw_len, 1))
            return false;
        if (free_room == 0)
            continue;
        if (want > free_room)
            want = free_room;
        ptrdiff_t n = in->read(in->user, in->raw + in->raw_len, want);
        if (n < 0 || (size_t)n > want) {
            source->error = errno;
            return false;
        }
        in->eof = n == 0;
        in->raw_len += (size_t)n;
        source->had_bytes |= n > 0;
    }
    if (in->raw != NULL)
        memset(in->raw + in->raw_len, 0, QP_LOAD_SLACK);
    return true;
}

qp_str qp_source_head(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    if (!fill(source))
        source->lost = true;
    return (qp_str){(const char *)in->raw, in->raw_len < QP_HEAD ? in->raw_len : QP_HEAD};
}

void qp_source_set_binary(qp_source *source)
{
    source->inside->encoding = QP_ENC_BINARY;
    source->inside->checked = false;
    source->inside->begun = true;
    source->encoding = QP_ENC_BINARY;
}

/* A binary format's text is the file itself. */
static void show_binary(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    source->text = (const char *)in->raw + in->out_start;
    source->len = in->raw_at - in->out_start;
}

static void show(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    if (in->encoding == QP_ENC_BINARY) {
        show_binary(source);
        return;
    }
    bool first = source->len == 0;
    source->text = in->out ? in->out + in->out_start : "";
    source->len = in->out_len - in->out_start;
    if (first && source->len > 0)
        source->encoding = qp_source_encoding_at(source, 0);
}

/* The same as forget for a binary file, which has no second window. */
static void forget_binary(struct qp_source_inside *in)
{
    size_t keep = in->out_start;
    if (keep > in->raw_len - keep) {
        memmove(in->raw, in->raw + keep, in->raw_len - keep);
        in->raw_len -= keep;
        in->raw_at -= keep;
        in->raw_base += keep;
        in->out_start = 0;
    }
}

bool qp_source_more(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    size_t before = source->len;
    while (!source->ended && !source->lost) {
        if (in->encoding == QP_ENC_BINARY)
            forget_binary(in);
        else if (in->out != NULL)
            forget(in);
        source->lost = !fill(source) || !qp_inside_decode_block(in);
        show(source);
        source->ended = !source->lost && in->eof && in->raw_at == in->raw_len;
        if (source->len > before)
            return true;
    }
    return false;
}

qp_str qp_source_waiting(qp_source *source)
{
    enum { SEEN = 256 };
    struct qp_source_inside *in = source->inside;
    if (in->skim == NULL || in->out == NULL || source->lost)
        return (qp_str){"", 0};
    if (in->raw_len - in->raw_at < SEEN && !in->eof) {
        forget(in);
        source->lost = !fill(source);
        show(source);
    }
    return (qp_str){(const char *)in->raw + in->raw_at, in->raw_len - in->raw_at};
}

size_t qp_source_line_end(qp_source *source, size_t at, size_t limit)
{
    size_t from = at;
    for (;;) {
        size_t stop = source->len - at > limit ? at + limit : source->len;
        const char *found =
            from < stop ? memchr(source->text + from, '\n', stop - from) : NULL;
        if (found != NULL)
            return (size_t)(found - source->text);
        if (source->len - at > limit || !qp_source_more(source))
            return stop;
        from = stop;
    }
}
