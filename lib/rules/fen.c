/* FEN and single moves as text. Read tolerantly: programs leave fields out, split gaps,
 * glue the side to the board, name elephants E or M and escape the text for a URL; each
 * such habit that could be a slip is noted, and each that loses the position is an error.
 * Written strictly: six fields, letters K A B N R C P. The spellings are those of
 * XQWizard, ElephantEye, vschess, Pikafish's board page, WXF papers and lists on the web.
 */
#include "config.h"

#include "rules/lines.h"

/* The text as it is meant: escapes resolved, every blank a space. */
typedef struct cursor {
    const unsigned char *data;
    size_t at, len;
} cursor;

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character at an offset and how many bytes it takes; 0 bytes at the end. What is not
 * ASCII counts as one unknown character, but for the two wide blanks. */
static size_t peek_at(const cursor *c, size_t at, int *character)
{
    size_t left = c->len - at;
    *character = 0;
    if (left == 0)
        return 0;
    const unsigned char *p = c->data + at;
    *character = p[0];
    switch (p[0]) {
    case '+':
    case '_':
    case '\t':
        *character = ' ';
        return 1;
    case '%':
        if (left >= 3 && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
            *character = hex_digit(p[1]) * 16 + hex_digit(p[2]);
            return 3;
        }
        return 1;
    case 0xC2: /* U+00A0 */
        if (left >= 2 && p[1] == 0xA0) {
            *character = ' ';
            return 2;
        }
        return 1;
    case 0xE3: /* U+3000 */
        if (left >= 3 && p[1] == 0x80 && p[2] == 0x80) {
            *character = ' ';
            return 3;
        }
        return 1;
    default:
        return 1;
    }
}

