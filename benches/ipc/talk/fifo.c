/* A FIFO: a pipe with a name, whose ends are opened by that name. */
#include "channel.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[PATH_MAX];
static int writer, reader;

static void make(const char *folder)
{
    snprintf(path, sizeof path, "%s/fifo", folder);
    /* One that a run before left there is as good. */
    unlink(path);
    if (mkfifo(path, 0600) != 0)
        fail("mkfifo");
}

static void open_writer(void)
{
    writer = open(path, O_WRONLY | O_CLOEXEC);
    if (writer < 0)
        fail("open a FIFO to write");
}

static void open_reader(void)
{
    reader = open(path, O_RDONLY | O_CLOEXEC);
    if (reader < 0)
        fail("open a FIFO to read");
}

static void put(const struct message *message)
{
    write_message(writer, message);
}

static void take(struct message *message)
{
    read_message(reader, message);
}

const struct channel fifo = { "fifo", make, open_writer, open_reader, put, take, NULL };
