/* Sources: what they make of bytes in a known encoding, where it lies in the file, and
 * how much they keep of it.
 */
#include "config.h"

#include "text/inside.h"
#include "sources.h"
#include "table.h"

/* ---- decoding ---- */

Test(text, decodes_bytes)
{
    table t;
    qp_buf notes = {0};
    cr_assert(table_open(&t, "decode.tsv"));
    while (table_next(&t)) {
        memory m = {.data = t.field[1], .len = unescape(t.field[1])};
        qp_str want = {t.field[2], unescape(t.field[2])};
        for (m.chunk = 0; m.chunk < 3; m.chunk++) {
            qp_source source;
            m.at = 0;
            read_all(&source, &m, qp_encoding_find(t.field[0]));
            cr_expect(qp_str_same(text_of(&source), want), "row %d, chunk %zu: got %.*s",
                      t.row, m.chunk, (int)source.len, source.text);
            describe_notes(&source, SIZE_MAX, &notes);
            cr_expect_str_eq(notes.data, t.field[3], "row %d: %s", t.row, notes.data);
            cr_expect_eq(source.had_bytes, m.len > 0, "row %d", t.row);
            qp_source_close(&source);
        }
    }
    qp_buf_clear(&notes);
}

/* Behind enough text that pieces, blocks and the window have all been gone through. */
Test(text, decodes_bytes_far_into_a_file)
{
    table t;
    qp_buf bytes = {0}, notes = {0};
    cr_assert(table_open(&t, "decode.tsv"));
    while (table_next(&t)) {
        size_t len = unescape(t.field[1]), want_len = unescape(t.field[2]);
        if (strncmp(t.field[0], "utf-16", 6) == 0)
            continue;
        /* The case begins 0 .. 9 bytes before the end of a block without a line end. */
        for (size_t before = 0; before < 10; before++) {
            bytes.len = 0;
            while (bytes.len < QP_BLOCK - before)
                qp_buf_add_char(&bytes, 'x');
            size_t start = bytes.len;
            qp_buf_add(&bytes, t.field[1], len);
            memory m = {.data = bytes.data, .len = bytes.len};
            qp_source source;
            read_all(&source, &m, qp_encoding_find(t.field[0]));
            cr_expect(source.len == start + want_len &&
                          memcmp(source.text + start, t.field[2], want_len) == 0,
                      "row %d, %zu before", t.row, before);
            qp_source_close(&source);
        }
    }
    qp_buf_clear(&bytes);
    qp_buf_clear(&notes);
}

Test(text, finds_places)
{
    table t;
    cr_assert(table_open(&t, "places.tsv"));
    while (table_next(&t)) {
        memory m = {.data = t.field[1], .len = unescape(t.field[1])};
        qp_source source;
        qp_place place;
        char got[256], want[256];
        read_all(&source, &m, qp_encoding_find(t.field[0]));
        qp_source_locate(&source, strtoul(t.field[2], NULL, 10),
                         strtoul(t.field[3], NULL, 10), &place);
        snprintf(got, sizeof got, "%d-%d %u:%u %zu [%.*s]", (int)place.byte,
                 (int)place.byte_end, place.line, place.column, place.source_at,
                 (int)place.source.len, place.source.data);
        snprintf(want, sizeof want, "%s-%s %s:%s %s [%s]", t.field[4], t.field[5],
                 t.field[6], t.field[7], t.field[8], t.field[9]);
        cr_expect_str_eq(got, want, "row %d: %s", t.row, got);
        qp_source_close(&source);
    }
}

/* One character of the text and where it came from, by steps over the whole file. */
typedef struct reference {
    qp_buf text;
    uint64_t *raw;           /* of each byte of the text: where its item starts */
    uint64_t *raw_end;       /* and ends */
    uint32_t *line, *column; /* from 1 */
    size_t bad;
} reference;