/* Where a FEN ends for certain: what lists put behind it, and what encloses it. */
static bool is_stop(int c)
{
    return c == ';' || c == ',' || c == '|' || c == '"' || c == '\'' || c == ')' ||
           c == ']' || c == '}' || c == '<' || c == '>' || c == '\n' || c == '\r' ||
           c == 0;
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(cursor *c, bool lines)
{
    int ch;
    size_t n;
    while ((n = peek_at(c, c->at, &ch)) > 0 &&
           (ch == ' ' || (lines && (ch == '\n' || ch == '\r'))))
        c->at += n;
}

/* A field as far as it matters: its first characters and how many it has. */
typedef struct field {
    char text[8];
    size_t length, end; /* end: the offset past it */
} field;

static field next_field(cursor *c)
{
    field f = {{0}, 0, 0};
    int ch;
    skip_blanks(c, false);
    f.end = c->at;
    for (size_t n; (n = peek_at(c, f.end, &ch)) > 0 && ch != ' ' && !is_stop(ch);
         f.end += n) {
        if (f.length < sizeof f.text)
            f.text[f.length] = (char)ch;
        f.length++;
    }
    return f;
}

static qp_kind kind_of_letter(int c)
{
    switch (c | 0x20) {
    case 'k':
        return QP_KING;
    case 'a':
    case 'g':
        return QP_ADVISOR;
    case 'b':
    case 'e':
    case 'm':
        return QP_ELEPHANT;
    case 'n':
    case 'h':
        return QP_HORSE;
    case 'r':
        return QP_ROOK;
    case 'c':
        return QP_CANNON;
    case 'p':
        return QP_PAWN;
    default:
        return QP_NO_KIND;
    }
}

static void fault(qp_fen_report *report, qp_fen_fault which, size_t where)
{
    if ((which & QP_FEN_UNREADABLE) && !(report->faults & QP_FEN_UNREADABLE))
        report->where = where;
    report->faults |= which;
}

/* Whether the character at the cursor is the last of the board and names a side. */
static bool is_glued_side(const cursor *c, int ch, size_t n, int rank, unsigned files)
{
    int next;
    if (rank != 0 || (ch != 'w' && ch != 'W' && (files != 9 || (ch != 'b' && ch != 'r'))))
        return false;
    return peek_at(c, c->at + n, &next) == 0 || next == ' ' || is_stop(next);
}

/* Reads the rows; leaves the cursor on what ends them. */
static void read_rows(cursor *c, qp_board *board, qp_fen_report *report)
{
    size_t start = c->at, n, guard = 0, minister = 0;
    int ch, last = '/', rank = 9;
    unsigned files = 0;
    bool letters[128] = {false};

    for (; (n = peek_at(c, c->at, &ch)) > 0 && ch != ' ' && !is_stop(ch); c->at += n) {
        if (is_glued_side(c, ch, n, rank, files))
            break;
        qp_kind kind = is_letter(ch) ? kind_of_letter(ch) : QP_NO_KIND;
        if (ch == '/') {
            if (files < 9)
                report->faults |= QP_FEN_ROW_SHORT;
            files = 0;
            rank -= rank > -2; /* beyond ten rows their number does not matter */
        } else if (ch >= '0' && ch <= '9') {
            /* A 0 behind a digit makes a number of ten or more; alone it is no square. */
            bool split = last >= '0' && last <= '9';
            files += ch == '0' && split ? 10 : (unsigned)(ch - '0');
            if ((split || ch == '0') && files <= 9)
                report->faults |= QP_FEN_GAP;
        } else if (kind != QP_NO_KIND) {
            qp_side side = ch >= 'a' ? QP_BLACK : QP_RED;
            if (rank >= 0 && files < 9)
                board->at[QP_SQUARE(files, rank)] = QP_PIECE(side, kind);
            files++;
            letters[ch | 0x20] = true;
            if ((ch | 0x20) == 'g' && guard == 0)
                guard = c->at;
            if ((ch | 0x20) == 'm' && minister == 0)
                minister = c->at;
        } else if ((ch | 0x20) == 'x') {
            fault(report, QP_FEN_VARIANT, c->at);
            files++;
        } else {
            fault(report, QP_FEN_LETTER, c->at);
            files++;
        }
        if (files > 9) {
            fault(report, QP_FEN_ROW_LONG, c->at);
            files = 9; /* one long row, one finding; nothing runs over */
        }
        last = ch;
    }
    /* Of G and M, only a set of letters that has no A (no B, no E) tells what they are.
     */
    if (letters['g'] && letters['a'])
        fault(report, QP_FEN_LETTER, guard);
    if (letters['m'] && (letters['b'] || letters['e']))
        fault(report, QP_FEN_LETTER, minister);
    if (rank == -1 && files == 0 && last == '/') {
        report->faults |= QP_FEN_GAP; /* a slash behind the last row */
        rank = 0;
    } else if (files < 9) {
        report->faults |= QP_FEN_ROW_SHORT;
    }
    if (rank == 9 && (report->faults & QP_FEN_LETTER)) {
        report->faults = QP_FEN_EMPTY; /* a word, no rows */
        report->where = start;
    } else if (rank != 0) {
        fault(report, QP_FEN_ROW_COUNT, c->at);
    }
    /* A variant's own letters are not faults beside it. */
    if (report->faults & QP_FEN_VARIANT)
        report->faults = QP_FEN_VARIANT;
}

/* "0" to "65535" and beyond, which is cut. */
static bool read_counter(const field *f, uint16_t *counter)
{
    uint32_t value = 0;
    if (f->length == 0)
        return false;
    for (size_t i = 0; i < f->length; i++) {
        if (i == sizeof f->text) { /* digits or not: no counter is so long */
            value = UINT16_MAX;
            break;
        }
        if (f->text[i] < '0' || f->text[i] > '9')
            return false;
        value = value * 10 + (uint32_t)(f->text[i] - '0');
    }
    *counter = value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
    return true;
}

/* What stands in a counter's place and can be nothing else. */
static bool is_bad_counter(const field *f)
{
    if (f->length == 1 && is_letter(f->text[0]))
        return true;
    if (f->length == 0 || f->length > sizeof f->text)
        return false;
    for (size_t i = 0; i < f->length; i++)
        if (strchr("-?*0123456789", f->text[i]) == NULL)
            return false;
    return true;
}

static void use(cursor *c, qp_fen_report *report, const field *f)
{
    c->at = report->used = f->end;
}

static void read_side(cursor *c, qp_board *board, qp_fen_report *report)
{
    static const char *const words[] = {"black", "red", "white"};
    field f = next_field(c);
    bool word = false;
    for (size_t i = 0; i < QP_COUNT(words); i++)
        word |= f.length < sizeof f.text &&
                qp_str_is_nocase((qp_str){f.text, f.length}, words[i]);
    if (!word && (f.length != 1 || !is_letter(f.text[0])))
        return;
    int letter = f.text[0] | 0x20;
    board->side = letter == 'b' ? QP_BLACK : QP_RED;
    report->side_given = true;
    if (letter != 'b' && letter != 'w' && letter != 'r')
        report->faults |= QP_FEN_SIDE;
    use(c, report, &f);
}

/* The fields behind the side, as far as they are there. */
static void read_counters(cursor *c, qp_board *board, qp_fen_report *report)
{
    int dashes = 0, most = report->side_given ? 2 : 3;
    field f = next_field(c);
    for (; dashes < most && f.length == 1 && f.text[0] == '-'; dashes++) {
        use(c, report, &f);
        f = next_field(c);
    }
    /* Without dashes a single number is as likely the first move's. */
    field first = f;
    uint16_t quiet = 0, round = 1;
    bool quiet_good = read_counter(&first, &quiet);
    if (!quiet_good && (dashes < 2 || !is_bad_counter(&first))) {
        report->faults |= QP_FEN_FIELDS;
        return;
    }
    cursor ahead = *c;
    ahead.at = first.end;
    f = next_field(&ahead);
    bool round_good = read_counter(&f, &round);
    if (dashes == 0 && !round_good) {
        report->faults |= QP_FEN_FIELDS;
        return;
    }
    use(c, report, &first);
    board->quiet = quiet;
    if (round_good || is_bad_counter(&f)) {
        board->round = round;
        use(c, report, &f);
    }
    if (!quiet_good || (!round_good && c->at == f.end && f.length > 0))
        report->faults |= QP_FEN_COUNTERS;
    if (dashes < 2 || !report->side_given || f.length == 0 || c->at != f.end)
        report->faults |= QP_FEN_FIELDS;
}

/* Half a turn: what was on top is below. */
static void turn_round(qp_board *board)
{
    for (int a = 0, b = QP_SQUARES - 1; a < b; a++, b--) {
        qp_piece piece = board->at[a];
        board->at[a] = board->at[b];
        board->at[b] = piece;
    }
    qp_rules_set_kings(board);
}

#define START "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

void qp_fen_read(qp_str text, qp_board *board, qp_fen_report *report)
{
    cursor c = {(const unsigned char *)text.data, 0, text.len};
    int ch;
    size_t n;

    if (qp_str_is(text, START)) { /* what most records begin with */
        qp_board_start(board);
        *report = (qp_fen_report){.side_given = true, .used = text.len};
        return;
    }
    memset(board, 0, sizeof *board);
    memset(report, 0, sizeof *report);
    board->round = 1;
    skip_blanks(&c, true);
    size_t start = c.at;
    read_rows(&c, board, report);
    report->used = c.at;
    if (c.at == start) {
        report->faults = QP_FEN_EMPTY;
        report->where = start;
    } else {
        n = peek_at(&c, c.at, &ch);
        if (n > 0 && is_letter(ch)) { /* glued to the board */
            board->side = ch == 'b' ? QP_BLACK : QP_RED;
            report->side_given = true;
            report->used = c.at += n;
        } else {
            read_side(&c, board, report);
        }
        read_counters(&c, board, report);
    }
    if (report->faults & QP_FEN_UNREADABLE) {
        qp_board_start(board);
        return;
    }
    qp_rules_set_kings(board);
    if (board->king[QP_RED] < QP_SQUARES && QP_RANK(board->king[QP_RED]) >= 7 &&
        QP_RANK(board->king[QP_BLACK]) <= 2) {
        turn_round(board);
        report->faults |= QP_FEN_TURNED;
    }
    report->faults |= qp_board_faults(board);
}

char qp_piece_letter(qp_piece piece)
{
    return ".KABNRCP.kabnrcp"[piece & 15];
}

static size_t put_number(char *text, unsigned number)
{
    char digits[8];
    size_t n = 0, length = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0)
        text[length++] = digits[--n];
    return length;
}

