/* A few plies of search behind a move, for what traits alone do not show: mates, forks, a
 * capture that is paid for later. Material and places count at the end, and what either side
 * could then take at once. */
#include "config.h"

#include "check/player.h"
#include "check/sight.h"

enum { MATE = 20000, MOVES_MAX = 320 };

typedef struct searching {
    qp_men men;
    int balance; /* Red's men less Black's, worth and place */
} searching;

typedef struct ordered {
    qp_move move;
    int16_t order;
} ordered;

typedef struct listing {
    const qp_men *men;
    ordered *out;
    size_t count;
    unsigned side;
} listing;

static void list_move(listing *l, unsigned from, int file, int rank)
{
    unsigned to = QP_SQUARE(file, rank);
    qp_piece piece = l->men->at[to];
    if ((piece != 0 && QP_PIECE_SIDE(piece) == l->side) || l->count == MOVES_MAX)
        return;
    int order = 0;
    if (piece != 0)
        order = 64 + l->men->man[QP_PIECE_SIDE(piece)][l->men->id[to]].worth -
                l->men->man[l->side][l->men->id[from]].worth / 16;
    l->out[l->count++] = (ordered){QP_MOVE(from, to), (int16_t)order};
}

static void list_line(listing *l, unsigned from, int df, int dr, bool cannon)
{
    int file = QP_FILE(from) + df, rank = QP_RANK(from) + dr;
    for (; file >= 0 && file <= 8 && rank >= 0 && rank <= 9; file += df, rank += dr) {
        if (l->men->at[QP_SQUARE(file, rank)] == 0) {
            list_move(l, from, file, rank);
            continue;
        }
        if (!cannon) {
            list_move(l, from, file, rank);
            return;
        }
        for (file += df, rank += dr; file >= 0 && file <= 8 && rank >= 0 && rank <= 9;
             file += df, rank += dr)
            if (l->men->at[QP_SQUARE(file, rank)] != 0) {
                list_move(l, from, file, rank);
                return;
            }
        return;
    }
}

/* Moves of a side by the table of moves; a sight of the position gives those of all but
 * cannons and pawns. */
static size_t list_moves(const qp_men *men, const qp_sight *sight, qp_side side, ordered *out)
{
    listing l = {men, out, 0, side};
    for (unsigned s = 0; s < QP_SQUARES; s++) {
        for (unsigned left = sight->hits[side][s]; left != 0; left &= left - 1) {
            unsigned id = qp_lowest(left);
            if (men->man[side][id].kind != QP_CANNON)
                list_move(&l, men->man[side][id].square, QP_FILE(s), QP_RANK(s));
        }
    }
    for (unsigned id = 0; id < QP_MEN_MAX; id++)
        if ((men->alive[side] >> id & 1) && men->man[side][id].kind == QP_CANNON) {
            unsigned from = men->man[side][id].square;
            list_line(&l, from, 1, 0, true);
            list_line(&l, from, -1, 0, true);
            list_line(&l, from, 0, 1, true);
            list_line(&l, from, 0, -1, true);
        }
    return l.count;
}

static unsigned king_of(const qp_men *men, qp_side side)
{
    for (unsigned id = QP_MEN_MAX; id-- > 0;)
        if (men->alive[side] >> id & 1)
            return men->man[side][id].kind == QP_KING ? men->man[side][id].square
                                                      : QP_NO_SQUARE;
    return QP_NO_SQUARE;
}

static bool kings_face(const qp_men *men)
{
    unsigned a = king_of(men, QP_RED), b = king_of(men, QP_BLACK);
    if (a == QP_NO_SQUARE || b == QP_NO_SQUARE || QP_FILE(a) != QP_FILE(b))
        return false;
    if (a > b) {
        unsigned swap = a;
        a = b;
        b = swap;
    }
    for (a += 9; a < b; a += 9)
        if (men->at[a] != 0)
            return false;
    return true;
}

