/* What stands in the lines of the formats of a game a line, and what such a file is. See
 * lines_read.c for where the facts come from. */
#include "config.h"

#include "format/lines.h"

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What parts the moves of a list, and marks behind them that say nothing. */
bool qp_line_separates(char c)
{
    switch (c) {
    case ',':
    case ';':
    case '|':
    case '"':
    case '\'':
    case '[':
    case ']':
    case '!':
    case '?':
    case '+':
    case '#':
        return true;
    default:
        return blank(c);
    }
}

/* A file and a rank, 0 to 10 as written; its bytes, 0 where none stands there. */
static size_t square_at(const char *p, size_t n, uint8_t *file, uint8_t *rank)
{
    if (n < 2 || (p[0] | 32) < 'a' || (p[0] | 32) > 'i' || !digit(p[1]))
        return 0;
    *file = (uint8_t)((p[0] | 32) - 'a');
    *rank = (uint8_t)(p[1] - '0');
    if (p[1] == '1' && n > 2 && p[2] == '0') {
        *rank = 10;
        return 3;
    }
    return 2;
}

/* A coordinate move (h2e2, H2-E2, h10g8), also one of several glued together. */
size_t qp_line_coord(const char *p, size_t n, qp_written *written)
{
    uint8_t from_file, from_rank, to_file, to_rank;
    size_t len = square_at(p, n, &from_file, &from_rank), more;
    if (len == 0)
        return 0;
    if (len < n && (p[len] == '-' || p[len] == '.'))
        len++;
    more = square_at(p + len, n - len, &to_file, &to_rank);
    len += more;
    if (more == 0)
        return 0;
    if (len < n &&
        (digit(p[len]) || p[len] == '_' || (letter(p[len]) && (p[len] | 32) > 'i')))
        return 0;
    *written = (qp_written){.form = QP_FORM_COORD,
                            .from_file = from_file,
                            .from_rank = from_rank,
                            .to_file = to_file,
                            .to_rank = to_rank};
    return len;
}

/* The bytes up to the next blank, comma or semicolon. */
size_t qp_line_word(const char *p, size_t n)
{
    size_t len = 0;
    while (len < n && !blank(p[len]) && p[len] != ',' && p[len] != ';')
        len++;
    return len;
}

/* A round number and its dots; 0: none. */
size_t qp_line_number(const char *p, size_t n)
{
    size_t len = 0;
    while (len < n && digit(p[len]))
        len++;
    if (len == 0 || len == n || p[len] != '.')
        return 0;
    while (len < n && p[len] == '.')
        len++;
    return len;
}

/* A list of four-digit moves (77477062…): at least two, x 0 to 8. Files from Red's left,
 * ranks from the top, or from the bottom where only so the first is a move of Red's.
 * Without `after_fen` Black's must follow, so that dates and numbers are none. */
size_t qp_line_digits(const char *p, size_t n, bool after_fen, bool *from_bottom)
{
    size_t len = 0;
    while (len < n && digit(p[len])) {
        if (len % 2 == 0 && p[len] == '9')
            return 0;
        len++;
    }
    if (len < 8 || len % 4 != 0 || (len < n && (letter(p[len]) || p[len] == '.')))
        return 0;
    *from_bottom = false;
    if (after_fen)
        return len;
    qp_board board;
    qp_board_start(&board);
    int file[2] = {p[0] - '0', p[4] - '0'}, row[2] = {p[1] - '0', p[5] - '0'};
    for (int bottom = 0; bottom <= 1; bottom++) {
        qp_piece first = board.at[QP_SQUARE(file[0], bottom ? row[0] : 9 - row[0])];
        qp_piece second = board.at[QP_SQUARE(file[1], bottom ? row[1] : 9 - row[1])];
        *from_bottom = bottom;
        if (first != 0 && QP_PIECE_SIDE(first) == QP_RED && second != 0 &&
            QP_PIECE_SIDE(second) == QP_BLACK)
            return len;
    }
    return 0;
}

