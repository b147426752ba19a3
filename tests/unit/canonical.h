/* The canonical text of a tree, for checksums that do not depend on how it is stored: a ply is
 * its four characters; where a position has one move, what follows it stands right behind
 * it, where it has more they stand as `[first…|second…]` in file order, each with all that
 * follows it. Games are joined by line feeds. And the SHA-256 of a text. */
#ifndef QP_TEST_CANONICAL_H
#define QP_TEST_CANONICAL_H

#include "game/game.h"

/* Appends the tree; a loop, since real ones are deeper than a stack should be. */
static inline void canonical_tree(qp_buf *out, const qp_game *game)
{
    const qp_node *node = game->first;
    while (node != NULL) {
        char move[5];
        if (qp_node_alternative(node) != NULL)
            qp_buf_add_char(out, '[');
        qp_move_text(node->move, move);
        qp_buf_add(out, move, 4);
        while (node != NULL && node->next == NULL) { /* up, and on to what stands beside */
            const qp_node *beside = NULL;
            while (node != NULL && beside == NULL) {
                beside = node->aside ? qp_node_sibling(node) : qp_node_alternative(node);
                if (beside == NULL && node->aside)
                    qp_buf_add_char(out, ']');
                if (beside == NULL)
                    node = node->prev;
            }
            node = beside;
            if (node == NULL)
                return;
            qp_buf_add_char(out, '|');
            qp_move_text(node->move, move);
            qp_buf_add(out, move, 4);
        }
        node = node->next;
    }
}

static inline uint32_t sha_turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static inline void sha_block(uint32_t state[8], const unsigned char block[64])
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (sha_turn(w[i - 15], 7) ^ sha_turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (sha_turn(w[i - 2], 17) ^ sha_turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t a = s[0], e = s[4];
        uint32_t t1 = s[7] + (sha_turn(e, 6) ^ sha_turn(e, 11) ^ sha_turn(e, 25)) +
                      ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
        uint32_t t2 = (sha_turn(a, 2) ^ sha_turn(a, 13) ^ sha_turn(a, 22)) +
                      ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The SHA-256 (FIPS 180-4) of bytes, as 64 digits and a NUL. */
static inline void sha256(const void *data, size_t len, char text[65])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *p = data;
    unsigned char last[128] = {0};
    size_t rest = len % 64, blocks = rest < 56 ? 1 : 2;
    for (size_t i = 0; i + 64 <= len; i += 64)
        sha_block(state, p + i);
    if (rest != 0)
        memcpy(last, p + (len - rest), rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[64 * blocks - 1 - (size_t)i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++)
        sha_block(state, last + 64 * i);
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[state[i / 8] >> (28 - i % 8 * 4) & 15];
    text[64] = '\0';
}

#endif
