/* The paths of the files that convert makes, each of them new in its run. */
#include "config.h"

#include "paths.h"

#include <stdlib.h>
#include <string.h>

/* ---- names taken ---- */

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash ? hash : 1;
}

static size_t name_slot(const struct names *names, uint64_t hash)
{
    size_t slot = hash & (names->room - 1);
    while (names->hashes[slot] && names->hashes[slot] != hash)
        slot = (slot + 1) & (names->room - 1);
    return slot;
}

static bool grow_names(struct names *names)
{
    size_t old_room = names->room;
    uint64_t *old = names->hashes;
    names->room = old_room ? old_room * 2 : 256;
    names->hashes = calloc(names->room, sizeof *names->hashes);
    for (size_t i = 0; names->hashes && i < old_room; i++)
        if (old[i])
            names->hashes[name_slot(names, old[i])] = old[i];
    free(old);
    return names->hashes != NULL;
}

/* Whether the name is new in this run. Only hashes are kept: two names of one hash cost a
 * needless number, never a file. */
static bool take_name(struct names *names, const char *name)
{
    uint64_t hash = hash_name(name);
    size_t slot = name_slot(names, hash);
    if (names->hashes[slot])
        return false;
    names->hashes[slot] = hash;
    names->count++;
    return true;
}

void names_clear(struct names *names)
{
    free(names->hashes);
    *names = (struct names){0};
}

/* ---- paths ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Length of a base name without its suffix; ".pgn" has none. */
static size_t stem_length(const char *base)
{
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

char *folder_path(struct names *names, const char *folder, const char *input,
                  const qp_format *format, bool *again)
{
    const char *base = strcmp(input, "-") == 0 ? "stdin" : base_of(input);
    const char *suffixes = qp_format_suffixes(format);
    int stem = (int)stem_length(base), suffix = (int)strcspn(suffixes, " ");
    size_t room = strlen(folder) + strlen(base) + (size_t)suffix + 32;
    if ((names->count + 1) * 2 > names->room && !grow_names(names))
        return NULL;
    char *path = malloc(room);
    unsigned n = 0;
    do {
        char number[16] = "";
        if (++n > 1)
            snprintf(number, sizeof number, "-%u", n);
        if (path)
            snprintf(path, room, "%s%.*s%s.%.*s", folder, stem, base, number, suffix,
                     suffixes);
    } while (path && !take_name(names, path));
    *again = n > 1;
    return path;
}

char *part_path(const char *path, uint64_t part)
{
    const char *base = base_of(path);
    int stem = (int)(base - path) + (int)stem_length(base);
    size_t room = strlen(path) + 32;
    char *named = malloc(room);
    if (named)
        snprintf(named, room, "%.*s-%04llu%s", stem, path, (unsigned long long)part,
                 path + stem);
    return named;
}
