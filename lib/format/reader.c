/* The public pull reader: finds the format and lends one game at a time. */
#include "config.h"

#include "format/heads.h"
#include "format/placing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct qp_reader {
    qp_spare spare; /* what it takes to make one is kept for the next: see rest */
    char suffix[16]; /* that was asked for last, with its dot, and the format that has it */
    const qp_format *suffix_format;
    const qp_context *context;
    qp_read_fn read;
    void *user;
    qp_str name;
    char *name_copy;
    size_t name_room;
    const qp_format *format; /* NULL until found */
    const char *foreign; /* what the file is, where it is known and not read */
    bool named, tags_only;
    uint32_t spare_tree;
    bool spare_loud, pass_sound, heads, unplayed, unchecked;
    qp_skipped passed;
    uint64_t until; /* another reader goes on from this byte; 0: none does */
    bool begun, ended;
    bool goes_on;    /* games stand before what this reader reads */
    qp_source source;
    qp_arena arena, tree; /* tree: of the plies, where those of variations are not kept */
    qp_record record;
    qp_patterns *patterns;
    qp_lex_memo *memo;
    qp_skim *skim;
    qp_reading reading;
    size_t used; /* of the record lent last, still to be passed over */
    qp_game game;
    bool has_game;
    qp_game head;     /* a game that was lent without its record */
    bool has_head;
    qp_source_stand behind_head;
    bool waits; /* such games stand before the record that was read last, with this status: */
    qp_status waiting;
    uint32_t games;
    qp_placing placing;
    char error[128];
    void *lint; /* see qp_reader_lint */
    void (*lint_end)(void *kept);
};

ptrdiff_t qp_read_fd(void *user, void *buffer, size_t size)
{
    ssize_t n;
    do
        n = read(*(int *)user, buffer, size);
    while (n < 0 && errno == EINTR);
    return n;
}

/* ---- parts ---- */

/* qp_stand.carried: the encoding, four bits, the format's bits. */
enum {
    CARRY_CHECKED = 1 << 4,
    CARRY_SPOKEN = 1 << 5,
    CARRY_TOLD = 1 << 6,
    CARRY_GAMES = 1 << 7, /* the file has held a game */
    CARRY_FORMAT = 8,     /* from this bit on */
};

bool qp_reader_stand(qp_reader *reader, bool ahead, qp_stand *stand)
{
    qp_source_stand text;
    *stand = (qp_stand){.format = reader->format};
    qp_encoding encoding = reader->source.encoding;
    if (reader->format == NULL || reader->format->cut == NULL || reader->ended ||
        encoding == QP_ENC_BINARY || encoding == QP_ENC_UTF16LE || encoding == QP_ENC_UTF16BE)
        return false;
    qp_source_stand_at(&reader->source, reader->used, ahead, &text);
    unsigned carried = reader->reading.carried;
    if (reader->has_head && !ahead) {
        text = reader->behind_head;
        carried = 0; /* it was a whole record */
    }
    stand->byte = text.byte;
    stand->line = text.line;
    stand->inside = text.inside;
    stand->games = reader->games;
    stand->carried = text.encoding | (text.checked ? CARRY_CHECKED : 0) |
                     (text.spoken ? CARRY_SPOKEN : 0) | (text.told ? CARRY_TOLD : 0) |
                     (reader->games || reader->goes_on ? CARRY_GAMES : 0) |
                     carried << CARRY_FORMAT;
    return true;
}

bool qp_reader_past(qp_reader *reader, uint64_t byte)
{
    if (reader->has_head)
        return reader->behind_head.byte >= byte;
    return qp_source_past(&reader->source, reader->used, byte);
}

bool qp_stand_same(const qp_stand *a, const qp_stand *b)
{
    return a->format == b->format && a->byte == b->byte && a->carried == b->carried;
}

size_t qp_format_cut(const qp_format *format, const char *bytes, size_t len, size_t from)
{
    return format->cut != NULL && from < len ? format->cut(bytes, len, from) : len;
}

