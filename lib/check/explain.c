/* The cheapest story as findings: what it changes, where, what else it could be, and how sure
 * that is. Certain is what no other story within the margin of cost contradicts; it is given
 * to fixes alone that a card shows plainly (see certainty below). */
#include "config.h"

#include "check/repair.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LEAD = 70, /* of doubt: twice as likely */
    SUGGESTIONS = 5,
    CHAIN = 64,
};

typedef struct teller {
    qp_linting *lint;
    const qp_story *best;
    int32_t chain[CHAIN]; /* its fixes, first to last */
    size_t chain_len;
    qp_told *told;
    size_t told_count;
    bool clean; /* the story costs nothing but its fixes */
} teller;

static const qp_fix *fix_at(const teller *t, size_t i)
{
    return &t->lint->search.fixes[t->chain[i]];
}

static bool story_has(const qp_search_result *search, const qp_story *story, const qp_fix *fix)
{
    for (int32_t f = story->fix; f >= 0; f = search->fixes[f].before) {
        const qp_fix *other = &search->fixes[f];
        if (other->kind == fix->kind && other->clue == fix->clue && other->move == fix->move &&
            other->ply == fix->ply)
            return true;
    }
    return false;
}

/* Whether prose stands between a token and the one two moves before it. */
static bool words_before(const qp_linting *lint, uint32_t clue)
{
    uint32_t from = clue, moves = 0;
    while (from > 0 && moves < 2)
        moves += lint->clues.clue[--from].kind == QP_CLUE_MOVE;
    for (uint32_t i = lint->clues.clue[from].event; i < lint->clues.clue[clue].event; i++)
        if (lint->record->events[i].kind == QP_EV_COMMENT)
            return true;
    return false;
}

static qp_certainty certainty(const teller *t, const qp_fix *fix)
{
    const qp_search_result *search = &t->lint->search;
    const qp_clue *clue =
        fix->clue < t->lint->clues.count ? &t->lint->clues.clue[fix->clue] : NULL;
    const qp_story *rival = NULL;
    for (size_t i = 1; i < search->story_count && rival == NULL; i++)
        if (!story_has(search, &search->stories[i], fix))
            rival = &search->stories[i];
    if (rival != NULL)
        return rival->doubt >= t->best->doubt + LEAD ? QP_LIKELY : QP_POSSIBLE;
    if (!search->complete || !t->clean || clue == NULL)
        return QP_LIKELY;
    switch ((qp_fix_kind)fix->kind) {
    case QP_FIX_WRITE:
        return (clue->kind == QP_CLUE_BLANK && !clue->weak) ||
                       (clue->written.form == QP_FORM_NONE && fix->cost <= QP_COST_SURE)
                   ? QP_CERTAIN
                   : QP_LIKELY;
    case QP_FIX_INSERT:
        return QP_CERTAIN;
    case QP_FIX_DELETE:
        return fix->again && !words_before(t->lint, fix->clue) ? QP_CERTAIN : QP_LIKELY;
    default:
        return QP_LIKELY;
    }
}

/* ---- reports ---- */

static bool is_move_error(qp_code code)
{
    return code >= QP_D_move_unreadable && code <= QP_D_move_after_end;
}

/* The replay's word on the main line's first ply that cannot be, or NULL. */
static qp_report *replay_error(qp_record *record)
{
    for (size_t i = 0; i < record->report_count; i++)
        if (is_move_error(record->reports[i].code) && record->reports[i].variation == 0)
            return &record->reports[i];
    return NULL;
}

static bool is_number(qp_code code)
{
    return code == QP_D_number_gap || code == QP_D_number_wrong;
}

static void drop_reports(qp_record *record, bool (*which)(qp_code code), size_t from)
{
    size_t kept = 0;
    for (size_t i = 0; i < record->report_count; i++)
        if (!which(record->reports[i].code) || record->reports[i].variation != 0 ||
            record->reports[i].at < from)
            record->reports[kept++] = record->reports[i];
    record->report_count = kept;
}

void qp_lint_about(qp_linting *lint, qp_report *report, const qp_board *board, uint32_t ply)
{
    char fen[QP_FEN_MAX];
    if (report == NULL)
        return;
    size_t len = qp_fen_write(board, fen);
    report->ply = ply;
    report->has_side = true;
    report->side = (qp_side)board->side;
    report->fen = qp_arena_str(lint->record->arena, fen, len).data;
}

