/* DhtmlXQ, writing. Players read binit, movelist, move_P_N_C and commentC_N; fields whose
 * names begin with x_ hold what they have no place for, so that nothing is lost:
 * x_splitC_N (how many lines each of several joined comments has), x_beforeC_N, x_nagC_N,
 * x_clockC_N, and x_result (the result is stated beside the tags). */
#include "config.h"

#include "format/dhtmlxq.h"
#include "format/said.h"
#include "rules/lines.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_MAX = 120, TAGS_COMPARED = 256 };

typedef struct pending {
    const qp_node *node;
    uint32_t id, parent;
} pending;

/* The key of a tag that was written before. */
typedef struct known_tag {
    char name[24];
    size_t len; /* 0: none */
    const char *key;
} known_tag;

typedef struct output {
    qp_writing *writing;
    known_tag known[16]; /* by their place: most games have the same tags */
    qp_buf moves, notes, joined, plain;
    pending *lines;
    size_t count, room;
} output;

static void add_entity(qp_buf *out, char c)
{
    qp_buf_add_text(out, "&#");
    qp_buf_add_number(out, (unsigned char)c);
    qp_buf_add_char(out, ';');
}

/* How many bytes of n at p stand for themselves wherever they are. */
static size_t plain_len(const char *p, size_t n)
{
    enum { P = 1 };
    static const uint8_t odd[256] = {
        P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
        P, P, P, P, [' '] = P, ['&'] = P, ['|'] = P, ['['] = P, [']'] = P, ['\\'] = P,
        ['%'] = P, ['_'] = P, ['<'] = P, [0xEF] = P};
    return qp_len_outside(p, n, odd);
}

/* A value such that it reads back as it is: brackets and whatever would be taken for an
 * escape become entities, and so do blanks at the ends. */
static void add_value(qp_buf *out, qp_str text, bool comment)
{
    const char *p = text.data;
    bool bar = false; /* the byte before was written as | */
    for (size_t i = 0; i < text.len; i++) {
        size_t plain = plain_len(p + i, text.len - i);
        if (plain != 0) {
            qp_buf_add(out, p + i, plain);
            bar = false;
            if ((i += plain) == text.len)
                return;
        }
        bool end = i == 0 || i + 1 == text.len, escape = false;
        uint32_t code_point;
        switch (p[i]) {
        case '&':
            qp_buf_add_text(out, "&amp;");
            bar = false;
            continue;
        case '\n':
            if (comment) {
                qp_buf_add_text(out, "||");
                bar = true;
                continue;
            }
            escape = true;
            break;
        case '|':
            escape = comment &&
                     (bar || (i + 1 < text.len && (p[i + 1] == '|' || p[i + 1] == '\n')));
            bar = !escape;
            break;
        case '[':
        case ']':
            escape = true;
            break;
        case ' ':
        case '\t':
            escape = end;
            break;
        case '\\':
        case '%':
        case '_':
        case '<':
            escape = qp_dhtmlxq_escape(p + i, text.len - i, &code_point) != 0;
            break;
        case '\xEF': /* U+FEFF: a reader of text passes over it */
            if (text.len - i >= 3 && memcmp(p + i, "\xEF\xBB\xBF", 3) == 0) {
                qp_buf_add_text(out, "&#65279;");
                bar = false;
                i += 2;
                continue;
            }
            break;
        default:
            escape = (unsigned char)p[i] < ' ';
            break;
        }
        if (p[i] != '|')
            bar = false;
        if (escape)
            add_entity(out, p[i]);
        else
            qp_buf_add_char(out, p[i]);
    }
}

static void open_field(qp_buf *out, const char *prefix, qp_str key)
{
    qp_buf_add(out, "[DhtmlXQ_", 9);
    qp_buf_add_text(out, prefix);
    qp_buf_add_str(out, key);
    qp_buf_add_char(out, ']');
}

static void close_field(qp_buf *out, const char *prefix, qp_str key)
{
    qp_buf_add(out, "[/DhtmlXQ_", 10);
    qp_buf_add_text(out, prefix);
    qp_buf_add_str(out, key);
    qp_buf_add(out, "]\n", 2);
}

