/* A position as text for people: a board of fixed width for terminals and mails. Red's
 * pieces carry the simplified characters and Black's the traditional ones, so that sides can
 * be told without color; 砲, with the stone, is what Black's cannons have carved. The glyphs
 * are those that grammars/zh-hans.tsv and zh-hant.tsv write; the letters are those of a FEN.
 * Every character takes one cell or two whatever the terminal: none is of the kind whose
 * width depends on the font (East Asian Ambiguous, Unicode annex 11), as box drawing is. */
#include "config.h"

#include "format/format.h"

typedef struct sheet {
    char *text;
    size_t len;
    bool color;
    const char *paint; /* in which color the text goes on, NULL: the usual one */
} sheet;

/* What a glyph set writes. Its characters are all of one width. */
typedef struct glyph_set {
    const char *pieces[2][8]; /* by side and kind */
    const char *empty;        /* a point without one */
    const char *roads[2][9];  /* the numbers of the files, as each side counts them */
    const char *letter_pad;   /* what makes an ASCII letter as wide as a piece */
    const char *river;        /* below the first file to below the last */
} glyph_set;

static const glyph_set chinese = {
    {{"", "帅", "仕", "相", "马", "车", "炮", "兵"},
     {"", "將", "士", "象", "馬", "車", "砲", "卒"}},
    "・",
    {{"一", "二", "三", "四", "五", "六", "七", "八", "九"},
     {"１", "２", "３", "４", "５", "６", "７", "８", "９"}},
    " ",
    "～～～楚河～～～～～～～汉界～～～",
};

static const glyph_set letters = {
    {{"", "K", "A", "B", "N", "R", "C", "P"}, {"", "k", "a", "b", "n", "r", "c", "p"}},
    ".",
    {{"1", "2", "3", "4", "5", "6", "7", "8", "9"},
     {"1", "2", "3", "4", "5", "6", "7", "8", "9"}},
    "",
    "~~~~~~~~~ river ~~~~~~~~~",
};

#define PAINT_PLAIN "\033[0m"
#define PAINT_RED "\033[1;31m"
#define PAINT_BLACK "\033[1m"
#define PAINT_FAINT "\033[2m"
#define PAINT_MARK "\033[1;33m"

static void put(sheet *s, const char *text)
{
    size_t len = strlen(text);
    if (len < QP_BOARD_TEXT_MAX - s->len) {
        memcpy(s->text + s->len, text, len);
        s->len += len;
    }
}

static void paint(sheet *s, const char *color)
{
    if (!s->color || color == s->paint)
        return;
    if (s->paint != NULL)
        put(s, PAINT_PLAIN);
    if (color != NULL)
        put(s, color);
    s->paint = color;
}

static void end_line(sheet *s)
{
    while (s->len > 0 && s->text[s->len - 1] == ' ')
        s->len--;
    paint(s, NULL);
    put(s, "\n");
}

/* The file or rank in the index-th place as the reader sees it. */
static int file_at(const qp_board_style *style, int index)
{
    return style->from_black ? 8 - index : index;
}

static void put_roads(sheet *s, const glyph_set *glyphs, const qp_board_style *style,
                      qp_side side)
{
    put(s, "   ");
    paint(s, PAINT_FAINT);
    for (int i = 0; i < 9; i++) {
        int file = file_at(style, i);
        put(s, glyphs->roads[side][side == QP_RED ? 8 - file : file]);
        put(s, i < 8 ? "  " : "");
    }
    end_line(s);
}

static void put_letters(sheet *s, const glyph_set *glyphs, const qp_board_style *style)
{
    put(s, "   ");
    paint(s, PAINT_FAINT);
    for (int i = 0; i < 9; i++) {
        put(s, (char[2]){(char)('a' + file_at(style, i))});
        put(s, glyphs->letter_pad);
        put(s, i < 8 ? "  " : "");
    }
    end_line(s);
}

static void put_point(sheet *s, const glyph_set *glyphs, qp_piece piece)
{
    qp_kind kind = QP_PIECE_KIND(piece);
    qp_side side = piece & 8 ? QP_BLACK : QP_RED;
    paint(s, kind == QP_NO_KIND ? PAINT_FAINT : side == QP_RED ? PAINT_RED : PAINT_BLACK);
    put(s, kind == QP_NO_KIND ? glyphs->empty : glyphs->pieces[side][kind]);
}

static void put_rank(sheet *s, const glyph_set *glyphs, const qp_board *board,
                     const qp_board_style *style, int rank)
{
    paint(s, PAINT_FAINT);
    put(s, (char[2]){(char)('0' + rank)});
    put(s, " ");
    for (int i = 0; i < 9; i++) {
        qp_square square = QP_SQUARE(file_at(style, i), rank);
        bool from = style->last != 0 && square == QP_FROM(style->last);
        bool to = style->last != 0 && square == QP_TO(style->last);
        if (from || to)
            paint(s, PAINT_MARK);
        put(s, to ? "[" : from ? "(" : " ");
        put_point(s, glyphs, board->at[square]);
        if (from || to)
            paint(s, PAINT_MARK);
        put(s, to ? "]" : from ? ")" : " ");
    }
    end_line(s);
}

size_t qp_board_draw(const qp_board *board, const qp_board_style *style,
                     char text[QP_BOARD_TEXT_MAX])
{
    static const qp_board_style usual;
    if (style == NULL)
        style = &usual;
    const glyph_set *glyphs = style->glyphs == QP_GLYPHS_LETTERS ? &letters : &chinese;
    sheet s = {.text = text, .color = style->color};
    qp_side below = style->from_black ? QP_BLACK : QP_RED;
    put_roads(&s, glyphs, style, QP_OTHER(below));
    for (int i = 0; i < 10; i++) {
        if (i == 5) {
            put(&s, "   ");
            paint(&s, PAINT_FAINT);
            put(&s, glyphs->river);
            end_line(&s);
        }
        put_rank(&s, glyphs, board, style, below == QP_RED ? 9 - i : i);
    }
    put_roads(&s, glyphs, style, below);
    put_letters(&s, glyphs, style);
    text[s.len] = '\0';
    return s.len;
}
