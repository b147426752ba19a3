/* What lib/check can find in a plain game, for whoever passes over those in which it finds
 * nothing: of a tag that is its name and how its value begins, of a game its result against the
 * board. tests/property/test_skim.c holds the two together. */
#ifndef QP_FORMAT_SAID_H
#define QP_FORMAT_SAID_H

#include "format/format.h"

/* What a game's tags say that matters to the checks. */
typedef struct qp_said {
    bool quiet;      /* nothing can be found in them */
    bool has_result; /* there is a tag for it */
    qp_result result;
} qp_said;

/* Whether a date is one that exists, or none. */
bool qp_said_date(qp_patterns *patterns, qp_str value);
/* Dates that were judged before; {0} to begin with. */
enum { QP_SAID_DATES = 256 }; /* a power of two */
typedef struct qp_said_dates {
    qp_encoding encoding;
    struct {
        uint64_t bytes[2];
        uint8_t len; /* 0: none */
        bool good;
    } at[QP_SAID_DATES];
} qp_said_dates;
/* The same of one that is still to be decoded, and may have been judged before. */
bool qp_said_date_known(qp_said_dates *dates, qp_patterns *patterns, qp_source *source,
                        qp_encoding encoding, const unsigned char *p, size_t n);
/* The same, without a memory. */
bool qp_said_date_in(qp_patterns *patterns, qp_source *source, qp_encoding encoding,
                     const unsigned char *p, size_t n);
/* How a value begins in GBK that was read as Big5: see check/header.c. NULL: in no such
 * encoding. */
const char *qp_said_recoded_mark(qp_encoding encoding);
/* Whether a value begins so. */
bool qp_said_recoded(qp_encoding encoding, const unsigned char *p, size_t n);
/* Whether tags, the result behind the moves and the board agree, so that no check finds
 * anything. */
bool qp_said_agrees(const qp_said *said, qp_result end, const qp_rounds *rounds);
/* The FEN of the usual start position as nearly all are written, and whether one is that. */
#define QP_SAID_USUAL                                                                     \
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
bool qp_said_usual(const unsigned char *p, size_t n);

#endif
