/* The grammar floor: dialect files become tries and tables; named PCRE2 patterns. Knows
 * spellings, not chess: values are names that the notation floor maps to its enums.
 * The file format is described in qipu-dialect(5). */
#ifndef QP_GRAMMAR_H
#define QP_GRAMMAR_H

#include "text/text.h"

/* ---- embedded files (made from grammars/ at build time) ---- */

typedef struct qp_builtin_file {
    const char *name;         /* "zh-hans.tsv" */
    const char *const *lines; /* without their ends */
    size_t line_count;
} qp_builtin_file;
extern const qp_builtin_file qp_builtin_files[];
extern const size_t qp_builtin_file_count;

/* ---- lines of grammar files ---- */

enum { QP_COLUMNS = 66 }; /* class, value and 64 spellings */
/* Columns are parted by one tab or more, without the blanks around them; a line that begins
 * with # is a comment, as is all from a column that begins with "# ". false: too many. */
bool qp_columns_split(qp_str line, qp_str column[QP_COLUMNS], size_t *count);
/* The offset of the first byte that is not UTF-8 (RFC 3629); the length where all is. */
size_t qp_valid_utf8(qp_str text);

/* ---- trie: spellings to values, longest match ---- */

typedef struct qp_trie qp_trie;
qp_trie *qp_trie_new(void);
void qp_trie_free(qp_trie *trie);
/* Adds a spelling (1..64 bytes of UTF-8). A second value for the same spelling is kept
 * beside the first as a further bit: values are sets of up to 64 symbols. false: memory ran
 * out, or the 65535 nodes have. */
bool qp_trie_add(qp_trie *trie, qp_str spelling, uint64_t symbol_bit);
/* The longest spelling at p: its bytes, and the set of symbols; 0 for none. */
size_t qp_trie_match(const qp_trie *trie, const char *p, size_t n, uint64_t *symbols);

/* ---- dialect files ---- */

/* One row: `class value spelling…`. `option KEY VALUE` and `form - PARTS` are rows too: an
 * option's key is its value and the setting its only spelling; a form's value is "-". */
typedef struct qp_row {
    qp_str kind;       /* the class: "piece.red" "digit.black" "way" "which" "form" … */
    qp_str value;      /* "cannon" "2" "across" … */
    const qp_str *spellings; /* valid UTF-8; the first is what the writer emits */
    size_t spelling_count;
    size_t line;
} qp_row;

/* A file may hold several dialects, each begun by a `name` line; `like NAME` takes over the
 * rows of an earlier one of the file, or of a built-in one. */
typedef struct qp_dialect {
    qp_str name, title;
    const qp_row *rows;
    size_t row_count;
    struct qp_dialect *next; /* the next one of the file, or NULL */
    qp_arena arena; /* the first dialect's owns all of the file's */
} qp_dialect;

/* Parses one file and returns its first dialect. lines: as in qp_builtin_file; copied. NULL
 * with *error ("line 12: …", in the given buffer) where a row is wrong. Checks form, not
 * meaning: that classes, values and options are known, not that a reading is possible. */
qp_dialect *qp_dialect_parse(const char *const *lines, size_t line_count, char error[256]);
/* The same for a text with line ends. */
qp_dialect *qp_dialect_parse_text(qp_str text, char error[256]);
void qp_dialect_free(qp_dialect *first); /* with all that follow it */
/* An option's setting; {"", 0} where it is not given. */
qp_str qp_dialect_option(const qp_dialect *dialect, const char *key);
/* Whether a built-in file holds dialects: fold.tsv and messy.tsv do not. */
bool qp_builtin_is_dialect(const qp_builtin_file *file);

/* ---- folds ---- */

/* grammars/fold.tsv: characters that count as another one everywhere (Kangxi radicals,
 * compatibility ideographs, full-width forms …). Not changed once made. */
typedef struct qp_folds qp_folds;
qp_folds *qp_folds_new(void); /* NULL: memory ran out */
void qp_folds_free(qp_folds *folds);
/* What a character folds to; itself for most. */
uint32_t qp_fold(const qp_folds *folds, uint32_t code_point);
/* The characters that fold to this one: how many, the first `room` of them in variants. */
size_t qp_fold_variants(const qp_folds *folds, uint32_t code_point, uint32_t *variants,
                        size_t room);

/* ---- confusions ---- */

/* grammars/confusions.tsv: what a misread character stands for. Not changed once made. */
typedef struct qp_confusions qp_confusions;
typedef struct qp_confusion {
    uint32_t wrong, right;
    uint8_t cost; /* 1: means nothing else likely; 2: one of several; 3: a sign itself */
} qp_confusion;
qp_confusions *qp_confusions_new(void); /* NULL: memory ran out */
void qp_confusions_free(qp_confusions *confusions);
/* What a character may stand for, cheapest first: how many, and the first of them. */
size_t qp_confusions_find(const qp_confusions *confusions, uint32_t wrong,
                          const qp_confusion **first);

/* ---- patterns ---- */

/* The patterns of grammars/messy.tsv and what they must and must not match, compiled when
 * first used. Not shared between threads: each reader has its own. */
typedef struct qp_patterns qp_patterns;
qp_patterns *qp_patterns_new(void);
void qp_patterns_free(qp_patterns *patterns);

enum { QP_MATCH_GROUPS = 10 };
typedef struct qp_match {
    qp_str whole;
    qp_str group[QP_MATCH_GROUPS]; /* by number, 0 is the whole; {NULL, 0} where unset */
    const char *mark; /* the last (*MARK:…) on the way, or NULL; lent by the patterns */
} qp_match;
/* Searches valid UTF-8 from offset at (of a character) on. false: no match, no such pattern,
 * or a limit was hit. */
bool qp_pattern_find(qp_patterns *patterns, const char *name, qp_str text, size_t at,
                     qp_match *match);
/* The number of a named group of that pattern, or 0. */
unsigned qp_pattern_group(qp_patterns *patterns, const char *name, const char *group);
/* Runs each `yes` and `no` row; returns how many fail and describes the first in error. */
size_t qp_patterns_selftest(qp_patterns *patterns, char error[256]);

#endif