static void add_field(qp_buf *out, const char *key, qp_str value)
{
    open_field(out, "", qp_str_of(key));
    add_value(out, value, false);
    close_field(out, "", qp_str_of(key));
}

void qp_dhtmlxq_refer(uint32_t code_point, char text[16])
{
    snprintf(text, 16, "&#%u;", (unsigned)code_point);
}

/* ---- tags ---- */

/* A tag that no field says: as tag_NAME. */
static void add_other_tag(qp_writing *writing, const qp_tag *tag)
{
    qp_buf made = {0};
    qp_str key = tag->name;
    if (plain_len(key.data, key.len) != key.len) {
        add_value(&made, tag->name, false);
        key = (qp_str){made.data, made.len};
    }
    if (made.failed || key.len >= KEY_MAX) {
        qp_writing_loss(writing, "tag-name", 1, NULL,
                        "a tag whose name is too long for a field");
    } else {
        open_field(writing->out, "tag_", key);
        add_value(writing->out, tag->value, false);
        close_field(writing->out, "tag_", key);
    }
    qp_buf_clear(&made);
}

static bool name_taken(const qp_game *game, size_t index)
{
    if (index > TAGS_COMPARED)
        return true;
    for (size_t i = 0; i < index; i++)
        if (qp_str_same(game->tags[i].name, game->tags[index].name))
            return true;
    return false;
}

/* The name behind DhtmlXQ_ where it can be a field of its own again; else empty. */
static qp_str foreign_key(qp_str name)
{
    if (name.len <= 8 || name.len > KEY_MAX || memcmp(name.data, "DhtmlXQ_", 8) != 0)
        return (qp_str){"", 0};
    qp_str key = {name.data + 8, name.len - 8};
    for (size_t i = 0; i < key.len; i++) {
        char c = key.data[i];
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && c != '_')
            return (qp_str){"", 0};
    }
    bool ours = qp_dhtmlxq_tag(key) != NULL || qp_dhtmlxq_reserved(key);
    return ours ? (qp_str){"", 0} : key;
}

/* Writes the result as the player's word where the tag says it in PGN's way, else in the
 * tag's own words. Where these would read back otherwise, the field speaks for itself and
 * the tag stands beside it. */
static void add_result(qp_writing *writing, const qp_game *game, const qp_tag *tag)
{
    qp_buf *out = writing->out;
    qp_result said = QP_RESULT_UNKNOWN;
    bool known = qp_result_read(writing->patterns, tag->value, &said) && tag->value.len != 0;
    bool beside = known ? said != game->result : game->result_given;
    for (int i = 0; i < 4; i++) {
        if (!beside && qp_str_is(tag->value, qp_result_text((qp_result)i))) {
            add_field(out, "result", qp_str_of(qp_dhtmlxq_results[i]));
            return;
        }
        beside |= qp_str_is(tag->value, qp_dhtmlxq_results[i]);
    }
    if (!beside) {
        add_field(out, "result", tag->value);
        return;
    }
    add_field(out, "result", qp_str_of(qp_dhtmlxq_results[game->result]));
    add_field(out, "x_result", QP_STR("beside"));
    add_other_tag(writing, tag);
}

/* The key of the i-th tag of a game. */
static const char *key_of(output *o, size_t i, qp_str name)
{
    known_tag *known = i < QP_COUNT(o->known) ? &o->known[i] : NULL;
    if (known == NULL || name.len == 0 || name.len > sizeof known->name)
        return qp_dhtmlxq_key(name);
    if (known->len != name.len || memcmp(known->name, name.data, name.len) != 0) {
        known->key = qp_dhtmlxq_key(name);
        known->len = name.len;
        memcpy(known->name, name.data, name.len);
    }
    return known->key;
}

