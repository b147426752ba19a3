/* The paths of the files that convert makes: in a folder one for each input, and the
 * parts of --split. */
#ifndef QIPU_PATHS_H
#define QIPU_PATHS_H

#include "common.h"

/* The names taken in one run; all zero: none. */
struct names {
    uint64_t *hashes;
    size_t count, room;
};
void names_clear(struct names *names);

/* "FOLDER/STEM.SUFFIX" for an input, "-" for one, with the format's first suffix; *again:
 * an input before had the same name, and -2, -3 … stands behind the stem. folder ends in
 * "/". To be freed; NULL: memory ran out. */
char *folder_path(struct names *names, const char *folder, const char *input,
                  const qp_format *format, bool *again);
/* "STEM-0001.SUFFIX" for "STEM.SUFFIX". To be freed; NULL: memory ran out. */
char *part_path(const char *path, uint64_t part);

#endif
