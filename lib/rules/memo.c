/* Lists of moves by position, for searches that come to the same positions again. */
#include "config.h"

#include "rules/field.h"

/* A list from the memo, or made and kept. */
static size_t recall(qp_memo *memo, const qp_field *field, unsigned kind, qp_move *moves,
                     uint32_t *nodes,
                     size_t (*make)(const qp_field *, qp_move[QP_MOVES_MAX], uint32_t *))
{
    if (memo == NULL)
        return make(field, moves, nodes);
    uint64_t key =
        field->key + (field->board.side * 2u + kind) * UINT64_C(0x9e3779b97f4a7c15);
    unsigned slot = (unsigned)(key >> 56) % QP_MEMO_LISTS;
    qp_memo_list *list = &memo->lists[slot];
    if (memo->used[slot] && list->key == key && list->work < *nodes) {
        memcpy(moves, list->moves, list->count * sizeof *moves);
        *nodes -= list->work;
        return list->count;
    }
    uint32_t before = *nodes;
    size_t count = make(field, moves, nodes);
    if (*nodes == 0 || count > QP_COUNT(list->moves))
        return count;
    list->key = key;
    memcpy(list->moves, moves, count * sizeof *moves);
    list->count = (uint16_t)count;
    list->work = (uint16_t)(before - *nodes);
    memo->used[slot] = true;
    return count;
}

size_t qp_memo_checks(qp_memo *memo, const qp_field *field, qp_move moves[QP_MOVES_MAX],
                      uint32_t *nodes)
{
    return recall(memo, field, 0, moves, nodes, qp_rules_checks);
}

size_t qp_memo_evasions(qp_memo *memo, const qp_field *field, qp_move moves[QP_MOVES_MAX],
                        uint32_t *nodes)
{
    return recall(memo, field, 1, moves, nodes, qp_rules_evasions);
}
