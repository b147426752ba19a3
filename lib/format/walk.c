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
    if (node->alternative != NULL && !walker->main_line) {
        if (!push(walker))
            return false;
        walker->opens = true;
        walker->depth++;
        walker->node = node->alternative;
        return true;
    }
    while (node->next == NULL) {
        while (node->owner == NULL) {
            if (node->prev == NULL) {
                walker->node = NULL;
                return false;
            }
            node = node->prev;
        }
        walker->close_count++;
        walker->board = walker->frames[walker->frame_count - 1].board;
        if (node->sibling != NULL) {
            walker->opens = true;
            walker->node = node->sibling;
            return true;
        }
        walker->frame_count--;
        walker->depth--;
        node = node->owner;
    }
    qp_tree_play(&walker->board, node);
    walker->node = node->next;
    return true;
}