static bool open_source(qp_reader *reader, const qp_reader_options *options,
                        qp_encoding encoding)
{
    const qp_stand *from = options->from;
    qp_source_stand text = {.encoding = (uint8_t)encoding, .checked = encoding == QP_ENC_NONE};
    if (from != NULL) {
        text = (qp_source_stand){.byte = from->byte,
                                 .line = from->line,
                                 .encoding = from->carried & 15,
                                 .checked = (from->carried & CARRY_CHECKED) != 0,
                                 .spoken = (from->carried & CARRY_SPOKEN) != 0,
                                 .told = (from->carried & CARRY_TOLD) != 0};
        reader->format = from->format;
        reader->begun = true;
        reader->games = from->games;
        reader->goes_on = (from->carried & CARRY_GAMES) != 0;
    }
    return qp_source_open_at(&reader->source, reader->read, reader->user, &text,
                             options->until ? options->until : UINT64_MAX, qp_judge_text,
                             (void *)reader->context);
}

static bool keep_name(qp_reader *reader, const char *name)
{
    size_t size = strlen(name ? name : "") + 1;
    if (size > reader->name_room) {
        free(reader->name_copy);
        reader->name_copy = malloc(size);
        reader->name_room = reader->name_copy != NULL ? size : 0;
    }
    if (reader->name_copy != NULL)
        memcpy(reader->name_copy, name ? name : "", size);
    return reader->name_copy != NULL;
}

static void end_spare(qp_spare *spare)
{
    qp_reader *reader = (qp_reader *)spare;
    qp_source_close(&reader->source);
    for (size_t i = 0; i < QP_COUNT(reader->reading.cards); i++)
        qp_lexer_free(reader->reading.cards[i]);
    qp_patterns_free(reader->patterns);
    qp_record_clear(&reader->record);
    qp_arena_clear(&reader->arena);
    qp_arena_clear(&reader->tree);
    qp_placing_clear(&reader->placing);
    free(reader->name_copy);
    qp_skim_free(reader->skim);
    free(reader->memo);
    free(reader);
}

/* Forgets the input. What is kept are tables that fill up with use (decoders, moves known by
 * their text, steps of the replay), compiled patterns, and room: most files are small, and to
 * set all this up would take longer than to read one. */
static void rest(qp_reader *reader)
{
    qp_source_rest(&reader->source);
    qp_record_rest(&reader->record);
    qp_arena_rest(&reader->arena);
    qp_arena_rest(&reader->tree);
    if (reader->placing.room > QP_REST_ROOM / sizeof *reader->placing.findings)
        qp_placing_clear(&reader->placing);
    qp_reader kept = {
        .spare = reader->spare,
        .suffix_format = reader->suffix_format,
        .context = reader->context,
        .name_copy = reader->name_copy,
        .name_room = reader->name_room,
        .source = reader->source,
        .arena = reader->arena,
        .tree = reader->tree,
        .record = reader->record,
        .patterns = reader->patterns,
        .memo = reader->memo,
        .skim = reader->skim,
        .placing = reader->placing,
    };
    memcpy(kept.suffix, reader->suffix, sizeof kept.suffix);
    memcpy(kept.reading.cards, reader->reading.cards, sizeof kept.reading.cards);
    *reader = kept;
}

