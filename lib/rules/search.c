/* Short searches: which moves give check, and whether checks alone can mate. Depth and
 * work are bounded by the caller. */
#include "config.h"

#include "rules/field.h"
#include "rules/step.h"

size_t qp_rules_legal_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    size_t count = qp_rules_moves(board, moves), n = 0;
    for (size_t i = 0; i < count; i++)
        if (QP_PIECE_KIND(board->at[QP_TO(moves[i])]) != QP_KING &&
            qp_rules_king_safe(board, moves[i]))
            moves[n++] = moves[i];
    return n;
}

/* Takes work off what is left; false once there is none. A unit is some hundreds of
 * instructions. */
static bool spend(uint32_t *nodes, uint32_t work)
{
    if (*nodes < work || *nodes == 0) {
        *nodes = 0;
        return false;
    }
    *nodes -= work;
    return true;
}

static uint32_t work_of(size_t moves)
{
    return 1 + (uint32_t)moves / 8;
}

/* What stands on one line of the other side's king, as bits by file or rank. */
typedef struct aim {
    unsigned all, king;
    unsigned rooks, cannons; /* of the side to move */
    /* Where a piece gives check that comes from beside the line: any, as a screen; a
     * rook, a cannon. */
    unsigned any, rook, cannon;
} aim;

/* Fills in a line's squares to one side of the king. */
static QP_INLINE void aim_ray(aim *a, unsigned ray, const bool up)
{
    unsigned first = qp_step_first(a->all & ray, up);
    unsigned beyond = first == 0 ? 0 : ray & (up ? ~(first | (first - 1)) : first - 1);
    unsigned second = qp_step_first(a->all & beyond, up);
    unsigned behind =
        second == 0 ? 0 : beyond & (up ? ~(second | (second - 1)) : second - 1);
    unsigned near = ray & ~(beyond | first);
    a->any |= first & a->cannons ? near : 0;
    a->rook |= near | first;
    a->cannon |= beyond & ~behind;
}

/* all: what is occupied of a line of count squares, the first of them first, step apart.
 */
static QP_INLINE void aim_along(aim *a, const qp_board *board, unsigned all,
                                unsigned first, const unsigned step, const unsigned count,
                                unsigned king)
{
    const qp_piece rook = QP_PIECE(board->side, QP_ROOK);
    const qp_piece cannon = QP_PIECE(board->side, QP_CANNON);
    *a = (aim){.all = all, .king = 1u << king};
    for (unsigned bits = all; bits != 0; bits &= bits - 1) {
        unsigned place = qp_lowest_bit(bits);
        qp_piece piece = board->at[first + place * step];
        a->rooks |= (unsigned)(piece == rook) << place;
        a->cannons |= (unsigned)(piece == cannon) << place;
    }
    aim_ray(a, (1u << count) - (2u << king), true);
    aim_ray(a, a->king - 1, false);
}

/* Whether the king can be taken along the line after a move: bits of its squares that lie
 * on the line. */
static inline bool aim_hits(const aim *a, qp_kind kind, unsigned from, unsigned to)
{
    unsigned rooks = (a->rooks & ~from) | (kind == QP_ROOK ? to : 0);
    unsigned cannons = (a->cannons & ~from) | (kind == QP_CANNON ? to : 0);
    return qp_line_threat((a->all & ~from) | to, a->king, rooks, cannons);
}

static inline bool aim_reached(const aim *a, qp_kind kind, unsigned to)
{
    return ((a->any | (kind == QP_ROOK     ? a->rook
                       : kind == QP_CANNON ? a->cannon
                                           : 0)) >>
                to &
            1) != 0;
}

/* Which moves can give check to a king in its palace: QP_CALM_... bits of what comes near
 * it, by kind, and of what leaves a line open. */
typedef struct checking {
    unsigned king;
    aim file, rank;
    unsigned comes[8], leaves;
} checking;

