/* The game tree: nodes, walking, counting. See qipu.h. */
#include "config.h"

#include "game/game.h"

qp_node *qp_tree_node(qp_arena *arena, qp_move move)
{
    qp_node *node = qp_arena_zero(arena, sizeof *node);
    if (node != NULL)
        node->move = move;
    return node;
}

void qp_tree_play(qp_board *board, const qp_node *node)
{
    if (node->move != 0 && board->at[QP_FROM(node->move)] != 0)
        qp_board_play(board, node->move);
    else
        board->side ^= 1;
}

const qp_node *qp_node_walk(const qp_node *node, unsigned *depth)
{
    /* Down first: the alternatives of a ply come before what follows it. */
    if (node->alternative != NULL) {
        if (depth != NULL)
            ++*depth;
        return node->alternative;
    }
    while (node->next == NULL) {
        /* The end of a line: up to its first ply, then beside it or back to its owner. */
        while (node->owner == NULL) {
            if (node->prev == NULL)
                return NULL;
            node = node->prev;
        }
        if (node->sibling != NULL)
            return node->sibling;
        node = node->owner;
        if (depth != NULL)
            --*depth;
    }
    return node->next;
}

void qp_game_count(qp_game *game)
{
    uint32_t nodes = 0, leaves = 0, places = game->comments != NULL;
    for (const qp_node *node = game->first; node != NULL; node = qp_node_walk(node, NULL)) {
        nodes++;
        leaves += node->next == NULL;
        if (node->extra != NULL)
            places += (node->extra->before != NULL) + (node->extra->after != NULL);
    }
    game->nodes = nodes;
    game->variations = leaves > 0 ? leaves - 1 : 0;
    game->comment_places = places;
    game->line_plies = 0;
    for (const qp_node *node = game->first; node != NULL; node = node->next)
        game->line_plies++;
}
