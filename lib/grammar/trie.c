/* Spellings to values. A lexer walks this once a character, so what most characters need
 * is two table look-ups: ASCII by its byte, the three-byte range of UTF-8 (all of the
 * Chinese glyphs) through a page of 64. What follows the first character, and first
 * characters of two or four bytes, hang as short lists of bytes in the same array of
 * nodes. */
#include "config.h"

#include "grammar/grammar.h"

#include <stdlib.h>

enum { NODES_MAX = UINT16_MAX, PAGE = 64, SPELLING_MAX = 64 };

typedef struct node {
    uint64_t symbols; /* of the spelling that ends here; 0: none does */
    uint16_t child;   /* first of the bytes that may follow; 0: none */
    uint16_t sibling; /* next byte that may stand in this one's place; 0: none */
    uint8_t byte;
} node;

struct qp_trie {
    node *nodes; /* 0 is the root of the lists */
    size_t node_count, node_room;
    uint16_t (*pages)[PAGE]; /* page 0 stays empty */
    size_t page_count, page_room;
    uint16_t page_of[0x10000 / PAGE]; /* by code point / 64 */
    uint16_t ascii[128];
};

static bool push_node(qp_trie *trie, uint8_t byte)
{
    if (trie->node_count == trie->node_room) {
        size_t room = trie->node_room ? trie->node_room * 2 : 256;
        node *nodes = realloc(trie->nodes, room * sizeof *nodes);
        if (nodes == NULL)
            return false;
        trie->nodes = nodes;
        trie->node_room = room;
    }
    if (trie->node_count > NODES_MAX)
        return false;
    trie->nodes[trie->node_count++] = (node){.byte = byte};
    return true;
}

static bool push_page(qp_trie *trie)
{
    if (trie->page_count == trie->page_room) {
        size_t room = trie->page_room ? trie->page_room * 2 : 32;
        uint16_t(*pages)[PAGE] = realloc(trie->pages, room * sizeof *pages);
        if (pages == NULL)
            return false;
        trie->pages = pages;
        trie->page_room = room;
    }
    memset(trie->pages[trie->page_count++], 0, sizeof *trie->pages);
    return true;
}

qp_trie *qp_trie_new(void)
{
    qp_trie *trie = calloc(1, sizeof *trie);
    if (trie == NULL)
        return NULL;
    if (push_node(trie, 0) && push_page(trie))
        return trie;
    qp_trie_free(trie);
    return NULL;
}

void qp_trie_free(qp_trie *trie)
{
    if (trie == NULL)
        return;
    free(trie->nodes);
    free(trie->pages);
    free(trie);
}

/* Bytes of the first character that a table answers for; 0: the lists do. */
static inline size_t direct_len(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return 1;
    return n >= 3 && (p[0] & 0xf0) == 0xe0 && (p[1] & 0xc0) == 0x80 &&
                   (p[2] & 0xc0) == 0x80
               ? 3
               : 0;
}

static inline size_t code_point(const unsigned char *p)
{
    return (size_t)(p[0] & 0x0f) << 12 | (size_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
}

static inline uint16_t child_of(const node *nodes, uint16_t at, uint8_t byte)
{
    for (at = nodes[at].child; at != 0 && nodes[at].byte != byte;)
        at = nodes[at].sibling;
    return at;
}

/* The slot of a first character in its table; NULL: memory ran out. */
static uint16_t *direct_slot(qp_trie *trie, const unsigned char *p, size_t len)
{
    if (len == 1)
        return &trie->ascii[p[0]];
    size_t point = code_point(p);
    if (trie->page_of[point / PAGE] == 0) {
        if (!push_page(trie))
            return NULL;
        trie->page_of[point / PAGE] = (uint16_t)(trie->page_count - 1);
    }
    return &trie->pages[trie->page_of[point / PAGE]][point % PAGE];
}

bool qp_trie_add(qp_trie *trie, qp_str spelling, uint64_t symbol_bit)
{
    const unsigned char *p = (const unsigned char *)spelling.data;
    if (spelling.len == 0 || spelling.len > SPELLING_MAX)
        return false;
    size_t i = direct_len(p, spelling.len);
    uint16_t at = 0;
    if (i != 0) {
        uint16_t *slot = direct_slot(trie, p, i);
        if (slot == NULL)
            return false;
        if (*slot == 0) {
            if (!push_node(trie, p[0]))
                return false;
            *slot = (uint16_t)(trie->node_count - 1);
        }
        at = *slot;
    }
    for (; i < spelling.len; i++) {
        uint16_t next = child_of(trie->nodes, at, p[i]);
        if (next == 0) {
            if (!push_node(trie, p[i]))
                return false;
            next = (uint16_t)(trie->node_count - 1);
            trie->nodes[next].sibling = trie->nodes[at].child;
            trie->nodes[at].child = next;
        }
        at = next;
    }
    trie->nodes[at].symbols |= symbol_bit;
    return true;
}

size_t qp_trie_match(const qp_trie *trie, const char *text, size_t n, uint64_t *symbols)
{
    const unsigned char *p = (const unsigned char *)text;
    const node *nodes = trie->nodes;
    *symbols = 0;
    if (n == 0)
        return 0;
    size_t i = direct_len(p, n), len = 0;
    uint16_t at = 0;
    if (i != 0) {
        at = i == 1
                 ? trie->ascii[p[0]]
                 : trie->pages[trie->page_of[code_point(p) / PAGE]][code_point(p) % PAGE];
        if (at == 0)
            return 0;
        *symbols = nodes[at].symbols;
        len = *symbols ? i : 0;
    }
    while (QP_RARE(nodes[at].child != 0) && i < n) {
        at = child_of(nodes, at, p[i++]);
        if (at == 0)
            break;
        if (nodes[at].symbols != 0) {
            *symbols = nodes[at].symbols;
            len = i;
        }
    }
    return len;
}
