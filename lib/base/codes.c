/* The table of finding codes, made from QP_CODES in qipu.h. */
#include "config.h"

#include "base/base.h"

static const struct {
    const char *name;
    qp_severity severity;
    const char *summary, *help;
} codes[QP_CODE_COUNT] = {
    {"none", QP_NOTE, "", ""},
#define ROW(slug, name, severity, summary, help) {name, QP_##severity, summary, help},
    QP_CODES(ROW)
#undef ROW
};

static size_t in_range(qp_code code)
{
    return (unsigned)code < QP_CODE_COUNT ? (size_t)code : 0;
}

const char *qp_code_name(qp_code code)
{
    return codes[in_range(code)].name;
}

qp_severity qp_code_severity(qp_code code)
{
    return codes[in_range(code)].severity;
}

const char *qp_code_summary(qp_code code)
{
    return codes[in_range(code)].summary;
}

const char *qp_code_help(qp_code code)
{
    return codes[in_range(code)].help;
}
