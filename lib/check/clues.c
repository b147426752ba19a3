/* From the events of a record to clues: what the text says of each ply of the main line.
 * Words that the movetext reader took for prose are looked at again here, since a token with
 * two misread characters looks like any other word. */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

typedef struct collector {
    qp_clues *clues;
    const qp_record *record;
    const struct qp_lexer *lexer;
    uint16_t number;
    uint32_t event;
} collector;

static qp_clue *add(collector *c, qp_clue_kind kind, size_t at, size_t len)
{
    qp_clues *clues = c->clues;
    if (clues->count == clues->room) {
        size_t room = clues->room ? clues->room * 2 : 256;
        qp_clue *grown = realloc(clues->clue, room * sizeof *grown);
        if (grown == NULL) {
            clues->failed = true;
            return NULL;
        }
        clues->clue = grown;
        clues->room = room;
    }
    qp_clue *clue = &clues->clue[clues->count++];
    *clue = (qp_clue){.kind = (uint8_t)kind,
                      .side = QP_NO_SIDE,
                      .number = c->number,
                      .at = (uint32_t)at,
                      .len = (uint32_t)len,
                      .event = c->event};
    clue->glued = at > 0 && c->record->text[at - 1] != '\n' &&
                  c->record->text[at - 1] != ' ' && c->record->text[at - 1] != '\t';
    return clue;
}

/* ---- single characters ---- */

static bool is_one_of(const char *p, size_t len, const char *const *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(set[i]) == len && memcmp(p, set[i], len) == 0)
            return true;
    return false;
}

/* Characters that people put where they could not read or had nothing to write. */
static bool is_filler(const char *p, size_t len)
{
    static const char *const fillers[] = {
        "-", "_", "?", "*", "x", "X", "~", "—", "–", "－", "＿", "？", "□", "■", "○", "〇",
        "×", "＊", "…", "�", "空", "漏", "缺", "●", "◇", "▢", "囗", "口", "／", "/", "无"};
    return is_one_of(p, len, fillers, QP_COUNT(fillers));
}

static size_t glyphs_in(const char *p, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)p[i] & 0xC0) != 0x80;
    return count;
}

static bool all_filler(const char *p, size_t n)
{
    size_t len, count = 0;
    for (size_t i = 0; i < n; i += len, count++) {
        qp_utf8_at(p + i, n - i, &len);
        if (!is_filler(p + i, len))
            return false;
    }
    return count >= 2;
}

/* ---- tokens ---- */

static uint8_t dress_of(unsigned style)
{
    bool chinese = style & QP_STYLE_DIGIT_CHINESE, arabic = style & QP_STYLE_DIGIT_ARABIC;
    if (chinese != arabic)
        return chinese ? QP_RED : QP_BLACK;
    return QP_NO_SIDE;
}

/* 车—平二: a dash that would be WXF's mark of a rear piece, among Chinese characters, is most
 * likely a 一. */
static bool is_dashed(const char *p, size_t len, const qp_written *written)
{
    static const char *const dashes[] = {"-", "—", "－", "–", "―", "‐", "─"};
    size_t first, second;
    if (written->form != QP_FORM_WHICH_PIECE || !(written->style & QP_STYLE_WXF) || len < 8 ||
        (unsigned char)p[0] < 0x80)
        return false;
    qp_utf8_at(p, len, &first);
    qp_utf8_at(p + first, len - first, &second);
    return is_one_of(p + first, second, dashes, QP_COUNT(dashes));
}

static void add_move(collector *c, size_t at, size_t len, const qp_written *written,
                     bool weak)
{
    qp_clue *clue = add(c, QP_CLUE_MOVE, at, len);
    if (clue == NULL)
        return;
    clue->weak = weak;
    if (written != NULL && !is_dashed(c->record->text + at, len, written))
        clue->written = *written;
    if (clue->written.form != QP_FORM_NONE) {
        clue->side = dress_of(clue->written.style);
        return;
    }
    unsigned style = 0;
    size_t used;
    for (size_t i = 0; i < len; i += used)
        style |= qp_lex_sign(c->lexer, c->record->text + at + i, len - i, &used).style;
    clue->side = dress_of(style);
}

