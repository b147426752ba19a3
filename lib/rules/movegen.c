/* The table of moves: how each piece goes, where it may not go and what stands in its
 * way, kings aside; lists of such moves. Source: see rules.h. */
#include "config.h"

#include "rules/lines.h"

#define ZONE(f, r)                                                                       \
    ((r) < 5 ? QP_ZONE_HALF(QP_RED) : QP_ZONE_HALF(QP_BLACK)) |                          \
        ((f) < 3 || (f) > 5 ? 0                                                          \
         : (r) < 3          ? QP_ZONE_PALACE(QP_RED)                                     \
         : (r) > 6          ? QP_ZONE_PALACE(QP_BLACK)                                   \
                            : 0),
const uint8_t qp_zones[256] = {QP_GRID(ZONE)};

#define SPOT(f, r) (r) * 17 + (f),
const uint8_t qp_spots[256] = {QP_GRID(SPOT)};

/* X(files, ranks) for each step, 8 files to the left and 9 ranks down first. */
#define STEPS_OF(X, r)                                                                   \
    X(-8, r) X(-7, r) X(-6, r) X(-5, r) X(-4, r) X(-3, r) X(-2, r) X(-1, r)              \
    QP_RANK_OF(X, r)
#define STEPS(X)                                                                         \
    STEPS_OF(X, -9) STEPS_OF(X, -8) STEPS_OF(X, -7) STEPS_OF(X, -6) STEPS_OF(X, -5)      \
    STEPS_OF(X, -4) STEPS_OF(X, -3) STEPS_OF(X, -2) STEPS_OF(X, -1) STEPS_OF(X, 0)       \
    STEPS_OF(X, 1) STEPS_OF(X, 2) STEPS_OF(X, 3) STEPS_OF(X, 4) STEPS_OF(X, 5)           \
    STEPS_OF(X, 6) STEPS_OF(X, 7) STEPS_OF(X, 8) STEPS_OF(X, 9)

#define LENGTH(f, r) ((f) * (f) + (r) * (r)) /* squared */
#define WAY(f, r)                                                                        \
    (LENGTH(f, r) == 1   ? ((r) == 0  ? QP_ASIDE                                         \
                            : (r) > 0 ? QP_UP                                            \
                                      : QP_DOWN)                                         \
     : LENGTH(f, r) == 2 ? QP_DIAGONAL                                                   \
     : LENGTH(f, r) == 8 ? QP_LEAP                                                       \
     : LENGTH(f, r) == 5 ? QP_BEND                                                       \
                         : 0) |                                                          \
        ((f) != 0 && (r) == 0   ? QP_ON_RANK                                             \
         : (f) == 0 && (r) != 0 ? QP_ON_FILE                                             \
                                : 0),
const uint8_t qp_ways[QP_STEPS] = {STEPS(WAY)};

/* Pawns come beside the king, horses where their step leads to it; those are held up by
 * what stands aslant of it. */
#define ON_LINE(f, r) ((f) == 0 ? QP_CALM_FILE : 0) | ((r) == 0 ? QP_CALM_RANK : 0)
#define TOUCH(f, r)                                                                      \
    ON_LINE(f, r) | (LENGTH(f, r) == 1 || LENGTH(f, r) == 5 ? QP_CALM_NEAR : 0),
#define LEAVE(f, r) ON_LINE(f, r) | (LENGTH(f, r) == 2 ? QP_CALM_NEAR : 0),
const uint8_t qp_touches[QP_STEPS] = {STEPS(TOUCH)};
const uint8_t qp_leaves[QP_STEPS] = {STEPS(LEAVE)};

