/* A written move and a board give the moves it can mean: pieces that fit the words are
 * looked up on the board, the words say where each would go, and what is legal stays.
 *
 * Customs of doubled pieces that are read: order words within the file (all); pawns
 * numbered over several files from the mover's right, front to rear (xqbase: 一兵, Pa);
 * order word and file (DhtmlXQ: 前九, 7+); all three words (older print: 前兵九); number
 * and file (Fairy-Stockfish: 15); the signs of the World Xiangqi Federation (AXF: ++ + 3
 * - --). */
#include "config.h"

#include "notation/inside.h"

/* Where a piece on a file and rank goes. Few branches: what moves and which way is what a
 * processor cannot foresee in a game. */
static inline qp_square goal_of(qp_side side, qp_kind kind, int file, int rank, qp_way way,
                                unsigned arg)
{
    /* How many ranks a piece that moves aslant goes by how many files aside. */
    static const uint8_t rises[8][9] = {
        [QP_ADVISOR] = {0, 1}, [QP_ELEPHANT] = {0, 0, 2}, [QP_HORSE] = {0, 2, 1}};
    const unsigned slanted = 1u << QP_ADVISOR | 1u << QP_ELEPHANT | 1u << QP_HORSE;
    bool slants = slanted >> kind & 1, across = way == QP_WAY_ACROSS;

    if (arg - 1 > 8 || (slants && across))
        return QP_NO_SQUARE;
    int goal = slants || across ? QP_ROAD_FILE(side, (int)arg) : file;
    int aside = goal < file ? file - goal : goal - file;
    int rise = slants ? rises[kind][aside] : across ? 0 : (int)arg;
    if (rise == 0 && (slants || aside == 0))
        return QP_NO_SQUARE;
    rank += (way == QP_WAY_BACK) == (side == QP_RED) ? -rise : rise;
    return (unsigned)rank > 9 ? QP_NO_SQUARE : QP_SQUARE(goal, rank);
}

qp_square qp_goal(qp_side side, qp_kind kind, qp_square from, qp_way way, unsigned arg)
{
    return goal_of(side, kind, QP_FILE(from), QP_RANK(from), way, arg);
}

static inline void offer_goal(qp_search *search, qp_kind kind, qp_square from, qp_way way)
{
    qp_square to = qp_goal(search->side, kind, from, way, search->arg);
    if (search->trouble != NULL) {
        search->trouble(search, kind, from, to);
        return;
    }
    if (to == QP_NO_SQUARE)
        return;
    qp_move move = QP_MOVE(from, to);
    for (size_t i = 0; i < search->count; i++)
        if (search->moves[i] == move)
            return;
    if (search->count < QP_RESOLVE_MAX && qp_rules_legal(search->board, move))
        search->moves[search->count++] = move;
}

/* Adds what the piece on a square makes of the words, where that is legal. */
static inline void offer(qp_search *search, qp_kind kind, qp_square from)
{
    if (QP_LIKELY_TO(search->way != QP_WAY_NONE)) {
        offer_goal(search, kind, from, search->way);
    } else { /* the abbreviated form: any way that ends in the printed number */
        offer_goal(search, kind, from, QP_WAY_ACROSS);
        offer_goal(search, kind, from, QP_WAY_FORWARD);
        offer_goal(search, kind, from, QP_WAY_BACK);
    }
}

size_t qp_column(const qp_board *board, qp_side side, qp_kind kind, int file,
                 qp_square squares[10])
{
    qp_piece piece = QP_PIECE(side, kind);
    int step = side == QP_RED ? -9 : 9;
    int square = side == QP_RED ? QP_SQUARE(file, 9) : QP_SQUARE(file, 0);
    size_t count = 0;
    for (int i = 0; i < 10; i++, square += step)
        if (board->at[square] == piece)
            squares[count++] = (qp_square)square;
    return count;
}

/* Bit r: whether such a piece stands on rank r of the file. */
static inline unsigned ranks_of(const qp_board *board, qp_piece piece, int file)
{
    const qp_piece *at = board->at + file;
#define BIT(r) (unsigned)(at[(r)*9] == piece) << (r)
    return BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(7) |
           BIT(8) | BIT(9);
#undef BIT
}

size_t qp_doubled_roads(const qp_board *board, qp_side side, qp_kind kind,
                        uint8_t roads[9])
{
    const qp_piece *at = board->at, *end = at + QP_SQUARES;
    unsigned seen = 0, twice = 0; /* a bit a file */
    while ((at = memchr(at, QP_PIECE(side, kind), (size_t)(end - at))) != NULL) {
        unsigned file = 1u << QP_FILE(at - board->at);
        twice |= seen & file;
        seen |= file;
        if (++at == end)
            break;
    }
    size_t count = 0;
    for (int road = 1; twice != 0 && road <= 9; road++)
        if (twice >> QP_ROAD_FILE(side, road) & 1)
            roads[count++] = (uint8_t)road;
    return count;
}

/* The mover's pieces of a kind on a road. */
static size_t column(const qp_search *search, qp_kind kind, unsigned road,
                     qp_square squares[10])
{
    return qp_column(search->board, search->side, kind,
                     QP_ROAD_FILE(search->side, (int)road), squares);
}

