/* The fuzz target of one reader, FUZZ_FORMAT (undefined: the format is detected). */
#include "config.h"

#include "fuzz/fuzz.h"

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT NULL
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(FUZZ_FORMAT, data, size);
}
