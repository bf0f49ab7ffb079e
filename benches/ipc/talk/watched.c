/* A file in memory that the writer appends to. The reader is told by inotify that it has changed,
 * reads from its own offset, and gives back what it has read. This is how a session's `tmpfs`
 * channel takes a program's output (src/channel/tmpfs.rs, src/channel/watcher.rs):
 *
 * - a memfd that cannot shrink, opened again to append, because inotify tells only of writes
 *   through a descriptor that was opened by name; the reader's is open to read only;
 * - an event says no more than "look again": equal ones are merged while nobody reads them, so the
 *   reader looks first and waits for an event only where there is nothing;
 * - what was read is given back in whole pieces, through a descriptor for that moment.
 *
 * Unlike it, the reader takes one message at a time, and sleeps in a read of the inotify descriptor
 * where a session waits for several things at once. */
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Given back in pieces of this size, when two of them have gathered. */
#define PIECE ((off_t)1 << 20)

static int writer, reader, events;
static off_t offset, released;
static size_t kept;

static void make(const char *folder)
{
    (void)folder;
    int memory = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0)
        fail("memfd_create");
    if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        fail("seal a file");
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    writer = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    reader = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC);
    if (writer < 0 || reader < 0)
        fail("open a file in memory again");
    events = inotify_init1(IN_CLOEXEC);
    if (events < 0)
        fail("inotify_init1");
    if (inotify_add_watch(events, path, IN_MODIFY | IN_CLOSE_WRITE) < 0)
        fail("inotify_add_watch");
    close(memory);
}

static void put(const struct message *message)
{
    write_message(writer, message);
}

/* Sleeps until something has happened to the file. */
static void await_change(void)
{
    char buffer[4096];
    if (read(events, buffer, sizeof buffer) < 0 && errno != EINTR)
        fail("read an inotify descriptor");
}

static void note_kept(void)
{
    struct stat state;
    if (fstat(reader, &state) != 0)
        fail("fstat");
    size_t now = (size_t)(state.st_size - released);
    if (now > kept)
        kept = now;
}

/* Gives back whole pieces that were read. */
static void give_back(void)
{
    if (offset - released < 2 * PIECE)
        return;
    note_kept();
    off_t end = offset / PIECE * PIECE;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", reader);
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        fail("open a file in memory to give back");
    if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, released, end - released) != 0)
        fail("fallocate");
    close(file);
    released = end;
}

static void take(struct message *message)
{
    char *bytes = (char *)message;
    for (size_t done = 0; done < sizeof *message;) {
        ssize_t got = pread(reader, bytes + done, sizeof *message - done, offset);
        if (got < 0 && errno != EINTR)
            fail("pread");
        if (got == 0)
            await_change();
        if (got > 0) {
            done += (size_t)got;
            offset += got;
        }
    }
    give_back();
}

static size_t most_kept(void)
{
    note_kept();
    return kept;
}

const struct channel watched = { "watched", make, NULL, NULL, put, take, most_kept };
