/* Plain rounds: `12. 炮二平五 马8进7`, as nearly all of them are written, straight from
 * the bytes of the file. A word that was met before is known by its bytes, in whatever
 * encoding, so nothing is decoded; it is played forward (rules/course.h), and nothing is
 * kept of it. Whatever is not as plain as that, or calls for a finding, is left to the
 * reader and the replay, which say the same of all that is read here.
 */
#include "config.h"

#include "game/rounds.h"

#include <stdlib.h>

enum { WORD_MAX = 7 + 8 }; /* bytes of a word, and one more */

/* The meaning of a word. OTHER: only the resolver can tell. */
enum { STRIDE, SQUARES, OTHER };

/* ---- words ---- */

/* The length of the word at p, up to a blank or what comes before that in ASCII; 0 where
 * it is too long. */
static size_t word_len(const unsigned char *p)
{
    size_t len = 0;
    while (len < WORD_MAX && p[len] > ' ')
        len++;
    return len < WORD_MAX ? len : 0;
}

static void shape_of(qp_word_shape *to, size_t len)
{
    unsigned char bytes[2 * 8] = {0}, *tail = bytes + 8;
    memset(bytes, 0xff, len < 8 ? len : 8);
    if (len > 8) {
        bytes[7] = ' ' - 1; /* no word has such a byte */
        memset(tail, 0xff, len - 7);
    }
    memcpy(&to->head, bytes, 8);
    memcpy(&to->tail, tail, 8);
    to->len = len;
}

static QP_INLINE uint64_t head_of(const unsigned char *p, const qp_word_shape *shape)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes & shape->head;
}
static QP_INLINE uint64_t tail_of(const unsigned char *p, const qp_word_shape *shape)
{
    uint64_t bytes;
    memcpy(&bytes, p + 7, sizeof bytes);
    return bytes & shape->tail;
}

/* The factor is the best of some hundred for the words of the usual notations. */
static QP_INLINE qp_word *place_of(struct qp_rounds_kept *kept, const qp_side side,
                                   uint64_t head, uint64_t tail)
{
    uint64_t hash = (head ^ tail << 24) * UINT64_C(0x4692ba0357079671);
    return (qp_word *)((char *)kept->words[side] +
                       (hash >> (64 - QP_WORDS_BITS)) * sizeof(qp_word));
}

/* A word of the usual length, if it stands at p, and is kept at its place or the next;
 * NULL: there may be another. What stands behind it is left to whoever reads that. */
static QP_INLINE const qp_word *usual_word(struct qp_rounds_kept *kept,
                                           const unsigned char *p, const qp_side side,
                                           const bool is_long)
{
    const qp_word_shape *shape = &kept->shapes[side];
    uint64_t head = head_of(p, shape), tail = is_long ? tail_of(p, shape) : 0;
    const qp_word *at = place_of(kept, side, head, tail);
    if (QP_RARE(at->head != head || (is_long && at->tail != tail))) {
        at++;
        if (at->head != head || (is_long && at->tail != tail))
            return NULL;
    }
    return at;
}

static inline qp_plain_ply *text_of(struct qp_rounds_kept *kept, qp_side side,
                                    const qp_word *word)
{
    return &kept->texts[side * (QP_WORDS + QP_WORDS_BEHIND) + (word - kept->words[side])];
}

/* Notes what said the ply that is to be followed next. */
static QP_INLINE void keep_word(struct qp_rounds_kept *kept, const qp_so_far *s,
                                const qp_word *word, const qp_side side)
{
    size_t place = (size_t)((const char *)word - (const char *)kept->words[side]) / sizeof *word;
    kept->ring[(s->number + 1) % QP_RING].word = (uint16_t)place;
}

/* One reading under way. */
typedef struct walk {
    const qp_rounds_reading *r;
    struct qp_rounds_kept *kept;
    const unsigned char *p, *start, *end;
    qp_so_far so_far;
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
    uint32_t longest_quiet; /* where too many: the most plies without a capture */
} walk;

/* Reads a word that is not known yet, into its place. Only what the reader of movetext
 * takes for a plain move is one. */
