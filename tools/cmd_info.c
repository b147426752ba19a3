/* qipu info: what files hold. It judges nothing; only a file that holds no game, or
 * cannot be read, is an error. */
#include "config.h"

#include "common.h"

#include <string.h>

struct info {
    const struct options *options;
    const qp_context *context;
    uint64_t file_games, file_plies; /* of the input at hand */
    struct tally tally;
};

/* ---- JSON ---- */

static void json_tags(const qp_game *game)
{
    fputs(",\"tags\":{", stdout);
    for (size_t i = 0; i < game->tag_count; i++) {
        if (i)
            putchar(',');
        json_string(stdout, game->tags[i].name);
        putchar(':');
        json_string(stdout, game->tags[i].value);
    }
    putchar('}');
}

static void json_info(const char *file, const qp_game *game)
{
    fputs("{\"type\":\"info\",\"file\":", stdout);
    json_file(stdout, file);
    printf(
        ",\"game\":%u,\"format\":\"%s\",\"encoding\":\"%s\",\"notation\":\"%s\","
        "\"plies\":%u,\"nodes\":%u,\"variations\":%u,\"comments\":%u,\"result\":\"%s\"",
        game->number, game->format, game->encoding, game->notation, game->line_plies,
        game->nodes, game->variations, game->comment_places,
        qp_result_text(game->result));
    json_tags(game);
    puts("}");
}

/* ---- text ---- */

static void put_tag(const qp_game *game, const char *name)
{
    qp_str value = qp_game_tag(game, name);
    if (value.len)
        put_visible(stdout, value.data, value.len);
    else
        putchar('?');
}

static void print_info(const char *file, const qp_game *game, bool first)
{
    if (first) {
        put_visible(stdout, file, strlen(file));
        printf(": %s", game->format);
        if (game->encoding[0])
            printf(", %s", game->encoding);
        if (game->notation[0])
            printf(", %s", game->notation);
        putchar('\n');
    }
    printf("%5u  ", game->number);
    put_tag(game, "Red");
    fputs(" - ", stdout);
    put_tag(game, "Black");
    printf("  %s  %u pl%s", qp_result_text(game->result), game->line_plies,
           game->line_plies == 1 ? "y" : "ies");
    if (game->variations)
        printf(", %u variation%s (%u moves in all)", game->variations,
               plural(game->variations), game->nodes);
    if (game->comment_places)
        printf(", %u comment%s", game->comment_places, plural(game->comment_places));
    if (!game->legal)
        printf(", sound up to ply %u", game->plies);
    putchar('\n');
}

/* ---- the loop ---- */

static bool info_record(void *user, const struct record *record)
{
    struct info *info = user;
    const char *file = record->input->name;
    const qp_game *game = record->game;
    if (!game) {
        for (size_t i = 0; i < record->finding_count; i++) {
            if (record->findings[i].severity != QP_ERROR)
                continue;
            progress_wipe();
            print_finding(info->options, stderr, false, file, &record->findings[i]);
        }
        tally_findings(&info->tally, record->findings, record->finding_count);
        return true;
    }
    info->file_games++;
    info->file_plies += game->line_plies;
    if (info->options->json)
        json_info(file, game);
    else
        print_info(file, game, info->file_games == 1);
    return true;
}

static bool info_input(void *user, const struct input *input)
{
    struct info *info = user;
    info->file_games = info->file_plies = 0;
    if (!read_records(info->options, info->context, input, info_record, info))
        info->tally.trouble = true;
    if (!info->options->json && info->file_games > 1)
        printf("       %llu games, %llu plies\n", (unsigned long long)info->file_games,
               (unsigned long long)info->file_plies);
    return true;
}

int cmd_info(struct options *options)
{
    struct info info = {.options = options};
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    info.context = context;
    progress_start(options);
    if (!inputs_each(options, info_input, NULL, &info))
        info.tally.trouble = true;
    progress_wipe();
    qp_context_free(context);
    return tally_exit(&info.tally, options);
}
