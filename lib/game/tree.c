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

void qp_tree_put_beside(qp_node *last, qp_node *node)
{
    node->beside = last->beside != NULL ? last->beside : last;
    node->aside = true;
    last->beside = node;
}

qp_node *qp_tree_last_beside(qp_node *main)
{
    while (main->beside != NULL && main->beside->aside)
        main = main->beside;
    return main;
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
    if (qp_node_alternative(node) != NULL) {
        if (depth != NULL)
            ++*depth;
        return qp_node_alternative(node);
    }
    while (node->next == NULL) {
        /* The end of a line: up to its first ply, then beside it or back to its owner. */
        while (!node->aside) {
            if (node->prev == NULL)
                return NULL;
            node = node->prev;
        }
        if (qp_node_sibling(node) != NULL)
            return qp_node_sibling(node);
        node = qp_node_owner(node);
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
