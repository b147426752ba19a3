/* What jobs.c and pieces.c share: how -j shares the work between threads.
 *
 * The main thread reads the inputs, cuts them into chunks of some 256 KiB where a record most
 * likely begins (qp_format_cut), and puts what comes of each in order; a small file is a chunk
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
 * Memory is bounded: at most so many chunks are held, whatever the size of the input; a
 * record that is longer than that is read in catch_up, which needs none of them. What cannot
 * be cut (binary libraries, UTF-16) is read by the main thread alone.
 */
#ifndef QIPU_JOBS_H
#define QIPU_JOBS_H

#include "common.h"

/* Bytes of an input. A chunk is held by the tasks that read it, and by who reads on. */
struct chunk {
    struct chunk *next; /* of the same input */
    unsigned holders;
    uint64_t byte; /* offset of the first in the input */
    size_t len;    /* up to the cut */
    size_t filled; /* what was read beyond it; copied to the next */
    size_t room;
    bool last; /* the input ends with it */
    int error; /* because it could not be read further */
    unsigned char bytes[];
};

/* Reads on through chunks. */
struct cursor {
    struct chunk *chunk;
    size_t at;
    const struct chunk *end; /* the last one to be read */
    bool torn;               /* more than that was asked for, and there is more */
};

/* An input, as long as something of it is in work. */
struct file {
    unsigned holders;
    struct input input; /* its name, message and finding are copies; games stands below */
    uint64_t *games;
    qp_stand stand;
    char *name, *message;
    qp_finding finding;
};

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

/* Writes what a piece holds, in its place; false where nothing behind it is wanted. */
bool piece_put(const struct work *work, const struct piece *piece, const struct base *base);

#endif
