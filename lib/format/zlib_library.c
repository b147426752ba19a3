/* Gets hold of zlib: at run time, under the name that configure found, or as it was linked
 * (--disable-lazy). It stays loaded once it was. */
#include "config.h"

#if HAVE_ZLIB
#include "format/zlib_library.h"

#ifdef ZLIB_SONAME

#include <dlfcn.h>

bool qp_zlib_library_get(qp_zlib_library *library)
{
    void *file = dlopen(ZLIB_SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    bool whole = file != NULL;
#define GET(name)                                                                        \
    if (whole)                                                                           \
        whole = (*(void **)&library->name = dlsym(file, #name)) != NULL;
    QP_ZLIB_FUNCTIONS(GET)
#undef GET
    if (file != NULL)
        dlclose(file);
    return whole;
}

#else

bool qp_zlib_library_get(qp_zlib_library *library)
{
#define GET(name) library->name = name;
    QP_ZLIB_FUNCTIONS(GET)
#undef GET
    return true;
}

#endif
#endif
