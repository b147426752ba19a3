/* The fast ways through the library against the general ones: a step on a track is what the
 * search for moves and the rules of legality say; rounds read in one go, and the plies played
 * from them, are what reading and playing them one by one gives. Over games from fixed seeds,
 * and over their text with all kinds of damage. */
#include "config.h"

#include "format/format.h"
#include "gen/gen.h"
#include "rules/course.h"
#include "rules/step.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static gen_player player;

static void make_game(uint64_t seed, const gen_options *options, qp_arena *arena,
                      qp_game *game)
{
    if (player.worth[QP_PIECE(QP_RED, QP_ROOK)][0] == 0)
        gen_player_init(&player);
    qp_arena_rewind(arena);
    cr_assert(gen_game(&player, seed, options, arena, game));
}

/* ---- steps ---- */

static bool same_state(const qp_board *a, const qp_board *b)
{
    return qp_board_same(a, b) && memcmp(a->king, b->king, sizeof a->king) == 0 &&
           a->quiet == b->quiet && a->round == b->round;
}

static void count_step(qp_board *board, const qp_undo *undo)
{
    if (board->side == QP_RED)
        qp_step_count(board, undo->taken, QP_RED);
    else
        qp_step_count(board, undo->taken, QP_BLACK);
}

/* Plays a move by either way, and takes it back on the track. */
static void check_played(const qp_board *before, const qp_board *played, qp_move move,
                         qp_track *track, const qp_track *kept, const char *fen)
{
    qp_board want = *before;
    qp_track fresh;
    qp_undo undo;
    qp_rules_make_legal(&want, move, &undo);
    cr_expect(same_state(&want, played), "%s: move %u is played otherwise", fen, move);
    cr_expect(qp_track_set(&fresh, played), "%s: no track behind move %u", fen, move);
    for (unsigned i = 0; i < QP_COUNT(track->column); i++)
        track->column[i][QP_TRACK_NONE] = 0;
    for (unsigned i = 0; i < QP_COUNT(track->row); i++)
        track->row[i][QP_TRACK_NONE] = 0;
    cr_expect(memcmp(&fresh, track, sizeof fresh) == 0, "%s: the track loses move %u", fen,
              move);
    qp_track_undo(track, move, want.at[QP_TO(move)], undo.taken);
    cr_expect(memcmp(track->king, kept->king, sizeof kept->king) == 0, "%s: the king strays",
              fen);
}

static void check_words(const qp_board *board, const qp_track *kept, const qp_stride *strides,
                        const char *fen)
{
    for (unsigned number = 1; number < QP_STRIDES; number++) {
        qp_written w = {.form = QP_FORM_PIECE_ROAD};
        w.arg = (uint8_t)((number - 1) % 9 + 1);
        w.road = (uint8_t)((number - 1) / 9 % 9 + 1);
        w.way = (uint8_t)((number - 1) / 81 % 3 + QP_WAY_FORWARD);
        w.kind = (uint8_t)((number - 1) / 243 + QP_KING);
        cr_assert(qp_stride_number(&w) == number);
        qp_board after = *board;
        qp_track track = *kept;
        qp_undo undo;
        qp_move moves[8];
        unsigned pick;
        qp_move move = board->side == QP_RED
                           ? qp_step_stride(&track, &after, &strides[number], &undo, QP_RED)
                           : qp_step_stride(&track, &after, &strides[number], &undo, QP_BLACK);
        size_t count = qp_resolve(board, &w, QP_BASE_ZERO, moves, &pick);
        if (move != 0) {
            count_step(&after, &undo);
            cr_expect(count == 1 && moves[0] == move && (pick & ~(unsigned)QP_PICK_ORDER_MISSING) == 0,
                      "%s: kind %u road %u way %u %u is not move %u", fen, w.kind, w.road,
                      w.way, w.arg, move);
            check_played(board, &after, move, &track, kept, fen);
            continue;
        }
        cr_expect(memcmp(&after, board, sizeof after) == 0, "%s: %u leaves its mark", fen,
                  number);
        unsigned bits = kept->column[QP_ROAD_FILE(board->side, w.road) + QP_TRACK_MARGIN]
                                    [QP_PIECE(board->side, w.kind)];
        cr_expect(count == 0 || (bits & (bits - 1)) != 0, "%s: move %u is missed", fen,
                  moves[0]);
    }
}

