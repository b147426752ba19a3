/* What the files of one replay share: the state of its lines. replay.c plays, branch.c opens
 * and closes variations and keeps what belongs to no ply, kept.c what is of use to the next
 * game. */
#ifndef QP_GAME_REPLAY_H
#define QP_GAME_REPLAY_H

#include "game/inside.h"
#include "rules/step.h"

/* The state of one line: the main line, or a variation that is still open. */
typedef struct qp_frame {
    qp_board board; /* after last */
    qp_undo undo;   /* takes last back, where played */
    qp_node *last;  /* NULL: no ply of this line yet */
    qp_node *first; /* first ply of the line */
    qp_node *before; /* the ply before the line's first: what the line hangs behind */
    qp_comment **after_tail; /* where the next comment behind last goes */
    qp_comment *pending, **pending_tail; /* comments before the first ply */
    qp_node *sibling_tail;   /* the last alternative of last so far */
    qp_arena_mark mark;      /* of a variation: what was there of the tree before it */
    size_t owner_frame;      /* of a variation: the frame whose last it replaces */
    uint32_t variation;
    bool played;      /* last was made on the board */
    bool bad, lost;   /* a ply of the line cannot be; the board is not to be trusted */
    bool was_bad, was_lost; /* the same before last */
    bool inside;      /* the line is part of what a line around it keeps as its rest */
    uint8_t tracked;  /* what the track of the frame is worth */
    qp_rest rest;     /* of the line, once it breaks off */
} qp_frame;

enum { QP_NOT_TRACKED, QP_TRACKED, QP_NEVER_TRACKED };

enum { QP_TRAIL = 256 };

/* A track belongs to each frame; it is the board's as long as nothing unsound is played. */
struct qp_replay_kept {
    qp_frame *frames;
    qp_track *tracks;
    size_t room; /* of both */
    qp_track start; /* of the usual start position */
    bool start_known;
    qp_stride strides[2][QP_STRIDES]; /* by side; filled as they turn up */
    qp_pace *paces;         /* by qp_move, filled as they turn up; NULL: none did */
    uint32_t keys[16 << 7]; /* of a piece on a square; sums tell positions apart */
    uint32_t seen[1024];    /* by key: the ply after which such a position was last */
    uint32_t number;        /* of the last ply that was followed */
    uint32_t trail[QP_TRAIL]; /* keys after the last plies */
    struct qp_rounds_kept *rounds; /* made when rounds are read */
    struct qp_passed *passed; /* of a record that is passed on; made when one is */
};

/* The place behind the notations is for squares that no notation had to read. */
enum { QP_NO_DIALECT = QP_DIALECTS_MAX, QP_DIALECTS };

/* What is followed of the sound main line, to know whether a position may come up three times
 * without a capture between: one that does is never missed, next to none is taken for it.
 * Plies are numbered on from game to game, so that nothing has to be forgotten between. */
struct qp_quiet {
    uint32_t key;   /* tells positions apart between which nothing is taken */
    uint32_t number; /* of the last ply */
    uint32_t since; /* of the last that took something, or of the game's start */
};

struct qp_replaying {
    const qp_context *context;
    qp_record *record;
    qp_game *game;
    struct qp_replay_kept *kept;
    qp_frame *frames; /* kept->frames */
    qp_frame *top; /* frames[depth]: the current one */
    size_t depth;
    qp_base base;
    uint32_t variations; /* that have a ply */
    uint32_t nodes, node_limit;
    size_t event;       /* index of the current event */
    size_t stop;        /* events from this one on are not for now */
    qp_str text;        /* of a TEXT event, for the next move */
    bool starved;       /* the event needs others that an open record does not have yet */
    bool over;          /* the limit of nodes was reached: all else is left out */
    uint32_t lines;  /* with a ply: the leaves of the tree */
    uint32_t places; /* that hold a comment */
    bool numbered;
    int number_offset;
    unsigned number_reports;
    size_t others;      /* index of the event with a move of the side whose turn it is not: see
                           absent.c; 0: none is known */
    unsigned look_left; /* of QP_LOOK_GAME */
    struct qp_quiet quiet;
    uint32_t longest_quiet; /* the most plies without a capture */
    bool thrice;            /* a position may have come up three times */
    uint32_t dialects[QP_DIALECTS]; /* plies of the main line by what read them */
    uint32_t traditional;
};

/* What a record's replay keeps; NULL: memory ran out. */
struct qp_replay_kept *qp_kept_of(qp_record *record);
bool qp_paces_begin(struct qp_replay_kept *kept);
/* The track of a board; that of the usual start position is kept. false: it can have none. */
bool qp_kept_track(struct qp_replay_kept *kept, qp_track *track, const qp_board *board);
/* Whether the move behind the number at hand, which does not fit, is the other side's by all that
 * is written, so that a ply of the side to move is missing. absent.c */
bool qp_ply_absent(const struct qp_replaying *r);
/* What to say of that move. */
void qp_ply_absent_why(const struct qp_replaying *r, const qp_event *event, qp_reason *reason);
/* The name of the notation that most plies are in. */
const char *qp_main_notation(const qp_context *context, qp_base base,
                             const uint32_t dialects[QP_DIALECTS], uint32_t traditional);

