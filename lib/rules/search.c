/* Short searches: which moves give check, whether one ends the game, and whether checks
 * alone can mate. Depth and work are bounded by the caller. */
#include "config.h"

#include "rules/field.h"
#include "rules/step.h"

/* What stands on one line of the other side's king, as bits by file or rank. */
typedef struct aim {
    unsigned all, king;
    unsigned rooks, cannons; /* of the side to move */
    unsigned seen;           /* the two nearest to the king on either side */
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
    a->seen |= first | second;
    a->any |= first & a->cannons ? near : 0;
    a->rook |= near | first;
    a->cannon |= beyond & ~behind;
}

/* Of a line of count squares with a king on one: what is occupied, and by what. */
static QP_INLINE void find_aim(aim *a, unsigned all, unsigned rooks, unsigned cannons,
                               const unsigned count, unsigned king)
{
    *a = (aim){.all = all, .rooks = rooks, .cannons = cannons, .king = 1u << king};
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

/* Which moves can give check to a king in its palace: what comes to some squares, by
 * kind, and what leaves others. */
typedef struct checking {
    unsigned king;
    aim file, rank;
    qp_set comes[8], leaves;
} checking;

/* The squares of bits of a king's file and rank. */
static QP_INLINE qp_set line_set(unsigned file, unsigned rank, const qp_spot *king)
{
    qp_set set = qp_set_of_file(file, king->file);
    set.half[king->half] |= (uint64_t)rank << king->shift;
    return set;
}

static QP_INLINE qp_set join(const qp_set *a, const qp_set *b)
{
    return (qp_set){{a->half[0] | b->half[0], a->half[1] | b->half[1]}};
}

static void find_checking(checking *c, const qp_field *field, unsigned king)
{
    const qp_set *own = field->pieces + QP_PIECE(field->board.side, 0);
    const qp_set *aslant = &qp_goals[QP_ADVISOR][king];
    const qp_spot *at = &qp_spots_of[king];
    const unsigned all = 0x1ff;
    c->king = king;
    find_aim(&c->file, field->file[at->file], qp_set_file(&own[QP_ROOK], at->file),
             qp_set_file(&own[QP_CANNON], at->file), 10, at->rank);
    find_aim(&c->rank, qp_field_rank(field, at),
             (unsigned)(own[QP_ROOK].half[at->half] >> at->shift) & all,
             (unsigned)(own[QP_CANNON].half[at->half] >> at->shift) & all, 9, at->file);
    const qp_set any = line_set(c->file.any, c->rank.any, at);
    for (int kind = 0; kind < 8; kind++)
        c->comes[kind] = any;
    c->comes[QP_ROOK] =
        line_set(c->file.any | c->file.rook, c->rank.any | c->rank.rook, at);
    c->comes[QP_CANNON] =
        line_set(c->file.any | c->file.cannon, c->rank.any | c->rank.cannon, at);
    /* A horse has its leg aslant of the king. */
    qp_set horses = qp_goals[QP_HORSE][king];
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t legs = (field->men[0].half[half] | field->men[1].half[half]) &
                             aslant->half[half];
             legs != 0; legs &= legs - 1) {
            const qp_set *held = &qp_goals[QP_KING][qp_set_first(legs, half)];
            horses.half[0] &= ~held->half[0];
            horses.half[1] &= ~held->half[1];
        }
    c->comes[QP_HORSE] = join(&any, &horses);
    for (unsigned i = 0; i < 3; i++) {
        unsigned from = king + (unsigned)(i == 0   ? -9 * QP_FORWARD(field->board.side)
                                          : i == 1 ? -1
                                                   : 1);
        qp_set_add(&c->comes[QP_PAWN], from);
    }
    unsigned file = c->file.rooks | c->file.cannons,
             rank = c->rank.rooks | c->rank.cannons;
    c->leaves = line_set(file != 0 ? file | c->file.seen : 0,
                         rank != 0 ? rank | c->rank.seen : 0, at);
    const qp_set *jumps = &qp_goals[QP_HORSE][king], *horse = &own[QP_HORSE];
    const uint64_t behind = qp_set_meets(horse, jumps) ? UINT64_MAX : 0;
    for (unsigned half = 0; half < 2; half++)
        c->leaves.half[half] |= aslant->half[half] & (behind | horse->half[half]);
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

/* A piece that leaves such a square. */
typedef struct leaver {
    unsigned from;
    qp_piece piece;
    bool on_file, on_rank; /* the king's */
    bool opens;            /* to leave its line or square gives check */
} leaver;

static leaver find_leaver(const checking *c, const qp_board *board, unsigned from)
{
    const qp_spot *king = &qp_spots_of[c->king], *at = &qp_spots_of[from];
    leaver l = {.from = from,
                .piece = board->at[from],
                .on_file = at->file == king->file,
                .on_rank = at->rank == king->rank};
    qp_kind kind = QP_PIECE_KIND(l.piece);
    l.opens = l.on_file   ? aim_hits(&c->file, kind, at->rank_bit, 0)
              : l.on_rank ? aim_hits(&c->rank, kind, at->file_bit, 0)
                          : horse_behind(board, c->king, from);
    return l;
}

/* Whether it gives check to the king, which is in none yet, by a pseudo-legal move. */
static bool leaves_check(const leaver *l, const checking *c, unsigned to)
{
    const qp_spot *king = &qp_spots_of[c->king], *a = &qp_spots_of[l->from],
                  *b = &qp_spots_of[to];
    qp_kind kind = QP_PIECE_KIND(l->piece);
    int step = step_index(to, c->king);
    if (QP_RARE(l->on_file && b->file == king->file))
        return aim_hits(&c->file, kind, a->rank_bit, b->rank_bit) ||
               (kind == QP_PAWN && (qp_ways[step] & qp_ways_of[l->piece & 15]));
    if (QP_RARE(l->on_rank && b->rank == king->rank))
        return aim_hits(&c->rank, kind, a->file_bit, b->file_bit) ||
               (kind == QP_PAWN && (qp_ways[step] & qp_ways_of[l->piece & 15]));
    return l->opens || qp_set_has(&c->comes[kind], to) ||
           (kind == QP_HORSE && (qp_ways[step] & QP_BEND) &&
            to + (unsigned)qp_halves[step] == l->from);
}

/* Its moves that do. */
static size_t list_leaving(const checking *c, const qp_field *field, unsigned from,
                           qp_move moves[QP_PIECE_MOVES_MAX])
{
    leaver l = find_leaver(c, &field->board, from);
    size_t count = qp_field_piece_moves(field, from, moves), n = 0;
    for (size_t i = 0; i < count; i++) {
        moves[n] = moves[i];
        n += leaves_check(&l, c, QP_TO(moves[i]));
    }
    return n;
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

size_t qp_rules_checks(const qp_field *field, qp_move moves[QP_MOVES_MAX],
                       uint32_t *nodes)
{
    const qp_board *board = &field->board;
    qp_side enemy = QP_OTHER(board->side);
    unsigned king = board->king[enemy];
    const qp_set *men = &field->men[board->side];
    size_t n = 0;
    checking c;
    if (!qp_spend(nodes, qp_list_work(field)) || king >= QP_SQUARES)
        return 0;
    if (!(qp_zones[king] & QP_ZONE_PALACE(enemy)) || qp_field_in_check(field, enemy))
        return checks_played(field, moves);
    find_checking(&c, field, king);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = men->half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            qp_kind kind = QP_PIECE_KIND(board->at[from]);
            qp_move *own = moves + n;
            size_t count = 0;
            if (QP_RARE(qp_set_has(&c.leaves, from)))
                count = list_leaving(&c, field, from, own);
            else if (qp_set_meets(&c.comes[kind], &qp_goals[kind][from]))
                count = qp_field_moves_to(field, from, &c.comes[kind], own);
            for (size_t i = 0; i < count; i++)
                if (QP_PIECE_KIND(board->at[QP_TO(own[i])]) != QP_KING &&
                    qp_field_king_safe(field, own[i]))
                    moves[n++] = own[i];
        }
    return n;
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

/* The pseudo-legal moves of the side to move that may end the game: those that touch a
 * king's safety, take it, or end on some squares. */
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
            goals.half[half] |=
                qp_goals[QP_ROOK][king].half[half] | qp_goals[QP_HORSE][king].half[half];
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
    leaver l = {.from = QP_NO_SQUARE};
    qp_field_learn(field);
    size_t spare_count = find_spares(field, other, spares);
    if (!qp_spend(nodes, qp_list_work(field)))
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
    /* Roughly, all of them are taken for moves that have to be tried. */
    bool rough = field->most[board->side] != 0;
    if (rough && count != 0 && !qp_spend(nodes, (uint32_t)count))
        return QP_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        unsigned from = QP_FROM(moves[i]), to = QP_TO(moves[i]);
        bool takes_king = QP_PIECE_KIND(board->at[to]) == QP_KING;
        qp_undo undo;
        bool check = false;
        if (!rough) {
            if (!qp_field_king_safe(field, moves[i]))
                continue;
            if (takes_king)
                return QP_YES;
            if (!qp_spend(nodes, 1))
                return QP_UNKNOWN;
        }
        if (calm && QP_RARE(qp_set_has(&c.leaves, from))) {
            if (from != l.from)
                l = find_leaver(&c, board, from);
            check = leaves_check(&l, &c, to);
        } else if (calm) {
            check = qp_set_has(&c.comes[QP_PIECE_KIND(board->at[from])], to);
        }
        if (calm && !check && !takes_king && !qp_set_has(&apart, to))
            continue;
        if (rough) {
            if (!qp_field_king_safe(field, moves[i]))
                continue;
            if (takes_king)
                return QP_YES;
        }
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
        if (!qp_spend(nodes, 1))
            return best > QP_UNKNOWN ? best : QP_UNKNOWN;
        qp_field_make_legal(field, tried[i], &undo);
        qp_answer all = QP_YES;
        if (checks <= 1) {
            if (qp_memo_can_evade(memo, field))
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