static void board_before(const teller *t, uint32_t ply, qp_board *board)
{
    *board = t->lint->game->start;
    for (size_t i = 0; i + 1 < ply && i < t->told_count; i++)
        qp_board_play(board, t->told[i].move);
}

/* ---- suggestions ---- */

typedef struct offer {
    qp_move move, second;
    uint32_t ply;
    qp_str text;
} offer;

static void suggest(teller *t, qp_report *report, const offer *o, qp_certainty sure,
                    uint32_t own_ply)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->suggestion_count; i++)
        if (report->suggestions[i].move == o->move &&
            report->suggestions[i].second == o->second &&
            (report->suggestions[i].ply ? report->suggestions[i].ply : own_ply) == o->ply)
            return;
    if (report->suggestion_count >= SUGGESTIONS)
        return;
    size_t before = report->suggestion_count;
    qp_report_suggest(t->lint->record, report, o->text, o->move, sure);
    if (report->suggestion_count == before)
        return;
    qp_suggestion *made = (qp_suggestion *)&report->suggestions[before];
    made->second = o->second;
    made->ply = o->ply != own_ply ? o->ply : 0;
}

/* What a story offers for the i-th fix of the best one: the fix that stands in its place. */
static bool offer_of(teller *t, const qp_story *story, const qp_fix *fix, offer *o)
{
    qp_linting *lint = t->lint;
    const qp_search_result *search = &lint->search;
    const qp_fix *found = NULL;
    int32_t found_at = -1;
    for (int32_t f = story->fix; f >= 0; f = search->fixes[f].before) {
        const qp_fix *other = &search->fixes[f];
        bool near = other->clue == fix->clue && other->kind != QP_FIX_DELETE;
        if (other->move != 0 &&
            (near || (search->stories[0].fix >= 0 && t->chain_len == 1) ||
             (other->kind == fix->kind && other->ply + 2 >= fix->ply &&
              other->ply <= fix->ply + 2))) {
            found = other;
            found_at = f;
            if (near && other->ply == fix->ply)
                break;
        }
    }
    if (found == NULL)
        return false;
    /* Of two inserted in a row the first. */
    while (found->kind == QP_FIX_INSERT && found->before >= 0 &&
           search->fixes[found->before].kind == QP_FIX_INSERT &&
           search->fixes[found->before].clue == found->clue) {
        found_at = found->before;
        found = &search->fixes[found_at];
    }
    size_t room = lint->clues.count + CHAIN + 2;
    qp_told *told = malloc(room * sizeof *told);
    if (told == NULL)
        return false;
    size_t count = qp_story_tell(&lint->clues, &lint->game->start, lint->base, search, story,
                                 told, room);
    qp_board board = lint->game->start;
    bool fine = false;
    for (size_t i = 0; i < count && !fine; i++) {
        if (told[i].fix == found_at) {
            const qp_clue *token = found->kind == QP_FIX_INSERT ? NULL
                                                                : &lint->clues.clue[found->clue];
            if (token != NULL && token->kind != QP_CLUE_MOVE)
                token = NULL;
            *o = (offer){.move = told[i].move,
                         .ply = (uint32_t)i + 1,
                         .text = qp_change_spell(lint, &board, told[i].move, token)};
            if (i + 1 < count && told[i].clue == UINT32_MAX &&
                told[i + 1].clue == UINT32_MAX)
                o->second = told[i + 1].move;
            for (size_t k = i; told[k].clue == UINT32_MAX && k + 1 < count &&
                               told[k + 1].clue == UINT32_MAX;) {
                qp_board_play(&board, told[k++].move);
                qp_str more = qp_change_spell(lint, &board, told[k].move, NULL);
                o->text = qp_arena_printf(lint->record->arena, "%.*s %.*s", (int)o->text.len,
                                          o->text.data, (int)more.len, more.data);
            }
            fine = true;
        }
        qp_board_play(&board, told[i].move);
    }
    free(told);
    return fine;
}

