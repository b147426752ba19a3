/* The notation floor: from text to a written move (no board), from a written move and a
 * board to the moves it can mean, and back from a move to text. */
#ifndef QP_NOTATION_H
#define QP_NOTATION_H

#include "grammar/grammar.h"
#include "rules/track.h"

/* ---- written moves ---- */

typedef enum qp_form {
    QP_FORM_NONE,
    QP_FORM_PIECE_ROAD, /* 炮二平五, C2=5: kind road way arg */
    QP_FORM_WHICH_PIECE, /* 前炮退二, C+-2, 一兵平五: which kind way arg; road is the
                            number again where 一兵 can also be 兵一 */
    QP_FORM_WHICH_ROAD,       /* 前九平八, 7+.6: which road way arg; pawns */
    QP_FORM_WHICH_PIECE_ROAD, /* 前兵九平八: which kind road way arg */
    QP_FORM_DIGITS,  /* WXF 15=6: two digits whose meaning the board decides; which
                        is the first, road the second */
    QP_FORM_COORD,   /* h2e2, H2-E2, h10g8: from_file from_rank to_file to_rank as
                        written; the base of the ranks is the record's */
    QP_FORM_SQUARES, /* two squares, known: move */
    QP_FORM_SAN,     /* Hge2, A10e9: kind to_file to_rank, and what is given of from_file
                        and from_rank; ranks as for COORD, 15: not given */
} qp_form;

typedef enum qp_which {
    QP_WHICH_NONE,
    QP_WHICH_1,
    QP_WHICH_2,
    QP_WHICH_3,
    QP_WHICH_4,
    QP_WHICH_5, /* 一 … 五, from the front */
    QP_WHICH_FRONT,
    QP_WHICH_MIDDLE,
    QP_WHICH_REAR,
    QP_WHICH_SECOND_FRONT, /* AXF's ++: the first of four or five pawns, + is the second
                            */
    QP_WHICH_SECOND_REAR,  /* AXF's --: the last of them */
} qp_which;

typedef enum qp_way { QP_WAY_NONE, QP_WAY_FORWARD, QP_WAY_BACK, QP_WAY_ACROSS } qp_way;

/* Oddities of dress, as bits: each is worth a notation-style note. */
enum {
    QP_STYLE_GLYPH_RED = 1 << 0,   /* a glyph of Red's pieces (帅仕相兵) */
    QP_STYLE_GLYPH_BLACK = 1 << 1, /* of Black's (将士象卒) */
    QP_STYLE_DIGIT_CHINESE = 1 << 2,
    QP_STYLE_DIGIT_ARABIC = 1 << 3,
    QP_STYLE_TRADITIONAL = 1 << 4,
    QP_STYLE_SIMPLIFIED = 1 << 5,
    QP_STYLE_PIECE_FIRST = 1 << 6, /* 炮前退二 */
    QP_STYLE_RARE_WAY = 1 << 7,    /* 上 下 for 进 退 */
    QP_STYLE_SPACED = 1 << 8,      /* blanks inside the move */
    QP_STYLE_FILE_FIRST = 1 << 9,  /* 七兵进一 */
    QP_STYLE_WXF = 1 << 10,        /* nothing odd: letters or signs of WXF, whose schemes
                                      of pawns qp_resolve then tries */
};

/* What the author wrote. A value; 16 bytes. */
typedef struct qp_written {
    uint8_t form;  /* qp_form */
    uint8_t kind;  /* qp_kind, or 0 where left out or not decided (then kinds) */
    uint8_t kinds; /* 1 << kind bits that the letter can mean (WXF's B, G, M …); 0: kind
                      alone */
    uint8_t which; /* qp_which */
    uint8_t road, way, arg;
    uint8_t dialect; /* index of the notation that read it: what qp_notation_at takes */
    uint8_t from_file, from_rank, to_file,
        to_rank; /* COORD: files 0..8, ranks 0..10 as written */
    uint16_t style;
    qp_move move; /* SQUARES */
} qp_written;

