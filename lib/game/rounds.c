/* Plain rounds: `12. 炮二平五 马8进7`, as nearly all of them are written, straight from the
 * bytes of the file. A word that was met before is known by its bytes, in whatever encoding,
 * so nothing is decoded; it is played on a track, and nothing is kept of it. Whatever is not
 * as plain as that, or calls for a finding, is left to the reader and the replay, which say
 * the same of all that is read here.
 */
#include "config.h"

#include "game/replay.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    WORD_BITS = 13,
    WORDS = 1 << WORD_BITS, /* a file repeats one or two thousand */
    WORD_MAX = 2 * 8,       /* bytes of one */
    BEHIND = 8,             /* so many places are looked at */
    NUMBERS = 256,          /* more rounds than nearly all games have */
};

/* A round's number up to its dot: the bytes as they lie in memory, and which they are. */
typedef struct number {
    uint32_t bytes, mask, len;
} number;

/* What is known of a side's word: one line of a processor's cache, since where it lies is what
 * the next word tells and nothing before. */
typedef struct word {
    uint64_t head, tail; /* the bytes, as they lie in memory; 0: nothing is here */
    uint8_t meaning;
    uint8_t notation; /* 2 * its dialect, and 1 where the script is traditional */
    qp_move move;     /* SQUARES: these */
    union {
        qp_stride stride; /* STRIDE */
        qp_pace pace;     /* SQUARES */
    } as;
} word;
enum { STRIDE, SQUARES, OTHER }; /* OTHER: only the resolver can tell */
_Static_assert(sizeof(word) <= 64, "one line");

struct qp_words {
    qp_encoding encoding; /* of all that is here */
    word at[WORDS + BEHIND]; /* each at the place that its bytes tell, or close behind it */
    qp_written written[WORDS + BEHIND]; /* all that the words say */
    number numbers[NUMBERS];
    uint32_t notations[2 * QP_DIALECTS_MAX]; /* plies of the last game by word.notation */
};

static void write_numbers(number numbers[NUMBERS])
{
    for (unsigned i = 1; i < NUMBERS; i++) {
        char text[4] = {0}, mask[4] = {0};
        size_t len = 0;
        if (i >= 100)
            text[len++] = (char)('0' + i / 100);
        if (i >= 10)
            text[len++] = (char)('0' + i / 10 % 10);
        text[len++] = (char)('0' + i % 10);
        text[len++] = '.';
        memset(mask, 0xff, len);
        memcpy(&numbers[i].bytes, text, sizeof numbers[i].bytes);
        memcpy(&numbers[i].mask, mask, sizeof numbers[i].mask);
        numbers[i].len = (uint32_t)len;
    }
}

qp_words *qp_words_new(void)
{
    qp_words *words = calloc(1, sizeof *words);
    if (words == NULL)
        return NULL;
    words->encoding = QP_ENC_BINARY; /* none that is asked for */
    write_numbers(words->numbers);
    return words;
}

void qp_words_free(qp_words *words)
{
    free(words);
}

#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
/* The highest bit of the first byte up to a blank; what stands behind it may say anything. */
static inline uint64_t blanks_in(uint64_t bytes)
{
    return (bytes - UINT64_C(0x2121212121212121)) & ~bytes & UINT64_C(0x8080808080808080);
}
static inline uint64_t first_bytes(uint64_t bytes, unsigned count)
{
    return bytes & ((UINT64_C(1) << 8 * count) - 1);
}
#endif

/* The bytes of the word at p, up to a blank or what comes before that in ASCII: its length, 0
 * where it is too long. */
static inline size_t word_at(const unsigned char *p, uint64_t *head, uint64_t *tail)
{
    memcpy(head, p, 8);
    *tail = 0;
#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
    uint64_t blanks = blanks_in(*head);
    if (blanks != 0) {
        unsigned len = qp_lowest_bit(blanks) >> 3;
        *head = first_bytes(*head, len);
        return len;
    }
    if (p[8] <= ' ')
        return 8;
    memcpy(tail, p + 8, 8);
    blanks = blanks_in(*tail);
    if (blanks == 0)
        return 0;
    unsigned len = qp_lowest_bit(blanks) >> 3;
    *tail = first_bytes(*tail, len);
    return 8 + len;
#else
    size_t len = 0;
    while (len < WORD_MAX && p[len] > ' ')
        len++;
    *head = 0;
    memcpy(head, p, len < 8 ? len : 8);
    if (len > 8)
        memcpy(tail, p + 8, len - 8);
    return len < WORD_MAX ? len : 0;
#endif
}

