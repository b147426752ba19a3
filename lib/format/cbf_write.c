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
    qp_xml_put(writing, value, false, 0);
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

static bool said_elsewhere(const qp_game *game, const qp_tag *tag)
{
    static const char *const names[] = {"FEN", "SetUp", "Game", "Format", "CBF_RecordResult",
                                        "CBR_RecordResult"};
    if (qp_str_is_nocase(tag->name, "Result"))
        return qp_str_is(tag->value, qp_result_text(game->result));
    for (size_t i = 0; i < QP_COUNT(names); i++)
        if (qp_str_is_nocase(tag->name, names[i]))
            return true;
    return tag->value.len == 0;
}

static void tell_lost_tags(qp_writing *writing, const qp_game *game)
{
    enum { NAMED = 4 };
    size_t lost = 0;
    qp_buf names = {0};
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        const qp_cbr_field *field = qp_cbr_field_of(tag->name);
        bool kept = field != NULL && field->element != NULL &&
                    value_of(game, field).data == tag->value.data;
        if (!kept && !said_elsewhere(game, tag) && lost++ < NAMED && tag->name.len <= 40) {
            qp_buf_add_char(&names, ' ');
            qp_buf_add_str(&names, tag->name);
        }
    }
    if (lost != 0)
        qp_writing_loss(writing, "tags", 0, "no field for %zu tag%s:%.*s%s", lost,
                        lost == 1 ? "" : "s", (int)names.len, names.data ? names.data : "",
                        lost > NAMED ? " …" : "");
    qp_buf_clear(&names);
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
                     qp_buf *text, bool *before)
{
    qp_buf *out = writing->out;
    qp_square from = at.node != NULL ? QP_FROM(at.node->move) : QP_SQUARE(0, 9);
    qp_square to = at.node != NULL ? QP_TO(at.node->move) : QP_SQUARE(0, 9);
    text->len = 0;
    *before |= qp_flagged_comment(game, at.node, writing->main_line, text);
    qp_buf_printf(out, "<Move value=\"%d%d-%d%d\"%s%s", QP_FILE(from), 9 - QP_RANK(from),
                  QP_FILE(to), 9 - QP_RANK(to), at.has_sibling ? " branch=\"1\"" : "",
                  ends ? " end=\"1\"" : "");
    if (text->len == 0) {
        qp_buf_add_text(out, "/>\n");
        return;
    }
    qp_buf_add_char(out, '>');
    qp_xml_put(writing, (qp_str){text->data, text->len}, false,
               at.node != NULL ? at.node->ply : 0);
    qp_buf_add_text(out, "</Move>\n");
}

void qp_cbf_write(qp_writing *writing, const qp_game *game)
{
    qp_buf *out = writing->out, stack = {0}, text = {0};
    bool before = false;
    if (qp_encoder_is_utf8(writing->encoder))
        qp_buf_add_text(out, "\xEF\xBB\xBF"); /* as the program writes it */
    qp_buf_printf(out, "<?xml version=\"1.0\" encoding=\"%s\"?>\n", writing->encoding);
    qp_buf_add_text(out, "<ChineseChessRecord Version=\"1.0\">\n");
    put_head(writing, game);
    tell_lost_tags(writing, game);
    qp_buf_add_text(out, "<MoveList>\n");
    qp_flagged at = qp_flagged_first(game, writing->main_line);
    put_move(writing, game, (qp_flagged){0}, at.node == NULL, &text, &before);
    for (; at.node != NULL; at = qp_flagged_next(at, writing->main_line, &stack))
        put_move(writing, game, at, !at.has_next, &text, &before);
    qp_buf_add_text(out, "</MoveList>\n</ChineseChessRecord>\n");
    if (before)
        qp_writing_loss(writing, "comment-before", 0,
                        "comments before a move stand behind it instead");
    if (stack.failed || text.failed)
        out->failed = true;
    qp_buf_clear(&stack);
    qp_buf_clear(&text);
}
