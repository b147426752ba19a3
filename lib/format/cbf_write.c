/* Writing CBF, the XML of CCBridge: one game, every field of its head, the moves in pre-order
 * with the flags `branch` and `end`. */
#include "config.h"

#include "format/ccbridge.h"
#include "format/xml.h"

static void put_field(qp_writing *writing, const char *name, qp_str value)
{
    qp_buf *out = writing->out;
    if (value.len == 0) {
        qp_buf_printf(out, "<%s/>\n", name);
        return;
    }
    qp_buf_printf(out, "<%s>", name);
    qp_xml_put(writing, value, false, "tag-character", NULL);
    qp_buf_printf(out, "</%s>\n", name);
}

/* The value of a field: of the first tag that belongs to it. */
static qp_str value_of(const qp_game *game, const qp_cbr_field *field)
{
    for (size_t i = 0; i < game->tag_count; i++)
        if (game->tags[i].value.len != 0 && qp_cbr_field_of(game->tags[i].name) == field)
            return game->tags[i].value;
    return (qp_str){"", 0};
}

/* A result of its own kind, which put_head sees to. */
static bool is_record_result(const qp_tag *tag)
{
    return qp_str_is_nocase(tag->name, "CBF_RecordResult") ||
           qp_str_is_nocase(tag->name, "CBR_RecordResult");
}

static void tell_lost_tags(qp_writing *writing, const qp_game *game)
{
    qp_lost_tags lost = {0};
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        const qp_cbr_field *field = qp_cbr_field_of(tag->name);
        bool kept = field != NULL && field->element != NULL &&
                    value_of(game, field).data == tag->value.data;
        if (!kept && !is_record_result(tag) && !qp_writing_said(writing, game, tag))
            qp_lost_tag(&lost, tag);
    }
    qp_lost_tags_end(&lost, writing, "cbf");
}

static void put_head(qp_writing *writing, const qp_game *game)
{
    char fen[QP_FEN_MAX], digit = (char)('0' + game->result);
    size_t len = qp_fen_write(&game->start, fen);
    qp_str result = {&digit, 1}, stated = qp_game_tag(game, "CBF_RecordResult");
    if (stated.len == 0)
        stated = qp_game_tag(game, "CBR_RecordResult");
    if (game->result == QP_RESULT_UNKNOWN && stated.len != 0)
        result = stated;
    qp_buf_add_text(writing->out, "<Head>\n");
    for (const qp_cbr_field *field = qp_cbr_fields; field->tag != NULL; field++)
        if (field->element != NULL)
            put_field(writing, field->element, value_of(game, field));
    put_field(writing, "RecordResult", result);
    put_field(writing, "FEN", (qp_str){fen, len});
    qp_buf_add_text(writing->out, "</Head>\n");
}

static void put_move(qp_writing *writing, const qp_game *game, qp_flagged at, bool ends,
                     qp_buf *text, size_t *joined)
{
    qp_buf *out = writing->out;
    qp_square from = at.node != NULL ? QP_FROM(at.node->move) : QP_SQUARE(0, 9);
    qp_square to = at.node != NULL ? QP_TO(at.node->move) : QP_SQUARE(0, 9);
    text->len = 0;
    *joined += qp_flagged_comment(game, at.node, writing->main_line, text);
    qp_buf_printf(out, "<Move value=\"%d%d-%d%d\"%s%s", QP_FILE(from), 9 - QP_RANK(from),
                  QP_FILE(to), 9 - QP_RANK(to), at.has_sibling ? " branch=\"1\"" : "",
                  ends ? " end=\"1\"" : "");
    if (text->len == 0) {
        qp_buf_add_text(out, "/>\n");
        return;
    }
    qp_buf_add_char(out, '>');
    qp_xml_put(writing, (qp_str){text->data, text->len}, false,
               "comment-character", at.node);
    qp_buf_add_text(out, "</Move>\n");
}

void qp_cbf_write(qp_writing *writing, const qp_game *game)
{
    qp_buf *out = writing->out, stack = {0}, text = {0};
    size_t joined = 0;
    if (qp_encoder_is_utf8(writing->encoder))
        qp_buf_add_text(out, "\xEF\xBB\xBF"); /* as the program writes it */
    qp_buf_printf(out, "<?xml version=\"1.0\" encoding=\"%s\"?>\n", writing->encoding);
    qp_buf_add_text(out, "<ChineseChessRecord Version=\"1.0\">\n");
    put_head(writing, game);
    tell_lost_tags(writing, game);
    qp_writing_side(writing, game);
    qp_buf_add_text(out, "<MoveList>\n");
    qp_flagged at = qp_flagged_first(game, writing->main_line);
    put_move(writing, game, (qp_flagged){0}, at.node == NULL, &text, &joined);
    for (; at.node != NULL; at = qp_flagged_next(at, writing->main_line, &stack))
        put_move(writing, game, at, !at.has_next, &text, &joined);
    qp_buf_add_text(out, "</MoveList>\n</ChineseChessRecord>\n");
    if (joined != 0)
        qp_writing_loss(writing, "comments-joined", joined, NULL,
                        "cbf holds one comment behind each move: %zu were made of several, or "
                        "of one before the move",
                        joined);
    if (stack.failed || text.failed)
        out->failed = true;
    qp_buf_clear(&stack);
    qp_buf_clear(&text);
}
