/* qp_lint: the checks, then the record as a card. A sound record costs one more reading of its
 * moves; the search runs only where something is wrong. */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

static void end_linting(void *kept)
{
    qp_linting *lint = kept;
    if (lint == NULL)
        return;
    qp_clues_clear(&lint->clues);
    qp_repair_clear(&lint->search);
    qp_confusions_free(lint->confusions);
    free(lint->changes);
    free(lint->edits);
    qp_buf_clear(&lint->edit_bytes);
    free(lint);
}

static qp_linting *linting_of(qp_reader *reader)
{
    void **kept = qp_reader_lint(reader, end_linting);
    if (*kept == NULL)
        *kept = calloc(1, sizeof(qp_linting));
    qp_linting *lint = *kept;
    if (lint != NULL)
        lint->reader = reader;
    return lint;
}

/* ---- columns ---- */

/* The clues with the two moves of each round exchanged; false where they do not stand in
 * pairs. */
static bool swap_pairs(const qp_clues *clues, qp_clues *out)
{
    *out = *clues;
    out->clue = malloc((clues->count + 1) * sizeof *out->clue);
    if (out->clue == NULL)
        return false;
    if (clues->count != 0)
        memcpy(out->clue, clues->clue, clues->count * sizeof *out->clue);
    size_t pairs = 0;
    for (size_t i = 0; i + 1 < clues->count; i++) {
        qp_clue *a = &out->clue[i], *b = a + 1;
        if (a->kind != QP_CLUE_MOVE || b->kind != QP_CLUE_MOVE || a->weak || b->weak)
            continue;
        qp_clue swap = *a;
        *a = *b;
        *b = swap;
        pairs++;
        i++;
    }
    return pairs >= 2;
}

static unsigned wrong_dress(const qp_clues *clues)
{
    unsigned wrong = 0, side = QP_RED;
    for (size_t i = 0; i < clues->count; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind == QP_CLUE_NUMBER)
            side = QP_RED;
        if (clue->kind == QP_CLUE_DOTS)
            side = QP_BLACK;
        if (clue->kind != QP_CLUE_MOVE || clue->weak)
            continue;
        wrong += clue->side != QP_NO_SIDE && clue->side != side;
        side ^= 1;
    }
    return wrong;
}

/* Red's and Black's moves in each other's column: the exchanged record replays better, or as
 * well and in the right dress. */
static bool columns_swapped(qp_linting *lint)
{
    const qp_clues *clues = &lint->clues;
    qp_clues other = {0};
    uint32_t plies, cost, other_plies, other_cost;
    bool swapped = false;
    if (clues->moves >= 4 && lint->game->start.side == QP_RED && swap_pairs(clues, &other)) {
        bool whole = qp_repair_plain(clues, &lint->game->start, lint->base, &plies, &cost);
        bool other_whole =
            qp_repair_plain(&other, &lint->game->start, lint->base, &other_plies, &other_cost);
        bool dress = clues->dressed && wrong_dress(clues) * 4 >= clues->moves * 3;
        if (dress)
            swapped = other_whole || (other_plies + 2 >= plies && !whole);
        else
            swapped = !whole && wrong_dress(clues) * 4 >= clues->moves &&
                      other_plies >= plies + (other_whole ? 2 : 8);
        if (!swapped && !clues->dressed)
            swapped = !whole && other_plies >= plies + (other_whole ? 2 : 8);
    }
    if (swapped) {
        qp_record *record = lint->record;
        const qp_clue *first = NULL;
        for (size_t i = 0; i + 1 < clues->count; i++) {
            const qp_clue *a = &clues->clue[i], *b = a + 1;
            if (a->kind != QP_CLUE_MOVE || b->kind != QP_CLUE_MOVE || a->weak || b->weak)
                continue;
            if (first == NULL)
                first = a;
            qp_change_swap(lint, (uint32_t)i, (uint32_t)i + 1, QP_LIKELY);
            i++;
        }
        size_t kept = 0;
        for (size_t i = 0; i < record->report_count; i++)
            if (record->reports[i].variation != 0 ||
                record->reports[i].code < QP_D_move_unreadable ||
                record->reports[i].code > QP_D_move_after_end)
                record->reports[kept++] = record->reports[i];
        record->report_count = kept;
        qp_record_report(record, QP_D_columns_swapped, first->at, first->len, NULL,
                         "red's moves stand in black's column and black's in red's");
    }
    free(other.clue);
    return swapped;
}

