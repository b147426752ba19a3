/* Replay: a record and the rules make a game. One pass over the events builds the tree and
 * finds, in each line, the first ply that cannot be: what follows from it is not reported.
 *
 * The hot path is a sound ply: resolve, make, one node. All that is rare (ambiguity, errors,
 * comments, variations) is kept out of it.
 */
#include "config.h"

#include "game/replay.h"

#include <stdio.h>
/* ---- findings about a ply ---- */

/* The ply under way in words of its own: of squares their text. */
static qp_str token_of(struct qp_replaying *r)
{
    const qp_event *event = &r->record->events[r->event];
    char text[5];
    if (event->kind != QP_EV_MOVE || event->as.written.form != QP_FORM_SQUARES)
        return r->text;
    qp_move_text(event->as.written.move, text);
    return qp_arena_str(r->record->arena, text, 4);
}

static void about_ply(struct qp_replaying *r, qp_report *report, const qp_frame *f, uint32_t ply)
{
    if (report == NULL)
        return;
    char fen[QP_FEN_MAX];
    size_t len = qp_fen_write(&f->board, fen);
    report->ply = ply;
    report->variation = f->variation;
    report->has_side = true;
    report->side = (qp_side)f->board.side;
    report->token = qp_keep_text(r->record, token_of(r));
    report->fen = qp_arena_str(r->record->arena, fen, len).data;
}

static uint32_t next_ply(const qp_frame *f)
{
    return f->last ? f->last->ply + 1 : f->before ? f->before->ply + 1 : 1;
}

static void report_error(struct qp_replaying *r, qp_frame *f, const qp_event *event,
                         const qp_reason *reason)
{
    uint32_t ply = next_ply(f);
    qp_end end = f->board.king[0] != QP_NO_SQUARE && f->board.king[1] != QP_NO_SQUARE
                     ? qp_board_end(&f->board)
                     : QP_END_NONE;
    qp_report *report;
    if (end != QP_END_NONE) {
        report = qp_record_report(r->record, QP_D_move_after_end, event->at, event->len, NULL,
                                  "the game ended by %s before this move", qp_end_name(end));
    } else {
        report = qp_record_report(r->record, reason->code, event->at, event->len,
                                  reason->detail, "%s", reason->message);
    }
    about_ply(r, report, f, ply);
    if (report != NULL && ply == 1 && r->depth == 0 && qp_start_is_another(r->record))
        report->note = QP_STR("the text does not say at which position the game begins, and "
                              "these are no moves from the usual one");
}

static void ambiguous(const qp_move *moves, size_t count, qp_reason *reason)
{
    reason->code = QP_D_move_ambiguous;
    reason->detail = NULL;
    reason->move = 0;
    reason->at = QP_NO_SQUARE;
    char list[80];
    size_t len = 0;
    for (size_t i = 0; i < count && len + 8 < sizeof list; i++) {
        char text[5];
        qp_move_text(moves[i], text);
        if (i > 0) {
            memcpy(list + len, i + 1 == count ? " or " : ", ", i + 1 == count ? 4 : 2);
            len += i + 1 == count ? 4 : 2;
        }
        memcpy(list + len, text, 4);
        len += 4;
    }
    list[len] = '\0';
    snprintf(reason->message, sizeof reason->message,
             "the move can be %s and nothing decides", list);
}

/* ---- plies ---- */

/* Hangs the first ply of a line where it belongs. */
static QP_APART void begin_line(struct qp_replaying *r, qp_frame *f, qp_node *node)
{
    f->first = node;
    r->lines++;
    if (r->depth == 0) {
        r->game->first = node;
    } else if (qp_keeps_all(r->record)) {
        qp_frame *home = &r->frames[f->owner_frame];
        qp_tree_put_beside(home->sibling_tail ? home->sibling_tail : home->last, node);
        home->sibling_tail = node;
    }
    if (f->pending != NULL) {
        qp_extra *extra;
        qp_set_extra(r->record, node, &extra);
        if (extra != NULL)
            extra->before = f->pending;
        r->places++;
        f->pending = NULL;
    }
}

