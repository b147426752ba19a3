/* What a reader is told not to keep changes nothing else: each record read with options that
 * save memory gives the same game, but for what was to be left out, and the same findings.
 * Records are the seeds of the fuzzer, invented trees in every format that holds them, and
 * those of QIPU_SHARED. */
#include "config.h"

#include "gen/gen.h"
#include "unit/show.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <sys/stat.h>

enum { HUGE_FILE = 4 << 20 };

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
            node->beside = NULL;
        gen_dump_game(game, GEN_DUMP_ALL, out);
    }
    return status;
}

/* Reads once as usual and once with the options; events are passed on so many at a time. */
static void same_with(const qp_context *context, const char *data, size_t len, const char *name,
                      qp_reader_options lean, size_t slice)
{
    memory whole_in = {.data = data, .len = len}, lean_in = whole_in;
    qp_reader_options usual = {.name = name};
    lean.name = name;
    qp_reader *whole_reader = qp_reader_open(context, memory_read, &whole_in, &usual);
    qp_reader *lean_reader = qp_reader_open(context, memory_read, &lean_in, &lean);
    qp_buf whole = {0}, got = {0};
    qp_status status;
    unsigned number = 0;
    cr_assert(whole_reader != NULL && lean_reader != NULL);
    qp_reader_record(lean_reader)->slice = slice;
    do {
        status = dump_next(whole_reader, lean.main_line, &whole);
        cr_expect_eq(dump_next(lean_reader, lean.main_line, &got), status, "%s, record %u", name,
                     number);
        size_t same = 0;
        while (same < whole.len && same < got.len && whole.data[same] == got.data[same])
            same++;
        size_t from = same > 300 ? same - 300 : 0;
        cr_expect(same == whole.len && same == got.len,
                  "%s, record %u, slices of %zu:\n%.*s\nbecame\n%.*s", name, number, slice,
                  (int)(whole.len - from < 600 ? whole.len - from : 600), whole.data + from,
                  (int)(got.len - from < 600 ? got.len - from : 600), got.data + from);
        number++;
    } while (status == QP_OK || status == QP_BAD);
    qp_reader_close(whole_reader);
    qp_reader_close(lean_reader);
    qp_buf_clear(&whole);
    qp_buf_clear(&got);
}

