/* What holds for every game: a move spelled is that move when read; a game written and read
 * again is that game, as far as the format goes; how the input comes in pieces does not
 * matter; a finding points into the file. Over games made from fixed seeds. */
#include "config.h"

#include "format/format.h"
#include "gen/gen.h"

#include <criterion/criterion.h>
#include <stdio.h>

static gen_player player;

static void make_game(uint64_t seed, const gen_options *options, qp_arena *arena,
                      qp_game *game)
{
    if (player.worth[QP_PIECE(QP_RED, QP_ROOK)][0] == 0)
        gen_player_init(&player);
    qp_arena_rewind(arena);
    cr_assert(gen_game(&player, seed, options, arena, game));
}

/* ---- spelling ---- */

static qp_base base_of(const char *notation)
{
    return strcmp(notation, "uci1") == 0 ? QP_BASE_ONE : QP_BASE_ZERO;
}

/* Whether the notation says one thing for two moves by its nature. */
static bool is_brief(const char *notation)
{
    return strcmp(notation, "abbreviated") == 0;
}

/* The schools of WXF name a pawn among many by two digits, and 33+1 is not the same pawn in
 * each: a reader prefers one school. */
static bool is_school(const char *notation, const char *text)
{
    return strncmp(notation, "wxf", 3) == 0 && text[0] >= '1' && text[0] <= '9' &&
           text[1] >= '1' && text[1] <= '9';
}

static void check_spelling(const qp_context *context, const qp_notation *notation,
                           const qp_board *board, qp_move move)
{
    char text[QP_MOVE_TEXT_MAX], fen[QP_FEN_MAX], squares[5];
    const char *name = qp_notation_name(notation);
    qp_written written;
    qp_move moves[8];
    unsigned pick = 0;
    bool found = false;
    qp_fen_write(board, fen);
    qp_move_text(move, squares);
    size_t len = qp_move_spell(notation, board, move, text);
    cr_expect(len > 0 && len < QP_MOVE_TEXT_MAX && text[len] == '\0', "%s: %s is not spelled in %s",
              name, squares, fen);
    size_t used = qp_lex_move(qp_context_lexer(context), text, len, &written);
    cr_expect(used == len, "%s: of %s, %zu of %zu bytes are read as a move", name, text, used,
              len);
    if (used != len)
        return;
    size_t count = qp_resolve(board, &written, base_of(name), moves, &pick);
    for (size_t i = 0; i < count; i++)
        found = found || moves[i] == move;
    bool school = is_school(name, text);
    cr_expect(found || (school && strcmp(name, "wxf") != 0), "%s: %s does not give %s in %s (%zu others)", name, text, squares, fen,
              count);
    cr_expect(count == 1 || is_brief(name), "%s: %s gives %zu moves in %s", name, text, count,
              fen);
    cr_expect(pick == 0 || (school && pick == QP_PICK_WXF_SCHEME), "%s: %s is spelled in an unusual way in %s (%u)", name, text, fen, pick);
}

static void check_position(const qp_context *context, const qp_board *board)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, moves);
    const qp_notation *notation;
    for (size_t n = 0; (notation = qp_notation_at(context, n)) != NULL; n++)
        for (size_t i = 0; qp_notation_writes(notation) && i < count; i++)
            check_spelling(context, notation, board, moves[i]);
}

/* Pawns and other pieces doubled, tripled and more on files: what games seldom show. */
static void scatter(gen_random *random, qp_board *board)
{
    memset(board, 0, sizeof *board);
    board->round = 1;
    board->side = (uint8_t)gen_below(random, 2);
    board->at[QP_SQUARE(4, 0)] = QP_PIECE(QP_RED, QP_KING);
    board->at[QP_SQUARE(3, 9)] = QP_PIECE(QP_BLACK, QP_KING);
    for (int side = 0; side < 2; side++) {
        int files = 1 + (int)gen_below(random, 3), left = (int)gen_below(random, 7);
        for (int i = 0; i < 5; i++) {
            int file = left + (int)gen_below(random, (unsigned)files);
            int rank = 5 + (int)gen_below(random, 5);
            qp_square s = QP_SQUARE(file, side == QP_RED ? rank : 9 - rank);
            if (board->at[s] == 0)
                board->at[s] = QP_PIECE(side, QP_PAWN);
        }
        for (int i = 0; i < 6; i++) {
            qp_square s = (qp_square)gen_below(random, QP_SQUARES);
            if (board->at[s] == 0)
                board->at[s] = QP_PIECE(side, QP_HORSE + i / 2);
        }
    }
    qp_rules_set_kings(board);
}

