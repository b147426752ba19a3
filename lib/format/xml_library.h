/* What is used of libxml2, which is loaded when a record needs it. See xml_library.c. */
#ifndef QP_FORMAT_XML_LIBRARY_H
#define QP_FORMAT_XML_LIBRARY_H

#include <libxml/parser.h>
#include <libxml/xmlreader.h>

#define QP_XML_FUNCTIONS(X)                                                                \
    X(xmlInitParser) \
    X(xmlReaderForIO) \
    X(xmlTextReaderSetStructuredErrorHandler) \
    X(xmlFreeTextReader) \
    X(xmlTextReaderRead) \
    X(xmlTextReaderNodeType) \
    X(xmlTextReaderConstName) \
    X(xmlTextReaderIsEmptyElement) \
    X(xmlTextReaderConstValue) \
    X(xmlTextReaderCurrentNode) \
    X(xmlTextReaderByteConsumed)

/* Each under its own name. */
struct qp_xml_library {
#define QP_XML_MEMBER(name) __typeof__(name) *name;
    QP_XML_FUNCTIONS(QP_XML_MEMBER)
#undef QP_XML_MEMBER
};

/* NULL: it is not there, or memory ran out. */
struct qp_xml_library *qp_xml_library_new(void);
void qp_xml_library_free(struct qp_xml_library *library);

#endif
