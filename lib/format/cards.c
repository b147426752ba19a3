/* Movetext in notations whose spellings mean something else in others: abbreviated moves
 * (炮25, 炮二五), Vietnamese ones, SAN; and rounds in blocks side by side. What
 * is in none of these pays for a look at its events alone. */
#include "config.h"

#include "format/marks.h"

#include <stdlib.h>

enum { ABBREVIATED, VIETNAMESE, SAN, CARDS };

static const struct qp_lexer *card_lexer(qp_reading *reading, unsigned card)
{
    static const char *const names[CARDS] = {"abbreviated", "vietnamese", "san"};
    if (reading->cards[card] == NULL)
        reading->cards[card] = qp_context_card_lexer(reading->context, names[card]);
    return reading->cards[card];
}

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

/* Whether a whole word is a move of a card and nothing else stands in it. */
static bool is_card_word(const struct qp_lexer *lexer, unsigned card, const char *p, size_t n)
{
    qp_written written;
    for (size_t i = 0; i < n;) {
        size_t used = qp_lex_move(lexer, p + i, n - i, &written);
        if (used == 0)
            return false;
        if (card == ABBREVIATED && i == 0 && written.way != QP_WAY_NONE)
            return false;
        i += used;
    }
    return n > 0;
}

/* What stands before the moves of a line: its length, and the round number, 0 for none. */
static size_t lead_of(const struct qp_lexer *lexer, qp_str line, unsigned *number)
{
    enum { LONGEST = 120 };
    size_t i = 0, used;
    bool first = true, dots;
    *number = 0;
    for (; i < line.len && i < LONGEST; i += used) {
        const char *p = line.data + i;
        size_t n = line.len - i;
        unsigned value;
        qp_written written;
        if ((used = qp_blank_len(p, n)) != 0)
            continue;
        if (qp_lex_move(lexer, p, n, &written) != 0)
            break;
        if ((used = qp_markup_len(lexer, p, n, first)) == 0 &&
            (used = qp_dots_len(p, n, &value)) == 0) {
            if ((used = qp_number_len(p, n, &value, &dots)) == 0)
                break;
            *number = value;
        }
        first = false;
    }
    return i;
}

/* Whether the usual game can begin with the move that p begins with. */
static bool begins_game(const struct qp_lexer *lexer, const char *p, size_t n)
{
    qp_written written;
    qp_move moves[8];
    unsigned pick;
    qp_board board;
    qp_board_start(&board);
    return qp_lex_move(lexer, p, n, &written) != 0 && written.form != QP_FORM_NONE &&
           qp_resolve(&board, &written, QP_BASE_ZERO, moves, &pick) != 0;
}

bool qp_cards_vietnamese(const qp_context *context, qp_str line)
{
    const struct qp_lexer *usual = qp_context_lexer(context);
    unsigned number;
    size_t i = lead_of(usual, line, &number);
    if (begins_game(usual, line.data + i, line.len - i))
        return false;
    struct qp_lexer *lexer = qp_context_card_lexer(context, "vietnamese");
    bool begins = lexer != NULL && begins_game(lexer, line.data + i, line.len - i);
    qp_lexer_free(lexer);
    return begins;
}

/* What may stand between the moves of a line, or behind them. */
static size_t skip_between(const struct qp_lexer *lexer, qp_str line, size_t i)
{
    for (size_t used; i < line.len; i += used) {
        const char *p = line.data + i;
        size_t n = line.len - i;
        if ((used = qp_blank_len(p, n)) == 0 && (used = *p == ',') == 0 &&
            (used = qp_markup_len(lexer, p, n, false)) == 0 &&
            (used = qp_clock_len(p, n)) == 0)
            break;
    }
    return i;
}

