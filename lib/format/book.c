/* Opening books as text, a ply a line: its number in five columns, two squares as four
 * digits (file and rank from Red's left and the top), the move in Chinese, a comment;
 * `||` is a line break. A number that falls goes back to that ply: another move instead
 * of it. Known from the books of one program and its page on them (开局库格式说明).
 *
 *         17747炮二平五
 *         27062马８进７    a comment
 *         00000            ends a book; below it how often it was played, won, the share
 */
#include "config.h"

#include "format/plies.h"

#include <stdlib.h>

enum { NUMBER_LEN = 5, SQUARES_LEN = 4, HEAD_LEN = NUMBER_LEN + SQUARES_LEN };

typedef struct book {
    qp_plies *plies;
    uint32_t *path; /* [n]: the ply with number n in the line at hand */
    size_t room;
} book;

/* Whether a line begins with a number and two squares, or ends a book (number 0). */
static bool line_head(const char *p, size_t n, uint32_t *number, qp_move *move)
{
    bool digits = false;
    int v[SQUARES_LEN];
    *number = 0;
    if (n < HEAD_LEN)
        return false;
    for (size_t i = 0; i < NUMBER_LEN; i++) {
        if (p[i] >= '0' && p[i] <= '9') {
            *number = *number * 10 + (uint32_t)(p[i] - '0');
            digits = true;
        } else if (p[i] != ' ' || digits) {
            return false;
        }
    }
    for (size_t i = 0; i < SQUARES_LEN; i++) {
        v[i] = p[NUMBER_LEN + i] - '0';
        if (v[i] < 0 || v[i] > 9)
            return false;
    }
    if (!digits || v[0] > 8 || v[2] > 8)
        return false;
    *move = QP_MOVE(QP_SQUARE(v[0], 9 - v[1]), QP_SQUARE(v[2], 9 - v[3]));
    return *number != 0 || (v[0] | v[1] | v[2] | v[3]) == 0;
}

static unsigned book_probe(const qp_probe *probe)
{
    const char *p = probe->text.data, *end = p + probe->text.len;
    unsigned lines = 0;
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((lf ? lf : end) - p);
        uint32_t number;
        qp_move move;
        if (n != 0 && lf != NULL) {
            if (!line_head(p, n, &number, &move))
                return lines > 1 ? 60 : 0;
            if (++lines == 1 && (number != 1 || n == HEAD_LEN))
                return 0;
        }
        p += n + 1;
    }
    return lines > 1 ? 90 : lines != 0 ? 60 : 0;
}

static bool set_path(book *b, uint32_t number, uint32_t ply)
{
    if (number >= b->room) {
        size_t room = b->room ? b->room : 128;
        while (room <= number)
            room *= 2;
        uint32_t *grown = realloc(b->path, room * sizeof *grown);
        if (grown == NULL)
            return false;
        b->path = grown;
        b->room = room;
    }
    b->path[number] = ply;
    return true;
}

/* What stands behind the move; || becomes a line break. */
static void read_comment(qp_reading *in, book *b, uint32_t ply, size_t at, size_t end)
{
    const char *text = in->source->text;
    qp_str comment = qp_str_trim((qp_str){text + at, end - at}), made = {0};
    if (comment.len == 0)
        return;
    at = (size_t)(comment.data - text);
    for (size_t i = 0; i + 1 < comment.len; i++) {
        if (comment.data[i] != '|' || comment.data[i + 1] != '|')
            continue;
        qp_str copy = qp_arena_str(in->record->arena, comment.data, comment.len);
        char *to = (char *)copy.data;
        for (size_t from = 0; from < copy.len; from++) {
            bool pair = comment.data[from] == '|' && from + 1 < copy.len &&
                        comment.data[from + 1] == '|';
            *to++ = pair ? '\n' : comment.data[from];
            from += pair;
        }
        made = (qp_str){copy.data, (size_t)(to - copy.data)};
        break;
    }
    qp_plies_comment(b->plies, ply, made, at, comment.len);
}

