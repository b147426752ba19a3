/* Heads of plain records, from their bytes to the game that is lent. What pgn.c would read in
 * another way, or has a word to say of, is left to it; so is what is more than room was made
 * for. */
#include "config.h"

#include "format/heads.h"

#include <stdlib.h>

enum {
    KEPT_MAX = 256,       /* games */
    TEXT_MAX = 64 * 1024, /* bytes of their tags, but for the last one's */
    PLIES_MAX = 16 * 1024, /* the same of plies, where trees are made */
};

typedef struct head {
    uint32_t plies;
    bool legal, start_given, has_result;
    qp_result result; /* behind the moves */
    const char *notation;
    size_t span, span_count, ply;
    qp_source_stand stand;
    qp_board final; /* this and end: where trees are made */
    qp_end end;
} head;

struct qp_heads {
    head kept[KEPT_MAX];
    size_t count, lent;
    qp_buf text; /* of the tags of all that are kept */
    qp_skim_span *spans; /* the same, in the text */
    size_t span_room, span_count;
    qp_tag tags[QP_SKIM_SPANS]; /* of the one that is lent */
    qp_skim_spans noted;
    qp_plain_ply *plies; /* of all that are kept, where trees are made */
    size_t ply_room, ply_count;
    qp_node *nodes; /* of the one that is lent */
    size_t node_room;
};

qp_heads *qp_heads_new(void)
{
    return calloc(1, sizeof(qp_heads));
}

void qp_heads_free(qp_heads *heads)
{
    if (heads == NULL)
        return;
    qp_buf_clear(&heads->text);
    free(heads->spans);
    free(heads->plies);
    free(heads->nodes);
    free(heads);
}

qp_skim_spans *qp_heads_spans(qp_heads *heads)
{
    return &heads->noted;
}

bool qp_heads_waiting(const qp_heads *heads)
{
    return heads->lent < heads->count;
}

/* Whether some bytes are ASCII. */
static inline bool is_ascii(const unsigned char *p, size_t n)
{
    uint64_t word, high = 0;
    size_t i = 0;
    for (; n - i >= 8; i += 8) {
        memcpy(&word, p + i, 8);
        high |= word;
    }
    for (; i < n; i++)
        high |= (uint64_t)p[i] << 56 | p[i];
    return (high & UINT64_C(0x8080808080808080)) == 0;
}

/* Adds a value as text; false: it is no plain one. */
static bool add_value(qp_buf *text, const qp_heads_record *record, const unsigned char *p,
                      size_t n)
{
    if (is_ascii(p, n)) {
        qp_buf_add(text, p, n);
        return !text->failed;
    }
    if (!qp_buf_reserve(text, QP_DECODE_ROOM(n)))
        return false;
    size_t len = qp_source_decode(record->source, record->encoding, p, n, text->data + text->len,
                                  text->room - text->len);
    text->len += len;
    return len != 0;
}

/* The tags as text, with the spans that are now theirs. */
static bool take_tags(qp_heads *heads, const qp_heads_record *record)
{
    qp_buf *text = &heads->text;
    const unsigned char *bytes = record->bytes;
    const qp_skim_spans *noted = &heads->noted;
    const size_t from = text->len;
    qp_skim_span *to = heads->spans + heads->span_count;
    if (record->encoding == QP_ENC_UTF8 || record->encoding == QP_ENC_NONE) {
        qp_buf_add(text, bytes, record->tags_len);
        for (size_t i = 0; i < noted->count; i++) {
            to[i] = noted->at[i];
            to[i].name += (uint32_t)from;
            to[i].value += (uint32_t)from;
        }
    } else {
        for (size_t i = 0; i < noted->count; i++) {
            const qp_skim_span *span = &noted->at[i];
            to[i].name = (uint32_t)text->len;
            to[i].name_len = span->name_len;
            qp_buf_add(text, bytes + span->name, span->name_len);
            to[i].value = (uint32_t)text->len;
            if (!add_value(text, record, bytes + span->value, span->value_len))
                return false;
            to[i].value_len = (uint32_t)text->len - to[i].value;
        }
    }
    /* One that escapes, where it is a character. */
    return !text->failed && memchr(text->data + from, '\\', text->len - from) == NULL;
}

void qp_heads_forget(qp_heads *heads)
{
    heads->lent = heads->count = heads->span_count = heads->ply_count = 0;
    heads->text.len = 0;
}