static void refer(reference *r, const char *bytes, size_t len, qp_encoding encoding)
{
    qp_decoder decoder;
    const unsigned char *first = (const unsigned char *)bytes, *p = first, *end = p + len;
    uint32_t line = 1, column = 1;
    memset(r, 0, sizeof *r);
    r->raw = malloc((3 * len + 8) * sizeof *r->raw);
    r->raw_end = malloc((3 * len + 8) * sizeof *r->raw_end);
    r->line = malloc((3 * len + 8) * sizeof *r->line);
    r->column = malloc((3 * len + 8) * sizeof *r->column);
    cr_assert(qp_decoder_init(&decoder, encoding));
    while (p < end) {
        char out[QP_STEP_ROOM];
        size_t put;
        qp_step_kind kind;
        size_t used = qp_decoder_step(&decoder, p, end, out, &put, &kind);
        r->bad += kind == QP_STEP_BAD;
        for (size_t i = 0; i < put; i++) {
            if (i > 0 && ((unsigned char)out[i] & 0xC0) != 0x80)
                column++;
            r->raw[r->text.len + i] = (uint64_t)(p - first);
            r->raw_end[r->text.len + i] = (uint64_t)(p - first) + used;
            r->line[r->text.len + i] = line;
            r->column[r->text.len + i] = column;
        }
        column += put > 0;
        if (put == 1 && *out == '\n') {
            line++;
            column = 1;
        }
        qp_buf_add(&r->text, out, put);
        p += used;
    }
    qp_decoder_clear(&decoder);
}

static void refer_end(reference *r)
{
    qp_buf_clear(&r->text);
    free(r->raw);
    free(r->raw_end);
    free(r->line);
    free(r->column);
}

/* Random bytes of several flavours. */
static void make_bytes(qp_buf *out, size_t len, int flavour, uint32_t *random)
{
    static const char *const bits[] = {
        "\xC5\xDA\xB6\xFE\xC6\xBD",
        "\xE7\x82\xAE\xE4\xBA\x8C",
        "\xAC\xB6\xA4G",
        "\r\n",
        "\r",
        "\n",
        " 1. h2e2",
        "\xEF\xBB\xBF",
        "\xEF\xBF\xBD",
        "[Red \"",
        "\"]\n",
        "\x95\x34\xB2\x35",
        "\xFF",
        "\xE7\x82",
        "\x88\x62",
        "\xF0\xA0\xAE\xB7",
        "\t",
        "\x1A",
        "\f",
        "abcdefghijklmnop",
    };
    out->len = 0;
    while (out->len < len) {
        uint32_t r = next_random(random);
        if (flavour == 0)
            qp_buf_add_char(out, (char)r);
        else if (flavour == 1)
            qp_buf_add_text(out, bits[r % QP_COUNT(bits)]);
        else if (flavour == 2) /* hardly a line end */
            qp_buf_add_char(out, (char)(0x81 + r % 0x7E));
        else if (flavour == 3) /* hardly anything but ASCII */
            qp_buf_add_char(out, r % 40 == 0 ? (char)r : (char)(0x20 + r % 0x5F));
        else if (flavour == 4) /* nothing but line ends and NULs */
            qp_buf_add_char(out, "\r\n\0\n"[r % 4]);
        else /* UTF-16 */
            qp_buf_add(out,
                       &"\r\0\n\0a\0\xAE\x70\xFF\xFE\xFD\xFF\x42\xD8\xB7\xDF\0\r\0\n\0a"
                        "\0\0\x70\xAE"[r % 12 * 2],
                       2);
    }
    out->len = len;
    if (flavour == 5)
        out->data[0] = 'a'; /* a mark would choose the encoding */
}

/* Reads a file record by record, each of a random length, and compares text, places and
 * encodings with the reference. */
