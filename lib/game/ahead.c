/* Looking ahead: which of several moves lets the rest of the line be read. Records name one of
 * a doubled pair by its file number alone, and often only the moves that follow tell which. */
#include "config.h"

#include "game/inside.h"

enum {
    LOOK_BUDGET = 20000, /* resolved plies for one question */
    LOOK_NESTED = 6,     /* ambiguous plies inside one another */
    LOOK_LEAD = 4,       /* how many plies longer a reading must go to win unfinished */
    LOOK_END = 1 << 20,  /* the line was read to its end */
};

/* Plies that can be read from event index on, in the same line; LOOK_END and more when it
 * was read to its end. */
static unsigned look(const qp_record *record, qp_board *board, qp_base base, size_t index,
                     unsigned nested, unsigned *budget, bool *past)
{
    unsigned plies = 0;
    size_t depth = 0;
    size_t i = index;
    for (; i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN)
            depth++;
        if (e->kind == QP_EV_VAR_CLOSE && depth-- == 0)
            break;
        if (e->kind != QP_EV_MOVE || depth != 0)
            continue;
        if (*budget == 0)
            return plies;
        --*budget;
        qp_move moves[8];
        unsigned pick = 0;
        size_t count = e->as.written.form == QP_FORM_NONE
                           ? 0
                           : qp_resolve(board, &e->as.written, base, moves, &pick);
        if (count == 0)
            return plies;
        if (count > 1 && nested == 0)
            return plies;
        plies++;
        if (count > 1) {
            unsigned best = 0;
            for (size_t m = 0; m < count; m++) {
                qp_board next = *board;
                qp_board_play(&next, moves[m]);
                unsigned far = look(record, &next, base, i + 1, nested - 1, budget,
                                    past);
                if (far > best)
                    best = far;
            }
            return plies + best;
        }
        qp_board_play(board, moves[0]);
    }
    *past |= record->open && i == record->event_count;
    return plies + LOOK_END;
}

qp_move qp_look_ahead(const qp_record *record, const qp_board *board, qp_base base,
                      size_t index, const qp_move *moves, size_t count, unsigned *left,
                      bool *past)
{
    unsigned best = 0, second = 0;
    unsigned budget = *left < LOOK_BUDGET ? *left : LOOK_BUDGET;
    unsigned before = budget;
    qp_move pick = 0;
    for (size_t m = 0; m < count; m++) {
        qp_board next = *board;
        qp_board_play(&next, moves[m]);
        unsigned far = look(record, &next, base, index + 1, LOOK_NESTED, &budget, past) + 1;
        if (far > best) {
            second = best;
            best = far;
            pick = moves[m];
        } else if (far > second) {
            second = far;
        }
    }
    *left -= before - budget;
    if (budget == 0 || second >= LOOK_END)
        return 0;
    return best >= LOOK_END || best >= second + LOOK_LEAD ? pick : 0;
}
