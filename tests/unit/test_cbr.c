/* CBR and CBL, read and written: files made here byte by byte, damage of every kind, and the
 * records that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "corpus.h"

/* The shared records: main lines, counts and checksums of the trees. */
Test(cbr, corpus)
{
    static const char *const names[] = {"cbr2_cchess_test.cbr", "cbr1_57pao.cbr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        corpus_check(names[i]);
}
