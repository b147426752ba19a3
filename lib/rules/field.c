/* Fields: moves made and taken back, the safety of kings, lists of moves; see field.h.
 * The rules are those of movegen.c and legal.c. */
#include "config.h"

#include "rules/field.h"

/* Those of pieces are odd, so that no two squares are one to them. */
#define OF_PIECE(i) (QP_MIX(128 + (i)) | 1)
#define OF_SQUARE(file, rank) QP_MIX((rank)*9 + (file)),
const uint64_t qp_piece_numbers[16] = {
    OF_PIECE(0),  OF_PIECE(1),  OF_PIECE(2),  OF_PIECE(3), OF_PIECE(4),  OF_PIECE(5),
    OF_PIECE(6),  OF_PIECE(7),  OF_PIECE(8),  OF_PIECE(9), OF_PIECE(10), OF_PIECE(11),
    OF_PIECE(12), OF_PIECE(13), OF_PIECE(14), OF_PIECE(15)};
const uint64_t qp_square_numbers[QP_SQUARES] = {QP_GRID(OF_SQUARE)};

#define SPOT(f, r)                                                                       \
    {UINT64_C(1) << ((r) % 5 * 9 + (f)),                                                 \
     1u << (r),                                                                          \
     1u << (f),                                                                          \
     (r),                                                                                \
     (f),                                                                                \
     (r) / 5,                                                                            \
     (r) % 5 * 9},
const qp_spot qp_spots_of[QP_SQUARES] = {QP_GRID(SPOT)};

/* Sets of squares: (f, r) are left out where they are not on the board. */
#define ON_BOARD(f, r) ((f) >= 0 && (f) < 9 && (r) >= 0 && (r) < 10)
#define LOW(f, r) (ON_BOARD(f, r) && (r) < 5 ? UINT64_C(1) << (((r)*9 + (f)) & 63) : 0)
#define HIGH(f, r)                                                                       \
    (ON_BOARD(f, r) && (r) > 4 ? UINT64_C(1) << (((r)*9 + (f)-45) & 63) : 0)
#define BENT(BIT, f, r)                                                                  \
    BIT((f)-1, (r)-2) | BIT((f) + 1, (r)-2) | BIT((f)-2, (r)-1) | BIT((f) + 2, (r)-1) |  \
        BIT((f)-2, (r) + 1) | BIT((f) + 2, (r) + 1) | BIT((f)-1, (r) + 2) |              \
        BIT((f) + 1, (r) + 2)
#define BESIDE(BIT, f, r)                                                                \
    BIT((f)-1, r) | BIT((f) + 1, r) | BIT(f, (r)-1) | BIT(f, (r) + 1)
#define ASLANT(BIT, f, r, n)                                                             \
    BIT((f) - (n), (r) - (n)) | BIT((f) + (n), (r) - (n)) | BIT((f) - (n), (r) + (n)) |  \
        BIT((f) + (n), (r) + (n))
#define ALONG(BIT, f, r)                                                                 \
    BIT(0, r) | BIT(1, r) | BIT(2, r) | BIT(3, r) | BIT(4, r) | BIT(5, r) | BIT(6, r) |  \
        BIT(7, r) | BIT(8, r) | BIT(f, 0) | BIT(f, 1) | BIT(f, 2) | BIT(f, 3) |          \
        BIT(f, 4) | BIT(f, 5) | BIT(f, 6) | BIT(f, 7) | BIT(f, 8) | BIT(f, 9)
#define ADVISOR(BIT, f, r) ASLANT(BIT, f, r, 1)
#define ELEPHANT(BIT, f, r) ASLANT(BIT, f, r, 2)
#define GOALS(OF, f, r) {{OF(LOW, f, r), OF(HIGH, f, r)}},
#define KING_GOALS(f, r) GOALS(BESIDE, f, r)
#define ADVISOR_GOALS(f, r) GOALS(ADVISOR, f, r)
#define ELEPHANT_GOALS(f, r) GOALS(ELEPHANT, f, r)
#define HORSE_GOALS(f, r) GOALS(BENT, f, r)
#define LINE_GOALS(f, r) GOALS(ALONG, f, r)
const qp_set qp_goals[8][QP_SQUARES] = {
    [QP_KING] = {QP_GRID(KING_GOALS)},         [QP_ADVISOR] = {QP_GRID(ADVISOR_GOALS)},
    [QP_ELEPHANT] = {QP_GRID(ELEPHANT_GOALS)}, [QP_HORSE] = {QP_GRID(HORSE_GOALS)},
    [QP_ROOK] = {QP_GRID(LINE_GOALS)},         [QP_CANNON] = {QP_GRID(LINE_GOALS)},
    [QP_PAWN] = {QP_GRID(KING_GOALS)},
};