/* Which of count pieces on a file, front to rear, an order word means; -1 for none. */
static int ordinal(unsigned which, size_t count)
{
    int n = (int)count;
    switch (which) {
    case QP_WHICH_FRONT:
        return n > 0 ? 0 : -1;
    case QP_WHICH_REAR:
        return n - 1;
    case QP_WHICH_MIDDLE:
        return n == 3 || n == 5 ? n / 2 : -1;
    case QP_WHICH_SECOND_FRONT:
        return n >= 4 ? 0 : -1;
    case QP_WHICH_SECOND_REAR:
        return n >= 4 ? n - 1 : -1;
    default:
        return which >= QP_WHICH_1 && which <= QP_WHICH_5 && (int)(which - QP_WHICH_1) < n
                   ? (int)(which - QP_WHICH_1)
                   : -1;
    }
}

/* AXF gives + and - to the second and the last but one of four or five pawns. */
static int axf_ordinal(unsigned which, size_t count)
{
    if (count >= 4 && which == QP_WHICH_FRONT)
        return 1;
    if (count >= 4 && which == QP_WHICH_REAR)
        return (int)count - 2;
    return ordinal(which, count);
}

static void read_file(qp_search *search, qp_kind kind, unsigned road)
{
    qp_square squares[10];
    if (road - 1 > 8)
        return;
    size_t n = column(search, kind, road, squares);
    if (n > 1 && kind != QP_ADVISOR && kind != QP_ELEPHANT) {
        if (search->wxf && kind == QP_PAWN && (n == 3 || n == 5)) {
            offer(search, kind,
                  squares[n / 2]); /* AXF: the middle one goes without a mark */
            if (search->count != 0)
                return;
        }
        search->pick |= QP_PICK_ORDER_MISSING;
    }
    for (size_t i = 0; i < n; i++)
        offer(search, kind, squares[i]);
}

static void read_file_order(qp_search *search, qp_kind kind, unsigned road,
                            unsigned which)
{
    qp_square squares[10];
    if (road - 1 > 8)
        return;
    size_t n = column(search, kind, road, squares);
    int i = ordinal(which, n);
    if (n == 1 &&
        (which == QP_WHICH_FRONT || which == QP_WHICH_REAR || which == QP_WHICH_MIDDLE))
        i = 0;
    if (n == 1)
        search->pick |= QP_PICK_ORDER_NEEDLESS;
    if (i >= 0)
        offer(search, kind, squares[i]);
}

/* The pawn with that number, from 1, when all that stand on doubled files are counted
 * from the mover's right to left and front to rear (school X). */
static qp_square pawn_numbered(const qp_search *search, const uint8_t *roads,
                               size_t count, unsigned number)
{
    qp_square squares[10];
    for (size_t i = 0; i < count; i++) {
        size_t n = column(search, QP_PAWN, roads[i], squares);
        if (number >= 1 && number <= n)
            return squares[number - 1];
        number -= (unsigned)n;
    }
    return QP_NO_SQUARE;
}

static void read_order(qp_search *search, qp_kind kind, unsigned which)
{
    uint8_t roads[9];
    qp_square squares[10];
    size_t files = qp_doubled_roads(search->board, search->side, kind, roads);
    bool numbered = which >= QP_WHICH_1 && which <= QP_WHICH_5;

    if (files == 0) { /* needless: whichever can */
        if (numbered) /* 一兵 is 兵一 here */
            return;
        search->pick |= QP_PICK_ORDER_NEEDLESS;
        for (unsigned road = 1; road <= 9; road++) {
            size_t n = column(search, kind, road, squares);
            if (n != 0)
                offer(search, kind, squares[0]);
        }
        return;
    }
    if (kind == QP_ADVISOR || kind == QP_ELEPHANT)
        search->pick |= QP_PICK_ORDER_NEEDLESS;
    if (files > 1 && numbered && kind == QP_PAWN) {
        qp_square from = pawn_numbered(search, roads, files, which - QP_WHICH_1 + 1);
        if (from != QP_NO_SQUARE)
            offer(search, kind, from);
        return;
    }
    if (files > 1)
        search->pick |= QP_PICK_FRONT_OF_TWO_FILES;
    for (int axf = search->wxf; axf >= 0; axf--) {
        for (size_t i = 0; i < files; i++) {
            size_t n = column(search, kind, roads[i], squares);
            int at = axf ? axf_ordinal(which, n) : ordinal(which, n);
            if (at >= 0)
                offer(search, kind, squares[at]);
        }
        if (search->count != 0)
            return;
        if (axf)
            search->pick |= QP_PICK_WXF_SCHEME;
    }
}

