#include "config.h"

#include <criterion/criterion.h>

#include "corpus.h"
#include "format/binary.h"
#include "show.h"
#include "table.h"

#include <ctype.h>

/* ---- files made by hand ---- */

/* Says a file of XQF in words, by the text of the format alone: nothing of the library's own
 * writer is used. */
typedef struct made {
    unsigned version;
    unsigned char keys[13]; /* offsets 3 to 15 */
    unsigned char square, from, to, stream[32];
    unsigned length;
    qp_buf bytes;
    qp_encoder *encoder;
} made;

static void put_byte(made *m, unsigned value)
{
    value += m->stream[m->bytes.len % 32];
    qp_buf_add_char(&m->bytes, (char)value);
}

static unsigned hex_bytes(const char *text, unsigned char *out)
{
    unsigned n = 0, value;
    int used;
    for (; sscanf(text, "%2x%n", &value, &used) == 1 && used == 2; text += 2)
        out[n++] = (unsigned char)value;
    return n;
}

static void make_keys(made *m)
{
    const unsigned char *k = m->keys;
    unsigned sum = k[9], p = k[10], f = k[11], t = k[12];
    if (m->version <= 10)
        return;
    m->square = (unsigned char)((54 * p * p + 221) * p);
    m->from = (unsigned char)((54 * f * f + 221) * m->square);
    m->to = (unsigned char)((54 * t * t + 221) * m->from);
    m->length = (sum * 256 + p) % 32000 + 767;
    for (int i = 0; i < 32; i++)
        m->stream[i] = (unsigned char)("[(C) Copyright Mr. Dong Shiwei.]"[i] &
                                       ((k[9 + i % 4] & k[0]) | k[5 + i % 4]));
}

static void make_header(made *m)
{
    static const unsigned char usual[32] = {
        0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83,
        9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86};
    static const char zeros[1024];
    qp_buf_add(&m->bytes, zeros, sizeof zeros);
    char *h = m->bytes.data;
    memcpy(h, "XQ", 2);
    h[2] = (char)m->version;
    memcpy(h + 3, m->keys, sizeof m->keys);
    for (unsigned i = 0; i < 32; i++) {
        unsigned slot = m->version >= 12 ? (i + 1 + m->square) % 32 : i;
        h[16 + i] = (char)(usual[slot] + m->square);
    }
}

/* One node: `root` or a move or @FFTT (two raw squares in hexadecimal), /flags (c a child, s
 * a sibling follows, n noise in the low bits), {comment} (~ for a blank), #NNNNNNNN (the raw
 * length, without text). */
static const char *make_node(made *m, const char *p)
{
    unsigned from = 0x58, to = 0x51, flags = 0, raw = 0;
    bool root = strncmp(p, "root", 4) == 0, old = m->version <= 10, given = false;
    qp_buf comment = {0};
    if (*p == '@') {
        sscanf(p, "@%2x%2x", &from, &to);
    } else if (!root) {
        from = (unsigned)(p[0] - 'a') * 10 + (unsigned)(p[1] - '0');
        to = (unsigned)(p[2] - 'a') * 10 + (unsigned)(p[3] - '0');
    }
    if (!root) {
        from = (from + 24 + m->from) & 0xFF;
        to = (to + 32 + m->to) & 0xFF;
    }
    p += *p == '@' ? 5 : 4;
    if (*p == '/')
        for (p++; isalpha((unsigned char)*p); p++)
            flags |= *p == 'c'   ? (old ? 0xF0 : 0x80)
                     : *p == 's' ? (old ? 0x0F : 0x40)
                     : *p == 'n' && !old ? 0x1F
                                        : 0;
    if (*p == '{') {
        size_t len = strcspn(p, "}") - 1;
        char text[256];
        memcpy(text, p + 1, len);
        for (size_t i = 0; i < len; i++)
            text[i] = text[i] == '~' ? ' ' : text[i];
        qp_encoder_add(m->encoder, (qp_str){text, len}, &comment, "?", NULL, NULL);
        raw = (unsigned)comment.len + m->length;
        given = true;
        p += len + 2;
    }
    if (*p == '#') {
        given = sscanf(p, "#%8x", &raw) == 1;
        p += 9;
    }
    if (given && !old)
        flags |= 0x20;
    put_byte(m, from);
    put_byte(m, to);
    put_byte(m, flags);
    put_byte(m, root && old ? 0xFF : 0);
    for (int i = 0; (given || old) && i < 4; i++)
        put_byte(m, raw >> 8 * i & 0xFF);
    for (size_t i = 0; i < comment.len; i++)
        put_byte(m, (unsigned char)comment.data[i]);
    qp_buf_clear(&comment);
    return p;
}

