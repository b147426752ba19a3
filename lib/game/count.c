/* Plain rounds counted, where nobody asks whether their moves can be played: a word that was met
 * before is known by its bytes, and that it is a move is all there is to know of it. Stands
 * beside rounds.c, which plays them, and takes no more than that does.
 */
#include "config.h"

#include "game/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#if defined(__SSE2__) && defined(__x86_64__) /* a half of 16 bytes in one register */
#define WIDE 1
#include <emmintrin.h>
#endif

enum {
    WORD_BITS = 14, /* more room than words: most are at their own place */
    WORDS = 1 << WORD_BITS, /* a file repeats about a thousand */
    WORD_MAX = 2 * 8,       /* bytes of one are fewer */
    BEHIND = 8,             /* so many places are looked at */
    NUMBERS = 256,          /* more rounds than nearly all games have */
};

/* What stands before a round's first word in its line: the bytes as they lie in memory, and
 * which they are. */
typedef struct number {
    uint64_t bytes, mask;
    size_t len;
} number;

/* A word as it lies in memory, behind it zeros. */
#ifdef WIDE
typedef __m128i word;
#else
typedef struct word {
    uint64_t head, tail;
} word;
#endif
_Static_assert(sizeof(word) == WORD_MAX, "one");

/* How long a side's last word was, and where the bytes of such a word are: nearly all of a file
 * are alike, so that where the next one ends need not be looked for. */
typedef struct shape {
    size_t len;
    word mask;
} shape;

struct qp_counts {
    word at[WORDS + BEHIND]; /* each at the place that its bytes tell, or close behind it; 0:
                                nothing is here */
    number numbers[NUMBERS]; /* of the round behind this one */
    shape shapes[2];         /* by side */
    qp_encoding encoding;    /* of all that is here */
};

static void write_numbers(number numbers[NUMBERS])
{
    for (unsigned i = 0; i + 1 < NUMBERS; i++) {
        char text[sizeof numbers->bytes + 1];
        int len = snprintf(text, sizeof text, "\n%u. ", i + 1);
        memcpy(&numbers[i].bytes, text, (size_t)len);
        memset(&numbers[i].mask, 0xff, (size_t)len);
        numbers[i].len = (size_t)len;
    }
    numbers[NUMBERS - 1].mask = numbers[NUMBERS - 1].bytes = UINT64_MAX; /* no text is this */
}

qp_counts *qp_counts_new(void)
{
    qp_counts *counts = calloc(1, sizeof *counts);
    if (counts == NULL)
        return NULL;
    counts->encoding = QP_ENC_BINARY; /* none that is asked for */
    write_numbers(counts->numbers);
    return counts;
}

void qp_counts_free(qp_counts *counts)
{
    free(counts);
}

/* One count under way. */
typedef struct walk {
    const qp_rounds_reading *r;
    qp_counts *counts;
    const unsigned char *p, *end, *line; /* line: the start of the one at p */
    uint32_t lines, plies;
    unsigned round; /* the last number */
    bool good;
} walk;

static inline word masked(const unsigned char *p, const word *mask)
{
#ifdef WIDE
    return _mm_and_si128(_mm_loadu_si128((const __m128i *)p), *mask);
#else
    word found;
    memcpy(&found, p, sizeof found);
    return (word){found.head & mask->head, found.tail & mask->tail};
#endif
}

static inline bool is_same(const word *a, const word *b)
{
#ifdef WIDE
    return _mm_movemask_epi8(_mm_cmpeq_epi8(*a, *b)) == 0xffff;
#else
    return ((a->head ^ b->head) | (a->tail ^ b->tail)) == 0;
#endif
}

static inline size_t place_of(const word *found)
{
#ifdef WIDE
    uint64_t head = (uint64_t)_mm_cvtsi128_si64(*found);
    uint64_t tail = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(*found, *found));
#else
    uint64_t head = found->head, tail = found->tail;
#endif
    return (head * UINT64_C(0x9e3779b97f4a7c15) + tail * UINT64_C(0xbf58476d1ce4e5b9)) >>
           (64 - WORD_BITS);
}

/* Whether so many bytes are a move: only what the reader of movetext takes for a plain one. */
static bool is_move(const qp_rounds_reading *r, const unsigned char *p, size_t len)
{
    char text[3 * WORD_MAX + QP_KNOWN + 8] = {0};
    size_t used, n = qp_source_decode(r->source, r->encoding, p, len, text, 3 * WORD_MAX);
    if (n == 0)
        return false;
    text[n] = ' ';
    return qp_lex_known(r->memo, r->lexer, text, &used) != NULL && used == n;
}

