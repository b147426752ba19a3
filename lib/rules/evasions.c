/* The legal moves of a side in check: those of its king, and those that take what gives
 * check or step between. */
#include "config.h"

#include "rules/field.h"

/* Where a move must end, or what it must move, to answer a check by another piece than
 * the king. */
typedef struct answers {
    qp_set at;
    unsigned screen; /* the piece that a cannon needs */
    unsigned calm;   /* with qp_board.calm: the king is safe from all that such an answer
                        does not touch */
} answers;

/* The piece that gives check, where there is one alone; else QP_NO_SQUARE. *faced: an
 * enemy king looks at the king. */
static unsigned find_checker(const qp_field *field, unsigned king, bool *faced)
{
    const qp_board *board = &field->board;
    unsigned checker = QP_NO_SQUARE, found = 0;
    const qp_set *men = field->pieces + QP_PIECE(QP_OTHER(board->side), 0);
    const qp_set *lines = &qp_goals[QP_ROOK][king];
    *faced = false;
    for (unsigned half = 0; half < 2; half++) {
        uint64_t bits = (men[QP_ROOK].half[half] | men[QP_CANNON].half[half] |
                         men[QP_KING].half[half]) &
                        lines->half[half];
        bits |= men[QP_HORSE].half[half] & qp_goals[QP_HORSE][king].half[half];
        bits |= men[QP_PAWN].half[half] & qp_goals[QP_PAWN][king].half[half];
        bits |= men[QP_ADVISOR].half[half] & qp_goals[QP_ADVISOR][king].half[half];
        bits |= men[QP_ELEPHANT].half[half] & qp_goals[QP_ELEPHANT][king].half[half];
        for (; bits != 0; bits &= bits - 1) {
            unsigned man = qp_set_first(bits, half);
            if (QP_PIECE_KIND(board->at[man]) == QP_KING && QP_FILE(man) == QP_FILE(king))
                *faced |= bits_between(board, king, man, false) == 0;
            if (qp_field_allows(field, man, king)) {
                checker = man;
                found++;
            }
        }
    }
    return found == 1 ? checker : QP_NO_SQUARE;
}

static void find_answers(answers *a, const qp_field *field)
{
    const qp_board *board = &field->board;
    qp_side side = (qp_side)board->side;
    unsigned king = board->king[side], checker = QP_NO_SQUARE;
    bool faced = true;
    if (king < QP_SQUARES)
        checker = find_checker(field, king, &faced);
    qp_kind kind = checker < QP_SQUARES ? QP_PIECE_KIND(board->at[checker]) : 0;
    *a = (answers){.screen = QP_NO_SQUARE, .calm = board->calm};
    if (kind == QP_ROOK || kind == QP_CANNON) {
        int step = checker / 9 == king / 9 ? 1 : 9;
        if (king < checker)
            step = -step;
        for (unsigned at = checker + (unsigned)step; at != king; at += (unsigned)step)
            if (board->at[at] == 0)
                qp_set_add(&a->at, at);
            else
                a->screen = at;
    } else if (kind == QP_HORSE) {
        qp_set_add(&a->at, checker + (unsigned)qp_halves[step_index(checker, king)]);
    } else if (kind != QP_PAWN) { /* anything may be an answer */
        a->at.half[0] = a->at.half[1] = UINT64_MAX;
        return;
    }
    qp_set_add(&a->at, checker);
    if (!faced && (qp_zones[king] & QP_ZONE_PALACE(side)))
        a->calm |= QP_CALM(side, QP_CALM_ALL);
}

/* Whether a pseudo-legal move is legal, when calm is known. */
static inline bool is_legal(const qp_field *field, qp_move move, unsigned calm)
{
    return QP_PIECE_KIND(field->board.at[QP_TO(move)]) != QP_KING &&
           qp_field_safe_knowing(field, move, calm);
}

/* Whether another piece than the king may have an answer. */
static QP_INLINE bool may_answer(const answers *a, const qp_field *field, unsigned from)
{
    return qp_set_meets(&a->at, &qp_goals[QP_PIECE_KIND(field->board.at[from])][from]) ||
           from == a->screen;
}

/* Its legal moves. */
static size_t list_answers(const answers *a, const qp_field *field, unsigned from,
                           qp_move moves[QP_PIECE_MOVES_MAX])
{
    static const qp_set all = {{UINT64_MAX, UINT64_MAX}};
    size_t n = 0;
    size_t count =
        qp_field_moves_to(field, from, from == a->screen ? &all : &a->at, moves);
    for (size_t i = 0; i < count; i++) {
        moves[n] = moves[i];
        n += is_legal(field, moves[i], a->calm);
    }
    return n;
}

/* The legal moves of the king itself, as movegen.c lists them, or the first of them. */
static size_t list_escapes(const qp_field *field, unsigned king, qp_move moves[4],
                           const bool one)
{
    static const int8_t steps[4] = {1, 9, -1, -9};
    const qp_piece *at = field->board.at;
    const unsigned palace = qp_zones_of[at[king] & 15];
    size_t n = 0;
    for (int i = 0; i < 4 && !(one && n != 0); i++) {
        /* Beside the board there is no palace, behind its end neither. */
        unsigned to = (qp_square)(king + (unsigned)steps[i]);
        if (!(qp_zones[to] & palace) || (at[to] != 0 && (at[to] ^ at[king]) < 8) ||
            QP_PIECE_KIND(at[to]) == QP_KING || !qp_field_king_steps(field, king, to))
            continue;
        moves[n++] = QP_MOVE(king, to);
    }
    return n;
}

size_t qp_rules_evasions(const qp_field *field, qp_move moves[QP_MOVES_MAX],
                         uint32_t *nodes)
{
    answers a;
    unsigned king = field->board.king[field->board.side];
    const qp_set *men = &field->men[field->board.side];
    size_t n = 0;
    qp_spend(nodes, qp_list_work(field));
    find_answers(&a, field);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = men->half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            qp_move *own = moves + n;
            if (from == king)
                n += list_escapes(field, king, own, false);
            else if (may_answer(&a, field, from))
                n += list_answers(&a, field, from, own);
        }
    return n;
}

bool qp_rules_can_evade(const qp_field *field)
{
    answers a;
    qp_move moves[QP_PIECE_MOVES_MAX];
    unsigned side = field->board.side, king = field->board.king[side];
    if (king < QP_SQUARES && list_escapes(field, king, moves, true) != 0)
        return true;
    find_answers(&a, field);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = field->men[side].half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            if (from != king && may_answer(&a, field, from) &&
                list_answers(&a, field, from, moves) != 0)
                return true;
        }
    return false;
}
