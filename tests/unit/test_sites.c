/* The records of playing sites (mxq, gl, che, ccm): files made here byte by byte, damage, and
 * the records that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "binary_files.h"
#include "corpus.h"

/* ---- mxq ---- */

static void add_string(qp_buf *out, const char *text)
{
    qp_put_u8(out, (unsigned)strlen(text));
    qp_buf_add_text(out, text);
}

static qp_buf mxq_of(const char *players, const char *begin, const char *const *plies,
                     size_t count)
{
    qp_buf out = {0};
    const char *const head[] = {"hall", "2001.02.03", players, "1500", "1400", "25",
                                "3",    "60",         "1",     "2",    "end",  begin};
    for (size_t i = 0; i < QP_COUNT(head); i++)
        add_string(&out, head[i]);
    for (size_t i = 0; i < count; i++)
        add_string(&out, plies[i]);
    return out;
}

#define MXQ_HEAD "Site=hall;Date=2001.02.03;Red=a-b;Black=c;RedElo=1500;BlackElo=1400;" \
    "TimeControl=25 3 60;MXQ_8=1;MXQ_9=2;Termination=end;"

Test(sites, mxq)
{
    static const char *const plies[] = {"7C-4C", "7J-6H", "Ends", "well", "CommentsEnd"};
    qp_buf file = mxq_of("a-b-\xCA\xA4-c", "Moves", plies, 5); /* 胜 in GBK */
    expect_shown(file, NULL, MXQ_HEAD " h2e2 h9g7 {well} 1-0\n", "whole");
    torture(&file, "mxq", 2000);
    file.len -= 1 + 11 + 1 + 4 + 1 + 4;
    expect_shown(file, NULL, MXQ_HEAD " h2e2 h9g7 1-0 #file-truncated/mxq-moves@0\n", "no Ends");
    file.len -= 2;
    expect_shown(file, NULL, MXQ_HEAD " h2e2 1-0 #file-truncated/mxq-moves@0\n", "a cut ply");
    qp_buf_clear(&file);
    static const char *const odd[] = {"7C-4C", "7C-4K", "Ends"};
    file = mxq_of("a-b-\xC3\x74-c", "Moves", odd, 3);
    char *shown = show_bytes(file.data, file.len, NULL, 0);
    cr_expect(strstr(shown, " h2e2") != NULL && strstr(shown, "#file-corrupt/site-squares@0"),
              "%s", shown);
    free(shown);
    qp_buf_clear(&file);
    qp_buf long_one = {0};
    for (int i = 0; i < 255; i++)
        qp_buf_add_char(&long_one, 'x');
    qp_buf_add_char(&long_one, '\0');
    const char *const strange[] = {"0A-0B", long_one.data};
    file = mxq_of("nobody", "Moves", strange, 2);
    expect_shown(file, NULL,
                 "Site=hall;Date=2001.02.03;Event=nobody;RedElo=1500;BlackElo=1400;"
                 "TimeControl=25 3 60;MXQ_8=1;MXQ_9=2;Termination=end; a0a1 "
                 "#file-corrupt/mxq-moves@0\n",
                 "255 bytes");
    qp_buf_clear(&file);
    qp_buf_clear(&long_one);
}

/* Red's king on e0 (index 12 * 16 + 7), a pawn on a6, Black's king on d9; Black moves. */
Test(sites, mxq_board)
{
    static const char *const plies[] = {"3J-3I", "Ends"};
    qp_buf file = mxq_of("a-b-\xBA\xCD-c", /* 和 */
                         "initboard 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 200 "
                         "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 55 +B",
                         plies, 2);
    expect_shown(file, NULL, MXQ_HEAD "<3k5/9/9/P8/9/9/9/9/9/4K4 b - - 0 1> d9d8 1/2-1/2\n",
                 "a position");
    torture(&file, "mxq", 300);
    qp_buf_clear(&file);
}

/* ---- gl ---- */

static qp_buf gl_of(size_t count)
{
    /* h2e2 h9g7, the numbered cannon and horse that make them */
    static const unsigned char nodes[2][4] = {{0x77, 0x74, 0x23, 0}, {0x07, 0x26, 0x2A, 0}};
    static const unsigned char column[9][10] = {
        {9, 0, 0, 15, 0, 0, 7, 0, 0, 1},  {10, 0, 11, 0, 0, 0, 0, 3, 0, 2},
        {14, 0, 0, 15, 0, 0, 7, 0, 0, 6}, {13, 0, 0, 0, 0, 0, 0, 0, 0, 5},
        {12, 0, 0, 15, 0, 0, 7, 0, 0, 4}, {13, 0, 0, 0, 0, 0, 0, 0, 0, 5},
        {14, 0, 0, 15, 0, 0, 7, 0, 0, 6}, {10, 0, 11, 0, 0, 0, 0, 3, 0, 2},
        {9, 0, 0, 15, 0, 0, 7, 0, 0, 1}};
    qp_buf out = {0};
    put_zeros(&out, 0x1FC + 36 * count);
    memcpy(out.data, "GL\xD0\x07\xD4\x07\1", 7);
    memcpy(out.data + 8, "Sat Feb  3 04:05:06 2001\n", 25);
    memcpy(out.data + 0x24, "title", 5);
    memcpy(out.data + 0x64, "acc", 3);
    memcpy(out.data + 0x78, "\xB1\xF8", 2);
    memcpy(out.data + 0xA0, "black", 5);
    memcpy(out.data + 0xB4, column, 90);
    memcpy(out.data + 0x10E, column, 90);
    for (size_t i = 0; i < count; i++) {
        unsigned from = nodes[i][0], to = nodes[i][1];
        char *last = out.data + 0x10E;
        memcpy(out.data + 0x1FC + 36 * i + 14, nodes[i], 4);
        last[(to & 15) * 10 + (to >> 4)] = last[(from & 15) * 10 + (from >> 4)];
        last[(from & 15) * 10 + (from >> 4)] = 0;
    }
    out.data[0x168] = 1;
    out.data[0x16C] = (char)count;
    return out;
}

