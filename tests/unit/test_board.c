/* Boards as text: exact drawings, and that every line is as wide as it should be. */
#include "config.h"

#include <criterion/criterion.h>
#include <string.h>

#include "text/text.h"

#include "table.h"

static void position(const char *fen, qp_board *board)
{
    qp_fen_report report;
    qp_fen_read(qp_str_of(fen), board, &report);
}

Test(board, start)
{
    qp_board board;
    char text[QP_BOARD_TEXT_MAX];
    qp_board_start(&board);
    size_t len = qp_board_draw(&board, NULL, text);
    cr_expect_str_eq(text, "   １  ２  ３  ４  ５  ６  ７  ８  ９\n"
                           "9  車  馬  象  士  將  士  象  馬  車\n"
                           "8  ・  ・  ・  ・  ・  ・  ・  ・  ・\n"
                           "7  ・  砲  ・  ・  ・  ・  ・  砲  ・\n"
                           "6  卒  ・  卒  ・  卒  ・  卒  ・  卒\n"
                           "5  ・  ・  ・  ・  ・  ・  ・  ・  ・\n"
                           "   ～～～楚河～～～～～～～汉界～～～\n"
                           "4  ・  ・  ・  ・  ・  ・  ・  ・  ・\n"
                           "3  兵  ・  兵  ・  兵  ・  兵  ・  兵\n"
                           "2  ・  炮  ・  ・  ・  ・  ・  炮  ・\n"
                           "1  ・  ・  ・  ・  ・  ・  ・  ・  ・\n"
                           "0  车  马  相  仕  帅  仕  相  马  车\n"
                           "   九  八  七  六  五  四  三  二  一\n"
                           "   a   b   c   d   e   f   g   h   i\n");
    cr_expect_eq(len, strlen(text));
}

/* From Black's side everything stands upside down; the marks go with their squares. */
Test(board, turned)
{
    qp_board board;
    char text[QP_BOARD_TEXT_MAX];
    qp_board_style style = {.glyphs = QP_GLYPHS_LETTERS,
                            .from_black = true,
                            .last = QP_MOVE(QP_SQUARE(8, 0), QP_SQUARE(7, 0))};
    position("3ak4/9/4b4/9/p8/8P/9/9/9/4K2R1 b - - 1 1", &board);
    qp_board_draw(&board, &style, text);
    cr_expect_str_eq(text, "   1  2  3  4  5  6  7  8  9\n"
                           "0 (.)[R] .  .  K  .  .  .  .\n"
                           "1  .  .  .  .  .  .  .  .  .\n"
                           "2  .  .  .  .  .  .  .  .  .\n"
                           "3  .  .  .  .  .  .  .  .  .\n"
                           "4  P  .  .  .  .  .  .  .  .\n"
                           "   ~~~~~~~~~ river ~~~~~~~~~\n"
                           "5  .  .  .  .  .  .  .  .  p\n"
                           "6  .  .  .  .  .  .  .  .  .\n"
                           "7  .  .  .  .  b  .  .  .  .\n"
                           "8  .  .  .  .  .  .  .  .  .\n"
                           "9  .  .  .  .  k  a  .  .  .\n"
                           "   9  8  7  6  5  4  3  2  1\n"
                           "   i  h  g  f  e  d  c  b  a\n");
}

/* In color, each run of one color is opened and closed within its line. */
Test(board, color)
{
    qp_board board;
    char text[QP_BOARD_TEXT_MAX];
    qp_board_style style = {.color = true, .last = QP_MOVE(QP_SQUARE(0, 9), 0)};
    position("4k4/9/9/9/9/9/9/9/9/R4K3 b - - 1 1", &board);
    qp_board_draw(&board, &style, text);
    const char *black = strstr(text, "\n\033[2m9 \033[0m\033[1;33m(");
    cr_expect_not_null(black, "%s", text);
    cr_expect_not_null(strstr(text, "\033[0m\033[1m將  \033[0m\033[2m・"), "%s", text);
    cr_expect_not_null(strstr(text, "\033[0m\033[1;33m[\033[0m\033[1;31m车\033[0m\033[1;33m] "),
                       "%s", text);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        int open = 0;
        for (const char *p = line; *p != '\n'; p++)
            if (*p == '\033')
                open = strncmp(p, "\033[0m", 4) == 0 ? 0 : 1;
        cr_expect_eq(open, 0, "%s", line);
    }
}

/* Every square full, and all of it in color: the buffer holds it, whatever the bytes of the
 * board; ranks and files stand in columns. */
Test(board, full)
{
    static char text[QP_BOARD_TEXT_MAX];
    qp_board board;
    qp_board_start(&board);
    for (unsigned piece = 0; piece < 256; piece++) {
        for (unsigned i = 0; i < QP_SQUARES; i++)
            board.at[i] = (qp_piece)(i & 1 ? piece : piece ^ 8);
        qp_board_style style = {.color = true, .last = QP_MOVE(80, 9)};
        size_t len = qp_board_draw(&board, &style, text);
        cr_expect_lt(len, sizeof text - 1, "piece %u", piece);
        cr_expect_eq(text[len - 1], '\n', "piece %u", piece);
        style.color = false;
        for (int glyphs = QP_GLYPHS_CHINESE; glyphs <= QP_GLYPHS_LETTERS; glyphs++) {
            style.glyphs = (qp_glyphs)glyphs;
            qp_board_draw(&board, &style, text);
            size_t width = glyphs == QP_GLYPHS_CHINESE ? 37 : 28;
            char *line = text;
            for (int n = 0; n < 14; n++) {
                char *end = strchr(line, '\n');
                size_t cells = qp_cells((qp_str){line, (size_t)(end - line)});
                /* The letters stand on the left half of wide pieces. */
                bool marked = end[-1] == ']' || end[-1] == ')';
                bool letters = n == 13 && glyphs == QP_GLYPHS_CHINESE;
                cr_expect_eq(cells, width + marked - letters, "line %d: %s", n, text);
                line = end + 1;
            }
            cr_expect_eq(*line, '\0');
        }
    }
}
