/* What fuzz targets share. A target is driven by libFuzzer, or by replay.c over files. */
#ifndef QP_TESTS_FUZZ_H
#define QP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The body of a reader's target; format NULL: it is detected. */
int fuzz_reader(const char *format, const uint8_t *data, size_t size);

/* To standard error. */
void fuzz_complain(const char *what);
void fuzz_show(const char *title, const char *text, size_t len);

#endif