static QP_APART void report_limit(struct qp_replaying *r, const qp_event *event)
{
    qp_record_report(r->record, QP_D_file_limit, event->at, event->len, "nodes",
                     "more than %u moves in one game: the rest is left out",
                     (unsigned)r->node_limit);
    r->over = true;
}

static inline qp_node *add_node(struct qp_replaying *r, qp_frame *f, const qp_event *event,
                                qp_move move, uint8_t flags)
{
    qp_record *record = r->record;
    if (QP_RARE(r->nodes >= r->node_limit)) {
        report_limit(r, event);
        return NULL;
    }
    qp_node *node = qp_arena_alloc(record->tree, sizeof *node);
    if (QP_RARE(node == NULL))
        return NULL;
    qp_node *prev = f->last ? f->last : f->before;
    r->nodes++;
    *node = (qp_node){.prev = prev,
                      .text = record->text + event->at,
                      .text_len = event->len,
                      .move = move,
                      .flags = flags,
                      .ply = prev ? prev->ply + 1 : 1,
                      .variation = f->variation};
    if (event->as.written.form == QP_FORM_SQUARES)
        qp_set_text(node, (qp_str){"", 0});
    if (QP_RARE(r->text.data != NULL))
        qp_set_text(node, r->text);
    if (QP_RARE(record->open) && (r->depth == 0 || qp_keeps_all(record)))
        qp_set_text(node, qp_keep_text(record, qp_node_text(node)));
    if (QP_LIKELY_TO(f->last != NULL))
        f->last->next = node;
    else
        begin_line(r, f, node);
    f->last = node;
    f->after_tail = NULL;
    f->sibling_tail = NULL;
    return node;
}

/* The sound part of the main line ends before this ply. */
static void main_line_breaks(struct qp_replaying *r, const qp_frame *f)
{
    if (r->depth == 0 && r->game->legal) {
        r->game->legal = false;
        r->game->plies = f->last ? f->last->ply : 0;
        r->game->final = f->board;
    }
}

/* A ply that is wrong by itself, or stands behind one in its line. */
static void bad_move(struct qp_replaying *r, qp_frame *f, const qp_event *event, qp_reason *reason)
{
    bool follows = f->bad;
    uint8_t flags = follows ? QP_NODE_AFTER_ERROR : 0;
    qp_move move = reason->move;
    if (!follows && !(event->flags & QP_EV_REPORTED))
        report_error(r, f, event, reason);
    main_line_breaks(r, f);
    if (move == 0)
        flags |= QP_NODE_UNREADABLE;
    else if (!f->lost)
        flags |= QP_NODE_ILLEGAL;
    qp_node *node = add_node(r, f, event, move, flags);
    f->was_bad = f->bad;
    f->was_lost = f->lost;
    f->bad = true;
    f->played = false;
    f->tracked = QP_NEVER_TRACKED;
    if (node == NULL)
        return;
    if (!follows && !f->inside && r->record->verbatim)
        qp_rest_begin(&f->rest, node, event->at);
    if (move != 0 && !f->lost && f->board.at[QP_FROM(move)] != 0) {
        qp_rules_make(&f->board, move, &f->undo);
        f->played = true;
    } else {
        f->lost = true;
        f->board.side ^= 1;
    }
}

/* None or several moves fit: the one that the line decides for, or 0 and a bad ply. */
static qp_move unclear_move(struct qp_replaying *r, qp_frame *f, const qp_event *event,
                            const qp_move *moves, size_t count)
{
    const qp_written *written = &event->as.written;
    qp_reason reason = {.code = QP_D_move_unreadable, .at = QP_NO_SQUARE};
    if (count > 1 && !f->bad) {
        unsigned left = r->look_left;
        qp_move pick = qp_look_ahead(r->record, &f->board, r->base, r->event, moves,
                                     count, &left, &r->starved);
        if (QP_RARE(r->starved))
            return 0;
        r->look_left = left;
        if (pick != 0)
            return pick;
        ambiguous(moves, count, &reason);
    } else if (f->lost) { /* no board to judge it by: its squares are all that is known */
        reason.move = written->form == QP_FORM_SQUARES ? written->move
                      : written->form == QP_FORM_COORD ? qp_coord_move(written, r->base)
                                                       : 0;
    } else if (written->form == QP_FORM_NONE) {
        memcpy(reason.message, "no notation known reads this", 29);
    } else {
        qp_resolve_why(&f->board, written, r->base, &reason);
    }
    bad_move(r, f, event, &reason);
    return 0;
}

