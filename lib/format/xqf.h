/* What the reader and the writer of XQF share. XQF is the file of XQStudio (象棋演播室): one
 * game with a tree of variations. Facts: the author's published source and note of the
 * format, and some 28,000 public files. */
#ifndef QP_XQF_H
#define QP_XQF_H

#include "format/binary.h"

/* Offsets in the header; all numbers are little-endian. */
enum {
    QP_XQF_VERSION = 2,
    QP_XQF_KEY_MASK = 3,  /* from here to the piece list: keys, zero in version 10 */
    QP_XQF_KEY_OR = 8,    /* four bytes */
    QP_XQF_KEY_SUM = 12,
    QP_XQF_KEY_SQUARE = 13,
    QP_XQF_KEY_FROM = 14,
    QP_XQF_KEY_TO = 15,
    QP_XQF_PIECES = 16,   /* 32 bytes */
    QP_XQF_SIDE = 50,     /* 0 Red, 1 Black */
    QP_XQF_RESULT = 51,   /* as qp_result */
    QP_XQF_TYPE = 64,     /* 0 whole game, 1 opening, 2 middlegame, 3 endgame */
    QP_XQF_TREE = 1024,   /* the header's end */
    QP_XQF_LAST = 18,     /* the highest version there is */
    /* Added to an unscrambled byte. */
    QP_XQF_FROM_BASE = 24,
    QP_XQF_TO_BASE = 32,
    QP_XQF_LENGTH_BASE = 767, /* of a comment's length, from version 11 on */
};

/* Flags of a node, from version 11 on. Before, the halves of the byte say the first two. */
enum { QP_XQF_CHILD = 0x80, QP_XQF_SIBLING = 0x40, QP_XQF_COMMENT = 0x20 };

/* The header's strings in the order of their places: a byte of length, then at most size
 * bytes of text. */
typedef struct qp_xqf_field {
    const char *tag;
    uint16_t at;
    uint8_t size;
} qp_xqf_field;
#define QP_XQF_FIELDS 13
extern const qp_xqf_field qp_xqf_fields[QP_XQF_FIELDS];
/* The tag that holds the type of game where that is not the usual one for the position. */
#define QP_XQF_TYPE_TAG "XQF_GameType"
/* The usual one: a whole game from the usual start, an endgame from any other. */
unsigned qp_xqf_usual_type(const qp_board *start);

/* What stands on each of the 16 places of a side in the piece list; Red's come first. */
extern const uint8_t qp_xqf_slots[16];

void qp_xqf_write(qp_writing *writing, const qp_game *game);

#endif