/* One reading under way. */
typedef struct walk {
    const qp_rounds_reading *r;
    qp_words *words;
    uint32_t most_quiet;
    struct qp_replay_kept *kept;
    qp_track *track;
    const unsigned char *p, *end, *line; /* line: the start of the one at p */
    uint32_t lines;
    uint32_t first; /* qp_quiet.number at the start */
    unsigned round; /* the last number */
    bool good;
    const unsigned char *loud; /* NULL: nothing is to be judged; else the line of the first ply
                                  after which something is, */
    uint32_t loud_lines, loud_ply; /* and the lines and plies before it */
    bool repeats;           /* a position may have come up three times */
    uint32_t longest_quiet; /* the most plies without a capture, where they are too many */
    bool heads; /* qp_rounds_reading.heads */
    struct qp_quiet quiet;
    qp_board board; /* but for what it counts, and whose turn it is */
    qp_undo undo;
} walk;

/* Reads a word that is not known yet, into its place. Only what the reader of movetext takes
 * for a plain move is one. */
static bool learn(walk *w, size_t len, word *to, qp_side side)
{
    enum { TEXT_MAX = 3 * WORD_MAX };
    const qp_rounds_reading *r = w->r;
    char text[TEXT_MAX + QP_KNOWN + 8] = {0};
    size_t n = qp_source_decode(r->source, r->encoding, w->p, len, text, TEXT_MAX), used;
    to->head = to->tail = 0;
    if (n == 0)
        return false;
    text[n] = ' ';
    const qp_known_move *known = qp_lex_known(r->memo, r->lexer, text, &used);
    if (known == NULL || used != n)
        return false;
    const qp_written *written = &known->written;
    to->move = written->form == QP_FORM_COORD ? qp_coord_move(written, QP_BASE_ZERO) : 0;
    to->meaning = OTHER;
    if (known->stride != 0) {
        to->meaning = STRIDE;
        qp_stride_fill(&to->as.stride, side, known->stride);
    } else if (to->move != 0 && QP_FROM(to->move) < QP_SQUARES && QP_TO(to->move) < QP_SQUARES) {
        to->meaning = SQUARES;
        qp_pace_make(&to->as.pace, to->move);
    }
    memcpy(&to->head, w->p, len < 8 ? len : 8);
    if (len > 8)
        memcpy(&to->tail, w->p + 8, len - 8);
    to->tail ^= (uint64_t)side << 63;
    to->notation = (uint8_t)(2 * written->dialect +
                             ((written->style & QP_STYLE_TRADITIONAL) != 0));
    r->words->written[to - r->words->at] = *written;
    return true;
}

/* The word that is not at its own place: it stands behind, or is learnt. NULL: it is none. */
static QP_APART const word *other_word(walk *w, word *place, uint64_t head, uint64_t tail,
                                       size_t len, qp_side side)
{
    size_t i = 0;
    if (len == 0)
        return NULL;
    for (; i < BEHIND && place[i].head != 0; i++)
        if (place[i].head == head && place[i].tail == tail)
            return &place[i];
    place += i < BEHIND ? i : 0;
    return learn(w, len, place, side) ? place : NULL;
}

/* A move that a track alone cannot tell; false: no one sound move. */
static QP_APART bool resolve(walk *w, const word *known, const qp_side side, qp_move *move)
{
    qp_move moves[8];
    unsigned pick;
    w->board.side = (uint8_t)side;
    w->board.calm = 0;
    if (qp_resolve(&w->board, &w->words->written[known - w->words->at], QP_BASE_ZERO, moves,
                   &pick) != 1)
        return false;
    *move = moves[0];
    qp_rules_make_legal(&w->board, moves[0], &w->undo);
    qp_track_move(w->track, moves[0], w->board.at[QP_TO(moves[0])], w->undo.taken);
    return true;
}

