/* What fuzz targets share: input and output in memory, and what is said before one gives up. */
#include "config.h"

#include "base/base.h"
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

ptrdiff_t fuzz_get(void *user, void *buffer, size_t size)
{
    fuzz_input *in = user;
    size_t n = in->len - in->at;
    n = n < in->step ? n : in->step;
    n = n < size ? n : size;
    if (n != 0)
        memcpy(buffer, in->data + in->at, n);
    in->at += n;
    return (ptrdiff_t)n;
}

int fuzz_put(void *user, const void *buffer, size_t size)
{
    qp_buf_add(user, buffer, size);
    return 0;
}

void fuzz_require(bool holds, const char *what)
{
    if (!holds) {
        fuzz_complain(what);
        abort();
    }
}

void fuzz_check_findings(const qp_finding *findings, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const qp_finding *f = &findings[i];
        fuzz_require(f->byte <= f->byte_end && f->byte_end <= size,
                     "a finding outside the file");
        fuzz_require(f->code > QP_D_none && f->code < QP_CODE_COUNT,
                     "a finding without a code");
        fuzz_require(f->message.len != 0, "a finding without a message");
    }
}

void fuzz_complain(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
}

void fuzz_show(const char *title, const char *text, size_t len)
{
    fprintf(stderr, "--- %s\n%.*s\n", title, (int)len, text);
}