static void compare(const qp_buf *bytes, size_t chunk, qp_encoding encoding,
                    uint32_t *random)
{
    reference r;
    refer(&r, bytes->data, bytes->len, encoding);
    memory m = {
        .data = bytes->data, .len = bytes->len, .chunk = chunk, .random = *random | 1};
    qp_source source;
    cr_assert(qp_source_open(&source, read_memory, &m, encoding, NULL, NULL));
    size_t start = 0;
    for (;;) {
        size_t want = next_random(random) % (bytes->len / 3 + 1) + 1;
        bool more = qp_source_has(&source, 0, want);
        if (!more)
            want = source.len;
        cr_assert(start + source.len <= r.text.len);
        cr_assert_eq(memcmp(source.text, r.text.data + start, source.len), 0,
                     "text of %s at %zu", qp_encoding_name(encoding), start);
        for (int i = 0; i < 20 && source.len > 0; i++) {
            qp_place place;
            size_t at = next_random(random) % source.len,
                   len = next_random(random) % 40 + 1;
            if (len > source.len - at)
                len = source.len - at;
            qp_source_locate(&source, at, len, &place);
            size_t k = start + at;
            while (k + 1 < r.text.len && k > 0 && r.raw[k - 1] == r.raw[k])
                k--; /* a place is that of a whole item */
            cr_assert_eq(place.byte, r.raw[start + at], "at %zu of %zu", start + at,
                         bytes->len);
            cr_assert_eq(place.byte_end, r.raw_end[start + at + len - 1]);
            cr_assert_eq(place.line, r.line[k], "line at %zu", start + at);
            cr_assert_eq(place.column, r.column[k], "column at %zu", start + at);
            cr_assert(place.source_at <= place.source.len);
            cr_assert(place.source.len == 0 ||
                      memchr(place.source.data, '\n', place.source.len) == NULL);
            cr_assert_eq(place.source.data + place.source_at, source.text + at);
        }
        start += want;
        qp_source_next(&source, want);
        if (!more)
            break;
    }
    cr_assert_eq(start, r.text.len);
    cr_assert_eq(source.len, 0);
    qp_source_close(&source);
    refer_end(&r);
}

static const qp_encoding all_encodings[] = {QP_ENC_UTF8, QP_ENC_GB18030, QP_ENC_BIG5,
                                            QP_ENC_UTF16LE, QP_ENC_UTF16BE};

/* The tables that are made when the library is built are what iconv says now. */
Test(text, pairs_built_in)
{
    static const qp_encoding encodings[] = {QP_ENC_BIG5, QP_ENC_GB18030};
    for (size_t i = 0; i < QP_COUNT(encodings); i++) {
        qp_decoder decoder, other;
        unsigned characters = 0;
        cr_assert(qp_decoder_init(&decoder, encodings[i]));
        cr_assert(qp_decoder_init(&other, encodings[i]));
        for (unsigned pair = 0x8000; pair < 0x10000; pair++) {
            uint32_t want = qp_decoder_ask(&other, pair >> 8, pair & 0xFF);
            uint32_t got = qp_decoder_pair(&decoder, pair >> 8, pair & 0xFF);
            characters += want > 1;
            cr_expect_eq(got, want, "%s: pair %04X", qp_encoding_name(encodings[i]), pair);
        }
        cr_expect(characters > 18000, "%s has %u pairs", qp_encoding_name(encodings[i]),
                  characters);
        qp_decoder_clear(&decoder);
        qp_decoder_clear(&other);
    }
}

Test(text, random_bytes_in_every_encoding)
{
    uint32_t random = 20240229;
    qp_buf bytes = {0};
    for (int flavour = 0; flavour < 6; flavour++)
        for (size_t e = 0; e < QP_COUNT(all_encodings); e++)
            for (int size = 0; size < 12; size++) {
                /* mostly short; some over several blocks */
                size_t len = size < 10 ? next_random(&random) % 3000 + 1
                                       : 2 * QP_BLOCK + next_random(&random) % QP_BLOCK;
                if (e > 2 && len % 2 && size % 2)
                    len++;
                make_bytes(&bytes, len, flavour, &random);
                compare(&bytes,
                        size % 3 == 0   ? 1
                        : size % 3 == 1 ? 7
                                        : 0,
                        all_encodings[e], &random);
            }
    qp_buf_clear(&bytes);
}