/* A rank, at two more than its number. */
static const qp_set two_ranks[14] = {
    [2] = {{0x1ff, 0}},
    [3] = {{UINT64_C(0x1ff) << 9, 0}},
    [4] = {{UINT64_C(0x1ff) << 18, 0}},
    [5] = {{UINT64_C(0x1ff) << 27, 0}},
    [6] = {{UINT64_C(0x1ff) << 36, 0}},
    [7] = {{0, 0x1ff}},
    [8] = {{0, UINT64_C(0x1ff) << 9}},
    [9] = {{0, UINT64_C(0x1ff) << 18}},
    [10] = {{0, UINT64_C(0x1ff) << 27}},
    [11] = {{0, UINT64_C(0x1ff) << 36}},
};

void qp_field_set(qp_field *field, const qp_board *board)
{
    memset(field, 0, sizeof *field);
    field->board = *board;
    for (unsigned square = 0; square < QP_SQUARES; square++) {
        qp_piece piece = board->at[square];
        const qp_spot *spot = &qp_spots_of[square];
        if (piece == 0)
            continue;
        field->key += qp_piece_numbers[piece & 15] * qp_square_numbers[square];
        field->file[spot->file] |= spot->rank_bit;
        field->men[piece >> 3 & 1].half[spot->half] |= spot->bit;
        field->pieces[piece & 15].half[spot->half] |= spot->bit;
        field->many |= QP_PIECE_KIND(piece) == QP_KING &&
                       square != board->king[QP_PIECE_SIDE(piece)];
    }
}

void qp_field_count_roughly(qp_field *field)
{
    static const uint8_t most[8] = {
        [QP_KING] = 4,  [QP_ADVISOR] = 4, [QP_ELEPHANT] = 4, [QP_HORSE] = 8,
        [QP_ROOK] = 17, [QP_CANNON] = 17, [QP_PAWN] = 3,
    };
    for (unsigned side = QP_RED; side <= QP_BLACK; side++) {
        unsigned n = 1;
        for (unsigned half = 0; half < 2; half++)
            for (uint64_t bits = field->men[side].half[half]; bits != 0; bits &= bits - 1)
                n += most[QP_PIECE_KIND(field->board.at[qp_set_first(bits, half)])];
        field->most[side] = (uint16_t)n;
    }
}

/* ---- moves ---- */

/* legal: the move is known to be so. */
static QP_INLINE void make(qp_field *field, qp_move move, qp_undo *undo, const bool legal)
{
    qp_board *board = &field->board;
    unsigned from = QP_FROM(move), to = QP_TO(move);
    const qp_spot *a = &qp_spots_of[from], *b = &qp_spots_of[to];
    unsigned mover = board->side, other = mover ^ 1;
    qp_piece piece = board->at[from], taken = board->at[to];
    memcpy(undo->rest, (const char *)board + offsetof(qp_board, side), sizeof undo->rest);
    undo->taken = taken;
    board->at[from] = 0;
    board->at[to] = piece;
    field->file[a->file] ^= a->rank_bit;
    field->file[b->file] |= b->rank_bit;
    field->men[mover].half[a->half] ^= a->bit;
    field->men[mover].half[b->half] ^= b->bit;
    field->pieces[piece & 15].half[a->half] ^= a->bit;
    field->pieces[piece & 15].half[b->half] ^= b->bit;
    field->key +=
        qp_piece_numbers[piece & 15] * (qp_square_numbers[to] - qp_square_numbers[from]);
    if (taken != 0) {
        field->key -= qp_piece_numbers[taken & 15] * qp_square_numbers[to];
        field->men[other].half[b->half] ^= b->bit;
        field->pieces[taken & 15].half[b->half] ^= b->bit;
    }
    if (legal && QP_RARE(QP_PIECE_KIND(piece) == QP_KING)) {
        if (field->many)
            qp_rules_set_kings(board);
        else
            board->king[mover] = (uint8_t)to;
    }

    board->calm = calm_after(board, (qp_side)mover, from, to, legal);
    board->side = (uint8_t)other;
}

