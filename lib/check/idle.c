/* What an idle ply is, for people: the rules name offers, sacrifices, blocks and following,
 * all of which are idle. Source: the terms in the chapter on repetition of the Chinese rules
 * of 1999. It never changes a verdict. */
#include "config.h"

#include "check/chase.h"

/* Both positions with the side of the ply to move. */
typedef struct step {
    qp_board before, after;
    qp_move move;
} step;

static bool is_unit(qp_piece piece, unsigned square)
{
    qp_gain gain = qp_piece_gain(piece, square);
    return gain.strong + gain.weak + gain.pawns != 0;
}

static bool taken_back(const qp_board *board, qp_move capture)
{
    qp_board taken = *board;
    qp_board_play(&taken, capture);
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (taken.at[from] != 0 && qp_rules_legal(&taken, QP_MOVE(from, QP_TO(capture))))
            return true;
    return false;
}

/* Whether the capture could be made before the ply too, the ply's own piece standing on its
 * first square then. */
static bool stood_before(const step *s, qp_move capture)
{
    unsigned from = QP_FROM(capture);
    if (from == QP_TO(s->move))
        from = QP_FROM(s->move);
    return qp_rules_legal(&s->before, QP_MOVE(from, QP_TO(capture)));
}

/* An attack of the ply on a piece of the same kind, which could take the attacker: whether
 * the attacker is protected, an offer, or not, a sacrifice. NULL: none of them. */
static const char *offer_of(const step *s, qp_move capture)
{
    unsigned from = QP_FROM(capture), to = QP_TO(capture);
    qp_board turned = s->after;
    turned.side ^= 1;
    qp_move back = QP_MOVE(to, from);
    if (QP_PIECE_KIND(s->after.at[from]) != QP_PIECE_KIND(s->after.at[to]) ||
        !qp_rules_legal(&turned, back))
        return NULL;
    return taken_back(&turned, back) ? "offer" : "sacrifice";
}

/* Whether the ply's piece came between an enemy piece and what that attacked. */
static bool blocks(const step *s)
{
    unsigned moved = QP_FROM(s->move);
    for (unsigned from = 0; from < QP_SQUARES; from++) {
        qp_piece piece = s->after.at[from];
        if (piece == 0 || QP_PIECE_SIDE(piece) == s->after.side || piece != s->before.at[from])
            continue;
        for (unsigned to = 0; to < QP_SQUARES; to++) {
            qp_piece target = s->before.at[to];
            if (target == 0 || QP_PIECE_SIDE(target) != s->before.side || to == moved ||
                !is_unit(target, to) || !qp_rules_pseudo(&s->before, QP_MOVE(from, to)) ||
                qp_rules_pseudo(&s->after, QP_MOVE(from, to)))
                continue;
            /* Without the piece on its new square the attack would stand. */
            qp_board lifted = s->after;
            lifted.at[QP_TO(s->move)] = 0;
            if (qp_rules_pseudo(&lifted, QP_MOVE(from, to)))
                return true;
        }
    }
    return false;
}

const char *qp_idle_name(const qp_board *before, qp_move move)
{
    qp_move moves[QP_MOVES_MAX];
    step s = {.before = *before, .after = *before, .move = move};
    bool sacrifice = false, follow = false;
    qp_board_play(&s.after, move);
    s.after.side ^= 1;
    size_t count = qp_rules_captures(&s.after, moves);
    for (size_t i = 0; i < count; i++) {
        unsigned from = QP_FROM(moves[i]), to = QP_TO(moves[i]);
        qp_kind kind = QP_PIECE_KIND(s.after.at[from]);
        if (kind == QP_KING || kind == QP_PAWN || !is_unit(s.after.at[to], to) ||
            !qp_rules_legal(&s.after, moves[i]) || stood_before(&s, moves[i]))
            continue;
        const char *offer = offer_of(&s, moves[i]);
        if (offer != NULL && strcmp(offer, "offer") == 0)
            return offer;
        sacrifice |= offer != NULL;
        follow |= taken_back(&s.after, moves[i]);
    }
    return sacrifice ? "sacrifice" : blocks(&s) ? "block" : follow ? "follow" : "plain";
}