/* How the ranks of a record's coordinates count. */
typedef enum qp_base {
    QP_BASE_ZERO, /* 0..9 from Red's side: ICCS, UCCI */
    QP_BASE_ONE,  /* 1..10 from Red's side: UCI of some engines */
    QP_BASE_TOP,  /* 0..9 from Black's side */
    QP_BASES
} qp_base;

/* ---- context ---- */

enum { QP_DIALECTS_MAX = 64 };

const struct qp_lexer *qp_context_lexer(const qp_context *context);
/* A lexer of one notation that is read apart ("vietnamese"), or of it beside the Chinese one
 * ("abbreviated"). The caller frees it; NULL: memory ran out, or there is none. */
struct qp_lexer *qp_context_card_lexer(const qp_context *context, const char *name);
void qp_lexer_free(struct qp_lexer *lexer);

/* What took time to make and can be used again with the same context, its first member. It may
 * be left on one thread and taken on another; what is never taken ends with the context, or
 * where a dialect is added. */
typedef struct qp_spare {
    void (*end)(struct qp_spare *spare); /* frees it */
} qp_spare;
void qp_context_leave(const qp_context *context, qp_spare *spare);
/* NULL where none was left. */
qp_spare *qp_context_take(const qp_context *context);

/* ---- lex, resolve, spell ---- */

/* Reads one move at the beginning of text. Returns the bytes it took, 0 where no move
 * stands there. Suffixes (!, ?, +, #) are not taken. Takes the longest reading; never the
 * digits of a round number that follows a move (炮2平32. is 炮2平3 and 2.). */
size_t qp_lex_move(const struct qp_lexer *lexer, const char *text, size_t len,
                   qp_written *written);
/* The usual move, 炮二平五: four characters of three bytes, nothing between them, no Latin
 * letter for the piece. Looks at QP_USUAL bytes and no others; false: it is none. What
 * qp_lex_move makes of them, in fewer steps. */
enum { QP_USUAL = 12 };
bool qp_lex_usual(const struct qp_lexer *lexer, const char *text, qp_written *written);

/* A number from 1 on for a move of the form PIECE_ROAD with all its parts known; 0 for any
 * other. */
enum { QP_STRIDES = 1 + 7 * 3 * 9 * 9 };
static inline unsigned qp_stride_number(const qp_written *w)
{
    unsigned kind = w->kind ? w->kind : QP_PAWN;
    bool usual = (w->form == QP_FORM_PIECE_ROAD) & (w->kinds == 0) & (w->way != QP_WAY_NONE) &
                 (w->road - 1u < 9) & (w->arg - 1u < 9);
    return usual ? 1 + (((kind - QP_KING) * 3 + w->way - QP_WAY_FORWARD) * 9 + w->road - 1) * 9 +
                       w->arg - 1
                 : 0;
}
/* What the move of a number is for a side. */
void qp_stride_fill(qp_stride *stride, qp_side side, unsigned number);

/* Moves that were read before, each at a place that its bytes tell: a file repeats one or
 * two thousand of them. One reader's; {0} is empty. */
typedef struct qp_known_move {
    uint64_t head; /* the bytes, as they lie in memory; 0: nothing is here */
    uint32_t tail;
    uint16_t stride; /* qp_stride_number */
    qp_written written;
} qp_known_move;
typedef struct qp_lex_memo {
    qp_known_move at[8192];
} qp_lex_memo;

/* Reads a move that the memory does not hold yet, into its place; false: none of len bytes
 * stands there. */
bool qp_lex_learn(const struct qp_lexer *lexer, const char *text, size_t len,
                  qp_known_move *known);

/* The move at text as qp_lex_move reads it, if it is four characters (炮二平五, 炮2平5, 前炮平5)
 * or a short word of ASCII (h2e2, C2=5), all but the usual move with a blank behind it; else NULL.
 * Looks at QP_KNOWN bytes and no others. */
