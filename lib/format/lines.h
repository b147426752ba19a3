/* The formats of a game a line: what their two files share. */
#ifndef QP_LINES_H
#define QP_LINES_H

#include "format/format.h"

qp_status qp_lines_read(qp_reading *reading);
unsigned qp_iccs_probe(const qp_probe *probe);
unsigned qp_uci_probe(const qp_probe *probe);
unsigned qp_fen_probe(const qp_probe *probe);

#endif
