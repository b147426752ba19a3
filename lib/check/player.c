/* How likely a player was to make each move of a position. A move is weighed by traits
 * that anyone can see: what it takes, what it leaves to be taken, what it threatens,
 * where the man stands better, whether it undoes what was just done. Their weights
 * (weights.h) were fitted to games by `tests/bench/fit`; no position or move of a game is
 * kept in them. */
#include "config.h"

#include "check/player.h"
#include "check/sight.h"
#include "check/traits.h"
#include "check/weights.h"

_Static_assert((int)T_COUNT <= (int)QP_TRAITS, "room for all traits");

enum { ACROSS, FORWARD, BACK };

/* ---- places ---- */

/* By rank from the man's own side and by file from the edge. Made by hand: horses want
 * the middle and the other half, elephants and advisors the middle file, the king home,
 * rooks open lines in front, cannons the middle and, later, the back. */
int qp_place_of(qp_kind kind, qp_side side, unsigned square)
{
    static const int8_t horse[10][5] = {{-20, -10, -5, -5, -15}, {-10, 0, 0, 5, -20},
                                        {0, 5, 20, 15, 5},       {5, 15, 20, 25, 25},
                                        {10, 25, 25, 35, 35},    {15, 40, 35, 45, 45},
                                        {15, 45, 45, 50, 50},    {15, 40, 60, 50, 35},
                                        {10, 50, 50, 45, 20},    {0, 10, 20, 15, 5}};
    static const int8_t rook[10][5] = {{-20, -5, -5, 8, -10}, {-10, 0, 0, 10, 0},
                                       {-10, 5, 5, 12, 5},    {0, 8, 5, 14, 5},
                                       {5, 12, 10, 16, 12},   {8, 14, 12, 16, 12},
                                       {8, 14, 14, 18, 16},   {6, 10, 10, 18, 18},
                                       {6, 12, 12, 20, 24},   {4, 8, 8, 16, 14}};
    static const int8_t cannon[10][5] = {
        {-5, 0, 2, 4, 2},  {-4, 2, 4, 4, 6}, {0, 4, 8, 8, 16}, {-2, 2, 2, 4, 10},
        {0, 4, 4, 6, 12},  {0, 4, 2, 4, 10}, {2, 4, 2, 4, 8},  {2, 4, 0, -2, 2},
        {2, 6, 0, -4, -4}, {8, 8, 2, -4, -6}};
    static const int8_t pawn[10][5] = {{0, 0, 0, 0, 0},      {0, 0, 0, 0, 0},
                                       {0, 0, 0, 0, 0},      {0, 0, 0, 0, 0},
                                       {4, 0, 10, 0, 6},     {14, 18, 20, 24, 26},
                                       {16, 24, 28, 34, 36}, {18, 28, 36, 44, 44},
                                       {18, 30, 40, 52, 54}, {4, 8, 12, 16, 18}};
    static const int8_t guard[5][5] = {{0, 0, 0, 0, 0},
                                       {0, 0, 0, 0, 12},
                                       {-15, 0, 0, -8, 20},
                                       {0, 0, 0, 0, 0},
                                       {0, 0, -5, 0, 0}};
    static const int8_t king[3] = {0, -20, -40};
    int rank = QP_RANK(square), file = QP_FILE(square);
    if (side == QP_BLACK)
        rank = 9 - rank;
    if (file > 4)
        file = 8 - file;
    switch (kind) {
    case QP_HORSE:
        return horse[rank][file];
    case QP_ROOK:
        return rook[rank][file];
    case QP_CANNON:
        return cannon[rank][file];
    case QP_PAWN:
        return pawn[rank][file];
    case QP_ADVISOR:
    case QP_ELEPHANT:
        return rank < 5 ? guard[rank][file] : 0;
    case QP_KING:
        return rank < 3 ? king[rank] - (file < 4 ? 4 : 0) : 0;
    default:
        return 0;
    }
}

/* ---- a position at a glance ---- */

typedef struct glance {
    int loss[2], second[2]; /* what each side stands to lose */
    int of[2][QP_MEN_MAX];
    int reach[2][4]; /* horses, rooks, cannons, others */
    int loose[2][2]; /* strong men unguarded; others */
    int palace[2];   /* hits on each side's */
    int escape[2];   /* squares that a king can go to */
    int trapped[2];
    int through[2][4];
} glance;

