/* Plain text: movetext as people type and paste it, with header lines before it. Sources: the
 * text exports of dpxq, vschess, CCBridge and 联众, and scorecards. */
#include "config.h"

#include "format/marks.h"

static size_t blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

const char *qp_header_tag(qp_patterns *patterns, qp_str line, size_t at, qp_str *value)
{
    qp_match match;
    /* A colon first: most lines have none, and need no pattern. */
    if (at >= line.len ||
        (memchr(line.data + at, ':', line.len - at) == NULL &&
         memchr(line.data + at, '\xEF', line.len - at) == NULL) ||
        !qp_pattern_find(patterns, "header", line, at, &match) || match.mark == NULL)
        return NULL;
    unsigned group = qp_pattern_group(patterns, "header", "value");
    *value = match.group[group];
    return match.mark;
}

/* Bytes of blanks, bullets and markup that a line begins with. */
static size_t bullets(const struct qp_lexer *lexer, qp_str line)
{
    size_t i = 0, used;
    while (i < line.len &&
           ((used = qp_blank_len(line.data + i, line.len - i)) != 0 ||
            (used = qp_markup_len(lexer, line.data + i, line.len - i, true)) != 0))
        i += used;
    return i;
}

/* The moves of a line that begins with the word for a side and a colon; 0 for all others. */
static unsigned side_moves(const struct qp_lexer *lexer, qp_str line)
{
    qp_side side;
    qp_written written;
    unsigned moves = 0;
    size_t i = bullets(lexer, line);
    size_t used = qp_side_word_len(line.data + i, line.len - i, &side);
    if (used == 0)
        return 0;
    i = blanks(line.data, line.len, i + used);
    if (i < line.len && line.data[i] == ':')
        i++;
    else if (line.len - i >= 3 && memcmp(line.data + i, "：", 3) == 0)
        i += 3;
    while ((i = blanks(line.data, line.len, i)) < line.len &&
           (used = qp_lex_move(lexer, line.data + i, line.len - i, &written)) != 0) {
        i += used;
        moves++;
    }
    return i < line.len ? 0 : moves;
}

/* Whether a line begins with a key. 红方：炮二平五 is a move of red's where several such lines
 * stand together; p[0, n) goes on behind the line. */
static bool is_header(const struct qp_lexer *lexer, qp_patterns *patterns, const char *p,
                      size_t line_len, size_t n)
{
    enum { LINES = 8, ENOUGH = 4 };
    qp_str value, line = {p, line_len};
    const char *tag = qp_header_tag(patterns, line, bullets(lexer, line), &value);
    if (tag == NULL)
        return false;
    if (strcmp(tag, "Red") != 0 && strcmp(tag, "Black") != 0)
        return true;
    unsigned moves = side_moves(lexer, line);
    for (size_t at = line_len + 1, i = 0; moves != 0 && at < n && i < LINES; i++) {
        const char *lf = memchr(p + at, '\n', n - at);
        size_t end = lf != NULL ? (size_t)(lf - p) : n;
        moves += side_moves(lexer, (qp_str){p + at, end - at});
        at = end + 1;
    }
    return moves < ENOUGH;
}

/* Whether what stands behind a round number is a move with a fault: almost one itself, or a
 * word of its length or a mark, and a sound move behind it. */
static bool is_torn_move(const struct qp_lexer *lexer, const char *p, size_t n)
{
    enum { LONGEST = 24 };
    size_t end = 0;
    qp_written written;
    while (end < n && end < LONGEST && qp_blank_len(p + end, n - end) == 0)
        end++;
    if (end == 0 || end == LONGEST)
        return false;
    if (qp_lex_resembles_move(lexer, (qp_str){p, end}))
        return true;
    size_t next = blanks(p, n, end);
    return next > end && end >= 2 && qp_lex_move(lexer, p + next, n - next, &written) != 0;
}

/* Whether a line is movetext: perhaps a number and other things that may stand there, then a
 * move that does not go on as a word (中炮进三兵对屏风马 is a title). */
