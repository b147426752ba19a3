/* Nothing is lost in silence: each thing that a game can have, alone and all together, is
 * written in every format and read again, and on to every other format and back. What is
 * different then is exactly what the writers reported as a loss: as many things of each kind,
 * one finding a thing and place. */
#include "config.h"

#include "format/format.h"
#include "unit/table.h"

#include <criterion/criterion.h>
#include <stdio.h>

static qp_patterns *patterns;
static bool in_library; /* what is said of a library is said by its first game */

/* ---- a game as the things in it ---- */

/* A loss's detail begins with the thing that it is of: `comments`, `comment-brace` … */
typedef enum thing {
    TAGS,
    COMMENTS,
    VARIATIONS,
    NAGS,
    CLOCKS,
    START,
    COUNTERS,
    RESULT,
    MOVES,
    LINES, /* from a ply that cannot be one in the format to the end of its line */
    THINGS
} thing;
static const struct {
    const char *stem, *name;
} things[THINGS] = {
    {"tag", "tags"},     {"comment", "comments"}, {"variation", "variations"},
    {"nag", "nags"},     {"clock", "clocks"},     {"start", "start"},
    {"counter", "counters"}, {"result", "result"}, {"move", "moves"},
    {"line", "lines"},
};

static thing thing_of(const char *detail)
{
    size_t len = strcspn(detail, "-");
    for (int t = 0; t < THINGS; t++)
        if (len >= strlen(things[t].stem) && len <= strlen(things[t].name) &&
            strncmp(detail, things[t].name, strlen(things[t].stem)) == 0)
            return (thing)t;
    return THINGS;
}

typedef struct atom {
    thing kind;
    qp_str place, value;
} atom;

typedef struct model {
    qp_arena *arena;
    atom *atoms;
    size_t count, room;
} model;

static void add_atom(model *m, thing kind, qp_buf *place, qp_buf *value)
{
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->atoms = realloc(m->atoms, m->room * sizeof *m->atoms);
        cr_assert(m->atoms != NULL);
    }
    m->atoms[m->count++] = (atom){kind, qp_arena_str(m->arena, place->data, place->len),
                                  qp_arena_str(m->arena, value->data, value->len)};
    place->len = value->len = 0;
}

static void add_ply(qp_buf *out, const qp_node *node)
{
    char move[5];
    qp_move_text(node->move, move);
    if (node->move != 0)
        qp_buf_add(out, move, 4);
    else
        qp_buf_add_str(out, qp_node_text(node));
}

/* Where a ply stands: the plies that lead to it, and which of those it is that are written
 * the same. */
static void add_place(qp_buf *out, const qp_node *node)
{
    enum { LONGEST = 64 };
    const qp_node *way[LONGEST];
    size_t len = 0;
    for (; node != NULL && len < LONGEST; node = node->prev)
        way[len++] = node;
    while (len > 0) {
        const qp_node *n = way[--len];
        qp_buf_add_char(out, '/');
        add_ply(out, n);
        const qp_node *other = qp_node_owner(n);
        for (unsigned same = 0; other != NULL && other != n;
             other = !other->aside ? qp_node_alternative(other) : qp_node_sibling(other))
            if (other->move == n->move && qp_str_same(qp_node_text(other), qp_node_text(n)))
                qp_buf_printf(out, "#%u", ++same);
    }
}

static void add_list(qp_buf *out, char mark, const qp_comment *comment)
{
    for (; comment != NULL; comment = comment->next)
        if (comment->text.len != 0) { /* an empty one says nothing */
            qp_buf_add_char(out, mark);
            qp_buf_add_str(out, comment->text);
        }
}

static void add_notes(model *m, const qp_node *node)
{
    qp_buf place = {0}, value = {0};
    const qp_extra *extra = node->extra;
    if (extra != NULL) {
        add_list(&value, '<', extra->before);
        add_list(&value, '>', extra->after);
    }
    if (value.len != 0) {
        add_place(&place, node);
        add_atom(m, COMMENTS, &place, &value);
    }
    if (extra != NULL && extra->nag_count != 0) {
        add_place(&place, node);
        for (size_t i = 0; i < extra->nag_count; i++)
            qp_buf_printf(&value, " %u", extra->nags[i]);
        add_atom(m, NAGS, &place, &value);
    }
    if (extra != NULL && extra->clock.len != 0) {
        add_place(&place, node);
        qp_buf_add_str(&value, extra->clock);
        add_atom(m, CLOCKS, &place, &value);
    }
    qp_buf_clear(&place);
    qp_buf_clear(&value);
}

