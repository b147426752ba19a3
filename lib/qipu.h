/* libqipu: read, replay, check and write Xiangqi (Chinese chess) game records.
 *
 * The street, one game at a time; nothing flows back:
 *
 *   bytes -> UTF-8 text -> record (as found) -> moves on a board -> game (as understood)
 *         -> findings
 *         -> writer -> bytes
 *
 * A program that counts the sound games of standard input:
 *
 *     qp_context *context = qp_context_new();
 *     qp_reader *reader = qp_reader_open(context, qp_read_fd, &(int){0}, NULL);
 *     const qp_game *game;
 *     int sound = 0;
 *     qp_status status;
 *     while ((status = qp_reader_next(reader, &game)) == QP_OK || status == QP_BAD)
 *         sound += game != NULL && game->legal;
 *     qp_reader_close(reader);
 *     qp_context_free(context);
 *
 * The library never prints, never exits and never aborts on input. It has no globals and
 * does not look at the locale: contexts, readers and writers may each live on a thread of
 * their own, and a context may be shared once every dialect is loaded.
 */
#ifndef QIPU_H
#define QIPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define QP_API __attribute__((visibility("default")))
#else
#define QP_API
#endif

/* ---- base: status, borrowed strings, findings ------------------------------------- */

typedef enum qp_status {
    QP_OK = 0, /* go on */
    QP_END,    /* nothing more */
    QP_BAD,    /* this record could not be read whole; its findings say why, the next may be fine */
    QP_FATAL,  /* the input or output itself is lost, or memory ran out */
} qp_status;

/* Borrowed bytes, UTF-8 unless said otherwise; not terminated by NUL. data may be NULL
 * where len is 0. Whoever lends it says how long it lives. */
typedef struct qp_str {
    const char *data;
    size_t len;
} qp_str;

typedef enum qp_severity { QP_NOTE, QP_WARNING, QP_ERROR } qp_severity;

/* How sure a suggestion is: certain means that it cannot change the game that was meant. */
typedef enum qp_certainty { QP_POSSIBLE, QP_LIKELY, QP_CERTAIN } qp_certainty;

/* Every code that a finding can have: enumerator, the stable name that scripts rely on (none
 * is ever reused), severity, what is wrong, what to do about it. */
#define QP_CODES(X)                                                                        \
    X(move_unreadable, "move-unreadable", ERROR, "no notation known reads the token",                         \
      "write the move in four characters (炮二平五), WXF (C2=5) or coordinates (h2e2)")     \
    X(move_no_piece, "move-no-piece", ERROR, "no such piece stands on that file or square",                 \
      "check the piece and the file it leaves; files count from the mover's right")        \
    X(move_ambiguous, "move-ambiguous", ERROR, "more than one piece can make the move and nothing decides",  \
      "name the piece with 前 or 后 (+ or - in WXF), or write coordinates")                \
    X(move_geometry, "move-geometry", ERROR, "the piece does not move so",                                  \
      "check the direction word and the number after it")                                  \
    X(move_blocked, "move-blocked", ERROR, "the way is blocked: leg, eye, path or cannon screen",          \
      "a ply before may be missing or misread")                                            \
    X(move_zone, "move-zone", ERROR, "the piece may not leave the palace or cross the river",           \
      "check the piece and the number after the direction word")                           \
    X(move_own_piece, "move-own-piece", ERROR, "the move lands on a piece of its own side",                  \
      "a ply before may be missing or misread")                                            \
    X(move_exposes_king, "move-exposes-king", ERROR, "the move leaves or puts the mover's own king in check",   \
      "such a move loses at once; if it was not played, it is misread")                    \
    X(move_kings_face, "move-kings-face", ERROR, "the move leaves the two kings facing each other",           \
      "such a move loses at once; if it was not played, it is misread")                    \
    X(move_wrong_side, "move-wrong-side", ERROR, "the other side is to move",                                 \
      "a ply is missing or written twice")                                                 \
    X(move_after_end, "move-after-end", ERROR, "the game had ended by checkmate or stalemate",               \
      "delete the moves after the end, or look for a misread ply before it")               \
    X(move_glyph, "move-glyph", ERROR, "a misread character that one reading explains",                  \
      "correct the character")                                                             \
    X(move_missing, "move-missing", ERROR, "one or more plies are missing", "supply the missing plies")    \
    X(move_doubled, "move-doubled", ERROR, "a ply or a round is written twice", "delete one of the two")   \
    X(card_differs, "card-differs", WARNING, "the other card of the game has another move here",            \
      "see which of the two the rest of the game supports")                                \
    X(columns_swapped, "columns-swapped", ERROR, "red's and black's moves stand in each other's column",      \
      "swap the columns")                                                                  \
    X(number_gap, "number-gap", WARNING, "round numbers leave a gap", "supply the missing round or number") \
    X(number_wrong, "number-wrong", WARNING, "a round number does not fit its place", "renumber")          \
    X(result_missing, "result-missing", WARNING, "no result is stated where the board or the text shows one", \
      "write the result")                                                                  \
    X(result_mismatch, "result-mismatch", ERROR, "two statements of the result contradict each other",        \
      "keep the one that is true")                                                         \
    X(result_note, "result-note", NOTE, "what the end of the record says of its result",                  \
      "a remark only; nothing needs mending")                                              \
    X(result_odd, "result-odd", WARNING, "the result is possible but unlikely on this board",            \
      "state the reason in a Termination tag or a comment")                                \
    X(repetition, "repetition", WARNING, "a position came up the third time",                   \
      "see what each ply of the loop does, with qipu check -v")         \
    X(move_limit, "move-limit", WARNING, "the natural move limit was reached",                  \
      "it is a draw if a player claims it, and by the rules of engines at once") \
    X(scorecard_foul, "scorecard-foul", WARNING, "the rules count a foul for missed moves", "see the ruleset") \
    X(notation_style, "notation-style", NOTE, "a sound move in an unusual dress",                            \
      "nothing needs mending; the writer emits the usual form")                            \
    X(fen_invalid, "fen-invalid", ERROR, "the start position cannot be", "correct the FEN")               \
    X(fen_style, "fen-style", NOTE, "the start position is sound but spelled in an unusual way",        \
      "nothing needs mending; the writer emits all six fields")                            \
    X(no_game, "no-game", ERROR, "nothing in the file is a record of Xiangqi", "if it holds one all the same, name its format with -f") \
    X(variation_unbalanced, "variation-unbalanced", ERROR, "a variation is not closed, or closed twice",           \
      "add or remove a parenthesis")                                                       \
    X(comment_unclosed, "comment-unclosed", ERROR, "a comment is not closed", "add the closing brace")         \
    X(comment_bare, "comment-bare", WARNING, "words that are no move stand outside braces",              \
      "put them in braces, or mend the move that they were")                               \
    X(tag_broken, "tag-broken", WARNING, "a tag is not written as tags are", "quote and close the value") \
    X(date_odd, "date-odd", WARNING, "the date does not exist or can be read in two ways",             \
      "write YYYY.MM.DD, with ?? for what is not known")                                   \
    X(encoding_invalid, "encoding-invalid", ERROR, "bytes that the encoding does not allow",                   \
      "find the right encoding (-e), or mend the bytes")                                   \
    X(encoding_guessed, "encoding-guessed", NOTE, "the encoding was guessed, or changes within the file",      \
      "name it with -e where the guess is wrong")                                          \
    X(encoding_junk, "encoding-junk", WARNING, "bytes that are no part of any text, such as NUL",           \
      "they were passed over; remove them")                                                \
    X(encoding_mojibake, "encoding-mojibake", ERROR, "the text was decoded wrongly once and saved again",       \
      "convert it back; the suggestion shows the text that was meant")                     \
    X(encoding_unmappable, "encoding-unmappable", ERROR, "the output encoding lacks a character",                 \
      "write UTF-8 or GB18030")                                                            \
    X(file_truncated, "file-truncated", ERROR, "the file ends in the middle of something", "find a whole copy") \
    X(file_corrupt, "file-corrupt", ERROR, "the file does not hold what its format promises",              \
      "find a whole copy")                                                                 \
    X(file_limit, "file-limit", ERROR, "a limit against hostile input was reached", "raise the limit")   \
    X(format_unsupported, "format-unsupported", ERROR, "a known kind of file that is not read", "convert it first") \
    X(trailing_text, "trailing-text", NOTE, "text after the end of the game that is no move",               \
      "it was passed over")                                                                \
    X(loss, "loss", WARNING, "the output format cannot hold something that the game has",          \
      "choose json, xml or pgn")