/* The bytes of a FEN at p, faulty or not: ten rows and what follows of its fields. */
size_t qp_line_fen(const char *p, size_t n)
{
    size_t len = 0, rows = 1, gaps = 0, row = 0;
    for (; len < n && (letter(p[len]) || digit(p[len]) || p[len] == '/' || p[len] == '-');
         len++) {
        if (p[len] == '/' && ++rows > 10)
            break;
        /* No path or address has so many digits, nor rows so short. */
        gaps += digit(p[len]);
        row = p[len] == '/' ? 0 : row + 1;
        if (row > 15 || p[0] == '/')
            return 0;
    }
    if (rows < 8 || gaps < 3)
        return 0;
    if (len < n && !blank(p[len]) && p[len] != ',' && p[len] != ';' && p[len] != '/')
        return 0;
    unsigned sides = 0, dashes = 0, numbers = 0;
    for (size_t at = len; at < n && blank(p[at]);) {
        while (at < n && blank(p[at]))
            at++;
        size_t word = qp_line_word(p + at, n - at), digits = 0;
        while (digits < word && digit(p[at + digits]))
            digits++;
        if (word == 1 && letter(p[at]) && !(sides | dashes | numbers))
            sides++;
        else if (word == 1 && p[at] == '-' && dashes < 2 && !numbers)
            dashes++;
        else if (word != 0 && digits == word && word <= 3 && numbers < 2)
            numbers++;
        else
            break;
        at += word;
        len = at;
    }
    return len;
}

/* Where a UCI or UCCI command sets up a game: the offset of what follows `position`, 0
 * for none. The word may stand anywhere, as logs put times and arrows before it. */
size_t qp_line_position(const char *p, size_t n)
{
    static const char word[] = "position ";
    const size_t len = sizeof word - 1;
    for (size_t at = 0; at + len < n; at++) {
        const char *found = memchr(p + at, 'p', n - len - at);
        if (found == NULL)
            return 0;
        at = (size_t)(found - p);
        if (memcmp(found, word, len) != 0)
            continue;
        size_t next = at + len;
        while (next < n && blank(p[next]))
            next++;
        if (n - next >= 8 && memcmp(p + next, "startpos", 8) == 0)
            return next;
        if (n - next > 4 && memcmp(p + next, "fen ", 4) == 0)
            return next;
    }
    return 0;
}

/* The bytes of `id;` before coordinate moves, 0 for none. */
size_t qp_line_id(const char *p, size_t n)
{
    size_t len = 0;
    qp_written unused;
    while (len < n && len < 64 &&
           (letter(p[len]) || digit(p[len]) || p[len] == '_' || p[len] == '-'))
        len++;
    if (len == 0 || len >= n || p[len] != ';')
        return 0;
    return qp_line_coord(p + len + 1, n - len - 1, &unused) ? len + 1 : 0;
}

/* Offset behind the separators and the word `moves` at p. */
size_t qp_line_to_moves(const char *p, size_t n)
{
    size_t at = 0;
    while (at < n && qp_line_separates(p[at]))
        at++;
    if (n - at >= 5 && memcmp(p + at, "moves", 5) == 0)
        for (at += 5; at < n && qp_line_separates(p[at]); at++)
            ;
    return at;
}

/* Whether a line holds nothing but lists of digits. */
static bool only_digits(const char *p, size_t n)
{
    size_t at = qp_line_to_moves(p, n), len;
    bool any = false, unused;
    for (; at < n; at += len + qp_line_to_moves(p + at + len, n - at - len)) {
        len = qp_line_digits(p + at, n - at, false, &unused);
        if (len == 0)
            return false;
        any = true;
    }
    return any;
}

qp_line_is qp_line_kind(const char *p, size_t n)
{
    qp_written written;
    bool unused;
    size_t at = 0, len;
    while (at < n && blank(p[at]))
        at++;
    if (at == n || p[at] == '#' || p[at] == ';' || p[at] == '%')
        return LINE_BLANK;
    if (qp_line_position(p, n))
        return LINE_POSITION;
    p += at;
    n -= at;
    if ((len = qp_line_fen(p, n)) != 0) {
        size_t moves = len + qp_line_to_moves(p + len, n - len);
        if (moves < n && (qp_line_coord(p + moves, n - moves, &written) ||
                          qp_line_digits(p + moves, n - moves, true, &unused)))
            return LINE_FEN_MOVES;
        return len < n && p[len] == '\t' && moves == n ? LINE_FEN_TAB : LINE_FEN;
    }
    if (qp_line_id(p, n) != 0)
        return LINE_ID;
    if ((len = qp_line_coord(p, n, &written)) != 0)
        return qp_line_coord(p + len, n - len, &written) ? LINE_GLUED : LINE_MOVES;
    return only_digits(p, n) ? LINE_DIGITS : LINE_OTHER;
}