/* Whether it cannot be a ply in a format. */
static bool breaks(const qp_node *node, unsigned carries)
{
    if (carries & QP_CARRIES_UNREADABLE)
        return false;
    return carries & QP_CARRIES_SQUARES ? node->move == 0 : node->flags != 0;
}

/* From a ply to the end of its line, as one thing; returns the node behind it. */
static const qp_node *add_line(model *m, const qp_node *node, unsigned *depth)
{
    qp_buf place = {0}, value = {0};
    unsigned own = *depth;
    add_place(&place, node);
    do {
        qp_buf_printf(&value, " %u:", *depth - own);
        add_ply(&value, node);
        node = qp_node_walk(node, depth);
    } while (node != NULL && (*depth > own || (*depth == own && !node->aside)));
    add_atom(m, LINES, &place, &value);
    qp_buf_clear(&place);
    qp_buf_clear(&value);
    return node;
}

/* Tags that say what is told otherwise, or nothing. */
static bool is_tag(const qp_tag *tag)
{
    static const char *const made[] = {"Game", "Format", "MoveFormat", "SetUp"};
    qp_board board;
    qp_fen_report report;
    for (size_t i = 0; i < QP_COUNT(made); i++)
        if (qp_str_is_nocase(tag->name, made[i]))
            return false;
    if (in_library && tag->name.len >= 11 && memcmp(tag->name.data, "CBR_Library", 11) == 0)
        return false;
    qp_result result;
    if (qp_str_is_nocase(tag->name, "Result") && qp_result_read(patterns, tag->value, &result))
        return false;
    qp_fen_read(tag->value, &board, &report);
    if (qp_str_is_nocase(tag->name, "FEN") && !(report.faults & QP_FEN_UNREADABLE))
        return false;
    return qp_str_trim(tag->value).len != 0;
}

/* Case does not count, and what CCBridge's binary and its XML call their own is one. */
static void add_name(qp_buf *out, qp_str name)
{
    bool own = name.len > 4 && memcmp(name.data, "CBF_", 4) == 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = own && i == 2 ? 'R' : name.data[i];
        qp_buf_add_char(out, c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c);
    }
}

static bool same_name(qp_str a, qp_str b)
{
    qp_buf first = {0}, second = {0};
    add_name(&first, a);
    add_name(&second, b);
    bool same = first.len == second.len &&
                (first.len == 0 || memcmp(first.data, second.data, first.len) == 0);
    qp_buf_clear(&first);
    qp_buf_clear(&second);
    return same;
}

static void add_heads(model *m, const qp_game *game)
{
    qp_buf place = {0}, value = {0};
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        unsigned same = 0;
        for (size_t j = 0; j < i; j++)
            same += same_name(game->tags[j].name, tag->name) && is_tag(&game->tags[j]);
        if (!is_tag(tag))
            continue;
        qp_buf_printf(&place, "%u ", same);
        add_name(&place, tag->name);
        qp_buf_add_str(&value, tag->value);
        add_atom(m, TAGS, &place, &value);
    }
    char fen[QP_FEN_MAX];
    qp_board plain = game->start;
    plain.quiet = 0;
    plain.round = 1;
    qp_buf_add(&value, fen, qp_fen_write(&plain, fen));
    add_atom(m, START, &place, &value);
    qp_buf_printf(&value, "%u %u", game->start.quiet, game->start.round);
    add_atom(m, COUNTERS, &place, &value);
    if (game->result != QP_RESULT_UNKNOWN) {
        qp_buf_add_text(&value, qp_result_text(game->result));
        add_atom(m, RESULT, &place, &value);
    }
    add_list(&value, '>', game->comments);
    if (value.len != 0)
        add_atom(m, COMMENTS, &place, &value);
    qp_buf_clear(&place);
    qp_buf_clear(&value);
}

