/* The source: reads blocks through a callback, finds the encoding, decodes, and keeps the
 * window that belongs to the record in hand.
 *
 * Files that mix encodings do so game by game (two collections pasted together), so text is
 * decoded game by game: a game begins at a tag line that follows a line which is none, or at
 * a byte order mark. LF, CR and [ at the start of a line are safe to look for in raw bytes:
 * none of the encodings that extend ASCII has a line end inside a character.
 */
#include "config.h"

#include "text/inside.h"

#include <errno.h>
#include <stdlib.h>

enum {
    BLOCK = 128 * 1024,     /* raw bytes that are decoded at a time */
    FIRST_ROOM = 16 * 1024, /* most files are small */
    PIECE = 1024,           /* raw bytes between two marks */
    MARK_APART = 256,       /* the least, where nothing else asks for a mark */
    LINE_BACK = 2048,       /* how much of the record's first line is kept before it */
    LOOKED_AT = 32 * 1024,  /* bytes that the first guess is made from */
    HEAD = 4096,
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

bool qp_source_open(qp_source *source, qp_read_fn read, void *user, qp_encoding encoding,
                    qp_text_judge judge, void *judge_user)
{
    memset(source, 0, sizeof *source);
    source->text = "";
    struct qp_source_inside *in = calloc(1, sizeof *in);
    source->inside = in;
    if (in == NULL)
        return false;
    in->read = read;
    in->user = user;
    in->judge = judge;
    in->judge_user = judge_user;
    in->encoding = encoding;
    in->checked = encoding == QP_ENC_NONE;
    source->encoding = encoding;
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
        free(in);
    }
    memset(source, 0, sizeof *source);
}

/* ---- the window ---- */

/* Moves what is still needed to the front of both windows, where that is the smaller part;
 * so every byte is moved less than once on the average. */
static void forget(struct qp_source_inside *in)
{
    size_t keep = in->out_start, back = keep < LINE_BACK ? keep : LINE_BACK;
    while (keep > in->out_start - back && in->out[keep - 1] != '\n')
        keep--;
    size_t mark = in->mark_count ? qp_inside_mark(in, in->out_base + keep) : 0;
    size_t raw_keep = in->raw_at;
    if (in->mark_count > 0) {
        keep = (size_t)(in->marks[mark].text - in->out_base);
        raw_keep = (size_t)(in->marks[mark].raw - in->raw_base);
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
    }
}

/* Grows a window so that more bytes fit behind len, and the slack of wide loads. */
static bool widen(void **data, size_t *room, size_t len, size_t more)
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

