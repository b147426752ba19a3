/* Who can take where. Behind a move only the men are looked at again whose sight the move
 * changes; the judgement of moves (player.c, foresee.c) lives on that being fast. */
#include "config.h"

#include "check/sight.h"

int qp_men_worth(qp_kind kind, qp_side side, int rank)
{
    static const int16_t values[8] = {
        [QP_KING] = 5000, [QP_ADVISOR] = 200, [QP_ELEPHANT] = 210, [QP_HORSE] = 420,
        [QP_ROOK] = 900,  [QP_CANNON] = 450,  [QP_PAWN] = 100};
    if (kind == QP_PAWN && (side == QP_RED ? rank >= 5 : rank <= 4))
        return 180;
    return values[kind];
}

bool qp_men_of(qp_men *men, const qp_board *board)
{
    static const uint8_t order[] = {QP_PAWN,   QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
                                    QP_CANNON, QP_ROOK,    QP_KING};
    unsigned count[2][8] = {{0}}, next[2][8];
    memcpy(men->at, board->at, sizeof men->at);
    for (unsigned s = 0; s < QP_SQUARES; s++)
        if (men->at[s] != 0)
            count[QP_PIECE_SIDE(men->at[s])][QP_PIECE_KIND(men->at[s])]++;
    for (unsigned side = 0; side < 2; side++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < QP_COUNT(order); i++) {
            next[side][order[i]] = sum;
            sum += count[side][order[i]];
        }
        if (sum > QP_MEN_MAX)
            return false;
        men->alive[side] = (uint16_t)((1u << sum) - 1);
    }
    for (unsigned s = 0; s < QP_SQUARES; s++) {
        if (men->at[s] == 0)
            continue;
        qp_side side = QP_PIECE_SIDE(men->at[s]);
        qp_kind kind = QP_PIECE_KIND(men->at[s]);
        unsigned id = next[side][kind]++;
        men->id[s] = (uint8_t)id;
        men->man[side][id].square = (uint8_t)s;
        men->man[side][id].kind = (uint8_t)kind;
        men->man[side][id].worth = (int16_t)qp_men_worth(kind, side, QP_RANK(s));
    }
    return true;
}

static void put(qp_men *men, qp_side side, unsigned from, unsigned to)
{
    unsigned id = men->id[from];
    men->at[to] = men->at[from];
    men->at[from] = 0;
    men->id[to] = (uint8_t)id;
    men->man[side][id].square = (uint8_t)to;
    if (men->man[side][id].kind == QP_PAWN)
        men->man[side][id].worth = (int16_t)qp_men_worth(QP_PAWN, side, QP_RANK(to));
}

unsigned qp_men_play(qp_men *men, qp_side side, qp_move move)
{
    unsigned taken = men->at[QP_TO(move)] != 0 ? men->id[QP_TO(move)] : QP_MEN_MAX;
    if (taken != QP_MEN_MAX)
        men->alive[side ^ 1] &= (uint16_t) ~(1u << taken);
    put(men, side, QP_FROM(move), QP_TO(move));
    return taken;
}

void qp_men_unplay(qp_men *men, qp_side side, qp_move move, unsigned taken)
{
    put(men, side, QP_TO(move), QP_FROM(move));
    if (taken == QP_MEN_MAX)
        return;
    qp_side other = QP_OTHER(side);
    men->alive[other] |= (uint16_t)(1u << taken);
    men->at[QP_TO(move)] = QP_PIECE(other, men->man[other][taken].kind);
    men->id[QP_TO(move)] = (uint8_t)taken;
}

/* ---- one man ---- */

typedef struct looking {
    const qp_men *men;
    qp_sight *sight;
    uint16_t bit;
    unsigned side, id, reach, count;
} looking;

static void depend_on(looking *l, unsigned s)
{
    l->sight->stake[l->side][s] |= l->bit;
    l->sight->man[l->side][l->id].square[l->count++] = (uint8_t)s;
}