enum { QP_KNOWN = QP_USUAL + 1 };
static inline const qp_known_move *qp_lex_known(qp_lex_memo *memo, const struct qp_lexer *lexer,
                                                const char *text, size_t *len)
{
    uint64_t head;
    uint32_t tail;
    size_t used = QP_USUAL;
    memcpy(&head, text, sizeof head);
    memcpy(&tail, text + sizeof head, sizeof tail);
    if (!(text[3] & 0x80)) {
        tail = 0;
        used = 8;
        if (text[0] & 0x80) {
            if ((unsigned char)text[8] > ' ')
                return NULL;
        } else {
#if defined(__GNUC__) && !defined(WORDS_BIGENDIAN)
            uint64_t blanks = (head - UINT64_C(0x2121212121212121)) & ~head &
                              UINT64_C(0x8080808080808080);
            if (blanks == 0 || blanks << 32 != 0) /* none, or before the fifth byte */
                return NULL;
            used = qp_lowest_bit(blanks) >> 3;
            head &= (UINT64_C(1) << 8 * used) - 1;
#else
            return NULL;
#endif
        }
    } else if (QP_RARE(!(text[9] & 0x80))) {
        if ((unsigned char)text[10] > ' ')
            return NULL;
        tail = 0;
        used = 10;
        memcpy(&tail, text + 8, 2);
    }
    *len = used;
    qp_known_move *known = &memo->at[((head ^ tail) * UINT64_C(0x9e3779b97f4a7c15)) >> 51];
    if (QP_RARE(known->head != head || known->tail != tail)) {
        known->head = head;
        known->tail = tail;
        if (!qp_lex_learn(lexer, text, used, known))
            return NULL;
    }
    return QP_LIKELY_TO(known->stride != 0) || (unsigned char)text[used] <= ' ' ? known : NULL;
}

/* The move of a COORD under a base, 0 where it names no squares under it. */
qp_move qp_coord_move(const qp_written *written, qp_base base);

/* The moves that a written move can mean for the side to move: legal ones, at most eight,
 * each once. COORD counts by base. style gets bits about the pick (order word missing or
 * needless) beside those of the lexer: QP_PICK_…. */
enum {
    QP_PICK_ORDER_MISSING = 1 << 0, /* a doubled piece named by its file number alone */
    QP_PICK_ORDER_NEEDLESS =
        1 << 1, /* 前 or 后 where one piece stands, or on 仕 and 相 */
    QP_PICK_FRONT_OF_TWO_FILES = 1 << 2, /* 前兵 with two doubled files */
    QP_PICK_WXF_SCHEME = 1 << 3, /* the pawn schemes of WXF differ here, or the one that
                                    fits is not the first */
    QP_PICK_FILE_FIRST = 1 << 4, /* 七兵 read as 兵七 */
};
size_t qp_resolve(const qp_board *board, const qp_written *written, qp_base base,
                  qp_move moves[8], unsigned *pick);

/* Why qp_resolve gave none, or more than one (move_ambiguous). */
typedef struct qp_reason {
    qp_code code;
    const char *detail; /* a refusal's name, "ambiguous-abbrev" …, or NULL */
    qp_move move;       /* the squares that the text names, 0 where it names none */
    qp_square at;       /* the piece in the way or the like, or QP_NO_SQUARE */
    char message[160]; /* what was found and what was expected, in English with the glyphs
                        */
} qp_reason;
void qp_resolve_why(const qp_board *board, const qp_written *written, qp_base base,
                    qp_reason *reason);
/* The same for a move known by its squares that qp_board_refuse refuses. */
void qp_refuse_why(const qp_board *board, qp_move move, qp_reason *reason);

/* What one character can mean by itself; all zero where it is no sign of notation. */
typedef struct qp_sign {
    uint8_t kinds;         /* 1 << qp_kind bits */
    uint8_t digit, way;    /* 1..9; qp_way */
    uint8_t before, after; /* qp_which, in front of a piece or road, and behind it */
    uint16_t style;        /* QP_STYLE_… */
} qp_sign;
/* The sign at text, len >= 1 bytes; *used gets those of the character. */
qp_sign qp_lex_sign(const struct qp_lexer *lexer, const char *text, size_t len, size_t *used);

/* Whether a token has the make of a move (a piece glyph and a direction word, or the
 * like) though none reads it: for telling a broken move from a word. */
bool qp_lex_resembles_move(const struct qp_lexer *lexer, qp_str token);

#endif