qp_reader *qp_reader_open(const qp_context *context, qp_read_fn read_fn, void *user,
                          const qp_reader_options *options)
{
    static const qp_reader_options none;
    if (options == NULL)
        options = &none;
    const qp_format *format = NULL;
    qp_encoding encoding = QP_ENC_NONE;
    if (options->format != NULL) {
        format = qp_format_find(options->format);
        if (format == NULL || format->read == NULL)
            return NULL;
    }
    if (options->encoding != NULL) {
        encoding = qp_encoding_find(options->encoding);
        if (encoding == QP_ENC_NONE)
            return NULL;
    }
    qp_reader *reader = (qp_reader *)qp_context_take(context);
    if (reader == NULL)
        reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return NULL;
    reader->spare.end = end_spare;
    reader->context = context;
    reader->read = read_fn;
    reader->user = user;
    reader->format = format;
    reader->named = format != NULL;
    reader->tags_only = options->tags_only;
    if (reader->patterns == NULL) {
        qp_arena_init(&reader->arena);
        qp_arena_init(&reader->tree);
        qp_record_init(&reader->record, &reader->arena);
        reader->patterns = qp_patterns_new();
    }
    enum { SLICE = 8 * 1024 }; /* small enough to stay near the processor */
    bool passes = options->no_lint && !options->tags_only;
    reader->record.tree = options->main_line ? &reader->tree : &reader->arena;
    reader->record.context = passes ? context : NULL;
    reader->record.game = &reader->game;
    reader->record.source = &reader->source;
    reader->record.slice = SLICE;
    reader->spare_tree = options->spare_tree;
    reader->spare_loud = options->spare_loud;
    reader->pass_sound = options->pass_sound;
    reader->heads = options->heads;
    reader->unplayed = options->heads && options->unplayed;
    reader->unchecked = options->unchecked && passes && options->spare_tree == 0;
    reader->until = options->until;
    /* Only where the user says so: a line of coordinates found by its look may count from 1. */
    reader->record.coords_from_zero = format == &qp_format_iccs;
    if (reader->patterns == NULL || !keep_name(reader, options->name) ||
        !open_source(reader, options, encoding)) {
        end_spare(&reader->spare);
        return NULL;
    }
    reader->record.patterns = reader->patterns;
    reader->reading.context = context;
    reader->reading.lexer = qp_context_lexer(context);
    reader->reading.source = &reader->source;
    reader->reading.record = &reader->record;
    reader->reading.patterns = reader->patterns;
    reader->reading.memo = reader->memo;
    reader->reading.limit = qp_context_limit(context, QP_LIMIT_RECORD);
    reader->reading.spare_tree = reader->tags_only ? 0 : reader->spare_tree;
    reader->reading.until = reader->until;
    reader->reading.spare_loud = reader->spare_loud;
    reader->reading.passes = reader->reading.spare_tree != 0 && reader->pass_sound;
    reader->reading.encoding = encoding;
    reader->reading.named = reader->named;
    if (options->from != NULL)
        reader->reading.carried = options->from->carried >> CARRY_FORMAT;
    return reader;
}

void qp_reader_close(qp_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->lint_end != NULL)
        reader->lint_end(reader->lint);
    if (reader->format != NULL && reader->format->read_end != NULL)
        reader->format->read_end(&reader->reading);
    rest(reader);
    qp_context_leave(reader->context, &reader->spare);
}

/* ---- which format ---- */

/* -f xml reads every XML record, by its root element. */
static bool candidate(const qp_reader *reader, const qp_format *format)
{
    if (format->read == NULL)
        return false;
    return !reader->named || format == reader->format ||
           (format->family != NULL && strcmp(format->family, reader->format->name) == 0);
}

/* The format of the file's suffix, which is most likely that of the file before. */
static const qp_format *by_suffix(qp_reader *reader)
{
    const char *dot = strrchr(reader->name_copy, '.');
    if (dot == NULL || strlen(dot) >= sizeof reader->suffix)
        return qp_format_by_suffix(reader->name_copy);
    if (strcmp(dot, reader->suffix) != 0) {
        reader->suffix_format = qp_format_by_suffix(reader->name_copy);
        strcpy(reader->suffix, dot);
    }
    return reader->suffix_format;
}

static void find_format(qp_reader *reader)
{
    enum { PROBE_BYTES = 4096, HIGHEST = 90 };
    qp_source *source = &reader->source;
    const qp_format *suffix = by_suffix(reader), *best = NULL;
    qp_probe probe = {.context = reader->context, .suffix = suffix};
    unsigned most = 0;
    qp_str head = qp_source_head(source);
    probe.bytes = head;
    if (!reader->named && (reader->foreign = qp_foreign_kind(head)) != NULL)
        return;
    /* Nothing wins against the highest bid and the suffix. */
    if (suffix != NULL && suffix->binary && candidate(reader, suffix) &&
        suffix->probe(&probe) == HIGHEST) {
        reader->format = suffix;
        qp_source_set_binary(source);
        return;
    }
    for (unsigned binary = 1;; binary--) {
        if (!binary) {
            qp_source_has(source, 0, PROBE_BYTES);
            probe.text = (qp_str){source->text, source->len};
        }
        for (size_t i = 0; qp_formats[i] != NULL; i++) {
            const qp_format *format = qp_formats[i];
            if (format->binary != (binary != 0) || !candidate(reader, format))
                continue;
            if (format->highest != 0 && format->highest * 2 < most)
                continue; /* it could not win */
            unsigned bid = format->probe(&probe) * 2;
            if (bid != 0 && format == suffix)
                bid++;
            if (bid > most) {
                most = bid;
                best = format;
            }
        }
        if (binary && most >= 2 * 60) {
            qp_source_set_binary(source);
            break;
        }
        if (reader->named && reader->format->binary) { /* damaged, or part of it missing */
            qp_source_set_binary(source);
            break;
        }
        if (!binary)
            break;
    }
    if (best != NULL)
        reader->format = best;
}