bool qp_is_movetext(const struct qp_lexer *lexer, const char *p, size_t n)
{
    enum { LONGEST = 120 }; /* of what stands before the move */
    qp_written written;
    size_t start = blanks(p, n, 0), used;
    bool first = true;
    for (size_t i = start; i < n && i < start + LONGEST; i += used) {
        unsigned value;
        bool dots;
        if ((used = qp_blank_len(p + i, n - i)) != 0)
            continue;
        if ((used = qp_lex_move(lexer, p + i, n - i, &written)) != 0) {
            i += used;
            return i >= n || !qp_goes_on(p + i, n - i) ||
                   qp_lex_move(lexer, p + i, n - i, &written) != 0;
        }
        if ((used = qp_markup_len(lexer, p + i, n - i, first)) != 0)
            continue;
        if ((used = qp_number_len(p + i, n - i, &value, &dots)) == 0 &&
            (used = qp_dots_len(p + i, n - i, &value)) == 0 &&
            (used = qp_numeral_len(p + i, n - i, &value)) == 0)
            return i > start && is_torn_move(lexer, p + i, n - i);
        first = false;
    }
    return false;
}

/* Whether the moves that stand in text, whatever is between them, can be played one after the
 * other, many enough to be no words that look like moves. */
static bool plays(const struct qp_lexer *lexer, qp_board board, const char *p, size_t n)
{
    enum { ENOUGH = 6, WINDOW = 1500 };
    unsigned plies = 0;
    for (size_t i = 0, used; i < n && i < WINDOW && plies < ENOUGH; i += used) {
        qp_written written;
        qp_move moves[8];
        unsigned pick;
        if ((used = qp_lex_move(lexer, p + i, n - i, &written)) == 0) {
            qp_utf8_at(p + i, n - i, &used);
            continue;
        }
        if (qp_resolve(&board, &written, QP_BASE_ZERO, moves, &pick) != 1)
            return false;
        qp_board_play(&board, moves[0]);
        plies++;
    }
    return plies == ENOUGH;
}

/* Where the first move of a line stands; its length where it has none. */
static size_t first_move(const struct qp_lexer *lexer, const char *p, size_t line)
{
    qp_written written;
    size_t used;
    for (size_t i = 0; i < line; i += used) {
        if (qp_lex_move(lexer, p + i, line - i, &written) != 0)
            return i;
        qp_utf8_at(p + i, line - i, &used);
    }
    return line;
}

/* A line that is nothing but a position. */
static bool is_fen(qp_str line, qp_fen_report *report)
{
    unsigned slashes = 0;
    line = qp_str_trim(line);
    for (size_t i = 0; i < line.len && slashes < 9; i++)
        slashes += line.data[i] == '/';
    if (slashes < 9)
        return false;
    qp_board board;
    qp_fen_read(line, &board, report);
    return (report->faults & QP_FEN_UNREADABLE) == 0;
}

static unsigned txt_probe(const qp_probe *probe)
{
    const struct qp_lexer *lexer = qp_context_lexer(probe->context);
    qp_patterns *patterns = qp_patterns_new();
    qp_reading cards = {.context = probe->context, .lexer = lexer};
    const char *p = probe->text.data, *end = p + probe->text.len;
    unsigned bid = 0;
    qp_board start;
    qp_board_start(&start);
    while (patterns != NULL && p < end && bid < 30) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        qp_str line = {p, (size_t)((lf ? lf : end) - p)};
        size_t n = (size_t)(end - p), inside;
        bool moves = qp_is_movetext(lexer, p, line.len) || qp_cards_line(&cards, line);
        if (moves && !is_header(lexer, patterns, p, line.len, n))
            bid = 30;
        else if (!moves && bid == 0 &&
                 (((inside = first_move(lexer, p, line.len)) < line.len &&
                   plays(lexer, start, p + inside, n - inside) &&
                   !is_header(lexer, patterns, p, line.len, n)) ||
                  qp_downward_begins(lexer, &start, p, n)))
            bid = 20;
        p += line.len + 1;
    }
    for (size_t i = 0; i < QP_COUNT(cards.cards); i++)
        qp_lexer_free(cards.cards[i]);
    qp_patterns_free(patterns);
    return bid;
}

