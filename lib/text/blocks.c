/* Blocks of raw bytes to text, in whatever encodings a file holds.
 *
 * Files that mix encodings do so game by game (two collections pasted together), so text
 * is decoded game by game: a game begins at a tag line that follows a line which is none,
 * or at a byte order mark. LF, CR and [ at the start of a line are safe to look for in
 * raw bytes: none of the encodings that extend ASCII has a line end inside a
 * character. */
#include "config.h"

#include "text/inside.h"

enum {
    PIECE = 1024,          /* raw bytes between two marks */
    MARK_APART = 256,      /* the least, where nothing else asks for a mark */
    LOOKED_AT = 32 * 1024, /* bytes that the first guess is made from */
    MISSES_MAX = 4, /* a power of two of games are decoded between two that are skimmed */
};

/* Characters of n bytes of UTF-8. */
static uint32_t characters(const char *p, size_t n)
{
    const uint64_t ones = 0x0101010101010101u;
    uint32_t inside = 0; /* bytes that go on with one: of their upper two bits the higher alone */
    size_t i = 0;
    for (; n - i >= 32; i += 32) {
        uint64_t sum = 0;
        for (size_t k = 0; k < 32; k += 8) {
            uint64_t word;
            memcpy(&word, p + i + k, 8);
            sum += word >> 7 & ~(word >> 6) & ones;
        }
        inside += (uint32_t)(sum * ones >> 56);
    }
    for (; i < n; i++)
        inside += ((unsigned char)p[i] & 0xC0) == 0x80;
    return (uint32_t)n - inside;
}

