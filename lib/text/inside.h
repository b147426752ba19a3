/* What a source keeps, for the files that make it up: source.c (window), blocks.c
 * (decoding), locate.c (places and notes). Offsets of text and raw bytes are kept from
 * the start of the file, so that marks and notes stand still when the window moves.
 */
#ifndef QP_TEXT_INSIDE_H
#define QP_TEXT_INSIDE_H

#include "text/decode.h"

/* Where a piece of the decoded text came from. A piece is decoded again from its mark to
 * find a place in it. */
typedef struct qp_text_mark {
    uint64_t text, raw;
    uint32_t line;   /* line ends before it */
    uint32_t column; /* characters before it in its line */
    uint8_t encoding;
    bool hard; /* what stands before it was decoded as if the file ended here */
    bool same; /* up to the next mark, the bytes are the text: those of the file may be gone */
} qp_text_mark;

/* From a place of the text on, games are read in another encoding unless they change it. */
typedef struct qp_text_change {
    uint64_t at;
    qp_encoding to;
} qp_text_change;

/* A gap in the decoded text, and where the user is to read on; both count from the start of
 * the file. raw: the same of the byte behind what was left out. */
typedef struct qp_kept_gap {
    uint64_t at, on, raw;
} qp_kept_gap;

typedef struct qp_kept_note {
    qp_text_note note; /* at, len: unset until it is lent */
    uint64_t at, end;  /* in the text of the file */
    uint32_t line;     /* line ends before its last one */
    bool lent;
} qp_kept_note;

struct qp_source_inside {
    qp_read_fn read;
    void *user;
    qp_text_judge judge;
    void *judge_user;

    unsigned char *raw; /* the window on disk: bytes of the record, and what waits */
    size_t raw_room, raw_len, raw_at;    /* raw_at: not decoded from here on */
    uint64_t raw_base;                   /* offset of raw[0] in the file */
    char *out;                           /* the same as text */
    size_t out_room, out_len, out_start; /* out_start: the record's start */
    uint64_t out_base;
    qp_text_mark *marks;
    size_t mark_room, mark_count;
    size_t same_to; /* what stands before this mark and is still needed is the same */
    qp_kept_note *notes;
    size_t note_room, note_first, note_count; /* by place; before note_first: done with */
    qp_text_note *lent;
    size_t lent_room;

    qp_decoder decoders[QP_ENC_BINARY + 1];
    bool decoder_ready[QP_ENC_BINARY + 1];
    qp_encoding encoding; /* in use */
    bool begun;           /* the head was looked at */
    bool checked;         /* each game's encoding is checked */
    bool eof, failed;
    bool spoken;      /* text beyond ASCII was decoded */
    bool told;        /* a guess was reported */
    bool fits;        /* the game in hand was found to make sense */
    uint64_t tag_end; /* offset behind the last tag line */
    uint64_t cr_from, cr_at; /* offsets between which there is no CR */
    uint64_t until;   /* another reader goes on from this byte; UINT64_MAX: none does */
    uint64_t spoken_at, told_at; /* of the text, behind what made that known; 0: the stand did */
    qp_encoding first;       /* in use at the beginning of the window */
    qp_text_change *changes; /* of the encoding in use, by place */
    size_t change_room, change_count;
    qp_skim_fn skim; /* NULL: all is decoded */
    void *skim_user;
    bool passes; /* it leaves out games as a whole */
    qp_kept_gap *gaps; /* in what was decoded last */
    size_t gap_room, gap_count;
    uint64_t passed_at, passed_raw; /* games were left out whole at this place of the text, up
                                       to this byte; UINT64_MAX: none were */
    bool at_record;    /* the user stands behind all that is decoded, where a record begins */
    unsigned misses;   /* games in a row that were not skimmed */
    uint32_t line;    /* line ends decoded */
    uint32_t errors;  /* bad items since somebody set it to 0 */
};

enum {
    QP_BLOCK = 128 * 1024, /* raw bytes that are decoded at a time */
    QP_BLOCK_PAST = 4 * 1024, /* the same where another reader goes on */
    QP_FIRST = 8 * 1024, /* games up to here are decoded for the probes, where each is checked */
    QP_HEAD = 4096,        /* of these, what probes and the search for UTF-16 see */
};

/* Decodes what waits in the raw window, up to its last line end. false: memory ran
 * out. */
bool qp_inside_decode_block(struct qp_source_inside *in);
/* Grows a window so that more bytes fit behind len, and the slack of wide loads. */
bool qp_inside_widen(void **data, size_t *room, size_t len, size_t more);
/* A decoder for the encoding; NULL: memory ran out. */
qp_decoder *qp_inside_decoder(struct qp_source_inside *in, qp_encoding encoding);
/* From the text at an offset of the file on, the encoding in use is another. */
void qp_inside_change(struct qp_source_inside *in, uint64_t at);
/* The gap at an offset of the text; NULL: none. */
const qp_kept_gap *qp_inside_gap(const struct qp_source_inside *in, uint64_t text);
/* Room for one more element of size; false: memory ran out. */
bool qp_inside_room(void **array, size_t *room, size_t count, size_t size);
/* Reports something at a place of the decoded text; what is alike and near is counted
 * up. */
#define QP_NOTE_OF(slug, finer) ((qp_text_note){.code = QP_D_##slug, .detail = (finer)})
void qp_inside_note(struct qp_source_inside *in, qp_text_note note, uint64_t at,
                    size_t len);
/* The index of the mark whose piece holds the text offset. mark_count > 0. */
size_t qp_inside_mark(const struct qp_source_inside *in, uint64_t text);

#endif