/* All that a source says of a file, with its records cut at line ends. */
static void transcribe(const qp_buf *bytes, size_t chunk, uint32_t seed, qp_buf *out)
{
    memory m = {.data = bytes->data, .len = bytes->len, .chunk = chunk, .random = seed};
    qp_source source;
    qp_buf notes = {0};
    out->len = 0;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    while (qp_source_has(&source, 0, 1)) {
        size_t end = qp_source_line_end(&source, 0, 100);
        end += end < source.len && source.text[end] == '\n';
        qp_buf_add(out, source.text, end);
        describe_notes(&source, end, &notes);
        qp_place place;
        qp_source_locate(&source, end / 2, end - end / 2, &place);
        qp_buf_printf(out, "{%s %s %d-%d %u:%u %.*s}", notes.data,
                      qp_encoding_name(source.encoding), (int)place.byte,
                      (int)place.byte_end, place.line, place.column, (int)place.source_at,
                      place.source.data);
        qp_source_next(&source, end);
    }
    qp_source_close(&source);
    qp_buf_clear(&notes);
}

Test(text, reading_in_chunks_changes_nothing)
{
    uint32_t random = 7;
    qp_buf bytes = {0}, once = {0}, again = {0};
    for (int flavour = 0; flavour < 6; flavour++)
        for (int size = 0; size < 4; size++) {
            make_bytes(&bytes, size < 3 ? 500 + 301 * (size_t)size : QP_BLOCK + 30000,
                       flavour, &random);
            transcribe(&bytes, 0, 0, &once);
            for (int i = 0; i < 6; i++) {
                if (size == 3 && i > 1)
                    break;
                size_t chunk = i == 0   ? 1
                               : i == 1 ? 5000
                                        : next_random(&random) % 700 + 1;
                transcribe(&bytes, chunk, i < 2 ? 0 : random | 1, &again);
                cr_expect(
                    once.len == again.len && memcmp(once.data, again.data, once.len) == 0,
                    "flavour %d, %zu bytes in chunks of %zu", flavour, bytes.len, chunk);
            }
        }
    qp_buf_clear(&bytes);
    qp_buf_clear(&once);
    qp_buf_clear(&again);
}

/* ---- the window ---- */

/* An endless file. */
typedef struct stream {
    const char *line;
    size_t len, at;
    uint64_t left;
} stream;

static ptrdiff_t read_stream(void *user, void *buffer, size_t size)
{
    stream *s = user;
    char *out = buffer;
    if (size > s->left)
        size = (size_t)s->left;
    for (size_t i = 0; i < size; i++) {
        out[i] = s->line[s->at++];
        if (s->at == s->len)
            s->at = 0;
    }
    s->left -= size;
    return (ptrdiff_t)size;
}

Test(text, window_stays_small)
{
    static const struct {
        const char *line;
        qp_encoding encoding;
    } streams[] = {
        {"1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5\r\n", QP_ENC_GB18030},
        {"\xFF\n", QP_ENC_UTF8}, /* a note for each line */
        {"\n", QP_ENC_UTF8},
        {"\r", QP_ENC_BIG5},
        {"[\na\n", QP_ENC_NONE},       /* a game for each tag */
        {"\xE7\x82\xAE", QP_ENC_NONE}, /* one line */
    };
    for (size_t i = 0; i < QP_COUNT(streams); i++) {
        stream s = {
            .line = streams[i].line, .len = strlen(streams[i].line), .left = 8 << 20};
        qp_source source;
        uint64_t total = 0;
        size_t count;
        cr_assert(
            qp_source_open(&source, read_stream, &s, streams[i].encoding, NULL, NULL));
        while (qp_source_has(&source, 0, 1)) {
            size_t used = source.len > 5000 ? 5000 : source.len;
            qp_source_notes(&source, used, &count);
            total += used;
            qp_source_next(&source, used);
        }
        const struct qp_source_inside *in = source.inside;
        cr_expect(total > 2 << 20, "stream %zu", i);
        cr_expect(in->raw_room <= 512 << 10, "stream %zu: %zu raw", i, in->raw_room);
        cr_expect(in->out_room <= 1 << 20, "stream %zu: %zu text", i, in->out_room);
        cr_expect(in->mark_room * sizeof *in->marks <= 128 << 10, "stream %zu: %zu marks",
                  i, in->mark_room);
        cr_expect(in->note_room * sizeof *in->notes <= 2 << 20, "stream %zu: %zu notes",
                  i, in->note_room);
        qp_source_close(&source);
    }
}

