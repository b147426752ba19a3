/* Games and findings as plain text: two are the same where their texts are. Looks at every
 * field, so that sanitizers see what a reader lends. */
#include "config.h"

#include "gen/gen.h"

static void add_field(qp_buf *out, const char *name, qp_str value)
{
    qp_buf_add_text(out, name);
    qp_buf_add_char(out, '=');
    qp_buf_add_str(out, value);
    qp_buf_add_char(out, '\n');
}

static void add_number(qp_buf *out, const char *name, uint64_t value)
{
    qp_buf_add_char(out, ' ');
    qp_buf_add_text(out, name);
    qp_buf_add_char(out, ' ');
    qp_buf_add_number(out, value);
}

static void add_board(qp_buf *out, const qp_board *board, bool counters)
{
    char fen[QP_FEN_MAX];
    qp_board plain = *board;
    if (!counters) {
        plain.quiet = 0;
        plain.round = 1;
    }
    size_t len = qp_fen_write(&plain, fen);
    add_field(out, "board", (qp_str){fen, len});
}

/* As formats do that have room for one behind each ply. */
static void add_joined(qp_buf *out, const qp_comment *before, const qp_comment *after)
{
    const qp_comment *parts[2] = {before, after};
    size_t count = 0;
    for (size_t i = 0; i < QP_COUNT(parts); i++)
        for (const qp_comment *c = parts[i]; c != NULL; c = c->next) {
            qp_buf_add_text(out, count++ != 0 ? "\n" : "comment=");
            qp_buf_add_str(out, c->text);
        }
    if (count != 0)
        qp_buf_add_char(out, '\n');
}

static void add_comments(qp_buf *out, const char *name, const qp_comment *comment)
{
    for (; comment != NULL; comment = comment->next)
        add_field(out, name, comment->text);
}

static bool is_made(qp_str name)
{
    static const char *const made[] = {"Game", "Format", "MoveFormat", "FEN", "SetUp",
                                       "Result"};
    for (size_t i = 0; i < QP_COUNT(made); i++)
        if (qp_str_is_nocase(name, made[i]))
            return true;
    return false;
}

static void add_tag(qp_buf *out, qp_str name, qp_str value)
{
    qp_buf_add_text(out, "tag ");
    qp_buf_add_str(out, name);
    add_field(out, "", value);
}

/* A format with a fixed list has an order of its own, so these are told in ours. */
static void add_tags(qp_buf *out, const qp_game *game, unsigned carries)
{
    static const char *const few[] = {"Red", "Black", "Event", "Date"};
    for (size_t i = 0; (carries & QP_CARRIES_TAGS) && i < game->tag_count; i++)
        if (!is_made(game->tags[i].name) && game->tags[i].value.len != 0)
            add_tag(out, game->tags[i].name, game->tags[i].value);
    for (size_t i = 0; !(carries & QP_CARRIES_TAGS) && i < QP_COUNT(few); i++) {
        qp_str value = qp_game_tag(game, few[i]);
        if (value.len != 0)
            add_tag(out, qp_str_of(few[i]), value);
    }
}

static void add_extra(qp_buf *out, const qp_extra *extra, unsigned carries)
{
    if (carries & QP_CARRIES_COMMENTS && carries & GEN_DUMP_ONE_COMMENT) {
        add_joined(out, extra->before, extra->after);
    } else if (carries & QP_CARRIES_COMMENTS) {
        add_comments(out, "before", extra->before);
        add_comments(out, "after", extra->after);
    }
    for (size_t i = 0; (carries & QP_CARRIES_NAGS) && i < extra->nag_count; i++)
        add_number(out, "nag", extra->nags[i]);
    if (carries & QP_CARRIES_CLOCKS && extra->clock.len != 0)
        add_field(out, "clock", extra->clock);
    if (carries & GEN_DUMP_NODE_TEXT && extra->rest.len != 0)
        add_field(out, "rest", extra->rest);
}

