/* Trees as text, breadth first: tags as in PGN, then each ply with what it follows. Known
 * from the files of one program (cchess_con) alone, which writes them in two ways:
 *
 *     0-h2e2{comment} 0-b2e2 1-h9g7 …     the number is that of the ply before, 0 the
 * start; .pgniccs, .pgnrc (rank and file as digits, from Red's left and bottom), .pgnzh
 * (Chinese) (2) +0242{comment}(1) +0747 +7967 … the parentheses hold how many plies
 * follow; .text
 */
#include "config.h"

#include "format/plies.h"

#include <stdlib.h>

typedef struct tree {
    qp_plies *plies;
    uint32_t *follow; /* .text: how many are to follow each ply */
    size_t room;
} tree;

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
    while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\n'))
        i++;
    return i;
}

/* Decimal digits at p, at most nine of them. */
static size_t number_at(const char *p, size_t n, uint32_t *value)
{
    size_t i = 0;
    *value = 0;
    while (i < n && i < 9 && p[i] >= '0' && p[i] <= '9')
        *value = *value * 10 + (uint32_t)(p[i++] - '0');
    return i;
}

/* Whether what p begins with is the start of such a tree: `0-` and a move, or `(2) +`. */
static bool begins_tree(const char *p, size_t n)
{
    uint32_t value;
    const char *close = n > 0 && p[0] == '{' ? memchr(p, '}', n) : NULL;
    if (close != NULL) { /* a comment of the start */
        size_t skip = skip_blanks(p, n, (size_t)(close - p) + 1);
        p += skip;
        n -= skip;
    }
    if (n >= 6 && p[0] == '0' && p[1] == '-')
        return number_at(p + 2, 4, &value) == 4 || (unsigned char)p[2] >= 'A';
    size_t i = n > 1 && p[0] == '(' ? number_at(p + 1, n - 1, &value) : 0;
    if (i == 0 || n - i < 4 || p[i + 1] != ')')
        return false;
    i = skip_blanks(p, n, i + 2);
    return n - i >= 5 && p[i] == '+' && number_at(p + i + 1, 4, &value) == 4;
}

static unsigned treetext_probe(const qp_probe *probe)
{
    const char *p = probe->text.data;
    size_t n = probe->text.len, i = 0;
    while (i < n) {
        const char *lf = memchr(p + i, '\n', n - i);
        size_t end = lf ? (size_t)(lf - p) : n;
        if (!qp_is_tag_line(p + i, end - i) && skip_blanks(p, end, i) != end)
            return begins_tree(p + i, n - i) ? 90 : 0;
        i = end + 1;
    }
    return 0;
}

/* ---- tags ---- */

static void read_tag(qp_record *record, const char *text, size_t at, size_t end)
{
    static const struct {
        const char *name, *tag;
    } names[] = {
        {"win", "Result"},    {"type", "Type"},     {"title", "Title"},
        {"event", "Event"},   {"date", "Date"},     {"site", "Site"},
        {"red", "Red"},       {"black", "Black"},   {"opening", "Opening"},
        {"writer", "Writer"}, {"author", "Author"}, {"version", "Version"},
    };
    qp_str name;
    size_t head = qp_tag_head(text + at, end - at, &name), from = at + head, to = end;
    if (head == 0)
        return;
    size_t quote = text[from] == '"' ? 1 : 3; /* “…” of a word processor */
    const char *closing = quote == 1 ? "\"" : "\xE2\x80\x9D";
    from += quote;
    while (to >= from + quote && memcmp(text + to - quote, closing, quote) != 0)
        to--;
    if (to < from + quote)
        qp_record_report(record, QP_D_tag_broken, at, end - at, "tag-unterminated",
                         "the value of this tag is not closed");
    if (to <= from + quote) /* many are empty */
        return;
    to -= quote;
    qp_record_tag tag = {.name_at = (uint32_t)(name.data - text),
                         .name_len = (uint32_t)name.len,
                         .value_at = (uint32_t)from,
                         .value_len = (uint32_t)(to - from)};
    for (size_t i = 0; i < QP_COUNT(names); i++)
        if (qp_str_is_nocase(name, names[i].name))
            tag.made_name = qp_str_of(names[i].tag);
    qp_record_tag_add(record, tag);
    if (qp_str_is_nocase(name, "FEN"))
        qp_record_start(record, (qp_str){text + from, to - from}, from, to - from);
}

/* ---- plies ---- */

/* The squares of h2e2 or 2744 (rank, file); 0: in words. */
static qp_move squares(const char *p, size_t len)
{
    int v[4];
    for (size_t i = 0; i < 4; i++) {
        if (len != 4 || p[i] < '0' || p[i] > '9')
            return qp_squares_read((qp_str){p, len});
        v[i] = p[i] - '0';
    }
    if (v[1] > 8 || v[3] > 8)
        return 0;
    return QP_MOVE(QP_SQUARE(v[1], v[0]), QP_SQUARE(v[3], v[2]));
}

static bool set_follow(tree *t, uint32_t ply, uint32_t count)
{
    if (ply >= t->room) {
        size_t room = t->room ? t->room : 256;
        while (room <= ply)
            room *= 2;
        uint32_t *grown = realloc(t->follow, room * sizeof *grown);
        if (grown == NULL)
            return false;
        t->follow = grown;
        t->room = room;
    }
    t->follow[ply] = count;
    return true;
}

typedef struct scan {
    qp_reading *in;
    tree *t;
    const char *p;
    size_t at, n;
    uint32_t count;  /* plies so far */
    uint32_t parent; /* .text: the ply that the next one follows */
    bool failed;
} scan;

