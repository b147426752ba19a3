/* Changes of the text that mend a card in its own layout: a character, a move between two
 * others, a round with its number, or the same taken out and the numbers behind it set back. */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

void qp_change_add(qp_linting *lint, size_t at, size_t len, qp_str text,
                   qp_certainty certainty)
{
    if (lint->change_count == lint->change_room) {
        size_t room = lint->change_room ? lint->change_room * 2 : 16;
        qp_change *grown = realloc(lint->changes, room * sizeof *grown);
        if (grown == NULL) {
            lint->record->failed = true;
            return;
        }
        lint->changes = grown;
        lint->change_room = room;
    }
    lint->changes[lint->change_count++] =
        (qp_change){.at = (uint32_t)at,
                    .len = (uint32_t)len,
                    .text = qp_arena_str(lint->record->arena, text.data, text.len),
                    .certainty = certainty};
}

/* ---- spelling in the card's dress ---- */

static const qp_notation *notation_of(const qp_linting *lint, const qp_clue *token)
{
    const qp_clue *near = token;
    if (near == NULL || near->written.form == QP_FORM_NONE)
        for (size_t i = 0; i < lint->clues.count; i++) {
            const qp_clue *clue = &lint->clues.clue[i];
            if (clue->kind != QP_CLUE_MOVE || clue->written.form == QP_FORM_NONE)
                continue;
            near = clue;
            if (token == NULL || clue->at >= token->at)
                break;
        }
    const qp_notation *notation =
        near != NULL && near->written.form != QP_FORM_NONE
            ? qp_notation_at(lint->context, near->written.dialect)
            : NULL;
    if (notation == NULL || strcmp(qp_notation_name(notation), "abbreviated") == 0)
        notation = qp_notation_find(lint->context, "chinese");
    return notation;
}

/* 一 to 九 as 1 to 9 where the card has no others. */
static size_t with_arabic(const char *text, size_t len, char out[QP_MOVE_TEXT_MAX])
{
    static const char *const digits[] = {"一", "二", "三", "四", "五",
                                         "六", "七", "八", "九"};
    size_t n = 0;
    for (size_t i = 0; i < len;) {
        size_t d = 0;
        while (d < QP_COUNT(digits) && !(len - i >= 3 && memcmp(text + i, digits[d], 3) == 0))
            d++;
        if (d < QP_COUNT(digits)) {
            out[n++] = (char)('1' + d);
            i += 3;
        } else {
            out[n++] = text[i++];
        }
    }
    return n;
}

/* Where the token has four characters as the usual spelling has, what is right in it stays
 * as it was written. */
static qp_str keep_right(qp_linting *lint, const qp_clue *token, const char *text, size_t len)
{
    const struct qp_lexer *lexer = lint->lexer;
    const char *base = lint->record->text;
    const qp_glyph *g = lint->clues.glyphs + token->glyph;
    qp_str whole = qp_arena_str(lint->record->arena, text, len);
    size_t at[5], count = 0, used;
    for (size_t i = 0; i < len && count < 5; i += used) {
        at[count++] = i;
        qp_utf8_at(text + i, len - i, &used);
    }
    if (count != 4 || token->glyph_count != 4)
        return whole;
    qp_buf out = {0};
    const char *from = base + token->at;
    for (size_t i = 0; i < 4; i++) {
        size_t end = i < 3 ? at[i + 1] : len, a, b;
        qp_sign right = qp_lex_sign(lexer, text + at[i], end - at[i], &a);
        qp_sign is = qp_lex_sign(lexer, base + g[i].at, g[i].len, &b);
        bool same = (right.kinds != 0 && is.kinds == right.kinds) ||
                    (right.digit != 0 && is.digit == right.digit) ||
                    (right.way != 0 && is.way == right.way) ||
                    (right.digit == 0 && right.before != 0 && is.before == right.before);
        qp_buf_add(&out, from, (size_t)(base + g[i].at - from)); /* blanks inside it */
        if (same)
            qp_buf_add(&out, base + g[i].at, g[i].len);
        else
            qp_buf_add(&out, text + at[i], end - at[i]);
        from = base + g[i].at + g[i].len;
    }
    if (!out.failed)
        whole = qp_arena_str(lint->record->arena, out.data, out.len);
    qp_buf_clear(&out);
    return whole;
}

qp_str qp_change_spell(qp_linting *lint, const qp_board *board, qp_move move,
                       const qp_clue *token)
{
    char text[QP_MOVE_TEXT_MAX], arabic[QP_MOVE_TEXT_MAX];
    size_t len = qp_move_spell(notation_of(lint, token), board, move, text);
    if (len == 0) {
        qp_move_text(move, text);
        len = 4;
    }
    if (board->side == QP_RED && lint->red_arabic) {
        len = with_arabic(text, len, arabic);
        memcpy(text, arabic, len);
    }
    return token != NULL && token->glyph_count != 0
               ? keep_right(lint, token, text, len)
               : qp_arena_str(lint->record->arena, text, len);
}

/* ---- layout ---- */

