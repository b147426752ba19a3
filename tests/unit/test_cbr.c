/* CBR and CBL, read and written: files made here byte by byte, damage of every kind, and the
 * records that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "binary_files.h"
#include "format/ccbridge.h"
#include "corpus.h"

#if HAVE_ZLIB
#include <zlib.h>
#endif

/* ---- records ---- */

/* Where the head of each version has what the tests set. */
static const struct places {
    unsigned title, red, result, side, round, board, nodes;
} places[2] = {{52, 948, 1820, 1856, 1860, 1864, 1958}, {180, 1076, 2076, 2112, 2116, 2120, 2214}};

static void set_board(qp_buf *out, size_t at)
{
    static const char top[] = "RHEAKAEHR..........C.....C.P.P.P.P.P";
    static const char letters[] = "RHEAKCP";
    for (unsigned i = 0; i < 45; i++) {
        const char *kind = i < sizeof top - 1 && top[i] != '.' ? strchr(letters, top[i]) : NULL;
        out->data[at + i] = kind != NULL ? (char)(0x21 + (kind - letters)) : 0;
        out->data[at + 89 - i] = kind != NULL ? (char)(0x11 + (kind - letters)) : 0;
    }
}

/* A record with the usual board, whose gaps hold junk. */
static qp_buf head_of(unsigned version)
{
    const struct places *p = &places[version - 1];
    qp_buf out = {0};
    put_zeros(&out, p->nodes);
    memcpy(out.data, "CCBridge Record", 16);
    out.data[19] = (char)version;
    memset(out.data + 20, 7, 16);
    memset(out.data + 40, 0xAA, 10);
    put_wide(&out, p->title, "TA");
    memset(out.data + p->title + 6, 0xDD, 20); /* behind the NUL */
    out.data[p->result] = 1;
    out.data[p->side] = 1;
    out.data[p->round] = 1;
    set_board(&out, p->board);
    out.data[version == 1 ? 1784 : 2040] = 1;
    return out;
}

static unsigned code_of(unsigned version, const char *square)
{
    unsigned x = (unsigned)(square[0] - 'a'), row = 9 - (unsigned)(square[1] - '0');
    return version == 1 ? x << 4 | row : 9 * row + x;
}

/* Appends a node; move NULL: the root. comment in ASCII, NULL for none. */
static void add_node(qp_buf *out, unsigned version, unsigned flags, const char *move,
                     const char *comment)
{
    qp_put_u8(out, flags | (comment != NULL ? 4 : 0));
    qp_put_u8(out, 0);
    qp_put_u8(out, move != NULL ? code_of(version, move) : 0);
    qp_put_u8(out, move != NULL ? code_of(version, move + 2) : 0);
    if (comment == NULL)
        return;
    qp_put_u32(out, (uint32_t)strlen(comment) * 2);
    for (; *comment != '\0'; comment++)
        qp_put_u16(out, (unsigned char)*comment);
}

/* h2e2 (b2e2 b9c7 {deep}) (c3c4) h9g7, with a comment at the start. */
static qp_buf record_of(unsigned version)
{
    qp_buf out = head_of(version);
    add_node(&out, version, 0, NULL, "start\r\n");
    add_node(&out, version, 2, "h2e2", NULL);
    add_node(&out, version, 1, "h9g7", "two\r\nlines");
    add_node(&out, version, 2, "b2e2", NULL);
    add_node(&out, version, 1, "b9c7", "deep");
    add_node(&out, version, 1, "c3c4", NULL);
    return out;
}
static const char whole[] = "Title=TA; {start} h2e2 ( b2e2 b9c7 {deep} ) ( c3c4 ) h9g7 "
                            "{two\nlines} 1-0\n";

Test(cbr, versions)
{
    for (unsigned version = 1; version <= 2; version++) {
        qp_buf file = record_of(version);
        expect_shown(file, NULL, whole, "version %u", version);
        for (size_t step = 1; step < 4000; step = step * 3 + 1) {
            char *shown = show_bytes(file.data, file.len, NULL, step);
            cr_expect_str_eq(shown, whole, "in pieces of %zu: %s", step, shown);
            free(shown);
        }
        qp_buf_clear(&file);
    }
}

