/* CBL, the library of 象棋桥 (CCBridge), version 3: a head, an index of entries that may be
 * live, deleted or unused, and behind it the records in blocks of 4096 bytes, in the order of
 * the index. Version 2.1 stands in cbl_old.c. Records are read one at a time: the index is
 * kept in short, and what lies behind a record is not looked at before it is asked for.
 *
 * The index is believed as long as records begin where it says. Once one does not, the blocks
 * are searched for records, never the bytes between: a comment can hold anything. */
#include "config.h"

#include "format/ccbridge.h"

#include <stdlib.h>

enum {
    HEAD = 66624, /* bytes of it */
    ENTRY = 276,
    LIVE = 7,
    DELETED = 5,
    ENTRIES_MAX = 1 << 22, /* that are kept */
};

/* What is kept of an entry that is not unused. */
typedef struct entry {
    uint64_t block;  /* where its record begins, in blocks from the first record */
    uint32_t blocks; /* how many it fills */
    uint32_t length; /* bytes of it */
    bool live;
    char guid[37]; /* without braces */
} entry;

typedef struct library {
    entry *entries;
    size_t count, room, next;
    uint64_t at;    /* of the window, in bytes from the first record */
    bool searching; /* the index does not fit: blocks are searched, entries are sorted */
    bool begun, over;
    qp_cbl_old *old; /* of a library of version 2.1 */
} library;

/* Passes over bytes of the source without keeping them. false: it ended before. */
static bool pass(qp_source *source, uint64_t count)
{
    while (count != 0) {
        if (source->len == 0 && !qp_source_more(source))
            return false;
        size_t step = source->len < count ? source->len : (size_t)count;
        qp_source_next(source, step);
        count -= step;
    }
    return true;
}

static bool is_record(qp_source *source, size_t at)
{
    return qp_source_has(source, 0, at + QP_CBR_SIGNATURE) &&
           memcmp(source->text + at, qp_cbr_signature, QP_CBR_SIGNATURE) == 0;
}

/* ---- the head and the index ---- */

/* What is told of the library as a whole goes to its first game. */
static void read_library_fields(qp_reading *in)
{
    qp_strings strings;
    qp_bytes head = {.data = (const unsigned char *)in->source->text, .size = HEAD};
    qp_strings_init(&strings, in);
    for (const qp_cbl_field *field = qp_cbl_fields; field->tag != NULL; field++)
        qp_cbr_tag(in, &strings, field->tag, &head, field->at, field->size, 0);
    qp_strings_clear(&strings);
}

static bool keep_entry(library *lib, const qp_bytes *bytes, uint64_t block)
{
    if (lib->count == lib->room) {
        size_t room = lib->room ? lib->room * 2 : 64;
        entry *grown = realloc(lib->entries, room * sizeof *grown);
        if (grown == NULL)
            return false;
        lib->entries = grown;
        lib->room = room;
    }
    entry *e = &lib->entries[lib->count++];
    *e = (entry){.block = block,
                 .blocks = qp_bytes_u32(bytes, 8),
                 .length = qp_bytes_u32(bytes, 12),
                 .live = qp_bytes_u8(bytes, 0) == LIVE};
    for (unsigned i = 0; i < 36; i++)
        e->guid[i] = (char)qp_bytes_u8(bytes, 22 + 2 * i);
    return true;
}

/* Reads the index; the source then stands at the first record. false: there is none. Where
 * the head says that it has no slots, it goes on to the first record. */
