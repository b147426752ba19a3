/* Encodings: their names, how they are found, text that was decoded wrongly, encoders;
 * and characters.
 */
#include "config.h"

#include <iconv.h>

#include "text/inside.h"
#include "sources.h"
#include "table.h"

Test(encoding, names_of_encodings)
{
    table t;
    cr_assert(table_open(&t, "encodings.tsv"));
    while (table_next(&t)) {
        qp_encoding found = qp_encoding_find(t.field[0]);
        bool none = strcmp(t.field[1], "-") == 0;
        cr_expect_str_eq(found == QP_ENC_NONE ? "-" : qp_encoding_name(found),
                         none ? "-" : t.field[1], "row %d: %s", t.row, t.field[0]);
    }
}

/* ---- detection ---- */

Test(encoding, found_by_content)
{
    table t;
    qp_buf bytes = {0}, notes = {0};
    cr_assert(table_open(&t, "detect.tsv"));
    while (table_next(&t)) {
        size_t len = unescape(t.field[1]);
        qp_source source;
        bytes.len = 0;
        if (strcmp(t.field[0], "bytes") == 0)
            qp_buf_add(&bytes, t.field[1], len);
        else
            encode(t.field[1], t.field[0], &bytes);
        memory m = {.data = bytes.data, .len = bytes.len};
        read_all(&source, &m, QP_ENC_NONE);
        qp_encoding last =
            qp_source_encoding_at(&source, source.len ? source.len - 1 : 0);
        cr_expect_str_eq(qp_encoding_name(last), t.field[2], "row %d: %s", t.row,
                         qp_encoding_name(last));
        describe_notes(&source, SIZE_MAX, &notes);
        cr_expect_str_eq(notes.data, t.field[3], "row %d: %s", t.row, notes.data);
        if (strcmp(t.field[0], "bytes") != 0)
            cr_expect(qp_str_is(text_of(&source), t.field[1]), "row %d: %.*s", t.row,
                      (int)source.len, source.text);
        qp_source_close(&source);
    }
    qp_buf_clear(&bytes);
    qp_buf_clear(&notes);
}

static const char *const games[] = {
    "[Red \"周晓岚\"]\n[Black \"林大川\"]\n\n1. 炮二平五 马8进7\n2. 马二进三 "
    "车9平8\n1-0\n\n",
    "[Red \"陳文志\"]\n[Black \"張建國\"]\n\n1. 炮二平五 馬8進7\n2. 馬二進三 "
    "車9平8\n*\n\n",
    "[Red \"Li\"]\n[Black \"Lu\"]\n\n1. h2e2 h9g7\n2. h0g2 i9h9\n*\n\n",
};
static const char *const spoken[] = {"utf-8", "gb18030", "big5"};

/* Every order of games in three encodings (simplified glyphs are not in Big5). */
Test(encoding, changes_from_game_to_game)
{
    uint32_t random = 5;
    for (int round = 0; round < 400; round++) {
        qp_buf bytes = {0}, want = {0}, changes = {0}, told = {0};
        int last = -1;
        bool guessed = false;
        size_t count = round % 7 + 1;
        for (size_t i = 0; i < count; i++) {
            int encoding = (int)(next_random(&random) % 3);
            int game = next_random(&random) % 4 == 0 ? 2 : encoding == 2 ? 1 : 0;
            if (game != 2) {
                if (last >= 0 && last != encoding)
                    qp_buf_printf(&changes, "%zu:%s>%s ", want.len, spoken[last],
                                  spoken[encoding]);
                else if (last < 0)
                    guessed = encoding != 0;
                last = encoding;
            }
            encode(games[game], spoken[encoding], &bytes);
            qp_buf_add_text(&want, games[game]);
        }
        memory m = {.data = bytes.data, .len = bytes.len};
        qp_source source;
        size_t notes;
        bool guess = false;
        read_all(&source, &m, QP_ENC_NONE);
        cr_expect(qp_str_same(text_of(&source), (qp_str){want.data, want.len}),
                  "round %d: %.*s", round, (int)source.len, source.text);
        const qp_text_note *note = qp_source_notes(&source, SIZE_MAX, &notes);
        for (size_t i = 0; i < notes; i++)
            if (strcmp(note[i].detail, "encoding-mixed") == 0)
                qp_buf_printf(&told, "%zu:%s>%s ", note[i].at,
                              qp_encoding_name(note[i].from),
                              qp_encoding_name(note[i].to));
            else
                guess = true;
        cr_expect(qp_str_same((qp_str){told.data, told.len},
                              (qp_str){changes.data, changes.len}),
                  "round %d: %.*s", round, (int)told.len, told.data);
        cr_expect_eq(guess, guessed, "round %d", round);
        qp_source_close(&source);
        qp_buf_clear(&bytes);
        qp_buf_clear(&want);
        qp_buf_clear(&changes);
        qp_buf_clear(&told);
    }
}

