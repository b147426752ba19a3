/* Why a written move is none on a board: what was found, what was expected, which squares
 * are meant and what stands in the way. The reasons are those of qp_board_refuse. */
#include "config.h"

#include "notation/inside.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const kind_names[] = {"piece", "king", "advisor", "elephant",
                                         "horse", "rook", "cannon",  "pawn"};
static const char *const glyphs[2][8] = {{"", "帅", "仕", "相", "马", "车", "炮", "兵"},
                                         {"", "将", "士", "象", "马", "车", "炮", "卒"}};

static const char *side_name(qp_side side)
{
    return side == QP_RED ? "red" : "black";
}

static const char *name_at(const qp_board *board, qp_square square)
{
    return kind_names[QP_PIECE_KIND(board->at[square])];
}

typedef struct square_name {
    char text[3];
} square_name;

static square_name name_of(qp_square square)
{
    return (square_name){
        {(char)('a' + QP_FILE(square)), (char)('0' + QP_RANK(square)), 0}};
}

static void QP_PRINTF(2, 3) say(qp_reason *reason, const char *format, ...)
{
    va_list list;
    size_t used = strlen(reason->message);
    va_start(list, format);
    int len = vsnprintf(reason->message + used, sizeof reason->message - used, format, list);
    va_end(list);
    if (len > 0 && used + (size_t)len >= sizeof reason->message)
        reason->message[qp_whole_len(reason->message, sizeof reason->message - 1)] = '\0';
}

/* The pieces strictly between two squares on one line: how many, and the nearest to from.
 */
static unsigned between(const qp_board *board, qp_square from, qp_square to,
                        qp_square *nearest)
{
    int step = QP_FILE(from) == QP_FILE(to) ? (to > from ? 9 : -9) : (to > from ? 1 : -1);
    unsigned count = 0;
    *nearest = QP_NO_SQUARE;
    for (int square = from + step; square != to; square += step)
        if (board->at[square] != 0 && count++ == 0)
            *nearest = (qp_square)square;
    return count;
}

static qp_square leg_of(qp_square from, qp_square to)
{
    int files = QP_FILE(to) - QP_FILE(from), ranks = QP_RANK(to) - QP_RANK(from);
    return files == 2 || files == -2 ? (qp_square)(from + files / 2)
                                     : (qp_square)(from + ranks / 2 * 9);
}

/* What attacks the mover's king once the move is made. */
static qp_square attacker(const qp_board *board, qp_move move)
{
    qp_board after = *board;
    qp_board_play(&after, move);
    qp_square king = after.king[board->side];
    if (king == QP_NO_SQUARE)
        return QP_NO_SQUARE;
    for (int from = 0; from < QP_SQUARES; from++)
        if (after.at[from] != 0 && QP_PIECE_SIDE(after.at[from]) != board->side &&
            qp_rules_pseudo(&after, QP_MOVE(from, king)))
            return (qp_square)from;
    return QP_NO_SQUARE;
}

static const char *article(const char *kind)
{
    return *kind == 'a' || *kind == 'e' ? "an" : "a";
}

static void say_check(const qp_board *board, qp_move move, qp_reason *reason,
                      const char *what)
{
    say(reason, "%s %s's king", what, side_name((qp_side)board->side));
    reason->at = attacker(board, move);
    if (reason->at != QP_NO_SQUARE)
        say(reason, " in check from the %s on %s",
            kind_names[QP_PIECE_KIND(board->at[reason->at])], name_of(reason->at).text);
    else
        say(reason, " in check");
}