bool qp_txt_keys(qp_reading *reading, size_t at, qp_str line)
{
    qp_record *record = reading->record;
    size_t start = bullets(reading->lexer, line), from = start;
    qp_str value;
    for (const char *tag; (tag = qp_header_tag(reading->patterns, line, from, &value)) != NULL;) {
        size_t value_at = at + (size_t)(value.data - line.data);
        value = qp_str_trim(value);
        if (value.len != 0)
            value_at = at + (size_t)(value.data - line.data);
        qp_record_tag_add(record, (qp_record_tag){.made_name = qp_arena_str(record->arena, tag,
                                                                            strlen(tag)),
                                                  .name_at = (uint32_t)(at + from),
                                                  .value_at = (uint32_t)value_at,
                                                  .value_len = (uint32_t)value.len});
        if (strcmp(tag, "FEN") == 0 && value.len != 0)
            qp_record_start(record, value, value_at, value.len);
        size_t end = value_at + value.len - at;
        if (end <= from)
            break;
        from = end;
    }
    return from != start;
}

/* A position among words: 红先（3k5/… w） */
static void read_fen_inside(qp_reading *reading, qp_str line)
{
    unsigned slashes = 0;
    qp_match match;
    for (size_t i = 0; i < line.len && slashes < 9; i++)
        slashes += line.data[i] == '/';
    if (slashes == 9 && qp_pattern_find(reading->patterns, "fen", line, 0, &match))
        qp_record_start(reading->record, match.whole,
                        (size_t)(match.whole.data - reading->source->text), match.whole.len);
}

static void read_header(qp_reading *reading, size_t at, size_t n)
{
    qp_record *record = reading->record;
    const char *p = reading->source->text + at;
    qp_fen_report fen;
    qp_str line = qp_str_trim((qp_str){p, n});
    if (line.len == 0 || qp_txt_keys(reading, at, (qp_str){p, n}))
        return;
    if (is_fen(line, &fen)) {
        qp_record_start(record, line, at + (size_t)(line.data - p), line.len);
    } else {
        read_fen_inside(reading, line);
        qp_title_read(reading, line);
        qp_record_comment(record, at + (size_t)(line.data - p), line.len, (qp_str){0});
    }
}

/* The round number that a line of movetext begins with, 0 for none. */
static unsigned first_number(qp_str line)
{
    unsigned value = 0;
    for (size_t i = blanks(line.data, line.len, 0);
         i < line.len && value < 1000 && line.data[i] >= '0' && line.data[i] <= '9'; i++)
        value = value * 10 + (unsigned)(line.data[i] - '0');
    return value;
}

/* Words that may head a game: short, and neither a sentence nor the label of a line of analysis. */
static bool is_heading(qp_str line)
{
    enum { LONGEST = 120 };
    static const char *const others[] = {"。", "，", "变", "變", "改", "如", "甲、", "乙、", "解"};
    line = qp_str_trim(line);
    if (line.len == 0 || line.len > LONGEST || *line.data == '(' || *line.data == '{' ||
        (line.len >= 3 && memcmp(line.data, "（", 3) == 0))
        return false;
    for (size_t i = 0; i < line.len; i++)
        for (size_t k = 0; k < QP_COUNT(others); k++) {
            size_t len = strlen(others[k]);
            if (line.len - i >= len && memcmp(line.data + i, others[k], len) == 0)
                return false;
        }
    return true;
}

