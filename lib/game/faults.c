/* What is wrong with a start position, as findings: the fault, and in a note the pieces that
 * it is about. */
#include "config.h"

#include "game/game.h"

/* So many pieces are named. */
#define NAMED_MAX 6

typedef struct list {
    qp_buf text;
    unsigned count;
} list;

static const char *side_name(unsigned side)
{
    return side == QP_RED ? "red" : "black";
}

static const char *kind_name(qp_kind kind)
{
    static const char *const names[] = {"piece", "king", "advisor", "elephant",
                                        "horse", "rook", "cannon",  "pawn"};
    return names[kind];
}

static bool begin(list *out)
{
    if (out->count++ >= NAMED_MAX)
        return false;
    qp_buf_add_text(&out->text, out->count > 1 ? ", " : "");
    return true;
}

static void add_piece(list *out, const qp_board *board, unsigned square)
{
    qp_piece piece = board->at[square];
    if (begin(out))
        qp_buf_printf(&out->text, "%s's %s on %c%d", side_name(QP_PIECE_SIDE(piece)),
                      kind_name(QP_PIECE_KIND(piece)), 'a' + QP_FILE(square),
                      QP_RANK(square));
}

/* Kinds of which a side has more than it can, or kings other than one. */
static void add_counts(list *out, const qp_board *board, bool kings)
{
    static const uint8_t most[8] = {0, 1, 2, 2, 2, 2, 2, 5};
    unsigned count[2][8] = {{0}};
    for (unsigned square = 0; square < QP_SQUARES; square++)
        if (board->at[square] != 0)
            count[QP_PIECE_SIDE(board->at[square])][QP_PIECE_KIND(board->at[square])]++;
    for (unsigned side = QP_RED; side <= QP_BLACK; side++)
        for (qp_kind kind = QP_KING; kind <= QP_PAWN; kind++) {
            unsigned n = count[side][kind];
            if (kings ? kind != QP_KING || n == 1 : kind == QP_KING || n <= most[kind])
                continue;
            if (!begin(out))
                continue;
            if (n == 0)
                qp_buf_printf(&out->text, "%s has no king", side_name(side));
            else
                qp_buf_printf(&out->text, "%s has %u %ss", side_name(side), n,
                              kind_name(kind));
        }
}

/* Pieces of the side to move that could take the king. */
static void add_checkers(list *out, const qp_board *board)
{
    unsigned king = board->king[QP_OTHER(board->side)];
    for (unsigned from = 0; from < QP_SQUARES; from++)
        if (king < QP_SQUARES && board->at[from] != 0 &&
            QP_PIECE_SIDE(board->at[from]) == board->side &&
            qp_rules_pseudo(board, QP_MOVE(from, king)))
            add_piece(out, board, from);
    qp_buf_printf(&out->text, "; %s is to move", side_name(board->side));
}

static void explain(list *out, const qp_board *board, qp_fen_fault fault)
{
    switch (fault) {
    case QP_FEN_KING_PALACE:
    case QP_FEN_ADVISOR_POINT:
    case QP_FEN_ELEPHANT_POINT:
    case QP_FEN_PAWN_POINT:
        for (unsigned square = 0; square < QP_SQUARES; square++)
            if (qp_rules_point_faults(board->at[square], square) & fault)
                add_piece(out, board, square);
        break;
    case QP_FEN_KING_COUNT:
    case QP_FEN_PIECE_COUNT:
        add_counts(out, board, fault == QP_FEN_KING_COUNT);
        break;
    case QP_FEN_OPPONENT_IN_CHECK:
        add_checkers(out, board);
        break;
    default:
        break;
    }
}

void qp_record_start_faults(qp_record *record, uint32_t faults)
{
    for (; faults != 0; faults &= faults - 1) {
        qp_fen_fault fault = (qp_fen_fault)(faults & (0u - faults));
        qp_severity severity = qp_fen_fault_severity(fault);
        qp_report *report =
            qp_record_report(record, severity == QP_ERROR ? QP_D_fen_invalid : QP_D_fen_style,
                             record->start_at, record->start_len, qp_fen_fault_name(fault),
                             "%s", qp_fen_fault_text(fault));
        if (report == NULL)
            continue;
        report->severity = severity;
        list out = {.count = 0};
        explain(&out, &record->start, fault);
        if (out.text.len != 0 && !out.text.failed)
            report->note = qp_arena_str(record->arena, out.text.data, out.text.len);
        qp_buf_clear(&out.text);
    }
}
