/* qipu show: positions and games as boards. A position on the command line is read like a
 * file that holds its text, so what is wrong with it is told as of any record. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct show {
    const struct options *options;
    const qp_context *context;
    const qp_notation *notation;
    qp_board_style style;
    struct tally tally;
    const char *file;
    bool bare;       /* the input is a position of the command line */
    bool some;       /* something was printed before */
    bool any_game;   /* the input holds games */
    bool any_wanted; /* of them, games that --game wants */
    const qp_node **line; /* a line of the game at hand from its first ply */
    size_t room;
};

/* ---- lines of a game ---- */

/* The line of a variation, 0 the main one, from the game's first ply: how many plies it
 * has, of which *sound can be played. false: there is none, or it has been said why not. */
static bool take_line(struct show *show, const qp_game *game, uint32_t variation,
                      size_t *count, size_t *sound)
{
    const qp_node *last = game->first;
    while (last && last->variation != variation)
        last = qp_node_walk(last, NULL);
    if (!last && variation != 0)
        return false;
    while (last && last->next)
        last = last->next;
    *count = *sound = last ? last->ply : 0;
    if (*count > show->room) {
        const qp_node **line = realloc(show->line, *count * sizeof(const qp_node *));
        if (!line) {
            complain(show->options, "%s", strerror(ENOMEM));
            return false;
        }
        show->line = line;
        show->room = *count;
    }
    for (size_t i = *count; i-- > 0; last = last->prev) {
        show->line[i] = last;
        if (last->flags)
            *sound = i;
    }
    return true;
}

/* ---- one position ---- */

/* A ply of a line and the position behind it; of ply 0 the node is NULL. */
struct place {
    const qp_game *game;
    const qp_node *node;
    const qp_board *before, *board;
    uint32_t ply;
};

static const char *side_name(qp_side side)
{
    return side == QP_RED ? "red" : "black";
}

static const char *spell(const struct show *show, const struct place *place,
                         char text[QP_MOVE_TEXT_MAX])
{
    return qp_move_spell(show->notation, place->before, place->node->move, text) ? text
                                                                                : "-";
}

static void json_place(const struct show *show, const struct place *place)
{
    char fen[QP_FEN_MAX], move[5], text[QP_MOVE_TEXT_MAX];
    qp_side to_move = (qp_side)place->board->side;
    qp_fen_write(place->board, fen);
    fputs("{\"type\":\"position\"", stdout);
    if (!show->bare) {
        fputs(",\"file\":", stdout);
        json_file(stdout, show->file);
        printf(",\"game\":%u", place->game->number);
    }
    if (show->options->variation)
        printf(",\"variation\":%u", show->options->variation);
    printf(",\"ply\":%u", place->ply);
    if (place->node) {
        qp_move_text(place->node->move, move);
        spell(show, place, text);
        printf(",\"round\":%u,\"side\":\"%s\",\"move\":\"%s\",\"text\":",
               place->before->round, side_name((qp_side)place->before->side), move);
        json_string(stdout, (qp_str){text, strlen(text)});
    }
    printf(",\"fen\":\"%s\",\"to_move\":\"%s\",\"check\":%s,\"end\":\"%s\"}\n", fen,
           side_name(to_move), qp_board_in_check(place->board, to_move) ? "true" : "false",
           qp_end_name(qp_board_end(place->board)));
}

/* "game.pgn: game 2, Lu - Shen" */
static void print_game(const struct show *show, const qp_game *game)
{
    put_visible(stdout, show->file, strlen(show->file));
    printf(": game %u", game->number);
    if (show->options->variation)
        printf(", variation %u", show->options->variation);
    qp_str red = qp_game_tag(game, "Red"), black = qp_game_tag(game, "Black");
    if (red.len || black.len) {
        fputs(", ", stdout);
        put_visible(stdout, red.len ? red.data : "?", red.len ? red.len : 1);
        fputs(" - ", stdout);
        put_visible(stdout, black.len ? black.data : "?", black.len ? black.len : 1);
    }
    putchar('\n');
}

static void print_ply(const struct show *show, const struct place *place)
{
    char text[QP_MOVE_TEXT_MAX], move[5];
    if (!place->node) {
        puts("start position");
        return;
    }
    spell(show, place, text);
    qp_move_text(place->node->move, move);
    printf("ply %u, round %u, %s: ", place->ply, place->before->round,
           side_name((qp_side)place->before->side));
    if (strcmp(text, move) == 0)
        puts(move);
    else
        printf("%s (%s)\n", text, move);
}

static void print_state(const qp_board *board)
{
    qp_side side = (qp_side)board->side;
    switch (qp_board_end(board)) {
    case QP_END_CHECKMATE:
        printf("%s is checkmated\n", side_name(side));
        break;
    case QP_END_STALEMATE:
        printf("%s has no move and loses\n", side_name(side));
        break;
    default:
        printf("%s to move%s\n", side_name(side),
               qp_board_in_check(board, side) ? ", in check" : "");
        break;
    }
}