static bool has_room(qp_heads *heads)
{
    if (heads->lent == heads->count)
        qp_heads_forget(heads);
    if (heads->count == KEPT_MAX || heads->text.len > TEXT_MAX || heads->ply_count > PLIES_MAX ||
        heads->noted.count > QP_SKIM_SPANS)
        return false;
    if (heads->span_room - heads->span_count >= QP_SKIM_SPANS)
        return true;
    size_t room = 2 * heads->span_room + QP_SKIM_SPANS;
    qp_skim_span *grown = realloc(heads->spans, room * sizeof *grown);
    if (grown == NULL)
        return false;
    heads->spans = grown;
    heads->span_room = room;
    return true;
}

/* Takes the plies in, where a tree is to be made of them. */
static bool take_plies(qp_heads *heads, const qp_heads_record *record)
{
    const qp_rounds *rounds = record->rounds;
    if (record->reading == NULL)
        return true;
    if (heads->ply_room - heads->ply_count < rounds->plies) {
        size_t room = 2 * heads->ply_room + rounds->plies;
        qp_plain_ply *grown = realloc(heads->plies, room * sizeof *grown);
        if (grown == NULL)
            return false;
        heads->plies = grown;
        heads->ply_room = room;
    }
    return qp_rounds_plies(record->reading, rounds, record->bytes + record->tags_len,
                           record->moves_len, heads->plies + heads->ply_count);
}

bool qp_heads_add(qp_heads *heads, const qp_heads_record *record)
{
    const qp_rounds *rounds = record->rounds;
    if (!heads->noted.clean || record->tags_len > TEXT_MAX || !has_room(heads))
        return false;
    size_t before = heads->text.len;
    if (!take_tags(heads, record) || !take_plies(heads, record)) {
        heads->text.len = before;
        heads->text.failed = false;
        return false;
    }
    heads->kept[heads->count++] = (head){
        .plies = rounds->plies,
        .legal = !rounds->counted,
        .start_given = heads->noted.start_given,
        .has_result = record->has_result,
        .result = record->result,
        .notation = rounds->notation,
        .span = heads->span_count,
        .span_count = heads->noted.count,
        .ply = heads->ply_count,
        .stand = record->stand,
        .final = rounds->final,
        .end = rounds->end,
    };
    heads->span_count += heads->noted.count;
    heads->ply_count += record->reading != NULL ? rounds->plies : 0;
    return true;
}

/* As the replay takes it: from the tag, or from behind the moves. */
static void take_result(const head *from, qp_patterns *patterns, qp_game *game)
{
    qp_str tag = qp_game_tag(game, "Result");
    bool known = tag.data != NULL && qp_result_read(patterns, tag, &game->result);
    if (!known || game->result == QP_RESULT_UNKNOWN)
        game->result = from->has_result ? from->result : QP_RESULT_UNKNOWN;
    game->result_given = known || game->result != QP_RESULT_UNKNOWN;
}

/* The tree of a game that is lent. */
static bool make_tree(qp_heads *heads, const head *from, qp_game *game)
{
    if (from->plies > heads->node_room) {
        qp_node *grown = realloc(heads->nodes, 2 * from->plies * sizeof *grown);
        if (grown == NULL)
            return false;
        heads->nodes = grown;
        heads->node_room = 2 * from->plies;
    }
    const qp_plain_ply *plies = heads->plies + from->ply;
    qp_node *nodes = heads->nodes;
    for (uint32_t i = 0; i < from->plies; i++)
        nodes[i] = (qp_node){.prev = i != 0 ? &nodes[i - 1] : NULL,
                             .next = i + 1 < from->plies ? &nodes[i + 1] : NULL,
                             .text = plies[i].text,
                             .text_len = plies[i].len,
                             .ply = i + 1,
                             .move = plies[i].move};
    game->first = heads->nodes;
    game->final = from->final;
    game->end = from->end;
    return true;
}

bool qp_heads_lend(qp_heads *heads, qp_patterns *patterns, qp_game *game,
                   qp_source_stand *stand)
{
    const head *from = &heads->kept[heads->lent++];
    const qp_skim_span *span = heads->spans + from->span;
    const char *text = heads->text.data;
    for (size_t i = 0; i < from->span_count; i++, span++)
        heads->tags[i] = (qp_tag){.name = {text + span->name, span->name_len},
                                  .value = {text + span->value, span->value_len}};
    *game = (qp_game){
        .tags = heads->tags,
        .tag_count = from->span_count,
        .start_given = from->start_given,
        .legal = from->legal,
        .plies = from->plies,
        .line_plies = from->plies,
        .nodes = from->plies,
        .encoding = qp_encoding_name((qp_encoding)from->stand.encoding),
        .notation = from->notation,
    };
    qp_board_start(&game->start);
    game->final = game->start;
    take_result(from, patterns, game);
    *stand = from->stand;
    return heads->ply_count == 0 || make_tree(heads, from, game);
}
