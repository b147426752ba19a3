/* Movetext: what stands between the tags of one game and those of the next. Sources: the PGN
 * norm for Xiangqi of xqbase, and what eleeye, XQWizard, vschess, pychess and people write.
 *
 * Numbers are decoration, never a side; a move is what the lexer reads; all else is a
 * comment or a broken move, and nothing is passed over in silence.
 */
#include "config.h"

#include "format/movetext.h"

QP_APART size_t qp_mt_far_line_end(qp_source *source, uint64_t limit)
{
    size_t i = source->len;
    while (i <= limit && qp_mt_more(source)) {
        const char *lf = memchr(source->text + i, '\n', source->len - i);
        if (lf != NULL)
            return (size_t)(lf - source->text);
        i = source->len;
    }
    return source->len;
}

/* Whether a game was read so far: moves, or among prose a result alone. */
static bool is_game(const qp_mt_scan *s)
{
    return s->m->plies != 0 || (s->m->result && s->m->flags & QP_MT_WORDS);
}

/* Whether the tags of another game begin at a line, behind an empty one or a result if they have
 * no quotes. */
static bool tags_begin(qp_mt_scan *s, size_t n)
{
    const char *p = s->text + s->at;
    if (qp_is_tag_line(p, n))
        return true;
    if (!(s->blank_before || s->after_result) || !qp_is_bare_tag(p, n))
        return false;
    size_t next = s->line_end + 1, end = 0;
    if (qp_source_has(s->source, next, 1))
        end = qp_mt_line_end(s->source, next, s->m->reading->limit);
    s->text = s->source->text;
    return end > next && qp_is_bare_tag(s->text + next, end - next);
}

/* Passes to the next line; false where the movetext ends there. */
static bool next_line(qp_mt_scan *s, qp_mt_stop *stop)
{
    qp_reading *reading = s->m->reading;
    if (s->at >= s->source->len && !qp_mt_more(s->source)) {
        *stop = QP_MT_ENDED;
        return false;
    }
    if (s->begun && s->source->text[s->at] == '\n') {
        s->blank_before = s->line_start;
        s->at++;
    }
    s->begun = true;
    if (s->at >= s->source->len && s->m->flags & QP_MT_TAGS && reading->skim != NULL &&
        qp_skim_begins(reading)) {
        *stop = QP_MT_TAG;
        return false;
    }
    s->line_end = qp_mt_line_end(s->source, s->at, reading->limit);
    s->text = s->source->text;
    s->line_start = true;
    if (s->at >= reading->limit) {
        *stop = QP_MT_LIMIT;
        return false;
    }
    if (s->at >= s->source->len && s->source->ended) {
        *stop = QP_MT_ENDED;
        return false;
    }
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at;
    if (n > 0 && *p == '%') { /* an escaped line */
        s->at = s->line_end;
        return true;
    }
    if (n > 3 && (*p == '[' || *p == ' ' || *p == '\t') && (s->m->flags & QP_MT_TAGS) &&
        tags_begin(s, n)) {
        *stop = QP_MT_TAG;
        return false;
    }
    if (s->m->begins != NULL && n > 0 && (s->blank_before || s->after_result) &&
        s->depth == 0 && is_game(s)) {
        bool begins = s->m->begins(reading, s->at, s->last_number);
        s->text = s->source->text; /* it may have looked ahead */
        if (begins) {
            *stop = QP_MT_RESTART;
            return false;
        }
    }
    return true;
}

/* A line behind the end of the game. Advertisements and dividers need no word. */
static void pass_over(qp_mt_scan *s)
{
    size_t n = s->line_end - s->at;
    if (!s->trailing && !qp_mt_trailer(s)) {
        qp_record_report(s->record, QP_D_trailing_text, s->at, n, "trailing-text",
                         "text behind the end of the game is passed over");
        s->trailing = true;
    }
    s->at = s->line_end;
}

/* The text behind the end of a game: another game's first round, or to be passed over. */
static bool restarts(qp_mt_scan *s, unsigned value, size_t number, bool dots)
{
    bool ended = s->after_result ||
                 (s->blank_before && s->m->plies >= 2 && s->last_number >= 2);
    if (s->depth != 0 || !s->line_start || value != 1 || dots || !is_game(s) || !ended)
        return false;
    qp_written written;
    size_t i = s->at + number, blank;
    while (i < s->line_end && (blank = qp_blank_len(s->text + i, s->line_end - i)) != 0)
        i += blank;
    qp_result result;
    if (s->m->flags & QP_MT_WORDS && i < s->line_end && /* a game without moves */
        qp_result_len(s->text + i, s->line_end - i, &result) == s->line_end - i)
        return true;
    return qp_lex_move(s->m->reading->lexer, s->text + i, s->line_end - i, &written) != 0;
}

