/* What is worked out beforehand of a game that is only played forward: see course.h. */
#include "config.h"

#include "rules/course.h"

/* The square of a king's place: see QP_SUM_KING. */
static unsigned palace_square(qp_side side, unsigned place)
{
    unsigned rank = place / 3, file = 3 + place % 3;
    return (side == QP_RED ? rank : 9 - rank) * 9 + file;
}

static uint64_t on_line(qp_piece piece)
{
    qp_kind kind = QP_PIECE_KIND(piece);
    uint64_t shoots = kind == QP_ROOK || kind == QP_KING ? 1
                      : kind == QP_CANNON                ? 1 << 10
                                                         : 0;
    return 1 | shoots << (QP_PIECE_SIDE(piece) == QP_RED ? QP_LINE_RED : QP_LINE_BLACK);
}

static void fill_pieces(qp_course *course)
{
    for (unsigned piece = 1; piece < 16; piece++) {
        if (QP_PIECE_KIND((qp_piece)piece) == 0)
            continue;
        course->on_line[piece] = on_line((qp_piece)piece);
        course->barred[QP_PIECE_SIDE(piece)][piece] = true;
        course->barred[QP_OTHER(QP_PIECE_SIDE(piece))][piece] =
            QP_PIECE_KIND((qp_piece)piece) == QP_KING;
        for (unsigned square = 0; square < QP_SQUARES; square++)
            course->sums[piece << 7 | square] = QP_MIX((uint64_t)piece << 7 | square)
                                                >> QP_SUM_KEY << QP_SUM_KEY;
    }
}

/* A piece near a place of the side's king, aside of it and up towards the other. */
static void fill_near(qp_course *course, qp_side side, qp_kind kind, unsigned place,
                      int aside, int up)
{
    unsigned king = palace_square(side, place);
    int file = (int)(king % 9) + aside,
        rank = (int)(king / 9) + (side == QP_RED ? up : -up);
    if (rank >= 0 && rank <= 9) /* files are far enough from the edge */
        course->sums[QP_PIECE(QP_OTHER(side), kind) << 7 | QP_SQUARE(file, rank)] +=
            UINT64_C(1) << (QP_SUM_NEAR + 3 * place);
}

/* The tables of qp_course.sight: by the king's file, by its rank. */
static unsigned file_sight(unsigned rank)
{
    return 3 * 512 + (rank < 3 ? rank : rank - 4) * 1024;
}
static unsigned rank_sight(unsigned file)
{
    return (file - 3) * 512;
}

