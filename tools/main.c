/* qipu: read, check and convert Xiangqi game records. This file holds the table of
 * commands and what belongs to the process as a whole; each command has a file of its
 * own. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    {"Look", "check", CMD_CHECK, "[file ...]", cmd_check,
     "replay records and say what is wrong with them"},
    {"Look", "lint", CMD_LINT, "[file ...]", cmd_lint,
     "find and mend what is missing or misread on scorecards"},
    {"Look", "show", CMD_SHOW, "[fen | file ...]", cmd_show,
     "draw positions and games as boards"},
    {"Look", "info", CMD_INFO, "[file ...]", cmd_info, "say what files hold"},
    {"Look", "moves", CMD_MOVES, "[fen]", cmd_moves,
     "list the legal moves of a position"},
    {"Change", "convert", CMD_CONVERT, "[file ...]", cmd_convert,
     "write records in another format"},
    {"Know", "formats", CMD_FORMATS, "", cmd_formats, "list formats and notations"},
    {"Know", "help", CMD_HELP, "[command]", cmd_help, "explain a command"},
};
const size_t command_count = COUNT(commands);

/* A standard stream that was closed is opened so that its use fails, as it should:
 * otherwise the next file opened would take its number, and messages would end up in it.
 */
static void guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* What the reader of one file gives back, that of the next takes: it is not returned to the
 * system in between, which takes longer than to read a small file. Threads ask for memory so
 * rarely that they can share what was given back: with a part for each, -j took a MiB more for
 * each of them. */
static void keep_memory(void)
{
#ifdef HAVE_MALLOPT
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TOP_PAD, 4 << 10); /* what was asked for ahead is cleared once more by calloc() */
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 2);
#endif
#endif
}

/* The disk can be full as late as here. */
static int close_output(int code)
{
    int error = flush_output();
    if (!error && fclose(stdout) == 0)
        return code;
    complain_of(NULL, "standard output", "%s", strerror(error ? error : errno));
    return EXIT_TROUBLE;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct options options;
    int code = options_read(&options, command, argc, argv);
    if (code == EXIT_SOUND) {
        if (options.help)
            options_synopsis(command, "usage: ", stdout);
        else
            code = command->run(&options);
    }
    options_clear(&options);
    return code;
}

int main(int argc, char **argv)
{
    guard_streams();
    keep_memory();
    catch_signals();
    static char output[1 << 16];
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, output, _IOFBF, sizeof output);
    if (argc < 2) {
        complain(NULL, "no command; 'qipu help' lists them");
        return EXIT_TROUBLE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("qipu %s\n", qp_version());
        return close_output(EXIT_SOUND);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (name[0] == '-') {
        struct nearest nearest = {.word = name};
        nearest_offer(&nearest, "--version");
        nearest_offer(&nearest, "--help");
        complain(NULL, "unknown option '%s'; the nearest is '%s'", name, nearest.best);
        return EXIT_TROUBLE;
    }
    const struct command *command = command_find(name);
    if (!command)
        return EXIT_TROUBLE;
    return close_output(run(command, argc - 2, argv + 2));
}
