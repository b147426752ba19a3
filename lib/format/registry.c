/* The formats there are, and the auction that finds the one of a file. */
#include "config.h"

#include "format/format.h"

const qp_format *const qp_formats[] = {
    &qp_format_pgn,
    &qp_format_dhtmlxq,
    &qp_format_xml,
    &qp_format_cbf,
    &qp_format_pfc,
    &qp_format_json,
    &qp_format_iccs,
    &qp_format_uci,
    &qp_format_fen,
    &qp_format_wxf,
    &qp_format_treetext,
    &qp_format_book,
    &qp_format_dpxq,
    &qp_format_txt,
    &qp_format_xqf,
    &qp_format_xqr,
    &qp_format_xgf,
    &qp_format_cbr,
    &qp_format_cbl,
    &qp_format_mxq,
    &qp_format_gl,
    &qp_format_che,
    &qp_format_ccm,
    NULL,
};

const qp_format *qp_format_at(size_t index)
{
    return index < QP_COUNT(qp_formats) - 1 ? qp_formats[index] : NULL;
}

const qp_format *qp_format_find(const char *name)
{
    for (size_t i = 0; name != NULL && qp_formats[i] != NULL; i++)
        if (qp_str_is_nocase(qp_str_of(name), qp_formats[i]->name))
            return qp_formats[i];
    return NULL;
}

const qp_format *qp_format_by_suffix(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (dot == NULL || strchr(dot, '/') != NULL || dot[1] == '\0')
        return NULL;
    char suffix[16];
    size_t len = 0;
    for (const char *p = dot + 1; *p != '\0'; p++) {
        if (len == sizeof suffix || *p == ' ')
            return NULL;
        suffix[len++] = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
    }
    for (size_t i = 0; qp_formats[i] != NULL; i++)
        for (const char *p = qp_formats[i]->suffixes; *p != '\0';) {
            const char *end = p;
            while (*end != '\0' && *end != ' ')
                end++;
            if (*p == *suffix && (size_t)(end - p) == len && memcmp(p, suffix, len) == 0)
                return qp_formats[i];
            p = end + (*end != '\0');
        }
    return NULL;
}

const char *qp_format_name(const qp_format *format)
{
    return format->name;
}

const char *qp_format_title(const qp_format *format)
{
    return format->title;
}

const char *qp_format_suffixes(const qp_format *format)
{
    return format->suffixes;
}

unsigned qp_format_carries(const qp_format *format)
{
    return format->carries;
}

bool qp_format_reads(const qp_format *format)
{
    return format->read != NULL;
}

bool qp_format_writes(const qp_format *format)
{
    return format->write != NULL;
}

bool qp_format_has_version(const qp_format *format, unsigned version)
{
    for (size_t i = 0; i < QP_COUNT(format->versions); i++)
        if (format->versions[i] != 0 && format->versions[i] == version)
            return true;
    return version == 0;
}

bool qp_format_experimental(const qp_format *format)
{
    return format->experimental;
}

const char *qp_version(void)
{
    return PACKAGE_VERSION;
}