/* All things of a game, as a format with these bits tells them apart. */
static void make_model(model *m, const qp_game *game, unsigned carries)
{
    qp_buf place = {0}, value = {0};
    const qp_node *node = game->first;
    unsigned depth = 0;
    m->count = 0;
    add_heads(m, game);
    while (node != NULL) {
        if (breaks(node, carries)) {
            node = add_line(m, node, &depth);
            continue;
        }
        if (depth == 0 || node->aside) {
            add_place(&place, node);
            for (const qp_node *n = node; n != NULL && !breaks(n, carries);
                 n = depth == 0 ? NULL : n->next) {
                qp_buf_add_char(&value, ' ');
                add_ply(&value, n);
            }
            add_atom(m, depth == 0 ? MOVES : VARIATIONS, &place, &value);
        }
        add_notes(m, node);
        node = qp_node_walk(node, &depth);
    }
    qp_buf_clear(&place);
    qp_buf_clear(&value);
}

static const atom *find(const model *m, const atom *wanted)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->atoms[i].kind == wanted->kind && qp_str_same(m->atoms[i].place, wanted->place))
            return &m->atoms[i];
    return NULL;
}

typedef struct difference {
    size_t gone[THINGS], come[THINGS]; /* changed counts as gone */
    const atom *example[THINGS], *became[THINGS];
} difference;

static difference compare(const model *before, const model *after)
{
    difference d = {{0}, {0}, {NULL}, {NULL}};
    for (size_t i = 0; i < before->count; i++) {
        const atom *a = &before->atoms[i], *b = find(after, a);
        if (b != NULL && qp_str_same(a->value, b->value))
            continue;
        d.gone[a->kind]++;
        d.example[a->kind] = a;
        d.became[a->kind] = b;
    }
    for (size_t i = 0; i < after->count; i++) {
        const atom *b = &after->atoms[i];
        if (find(before, b) == NULL) {
            d.come[b->kind]++;
            if (d.gone[b->kind] == 0)
                d.example[b->kind] = b;
        }
    }
    return d;
}

/* ---- ways ---- */

static int put(void *user, const void *buffer, size_t size)
{
    qp_buf_add(user, buffer, size);
    return 0;
}

typedef struct input {
    qp_str bytes;
    size_t at;
} input;

static ptrdiff_t get(void *user, void *buffer, size_t size)
{
    input *in = user;
    size_t n = in->bytes.len - in->at;
    n = n < size ? n : size;
    if (n != 0)
        memcpy(buffer, in->bytes.data + in->at, n);
    in->at += n;
    return (ptrdiff_t)n;
}

/* What the writer says that it lost, and those of it that it names a place for. */
typedef struct placed {
    thing kind;
    uint32_t ply, variation;
} placed;
enum { PLACES_MAX = 64 };
typedef struct losses {
    size_t count[THINGS], place_count;
    placed places[PLACES_MAX];
} losses;

/* Adds what happened later; what happened to the same thing twice counts once. */
static void add_losses(losses *all, const losses *more)
{
    size_t whole[THINGS]; /* said of all of a kind, wherever it is */
    for (int t = 0; t < THINGS; t++) {
        whole[t] = more->count[t];
        all->count[t] += more->count[t];
    }
    for (size_t i = 0; i < more->place_count; i++)
        whole[more->places[i].kind]--;
    for (size_t i = 0; i < all->place_count; i++)
        all->count[all->places[i].kind] -= whole[all->places[i].kind] != 0;
    for (size_t i = 0; i < more->place_count; i++) {
        const placed *p = &more->places[i];
        for (size_t j = 0; j < all->place_count; j++)
            all->count[p->kind] -=
                memcmp(p, &all->places[j], sizeof *p) == 0 && all->count[p->kind] != 0;
    }
}

static losses count_losses(const qp_writer *writer, const char *way)
{
    size_t count;
    losses l = {.place_count = 0};
    const qp_finding *findings = qp_writer_findings(writer, &count);
    for (size_t i = 0; i < count; i++) {
        const qp_finding *f = &findings[i];
        thing kind = f->detail != NULL ? thing_of(f->detail) : THINGS;
        cr_expect(f->code == QP_D_loss && f->count != 0 && kind != THINGS, "%s: %s %s: %.*s",
                  way, qp_code_name(f->code), f->detail ? f->detail : "-",
                  (int)f->message.len, f->message.data);
        if (kind != THINGS)
            l.count[kind] += f->count;
        if (kind != THINGS && f->count == 1 && strchr(f->detail, '-') != NULL &&
            l.place_count < PLACES_MAX)
            l.places[l.place_count++] = (placed){kind, f->ply, f->variation};
        for (size_t j = 0; j < i; j++)
            cr_expect(f->ply == 0 || findings[j].ply != f->ply ||
                          findings[j].variation != f->variation ||
                          thing_of(findings[j].detail) != kind,
                      "%s: %s at ply %u and %s there too", way, f->detail, f->ply,
                      findings[j].detail);
    }
    return l;
}

