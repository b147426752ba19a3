/* CBR and CBL, read and written: files made here byte by byte, damage of every kind, and the
 * records that QIPU_SHARED names. */
#include "config.h"

#include <criterion/criterion.h>

#include "corpus.h"

/* The shared records: main lines, counts and checksums of the trees. */
Test(cbr, corpus)
{
    static const char *const names[] = {"cbr2_cchess_test.cbr", "cbr1_57pao.cbr",
                                        "cbl3_1956.cbl",
                                        "cbl3_1989_deleted.cbl",
                                        "cbl3_1966_multislot.cbl",
#if HAVE_ZLIB
                                        "cbl2_jichu.cbl",
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        corpus_check(names[i]);
}