static void print_place(struct show *show, const struct place *place, bool first)
{
    char text[QP_BOARD_TEXT_MAX], fen[QP_FEN_MAX];
    bool quiet = show->options->verbosity < 0;
    if (show->some)
        putchar('\n');
    show->some = true;
    if (!quiet && !show->bare && first)
        print_game(show, place->game);
    if (!quiet && (place->node || !show->bare))
        print_ply(show, place);
    show->style.last = place->node ? place->node->move : 0;
    qp_board_draw(place->board, &show->style, text);
    fputs(text, stdout);
    if (quiet)
        return;
    print_state(place->board);
    qp_fen_write(place->board, fen);
    puts(fen);
}

/* ---- one game ---- */

static bool wanted(const struct range *range, uint64_t number)
{
    return !range->given || (number >= range->from && number <= range->to);
}

/* The plies that are asked for: --ply; else with --every the whole line, else its end. The
 * last one belongs to --every too. */
static bool choose_plies(const struct show *show, const qp_game *game, size_t count,
                         size_t sound, uint32_t *from, uint32_t *to)
{
    const struct range *ply = &show->options->ply;
    *from = show->options->every ? 0 : (uint32_t)sound;
    *to = (uint32_t)sound;
    if (!ply->given)
        return true;
    if (ply->from > sound) {
        complain_of(show->options, show->file, "game %u %s ply %zu", game->number,
                    sound < count ? "can be replayed only up to" : "ends with", sound);
        return false;
    }
    *from = (uint32_t)ply->from;
    *to = ply->to < sound ? (uint32_t)ply->to : (uint32_t)sound;
    return true;
}

static bool show_game(struct show *show, const qp_game *game)
{
    size_t count, sound;
    uint32_t from, to;
    if (!take_line(show, game, show->options->variation, &count, &sound)) {
        complain_of(show->options, show->file, "game %u has no variation %u", game->number,
                    show->options->variation);
        return false;
    }
    if (!choose_plies(show, game, count, sound, &from, &to))
        return false;
    uint32_t every = show->options->every ? (uint32_t)show->options->every : 1;
    qp_board before = game->start, board = game->start;
    for (uint32_t ply = 0; ply <= to; ply++) {
        const qp_node *node = ply ? show->line[ply - 1] : NULL;
        if (node) {
            before = board;
            qp_board_play(&board, node->move);
        }
        if (ply < from || ((ply - from) % every != 0 && ply != to))
            continue;
        struct place place = {game, node, &before, &board, ply};
        if (show->options->json)
            json_place(show, &place);
        else
            print_place(show, &place, ply == from);
    }
    return true;
}

/* Whether a finding says that there is no position to draw. */
static bool hides_board(const qp_finding *finding)
{
    if (finding->code != QP_D_fen_invalid || finding->severity != QP_ERROR ||
        !finding->detail)
        return false;
    for (unsigned bit = 0; bit < 32; bit++)
        if (QP_FEN_UNREADABLE >> bit & 1 &&
            strcmp(qp_fen_fault_name((qp_fen_fault)(1u << bit)), finding->detail) == 0)
            return true;
    return false;
}

static bool show_record(void *user, const struct record *record)
{
    struct show *show = user;
    const struct options *options = show->options;
    const qp_game *game = record->game;
    bool hidden = false;
    if (game) {
        show->any_game = true;
        if (options->game.given && game->number > options->game.to)
            return false;
        if (!wanted(&options->game, game->number))
            return true;
        show->any_wanted = true;
    }
    tally_findings(&show->tally, record->findings, record->finding_count);
    for (size_t i = 0; i < record->finding_count; i++) {
        const qp_finding *finding = &record->findings[i];
        hidden |= hides_board(finding);
        if (finding->severity != QP_ERROR && options->verbosity <= 0)
            continue;
        progress_wipe(options);
        if (options->json)
            json_finding(options, stdout, show->file, finding);
        else
            print_finding(options, stdout, show->style.color, show->file, finding);
        show->some |= !options->json;
    }
    if (game && !hidden && !show_game(show, game))
        show->tally.trouble = true;
    return true;
}

static bool show_input(void *user, const struct input *input)
{
    struct show *show = user;
    if (input->settle)
        return true;
    show->file = input->name;
    show->any_game = show->any_wanted = false;
    if (!read_records(show->options, show->context, input, show_record, show))
        show->tally.trouble = true;
    if (show->any_game && !show->any_wanted) {
        complain_of(show->options, input->name, "no game %llu",
                    (unsigned long long)show->options->game.from);
        show->tally.trouble = true;
    }
    return true;
}

/* ---- operands ---- */

/* A text in memory as an input. */
struct text {
    const char *data;
    size_t len;
};

static ptrdiff_t read_text(void *user, void *buffer, size_t size)
{
    struct text *text = user;
    if (size > text->len)
        size = text->len;
    memcpy(buffer, text->data, size);
    text->data += size;
    text->len -= size;
    return (ptrdiff_t)size;
}

