/* Where a record starts and what it says of itself: whose turn it is, how coordinates count,
 * tags and result. */
#include "config.h"

#include "game/inside.h"

/* Legal plies at the beginning of the main line, from a board and under a base. */
static unsigned plies_from(const qp_record *record, qp_board board, qp_base base,
                           unsigned enough)
{
    unsigned plies = 0;
    size_t depth = 0;
    for (size_t i = 0; i < record->event_count && plies < enough; i++) {
        const qp_event *e = &record->events[i];
        depth += e->kind == QP_EV_VAR_OPEN;
        if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        if (e->kind != QP_EV_MOVE || depth != 0)
            continue;
        qp_move moves[8];
        unsigned pick;
        if (e->as.written.form == QP_FORM_NONE ||
            qp_resolve(&board, &e->as.written, base, moves, &pick) == 0)
            break;
        qp_board_play(&board, moves[0]);
        plies++;
    }
    return plies;
}

unsigned qp_replay_plies(const qp_context *context, const qp_record *record)
{
    (void)context;
    unsigned best = 0;
    for (unsigned base = 0; base < QP_BASES; base++) {
        unsigned plies = plies_from(record, record->start, (qp_base)base, 16);
        if (plies > best)
            best = plies;
    }
    return best;
}

/* Which side moves first where the record does not say: dots, else who owns the first
 * square, else the side for which the moves go on longer; Red on a tie. */
void qp_start_side(qp_record *record)
{
    if (!record->has_start || record->side_given)
        return;
    qp_board black = record->start;
    black.side = QP_BLACK;
    const qp_event *first = NULL;
    for (size_t i = 0; i < record->event_count && first == NULL; i++) {
        if (record->events[i].kind == QP_EV_NUMBER && (record->events[i].flags & QP_EV_DOTS)) {
            record->start.side = QP_BLACK;
            return;
        }
        if (record->events[i].kind == QP_EV_MOVE)
            first = &record->events[i];
    }
    if (first == NULL)
        return;
    if (first->as.written.form == QP_FORM_SQUARES) {
        qp_piece piece = record->start.at[QP_FROM(first->as.written.move)];
        record->start.side = piece != 0 ? (uint8_t)QP_PIECE_SIDE(piece) : QP_RED;
        return;
    }
    qp_board red = record->start;
    red.side = QP_RED;
    unsigned best = 0;
    for (unsigned base = 0; base < QP_BASES; base++) {
        unsigned r = plies_from(record, red, (qp_base)base, 8);
        unsigned b = plies_from(record, black, (qp_base)base, 8);
        if (r > best) {
            best = r;
            record->start.side = QP_RED;
        }
        if (b > best) {
            best = b;
            record->start.side = QP_BLACK;
        }
    }
}

/* whole: no event that is still to come can change the answer. */
static bool is_another(const qp_record *record, bool *whole)
{
    enum { LOOK = 8, LEAST = 3 };
    unsigned moves = 0, possible = 0;
    *whole = record->has_start;
    if (record->has_start)
        return false;
    for (size_t i = 0; i < record->event_count && moves < LOOK && !*whole; i++) {
        const qp_event *e = &record->events[i];
        *whole = e->kind == QP_EV_VAR_OPEN;
        if (e->kind != QP_EV_MOVE || e->as.written.form == QP_FORM_NONE)
            continue;
        qp_board board = record->start;
        qp_move found[8];
        unsigned pick;
        board.side ^= moves++ & 1;
        possible += qp_resolve(&board, &e->as.written, QP_BASE_ZERO, found, &pick) != 0;
    }
    *whole |= moves == LOOK;
    return moves >= LEAST && possible * 3 < moves;
}

bool qp_start_is_another(const qp_record *record)
{
    bool whole;
    return is_another(record, &whole);
}

/* The base of the ranks, once a coordinate failed under the first: the one under which the
 * main line goes on longest. */
