/* The format floor: one file a format, the reader and the writer over them.
 *
 * The scale of probes, written once: 90 a mark that no other format has, 60 the structure, 30
 * a habit, 10 the last resort, 0 no. The highest bid wins, a file's suffix breaks a tie.
 */
#ifndef QP_FORMAT_H
#define QP_FORMAT_H

#include "game/game.h"

/* What a probe sees: the first bytes on disk, and the same as text (at least 4 KiB of it
 * where the file has so much). */
typedef struct qp_probe {
    const qp_context *context;
    const struct qp_format *suffix; /* the format of that file name, or NULL: a hint for
                                       those that have no mark of their own */
    qp_str bytes, text;
} qp_probe;

/* What a format's read works on. One record a call: the source stands at its start, the
 * format adds events to the record and sets used to where the next one starts. */
typedef struct qp_skim qp_skim;
typedef struct qp_reading {
    const qp_context *context;
    const struct qp_lexer *lexer;
    qp_source *source;
    qp_record *record;
    qp_patterns *patterns; /* this reader's */
    qp_lex_memo *memo;     /* the same; NULL: none */
    uint32_t spare_tree; /* of the reader's options: see qp_reading_spare in plies.h */
    bool spare_loud;     /* the same */
    bool passes; /* so is this: games of which no check has anything to say can be counted here
                    instead of being read: */
    qp_skipped passed;
    uint64_t until; /* the same: none that begin there or behind */
    qp_skim *skim;         /* the same; NULL: each record is read whole */
    size_t used;   /* out: bytes of source->text that belong to this record */
    void *state;   /* the format's own, kept between records; freed by its read_end */
    unsigned carried; /* what of it bears on the next record: bits of the format's own */
    uint64_t limit; /* QP_LIMIT_RECORD */
    qp_encoding encoding; /* that the user named for the strings of a binary format, or NONE;
                             the format may set it to what it found, for qp_game.encoding */
    bool named;    /* the user named the format with -f */
    struct qp_lexer *cards[3]; /* of notations read apart, once they were needed: cards.c */
} qp_reading;

/* What a format's write works on. Text goes to out, in UTF-8; the writer encodes it. */
typedef struct qp_writing {
    const qp_context *context;
    const qp_notation *notation; /* set where the format carries text */
    qp_buf *out;
    qp_patterns *patterns; /* this writer's */
    qp_record *reports; /* where qp_writing_loss puts what is lost */
    uint32_t count;     /* games written before this one */
    qp_quotes quotes;
    bool main_line;
    bool part, follows;   /* see qp_writer_options */
    unsigned version;     /* one of the format's, 0 where it has none */
    const char *encoding; /* name of the output encoding, for declarations */
    qp_encoder *encoder;  /* of a binary format's strings; its out is bytes already */
    struct qp_spelled *spelled; /* moves as they were written before; NULL: not kept */
    bool spills;          /* out may be handed on in the midst of a game */
    void *state;
} qp_writing;

struct qp_format {
    const char *name, *title, *suffixes;
    unsigned carries; /* QP_CARRIES_… */
    const char *family; /* the name of the format whose -f also reads this one, or NULL */
    bool experimental, binary;
    bool single; /* a file holds one game: a second one is not written, which is a loss */
    /* How text says a character that the output encoding lacks: a reference that is written in
     * its place. NULL: it cannot. */
    void (*refer)(uint32_t code_point, char text[16]);
    uint8_t versions[4]; /* of the format that can be written, the usual one first; 0: the end */
    const char *notation; /* the usual one to write, where it carries text */
    unsigned (*probe)(const qp_probe *probe);
    unsigned highest; /* what its probe bids at the most, where that takes long; 0: anything */
    /* QP_OK: a record (record->broken where part was lost); QP_END: none left, nothing added
     * but reports. Text between records that is no record is passed over within the call. */
    qp_status (*read)(qp_reading *reading);
    void (*read_end)(qp_reading *reading);
    bool skims; /* read takes what skim.c has found */
    /* Where a record most likely begins in raw bytes, at or behind from; n: nowhere, nothing
     * is known of it. See cut.c; NULL: files are read by one reader alone. */
    size_t (*cut)(const char *p, size_t n, size_t from);
    const char *between; /* written between two games; ASCII, may be NULL */
    void (*write_begin)(qp_writing *writing);
    void (*write)(qp_writing *writing, const qp_game *game);
    void (*write_end)(qp_writing *writing);
    /* Behind write_end, until it is false: adds more, where all would be too much at once. */
    bool (*write_more)(qp_writing *writing);
};

/* Passes over the rest of a line, and lines up to one for which begins is true (it sees 64 KiB
 * at the most); the record starts there then. Keeps nothing of what it passes. */