static bool only_blanks(const char *p, size_t n)
{
    for (size_t i = 0, len; i < n; i += len)
        if (p[i] == '\n' || (len = qp_blank_len(p + i, n - i)) == 0)
            return false;
    return true;
}

/* What stands between a move and the next in one line of the card: "  ", "" where they are
 * glued, " " where nothing tells. from_red: between Red's and Black's. */
static qp_str separator(const qp_linting *lint, bool from_red)
{
    const qp_clues *clues = &lint->clues;
    bool red = true;
    for (size_t i = 0; i + 1 < clues->count; i++) {
        const qp_clue *a = &clues->clue[i], *b = a + 1;
        if (a->kind == QP_CLUE_NUMBER)
            red = true;
        if (a->kind != QP_CLUE_MOVE || a->weak)
            continue;
        const char *p = lint->record->text + a->at + a->len;
        size_t n = b->at >= a->at + a->len ? b->at - a->at - a->len : 0;
        if (red == from_red && b->kind == QP_CLUE_MOVE && !b->weak && n < 40 &&
            only_blanks(p, n))
            return (qp_str){p, n};
        red = !red;
    }
    return QP_STR(" ");
}

static size_t line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

static bool begins_line(const qp_linting *lint, size_t at)
{
    size_t from = line_begin(lint->record->text, at);
    return only_blanks(lint->record->text + from, at - from);
}

/* The first clue from this one on that is a move or a blank. */
static uint32_t next_ply_clue(const qp_clues *clues, uint32_t clue)
{
    while (clue < clues->count && (clues->clue[clue].kind == QP_CLUE_NUMBER ||
                                   clues->clue[clue].kind == QP_CLUE_DOTS ||
                                   clues->clue[clue].weak))
        clue++;
    return clue;
}

/* A round number with what stands around it, for another number. */
static void add_number(qp_linting *lint, qp_buf *out, const qp_clue *like, unsigned number)
{
    const char *text = lint->record->text;
    size_t end = like->at + like->len;
    while (end - like->at < 64 && only_blanks(text + end, qp_blank_len(text + end, 4)) &&
           qp_blank_len(text + end, 4) != 0)
        end += qp_blank_len(text + end, 4);
    bool wide = false, written = false;
    for (size_t i = like->at; i < end;) {
        unsigned char c = (unsigned char)text[i];
        bool full = end - i >= 3 && memcmp(text + i, "\xEF\xBC", 2) == 0 &&
                    (unsigned char)text[i + 2] >= 0x90 && (unsigned char)text[i + 2] <= 0x99;
        bool circled = end - i >= 3 && memcmp(text + i, "\xE2\x91", 2) == 0;
        if ((c >= '0' && c <= '9') || full || circled) {
            if (!written && circled && number <= 20) {
                char glyph[3] = {'\xE2', '\x91', (char)(0xA0 + number - 1)};
                qp_buf_add(out, glyph, 3);
            } else if (!written) {
                char digits[12];
                size_t n = 0;
                wide = full;
                for (unsigned v = number; v != 0 && n < 10; v /= 10)
                    digits[n++] = (char)('0' + v % 10);
                while (n-- > 0) {
                    char glyph[3] = {'\xEF', '\xBC', (char)(0x90 + digits[n] - '0')};
                    if (wide)
                        qp_buf_add(out, glyph, 3);
                    else
                        qp_buf_add_char(out, digits[n]);
                }
            }
            written = true;
            i += full || circled ? 3 : 1;
        } else {
            qp_buf_add_char(out, text[i++]);
        }
    }
}

/* Where the text of a clue that a ply stands before begins or, for the end, where the last
 * move ends. */
static size_t end_of_last_move(const qp_clues *clues, uint32_t clue)
{
    while (clue > 0) {
        const qp_clue *c = &clues->clue[--clue];
        if (c->kind != QP_CLUE_DOTS && !c->weak)
            return c->at + c->len;
    }
    return 0;
}