/* Two moves, or one and nothing else. */
static bool is_card_line(const struct qp_lexer *lexer, unsigned card, qp_str line)
{
    unsigned moves = 0, number;
    size_t i = lead_of(lexer, line, &number);
    while (i < line.len && moves < 2) {
        qp_written written;
        size_t used = qp_lex_move(lexer, line.data + i, line.len - i, &written);
        if (used == 0 || (card == ABBREVIATED && written.way != QP_WAY_NONE))
            break;
        size_t next = i + used;
        if (next < line.len && qp_goes_on(line.data + next, line.len - next) &&
            qp_lex_move(lexer, line.data + next, line.len - next, &written) == 0)
            break; /* goes on as a word */
        moves++;
        i = skip_between(lexer, line, next);
    }
    return moves == 2 || (moves == 1 && i >= line.len);
}

/* The first round in SAN: `1. Che3 Hg8`, both of them moves from the usual start, since so
 * does western chess look. */
static bool is_san_line(const struct qp_lexer *lexer, qp_str line)
{
    qp_written written[2];
    unsigned number;
    bool named = false;
    size_t i = lead_of(lexer, line, &number);
    if (number > 1)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        i = skip_between(lexer, line, i);
        size_t used = qp_lex_move(lexer, line.data + i, line.len - i, &written[k]);
        if (used == 0)
            return false;
        named |= line.data[i] < 'a';
        i += used;
    }
    for (unsigned base = QP_BASE_ZERO; named && base <= QP_BASE_ONE; base++) {
        qp_board board;
        qp_move moves[8];
        unsigned pick, legal = 0;
        qp_board_start(&board);
        while (legal < 2 &&
               qp_resolve(&board, &written[legal], (qp_base)base, moves, &pick) == 1) {
            qp_board_play(&board, moves[0]);
            legal++;
        }
        if (legal == 2)
            return true;
    }
    return false;
}

bool qp_cards_line(qp_reading *reading, qp_str line)
{
    enum { LONGEST = 400 };
    size_t digits = 0;
    if (line.len > LONGEST) /* its beginning tells; whole characters */
        for (line.len = LONGEST; ((unsigned char)line.data[line.len] & 0xC0) == 0x80;)
            line.len--;
    for (size_t i = 0; i < line.len; i++)
        digits += line.data[i] >= '0' && line.data[i] <= '9';
    /* Chinese digits alone are prose far more often. */
    bool wide = line.len >= 6 && digits == 0;
    if (digits < 2 && !wide)
        return false;
    for (unsigned card = 0; card < CARDS; card++) {
        const struct qp_lexer *lexer = card_lexer(reading, card);
        if (lexer != NULL && (digits >= 2 || card == ABBREVIATED) &&
            (card == SAN ? is_san_line(lexer, line) : is_card_line(lexer, card, line)))
            return true;
    }
    return false;
}

/* ---- which notation a record is in ---- */

/* Passes over blanks and what parts the words of a line. */
static size_t skip_marks(const char *p, size_t n, size_t i)
{
    static const char marks[][4] = {"，", "；", "。", "、"};
    for (size_t before = n; before != i && i < n;) {
        before = i;
        i = skip_blanks(p, n, i);
        while (i < n && (p[i] == ',' || p[i] == ';' || p[i] == '|'))
            i++;
        for (size_t k = 0; k < QP_COUNT(marks) && n - i >= 3; k++)
            if (p[i] == marks[k][0] && memcmp(p + i, marks[k], 3) == 0)
                i += 3;
    }
    return i;
}

/* Words of the movetext, broken moves and what was taken for prose, that are moves of a card. */
static unsigned card_words(const qp_reading *reading, const struct qp_lexer *lexer,
                           unsigned card, size_t from)
{
    enum { LONGEST = 24 }; /* of a word; beyond that it is prose */
    const qp_record *record = reading->record;
    unsigned found = 0;
    for (size_t i = from; i < record->event_count && found < 8; i++) {
        const qp_event *e = &record->events[i];
        bool bad = e->kind == QP_EV_MOVE && e->as.written.form == QP_FORM_NONE;
        if (!bad && e->kind != QP_EV_COMMENT)
            continue;
        const char *p = reading->source->text + e->at;
        for (size_t at = 0; at < e->len;) {
            size_t begin = skip_marks(p, e->len, at), len;
            for (at = begin; at < e->len && at - begin <= LONGEST &&
                             skip_marks(p, e->len, at) == at;
                 at += len)
                qp_utf8_at(p + at, e->len - at, &len);
            /* 马8 7 is one word of two, of which the other may have been taken for a number. */
            size_t room = reading->source->len - e->at, end = skip_blanks(p, room, at);
            if (is_card_word(lexer, card, p + begin, at - begin) ||
                (card == ABBREVIATED && end < room && p[end] >= '1' && p[end] <= '9' &&
                 is_card_word(lexer, card, p + begin, end + 1 - begin)))
                found++;
            else if (at - begin > LONGEST)
                break;
        }
    }
    return found;
}