/* The best story's move first, then what the others have in its place. */
static void suggest_all(teller *t, qp_report *report, const qp_fix *fix, qp_certainty sure)
{
    const qp_search_result *search = &t->lint->search;
    offer o;
    if (report == NULL)
        return;
    for (size_t i = 0; i < search->story_count; i++)
        if (offer_of(t, &search->stories[i], fix, &o))
            suggest(t, report, &o, i == 0 ? sure : QP_POSSIBLE, report->ply);
}

/* ---- one fix after the other ---- */

static qp_report *tell_missing(teller *t, size_t *index)
{
    qp_linting *lint = t->lint;
    const qp_fix *fix = fix_at(t, *index);
    size_t count = 1;
    while (*index + count < t->chain_len &&
           fix_at(t, *index + count)->kind == QP_FIX_INSERT &&
           fix_at(t, *index + count)->clue == fix->clue)
        count++;
    qp_certainty sure = certainty(t, fix);
    for (size_t i = 1; i < count; i++) {
        qp_certainty other = certainty(t, fix_at(t, *index + i));
        if (other < sure)
            sure = other;
    }
    const qp_clue *clue =
        &lint->clues.clue[fix->clue < lint->clues.count ? fix->clue : lint->clues.count - 1];
    qp_board board;
    board_before(t, fix->ply, &board);
    const char *side = board.side == QP_RED ? "red" : "black";
    qp_report *report =
        count == 1 ? qp_record_report(lint->record, QP_D_move_missing, clue->at, clue->len,
                                      NULL, "%s's move is missing before this", side)
                   : qp_record_report(lint->record, QP_D_move_missing, clue->at, clue->len,
                                      NULL, "%u plies are missing before this",
                                      (unsigned)count);
    qp_lint_about(t->lint, report, &board, fix->ply);
    if (report != NULL)
        report->missing = (uint32_t)count;
    suggest_all(t, report, fix, sure);
    qp_change_insert(lint, t->told + fix->ply - 1, count, &board, fix->clue, fix->ply, sure);
    *index += count;
    return report;
}

static void tell_doubled(teller *t, size_t *index)
{
    qp_linting *lint = t->lint;
    const qp_fix *fix = fix_at(t, *index), *last = fix;
    const qp_clue *clue = &lint->clues.clue[fix->clue];
    ++*index;
    if (clue->kind == QP_CLUE_BLANK)
        return;
    qp_certainty sure = certainty(t, fix);
    while (fix->again && *index < t->chain_len && fix_at(t, *index)->kind == QP_FIX_DELETE &&
           fix_at(t, *index)->again && fix_at(t, *index)->ply == fix->ply) {
        last = fix_at(t, *index);
        ++*index;
    }
    qp_board board;
    board_before(t, fix->ply, &board);
    const qp_clue *end = &lint->clues.clue[last->clue];
    qp_report *report = qp_record_report(
        lint->record, fix->again ? QP_D_move_doubled : QP_D_move_unreadable, clue->at,
        end->at + end->len - clue->at, NULL,
        fix->again ? last != fix ? "this round is written twice" : "this move is written twice"
                   : "without this the rest can be played");
    qp_lint_about(t->lint, report, &board, fix->ply);
    qp_report_suggest(lint->record, report, (qp_str){"", 0}, 0, sure);
    qp_change_delete(lint, fix->clue, last->clue, sure);
}

static void tell_swapped(teller *t, const qp_fix *fix)
{
    qp_linting *lint = t->lint;
    const qp_clue *a = &lint->clues.clue[fix->clue], *b = a + 1;
    qp_board board;
    board_before(t, fix->ply, &board);
    qp_report *report =
        qp_record_report(lint->record, QP_D_columns_swapped, a->at, b->at + b->len - a->at,
                         "round", "these two moves stand in each other's place");
    qp_lint_about(t->lint, report, &board, fix->ply);
    const char *text = lint->record->text;
    qp_report_suggest(lint->record, report,
                      qp_arena_printf(lint->record->arena, "%.*s %.*s", (int)b->len,
                                      text + b->at, (int)a->len, text + a->at),
                      0, QP_LIKELY);
    qp_change_swap(lint, fix->clue, fix->clue + 1, QP_LIKELY);
}

