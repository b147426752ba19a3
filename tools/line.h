/* A line that is put together in memory and handed on as a whole: what is said of each of many
 * games. What is longer than its room is handed on in pieces. */
#ifndef QIPU_LINE_H
#define QIPU_LINE_H

#include "common.h"

#include <string.h>

struct line {
    FILE *out;
    size_t len;
    char text[1024];
};

static inline void line_begin(struct line *line, FILE *out)
{
    line->out = out;
    line->len = 0;
}

/* Hands on what there is; to be called at the end, and before anything else writes to out. */
static inline void line_end(struct line *line)
{
    fwrite(line->text, 1, line->len, line->out);
    line->len = 0;
}

static inline void line_add(struct line *line, const char *text, size_t len)
{
    if (len > sizeof line->text - line->len)
        line_end(line);
    if (len > sizeof line->text) {
        fwrite(text, 1, len, line->out);
        return;
    }
    memcpy(line->text + line->len, text, len);
    line->len += len;
}

static inline void line_text(struct line *line, const char *text)
{
    line_add(line, text, strlen(text));
}

/* As wide at the least as said. */
void line_number(struct line *line, unsigned width, uint32_t number);
/* The number of a game: put_game_number. */
void line_game(struct line *line, const struct options *options, unsigned width,
               uint32_t number);
/* As put_visible, json_string and json_file write it. */
void line_visible(struct line *line, const char *text, size_t len);
void line_json(struct line *line, qp_str text);
void line_json_file(struct line *line, const char *file);

#endif
