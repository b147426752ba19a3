/* PGN, written: tags with escaped quotes, one round a line, comments and variations where
 * they stand in the tree, so that what is read back is the same game. */
#include "config.h"

#include "format/format.h"

/* Whether a backslash at i would be read as one that escapes. */
static bool is_escape(qp_str value, size_t i)
{
    return value.data[i] == '\\' &&
           (i + 1 == value.len || value.data[i + 1] == '\\' || value.data[i + 1] == '"');
}

/* Says whether safe characters stand for others. */
static bool write_value(qp_writing *w, qp_str value)
{
    bool changed = false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.data[i];
        if (c == '"' && w->quotes == QP_QUOTES_SAFE) {
            /* Opens at the beginning and behind a blank or bracket, else closes. */
            bool opens = i == 0 || value.data[i - 1] == ' ' || value.data[i - 1] == '(';
            qp_buf_add_text(w->out, opens ? "\xE2\x80\x9C" : "\xE2\x80\x9D");
            changed = true;
        } else if (w->quotes == QP_QUOTES_SAFE && is_escape(value, i)) {
            qp_buf_add_text(w->out, "＼");
            changed = true;
        } else {
            if ((c == '"' || c == '\\') && w->quotes == QP_QUOTES_ESCAPED)
                qp_buf_add_char(w->out, '\\');
            qp_buf_add_char(w->out, c);
        }
    }
    return changed;
}

static void write_tag(qp_writing *w, qp_str name, qp_str value)
{
    qp_buf work = {0};
    bool renamed = false, changed;
    qp_buf_add_char(w->out, '[');
    /* A name of another format may hold what a PGN name cannot. */
    size_t letters = 0;
    while (letters < name.len && (unsigned)((unsigned char)name.data[letters] | 0x20) - 'a' < 26)
        letters++;
    qp_buf_add(w->out, name.data, letters);
    for (size_t i = letters, len; i < name.len; i += len) {
        const char *p = name.data + i;
        qp_utf8_at(p, name.len - i, &len);
        bool sound = qp_is_tag_char(p, name.len - i);
        qp_buf_add(w->out, sound ? p : "_", sound ? len : 1);
        renamed |= !sound;
    }
    qp_buf_add_text(w->out, " \"");
    qp_str plain = qp_plain(value, QP_PLAIN_CONTROLS | QP_PLAIN_MARKS | QP_PLAIN_LINES, &work,
                            &changed);
    bool safe = write_value(w, plain);
    qp_buf_add_text(w->out, "\"]\n");
    if (renamed)
        qp_writing_loss(w, "tag-name", 1, NULL,
                        "in the name of the tag %.*s some characters became underscores",
                        (int)name.len, name.data);
    else if (changed)
        qp_writing_loss(w, "tag-character", 1, NULL,
                        "line ends or control characters of the tag %.*s are not as they were",
                        (int)name.len, name.data);
    else if (safe)
        qp_writing_loss(w, "tag-quotes", 1, NULL,
                        "quotation marks or backslashes in the tag %.*s became others",
                        (int)name.len, name.data);
    w->out->failed |= work.failed;
    qp_buf_clear(&work);
}

static const char *format_name(const char *notation)
{
    if (strncmp(notation, "wxf", 3) == 0)
        return "WXF";
    if (strcmp(notation, "iccs") == 0)
        return "ICCS";
    if (strncmp(notation, "uci", 3) == 0)
        return "UCI";
    return "Chinese";
}

/* The norm wants it first. A record from a format that keeps tags by name has it already, or
 * has been without it all along and is to come back as it was. */
static bool needs_game_tag(const qp_game *game)
{
    static const char *const keepers[] = {"pgn", "json", "xml"};
    if (qp_game_tag(game, "Game").data != NULL)
        return false;
    for (size_t i = 0; i < QP_COUNT(keepers); i++)
        if (game->format != NULL && strcmp(game->format, keepers[i]) == 0)
            return game->tag_count == 0;
    return true;
}

