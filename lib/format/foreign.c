/* Kinds of files that are known by their first bytes and not read, so that a person
 * learns what to do with them. */
#include "config.h"

#include "format/format.h"

const char *qp_foreign_kind(qp_str head)
{
    static const struct {
        size_t at, len;
        const char *bytes, *what;
    } kinds[] = {
        {1, 7, "\0\0\0\3FEN",
         "a tree of cchess_con in binary (.cm); its text layouts are read"},
        {0, 6, "Rar!\x1A\x07", "a rar archive; unpack it first"},
    };
    for (size_t i = 0; i < QP_COUNT(kinds); i++)
        if (head.len >= kinds[i].at + kinds[i].len &&
            memcmp(head.data + kinds[i].at, kinds[i].bytes, kinds[i].len) == 0)
            return kinds[i].what;
    return NULL;
}
