/* What is lost when a game is written: what the format's carries bits say that it cannot hold,
 * counted here; and what only a writer knows, reported by it through the helpers below. */
#include "config.h"

#include "format/format.h"

#include <stdarg.h>
#include <stdio.h>

/* Whether something of that kind was said to happen to a comment in the same place: one
 * finding is enough. */
static bool is_told(const qp_record *reports, const char *detail, const qp_node *node)
{
    if (reports->report_count == 0 || strncmp(detail, "comment-", 8) != 0)
        return false;
    const qp_report *last = &reports->reports[reports->report_count - 1];
    return last->code == QP_D_loss && strncmp(last->detail, "comment-", 8) == 0 &&
           last->ply == (node != NULL ? node->ply : 0) &&
           last->variation == (node != NULL ? node->variation : 0);
}

void qp_writing_loss(qp_writing *writing, const char *detail, size_t count,
                     const qp_node *node, const char *format, ...)
{
    char message[256];
    va_list args;
    if (is_told(writing->reports, detail, node))
        return;
    va_start(args, format);
    int len = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (len >= (int)sizeof message)
        message[qp_whole_len(message, sizeof message - 1)] = '\0';
    qp_report *report =
        qp_record_remark(writing->reports, QP_D_loss, detail, "%s", message);
    if (report == NULL)
        return;
    report->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    if (node != NULL) {
        report->ply = node->ply;
        report->variation = node->variation;
    }
}

bool qp_writing_said(qp_writing *writing, const qp_game *game, const qp_tag *tag)
{
    static const char *const made[] = {"Game", "SetUp", "Format", "MoveFormat"};
    if (qp_str_trim(tag->value).len == 0)
        return true;
    for (size_t i = 0; i < QP_COUNT(made); i++)
        if (qp_str_is_nocase(tag->name, made[i]))
            return true;
    if (qp_str_is_nocase(tag->name, "Result")) {
        qp_result result;
        return qp_result_read(writing->patterns, tag->value, &result) &&
               result == game->result;
    }
    if (qp_str_is_nocase(tag->name, "FEN")) {
        qp_board board;
        qp_fen_report report;
        qp_fen_read(tag->value, &board, &report);
        return (report.faults & QP_FEN_UNREADABLE) == 0;
    }
    return false;
}

void qp_writing_side(qp_writing *writing, const qp_game *game)
{
    const qp_node *node = game->first;
    qp_piece mover = node && node->move ? game->start.at[QP_FROM(node->move)] : 0;
    if (mover != 0 && (uint8_t)QP_PIECE_SIDE(mover) != game->start.side)
        qp_writing_loss(writing, "start-side", 1, node,
                        "whose piece moves first is taken to have the first move");
}

/* ---- texts ---- */

static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF */

static bool is_mark(const char *p, size_t n)
{
    return n >= 3 && memcmp(p, mark, 3) == 0;
}

static bool is_ascii_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static qp_str without_ends(qp_str text, unsigned flags)
{
    if (flags & QP_PLAIN_ENDS)
        text = qp_str_trim(text);
    while (flags & QP_PLAIN_END && text.len != 0 && is_ascii_blank(text.data[text.len - 1]))
        text.len--;
    while (flags & QP_PLAIN_LAST_LINES && text.len != 0 &&
           (text.data[text.len - 1] == '\n' || text.data[text.len - 1] == '\r'))
        text.len--;
    if (flags & QP_PLAIN_FIRST_MARK && is_mark(text.data, text.len))
        text = (qp_str){text.data + 3, text.len - 3};
    return text;
}

/* Whether the byte at p is to be left out or replaced. */
static inline bool is_odd(const char *p, size_t n, unsigned flags)
{
    unsigned char c = (unsigned char)*p;
    if (QP_LIKELY_TO(c >= 0x20 && c != 0xEF))
        return false;
    if (c == 0xEF)
        return flags & QP_PLAIN_MARKS && is_mark(p, n);
    if (c == '\n')
        return flags & QP_PLAIN_LINES;
    return c == '\r' || c == '\0' || (flags & QP_PLAIN_CONTROLS && c != '\t');
}

