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

/* Most plies go on the line of the one that was added before them, with nothing said: those
 * are kept in 8 bytes each, all else of others in a link. */
typedef struct ply {
    uint32_t at; /* LINKED: index of the link */
    uint16_t len;
    uint16_t move; /* and the flags; 0 where it names no squares */
} ply;

enum {
    LINKED = 1 << 15,
    GOES_ON = 1 << 14, /* the ply added next is its first child, as far as is told here */
    MOVE = GOES_ON - 1,
};

typedef struct link {
    uint32_t at, len;
    uint32_t parent, first, last; /* first and last child */
    uint32_t next;                /* the next child of the same parent */
    uint32_t below;               /* the ply owed before this one */
    uint32_t note;                /* index, 0: none */
} link;

typedef struct note {
    uint32_t comment_at, comment_len;
    qp_str comment;
    qp_str words; /* of a ply that names no squares; data NULL: its span */
    uint16_t nag;
    bool has_comment;
} note;

struct qp_plies {
    ply *plies; /* [0] is the start position, which is linked */
    size_t count, room;
    link *links;
    size_t link_count, link_room;
    note *notes; /* [0] is of none, and says nothing */
    size_t note_count, note_room;
    uint32_t owed; /* the ply that was owed last */
    bool failed;   /* memory ran out: the next ply cannot be added */
};

/* Room for more elements; false: memory ran out. */
static bool grow(void **vector, size_t *room, size_t count, size_t more, size_t size)
{
    enum { FIRST_ROOM = 128 };
    if (QP_LIKELY_TO(*room - count >= more))
        return true;
    size_t want = *room ? *room * 2 : FIRST_ROOM;
    void *grown = want > UINT32_MAX ? NULL : realloc(*vector, want * size);
    if (grown == NULL)
        return false;
    *vector = grown;
    *room = want;
    return true;
}

qp_plies *qp_plies_new(void)
{
    qp_plies *plies = calloc(1, sizeof *plies);
    if (plies == NULL)
        return NULL;
    if (!grow((void **)&plies->plies, &plies->room, 0, 1, sizeof *plies->plies) ||
        !grow((void **)&plies->links, &plies->link_room, 0, 1, sizeof *plies->links) ||
        !grow((void **)&plies->notes, &plies->note_room, 0, 1, sizeof *plies->notes)) {
        qp_plies_free(plies);
        return NULL;
    }
    qp_plies_rewind(plies);
    return plies;
}

void qp_plies_free(qp_plies *plies)
{
    if (plies == NULL)
        return;
    free(plies->plies);
    free(plies->links);
    free(plies->notes);
    free(plies);
}

void qp_plies_rewind(qp_plies *plies)
{
    plies->count = plies->link_count = plies->note_count = 1;
    plies->owed = 0;
    plies->failed = false;
    plies->plies[0] = (ply){.move = LINKED};
    plies->links[0] = (link){0};
    plies->notes[0] = (note){0};
}

/* ---- links ---- */

static inline const link *linked(const qp_plies *plies, uint32_t index)
{
    const ply *p = &plies->plies[index];
    return p->move & LINKED ? &plies->links[p->at] : NULL;
}

static inline uint32_t parent_of(const qp_plies *plies, uint32_t index)
{
    const link *l = linked(plies, index);
    return l != NULL ? l->parent : index - 1;
}

static inline uint32_t first_of(const qp_plies *plies, uint32_t index)
{
    const link *l = linked(plies, index);
    return l != NULL ? l->first : plies->plies[index].move & GOES_ON ? index + 1 : 0;
}

/* The link of a ply, made where it has none; at a place that may change with the next one.
 * NULL: memory ran out. */
static link *link_of(qp_plies *plies, uint32_t index)
{
    ply *p = &plies->plies[index];
    if (p->move & LINKED)
        return &plies->links[p->at];
    if (!grow((void **)&plies->links, &plies->link_room, plies->link_count, 1,
              sizeof *plies->links)) {
        plies->failed = true;
        return NULL;
    }
    link *made = &plies->links[plies->link_count];
    uint32_t child = p->move & GOES_ON ? index + 1 : 0;
    *made = (link){
        .at = p->at, .len = p->len, .parent = index - 1, .first = child, .last = child};
    p->at = (uint32_t)plies->link_count++;
    p->move |= LINKED;
    return made;
}

static note *note_of(qp_plies *plies, uint32_t index)
{
    link *l = link_of(plies, index);
    if (l == NULL || l->note != 0)
        return l != NULL ? &plies->notes[l->note] : NULL;
    if (!grow((void **)&plies->notes, &plies->note_room, plies->note_count, 1,
              sizeof *plies->notes)) {
        plies->failed = true;
        return NULL;
    }
    l->note = (uint32_t)plies->note_count++;
    plies->notes[l->note] = (note){0};
    return &plies->notes[l->note];
}

