/* What jobs.c and pieces.c share: how -j shares the work between threads.
 *
 * The main thread reads the inputs, cuts them into chunks of some 256 KiB, or 64 where games are
 * made of them, at places where a record most likely begins (qp_format_cut), and puts what comes of each in order; a small file is a chunk
 * of its own. Workers read, check and format; each has its own reader, writer, buffers and
 * copy of the command's state. Nothing is shared between them but the context, which nobody
 * changes, and the bytes of chunks, which nobody changes once they are handed out.
 *
 * A cut is a guess, and so is the state (encoding …) that a chunk's reader begins with: that
 * of the first record. What makes them good is the reader of the chunk before. It reads on
 * into the next chunk until a record begins at or behind the cut; if that is where the next
 * one began, with the same state (qp_stand_same), all is as if one reader had gone on. If not,
 * what came of the next chunk is thrown away, and the main thread itself reads on from that
 * stand until it comes to a cut with the right state (catch_up). So the result never depends
 * on how well the cuts were guessed, only the time does.
 *
 * A worker does not know how many games and lines stand before its chunk, nor what was said
 * already. It writes marks into its text (MARK_NUMBER …), and the main thread puts in what
 * belongs there while it copies the text to its place (pieces.c). A converted game waits in a
 * buffer for the writer of the main thread, which opens and closes files as with one thread.
 *
 * Memory is bounded: at most so many chunks are held, whatever the size of the input, and fewer
 * where what comes of them is larger and may have to wait for what stands before it; a record that is longer than that is read in catch_up, which needs none of them. What cannot
 * be cut (binary libraries, UTF-16) is read by the main thread alone.
 */
#ifndef QIPU_JOBS_H
#define QIPU_JOBS_H

#include "chunks.h"

#ifdef HAVE_THREADS
#include <pthread.h>
#endif

enum { AHEAD = 96 * 1024 }; /* what a reader can look into behind its chunk at the least */

/* What a worker does: one chunk, from a stand to the first record behind its end. */
struct task {
    struct task *next, *next_ready;
    struct file *file;
    struct chunk *chunk, *ahead; /* the last that it may look into */
    bool first; /* of its file: from is of no meaning */
    bool blind; /* no cut was found: nobody begins here */
    bool sent, done;
    qp_stand from;
    uint64_t until; /* where the next chunk begins; 0: the file ends here */
    /* What came of it. */
    struct piece piece;
    qp_stand stand; /* behind it */
    bool ended;     /* the input's end was read, or nothing more is wanted */
    bool failed;    /* it was lost on the way */
    bool useless;   /* a record is longer than what could be looked into */
};

/* What stands before a piece. */
struct base {
    uint32_t games, lines;
};

#ifdef HAVE_THREADS
struct worker {
    struct jobs *jobs;
    pthread_t thread;
    struct options options;
    void *copy; /* of the command's state */
    char *text;
    size_t text_len;
};

/* The input that is being cut into chunks. */
struct feed {
    const struct input *input;
    struct file *file; /* NULL: none is */
    struct chunk *tail;
    qp_stand expect;
    bool blind; /* the next chunk begins where no cut was found */
    unsigned torn;
};

struct jobs {
    const struct work *work;
    struct worker *workers;
    size_t worker_count;

    pthread_mutex_t lock;
    pthread_cond_t more, less; /* a task was sent; one is done */
    struct task *ready, *ready_tail;
    const struct task *awaited; /* the main thread waits for it */
    bool closing;

    /* The rest is the main thread's. */
    struct task *head, *tail; /* in order, as they are to be put */
    struct task *unsent;      /* the first of them that waits for what lies ahead */
    struct task *garbage;     /* nobody wants what comes of them */
    size_t task_count, held, held_max;
    size_t chunk; /* bytes; tests want smaller ones */
    size_t swell; /* bytes that come of sixteen of a chunk, as they did so far */
    struct feed feed;
    struct base base; /* what stands before the next piece of the input that is being put */
    bool stopped;
};

/* ---- tasks: jobs.c ---- */

void free_task(struct jobs *jobs, struct task *task);
/* Frees what nobody wants and no worker reads any more. */
void empty_garbage(struct jobs *jobs);
/* Takes the first task out of the row. */
struct task *pop_head(struct jobs *jobs);
/* Nobody wants to know what comes of the first task. */
void drop_head(struct jobs *jobs);
/* Reads one more chunk and makes a task of it. false: memory ran out. */
bool feed_more(struct jobs *jobs);

/* ---- in order: jobs_order.c ---- */

/* The input is done with; fine: it was read to its end. */
void end_file(struct jobs *jobs, const struct file *file, bool fine);
/* Reads on from a stand in what a task has looked into, until a cut turns out to be good;
 * stand NULL: from the beginning of the file. */
void catch_up(struct jobs *jobs, const struct task *task, const qp_stand *stand);
/* Puts the first task in its place. wait: also if it is not done yet; false: it is not. */
bool put_head(struct jobs *jobs, bool wait);
void put_all(struct jobs *jobs);
/* Makes room for one more chunk. */
void make_room(struct jobs *jobs);
#endif

/* Writes what a piece holds, in its place; false where nothing behind it is wanted. */
bool piece_put(const struct work *work, const struct piece *piece, const struct base *base);

#endif
