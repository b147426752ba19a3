/* The binary records of QIPU_SHARED/corpora/binary: each file's main lines stand beside it,
 * its counts and the checksum of its trees in MANIFEST.tsv. Without QIPU_SHARED nothing is
 * tested. */
#ifndef QP_TEST_CORPUS_H
#define QP_TEST_CORPUS_H

#include "canonical.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline char *corpus_file(const char *name, size_t *len)
{
    char path[1024];
    const char *shared = getenv("QIPU_SHARED");
    snprintf(path, sizeof path, "%s/corpora/binary/%s", shared != NULL ? shared : "", name);
    FILE *file = shared != NULL && *shared != '\0' ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return NULL;
    qp_buf text = {0};
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) != 0;)
        qp_buf_add(&text, block, n);
    fclose(file);
    *len = text.len;
    qp_buf_add_char(&text, '\0');
    return text.data;
}

enum { CORPUS_GAMES = 8, CORPUS_PLIES, CORPUS_VARIATIONS, CORPUS_NODES, CORPUS_COMMENTS,
       CORPUS_TREE = 15, CORPUS_FIELDS };

/* The fields of a file's row in MANIFEST.tsv, cut in place. */
static inline bool corpus_row(char *manifest, const char *name, char *field[CORPUS_FIELDS])
{
    size_t len = strlen(name);
    for (char *line = manifest; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (strncmp(line, name, len) == 0 && line[len] == '\t') {
            if (end != NULL)
                *end = '\0';
            for (int i = 0; i < CORPUS_FIELDS; i++) {
                field[i] = line;
                line = strchr(line, '\t');
                if (line == NULL)
                    return i + 1 == CORPUS_FIELDS;
                *line++ = '\0';
            }
            return true;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return false;
}

static inline void corpus_main_line(qp_buf *out, const qp_game *game)
{
    char text[QP_FEN_MAX];
    qp_buf_add(out, text, qp_fen_write(&game->start, text));
    char mark = '\t';
    for (const qp_node *n = game->first; n != NULL; n = n->next, mark = ' ') {
        qp_move_text(n->move, text);
        qp_buf_add_char(out, mark);
        qp_buf_add(out, text, 4);
    }
    qp_buf_add_text(out, game->first == NULL ? "\t\n" : "\n");
}

/* Reads a file by its content and compares all that is known of it. */
static inline void corpus_check(const char *name)
{
    char lines_name[256], digest[65], *field[CORPUS_FIELDS], path[1024];
    size_t len, lines_len;
    snprintf(lines_name, sizeof lines_name, "%s.iccs", name);
    char *lines = corpus_file(lines_name, &lines_len);
    char *manifest = corpus_file("MANIFEST.tsv", &len);
    if (lines == NULL || manifest == NULL) {
        free(lines);
        free(manifest);
        return;
    }
    cr_assert(corpus_row(manifest, name, field), "%s: no row", name);
    snprintf(path, sizeof path, "%s/corpora/binary/%s", getenv("QIPU_SHARED"), name);
    int fd = open(path, O_RDONLY);
    cr_assert_geq(fd, 0, "%s", path);
    qp_context *context = qp_context_new();
    qp_reader *reader = qp_reader_open(context, qp_read_fd, &fd, NULL);
    const qp_game *game;
    qp_status status;
    qp_buf tree = {0}, made = {0};
    long games = 0, plies = 0, variations = 0, nodes = 0, comments = 0;
    while ((status = qp_reader_next(reader, &game)) == QP_OK || status == QP_BAD) {
        cr_expect_eq(status, QP_OK, "%s: game %ld is damaged", name, games + 1);
        if (games++ != 0)
            qp_buf_add_char(&tree, '\n');
        canonical_tree(&tree, game);
        corpus_main_line(&made, game);
        plies += game->line_plies;
        variations += game->variations;
        nodes += game->nodes;
        comments += game->comment_places;
    }
    cr_expect_eq(games, atol(field[CORPUS_GAMES]), "%s: %ld games", name, games);
    cr_expect_eq(plies, atol(field[CORPUS_PLIES]), "%s: %ld plies", name, plies);
    cr_expect_eq(variations, atol(field[CORPUS_VARIATIONS]), "%s: %ld variations", name,
                 variations);
    cr_expect_eq(nodes, atol(field[CORPUS_NODES]), "%s: %ld nodes", name, nodes);
    cr_expect_eq(comments, atol(field[CORPUS_COMMENTS]), "%s: %ld comments", name, comments);
    sha256(tree.data != NULL ? tree.data : "", tree.len, digest);
    cr_expect_str_eq(digest, field[CORPUS_TREE], "%s: another tree", name);
    cr_expect(made.len == lines_len && memcmp(made.data, lines, made.len) == 0,
              "%s: other main lines", name);
    qp_reader_close(reader);
    qp_context_free(context);
    close(fd);
    qp_buf_clear(&tree);
    qp_buf_clear(&made);
    free(lines);
    free(manifest);
}

#endif