/* Patches of the bytes as they are on disk: OFFSET=HEX, cut=LENGTH, more=HEX, text=OFFSET:… */
static void patch(made *m, const char *p)
{
    while (*p != '\0' && strcmp(p, "-") != 0) {
        unsigned char bytes[128];
        unsigned at = 0;
        size_t len = strcspn(p, " ");
        if (sscanf(p, "cut=%u", &at) == 1 && at <= m->bytes.len) {
            m->bytes.len = at;
        } else if (strncmp(p, "more=", 5) == 0) {
            qp_buf_add(&m->bytes, bytes, hex_bytes(p + 5, bytes));
        } else if (sscanf(p, "text=%u:", &at) == 1) {
            const char *from = strchr(p, ':') + 1;
            qp_buf text = {0};
            qp_encoder_add(m->encoder, (qp_str){from, (size_t)(p + len - from)}, &text, "?",
                           NULL, NULL);
            m->bytes.data[at] = (char)text.len;
            memcpy(m->bytes.data + at + 1, text.data, text.len);
            qp_buf_clear(&text);
        } else if (sscanf(p, "%u=", &at) == 1) {
            unsigned n = hex_bytes(strchr(p, '=') + 1, bytes);
            cr_assert(at + n <= m->bytes.len, "%s", p);
            memcpy(m->bytes.data + at, bytes, n);
        }
        p += len;
        p += *p == ' ';
    }
}

static made make(const char *version, const char *keys, const char *patches,
                 const char *nodes)
{
    made m = {.version = (unsigned)atoi(version), .encoder = qp_encoder_open("GB18030")};
    hex_bytes(keys, m.keys);
    make_keys(&m);
    make_header(&m);
    while (*nodes != '\0' && strcmp(nodes, "-") != 0) {
        nodes = make_node(&m, nodes);
        nodes += *nodes == ' ';
    }
    patch(&m, patches);
    return m;
}

static void made_clear(made *m)
{
    qp_buf_clear(&m->bytes);
    qp_encoder_close(m->encoder);
}

/* Rows of data/xqf.tsv: what a file holds, and what is read from it. */
Test(xqf, table)
{
    table t;
    int rows = 0;
    cr_assert(table_open(&t, "xqf.tsv"));
    while (table_next(&t)) {
        unescape(t.field[3]);
        unescape(t.field[4]);
        bool named = t.field[0][0] == 'f'; /* by -f */
        made m = make(t.field[0] + named, t.field[1], t.field[2], t.field[3]);
        char *got = convert_bytes(m.bytes.data, m.bytes.len, named ? "xqf" : NULL, NULL, 0);
        cr_expect_str_eq(got, t.field[4], "row %d:\n%s\nis not\n%s", t.row, got, t.field[4]);
        free(got);
        made_clear(&m);
        rows++;
    }
    cr_expect_gt(rows, 0);
}

/* The same tree in each version and under keys reads the same. */
Test(xqf, versions)
{
    static const char tree[] =
        "root/c{begin} h2e2/csn{first} h9g7/c{two\r\nlines\r\n} h0g2/n c3c4/cs c6c5 g3g4/c "
        "b9c7/s{one} g6g5";
    static const char *const keys[] = {
        "00000000000000000000000000", "AE00000000B1C2D3BA11223399",
        "FF00000000010203FA5A7B2D00", "0000000000000000004B5A1140"};
    made plain = make("10", keys[0], "-", tree);
    char *want = convert_bytes(plain.bytes.data, plain.bytes.len, NULL, NULL, 0);
    cr_expect_str_eq(want, " {begin} h2e2 {first} ( c3c4 c6c5 ) ( g3g4 b9c7 {one} ( g6g5 ) ) "
                           "h9g7 {two\nlines} h0g2\n");
    for (unsigned version = 11; version <= 18; version++)
        for (size_t i = 0; i < QP_COUNT(keys); i++) {
            char number[8], key[27];
            if (version == 14 || version == 17)
                continue; /* with a warning */
            snprintf(number, sizeof number, "%u", version);
            made m = make(number, keys[i], "-", tree);
            /* The sum must be 0: the last key makes it so. */
            unsigned char bytes[13];
            hex_bytes(keys[i], bytes);
            bytes[9] = (unsigned char)-(bytes[10] + bytes[11] + bytes[12]);
            for (int k = 0; k < 13; k++)
                snprintf(key + 2 * k, 3, "%02X", bytes[k]);
            made_clear(&m);
            m = make(number, key, "-", tree);
            char *got = convert_bytes(m.bytes.data, m.bytes.len, NULL, NULL, 7);
            cr_expect_str_eq(got, want, "version %u, keys %s: %s", version, key, got);
            free(got);
            made_clear(&m);
        }
    free(want);
    made_clear(&plain);
}

