/* Invented games from a seed: the material of the property tests, the benchmarks and the
 * generated part of corpora/. The same seed gives the same games on every machine: no
 * floating point, no qsort, no library random numbers. All names in them are made up. */
#ifndef QP_TESTS_GEN_H
#define QP_TESTS_GEN_H

#include "game/game.h"

/* splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
typedef struct gen_random {
    uint64_t state;
} gen_random;
uint64_t gen_next(gen_random *random);
/* 0 .. below - 1; below is at least 1. */
unsigned gen_below(gen_random *random, unsigned below);
static inline bool gen_percent(gen_random *random, unsigned percent)
{
    return gen_below(random, 100) < percent;
}

/* ---- the player ---- */

/* A shallow search: two plies, then captures. */
typedef struct gen_player {
    int16_t worth[16][QP_SQUARES]; /* hundredths of a pawn, Red's positive */
} gen_player;
void gen_player_init(gen_player *player);
/* The near-best moves of a position, at least one where it has a legal move. margin, in
 * hundredths of a pawn, says how near. The best score, for the side to move, goes to *score. */
size_t gen_candidates(const gen_player *player, const qp_board *board, int margin,
                      qp_move moves[QP_MOVES_MAX], int *score);
/* Identifies pieces and side to move. */
uint64_t gen_position_key(const qp_board *board);

/* ---- whole games ---- */

/* Percentages are a ply's chance, starts and returns a game's. */
typedef struct gen_options {
    unsigned variations, comments, nags, starts;
    unsigned returns;   /* games that go on to and fro at their end: positions come up again */
    unsigned max_plies; /* 0: as games go, at the most 240 */
    unsigned nodes;     /* lines of any legal moves are added up to so many plies in all */
} gen_options;

/* Makes a game from its seed in the arena, tags and all. false: memory ran out. */
bool gen_game(const gen_player *player, uint64_t seed, const gen_options *options,
              qp_arena *arena, qp_game *game);
/* Adds lines to a game's tree until it has so many plies. false: memory ran out. */
bool gen_grow(gen_random *random, unsigned nodes, qp_arena *arena, qp_game *game);
/* Lets both sides step there and back so many times behind a game's end, each with one piece that
 * takes nothing: positions come up again. false: memory ran out, or they cannot. */
bool gen_return(gen_random *random, unsigned times, qp_arena *arena, qp_game *game);
/* Other tags (players, event, date, round) for a game that stays the same else. */
bool gen_retag(uint64_t seed, qp_arena *arena, qp_game *game);

/* ---- games and findings as text, to be compared ---- */

/* Bits beside QP_CARRIES_…: what the plain text of a game is to hold. */
enum {
    GEN_DUMP_NODE_TEXT = 1 << 24, /* moves as they were written */
    GEN_DUMP_UNDERSTOOD = 1 << 25, /* legal, plies, format, encoding, notation … */
    GEN_DUMP_ALL = (1 << 26) - 1,
    GEN_DUMP_ONE_COMMENT = 1 << 26, /* comments before and behind a ply as one */
};
/* Appends a game, limited to what the carries bits name. Tags that writers add or set by
 * themselves (Game, Format, FEN, SetUp, Result) are left out; with QP_CARRIES_FEW_TAGS alone
 * only the players, event and date count, in an order of their own. */
void gen_dump_game(const qp_game *game, unsigned carries, qp_buf *out);
/* Appends every field of the findings. */
void gen_dump_findings(const qp_finding *findings, size_t count, qp_buf *out);

#endif
