/* CBR, a record of 象棋桥 (CCBridge) in a file of its own. See ccbridge.c. */
#include "config.h"

#include "format/ccbridge.h"

static unsigned cbr_probe(const qp_probe *probe)
{
    return probe->bytes.len >= QP_CBR_SIGNATURE &&
                   memcmp(probe->bytes.data, qp_cbr_signature, QP_CBR_SIGNATURE) == 0
               ? 90
               : 0;
}

/* Zeros behind the moves are the padding of a library that the record was cut from. */
static bool has_rest(const qp_bytes *bytes, size_t at)
{
    size_t end = bytes->size;
    while (end > at && bytes->data[end - 1] == 0)
        end--;
    return end > at;
}

static void tell_rest(qp_record *record, const qp_bytes *bytes, size_t at)
{
    if (has_rest(bytes, at))
        qp_record_report(record, QP_D_trailing_text, at, bytes->size - at, "trailing-bytes",
                         "%zu bytes behind the last move belong to nothing",
                         bytes->size - at);
}

static qp_status cbr_read(qp_reading *in)
{
    qp_bytes bytes;
    if (in->state != NULL) { /* one record a file */
        in->used = in->source->len;
        return QP_END;
    }
    in->state = in;
    bool whole = qp_bytes_whole(in, &bytes);
    if (bytes.size < QP_CBR_SIGNATURE ||
        memcmp(bytes.data, qp_cbr_signature, QP_CBR_SIGNATURE) != 0)
        return QP_END; /* named with -f, and it is none */
    uint32_t plies;
    size_t passed = whole ? qp_cbr_pass(in, &bytes, &plies) : 0;
    if (passed != 0 && !has_rest(&bytes, passed)) {
        in->passed = (qp_skipped){.games = 1, .plies = plies};
        return QP_END;
    }
    qp_strings strings;
    qp_strings_init(&strings, in);
    size_t used = qp_cbr_read(in, &strings, &bytes, 0);
    if (whole)
        tell_rest(in->record, &bytes, used);
    qp_strings_clear(&strings);
    in->encoding = QP_ENC_UTF16LE;
    return QP_OK;
}

static void cbr_write(qp_writing *writing, const qp_game *game)
{
    qp_cbr_write(writing, game, 0, writing->out);
}

const qp_format qp_format_cbr = {
    .name = "cbr",
    .title = "CCBridge record",
    .suffixes = "cbr",
    .binary = true,
    .single = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_ROUND | QP_CARRIES_RESULT | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES,
    .probe = cbr_probe,
    .read = cbr_read,
    .write = cbr_write,
};
