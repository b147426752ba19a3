/* Nothing is trusted: each sample cut at each byte, and with bytes changed at random from fixed
 * seeds, goes through its reader and through detection, and all that a program can do with what
 * comes out is done (tests/fuzz/reader.c). Samples are the seeds of the fuzzer, at least one a
 * format; the larger records of QIPU_SHARED are cut and changed in fewer places. */
#include "config.h"

#include "format/format.h"
#include "fuzz/fuzz.h"
#include "gen/gen.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHANGED = 150, LARGE = 4096, LARGE_CHANGED = 24, HUGE_FILE = 1 << 20 };

static char doing[512]; /* said where the process is about to end */

static void say_it(int number)
{
    (void)number;
    ssize_t unused = write(2, doing, strlen(doing));
    (void)unused;
}

/* A file's bytes, in a block of just that size, so that a read past them is seen. */
static uint8_t *file_bytes(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = size > 0 && size <= HUGE_FILE ? malloc((size_t)size) : NULL;
    *len = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
    fclose(file);
    return bytes;
}

static void read_damaged(const char *format, const uint8_t *data, size_t len, const char *name,
                         const char *how, size_t which)
{
    uint8_t *copy = malloc(len != 0 ? len : 1);
    cr_assert(copy != NULL);
    memcpy(copy, data, len);
    snprintf(doing, sizeof doing, "\n%s read as %s, %s %zu\n", name,
             format != NULL ? format : "what it is", how, which);
    fuzz_reader(format, copy, len);
    free(copy);
}

/* Each format that reads a sample: the one that its name begins with, and detection. */
static const char *format_of(const char *name)
{
    char word[16];
    size_t len = strcspn(name, "-.");
    if (len >= sizeof word)
        return NULL;
    memcpy(word, name, len);
    word[len] = '\0';
    const qp_format *format = qp_format_find(word);
    return format != NULL ? qp_format_name(format) : NULL;
}

static void damage_sample(const uint8_t *data, size_t len, const char *name, const char *format)
{
    gen_random random = {len};
    size_t step = len <= LARGE ? 1 : len / LARGE_CHANGED;
    for (size_t cut = 0; cut <= len; cut += step)
        read_damaged(format, data, cut, name, "cut at", cut);
    uint8_t *changed = malloc(len);
    cr_assert(changed != NULL);
    for (size_t i = 0; i < (len <= LARGE ? CHANGED : LARGE_CHANGED); i++) {
        memcpy(changed, data, len);
        for (unsigned n = 1 + gen_below(&random, 4); n > 0; n--)
            changed[gen_below(&random, (unsigned)len)] = (uint8_t)gen_below(&random, 256);
        read_damaged(format, changed, len, name, "change", i);
    }
    free(changed);
}

/* All files of a folder; seen, by index of format, is set for those that have a sample. */
static unsigned damage_folder(const char *folder, bool seen[])
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1024];
        size_t len;
        const char *dot = strrchr(entry->d_name, '.');
        if (*entry->d_name == '.' || (dot != NULL && strcmp(dot, ".iccs") == 0))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        uint8_t *data = file_bytes(path, &len);
        if (data == NULL)
            continue;
        const char *format = format_of(dot != NULL ? dot + 1 : entry->d_name);
        for (size_t f = 0; seen != NULL && qp_format_at(f) != NULL; f++)
            seen[f] |= format != NULL && strcmp(qp_format_name(qp_format_at(f)), format) == 0;
        damage_sample(data, len, entry->d_name, NULL);
        if (format != NULL)
            damage_sample(data, len, entry->d_name, format);
        free(data);
        count++;
    }
    if (dir != NULL)
        closedir(dir);
    return count;
}

Test(damage, every_sample_cut_and_changed)
{
    bool seen[64] = {false};
    char path[1024];
    const char *top = getenv("top_srcdir");
    const qp_format *format;
    signal(SIGABRT, say_it);
    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/reader", top != NULL ? top : ".");
    cr_expect(damage_folder(path, seen) > 0, "no samples in %s", path);
    for (size_t f = 0; (format = qp_format_at(f)) != NULL && f < QP_COUNT(seen); f++)
        cr_expect(seen[f] || !qp_format_reads(format), "no sample of %s",
                  qp_format_name(format));
}

Test(damage, real_records_cut_and_changed)
{
    char path[1024];
    const char *shared = getenv("QIPU_SHARED");
    signal(SIGABRT, say_it);
    snprintf(path, sizeof path, "%s/corpora/binary", shared != NULL ? shared : "");
    if (shared != NULL && *shared != '\0')
        damage_folder(path, NULL);
}

static const qp_format *found(const qp_context *context, const uint8_t *data, size_t len,
                              const char *name)
{
    fuzz_input in = {data, len, 0, len};
    const qp_game *game;
    qp_reader *reader =
        qp_reader_open(context, fuzz_get, &in, &(qp_reader_options){.name = name});
    cr_assert(reader != NULL);
    qp_reader_next(reader, &game);
    const qp_format *format = qp_reader_format(reader);
    qp_reader_close(reader);
    return format;
}

/* A file that says what it is is read so whatever it is called. */
Test(damage, wrong_names)
{
    char path[1024], name[32];
    const char *top = getenv("top_srcdir");
    const qp_format *other;
    qp_context *context = qp_context_new();
    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/reader", top != NULL ? top : ".");
    DIR *dir = opendir(path);
    const struct dirent *entry;
    size_t folder = strlen(path), len;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        snprintf(path + folder, sizeof path - folder, "/%s", entry->d_name);
        uint8_t *data = *entry->d_name == '.' ? NULL : file_bytes(path, &len);
        const qp_format *format = data != NULL ? found(context, data, len, NULL) : NULL;
        for (size_t f = 0; format != NULL && (other = qp_format_at(f)) != NULL; f++) {
            const char *suffixes = qp_format_suffixes(other);
            snprintf(name, sizeof name, "a.%.*s", (int)strcspn(suffixes, " "), suffixes);
            const qp_format *named = found(context, data, len, name);
            cr_expect(named == format, "%s is %s, and called %s it is %s", entry->d_name,
                      qp_format_name(format), name,
                      named != NULL ? qp_format_name(named) : "nothing");
        }
        free(data);
    }
    if (dir != NULL)
        closedir(dir);
    qp_context_free(context);
}