/* Whether the round that a number begins is the next one, or the same one's other half: the
 * game goes on behind what looked like its result. */
static bool goes_on(const qp_mt_scan *s, unsigned value, size_t at)
{
    unsigned count;
    size_t used;
    if (!(s->m->flags & QP_MT_WORDS) || value < s->last_number || value > s->last_number + 1 ||
        s->last_number < 2)
        return false;
    while (at < s->line_end && ((used = qp_blank_len(s->text + at, s->line_end - at)) != 0 ||
                                (used = qp_dots_len(s->text + at, s->line_end - at, &count)) != 0))
        at += used;
    return qp_lex_move(s->m->reading->lexer, s->text + at, s->line_end - at,
                       &(qp_written){0}) != 0;
}

/* The usual spelling of a round number, `12. `, at the digit that p begins with; 5 bytes
 * are there. Returns its length with the blank, or 0 for all else. With 1 another game may
 * begin. */
static inline size_t plain_number(const char *p, unsigned *value)
{
    size_t i = 1;
    *value = (unsigned char)p[0] - (unsigned)'0';
    for (unsigned digit; i < 3 && (digit = (unsigned char)p[i] - (unsigned)'0') <= 9; i++)
        *value = *value * 10 + digit;
    return *value != 0 && p[i] == '.' && p[i + 1] == ' ' ? i + 2 : 0;
}

/* Whether a bare number that ends at `at` can be that of a round: two moves stand before it in
 * the round, or behind it. Else it is a time or the like. */
static bool round_follows(const qp_mt_scan *s, size_t at, unsigned value)
{
    unsigned moves = 0;
    if (value == s->last_number + 1 && s->m->plies == s->number_plies + 2)
        return true;
    while (at < s->line_end && moves < 2) {
        qp_written written;
        size_t used = qp_blank_len(s->text + at, s->line_end - at);
        if (used == 0) {
            used = qp_lex_move(s->m->reading->lexer, s->text + at, s->line_end - at, &written);
            if (used == 0)
                break;
            moves++;
        }
        at += used;
    }
    return moves == 2;
}

static bool read_number(qp_mt_scan *s, qp_mt_stop *stop)
{
    const char *p = s->text + s->at;
    size_t n = s->line_end - s->at, used;
    unsigned value;
    bool dots;
    qp_result result;
    qp_written written;
    if ((used = qp_result_len(p, n, &result)) != 0) {
        qp_mt_result(s, s->at, used, result);
        s->at += used;
        return true;
    }
    if (qp_mt_wxf_pawn(s, p, n, &written)) {
        used = qp_lex_move(s->m->reading->lexer, p, n, &written);
        qp_record_move(s->record, s->at, used, &written);
        s->m->good++;
        s->m->plies += s->depth == 0;
        s->at += used;
        return true;
    }
    used = qp_number_len(p, n, &value, &dots);
    if (used == 0) {
        used = qp_lex_move(s->m->reading->lexer, p, n, &written);
        if (used == 0) {
            qp_mt_word(s);
            return true;
        }
        qp_record_move(s->record, s->at, used, &written);
        s->m->good++;
        s->m->plies += s->depth == 0;
        s->at += used;
        return true;
    }
    if (restarts(s, value, used, dots)) {
        *stop = QP_MT_RESTART;
        return false;
    }
    if (s->m->flags & QP_MT_WORDS && !s->line_start && qp_digits_only(p, used) &&
        !round_follows(s, s->at + used, value)) {
        qp_record_comment(s->record, s->at, used, (qp_str){0}); /* another column's */
        s->at += used;
        return true;
    }
    qp_mt_number(s, s->at, used, value, dots);
    s->at += used;
    return true;
}

static inline bool may_begin_move(unsigned char c)
{
    return c >= 0x80 || (c >= 'A' && c <= 'z');
}

/* Moves and plain numbers with blanks between them, as many as stand in the line. Returns
 * where they end. */
static size_t read_moves(qp_mt_scan *s)
{
    const struct qp_lexer *lexer = s->m->reading->lexer;
    const char *text = s->text;
    size_t at = s->at, end = s->line_end, used;
    uint32_t moves = 0;
    for (; at < end; at += used) {
        unsigned char c = (unsigned char)text[at];
        if (may_begin_move(c)) {
            qp_written written;
            used = qp_lex_move(lexer, text + at, end - at, &written);
            if (used == 0)
                break;
            qp_record_move(s->record, at, used, &written);
            moves++;
        } else if (c == ' ' || c == '\t') {
            used = 1;
            continue;
        } else {
            unsigned value;
            if (c < '0' || c > '9' || end - at < 5 ||
                (used = plain_number(text + at, &value)) == 0 || value == 1)
                break;
            qp_mt_number(s, at, used - 1, value, false);
        }
        s->line_start = false;
    }
    s->m->good += moves;
    if (s->depth == 0)
        s->m->plies += moves;
    return at;
}