typedef enum qp_code {
    QP_D_none = 0,
#define QP_CODE_ENUM(slug, name, severity, summary, help) QP_D_##slug,
    QP_CODES(QP_CODE_ENUM)
#undef QP_CODE_ENUM
    QP_CODE_COUNT
} qp_code;

/* The stable name (`move-no-piece`), the usual severity and the two texts of QP_CODES.
 * Static strings; for a number out of range "none", QP_NOTE and "". */
QP_API const char *qp_code_name(qp_code code);
QP_API qp_severity qp_code_severity(qp_code code);
QP_API const char *qp_code_summary(qp_code code);
QP_API const char *qp_code_help(qp_code code);

/* ---- rules: squares, moves, boards ------------------------------------------------- */

typedef enum qp_side { QP_RED = 0, QP_BLACK = 1 } qp_side;

/* 0 is no piece. */
typedef enum qp_kind {
    QP_NO_KIND = 0,
    QP_KING,
    QP_ADVISOR,
    QP_ELEPHANT,
    QP_HORSE,
    QP_ROOK,
    QP_CANNON,
    QP_PAWN,
} qp_kind;

/* rank * 9 + file: a0 = 0 is Red's left corner, i9 = 89; QP_NO_SQUARE is none. */
typedef uint8_t qp_square;
#define QP_SQUARES 90
#define QP_NO_SQUARE 0xFF
#define QP_SQUARE(file, rank) ((qp_square)((rank) * 9 + (file)))
#define QP_FILE(square) ((int)((square) % 9))
#define QP_RANK(square) ((int)((square) / 9))

/* side << 3 | kind; 0 is an empty square. */
typedef uint8_t qp_piece;
#define QP_PIECE(side, kind) ((qp_piece)((side) << 3 | (kind)))
#define QP_PIECE_SIDE(piece) ((qp_side)((piece) >> 3))
#define QP_PIECE_KIND(piece) ((qp_kind)((piece) & 7))

/* from << 7 | to; 0 is no move. */
typedef uint16_t qp_move;
#define QP_MOVE(from, to) ((qp_move)((from) << 7 | (to)))
#define QP_FROM(move) ((qp_square)((move) >> 7))
#define QP_TO(move) ((qp_square)((move) & 127))

/* A position, a plain value. Read it freely; change it only with the functions below,
 * which keep king[], calm and the counters true. */
typedef struct qp_board {
    qp_piece at[QP_SQUARES]; /* what stands on each square */
    uint8_t side;            /* whose move it is */
    uint8_t king[2];         /* square of each side's (first) king, or QP_NO_SQUARE */
    uint8_t calm;            /* what is known of the kings' safety; 0 is always true */
    uint16_t quiet;          /* plies since the last capture: the FEN's fifth field */
    uint16_t round;          /* from 1: the FEN's sixth field */
} qp_board;

/* More than any position has: 90 squares hold 16 pieces of a side with 112 moves at the
 * most in play; positions that cannot be are cut off here, never overrun. */
#define QP_MOVES_MAX 2048

/* The usual start position, Red to move. */
QP_API void qp_board_start(qp_board *board);
/* Whether two positions have the same pieces and side to move (counters do not count). */
QP_API bool qp_board_same(const qp_board *a, const qp_board *b);
/* Writes the legal moves, sorted by their text (a0a1 before a0b0); returns how many. */
QP_API size_t qp_board_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX]);
/* Whether the side's king could be taken on the next move. Facing kings do not count. */
QP_API bool qp_board_in_check(const qp_board *board, qp_side side);
/* Plays a move that names two squares, legal or not: lifts what stands on the first,
 * puts it on the second, passes the turn and counts. */
