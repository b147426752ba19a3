/* Why the game ended, as the record states it, and the result, against what the board and
 * the rules on repetition and the move limit support. Reasons that no board shows
 * (resignation, time, agreement) are taken as they stand. */
#include "config.h"

#include "check/ruling.h"

#include <stdio.h>

typedef enum reason {
    REASON_NONE,
    REASON_MATE,
    REASON_LIMIT,
    REASON_REPETITION,
    REASON_AGREED,
    REASON_LOSS, /* resignation, time, foul ...: of a side, where it is named */
} reason;

typedef struct stated {
    reason reason;
    const qp_record_tag *tag; /* where it stands; NULL: in a comment */
    qp_str text;
    bool named; /* who lost, where the reason is a loss */
    qp_side loser;
} stated;

static reason by_mark(const char *mark)
{
    static const struct {
        const char *mark;
        reason reason;
    } marks[] = {{"checkmate", REASON_MATE},   {"stalemate", REASON_MATE},
                 {"move-limit", REASON_LIMIT}, {"repetition", REASON_REPETITION},
                 {"agreement", REASON_AGREED}, {"resignation", REASON_LOSS},
                 {"time", REASON_LOSS},        {"forfeit", REASON_LOSS},
                 {"abandoned", REASON_LOSS},   {"foul", REASON_LOSS}};
    for (size_t i = 0; i < QP_COUNT(marks); i++)
        if (mark != NULL && strcmp(marks[i].mark, mark) == 0)
            return marks[i].reason;
    return REASON_NONE;
}

bool qp_has_word(qp_str text, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.data + i, word, len) == 0)
            return true;
    return false;
}

/* Who lost, where a side is named; a foul need not be a loss. */
static void name_loser(stated *s, qp_patterns *patterns, const qp_match *match)
{
    unsigned group = qp_pattern_group(patterns, "end-word", "side");
    qp_str side = match->group[group];
    if (group == 0 || side.len == 0 || s->reason != REASON_LOSS ||
        (strcmp(match->mark, "foul") == 0 && !qp_has_word(match->whole, "负") &&
         !qp_has_word(match->whole, "負")))
        return;
    s->named = true;
    s->loser = qp_has_word(side, "黑") ? QP_BLACK : QP_RED;
}

/* Text that is a reason and nothing else, but for the result: a longer comment may speak
 * of a line that was not played. */
static void read_reason(stated *s, qp_patterns *patterns, qp_str text)
{
    static const char *const words[] = {"checkmate", "stalemate", "repetition",
                                        "move-limit"};
    enum { LONGEST = 60 };
    qp_match match;
    qp_result result;
    s->text = text = qp_str_trim(text);
    s->reason = REASON_NONE;
    if (text.len == 0 || text.len > LONGEST)
        return;
    for (size_t i = 0; i < QP_COUNT(words); i++)
        if (qp_str_is_nocase(text, words[i]))
            s->reason = by_mark(words[i]);
    if (s->reason != REASON_NONE ||
        !qp_pattern_find(patterns, "end-word", text, 0, &match))
        return;
    /* 绝杀 is said of a mate that cannot be helped as well, in which the other side
     * resigns. */
    if (qp_has_word(match.whole, "绝杀") || qp_has_word(match.whole, "絕殺"))
        return;
    const char *behind = match.whole.data + match.whole.len;
    qp_str rest = qp_str_trim((qp_str){behind, (size_t)(text.data + text.len - behind)});
    static const char *const marks[] = {
        "\xef\xbc\x8c", "\xe3\x80\x82", "\xef\xbc\x89", ",", ".", ")"};
    for (size_t i = 0; i < QP_COUNT(marks); i++) {
        size_t len = strlen(marks[i]);
        if (rest.len >= len && memcmp(rest.data, marks[i], len) == 0)
            rest = qp_str_trim((qp_str){rest.data + len, rest.len - len});
    }
    if (rest.len != 0 && !qp_result_read(patterns, rest, &result))
        return;
    s->reason = by_mark(match.mark);
    name_loser(s, patterns, &match);
}

