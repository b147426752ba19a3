/* pack FORMAT ARCHIVE FILE...: makes an archive of files, for the tests of reading them: FORMAT
 * is one that libarchive writes, 7zip or zip. A FILE as NAME=PATH stands in it under that name,
 * whatever bytes these are. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>

static int add(struct archive *out, const char *operand)
{
    static char data[1 << 20];
    const char *equals = strchr(operand, '='), *path = equals ? equals + 1 : operand;
    char name[512];
    snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - operand : (int)strlen(operand)),
             operand);
    FILE *file = fopen(path, "rb");
    struct archive_entry *entry = archive_entry_new();
    if (file == NULL || entry == NULL) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    archive_entry_copy_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    int status = archive_write_header(out, entry) < ARCHIVE_WARN ||
                 archive_write_data(out, data, size) != (la_ssize_t)size;
    archive_entry_free(entry);
    return status;
}

int main(int argc, char **argv)
{
    struct archive *out = archive_write_new();
    if (argc < 3 || out == NULL ||
        archive_write_set_format_by_name(out, argv[1]) != ARCHIVE_OK ||
        archive_write_open_filename(out, argv[2]) != ARCHIVE_OK) {
        fprintf(stderr, "pack: %s\n", out != NULL ? archive_error_string(out) : "no memory");
        return 2;
    }
    int status = 0;
    for (int i = 3; i < argc; i++)
        status |= add(out, argv[i]);
    status |= archive_write_close(out) != ARCHIVE_OK;
    archive_write_free(out);
    return status;
}

#else

int main(void)
{
    return 2;
}

#endif
