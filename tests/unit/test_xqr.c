/* XQR and XGF, formats of which one real file each is known: files made by hand, damage, and
 * the two that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "corpus.h"
#include "show.h"
#include "table.h"

static size_t hex_bytes(const char *text, char *out, size_t room)
{
    size_t n = 0;
    unsigned value;
    for (; n < room && sscanf(text, "%2x", &value) == 1; text += 2)
        out[n++] = (char)value;
    return n;
}

/* Rows of data/xqr.tsv. */
Test(xqr, table)
{
    table t;
    int rows = 0;
    cr_assert(table_open(&t, "xqr.tsv"));
    while (table_next(&t)) {
        char bytes[1024];
        size_t len = hex_bytes(t.field[0], bytes, sizeof bytes);
        unescape(t.field[1]);
        char *got = convert_bytes(bytes, len, NULL, NULL, 0);
        cr_expect_str_eq(got, t.field[1], "row %d:\n%s\nis not\n%s", t.row, got, t.field[1]);
        free(got);
        rows++;
    }
    cr_expect_gt(rows, 0);
}

/* ---- XGF ---- */

static void put_u32(qp_buf *out, unsigned value)
{
    for (int i = 0; i < 4; i++)
        qp_buf_add_char(out, (char)(value >> 8 * i & 0xFF));
}

static unsigned cell_of(const char *square)
{
    return 16 * (unsigned)(square[0] - 'a' + 2) + (unsigned)('9' - square[1] + 2);
}

/* The usual start, and plies as `h2e2` or, with the number of what is captured, `b2b9=18`. */
static void make_xgf(qp_buf *out, const char *plies)
{
    static const char *const squares[32] = {
        "e0", "d0", "f0", "c0", "g0", "b0", "h0", "a0", "i0", "b2", "h2",
        "a3", "c3", "e3", "g3", "i3", "e9", "d9", "f9", "c9", "g9", "b9",
        "h9", "a9", "i9", "b7", "h7", "a6", "c6", "e6", "g6", "i6"};
    static const char head[] = "\x06\x0B\x01\x03" "abc" "\x04\x01" "7" "\x05\x02\xBC\xD7";
    static const char rest[] = "\x09\0\0\0\0\x0A\x01\x0B\0\0\x01";
    char cells[208] = {0};
    unsigned count = 0;
    qp_buf_add(out, head, sizeof head - 1);
    qp_buf_add(out, rest, sizeof rest - 1);
    for (unsigned i = 0; i < 32; i++)
        cells[cell_of(squares[i])] = (char)(i + 1);
    qp_buf_add(out, cells, sizeof cells);
    put_u32(out, 0);
    for (unsigned i = 0; i < 32; i++)
        put_u32(out, cell_of(squares[i]));
    for (const char *p = plies; *p != '\0'; p += strcspn(p, " "), p += *p == ' ')
        count++;
    put_u32(out, 0);
    put_u32(out, count);
    put_u32(out, count);
    for (const char *p = plies; *p != '\0'; p += strcspn(p, " "), p += *p == ' ') {
        char ply[20] = {(char)cell_of(p), 0, (char)cell_of(p + 2), 0,
                        (char)(p[4] == '=' ? atoi(p + 5) : 0)};
        memset(ply + 17, 0xFF, 3);
        qp_buf_add(out, ply, sizeof ply);
    }
}

static void expect_xgf(const qp_buf *bytes, const char *want, const char *what)
{
    char *got = convert_bytes(bytes->data, bytes->len, NULL, NULL, 0);
    cr_expect_str_eq(got, want, "%s:\n%s\nis not\n%s", what, got, want);
    free(got);
}

enum { XGF_HEAD = 14, XGF_BOARD = XGF_HEAD + 11, XGF_LIST = XGF_BOARD + 208,
       XGF_PLIES = XGF_LIST + 33 * 4 + 12 };

Test(xgf, made)
{
    static const struct {
        const char *plies;
        int at; /* of a byte to be changed, or -1 */
        unsigned char byte;
        const char *want;
    } rows[] = {
        {"", -1, 0, "\n"},
        {"h2e2 h9g7", -1, 0, " h2e2 h9g7\n"},
        {"b2b9=22 a9b9=10", -1, 0, " b2b9 a9b9\n"},
        {"b2b9", -1, 0, " b2b9 #file-corrupt/xgf-captured@0\n"},
        {"h2e2 h2e2=11", -1, 0, " h2e2 h2e2! #move-no-piece/no-piece@2\n"},
        {"h9g7", -1, 0, "<rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1> h9g7\n"},
        {"h2e2", XGF_PLIES, 1, " ?<1-105> #move-unreadable/@1\n"},
        {"h2e2", XGF_PLIES - 4, 2, " h2e2 #file-truncated/xgf-plies@0\n"},
        {"h2e2", XGF_PLIES - 4, 0, " #trailing-text/xgf-plies@0\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf bytes = {0};
        char want[256];
        make_xgf(&bytes, rows[i].plies);
        if (rows[i].at >= 0)
            bytes.data[rows[i].at] = (char)rows[i].byte;
        snprintf(want, sizeof want, "Event=abc;Round=7;Red=甲;%s", rows[i].want);
        expect_xgf(&bytes, want, rows[i].plies);
        qp_buf_clear(&bytes);
    }
}

/* A board that says other than the list is no board. */
Test(xgf, refused)
{
    for (int round = 0; round < 2; round++) {
        qp_buf bytes = {0};
        make_xgf(&bytes, "h2e2");
        if (round == 0)
            bytes.data[XGF_BOARD + cell_of("e4")] = 3;
        else
            bytes.data[XGF_LIST + 4] = 99;
        expect_xgf(&bytes, " #no-game/@0 #file-corrupt/xgf-board@0", "refused");
        qp_buf_clear(&bytes);
    }
}

/* Cut anywhere, and with bytes changed: never a crash, and something comes out. */
static void damage(const char *format, const char *bytes, size_t size, const char *nothing)
{
    uint64_t seed = 77;
    for (size_t len = 0; len < size; len++) {
        char *exact = malloc(len ? len : 1);
        memcpy(exact, bytes, len);
        char *got = convert_bytes(exact, len, format, NULL, 0);
        cr_expect(strstr(got, "#file-truncated") != NULL || len < 4, "%s cut at %zu: %s", format,
                  len, got);
        free(got);
        free(exact);
    }
    for (int round = 0; round < 2000; round++) {
        char *work = malloc(size);
        memcpy(work, bytes, size);
        for (int i = 0; i <= round % 5; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            work[(seed >> 33) % size] = (char)(seed >> 20);
        }
        char *got = convert_bytes(work, size, format, NULL, 0);
        cr_expect_str_neq(got, nothing);
        free(got);
        free(work);
    }
}

Test(xqr, damage)
{
    char bytes[512];
    size_t len = hex_bytes(
        "00022017010100020261620501630601640701020900000005000300000061626371740700020000007a7a"
        "0726010063540000",
        bytes, sizeof bytes);
    damage("xqr", bytes, len, "");
}

Test(xgf, damage)
{
    qp_buf bytes = {0};
    make_xgf(&bytes, "h2e2 h9g7 b2b9=22");
    damage("xgf", bytes.data, bytes.len, "");
    qp_buf_clear(&bytes);
}

Test(xqr, corpus)
{
    corpus_check("xqr_1.xqr");
    corpus_check("xgf_xiexie.xgf");
}