/* Strings end at an even NUL, or with their field; halves of surrogates are U+FFFD. */
Test(cbr, strings)
{
    qp_buf file = record_of(2);
    for (unsigned i = 0; i < 16; i++) /* the board's field, 32 bytes, without a NUL */
        memcpy(file.data + 852 + 2 * i, "X", 2);
    /* A blank, then U+0100, whose low byte is 0: three zero bytes in a row. */
    memcpy(file.data + 1076, "R\0 \0\0\1!\0\0\0", 10);
    memcpy(file.data + 1300, "\x3D\xD8\x00\xDE\x3D\xD8" "b\0\0\0", 10);
    expect_shown(file, NULL,
                 "Title=TA;Board=XXXXXXXXXXXXXXXX;Red=R \xC4\x80!;Black=\xF0\x9F\x98\x80"
                 "\xEF\xBF\xBD" "b; {start} h2e2 ( b2e2 b9c7 {deep} ) ( c3c4 ) h9g7 "
                 "{two\nlines} 1-0 #encoding-invalid/bad-byte@0\n",
                 "strings");
    qp_buf_clear(&file);
}

/* The first ply's owner moves first; else the head decides. */
Test(cbr, sides)
{
    qp_buf file = head_of(2);
    add_node(&file, 2, 0, NULL, NULL);
    size_t at = file.len;
    add_node(&file, 2, 1, "h9g7", NULL);
    file.data[2116] = 12;
    expect_shown(file, NULL,
                 "Title=TA;<rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - "
                 "0 12> h9g7 1-0 #fen-style/side-contradicted@0\n",
                 "Black though the head says Red");
    file.data[2112] = 2;
    expect_shown(file, NULL,
                 "Title=TA;<rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - "
                 "0 12> h9g7 1-0\n",
                 "Black");
    file.len = at;
    file.data[2214] = 1;
    file.data[2116] = 1;
    expect_shown(file, NULL,
                 "Title=TA;<rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - "
                 "0 1> 1-0\n",
                 "no ply");
    memset(file.data + 2120, 0, 90); /* a chapter's heading */
    file.data[2112] = 1;
    file.data[2076] = 4;
    expect_shown(file, NULL,
                 "Title=TA;CBR_RecordResult=4;<9/9/9/9/9/9/9/9/9/9 w - - 0 1>\n", "empty");
    qp_buf_clear(&file);
}

/* Moves against the rules keep their squares, and their part of the tree. */
Test(cbr, illegal)
{
    qp_buf file = head_of(2);
    add_node(&file, 2, 0, NULL, NULL);
    add_node(&file, 2, 2, "h2e2", NULL);
    add_node(&file, 2, 0, "e5e6", NULL); /* an empty square */
    add_node(&file, 2, 1, "a0a1", NULL);
    add_node(&file, 2, 1, "a0a9", NULL); /* through a pawn, onto a rook */
    expect_shown(file, NULL,
                 "Title=TA; h2e2 ( a0a9! ) e5e6! a0a1 1-0 #move-no-piece/no-piece@2 "
                 "#move-blocked/path-blocked@1\n",
                 "illegal");
    qp_buf_clear(&file);
}