static bool read_index(qp_reading *in, library *lib, uint32_t slots)
{
    qp_source *source = in->source;
    uint64_t block = 0;
    uint32_t most = slots != 0 ? slots : UINT32_MAX;
    for (uint32_t i = 0; i < most; i++) {
        if (!qp_source_has(source, 0, ENTRY)) {
            if (slots == 0)
                return false;
            qp_record_remark(in->record, QP_D_file_truncated, "cbl-index",
                             "the file ends inside the index, at entry %lu of %lu",
                             (unsigned long)i + 1, (unsigned long)slots);
            return false;
        }
        if (is_record(source, 0)) {
            qp_record_remark(in->record, QP_D_file_corrupt, "cbl-index",
                             "the index ends after %lu entries of %lu", (unsigned long)i,
                             (unsigned long)slots);
            return true;
        }
        qp_bytes bytes = {.data = (const unsigned char *)source->text, .size = ENTRY};
        unsigned state = qp_bytes_u8(&bytes, 0);
        if (state == LIVE || state == DELETED) {
            if (lib->count == ENTRIES_MAX) {
                qp_record_remark(in->record, QP_D_file_limit, "cbl-index",
                                 "more than %d records in a library: the rest is left out",
                                 (int)ENTRIES_MAX);
                return pass(source, (uint64_t)ENTRY * (most - i));
            }
            if (!keep_entry(lib, &bytes, block)) {
                in->record->failed = true;
                return false;
            }
        }
        block += qp_bytes_u32(&bytes, 8);
        qp_source_next(source, ENTRY);
    }
    return true;
}

static bool begin(qp_reading *in, library *lib)
{
    qp_source *source = in->source;
    if (!qp_source_has(source, 0, HEAD)) {
        qp_record_report(in->record, QP_D_file_truncated, source->len, 0, "cbl-head",
                         "the library ends inside its head");
        return false;
    }
    qp_bytes head = {.data = (const unsigned char *)source->text, .size = HEAD};
    uint32_t version = qp_bytes_u32(&head, 16), slots = qp_bytes_u32(&head, 60);
    if (version != 3) {
        qp_record_report(in->record, QP_D_format_unsupported, 16, 4, "cbl-version",
                         "a library of version %lu; 2.1 and 3 are read",
                         (unsigned long)version);
        return false;
    }
    read_library_fields(in);
    qp_source_next(source, HEAD);
    return read_index(in, lib, slots);
}

/* ---- records ---- */

static int by_guid(const void *a, const void *b)
{
    return memcmp(((const entry *)a)->guid, ((const entry *)b)->guid, sizeof ((entry *)0)->guid);
}

/* The entry whose record has the GUID that stands at the window's start; NULL: none. */
static const entry *entry_of(const library *lib, const qp_source *source)
{
    char text[39];
    entry key = {0};
    if (source->len < QP_CBR_GUID + 16 || lib->count == 0)
        return NULL;
    qp_cbr_guid_text((const unsigned char *)source->text + QP_CBR_GUID, text);
    memcpy(key.guid, text + 1, 36);
    return bsearch(&key, lib->entries, lib->count, sizeof key, by_guid);
}

static void lose_index(qp_record *record, library *lib)
{
    if (lib->searching)
        return;
    qp_record_remark(
        record, QP_D_file_corrupt, "cbl-index",
        "the records are not where the index says: from here on they are searched");
    lib->searching = true;
    if (lib->count != 0)
        qsort(lib->entries, lib->count, sizeof *lib->entries, by_guid);
}

/* Bytes of the record at the window's start when the index is not believed: up to the next
 * block that begins one, or the end. */
static size_t search_end(qp_reading *in)
{
    qp_source *source = in->source;
    size_t end = QP_CBR_BLOCK;
    while (end <= in->limit && qp_source_has(source, 0, end + 1) && !is_record(source, end))
        end += QP_CBR_BLOCK;
    return end < source->len ? end : source->len;
}

