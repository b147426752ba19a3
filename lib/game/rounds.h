/* Inside the game floor: what plain rounds and plain squares share. A game that is played
 * forward on a course, what is followed of it, and the words that rounds are known by. */
#ifndef QP_GAME_ROUNDS_H
#define QP_GAME_ROUNDS_H

#include "game/replay.h"
#include "rules/course.h"

enum {
    QP_CACHE_LINE = 64, /* of usual processors; where it is another, that costs time */
    QP_WORDS_BITS = 12,
    QP_WORDS = 1 << QP_WORDS_BITS, /* of a side; a file repeats about a thousand */
    QP_WORDS_BEHIND = 8,           /* so many places are looked at */
    QP_NUMERALS = 256,             /* more rounds than nearly all games have */
    QP_SEEN_BITS = 11,
    QP_RING = 512, /* more plies than nearly all games have */
};

/* What stands before Red's move: the bytes as they lie in memory, and which they are. */
typedef struct qp_numeral {
    uint64_t bytes, mask;
    size_t len;
} qp_numeral;

/* How rounds follow each other: what stands before the number. */
enum { QP_LINE_END, QP_CR_LINE_END, QP_BLANK, QP_LAYOUTS };

/* What is known of a side's word: one line of a processor's cache, since where it lies is
 * what the next word tells and nothing before. */
typedef struct qp_word {
    uint64_t head, tail; /* the bytes: see qp_word_shape; 0: nothing is here, and all else
                            is 0 */
    qp_course_stride stride; /* STRIDE; of others of no ranks */
    qp_course_pace pace;     /* SQUARES; of others of no pieces */
    uint8_t meaning;
    uint8_t notation; /* 2 * its dialect, and 1 where the script is traditional */
} qp_word;
_Static_assert(sizeof(qp_word) == QP_CACHE_LINE, "one line");

/* The length of a side's last word that only needs the course, as most do; and of the
 * eight bytes at such a word, and at its eighth, what makes its head and tail, as they
 * lie in memory. Words of up to eight bytes have no tail. Longer ones have no more than
 * the lower bits of their eighth byte in their head, so that it is no shorter word. */
typedef struct qp_word_shape {
    size_t len;
    uint64_t head, tail;
} qp_word_shape;

/* What goes along with a game. Plies are numbered as in qp_quiet. */
typedef struct qp_so_far {
    uint32_t number, since;
} qp_so_far;

/* What a record's replay keeps. All that a ply needs is close together, and found from
 * one address. */
struct qp_rounds_kept {
    qp_course course;
    struct {
        uint32_t key; /* after the ply */
        qp_square from, to;
        uint16_t word;                /* of rounds: its place */
    } ring[QP_RING];                  /* the last plies, by number */
    uint32_t seen[1 << QP_SEEN_BITS]; /* by key: the last ply after which it was so */
    uint32_t number;                  /* of the last ply */
    uint32_t stop;                    /* of the game: see qp_rounds_follow */
    const unsigned char *near;        /* before that a round needs no care */
    qp_word_shape shapes[2];          /* by side */
    uint32_t notations[2 * QP_DIALECTS_MAX]; /* plies of the game by qp_word.notation */
    unsigned layout;                         /* of the last game */
    qp_encoding encoding; /* of all words; of none where those were never used */
    bool squares;         /* moves are written as squares */
    bool replaced;        /* in the game at hand, a word by another in its place */
    void *room;           /* what is to be freed */
    qp_plain_ply *texts; /* of words[0], then those of words[1], without moves; len 0: not decoded
                            yet. NULL: not asked for */
    qp_numeral numerals[QP_LAYOUTS][QP_NUMERALS + 1]; /* of round 1, which is alone, on */
    qp_course_pace paces[QP_SQUARES << 7]; /* by qp_move, filled as they turn up */
    /* By side, each at the place that its bytes tell, or behind. */
    _Alignas(QP_CACHE_LINE) qp_word words[2][QP_WORDS + QP_WORDS_BEHIND];
    qp_written written[2][QP_WORDS + QP_WORDS_BEHIND]; /* all that the words say */
};

struct qp_rounds_kept *qp_rounds_kept_of(qp_record *record); /* NULL: memory ran out */
/* Begins a game from the usual start position; more than so many plies without a capture
 * are to be looked at. */
qp_so_far qp_rounds_begin(struct qp_rounds_kept *kept, uint32_t most_quiet);

/* Follows a ply that was played; false: look closer at what it led to. After the ply of
 * the number kept->stop that is asked for in any case. side is a constant wherever speed
 * counts, keeps always: whether the moves are kept. */
static QP_INLINE bool qp_rounds_follow(struct qp_rounds_kept *kept, qp_so_far *s,
                                       const qp_course_step *step, const qp_side side,
                                       const bool keeps)
{
    uint32_t number = ++s->number, key = qp_course_key(&kept->course);
    uint32_t since = s->since = step->taken != 0 ? number : s->since;
    uint32_t before = kept->seen[key >> (32 - QP_SEEN_BITS)];
    kept->seen[key >> (32 - QP_SEEN_BITS)] = number;
    kept->ring[number % QP_RING].key = key;
    if (keeps) {
        kept->ring[number % QP_RING].from = (qp_square)step->from;
        kept->ring[number % QP_RING].to = (qp_square)step->to;
    }
    return QP_LIKELY_TO(!qp_course_alarm(&kept->course, side)) &&
           QP_LIKELY_TO((int32_t)(before - since) < 0) &&
           QP_LIKELY_TO(number != kept->stop);
}

/* The round's number at p, `12. `: its length, 0 for all else. */
static inline size_t qp_numeral_at(const unsigned char *p, unsigned *value)
{
    size_t i = 1;
    *value = p[0] - (unsigned)'0';
    for (unsigned digit; i < 3 && (digit = p[i] - (unsigned)'0') <= 9; i++)
        *value = *value * 10 + digit;
    return p[i] == '.' && p[i + 1] == ' ' ? i + 2 : 0;
}

/* What a closer look shows behind a side's ply. */
enum { QP_UNSAFE = 1, QP_THRICE = 2, QP_LONG_QUIET = 4 };
unsigned qp_rounds_look(struct qp_rounds_kept *kept, const qp_so_far *s, qp_side side,
                        uint32_t most_quiet);
/* Fills in the board after the last of so many plies, and whether that is the end. */
void qp_rounds_end(struct qp_rounds_kept *kept, const qp_so_far *s, bool end,
                   qp_rounds *rounds);

static QP_INLINE const qp_course_pace *qp_rounds_pace(struct qp_rounds_kept *kept,
                                                      qp_move move)
{
    qp_course_pace *pace = &kept->paces[move];
    if (QP_RARE(!pace->made))
        qp_course_pace_make(pace, move);
    return pace;
}

#endif
