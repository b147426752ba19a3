/* fit: fits the weights of lib/check/player.c to games, by conditional logit: the chance
 * of a move is its share in e to the power of its score.
 *
 *     fit [-n POSITIONS] [-e EPOCHS] [-s SEED] [-p PLIES] FILE …
 *
 * Half of the games are learnt from; on the rest the result is measured. Prints
 * lib/check/weights.h; what it measured goes to standard error: the mean of minus the
 * logarithm of the chance that the move played was given, how often it was the first
 * choice, and how often where a scorecard leaves the direction out and several moves fit.
 */
#include "config.h"

#include "bench/pool.h"
#include "check/player.h"
#include "check/traits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct choice {
    qp_move moves[QP_PLAYER_MOVES];
    float traits[QP_PLAYER_MOVES][T_COUNT];
    size_t count, played;
} choice;

typedef struct position {
    qp_board board;
    qp_past past;
    qp_move played;
} position;

static double weights[T_COUNT], mean[T_COUNT];
static double unit[T_COUNT]; /* how large a trait is where it is there at all */

static void take(void *user, qp_move move, const int16_t traits[QP_TRAITS])
{
    choice *c = user;
    if (c->count == QP_PLAYER_MOVES)
        return;
    c->moves[c->count] = move;
    for (unsigned k = 0; k < T_COUNT; k++)
        c->traits[c->count][k] = traits[k];
    c->count++;
}

static bool pick(const pool *games, gen_random *random, position *p)
{
    const game *g = &games->games[gen_below(random, (unsigned)games->count)];
    unsigned ply = gen_below(random, g->count);
    qp_board_start(&p->board);
    p->past = (qp_past){0};
    for (unsigned i = 0; i < ply; i++) {
        p->past = qp_past_after(p->past, &p->board, g->moves[i]);
        qp_board_play(&p->board, g->moves[i]);
    }
    p->played = g->moves[ply];
    return ply < g->count;
}

static bool weigh(const position *p, choice *c, double *chances)
{
    double best = -1e9, sum = 0;
    c->count = 0;
    c->played = SIZE_MAX;
    qp_player_traits(&p->board, &p->past, take, c);
    for (size_t i = 0; i < c->count; i++) {
        double score = 0;
        for (unsigned k = 0; k < T_COUNT; k++)
            score += weights[k] * c->traits[i][k];
        chances[i] = score;
        if (score > best)
            best = score;
        if (c->moves[i] == p->played)
            c->played = i;
    }
    for (size_t i = 0; i < c->count; i++)
        sum += chances[i] = exp(chances[i] - best);
    for (size_t i = 0; i < c->count; i++)
        chances[i] /= sum;
    return c->played != SIZE_MAX;
}

/* What a scorecard without directions writes. */
static unsigned short_of(const qp_board *board, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    int rise = QP_RANK(to) - QP_RANK(from);
    int arg = QP_FILE(from) != QP_FILE(to) ? QP_ROAD(board->side, QP_FILE(to))
              : rise < 0                   ? -rise
                                           : rise;
    return (unsigned)board->at[from] << 16 | (unsigned)from << 8 | (unsigned)arg;
}

static void find_units(const pool *games, uint64_t seed, choice *c)
{
    gen_random random = {seed};
    double chances[QP_PLAYER_MOVES], seen[T_COUNT] = {0};
    for (unsigned n = 0; n < 1000; n++) {
        position p;
        if (!pick(games, &random, &p) || !weigh(&p, c, chances))
            continue;
        for (size_t i = 0; i < c->count; i++)
            for (unsigned k = 0; k < T_COUNT; k++) {
                seen[k] += c->traits[i][k] != 0;
                unit[k] += c->traits[i][k] * c->traits[i][k];
            }
    }
    for (unsigned k = 0; k < T_COUNT; k++)
        unit[k] = seen[k] > 0 ? sqrt(unit[k] / seen[k]) : 1;
}

