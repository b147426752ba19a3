/* The result: what the tag, the end of the movetext and the board say of it. Source: the rules
 * of play on mate and stalemate (both lose), rules of 2011 on suicide. */
#include "config.h"

#include "check/check.h"

#include <stdio.h>

typedef struct stated {
    qp_result tag, text;
    const qp_record_tag *tag_at;
    const qp_event *text_at;
    bool has_tag, has_text, odd_tag;
} stated;

static stated find_stated(const qp_record *record)
{
    stated s = {0};
    for (size_t i = 0; i < record->tag_count && !s.has_tag; i++) {
        if (!qp_str_is_nocase(qp_tag_name(record, &record->tags[i]), "Result"))
            continue;
        s.tag_at = &record->tags[i];
        s.has_tag = qp_result_read(record->patterns, qp_tag_value(record, s.tag_at), &s.tag);
        s.odd_tag = !s.has_tag;
    }
    size_t depth = 0;
    for (size_t i = record->result_seen ? record->event_count : 0; i > 0; i--) {
        const qp_event *e = &record->events[i - 1];
        depth += e->kind == QP_EV_VAR_CLOSE;
        if (e->kind == QP_EV_VAR_OPEN && depth > 0)
            depth--;
        if (e->kind == QP_EV_RESULT && depth == 0) {
            s.text_at = e;
            s.text = (qp_result)e->value;
            s.has_text = true;
            break;
        }
    }
    return s;
}

static bool decided(qp_result result)
{
    return result != QP_RESULT_UNKNOWN;
}

static qp_result lost_by(qp_side side)
{
    return side == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED;
}

/* A report at the tag's value, else at the movetext's end, else at its last move: behind it
 * where a result is to be added. */
static qp_report *report_at(qp_record *record, const stated *s, qp_code code,
                            const char *detail, const char *message)
{
    if (s->tag_at != NULL)
        return qp_record_report(record, code, s->tag_at->value_at, s->tag_at->value_len,
                                detail, "%s", message);
    if (s->text_at != NULL)
        return qp_record_report(record, code, s->text_at->at, s->text_at->len, detail, "%s",
                                message);
    for (size_t i = record->event_count; i > 0; i--) { /* the last move */
        const qp_event *e = &record->events[i - 1];
        if (e->kind == QP_EV_MOVE && code == QP_D_result_missing)
            return qp_record_report(record, code, (size_t)e->at + e->len, 0, detail, "%s",
                                    message);
        if (e->kind == QP_EV_MOVE)
            return qp_record_report(record, code, e->at, e->len, detail, "%s", message);
    }
    return qp_record_remark(record, code, detail, "%s", message);
}

/* The move that broke the main line loses for its mover, where it was suicide. */
static bool suicide(const qp_game *game, qp_side *loser)
{
    qp_board board = game->start;
    for (const qp_node *node = game->first; node != NULL; node = node->next) {
        if (node->flags & QP_NODE_ILLEGAL) {
            qp_code code = qp_refusal_code(qp_board_refuse(&board, node->move));
            *loser = (qp_side)board.side;
            return node->next == NULL &&
                   (code == QP_D_move_exposes_king || code == QP_D_move_kings_face);
        }
        if (node->flags != 0)
            return false;
        qp_tree_play(&board, node);
    }
    return false;
}

static void against_board(qp_checking *c, const stated *s)
{
    const qp_game *game = c->game;
    char message[160];
    qp_result right = lost_by((qp_side)game->final.side);
    bool wrong = decided(game->result) && game->result != right;
    if (game->end == QP_END_NONE || !game->legal) /* moves behind the end put it in doubt */
        return;
    snprintf(message, sizeof message, "%s is %s on the board, so the result is %s%s%s",
             game->final.side == QP_RED ? "red" : "black",
             game->end == QP_END_CHECKMATE ? "checkmated" : "stalemated and loses",
             qp_result_text(right), wrong ? ", not " : "",
             wrong ? qp_result_text(game->result) : "");
    if (wrong) {
        qp_report *report = report_at(c->record, s, QP_D_result_mismatch,
                                      "result-contradicts-mate", message);
        qp_report_suggest(c->record, report, qp_str_of(qp_result_text(right)), 0, QP_LIKELY);
    } else if (!decided(game->result)) {
        qp_report *report = report_at(c->record, s, QP_D_result_missing, NULL, message);
        qp_report_suggest(c->record, report, qp_str_of(qp_result_text(right)), 0,
                          QP_CERTAIN);
    }
}

void qp_check_result(qp_checking *c)
{
    qp_record *record = c->record;
    const qp_game *game = c->game;
    stated s = find_stated(record);
    qp_side loser;
    if (s.odd_tag) {
        qp_str value = qp_tag_value(record, s.tag_at);
        qp_record_report(record, QP_D_tag_broken, s.tag_at->value_at, s.tag_at->value_len,
                         "result-unknown-word", "no known wording of a result: %.*s",
                         (int)(value.len < 40 ? value.len : qp_whole_len(value.data, 40)),
                         value.data);
    }
    if (s.has_tag && s.has_text && decided(s.tag) && decided(s.text) && s.tag != s.text) {
        qp_report *report = qp_record_report(
            record, QP_D_result_mismatch, s.text_at->at, s.text_at->len, "result-mismatch",
            "the Result tag says %s, the movetext ends in %s", qp_result_text(s.tag),
            qp_result_text(s.text));
        bool board_decides = game->end != QP_END_NONE;
        qp_report_suggest(record, report, qp_str_of(qp_result_text(s.tag)), 0,
                          board_decides && s.tag == lost_by((qp_side)game->final.side)
                              ? QP_LIKELY
                              : QP_POSSIBLE);
    } else if (s.has_tag && s.has_text && !decided(s.tag) && decided(s.text) &&
               qp_tag_value(record, s.tag_at).len != 0) {
        qp_report *report = qp_record_report(
            record, QP_D_result_missing, s.tag_at->value_at, s.tag_at->value_len, NULL,
            "the Result tag is open, but the movetext ends in %s", qp_result_text(s.text));
        qp_report_suggest(record, report, qp_str_of(qp_result_text(s.text)), 0, QP_LIKELY);
    }
    if (game->first == NULL)
        return;
    against_board(c, &s);
    if (game->end == QP_END_NONE && !game->legal && suicide(game, &loser) &&
        decided(game->result) && game->result != lost_by(loser))
        report_at(record, &s, QP_D_result_odd, "result-contradicts-illegal-move",
                  loser == QP_RED ? "red's last move exposes its own king and loses"
                                  : "black's last move exposes its own king and loses");
    if (game->end == QP_END_NONE && game->legal && qp_board_dead_material(&game->final) &&
        (game->result == QP_RESULT_RED || game->result == QP_RESULT_BLACK))
        report_at(record, &s, QP_D_result_odd, "result-dead-material",
                  "neither side has a piece left that can win");
}
