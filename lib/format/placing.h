/* Inside the format floor: findings of a record, in the order in which they stand in the file. */
#ifndef QP_PLACING_H
#define QP_PLACING_H

#include "format/format.h"

typedef struct qp_place_key {
    uint64_t place; /* twice, and one more for what was understood of it */
    size_t index;   /* of the report */
} qp_place_key;

/* One reader's. {0} is an empty one. */
typedef struct qp_placing {
    qp_finding *findings;
    qp_place_key *order;
    size_t room; /* of both */
    size_t done; /* so many reports of the record at hand are placed; SIZE_MAX: they have to be
                    placed again */
} qp_placing;

void qp_placing_clear(qp_placing *placing);
/* Places what a record reports, as far as that is not done, and lends it until the next record;
 * text is put into the record's arena. source stands at the record; game, which may be NULL, is
 * what the findings are of. NULL: memory ran out. */
const qp_finding *qp_placing_run(qp_placing *placing, qp_source *source, qp_record *record,
                                 const qp_game *game, size_t *count);

#endif
