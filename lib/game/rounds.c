/* Plain rounds: `12. 炮二平五 马8进7`, as nearly all of them are written, straight from
 * the bytes of the file. A word that was met before is known by its bytes, in whatever
 * encoding, so nothing is decoded; it is played forward (rules/course.h), and nothing is
 * kept of it. Whatever is not as plain as that, or calls for a finding, is left to the
 * reader and the replay, which say the same of all that is read here.
 */
#include "config.h"

#include "game/replay.h"
#include "rules/course.h"

#include <stdlib.h>

enum {
    WORD_BITS = 12,
    WORDS = 1 << WORD_BITS, /* of a side; a file repeats about a thousand */
    WORD_MAX = 2 * 8,       /* bytes of one, and one more */
    BEHIND = 8,             /* so many places are looked at */
    NUMBERS = 256,          /* more rounds than nearly all games have */
    LINE = 64,              /* of a processor's cache */
    SEEN_BITS = 11,
};

/* What stands before Red's move: the bytes as they lie in memory, and which they are. */
typedef struct numeral {
    uint64_t bytes, mask;
    size_t len;
} numeral;

/* How rounds follow each other: what stands before the number. */
enum { LINE_END, CR_LINE_END, BLANK, LAYOUTS };

/* What is known of a side's word: one line of a processor's cache, since where it lies is
 * what the next word tells and nothing before. */
typedef struct word {
    uint64_t head, tail; /* the bytes, as they lie in memory; 0: nothing is here. In place
                            of the last byte, which no word has, its meaning */
    union {
        qp_course_stride stride; /* STRIDE */
        qp_course_pace pace;     /* SQUARES */
    } as;
    uint8_t notation; /* 2 * its dialect, and 1 where the script is traditional */
} word;
enum { STRIDE, SQUARES, OTHER }; /* OTHER: only the resolver can tell */
#ifdef WORDS_BIGENDIAN
enum { MEANING = 0 };
#else
enum { MEANING = 56 };
#endif
_Static_assert(sizeof(word) == LINE, "one line");

/* The length of a side's last word that was no OTHER, which most of its words have, and
 * where the bytes of such a word are in its head and tail. */
typedef struct shape {
    size_t len;
    uint64_t head, tail;
} shape;

struct qp_words {
    word at[2][WORDS + BEHIND]; /* by side, each at the place its bytes tell, or behind */
    qp_written written[2][WORDS + BEHIND]; /* all that the words say */
    numeral numbers[LAYOUTS][NUMBERS + 1]; /* from that of round 1 on, which comes alone */
    unsigned layout;                       /* of the last game */
    shape shapes[2];                       /* by side */
    qp_encoding encoding;                  /* of all that is here */
    bool squares;                          /* its moves are written as squares */
    uint32_t notations[2 * QP_DIALECTS_MAX]; /* plies of the last game by word.notation */
    void *room;                              /* what is to be freed */
};

enum { MOVES_KEPT = 1024 };

/* What a record's replay keeps for rounds. */
struct qp_rounds_kept {
    qp_course course;
    qp_move moves[MOVES_KEPT];                              /* the last ones */
    uint32_t seen[1 << SEEN_BITS], trail[QP_TRAIL], number; /* as in qp_replay_kept */
    qp_course_pace paces[QP_SQUARES << 7]; /* by qp_move, filled as they turn up */
    void *room;
};

/* Memory of 0 that begins with a line of the processor's cache; *room is to be freed.
 * NULL: there is none. */
static void *lines_of_zero(size_t size, void **room)
{
    *room = calloc(1, size + LINE);
    return *room != NULL ? (char *)*room + (LINE - (uintptr_t)*room % LINE) : NULL;
}