size_t qp_fen_write(const qp_board *board, char text[QP_FEN_MAX])
{
    size_t n = 0;
    for (unsigned rank = 10; rank-- > 0;) {
        unsigned next = 0; /* the file behind the last piece */
        for (unsigned men = rank_bits(board, rank); men != 0; men &= men - 1) {
            unsigned file = qp_lowest_bit(men);
            text[n] = (char)('0' + (file - next));
            n += file != next;
            text[n++] = qp_piece_letter(board->at[rank * 9 + file]);
            next = file + 1;
        }
        text[n] = (char)('0' + (9 - next));
        n += next != 9;
        text[n++] = rank > 0 ? '/' : ' ';
    }
    text[n++] = board->side == QP_RED ? 'w' : 'b';
    memcpy(text + n, " - - ", 5);
    n += 5;
    n += put_number(text + n, board->quiet);
    text[n++] = ' ';
    n += put_number(text + n, board->round);
    text[n] = '\0';
    return n;
}

void qp_move_text(qp_move move, char text[5])
{
    unsigned from = move >> 7, to = QP_TO(move);
    memcpy(text, "----", 5);
    if (move == 0 || from >= QP_SQUARES || to >= QP_SQUARES)
        return;
    text[0] = (char)('a' + QP_FILE(from));
    text[1] = (char)('0' + QP_RANK(from));
    text[2] = (char)('a' + QP_FILE(to));
    text[3] = (char)('0' + QP_RANK(to));
}