/* Two digits in place of a name, of which each source has its own use. */
static void read_digits(qp_search *search, unsigned first, unsigned second)
{
    qp_square squares[10];
    uint8_t roads[9];
    if (first - 1 > 8 || second - 1 > 8)
        return;
    size_t n = column(search, QP_PAWN, second, squares);
    size_t files = qp_doubled_roads(search->board, search->side, QP_PAWN, roads);
    qp_move found[QP_RESOLVE_MAX];
    size_t count = 0;

    /* The readings in order of preference; each names one piece or, the last, one file.
     */
    for (int reading = 0; reading < 4; reading++) {
        search->count = 0;
        if (reading == 0) { /* pawn number, file */
            if (first <= n)
                offer(search, QP_PAWN, squares[first - 1]);
        } else if (reading == 1) { /* number over all doubled files, file */
            qp_square from = QP_NO_SQUARE;
            if (files > 1)
                from = pawn_numbered(search, roads, files, first);
            if (from != QP_NO_SQUARE &&
                QP_FILE(from) == QP_ROAD_FILE(search->side, (int)second))
                offer(search, QP_PAWN, from);
        } else if (reading == 2) { /* AXF: file twice, the middle pawn of three */
            if (first == second && n == 3 && files > 1)
                offer(search, QP_PAWN, squares[1]);
        } else if (count == 0 && search->wxf && first <= QP_PAWN &&
                   search->trouble == NULL) {
            /* xqbase: piece digit, file */
            read_file(search, (qp_kind)first, second); /* K A E H R C P, as in qp_kind */
        }
        if (search->count == 0)
            continue;
        if (count == 0) {
            count = search->count;
            memcpy(found, search->moves, count * sizeof *found);
            if (reading > 0)
                search->pick |= QP_PICK_WXF_SCHEME;
        } else if (search->moves[0] != found[0]) {
            search->pick |= QP_PICK_WXF_SCHEME;
        }
    }
    search->count = count;
    memcpy(search->moves, found, count * sizeof *found);
}

static void read_kind(qp_search *search, const qp_written *written, qp_kind kind)
{
    switch ((qp_form)written->form) {
    case QP_FORM_PIECE_ROAD:
        read_file(search, kind, written->road);
        break;
    case QP_FORM_WHICH_PIECE:
        read_order(search, kind, written->which);
        if (search->count == 0 && written->road != 0) { /* 七兵 for 兵七 */
            search->pick = QP_PICK_FILE_FIRST;
            read_file(search, kind, written->road);
        }
        break;
    case QP_FORM_WHICH_ROAD:
    case QP_FORM_WHICH_PIECE_ROAD:
        read_file_order(search, kind, written->road, written->which);
        break;
    case QP_FORM_DIGITS:
        read_digits(search, written->which, written->road);
        break;
    default:
        break;
    }
}

void qp_search_run(qp_search *search, const qp_written *written)
{
    search->way = (qp_way)written->way;
    search->arg = written->arg;
    search->wxf = (written->style & QP_STYLE_WXF) != 0;
    if (QP_LIKELY_TO(written->kinds == 0)) {
        read_kind(search, written, (qp_kind)(written->kind ? written->kind : QP_PAWN));
        return;
    }
    for (int kind = QP_KING; kind <= QP_PAWN; kind++)
        if (written->kinds >> kind & 1)
            read_kind(search, written, (qp_kind)kind);
}

/* All but the usual move and squares. */
static QP_APART size_t resolve_any(const qp_board *board, const qp_written *written,
                                   qp_base base, qp_move moves[8], unsigned *pick)
{
    if (written->form == QP_FORM_SAN)
        return qp_resolve_san(board, written, base, moves);
    qp_search search = {.board = board, .side = (qp_side)board->side, .moves = moves};
    qp_search_run(&search, written);
    *pick = search.count != 0 ? search.pick : 0;
    return search.count;
}

size_t qp_resolve(const qp_board *board, const qp_written *written, qp_base base,
                  qp_move moves[8], unsigned *pick)
{
    *pick = 0;
    /* The usual move, 炮二平五, of a piece that stands alone on its file; what read_file
     * makes of it. */
    if (QP_LIKELY_TO(written->form == QP_FORM_PIECE_ROAD && written->kinds == 0 &&
                     written->way != QP_WAY_NONE && written->road - 1u <= 8)) {
        qp_side side = (qp_side)board->side;
        qp_kind kind = (qp_kind)(written->kind ? written->kind : QP_PAWN);
        int file = QP_ROAD_FILE(side, written->road);
        unsigned ranks = ranks_of(board, QP_PIECE(side, kind), file);
        if (ranks == 0)
            return 0;
        if (QP_LIKELY_TO((ranks & (ranks - 1)) == 0)) {
            int rank = (int)qp_lowest_bit(ranks);
            qp_square to =
                goal_of(side, kind, file, rank, (qp_way)written->way, written->arg);
            qp_move move = QP_MOVE(QP_SQUARE(file, rank), to);
            moves[0] = move;
            return to != QP_NO_SQUARE && qp_rules_legal(board, move);
        }
    }
    if (written->form == QP_FORM_COORD || written->form == QP_FORM_SQUARES) {
        qp_move move =
            written->form == QP_FORM_COORD ? qp_coord_move(written, base) : written->move;
        moves[0] = move;
        return move != 0 && QP_FROM(move) < QP_SQUARES && QP_TO(move) < QP_SQUARES &&
               qp_rules_legal(board, move);
    }
    return resolve_any(board, written, base, moves, pick);
}
