/* A line, a game, read: iccs (`FEN<TAB>h2e2 h9g7 …`, qipu's own exchange form, and the
 * archives and lists that resemble it), uci (`position fen … moves …`, as in engine logs)
 * and fen (a position a line). Sources: the UCCI protocol, XQWizard's EPD lists, and
 * archives as found. */
#include "config.h"

#include "format/lines.h"
#include "format/plies.h"
#include "format/said.h"

enum { JUNK_MAX = 1 << 16 }; /* text passed over that is kept at most */

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

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

/* ---- plain moves: h2e2 h9g7 and so on, one blank between two ---- */

/* Reads them up to the end of the line, or of the text; returns how many, 0 for all else. */
static size_t plain_moves(const char *p, size_t n, qp_move moves[QP_LINE_MAX])
{
    size_t count = 0;
    for (; count < QP_LINE_MAX && n >= 4; p += 5, n -= 5) {
        unsigned from_file = (unsigned char)p[0] - 'a', from_rank = (unsigned char)p[1] - '0';
        unsigned to_file = (unsigned char)p[2] - 'a', to_rank = (unsigned char)p[3] - '0';
        if (from_file > 8 || from_rank > 9 || to_file > 8 || to_rank > 9)
            return 0;
        moves[count++] = QP_MOVE(QP_SQUARE(from_file, from_rank), QP_SQUARE(to_file, to_rank));
        if (n == 4 || p[4] == '\n')
            return count;
        if (p[4] != ' ')
            return 0;
    }
    return 0;
}

/* Whether it is known that coordinates are called as usual. */
static bool is_iccs(const qp_reading *reading)
{
    size_t dialect = reading->carried >> LINES_DIALECT;
    const qp_notation *notation =
        reading->carried & LINES_NAMED ? qp_notation_at(reading->context, dialect) : NULL;
    return notation != NULL && strcmp(qp_notation_name(notation), "iccs") == 0;
}

/* Plays the moves of text[at, end) where they are plain and no tree is asked for. */
static bool spare_moves(qp_reading *reading, size_t at, size_t end)
{
    qp_arena *arena = reading->record->arena;
    if (reading->spare_tree == 0 || reading->record->event_count != 0 || !is_iccs(reading))
        return false;
    qp_move *moves = qp_arena_alloc(arena, QP_LINE_MAX * sizeof *moves);
    qp_squares squares = {.moves = moves, .step = sizeof *moves, .at = at, .apart = 5, .len = 4};
    if (moves != NULL)
        squares.count = plain_moves(reading->source->text + at, end - at, moves);
    return squares.count != 0 && qp_reading_spare_nodes(reading, &squares);
}

/* Where the moves of a line begin that has nothing before them but the usual start position; 0:
 * other lines. */
static size_t usual_start(const char *p, size_t n)
{
    static const char fen[] = QP_SAID_USUAL "\t", position[] = "position startpos moves ";
    if (n > sizeof fen && memcmp(p, fen, sizeof fen - 1) == 0)
        return sizeof fen - 1;
    return n > sizeof position && memcmp(p, position, sizeof position - 1) == 0
               ? sizeof position - 1
               : 0;
}

/* Passes over the line at the beginning of the text, where there is nothing to say of it. */
static bool pass_line(qp_reading *reading)
{
    qp_source *source = reading->source;
    qp_move moves[QP_LINE_MAX];
    qp_rounds rounds;
    size_t at = usual_start(source->text, source->len);
    qp_squares squares = {.moves = moves, .step = sizeof *moves};
    if (at != 0)
        squares.count = plain_moves(source->text + at, source->len - at, moves);
    size_t end = at + 5 * squares.count; /* behind a line end */
    if (squares.count == 0 || end > source->len || end > reading->limit ||
        squares.count > qp_context_limit(reading->context, QP_LIMIT_NODES) ||
        !qp_source_silent(source, end) ||
        !qp_rounds_squares(reading->record, &squares, reading->spare_tree, false, &rounds) ||
        rounds.end != QP_END_NONE)
        return false;
    reading->passed.games++;
    reading->passed.plies += rounds.plies;
    qp_source_next(source, end);
    return true;
}