/* ---- dress ---- */

static void note(qp_linting *lint, const qp_clue *clue, uint32_t ply, const char *detail,
                 const char *message)
{
    qp_report *report = qp_record_report(lint->record, QP_D_notation_style, clue->at, clue->len,
                                         detail, "%s", message);
    if (report != NULL)
        report->ply = ply;
}

/* Notes on moves in an unusual dress, each kind at its first place. */
static void check_style(qp_linting *lint)
{
    const qp_clues *clues = &lint->clues;
    qp_board board = lint->game->start;
    uint32_t ply = 0, arabic[2] = {0}, chinese[2] = {0}, simple = 0, traditional = 0;
    const qp_clue *first_traditional = NULL;
    uint32_t traditional_ply = 0;
    enum { MISSING, NEEDLESS, GLYPH, MIXED, FIRST, WAY, SPACED, ROAD, KINDS };
    bool told[KINDS] = {0};
    for (size_t i = 0; i < clues->count; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind != QP_CLUE_MOVE || clue->weak)
            continue;
        qp_move moves[8];
        unsigned pick = 0, style = clue->written.style;
        ply++;
        if (clue->written.form == QP_FORM_NONE ||
            qp_resolve(&board, &clue->written, lint->base, moves, &pick) != 1)
            return;
        unsigned side = board.side;
        struct {
            bool is;
            unsigned kind;
            const char *detail, *message;
        } notes[] = {
            {pick & QP_PICK_ORDER_MISSING, MISSING, "order-word-missing",
             "two such pieces stand on this file: 前 or 后 is usual, though one alone can move"},
            {pick & QP_PICK_ORDER_NEEDLESS, NEEDLESS, "order-word-needless",
             "no order word is needed here: the file number names the piece"},
            {(side == QP_RED && style & QP_STYLE_GLYPH_BLACK) ||
                 (side == QP_BLACK && style & QP_STYLE_GLYPH_RED),
             GLYPH, "other-sides-glyph", "a piece is written as the other side's is"},
            {(style & QP_STYLE_DIGIT_CHINESE) && (style & QP_STYLE_DIGIT_ARABIC), MIXED,
             "digit-script", "Chinese and Arabic digits stand in one move"},
            {(style & QP_STYLE_PIECE_FIRST) != 0, FIRST, "piece-first",
             "the order word stands behind the piece"},
            {(style & QP_STYLE_RARE_WAY) != 0, WAY, "rare-way", "上 and 下 for 进 and 退"},
            {(style & QP_STYLE_SPACED) != 0, SPACED, "spaced", "blanks stand inside the move"},
            {(style & QP_STYLE_FILE_FIRST) != 0 || (pick & QP_PICK_FILE_FIRST), ROAD,
             "file-first", "the file stands before the piece"},
        };
        for (size_t k = 0; k < QP_COUNT(notes); k++) {
            if (!notes[k].is || told[notes[k].kind])
                continue;
            told[notes[k].kind] = true;
            note(lint, clue, ply, notes[k].detail, notes[k].message);
        }
        arabic[side] += (style & QP_STYLE_DIGIT_ARABIC) != 0;
        chinese[side] += (style & QP_STYLE_DIGIT_CHINESE) != 0;
        simple += (style & QP_STYLE_SIMPLIFIED) != 0;
        traditional += (style & QP_STYLE_TRADITIONAL) != 0;
        if (style & QP_STYLE_TRADITIONAL && first_traditional == NULL) {
            first_traditional = clue;
            traditional_ply = ply;
        }
        qp_board_play(&board, moves[0]);
    }
    if (simple != 0 && traditional != 0)
        note(lint, first_traditional, traditional_ply, "mixed-scripts",
             "simplified and traditional characters stand in one record");
    for (unsigned side = 0; side < 2; side++)
        if (arabic[side] != 0 && chinese[side] != 0) {
            for (size_t i = 0; i < clues->count; i++)
                if (clues->clue[i].kind == QP_CLUE_MOVE) {
                    note(lint, &clues->clue[i], 0, "digit-script",
                         side == QP_RED ? "red's moves have Chinese digits and Arabic ones"
                                        : "black's moves have Chinese digits and Arabic ones");
                    break;
                }
            break;
        }
}