/* A ply that is not one legal move: moves[0] gets the one it is all the same. false: there
 * is none, and the ply was kept as a bad one. */
static QP_APART bool settle_move(struct qp_replaying *r, qp_frame *f, const qp_event *event,
                                 qp_move moves[8], size_t count)
{
    moves[0] = unclear_move(r, f, event, moves, count);
    if (moves[0] == 0) {
        if (!r->starved)
            r->text = (qp_str){0};
        return false;
    }
    if (!f->bad) {
        char square[5];
        qp_move_text(moves[0], square);
        about_ply(r,
                  qp_record_report(r->record, QP_D_notation_style, event->at, event->len,
                                   event->as.written.way == QP_WAY_NONE
                                       ? "way-missing"
                                       : "order-word-missing",
                                   "%s; those that follow decide for %s",
                                   event->as.written.way == QP_WAY_NONE
                                       ? "the move has no direction"
                                       : "two pieces can make the move",
                                   square),
                  f, next_ply(f));
    }
    return true;
}

/* Sets the frame's track up; false where its board can have none. */
static QP_APART bool begin_track(struct qp_replaying *r, qp_frame *f)
{
    if (f->tracked == QP_NOT_TRACKED)
        f->tracked = qp_kept_track(r->kept, &r->kept->tracks[r->depth], &f->board)
                         ? QP_TRACKED
                         : QP_NEVER_TRACKED;
    return f->tracked == QP_TRACKED;
}

/* A ply of any kind; false where it was kept as a bad one. */
static bool play_move(struct qp_replaying *r, qp_frame *f, const qp_event *event,
                                qp_move *move)
{
    const qp_written *written = &event->as.written;
    qp_track *track = &r->kept->tracks[r->depth];
    qp_move moves[8];
    unsigned pick = 0;
    if (QP_RARE(r->others != 0)) {
        bool others = r->others == r->event && !f->bad;
        r->others = 0;
        if (others) {
            qp_reason reason;
            qp_ply_absent_why(r, event, &reason);
            bad_move(r, f, event, &reason);
            r->text = (qp_str){0};
            return false;
        }
    }
    if (!f->lost && (f->tracked == QP_TRACKED || begin_track(r, f))) {
        *move = f->board.side == QP_RED
                    ? qp_play_tracked(r->kept, track, r->base, f, event, QP_RED)
                    : qp_play_tracked(r->kept, track, r->base, f, event, QP_BLACK);
        if (*move != 0)
            return true;
    }
    size_t count = written->form == QP_FORM_NONE || f->lost
                       ? 0
                       : qp_resolve(&f->board, written, r->base, moves, &pick);
    if (count != 1 && !settle_move(r, f, event, moves, count))
        return false;
    *move = moves[0];
    qp_rules_make_legal(&f->board, moves[0], &f->undo);
    if (f->tracked == QP_TRACKED)
        qp_track_move(track, moves[0], f->board.at[QP_TO(moves[0])], f->undo.taken);
    return true;
}

/* A sound ply of the main line. */
static void follow(struct qp_replaying *r, const qp_frame *f, qp_move move)
{
    r->thrice |=
        !qp_quiet_follow(&r->quiet, r->kept, f->board.at[QP_TO(move)], move, f->undo.taken);
    if (f->board.quiet > r->longest_quiet)
        r->longest_quiet = f->board.quiet;
}

