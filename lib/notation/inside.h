/* What only the notation floor sees of itself: dialects as one lexer and as spellers, and
 * the search of resolve.c that why.c runs again to find out what went wrong. */
#ifndef QP_NOTATION_INSIDE_H
#define QP_NOTATION_INSIDE_H

#include "notation/notation.h"

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>
/* A pointer that threads share and one of them sets. */
#define QP_SHARED _Atomic
#else
#define QP_SHARED
#endif

/* ---- forms ---- */

/* The parts that the forms of dialect files are made of. */
typedef enum qp_part {
    QP_PART_PIECE,
    QP_PART_WHICH,
    QP_PART_ROAD,
    QP_PART_WAY,
    QP_PART_ARG,
    QP_PART_FILE,
    QP_PART_RANK,
    QP_PART_SEPARATOR,
    QP_PART_COUNT
} qp_part;

enum { QP_FORM_PARTS = 6 };
typedef struct qp_shape {
    uint8_t parts[QP_FORM_PARTS]; /* qp_part */
    uint8_t count;
    uint8_t set; /* 1 << part of each */
} qp_shape;
/* A row `form - parts`; false where it is not one that this floor knows. */
bool qp_shape_read(qp_str parts, qp_shape *shape);

/* A row's value as the number that this floor uses: qp_kind, digit, qp_way, qp_which,
 * file 0..8, rank 0..10. -1: the row is of another class. *part says which of them. */
int qp_row_value(const qp_row *row, qp_part *part);

/* ---- lexer ---- */

/* What a symbol can be within a form. An order word has four places, since letters and
 * signs are not order words in all of them (r is the rear before a piece, a rook else).
 */
enum {
    QP_CAN_PIECE = 1 << 0,
    QP_CAN_DIGIT = 1 << 1, /* road or arg */
    QP_CAN_WAY = 1 << 2,
    QP_CAN_BEFORE = 1 << 3, /* order word before a piece: 前 + f 2 */
    QP_CAN_AFTER = 1 << 4,  /* after a piece: 前 + . a */
    QP_CAN_ORDER = 1 << 5,  /* before a road, no piece named: 前 + 1 */
    QP_CAN_MARK = 1 << 6,   /* after a road: 前 + */
    QP_CAN_OUTER = 1 << 7,  /* in place of both: ++ -- */
};

/* All that a character (or a spelling of several) can mean. */
typedef struct qp_symbol {
    uint64_t can : 8;
    uint64_t blank : 1, unseen : 1; /* unseen: of no width */
    uint64_t side : 1, separator : 1;
    uint64_t several : 1; /* begins a spelling of several characters */
    uint64_t latin : 1;   /* ASCII once folded */
    uint64_t kind : 3, kinds : 8;
    uint64_t digit : 4;
    uint64_t before : 4,
        after : 4; /* qp_which in the first and third place, in the others */
    uint64_t way : 2;
    uint64_t file : 4, rank : 4; /* one more than the value; 0: none */
    uint64_t dialect : 6;
    uint64_t style : 11;
} qp_symbol;

typedef struct qp_far {
    uint32_t code_point;
    qp_symbol symbol;
} qp_far;

enum { QP_FORMS_MAX = 16, QP_SEVERAL_MAX = 64 };

/* All dialects in one: characters to symbols, and the forms as masks, one bit a form. */
struct qp_lexer {
    uint16_t block[1024]; /* code point / 64 -> block of 64 symbols; 0 is the empty one */
    const qp_symbol *symbols;
    size_t block_count;
    uint16_t allow[QP_FORM_PARTS][256]; /* forms that take such a symbol at that place */
    uint16_t ends[QP_FORM_PARTS + 1];   /* forms of that length */
    uint16_t all;
    uint16_t usual; /* the form `piece road way arg`; 0: not there, or not for sure */
    qp_shape shapes[QP_FORMS_MAX];
    uint8_t places[QP_FORMS_MAX]
                  [QP_PART_COUNT]; /* of each part; QP_FORM_PARTS: not there */
    size_t shape_count;
    const qp_far *far; /* beyond U+FFFF, sorted */
    size_t far_count;
    bool lent; /* symbols and far are not the lexer's own */
    qp_trie *several; /* spellings of several characters; NULL: none */
    qp_symbol several_symbols[QP_SEVERAL_MAX];
    size_t several_count;
    bool apart; /* one that is read for whole records */
    bool san;   /* one of a piece and a square, which san.c reads */
    int chinese, traditional; /* indices of these notations, or -1 */
    uint8_t coordinates;      /* of the first that has files */
};

