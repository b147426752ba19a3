/* The pull reader of libxml2 over one record. See xml.h. */
#include "config.h"

#include "format/xml.h"
#include "format/xml_library.h"

#include <stdlib.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_ptr;
#else
typedef xmlErrorPtr error_ptr;
#endif

/* What stands for an ampersand that begins nothing. */
static const char escaped[] = "&amp;";
enum { ESCAPED_LEN = sizeof escaped - 1 };

qp_xml *qp_xml_state(qp_reading *in)
{
    if (in->state == NULL) {
        qp_xml *xml = calloc(1, sizeof *xml);
        if (xml != NULL && (xml->plies = qp_plies_new()) == NULL) {
            free(xml);
            xml = NULL;
        }
        in->state = xml;
    }
    qp_xml *xml = in->state;
    if (xml != NULL)
        xml->in = in;
    return xml;
}

void qp_xml_read_end(qp_reading *in)
{
    qp_xml *xml = in->state;
    if (xml == NULL)
        return;
    qp_xml_library_free(xml->lib);
    free(xml->tags);
    free(xml->holes);
    qp_buf_clear(&xml->content);
    qp_plies_free(xml->plies);
    free(xml);
    in->state = NULL;
}

static size_t tag_end(const qp_xml *xml, size_t index)
{
    return (size_t)xml->tags[index].at + xml->tags[index].len;
}

/* Hands on text up to the end of the next tag, at most: so the parser never runs ahead of
 * the events that were asked for. */
static int feed(void *user, char *buffer, int size)
{
    qp_xml *xml = user;
    const char *text = xml->in->source->text;
    size_t room = (size_t)size, put = 0;
    while (xml->fed_tag < xml->tag_count && tag_end(xml, xml->fed_tag) <= xml->fed)
        xml->fed_tag++;
    size_t end = xml->fed_tag < xml->tag_count ? tag_end(xml, xml->fed_tag) : xml->end;
    while (xml->fed < end) {
        const qp_xml_tag *hole =
            xml->fed_hole < xml->hole_count ? &xml->holes[xml->fed_hole] : NULL;
        if (hole != NULL && hole->at == xml->fed) {
            bool ampersand = text[hole->at] == '&';
            if (ampersand && room - put < ESCAPED_LEN)
                break;
            if (ampersand)
                memcpy(buffer + put, escaped, ESCAPED_LEN);
            put += ampersand ? ESCAPED_LEN : 0;
            xml->more += (ampersand ? ESCAPED_LEN : 0) - hole->len;
            xml->fed += hole->len;
            xml->fed_hole++;
            continue;
        }
        size_t len = (hole != NULL && hole->at < end ? hole->at : end) - xml->fed;
        if (len > room - put)
            len = room - put;
        if (len == 0)
            break;
        memcpy(buffer + put, text + xml->fed, len);
        put += len;
        xml->fed += len;
    }
    return (int)put;
}

static int close_feed(void *user)
{
    (void)user;
    return 0;
}

/* Keeps the first fault that ends the parsing; those of namespaces end nothing. */
static void take_error(void *user, error_ptr error)
{
    qp_xml *xml = user;
    if (xml->damaged || error->level != XML_ERR_FATAL)
        return;
    xml->damaged = true;
    const char *message = error->message ? error->message : "not well-formed";
    if (error->code == XML_ERR_TAG_NAME_MISMATCH)
        message = "the end tag closes another element than the one that is open";
    /* Nothing behind the root is ever fed: what the parser misses at the end are end
     * tags. */
    bool unfinished =
        error->code == XML_ERR_TAG_NOT_FINISHED || error->code == XML_ERR_DOCUMENT_END;
    if (unfinished)
        message = "the record ends before all elements are closed";
    size_t len = strcspn(message, "\n");
    if (len > sizeof xml->error - 1)
        len = sizeof xml->error - 1;
    len = qp_whole_len(message, len); /* the parser's own text may be cut as well */
    memcpy(xml->error, message, len);
    while (len > 0 && (xml->error[len - 1] == '\n' || xml->error[len - 1] == ' '))
        len--;
    xml->error[len] = '\0';
    if (xml->error[0] >= 'A' && xml->error[0] <= 'Z' &&
        !(xml->error[1] >= 'A' && xml->error[1] <= 'Z'))
        xml->error[0] = (char)(xml->error[0] + ('a' - 'A'));
    /* The parser counts what it was fed; more may wrap round, and does so back again. */
    long consumed = xml->lib->xmlTextReaderByteConsumed(xml->reader);
    size_t at = xml->start + (consumed > 0 ? (size_t)consumed - xml->more : 0);
    xml->error_at = at >= xml->start && at < xml->fed && !unfinished ? at : xml->fed;
    xml->error_len = 0;
    if (!unfinished && xml->fed_tag < xml->tag_count &&
        at > xml->tags[xml->fed_tag].at) { /* within the tag that was fed last */
        xml->error_at = xml->tags[xml->fed_tag].at;
        xml->error_len = xml->tags[xml->fed_tag].len;
    }
}