static void write_numbers(numeral numbers[NUMBERS + 1], const char *before)
{
    for (unsigned i = 1; i <= NUMBERS; i++) {
        numeral *to = &numbers[i - 1];
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
    memset(&numbers[NUMBERS], 0xff,
           sizeof numbers[NUMBERS]); /* none: no text has such bytes */
}

qp_words *qp_words_new(void)
{
    void *room;
    qp_words *words = lines_of_zero(sizeof *words, &room);
    if (words == NULL)
        return NULL;
    words->room = room;
    words->encoding = QP_ENC_BINARY; /* none that is asked for */
    write_numbers(words->numbers[LINE_END], "\n");
    write_numbers(words->numbers[CR_LINE_END], "\r\n");
    write_numbers(words->numbers[BLANK], " ");
    return words;
}

void qp_words_free(qp_words *words)
{
    if (words != NULL)
        free(words->room);
}

static struct qp_rounds_kept *rounds_kept_of(qp_record *record)
{
    struct qp_replay_kept *kept = qp_kept_of(record);
    if (kept != NULL && kept->rounds == NULL) {
        void *room;
        struct qp_rounds_kept *made = lines_of_zero(sizeof *made, &room);
        if (made == NULL)
            return NULL;
        made->room = room;
        qp_course_init(&made->course);
        kept->rounds = made;
    }
    return kept != NULL ? kept->rounds : NULL;
}

void qp_rounds_forget(struct qp_rounds_kept *kept)
{
    if (kept != NULL)
        free(kept->room);
}

/* ---- plies ---- */

/* What goes along with a game. Plies are numbered as in qp_quiet. */
typedef struct so_far {
    uint32_t number, since;
} so_far;

/* Begins a game from the usual start position. */
static so_far begin(struct qp_rounds_kept *kept)
{
    qp_course *course = &kept->course;
    uint32_t number = kept->number + 1, key;
    course->now = course->start;
    key = qp_course_key(course);
    kept->seen[key >> (32 - SEEN_BITS)] = number;
    kept->trail[number % QP_TRAIL] = key;
    return (so_far){number, number};
}

/* Follows a ply that was played; false: look closer at what it led to. After the ply of
 * the number stop that is asked for in any case. side is a constant wherever speed
 * counts, keeps always: whether the moves are kept. */
static QP_INLINE bool follow(struct qp_rounds_kept *kept, so_far *s,
                             const qp_course_step *step, uint32_t stop,
                             const qp_side side, const bool keeps)
{
    uint32_t number = ++s->number, key = qp_course_key(&kept->course);
    uint32_t since = s->since = step->taken != 0 ? number : s->since;
    uint32_t before = kept->seen[key >> (32 - SEEN_BITS)];
    kept->seen[key >> (32 - SEEN_BITS)] = number;
    kept->trail[number % QP_TRAIL] = key;
    if (keeps)
        kept->moves[number % MOVES_KEPT] = QP_MOVE(step->from, step->to);
    return QP_LIKELY_TO(!qp_course_alarm(&kept->course, side)) &&
           QP_LIKELY_TO((int32_t)(before - since) < 0) && QP_LIKELY_TO(number != stop);
}

/* What a closer look shows behind a ply. */
enum { UNSAFE = 1, THRICE = 2, QUIET = 4 }; /* a king; a position; for too many plies */
static QP_APART unsigned look_closer(struct qp_rounds_kept *kept, const so_far *s,
                                     qp_side side, uint32_t most_quiet, uint32_t *stop)
{
    struct qp_quiet quiet = {qp_course_key(&kept->course), s->number, s->since};
    bool is_quiet = s->number - s->since > most_quiet;
    *stop = is_quiet ? s->number + 1 : s->since + most_quiet + 1;
    return (qp_course_safe(&kept->course, side) ? 0 : UNSAFE) |
           (qp_quiet_thrice(&quiet, kept->trail) ? THRICE : 0) | (is_quiet ? QUIET : 0);
}

/* The board after the last of so many plies. */
static qp_board board_of(struct qp_rounds_kept *kept, const so_far *s, uint32_t plies)
{
    qp_board *board = &kept->course.now.board;
    uint32_t quiet = s->number - s->since;
    qp_course_kings(&kept->course.now);
    board->side = plies & 1 ? QP_BLACK : QP_RED;
    board->calm = (uint8_t)QP_CALM(QP_OTHER(board->side), QP_CALM_ALL);
    board->round = (uint16_t)(plies / 2 < UINT16_MAX ? 1 + plies / 2 : UINT16_MAX);
    board->quiet = (uint16_t)(quiet < UINT16_MAX ? quiet : UINT16_MAX);
    return *board;
}

static qp_end end_of(struct qp_rounds_kept *kept, const qp_board *board)
{
    return qp_course_moves_on(&kept->course, (qp_side)board->side) ? QP_END_NONE
                                                                   : qp_board_end(board);
}

/* ---- words ---- */

#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
/* The highest bit of the first byte up to a blank; what stands behind it may say
 * anything. */
static inline uint64_t blanks_in(uint64_t bytes)
{
    return (bytes - UINT64_C(0x2121212121212121)) & ~bytes & UINT64_C(0x8080808080808080);
}
static inline uint64_t first_bytes(uint64_t bytes, unsigned count)
{
    return bytes & ((UINT64_C(1) << 8 * count) - 1);
}
#endif

/* The bytes of the word at p, up to a blank or what comes before that in ASCII: its
 * length, 0 where it is too long. */
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

static QP_INLINE word *place_of(qp_words *words, const qp_side side, uint64_t head,
                                uint64_t tail)
{
    uint64_t hash = (head ^ tail << 7) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - WORD_BITS);
    return (word *)((char *)words->at[side] + hash * sizeof(word));
}