void qp_refuse_why(const qp_board *board, qp_move move, qp_reason *reason)
{
    qp_square from = QP_FROM(move), to = QP_TO(move);
    *reason = (qp_reason){.at = QP_NO_SQUARE, .code = QP_D_move_geometry};
    if (from >= QP_SQUARES || to >= QP_SQUARES) {
        say(reason, "the squares are not on the board");
        return;
    }
    qp_refusal refusal = qp_board_refuse(board, move);
    square_name a = name_of(from), b = name_of(to);
    const char *kind = name_at(board, from);
    *reason = (qp_reason){.code = qp_refusal_code(refusal),
                          .detail = qp_refusal_name(refusal),
                          .move = move,
                          .at = QP_NO_SQUARE};
    switch (refusal) {
    case QP_REFUSE_NO_PIECE:
        say(reason, "no piece stands on %s", a.text);
        break;
    case QP_REFUSE_WRONG_SIDE:
        say(reason, "the %s on %s is %s's, and %s is to move", kind, a.text,
            side_name(QP_OTHER(board->side)), side_name((qp_side)board->side));
        break;
    case QP_REFUSE_NULL_MOVE:
        if (QP_PIECE_KIND(board->at[from]) == QP_PAWN)
            reason->detail = "unsupported-promotion"; /* UCCI 3.0 writes it so */
        say(reason, "the move begins and ends on %s", a.text);
        break;
    case QP_REFUSE_BAD_SHAPE:
        say(reason, "%s %s does not move from %s to %s", article(kind), kind, a.text, b.text);
        break;
    case QP_REFUSE_LEAVES_PALACE:
        say(reason, "the %s on %s may not leave the palace for %s", kind, a.text, b.text);
        break;
    case QP_REFUSE_CROSSES_RIVER:
        say(reason, "the elephant on %s may not cross the river to %s", a.text, b.text);
        break;
    case QP_REFUSE_PAWN_BACKWARD:
        say(reason, "the pawn on %s may not go back to %s", a.text, b.text);
        break;
    case QP_REFUSE_PAWN_SIDEWAYS:
        say(reason, "the pawn on %s may not go sideways before it has crossed the river",
            a.text);
        break;
    case QP_REFUSE_BLOCKED_LEG:
        reason->at = leg_of(from, to);
        say(reason, "the leg of the horse on %s is blocked by the %s on %s", a.text,
            name_at(board, reason->at), name_of(reason->at).text);
        break;
    case QP_REFUSE_BLOCKED_EYE:
        reason->at = (qp_square)((from + to) / 2);
        say(reason, "the eye of the elephant on %s is blocked by the %s on %s", a.text,
            name_at(board, reason->at), name_of(reason->at).text);
        break;
    case QP_REFUSE_PATH_BLOCKED:
        between(board, from, to, &reason->at);
        say(reason, "the way of the %s from %s to %s is blocked by the %s on %s", kind,
            a.text, b.text, name_at(board, reason->at), name_of(reason->at).text);
        break;
    case QP_REFUSE_CANNON_NO_SCREEN:
        reason->at = to;
        say(reason, "no screen stands between the cannon on %s and the %s on %s", a.text,
            name_at(board, to), b.text);
        break;
    case QP_REFUSE_CANNON_MANY_SCREENS: {
        unsigned count = between(board, from, to, &reason->at);
        say(reason, "%u pieces stand between the cannon on %s and the %s on %s", count,
            a.text, name_at(board, to), b.text);
        break;
    }
    case QP_REFUSE_CAPTURES_OWN:
        reason->at = to;
        say(reason, "%s's own %s stands on %s", side_name((qp_side)board->side),
            name_at(board, to), b.text);
        break;
    case QP_REFUSE_CAPTURES_KING:
        reason->at = to;
        say(reason, "the move takes the king on %s", b.text);
        break;
    case QP_REFUSE_KINGS_FACING:
        say(reason, "the move leaves the two kings facing each other");
        break;
    case QP_REFUSE_STILL_IN_CHECK:
        say_check(board, move, reason, "the move leaves");
        break;
    case QP_REFUSE_SELF_CHECK:
        say_check(board, move, reason, "the move puts");
        break;
    default:
        *reason = (qp_reason){.at = QP_NO_SQUARE};
        break;
    }
}

/* What the search met: the piece that came closest to being able to. */
struct trouble {
    qp_search search; /* first: the callback gets its address */
    size_t pieces;
    qp_refusal refusal;
    qp_move move;
    qp_kind kind;
    qp_square from;
};

static void note_trouble(qp_search *search, qp_kind kind, qp_square from, qp_square to)
{
    struct trouble *trouble = (struct trouble *)search;
    qp_refusal refusal = QP_REFUSE_BAD_SHAPE;
    qp_move move = 0;
    if (to != QP_NO_SQUARE) {
        move = QP_MOVE(from, to);
        refusal = qp_board_refuse(search->board, move);
    }
    if (trouble->pieces++ != 0 && refusal <= trouble->refusal &&
        !(trouble->move == 0 && move != 0))
        return;
    trouble->refusal = refusal;
    trouble->move = move;
    trouble->kind = kind;
    trouble->from = from;
}

