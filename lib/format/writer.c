/* The public writer: a format's text, encoded and handed on, and a report for each thing
 * that the format cannot hold. */
#include "config.h"

#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLUSH_AT = 64 * 1024 };

enum { SPELLED = 1 << 12 }; /* moves that are kept in the writer's notation */

/* A move of a piece that is alone of its kind on its file, whose words tell nothing else. */
struct qp_spelled {
    qp_move move;
    qp_piece piece;
    uint8_t len; /* 0: nothing is here */
    char text[20];
};

struct qp_writer {
    const qp_context *context;
    const qp_format *format;
    qp_write_fn write;
    void *user;
    qp_encoder *encoder;
    char encoding[32];
    qp_buf text, bytes; /* UTF-8 of the game being written; encoded and not yet written */
    qp_arena arena;
    qp_record reports;
    qp_writing writing;
    qp_finding *findings;
    size_t finding_room;
    unsigned told; /* losses of a format without games' parts are said once a file */
    uint32_t game;
    bool begun, failed;
};

/* Where nobody chose: the format's own; in the traditional script where the output encoding
 * has 進 and not 进, as Big5. */
static const char *usual_notation(const qp_format *format, qp_encoder *encoder)
{
    const char *name = format->notation ? format->notation : "iccs";
    if (strcmp(name, "chinese") == 0 && !qp_encoder_has(encoder, 0x8FDB) &&
        qp_encoder_has(encoder, 0x9032))
        return "chinese-traditional";
    return name;
}

qp_writer *qp_writer_open(const qp_context *context, qp_write_fn write_fn, void *user,
                          const qp_writer_options *options)
{
    const qp_format *format = qp_format_find(options->format);
    if (format == NULL || format->write == NULL ||
        !qp_format_has_version(format, options->version))
        return NULL;
    const char *encoding = options->encoding ? options->encoding
                           : format->binary  ? "GB18030" /* what the programs of these expect */
                                             : "UTF-8";
    if (strlen(encoding) >= sizeof ((qp_writer *)NULL)->encoding)
        return NULL;
    qp_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return NULL;
    writer->context = context;
    writer->format = format;
    writer->write = write_fn;
    writer->user = user;
    writer->begun = options->part;
    memcpy(writer->encoding, encoding, strlen(encoding) + 1);
    qp_arena_init(&writer->arena);
    qp_record_init(&writer->reports, &writer->arena);
    writer->encoder = qp_encoder_open(encoding);
    qp_patterns *patterns = qp_patterns_new();
    writer->writing = (qp_writing){
        .context = context,
        .notation = options->notation,
        .out = &writer->text,
        .patterns = patterns,
        .reports = &writer->reports,
        .quotes = options->quotes,
        .part = options->part,
        .follows = options->follows,
        .main_line = options->main_line || !(format->carries & QP_CARRIES_VARIATIONS),
        .version = options->version ? options->version : format->versions[0],
        .encoding = writer->encoding,
    };
    if (writer->writing.notation == NULL && writer->encoder != NULL)
        writer->writing.notation =
            qp_notation_find(context, usual_notation(format, writer->encoder));
    writer->writing.encoder = writer->encoder;
    if (format->notation != NULL) /* without it each move is spelled anew */
        writer->writing.spelled = calloc(SPELLED, sizeof *writer->writing.spelled);
    /* Other encodings may keep a state, and say what they lack when all has been written; parts
     * are handed on whole. */
    writer->writing.spills = !format->binary && !options->part && writer->encoder != NULL &&
                             qp_encoder_is_utf8(writer->encoder);
    if (writer->encoder == NULL || patterns == NULL || writer->writing.notation == NULL) {
        qp_encoder_close(writer->encoder);
        qp_patterns_free(patterns);
        free(writer->writing.spelled);
        free(writer);
        return NULL;
    }
    return writer;
}

/* ---- output ---- */

/* A character is reported once a game; past this many kinds they are only counted. */
enum { MISSING_KINDS = 32 };
typedef struct missing {
    qp_writer *writer;
    uint32_t kinds[MISSING_KINDS];
    unsigned kind_count;
    size_t others;
    char reference[16];
} missing;

static const char *unmappable(void *user, size_t at, uint32_t code_point)
{
    missing *m = user;
    char text[4];
    (void)at;
    if (m->writer->format->refer != NULL) {
        m->writer->format->refer(code_point, m->reference);
        return m->reference;
    }
    for (unsigned i = 0; i < m->kind_count; i++)
        if (m->kinds[i] == code_point)
            return NULL;
    if (m->kind_count == MISSING_KINDS) {
        m->others++;
        return NULL;
    }
    m->kinds[m->kind_count++] = code_point;
    qp_record_remark(&m->writer->reports, QP_D_encoding_unmappable, NULL,
                     "%s lacks the character U+%04X %.*s; it was replaced",
                     m->writer->encoding, (unsigned)code_point,
                     (int)qp_utf8_put(text, code_point), text);
    return NULL;
}