/* Rounds as nearly all files write them, a number and moves with blanks between, line after
 * line: what read_moves and next_line make of them, in fewer steps. Stops where anything else
 * begins, which may be in a line. */
static void read_rounds(qp_mt_scan *s)
{
    enum { AHEAD = 16 };
    const qp_reading *reading = s->m->reading;
    qp_record *record = s->record;
    const char *text = s->text;
    size_t at = s->at, end = s->source->len;
    const size_t had = record->event_count;
    uint32_t numbers = 0;
    if (reading->memo == NULL || reading->lexer != qp_context_lexer(reading->context) ||
        (record->event_room == 0 && !qp_record_grow_events(record)))
        return;
    end = end < reading->limit ? end : (size_t)reading->limit;
    end = end < AHEAD ? 0 : end - AHEAD; /* before it, a move and what follows can be seen */
    qp_event *event = record->events + had, *last = record->events + record->event_room;
    while (at < end) {
        unsigned char c = (unsigned char)text[at];
        if (QP_RARE(event == last)) {
            record->event_count = record->event_room;
            if (!qp_record_grow_events(record))
                break;
            event = record->events + record->event_count;
            last = record->events + record->event_room;
        }
        if (may_begin_move(c)) {
            size_t used;
            const qp_known_move *known =
                qp_lex_known(reading->memo, reading->lexer, text + at, &used);
            if (QP_RARE(known == NULL))
                break;
            event->kind = QP_EV_MOVE;
            event->flags = 0;
            event->value = known->stride;
            event->at = (uint32_t)at;
            event->len = (uint32_t)used;
            event->as.written = known->written;
            event++;
            at += used;
            at += text[at] == ' ';
            s->line_start = false;
        } else if (c == '\n') {
            unsigned char next = (unsigned char)text[at + 1];
            bool indented = next == ' ' && !(s->m->flags & QP_MT_TAGS); /* tags may stand so */
            if (s->line_start || s->after_result || !((unsigned)(next - '1') < 9 || indented))
                break; /* a paragraph ends, or something else begins */
            at++;
            s->line_start = true;
            s->blank_before = false;
        } else if (c == ' ') {
            at++;
        } else {
            unsigned value;
            size_t used;
            bool moves = s->m->plies != 0 || event != record->events + had + numbers;
            if (c < '0' || c > '9' || (used = plain_number(text + at, &value)) == 0 ||
                (value == 1 && moves))
                break;
            event->kind = QP_EV_NUMBER;
            event->flags = 0;
            event->value = (uint16_t)value;
            event->at = (uint32_t)at;
            event->len = (uint32_t)used - 1;
            event++;
            numbers++;
            s->odd |= value <= s->last_number;
            if (s->depth == 0)
                s->last_number = value;
            at += used;
            s->line_start = false;
        }
    }
    record->event_count = (size_t)(event - record->events);
    uint32_t moves = (uint32_t)(record->event_count - had) - numbers;
    s->usual += record->event_count - had;
    s->m->good += moves;
    if (s->depth == 0)
        s->m->plies += moves;
    s->at = at;
    if (at > s->line_end)
        s->line_end = qp_mt_line_end(s->source, at, reading->limit);
    s->text = s->source->text;
    size_t number = record->event_count;
    while (number > had && record->events[number - 1].kind != QP_EV_NUMBER)
        number--;
    if (number > had && s->depth == 0)
        s->number_plies = s->m->plies - (uint32_t)(record->event_count - number);
}

/* Dots behind the last move of all stand for no ply: "and so on". */
static void close_dots(qp_record *record, size_t from)
{
    size_t i = record->event_count;
    while (i > from && (record->events[i - 1].kind == QP_EV_RESULT ||
                        record->events[i - 1].kind == QP_EV_COMMENT))
        i--;
    if (i > from && record->events[i - 1].kind == QP_EV_NUMBER && record->events[i - 1].value == 0)
        record->events[i - 1].flags &= (uint8_t)~QP_EV_DOTS;
}

