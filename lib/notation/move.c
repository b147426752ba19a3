/* One move as text, both ways: what a dialect writes, and the public functions. */
#include "config.h"

#include "notation/inside.h"

#include <stdlib.h>

/* ---- spell ---- */

typedef struct writing {
    const struct qp_speller *speller;
    qp_side side;
    char *text;
    size_t len;
    bool failed;
} writing;

static void put(writing *w, qp_str text)
{
    if (text.len == 0 || text.len >= QP_MOVE_TEXT_MAX - w->len) {
        w->failed = true;
        return;
    }
    memcpy(w->text + w->len, text.data, text.len);
    w->len += text.len;
}

static void put_digit(writing *w, unsigned digit)
{
    char full[3] = {'\xef', '\xbc', (char)(0x90 + digit)}; /* U+FF10 and on */
    if (w->side == QP_BLACK && w->speller->full_digits)
        put(w, (qp_str){full, 3});
    else
        put(w, w->speller->digit[w->side == QP_BLACK && !w->speller->red_digits][digit]);
}

static void put_piece(writing *w, qp_kind kind)
{
    size_t from = w->len;
    put(w, w->speller->piece[w->side][kind]);
    for (size_t i = from; w->speller->lower[w->side] && i < w->len; i++)
        if (w->text[i] >= 'A' && w->text[i] <= 'Z')
            w->text[i] = (char)(w->text[i] | 0x20);
}

/* The dialect's first form for what the head names. */
static const qp_shape *shape_for(const struct qp_speller *speller, const qp_head *head)
{
    unsigned set = 1u << QP_PART_WAY | 1u << QP_PART_ARG;
    set |= head->kind != 0 ? 1u << QP_PART_PIECE : 0;
    set |= head->which.len != 0 ? 1u << QP_PART_WHICH : 0;
    set |= head->road != 0 ? 1u << QP_PART_ROAD : 0;
    for (size_t i = 0; i < speller->shape_count; i++)
        if (speller->shapes[i].set == set &&
            (!head->road_first || speller->shapes[i].parts[0] == QP_PART_ROAD))
            return &speller->shapes[i];
    return NULL;
}

/* Which way a move goes and with what number; false where the piece does not move so. */
static bool way_of(qp_side side, qp_kind kind, qp_move move, qp_way *way, unsigned *arg)
{
    qp_square from = QP_FROM(move), to = QP_TO(move);
    int ahead = (QP_RANK(to) - QP_RANK(from)) * QP_FORWARD(side);
    bool aslant = kind == QP_HORSE || kind == QP_ELEPHANT || kind == QP_ADVISOR;
    *way = ahead > 0 ? QP_WAY_FORWARD : ahead < 0 ? QP_WAY_BACK : QP_WAY_ACROSS;
    *arg = aslant || ahead == 0 ? (unsigned)QP_ROAD(side, QP_FILE(to))
                                : (unsigned)(ahead > 0 ? ahead : -ahead);
    return qp_goal(side, kind, from, *way, *arg) == to;
}

size_t qp_move_spell(const qp_notation *notation, const qp_board *board, qp_move move,
                     char text[QP_MOVE_TEXT_MAX])
{
    const struct qp_speller *speller =
        notation->writes ? qp_notation_speller(notation) : NULL;
    qp_square from = QP_FROM(move), to = QP_TO(move);
    text[0] = '\0';
    if (speller == NULL || from >= QP_SQUARES || to >= QP_SQUARES ||
        board->at[from] == 0)
        return 0;
    if (speller->file[0].len != 0) {
        size_t len = qp_spell_coord(speller, move, text, QP_MOVE_TEXT_MAX - 1);
        text[len] = '\0';
        return len;
    }

    writing w = {
        .speller = speller, .side = QP_PIECE_SIDE(board->at[from]), .text = text};
    qp_way way;
    unsigned arg;
    qp_head head;
    if (!way_of(w.side, QP_PIECE_KIND(board->at[from]), move, &way, &arg) ||
        !(speller->pawns >= QP_PAWNS_ORDINAL ? qp_head_wxf : qp_head_chinese)(
            speller, board, move, way, arg, &head))
        return 0;
    const qp_shape *shape = shape_for(speller, &head);
    for (size_t i = 0; shape != NULL && i < shape->count; i++) {
        switch ((qp_part)shape->parts[i]) {
        case QP_PART_PIECE:
            put_piece(&w, head.kind);
            break;
        case QP_PART_WHICH:
            put(&w, head.which);
            break;
        case QP_PART_ROAD:
            put_digit(&w, head.road);
            break;
        case QP_PART_WAY:
            put(&w, speller->way[way]);
            break;
        default:
            put_digit(&w, arg);
            break;
        }
    }
    if (w.failed)
        w.len = 0;
    text[w.len] = '\0';
    return w.len;
}

/* ---- read ---- */

/* Marks that may stand behind a move, and blanks. */
static bool only_marks(const char *p, const char *end)
{
    while (p < end) {
        size_t blank = qp_blank_len(p, (size_t)(end - p));
        if (blank == 0 && strchr("!?+#=*", *p) == NULL)
            return false;
        p += blank != 0 ? blank : 1;
    }
    return true;
}

size_t qp_move_read(const qp_context *context, const qp_board *board, qp_str text,
                    qp_move moves[8], qp_code *code)
{
    qp_written written;
    qp_reason reason;
    unsigned pick;
    *code = QP_D_move_unreadable;
    moves[0] = 0;
    text = qp_str_trim(text);
    size_t len = qp_lex_move(qp_context_lexer(context), text.data, text.len, &written);
    if (len == 0 || !only_marks(text.data + len, text.data + text.len))
        return 0;
    int bases = written.form == QP_FORM_COORD ? QP_BASES : 1;
    for (int base = 0; base < bases; base++) {
        size_t count = qp_resolve(board, &written, (qp_base)base, moves, &pick);
        if (count != 0) {
            *code = count > 1 ? QP_D_move_ambiguous : QP_D_none;
            return count;
        }
    }
    qp_resolve_why(board, &written, QP_BASE_ZERO, &reason);
    *code = reason.code;
    moves[0] = reason.move;
    return 0;
}
