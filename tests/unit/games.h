/* Games for the tests of formats: texts that are read and written in memory, random
 * trees, and whether two games hold the same. */
#ifndef QP_TEST_GAMES_H
#define QP_TEST_GAMES_H

#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct memory {
    qp_str text;
    size_t at, step; /* bytes a read gives at most; 0: all */
} memory;

static inline ptrdiff_t memory_read(void *user, void *buffer, size_t size)
{
    memory *m = user;
    size_t left = m->text.len - m->at;
    size = size < left ? size : left;
    size = m->step != 0 && m->step < size ? m->step : size;
    if (size != 0)
        memcpy(buffer, m->text.data + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static inline int memory_write(void *user, const void *data, size_t size)
{
    qp_buf_add(user, data, size);
    return 0;
}

static inline qp_reader *memory_reader(const qp_context *context, memory *m,
                                       const char *format)
{
    qp_reader_options options = {.format = format};
    return qp_reader_open(context, memory_read, m, &options);
}

static inline void write_game(const qp_context *context, const qp_game *game,
                              const char *format, qp_buf *out)
{
    qp_writer_options options = {.format = format};
    qp_writer *writer = qp_writer_open(context, memory_write, out, &options);
    qp_writer_put(writer, game);
    qp_writer_close(writer);
}

/* All games of a text as JSON, the codes of the findings before each; a NUL ends it. step: bytes
 * handed out at a time. */
static inline void tell_all(const qp_context *context, const char *format, const char *text,
                            size_t step, qp_buf *out)
{
    memory m = {.text = qp_str_of(text), .step = step};
    qp_reader *reader = memory_reader(context, &m, format);
    const qp_game *game;
    do {
        size_t count;
        qp_status status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        for (size_t i = 0; i < count; i++)
            qp_buf_printf(out, "%s/%s at ply %u\n", qp_code_name(findings[i].code),
                          findings[i].detail ? findings[i].detail : "", findings[i].ply);
        qp_buf_printf(out, "%d\n", (int)status);
        if (game != NULL)
            write_game(context, game, "json", out);
    } while (game != NULL);
    qp_buf_add_char(out, '\0');
    qp_reader_close(reader);
}

/* ---- the same? ---- */

static inline bool differ(char why[160], const char *what, qp_str a, qp_str b)
{
    snprintf(why, 160, "%s: '%.*s' became '%.*s'", what, (int)(a.len < 50 ? a.len : 50),
             a.data, (int)(b.len < 50 ? b.len : 50), b.data);
    return false;
}

static inline bool same_comments(const qp_comment *a, const qp_comment *b, char why[160])
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (!qp_str_same(a->text, b->text))
            return differ(why, "comment", a->text, b->text);
    return a == b || differ(why, "a comment", QP_STR("there"), QP_STR("not there"));
}

static inline bool same_nodes(const qp_node *a, const qp_node *b, char why[160])
{
    static const qp_extra none;
    const qp_extra *x = a->extra ? a->extra : &none, *y = b->extra ? b->extra : &none;
    if (!qp_str_same(qp_node_text(a), qp_node_text(b)))
        return differ(why, "text", qp_node_text(a), qp_node_text(b));
    if (a->move != b->move || a->flags != b->flags || a->ply != b->ply ||
        a->variation != b->variation) {
        snprintf(why, 160, "ply %u: move %x flags %x variation %u became %u: %x %x %u",
                 a->ply, a->move, a->flags, a->variation, b->ply, b->move, b->flags,
                 b->variation);
        return false;
    }
    if (!qp_str_same(x->clock, y->clock))
        return differ(why, "clock", x->clock, y->clock);
    if (!qp_str_same(x->rest, y->rest))
        return differ(why, "rest", x->rest, y->rest);
    if (x->nag_count != y->nag_count ||
        (x->nag_count != 0 &&
         memcmp(x->nags, y->nags, x->nag_count * sizeof *x->nags) != 0))
        return differ(why, "nags", QP_STR("some"), QP_STR("others"));
    return same_comments(x->before, y->before, why) &&
           same_comments(x->after, y->after, why);
}

/* All that a format which holds everything must keep. */
static inline bool same_games(const qp_game *a, const qp_game *b, char why[160])
{
    unsigned depth_a = 0, depth_b = 0;
    const qp_node *x = a->first, *y = b->first;
    for (size_t i = 0; i < a->tag_count && i < b->tag_count; i++) {
        if (!qp_str_same(a->tags[i].name, b->tags[i].name))
            return differ(why, "tag name", a->tags[i].name, b->tags[i].name);
        if (!qp_str_same(a->tags[i].value, b->tags[i].value))
            return differ(why, "tag value", a->tags[i].value, b->tags[i].value);
    }
    if (a->tag_count != b->tag_count || a->result != b->result ||
        a->result_given != b->result_given || a->start_given != b->start_given ||
        !qp_board_same(&a->start, &b->start) || a->start.quiet != b->start.quiet ||
        a->start.round != b->start.round || a->legal != b->legal ||
        a->plies != b->plies || a->nodes != b->nodes || a->variations != b->variations ||
        a->comment_places != b->comment_places || a->end != b->end)
        return differ(why, "heads", QP_STR("these"), QP_STR("others"));
    if (!same_comments(a->comments, b->comments, why))
        return false;
    while (x != NULL && y != NULL) {
        if (!same_nodes(x, y, why))
            return false;
        x = qp_node_walk(x, &depth_a);
        y = qp_node_walk(y, &depth_b);
        if (depth_a != depth_b)
            return differ(why, "depth", QP_STR("one"), QP_STR("another"));
    }
    return x == y || differ(why, "nodes", QP_STR("some"), QP_STR("fewer or more"));
}

/* Writes the game, reads it back, and writes it again: the game must be the same, and so
 * must both texts. */
static inline bool survives(const qp_context *context, const qp_game *game,
                            const char *format, char why[160])
{
    qp_buf first = {0}, second = {0};
    write_game(context, game, format, &first);
    memory m = {.text = {first.data, first.len}};
    qp_reader *reader = memory_reader(context, &m, format);
    const qp_game *again;
    qp_status status = qp_reader_next(reader, &again);
    bool same = (status == QP_OK || status == QP_BAD) && again != NULL;
    if (!same)
        snprintf(why, 160, "status %d", (int)status);
    same = same && same_games(game, again, why);
    if (same) {
        write_game(context, again, format, &second);
        same = qp_str_same((qp_str){first.data, first.len},
                           (qp_str){second.data, second.len}) ||
               differ(why, "text", (qp_str){first.data, first.len},
                      (qp_str){second.data, second.len});
    }
    qp_reader_close(reader);
    qp_buf_clear(&first);
    qp_buf_clear(&second);
    return same;
}

/* ---- random games ---- */

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % n);
}

