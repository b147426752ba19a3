/* Games that the measurements of repair work on: read from files, or invented. */
#ifndef QP_TESTS_POOL_H
#define QP_TESTS_POOL_H

#include "gen/gen.h"

enum { PLIES_MAX = 300, GAMES_MAX = 20000 };

typedef struct game {
    uint16_t count;
    qp_move *moves;
} game;

/* Zeroed before use. Sound games from the usual start alone are taken, no shorter than that. */
typedef struct pool {
    game *games;
    size_t count, room;
    unsigned plies_least;
} pool;

void pool_read(pool *p, const qp_context *context, const char *name);
void pool_invent(pool *p, size_t count);
void pool_clear(pool *p);

#endif