/* Moves the window to the next record of a live entry, by the index. */
static bool find_listed(qp_reading *in, library *lib, const entry **found)
{
    qp_source *source = in->source;
    const entry *e = NULL;
    while (lib->next < lib->count && !lib->entries[lib->next].live)
        lib->next++;
    if (lib->next == lib->count)
        return false;
    e = &lib->entries[lib->next];
    uint64_t at = e->block * QP_CBR_BLOCK;
    if (at < lib->at || !pass(source, at - lib->at) || !qp_source_has(source, 0, 1)) {
        if (at < lib->at) {
            lose_index(in->record, lib);
            return false;
        }
        qp_record_remark(in->record, QP_D_file_truncated, "cbl-records",
                         "the file ends before record %zu of the index", lib->next + 1);
        lib->next = lib->count;
        lib->over = true;
        return false;
    }
    lib->at = at;
    if (!is_record(source, 0)) {
        lose_index(in->record, lib);
        return false;
    }
    lib->next++;
    *found = e;
    return true;
}

/* Moves the window to the next block that begins a record which is not deleted. */
static bool find_next(qp_reading *in, library *lib, const entry **found)
{
    qp_source *source = in->source;
    uint64_t rest = lib->at % QP_CBR_BLOCK;
    bool there = rest == 0 || pass(source, QP_CBR_BLOCK - rest);
    lib->at += rest == 0 ? 0 : QP_CBR_BLOCK - rest;
    while (there && qp_source_has(source, 0, QP_CBR_SIGNATURE)) {
        if (is_record(source, 0)) {
            qp_source_has(source, 0, QP_CBR_GUID + 16);
            *found = entry_of(lib, source);
            if (*found == NULL || (*found)->live)
                return true;
        }
        there = pass(source, QP_CBR_BLOCK);
        lib->at += QP_CBR_BLOCK;
    }
    lib->over = true;
    return false;
}

/* How far the record at the window's start goes. */
static size_t extent(qp_reading *in, library *lib, const entry *e)
{
    qp_source *source = in->source;
    uint64_t end = (uint64_t)e->blocks * QP_CBR_BLOCK;
    if (e->blocks == 0 || end > in->limit + QP_CBR_BLOCK)
        lose_index(in->record, lib);
    if (lib->searching)
        return search_end(in);
    for (uint64_t at = QP_CBR_BLOCK; at < end; at += QP_CBR_BLOCK)
        if (at >= e->length && is_record(source, (size_t)at)) {
            lose_index(in->record, lib);
            return (size_t)at;
        }
    bool next_live = lib->next < lib->count && lib->entries[lib->next].live;
    if (next_live && qp_source_has(source, 0, (size_t)end + 1) &&
        !is_record(source, (size_t)end)) {
        lose_index(in->record, lib);
        return search_end(in);
    }
    qp_source_has(source, 0, (size_t)end);
    return end < source->len ? (size_t)end : source->len;
}

/* Whether the record at the window's start has the GUID of its entry. */
static bool is_of_entry(const qp_reading *in, const entry *e)
{
    char guid[39];
    qp_cbr_guid_text((const unsigned char *)in->source->text + QP_CBR_GUID, guid);
    return memcmp(guid + 1, e->guid, 36) == 0;
}

static void check_entry(qp_reading *in, const entry *e, size_t used)
{
    qp_report *report = NULL;
    if (in->record->broken)
        return;
    if (e->length != used)
        report = qp_record_report(in->record, QP_D_file_corrupt, 0, 0, "cbl-length",
                                  "the record has %zu bytes, the index says %lu", used,
                                  (unsigned long)e->length);
    else if (!is_of_entry(in, e))
        report = qp_record_report(in->record, QP_D_file_corrupt, QP_CBR_GUID, 16,
                                  "cbl-guid", "the record has another GUID than its entry");
    if (report != NULL)
        report->severity = QP_WARNING; /* nothing is lost */
}

/* Moves the window to the next record and finds its end; false: there is none. */
static bool find_record(qp_reading *in, library *lib, const entry **found, qp_bytes *bytes)
{
    qp_source *source = in->source;
    const entry *e = NULL;
    if (!lib->over && !lib->searching && !find_listed(in, lib, &e) && !lib->searching)
        lib->over = true;
    if (!lib->over && lib->searching && e == NULL)
        find_next(in, lib, &e);
    if (lib->over)
        return false;
    size_t end = e != NULL ? extent(in, lib, e) : search_end(in);
    *bytes = (qp_bytes){.data = (const unsigned char *)source->text, .size = end};
    *found = e;
    return true;
}