static const struct {
    qp_fen_fault fault;
    qp_severity severity;
    const char *name, *text;
} faults[] = {
    {QP_FEN_EMPTY, QP_ERROR, "fen-empty", "the FEN holds no board"},
    {QP_FEN_LETTER, QP_ERROR, "fen-letter", "a letter of the FEN names no piece"},
    {QP_FEN_ROW_COUNT, QP_ERROR, "fen-row-count", "the FEN does not have ten rows"},
    {QP_FEN_ROW_LONG, QP_ERROR, "fen-row-length",
     "a row of the FEN has more than nine points"},
    {QP_FEN_ROW_SHORT, QP_NOTE, "fen-row-short",
     "a row of the FEN has fewer than nine points; the rest is taken as empty"},
    {QP_FEN_SIDE, QP_NOTE, "fen-side",
     "the FEN's side to move is neither w nor b; it is taken as Red"},
    {QP_FEN_FIELDS, QP_NOTE, "fen-missing-fields", "fields of the FEN are missing"},
    {QP_FEN_TURNED, QP_NOTE, "fen-turned", "the FEN has Red on top; it was turned round"},
    {QP_FEN_COUNTERS, QP_NOTE, "fen-counter", "a counter of the FEN is not a number"},
    {QP_FEN_KING_COUNT, QP_ERROR, "pos-king-count",
     "a side does not have exactly one king"},
    {QP_FEN_KING_PALACE, QP_ERROR, "pos-king-palace", "a king stands outside its palace"},
    {QP_FEN_ADVISOR_POINT, QP_ERROR, "pos-advisor-point",
     "an advisor stands where none can come"},
    {QP_FEN_ELEPHANT_POINT, QP_ERROR, "pos-elephant-point",
     "an elephant stands where none can come"},
    {QP_FEN_PAWN_POINT, QP_ERROR, "pos-soldier-point",
     "a pawn stands where none can come"},
    {QP_FEN_PIECE_COUNT, QP_ERROR, "pos-piece-count",
     "a side has more pieces of a kind than at the start"},
    {QP_FEN_FACING, QP_ERROR, "pos-facing", "the kings face each other"},
    {QP_FEN_OPPONENT_IN_CHECK, QP_ERROR, "pos-opponent-in-check",
     "the side that is not to move is in check"},
    {QP_FEN_PAWN_FILE, QP_NOTE, "pos-soldier-file",
     "two pawns that have not crossed the river stand on one file"},
    {QP_FEN_VARIANT, QP_ERROR, "unsupported-variant",
     "the position has hidden pieces, as in jieqi"},
    {QP_FEN_GAP, QP_NOTE, "fen-gap",
     "empty points of the FEN are counted in an unusual way"},
};

static size_t fault_row(qp_fen_fault which)
{
    for (size_t i = 0; i < QP_COUNT(faults); i++)
        if (faults[i].fault == which)
            return i;
    return QP_COUNT(faults);
}

const char *qp_fen_fault_name(qp_fen_fault which)
{
    size_t i = fault_row(which);
    return i < QP_COUNT(faults) ? faults[i].name : "none";
}

const char *qp_fen_fault_text(qp_fen_fault which)
{
    size_t i = fault_row(which);
    return i < QP_COUNT(faults) ? faults[i].text : "";
}

qp_severity qp_fen_fault_severity(qp_fen_fault which)
{
    size_t i = fault_row(which);
    return i < QP_COUNT(faults) ? faults[i].severity : QP_NOTE;
}