static void add_tags(output *o, const qp_game *game)
{
    qp_writing *writing = o->writing;
    bool result = false;
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        const char *key = key_of(o, i, tag->name);
        qp_str foreign = foreign_key(tag->name);
        result |= key != NULL && qp_str_is(tag->name, "Result");
        if ((key == NULL && foreign.len == 0) || name_taken(game, i)) {
            add_other_tag(writing, tag);
        } else if (key == NULL) {
            char name[KEY_MAX];
            memcpy(name, foreign.data, foreign.len);
            name[foreign.len] = '\0';
            add_field(writing->out, name, tag->value);
        } else if (qp_str_is(tag->name, "Result")) {
            add_result(writing, game, tag);
        } else {
            add_field(writing->out, key, tag->value);
        }
    }
    if (game->result_given && !result) {
        add_field(writing->out, "result", qp_str_of(qp_dhtmlxq_results[game->result]));
        add_field(writing->out, "x_result", QP_STR("beside"));
    }
}

/* ---- start position ---- */

/* What stands on each of the 16 places of a side; Red's are filled from Red's right. */
static const uint8_t slots[16] = {QP_ROOK, QP_HORSE,   QP_ELEPHANT, QP_ADVISOR,
                                  QP_KING, QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
                                  QP_ROOK, QP_CANNON,  QP_CANNON,   QP_PAWN,
                                  QP_PAWN, QP_PAWN,    QP_PAWN,     QP_PAWN};

/* The places of the pieces; false: some found none. */
static bool put_binit(const qp_board *board, char binit[64])
{
    bool whole = true;
    memset(binit, '9', 64);
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        bool taken[16] = {false};
        for (int i = 0; i < QP_SQUARES; i++) {
            /* Red: file i to a, each from the top; Black: a to i. */
            int file = side == QP_RED ? 8 - i / 10 : i / 10, row = i % 10, slot = 0;
            qp_piece piece = board->at[QP_SQUARE(file, 9 - row)];
            if (piece == 0 || (int)QP_PIECE_SIDE(piece) != side)
                continue;
            while (slot < 16 && (taken[slot] || slots[slot] != QP_PIECE_KIND(piece)))
                slot++;
            if (slot == 16) {
                whole = false;
                continue;
            }
            taken[slot] = true;
            binit[2 * (side * 16 + slot)] = (char)('0' + file);
            binit[2 * (side * 16 + slot) + 1] = (char)('0' + row);
        }
    }
    return whole;
}

/* The start position; a fen field beside binit where that cannot say all. */
static void add_start(qp_writing *writing, const qp_game *game)
{
    const qp_board *board = &game->start;
    qp_board usual;
    char binit[64];
    bool whole = true;
    qp_board_start(&usual);
    if (game->start_given && qp_board_same(board, &usual) && board->quiet == 0 &&
        board->round == 1) { /* as most records say */
        qp_buf_add_text(writing->out,
                        "[DhtmlXQ_binit]" QP_DX_USUAL_BINIT "[/DhtmlXQ_binit]\n"
                        "[DhtmlXQ_fen]" QP_SAID_USUAL "[/DhtmlXQ_fen]\n");
        return;
    }
    bool other = memcmp(board->at, usual.at, sizeof usual.at) != 0;
    if (other)
        whole = put_binit(board, binit);
    else
        memcpy(binit, QP_DX_USUAL_BINIT, sizeof binit);
    add_field(writing->out, "binit", (qp_str){binit, sizeof binit});
    bool known = !game->start_given && qp_board_same(board, &usual);
    if (!known && other) {
        const qp_node *first = game->first;
        qp_piece mover = first && first->move ? board->at[QP_FROM(first->move)] : 0;
        known = mover ? QP_PIECE_SIDE(mover) == board->side : board->side == QP_RED;
    }
    if (known && whole && board->quiet == 0 && board->round == 1)
        return;
    char fen[QP_FEN_MAX];
    size_t len = qp_fen_write(board, fen);
    add_field(writing->out, "fen", (qp_str){fen, len});
}

/* ---- moves and notes ---- */

/* Files from the left, ranks from Black's side. */
#define SQUARE(file, rank) {'0' + (file), '9' - (rank)},
static const char squares[QP_SQUARES][2] = {QP_GRID(SQUARE)};
#undef SQUARE

