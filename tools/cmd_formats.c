/* qipu formats: which formats and notations there are, and what each can do. */
#include "config.h"

#include "common.h"

#include <string.h>

static const struct {
    unsigned bit;
    const char *name;
} holds[] = {
    {QP_CARRIES_MOVES, "moves"},       {QP_CARRIES_VARIATIONS, "variations"},
    {QP_CARRIES_COMMENTS, "comments"}, {QP_CARRIES_NAGS, "nags"},
    {QP_CARRIES_TAGS, "tags"},         {QP_CARRIES_FEW_TAGS, "few-tags"},
    {QP_CARRIES_START, "start"},       {QP_CARRIES_COUNTERS, "counters"},
    {QP_CARRIES_RESULT, "result"},     {QP_CARRIES_CLOCKS, "clocks"},
    {QP_CARRIES_SQUARES, "squares"},   {QP_CARRIES_TEXT, "notation"},
    {QP_CARRIES_ROUND, "round"},       {QP_CARRIES_UNREADABLE, "unreadable"},
};

static int widen(int width, const char *text)
{
    int len = (int)strlen(text) + 2;
    return len > width ? len : width;
}

static void print_formats(void)
{
    const qp_format *format;
    int name = 8, suffixes = 10;
    for (size_t i = 0; (format = qp_format_at(i)) != NULL; i++) {
        name = widen(name, qp_format_name(format));
        suffixes = widen(suffixes, qp_format_suffixes(format));
    }
    printf("%-*sread  write %-*stitle; holds\n", name, "format", suffixes, "suffixes");
    for (size_t i = 0; (format = qp_format_at(i)) != NULL; i++) {
        printf("%-*s%-6s%-6s%-*s%s%s;", name, qp_format_name(format),
               qp_format_reads(format) ? "yes" : "-",
               qp_format_writes(format) ? "yes" : "-", suffixes,
               qp_format_suffixes(format), qp_format_title(format),
               qp_format_experimental(format) ? " (experimental)" : "");
        for (size_t k = 0; k < COUNT(holds); k++)
            if (qp_format_carries(format) & holds[k].bit)
                printf(" %s", holds[k].name);
        putchar('\n');
    }
}

static void print_notations(const qp_context *context)
{
    const qp_notation *notation;
    int name = 10;
    for (size_t i = 0; (notation = qp_notation_at(context, i)) != NULL; i++)
        name = widen(name, qp_notation_name(notation));
    printf("\n%-*swrite title\n", name, "notation");
    for (size_t i = 0; (notation = qp_notation_at(context, i)) != NULL; i++)
        printf("%-*s%-6s%s\n", name, qp_notation_name(notation),
               qp_notation_writes(notation) ? "yes" : "-", qp_notation_title(notation));
}

static void json_word(const char *key, const char *text)
{
    printf(",\"%s\":", key);
    json_string(stdout, (qp_str){text, strlen(text)});
}

static void json_suffixes(const char *suffixes)
{
    fputs(",\"suffixes\":[", stdout);
    for (bool first = true; *suffixes; first = false) {
        size_t len = strcspn(suffixes, " ");
        if (!first)
            putchar(',');
        json_string(stdout, (qp_str){suffixes, len});
        suffixes += len;
        suffixes += strspn(suffixes, " ");
    }
    putchar(']');
}

static void json_formats(void)
{
    const qp_format *format;
    for (size_t i = 0; (format = qp_format_at(i)) != NULL; i++) {
        fputs("{\"type\":\"format\"", stdout);
        json_word("name", qp_format_name(format));
        json_word("title", qp_format_title(format));
        json_suffixes(qp_format_suffixes(format));
        printf(",\"reads\":%s,\"writes\":%s,\"experimental\":%s,\"holds\":[",
               qp_format_reads(format) ? "true" : "false",
               qp_format_writes(format) ? "true" : "false",
               qp_format_experimental(format) ? "true" : "false");
        const char *comma = "";
        for (size_t k = 0; k < COUNT(holds); k++) {
            if (!(qp_format_carries(format) & holds[k].bit))
                continue;
            printf("%s\"%s\"", comma, holds[k].name);
            comma = ",";
        }
        puts("]}");
    }
}

static void json_notations(const qp_context *context)
{
    const qp_notation *notation;
    for (size_t i = 0; (notation = qp_notation_at(context, i)) != NULL; i++) {
        fputs("{\"type\":\"notation\"", stdout);
        json_word("name", qp_notation_name(notation));
        json_word("title", qp_notation_title(notation));
        printf(",\"writes\":%s}\n", qp_notation_writes(notation) ? "true" : "false");
    }
}

int cmd_formats(struct options *options)
{
    if (options->operand_count > 0) {
        complain(options, "takes no file");
        return EXIT_TROUBLE;
    }
    qp_context *context = open_context(options);
    if (!context)
        return EXIT_TROUBLE;
    if (options->json) {
        json_formats();
        json_notations(context);
    } else {
        print_formats();
        print_notations(context);
    }
    qp_context_free(context);
    return EXIT_SOUND;
}
