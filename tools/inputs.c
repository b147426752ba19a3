/* Inputs: the operands one after the other, folders walked, archives looked into. Paths that are still to be looked at stand
 * on a stack of our own, so a deep tree costs memory in proportion to its width and no C
 * stack. */
#include "config.h"

#include "common.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL = 16 * 1024 }; /* a file of so many bytes is read at once */

/* Found in a folder. */
struct entry {
    char *path;
    bool plain; /* known to be a file or a folder */
};

struct walk {
    const struct options *options;
    input_fn run;
    input_skip_fn skip;
    void *user;
    struct entry *stack;
    size_t count, room;
    bool trouble, ended;
    bool measures;       /* only adds up sizes */
    uint64_t size;       /* of all regular files so far */
    uint64_t from, upto; /* the share of --shard, in those sizes */
    bool last;           /* it is the last one */
    unsigned char head[SMALL]; /* of the input in hand */
};

static void lose(struct walk *walk, const char *path)
{
    if (!walk->measures)
        complain_of(walk->options, path, "%s", strerror(errno));
    walk->trouble = true;
}

static bool push(struct walk *walk, char *path, bool plain)
{
    if (path && walk->count == walk->room) {
        size_t room = walk->room ? walk->room * 2 : 64;
        struct entry *stack = realloc(walk->stack, room * sizeof *stack);
        if (!stack) {
            free(path);
            path = NULL;
        } else {
            walk->stack = stack;
            walk->room = room;
        }
    }
    if (!path) {
        errno = ENOMEM;
        return false;
    }
    walk->stack[walk->count++] = (struct entry){path, plain};
    return true;
}

static char *join(const char *folder, const char *name)
{
    size_t a = strlen(folder), b = strlen(name);
    bool slash = a > 0 && folder[a - 1] != '/';
    char *path = malloc(a + slash + b + 1);
    if (!path)
        return NULL;
    memcpy(path, folder, a);
    if (slash)
        path[a] = '/';
    memcpy(path + a + slash, name, b + 1);
    return path;
}

/* The first in order last, since the stack's top comes next. */
static int by_bytes_backwards(const void *a, const void *b)
{
    return strcmp(((const struct entry *)b)->path, ((const struct entry *)a)->path);
}

/* Whether the folder itself says that an entry is a file or a folder. */
static bool is_plain(const struct dirent *found)
{
#if defined(HAVE_STRUCT_DIRENT_D_TYPE) && defined(DT_REG) && defined(DT_DIR)
    return found->d_type == DT_REG || found->d_type == DT_DIR;
#else
    (void)found;
    return false;
#endif
}

/* Takes over fd. Names that begin with a dot are passed over. */
static void push_folder(struct walk *walk, const char *path, int fd)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        lose(walk, path);
        close(fd);
        return;
    }
    size_t first = walk->count;
    const struct dirent *found;
    while (errno = 0, (found = readdir(folder)) != NULL) {
        if (found->d_name[0] == '.')
            continue;
        if (!push(walk, join(path, found->d_name), is_plain(found)))
            break;
    }
    if (errno != 0)
        lose(walk, path);
    closedir(folder);
    if (walk->count > first)
        qsort(walk->stack + first, walk->count - first, sizeof *walk->stack,
              by_bytes_backwards);
}

/* Reads the head: all of a small file, and of another regular one without taking it. A failure
 * is left for the reader to meet again. */
static void look_at_head(struct walk *walk, struct stream *stream, const struct stat *status,
                         bool opened)
{
    ssize_t got;
    bool regular = S_ISREG(status->st_mode) &&
                   (opened || lseek(stream->fd, 0, SEEK_CUR) == 0);
    bool small = regular && status->st_size > 0 && status->st_size < SMALL;
    do {
        got = small     ? read(stream->fd, walk->head, SMALL)
              : regular ? pread(stream->fd, walk->head, HEAD, 0)
                        : read(stream->fd, walk->head, HEAD);
    } while (got < 0 && errno == EINTR);
    stream->regular = regular;
    stream->head = walk->head;
    stream->head_len = got > 0 ? (size_t)got : 0;
    stream->whole = small && got == status->st_size;
    if (regular && !small)
        stream->head_at = stream->head_len;
}

/* An archive is searched from its first byte on. */
static void give_back(struct stream *stream)
{
    if (!stream->regular)
        return;
    if (stream->head_at < stream->head_len)
        lseek(stream->fd, 0, SEEK_SET);
    stream->head_at = stream->head_len;
    stream->whole = false;
}

/* Whether something of an input is in the share; sets what that may be. What has no size is in
 * each of them: its records are dealt. */
