/* Games of which nobody asks for more than tags, result and how many plies they have, or for these
 * and the tree: taken from the bytes of plain records while these are skimmed, and kept until the
 * reader lends them. */
#ifndef QP_HEADS_H
#define QP_HEADS_H

#include "format/skim.h"

typedef struct qp_heads qp_heads; /* qp_skim_lent gives those of a reader */
qp_heads *qp_heads_new(void); /* NULL: memory ran out */
void qp_heads_free(qp_heads *heads);
void qp_heads_forget(qp_heads *heads); /* all that it keeps */
/* Where the tags of the next game are to be noted. */
qp_skim_spans *qp_heads_spans(qp_heads *heads);

/* A plain record: its bytes, its tags as they were noted, what its moves came to, the result
 * behind them, where it ends. */
typedef struct qp_heads_record {
    qp_source *source;
    qp_encoding encoding;
    const unsigned char *bytes;
    size_t tags_len; /* of these, those of the tags */
    const qp_rounds *rounds;
    const qp_rounds_reading *reading; /* not NULL: a tree is to be made, and the moves were read */
    size_t moves_len;                 /* last with this, from so many bytes behind the tags */
    bool has_result;
    qp_result result;
    qp_source_stand stand; /* behind it */
} qp_heads_record;
/* Keeps a game; false: it is to be read in another way. */
bool qp_heads_add(qp_heads *heads, const qp_heads_record *record);

/* Whether one is to be lent. */
bool qp_heads_waiting(const qp_heads *heads);
/* The first that was not lent yet: all of the game but its number and format, which stays until
 * the next is lent or others are kept, and where it ends. false: memory ran out. */
bool qp_heads_lend(qp_heads *heads, qp_patterns *patterns, qp_game *game,
                   qp_source_stand *stand);

#endif