/* The word at p, where it is of another shape or not at its own place: it stands behind, or is
 * new. Its length; 0: it is none. */
static QP_APART size_t other_word(qp_counts *counts, const qp_rounds_reading *r,
                                  const unsigned char *p, shape *to)
{
    static const word nothing;
    size_t len = 0, i = 0;
    while (len < WORD_MAX && p[len] > ' ')
        len++;
    if (len == 0 || len == WORD_MAX)
        return 0;
    to->len = len;
    memset(&to->mask, 0, sizeof to->mask);
    memset(&to->mask, 0xff, len);
    word found = masked(p, &to->mask);
    word *place = &counts->at[place_of(&found)];
    for (; i < BEHIND && !is_same(&place[i], &nothing); i++)
        if (is_same(&place[i], &found))
            return len;
    if (!is_move(r, p, len))
        return 0;
    place[i < BEHIND ? i : 0] = found;
    return len;
}

/* Passes over the word at p; false: it is none. */
static QP_INLINE bool take_word(walk *w, const unsigned char **p, shape *usual)
{
    word found = masked(*p, &usual->mask);
    size_t len = usual->len;
    if (QP_RARE((*p)[len] > ' ') ||
        QP_RARE(!is_same(&w->counts->at[place_of(&found)], &found)))
        len = other_word(w->counts, w->r, *p, usual);
    *p += len;
    return len != 0;
}

/* Passes over what stands before a word: blanks, line ends and the next number. false: no word
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
            size_t used = qp_numeral_at(p, &value);
            if (used == 0)
                return false;
            if (value != 1 + w->plies / 2 || value <= w->round) {
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

/* The same from p on, where so many plies and the walk's round were passed. */
static QP_APART bool go_on(walk *w, const unsigned char **p, uint32_t plies)
{
    w->p = *p;
    w->plies = plies;
    bool more = pass_to_word(w);
    *p = w->p;
    return more;
}

/* Passes over rounds from the first word on. */
static void pass_rounds(walk *w, shape shapes[2])
{
    const unsigned char *p = w->p;
    shape red = shapes[QP_RED], black = shapes[QP_BLACK];
    for (uint32_t plies = 0;; plies += 2) {
        if (QP_RARE(!take_word(w, &p, &red))) {
            w->good = false;
            break;
        }
        if (QP_LIKELY_TO(p[0] == ' ' && p[1] > '9'))
            p++;
        else if (!go_on(w, &p, plies + 1))
            break;
        if (QP_RARE(!take_word(w, &p, &black))) {
            w->good = false;
            break;
        }
        const number *next = &w->counts->numbers[w->round < NUMBERS ? w->round : NUMBERS - 1];
        const unsigned char *end = p + (p[0] == '\r');
        uint64_t there;
        memcpy(&there, end, sizeof there);
        if (QP_LIKELY_TO(((there ^ next->bytes) & next->mask) == 0 && end[next->len] > '9')) {
            p = end + next->len;
            w->line = end + 1;
            w->lines++;
            w->round++;
        } else if (!go_on(w, &p, plies + 2)) {
            break;
        }
    }
    shapes[QP_RED] = red;
    shapes[QP_BLACK] = black;
}

size_t qp_rounds_count(const qp_rounds_reading *r, qp_counts *counts, const unsigned char *p,
                       size_t n, qp_rounds *rounds, size_t *line, uint32_t *lines)
{
    if (counts->encoding != r->encoding) {
        if (counts->encoding != QP_ENC_BINARY) /* they were never used */
            memset(counts->at, 0, sizeof counts->at);
        counts->encoding = r->encoding;
    }
    walk w = {.r = r, .counts = counts, .p = p, .end = p + n, .line = p, .good = true};
    if (!pass_to_word(&w))
        return 0;
    pass_rounds(&w, counts->shapes);
    if (!w.good || w.plies == 0 || w.plies > r->most_plies || w.p > w.end)
        return 0;
    *rounds = (qp_rounds){.plies = w.plies, .notation = "", .counted = true};
    *line = (size_t)(w.line - p);
    *lines = w.lines;
    return (size_t)(w.p - p);
}