/* Passes over lines, but for those that are another reader's. false: one of these begins. */
static bool pass_lines(qp_reading *reading)
{
    qp_source *source = reading->source;
    if (!reading->passes || (reading->carried & LINES_SKIPPING) || !is_iccs(reading))
        return true;
    while (qp_source_has(source, 0, 1) && pass_line(reading))
        if (reading->until != 0 && qp_source_past(source, 0, reading->until))
            return false;
    return true;
}

/* Reads the moves of text[at, end). A list of digits that stands by itself ends the
 * record: the offset behind what was read is returned. */
static size_t read_moves(qp_reading *reading, size_t at, size_t end, bool bare)
{
    const char *text = reading->source->text;
    qp_record *record = reading->record;
    if (!bare && spare_moves(reading, at, end))
        return end;
    while (at < end) {
        qp_written written;
        qp_result result;
        bool from_bottom;
        size_t len, n = end - at;
        const char *p = text + at;
        if (qp_line_separates(*p)) {
            at++;
        } else if ((len = qp_line_coord(p, n, &written)) != 0) {
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
        } else if ((len = qp_line_digits(p, n, !bare, &from_bottom)) != 0) {
            add_digits(record, text, at, len, from_bottom);
            at += len;
            if (bare)
                return at;
        } else {
            size_t word = qp_line_word(p, n);
            if ((len = qp_line_number(p, word)) != 0) {
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
    size_t len = qp_line_fen(text + at, end - at);
    take_fen(reading, at, len);
    at += len;
    size_t moves = at + qp_line_to_moves(text + at, end - at);
    const char *p = text + moves;
    size_t n = end - moves;
    if (n != 0 && (qp_line_coord(p, n, &written) || qp_line_digits(p, n, true, &unused) ||
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
    size_t len = qp_line_fen(p, stop - next);
    if (len == 0)
        return 0;
    if (qp_line_to_moves(p + len, stop - next - len) != stop - next - len)
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
    qp_line_is kind = qp_line_kind(text + at, end - at);
    qp_written written;
    size_t len;
    *used = end;
    while (at < end && blank(text[at]))
        at++;
    switch (kind) {
    case LINE_BLANK:
        return false;
    case LINE_POSITION:
        at += qp_line_position(text + at, end - at);
        if (text[at] == 'f') {
            for (at += 4; at < end && blank(text[at]); at++)
                ;
            if (qp_line_fen(text + at, end - at) == 0) {
                len = qp_line_word(text + at, end - at);
                qp_record_start(reading->record, (qp_str){text + at, len}, at, len);
                at += len;
                at += qp_line_to_moves(text + at, end - at);
                read_moves(reading, at, end, false);
            } else {
                read_fen_line(reading, at, end);
            }
        } else {
            at += 8;
            at += qp_line_to_moves(text + at, end - at);
            read_moves(reading, at, end, false);
        }
        return true;
    case LINE_FEN:
    case LINE_FEN_TAB:
    case LINE_FEN_MOVES:
        read_fen_line(reading, at, end);
        return true;
    case LINE_ID:
        len = qp_line_id(text + at, end - at);
        qp_record_tag_add(reading->record,
                          (qp_record_tag){.made_name = QP_STR("Id"),
                                          .value_at = (uint32_t)at,
                                          .value_len = (uint32_t)len - 1});
        read_moves(reading, at + len, end, false);
        return true;
    case LINE_GLUED:
    case LINE_MOVES:
        if (qp_line_word(text + at, end - at) == end - at) {
            len = read_fen_below(reading, end);
            if (len != 0)
                *used = len;
        }
        read_moves(reading, at, end, false);
        return true;
    case LINE_DIGITS:
        at = read_moves(reading, at, end, true);
        while (at < end && qp_line_separates(text[at]))
            at++;
        *used = at;
        return true;
    case LINE_OTHER:
        /* Where the user says what the file is, moves of any notation will do. */
        if (!reading->named)
            return false;
        len = at + qp_line_to_moves(text + at, end - at);
        len += qp_line_number(text + len, end - len);
        len += qp_line_to_moves(text + len, end - len);
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
    if (!pass_lines(reading))
        return QP_OK;
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
            log = qp_line_position(source->text + at, end - at) != 0;
            break;
        }
        if (qp_line_kind(source->text + at, end - at) == LINE_OTHER) {
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