qp_refusal qp_rules_shape(const qp_board *board, unsigned from, unsigned to)
{
    qp_piece piece = board->at[from], target = board->at[to];
    qp_side side = QP_PIECE_SIDE(piece);
    int ranks = QP_RANK(to) - QP_RANK(from), files = QP_FILE(to) - QP_FILE(from);
    unsigned way = qp_ways[step_index(from, to)];
    unsigned between;

    switch (QP_PIECE_KIND(piece)) {
    case QP_KING:
    case QP_ADVISOR:
        if (!(way & (QP_PIECE_KIND(piece) == QP_KING ? QP_STEP : QP_DIAGONAL)))
            return QP_REFUSE_BAD_SHAPE;
        if (!(qp_zones[to] & QP_ZONE_PALACE(side)))
            return QP_REFUSE_LEAVES_PALACE;
        break;
    case QP_ELEPHANT:
        if (!(way & QP_LEAP))
            return QP_REFUSE_BAD_SHAPE;
        if (!(qp_zones[to] & QP_ZONE_HALF(side)))
            return QP_REFUSE_CROSSES_RIVER;
        if (board->at[(from + to) / 2])
            return QP_REFUSE_BLOCKED_EYE;
        break;
    case QP_HORSE:
        if (!(way & QP_BEND))
            return QP_REFUSE_BAD_SHAPE;
        /* A half of one step is none: the leg lies in the long direction. */
        if (board->at[(int)from + ranks / 2 * 9 + files / 2])
            return QP_REFUSE_BLOCKED_LEG;
        break;
    case QP_ROOK:
        if (!(way & QP_LINE))
            return QP_REFUSE_BAD_SHAPE;
        if (bits_between(board, from, to, ranks == 0))
            return QP_REFUSE_PATH_BLOCKED;
        break;
    case QP_CANNON:
        if (!(way & QP_LINE))
            return QP_REFUSE_BAD_SHAPE;
        between = bits_between(board, from, to, ranks == 0);
        if (target == 0) {
            if (between)
                return QP_REFUSE_PATH_BLOCKED;
        } else if (!between) {
            return QP_REFUSE_CANNON_NO_SCREEN;
        } else if (between & (between - 1)) {
            return QP_REFUSE_CANNON_MANY_SCREENS;
        }
        break;
    case QP_PAWN:
        if (!(way & QP_STEP))
            return QP_REFUSE_BAD_SHAPE;
        if (ranks == -QP_FORWARD(side))
            return QP_REFUSE_PAWN_BACKWARD;
        if (ranks == 0 && (qp_zones[from] & QP_ZONE_HALF(side)))
            return QP_REFUSE_PAWN_SIDEWAYS;
        break;
    default:
        return QP_REFUSE_BAD_SHAPE;
    }
    return target != 0 && QP_PIECE_SIDE(target) == side ? QP_REFUSE_CAPTURES_OWN
                                                        : QP_LEGAL;
}

const uint8_t qp_ways_of[16] = {
    [QP_PIECE(QP_RED, QP_KING)] = QP_STEP,
    [QP_PIECE(QP_BLACK, QP_KING)] = QP_STEP,
    [QP_PIECE(QP_RED, QP_ADVISOR)] = QP_DIAGONAL,
    [QP_PIECE(QP_BLACK, QP_ADVISOR)] = QP_DIAGONAL,
    [QP_PIECE(QP_RED, QP_ELEPHANT)] = QP_LEAP,
    [QP_PIECE(QP_BLACK, QP_ELEPHANT)] = QP_LEAP,
    [QP_PIECE(QP_RED, QP_HORSE)] = QP_BEND,
    [QP_PIECE(QP_BLACK, QP_HORSE)] = QP_BEND,
    [QP_PIECE(QP_RED, QP_ROOK)] = QP_LINE,
    [QP_PIECE(QP_BLACK, QP_ROOK)] = QP_LINE,
    [QP_PIECE(QP_RED, QP_CANNON)] = QP_LINE,
    [QP_PIECE(QP_BLACK, QP_CANNON)] = QP_LINE,
    [QP_PIECE(QP_RED, QP_PAWN)] = QP_UP | QP_ASIDE,
    [QP_PIECE(QP_BLACK, QP_PAWN)] = QP_DOWN | QP_ASIDE,
};
#define ANYWHERE 0xFF
const uint8_t qp_zones_of[16] = {
    [QP_PIECE(QP_RED, QP_KING)] = QP_ZONE_PALACE(QP_RED),
    [QP_PIECE(QP_RED, QP_ADVISOR)] = QP_ZONE_PALACE(QP_RED),
    [QP_PIECE(QP_RED, QP_ELEPHANT)] = QP_ZONE_HALF(QP_RED),
    [QP_PIECE(QP_RED, QP_HORSE)] = ANYWHERE,
    [QP_PIECE(QP_RED, QP_PAWN)] = QP_ZONE_HALF(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_KING)] = QP_ZONE_PALACE(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_ADVISOR)] = QP_ZONE_PALACE(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_ELEPHANT)] = QP_ZONE_HALF(QP_BLACK),
    [QP_PIECE(QP_BLACK, QP_HORSE)] = ANYWHERE,
    [QP_PIECE(QP_BLACK, QP_PAWN)] = QP_ZONE_HALF(QP_RED),
};

