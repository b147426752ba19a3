/* The result: what the tag, the end of the movetext and the board say of it. Source: the
 * rules of play on mate and stalemate (both lose), rules of 2011 on suicide. */
#include "config.h"

#include "check/check.h"

#include <stdio.h>

typedef struct stated {
    qp_result tag, text;
    const qp_record_tag *tag_at;
    const qp_event *text_at;
    bool has_tag, has_text, odd_tag;
} stated;

/* The result at the end of the main line; NULL where there is none. */
static const qp_event *end_of(const qp_record *record)
{
    size_t depth = 0;
    for (size_t i = record->results != 0 ? record->event_count : 0; i > 0; i--) {
        const qp_event *e = &record->events[i - 1];
        depth += e->kind == QP_EV_VAR_CLOSE;
        if (e->kind == QP_EV_VAR_OPEN && depth > 0)
            depth--;
        if (e->kind == QP_EV_RESULT && depth == 0)
            return e;
    }
    return NULL;
}

static stated find_stated(const qp_checking *c)
{
    const qp_record *record = c->record;
    stated s = {0};
    size_t at = c->tags[QP_CHECKED_RESULT].first;
    const qp_record_tag *tag;
    while (!s.has_tag && (tag = qp_checked_next(c, QP_CHECKED_RESULT, &at)) != NULL) {
        s.tag_at = tag;
        s.has_tag =
            qp_result_read(record->patterns, qp_tag_value(record, s.tag_at), &s.tag);
        s.odd_tag = !s.has_tag;
    }
    s.text_at = end_of(record);
    s.has_text = s.text_at != NULL;
    if (s.has_text)
        s.text = (qp_result)s.text_at->value;
    return s;
}

const qp_event *qp_check_open_end(const qp_record *record)
{
    const qp_event *end = end_of(record);
    return end != NULL && (qp_result)end->value == QP_RESULT_UNKNOWN ? end : NULL;
}

static bool decided(qp_result result)
{
    return result != QP_RESULT_UNKNOWN;
}

static qp_result lost_by(qp_side side)
{
    return side == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED;
}

/* What to write for a result where another word stands, in the same dress. */
static qp_str in_dress(const qp_record *record, const qp_report *report, qp_result result)
{
    static const char *const simple[] = {"", "红胜", "黑胜", "和棋"};
    static const char *const traditional[] = {"", "紅勝", "黑勝", "和棋"};
    const char *usual = qp_result_text(result);
    if (report == NULL || !report->placed)
        return qp_str_of(usual);
    qp_str old = {record->text + report->at, report->len};
    if (qp_has_word(old, "胜") || qp_has_word(old, "负") || qp_has_word(old, "红"))
        usual = simple[result];
    else if (qp_has_word(old, "勝") || qp_has_word(old, "負") || qp_has_word(old, "紅"))
        usual = traditional[result];
    return qp_str_of(usual);
}

static void suggest(qp_record *record, qp_report *report, qp_result result,
                    qp_certainty certainty)
{
    qp_report_suggest(record, report, in_dress(record, report, result), 0, certainty);
}

/* A report at the tag's value, else at the movetext's end, else at its last move: behind
 * it where a result is to be added. */
static qp_report *report_at(qp_record *record, const stated *s, qp_code code,
                            const char *detail, const char *message)
{
    if (s->tag_at != NULL)
        return qp_record_report(record, code, s->tag_at->value_at, s->tag_at->value_len,
                                detail, "%s", message);
    if (s->text_at != NULL)
        return qp_record_report(record, code, s->text_at->at, s->text_at->len, detail,
                                "%s", message);
    size_t behind = 0, depth = 0; /* behind: comments and variations of the last move */
    for (size_t i = record->event_count; i > 0; i--) {
        const qp_event *e = &record->events[i - 1];
        size_t end = (size_t)e->at + e->len;
        if (behind == 0 && (e->kind == QP_EV_COMMENT || e->kind == QP_EV_VAR_CLOSE))
            behind = end + (record->text[end] == '}');
        depth += e->kind == QP_EV_VAR_CLOSE;
        if (e->kind == QP_EV_VAR_OPEN && depth > 0)
            depth--;
        if (e->kind != QP_EV_MOVE || depth != 0)
            continue;
        if (code == QP_D_result_missing)
            return qp_record_report(record, code, behind > end ? behind : end, 0, detail,
                                    "%s", message);
        return qp_record_report(record, code, e->at, e->len, detail, "%s", message);
    }
    return qp_record_remark(record, code, detail, "%s", message);
}