/* Room is there. */
static inline void put_move(char *p, qp_move move)
{
    memcpy(p, squares[QP_FROM(move)], 2);
    memcpy(p + 2, squares[QP_TO(move)], 2);
}

static void open_note(qp_buf *out, const char *mark, const char *name, uint32_t id,
                      uint32_t ply)
{
    qp_buf_add_text(out, mark);
    qp_buf_add_text(out, name);
    if (id != 0) {
        qp_buf_add_number(out, id);
        qp_buf_add_char(out, '_');
    }
    qp_buf_add_number(out, ply);
    qp_buf_add_char(out, ']');
}

static void add_note(qp_buf *out, const char *name, uint32_t id, uint32_t ply,
                     qp_str value, bool comment)
{
    open_note(out, "[DhtmlXQ_", name, id, ply);
    add_value(out, value, comment);
    open_note(out, "[/DhtmlXQ_", name, id, ply);
    qp_buf_add_char(out, '\n');
}

static bool readable(const qp_node *node)
{
    return node->move != 0;
}

/* Comments on their way into one field. */
typedef struct joint {
    qp_buf *text;
    qp_buf counts; /* lines of each, as x_split holds them */
    uint32_t count;
    bool empty; /* one of them is */
} joint;

static void join(joint *j, qp_str text)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    if (j->count++ != 0) {
        qp_buf_add_char(j->text, '\n');
        qp_buf_add_char(&j->counts, ',');
    }
    qp_buf_add_str(j->text, text);
    qp_buf_add_number(&j->counts, lines);
    j->empty |= text.len == 0;
}

/* Nothing says NUL here, not even an escape. */
static bool has_nul(qp_str text)
{
    return text.len != 0 && memchr(text.data, '\0', text.len) != NULL;
}

static void join_list(output *o, joint *j, const qp_comment *comment, const qp_node *node)
{
    for (; comment != NULL; comment = comment->next) {
        qp_str text = comment->text;
        if (has_nul(text))
            text = qp_plain_comment(o->writing, text, 0, node, &o->plain);
        join(j, text);
    }
}

static void join_rest(joint *j, const qp_node *node)
{
    qp_buf text = {0};
    qp_writing_rest(node, &text);
    join(j, (qp_str){text.data, text.len});
    qp_buf_clear(&text);
}

static void add_joint(output *o, joint *j, const char *name, const char *split,
                      uint32_t id, uint32_t ply)
{
    if (j->count > 1 || j->empty)
        add_note(&o->notes, split, id, ply, (qp_str){j->counts.data, j->counts.len},
                 false);
    if (j->text->len != 0)
        add_note(&o->notes, name, id, ply, (qp_str){j->text->data, j->text->len}, true);
    if (j->text->failed || j->counts.failed)
        o->notes.failed = true;
    qp_buf_clear(&j->counts);
}

/* The comments behind a ply, and with them what follows it and is no squares. */
static void add_comments(output *o, const qp_comment *comment, const qp_node *node,
                         const qp_node *next, uint32_t id)
{
    uint32_t ply = node != NULL ? node->ply : 0;
    joint j = {.text = &o->joined};
    o->joined.len = 0;
    join_list(o, &j, comment, node);
    if (next != NULL && !readable(next)) {
        join_rest(&j, next); /* and with it the other moves of its position */
    } else if (next != NULL && !o->writing->main_line) {
        for (const qp_node *a = qp_node_alternative(next); a != NULL; a = qp_node_sibling(a))
            if (!readable(a))
                join_rest(&j, a);
    }
    if (j.count != 0)
        add_joint(o, &j, "comment", "x_split", id, ply);
}