typedef struct stage {
    const qp_format *format;
    qp_buf bytes;
    input in;
    qp_reader *reader;
    const qp_game *game;
    losses losses; /* of writing it */
} stage;

static void end_stage(stage *s)
{
    qp_reader_close(s->reader);
    qp_buf_clear(&s->bytes);
}

/* Writes a game in a format and reads it again, in that encoding (NULL: found). */
static void run_with(const qp_context *context, stage *s, const qp_format *format,
                     qp_writer_options options, const char *read, const qp_game *game,
                     const char *way)
{
    *s = (stage){.format = format};
    options.format = qp_format_name(format);
    qp_writer *writer = qp_writer_open(context, put, &s->bytes, &options);
    cr_assert(writer != NULL);
    cr_expect(qp_writer_put(writer, game) == QP_OK);
    s->losses = count_losses(writer, way);
    cr_expect(qp_writer_close(writer) == QP_OK);
    s->in = (input){{s->bytes.data, s->bytes.len}, 0};
    s->reader = qp_reader_open(context, get, &s->in,
                               &(qp_reader_options){.format = options.format, .encoding = read});
    cr_assert(s->reader != NULL);
    qp_reader_next(s->reader, &s->game);
    cr_expect(s->game != NULL, "%s: nothing is read back", way);
}

static void run_stage(const qp_context *context, stage *s, const qp_format *format,
                      const qp_game *game, const char *way)
{
    run_with(context, s, format, (qp_writer_options){0}, NULL, game, way);
}

static model first, second;
static qp_arena arena;

static void explain(const difference *d, int t, const losses *l, const char *way)
{
    const atom *a = d->example[t], *b = d->became[t];
    cr_expect(false, "%s: of %s %zu are gone, %zu new, %zu reported%s%.*s%s%.*s%s%.*s", way,
              things[t].name, d->gone[t], d->come[t], l->count[t], a ? ": " : "",
              a ? (int)a->place.len : 0, a ? a->place.data : "", a ? " = " : "",
              a ? (int)(a->value.len < 80 ? a->value.len : 80) : 0, a ? a->value.data : "",
              b ? " became " : "", b ? (int)(b->value.len < 80 ? b->value.len : 80) : 0,
              b ? b->value.data : "");
}

/* That what differs between two games is what was lost. Of a line that cannot be told a comment
 * remains where the format has any. */
static void expect_loss(const qp_game *before, const qp_game *after, unsigned carries,
                        const losses *l, const char *way)
{
    qp_arena_rewind(&arena);
    first.arena = second.arena = &arena;
    make_model(&first, before, carries);
    make_model(&second, after, carries);
    difference d = compare(&first, &second);
    for (int t = 0; t < THINGS; t++) {
        /* From another position moves are other moves. */
        if (l->count[START] != 0 && (t == MOVES || t == LINES || t == COMMENTS))
            continue;
        size_t lines = t == COMMENTS ? d.gone[LINES] : 0;
        size_t renamed = t == TAGS ? l->count[TAGS] : 0;
        if (d.gone[t] < l->count[t] || d.gone[t] > l->count[t] + lines ||
            d.come[t] > lines + renamed)
            explain(&d, t, l, way);
    }
}

static bool usable(const qp_format *format)
{
    return qp_format_reads(format) && qp_format_writes(format);
}

typedef struct given {
    qp_reader *reader;
    const qp_game *game;
    input in;
} given;

static bool open_feature(const qp_context *context, table *t, given *f)
{
    if (!table_next(t))
        return false;
    f->in = (input){{t->field[1], strlen(t->field[1])}, 0};
    f->reader =
        qp_reader_open(context, get, &f->in, &(qp_reader_options){.format = "json"});
    cr_assert(f->reader != NULL);
    qp_reader_next(f->reader, &f->game);
    cr_expect(f->game != NULL, "row %d: no game", t->row);
    return true;
}