Test(cbr, damage)
{
    static const struct {
        const char *what;
        size_t at;      /* from the root on; what is put there */
        const char *put;
        size_t len;
        const char *shown;
    } rows[] = {
        {"flags 8", 0, "\x08", 1, "Title=TA; 1-0 #file-corrupt/cbr-node@0\n"},
        {"flags 255 later", 26, "\xFF", 1, "Title=TA; {start} h2e2 1-0 #file-corrupt/cbr-node@0\n"},
        {"a square past the board", 24, "\x5A", 1,
         "Title=TA; {start} 1-0 #file-corrupt/cbr-node@0\n"},
        {"origin is target", 24, "\x43\x43", 2,
         "Title=TA; {start} 1-0 #file-corrupt/cbr-node@0\n"},
        {"an odd comment", 30, "\x13", 1,
         "Title=TA; {start} h2e2 h9g7 1-0 #file-corrupt/cbr-comment@0\n"},
        {"a comment past the end", 30, "\xFE\xFF\xFF\xFF", 4,
         "Title=TA; {start} h2e2 h9g7 1-0 #file-truncated/cbr-comment@0\n"},
        {"no child at the root", 0, "\x05", 1,
         "Title=TA; {start} 1-0 #trailing-text/trailing-bytes@0\n"},
        {"the root has a sibling", 0, "\x06", 1, whole},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf file = record_of(2);
        put_at(&file, 2214 + rows[i].at, rows[i].put, rows[i].len);
        expect_shown(file, NULL, rows[i].shown, "%s", rows[i].what);
        qp_buf_clear(&file);
    }
    static const unsigned unknown[] = {0, 3, 255};
    for (size_t i = 0; i < QP_COUNT(unknown); i++) {
        qp_buf file = record_of(2);
        file.data[19] = (char)unknown[i];
        expect_shown(file, NULL, " #format-unsupported/cbr-version@0\n", "version %u",
                     unknown[i]);
        qp_buf_clear(&file);
    }
    qp_buf file = record_of(2);
    file.len = 2213;
    expect_shown(file, NULL, "Title=TA; 1-0 #file-truncated/cbr-head@0\n", "2213 bytes");
    file.len = 2214;
    expect_shown(file, NULL, "Title=TA; 1-0 #file-truncated/cbr-moves@0\n", "2214 bytes");
    file.len = 2214 + 26;
    expect_shown(file, NULL, "Title=TA; {start} h2e2 1-0 #file-truncated/cbr-moves@0\n", "cut");
    qp_buf_clear(&file);
    file = record_of(2);
    put_zeros(&file, 100);
    expect_shown(file, NULL, whole, "padded");
    expect_shown(file, "cbl", " #no-game/@0\n", "a record named a library");
    qp_buf_clear(&file);
}

Test(cbr, torture)
{
    for (unsigned version = 1; version <= 2; version++) {
        qp_buf file = record_of(version);
        torture(&file, "cbr", 1500);
        torture(&file, NULL, 100);
        qp_buf_clear(&file);
    }
}

/* One line of many plies, and many siblings of one ply. */
Test(cbr, big)
{
    enum { COUNT = 200000 };
    for (int wide = 0; wide < 2; wide++) {
        qp_buf file = head_of(2);
        add_node(&file, 2, 0, NULL, NULL);
        for (int i = 0; i < COUNT; i++)
            add_node(&file, 2,
                     wide ? (i + 1 < COUNT ? 3 : 1) : (i + 1 < COUNT ? 0 : 1),
                     wide || i % 4 == 0 ? "h2h3" : i % 4 == 1 ? "h7h6" : i % 4 == 2 ? "h3h2" : "h6h7",
                     NULL);
        qp_context *context = qp_context_new();
        memory m = {.data = file.data, .len = file.len};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        const qp_game *game;
        cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
        cr_expect_eq(game->nodes, COUNT);
        cr_expect_eq(game->line_plies, wide ? 1 : COUNT);
        cr_expect_eq(game->variations, wide ? COUNT - 1 : 0);
        qp_reader_close(reader);
        qp_context_free(context);
        qp_buf_clear(&file);
    }
}

/* ---- libraries ---- */

enum { LIBRARY_HEAD = 66624, ENTRY = 276 };

/* A library of `count` records with titles A, B, C …; states[i] is 7 or 5. */
static qp_buf library_of(uint32_t slots, const char *states, bool long_second)
{
    qp_buf out = {0}, records = {0};
    size_t count = strlen(states);
    put_zeros(&out, LIBRARY_HEAD + (size_t)slots * ENTRY);
    memcpy(out.data, "CCBridgeLibrary", 16);
    out.data[16] = 3;
    memcpy(out.data + 60, &(unsigned char[4]){(unsigned char)slots, (unsigned char)(slots >> 8)}, 4);
    put_wide(&out, 64, "Lib");
    for (size_t i = 0; i < count; i++) {
        qp_buf record = record_of(2);
        char title[2] = {(char)('A' + i), 0}, guid[39];
        size_t entry = LIBRARY_HEAD + i * ENTRY;
        put_wide(&record, 180, title);
        record.data[20] = (char)i;
        if (long_second && i == 1) { /* a comment that looks like a record at a block's start */
            record.len = 2214;
            qp_put_u32(&record, 4);
            qp_put_u32(&record, 6000);
            put_zeros(&record, 6000);
            memset(record.data + 2222, 'x', 6000);
            memcpy(record.data + 4096, "CCBridge Record", 16);
            add_node(&record, 2, 1, "h2e2", NULL);
        }
        size_t len = record.len, blocks = (len + 4095) / 4096;
        put_zeros(&record, blocks * 4096 - len);
        qp_cbr_guid_text((const unsigned char *)record.data + 20, guid);
        out.data[entry] = states[i] == '7' ? 7 : 5;
        out.data[entry + 4] = (char)i;
        out.data[entry + 8] = (char)blocks;
        out.data[entry + 12] = (char)(len & 0xFF);
        out.data[entry + 13] = (char)(len >> 8);
        put_wide(&out, entry + 20, guid);
        qp_buf_add(&records, record.data, record.len);
        qp_buf_clear(&record);
    }
    qp_buf_add(&out, records.data, records.len);
    qp_buf_clear(&records);
    return out;
}