QP_API void qp_board_play(qp_board *board, qp_move move);
/* Leaf nodes of the tree of legal moves, depth plies deep (at most QP_PERFT_MAX, more than
 * any computer can walk); 1 for depth 0. */
#define QP_PERFT_MAX 64
QP_API uint64_t qp_board_perft(const qp_board *board, unsigned depth);

typedef enum qp_end { QP_END_NONE, QP_END_CHECKMATE, QP_END_STALEMATE } qp_end;
/* Whether the side to move is mated, or has no move and so loses all the same. */
QP_API qp_end qp_board_end(const qp_board *board);
QP_API const char *qp_end_name(qp_end end); /* "none" "checkmate" "stalemate" */
/* Whether neither side has a rook, horse, cannon or pawn left. */
QP_API bool qp_board_dead_material(const qp_board *board);

/* Why a move is refused: the first that holds, in this order. */
typedef enum qp_refusal {
    QP_LEGAL = 0,
    QP_REFUSE_NO_PIECE,
    QP_REFUSE_WRONG_SIDE,
    QP_REFUSE_NULL_MOVE,
    QP_REFUSE_BAD_SHAPE,
    QP_REFUSE_LEAVES_PALACE,
    QP_REFUSE_CROSSES_RIVER,
    QP_REFUSE_PAWN_BACKWARD,
    QP_REFUSE_PAWN_SIDEWAYS,
    QP_REFUSE_BLOCKED_EYE,
    QP_REFUSE_BLOCKED_LEG,
    QP_REFUSE_PATH_BLOCKED,
    QP_REFUSE_CANNON_NO_SCREEN,
    QP_REFUSE_CANNON_MANY_SCREENS,
    QP_REFUSE_CAPTURES_OWN,
    QP_REFUSE_CAPTURES_KING,
    QP_REFUSE_KINGS_FACING,
    QP_REFUSE_STILL_IN_CHECK,
    QP_REFUSE_SELF_CHECK,
    QP_REFUSAL_COUNT
} qp_refusal;
/* QP_LEGAL, or the first reason against the move. */
QP_API qp_refusal qp_board_refuse(const qp_board *board, qp_move move);
/* "legal", "no-piece", "pawn-sideways-before-river" …; the code a finding of it has. */
QP_API const char *qp_refusal_name(qp_refusal refusal);
QP_API qp_code qp_refusal_code(qp_refusal refusal);

/* Faults that a FEN or its position can have, as bits. */
typedef enum qp_fen_fault {
    QP_FEN_EMPTY = 1 << 0,             /* error: no board at all */
    QP_FEN_LETTER = 1 << 1,            /* error: a letter that names no piece */
    QP_FEN_ROW_COUNT = 1 << 2,         /* error: not ten rows */
    QP_FEN_ROW_LONG = 1 << 3,          /* error: a row of more than nine */
    QP_FEN_ROW_SHORT = 1 << 4,         /* note: a row padded to nine */
    QP_FEN_SIDE = 1 << 5,              /* note: a side letter other than w, r, b */
    QP_FEN_FIELDS = 1 << 6,            /* note: fields are missing */
    QP_FEN_TURNED = 1 << 7,            /* note: Red stood on top; turned round */
    QP_FEN_COUNTERS = 1 << 8,          /* note: a counter that is no number */
    QP_FEN_KING_COUNT = 1 << 9,        /* error, and so the next seven: rules of pieces */
    QP_FEN_KING_PALACE = 1 << 10,
    QP_FEN_ADVISOR_POINT = 1 << 11,
    QP_FEN_ELEPHANT_POINT = 1 << 12,
    QP_FEN_PAWN_POINT = 1 << 13,
    QP_FEN_PIECE_COUNT = 1 << 14,
    QP_FEN_FACING = 1 << 15,
    QP_FEN_OPPONENT_IN_CHECK = 1 << 16,
    QP_FEN_PAWN_FILE = 1 << 17,        /* note: two uncrossed pawns on one file */
    QP_FEN_VARIANT = 1 << 18,          /* error: a position of another game (hidden pieces) */
    QP_FEN_GAP = 1 << 19,              /* note: empty squares or rows counted unusually */
} qp_fen_fault;
/* The faults after which there is no board to play on. */
#define QP_FEN_UNREADABLE                                                                  \
    (QP_FEN_EMPTY | QP_FEN_LETTER | QP_FEN_ROW_COUNT | QP_FEN_ROW_LONG | QP_FEN_VARIANT)

typedef struct qp_fen_report {
    uint32_t faults;       /* qp_fen_fault bits */
    bool side_given;       /* whether the text names the side to move */
    size_t used;           /* bytes of the text that belong to the FEN */
    size_t where;          /* offset of the first byte that is an error, else 0 */
} qp_fen_report;

/* Reads a FEN in any known spelling (nine-digit gaps split or missing, E and H, G and M, a
 * glued side letter, URL escapes, one to six fields). Always fills *board: with the
 * position, or with the usual start where a QP_FEN_UNREADABLE bit is set. */
QP_API void qp_fen_read(qp_str text, qp_board *board, qp_fen_report *report);
/* The faults of a position itself: bits from QP_FEN_KING_COUNT to QP_FEN_PAWN_FILE. */
QP_API uint32_t qp_board_faults(const qp_board *board);
/* The name of one fault bit ("pos-facing", "fen-row-count" …) and its severity. */
QP_API const char *qp_fen_fault_name(qp_fen_fault fault);
QP_API const char *qp_fen_fault_text(qp_fen_fault fault);
QP_API qp_severity qp_fen_fault_severity(qp_fen_fault fault);
/* Writes all six fields and a NUL; returns the length. */
#define QP_FEN_MAX 128
QP_API size_t qp_fen_write(const qp_board *board, char text[QP_FEN_MAX]);
/* "h2e2" and a NUL; "----" for no move. */
QP_API void qp_move_text(qp_move move, char text[5]);
QP_API char qp_piece_letter(qp_piece piece); /* K A B N R C P, lower case for Black, '.' */