/* The memory of moves is larger than a small file, and made for those that have more. */
static bool is_worth_memo(const qp_reader *reader)
{
    enum { SMALL = 16 * 1024 };
    return !reader->format->binary && (reader->games > 0 || reader->source.len > SMALL);
}

/* ---- findings ---- */

static void file_finding(qp_reader *reader, const char *detail, const char *message)
{
    qp_record_remark(&reader->record, QP_D_no_game, detail, "%s", message);
}

static void add_notes(qp_reader *reader, size_t upto)
{
    size_t count;
    const qp_text_note *notes = qp_source_notes(&reader->source, upto, &count);
    for (size_t i = 0; i < count; i++) {
        const qp_text_note *n = &notes[i];
        qp_record *record = &reader->record;
        switch (n->code) {
        case QP_D_encoding_invalid:
            qp_record_report(record, n->code, n->at, n->len, n->detail,
                             "%u byte%s no %s text and read as U+FFFD", n->count,
                             n->count == 1 ? " is" : "s are",
                             qp_encoding_name(n->to ? n->to : reader->source.encoding));
            break;
        case QP_D_encoding_guessed:
            if (n->from != QP_ENC_NONE && n->from != n->to)
                qp_record_report(record, n->code, n->at, 0, n->detail,
                                 "the text changes from %s to %s here",
                                 qp_encoding_name(n->from), qp_encoding_name(n->to));
            else
                qp_record_report(record, n->code, n->at, 0, n->detail,
                                 "the text is taken for %s", qp_encoding_name(n->to));
            break;
        default:
            qp_record_report(record, n->code, n->at, n->len, n->detail,
                             "%u byte%s no text and passed over", n->count,
                             n->count == 1 ? " is" : "s are");
            break;
        }
    }
}

const qp_finding *qp_reader_place(qp_reader *reader, size_t *count)
{
    *count = 0;
    if (reader->has_head)
        return NULL;
    return qp_placing_run(&reader->placing, &reader->source, &reader->record,
                          reader->has_game ? &reader->game : NULL, count);
}

const qp_finding *qp_reader_findings(const qp_reader *reader, size_t *count)
{
    /* Placing is put off until it is asked for; that nobody can see. */
    return qp_reader_place((qp_reader *)reader, count);
}

/* ---- next ---- */

static bool follows_from_mojibake(qp_code code)
{
    return code == QP_D_move_unreadable || code == QP_D_number_gap ||
           code == QP_D_number_wrong;
}

/* Text that was decoded wrongly once explains all its broken moves: one finding, with what
 * was meant, instead of many. */
static void find_mojibake(qp_reader *reader)
{
    enum { LOOK_AT = 8192 };
    qp_record *record = &reader->record;
    size_t len = reader->reading.used < LOOK_AT ? reader->reading.used : LOOK_AT;
    const char *text = reader->source.text, *how = NULL;
    qp_buf meant = {0};
    if (len < reader->reading.used)
        while (len > 0 && text[len] != '\n')
            len--;
    if (qp_mojibake_undo((qp_str){text, len}, &meant, &how)) {
        size_t kept = 0, at = 0;
        for (size_t i = 0; i < record->report_count; i++)
            if (!follows_from_mojibake(record->reports[i].code))
                record->reports[kept++] = record->reports[i];
        record->report_count = kept;
        while (at < len && (unsigned char)text[at] < 0x80)
            at++;
        size_t end = at;
        while (end < len && text[end] != '\n')
            end++;
        qp_report *report = qp_record_report(record, QP_D_encoding_mojibake, at, end - at,
                                             NULL, "the text is doubly encoded: %s",
                                             how ? how : "decoded wrongly once");
        qp_report_suggest(record, report, (qp_str){meant.data, meant.len}, 0, QP_LIKELY);
        reader->game.legal = false;
    }
    qp_buf_clear(&meant);
}

