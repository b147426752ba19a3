/* The WXF file, written: the header lines of wxf.c, then the main line, two rounds a
 * line, capitals for both sides, a dot for sideways, marks behind their move. */
#include "config.h"

#include "format/wxf.h"

/* Whether a tag has a line, or a place in one, which the first of its name takes. */
static bool has_line(const qp_game *game, const qp_tag *tag)
{
    if (qp_str_is_nocase(tag->name, "Result") || qp_str_is_nocase(tag->name, "FEN") ||
        (qp_str_is_nocase(tag->name, "TimeControl") && !qp_wxf_is_time(tag->value)))
        return false;
    for (size_t i = 0; i < QP_WXF_KEYS; i++) {
        const qp_wxf_key *key = &qp_wxf_keys[i];
        const char *names[] = {key->tag, key->second, key->rest};
        for (size_t n = 0; n < QP_COUNT(names); n++)
            if (names[n] != NULL && qp_str_is_nocase(tag->name, names[n]))
                return qp_game_tag(game, names[n]).data == tag->value.data;
    }
    return false;
}

/* Whether reading splits the value itself at a semicolon. */
static bool ends_like_time(qp_str event)
{
    size_t cut = event.len;
    while (cut > 0 && event.data[cut - 1] != ';')
        cut--;
    qp_str time = qp_str_trim((qp_str){event.data + cut, event.len - cut});
    return cut > 0 && (time.len == 0 || qp_wxf_is_time(time));
}

/* A value in one line; semicolons that would part it are not the value's any more. */
static void put_value(qp_writing *w, const char *tag, qp_str value, bool parts)
{
    qp_buf work = {0};
    bool changed;
    if (qp_str_trim(value).len == 0)
        return;
    value = qp_plain(value,
                     QP_PLAIN_CONTROLS | QP_PLAIN_MARKS | QP_PLAIN_LINES | QP_PLAIN_ENDS,
                     &work, &changed);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.data[i];
        if (c == ';' && parts) {
            qp_buf_add_text(w->out, "；");
            changed = true;
        } else {
            qp_buf_add_char(w->out, c);
        }
    }
    if (changed)
        qp_writing_loss(
            w, "tag-character", 1, NULL,
            "blanks, line ends or semicolons of the tag %s are not as they were", tag);
    w->out->failed |= work.failed;
    qp_buf_clear(&work);
}

static void put_key(qp_writing *w, const char *key)
{
    qp_buf_add_text(w->out, key);
    for (size_t i = strlen(key); i < 8; i++)
        qp_buf_add_char(w->out, ' ');
    qp_buf_add_char(w->out, '\t');
}

static void write_player(qp_writing *w, const qp_game *game, const qp_wxf_key *key)
{
    qp_str rating = qp_game_tag(game, key->second), rest = qp_game_tag(game, key->rest);
    put_value(w, key->tag, qp_game_tag(game, key->tag), true);
    qp_buf_add_text(w->out, " ; ");
    put_value(w, key->second, rating, true);
    qp_buf_add_text(w->out, " ;");
    if (rest.len == 0)
        qp_buf_add_char(w->out, ';');
    else
        put_value(w, key->rest, rest, false);
}

static void write_event(qp_writing *w, const qp_game *game, const qp_wxf_key *key)
{
    qp_str event = qp_game_tag(game, key->tag), time = qp_game_tag(game, key->second);
    put_value(w, key->tag, event, false);
    if (time.len != 0 && qp_wxf_is_time(time)) {
        qp_buf_add_text(w->out, " ; ");
        qp_buf_add_str(w->out, time);
    } else if (ends_like_time(event)) {
        qp_buf_add_text(w->out, " ;");
    }
}

static void write_header(qp_writing *w, const qp_game *game)
{
    qp_board usual;
    char fen[QP_FEN_MAX];
    qp_lost_tags lost = {0};
    qp_board_start(&usual);
    bool start = qp_writing_start(game) || usual.quiet != game->start.quiet ||
                 usual.round != game->start.round;
    for (size_t i = 0; i < QP_WXF_KEYS; i++) {
        const qp_wxf_key *key = &qp_wxf_keys[i];
        qp_str value = key->tag ? qp_game_tag(game, key->tag) : QP_STR("WXF");
        if (key->shape == QP_WXF_RESULT)
            value = game->result_given ? qp_str_of(qp_result_text(game->result))
                                       : (qp_str){0};
        else if (key->shape == QP_WXF_START)
            value = start ? (qp_str){fen, qp_fen_write(&game->start, fen)} : (qp_str){0};
        bool second =
            key->shape == QP_WXF_EVENT && qp_wxf_is_time(qp_game_tag(game, key->second));
        if (value.len == 0 && !key->always && !second)
            continue;
        put_key(w, key->key);
        if (key->shape == QP_WXF_PLAYER)
            write_player(w, game, key);
        else if (key->shape == QP_WXF_EVENT)
            write_event(w, game, key);
        else
            put_value(w, key->tag ? key->tag : key->key, value, false);
        qp_buf_add_char(w->out, '\n');
    }
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        if (!has_line(game, tag) && !qp_writing_said(w, game, tag))
            qp_lost_tag(&lost, tag);
    }
    qp_lost_tags_end(&lost, w, "wxf");
}