static void hit(looking *l, unsigned s)
{
    l->sight->hits[l->side][s] |= l->bit;
    l->sight->stake[l->side][s] |= l->bit;
    l->sight->man[l->side][l->id].square[l->count++] = (uint8_t)(s | 128);
}

static void look_at(looking *l, int file, int rank)
{
    unsigned s = QP_SQUARE(file, rank);
    hit(l, s);
    l->reach += l->men->at[s] == 0 || QP_PIECE_SIDE(l->men->at[s]) != l->side;
}

static void look_rook(looking *l, unsigned from, int step, int room)
{
    const qp_piece *at = l->men->at;
    for (int s = (int)from + step; room-- > 0; s += step) {
        hit(l, (unsigned)s);
        if (at[s] != 0) {
            l->reach += QP_PIECE_SIDE(at[s]) != l->side;
            return;
        }
        l->reach++;
    }
}

static void look_cannon(looking *l, unsigned from, int step, int room)
{
    const qp_piece *at = l->men->at;
    int s = (int)from;
    while (room-- > 0) {
        s += step;
        depend_on(l, (unsigned)s);
        if (at[s] != 0)
            break;
        l->reach++;
    }
    while (room-- > 0) {
        s += step;
        hit(l, (unsigned)s);
        if (at[s] != 0) {
            l->reach += QP_PIECE_SIDE(at[s]) != l->side;
            return;
        }
    }
}

static void look_horse(looking *l, int file, int rank)
{
    static const int8_t legs[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (unsigned i = 0; i < 4; i++) {
        int df = legs[i][0], dr = legs[i][1], f = file + df, r = rank + dr;
        if (f < 0 || f > 8 || r < 0 || r > 9)
            continue;
        depend_on(l, QP_SQUARE(f, r));
        if (l->men->at[QP_SQUARE(f, r)] != 0)
            continue;
        f += df;
        r += dr;
        if (f < 0 || f > 8 || r < 0 || r > 9)
            continue;
        for (int aside = -1; aside <= 1; aside += 2) {
            int x = f + (df == 0 ? aside : 0), y = r + (dr == 0 ? aside : 0);
            if (x >= 0 && x <= 8 && y >= 0 && y <= 9)
                look_at(l, x, y);
        }
    }
}

static void look_slanted(looking *l, int file, int rank, int far)
{
    int low = l->side == QP_RED ? 0 : far == 1 ? 7 : 5;
    int high = l->side == QP_RED ? (far == 1 ? 2 : 4) : 9;
    int left = far == 1 ? 3 : 0, right = far == 1 ? 5 : 8;
    for (int df = -1; df <= 1; df += 2)
        for (int dr = -1; dr <= 1; dr += 2) {
            int f = file + df * far, r = rank + dr * far;
            if (f < left || f > right || r < low || r > high)
                continue;
            if (far == 2) {
                depend_on(l, QP_SQUARE(file + df, rank + dr));
                if (l->men->at[QP_SQUARE(file + df, rank + dr)] != 0)
                    continue;
            }
            look_at(l, f, r);
        }
}

static void look_king(looking *l, int file, int rank)
{
    int low = l->side == QP_RED ? 0 : 7, high = l->side == QP_RED ? 2 : 9;
    if (file > 3)
        look_at(l, file - 1, rank);
    if (file < 5)
        look_at(l, file + 1, rank);
    if (rank > low)
        look_at(l, file, rank - 1);
    if (rank < high)
        look_at(l, file, rank + 1);
}

static void look_pawn(looking *l, int file, int rank)
{
    int ahead = rank + QP_FORWARD(l->side);
    if (ahead >= 0 && ahead <= 9)
        look_at(l, file, ahead);
    if (l->side == QP_RED ? rank < 5 : rank > 4)
        return;
    if (file > 0)
        look_at(l, file - 1, rank);
    if (file < 8)
        look_at(l, file + 1, rank);
}

static void look_from(qp_sight *sight, const qp_men *men, unsigned side, unsigned id)
{
    unsigned s = men->man[side][id].square;
    int file = QP_FILE(s), rank = QP_RANK(s);
    looking l = {men, sight, (uint16_t)(1u << id), side, id, 0, 0};
    switch ((qp_kind)men->man[side][id].kind) {
    case QP_KING:
        look_king(&l, file, rank);
        break;
    case QP_ADVISOR:
        look_slanted(&l, file, rank, 1);
        break;
    case QP_ELEPHANT:
        look_slanted(&l, file, rank, 2);
        break;
    case QP_HORSE:
        look_horse(&l, file, rank);
        break;
    case QP_ROOK:
        look_rook(&l, s, -1, file);
        look_rook(&l, s, 1, 8 - file);
        look_rook(&l, s, -9, rank);
        look_rook(&l, s, 9, 9 - rank);
        break;
    case QP_CANNON:
        look_cannon(&l, s, -1, file);
        look_cannon(&l, s, 1, 8 - file);
        look_cannon(&l, s, -9, rank);
        look_cannon(&l, s, 9, 9 - rank);
        break;
    default:
        look_pawn(&l, file, rank);
        break;
    }
    sight->man[side][id].reach = (uint8_t)l.reach;
    sight->man[side][id].count = (uint8_t)l.count;
}

/* ---- all of them ---- */

void qp_sight_of(qp_sight *sight, const qp_men *men)
{
    memset(sight, 0, sizeof *sight);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned left = men->alive[side]; left != 0; left &= left - 1)
            look_from(sight, men, side, qp_lowest(left));
}

