/* The game floor: the record as found, and the game as understood. */
#ifndef QP_GAME_H
#define QP_GAME_H

#include "notation/notation.h"

/* ---- record: events in file order, nothing judged ---- */

typedef enum qp_event_kind {
    QP_EV_MOVE,      /* written, or unreadable: form NONE and the text */
    QP_EV_TEXT,      /* text: how the MOVE right behind it is written, where its span is not
                        that text (escapes undone, or a format that holds both) */
    QP_EV_NUMBER,    /* a round number: value; flag DOTS where `…` says that Black moves */
    QP_EV_COMMENT,   /* text */
    QP_EV_NAG,       /* value */
    QP_EV_CLOCK,     /* text: the time left or used, belongs to the ply before */
    QP_EV_REST,      /* text: qp_extra.rest of the ply before, from formats that hold it */
    QP_EV_VAR_OPEN,  /* a line that replaces the ply before */
    QP_EV_VAR_CLOSE,
    QP_EV_RESULT,    /* value: qp_result; at the end of the movetext */
} qp_event_kind;

enum {
    QP_EV_DOTS = 1 << 0,    /* NUMBER: 1... */
    QP_EV_ILLEGAL = 1 << 1, /* MOVE: the source itself marks it illegal */
    QP_EV_REPORTED = 1 << 2, /* MOVE: the format has said what is wrong with it */
};

/* A span of the record's text in bytes; the text of an event whose value had to be made
 * (escapes undone) lies in the arena instead, and the span still says where it stood. */
typedef struct qp_event {
    uint8_t kind;  /* qp_event_kind */
    uint8_t flags;
    uint16_t value; /* MOVE: qp_stride_number of what is written, or 0 */
    uint32_t at, len;
    union {
        qp_written written; /* MOVE */
        qp_str made;        /* COMMENT, CLOCK, REST, TEXT: data NULL: the span itself */
    } as;
} qp_event;

typedef struct qp_record_tag {
    uint32_t name_at, name_len;   /* span, unless made_name */
    uint32_t value_at, value_len; /* span, unless made_value */
    qp_str made_name, made_value; /* data NULL: the span */
} qp_record_tag;

/* A finding before it has a place in the file. */
typedef struct qp_report {
    qp_code code;
    qp_severity severity;
    const char *detail;
    bool placed;        /* at and len are set */
    uint32_t at, len;
    uint32_t ply, variation;
    uint32_t missing;
    uint32_t count; /* loss: things lost */
    unsigned once; /* qp_finding.once */
    bool understood; /* by the replay, or later: behind what the format says of the place */
    bool has_side;
    qp_side side;
    qp_str message, note;
    qp_str token; /* what to show for the span in a binary file */
    const char *fen;
    const qp_suggestion *suggestions;
    size_t suggestion_count;
} qp_report;

typedef struct qp_record {
    qp_arena *arena; /* the game's; made strings live here */
    qp_arena *tree;  /* its plies and what hangs on them. The same arena; or another one:
                        then what variations take of it is given back at their end */
    qp_patterns *patterns; /* the reader's, for results in words; may be NULL */
    const char *text; /* the record's text; set once reading is done, spans count from it */
    size_t text_len;  /* bytes of it, with what stands behind the record */
    qp_event *events;
    size_t event_count, event_room;
    qp_record_tag *tags;
    size_t tag_count, tag_room;
    qp_report *reports;
    size_t report_count, report_room;
    size_t reports_left_out; /* past a thousand they are only counted */
    /* start position, from wherever the format keeps it */
    bool has_start, side_given;
    qp_board start;
    uint32_t start_at, start_len;
    /* the result, where the format states it beside the tags (DhtmlXQ, XML, JSON) */
    bool has_result;
    qp_result result;
    uint32_t results;      /* RESULT events that were added */
    bool coords_from_zero; /* ranks count from 0 whatever is legal (-f iccs) */
    bool verbatim; /* set by the format: the spans of its events are the record's own text in
                      file order, so that a part cut from it reads as it was written */
    const struct qp_lexer *lexer; /* that read its moves, where it is not the context's */
    const struct qp_rounds *rounds; /* its moves, where they were played as they were read and
                                       there are no events of them; else NULL */
    bool broken;           /* part of it could not be read: qp_reader_next gives QP_BAD */
    bool full;             /* four million events: what came later was left out */
    bool understanding;    /* the replay, or what follows it, is at work: see qp_report */
    /* A record too long to keep: see qp_record_pass. */
    const qp_context *context; /* of the reader; NULL: all events are kept */
    qp_game *game;             /* to be replayed into */
    const qp_source *source;
    size_t pass_at; /* so many events are to be passed on; SIZE_MAX: none are */
    size_t slice;   /* that many at a time */
    size_t passed;  /* events that were there when some were passed on last, and still are */
    bool open;      /* events have been passed on, and more will come */
    bool again;     /* they must not have been: it is to be read again, and kept */
    bool failed;           /* memory ran out */
    /* Of the sound part of the main line, once it is replayed: whether a position may have come
     * up three times, and the highest count of plies without a capture. */
    bool may_repeat;
    uint32_t longest_quiet;
    struct qp_replay_kept *kept; /* what the replay keeps for the next record */
} qp_record;