void qp_field_make(qp_field *field, qp_move move, qp_undo *undo)
{
    make(field, move, undo, false);
}

void qp_field_make_legal(qp_field *field, qp_move move, qp_undo *undo)
{
    make(field, move, undo, true);
}

void qp_field_undo(qp_field *field, qp_move move, const qp_undo *undo)
{
    qp_board *board = &field->board;
    unsigned from = QP_FROM(move), to = QP_TO(move);
    const qp_spot *a = &qp_spots_of[from], *b = &qp_spots_of[to];
    qp_piece piece = board->at[to], taken = undo->taken;
    memcpy((char *)board + offsetof(qp_board, side), undo->rest, sizeof undo->rest);
    unsigned mover = board->side, other = mover ^ 1;
    board->at[from] = piece;
    board->at[to] = taken;
    field->file[a->file] ^= a->rank_bit;
    field->men[mover].half[a->half] ^= a->bit;
    field->men[mover].half[b->half] ^= b->bit;
    field->pieces[piece & 15].half[a->half] ^= a->bit;
    field->pieces[piece & 15].half[b->half] ^= b->bit;
    field->key -=
        qp_piece_numbers[piece & 15] * (qp_square_numbers[to] - qp_square_numbers[from]);
    if (taken != 0) {
        field->key += qp_piece_numbers[taken & 15] * qp_square_numbers[to];
        field->men[other].half[b->half] ^= b->bit;
        field->pieces[taken & 15].half[b->half] ^= b->bit;
    } else {
        field->file[b->file] ^= b->rank_bit;
    }
}

/* ---- the safety of kings ---- */

/* Whether, of what stands on a line whose places are step squares apart, the nearest to a
 * king's place is a rook or another piece, or the next a cannon; what stands on the
 * square to is not seen. */
static QP_INLINE bool line_threat(const qp_piece *king_at, unsigned line, unsigned place,
                                  int to, const int step, qp_piece rook, qp_piece other,
                                  qp_piece cannon)
{
    unsigned above = line >> place >> 1, below = line & ((1u << place) - 1);
    if (above != 0) {
        int away = step * (int)(qp_lowest_bit(above) + 1);
        if ((away != to) & ((king_at[away] == rook) | (king_at[away] == other)))
            return true;
        above &= above - 1;
        if (above != 0) {
            away = step * (int)(qp_lowest_bit(above) + 1);
            if ((away != to) & (king_at[away] == cannon))
                return true;
        }
    }
    if (below != 0) {
        unsigned first = qp_highest_bit(below);
        int away = step * ((int)first - (int)place);
        if ((away != to) & ((king_at[away] == rook) | (king_at[away] == other)))
            return true;
        below ^= 1u << first;
        if (below != 0) {
            away = step * ((int)qp_highest_bit(below) - (int)place);
            if ((away != to) & (king_at[away] == cannon))
                return true;
        }
    }
    return false;
}

/* Whether a horse or pawn can take a king. */
static QP_APART bool near_threat(const qp_field *field, unsigned king, unsigned from,
                                 unsigned to, qp_side side)
{
    const qp_board *board = &field->board;
    const qp_set *enemy = field->pieces + QP_PIECE(QP_OTHER(side), 0);
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits =
                 (enemy[QP_HORSE].half[half] & qp_goals[QP_HORSE][king].half[half]) |
                 (enemy[QP_PAWN].half[half] & qp_goals[QP_PAWN][king].half[half]);
             bits != 0; bits &= bits - 1) {
            unsigned square = qp_set_first(bits, half);
            int step = step_index(square, king);
            unsigned way = qp_ways[step] & qp_ways_of[board->at[square] & 15];
            unsigned leg = square + (unsigned)qp_halves[step];
            if (square == to)
                continue;
            if (way & QP_STEP)
                return true;
            if ((way & QP_BEND) && (leg == from || (leg != to && board->at[leg] == 0)))
                return true;
        }
    return false;
}

/* The same question of a king outside its palace. */
static QP_APART bool stray_safe(const qp_field *field, qp_side side, unsigned king,
                                unsigned from, unsigned to, bool facing)
{
    qp_board after = field->board;
    if (from != to) {
        after.at[to] = after.at[from];
        after.at[from] = 0;
    }
    after.king[side] = (uint8_t)king;
    return facing ? qp_rules_king_stands(&after, side) : !qp_board_in_check(&after, side);
}