/* NULL: memory ran out, or (error is set) a dialect says something else than one before.
 * dialects[i] NULL: left out. */
struct qp_lexer *qp_lexer_new(const qp_dialect *const *dialects, size_t count,
                              const qp_folds *folds, char error[256]);

qp_symbol qp_symbol_far(const struct qp_lexer *lexer, uint32_t code_point);

/* The symbol of the character at p < end, and its bytes; one that means nothing is zero.
 * Takes any bytes. */
static inline qp_symbol qp_symbol_at(const struct qp_lexer *lexer, const unsigned char *p,
                                     const unsigned char *end, unsigned *len)
{
    unsigned c = p[0];
    *len = 1;
    if (c < 0x80)
        return lexer->symbols[lexer->block[c >> 6] * 64u + (c & 63)];
    if (QP_LIKELY_TO((c & 0xf0) == 0xe0 && end - p >= 3)) {
        *len = 3;
        return lexer
            ->symbols[lexer->block[(c & 15) << 6 | (p[1] & 63)] * 64u + (p[2] & 63)];
    }
    if ((c & 0xe0) == 0xc0 && end - p >= 2) {
        *len = 2;
        return lexer->symbols[lexer->block[c & 31] * 64u + (p[1] & 63)];
    }
    if ((c & 0xf8) == 0xf0 && end - p >= 4) {
        *len = 4;
        return qp_symbol_far(lexer, (c & 7u) << 18 | (p[1] & 63u) << 12 |
                                        (p[2] & 63u) << 6 | (p[3] & 63u));
    }
    return (qp_symbol){0};
}

/* Whether what follows a move in Latin letters lets it end there: no further letter of
 * the same word, unless that begins the next move. */
bool qp_lex_ends(const unsigned char *p, const unsigned char *end);
/* The COORD part of qp_lex_move. */
size_t qp_lex_coord(const struct qp_lexer *lexer, const unsigned char *text,
                    const unsigned char *end, qp_written *written);

/* ---- resolve ---- */

enum { QP_RESOLVE_MAX = 8 };

/* The SAN part of qp_lex_move and of qp_resolve. */
size_t qp_lex_san(const struct qp_lexer *lexer, const char *text, size_t len,
                  qp_written *written);
size_t qp_resolve_san(const qp_board *board, const qp_written *written, qp_base base,
                      qp_move moves[8]);
/* The square that such a move names, QP_NO_SQUARE where it is none; the pieces of the side to
 * move that fit the rest of its words. */
qp_square qp_san_goal(const qp_written *written, qp_base base);
size_t qp_san_pieces(const qp_board *board, const qp_written *written, qp_base base,
                     qp_square squares[QP_SQUARES]);

typedef struct qp_search qp_search;
struct qp_search {
    const qp_board *board;
    qp_side side; /* whose pieces are meant */
    qp_way way;
    unsigned arg;
    bool wxf;
    unsigned pick;
    qp_move *moves;
    size_t count;
    /* If set, called instead for each piece that the words pick out; to is QP_NO_SQUARE
     * where they lead nowhere. */
    void (*trouble)(qp_search *search, qp_kind kind, qp_square from, qp_square to);
};
/* Collects what a written move of names and numbers (not COORD or SQUARES) can mean. */
void qp_search_run(qp_search *search, const qp_written *written);
/* Where the piece on a square goes by way and arg; QP_NO_SQUARE for nowhere. */
qp_square qp_goal(qp_side side, qp_kind kind, qp_square from, qp_way way, unsigned arg);
/* A side's pieces of a kind on a file, front to rear; returns how many. */
size_t qp_column(const qp_board *board, qp_side side, qp_kind kind, int file,
                 qp_square squares[10]);
/* Its roads with two or more of the kind, from its right. */
size_t qp_doubled_roads(const qp_board *board, qp_side side, qp_kind kind,
                        uint8_t roads[9]);

/* ---- spell ---- */

typedef enum qp_pawns {
    QP_PAWNS_FILE,     /* 前九平八 */
    QP_PAWNS_NUMBERED, /* 一兵平五 */
    QP_PAWNS_LONG,     /* 前兵九平八 */
    QP_PAWNS_ORDINAL,  /* 15=6 */
    QP_PAWNS_AXF,      /* 7+.6 */
    QP_PAWNS_LETTERS,  /* Pa.5 */
} qp_pawns;