static void measure(const pool *games, uint64_t seed, unsigned count, choice *c)
{
    gen_random random = {seed};
    double chances[QP_PLAYER_MOVES], loss = 0;
    unsigned first = 0, open = 0, right = 0, done = 0;
    for (unsigned n = 0; n < count; n++) {
        position p;
        if (!pick(games, &random, &p) || !weigh(&p, c, chances))
            continue;
        done++;
        loss -= log(chances[c->played] + 1e-12);
        bool best = true, several = false, best_short = true;
        for (size_t i = 0; i < c->count; i++) {
            bool more = i != c->played && chances[i] > chances[c->played];
            best &= !more;
            if (i != c->played &&
                short_of(&p.board, c->moves[i]) == short_of(&p.board, p.played)) {
                several = true;
                best_short &= !more;
            }
        }
        first += best;
        open += several;
        right += several && best_short;
    }
    fprintf(stderr, "loss %.4f, first %.2f %%, direction %.2f %% of %u\n", loss / done,
            100.0 * first / done, 100.0 * right / open, open);
}

static void print_weights(void)
{
    static const struct {
        const char *name;
        unsigned from, count;
    } groups[] = {
#define QP_TRAIT_GROUP(group, n) {#group, T_##group, n},
        QP_TRAIT_GROUPS(QP_TRAIT_GROUP)
#undef QP_TRAIT_GROUP
    };
    printf("/* Made by tests/bench/fit; see there. In thousandths, by the groups of "
           "traits.h. */\n"
           "static const int16_t weights[QP_TRAITS] = {\n");
    for (size_t i = 0; i < QP_COUNT(groups); i++) {
        int at = printf("    /* %s */", groups[i].name);
        for (unsigned k = 0; k < groups[i].count; k++) {
            if (at > 78)
                at = printf("\n       ") - 1;
            at += printf(" %ld,", lround(weights[groups[i].from + k] * 1000));
        }
        printf("\n");
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    unsigned count = 40000, epochs = 6;
    uint64_t seed = 1;
    pool games = {.plies_least = 40, .half = 1}, others = {.plies_least = 40, .half = 2};
    for (int c; (c = getopt(argc, argv, "n:e:s:p:")) != -1;) {
        if (c == 'n')
            count = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 'e')
            epochs = (unsigned)strtoul(optarg, NULL, 10);
        else if (c == 's')
            seed = strtoull(optarg, NULL, 10);
        else if (c == 'p')
            games.plies_least = others.plies_least = (unsigned)strtoul(optarg, NULL, 10);
        else
            return 2;
    }
    qp_context *context = qp_context_new();
    choice *c = malloc(sizeof *c);
    for (int i = optind; i < argc; i++)
        pool_read(&games, context, argv[i]), pool_read(&others, context, argv[i]);
    if (games.count == 0 || others.count == 0 || c == NULL)
        return 2;
    gen_random random = {seed};
    find_units(&games, seed + 5, c);
    enum { BATCH = 64 };
    double gradient[T_COUNT], chances[QP_PLAYER_MOVES], squares[T_COUNT] = {0};
    uint64_t steps = 0;
    for (unsigned e = 0; e < epochs; e++) {
        double step = 0.03 * pow(0.45, e);
        for (unsigned n = 0; n < count / BATCH; n++) {
            memset(gradient, 0, sizeof gradient);
            for (unsigned b = 0; b < BATCH; b++) {
                position p;
                if (!pick(&games, &random, &p) || !weigh(&p, c, chances))
                    continue;
                for (size_t i = 0; i < c->count; i++) {
                    double share = (i == c->played) - chances[i];
                    for (unsigned k = 0; k < T_COUNT; k++)
                        gradient[k] += share * c->traits[i][k];
                }
            }
            steps++;
            for (unsigned k = 0; k < T_COUNT; k++) {
                double g = gradient[k] / BATCH - 1e-5 * weights[k] * unit[k] * unit[k];
                mean[k] = 0.9 * mean[k] + 0.1 * g;
                squares[k] = 0.999 * squares[k] + 0.001 * g * g;
                double size = sqrt(squares[k] / (1 - pow(0.999, (double)steps)));
                weights[k] += step * mean[k] / (size + 1e-9) / unit[k];
            }
        }
        measure(&others, seed + 99, 6000, c);
    }
    print_weights();
    pool_clear(&games);
    pool_clear(&others);
    qp_context_free(context);
    free(c);
    return 0;
}