/* A change of encoding anywhere in a long file: blocks end where they like. */
Test(encoding, changes_between_blocks)
{
    for (size_t before = 700; before < 1100; before += 13) {
        qp_buf bytes = {0}, want = {0};
        for (size_t i = 0; i < 1500; i++) {
            bool big5 = i / before % 2;
            encode(games[big5], big5 ? "big5" : "gbk", &bytes);
            qp_buf_add_text(&want, games[big5]);
        }
        memory m = {.data = bytes.data, .len = bytes.len};
        qp_source source;
        read_all(&source, &m, QP_ENC_NONE);
        cr_expect(qp_str_same(text_of(&source), (qp_str){want.data, want.len}), "%zu",
                  before);
        qp_source_close(&source);
        qp_buf_clear(&bytes);
        qp_buf_clear(&want);
    }
}

/* Nothing but ASCII for several blocks: the first game that has more decides. */
Test(encoding, found_late)
{
    qp_buf bytes = {0}, want = {0}, notes = {0}, expected = {0};
    while (bytes.len < 5 * QP_BLOCK / 2)
        qp_buf_add_text(&bytes, games[2]);
    qp_buf_add(&want, bytes.data, bytes.len);
    qp_buf_printf(&expected, "encoding-guessed:guessed:%zu:3:ascii>big5%c", bytes.len + 6,
                  0);
    encode(games[1], "big5", &bytes);
    qp_buf_add_text(&want, games[1]);
    memory m = {.data = bytes.data, .len = bytes.len};
    qp_source source;
    cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, NULL, NULL));
    cr_assert(qp_source_more(&source));
    cr_expect_eq(source.encoding, QP_ENC_NONE);
    qp_source_close(&source);
    m.at = 0;
    read_all(&source, &m, QP_ENC_NONE);
    cr_expect(qp_str_same(text_of(&source), (qp_str){want.data, want.len}));
    describe_notes(&source, SIZE_MAX, &notes);
    cr_expect_str_eq(notes.data, expected.data);
    qp_source_close(&source);
    qp_buf_clear(&bytes);
    qp_buf_clear(&want);
    qp_buf_clear(&notes);
    qp_buf_clear(&expected);
}

Test(encoding, named_is_never_changed)
{
    qp_buf bytes = {0}, notes = {0};
    encode(games[0], "utf-8", &bytes);
    memory m = {.data = bytes.data, .len = bytes.len};
    qp_source source;
    read_all(&source, &m, QP_ENC_GB18030);
    cr_expect_eq(source.encoding, QP_ENC_GB18030);
    cr_expect_eq(qp_source_encoding_at(&source, source.len - 1), QP_ENC_GB18030);
    describe_notes(&source, SIZE_MAX, &notes);
    cr_expect_null(strstr(notes.data, "guessed"));
    qp_source_close(&source);
    qp_buf_clear(&bytes);
    qp_buf_clear(&notes);
}

/* Two marked files pasted together, the first without a line end. */
Test(encoding, mark_inside_a_line)
{
    qp_buf bytes = {0};
    encode("[Red \"何静\"]\n\n1. 炮二平五 1-0", "gbk", &bytes);
    qp_buf_add_text(&bytes, "\xEF\xBB\xBF[Red \"何静\"]\n\n1. 兵七进一\n");
    memory m = {.data = bytes.data, .len = bytes.len};
    qp_source source;
    qp_place place;
    read_all(&source, &m, QP_ENC_NONE);
    cr_expect(qp_str_is(text_of(&source), "[Red \"何静\"]\n\n1. 炮二平五 1-0"
                                          "[Red \"何静\"]\n\n1. 兵七进一\n"),
              "%.*s", (int)source.len, source.text);
    qp_source_locate(&source, 35, 4, &place); /* [Red of the second */
    cr_expect_eq(place.byte, 32);
    cr_expect_eq(place.line, 3);
    qp_source_close(&source);
    qp_buf_clear(&bytes);
}