#define GL_HEAD "Date=2001.02.03;Time=04:05:06;Title=title;Red=兵;Black=black;GL_RedAccount=acc;"

/* What is no date as C writes it is kept as it stands. */
Test(sites, gl_date)
{
    qp_buf file = gl_of(0);
    memcpy(file.data + 8 + 12, "\xB1\xF8", 2);
    expect_shown(file, NULL,
                 "GL_Date=Sat Feb  3 0兵05:06 2001;Title=title;Red=兵;Black=black;"
                 "GL_RedAccount=acc;\n",
                 "a date with other bytes");
    qp_buf_clear(&file);
}

Test(sites, gl)
{
    qp_buf file = gl_of(2);
    expect_shown(file, NULL, GL_HEAD " h2e2 h9g7\n", "whole");
    torture(&file, "gl", 2000);
    file.data[0x16C] = 1;
    expect_shown(file, NULL,
                 GL_HEAD " h2e2 #file-corrupt/gl-final@0 #trailing-text/trailing-bytes@0\n",
                 "n too small");
    file.data[0x16C] = 3;
    expect_shown(file, NULL, GL_HEAD " h2e2 h9g7 #file-truncated/gl-nodes@0\n", "n too great");
    memset(file.data + 0x16C, 0xFF, 4);
    expect_shown(file, NULL, GL_HEAD " h2e2 h9g7 #file-truncated/gl-nodes@0\n", "n huge");
    memcpy(file.data + 0x16C, "\2\0\0\0", 4);
    file.data[0x1FC + 16] = 1;
    expect_shown(file, NULL, GL_HEAD " h2e2 h9g7 #file-corrupt/site-piece@0\n", "another piece");
    file.data[0x1FC + 36 + 15] = (char)0xA0;
    expect_shown(file, NULL,
                 GL_HEAD " h2e2 #file-corrupt/site-piece@0 #file-corrupt/site-squares@0\n",
                 "no square");
    qp_buf_clear(&file);
}

/* The file name alone says what a file without a mark can be. */
static const char *format_of(const qp_buf *file, const char *name)
{
    qp_context *context = qp_context_new();
    memory m = {.data = file->data, .len = file->len};
    qp_reader_options options = {.name = name};
    qp_reader *reader = qp_reader_open(context, memory_read, &m, &options);
    const qp_game *game;
    qp_reader_next(reader, &game);
    const char *format = qp_reader_format(reader) ? qp_format_name(qp_reader_format(reader)) : "";
    bool found = game != NULL && game->plies == 2;
    qp_reader_close(reader);
    qp_context_free(context);
    return found ? format : "";
}

Test(sites, gl_old)
{
    static const unsigned squares[2][2][4] = {{{7, 7, 4, 7}, {7, 0, 6, 2}},
                                              {{1, 2, 4, 2}, {1, 9, 2, 7}}};
    for (int turned = 0; turned < 2; turned++) {
        qp_buf file = {0};
        put_zeros(&file, 188);
        for (unsigned i = 0; i < 2; i++) {
            qp_put_u32(&file, i + 1);
            for (unsigned k = 0; k < 4; k++)
                qp_put_u16(&file, squares[turned][i][k]);
            put_zeros(&file, 20);
        }
        expect_shown(file, "gl", " h2e2 h9g7\n", "turned %d", turned);
        cr_expect_str_eq(format_of(&file, "a.chn"), "gl");
        cr_expect_str_eq(format_of(&file, "a.bin"), "");
        torture(&file, "gl", 500);
        file.data[188 + 32] = 9;
        expect_shown(file, "gl", " h2e2 #file-corrupt/gl-number@0\n", "a number");
        file.len = 188 + 40;
        expect_shown(file, "gl", " h2e2 #file-truncated/gl-moves@0\n", "cut");
        qp_buf_clear(&file);
    }
}

/* ---- ccm ---- */

