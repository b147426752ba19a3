/* DhtmlXQ, the meaning of fields: tags, the start position, lines of moves and what is
 * said of plies. */
#include "config.h"

#include "format/dhtmlxq.h"

#include <stdlib.h>

static qp_str span(const qp_dx *dx, uint32_t at, uint32_t len)
{
    return (qp_str){dx->text + at, len};
}

/* ---- keys ---- */

/* A decimal number of at most nine digits; its bytes, 0 for none. */
static size_t number(qp_str text, size_t at, uint32_t *value)
{
    size_t i = at;
    *value = 0;
    for (; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
        if (i - at == 9)
            return 0;
        *value = *value * 10 + (uint32_t)(text.data[i] - '0');
    }
    return i - at;
}

/* P_N_C from `at` to the key's end. */
static bool branch_key(qp_str key, size_t at, uint32_t value[3])
{
    for (int i = 0; i < 3; i++) {
        size_t len = number(key, at, &value[i]);
        at += len;
        if (len == 0 || (i < 2 ? at >= key.len || key.data[at] != '_' : at != key.len))
            return false;
        at++;
    }
    return true;
}

/* N or C_N (some write C-N) from `at` to the key's end. */
static bool ply_key(qp_str key, size_t at, uint32_t *line, uint32_t *ply)
{
    size_t len = number(key, at, ply);
    *line = 0;
    if (len == 0)
        return false;
    at += len;
    if (at == key.len)
        return true;
    if (key.data[at] != '_' && key.data[at] != '-')
        return false;
    *line = *ply;
    at++;
    len = number(key, at, ply);
    return len != 0 && at + len == key.len;
}

static const struct {
    const char *prefix;
    qp_dx_kind kind;
} note_keys[] = {
    {"comment", QP_DX_COMMENT}, {"x_split", QP_DX_SPLIT},
    {"x_before", QP_DX_BEFORE}, {"x_beforesplit", QP_DX_BEFORE_SPLIT},
    {"x_nag", QP_DX_NAG},       {"x_clock", QP_DX_CLOCK},
};

static bool read_note(qp_dx *dx, qp_str key, const qp_dx_field *field)
{
    char first = (char)qp_dhtmlxq_lower(key.data[0]); /* a key is never empty */
    if (first != 'c' && first != 'x' && !field->note)
        return false;
    for (size_t i = 0; i < QP_COUNT(note_keys); i++) {
        qp_dx_note note = {.kind = note_keys[i].kind,
                           .order = (uint32_t)dx->notes.count,
                           .key_at = field->key_at,
                           .key_len = field->key_len,
                           .value_at = field->value_at,
                           .value_len = field->value_len};
        size_t at = field->note ? 0 : strlen(note_keys[i].prefix);
        at += at < key.len && key.data[at] == '_';
        if ((field->note ||
             qp_dhtmlxq_begins(key.data, key.len, note_keys[i].prefix)) &&
            ply_key(key, at, &note.line, &note.ply)) {
            if (QP_DX_ROOM(dx, dx->notes))
                dx->notes.at[dx->notes.count++] = note;
            return true;
        }
    }
    return false;
}

static bool read_line(qp_dx *dx, qp_str key, qp_dx_key number_of, const qp_dx_field *field)
{
    uint32_t value[3] = {0, 1, 0};
    bool known = number_of == QP_DX_KEY_movelist;
    if (!known && qp_dhtmlxq_begins(key.data, key.len, "move_"))
        known = branch_key(key, 5, value);
    else if (!known && field->branch)
        known = branch_key(key, 0, value);
    if (!known)
        return false;
    qp_dx_line line = {.id = value[2],
                       .parent_id = value[0],
                       .n = value[1],
                       .key_at = field->key_at,
                       .key_len = field->key_len,
                       .value_at = field->value_at,
                       .value_len = field->value_len};
    if (value[0] == 0 && value[1] == 1 && value[2] == 0) {
        if (line.value_len != 0)
            dx->lines.at[0] = line;
        return true;
    }
    if (line.id == 0)
        line.id = QP_DX_NONE; /* the main line's: nothing can name this one */
    if (QP_DX_ROOM(dx, dx->lines))
        dx->lines.at[dx->lines.count++] = line;
    return true;
}