Test(property, moves_spell_and_resolve_to_themselves)
{
    qp_context *context = qp_context_new();
    static const gen_options options = {0};
    qp_arena arena;
    qp_arena_init(&arena);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        qp_game game;
        make_game(seed, &options, &arena, &game);
        qp_board board = game.start;
        for (const qp_node *n = game.first; n != NULL; n = n->next) {
            check_position(context, &board);
            qp_board_play(&board, n->move);
        }
    }
    gen_random random = {42};
    for (int i = 0; i < 300; i++) {
        qp_board board;
        scatter(&random, &board);
        check_position(context, &board);
    }
    qp_arena_clear(&arena);
    qp_context_free(context);
}

/* ---- writing and reading ---- */

static int put(void *user, const void *buffer, size_t size)
{
    qp_buf_add(user, buffer, size);
    return 0;
}

typedef struct input {
    qp_str bytes;
    size_t at;
    gen_random *random; /* NULL: pieces of step bytes */
    size_t step;
} input;

static ptrdiff_t get(void *user, void *buffer, size_t size)
{
    input *in = user;
    size_t step = in->random != NULL ? 1 + gen_below(in->random, 300) : in->step;
    size_t n = in->bytes.len - in->at;
    n = n < step ? n : step;
    n = n < size ? n : size;
    if (n != 0)
        memcpy(buffer, in->bytes.data + in->at, n);
    in->at += n;
    return (ptrdiff_t)n;
}

static void write_game(const qp_context *context, const qp_writer_options *options,
                       const qp_game *game, qp_buf *out)
{
    out->len = 0;
    qp_writer *writer = qp_writer_open(context, put, out, options);
    cr_assert(writer != NULL, "%s cannot be written", options->format);
    cr_expect(qp_writer_put(writer, game) == QP_OK);
    cr_expect(qp_writer_close(writer) == QP_OK);
}

static qp_reader *open_reader(const qp_context *context, input *in, const char *format)
{
    qp_reader_options options = {.format = format};
    qp_reader *reader = qp_reader_open(context, get, in, &options);
    cr_assert(reader != NULL);
    return reader;
}

/* What of a game a format keeps: those of squares and flags have one comment a ply. */
static unsigned carried(const qp_format *format)
{
    bool one = format->binary || strcmp(format->name, "cbf") == 0;
    return qp_format_carries(format) | (one ? GEN_DUMP_ONE_COMMENT : 0u);
}

/* What of a game a way through these formats keeps. */
static unsigned kept(const qp_format *first, const qp_format *second)
{
    unsigned a = carried(first), b = carried(second);
    unsigned both = (a & b) | ((a | b) & GEN_DUMP_ONE_COMMENT);
    unsigned tags = QP_CARRIES_TAGS | QP_CARRIES_FEW_TAGS;
    if ((a & tags) != 0 && (b & tags) != 0 && !(both & QP_CARRIES_TAGS))
        both |= QP_CARRIES_FEW_TAGS;
    return both;
}

static bool usable(const qp_format *format)
{
    return qp_format_reads(format) && qp_format_writes(format) &&
           (qp_format_carries(format) & QP_CARRIES_MOVES);
}

static void expect_same(const qp_game *a, const qp_game *b, unsigned carries, const char *way)
{
    qp_buf first = {0}, second = {0};
    gen_dump_game(a, carries, &first);
    gen_dump_game(b, carries, &second);
    if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0) {
        size_t i = 0;
        while (i < first.len && i < second.len && first.data[i] == second.data[i])
            i++;
        while (i > 0 && first.data[i - 1] != '\n')
            i--;
        cr_expect(false, "%s: '%.*s' became '%.*s'", way,
                  (int)strcspn(first.data + i, "\n"), first.data + i,
                  (int)strcspn(second.data + i, "\n"), second.data + i);
    }
    qp_buf_clear(&first);
    qp_buf_clear(&second);
}