#define GAME(title) "Title=" title "; {start} h2e2 ( b2e2 b9c7 {deep} ) ( c3c4 ) h9g7 {two\nlines} 1-0"

Test(cbl, library)
{
    qp_buf file = library_of(4, "7577", true);
    /* The second is deleted; then what is live, in the index's order. */
    expect_shown(file, NULL, "CBR_Library=Lib;" GAME("A") "\n" GAME("C") "\n" GAME("D") "\n",
                 "deleted");
    file.data[LIBRARY_HEAD + ENTRY] = 7;
    char *shown = show_bytes(file.data, file.len, NULL, 0);
    cr_expect(strstr(shown, "} h2e2 1-0\nTitle=C;") != NULL && strchr(shown, '#') == NULL,
              "a comment that holds a signature at a block's start");
    for (size_t step = 100; step < 40000; step = step * 5 + 1) {
        char *again = show_bytes(file.data, file.len, NULL, step);
        cr_expect_str_eq(again, shown, "in pieces of %zu", step);
        free(again);
    }
    free(shown);
    qp_buf_clear(&file);
    file = library_of(130, "", false);
    expect_shown(file, NULL, " #no-game/@0\n", "an empty library");
    qp_buf_clear(&file);
}

Test(cbl, wrong_index)
{
    static const char all[] = "CBR_Library=Lib;" GAME("A") "\n" GAME("B") "\n" GAME("C") "\n";
    static const char search[] = " #file-corrupt/cbl-index@0\n";
    static const struct {
        const char *what;
        size_t at;
        const char *put;
        size_t len;
        const char *first, *second, *third, *end;
    } rows[] = {
        {"slots 0", 60, "\0\0\0\0", 4, " #file-corrupt/cbl-index@0\n", "\n", "\n", ""},
        {"slots 0xFFFFFFFF", 60, "\xFF\xFF\xFF\xFF", 4, search, "\n", "\n", ""},
        {"slots 4 of 3", 60, "\4", 1, search, "\n", "\n", ""},
        {"slots 1 of 3", 60, "\1", 1, NULL, NULL, NULL, NULL},
        {"no blocks", LIBRARY_HEAD + 8, "\0", 1, search, "\n", "\n", ""},
        {"too many blocks", LIBRARY_HEAD + 8, "\5", 1, search, "\n", "\n", ""},
        {"huge count", LIBRARY_HEAD + 8, "\xFF\xFF\xFF\xFF", 4, search, "\n", "\n", ""},
        {"length past its blocks", LIBRARY_HEAD + 12, "\xFF\xFF\xFF", 3,
         " #file-corrupt/cbl-length@0\n", "\n", "\n", ""},
        {"another GUID", LIBRARY_HEAD + 22, "F", 1, " #file-corrupt/cbl-guid@0\n", "\n", "\n", ""},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf file = library_of(3, "777", false), want = {0};
        put_at(&file, rows[i].at, rows[i].put, rows[i].len);
        char *shown = show_bytes(file.data, file.len, NULL, 0);
        if (rows[i].first != NULL)
            qp_buf_printf(&want, "CBR_Library=Lib;%s%s%s%s%s%s%s", GAME("A"), rows[i].first,
                          GAME("B"), rows[i].second, GAME("C"), rows[i].third, rows[i].end);
        else
            qp_buf_add_text(&want, " #file-corrupt/cbl-index@0 #no-game/@0\n");
        qp_buf_add_char(&want, '\0');
        cr_expect_str_eq(shown, want.data, "%s:\n%s\nis not\n%s", rows[i].what, shown, want.data);
        free(shown);
        qp_buf_clear(&want);
        qp_buf_clear(&file);
    }
    /* Once the index is lost, deleted records are known by their GUIDs. */
    qp_buf file = library_of(3, "757", false);
    file.data[LIBRARY_HEAD + 8] = 0;
    expect_shown(file, NULL,
                 "CBR_Library=Lib;" GAME("A") " #file-corrupt/cbl-index@0\n" GAME("C") "\n",
                 "deleted");
    qp_buf_clear(&file);
    file = library_of(3, "777", false);
    expect_shown(file, NULL, all, "sound");
    file.len -= 4096;
    expect_shown(file, NULL,
                 "CBR_Library=Lib;" GAME("A") "\n" GAME("B")
                 "\n #file-truncated/cbl-records@0\n",
                 "a record past the end");
    file.len = LIBRARY_HEAD + 300;
    expect_shown(file, NULL, " #file-truncated/cbl-index@0 #no-game/@0\n", "cut index");
    file.len = 1000;
    expect_shown(file, NULL, " #no-game/@0 #file-truncated/cbl-head@0\n", "cut head");
    qp_buf_clear(&file);
    file = library_of(1, "7", false);
    file.data[16] = 4;
    expect_shown(file, NULL, " #no-game/@0 #format-unsupported/cbl-version@0\n", "version 4");
    torture(&file, "cbl", 10);
    file.data[16] = 3;
    torture(&file, "cbl", 300);
    qp_buf_clear(&file);
}