static bool learn(walk *w, size_t len, qp_word *to, qp_side side)
{
    enum { TEXT_MAX = 3 * WORD_MAX };
    const qp_rounds_reading *r = w->r;
    char text[TEXT_MAX + QP_KNOWN + 8] = {0};
    size_t n = qp_source_decode(r->source, r->encoding, w->p, len, text, TEXT_MAX), used;
    *to = (qp_word){.meaning = OTHER};
    if (w->kept->texts != NULL) {
        qp_plain_ply *kept = text_of(w->kept, side, to);
        kept->len = n <= sizeof kept->text ? (uint8_t)n : 0;
        memcpy(kept->text, text, kept->len);
    }
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
        qp_course_stride_make(&w->kept->course, &to->stride, &stride);
        to->meaning = STRIDE;
    } else if (move != 0 && QP_FROM(move) < QP_SQUARES && QP_TO(move) < QP_SQUARES) {
        to->pace = *qp_rounds_pace(w->kept, move);
        to->meaning = SQUARES;
    }
    qp_word_shape shape;
    shape_of(&shape, len);
    to->head = head_of(w->p, &shape);
    to->tail = len > 8 ? tail_of(w->p, &shape) : 0;
    to->notation =
        (uint8_t)(2 * written->dialect + ((written->style & QP_STYLE_TRADITIONAL) != 0));
    w->kept->written[side][to - w->kept->words[side]] = *written;
    return true;
}

/* The word at p, wherever it is kept; learnt where it is new. NULL: it is none. */
static qp_word *find_word(walk *w, size_t *len, qp_side side)
{
    qp_word_shape shape;
    size_t i = 0;
    *len = word_len(w->p);
    if (*len == 0)
        return NULL;
    shape_of(&shape, *len);
    uint64_t head = head_of(w->p, &shape), tail = *len > 8 ? tail_of(w->p, &shape) : 0;
    qp_word *at = place_of(w->kept, side, head, tail);
    for (; i < QP_WORDS_BEHIND && at[i].head != 0; i++)
        if (at[i].head == head && at[i].tail == tail)
            return &at[i];
    w->kept->replaced |= i == QP_WORDS_BEHIND;
    at += i < QP_WORDS_BEHIND ? i : 0;
    return learn(w, *len, at, side) ? at : NULL;
}

/* ---- plies that need care ---- */

/* Passes over what stands before a word: blanks, line ends and numbers. false: no word
 * follows. */
