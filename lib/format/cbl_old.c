/* CBL, version 2.1, the old library of CCBridge: a head of 20 bytes, then one stream of data,
 * as it is or compressed by zlib. In it strings with their lengths (GBK, `||` for a line end),
 * and games whose moves are records that name their ply: one that goes back to an earlier ply
 * begins a variation there. Known from one library of 256 games.
 *
 * The stream is unpacked game by game, never past the size that the head promises. */
#include "config.h"

#include "format/ccbridge.h"
#include "format/plies.h"

#include <stdlib.h>
#if HAVE_ZLIB
#include "format/zlib_library.h"
#endif

enum {
    HEAD = 20,
    STAMP = 19,         /* bytes of a date and time */
    MOVE = 6,           /* bytes of one */
    CHUNK = 64 * 1024,  /* bytes that are unpacked at a time */
};
/* More than any library has; a small file could promise 4 GiB of zeros. */
#define UNPACKED_MAX ((uint32_t)1 << 30)

struct qp_cbl_old {
    qp_buf data;       /* the stream's bytes in hand */
    size_t at;         /* of them taken */
    size_t source_at;  /* bytes of the source's window that were taken */
    uint64_t passed;   /* bytes of the stream before data */
    uint32_t promised; /* bytes of the stream, as the head says */
    uint32_t games, next;
    qp_encoding named; /* by the user */
    bool packed, begun, over, ended, damaged;
#if HAVE_ZLIB
    qp_zlib_library library; /* where it is packed */
    z_stream zlib;
#endif
    qp_plies *plies;
    uint32_t *path; /* the ply at each depth of the line in hand */
    size_t path_room;
};

bool qp_cbl_old_is(qp_str head)
{
    static const char mark[12] = {'C', 'C', 'B', 'r', 'i', 'd', 'g', 'e', 21, 0, 0, 0};
    return head.len >= sizeof mark && memcmp(head.data, mark, sizeof mark) == 0;
}

qp_cbl_old *qp_cbl_old_new(qp_reading *in)
{
    qp_cbl_old *old = calloc(1, sizeof *old);
    if (old == NULL)
        return NULL;
    old->named = in->encoding;
    old->plies = qp_plies_new();
    if (old->plies == NULL) {
        free(old);
        return NULL;
    }
    return old;
}

void qp_cbl_old_free(qp_cbl_old *old)
{
    if (old == NULL)
        return;
#if HAVE_ZLIB
    if (old->packed)
        old->library.inflateEnd(&old->zlib);
#endif
    qp_plies_free(old->plies);
    qp_buf_clear(&old->data);
    free(old->path);
    free(old);
}

/* ---- the stream ---- */

static void damage(qp_reading *in, qp_cbl_old *old, qp_code code, const char *detail,
                   const char *what)
{
    if (!old->damaged)
        qp_record_report(in->record, code, old->packed ? 0 : old->source_at, 0, detail,
                         "%s, near byte %llu of the data", what,
                         (unsigned long long)(old->passed + old->at));
    old->damaged = true;
    in->record->broken = true;
}

#if HAVE_ZLIB
/* Unpacks some more. false: there is no more, or it cannot be unpacked. */
static bool unpack(qp_reading *in, qp_cbl_old *old)
{
    qp_source *source = in->source;
    uint64_t had = old->passed + old->data.len;
    size_t want = old->promised > had ? old->promised - (size_t)had : 0;
    want = want < CHUNK ? want : CHUNK;
    if (want == 0 || old->ended || old->damaged || !qp_buf_reserve(&old->data, want))
        return false;
    if (source->len == old->source_at && !qp_source_more(source)) {
        damage(in, old, QP_D_file_truncated, "cbl-zlib",
               "the file ends inside the compressed data");
        return false;
    }
    size_t left = source->len - old->source_at;
    old->zlib.next_in = (Bytef *)source->text + old->source_at;
    old->zlib.avail_in = left < UINT32_MAX / 2 ? (uInt)left : UINT32_MAX / 2;
    old->zlib.next_out = (Bytef *)old->data.data + old->data.len;
    old->zlib.avail_out = (uInt)want;
    uInt before = old->zlib.avail_in;
    int status = old->library.inflate(&old->zlib, Z_NO_FLUSH);
    old->source_at += before - old->zlib.avail_in;
    old->data.len += want - old->zlib.avail_out;
    old->ended = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        damage(in, old, QP_D_file_corrupt, "cbl-zlib", "the compressed data are damaged");
    return true;
}
#endif