void qp_check_report_result(qp_checking *c, qp_code code, const char *detail,
                            const char *message, qp_result right, qp_certainty certainty)
{
    stated s = find_stated(c);
    qp_report *report = report_at(c->record, &s, code, detail, message);
    if (right != QP_RESULT_UNKNOWN)
        suggest(c->record, report, right, certainty);
}

/* The move that broke the main line loses for its mover, where it was suicide. */
static bool suicide(const qp_game *game, qp_side *loser)
{
    qp_board board = game->start;
    for (const qp_node *node = game->first; node != NULL; node = node->next) {
        if (node->flags & QP_NODE_ILLEGAL) {
            qp_refusal refusal = qp_board_refuse(&board, node->move);
            qp_code code = qp_refusal_code(refusal);
            *loser = (qp_side)board.side;
            return node->next == NULL && refusal != QP_REFUSE_CAPTURES_KING &&
                   (code == QP_D_move_exposes_king || code == QP_D_move_kings_face);
        }
        if (node->flags != 0)
            return false;
        qp_tree_play(&board, node);
    }
    return false;
}

/* Moves behind the end count for nothing, but put it in doubt: then a result is not
 * missed. */
static void against_board(qp_checking *c, const stated *s)
{
    const qp_game *game = c->game;
    char message[160];
    qp_result right = lost_by((qp_side)game->final.side);
    bool wrong = decided(game->result) && game->result != right;
    if (game->end == QP_END_NONE)
        return;
    snprintf(message, sizeof message, "%s is %s on the board, so the result is %s%s%s",
             game->final.side == QP_RED ? "red" : "black",
             game->end == QP_END_CHECKMATE ? "checkmated" : "stalemated and loses",
             qp_result_text(right), wrong ? ", not " : "",
             wrong ? qp_result_text(game->result) : "");
    if (wrong) {
        qp_report *report = report_at(c->record, s, QP_D_result_mismatch,
                                      "result-contradicts-mate", message);
        suggest(c->record, report, right, game->legal ? QP_LIKELY : QP_POSSIBLE);
    } else if (!decided(game->result) && game->legal) {
        qp_report *report = report_at(c->record, s, QP_D_result_missing, NULL, message);
        suggest(c->record, report, right, QP_CERTAIN);
    }
}

/* A last move that exposes its own king loses; it may as well be misread. */
static void against_suicide(qp_checking *c, const stated *s)
{
    const qp_game *game = c->game;
    qp_side loser;
    char message[160];
    if (game->end != QP_END_NONE || game->legal || !suicide(game, &loser) ||
        game->result == lost_by(loser))
        return;
    bool open = !decided(game->result);
    if (open && !s->has_tag && !s->has_text)
        return;
    snprintf(message, sizeof message,
             "%s's last move exposes its own king and loses, so the result is %s%s%s",
             loser == QP_RED ? "red" : "black", qp_result_text(lost_by(loser)),
             open ? "" : ", not ", open ? "" : qp_result_text(game->result));
    qp_report *report =
        report_at(c->record, s, open ? QP_D_result_missing : QP_D_result_odd,
                  open ? NULL : "result-contradicts-illegal-move", message);
    suggest(c->record, report, lost_by(loser), QP_POSSIBLE);
}

/* What the tag says against the end of the movetext. Where the board bears out the
 * movetext, its quarrel with the tag is told there. */
