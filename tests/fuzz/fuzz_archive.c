/* The fuzz target of archives (tools/archive.c): walks all members of what the input begins
 * like, as a file that can be searched or as a pipe, and reads each to its end. Members have
 * names, findings texts, and what comes out keeps to the limits. */
#include "config.h"

#include "common.h"
#include "fuzz/fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program brings along for archive.c; the rest of it is not needed here. */
void complain_of(const struct options *options, const char *file, const char *format, ...)
{
    (void)options;
    (void)file;
    fuzz_complain(format);
}

void progress_file(void)
{
}

void progress_bytes(size_t count)
{
    (void)count;
}

static bool run(void *user, const struct input *input)
{
    uint64_t *total = user;
    static char buffer[64 * 1024];
    fuzz_require(input->name != NULL && input->name[0] != '\0', "a member without a name");
    if (input->settle)
        return true;
    if (input->finding != NULL) {
        fuzz_require(input->finding->message.len != 0, "a finding without a message");
        return true;
    }
    fuzz_require(input->member != NULL, "a member that does not say so");
    for (;;) {
        ptrdiff_t got = input->read(input->from, buffer, sizeof buffer);
        fuzz_require(got >= 0 && (size_t)got <= sizeof buffer, "a member that cannot be read");
        if (got == 0)
            return true;
        *total += (uint64_t)got;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *file;
    static const struct options options;
    struct stream stream = {.head = data, .head_len = size < HEAD ? size : HEAD};
    struct input input = {.name = "a", .size = (off_t)size};
    uint64_t total = 0;
    if (file == NULL)
        file = tmpfile();
    if (file == NULL)
        return 0;
    stream.fd = fileno(file);
    stream.regular = size % 2 == 0;
    stream.head_at = stream.head_len; /* the file is read from its begin */
    if (archive_kind(&stream) == NULL || ftruncate(stream.fd, 0) != 0 ||
        pwrite(stream.fd, data, size, 0) != (ssize_t)size || lseek(stream.fd, 0, SEEK_SET) != 0)
        return 0;
    archive_each(&options, &input, &stream, run, &total);
    /* 64 MiB are free; beyond them 500 bytes for each that was read, give or take a block. */
    fuzz_require(total <= ((uint64_t)65 << 20) + 500 * (uint64_t)size, "a bomb that went off");
    return 0;
}