/* Brings some more of the stream; no more than is wanted where it is the file's own text, so
 * that the window always begins where a game does. */
static bool more(qp_reading *in, qp_cbl_old *old, size_t want)
{
    qp_source *source = in->source;
#if HAVE_ZLIB
    if (old->packed)
        return unpack(in, old);
#endif
    if (source->len == old->source_at && !qp_source_more(source))
        return false;
    size_t left = source->len - old->source_at;
    left = left < want ? left : want;
    qp_buf_add(&old->data, source->text + old->source_at, left);
    old->source_at += left;
    return !old->data.failed;
}

/* Whether count bytes stand in hand; brings them. */
static bool need(qp_reading *in, qp_cbl_old *old, size_t count)
{
    while (old->data.len - old->at < count)
        if (!more(in, old, count - (old->data.len - old->at)))
            return false;
    return true;
}

/* Drops what was taken, where that is worth moving the rest. */
static void forget(qp_cbl_old *old)
{
    if (old->at < CHUNK && old->at != old->data.len)
        return;
    if (old->at == 0)
        return;
    memmove(old->data.data, old->data.data + old->at, old->data.len - old->at);
    old->data.len -= old->at;
    old->passed += old->at;
    old->at = 0;
}

/* ---- strings ---- */

/* What a game or the head is read with: bounded bytes, and where the first of them stands in
 * the source's text, unless the stream is packed. */
typedef struct part {
    qp_reading *in;
    qp_strings *strings;
    qp_bytes bytes;
    bool placed;
    size_t text_at;
} part;

static size_t place(const part *p, size_t at)
{
    return p->placed ? p->text_at + at : 0;
}

/* In place: `||` is a line end. */
static qp_str with_lines(qp_str text)
{
    char *data = (char *)text.data; /* made in the arena just now */
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool end = data[i] == '|' && i + 1 < text.len && data[i + 1] == '|';
        data[len++] = end ? '\n' : data[i];
        i += end;
    }
    while (len != 0 && data[len - 1] == '\n')
        len--;
    return (qp_str){data, len};
}

static qp_str text_at(part *p, size_t at, size_t len)
{
    qp_str text = qp_strings_get(p->strings, p->bytes.data + at, len, place(p, at));
    return text.len == 0 ? text : with_lines(text);
}

/* A string of a fixed length (tag NULL: passed over) or, with len 0, one that tells it. */
static qp_str take_text(part *p, size_t len, const char *tag)
{
    if (len == 0)
        len = qp_bytes_take_u32(&p->bytes);
    size_t at = p->bytes.at;
    if (qp_bytes_take(&p->bytes, len) == NULL)
        return (qp_str){"", 0};
    qp_str text = text_at(p, at, len);
    if (tag != NULL && qp_str_trim(text).len != 0)
        qp_record_tag_made(p->in->record, qp_str_of(tag), qp_str_trim(text), place(p, at),
                           len);
    return text;
}

/* ---- the head ---- */

/* One string of the library's head: brings it and all before it into hand. */
static bool need_text(qp_reading *in, qp_cbl_old *old, size_t *end)
{
    if (!need(in, old, *end + 4))
        return false;
    qp_bytes bytes = {.data = (const unsigned char *)old->data.data, .size = old->data.len};
    uint32_t len = qp_bytes_u32(&bytes, *end);
    *end += 4;
    if (len > in->limit || !need(in, old, *end + len))
        return false;
    *end += len;
    return true;
}