static void forget(qp_sight *sight, unsigned side, unsigned id)
{
    uint16_t others = (uint16_t) ~(1u << id);
    for (unsigned i = 0; i < sight->man[side][id].count; i++) {
        unsigned s = sight->man[side][id].square[i] & 127;
        sight->hits[side][s] &= others;
        sight->stake[side][s] &= others;
    }
    sight->man[side][id].count = 0;
}

void qp_sight_after(qp_sight *sight, const qp_sight *before, const qp_men *men,
                    qp_side side, qp_move move, unsigned taken)
{
    unsigned from = QP_FROM(move), to = QP_TO(move);
    memcpy(sight, before, sizeof *sight);
    if (taken != QP_MEN_MAX)
        forget(sight, side ^ 1u, taken);
    for (unsigned k = 0; k < 2; k++) {
        unsigned stirred = before->stake[k][from] | before->stake[k][to];
        if (k == (unsigned)side)
            stirred |= 1u << men->id[to];
        for (stirred &= men->alive[k]; stirred != 0; stirred &= stirred - 1) {
            unsigned id = qp_lowest(stirred);
            forget(sight, k, id);
            look_from(sight, men, k, id);
        }
    }
}

int qp_sight_loss(const qp_sight *sight, const qp_men *men, qp_side side, unsigned man)
{
    int gain[2 * QP_MEN_MAX + 1];
    unsigned square = men->man[side][man].square, n = 0, turn = (unsigned)side ^ 1;
    unsigned left[2] = {sight->hits[0][square], sight->hits[1][square]};
    if (left[turn] == 0)
        return 0;
    gain[0] = men->man[side][man].worth;
    for (;;) {
        unsigned id = qp_lowest(left[turn]);
        left[turn] &= left[turn] - 1;
        int worth = men->man[turn][id].worth;
        if (men->man[turn][id].kind == QP_KING && left[turn ^ 1] != 0) {
            if (n == 0)
                return 0; /* the king may not take what is guarded */
            n--;
            break;
        }
        turn ^= 1;
        if (left[turn] == 0)
            break;
        n++;
        gain[n] = worth - gain[n - 1];
    }
    while (n-- > 0)
        if (-gain[n + 1] < gain[n])
            gain[n] = -gain[n + 1];
    return gain[0] > 0 ? gain[0] : 0;
}