/* ---- boards as text for people ----------------------------------------------------- */

typedef enum qp_glyphs {
    QP_GLYPHS_CHINESE, /* 帅仕相马车炮兵 for Red, 將士象馬車砲卒 for Black: two cells each */
    QP_GLYPHS_LETTERS, /* those of a FEN: ASCII alone */
} qp_glyphs;

typedef struct qp_board_style {
    qp_glyphs glyphs;
    bool from_black; /* Black's side below */
    bool color;      /* with the escapes that terminals take for color */
    qp_move last;    /* its goal is marked [ ], its start ( ); 0: none */
} qp_board_style;

/* Draws a position in 14 lines, each with its LF, and a NUL behind them: the number of every
 * file as either side counts them, ten ranks with their ICCS numbers, the river, the ICCS
 * letters. No line is wider than QP_BOARD_CELLS on a terminal. style may be NULL; returns
 * the length. */
#define QP_BOARD_TEXT_MAX 4096
#define QP_BOARD_CELLS 38
QP_API size_t qp_board_draw(const qp_board *board, const qp_board_style *style,
                            char text[QP_BOARD_TEXT_MAX]);
/* How many cells of a terminal UTF-8 text takes: 2 for a wide character, 0 for what
 * combines or cannot be seen. */
QP_API size_t qp_cells(qp_str text);

/* ---- context: dialects and limits -------------------------------------------------- */

typedef struct qp_context qp_context;

/* NULL where memory ran out. */
QP_API qp_context *qp_context_new(void);
QP_API void qp_context_free(qp_context *context);

typedef enum qp_limit {
    QP_LIMIT_RECORD,     /* bytes of text of one record; 64 MiB, at most QP_RECORD_MOST */
    QP_LIMIT_VARIATIONS, /* variations inside one another; 10000 */
    QP_LIMIT_NODES,      /* moves in one game's tree; 4 Mi */
    QP_LIMIT_COUNT
} qp_limit;
/* Offsets inside a record are kept in 32 bits; a larger limit counts as this one. */
#define QP_RECORD_MOST ((uint64_t)1 << 30)
QP_API void qp_context_set_limit(qp_context *context, qp_limit limit, uint64_t value);
QP_API uint64_t qp_context_limit(const qp_context *context, qp_limit limit);

/* Loads a dialect file (qipu-dialect(5)) beside the built-in ones. QP_BAD: *error is set to
 * "line N: …", lent by the context until its next dialect or its end. */
QP_API qp_status qp_context_add_dialect(qp_context *context, qp_str text, const char **error);

/* ---- notation: one move as text ------------------------------------------------------ */

/* A notation to write moves in; lent by the context. */
typedef struct qp_notation qp_notation;
/* By name: chinese, chinese-traditional, wxf, iccs, uci, uci1 …, or a loaded dialect's.
 * NULL where none has it. */
QP_API const qp_notation *qp_notation_find(const qp_context *context, const char *name);
/* The index-th notation, NULL past the last. */
QP_API const qp_notation *qp_notation_at(const qp_context *context, size_t index);
QP_API const char *qp_notation_name(const qp_notation *notation);
QP_API const char *qp_notation_title(const qp_notation *notation);
QP_API bool qp_notation_writes(const qp_notation *notation);

/* Spells a pseudo-legal move of the side to move; NUL-terminated UTF-8. Returns its length,
 * 0 where the square is empty or the notation cannot say it. */
#define QP_MOVE_TEXT_MAX 64
QP_API size_t qp_move_spell(const qp_notation *notation, const qp_board *board, qp_move move,
                            char text[QP_MOVE_TEXT_MAX]);

/* Reads one written move on a board, in any notation known, by legality.
 * Returns how many moves it can mean and writes the first eight of them; where that is 0,
 * *code says why (move_unreadable, move_blocked …) and, where the text names two squares,
 * moves[0] is that move. */
QP_API size_t qp_move_read(const qp_context *context, const qp_board *board, qp_str text,
                           qp_move moves[8], qp_code *code);

/* ---- findings --------------------------------------------------------------------------- */

typedef struct qp_suggestion {
    qp_str replace; /* the text to write instead of the token */
    qp_move move;   /* 0 where it is no move */
    qp_certainty certainty;
    qp_move second; /* where two plies are missing: the second of them */
    uint32_t ply;   /* where it belongs, if not to the finding's own ply; else 0 */
} qp_suggestion;

/* What is wrong with a record, and where. All strings live as long as the game that the
 * reader (or writer) lent with it. */
typedef struct qp_finding {
    qp_code code;
    qp_severity severity;
    const char *detail;    /* the finer name of the condition, or NULL */
    uint32_t game;         /* from 1 within the file, 0: the file as a whole */
    uint32_t ply;          /* from 1, 0: no ply; inside a variation counted from the start */
    uint32_t variation;    /* from 1 in file order, 0: the main line */
    uint32_t round;        /* the round of that ply, 0 where ply is 0 */
    uint32_t missing;      /* move_missing: how many plies */
    uint32_t count;        /* loss: how many things of that kind; else 0 */
    unsigned once;         /* of a writer with `part`: told once a file; see qp_writer_first */
    bool has_side;
    qp_side side;          /* whose ply it is, where has_side */
    uint64_t byte;         /* offset in the file as it is on disk */
    uint64_t byte_end;     /* past the last byte */
    uint32_t line, column; /* from 1, column in characters; 0: no place is known */
    qp_str source;         /* the line, decoded, without its end; may be cut */
    uint32_t caret, caret_cells; /* where in source the token begins and how wide it is, in
                                    display cells */
    qp_str token;
    qp_str message;        /* lower case, no full stop */
    qp_str note;           /* one more sentence, or empty */
    const char *fen;       /* the position before the ply, or NULL */
    const qp_suggestion *suggestions;
    size_t suggestion_count;
} qp_finding;

