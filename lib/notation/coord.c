/* Coordinates: two squares by file letter and rank number, as ICCS, UCCI and UCI write
 * them. Which rank is the first is the record's to say. */
#include "config.h"

#include "notation/inside.h"

/* A square at *at; moves on past it. */
static bool read_square(const struct qp_lexer *lexer, const unsigned char **at,
                        const unsigned char *end, qp_symbol *file, unsigned *rank)
{
    const unsigned char *p = *at;
    unsigned used;
    qp_symbol symbol;
    if (p >= end)
        return false;
    *file = qp_symbol_at(lexer, p, end, &used);
    p += used;
    if (file->file == 0 || p >= end)
        return false;
    symbol = qp_symbol_at(lexer, p, end, &used);
    p += used;
    if (symbol.rank == 0)
        return false;
    *rank = symbol.rank - 1u;
    if (*rank == 1 && p < end &&
        (symbol = qp_symbol_at(lexer, p, end, &used)).rank == 1) {
        *rank = 10;
        p += used;
    }
    *at = p;
    return true;
}

size_t qp_lex_coord(const struct qp_lexer *lexer, const unsigned char *text,
                    const unsigned char *end, qp_written *written)
{
    const unsigned char *p = text;
    qp_symbol from, to;
    unsigned from_rank, to_rank, used, between = 0;
    bool spaced = false;
    if (!read_square(lexer, &p, end, &from, &from_rank))
        return 0;
    for (const unsigned char *q = p; q < end && between < 4; between++, p = q) {
        qp_symbol symbol = qp_symbol_at(lexer, q, end, &used);
        if (!symbol.blank && !symbol.separator)
            break;
        if (symbol.separator && q + used < end &&
            qp_symbol_at(lexer, q + used, end, &(unsigned){0}).separator)
            return 0; /* h2--e2 */
        spaced |= symbol.blank && !symbol.unseen;
        q += used;
    }
    const unsigned char *goal = p;
    if (!read_square(lexer, &p, end, &to, &to_rank) || !qp_lex_ends(p, end))
        return 0;
    if (spaced && (*text & 0x20) != (*goal & 0x20))
        return 0; /* a3 E10: two moves of another notation */
    *written = (qp_written){.form = QP_FORM_COORD,
                            .dialect = lexer->coordinates,
                            .from_file = (uint8_t)(from.file - 1),
                            .from_rank = (uint8_t)from_rank,
                            .to_file = (uint8_t)(to.file - 1),
                            .to_rank = (uint8_t)to_rank,
                            .style = spaced ? QP_STYLE_SPACED : 0};
    return (size_t)(p - text);
}

qp_move qp_coord_move(const qp_written *written, qp_base base)
{
    /* What lies below rank 0 wraps round and is above 9 too. */
    unsigned from = written->from_rank, to = written->to_rank;
    if (QP_RARE(base == QP_BASE_ONE)) {
        from--;
        to--;
    } else if (QP_RARE(base == QP_BASE_TOP)) {
        from = 9 - from;
        to = 9 - to;
    }
    if (from > 9 || to > 9 || written->from_file > 8 || written->to_file > 8)
        return 0;
    return QP_MOVE(QP_SQUARE(written->from_file, from), QP_SQUARE(written->to_file, to));
}

size_t qp_spell_coord(const struct qp_speller *speller, qp_move move, char *text,
                      size_t room)
{
    size_t len = 0;
    for (int i = 0; i < 2; i++) {
        qp_square square = i == 0 ? QP_FROM(move) : QP_TO(move);
        qp_str file = speller->file[QP_FILE(square)];
        qp_str rank = speller->rank[QP_RANK(square) + speller->base];
        if (file.len == 0 || rank.len == 0 || file.len + rank.len > room - len)
            return 0;
        memcpy(text + len, file.data, file.len);
        memcpy(text + len + file.len, rank.data, rank.len);
        len += file.len + rank.len;
    }
    return len;
}