static bool read_library(qp_reading *in, qp_cbl_old *old, qp_strings *strings)
{
    static const char *const tags[] = {"CBR_Library", "CBR_LibraryFrom", NULL,
                                       "CBR_LibraryCreator", "CBR_LibraryCreatorURL"};
    size_t end = 0;
    for (size_t i = 0; i < QP_COUNT(tags); i++)
        if (!need_text(in, old, &end))
            return false;
    end += 2 * STAMP + 4;
    if (!need_text(in, old, &end))
        return false;
    part p = {.in = in,
              .strings = strings,
              .bytes = {.data = (const unsigned char *)old->data.data, .size = end},
              .placed = !old->packed,
              .text_at = HEAD};
    for (size_t i = 0; i < QP_COUNT(tags); i++)
        take_text(&p, 0, tags[i]);
    take_text(&p, STAMP, "CBR_LibraryCreated");
    take_text(&p, STAMP, "CBR_LibraryModified");
    old->games = qp_bytes_take_u32(&p.bytes);
    take_text(&p, 0, "CBR_LibraryRemarks");
    old->at = end;
    return true;
}

static bool begin(qp_reading *in, qp_cbl_old *old, qp_strings *strings)
{
    qp_source *source = in->source;
    if (!qp_source_has(source, 0, HEAD)) {
        qp_record_report(in->record, QP_D_file_truncated, source->len, 0, "cbl-head",
                         "the library ends inside its head");
        return false;
    }
    qp_bytes head = {.data = (const unsigned char *)source->text, .size = HEAD};
    bool packed = qp_bytes_u32(&head, 12) != 0;
    old->promised = qp_bytes_u32(&head, 16);
    old->source_at = HEAD;
    if (packed && old->promised > UNPACKED_MAX) {
        qp_record_report(in->record, QP_D_file_limit, 16, 4, "cbl-size",
                         "the library would have %lu bytes; %lu are unpacked",
                         (unsigned long)old->promised, (unsigned long)UNPACKED_MAX);
        old->promised = UNPACKED_MAX;
    }
#if HAVE_ZLIB
    bool there = !packed || qp_zlib_library_get(&old->library);
    old->packed = packed && there &&
                  old->library.inflateInit_(&old->zlib, ZLIB_VERSION, sizeof old->zlib) == Z_OK;
#else
    bool there = !packed;
#endif
    if (!there) {
        qp_record_report(in->record, QP_D_format_unsupported, 12, 4, "cbl-zlib",
                         "a compressed library; this qipu is without zlib");
        return false;
    }
    if (packed && !old->packed) {
        in->record->failed = true;
        return false;
    }
    if (!read_library(in, old, strings)) {
        damage(in, old, QP_D_file_truncated, "cbl-head", "the library's head is not whole");
        return false;
    }
    return true;
}

/* ---- a game ---- */

/* 32 squares: Red's R N B A K A B N R C C and five pawns, then Black's; 0: not there. */
static void read_board(part *p)
{
    static const uint8_t kinds[16] = {QP_ROOK, QP_HORSE,   QP_ELEPHANT, QP_ADVISOR,
                                      QP_KING, QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
                                      QP_ROOK, QP_CANNON,  QP_CANNON,   QP_PAWN,
                                      QP_PAWN, QP_PAWN,    QP_PAWN,     QP_PAWN};
    qp_board board = {.round = 1};
    size_t at = p->bytes.at, lost = 0;
    const unsigned char *pieces = qp_bytes_take(&p->bytes, 32);
    for (unsigned i = 0; pieces != NULL && i < 32; i++) {
        unsigned x = (unsigned)(pieces[i] >> 4) - 1, row = (pieces[i] & 15u) - 1;
        if (pieces[i] == 0)
            continue;
        if (x > 8 || row > 9 || board.at[QP_SQUARE(x, 9 - row)] != 0) {
            lost++;
            continue;
        }
        board.at[QP_SQUARE(x, 9 - row)] =
            QP_PIECE(i < 16 ? QP_RED : QP_BLACK, kinds[i % 16]);
    }
    qp_record_board(p->in->record, &board, false, place(p, at), p->placed ? 32 : 0);
    if (lost != 0)
        qp_record_report(p->in->record, QP_D_file_corrupt, place(p, at), 0, "cbl-pieces",
                         "%zu pieces stand on no square, or on that of another", lost);
}

