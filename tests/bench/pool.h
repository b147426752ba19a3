/* Games that the measurements of repair work on: read from files, or invented. */
#ifndef QP_TESTS_POOL_H
#define QP_TESTS_POOL_H

#include "gen/gen.h"

enum { PLIES_MAX = 300, GAMES_MAX = 20000 };

typedef struct game {
    uint16_t count;
    qp_move *moves;
} game;

/* Zeroed before use. Sound games from the usual start alone are taken, no shorter than
 * that. half: 1 and 2 take the games of one half each, by what is played in them, so that
 * what was learnt from one half is not measured on the same game in another file. */
typedef struct pool {
    game *games;
    size_t count, room;
    unsigned plies_least, half;
} pool;

void pool_read(pool *p, const qp_context *context, const char *name);
void pool_invent(pool *p, size_t count);
void pool_clear(pool *p);

#endif