void qp_record_init(qp_record *record, qp_arena *arena);
void qp_record_clear(qp_record *record);  /* frees the vectors */
void qp_record_rewind(qp_record *record); /* for the next record; keeps the vectors */
bool qp_record_grow_events(qp_record *record);
void qp_record_rest(qp_record *record); /* frees what is more than QP_REST_ROOM */
void qp_replay_forget(qp_record *record); /* frees kept */
void qp_replay_rest(qp_record *record);   /* the same of what is deep */

/* Adds an event and lends it for filling; NULL once memory ran out or the record is full. */
static inline qp_event *qp_record_add(qp_record *record, qp_event_kind kind, size_t at,
                                      size_t len)
{
    if (QP_RARE(record->event_count == record->event_room) && !qp_record_grow_events(record))
        return NULL;
    qp_event *event = &record->events[record->event_count++];
    if (kind == QP_EV_RESULT)
        record->results++;
    event->kind = (uint8_t)kind;
    event->flags = 0;
    event->value = 0;
    event->at = (uint32_t)at;
    event->len = (uint32_t)len;
    return event;
}
void qp_record_move(qp_record *record, size_t at, size_t len, const qp_written *written);
/* A ply known by its squares, from formats that hold squares. */
static inline void qp_record_squares(qp_record *record, size_t at, size_t len, qp_move move)
{
    qp_event *event = qp_record_add(record, QP_EV_MOVE, at, len);
    if (QP_LIKELY_TO(event != NULL))
        event->as.written = (qp_written){.form = QP_FORM_SQUARES, .move = move};
}
/* A token that stands where a move should and that no notation reads. */
void qp_record_bad_move(qp_record *record, size_t at, size_t len);
/* The text of the move added next; made as for comments. */
void qp_record_text(qp_record *record, size_t at, size_t len, qp_str made);
/* made.data NULL: the span is the text. */
void qp_record_comment(qp_record *record, size_t at, size_t len, qp_str made);
void qp_record_tag_add(qp_record *record, qp_record_tag tag);
/* A tag whose name and value are made (both copied into the arena by the caller or static). */
void qp_record_tag_made(qp_record *record, qp_str name, qp_str value, size_t at, size_t len);
/* Reads a FEN into the start position and reports its faults; replaces an earlier one. */
void qp_record_start(qp_record *record, qp_str fen, size_t at, size_t len);
/* A finding for each of the faults, a set of qp_fen_fault, at the start's place. */
void qp_record_start_faults(qp_record *record, uint32_t faults);
/* Adds a report with the code's usual severity; message by printf. Lends it for the rest. */
qp_report *qp_record_report(qp_record *record, qp_code code, size_t at, size_t len,
                            const char *detail, const char *format, ...) QP_PRINTF(6, 7);
/* The same without a place in the text. */
qp_report *qp_record_remark(qp_record *record, qp_code code, const char *detail,
                            const char *format, ...) QP_PRINTF(4, 5);