static void flush(qp_writer *writer)
{
    if (writer->bytes.len != 0 && !writer->failed &&
        writer->write(writer->user, writer->bytes.data, writer->bytes.len) != 0)
        writer->failed = true;
    writer->bytes.len = 0;
}

static void encode(qp_writer *writer)
{
    missing m = {.writer = writer};
    if (writer->format->binary)
        qp_buf_add(&writer->bytes, writer->text.data, writer->text.len);
    else
        qp_encoder_add(writer->encoder, (qp_str){writer->text.data, writer->text.len},
                       &writer->bytes, "?", unmappable, &m);
    if (m.others != 0)
        qp_record_remark(&writer->reports, QP_D_encoding_unmappable, NULL,
                         "%s lacks more characters: %zu more were replaced",
                         writer->encoding, m.others);
    if (writer->text.failed || writer->bytes.failed || writer->arena.failed ||
        writer->reports.failed)
        writer->failed = true;
    writer->text.len = 0;
    if (writer->bytes.len >= FLUSH_AT)
        flush(writer);
}

void qp_writing_hand_on(qp_writing *writing)
{
    encode((qp_writer *)((char *)writing - offsetof(qp_writer, writing)));
}

static void begin(qp_writer *writer)
{
    if (!writer->begun && writer->format->write_begin != NULL)
        writer->format->write_begin(&writer->writing);
    writer->begun = true;
}

static void put_between(qp_writer *writer)
{
    if ((writer->writing.count != 0 || writer->writing.follows) &&
        writer->format->between != NULL)
        qp_buf_add_text(&writer->text, writer->format->between);
}

qp_status qp_writer_put(qp_writer *writer, const qp_game *game)
{
    qp_arena_rewind(&writer->arena);
    qp_record_rewind(&writer->reports);
    writer->game = game->number;
    if (writer->format->single && writer->writing.count != 0) {
        qp_writing_loss(&writer->writing, "one-game", 1, NULL,
                        "a file of %s holds one game: this one is left out",
                        writer->format->name);
        return writer->failed ? QP_FATAL : QP_OK;
    }
    qp_writing_losses(&writer->writing, writer->format, game, &writer->told);
    begin(writer);
    if (!writer->writing.part)
        put_between(writer);
    writer->format->write(&writer->writing, game);
    writer->writing.count++;
    encode(writer);
    if (writer->writing.part)
        flush(writer);
    return writer->failed ? QP_FATAL : QP_OK;
}

bool qp_writer_first(qp_writer *writer, unsigned once)
{
    bool first = !(writer->told & once);
    writer->told |= once;
    return first;
}

bool qp_writer_joins(const qp_writer_options *options)
{
    const qp_format *format = qp_format_find(options->format);
    return format != NULL && !format->single && !format->binary &&
           (options->encoding == NULL || qp_encoding_find(options->encoding) == QP_ENC_UTF8 ||
            qp_encoding_find(options->encoding) == QP_ENC_GB18030 ||
            qp_encoding_find(options->encoding) == QP_ENC_BIG5);
}

qp_status qp_writer_join(qp_writer *writer, const void *bytes, size_t size)
{
    begin(writer);
    put_between(writer);
    writer->writing.count++;
    encode(writer);
    qp_buf_add(&writer->bytes, bytes, size);
    writer->failed |= writer->bytes.failed;
    if (writer->bytes.len >= FLUSH_AT)
        flush(writer);
    return writer->failed ? QP_FATAL : QP_OK;
}

const qp_finding *qp_writer_findings(const qp_writer *writer, size_t *count)
{
    qp_writer *w = (qp_writer *)writer; /* the vector is a cache that nobody can see */
    size_t n = w->reports.report_count;
    *count = 0;
    if (n > w->finding_room) {
        qp_finding *grown = realloc(w->findings, n * 2 * sizeof *grown);
        if (grown == NULL)
            return NULL;
        w->findings = grown;
        w->finding_room = n * 2;
    }
    for (size_t i = 0; i < n; i++) {
        const qp_report *r = &w->reports.reports[i];
        w->findings[i] = (qp_finding){.code = r->code,
                                      .severity = r->severity,
                                      .detail = r->detail,
                                      .once = r->once,
                                      .game = w->game,
                                      .ply = r->ply,
                                      .variation = r->variation,
                                      .count = r->count,
                                      .message = r->message};
    }
    *count = n;
    return w->findings;
}

qp_status qp_writer_close(qp_writer *writer)
{
    if (writer == NULL)
        return QP_OK;
    begin(writer);
    if (writer->format->write_end != NULL)
        writer->format->write_end(&writer->writing);
    if (writer->writing.part)
        writer->text.len = 0;
    encode(writer);
    while (writer->format->write_more != NULL && writer->format->write_more(&writer->writing))
        encode(writer);
    flush(writer);
    bool failed = writer->failed;
    qp_encoder_close(writer->encoder);
    qp_patterns_free(writer->writing.patterns);
    qp_buf_clear(&writer->text);
    qp_buf_clear(&writer->bytes);
    qp_record_clear(&writer->reports);
    qp_arena_clear(&writer->arena);
    free(writer->writing.spelled);
    free(writer->findings);
    free(writer);
    return failed ? QP_FATAL : QP_OK;
}