static const qp_game *read_one(const qp_context *context, memory *m, qp_reader **reader)
{
    const qp_game *game = NULL;
    *reader = qp_reader_open(context, memory_read, m, NULL);
    qp_reader_next(*reader, &game);
    return game;
}

/* A file cut anywhere says so (or is no file of the kind yet), and gives the moves before. */
Test(xqf, cut)
{
    static const char *const nodes[] = {"root/c{a}", "h2e2/cs{bc}", "h9g7/c",
                                        "h0g2",      "c3c4/c",      "g6g5{end}"};
    static const char *const keys[] = {"00000000000000000000000000",
                                       "AE00000000B1C2D3BAEB080607"};
    for (unsigned old = 0; old < 2; old++) {
        size_t ends[QP_COUNT(nodes)];
        made m = make(old ? "10" : "18", keys[!old], "-", "");
        for (size_t i = 0; i < QP_COUNT(nodes); i++) {
            make_node(&m, nodes[i]);
            ends[i] = m.bytes.len;
        }
        for (size_t len = 0; len <= m.bytes.len; len++) {
            qp_context *context = qp_context_new();
            char *exact = malloc(len ? len : 1); /* so that a read past its end is seen */
            memcpy(exact, m.bytes.data, len);
            memory bytes = {.data = exact, .len = len};
            qp_reader *reader;
            const qp_game *game = read_one(context, &bytes, &reader);
            size_t count, least = 0, most = 0, told = 0;
            const qp_finding *findings = qp_reader_findings(reader, &count);
            for (size_t i = 0; i < count; i++)
                told += findings[i].code == QP_D_file_truncated;
            cr_expect_eq(told, len > 2 && len < m.bytes.len, "version %u cut at %zu", m.version,
                         len);
            cr_expect_eq(game != NULL, len >= 1024, "version %u cut at %zu", m.version, len);
            for (size_t i = 1; i < QP_COUNT(nodes); i++) {
                least += ends[i] <= len;
                most += ends[i - 1] + 4 <= len;
            }
            if (game != NULL)
                cr_expect(game->nodes >= least && game->nodes <= most,
                          "version %u cut at %zu: %u", m.version, len, game->nodes);
            qp_reader_close(reader);
            qp_context_free(context);
            free(exact);
        }
        made_clear(&m);
    }
}

/* Damaged bytes must neither crash nor hang, and a game comes out or a finding. */
Test(xqf, damage)
{
    static const char tree[] =
        "root/c{a} h2e2/cs{bc} h9g7/c h0g2 c3c4/cs g6g5{end} g3g4/c b9c7/s h7e7";
    static const char key[] = "AE00000000B1C2D3BAEB080607";
    uint64_t seed = 20240229;
    qp_context *context = qp_context_new();
    made m = make("18", key, "text=80:题目 text=304:红方", tree);
    qp_buf work = {0};
    for (int round = 0; round < 3000; round++) {
        work.len = 0;
        qp_buf_add(&work, m.bytes.data, m.bytes.len);
        for (int i = 0; i < 1 + round % 7; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t most = round % 2 ? work.len : 80;
            size_t at = (size_t)(seed >> 33) % most;
            if (round % 4 >= 2) /* in the tree alone */
                at = 1024 + at % (work.len - 1024);
            work.data[at] = (char)(seed >> 20);
        }
        qp_reader *reader;
        size_t count;
        memory bytes = {.data = work.data, .len = work.len};
        const qp_game *game = read_one(context, &bytes, &reader);
        qp_reader_findings(reader, &count);
        cr_expect(game != NULL || count > 0, "round %d", round);
        if (game != NULL) {
            qp_buf out = {0};
            qp_writer_options options = {.format = "xqf"};
            qp_writer *writer = qp_writer_open(context, buf_write, &out, &options);
            cr_expect_eq(qp_writer_put(writer, game), QP_OK);
            qp_writer_close(writer);
            qp_buf_clear(&out);
        }
        qp_reader_close(reader);
    }
    qp_buf_clear(&work);
    made_clear(&m);
    qp_context_free(context);
}