bool qp_xml_open(qp_xml *xml, qp_xml_root root)
{
    xml->reader = NULL;
    xml->reports = 0;
    xml->damaged = xml->ends = false;
    xml->tag_next = xml->fed_tag = xml->fed_hole = xml->more = 0;
    xml->end = xml->start;
    if (!qp_xml_scan(xml, root))
        return false;
    xml->fed = xml->start;
    if (xml->plain)
        return true;
    if (xml->lib == NULL && (xml->lib = qp_xml_library_new()) == NULL) {
        xml->in->record->broken = true;
        qp_record_report(xml->in->record, QP_D_format_unsupported, xml->start, 1, "libxml2",
                         "XML of this kind takes libxml2 to read, which is not installed");
        return false;
    }
    xml->reader = xml->lib->xmlReaderForIO(feed, close_feed, xml, NULL, "UTF-8",
                                 XML_PARSE_IGNORE_ENC | XML_PARSE_NONET | XML_PARSE_HUGE |
                                     XML_PARSE_COMPACT);
    if (xml->reader == NULL) {
        xml->in->record->failed = true;
        return false;
    }
    xml->lib->xmlTextReaderSetStructuredErrorHandler(xml->reader, take_error, xml);
    return true;
}

void qp_xml_close(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    if (xml->reader != NULL)
        xml->lib->xmlFreeTextReader(xml->reader);
    xml->reader = NULL;
    xml->in->used = xml->end;
    if (!xml->damaged && !xml->truncated)
        return;
    record->broken = true;
    if (xml->truncated) {
        qp_record_report(record, QP_D_file_truncated, xml->end, 0, "xml",
                         "the text ends within a record");
        return;
    }
    qp_record_report(record, QP_D_file_corrupt, xml->error_at, xml->error_len, "xml",
                     "%s", xml->error);
}

static qp_str local(const char *name)
{
    const char *colon = name ? strchr(name, ':') : NULL;
    return qp_str_of(colon ? colon + 1 : name ? name : "");
}

/* Takes the place of the tag that the event is about. */
static void place(qp_xml *xml)
{
    if (xml->tag_next < xml->tag_count) {
        xml->at = xml->tags[xml->tag_next].at;
        xml->len = xml->tags[xml->tag_next].len;
        xml->tag_next++;
    }
}

qp_xml_event qp_xml_next(qp_xml *xml)
{
    if (xml->ends) {
        xml->ends = false;
        xml->at += xml->len;
        xml->len = 0;
        return QP_XML_END;
    }
    if (xml->plain)
        return qp_xml_plain_next(xml);
    while (xml->lib->xmlTextReaderRead(xml->reader) == 1) {
        switch (xml->lib->xmlTextReaderNodeType(xml->reader)) {
        case XML_READER_TYPE_ELEMENT:
            place(xml);
            xml->name = local((const char *)xml->lib->xmlTextReaderConstName(xml->reader));
            xml->ends = xml->lib->xmlTextReaderIsEmptyElement(xml->reader) == 1;
            return QP_XML_START;
        case XML_READER_TYPE_END_ELEMENT:
            place(xml);
            xml->name = local((const char *)xml->lib->xmlTextReaderConstName(xml->reader));
            return QP_XML_END;
        case XML_READER_TYPE_TEXT:
        case XML_READER_TYPE_CDATA:
        case XML_READER_TYPE_WHITESPACE:
        case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
            xml->text = qp_str_of((const char *)xml->lib->xmlTextReaderConstValue(xml->reader));
            return QP_XML_TEXT;
        default:
            break;
        }
    }
    return QP_XML_DONE;
}