/* ---- the base of coordinates and of digits ---- */

static void find_habits(qp_linting *lint)
{
    uint32_t most = 0;
    unsigned side = QP_RED, arabic = 0, chinese = 0;
    lint->base = QP_BASE_ZERO;
    if (lint->clues.count != 0)
        for (unsigned base = 0; base < QP_BASES; base++) {
            uint32_t plies, cost;
            qp_repair_plain(&lint->clues, &lint->game->start, (qp_base)base, &plies, &cost);
            if (plies > most) {
                most = plies;
                lint->base = (qp_base)base;
            }
        }
    for (size_t i = 0; i < lint->clues.count; i++) {
        const qp_clue *clue = &lint->clues.clue[i];
        if (clue->kind == QP_CLUE_NUMBER)
            side = QP_RED;
        if (clue->kind != QP_CLUE_MOVE)
            continue;
        if (side == QP_RED) {
            arabic += (clue->written.style & QP_STYLE_DIGIT_ARABIC) != 0;
            chinese += (clue->written.style & QP_STYLE_DIGIT_CHINESE) != 0;
        }
        side ^= 1;
    }
    lint->red_arabic = arabic > chinese;
}

/* Marks that stand for a ply, and rounds that begin on Black's turn. */
static bool looks_torn(const qp_linting *lint)
{
    const qp_clues *clues = &lint->clues;
    uint32_t plies, cost;
    if (!qp_repair_plain(clues, &lint->game->start, lint->base, &plies, &cost))
        return true;
    unsigned side = lint->game->start.side;
    bool numbered = false;
    for (size_t i = 0; i < clues->count; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind == QP_CLUE_NUMBER) {
            if (numbered && side != (clue->glued ? QP_BLACK : QP_RED))
                return true;
            numbered = true;
        }
        if (clue->kind == QP_CLUE_MOVE && !clue->weak)
            side ^= 1;
    }
    return false;
}

/* A gap in the numbers for which no game was found: that much is missing all the same. */
static void tell_gap(qp_linting *lint)
{
    const qp_clues *clues = &lint->clues;
    uint32_t plies = 0, last = 0, at_last = 0;
    for (uint32_t i = 0; i < clues->count && i <= lint->search.plain_clue; i++) {
        const qp_clue *clue = &clues->clue[i];
        if (clue->kind == QP_CLUE_NUMBER) {
            uint32_t due = at_last + 2 * (clue->number - last);
            if (last != 0 && clue->number > last && due > plies && !clue->glued) {
                qp_report *report = qp_record_report(
                    lint->record, QP_D_move_missing, clue->at, clue->len, NULL,
                    "%u plies are missing before this", (unsigned)(due - plies));
                if (report != NULL) {
                    report->ply = plies + 1;
                    report->missing = due - plies;
                }
                return;
            }
            last = clue->number;
            at_last = plies;
        }
        plies += clue->kind == QP_CLUE_BLANK || (clue->kind == QP_CLUE_MOVE && !clue->weak);
    }
}

/* What the rules of 1999 and 2011 make of missing plies: each four in a row, and each four, are
 * a foul; by those of 2011 eight may be one or two. */
