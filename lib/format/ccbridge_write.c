/* Writing the record of CCBridge, version 2. The program itself could not be run: what is
 * written follows the records that are known, and other readers read it.
 *
 * A record has a GUID, which the index of a library repeats. It is made from the record's own
 * bytes, so that the same game always gives the same file. */
#include "config.h"

#include "format/ccbridge.h"

enum {
    NODES = 2214,
    RESULT = 2076,
    SIDE = 2112,
    ROUND = 2116,
    BOARD = 2120,
    REPLAY = 2210, /* the state of the program's replay; usually FF FF FF FF */
    LINE_ENDS = 1,
    SIBLING = 2,
    COMMENT = 4,
};

/* ---- text ---- */

static void put_unit(qp_buf *out, uint32_t unit)
{
    qp_put_u16(out, unit & 0xFFFF);
}

/* Text as UTF-16LE with CR LF line ends, whole characters up to max bytes. Returns how much of
 * the text was put. */
static size_t put_utf16(qp_buf *out, qp_str text, size_t max, bool lines)
{
    size_t i = 0, from = out->len;
    while (i < text.len) {
        size_t len;
        uint32_t c = qp_utf8_at(text.data + i, text.len - i, &len);
        bool end = c == '\n' && lines;
        size_t need = c >= 0x10000 || end ? 4 : 2;
        if (out->len - from + need > max || out->failed)
            break;
        if (end)
            put_unit(out, '\r');
        if (c >= 0x10000) {
            put_unit(out, 0xD800 + ((c - 0x10000) >> 10));
            put_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
        } else {
            put_unit(out, c);
        }
        i += len;
    }
    return i;
}

void qp_cbr_put(qp_writing *writing, char *field, size_t size, qp_str text, const char *what)
{
    qp_buf out = {0}, work = {0};
    bool changed;
    text = qp_plain(text, QP_PLAIN_FIRST_MARK, &work, &changed);
    size_t put = put_utf16(&out, text, size - 2, true);
    if (changed && put == text.len)
        qp_writing_loss(writing, "tag-character", 1, NULL,
                        "line ends or a byte order mark of %s are not as they were", what);
    if (put < text.len)
        qp_writing_loss(writing, "tag-length", 1, NULL, "%s is cut to %zu bytes of UTF-16", what,
                        size - 2);
    if (out.len != 0)
        memcpy(field, out.data, out.len);
    if (out.failed || work.failed)
        writing->out->failed = true;
    qp_buf_clear(&out);
    qp_buf_clear(&work);
}

/* ---- the head ---- */

static bool number_of(qp_str text, uint32_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || *number > 99999999)
            return false;
        *number = *number * 10 + (uint32_t)(text.data[i] - '0');
    }
    return text.len != 0;
}

static void put_number(char *head, size_t at, uint32_t number)
{
    for (unsigned i = 0; i < 4; i++)
        head[at + i] = (char)(number >> 8 * i & 0xFF);
}

/* Tags of a library, which says them in its own head. */
static bool is_library_tag(const qp_tag *tag)
{
    for (const qp_cbl_field *field = qp_cbl_fields; field->tag != NULL; field++)
        if (qp_str_is_nocase(tag->name, field->tag))
            return true;
    return false;
}

static void put_tags(qp_writing *writing, const qp_game *game, bool in_library,
                     char *head)
{
    qp_lost_tags lost = {0};
    put_number(head, 2040, 1); /* a game played from its beginning */
    for (size_t i = 0; i < game->tag_count; i++) {
        const qp_tag *tag = &game->tags[i];
        const qp_cbr_field *field = qp_cbr_field_of(tag->name);
        size_t at = field != NULL ? field->at[1] : 0;
        uint32_t number;
        if (qp_writing_said(writing, game, tag) || (in_library && is_library_tag(tag)))
            continue;
        if (qp_str_is(tag->name, "CBR_RecordResult") && number_of(tag->value, &number) &&
            number > QP_RESULT_DRAW && number < 256 && game->result == QP_RESULT_UNKNOWN) {
            head[RESULT] = (char)number;
        } else if (at != 0 && field->size != 0 && head[at] == 0 && head[at + 1] == 0) {
            qp_cbr_put(writing, head + at, field->size, tag->value, field->tag);
        } else if (at != 0 && field->size == 0 && number_of(tag->value, &number)) {
            put_number(head, at, number);
        } else {
            qp_lost_tag(&lost, tag);
        }
    }
    qp_lost_tags_end(&lost, writing, in_library ? "cbl" : "cbr");
}