static unsigned reach_group(unsigned kind)
{
    return kind == QP_HORSE ? 0 : kind == QP_ROOK ? 1 : kind == QP_CANNON ? 2 : 3;
}

static unsigned bits_in(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Kings and rooks of the other side on a line of the man with one man more between than
 * lets it take there. */
static void look_through(glance *g, const qp_men *men, qp_side side, unsigned kind,
                         unsigned from)
{
    qp_piece king = QP_PIECE(QP_OTHER(side), QP_KING),
             rook = QP_PIECE(QP_OTHER(side), QP_ROOK);
    int file = QP_FILE(from), rank = QP_RANK(from);
    unsigned screens = kind == QP_ROOK ? 1 : 2;
    const int room[4] = {file, 8 - file, rank, 9 - rank}, steps[4] = {-1, 1, -9, 9};
    for (unsigned d = 0; d < 4; d++) {
        unsigned seen = 0;
        for (int k = 1, s = (int)from + steps[d]; k <= room[d]; k++, s += steps[d]) {
            if (men->at[s] == 0)
                continue;
            if (seen++ < screens)
                continue;
            g->through[side][(kind == QP_CANNON) * 2] += men->at[s] == king;
            g->through[side][(kind == QP_CANNON) * 2 + 1] += men->at[s] == rook;
            break;
        }
    }
}

static void look(glance *g, const qp_sight *sight, const qp_men *men)
{
    memset(g, 0, sizeof *g);
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned left = men->alive[side]; left != 0; left &= left - 1) {
            unsigned id = qp_lowest(left);
            unsigned kind = men->man[side][id].kind, s = men->man[side][id].square;
            g->reach[side][reach_group(kind)] += sight->man[side][id].reach;
            if (kind == QP_KING) {
                for (unsigned i = 0; i < sight->man[side][id].count; i++) {
                    unsigned to = sight->man[side][id].square[i] & 127;
                    g->escape[side] +=
                        sight->hits[side ^ 1][to] == 0 &&
                        (men->at[to] == 0 || QP_PIECE_SIDE(men->at[to]) != side);
                }
                continue;
            }
            if (kind == QP_ROOK || kind == QP_HORSE || kind == QP_CANNON)
                g->trapped[side] += sight->man[side][id].reach < 2;
            if (kind == QP_ROOK || kind == QP_CANNON)
                look_through(g, men, (qp_side)side, kind, s);
            if (sight->hits[side][s] == 0)
                g->loose[side]
                        [kind != QP_HORSE && kind != QP_ROOK && kind != QP_CANNON]++;
            if (sight->hits[side ^ 1][s] == 0)
                continue;
            int loss = qp_sight_loss(sight, men, (qp_side)side, id);
            g->of[side][id] = loss;
            if (loss > g->loss[side]) {
                g->second[side] = g->loss[side];
                g->loss[side] = loss;
            } else if (loss > g->second[side]) {
                g->second[side] = loss;
            }
        }
        for (int rank = 0; rank < 3; rank++)
            for (int file = 3; file <= 5; file++)
                g->palace[side] += (int)bits_in(sight->hits[side ^ 1][QP_SQUARE(
                    file, side == QP_RED ? rank : 9 - rank)]);
    }
}

/* ---- traits ---- */

typedef struct weighing {
    const qp_board *board;
    const qp_past *past;
    qp_men men;
    qp_sight before, after;
    glance was, is;
    qp_side side, other;
    bool early, late, checked;
    int balance;   /* own men less theirs */
    bool checking; /* the mover's last ply gave check, it seems */
    unsigned last; /* the man that moved last, QP_MEN_MAX: none */
} weighing;

/* Spreads a value over steps: what lies below the first bound, up to the second, … */
static void spread(int16_t *traits, int value, const int16_t *bounds, unsigned count)
{
    int from = 0;
    for (unsigned i = 0; i < count && value > from; i++) {
        int to = i + 1 < count && value > bounds[i] ? bounds[i] : value;
        traits[i] = (int16_t)((to - from) / 10);
        from = to;
    }
}

