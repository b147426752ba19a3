/* What is left out of the text: games whose moves the user reads from the bytes. The decoding
 * around them stands in blocks.c. */
#include "config.h"

#include "text/inside.h"

void qp_source_skim(qp_source *source, qp_skim_fn skim, void *user, bool passes)
{
    source->inside->skim = skim;
    source->inside->passes = passes;
    source->inside->skim_user = user;
}

const qp_kept_gap *qp_inside_gap(const struct qp_source_inside *in, uint64_t text)
{
    size_t low = 0, high = in->gap_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (in->gaps[middle].at < text)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->gap_count && in->gaps[low].at == text ? &in->gaps[low] : NULL;
}

bool qp_source_gap(const qp_source *source, size_t at, size_t *on, uint32_t *index)
{
    const struct qp_source_inside *in = source->inside;
    uint64_t start = in->out_base + in->out_start;
    /* One at the start belongs to the record before. */
    const qp_kept_gap *gap = at != 0 ? qp_inside_gap(in, start + at) : NULL;
    if (gap == NULL)
        return false;
    *on = (size_t)(gap->on - start);
    *index = (uint32_t)(gap - in->gaps);
    return true;
}

size_t qp_source_decode(qp_source *source, qp_encoding encoding, const unsigned char *p,
                        size_t n, char *out, size_t room)
{
    enum { SHORT = 32 };
    qp_decoder *decoder = qp_inside_decoder(source->inside, encoding);
    const unsigned char *end = p + n;
    size_t len = 0, put;
    qp_step_kind kind;
    _Static_assert(QP_DECODE_ROOM(0) >= QP_LOAD_SLACK, "what a run may touch");
    if (decoder != NULL && n <= SHORT && room < QP_DECODE_ROOM(n)) { /* mostly all of it is plain */
        char run[3 * SHORT + QP_LOAD_SLACK], *to = run;
        uint32_t lines = 0;
        qp_decoder_run(decoder, &p, end, end, &to, &lines);
        len = (size_t)(to - run);
        if (len > room)
            return 0;
        memcpy(out, run, len);
    }
    while (decoder != NULL && p < end) {
        char item[QP_STEP_ROOM], *to = out + len;
        uint32_t lines = 0;
        if (room - len >= QP_DECODE_ROOM((size_t)(end - p))) {
            qp_decoder_run(decoder, &p, end, end, &to, &lines);
            len = (size_t)(to - out);
            if (p >= end)
                break;
        }
        p += qp_decoder_step(decoder, p, end, item, &put, &kind);
        if (kind != QP_STEP_TEXT || put > room - len)
            return 0;
        memcpy(out + len, item, put);
        len += put;
    }
    return len;
}

bool qp_source_clean(qp_source *source, qp_encoding encoding, const unsigned char *p, size_t n)
{
    qp_decoder *decoder = qp_inside_decoder(source->inside, encoding);
    return decoder != NULL && qp_decoder_clean(decoder, p, p + n);
}

bool qp_source_fits(const qp_source *source, qp_encoding encoding, const unsigned char *p,
                    size_t n)
{
    const struct qp_source_inside *in = source->inside;
    size_t high = 0;
    if (encoding == QP_ENC_NONE) {
        while (high < n && p[high] < 0x80)
            high++;
        return high == n;
    }
    return !in->checked || encoding == QP_ENC_UTF8 ||
           qp_detect_change(encoding, p, n, !in->eof) == encoding;
}

bool qp_source_silent(const qp_source *source, size_t upto)
{
    const struct qp_source_inside *in = source->inside;
    for (size_t i = in->note_first; i < in->note_count; i++)
        if (!in->notes[i].lent && in->notes[i].at < in->out_base + in->out_start + upto)
            return false;
    return true;
}

void qp_source_pass_lines(qp_source *source)
{
    do {
        size_t n = 0;
        while (n < source->len && source->text[n] == '\n')
            n++;
        if (!qp_source_silent(source, n))
            return;
        if (n != 0)
            qp_source_next(source, n);
    } while (source->len == 0 && qp_source_more(source));
}

void qp_source_here(const qp_source *source, qp_source_stand *stand, bool *told)
{
    const struct qp_source_inside *in = source->inside;
    *stand = (qp_source_stand){.byte = in->raw_base + in->raw_at,
                               .line = in->line,
                               .encoding = (uint8_t)in->encoding,
                               .checked = in->checked,
                               .spoken = in->spoken,
                               .told = in->told};
    *told = in->note_first < in->note_count;
}
