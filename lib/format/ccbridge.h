/* What the binary formats of 象棋桥 (CCBridge) share: the record that a .cbr file is and that
 * a .cbl library holds many of, and the names of its fields, which its XML (CBF) has too. */
#ifndef QP_FORMAT_CCBRIDGE_H
#define QP_FORMAT_CCBRIDGE_H

#include "format/binary.h"

enum {
    QP_CBR_SIGNATURE = 16, /* bytes of it, the NUL at its end included */
    QP_CBR_GUID = 20,      /* where 16 bytes of it stand */
    QP_CBR_BLOCK = 4096,   /* records fill whole ones of a library */
};
extern const char qp_cbr_signature[QP_CBR_SIGNATURE]; /* of a record */
extern const char qp_cbl_signature[QP_CBR_SIGNATURE]; /* of a library */

/* Where a text of the head stands and what it is called as a tag and in CBF. */
typedef struct qp_cbr_field {
    const char *tag;     /* as in PGN, or CBR_… where PGN has none */
    const char *element; /* of CBF; NULL: it has none */
    uint16_t at[2];      /* in versions 1 and 2; 0: nowhere */
    uint16_t size;       /* bytes, UTF-16LE; 0: a number */
} qp_cbr_field;
extern const qp_cbr_field qp_cbr_fields[]; /* ended by a NULL tag */
/* The field that a tag belongs to: by its name there, or by CBR_ or CBF_ and the name of the
 * element; NULL: none. */
const qp_cbr_field *qp_cbr_field_of(qp_str tag);

/* Reads the record that bytes begin with into the reading's record; text_at: where they
 * stand in the source's text. Returns how many bytes it took. */
size_t qp_cbr_read(qp_reading *in, qp_strings *strings, const qp_bytes *bytes,
                   size_t text_at);
/* Of a record that the reading may pass over and of which there is nothing to say: the bytes that
 * it takes, and its plies. 0: it is to be read. */
size_t qp_cbr_pass(qp_reading *in, const qp_bytes *bytes, uint32_t *plies);
/* Adds the tag of a fixed field of UTF-16LE, unless it is blank. */
void qp_cbr_tag(qp_reading *in, qp_strings *strings, const char *name, const qp_bytes *bytes,
                size_t at, size_t size, size_t text_at);

/* Appends a record of version 2. number: from 1 within a library, where it makes its GUID
 * another than that of the same game elsewhere; 0: a file of its own. Returns the bytes of
 * the record. */
size_t qp_cbr_write(qp_writing *writing, const qp_game *game, uint32_t number, qp_buf *out);
/* Puts text as UTF-16LE into a field of a fixed size that holds zeros; what is too long is
 * cut and reported as a loss of what. */
void qp_cbr_put(qp_writing *writing, char *field, size_t size, qp_str text,
                const char *what);
/* The GUID of a record or an index entry as text of 38 characters and a NUL. */
void qp_cbr_guid_text(const unsigned char guid[16], char text[39]);

/* The texts of a library's head, version 3; tags of its first game. */
typedef struct qp_cbl_field {
    const char *tag;
    uint32_t at, size;
} qp_cbl_field;
extern const qp_cbl_field qp_cbl_fields[]; /* ended by a NULL tag */

void qp_cbl_write(qp_writing *writing, const qp_game *game);
void qp_cbl_write_end(qp_writing *writing);
bool qp_cbl_write_more(qp_writing *writing);

/* The old library, version 2.1. */
typedef struct qp_cbl_old qp_cbl_old;
bool qp_cbl_old_is(qp_str head);
qp_cbl_old *qp_cbl_old_new(qp_reading *in); /* NULL: memory ran out */
void qp_cbl_old_free(qp_cbl_old *old);
qp_status qp_cbl_old_read(qp_reading *in, qp_cbl_old *old);

#endif
