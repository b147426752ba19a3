/* timerun: runs a program several times and prints what it cost, so that the benchmarks need
 * no timing tool that a system may lack.
 *
 *     timerun RUNS OUTPUT PROGRAM [ARGUMENT...]
 *
 * Standard output of each run goes to OUTPUT, emptied before it. Prints one line, parted by
 * tabs: median wall seconds, user and system seconds of that run, the most memory of any run
 * in KiB (as wait4 tells it), exit code. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 100 };

typedef struct cost {
    double wall, user, system;
    long memory; /* KiB */
    int status;
} cost;

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int run(const char *output, char **command, cost *c)
{
    struct timespec from, to;
    struct rusage usage;
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
            _exit(126);
        close(fd);
        execvp(command[0], command);
        _exit(127);
    }
    while (wait4(child, &c->status, 0, &usage) < 0)
        if (errno != EINTR)
            return -1;
    clock_gettime(CLOCK_MONOTONIC, &to);
    c->wall = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    c->user = seconds(usage.ru_utime);
    c->system = seconds(usage.ru_stime);
    c->memory = usage.ru_maxrss;
    return 0;
}

static int by_wall(const void *a, const void *b)
{
    double x = ((const cost *)a)->wall, y = ((const cost *)b)->wall;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static cost costs[RUNS_MAX];
    int runs = argc > 3 ? atoi(argv[1]) : 0;
    long memory = 0;
    if (runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: timerun RUNS OUTPUT PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    for (int i = 0; i < runs; i++) {
        if (run(argv[2], argv + 3, &costs[i]) != 0) {
            fprintf(stderr, "timerun: %s\n", strerror(errno));
            return 2;
        }
        if (costs[i].memory > memory)
            memory = costs[i].memory;
    }
    qsort(costs, (size_t)runs, sizeof *costs, by_wall);
    const cost *median = &costs[runs / 2];
    int code = WIFEXITED(median->status) ? WEXITSTATUS(median->status)
                                         : 128 + WTERMSIG(median->status);
    printf("%.4f\t%.6f\t%.6f\t%ld\t%d\n", median->wall, median->user, median->system, memory,
           code);
    return code >= 126 ? 2 : 0;
}