struct qp_speller {
    qp_str piece[2][8];
    qp_str digit[2][10];
    qp_str way[4];
    qp_str which[QP_WHICH_SECOND_REAR + 1];
    qp_str letter[6]; /* 1 to 5 as letters: Pa */
    qp_str file[9], rank[11], separator;
    qp_shape shapes[QP_FORMS_MAX];
    size_t shape_count;
    qp_pawns pawns;
    bool order_needed; /* 前 only where the file does not tell */
    bool lower[2];     /* a side's letters in lower case */
    bool full_digits;  /* Black's in full width */
    bool red_digits;   /* Black's as Red's */
    uint8_t base;      /* of the ranks */
};
enum { QP_SPELLINGS = 2 * 8 + 2 * 10 + 4 + QP_WHICH_SECOND_REAR + 1 + 6 + 9 + 11 + 1 };
/* NULL: memory ran out. The dialect must outlive it. */
struct qp_speller *qp_speller_new(const qp_dialect *dialect);

/* How a piece is named: some of kind, order word and road. */
typedef struct qp_head {
    qp_kind kind; /* 0: not named */
    qp_str which; /* {NULL, 0}: none */
    uint8_t road; /* 0: none */
    bool road_first;
} qp_head;
/* The usual name of the piece that moves. false: it has none. */
bool qp_head_chinese(const struct qp_speller *speller, const qp_board *board,
                     qp_move move, qp_way way, unsigned arg, qp_head *head);
bool qp_head_wxf(const struct qp_speller *speller, const qp_board *board, qp_move move,
                 qp_way way, unsigned arg, qp_head *head);
/* The squares of a move; returns the length, 0 where room does not suffice. */
size_t qp_spell_coord(const struct qp_speller *speller, qp_move move, char *text,
                      size_t room);

/* ---- what is built in ---- */

/* A spelling of several characters of the lexer's trie. */
typedef struct qp_several {
    const char *text;
    uint64_t set; /* of places among the symbols of several characters */
} qp_several;
/* A notation. */
typedef struct qp_named {
    const char *name, *title;
    bool writes;
    const char *spellings;     /* those of the speller in their order, each with a NUL behind it */
    struct qp_speller speller; /* but for these */
} qp_named;

/* A lexer that was worked out. */
typedef struct qp_table {
    const char *apart; /* the notation that is read apart; NULL: what is read together */
    struct qp_lexer lexer; /* but for its trie */
    const qp_several *several;
    size_t several_count;
} qp_table;
/* What the built-in grammars come to: the lexers, first that of what is read together, and which
 * notations there are. tools/make_tables.c works it out when the library is built. */
typedef struct qp_tables {
    const qp_table *lexers;
    size_t lexer_count;
    const qp_named *notations;
    size_t notation_count; /* 0: nothing was worked out */
} qp_tables;
extern const qp_tables qp_built_in;
/* NULL: memory ran out. */
struct qp_lexer *qp_lexer_built_in(const qp_table *table);
struct qp_speller *qp_speller_built_in(const qp_named *named);

/* ---- context ---- */

struct qp_notation {
    const char *name, *title;
    bool writes;
    const qp_context *context;
    struct qp_speller *QP_SHARED speller; /* what chinese.c, wxf.c and coord.c make of the
                                             dialect, once they are asked */
};
/* NULL: memory ran out. */
const struct qp_speller *qp_notation_speller(const qp_notation *notation);

/* The dialects themselves, in the order of the notations. */
typedef struct qp_dialects {
    qp_folds *folds;
    qp_dialect **files; /* owns the dialects */
    size_t file_count;
    const qp_dialect *at[QP_DIALECTS_MAX];
    size_t count;
} qp_dialects;
/* Those of a context, read where nobody has asked for them yet; NULL: memory ran out. */
qp_dialects *qp_context_dialects(const qp_context *context);

enum { QP_SPARES = 16 };

/* Everything that reading needs and that does not change while reading; what is shared is filled
 * in by whoever needs it first. */
struct qp_context {
    uint64_t limits[QP_LIMIT_COUNT];
    qp_notation notations[QP_DIALECTS_MAX];
    size_t count;
    struct qp_lexer *lexer;
    char error[256];
    qp_dialects *QP_SHARED dialects;
#ifndef __STDC_NO_ATOMICS__
    _Atomic(qp_spare *) spares[QP_SPARES]; /* all else that changes while readers are open */
#endif
};

#endif