static void find_checking(checking *c, const qp_field *field, unsigned king)
{
    const qp_board *board = &field->board;
    unsigned rank = king / 9, file = king - rank * 9;
    c->king = king;
    aim_along(&c->file, board, field->file[file], file, 9, 10, rank);
    aim_along(&c->rank, board, qp_field_rank(field, &qp_spots_of[king]), king - file, 1,
              9, file);
    unsigned screens =
        (c->file.any != 0 ? QP_CALM_FILE : 0) | (c->rank.any != 0 ? QP_CALM_RANK : 0);
    for (int kind = 0; kind < 8; kind++)
        c->comes[kind] = screens;
    c->comes[QP_ROOK] = c->comes[QP_CANNON] = QP_CALM_FILE | QP_CALM_RANK;
    c->comes[QP_HORSE] |= QP_CALM_NEAR;
    c->comes[QP_PAWN] |= QP_CALM_NEAR;
    c->leaves = ((c->file.rooks | c->file.cannons) != 0 ? QP_CALM_FILE : 0) |
                ((c->rank.rooks | c->rank.cannons) != 0 ? QP_CALM_RANK : 0) |
                QP_CALM_NEAR;
}

/* Whether a horse stands so that the square, aslant of the king, is its leg on the way to
 * it. */
static bool horse_behind(const qp_board *board, unsigned king, unsigned leg)
{
    const qp_piece horse = QP_PIECE(board->side, QP_HORSE);
    int ranks = QP_RANK(leg) - QP_RANK(king), beyond = QP_RANK(leg) + ranks;
    int files = QP_FILE(leg) - QP_FILE(king);
    return board->at[(int)leg + files] == horse ||
           (beyond >= 0 && beyond < 10 && board->at[(int)leg + 9 * ranks] == horse);
}

/* Whether a horse or pawn gives check where it comes to. */
static bool comes_to_check(const qp_board *board, unsigned king, unsigned from,
                           unsigned to)
{
    qp_piece piece = board->at[from];
    int step = step_index(to, king);
    if (!(qp_ways[step] & qp_ways_of[piece & 15]))
        return false;
    unsigned leg = to + (unsigned)qp_halves[step];
    return QP_PIECE_KIND(piece) == QP_PAWN || leg == from || board->at[leg] == 0;
}

/* One piece whose moves are asked for checks. */
typedef struct mover {
    unsigned from, line; /* the king's line that it stands on: a QP_CALM_ bit, or 0 */
    qp_kind kind;
    bool opens; /* leaving its line or square gives check */
} mover;

static QP_INLINE void find_mover(mover *m, const checking *c, const qp_board *board,
                                 unsigned from)
{
    unsigned leaves = leaves_open(c->king, from) & c->leaves;
    *m = (mover){.from = from,
                 .line = leaves & (QP_CALM_FILE | QP_CALM_RANK),
                 .kind = QP_PIECE_KIND(board->at[from])};
    if (leaves & QP_CALM_FILE)
        m->opens = aim_hits(&c->file, m->kind, 1u << from / 9, 0);
    else if (leaves & QP_CALM_RANK)
        m->opens = aim_hits(&c->rank, m->kind, 1u << from % 9, 0);
    else if (leaves & QP_CALM_NEAR)
        m->opens = horse_behind(board, c->king, from);
}

/* Whether no piece that goes two squares at most comes from there to where it gives
 * check. */
static inline bool is_far(unsigned king, unsigned from)
{
    int files = (int)(from % 9) - (int)(king % 9),
        ranks = (int)(from / 9) - (int)(king / 9);
    return (unsigned)(files + 4) > 8 || (unsigned)(ranks + 4) > 8;
}

/* Whether it gives check to the king, which is in none yet, by a pseudo-legal move. */
static QP_INLINE bool gives_check(const mover *m, const checking *c,
                                  const qp_board *board, unsigned to)
{
    unsigned comes = comes_near(c->king, to);
    bool opens = m->opens;
    if (QP_RARE(comes & m->line)) { /* along the line */
        opens = m->line == QP_CALM_FILE
                    ? aim_hits(&c->file, m->kind, 1u << m->from / 9, 1u << to / 9)
                    : aim_hits(&c->rank, m->kind, 1u << m->from % 9, 1u << to % 9);
        comes &= ~m->line;
    }
    comes &= c->comes[m->kind];
    if (QP_LIKELY_TO(comes == 0) || opens)
        return opens;
    return ((comes & QP_CALM_FILE) && aim_reached(&c->file, m->kind, to / 9)) ||
           ((comes & QP_CALM_RANK) && aim_reached(&c->rank, m->kind, to % 9)) ||
           ((comes & QP_CALM_NEAR) && comes_to_check(board, c->king, m->from, to));
}