static stated find_reason(const qp_checking *c)
{
    const qp_record *record = c->record;
    stated s = {.reason = REASON_NONE};
    size_t at = c->tags[QP_CHECKED_TERMINATION].first;
    const qp_record_tag *tag;
    while ((tag = qp_checked_next(c, QP_CHECKED_TERMINATION, &at)) != NULL) {
        read_reason(&s, c->patterns, qp_tag_value(record, tag));
        s.tag = tag;
        if (s.reason != REASON_NONE)
            return s;
    }
    const qp_node *last = c->game->comment_places != 0 ? c->game->first : NULL;
    while (last != NULL && last->next != NULL)
        last = last->next;
    s.tag = NULL;
    if (last == NULL || last->extra == NULL)
        return s;
    for (const qp_comment *comment = last->extra->after;
         comment != NULL && s.reason == REASON_NONE; comment = comment->next)
        read_reason(&s, c->patterns, comment->text);
    return s;
}

static void report(qp_checking *c, const stated *s, qp_code code, const char *detail,
                   const char *message)
{
    if (s->tag != NULL)
        qp_record_report(c->record, code, s->tag->value_at, s->tag->value_len, detail,
                         "%s", message);
    else
        qp_record_remark(c->record, code, detail, "%s", message);
}

/* The result that a reason gives, which no board shows. */
static void against_result(qp_checking *c, const stated *s, qp_result right)
{
    qp_result result = c->game->result;
    char message[256];
    if (c->game->end != QP_END_NONE || result == right)
        return;
    bool open = result == QP_RESULT_UNKNOWN;
    snprintf(message, sizeof message, "the record says %.*s, so the result is %s%s%s",
             (int)s->text.len, s->text.data, qp_result_text(right), open ? "" : ", not ",
             open ? "" : qp_result_text(result));
    qp_check_report_result(c, open ? QP_D_result_missing : QP_D_result_odd,
                           open ? NULL : "reason-contradicts-result", message, right,
                           open ? QP_LIKELY : QP_POSSIBLE);
}

static void against_reason(qp_checking *c, const stated *s)
{
    const qp_judgement *judged = c->judgement;
    const qp_loop *loop = judged->loop;
    int len = (int)s->text.len;
    char message[256];
    switch (s->reason) {
    case REASON_MATE:
        if (c->game->end != QP_END_NONE)
            break;
        snprintf(
            message, sizeof message,
            "the record says %.*s, but the side to move is neither mated nor without "
            "a move",
            len, s->text.data);
        report(c, s, QP_D_result_mismatch, "reason-contradicts-position", message);
        break;
    case REASON_LIMIT:
        if (judged->limit.reached)
            break;
        snprintf(message, sizeof message,
                 "the record says %.*s, but no side could claim it after %u rounds", len,
                 s->text.data, (unsigned)judged->rules->limit_rounds);
        report(c, s, QP_D_result_odd, "reason-unsupported", message);
        break;
    case REASON_REPETITION:
        if (loop != NULL && strcmp(loop->state, "below-threshold") != 0)
            break;
        snprintf(message, sizeof message,
                 "the record says %.*s, but no position comes up often enough by %s", len,
                 s->text.data, judged->rules->name);
        report(c, s, QP_D_result_odd, "reason-unsupported", message);
        break;
    case REASON_AGREED:
        against_result(c, s, QP_RESULT_DRAW);
        break;
    case REASON_LOSS:
        if (s->named)
            against_result(c, s, s->loser == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED);
        break;
    case REASON_NONE:
        break;
    }
}