void qp_change_insert(qp_linting *lint, const qp_told *told, size_t count, const qp_board *board,
                      uint32_t index, uint32_t ply, qp_certainty certainty)
{
    const qp_clues *clues = &lint->clues;
    const qp_clue *clue = index < clues->count ? &clues->clue[index] : NULL;
    bool red = board->side == QP_RED;
    qp_board at = *board;
    qp_buf out = {0};
    size_t place, len = 0;
    (void)ply;
    if (clue != NULL && clue->kind == QP_CLUE_DOTS && red && count == 1) {
        /* Instead of the dots; the blank behind them parts the two moves. */
        qp_str text = qp_change_spell(lint, board, told[0].move, NULL);
        qp_buf_add_str(&out, text);
        place = clue->at;
        len = clue->len;
        const char *behind = lint->record->text + place + len;
        uint32_t next = next_ply_clue(clues, index);
        if (next < clues->count && clues->clue[next].at == place + len)
            qp_buf_add_str(&out, separator(lint, true));
        else if (*behind == '\0')
            qp_buf_add_char(&out, ' ');
    } else if (clue != NULL && clue->kind == QP_CLUE_NUMBER && red && count % 2 == 0 &&
               clue->number > count / 2) {
        bool line = begins_line(lint, clue->at);
        size_t indent = line ? line_begin(lint->record->text, clue->at) : clue->at;
        place = clue->at;
        for (size_t i = 0; i < count; i++) {
            if (i % 2 == 0)
                add_number(lint, &out, clue, clue->number - (unsigned)(count - i) / 2);
            else
                qp_buf_add_str(&out, separator(lint, true));
            qp_buf_add_str(&out, qp_change_spell(lint, &at, told[i].move, NULL));
            qp_board_play(&at, told[i].move);
            if (i % 2 == 0)
                continue;
            qp_buf_add_text(&out, line ? "\n" : " ");
            if (line)
                qp_buf_add(&out, lint->record->text + indent, clue->at - indent);
        }
    } else if (red && clue != NULL &&
               (clue->kind != QP_CLUE_NUMBER || end_of_last_move(clues, index) == 0)) {
        uint32_t next = next_ply_clue(clues, index);
        place = next < clues->count ? clues->clue[next].at : clue->at;
        for (size_t i = 0; i < count; i++) {
            qp_buf_add_str(&out, qp_change_spell(lint, &at, told[i].move, NULL));
            qp_board_play(&at, told[i].move);
            qp_buf_add_str(&out, separator(lint, at.side == QP_BLACK));
        }
    } else {
        place = end_of_last_move(clues, index);
        for (size_t i = 0; i < count; i++) {
            qp_buf_add_str(&out, separator(lint, at.side == QP_BLACK));
            qp_buf_add_str(&out, qp_change_spell(lint, &at, told[i].move, NULL));
            qp_board_play(&at, told[i].move);
        }
    }
    if (!out.failed)
        qp_change_add(lint, place, len, (qp_str){out.data, out.len}, certainty);
    qp_buf_clear(&out);
}

/* Numbers behind a round that is taken out go down by one, as long as they go on. */
static void renumber(qp_linting *lint, uint32_t from, unsigned last, qp_certainty certainty)
{
    const qp_clues *clues = &lint->clues;
    for (uint32_t i = from; i < clues->count; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind != QP_CLUE_NUMBER)
            continue;
        if (clue->number != last && clue->number != last + 1)
            return;
        last = clue->number;
        qp_buf out = {0};
        add_number(lint, &out, clue, clue->number - 1u);
        while (out.len > 0 && (out.data[out.len - 1] == ' ' || out.data[out.len - 1] == '\t'))
            out.len--;
        size_t len = clue->len;
        const char *p = lint->record->text + clue->at;
        while (len > 0 && (p[len - 1] == ' ' || p[len - 1] == '\t'))
            len--;
        size_t digits = 0; /* up to the digits' end is enough */
        while (digits < out.len && digits < len && !(p[digits] >= '0' && p[digits] <= '9'))
            digits++;
        if (!out.failed && clue->number > 1)
            qp_change_add(lint, clue->at, len, (qp_str){out.data, out.len}, certainty);
        qp_buf_clear(&out);
    }
}

void qp_change_delete(qp_linting *lint, uint32_t first, uint32_t last, qp_certainty certainty)
{
    const qp_clues *clues = &lint->clues;
    const char *text = lint->record->text;
    size_t at = clues->clue[first].at, end = clues->clue[last].at + clues->clue[last].len;
    bool round = first > 0 && clues->clue[first - 1].kind == QP_CLUE_NUMBER &&
                 (last + 1 == clues->count || clues->clue[last + 1].kind == QP_CLUE_NUMBER);
    if (round) {
        unsigned number = clues->clue[first - 1].number;
        at = clues->clue[first - 1].at;
        bool again = first > 1;
        for (uint32_t i = first - 1; again && i-- > 0;)
            if (clues->clue[i].kind == QP_CLUE_NUMBER) {
                again = clues->clue[i].number != number; /* else its number stands twice too */
                break;
            }
        if (again)
            renumber(lint, last + 1, number, certainty);
    }
    size_t begin = at;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
        begin--;
    size_t tail = end;
    while (text[tail] == ' ' || text[tail] == '\t')
        tail++;
    bool to_end = text[tail] == '\n' || text[tail] == '\0';
    if ((begin == 0 || text[begin - 1] == '\n') && text[tail] == '\n') {
        at = begin; /* the whole line */
        end = tail + 1;
    } else if (to_end || (begin > 0 && text[begin - 1] != '\n')) {
        at = begin; /* with the blanks before it */
    }
    qp_change_add(lint, at, end - at, (qp_str){"", 0}, certainty);
}

void qp_change_swap(qp_linting *lint, uint32_t a, uint32_t b, qp_certainty certainty)
{
    const qp_clue *x = &lint->clues.clue[a], *y = &lint->clues.clue[b];
    const char *text = lint->record->text;
    qp_change_add(lint, x->at, x->len, (qp_str){text + y->at, y->len}, certainty);
    qp_change_add(lint, y->at, y->len, (qp_str){text + x->at, x->len}, certainty);
}