void qp_skip_to_line(qp_source *source, bool (*begins)(const char *p, size_t n));

/* Where a record begins in bytes of the formats that stand in lines (cut.c). */
size_t qp_cut_pgn(const char *p, size_t n, size_t from);
size_t qp_cut_txt(const char *p, size_t n, size_t from);
size_t qp_cut_lines(const char *p, size_t n, size_t from);
size_t qp_cut_json(const char *p, size_t n, size_t from);
size_t qp_cut_dhtmlxq(const char *p, size_t n, size_t from);
size_t qp_cut_xml(const char *p, size_t n, size_t from);
size_t qp_cut_wxf(const char *p, size_t n, size_t from);

extern const qp_format qp_format_pgn, qp_format_dhtmlxq, qp_format_xml, qp_format_cbf,
    qp_format_pfc, qp_format_json, qp_format_iccs, qp_format_uci, qp_format_fen,
    qp_format_txt;
extern const qp_format qp_format_xqf, qp_format_xqr, qp_format_xgf;
extern const qp_format qp_format_wxf;
extern const qp_format qp_format_cbr, qp_format_cbl;
extern const qp_format qp_format_mxq, qp_format_gl, qp_format_che, qp_format_ccm;
extern const qp_format qp_format_treetext, qp_format_book, qp_format_dpxq;

/* ---- helpers that formats share ---- */

/* Whether the squares of a move are such. */
static inline bool qp_on_board(qp_move move)
{
    return move >> 7 < QP_SQUARES && QP_TO(move) < QP_SQUARES;
}
/* h2e2: four bytes, without a NUL. The squares are on the board. */
static inline void qp_put_squares(char *p, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    unsigned from_rank = from / 9, to_rank = to / 9;
    p[0] = (char)('a' + (from - 9 * from_rank));
    p[1] = (char)('0' + from_rank);
    p[2] = (char)('a' + (to - 9 * to_rank));
    p[3] = (char)('0' + to_rank);
}
/* A ply as its squares behind a head and, where it was written otherwise, its text behind a
 * middle. There is room. Returns where it ends. */
static inline char *qp_put_ply(char *p, qp_str head, qp_str middle, const qp_node *node)
{
    memcpy(p, head.data, head.len);
    qp_put_squares(p + head.len, node->move);
    p += head.len + 4;
    if (node->text_len != 0) {
        memcpy(p, middle.data, middle.len);
        memcpy(p + middle.len, node->text, node->text_len);
        p += middle.len + node->text_len;
    }
    return p;
}
/* Whether a record begins, by the look of the bytes, behind all text that is decoded. It may
 * move. */
bool qp_skim_begins(const qp_reading *reading);
/* What reads plain records without decoding them (skim.c). NULL: memory ran out. */
qp_skim *qp_skim_new(void);
/* From now on shows the source's games to reading->skim, which takes those in which no more
 * than so many plies in a row are without a capture and no position comes up three times, or
 * loud: these as well. passes: those of which the checks have nothing to say are passed over, and
 * never lent. heads: of those that are lent no more than that is wanted; counts: nor whether their
 * moves are sound, and in what notation, but for the first; or trees: their trees as well, and
 * nothing is judged of them. reading->memo is set. false: memory ran out. */
bool qp_skim_begin(const qp_reading *reading, uint32_t most_quiet, bool loud, bool passes,
                   bool heads, bool counts, bool trees);
/* Games that stand before the record in hand; NULL: none do. See heads.h. */
struct qp_heads *qp_skim_lent(const qp_skim *skim);
/* What was passed over since this was asked for; skim may be NULL. */
qp_skipped qp_skim_skipped(qp_skim *skim);
void qp_skim_free(qp_skim *skim);
/* The moves that were left out of the text at an offset; NULL: none were. *on: where that goes
 * on behind them. */
const qp_rounds *qp_skim_found(const qp_reading *reading, size_t at, size_t *on);

/* Movetext: numbers, moves, comments, variations, NAGs, results, marks; shared by pgn and
 * txt. Reads from `at` on, adds events, and stops where the flags or the text say so. */