/* Characters of the current line before the end of the text. */
static uint32_t column_now(const struct qp_source_inside *in)
{
    if (in->mark_count == 0)
        return 0;
    const qp_text_mark *last = &in->marks[in->mark_count - 1];
    size_t first = (size_t)(last->text - in->out_base), at = in->out_len;
    if (last->line == in->line)
        return last->column + characters(in->out + first, at - first);
    for (; at - first >= 8; at -= 8) { /* back to the words with the line end */
        const uint64_t ones = 0x0101010101010101u;
        uint64_t word;
        memcpy(&word, in->out + at - 8, 8);
        word ^= '\n' * ones;
        if (((word - ones) & ~word & 0x80 * ones) != 0)
            break;
    }
    while (at > first && in->out[at - 1] != '\n')
        at--;
    return characters(in->out + at, in->out_len - at);
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
        qp_inside_note(in, QP_NOTE_OF(encoding_junk, byte == 0 ? "nul" : "control"), at,
                       len);
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
        if (!qp_inside_widen((void **)&in->out, &in->out_room, in->out_len,
                             3 * len + 16) ||
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

/* Whether one of the first lines that are no tags and not ASCII has a word of
 * direction. */
static bool reads_as_moves(const unsigned char *p, const unsigned char *end)
{
    for (int tries = 0; tries < 3 && p < end;) {
        const unsigned char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        if (*p != '[') {
            p = beyond_ascii(p, stop);
            tries += p < stop;
            for (; stop - p >= 3; p++)
                if (memcmp(p, "\xE5\xB9\xB3", 3) == 0 ||
                    memcmp(p, "\xE8\xBF\x9B", 3) == 0 ||
                    memcmp(p, "\xE9\x80\xB2", 3) == 0 ||
                    memcmp(p, "\xE9\x80\x80", 3) == 0)
                    return true;
        }
        p = stop + (stop < end);
    }
    return false;
}

void qp_inside_change(struct qp_source_inside *in, uint64_t at)
{
    if (!qp_inside_room((void **)&in->changes, &in->change_room, in->change_count,
                        sizeof *in->changes)) {
        in->failed = true;
        return;
    }
    in->changes[in->change_count++] = (qp_text_change){at, in->encoding};
}

static void tell_change(struct qp_source_inside *in, const char *detail, uint64_t at,
                        size_t len, qp_encoding from)
{
    qp_text_note note = QP_NOTE_OF(encoding_guessed, detail);
    note.from = from;
    note.to = in->encoding;
    qp_inside_note(in, note, at, len);
}

/* A state of decoding to come back to. */
typedef struct moment {
    size_t raw_at, out_len, mark_count, note_count;
    uint32_t line, errors;
    qp_kept_note last;
} moment;

static moment remember(const struct qp_source_inside *in)
{
    moment now = {in->raw_at, in->out_len, in->mark_count, in->note_count,
                  in->line,   in->errors,  {.at = 0}};
    if (in->note_count > 0)
        now.last = in->notes[in->note_count - 1];
    return now;
}

static void go_back(struct qp_source_inside *in, const moment *then)
{
    in->raw_at = then->raw_at;
    in->out_len = then->out_len;
    in->mark_count = then->mark_count;
    in->note_count = then->note_count;
    in->line = then->line;
    in->errors = then->errors;
    if (in->note_count > 0)
        in->notes[in->note_count - 1] = then->last;
}

/* The index of a CR at or behind at, or one before which none waits there: most files have
 * none, and are not asked for each line. */
static size_t next_cr(struct qp_source_inside *in, size_t at)
{
    uint64_t here = in->raw_base + at;
    if (here < in->cr_from || here >= in->cr_at) {
        const unsigned char *cr = memchr(in->raw + at, '\r', in->raw_len - at);
        in->cr_from = here;
        in->cr_at = in->raw_base + (cr ? (size_t)(cr - in->raw) : in->raw_len);
    }
    return (size_t)(in->cr_at - in->raw_base);
}

/* The end of the line at the index at, behind its CR, LF or both; at most limit. */
static size_t raw_line_end(struct qp_source_inside *in, size_t at, size_t limit)
{
    size_t cr = next_cr(in, at), end = cr < limit ? cr : limit;
    const unsigned char *lf = memchr(in->raw + at, '\n', end - at);
    if (lf != NULL)
        return (size_t)(lf - in->raw) + 1;
    if (cr >= limit)
        return limit;
    return cr + 1 < limit && in->raw[cr + 1] == '\n' ? cr + 2 : cr + 1;
}

/* The encoding of a tag that the game's own cannot read; that if no other fits for
 * certain. */
static qp_encoding tag_encoding(qp_encoding own, const unsigned char *p, size_t n)
{
    static const qp_encoding others[] = {QP_ENC_UTF8, QP_ENC_GB18030, QP_ENC_BIG5};
    for (size_t i = 0; i < QP_COUNT(others); i++) {
        qp_evidence e;
        qp_weigh(others[i], p, n, false, &e);
        bool usual =
            others[i] == QP_ENC_UTF8 ? e.wide > 0 : e.multi > 1 && e.common == e.multi;
        if (others[i] != own && e.errors == 0 && usual)
            return others[i];
    }
    return own;
}

/* Decodes a game with bad bytes line by line: collections that were converted as a whole
 * have tags that kept another encoding. */
static bool decode_tags_apart(struct qp_source_inside *in, size_t to, size_t end)
{
    qp_encoding own = in->encoding;
    while (in->raw_at < to) {
        size_t line = raw_line_end(in, in->raw_at, to);
        moment before = remember(in);
        if (!decode_to(in, line, end))
            return false;
        if (in->errors == before.errors || in->raw[before.raw_at] != '[')
            continue;
        size_t len = line - before.raw_at;
        in->encoding = tag_encoding(own, in->raw + before.raw_at, len);
        if (in->encoding == own)
            continue;
        go_back(in, &before);
        tell_change(in, "encoding-mixed", in->out_base + in->out_len, 0, own);
        bool good = add_mark(in, true) && decode_to(in, line, line);
        in->encoding = own;
        if (!good || !add_mark(in, true))
            return false;
    }
    return true;
}

/* Decodes one game, or what the block holds of it, and again in another encoding where
 * the one in use does not fit and the other does. */
static bool decode_game(struct qp_source_inside *in, size_t to, size_t end)
{
    in->errors = 0;
    moment before = remember(in);
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
        qp_encoding from = in->encoding;
        in->encoding =
            qp_detect_change(from, in->raw + before.raw_at, to - before.raw_at, !in->eof);
        bool changed = in->encoding != from;
        if (changed) {
            if (in->spoken && !in->told)
                in->told_at = in->out_base + before.out_len + 1;
            in->told |= in->spoken;
            go_back(in, &before);
            qp_inside_change(in, in->out_base + in->out_len);
            if (in->spoken)
                tell_change(in, "encoding-mixed", in->out_base + in->out_len, 0, from);
            if (!add_mark(in, true) || !decode_to(in, to, end))
                return false;
        }
        if (in->errors > 0) {
            moment whole = remember(in);
            go_back(in, &before);
            if (changed && in->spoken)
                tell_change(in, "encoding-mixed", in->out_base + in->out_len, 0, from);
            if (!add_mark(in, changed) || !decode_tags_apart(in, whole.raw_at, end))
                return false;
        }
        text = (const unsigned char *)in->out;
        stop = text + in->out_len;
        high = beyond_ascii(text + before.out_len, stop);
    }
    if (!in->told && in->encoding != QP_ENC_UTF8 && high < stop) {
        size_t len = stop - high < 3 ? 1 : qp_utf8_valid(high, stop);
        tell_change(in, "guessed", in->out_base + (size_t)(high - text), len,
                    QP_ENC_NONE);
        in->told = true;
        in->told_at = in->out_base + (size_t)(high - text) + 1;
    }
    if (high < stop && !in->spoken) {
        in->spoken = true;
        in->spoken_at = in->out_base + (size_t)(high - text) + 1;
    }
    return !in->failed;
}

/* Where the next game begins behind the index at: a tag line that follows a line which is
 * none, or a byte order mark before a tag. limit: not before that. *mark: it is a
 * mark. */
static size_t next_game(struct qp_source_inside *in, size_t at, size_t limit, bool *mark)
{
    const unsigned char *raw = in->raw;
    size_t from = at;
    *mark = false;
    while (from < limit) {
        if (raw[from] == '[' && in->raw_base + from == in->tag_end && from > at) {
            from = raw_line_end(in, from, limit); /* one tag line behind another */
            in->tag_end = in->raw_base + from;
            continue;
        }
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

/* The index behind the last such byte in p[from, to); from where there is none. Blocks of one long
 * line are looked through whole. */
static size_t last_of(const unsigned char *p, size_t from, size_t to, unsigned char byte)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), all = ones * byte;
    uint64_t word;
    if (to <= from || memchr(p + from, byte, to - from) == NULL)
        return from;
    for (; to - from >= 8; to -= 8) {
        memcpy(&word, p + to - 8, 8);
        word ^= all;
        if (((word - ones) & ~word & ones << 7) != 0)
            break;
    }
    while (to > from && p[to - 1] != byte)
        to--;
    return to;
}

/* Where decoding may stop in the bytes that wait: behind the last line end, or, in a line
 * longer than a block, where every character can still be seen whole. */
static size_t block_end(const struct qp_source_inside *in)
{
    bool big = in->encoding == QP_ENC_UTF16BE;
    if (in->eof)
        return in->raw_len;
    if (big || in->encoding == QP_ENC_UTF16LE) {
        for (size_t i = in->raw_at + (in->raw_len - in->raw_at) / 2 * 2; i > in->raw_at;
             i -= 2)
            if (in->raw[i - 2 + big] == '\n' && in->raw[i - 1 - big] == 0)
                return i;
    } else {
        size_t i = last_of(in->raw, in->raw_at, in->raw_len, '\n');
        if (i > in->raw_at)
            return i;
        i = last_of(in->raw, in->raw_at, in->raw_len - 1, '\r'); /* there is no LF behind it */
        if (i > in->raw_at)
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
            in->encoding = in->first = mark; /* "UTF-16" names both */
        return true;
    }
    in->encoding = mark;
    if (mark == QP_ENC_NONE) {
        in->encoding =
            qp_detect_utf16(in->raw, in->raw_len < QP_HEAD ? in->raw_len : QP_HEAD);
        if (in->encoding != QP_ENC_NONE)
            tell_change(in, "guessed", 0, 0, QP_ENC_NONE);
    }
    in->first = in->encoding;
    in->checked = in->encoding == QP_ENC_NONE || in->encoding == QP_ENC_UTF8;
    return !in->failed;
}

/* The encoding, where a byte beyond ASCII waits before `to`: asked for the first block, which
 * shows what most files are in, and then for each game until there is one. */
static void first_guess(struct qp_source_inside *in, size_t to, size_t limit)
{
    const unsigned char *stop = in->raw + to, *end = in->raw + limit;
    const unsigned char *high = beyond_ascii(in->raw + in->raw_at, stop);
    if (high == stop)
        return;
    bool sure, all = end - high <= LOOKED_AT;
    in->encoding = qp_detect(high, all ? (size_t)(end - high) : LOOKED_AT,
                             !all || !in->eof, in->judge, in->judge_user, &sure);
    qp_inside_change(in, in->out_base + in->out_len);
}

/* Whether games can be skimmed: what their bytes would tell of the file's encoding is known
 * already. */
static bool may_skim(const struct qp_source_inside *in)
{
    switch (in->encoding) {
    case QP_ENC_NONE:
        return true;
    case QP_ENC_UTF8:
        return !in->checked || in->spoken;
    case QP_ENC_GB18030:
    case QP_ENC_BIG5:
        return !in->checked || (in->spoken && in->told);
    default:
        return false;
    }
}

/* Leaves out the bytes up to an index, games as a whole. */
static bool pass_over(struct qp_source_inside *in, size_t to, uint32_t lines)
{
    uint64_t text = in->out_base + in->out_len;
    bool again = in->passed_at == text && in->mark_count > 0 &&
                 in->marks[in->mark_count - 1].raw == in->passed_raw;
    in->raw_at = to;
    in->line += lines;
    in->passed_at = text;
    in->passed_raw = in->raw_base + to;
    if (!again) /* the mark of the games before is of no use any more */
        return add_mark(in, true);
    in->marks[in->mark_count - 1].raw = in->passed_raw;
    in->marks[in->mark_count - 1].line = in->line;
    return true;
}

/* Decodes the next game but for what its user read from the bytes; false: nothing was done, all
 * of it is to be decoded. */
static bool decode_around(struct qp_source_inside *in, size_t limit)
{
    qp_gap gap = {.whole = false};
    size_t start = in->raw_at;
    if (!may_skim(in))
        return false;
    if (in->encoding == QP_ENC_NONE) { /* of a game beyond ASCII nothing is known yet */
        bool mark;
        size_t next = next_game(in, start, limit, &mark);
        if (beyond_ascii(in->raw + start, in->raw + next) < in->raw + next)
            return false;
    }
    bool ended = in->eof && limit == in->raw_len;
    if (!in->skim(in->skim_user, (uint32_t)in->gap_count, in->encoding, in->raw + start,
                  limit - start, ended, in->raw_base + start < in->until, &gap))
        return false;
    size_t to = start + gap.end;
    if (gap.whole)
        return pass_over(in, to, gap.lines) || !(in->failed = true);
    if (!qp_inside_room((void **)&in->gaps, &in->gap_room, in->gap_count, sizeof *in->gaps))
        return false;
    moment before = remember(in);
    in->errors = 0;
    if (decode_to(in, start + gap.from, start + gap.from) && in->errors == 0) {
        qp_kept_gap *kept = &in->gaps[in->gap_count];
        kept->at = in->out_base + in->out_len;
        in->raw_at = start + gap.to;
        kept->raw = in->raw_base + in->raw_at;
        in->line += gap.lines;
        if (add_mark(in, true) && decode_to(in, start + gap.on, to)) {
            kept->on = in->out_base + in->out_len;
            if (decode_to(in, to, to) && in->errors == 0) {
                in->gap_count++;
                return true;
            }
        }
    }
    go_back(in, &before);
    return false;
}

/* Whether what was decoded from an offset of the text on is the line ends between two games. */
static bool only_lines(const struct qp_source_inside *in, size_t from)
{
    while (from < in->out_len && in->out[from] == '\n')
        from++;
    return from == in->out_len;
}

bool qp_inside_decode_block(struct qp_source_inside *in)
{
    if (!in->begun && !begin(in))
        return false;
    size_t limit = block_end(in), from = in->raw_at;
    bool skims = in->skim != NULL && in->at_record;
    /* To be decoded: the more were missed, the fewer are tried. */
    size_t games_left = in->skim != NULL ? (size_t)1 << in->misses : SIZE_MAX;
    in->at_record = false;
    if (in->encoding == QP_ENC_BINARY) {
        in->raw_at = in->raw_len;
        return true;
    }
    if (skims)
        in->gap_count = 0;
    else if (!in->checked && in->skim == NULL)
        return decode_to(in, limit, in->raw_len);
    if (in->encoding == QP_ENC_NONE && in->raw_base + from == 0)
        first_guess(in, limit, limit);
    while (in->raw_at < limit) {
        bool mark;
        size_t next = 0, had = in->out_len;
        if (in->encoding == QP_ENC_NONE) {
            next = next_game(in, in->raw_at, limit, &mark);
            first_guess(in, next, limit);
        }
        if (skims && decode_around(in, limit)) {
            in->misses = 0;
            in->fits = false;
            if (in->failed)
                return false;
            if (in->out_len == had)
                in->at_record = true; /* as before */
            else if (in->passes)
                break; /* those passed over from here on stand behind this one */
            continue;
        }
        if (next == 0)
            next = next_game(in, in->raw_at, limit, &mark);
        /* A game that may go on past the block waits until all of it is there. */
        if (next == limit && !in->eof && in->raw_at > from &&
            limit - in->raw_at < QP_BLOCK / 4)
            break;
        bool whole = next < limit || in->eof;
        in->at_record = false;
        if (skims && whole) {
            games_left = (size_t)1 << in->misses;
            in->misses += in->misses < MISSES_MAX;
        }
        skims = false;
        if (!decode_game(in, next, next < limit ? next : in->raw_len))
            return false;
        if (whole)
            in->fits = false;
        if (mark && !add_mark(in, true))
            return false;
        if (!only_lines(in, had) && --games_left == 0)
            break;
        if (in->raw_base + from == 0 && in->raw_at >= QP_FIRST)
            break;
    }
    return true;
}