static void tag_against_text(qp_checking *c, const stated *s)
{
    qp_record *record = c->record;
    const qp_game *game = c->game;
    if (decided(s->tag) && decided(s->text) && s->tag != s->text) {
        bool board_decides = game->line_plies != 0 && game->end != QP_END_NONE;
        qp_result right = board_decides ? lost_by((qp_side)game->final.side) : s->tag;
        if (board_decides && right == s->text)
            return;
        qp_report *report = qp_record_report(
            record, QP_D_result_mismatch, s->text_at->at, s->text_at->len,
            "result-mismatch", "the header says %s, the moves end in %s",
            qp_result_text(s->tag), qp_result_text(s->text));
        suggest(record, report, right,
                board_decides && game->legal ? QP_LIKELY : QP_POSSIBLE);
    } else if (!decided(s->tag) && decided(s->text) &&
               qp_tag_value(record, s->tag_at).len != 0) {
        qp_report *report = qp_record_report(
            record, QP_D_result_missing, s->tag_at->value_at, s->tag_at->value_len, NULL,
            "the header leaves the result open, the moves end in %s",
            qp_result_text(s->text));
        suggest(record, report, s->text, QP_LIKELY);
    }
}

/* Statements of one kind that contradict each other: two tags, two ends of the movetext. */
static void against_another(qp_checking *c, const stated *s)
{
    static const char said[] = "%s %s, and before that %s";
    qp_record *record = c->record;
    size_t at = c->tags[QP_CHECKED_RESULT].first, depth = 0;
    const qp_record_tag *tag;
    qp_result first = QP_RESULT_UNKNOWN, result;
    while ((tag = qp_checked_next(c, QP_CHECKED_RESULT, &at)) != NULL) {
        if (!qp_result_read(record->patterns, qp_tag_value(record, tag), &result) ||
            !decided(result))
            continue;
        if (decided(first) && result != first)
            qp_record_report(record, QP_D_result_mismatch, tag->value_at, tag->value_len,
                             "result-mismatch", said, "the header says", qp_result_text(result),
                             qp_result_text(first));
        first = result;
    }
    first = QP_RESULT_UNKNOWN;
    for (size_t i = 0; record->results > 1 && i < record->event_count; i++) {
        const qp_event *e = &record->events[i];
        depth += e->kind == QP_EV_VAR_OPEN;
        if (e->kind == QP_EV_VAR_CLOSE && depth > 0)
            depth--;
        if (e->kind != QP_EV_RESULT || depth != 0 || !decided((qp_result)e->value))
            continue;
        if (decided(first) && e->value != first)
            qp_record_report(record, QP_D_result_mismatch, e->at, e->len, "result-mismatch",
                             said, "the moves end in", qp_result_text((qp_result)e->value),
                             qp_result_text(first));
        first = (qp_result)e->value;
    }
}

void qp_check_result(qp_checking *c)
{
    qp_record *record = c->record;
    const qp_game *game = c->game;
    stated s = find_stated(c);
    if (s.odd_tag) {
        qp_str value = qp_tag_value(record, s.tag_at);
        qp_record_report(record, QP_D_tag_broken, s.tag_at->value_at, s.tag_at->value_len,
                         "result-unknown-word", "no known wording of a result: %.*s",
                         (int)(value.len < 40 ? value.len : qp_whole_len(value.data, 40)),
                         value.data);
    }
    if (s.has_tag && s.has_text)
        tag_against_text(c, &s);
    against_another(c, &s);
    if (game->line_plies == 0)
        return;
    against_board(c, &s);
    against_suicide(c, &s);
    if (game->end == QP_END_NONE && game->legal && qp_board_dead_material(&game->final) &&
        (game->result == QP_RESULT_RED || game->result == QP_RESULT_BLACK))
        report_at(record, &s, QP_D_result_odd, "result-dead-material",
                  "neither side has a piece left that can win");
}
