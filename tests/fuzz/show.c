/* What a fuzz target says before it gives up. */
#include "config.h"

#include "fuzz/fuzz.h"

#include <stdio.h>

void fuzz_complain(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
}

void fuzz_show(const char *title, const char *text, size_t len)
{
    fprintf(stderr, "--- %s\n%.*s\n", title, (int)len, text);
}