static void add_node(qp_buf *out, const qp_node *node, unsigned depth, unsigned carries)
{
    char move[5];
    qp_move_text(node->move, move);
    qp_buf_add_text(out, move);
    add_number(out, "depth", depth);
    add_number(out, "ply", node->ply);
    add_number(out, "line", node->variation);
    if (carries & GEN_DUMP_UNDERSTOOD)
        add_number(out, "flags", node->flags);
    if (carries & GEN_DUMP_NODE_TEXT) {
        qp_buf_add_char(out, ' ');
        qp_buf_add_str(out, qp_node_text(node));
    }
    qp_buf_add_char(out, '\n');
    if (node->extra != NULL)
        add_extra(out, node->extra, carries);
}

void gen_dump_game(const qp_game *game, unsigned carries, qp_buf *out)
{
    unsigned depth = 0;
    if (carries & (QP_CARRIES_TAGS | QP_CARRIES_FEW_TAGS))
        add_tags(out, game, carries);
    if (carries & QP_CARRIES_START)
        add_board(out, &game->start, carries & QP_CARRIES_COUNTERS);
    if (carries & QP_CARRIES_RESULT)
        add_field(out, "result", qp_str_of(qp_result_text(game->result)));
    if (carries & QP_CARRIES_COMMENTS)
        add_comments(out, "first", game->comments);
    if (carries & QP_CARRIES_VARIATIONS)
        for (const qp_node *n = game->first; n != NULL; n = qp_node_walk(n, &depth))
            add_node(out, n, depth, carries);
    else if (carries & QP_CARRIES_MOVES)
        for (const qp_node *n = game->first; n != NULL; n = n->next)
            add_node(out, n, 0, carries);
    if (!(carries & GEN_DUMP_UNDERSTOOD))
        return;
    add_number(out, "number", game->number);
    add_number(out, "given", (unsigned)game->result_given * 2u + game->start_given);
    add_number(out, "legal", game->legal);
    add_number(out, "plies", game->plies);
    add_number(out, "line", game->line_plies);
    add_number(out, "nodes", game->nodes);
    add_number(out, "variations", game->variations);
    add_number(out, "places", game->comment_places);
    add_number(out, qp_end_name(game->end), game->end);
    qp_buf_add_char(out, '\n');
    add_board(out, &game->final, true);
    add_field(out, "format", qp_str_of(game->format));
    add_field(out, "encoding", qp_str_of(game->encoding));
    add_field(out, "notation", qp_str_of(game->notation));
}

static void add_finding(const qp_finding *f, qp_buf *out)
{
    qp_buf_add_text(out, qp_code_name(f->code));
    qp_buf_add_char(out, '/');
    qp_buf_add_text(out, f->detail != NULL ? f->detail : "-");
    add_number(out, "severity", f->severity);
    add_number(out, "game", f->game);
    add_number(out, "ply", f->ply);
    add_number(out, "variation", f->variation);
    add_number(out, "round", f->round);
    add_number(out, "missing", f->missing);
    if (f->has_side)
        add_number(out, "side", f->side);
    add_number(out, "byte", f->byte);
    add_number(out, "to", f->byte_end);
    add_number(out, "line", f->line);
    add_number(out, "column", f->column);
    add_number(out, "caret", f->caret);
    add_number(out, "cells", f->caret_cells);
    qp_buf_add_char(out, '\n');
    add_field(out, "source", f->source);
    add_field(out, "token", f->token);
    add_field(out, "message", f->message);
    add_field(out, "note", f->note);
    if (f->fen != NULL)
        add_field(out, "fen", qp_str_of(f->fen));
    for (size_t i = 0; i < f->suggestion_count; i++) {
        const qp_suggestion *s = &f->suggestions[i];
        char move[5];
        qp_move_text(s->move, move);
        qp_buf_add_text(out, move);
        add_number(out, "certainty", s->certainty);
        add_field(out, " replace", s->replace);
    }
}

void gen_dump_findings(const qp_finding *findings, size_t count, qp_buf *out)
{
    for (size_t i = 0; i < count; i++)
        add_finding(&findings[i], out);
}
