/* Moves that stand in words, 如改走车二进六，马7进6: where one place alone explains a run
 * of them, it becomes a variation; else they stay words. */
#include "config.h"

#include "format/branches.h"

enum { RUN_MAX = 60 };

bool qp_branches_says(qp_str text, const char *const *words, size_t count)
{
    for (size_t i = 0; i + 3 <= text.len; i++) {
        const char *p = text.data + i;
        for (size_t w = 0; w < count; w++) {
            if (p[0] != words[w][0] || p[1] != words[w][1] || p[2] != words[w][2])
                continue;
            size_t len = strlen(words[w]);
            if (text.len - i >= len && memcmp(p, words[w], len) == 0)
                return true;
        }
    }
    return false;
}

static bool bracketed(const qp_branches *s, const qp_event *e)
{
    const char *p = s->text + e->at;
    return e->at != 0 &&
           (p[-1] == '(' || p[-1] == '{' || (e->at >= 3 && memcmp(p - 3, "（", 3) == 0));
}

/* Whether a line holds nothing before an event. */
static bool first_in_line(const qp_branches *s, size_t from, size_t i)
{
    size_t at = s->record->events[i].at, last = 0;
    if (i > from)
        last = s->record->events[i - 1].at + s->record->events[i - 1].len;
    while (at > last && s->text[at - 1] != '\n')
        at--;
    return at == 0 || s->text[at - 1] == '\n';
}

/* Words that say that what follows was not played. */
static bool is_cue(qp_str text)
{
    static const char *const words[] = {"如",   "若",   "倘",   "改走", "改为", "应走",
                                        "宜走", "不如", "可走", "也可", "亦可", "假如",
                                        "否则", "選",   "變化", "变化", "甲、", "乙、",
                                        "丙、", "丁、", "另有"};
    return qp_branches_says(text, words, QP_COUNT(words));
}

/* Words between two moves of one line. */
static bool connects(qp_str text)
{
    enum { LONGEST = 9 };
    static const char *const labels[] = {"甲", "乙", "丙", "丁", "如",
                                         "若", "改", "。", "；", "或"};
    return text.len <= LONGEST && !qp_branches_says(text, labels, QP_COUNT(labels)) &&
           memchr(text.data, '\n', text.len) == NULL &&
           !(text.len != 0 && text.data[0] == '.' && text.len == 1);
}

/* Plays a run of written moves; how many are legal. */
static unsigned plays(qp_board board, const qp_written *run, unsigned count,
                      qp_move *moves)
{
    unsigned i = 0;
    for (; i < count && (moves[i] = qp_branches_resolve(&board, &run[i])) != 0; i++)
        qp_board_play(&board, moves[i]);
    return i;
}

typedef struct run {
    unsigned count;
    qp_written written[RUN_MAX];
    uint32_t at[RUN_MAX], len[RUN_MAX];
} run;

bool qp_branches_others(const qp_written *written, qp_side side)
{
    unsigned red = QP_STYLE_GLYPH_RED | QP_STYLE_DIGIT_CHINESE;
    unsigned black = QP_STYLE_GLYPH_BLACK | QP_STYLE_DIGIT_ARABIC;
    unsigned own = side == QP_RED ? red : black, theirs = side == QP_RED ? black : red;
    return (written->style & theirs) != 0 && (written->style & own) == 0;
}

/* Makes a variation of a run of moves out of words, where one place alone explains it:
 * beside the last ply, or beside the next one. */