/* A token that no notation reads. Moves that stand glued to it are found in it. */
static void add_bad(collector *c, size_t at, size_t len, bool weak)
{
    const char *p = c->record->text + at;
    if (all_filler(p, len)) {
        qp_clue *clue = add(c, QP_CLUE_BLANK, at, len);
        if (clue != NULL)
            clue->weak = weak && len < 2;
        return;
    }
    size_t begin = 0, count = 0, glyph;
    if (glyphs_in(p, len) <= 5) {
        add_move(c, at, len, NULL, weak);
        return;
    }
    for (size_t i = 0; i < len; count++) {
        qp_written written;
        size_t used = qp_lex_move(c->lexer, p + i, len - i, &written);
        if (used != 0 && (count == 0 || count >= 3)) {
            if (i > begin)
                add_move(c, at + begin, i - begin, NULL, weak);
            add_move(c, at + i, used, &written, false);
            i += used;
            begin = i;
            count = SIZE_MAX;
            continue;
        }
        qp_utf8_at(p + i, len - i, &glyph);
        i += glyph;
        if (count == 3 && glyphs_in(p + begin, len - begin) == 8) { /* two, both misread */
            add_move(c, at + begin, i - begin, NULL, weak);
            begin = i;
            count = SIZE_MAX;
        }
    }
    if (len > begin)
        add_move(c, at + begin, len - begin, NULL, weak);
}

/* ---- words and marks ---- */

static size_t blank_at(const char *p, size_t n)
{
    return qp_blank_len(p, n);
}

/* A comment that stands in brackets is one; the rest are words between the moves. */
static bool bracketed(const qp_record *record, const qp_event *e)
{
    const char *text = record->text;
    if (e->as.made.data != NULL || e->at == 0)
        return e->as.made.data != NULL;
    char c = text[e->at - 1];
    if (c == '{' || c == '(' || c == ';' || c == '[')
        return true;
    return e->at >= 3 && (memcmp(text + e->at - 3, "（", 3) == 0 ||
                          memcmp(text + e->at - 3, "【", 3) == 0);
}

static void take_words(collector *c, const qp_event *e)
{
    enum { PROSE = 60 };
    const char *p = c->record->text + e->at;
    size_t n = e->len;
    if (bracketed(c->record, e) || n > PROSE)
        return;
    for (size_t i = 0, blank; i < n;) {
        while (i < n && (blank = blank_at(p + i, n - i)) != 0)
            i += blank;
        size_t from = i, glyph;
        while (i < n && blank_at(p + i, n - i) == 0) {
            qp_utf8_at(p + i, n - i, &glyph);
            i += glyph;
        }
        size_t count = glyphs_in(p + from, i - from);
        if (i > from && (all_filler(p + from, i - from) || (count >= 3 && count <= 5)))
            add_bad(c, e->at + from, i - from, true);
    }
}

static bool asks(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        size_t len = p[i] == '?' ? 1 : n - i >= 3 && memcmp(p + i, "？", 3) == 0 ? 3 : 0;
        if (len == 0)
            return false;
        i += len;
    }
    return n > 0;
}

/* ？？ behind a blank can stand for a ply; at the beginning of a word for a character. */
static void take_mark(collector *c, const qp_event *e, const qp_event *next)
{
    const char *text = c->record->text;
    if (!asks(text + e->at, e->len))
        return;
    if (next != NULL && next->kind == QP_EV_COMMENT && next->at == e->at + e->len)
        return; /* taken with the word */
    if (e->at > 0 && (unsigned char)text[e->at - 1] > ' ' && text[e->at - 1] != '.' &&
        !(e->at >= 3 && blank_at(text + e->at - 3, 3) == 3))
        return;
    qp_clue *clue = add(c, QP_CLUE_BLANK, e->at, e->len);
    if (clue != NULL)
        clue->weak = e->len == 1 || (e->len == 3 && text[e->at] != '?');
}