/* Reads until a block waits, or the file ends. */
static bool fill(qp_source *source)
{
    struct qp_source_inside *in = source->inside;
    while (!in->eof && in->raw_len - in->raw_at < BLOCK) {
        size_t want = BLOCK - (in->raw_len - in->raw_at);
        size_t free_room = in->raw_room > in->raw_len + QP_LOAD_SLACK
                               ? in->raw_room - in->raw_len - QP_LOAD_SLACK : 0;
        if (free_room == 0 && !widen((void **)&in->raw, &in->raw_room, in->raw_len, 1))
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
    return (qp_str){(const char *)in->raw, in->raw_len < HEAD ? in->raw_len : HEAD};
}

void qp_source_set_binary(qp_source *source)
{
    source->inside->encoding = QP_ENC_BINARY;
    source->inside->checked = false;
    source->inside->begun = true;
    source->encoding = QP_ENC_BINARY;
}

/* ---- decoding ---- */

/* Characters of the current line before the end of the text. */
static uint32_t column_now(const struct qp_source_inside *in)
{
    if (in->mark_count == 0)
        return 0;
    const qp_text_mark *last = &in->marks[in->mark_count - 1];
    size_t first = (size_t)(last->text - in->out_base), at = in->out_len;
    uint32_t column = 0;
    while (at > first && in->out[at - 1] != '\n')
        column += ((unsigned char)in->out[--at] & 0xC0) != 0x80;
    return at > first ? column : column + last->column;
}

static bool add_mark(struct qp_source_inside *in, bool hard)
{
    uint64_t raw = in->raw_base + in->raw_at;
    const qp_text_mark *last = in->mark_count ? &in->marks[in->mark_count - 1] : NULL;
    if (last != NULL && !hard && last->encoding == in->encoding &&
        raw - last->raw < MARK_APART)
        return true;
    if (!qp_inside_room((void **)&in->marks, &in->mark_room, in->mark_count,
                        sizeof *in->marks))
        return false;
    in->marks[in->mark_count] = (qp_text_mark){
        .text = in->out_base + in->out_len,
        .raw = raw,
        .line = in->line,
        .column = column_now(in),
        .encoding = (uint8_t)in->encoding,
        .hard = hard,
    };
    in->mark_count++;
    return true;
}

/* Reports what a step found, before its text is counted. */
static void step_note(struct qp_source_inside *in, qp_step_kind kind, unsigned char byte,
                      uint64_t at, size_t len)
{
    if (kind == QP_STEP_BAD) {
        in->errors++;
        qp_inside_note(in, QP_NOTE_OF(encoding_invalid, "bad-byte"), at, len);
    } else if (kind == QP_STEP_LOST) {
        qp_inside_note(in, QP_NOTE_OF(encoding_invalid, "lost-character"), at, len);
    } else if (kind == QP_STEP_JUNK) {
        qp_inside_note(in, QP_NOTE_OF(encoding_junk, byte == 0 ? "nul" : "control"), at, len);
    }
}

/* Decodes raw bytes up to the index to; nothing at or past end is looked at. */
static bool decode_to(struct qp_source_inside *in, size_t to, size_t end)
{
    qp_decoder *decoder = qp_inside_decoder(in, in->encoding);
    if (decoder == NULL)
        return false;
    while (in->raw_at < to) {
        size_t len = to - in->raw_at < PIECE ? to - in->raw_at : PIECE;
        if (!widen((void **)&in->out, &in->out_room, in->out_len, 3 * len + 16) ||
            !add_mark(in, false))
            return false;
        const unsigned char *p = in->raw + in->raw_at, *stop = p + len;
        char *out = in->out + in->out_len;
        for (;;) {
            qp_decoder_run(decoder, &p, stop, in->raw + end, &out, &in->line);
            if (p >= stop)
                break;
            size_t put;
            qp_step_kind kind;
            unsigned char byte = *p;
            p += qp_decoder_step(decoder, p, in->raw + end, out, &put, &kind);
            if (kind != QP_STEP_TEXT)
                step_note(in, kind, byte, in->out_base + (size_t)(out - in->out), put);
            in->line += put == 1 && *out == '\n';
            out += put;
            if (p >= stop)
                break;
        }
        in->raw_at = (size_t)(p - in->raw);
        in->out_len = (size_t)(out - in->out);
    }
    return !in->failed;
}

/* The first byte above ASCII at or behind p; end for none. */
static const unsigned char *beyond_ascii(const unsigned char *p, const unsigned char *end)
{
    uint64_t word;
    for (; end - p >= 8; p += 8) {
        memcpy(&word, p, 8);
        if ((word & 0x8080808080808080u) != 0)
            break;
    }
    while (p < end && *p < 0x80)
        p++;
    return p;
}

/* Whether one of the first lines that are no tags and not ASCII has a word of direction. */
static bool reads_as_moves(const unsigned char *p, const unsigned char *end)
{
    for (int tries = 0; tries < 3 && p < end;) {
        const unsigned char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        if (*p != '[') {
            p = beyond_ascii(p, stop);
            tries += p < stop;
            for (; stop - p >= 3; p++)
                if (memcmp(p, "\xE5\xB9\xB3", 3) == 0 || memcmp(p, "\xE8\xBF\x9B", 3) == 0 ||
                    memcmp(p, "\xE9\x80\xB2", 3) == 0 || memcmp(p, "\xE9\x80\x80", 3) == 0)
                    return true;
        }
        p = stop + (stop < end);
    }
    return false;
}

static void tell_change(struct qp_source_inside *in, const char *detail, uint64_t at,
                        size_t len, qp_encoding from)
{
    qp_text_note note = QP_NOTE_OF(encoding_guessed, detail);
    note.from = from;
    note.to = in->encoding;
    qp_inside_note(in, note, at, len);
    in->told = true;
}

/* Decodes one game, or what the block holds of it, and again in another encoding where the
 * one in use does not fit and the other does. */
static bool decode_game(struct qp_source_inside *in, size_t to, size_t end)
{
    struct qp_source_inside before = *in;
    qp_kept_note last = {0};
    if (in->note_count > 0)
        last = in->notes[in->note_count - 1];
    in->errors = 0;
    if (!decode_to(in, to, end))
        return false;
    if (!in->checked || in->encoding == QP_ENC_NONE)
        return true;
    const unsigned char *text = (const unsigned char *)in->out;
    const unsigned char *stop = text + in->out_len;
    const unsigned char *high = beyond_ascii(text + before.out_len, stop);
    if (high == stop)
        return true;
    in->fits = in->errors == 0 && (in->encoding == QP_ENC_UTF8 || in->fits ||
                                   reads_as_moves(text + before.out_len, stop));
    if (!in->fits) {
        qp_encoding fitting = qp_detect_change(in->encoding, in->raw + before.raw_at,
                                               to - before.raw_at, !in->eof);
        if (fitting != in->encoding) {
            qp_encoding from = in->encoding;
            in->raw_at = before.raw_at;
            in->out_len = before.out_len;
            in->line = before.line;
            in->mark_count = before.mark_count;
            in->note_count = before.note_count;
            if (in->note_count > 0)
                in->notes[in->note_count - 1] = last;
            in->encoding = fitting;
            in->errors = 0;
            if (in->spoken)
                tell_change(in, "encoding-mixed", in->out_base + in->out_len, 0, from);
            if (!add_mark(in, true) || !decode_to(in, to, end))
                return false;
            text = (const unsigned char *)in->out;
            stop = text + in->out_len;
            high = beyond_ascii(text + before.out_len, stop);
        }
    }
    if (!in->told && in->encoding != QP_ENC_UTF8 && high < stop) {
        size_t len = stop - high < 3 ? 1 : qp_utf8_valid(high, stop);
        tell_change(in, "guessed", in->out_base + (size_t)(high - text), len, QP_ENC_NONE);
    }
    in->spoken |= high < stop;
    return !in->failed;
}

/* The end of the line at p, behind its CR, LF or both; at most limit. */
static size_t raw_line_end(const struct qp_source_inside *in, size_t at, size_t limit)
{
    const unsigned char *p = in->raw + at;
    size_t near = limit - at < 4096 ? limit - at : 4096;
    const unsigned char *lf = memchr(p, '\n', near);
    size_t before = lf ? (size_t)(lf - p) : near;
    const unsigned char *cr = memchr(p, '\r', before);
    if (cr == NULL && lf == NULL && near < limit - at) {
        at += near;
        while (at < limit && in->raw[at] != '\n' && in->raw[at] != '\r')
            at++;
        return at < limit ? at + 1 : limit;
    }
    if (cr != NULL)
        return at + (size_t)(cr - p) + (cr + 1 == lf ? 2 : 1);
    return lf ? at + before + 1 : limit;
}

/* Where the next game begins behind the index at: a tag line that follows a line which is
 * none, or a byte order mark before a tag. limit: not before that. *mark: it is a mark. */
static size_t next_game(struct qp_source_inside *in, size_t at, size_t limit, bool *mark)
{
    const unsigned char *raw = in->raw;
    size_t from = at;
    *mark = false;
    while (from < limit) {
        const unsigned char *found = memchr(raw + from, '[', limit - from);
        if (found == NULL)
            break;
        size_t bracket = (size_t)(found - raw), start = bracket;
        from = bracket + 1;
        while (start > at && (raw[start - 1] == ' ' || raw[start - 1] == '\t'))
            start--;
        bool marked = start >= at + 3 && memcmp(raw + start - 3, "\xEF\xBB\xBF", 3) == 0;
        if (marked)
            start -= 3;
        bool line_start = start == 0 || raw[start - 1] == '\n' || raw[start - 1] == '\r';
        if (!marked && !line_start)
            continue;
        bool follows = in->raw_base + start == in->tag_end;
        from = raw_line_end(in, bracket, limit);
        if (start > at && (marked || !follows)) {
            *mark = marked;
            return start;
        }
        if (!follows)
            in->fits = false; /* the block before ended with the game before */
        in->tag_end = in->raw_base + from;
    }
    return limit;
}

/* Where decoding may stop in the bytes that wait: behind the last line end, or, in a line
 * longer than a block, where every character can still be seen whole. */
static size_t block_end(const struct qp_source_inside *in)
{
    bool big = in->encoding == QP_ENC_UTF16BE;
    if (in->eof)
        return in->raw_len;
    if (big || in->encoding == QP_ENC_UTF16LE) {
        for (size_t i = in->raw_at + (in->raw_len - in->raw_at) / 2 * 2; i > in->raw_at; i -= 2)
            if (in->raw[i - 2 + big] == '\n' && in->raw[i - 1 - big] == 0)
                return i;
    } else {
        for (size_t i = in->raw_len; i > in->raw_at; i--)
            if (in->raw[i - 1] == '\n')
                return i;
        for (size_t i = in->raw_len - 1; i > in->raw_at; i--)
            if (in->raw[i - 1] == '\r' && in->raw[i] != '\n')
                return i;
    }
    return in->raw_len - QP_STEP_AHEAD;
}

/* The encoding from the first bytes of the file. */
static bool begin(struct qp_source_inside *in)
{
    size_t len;
    qp_encoding mark = qp_detect_mark(in->raw, in->raw_len, &len);
    in->begun = true;
    if (in->encoding != QP_ENC_NONE) {
        bool utf16 = in->encoding == QP_ENC_UTF16LE || in->encoding == QP_ENC_UTF16BE;
        if (utf16 && (mark == QP_ENC_UTF16LE || mark == QP_ENC_UTF16BE))
            in->encoding = mark; /* "UTF-16" names both */
        return true;
    }
    in->encoding = mark;
    if (mark == QP_ENC_NONE) {
        in->encoding = qp_detect_utf16(in->raw, in->raw_len < HEAD ? in->raw_len : HEAD);
        if (in->encoding != QP_ENC_NONE)
            tell_change(in, "guessed", 0, 0, QP_ENC_NONE);
    }
    in->checked = in->encoding == QP_ENC_NONE || in->encoding == QP_ENC_UTF8;
    return !in->failed;
}

static bool decode_block(struct qp_source_inside *in)
{
    if (!in->begun && !begin(in))
        return false;
    size_t limit = block_end(in), from = in->raw_at;
    if (in->encoding == QP_ENC_BINARY) {
        in->raw_at = in->raw_len;
        return true;
    }
    if (!in->checked)
        return decode_to(in, limit, in->raw_len);
    if (in->encoding == QP_ENC_NONE) {
        const unsigned char *end = in->raw + limit;
        const unsigned char *high = beyond_ascii(in->raw + from, end);
        if (high < end) {
            bool sure, all = end - high <= LOOKED_AT;
            in->encoding = qp_detect(high, all ? (size_t)(end - high) : LOOKED_AT,
                                     !all || !in->eof, in->judge, in->judge_user, &sure);
        }
    }
    while (in->raw_at < limit) {
        bool mark;
        size_t next = next_game(in, in->raw_at, limit, &mark);
        /* A game that may go on past the block waits until all of it is there. */
        if (next == limit && !in->eof && in->raw_at > from && limit - in->raw_at < BLOCK / 4)
            break;
        bool whole = next < limit || in->eof;
        if (!decode_game(in, next, next < limit ? next : in->raw_len))
            return false;
        if (whole)
            in->fits = false;
        if (mark && !add_mark(in, true))
            return false;
    }
    return true;
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
        source->lost = !fill(source) || !decode_block(in);
        show(source);
        source->ended = !source->lost && in->eof && in->raw_at == in->raw_len;
        if (source->len > before)
            return true;
    }
    return false;
}

size_t qp_source_line_end(qp_source *source, size_t at, size_t limit)
{
    size_t from = at;
    for (;;) {
        size_t stop = source->len - at > limit ? at + limit : source->len;
        const char *found = from < stop ? memchr(source->text + from, '\n', stop - from) : NULL;
        if (found != NULL)
            return (size_t)(found - source->text);
        if (source->len - at > limit || !qp_source_more(source))
            return stop;
        from = stop;
    }
}
