/* Whole invented games: how they begin, go on and end, what is said about them, and who is
 * supposed to have played them. Every character of the names and remarks is the same in
 * simplified and traditional writing and stands in GB2312 and in Big5. */
#include "config.h"

#include "gen/gen.h"

enum { LONGEST = 240, VARIATION_LONGEST = 8, VARIATION_DEPTH = 3 };

static const char *const surnames[] = {"石", "江", "林", "白", "田", "丁", "方", "于", "毛",
                                       "史", "古", "何", "余", "柳", "竹", "梅", "松", "雨"};
static const char *const given_names[] = {"一禾", "山石", "秋水", "文竹", "小舟", "知白", "守拙",
                                          "青禾", "若木", "南山", "北斗", "冬日", "可期", "子非",
                                          "有雨", "半夏", "三秋", "望舒"};
static const char *const places[] = {"青石", "柳溪", "竹林", "白沙", "松江口", "石板坡", "南山村",
                                     "北河口", "三里屯外", "水月"};
static const char *const events[] = {"杯", "春季杯", "秋季杯", "友好交流", "名手表演"};
static const char *const remarks[] = {
    "好棋",         "此手失先",     "正手",       "也可走其他",   "先手在手",
    "攻守平衡",     "局面平淡",     "中局要害",   "出人意料之手", "不可取",
    "至此和局可期", "以下全是例行", "妙手, 必胜", "可再想想",     "本局要害"};

/* ---- tags ---- */

static qp_tag *add_tag(qp_game *game, qp_tag *tags, const char *name, qp_str value)
{
    tags[game->tag_count++] = (qp_tag){qp_str_of(name), value};
    return tags;
}

#define PICK(random, list) ((list)[gen_below((random), QP_COUNT(list))])

bool gen_retag(uint64_t seed, qp_arena *arena, qp_game *game)
{
    gen_random random = {seed ^ UINT64_C(0x7461677300000000)};
    qp_tag *tags = qp_arena_alloc(arena, 12 * sizeof *tags);
    if (tags == NULL)
        return false;
    game->tags = tags;
    game->tag_count = 0;
    const char *place = PICK(&random, places);
    const char *event = PICK(&random, events);
    unsigned year = 1960 + gen_below(&random, 60), month = 1 + gen_below(&random, 12),
             day = 1 + gen_below(&random, 28), round = 1 + gen_below(&random, 13);
    add_tag(game, tags, "Game", QP_STR("Chinese Chess"));
    add_tag(game, tags, "Event",
            qp_arena_printf(arena, "%u年%s%s", year, PICK(&random, places), event));
    add_tag(game, tags, "Site", qp_str_of(place));
    add_tag(game, tags, "Date", qp_arena_printf(arena, "%u.%02u.%02u", year, month, day));
    add_tag(game, tags, "Round", qp_arena_printf(arena, "%u", round));
    add_tag(game, tags, "RedTeam", qp_str_of(PICK(&random, places)));
    const char *family = PICK(&random, surnames), *given = PICK(&random, given_names);
    add_tag(game, tags, "Red", qp_arena_printf(arena, "%s%s", family, given));
    add_tag(game, tags, "BlackTeam", qp_str_of(PICK(&random, places)));
    family = PICK(&random, surnames);
    given = PICK(&random, given_names);
    add_tag(game, tags, "Black", qp_arena_printf(arena, "%s%s", family, given));
    add_tag(game, tags, "Result", qp_str_of(qp_result_text(game->result)));
    if (game->start_given) {
        char fen[QP_FEN_MAX];
        size_t len = qp_fen_write(&game->start, fen);
        add_tag(game, tags, "FEN", qp_arena_str(arena, fen, len));
    }
    return !arena->failed;
}

/* ---- what is said about plies ---- */

static qp_comment *make_comment(gen_random *random, qp_arena *arena)
{
    qp_comment *comment = qp_arena_zero(arena, sizeof *comment);
    if (comment != NULL) {
        const char *first = PICK(random, remarks);
        comment->text = gen_percent(random, 30)
                            ? qp_arena_printf(arena, "%s; %s", first, PICK(random, remarks))
                            : qp_str_of(first);
    }
    return comment;
}

static void decorate(gen_random *random, const gen_options *options, qp_arena *arena,
                     qp_node *node)
{
    bool after = gen_percent(random, options->comments);
    bool before = node->aside && gen_percent(random, options->comments);
    bool nag = gen_percent(random, options->nags);
    if (!after && !before && !nag)
        return;
    qp_extra *extra = qp_arena_zero(arena, sizeof *extra);
    uint16_t *nags = nag ? qp_arena_alloc(arena, sizeof *nags) : NULL;
    if (extra == NULL || (nag && nags == NULL))
        return;
    if (after)
        extra->after = make_comment(random, arena);
    if (before)
        extra->before = make_comment(random, arena);
    if (nag) {
        *nags = (uint16_t)(1 + gen_below(random, 6));
        extra->nags = nags;
        extra->nag_count = 1;
    }
    node->extra = extra;
}