static bool pass_to_word(walk *w)
{
    const unsigned char *p = w->p;
    unsigned layout = w->kept->layout;
    for (; p < w->end; w->p = p) {
        unsigned c = *p, value;
        if (c > '9')
            return true;
        if (c == ' ') {
            p++;
            layout = QP_BLANK;
        } else if (c == '\n') {
            layout = p > w->start && p[-1] == '\r' ? QP_CR_LINE_END : QP_LINE_END;
            w->p = ++p;
            w->lines++;
            if (p < w->end && *p <= ' ')
                return false; /* an empty line ends a paragraph */
        } else if (c == '\r' && p[1] == '\n') {
            p++;
        } else if (c - '0' <= 9) {
            size_t used = qp_numeral_at(p, &value);
            if (used == 0)
                return false;
            if (value != 1 + (w->so_far.number - w->first) / 2 || value <= w->round) {
                w->good = false;
                return false;
            }
            w->round = value;
            w->kept->layout = layout;
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
    w->repeats |= (found & QP_THRICE) != 0;
    if ((found & QP_LONG_QUIET) && quiet > w->longest_quiet)
        w->longest_quiet = quiet;
}

/* Looks at what a ply led to; false: no more is to be played. */
static bool look(walk *w, qp_side side)
{
    unsigned found = qp_rounds_look(w->kept, &w->so_far, side, w->r->most_quiet);
    if (w->r->heads || w->r->trees)
        found &= QP_UNSAFE;
    w->good = !(found & QP_UNSAFE) && (found == 0 || w->r->keeps_loud);
    if (found != 0 && w->good)
        note_loud(w, found);
    return w->good;
}

/* Plays `前炮退二`, or of the rear piece, where two such pieces stand on one file and no
 * others on any: as the piece on that file, as the resolver does. false: it is anything
 * else. */
static bool play_ordered(walk *w, const qp_written *written, qp_course_step *step,
                         qp_side side)
{
    qp_course *course = &w->kept->course;
    qp_written usual = *written;
    unsigned kind = written->kind, place = 0;
    qp_piece piece = QP_PIECE(side, kind);
    bool front = written->which == QP_WHICH_FRONT;
    if (written->form != QP_FORM_WHICH_PIECE || written->kinds != 0 || !w->places ||
        (kind != QP_ROOK && kind != QP_HORSE && kind != QP_CANNON) ||
        (!front && written->which != QP_WHICH_REAR))
        return false;
    for (int file = 0; file < 9; file++) {
        unsigned here = course->now.place[file * 16 + piece];
        if (here < 2 * QP_PLACE)
            continue;
        if (place != 0 || here >= 3 * QP_PLACE)
            return false;
        place = here;
        usual.road = (uint8_t)QP_ROAD(side, file);
    }
    usual.form = QP_FORM_PIECE_ROAD;
    unsigned number = qp_stride_number(&usual), rank = 0;
    if (place == 0 || number == 0)
        return false;
    const qp_stride *known = qp_stride_of(qp_kept_of(w->r->record), side, number);
    qp_course_stride stride;
    qp_course_stride_make(course, &stride, known);
    while (course->now.board.at[rank * 9 + known->file] != piece)
        rank++;
    unsigned low = QP_PLACE + rank, high = place - low,
             one = front == (side == QP_RED) ? high : low;
    return qp_course_stride_play(course, &stride, one, place - one, step, side);
}

/* Plays what the resolver makes of a word; false: it is no one sound move. */
static bool play_resolved(walk *w, const qp_word *known, qp_course_step *step,
                          qp_side side)
{
    qp_course_state *now = &w->kept->course.now;
    const qp_written *written = &w->kept->written[side][known - w->kept->words[side]];
    qp_move moves[8];
    unsigned pick;
    if (play_ordered(w, written, step, side))
        return true;
    qp_course_kings(now);
    now->board.side = (uint8_t)side;
    now->board.calm = 0;
    return qp_resolve(&now->board, written, QP_BASE_ZERO, moves, &pick) == 1 &&
           qp_course_pace_play(&w->kept->course, qp_rounds_pace(w->kept, moves[0]), step,
                               side, w->places);
}

/* Plays a word of any kind. */
static bool play_word(walk *w, const qp_word *known, qp_course_step *step, qp_side side)
{
    qp_course *course = &w->kept->course;
    const qp_course_stride *stride = &known->stride;
    const unsigned meaning = known->meaning;
    bool played = false;
    if (meaning == STRIDE) {
        if (!w->places)
            qp_course_places(&course->now);
        w->places = true;
        unsigned all = course->now.place[stride->from_place], place = all;
        if (all > QP_PLACE + 9)
            place = qp_course_only(course, stride, side);
        played = qp_course_stride_play(course, stride, place, all - place, step, side);
    } else if (meaning == SQUARES) {
        played = qp_course_pace_play(course, &known->pace, step, side, w->places);
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
    qp_word *known = find_word(w, &len, side);
    if (joined || known == NULL)
        return false;
    if (known->meaning != OTHER) {
        w->kept->squares = known->meaning == SQUARES;
        if (w->kept->shapes[side].len != len)
            shape_of(&w->kept->shapes[side], len);
    }
    if (!play_word(w, known, &step, side))
        return false;
    w->kept->notations[known->notation]++;
    w->p += len;
    w->good = w->p <= w->end;
    keep_word(w->kept, &w->so_far, known, side);
    return w->good &&
           (qp_rounds_follow(w->kept, &w->so_far, &step, side, true) || look(w, side));
}

/* ---- all others ---- */

/* What changes from ply to ply: in registers, while a game is plain. */
typedef struct quick {
    const unsigned char *p;
    const qp_numeral *next; /* before Red's next move */
    qp_so_far so_far;
} quick;

/* LOOK: closer, at the ply; CARE: the next one needs it. */
enum outcome { PLAYED, LOOK, CARE };
enum kind { SHORT_STRIDES, LONG_STRIDES, SHORT_SQUARES };

static QP_INLINE enum outcome quick_ply(walk *w, quick *q, const qp_side side,
                                        const enum kind kind)
{
    struct qp_rounds_kept *kept = w->kept;
    qp_course *course = &kept->course;
    const unsigned char *p = q->p;
    const qp_word *known;
    qp_course_step step;
    if (side == QP_RED) {
        uint64_t bytes;
        memcpy(&bytes, p, sizeof bytes);
        if (QP_RARE(((bytes ^ q->next->bytes) & q->next->mask) != 0) ||
            QP_RARE(p >= kept->near))
            return CARE;
        p += q->next->len;
    } else if (QP_RARE(*p++ != ' ')) {
        return CARE;
    }
    if (kind == SHORT_SQUARES) {
        known = usual_word(kept, p, side, false);
        if (QP_RARE(known == NULL) ||
            QP_RARE(!qp_course_pace_play(course, &known->pace, &step, side, false)))
            return CARE;
    } else {
        known = usual_word(kept, p, side, kind == LONG_STRIDES);
        if (QP_RARE(known == NULL))
            return CARE;
        unsigned place = course->now.place[known->stride.from_place];
        if (QP_RARE(
                !qp_course_stride_play(course, &known->stride, place, 0, &step, side)))
            return CARE;
    }
    kept->notations[known->notation]++;
    q->p = p + kept->shapes[side].len;
    q->next += side == QP_RED;
    keep_word(kept, &q->so_far, known, side);
    return qp_rounds_follow(kept, &q->so_far, &step, side, true) ? PLAYED : LOOK;
}

/* Plays from a side's ply on what needs no care; *side is then whose ply does, or that to
 * be looked at. */
static QP_INLINE enum outcome quick_plies(walk *w, qp_side *side, const enum kind kind)
{
    enum outcome outcome;
    qp_side at = *side;
    unsigned round = (w->so_far.number - w->first + 1) / 2;
    const qp_numeral *numbers = w->kept->numerals[w->kept->layout];
    const qp_numeral *next = numbers + (round < QP_NUMERALS ? round : QP_NUMERALS);
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
        if (w->kept->layout != QP_BLANK)
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
    const qp_word_shape *shapes = w->kept->shapes;
    bool is_long = shapes[QP_RED].len > 8 || shapes[QP_BLACK].len > 8;
    if (w->p >= w->kept->near)
        return CARE;
    if (w->kept->squares) {
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
    const uint32_t *notations = qp_rounds_kept_of(r->record)->notations;
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
    struct qp_rounds_kept *kept = qp_rounds_kept_of(r->record);
    if (kept == NULL)
        return 0;
    if (kept->encoding != r->encoding) {
        if (kept->encoding != QP_ENC_BINARY) /* they were never used */
            memset(kept->words, 0, sizeof kept->words);
        kept->encoding = r->encoding;
    }
    if (r->trees && kept->texts == NULL)
        kept->texts = calloc(2 * (QP_WORDS + QP_WORDS_BEHIND), sizeof *kept->texts);
    if (r->trees && kept->texts == NULL)
        return 0;
    memset(kept->notations, 0, sizeof kept->notations);
    kept->replaced = false;
    kept->near = p + (n > ROUND_MAX ? n - ROUND_MAX : 0);
    walk w = {.r = r,
              .kept = kept,
              .p = p,
              .start = p,
              .end = p + n,
              .so_far = qp_rounds_begin(kept, r->most_quiet),
              .places = true,
              .good = true};
    w.first = w.so_far.number;
    play_rounds(&w);
    uint32_t plies = w.so_far.number - w.first;
    bool loud = w.loud != NULL;
    kept->number = w.so_far.number;
    if (!w.good || plies == 0 || plies > r->most_plies || w.p > w.end ||
        ((loud || r->trees) && plies > QP_RING))
        return 0;
    *rounds = (qp_rounds){.plies = plies,
                          .notation = "",
                          .loud = loud,
                          .text_ply = w.loud_ply,
                          .repeats = w.repeats,
                          .longest_quiet = w.longest_quiet};
    qp_rounds_end(kept, &w.so_far, !r->heads || r->trees, rounds);
    *line = (size_t)((loud ? w.loud : line_of(&w, w.p)) - p);
    *lines = loud ? w.loud_lines : w.lines;
    return (size_t)(w.p - p);
}

void qp_rounds_moves(qp_record *record, const qp_rounds *rounds, qp_move *moves)
{
    struct qp_rounds_kept *kept = qp_rounds_kept_of(record);
    uint32_t first = kept->number - rounds->plies + 1;
    for (uint32_t i = 0; i < rounds->plies; i++)
        moves[i] = QP_MOVE(kept->ring[(first + i) % QP_RING].from,
                           kept->ring[(first + i) % QP_RING].to);
}

/* The text of the word at p, which is so many bytes long; 0: it is none. */
static QP_APART uint8_t decode_word(const qp_rounds_reading *r, const unsigned char *p,
                                    qp_plain_ply *text)
{
    text->len = (uint8_t)qp_source_decode(r->source, r->encoding, p, word_len(p), text->text,
                                          sizeof text->text);
    return text->len;
}

/* The n-th move from p on. */
static const unsigned char *nth_move(const unsigned char *p, const unsigned char *stop, uint32_t n)
{
    const unsigned char *end = p;
    while ((p = next_word(end, stop, &end)) != NULL)
        if (is_move(p) && n-- == 0)
            return p;
    return NULL;
}

bool qp_rounds_plies(const qp_rounds_reading *r, const qp_rounds *rounds,
                     const unsigned char *p, size_t n, qp_plain_ply *plies)
{
    struct qp_rounds_kept *kept = qp_rounds_kept_of(r->record);
    uint32_t first = kept->number - rounds->plies + 1;
    if (rounds->plies > QP_RING || kept->replaced)
        return false;
    qp_plain_ply *texts[2] = {text_of(kept, QP_RED, kept->words[QP_RED]),
                              text_of(kept, QP_BLACK, kept->words[QP_BLACK])};
    for (uint32_t i = 0; i < rounds->plies; i++) {
        unsigned at = (first + i) % QP_RING;
        qp_plain_ply *text = &texts[i % 2][kept->ring[at].word];
        if (QP_RARE(text->len == 0)) {
            const unsigned char *word = nth_move(p, p + n, i);
            if (word == NULL || decode_word(r, word, text) == 0)
                return false;
        }
        plies[i] = *text;
        plies[i].move = QP_MOVE(kept->ring[at].from, kept->ring[at].to);
    }
    return true;
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
