/* From the text back to the file: where a span lies, and what happened in it. */
#include "config.h"

#include "text/inside.h"

#include <stdlib.h>

enum {
    SHOWN = 1024,      /* bytes of a line that are shown on either side of a span */
    NOTE_LIMIT = 8192, /* notes held at a time; more of them are counted in the last */
};

size_t qp_inside_mark(const struct qp_source_inside *in, uint64_t text)
{
    size_t low = 0, high = in->mark_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (in->marks[middle].text <= text)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* An item of the text, and where it lies. */
typedef struct spot {
    uint64_t raw, raw_end; /* the item, in the file */
    uint64_t text;         /* where it begins */
    uint32_t line, column; /* both from 0 */
    size_t mark;
} spot;

/* Passes over what stands before a text offset as long as it is plain, some bytes at a
 * time, fewer of them near the offset. */
static void run_to(qp_decoder *decoder, const unsigned char **p,
                   const unsigned char *stop, const unsigned char *end, uint64_t text,
                   spot *to)
{
    enum { MOST = 64, LEAST = 4 };
    char out[3 * MOST + QP_STEP_ROOM + QP_LOAD_SLACK];
    ptrdiff_t some = MOST;
    for (;;) {
        while (some >= LEAST &&
               !(stop - *p > some && text - to->text > 3 * (uint64_t)some + QP_STEP_ROOM))
            some /= 4;
        if (some < LEAST)
            return;
        const unsigned char *from = *p;
        char *put = out;
        uint32_t lines = 0;
        qp_decoder_run(decoder, p, from + some, end, &put, &lines);
        if (*p == from)
            return;
        to->text += (uint64_t)(put - out);
        to->line += lines;
        if (lines != 0)
            to->column = 0;
        const char *line = put;
        while (line > out && line[-1] != '\n')
            to->column += ((unsigned char)*--line & 0xC0) != 0x80;
    }
}

/* Walks the items of the piece that holds a text offset, up to the one that holds it; on
 * from the spot before, where that is one. */
static void walk_to(struct qp_source_inside *in, uint64_t text, spot *to, bool on)
{
    size_t index = qp_inside_mark(in, text);
    const qp_text_mark *mark = &in->marks[index];
    qp_decoder *decoder = qp_inside_decoder(in, (qp_encoding)mark->encoding);
    const unsigned char *piece, *stop = in->raw + in->raw_at, *end = in->raw + in->raw_len;
    if (mark->same) {
        piece = (const unsigned char *)in->out + (mark->text - in->out_base);
        end = (const unsigned char *)in->out + in->out_len;
    } else {
        piece = in->raw + (mark->raw - in->raw_base);
    }
    if (index + 1 < in->mark_count) {
        stop = piece + (mark[1].raw - mark->raw);
        if (mark[1].hard)
            end = stop;
    }
    if (!on || to->mark != index)
        *to = (spot){.raw = mark->raw,
                     .text = mark->text,
                     .line = mark->line,
                     .column = mark->column,
                     .mark = index};
    const unsigned char *p = piece + (to->raw - mark->raw);
    while (decoder != NULL && p < stop) {
        char out[QP_STEP_ROOM];
        size_t put;
        qp_step_kind kind;
        run_to(decoder, &p, stop, end, text, to);
        size_t used = qp_decoder_step(decoder, p, end, out, &put, &kind);
        if (text - to->text < put) {
            to->raw = mark->raw + (uint64_t)(p - piece);
            to->raw_end = to->raw + used;
            return;
        }
        for (size_t i = 0; i < put; i++)
            to->column += ((unsigned char)out[i] & 0xC0) != 0x80;
        if (put == 1 && *out == '\n') {
            to->line++;
            to->column = 0;
        }
        to->text += put;
        p += used;
    }
    to->raw = to->raw_end = mark->raw + (uint64_t)(p - piece);
}

/* The byte at which a place of the text begins: behind what was left out there, else where the
 * text before it ends. What stands before games that were passed over is not at hand any more. */
static uint64_t byte_of(struct qp_source_inside *in, uint64_t text)
{
    spot last;
    if (in->passed_at == text)
        return in->passed_raw;
    const qp_kept_gap *gap = qp_inside_gap(in, text);
    if (gap != NULL)
        return gap->raw;
    if (text <= in->marks[0].text)
        return in->marks[0].raw;
    walk_to(in, text - 1, &last, false);
    return last.raw_end;
}

static bool inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

void qp_source_locate(qp_source *source, size_t at, size_t len, qp_place *place)
{
    struct qp_source_inside *in = source->inside;
    memset(place, 0, sizeof *place);
    at = at < source->len ? at : source->len;
    len = len < source->len - at ? len : source->len - at;
    if (in->encoding == QP_ENC_BINARY) {
        place->byte = in->raw_base + in->out_start + at;
        place->byte_end = place->byte + len;
        return;
    }
    place->line = place->column = 1;
    place->source.data = "";
    if (in->mark_count == 0)
        return;
    spot here, last;
    walk_to(in, in->out_base + in->out_start + at, &here, false);
    place->byte = place->byte_end = here.raw;
    place->line = here.line + 1;
    place->column = here.column + 1;
    uint64_t text = in->out_base + in->out_start + at;
    if (len > 0) {
        last = here;
        walk_to(in, text + len - 1, &last, true);
        place->byte_end = last.raw_end;
    } else { /* an empty span holds what was passed over there */
        place->byte = byte_of(in, text);
    }
    size_t offset = in->out_start + at, first = offset;
    size_t least = offset > SHOWN ? offset - SHOWN : 0;
    while (first > least && in->out[first - 1] != '\n')
        first--;
    while (first < offset && inside_character(in->out[first]))
        first++;
    size_t most = in->out_len - offset < len + SHOWN ? in->out_len : offset + len + SHOWN;
    if (most - offset > 2 * SHOWN)
        most = offset + 2 * SHOWN;
    const char *line_end = memchr(in->out + offset, '\n', most - offset);
    if (line_end != NULL)
        most = (size_t)(line_end - in->out);
    else
        while (most > offset && most < in->out_len && inside_character(in->out[most]))
            most--;
    place->source = (qp_str){in->out + first, most - first};
    place->source_at = offset - first;
}

qp_encoding qp_source_encoding_at(qp_source *source, size_t at)
{
    struct qp_source_inside *in = source->inside;
    if (in->encoding == QP_ENC_BINARY || in->mark_count == 0)
        return in->encoding;
    uint64_t text = in->out_base + in->out_start + at;
    return (qp_encoding)in->marks[qp_inside_mark(in, text)].encoding;
}

/* The encoding that was in use for what stands before a place of the text. */
static qp_encoding in_use_at(const struct qp_source_inside *in, uint64_t text)
{
    qp_encoding found = in->first;
    for (size_t i = 0; i < in->change_count && in->changes[i].at < text; i++)
        found = in->changes[i].to;
    return found;
}

/* A part of a file begins here: what was passed over between two records belongs to the
 * second. */
void qp_source_stand_at(qp_source *source, size_t at, bool ahead, qp_source_stand *stand)
{
    struct qp_source_inside *in = source->inside;
    uint64_t text = in->out_base + in->out_start + (at < source->len ? at : source->len);
    *stand =
        (qp_source_stand){.byte = in->raw_base, .line = in->line, .checked = in->checked};
    if (in->mark_count > 0) {
        spot here;
        walk_to(in, text, &here, false);
        stand->byte = byte_of(in, text);
        stand->line = here.line;
        stand->inside = here.column != 0 &&
                        (at < source->len ? source->text[at] != '\n' : !source->ended);
    }
    stand->encoding = (uint8_t)(ahead ? in->encoding : in_use_at(in, text));
    stand->spoken = ahead ? in->spoken : in->spoken_at <= text;
    stand->told = ahead ? in->told : in->told_at <= text;
}

bool qp_source_past(qp_source *source, size_t at, uint64_t byte)
{
    struct qp_source_inside *in = source->inside;
    if (in->encoding == QP_ENC_BINARY || in->mark_count == 0)
        return false;
    uint64_t text = in->out_base + in->out_start + (at < source->len ? at : source->len);
    size_t mark = qp_inside_mark(in, text);
    if (in->marks[mark].raw >= byte)
        return true;
    uint64_t end =
        mark + 1 < in->mark_count ? in->marks[mark + 1].raw : in->raw_base + in->raw_at;
    if (end < byte)
        return false;
    qp_source_stand stand;
    qp_source_stand_at(source, at, false, &stand);
    return stand.byte >= byte;
}

/* Whether a note goes on with what the one before it told. */
static bool goes_on(const qp_kept_note *last, const qp_text_note *note, uint64_t at,
                    uint32_t line)
{
    if (last->lent || last->note.code != note->code)
        return false;
    if (note->code == QP_D_encoding_junk) /* with text between, it may be another record's */
        return at == last->end;
    return note->code == QP_D_encoding_invalid && last->line == line &&
           strcmp(last->note.detail, note->detail) == 0;
}

void qp_inside_note(struct qp_source_inside *in, qp_text_note note, uint64_t at,
                    size_t len)
{
    size_t held = in->note_count - in->note_first;
    if (held > 0) {
        qp_kept_note *last = &in->notes[in->note_count - 1];
        bool same = goes_on(last, &note, at, in->line);
        if (same || held >= NOTE_LIMIT) {
            last->note.count++;
            if (same)
                last->end = at + len;
            return;
        }
    }
    if (!qp_inside_room((void **)&in->notes, &in->note_room, in->note_count,
                        sizeof *in->notes)) {
        in->failed = true;
        return;
    }
    size_t i = in->note_count++;
    for (; i > in->note_first && in->notes[i - 1].at > at; i--)
        in->notes[i] = in->notes[i - 1];
    in->notes[i] =
        (qp_kept_note){.note = note, .at = at, .end = at + len, .line = in->line};
    in->notes[i].note.count = 1;
}

const qp_text_note *qp_source_notes(qp_source *source, size_t upto, size_t *count)
{
    struct qp_source_inside *in = source->inside;
    uint64_t start = in->out_base + in->out_start;
    bool all = upto == SIZE_MAX;
    size_t junk = SIZE_MAX; /* the index of its note: told once a record */
    *count = 0;
    for (size_t i = in->note_first; i < in->note_count; i++) {
        qp_kept_note *kept = &in->notes[i];
        if (!all && kept->at >= start + upto)
            break;
        if (kept->lent && kept->at < start)
            continue;
        if (junk != SIZE_MAX && kept->note.code == QP_D_encoding_junk) {
            kept->lent = true;
            in->lent[junk].count += kept->note.count;
            continue;
        }
        if (!qp_inside_room((void **)&in->lent, &in->lent_room, *count, sizeof *in->lent))
            break;
        kept->lent = true;
        kept->note.at = kept->at > start ? (size_t)(kept->at - start) : 0;
        kept->note.len =
            kept->end > start + kept->note.at && kept->note.code != QP_D_encoding_junk
                ? (size_t)(kept->end - start - kept->note.at)
                : 0;
        in->lent[*count] = kept->note;
        if (kept->note.code == QP_D_encoding_junk)
            junk = *count;
        ++*count;
    }
    return in->lent;
}

void qp_source_next(qp_source *source, size_t used)
{
    struct qp_source_inside *in = source->inside;
    used = used < source->len ? used : source->len;
    in->out_start += used;
    source->text += used;
    source->len -= used;
    in->at_record = source->len == 0;
    if (in->encoding == QP_ENC_BINARY)
        return;
    uint64_t start = in->out_base + in->out_start;
    size_t over = 0;
    while (over < in->change_count && in->changes[over].at < start)
        in->first = in->changes[over++].to;
    if (over > 0) {
        in->change_count -= over;
        memmove(in->changes, in->changes + over, in->change_count * sizeof *in->changes);
    }
    while (in->note_first < in->note_count && in->notes[in->note_first].lent &&
           in->notes[in->note_first].at < start)
        in->note_first++;
    if (in->note_first == in->note_count)
        in->note_first = in->note_count = 0;
    if (source->len > 0)
        source->encoding = qp_source_encoding_at(source, 0);
}