/* { … } behind a ply. */
static void read_comment(scan *s, uint32_t ply)
{
    const char *close = memchr(s->p + s->at, '}', s->n - s->at);
    size_t from = s->at + 1, to = close ? (size_t)(close - s->p) : s->n;
    if (close == NULL)
        qp_record_report(s->in->record, QP_D_comment_unclosed, s->at, 1,
                         "comment-unclosed", "this comment is never closed");
    qp_plies_comment(s->t->plies, ply, (qp_str){0}, from, to - from);
    s->at = close ? to + 1 : to;
}

static void lost_ply(scan *s, size_t at, size_t len, const char *what)
{
    if (!s->in->record->broken)
        qp_record_report(s->in->record, QP_D_variation_unbalanced, at, len, "tree-parent",
                         "%s: it and those behind it are left out", what);
    s->in->record->broken = s->failed = true;
}

/* One ply, and what is told of it: its comment, how many follow. */
static void read_ply(scan *s, bool counted)
{
    uint32_t parent = s->parent, value;
    size_t from = s->at, used;
    if (counted) {
        while (s->parent < s->count && s->t->follow[s->parent] == 0)
            s->parent++;
        if (s->parent > s->count || s->t->follow[s->parent] == 0) {
            lost_ply(s, from, 1, "this ply follows none");
            return;
        }
        s->t->follow[s->parent]--;
        parent = s->parent;
        s->at++;
    } else {
        used = number_at(s->p + s->at, s->n - s->at, &parent);
        if (used == 0 || s->at + used >= s->n || s->p[s->at + used] != '-' ||
            parent > s->count) {
            lost_ply(s, from, used + (used == 0),
                     "this ply follows one that is not there");
            return;
        }
        s->at += used + 1;
    }
    size_t at = s->at;
    while (s->at < s->n && (unsigned char)s->p[s->at] > ' ' && s->p[s->at] != '{' &&
           s->p[s->at] != '(')
        s->at++;
    uint32_t ply =
        qp_plies_add(s->t->plies, parent, squares(s->p + at, s->at - at), at, s->at - at);
    if (ply == 0 || !set_follow(s->t, ply, 0)) {
        s->in->record->failed = s->failed = true;
        return;
    }
    s->count = ply;
    if (s->at < s->n && s->p[s->at] == '{')
        read_comment(s, ply);
    if (counted && s->at < s->n && s->p[s->at] == '(') {
        used = number_at(s->p + s->at + 1, s->n - s->at - 1, &value);
        s->t->follow[ply] = value;
        s->at += used + 1;
        s->at += s->at < s->n && s->p[s->at] == ')';
    }
}

static void read_plies(scan *s)
{
    uint32_t value = 0;
    s->at = skip_blanks(s->p, s->n, s->at);
    if (s->at < s->n && s->p[s->at] == '{')
        read_comment(s, 0);
    bool counted = s->at < s->n && s->p[s->at] == '(';
    if (counted) {
        s->at += number_at(s->p + s->at + 1, s->n - s->at - 1, &value) + 1;
        s->at += s->at < s->n && s->p[s->at] == ')';
    }
    s->failed = !set_follow(s->t, 0, value);
    s->in->record->failed |= s->failed;
    while (!s->failed && (s->at = skip_blanks(s->p, s->n, s->at)) < s->n) {
        if (counted && s->p[s->at] != '+') {
            lost_ply(s, s->at, 1, "a ply is expected here");
            return;
        }
        read_ply(s, counted);
    }
}

/* ---- a record: the whole file ---- */

static qp_status treetext_read(qp_reading *in)
{
    qp_source *source = in->source;
    tree *t = in->state;
    if (t == NULL && (t = in->state = calloc(1, sizeof *t)) != NULL)
        t->plies = qp_plies_new();
    if (t == NULL || t->plies == NULL) {
        in->record->failed = true;
        return QP_FATAL;
    }
    while (source->len <= in->limit && qp_source_more(source))
        ;
    size_t n = source->len, at = 0;
    if (n > in->limit) {
        n = (size_t)in->limit;
        in->record->broken = true;
        qp_record_report(in->record, QP_D_file_limit, n, 0, "record",
                         "the record is longer than %llu bytes: the rest is left out",
                         (unsigned long long)in->limit);
    }
    const char *p = source->text;
    while (at < n) {
        const char *lf = memchr(p + at, '\n', n - at);
        size_t end = lf ? (size_t)(lf - p) : n;
        if (!qp_is_tag_line(p + at, end - at) && skip_blanks(p, end, at) != end)
            break;
        read_tag(in->record, p, at, end);
        at = end < n ? end + 1 : end;
    }
    in->used = source->len;
    if (at >= n && in->record->tag_count == 0)
        return QP_END;
    scan s = {.in = in, .t = t, .p = p, .at = at, .n = n};
    qp_plies_rewind(t->plies);
    read_plies(&s);
    qp_plies_tell(t->plies, in->record);
    qp_reading_read_words(in);
    return in->record->failed ? QP_FATAL : QP_OK;
}

static void treetext_read_end(qp_reading *in)
{
    tree *t = in->state;
    if (t != NULL) {
        qp_plies_free(t->plies);
        free(t->follow);
    }
    free(t);
    in->state = NULL;
}

const qp_format qp_format_treetext = {
    .name = "treetext",
    .title = "trees as text, breadth first, each ply with the number of the one before",
    .suffixes = "pgniccs pgnrc pgnzh",
    .experimental = true,
    .carries = QP_CARRIES_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_RESULT |
               QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = treetext_probe,
    .read = treetext_read,
    .read_end = treetext_read_end,
};