qp_str qp_plain(qp_str text, unsigned flags, qp_buf *work, bool *changed)
{
    qp_str whole = text;
    size_t i = 0;
    text = without_ends(text, flags);
    while (i < text.len && !is_odd(text.data + i, text.len - i, flags))
        i++;
    *changed = text.len != whole.len || i != text.len;
    if (i == text.len)
        return text;
    work->len = 0;
    qp_buf_add(work, text.data, i);
    for (; i < text.len; i++) {
        char c = text.data[i];
        if (!is_odd(text.data + i, text.len - i, flags)) {
            qp_buf_add_char(work, c);
        } else if ((unsigned char)c == 0xEF) {
            i += 2;
        } else if (c == '\n' || c == '\r') {
            qp_buf_add_char(work, flags & QP_PLAIN_LINES ? ' ' : '\n');
            i += c == '\r' && i + 1 < text.len && text.data[i + 1] == '\n';
        }
    }
    return without_ends((qp_str){work->data ? work->data : "", work->len}, flags);
}

qp_str qp_plain_comment(qp_writing *writing, qp_str text, unsigned flags,
                        const qp_node *node, qp_buf *work)
{
    bool changed;
    qp_str plain = qp_plain(text, flags, work, &changed);
    if (changed)
        qp_writing_loss(writing, "comment-character", 1, node,
                        "line ends or control characters in a comment are not as they were");
    writing->out->failed |= work->failed;
    return plain;
}

qp_str qp_plain_value(qp_writing *writing, qp_str name, qp_str value, unsigned flags,
                      qp_buf *work)
{
    bool changed;
    qp_str plain = qp_plain(value, flags, work, &changed);
    if (changed)
        qp_writing_loss(writing, "tag-character", 1, NULL,
                        "blanks, line ends or control characters of the tag %.*s are not as "
                        "they were",
                        (int)(name.len < 60 ? name.len : 60), name.data);
    writing->out->failed |= work->failed;
    return plain;
}

/* ---- tags without a place ---- */

void qp_lost_tag(qp_lost_tags *lost, const qp_tag *tag)
{
    enum { NAMED = 4, NAME_MAX = 40 };
    if (lost->count++ >= NAMED) {
        lost->more = true;
    } else if (tag->name.len <= NAME_MAX) {
        qp_buf_add_char(&lost->names, ' ');
        qp_buf_add_str(&lost->names, tag->name);
    }
}

void qp_lost_tags_end(qp_lost_tags *lost, qp_writing *writing, const char *format)
{
    if (lost->count != 0)
        qp_writing_loss(writing, "tags", lost->count, NULL, "%s has no place for %zu tag%s:%.*s%s",
                        format, lost->count, lost->count == 1 ? "" : "s",
                        (int)lost->names.len, lost->names.data ? lost->names.data : "",
                        lost->more ? " …" : "");
    qp_buf_clear(&lost->names);
}

/* ---- by the carries bits ---- */

/* [0] in the main line, [1] in variations. */
typedef struct contents {
    size_t tags; /* of formats that hold none */
    size_t variations, moves;
    size_t comments[2], nags[2], clocks[2], lines[2];
} contents;

/* The node after a line that cannot be told from node on: with it goes all that stands
 * instead of its plies. depth is the node's, and is kept. */
static const qp_node *behind_line(const qp_node *node, unsigned *depth)
{
    unsigned own = *depth;
    do
        node = qp_node_walk(node, depth);
    while (node != NULL && (*depth > own || (*depth == own && !node->aside)));
    return node;
}

/* Empty comments say nothing. */
static bool has_text(const qp_comment *comment)
{
    while (comment != NULL && comment->text.len == 0)
        comment = comment->next;
    return comment != NULL;
}

/* Whether a format has no place for a ply as a ply. */
static bool cannot_be(const qp_node *node, unsigned carries)
{
    if (carries & QP_CARRIES_UNREADABLE)
        return false;
    return carries & QP_CARRIES_SQUARES ? node->move == 0 : node->flags != 0;
}

/* What is in a game. Where a line cannot be told from some ply on, the rest of it is one thing,
 * whatever stands in it. */
static contents count_contents(qp_writing *writing, const qp_game *game, unsigned carries)
{
    contents c = {.comments = {has_text(game->comments)}};
    const qp_node *n = game->first;
    unsigned depth = 0;
    bool tags = carries & (QP_CARRIES_TAGS | QP_CARRIES_FEW_TAGS);
    for (size_t i = 0; !tags && i < game->tag_count; i++)
        c.tags += !qp_writing_said(writing, game, &game->tags[i]);
    while (n != NULL) {
        unsigned where = depth != 0;
        size_t bare = 0;
        for (; n->extra == NULL && n->beside == NULL && n->next != NULL &&
               (n->flags == 0 || !cannot_be(n, carries)) && n->move != 0;
             n = n->next) /* most are no more than a move in a line */
            bare++;
        c.moves += depth == 0 ? bare : 0;
        if (cannot_be(n, carries)) {
            c.lines[where]++;
            n = behind_line(n, &depth);
            continue;
        }
        c.moves += depth == 0;
        c.variations += n->aside;
        if (n->extra != NULL) {
            c.comments[where] += has_text(n->extra->before) || has_text(n->extra->after);
            c.nags[where] += n->extra->nag_count != 0;
            c.clocks[where] += n->extra->clock.len != 0;
        }
        n = qp_node_walk(n, &depth);
    }
    return c;
}

