/* Outputs: standard output, or a file that is written whole or not at all. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- signals ---- */

/* The hidden file that a signal has to remove. unlink is one of the few calls that are
 * safe in a handler. */
static char doomed[PATH_MAX];
static volatile sig_atomic_t doom;

static void stop(int signal_number)
{
    if (doom)
        unlink(doomed);
    if (signal_number == SIGPIPE) { /* die of it, as who asks us to stop expects */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    _exit(EXIT_STOPPED);
}

void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_NODEFER};
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGPIPE);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct sigaction before;
        /* What nohup or a background job has switched off stays off. */
        if (numbers[i] != SIGPIPE && sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler == SIG_IGN)
            continue;
        sigaction(numbers[i], &action, NULL);
    }
}

/* ---- files ---- */

static bool fail(struct output *output, const char *path)
{
    complain_of(output->options, path, "%s", strerror(errno));
    free(output->path);
    free(output->temporary);
    output->path = output->temporary = NULL;
    output->stream = NULL;
    return false;
}

/* ".NAME.XXXXXX" in the folder of path; the name is cut so that it stays a valid one. */
static char *temporary_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    int name = (int)strnlen(path + folder, 200);
    char *text = malloc(folder + (size_t)name + sizeof "..XXXXXX");
    if (text)
        sprintf(text, "%.*s.%.*s.XXXXXX", (int)folder, path, name, path + folder);
    return text;
}

static int open_hidden(struct output *output, mode_t mode)
{
    output->temporary = temporary_name(output->path);
    if (!output->temporary)
        return -1;
    if (strlen(output->temporary) >= sizeof doomed) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* A signal waits until the file that it has to remove is known. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int fd = mkstemp(output->temporary);
    if (fd >= 0) {
        strcpy(doomed, output->temporary);
        doom = 1;
    }
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fchmod(fd, mode);
    return fd;
}

static void remove_hidden(const struct output *output)
{
    if (!output->temporary)
        return;
    unlink(output->temporary);
    doom = 0;
}

bool output_open(struct output *output, const struct options *options, const char *path)
{
    *output = (struct output){.options = options, .stream = stdout};
    if (!path)
        return true;
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = 0666 & ~mask;
    int fd;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        if (S_ISDIR(status.st_mode)) {
            complain_of(options, path, "is a folder; write %s/ for one file per input",
                        path);
            return false;
        }
        output->path = strdup(path);
        fd = output->path ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
    } else {
        /* A link keeps pointing to the file that is renewed behind it. */
        char *real = realpath(path, NULL);
        if (real && stat(real, &status) == 0)
            mode = status.st_mode & 07777;
        output->path = real ? real : strdup(path);
        fd = output->path ? open_hidden(output, mode) : -1;
    }
    if (fd < 0)
        return fail(output, path);
    output->stream = fdopen(fd, "w");
    if (!output->stream) {
        int error = errno;
        close(fd);
        remove_hidden(output);
        errno = error;
        return fail(output, path);
    }
    return true;
}

int output_write(void *user, const void *buffer, size_t size)
{
    struct output *output = user;
    if (fwrite(buffer, 1, size, output->stream) == size)
        return 0;
    if (!output->error)
        output->error = errno ? errno : EIO;
    return -1;
}

/* Standard output is main's to complain of, once, when all is done. */
static bool close_standard(struct output *output)
{
    bool fine = flush_output() == 0 && !output->error;
    *output = (struct output){0};
    return fine;
}

bool output_close(struct output *output, bool keep)
{
    if (!output->path)
        return close_standard(output);
    if (fclose(output->stream) != 0 && !output->error)
        output->error = errno;
    if (keep && !output->error && output->temporary) {
        if (rename(output->temporary, output->path) == 0)
            doom = 0;
        else
            output->error = errno;
    }
    if (doom)
        remove_hidden(output);
    if (output->error)
        complain_of(output->options, output->path, "%s", strerror(output->error));
    bool fine = !output->error;
    free(output->path);
    free(output->temporary);
    *output = (struct output){0};
    return fine;
}