/* The round's number at p, `12. `: its length, 0 for all else. */
static inline size_t number_at(const unsigned char *p, unsigned *value)
{
    size_t i = 1;
    *value = p[0] - (unsigned)'0';
    for (unsigned digit; i < 3 && (digit = p[i] - (unsigned)'0') <= 9; i++)
        *value = *value * 10 + digit;
    return p[i] == '.' && p[i + 1] == ' ' ? i + 2 : 0;
}

/* Passes over what stands before a word: blanks, line ends and numbers. false: no word
 * follows. */
static QP_APART bool pass_to_word(walk *w)
{
    const unsigned char *p = w->p;
    for (; p < w->end; w->p = p) {
        unsigned c = *p, value;
        if (c > '9')
            return true;
        if (c == ' ') {
            p++;
        } else if (c == '\n') {
            w->p = w->line = ++p;
            w->lines++;
            if (p < w->end && *p <= ' ')
                return false; /* an empty line ends a paragraph */
        } else if (c == '\r' && p[1] == '\n') {
            p++;
        } else if (c - '0' <= 9) {
            size_t used = number_at(p, &value);
            if (used == 0)
                return false;
            if (value != 1 + (w->quiet.number - w->first) / 2 || value <= w->round) {
                w->good = false;
                return false;
            }
            w->round = value;
            p += used;
        } else {
            return false;
        }
    }
    return false;
}

/* The same, but in fewer steps for what usually stands there: one blank before Black's move,
 * a line end and the next number before Red's. */
static QP_INLINE bool to_word(walk *w, const qp_side side)
{
    const unsigned char *p = w->p;
    if (side == QP_BLACK) {
        if (QP_RARE(p[0] != ' ' || p[1] <= '9'))
            return pass_to_word(w);
        w->p = p + 1;
        return true;
    }
    unsigned round = w->round + 1;
    const number *next = &w->words->numbers[round < NUMBERS ? round : 0];
    uint32_t bytes;
    p += p[0] == '\r';
    memcpy(&bytes, p + 1, sizeof bytes);
    const unsigned char *behind = p + 1 + next->len;
    if (QP_RARE(p[0] != '\n' || ((bytes ^ next->bytes) & next->mask) != 0) ||
        QP_RARE(behind[0] != ' ' || behind[1] <= '9'))
        return pass_to_word(w);
    w->line = p + 1;
    w->p = behind + 1;
    w->lines++;
    w->round = round;
    return true;
}

/* Whether a word of plain rounds is a move: it is no number. */
static inline bool is_move(const unsigned char *p)
{
    return *p > '9';
}

/* The next word of plain rounds at or behind p, whatever it is: *end is where it ends. NULL:
 * there is none. */
static const unsigned char *next_word(const unsigned char *p, const unsigned char *stop,
                                      const unsigned char **end)
{
    while (p < stop && *p <= ' ')
        p++;
    for (*end = p; *end < stop && **end > ' ';)
        ++*end;
    return p < stop ? p : NULL;
}

/* A ply after which there may be something to judge; w->p stands behind it. */
static QP_APART bool take_loud(walk *w, bool repeats)
{
    uint32_t quiet = w->quiet.number - w->quiet.since;
    w->good = w->r->keeps_loud;
    if (w->loud == NULL) {
        const unsigned char *end = w->line;
        w->loud = w->line;
        w->loud_lines = w->lines;
        w->loud_ply = w->quiet.number - w->first;
        for (const unsigned char *p; (p = next_word(end, w->p, &end)) != NULL;)
            w->loud_ply -= is_move(p);
    }
    w->repeats |= repeats;
    if (quiet > w->most_quiet && quiet > w->longest_quiet)
        w->longest_quiet = quiet;
    return w->good;
}

/* Reads and plays a side's ply; false: none is there, or none that is good. side is a
 * constant. */