/* The same of its rank, and of horses and pawns. */
static QP_APART bool safe_beside(const qp_field *field, qp_side side, unsigned king,
                                 unsigned from, unsigned to, unsigned doubts)
{
    const qp_piece enemy = QP_PIECE(QP_OTHER(side), 0);
    const qp_set *men = field->pieces + enemy;
    const qp_spot *at = &qp_spots_of[king];
    if ((doubts & QP_CALM_RANK) &&
        ((men[QP_ROOK].half[at->half] | men[QP_CANNON].half[at->half]) &
         QP_RANK_BITS(at->shift)) != 0) {
        const qp_spot *left = &qp_spots_of[from], *now = &qp_spots_of[to];
        unsigned line = qp_field_rank(field, at);
        line &= left->rank == at->rank ? ~(unsigned)left->file_bit : ~0u;
        line |= now->rank == at->rank ? now->file_bit : 0;
        if (line_threat(field->board.at + king, line, at->file, (int)to - (int)king, 1,
                        enemy | QP_ROOK, enemy | QP_ROOK, enemy | QP_CANNON))
            return false;
    }
    return !(doubts & QP_CALM_NEAR) ||
           (!qp_set_meets(&men[QP_HORSE], &qp_goals[QP_HORSE][king]) &&
            !qp_set_meets(&men[QP_PAWN], &qp_goals[QP_PAWN][king])) ||
           !near_threat(field, king, from, to, side);
}

bool qp_field_safe(const qp_field *field, qp_side side, unsigned king, unsigned from,
                   unsigned to, bool facing, unsigned doubts)
{
    if (QP_RARE(!(qp_zones[king] & QP_ZONE_PALACE(side))))
        return stray_safe(field, side, king, from, to, facing);
    if (doubts & QP_CALM_FILE) {
        const qp_piece enemy = QP_PIECE(QP_OTHER(side), 0);
        const qp_spot *at = &qp_spots_of[king];
        const qp_spot *left = &qp_spots_of[from], *now = &qp_spots_of[to];
        unsigned line = field->file[at->file];
        line &= left->file == at->file ? ~(unsigned)left->rank_bit : ~0u;
        line |= now->file == at->file ? now->rank_bit : 0;
        if (line_threat(field->board.at + king, line, at->rank, (int)to - (int)king, 9,
                        enemy | QP_ROOK, enemy | (facing ? QP_KING : QP_ROOK),
                        enemy | QP_CANNON))
            return false;
    }
    return !(doubts & (QP_CALM_RANK | QP_CALM_NEAR)) ||
           safe_beside(field, side, king, from, to, doubts);
}

bool qp_field_king_steps(const qp_field *field, unsigned from, unsigned to)
{
    if (QP_RARE(field->many)) /* the king that counts may be another */
        return qp_rules_king_safe(&field->board, QP_MOVE(from, to));
    return qp_field_safe(field, QP_PIECE_SIDE(field->board.at[from]), to, from, to, true,
                         QP_CALM_ALL);
}

static void learn(qp_field *field, qp_side side)
{
    unsigned king = field->board.king[side];
    unsigned doubts = ~(unsigned)field->board.calm >> 4 * side & QP_CALM_ALL;
    if (doubts != 0 && king < QP_SQUARES && (qp_zones[king] & QP_ZONE_PALACE(side)) &&
        qp_field_safe(field, side, king, king, king, true, doubts))
        field->board.calm |= QP_CALM(side, QP_CALM_ALL);
}

void qp_field_learn(qp_field *field)
{
    learn(field, QP_RED);
    learn(field, QP_BLACK);
}

/* ---- lists ---- */

size_t qp_field_men(const qp_field *field, unsigned side, qp_square squares[QP_SQUARES])
{
    size_t n = 0;
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = field->men[side].half[half]; bits != 0; bits &= bits - 1)
            squares[n++] = (qp_square)qp_set_first(bits, half);
    return n;
}

/* The places that a rook or cannon reaches on a line of so many, an own piece in its way
 * included. */
static QP_INLINE unsigned line_goals(unsigned line, unsigned place, unsigned length,
                                     bool cannon)
{
    /* One place further up, so that there is a wall below the first. */
    line = line << 1 | 1;
    unsigned here = 2u << place, full = (2u << length) - 1;
    unsigned above = line & ~(here | (here - 1)), below = line & (here - 1);
    unsigned up = above & (0u - above), down = 1u << qp_highest_bit(below);
    unsigned free = (up - 1) & ~(here | (here - 1));
    free |= (here - 1) & ~(down | (down - 1));
    if (cannon) {
        above ^= up;
        up = above & (0u - above);
        down = 1u << qp_highest_bit((below ^ down) | 1);
    }
    return ((free | up | down) & full) >> 1;
}

