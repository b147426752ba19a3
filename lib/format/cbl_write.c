/* Writing CBL, version 3. The index stands before the records, so these are kept until the
 * end. */
#include "config.h"

#include "format/ccbridge.h"

#include <stdlib.h>

enum {
    HEAD = 66624,
    ENTRY = 276,
    LIVE = 7,
};

typedef struct output {
    qp_buf index, records;
    char head[HEAD];
} output;

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
    size_t start = o->records.len;
    size_t len = qp_cbr_write(writing, game, writing->count + 1, &o->records);
    size_t blocks = (len + QP_CBR_BLOCK - 1) / QP_CBR_BLOCK, padding = blocks * QP_CBR_BLOCK - len;
    if (len == 0 || len > UINT32_MAX / 2 || !qp_buf_reserve(&o->records, padding)) {
        writing->out->failed = true;
        return;
    }
    memset(o->records.data + o->records.len, 0, padding);
    o->records.len += padding;
    char entry[ENTRY] = {LIVE}, guid[39];
    const char *record = o->records.data + start;
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
    qp_buf_add(&o->index, entry, sizeof entry);
    if (o->index.failed)
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
    static const char unused[ENTRY];
    output *o = state_of(writing);
    if (o == NULL)
        return;
    uint32_t slots = slots_for(writing->count);
    char *head = o->head;
    memcpy(head, qp_cbl_signature, QP_CBR_SIGNATURE);
    head[16] = 3;
    if (o->records.len != 0) /* as good as any, and the same for the same games */
        memcpy(head + 20, o->records.data + QP_CBR_GUID, 16);
    memset(head + 52, 0xFF, 3);
    head[55] = 0x7F;
    for (unsigned i = 0; i < 4; i++)
        head[60 + i] = (char)(slots >> 8 * i & 0xFF);
    qp_buf_add(writing->out, head, HEAD);
    qp_buf_add(writing->out, o->index.data, o->index.len);
    for (size_t i = o->index.len / ENTRY; i < slots; i++)
        qp_buf_add(writing->out, unused, ENTRY);
    qp_buf_add(writing->out, o->records.data, o->records.len);
    qp_buf_clear(&o->index);
    qp_buf_clear(&o->records);
    free(o);
    writing->state = NULL;
}