/* ---- large trees ---- */

static void add_small(qp_buf *out, unsigned from, unsigned to, unsigned flags)
{
    char node[4] = {(char)(from + 24), (char)(to + 32), (char)flags, 0};
    qp_buf_add(out, node, 4);
}

static void expect_large(const qp_buf *bytes, uint32_t nodes, uint32_t variations,
                         const char *why)
{
    qp_context *context = qp_context_new();
    qp_reader *reader;
    memory m = {.data = bytes->data, .len = bytes->len};
    const qp_game *game = read_one(context, &m, &reader);
    cr_assert_neq(game, NULL);
    cr_expect_eq(game->nodes, nodes, "%s: %u", why, game->nodes);
    cr_expect_eq(game->variations, variations, "%s: %u", why, game->variations);
    qp_reader_close(reader);
    qp_context_free(context);
}

/* A line of a million moves, a million siblings, as many one inside another. */
Test(xqf, large)
{
    enum { MANY = 1000000, DEEP = 5000 };
    made m = make("18", "00000000000000000000000000", "-", "root/c");
    for (unsigned i = 0; i < MANY; i++) { /* a rook and another go to and fro */
        static const unsigned squares[4][2] = {{0, 1}, {9, 8}, {1, 0}, {8, 9}};
        add_small(&m.bytes, squares[i % 4][0], squares[i % 4][1], i + 1 < MANY ? 0x80 : 0);
    }
    expect_large(&m.bytes, MANY, 0, "line");
    m.bytes.len = 1028;
    for (unsigned i = 0; i < MANY; i++)
        add_small(&m.bytes, 0, 1, i + 1 < MANY ? 0x40 : 0);
    expect_large(&m.bytes, MANY, MANY - 1, "siblings");
    m.bytes.len = 1028;
    for (unsigned i = 0; i < DEEP; i++) { /* each ply waits for one behind all that follow */
        static const unsigned squares[4][2] = {{0, 1}, {9, 8}, {1, 0}, {8, 9}};
        add_small(&m.bytes, squares[i % 4][0], squares[i % 4][1],
                  i + 1 < DEEP ? 0xC0 : 0x40);
    }
    for (unsigned i = 0; i < DEEP; i++)
        add_small(&m.bytes, 72, 42, 0);
    expect_large(&m.bytes, 2 * DEEP, DEEP, "owed");
    made_clear(&m);
}

/* Limits of the context: what stands before them is kept. */
Test(xqf, limits)
{
    made m = make("10", "00000000000000000000000000", "-",
                  "root/c h2e2/c h9g7/c h0g2/c i9h9/c i0h0");
    for (int i = 0; i < 2; i++) {
        qp_context *context = qp_context_new();
        qp_reader *reader;
        size_t count;
        qp_context_set_limit(context, i ? QP_LIMIT_NODES : QP_LIMIT_RECORD, i ? 3 : 1060);
        memory bytes = {.data = m.bytes.data, .len = m.bytes.len};
        const qp_game *game = read_one(context, &bytes, &reader);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        cr_assert_neq(game, NULL);
        cr_expect_eq(game->plies, 3, "limit %d: %u", i, game->plies);
        cr_assert_eq(count, 1, "limit %d: %zu", i, count);
        cr_expect_eq(findings[0].code, QP_D_file_limit);
        cr_expect_eq(qp_reader_next(reader, &game), QP_END);
        qp_reader_close(reader);
        qp_context_free(context);
    }
    made_clear(&m);
}