/* A word of the usual length and of a meaning, if it stands at p, and is kept at its
 * place or the next; NULL: there may be another. What stands behind it is left to whoever
 * reads that. */
static QP_INLINE const word *usual_word(qp_words *words, const unsigned char *p,
                                        const qp_side side, const unsigned meaning,
                                        const bool is_long)
{
    uint64_t head, tail = 0;
    memcpy(&head, p, 8);
    head &= words->shapes[side].head;
    if (is_long) {
        memcpy(&tail, p + 8, 8);
        tail &= words->shapes[side].tail;
    }
    const word *at = place_of(words, side, head, tail);
    tail |= (uint64_t)meaning << MEANING;
    if (QP_RARE(at->head != head || at->tail != tail)) {
        at++;
        if (at->head != head || at->tail != tail)
            return NULL;
    }
    return at;
}

static unsigned meaning_of(const word *known)
{
    return (unsigned)(known->tail >> MEANING & 0xff);
}

static void shape_of(shape *to, size_t len)
{
    unsigned char bytes[2 * 8] = {0};
    memset(bytes, 0xff, len);
    memcpy(&to->head, bytes, 8);
    memcpy(&to->tail, bytes + 8, 8);
    to->len = len;
}

/* One reading under way. */
typedef struct walk {
    const qp_rounds_reading *r;
    qp_words *words;
    struct qp_rounds_kept *kept;
    const unsigned char *p, *start, *end;
    const unsigned char *near; /* before that a round needs no care */
    so_far so_far;
    uint32_t stop;  /* as of follow() */
    uint32_t first; /* so_far.number at the start */
    uint32_t lines;
    unsigned round; /* the last number */
    bool places;    /* those of the course are in order */
    bool good;
    /* NULL: nothing is to be judged; else the line of the first ply after which something
     * is, and the lines and plies before it. */
    const unsigned char *loud;
    uint32_t loud_lines, loud_ply;
    bool repeats;           /* a position may have come up three times */
    uint32_t longest_quiet; /* where they are too many: the most plies without a capture */
} walk;

/* Reads a word that is not known yet, into its place. Only what the reader of movetext
 * takes for a plain move is one. */
