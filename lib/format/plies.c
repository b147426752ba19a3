/* A tree told in pre-order, turned into the order of a record: a ply, then what replaces
 * it, then what follows it; and squares as text. See plies.h. */
#include "config.h"

#include "format/plies.h"

#include <stdlib.h>

void qp_reading_words(qp_reading *in, qp_str text, size_t at, size_t len)
{
    qp_written written;
    bool bare = true;
    for (size_t i = 0; i < text.len; i++)
        bare &= text.data[i] >= '0' && text.data[i] <= '9';
    if (!bare && qp_lex_move(in->lexer, text.data, text.len, &written) == text.len)
        qp_record_move(in->record, at, len, &written);
    else
        qp_record_bad_move(in->record, at, len);
}

typedef struct ply {
    uint32_t parent, first, last; /* first and last child */
    uint32_t next;                /* the next child of the same parent */
    uint32_t below;               /* the ply owed before this one */
    uint32_t at, len;
    uint32_t comment_at, comment_len;
    qp_str comment;
    qp_str words; /* of a ply that names no squares; data NULL: its span */
    qp_move move;
    uint16_t nag;
    bool has_comment;
} ply;

struct qp_plies {
    ply *plies; /* [0] is the start position */
    size_t count, room;
    uint32_t owed; /* the ply that was owed last */
};

qp_plies *qp_plies_new(void)
{
    qp_plies *plies = calloc(1, sizeof *plies);
    if (plies == NULL)
        return NULL;
    enum { FIRST_ROOM = 128 };
    plies->plies = malloc(FIRST_ROOM * sizeof *plies->plies);
    if (plies->plies == NULL) {
        free(plies);
        return NULL;
    }
    plies->room = FIRST_ROOM;
    qp_plies_rewind(plies);
    return plies;
}

void qp_plies_free(qp_plies *plies)
{
    if (plies != NULL)
        free(plies->plies);
    free(plies);
}

void qp_plies_rewind(qp_plies *plies)
{
    plies->count = 1;
    plies->owed = 0;
    plies->plies[0] = (ply){0};
}

uint32_t qp_plies_add(qp_plies *plies, uint32_t parent, qp_move move, size_t at,
                      size_t len)
{
    if (plies->count == plies->room) {
        size_t room = plies->room * 2;
        ply *grown =
            room > UINT32_MAX ? NULL : realloc(plies->plies, room * sizeof *plies->plies);
        if (grown == NULL)
            return 0;
        plies->plies = grown;
        plies->room = room;
    }
    uint32_t index = (uint32_t)plies->count++;
    plies->plies[index] =
        (ply){.parent = parent, .move = move, .at = (uint32_t)at, .len = (uint32_t)len};
    ply *above = &plies->plies[parent];
    if (above->last != 0)
        plies->plies[above->last].next = index;
    else
        above->first = index;
    above->last = index;
    return index;
}

void qp_plies_words(qp_plies *plies, uint32_t index, qp_str words)
{
    plies->plies[index].words = words;
}

void qp_plies_comment(qp_plies *plies, uint32_t index, qp_str made, size_t at, size_t len)
{
    ply *p = &plies->plies[index];
    p->has_comment = true;
    p->comment = made;
    p->comment_at = (uint32_t)at;
    p->comment_len = (uint32_t)len;
}

void qp_plies_nag(qp_plies *plies, uint32_t index, unsigned nag)
{
    plies->plies[index].nag = (uint16_t)nag;
}

void qp_plies_owe(qp_plies *plies, uint32_t index)
{
    plies->plies[index].below = plies->owed;
    plies->owed = index;
}

uint32_t qp_plies_owed(qp_plies *plies)
{
    uint32_t index = plies->owed;
    plies->owed = plies->plies[index].below;
    return index;
}

uint32_t qp_plies_parent(const qp_plies *plies, uint32_t index)
{
    return plies->plies[index].parent;
}

bool qp_plies_leads(const qp_plies *plies, uint32_t index)
{
    return plies->plies[plies->plies[index].parent].first == index;
}

static void tell(const ply *p, qp_record *record, bool start)
{
    if (!start && p->move != 0) {
        qp_record_squares(record, p->at, p->len, p->move);
    } else if (!start) {
        if (p->words.data != NULL)
            qp_record_text(record, p->at, p->len, p->words);
        qp_record_bad_move(record, p->at, p->len);
    }
    qp_event *nag = p->nag ? qp_record_add(record, QP_EV_NAG, p->at + p->len, 0) : NULL;
    if (nag != NULL)
        nag->value = p->nag;
    if (p->has_comment)
        qp_record_comment(record, p->comment_at, p->comment_len, p->comment);
}

void qp_record_first_ply(qp_record *record, qp_move first)
{
    qp_piece piece = first != 0 ? record->start.at[QP_FROM(first)] : 0;
    if (piece == 0)
        return;
    qp_side side = QP_PIECE_SIDE(piece);
    if (record->side_given && record->start.side != side) {
        qp_report *report = qp_record_report(
            record, QP_D_fen_style, record->start_at, record->start_len,
            "side-contradicted",
            "the position says that %s moves, but the first move is %s's",
            side == QP_RED ? "black" : "red", side == QP_RED ? "red" : "black");
        if (report != NULL)
            report->severity = QP_WARNING;
    }
    record->has_start |= record->start.side != side; /* no longer the usual one */
    record->start.side = (uint8_t)side;
    record->side_given = true;
}

void qp_plies_tell(const qp_plies *plies, qp_record *record)
{
    const ply *all = plies->plies;
    tell(&all[0], record, true);
    if (all[0].first != 0)
        qp_record_first_ply(record, all[all[0].first].move);
    qp_plies_tell_on(plies, record);
}

void qp_plies_tell_on(const qp_plies *plies, qp_record *record)
{
    const ply *all = plies->plies;
    uint32_t at = all[0].first;
    if (at == 0)
        return;
    for (;;) {
        const ply *p = &all[at];
        if (qp_record_is_long(record))
            qp_record_pass(record);
        tell(p, record, false);
        bool main = all[p->parent].first == at;
        if (main && p->next != 0) {
            qp_record_add(record, QP_EV_VAR_OPEN, all[p->next].at, 0);
            at = p->next;
            continue;
        }
        uint32_t next = p->first;
        while (next == 0) {
            /* A line's end: up to the alternative that began it. */
            while (all[p->parent].first == at) {
                if (p->parent == 0)
                    return;
                at = p->parent;
                p = &all[at];
            }
            qp_record_add(record, QP_EV_VAR_CLOSE, p->at, 0);
            if (p->next != 0) {
                qp_record_add(record, QP_EV_VAR_OPEN, all[p->next].at, 0);
                next = p->next;
            } else {
                at = all[p->parent].first;
                p = &all[at];
                next = p->first;
            }
        }
        at = next;
    }
}

void qp_reading_read_words(qp_reading *in)
{
    qp_record *record = in->record;
    for (size_t i = 0; i < record->event_count; i++) {
        qp_event *event = &record->events[i];
        qp_written written;
        if (event->kind == QP_EV_MOVE && event->as.written.form == QP_FORM_NONE &&
            event->len != 0 &&
            qp_lex_move(in->lexer, in->source->text + event->at, event->len, &written) ==
                event->len)
            event->as.written = written;
    }
}

void qp_plies_tell_shown(qp_record *record, size_t at, size_t len)
{
    qp_report *report = qp_record_report(record, QP_D_loss, at, len, "default-variation",
                                         "another move than the first is marked as the "
                                         "one to show; the first stays the main "
                                         "line");
    if (report != NULL)
        report->severity = QP_NOTE;
}