#define HALF(f, r) (r) / 2 * 9 + (f) / 2,
const int8_t qp_halves[QP_STEPS] = {STEPS(HALF)};

bool qp_rules_pseudo(const qp_board *board, qp_move move)
{
    return step_allowed(board, QP_FROM(move), QP_TO(move));
}

/* A list of moves that grows, for the piece on from. */
typedef struct list {
    const qp_board *board;
    qp_move *moves;
    size_t count;
    unsigned from;
    qp_side side;
} list;

static void add(list *l, unsigned to)
{
    qp_piece target = l->board->at[to];
    if (target == 0 || QP_PIECE_SIDE(target) != l->side)
        l->moves[l->count++] = QP_MOVE(l->from, to);
}

/* The square that lies so many files and ranks away, or QP_NO_SQUARE. */
static unsigned away(unsigned from, int files, int ranks)
{
    unsigned file = (unsigned)(QP_FILE(from) + files),
             rank = (unsigned)(QP_RANK(from) + ranks);
    return file < 9 && rank < 10 ? rank * 9 + file : QP_NO_SQUARE;
}

/* Steps in all four directions, once, that stay in the zone. */
static void add_steps(list *l, int files, int ranks, unsigned zone)
{
    for (int i = 0; i < 4; i++) {
        unsigned to = away(l->from, files, ranks);
        if (to != QP_NO_SQUARE && (qp_zones[to] & zone))
            add(l, to);
        int turned = files;
        files = -ranks;
        ranks = turned;
    }
}

static void add_elephant(list *l)
{
    for (int i = 0; i < 4; i++) {
        unsigned to = away(l->from, i & 1 ? 2 : -2, i & 2 ? 2 : -2);
        if (to != QP_NO_SQUARE && (qp_zones[to] & QP_ZONE_HALF(l->side)) &&
            l->board->at[(l->from + to) / 2] == 0)
            add(l, to);
    }
}

static void add_horse(list *l)
{
    static const int8_t legs[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int i = 0; i < 4; i++) {
        int files = legs[i][0], ranks = legs[i][1];
        unsigned leg = away(l->from, files, ranks);
        if (leg == QP_NO_SQUARE || l->board->at[leg] != 0)
            continue;
        for (int aside = -1; aside <= 1; aside += 2) {
            unsigned to = away(leg, files ? files : aside, ranks ? ranks : aside);
            if (to != QP_NO_SQUARE)
                add(l, to);
        }
    }
}

static void add_pawn(list *l)
{
    unsigned to = away(l->from, 0, QP_FORWARD(l->side));
    if (to != QP_NO_SQUARE)
        add(l, to);
    if (qp_zones[l->from] & QP_ZONE_HALF(l->side))
        return;
    for (int aside = -1; aside <= 1; aside += 2)
        if ((to = away(l->from, aside, 0)) != QP_NO_SQUARE)
            add(l, to);
}

