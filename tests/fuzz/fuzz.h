/* What fuzz targets share. A target is driven by libFuzzer, or by replay.c over files. */
#ifndef QP_TESTS_FUZZ_H
#define QP_TESTS_FUZZ_H

#include "qipu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The body of a reader's target; format NULL: it is detected. */
int fuzz_reader(const char *format, const uint8_t *data, size_t size);

/* Bytes in memory, handed out by fuzz_get step by step. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t len, at, step;
} fuzz_input;
ptrdiff_t fuzz_get(void *user, void *buffer, size_t size);
/* A qp_write_fn; user is a qp_buf. */
int fuzz_put(void *user, const void *buffer, size_t size);

/* Gives up where that does not hold. */
void fuzz_require(bool holds, const char *what);
/* Each finding lies in the file, and says something. */
void fuzz_check_findings(const qp_finding *findings, size_t count, size_t size);

/* To standard error. */
void fuzz_complain(const char *what);
void fuzz_show(const char *title, const char *text, size_t len);

#endif