/* ---- variations ---- */

typedef struct inventor {
    const gen_player *player;
    const gen_options *options;
    qp_arena *arena;
    gen_random random;
    uint32_t lines; /* numbered so far */
} inventor;

static qp_node *add_ply(inventor *in, qp_node *prev, qp_move move)
{
    qp_node *node = qp_tree_node(in->arena, move);
    if (node == NULL)
        return NULL;
    node->prev = prev;
    node->ply = prev != NULL ? prev->ply + 1 : 1;
    return node;
}

static void add_variations(inventor *in, qp_board board, qp_node *first, unsigned depth);

/* A line that replaces main, with lines of its own. */
static void add_variation(inventor *in, const qp_board *before, qp_node *main, unsigned depth)
{
    qp_move moves[QP_MOVES_MAX];
    int score;
    size_t near = gen_candidates(in->player, before, 150, moves, &score), kept = 0;
    for (size_t i = 0; i < near; i++) {
        bool taken = moves[i] == main->move;
        for (const qp_node *n = qp_node_alternative(main); n != NULL; n = qp_node_sibling(n))
            taken = taken || n->move == moves[i];
        if (!taken)
            moves[kept++] = moves[i];
    }
    if (kept == 0)
        return;
    qp_node *first = add_ply(in, main->prev, moves[gen_below(&in->random, (unsigned)kept)]);
    if (first == NULL)
        return;
    qp_tree_put_beside(qp_tree_last_beside(main), first);
    qp_board board = *before;
    qp_board_play(&board, first->move);
    unsigned more = gen_below(&in->random, VARIATION_LONGEST);
    for (qp_node *node = first; more > 0; more--) {
        near = gen_candidates(in->player, &board, 20, moves, &score);
        if (near == 0)
            break;
        node->next = add_ply(in, node, moves[gen_below(&in->random, (unsigned)near)]);
        if (node->next == NULL)
            break;
        node = node->next;
        qp_board_play(&board, node->move);
    }
    board = *before;
    qp_board_play(&board, first->move);
    if (depth + 1 < VARIATION_DEPTH && first->next != NULL)
        add_variations(in, board, first->next, depth + 1);
}

static void add_variations(inventor *in, qp_board board, qp_node *first, unsigned depth)
{
    for (qp_node *node = first; node != NULL; node = node->next) {
        while (gen_percent(&in->random, in->options->variations))
            add_variation(in, &board, node, depth);
        qp_board_play(&board, node->move);
    }
}

/* Numbers lines and decorates plies in file order. */
static void finish_tree(inventor *in, qp_game *game)
{
    for (qp_node *node = game->first; node != NULL;
         node = (qp_node *)qp_node_walk(node, NULL)) {
        if (node->aside)
            node->variation = ++in->lines;
        else if (node->prev != NULL)
            node->variation = node->prev->variation;
        decorate(&in->random, in->options, in->arena, node);
    }
}

/* ---- the main line ---- */

/* How games usually begin, as Red sees it: pieces come out, none runs ahead. */
static const uint8_t usual[][4] = {
    /* file and rank from, file and rank to */
    {7, 2, 4, 2}, {1, 2, 4, 2}, {7, 2, 5, 2}, {1, 2, 5, 2}, {1, 2, 3, 2}, {7, 0, 6, 2},
    {1, 0, 2, 2}, {7, 0, 8, 2}, {1, 0, 0, 2}, {6, 0, 4, 2}, {2, 0, 4, 2}, {2, 3, 2, 4},
    {6, 3, 6, 4}, {8, 0, 7, 0}, {0, 0, 1, 0}, {8, 0, 8, 1}, {0, 0, 0, 1}, {5, 0, 4, 1},
};

static bool is_usual(qp_side side, qp_move move)
{
    for (size_t i = 0; i < QP_COUNT(usual); i++) {
        const uint8_t *u = usual[i];
        int from = side == QP_RED ? u[1] : 9 - u[1], to = side == QP_RED ? u[3] : 9 - u[3];
        if (move == QP_MOVE(QP_SQUARE(u[0], from), QP_SQUARE(u[2], to)))
            return true;
    }
    return false;
}

