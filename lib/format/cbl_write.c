/* Writing CBL, version 3. The index stands before the records and its size before the index,
 * so both are kept until the end: in files without a name once they are long. */
#include "config.h"

#include "format/ccbridge.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    HEAD = 66624,
    ENTRY = 276,
    LIVE = 7,
    KEPT = 1 << 20,   /* in memory */
    PIECE = 64 * 1024, /* of what is taken back */
};

/* Bytes that are kept until the end. */
typedef struct spool {
    qp_buf waiting;
    FILE *file; /* what came before them; NULL: nothing did */
} spool;

typedef struct output {
    spool index, records;
    char head[HEAD];
    char guid[16]; /* of the first record */
    uint32_t unused; /* entries of the index that follow the used ones */
} output;

/* Where there is no file to be had, all stays in memory. */
static void spool_on(spool *s)
{
    if (s->waiting.len < KEPT || s->waiting.failed)
        return;
    if (s->file == NULL)
        s->file = tmpfile();
    if (s->file == NULL)
        return;
    if (fwrite(s->waiting.data, 1, s->waiting.len, s->file) != s->waiting.len)
        s->waiting.failed = true;
    s->waiting.len = 0;
}

/* From the end of writing on: */
static bool spool_rewind(spool *s)
{
    return s->file == NULL || fseek(s->file, 0, SEEK_SET) == 0;
}

/* The next bytes in file order; false: there are no more. */
static bool spool_take(spool *s, qp_buf *out)
{
    if (s->file != NULL) {
        if (!qp_buf_reserve(out, PIECE))
            return false;
        size_t got = fread(out->data + out->len, 1, PIECE, s->file);
        out->len += got;
        if (got != 0)
            return true;
        out->failed |= ferror(s->file) != 0;
        fclose(s->file);
        s->file = NULL;
    }
    if (s->waiting.len == 0)
        return false;
    qp_buf_add(out, s->waiting.data, s->waiting.len);
    s->waiting.len = 0;
    return true;
}

static void spool_end(spool *s)
{
    if (s->file != NULL)
        fclose(s->file);
    qp_buf_clear(&s->waiting);
}

const qp_cbl_field qp_cbl_fields[] = {
    {"CBR_Library", 64, 512},
    {"CBR_LibraryFrom", 576, 256},
    {"CBR_LibraryCreator", 832, 64},
    {"CBR_LibraryCreatorURL", 896, 64},
    {"CBR_LibraryCreated", 960, 64},
    {"CBR_LibraryModified", 1024, 64},
    {"CBR_LibraryRemarks", 1088, 65536},
    {NULL, 0, 0},
};

static output *state_of(qp_writing *writing)
{
    if (writing->state == NULL)
        writing->state = calloc(1, sizeof(output));
    if (writing->state == NULL)
        writing->out->failed = true;
    return writing->state;
}

/* What games say of their library; the first that says it is believed. */
static void put_library_fields(qp_writing *writing, const qp_game *game, char *head)
{
    for (const qp_cbl_field *field = qp_cbl_fields; field->tag != NULL; field++) {
        qp_str value = qp_game_tag(game, field->tag);
        if (value.len == 0)
            continue;
        if (head[field->at] == 0 && head[field->at + 1] == 0)
            qp_cbr_put(writing, head + field->at, field->size, value, field->tag);
        else
            qp_writing_loss(writing, "tags", 1, NULL, "%s was said by a game before", field->tag);
    }
}

void qp_cbl_write(qp_writing *writing, const qp_game *game)
{
    output *o = state_of(writing);
    if (o == NULL)
        return;
    put_library_fields(writing, game, o->head);
    qp_buf *records = &o->records.waiting;
    size_t start = records->len;
    size_t len = qp_cbr_write(writing, game, writing->count + 1, records);
    size_t blocks = (len + QP_CBR_BLOCK - 1) / QP_CBR_BLOCK, padding = blocks * QP_CBR_BLOCK - len;
    if (len == 0 || len > UINT32_MAX / 2 || !qp_buf_reserve(records, padding)) {
        writing->out->failed = true;
        return;
    }
    memset(records->data + records->len, 0, padding);
    records->len += padding;
    char entry[ENTRY] = {LIVE}, guid[39];
    const char *record = records->data + start;
    if (writing->count == 0)
        memcpy(o->guid, record + QP_CBR_GUID, sizeof o->guid);
    qp_buf numbers = {0};
    qp_put_u32(&numbers, writing->count);
    qp_put_u32(&numbers, (uint32_t)blocks);
    qp_put_u32(&numbers, (uint32_t)len);
    if (!numbers.failed)
        memcpy(entry + 4, numbers.data, 12);
    qp_buf_clear(&numbers);
    qp_cbr_guid_text((const unsigned char *)record + QP_CBR_GUID, guid);
    for (unsigned i = 0; i < 38; i++)
        entry[20 + 2 * i] = guid[i];
    memcpy(entry + 100, record + 180, 126); /* the title */
    qp_buf_add(&o->index.waiting, entry, sizeof entry);
    spool_on(&o->index);
    spool_on(&o->records);
    if (o->index.waiting.failed || o->records.waiting.failed)
        writing->out->failed = true;
}

/* The sizes that the program gives its indexes. */
static uint32_t slots_for(uint32_t games)
{
    uint32_t slots = 128;
    while (slots < games && slots < 2048)
        slots *= 2;
    return slots < games ? (games + 255) / 256 * 256 : slots;
}

void qp_cbl_write_end(qp_writing *writing)
{
    output *o = state_of(writing);
    if (o == NULL)
        return;
    uint32_t slots = slots_for(writing->count);
    char *head = o->head;
    memcpy(head, qp_cbl_signature, QP_CBR_SIGNATURE);
    head[16] = 3;
    memcpy(head + 20, o->guid, sizeof o->guid); /* as good as any, and always the same */
    memset(head + 52, 0xFF, 3);
    head[55] = 0x7F;
    for (unsigned i = 0; i < 4; i++)
        head[60 + i] = (char)(slots >> 8 * i & 0xFF);
    qp_buf_add(writing->out, head, HEAD);
    o->unused = slots - writing->count;
    if (!spool_rewind(&o->index) || !spool_rewind(&o->records))
        writing->out->failed = true;
}

bool qp_cbl_write_more(qp_writing *writing)
{
    static const char unused[ENTRY];
    output *o = writing->state;
    if (o == NULL)
        return false;
    bool more = spool_take(&o->index, writing->out);
    if (!more && o->unused != 0) {
        for (; o->unused != 0; o->unused--)
            qp_buf_add(writing->out, unused, ENTRY);
        more = true;
    }
    more = !writing->out->failed && (more || spool_take(&o->records, writing->out));
    if (more)
        return true;
    spool_end(&o->index);
    spool_end(&o->records);
    free(o);
    writing->state = NULL;
    return false;
}