/* Names the squares and files where the pieces of a kind stand. */
static void say_where(const qp_board *board, qp_side side, qp_kind kind,
                      qp_reason *reason)
{
    qp_square squares[QP_SQUARES];
    size_t count = qp_rules_find(board, QP_PIECE(side, kind), squares);
    if (count == 0) {
        say(reason, "; %s has none on the board", side_name(side));
        return;
    }
    say(reason, "; %s's %s", side_name(side), count == 1 ? "stands on" : "stand on");
    for (size_t i = 0; i < count && i < 5; i++)
        say(reason, "%s %s (file %d)",
            i == 0           ? ""
            : i + 1 == count ? " and"
                             : ",",
            name_of(squares[i]).text, QP_ROAD(side, QP_FILE(squares[i])));
}

static const char *which_name(unsigned which)
{
    static const char *const names[] = {"",       "first", "second", "third",
                                        "fourth", "fifth", "front",  "middle",
                                        "rear",   "first", "last"};
    return which < QP_COUNT(names) ? names[which] : "";
}

static void why_no_piece(const qp_board *board, const qp_written *written,
                         qp_reason *reason)
{
    qp_side side = (qp_side)board->side;
    qp_kind kind = (qp_kind)(written->kind ? written->kind : QP_PAWN);
    for (int k = QP_KING; written->kinds != 0 && k <= QP_PAWN; k++)
        if (written->kinds >> k & 1) {
            kind = (qp_kind)k;
            break;
        }
    reason->code = QP_D_move_no_piece;
    reason->detail = qp_refusal_name(QP_REFUSE_NO_PIECE);
    switch ((qp_form)written->form) {
    case QP_FORM_PIECE_ROAD:
        say(reason, "no %s %s %s stands on file %u", side_name(side), kind_names[kind],
            glyphs[side][kind], written->road);
        break;
    case QP_FORM_WHICH_PIECE:
        say(reason, "there is no %s one among the %s %ss %s", which_name(written->which),
            side_name(side), kind_names[kind], glyphs[side][kind]);
        break;
    case QP_FORM_DIGITS:
        say(reason, "no %s pawn %s on file %u has the number %u", side_name(side),
            glyphs[side][kind], written->road, written->which);
        break;
    default:
        say(reason, "no %s %s %s is the %s one on file %u", side_name(side),
            kind_names[kind], glyphs[side][kind], which_name(written->which),
            written->road);
        break;
    }
    say_where(board, side, kind, reason);
}

static void why_nowhere(const struct trouble *trouble, qp_reason *reason)
{
    static const char *const ways[] = {"", "forward", "back", "sideways"};
    const qp_search *search = &trouble->search;
    reason->code = QP_D_move_geometry;
    reason->detail = qp_refusal_name(QP_REFUSE_BAD_SHAPE);
    reason->at = trouble->from;
    bool aslant = trouble->kind == QP_HORSE || trouble->kind == QP_ELEPHANT ||
                  trouble->kind == QP_ADVISOR;
    if (aslant && search->way == QP_WAY_ACROSS)
        say(reason, "%s %s never goes sideways", article(kind_names[trouble->kind]),
            kind_names[trouble->kind]);
    else if (aslant || search->way == QP_WAY_ACROSS)
        say(reason, "the %s on %s does not go %s to file %u", kind_names[trouble->kind],
            name_of(trouble->from).text, ways[search->way], search->arg);
    else
        say(reason, "the %s on %s cannot go %s by %u: the board ends",
            kind_names[trouble->kind], name_of(trouble->from).text, ways[search->way],
            search->arg);
}

static void why_coord(const qp_board *board, const qp_written *written, qp_base base,
                      qp_reason *reason)
{
    qp_move move = written->move;
    if (written->form == QP_FORM_COORD)
        move = qp_coord_move(written, base);
    if (move != 0) {
        qp_refuse_why(board, move, reason);
        return;
    }
    reason->code = QP_D_move_no_piece;
    reason->detail = qp_refusal_name(QP_REFUSE_NO_PIECE);
    if (written->form == QP_FORM_COORD)
        say(reason, "ranks %u and %u are not both on the board", written->from_rank,
            written->to_rank);
    else
        say(reason, "the move names no squares");
}