bool qp_xml_is(const qp_xml *xml, const char *name)
{
    return qp_str_is(xml->name, name);
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

static inline bool ends_name(char c)
{
    return is_blank(c) || c == '=' || c == '/' || c == '>';
}

/* The raw value of an attribute in its tag. */
static void raw_value(const qp_xml *xml, const char *name, size_t *at, size_t *len)
{
    const char *tag = xml->in->source->text + xml->at;
    size_t i = 1, end = xml->len, want = strlen(name);
    *at = xml->at;
    *len = xml->len;
    while (i < end && !ends_name(tag[i]))
        i++;
    while (i < end) {
        while (i < end && is_blank(tag[i]))
            i++;
        size_t from = i;
        while (i < end && !ends_name(tag[i]))
            i++;
        qp_str found = {tag + from, i - from};
        const char *quote = NULL;
        while (i < end && quote == NULL && tag[i] != '>') {
            if (tag[i] == '"' || tag[i] == '\'')
                quote = &tag[i];
            i++;
        }
        if (quote == NULL)
            return;
        from = i;
        while (i < end && tag[i] != *quote)
            i++;
        if (found.len >= want && memcmp(found.data + found.len - want, name, want) == 0 &&
            (found.len == want || found.data[found.len - want - 1] == ':')) {
            *at = xml->at + from;
            *len = i - from;
            return;
        }
        i++;
    }
}

qp_str qp_xml_attribute(qp_xml *xml, const char *name, size_t *at, size_t *len)
{
    if (xml->plain) {
        qp_str value;
        size_t value_at, value_len;
        if (!qp_xml_plain_attribute(xml, name, &value, &value_at, &value_len))
            return (qp_str){0};
        if (at != NULL) {
            *at = value_at;
            *len = value_len;
        }
        return value;
    }
    const xmlNode *node = xml->lib->xmlTextReaderCurrentNode(xml->reader);
    if (node == NULL || node->type != XML_ELEMENT_NODE)
        return (qp_str){0};
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        if (!qp_str_is(local((const char *)a->name), name))
            continue;
        /* Without entities a value is one text node, or none where it is empty. */
        const char *text = a->children ? (const char *)a->children->content : "";
        if (at != NULL)
            raw_value(xml, name, at, len);
        return qp_str_of(text ? text : "");
    }
    return (qp_str){0};
}

qp_str qp_xml_content(qp_xml *xml, size_t *at, size_t *len)
{
    size_t from = xml->at + xml->len, depth = 0;
    qp_str whole;
    if (xml->plain && qp_xml_plain_content(xml, &whole)) {
        *at = from;
        *len = xml->at - from;
        return whole;
    }
    xml->content.len = 0;
    for (;;) {
        qp_xml_event event = qp_xml_next(xml);
        if (event == QP_XML_TEXT) {
            qp_buf_add_str(&xml->content, xml->text);
        } else if (event == QP_XML_START) {
            if (depth++ == 0)
                qp_xml_unknown(xml);
        } else if (event == QP_XML_DONE || depth-- == 0) {
            break;
        }
    }
    if (xml->content.failed)
        xml->in->record->failed = true;
    *at = from;
    *len = xml->at > from ? xml->at - from : 0;
    return (qp_str){xml->content.data ? xml->content.data : "", xml->content.len};
}

void qp_xml_skip(qp_xml *xml)
{
    size_t depth = 0;
    for (;;) {
        qp_xml_event event = qp_xml_next(xml);
        if (event == QP_XML_START)
            depth++;
        else if (event == QP_XML_DONE || (event == QP_XML_END && depth-- == 0))
            return;
    }
}

qp_str qp_xml_keep(qp_xml *xml, qp_str text, size_t at, size_t len)
{
    const char *span = xml->in->source->text + at;
    if (text.len == len && (text.data == span || qp_str_same(text, (qp_str){span, len})))
        return (qp_str){0};
    return qp_arena_str(xml->in->record->arena, text.data, text.len);
}

void qp_xml_unknown(qp_xml *xml)
{
    enum { REPORTS_MAX = 16, SHOWN_MAX = 64 };
    size_t shown = xml->name.len;
    if (shown > SHOWN_MAX)
        shown = qp_whole_len(xml->name.data, SHOWN_MAX);
    if (xml->reports++ < REPORTS_MAX)
        qp_record_report(xml->in->record, QP_D_loss, xml->at, xml->len, "xml-unknown",
                         "the element %.*s is not known and was left out", (int)shown,
                         xml->name.data);
}