typedef struct counted {
    unsigned calls, gb, big5;
} counted;

static unsigned judge(void *user, qp_str text)
{
    counted *c = user;
    c->calls++;
    return memcmp(text.data, "\xE8\xAB\x96", 3) == 0 ? c->big5 : c->gb; /* 論 */
}

/* Bytes that both read without a glyph of moves and without an error. */
Test(encoding, judge_settles_a_tie)
{
    for (unsigned i = 0; i < 3; i++) {
        counted c = {.gb = i == 1 ? 3 : 0, .big5 = i == 2 ? 3 : 0};
        memory m = {.data = "\xBD\xD7\xBD\xD7", .len = 4};
        qp_source source;
        cr_assert(qp_source_open(&source, read_memory, &m, QP_ENC_NONE, judge, &c));
        cr_assert(qp_source_more(&source));
        cr_expect_eq(c.calls, 2);
        cr_expect_eq(source.encoding, i == 2 ? QP_ENC_BIG5 : QP_ENC_GB18030, "%u", i);
        qp_source_close(&source);
    }
}

/* ---- wrongly decoded text ---- */

Test(encoding, mojibake)
{
    static const struct {
        const char *encoding, *page, *how;
    } ways[] = {
        {"gbk", "ISO-8859-1", "GBK read as Latin-1"},
        {"gbk", "MACINTOSH", "GBK read as Mac Roman"},
        {"big5", "ISO-8859-1", "Big5 read as Latin-1"},
        {"big5", "MACINTOSH", "Big5 read as Mac Roman"},
        {"utf-8", "ISO-8859-1", "UTF-8 read as Latin-1"},
        {"utf-8", "MACINTOSH", "UTF-8 read as Mac Roman"},
    };
    for (size_t i = 0; i < QP_COUNT(ways); i++)
        for (int game = 0; game < 2; game++) {
            bool big5 = strcmp(ways[i].encoding, "big5") == 0;
            const char *text = games[big5];
            qp_buf bytes = {0}, wrong = {0}, out = {0};
            const char *how = NULL;
            encode(text, ways[i].encoding, &bytes);
            iconv_t converter = iconv_open("UTF-8", ways[i].page);
            cr_assert_neq(converter, (iconv_t)-1);
            char *from = bytes.data;
            size_t left = bytes.len;
            cr_assert(qp_buf_reserve(&wrong, 8 * bytes.len));
            char *to = wrong.data;
            size_t room = wrong.room;
            cr_assert_eq(iconv(converter, &from, &left, &to, &room), 0);
            iconv_close(converter);
            wrong.len = wrong.room - room;
            cr_expect(qp_mojibake_undo((qp_str){wrong.data, wrong.len}, &out, &how),
                      "way %zu", i);
            cr_expect(qp_str_is((qp_str){out.data, out.len}, text), "way %zu: %.*s", i,
                      (int)out.len, out.data);
            cr_expect_str_eq(how, ways[i].how);
            qp_buf_clear(&bytes);
            qp_buf_clear(&wrong);
            qp_buf_clear(&out);
        }
}