static void put_start(const qp_game *game, char *head)
{
    static const char kinds[8] = {0, 5, 4, 3, 2, 1, 6, 7}; /* by qp_kind */
    const qp_board *board = &game->start;
    for (unsigned i = 0; i < QP_SQUARES; i++) {
        qp_piece piece = board->at[QP_SQUARE(i % 9, 9 - i / 9)];
        if (piece != 0)
            head[BOARD + i] = (char)((QP_PIECE_SIDE(piece) == QP_RED ? 0x10 : 0x20) |
                                     kinds[QP_PIECE_KIND(piece)]);
    }
    head[SIDE] = board->side == QP_BLACK ? 2 : 1;
    head[ROUND] = (char)(board->round & 0xFF);
    head[ROUND + 1] = (char)(board->round >> 8);
}

/* ---- the moves ---- */

/* A node: its flags and squares, then its comment. */
static void put_node(qp_writing *writing, const qp_game *game, unsigned flags,
                     qp_flagged node, qp_buf *text, qp_buf *out, size_t *joined)
{
    text->len = 0;
    *joined += qp_flagged_comment(game, node.node, writing->main_line, text);
    qp_buf work = {0};
    unsigned without = QP_PLAIN_FIRST_MARK | QP_PLAIN_LAST_LINES; /* readers drop them */
    qp_str comment =
        qp_plain_comment(writing, (qp_str){text->data, text->len}, without, node.node, &work);
    qp_put_u8(out, flags | (comment.len != 0 ? COMMENT : 0u));
    qp_put_u8(out, 0);
    for (unsigned i = 0; i < 2; i++) {
        qp_square square = i == 0 ? QP_FROM(node.node ? node.node->move : 0)
                                  : QP_TO(node.node ? node.node->move : 0);
        unsigned index = (9u - (unsigned)QP_RANK(square)) * 9 + (unsigned)QP_FILE(square);
        qp_put_u8(out, node.node != NULL ? index : 0);
    }
    if (comment.len != 0) {
        size_t at = out->len;
        qp_put_u32(out, 0);
        put_utf16(out, comment, UINT32_MAX / 2, true);
        qp_set_u32(out, at, (uint32_t)(out->len - at - 4));
    }
    qp_buf_clear(&work);
}

static void put_nodes(qp_writing *writing, const qp_game *game, qp_buf *out)
{
    qp_buf stack = {0}, text = {0};
    size_t joined = 0;
    qp_flagged at = qp_flagged_first(game, writing->main_line);
    put_node(writing, game, at.node == NULL ? LINE_ENDS : 0, (qp_flagged){0}, &text, out,
             &joined);
    for (; at.node != NULL; at = qp_flagged_next(at, writing->main_line, &stack))
        put_node(writing, game, (at.has_next ? 0u : LINE_ENDS) | (at.has_sibling ? SIBLING : 0u),
                 at, &text, out, &joined);
    if (joined != 0)
        qp_writing_loss(writing, "comments-joined", joined, NULL,
                        "cbr holds one comment behind each move: %zu were made of several, or "
                        "of one before the move",
                        joined);
    if (stack.failed || text.failed)
        writing->out->failed = true;
    qp_buf_clear(&stack);
    qp_buf_clear(&text);
}

/* ---- the whole ---- */

/* A version 4 GUID from bytes (FNV-1a, twice). */
static void make_guid(const char *data, size_t len, uint32_t number, char *guid)
{
    uint64_t half[2] = {UINT64_C(0xCBF29CE484222325) + number, UINT64_C(0x9AE16A3B2F90404F)};
    for (size_t i = 0; i < len; i++)
        for (unsigned h = 0; h < 2; h++)
            half[h] = (half[h] ^ (unsigned char)data[i]) * UINT64_C(0x100000001B3);
    half[1] ^= half[0] >> 29;
    for (unsigned i = 0; i < 16; i++)
        guid[i] = (char)(half[i / 8] >> 8 * (i % 8) & 0xFF);
    guid[7] = (char)((guid[7] & 0x0F) | 0x40);
    guid[8] = (char)((guid[8] & 0x3F) | 0x80);
}

size_t qp_cbr_write(qp_writing *writing, const qp_game *game, uint32_t number, qp_buf *out)
{
    static const char zeros[NODES];
    size_t start = out->len;
    qp_buf_add(out, zeros, sizeof zeros);
    put_nodes(writing, game, out);
    if (out->failed)
        return 0;
    char *head = out->data + start;
    memcpy(head, qp_cbr_signature, QP_CBR_SIGNATURE);
    head[19] = 2;
    put_tags(writing, game, number != 0, head);
    put_start(game, head);
    qp_writing_side(writing, game);
    if (game->result != QP_RESULT_UNKNOWN)
        head[RESULT] = (char)game->result;
    memset(head + REPLAY, 0xFF, 4);
    make_guid(head, out->len - start, number, head + QP_CBR_GUID);
    return out->len - start;
}
