/* DhtmlXQ, what stands in a field: text with its escapes, and lists of moves. */
#include "config.h"

#include "format/dhtmlxq.h"

/* ---- values ---- */

static bool ascii_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void qp_dx_trim_ends(const char *text, uint32_t *at, uint32_t *len)
{
    const char *p = text + *at;
    size_t n = *len;
    uint32_t c;
    for (size_t cut; n > 0; p += cut, n -= cut) {
        cut = ascii_blank(*p);
        if (*p == '<' || qp_dhtmlxq_begins(p, n, "&nbsp;"))
            cut = qp_dhtmlxq_escape(p, n, &c);
        if (cut == 0)
            break;
    }
    while (n > 0) {
        size_t cut = ascii_blank(p[n - 1]);
        if (n >= 6 && qp_dhtmlxq_begins(p + n - 6, 6, "&nbsp;"))
            cut = 6;
        for (size_t k = 4; p[n - 1] == '>' && cut == 0 && k <= 8 && k <= n; k++)
            if (p[n - k] == '<' && qp_dhtmlxq_escape(p + n - k, k, &c) == k)
                cut = k;
        if (cut == 0)
            break;
        n -= cut;
    }
    *at = (uint32_t)(p - text);
    *len = (uint32_t)n;
}

static inline bool special(char c)
{
    static const bool is[256] = {['&'] = true, ['\\'] = true, ['%'] = true, ['_'] = true,
                                 ['<'] = true, ['|'] = true,  ['\n'] = true};
    return is[(unsigned char)c];
}

/* How many of n bytes stand before a special one. */
static inline size_t plain_len(const char *p, size_t n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t i = 0;
    unsigned clear = 8;
    for (; n - i >= 8 && clear == 8; i += clear) {
        uint64_t word;
        memcpy(&word, p + i, 8);
        /* Three of them differ in the bits of 0x60 alone, two in the lowest two bits. */
        clear = qp_word_clear(qp_word_equal(word & ones * 0x9F, '<' & 0x9F) |
                              qp_word_equal(word & ones * 0xFC, '%' & 0xFC) |
                              qp_word_equal(word, '_') | qp_word_equal(word, '\n'));
    }
    while (i < n && !special(p[i]))
        i++;
    return i;
}

qp_str qp_dx_value(qp_dx *dx, uint32_t at, uint32_t len, bool comment)
{
    const char *p = dx->text + at;
    size_t i = plain_len(p, len);
    if (i == len)
        return (qp_str){NULL, 0};
    qp_buf *made = &dx->made;
    bool changed = false;
    made->len = 0;
    qp_buf_add(made, p, i);
    while (i < len) {
        uint32_t c;
        size_t escape = special(p[i]) ? qp_dhtmlxq_escape(p + i, len - i, &c) : 0;
        if (comment && p[i] == '|' && i + 1 < len && p[i + 1] == '|') {
            qp_buf_add_char(made, '\n');
            i += 2;
        } else if (p[i] == '<' && escape != 0) {
            /* A line end in the page's source behind <br> is no second one. */
            qp_buf_add_char(made, comment ? '\n' : ' ');
            for (i += escape; i < len && p[i] == ' '; i++)
                ;
            i += i < len && p[i] == '\n';
        } else if (p[i] == '\n' && !comment) {
            qp_buf_add_char(made, ' ');
            while (i < len && ascii_blank(p[i]))
                i++;
        } else if (escape != 0) {
            char utf8[4];
            qp_buf_add(made, utf8, qp_utf8_put(utf8, c));
            i += escape;
        } else {
            qp_buf_add_char(made, p[i++]);
            continue;
        }
        changed = true;
    }
    if (made->failed)
        dx->record->failed = true;
    if (!changed || made->failed)
        return (qp_str){NULL, 0};
    return qp_arena_str(dx->record->arena, made->data, made->len);
}

/* ---- moves ---- */

static inline qp_move move_of(const char *digits, bool from_bottom)
{
    int from_file = digits[0] - '0', to_file = digits[2] - '0';
    int from = digits[1] - '0', to = digits[3] - '0';
    if (from_file > 8 || to_file > 8)
        return 0;
    return from_bottom ? QP_MOVE(QP_SQUARE(from_file, from), QP_SQUARE(to_file, to))
                       : QP_MOVE(QP_SQUARE(from_file, 9 - from), QP_SQUARE(to_file, 9 - to));
}

static inline bool four_digits(const char *p)
{
    return (unsigned)(p[0] - '0') < 10 && (unsigned)(p[1] - '0') < 10 &&
           (unsigned)(p[2] - '0') < 10 && (unsigned)(p[3] - '0') < 10;
}