/* A step by its squares as the tables have it; NULL: the squares are none, or memory ran out. */
static QP_INLINE qp_pace *qp_pace_of(struct qp_replay_kept *kept, qp_move move)
{
    if (QP_RARE(move >> 7 >= QP_SQUARES || QP_TO(move) >= QP_SQUARES) ||
        QP_RARE(kept->paces == NULL && !qp_paces_begin(kept)))
        return NULL;
    qp_pace *pace = &kept->paces[move];
    if (QP_RARE(pace->made == 0))
        qp_pace_make(pace, move);
    return pace;
}

/* The step that a word means for a side: number is its qp_stride_number, not 0. */
static QP_INLINE const qp_stride *qp_stride_of(struct qp_replay_kept *kept, const qp_side side,
                                               unsigned number)
{
    qp_stride *stride = &kept->strides[side][number];
    if (QP_RARE(stride->piece == 0))
        qp_stride_fill(stride, side, number);
    return stride;
}

/* Plays what a track can tell to be one sound move: nearly all there is. 0: nothing is
 * played, and nothing said of the move. side is the mover, a constant. */
static QP_INLINE qp_move qp_play_tracked(struct qp_replay_kept *kept, qp_track *track,
                                         qp_base base, qp_frame *f, const qp_event *event,
                                         const qp_side side)
{
    const qp_written *written = &event->as.written;
    qp_move move;
    if (QP_LIKELY_TO(event->value != 0)) {
        move = qp_step_stride(track, &f->board, qp_stride_of(kept, side, event->value), &f->undo,
                              side);
    } else {
        if (written->form != QP_FORM_SQUARES && written->form != QP_FORM_COORD)
            return 0;
        move = written->form == QP_FORM_SQUARES ? written->move : qp_coord_move(written, base);
        const qp_pace *pace = qp_pace_of(kept, move);
        move = pace ? qp_step_pace(track, &f->board, pace, move, &f->undo, side) : 0;
    }
    if (QP_LIKELY_TO(move != 0))
        qp_step_count(&f->board, f->undo.taken, side);
    return move;
}

/* Begins to follow a game. */
static inline struct qp_quiet qp_quiet_begin(struct qp_replay_kept *kept)
{
    uint32_t number = kept->number + 1;
    kept->seen[0] = number; /* the start, whose key is 0 */
    kept->trail[number % QP_TRAIL] = 0;
    return (struct qp_quiet){.number = number, .since = number};
}

/* Whether the position after the last ply was there twice before. */
bool qp_quiet_thrice(const struct qp_quiet *q, const struct qp_replay_kept *kept);

/* Follows the sound plies of the main line; false: a position came up for the third time.
 * Whether a ply captures is what a processor cannot foresee, so nothing branches on it. */
static QP_INLINE bool qp_quiet_follow(struct qp_quiet *q, struct qp_replay_kept *kept,
                                      qp_piece piece, qp_move move, qp_piece taken)
{
    const uint32_t *keys = kept->keys + (piece << 7);
    uint32_t number = ++q->number;
    uint32_t key = q->key += keys[QP_TO(move)] - keys[QP_FROM(move)];
    uint32_t since = q->since = taken != 0 ? number : q->since;
    uint32_t *seen = &kept->seen[key >> 22], before = *seen;
    kept->trail[number % QP_TRAIL] = key;
    *seen = number;
    return QP_LIKELY_TO((int32_t)(before - since) < 0) || !qp_quiet_thrice(q, kept);
}

static inline void qp_set_extra(qp_record *record, qp_node *node, qp_extra **extra)
{
    if (node->extra == NULL)
        node->extra = qp_arena_zero(record->tree, sizeof *node->extra);
    *extra = (qp_extra *)node->extra;
}

static inline void qp_set_text(qp_node *node, qp_str text)
{
    node->text = text.data;
    node->text_len = (uint32_t)text.len;
}

static inline qp_str qp_event_text(const qp_record *record, const qp_event *event)
{
    return event->as.made.data ? event->as.made
                               : qp_record_span(record, event->at, event->len);
}

/* Whether variations stay in the tree. */
static inline bool qp_keeps_all(const qp_record *record)
{
    return record->tree == record->arena;
}

/* Room for one more frame than there is; false: memory ran out. */
bool qp_frames_grow(struct qp_replay_kept *kept);
/* Takes an event in that is neither a move nor a number; one that is passed over with others
 * leaves r->event at the last of them. */
void qp_replay_other(struct qp_replaying *r, const qp_event *event);
/* The current variation ends; does nothing in the main line. */
void qp_replay_close(struct qp_replaying *r);
/* Begins a replay; goes through its events up to r->stop; ends it. */
bool qp_replay_begin(struct qp_replaying *r, const qp_context *context, qp_record *record,
                     qp_game *game);
void qp_replay_run(struct qp_replaying *r);
void qp_replay_end(struct qp_replaying *r);
/* Of a record that was passed on: the state of its replay, and so again after the run. NULL: it
 * was not. pass.c */
struct qp_replaying *qp_passed_replay(qp_record *record);
void qp_passed_free(struct qp_replay_kept *kept);
void qp_rounds_forget(struct qp_rounds_kept *kept);
/* qp_keep_text of the plies from first's next to last. */
void qp_keep_plies(struct qp_replaying *r, qp_node *first, qp_node *last);
/* Where the current event begins; behind the last one, where that ends. */
size_t qp_replay_here(const struct qp_replaying *r);

#endif
