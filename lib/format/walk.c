/* Walks a game's tree in file order with the board before each ply. See format.h. */
#include "config.h"

#include "format/format.h"

#include <stdlib.h>

/* The board before the ply that an open variation replaces. */
struct qp_walk_frame {
    qp_board board;
};

void qp_walker_start(qp_walker *walker, const qp_game *game)
{
    *walker = (qp_walker){.board = game->start, .first = game->first};
}

void qp_walker_end(qp_walker *walker)
{
    free(walker->frames);
    *walker = (qp_walker){0};
}

static bool push(qp_walker *walker)
{
    if (walker->frame_count == walker->frame_room) {
        size_t room = walker->frame_room ? walker->frame_room * 2 : 16;
        struct qp_walk_frame *grown = realloc(walker->frames, room * sizeof *grown);
        if (grown == NULL) {
            walker->failed = true;
            return false;
        }
        walker->frames = grown;
        walker->frame_room = room;
    }
    walker->frames[walker->frame_count++].board = walker->board;
    return true;
}

bool qp_walker_next(qp_walker *walker)
{
    const qp_node *node = walker->node;
    walker->opens = false;
    walker->close_count = 0;
    if (node == NULL) {
        walker->node = walker->first;
        return walker->node != NULL;
    }
    if (qp_node_alternative(node) != NULL && !walker->main_line) {
        if (!push(walker))
            return false;
        walker->opens = true;
        walker->depth++;
        walker->node = qp_node_alternative(node);
        return true;
    }
    while (node->next == NULL) {
        while (!node->aside) {
            if (node->prev == NULL) {
                walker->node = NULL;
                return false;
            }
            node = node->prev;
        }
        walker->close_count++;
        walker->board = walker->frames[walker->frame_count - 1].board;
        if (qp_node_sibling(node) != NULL) {
            walker->opens = true;
            walker->node = qp_node_sibling(node);
            return true;
        }
        walker->frame_count--;
        walker->depth--;
        node = qp_node_owner(node);
    }
    qp_tree_play(&walker->board, node);
    walker->node = node->next;
    return true;
}
