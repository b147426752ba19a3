/* XML records: what the readers of the project's own schema, of CBF and of PFC share.
 *
 * The text between records is only searched for the next root of a record. A record's
 * text is then scanned once for its tags, which finds its end and gives each tag its
 * place. Plain XML (xml_plain.c) is read as it was scanned; all else is handed to libxml2's
 * pull reader tag by tag, so that all that stands before a fault is seen before the fault is. A document type is never handed on: no entity but
 * the five that XML has itself is ever expanded, whatever a file declares.
 */
#ifndef QP_FORMAT_XML_H
#define QP_FORMAT_XML_H

#include "format/plies.h"

typedef enum qp_xml_root {
    QP_XML_NONE,
    QP_XML_GAME = 1 << 0, /* <game> within <qipu> */
    QP_XML_CBF = 1 << 1,  /* <ChineseChessRecord> */
    QP_XML_PFC = 1 << 2,  /* <n m="FEN"> */
} qp_xml_root;

typedef enum qp_xml_event {
    QP_XML_START,
    QP_XML_END,
    QP_XML_TEXT,
    QP_XML_DONE
} qp_xml_event;

/* A piece of the record's text. */
typedef struct qp_xml_tag {
    uint32_t at, len;
    qp_move move; /* of a plain game the squares of a <move iccs="h2e2"/>, or one with text="…"
                     in which nothing is escaped, to the letter; 0: of all else */
} qp_xml_tag;
/* Where in such a tag its squares stand, and its text, if it has one. */
enum { QP_XML_MOVE = 12, QP_XML_MOVE_TEXT = 24, QP_XML_MOVE_END = 3 };

enum {
    QP_XML_ATTRIBUTES = 16, /* that an element of plain XML may have */
    QP_XML_PLAIN_DEPTH = 1024, /* its elements inside one another */
};

/* An attribute as it stands in a tag. */
typedef struct qp_xml_attr {
    qp_str name, value;
} qp_xml_attr;
/* qp_reading.carried */
enum { QP_XML_INSIDE = 1 << 0 }; /* <qipu> is open */

/* A reader's state between records, and the record being read. */
typedef struct qp_xml {
    qp_reading *in;
    /* the record */
    size_t start, end; /* its text */
    qp_xml_tag *tags;  /* all start and end tags, in file order */
    size_t tag_count, tag_room;
    qp_xml_tag *holes; /* what is not handed on as it stands: ampersands that begin no
                          reference known to XML, comments, instructions */
    size_t hole_count, hole_room;
    bool truncated; /* the text ends before its last end tag */
    bool plain;     /* the record is well-formed XML of the plain kind */
    uint32_t open[QP_XML_PLAIN_DEPTH]; /* the scan of such: the tags that are open */
    /* the event */
    struct qp_xml_library *lib; /* libxml2, once a record needed it */
    struct _xmlTextReader *reader;
    size_t tag_next;  /* index in tags of the next event's tag */
    size_t at, len;   /* the tag of a START or END */
    qp_str name;      /* without a prefix */
    qp_str text;      /* of a TEXT event */
    bool ends;        /* an END is owed to an empty element */
    qp_xml_attr attributes[QP_XML_ATTRIBUTES]; /* of a plain START, once they are asked for: */
    unsigned attribute_count;                  /* beyond QP_XML_ATTRIBUTES before that */
    bool damaged;
    size_t fed, fed_tag, fed_hole; /* what the pull reader, or the plain one, has taken */
    char error[160];
    size_t error_at, error_len;
    size_t more; /* bytes fed beyond those that stand in the text, less those left out */
    qp_buf content;
    unsigned reports;
    qp_plies *plies; /* the collected tree of CBF and PFC */
} qp_xml;

/* The state of a reading, made where there is none yet; NULL: memory ran out. */
qp_xml *qp_xml_state(qp_reading *in);
void qp_xml_read_end(qp_reading *in);

/* Finds the next record of one of the wanted roots. QP_XML_NONE: there is none. */
qp_xml_root qp_xml_find(qp_xml *xml, unsigned wanted);
/* Finds the end of that record, and its tags; false where it cannot be read (too long, or
 * no memory), which is reported. Part of qp_xml_open. */
bool qp_xml_scan(qp_xml *xml, qp_xml_root root);
/* Scans the record that was found and opens the pull reader on it. false: it cannot be
 * read (too long, no memory), which is reported. */
bool qp_xml_open(qp_xml *xml, qp_xml_root root);
qp_xml_event qp_xml_next(qp_xml *xml);
/* Ends the record: reports what stopped it, and sets used. */
void qp_xml_close(qp_xml *xml);

bool qp_xml_is(const qp_xml *xml, const char *name);
/* The value of an attribute of the START event; data NULL: it has none. Lent until the
 * next event. at and len: where the raw value stands. */
qp_str qp_xml_attribute(qp_xml *xml, const char *name, size_t *at, size_t *len);
/* All text up to the end of the element of the START event, which is consumed. */
qp_str qp_xml_content(qp_xml *xml, size_t *at, size_t *len);
/* Passes over the element of the START event. */
void qp_xml_skip(qp_xml *xml);
/* Text for an event: {NULL, 0} where its span reads the same, else a copy in the arena.
 */
qp_str qp_xml_keep(qp_xml *xml, qp_str text, size_t at, size_t len);
/* Says that an element is not known and was left out: that of the START event. */
void qp_xml_unknown(qp_xml *xml);

/* ---- plain XML ---- */

/* Whether text between tags is plain. */
bool qp_xml_plain_text(const char *text, size_t len);
/* The length of the plain tag at p, of which n bytes are known; 0: it is another kind, or goes
 * on. An empty element opens and closes. */
size_t qp_xml_plain_tag(const char *p, size_t n, qp_str *name, bool *opens, bool *closes);
/* The length of the tag of a move at p, of which n bytes are known, and its squares; 0: it is
 * none that qp_xml_tag.move tells of. */
size_t qp_xml_plain_move(const char *p, size_t n, qp_move *move);
/* qp_xml_next and qp_xml_attribute of a plain record. */
qp_xml_event qp_xml_plain_next(qp_xml *xml);
bool qp_xml_plain_attribute(qp_xml *xml, const char *name, qp_str *value, size_t *at,
                            size_t *len);
/* The text of an element that holds nothing else, up to its end, which is consumed; false, and
 * nothing is, where it holds more. */
bool qp_xml_plain_content(qp_xml *xml, qp_str *content);
/* Whether text after & is one of the five entities of XML, or the number of a character
 * that XML allows. */
bool qp_xml_is_reference(const char *p, size_t n);

/* The root that a text begins with; for probes. */
qp_xml_root qp_xml_probe(qp_str text);

/* Read the record that qp_xml_open opened. */
void qp_cbf_record(qp_xml *xml);
void qp_pfc_record(qp_xml *xml);
/* A format's read, for records of the wanted roots. */
qp_status qp_xml_read_any(qp_reading *in, unsigned wanted);

/* Appends text with what XML needs escaped; what it cannot hold is reported, as a loss of
 * that detail: tag-, comment- or text-character, at a node (NULL: the game). */
void qp_xml_put(qp_writing *writing, qp_str text, bool attribute, const char *detail,
                const qp_node *node);
/* A character reference. */
void qp_xml_refer(uint32_t code_point, char text[16]);
void qp_cbf_write(qp_writing *writing, const qp_game *game);
void qp_xml_write_begin(qp_writing *writing);
void qp_xml_write(qp_writing *writing, const qp_game *game);
void qp_xml_write_end(qp_writing *writing);

#endif