/* ---- tags ---- */

/* A key with what tells most others from it; their order is of no matter. */
typedef struct keyed {
    qp_str key;
    uint32_t hash, field;
} keyed;

static uint32_t key_hash(qp_str key)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < key.len; i++)
        hash = (hash ^ (unsigned char)qp_dhtmlxq_lower(key.data[i])) * UINT32_C(0x01000193);
    return hash ^ hash >> 15;
}

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    int order = qp_dhtmlxq_compare(x->key, y->key);
    return order ? order : x->field < y->field ? -1 : 1;
}

static inline bool same_key(qp_str a, qp_str b)
{
    return a.len == b.len && ((a.data[0] ^ b.data[0]) & ~0x20) == 0 &&
           qp_dhtmlxq_compare(a, b) == 0;
}

/* Whether no two of a few fields have the same key. */
static bool all_differ(const qp_dx *dx)
{
    enum { FEW = 40 };
    const qp_dx_field *fields = dx->fields.at;
    size_t n = dx->fields.count, others = 0;
    uint8_t other[FEW]; /* fields of keys that are not known */
    uint64_t seen = 0;
    _Static_assert(QP_DX_KEY_COUNT <= 64, "a bit for each");
    for (size_t i = 0; i < n && n <= FEW; i++) {
        if (fields[i].known != QP_DX_KEY_OTHER) {
            if (seen >> fields[i].known & 1)
                return false;
            seen |= UINT64_C(1) << fields[i].known;
            continue;
        }
        for (size_t k = 0; k < others; k++)
            if (same_key(span(dx, fields[i].key_at, fields[i].key_len),
                         span(dx, fields[other[k]].key_at, fields[other[k]].key_len)))
                return false;
        other[others++] = (uint8_t)i;
    }
    return n <= FEW;
}

/* mark_lost by a table. false: memory ran out, or too many keys come to the same place. */
static bool mark_by_hash(qp_dx *dx)
{
    enum { PROBES = 16 }; /* for each field, on the average */
    size_t n = dx->fields.count, room = 64, probes = PROBES * n;
    qp_dx_field *fields = dx->fields.at;
    while (room < 2 * n)
        room *= 2;
    uint32_t *best = calloc(room, sizeof *best); /* of a key: 1 + the field that counts so far */
    for (size_t i = 0; i < n && best != NULL && probes != 0; i++) {
        qp_str key = span(dx, fields[i].key_at, fields[i].key_len);
        if (qp_dhtmlxq_begins(key.data, key.len, "tag_"))
            continue;
        size_t k = key_hash(key) & (room - 1);
        for (; best[k] != 0 && probes != 0; k = (k + 1) & (room - 1), probes--) {
            const qp_dx_field *other = &fields[best[k] - 1];
            if (qp_dhtmlxq_compare(span(dx, other->key_at, other->key_len), key) == 0)
                break;
        }
        fields[i].lost = best[k] != 0 && fields[i].value_len == 0;
        if (fields[i].lost)
            continue;
        if (best[k] != 0)
            fields[best[k] - 1].lost = true;
        best[k] = (uint32_t)i + 1;
    }
    free(best);
    return best != NULL && probes != 0;
}

/* Of fields with the same key the last one counts that is not empty. Those of tag_NAME
 * are tags that a record may hold more than once. */
static void mark_lost(qp_dx *dx)
{
    if (all_differ(dx) || mark_by_hash(dx))
        return;
    size_t n = dx->fields.count, used = 0;
    keyed *all = n ? malloc(n * sizeof *all) : NULL;
    if (all == NULL) {
        dx->record->failed |= n != 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        qp_str key = span(dx, dx->fields.at[i].key_at, dx->fields.at[i].key_len);
        if (!qp_dhtmlxq_begins(key.data, key.len, "tag_"))
            all[used++] = (keyed){key, key_hash(key), (uint32_t)i};
    }
    qsort(all, used, sizeof *all, by_key);
    for (size_t i = 0, end; i < used; i = end) {
        size_t best = i;
        for (end = i; end < used && all[i].hash == all[end].hash &&
                      qp_dhtmlxq_compare(all[i].key, all[end].key) == 0;
             end++)
            if (dx->fields.at[all[end].field].value_len != 0)
                best = end;
        for (size_t k = i; k < end; k++)
            dx->fields.at[all[k].field].lost = k != best;
    }
    free(all);
}

