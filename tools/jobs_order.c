/* What workers made, put in order: the pieces of a file one behind the other, each only where
 * the one before it left off; where a cut was wrong, the main thread reads on. See jobs.h. */
#include "config.h"

#include "jobs.h"

#ifdef HAVE_THREADS

#include <errno.h>

enum {
    SMALL = 32,          /* small files in work for each worker */
    SWELL_MAX = 16 * 64, /* see jobs.swell */
};

void end_file(struct jobs *jobs, const struct file *file, bool fine)
{
    while (jobs->head && jobs->head->file == file)
        drop_head(jobs);
    if (jobs->feed.file == file)
        jobs->feed.file = NULL;
    if (!jobs->work->end(jobs->work->user, &file->input, fine))
        jobs->stopped = true;
}

/* How the main thread reads on: chunk after chunk, and what has not been read yet. */
struct follower {
    struct jobs *jobs;
    const struct file *file;
    struct cursor cursor;
};

static ptrdiff_t follow(void *user, void *buffer, size_t size)
{
    struct follower *follower = user;
    struct jobs *jobs = follower->jobs;
    struct cursor *cursor = &follower->cursor;
    while (cursor->at == cursor->chunk->len && !cursor->chunk->last) {
        struct chunk *chunk = cursor->chunk;
        if (!chunk->next) {
            while (jobs->held > jobs->held_max && jobs->head)
                drop_head(jobs);
            if (jobs->feed.file != follower->file || !feed_more(jobs)) {
                errno = ENOMEM;
                return -1;
            }
        }
        cursor->chunk = chunk->next;
        cursor->chunk->holders++;
        cursor->at = 0;
        let_chunk(chunk, &jobs->held);
    }
    cursor->end = cursor->chunk;
    return cursor_read(cursor, buffer, size);
}

/* Whether the reader has come to where a task began. Tasks that begin where no record does,
 * or with another state, are dropped. */
static bool meets_task(struct jobs *jobs, qp_reader *reader, const struct file *file)
{
    while (jobs->head && jobs->head->file == file &&
           qp_reader_past(reader, jobs->head->from.byte)) {
        qp_stand stand;
        if (!qp_reader_stand(reader, false, &stand))
            return false;
        if (!jobs->head->blind && qp_stand_same(&stand, &jobs->head->from)) {
            jobs->base = (struct base){stand.games, stand.line};
            jobs->feed.torn = 0;
            return true;
        }
        if (jobs->feed.file == file) {
            jobs->feed.expect.carried = stand.carried;
            jobs->feed.torn++;
        }
        drop_head(jobs);
    }
    return false;
}

void catch_up(struct jobs *jobs, const struct task *task, const qp_stand *stand)
{
    const struct work *work = jobs->work;
    struct follower follower = {.jobs = jobs, .file = task->file};
    struct cursor *cursor = &follower.cursor;
    cursor->chunk = task->chunk;
    while (stand && stand->byte >= cursor->chunk->byte + cursor->chunk->len &&
           cursor->chunk != task->ahead)
        cursor->chunk = cursor->chunk->next;
    cursor->at = stand ? (size_t)(stand->byte - cursor->chunk->byte) : 0;
    cursor->chunk->holders++;
    struct input input = task->file->input;
    input.read = follow;
    input.from = &follower;
    input.games = task->file->games;
    struct steps steps = {.record = {.input = &input}, .had_games = stand != NULL};
    struct options options = *work->options;
    options.pass_sound = false; /* each record may be where it meets a task */
    steps.record.reader = open_reader(&options, work->context, &input, stand, 0);
    enum step step = steps.record.reader ? STEP_ON : STEP_ENDED;
    bool met = false;
    while (step == STEP_ON && !met) {
        step = read_step(&steps, work->options, work->record, work->user, NULL);
        met = step == STEP_ON && meets_task(jobs, steps.record.reader, task->file);
    }
    bool fine = steps.record.reader && steps.status != QP_FATAL;
    qp_reader_close(steps.record.reader);
    let_chunk(cursor->chunk, &jobs->held);
    if (!met)
        end_file(jobs, task->file, fine);
}

static void put_finding(struct jobs *jobs, const struct file *file)
{
    const struct work *work = jobs->work;
    read_records(work->options, work->context, &file->input, work->record, work->user);
    end_file(jobs, file, true);
}

/* What came of a chunk is the best guess at what will come of the next ones. */
static void learn_swell(struct jobs *jobs, const struct task *task)
{
    size_t came = task->piece.text_len + task->piece.games_len;
    size_t swell = came / (task->chunk->len / 16 + 1);
    if (swell > SWELL_MAX)
        swell = SWELL_MAX;
    jobs->swell = swell > jobs->swell ? swell : (3 * jobs->swell + swell) / 4;
}

/* Puts what came of a task that is done, and sees to it that the next one goes on from it. */
static void put_task(struct jobs *jobs, struct task *task)
{
    const struct work *work = jobs->work;
    struct file *file = task->file;
    if (task->first) {
        jobs->base = (struct base){0, 0};
        if (work->begin)
            work->begin(work->user, &file->input);
    }
    if (!task->chunk) {
        put_finding(jobs, file);
        return;
    }
    if (task->useless) {
        qp_stand from = task->from;
        from.games = jobs->base.games;
        from.line = jobs->base.lines;
        catch_up(jobs, task, task->first ? file->input.stand : &from);
        return;
    }
    learn_swell(jobs, task);
    bool go_on = piece_put(work, &task->piece, &jobs->base);
    progress_games(task->piece.games_read);
    if (file->games)
        *file->games += task->piece.games_read;
    if (!go_on || task->ended) {
        end_file(jobs, file, !task->failed);
        return;
    }
    jobs->base.games += task->stand.games;
    jobs->base.lines += task->stand.line;
    const struct task *next = jobs->head;
    if (next && next->file == file && !next->blind && qp_stand_same(&task->stand, &next->from))
        return;
    qp_stand stand = task->stand;
    stand.games = jobs->base.games;
    stand.line = jobs->base.lines;
    catch_up(jobs, task, &stand);
}

bool put_head(struct jobs *jobs, bool wait)
{
    struct task *task = jobs->head;
    pthread_mutex_lock(&jobs->lock);
    jobs->awaited = wait ? task : NULL;
    while (wait && task->sent && !task->done)
        pthread_cond_wait(&jobs->less, &jobs->lock);
    jobs->awaited = NULL;
    bool done = task->done || !task->chunk;
    pthread_mutex_unlock(&jobs->lock);
    if (!done)
        return false;
    pop_head(jobs);
    put_task(jobs, task);
    free_task(jobs, task);
    empty_garbage(jobs);
    return true;
}

void put_all(struct jobs *jobs)
{
    while (jobs->head && !jobs->stopped)
        put_head(jobs, true);
}

/* Whether what is held, and what is still to come of it, is as much as may be. */
static bool is_full(const struct jobs *jobs)
{
    size_t read = jobs->held > AHEAD ? jobs->held - AHEAD : 0; /* by workers, now or before long */
    return jobs->held + read / 16 * jobs->swell >= jobs->held_max ||
           jobs->task_count >= SMALL * jobs->worker_count;
}

void make_room(struct jobs *jobs)
{
    while (jobs->head && !jobs->stopped && put_head(jobs, false))
        ;
    while (jobs->head && jobs->head->sent && !jobs->stopped &&
           is_full(jobs))
        put_head(jobs, true);
}

#endif
