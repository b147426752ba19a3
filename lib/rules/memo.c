/* Lists of moves and answers by position, for searches that come to the same positions
 * again. */
#include "config.h"

#include "rules/field.h"

/* Of a position and what is asked of it. */
static uint64_t key_of(const qp_field *field, unsigned kind)
{
    return field->key + (field->board.side * 2u + kind) * UINT64_C(0x9e3779b97f4a7c15);
}

/* A list from the memo, or made and kept. */
static size_t recall(qp_memo *memo, const qp_field *field, unsigned kind, qp_move *moves,
                     uint32_t *nodes,
                     size_t (*make)(const qp_field *, qp_move[QP_MOVES_MAX], uint32_t *))
{
    if (memo == NULL)
        return make(field, moves, nodes);
    uint64_t key = key_of(field, kind);
    unsigned slot = (unsigned)(key >> 56) % QP_MEMO_LISTS;
    qp_memo_list *list = &memo->lists[slot];
    if (memo->used[slot].list && list->key == key && list->work < *nodes) {
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
    memo->used[slot].list = true;
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

bool qp_memo_can_evade(qp_memo *memo, const qp_field *field)
{
    if (memo == NULL)
        return qp_rules_can_evade(field);
    uint64_t key = key_of(field, 1);
    unsigned slot = (unsigned)(key >> 56) % QP_MEMO_LISTS;
    uint64_t *known = &memo->evades[slot];
    if (!memo->used[slot].evades || (*known ^ key) >> 1 != 0)
        *known = (key & ~UINT64_C(1)) | qp_rules_can_evade(field);
    memo->used[slot].evades = true;
    return (*known & 1) != 0;
}

qp_answer qp_memo_can_finish(qp_memo *memo, qp_field *field, uint32_t *nodes)
{
    if (memo == NULL)
        return qp_rules_can_finish(field, nodes);
    uint64_t key = key_of(field, 0);
    unsigned slot = (unsigned)(key >> 56) % QP_MEMO_LISTS;
    qp_memo_end *known = &memo->ends[slot];
    if (memo->used[slot].end && known->key == key && known->work < *nodes) {
        *nodes -= known->work;
        return (qp_answer)known->answer;
    }
    uint32_t before = *nodes;
    qp_answer answer = qp_rules_can_finish(field, nodes);
    uint32_t work = before - *nodes;
    if (*nodes == 0 || work > UINT16_MAX)
        return answer;
    *known = (qp_memo_end){key, (uint16_t)work, (uint8_t)answer};
    memo->used[slot].end = true;
    return answer;
}