static void count_fouls(qp_linting *lint)
{
    const char *rules = lint->rules ? lint->rules : QP_RULESET_DEFAULT;
    bool in_a_row = strcmp(rules, "cxa-1999") == 0;
    if (strncmp(rules, "cxa-", 4) != 0)
        return;
    uint32_t total = 0, run = 0, end = 0, rows = 0;
    const qp_report *first = NULL;
    for (size_t i = 0; i < lint->record->report_count; i++) {
        const qp_report *r = &lint->record->reports[i];
        if (r->code != QP_D_move_missing || r->variation != 0)
            continue;
        if (first == NULL)
            first = r;
        if (r->ply != end) {
            rows += run / 4;
            run = 0;
        }
        run += r->missing;
        end = r->ply + r->missing;
        total += r->missing;
    }
    rows += run / 4;
    if (first == NULL || (in_a_row ? rows == 0 : total < 4))
        return;
    uint32_t at = first->at, len = first->len, ply = first->ply, most = total / 4;
    qp_report *report;
    if (in_a_row)
        report = qp_record_report(lint->record, QP_D_scorecard_foul, at, len, "time-unknown",
                                  "%u plies are missing: %u foul%s under %s, unless time was "
                                  "short%s",
                                  (unsigned)total, (unsigned)rows, rows == 1 ? "" : "s", rules,
                                  rows >= 3 ? "; three fouls: a loss can be claimed" : "");
    else if (most > 1)
        report = qp_record_report(lint->record, QP_D_scorecard_foul, at, len, NULL,
                                  "%u plies are missing: 1 to %u fouls under %s%s",
                                  (unsigned)total, (unsigned)most, rules,
                                  most >= 3 ? "; with three a loss can be claimed" : "");
    else
        report = qp_record_report(lint->record, QP_D_scorecard_foul, at, len, NULL,
                                  "%u plies are missing: 1 foul under %s", (unsigned)total,
                                  rules);
    if (report != NULL)
        report->ply = ply;
}

/* The moves of the card as it is understood: mended where it was torn. */
static size_t understood(qp_linting *lint, qp_told *told, size_t room)
{
    static const qp_story plain = {.fix = -1};
    const qp_search_result *search = &lint->search;
    return qp_story_tell(&lint->clues, &lint->game->start, lint->base, search,
                         search->story_count != 0 ? &search->stories[0] : &plain, told, room);
}

/* Where the two cards of a game differ, and what this one lacks at its end. */
static void compare_cards(qp_linting *lint)
{
    enum { FIXES = 64, REPORTS = 12 };
    size_t room = lint->clues.count + FIXES + 2, differ = 0;
    qp_told *told = malloc(room * sizeof *told);
    if (told == NULL)
        return;
    size_t count = understood(lint, told, room);
    qp_board board = lint->game->start;
    for (size_t i = 0; i < count; i++) {
        if (i < lint->against_count && told[i].move != lint->against[i] &&
            told[i].clue != UINT32_MAX && differ++ < REPORTS) {
            const qp_clue *clue = &lint->clues.clue[told[i].clue];
            bool legal = qp_rules_legal(&board, lint->against[i]);
            qp_str other = legal ? qp_change_spell(lint, &board, lint->against[i], NULL)
                                 : QP_STR("a move that cannot be played here");
            qp_report *report =
                qp_record_report(lint->record, QP_D_card_differs, clue->at, clue->len, NULL,
                                 "the other card has %.*s", (int)other.len, other.data);
            if (report != NULL)
                report->ply = (uint32_t)i + 1;
            if (legal)
                qp_report_suggest(lint->record, report, other, lint->against[i], QP_POSSIBLE);
        }
        qp_board_play(&board, told[i].move);
    }
    const qp_clue *last =
        lint->clues.count != 0 ? &lint->clues.clue[lint->clues.count - 1] : NULL;
    size_t more = differ == 0 && lint->against_count > count ? lint->against_count - count : 0;
    qp_told *rest = more != 0 && count != 0 ? malloc(more * sizeof *rest) : NULL;
    if (rest != NULL && last != NULL) {
        qp_report *report = qp_record_report(
            lint->record, QP_D_move_missing, last->at, last->len, "ends-early",
            "the other card goes on for %u %s behind this", (unsigned)more,
            more == 1 ? "ply" : "plies");
        if (report != NULL) {
            report->ply = (uint32_t)count + 1;
            report->missing = (uint32_t)more;
        }
        for (size_t i = 0; i < more; i++)
            rest[i] = (qp_told){lint->against[count + i], UINT32_MAX, -1};
        qp_report_suggest(lint->record, report,
                          qp_change_spell(lint, &board, rest[0].move, NULL), rest[0].move,
                          QP_LIKELY);
        qp_change_insert(lint, rest, more, &board, (uint32_t)lint->clues.count,
                         (uint32_t)count + 1, QP_LIKELY);
    }
    free(rest);
    free(told);
}

