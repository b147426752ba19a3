/* XGF of the program XieXie, read alone: a few fields, a board, the list of its pieces, and
 * plies of 20 bytes. Facts: one record, in which board and list agree, every ply is legal and
 * the piece captured is always named right; those are therefore asked of any other. */
#include "config.h"

#include "format/binary.h"
#include "format/plies.h"

enum {
    FIELDS_AT = 2,   /* behind the version and the number of fields */
    FIELDS_END = 9,  /* the id behind the last field of text */
    BOARD_AFTER = 11, /* bytes from that id to the board */
    CELLS = 208,     /* a board of 13 by 16 with an edge around it */
    PIECES = 33,     /* numbered from 1, Red's first */
    PLY = 20,
    HEAD = BOARD_AFTER + CELLS + 4 * PIECES + 12, /* from that id to the plies */
};

static const char *const tags[FIELDS_END] = {
    NULL, "Event", "Site", "Date", "Round", "Red", "RedElo", "Black", "BlackElo"};

static const uint8_t kinds[16] = {
    QP_KING, QP_ADVISOR, QP_ADVISOR, QP_ELEPHANT, QP_ELEPHANT, QP_HORSE, QP_HORSE, QP_ROOK,
    QP_ROOK, QP_CANNON,  QP_CANNON,  QP_PAWN,     QP_PAWN,     QP_PAWN,  QP_PAWN,  QP_PAWN,
};

typedef struct xgf {
    qp_reading *reading;
    qp_record *record;
    qp_bytes file;
    uint8_t cells[CELLS]; /* the number of the piece on each */
    size_t board_at, plies_at;
} xgf;

/* Where the fields of text end, 0 where they do not in these bytes. *cut: they might, in a
 * file that goes on. */
static size_t fields_end(qp_str b, bool *cut)
{
    unsigned last = 0;
    *cut = false;
    if (b.len >= 3 && memcmp(b.data, "\x06\x0B\x01", 3) == 0)
        for (size_t at = FIELDS_AT; !*cut;) {
            *cut = b.len - at < 2;
            unsigned id = *cut ? 0 : (unsigned char)b.data[at];
            if (id == FIELDS_END)
                return at;
            if (!*cut && (id <= last || id > FIELDS_END))
                break;
            last = id;
            size_t len = *cut ? 0 : (unsigned char)b.data[at + 1] + 2u;
            *cut = *cut || b.len - at < len;
            at += len;
        }
    return 0;
}

static void broken(xgf *x, qp_code code, size_t at, size_t len, const char *detail,
                   const char *message)
{
    x->record->broken = true;
    qp_record_report(x->record, code, at, len, detail, "%s", message);
}

static void read_fields(xgf *x, size_t end)
{
    qp_strings strings;
    if (x->reading->encoding == QP_ENC_NONE)
        x->reading->encoding = QP_ENC_GB18030;
    qp_strings_init(&strings, x->reading);
    for (size_t at = FIELDS_AT; at < end;) {
        unsigned id = qp_bytes_u8(&x->file, at), len = qp_bytes_u8(&x->file, at + 1);
        if (id < FIELDS_END && len != 0)
            qp_record_tag_made(x->record, qp_str_of(tags[id]),
                               qp_strings_all(&strings, x->file.data + at + 2, len, at + 2),
                               at + 2, len);
        at += 2 + len;
    }
    qp_strings_clear(&strings);
}

/* The square of a cell: the column and the row from the top, 2 added to each. */
static qp_square square_of(unsigned cell)
{
    unsigned column = cell / 16, row = cell % 16;
    return column >= 2 && column <= 10 && row >= 2 && row <= 11
               ? QP_SQUARE(column - 2, 11 - row)
               : QP_NO_SQUARE;
}