/* Another move than the one that stands there. index: of its fix in the chain. */
static void tell_written(teller *t, size_t index, qp_report *replayed)
{
    qp_linting *lint = t->lint;
    const qp_fix *fix = fix_at(t, index);
    const qp_clue *clue = &lint->clues.clue[fix->clue];
    qp_certainty sure = certainty(t, fix);
    qp_report *report = NULL;
    qp_board board;
    board_before(t, fix->ply, &board);
    qp_str text =
        qp_change_spell(lint, &board, fix->move, clue->kind == QP_CLUE_MOVE ? clue : NULL);
    if (clue->kind == QP_CLUE_BLANK) {
        report = qp_record_report(lint->record, QP_D_move_missing, clue->at, clue->len,
                                  "placeholder",
                                  clue->len != 0 ? "a mark stands here in place of %s's move"
                                                 : "%s's move is missing here",
                                  board.side == QP_RED ? "red" : "black");
        if (report != NULL)
            report->missing = 1;
        qp_lint_about(t->lint, report, &board, fix->ply);
    } else if (clue->written.form == QP_FORM_NONE) {
        bool glyph = fix->cost < QP_COST_ANY;
        report = qp_record_report(lint->record, glyph ? QP_D_move_glyph : QP_D_move_unreadable,
                                  clue->at, clue->len, NULL,
                                  glyph ? "misread: %.*s is meant" : "%.*s fits what follows",
                                  (int)text.len, text.data);
        qp_lint_about(t->lint, report, &board, fix->ply);
    } else if (replayed != NULL && index == 0) {
        report = replayed;
    } else {
        qp_reason reason = {.code = QP_D_move_unreadable, .at = QP_NO_SQUARE};
        qp_board stuck;
        uint32_t at;
        if (qp_repair_stuck(&lint->clues, &lint->game->start, lint->base, &lint->search,
                            fix->before, &stuck, &at) &&
            at < lint->clues.count && lint->clues.clue[at].kind == QP_CLUE_MOVE &&
            lint->clues.clue[at].written.form != QP_FORM_NONE) {
            const qp_clue *bad = &lint->clues.clue[at];
            qp_resolve_why(&stuck, &bad->written, lint->base, &reason);
            uint32_t ply = 0;
            while (ply < t->told_count && t->told[ply].clue != at)
                ply++;
            report = qp_record_report(lint->record, reason.code, bad->at, bad->len,
                                      reason.detail, "%s", reason.message);
            qp_lint_about(t->lint, report, &stuck, ply + 1);
        } else {
            report = qp_record_report(lint->record, QP_D_move_glyph, clue->at, clue->len, NULL,
                                      "%.*s lets the rest be played", (int)text.len, text.data);
            qp_lint_about(t->lint, report, &board, fix->ply);
        }
    }
    suggest_all(t, report, fix, sure);
    if (report != NULL && report->note.len == 0) {
        const char *seat = fix->kind == QP_FIX_SEAT
                               ? "it is written as the other side numbers the files"
                               : NULL;
        if (report->ply != fix->ply)
            report->note = qp_arena_printf(
                lint->record->arena, "the cause is ply %u, %.*s: %s%s%.*s lets the rest be "
                "played", (unsigned)fix->ply, (int)clue->len, lint->record->text + clue->at,
                seat ? seat : "", seat ? "; " : "", (int)text.len, text.data);
        else if (seat != NULL)
            report->note = qp_arena_str(lint->record->arena, seat, strlen(seat));
    }
    qp_change_add(lint, clue->at, clue->len, text, sure);
}

/* A sound token with several readings. */
static void tell_reading(teller *t, size_t index, qp_report *replayed)
{
    qp_linting *lint = t->lint;
    const qp_fix *fix = fix_at(t, index);
    const qp_clue *clue = &lint->clues.clue[fix->clue];
    bool open = false;
    for (size_t i = 1; i < lint->search.story_count; i++)
        open |= !story_has(&lint->search, &lint->search.stories[i], fix);
    qp_report *report = replayed;
    qp_board board;
    board_before(t, fix->ply, &board);
    if (report == NULL || report->at != clue->at) {
        if (!open)
            return; /* the rest decides, and replay sees that too */
        report = qp_record_report(lint->record, QP_D_move_ambiguous, clue->at, clue->len, NULL,
                                  "more than one piece can make the move and nothing decides");
        qp_lint_about(t->lint, report, &board, fix->ply);
    }
    qp_certainty sure = certainty(t, fix);
    suggest_all(t, report, fix, sure);
    qp_change_add(lint, clue->at, clue->len, qp_change_spell(lint, &board, fix->move, clue),
                  sure);
}