static void check_squares(const qp_board *board, const qp_track *kept, const qp_pace *paces,
                          const char *fen)
{
    for (unsigned from = 0; from < QP_SQUARES; from++)
        for (unsigned to = 0; to < QP_SQUARES; to++) {
            qp_move move = QP_MOVE(from, to);
            qp_board after = *board;
            qp_track track = *kept;
            qp_undo undo;
            bool played =
                (board->side == QP_RED
                     ? qp_step_pace(&track, &after, &paces[move], move, &undo, QP_RED)
                     : qp_step_pace(&track, &after, &paces[move], move, &undo, QP_BLACK)) != 0;
            bool legal = board->at[from] != 0 && qp_rules_legal(board, move);
            cr_expect(played == legal, "%s: from %u to %u", fen, from, to);
            if (played && legal) {
                count_step(&after, &undo);
                check_played(board, &after, move, &track, kept, fen);
            } else {
                cr_expect(memcmp(&after, board, sizeof after) == 0, "%s: %u leaves its mark",
                          fen, move);
            }
        }
}

Test(paths, steps_are_moves)
{
    static qp_stride strides[2][QP_STRIDES];
    static qp_pace paces[QP_SQUARES << 7];
    static const gen_options options = {0};
    qp_arena arena;
    unsigned tracked = 0;
    qp_arena_init(&arena);
    for (unsigned side = QP_RED; side <= QP_BLACK; side++)
        for (unsigned number = 1; number < QP_STRIDES; number++)
            qp_stride_fill(&strides[side][number], (qp_side)side, number);
    for (unsigned from = 0; from < QP_SQUARES; from++)
        for (unsigned to = 0; to < QP_SQUARES; to++)
            qp_pace_make(&paces[QP_MOVE(from, to)], QP_MOVE(from, to));
    for (uint64_t seed = 1; seed <= 6; seed++) {
        qp_game game;
        make_game(seed, &options, &arena, &game);
        qp_board board = game.start;
        for (const qp_node *n = game.first; n != NULL; n = n->next) {
            char fen[QP_FEN_MAX];
            qp_track track;
            qp_fen_write(&board, fen);
            if (qp_track_set(&track, &board)) {
                tracked++;
                check_words(&board, &track, strides[board.side], fen);
                check_squares(&board, &track, paces, fen);
            }
            qp_board_play(&board, n->move);
        }
    }
    cr_expect(tracked > 200, "only %u positions had a track", tracked);
    qp_arena_clear(&arena);
}

/* ---- games played forward ---- */

static bool same_course(const qp_course_state *a, const qp_course_state *b, bool places)
{
    bool same = memcmp(a->line, b->line, sizeof a->line) == 0 && a->red_sum == b->red_sum &&
                a->black_sum == b->black_sum &&
                memcmp(a->board.at, b->board.at, sizeof a->board.at) == 0;
    for (unsigned i = 0; same && places && i < QP_PLACES; i++)
        same = i % 16 == 0 || a->place[i] == b->place[i]; /* of no piece it says nothing */
    return same;
}

/* Whether a step that the course allows, and has played, is what a track makes of it. */
static void check_course_played(qp_course *course, bool played, const qp_course_step *step,
                                const qp_board *before, const qp_board *after, qp_move move,
                                bool places, const char *what, const char *fen)
{
    bool sound = played && qp_course_safe(course, (qp_side)before->side);
    cr_expect(sound == (move != 0), "%s: %s is move %u", fen, what, move);
    if (!sound || move == 0)
        return;
    qp_course_state want;
    qp_course_set(course, &want, after);
    cr_expect(QP_MOVE(step->from, step->to) == move && step->taken == before->at[QP_TO(move)],
              "%s: %s is another move than %u", fen, what, move);
    cr_expect(same_course(&course->now, &want, places), "%s: %s is lost", fen, what);
}