static void why_san(const qp_board *board, const qp_written *written, qp_base base,
                    qp_reason *reason)
{
    qp_square squares[QP_SQUARES], to = qp_san_goal(written, base);
    qp_kind kind = (qp_kind)written->kind;
    size_t count = qp_san_pieces(board, written, base, squares);
    qp_refusal best = QP_REFUSE_NO_PIECE;
    qp_move nearest = 0;
    if (to == QP_NO_SQUARE) {
        reason->code = QP_D_move_geometry;
        reason->detail = qp_refusal_name(QP_REFUSE_BAD_SHAPE);
        say(reason, "the board has no rank %u", written->to_rank);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        qp_move move = QP_MOVE(squares[i], to);
        qp_refusal refusal = qp_board_refuse(board, move);
        if (nearest == 0 || refusal > best) {
            best = refusal;
            nearest = move;
        }
    }
    if (nearest != 0) {
        qp_refuse_why(board, nearest, reason);
        return;
    }
    reason->code = QP_D_move_no_piece;
    reason->detail = qp_refusal_name(QP_REFUSE_NO_PIECE);
    say(reason, "no %s %s %s stands where the move names it", side_name((qp_side)board->side),
        kind_names[kind], glyphs[board->side][kind]);
    say_where(board, (qp_side)board->side, kind, reason);
}

/* Whether glyphs or digits say that a move is this side's: then it is not the other's, though
 * that one could make it. */
static bool dressed_for(qp_side side, unsigned style)
{
    unsigned own = side == QP_RED ? QP_STYLE_GLYPH_RED : QP_STYLE_GLYPH_BLACK;
    unsigned others = side == QP_RED ? QP_STYLE_GLYPH_BLACK : QP_STYLE_GLYPH_RED;
    unsigned digits = side == QP_RED ? QP_STYLE_DIGIT_CHINESE : QP_STYLE_DIGIT_ARABIC;
    unsigned both = QP_STYLE_DIGIT_CHINESE | QP_STYLE_DIGIT_ARABIC;
    if (style & (own | others))
        return (style & own) != 0;
    return (style & both) == digits;
}

void qp_resolve_why(const qp_board *board, const qp_written *written, qp_base base,
                    qp_reason *reason)
{
    qp_move moves[8];
    unsigned pick;
    *reason = (qp_reason){.at = QP_NO_SQUARE};

    size_t count = qp_resolve(board, written, base, moves, &pick);
    if (count > 1) {
        reason->code = QP_D_move_ambiguous;
        reason->detail = written->way == QP_WAY_NONE ? "ambiguous-abbrev" : NULL;
        say(reason, "it can be");
        for (size_t i = 0; i < count; i++) {
            char text[5];
            qp_move_text(moves[i], text);
            say(reason, "%s %s", i == 0 ? "" : i + 1 == count ? " or" : ",", text);
        }
    }
    if (count > 0)
        return;
    if (written->form == QP_FORM_NONE) {
        reason->code = QP_D_move_unreadable;
        say(reason, "no notation known reads it");
        return;
    }
    if (written->form == QP_FORM_COORD || written->form == QP_FORM_SQUARES) {
        why_coord(board, written, base, reason);
        return;
    }
    if (written->form == QP_FORM_SAN) {
        why_san(board, written, base, reason);
        return;
    }

    struct trouble trouble = {.search = {.board = board,
                                         .side = (qp_side)board->side,
                                         .moves = moves,
                                         .trouble = note_trouble}};
    qp_search_run(&trouble.search, written);
    if (trouble.pieces == 0) {
        qp_board other = *board;
        other.side ^= 1;
        if (!dressed_for((qp_side)board->side, written->style) &&
            qp_resolve(&other, written, base, moves, &pick) > 0) {
            reason->code = QP_D_move_wrong_side;
            reason->detail = qp_refusal_name(QP_REFUSE_WRONG_SIDE);
            reason->move = moves[0];
            say(reason, "it is a move of %s's %s on %s, and %s is to move",
                side_name((qp_side)other.side), name_at(board, QP_FROM(moves[0])),
                name_of(QP_FROM(moves[0])).text, side_name((qp_side)board->side));
            return;
        }
        why_no_piece(board, written, reason);
    } else if (trouble.move == 0) {
        why_nowhere(&trouble, reason);
    } else {
        qp_refuse_why(board, trouble.move, reason);
    }
}