/* ---- the whole ---- */

static int by_place(const void *a, const void *b)
{
    const qp_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->len > y->len) - (x->len < y->len);
}

void qp_lint_explain(qp_linting *lint)
{
    qp_record *record = lint->record;
    const qp_search_result *search = &lint->search;
    if (search->story_count == 0 || search->stories[0].fix < 0)
        return;
    teller t = {.lint = lint, .best = &search->stories[0]};
    unsigned fixes = 0;
    for (int32_t f = t.best->fix; f >= 0 && t.chain_len < CHAIN; f = search->fixes[f].before)
        t.chain[t.chain_len++] = f;
    for (size_t i = 0; i < t.chain_len / 2; i++) {
        int32_t swap = t.chain[i];
        t.chain[i] = t.chain[t.chain_len - 1 - i];
        t.chain[t.chain_len - 1 - i] = swap;
    }
    for (size_t i = 0; i < t.chain_len; i++)
        fixes += fix_at(&t, i)->cost;
    t.clean = t.best->cost == fixes;
    size_t room = lint->clues.count + CHAIN + 2;
    t.told = malloc(room * sizeof *t.told);
    if (t.told == NULL) {
        record->failed = true;
        return;
    }
    t.told_count = qp_story_tell(&lint->clues, &lint->game->start, lint->base, search, t.best,
                                 t.told, room);
    const qp_fix *first = fix_at(&t, 0);
    const qp_clue *clue = first->clue < lint->clues.count ? &lint->clues.clue[first->clue] : NULL;
    bool keeps = (first->kind == QP_FIX_WRITE || first->kind == QP_FIX_SEAT ||
                  first->kind == QP_FIX_READ) &&
                 clue != NULL && clue->written.form != QP_FORM_NONE;
    if (!keeps)
        drop_reports(record, is_move_error, 0);
    bool structural = false;
    for (size_t i = 0; i < t.chain_len; i++) {
        const qp_fix *fix = fix_at(&t, i);
        structural |= fix->kind == QP_FIX_INSERT || fix->kind == QP_FIX_DELETE ||
                      (fix->clue < lint->clues.count &&
                       lint->clues.clue[fix->clue].kind == QP_CLUE_BLANK);
    }
    if (structural)
        drop_reports(record, is_number, clue != NULL ? clue->at : 0);
    qp_report *replayed = replay_error(record);
    size_t replayed_at = replayed != NULL ? (size_t)(replayed - record->reports) : SIZE_MAX;
    for (size_t i = 0; i < t.chain_len;) {
        const qp_fix *fix = fix_at(&t, i);
        /* The vector of reports may have moved. */
        replayed = replayed_at != SIZE_MAX ? &record->reports[replayed_at] : NULL;
        switch ((qp_fix_kind)fix->kind) {
        case QP_FIX_INSERT: {
            const qp_clue *at =
                fix->clue < lint->clues.count ? &lint->clues.clue[fix->clue] : NULL;
            qp_report *report = tell_missing(&t, &i);
            if (report != NULL && report->missing >= 2 && at != NULL &&
                at->kind == QP_CLUE_NUMBER) {
                qp_report *gap = qp_record_report(
                    record, QP_D_number_gap, at->at, at->len, "moveno-mismatch",
                    "the number %u does not follow the one before it", at->number);
                if (gap != NULL)
                    gap->ply = fix->ply;
            }
            break;
        }
        case QP_FIX_DELETE:
            tell_doubled(&t, &i);
            break;
        case QP_FIX_SWAP:
            tell_swapped(&t, fix);
            i++;
            break;
        case QP_FIX_READ:
            tell_reading(&t, i++, replayed);
            break;
        case QP_FIX_WRITE:
        case QP_FIX_SEAT:
            tell_written(&t, i++, replayed);
            break;
        }
    }
    free(t.told);
    if (lint->change_count > 1)
        qsort(lint->changes, lint->change_count, sizeof *lint->changes, by_place);
}