static bool play_pace(qp_course *course, const qp_course_pace *pace, qp_course_step *step,
                      qp_side side, bool places)
{
    return side == QP_RED ? qp_course_pace_play(course, pace, step, QP_RED, places)
                          : qp_course_pace_play(course, pace, step, QP_BLACK, places);
}

static void check_course(qp_course *course, const qp_board *board, const qp_track *track,
                         const qp_stride *strides, const qp_pace *paces, const char *fen)
{
    const qp_side side = (qp_side)board->side;
    qp_course_state before = course->now;
    for (unsigned number = 1; number < QP_STRIDES; number++) {
        qp_course_stride stride;
        qp_course_step step = {0};
        qp_board after = *board;
        qp_track moved = *track;
        qp_undo undo;
        qp_course_stride_make(course, &stride, &strides[number]);
        unsigned all = before.place[stride.from_place];
        unsigned place = qp_course_only(course, &stride, side);
        bool red = side == QP_RED;
        cr_expect(place == 0 || place == all || all - place >= QP_PLACE,
                  "%s: of %u, %u is alone", fen, all, place);
        bool played = red ? qp_course_stride_play(course, &stride, place, all - place, &step, QP_RED)
                          : qp_course_stride_play(course, &stride, place, all - place, &step,
                                                  QP_BLACK);
        qp_move move = red ? qp_step_stride(&moved, &after, &strides[number], &undo, QP_RED)
                           : qp_step_stride(&moved, &after, &strides[number], &undo, QP_BLACK);
        check_course_played(course, played, &step, board, &after, move, true, "a word", fen);
        if (!played)
            cr_expect(memcmp(&course->now, &before, sizeof before) == 0, "%s: %u leaves its mark",
                      fen, number);
        course->now = before;
    }
    for (unsigned from = 0; from < QP_SQUARES; from++)
        for (unsigned to = 0; to < QP_SQUARES; to++) {
            qp_move move = QP_MOVE(from, to);
            qp_course_pace pace;
            qp_course_step step = {0};
            qp_board after = *board;
            qp_track moved = *track;
            qp_undo undo;
            qp_course_pace_make(&pace, move);
            bool played = play_pace(course, &pace, &step, side, (from + to) % 2);
            qp_move is = side == QP_RED
                             ? qp_step_pace(&moved, &after, &paces[move], move, &undo, QP_RED)
                             : qp_step_pace(&moved, &after, &paces[move], move, &undo, QP_BLACK);
            check_course_played(course, played, &step, board, &after, is, (from + to) % 2,
                                "a pair of squares", fen);
            course->now = before;
        }
    bool on = qp_course_moves_on(course, side);
    cr_expect(!on || qp_rules_can_move(board), "%s: there is no move", fen);
}

/* Games that wander, so that kings leave their squares and are checked all the time: any legal
 * move, but often one that gives check. */
static qp_move wander(gen_random *random, const qp_board *board)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_rules_legal_moves(board, moves);
    for (unsigned i = 0; i < 24 && count != 0; i++) {
        qp_move move = moves[gen_below(random, (unsigned)count)];
        qp_board after = *board;
        qp_board_play(&after, move);
        if (i == 23 || gen_below(random, 16) == 0 ||
            qp_board_in_check(&after, (qp_side)after.side))
            return move;
    }
    return 0;
}

