/* Names that users type: the nearest known one for each that is not known. */
#include "config.h"

#include "common.h"

#include <ctype.h>
#include <string.h>

/* Longer words are compared by their beginnings. */
#define WORD_MAX 63

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edits that make one word of the other: a letter added, dropped or changed, or two
 * neighbours swapped. Case does not count. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned rows[3][WORD_MAX + 1];
    size_t a_len = strnlen(a, WORD_MAX), b_len = strnlen(b, WORD_MAX);
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];
        int ca = tolower((unsigned char)a[i - 1]);
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            int cb = tolower((unsigned char)b[j - 1]);
            row[j] = least(above[j - 1] + (ca != cb), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    unsigned distance = edit_distance(nearest->word, candidate);
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

static void complain_unknown(const struct options *options, const char *what,
                             const struct nearest *nearest)
{
    if (nearest->best)
        complain(options, "unknown %s '%s'; the nearest is '%s'", what, nearest->word,
                 nearest->best);
    else
        complain(options, "unknown %s '%s'", what, nearest->word);
}

const struct command *command_find(const char *name)
{
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        nearest_offer(&nearest, commands[i].name);
    }
    complain_unknown(NULL, "command", &nearest);
    return NULL;
}

const qp_format *find_format(const struct options *options, const char *name)
{
    const qp_format *format = qp_format_find(name);
    if (format)
        return format;
    struct nearest nearest = {.word = name};
    for (size_t i = 0; (format = qp_format_at(i)) != NULL; i++)
        nearest_offer(&nearest, qp_format_name(format));
    complain_unknown(options, "format", &nearest);
    return NULL;
}

const qp_notation *find_notation(const struct options *options, const qp_context *context,
                                 const char *name, size_t len)
{
    char word[WORD_MAX + 1];
    if (len > WORD_MAX)
        len = WORD_MAX;
    memcpy(word, name, len);
    word[len] = '\0';
    const qp_notation *notation = qp_notation_find(context, word);
    if (notation && qp_notation_writes(notation))
        return notation;
    if (notation) {
        complain(options, "notation '%s' is read, not written", word);
        return NULL;
    }
    struct nearest nearest = {.word = word};
    for (size_t i = 0; (notation = qp_notation_at(context, i)) != NULL; i++)
        if (qp_notation_writes(notation))
            nearest_offer(&nearest, qp_notation_name(notation));
    complain_unknown(options, "notation", &nearest);
    return NULL;
}

bool rules_known(const struct options *options, const char *name)
{
    struct nearest nearest = {.word = name};
    const qp_ruleset *rules;
    if (qp_ruleset_find(name))
        return true;
    for (size_t i = 0; (rules = qp_ruleset_at(i)) != NULL; i++)
        nearest_offer(&nearest, rules->name);
    complain_unknown(options, "ruleset", &nearest);
    return false;
}

static ptrdiff_t read_nothing(void *user, void *buffer, size_t size)
{
    return 0;
}

static int write_nothing(void *user, const void *buffer, size_t size)
{
    return 0;
}

/* The library says whether it knows an encoding by opening with it or not. */
bool encoding_known(const struct options *options, const qp_context *context,
                    const char *name, const char *format)
{
    bool known;
    if (format) {
        qp_writer_options wanted = {.format = format, .encoding = name};
        qp_writer *writer = qp_writer_open(context, write_nothing, NULL, &wanted);
        known = writer != NULL;
        if (writer)
            qp_writer_close(writer);
    } else {
        qp_reader_options wanted = {.encoding = name};
        qp_reader *reader = qp_reader_open(context, read_nothing, NULL, &wanted);
        known = reader != NULL;
        qp_reader_close(reader);
    }
    if (known)
        return true;
    static const char *const usual[] = {"utf-8", "gb18030", "gbk",      "gb2312",
                                        "big5",  "cp950",   "utf-16le", "utf-16be"};
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < COUNT(usual); i++)
        nearest_offer(&nearest, usual[i]);
    complain_unknown(options, "encoding", &nearest);
    return false;
}
