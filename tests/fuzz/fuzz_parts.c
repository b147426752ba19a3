/* The fuzz target of files that are read in parts. A reader that goes on from a stand, between
 * two records, reads what the one that came to it reads, findings and all; and a place where
 * the bytes look as if a record began lies in the file and is one for all who ask about it.
 * The encoding is given: what bytes of several are taken for depends on those around them. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"
#include "gen/gen.h"

enum { STANDS = 4, RECORDS = 32 };

typedef struct part {
    qp_buf text; /* of all records read so far */
    size_t end[RECORDS + 1]; /* of each in it */
    size_t count;
    qp_stand stand[STANDS]; /* behind the first records */
    bool known[STANDS];
} part;

static void read_part(const qp_context *context, const uint8_t *data, size_t size, size_t step,
                      const qp_stand *from, part *out)
{
    size_t at = from != NULL ? (size_t)from->byte : 0;
    fuzz_input in = {data + at, size - at, 0, step};
    qp_reader_options options = {.from = from,
                                 .encoding = size % 2 != 0 ? "utf-8" : "gb18030"};
    qp_reader *reader = qp_reader_open(context, fuzz_get, &in, &options);
    qp_status status = reader != NULL ? QP_OK : QP_END;
    while ((status == QP_OK || status == QP_BAD) && out->count < RECORDS) {
        const qp_game *game = NULL;
        size_t count;
        status = qp_reader_next(reader, &game);
        const qp_finding *findings = qp_reader_findings(reader, &count);
        fuzz_check_findings(findings, count, size);
        qp_buf_printf(&out->text, "status %d\n", (int)status);
        if (game != NULL) {
            qp_buf_printf(&out->text, "number %u\n", game->number);
            gen_dump_game(game, GEN_DUMP_ALL, &out->text);
        }
        gen_dump_findings(findings, count, &out->text);
        out->end[out->count] = out->text.len;
        if (out->count < STANDS)
            out->known[out->count] = qp_reader_stand(reader, false, &out->stand[out->count]);
        out->count++;
    }
    qp_reader_close(reader);
}

/* What was read from the stand behind record `behind` on, against all. */
static void compare(const part *all, const part *rest, size_t behind)
{
    size_t done = all->end[behind];
    size_t records = all->count - behind - 1;
    records = records < rest->count ? records : rest->count;
    size_t len = records != 0 ? rest->end[records - 1] : 0;
    size_t expected = all->end[behind + records] - done;
    if (len != expected || (len != 0 && memcmp(all->text.data + done, rest->text.data, len) != 0)) {
        fuzz_show("read on", all->text.data + done, expected);
        fuzz_show("read from there", rest->text.data != NULL ? rest->text.data : "", len);
        fuzz_require(false, "a part that is read in another way");
    }
    for (size_t i = behind + 1; i < STANDS && i <= behind + records; i++) {
        const qp_stand *a = &all->stand[i], *b = &rest->stand[i - behind - 1];
        fuzz_require(all->known[i] == rest->known[i - behind - 1], "a stand that one knows");
        fuzz_require(!all->known[i] || (qp_stand_same(a, b) && a->line == b->line &&
                                        a->games == b->games && a->inside == b->inside),
                     "a stand that is another one");
    }
}

/* Whether a place is at a line's start or end: within a line columns count from the place, and
 * no program cuts there. */
static bool at_line(const uint8_t *data, size_t size, size_t at)
{
    return at == 0 || data[at - 1] == '\n' ||
           (at < size && (data[at] == '\n' || data[at] == '\r'));
}

static void cut(const qp_format *format, const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    size_t from = size != 0 ? data[0] % size : 0;
    while (from < size) {
        size_t at = qp_format_cut(format, bytes, size, from);
        fuzz_require(at >= from && at <= size, "a cut outside the file");
        if (at < size)
            fuzz_require(qp_format_cut(format, bytes, size, at) == at,
                         "a cut that is none when asked about itself");
        from = at + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static qp_context *context; /* made once: it does not change */
    part all = {0};
    if (context == NULL)
        context = qp_context_new();
    if (context == NULL)
        return 0;
    for (size_t i = 0; qp_format_at(i) != NULL; i++)
        cut(qp_format_at(i), data, size);
    read_part(context, data, size, 1 + size % 997, NULL, &all);
    for (size_t i = 0; i < STANDS && i + 1 < all.count; i++) {
        part rest = {0};
        if (!all.known[i])
            continue;
        fuzz_require(all.stand[i].byte <= size, "a stand behind the file");
        if (all.stand[i].inside || !at_line(data, size, (size_t)all.stand[i].byte))
            continue;
        read_part(context, data, size, 1 + size % 389, &all.stand[i], &rest);
        compare(&all, &rest, i);
        qp_buf_clear(&rest.text);
    }
    qp_buf_clear(&all.text);
    return 0;
}