/* ---- plies ---- */

/* Makes the ply behind another one its first child, where it has none. */
static inline bool goes_on(qp_plies *plies, uint32_t parent)
{
    ply *p = &plies->plies[parent];
    if (p->move & LINKED) {
        link *l = &plies->links[p->at];
        if (l->first != 0)
            return false;
        l->first = l->last = parent + 1;
    }
    p->move |= GOES_ON;
    return true;
}

/* Hangs a ply behind another one than that before it, or not as its first. */
static bool hang(qp_plies *plies, uint32_t index, uint32_t parent)
{
    link *own = link_of(plies, index), *above;
    if (own == NULL)
        return false;
    own->parent = parent;
    if ((above = link_of(plies, parent)) == NULL)
        return false;
    uint32_t before = above->last;
    above->last = index;
    if (before == 0)
        above->first = index;
    else if ((own = link_of(plies, before)) != NULL)
        own->next = index;
    return !plies->failed;
}

uint32_t qp_plies_add(qp_plies *plies, uint32_t parent, qp_move move, size_t at,
                      size_t len)
{
    if (plies->failed ||
        !grow((void **)&plies->plies, &plies->room, plies->count, 1, sizeof *plies->plies))
        return 0;
    uint32_t index = (uint32_t)plies->count++;
    plies->plies[index] =
        (ply){.at = (uint32_t)at, .len = (uint16_t)len, .move = move & MOVE};
    if (!(QP_LIKELY_TO(parent + 1 == index) && goes_on(plies, parent)) &&
        !hang(plies, index, parent))
        return 0;
    if (QP_RARE(len > UINT16_MAX)) {
        link *l = link_of(plies, index);
        if (l == NULL)
            return 0;
        l->len = (uint32_t)len;
    }
    return index;
}

uint32_t qp_plies_run(qp_plies *plies, uint32_t parent, const qp_move *moves, size_t count,
                      size_t at, size_t len)
{
    uint32_t first = qp_plies_add(plies, parent, moves[0], at, len);
    if (first == 0 || count == 1)
        return first;
    if (!grow((void **)&plies->plies, &plies->room, plies->count, count - 1,
              sizeof *plies->plies))
        return 0;
    goes_on(plies, first);
    ply *p = &plies->plies[plies->count];
    plies->count += count - 1;
    for (size_t i = 1; i < count; i++)
        *p++ = (ply){.at = (uint32_t)(at + i * len),
                     .len = (uint16_t)len,
                     .move = (uint16_t)(moves[i] | (i + 1 < count ? GOES_ON : 0))};
    return first;
}

void qp_plies_words(qp_plies *plies, uint32_t index, qp_str words)
{
    note *n = note_of(plies, index);
    if (n != NULL)
        n->words = words;
}

void qp_plies_comment(qp_plies *plies, uint32_t index, qp_str made, size_t at, size_t len)
{
    note *n = note_of(plies, index);
    if (n == NULL)
        return;
    n->has_comment = true;
    n->comment = made;
    n->comment_at = (uint32_t)at;
    n->comment_len = (uint32_t)len;
}

void qp_plies_nag(qp_plies *plies, uint32_t index, unsigned nag)
{
    note *n = note_of(plies, index);
    if (n != NULL)
        n->nag = (uint16_t)nag;
}

void qp_plies_owe(qp_plies *plies, uint32_t index)
{
    link *l = link_of(plies, index);
    if (l == NULL)
        return;
    l->below = plies->owed;
    plies->owed = index;
}

uint32_t qp_plies_owed(qp_plies *plies)
{
    uint32_t index = plies->owed;
    plies->owed = plies->links[plies->plies[index].at].below;
    return index;
}

uint32_t qp_plies_parent(const qp_plies *plies, uint32_t index)
{
    return parent_of(plies, index);
}

bool qp_plies_leads(const qp_plies *plies, uint32_t index)
{
    return first_of(plies, parent_of(plies, index)) == index;
}

/* ---- telling ---- */

static uint32_t at_of(const qp_plies *plies, uint32_t index)
{
    const link *l = linked(plies, index);
    return l != NULL ? l->at : plies->plies[index].at;
}

