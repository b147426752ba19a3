/* Archives and compressed files, through libarchive: each member is read in a stream, as
 * an input named ARCHIVE!MEMBER, and never unpacked to disk; an archive in one is read so too,
 * ARCHIVE!ARCHIVE!MEMBER. What reading one may cost is bounded, and member names never become
 * paths but by their last part. */
#include "config.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what it is ---- */

/* Whether the block is a header of tar: its own sum of bytes stands in it, in octal. */
static bool is_tar(const unsigned char *p, size_t n)
{
    enum { SUM_AT = 148, SUM_LEN = 8 };
    unsigned long sum = 0, stated = 0;
    bool digits = false;
    if (n < HEAD || p[0] == 0)
        return false;
    for (size_t i = SUM_AT; i < SUM_AT + SUM_LEN; i++) {
        if (p[i] >= '0' && p[i] <= '7') {
            stated = stated * 8 + (p[i] - '0');
            digits = true;
        } else if (p[i] != ' ' || digits) {
            break;
        }
    }
    for (size_t i = 0; digits && i < HEAD; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : p[i];
    return digits && sum == stated;
}

const char *archive_kind(const struct stream *stream)
{
    static const struct {
        const char *kind, *bytes;
        size_t len;
    } marks[] = {
        {"zip", "PK\3\4", 4},
        {"zip", "PK\5\6", 4}, /* without members */
        {"7z", "7z\xBC\xAF\x27\x1C", 6},
        {"gzip", "\x1F\x8B\x08", 3},
        {"xz", "\xFD\x37zXZ\0", 6},
        {"zstd", "\x28\xB5\x2F\xFD", 4},
    };
    const unsigned char *head = stream->head;
    size_t len = stream->head_len;
    for (size_t i = 0; i < COUNT(marks); i++)
        if (len > marks[i].len && memcmp(head, marks[i].bytes, marks[i].len) == 0)
            return marks[i].kind;
    if (len > 10 && memcmp(head, "BZh", 3) == 0 && memcmp(head + 4, "1AY&SY", 6) == 0)
        return "bzip2";
    return is_tar(head, len) ? "tar" : NULL;
}

ptrdiff_t stream_read(void *user, void *buffer, size_t size)
{
    struct stream *stream = user;
    size_t left = stream->head_len - stream->head_at;
    if (left == 0 && stream->whole)
        return 0;
    if (left == 0 && stream->inner)
        return stream->inner(stream->from, buffer, size);
    if (left == 0) {
        ptrdiff_t got = qp_read_fd(&stream->fd, buffer, size);
        progress_bytes(got > 0 ? (size_t)got : 0);
        return got;
    }
    if (left > size)
        left = size;
    progress_bytes(stream->inner ? 0 : left);
    memcpy(buffer, stream->head + stream->head_at, left);
    stream->head_at += left;
    return (ptrdiff_t)left;
}

/* Hands on a finding about an input as a whole, in place of what it holds. */
static bool say(const struct input *about, qp_code code, const char *text, input_fn run,
                void *user)
{
    qp_finding finding = {
        .code = code,
        .severity = qp_code_severity(code),
        .message = {text, strlen(text)},
    };
    struct input input = *about;
    input.finding = &finding;
    return run(user, &input);
}

/* There is no libarchive to read it with. */
static bool is_missing(const struct options *options, const struct input *archive,
                       const struct stream *stream, input_fn run, void *user)
{
    char text[80];
    if (archive->walked && options->verbosity <= 0)
        return true;
    snprintf(text, sizeof text, "a %s file, and there is no libarchive to read it with",
             archive_kind(stream));
    return say(archive, QP_D_format_unsupported, text, run, user);
}

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <iconv.h>
#include <locale.h>

/* libarchive, loaded with the first archive under the name that configure found, or as it was
 * linked (--disable-lazy). */
#define FUNCTIONS(X)                                                                       \
    X(archive_read_new) \
    X(archive_read_free) \
    X(archive_read_support_filter_gzip) \
    X(archive_read_support_filter_xz) \
    X(archive_read_support_filter_zstd) \
    X(archive_read_support_filter_bzip2) \
    X(archive_read_support_format_zip) \
    X(archive_read_support_format_tar) \
    X(archive_read_support_format_7zip) \
    X(archive_read_support_format_raw) \
    X(archive_read_set_read_callback) \
    X(archive_read_set_seek_callback) \
    X(archive_read_set_callback_data) \
    X(archive_read_open1) \
    X(archive_read_open_memory) \
    X(archive_read_next_header) \
    X(archive_read_data) \
    X(archive_filter_bytes) \
    X(archive_filter_count) \
    X(archive_format) \
    X(archive_set_error) \
    X(archive_error_string) \
    X(archive_entry_pathname) \
    X(archive_entry_filetype) \
    X(archive_entry_size) \
    X(archive_entry_size_is_set)

static struct {
    bool loaded;
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} la;

#ifdef LIBARCHIVE_SONAME

#include <dlfcn.h>

static bool load(void)
{
    void *file = la.loaded ? NULL : dlopen(LIBARCHIVE_SONAME, RTLD_LAZY | RTLD_LOCAL);
    bool whole = file != NULL;
#define GET(name)                                                                          \
    if (whole)                                                                             \
        whole = (*(void **)&la.name = dlsym(file, #name)) != NULL;
    FUNCTIONS(GET)
#undef GET
    la.loaded |= whole;
    return la.loaded;
}

#else

static bool load(void)
{
#define GET(name) la.name = name;
    FUNCTIONS(GET)
#undef GET
    return la.loaded = true;
}

#endif

/* Some members hold little but blanks and compress well; past the first bytes no record
 * does better than this. */
#define RATIO_FREE ((uint64_t)64 << 20)
#define RATIO_MAX 500
#ifndef TOTAL_MAX /* the tests have a program with a smaller one */
#define TOTAL_MAX ((uint64_t)16 << 30)
#endif
/* Archives in archives are looked into so deep. */
#define NESTED_MAX 3
/* A 7z that cannot be searched, as from a pipe, is kept in memory up to here. */
#define KEPT_MAX ((size_t)256 << 20)

struct members {
    struct members *outer; /* of the archive that this one is a member of */
    unsigned depth;
    const struct options *options;
    const struct input *archive;
    struct stream *stream;
    struct archive *handle;
    uint64_t total; /* bytes that came out, of archives in it too */
    unsigned char *kept; /* its bytes, where they cannot be searched otherwise */
    uint64_t games, count;
    locale_t locale; /* in which libarchive can say names in UTF-8 */
    bool said;       /* why nothing is read */
    bool over;       /* a limit was reached */
    bool failed;     /* the member at hand cannot be read to its end */
    char buffer[64 * 1024];
};

/* ---- bytes in and out ---- */

static la_ssize_t read_archive(struct archive *handle, void *user, const void **buffer)
{
    struct members *m = user;
    ptrdiff_t got = stream_read(m->stream, m->buffer, sizeof m->buffer);
    if (got < 0)
        la.archive_set_error(handle, errno, "%s", strerror(errno));
    *buffer = m->buffer;
    return got;
}

static la_int64_t seek_archive(struct archive *handle, void *user, la_int64_t offset,
                               int whence)
{
    struct members *m = user;
    off_t at = lseek(m->stream->fd, (off_t)offset, whence);
    if (at < 0)
        la.archive_set_error(handle, errno, "%s", strerror(errno));
    return at < 0 ? ARCHIVE_FATAL : (la_int64_t)at;
}

/* Whether a limit was reached, here or around. */
static bool count_bytes(struct members *m, uint64_t got)
{
    bool over = false;
    for (; m; m = m->outer) {
        m->total += got;
        uint64_t in = (uint64_t)la.archive_filter_bytes(m->handle, -1);
        m->over |=
            m->total > TOTAL_MAX || (m->total > RATIO_FREE && m->total / RATIO_MAX > in);
        over |= m->over;
    }
    return over;
}

/* A qp_read_fn. What fails ends the member; it is said behind it. */
static ptrdiff_t read_member(void *user, void *buffer, size_t size)
{
    struct members *m = user;
    if (m->over || m->failed)
        return 0;
    la_ssize_t got;
    do {
        got = la.archive_read_data(m->handle, buffer, size);
    } while (got == ARCHIVE_RETRY);
    if (got < 0) {
        m->failed = true;
        return 0;
    }
    m->over |= count_bytes(m, (uint64_t)got);
    return got;
}

/* ---- names ---- */

static bool is_utf8(const char *text)
{
    iconv_t check = iconv_open("UTF-32LE", "UTF-8");
    char *from = (char *)text, out[256];
    size_t left = strlen(text);
    bool fine = check != (iconv_t)-1;
    while (fine && left > 0) {
        char *to = out;
        size_t room = sizeof out;
        fine = iconv(check, &from, &left, &to, &room) != (size_t)-1 || errno == E2BIG;
    }
    if (check != (iconv_t)-1)
        iconv_close(check);
    return fine;
}

/* "ARCHIVE!NAME". A name that is no UTF-8 and can be GB18030 is taken for that: archives
 * of Windows in Chinese do not say what they are in. NULL where memory ran out. */
static char *member_name(const char *archive, const char *name)
{
    size_t before = strlen(archive) + 1, left = strlen(name), room = left * 4;
    char *whole = malloc(before + room + 1);
    if (!whole)
        return NULL;
    memcpy(whole, archive, before - 1);
    whole[before - 1] = '!';
    iconv_t decode = (iconv_t)-1;
    if (!is_utf8(name))
        decode = iconv_open("UTF-8", "GB18030");
    if (decode != (iconv_t)-1) {
        char *from = (char *)name, *to = whole + before;
        bool fine = iconv(decode, &from, &left, &to, &room) != (size_t)-1;
        iconv_close(decode);
        if (fine) {
            *to = '\0';
            return whole;
        }
    }
    strcpy(whole + before, name);
    return whole;
}

/* The one member of a compressed file: its name without the suffix of the compression. */
static char *single_name(const struct input *input)
{
    const char *archive = input->member ? input->member : input->name;
    const char *slash = strrchr(archive, '/'), *base = slash ? slash + 1 : archive;
    char *name = strdup(strcmp(base, "-") == 0 ? "data" : base);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

/* Without "./" in front; NULL where a part begins with a dot, as in a walk. */
static const char *shown_name(const char *name)
{
    while (name[0] == '.' && name[1] == '/')
        name += 2;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (*part == '.' && strncmp(part, "../", 3) != 0)
            return NULL;
    }
    return *name ? name : NULL;
}

/* ---- members ---- */

static bool fail_member(struct members *m, const struct input *about, input_fn run,
                        void *user)
{
    m->said = true;
    const char *why = la.archive_error_string(m->handle);
    char text[256];
    snprintf(text, sizeof text, "cannot be read to its end: %s",
             why ? why : "unknown reason");
    return say(about, QP_D_file_corrupt, text, run, user);
}

static bool each_member(const struct options *options, const struct input *archive,
                        struct stream *stream, struct members *outer, input_fn run, void *user);

static bool run_member(struct members *m, const char *name, struct archive_entry *entry,
                       input_fn run, void *user)
{
    char *whole = member_name(m->archive->name, name);
    if (!whole) {
        complain_of(m->options, m->archive->name, "%s", strerror(ENOMEM));
        return false;
    }
    struct input input = *m->archive;
    input.name = whole;
    input.member = whole + strlen(m->archive->name) + 1;
    input.size = la.archive_entry_size_is_set(entry) ? (off_t)la.archive_entry_size(entry) : -1;
    input.walked = true;
    input.games = &m->games;
    m->failed = false;
    unsigned char head[HEAD];
    struct stream stream = {.fd = -1, .inner = read_member, .from = m, .head = head};
    input.read = stream_read;
    input.from = &stream;
    ptrdiff_t got = 1;
    while (got > 0 && stream.head_len < sizeof head) {
        got = read_member(m, head + stream.head_len, sizeof head - stream.head_len);
        stream.head_len += got > 0 ? (size_t)got : 0;
    }
    bool go_on;
    if (archive_kind(&stream) && m->depth >= NESTED_MAX) {
        go_on = say(&input, QP_D_file_limit, "an archive too deep in others: it is not read",
                    run, user);
    } else if (archive_kind(&stream)) {
        go_on = each_member(m->options, &input, &stream, m, run, user);
    } else {
        progress_file();
        go_on = run(user, &input);
    }
    if (go_on && m->failed)
        go_on = fail_member(m, &input, run, user);
    free(whole);
    return go_on;
}

/* One step; false ends the walk, *more is set where another member may follow. */
static bool next_member(struct members *m, input_fn run, void *user, bool *more)
{
    struct archive_entry *entry;
    int status;
    locale_t before = m->locale ? uselocale(m->locale) : (locale_t)0;
    *more = false;
    do {
        status = la.archive_read_next_header(m->handle, &entry);
    } while (status == ARCHIVE_RETRY);
    bool header = status == ARCHIVE_OK || status == ARCHIVE_WARN;
    const char *name = header ? la.archive_entry_pathname(entry) : NULL;
    if (before)
        uselocale(before);
    if (status == ARCHIVE_EOF)
        return true;
    if (!header)
        return fail_member(m, m->archive, run, user);
    m->count++;
    if (la.archive_format(m->handle) == ARCHIVE_FORMAT_RAW) {
        m->said = la.archive_filter_count(m->handle) <= 1;
        if (m->said)
            return say(m->archive, QP_D_file_corrupt,
                       "begins like an archive and is none", run, user);
        *more = true;
        char *own = single_name(m->archive);
        bool go_on = run_member(m, own ? own : "data", entry, run, user);
        free(own);
        return go_on;
    }
    *more = true;
    if (la.archive_entry_filetype(entry) != AE_IFREG)
        return true;
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)m->count);
    name = name ? shown_name(name) : number;
    return !name || run_member(m, name, entry, run, user);
}

static struct archive *open_archive(struct members *m)
{
    struct archive *handle = la.archive_read_new();
    if (!handle)
        return NULL;
    la.archive_read_support_filter_gzip(handle);
    la.archive_read_support_filter_xz(handle);
    la.archive_read_support_filter_zstd(handle);
    la.archive_read_support_filter_bzip2(handle);
    la.archive_read_support_format_zip(handle);
    la.archive_read_support_format_tar(handle);
    /* It has to be searched: one in a compressed file is that file's member. */
    if (strcmp(archive_kind(m->stream), "7z") == 0)
        la.archive_read_support_format_7zip(handle);
    la.archive_read_support_format_raw(handle);
    la.archive_read_set_read_callback(handle, read_archive);
    if (m->stream->regular)
        la.archive_read_set_seek_callback(handle, seek_archive);
    la.archive_read_set_callback_data(handle, m);
    return handle;
}

/* All bytes of a stream that cannot be searched, for a kind of archive whose end says where its
 * members are. false: there are too many, which has been said. */
static bool keep_all(struct members *m, size_t *len, input_fn run, void *user, bool *go_on)
{
    size_t room = 0;
    ptrdiff_t got = 1;
    for (*len = 0; got > 0; *len += got > 0 ? (size_t)got : 0) {
        if (*len == room) {
            room = room ? room * 2 : sizeof m->buffer;
            unsigned char *grown = room <= KEPT_MAX ? realloc(m->kept, room) : NULL;
            if (!grown) {
                m->said = true;
                *go_on = say(m->archive, QP_D_file_limit,
                             "an archive of this kind and size can be read from a file alone",
                             run, user);
                return false;
            }
            m->kept = grown;
        }
        got = stream_read(m->stream, m->kept + *len, room - *len);
    }
    return true;
}

/* false: nothing can be read, which has been said. */
static bool begin_archive(struct members *m, input_fn run, void *user, bool *go_on)
{
    int status;
    if (!m->stream->regular && strcmp(archive_kind(m->stream), "7z") == 0) {
        size_t len;
        if (!keep_all(m, &len, run, user, go_on))
            return false;
        status = la.archive_read_open_memory(m->handle, m->kept, len);
    } else {
        status = la.archive_read_open1(m->handle);
    }
    if (status != ARCHIVE_OK)
        *go_on = fail_member(m, m->archive, run, user);
    return status == ARCHIVE_OK;
}

static bool each_member(const struct options *options, const struct input *archive,
                        struct stream *stream, struct members *outer, input_fn run, void *user)
{
    struct members *m = calloc(1, sizeof *m);
    bool go_on = true;
    if (m) {
        *m = (struct members){.options = options,
                              .archive = archive,
                              .stream = stream,
                              .outer = outer,
                              .depth = outer ? outer->depth + 1 : 0};
        m->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
        if (!m->locale)
            m->locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
        m->handle = open_archive(m);
    }
    if (!m || !m->handle) {
        complain_of(options, archive->name, "%s", strerror(ENOMEM));
        free(m);
        return false;
    }
    bool more = begin_archive(m, run, user, &go_on);
    while (go_on && more && !m->over)
        go_on = next_member(m, run, user, &more);
    if (go_on && m->over && !(outer && outer->over))
        go_on = say(archive, QP_D_file_limit,
                    "more comes out than archives of records hold: the rest is not read",
                    run, user);
    const struct input settle = {.name = archive->name, .games = &m->games, .settle = true};
    if (go_on)
        go_on = run(user, &settle);
    if (go_on && !m->over && m->games == 0 && !archive->walked && !m->said)
        go_on = say(archive, QP_D_no_game,
                    "nothing in the archive is a record of Xiangqi", run, user);
    if (archive->games)
        *archive->games += m->games;
    la.archive_read_free(m->handle);
    if (m->locale)
        freelocale(m->locale);
    free(m->kept);
    free(m);
    return go_on;
}

bool archive_each(const struct options *options, const struct input *archive,
                  struct stream *stream, input_fn run, void *user)
{
    if (!load())
        return is_missing(options, archive, stream, run, user);
    return each_member(options, archive, stream, NULL, run, user);
}

#else

bool archive_each(const struct options *options, const struct input *archive,
                  struct stream *stream, input_fn run, void *user)
{
    return is_missing(options, archive, stream, run, user);
}

#endif
