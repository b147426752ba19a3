/* Plain text, written: header lines that txt.c reads back, then two columns of moves, aligned
 * by the width that they have on a terminal. Main line only. */
#include "config.h"

#include "format/format.h"

static const struct {
    const char *tag, *key;
} keys[] = {
    {"Title", "标题"},       {"Event", "赛事"},        {"Date", "日期"},
    {"Site", "地点"},        {"Round", "轮次"},        {"Red", "红方"},
    {"RedTeam", "红方团体"}, {"Black", "黑方"},        {"BlackTeam", "黑方团体"},
    {"Opening", "布局"},     {"TimeControl", "记时规则"}, {"Annotator", "评论"},
};

static void write_key(qp_writing *w, const char *key, qp_str value)
{
    qp_buf_add_text(w->out, key);
    qp_buf_add_text(w->out, ": ");
    for (size_t i = 0; i < value.len; i++)
        qp_buf_add_char(w->out, value.data[i] == '\n' ? ' ' : value.data[i]);
    qp_buf_add_char(w->out, '\n');
}

static void write_header(qp_writing *w, const qp_game *game)
{
    static const char *const results[] = {"未知", "红方胜", "黑方胜", "和棋"};
    size_t known = 0, all = 0;
    for (size_t i = 0; i < game->tag_count; i++)
        all += game->tags[i].value.len != 0 &&
               !qp_str_is_nocase(game->tags[i].name, "Game") &&
               !qp_str_is_nocase(game->tags[i].name, "Result") &&
               !qp_str_is_nocase(game->tags[i].name, "FEN") &&
               !qp_str_is_nocase(game->tags[i].name, "Format");
    for (size_t i = 0; i < QP_COUNT(keys); i++) {
        qp_str value = qp_str_trim(qp_game_tag(game, keys[i].tag));
        if (value.len == 0)
            continue;
        write_key(w, keys[i].key, value);
        known++;
    }
    if (game->result_given)
        write_key(w, "结果", qp_str_of(results[game->result]));
    qp_board usual;
    qp_board_start(&usual);
    if (!qp_board_same(&usual, &game->start) || usual.quiet != game->start.quiet ||
        usual.round != game->start.round) {
        char fen[QP_FEN_MAX];
        size_t len = qp_fen_write(&game->start, fen);
        write_key(w, "FEN", (qp_str){fen, len});
    }
    if (all > known)
        qp_writing_loss(w, "tags", 0, "txt has no line for %zu tags", all - known);
}

void qp_txt_write(qp_writing *w, const qp_game *game)
{
    enum { COLUMN = 14 };
    if (w->count > 0)
        qp_buf_add_char(w->out, '\n');
    write_header(w, game);
    qp_buf_add_char(w->out, '\n');
    qp_board board = game->start;
    bool first = true;
    const qp_node *node = game->first;
    for (; node != NULL && node->flags == 0; node = node->next) {
        bool red = board.side == QP_RED;
        if (red || first) {
            if (!first)
                qp_buf_add_char(w->out, '\n');
            qp_buf_printf(w->out, "%3u. ", (unsigned)board.round);
        }
        if (first && !red) {
            qp_buf_add_text(w->out, "……");
            for (size_t cells = 4; cells < COLUMN; cells++)
                qp_buf_add_char(w->out, ' ');
        }
        size_t from = w->out->len;
        qp_writing_move(w, &board, node);
        if (red && node->next != NULL && node->next->flags == 0)
            for (size_t cells = qp_cells((qp_str){w->out->data + from, w->out->len - from});
                 cells < COLUMN; cells++)
                qp_buf_add_char(w->out, ' ');
        qp_tree_play(&board, node);
        first = false;
    }
    if (!first)
        qp_buf_add_char(w->out, '\n');
    if (node != NULL) { /* what cannot be played, on a line of its own: a comment to txt.c */
        qp_writing_rest_braced(w, node);
        qp_buf_add_char(w->out, '\n');
    }
}