static bool has_broken_moves(const qp_reader *reader)
{
    for (size_t i = 0; i < reader->record.report_count; i++)
        if (reader->record.reports[i].code == QP_D_move_unreadable)
            return true;
    return false;
}

static qp_status lost(qp_reader *reader, const char *why)
{
    size_t len = strlen(why);
    if (len >= sizeof reader->error)
        len = sizeof reader->error - 1;
    memcpy(reader->error, why, len);
    reader->error[len] = '\0';
    reader->ended = true;
    return QP_FATAL;
}

/* Of a binary format what its strings are in. */
static const char *encoding_name(const qp_reader *reader)
{
    if (reader->source.encoding != QP_ENC_BINARY)
        return qp_encoding_name(reader->source.encoding);
    return reader->reading.encoding == QP_ENC_NONE
               ? ""
               : qp_encoding_name(reader->reading.encoding);
}

/* The end of the file: it must have held a game. */
static qp_status end_file(qp_reader *reader)
{
    reader->ended = true;
    if (reader->games > 0 || reader->goes_on)
        return QP_END;
    /* What holds no game is no text to find fault with. */
    qp_record *record = &reader->record;
    size_t kept = 0;
    for (size_t i = 0; i < record->report_count; i++) {
        qp_code code = record->reports[i].code;
        if (code != QP_D_encoding_invalid && code != QP_D_encoding_guessed &&
            code != QP_D_encoding_junk)
            record->reports[kept++] = record->reports[i];
    }
    record->report_count = kept;
    if (reader->foreign != NULL)
        qp_record_remark(&reader->record, QP_D_format_unsupported, NULL, "%s",
                         reader->foreign);
    else if (!reader->source.had_bytes)
        file_finding(reader, "empty", "the file is empty");
    else
        file_finding(reader, NULL, "nothing in the file is a record of Xiangqi");
    return QP_END;
}

/* A format that passed events on and then found that it must not have reads the record again,
 * and keeps them: it still stands in the window. */
static qp_status read_record(qp_reader *reader)
{
    unsigned carried = reader->reading.carried;
    qp_status status = reader->format->read(&reader->reading);
    if (!reader->record.again || reader->source.lost || reader->record.failed)
        return status;
    qp_arena_rewind(&reader->arena);
    qp_arena_rewind(&reader->tree);
    qp_record_rewind(&reader->record);
    reader->record.again = true;
    reader->reading.carried = carried;
    reader->reading.used = 0;
    reader->game = (qp_game){.notation = ""};
    return reader->format->read(&reader->reading);
}

/* Counts what was passed over on the way to the record in hand; false: nothing was. */
static bool take_passed(qp_reader *reader)
{
    qp_skipped passed = qp_skim_skipped(reader->reading.skim);
    passed.games += reader->reading.passed.games;
    passed.plies += reader->reading.passed.plies;
    reader->reading.passed = (qp_skipped){0};
    reader->games += (uint32_t)passed.games;
    reader->passed.games += passed.games;
    reader->passed.plies += passed.plies;
    return passed.games != 0;
}

/* Whether the record in hand is another reader's. */
static bool is_others(qp_reader *reader)
{
    return reader->until != 0 && qp_source_past(&reader->source, 0, reader->until);
}

qp_skipped qp_reader_skipped(qp_reader *reader)
{
    qp_skipped passed = reader->passed;
    reader->passed = (qp_skipped){0};
    return passed;
}

/* A game that stands before the record in hand and has none of its own. */
static qp_status lend_head(qp_reader *reader, qp_heads *heads, const qp_game **game)
{
    if (!qp_heads_lend(heads, reader->patterns, &reader->head, &reader->behind_head))
        return lost(reader, "out of memory");
    reader->has_head = true;
    reader->head.number = ++reader->games;
    reader->head.format = reader->format->name;
    *game = &reader->head;
    return QP_OK;
}