/* The board; false where it and the list do not say the same. */
static bool read_board(xgf *x)
{
    qp_board board = {.round = 1};
    size_t list = x->board_at + CELLS;
    for (unsigned cell = 0; cell < CELLS; cell++) {
        unsigned number = x->cells[cell] = (uint8_t)qp_bytes_u8(&x->file, x->board_at + cell);
        qp_square square = square_of(cell);
        if (number == 0)
            continue;
        if (number >= PIECES || square == QP_NO_SQUARE ||
            qp_bytes_u32(&x->file, list + 4 * number) != cell)
            return false;
        board.at[square] = QP_PIECE(number <= 16 ? QP_RED : QP_BLACK, kinds[(number - 1) % 16]);
    }
    for (unsigned number = 1; number < PIECES; number++) {
        uint32_t cell = qp_bytes_u32(&x->file, list + 4 * number);
        if (cell != 0 && (cell >= CELLS || x->cells[cell] != number))
            return false;
    }
    qp_record_board(x->record, &board, false, x->board_at, CELLS);
    return true;
}

static void read_plies(xgf *x)
{
    qp_record *record = x->record;
    size_t at = x->plies_at, limit = qp_node_limit(x->reading);
    uint32_t count = qp_bytes_u32(&x->file, at - 4);
    bool told = false;
    for (uint32_t i = 0; i < count; i++, at += PLY) {
        if (!qp_bytes_have(&x->file, at, PLY)) {
            broken(x, QP_D_file_truncated, at, x->file.size - at, "xgf-plies",
                   "the file ends before its last ply");
            return;
        }
        if (i == limit) {
            broken(x, QP_D_file_limit, at, 0, "nodes", "too many moves in one game");
            return;
        }
        unsigned from = qp_bytes_u16(&x->file, at), to = qp_bytes_u16(&x->file, at + 2);
        qp_square one = square_of(from), other = square_of(to);
        qp_move move = one != QP_NO_SQUARE && other != QP_NO_SQUARE ? QP_MOVE(one, other) : 0;
        if (i == 0)
            qp_record_first_ply(record, move);
        if (move == 0) {
            qp_record_text(record, at, PLY, qp_arena_printf(record->arena, "<%u-%u>", from, to));
            qp_record_bad_move(record, at, PLY);
            continue;
        }
        qp_record_squares(record, at, PLY, move);
        if (qp_bytes_u16(&x->file, at + 4) != x->cells[to] && !told) {
            qp_record_report(record, QP_D_file_corrupt, at + 4, 2, "xgf-captured",
                             "the piece named as captured does not stand there");
            told = true;
        }
        x->cells[to] = x->cells[from];
        x->cells[from] = 0;
    }
    if (at < x->file.size)
        qp_record_report(record, QP_D_trailing_text, at, x->file.size - at, "xgf-plies",
                         "%zu bytes stand behind the end of the game", x->file.size - at);
}

static qp_status xgf_read(qp_reading *reading)
{
    xgf x = {.reading = reading, .record = reading->record};
    bool cut;
    if (reading->state != NULL)
        return QP_END; /* a file holds one game */
    reading->state = reading;
    qp_bytes_whole(reading, &x.file);
    if (x.file.size == 0)
        return QP_END;
    size_t end = fields_end((qp_str){(const char *)x.file.data, x.file.size}, &cut);
    cut |= end != 0 && !qp_bytes_have(&x.file, end, HEAD);
    x.board_at = end + BOARD_AFTER;
    x.plies_at = end + HEAD;
    if (cut)
        qp_record_report(x.record, QP_D_file_truncated, x.file.size, 0, "xgf-head",
                         "the file ends before its moves");
    else if (end == 0)
        qp_record_report(x.record, QP_D_file_corrupt, 0, 2, "xgf-head",
                         "the file does not begin as XGF does");
    else if (!read_board(&x))
        qp_record_report(x.record, QP_D_file_corrupt, x.board_at, CELLS, "xgf-board",
                         "the board and the list of its pieces do not agree");
    else {
        read_fields(&x, end);
        read_plies(&x);
        return QP_OK;
    }
    return QP_END;
}

static unsigned xgf_probe(const qp_probe *probe)
{
    bool cut;
    size_t end = fields_end(probe->bytes, &cut);
    return end != 0 ? 90 : cut ? 60 : 0;
}

const qp_format qp_format_xgf = {
    .name = "xgf",
    .title = "XieXie, one game",
    .suffixes = "xgf",
    .binary = true,
    .experimental = true,
    .single = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_START | QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = xgf_probe,
    .read = xgf_read,
};
