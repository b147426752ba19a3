/* A line, a game, read: iccs (`FEN<TAB>h2e2 h9g7 …`, qipu's own exchange form, and the
 * archives and lists that resemble it), uci (`position fen … moves …`, as in engine logs)
 * and fen (a position a line). Sources: the UCCI protocol, XQWizard's EPD lists, and
 * archives as found. */
#include "config.h"

#include "format/lines.h"

enum { JUNK_MAX = 1 << 16 }; /* text passed over that is kept at most */

/* ---- what stands in a line ---- */

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
static bool separator(char c)
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
static size_t coord_at(const char *p, size_t n, qp_written *written)
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
static size_t word_at(const char *p, size_t n)
{
    size_t len = 0;
    while (len < n && !blank(p[len]) && p[len] != ',' && p[len] != ';')
        len++;
    return len;
}

/* A round number and its dots; 0: none. */
static size_t number_at(const char *p, size_t n)
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
static size_t digits_at(const char *p, size_t n, bool after_fen, bool *from_bottom)
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
static size_t fen_at(const char *p, size_t n)
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
        size_t word = word_at(p + at, n - at), digits = 0;
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
static size_t position_at(const char *p, size_t n)
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
static size_t id_at(const char *p, size_t n)
{
    size_t len = 0;
    qp_written unused;
    while (len < n && len < 64 &&
           (letter(p[len]) || digit(p[len]) || p[len] == '_' || p[len] == '-'))
        len++;
    if (len == 0 || len >= n || p[len] != ';')
        return 0;
    return coord_at(p + len + 1, n - len - 1, &unused) ? len + 1 : 0;
}

typedef enum line_kind {
    LINE_OTHER,
    LINE_BLANK,    /* or a comment of the list */
    LINE_POSITION, /* position startpos … */
    LINE_FEN,      /* a FEN alone, or with a comment */
    LINE_FEN_TAB,  /* a FEN, a tab, and no moves */
    LINE_FEN_MOVES,
    LINE_ID,
    LINE_GLUED, /* at least two moves without anything between them */
    LINE_MOVES,
    LINE_DIGITS,
} line_kind;

/* Offset behind the separators and the word `moves` at p. */
static size_t skip_to_moves(const char *p, size_t n)
{
    size_t at = 0;
    while (at < n && separator(p[at]))
        at++;
    if (n - at >= 5 && memcmp(p + at, "moves", 5) == 0)
        for (at += 5; at < n && separator(p[at]); at++)
            ;
    return at;
}

/* Whether a line holds nothing but lists of digits. */
static bool only_digits(const char *p, size_t n)
{
    size_t at = skip_to_moves(p, n), len;
    bool any = false, unused;
    for (; at < n; at += len + skip_to_moves(p + at + len, n - at - len)) {
        len = digits_at(p + at, n - at, false, &unused);
        if (len == 0)
            return false;
        any = true;
    }
    return any;
}

static line_kind kind_of(const char *p, size_t n)
{
    qp_written written;
    bool unused;
    size_t at = 0, len;
    while (at < n && blank(p[at]))
        at++;
    if (at == n || p[at] == '#' || p[at] == ';' || p[at] == '%')
        return LINE_BLANK;
    if (position_at(p, n))
        return LINE_POSITION;
    p += at;
    n -= at;
    if ((len = fen_at(p, n)) != 0) {
        size_t moves = len + skip_to_moves(p + len, n - len);
        if (moves < n && (coord_at(p + moves, n - moves, &written) ||
                          digits_at(p + moves, n - moves, true, &unused)))
            return LINE_FEN_MOVES;
        return len < n && p[len] == '\t' && moves == n ? LINE_FEN_TAB : LINE_FEN;
    }
    if (id_at(p, n) != 0)
        return LINE_ID;
    if ((len = coord_at(p, n, &written)) != 0)
        return coord_at(p + len, n - len, &written) ? LINE_GLUED : LINE_MOVES;
    return only_digits(p, n) ? LINE_DIGITS : LINE_OTHER;
}

/* ---- reading ---- */

/* qp_reading.carried */
enum {
    LINES_SKIPPING = 1 << 0, /* the rest of a line past the limit */
    LINES_BEGUN = 1 << 1,    /* a record was read */
    LINES_NAMED = 1 << 2,    /* the lexer was asked how coordinates are called: */
    LINES_DIALECT = 3,       /* the dialect, from this bit on */
};

static void add_digits(qp_record *record, const char *text, size_t at, size_t len,
                       bool from_bottom)
{
    for (size_t i = at; i + 4 <= at + len; i += 4) {
        int v[4];
        for (int k = 0; k < 4; k++)
            v[k] = text[i + (size_t)k] - '0';
        int from = from_bottom ? v[1] : 9 - v[1], to = from_bottom ? v[3] : 9 - v[3];
        qp_record_squares(record, i, 4,
                          QP_MOVE(QP_SQUARE(v[0], from), QP_SQUARE(v[2], to)));
    }
}

