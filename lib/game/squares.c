/* Plain squares: games whose moves are known by their squares, played forward with
 * nothing kept of them. And what they share with plain rounds: see rounds.h. */
#include "config.h"

#include "game/rounds.h"

#include <stdlib.h>

static void write_numerals(qp_numeral numerals[QP_NUMERALS + 1], const char *before)
{
    for (unsigned i = 1; i <= QP_NUMERALS; i++) {
        qp_numeral *to = &numerals[i - 1];
        char text[sizeof to->bytes] = {0}, mask[sizeof to->mask] = {0};
        size_t len = i > 1 ? strlen(before) : 0;
        memcpy(text, before, len);
        if (i >= 100)
            text[len++] = (char)('0' + i / 100);
        if (i >= 10)
            text[len++] = (char)('0' + i / 10 % 10);
        text[len++] = (char)('0' + i % 10);
        text[len++] = '.';
        text[len++] = ' ';
        memset(mask, 0xff, len);
        memcpy(&to->bytes, text, sizeof text);
        memcpy(&to->mask, mask, sizeof mask);
        to->len = len;
    }
    /* None: no text has such bytes. */
    memset(&numerals[QP_NUMERALS], 0xff, sizeof numerals[QP_NUMERALS]);
}

struct qp_rounds_kept *qp_rounds_kept_of(qp_record *record)
{
    struct qp_replay_kept *kept = qp_kept_of(record);
    if (kept == NULL || kept->rounds != NULL)
        return kept != NULL ? kept->rounds : NULL;
    char *room = calloc(1, sizeof *kept->rounds + QP_CACHE_LINE);
    if (room == NULL)
        return NULL;
    struct qp_rounds_kept *made =
        (void *)(room + (QP_CACHE_LINE - (uintptr_t)room % QP_CACHE_LINE));
    made->room = room;
    made->encoding = QP_ENC_BINARY; /* none that is asked for */
    qp_course_init(&made->course);
    write_numerals(made->numerals[QP_LINE_END], "\n");
    write_numerals(made->numerals[QP_CR_LINE_END], "\r\n");
    write_numerals(made->numerals[QP_BLANK], " ");
    return kept->rounds = made;
}

void qp_rounds_forget(struct qp_rounds_kept *kept)
{
    if (kept == NULL)
        return;
    free(kept->texts);
    free(kept->room);
}

qp_so_far qp_rounds_begin(struct qp_rounds_kept *kept, uint32_t most_quiet)
{
    qp_course *course = &kept->course;
    uint32_t number = kept->number + 1, key;
    course->now = course->start;
    key = qp_course_key(course);
    kept->seen[key >> (32 - QP_SEEN_BITS)] = number;
    kept->ring[number % QP_RING].key = key;
    kept->stop = number + most_quiet + 1;
    return (qp_so_far){number, number};
}

/* Whether the position after the last ply was there twice before. */
static bool is_thrice(const struct qp_rounds_kept *kept, const qp_so_far *s)
{
    uint32_t long_ago = s->number - s->since, before = 0;
    uint32_t key = qp_course_key(&kept->course);
    if (long_ago >= QP_RING) /* too far to look back */
        return true;
    for (uint32_t back = 2; back <= long_ago; back += 2) /* the same side's turn */
        before += kept->ring[(s->number - back) % QP_RING].key == key;
    return before >= 2;
}

unsigned qp_rounds_look(struct qp_rounds_kept *kept, const qp_so_far *s, qp_side side,
                        uint32_t most_quiet)
{
    bool is_quiet = s->number - s->since > most_quiet;
    kept->stop = is_quiet ? s->number + 1 : s->since + most_quiet + 1;
    return (qp_course_safe(&kept->course, side) ? 0 : QP_UNSAFE) |
           (is_thrice(kept, s) ? QP_THRICE : 0) | (is_quiet ? QP_LONG_QUIET : 0);
}

void qp_rounds_end(struct qp_rounds_kept *kept, const qp_so_far *s, bool end,
                   qp_rounds *rounds)
{
    qp_board *board = &rounds->final;
    uint32_t quiet = s->number - s->since, plies = rounds->plies;
    qp_course_kings(&kept->course.now);
    *board = kept->course.now.board;
    board->side = plies & 1 ? QP_BLACK : QP_RED;
    board->calm = (uint8_t)QP_CALM(QP_OTHER(board->side), QP_CALM_ALL);
    board->round = (uint16_t)(plies / 2 < UINT16_MAX ? 1 + plies / 2 : UINT16_MAX);
    board->quiet = (uint16_t)(quiet < UINT16_MAX ? quiet : UINT16_MAX);
    rounds->end = !end || qp_course_moves_on(&kept->course, (qp_side)board->side)
                      ? QP_END_NONE
                      : qp_board_end(board);
}

