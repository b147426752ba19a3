/* Spellers: what the writer takes from a dialect's rows, or from what was worked out of them when
 * the library was built. */
#include "config.h"

#include "notation/inside.h"

#include <stdlib.h>

static void take_row(struct qp_speller *s, const qp_row *row)
{
    qp_part part = QP_PART_COUNT;
    int value = qp_row_value(row, &part);
    qp_str first = row->spellings[0];
    bool black =
        qp_str_is(row->kind, "piece.black") || qp_str_is(row->kind, "digit.black");
    if (value < 0)
        return;
    switch (part) {
    case QP_PART_PIECE:
        s->piece[black][value] = first;
        break;
    case QP_PART_ARG:
        s->digit[black][value] = first;
        break;
    case QP_PART_WAY:
        s->way[value] = first;
        break;
    case QP_PART_WHICH:
        s->which[value] = first;
        for (size_t i = 0; i < row->spelling_count && value <= QP_WHICH_5; i++)
            if ((row->spellings[i].data[0] | 0x20) >= 'a' &&
                (row->spellings[i].data[0] | 0x20) <= 'z' && s->letter[value].len == 0)
                s->letter[value] = row->spellings[i];
        break;
    case QP_PART_FILE:
        s->file[value] = first;
        break;
    case QP_PART_RANK:
        s->rank[value] = first;
        break;
    default:
        s->separator = first;
        break;
    }
}

static qp_pawns pawns_option(qp_str setting)
{
    static const char *const settings[] = {"file",    "numbered", "long",
                                           "ordinal", "axf",      "letters"};
    for (size_t i = 0; i < QP_COUNT(settings); i++)
        if (qp_str_is(setting, settings[i]))
            return (qp_pawns)i;
    return QP_PAWNS_FILE;
}

struct qp_speller *qp_speller_new(const qp_dialect *dialect)
{
    struct qp_speller *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    for (size_t i = 0; i < dialect->row_count; i++) {
        const qp_row *row = &dialect->rows[i];
        if (!qp_str_is(row->kind, "form"))
            take_row(s, row);
        else if (s->shape_count < QP_FORMS_MAX &&
                 qp_shape_read(row->spellings[0], &s->shapes[s->shape_count]))
            s->shape_count++;
    }
    qp_str letters = qp_dialect_option(dialect, "case");
    qp_str digits = qp_dialect_option(dialect, "black-digits");
    s->pawns = pawns_option(qp_dialect_option(dialect, "pawns"));
    s->order_needed = qp_str_is(qp_dialect_option(dialect, "order"), "needed");
    s->lower[QP_RED] = qp_str_is(letters, "lower");
    s->lower[QP_BLACK] = s->lower[QP_RED] || qp_str_is(letters, "lower-black");
    s->full_digits = qp_str_is(digits, "full");
    s->red_digits = qp_str_is(digits, "chinese");
    s->base = qp_str_is(qp_dialect_option(dialect, "base"), "1");
    return s;
}

_Static_assert(offsetof(struct qp_speller, shapes) == QP_SPELLINGS * sizeof(qp_str), "no gap");

struct qp_speller *qp_speller_built_in(const qp_named *named)
{
    struct qp_speller *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = named->speller;
    qp_str *spelling = (qp_str *)(void *)s;
    const char *text = named->spellings;
    for (size_t i = 0; i < QP_SPELLINGS; i++) {
        size_t len = strlen(text);
        if (len != 0)
            spelling[i] = (qp_str){text, len};
        text += len + 1;
    }
    return s;
}