/* Strings in another encoding, named. */
Test(xqf, encoding)
{
    qp_context *context = qp_context_new();
    made m = make("10", "00000000000000000000000000", "304=04a4a4b0ea", "root");
    static const char *const names[] = {NULL, "big5", "utf-8"};
    static const char *const read[] = {"い瓣", "中國", "\uFFFD\uFFFD\uFFFD\uFFFD"};
    for (size_t i = 0; i < QP_COUNT(names); i++) {
        memory bytes = {.data = m.bytes.data, .len = m.bytes.len};
        qp_reader_options options = {.encoding = names[i]};
        qp_reader *reader = qp_reader_open(context, memory_read, &bytes, &options);
        const qp_game *game;
        qp_reader_next(reader, &game);
        cr_assert_neq(game, NULL);
        qp_str red = qp_game_tag(game, "Red");
        cr_expect(qp_str_is(red, read[i]), "%zu: %.*s", i, (int)red.len, red.data);
        cr_expect_str_eq(game->encoding, names[i] ? names[i] : "gb18030");
        qp_reader_close(reader);
    }
    made_clear(&m);
    qp_context_free(context);
}

/* ---- writing ---- */

/* One game of JSON written as XQF, and what is read back. */
static char *through(const char *json, unsigned version, qp_buf *bytes, qp_buf *said)
{
    qp_context *context = qp_context_new();
    memory m = {.data = json, .len = strlen(json)};
    qp_writer_options options = {.format = "xqf", .version = version};
    qp_reader *reader;
    size_t count;
    bytes->len = said->len = 0;
    const qp_game *game = read_one(context, &m, &reader);
    qp_writer *writer = qp_writer_open(context, buf_write, bytes, &options);
    qp_writer_put(writer, game);
    const qp_finding *findings = qp_writer_findings(writer, &count);
    for (size_t i = 0; i < count; i++)
        qp_buf_printf(said, "%s/%s;", qp_code_name(findings[i].code),
                      findings[i].detail ? findings[i].detail : "");
    qp_writer_close(writer);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_add_char(said, '\0');
    return convert_bytes(bytes->data, bytes->len, NULL, NULL, 0);
}

/* Rows of data/xqf-write.tsv: a game in JSON, what is said when it is written, and what is
 * read back, from either version. */
Test(xqf, write)
{
    table t;
    int rows = 0;
    qp_buf bytes = {0}, said = {0};
    cr_assert(table_open(&t, "xqf-write.tsv"));
    while (table_next(&t)) {
        unescape(t.field[2]);
        for (unsigned version = 0; version <= 18; version += 18) {
            char *got = through(t.field[0], version, &bytes, &said);
            cr_expect_str_eq(said.data, t.field[1], "row %d, version %u: %s", t.row, version,
                             said.data);
            cr_expect_str_eq(got, t.field[2], "row %d, version %u:\n%s\nis not\n%s", t.row,
                             version, got, t.field[2]);
            cr_expect_eq(bytes.data[2], version ? 18 : 10);
            free(got);
        }
        rows++;
    }
    cr_expect_gt(rows, 0);
    qp_buf_clear(&bytes);
    qp_buf_clear(&said);
}

/* What XQStudio and others write is what is written: files made by hand, byte for byte. */
Test(xqf, bytes)
{
    static const char tree[] = "root/c{begin\r\n} h2e2/cs{中炮\r\n} h9g7/c h0g2 c3c4";
    static const char json[] =
        "{\"tags\":{\"Title\":\"题目\",\"Red\":\"甲\"},\"result\":\"0-1\",\"comment\":\"begin\","
        "\"line\":[{\"move\":\"h2e2\",\"comment\":\"中炮\",\"variations\":[[{\"move\":\"c3c4\"}]]},"
        "{\"move\":\"h9g7\"},{\"move\":\"h0g2\"}]}";
    for (unsigned version = 10; version <= 18; version += 8) {
        qp_buf bytes = {0}, said = {0};
        made m = make(version == 10 ? "10" : "18", "00000000000000000000000000",
                      version == 10 ? "51=02 text=80:题目 text=304:甲 1024=1820"
                                    : "51=02 text=80:题目 text=304:甲",
                      tree);
        free(through(json, version, &bytes, &said));
        cr_expect_str_eq(said.data, "");
        cr_assert_eq(bytes.len, m.bytes.len, "version %u: %zu", version, bytes.len);
        for (size_t i = 0; i < bytes.len; i++)
            cr_expect_eq(bytes.data[i], m.bytes.data[i], "version %u at %zu: %02x is not %02x",
                         version, i, (unsigned char)bytes.data[i],
                         (unsigned char)m.bytes.data[i]);
        made_clear(&m);
        qp_buf_clear(&bytes);
        qp_buf_clear(&said);
    }
}