static bool learn(walk *w, size_t len, word *to, qp_side side)
{
    enum { TEXT_MAX = 3 * WORD_MAX };
    const qp_rounds_reading *r = w->r;
    char text[TEXT_MAX + QP_KNOWN + 8] = {0};
    size_t n = qp_source_decode(r->source, r->encoding, w->p, len, text, TEXT_MAX), used;
    uint64_t meaning = OTHER;
    *to = (word){.head = 0};
    if (n == 0)
        return false;
    text[n] = ' ';
    const qp_known_move *known = qp_lex_known(r->memo, r->lexer, text, &used);
    if (known == NULL || used != n)
        return false;
    const qp_written *written = &known->written;
    qp_move move =
        written->form == QP_FORM_COORD ? qp_coord_move(written, QP_BASE_ZERO) : 0;
    if (known->stride != 0) {
        qp_stride stride;
        qp_stride_fill(&stride, side, known->stride);
        qp_course_stride_make(&w->kept->course, &to->as.stride, &stride);
        meaning = STRIDE;
    } else if (move != 0 && QP_FROM(move) < QP_SQUARES && QP_TO(move) < QP_SQUARES) {
        qp_course_pace_make(&to->as.pace, move);
        meaning = SQUARES;
    }
    memcpy(&to->head, w->p, len < 8 ? len : 8);
    if (len > 8)
        memcpy(&to->tail, w->p + 8, len - 8);
    to->tail |= meaning << MEANING;
    to->notation =
        (uint8_t)(2 * written->dialect + ((written->style & QP_STYLE_TRADITIONAL) != 0));
    r->words->written[side][to - r->words->at[side]] = *written;
    return true;
}

/* The word at p, wherever it is kept; learnt where it is new. NULL: it is none. */
static word *find_word(walk *w, size_t *len, qp_side side)
{
    const uint64_t bytes = ~(UINT64_C(0xff) << MEANING);
    uint64_t head, tail;
    size_t i = 0;
    *len = word_at(w->p, &head, &tail);
    if (*len == 0)
        return NULL;
    word *at = place_of(w->words, side, head, tail);
    for (; i < BEHIND && at[i].head != 0; i++)
        if (at[i].head == head && (at[i].tail & bytes) == tail)
            return &at[i];
    at += i < BEHIND ? i : 0;
    return learn(w, *len, at, side) ? at : NULL;
}

/* ---- plies that need care ---- */

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
static bool pass_to_word(walk *w)
{
    const unsigned char *p = w->p;
    unsigned layout = w->words->layout;
    for (; p < w->end; w->p = p) {
        unsigned c = *p, value;
        if (c > '9')
            return true;
        if (c == ' ') {
            p++;
            layout = BLANK;
        } else if (c == '\n') {
            layout = p > w->start && p[-1] == '\r' ? CR_LINE_END : LINE_END;
            w->p = ++p;
            w->lines++;
            if (p < w->end && *p <= ' ')
                return false; /* an empty line ends a paragraph */
        } else if (c == '\r' && p[1] == '\n') {
            p++;
        } else if (c - '0' <= 9) {
            size_t used = number_at(p, &value);
            if (used == 0)
                return false;
            if (value != 1 + (w->so_far.number - w->first) / 2 || value <= w->round) {
                w->good = false;
                return false;
            }
            w->round = value;
            w->words->layout = layout;
            p += used;
        } else {
            return false;
        }
    }
    return false;
}

/* Whether a word of plain rounds is a move: it is no number. */
static inline bool is_move(const unsigned char *p)
{
    return *p > '9';
}

/* The next word of plain rounds at or behind p, whatever it is: *end is where it ends.
 * NULL: there is none. */
static const unsigned char *next_word(const unsigned char *p, const unsigned char *stop,
                                      const unsigned char **end)
{
    while (p < stop && *p <= ' ')
        p++;
    *end = p;
    while (*end < stop && (*end)[0] > ' ')
        ++*end;
    return p < stop ? p : NULL;
}

/* The start of the line that p lies in. */
static const unsigned char *line_of(const walk *w, const unsigned char *p)
{
    while (p > w->start && p[-1] != '\n')
        p--;
    return p;
}

/* A ply after which there may be something to judge; w->p stands behind it. */
static void note_loud(walk *w, unsigned found)
{
    uint32_t quiet = w->so_far.number - w->so_far.since;
    if (w->loud == NULL) {
        const unsigned char *end = w->loud = line_of(w, w->p);
        w->loud_lines = w->lines;
        w->loud_ply = w->so_far.number - w->first;
        for (const unsigned char *p; (p = next_word(end, w->p, &end)) != NULL;)
            w->loud_ply -= is_move(p);
    }
    w->repeats |= (found & THRICE) != 0;
    if ((found & QUIET) && quiet > w->longest_quiet)
        w->longest_quiet = quiet;
}