/* Of a long record in UTF-8 the bytes on disk are let go, and places are found all the same,
 * before and behind what is no text as it stands. */
Test(text, long_record_is_kept_once)
{
    enum { LINES = 60000 };
    static const char *const odd[] = {"", "\xFF", "\r", "\x00"};
    for (size_t k = 0; k < QP_COUNT(odd); k++) {
        qp_buf bytes = {0};
        for (unsigned i = 0; i < LINES; i++) {
            qp_buf_printf(&bytes, "%u. \xE7\x82\xAE\xE4\xBA\x8C \xE9\xA9\xAC", i);
            if (i == LINES / 2 || i == LINES - 5)
                qp_buf_add(&bytes, odd[k], k != 0);
            qp_buf_add_char(&bytes, '\n');
        }
        memory m = {.data = bytes.data, .len = bytes.len};
        qp_source source;
        qp_place place;
        reference r;
        refer(&r, bytes.data, bytes.len, QP_ENC_UTF8);
        read_all(&source, &m, QP_ENC_UTF8);
        cr_assert(qp_str_same(text_of(&source), (qp_str){r.text.data, r.text.len}));
        const struct qp_source_inside *in = source.inside;
        cr_expect((k != 0) == (in->raw_len > bytes.len / 3), "odd %zu: %zu bytes", k, in->raw_len);
        for (size_t at = 0, used = 0; at + 8 < r.text.len; at += 331) {
            if (at > r.text.len / 4 && used == 0) {
                used = at;
                qp_source_next(&source, used);
            }
            qp_source_locate(&source, at - used, 7, &place);
            cr_expect(place.byte == r.raw[at] && place.byte_end == r.raw_end[at + 6] &&
                          place.line == r.line[at] && place.column == r.column[at],
                      "odd %zu, %zu: %d-%d %u:%u", k, at, (int)place.byte,
                      (int)place.byte_end, place.line, place.column);
        }
        qp_source_close(&source);
        refer_end(&r);
        qp_buf_clear(&bytes);
    }
}

Test(text, record_grows_and_moves_on)
{
    memory m = {.data = "abc\ndef\nghi", .len = 11, .chunk = 1};
    qp_source source;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    cr_expect_eq(source.len, 0);
    cr_expect_not(source.ended);
    cr_expect_eq(qp_source_line_end(&source, 0, 100), 3);
    cr_expect_eq(qp_source_line_end(&source, 4, 100), 7);
    cr_expect_eq(qp_source_line_end(&source, 8, 100), 11);
    cr_expect_eq(qp_source_line_end(&source, 4, 2), 6, "the limit");
    cr_expect_eq(qp_source_line_end(&source, 11, 2), 11);
    qp_source_next(&source, 5);
    cr_expect(qp_str_is(text_of(&source), "ef\nghi"));
    qp_place place;
    qp_source_locate(&source, 0, 1, &place);
    cr_expect(qp_str_is(place.source, "def"), "the line is kept whole");
    cr_expect_eq(place.source_at, 1);
    cr_expect_eq(place.column, 2);
    qp_source_next(&source, 100);
    cr_expect_eq(source.len, 0);
    cr_expect_not(qp_source_more(&source));
    cr_expect(source.ended);
    qp_source_close(&source);
}