static void mend(qp_linting *lint)
{
    enum { CLUES_MAX = 4000 }; /* no game is longer */
    if (lint->clues.count > CLUES_MAX)
        return;
    if (lint->confusions == NULL)
        lint->confusions = qp_confusions_new();
    if (lint->confusions == NULL)
        return;
    qp_clues_split(&lint->clues, lint->record, lint->lexer, lint->confusions);
    if (lint->clues.failed)
        return;
    qp_repair_search(&lint->clues, &lint->game->start, lint->base, lint->against,
                     lint->against_count, &lint->search);
    qp_lint_explain(lint);
    if (lint->search.story_count == 0)
        tell_gap(lint);
}

/* What was decoded wrongly once is put right as a whole. */
static bool mend_mojibake(qp_linting *lint)
{
    for (size_t i = 0; i < lint->record->report_count; i++)
        if (lint->record->reports[i].code == QP_D_encoding_mojibake) {
            const char *how;
            qp_buf meant = {0};
            qp_source *source = qp_reader_source(lint->reader);
            if (qp_mojibake_undo((qp_str){source->text, source->len}, &meant, &how))
                qp_change_add(lint, 0, source->len, (qp_str){meant.data, meant.len}, QP_LIKELY);
            qp_buf_clear(&meant);
            return true;
        }
    return false;
}

/* The `*` that ends the movetext says what the tag says. */
static void mend_end(qp_linting *lint, const qp_report *tag, qp_str right,
                     qp_certainty certainty)
{
    const qp_event *end = qp_check_open_end(lint->record);
    qp_result result;
    if (end != NULL && end->len == 1 && end->at > tag->at &&
        qp_result_read(lint->record->patterns, right, &result))
        qp_change_add(lint, end->at, end->len, qp_str_of(qp_result_text(result)), certainty);
}

/* Results that the board or the record itself decides. A card that is torn is mended
 * first: its end may be another then. */
static void mend_results(qp_linting *lint)
{
    const char *format = lint->game->format;
    bool text = strcmp(format, "pgn") == 0 || strcmp(format, "txt") == 0;
    for (size_t i = 0; i < lint->record->report_count; i++) {
        const qp_report *r = &lint->record->reports[i];
        if ((r->code != QP_D_result_missing && r->code != QP_D_result_mismatch) ||
            !r->placed || r->suggestion_count != 1 ||
            r->suggestions[0].certainty == QP_POSSIBLE)
            continue;
        qp_str right = r->suggestions[0].replace;
        qp_certainty certainty = r->suggestions[0].certainty;
        bool in_tag = r->at != 0 && lint->record->text[r->at - 1] == '"';
        if (r->len != 0 || in_tag)
            qp_change_add(lint, r->at, r->len, right, certainty);
        else if (text) /* behind the last move */
            qp_change_add(lint, r->at, 0,
                          qp_arena_printf(lint->record->arena, " %.*s", (int)right.len,
                                          right.data),
                          certainty);
        if (in_tag)
            mend_end(lint, r, right, certainty);
        return;
    }
}