static int worth_at(const qp_men *men, qp_side side, unsigned id)
{
    return men->man[side][id].kind == QP_KING
               ? qp_place_of(QP_KING, side, men->man[side][id].square)
               : men->man[side][id].worth +
                     qp_place_of((qp_kind)men->man[side][id].kind, side,
                                 men->man[side][id].square);
}

static unsigned step(searching *s, qp_side side, qp_move move)
{
    int sign = side == QP_RED ? 1 : -1;
    unsigned id = s->men.id[QP_FROM(move)], to = QP_TO(move);
    if (s->men.at[to] != 0)
        s->balance += sign * worth_at(&s->men, QP_OTHER(side), s->men.id[to]);
    s->balance -= sign * worth_at(&s->men, side, id);
    unsigned taken = qp_men_play(&s->men, side, move);
    s->balance += sign * worth_at(&s->men, side, id);
    return taken;
}

/* What can be taken at once, by the side to move and then by the other. */
static int taking(const searching *s, const qp_sight *sight, qp_side side)
{
    int most[2] = {0}, second[2] = {0};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned id = 0; id < QP_MEN_MAX; id++) {
            if (!(s->men.alive[k] >> id & 1) || s->men.man[k][id].kind == QP_KING ||
                sight->hits[k ^ 1][s->men.man[k][id].square] == 0)
                continue;
            int loss = qp_sight_loss(sight, &s->men, (qp_side)k, id);
            if (loss > most[k]) {
                second[k] = most[k];
                most[k] = loss;
            } else if (loss > second[k]) {
                second[k] = loss;
            }
        }
    int take = most[side ^ 1] - most[side] / 2, keep = -second[side] / 2;
    return take > keep ? take : keep;
}

/* Calls itself depth deep. */
static int look_ahead(searching *s, const qp_sight *before, qp_move last, unsigned gone,
                      qp_side side, unsigned depth, int alpha, int beta)
{
    qp_sight sight;
    qp_sight_after(&sight, before, &s->men, QP_OTHER(side), last, gone);
    unsigned theirs = king_of(&s->men, QP_OTHER(side));
    if (theirs != QP_NO_SQUARE && sight.hits[side][theirs] != 0)
        return MATE * 2; /* the move before was not legal */
    if (kings_face(&s->men))
        return MATE * 2;
    if (depth == 0) {
        int balance = side == QP_RED ? s->balance : -s->balance;
        return balance + taking(s, &sight, side);
    }
    ordered moves[MOVES_MAX];
    size_t count = list_moves(&s->men, &sight, side, moves);
    int best = -MATE - (int)depth;
    for (size_t i = 0; i < count; i++) {
        size_t top = i;
        for (size_t k = i + 1; k < count; k++)
            if (moves[k].order > moves[top].order)
                top = k;
        ordered swap = moves[top];
        moves[top] = moves[i];
        moves[i] = swap;
        int kept = s->balance;
        unsigned taken = step(s, side, swap.move);
        int value = -look_ahead(s, &sight, swap.move, taken, QP_OTHER(side), depth - 1, -beta,
                                -alpha);
        qp_men_unplay(&s->men, side, swap.move, taken);
        s->balance = kept;
        if (value > best)
            best = value;
        if (best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

int qp_foresee(const qp_board *board, qp_move move, unsigned depth)
{
    searching s = {.balance = 0};
    if (!qp_men_of(&s.men, board))
        return 0;
    qp_side side = (qp_side)board->side;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned id = 0; id < QP_MEN_MAX; id++)
            if (s.men.alive[k] >> id & 1)
                s.balance += (k == QP_RED ? 1 : -1) * worth_at(&s.men, (qp_side)k, id);
    qp_sight sight;
    qp_sight_of(&sight, &s.men);
    unsigned taken = step(&s, side, move);
    return -look_ahead(&s, &sight, move, taken, QP_OTHER(side), depth, -MATE * 3, MATE * 3);
}
