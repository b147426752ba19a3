/* The ground floor: one game's memory, growing bytes, statuses. Knows no text and no chess. */
#ifndef QP_BASE_H
#define QP_BASE_H

#include "qipu.h"

#include <string.h>

#define QP_COUNT(array) (sizeof(array) / sizeof *(array))
#if defined(__GNUC__)
#define QP_LIKELY_TO(x) __builtin_expect(!!(x), 1)
#define QP_RARE(x) __builtin_expect(!!(x), 0)
/* For what is seldom called, so that it costs the function around it no registers. */
#define QP_APART __attribute__((noinline))
#define QP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define QP_LIKELY_TO(x) (x)
#define QP_RARE(x) (x)
#define QP_APART
#define QP_PRINTF(text, first)
#endif

/* The i-th number of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 * Generators, 2014), as a constant too: for keys that tell things apart. */
#define QP_MIX(i) QP_MIX_3(QP_MIX_2(QP_MIX_1(((i) + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15))))
#define QP_MIX_1(x) (((x) ^ (x) >> 30) * UINT64_C(0xbf58476d1ce4e5b9))
#define QP_MIX_2(x) (((x) ^ (x) >> 27) * UINT64_C(0x94d049bb133111eb))
#define QP_MIX_3(x) ((x) ^ (x) >> 31)

/* The number of the lowest bit of bits, which is not 0. */
static inline unsigned qp_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;
    while (!(bits >> n & 1))
        n++;
    return n;
#endif
}

/* That of the highest bit. */
static inline unsigned qp_highest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return 63u - (unsigned)__builtin_clzll(bits);
#else
    unsigned n = 63;
    while (!(bits >> n & 1))
        n--;
    return n;
#endif
}

/* Of eight bytes in a word, the highest bit of each that is c; of those behind the first such
 * byte in memory's order, others may be set too. */
static inline uint64_t qp_word_equal(uint64_t word, unsigned char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    word ^= c * ones;
    return (word - ones) & ~word & ones << 7;
}
/* The same of each that is less than c, which is at most 0x80. */
static inline uint64_t qp_word_below(uint64_t word, unsigned char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    return (word - c * ones) & ~word & ones << 7;
}
/* How many bytes stand before the first whose bit is set: at most so many, if memory's order is
 * not that of the bits. */
static inline unsigned qp_word_clear(uint64_t bits)
{
#ifdef WORDS_BIGENDIAN
    return bits != 0 ? 0 : 8;
#else
    return bits != 0 ? qp_lowest_bit(bits) >> 3 : 8;
#endif
}

/* How many of n bytes stand before the first that is one of four (the same may be named
 * twice) or less than `below`, at most 0x80. For constants. */
static inline size_t qp_len_before(const char *p, size_t n, unsigned char below,
                                   unsigned char a, unsigned char b, unsigned char c,
                                   unsigned char d)
{
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t word, bits;
        memcpy(&word, p + i, 8);
        bits = qp_word_equal(word, a) | qp_word_equal(word, b) | qp_word_equal(word, c) |
               qp_word_equal(word, d) | qp_word_below(word, below);
#ifdef WORDS_BIGENDIAN
        if (bits != 0)
            break;
#else
        if (bits != 0)
            return i + qp_word_clear(bits);
#endif
        i += 8;
    }
    for (; i < n; i++) {
        unsigned char byte = (unsigned char)p[i];
        if (byte == a || byte == b || byte == c || byte == d || byte < below)
            break;
    }
    return i;
}
/* The same of a set of bytes, those that are not 0 in it: for many, or for short runs. */
static inline size_t qp_len_outside(const char *p, size_t n, const uint8_t set[256])
{
    size_t i = 0;
    while (i < n && set[(unsigned char)p[i]] == 0)
        i++;
    return i;
}

/* The index of the first of rows, each `size` bytes, whose key is not less than that;
 * they are in its order, and each begins with it. count: there is none. */