static void fill_views(qp_course *course, qp_side side)
{
    static const int8_t horses[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                        {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (unsigned place = 0; place < 9; place++) {
        unsigned king = palace_square(side, place), rank = king / 9, file = king % 9;
        course->view[side][place] = (qp_king_view){
            .near = 7u << (QP_SUM_NEAR + 3 * place),
            .file_sight = (uint16_t)file_sight(rank),
            .rank_sight = (uint16_t)rank_sight(file),
            .file = (uint8_t)file,
            .rank = (uint8_t)(QP_RANK_LINES + rank),
        };
        course->sums[QP_PIECE(side, QP_KING) << 7 | king] += place;
        for (unsigned i = 0; i < QP_COUNT(horses); i++)
            fill_near(course, side, QP_HORSE, place, horses[i][0], horses[i][1]);
        for (int i = -1; i <= 1; i++)
            fill_near(course, side, QP_PAWN, place, i, i == 0);
    }
}

/* The table of a place on a line of so many squares: of what stands on each side, the
 * nearest as rooks see it, and the next as cannons do. */
static void fill_sight(uint32_t *sight, unsigned place, unsigned squares)
{
    uint32_t below[1 << 9] = {0};
    unsigned here = 1u << place, highest = 1;
    for (unsigned bits = 1; bits < here; bits++) {
        highest <<= bits >= highest << 1;
        unsigned next = below[bits ^ highest] >> QP_LINE_BLACK & QP_LINE_ALL;
        below[bits] = highest << QP_LINE_BLACK | next << (QP_LINE_BLACK + 10);
    }
    for (unsigned above = 0; above < 1u << squares; above += here << 1) {
        unsigned lowest = above & (0u - above), next = above ^ lowest;
        next &= 0u - next;
        uint32_t up = lowest << QP_LINE_BLACK | next << (QP_LINE_BLACK + 10);
        for (unsigned bits = 0; bits < here; bits++)
            sight[above | here | bits] = up | below[bits];
    }
}

void qp_course_init(qp_course *course)
{
    fill_pieces(course);
    for (unsigned side = QP_RED; side <= QP_BLACK; side++)
        fill_views(course, (qp_side)side);
    for (unsigned i = 0; i < 3; i++) {
        fill_sight(course->sight + rank_sight(3 + i), 3 + i, 9);
        fill_sight(course->sight + file_sight(i), i, 10);
        fill_sight(course->sight + file_sight(7 + i), 7 + i, 10);
    }
    qp_board start;
    qp_board_start(&start);
    qp_course_set(course, &course->start, &start);
}

void qp_course_set(const qp_course *course, qp_course_state *state, const qp_board *board)
{
    *state = (qp_course_state){.board = *board};
    for (unsigned square = 0; square < QP_SQUARES; square++) {
        qp_piece piece = board->at[square];
        state->line[square % 9] |= course->on_line[piece] << square / 9;
        state->line[QP_RANK_LINES + square / 9] |= course->on_line[piece] << square % 9;
        *qp_course_sum(state, QP_PIECE_SIDE(piece)) += course->sums[piece << 7 | square];
    }
    qp_course_places(state);
}

void qp_course_places(qp_course_state *state)
{
    memset(state->place, 0, sizeof state->place);
    for (unsigned square = 0; square < QP_SQUARES; square++)
        state->place[square % 9 * 16 + state->board.at[square]] +=
            (uint8_t)(QP_PLACE + square / 9);
}

void qp_course_kings(qp_course_state *state)
{
    for (unsigned side = QP_RED; side <= QP_BLACK; side++)
        state->board.king[side] = (uint8_t)palace_square(
            (qp_side)side, *qp_course_sum(state, (qp_side)side) & QP_SUM_KING);
}

/* The number that track.h gives a line of pieces, as it is here. */
static uint8_t line_of(unsigned track_line)
{
    enum { FILES = 9 + 2 * QP_TRACK_MARGIN };
    unsigned line = track_line / 16;
    return (uint8_t)(line < FILES ? line - QP_TRACK_MARGIN
                                  : line - FILES - QP_TRACK_MARGIN + QP_RANK_LINES);
}

void qp_course_stride_make(const qp_course *course, qp_course_stride *stride,
                           const qp_stride *from)
{
    unsigned to_file = (unsigned)(from->file + from->reach - 9 * from->rise);
    bool on_rank = from->on_rank != 0;
    unsigned low = from->ranks != 0 ? qp_lowest_bit(from->ranks) : 0, ranks = 0;
    while (from->ranks >> low >> ranks & 1) /* they are in a row */
        ranks++;
    *stride = (qp_course_stride){
        .leave_rank = course->on_line[from->piece] << from->file,
        .along = on_rank ? 0 : from->between,
        .across = on_rank ? (uint16_t)(from->between >> QP_STRIDE_UNIT) : 0,
        .line = on_rank ? 0 : line_of(from->line),
        .low = (uint8_t)(QP_PLACE + low),
        .ranks = (uint8_t)ranks,
        .from_file = from->file,
        .to_file = (uint8_t)to_file,
        .from_place = (uint8_t)(from->file * 16 + from->piece),
        .to_place = (uint8_t)(to_file * 16 + from->piece),
        .rise = from->rise,
        .reach = from->reach,
        .piece = from->piece,
        .jumps = QP_PIECE_KIND(from->piece) == QP_CANNON ? 0xFF : 0,
    };
}

void qp_course_pace_make(qp_course_pace *pace, qp_move move)
{
    qp_pace made;
    unsigned from = QP_FROM(move), to = QP_TO(move);
    qp_pace_make(&made, move);
    *pace = (qp_course_pace){
        .pieces = made.pieces,
        .between = made.between,
        .line = line_of(made.line),
        .from = (uint8_t)from,
        .to = (uint8_t)to,
        .from_file = (uint8_t)(from % 9),
        .to_file = (uint8_t)(to % 9),
        .from_rank = (uint8_t)(from / 9),
        .to_rank = (uint8_t)(to / 9),
        .made = true,
    };
}

bool qp_course_safe(qp_course *course, qp_side side)
{
    bool alarm = side == QP_RED ? qp_course_alarm(course, QP_RED)
                                : qp_course_alarm(course, QP_BLACK);
    if (!alarm)
        return true;
    qp_course_kings(&course->now);
    course->now.board.calm = 0;
    return qp_rules_king_stands(&course->now.board, side);
}

unsigned qp_course_only(const qp_course *course, const qp_course_stride *stride,
                        qp_side side)
{
    const qp_course_state *now = &course->now;
    unsigned low = stride->low - QP_PLACE, only = 0;
    for (unsigned rank = low; rank < low + stride->ranks; rank++) {
        unsigned from = rank * 9 + stride->from_file, to = from + (unsigned)stride->reach;
        if (now->board.at[from] != stride->piece ||
            course->barred[side][now->board.at[to]] ||
            !qp_course_free(now->board.at[to], qp_course_between(now, stride, rank),
                            stride->jumps))
            continue;
        if (only != 0)
            return 0;
        only = QP_PLACE + rank;
    }
    return only;
}

bool qp_course_moves_on(qp_course *course, qp_side side)
{
    const bool up = side == QP_RED;
    /* The ranks outside the palace; those where no piece beside the king's file keeps a horse
     * away from it. On the king's own, a step ahead changes nothing. A king is no rook there. */
    const unsigned outside = up ? 0x3f8 : 0x07f, apart = up ? 0x3f0 : 0x03f;
    const unsigned rooks = up ? QP_LINE_RED : QP_LINE_BLACK, cannons = rooks + 10;
    const qp_piece *at = course->now.board.at, *end = at + (up ? 9 * 9 : 7 * 9), *p;
    if (!qp_course_safe(course, side))
        return false;
    uint64_t sum = *qp_course_sum(&course->now, side);
    unsigned king = course->view[side][sum & QP_SUM_KING].file;
    for (unsigned file = 0; file < 9; file++) {
        uint64_t line = course->now.line[file];
        unsigned away = file > king ? file - king : king - file;
        unsigned pieces =
            (unsigned)(line >> rooks | line >> cannons) & (away > 1 ? outside : apart);
        unsigned ahead = up ? pieces << 1 & QP_LINE_ALL : pieces >> 1;
        if ((ahead & ~(unsigned)line) != 0)
            return true;
    }
    for (p = end - 6 * 9; (p = memchr(p, QP_PIECE(side, QP_PAWN), (size_t)(end - p)));
         p++) {
        unsigned square = (unsigned)(p - at), file = square % 9;
        unsigned away = file > king ? file - king : king - file;
        if (p[up ? 9 : -9] == 0 && ((away > 1 ? outside : apart) >> square / 9 & 1))
            return true;
    }
    return false;
}