/* Reads one game and no finding of weight. */
static const qp_game *read_back(qp_reader *reader, const char *way)
{
    const qp_game *game = NULL;
    size_t count;
    qp_status status = qp_reader_next(reader, &game);
    const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
    cr_expect(status == QP_OK && game != NULL, "%s: the game is not read back", way);
    for (size_t i = 0; i < count; i++)
        cr_expect(findings[i].severity != QP_ERROR, "%s: %s at line %u: %.*s", way,
                  qp_code_name(findings[i].code), findings[i].line,
                  (int)findings[i].message.len, findings[i].message.data);
    return game;
}

static void expect_end(qp_reader *reader, const char *way)
{
    const qp_game *game = NULL;
    cr_expect(qp_reader_next(reader, &game) == QP_END, "%s: more than one game is read", way);
}

/* original -> first -> second, each read back. */
static void check_way(const qp_context *context, const qp_game *original,
                      const qp_writer_options *first, const qp_writer_options *second)
{
    char way[160];
    qp_buf one = {0}, two = {0};
    const qp_format *a = qp_format_find(first->format), *b = qp_format_find(second->format);
    snprintf(way, sizeof way, "game %u, %s%s%s to %s", original->number, first->format,
             first->notation != NULL ? " in " : "",
             first->notation != NULL ? qp_notation_name(first->notation) : "",
             second->format);
    write_game(context, first, original, &one);
    input from_one = {{one.data, one.len}, 0, NULL, one.len + 1};
    qp_reader *reader = open_reader(context, &from_one, first->format);
    const qp_game *middle = read_back(reader, way);
    if (middle != NULL) {
        expect_same(original, middle, carried(a), way);
        write_game(context, second, middle, &two);
        input from_two = {{two.data, two.len}, 0, NULL, two.len + 1};
        qp_reader *again = open_reader(context, &from_two, second->format);
        const qp_game *last = read_back(again, way);
        if (last != NULL)
            expect_same(original, last, kept(a, b), way);
        expect_end(again, way);
        qp_reader_close(again);
    }
    expect_end(reader, way);
    qp_reader_close(reader);
    qp_buf_clear(&one);
    qp_buf_clear(&two);
}

static const gen_options shapes[] = {
    {.max_plies = 0},
    {.variations = 5, .comments = 10, .nags = 10},
    {.variations = 8, .comments = 30, .nags = 5, .starts = 100, .max_plies = 40},
    {.starts = 100, .max_plies = 2},
};

Test(property, games_written_and_read_are_the_same)
{
    qp_context *context = qp_context_new();
    qp_arena arena;
    const qp_format *a, *b;
    qp_arena_init(&arena);
    for (unsigned i = 0; i < 12; i++) {
        qp_game game;
        make_game(1000 + i, &shapes[i % QP_COUNT(shapes)], &arena, &game);
        game.number = i + 1;
        /* As where nothing but the first move says who begins. */
        game.start_given = game.start_given && i % 8 < 4;
        cr_assert(gen_retag(i, &arena, &game));
        for (size_t f = 0; (a = qp_format_at(f)) != NULL; f++)
            for (size_t g = 0; usable(a) && (b = qp_format_at(g)) != NULL; g++)
                if (usable(b))
                    check_way(context, &game, &(qp_writer_options){.format = qp_format_name(a)},
                              &(qp_writer_options){.format = qp_format_name(b)});
    }
    qp_arena_clear(&arena);
    qp_context_free(context);
}

Test(property, games_in_any_notation_are_the_same)
{
    qp_context *context = qp_context_new();
    qp_arena arena;
    const qp_format *format;
    const qp_notation *notation;
    qp_arena_init(&arena);
    for (unsigned i = 0; i < 12; i++) {
        qp_game game;
        make_game(2000 + i, &shapes[i % QP_COUNT(shapes)], &arena, &game);
        game.number = i + 1;
        for (size_t n = 0; (notation = qp_notation_at(context, n)) != NULL; n++)
            for (size_t f = 0; qp_notation_writes(notation) &&
                               !is_brief(qp_notation_name(notation)) &&
                               (format = qp_format_at(f)) != NULL; f++)
                if (usable(format) && (qp_format_carries(format) & QP_CARRIES_TEXT)) {
                    qp_writer_options options = {.format = qp_format_name(format),
                                                 .notation = notation};
                    check_way(context, &game, &options, &options);
                }
    }
    qp_arena_clear(&arena);
    qp_context_free(context);
}

