/* Inside the check floor: what reading a scorecard takes.
 *
 *   record -> clues: what the text says of each ply, its place and its side   (clues.c)
 *          -> glyphs: what each character of a clue can be misread from       (glyphs.c)
 *          -> search: the game that explains the clues at least cost
 *             (repair.c, states.c, fixes.c)
 *          -> judge: which of several such games players would play (stories.c, player.c)
 *          -> findings with suggestions                                       (explain.c)
 *          -> edits of the text                                               (edits.c)
 *
 * Legality is the hard constraint; everything else is a cost, see fixes.c.
 */
#ifndef QP_REPAIR_H
#define QP_REPAIR_H

#include "check/check.h"

/* ---- clues ---- */

typedef enum qp_clue_kind {
    QP_CLUE_MOVE,   /* a token that stands for a ply, readable or not */
    QP_CLUE_BLANK,  /* a mark that stands in the place of a ply: -- □□□□ ？？ */
    QP_CLUE_NUMBER, /* a round number; Red's ply comes next */
    QP_CLUE_DOTS,   /* dots: Black's ply comes next */
} qp_clue_kind;

enum { QP_GLYPHS_MAX = 7, QP_NO_SIDE = 2 };

/* One character of a token: what it costs to take it for a sign. */
typedef struct qp_glyph {
    uint32_t at, len; /* in the record's text */
    bool sign, lost;  /* means something as it stands; stands for a character that was lost */
    uint8_t piece[8], digit[10], way[4], before[16], after[16];
} qp_glyph;

typedef struct qp_clue {
    uint8_t kind;
    uint8_t side;   /* as the dress has it, or QP_NO_SIDE */
    bool weak;      /* a word or mark that may be no ply at all */
    bool like;      /* … though each character of it is like one of a move */
    bool glued;     /* no blank before it */
    uint16_t number; /* of a NUMBER, else of the round it stands in, 0 for none */
    uint32_t at, len;
    uint32_t event;
    qp_written written; /* MOVE; form NONE where no notation reads it */
    uint32_t glyph, glyph_count; /* index of its first glyph; count 0: not split */
} qp_clue;

typedef struct qp_clues {
    qp_clue *clue;
    size_t count, room;
    qp_glyph *glyphs;
    size_t glyph_count, glyph_room;
    size_t moves;       /* clues of kind MOVE that are not weak */
    bool dressed;       /* the two sides are written differently all through */
    bool failed;
} qp_clues;

/* Collects the clues of the main line. */
void qp_clues_collect(qp_clues *clues, const qp_record *record, const struct qp_lexer *lexer);
void qp_clues_clear(qp_clues *clues);
/* Splits the clues' tokens into glyphs; once, before the search. */
void qp_clues_split(qp_clues *clues, const qp_record *record, const struct qp_lexer *lexer,
                    const qp_confusions *confusions);

/* ---- glyphs ---- */

enum {
    QP_COST_SURE = 12,    /* a glyph that is no sign, for the one it is like */
    QP_COST_LIKE = 18,    /* a glyph like several signs */
    QP_COST_SIGN = 30,    /* a sign that is like another sign */
    QP_COST_LOST = 12,    /* a character that was lost */
    QP_COST_STRANGE = 27, /* any glyph that is no sign, for any sign */
    QP_COST_OTHER = 42,   /* a sign for another one */
    QP_COST_DROPPED = 38, /* a glyph is missing, or one too many */
    QP_COST_SEAT = 26,    /* written from the other side's seat */
    QP_COST_ANY = 95,     /* illegible: any move at all */
    QP_COST_NONE = 120,   /* not to be read so */
};

/* What it costs to take the clue for a move on a board; QP_COST_NONE at most. *seat: it is
 * the move as the other side numbers the files. */
unsigned qp_glyphs_cost(const qp_clues *clues, const qp_clue *clue, const qp_board *board,
                        qp_move move, bool *seat);

/* ---- search ---- */

typedef enum qp_fix_kind {
    QP_FIX_READ,    /* one of several readings of a sound token */
    QP_FIX_WRITE,   /* the clue stands for another move */
    QP_FIX_SEAT,    /* the same, as the other side would number it */
    QP_FIX_INSERT,  /* a ply is missing before the clue */
    QP_FIX_DELETE,  /* the clue is one too many */
    QP_FIX_SWAP,    /* the clue and the next one have changed places */
} qp_fix_kind;

typedef struct qp_fix {
    int32_t before; /* the fix before it along the same game, -1: none */
    uint8_t kind;
    bool again;     /* DELETE: it repeats what was written just before */
    uint32_t clue;
    uint32_t ply;   /* of the move that is read, written or inserted; of DELETE: the next */
    qp_move move;
    uint16_t cost;
} qp_fix;

/* One game that explains all clues. */
typedef struct qp_story {
    uint32_t cost;  /* of fixes, numbers and dress */
    int32_t doubt; /* minus the logarithm of how likely cost and moves are, in hundredths */
    int32_t fix;    /* the last one */
    uint32_t plies;
    uint64_t hash;  /* of its moves */
} qp_story;