void qp_report_suggest(qp_record *record, qp_report *report, qp_str replace, qp_move move,
                       qp_certainty certainty);

static inline qp_str qp_record_span(const qp_record *record, size_t at, size_t len)
{
    return (qp_str){record->text + at, len};
}
static inline qp_str qp_tag_name(const qp_record *record, const qp_record_tag *tag)
{
    return tag->made_name.data ? tag->made_name
                               : qp_record_span(record, tag->name_at, tag->name_len);
}
static inline qp_str qp_tag_value(const qp_record *record, const qp_record_tag *tag)
{
    return tag->made_value.data ? tag->made_value
                                : qp_record_span(record, tag->value_at, tag->value_len);
}

/* ---- records too long to keep ----
 *
 * The events of a long record are replayed while it is read. Then those of variations are
 * forgotten, but for the marks of those that are still open, so that the record's events are
 * at any time what it is but for what its variations hold. */

/* To be called by a format once all that stands before the first move is known: tags may still
 * come, a start position may not. What is added from here on must be final. */
static inline void qp_record_settle(qp_record *record)
{
    if (record->context != NULL && !record->again)
        record->pass_at = record->slice;
}
/* Whether it is time to call qp_record_pass; only between two plies, where nothing that was
 * added before will be looked at again. */
static inline bool qp_record_is_long(const qp_record *record)
{
    return QP_RARE(record->event_count >= record->pass_at);
}
/* Replays what can be. Events of the record have other places then. */
void qp_record_pass(qp_record *record);

/* Reads a result in any known wording (红胜, 1:0, ½-½ …), the four of PGN alone where
 * patterns is NULL. false: it is none of them. */
bool qp_result_read(qp_patterns *patterns, qp_str text, qp_result *result);

typedef enum qp_date_status {
    QP_DATE_OK,
    QP_DATE_EMPTY,     /* says that the date is not known */
    QP_DATE_AMBIGUOUS, /* day and month can be read in either order */
    QP_DATE_BAD,       /* no date of any known shape, or a day that does not exist */
} qp_date_status;
/* Writes YYYY.MM.DD with ?? for what is not known, and a NUL. */
qp_date_status qp_date_read(qp_patterns *patterns, qp_str text, char date[11]);

/* ---- replay: record + rules -> game ---- */

/* Builds the tree in the record's arena and adds a report for what cannot be replayed (one a
 * line: what follows an error is not reported). record->text must be set. */
void qp_replay(const qp_context *context, qp_record *record, qp_game *game);
/* The part of it that needs no board: tags, start, result. Last of all, where events were
 * passed on. */
void qp_replay_heads(qp_record *record, qp_game *game);
/* Plays a node's move, sound or not; only passes the turn where it moves nothing. */
void qp_tree_play(qp_board *board, const qp_node *node);
/* Whether a record that states no start position seems to begin at another than the usual one:
 * few of its first moves could be made there. */
bool qp_start_is_another(const qp_record *record);
/* How many plies at the beginning of the events are legal; the judge of encodings. */
unsigned qp_replay_plies(const qp_context *context, const qp_record *record);

/* ---- plain rounds: read from the bytes of a file and played in one pass ---- */

/* A ply of them, with its word. */
typedef struct qp_plain_ply {
    char text[21]; /* in UTF-8, seven characters at the most */
    uint8_t len;
    qp_move move;
} qp_plain_ply;

/* What such moves came to, from the usual start position. */
typedef struct qp_rounds {
    uint32_t plies;
    const char *notation; /* that most are in, once that was asked for */
    bool counted; /* nothing else is known of them */
    qp_board final;
    qp_end end;
    bool loud;     /* there may be something to judge: */
    bool repeats;  /* a position may have come up three times, */
    uint32_t longest_quiet; /* or, where it is not 0, so many plies are without a capture */
    const qp_move *moves; /* loud: plies of them; */
    size_t moves_at;      /* whoever keeps them has them here; */
    size_t text_at;    /* the line of the first ply to be judged, and all behind it, is in the
                          record's text from here on; */
    uint32_t text_ply; /* so many plies stand before that */
    size_t squares_len; /* not 0: the moves are squares, of so many bytes, */
    size_t squares_apart; /* each so far behind the one before, the first at text_at, or */
    const uint32_t *places; /* not NULL: at these places behind text_at */
} qp_rounds;