/* Text with everything that a format may stumble over. */
static inline qp_str nasty_text(uint64_t *seed)
{
    static const char *const texts[] = {
        "",
        " ",
        "炮二平五",
        "a\"b\\c",
        "<move> & </move>",
        "]]>",
        "&lt;&#65;",
        "{\"a\":[1,2]}",
        "line one\nline two\n",
        "\ttab",
        " blanks ",
        "}])>",
        "\xF0\x9F\x90\x8E 馬",
        "%s%n",
        "\xEF\xBB\xBFmark",
        "'quotes'",
        "--><!--",
        "<![CDATA[x",
        "\\u0041\\n",
        "１－０",
        "\r\n",
        "\x7F",
        "é\xC2\x85",
        "[Event \"x\"]",
        "(1. h2e2)",
        "\xE3\x80\x80",
    };
    return qp_str_of(texts[random_below(seed, QP_COUNT(texts))]);
}

static inline const qp_comment *nasty_comments(uint64_t *seed, qp_arena *arena)
{
    const qp_comment *list = NULL;
    for (unsigned n = random_below(seed, 4); n > 0; n--) {
        qp_comment *c = qp_arena_zero(arena, sizeof *c);
        c->text = nasty_text(seed);
        c->next = list;
        list = c;
    }
    return list;
}

