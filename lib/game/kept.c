/* What a record's replay keeps from game to game: room, tracks, and what of a game was followed. */
#include "config.h"

#include "game/replay.h"

#include <stdlib.h>

bool qp_frames_grow(struct qp_replay_kept *kept)
{
    size_t room = kept->room ? kept->room * 2 : 16;
    qp_frame *frames = realloc(kept->frames, room * sizeof *frames);
    if (frames == NULL)
        return false;
    kept->frames = frames;
    qp_track *tracks = realloc(kept->tracks, room * sizeof *tracks);
    if (tracks == NULL)
        return false;
    kept->tracks = tracks;
    kept->room = room;
    return true;
}

struct qp_replay_kept *qp_kept_of(qp_record *record)
{
    struct qp_replay_kept *kept = record->kept;
    if (kept == NULL) {
        kept = record->kept = calloc(1, sizeof *kept);
        for (size_t i = 0; kept != NULL && i < QP_COUNT(kept->keys); i++)
            kept->keys[i] = (uint32_t)(QP_MIX(i) >> 32);
    }
    return kept != NULL && (kept->room != 0 || qp_frames_grow(kept)) ? kept : NULL;
}

void qp_replay_forget(qp_record *record)
{
    if (record->kept == NULL)
        return;
    free(record->kept->frames);
    free(record->kept->tracks);
    free(record->kept->paces);
    qp_rounds_forget(record->kept->rounds);
    qp_passed_free(record->kept);
    free(record->kept);
    record->kept = NULL;
}

void qp_replay_rest(qp_record *record)
{
    struct qp_replay_kept *kept = record->kept;
    if (kept == NULL || kept->room <= QP_REST_ROOM / sizeof *kept->tracks)
        return;
    free(kept->frames);
    free(kept->tracks);
    kept->frames = NULL;
    kept->tracks = NULL;
    kept->room = 0;
}

bool qp_kept_track(struct qp_replay_kept *kept, qp_track *track, const qp_board *board)
{
    qp_board start;
    qp_board_start(&start);
    if (memcmp(board->at, start.at, sizeof start.at) != 0)
        return qp_track_set(track, board);
    if (!kept->start_known)
        kept->start_known = qp_track_set(&kept->start, &start);
    *track = kept->start;
    return true;
}

bool qp_paces_begin(struct qp_replay_kept *kept)
{
    kept->paces = calloc(QP_SQUARES << 7, sizeof *kept->paces);
    return kept->paces != NULL;
}

bool qp_quiet_thrice(const struct qp_quiet *q, const struct qp_replay_kept *kept)
{
    uint32_t long_ago = q->number - q->since, before = 0;
    if (long_ago >= QP_TRAIL) /* too far to look back */
        return true;
    for (uint32_t back = 2; back <= long_ago && before < 2; back += 2) /* the same side's turn */
        before += kept->trail[(q->number - back) % QP_TRAIL] == q->key;
    return before == 2;
}
