/* A few plies of search behind a move, for what traits alone do not show: mates, forks, a
 * capture that is paid for later. Material and places count at the end, and what either
 * side could then take at once. */
#include "config.h"

#include "check/player.h"
#include "check/sight.h"

#include <stdlib.h>

enum {
    MATE = 20000,
    ILLEGAL = 2 * MATE,
    MOVES_MAX = 320,
    DEPTH_MAX = 8,
    SLOTS = 1 << 15,
    NODES_MAX = 400000, /* of all questions; behind that only what stands there counts */
    TAKEN_MOST = 1200, /* what is counted at the end beside the balance */
};

/* What was found of a position before. */
typedef struct slot {
    uint32_t check;
    int16_t value;
    uint8_t depth, bound; /* bound: 0 none, AT_LEAST, AT_MOST, or both */
    qp_move move;
} slot;
enum { AT_LEAST = 1, AT_MOST = 2 };

struct qp_foresight {
    slot slots[SLOTS];
    uint16_t often[16][QP_SQUARES]; /* moves that refuted others, by piece and square */
    qp_move refuted[DEPTH_MAX + 1][2];
    uint32_t nodes;
};

typedef struct searching {
    qp_foresight *sight;
    qp_men men;
    int balance; /* Red's men less Black's, worth and place */
    uint64_t key;
} searching;

static uint64_t key_of(unsigned piece, unsigned square)
{
    uint64_t z = ((uint64_t)piece << 7 | square) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ z >> 32;
}

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
static size_t list_moves(const qp_men *men, const qp_sight *sight, qp_side side,
                         ordered *out)
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
               : men->man[side][id].worth + qp_place_of((qp_kind)men->man[side][id].kind,
                                                        side, men->man[side][id].square);
}

static unsigned step(searching *s, qp_side side, qp_move move)
{
    int sign = side == QP_RED ? 1 : -1;
    unsigned id = s->men.id[QP_FROM(move)], to = QP_TO(move);
    unsigned piece = s->men.at[QP_FROM(move)];
    s->key ^= key_of(piece, QP_FROM(move)) ^ key_of(piece, to) ^ 1;
    if (s->men.at[to] != 0)
        s->key ^= key_of(s->men.at[to], to);
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

/* Puts the likely best first: what was best before, captures, what refuted others. */
static void rank(const searching *s, unsigned depth, qp_move first, ordered *moves,
                 size_t count)
{
    const qp_foresight *f = s->sight;
    for (size_t i = 0; i < count; i++) {
        qp_move move = moves[i].move;
        if (move == first)
            moves[i].order = INT16_MAX;
        else if (moves[i].order == 0 &&
                 (move == f->refuted[depth][0] || move == f->refuted[depth][1]))
            moves[i].order = 90;
        else if (moves[i].order == 0)
            moves[i].order =
                (int16_t)(f->often[s->men.at[QP_FROM(move)]][QP_TO(move)] - 1024);
    }
}

static void refuted_by(searching *s, unsigned depth, qp_move move)
{
    qp_foresight *f = s->sight;
    uint16_t *often = &f->often[s->men.at[QP_FROM(move)]][QP_TO(move)];
    if (s->men.at[QP_TO(move)] != 0)
        return;
    *often = (uint16_t)(*often + depth * depth < 1000 ? *often + depth * depth : 1000);
    if (f->refuted[depth][0] != move) {
        f->refuted[depth][1] = f->refuted[depth][0];
        f->refuted[depth][0] = move;
    }
}

/* Calls itself depth deep. */
static int look_ahead(searching *s, const qp_sight *before, qp_move last, unsigned gone,
                      qp_side side, unsigned depth, int alpha, int beta)
{
    qp_sight sight;
    qp_sight_after(&sight, before, &s->men, QP_OTHER(side), last, gone);
    unsigned theirs = king_of(&s->men, QP_OTHER(side));
    if ((theirs != QP_NO_SQUARE && sight.hits[side][theirs] != 0) || kings_face(&s->men))
        return ILLEGAL;
    int balance = side == QP_RED ? s->balance : -s->balance;
    if (depth == 0 || ++s->sight->nodes > NODES_MAX)
        return balance + taking(s, &sight, side);
    slot *known = &s->sight->slots[s->key & (SLOTS - 1)];
    uint32_t check = (uint32_t)(s->key >> 32);
    qp_move first = 0;
    if (known->check == check && known->bound != 0) {
        first = known->move;
        if (known->depth == depth &&
            (((known->bound & AT_LEAST) && known->value >= beta) ||
             ((known->bound & AT_MOST) && known->value <= alpha) ||
             known->bound == (AT_LEAST | AT_MOST)))
            return known->value;
    }
    ordered moves[MOVES_MAX];
    size_t count = list_moves(&s->men, &sight, side, moves);
    int best = -MATE - (int)depth, floor = alpha;
    qp_move best_move = 0;
    rank(s, depth, first, moves, count);
    for (size_t i = 0; i < count; i++) {
        size_t top = i;
        for (size_t k = i + 1; k < count; k++)
            if (moves[k].order > moves[top].order)
                top = k;
        ordered next = moves[top];
        moves[top] = moves[i];
        moves[i] = next;
        int kept = s->balance;
        uint64_t key = s->key;
        if (depth == 1 && s->men.at[QP_TO(next.move)] == 0 &&
            balance + TAKEN_MOST <= alpha && best > -MATE)
            continue; /* too little can come of it */
        unsigned taken = step(s, side, next.move);
        int value = -look_ahead(s, &sight, next.move, taken, QP_OTHER(side), depth - 1,
                                -beta, -alpha);
        qp_men_unplay(&s->men, side, next.move, taken);
        s->balance = kept;
        s->key = key;
        if (value > best) {
            best = value;
            best_move = next.move;
        }
        if (best > alpha)
            alpha = best;
        if (alpha >= beta) {
            refuted_by(s, depth, next.move);
            break;
        }
    }
    *known = (slot){.check = check,
                    .value = (int16_t)best,
                    .depth = (uint8_t)depth,
                    .bound = best <= floor  ? AT_MOST
                             : best >= beta ? AT_LEAST
                                            : AT_LEAST | AT_MOST,
                    .move = best_move};
    return best;
}

qp_foresight *qp_foresight_new(void)
{
    return calloc(1, sizeof(qp_foresight));
}

void qp_foresight_free(qp_foresight *sight)
{
    free(sight);
}

int qp_foresee(qp_foresight *foresight, const qp_board *board, qp_move move,
               unsigned depth, int least)
{
    searching s = {.sight = foresight};
    if (!qp_men_of(&s.men, board))
        return 0;
    qp_side side = (qp_side)board->side;
    s.key = side;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned id = 0; id < QP_MEN_MAX; id++)
            if (s.men.alive[k] >> id & 1) {
                s.balance += (k == QP_RED ? 1 : -1) * worth_at(&s.men, (qp_side)k, id);
                s.key ^=
                    key_of(QP_PIECE(k, s.men.man[k][id].kind), s.men.man[k][id].square);
            }
    qp_sight sight;
    qp_sight_of(&sight, &s.men);
    unsigned taken = step(&s, side, move);
    int value = 0;
    for (unsigned d = depth > 2 ? depth - 2 : depth; d <= depth; d += depth > 2 ? 2 : 1)
        value =
            -look_ahead(&s, &sight, move, taken, QP_OTHER(side), d, -MATE * 3, -least);
    return value;
}