/* Men between two squares of one line, and 99 where they are on none. */
static unsigned between(const qp_men *men, unsigned a, unsigned b)
{
    int step = QP_FILE(a) == QP_FILE(b) ? 9 : QP_RANK(a) == QP_RANK(b) ? 1 : 0;
    unsigned count = 0;
    if (step == 0)
        return 99;
    if (a > b) {
        unsigned swap = a;
        a = b;
        b = swap;
    }
    for (unsigned s = a + (unsigned)step; s < b; s += (unsigned)step)
        count += men->at[s] != 0;
    return count;
}

static int hollow(const qp_men *men, qp_side side, unsigned king)
{
    int count = 0;
    if (king == QP_NO_SQUARE)
        return 0;
    for (unsigned id = 0; id < QP_MEN_MAX; id++)
        if ((men->alive[side] >> id & 1) && men->man[side][id].kind == QP_CANNON &&
            QP_FILE(men->man[side][id].square) == QP_FILE(king))
            count += between(men, men->man[side][id].square, king) == 0;
    return count;
}

/* Pawns of each side on a file. */
static void pawns_on(const qp_men *men, int file, unsigned pawns[2])
{
    pawns[0] = pawns[1] = 0;
    for (int rank = 0; rank < 10; rank++) {
        qp_piece piece = men->at[QP_SQUARE(file, rank)];
        if (piece != 0 && QP_PIECE_KIND(piece) == QP_PAWN)
            pawns[QP_PIECE_SIDE(piece)]++;
    }
}

static void weigh_lines(const weighing *w, qp_kind kind, unsigned from, unsigned to,
                        int16_t *t)
{
    const qp_men *men = &w->men;
    t[T_HOLLOW] = (int16_t)(hollow(men, w->side, w->board->king[w->other]));
    t[T_HOLLOW + 1] = (int16_t)(hollow(
        men, w->other,
        men->man[w->side][men->id[to]].kind == QP_KING ? to : w->board->king[w->side]));
    if (kind != QP_ROOK || QP_FILE(from) == QP_FILE(to))
        return;
    unsigned pawns[2];
    pawns_on(men, QP_FILE(to), pawns);
    t[T_FILE] = pawns[0] + pawns[1] == 0;
    t[T_FILE + 1] = pawns[w->side] == 0;
    t[T_FILE + 2] = w->board->king[w->other] != QP_NO_SQUARE &&
                    QP_FILE(w->board->king[w->other]) == QP_FILE(to);
    for (int rank = 0; rank < 10; rank++)
        t[T_FILE + 3] |=
            men->at[QP_SQUARE(QP_FILE(to), rank)] == QP_PIECE(w->other, QP_ROOK);
}

static int distance(unsigned a, unsigned b)
{
    int files = QP_FILE(a) - QP_FILE(b), ranks = QP_RANK(a) - QP_RANK(b);
    return (files < 0 ? -files : files) + (ranks < 0 ? -ranks : ranks);
}

static void weigh_way(const weighing *w, qp_kind kind, unsigned from, unsigned to,
                      int16_t *t)
{
    int rise = (QP_RANK(to) - QP_RANK(from)) * QP_FORWARD(w->side);
    unsigned way = rise == 0 ? ACROSS : rise > 0 ? FORWARD : BACK;
    bool beyond = w->side == QP_RED ? QP_RANK(from) >= 5 : QP_RANK(from) <= 4;
    t[T_WAY + (kind - 1) * 6 + beyond * 3 + way] = 1;
    if (w->early || w->late)
        t[(w->early ? T_WAY_EARLY : T_WAY_LATE) + (kind - 1) * 3 + way] = 1;
    unsigned king = w->board->king[w->other];
    if (king != QP_NO_SQUARE && kind >= QP_HORSE) {
        int near = distance(from, king) - distance(to, king);
        t[T_NEARER + (kind - QP_HORSE) + w->late * 4] = (int16_t)near;
    }
    if (kind == QP_ROOK || kind == QP_CANNON) {
        int steps = rise != 0 ? rise : QP_FILE(to) - QP_FILE(from);
        if (steps < 0)
            steps = -steps;
        t[T_FAR + (kind == QP_CANNON) * 9 + way * 3 + (steps > 2 ? 2 : steps - 1)] = 1;
    }
    if (kind == QP_PAWN) {
        int rank = w->side == QP_RED ? QP_RANK(from) : 9 - QP_RANK(from);
        if (rank >= 4)
            t[T_PAWN + (rank - 4) * 2 + (way == ACROSS)] = 1;
    }
    int better = qp_place_of(kind, w->side, to) - qp_place_of(kind, w->side, from);
    t[T_PLACE + (w->early ? 0 : w->late ? 14 : 7) + kind - 1] = (int16_t)better;
    int home = w->side == QP_RED ? 0 : 9;
    if (w->early) {
        bool first = (kind == QP_HORSE && QP_RANK(from) == home) ||
                     (kind == QP_ROOK && QP_RANK(from) == home &&
                      (QP_FILE(from) == 0 || QP_FILE(from) == 8)) ||
                     (kind == QP_CANNON && QP_RANK(from) == (home ? 7 : 2) &&
                      (QP_FILE(from) == 1 || QP_FILE(from) == 7));
        if (first)
            t[T_DEVELOP + (kind == QP_HORSE ? 0 : kind == QP_ROOK ? 1 : 2)] = 1;
    }
}

