/* qipu-gen: writes invented games to standard output, the same ones for the same seed. For
 * tests and benchmarks; not installed. */
#include "config.h"

#include "gen/gen.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "usage: qipu-gen [--games N] [--seed S] [--format F] [--notation N] [--encoding E]\n"
    "                [--variations PERCENT] [--comments PERCENT] [--nags PERCENT]\n"
    "                [--starts PERCENT] [--returns PERCENT] [--plies MAX] [--nodes N]\n"
    "                [--repeat TOTAL]\n"
    "Games differ in their moves up to N; with --repeat, TOTAL games are written, the N in\n"
    "any order with other tags each time. --nodes makes trees of N plies each. --returns lets\n"
    "games end in moves to and fro.\n";

static int put(void *user, const void *buffer, size_t size)
{
    return fwrite(buffer, 1, size, user) == size ? 0 : -1;
}

typedef struct settings {
    unsigned games, repeat;
    uint64_t seed;
    gen_options game;
    qp_writer_options writer;
    const char *notation;
} settings;

static unsigned number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value > 100000000) {
        fprintf(stderr, "qipu-gen: '%s' is no number\n", text);
        exit(2);
    }
    return (unsigned)value;
}

static void read_options(int argc, char **argv, settings *s)
{
    static const struct option options[] = {
        {"games", required_argument, NULL, 'g'},    {"seed", required_argument, NULL, 's'},
        {"format", required_argument, NULL, 'f'},   {"notation", required_argument, NULL, 'n'},
        {"encoding", required_argument, NULL, 'e'}, {"variations", required_argument, NULL, 'v'},
        {"comments", required_argument, NULL, 'c'}, {"nags", required_argument, NULL, 'a'},
        {"starts", required_argument, NULL, 'p'},   {"plies", required_argument, NULL, 'l'},
        {"nodes", required_argument, NULL, 't'},    {"returns", required_argument, NULL, 'o'},
        {"repeat", required_argument, NULL, 'r'},   {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'g': s->games = number(optarg); break;
        case 's': s->seed = number(optarg); break;
        case 'f': s->writer.format = optarg; break;
        case 'n': s->notation = optarg; break;
        case 'e': s->writer.encoding = optarg; break;
        case 'v': s->game.variations = number(optarg); break;
        case 'c': s->game.comments = number(optarg); break;
        case 'a': s->game.nags = number(optarg); break;
        case 'p': s->game.starts = number(optarg); break;
        case 'l': s->game.max_plies = number(optarg); break;
        case 't': s->game.nodes = number(optarg); break;
        case 'o': s->game.returns = number(optarg); break;
        case 'r': s->repeat = number(optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    }
    /* Above that a ply would have alternatives without end. */
    if (optind != argc || s->games == 0 || s->game.variations > 90) {
        fputs(usage, stderr);
        exit(2);
    }
}

static uint64_t seed_of(const settings *s, unsigned i)
{
    gen_random random = {s->seed << 32 | i};
    return gen_next(&random);
}

/* Every game once, as it comes. */
static bool write_once(const settings *s, const gen_player *player, qp_writer *writer)
{
    qp_arena arena;
    bool good = true;
    qp_arena_init(&arena);
    for (unsigned i = 0; good && i < s->games; i++) {
        qp_game game;
        qp_arena_rewind(&arena);
        good = gen_game(player, seed_of(s, i), &s->game, &arena, &game);
        game.number = i + 1;
        good = good && qp_writer_put(writer, &game) == QP_OK;
    }
    qp_arena_clear(&arena);
    return good;
}

static bool write_often(const settings *s, const gen_player *player, qp_writer *writer)
{
    qp_arena games, tags;
    qp_game *distinct = calloc(s->games, sizeof *distinct);
    bool good = distinct != NULL;
    gen_random random = {s->seed};
    qp_arena_init(&games);
    qp_arena_init(&tags);
    for (unsigned i = 0; good && i < s->games; i++)
        good = gen_game(player, seed_of(s, i), &s->game, &games, &distinct[i]);
    for (unsigned i = 0; good && i < s->repeat; i++) {
        qp_game game = distinct[gen_below(&random, s->games)];
        qp_arena_rewind(&tags);
        good = gen_retag(gen_next(&random), &tags, &game);
        game.number = i + 1;
        good = good && qp_writer_put(writer, &game) == QP_OK;
    }
    qp_arena_clear(&tags);
    qp_arena_clear(&games);
    free(distinct);
    return good;
}

int main(int argc, char **argv)
{
    settings s = {.games = 10, .seed = 1, .writer = {.format = "pgn"}};
    static gen_player player;
    read_options(argc, argv, &s);
    qp_context *context = qp_context_new();
    if (context == NULL)
        return 2;
    if (s.notation != NULL) {
        s.writer.notation = qp_notation_find(context, s.notation);
        if (s.writer.notation == NULL) {
            fprintf(stderr, "qipu-gen: no notation '%s'\n", s.notation);
            return 2;
        }
    }
    qp_writer *writer = qp_writer_open(context, put, stdout, &s.writer);
    if (writer == NULL) {
        fprintf(stderr, "qipu-gen: cannot write %s\n", s.writer.format);
        qp_context_free(context);
        return 2;
    }
    gen_player_init(&player);
    bool good = s.repeat != 0 ? write_often(&s, &player, writer)
                              : write_once(&s, &player, writer);
    good = qp_writer_close(writer) == QP_OK && good;
    qp_context_free(context);
    if (!good || fclose(stdout) != 0) {
        fprintf(stderr, "qipu-gen: writing failed\n");
        return 2;
    }
    return 0;
}