/* A ply with its link, and what is said of it; 0: the start position. */
static void tell(const qp_plies *plies, uint32_t index, const link *l, qp_record *record)
{
    qp_move move = plies->plies[index].move & MOVE;
    const note *n = &plies->notes[l->note];
    if (index != 0 && move != 0) {
        qp_record_squares(record, l->at, l->len, move);
    } else if (index != 0) {
        if (n->words.data != NULL)
            qp_record_text(record, l->at, l->len, n->words);
        qp_record_bad_move(record, l->at, l->len);
    }
    qp_event *nag = n->nag ? qp_record_add(record, QP_EV_NAG, l->at + l->len, 0) : NULL;
    if (nag != NULL)
        nag->value = n->nag;
    if (n->has_comment)
        qp_record_comment(record, n->comment_at, n->comment_len, n->comment);
}

/* Whether a finding about the result needs no move to stand at. */
static bool has_result_tag(const qp_record *record)
{
    for (size_t i = 0; i < record->tag_count; i++)
        if (qp_str_is_nocase(qp_tag_name(record, &record->tags[i]), "Result"))
            return true;
    return false;
}

/* Whether such a record may go without its tree, but for its moves. */
static bool may_spare(const qp_reading *in, size_t count)
{
    const qp_record *record = in->record;
    const qp_board *start = &record->start;
    qp_board usual;
    if (in->spare_tree == 0 || record->event_count != 0 || record->rounds != NULL ||
        count > qp_context_limit(in->context, QP_LIMIT_NODES))
        return false;
    qp_board_start(&usual);
    return qp_board_same(&usual, start) && start->quiet == 0 && start->round == usual.round;
}

bool qp_reading_spare(qp_reading *in, const qp_squares *squares)
{
    qp_record *record = in->record;
    if (!may_spare(in, squares->count))
        return false;
    /* The text of tags may lie in what is read. */
    record->text = in->source->text;
    bool tagged = has_result_tag(record);
    qp_rounds *rounds = qp_arena_alloc(record->arena, sizeof *rounds);
    if (rounds == NULL || (record->has_result && !tagged) ||
        !qp_rounds_squares(record, squares, in->spare_tree, in->spare_loud && tagged, rounds) ||
        (rounds->end != QP_END_NONE && !tagged))
        return false;
    record->rounds = rounds;
    return true;
}

bool qp_reading_spare_nodes(qp_reading *in, const qp_squares *squares)
{
    qp_record *record = in->record;
    size_t last = squares->count - 1;
    if (!may_spare(in, squares->count))
        return false;
    qp_rounds *rounds = qp_arena_alloc(record->arena, sizeof *rounds);
    if (rounds == NULL ||
        !qp_rounds_squares(record, squares, in->spare_tree, in->spare_loud, rounds))
        return false;
    qp_record_squares(record, squares->at + last * squares->apart, squares->len,
                      squares->moves[last]);
    record->rounds = rounds;
    return true;
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
    uint32_t first = first_of(plies, 0);
    tell(plies, 0, linked(plies, 0), record);
    if (first != 0)
        qp_record_first_ply(record, plies->plies[first].move & MOVE);
    qp_plies_tell_on(plies, record);
}

static void open_line(const qp_plies *plies, uint32_t index, qp_record *record)
{
    qp_record_add(record, QP_EV_VAR_OPEN, at_of(plies, index), 0);
}

void qp_plies_tell_on(const qp_plies *plies, qp_record *record)
{
    uint32_t at = first_of(plies, 0);
    if (at == 0)
        return;
    for (;;) {
        const ply *p = &plies->plies[at];
        const link *l = linked(plies, at);
        uint32_t next;
        if (qp_record_is_long(record))
            qp_record_pass(record);
        if (QP_LIKELY_TO(l == NULL && (p->move & MOVE) != 0)) {
            qp_record_squares(record, p->at, p->len, p->move & MOVE);
            next = p->move & GOES_ON ? at + 1 : 0;
        } else if (l == NULL) {
            qp_record_bad_move(record, p->at, p->len);
            next = p->move & GOES_ON ? at + 1 : 0;
        } else {
            tell(plies, at, l, record);
            if (l->next != 0 && first_of(plies, l->parent) == at) {
                open_line(plies, l->next, record);
                at = l->next;
                continue;
            }
            next = l->first;
        }
        while (next == 0) {
            /* A line's end: up to the alternative that began it. */
            while ((l = linked(plies, at)) == NULL || first_of(plies, l->parent) == at) {
                at = l != NULL ? l->parent : at - 1;
                if (at == 0)
                    return;
            }
            qp_record_add(record, QP_EV_VAR_CLOSE, l->at, 0);
            if (l->next != 0) {
                open_line(plies, l->next, record);
                next = l->next;
            } else {
                at = first_of(plies, l->parent);
                next = first_of(plies, at);
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
