/* What formats that hold squares share: two squares as text, words beside them, and trees
 * that are told in pre-order. */
#ifndef QP_FORMAT_PLIES_H
#define QP_FORMAT_PLIES_H

#include "format/format.h"

/* h2e2 as a move; 0 where it is none. */
static inline qp_move qp_squares_read(qp_str text)
{
    if (text.len != 4)
        return 0;
    unsigned from_file = (unsigned char)(text.data[0] | 32) - 'a';
    unsigned to_file = (unsigned char)(text.data[2] | 32) - 'a';
    unsigned from_rank = (unsigned char)text.data[1] - '0';
    unsigned to_rank = (unsigned char)text.data[3] - '0';
    if (from_file > 8 || from_rank > 9 || to_file > 8 || to_rank > 9)
        return 0;
    return QP_MOVE(QP_SQUARE(from_file, from_rank), QP_SQUARE(to_file, to_rank));
}
/* Adds a ply known by its words alone, read by the notations; bare digits stay unread:
 * they come from formats that hold squares, where they named none. The span is that of
 * text. */
void qp_reading_words(qp_reading *in, qp_str text, size_t at, size_t len);

/* Gives the turn to the owner of the first ply's first square, whatever the header says;
 * reports that it said otherwise. */
void qp_record_first_ply(qp_record *record, qp_move first);

enum { QP_LINE_MAX = 512 }; /* moves that are kept of a line before it is known to be plain */
/* Plays a record of one line of moves from the usual start that has no events yet, where no
 * tree is asked for. All else must be known. false: they are to become events. */
bool qp_reading_spare(qp_reading *in, const qp_squares *squares);
/* The same of moves that stand one behind the other in the file too. The last one becomes an
 * event, so that findings about the end have a place. */
bool qp_reading_spare_nodes(qp_reading *in, const qp_squares *squares);

/* A tree whose file order puts what follows a ply before what replaces it, as CBF, PFC
 * and the binary formats have it, collected to be told in the record's order. */
typedef struct qp_plies qp_plies;
qp_plies *qp_plies_new(void);
void qp_plies_free(qp_plies *plies);
void qp_plies_rewind(qp_plies *plies);
/* Adds a ply behind `parent`, after the others there; 0 is the start position. Returns
 * its index, 0 once memory ran out. move 0: its text cannot be read as squares. */
uint32_t qp_plies_add(qp_plies *plies, uint32_t parent, qp_move move, size_t at,
                      size_t len);
/* Adds several, each behind the one before, the first behind `parent`; their squares are known.
 * They stand one behind the other from `at` on, each len bytes long, fewer than 128 of them.
 * Returns the index of the first. */
uint32_t qp_plies_run(qp_plies *plies, uint32_t parent, const qp_move *moves, size_t count,
                      size_t at, size_t len);
/* What a ply that names no squares is known by, where its span is no text. */
void qp_plies_words(qp_plies *plies, uint32_t ply, qp_str words);
/* made.data NULL: the span is the text. */
void qp_plies_comment(qp_plies *plies, uint32_t ply, qp_str made, size_t at, size_t len);
/* An annotation glyph; a second one takes the first's place. */
void qp_plies_nag(qp_plies *plies, uint32_t ply, unsigned nag);
uint32_t qp_plies_parent(const qp_plies *plies, uint32_t ply);
/* Whether a ply is the first of its parent: of the main line there. */
bool qp_plies_leads(const qp_plies *plies, uint32_t ply);
/* A stack of plies to which an alternative is still to come; 0 where none is. */
void qp_plies_owe(qp_plies *plies, uint32_t ply);
uint32_t qp_plies_owed(qp_plies *plies);
/* Adds the events to the record, and passes them on where it is settled; sets the side to move
 * from the first ply. */
void qp_plies_tell(const qp_plies *plies, qp_record *record);
/* The same where plies stand before them. */
void qp_plies_tell_on(const qp_plies *plies, qp_record *record);
/* After the telling: reads the moves whose text is no squares in any notation. */
void qp_reading_read_words(qp_reading *in);
/* Notes that the file marks another alternative than the first as the one to show. */
void qp_plies_tell_shown(qp_record *record, size_t at, size_t len);

#endif