/* What a game lost on its way into a format, and what on the way back into the first one. */
static void check_way(const qp_context *context, const qp_game *game, const qp_format *a,
                      const qp_format *b, const char *way)
{
    stage there, other, back;
    run_stage(context, &there, a, game, way);
    if (there.game != NULL)
        run_stage(context, &other, b, there.game, way);
    if (there.game != NULL && other.game != NULL) {
        unsigned carries = qp_format_carries(a) & qp_format_carries(b);
        run_stage(context, &back, a, other.game, way);
        losses both = other.losses;
        add_losses(&both, &back.losses);
        if (back.game != NULL)
            expect_loss(there.game, back.game, carries, &both, way);
        end_stage(&back);
    }
    if (there.game != NULL)
        end_stage(&other);
    end_stage(&there);
}

static qp_context *begin(table *t)
{
    qp_arena_init(&arena);
    patterns = qp_patterns_new();
    cr_assert(table_open(t, "features.tsv"));
    return qp_context_new();
}

static void end(qp_context *context)
{
    qp_arena_clear(&arena);
    free(first.atoms);
    free(second.atoms);
    qp_patterns_free(patterns);
    qp_context_free(context);
}

Test(loss, of_each_thing_in_each_format_is_what_is_reported)
{
    const qp_format *format;
    char way[200];
    table t;
    given feature;
    qp_context *context = begin(&t);
    while (open_feature(context, &t, &feature)) {
        for (size_t f = 0; feature.game != NULL && (format = qp_format_at(f)) != NULL; f++) {
            stage s;
            if (!usable(format))
                continue;
            snprintf(way, sizeof way, "row %d (%s) as %s", t.row, t.field[0],
                     qp_format_name(format));
            run_stage(context, &s, format, feature.game, way);
            if (s.game != NULL)
                expect_loss(feature.game, s.game, qp_format_carries(format), &s.losses, way);
            end_stage(&s);
        }
        qp_reader_close(feature.reader);
    }
    end(context);
}

/* The same where a format is written otherwise than usually: another version, the main line
 * alone, and in PGN in every notation that reads back. */
Test(loss, of_other_ways_to_write_is_what_is_reported)
{
    static const struct {
        const char *format, *notation;
        bool main_line;
        unsigned version;
        qp_quotes quotes;
    } ways[] = {
        {"xqf", NULL, false, 18, QP_QUOTES_ESCAPED},  {"xqf", NULL, true, 0, QP_QUOTES_ESCAPED},
        {"pgn", NULL, true, 0, QP_QUOTES_ESCAPED},    {"pgn", NULL, false, 0, QP_QUOTES_SAFE},
        {"pgn", "wxf", false, 0, QP_QUOTES_ESCAPED},  {"pgn", "iccs", false, 0, QP_QUOTES_ESCAPED},
        {"pgn", "uci", false, 0, QP_QUOTES_ESCAPED},  {"json", NULL, true, 0, QP_QUOTES_ESCAPED},
        {"xml", NULL, true, 0, QP_QUOTES_ESCAPED},    {"dhtmlxq", NULL, true, 0, QP_QUOTES_ESCAPED},
        {"cbr", NULL, true, 0, QP_QUOTES_ESCAPED},    {"cbf", NULL, true, 0, QP_QUOTES_ESCAPED},
        {"txt", "wxf", false, 0, QP_QUOTES_ESCAPED},  {"txt", "iccs", false, 0, QP_QUOTES_ESCAPED},
        {"pgn", "chinese-traditional", false, 0, QP_QUOTES_ESCAPED},
    };
    char text[200];
    table t;
    given feature;
    qp_context *context = begin(&t);
    while (open_feature(context, &t, &feature)) {
        for (size_t i = 0; feature.game != NULL && i < QP_COUNT(ways); i++) {
            stage s;
            const qp_format *format = qp_format_find(ways[i].format);
            qp_writer_options options = {.main_line = ways[i].main_line,
                                         .version = ways[i].version,
                                         .quotes = ways[i].quotes};
            if (ways[i].notation != NULL)
                options.notation = qp_notation_find(context, ways[i].notation);
            snprintf(text, sizeof text, "row %d (%s), way %zu, as %s", t.row, t.field[0], i,
                     ways[i].format);
            run_with(context, &s, format, options, NULL, feature.game, text);
            if (s.game != NULL)
                expect_loss(feature.game, s.game, qp_format_carries(format), &s.losses, text);
            end_stage(&s);
        }
        qp_reader_close(feature.reader);
    }
    end(context);
}