static inline void add_move(qp_dx *dx, size_t at, size_t end, qp_move move)
{
    if (!QP_DX_ROOM(dx, dx->moves))
        return;
    size_t len = end - at;
    dx->moves.at[dx->moves.count++] =
        (qp_dx_move){(uint32_t)at, (uint16_t)(len > UINT16_MAX ? UINT16_MAX : len), move};
}

size_t qp_dx_filler(const char *p, size_t n)
{
    if (*p == ',' || *p == '|' || *p == '-')
        return 1;
    if (*p == '<') {
        const char *end = memchr(p, '>', n);
        return end ? (size_t)(end - p) + 1 : 1;
    }
    uint32_t c;
    size_t len = *p == '&' ? qp_dhtmlxq_escape(p, n, &c) : 0;
    return len ? len : qp_blank_len(p, n);
}

void qp_dx_moves(qp_dx *dx, qp_dx_line *line, bool from_bottom)
{
    size_t at = line->value_at, end = at + line->value_len;
    const char *p = dx->text;
    line->first = (uint32_t)dx->moves.count;
    while (at < end) {
        if (end - at >= 4 && four_digits(p + at)) { /* nothing else, in most lists */
            add_move(dx, at, at + 4, move_of(p + at, from_bottom));
            at += 4;
            continue;
        }
        char digits[4];
        size_t start = at, stop = at;
        unsigned count = 0;
        bool junk = false;
        while (at < end && count < 4) {
            size_t skip;
            if (p[at] >= '0' && p[at] <= '9') {
                if (count == 0)
                    start = at;
                digits[count++] = p[at++];
                stop = at;
            } else if ((skip = qp_dx_filler(p + at, end - at)) != 0) {
                at += skip;
            } else {
                /* No digit list: all that follows on the word is no move. */
                start = count ? start : at;
                while (at < end && qp_dx_filler(p + at, end - at) == 0)
                    at++;
                stop = at;
                junk = true;
                break;
            }
        }
        if (junk || count > 0)
            add_move(dx, start, stop, count == 4 ? move_of(digits, from_bottom) : 0);
        if (count != 0 && count < 4 && !junk)
            line->cut = count;
    }
    line->count = (uint32_t)dx->moves.count - line->first;
}

/* The moves of eight digits; false: they are none. Each two, a file and a row from the top,
 * become a square within a lane of 16 bits: file + 9 * (9 - row). */
static inline bool two_moves(const char *p, qp_move moves[2])
{
    const unsigned char *d = (const unsigned char *)p;
    const uint64_t lanes = UINT64_C(0x0001000100010001);
    uint64_t x = ((uint64_t)d[0] | (uint64_t)d[1] << 8 | (uint64_t)d[2] << 16 |
                  (uint64_t)d[3] << 24 | (uint64_t)d[4] << 32 | (uint64_t)d[5] << 40 |
                  (uint64_t)d[6] << 48 | (uint64_t)d[7] << 56) -
                 lanes * 0x3030;
    /* Files up to 8, rows up to 9: more carries into a byte's highest bit. */
    if (((x + lanes * 0x7677) | x) & lanes * 0x8080)
        return false;
    uint64_t squares = (x & lanes * 0xFF) + lanes * 81 - 9 * (x >> 8 & lanes * 0xFF);
    uint64_t both = squares << 7 | squares >> 16; /* QP_MOVE in every other lane */
    moves[0] = (qp_move)both;
    moves[1] = (qp_move)(both >> 32);
    return moves[0] != 0 && moves[1] != 0;
}

size_t qp_dx_squares(qp_dx *dx, const char *p, size_t most)
{
    size_t i = 0, n = 0;
    for (qp_move moves[2]; most - i >= 4; i += 8) {
        char last[8];
        if (dx->squares.room - n < 2 &&
            !qp_dx_grow(dx, (void **)&dx->squares.at, &dx->squares.room, dx->squares.room,
                        sizeof *dx->squares.at))
            break;
        if (QP_LIKELY_TO(most - i >= 8) && QP_LIKELY_TO(two_moves(p + i, dx->squares.at + n))) {
            n += 2;
            continue;
        }
        memcpy(last, p + i, 4);
        memcpy(last + 4, last, 4);
        if (two_moves(last, moves))
            dx->squares.at[n++] = moves[0];
        break;
    }
    dx->squares.count = n;
    return 4 * n;
}

