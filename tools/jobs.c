/* Work shared by threads. See jobs.h for how. */
#include "config.h"

#include "jobs.h"

#ifdef HAVE_THREADS

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK = 256 * 1024, /* from here on a cut is looked for, as far as a quarter behind */
    CHUNK_MADE = 64 * 1024, /* the same where games are made of it, which wait in memory */
    SWELL = 4 * 16,         /* what is expected of that before anything came */
    HELD = 896 * 1024,      /* for each worker: chunks and what came of them */
    TORN_MAX = 8,       /* chunks in a row that were read in vain, and no more are tried */
    WORKERS_MAX = 256,
};

/* ---- what a worker does ---- */

/* Whether another reader can go on from here. */
static bool take_stand(qp_reader *reader, struct task *task)
{
    return qp_reader_stand(reader, false, &task->stand) &&
           (!task->stand.inside || task->stand.byte == task->until);
}

static void run_task(struct worker *worker, struct task *task)
{
    const struct work *work = worker->jobs->work;
    struct cursor cursor = {.chunk = task->chunk, .end = task->ahead};
    struct input input = task->file->input;
    input.read = cursor_read;
    input.from = &cursor;
    if (work->input)
        work->input(worker->copy, &input);
    struct steps steps = {.record = {.input = &input}, .had_games = !task->first || input.stand};
    steps.record.reader = open_reader(&worker->options, work->context, &input,
                                      task->first ? input.stand : &task->from, task->until);
    bool kept = false; /* a stand to come back to */
    enum step step = steps.record.reader ? STEP_ON : STEP_ENDED;
    task->failed = !steps.record.reader;
    while (step == STEP_ON) {
        if (task->until && cursor_nears_end(&cursor))
            kept = take_stand(steps.record.reader, task);
        step = read_step(&steps, &worker->options, work->record, worker->copy,
                         task->until ? &cursor.torn : NULL);
        if (step == STEP_ON && task->until &&
            qp_reader_past(steps.record.reader, task->until)) {
            kept = take_stand(steps.record.reader, task);
            if (kept)
                break;
        }
    }
    task->useless = step == STEP_VOID && !kept;
    task->ended = step == STEP_ENDED || step == STEP_STOPPED;
    task->failed |= step == STEP_ENDED && steps.status == QP_FATAL;
    qp_reader_close(steps.record.reader);
    struct piece *piece = &task->piece;
    piece->games_read = steps.games;
    work->collect(worker->copy, piece);
    fflush(worker->options.out);
    piece->text_len = worker->text_len;
    piece->text = malloc(piece->text_len + 1);
    if (piece->text) {
        memcpy(piece->text, worker->text, piece->text_len);
        piece->text[piece->text_len] = '\0';
    } else {
        task->useless = true;
    }
    fseek(worker->options.out, 0, SEEK_SET);
}