static void write_tags(qp_writing *w, const qp_game *game)
{
    qp_board usual;
    qp_lost_tags lost = {0};
    char fen[QP_FEN_MAX];
    const char *format = format_name(qp_notation_name(w->notation));
    bool result = false, start = false, notation = false;
    size_t fen_len = qp_fen_write(&game->start, fen);
    qp_board_start(&usual);
    bool stated = !qp_board_same(&usual, &game->start) || usual.quiet != game->start.quiet ||
                  usual.round != game->start.round;
    if (needs_game_tag(game))
        write_tag(w, QP_STR("Game"), QP_STR("Chinese Chess"));
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        bool is_result = qp_str_is_nocase(tag->name, "Result");
        bool is_fen = !is_result && qp_str_is_nocase(tag->name, "FEN");
        bool said = (is_result || is_fen) && qp_writing_said(w, game, tag);
        if (is_result && said) {
            if (!result)
                write_tag(w, tag->name, qp_str_of(qp_result_text(game->result)));
            result = true;
        } else if (is_fen && (said || stated)) {
            if (!said)
                qp_lost_tag(&lost, tag);
            else if (!start)
                write_tag(w, tag->name, (qp_str){fen, fen_len});
            start |= said;
        } else if (tag->name.len == 0 || tag->name.len > QP_TAG_NAME_MAX) {
            qp_lost_tag(&lost, tag);
        } else if (qp_str_is_nocase(tag->name, "Format") ||
                   qp_str_is_nocase(tag->name, "MoveFormat")) {
            if (!notation)
                write_tag(w, tag->name, qp_str_of(format));
            notation = true;
        } else {
            write_tag(w, tag->name, tag->value);
        }
    }
    if (!result && game->result_given)
        write_tag(w, QP_STR("Result"), qp_str_of(qp_result_text(game->result)));
    if (!start && stated)
        write_tag(w, QP_STR("FEN"), (qp_str){fen, fen_len});
    if (!notation && strcmp(format, "Chinese") != 0)
        write_tag(w, QP_STR("Format"), qp_str_of(format));
    qp_buf_add_char(w->out, '\n');
    qp_lost_tags_end(&lost, w, "pgn");
}

/* ---- movetext ---- */

typedef struct movetext {
    qp_writing *w;
    bool number_due; /* Black's move needs its number again */
    bool line_open;  /* something stands in the current line */
    unsigned silent; /* depth + 1 of the line whose rest went into a comment; 0: none */
    bool bare;       /* that line has no brackets */
    qp_buf plain;    /* a comment without what PGN cannot have */
} movetext;

static void space(movetext *m)
{
    if (m->line_open)
        qp_buf_add_char(m->w->out, ' ');
    m->line_open = true;
}

/* Whether the reader takes a comment's beginning for a clock or a start position. */
static bool reads_otherwise(qp_str text)
{
    return text.len > 5 &&
           (memcmp(text.data, "[%clk ", 6) == 0 || memcmp(text.data, "$fen ", 5) == 0);
}

/* Whether two lines that begin as tags do stand at offset i: the next game for a reader. */
static bool tags_begin(qp_str text, size_t i)
{
    const char *p = text.data + i, *lf = memchr(p, '\n', text.len - i);
    size_t n = lf != NULL ? (size_t)(lf - p) : 0;
    return lf != NULL && qp_is_tag_line(p, n) &&
           qp_is_tag_line(lf + 1, text.len - i - n - 1);
}

static void write_comment(movetext *m, qp_str text, const qp_node *node)
{
    qp_writing *w = m->w;
    space(m);
    qp_buf_add_char(w->out, '{');
    if (reads_otherwise(text)) {
        qp_buf_add_char(w->out, ' ');
        qp_writing_loss(w, "comment-blank", 1, node,
                        "a blank stands before a comment that would be no comment");
    }
    text = qp_plain_comment(w, text, QP_PLAIN_CONTROLS | QP_PLAIN_MARKS, node, &m->plain);
    /* The one that opens stays where none closes. */
    bool brace = text.len != 0 && memchr(text.data, '}', text.len) != NULL, braces = brace;
    for (size_t i = 0; i < text.len; i++) {
        if (braces && (text.data[i] == '{' || text.data[i] == '}')) {
            qp_buf_add_text(w->out, text.data[i] == '{' ? "｛" : "｝");
        } else if (text.data[i] == '[' && i > 0 && text.data[i - 1] == '\n' &&
                   tags_begin(text, i)) {
            qp_buf_add_text(w->out, "［");
            brace = true;
        } else {
            qp_buf_add_char(w->out, text.data[i]);
        }
    }
    qp_buf_add_char(w->out, '}');
    if (brace)
        qp_writing_loss(w, "comment-brace", 1, node,
                        "a brace or bracket in a comment became one of full width");
    m->number_due = true;
}

