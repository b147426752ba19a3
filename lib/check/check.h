/* The check floor: what is wrong with a game that could be read. Each check is a row with its
 * own proof beside it; it adds reports to the record and never changes the game. */
#ifndef QP_CHECK_H
#define QP_CHECK_H

#include "format/format.h"

/* Tags that checks ask for. */
typedef enum qp_checked_tag {
    QP_CHECKED_RESULT,
    QP_CHECKED_DATE,
    QP_CHECKED_TERMINATION,
    QP_CHECKED_TAGS
} qp_checked_tag;

typedef struct qp_checking {
    const qp_game *game;
    qp_record *record;
    qp_patterns *patterns;
    const qp_judgement *judgement; /* NULL once memory ran out */
    bool reasons; /* remark on results that nothing explains */
    /* The tags of each name: the first, and one behind the last; 0 where there is none. */
    struct {
        size_t first, end;
    } tags[QP_CHECKED_TAGS];
} qp_checking;

typedef struct qp_check_row {
    qp_code code;
    const char *name;
    void (*run)(qp_checking *checking);
    const char *bad, *good; /* PGN texts: one that the check must report, one that it must not */
} qp_check_row;

void qp_check_result(qp_checking *checking);
void qp_check_reason(qp_checking *checking);
void qp_check_dates(qp_checking *checking);
void qp_check_recoded(qp_checking *checking);

/* The next tag of a name from *at on, which is set behind it; NULL: no more. *at begins
 * as c->tags[name].first. */
const qp_record_tag *qp_checked_next(const qp_checking *c, qp_checked_tag name, size_t *at);
bool qp_has_word(qp_str text, const char *word);
/* What ends the movetext and leaves the result open, as `*` does; NULL for none. */
const qp_event *qp_check_open_end(const qp_record *record);
/* A report where the record states its result, or where one is to be added. right: the
 * one to suggest, or UNKNOWN. */
void qp_check_report_result(qp_checking *checking, qp_code code, const char *detail,
                            const char *message, qp_result right, qp_certainty certainty);

extern const qp_check_row qp_checks[];
extern const size_t qp_check_count;

#endif
