/* Text that is passed over without being kept: the rest of a record that is longer than the
 * limit. */
#include "config.h"

#include "format/format.h"

void qp_skip_to_line(qp_source *source, bool (*begins)(const char *p, size_t n))
{
    enum { PIECE = 64 * 1024 };
    bool at_start = false; /* of a line */
    for (size_t at = 0; qp_source_has(source, at, 1);) {
        size_t end = qp_source_line_end(source, at, PIECE);
        if (at_start && begins(source->text + at, end - at)) {
            qp_source_next(source, at);
            return;
        }
        at_start = end < source->len && source->text[end] == '\n';
        at = end + at_start;
        if (at >= PIECE) {
            qp_source_next(source, at);
            at = 0;
        }
    }
    qp_source_next(source, source->len);
}