Test(paths, courses_are_tracks, .timeout = 120)
{
    static qp_stride strides[2][QP_STRIDES];
    static qp_pace paces[QP_SQUARES << 7];
    static qp_course course;
    gen_random random = {7};
    unsigned checks = 0, doubled = 0;
    qp_course_init(&course);
    for (unsigned side = QP_RED; side <= QP_BLACK; side++)
        for (unsigned number = 1; number < QP_STRIDES; number++)
            qp_stride_fill(&strides[side][number], (qp_side)side, number);
    for (unsigned from = 0; from < QP_SQUARES; from++)
        for (unsigned to = 0; to < QP_SQUARES; to++)
            qp_pace_make(&paces[QP_MOVE(from, to)], QP_MOVE(from, to));
    for (unsigned game = 0; game < 6; game++) {
        qp_board board;
        qp_move move;
        qp_board_start(&board);
        course.now = course.start;
        for (unsigned ply = 0; ply < 150 && (move = wander(&random, &board)) != 0; ply++) {
            const qp_side side = (qp_side)board.side;
            char fen[QP_FEN_MAX];
            qp_track track;
            qp_course_pace pace;
            qp_course_step step;
            qp_fen_write(&board, fen);
            cr_assert(qp_track_set(&track, &board));
            if (ply % 3 == game % 3)
                check_course(&course, &board, &track, strides[side], paces, fen);
            checks += qp_board_in_check(&board, side);
            for (unsigned i = 0; i < QP_PLACES; i++)
                doubled += i % 16 != 0 && course.now.place[i] >= 2 * QP_PLACE;
            qp_course_pace_make(&pace, move);
            cr_assert(play_pace(&course, &pace, &step, side, true), "%s: %u", fen, move);
            qp_board_play(&board, move);
        }
    }
    cr_expect(checks > 30 && doubled > 30, "%u checks, %u doubled pieces", checks, doubled);
}

Test(paths, boards_without_a_track)
{
    static const char *const fens[] = {
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/3K5/4K4 w - - 0 1",
        "9/9/9/4k4/9/9/9/9/9/3K5 w - - 0 1",
    };
    for (size_t i = 0; i < QP_COUNT(fens); i++) {
        qp_board board;
        qp_fen_report report;
        qp_track track;
        qp_fen_read(qp_str_of(fens[i]), &board, &report);
        cr_expect(!qp_track_set(&track, &board), "%s", fens[i]);
    }
}

/* Whether a rook, cannon or pawn of the side to move can go one step ahead. */
static bool steps_ahead(const qp_board *board)
{
    for (unsigned from = 0; from < QP_SQUARES; from++) {
        qp_kind kind = QP_PIECE_KIND(board->at[from]);
        unsigned to = from + (unsigned)(9 * QP_FORWARD((qp_side)board->side));
        if ((kind == QP_ROOK || kind == QP_CANNON || kind == QP_PAWN) && to < QP_SQUARES &&
            qp_rules_legal(board, QP_MOVE(from, to)))
            return true;
    }
    return false;
}

/* Of boards with pieces thrown on them, few and many. */
Test(paths, courses_move_on)
{
    static qp_course course;
    unsigned sure = 0, steps = 0;
    uint64_t random = 1;
    qp_course_init(&course);
    for (unsigned i = 0; i < 40000; i++) {
        qp_board board = {.side = i & 1};
        char fen[QP_FEN_MAX];
        for (unsigned k = 0; k < 2 + i % 24; k++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            board.at[(random >> 33) % QP_SQUARES] =
                (qp_piece)QP_PIECE(random >> 50 & 1, QP_ADVISOR + (random >> 55) % 6);
        }
        board.at[3 + random % 3 + random / 3 % 3 * 9] = QP_PIECE(QP_RED, QP_KING);
        board.at[66 + random / 9 % 3 + random / 27 % 3 * 9] = QP_PIECE(QP_BLACK, QP_KING);
        qp_rules_set_kings(&board);
        qp_course_set(&course, &course.now, &board);
        bool moves_on = qp_course_moves_on(&course, (qp_side)board.side);
        qp_fen_write(&board, fen);
        sure += moves_on;
        steps += moves_on || steps_ahead(&board);
        cr_expect(!moves_on || steps_ahead(&board), "%s", fen);
    }
    cr_expect(sure > steps / 2, "%u of %u are known", sure, steps);
}