/* The text of a value, made or not. */
static qp_str text_of(const qp_dx *dx, qp_str made, uint32_t at, uint32_t len)
{
    return made.data ? made : span(dx, at, len);
}

static void read_result(qp_dx *dx, const qp_dx_field *field, qp_record_tag *tag)
{
    qp_record *record = dx->record;
    qp_str text = text_of(dx, tag->made_value, tag->value_at, tag->value_len);
    for (int i = 0; i < 4; i++)
        if (qp_str_is(text, qp_dhtmlxq_results[i])) {
            tag->made_value = qp_str_of(qp_result_text((qp_result)i));
            record->result = (qp_result)i;
            record->has_result = true;
            return;
        }
    if (qp_result_read(record->patterns, text, &record->result))
        record->has_result = text.len != 0;
    else if (text.len == 1 && memchr("WLDwld", *text.data, 6) != NULL)
        qp_record_report(record, QP_D_result_note, field->value_at, field->value_len,
                         "result-side-unknown",
                         "a letter does not say whose result it is");
}

static void read_tag(qp_dx *dx, qp_str key, qp_dx_key known, const qp_dx_field *field)
{
    qp_record_tag tag = {.name_at = field->key_at,
                         .name_len = field->key_len,
                         .value_at = field->value_at,
                         .value_len = field->value_len};
    tag.made_value = qp_dx_value(dx, field->value_at, field->value_len, false);
    tag.made_name = qp_dhtmlxq_tags[known];
    if (tag.made_name.data != NULL) {
        if (known == QP_DX_KEY_result)
            read_result(dx, field, &tag);
    } else if (qp_dhtmlxq_begins(key.data, key.len, "tag_")) {
        tag.name_at += 4;
        tag.name_len -= 4;
        tag.made_name = qp_dx_value(dx, tag.name_at, tag.name_len, false);
    } else {
        tag.made_name =
            qp_arena_printf(dx->record->arena, "DhtmlXQ_%.*s", (int)key.len, key.data);
    }
    qp_record_tag_add(dx->record, tag);
}

/* ---- start position ---- */

/* What stands on each of the 32 places of binit; Black's 16 are the same. */
static const uint8_t slots[16] = {QP_ROOK, QP_HORSE,   QP_ELEPHANT, QP_ADVISOR,
                                  QP_KING, QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
                                  QP_ROOK, QP_CANNON,  QP_CANNON,   QP_PAWN,
                                  QP_PAWN, QP_PAWN,    QP_PAWN,     QP_PAWN};

/* Reads binit; false with a report where it holds no position. */
static bool read_binit(qp_dx *dx, const qp_dx_field *field, qp_board *board)
{
    static const char usual[] = QP_DX_USUAL_BINIT;
    if (field->value_len == sizeof usual - 1 &&
        memcmp(dx->text + field->value_at, usual, sizeof usual - 1) == 0) {
        qp_board_start(board);
        return true;
    }
    char digits[64];
    size_t count = 0, at = field->value_at, end = at + field->value_len, skip;
    bool sound = true;
    memset(board, 0, sizeof *board);
    while (at < end) {
        char c = dx->text[at];
        if (c >= '0' && c <= '9') {
            if (count < sizeof digits)
                digits[count] = c;
            count++;
            at++;
        } else if ((skip = qp_dx_filler(dx->text + at, end - at)) != 0) {
            at += skip;
        } else {
            sound = false;
            at++;
        }
    }
    for (size_t i = 0; sound && count == sizeof digits && i < 32; i++) {
        int file = digits[2 * i] - '0', row = digits[2 * i + 1] - '0';
        if (file == 9 && row == 9)
            continue;
        qp_square square = QP_SQUARE(file, 9 - row);
        if (file > 8 || board->at[square] != 0) {
            sound = false;
            break;
        }
        board->at[square] = QP_PIECE(i < 16 ? QP_RED : QP_BLACK, slots[i % 16]);
    }
    if (sound && count == sizeof digits)
        return true;
    if (count != sizeof digits)
        qp_record_report(dx->record, QP_D_fen_invalid, field->value_at, field->value_len,
                         "binit-slots", "binit holds %zu digits where 64 are needed",
                         count);
    else
        qp_record_report(dx->record, QP_D_fen_invalid, field->value_at, field->value_len,
                         "binit-slots",
                         "binit names a square that is none, or one twice");
    return false;
}