static qp_move pick_move(inventor *in, const qp_board *board, unsigned ply,
                         const uint64_t *seen, unsigned seen_count, int *score)
{
    qp_move moves[QP_MOVES_MAX];
    int margin = ply < 2 ? 80 : ply < 10 ? 40 : 12;
    size_t near = gen_candidates(in->player, board, margin, moves, score), usuals = 0;
    for (size_t i = 0; ply < 10 && i < near; i++)
        if (is_usual(board->side, moves[i]))
            moves[usuals++] = moves[i];
    if (usuals > 0)
        near = usuals;
    /* No position comes twice: start anywhere among the near-best, then take what is new. */
    for (int round = 0; round < 2 && near > 0; round++) {
        unsigned from = gen_below(&in->random, (unsigned)near);
        for (size_t i = 0; i < near; i++) {
            qp_move move = moves[(from + i) % near];
            qp_board after = *board;
            qp_board_play(&after, move);
            uint64_t key = gen_position_key(&after);
            unsigned j = 0;
            while (j < seen_count && seen[j] != key)
                j++;
            if (j == seen_count)
                return move;
        }
        near = qp_board_moves(board, moves);
    }
    return 0;
}

static qp_result win_of(qp_side side)
{
    return side == QP_RED ? QP_RESULT_RED : QP_RESULT_BLACK;
}

/* Plays on from the game's start until mate, resignation, agreement or the cap. */
static void play(inventor *in, qp_game *game)
{
    uint64_t seen[LONGEST + 1];
    qp_board board = game->start;
    qp_node *last = NULL;
    unsigned ply = 0, level = 0, lost[2] = {0, 0};
    unsigned cap = 60 + gen_below(&in->random, LONGEST - 60);
    if (in->options->max_plies != 0 && cap > in->options->max_plies)
        cap = in->options->max_plies;
    game->result = QP_RESULT_DRAW;
    seen[0] = gen_position_key(&board);
    while (ply < cap) {
        int score;
        if (qp_board_end(&board) != QP_END_NONE) {
            game->result = win_of(QP_OTHER(board.side));
            break;
        }
        qp_move move = pick_move(in, &board, ply, seen, ply + 1, &score);
        if (move == 0 || board.quiet >= 100)
            break;
        lost[board.side] = score < -700 ? lost[board.side] + 1 : 0;
        level = score > -60 && score < 60 ? level + 1 : 0;
        if (lost[board.side] >= 4 && gen_percent(&in->random, 25)) {
            game->result = win_of(QP_OTHER(board.side));
            break;
        }
        if (ply > 60 && level > 12 && gen_percent(&in->random, 6))
            break;
        qp_node *node = add_ply(in, last, move);
        if (node == NULL)
            return;
        *(last != NULL ? &last->next : &game->first) = node;
        last = node;
        qp_board_play(&board, move);
        seen[++ply] = gen_position_key(&board);
        if (ply == cap) {
            /* Adjourned for good: who is well ahead has won. */
            gen_candidates(in->player, &board, 0, (qp_move[QP_MOVES_MAX]){0}, &score);
            if (qp_board_end(&board) != QP_END_NONE || score < -400)
                game->result = win_of(QP_OTHER(board.side));
            else if (score > 400)
                game->result = win_of(board.side);
        }
    }
    game->final = board;
    game->end = qp_board_end(&board);
    game->plies = ply;
}

/* A position some plies into a game that is then forgotten. */
static void set_start(inventor *in, qp_game *game)
{
    unsigned plies = 8 + gen_below(&in->random, 50);
    for (unsigned i = 0; i < plies; i++) {
        int score;
        qp_board after = game->start;
        qp_move move = pick_move(in, &after, i, NULL, 0, &score);
        if (move == 0)
            break;
        qp_board_play(&after, move);
        if (qp_board_end(&after) != QP_END_NONE)
            break;
        game->start = after;
    }
    game->start_given = true;
}

bool gen_game(const gen_player *player, uint64_t seed, const gen_options *options,
              qp_arena *arena, qp_game *game)
{
    inventor in = {player, options, arena, {seed}, 0};
    *game = (qp_game){.number = 1, .legal = true, .result_given = true, .format = "",
                      .encoding = "", .notation = ""};
    qp_board_start(&game->start);
    if (gen_percent(&in.random, options->starts))
        set_start(&in, game);
    play(&in, game);
    if (options->returns != 0 && gen_percent(&in.random, options->returns))
        gen_return(&in.random, 2 + gen_below(&in.random, 3), arena, game);
    if (gen_percent(&in.random, options->comments))
        game->comments = make_comment(&in.random, arena);
    if (game->first != NULL && options->variations != 0)
        add_variations(&in, game->start, game->first, 0);
    if (options->nodes != 0 && !gen_grow(&in.random, options->nodes, arena, game))
        return false;
    finish_tree(&in, game);
    qp_game_count(game);
    return gen_retag(gen_next(&in.random), arena, game) && !arena->failed;
}