/* qp_rules_checks, where the king stands outside its palace or is in check already. */
static QP_APART size_t checks_played(const qp_field *field, qp_move moves[QP_MOVES_MAX])
{
    qp_side enemy = QP_OTHER(field->board.side);
    qp_square men[QP_SQUARES];
    qp_field after = *field;
    size_t men_count = qp_field_men(field, field->board.side, men), n = 0;
    for (size_t k = 0; k < men_count; k++) {
        qp_move *own = moves + n;
        size_t count = qp_field_piece_moves(field, men[k], own);
        for (size_t i = 0; i < count; i++) {
            qp_undo undo;
            if (QP_PIECE_KIND(field->board.at[QP_TO(own[i])]) == QP_KING)
                continue;
            qp_field_make_legal(&after, own[i], &undo);
            bool check = qp_field_in_check(&after, enemy);
            qp_field_undo(&after, own[i], &undo);
            if (check && qp_field_king_safe(field, own[i]))
                moves[n++] = own[i];
        }
    }
    return n;
}

/* The checks of a rook or cannon by coming to one of the king's lines. */
static size_t line_checks(const checking *c, const qp_field *field, const mover *m,
                          qp_move *moves)
{
    unsigned rank = m->from / 9, file = m->from % 9;
    unsigned king_file = c->king % 9;
    unsigned goals[2] = {m->from - file + king_file, c->king - king_file + file};
    bool reached[2] = {aim_reached(&c->file, m->kind, rank),
                       aim_reached(&c->rank, m->kind, file)};
    size_t n = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!reached[i] || !qp_field_allows(field, m->from, goals[i]) ||
            QP_PIECE_KIND(field->board.at[goals[i]]) == QP_KING)
            continue;
        moves[n] = QP_MOVE(m->from, goals[i]);
        n += qp_field_king_safe(field, moves[n]);
    }
    return n;
}

size_t qp_rules_checks(const qp_field *field, qp_move moves[QP_MOVES_MAX],
                       uint32_t *nodes)
{
    const qp_board *board = &field->board;
    qp_side enemy = QP_OTHER(board->side);
    unsigned king = board->king[enemy];
    const qp_set *men = &field->men[board->side];
    size_t n = 0;
    checking c;
    if (!spend(nodes, work_of(qp_field_count(field))) || king >= QP_SQUARES)
        return 0;
    if (!(qp_zones[king] & QP_ZONE_PALACE(enemy)) || qp_field_in_check(field, enemy))
        return checks_played(field, moves);
    find_checking(&c, field, king);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = men->half[half]; bits != 0; bits &= bits - 1) {
            mover m;
            unsigned from = qp_set_first(bits, half);
            find_mover(&m, &c, board, from);
            if (m.line == 0 && !m.opens) {
                if (m.kind == QP_ROOK || m.kind == QP_CANNON) {
                    n += line_checks(&c, field, &m, moves + n);
                    continue;
                }
                if (c.comes[m.kind] == 0 ||
                    (c.comes[m.kind] == QP_CALM_NEAR && is_far(king, from)))
                    continue;
            }
            qp_move *own = moves + n;
            size_t count = qp_field_piece_moves(field, from, own);
            for (size_t i = 0; i < count; i++)
                if (gives_check(&m, &c, board, QP_TO(own[i])) &&
                    QP_PIECE_KIND(board->at[QP_TO(own[i])]) != QP_KING &&
                    qp_field_king_safe(field, own[i]))
                    moves[n++] = own[i];
        }
    return n;
}

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

/* The legal moves of another piece than the king. */
static inline size_t list_answers(const answers *a, const qp_field *field, unsigned from,
                                  qp_move moves[QP_PIECE_MOVES_MAX])
{
    static const qp_set all = {{UINT64_MAX, UINT64_MAX}};
    size_t n = 0, count;
    if (from == a->screen)
        count = qp_field_moves_to(field, from, &all, moves);
    else if (qp_set_meets(&a->at, &qp_goals[QP_PIECE_KIND(field->board.at[from])][from]))
        count = qp_field_moves_to(field, from, &a->at, moves);
    else
        return 0;
    for (size_t i = 0; i < count; i++) {
        moves[n] = moves[i];
        n += is_legal(field, moves[i], a->calm);
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
    spend(nodes, work_of(qp_field_count(field)));
    find_answers(&a, field);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = men->half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            qp_move *own = moves + n;
            if (from != king) {
                n += list_answers(&a, field, from, own);
                continue;
            }
            size_t count = qp_field_piece_moves(field, from, own);
            for (size_t i = 0; i < count; i++) {
                moves[n] = own[i];
                n += is_legal(field, own[i], field->board.calm);
            }
        }
    return n;
}

