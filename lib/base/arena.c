/* One game's memory. See base.h. */
#include "config.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_BLOCK = 64 * 1024 };

struct qp_arena_block {
    qp_arena_block *next;
    size_t size; /* of data */
    char data[];
};

void qp_arena_init(qp_arena *arena)
{
    *arena = (qp_arena){0};
}

void qp_arena_clear(qp_arena *arena)
{
    for (qp_arena_block *b = arena->first, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    qp_arena_init(arena);
}

static void use_block(qp_arena *arena, qp_arena_block *block, char *at)
{
    arena->block = block;
    arena->at = at;
    arena->end = block ? block->data + block->size : NULL;
#ifdef QP_ASAN
    if (block != NULL)
        QP_TAKEN_BACK(at, (size_t)(arena->end - at));
    for (; block != NULL && block->next != NULL; block = block->next)
        QP_TAKEN_BACK(block->next->data, block->next->size);
#endif
}

void qp_arena_rewind(qp_arena *arena)
{
    use_block(arena, arena->first, arena->first ? arena->first->data : NULL);
    arena->failed = false;
}

void qp_arena_rest(qp_arena *arena)
{
    size_t kept = 0;
    qp_arena_block **link = &arena->first, *block;
    while ((block = *link) != NULL) {
        kept += block->size;
        if (kept <= QP_REST_ROOM) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        free(block);
    }
    qp_arena_rewind(arena);
}

void qp_arena_back(qp_arena *arena, qp_arena_mark mark)
{
    if (arena->failed)
        return;
    if (mark.block != NULL)
        use_block(arena, mark.block, mark.at);
    else
        qp_arena_rewind(arena);
}

static void *fail(qp_arena *arena)
{
    arena->failed = true;
    arena->at = arena->end = NULL;
    return NULL;
}

/* A kept block that is too small makes room for a larger one: otherwise games that grow from
 * one to the next would leave a block of each size behind. */
void *qp_arena_slow(qp_arena *arena, size_t wanted)
{
    size_t size = (wanted + 7) & ~(size_t)7;
    if (arena->failed || wanted > SIZE_MAX / 2)
        return fail(arena);
    qp_arena_block **link = arena->block ? &arena->block->next : &arena->first;
    qp_arena_block *next;
    while ((next = *link) != NULL && next->size < size) {
        *link = next->next;
        free(next);
    }
    if (next == NULL) {
        size_t room = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
        if (room > 4 * 1024 * 1024)
            room = 4 * 1024 * 1024;
        if (room < size)
            room = size;
        next = malloc(sizeof(qp_arena_block) + room);
        if (next == NULL)
            return fail(arena);
        next->size = room;
        next->next = NULL;
        *link = next;
    }
    use_block(arena, next, next->data);
    void *p = arena->at;
    arena->at += size;
    QP_LENT(p, wanted);
    return p;
}

void *qp_arena_zero(qp_arena *arena, size_t size)
{
    void *p = qp_arena_alloc(arena, size);
    return p ? memset(p, 0, size) : NULL;
}

qp_str qp_arena_str(qp_arena *arena, const char *data, size_t len)
{
    char *copy = qp_arena_alloc(arena, len + 1);
    if (copy == NULL)
        return (qp_str){"", 0};
    if (len != 0)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return (qp_str){copy, len};
}

qp_str qp_arena_printf(qp_arena *arena, const char *format, ...)
{
    char small[256]; /* most fit, and are made once */
    va_list args;
    va_start(args, format);
    int len = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    char *text = len < 0 ? NULL : qp_arena_alloc(arena, (size_t)len + 1);
    if (text == NULL)
        return (qp_str){"", 0};
    if ((size_t)len < sizeof small) {
        memcpy(text, small, (size_t)len + 1);
    } else {
        va_start(args, format);
        vsnprintf(text, (size_t)len + 1, format, args);
        va_end(args);
    }
    return (qp_str){text, (size_t)len};
}
