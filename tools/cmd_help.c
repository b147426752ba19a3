/* qipu help [COMMAND]: the commands, one of them, or the rulesets. */
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
    fputs("\n'qipu help command' explains one, 'qipu help rules' the rulesets;\n'man qipu' says more.\n", stdout);
}

static void describe_rules(void)
{
    const qp_ruleset *rules;
    fputs("Rulesets on repetition and the move limit, for --rules:\n", stdout);
    for (size_t i = 0; (rules = qp_ruleset_at(i)) != NULL; i++) {
        printf("\n%s%s\n  %s\n", rules->name,
               strcmp(rules->name, QP_RULESET_DEFAULT) == 0 ? " (the default)" : "",
               rules->title);
        printf("  source: %s\n  confidence: %s\n", rules->source, rules->confidence);
        printf("  a loop is judged after %u passes; %s\n", (unsigned)rules->claim_passes,
               rules->model == QP_CHASE_FULL
                   ? "checks, threats of mate and chases, and mixtures of them, are forbidden"
                   : "checks and the chase of one piece are forbidden");
        printf("  move limit: %u rounds without a capture, %u checks of a side count%s\n",
               (unsigned)rules->limit_rounds, (unsigned)rules->limit_checks,
               rules->limit_ends ? "; it ends the game" : "");
    }
    fputs("\n'man qipu-rules' says more.\n", stdout);
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
    if (strcmp(options->operands[0], "rules") == 0) {
        describe_rules();
        return EXIT_SOUND;
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
