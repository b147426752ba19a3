/* Game trees of any size: lines of legal moves that leave the tree anywhere; and main lines that
 * go on to and fro. */
#include "config.h"

#include "gen/gen.h"

#include <stdlib.h>

enum { LINE_LONGEST = 30, DEEPEST = 200 };

/* The position that the node's move is made in. */
static void board_before(const qp_game *game, const qp_node *node, qp_board *board)
{
    qp_move path[DEEPEST];
    unsigned count = 0;
    for (const qp_node *n = node->prev; n != NULL; n = n->prev)
        path[count++] = n->move;
    *board = game->start;
    while (count > 0)
        qp_board_play(board, path[--count]);
}

static qp_node *add_ply(qp_arena *arena, qp_node *prev, qp_move move)
{
    qp_node *node = qp_tree_node(arena, move);
    if (node != NULL) {
        node->prev = prev;
        node->ply = prev != NULL ? prev->ply + 1 : 1;
    }
    return node;
}

/* Any legal move in place of the main one that is not among its alternatives yet; 0: none. */
static qp_move other_move(gen_random *random, const qp_board *board, const qp_node *main)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, moves), kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool taken = moves[i] == main->move;
        for (const qp_node *n = qp_node_alternative(main); n != NULL && !taken;
             n = qp_node_sibling(n))
            taken = n->move == moves[i];
        if (!taken)
            moves[kept++] = moves[i];
    }
    return kept != 0 ? moves[gen_below(random, (unsigned)kept)] : 0;
}

bool gen_grow(gen_random *random, unsigned nodes, qp_arena *arena, qp_game *game)
{
    qp_node **all = calloc(nodes, sizeof *all);
    unsigned count = 0;
    if (all == NULL)
        return false;
    for (qp_node *n = game->first; n != NULL && count < nodes;
         n = (qp_node *)qp_node_walk(n, NULL))
        all[count++] = n;
    while (count > 0 && count < nodes) {
        qp_board board;
        qp_node *main = all[gen_below(random, count)], *last = main->prev;
        main = main->aside ? (qp_node *)qp_node_owner(main) : main;
        board_before(game, main, &board);
        qp_move move = other_move(random, &board, main);
        unsigned left = 1 + gen_below(random, LINE_LONGEST);
        for (bool first = true; move != 0 && left > 0 && count < nodes; left--) {
            qp_node *node = add_ply(arena, last, move);
            if (node == NULL) {
                free(all);
                return false;
            }
            if (first) {
                qp_tree_put_beside(qp_tree_last_beside(main), node);
            } else {
                last->next = node;
            }
            first = false;
            all[count++] = last = node;
            qp_board_play(&board, move);
            qp_move moves[QP_MOVES_MAX];
            size_t legal = node->ply < DEEPEST ? qp_board_moves(&board, moves) : 0;
            move = legal != 0 ? moves[gen_below(random, (unsigned)legal)] : 0;
        }
    }
    free(all);
    return true;
}

/* Any legal move that takes nothing; 0: there is none. */
static qp_move quiet_move(gen_random *random, const qp_board *board)
{
    qp_move moves[QP_MOVES_MAX];
    size_t count = qp_board_moves(board, moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (board->at[QP_TO(moves[i])] == 0)
            moves[kept++] = moves[i];
    return kept != 0 ? moves[gen_below(random, (unsigned)kept)] : 0;
}

bool gen_return(gen_random *random, unsigned times, qp_arena *arena, qp_game *game)
{
    enum { TRIES = 100 };
    qp_move round[4] = {0};
    unsigned plies = 0;
    for (int i = 0; i < TRIES && plies < 4; i++) {
        qp_board board = game->final;
        for (plies = 0; plies < 4; plies++) {
            qp_move move = plies < 2 ? quiet_move(random, &board)
                                     : QP_MOVE(QP_TO(round[plies - 2]), QP_FROM(round[plies - 2]));
            if (move == 0 || qp_board_refuse(&board, move) != QP_LEGAL)
                break;
            round[plies] = move;
            qp_board_play(&board, move);
        }
    }
    qp_node *last = game->first;
    while (last != NULL && last->next != NULL)
        last = last->next;
    for (unsigned i = 0; plies == 4 && i < 4 * times; i++) {
        qp_node *node = add_ply(arena, last, round[i % 4]);
        if (node == NULL)
            return false;
        *(last != NULL ? &last->next : &game->first) = node;
        last = node;
        qp_board_play(&game->final, round[i % 4]);
        game->plies++;
    }
    qp_game_count(game);
    return plies == 4;
}