/* Games in one file: as many come back, each the same. */
static void check_file(const qp_context *context, const qp_format *format, unsigned turn)
{
    enum { GAMES = 6 };
    static qp_arena arenas[GAMES];
    char way[160];
    qp_game games[GAMES];
    qp_buf file = {0};
    qp_writer_options options = {.format = qp_format_name(format)};
    qp_writer *writer = qp_writer_open(context, put, &file, &options);
    cr_assert(writer != NULL);
    for (unsigned i = 0; i < GAMES; i++) {
        qp_arena_init(&arenas[i]);
        make_game(4000 + turn * GAMES + i, &shapes[(turn + i) % QP_COUNT(shapes)], &arenas[i],
                  &games[i]);
        games[i].number = i + 1;
        cr_expect(qp_writer_put(writer, &games[i]) == QP_OK);
    }
    cr_expect(qp_writer_close(writer) == QP_OK);
    input in = {{file.data, file.len}, 0, NULL, 1000};
    qp_reader *reader = open_reader(context, &in, options.format);
    for (unsigned i = 0; i < GAMES; i++) {
        snprintf(way, sizeof way, "%s, game %u of %u, turn %u", options.format, i + 1, GAMES,
                 turn);
        const qp_game *game = read_back(reader, way);
        if (game != NULL)
            expect_same(&games[i], game, carried(format), way);
        qp_arena_clear(&arenas[i]);
    }
    expect_end(reader, way);
    qp_reader_close(reader);
    qp_buf_clear(&file);
}

Test(property, games_of_one_file_stay_apart)
{
    qp_context *context = qp_context_new();
    const qp_format *format;
    for (unsigned turn = 0; turn < 8; turn++)
        for (size_t f = 0; (format = qp_format_at(f)) != NULL; f++)
            if (usable(format) && !format->single)
                check_file(context, format, turn);
    qp_context_free(context);
}

/* ---- damaged files ---- */

/* Damage as copying, scanning and bad disks do it. */
static void damage(gen_random *random, qp_buf *text)
{
    unsigned times = gen_below(random, 5);
    for (unsigned i = 0; i < times && text->len > 8; i++) {
        size_t at = gen_below(random, (unsigned)text->len - 4);
        size_t some = 1 + gen_below(random, 40);
        some = some < text->len - at ? some : text->len - at;
        switch (gen_below(random, 5)) {
        case 0:
            text->data[at] = (char)gen_below(random, 256);
            break;
        case 1:
            memmove(text->data + at, text->data + at + some, text->len - at - some);
            text->len -= some;
            break;
        case 2:
            if (qp_buf_reserve(text, some)) {
                memmove(text->data + at + some, text->data + at, text->len - at);
                text->len += some;
            }
            break;
        case 3:
            text->data[at] = "(){}[]\"$*.;\r\n<>"[gen_below(random, 15)];
            break;
        default:
            if (gen_below(random, 4) == 0)
                text->len = at;
        }
    }
}

static uint32_t newlines(qp_str bytes, uint64_t upto)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < upto; i++)
        count += bytes.data[i] == '\n';
    return count;
}

/* Whether the findings lie in the file, and on the lines that they name. */
static void check_places(const qp_finding *findings, size_t count, qp_str bytes, bool bytewise,
                         const char *way)
{
    for (size_t i = 0; i < count; i++) {
        const qp_finding *f = &findings[i];
        cr_expect(f->byte <= f->byte_end && f->byte_end <= bytes.len,
                  "%s: %s spans %llu to %llu of %zu", way, qp_code_name(f->code),
                  (unsigned long long)f->byte, (unsigned long long)f->byte_end, bytes.len);
        cr_expect((f->line == 0) == (f->column == 0), "%s: %s at line %u, column %u", way,
                  qp_code_name(f->code), f->line, f->column);
        if (bytewise && f->line != 0 && f->byte <= bytes.len)
            cr_expect(f->line == 1 + newlines(bytes, f->byte), "%s: %s at byte %llu, line %u",
                      way, qp_code_name(f->code), (unsigned long long)f->byte, f->line);
        cr_expect(f->code > QP_D_none && f->code < QP_CODE_COUNT && f->message.len != 0,
                  "%s: %s has no message", way, qp_code_name(f->code));
    }
}