/* quiet: of a line that cannot be told, which is reported as such. */
static void write_comment(qp_writing *w, qp_str text, const qp_node *node, bool quiet)
{
    qp_buf work = {0};
    bool changed;
    text = qp_plain(text, QP_PLAIN_CONTROLS | QP_PLAIN_MARKS, &work, &changed);
    qp_buf_add_text(w->out, "/*");
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\n' && i + 1 < text.len) {
            const char *line = text.data + i + 1;
            const char *lf = memchr(line, '\n', text.len - i - 1);
            size_t n = lf != NULL ? (size_t)(lf - line) : text.len - i - 1;
            if (qp_wxf_ends(line, n)) {
                qp_buf_add_char(w->out, ' ');
                changed = true;
                continue;
            }
        }
        if (i > 0 && text.data[i] == '/' && text.data[i - 1] == '*') {
            qp_buf_add_char(w->out, ' ');
            changed = true;
        }
        qp_buf_add_char(w->out, text.data[i]);
    }
    qp_buf_add_text(w->out, "*/");
    if (changed && !quiet)
        qp_writing_loss(w, "comment-character", 1, node,
                        "line ends, control characters or a star and a slash in a comment are "
                        "not as they were");
    w->out->failed |= work.failed;
    qp_buf_clear(&work);
}

static bool write_comments(qp_writing *w, const qp_comment *comment, const qp_node *node)
{
    bool any = comment != NULL;
    for (; comment != NULL; comment = comment->next) {
        write_comment(w, comment->text, node, false);
        qp_buf_add_char(w->out, '\n');
    }
    return any;
}

static void write_move(qp_writing *w, const qp_board *board, const qp_node *node)
{
    size_t from = w->out->len;
    qp_writing_move(w, board, node);
    for (size_t i = from; i < w->out->len; i++)
        if (w->out->data[i] == '=')
            w->out->data[i] = '.';
}

static void write_marks(qp_writing *w, const qp_node *node)
{
    static const char *const marks[] = {"", "!", "?", "!!", "??", "!?", "?!"};
    size_t lost = 0;
    for (size_t i = 0; i < node->extra->nag_count; i++) {
        unsigned nag = node->extra->nags[i];
        if (nag >= 1 && nag < QP_COUNT(marks) && (i == 0 || lost == i))
            qp_buf_add_text(w->out, marks[nag]);
        else
            lost++;
    }
    if (lost != 0)
        qp_writing_loss(w, "nags", 1, node,
                        "%zu annotation glyph%s wxf has no mark for", lost,
                        lost == 1 ? "" : "s");
}

void qp_wxf_write(qp_writing *w, const qp_game *game)
{
    enum { COLUMN = 6, ROUND = 19 };
    qp_board board = game->start;
    size_t line = 0, round = 0; /* where they begin in the output */
    bool open = false;          /* something stands in the line */
    write_header(w, game);
    write_comments(w, game->comments, NULL);
    qp_buf_add_text(w->out, "\nSTART{\n");
    for (const qp_node *node = game->first; node != NULL; node = node->next) {
        const qp_extra *extra = node->extra;
        bool red = board.side == QP_RED;
        if (node->flags != 0) {
            qp_buf rest = {0};
            if (open)
                qp_buf_add_char(w->out, '\n');
            qp_writing_rest(node, &rest);
            write_comment(w, (qp_str){rest.data, rest.len}, node, true);
            qp_buf_clear(&rest);
            open = true;
            break;
        }
        if (extra != NULL && extra->before != NULL) {
            if (open)
                qp_buf_add_char(w->out, '\n');
            open = !write_comments(w, extra->before, node);
        }
        if (red && open && w->out->len - line >= ROUND) {
            qp_buf_add_char(w->out, '\n');
            open = false;
        }
        if (!open)
            line = w->out->len;
        if (red || !open) {
            while (open && w->out->len - line < ROUND)
                qp_buf_add_char(w->out, ' ');
            round = w->out->len;
            qp_buf_printf(w->out, "%2u. ", (unsigned)board.round);
            qp_buf_add_text(w->out, red ? " " : " ...   ");
        } else {
            while (w->out->len - round < 5 + COLUMN)
                qp_buf_add_char(w->out, ' ');
        }
        write_move(w, &board, node);
        open = true;
        qp_tree_play(&board, node);
        if (extra == NULL)
            continue;
        write_marks(w, node);
        if (extra->after != NULL) {
            qp_buf_add_char(w->out, '\n');
            write_comments(w, extra->after, node);
            open = false;
        }
    }
    if (open)
        qp_buf_add_char(w->out, '\n');
    qp_buf_add_text(w->out, "}END\n");
}
