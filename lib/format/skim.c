/* Which records of PGN can be skimmed: tags, an empty line, plain rounds and a result, all as
 * nearly every program writes them. Their moves are played from the bytes of the file
 * (game/rounds.c) and never become text, events or a tree. Anything else is left alone here
 * and read by pgn.c; so nothing is ever reported. What is left of the record must lead pgn.c
 * to the start of the next one, whatever that holds.
 *
 * Of most such records there is nothing to say at all: their tags, result and final position
 * agree. Where the user asks for no more, these are counted and passed over whole. Which they
 * are follows from what lib/check looks for; tests/property/test_skim.c holds the two
 * together.
 */
#include "config.h"

#include "format/heads.h"

#include <stdlib.h>

struct qp_skim {
    qp_rounds_reading rounds;
    qp_skim_heads *heads;
    qp_counts *counts; /* NULL: moves are played */
    bool played;       /* those of the first such game were */
    qp_heads *lent; /* NULL: all games that are lent are read as text */
    qp_patterns *patterns;
    uint64_t limit; /* of a record's bytes */
    bool passes;    /* records of which there is nothing to say are passed over */
    qp_skipped passed;
    qp_rounds *found; /* by the index of their gap */
    size_t room;
    qp_move *moves; /* of the loud ones of them */
    size_t move_room, move_count;
};

/* What stands behind the moves. */
typedef struct ending {
    bool has_result;
    qp_result result;
    uint32_t lines;
} ending;

/* Passes over what stands behind the moves at an offset: nothing but a result, if any, in lines
 * of its own but for the first. Returns where another record begins, or n; 0: something else
 * stands there. */
static size_t pass_ending(const unsigned char *p, size_t n, size_t at, ending *end)
{
    *end = (struct ending){.lines = 0};
    for (size_t len; at < n; at += len) {
        if (p[at] == '\n' || p[at] == ' ') {
            len = 1;
            end->lines += p[at] == '\n';
        } else if (p[at] == '[' && p[at - 1] == '\n') {
            return qp_skim_tag_head(p + at, n - at) != 0 ? at : 0;
        } else if (p[at] == '\r' && at + 1 < n && p[at + 1] == '\n') {
            len = 2;
            end->lines++;
        } else if (!end->has_result && (p[at] == '*' || p[at] == '0' || p[at] == '1')) {
            len = qp_result_len((const char *)p + at, n - at, &end->result);
            bool ends = at + len == n || p[at + len] == '\n' || p[at + len] == '\r';
            if (len == 0 || !ends)
                return 0;
            for (size_t i = 0; i < len; i++)
                if (p[at + i] >= 0x80)
                    return 0;
            end->has_result = true;
        } else {
            return 0;
        }
    }
    return at;
}

/* Keeps the moves of the game that was played last. They may move until they are found. */
static bool keep_moves(qp_skim *skim, qp_rounds *rounds)
{
    if (skim->move_room - skim->move_count < rounds->plies) {
        size_t room = 2 * skim->move_room + rounds->plies;
        qp_move *grown = realloc(skim->moves, room * sizeof *grown);
        if (grown == NULL)
            return false;
        skim->moves = grown;
        skim->move_room = room;
    }
    rounds->moves_at = skim->move_count;
    qp_rounds_moves(skim->rounds.record, rounds, skim->moves + skim->move_count);
    skim->move_count += rounds->plies;
    return true;
}

/* Keeps a game of which nobody asks for more than its head. */
static bool lend(qp_skim *skim, qp_encoding encoding, const unsigned char *p,
                 uint32_t tag_lines, const ending *end, qp_rounds *rounds, qp_gap *gap)
{
    bool told;
    qp_heads_record record = {
        .source = skim->rounds.source,
        .encoding = encoding,
        .bytes = p,
        .tags_len = gap->from,
        .rounds = rounds,
        .reading = skim->rounds.trees ? &skim->rounds : NULL,
        .moves_len = gap->on - gap->from,
        .has_result = end->has_result,
        .result = end->result,
    };
    qp_source_here(skim->rounds.source, &record.stand, &told);
    uint32_t lines = gap->lines + tag_lines + end->lines;
    record.stand.byte += gap->end;
    record.stand.line += lines;
    if (!rounds->counted)
        rounds->notation = qp_rounds_notation(&skim->rounds);
    if (told || !qp_heads_add(skim->lent, &record))
        return false;
    gap->whole = true;
    gap->lines = lines;
    return true;
}