enum {
    QP_MT_TAGS = 1 << 0,  /* a line that begins with a tag ends it */
    QP_MT_WORDS = 1 << 1, /* words between moves are prose, not broken moves */
    QP_MT_PASSES = 1 << 2, /* what qp_cards_read leaves of a record is final: see qp_record_pass */
};
typedef enum qp_mt_stop {
    QP_MT_ENDED,   /* the text is over */
    QP_MT_TAG,     /* a tag line begins at `at` */
    QP_MT_RESTART, /* another game's movetext begins at `at` */
    QP_MT_LIMIT,   /* the record is longer than the limit */
} qp_mt_stop;
typedef struct qp_movetext {
    qp_reading *reading;
    unsigned flags;
    size_t at;       /* in and out */
    uint32_t plies;  /* moves of the main line read so far, good or bad */
    uint32_t good;   /* moves of any line that could be read */
    bool result;     /* a result was read */
    bool plain;      /* out: nothing but usual moves in rounds with rising numbers, and a result */
    /* Asked at a line behind an empty one or behind the result: whether another game's header
     * begins there, given the last round number read. NULL: none can. */
    bool (*begins)(qp_reading *reading, size_t at, uint32_t last_number);
} qp_movetext;
qp_mt_stop qp_movetext_read(qp_movetext *movetext);
/* qp_movetext_read, and once more in a notation that is read apart where the record is in one;
 * rounds that stand side by side are put in order. Chooses record->lexer. */
qp_mt_stop qp_cards_read(qp_movetext *movetext);
/* Passes on what qp_movetext_read has added so far, where qp_cards_read would not touch it. */
void qp_cards_pass(qp_reading *reading);
/* Adds the result that words behind the last move state. */
void qp_ending_settle(qp_reading *reading, size_t from);
/* Takes players and result from a line above the moves: 某甲 先胜 某乙. */
void qp_title_read(qp_reading *reading, qp_str line);
/* Whether moves whose characters stand one under another begin at p; reads those that begin at
 * `at` and returns where they end. */
bool qp_downward_begins(const struct qp_lexer *lexer, const qp_board *start, const char *p,
                        size_t n);
size_t qp_downward_read(qp_reading *reading, size_t at);
/* Puts the moves among the events from `from` on into the order in which they were played, where
 * that is not the one they stand in. */
void qp_layout_settle(qp_reading *reading, size_t from);
/* Makes variations and comments of the analysis that stands among the events from `from` on. */
void qp_branches_settle(qp_reading *reading, size_t from);
/* Whether a line is movetext in such a notation. */
bool qp_cards_line(qp_reading *reading, qp_str line);
/* Whether a line's first move, which cannot begin the usual game, can as one of a Vietnamese
 * card. */
bool qp_cards_vietnamese(const qp_context *context, qp_str line);
/* What the name of a tag can hold, and its length. */
enum { QP_TAG_NAME_MAX = 64 };
bool qp_is_tag_char(const char *p, size_t n);
/* The sign that some put between a tag's name and its value: : = ： ＝ */
size_t qp_tag_sign_len(const char *p, size_t n);
/* Whether a tag pair begins at p (after blanks): [Name "value… */
bool qp_is_tag_line(const char *p, size_t n);
/* The same, as the offset of the quote; 0 for none. Sets *name. */
size_t qp_tag_head(const char *p, size_t n, qp_str *name);
/* A line that is a tag but for the quotes: [Red Lu], [Red: Lu], [Red 'Lu']. Its last bracket ends
 * it. */
bool qp_bare_tag(qp_str line, qp_str *name, qp_str *value);
/* Whether a line is such a tag under one of the usual names. */
bool qp_is_bare_tag(const char *p, size_t n);
/* The number of legal plies that text begins with: the judge of encodings. user is a
 * qp_context. */
unsigned qp_judge_text(void *user, qp_str text);

/* To be called between two plies by a format that does not look back at what it has put: hands
 * on what is much. */
enum { QP_SPILL = 256 * 1024 };
void qp_writing_hand_on(qp_writing *writing);
static inline void qp_writing_spill(qp_writing *writing)
{
    if (QP_RARE(writing->out->len >= QP_SPILL) && writing->spills)
        qp_writing_hand_on(writing);
}
/* Says what the target cannot hold: one loss report for each kind of thing and place; what
 * the carries bits say, the writer core counts itself, and a format calls this for what only it
 * knows. count: how many things; node: the ply that it happens to, NULL for the game. The
 * detail begins with the kind of thing, as tests/property/test_loss.c lists them. */
void qp_writing_loss(qp_writing *writing, const char *detail, size_t count,
                     const qp_node *node, const char *format, ...) QP_PRINTF(5, 6);
/* What a format cannot have in a text. */
enum {
    QP_PLAIN_CONTROLS = 1 << 0, /* control characters but tabs and line ends */
    QP_PLAIN_MARKS = 1 << 1,    /* U+FEFF */
    QP_PLAIN_LINES = 1 << 2,    /* line ends: blanks stand for them */
    QP_PLAIN_ENDS = 1 << 3,     /* blanks at its ends */
    QP_PLAIN_END = 1 << 4,      /* blanks at its end */
    QP_PLAIN_LAST_LINES = 1 << 5, /* line ends at its end */
    QP_PLAIN_FIRST_MARK = 1 << 6, /* U+FEFF at its beginning */
};
/* A text without what flags name, without NUL and with LF line ends: the text itself, or a copy
 * in work. Says whether it is another one. */