/* What was read becomes a game. */
static qp_status take_record(qp_reader *reader, qp_status status, const qp_game **game)
{
    if (reader->source.lost)
        return lost(reader, reader->source.error ? strerror(reader->source.error)
                                                 : "out of memory");
    reader->used = reader->reading.used;
    reader->record.text = reader->source.text;
    reader->record.text_len = reader->source.len;
    add_notes(reader, status == QP_END ? SIZE_MAX : reader->used);
    if (status == QP_FATAL || reader->record.failed || reader->arena.failed)
        return lost(reader, "out of memory");
    if (status == QP_END) {
        reader->reading.used = reader->source.len;
        if (reader->games == 0 && !reader->goes_on && reader->source.len > 0)
            find_mojibake(reader);
        return end_file(reader);
    }
    if (reader->record.full) {
        qp_record_remark(&reader->record, QP_D_file_limit, "events",
                         "the record has more than %zu parts: the rest is left out",
                         reader->record.event_count);
        reader->record.broken = true;
    }
    reader->games++;
    reader->has_game = true;
    qp_game *g = &reader->game;
    g->number = reader->games;
    g->format = reader->format->name;
    g->encoding = encoding_name(reader);
    if (reader->tags_only)
        qp_replay_heads(&reader->record, g);
    else
        qp_replay(reader->context, &reader->record, g);
    if (reader->record.failed || reader->arena.failed)
        return lost(reader, "out of memory");
    if ((!g->legal && has_broken_moves(reader)) || (g->line_plies == 0 && !reader->tags_only))
        find_mojibake(reader);
    *game = g;
    return reader->record.broken ? QP_BAD : QP_OK;
}

qp_status qp_reader_next(qp_reader *reader, const qp_game **game)
{
    *game = NULL;
    reader->has_game = reader->has_head = false;
    qp_heads *heads = qp_skim_lent(reader->reading.skim);
    if (heads != NULL)
        return lend_head(reader, heads, game);
    if (reader->waits) {
        reader->waits = false;
        return take_record(reader, reader->waiting, game);
    }
    qp_arena_rewind(&reader->arena);
    qp_arena_rewind(&reader->tree);
    qp_record_rewind(&reader->record);
    reader->placing.done = 0;
    if (reader->ended)
        return QP_END;
    if (!reader->begun)
        find_format(reader);
    reader->begun = true;
    qp_source_next(&reader->source, reader->used);
    reader->used = 0;
    reader->reading.used = 0;
    qp_status status = QP_END;
    if (reader->memo == NULL && reader->format != NULL && is_worth_memo(reader))
        reader->reading.memo = reader->memo = calloc(1, sizeof *reader->memo);
    reader->game = (qp_game){.notation = ""};
    if ((reader->spare_tree != 0 || reader->unchecked) && reader->memo != NULL &&
        reader->reading.skim == NULL &&
        reader->format != NULL && reader->format->skims &&
        (reader->skim != NULL || (reader->skim = qp_skim_new()) != NULL)) {
        reader->reading.skim = reader->skim;
        uint32_t most_quiet = reader->spare_tree != 0 ? reader->spare_tree : UINT32_MAX;
        if (!qp_skim_begin(&reader->reading, most_quiet, reader->spare_loud, reader->pass_sound,
                           reader->heads || reader->unchecked, reader->unplayed,
                           reader->unchecked))
            reader->reading.skim = NULL;
    }
    const unsigned carried = reader->reading.carried;
    if (reader->format != NULL)
        status = read_record(reader);
    if ((heads = qp_skim_lent(reader->reading.skim)) != NULL) {
        reader->waits = true;
        reader->waiting = status;
        return lend_head(reader, heads, game);
    }
    if (!reader->source.lost && take_passed(reader) && is_others(reader)) {
        qp_record_rewind(&reader->record);
        reader->reading.carried = carried;
        return QP_OK;
    }
    return take_record(reader, status, game);
}

const qp_format *qp_reader_format(const qp_reader *reader)
{
    return reader->format;
}

const char *qp_reader_error(const qp_reader *reader)
{
    return reader->error;
}

qp_record *qp_reader_record(qp_reader *reader)
{
    return &reader->record;
}

qp_game *qp_reader_game(qp_reader *reader)
{
    return reader->has_game ? &reader->game : NULL;
}

qp_patterns *qp_reader_patterns(qp_reader *reader)
{
    return reader->patterns;
}

qp_source *qp_reader_source(qp_reader *reader)
{
    return &reader->source;
}

const qp_context *qp_reader_context(const qp_reader *reader)
{
    return reader->context;
}

void **qp_reader_lint(qp_reader *reader, void (*end)(void *kept))
{
    reader->lint_end = end;
    return &reader->lint;
}

void qp_reader_unplace(qp_reader *reader)
{
    reader->placing.done = SIZE_MAX;
}