static bool takes_part(struct walk *walk, struct input *input, bool archive)
{
    if (walk->options->shards == 0)
        return true;
    if (input->size < 0) {
        input->dealt = true;
        return true;
    }
    uint64_t begin = walk->size, end = begin + (uint64_t)input->size;
    walk->size = end;
    input->follows = begin > 0;
    bool owns = begin >= walk->from && (begin < walk->upto || walk->last);
    if (archive || (begin >= walk->from && end <= walk->upto) || begin == end)
        return owns;
    if (end <= walk->from || begin >= walk->upto)
        return false;
    input->cut = true;
    input->owned = owns;
    input->share_from = walk->from > begin ? walk->from - begin : 0;
    input->share_upto = walk->upto < end ? walk->upto - begin : end - begin;
    return true;
}

static void run_input(struct walk *walk, const char *path, int fd,
                      const struct stat *status, bool walked)
{
    struct stream stream = {.fd = fd};
    struct input input = {
        .name = path,
        .read = stream_read,
        .from = &stream,
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = S_ISREG(status->st_mode) ? status->st_size : -1,
        .walked = walked,
        .fd = fd,
    };
    if (walked && walk->skip && walk->skip(walk->user, &input))
        return;
    if (walk->measures) {
        walk->size += input.size > 0 ? (uint64_t)input.size : 0;
        return;
    }
    look_at_head(walk, &stream, status, fd != STDIN_FILENO);
    bool archive = archive_kind(&stream) != NULL;
    if (!takes_part(walk, &input, archive))
        return;
    if (archive) {
        give_back(&stream);
        if (!archive_each(walk->options, &input, &stream, walk->run, walk->user))
            walk->ended = true;
        return;
    }
    progress_file();
    if (!walk->run(walk->user, &input))
        walk->ended = true;
}

/* In a walk, what is neither file nor folder is passed over (opening a pipe would wait),
 * and so are links to folders, which could lead round in circles. */
static bool walk_passes(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return false;
    if (!S_ISLNK(status.st_mode))
        return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    return stat(path, &status) != 0 || !S_ISREG(status.st_mode);
}

static void visit(struct walk *walk, const char *path, bool walked, bool plain)
{
    struct stat status;
    if (!walked && strcmp(path, "-") == 0) {
        if (fstat(STDIN_FILENO, &status) != 0)
            lose(walk, path);
        else
            run_input(walk, path, STDIN_FILENO, &status, false);
        return;
    }
    if (walked && !plain && walk_passes(path))
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        lose(walk, path);
        return;
    }
    if (fstat(fd, &status) != 0) {
        lose(walk, path);
    } else if (!S_ISDIR(status.st_mode)) {
        run_input(walk, path, fd, &status, walked);
    } else if (walk->options->recursive) {
        struct input folder = {
            .name = path, .device = status.st_dev, .inode = status.st_ino};
        if (!walked || !walk->skip || !walk->skip(walk->user, &folder)) {
            push_folder(walk, path, fd);
            return;
        }
    } else {
        if (!walk->measures)
            complain_of(walk->options, path, "is a folder; -r walks folders");
        walk->trouble = true;
    }
    close(fd);
}

static void walk_all(struct walk *walk)
{
    static char standard_input[] = "-";
    const struct options *options = walk->options;
    char *none[] = {standard_input};
    char **operands = options->operand_count ? options->operands : none;
    size_t count = options->operand_count ? options->operand_count : 1;
    for (size_t i = 0; i < count && !walk->ended; i++) {
        visit(walk, operands[i], false, false);
        while (walk->count > 0 && !walk->ended) {
            struct entry entry = walk->stack[--walk->count];
            visit(walk, entry.path, true, entry.plain);
            free(entry.path);
        }
    }
    while (walk->count > 0)
        free(walk->stack[--walk->count].path);
    free(walk->stack);
    walk->stack = NULL;
    walk->room = 0;
}

/* Where the share begins in the sizes of all inputs, put one behind the other. */
static uint64_t share_begin(uint64_t size, uint64_t share, uint64_t shares)
{
    return size / shares * share + size % shares * share / shares;
}

bool inputs_each(const struct options *options, input_fn run, input_skip_fn skip,
                 void *user)
{
    struct walk walk = {.options = options, .run = run, .skip = skip, .user = user};
    if (options->shards) {
        walk.measures = true;
        walk_all(&walk);
        walk.from = share_begin(walk.size, options->shard - 1, options->shards);
        walk.upto = share_begin(walk.size, options->shard, options->shards);
        walk.last = options->shard == options->shards;
        walk.size = 0;
        walk.measures = walk.trouble = false;
    }
    walk_all(&walk);
    return !walk.trouble;
}