/* ---- libraries of version 2.1 ---- */

static void add_text(qp_buf *out, const char *text)
{
    qp_put_u32(out, (uint32_t)strlen(text));
    qp_buf_add_text(out, text);
}

static const char stamp[] = "01-2-3 04:05:06    "; /* 19 bytes */

/* A game: a pawn ending, g6g7 e8d9 (e8f9) g7f7, with comments. */
static void add_old_game(qp_buf *out, const char *title)
{
    static const unsigned char moves[][6] = {
        {1, 0, 0x63, 0x62, 0, 0}, {2, 0, 0x41, 0x30, 0, 0}, {3, 0, 0x62, 0x52, 0, 0},
        {2, 0, 0x41, 0x50, 0, 0}};
    size_t at = out->len;
    unsigned char pieces[32] = {0};
    pieces[4] = 0x4A;       /* Red's king on d0 */
    pieces[11] = 0x74;      /* a pawn on g6 */
    pieces[16 + 4] = 0x51;  /* Black's king on e9 */
    pieces[16 + 3] = 0x52;  /* an advisor on e8 */
    qp_put_u32(out, 0);
    qp_buf_add(out, pieces, sizeof pieces);
    qp_put_u32(out, 3);
    add_text(out, "ev");
    qp_put_u32(out, 1);
    add_text(out, title);
    static const char *const texts[] = {"", "o", "pl", "2001", "R", "B"};
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        add_text(out, texts[i]);
    qp_put_u32(out, 3);
    static const char *const people[] = {"an", "", "", ""};
    for (size_t i = 0; i < QP_COUNT(people); i++)
        add_text(out, people[i]);
    add_text(out, "about||it");
    qp_put_u8(out, 1);
    qp_buf_add(out, stamp, 19);
    qp_buf_add(out, stamp, 19);
    qp_put_u32(out, QP_COUNT(moves));
    qp_buf_add(out, moves, sizeof moves);
    qp_buf_add_text(out, "one\r\n\r\n\xB1\xF8\r\nalt\r\n");
    qp_set_u32(out, at, (uint32_t)(out->len - at));
}

static qp_buf old_data(uint32_t games)
{
    qp_buf out = {0};
    static const char *const texts[] = {"Lib", "", "", "cr", ""};
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        add_text(&out, texts[i]);
    qp_buf_add(&out, stamp, 19);
    qp_buf_add(&out, stamp, 19);
    qp_put_u32(&out, games);
    add_text(&out, "d");
    for (uint32_t i = 0; i < games; i++)
        add_old_game(&out, i == 0 ? "A" : "B");
    return out;
}