typedef struct telling {
    qp_writing *writing;
    const qp_format *format;
    unsigned *told; /* kinds, as bits, that are said once a file and were said */
    unsigned kinds; /* asked for so far, in this game */
} telling;

static void say(telling *t, const char *detail, size_t count, const char *before,
                const char *what, const char *behind)
{
    /* What a format of bare moves cannot hold is said once a file. */
    bool once = !(t->format->carries & (QP_CARRIES_TAGS | QP_CARRIES_FEW_TAGS));
    unsigned kind = 1u << t->kinds++;
    qp_record *reports = t->writing->reports;
    size_t first = reports->report_count;
    if (count == 0 || (once && !t->writing->part && (*t->told & kind)))
        return;
    *t->told |= kind;
    if (once)
        qp_writing_loss(t->writing, detail, count, NULL, "%s %s%s%s (said once)",
                        t->format->name, before, what, behind);
    else
        qp_writing_loss(t->writing, detail, count, NULL, "%s %s%s%s (%zu in this game)",
                        t->format->name, before, what, behind, count);
    if (once && t->writing->part && reports->report_count > first)
        reports->reports[first].once = kind; /* the writer of the file will know */
}

static void lose(telling *t, const char *detail, const char *what, size_t count)
{
    say(t, detail, count, "cannot hold ", what, "");
}

/* The same of things that stand at plies: those of variations go where these go. */
static void lose_notes(telling *t, unsigned bit, const char *detail, const char *what,
                       const size_t count[2])
{
    bool main_line = t->writing->main_line;
    if (!(t->format->carries & bit))
        say(t, detail, count[0] + count[1], "cannot hold ", what, "");
    else
        say(t, detail, main_line ? count[1] : 0, "leaves out ", what, " in variations");
}

void qp_writing_losses(qp_writing *writing, const qp_format *format, const qp_game *game,
                       unsigned *told)
{
    unsigned carries = format->carries, comments = QP_CARRIES_COMMENTS | QP_CARRIES_TEXT;
    telling t = {writing, format, told, 0};
    contents c = count_contents(writing, game, carries);
    qp_board usual;
    qp_board_start(&usual);
    lose(&t, "tags", "tags", c.tags);
    if (carries & QP_CARRIES_VARIATIONS)
        say(&t, "variations", writing->main_line ? c.variations : 0, "leaves out ",
            "variations", "");
    else
        lose(&t, "variations", "variations", c.variations);
    lose_notes(&t, QP_CARRIES_COMMENTS, "comments", "comments", c.comments);
    lose_notes(&t, QP_CARRIES_NAGS, "nags", "annotation glyphs", c.nags);
    lose_notes(&t, QP_CARRIES_CLOCKS, "clocks", "clock times", c.clocks);
    bool start = carries & QP_CARRIES_START, same = qp_board_same(&usual, &game->start);
    lose(&t, "start", "the start position", !start && !same);
    bool quiet = game->start.quiet != usual.quiet && !(carries & QP_CARRIES_COUNTERS);
    bool round = game->start.round != usual.round &&
                 !(carries & (QP_CARRIES_COUNTERS | QP_CARRIES_ROUND));
    lose(&t, "counters",
         quiet && round ? "the counters of the start position"
         : quiet        ? "the plies since a capture before the start position"
                        : "the round that the start position is of",
         quiet || round);
    bool result = game->result_given && game->result != QP_RESULT_UNKNOWN;
    lose(&t, "result", "the result", result && !(carries & QP_CARRIES_RESULT));
    lose(&t, "moves", "moves", carries & QP_CARRIES_MOVES ? 0 : c.moves);
    if (!(carries & comments))
        lose(&t, "lines", "what follows a move that cannot be played", c.lines[0] + c.lines[1]);
    else
        say(&t, "lines", c.lines[0] + (writing->main_line ? 0 : c.lines[1]), "keeps ",
            "what follows a move that cannot be played", " as a comment");
    if (carries & comments)
        say(&t, "lines", writing->main_line ? c.lines[1] : 0, "leaves out ",
            "what follows a move that cannot be played", " in variations");
}