static void add_extra(output *o, const qp_node *node, uint32_t id)
{
    const qp_extra *extra = node->extra;
    uint32_t ply = node->ply;
    if (extra->before != NULL) {
        joint j = {.text = &o->joined};
        o->joined.len = 0;
        join_list(o, &j, extra->before, node);
        add_joint(o, &j, "x_before", "x_beforesplit", id, ply);
    }
    if (extra->nag_count != 0) {
        o->joined.len = 0;
        for (size_t i = 0; i < extra->nag_count; i++) {
            if (i != 0)
                qp_buf_add_char(&o->joined, ',');
            qp_buf_add_number(&o->joined, extra->nags[i]);
        }
        add_note(&o->notes, "x_nag", id, ply, (qp_str){o->joined.data, o->joined.len},
                 false);
    }
    if (extra->clock.len != 0)
        add_note(&o->notes, "x_clock", id, ply, extra->clock, false);
}

static void push(output *o, const qp_node *node, uint32_t parent)
{
    if (o->count == o->room) {
        size_t room = o->room ? 2 * o->room : 64;
        pending *lines = realloc(o->lines, room * sizeof *lines);
        if (lines == NULL) {
            o->moves.failed = true;
            return;
        }
        o->lines = lines;
        o->room = room;
    }
    o->lines[o->count] = (pending){node, (uint32_t)o->count, parent};
    o->count++;
}

/* Whether a ply is its move and nothing else, and so is what follows it. */
static inline bool is_bare(const qp_node *node)
{
    return node->extra == NULL && qp_node_alternative(node) == NULL && node->next != NULL &&
           readable(node->next) && qp_node_alternative(node->next) == NULL;
}

/* Lines are numbered as they are come to, so the alternatives of a ply keep their order.
 */
static void add_lines(output *o, const qp_game *game)
{
    o->moves.len = o->notes.len = o->count = 0;
    push(o, game->first, 0);
    add_comments(o, game->comments, NULL, game->first, 0);
    for (size_t i = 0; i < o->count && !o->moves.failed; i++) {
        pending line = o->lines[i];
        char key[48];
        qp_buf_add_text(&o->moves, "[DhtmlXQ_");
        if (i == 0)
            strcpy(key, "movelist]");
        else
            snprintf(key, sizeof key, "move_%u_%u_%u]", (unsigned)line.parent,
                     (unsigned)line.node->ply, (unsigned)line.id);
        qp_buf_add_text(&o->moves, key);
        for (const qp_node *node = line.node; node && readable(node); node = node->next) {
            if (!qp_buf_reserve(&o->moves, 4))
                break;
            put_move(o->moves.data + o->moves.len, node->move);
            o->moves.len += 4;
            if (is_bare(node))
                continue;
            if (!o->writing->main_line)
                for (const qp_node *a = qp_node_alternative(node); a != NULL;
                     a = qp_node_sibling(a))
                    if (readable(a))
                        push(o, a, line.id);
            if (node->extra != NULL)
                add_extra(o, node, line.id);
            add_comments(o, node->extra ? node->extra->after : NULL, node, node->next,
                         line.id);
        }
        qp_buf_add_text(&o->moves, "[/DhtmlXQ_");
        qp_buf_add_text(&o->moves, key);
        qp_buf_add_char(&o->moves, '\n');
    }
}

void qp_dhtmlxq_write(qp_writing *writing, const qp_game *game)
{
    output *o = writing->state;
    if (o == NULL)
        o = writing->state = calloc(1, sizeof *o);
    if (o == NULL) {
        writing->out->failed = true;
        return;
    }
    o->writing = writing;
    qp_buf_add_text(writing->out, "[DhtmlXQ]\n");
    add_tags(o, game);
    add_start(writing, game);
    add_lines(o, game);
    if (o->moves.failed || o->notes.failed)
        writing->out->failed = true;
    qp_buf_add(writing->out, o->moves.data, o->moves.len);
    qp_buf_add(writing->out, o->notes.data, o->notes.len);
    qp_buf_add_text(writing->out, "[/DhtmlXQ]\n");
}

void qp_dhtmlxq_write_end(qp_writing *writing)
{
    output *o = writing->state;
    if (o == NULL)
        return;
    qp_buf_clear(&o->moves);
    qp_buf_clear(&o->notes);
    qp_buf_clear(&o->joined);
    qp_buf_clear(&o->plain);
    free(o->lines);
    free(o);
    writing->state = NULL;
}