static void add_result(qp_record *record, size_t at, size_t len, qp_result result)
{
    qp_event *event = qp_record_add(record, QP_EV_RESULT, at, len);
    if (event != NULL)
        event->value = (uint16_t)result;
}

/* Reads the moves of text[at, end). A list of digits that stands by itself ends the
 * record: the offset behind what was read is returned. */
static size_t read_moves(qp_reading *reading, size_t at, size_t end, bool bare)
{
    const char *text = reading->source->text;
    qp_record *record = reading->record;
    while (at < end) {
        qp_written written;
        qp_result result;
        bool from_bottom;
        size_t len, n = end - at;
        const char *p = text + at;
        if (separator(*p)) {
            at++;
        } else if ((len = coord_at(p, n, &written)) != 0) {
            if (!(reading->carried & LINES_NAMED)) {
                qp_written lexed;
                reading->carried |= LINES_NAMED;
                if (qp_lex_move(reading->lexer, p, n, &lexed) &&
                    lexed.form == QP_FORM_COORD)
                    reading->carried |= (unsigned)lexed.dialect << LINES_DIALECT;
            }
            written.dialect = (uint8_t)(reading->carried >> LINES_DIALECT);
            qp_record_move(record, at, len, &written);
            at += len;
        } else if ((len = digits_at(p, n, !bare, &from_bottom)) != 0) {
            add_digits(record, text, at, len, from_bottom);
            at += len;
            if (bare)
                return at;
        } else {
            size_t word = word_at(p, n);
            if ((len = number_at(p, word)) != 0) {
                at += len;
            } else if (word > 1 && qp_result_read(reading->patterns, (qp_str){p, word}, &result)) {
                add_result(record, at, word, result);
                at += word;
            } else if (word == 1 && *p == '*') {
                add_result(record, at, word, QP_RESULT_UNKNOWN);
                at += word;
            } else if ((len = qp_lex_move(reading->lexer, p, n, &written)) != 0) {
                qp_record_move(record, at, len, &written);
                at += len;
            } else {
                qp_record_bad_move(record, at, word);
                at += word;
            }
        }
    }
    return end;
}

/* Takes a FEN as the start position. Fields glued to the board and to one another
 * (…4K4w--01) are cut off; the side alone is sure there. */
static void take_fen(qp_reading *reading, size_t at, size_t len)
{
    const char *p = reading->source->text + at;
    qp_str fen = {p, len};
    const char *dash = memchr(p, '-', len), *gap = memchr(p, ' ', len);
    if (dash != NULL && dash > p && (gap == NULL || dash < gap))
        fen = qp_arena_printf(reading->record->arena, "%.*s %c", (int)(dash - p) - 1, p,
                              dash[-1]);
    qp_record_start(reading->record, fen, at, len);
}

/* Reads a FEN at `at` and the moves, or the comment, behind it. */
static void read_fen_line(qp_reading *reading, size_t at, size_t end)
{
    const char *text = reading->source->text;
    qp_written written;
    bool unused;
    size_t len = fen_at(text + at, end - at);
    take_fen(reading, at, len);
    at += len;
    size_t moves = at + skip_to_moves(text + at, end - at);
    const char *p = text + moves;
    size_t n = end - moves;
    if (n != 0 && (coord_at(p, n, &written) || digits_at(p, n, true, &unused) ||
                   qp_lex_move(reading->lexer, p, n, &written))) {
        read_moves(reading, moves, end, false);
        return;
    }
    while (at < end && (blank(text[at]) || text[at] == ';' || text[at] == ','))
        at++;
    while (end > at && blank(text[end - 1]))
        end--;
    if (at < end)
        qp_record_comment(reading->record, at, end - at, (qp_str){NULL, 0});
}

/* Where the line behind one of glued moves holds nothing but a FEN: its
 * end, after it was read as the start position. Else 0. */
static size_t read_fen_below(qp_reading *reading, size_t end)
{
    qp_source *source = reading->source;
    if (!qp_source_has(source, end, 2))
        return 0;
    size_t next = end + 1, stop = qp_source_line_end(source, next, 256);
    const char *p = source->text + next;
    size_t len = fen_at(p, stop - next);
    if (len == 0)
        return 0;
    if (skip_to_moves(p + len, stop - next - len) != stop - next - len)
        return 0;
    take_fen(reading, next, len);
    return stop;
}

/* Reads the line text[at, end) as a record; false where it holds none. *used gets the
 * offset behind what belongs to it. */
