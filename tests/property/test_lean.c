/* What a reader is told not to keep changes nothing else: each record read with options that
 * save memory gives the same game, but for what was to be left out, and the same findings.
 * Records are the seeds of the fuzzer, invented trees in every format that holds them, and
 * those of QIPU_SHARED. */
#include "config.h"

#include "format/format.h"
#include "gen/gen.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { HUGE_FILE = 4 << 20 };

typedef struct bytes {
    const char *data;
    size_t left;
} bytes;

static ptrdiff_t get(void *user, void *buffer, size_t size)
{
    bytes *b = user;
    size = size < b->left ? size : b->left;
    memcpy(buffer, b->data, size);
    b->data += size;
    b->left -= size;
    return (ptrdiff_t)size;
}

/* Of a record, all that can be asked for; without its variations where main_line is set. */
static qp_status dump_next(qp_reader *reader, bool main_line, qp_buf *out)
{
    const qp_game *game;
    size_t count;
    qp_status status = qp_reader_next(reader, &game);
    out->len = 0;
    const qp_finding *findings = game != NULL ? qp_check(reader, NULL, NULL, &count)
                                              : qp_reader_findings(reader, &count);
    gen_dump_findings(findings, count, out);
    if (game != NULL) {
        for (qp_node *node = game->first; main_line && node != NULL; node = node->next)
            node->alternative = NULL;
        gen_dump_game(game, GEN_DUMP_ALL, out);
    }
    return status;
}

static void same_records(const qp_context *context, const char *data, size_t len,
                         const char *name)
{
    bytes whole_in = {data, len}, lean_in = {data, len};
    qp_reader_options usual = {.name = name}, lean = {.name = name, .main_line = true};
    qp_reader *whole_reader = qp_reader_open(context, get, &whole_in, &usual);
    qp_reader *lean_reader = qp_reader_open(context, get, &lean_in, &lean);
    qp_buf whole = {0}, got = {0};
    qp_status status;
    unsigned number = 0;
    cr_assert(whole_reader != NULL && lean_reader != NULL);
    do {
        status = dump_next(whole_reader, true, &whole);
        cr_expect_eq(dump_next(lean_reader, true, &got), status, "%s, record %u", name, number);
        cr_expect(qp_str_same((qp_str){got.data, got.len}, (qp_str){whole.data, whole.len}),
                  "%s, record %u:\n%.*s\nbecame\n%.*s", name, number,
                  (int)(whole.len < 2000 ? whole.len : 2000), whole.data,
                  (int)(got.len < 2000 ? got.len : 2000), got.data);
        number++;
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(whole_reader);
    qp_reader_close(lean_reader);
    qp_buf_clear(&whole);
    qp_buf_clear(&got);
}

static void same_file(const qp_context *context, const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *data = size > 0 && size <= HUGE_FILE ? malloc((size_t)size) : NULL;
    if (data != NULL)
        same_records(context, data, fread(data, 1, (size_t)size, file), path);
    free(data);
    fclose(file);
}

/* All files of a folder, and of those in it. */
static unsigned same_folder(const qp_context *context, const char *folder)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1024];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (*entry->d_name == '.' || stat(path, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode)) {
            DIR *inner = opendir(path);
            const struct dirent *one;
            while (inner != NULL && (one = readdir(inner)) != NULL) {
                char file[1300];
                snprintf(file, sizeof file, "%s/%s", path, one->d_name);
                if (*one->d_name == '.' || stat(file, &about) != 0 || !S_ISREG(about.st_mode))
                    continue;
                same_file(context, file);
                count++;
            }
            if (inner != NULL)
                closedir(inner);
        } else {
            same_file(context, path);
            count++;
        }
    }
    if (dir != NULL)
        closedir(dir);
    return count;
}

Test(lean, seeds)
{
    char path[1024];
    const char *top = getenv("top_srcdir");
    qp_context *context = qp_context_new();
    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/reader", top != NULL ? top : ".");
    cr_expect(same_folder(context, path) > 0, "no records in %s", path);
    qp_context_free(context);
}

Test(lean, real_records, .timeout = 300)
{
    char path[1024];
    const char *shared = getenv("QIPU_SHARED");
    qp_context *context = qp_context_new();
    snprintf(path, sizeof path, "%s/corpora", shared != NULL ? shared : "");
    if (shared != NULL && *shared != '\0')
        same_folder(context, path);
    qp_context_free(context);
}

static int put(void *user, const void *data, size_t size)
{
    qp_buf_add(user, data, size);
    return 0;
}

/* Trees with comments and marks, some with a ply that cannot be. */
Test(lean, invented_trees, .timeout = 300)
{
    enum { TREES = 24 };
    static gen_player player;
    const gen_options wanted = {.variations = 20, .comments = 10, .nags = 5, .nodes = 300};
    qp_context *context = qp_context_new();
    gen_player_init(&player);
    for (unsigned i = 0; i < TREES; i++) {
        qp_arena arena;
        qp_game game;
        gen_random random = {i};
        qp_arena_init(&arena);
        cr_assert(gen_game(&player, i, &wanted, &arena, &game));
        if (i % 3 == 1) {
            qp_node *node = game.first;
            for (unsigned k = gen_below(&random, 200); k > 0 && node != NULL; k--)
                node = (qp_node *)qp_node_walk(node, NULL);
            if (node != NULL)
                node->move = QP_MOVE(0, 89);
        }
        for (size_t f = 0; qp_format_at(f) != NULL; f++) {
            const qp_format *format = qp_format_at(f);
            qp_writer_options options = {.format = qp_format_name(format)};
            qp_buf out = {0};
            if (!qp_format_writes(format) ||
                !(qp_format_carries(format) & QP_CARRIES_VARIATIONS))
                continue;
            qp_writer *writer = qp_writer_open(context, put, &out, &options);
            cr_assert(writer != NULL);
            qp_writer_put(writer, &game);
            qp_writer_close(writer);
            same_records(context, out.data, out.len, options.format);
            qp_buf_clear(&out);
        }
        qp_arena_clear(&arena);
    }
    qp_context_free(context);
}