/* ---- probing ---- */

typedef struct tally {
    unsigned lines, kinds[LINE_DIGITS + 1];
    unsigned openings; /* lines of moves that can begin a game from the usual start */
} tally;

/* Whether a line's first move can be one of Red's from the usual start, ranks from 0
 * or 1. */
static bool opens(const char *p, size_t n)
{
    qp_written written;
    qp_board board;
    qp_board_start(&board);
    size_t at = qp_line_to_moves(p, n);
    if (qp_line_coord(p + at, n - at, &written) == 0)
        return false;
    for (int base = 0; base <= 1; base++) {
        int rank = written.from_rank - base;
        qp_piece piece =
            rank >= 0 && rank < 5 ? board.at[QP_SQUARE(written.from_file, rank)] : 0;
        if (piece != 0 && QP_PIECE_SIDE(piece) == QP_RED)
            return true;
    }
    return false;
}

/* Counts the kinds of the lines of a probe's text, as far as the first of a kind in until
 * (1 << kind bits), which says enough. A last line that goes on is left out where others
 * stand before it. */
static tally count_lines(qp_str text, unsigned until)
{
    tally t = {0};
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.data + at, '\n', text.len - at);
        size_t stop = end ? (size_t)(end - text.data) : text.len;
        if (end == NULL && t.lines != 0 && text.len >= 4096)
            break;
        qp_line_is kind = qp_line_kind(text.data + at, stop - at);
        t.kinds[kind]++;
        if (kind != LINE_BLANK)
            t.lines++;
        if (kind == LINE_MOVES || kind == LINE_GLUED)
            t.openings += opens(text.data + at, stop - at);
        if (until >> kind & 1)
            break;
        at = stop + 1;
    }
    return t;
}

unsigned qp_iccs_probe(const qp_probe *probe)
{
    tally t = count_lines(probe->text, 1u << LINE_OTHER | 1u << LINE_POSITION);
    unsigned fens = t.kinds[LINE_FEN] + t.kinds[LINE_FEN_TAB] + t.kinds[LINE_FEN_MOVES];
    if (t.lines == 0 || t.kinds[LINE_OTHER] + t.kinds[LINE_POSITION] != 0)
        return 0;
    if (fens == t.lines && fens != t.kinds[LINE_FEN])
        return t.kinds[LINE_FEN] == 0 ? 90 : 60;
    if (t.kinds[LINE_ID] == t.lines || t.kinds[LINE_DIGITS] == t.lines)
        return 60;
    unsigned moves = t.kinds[LINE_MOVES] + t.kinds[LINE_GLUED];
    if (moves == 1 && t.kinds[LINE_FEN] == 1 && t.lines == 2)
        return 60;
    /* A game a line, unless the lines go on with one another. */
    if (moves == t.lines && t.openings == t.lines)
        return 40;
    return 0;
}

unsigned qp_uci_probe(const qp_probe *probe)
{
    /* Without this word no line is one, and none needs to be looked at. */
    const char *p = probe->text.data, *end = p + probe->text.len;
    while ((p = memchr(p, 'p', (size_t)(end - p))) != NULL) {
        if (end - p >= 8 && memcmp(p, "position", 8) == 0)
            return count_lines(probe->text, 1u << LINE_POSITION).kinds[LINE_POSITION] != 0
                       ? 90 : 0;
        p++;
    }
    return 0;
}

unsigned qp_fen_probe(const qp_probe *probe)
{
    tally t = count_lines(probe->text, ~(1u << LINE_FEN | 1u << LINE_BLANK));
    return t.lines != 0 && t.kinds[LINE_FEN] == t.lines ? 60 : 0;
}