enum { QP_STORIES_MAX = 64, QP_FIXES_MAX = 60 /* in one story */ };
typedef struct qp_search_result {
    qp_fix *fixes; /* shared by all stories */
    size_t fix_count;
    qp_story stories[QP_STORIES_MAX]; /* the likeliest first */
    size_t story_count;
    bool complete;   /* no other story is within QP_MARGIN of the first */
    uint32_t plain_plies; /* how far the clues go without a fix */
    uint32_t plain_clue;  /* the clue at which they stop; count of clues: none */
    uint32_t plain_cost;
} qp_search_result;

enum { QP_MARGIN = 11 };
/* Searches for games that explain the clues from a start position. against: the moves of
 * another record of the same game, which fills gaps; may be NULL. */
void qp_repair_search(const qp_clues *clues, const qp_board *start, qp_base base,
                      const qp_move *against, size_t against_count, qp_search_result *result);
/* The moves of a story: from which clue each was read (UINT32_MAX: inserted) and by which fix
 * (-1: as it stands). Returns how many; clues and fixes together are room enough. */
typedef struct qp_told {
    qp_move move;
    uint32_t clue;
    int32_t fix;
} qp_told;
size_t qp_story_tell(const qp_clues *clues, const qp_board *start, qp_base base,
                     const qp_search_result *result, const qp_story *story, qp_told *told,
                     size_t room);
/* Puts the stories in order; false: memory ran out. */
typedef struct qp_story_judge {
    const qp_clues *clues;
    const qp_board *start;
    qp_base base;
    const qp_move *against;
    size_t against_count;
} qp_story_judge;
bool qp_stories_order(const qp_story_judge *judge, qp_search_result *result);
/* Where the reading gets stuck when only the fixes up to `last` are made. */
bool qp_repair_stuck(const qp_clues *clues, const qp_board *start, qp_base base,
                     const qp_search_result *result, int32_t last, qp_board *board,
                     uint32_t *clue);
void qp_repair_clear(qp_search_result *result);
/* Plies that can be read without a fix, and whether all. */
bool qp_repair_plain(const qp_clues *clues, const qp_board *start, qp_base base,
                     uint32_t *plies, uint32_t *cost);

/* ---- findings and edits ---- */

/* One change of the record's text. */
typedef struct qp_change {
    uint32_t at, len;
    qp_str text;
    qp_certainty certainty;
} qp_change;

/* All that one lint of a record works on; kept by the reader. */
typedef struct qp_linting {
    qp_reader *reader;
    const qp_context *context;
    const struct qp_lexer *lexer;
    qp_record *record;
    const qp_game *game;
    qp_confusions *confusions; /* made when first needed */
    qp_base base;
    qp_clues clues;
    qp_search_result search;
    qp_change *changes;
    size_t change_count, change_room;
    qp_edit *edits;
    qp_buf edit_bytes;
    const qp_move *against; /* the other card's moves */
    size_t against_count;
    const char *rules;
    bool red_arabic; /* Red's moves are written with 1 to 9 as well */
} qp_linting;

/* Reads an abbreviated card, on which moves have no direction; false where it is none or
 * cannot be read to its end. */
bool qp_lint_short(qp_linting *lint);
/* A ply as an abbreviated card was read: the clue it was read from, or UINT32_MAX. */
typedef struct qp_passed {
    qp_move move;
    uint32_t clue;
} qp_passed;
/* Whether the card can be read to its end with another move at a ply; board: before it.
 * UNKNOWN where the search came to its bound. */
typedef struct qp_ways qp_ways;
qp_ways *qp_ways_new(const qp_linting *lint, const qp_passed *path, size_t count);
qp_answer qp_ways_go(qp_ways *ways, const qp_board *board, size_t ply, qp_move other);
void qp_ways_free(qp_ways *ways);
/* Reports what the cheapest story says, in place of what the replay said. */
void qp_lint_explain(qp_linting *lint);
/* The changes that a fix asks for. */
void qp_change_add(qp_linting *lint, size_t at, size_t len, qp_str text,
                   qp_certainty certainty);
/* What to write for a move in the dress of the card; token: the clue that stands for it, or
 * NULL. Lives in the record's arena. */
qp_str qp_change_spell(qp_linting *lint, const qp_board *board, qp_move move,
                       const qp_clue *token);
void qp_change_insert(qp_linting *lint, const qp_told *told, size_t count, const qp_board *board,
                      uint32_t clue, uint32_t ply, qp_certainty certainty);
void qp_change_delete(qp_linting *lint, uint32_t first, uint32_t last, qp_certainty certainty);
void qp_change_swap(qp_linting *lint, uint32_t a, uint32_t b, qp_certainty certainty);

/* What a report is about: the ply that the side to move makes on this board. NULL: none. */
void qp_lint_about(qp_linting *lint, qp_report *report, const qp_board *board, uint32_t ply);

#endif
