/* Gets hold of libxml2: at run time, under the name that configure found, or as it was linked
 * (--disable-lazy). It stays loaded once it was: it does not free all that it keeps. */
#include "config.h"

#include "format/xml.h"
#include "format/xml_library.h"

#include <stdlib.h>

#ifdef HAVE_THREADS
#include <pthread.h>

/* Two threads may not begin with libxml2 at once. */
static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;

static void begin(const struct qp_xml_library *library)
{
    pthread_mutex_lock(&beginning);
    library->xmlInitParser();
    pthread_mutex_unlock(&beginning);
}
#else
static void begin(const struct qp_xml_library *library)
{
    library->xmlInitParser();
}
#endif

#ifdef LIBXML2_SONAME

#include <dlfcn.h>

struct qp_xml_library *qp_xml_library_new(void)
{
    struct qp_xml_library *made = calloc(1, sizeof *made);
    void *file = made ? dlopen(LIBXML2_SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) : NULL;
    bool whole = file != NULL;
#define GET(name)                                                                          \
    if (whole)                                                                             \
        whole = (*(void **)&made->name = dlsym(file, #name)) != NULL;
    QP_XML_FUNCTIONS(GET)
#undef GET
    if (file != NULL)
        dlclose(file);
    if (!whole) {
        free(made);
        return NULL;
    }
    begin(made);
    return made;
}

#else

struct qp_xml_library *qp_xml_library_new(void)
{
    struct qp_xml_library *made = malloc(sizeof *made);
    if (made == NULL)
        return NULL;
#define GET(name) made->name = name;
    QP_XML_FUNCTIONS(GET)
#undef GET
    begin(made);
    return made;
}

#endif

void qp_xml_library_free(struct qp_xml_library *library)
{
    free(library);
}