/* Where the dots begin that say that Black moves. */
static size_t dots_from(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] != '.' && (unsigned char)p[i] < 0xE2)
        i++;
    if (i < n && (p[i] == '.' || (n - i >= 3 && memcmp(p + i, "、", 3) == 0)))
        i += p[i] == '.' ? 1 : 3;
    return i < n ? i : 0;
}

/* Whether a round has its number and nothing else. */
static bool is_empty_round(const qp_event *e, const qp_event *next)
{
    return e->value != 0 && !(e->flags & QP_EV_DOTS) && next != NULL &&
           next->kind == QP_EV_NUMBER && next->value == e->value + 1;
}

static void take_number(collector *c, const qp_event *e, const qp_event *next)
{
    size_t dots = 0;
    if (e->value != 0) {
        c->number = e->value;
        if (e->flags & QP_EV_DOTS)
            dots = dots_from(c->record->text + e->at, e->len);
        qp_clue *clue = add(c, QP_CLUE_NUMBER, e->at, e->len);
        if (clue != NULL)
            clue->glued = (e->flags & QP_EV_DOTS) != 0;
    }
    if (e->flags & QP_EV_DOTS)
        add(c, QP_CLUE_DOTS, e->at + dots, e->len - dots);
    for (unsigned side = 0; is_empty_round(e, next) && side < 2; side++)
        add(c, QP_CLUE_BLANK, e->at + e->len, 0);
}

/* Whether the two sides write different digits, turn by turn. */
static bool find_dress(const qp_clues *clues)
{
    size_t seen[3] = {0}, pairs = 0, turns = 0;
    unsigned last = QP_NO_SIDE;
    for (size_t i = 0; i < clues->count; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind != QP_CLUE_MOVE || clue->weak)
            continue;
        seen[clue->side]++;
        if (clue->side != QP_NO_SIDE && last != QP_NO_SIDE) {
            pairs++;
            turns += clue->side != last;
        }
        last = clue->side;
    }
    size_t all = seen[0] + seen[1] + seen[2];
    return all >= 2 && seen[QP_RED] * 4 >= all && seen[QP_BLACK] * 4 >= all &&
           turns * 10 >= pairs * 7;
}

void qp_clues_collect(qp_clues *clues, const qp_record *record, const struct qp_lexer *lexer)
{
    collector c = {.clues = clues, .record = record, .lexer = lexer};
    size_t depth = 0;
    for (size_t i = 0; i < record->event_count && !clues->failed; i++) {
        const qp_event *e = &record->events[i];
        const qp_event *next = i + 1 < record->event_count ? e + 1 : NULL;
        if (e->kind == QP_EV_VAR_OPEN)
            depth++;
        if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        if (depth != 0)
            continue;
        c.event = (uint32_t)i;
        switch ((qp_event_kind)e->kind) {
        case QP_EV_MOVE:
            if (e->as.written.form != QP_FORM_NONE)
                add_move(&c, e->at, e->len, &e->as.written, false);
            else
                add_bad(&c, e->at, e->len, false);
            break;
        case QP_EV_NUMBER:
            take_number(&c, e, next);
            break;
        case QP_EV_COMMENT:
            if (i > 0 && e[-1].kind == QP_EV_NAG && e[-1].at + e[-1].len == e->at &&
                asks(record->text + e[-1].at, e[-1].len) && e->len < 24)
                add_bad(&c, e[-1].at, e[-1].len + e->len, true);
            else
                take_words(&c, e);
            break;
        case QP_EV_NAG:
            take_mark(&c, e, next);
            break;
        default:
            break;
        }
    }
    for (size_t i = 0; i < clues->count; i++)
        clues->moves += clues->clue[i].kind == QP_CLUE_MOVE && !clues->clue[i].weak;
    clues->dressed = find_dress(clues);
}

void qp_clues_clear(qp_clues *clues)
{
    free(clues->clue);
    free(clues->glyphs);
    *clues = (qp_clues){0};
}