/* A second game finds no place, other versions none at all. */
Test(xqf, one_game)
{
    qp_context *context = qp_context_new();
    qp_buf out = {0};
    qp_writer_options options = {.format = "xqf", .version = 12};
    cr_expect_eq(qp_writer_open(context, buf_write, &out, &options), NULL);
    options.version = 0;
    qp_writer *writer = qp_writer_open(context, buf_write, &out, &options);
    qp_game game = {.number = 1};
    size_t count;
    qp_board_start(&game.start);
    qp_writer_put(writer, &game);
    qp_writer_findings(writer, &count);
    cr_expect_eq(count, 0);
    qp_writer_put(writer, &game);
    const qp_finding *findings = qp_writer_findings(writer, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(findings[0].code, QP_D_loss);
    cr_expect_str_eq(findings[0].detail, "one-game");
    qp_writer_close(writer);
    cr_expect_eq(out.len, 1032);
    qp_buf_clear(&out);
    qp_context_free(context);
}

/* ---- real files ---- */

static const char *const real[] = {
    "xqf10_black_first_who0.xqf",    "xqf10_cchess_test1.xqf",   "xqf10_no_red_king.xqf",
    "xqf10_root_promises_child.xqf", "xqf10_site_overlen.xqf",   "xqf10_title_spill.xqf",
    "xqf10_typ0_nonstd.xqf",         "xqf11_liudahua.xqf",       "xqf12_bingshi.xqf",
    "xqf13_zhuxiangzhai49.xqf",      "xqf15_a.xqf",              "xqf16_cchess_ucci2.xqf",
    "xqf18_black_first.xqf",         "xqf18_cchess_5var.xqf",    "xqf18_cchess_empty.xqf",
    "xqf18_cchess_fivegoats.xqf",    "xqf18_cchess_unittest.xqf", "xqf18_cchess_wildhouse.xqf",
    "xqf18_eleeye_exama.xqf",        "xqf18_eleeye_examb.xqf",
};

Test(xqf, corpus)
{
    for (size_t i = 0; i < QP_COUNT(real); i++)
        corpus_check(real[i]);
}

/* What is read from real files and written reads the same again. A title longer than its
 * field is cut. */
Test(xqf, again)
{
    for (size_t i = 0; i < QP_COUNT(real); i++)
        for (unsigned version = 10; version <= 18; version += 8) {
            size_t len, count;
            char *bytes = corpus_file(real[i], &len);
            if (bytes == NULL)
                return;
            qp_context *context = qp_context_new();
            memory m = {.data = bytes, .len = len};
            qp_writer_options options = {.format = "xqf", .version = version};
            qp_reader *reader;
            qp_buf first = {0}, second = {0}, out = {0};
            const qp_game *game = read_one(context, &m, &reader);
            show_game(&first, game);
            qp_writer *writer = qp_writer_open(context, buf_write, &out, &options);
            qp_writer_put(writer, game);
            qp_writer_findings(writer, &count);
            cr_expect_eq(count, strcmp(real[i], "xqf10_title_spill.xqf") == 0, "%s: %zu",
                         real[i], count);
            qp_writer_close(writer);
            qp_reader_close(reader);
            m = (memory){.data = out.data, .len = out.len};
            game = read_one(context, &m, &reader);
            show_game(&second, game);
            if (count == 0)
                cr_expect(qp_str_same((qp_str){first.data, first.len},
                                      (qp_str){second.data, second.len}),
                          "%s, version %u:\n%.*s\nis not\n%.*s", real[i], version, 300,
                          second.data, 300, first.data);
            qp_reader_close(reader);
            qp_context_free(context);
            qp_buf_clear(&first);
            qp_buf_clear(&second);
            qp_buf_clear(&out);
            free(bytes);
        }
}