static QP_INLINE bool take_ply(walk *w, const qp_side side)
{
    uint64_t head, tail;
    if (!to_word(w, side))
        return false;
    size_t len = word_at(w->p, &head, &tail);
    tail ^= (uint64_t)side << 63; /* the same word is another side's another move */
    word *place = &w->words->at[(head ^ tail >> 31 ^ tail << 7) * UINT64_C(0x9e3779b97f4a7c15) >>
                                   (64 - WORD_BITS)];
    const word *known = place;
    if (QP_RARE(known->head != head || known->tail != tail))
        known = other_word(w, place, head, tail, len, side);
    if (QP_RARE(known == NULL)) {
        w->good = false;
        return false;
    }
    qp_move move = 0;
    if (QP_LIKELY_TO(known->meaning == STRIDE))
        move = qp_step_stride(w->track, &w->board, &known->as.stride, &w->undo, side);
    else if (known->meaning == SQUARES)
        move = qp_step_pace(w->track, &w->board, &known->as.pace, known->move, &w->undo, side);
    if (QP_RARE(move == 0) && !resolve(w, known, side, &move)) {
        w->good = false;
        return false;
    }
    w->words->notations[known->notation]++;
    w->p += len;
    if (w->heads) {
        w->quiet.number++;
        return true;
    }
    bool once =
        qp_quiet_follow(&w->quiet, w->kept, w->board.at[QP_TO(move)], move, w->undo.taken);
    w->kept->moves[w->quiet.number % QP_MOVES_KEPT] = move;
    if (QP_RARE(!once) || QP_RARE(w->quiet.number - w->quiet.since > w->most_quiet))
        return take_loud(w, !once);
    return true;
}

const char *qp_rounds_notation(const qp_rounds_reading *r)
{
    const uint32_t *notations = r->words->notations;
    uint32_t dialects[QP_DIALECTS] = {0}, traditional = 0;
    for (size_t i = 0; qp_notation_at(r->context, i) != NULL; i++) {
        dialects[i] = notations[2 * i] + notations[2 * i + 1];
        traditional += notations[2 * i + 1];
    }
    return qp_main_notation(r->context, QP_BASE_ZERO, dialects, traditional);
}

/* What a board counts and whose turn it is, behind so many plies from the usual start. */
static void settle(qp_board *board, uint32_t plies, uint32_t quiet)
{
    board->side = plies & 1 ? QP_BLACK : QP_RED;
    board->calm = (uint8_t)QP_CALM(QP_OTHER(board->side), QP_CALM_ALL);
    board->round = (uint16_t)(plies / 2 < UINT16_MAX ? 1 + plies / 2 : UINT16_MAX);
    board->quiet = (uint16_t)(quiet < UINT16_MAX ? quiet : UINT16_MAX);
}

static qp_end end_of(const qp_track *track, const qp_board *board)
{
    return qp_track_moves_on(track, (qp_side)board->side) ? QP_END_NONE : qp_board_end(board);
}

size_t qp_rounds_read(const qp_rounds_reading *r, const unsigned char *p, size_t n,
                      qp_rounds *rounds, size_t *line, uint32_t *lines)
{
    struct qp_replay_kept *kept = qp_kept_of(r->record);
    if (kept == NULL)
        return 0;
    if (r->words->encoding != r->encoding) {
        if (r->words->encoding != QP_ENC_BINARY) /* they were never used */
            memset(r->words->at, 0, sizeof r->words->at);
        r->words->encoding = r->encoding;
    }
    memset(r->words->notations, 0, sizeof r->words->notations);
    walk w = {.r = r, .words = r->words, .most_quiet = r->most_quiet, .kept = kept, .track = &kept->tracks[0], .p = p, .end = p + n, .line = p,
              .good = true, .heads = r->heads, .quiet = qp_quiet_begin(kept)};
    w.first = w.quiet.number;
    *w.track = *qp_start_track(kept);
    qp_board_start(&w.board);
    while (take_ply(&w, QP_RED) && take_ply(&w, QP_BLACK))
        ;
    uint32_t plies = w.quiet.number - w.first, quiet = w.quiet.number - w.quiet.since;
    kept->number = w.quiet.number;
    bool loud = w.loud != NULL;
    if (!w.good || plies == 0 || plies > r->most_plies || w.p > w.end ||
        (loud && plies > QP_MOVES_KEPT))
        return 0;
    settle(&w.board, plies, quiet);
    *rounds = (qp_rounds){.plies = plies, .notation = "", .final = w.board,
                          .end = r->heads ? QP_END_NONE : end_of(w.track, &w.board), .loud = loud,
                          .text_ply = w.loud_ply, .repeats = w.repeats,
                          .longest_quiet = w.longest_quiet};
    *line = (size_t)((loud ? w.loud : w.line) - p);
    *lines = loud ? w.loud_lines : w.lines;
    return (size_t)(w.p - p);
}