static QP_INLINE size_t add_line(qp_move *moves, size_t n, unsigned from, unsigned goals,
                                 unsigned place, const int step)
{
    for (unsigned up = goals >> place >> 1; up != 0; up &= up - 1)
        moves[n++] = QP_MOVE(from, (int)from + step * (int)(qp_lowest_bit(up) + 1));
    for (unsigned down = goals & ((1u << place) - 1); down != 0;) {
        unsigned next = qp_highest_bit(down);
        down ^= 1u << next;
        moves[n++] = QP_MOVE(from, (int)from - step * (int)(place - next));
    }
    return n;
}

/* The moves of a rook or cannon that end on some squares, none of them its side's. */
static size_t add_slider(const qp_field *field, unsigned from, const qp_set *among,
                         qp_move *moves)
{
    const qp_spot *spot = &qp_spots_of[from];
    bool cannon = QP_PIECE_KIND(field->board.at[from]) == QP_CANNON;
    unsigned rank = (unsigned)(among->half[spot->half] >> spot->shift) & 0x1ff;
    unsigned file = qp_set_file(among, spot->file);
    size_t n = 0;
    if (rank != 0)
        rank &= line_goals(qp_field_rank(field, spot), spot->file, 9, cannon);
    if (file != 0)
        file &= line_goals(field->file[spot->file], spot->rank, 10, cannon);
    if (rank != 0)
        n = add_line(moves, 0, from, rank, spot->file, 1);
    return file != 0 ? add_line(moves, n, from, file, spot->rank, 9) : n;
}

static QP_INLINE bool is_slider(qp_piece piece)
{
    return QP_PIECE_KIND(piece) == QP_ROOK || QP_PIECE_KIND(piece) == QP_CANNON;
}

size_t qp_field_piece_moves(const qp_field *field, unsigned from,
                            qp_move moves[QP_PIECE_MOVES_MAX])
{
    qp_piece piece = field->board.at[from];
    if (!is_slider(piece))
        return qp_rules_piece_moves(&field->board, from, moves);
    const qp_set *own = &field->men[QP_PIECE_SIDE(piece)];
    const qp_set among = {{~own->half[0], ~own->half[1]}};
    return add_slider(field, from, &among, moves);
}

/* The squares that a horse goes to. */
static QP_INLINE qp_set horse_goals(const qp_field *field, unsigned from,
                                    const qp_set *among)
{
    const qp_spot *spot = &qp_spots_of[from];
    const qp_set *goals = &qp_goals[QP_HORSE][from];
    unsigned rank = qp_field_rank(field, spot), file = field->file[spot->file];
    /* What stands beside it holds up the two moves that go two ranks, or files, that way.
     */
    uint64_t aside = 0 - (uint64_t)(rank >> spot->file >> 1 & 1),
             back = 0 - (uint64_t)(rank << 1 >> spot->file & 1);
    uint64_t up = 0 - (uint64_t)(file >> spot->rank >> 1 & 1),
             down = 0 - (uint64_t)(file << 1 >> spot->rank & 1);
    uint64_t held = (QP_FILE_BITS(2) << spot->file & aside) |
                    (QP_FILE_BITS(0) << spot->file >> 2 & back);
    const qp_set *above = &two_ranks[spot->rank + 4], *below = &two_ranks[spot->rank];
    return (qp_set){{goals->half[0] & among->half[0] &
                         ~(held | (above->half[0] & up) | (below->half[0] & down)),
                     goals->half[1] & among->half[1] &
                         ~(held | (above->half[1] & up) | (below->half[1] & down))}};
}