static void weigh(weighing *w, qp_move move, int16_t *t)
{
    static const int16_t loss_steps[] = {100, 300, 600}, win_steps[] = {200, 500},
                         man_steps[] = {200, 460}, threat_steps[] = {100, 250, 500};
    const qp_past *past = w->past;
    qp_men *men = &w->men;
    unsigned from = QP_FROM(move), to = QP_TO(move), id = men->id[from];
    qp_side side = w->side, other = w->other;
    qp_kind kind = (qp_kind)men->man[side][id].kind;
    int gain = 0;
    unsigned taken = qp_men_play(men, side, move);
    if (taken != QP_MEN_MAX) {
        qp_kind prey = (qp_kind)men->man[other][taken].kind;
        gain = men->man[other][taken].worth;
        if (prey != QP_KING)
            t[T_TAKE + (prey < QP_PAWN ? (int)prey - QP_ADVISOR
                        : gain == 100  ? 5
                                       : 6)] = 1;
        if (taken == w->last)
            t[T_RETAKE + !past->took] = 1;
    }
    qp_sight_after(&w->after, &w->before, men, side, move, taken);
    look(&w->is, &w->after, men);
    unsigned king = w->board->king[other];
    unsigned checkers = king != QP_NO_SQUARE ? w->after.hits[side][king] : 0;
    int lost = w->is.loss[side] - gain;
    if (lost > 0)
        spread(t + T_LOSS, lost, loss_steps, 4);
    else
        spread(t + T_WIN, -lost, win_steps, 3);
    if (checkers != 0)
        t[T_LOSS_CHECK] = (int16_t)(w->is.loss[side] / 10);
    t[T_SECOND] = (int16_t)(w->is.second[side] / 10);
    spread(t + T_MOVER, w->is.of[side][id], man_steps, 3);
    spread(t + T_RESCUE, w->was.of[side][id], man_steps, 3);
    spread(t + T_THREAT, w->is.loss[other], threat_steps, 4);
    t[T_SECOND_THREAT] = (int16_t)(w->is.second[other] / 10);
    int mine = 0;
    for (unsigned i = 0; i < QP_MEN_MAX; i++)
        if ((men->alive[other] >> i & 1) && w->is.of[other][i] > mine &&
            (w->after.hits[side][men->man[other][i].square] >> id & 1))
            mine = w->is.of[other][i];
    spread(t + T_MOVER_THREAT, mine, man_steps, 3);
    if (checkers != 0) {
        t[T_CHECK + (w->is.of[side][id] != 0)] = 1;
        t[T_CHECK + 2] = !(checkers >> id & 1);
        t[T_CHECK + 3] = (checkers & (checkers - 1)) != 0;
        qp_board behind = *w->board;
        qp_board_play(&behind, move);
        t[T_MATE] = !qp_rules_can_move(&behind);
    }
    if (w->checked)
        t[T_ANSWER + (kind == QP_KING ? 0
                      : gain != 0     ? 1
                                      : 2)] =
            kind == QP_KING || gain != 0 || kind == QP_ADVISOR || kind == QP_ELEPHANT;
    for (unsigned g = 0; g < 4; g++) {
        t[T_REACH + g] = (int16_t)(w->is.reach[side][g] - w->was.reach[side][g]);
        t[T_REACH + 4 + g] = (int16_t)(w->is.reach[other][g] - w->was.reach[other][g]);
    }
    for (unsigned g = 0; g < 2; g++) {
        t[T_LOOSE + g * 2] = (int16_t)(w->is.loose[side][g] - w->was.loose[side][g]);
        t[T_LOOSE + g * 2 + 1] =
            (int16_t)(w->is.loose[other][g] - w->was.loose[other][g]);
    }
    t[T_PALACE] = (int16_t)(w->is.palace[other] - w->was.palace[other]);
    t[T_PALACE + 1] = (int16_t)(w->is.palace[side] - w->was.palace[side]);
    if (kind == QP_HORSE || kind == QP_ROOK || kind == QP_CANNON) {
        bool offered = false;
        for (unsigned i = 0; i < QP_MEN_MAX; i++)
            if (w->after.hits[other][to] >> i & 1)
                offered |= men->man[other][i].worth >= men->man[side][id].worth - 40 &&
                           men->man[other][i].kind != QP_KING;
        if (offered && w->is.of[side][id] == 0)
            t[T_OFFER + (kind == QP_HORSE ? 0 : kind == QP_ROOK ? 1 : 2)] = 1;
    }
    t[T_ESCAPE] = (int16_t)(w->is.escape[other] - w->was.escape[other]);
    t[T_ESCAPE + 1] = (int16_t)(w->is.escape[side] - w->was.escape[side]);
    t[T_TRAPPED] = (int16_t)(w->is.trapped[side] - w->was.trapped[side]);
    t[T_TRAPPED + 1] = (int16_t)(w->is.trapped[other] - w->was.trapped[other]);
    for (unsigned g = 0; g < 4; g++)
        t[T_THROUGH + g] = (int16_t)(w->is.through[side][g] - w->was.through[side][g]);
    if (gain >= 200 && w->is.of[side][id] >= gain - 50 && w->is.of[side][id] <= gain + 50)
        t[T_TRADE + (w->balance > 150 ? 0 : w->balance >= -150 ? 1 : 2)] = 1;
    if (w->last != QP_MEN_MAX && (w->before.hits[other][from] >> w->last & 1) &&
        kind != QP_KING) {
        t[T_FLEE] = 1;
        t[T_FLEE + 1] = (int16_t)(w->was.of[side][id] / 10);
    }
    if (past->own2 != 0 && past->own != 0 && QP_TO(past->own) == from &&
        QP_TO(past->own2) == QP_FROM(past->own))
        t[T_AGAIN] = QP_FROM(past->own2) == to;
    if (checkers != 0)
        t[T_AGAIN + 1] = w->checking;
    if (past->own != 0 && QP_TO(past->own) == from) {
        t[T_SAME + !w->early] = 1;
        if (QP_FROM(past->own) == to) {
            t[T_UNDO] = 1;
            t[T_UNDO + 1] = w->before.hits[other][from] != 0;
            t[T_UNDO + 2] =
                w->last != QP_MEN_MAX && (w->before.hits[other][from] >> w->last & 1);
        }
    }
    if (w->last != QP_MEN_MAX && taken != w->last) {
        unsigned last = men->man[other][w->last].square;
        t[T_AT_LAST] = w->after.hits[side][last] >> id & 1;
        t[T_AT_LAST + 1] = w->is.of[other][w->last] > w->was.of[other][w->last];
    }
    weigh_way(w, kind, from, to, t);
    weigh_lines(w, kind, from, to, t);
    qp_men_unplay(men, side, move, taken);
}