/* Steps ahead that let a horse at the king, and such as do not. */
Test(paths, steps_that_open_a_line)
{
    static const char *const fens[] = {
        "3k5/9/9/9/9/9/2nP5/4K4/9/9 w - - 0 1", "4k4/9/9/9/9/9/4P4/9/4K4/9 w - - 0 1",
        "4k4/4r4/9/9/9/9/4c4/4P4/4K4/9 w - - 0 1", "9/9/4k4/3p5/9/3R5/9/9/9/3K5 b - - 0 1",
        "9/9/4k4/5pN2/9/9/9/9/9/3K5 b - - 0 1", "3k5/9/9/9/9/9/2nR5/4K4/9/9 w - - 0 1",
        "9/9/4k4/5cN2/9/9/9/9/9/3K5 b - - 0 1", "4k4/9/9/9/9/9/1nP6/3K5/9/9 w - - 0 1",
        "9/9/5k3/6pN1/9/9/9/9/9/3K5 b - - 0 1",
    };
    for (size_t i = 0; i < QP_COUNT(fens); i++) {
        static qp_course course;
        qp_board board;
        qp_fen_report report;
        qp_fen_read(qp_str_of(fens[i]), &board, &report);
        if (i == 0)
            qp_course_init(&course);
        qp_course_set(&course, &course.now, &board);
        cr_expect(!qp_course_moves_on(&course, (qp_side)board.side) || steps_ahead(&board),
                  "%s", fens[i]);
    }
}

/* ---- movetext ---- */

typedef struct a_reading {
    qp_arena arena;
    qp_record record;
    qp_game game;
    qp_mt_stop stop;
    qp_movetext movetext;
} a_reading;

static void read_as(const qp_context *context, qp_str text, qp_lex_memo *memo, a_reading *out)
{
    qp_source source = {.text = text.data, .len = text.len, .ended = true};
    qp_arena_init(&out->arena);
    qp_record_init(&out->record, &out->arena);
    qp_reading reading = {.context = context,
                          .lexer = qp_context_lexer(context),
                          .source = &source,
                          .record = &out->record,
                          .memo = memo,
                          .limit = text.len};
    out->movetext = (qp_movetext){.reading = &reading, .flags = QP_MT_TAGS};
    out->stop = qp_movetext_read(&out->movetext);
    out->record.text = text.data;
    out->record.text_len = text.len;
}

/* Without the numbers of usual moves, the replay asks for each of them. */
static void replay(const qp_context *context, a_reading *r, bool slow)
{
    for (size_t i = 0; slow && i < r->record.event_count; i++)
        if (r->record.events[i].kind == QP_EV_MOVE)
            r->record.events[i].value = 0;
    memset(&r->game, 0, sizeof r->game);
    r->game.format = r->game.encoding = "";
    qp_replay(context, &r->record, &r->game);
}

static void forget(a_reading *r)
{
    qp_record_clear(&r->record);
    qp_arena_clear(&r->arena);
}

static bool same_events(const qp_record *a, const qp_record *b)
{
    bool same = a->event_count == b->event_count;
    for (size_t i = 0; same && i < a->event_count; i++) {
        const qp_event *x = &a->events[i], *y = &b->events[i];
        same = x->kind == y->kind && x->flags == y->flags && x->value == y->value &&
               x->at == y->at && x->len == y->len &&
               (x->kind != QP_EV_MOVE ||
                memcmp(&x->as.written, &y->as.written, sizeof x->as.written) == 0);
    }
    return same;
}

static bool same_reports(const qp_record *a, const qp_record *b)
{
    bool same = a->report_count == b->report_count;
    for (size_t i = 0; same && i < a->report_count; i++) {
        const qp_report *x = &a->reports[i], *y = &b->reports[i];
        same = x->code == y->code && x->at == y->at && x->len == y->len && x->ply == y->ply &&
               qp_str_same(x->message, y->message);
    }
    return same;
}