static inline qp_node *random_ply(uint64_t *seed, qp_arena *arena, const qp_board *board,
                                  qp_move taken)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, moves);
    if (count < 2)
        return NULL;
    size_t pick = random_below(seed, (uint32_t)count);
    if (moves[pick] == taken)
        pick = (pick + 1) % count;
    qp_node *node = qp_tree_node(arena, moves[pick]);
    if (random_below(seed, 2) == 0) {
        qp_str text = nasty_text(seed);
        node->text = text.data;
        node->text_len = (uint32_t)text.len;
    }
    if (random_below(seed, 3) == 0) {
        qp_extra *extra = qp_arena_zero(arena, sizeof *extra);
        extra->after = nasty_comments(seed, arena);
        if (random_below(seed, 3) == 0)
            extra->clock = QP_STR("0:01:30");
        extra->nag_count = random_below(seed, 3);
        uint16_t *nags = qp_arena_zero(arena, 4 * sizeof *nags);
        for (size_t i = 0; i < extra->nag_count; i++)
            nags[i] = (uint16_t)random_below(seed, 65536);
        extra->nags = nags;
        node->extra = extra;
    }
    return node;
}

/* Grows a line behind prev (NULL: from the start), with variations down to a depth. */
typedef struct random_line {
    qp_node *last;
    qp_board board;
    unsigned plies, depth;
} random_line;

static inline void random_game(uint64_t *seed, qp_arena *arena, qp_game *game)
{
    enum { LINES = 12, PLIES = 14 };
    random_line lines[LINES];
    size_t count = 0;
    static const char *const names[] = {"Event", "Red", "Black", "X",
                                        "x y",   "Red", "日期"};
    *game = (qp_game){.number = 1, .legal = true};
    qp_board_start(&game->start);
    if (random_below(seed, 3) == 0) {
        qp_fen_report report;
        qp_fen_read(QP_STR("3k5/9/9/4R4/9/9/9/9/4p4/3K5 b - - 7 31"), &game->start,
                    &report);
        game->start_given = true;
    }
    qp_tag *tags = qp_arena_zero(arena, QP_COUNT(names) * sizeof *tags);
    game->tag_count = random_below(seed, QP_COUNT(names) + 1);
    for (size_t i = 0; i < game->tag_count; i++)
        tags[i] = (qp_tag){qp_str_of(names[i]), nasty_text(seed)};
    game->tags = tags;
    game->result = (qp_result)random_below(seed, 4);
    game->result_given = true;
    game->comments = nasty_comments(seed, arena);
    lines[count++] = (random_line){.board = game->start, .plies = PLIES};
    for (size_t i = 0; i < count; i++) {
        random_line *line = &lines[i];
        qp_node *main_ply = line->last; /* of a variation: what it replaces */
        bool variation = i > 0;
        for (unsigned p = random_below(seed, line->plies) + variation; p > 0; p--) {
            qp_node *prev = variation ? main_ply->prev : line->last;
            qp_node *node =
                random_ply(seed, arena, &line->board, variation ? main_ply->move : 0);
            if (node == NULL)
                break;
            node->prev = prev;
            node->ply = prev ? prev->ply + 1 : 1;
            if (variation) {
                qp_tree_put_beside(qp_tree_last_beside(main_ply), node);
                if (random_below(seed, 2) == 0) {
                    qp_extra *extra = qp_arena_zero(arena, sizeof *extra);
                    if (node->extra != NULL)
                        *extra = *node->extra;
                    extra->before = nasty_comments(seed, arena);
                    node->extra = extra;
                }
            } else if (prev != NULL) {
                prev->next = node;
            } else {
                game->first = node;
            }
            /* What replaces a variation's first ply hangs beside it: none here. */
            if (!variation && count < LINES && random_below(seed, 3) == 0)
                lines[count++] =
                    (random_line){.last = node, .board = line->board, .plies = 4};
            if (!variation && count < LINES && random_below(seed, 6) == 0)
                lines[count++] =
                    (random_line){.last = node, .board = line->board, .plies = 4};
            variation = false;
            qp_board_play(&line->board, node->move);
            line->last = node;
        }
        if (i == 0) {
            game->final = line->board;
            game->end = qp_board_end(&line->board);
            game->plies = line->last ? line->last->ply : 0;
        }
    }
    qp_game_count(game);
    /* Numbers of lines, in file order. */
    uint32_t number = 0;
    for (const qp_node *n = game->first; n != NULL; n = qp_node_walk(n, NULL)) {
        qp_node *node = (qp_node *)n;
        node->variation = node->aside ? ++number
                          : node->prev        ? node->prev->variation
                                              : 0;
    }
}

#endif
