/* Whether a card that leaves directions out could also be read another way from some ply
 * on: a search by legality alone, depth first, that remembers from which positions there
 * is no way to the end. */
#include "config.h"

#include "check/repair.h"

#include <stdlib.h>

enum { SLOTS = 1 << 14, TRIES = 1500, FANOUT = 8 };

typedef struct place {
    qp_board board;
    qp_move moves[QP_MOVES_MAX > 256 ? 256 : QP_MOVES_MAX];
    size_t count, next;
} place;

struct qp_ways {
    const qp_linting *lint;
    const qp_passed *path;
    size_t count;
    uint64_t *keys; /* of the path's positions, count + 1 */
    uint64_t dead[SLOTS];
    place *stack;
    size_t room;
    uint32_t tries; /* left */
};

static uint64_t key_of(const qp_board *board, size_t ply)
{
    uint64_t key = ply + 1;
    for (unsigned s = 0; s < QP_SQUARES; s++)
        if (board->at[s] != 0) {
            uint64_t z = ((uint64_t)board->at[s] << 7 | s) * UINT64_C(0x9E3779B97F4A7C15);
            key += (z ^ z >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
        }
    return key ^ key >> 31;
}

qp_ways *qp_ways_new(const qp_linting *lint, const qp_passed *path, size_t count)
{
    qp_ways *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->lint = lint;
    w->path = path;
    w->count = count;
    w->tries = 10 * TRIES;
    w->keys = malloc((count + 1) * sizeof *w->keys);
    if (w->keys == NULL) {
        free(w);
        return NULL;
    }
    qp_board board = lint->game->start;
    for (size_t i = 0; i <= count; i++) {
        w->keys[i] = key_of(&board, i);
        if (i < count)
            qp_board_play(&board, path[i].move);
    }
    return w;
}

void qp_ways_free(qp_ways *ways)
{
    if (ways == NULL)
        return;
    free(ways->keys);
    free(ways->stack);
    free(ways);
}

/* What can be played at a ply of the path on another board. */
static void fill(const qp_ways *w, place *p, size_t ply)
{
    const qp_passed *way = &w->path[ply];
    unsigned pick;
    p->next = p->count = 0;
    if (way->clue != UINT32_MAX && w->lint->clues.clue[way->clue].kind == QP_CLUE_MOVE) {
        p->count = qp_resolve(&p->board, &w->lint->clues.clue[way->clue].written,
                              w->lint->base, p->moves, &pick);
        if (p->count > FANOUT)
            p->count = FANOUT;
        return;
    }
    qp_move moves[QP_MOVES_MAX];
    p->count = qp_board_moves(&p->board, moves);
    if (p->count > QP_COUNT(p->moves))
        p->count = QP_COUNT(p->moves);
    memcpy(p->moves, moves, p->count * sizeof *moves);
}

static bool grow(qp_ways *w, size_t depth)
{
    if (depth < w->room)
        return true;
    size_t room = w->room ? w->room * 2 : 64;
    place *grown = realloc(w->stack, room * sizeof *grown);
    if (grown == NULL)
        return false;
    w->stack = grown;
    w->room = room;
    return true;
}

qp_answer qp_ways_go(qp_ways *w, const qp_board *board, size_t ply, qp_move other)
{
    uint32_t spent = 0;
    size_t depth = 0;
    qp_board next = *board;
    qp_board_play(&next, other);
    for (ply++;;) {
        /* next is the position before ply. */
        uint64_t key = key_of(&next, ply);
        bool dead = w->dead[key % SLOTS] == key;
        if (ply == w->count || key == w->keys[ply])
            return QP_YES;
        if (w->tries == 0 || spent++ == TRIES || !grow(w, depth))
            return QP_UNKNOWN;
        w->tries--;
        if (!dead) {
            w->stack[depth].board = next;
            fill(w, &w->stack[depth], ply);
            depth++;
            ply++;
        }
        place *top = NULL;
        while (depth > 0) {
            top = &w->stack[depth - 1];
            if (top->next < top->count)
                break;
            key = key_of(&top->board, ply - 1);
            w->dead[key % SLOTS] = key;
            depth--;
            ply--;
        }
        if (depth == 0)
            return QP_NO;
        next = top->board;
        qp_board_play(&next, top->moves[top->next++]);
    }
}