/* Whether the man on a square gave check when it went there: the other king moved since,
 * or it would be in check without what moved since. */
static bool gave_check(const weighing *w, unsigned square)
{
    if (w->men.at[square] == 0 || QP_PIECE_SIDE(w->men.at[square]) != w->side)
        return false;
    if (w->men.man[w->other][w->last].kind == QP_KING)
        return (w->before.hits[w->side][QP_FROM(w->past->other)] >> w->men.id[square] &
                1) != 0;
    unsigned king = w->board->king[w->other];
    return king != QP_NO_SQUARE &&
           (w->before.stake[w->side][QP_TO(w->past->other)] >> w->men.id[square] & 1) !=
               0 &&
           (QP_FILE(king) == QP_FILE(square) || QP_RANK(king) == QP_RANK(square));
}

void qp_player_traits(const qp_board *board, const qp_past *past, qp_trait_sink *sink,
                      void *user)
{
    weighing w = {
        .board = board, .past = past, .side = (qp_side)board->side, .last = QP_MEN_MAX};
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_rules_legal_moves(board, moves);
    w.other = QP_OTHER(board->side);
    bool sound = qp_men_of(&w.men, board);
    if (sound) {
        unsigned total = bits_in(w.men.alive[0]) + bits_in(w.men.alive[1]);
        w.early = total >= 28 && board->round <= 12;
        w.late = total <= 18;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned left = w.men.alive[k]; left != 0; left &= left - 1)
                w.balance += (k == (unsigned)w.side ? 1 : -1) *
                             w.men.man[k][qp_lowest(left)].worth;
        qp_sight_of(&w.before, &w.men);
        look(&w.was, &w.before, &w.men);
        w.checked = board->king[w.side] != QP_NO_SQUARE &&
                    w.before.hits[w.other][board->king[w.side]] != 0;
        unsigned last = QP_TO(past->other);
        if (past->other != 0 && w.men.at[last] != 0 &&
            QP_PIECE_SIDE(w.men.at[last]) == w.other)
            w.last = w.men.id[last];
        w.checking =
            past->own != 0 && w.last != QP_MEN_MAX && gave_check(&w, QP_TO(past->own));
    }
    for (size_t i = 0; i < count; i++) {
        int16_t traits[QP_TRAITS] = {0};
        if (sound)
            weigh(&w, moves[i], traits);
        sink(user, moves[i], traits);
    }
}