/* ---- games -------------------------------------------------------------------------- */

typedef enum qp_result {
    QP_RESULT_UNKNOWN = 0, /* * */
    QP_RESULT_RED,         /* 1-0 */
    QP_RESULT_BLACK,       /* 0-1 */
    QP_RESULT_DRAW,        /* 1/2-1/2 */
} qp_result;
QP_API const char *qp_result_text(qp_result result);

typedef struct qp_tag {
    qp_str name, value;
} qp_tag;

/* One comment; several can stand in one place, in file order. */
typedef struct qp_comment {
    qp_str text;
    const struct qp_comment *next;
} qp_comment;

/* What few plies have. */
typedef struct qp_extra {
    const qp_comment *before; /* before the ply: before the first of a variation */
    const qp_comment *after;
    const uint16_t *nags; /* numeric annotation glyphs, in file order */
    size_t nag_count;
    qp_str clock; /* as found, "0:01:30" */
    qp_str rest;  /* of the first ply that cannot be replayed: that line from this ply to its
                     end, verbatim, where the source is text */
} qp_extra;

enum {
    QP_NODE_ILLEGAL = 1 << 0,     /* the move names two squares and is against the rules */
    QP_NODE_UNREADABLE = 1 << 1,  /* text alone: move is 0 */
    QP_NODE_AFTER_ERROR = 1 << 2, /* follows such a ply in its line; not judged by itself */
};

/* One ply of the tree. A variation's first ply hangs on the ply that it replaces, as one of
 * its alternatives; what replaces the first ply of a variation hangs beside it, so the
 * alternatives of a ply are all the other moves of its position, in file order. */
typedef struct qp_node qp_node;
struct qp_node {
    qp_node *prev;        /* the ply before it, NULL at the start */
    qp_node *next;        /* the ply after it in the same line */
    qp_node *beside;      /* the next of the moves of its position, behind the last the main one
                             again; NULL where there is no other */
    const qp_extra *extra; /* NULL where it has nothing of the kind */
    const char *text;     /* as written; text_len is 0 where the source has squares only */
    uint32_t text_len;
    uint32_t ply;         /* from 1 along its line from the game's start */
    uint32_t variation;   /* number of its line in file order; 0 the main line */
    qp_move move;
    uint8_t flags;
    bool aside;           /* an alternative: it stands beside the main move of its position */
};
/* The first alternative of a main ply, or NULL. */
static inline const qp_node *qp_node_alternative(const qp_node *node)
{
    return node->aside ? NULL : node->beside;
}
/* The alternative after this one, or NULL. */
static inline const qp_node *qp_node_sibling(const qp_node *node)
{
    return node->aside && node->beside->aside ? node->beside : NULL;
}
/* The main ply that an alternative replaces, or NULL. */
static inline const qp_node *qp_node_owner(const qp_node *node)
{
    const qp_node *main = node->aside ? node->beside : NULL;
    if (main != NULL && main->aside && node->prev != NULL)
        return node->prev->next;
    while (main != NULL && main->aside)
        main = main->beside;
    return main;
}
static inline qp_str qp_node_text(const qp_node *node)
{
    qp_str text;
    text.data = node->text;
    text.len = node->text_len;
    return text;
}

/* One game, lent by a reader until its next call; or built by a caller. */
typedef struct qp_game {
    uint32_t number; /* from 1 within the file */
    const qp_tag *tags; /* all, verbatim and in file order; the reader adds none */
    size_t tag_count;
    qp_board start;
    bool start_given;       /* whether the record states a start position */
    const qp_comment *comments; /* before the first move */
    qp_node *first;         /* first ply of the main line, NULL for a game without one */
    qp_result result;       /* as stated: tag, else the end of the text */
    bool result_given;
    /* as understood */
    bool legal;             /* the main line was replayed to its end */
    uint32_t plies;         /* of the main line, its sound part */
    uint32_t line_plies;    /* of the main line, all */
    qp_board final;         /* after the sound part */
    qp_end end;             /* of that position */
    uint32_t nodes;         /* plies in the whole tree */
    uint32_t variations;    /* leaves minus one */
    uint32_t comment_places; /* places that hold a comment */
    const char *format;     /* "pgn" … */
    const char *encoding;   /* "utf-8" "gb18030" "big5" …, "" where it has none */
    const char *notation;   /* of most of its moves: "chinese" "wxf" "iccs" …, or "" */
} qp_game;

/* The value of the first tag of that name (ASCII case does not count), or {NULL, 0}. */
QP_API qp_str qp_game_tag(const qp_game *game, const char *name);
/* The node after this one when a tree is walked in file order: a ply, then each of its
 * alternatives with all that follows them, then the ply after it. *depth, if not NULL, is
 * kept: how many variations the node lies in. NULL at the end. No recursion, no memory. */
QP_API const qp_node *qp_node_walk(const qp_node *node, unsigned *depth);

/* ---- formats ---------------------------------------------------------------------------- */

enum {
    QP_CARRIES_TAGS = 1 << 0,        /* any tag by name */
    QP_CARRIES_FEW_TAGS = 1 << 1,    /* a fixed list */
    QP_CARRIES_COMMENTS = 1 << 2,
    QP_CARRIES_VARIATIONS = 1 << 3,
    QP_CARRIES_NAGS = 1 << 4,
    QP_CARRIES_START = 1 << 5,       /* a start position */
    QP_CARRIES_COUNTERS = 1 << 6,    /* its counters too */
    QP_CARRIES_RESULT = 1 << 7,
    QP_CARRIES_CLOCKS = 1 << 8,
    QP_CARRIES_SQUARES = 1 << 9,     /* moves as two squares, so illegal ones keep theirs */
    QP_CARRIES_TEXT = 1 << 10,       /* moves as text in a notation to be chosen */
    QP_CARRIES_MOVES = 1 << 11,      /* the main line */
    QP_CARRIES_ROUND = 1 << 12,      /* of the counters, the round that a game begins with */
    QP_CARRIES_UNREADABLE = 1 << 13, /* plies that no notation reads, as text in their place */
};