static qp_base find_base(const qp_record *record)
{
    qp_base best = QP_BASE_ZERO;
    unsigned most = 0;
    for (unsigned base = 0; base < QP_BASES; base++) {
        unsigned plies = plies_from(record, record->start, (qp_base)base, UINT32_MAX);
        if (plies > most) {
            most = plies;
            best = (qp_base)base;
        }
    }
    return best;
}

/* Whether a coordinate of the main line cannot be counted from 0. Most lines say so in their
 * first ply; a sound one is never looked at twice. SAN names
 * one square, which says less: there the whole line is asked. */
static bool needs_base(const qp_record *record)
{
    for (size_t i = 0; i < record->event_count; i++)
        if (record->events[i].kind == QP_EV_MOVE) {
            if (record->events[i].as.written.form == QP_FORM_SAN)
                return true;
            if (record->events[i].as.written.form != QP_FORM_COORD)
                return false;
            return plies_from(record, record->start, QP_BASE_ZERO, 4) < 4;
        }
    return false;
}

bool qp_start_is_seen(const qp_record *record)
{
    enum { ENOUGH = 8 };
    size_t depth = 0, moves = 0;
    bool squares = false, dots = false;
    for (size_t i = 0; i < record->event_count && moves < ENOUGH; i++) {
        const qp_event *e = &record->events[i];
        depth += e->kind == QP_EV_VAR_OPEN;
        if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        if (moves == 0 && e->kind == QP_EV_NUMBER)
            dots |= (e->flags & QP_EV_DOTS) != 0;
        if (e->kind == QP_EV_MOVE && depth == 0 && moves++ == 0)
            squares = e->as.written.form == QP_FORM_SQUARES;
    }
    bool side = !record->has_start || record->side_given || squares || dots || moves >= ENOUGH;
    bool whole;
    is_another(record, &whole);
    return moves != 0 && side && whole && (record->coords_from_zero || !needs_base(record));
}

qp_base qp_start_base(const qp_record *record)
{
    return !record->coords_from_zero && needs_base(record) ? find_base(record) : QP_BASE_ZERO;
}

/* ---- what needs no board ---- */

static void take_tags(qp_record *record, qp_game *game)
{
    qp_tag *tags = qp_arena_alloc(record->arena, (record->tag_count + 1) * sizeof *tags);
    if (tags == NULL)
        return;
    for (size_t i = 0; i < record->tag_count; i++) {
        tags[i].name = qp_tag_name(record, &record->tags[i]);
        tags[i].value = qp_tag_value(record, &record->tags[i]);
    }
    game->tags = tags;
    game->tag_count = record->tag_count;
}

/* The result as stated: where the format says it beside the tags, the tag, the text's end. */
static void take_result(qp_record *record, qp_game *game)
{
    qp_result result;
    qp_str tag = qp_game_tag(game, "Result");
    if (record->has_result) {
        game->result = record->result;
        game->result_given = true;
        return;
    }
    bool known = tag.data != NULL && qp_result_read(record->patterns, tag, &result);
    if (known && result != QP_RESULT_UNKNOWN) {
        game->result = result;
        game->result_given = true;
        return;
    }
    size_t depth = 0;
    for (size_t i = 0; record->results != 0 && i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        depth += e->kind == QP_EV_VAR_OPEN;
        if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        if (e->kind == QP_EV_RESULT && depth == 0 &&
            (e->value != QP_RESULT_UNKNOWN || !game->result_given)) {
            /* `*` ends any movetext; alone it states nothing. */
            game->result = (qp_result)e->value;
            game->result_given = e->value != QP_RESULT_UNKNOWN;
        }
    }
    game->result_given |= known;
}

void qp_replay_heads(qp_record *record, qp_game *game)
{
    take_tags(record, game);
    take_result(record, game);
    game->start = record->start;
    game->start_given = record->has_start;
    game->final = record->start;
}