static void add_line(list *l, bool cannon)
{
    const qp_piece *at = l->board->at;
    int file = QP_FILE(l->from), rank = QP_RANK(l->from);
    const struct {
        int step, length;
    } ray[4] = {{1, 8 - file}, {-1, file}, {9, 9 - rank}, {-9, rank}};
    for (int i = 0; i < 4; i++) {
        unsigned to = l->from;
        int left = ray[i].length;
        for (; left > 0; left--) {
            to += (unsigned)ray[i].step;
            if (at[to] != 0)
                break;
            l->moves[l->count++] = QP_MOVE(l->from, to);
        }
        if (cannon && left > 0)
            while (--left > 0)
                if (at[to += (unsigned)ray[i].step] != 0)
                    break;
        if (left > 0)
            add(l, to);
    }
}

size_t qp_rules_piece_moves(const qp_board *board, unsigned from,
                            qp_move moves[QP_PIECE_MOVES_MAX])
{
    qp_piece piece = board->at[from];
    list l = {board, moves, 0, from, QP_PIECE_SIDE(piece)};
    switch (QP_PIECE_KIND(piece)) {
    case QP_KING:
        add_steps(&l, 1, 0, QP_ZONE_PALACE(l.side));
        break;
    case QP_ADVISOR:
        add_steps(&l, 1, 1, QP_ZONE_PALACE(l.side));
        break;
    case QP_ELEPHANT:
        add_elephant(&l);
        break;
    case QP_HORSE:
        add_horse(&l);
        break;
    case QP_ROOK:
        add_line(&l, false);
        break;
    case QP_CANNON:
        add_line(&l, true);
        break;
    case QP_PAWN:
        add_pawn(&l);
        break;
    default:
        break;
    }
    return l.count;
}

/* Along a rank or file to the first piece, for a cannon to the one behind it. */
static void add_line_captures(list *l, bool cannon)
{
    const qp_piece *at = l->board->at;
    int file = QP_FILE(l->from), rank = QP_RANK(l->from);
    const struct {
        int step, length;
    } ray[4] = {{1, 8 - file}, {-1, file}, {9, 9 - rank}, {-9, rank}};
    for (int i = 0; i < 4; i++) {
        unsigned to = l->from;
        int over = cannon;
        for (int left = ray[i].length; left > 0; left--) {
            to += (unsigned)ray[i].step;
            if (at[to] != 0 && over-- == 0) {
                add(l, to);
                break;
            }
        }
    }
}

size_t qp_rules_captures(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    size_t n = 0;
    for (unsigned from = 0; from < QP_SQUARES; from++) {
        qp_piece piece = board->at[from];
        if (piece == 0 || piece >> 3 != board->side)
            continue;
        qp_kind kind = QP_PIECE_KIND(piece);
        list l = {board, moves + n, 0, from, QP_PIECE_SIDE(piece)};
        if (kind == QP_ROOK || kind == QP_CANNON) {
            add_line_captures(&l, kind == QP_CANNON);
            n += l.count;
            continue;
        }
        size_t end = n + qp_rules_piece_moves(board, from, moves + n);
        for (size_t i = n; i < end; i++)
            if (board->at[QP_TO(moves[i])] != 0)
                moves[n++] = moves[i];
    }
    return n;
}

size_t qp_rules_moves(const qp_board *board, qp_move moves[QP_MOVES_MAX])
{
    size_t n = 0;
    _Static_assert(QP_SQUARES * QP_PIECE_MOVES_MAX <= QP_MOVES_MAX, "no list is cut off");
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (board->at[from] != 0 && QP_PIECE_SIDE(board->at[from]) == board->side)
            n += qp_rules_piece_moves(board, from, moves + n);
    return n;
}