typedef struct qp_format qp_format;
QP_API const qp_format *qp_format_find(const char *name);
QP_API const qp_format *qp_format_at(size_t index); /* NULL past the last */
QP_API const qp_format *qp_format_by_suffix(const char *path); /* by file name, or NULL */
QP_API const char *qp_format_name(const qp_format *format);
QP_API const char *qp_format_title(const qp_format *format);
QP_API const char *qp_format_suffixes(const qp_format *format); /* parted by blanks */
QP_API unsigned qp_format_carries(const qp_format *format);
QP_API bool qp_format_reads(const qp_format *format);
QP_API bool qp_format_writes(const qp_format *format);
QP_API bool qp_format_experimental(const qp_format *format);
/* Whether that version of the format can be written; 0 is the usual one of each. */
QP_API bool qp_format_has_version(const qp_format *format, unsigned version);

/* ---- reader ---------------------------------------------------------------------------- */

/* Reads up to size bytes. Returns how many, 0 at the end, -1 on failure (errno tells). */
typedef ptrdiff_t (*qp_read_fn)(void *user, void *buffer, size_t size);
/* A qp_read_fn over a file descriptor; user points to the int. */
QP_API ptrdiff_t qp_read_fd(void *user, void *buffer, size_t size);

typedef struct qp_reader_options {
    const char *name;     /* file name, for its suffix; may be NULL */
    const char *format;   /* NULL: found by content, then by suffix */
    const char *encoding; /* NULL: detected */
    bool tags_only;       /* do not replay moves: legal, plies, nodes stay unset */
    bool no_lint;         /* qp_lint will not be called: of a long record, what was replayed is
                             forgotten but for its game */
    bool main_line;       /* keep no variations: they are replayed and counted as ever, but
                             game->first leads to the main line alone */
    uint32_t spare_tree;  /* not 0: a game may be lent without its tree, first being NULL, if it is
                             one sound line from the usual start without comments, in which no
                             position comes up three times and no more than so many plies in a
                             row are without a capture. It is read faster so */
    bool spare_loud;      /* with spare_tree: even where a position comes up three times, or more
                             plies in a row are without a capture; qp_check has what it needs */
    bool pass_sound;      /* with spare_tree: of these, games of which qp_check has nothing to say
                             (without its reasons, and where its limit is not reached) are not
                             lent but counted. See qp_reader_skipped */
    bool heads;           /* with spare_tree: of a game without its tree neither final and end nor
                             findings are asked for, and qp_check is not called; positions may
                             come up as often as they will. It is read faster still */
    bool unplayed;        /* with heads: of such games but the first nor are legal, plies and
                             notation, so that their moves need not be sound, nor played */
    bool unchecked;       /* without spare_tree, with no_lint: qp_check will not be called either,
                             and games are read faster for that */
    const struct qp_stand *from; /* NULL: the file's beginning; else see below */
    uint64_t until; /* another reader goes on from this byte; 0: none does */
} qp_reader_options;

typedef struct qp_reader qp_reader;
/* options may be NULL; they are copied. NULL: memory ran out, or a format or encoding of
 * that name is not known. The context must outlive the reader. */
QP_API qp_reader *qp_reader_open(const qp_context *context, qp_read_fn read, void *user,
                                 const qp_reader_options *options);
/* What it was costly to set up waits in the context, some MiB at the most, for the next one. */
QP_API void qp_reader_close(qp_reader *reader);
/* Reads the next record, replays it, and lends the game; *game is NULL where the record
 * holds none. It stays valid until the next call on this reader.
 * QP_OK; QP_BAD: this record has findings that kept part of it from being read; QP_END: no
 * more (findings about the file as a whole may stand with it: no-game); QP_FATAL: see
 * qp_reader_error. */
QP_API qp_status qp_reader_next(qp_reader *reader, const qp_game **game);
/* How many games were passed over since this was asked last, and their plies: they stand before
 * the game that was lent last. qp_reader_next may give QP_OK and no game behind them. */
typedef struct qp_skipped {
    uint64_t games, plies;
} qp_skipped;
QP_API qp_skipped qp_reader_skipped(qp_reader *reader);
/* The findings of the last qp_reader_next, in the order of their places. */
QP_API const qp_finding *qp_reader_findings(const qp_reader *reader, size_t *count);
/* The input as it was found to be; NULL before the first qp_reader_next. */
QP_API const qp_format *qp_reader_format(const qp_reader *reader);
QP_API const char *qp_reader_error(const qp_reader *reader); /* after QP_FATAL */

/* ---- parts of a file ---- */

/* Where a reader stands between two records, and what it carries from one to the next. Another
 * reader with this as its options' `from`, fed the bytes from `byte` on, reads on in its place:
 * so can one that was opened far ahead, at a place where a record most likely begins and with
 * what the first record carried, if the reader before it comes to the same stand. */
typedef struct qp_stand {
    const qp_format *format;
    uint64_t byte;     /* of the file: where the next record begins */
    uint32_t line;     /* line ends before it, and */
    bool inside;       /* it begins inside a line; a reader from here counts columns from here */
    uint32_t games;    /* games, from where the reader began; `from` says how many before that */
    unsigned carried;  /* all that bears on the next record beside its text: equal or not */
} qp_stand;
/* The reader's stand behind the record it lent last. ahead: as it will be further on in the
 * file, as far as that can be foretold; byte and line are of no meaning then. false: the file
 * is not read in parts. */
QP_API bool qp_reader_stand(qp_reader *reader, bool ahead, qp_stand *stand);
/* Whether the next record begins at or behind a byte. Costs next to nothing. */
QP_API bool qp_reader_past(qp_reader *reader, uint64_t byte);
/* Whether readers from both would read alike (lines and games do not count). */
QP_API bool qp_stand_same(const qp_stand *a, const qp_stand *b);
/* The first offset at or behind from where, by the look of the bytes, a record begins; len
 * where none does, or the format is not read in parts. bytes begin at a line, better some
 * lines before from. */