/* Whether the record may hold what its main line does: counted again from its nodes. */
static bool follows_quiet(const a_reading *r)
{
    qp_board boards[512];
    uint32_t longest = 0, since = 0, plies = 0;
    bool thrice = false;
    boards[0] = r->game.start;
    for (const qp_node *n = r->game.first; n != NULL && plies < r->game.plies; n = n->next) {
        qp_board after = boards[since];
        bool takes = after.at[QP_TO(n->move)] != 0;
        qp_board_play(&after, n->move);
        since = takes ? 0 : since + 1;
        longest = after.quiet > longest ? after.quiet : longest;
        if (since == QP_COUNT(boards))
            return true;
        boards[since] = after;
        unsigned times = 0;
        for (uint32_t i = 0; i <= since; i++)
            times += qp_board_same(&boards[i], &after);
        thrice = thrice || times >= 3;
        plies++;
    }
    return r->record.longest_quiet == longest && (!thrice || r->record.may_repeat);
}

static void compare(const qp_context *context, qp_str text, qp_lex_memo *memo)
{
    a_reading fast, slow;
    read_as(context, text, memo, &fast);
    read_as(context, text, NULL, &slow);
    bool same = fast.stop == slow.stop && fast.movetext.at == slow.movetext.at &&
                fast.movetext.plies == slow.movetext.plies &&
                fast.movetext.good == slow.movetext.good &&
                fast.movetext.result == slow.movetext.result &&
                same_events(&fast.record, &slow.record) &&
                same_reports(&fast.record, &slow.record);
    cr_expect(same, "read otherwise:\n%.*s", (int)text.len, text.data);
    replay(context, &fast, false);
    replay(context, &slow, true);
    qp_buf a = {0}, b = {0};
    gen_dump_game(&fast.game, GEN_DUMP_ALL, &a);
    gen_dump_game(&slow.game, GEN_DUMP_ALL, &b);
    size_t at = 0;
    while (at < a.len && at < b.len && a.data[at] == b.data[at])
        at++;
    same = at == a.len && at == b.len &&
           same_reports(&fast.record, &slow.record) &&
           fast.record.longest_quiet == slow.record.longest_quiet &&
           fast.record.may_repeat == slow.record.may_repeat;
    cr_expect(same, "played otherwise (%zu and %zu reports):\n%.*s\n%.*s\nand\n%.*s",
              fast.record.report_count, slow.record.report_count, (int)text.len, text.data,
              (int)(a.len - at < 160 ? a.len - at : 160), a.data + at,
              (int)(b.len - at < 160 ? b.len - at : 160), b.data + at);
    cr_expect(follows_quiet(&fast), "quiet plies:\n%.*s", (int)text.len, text.data);
    qp_buf_clear(&a);
    qp_buf_clear(&b);
    forget(&fast);
    forget(&slow);
}

static int put(void *user, const void *data, size_t size)
{
    qp_buf_add(user, data, size);
    return 0;
}

/* The movetext of a game, as the writer lays it out. */
static void write_moves(const qp_context *context, const qp_game *game, qp_buf *out)
{
    qp_writer_options options = {.format = "pgn"};
    qp_writer *writer = qp_writer_open(context, put, out, &options);
    qp_writer_put(writer, game);
    qp_writer_close(writer);
    size_t at = 0;
    while (at + 1 < out->len && (out->data[at] != '\n' || out->data[at + 1] != '\n'))
        at++;
    at += at + 2 <= out->len ? 2 : 0;
    memmove(out->data, out->data + at, out->len - at);
    out->len -= at;
}

