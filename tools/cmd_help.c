/* qipu help [COMMAND]: the commands, or one of them. */
#include "config.h"

#include "common.h"

#include <string.h>

static void list_commands(void)
{
    fputs("qipu reads, checks and converts Xiangqi game records.\n\n"
          "usage: qipu command [options] [file ...]\n"
          "       qipu --version\n",
          stdout);
    const char *group = "";
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(group, commands[i].group) != 0) {
            group = commands[i].group;
            printf("\n%s\n", group);
        }
        printf("  %-10s%s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n'qipu help command' explains one; 'man qipu' says more.\n", stdout);
}

int cmd_help(struct options *options)
{
    if (options->operand_count == 0) {
        list_commands();
        return EXIT_SOUND;
    }
    if (options->operand_count > 1) {
        complain(options, "one command at a time");
        return EXIT_TROUBLE;
    }
    const struct command *command = command_find(options->operands[0]);
    if (!command)
        return EXIT_TROUBLE;
    printf("qipu %s: %s\n\n", command->name, command->summary);
    options_synopsis(command, "usage: ", stdout);
    fputc('\n', stdout);
    options_describe(command, stdout);
    return EXIT_SOUND;
}