QP_API size_t qp_format_cut(const qp_format *format, const char *bytes, size_t len, size_t from);

/* ---- checks ---------------------------------------------------------------------------- */

/* How the attack model of a ruleset counts a chase. */
typedef enum qp_chase_model {
    QP_CHASE_FULL,   /* one or several pieces, by exchanges and through checks too */
    QP_CHASE_DIRECT, /* one and the same piece, by a capture of an unprotected or dearer one */
} qp_chase_model;

/* A named set of rules on repetition and on the natural move limit. */
typedef struct qp_ruleset {
    const char *name, *title;
    const char *source, *confidence; /* where it comes from and how sure that is */
    qp_chase_model model; /* FULL: threats of mate and mixtures are forbidden as well */
    bool pawns_clash;     /* where both sides attack for ever, pawns count as attackers */
    uint8_t claim_passes; /* full passes of a loop before it is judged */
    uint8_t check_passes; /* so many, and a perpetual checker has lost */
    uint8_t loss_passes;  /* so many, and any other offender has lost */
    uint8_t limit_rounds; /* without a capture */
    uint8_t limit_checks; /* of the claimant's checks, so many count */
    bool limit_ends;      /* the limit ends the game by itself; evasions of checks that do
                             not count do not count either */
} qp_ruleset;
#define QP_RULESET_DEFAULT "cxa-2011"
QP_API const qp_ruleset *qp_ruleset_find(const char *name); /* NULL: not known */
QP_API const qp_ruleset *qp_ruleset_at(size_t index);       /* NULL past the last */

typedef enum qp_verdict {
    QP_VERDICT_NONE,
    QP_VERDICT_DRAW,
    QP_VERDICT_RED_LOSES,
    QP_VERDICT_BLACK_LOSES,
    QP_VERDICT_RED_MUST_CHANGE,
    QP_VERDICT_BLACK_MUST_CHANGE,
    QP_VERDICT_NEEDS_ARBITER,
} qp_verdict;
QP_API const char *qp_verdict_name(qp_verdict verdict); /* "none" "red-loses" ... */

/* What a ply does; where it does several things, the most severe of them. */
typedef enum qp_attack {
    QP_ATTACK_NONE,  /* idle */
    QP_ATTACK_CHASE, /* newly threatens to win a piece */
    QP_ATTACK_KILL,  /* threatens mate by checks */
    QP_ATTACK_CHECK,
} qp_attack;
QP_API const char *qp_attack_name(qp_attack attack); /* "idle" "chase" "kill" "check" */

/* Why a verdict is not certain, as bits. */
typedef enum qp_doubt {
    QP_DOUBT_VALUE = 1 << 0,    /* an exchange whose gain the rules do not measure */
    QP_DOUBT_BOUND = 1 << 1,    /* a search ended at its bound */
    QP_DOUBT_EVASION = 1 << 2,  /* a threat found on a king's move out of check */
    QP_DOUBT_POST = 1 << 3,     /* the exemption of defensive posts may apply */
    QP_DOUBT_EXCHANGE = 1 << 4, /* an exchange on several squares might win something */
    QP_DOUBT_MIXED = 1 << 5,    /* the position recurs, its plies do not */
    QP_DOUBT_IDENTITY = 1 << 6, /* like pieces change places, for too long to follow */
} qp_doubt;
QP_API const char *qp_doubt_name(qp_doubt doubt); /* "value-unknown" ... */

typedef enum qp_grade {
    QP_GRADE_CERTAIN,
    QP_GRADE_DESPITE_DOUBT, /* every reading of the doubtful plies gives the verdict */
    QP_GRADE_DERIVED,       /* from the parts of a loop whose plies are not the same */
    QP_GRADE_ARBITER,       /* readings differ, or nothing here decides */
} qp_grade;
QP_API const char *qp_grade_name(qp_grade grade); /* "certain" ... */

/* One piece that newly threatens to win another. */
typedef struct qp_pair {
    qp_piece attacker, target;
    qp_square from, to;
} qp_pair;

typedef struct qp_loop_ply {
    uint32_t ply;
    qp_move move;
    qp_side side;
    qp_attack attack;
    bool doubtful;  /* it may as well be idle */
    bool by_checks; /* the chase is, or may be, one through checks */
    unsigned doubts; /* qp_doubt: those that arise here, whether or not the class turns on
                        them */
    const qp_pair *pairs;
    size_t pair_count;
} qp_loop_ply;

/* A loop of moves, judged. */
typedef struct qp_loop {
    uint32_t start_ply; /* plies played before its first */
    uint32_t period;    /* plies of one pass */
    uint32_t passes;    /* full ones, of the very same plies */
    uint32_t occurrences; /* of the position that it starts from */
    bool mixed;         /* the position recurs, but not by the same plies: the plies are those
                           between its first occurrence and the next */
    const char *state;  /* "below-threshold" "pending" "repeated" */
    const qp_loop_ply *plies; /* of the first pass */
    size_t ply_count;
    bool forbidden[2];     /* by qp_side: whether the ruleset forbids what a side does, which
                              attacks on every ply (FULL), or checks or chases one piece
                              (DIRECT); of a mixed loop, on all ways back */
    bool may_forbidden[2]; /* the same where doubtful plies attack */
    const char *name[2];   /* the Chinese name of what a side does in these plies */
    qp_verdict verdict; /* of the loop; NONE below the threshold */
    qp_verdict tends;   /* what it would be at the threshold */
    const char *reason; /* "perpetual-check" ... */
    qp_grade grade;
    unsigned doubts;    /* qp_doubt */
    unsigned possible;  /* the verdicts that readings of the doubtful plies, or other ways
                           back, can give, at the threshold: bits 1 << qp_verdict */
    const uint32_t *returns; /* mixed: after which plies the position stands */
    size_t return_count;
} qp_loop;