/* Looks at what a ply led to; false: no more is to be played. */
static bool look(walk *w, qp_side side)
{
    unsigned found = look_closer(w->kept, &w->so_far, side, w->r->most_quiet, &w->stop);
    if (w->r->heads)
        found &= UNSAFE;
    w->good = !(found & UNSAFE) && (found == 0 || w->r->keeps_loud);
    if (found != 0 && w->good)
        note_loud(w, found);
    return w->good;
}

/* Plays what the resolver makes of a word; false: it is no one sound move. */
static bool play_resolved(walk *w, const word *known, qp_course_step *step, qp_side side)
{
    qp_course_state *now = &w->kept->course.now;
    const qp_written *written = &w->words->written[side][known - w->words->at[side]];
    qp_course_pace pace;
    qp_move moves[8];
    unsigned pick;
    qp_course_kings(now);
    now->board.side = (uint8_t)side;
    now->board.calm = 0;
    if (qp_resolve(&now->board, written, QP_BASE_ZERO, moves, &pick) != 1)
        return false;
    qp_course_pace_make(&pace, moves[0]);
    return qp_course_pace_play(&w->kept->course, &pace, step, side, true);
}

/* Plays a word of any kind. */
static bool play_word(walk *w, const word *known, qp_course_step *step, qp_side side)
{
    qp_course *course = &w->kept->course;
    const qp_course_stride *stride = &known->as.stride;
    const unsigned meaning = meaning_of(known);
    bool played = false;
    if (meaning == STRIDE) {
        unsigned place = qp_course_only(&course->now, stride, side);
        unsigned all = course->now.place[stride->from_place];
        played = qp_course_stride_play(course, stride, place, all - place, step, side);
    } else if (meaning == SQUARES) {
        played = qp_course_pace_play(course, &known->as.pace, step, side, true);
    }
    return played || play_resolved(w, known, step, side);
}

/* Reads and plays a side's ply, whatever stands before it and wherever its word is kept;
 * false: none is there, or none that is good. */
static QP_APART bool take_ply(walk *w, qp_side side)
{
    const unsigned char *before = w->p;
    size_t len;
    qp_course_step step;
    bool joined = before > w->start && before[-1] > ' ' && *before > ' ';
    if (!joined && !pass_to_word(w))
        return false;
    w->good = false;
    word *known = find_word(w, &len, side);
    if (joined || known == NULL)
        return false;
    if (meaning_of(known) != OTHER) {
        w->words->squares = meaning_of(known) == SQUARES;
        if (w->words->shapes[side].len != len)
            shape_of(&w->words->shapes[side], len);
    }
    if (!w->places)
        qp_course_places(&w->kept->course.now);
    w->places = true;
    if (!play_word(w, known, &step, side))
        return false;
    w->words->notations[known->notation]++;
    w->p += len;
    w->good = w->p <= w->end;
    return w->good &&
           (follow(w->kept, &w->so_far, &step, w->stop, side, true) || look(w, side));
}

/* ---- all others ---- */

/* What changes from ply to ply: in registers, while a game is plain. */
typedef struct quick {
    const unsigned char *p;
    const numeral *next; /* before Red's next move */
    so_far so_far;
} quick;

/* LOOK: closer, at the ply; CARE: the next one needs it. */
enum outcome { PLAYED, LOOK, CARE };
enum kind { SHORT_STRIDES, LONG_STRIDES, SHORT_SQUARES };

static QP_INLINE enum outcome quick_ply(walk *w, quick *q, const qp_side side,
                                        const enum kind kind)
{
    struct qp_rounds_kept *kept = w->kept;
    qp_course *course = &kept->course;
    qp_words *words = w->words;
    const unsigned char *p = q->p;
    const word *known;
    qp_course_step step;
    if (side == QP_RED) {
        uint64_t bytes;
        memcpy(&bytes, p, sizeof bytes);
        if (QP_RARE(((bytes ^ q->next->bytes) & q->next->mask) != 0) ||
            QP_RARE(p >= w->near))
            return CARE;
        p += q->next->len;
    } else if (QP_RARE(*p++ != ' ')) {
        return CARE;
    }
    if (kind == SHORT_SQUARES) {
        known = usual_word(words, p, side, SQUARES, false);
        if (QP_RARE(known == NULL) ||
            QP_RARE(!qp_course_pace_play(course, &known->as.pace, &step, side, false)))
            return CARE;
    } else {
        known = usual_word(words, p, side, STRIDE, kind == LONG_STRIDES);
        if (QP_RARE(known == NULL))
            return CARE;
        unsigned place = course->now.place[known->as.stride.from_place];
        if (QP_RARE(
                !qp_course_stride_play(course, &known->as.stride, place, 0, &step, side)))
            return CARE;
    }
    words->notations[known->notation]++;
    q->p = p + words->shapes[side].len;
    q->next += side == QP_RED;
    return follow(kept, &q->so_far, &step, w->stop, side, true) ? PLAYED : LOOK;
}