/* The board of a DHJ block: 90 characters, row by row from the top. */
static bool read_squares(qp_dx *dx, const qp_dx_field *field, qp_board *board)
{
    static const char letters[] = ".KABNRCP";
    qp_str value = span(dx, field->value_at, field->value_len);
    memset(board, 0, sizeof *board);
    bool sound = value.len == QP_SQUARES;
    for (int i = 0; sound && i < QP_SQUARES; i++) {
        char c = value.data[i];
        const char *kind = strchr(letters, qp_dhtmlxq_lower(c) - 'a' + 'A');
        if (c == '*')
            continue;
        if (c == '\0' || kind == NULL || c == '.') {
            sound = false;
            break;
        }
        board->at[QP_SQUARE(i % 9, 9 - i / 9)] =
            QP_PIECE(qp_dhtmlxq_lower(c) == c ? QP_BLACK : QP_RED, kind - letters);
    }
    if (!sound)
        qp_record_report(dx->record, QP_D_fen_invalid, field->value_at, field->value_len,
                         "dhj-board", "the board is not 90 squares of pieces");
    return sound;
}

/* Whether every piece of a stands on b too. */
static bool holds(const qp_board *b, const qp_board *a)
{
    bool same = memcmp(a->at, b->at, sizeof a->at) == 0; /* nearly always */
    for (int i = 0; i < QP_SQUARES && !same; i++)
        if (a->at[i] != 0 && a->at[i] != b->at[i])
            return false;
    return true;
}

typedef struct origin {
    const qp_dx_field *binit, *fen, *squares;
    int side; /* -1: not said */
} origin;

/* The start position. binit does not say who moves: that is the owner of the piece that
 * moves first. A fen field (vschess writes it) says that and the counters. */
static void read_start(qp_dx *dx, const origin *from)
{
    qp_record *record = dx->record;
    qp_board usual, board, stated;
    qp_board_start(&usual);
    bool known = false;
    const qp_dx_field *field = from->squares ? from->squares : from->binit;
    if (from->squares != NULL)
        known = read_squares(dx, from->squares, &board);
    else if (from->binit != NULL && from->binit->value_len != 0)
        known = read_binit(dx, from->binit, &board);
    if (from->fen != NULL && from->fen->value_len != 0) {
        const qp_dx_field *fen = from->fen;
        qp_str made = qp_dx_value(dx, fen->value_at, fen->value_len, false);
        qp_str text = text_of(dx, made, fen->value_at, fen->value_len);
        qp_fen_report report;
        qp_fen_read(text, &stated, &report);
        if (!known || (!(report.faults & QP_FEN_UNREADABLE) && holds(&stated, &board))) {
            qp_record_start(record, text, fen->value_at, fen->value_len);
            return;
        }
        qp_record_report(record, QP_D_tag_broken, fen->value_at, fen->value_len,
                         "dhtmlxq-fen-differs", "the fen field and binit disagree");
        qp_record_tag_add(record, (qp_record_tag){.made_name = QP_STR("DhtmlXQ_fen"),
                                                  .value_at = fen->value_at,
                                                  .value_len = fen->value_len,
                                                  .made_value = made});
    }
    if (!known)
        board = usual;
    int side = from->side;
    const qp_dx_line *main = &dx->lines.at[0];
    qp_move first = dx->squares.count != 0 ? dx->squares.at[0]
                    : main->count != 0     ? dx->moves.at[main->first].move
                                           : 0;
    if (side < 0 && first != 0) {
        qp_piece piece = board.at[QP_FROM(first)];
        side = piece ? (int)QP_PIECE_SIDE(piece) : -1;
    }
    if (side != QP_BLACK && memcmp(board.at, usual.at, sizeof board.at) == 0)
        return;
    char fen[QP_FEN_MAX];
    board.side = side == QP_BLACK ? QP_BLACK : QP_RED;
    board.quiet = 0;
    board.round = 1;
    qp_rules_set_kings(&board);
    size_t len = qp_fen_write(&board, fen);
    if (field == NULL)
        field = dx->fields.at;
    qp_record_start(record, (qp_str){fen, len}, field->value_at, field->value_len);
    record->side_given = from->side >= 0;
}