bool qp_rules_can_evade(const qp_field *field)
{
    answers a;
    qp_move moves[QP_PIECE_MOVES_MAX];
    unsigned side = field->board.side, king = field->board.king[side];
    size_t count = king < QP_SQUARES ? qp_field_piece_moves(field, king, moves) : 0;
    for (size_t i = 0; i < count; i++)
        if (is_legal(field, moves[i], field->board.calm))
            return true;
    find_answers(&a, field);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = field->men[side].half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            if (from != king && list_answers(&a, field, from, moves) != 0)
                return true;
        }
    return false;
}

/* Moves of one side that the other cannot take away but by a move that ends on one of
 * these squares, or touches the king's safety. */
#define SPARES_MAX 3
typedef struct spare {
    uint8_t from, middle, to;
    bool apart; /* touches nothing that the king's safety depends on */
} spare;

static size_t find_spares(const qp_field *field, qp_side side, spare spares[SPARES_MAX])
{
    const qp_board *board = &field->board;
    qp_square men[QP_SQUARES];
    qp_move moves[QP_PIECE_MOVES_MAX];
    unsigned king = board->king[side];
    size_t n = 0;
    if (king < QP_SQUARES && !(qp_zones[king] & QP_ZONE_PALACE(side)))
        return 0;
    const qp_set empty = {{~(field->men[0].half[0] | field->men[1].half[0]),
                           ~(field->men[0].half[1] | field->men[1].half[1])}};
    size_t men_count = qp_field_men(field, side, men);
    for (size_t k = 0; k < men_count && n < SPARES_MAX; k++) {
        unsigned from = men[k];
        qp_kind kind = QP_PIECE_KIND(board->at[from]);
        if (kind == QP_KING)
            continue;
        /* Of rooks and cannons only to the next square. */
        const qp_set *near =
            &qp_goals[kind == QP_ROOK || kind == QP_CANNON ? QP_KING : kind][from];
        const qp_set goals = {
            {near->half[0] & empty.half[0], near->half[1] & empty.half[1]}};
        if ((goals.half[0] | goals.half[1]) == 0)
            continue;
        size_t count = qp_field_moves_to(field, from, &goals, moves);
        for (size_t i = 0; i < count; i++) {
            unsigned to = QP_TO(moves[i]);
            if (!qp_field_king_safe(field, moves[i]))
                continue;
            spares[n++] =
                (spare){.from = (uint8_t)from,
                        .middle = (uint8_t)((int)from + qp_halves[step_index(from, to)]),
                        .to = (uint8_t)to,
                        .apart = king >= QP_SQUARES ||
                                 (leaves_open(king, from) | comes_near(king, to)) == 0};
            break;
        }
    }
    return n;
}

/* The squares on which a move leaves none of them, or of those that stand apart. */
static qp_set ends_of(const spare *spares, size_t count, bool apart)
{
    qp_set all = {{UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < count; i++) {
        qp_set one = {{0, 0}};
        if (apart && !spares[i].apart)
            continue;
        qp_set_add(&one, spares[i].from);
        qp_set_add(&one, spares[i].middle);
        qp_set_add(&one, spares[i].to);
        all.half[0] &= one.half[0];
        all.half[1] &= one.half[1];
    }
    return all;
}

/* Whether the side to move has one of them, or any other legal move. */
static bool has_legal(const qp_field *field, const spare *spares, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (field->board.at[spares[i].from] >> 3 == field->board.side &&
            qp_field_legal(field, QP_MOVE(spares[i].from, spares[i].to)))
            return true;
    return qp_rules_can_move(&field->board);
}

/* The pseudo-legal moves of the side to move that may end the game: those that touch a king's
 * safety, take it, or end on some squares. */
static size_t list_ending(const qp_field *field, unsigned king, const qp_set *ends,
                          qp_move moves[QP_MOVES_MAX])
{
    const qp_set all = {{UINT64_MAX, UINT64_MAX}};
    const qp_set *kings = &field->pieces[QP_PIECE(QP_OTHER(field->board.side), QP_KING)];
    qp_set goals;
    size_t n = 0;
    for (unsigned half = 0; half < 2; half++) {
        goals.half[half] = ends->half[half] | kings->half[half];
        if (king < QP_SQUARES)
            goals.half[half] |= qp_goals[QP_ROOK][king].half[half] |
                                qp_goals[QP_HORSE][king].half[half];
    }
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = field->men[field->board.side].half[half]; bits != 0;
             bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            bool leaves = king < QP_SQUARES && leaves_open(king, from) != 0;
            qp_kind kind = QP_PIECE_KIND(field->board.at[from]);
            if (leaves)
                n += qp_field_moves_to(field, from, &all, moves + n);
            else if (qp_set_meets(&goals, &qp_goals[kind][from]))
                n += qp_field_moves_to(field, from, &goals, moves + n);
        }
    return n;
}

