/* The game floor: results, dates, the tree and its replay. */
#include "config.h"

#include <criterion/criterion.h>

#include "game/game.h"
#include "table.h"

Test(game, results)
{
    table t;
    qp_patterns *patterns = qp_patterns_new();
    cr_assert(table_open(&t, "results.tsv"));
    while (table_next(&t)) {
        qp_result result = QP_RESULT_UNKNOWN;
        bool known = qp_result_read(patterns, qp_str_of(t.field[0]), &result);
        cr_expect_str_eq(known ? qp_result_text(result) : "-", t.field[1],
                         "results.tsv:%d: %s", t.row, t.field[0]);
    }
    qp_patterns_free(patterns);
}

Test(game, dates)
{
    static const char *const names[] = {"ok", "empty", "ambiguous", "bad"};
    table t;
    qp_patterns *patterns = qp_patterns_new();
    cr_assert(table_open(&t, "dates.tsv"));
    while (table_next(&t)) {
        char date[11];
        qp_date_status status = qp_date_read(patterns, qp_str_of(t.field[0]), date);
        cr_expect_str_eq(names[status], t.field[2], "dates.tsv:%d: %s", t.row, t.field[0]);
        cr_expect_str_eq(date, t.field[1], "dates.tsv:%d: %s is %s", t.row, t.field[0], date);
    }
    qp_patterns_free(patterns);
}

/* All moves of a position, also of the first, lead to each other. */
Test(game, moves_of_a_position)
{
    qp_arena arena;
    qp_arena_init(&arena);
    qp_node *first = qp_tree_node(&arena, QP_MOVE(0, 9)), *other[3], *next;
    cr_expect(qp_node_alternative(first) == NULL && qp_node_owner(first) == NULL &&
              qp_node_sibling(first) == NULL);
    for (unsigned depth = 0; depth < 2; depth++) {
        for (size_t i = 0; i < QP_COUNT(other); i++) {
            other[i] = qp_tree_node(&arena, QP_MOVE(0, 18));
            other[i]->prev = first->prev;
            qp_tree_put_beside(qp_tree_last_beside(first), other[i]);
        }
        cr_expect(qp_node_alternative(first) == other[0] && !first->aside);
        cr_expect(qp_node_sibling(first) == NULL && qp_node_owner(first) == NULL);
        for (size_t i = 0; i < QP_COUNT(other); i++) {
            cr_expect(qp_node_alternative(other[i]) == NULL, "depth %u, %zu", depth, i);
            cr_expect(qp_node_owner(other[i]) == first, "depth %u, %zu", depth, i);
            cr_expect(qp_node_sibling(other[i]) == (i < 2 ? other[i + 1] : NULL),
                      "depth %u, %zu", depth, i);
        }
        next = qp_tree_node(&arena, QP_MOVE(0, 9));
        first->next = next;
        next->prev = first;
        first = next;
    }
    cr_expect_leq(sizeof *first, 56, "a ply takes %zu bytes", sizeof *first);
    qp_arena_clear(&arena);
}
