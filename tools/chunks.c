/* The bytes of an input on their way to the threads that read them. See chunks.h. */
#include "config.h"

#include "chunks.h"

#ifdef HAVE_THREADS

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 64 * 1024 }; /* so near to the end a cursor's reader is to stop */

void let_chunk(struct chunk *chunk, size_t *held)
{
    if (!chunk || --chunk->holders > 0)
        return;
    *held -= chunk->room;
    free(chunk);
}

void let_file(struct file *file)
{
    if (!file || --file->holders > 0)
        return;
    free(file->name);
    free(file->message);
    free(file);
}

struct file *keep_file(const struct input *input)
{
    struct file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->holders = 1;
    file->input = *input;
    file->games = input->games;
    file->input.games = NULL;
    if (input->stand) {
        file->stand = *input->stand;
        file->input.stand = &file->stand;
    }
    file->name = strdup(input->name);
    file->input.name = file->name;
    if (file->name && input->member)
        file->input.member = file->name + (input->member - input->name);
    if (file->name && input->finding) {
        file->finding = *input->finding;
        file->message = malloc(file->finding.message.len + 1);
        if (file->message)
            memcpy(file->message, file->finding.message.data, file->finding.message.len);
        file->finding.message.data = file->message;
        file->input.finding = &file->finding;
    }
    if (!file->name || (input->finding && !file->message)) {
        let_file(file);
        return NULL;
    }
    return file;
}

/* Reads until the chunk is full or the input ends. */
static void fill_chunk(struct chunk *chunk, const struct input *input)
{
    while (chunk->filled < chunk->room) {
        ptrdiff_t got = input->read(input->from, chunk->bytes + chunk->filled,
                                    chunk->room - chunk->filled);
        if (got <= 0) {
            chunk->last = true;
            chunk->error = got < 0 ? (errno ? errno : EIO) : 0;
            return;
        }
        chunk->filled += (size_t)got;
    }
}

struct chunk *next_chunk(const struct input *input, const struct chunk *before, size_t size,
                         size_t *held)
{
    size_t kept = before ? before->filled - before->len : 0;
    size_t room = size + size / 4;
    const qp_stand *stand = input->stand;
    uint64_t byte = before ? before->byte + before->len : stand ? stand->byte : 0;
    if (!before && input->size >= 0 && (uint64_t)input->size < room)
        room = (size_t)input->size + 1;
    struct chunk *chunk = malloc(sizeof *chunk + room);
    if (!chunk)
        return NULL;
    *chunk = (struct chunk){.holders = 1, .byte = byte, .room = room, .filled = kept};
    *held += room;
    if (kept)
        memcpy(chunk->bytes, before->bytes + before->len, kept);
    fill_chunk(chunk, input);
    return chunk;
}

bool cut_chunk(struct chunk *chunk, const qp_format *format, size_t size)
{
    chunk->len = chunk->filled;
    if (chunk->last)
        return true;
    chunk->len = qp_format_cut(format, (const char *)chunk->bytes, chunk->filled, size);
    return chunk->len != chunk->filled;
}

ptrdiff_t cursor_read(void *user, void *buffer, size_t size)
{
    struct cursor *cursor = user;
    while (cursor->at == cursor->chunk->len) {
        if (cursor->chunk->last && cursor->chunk->error) {
            errno = cursor->chunk->error;
            return -1;
        }
        if (cursor->chunk->last || cursor->torn)
            return 0;
        if (cursor->chunk == cursor->end) {
            cursor->torn = true;
            return 0;
        }
        cursor->chunk = cursor->chunk->next;
        cursor->at = 0;
    }
    size_t left = cursor->chunk->len - cursor->at;
    if (size > left)
        size = left;
    memcpy(buffer, cursor->chunk->bytes + cursor->at, size);
    cursor->at += size;
    return (ptrdiff_t)size;
}

bool cursor_nears_end(const struct cursor *cursor)
{
    return cursor->chunk == cursor->end && cursor->chunk->len - cursor->at < NEAR;
}

#endif