/* What reading them takes. Lines of text are read as movetext.c reads them, in fewer steps. */
typedef struct qp_rounds_reading {
    const qp_context *context;
    const struct qp_lexer *lexer;
    qp_lex_memo *memo;
    qp_source *source; /* decodes words that are new */
    qp_record *record; /* its kept is used */
    qp_encoding encoding; /* one that extends ASCII */
    uint32_t most_plies, most_quiet; /* in all, and in a row without a capture */
    bool keeps_loud; /* games with more of these are wanted, and their moves; and those in which
                        a position comes up three times */
    bool heads; /* nobody asks for that, for what repeats, or for the end */
    bool trees; /* nor is anything to be judged, but all plies are wanted: qp_rounds_plies */
} qp_rounds_reading;
/* Plays numbers and moves with single marks of nothing between them, line after line, up to
 * what is neither. n bytes at p, and QP_GAP_PAST behind them that may be looked at. Returns
 * where they end, *line the start of the line that lies in, or of a loud game of the line with
 * the first ply to be judged, *lines those before it; 0 where there is more to any of it than
 * sound moves in rounds from 1 on, or more of them than asked for. A loud game's moves can be
 * had right behind that. */
size_t qp_rounds_read(const qp_rounds_reading *reading, const unsigned char *p, size_t n,
                      qp_rounds *rounds, size_t *line, uint32_t *lines);
void qp_rounds_moves(qp_record *record, const qp_rounds *rounds, qp_move *moves);
/* All plies of a game whose moves, read from so many bytes at p, were read last. false: memory ran
 * out, or there are too many of them. */
bool qp_rounds_plies(const qp_rounds_reading *reading, const qp_rounds *rounds,
                     const unsigned char *p, size_t n, qp_plain_ply *plies);
/* Where a ply of a record with loud rounds, from 1, stands in its text; false: there is none. */
bool qp_rounds_place(const qp_record *record, uint32_t ply, size_t *at, size_t *len);
/* Words that were counted before, by their bytes; one reader's. */
typedef struct qp_counts qp_counts;
qp_counts *qp_counts_new(void); /* NULL: memory ran out */
void qp_counts_free(qp_counts *counts);
/* The same, but the moves are not played: nothing but their number comes out. */
size_t qp_rounds_count(const qp_rounds_reading *reading, qp_counts *counts,
                       const unsigned char *p, size_t n, qp_rounds *rounds, size_t *line,
                       uint32_t *lines);
/* The notation that most of the moves read last are in. */
const char *qp_rounds_notation(const qp_rounds_reading *reading);

/* Moves that are known by their squares, which are on the board, in memory and in the record's
 * text. */
typedef struct qp_squares {
    const qp_move *moves;   /* the first of them, */
    size_t step;            /* so many bytes before the next in memory, */
    size_t count;
    const uint32_t *places; /* and as many before the next of these; they count from `at`. NULL: */
    size_t at, apart;       /* the first stands there, and each so far behind the one before */
    size_t len;             /* of each */
    const qp_rounds *known; /* what they came to when they were played before; NULL: they were not */
} qp_squares;
/* Plays them. false: they are not all sound; or more than so many in a row are without a capture,
 * or a position comes up for the third time, where loud games are not wanted. The moves are lent
 * to those, or copied into the record's arena where they stand apart, as their places are. */
bool qp_rounds_squares(qp_record *record, const qp_squares *squares, uint32_t most_quiet,
                       bool keeps_loud, qp_rounds *rounds);

/* ---- tree building, for whoever makes games otherwise than by replay ---- */

qp_node *qp_tree_node(qp_arena *arena, qp_move move);
/* Makes a ply the last alternative of a position, behind the one that was last, or the main
 * ply. */
void qp_tree_put_beside(qp_node *last, qp_node *node);
qp_node *qp_tree_last_beside(qp_node *main);
/* Counts nodes, variations and comment places of a finished tree into the game. */
void qp_game_count(qp_game *game);

#endif