/* The result against a loop that has a loser, and the grounds of a draw. */
static void against_ruling(qp_checking *c)
{
    static const stated nowhere = {.reason = REASON_NONE};
    const qp_judgement *judged = c->judgement;
    qp_result result = c->game->result;
    bool red = judged->verdict == QP_VERDICT_RED_LOSES;
    bool black = judged->verdict == QP_VERDICT_BLACK_LOSES;
    bool sure = judged->loop != NULL && judged->loop->grade != QP_GRADE_DERIVED &&
                judged->loop->grade != QP_GRADE_ARBITER;
    char message[256];
    if (c->game->end != QP_END_NONE)
        return;
    if (sure && judged->loop->passes >= 4 &&
        ((red && result == QP_RESULT_RED) || (black && result == QP_RESULT_BLACK))) {
        snprintf(message, sizeof message,
                 "the result is %s, but by %s %s loses if a ruling was asked for (%s)",
                 qp_result_text(result), judged->rules->name, red ? "red" : "black",
                 judged->reason);
        report(c, &nowhere, QP_D_result_odd, "result-contradicts-ruling", message);
    } else if (result == QP_RESULT_DRAW &&
               (judged->verdict != QP_VERDICT_NONE || judged->limit.can_claim[QP_RED] ||
                judged->limit.can_claim[QP_BLACK])) {
        bool limit = judged->verdict == QP_VERDICT_NONE;
        bool draw = judged->verdict == QP_VERDICT_DRAW;
        if (limit)
            snprintf(message, sizeof message, "the draw can rest on the move limit (%s)",
                     judged->rules->name);
        else if (draw)
            snprintf(message, sizeof message,
                     "the draw can rest on the repetition: by %s it is a draw",
                     judged->rules->name);
        else if (judged->verdict == QP_VERDICT_NEEDS_ARBITER)
            snprintf(message, sizeof message,
                     "the draw may rest on the repetition: by %s an arbiter must decide",
                     judged->rules->name);
        else
            snprintf(
                message, sizeof message,
                "the draw must have another ground than the repetition: by %s %s (%s)",
                judged->rules->name,
                qp_term(qp_verdict_name(judged->verdict), QP_ENGLISH), judged->reason);
        report(c, &nowhere, QP_D_result_note, "draw-ground", message);
    }
}

/* Whether a record says anything of how its game ended. */
static bool says_something(const qp_checking *c)
{
    const qp_record *record = c->record;
    size_t at = c->tags[QP_CHECKED_TERMINATION].first;
    const qp_record_tag *tag;
    while ((tag = qp_checked_next(c, QP_CHECKED_TERMINATION, &at)) != NULL)
        if (qp_str_trim(qp_tag_value(record, tag)).len != 0)
            return true;
    const qp_node *last = c->game->first;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last != NULL && last->extra != NULL && last->extra->after != NULL;
}

/* A decided game without a word on why: resignation is likely, time or a foul possible.
 */
static void without_reason(qp_checking *c)
{
    const qp_game *game = c->game;
    qp_board usual;
    if ((game->result != QP_RESULT_RED && game->result != QP_RESULT_BLACK) ||
        game->end != QP_END_NONE ||
        (c->judgement != NULL && c->judgement->verdict != QP_VERDICT_NONE))
        return;
    qp_board_start(&usual);
    if (game->line_plies == 0 && qp_board_same(&game->start, &usual))
        qp_check_report_result(c, QP_D_result_note, "unplayed",
                               "a result without a move: the game was not played, or its "
                               "moves are lost",
                               QP_RESULT_UNKNOWN, QP_POSSIBLE);
    else if (game->line_plies != 0 && game->legal && !says_something(c))
        qp_check_report_result(c, QP_D_result_note, "result-without-reason",
                               "the board decides nothing, and the record does not say "
                               "why the game ended so",
                               QP_RESULT_UNKNOWN, QP_POSSIBLE);
}

void qp_check_reason(qp_checking *c)
{
    if (c->reasons)
        without_reason(c);
    if (c->judgement == NULL || !c->game->legal || c->game->line_plies == 0)
        return;
    if (c->record->tag_count != 0 || c->game->comment_places != 0) {
        stated s = find_reason(c);
        if (s.reason != REASON_NONE)
            against_reason(c, &s);
    }
    against_ruling(c);
}