static void read_all(const qp_context *context, input *in, const char *format, bool bytewise,
                     const char *way, qp_buf *out)
{
    qp_reader_options options = {.format = format};
    qp_reader *reader = qp_reader_open(context, get, in, &options);
    cr_assert(reader != NULL);
    for (;;) {
        const qp_game *game = NULL;
        size_t count;
        qp_status status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_check(reader, NULL, NULL, &count);
        check_places(findings, count, in->bytes, bytewise, way);
        qp_buf_add_number(out, status);
        qp_buf_add_char(out, '\n');
        gen_dump_findings(findings, count, out);
        if (game != NULL)
            gen_dump_game(game, GEN_DUMP_ALL, out);
        if (status == QP_END || status == QP_FATAL)
            break;
    }
    qp_reader_close(reader);
}

static void expect_equal(const qp_buf *a, const qp_buf *b, const char *way)
{
    size_t i = 0;
    if (a->len == b->len && memcmp(a->data, b->data, a->len) == 0)
        return;
    while (i < a->len && i < b->len && a->data[i] == b->data[i])
        i++;
    while (i > 0 && a->data[i - 1] != '\n')
        i--;
    cr_expect(false, "%s: in one piece '%.*s', else '%.*s'", way,
              (int)(a->len - i < 120 ? a->len - i : 120), a->data + i,
              (int)(b->len - i < 120 ? b->len - i : 120), b->data + i);
}

static void check_pieces(const qp_context *context, qp_str bytes, const char *format,
                         bool bytewise, gen_random *random, const char *way)
{
    qp_buf whole = {0}, other = {0};
    input one = {bytes, 0, NULL, bytes.len + 1};
    input single = {bytes, 0, NULL, 1};
    input chunks = {bytes, 0, random, 0};
    read_all(context, &one, format, bytewise, way, &whole);
    read_all(context, &single, format, bytewise, way, &other);
    expect_equal(&whole, &other, way);
    other.len = 0;
    read_all(context, &chunks, format, bytewise, way, &other);
    expect_equal(&whole, &other, way);
    qp_buf_clear(&whole);
    qp_buf_clear(&other);
}

static const struct {
    const char *name;
    const char *notation;
    bool bytewise; /* a byte 10 is always a line end */
} encodings[] = {
    {"UTF-8", NULL, true},
    {"GB18030", NULL, true},
    {"BIG5", "chinese-traditional", true},
    {"UTF-16LE", NULL, false},
    {"UTF-16BE", "wxf", false},
};

/* Three games in a file, damaged, in each format and encoding. */
static void check_damaged(const qp_context *context, const qp_format *format, unsigned kind,
                          unsigned turn)
{
    char way[120];
    qp_buf text = {0};
    qp_arena arena;
    const char *name = qp_format_name(format);
    qp_writer_options options = {.format = name, .encoding = encodings[kind].name};
    gen_random random = {turn * 64 + kind};
    if (encodings[kind].notation != NULL && (qp_format_carries(format) & QP_CARRIES_TEXT))
        options.notation = qp_notation_find(context, encodings[kind].notation);
    qp_arena_init(&arena);
    snprintf(way, sizeof way, "%s in %s, turn %u", name, encodings[kind].name, turn);
    qp_writer *writer = qp_writer_open(context, put, &text, &options);
    cr_assert(writer != NULL);
    for (unsigned i = 0; i < 3; i++) {
        qp_game game;
        gen_options shape = shapes[(turn + i) % QP_COUNT(shapes)];
        shape.max_plies = 30;
        make_game(turn * 8 + i, &shape, &arena, &game);
        qp_writer_put(writer, &game);
    }
    cr_expect(qp_writer_close(writer) == QP_OK);
    if (turn > 0)
        damage(&random, &text);
    bool bytewise =
        encodings[kind].bytewise && memchr(text.data, '\r', text.len) == NULL && turn == 0;
    qp_str bytes = {text.data, text.len};
    check_pieces(context, bytes, name, bytewise, &random, way);
    check_pieces(context, bytes, NULL, bytewise, &random, way);
    qp_arena_clear(&arena);
    qp_buf_clear(&text);
}

Test(property, pieces_do_not_matter_and_findings_lie_in_the_file)
{
    qp_context *context = qp_context_new();
    const qp_format *format;
    for (size_t f = 0; (format = qp_format_at(f)) != NULL; f++)
        for (unsigned kind = 0; kind < QP_COUNT(encodings); kind++)
            for (unsigned turn = 0; turn < 6; turn++)
                if (qp_format_reads(format) && qp_format_writes(format))
                    check_damaged(context, format, kind, turn);
    qp_context_free(context);
}