static bool path_room(qp_cbl_old *old, size_t depth)
{
    if (depth < old->path_room)
        return true;
    size_t room = old->path_room ? old->path_room * 2 : 256;
    uint32_t *grown = realloc(old->path, room * sizeof *grown);
    if (grown == NULL)
        return false;
    old->path = grown;
    old->path_room = room;
    return true;
}

/* The square of a byte: column, row from the top. */
static qp_square square_of(unsigned byte)
{
    unsigned x = byte >> 4, row = byte & 15;
    return x > 8 || row > 9 ? QP_NO_SQUARE : QP_SQUARE(x, 9 - row);
}

/* The moves, then a comment for each, ended by CR LF. */
static void read_moves(part *p, qp_cbl_old *old)
{
    qp_record *record = p->in->record;
    uint32_t count = qp_bytes_take_u32(&p->bytes), made = 0;
    size_t moves_at = p->bytes.at, depth = 0;
    size_t room = p->bytes.size > moves_at ? (p->bytes.size - moves_at) / MOVE : 0;
    uint64_t limit = qp_context_limit(p->in->context, QP_LIMIT_NODES);
    if (count > room)
        damage(p->in, old, QP_D_file_truncated, "cbl-moves", "the moves are not whole");
    uint32_t whole = count < room ? count : (uint32_t)room;
    whole = whole < limit ? whole : (uint32_t)limit + 1; /* which replay reports */
    qp_plies_rewind(old->plies);
    for (; made < whole; made++) {
        size_t at = moves_at + (size_t)made * MOVE;
        unsigned ply = qp_bytes_u16(&p->bytes, at);
        qp_square from = square_of(qp_bytes_u8(&p->bytes, at + 2));
        qp_square to = square_of(qp_bytes_u8(&p->bytes, at + 3));
        if (ply == 0 || ply > depth + 1 || from == QP_NO_SQUARE || to == QP_NO_SQUARE) {
            damage(p->in, old, QP_D_file_corrupt, "cbl-move",
                   "what stands is no move: the moves end here");
            break;
        }
        if (!path_room(old, ply))
            record->failed = true;
        uint32_t index = record->failed ? 0
                                        : qp_plies_add(old->plies,
                                                       ply == 1 ? 0 : old->path[ply - 1],
                                                       QP_MOVE(from, to), place(p, at),
                                                       p->placed ? MOVE : 0);
        if (index == 0) {
            record->failed = true;
            return;
        }
        old->path[ply] = index;
        depth = ply;
    }
    p->bytes.at = count <= room ? moves_at + (size_t)count * MOVE : p->bytes.size;
    for (uint32_t i = 1; i <= count && p->bytes.at < p->bytes.size; i++) {
        size_t at = p->bytes.at, end = at;
        const unsigned char *data = p->bytes.data;
        while (end + 1 < p->bytes.size && (data[end] != '\r' || data[end + 1] != '\n'))
            end++;
        bool ends = end + 1 < p->bytes.size;
        if (!ends)
            end = p->bytes.size;
        p->bytes.at = ends ? end + 2 : end;
        if (i <= made && end > at) /* one line end alone is one, as the program counts */
            qp_plies_comment(old->plies, i, text_at(p, at, end - at), place(p, at), 0);
        if (!ends || (i < count && p->bytes.at == p->bytes.size)) {
            damage(p->in, old, QP_D_file_truncated, "cbl-comments",
                   "the comments are not whole");
            break;
        }
    }
}

