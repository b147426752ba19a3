/* CCM, two formats of one suffix. 17pk: a head of 12 bytes, then 9 bytes a ply, which name the
 * piece too; known from one file of 100 plies. 中国游戏中心 (chinagames): 7 bytes a ply and no mark;
 * known from three readers that agree on the bytes, and no file. Both may be saved from Black's
 * side of the board. */
#include "config.h"

#include "format/sites.h"

enum { HEAD = 12, PLY = 9, BARE_PLY = 7 };

static bool has_mark(qp_str bytes)
{
    return bytes.len >= 4 && memcmp(bytes.data, "\x01\x00\x12\x00", 4) == 0;
}

/* A ply of 17pk; the piece in *piece. */
static void pk_squares(const qp_bytes *bytes, size_t at, unsigned square[4], qp_piece *piece)
{
    static const qp_kind kinds[8] = {QP_NO_KIND, QP_KING, QP_ADVISOR, QP_ELEPHANT,
                                     QP_HORSE,   QP_ROOK, QP_CANNON,  QP_PAWN};
    unsigned side = qp_bytes_u8(bytes, at + 1), kind = qp_bytes_u8(bytes, at + 2);
    for (unsigned i = 0; i < 4; i++)
        square[i] = qp_bytes_u8(bytes, at + 3 + i);
    *piece = (side == 1 || side == 2) && kind >= 1 && kind <= 7
                 ? QP_PIECE(side == 1 ? QP_RED : QP_BLACK, kinds[kind])
                 : 0;
}

/* A ply without a mark: both columns, then both rows. */
static void bare_squares(const qp_bytes *bytes, size_t at, unsigned square[4])
{
    square[0] = qp_bytes_u8(bytes, at + 3);
    square[1] = qp_bytes_u8(bytes, at + 5);
    square[2] = qp_bytes_u8(bytes, at + 4);
    square[3] = qp_bytes_u8(bytes, at + 6);
}

static bool is_pk(qp_str head)
{
    qp_bytes bytes = {.data = (const unsigned char *)head.data, .size = head.len};
    unsigned square[4];
    qp_piece piece = 0;
    if (!has_mark(head) || head.len < HEAD)
        return false;
    uint32_t count = qp_bytes_u32(&bytes, 8);
    if (count == 0 || head.len < HEAD + PLY)
        return count == 0 && head.len == HEAD;
    pk_squares(&bytes, HEAD, square, &piece);
    return piece != 0 && qp_site_move(square, false) != 0;
}

static bool is_bare(qp_str head)
{
    qp_bytes bytes = {.data = (const unsigned char *)head.data, .size = head.len};
    return head.len != 0 && head.data[0] == 1 &&
           qp_site_is_list(&bytes, 0, BARE_PLY, bare_squares);
}

static unsigned ccm_probe(const qp_probe *probe)
{
    if (is_pk(probe->bytes))
        return 80;
    return probe->suffix == &qp_format_ccm && is_bare(probe->bytes) ? 60 : 0;
}

static void read_pk(qp_reading *in, const qp_bytes *bytes)
{
    qp_record *record = in->record;
    qp_site_line line;
    unsigned square[4];
    qp_piece piece = 0;
    if (!qp_bytes_have(bytes, 0, HEAD)) {
        qp_record_report(record, QP_D_file_truncated, bytes->size, 0, "ccm-head",
                         "the file ends inside its head");
        record->broken = true;
        return;
    }
    qp_site_time(record, qp_bytes_u32(bytes, 4), 4);
    uint32_t count = qp_bytes_u32(bytes, 8);
    bool turned = false;
    for (unsigned i = 0; i < 2 && i < count; i++) { /* Red's first is the first or second */
        pk_squares(bytes, HEAD + i * PLY, square, &piece);
        if (piece != 0 && QP_PIECE_SIDE(piece) == QP_RED) {
            turned = qp_site_turned(square[1]);
            break;
        }
    }
    qp_site_begin(&line, in, turned);
    for (uint32_t i = 0; i < count && !line.broken; i++) {
        size_t at = HEAD + (size_t)i * PLY;
        if (!qp_bytes_have(bytes, at, PLY)) {
            qp_site_broken(&line, QP_D_file_truncated, bytes->size, "ccm-moves",
                           "the file ends");
            return;
        }
        pk_squares(bytes, at, square, &piece);
        qp_site_ply(&line, square, piece, at, PLY);
    }
    qp_site_trailing(&line, bytes, HEAD + (size_t)count * PLY);
}

static void read_bare(qp_reading *in, const qp_bytes *bytes)
{
    qp_site_line line;
    unsigned square[4];
    size_t at = 0;
    bare_squares(bytes, 0, square);
    qp_site_begin(&line, in, qp_site_turned(square[1]));
    for (; !line.broken && qp_bytes_have(bytes, at, BARE_PLY); at += BARE_PLY) {
        bare_squares(bytes, at, square);
        qp_site_ply(&line, square, 0, at, BARE_PLY);
    }
    qp_site_trailing(&line, bytes, at);
}

static qp_status ccm_read(qp_reading *in)
{
    qp_bytes bytes;
    if (in->state != NULL) { /* one record a file */
        in->used = in->source->len;
        return QP_END;
    }
    in->state = in;
    qp_bytes_whole(in, &bytes);
    if (has_mark((qp_str){(const char *)bytes.data, bytes.size}))
        read_pk(in, &bytes);
    else if (bytes.size >= BARE_PLY && bytes.data[0] == 1)
        read_bare(in, &bytes);
    else
        return QP_END;
    return QP_OK;
}

const qp_format qp_format_ccm = {
    .name = "ccm",
    .title = "17pk and chinagames (中国游戏中心)",
    .suffixes = "ccm",
    .experimental = true,
    .binary = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = ccm_probe,
    .read = ccm_read,
};