static bool read_line(qp_reading *reading, size_t at, size_t end, size_t *used)
{
    qp_source *source = reading->source;
    const char *text = source->text;
    line_kind kind = kind_of(text + at, end - at);
    qp_written written;
    size_t len;
    *used = end;
    while (at < end && blank(text[at]))
        at++;
    switch (kind) {
    case LINE_BLANK:
        return false;
    case LINE_POSITION:
        at += position_at(text + at, end - at);
        if (text[at] == 'f') {
            for (at += 4; at < end && blank(text[at]); at++)
                ;
            if (fen_at(text + at, end - at) == 0) {
                len = word_at(text + at, end - at);
                qp_record_start(reading->record, (qp_str){text + at, len}, at, len);
                at += len;
                at += skip_to_moves(text + at, end - at);
                read_moves(reading, at, end, false);
            } else {
                read_fen_line(reading, at, end);
            }
        } else {
            at += 8;
            at += skip_to_moves(text + at, end - at);
            read_moves(reading, at, end, false);
        }
        return true;
    case LINE_FEN:
    case LINE_FEN_TAB:
    case LINE_FEN_MOVES:
        read_fen_line(reading, at, end);
        return true;
    case LINE_ID:
        len = id_at(text + at, end - at);
        qp_record_tag_add(reading->record,
                          (qp_record_tag){.made_name = QP_STR("Id"),
                                          .value_at = (uint32_t)at,
                                          .value_len = (uint32_t)len - 1});
        read_moves(reading, at + len, end, false);
        return true;
    case LINE_GLUED:
    case LINE_MOVES:
        if (word_at(text + at, end - at) == end - at) {
            len = read_fen_below(reading, end);
            if (len != 0)
                *used = len;
        }
        read_moves(reading, at, end, false);
        return true;
    case LINE_DIGITS:
        at = read_moves(reading, at, end, true);
        while (at < end && separator(text[at]))
            at++;
        *used = at;
        return true;
    case LINE_OTHER:
        /* Where the user says what the file is, moves of any notation will do. */
        if (!reading->named)
            return false;
        len = at + skip_to_moves(text + at, end - at);
        len += number_at(text + len, end - len);
        len += skip_to_moves(text + len, end - len);
        if (!qp_lex_move(reading->lexer, text + len, end - len, &written))
            return false;
        read_moves(reading, at, end, false);
        return true;
    }
    return false;
}

qp_status qp_lines_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    reading->used = 0;
    reading->record->verbatim = true;
    uint64_t limit = reading->limit < UINT32_MAX / 2 ? reading->limit : UINT32_MAX / 2;
    size_t at = 0, stray = 0, stray_at = 0, stray_end = 0;
    bool found = false, log = false;
    for (;;) {
        if (at > JUNK_MAX) {
            qp_source_next(source, at);
            at = 0;
            stray = 0;
        }
        if (!qp_source_has(source, at, 1)) {
            reading->used = source->len;
            break;
        }
        size_t end = qp_source_line_end(source, at, (size_t)limit), used;
        bool whole = end == source->len || source->text[end] == '\n';
        if (reading->carried & LINES_SKIPPING) {
            if (whole)
                reading->carried &= ~(unsigned)LINES_SKIPPING;
            at = end + (end < source->len);
            continue;
        }
        if (!whole) {
            qp_record_report(reading->record, QP_D_file_limit, at, 1, NULL,
                             "the line is longer than %llu bytes",
                             (unsigned long long)reading->limit);
            reading->record->broken = true;
            reading->carried |= LINES_SKIPPING;
            reading->used = end;
            return QP_OK;
        }
        if (read_line(reading, at, end, &used)) {
            reading->used = used + (used < source->len && source->text[used] == '\n');
            found = true;
            reading->carried |= LINES_BEGUN;
            log = position_at(source->text + at, end - at) != 0;
            break;
        }
        if (kind_of(source->text + at, end - at) == LINE_OTHER) {
            stray_at = stray ? stray_at : at;
            stray_end = stray ? stray_end : end;
            stray++;
        }
        at = end + 1;
        if (end == source->len) {
            reading->used = source->len;
            break;
        }
    }
    /* In a log other lines are what one expects. */
    if (stray != 0 && (reading->carried & LINES_BEGUN) && !log)
        qp_record_report(reading->record, QP_D_trailing_text, stray_at,
                         stray_end - stray_at, "no-record",
                         "%zu line%s that hold no game", stray, stray == 1 ? "" : "s");
    return found ? QP_OK : QP_END;
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
    size_t at = skip_to_moves(p, n);
    if (coord_at(p + at, n - at, &written) == 0)
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
        line_kind kind = kind_of(text.data + at, stop - at);
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
