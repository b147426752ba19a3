/* Moves written downwards: the characters of each one under another, the moves side by side from
 * the left or, as of old, from the right; or all characters in one column. */
#include "config.h"

#include "format/marks.h"

enum { HEIGHT = 4, WIDTH = 64, MOVES = 512, LONGEST = 16 };

typedef struct cell {
    uint32_t at;
    uint8_t len;
} cell;

typedef struct found {
    qp_written written[MOVES];
    cell cells[MOVES][HEIGHT];
    unsigned count, blocks;
    size_t end; /* behind the last block */
} found;

/* The characters of a line; how many, WIDTH + 1 where there are more or it holds words. */
static unsigned cells_of(const char *p, size_t from, size_t to, cell cells[WIDTH])
{
    unsigned count = 0;
    for (size_t i = from, used; i < to; i += used) {
        if ((used = qp_blank_len(p + i, to - i)) != 0)
            continue;
        qp_utf8_at(p + i, to - i, &used);
        if (p[i] == '|')
            continue;
        if (count == WIDTH)
            return WIDTH + 1;
        cells[count++] = (cell){(uint32_t)i, (uint8_t)used};
    }
    return count;
}

static size_t line_end(const char *p, size_t at, size_t n)
{
    const char *lf = memchr(p + at, '\n', n - at);
    return lf != NULL ? (size_t)(lf - p) : n;
}

/* A block that begins at `at`: four lines of as many characters, each column a move. Returns
 * where it ends, 0 for none. */
static size_t read_block(const struct qp_lexer *lexer, const char *p, size_t at, size_t n,
                         found *f)
{
    cell cells[HEIGHT][WIDTH];
    unsigned width = 0;
    for (unsigned row = 0; row < HEIGHT;) {
        if (at >= n)
            return 0;
        size_t end = line_end(p, at, n);
        unsigned count = cells_of(p, at, end, cells[row]);
        at = end < n ? end + 1 : end;
        if (count == 0 && row == 0)
            continue;
        if (count == 0 || count > WIDTH || (row != 0 && count != width))
            return 0;
        width = count;
        row++;
    }
    if (f->count + width > MOVES)
        return 0;
    for (unsigned k = 0; k < width; k++) {
        char text[LONGEST];
        size_t len = 0;
        for (unsigned row = 0; row < HEIGHT; row++) {
            const cell *c = &cells[row][k];
            if (len + c->len > sizeof text)
                return 0;
            memcpy(text + len, p + c->at, c->len);
            len += c->len;
            f->cells[f->count + k][row] = *c;
        }
        if (qp_lex_move(lexer, text, len, &f->written[f->count + k]) != len ||
            f->written[f->count + k].form == QP_FORM_COORD)
            return 0;
    }
    f->count += width;
    f->blocks++;
    return at;
}

static unsigned legal(const found *f, const qp_board *start)
{
    qp_board board = *start;
    unsigned plies = 0;
    for (; plies < f->count; plies++) {
        qp_move moves[8];
        unsigned pick;
        if (qp_resolve(&board, &f->written[plies], QP_BASE_ZERO, moves, &pick) != 1)
            break;
        qp_board_play(&board, moves[0]);
    }
    return plies;
}

/* The moves of a block in the other direction. */
static void turn(found *f, unsigned from, unsigned to)
{
    for (unsigned a = from, b = to; a + 1 < b; a++) {
        b--;
        qp_written written = f->written[a];
        cell cells[HEIGHT];
        memcpy(cells, f->cells[a], sizeof cells);
        f->written[a] = f->written[b];
        memcpy(f->cells[a], f->cells[b], sizeof cells);
        f->written[b] = written;
        memcpy(f->cells[b], cells, sizeof cells);
    }
}

/* Reads all blocks from `at` on, in the direction in which they can be played. */
static bool find(const struct qp_lexer *lexer, const qp_board *start, const char *p, size_t at,
                 size_t n, found *f)
{
    enum { LEAST = 4 };
    unsigned starts[MOVES + 1];
    f->count = f->blocks = 0;
    f->end = at;
    do
        starts[f->blocks] = f->count;
    while ((at = read_block(lexer, p, f->end, n, f)) != 0 && (f->end = at) != 0);
    if (f->count < LEAST)
        return false;
    unsigned rightward = legal(f, start);
    if (rightward == f->count)
        return true;
    for (unsigned k = 0; k < f->blocks; k++)
        turn(f, starts[k], starts[k + 1]);
    if (legal(f, start) > rightward)
        return true;
    for (unsigned k = 0; k < f->blocks; k++)
        turn(f, starts[k], starts[k + 1]);
    /* Rows of one side each are sorted out later. */
    return rightward >= LEAST || f->blocks >= 2;
}

bool qp_downward_begins(const struct qp_lexer *lexer, const qp_board *start, const char *p,
                        size_t n)
{
    enum { WINDOW = 4096 };
    found f;
    cell cells[WIDTH];
    /* Most lines are done with here. */
    size_t end = line_end(p, 0, n);
    unsigned used = cells_of(p, 0, end < WINDOW ? end : WINDOW, cells);
    if (used == 0 || used > WIDTH)
        return false;
    size_t len;
    qp_sign sign = qp_lex_sign(lexer, p + cells[0].at, cells[0].len, &len);
    return (sign.kinds != 0 || sign.before != 0) &&
           find(lexer, start, p, 0, n < WINDOW ? n : WINDOW, &f);
}

size_t qp_downward_read(qp_reading *reading, size_t at)
{
    qp_record *record = reading->record;
    const char *p = reading->source->text;
    found f;
    if (!find(reading->lexer, &record->start, p, at, reading->source->len, &f))
        return at;
    for (unsigned k = 0; k < f.count; k++) {
        char text[LONGEST];
        size_t len = 0;
        for (unsigned row = 0; row < HEIGHT; row++) {
            memcpy(text + len, p + f.cells[k][row].at, f.cells[k][row].len);
            len += f.cells[k][row].len;
        }
        const cell *head = &f.cells[k][0];
        qp_record_text(record, head->at, head->len, qp_arena_str(record->arena, text, len));
        qp_record_move(record, head->at, head->len, &f.written[k]);
    }
    record->verbatim = false;
    return f.end;
}
