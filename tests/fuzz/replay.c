/* Runs a fuzz target over the files named: what libFuzzer's own main does, without it. */
#include "config.h"

#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path)
{
    enum { MOST = 64 << 20 };
    FILE *file = fopen(path, "rb");
    uint8_t *data = file != NULL ? malloc(MOST) : NULL;
    if (data == NULL) {
        perror(path);
        if (file != NULL)
            fclose(file);
        return 1;
    }
    size_t size = fread(data, 1, MOST, file);
    fclose(file);
    /* A copy of its exact size, so that a read past its end is seen. */
    uint8_t *exact = malloc(size != 0 ? size : 1);
    for (size_t i = 0; exact != NULL && i < size; i++)
        exact[i] = data[i];
    free(data);
    if (exact == NULL)
        return 1;
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    return failed;
}
