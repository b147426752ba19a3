/* What is used of zlib, which is loaded when a file is compressed. See zlib_library.c. */
#ifndef QP_FORMAT_ZLIB_LIBRARY_H
#define QP_FORMAT_ZLIB_LIBRARY_H

#include <stdbool.h>
#include <zlib.h>

#define QP_ZLIB_FUNCTIONS(X)                                                             \
    X(inflateInit_)                                                                      \
    X(inflate)                                                                           \
    X(inflateEnd)

/* Each under its own name. */
typedef struct qp_zlib_library {
#define QP_ZLIB_MEMBER(name) __typeof__(name) *name;
    QP_ZLIB_FUNCTIONS(QP_ZLIB_MEMBER)
#undef QP_ZLIB_MEMBER
} qp_zlib_library;

/* false: it is not there. */
bool qp_zlib_library_get(qp_zlib_library *library);

#endif