/* Plays from a side's ply on what needs no care; *side is then whose ply does, or that to
 * be looked at. */
static QP_INLINE enum outcome quick_plies(walk *w, qp_side *side, const enum kind kind)
{
    enum outcome outcome;
    qp_side at = *side;
    unsigned round = (w->so_far.number - w->first + 1) / 2;
    const numeral *numbers = w->words->numbers[w->words->layout];
    const numeral *next = numbers + (round < NUMBERS ? round : NUMBERS);
    quick q = {w->p, next, w->so_far};
    if (at == QP_BLACK)
        goto black;
    for (;;) {
        at = QP_RED;
        if ((outcome = quick_ply(w, &q, QP_RED, kind)) != PLAYED)
            break;
    black:
        at = QP_BLACK;
        if ((outcome = quick_ply(w, &q, QP_BLACK, kind)) != PLAYED)
            break;
    }
    *side = at;
    w->p = q.p;
    w->so_far = q.so_far;
    if (q.next != next) {
        w->round = (unsigned)(q.next - numbers);
        if (w->words->layout != BLANK)
            w->lines += (uint32_t)(q.next - next) - (next == numbers);
    }
    return outcome;
}

static QP_APART enum outcome short_strides(walk *w, qp_side *side)
{
    return quick_plies(w, side, SHORT_STRIDES);
}

static QP_APART enum outcome long_strides(walk *w, qp_side *side)
{
    return quick_plies(w, side, LONG_STRIDES);
}

static QP_APART enum outcome short_squares(walk *w, qp_side *side)
{
    return quick_plies(w, side, SHORT_SQUARES);
}

/* Plays the rest of what needs no care. */
static enum outcome play_quickly(walk *w, qp_side *side)
{
    const shape *shapes = w->words->shapes;
    bool is_long = shapes[QP_RED].len > 8 || shapes[QP_BLACK].len > 8;
    if (w->p >= w->near)
        return CARE;
    if (w->words->squares) {
        if (is_long)
            return CARE;
        w->places = false;
        return short_squares(w, side);
    }
    if (!w->places)
        qp_course_places(&w->kept->course.now);
    w->places = true;
    return is_long ? long_strides(w, side) : short_strides(w, side);
}