static void take_move(struct qp_replaying *r, const qp_event *event)
{
    qp_frame *f = r->top;
    const qp_written *written = &event->as.written;
    qp_move move;
    /* Only a line that has a ply is one: of others words are left, as comments, which another
     * format may hold without parentheses. */
    if (r->depth != 0 && f->last == NULL && f->variation == 0)
        f->variation = ++r->variations;
    if (!play_move(r, f, event, &move))
        return;
    qp_node *node = add_node(r, f, event, move, f->bad ? QP_NODE_AFTER_ERROR : 0);
    r->text = (qp_str){0};
    if (QP_RARE(node == NULL)) {
        f->bad = f->lost = true;
        return;
    }
    f->played = true;
    f->was_bad = f->bad;
    f->was_lost = f->lost;
    if (r->depth == 0) {
        if (QP_LIKELY_TO(!f->bad))
            follow(r, f, move);
        r->dialects[written->form == QP_FORM_SQUARES ? QP_NO_DIALECT : written->dialect]++;
        r->traditional += written->style / QP_STYLE_TRADITIONAL & 1;
    }
}

/* ---- numbers ---- */

/* The next round number of the main line that stands near behind the current one, 0 for none. */
static unsigned number_ahead(const struct qp_replaying *r)
{
    enum { LOOK = 24 };
    const qp_record *record = r->record;
    for (size_t i = r->event + 1; i < record->event_count && i < r->event + LOOK; i++) {
        const qp_event *e = &record->events[i];
        if (e->kind == QP_EV_VAR_OPEN)
            return 0;
        if (e->kind == QP_EV_NUMBER && e->value != 0)
            return e->value;
    }
    return 0;
}

/* Whether a round number stands right before the current one, without a move of its own. */
static bool empty_before(const struct qp_replaying *r)
{
    const qp_event *e = &r->record->events[r->event];
    return r->event > 0 && e[-1].kind == QP_EV_NUMBER && e[-1].value != 0 &&
           e[-1].value + 1 == e->value;
}

/* Reports a number that is not the expected one. false: it alone is wrong, those behind it
 * count on as before. */
static bool odd_number(struct qp_replaying *r, const qp_event *event, unsigned right)
{
    unsigned value = event->value, next = number_ahead(r);
    bool alone = next == right || next == right + 1;
    qp_report *report;
    if (empty_before(r))
        report = qp_record_report(r->record, QP_D_number_gap, event->at, event->len,
                                  "moveno-mismatch", "no move stands in round %u", value - 1);
    else if (value > right && !alone)
        report = qp_record_report(
            r->record, QP_D_number_gap, event->at, event->len, "moveno-mismatch",
            value == right + 1 ? "round %u is left out: the numbers go on with %u"
                               : "the rounds from %u on are left out: the numbers go on with %u",
            right, value);
    else
        report = qp_record_report(r->record, QP_D_number_wrong, event->at, event->len,
                                  "moveno-mismatch", "this is round %u, and the number is %u",
                                  right, value);
    about_ply(r, report, r->top, next_ply(r->top));
    r->number_reports++;
    return !alone;
}

static void take_number(struct qp_replaying *r, const qp_event *event)
{
    qp_frame *f = r->top;
    enum { REPORTS_MAX = 3 };
    if (r->depth != 0 || f->bad || r->number_reports >= REPORTS_MAX)
        return;
    bool reported = false;
    if (event->value != 0) {
        int offset = (int)event->value - f->board.round;
        reported = r->numbered && offset != r->number_offset;
        if (reported && f->board.side == QP_BLACK && offset == r->number_offset + 1 &&
            qp_ply_absent(r))
            r->others = r->event + 1;
        if (!reported ||
            odd_number(r, event, (unsigned)(f->board.round + r->number_offset)))
            r->number_offset = offset;
        r->numbered = true;
    }
    if (!reported && (event->flags & QP_EV_DOTS) && f->board.side == QP_RED) {
        qp_report *report = qp_record_report(
            r->record, QP_D_number_wrong, event->at, event->len, "ellipsis-mismatch",
            "the dots say that black moves, but it is red's turn");
        about_ply(r, report, f, next_ply(f));
        r->number_reports++;
        if (qp_ply_absent(r))
            r->others = r->event + 1;
    }
}

