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
    qp_buf_add_str(w->out, value);
    qp_buf_add_char(w->out, '\n');
}

static void write_tag(qp_writing *w, const char *tag, const char *key, qp_str value)
{
    qp_buf work = {0};
    unsigned flags = QP_PLAIN_CONTROLS | QP_PLAIN_MARKS | QP_PLAIN_LINES | QP_PLAIN_ENDS;
    write_key(w, key, qp_plain_value(w, qp_str_of(tag), value, flags, &work));
    qp_buf_clear(&work);
}

/* Whether a tag has a line, which the first of its name takes. */
static bool has_line(const qp_game *game, const qp_tag *tag)
{
    for (size_t i = 0; i < QP_COUNT(keys); i++)
        if (qp_str_is_nocase(tag->name, keys[i].tag))
            return qp_game_tag(game, keys[i].tag).data == tag->value.data;
    return false;
}

static void tell_lost_tags(qp_writing *w, const qp_game *game)
{
    qp_lost_tags lost = {0};
    for (size_t i = 0; i < game->tag_count; i++)
        if (!has_line(game, &game->tags[i]) && !qp_writing_said(w, game, &game->tags[i]))
            qp_lost_tag(&lost, &game->tags[i]);
    qp_lost_tags_end(&lost, w, "txt");
}

static void write_header(qp_writing *w, const qp_game *game)
{
    static const char *const results[] = {"未知", "红方胜", "黑方胜", "和棋"};
    size_t from = w->out->len;
    for (size_t i = 0; i < QP_COUNT(keys); i++) {
        qp_str value = qp_game_tag(game, keys[i].tag);
        if (qp_str_trim(value).len != 0)
            write_tag(w, keys[i].tag, keys[i].key, value);
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
    if (w->out->len == from && w->count > 0) /* moves alone would go on from those before */
        write_key(w, "结果", qp_str_of(results[0]));
    tell_lost_tags(w, game);
}

void qp_txt_write(qp_writing *w, const qp_game *game)
{
    enum { COLUMN = 14 };
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
    if (first) { /* a round without moves, so that the reader finds a game */
        qp_buf_printf(w->out, "  1. %s", qp_result_text(game->result));
    }
    qp_buf_add_char(w->out, '\n');
    if (node != NULL) { /* what cannot be played, on a line of its own: a comment to txt.c */
        qp_writing_rest_braced(w, node);
        qp_buf_add_char(w->out, '\n');
    }
}