qp_str qp_plain(qp_str text, unsigned flags, qp_buf *work, bool *changed);
/* The same; reports a change as a loss of a comment of node (NULL: the start). */
qp_str qp_plain_comment(qp_writing *writing, qp_str text, unsigned flags,
                        const qp_node *node, qp_buf *work);
/* The same of the value of a tag. */
qp_str qp_plain_value(qp_writing *writing, qp_str name, qp_str value, unsigned flags,
                      qp_buf *work);
/* Says that who moves first is the owner of the piece that does, where a format of squares
 * takes it for so and the game says otherwise. */
void qp_writing_side(qp_writing *writing, const qp_game *game);
/* Whether a tag says nothing that is not said otherwise: by the start position, the result,
 * the format, or not at all. Formats without a place for it lose nothing. */
bool qp_writing_said(qp_writing *writing, const qp_game *game, const qp_tag *tag);
/* The tags of a game that a format has no place for, told together. Starts as {0}. */
typedef struct qp_lost_tags {
    qp_buf names;
    size_t count;
    bool more; /* than are named */
} qp_lost_tags;
void qp_lost_tag(qp_lost_tags *lost, const qp_tag *tag);
void qp_lost_tags_end(qp_lost_tags *lost, qp_writing *writing, const char *format);
/* Reports what the carries bits say; told, from one game of a file to the next, starts as 0. */
void qp_writing_losses(qp_writing *writing, const struct qp_format *format,
                       const qp_game *game, unsigned *told);
/* The notation's text of a node's move on the board before it, or its own text where the
 * move cannot be spelled. */
void qp_writing_move(qp_writing *writing, const qp_board *board, const qp_node *node);
/* Whether a start position is to be written: one that the record states, or another than the
 * usual one (Black moved first and nothing said so). */
bool qp_writing_start(const qp_game *game);
/* All that a line holds from a node on that cannot be replayed, verbatim: for a comment. */
void qp_writing_rest(const qp_node *node, qp_buf *out);
/* The same into writing->out as a comment of movetext: {…}, its own braces in full width. */
void qp_writing_rest_braced(qp_writing *writing, const qp_node *node);
/* Walks a game's tree with the board before each ply: the loop of every writer that needs a
 * board. See walk.c. */
typedef struct qp_walker {
    qp_board board;     /* before node */
    const qp_node *node;
    const qp_node *first;
    bool main_line;       /* set after start: walk nothing else */
    unsigned depth;       /* of node: 0 the main line */
    bool opens;           /* node begins a variation */
    unsigned close_count; /* variations that end before node */
    struct qp_walk_frame *frames;
    size_t frame_count, frame_room;
    bool failed;
} qp_walker;
void qp_walker_start(qp_walker *walker, const qp_game *game);
/* Steps to the next ply in file order; false at the end, when close_count tells how many
 * variations are still to be closed. */
bool qp_walker_next(qp_walker *walker);
void qp_walker_end(qp_walker *walker);

/* The tag that a `key: value` at offset at of a line is, NULL for none; the value in *value. */
const char *qp_header_tag(qp_patterns *patterns, qp_str line, size_t at, qp_str *value);
/* Reads the line at offset at of the record as one or more `key: value`; false where it
 * begins with none. */
bool qp_txt_keys(qp_reading *reading, size_t at, qp_str line);

/* Writers that stand in a file of their own. */
void qp_pgn_write(qp_writing *writing, const qp_game *game);
void qp_txt_write(qp_writing *writing, const qp_game *game);

/* What a file that is known and not read is, by its first bytes; else NULL. */
const char *qp_foreign_kind(qp_str head);

/* All formats, ended by NULL. */
extern const qp_format *const qp_formats[];

/* What check and the writer need of a reader. */
qp_record *qp_reader_record(qp_reader *reader);
qp_game *qp_reader_game(qp_reader *reader);
qp_patterns *qp_reader_patterns(qp_reader *reader);
qp_source *qp_reader_source(qp_reader *reader);
const qp_context *qp_reader_context(const qp_reader *reader);
/* What lint keeps with the reader; end is called with it when the reader is closed. */
void **qp_reader_lint(qp_reader *reader, void (*end)(void *kept));
/* The reports have changed: what was placed is to be placed again. */
void qp_reader_unplace(qp_reader *reader);
/* Turns the record's reports into findings, placed and sorted, once more. */
const qp_finding *qp_reader_place(qp_reader *reader, size_t *count);

#endif
