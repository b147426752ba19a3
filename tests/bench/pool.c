#include "config.h"

#include "bench/pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void add_game(pool *p, const qp_game *g)
{
    qp_board board;
    game made = {0};
    qp_board_start(&board);
    if (!qp_board_same(&board, &g->start) || !g->legal || g->plies < p->plies_least ||
        p->count == GAMES_MAX)
        return;
    if (p->count == p->room) {
        p->room = p->room ? p->room * 2 : 256;
        p->games = realloc(p->games, p->room * sizeof *p->games);
        if (p->games == NULL)
            exit(2);
    }
    made.moves = malloc(PLIES_MAX * sizeof *made.moves);
    for (const qp_node *n = g->first; n != NULL && made.count < PLIES_MAX; n = n->next)
        made.moves[made.count++] = n->move;
    uint64_t hash = 0;
    for (unsigned i = 0; i < made.count; i++)
        hash = (hash ^ made.moves[i]) * UINT64_C(0x9E3779B97F4A7C15);
    if (p->half != 0 && p->half != 1 + (hash >> 63)) {
        free(made.moves);
        return;
    }
    p->games[p->count++] = made;
}

void pool_read(pool *p, const qp_context *context, const char *name)
{
    int fd = open(name, O_RDONLY);
    qp_reader_options options = {.name = name};
    qp_reader *reader =
        fd >= 0 ? qp_reader_open(context, qp_read_fd, &fd, &options) : NULL;
    const qp_game *g;
    qp_status status;
    while (reader != NULL &&
           ((status = qp_reader_next(reader, &g)) == QP_OK || status == QP_BAD))
        add_game(p, g);
    qp_reader_close(reader);
    if (fd >= 0)
        close(fd);
}

void pool_invent(pool *p, size_t count)
{
    gen_player *player = malloc(sizeof *player);
    gen_options options = {.max_plies = 120};
    qp_arena arena;
    qp_arena_init(&arena);
    gen_player_init(player);
    for (uint64_t seed = 1; p->count < count && seed < count * 4; seed++) {
        qp_game g = {0};
        qp_arena_rewind(&arena);
        if (!gen_game(player, seed, &options, &arena, &g))
            break;
        g.legal = true;
        g.plies = 0;
        for (const qp_node *n = g.first; n != NULL; n = n->next)
            g.plies++;
        add_game(p, &g);
    }
    qp_arena_clear(&arena);
    free(player);
}

void pool_clear(pool *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->games[i].moves);
    free(p->games);
    *p = (pool){0};
}