/* ---- the usual ---- */

/* Whether a number is where it should be and says nothing else. */
static inline bool number_fits(const struct qp_replaying *r, const qp_event *event,
                               const qp_board *board)
{
    return event->value != 0 && event->flags == 0 && r->numbered &&
           (int)event->value - board->round == r->number_offset;
}

/* Takes the sound plies in that follow one on a track, with their numbers: what take_move and
 * take_number make of them, in fewer steps. Stops before all else. */
static void take_sound(struct qp_replaying *r)
{
    qp_record *record = r->record;
    struct qp_replay_kept *kept = r->kept;
    qp_frame *f = r->top;
    qp_track *track = &kept->tracks[r->depth];
    const bool main_line = r->depth == 0;
    const qp_event *event = record->events + r->event, *end = record->events + r->stop;
    const char *text = record->text;
    struct qp_quiet quiet = r->quiet;
    uint32_t longest = r->longest_quiet;
    qp_node *last = f->last;
    uint32_t ply = last->ply, first_ply = ply, left = r->node_limit - r->nodes;
    uint64_t traditional = 0;
    for (; event < end; event++) {
        if (event->kind != QP_EV_MOVE) {
            if (event->kind != QP_EV_NUMBER || (main_line && !number_fits(r, event, &f->board)))
                break;
            continue;
        }
        if (QP_RARE(left == 0))
            break;
        const qp_written *written = &event->as.written;
        qp_move move = f->board.side == QP_RED
                           ? qp_play_tracked(kept, track, r->base, f, event, QP_RED)
                           : qp_play_tracked(kept, track, r->base, f, event, QP_BLACK);
        if (QP_RARE(move == 0))
            break;
        qp_node *node = qp_arena_alloc(record->tree, sizeof *node);
        if (QP_RARE(node == NULL)) {
            f->bad = f->lost = true;
            break;
        }
        bool squares = written->form == QP_FORM_SQUARES;
        *node = (qp_node){.prev = last,
                          .text = squares ? "" : text + event->at,
                          .text_len = squares ? 0 : event->len,
                          .move = move,
                          .ply = ++ply,
                          .variation = f->variation};
        last->next = node;
        last = node;
        left--;
        if (main_line) {
            r->thrice |= !qp_quiet_follow(&quiet, kept, f->board.at[QP_TO(move)], move,
                                          f->undo.taken);
            longest = f->board.quiet > longest ? f->board.quiet : longest;
            r->dialects[squares ? QP_NO_DIALECT : written->dialect]++;
            traditional += written->style & QP_STYLE_TRADITIONAL;
        }
    }
    r->traditional += (uint32_t)(traditional / QP_STYLE_TRADITIONAL);
    r->event = (size_t)(event - record->events);
    if (ply == first_ply)
        return;
    if (QP_RARE(record->open))
        qp_keep_plies(r, f->last, last);
    r->nodes += ply - first_ply;
    r->quiet = quiet;
    r->longest_quiet = longest;
    f->last = last;
    f->after_tail = NULL;
    f->sibling_tail = NULL;
    f->played = true;
    f->was_bad = f->was_lost = false;
}

/* Whether such plies may follow. */
static inline bool may_be_sound(const struct qp_replaying *r)
{
    const qp_frame *f = r->top;
    return f->tracked == QP_TRACKED && !f->bad && f->last != NULL && r->text.data == NULL &&
           r->others == 0;
}

/* ---- the whole ---- */

const char *qp_main_notation(const qp_context *context, qp_base base,
                             const uint32_t dialects[QP_DIALECTS], uint32_t traditional)
{
    size_t most = 0;
    for (size_t i = 1; qp_notation_at(context, i) != NULL; i++)
        if (dialects[i] > dialects[most])
            most = i;
    if (dialects[QP_NO_DIALECT] > dialects[most])
        most = QP_NO_DIALECT;
    if (dialects[most] == 0)
        return "";
    if (most == QP_NO_DIALECT)
        return "iccs";
    const qp_notation *notation = qp_notation_at(context, most);
    const char *name = notation ? qp_notation_name(notation) : "";
    if (base == QP_BASE_ONE && strcmp(name, "san") != 0)
        return "uci1";
    if (strcmp(name, "chinese") == 0 && traditional * 2 > dialects[most])
        return "chinese-traditional";
    return name;
}