Test(text, empty_file)
{
    memory m = {.data = ""};
    qp_source source;
    qp_place place;
    size_t count;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    cr_expect_eq(qp_source_head(&source).len, 0);
    cr_expect_not(qp_source_more(&source));
    cr_expect(source.ended && !source.had_bytes && !source.lost);
    qp_source_locate(&source, 0, 0, &place);
    cr_expect_eq(place.line, 1);
    qp_source_notes(&source, 0, &count);
    cr_expect_eq(count, 0);
    cr_expect_eq(qp_source_encoding_at(&source, 0), QP_ENC_NONE);
    qp_source_next(&source, 0);
    qp_source_close(&source);
}

static ptrdiff_t read_fails(void *user, void *buffer, size_t size)
{
    if (++*(int *)user > 1)
        return -1;
    memcpy(buffer, "ab", 2);
    return 2;
}

Test(text, lost_input)
{
    int calls = 0;
    qp_source source;
    cr_assert(qp_source_open(&source, read_fails, &calls, QP_ENC_NONE, NULL, NULL));
    cr_expect_not(qp_source_more(&source));
    cr_expect(source.lost && !source.ended);
    qp_source_close(&source);
}

Test(text, binary)
{
    char bytes[3 * QP_BLOCK / 2];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7 % 251);
    memory m = {.data = bytes, .len = sizeof bytes, .chunk = 1000};
    qp_source source;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    qp_str head = qp_source_head(&source);
    cr_expect_eq(head.len, 4096);
    cr_expect_eq(memcmp(head.data, bytes, head.len), 0);
    qp_source_set_binary(&source);
    cr_expect(qp_source_has(&source, 0, sizeof bytes));
    cr_expect_eq(source.len, sizeof bytes);
    cr_expect_eq(memcmp(source.text, bytes, sizeof bytes), 0);
    qp_source_next(&source, sizeof bytes - 10);
    cr_expect_not(qp_source_more(&source));
    cr_expect_eq(memcmp(source.text, bytes + sizeof bytes - 10, 10), 0);
    qp_place place;
    qp_source_locate(&source, 3, 2, &place);
    cr_expect_eq(place.byte, sizeof bytes - 7);
    cr_expect_eq(place.byte_end, sizeof bytes - 5);
    cr_expect_eq(place.line, 0);
    cr_expect_eq(source.encoding, QP_ENC_BINARY);
    qp_source_close(&source);
}

Test(text, long_line_is_shown_in_part)
{
    qp_buf bytes = {0};
    for (int i = 0; i < 100000; i++)
        qp_buf_add_text(&bytes, "炮");
    memory m = {.data = bytes.data, .len = bytes.len};
    qp_source source;
    qp_place place;
    size_t len;
    read_all(&source, &m, QP_ENC_NONE);
    qp_source_locate(&source, 3 * 50000, 3, &place);
    cr_expect_eq(place.byte, 3 * 50000);
    cr_expect_eq(place.column, 50001);
    cr_expect(place.source.len <= 4096 && place.source.len >= 1000);
    cr_expect_eq(place.source.data + place.source_at, source.text + 3 * 50000);
    cr_expect_eq(qp_utf8_at(place.source.data, place.source.len, &len), 0x70AE);
    cr_expect_eq(place.source.len % 3, 0);
    qp_source_close(&source);
    qp_buf_clear(&bytes);
}

/* Notes that nobody asked for are not lost with the text that they were about. */
Test(text, notes_of_text_passed_over)
{
    memory m = {.data = "a\xFF\nb\nc\xFF\n", .len = 8};
    qp_source source;
    qp_buf notes = {0};
    read_all(&source, &m, QP_ENC_UTF8);
    qp_source_next(&source, 5);
    cr_expect(qp_str_is(text_of(&source), "b\nc�\n"));
    describe_notes(&source, 2, &notes);
    cr_expect_str_eq(notes.data, "encoding-invalid:bad-byte:0:0:1");
    describe_notes(&source, 7, &notes);
    cr_expect_str_eq(notes.data, "encoding-invalid:bad-byte:3:3:1", "%s", notes.data);
    qp_source_next(&source, 7);
    describe_notes(&source, 0, &notes);
    cr_expect_str_eq(notes.data, "-");
    qp_source_close(&source);
    qp_buf_clear(&notes);
}