/* ---- the fields of a block ---- */

/* The fields of a DHJ block by their numbers. */
static const struct {
    uint8_t number;
    const char *key;
} dhj_fields[] = {
    {10, "title"},      {11, "event"},       {13, "date"},   {14, "place"},
    {15, "round"},      {16, "table"},       {17, "red"},    {18, "redname"},
    {19, "redlevel"},   {20, "redrating"},   {21, "black"},  {22, "blackname"},
    {23, "blacklevel"}, {24, "blackrating"}, {28, "result"}, {29, "redtime"},
    {30, "blacktime"},  {31, "squares"},     {32, "side"},   {34, "movelist"},
    {36, "open"},       {37, "variation"},   {40, "remark"}, {41, "author"},
    {42, "record"},
};

static qp_str dhj_key(qp_str key)
{
    uint32_t value;
    if (number(key, 0, &value) == key.len)
        for (size_t i = 0; i < QP_COUNT(dhj_fields); i++)
            if (dhj_fields[i].number == value)
                return qp_str_of(dhj_fields[i].key);
    return key;
}

/* Whether a field holds the result that stands beside the tags. */
static bool is_beside(const qp_dx *dx, const qp_dx_field *field)
{
    return field->known == QP_DX_KEY_x_result &&
           qp_str_is(span(dx, field->key_at, field->key_len), "x_result");
}

void qp_dx_fields(qp_dx *dx, bool dhj)
{
    origin from = {.side = -1};
    mark_lost(dx);
    bool beside = false; /* the result stands beside the tags */
    const qp_dx_field *end = dx->fields.at + dx->fields.count;
    for (const qp_dx_field *field = dx->fields.at; field < end; field++)
        beside |= is_beside(dx, field);
    for (const qp_dx_field *field = dx->fields.at; field < end; field++) {
        qp_str key = span(dx, field->key_at, field->key_len);
        qp_str value = span(dx, field->value_at, field->value_len);
        qp_dx_key known = (qp_dx_key)field->known;
        if (dhj) {
            key = dhj_key(key);
            known = qp_dhtmlxq_known(key);
        }
        if (field->lost || is_beside(dx, field))
            continue;
        if (known == QP_DX_KEY_binit || known == QP_DX_KEY_init_board) {
            from.binit = field;
        } else if (known == QP_DX_KEY_fen) {
            from.fen = field;
        } else if (dhj && qp_str_is(key, "squares")) {
            from.squares = field;
        } else if (dhj && qp_str_is(key, "side")) {
            from.side = qp_str_is(value, "1") ? QP_BLACK : QP_RED;
        } else if (beside && known == QP_DX_KEY_result) {
            qp_record_tag unused = {.value_at = field->value_at,
                                    .value_len = field->value_len,
                                    .made_value = qp_dx_value(dx, field->value_at,
                                                              field->value_len, false)};
            read_result(dx, field, &unused);
        } else if (qp_dhtmlxq_tags[known].data != NULL ||
                   (!read_line(dx, key, known, field) && !read_note(dx, key, field))) {
            read_tag(dx, key, known, field);
        }
    }
    qp_dx_line *main = &dx->lines.at[0];
    bool plain = !dhj && dx->lines.count == 1 && dx->notes.count == 0 &&
                 dx->record->event_count == 0 && main->value_len != 0 &&
                 qp_dx_squares(dx, dx->text + main->value_at, main->value_len) == main->value_len;
    if (!plain)
        dx->squares.count = 0;
    if (!plain && !qp_dx_old_moves(dx, main->value_at, main->value_len))
        qp_dx_moves(dx, main, dhj);
    for (size_t i = 1; i < dx->lines.count; i++)
        if (dx->lines.at[i].count == 0)
            qp_dx_moves(dx, &dx->lines.at[i], dhj);
    read_start(dx, &from);
    dx->told = plain && qp_dx_tell_squares(dx, main);
    if (plain && !dx->told)
        qp_dx_moves(dx, main, dhj);
}