/* Changes a text in one place. */
static void damage(gen_random *random, qp_buf *text)
{
    static const char *const oddities[] = {
        "",        " ",         "  ",     "\n",       "\n\n",      "\t",      "{注}",  "(",
        ")",       "1. ",       "2.",     "12. ",     "999. ",     "1000. ",  "0. ",   "7... ",
        "…",       "1-0",       "1/2-1/2", "*",       "炮二平五",  "炮８平５", "马８进７", "前车进一",
        "兵五进一", "C2=5",      "h2e2",   "炮",       "。",        "\xEF\xBC\x8E", "[Event \"x\"]\n",
        "%",       ";",         "$1",     "!?",       "\xE3\x80\x80", "\r",   "(炮二平五)",
        "{",       "}",         "帅五进一", "将5进1",   "二平五",    "炮二平", "\xEF\xBF\xBD",
    };
    size_t at = gen_below(random, (unsigned)text->len + 1), cut = 0;
    while (at < text->len && ((unsigned char)text->data[at] & 0xC0) == 0x80)
        at++;
    if (gen_below(random, 2)) /* up to a dozen bytes go, whole characters */
        for (cut = gen_below(random, 13);
             at + cut < text->len && ((unsigned char)text->data[at + cut] & 0xC0) == 0x80;)
            cut++;
    cut = cut < text->len - at ? cut : text->len - at;
    const char *odd = oddities[gen_below(random, QP_COUNT(oddities))];
    qp_buf made = {0};
    qp_buf_add(&made, text->data, at);
    qp_buf_add_text(&made, odd);
    qp_buf_add(&made, text->data + at + cut, text->len - at - cut);
    qp_buf_clear(text);
    *text = made;
}

Test(paths, rounds_are_read_and_played_as_one_by_one)
{
    static const gen_options kinds[] = {{0}, {.variations = 5, .comments = 5, .nags = 2}};
    qp_context *context = qp_context_new();
    qp_lex_memo *memo = calloc(1, sizeof *memo);
    gen_random random = {20};
    qp_arena arena;
    qp_arena_init(&arena);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        qp_game game;
        qp_buf text = {0};
        make_game(seed, &kinds[seed % 2], &arena, &game);
        write_moves(context, &game, &text);
        compare(context, (qp_str){text.data, text.len}, memo);
        for (int i = 0; i < 20 && text.len < 1 << 16; i++) {
            damage(&random, &text);
            compare(context, (qp_str){text.data, text.len}, memo);
        }
        qp_buf_clear(&text);
    }
    qp_arena_clear(&arena);
    free(memo);
    qp_context_free(context);
}

Test(paths, hand_made_rounds)
{
    static const char *const texts[] = {
        "",
        "1. ",
        "1. 炮二平五",
        "1. 炮二平五 炮８平５\n2. 马二进三 马８进７\n",
        "1. 炮二平五 炮８平５\n1. 马二进三 马８进７\n",
        "1. 炮二平五 炮８平５\n\n1. 炮二平五 马８进７\n",
        "1. 炮二平五 炮８平５ 1-0\n1. 马二进三 马８进７\n2. 车一平二 车９平８\n",
        "1. 炮二平五 炮８平５ 1-0 2. 马二进三\n3. 车一平二 车９平８\n",
        "1. 炮二平五 炮８平５\n3. 马二进三 马８进７\n",
        "2. 炮二平五 炮８平５\n1. 马二进三 马８进７\n",
        "1.炮二平五 炮８平５\n2.马二进三 马８进７\n",
        "1. 炮二平五\n炮８平５\n2. 马二进三 马８进７\n",
        " 1. 炮二平五 炮８平５\n  2. 马二进三 马８进７",
        "1. 炮二平五 炮８平５\n% 2. 马二进三\n2. 车一平二\n",
        "1. 炮二平五 炮８平５\n[Event \"x\"]\n2. 车一平二\n",
        "炮二平五炮８平５马二进三马８进７",
        "1. 炮二平五 (1. 马二进三 马８进７\n2. 车一平二) 炮８平５\n2. 马二进三\n",
        ("1. 马二进一 马８进９ 2. 马一退二 马９退８ 3. 马二进一 马８进９ 4. 马一退二 马９退８\n"
         "5. 马二进一 马８进９ 6. 马一退二 马９退８\n"),
        "1. 炮二进四 炮８平５ 2. 炮二平五 炮５进４\n3. 帅五进一 炮５平４ 4. 帅五平六",
    };
    qp_context *context = qp_context_new();
    qp_lex_memo *memo = calloc(1, sizeof *memo);
    for (size_t i = 0; i < QP_COUNT(texts); i++)
        compare(context, qp_str_of(texts[i]), memo);
    free(memo);
    qp_context_free(context);
}
