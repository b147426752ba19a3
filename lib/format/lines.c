/* A line, a game: the descriptors and the writers of iccs, uci and fen. See lines_read.c.
 */
#include "config.h"

#include "format/lines.h"

static void add_fen(qp_buf *out, const qp_board *board)
{
    char fen[QP_FEN_MAX];
    size_t len = qp_fen_write(board, fen);
    qp_buf_add(out, fen, len);
}

/* The sound part of the main line, parted by blanks. */
static void add_moves(qp_buf *out, const qp_game *game)
{
    const qp_node *node = game->first;
    for (uint32_t i = 0; i < game->plies && node != NULL; i++, node = node->next) {
        char text[5];
        qp_move_text(node->move, text);
        if (i != 0)
            qp_buf_add_char(out, ' ');
        qp_buf_add(out, text, 4);
    }
}

static void iccs_write(qp_writing *writing, const qp_game *game)
{
    add_fen(writing->out, &game->start);
    qp_buf_add_char(writing->out, '\t');
    add_moves(writing->out, game);
    qp_buf_add_char(writing->out, '\n');
}

static void uci_write(qp_writing *writing, const qp_game *game)
{
    qp_board usual;
    qp_board_start(&usual);
    if (qp_board_same(&game->start, &usual) && game->start.quiet == usual.quiet &&
        game->start.round == usual.round) {
        qp_buf_add_text(writing->out, "position startpos");
    } else {
        qp_buf_add_text(writing->out, "position fen ");
        add_fen(writing->out, &game->start);
    }
    if (game->plies != 0) {
        qp_buf_add_text(writing->out, " moves ");
        add_moves(writing->out, game);
    }
    qp_buf_add_char(writing->out, '\n');
}

static void fen_write(qp_writing *writing, const qp_game *game)
{
    add_fen(writing->out, &game->start);
    qp_buf_add_char(writing->out, '\n');
}

const qp_format qp_format_iccs = {
    .name = "iccs",
    .title = "a game a line: FEN, tab, coordinate moves",
    .suffixes = "iccs",
    .carries = QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_MOVES,
    .probe = qp_iccs_probe,
    .read = qp_lines_read,
    .cut = qp_cut_lines,
    .write = iccs_write,
};

const qp_format qp_format_uci = {
    .name = "uci",
    .title = "UCI and UCCI position commands, a game a line",
    .suffixes = "uci ucci log",
    .carries = QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_MOVES,
    .probe = qp_uci_probe,
    .read = qp_lines_read,
    .cut = qp_cut_lines,
    .write = uci_write,
};

const qp_format qp_format_fen = {
    .name = "fen",
    .title = "positions, a FEN a line",
    .suffixes = "fen epd",
    .carries = QP_CARRIES_START | QP_CARRIES_COUNTERS,
    .probe = qp_fen_probe,
    .read = qp_lines_read,
    .cut = qp_cut_lines,
    .write = fen_write,
};