/* Whether an operand is a position, or the first field of one: it can be read as a board, or
 * looks like one with a fault, and no file has that name. */
static bool is_position(const char *operand)
{
    qp_board board;
    qp_fen_report report;
    unsigned rows = 1;
    for (const char *p = operand; *p; p++)
        rows += *p == '/';
    qp_fen_read((qp_str){operand, strlen(operand)}, &board, &report);
    if (report.faults & QP_FEN_UNREADABLE && (rows < 5 || strchr(operand, '.')))
        return false;
    return access(operand, F_OK) != 0;
}

/* Whether an operand goes on with a position: a field of it, or a move behind it. */
static bool goes_on(const char *operand)
{
    size_t len = strlen(operand);
    return len < 6 && strspn(operand, "abcdefghirwRBW-0123456789") == len;
}

static void show_text(struct show *show, qp_str text)
{
    struct text rest = {text.data, text.len};
    struct input input = {
        .name = "fen", .read = read_text, .from = &rest, .size = (off_t)text.len};
    show->bare = true;
    show_input(show, &input);
    show->bare = false;
}

/* A position that cannot be read at all. */
static void show_fault(struct show *show, qp_str text, const qp_fen_report *report)
{
    uint32_t faults = report->faults & QP_FEN_UNREADABLE;
    qp_fen_fault fault = (qp_fen_fault)(faults & (~faults + 1));
    const char *message = qp_fen_fault_text(fault);
    qp_finding finding = {
        .code = QP_D_fen_invalid,
        .severity = QP_ERROR,
        .detail = qp_fen_fault_name(fault),
        .game = 1,
        .byte = report->where,
        .line = 1,
        .column = (uint32_t)report->where + 1,
        .source = text,
        .caret = (uint32_t)report->where,
        .caret_cells = report->where < text.len,
        .token = {text.data + report->where, report->where < text.len},
        .message = {message, strlen(message)},
    };
    tally_findings(&show->tally, &finding, 1);
    if (show->options->json)
        json_finding(show->options, stdout, "fen", &finding);
    else
        print_finding(show->options, stdout, show->style.color, "fen", &finding);
    show->some = true;
}

/* A position and the operands behind it that belong to it. Returns how many they are. */
static size_t show_position(struct show *show, const struct options *options, size_t first)
{
    size_t count = 1, len = 0;
    while (first + count < options->operand_count &&
           goes_on(options->operands[first + count]) &&
           access(options->operands[first + count], F_OK) != 0)
        count++;
    for (size_t i = 0; i < count; i++)
        len += strlen(options->operands[first + i]) + 1;
    char *joined = malloc(len + 1);
    if (!joined) {
        complain(options, "%s", strerror(ENOMEM));
        show->tally.trouble = true;
        return count;
    }
    joined[0] = '\0';
    for (size_t i = 0, at = 0; i < count; i++)
        at += (size_t)sprintf(joined + at, "%s%s", i ? " " : "", options->operands[first + i]);
    struct options reading = *options;
    qp_board board;
    qp_fen_report report;
    qp_str text = {joined, strlen(joined)};
    qp_fen_read(text, &board, &report);
    if (report.faults & QP_FEN_UNREADABLE) {
        show_fault(show, text, &report);
    } else {
        /* Alone it is a position whatever its spelling; else moves follow it. */
        if (!reading.from && report.used == text.len)
            reading.from = "fen";
        show->options = &reading;
        show_text(show, text);
        show->options = options;
    }
    free(joined);
    return count;
}

static void show_operands(struct show *show, const struct options *options)
{
    for (size_t i = 0; i < options->operand_count;) {
        if (is_position(options->operands[i])) {
            i += show_position(show, options, i);
            continue;
        }
        struct options one = *options;
        one.operands += i++;
        one.operand_count = 1;
        if (!inputs_each(&one, show_input, NULL, show))
            show->tally.trouble = true;
    }
    if (options->operand_count == 0 && !inputs_each(options, show_input, NULL, show))
        show->tally.trouble = true;
}

int cmd_show(struct options *options)
{
    qp_context *context = open_reading(options);
    if (!context)
        return EXIT_TROUBLE;
    struct show show = {
        .options = options,
        .context = context,
        .style = {.glyphs = options->letters ? QP_GLYPHS_LETTERS : QP_GLYPHS_CHINESE,
                  .from_black = options->from_black,
                  .color = wants_color(options, stdout)},
    };
    const char *notation = options->notation ? options->notation
                           : options->letters ? "wxf"
                                              : "chinese";
    show.notation = find_notation(options, context, notation, strlen(notation));
    if (show.notation) {
        progress_start(options);
        show_operands(&show, options);
        progress_wipe(options);
    }
    free(show.line);
    qp_context_free(context);
    return show.notation ? tally_exit(&show.tally, options) : EXIT_TROUBLE;
}
