/* Pieces of text that workers wrote, put in their place; see jobs.h. */
#include "config.h"

#include "jobs.h"

#include <stdlib.h>
#include <string.h>

struct put {
    const struct work *work;
    const struct piece *piece;
    const struct base *base;
    const char *at, *end;
    const char *games; /* not yet written */
    FILE *out;
};

/* The number behind a mark and what else stands there, up to the mark again. */
static unsigned long long take_number(struct put *put, char mark)
{
    char *behind;
    unsigned long long number = strtoull(put->at, &behind, 10);
    put->at = behind;
    if (put->at < put->end && *put->at == mark)
        put->at++;
    return number;
}

static void put_number(struct put *put)
{
    char kind = *put->at++;
    int width = *put->at++ - '0';
    uint32_t number = (uint32_t)take_number(put, MARK_NUMBER);
    number += kind == 'l' ? put->base->lines : put->base->games;
    write_number(put->out, kind, width, number);
}

static bool take_mark(struct put *put, char mark)
{
    const struct work *work = put->work;
    switch (mark) {
    case MARK_NUMBER:
        put_number(put);
        return true;
    case MARK_ASIDE:
        flush_output();
        put->out = stderr;
        return true;
    case MARK_BACK:
        put->out = work->options->out;
        return true;
    case MARK_ONCE: {
        unsigned kind = (unsigned)take_number(put, mark);
        const char *behind = memchr(put->at, MARK_ONCE_END, (size_t)(put->end - put->at));
        if (behind && !work->once(work->user, kind))
            put->at = behind + 1;
        return true;
    }
    case MARK_GAME: {
        size_t size = (size_t)take_number(put, mark);
        const char *game = put->games;
        put->games += size;
        return work->game(work->user, game, size);
    }
    default: /* the end of what was to be shown once */
        return true;
    }
}

bool piece_put(const struct work *work, const struct piece *piece, const struct base *base)
{
    struct put put = {
        .work = work,
        .piece = piece,
        .base = base,
        .at = piece->text,
        .end = piece->text + piece->text_len,
        .games = piece->games,
        .out = work->options->out,
    };
    if (piece->text_len)
        progress_wipe(work->options);
    while (put.at < put.end) {
        const char *from = put.at;
        while (put.at < put.end && ((unsigned char)*put.at > MARK_GAME || *put.at == 0))
            put.at++;
        if (put.at > from)
            fwrite(from, 1, (size_t)(put.at - from), put.out);
        if (put.at == put.end)
            break;
        char mark = *put.at++;
        if (!take_mark(&put, mark))
            return false;
    }
    return work->join(work->user, piece);
}
