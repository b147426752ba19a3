/* A ply that is missing between two of the same side. The number of the next round, or dots, say
 * that the other side moves; but numbers are wrong more often than not, so more must say it: the
 * move itself, by the glyphs of its piece (兵 is Red's, 卒 Black's) or by its digits, where the
 * moves before show that Red writes 二 and Black 2; and the board, on which the other side can
 * make it.
 */
#include "config.h"

#include "game/replay.h"

#include <stdio.h>

enum { GLYPHS = QP_STYLE_GLYPH_RED | QP_STYLE_GLYPH_BLACK };
enum { DIGITS = QP_STYLE_DIGIT_CHINESE | QP_STYLE_DIGIT_ARABIC };

/* The digits of the last two moves before an event, the last one first; false: another event stands
 * there than moves and numbers. */
static bool digits_before(const qp_record *record, size_t at, unsigned digits[2])
{
    for (int found = 0; found < 2;) {
        if (at == 0)
            return false;
        const qp_event *event = &record->events[--at];
        if (event->kind == QP_EV_NUMBER)
            continue;
        if (event->kind != QP_EV_MOVE || event->as.written.form == QP_FORM_NONE)
            return false;
        digits[found++] = event->as.written.style & DIGITS;
    }
    return true;
}

/* What the move would be if the other side were to move; 0: not one legal move. */
static qp_move others_move(const struct qp_replaying *r, const qp_written *written)
{
    qp_board board = r->top->board;
    qp_move moves[8];
    unsigned pick;
    board.side = QP_OTHER(board.side);
    board.calm = 0;
    return qp_resolve(&board, written, r->base, moves, &pick) == 1 ? moves[0] : 0;
}

bool qp_ply_absent(const struct qp_replaying *r)
{
    const qp_record *record = r->record;
    const qp_frame *f = r->top;
    if (r->depth != 0 || f->bad || f->last == NULL || r->event + 1 >= record->event_count)
        return false;
    const qp_event *event = &record->events[r->event + 1];
    if (event->kind != QP_EV_MOVE || event->as.written.form == QP_FORM_NONE)
        return false;
    const qp_side other = QP_OTHER((qp_side)f->board.side);
    const qp_written *written = &event->as.written;
    unsigned before[2], glyph = other == QP_RED ? QP_STYLE_GLYPH_RED : QP_STYLE_GLYPH_BLACK;
    unsigned digit = other == QP_RED ? QP_STYLE_DIGIT_CHINESE : QP_STYLE_DIGIT_ARABIC;
    bool known = digits_before(record, r->event, before);
    bool apart = known && before[0] == digit && before[1] == (DIGITS & ~digit);
    bool alike = known && before[0] == before[1]; /* then digits tell nothing */
    if (written->style & GLYPHS ? !(written->style & glyph) : !apart)
        return false;
    if ((written->style & DIGITS) != digit && !alike)
        return false;
    return others_move(r, written) != 0;
}

void qp_ply_absent_why(const struct qp_replaying *r, const qp_event *event, qp_reason *reason)
{
    bool red = r->top->board.side == QP_RED;
    *reason = (qp_reason){.code = QP_D_move_wrong_side,
                          .at = QP_NO_SQUARE,
                          .move = others_move(r, &event->as.written)};
    snprintf(reason->message, sizeof reason->message,
             "it is %s's move by its writing and its round, and %s's before it is missing",
             red ? "black" : "red", red ? "red" : "black");
}