Test(loss, of_each_pair_of_formats_is_what_is_reported)
{
    const qp_format *a, *b;
    char way[200];
    table t;
    given feature;
    qp_context *context = begin(&t);
    while (open_feature(context, &t, &feature)) {
        for (size_t f = 0; feature.game != NULL && (a = qp_format_at(f)) != NULL; f++)
            for (size_t g = 0; usable(a) && (b = qp_format_at(g)) != NULL; g++) {
                if (!usable(b))
                    continue;
                snprintf(way, sizeof way, "row %d (%s), %s to %s and back", t.row, t.field[0],
                         qp_format_name(a), qp_format_name(b));
                check_way(context, feature.game, a, b, way);
            }
        qp_reader_close(feature.reader);
    }
    end(context);
}

/* Formats that can say any character by a reference do so where the encoding lacks it. */
Test(loss, of_no_character_where_it_can_be_said_otherwise)
{
    static const struct {
        const char *write, *read;
    } encodings[] = {{"GBK", "gb18030"}, {"BIG5", "big5"}};
    const qp_format *format;
    char way[200];
    table t;
    given feature;
    qp_context *context = begin(&t);
    while (open_feature(context, &t, &feature)) {
        for (size_t f = 0; feature.game != NULL && (format = qp_format_at(f)) != NULL; f++)
            for (size_t e = 0; format->refer != NULL && e < QP_COUNT(encodings); e++) {
                stage s;
                snprintf(way, sizeof way, "row %d (%s) as %s in %s", t.row, t.field[0],
                         qp_format_name(format), encodings[e].write);
                run_with(context, &s, format,
                         (qp_writer_options){.encoding = encodings[e].write},
                         encodings[e].read, feature.game, way);
                if (s.game != NULL)
                    expect_loss(feature.game, s.game, qp_format_carries(format), &s.losses,
                                way);
                end_stage(&s);
            }
        qp_reader_close(feature.reader);
    }
    end(context);
}

/* All games in one file: as many come back, and each lost what was reported of it. Formats of
 * bare moves say once a file what they cannot hold. */
static void check_file(const qp_context *context, const qp_format *format, const given *games,
                       losses *lost, size_t count)
{
    char way[200];
    stage s = {.format = format};
    bool once = !(qp_format_carries(format) & (QP_CARRIES_TAGS | QP_CARRIES_FEW_TAGS));
    const char *name = qp_format_name(format);
    qp_writer *writer = qp_writer_open(context, put, &s.bytes,
                                       &(qp_writer_options){.format = name});
    cr_assert(writer != NULL);
    for (size_t i = 0; i < count; i++) {
        snprintf(way, sizeof way, "game %zu of a file of %s", i + 1, name);
        cr_expect(qp_writer_put(writer, games[i].game) == QP_OK);
        lost[i] = count_losses(writer, way);
    }
    cr_expect(qp_writer_close(writer) == QP_OK);
    s.in = (input){{s.bytes.data, s.bytes.len}, 0};
    s.reader = qp_reader_open(context, get, &s.in, &(qp_reader_options){.format = name});
    cr_assert(s.reader != NULL);
    for (size_t i = 0; i < count; i++) {
        snprintf(way, sizeof way, "game %zu of a file of %s", i + 1, name);
        qp_reader_next(s.reader, &s.game);
        cr_expect(s.game != NULL, "%s: it is not read back", way);
        if (s.game != NULL && !once)
            expect_loss(games[i].game, s.game, qp_format_carries(format), &lost[i], way);
    }
    cr_expect(qp_reader_next(s.reader, &s.game) == QP_END, "%s holds more games", name);
    end_stage(&s);
}

Test(loss, of_one_game_touches_no_other)
{
    enum { ROWS_MAX = 1000 };
    static given games[ROWS_MAX];
    static losses lost[ROWS_MAX];
    const qp_format *format;
    size_t count = 0;
    table t;
    qp_context *context = begin(&t);
    while (count < ROWS_MAX && open_feature(context, &t, &games[count]))
        count += games[count].game != NULL;
    for (size_t f = 0; (format = qp_format_at(f)) != NULL; f++)
        if (usable(format) && !format->single) {
            in_library = strcmp(qp_format_name(format), "cbl") == 0;
            check_file(context, format, games, lost, count);
        }
    in_library = false;
    for (size_t i = 0; i < count; i++)
        qp_reader_close(games[i].reader);
    end(context);
}