static inline size_t qp_first_from(const void *rows, size_t count, size_t size,
                                   uint32_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t is;
        memcpy(&is, (const char *)rows + middle * size, sizeof is);
        if (is < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define QP_STR(literal) ((qp_str){(literal), sizeof(literal) - 1})
static inline qp_str qp_str_of(const char *text)
{
    return (qp_str){text, text ? strlen(text) : 0};
}
static inline bool qp_str_is(qp_str a, const char *b)
{
    return strlen(b) == a.len && (a.len == 0 || memcmp(a.data, b, a.len) == 0);
}
static inline bool qp_str_same(qp_str a, qp_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}
bool qp_str_same_nocase(qp_str a, const char *b);
/* ASCII case does not count. */
static inline bool qp_str_is_nocase(qp_str a, const char *b)
{
    /* Most differ in their first byte, in more than the bit of the case. */
    return (a.len == 0 || ((a.data[0] ^ b[0]) & ~0x20) == 0) && qp_str_same_nocase(a, b);
}
/* How many of the first len bytes of UTF-8 are whole characters, where a cut may have gone
 * through the last one. */
static inline size_t qp_whole_len(const char *text, size_t len)
{
    size_t at = len;
    while (at > 0 && len - at < 3 && ((unsigned char)text[at - 1] & 0xC0) == 0x80)
        at--;
    unsigned char lead = at > 0 ? (unsigned char)text[at - 1] : 0;
    size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return at > 0 && len - (at - 1) < need ? at - 1 : len;
}
/* Without ASCII blanks, U+00A0 and U+3000 at either end. */
qp_str qp_str_trim(qp_str text);

/* What of each part of a reader is kept for the next file, at the most. */
#define QP_REST_ROOM ((size_t)512 * 1024)

/* Tells AddressSanitizer which bytes of a block nobody may use, and which are lent. */
#if defined(__SANITIZE_ADDRESS__)
#define QP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QP_ASAN 1
#endif
#endif
#ifdef QP_ASAN
#include <sanitizer/asan_interface.h>
#define QP_TAKEN_BACK(p, size) ASAN_POISON_MEMORY_REGION(p, size)
#define QP_LENT(p, size) ASAN_UNPOISON_MEMORY_REGION(p, size)
#else
#define QP_TAKEN_BACK(p, size) ((void)0)
#define QP_LENT(p, size) ((void)0)
#endif

/* All memory of one game: bump allocation in blocks that qp_arena_rewind keeps. Failure is
 * sticky: allocations return NULL from then on and the owner asks failed once. */
typedef struct qp_arena_block qp_arena_block;
typedef struct qp_arena {
    qp_arena_block *first, *block; /* all blocks; the one in use */
    char *at, *end;
    bool failed;
} qp_arena;

void qp_arena_init(qp_arena *arena);
void qp_arena_clear(qp_arena *arena);  /* frees every block */
void qp_arena_rest(qp_arena *arena);   /* frees what is more than QP_REST_ROOM */
void qp_arena_rewind(qp_arena *arena); /* forgets what was allocated, keeps the blocks */
/* A place in it, and back to it: what was allocated after is forgotten, as by a rewind. */
typedef struct qp_arena_mark {
    qp_arena_block *block;
    char *at;
} qp_arena_mark;
static inline qp_arena_mark qp_arena_here(const qp_arena *arena)
{
    return (qp_arena_mark){arena->block, arena->at};
}
void qp_arena_back(qp_arena *arena, qp_arena_mark mark);
void *qp_arena_slow(qp_arena *arena, size_t size);
/* Not zeroed, aligned to 8. */
static inline void *qp_arena_alloc(qp_arena *arena, size_t wanted)
{
    /* Sizes come from text in memory: far from SIZE_MAX. */
    size_t size = (wanted + 7) & ~(size_t)7;
    if (QP_RARE(size > (size_t)(arena->end - arena->at)))
        return qp_arena_slow(arena, wanted);
    void *p = arena->at;
    arena->at += size;
    QP_LENT(p, wanted);
    return p;
}
void *qp_arena_zero(qp_arena *arena, size_t size);
/* A copy with a NUL behind it (not counted in len). {"", 0} after a failure. */
qp_str qp_arena_str(qp_arena *arena, const char *data, size_t len);
/* snprintf into the arena. */
qp_str qp_arena_printf(qp_arena *arena, const char *format, ...) QP_PRINTF(2, 3);

/* Growing bytes; failure is sticky as in the arena. */
typedef struct qp_buf {
    char *data;
    size_t len, room;
    bool failed;
} qp_buf;

void qp_buf_clear(qp_buf *buf); /* frees; {0} is a valid empty buffer */
bool qp_buf_grow(qp_buf *buf, size_t more);
static inline bool qp_buf_reserve(qp_buf *buf, size_t more)
{
    return QP_LIKELY_TO(buf->room - buf->len >= more) || qp_buf_grow(buf, more);
}
static inline void qp_buf_add(qp_buf *buf, const void *data, size_t len)
{
    if (len != 0 && qp_buf_reserve(buf, len)) {
        memcpy(buf->data + buf->len, data, len);
        buf->len += len;
    }
}
static inline void qp_buf_add_char(qp_buf *buf, char c)
{
    if (qp_buf_reserve(buf, 1))
        buf->data[buf->len++] = c;
}
static inline void qp_buf_add_str(qp_buf *buf, qp_str text)
{
    qp_buf_add(buf, text.data, text.len);
}
static inline void qp_buf_add_text(qp_buf *buf, const char *text)
{
    qp_buf_add(buf, text, strlen(text));
}
void qp_buf_printf(qp_buf *buf, const char *format, ...) QP_PRINTF(2, 3);
/* Decimal digits of a number, without a locale. */
void qp_buf_add_number(qp_buf *buf, uint64_t number);

#endif