void qp_rounds_moves(qp_record *record, const qp_rounds *rounds, qp_move *moves)
{
    struct qp_replay_kept *kept = qp_kept_of(record);
    uint32_t first = kept->number - rounds->plies + 1;
    for (uint32_t i = 0; i < rounds->plies; i++)
        moves[i] = kept->moves[(first + i) % QP_MOVES_KEPT];
}

bool qp_rounds_place(const qp_record *record, uint32_t ply, size_t *at, size_t *len)
{
    const qp_rounds *rounds = record->rounds;
    const unsigned char *text = (const unsigned char *)record->text;
    const unsigned char *p = text + rounds->text_at, *end = p;
    uint32_t before = rounds->text_ply;
    if (rounds->squares_len != 0) {
        size_t behind = rounds->places ? rounds->places[ply - 1] : (ply - 1) * rounds->squares_apart;
        *at = rounds->text_at + behind;
        *len = rounds->squares_len;
        return true;
    }
    while (ply > before && (p = next_word(end, text + record->text_len, &end)) != NULL) {
        before += is_move(p);
        *at = (size_t)(p - text);
        *len = (size_t)(end - p);
        if (before == ply)
            return true;
    }
    return false;
}

/* One game of squares under way. */
typedef struct squares {
    struct qp_replay_kept *kept;
    qp_track *track;
    const char *at, *end; /* the moves */
    size_t step;
    uint32_t most_quiet;
    bool keeps_loud, loud, repeats;
    uint32_t longest_quiet;
    struct qp_quiet quiet;
    qp_board board; /* but for what it counts, and whose turn it is */
    qp_undo undo;
} squares;

/* A ply after which there may be something to judge. */
static QP_APART bool play_loud(squares *s, bool repeats)
{
    uint32_t quiet = s->quiet.number - s->quiet.since;
    s->loud = true;
    s->repeats |= repeats;
    if (quiet > s->most_quiet && quiet > s->longest_quiet)
        s->longest_quiet = quiet;
    s->at += s->keeps_loud ? s->step : 0;
    return s->keeps_loud;
}

/* Plays a side's ply; false: there is none, or none that a track can tell to be sound. side is
 * a constant. */
static QP_INLINE bool play_squares(squares *s, const qp_side side)
{
    if (QP_RARE(s->at == s->end))
        return false;
    const qp_move move = *(const qp_move *)s->at;
    qp_pace *pace = &s->kept->paces[move];
    if (QP_RARE(pace->made == 0))
        qp_pace_make(pace, move);
    if (QP_RARE(qp_step_pace(s->track, &s->board, pace, move, &s->undo, side) == 0))
        return false;
    bool once =
        qp_quiet_follow(&s->quiet, s->kept, s->board.at[QP_TO(move)], move, s->undo.taken);
    if (QP_RARE(!once) || QP_RARE(s->quiet.number - s->quiet.since > s->most_quiet))
        return play_loud(s, !once);
    s->at += s->step;
    return true;
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
    struct qp_replay_kept *kept = qp_kept_of(record);
    const size_t count = all->count;
    if (kept == NULL || (kept->paces == NULL && !qp_paces_begin(kept)) || count == 0 ||
        count > UINT32_MAX / 2)
        return false;
    squares s = {.kept = kept, .track = &kept->tracks[0], .at = (const char *)all->moves,
                 .end = (const char *)all->moves + count * all->step, .step = all->step,
                 .most_quiet = most_quiet, .keeps_loud = keeps_loud,
                 .quiet = qp_quiet_begin(kept)};
    qp_board_start(&s.board);
    *s.track = *qp_start_track(kept);
    while (play_squares(&s, QP_RED) && play_squares(&s, QP_BLACK))
        ;
    kept->number = s.quiet.number;
    uint32_t quiet = s.quiet.number - s.quiet.since;
    if (s.at != s.end)
        return false;
    settle(&s.board, (uint32_t)count, quiet);
    *rounds = (qp_rounds){.plies = (uint32_t)count, .notation = "iccs", .final = s.board,
                          .end = end_of(s.track, &s.board), .loud = s.loud,
                          .repeats = s.repeats, .longest_quiet = s.longest_quiet};
    return !s.loud || lend(record, all, rounds);
}