qp_mt_stop qp_movetext_read(qp_movetext *movetext)
{
    qp_reading *reading = movetext->reading;
    const struct qp_lexer *lexer = reading->lexer;
    qp_mt_scan s = {.m = movetext,
              .source = reading->source,
              .record = reading->record,
              .text = reading->source->text,
              .at = movetext->at,
              .line_end = movetext->at,
              .line_start = true};
    qp_mt_stop stop = QP_MT_ENDED;
    const size_t events = reading->record->event_count;
    reading->record->verbatim = true;
    while (next_line(&s, &stop)) {
        while (s.at < s.line_end) {
            unsigned char c = (unsigned char)s.text[s.at];
            qp_written written;
            size_t used;
            if (s.after_result && s.line_start && c != '{' && c != ';') {
                if (c == ' ' || c == '\t') {
                    s.at++;
                    continue;
                }
                /* Behind the result only another game counts. */
                unsigned value;
                bool dots;
                used = qp_number_len(s.text + s.at, s.line_end - s.at, &value, &dots);
                if (used != 0 && restarts(&s, value, used, dots)) {
                    stop = QP_MT_RESTART;
                    goto done;
                }
                if (used == 0 || !goes_on(&s, value, s.at + used)) {
                    pass_over(&s);
                    continue;
                }
                s.after_result = false; /* words in the midst of the game */
            }
            if (qp_record_is_long(s.record))
                qp_cards_pass(reading);
            read_rounds(&s);
            s.at = read_moves(&s);
            if (s.at == s.line_end)
                break;
            c = (unsigned char)s.text[s.at];
            if (c >= 0x80 && (used = qp_blank_len(s.text + s.at, s.line_end - s.at)) != 0) {
                s.at += used;
                continue;
            }
            if (movetext->flags & QP_MT_WORDS && qp_mt_frills(&s))
                continue;
            if (c >= '0' && c <= '9') {
                if (!read_number(&s, &stop))
                    goto done;
            } else if (c == '{') {
                qp_mt_braces(&s);
            } else if (c == '(') {
                qp_mt_paren(&s);
            } else if (c == ')') {
                qp_mt_close(&s);
            } else if (c == ';') {
                size_t len = s.line_end - s.at - 1;
                qp_record_comment(s.record, s.at + 1, len, (qp_str){0});
                s.at = s.line_end;
            } else if (c == '$') {
                qp_mt_nag(&s);
            } else if (c == '*' && (s.line_end - s.at == 1 || s.text[s.at + 1] != '*')) {
                qp_mt_result(&s, s.at, 1, QP_RESULT_UNKNOWN);
                s.at++;
            } else if ((c == '+' || c == '-' || c == '=') &&
                       (used = qp_lex_move(lexer, s.text + s.at, s.line_end - s.at,
                                           &written)) != 0) {
                qp_record_move(s.record, s.at, used, &written);
                movetext->good++;
                movetext->plies += s.depth == 0;
                s.at += used;
            } else if (c == '[' && (movetext->flags & QP_MT_TAGS) &&
                       qp_is_tag_line(s.text + s.at, s.line_end - s.at)) {
                stop = QP_MT_TAG; /* the next game's tags, in the same line */
                goto done;
            } else if (c == ',' || c == '|' || (c < ' ' && c != '\n')) {
                s.at++;
            } else {
                qp_mt_other(&s);
            }
            s.line_start = false;
        }
    }
done:
    while (s.depth > 0) {
        s.depth--;
        if (s.depth < QP_COUNT(s.opened))
            qp_record_report(s.record, QP_D_variation_unbalanced, s.opened[s.depth], 1,
                             "variation-unmatched", "this variation is never closed");
        qp_record_add(s.record, QP_EV_VAR_CLOSE, s.at, 0);
    }
    if (movetext->plies != 0)
        close_dots(s.record, events);
    movetext->at = s.at;
    movetext->plain = !s.odd && movetext->plies != 0 &&
                      s.usual == reading->record->event_count - events;
    return stop;
}

unsigned qp_judge_text(void *user, qp_str text)
{
    const qp_context *context = user;
    qp_arena arena;
    qp_record record;
    qp_source source = {.text = text.data, .len = text.len, .ended = true};
    qp_arena_init(&arena);
    qp_record_init(&record, &arena);
    qp_reading reading = {.context = context,
                          .lexer = qp_context_lexer(context),
                          .source = &source,
                          .record = &record,
                          .limit = text.len};
    /* From the first line that is no tag. */
    size_t at = 0;
    for (;;) {
        const char *lf = memchr(text.data + at, '\n', text.len - at);
        if (lf == NULL || !qp_is_tag_line(text.data + at, text.len - at))
            break;
        at = (size_t)(lf - text.data) + 1;
    }
    qp_movetext movetext = {.reading = &reading, .flags = QP_MT_TAGS, .at = at};
    qp_movetext_read(&movetext);
    record.text = text.data;
    record.text_len = text.len;
    unsigned plies = qp_replay_plies(context, &record);
    qp_record_clear(&record);
    qp_arena_clear(&arena);
    return plies;
}