/* ---- what writers share ---- */

bool qp_writing_start(const qp_game *game)
{
    qp_board usual;
    qp_board_start(&usual);
    return game->start_given || !qp_board_same(&usual, &game->start);
}

static bool is_alone(const qp_board *board, unsigned square)
{
    const qp_piece piece = board->at[square], *at = board->at + square % 9;
    unsigned count = 0;
    for (unsigned rank = 0; rank < 10; rank++)
        count += at[9 * rank] == piece;
    return piece != 0 && count == 1;
}

/* Appends a move in the writer's notation; returns how many bytes. */
static size_t put_spelled(qp_writing *writing, const qp_board *board, qp_move move)
{
    char text[QP_MOVE_TEXT_MAX];
    struct qp_spelled *kept = NULL;
    if (writing->spelled != NULL && qp_on_board(move) && is_alone(board, QP_FROM(move))) {
        qp_piece piece = board->at[QP_FROM(move)];
        kept = &writing->spelled[(move * UINT32_C(0x9e3779b1) + piece * UINT32_C(0x85ebca6b)) >>
                                 20 & (SPELLED - 1)];
        if (QP_LIKELY_TO(kept->move == move && kept->piece == piece && kept->len != 0)) {
            if (!qp_buf_reserve(writing->out, sizeof kept->text))
                return 0;
            memcpy(writing->out->data + writing->out->len, kept->text, sizeof kept->text);
            writing->out->len += kept->len;
            return kept->len;
        }
    }
    size_t len = qp_move_spell(writing->notation, board, move, text);
    qp_buf_add(writing->out, text, len);
    if (kept != NULL && len != 0 && len <= sizeof kept->text) {
        *kept = (struct qp_spelled){move, board->at[QP_FROM(move)], (uint8_t)len, {0}};
        memcpy(kept->text, text, len);
    }
    return len;
}

void qp_writing_move(qp_writing *writing, const qp_board *board, const qp_node *node)
{
    if (node->move != 0 && put_spelled(writing, board, node->move) != 0)
        return;
    if (node->text_len != 0) {
        qp_buf_add_str(writing->out, qp_node_text(node));
    } else if (node->move != 0) {
        char text[5];
        qp_move_text(node->move, text);
        qp_buf_add(writing->out, text, 4);
    }
}

static void put_rest_comments(qp_buf *out, const qp_comment *comment)
{
    for (; comment != NULL; comment = comment->next) {
        qp_buf_add_text(out, " {");
        qp_buf_add_str(out, comment->text);
        qp_buf_add_char(out, '}');
    }
}

static void put_rest_node(qp_buf *out, const qp_node *node)
{
    char text[5];
    if (node->extra != NULL && node->extra->before != NULL) {
        put_rest_comments(out, node->extra->before);
        qp_buf_add_char(out, ' ');
    }
    if (node->text_len != 0) {
        qp_buf_add_str(out, qp_node_text(node));
    } else {
        qp_move_text(node->move, text);
        qp_buf_add(out, text, 4);
    }
    if (node->extra == NULL)
        return;
    for (size_t i = 0; i < node->extra->nag_count; i++) {
        qp_buf_add_text(out, " $");
        qp_buf_add_number(out, node->extra->nags[i]);
    }
    put_rest_comments(out, node->extra->after);
}

void qp_writing_rest(const qp_node *node, qp_buf *out)
{
    if (node->extra != NULL && node->extra->rest.len != 0) {
        qp_buf_add_str(out, node->extra->rest);
        return;
    }
    size_t depth = 0;
    for (;;) {
        put_rest_node(out, node);
        if (qp_node_alternative(node) != NULL) {
            qp_buf_add_text(out, " (");
            depth++;
            node = qp_node_alternative(node);
            continue;
        }
        bool beside = false;
        while (node->next == NULL && depth > 0 && !beside) {
            while (!node->aside)
                node = node->prev;
            qp_buf_add_char(out, ')');
            if (qp_node_sibling(node) != NULL) {
                qp_buf_add_text(out, " (");
                node = qp_node_sibling(node);
                beside = true;
            } else {
                node = qp_node_owner(node);
                depth--;
            }
        }
        if (beside)
            continue;
        if (node->next == NULL)
            return;
        qp_buf_add_char(out, ' ');
        node = node->next;
    }
}

void qp_writing_rest_braced(qp_writing *writing, const qp_node *node)
{
    qp_buf rest = {0}, *out = writing->out;
    qp_writing_rest(node, &rest);
    qp_buf_add_char(out, '{');
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.data[i] == '{' || rest.data[i] == '}')
            qp_buf_add_text(out, rest.data[i] == '{' ? "｛" : "｝");
        else
            qp_buf_add_char(out, rest.data[i]);
    }
    qp_buf_add_char(out, '}');
    out->failed |= rest.failed;
    qp_buf_clear(&rest);
}