/* Whether the record has anything that the usual notations do not explain. */
static bool is_odd(const qp_reading *reading, size_t from, bool *latin)
{
    const qp_record *record = reading->record;
    bool odd = false, first = true;
    *latin = false;
    for (size_t i = from; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_COMMENT)
            odd = true;
        if (e->kind != QP_EV_MOVE)
            continue;
        if (e->as.written.form == QP_FORM_NONE)
            odd = true;
        if (first)
            *latin = (e->as.written.style & QP_STYLE_WXF) ||
                     (e->as.written.form == QP_FORM_NONE && e->len != 0 &&
                      (unsigned char)reading->source->text[e->at] < 0x80);
        first = false;
    }
    return odd || first || *latin;
}

/* What a reading of the movetext leaves behind, so that it can be made again. */
typedef struct mark {
    size_t events, reports;
    qp_movetext movetext;
} mark;

static void go_back(qp_movetext *movetext, const mark *to)
{
    qp_record *record = movetext->reading->record;
    record->event_count = to->events;
    record->report_count = to->reports;
    *movetext = to->movetext;
}

static qp_mt_stop read_as(qp_movetext *movetext, const struct qp_lexer *lexer)
{
    qp_reading *reading = movetext->reading;
    const struct qp_lexer *usual = reading->lexer;
    reading->lexer = lexer;
    qp_mt_stop stop = qp_movetext_read(movetext);
    reading->lexer = usual;
    return stop;
}

/* ---- blocks side by side ---- */

typedef struct block {
    uint32_t number;
    size_t from, to; /* events */
} block;

static int by_number(const void *a, const void *b)
{
    const block *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Rounds by their numbers, where these run 1 4 7 2 5 8 3 6 9: each once, none missing, and not
 * in the order of the text. */
static void order_rounds(qp_record *record, size_t from)
{
    enum { BACK_LEAST = 1 };
    uint32_t last = 0, count = 0, back = 0;
    for (size_t i = from; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN || e->flags & QP_EV_DOTS)
            return;
        if (e->kind != QP_EV_NUMBER || e->value == 0)
            continue;
        back += e->value <= last;
        last = e->value;
        count++;
    }
    if (back < BACK_LEAST || count < 4)
        return;
    block *blocks = malloc(count * sizeof *blocks);
    qp_event *moved = malloc((record->event_count - from + 1) * sizeof *moved);
    size_t n = 0, out = 0, end = record->event_count;
    while (end > from && record->events[end - 1].kind == QP_EV_RESULT)
        end--;
    bool fine = blocks != NULL && moved != NULL;
    size_t first = from;
    while (first < end && record->events[first].kind != QP_EV_NUMBER)
        first++;
    for (size_t i = first; fine && i < end; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_NUMBER && e->value != 0)
            blocks[n++] = (block){e->value, i, i + 1};
        else if (n != 0)
            blocks[n - 1].to = i + 1;
    }
    if (fine) {
        qsort(blocks, n, sizeof *blocks, by_number);
        for (size_t i = 1; i < n; i++)
            fine = fine && blocks[i].number == blocks[i - 1].number + 1;
    }
    for (size_t i = 0; fine && i < n; i++)
        for (size_t k = blocks[i].from; k < blocks[i].to; k++) {
            const qp_event *e = &record->events[k];
            /* A bar between the blocks. */
            if (e->kind == QP_EV_COMMENT && e->len <= 3)
                continue;
            moved[out++] = *e;
        }
    if (fine) {
        size_t tail = record->event_count - end;
        memmove(record->events + first + out, record->events + end,
                tail * sizeof *record->events);
        memcpy(record->events + first, moved, out * sizeof *moved);
        record->event_count = first + out + tail;
        record->verbatim = false;
    }
    free(blocks);
    free(moved);
}