/* ---- likelihood ---- */

/* 2^20 times e to the power of -hundredths / 100. */
static uint32_t falling(int32_t hundredths)
{
    /* 2 to the power of -i / 16, times 65536 */
    static const uint32_t parts[16] = {65536, 62757, 60097, 57549, 55109, 52773,
                                       50535, 48393, 46341, 44376, 42495, 40693,
                                       38968, 37316, 35734, 34219};
    uint32_t sixteenths = (uint32_t)(((int64_t)hundredths * 15128) >> 16);
    return sixteenths >> 4 > 20 ? 0 : (parts[sixteenths & 15] << 4) >> (sixteenths >> 4);
}

/* 100 times the natural logarithm of x / 2^20. */
static int32_t logarithm(uint64_t x)
{
    int32_t log = 0; /* base 2, in 1 / 256 */
    while (x >= UINT64_C(1) << 21) {
        x >>= 1;
        log += 256;
    }
    for (int32_t bit = 128; bit != 0; bit >>= 1) { /* x is 1 to 2, times 2^20 */
        x = x * x >> 20;
        if (x >= UINT64_C(1) << 21) {
            x >>= 1;
            log += bit;
        }
    }
    return log * 6931 / 25600;
}

int32_t qp_player_any(const int32_t *costs, size_t count)
{
    int32_t least = INT32_MAX;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (costs[i] < least)
            least = costs[i];
    for (size_t i = 0; i < count; i++)
        sum += falling(costs[i] - least);
    return count != 0 ? least - logarithm(sum) : 0;
}

typedef struct scoring {
    qp_move *moves;
    int32_t scores[QP_PLAYER_MOVES]; /* the less, the likelier */
    size_t count;
} scoring;

static void score(void *user, qp_move move, const int16_t traits[QP_TRAITS])
{
    scoring *s = user;
    int32_t sum = 0;
    for (unsigned k = 0; k < QP_TRAITS; k++)
        sum += traits[k] * weights[k];
    if (s->count == QP_PLAYER_MOVES)
        return;
    s->moves[s->count] = move;
    s->scores[s->count++] = -sum / 10;
}

size_t qp_player_costs(const qp_board *board, const qp_past *past,
                       qp_move moves[QP_PLAYER_MOVES], uint16_t costs[QP_PLAYER_MOVES])
{
    scoring s = {.moves = moves};
    qp_player_traits(board, past, score, &s);
    int32_t any = qp_player_any(s.scores, s.count);
    for (size_t i = 0; i < s.count; i++) {
        int32_t cost = s.scores[i] - any;
        costs[i] = (uint16_t)(cost < 0 ? 0 : cost > 2000 ? 2000 : cost);
    }
    return s.count;
}