static qp_buf old_file(const qp_buf *data, bool packed, uint32_t promised)
{
    qp_buf out = {0};
    qp_buf_add_text(&out, "CCBridge");
    qp_put_u32(&out, 21);
    qp_put_u32(&out, packed ? 3 : 0);
    qp_put_u32(&out, promised);
    if (!packed) {
        qp_buf_add(&out, data->data, data->len);
        return out;
    }
#if HAVE_ZLIB
    uLongf len = compressBound(data->len);
    qp_buf_reserve(&out, len);
    compress2((Bytef *)out.data + out.len, &len, (const Bytef *)data->data, data->len, 9);
    out.len += len;
#endif
    return out;
}

#define LIBRARY_TAGS \
    "CBR_Library=Lib;CBR_LibraryCreator=cr;CBR_LibraryCreated=01-2-3 04:05:06;" \
    "CBR_LibraryModified=01-2-3 04:05:06;CBR_LibraryRemarks=d;"
#define OLD_HEAD(title) \
    "CBR_RecordType=3;Event=ev;Title=" title ";CBR_Other=o;Site=pl;Date=2001;Red=R;Black=B;" \
    "Annotator=an;CBR_DateCreated=01-2-3 04:05:06;CBR_DateModified=01-2-3 04:05:06;" \
    "<4k4/4a4/9/6P2/9/9/9/9/9/3K5 w - - 0 1> {about\nit}"
#define OLD_GAME(title) OLD_HEAD(title) " g6g7 {one} e8d9 ( e8f9 {alt} ) g7f7 {兵} 1/2-1/2"
#define OLD_BOTH LIBRARY_TAGS OLD_GAME("A") "\n" OLD_GAME("B")

Test(cbl, old)
{
    qp_buf data = old_data(2), file = old_file(&data, false, (uint32_t)data.len);
    expect_shown(file, NULL, OLD_BOTH "\n", "as it is");
    for (size_t step = 1; step < 2000; step = step * 3 + 1) {
        char *again = show_bytes(file.data, file.len, NULL, step);
        cr_expect_str_eq(again, OLD_BOTH "\n", "in pieces of %zu: %s", step, again);
        free(again);
    }
    torture(&file, "cbl", 2000);
    /* Damage in the second game, which begins behind the first. */
    qp_buf one = old_data(1);
    size_t second = 20 + one.len;
    qp_buf_clear(&one);
    size_t moves = file.len - 4 * 6 - strlen("one\r\n\r\n??\r\nalt\r\n");
    static const struct {
        const char *what;
        bool in_head;
        size_t at;
        const char *put;
        size_t len;
        const char *shown;
    } rows[] = {
        {"ply 0", false, 6, "\0", 1, " g6g7 {one} 1/2-1/2 #file-corrupt/cbl-move@0\n"},
        {"a ply too far", false, 6, "\3", 1, " g6g7 {one} 1/2-1/2 #file-corrupt/cbl-move@0\n"},
        {"no square", false, 8, "\x9A", 1, " g6g7 {one} 1/2-1/2 #file-corrupt/cbl-move@0\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf changed = copy_of(&file), want = {0};
        put_at(&changed, moves + rows[i].at, rows[i].put, rows[i].len);
        qp_buf_printf(&want, "%s\n%s%s", LIBRARY_TAGS OLD_GAME("A"), OLD_HEAD("B"), rows[i].shown);
        qp_buf_add_char(&want, '\0');
        expect_shown(changed, NULL, want.data, "%s", rows[i].what);
        qp_buf_clear(&want);
        qp_buf_clear(&changed);
    }
    qp_buf changed = copy_of(&file);
    changed.data[second] += 1; /* its size: one byte more than there is */
    expect_shown(changed, NULL, OLD_BOTH " #file-truncated/cbl-game@0\n", "a game longer than the data");
    memcpy(changed.data + second, "\0\0\0\0", 4);
    expect_shown(changed, NULL,
                 LIBRARY_TAGS OLD_GAME("A") "\n #file-corrupt/cbl-size@0\n", "a size of 0");
    memcpy(changed.data + second, "\xFF\xFF\xFF\xFF", 4);
    expect_shown(changed, NULL,
                 LIBRARY_TAGS OLD_GAME("A") "\n #file-corrupt/cbl-size@0\n", "a size below 0");
    qp_buf_clear(&changed);
    changed = copy_of(&file);
    changed.len -= 2; /* the last CR LF */
    memcpy(changed.data + second, file.data + second, 4);
    expect_shown(changed, NULL, OLD_BOTH " #file-truncated/cbl-game@0\n", "no last line end");
    memcpy(changed.data + 20, "\xFE\xFF\xFF\xFF", 4);
    expect_shown(changed, NULL, " #no-game/@0 #file-truncated/cbl-head@0\n", "a string below 0");
    qp_buf_clear(&changed);
    qp_buf_clear(&file);
    qp_buf_clear(&data);
}

#if HAVE_ZLIB
Test(cbl, packed)
{
    qp_buf data = old_data(2), file = old_file(&data, true, (uint32_t)data.len);
    expect_shown(file, NULL, OLD_BOTH "\n", "packed");
    torture(&file, "cbl", 2000);
    qp_buf cut = old_file(&data, true, (uint32_t)data.len - 1);
    expect_shown(cut, NULL, OLD_BOTH " #file-truncated/cbl-game@0\n", "less promised");
    cut.len = file.len / 2;
    char *shown = show_bytes(cut.data, cut.len, NULL, 0);
    cr_expect(strstr(shown, "#file-truncated/cbl-zlib") != NULL, "cut: %s", shown);
    free(shown);
    qp_buf_clear(&cut);
    qp_buf_clear(&file);
    /* Much from little: the strings of the head are limited, and so is a game. */
    data.len = 0;
    for (int i = 0; i < 5; i++)
        add_text(&data, "");
    put_zeros(&data, 38);
    qp_put_u32(&data, 1);
    add_text(&data, "");
    qp_put_u32(&data, 0x7FFFFFFF);
    put_zeros(&data, 1 << 20);
    file = old_file(&data, true, 0xFFFFFFFF);
    expect_shown(file, NULL, " #file-corrupt/cbl-size@0 #file-limit/cbl-size@0\n", "a bomb");
    qp_buf_clear(&file);
    qp_buf_clear(&data);
}
#endif

/* ---- writing ---- */

/* A JSON text through a format, and what is said on the way. */
static char *written(const char *json, const char *format, qp_buf *file)
{
    qp_context *context = qp_context_new();
    memory m = {.data = json, .len = strlen(json)};
    qp_reader_options from = {.format = "json"};
    qp_writer_options to = {.format = format};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &from);
    qp_writer *writer = qp_writer_open(context, buf_write, file, &to);
    qp_buf said = {0};
    const qp_game *game;
    qp_status status;
    while ((status = qp_reader_next(reader, &game)) == QP_OK || status == QP_BAD) {
        size_t count;
        qp_writer_put(writer, game);
        const qp_finding *findings = qp_writer_findings(writer, &count);
        for (size_t i = 0; i < count; i++)
            qp_buf_printf(&said, "%s;", findings[i].detail ? findings[i].detail : "");
    }
    cr_expect_eq(qp_writer_close(writer), QP_OK);
    qp_reader_close(reader);
    qp_context_free(context);
    qp_buf_add_char(&said, '\0');
    return said.data;
}