/* Passes over the record at the window's start, where there is nothing to say of it. */
static bool pass_record(qp_reading *in, library *lib, const entry *e, const qp_bytes *bytes)
{
    uint32_t plies;
    if (e == NULL || lib->searching || bytes->size > in->limit ||
        qp_cbr_pass(in, bytes, &plies) != e->length || e->length == 0 || !is_of_entry(in, e))
        return false;
    in->passed.games++;
    in->passed.plies += plies;
    lib->at += bytes->size;
    qp_source_next(in->source, bytes->size);
    return true;
}

static qp_status read_new(qp_reading *in, library *lib)
{
    qp_source *source = in->source;
    const entry *e;
    qp_bytes bytes;
    if (!lib->begun) {
        lib->begun = true;
        lib->over = !begin(in, lib);
        if (!lib->over && lib->count == 0 && is_record(source, 0))
            lose_index(in->record, lib);
    }
    do {
        if (!find_record(in, lib, &e, &bytes)) {
            in->used = source->len;
            return QP_END;
        }
    } while (pass_record(in, lib, e, &bytes));
    size_t end = bytes.size;
    if (bytes.size > in->limit) {
        qp_record_report(in->record, QP_D_file_limit, (size_t)in->limit, 0, "record",
                         "the record is longer than %llu bytes: the rest is passed over",
                         (unsigned long long)in->limit);
        in->record->broken = true;
        bytes.size = (size_t)in->limit;
    }
    qp_strings strings;
    qp_strings_init(&strings, in);
    size_t used = qp_cbr_read(in, &strings, &bytes, 0);
    qp_strings_clear(&strings);
    if (e != NULL && !lib->searching)
        check_entry(in, e, used);
    in->encoding = QP_ENC_UTF16LE;
    in->used = end;
    lib->at += end;
    return QP_OK;
}

/* ---- the format ---- */

static unsigned cbl_probe(const qp_probe *probe)
{
    bool new = probe->bytes.len >= QP_CBR_SIGNATURE &&
               memcmp(probe->bytes.data, qp_cbl_signature, QP_CBR_SIGNATURE) == 0;
    return new || qp_cbl_old_is(probe->bytes) ? 90 : 0;
}

static qp_status cbl_read(qp_reading *in)
{
    library *lib = in->state;
    qp_source *source = in->source;
    if (lib == NULL) {
        bool has = qp_source_has(source, 0, QP_CBR_SIGNATURE);
        bool old = qp_cbl_old_is((qp_str){source->text, source->len});
        if (!old &&
            (!has || memcmp(source->text, qp_cbl_signature, QP_CBR_SIGNATURE) != 0))
            return QP_END; /* named with -f, and it is none */
        lib = in->state = calloc(1, sizeof *lib);
        if (lib != NULL && old)
            lib->old = qp_cbl_old_new(in);
        if (lib == NULL || (old && lib->old == NULL))
            return QP_FATAL;
    }
    return lib->old != NULL ? qp_cbl_old_read(in, lib->old) : read_new(in, lib);
}

static void cbl_read_end(qp_reading *in)
{
    library *lib = in->state;
    if (lib == NULL)
        return;
    qp_cbl_old_free(lib->old);
    free(lib->entries);
    free(lib);
    in->state = NULL;
}

const qp_format qp_format_cbl = {
    .name = "cbl",
    .title = "CCBridge library",
    .suffixes = "cbl",
    .binary = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_ROUND | QP_CARRIES_RESULT | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES,
    .probe = cbl_probe,
    .read = cbl_read,
    .read_end = cbl_read_end,
    .write = qp_cbl_write,
    .write_end = qp_cbl_write_end,
    .write_more = qp_cbl_write_more,
};