/* Reads once more in the notations of letters, where that lets more of the record be played. */
static qp_mt_stop try_letters(qp_movetext *movetext, const mark *before, qp_mt_stop stop)
{
    qp_reading *reading = movetext->reading;
    qp_record *record = reading->record;
    unsigned most = qp_replay_plies(reading->context, record);
    const struct qp_lexer *best = NULL, *last = NULL;
    for (unsigned card = VIETNAMESE; card <= SAN && most < 16; card++) {
        const struct qp_lexer *lexer = card_lexer(reading, card);
        if (lexer == NULL || (card == VIETNAMESE && most >= movetext->plies + 1))
            continue;
        go_back(movetext, before);
        stop = read_as(movetext, lexer);
        last = lexer;
        unsigned plies = qp_replay_plies(reading->context, record);
        /* e4 e5 of western chess can be played too. */
        if (plies > most && (card != SAN || plies >= 4 || plies == movetext->plies)) {
            most = plies;
            best = lexer;
        }
    }
    if (last != best) {
        go_back(movetext, before);
        stop = best != NULL ? read_as(movetext, best) : qp_movetext_read(movetext);
    }
    if (best != NULL)
        record->lexer = best;
    return stop;
}

/* Whether anything from an event on is prose, or a move that the usual notations do not read. */
static bool has_odd(const qp_record *record, size_t from)
{
    for (size_t i = from; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_COMMENT ||
            (e->kind == QP_EV_MOVE && e->as.written.form == QP_FORM_NONE))
            return true;
    }
    return false;
}

/* Whether none of what follows would happen to the events so far; those that were passed on
 * before are known to be fine. */
static bool is_final(qp_reading *reading)
{
    const qp_record *record = reading->record;
    bool latin, in_order = record->open, odd;
    if (!record->open)
        odd = is_odd(reading, 0, &latin);
    else
        odd = has_odd(record, record->passed);
    if (odd && !record->open && latin)
        return false;
    for (size_t i = 0; !in_order && i < record->event_count; i++) /* see order_rounds */
        in_order = record->events[i].kind == QP_EV_VAR_OPEN ||
                   record->events[i].flags & QP_EV_DOTS;
    if (!in_order || !odd)
        return in_order;
    const struct qp_lexer *lexer = card_lexer(reading, ABBREVIATED);
    return lexer == NULL || card_words(reading, lexer, ABBREVIATED, record->passed) == 0;
}

void qp_cards_pass(qp_reading *reading)
{
    qp_record *record = reading->record;
    if (is_final(reading)) {
        qp_record_pass(record);
        return;
    }
    record->again = record->open;
    record->pass_at = record->open ? SIZE_MAX : 2 * record->event_count;
}

qp_mt_stop qp_cards_read(qp_movetext *movetext)
{
    qp_reading *reading = movetext->reading;
    qp_record *record = reading->record;
    const mark before = {record->event_count, record->report_count, *movetext};
    if (movetext->flags & QP_MT_PASSES)
        qp_record_settle(record);
    qp_mt_stop stop = qp_movetext_read(movetext);
    bool latin;
    record->pass_at = SIZE_MAX;
    if (QP_RARE(record->open)) {
        record->again |= !is_final(reading);
        return stop;
    }
    if (QP_LIKELY_TO(movetext->plain))
        return stop;
    if (QP_LIKELY_TO(!is_odd(reading, before.events, &latin))) {
        order_rounds(record, before.events);
        return stop;
    }
    const struct qp_lexer *lexer = card_lexer(reading, ABBREVIATED);
    if (!latin && lexer != NULL && card_words(reading, lexer, ABBREVIATED, before.events) != 0) {
        go_back(movetext, &before);
        stop = read_as(movetext, lexer);
        record->lexer = lexer;
    }
    if (latin || movetext->plies == 0)
        stop = try_letters(movetext, &before, stop);
    order_rounds(record, before.events);
    return stop;
}
