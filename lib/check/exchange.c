/* What captures bring: values, exchanges on one square, wins by checks. Source: Chinese
 * rules of 1999, articles 28.3 and 29 and their details, and of 2020, 24.3. That a strong
 * piece for one weak piece is a gain is inferred; other such exchanges are left open. */
#include "config.h"

#include "check/chase.h"

/* No exchange on a sound board takes more plies. */
#define EXCHANGE_DEPTH 16
#define CAPTURES_DEPTH 4
#define CHECKS_TRIED 128 /* no sound board has more */

qp_gain qp_gain_add(qp_gain a, qp_gain b)
{
    return (qp_gain){a.strong + b.strong, a.weak + b.weak, a.pawns + b.pawns};
}

qp_gain qp_gain_sub(qp_gain a, qp_gain b)
{
    return (qp_gain){a.strong - b.strong, a.weak - b.weak, a.pawns - b.pawns};
}

qp_answer qp_gain_judge(qp_gain g)
{
    bool some = g.strong > 0 || g.weak > 0 || g.pawns > 0;
    bool lost = g.strong < 0 || g.weak < 0 || g.pawns < 0;
    if (!some || !lost)
        return some ? QP_YES : QP_NO;
    if (g.pawns < 0 && g.strong >= 0 && g.weak >= 0)
        return QP_NO;
    if (g.pawns > 0 && (g.strong < 0 || g.weak < 0))
        return QP_NO;
    if (g.strong > 0 && g.weak == -1)
        return QP_YES;
    if (g.strong < 0 && g.weak == 1)
        return QP_NO;
    return QP_UNKNOWN;
}

qp_gain qp_piece_gain(qp_piece piece, unsigned square)
{
    static const qp_gain gains[8] = {
        [QP_ADVISOR] = {0, 1, 0}, [QP_ELEPHANT] = {0, 1, 0}, [QP_HORSE] = {1, 0, 0},
        [QP_ROOK] = {2, 0, 0},    [QP_CANNON] = {1, 0, 0},   [QP_PAWN] = {0, 0, 1},
    };
    qp_gain gain = gains[QP_PIECE_KIND(piece)];
    gain.pawns &= (square > 44) == (QP_PIECE_SIDE(piece) == QP_RED);
    return gain;
}

/* For choosing between captures alone; the rules do not know it. */
static int scale(qp_gain g)
{
    return 20 * g.strong + 10 * g.weak + 5 * g.pawns;
}

static bool spend(qp_seeking *seeking)
{
    if (seeking->nodes == 0) {
        seeking->doubts |= QP_DOUBT_BOUND;
        return false;
    }
    seeking->nodes--;
    return true;
}

/* The side to move may capture on the square or stop. depth bounds the recursion. */
static qp_gain best_exchange(qp_field *field, unsigned square, unsigned depth,
                             qp_seeking *seeking)
{
    qp_gain best = {0, 0, 0};
    qp_gain value = qp_piece_gain(field->board.at[square], square);
    qp_square men[QP_SQUARES];
    size_t count = qp_field_reachers(field, square, men);
    for (size_t i = 0; i < count; i++) {
        qp_move move = QP_MOVE(men[i], square);
        qp_undo undo;
        if (depth == 0 || !spend(seeking)) {
            seeking->doubts |= QP_DOUBT_BOUND;
            break;
        }
        qp_field_make_legal(field, move, &undo);
        qp_gain gain =
            qp_gain_sub(value, best_exchange(field, square, depth - 1, seeking));
        qp_field_undo(field, move, &undo);
        if (scale(gain) > scale(best))
            best = gain;
    }
    return best;
}

qp_gain qp_exchange(qp_field *field, qp_move capture, qp_seeking *seeking)
{
    unsigned square = QP_TO(capture);
    qp_gain value = qp_piece_gain(field->board.at[square], square);
    qp_undo undo;
    qp_field_make(field, capture, &undo);
    value = qp_gain_sub(value, best_exchange(field, square, EXCHANGE_DEPTH, seeking));
    qp_field_undo(field, capture, &undo);
    return value;
}

qp_answer qp_capture_wins(qp_field *field, qp_move capture, qp_gain before,
                          qp_seeking *seeking)
{
    qp_answer answer =
        qp_gain_judge(qp_gain_add(before, qp_exchange(field, capture, seeking)));
    if (answer == QP_NO)
        return QP_NO;
    qp_undo undo;
    qp_field_make(field, capture, &undo);
    qp_answer loses = qp_memo_can_finish(seeking->memo, field, &seeking->nodes);
    qp_field_undo(field, capture, &undo);
    seeking->doubts |= loses == QP_UNKNOWN ? QP_DOUBT_BOUND : 0;
    return loses == QP_YES ? QP_NO : answer;
}

static bool may_start(const qp_field *field, qp_move move, const qp_seeking *seeking)
{
    qp_kind kind = QP_PIECE_KIND(field->board.at[QP_FROM(move)]);
    return kind != QP_KING && (kind != QP_PAWN || seeking->pawns);
}

/* Whether the side has a gain, or wins one by its next capture. */
static qp_answer has_gain(qp_field *field, qp_gain before, qp_seeking *seeking)
{
    qp_move moves[QP_MOVES_MAX];
    qp_answer best = qp_gain_judge(before);
    if (best == QP_YES)
        return best;
    size_t count = qp_field_captures(field, moves);
    for (size_t i = 0; i < count && best != QP_YES; i++) {
        if (!may_start(field, moves[i], seeking) ||
            QP_PIECE_KIND(field->board.at[QP_TO(moves[i])]) == QP_KING ||
            !qp_field_king_safe(field, moves[i]) || !spend(seeking))
            continue;
        qp_answer answer = qp_capture_wins(field, moves[i], before, seeking);
        best = answer > best ? answer : best;
    }
    return best;
}

