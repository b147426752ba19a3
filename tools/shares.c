/* --shard: the K-th of N shares of the inputs, by whole records. All inputs, put one behind the
 * other, are shared by bytes; a record belongs to the share in which it begins, as far as its
 * look tells (qp_format_cut): so all shares agree about every place without knowing of each
 * other, and the K-th reads nothing but its own bytes and the file's first record. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW = 256 * 1024, /* bytes in which a cut is looked for at a time */
    CONTEXT = 64 * 1024, /* of these, so many before it */
};

/* A qp_read_fn; user is a struct share. */
static ptrdiff_t read_share(void *user, void *buffer, size_t size)
{
    struct share *share = user;
    if (size > share->upto - share->at)
        size = (size_t)(share->upto - share->at);
    ssize_t got;
    do
        got = pread(share->fd, buffer, size, (off_t)share->at);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        share->at += (uint64_t)got;
        progress_bytes((size_t)got);
    }
    return got;
}

/* Where the first record at or behind a byte begins; the file's end for none. 0 stays 0: the
 * first record has no look to tell it by. */
static uint64_t find_cut(const struct share *file, const qp_format *format, uint64_t byte)
{
    uint64_t size = file->upto;
    if (byte == 0 || byte >= size)
        return byte < size ? byte : size;
    struct share at = *file;
    char *window = malloc(WINDOW);
    uint64_t from = byte > CONTEXT ? byte - CONTEXT : 0, found = size;
    while (window) {
        size_t len = 0;
        ptrdiff_t got = 1;
        at.at = from;
        while (len < WINDOW && (got = read_share(&at, window + len, WINDOW - len)) > 0)
            len += (size_t)got;
        const char *lf = from && len ? memchr(window, '\n', len) : NULL;
        size_t begin = lf ? (size_t)(lf - window) + 1 : 0; /* whole lines */
        size_t want = (size_t)(byte - from);
        if (begin > want)
            begin = want;
        size_t cut = begin + qp_format_cut(format, window + begin, len - begin, want - begin);
        if (cut < len) {
            found = from + cut;
            break;
        }
        if (len < WINDOW)
            break;
        byte = from + len;
        from = byte - CONTEXT;
    }
    free(window);
    return found;
}

/* What the first record leaves behind; false: the file is not cut. */
static bool look_at_first(const struct options *options, const qp_context *context,
                          const struct input *input, const struct share *file,
                          qp_stand *stand)
{
    struct share whole = *file;
    struct input first = *input;
    const qp_game *game;
    first.read = read_share;
    first.from = &whole;
    qp_reader *reader = open_reader(options, context, &first, NULL, 0);
    qp_status status = reader ? qp_reader_next(reader, &game) : QP_FATAL;
    bool fine = (status == QP_OK || status == QP_BAD) && qp_reader_stand(reader, true, stand);
    qp_reader_close(reader);
    return fine;
}

bool share_open(const struct options *options, const qp_context *context,
                const struct input *input, struct share *share)
{
    *share = (struct share){.input = *input, .fd = input->fd, .upto = (uint64_t)input->size};
    if (!input->cut)
        return true;
    if (!look_at_first(options, context, input, share, &share->stand))
        return input->owned;
    uint64_t from = find_cut(share, share->stand.format, input->share_from);
    uint64_t upto = find_cut(share, share->stand.format, input->share_upto);
    if (from >= upto)
        return false;
    share->at = share->stand.byte = from;
    share->upto = upto;
    share->stand.line = share->stand.games = 0;
    share->stand.inside = false;
    share->input.stand = from > 0 ? &share->stand : NULL;
    share->input.follows |= from > 0;
    share->input.read = read_share;
    share->input.from = share;
    share->input.size = (off_t)(upto - from);
    return true;
}