Test(sites, ccm)
{
    static const char plies[2][18] = {"\x0F\1\6\7\7\4\7\0\0\7\2\4\7\0\6\2\0\0",
                                      "\x0E\1\6\1\2\4\2\0\0\1\2\4\1\x09\2\7\0\0"};
    for (int turned = 0; turned < 2; turned++) {
        qp_buf file = {0};
        qp_buf_add(&file, "\1\0\x12\0", 4);
        qp_put_u32(&file, 951782400); /* 2000-02-29 */
        qp_put_u32(&file, 2);
        qp_buf_add(&file, plies[turned], 18);
        expect_shown(file, NULL, "UTCDate=2000.02.29;UTCTime=00:00:00; h2e2 h9g7\n", "turned %d",
                     turned);
        torture(&file, "ccm", 1000);
        file.data[8] = 3;
        expect_shown(file, NULL,
                     "UTCDate=2000.02.29;UTCTime=00:00:00; h2e2 h9g7 "
                     "#file-truncated/ccm-moves@0\n",
                     "n too great");
        file.data[8] = 1;
        expect_shown(file, NULL,
                     "UTCDate=2000.02.29;UTCTime=00:00:00; h2e2 "
                     "#trailing-text/trailing-bytes@0\n",
                     "n too small");
        qp_buf_clear(&file);
    }
}

Test(sites, ccm_bare)
{
    /* Both columns, then both rows. */
    static const char plies[2][14] = {"\1\0\0\7\4\7\7\1\0\0\7\6\0\2", "\1\0\0\1\4\2\2\1\0\0\1\2\x09\7"};
    for (int turned = 0; turned < 2; turned++) {
        qp_buf file = {0};
        qp_buf_add(&file, plies[turned], 14);
        expect_shown(file, "ccm", " h2e2 h9g7\n", "turned %d", turned);
        cr_expect_str_eq(format_of(&file, "a.ccm"), "ccm");
        cr_expect_str_eq(format_of(&file, "a.dat"), "");
        torture(&file, "ccm", 500);
        file.len -= 3;
        expect_shown(file, "ccm", " h2e2 #trailing-text/trailing-bytes@0\n", "a short ply");
        qp_buf_clear(&file);
    }
}

/* ---- che ---- */

#define COLUMNS " #notation-style/che-columns@0"

Test(sites, che)
{
    static const struct {
        const char *what, *text, *shown;
    } rows[] = {
        {"whole", "1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0 ", " h2e2 h9g7" COLUMNS "\n"},
        {"lines", "1 1\r\n26 32 1 2 7 2 4 0 1 0\r\n", " h2e2" COLUMNS "\n"},
        {"too few", "1 3 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7",
         " h2e2" COLUMNS " #file-truncated/che-numbers@0\n"},
        {"negative", "1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 -9 7 7 6 0 2 0",
         " h2e2" COLUMNS " #file-corrupt/site-squares@0\n"},
        {"huge", "1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 99999999999999999999 7 7 6 0 2 0",
         " h2e2" COLUMNS " #file-corrupt/site-squares@0\n"},
        {"a huge count", "1 4000000000 26 32 1 2 7 2 4 0 1 0", " h2e2" COLUMNS " #file-truncated/che-numbers@0\n"},
        {"another piece", "1 1 27 32 1 2 7 2 4 0 1 0", " h2e2" COLUMNS " #file-corrupt/site-piece@0\n"},
        {"something behind", "1 1 26 32 1 2 7 2 4 0 1 0 <a/>", " h2e2" COLUMNS " #trailing-text/@0\n"},
        {"the king is taken", "1 2 26 32 1 2 7 9 4 0 1 0 6 32 0 9 7 7 6 0 2 0",
         " h2e9! h9g7" COLUMNS " #move-geometry/bad-shape@1\n"},
        {"a count below 0", "1 -4", " #file-corrupt/che-count@0\n"},
    };
    for (size_t i = 0; i < QP_COUNT(rows); i++) {
        qp_buf file = {0};
        qp_buf_add_text(&file, rows[i].text);
        expect_shown(file, i == 0 ? NULL : "che", rows[i].shown, "%s", rows[i].what);
        torture(&file, "che", 200);
        qp_buf_clear(&file);
    }
}

/* A file that is none of them, whatever its name says. */
Test(sites, none)
{
    static const char *const formats[] = {"mxq", "gl", "ccm", "cbr", "cbl", "che"};
    qp_buf file = {0};
    for (size_t i = 0; i < QP_COUNT(formats); i++) {
        expect_shown(file, formats[i], " #no-game/empty@0\n", "%s of nothing", formats[i]);
        file.len = 0;
        qp_buf_add_text(&file, "x not a record");
        expect_shown(file, formats[i], " #no-game/@0\n", "%s of text", formats[i]);
        file.len = 0;
    }
    qp_buf_clear(&file);
}

Test(sites, corpus)
{
    corpus_check("mxq_movesky.mxq");
    corpus_check("chn_gl_ourgame.chn");
    corpus_check("ccm_17pk.ccm");
    corpus_check("che_qq.che");
}