/* One game of squares under way. */
typedef struct squares {
    struct qp_rounds_kept *kept;
    const char *at, *end; /* the moves */
    size_t step;
    uint32_t most_quiet;
    qp_so_far so_far;
    bool keeps_loud, loud, repeats;
    uint32_t longest_quiet;
} squares;

/* Looks at what a ply led to; false: no more is to be played. */
static bool look_at_square(squares *s, qp_side side)
{
    unsigned found = qp_rounds_look(s->kept, &s->so_far, side, s->most_quiet);
    uint32_t quiet = s->so_far.number - s->so_far.since;
    s->loud |= found != 0;
    s->repeats |= (found & QP_THRICE) != 0;
    if ((found & QP_LONG_QUIET) && quiet > s->longest_quiet)
        s->longest_quiet = quiet;
    return found == 0 || (s->keeps_loud && !(found & QP_UNSAFE));
}

/* What changes from ply to ply: in registers. */
typedef struct quick {
    const char *at;
    qp_so_far so_far;
} quick;

enum outcome { PLAYED, LOOK, STOP }; /* LOOK: closer; STOP: there is no sound ply */

static QP_INLINE enum outcome quick_ply(const squares *s, quick *q, const qp_side side)
{
    if (QP_RARE(q->at == s->end))
        return STOP;
    const qp_move move = *(const qp_move *)q->at;
    const qp_course_pace *pace = qp_rounds_pace(s->kept, move);
    qp_course_step step;
    if (QP_RARE(!qp_course_pace_play(&s->kept->course, pace, &step, side, false)))
        return STOP;
    q->at += s->step;
    return qp_rounds_follow(s->kept, &q->so_far, &step, side, false) ? PLAYED : LOOK;
}

/* Plays from a side's ply on; *side is then whose ply it stopped at. */
static enum outcome quick_plies(squares *s, qp_side *side)
{
    const squares all = *s;
    quick q = {s->at, s->so_far};
    enum outcome outcome;
    qp_side at = *side;
    if (at == QP_BLACK)
        goto black;
    for (;;) {
        at = QP_RED;
        if ((outcome = quick_ply(&all, &q, QP_RED)) != PLAYED)
            break;
    black:
        at = QP_BLACK;
        if ((outcome = quick_ply(&all, &q, QP_BLACK)) != PLAYED)
            break;
    }
    *side = at;
    s->at = q.at;
    s->so_far = q.so_far;
    return outcome;
}

/* Whether all of them are sound, and may be played so. */
static bool play_squares(squares *s)
{
    qp_side side = QP_RED;
    while (quick_plies(s, &side) == LOOK) {
        if (!look_at_square(s, side))
            return false;
        side = QP_OTHER(side);
    }
    return s->at == s->end;
}

/* Lends the moves of a loud game, and their places. */
static bool lend(qp_record *record, const qp_squares *all, qp_rounds *rounds)
{
    size_t count = all->count;
    rounds->moves = all->moves;
    rounds->text_at = all->at;
    rounds->squares_apart = all->apart;
    rounds->squares_len = all->len;
    if (all->places == NULL && all->step == sizeof *all->moves)
        return true;
    qp_move *moves = qp_arena_alloc(record->arena, count * sizeof *moves);
    uint32_t *places = qp_arena_alloc(record->arena, count * sizeof *places);
    if (moves == NULL || places == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        moves[i] = *(const qp_move *)((const char *)all->moves + i * all->step);
        places[i] = all->places == NULL
                        ? (uint32_t)(i * all->apart)
                        : *(const uint32_t *)((const char *)all->places + i * all->step);
    }
    rounds->moves = moves;
    rounds->places = places;
    return true;
}

bool qp_rounds_squares(qp_record *record, const qp_squares *all, uint32_t most_quiet,
                       bool keeps_loud, qp_rounds *rounds)
{
    struct qp_rounds_kept *kept = qp_rounds_kept_of(record);
    const size_t count = all->count;
    if (all->known != NULL) {
        *rounds = *all->known;
        return !rounds->loud || (keeps_loud && lend(record, all, rounds));
    }
    if (kept == NULL || count == 0 || count > UINT32_MAX / 2)
        return false;
    squares s = {.kept = kept,
                 .at = (const char *)all->moves,
                 .end = (const char *)all->moves + count * all->step,
                 .step = all->step,
                 .most_quiet = most_quiet,
                 .keeps_loud = keeps_loud,
                 .so_far = qp_rounds_begin(kept, most_quiet)};
    bool good = play_squares(&s);
    kept->number = s.so_far.number;
    if (!good)
        return false;
    *rounds = (qp_rounds){.plies = (uint32_t)count,
                          .notation = "iccs",
                          .loud = s.loud,
                          .repeats = s.repeats,
                          .longest_quiet = s.longest_quiet};
    qp_rounds_end(kept, &s.so_far, true, rounds);
    return !s.loud || lend(record, all, rounds);
}