/* Whether the moves of a line can be the first ones from the usual start. */
static bool opens(const struct qp_lexer *lexer, qp_str line)
{
    qp_board board;
    unsigned plies = 0;
    qp_board_start(&board);
    for (size_t i = 0, used; i < line.len && plies < 2; i += used) {
        qp_written written;
        qp_move moves[8];
        unsigned pick;
        if ((used = qp_lex_move(lexer, line.data + i, line.len - i, &written)) == 0) {
            qp_utf8_at(line.data + i, line.len - i, &used);
            continue;
        }
        if (qp_resolve(&board, &written, QP_BASE_ZERO, moves, &pick) != 1)
            return false;
        qp_board_play(&board, moves[0]);
        plies++;
    }
    return plies != 0;
}

/* Whether a header begins at a line, and movetext behind it that does not go on from the
 * last round: at a position of its own, or at an earlier round. */
static bool begins_game(qp_reading *reading, size_t at, uint32_t last_number)
{
    enum { LINES_MAX = 40, WORDS_MAX = 8 };
    qp_source *source = reading->source;
    qp_str value;
    bool start = false, words = false;
    for (unsigned i = 0; i < LINES_MAX && qp_source_has(source, at, 1); i++) {
        size_t end = qp_source_line_end(source, at, reading->limit);
        qp_str line = {source->text + at, end - at};
        const char *tag =
            qp_header_tag(reading->patterns, line, bullets(reading->lexer, line), &value);
        if (tag == NULL && i == 0) {
            if (!is_heading(line))
                return false;
            words = true;
        }
        if (words && i == WORDS_MAX)
            return false;
        start = start || (tag != NULL && strcmp(tag, "FEN") == 0);
        if (tag == NULL && qp_is_movetext(reading->lexer, line.data, line.len)) {
            unsigned number = first_number(line);
            if (words && !start)
                return number == 1 && opens(reading->lexer, line);
            return start || number == 1 || (number != 0 && number <= last_number);
        }
        at = end < source->len ? end + 1 : end;
    }
    return false;
}

/* A round number and nothing but a result: a game without moves. */
static bool is_empty_game(qp_str line)
{
    unsigned value;
    bool dots;
    qp_result result;
    line = qp_str_trim(line);
    size_t used = qp_number_len(line.data, line.len, &value, &dots);
    used = blanks(line.data, line.len, used);
    return used != 0 && used < line.len && !dots &&
           qp_result_len(line.data + used, line.len - used, &result) == line.len - used;
}

/* Letters, characters of Chinese and, where it is glued to a move, digits; no signs, no
 * punctuation. A digit apart is of another column, as times are. */
static bool is_stray(uint32_t c, bool glued)
{
    if (c >= 0xFF01 && c <= 0xFF5E) /* of full width */
        c -= 0xFF01 - '!';
    return (c >= '0' && c <= '9' && glued) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           (c >= 0x3400 && c < 0xA000);
}

/* A single character behind a move became a comment. It may as well be what is left of a
 * move, or one too many. */
static void report_strays(qp_reading *reading, size_t from)
{
    qp_record *record = reading->record;
    const char *text = reading->source->text;
    for (size_t i = from + 1; i < record->event_count; i++) {
        const qp_event *e = &record->events[i], *move = e - 1;
        size_t end = move->at + move->len, used;
        if (e->kind != QP_EV_COMMENT || move->kind != QP_EV_MOVE || e->as.made.data != NULL ||
            e->len == 0 || e->len > 4 || end > e->at ||
            blanks(text, e->at, end) != e->at ||
            !is_stray(qp_utf8_at(text + e->at, e->len, &used), end == e->at) ||
            used != e->len)
            continue;
        qp_report *report = qp_record_report(
            record, QP_D_comment_bare, e->at, e->len, "stray-character",
            "'%.*s' behind the move is no part of it and is kept as a comment", (int)e->len,
            text + e->at);
        if (report != NULL)
            report->severity = QP_NOTE;
    }
}