/* One encoding of Chinese read as another; what that lost is guessed in moves alone. */
Test(encoding, mojibake_of_chinese)
{
    static const struct {
        const char *text, *meant, *how;
    } rows[] = {
        {"1. 鐐�浜屽钩浜� 椹�8杩�7 2. 椹�浜岃繘涓� 杞�9骞�8 {濂芥�媫\n[Red \"鍛ㄦ檽宀�\"]\n",
         "1. 炮二平� 马8进7 2. 马二进� 车9平8 {好�}\n[Red \"周晓�\"]\n",
         "UTF-8 read as GBK"},
        {"1. 蘿媼す拻 鎮8輛7 2. 鎮媼輛�� 陬9す8 {疑め}\n[Red \"笚窀嵹\"]\n",
         "1. 炮二平五 马8进7 2. 马二进� 车9平8 {好棋}\n[Red \"周晓岚\"]\n",
         "GBK read as Big5"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf out = {0};
        const char *how = "";
        cr_expect(qp_mojibake_undo(qp_str_of(rows[i].text), &out, &how), "row %zu", i);
        cr_expect(qp_str_is((qp_str){out.data, out.len}, rows[i].meant), "row %zu: %.*s", i,
                  (int)out.len, out.data);
        cr_expect_str_eq(how, rows[i].how, "row %zu", i);
        qp_buf_clear(&out);
    }
}

Test(encoding, good_text_is_no_mojibake)
{
    static const char *const good[] = {
        "",
        "1. h2e2 h9g7",
        "炮二平五 马8进7",
        "[Red \"Hélène Lefèvre\"] [Black \"François Noël\"] 1. C2=5 H8+7",
        "Pháo 2 bình 5 Mã 8 tiến 7, Xe 9 bình 8; Tốt 7 tiến 1. Đặng Thanh Trung",
        "[Red \"Lý Huynh\"] Pháo đầu, bình phong mã",
        "Ærøskøbing Škoda Ångström Čížek Łódź naïve café ½ ± §",
        "Größe, Übermut, Straße: äöüÄÖÜß",
        "這步棋很好，以下紅方佔優：傌二進三 車9平8",
        "将棋と囲碁の対局、第三局",
        "鼈龜龔齷齪，黿鼉鼎鑊",
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    };
    for (size_t i = 0; i < QP_COUNT(good); i++) {
        qp_buf out = {0};
        const char *how = NULL;
        cr_expect_not(qp_mojibake_undo(qp_str_of(good[i]), &out, &how), "%s", good[i]);
        cr_expect_eq(out.len, 0);
        qp_buf_clear(&out);
    }
}

/* A tag that kept GBK in a collection converted to Big5. */
Test(encoding, recodes)
{
    qp_buf out = {0};
    cr_expect(qp_recode(QP_STR("菴1謫"), QP_ENC_BIG5, QP_ENC_GB18030, &out));
    cr_expect(qp_str_is((qp_str){out.data, out.len}, "第1轮"), "%.*s", (int)out.len,
              out.data);
    cr_expect_not(qp_recode(QP_STR("进"), QP_ENC_BIG5, QP_ENC_GB18030, &out),
                  "not in Big5");
    cr_expect_not(qp_recode(QP_STR("第1轮"), QP_ENC_GB18030, QP_ENC_UTF8, &out),
                  "not UTF-8");
    cr_expect(qp_str_is((qp_str){out.data, out.len}, "第1轮"), "nothing was added");
    qp_buf_clear(&out);
}

/* ---- encoders ---- */

typedef struct lacking {
    size_t count, at[8];
    uint32_t code_point[8];
} lacking;

static const char *note_missing(void *user, size_t at, uint32_t code_point)
{
    lacking *l = user;
    if (l->count < 8) {
        l->at[l->count] = at;
        l->code_point[l->count] = code_point;
    }
    l->count++;
    return NULL;
}

Test(encoding, encodes)
{
    static const struct {
        const char *name, *text, *bytes; /* fallback: "?" */
        size_t len, missing, at;
    } rows[] = {
        {"UTF-8", "炮é", "\xE7\x82\xAE\xC3\xA9", 5, 0, 0},
        {"gbk", "炮a馬",
         "\xC5\xDA"
         "a\xF1R",
         5, 0, 0},
        {"GB2312", "炮喆马", "\xC5\xDA?\xC2\xED", 5, 1, 3},
        {"gb18030", "𠮷", "\x95\x34\xB2\x35", 4, 0, 0},
        {"big5", "炮二", "\xAC\xB6\xA4G", 4, 0, 0},
        {"big5", "进1进", "?1?", 3, 2, 0},
        {"big5", "炮𠕇", "\xAC\xB6?", 3, 1, 3},
        {"big5-hkscs", "炮𠕇", "\xAC\xB6\xFA\x40", 4, 0, 0},
        {"cp950", "碁", "\xF9\xD6", 2, 0, 0},
        {"ascii", "a炮b", "a?b", 3, 1, 1},
        {"ISO-8859-1", "é炮", "\xE9?", 2, 1, 2},
        {"utf-16", "炮a",
         "\xFF\xFE\xAE\x70"
         "a\0",
         6, 0, 0},
        {"utf-16be", "炮", "\xFE\xFF\x70\xAE", 4, 0, 0},
        {"utf-16le", "", "", 0, 0, 0},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf out = {0};
        lacking l = {0};
        qp_encoder *encoder = qp_encoder_open(rows[i].name);
        cr_assert_not_null(encoder, "%s", rows[i].name);
        qp_encoder_add(encoder, qp_str_of(rows[i].text), &out, "?", note_missing, &l);
        cr_expect(qp_str_same((qp_str){out.data, out.len},
                              (qp_str){rows[i].bytes, rows[i].len}),
                  "row %zu", i);
        cr_expect_eq(l.count, rows[i].missing, "row %zu", i);
        if (rows[i].missing)
            cr_expect_eq(l.at[0], rows[i].at, "row %zu", i);
        cr_expect_eq(qp_encoder_is_utf8(encoder), i == 0, "row %zu", i);
        qp_encoder_close(encoder);
        qp_buf_clear(&out);
    }
    cr_expect_null(qp_encoder_open("no-such-encoding"));
    cr_expect_null(qp_encoder_open("gbk//TRANSLIT"));
    qp_encoder_close(NULL);
}

Test(encoding, encodes_in_parts)
{
    qp_buf out = {0};
    qp_encoder *encoder = qp_encoder_open("utf-16le");
    qp_encoder_add(encoder, QP_STR("a"), &out, "?", NULL, NULL);
    qp_encoder_add(encoder, QP_STR("b"), &out, "?", NULL, NULL);
    cr_expect(qp_str_same((qp_str){out.data, out.len}, (qp_str){"\xFF\xFE"
                                                                "a\0b\0",
                                                                6}),
              "one mark");
    qp_encoder_close(encoder);
    encoder = qp_encoder_open("big5-hkscs");
    cr_expect(qp_encoder_has(encoder, 0x70AE));
    cr_expect_not(qp_encoder_has(encoder, 0x8FDB));
    cr_expect(qp_encoder_has(encoder, 0x20547));
    out.len = 0;
    for (int i = 0; i < 20000; i++)
        qp_buf_add_text(&out, "炮进");
    qp_buf big = {0};
    lacking l = {0};
    qp_encoder_add(encoder, (qp_str){out.data, out.len}, &big, "[lost]", note_missing,
                   &l);
    cr_expect_eq(big.len, 20000 * 8);
    cr_expect_eq(l.count, 20000);
    cr_expect_eq(l.at[1], 9);
    cr_expect_eq(l.code_point[1], 0x8FDB);
    qp_encoder_close(encoder);
    qp_buf_clear(&out);
    qp_buf_clear(&big);
}

/* ---- characters ---- */

Test(encoding, utf8_both_ways)
{
    for (uint32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
        char text[4];
        size_t put = qp_utf8_put(text, c), len;
        uint32_t want = c >= 0xD800 && c < 0xE000 ? 0xFFFD : c;
        cr_assert_eq(qp_utf8_at(text, put, &len), want);
        cr_assert_eq(len, put);
        cr_assert_eq(qp_utf8_valid((unsigned char *)text, (unsigned char *)text + put),
                     put);
    }
}

Test(encoding, decodes_one)
{
    static const struct {
        qp_encoding encoding;
        const char *bytes;
        size_t n, used;
        uint32_t code_point;
    } rows[] = {
        {QP_ENC_UTF8, "a", 1, 1, 'a'},
        {QP_ENC_UTF8, "\xE7\x82\xAE", 3, 3, 0x70AE},
        {QP_ENC_UTF8, "\xE7\x82", 2, 0, 0xFFFD},
        {QP_ENC_UTF8, "\xE7\"", 2, 1, 0xFFFD},
        {QP_ENC_UTF8, "\xFF", 1, 1, 0xFFFD},
        {QP_ENC_UTF8, "\xEF\xBB\xBF", 3, 3, 0xFEFF},
        {QP_ENC_UTF8, "\r\n", 2, 1, '\r'},
        {QP_ENC_GB18030, "\xC5\xDA", 2, 2, 0x70AE},
        {QP_ENC_GB18030, "\xC5", 1, 0, 0xFFFD},
        {QP_ENC_GB18030, "\x95\x34\xB2\x35", 4, 4, 0x20BB7},
        {QP_ENC_GB18030, "\x95\x34\xB2", 3, 0, 0xFFFD},
        {QP_ENC_GB18030, "\x95\x34\"", 3, 1, 0xFFFD},
        {QP_ENC_BIG5, "\xAC\xB6", 2, 2, 0x70AE},
        {QP_ENC_BIG5, "\xAC\"", 2, 1, 0xFFFD},
        {QP_ENC_UTF16LE, "ab", 2, 1, 0xFFFD},
        {QP_ENC_BINARY, "\xFF", 1, 1, 0xFF},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        size_t used;
        uint32_t c = qp_decode_one(rows[i].encoding, (const unsigned char *)rows[i].bytes,
                                   rows[i].n, &used);
        cr_expect_eq(used, rows[i].used, "row %zu", i);
        cr_expect_eq(c, rows[i].code_point, "row %zu", i);
    }
}

Test(encoding, cells)
{
    static const struct {
        const char *text;
        size_t cells;
    } rows[] = {
        {"", 0},     {"abc", 3},  {"炮二平五", 8}, {"马8进7", 6}, {"１２", 4},
        {"ｱｲ", 2},   {"é", 1},    {"e\u0301", 1},  {"　", 2},     {"한국", 4},
        {"かな", 4}, {"𠮷", 2},   {"a\u200Bb", 2}, {"♟", 1},      {"🙂", 2},
        {"«»", 2},   {"Đặng", 4}, {"，。", 4},     {"\t", 1},     {"―…", 2},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(qp_cells(qp_str_of(rows[i].text)), rows[i].cells, "row %zu: %s", i,
                     rows[i].text);
}

Test(encoding, blanks)
{
    static const struct {
        const char *text;
        size_t len;
    } rows[] = {
        {"", 0},       {" a", 1},     {"\n", 1},     {"\t", 1},     {"\f", 1},
        {"a", 0},      {"\u00A0", 2}, {"\u3000", 3}, {"\u2003", 3}, {"\u200B", 3},
        {"\u2060", 3}, {"\uFEFF", 3}, {"\u202F", 3}, {"\u205F", 3}, {"\u00AD", 2},
        {"é", 0},      {"炮", 0},     {"。", 0},     {"、", 0},     {"\u2010", 0},
        {"…", 0},      {"１", 0},     {"\x1F", 0},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        cr_expect_eq(qp_blank_len(rows[i].text, strlen(rows[i].text)), rows[i].len,
                     "row %zu", i);
}

/* ---- real material ---- */

static bool load(const char *path, qp_buf *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    out->len = 0;
    for (size_t n = 1; n > 0;) {
        if (!qp_buf_reserve(out, 1 << 16))
            break;
        n = fread(out->data + out->len, 1, 1 << 16, file);
        out->len += n;
    }
    fclose(file);
    return true;
}

/* What iconv makes of a whole file, with LF line ends. */
static bool by_iconv(const qp_buf *bytes, const char *name, qp_buf *out)
{
    iconv_t converter = iconv_open("UTF-8", name);
    char *from = bytes->data, *to;
    size_t left = bytes->len, room, kept = 0;
    out->len = 0;
    if (converter == (iconv_t)-1 || !qp_buf_reserve(out, 3 * bytes->len + 16))
        return false;
    to = out->data;
    room = out->room;
    bool good = iconv(converter, &from, &left, &to, &room) != (size_t)-1;
    iconv(converter, NULL, NULL, &to, &room);
    iconv_close(converter);
    size_t len = (size_t)(to - out->data);
    for (size_t i = 0; i < len; i++)
        if (out->data[i] != '\r')
            out->data[kept++] = out->data[i];
        else if (i + 1 == len || out->data[i + 1] != '\n')
            out->data[kept++] = '\n';
    out->len = kept;
    if (kept >= 3 && memcmp(out->data, "\xEF\xBB\xBF", 3) == 0) {
        memmove(out->data, out->data + 3, kept - 3);
        out->len -= 3;
    }
    return good;
}

/* The collections: found as their list says, and decoded as iconv does it. */
Test(encoding, collections)
{
    const char *root = getenv("QIPU_SHARED");
    table t;
    if (!table_open_shared(&t, "corpora/text/pgn/MANIFEST.tsv"))
        cr_skip_test("no QIPU_SHARED");
    int files = 0;
    qp_buf bytes = {0}, want = {0};
    while (table_next(&t)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/corpora/text/pgn/%s", root, t.field[0]);
        qp_encoding said = qp_encoding_find(t.field[2]);
        if (said == QP_ENC_NONE || !load(path, &bytes))
            continue;
        files++;
        memory m = {.data = bytes.data, .len = bytes.len};
        qp_source source;
        read_all(&source, &m, QP_ENC_NONE);
        qp_encoding found =
            qp_source_encoding_at(&source, source.len ? source.len - 1 : 0);
        if (said == QP_ENC_UTF8)
            cr_expect(found == said || found == QP_ENC_NONE, "%s: %s", t.field[0],
                      qp_encoding_name(found));
        else
            cr_expect_eq(found, said, "%s: %s", t.field[0], qp_encoding_name(found));
        if (by_iconv(&bytes, said == QP_ENC_BIG5 ? "BIG5-HKSCS" : qp_encoding_name(said),
                     &want))
            cr_expect(qp_str_same(text_of(&source), (qp_str){want.data, want.len}), "%s",
                      t.field[0]);
        qp_source_close(&source);
    }
    cr_expect(files > 100, "%d files", files);
    qp_buf_clear(&bytes);
    qp_buf_clear(&want);
}

Test(encoding, cases)
{
    static const struct {
        const char *file, *encoding, *holds;
    } rows[] = {
        {"enc-big5-traditional/game.pgn", "big5", "[Black \"張建國\"]"},
        {"enc-gb18030-four-bytes/game.pgn", "gb18030", "[Red \"𠮷田川\"]"},
        {"enc-gbk-crlf/game.pgn", "gb18030", "[Black \"何镕\"]\n"},
        {"enc-gbk-then-utf8/two.pgn", "utf-8", "[Red \"何静\"]"},
        {"enc-one-bad-byte/game.pgn", "utf-8", "好棋\uFFFD}"},
        {"enc-utf16le-bom/game.pgn", "utf-16le", "[Black \"林大川\"]\n"},
        {"enc-very-short/gbk.txt", "gb18030", "炮二平五 马8进7"},
        {"enc-very-short/big5.txt", "big5", "炮二平五 馬8進7"},
        {"enc-bom-inside-file/two.pgn", "utf-8",
         "\n[Game \"Chinese Chess\"]\n[Event \"秋季赛\"]"},
        {"enc-nul-bytes/game.pgn", "utf-8", "[Black \"林大川\"]"},
        {"enc-line-ends-mixed/game.pgn", "utf-8", "\n2. "},
    };
    const char *root = getenv("QIPU_SHARED");
    if (root == NULL || *root == '\0')
        cr_skip_test("no QIPU_SHARED");
    qp_buf bytes = {0}, text = {0};
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/cases/%s", root, rows[i].file);
        cr_assert(load(path, &bytes), "%s", path);
        memory m = {.data = bytes.data, .len = bytes.len};
        qp_source source;
        read_all(&source, &m, QP_ENC_NONE);
        cr_expect_str_eq(qp_encoding_name(qp_source_encoding_at(&source, source.len - 1)),
                         rows[i].encoding, "%s", path);
        text.len = 0;
        qp_buf_add(&text, source.text, source.len);
        qp_buf_add_char(&text, '\0');
        cr_expect_not_null(strstr(text.data, rows[i].holds), "%s: %s", path, text.data);
        qp_source_close(&source);
    }
    qp_buf_clear(&bytes);
    qp_buf_clear(&text);
}