static void read_game(part *p, qp_cbl_old *old)
{
    static const char *const names[] = {"Title", "CBR_From", "CBR_Other", "Site",
                                        "Date",  "Red",      "Black"};
    static const char *const people[] = {"Annotator", "CBR_CommentatorURL", "CBR_Recorder",
                                         "CBR_RecorderURL"};
    qp_record *record = p->in->record;
    read_board(p);
    uint32_t type = qp_bytes_take_u32(&p->bytes);
    if (!p->bytes.failed && type != 1)
        qp_record_tag_made(record, QP_STR("CBR_RecordType"),
                           qp_arena_printf(record->arena, "%lu", (unsigned long)type),
                           place(p, p->bytes.at - 4), 0);
    take_text(p, 0, "Event");
    uint32_t round = qp_bytes_take_u32(&p->bytes);
    for (size_t i = 0; i < QP_COUNT(names); i++)
        take_text(p, 0, names[i]);
    uint32_t result = qp_bytes_take_u32(&p->bytes);
    if (result <= QP_RESULT_DRAW)
        record->result = (qp_result)result;
    record->has_result = record->result != QP_RESULT_UNKNOWN;
    for (size_t i = 0; i < QP_COUNT(people); i++)
        take_text(p, 0, people[i]);
    size_t about_at = p->bytes.at;
    qp_str about = take_text(p, 0, NULL);
    bool has_about = p->bytes.at > about_at + 4;
    unsigned first = qp_bytes_take_u8(&p->bytes);
    if (!p->bytes.failed && first < 2) {
        qp_board board = record->start;
        board.side = first == 1 ? QP_RED : QP_BLACK;
        record->has_start |= first != 1;
        record->start.side = board.side;
        record->side_given = true;
    }
    if (round > 1 && round <= UINT16_MAX) {
        record->start.round = (uint16_t)round;
        record->has_start = true;
    }
    take_text(p, STAMP, "CBR_DateCreated");
    take_text(p, STAMP, "CBR_DateModified");
    if (p->bytes.failed) {
        damage(p->in, old, QP_D_file_truncated, "cbl-game", "the head of a game is not whole");
        return;
    }
    read_moves(p, old);
    if (has_about)
        qp_plies_comment(old->plies, 0, about, place(p, about_at), 0);
    qp_plies_tell(old->plies, record);
}

/* The block of a game. It tells its own size, which is where the next one begins. */
static void read_block(qp_reading *in, qp_cbl_old *old, qp_strings *strings)
{
    qp_bytes head = {.data = (const unsigned char *)old->data.data, .size = old->data.len};
    uint32_t size = qp_bytes_u32(&head, old->at);
    bool fits = size >= 4 && size <= in->limit && need(in, old, size);
    if (!fits && (size < 4 || size > in->limit)) {
        damage(in, old, QP_D_file_corrupt, "cbl-size",
               "a game of an impossible size ends the library");
        old->over = true;
        return;
    }
    if (!fits) {
        damage(in, old, QP_D_file_truncated, "cbl-game", "the data end inside a game");
        old->over = true;
        size = (uint32_t)(old->data.len - old->at);
    }
    part p = {.in = in,
              .strings = strings,
              .bytes = {.data = (const unsigned char *)old->data.data + old->at,
                        .size = size,
                        .at = 4},
              .placed = !old->packed,
              .text_at = old->source_at - (old->data.len - old->at)};
    read_game(&p, old);
    if (fits && !old->damaged && p.bytes.at != size) {
        qp_report *report = qp_record_report(
            in->record, QP_D_file_corrupt, place(&p, 0), 0, "cbl-size",
            "the game says that it has %lu bytes and has %zu", (unsigned long)size,
            p.bytes.at);
        if (report != NULL)
            report->severity = QP_WARNING; /* nothing is lost */
    }
    old->at += size;
}

qp_status qp_cbl_old_read(qp_reading *in, qp_cbl_old *old)
{
    qp_strings strings;
    in->encoding = old->named;
    qp_strings_init(&strings, in);
    /* What was taken of the source is behind the window since the last call. */
    old->source_at = old->begun ? 0 : old->source_at;
    forget(old);
    if (!old->begun) {
        old->begun = true;
        old->over = !begin(in, old, &strings);
        forget(old);
    }
    qp_status status = QP_END;
    if (!old->over && old->next < old->games) {
        old->next++;
        old->damaged = false;
        if (need(in, old, 4)) {
            read_block(in, old, &strings);
            status = QP_OK;
        } else {
            damage(in, old, QP_D_file_truncated, "cbl-game",
                   "the data end before a game that is promised");
            old->over = true;
        }
    }
    in->encoding = old->named != QP_ENC_NONE ? old->named : strings.last;
    qp_strings_clear(&strings);
    if (old->data.failed)
        in->record->failed = true;
    in->used = status == QP_END ? in->source->len : old->source_at;
    return status;
}