size_t qp_field_moves_to(const qp_field *field, unsigned from, const qp_set *goals,
                         qp_move moves[QP_PIECE_MOVES_MAX])
{
    qp_piece piece = field->board.at[from];
    const qp_set *own = &field->men[QP_PIECE_SIDE(piece)];
    const qp_set among = {
        {goals->half[0] & ~own->half[0], goals->half[1] & ~own->half[1]}};
    if (is_slider(piece))
        return add_slider(field, from, &among, moves);
    if (QP_PIECE_KIND(piece) == QP_HORSE) {
        qp_set to = horse_goals(field, from, &among);
        if ((to.half[0] | to.half[1]) == 0)
            return 0;
    } else if (!qp_set_meets(&among, &qp_goals[QP_PIECE_KIND(piece)][from])) {
        return 0;
    }
    size_t count = qp_rules_piece_moves(&field->board, from, moves), n = 0;
    for (size_t i = 0; i < count; i++) {
        moves[n] = moves[i];
        n += qp_set_has(goals, QP_TO(moves[i]));
    }
    return n;
}

size_t qp_field_count(const qp_field *field)
{
    qp_square men[QP_SQUARES];
    qp_move moves[QP_PIECE_MOVES_MAX];
    size_t count = qp_field_men(field, field->board.side, men), n = 0;
    for (size_t k = 0; k < count; k++)
        n += qp_field_piece_moves(field, men[k], moves);
    return n;
}

size_t qp_field_captures(const qp_field *field, qp_move moves[QP_MOVES_MAX])
{
    unsigned side = field->board.side;
    const qp_set *men = &field->men[side], *enemies = &field->men[side ^ 1];
    size_t n = 0;
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t bits = men->half[half]; bits != 0; bits &= bits - 1) {
            unsigned from = qp_set_first(bits, half);
            qp_piece piece = field->board.at[from];
            if (is_slider(piece))
                n += add_slider(field, from, enemies, moves + n);
            else if (qp_set_meets(enemies, &qp_goals[QP_PIECE_KIND(piece)][from]))
                n += qp_rules_piece_captures(&field->board, from, moves + n);
        }
    return n;
}

bool qp_field_allows(const qp_field *field, unsigned from, unsigned to)
{
    const qp_board *board = &field->board;
    qp_piece piece = board->at[from], target = board->at[to];
    int step = step_index(from, to);
    unsigned way = qp_ways[step] & qp_ways_of[piece & 15];
    if (way == 0 || ((target != 0) & ((target ^ piece) < 8)))
        return false;
    if (way & QP_LINE) {
        const qp_spot *a = &qp_spots_of[from < to ? from : to];
        const qp_spot *b = &qp_spots_of[from < to ? to : from];
        unsigned between =
            way & QP_ON_RANK ? qp_field_rank(field, a) & (b->file_bit - 2u * a->file_bit)
                             : field->file[a->file] & (b->rank_bit - 2u * a->rank_bit);
        if (QP_PIECE_KIND(piece) == QP_CANNON && target != 0)
            return between != 0 && (between & (between - 1)) == 0;
        return between == 0;
    }
    unsigned middle = from + (unsigned)qp_halves[step];
    bool free = (middle == from) | (board->at[middle] == 0);
    bool zone = (qp_zones[to] & qp_zones_of[piece & 15]) != 0;
    bool ahead = (QP_PIECE_KIND(piece) == QP_PAWN) & (way != QP_ASIDE);
    return free & (zone | ahead);
}

bool qp_field_legal(const qp_field *field, qp_move move)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    return field->board.at[from] != 0 && QP_PIECE_KIND(field->board.at[to]) != QP_KING &&
           qp_field_allows(field, from, to) && qp_field_king_safe(field, move);
}

size_t qp_field_reachers(const qp_field *field, unsigned to, qp_square from[QP_SQUARES])
{
    const qp_set *own = field->pieces + QP_PIECE(field->board.side, 0);
    size_t n = 0;
    for (unsigned half = 0; half < 2; half++) {
        uint64_t bits = (own[QP_ROOK].half[half] | own[QP_CANNON].half[half]) &
                        qp_goals[QP_ROOK][to].half[half];
        bits |= own[QP_HORSE].half[half] & qp_goals[QP_HORSE][to].half[half];
        bits |= (own[QP_KING].half[half] | own[QP_PAWN].half[half]) &
                qp_goals[QP_KING][to].half[half];
        bits |= own[QP_ADVISOR].half[half] & qp_goals[QP_ADVISOR][to].half[half];
        bits |= own[QP_ELEPHANT].half[half] & qp_goals[QP_ELEPHANT][to].half[half];
        for (; bits != 0; bits &= bits - 1) {
            unsigned man = qp_set_first(bits, half);
            from[n] = (qp_square)man;
            n += qp_field_legal(field, QP_MOVE(man, to));
        }
    }
    return n;
}
