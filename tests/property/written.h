/* For tests that read what was written: invented games as a file. */
#ifndef QP_WRITTEN_H
#define QP_WRITTEN_H

#include "gen/gen.h"
#include "unit/show.h"

#include <criterion/criterion.h>

/* Appends games of seeds from the first on, one after the other, whose kinds come in turn. notation,
 * encoding: NULL for the usual ones. */
static inline void write_games(const qp_context *context, const char *format,
                               const char *notation, const char *encoding,
                               const gen_options *kinds, size_t kind_count, uint64_t seed,
                               unsigned count, qp_buf *out)
{
    static gen_player player;
    qp_writer_options options = {.format = format,
                                 .notation = notation != NULL
                                                 ? qp_notation_find(context, notation)
                                                 : NULL,
                                 .encoding = encoding};
    qp_writer *writer = qp_writer_open(context, buf_write, out, &options);
    qp_arena arena;
    if (player.worth[QP_PIECE(QP_RED, QP_ROOK)][0] == 0)
        gen_player_init(&player);
    qp_arena_init(&arena);
    for (unsigned i = 0; i < count; i++) {
        qp_game game;
        qp_arena_rewind(&arena);
        cr_assert(gen_game(&player, seed + i, &kinds[i % kind_count], &arena, &game));
        qp_writer_put(writer, &game);
    }
    qp_arena_clear(&arena);
    qp_writer_close(writer);
}

/* Reads one record as it stands at the beginning of the bytes; what follows can be read from
 * there with all that the first told of the file. */
static inline void first_stand(const qp_context *context, qp_str bytes, qp_stand *stand)
{
    memory m = {.data = bytes.data, .len = bytes.len};
    const qp_game *game;
    qp_reader *reader = qp_reader_open(context, memory_read, &m, NULL);
    cr_assert_eq(qp_reader_next(reader, &game), QP_OK);
    cr_assert(qp_reader_stand(reader, false, stand));
    qp_reader_close(reader);
}

#endif