const qp_finding *qp_lint(qp_reader *reader, const qp_lint_options *options,
                          const qp_judgement **judgement, size_t *count)
{
    qp_linting *lint = linting_of(reader);
    qp_check_options wanted = {.rules = options != NULL ? options->rules : NULL,
                               .tendencies = true};
    const qp_finding *findings = qp_check(reader, &wanted, judgement, count);
    if (lint == NULL)
        return findings;
    lint->change_count = 0;
    lint->record = qp_reader_record(reader);
    lint->game = qp_reader_game(reader);
    lint->context = qp_reader_context(reader);
    lint->lexer = lint->record->lexer ? lint->record->lexer : qp_context_lexer(lint->context);
    lint->rules = wanted.rules;
    lint->against = options != NULL ? options->against : NULL;
    lint->against_count = lint->against != NULL ? options->against_count : 0;
    qp_clues_clear(&lint->clues);
    qp_repair_clear(&lint->search);
    if (!mend_mojibake(lint) && lint->game != NULL) {
        qp_clues_collect(&lint->clues, lint->record, lint->lexer);
        if (!lint->clues.failed) {
            find_habits(lint);
            if (!qp_lint_short(lint) && !columns_swapped(lint)) {
                bool torn = lint->clues.count != 0 && looks_torn(lint);
                /* From a position that is not known no game can be found. */
                if (torn && !(lint->game->plies == 0 && qp_start_is_another(lint->record)))
                    mend(lint);
                else if (!torn)
                    check_style(lint);
                if (lint->against_count != 0)
                    compare_cards(lint);
            }
            count_fouls(lint);
        }
        if (lint->change_count == 0)
            mend_results(lint);
    }
    qp_reader_unplace(reader);
    return qp_reader_place(reader, count);
}

const qp_edit *qp_lint_edits(qp_reader *reader, size_t *count)
{
    qp_linting *lint = linting_of(reader);
    *count = 0;
    if (lint == NULL || lint->change_count == 0 ||
        qp_reader_source(reader)->encoding == QP_ENC_BINARY)
        return NULL;
    qp_source *source = qp_reader_source(reader);
    qp_edit *edits = realloc(lint->edits, lint->change_count * sizeof *edits);
    size_t *from = malloc(lint->change_count * sizeof *from);
    if (edits != NULL)
        lint->edits = edits;
    if (edits == NULL || from == NULL) {
        free(from);
        return NULL;
    }
    lint->edit_bytes.len = 0;
    uint32_t done = 0;
    for (size_t i = 0; i < lint->change_count; i++) {
        const qp_change *change = &lint->changes[i];
        if (*count != 0 && change->at < done)
            continue; /* overlaps: the next round will see to it */
        qp_encoding encoding = qp_source_encoding_at(source, change->at);
        qp_encoder *encoder =
            qp_encoder_open(encoding == QP_ENC_NONE ? "utf-8" : qp_encoding_name(encoding));
        qp_place place;
        if (encoder == NULL)
            continue;
        from[*count] = lint->edit_bytes.len;
        qp_encoder_add(encoder, change->text, &lint->edit_bytes, "?", NULL, NULL);
        qp_encoder_close(encoder);
        edits[*count] = (qp_edit){.certainty = change->certainty};
        if (change->len == 0 && change->at > 0) {
            qp_source_locate(source, change->at - 1, 1, &place);
            edits[*count].byte = edits[*count].byte_end = place.byte_end;
        } else {
            qp_source_locate(source, change->at, change->len, &place);
            edits[*count].byte = place.byte;
            edits[*count].byte_end = change->len ? place.byte_end : place.byte;
        }
        edits[*count].bytes.len = lint->edit_bytes.len - from[*count];
        done = change->at + change->len;
        ++*count;
    }
    for (size_t i = 0; i < *count; i++) /* where all delete, there are no bytes */
        edits[i].bytes.data = lint->edit_bytes.data ? lint->edit_bytes.data + from[i] : "";
    free(from);
    return edits;
}