/* The move in words: four characters behind the squares. */
static size_t words_end(const char *text, size_t at, size_t end)
{
    for (unsigned i = 0; i < 4 && at < end; i++) {
        size_t len;
        qp_utf8_at(text + at, end - at, &len);
        at += len;
    }
    return at;
}

static void read_score(qp_record *record, const char *text, size_t at, size_t end)
{
    qp_str score = qp_str_trim((qp_str){text + at, end - at});
    if (score.len != 0)
        qp_record_tag_add(record,
                          (qp_record_tag){.made_name = QP_STR("BookScore"),
                                          .name_at = (uint32_t)at,
                                          .value_at = (uint32_t)(score.data - text),
                                          .value_len = (uint32_t)score.len});
}

/* Reads the lines of one book. false: memory ran out. */
static bool read_lines(qp_reading *in, book *b, uint32_t *count)
{
    qp_source *source = in->source;
    qp_record *record = in->record;
    size_t at = 0;
    uint32_t last = 0;
    bool ended = false, stray = false;
    *count = 0;
    for (size_t end; at < in->limit && qp_source_has(source, at, 1);
         at = end < source->len ? end + 1 : end) {
        uint32_t number;
        qp_move move;
        end = qp_source_line_end(source, at, in->limit);
        const char *text = source->text;
        if (!line_head(text + at, end - at, &number, &move)) {
            if (ended)
                read_score(record, text, at, end);
            else if (qp_str_trim((qp_str){text + at, end - at}).len != 0 && !stray)
                qp_record_report(record, QP_D_trailing_text, at, end - at, "no-record",
                                 "a line that holds no ply");
            stray |= !ended;
            continue;
        }
        if (ended || (number == 1 && *count != 0))
            break;
        if (number == 0) {
            ended = true;
            continue;
        }
        if (number > last + 1) {
            qp_record_report(record, QP_D_number_gap, at, NUMBER_LEN, NULL,
                             "ply %u stands where %u belongs", (unsigned)number,
                             (unsigned)last + 1);
            number = last + 1;
        }
        uint32_t ply = qp_plies_add(b->plies, number == 1 ? 0 : b->path[number - 1], move,
                                    at + NUMBER_LEN, SQUARES_LEN);
        if (ply == 0 || !set_path(b, number, ply))
            return false;
        read_comment(in, b, ply, words_end(text, at + HEAD_LEN, end), end);
        last = number;
        ++*count;
    }
    if (at >= in->limit) {
        qp_record_report(record, QP_D_file_limit, at, 0, "record",
                         "the record is longer than %llu bytes: what follows is read as "
                         "another",
                         (unsigned long long)in->limit);
        record->broken = true;
    }
    in->used = at;
    return true;
}

static qp_status book_read(qp_reading *in)
{
    book *b = in->state;
    uint32_t count = 0;
    if (b == NULL && (b = in->state = calloc(1, sizeof *b)) != NULL)
        b->plies = qp_plies_new();
    if (b != NULL && b->plies != NULL)
        qp_plies_rewind(b->plies);
    if (b == NULL || b->plies == NULL || !read_lines(in, b, &count)) {
        in->record->failed = true;
        return QP_FATAL;
    }
    qp_plies_tell(b->plies, in->record);
    return count != 0 || in->record->broken ? QP_OK : QP_END;
}

static void book_read_end(qp_reading *in)
{
    book *b = in->state;
    if (b != NULL) {
        qp_plies_free(b->plies);
        free(b->path);
    }
    free(b);
    in->state = NULL;
}

const qp_format qp_format_book = {
    .name = "book",
    .title = "opening books as text, a numbered ply a line",
    .suffixes = "",
    .experimental = true,
    .carries = QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES,
    .probe = book_probe,
    .read = book_read,
    .read_end = book_read_end,
};