static bool skim(void *user, uint32_t index, qp_encoding encoding, const unsigned char *p,
                 size_t len, bool ended, bool own, qp_gap *gap)
{
    qp_skim *skim = user;
    qp_said said;
    uint32_t tag_lines;
    ending end;
    skim->rounds.encoding = encoding;
    gap->from = qp_skim_tags_pass(skim->heads, skim->rounds.source, encoding, skim->patterns,
                                  skim->passes, p, len, &said, &tag_lines,
                                  skim->lent != NULL ? qp_heads_spans(skim->lent) : NULL);
    if (gap->from == 0 || len - gap->from < 3 || memcmp(p + gap->from, "1. ", 3) != 0)
        return false;
    if (index == 0)
        skim->move_count = 0; /* the games before are read */
    if (index >= skim->room) {
        size_t room = skim->room ? skim->room * 2 : 64;
        qp_rounds *grown = realloc(skim->found, room * sizeof *grown);
        if (grown == NULL)
            return false;
        skim->found = grown;
        skim->room = room;
    }
    qp_rounds *rounds = &skim->found[index];
    size_t line;
    const unsigned char *moves = p + gap->from;
    gap->on = skim->counts != NULL && skim->played
                  ? qp_rounds_count(&skim->rounds, skim->counts, moves, len - gap->from, rounds,
                                    &line, &gap->lines)
                  : qp_rounds_read(&skim->rounds, moves, len - gap->from, rounds, &line,
                                   &gap->lines);
    if (gap->on == 0)
        return false;
    skim->played = true;
    gap->on += gap->from;
    gap->to = gap->from + line;
    if (rounds->loud && !keep_moves(skim, rounds))
        return false;
    gap->end = pass_ending(p, len, gap->on, &end);
    if (gap->end == 0 || gap->end > skim->limit || (gap->end == len && !ended))
        return false;
    if (own && skim->lent != NULL && lend(skim, encoding, p, tag_lines, &end, rounds, gap))
        return true;
    if (skim->rounds.trees)
        return false;
    gap->whole = own && skim->passes && !rounds->loud && qp_said_agrees(&said, end.result, rounds);
    if (gap->whole) {
        gap->lines += tag_lines + end.lines;
        skim->passed.games++;
        skim->passed.plies += rounds->plies;
        return true;
    }
    if (!rounds->counted)
        rounds->notation = qp_rounds_notation(&skim->rounds);
    /* A mate, or what is judged, may ask for a result's place. */
    return said.has_result || end.has_result || (rounds->end == QP_END_NONE && !rounds->loud);
}

qp_skim *qp_skim_new(void)
{
    qp_skim *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->heads = qp_skim_heads_new();
    if (made->heads != NULL)
        return made;
    qp_skim_free(made);
    return NULL;
}

bool qp_skim_begin(const qp_reading *reading, uint32_t most_quiet, bool loud, bool passes,
                   bool heads, bool counts, bool trees)
{
    qp_skim *to = reading->skim;
    uint64_t plies = qp_context_limit(reading->context, QP_LIMIT_NODES);
    to->rounds = (qp_rounds_reading){
        .context = reading->context,
        .lexer = reading->lexer,
        .memo = reading->memo,
        .source = reading->source,
        .record = reading->record,
        .most_plies = plies < UINT32_MAX ? (uint32_t)plies : UINT32_MAX,
        .most_quiet = most_quiet,
        .keeps_loud = loud,
        .heads = heads,
        .trees = trees,
    };
    if (heads && to->lent == NULL && (to->lent = qp_heads_new()) == NULL)
        return false;
    if (counts && to->counts == NULL && (to->counts = qp_counts_new()) == NULL)
        return false;
    if (!counts) {
        qp_counts_free(to->counts);
        to->counts = NULL;
    }
    if (heads) {
        qp_heads_forget(to->lent);
    } else {
        qp_heads_free(to->lent);
        to->lent = NULL;
    }
    to->played = false;
    to->patterns = reading->patterns;
    to->passes = passes;
    to->passed = (qp_skipped){0};
    to->limit = reading->limit / 3; /* no character takes more than three times its bytes */
    qp_source_skim(reading->source, skim, to, passes || heads);
    return true;
}

qp_heads *qp_skim_lent(const qp_skim *skim)
{
    return skim != NULL && skim->lent != NULL && qp_heads_waiting(skim->lent) ? skim->lent : NULL;
}

void qp_skim_free(qp_skim *skim)
{
    if (skim == NULL)
        return;
    qp_heads_free(skim->lent);
    qp_counts_free(skim->counts);
    free(skim->heads);
    free(skim->found);
    free(skim->moves);
    free(skim);
}

const qp_rounds *qp_skim_found(const qp_reading *reading, size_t at, size_t *on)
{
    uint32_t index;
    if (reading->skim == NULL || !qp_source_gap(reading->source, at, on, &index))
        return NULL;
    qp_rounds *rounds = &reading->skim->found[index];
    rounds->text_at = at;
    if (rounds->loud)
        rounds->moves = reading->skim->moves + rounds->moves_at;
    return rounds;
}

qp_skipped qp_skim_skipped(qp_skim *skim)
{
    qp_skipped passed = {0};
    if (skim != NULL) {
        passed = skim->passed;
        skim->passed = (qp_skipped){0};
    }
    return passed;
}

bool qp_skim_begins(const qp_reading *reading)
{
    qp_str bytes = qp_source_waiting(reading->source);
    return qp_skim_tag_head((const unsigned char *)bytes.data, bytes.len) != 0;
}