static qp_mt_stop read_moves(qp_movetext *movetext)
{
    size_t from = movetext->reading->record->event_count;
    qp_mt_stop stop = qp_cards_read(movetext);
    qp_layout_settle(movetext->reading, from);
    qp_branches_settle(movetext->reading, from);
    qp_ending_settle(movetext->reading, from);
    if (!movetext->plain)
        report_strays(movetext->reading, from);
    return stop;
}

typedef enum opening {
    OPENING_NONE,
    OPENING_MOVES,    /* movetext */
    OPENING_DOWNWARD, /* moves whose characters stand one under another */
    OPENING_EMPTY,    /* a game without moves */
} opening;

/* What begins at offset *at of the record, perhaps further on in its line: then *at moves on. */
static opening opening_at(qp_reading *reading, size_t *at)
{
    enum { FURTHER = 1500 }; /* that is looked at behind the line */
    qp_source *source = reading->source;
    const struct qp_lexer *lexer = reading->lexer;
    const qp_board *start = &reading->record->start;
    size_t len = qp_source_line_end(source, *at, reading->limit) - *at;
    qp_source_has(source, *at, len + FURTHER);
    const char *p = source->text + *at;
    size_t n = source->len - *at;
    qp_str line = {p, len};
    if (qp_is_movetext(lexer, p, len) || qp_cards_line(reading, line))
        return is_header(lexer, reading->patterns, p, len, n) ? OPENING_NONE : OPENING_MOVES;
    if (is_empty_game(line))
        return OPENING_EMPTY;
    /* A game among words: from a move on the others follow one another. */
    size_t inside = first_move(lexer, p, len);
    if (inside < len && plays(lexer, *start, p + inside, n - inside) &&
        !is_header(lexer, reading->patterns, p, len, n)) {
        *at += inside;
        return OPENING_MOVES;
    }
    return qp_downward_begins(lexer, start, p, n) ? OPENING_DOWNWARD : OPENING_NONE;
}

static qp_status txt_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    for (;;) {
        size_t at = 0, from;
        qp_mt_stop stop = QP_MT_ENDED;
        opening opens = OPENING_NONE;
        qp_movetext movetext = {
            .reading = reading, .flags = QP_MT_WORDS, .begins = begins_game};
        while (at < reading->limit && qp_source_has(source, at, 1)) {
            size_t begin = at;
            if ((opens = opening_at(reading, &at)) != OPENING_NONE) {
                if (at != begin) /* the words before it */
                    read_header(reading, begin, at - begin);
                break;
            }
            size_t end = qp_source_line_end(source, at, reading->limit);
            read_header(reading, at, end - at);
            at = end < source->len ? end + 1 : end;
        }
        movetext.at = at;
        from = reading->record->event_count;
        if (opens == OPENING_DOWNWARD) {
            movetext.at = qp_downward_read(reading, at);
            movetext.plies = (uint32_t)(reading->record->event_count - from);
            qp_layout_settle(reading, from);
        }
        if (qp_source_has(source, movetext.at, 1))
            stop = opens == OPENING_DOWNWARD ? qp_cards_read(&movetext) : read_moves(&movetext);
        reading->used = movetext.at;
        if (stop == QP_MT_LIMIT) {
            qp_record_report(reading->record, QP_D_file_limit, movetext.at, 0, "record",
                             "the record is longer than %llu bytes: what follows is read "
                             "as another",
                             (unsigned long long)reading->limit);
            reading->record->broken = true;
        }
        if (movetext.plies != 0 || opens == OPENING_EMPTY)
            return QP_OK;
        if (movetext.at >= source->len && source->ended)
            return QP_END;
        qp_record_rewind(reading->record);
        qp_source_next(source, movetext.at);
    }
}

const qp_format qp_format_txt = {
    .name = "txt",
    .title = "plain text, movetext with or without header lines",
    .suffixes = "txt text",
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_TEXT | QP_CARRIES_MOVES,
    .notation = "chinese",
    .probe = txt_probe,
    .highest = 30,
    .read = txt_read,
    .cut = qp_cut_txt,
    .between = "\n",
    .write = qp_txt_write,
};