typedef enum qp_language { QP_ENGLISH, QP_CHINESE } qp_language;
/* What people call one of the names above, a verdict, class, state, grade, doubt, reason or
 * the Chinese name of a pattern; also a piece by its letter, "red" "black" "forbidden"
 * "allowed" "protected" "unprotected". A static string; another name is given back. */
QP_API const char *qp_term(const char *name, qp_language language);

/* What an idle ply is, for people; it never changes a verdict: "offer" (of an exchange),
 * "sacrifice", "block", "follow" (an attack on a protected piece that wins nothing) or
 * "plain". The move is legal on the board before it. */
QP_API const char *qp_idle_name(const qp_board *before, qp_move move);

/* The natural move limit: plies without a capture, and who could claim a draw. */
typedef struct qp_limit_count {
    bool reached;
    uint32_t start_ply, end_ply; /* the plies after start_ply up to end_ply capture nothing */
    uint32_t since_capture;      /* those plies, and what the start position says before */
    uint32_t plies[2], checks[2]; /* by qp_side */
    uint32_t counted[2]; /* of a side's plies, those that count for its claim */
    bool can_claim[2];
    uint32_t claim_ply[2]; /* the first ply after which the side can, or 0 */
    bool draw_by_count;
    bool uncertain; /* the start position counts plies whose checks are not known */
} qp_limit_count;

/* What the rules say of a game beside what stands on the board. */
typedef struct qp_judgement {
    const qp_ruleset *rules;
    qp_verdict verdict;
    const char *reason; /* NULL where the verdict is NONE */
    const qp_loop *loop; /* the one that the verdict is of; NULL: nothing came up thrice */
    qp_limit_count limit;
} qp_judgement;

/* How deep the judge looks: checks in a row of a mating threat and of a win by checks. */
#define QP_JUDGE_KILL_CHECKS 4
#define QP_JUDGE_WIN_CHECKS 2

typedef struct qp_check_options {
    const char *rules; /* NULL: QP_RULESET_DEFAULT; a name that is not known is taken so too */
    bool tendencies;   /* look into loops too that came up too seldom for a ruling: what each
                          ply of them does, and the ruling if they go on. Costs a search each */
    uint32_t limit_rounds; /* of the natural move limit, as an event may set it; 0: the
                              ruleset's */
    bool reasons;      /* note a decided game in which neither board nor record says why */
} qp_check_options;

/* Checks the game that the reader lent last: result, dates, tags, numbers, ends, repetition
 * and the move limit. Returns all findings of that record, the reader's among them, in the
 * order of their places; they live as long as the game, and so does *judgement, which is NULL
 * where there is no game. options and judgement may be NULL. Call it at most once a record. */
QP_API const qp_finding *qp_check(qp_reader *reader, const qp_check_options *options,
                                  const qp_judgement **judgement, size_t *count);

/* ---- lint ---- */

/* qp_check and more: reads the record as a scorecard, says what is missing, doubled, misread
 * or swapped and, where it can be known, what was meant. In place of qp_check, once a
 * record. Takes up to a second for a hopeless card. */
typedef struct qp_lint_options {
    const char *rules; /* as in qp_check_options; for fouls too */
    const qp_move *against; /* the moves of the other player's card, or NULL */
    size_t against_count;
} qp_lint_options;
QP_API const qp_finding *qp_lint(qp_reader *reader, const qp_lint_options *options,
                                 const qp_judgement **judgement, size_t *count);
/* A change that mends the file: these bytes of it, as it is on disk, for others in its own
 * encoding. Edits do not overlap; those of one certainty and above can be made together. */
typedef struct qp_edit {
    uint64_t byte, byte_end;
    qp_str bytes;
    qp_certainty certainty;
} qp_edit;
/* The edits that belong to the last qp_lint, in file order; they live as long as the game.
 * Formats without text of their own have none. */
QP_API const qp_edit *qp_lint_edits(qp_reader *reader, size_t *count);

/* ---- writer ----------------------------------------------------------------------------- */

/* Writes all size bytes or returns -1. */
typedef int (*qp_write_fn)(void *user, const void *buffer, size_t size);

typedef enum qp_quotes { QP_QUOTES_ESCAPED, QP_QUOTES_SAFE, QP_QUOTES_RAW } qp_quotes;

typedef struct qp_writer_options {
    const char *format;            /* needed */
    const qp_notation *notation;   /* NULL: the format's usual one */
    const char *encoding;          /* NULL: UTF-8, in binary formats GB18030 */
    qp_quotes quotes;              /* PGN: how a quote inside a tag value is written */
    bool main_line;                /* leave variations out, as a loss */
    unsigned version;              /* of the format, 0: the usual one */
    bool part; /* games alone, to be joined to a file by the writer that makes it */
    bool follows; /* the file will be put behind others: its first game is parted from theirs */
} qp_writer_options;

typedef struct qp_writer qp_writer;
/* NULL: memory ran out, the format does not write (not that version), or the encoding is not
 * known. */
QP_API qp_writer *qp_writer_open(const qp_context *context, qp_write_fn write, void *user,
                                 const qp_writer_options *options);
/* Writes one game. QP_OK, or QP_FATAL where the output failed. Its findings (loss,
 * encoding-unmappable) are those of qp_writer_findings until the next put. */
QP_API qp_status qp_writer_put(qp_writer *writer, const qp_game *game);
QP_API const qp_finding *qp_writer_findings(const qp_writer *writer, size_t *count);
/* Whether games can be written by several writers: not where a game needs to know of those
 * before it, or the encoding has a state. */
QP_API bool qp_writer_joins(const qp_writer_options *options);
/* Writes a game as a writer with `part` and else the same options has made it. */
QP_API qp_status qp_writer_join(qp_writer *writer, const void *bytes, size_t size);
/* Whether a finding of such a writer with this `once` is the first of its kind in the file. */
QP_API bool qp_writer_first(qp_writer *writer, unsigned once);
/* Ends the file (closing tags, flush) and frees the writer, also after a failure. */
QP_API qp_status qp_writer_close(qp_writer *writer);

QP_API const char *qp_version(void);

#ifdef __cplusplus
}
#endif
#endif