Test(cbr, written)
{
    static const struct {
        const char *what, *json, *said, *shown;
    } rows[] = {
        {"all that is held",
         "{\"tags\":{\"Event\":\"e\",\"Red\":\"\\uD83D\\uDE00\",\"CBF_From\":\"f\",\"CBR_RecordType\":\"3\"},"
         "\"result\":\"0-1\",\"comment\":\"a\\nb\",\"line\":[{\"move\":\"h2e2\",\"comment\":\"c\","
         "\"variations\":[[{\"move\":\"b2e2\"}]]},{\"move\":\"h9g7\"}]}",
         "",
         "CBR_From=f;Event=e;Red=\xF0\x9F\x98\x80;CBR_RecordType=3; {a\nb} h2e2 {c} ( b2e2 ) h9g7 0-1\n"},
        {"what is lost",
         "{\"tags\":{\"X\":\"x\",\"Event\":\"e\",\"event\":\"f\"},\"line\":[{\"move\":\"h2e2\",\"nags\":[1]}]}",
         "nags;tags;", "Event=e; h2e2\n"},
        {"plies that cannot be read",
         "{\"line\":[{\"move\":\"h2e2\",\"variations\":[[{\"text\":\"huh\"},{\"text\":\"ha\"}]]},"
         "{\"text\":\"what\"},{\"move\":\"c3c4\"}]}",
         "lines;", " {huh ha} h2e2 {what c3c4}\n"},
        {"an illegal ply", "{\"line\":[{\"move\":\"a0a9\",\"illegal\":true},{\"move\":\"h9g7\"}]}", "",
         " a0a9! h9g7 #move-blocked/path-blocked@1\n"},
        {"no ply", "{\"comment\":\"c\"}", "", " {c}\n"},
        {"plies since a capture", "{\"start\":\"3k5/9/9/9/9/9/9/9/9/4K4 b - - 2 31\",\"line\":[]}",
         "counters;", "<3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 31>\n"},
        {"a round", "{\"start\":\"3k5/9/9/9/9/9/9/9/4p4/3K5 b - - 0 31\",\"line\":[]}", "",
         "<3k5/9/9/9/9/9/9/9/4p4/3K5 b - - 0 31> #fen-invalid/pos-facing@0\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++)
        for (int library = 0; library < 2; library++) {
            qp_buf file = {0}, again = {0};
            char *said = written(rows[i].json, library ? "cbl" : "cbr", &file);
            cr_expect_str_eq(said, rows[i].said, "%s: %s", rows[i].what, said);
            free(said);
            expect_shown(file, library ? "cbl" : "cbr", rows[i].shown, "%s", rows[i].what);
            free(written(rows[i].json, library ? "cbl" : "cbr", &again));
            cr_expect(file.len == again.len && memcmp(file.data, again.data, file.len) == 0,
                      "%s: another file for the same game", rows[i].what);
            cr_expect_eq(file.data[library ? 66624 + 276 * 128 + 20 + 7 : 27] & 0xF0, 0x40);
            qp_buf_clear(&file);
            qp_buf_clear(&again);
        }
    qp_buf file = {0};
    char *said = written("{\"tags\":{\"Board\":\"0123456789abcdef\"}}", "cbr", &file);
    cr_expect_str_eq(said, "tag-length;");
    expect_shown(file, NULL, "Board=0123456789abcde;\n", "cut");
    free(said);
    file.len = 0;
    said = written("{\"comment\":\"1\"}\n{\"comment\":\"2\"}", "cbr", &file);
    cr_expect_str_eq(said, "one-game;");
    expect_shown(file, NULL, " {1}\n", "one game a file");
    free(said);
    file.len = 0;
    said = written("{\"tags\":{\"CBR_Library\":\"L\"},\"comment\":\"1\"}\n{\"comment\":\"2\"}", "cbl", &file);
    cr_expect_str_eq(said, "");
    expect_shown(file, NULL, "CBR_Library=L; {1}\n {2}\n", "a library");
    free(said);
    file.len = 0;
    said = written("", "cbl", &file);
    expect_shown(file, NULL, " #no-game/@0\n", "an empty library");
    free(said);
    qp_buf_clear(&file);
}

/* The shared records: main lines, counts and checksums of the trees; and the same once more
 * when they are written and read again. */
Test(cbr, corpus)
{
    static const char *const names[] = {"cbr2_cchess_test.cbr",    "cbr1_57pao.cbr",
                                        "cbl3_1956.cbl",           "cbl3_1989_deleted.cbl",
                                        "cbl3_1966_multislot.cbl", "cbl2_jichu.cbl"};
    size_t count = QP_COUNT(names) - (HAVE_ZLIB + 0 == 0);
    for (size_t i = 0; i < count; i++) {
        size_t len;
        char *bytes = corpus_file(names[i], &len);
        corpus_check(names[i]);
        if (bytes == NULL)
            continue;
        char *first = show_bytes(bytes, len, NULL, 0);
        const char *format = strrchr(names[i], '.') + 1;
        qp_context *context = qp_context_new();
        memory m = {.data = bytes, .len = len};
        qp_writer_options options = {.format = format};
        qp_buf file = {0};
        qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
        qp_writer *writer = qp_writer_open(context, buf_write, &file, &options);
        for (const qp_game *game; qp_reader_next(reader, &game) == QP_OK;)
            qp_writer_put(writer, game);
        qp_reader_close(reader);
        qp_writer_close(writer);
        qp_context_free(context);
        char *second = show_bytes(file.data, file.len, NULL, 0);
        if (strcmp(names[i], "cbl2_jichu.cbl") != 0) /* whose tags stand in another order */
            cr_expect_str_eq(first, second, "%s", names[i]);
        free(first);
        free(second);
        free(bytes);
        qp_buf_clear(&file);
    }
}
