/* A POSIX message queue, as long as the kernel lets everyone have one by default: 10 messages. */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

#define LENGTH 10

static mqd_t both;

static void make(const char *folder)
{
    (void)folder;
    char name[64];
    snprintf(name, sizeof name, "/bench-ipc-%ld", (long)getpid());
    struct mq_attr attributes = { .mq_maxmsg = LENGTH, .mq_msgsize = sizeof(struct message) };
    both = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
    if (both == (mqd_t)-1)
        fail("mq_open");
    /* The descriptor is enough; without a name it goes when the last side does. */
    mq_unlink(name);
}

static void put(const struct message *message)
{
    while (mq_send(both, (const char *)message, sizeof *message, 0) != 0)
        if (errno != EINTR)
            fail("mq_send");
}

static void take(struct message *message)
{
    for (;;) {
        ssize_t got = mq_receive(both, (char *)message, sizeof *message, NULL);
        if (got == (ssize_t)sizeof *message)
            return;
        if (got >= 0 || errno != EINTR)
            fail("mq_receive");
    }
}

const struct channel queue = { "queue", make, NULL, NULL, put, take, NULL };