static void *run_worker(void *user)
{
    struct worker *worker = user;
    struct jobs *jobs = worker->jobs;
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        while (!jobs->ready && !jobs->closing)
            pthread_cond_wait(&jobs->more, &jobs->lock);
        struct task *task = jobs->ready;
        if (!task)
            break;
        jobs->ready = task->next_ready;
        pthread_mutex_unlock(&jobs->lock);
        run_task(worker, task);
        pthread_mutex_lock(&jobs->lock);
        task->done = true;
        if (jobs->awaited == task)
            pthread_cond_signal(&jobs->less);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* ---- tasks ---- */

void free_task(struct jobs *jobs, struct task *task)
{
    struct chunk *chunk = task->chunk, *end = task->ahead;
    for (; chunk; chunk = end) {
        end = chunk == task->ahead ? NULL : chunk->next;
        let_chunk(chunk, &jobs->held);
    }
    let_file(task->file);
    free(task->piece.text);
    free(task->piece.games);
    free(task);
    jobs->task_count--;
}

static bool is_done(struct jobs *jobs, const struct task *task)
{
    pthread_mutex_lock(&jobs->lock);
    bool done = task->done || !task->sent;
    pthread_mutex_unlock(&jobs->lock);
    return done;
}

void empty_garbage(struct jobs *jobs)
{
    for (struct task **at = &jobs->garbage; *at;) {
        struct task *task = *at;
        if (!is_done(jobs, task)) {
            at = &task->next;
            continue;
        }
        *at = task->next;
        free_task(jobs, task);
    }
}

struct task *pop_head(struct jobs *jobs)
{
    struct task *task = jobs->head;
    jobs->head = task->next;
    if (!jobs->head)
        jobs->tail = NULL;
    if (jobs->unsent == task)
        jobs->unsent = task->next;
    task->next = NULL;
    return task;
}

void drop_head(struct jobs *jobs)
{
    struct task *task = pop_head(jobs);
    pthread_mutex_lock(&jobs->lock);
    for (struct task **at = &jobs->ready; *at; at = &(*at)->next_ready) {
        if (*at != task)
            continue;
        *at = task->next_ready;
        task->sent = false;
        if (jobs->ready_tail == task) {
            jobs->ready_tail = jobs->ready;
            while (jobs->ready_tail && jobs->ready_tail->next_ready)
                jobs->ready_tail = jobs->ready_tail->next_ready;
        }
        break;
    }
    pthread_mutex_unlock(&jobs->lock);
    task->next = jobs->garbage;
    jobs->garbage = task;
    empty_garbage(jobs);
}

/* Hands a task to the workers, once what lies ahead of its chunk is there. */
static bool send(struct jobs *jobs, struct task *task)
{
    struct chunk *ahead = task->chunk;
    for (size_t seen = 0; !ahead->last && seen < AHEAD; seen += ahead->len) {
        ahead = ahead->next;
        if (!ahead)
            return false;
    }
    for (struct chunk *chunk = task->chunk; chunk != ahead;) {
        chunk = chunk->next;
        chunk->holders++;
    }
    task->ahead = ahead;
    task->until = task->chunk->last ? 0 : task->chunk->byte + task->chunk->len;
    task->sent = true;
    pthread_mutex_lock(&jobs->lock);
    if (jobs->ready)
        jobs->ready_tail->next_ready = task;
    else
        jobs->ready = task;
    jobs->ready_tail = task;
    pthread_cond_signal(&jobs->more);
    pthread_mutex_unlock(&jobs->lock);
    return true;
}

static void send_all(struct jobs *jobs)
{
    for (; jobs->unsent; jobs->unsent = jobs->unsent->next)
        if (!jobs->unsent->blind && jobs->unsent->chunk && !send(jobs, jobs->unsent))
            return;
}

/* Adds a task to the row; chunk NULL: all that there is to say stands with the file. */
static bool add_task(struct jobs *jobs, struct file *file, struct chunk *chunk, bool first)
{
    struct task *task = calloc(1, sizeof *task);
    if (!task)
        return false;
    task->file = file;
    file->holders++;
    task->chunk = task->ahead = chunk;
    task->first = first;
    if (chunk) {
        chunk->holders++;
        task->blind = !first && jobs->feed.blind;
        task->from = jobs->feed.expect;
        task->from.byte = chunk->byte;
        task->from.line = task->from.games = 0;
    }
    if (jobs->tail)
        jobs->tail->next = task;
    else
        jobs->head = task;
    jobs->tail = task;
    jobs->task_count++;
    if (!jobs->unsent)
        jobs->unsent = task;
    return true;
}

bool feed_more(struct jobs *jobs)
{
    struct feed *feed = &jobs->feed;
    struct chunk *before = feed->tail;
    struct chunk *chunk = next_chunk(feed->input, before, jobs->chunk, &jobs->held);
    if (!chunk || !add_task(jobs, feed->file, chunk, false)) {
        complain_of(jobs->work->options, feed->input->name, "%s", strerror(ENOMEM));
        let_chunk(chunk, &jobs->held);
        return false;
    }
    feed->blind = !cut_chunk(chunk, feed->expect.format, jobs->chunk) ||
                  feed->torn >= TORN_MAX;
    before->next = chunk;
    feed->tail = chunk;
    let_chunk(before, &jobs->held);
    send_all(jobs);
    return true;
}

/* ---- inputs ---- */

/* What the first record leaves behind; false: the input is not read in parts. */
static bool scout(const struct jobs *jobs, struct chunk *chunk, qp_stand *stand)
{
    const struct work *work = jobs->work;
    struct input input = *jobs->feed.input;
    struct cursor cursor = {.chunk = chunk, .end = chunk};
    const qp_game *game;
    input.read = cursor_read;
    input.from = &cursor;
    chunk->len = chunk->filled;
    if (input.stand) {
        *stand = *input.stand;
        return true;
    }
    qp_reader *reader = open_reader(work->options, work->context, &input, NULL, 0);
    qp_status status = reader ? qp_reader_next(reader, &game) : QP_FATAL;
    bool fine = (status == QP_OK || status == QP_BAD) && qp_reader_stand(reader, true, stand);
    qp_reader_close(reader);
    return fine;
}

/* The bytes of a chunk, and what follows it in the input. */
struct rest {
    struct cursor cursor;
    const struct input *input;
};

static ptrdiff_t read_rest(void *user, void *buffer, size_t size)
{
    struct rest *rest = user;
    ptrdiff_t got = cursor_read(&rest->cursor, buffer, size);
    return rest->cursor.torn ? rest->input->read(rest->input->from, buffer, size) : got;
}

/* Reads an input that has been begun in the main thread. */
static void read_alone(struct jobs *jobs, struct chunk *chunk)
{
    const struct work *work = jobs->work;
    put_all(jobs);
    if (jobs->stopped)
        return;
    struct rest rest = {{.chunk = chunk, .end = chunk}, jobs->feed.input};
    struct input input = *jobs->feed.input;
    chunk->len = chunk->filled;
    input.read = read_rest;
    input.from = &rest;
    if (work->begin)
        work->begin(work->user, &input);
    bool fine = read_records(work->options, work->context, &input, work->record, work->user);
    if (!work->end(work->user, &input, fine))
        jobs->stopped = true;
}

/* games is to be looked at, and then gone. */
static void settle(struct jobs *jobs, const uint64_t *games)
{
    while (*games == 0 && jobs->head && !jobs->stopped)
        put_head(jobs, true);
    for (struct task *task = jobs->head; task; task = task->next)
        if (task->file->games == games)
            task->file->games = NULL;
}

static bool lack_memory(struct jobs *jobs, const struct input *input)
{
    complain_of(jobs->work->options, input->name, "%s", strerror(ENOMEM));
    jobs->stopped = true;
    return false;
}

/* Cuts an input that is longer than a chunk. The feed ends before the input does where it was
 * stopped. */
static void feed_all(struct jobs *jobs)
{
    while (jobs->feed.file && !jobs->feed.tail->last && !jobs->stopped) {
        make_room(jobs);
        if (jobs->feed.file && !jobs->feed.tail->last && !jobs->stopped && !feed_more(jobs))
            jobs->stopped = true;
    }
}

static bool take_input(void *user, const struct input *input)
{
    struct jobs *jobs = user;
    struct share share;
    if (input->settle) {
        settle(jobs, input->games);
        return !jobs->stopped;
    }
    if (!share_open(jobs->work->options, jobs->work->context, input, &share))
        return !jobs->stopped;
    input = &share.input;
    make_room(jobs);
    struct file *file = keep_file(input);
    if (!file)
        return lack_memory(jobs, input);
    bool fine = true;
    jobs->feed = (struct feed){.input = input, .file = file};
    struct chunk *chunk = NULL;
    if (!input->finding) {
        chunk = jobs->feed.tail = next_chunk(input, NULL, jobs->chunk, &jobs->held);
        fine = chunk != NULL;
        if (fine && (input->dealt ||
                     (!chunk->last && !scout(jobs, chunk, &jobs->feed.expect)))) {
            read_alone(jobs, chunk);
            let_chunk(chunk, &jobs->held);
            let_file(file);
            jobs->feed = (struct feed){0};
            return !jobs->stopped;
        }
    }
    fine = fine && add_task(jobs, file, chunk, true);
    if (fine && chunk)
        jobs->feed.blind = !cut_chunk(chunk, jobs->feed.expect.format, jobs->chunk);
    send_all(jobs);
    if (fine && chunk)
        feed_all(jobs);
    let_chunk(jobs->feed.tail, &jobs->held);
    let_file(file);
    jobs->feed = (struct feed){0};
    return fine ? !jobs->stopped : lack_memory(jobs, input);
}

/* ---- workers ---- */

static bool open_worker(struct jobs *jobs, struct worker *worker)
{
    const struct work *work = jobs->work;
    worker->jobs = jobs;
    worker->options = *work->options;
    worker->options.part = true;
    worker->options.out = open_memstream(&worker->text, &worker->text_len);
    worker->copy = malloc(work->size);
    if (worker->options.out && worker->copy) {
        memcpy(worker->copy, work->user, work->size);
        if (work->split(worker->copy, &worker->options)) {
            if (pthread_create(&worker->thread, NULL, run_worker, worker) == 0)
                return true;
            if (work->close)
                work->close(worker->copy);
        }
    }
    if (worker->options.out)
        fclose(worker->options.out);
    free(worker->text);
    free(worker->copy);
    return false;
}

static void close_worker(struct worker *worker)
{
    pthread_join(worker->thread, NULL);
    if (worker->jobs->work->close)
        worker->jobs->work->close(worker->copy);
    fclose(worker->options.out);
    free(worker->text);
    free(worker->copy);
}

/* Signals are the main thread's. */
static void open_workers(struct jobs *jobs, size_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (jobs->worker_count < count &&
           open_worker(jobs, &jobs->workers[jobs->worker_count]))
        jobs->worker_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void close_jobs(struct jobs *jobs)
{
    while (jobs->head)
        drop_head(jobs);
    pthread_mutex_lock(&jobs->lock);
    jobs->closing = true;
    pthread_cond_broadcast(&jobs->more);
    pthread_mutex_unlock(&jobs->lock);
    for (size_t i = 0; i < jobs->worker_count; i++)
        close_worker(&jobs->workers[i]);
    empty_garbage(jobs);
    free(jobs->workers);
    pthread_cond_destroy(&jobs->more);
    pthread_cond_destroy(&jobs->less);
    pthread_mutex_destroy(&jobs->lock);
}

static bool skip_input(void *user, const struct input *input)
{
    const struct jobs *jobs = user;
    return jobs->work->skip && jobs->work->skip(jobs->work->user, input);
}

bool read_inputs_jobs(const struct work *work)
{
    struct jobs jobs = {.work = work};
    const char *small = getenv("QIPU_CHUNK");
    jobs.chunk = small ? strtoul(small, NULL, 10) : 0;
    if (jobs.chunk < 256 || jobs.chunk > CHUNK)
        jobs.chunk = work->game ? CHUNK_MADE : CHUNK;
    jobs.swell = work->game ? SWELL : 0;
    long count = work->options->jobs;
    if (count == 0)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        count = 1;
    if (count > WORKERS_MAX)
        count = WORKERS_MAX;
    jobs.workers = calloc((size_t)count, sizeof *jobs.workers);
    if (!jobs.workers) {
        complain(work->options, "%s", strerror(ENOMEM));
        return false;
    }
    pthread_mutex_init(&jobs.lock, NULL);
    pthread_cond_init(&jobs.more, NULL);
    pthread_cond_init(&jobs.less, NULL);
    open_workers(&jobs, (size_t)count);
    jobs.held_max = (jobs.worker_count + 1) * HELD;
    bool fine = jobs.worker_count > 0;
    if (!fine)
        complain(work->options, "no thread could be started");
    fine = fine && inputs_each(work->options, take_input, skip_input, &jobs);
    put_all(&jobs);
    close_jobs(&jobs);
    return fine;
}

#endif
