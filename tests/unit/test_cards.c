/* Free text that holds moves: what people type, scan and paste. */
#include "config.h"

#include <criterion/criterion.h>

#include "show.h"
#include "table.h"

/* Rows of data/cards.tsv, by shape: columns, prose, notations that are read apart. */
Test(cards, text)
{
    run_table("cards.tsv");
}