static void play_rounds(walk *w)
{
    qp_side side = QP_RED;
    while (play_quickly(w, &side) == LOOK ? look(w, side) : take_ply(w, side))
        side = QP_OTHER(side);
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

/* Within a round, what a word and what stands before it can take. */
enum { ROUND_MAX = 7 + WORD_MAX - 1 + 1 + WORD_MAX };

size_t qp_rounds_read(const qp_rounds_reading *r, const unsigned char *p, size_t n,
                      qp_rounds *rounds, size_t *line, uint32_t *lines)
{
    struct qp_rounds_kept *kept = rounds_kept_of(r->record);
    if (kept == NULL)
        return 0;
    if (r->words->encoding != r->encoding) {
        if (r->words->encoding != QP_ENC_BINARY) /* they were never used */
            memset(r->words->at, 0, sizeof r->words->at);
        r->words->encoding = r->encoding;
    }
    memset(r->words->notations, 0, sizeof r->words->notations);
    walk w = {.r = r,
              .words = r->words,
              .kept = kept,
              .p = p,
              .start = p,
              .end = p + n,
              .near = p + (n > ROUND_MAX ? n - ROUND_MAX : 0),
              .so_far = begin(kept),
              .places = true,
              .good = true};
    w.first = w.so_far.number;
    w.stop = w.first + r->most_quiet + 1;
    play_rounds(&w);
    uint32_t plies = w.so_far.number - w.first;
    bool loud = w.loud != NULL;
    kept->number = w.so_far.number;
    if (!w.good || plies == 0 || plies > r->most_plies || w.p > w.end ||
        (loud && plies > MOVES_KEPT))
        return 0;
    *rounds = (qp_rounds){.plies = plies,
                          .notation = "",
                          .final = board_of(kept, &w.so_far, plies),
                          .loud = loud,
                          .text_ply = w.loud_ply,
                          .repeats = w.repeats,
                          .longest_quiet = w.longest_quiet};
    rounds->end = r->heads ? QP_END_NONE : end_of(kept, &rounds->final);
    *line = (size_t)((loud ? w.loud : line_of(&w, w.p)) - p);
    *lines = loud ? w.loud_lines : w.lines;
    return (size_t)(w.p - p);
}

void qp_rounds_moves(qp_record *record, const qp_rounds *rounds, qp_move *moves)
{
    struct qp_rounds_kept *kept = rounds_kept_of(record);
    uint32_t first = kept->number - rounds->plies + 1;
    for (uint32_t i = 0; i < rounds->plies; i++)
        moves[i] = kept->moves[(first + i) % MOVES_KEPT];
}

bool qp_rounds_place(const qp_record *record, uint32_t ply, size_t *at, size_t *len)
{
    const qp_rounds *rounds = record->rounds;
    const unsigned char *text = (const unsigned char *)record->text;
    const unsigned char *p = text + rounds->text_at, *end = p;
    uint32_t before = rounds->text_ply;
    if (rounds->squares_len != 0) {
        size_t behind =
            rounds->places ? rounds->places[ply - 1] : (ply - 1) * rounds->squares_apart;
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
    struct qp_rounds_kept *kept;
    const char *at, *end; /* the moves */
    size_t step;
    uint32_t most_quiet, stop;
    so_far so_far;
    bool keeps_loud, loud, repeats;
    uint32_t longest_quiet;
} squares;

/* Looks at what a ply led to; false: no more is to be played. */
static bool look_at_square(squares *s, qp_side side)
{
    unsigned found = look_closer(s->kept, &s->so_far, side, s->most_quiet, &s->stop);
    uint32_t quiet = s->so_far.number - s->so_far.since;
    s->loud |= found != 0;
    s->repeats |= (found & THRICE) != 0;
    if ((found & QUIET) && quiet > s->longest_quiet)
        s->longest_quiet = quiet;
    return found == 0 || (s->keeps_loud && !(found & UNSAFE));
}

/* Plays a side's ply; false: there is none, or none that is sound. side is a constant. */
static QP_INLINE bool play_squares(squares *s, const qp_side side)
{
    if (QP_RARE(s->at == s->end))
        return false;
    const qp_move move = *(const qp_move *)s->at;
    qp_course_pace *pace = &s->kept->paces[move];
    qp_course_step step;
    if (QP_RARE(!pace->made))
        qp_course_pace_make(pace, move);
    if (QP_RARE(!qp_course_pace_play(&s->kept->course, pace, &step, side, false)) ||
        (!follow(s->kept, &s->so_far, &step, s->stop, side, false) && !look_at_square(s, side)))
        return false;
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
    struct qp_rounds_kept *kept = rounds_kept_of(record);
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
                 .so_far = begin(kept)};
    s.stop = s.so_far.number + most_quiet + 1;
    while (play_squares(&s, QP_RED) && play_squares(&s, QP_BLACK))
        ;
    kept->number = s.so_far.number;
    if (s.at != s.end)
        return false;
    *rounds = (qp_rounds){.plies = (uint32_t)count,
                          .notation = "iccs",
                          .final = board_of(kept, &s.so_far, (uint32_t)count),
                          .loud = s.loud,
                          .repeats = s.repeats,
                          .longest_quiet = s.longest_quiet};
    rounds->end = end_of(kept, &rounds->final);
    return !s.loud || lend(record, all, rounds);
}
