/* Letters and squares as in western chess: Che3, Pxa5, A10e9, Hge2, exe6, Ch2-e2. A piece, what
 * tells it from others of its kind, and the square it goes to. Sources: Fairy-Stockfish's test.py
 * and games as pychess.org gives them out (ranks 1 to 10), UCI2WB and WinBoard (ranks 0 to 9);
 * which it is the whole record says, as for coordinates. Read alone, never written. */
#include "config.h"

#include "notation/inside.h"

enum { NOT_GIVEN = 15 };

typedef struct square {
    unsigned file, rank; /* NOT_GIVEN: left out */
} square;

/* A file, a rank, or both, at *at; moves on past what is there. */
static square read_square(const struct qp_lexer *lexer, const unsigned char **at,
                          const unsigned char *end)
{
    const unsigned char *p = *at;
    square found = {NOT_GIVEN, NOT_GIVEN};
    unsigned used;
    qp_symbol symbol;
    if (p < end && (symbol = qp_symbol_at(lexer, p, end, &used)).file != 0) {
        found.file = symbol.file - 1u;
        p += used;
    }
    if (p < end && (symbol = qp_symbol_at(lexer, p, end, &used)).rank != 0) {
        found.rank = symbol.rank - 1u;
        p += used;
        if (found.rank == 1 && p < end &&
            (symbol = qp_symbol_at(lexer, p, end, &used)).rank == 1) {
            found.rank = 10;
            p += used;
        }
    }
    *at = p;
    return found;
}

size_t qp_lex_san(const struct qp_lexer *lexer, const char *text, size_t len,
                  qp_written *written)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    unsigned used;
    if (len == 0)
        return 0;
    qp_symbol first = qp_symbol_at(lexer, p, end, &used);
    bool piece = first.can & QP_CAN_PIECE;
    if (piece)
        p += used;
    square from = read_square(lexer, &p, end), to = from;
    bool parted = p < end && qp_symbol_at(lexer, p, end, &used).separator;
    if (parted)
        p += used;
    square next = read_square(lexer, &p, end);
    if (next.file != NOT_GIVEN && next.rank != NOT_GIVEN) {
        to = next;
    } else {
        if (parted && from.file == NOT_GIVEN) /* Hxe5: the x alone came first */
            return 0;
        if (next.file != NOT_GIVEN || next.rank != NOT_GIVEN || parted)
            return 0;
        from = (square){NOT_GIVEN, NOT_GIVEN};
    }
    if (to.file == NOT_GIVEN || to.rank == NOT_GIVEN)
        return 0;
    if (p < end && (((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || (*p >= '0' && *p <= '9')))
        return 0;
    bool squares = !piece && from.file != NOT_GIVEN && from.rank != NOT_GIVEN;
    *written = (qp_written){.form = squares ? QP_FORM_COORD : QP_FORM_SAN,
                            .kind = squares ? 0 : piece ? first.kind : QP_PAWN,
                            .dialect = first.dialect,
                            .from_file = (uint8_t)from.file,
                            .from_rank = (uint8_t)from.rank,
                            .to_file = (uint8_t)to.file,
                            .to_rank = (uint8_t)to.rank};
    return (size_t)(p - (const unsigned char *)text);
}

/* A rank as written under a base; 10 where the board has none such. */
static unsigned rank_of(unsigned rank, qp_base base)
{
    unsigned counted = base == QP_BASE_ONE ? rank - 1 : base == QP_BASE_TOP ? 9 - rank : rank;
    return counted > 9 ? 10 : counted;
}

qp_square qp_san_goal(const qp_written *written, qp_base base)
{
    unsigned rank = rank_of(written->to_rank, base);
    return rank > 9 || written->to_file > 8 ? QP_NO_SQUARE
                                            : QP_SQUARE(written->to_file, rank);
}

size_t qp_san_pieces(const qp_board *board, const qp_written *written, qp_base base,
                     qp_square squares[QP_SQUARES])
{
    size_t count = 0;
    qp_square all[QP_SQUARES];
    size_t n = qp_rules_find(board, QP_PIECE(board->side, written->kind), all);
    for (size_t i = 0; i < n; i++)
        if ((written->from_file == NOT_GIVEN ||
             QP_FILE(all[i]) == (int)written->from_file) &&
            (written->from_rank == NOT_GIVEN ||
             QP_RANK(all[i]) == (int)rank_of(written->from_rank, base)))
            squares[count++] = all[i];
    return count;
}

size_t qp_resolve_san(const qp_board *board, const qp_written *written, qp_base base,
                      qp_move moves[8])
{
    qp_square squares[QP_SQUARES], to = qp_san_goal(written, base);
    if (to == QP_NO_SQUARE)
        return 0;
    size_t count = 0, n = qp_san_pieces(board, written, base, squares);
    for (size_t i = 0; i < n && count < QP_RESOLVE_MAX; i++)
        if (qp_rules_legal(board, QP_MOVE(squares[i], to)))
            moves[count++] = QP_MOVE(squares[i], to);
    return count;
}
