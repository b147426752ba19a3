/* qipu info: what files hold. It judges nothing; only a file that holds no game, or
 * cannot be read, is an error. */
#include "config.h"

#include "line.h"

struct info {
    const struct options *options;
    const qp_context *context;
    uint64_t file_games, file_plies; /* of the input at hand */
    struct tally tally;
};

/* ---- JSON ---- */

static void json_tags(struct line *line, const qp_game *game)
{
    line_text(line, ",\"tags\":{");
    for (size_t i = 0; i < game->tag_count; i++) {
        if (i)
            line_text(line, ",");
        line_json(line, game->tags[i].name);
        line_text(line, ":");
        line_json(line, game->tags[i].value);
    }
    line_text(line, "}");
}

static void json_count(struct line *line, const char *key, uint32_t number)
{
    line_text(line, key);
    line_number(line, 0, number);
}

static void json_word(struct line *line, const char *key, const char *word)
{
    line_text(line, key);
    line_text(line, word);
    line_text(line, "\"");
}

static void json_info(struct info *info, const char *file, const qp_game *game)
{
    struct line line;
    line_begin(&line, info->options->out);
    line_text(&line, "{\"type\":\"info\",\"file\":");
    line_json_file(&line, file);
    line_text(&line, ",\"game\":");
    line_game(&line, info->options, 0, game->number);
    json_word(&line, ",\"format\":\"", game->format);
    json_word(&line, ",\"encoding\":\"", game->encoding);
    json_word(&line, ",\"notation\":\"", game->notation);
    json_count(&line, ",\"plies\":", game->line_plies);
    json_count(&line, ",\"nodes\":", game->nodes);
    json_count(&line, ",\"variations\":", game->variations);
    json_count(&line, ",\"comments\":", game->comment_places);
    json_word(&line, ",\"result\":\"", qp_result_text(game->result));
    json_tags(&line, game);
    line_text(&line, "}\n");
    line_end(&line);
}

/* ---- text ---- */

static void put_tag(struct line *line, const qp_game *game, const char *name)
{
    qp_str value = qp_game_tag(game, name);
    if (value.len)
        line_visible(line, value.data, value.len);
    else
        line_text(line, "?");
}

static void print_head(FILE *out, const char *file, const qp_game *game)
{
    put_visible(out, file, strlen(file));
    fprintf(out, ": %s", game->format);
    if (game->encoding[0])
        fprintf(out, ", %s", game->encoding);
    if (game->notation[0])
        fprintf(out, ", %s", game->notation);
    fputc('\n', out);
}

static void put_count(struct line *line, const char *before, uint32_t number,
                      const char *behind)
{
    line_text(line, before);
    line_number(line, 0, number);
    line_text(line, behind);
}

static void print_info(const struct options *options, const char *file, const qp_game *game,
                       bool first)
{
    struct line line;
    FILE *out = options->out;
    if (first && options->part)
        fprintf(out, "%c%d%c", MARK_ONCE, 0, MARK_ONCE);
    if (first)
        print_head(out, file, game);
    if (first && options->part)
        fputc(MARK_ONCE_END, out);
    line_begin(&line, out);
    line_game(&line, options, 5, game->number);
    line_text(&line, "  ");
    put_tag(&line, game, "Red");
    line_text(&line, " - ");
    put_tag(&line, game, "Black");
    line_text(&line, "  ");
    line_text(&line, qp_result_text(game->result));
    put_count(&line, "  ", game->line_plies, game->line_plies == 1 ? " ply" : " plies");
    if (game->variations) {
        put_count(&line, ", ", game->variations, " variation");
        line_text(&line, plural(game->variations));
        put_count(&line, " (", game->nodes, " moves in all)");
    }
    if (game->comment_places) {
        put_count(&line, ", ", game->comment_places, " comment");
        line_text(&line, plural(game->comment_places));
    }
    if (options->verbosity > 0 && !game->legal)
        put_count(&line, ", sound up to ply ", game->plies, "");
    line_text(&line, "\n");
    line_end(&line);
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
            progress_wipe(info->options);
            print_finding(info->options, aside_begin(info->options), false, file,
                          &record->findings[i]);
            aside_end(info->options);
        }
        tally_findings(&info->tally, record->findings, record->finding_count);
        return true;
    }
    info->file_games++;
    info->file_plies += game->line_plies;
    if (info->options->json)
        json_info(info, file, game);
    else
        print_info(info->options, file, game, info->file_games == 1);
    return true;
}

static void info_begin(void *user, const struct input *input)
{
    struct info *info = user;
    (void)input;
    info->file_games = info->file_plies = 0;
}

static bool info_end(void *user, const struct input *input, bool fine)
{
    struct info *info = user;
    (void)input;
    if (!fine)
        info->tally.trouble = true;
    if (!info->options->json && info->file_games > 1)
        printf("       %llu games, %llu plies\n", (unsigned long long)info->file_games,
               (unsigned long long)info->file_plies);
    return true;
}

static bool info_split(void *copy, const struct options *options)
{
    struct info *info = copy;
    info->options = options;
    return true;
}

static void info_collect(void *copy, struct piece *piece)
{
    struct info *info = copy;
    piece->tally = info->tally;
    piece->tally.games = info->file_games;
    piece->tally.plies = info->file_plies;
    info->tally = (struct tally){0};
    info->file_games = info->file_plies = 0;
}

static bool info_join(void *user, const struct piece *piece)
{
    struct info *info = user;
    struct tally tally = piece->tally;
    info->file_games += tally.games;
    info->file_plies += tally.plies;
    tally.games = tally.plies = 0;
    tally_add(&info->tally, &tally);
    return true;
}

/* The line about the file, before its first game. */
static bool info_once(void *user, unsigned kind)
{
    const struct info *info = user;
    (void)kind;
    return info->file_games == 0;
}

int cmd_info(struct options *options)
{
    struct info info = {.options = options};
    options->counts = true;
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    info.context = context;
    options->spare_tree = UINT32_MAX;
    options->heads = true;
    options->unplayed = !options->json && options->verbosity <= 0;
    progress_start(options);
    const struct work work = {
        .options = options,
        .context = context,
        .user = &info,
        .begin = info_begin,
        .record = info_record,
        .end = info_end,
        .size = sizeof info,
        .split = info_split,
        .collect = info_collect,
        .join = info_join,
        .once = info_once,
    };
    if (!read_inputs(&work))
        info.tally.trouble = true;
    progress_wipe(options);
    qp_context_free(context);
    return tally_exit(&info.tally, options);
}