/* What a row of checks comes to. */
typedef enum row { ROW_NOTHING, ROW_CUT, ROW_UNMEASURED, ROW_WINS } row;

static row row_of(qp_answer gain)
{
    return gain == QP_YES ? ROW_WINS : gain == QP_UNKNOWN ? ROW_UNMEASURED : ROW_NOTHING;
}

/* What is known of the replies to a check, the first ones as bits. */
typedef struct replies {
    uint64_t wins, unmeasured; /* what the next capture then brings */
    unsigned known;
} replies;

static row gain_after(replies *r, size_t reply, qp_field *field, qp_gain left,
                      qp_seeking *seeking)
{
    uint64_t bit = reply < 64 ? UINT64_C(1) << reply : 0;
    if (reply < r->known)
        return r->wins & bit         ? ROW_WINS
               : r->unmeasured & bit ? ROW_UNMEASURED
                                     : ROW_NOTHING;
    row gain = row_of(has_gain(field, left, seeking));
    if (reply == r->known && bit != 0) {
        r->wins |= gain == ROW_WINS ? bit : 0;
        r->unmeasured |= gain == ROW_UNMEASURED ? bit : 0;
        r->known++;
    }
    return gain;
}

static row by_checks(qp_field *field, unsigned checks, qp_gain before,
                     qp_seeking *seeking);

/* What one check comes to, where checks - 1 may follow; no more than `enough` is asked.
 */
static row by_check(qp_field *field, qp_move check, unsigned checks, qp_gain before,
                    row enough, replies *known, qp_seeking *seeking)
{
    qp_move moves[QP_MOVES_MAX];
    unsigned to = QP_TO(check);
    qp_gain won = qp_gain_add(before, qp_piece_gain(field->board.at[to], to));
    qp_undo undo;
    row all = ROW_WINS;
    qp_field_make_legal(field, check, &undo);
    size_t n = qp_memo_evasions(seeking->memo, field, moves, &seeking->nodes);
    for (size_t k = 0; k < n && all > enough; k++) {
        unsigned at = QP_TO(moves[k]);
        qp_gain left = qp_gain_sub(won, qp_piece_gain(field->board.at[at], at));
        qp_undo reply;
        qp_field_make_legal(field, moves[k], &reply);
        row now = gain_after(known, k, field, left, seeking);
        if (now != ROW_WINS) {
            row later =
                checks > 1 ? by_checks(field, checks - 1, left, seeking) : ROW_CUT;
            now = later > now ? later : now;
        }
        all = now < all ? now : all;
        qp_field_undo(field, moves[k], &reply);
    }
    qp_field_undo(field, check, &undo);
    return all;
}

/* checks bounds the recursion. One check is tried everywhere before a second one is. */
static row by_checks(qp_field *field, unsigned checks, qp_gain before,
                     qp_seeking *seeking)
{
    qp_move tried[QP_MOVES_MAX];
    replies known[CHECKS_TRIED];
    row best = ROW_NOTHING;
    if (qp_field_in_check(field, (qp_side)field->board.side))
        return ROW_NOTHING;
    size_t count = qp_memo_checks(seeking->memo, field, tried, &seeking->nodes);
    if (seeking->nodes == 0)
        return ROW_CUT;
    if (count > CHECKS_TRIED) {
        count = CHECKS_TRIED;
        best = ROW_CUT;
    }
    for (size_t i = 0; i < count; i++)
        known[i] = (replies){.known = 0};
    for (unsigned depth = 1; depth <= checks; depth++)
        for (size_t i = 0; i < count && best != ROW_WINS; i++) {
            if (!spend(seeking))
                return best > ROW_CUT ? best : ROW_CUT;
            row now = by_check(field, tried[i], depth, before, best, &known[i], seeking);
            best = now > best ? now : best;
        }
    return best;
}

qp_answer qp_wins_by_checks(qp_field *field, unsigned checks, qp_seeking *seeking)
{
    qp_gain none = {0, 0, 0};
    if (checks > QP_JUDGE_WIN_CHECKS)
        checks = QP_JUDGE_WIN_CHECKS;
    row found = checks != 0 ? by_checks(field, checks, none, seeking) : ROW_NOTHING;
    return found == ROW_WINS ? QP_YES : found == ROW_UNMEASURED ? QP_UNKNOWN : QP_NO;
}

/* Whether captures alone bring more than so much, by the scale; depth bounds the
 * recursion. The first is by a piece that can chase. What the other side may win back is
 * asked only so far as it matters. */
static bool captures_bring(qp_field *field, unsigned depth, int more_than,
                           qp_seeking *seeking)
{
    qp_move moves[QP_MOVES_MAX];
    bool found = more_than < 0;
    if (found || depth == 0)
        return found;
    size_t count = qp_field_captures(field, moves);
    for (size_t i = 0; i < count && !found; i++) {
        unsigned to = QP_TO(moves[i]);
        int value = scale(qp_piece_gain(field->board.at[to], to));
        qp_undo undo;
        if (value <= more_than || QP_PIECE_KIND(field->board.at[to]) == QP_KING ||
            (depth == CAPTURES_DEPTH && !may_start(field, moves[i], seeking)) ||
            !qp_field_king_safe(field, moves[i]))
            continue;
        if (!spend(seeking))
            break;
        qp_field_make_legal(field, moves[i], &undo);
        found = !captures_bring(field, depth - 1, value - more_than - 1, seeking);
        qp_field_undo(field, moves[i], &undo);
    }
    return found;
}

bool qp_captures_win(qp_field *field, qp_seeking *seeking)
{
    return captures_bring(field, CAPTURES_DEPTH, 0, seeking);
}
