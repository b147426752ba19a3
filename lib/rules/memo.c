/* Lists of moves by position, for searches that come to the same positions again. */
#include "config.h"

#include "rules/lines.h"

/* What a list depends on, in words. */
enum { WORDS = 12 };
_Static_assert(WORDS * 8 >= QP_SQUARES + 2, "a key holds a board");
_Static_assert(sizeof((qp_memo_list){0}.key) == WORDS * 8, "all of it");

static uint64_t fill_key(uint64_t key[WORDS], const qp_board *board, unsigned kind)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < WORDS - 1; i++)
        key[i] = first_eight(board->at + i * 8);
    key[WORDS - 1] = board->at[88] | (unsigned)board->at[89] << 8 |
                     (unsigned)board->side << 16 | kind << 24;
    for (unsigned i = 0; i < WORDS; i++)
        sum = (sum ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return sum;
}

/* A list from the memo, or made and kept. */
static size_t recall(qp_memo *memo, const qp_board *board, unsigned kind, qp_move *moves,
                     uint32_t *nodes,
                     size_t (*make)(const qp_board *, qp_move[QP_MOVES_MAX], uint32_t *))
{
    uint64_t key[WORDS];
    if (memo == NULL)
        return make(board, moves, nodes);
    unsigned slot = (unsigned)(fill_key(key, board, kind) >> 56) % QP_MEMO_LISTS;
    qp_memo_list *list = &memo->lists[slot];
    if (memo->used[slot] && list->work < *nodes &&
        memcmp(list->key, key, sizeof key) == 0) {
        memcpy(moves, list->moves, list->count * sizeof *moves);
        *nodes -= list->work;
        return list->count;
    }
    uint32_t before = *nodes;
    size_t count = make(board, moves, nodes);
    if (*nodes == 0 || count > QP_COUNT(list->moves))
        return count;
    memcpy(list->key, key, sizeof key);
    memcpy(list->moves, moves, count * sizeof *moves);
    list->count = (uint16_t)count;
    list->work = (uint16_t)(before - *nodes);
    memo->used[slot] = true;
    return count;
}

size_t qp_memo_checks(qp_memo *memo, const qp_board *board, qp_move moves[QP_MOVES_MAX],
                      uint32_t *nodes)
{
    return recall(memo, board, 0, moves, nodes, qp_rules_checks);
}

size_t qp_memo_evasions(qp_memo *memo, const qp_board *board, qp_move moves[QP_MOVES_MAX],
                        uint32_t *nodes)
{
    return recall(memo, board, 1, moves, nodes, qp_rules_evasions);
}