static void write_comments(movetext *m, const qp_comment *comment, const qp_node *node)
{
    for (; comment != NULL; comment = comment->next)
        write_comment(m, comment->text, node);
}

static void write_clock(qp_writing *w, const qp_node *node)
{
    qp_str clock = node->extra->clock;
    bool changed = false;
    qp_buf_add_text(w->out, " {[%clk ");
    for (size_t i = 0; i < clock.len; i++) {
        char c = clock.data[i];
        bool odd = c == ']' || c == '}' || c == '{' || (unsigned char)c < ' ';
        qp_buf_add_char(w->out, odd ? '_' : c);
        changed |= odd;
    }
    qp_buf_add_text(w->out, "]}");
    if (changed)
        qp_writing_loss(w, "clock-character", 1, node,
                        "brackets in a clock time became underscores");
}

static void write_ply(movetext *m, const qp_board *board, const qp_node *node, unsigned depth)
{
    qp_writing *w = m->w;
    const qp_extra *extra = node->extra;
    if (extra != NULL)
        write_comments(m, extra->before, node);
    bool red = board->side == QP_RED;
    if (red || m->number_due) {
        if (red && depth == 0 && m->line_open) {
            qp_buf_add_char(w->out, '\n');
            m->line_open = false;
        }
        space(m);
        qp_buf_add_number(w->out, board->round);
        qp_buf_add_text(w->out, red ? "." : "...");
    }
    space(m);
    qp_writing_move(w, board, node);
    m->number_due = false;
    if (extra == NULL)
        return;
    for (size_t i = 0; i < extra->nag_count; i++) {
        qp_buf_add_text(w->out, " $");
        qp_buf_add_number(w->out, extra->nags[i]);
    }
    if (extra->clock.len != 0) {
        write_clock(w, node);
        m->number_due = true;
    }
    write_comments(m, extra->after, node);
}

/* Ends the variations that end before the walker's node. Inside a line whose rest went into
 * a comment nothing is written, and one that is nothing but such a comment has no brackets. */
static void close_lines(movetext *m, const qp_walker *walker)
{
    unsigned depth = walker->depth + walker->close_count - walker->opens;
    for (unsigned i = 0; i < walker->close_count; i++, depth--) {
        bool own = m->silent == depth + 1;
        if (own)
            m->silent = 0;
        if (m->silent == 0 && !(own && m->bare)) {
            qp_buf_add_char(m->w->out, ')');
            m->number_due = true;
        }
        if (own)
            m->bare = false;
    }
}

static void write_movetext(qp_writing *w, const qp_game *game)
{
    movetext m = {.w = w, .number_due = true};
    qp_walker walker;
    write_comments(&m, game->comments, NULL);
    qp_walker_start(&walker, game);
    walker.main_line = w->main_line;
    while (qp_walker_next(&walker)) {
        const qp_node *node = walker.node;
        qp_writing_spill(w);
        bool bad =
            node->flags & (QP_NODE_ILLEGAL | QP_NODE_UNREADABLE | QP_NODE_AFTER_ERROR);
        close_lines(&m, &walker);
        if (m.silent != 0)
            continue;
        if (walker.opens && !bad) {
            space(&m);
            qp_buf_add_char(w->out, '(');
            m.line_open = false;
            m.number_due = true;
        }
        if (bad) {
            space(&m);
            qp_writing_rest_braced(w, node);
            m.number_due = true;
            m.silent = walker.depth + 1;
            m.bare = walker.opens;
            continue;
        }
        write_ply(&m, &walker.board, node, walker.depth);
    }
    close_lines(&m, &walker);
    if (walker.failed)
        w->out->failed = true;
    qp_walker_end(&walker);
    space(&m);
    qp_buf_add_text(w->out, qp_result_text(game->result));
    qp_buf_add_char(w->out, '\n');
    qp_buf_clear(&m.plain);
}

void qp_pgn_write(qp_writing *w, const qp_game *game)
{
    write_tags(w, game);
    write_movetext(w, game);
}