static void same_records(const qp_context *context, const char *data, size_t len,
                         const char *name)
{
    static const qp_reader_options lean[] = {
        {.main_line = true}, {.no_lint = true}, {.main_line = true, .no_lint = true}};
    for (size_t i = 0; i < QP_COUNT(lean); i++)
        for (size_t slice = 2; slice < 100 && (slice == 2 || lean[i].no_lint); slice += 67)
            same_with(context, data, len, name, lean[i], slice);
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

static void write_as(const qp_context *context, const char *format, const qp_game *game,
                     qp_buf *out)
{
    qp_writer_options options = {.format = format};
    qp_writer *writer = qp_writer_open(context, put, out, &options);
    cr_assert(writer != NULL);
    out->len = 0;
    qp_writer_put(writer, game);
    qp_writer_close(writer);
}

/* Puts other characters of the text in the place of some. */
static void damage(gen_random *random, qp_buf *text, unsigned times)
{
    static const char other[] = "0123456789().{}\n ";
    for (; times > 0; times--) {
        size_t at = gen_below(random, (unsigned)text->len);
        const char *p = memchr(text->data + at, ' ', text->len - at);
        if (p != NULL && p + 1 < text->data + text->len && (unsigned char)p[1] < 0x80)
            text->data[p + 1 - text->data] = other[gen_below(random, sizeof other - 1)];
    }
}

/* Trees with comments and marks, as movetext, some of it damaged, and what is read of that in
 * all other formats. The last one is long enough for the window to move. */
Test(lean, invented_trees, .timeout = 300)
{
    enum { TREES = 30, LONG = 40000 };
    static gen_player player;
    qp_context *context = qp_context_new();
    gen_player_init(&player);
    for (unsigned i = 0; i < TREES; i++) {
        gen_options wanted = {.variations = 20, .comments = 10, .nags = 5,
                              .nodes = i + 1 < TREES ? 300 : LONG};
        qp_arena arena;
        qp_game invented;
        const qp_game *game;
        gen_random random = {i};
        qp_buf text = {0}, out = {0};
        qp_arena_init(&arena);
        cr_assert(gen_game(&player, i, &wanted, &arena, &invented));
        write_as(context, "pgn", &invented, &text);
        damage(&random, &text, i % 6);
        same_records(context, text.data, text.len, "damaged.pgn");
        memory in = {.data = text.data, .len = text.len};
        qp_reader *reader = qp_reader_open(context, memory_read, &in, NULL);
        cr_assert(reader != NULL);
        qp_reader_next(reader, &game);
        for (size_t f = 0; qp_format_at(f) != NULL && game != NULL; f++) {
            const qp_format *format = qp_format_at(f);
            if (!qp_format_writes(format) ||
                !(qp_format_carries(format) & QP_CARRIES_VARIATIONS))
                continue;
            write_as(context, qp_format_name(format), game, &out);
            same_records(context, out.data, out.len, qp_format_name(format));
        }
        qp_reader_close(reader);
        qp_buf_clear(&text);
        qp_buf_clear(&out);
        qp_arena_clear(&arena);
    }
    qp_context_free(context);
}

/* Text that says so much again and again, until the record is long. */
static void repeat(qp_buf *text, const char *what)
{
    for (int i = 0; i < 100; i++)
        qp_buf_add_text(text, what);
}

/* What a record says late can bear on what it said before. */
Test(lean, late_words)
{
    static const char rooks[] = "[FEN \"3ak4/9/9/9/9/9/R8/9/9/R2K5 w - - 0 1\"]\n\n"
                                "1. 车九平八 将5进1 (1... 士4进5 ";
    static const char usual[] = "[Event \"?\"]\n\n1. 炮二平五 马8进7 (1... 马2进3) 2. 马二进三 ";
    static const char shuffle[] = "帅六进一 士5退4 帅六退一 士4进5 ";
    static const char other[] = "[Event \"?\"]\n\n1. 炮二平五 马8进7 (1... 马8进9 2. 马二进三 ";
    static const char deep[] = "(1... 马2进3 (1... 马2进1 ";
    static const char horses[] = "马8退9 马三退二 马9进8 马二进三 ";
    const struct {
        const char *begin, *again, *end;
    } rows[] = {
        {rooks, shuffle, ") 2. 车八进七 *"},   /* which rook went: the second move tells */
        {usual, "车九进一 车1进1 车九退一 车1退1 ", "炮25 卒77 *"}, /* a scorecard after all */
        {usual, "车九进一 车1进1 车九退一 车1退1 ", "9. 马二进三 6. 车一平二 *"},
        {usual, deep, "炮八进一 ) (炮八进二) * "},
        {other, horses, "{of that} ) {of this} 1-0"},
        {"{\"line\":[{\"move\":\"h2e2\"},{\"move\":\"h9g7\",\"variations\":[[", 
         "{\"move\":\"h9i7\"},{\"move\":\"h0g2\"},",
         "{\"move\":\"i7h9\"}]]}],\"start\":\"4k4/9/9/9/9/9/9/7C1/9/3K5 b\"}"},
        {"<qipu version=\"1\"><game><line><move iccs=\"h2e2\"/><move iccs=\"h9g7\"><variation>",
         "<move iccs=\"h9i7\"/><move iccs=\"h0g2\"/>",
         "</variation></move></line><start>4k4/9/9/9/9/9/9/7C1/9/3K5 w</start>"
         "<tags><tag name=\"Red\">A</tag></tags><result>1-0</result></game></qipu>"},
    };
    for (unsigned limit = 0; limit < 2; limit++) {
        qp_context *context = qp_context_new();
        if (limit != 0)
            qp_context_set_limit(context, QP_LIMIT_VARIATIONS, 1);
        for (size_t i = 0; i < QP_COUNT(rows); i++) {
            qp_buf text = {0};
            qp_buf_add_text(&text, rows[i].begin);
            repeat(&text, rows[i].again);
            qp_buf_add_text(&text, rows[i].end);
            same_records(context, text.data, text.len, "late");
            qp_buf_clear(&text);
        }
        qp_context_free(context);
    }
}

typedef struct pieces {
    qp_buf all;
    size_t largest;
} pieces;

static int put_piece(void *user, const void *data, size_t size)
{
    pieces *p = user;
    qp_buf_add(&p->all, data, size);
    p->largest = size > p->largest ? size : p->largest;
    return 0;
}

/* A large game is handed on while it is written: the bytes are those of one written whole. */
Test(lean, written_in_pieces)
{
    static const char *const formats[] = {"pgn", "json", "xml"};
    static gen_player player;
    const gen_options wanted = {.variations = 20, .comments = 10, .nags = 5, .nodes = 60000};
    qp_context *context = qp_context_new();
    qp_arena arena;
    qp_game game;
    qp_arena_init(&arena);
    gen_player_init(&player);
    cr_assert(gen_game(&player, 7, &wanted, &arena, &game));
    for (size_t f = 0; f < QP_COUNT(formats); f++) {
        pieces got[2] = {{.largest = 0}, {.largest = 0}};
        for (size_t part = 0; part < 2; part++) {
            qp_writer_options options = {.format = formats[f], .part = part != 0};
            qp_writer *writer = qp_writer_open(context, put_piece, &got[part], &options);
            cr_assert(writer != NULL);
            cr_expect_eq(qp_writer_put(writer, &game), QP_OK);
            cr_expect_eq(qp_writer_close(writer), QP_OK);
        }
        const qp_buf *whole = &got[1].all, *all = &got[0].all;
        cr_expect_gt(got[1].largest, 1 << 19, "%s: %zu", formats[f], got[1].largest);
        cr_expect_lt(got[0].largest, 1 << 19, "%s: %zu", formats[f], got[0].largest);
        size_t at = 0; /* behind what opens the file */
        while (at + whole->len <= all->len &&
               memcmp(all->data + at, whole->data, whole->len) != 0)
            at++;
        cr_expect(at + whole->len <= all->len && at < 200, "%s: other bytes", formats[f]);
        qp_buf_clear(&got[0].all);
        qp_buf_clear(&got[1].all);
    }
    qp_arena_clear(&arena);
    qp_context_free(context);
}