qp_answer qp_rules_can_finish(qp_field *field, uint32_t *nodes)
{
    spare spares[SPARES_MAX];
    qp_move moves[QP_MOVES_MAX];
    const qp_board *board = &field->board;
    qp_side other = QP_OTHER(board->side);
    unsigned king = board->king[other];
    checking c;
    mover m = {.from = QP_NO_SQUARE};
    qp_field_learn(field);
    size_t spare_count = find_spares(field, other, spares);
    if (!spend(nodes, work_of(qp_field_count(field))))
        return QP_UNKNOWN;
    const qp_set ends = ends_of(spares, spare_count, false);
    const qp_set apart = ends_of(spares, spare_count, true);
    size_t count = list_ending(field, king, &ends, moves);
    /* A move that gives no check can still face the king, by a king that does not count.
     */
    unsigned own = board->king[board->side];
    bool calm = (~board->calm & QP_CALM(other, QP_CALM_ALL)) == 0 && own < QP_SQUARES &&
                !has_other_king(board, own);
    if (calm)
        find_checking(&c, field, king);
    for (size_t i = 0; i < count; i++) {
        unsigned from = QP_FROM(moves[i]), to = QP_TO(moves[i]);
        qp_undo undo;
        if (from != m.from) {
            m.from = from;
            if (calm)
                find_mover(&m, &c, board, from);
        }
        if (!qp_field_king_safe(field, moves[i]))
            continue;
        if (QP_PIECE_KIND(board->at[to]) == QP_KING)
            return QP_YES;
        if (!spend(nodes, 1))
            return QP_UNKNOWN;
        bool check = calm && gives_check(&m, &c, board, to);
        if (calm && !check && !qp_set_has(&apart, to))
            continue;
        qp_field_make_legal(field, moves[i], &undo);
        if (!calm)
            check = qp_field_in_check(field, other);
        bool ends_it =
            check ? !qp_rules_can_evade(field) : !has_legal(field, spares, spare_count);
        qp_field_undo(field, moves[i], &undo);
        if (ends_it)
            return QP_YES;
    }
    return QP_NO;
}

/* checks bounds the recursion. The row ends where one reply has no answer: whether that
 * is NO or UNKNOWN makes no difference to a YES, so the first one found is taken. */
static qp_answer mate(qp_field *field, unsigned checks, qp_memo *memo, uint32_t *nodes)
{
    qp_move tried[QP_MOVES_MAX], replies[QP_MOVES_MAX];
    qp_answer best = QP_NO;
    size_t count = qp_memo_checks(memo, field, tried, nodes);
    if (*nodes == 0)
        return QP_UNKNOWN;
    for (size_t i = 0; i < count && best != QP_YES; i++) {
        qp_undo undo;
        if (!spend(nodes, 1))
            return best > QP_UNKNOWN ? best : QP_UNKNOWN;
        qp_field_make_legal(field, tried[i], &undo);
        qp_answer all = QP_YES;
        if (checks <= 1) {
            if (qp_rules_can_evade(field))
                all = QP_UNKNOWN;
        } else {
            size_t n = qp_memo_evasions(memo, field, replies, nodes);
            for (size_t k = 0; k < n && all == QP_YES; k++) {
                qp_undo reply;
                qp_field_make_legal(field, replies[k], &reply);
                all = mate(field, checks - 1, memo, nodes);
                qp_field_undo(field, replies[k], &reply);
            }
        }
        qp_field_undo(field, tried[i], &undo);
        if (all > best)
            best = all;
    }
    return best;
}

qp_answer qp_rules_mate_by_checks(qp_field *field, unsigned checks, qp_memo *memo,
                                  uint32_t *nodes)
{
    qp_answer answer = QP_NO;
    if (checks > QP_MATE_CHECKS_MAX)
        checks = QP_MATE_CHECKS_MAX;
    for (unsigned depth = 1; depth <= checks; depth++) {
        answer = mate(field, depth, memo, nodes);
        if (answer != QP_UNKNOWN || *nodes == 0)
            break;
    }
    return answer;
}