bool qp_replay_begin(struct qp_replaying *r, const qp_context *context, qp_record *record,
                     qp_game *game)
{
    *r = (struct qp_replaying){
        .context = context, .record = record, .game = game, .look_left = QP_LOOK_GAME};
    r->kept = qp_kept_of(record);
    if (r->kept == NULL) {
        record->failed = true;
        return false;
    }
    r->quiet = qp_quiet_begin(r->kept);
    r->frames = r->top = r->kept->frames;
    uint64_t limit = qp_context_limit(context, QP_LIMIT_NODES);
    r->node_limit = limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
    qp_start_side(record);
    r->base = qp_start_base(record);
    r->frames[0] = (qp_frame){.board = record->start};
    game->legal = true;
    return true;
}

void qp_replay_run(struct qp_replaying *r)
{
    qp_record *record = r->record;
    for (; !r->over; r->event++) {
        if (may_be_sound(r))
            take_sound(r);
        if (r->event >= r->stop)
            break;
        const qp_event *event = &record->events[r->event];
        if (event->kind == QP_EV_MOVE)
            take_move(r, event);
        else if (event->kind == QP_EV_NUMBER)
            take_number(r, event);
        else
            qp_replay_other(r, event);
        if (QP_RARE(r->starved))
            break;
    }
    if (QP_RARE(r->over))
        r->event = r->stop;
}

void qp_replay_end(struct qp_replaying *r)
{
    qp_record *record = r->record;
    qp_game *game = r->game;
    while (r->depth > 0)
        qp_replay_close(r);
    qp_frame *f = &r->frames[0];
    qp_rest_end(&f->rest, record, qp_replay_here(r));
    qp_board final = game->legal ? f->board : game->final;
    qp_replay_heads(record, game);
    game->final = final;
    game->comments = f->pending; /* those of a game without a ply */
    r->places += f->pending != NULL;
    if (game->first != NULL && game->first->extra != NULL &&
        game->first->extra->before != NULL) {
        game->comments = game->first->extra->before;
        ((qp_extra *)game->first->extra)->before = NULL;
    }
    if (game->legal)
        game->plies = f->last ? f->last->ply : 0;
    r->kept->number = r->quiet.number;
    record->may_repeat = r->thrice;
    record->longest_quiet = r->longest_quiet;
    game->end = qp_board_end(&game->final);
    game->notation = qp_main_notation(r->context, r->base, r->dialects, r->traditional);
    game->nodes = r->nodes;
    game->line_plies = f->last ? f->last->ply : 0;
    game->variations = r->lines > 0 ? r->lines - 1 : 0;
    game->comment_places = r->places;
    if (record->arena->failed || record->tree->failed)
        record->failed = true;
}

/* The game of a record whose moves were played as they were read. */
static void take_rounds(qp_record *record, qp_game *game)
{
    const qp_rounds *rounds = record->rounds;
    qp_replay_heads(record, game);
    game->legal = !rounds->counted;
    game->plies = game->line_plies = game->nodes = rounds->plies;
    game->final = rounds->final;
    game->end = rounds->end;
    game->notation = rounds->notation;
    record->may_repeat = rounds->repeats;
    record->longest_quiet = rounds->longest_quiet;
}

void qp_replay(const qp_context *context, qp_record *record, qp_game *game)
{
    if (record->rounds != NULL) {
        take_rounds(record, game);
        return;
    }
    struct qp_replaying own, *r = qp_passed_replay(record);
    record->understanding = true;
    if (r == NULL && qp_replay_begin(&own, context, record, game))
        r = &own;
    if (r == NULL)
        return;
    r->stop = record->event_count;
    qp_replay_run(r);
    qp_replay_end(r);
}
