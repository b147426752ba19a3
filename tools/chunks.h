/* The bytes of an input in chunks, and the input itself, as long as somebody holds them.
 * What they need for the threads of jobs.h; the main thread alone counts holders. */
#ifndef QIPU_CHUNKS_H
#define QIPU_CHUNKS_H

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

/* Lets go of a chunk, or of NULL; with the last holder its bytes are taken off *held. */
void let_chunk(struct chunk *chunk, size_t *held);
/* Lets go of a file, or of NULL. */
void let_file(struct file *file);
/* A copy of what describes an input. NULL: memory ran out. */
struct file *keep_file(const struct input *input);
/* Reads the chunk behind `before` (NULL: the first), of `size` bytes and a quarter more to
 * look for a cut in; its cut is not made. Adds its bytes to *held. NULL: memory ran out. */
struct chunk *next_chunk(const struct input *input, const struct chunk *before, size_t size,
                         size_t *held);
/* Sets where the chunk ends and the next one begins, past `size` bytes. false: no place was
 * found where a record begins. */
bool cut_chunk(struct chunk *chunk, const qp_format *format, size_t size);
/* A qp_read_fn; user is a struct cursor. */
ptrdiff_t cursor_read(void *user, void *buffer, size_t size);
/* Whether the reader may soon ask for more than it can get. */
bool cursor_nears_end(const struct cursor *cursor);

#endif