bool qp_dx_tell_squares(qp_dx *dx, const qp_dx_line *line)
{
    qp_record *record = dx->record;
    const qp_move *squares = dx->squares.at;
    size_t plies = dx->squares.count;
    bool met = dx->met.count == plies &&
               memcmp(dx->met.at, squares, plies * sizeof *squares) == 0;
    const qp_squares all = {.moves = squares, .step = sizeof *squares, .count = plies,
                            .at = line->value_at, .apart = 4, .len = 4,
                            .known = met ? &dx->met_rounds : NULL};
    if (qp_reading_spare(dx->in, &all))
        return true;
    while (record->event_room < plies)
        if (!qp_record_grow_events(record)) /* the other way says what became of it */
            return false;
    for (size_t i = 0; i < plies; i++)
        record->events[i] =
            (qp_event){.kind = QP_EV_MOVE,
                       .at = line->value_at + (uint32_t)(4 * i),
                       .len = 4,
                       .as.written = {.form = QP_FORM_SQUARES, .move = squares[i]}};
    record->event_count = plies;
    return true;
}

static bool code_char(char c)
{
    return (c >= '1' && c <= '9') || (c >= 'A' && c <= 'W');
}

/* Where the entry begins whose third code character is the next X, Y or Z. */
static size_t next_entry(const char *p, size_t at, size_t len)
{
    for (size_t q = at; q < len; q++)
        if (p[q] >= 'X' && p[q] <= 'Z')
            return q - at >= 6 ? q - 6 : at;
    return len;
}

bool qp_dx_old_moves(qp_dx *dx, uint32_t at, uint32_t len)
{
    /* An entry is four digits, four characters of notation (the third is X, Y or Z) and
     * the number of the entry that it follows, which is its own place where it goes on
     * with the line. Entries count from 1, and comments with them. */
    const char *p = dx->text + at;
    size_t first = 0; /* X, Y or Z; it ends the first entry's notation */
    while (first < 7 && first < len && !(p[first] >= 'X' && p[first] <= 'Z'))
        first++;
    if (len < 9 || first == 7)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!(p[i] >= '0' && p[i] <= '9') && !(p[i] >= 'A' && p[i] <= 'Z'))
            return false;
    qp_dx_line *main = &dx->lines.at[0];
    main->first = (uint32_t)dx->moves.count;
    main->count = 0;
    uint32_t line = 0, entries = 0;
    dx->queue.count = 0; /* of each entry its line and ply */
    for (size_t i = 0; i + 8 < len;) {
        for (size_t k = 0; k < 8; k++)
            if (k < 4 ? !(p[i + k] >= '0' && p[i + k] <= '9')
                      : k != 6 && !code_char(p[i + k]))
                return entries > 0;
        size_t next = next_entry(p, i + 8, len);
        uint64_t follows = 0;
        for (size_t k = i + 8; k < next; k++)
            if (follows < UINT32_MAX)
                follows = follows * 10 + (unsigned)(p[k] - '0');
        if (follows != entries) {
            bool known = follows < entries;
            if (!QP_DX_ROOM(dx, dx->lines))
                return true;
            qp_dx_line *branch = &dx->lines.at[dx->lines.count];
            *branch = (qp_dx_line){.id = (uint32_t)dx->lines.count,
                                   .key_at = at + (uint32_t)i,
                                   .key_len = 8,
                                   .value_at = at + (uint32_t)i,
                                   .value_len = (uint32_t)(next - i),
                                   .parent_id = QP_DX_NONE,
                                   .first = (uint32_t)dx->moves.count};
            if (follows == 0) {
                branch->parent_id = 0;
                branch->n = 1;
            } else if (known) {
                branch->parent_id = dx->queue.at[2 * (follows - 1)];
                branch->n = dx->queue.at[2 * (follows - 1) + 1] + 1;
            }
            line = (uint32_t)dx->lines.count++;
        }
        qp_dx_line *own = &dx->lines.at[line];
        add_move(dx, at + i, at + i + 8, move_of(p + i, false));
        own->count++;
        uint32_t pair[2] = {line, (line ? own->n : 1) + own->count - 1};
        for (int k = 0; k < 2; k++)
            if (QP_DX_ROOM(dx, dx->queue))
                dx->queue.at[dx->queue.count++] = pair[k];
        if (dx->record->failed)
            return true;
        entries++;
        i = next;
    }
    for (size_t i = 0; i < dx->notes.count; i++) {
        qp_dx_note *note = &dx->notes.at[i];
        if (note->line == 0 && note->ply != 0 && note->ply <= entries) {
            note->line = dx->queue.at[2 * (note->ply - 1)];
            note->ply = dx->queue.at[2 * (note->ply - 1) + 1];
        }
    }
    return true;
}