static void hang_run(qp_branches *s, const run *r)
{
    qp_branch_line *in = &s->lines[s->at];
    qp_move moves[RUN_MAX];
    qp_board board;
    uint32_t end = qp_branch_end(in);
    if (r->count < 2 || in->count == 0 || s->line_count == QP_BRANCHES_MAX ||
        in->depth >= QP_BRANCH_DEPTH_MAX)
        return;
    bool beside =
        qp_branches_board(s, s->at, end - 1, &board) &&
        (s->undressed || !qp_branches_others(&r->written[0], (qp_side)board.side)) &&
        plays(board, r->written, r->count, moves) == r->count &&
        moves[0] != in->moves[in->count - 1];
    bool ahead =
        !beside && s->at == 0 &&
        (s->undressed || !qp_branches_others(&r->written[0], (qp_side)in->end.side)) &&
        plays(in->end, r->written, r->count, moves) == r->count;
    if (!beside && !ahead)
        return;
    uint32_t owner = beside ? in->owner[in->count - 1] : UINT32_MAX;
    uint32_t made =
        qp_branches_line(s, s->at, beside ? end - 1 : end, beside ? &board : &in->end);
    s->hangs[s->hang_count++] = (qp_branch_hang){owner, made};
    s->pending += ahead;
    for (unsigned i = 0; i < r->count; i++) {
        qp_record_move(s->record, r->at[i], r->len[i], &r->written[i]);
        qp_branches_ply(s, made, s->record->event_count - 1, moves[i]);
    }
    s->changed = true;
}

/* Looks for runs of moves in words that were not played. */
static void read_runs(qp_branches *s, size_t at, size_t end)
{
    run r = {.count = 0};
    size_t last = at;
    for (size_t i = at, used; i < end; i += used) {
        qp_written written;
        used = qp_lex_move(s->lexer, s->text + i, end - i, &written);
        if (used == 0) {
            qp_utf8_at(s->text + i, end - i, &used);
            continue;
        }
        if (r.count != 0 && !connects((qp_str){s->text + last, i - last})) {
            hang_run(s, &r);
            r.count = 0;
        }
        if (r.count < RUN_MAX) {
            r.written[r.count] = written;
            r.at[r.count] = (uint32_t)i;
            r.len[r.count++] = (uint32_t)used;
        }
        last = i + used;
    }
    hang_run(s, &r);
}

/* The events from i on that one stretch of words holds, and their moves with them. moves:
 * such follow, also in the next line. */
static size_t end_of_words(const qp_branches *s, size_t i, bool moves)
{
    const qp_record *record = s->record;
    for (i++; i < record->event_count; i++) {
        const qp_event *e = &record->events[i], *before = e - 1;
        if (e->kind == QP_EV_RESULT || e->kind == QP_EV_VAR_OPEN ||
            e->kind == QP_EV_VAR_CLOSE || (e->kind == QP_EV_NUMBER && e->value != 0))
            break;
        size_t from = before->at + before->len;
        if (from > e->at) /* rounds that were put in order */
            break;
        if (from < e->at && memchr(s->text + from, '\n', e->at - from) != NULL) {
            /* The next line: it goes on with the sentence, or it is one of words too. */
            static const char *const stops[] = {"。", "！", "？", "）", "…"};
            bool stopped = !moves || s->text[from] == '.' || s->text[from] == '!';
            for (size_t k = 0; k < QP_COUNT(stops); k++)
                stopped |=
                    qp_branches_says((qp_str){s->text + from, e->at - from}, &stops[k],
                                     1) ||
                    (before->len >= 3 && memcmp(s->text + from - 3, stops[k], 3) == 0);
            if (stopped || e->kind != QP_EV_MOVE)
                break;
        }
        moves |= e->kind == QP_EV_MOVE;
    }
    return i;
}

size_t qp_branches_words(qp_branches *s, size_t from, size_t i, size_t count)
{
    qp_event *e = &s->record->events[i];
    qp_str said = {s->text + e->at, e->len};
    bool closed = bracketed(s, e), cue = is_cue(said);
    size_t end = i + 1;
    if (e->as.made.data != NULL) {
        qp_branches_item(s, s->at, i);
        return end;
    }
    if (!closed && (cue || (s->numbered && first_in_line(s, from, i)))) {
        end = end_of_words(s, i, cue);
        if (end > count)
            end = count;
    }
    const qp_event *last = &s->record->events[end - 1];
    uint32_t stop = last->at + last->len;
    if (end > i + 1) {
        /* A label and the move that the numbers behind it begin with: 甲、车2进5 … */
        e->len = stop - e->at;
        s->changed = true;
    }
    qp_branches_item(s, s->at, i);
    if (!s->broken)
        read_runs(s, s->record->events[i].at, stop);
    return end;
}
