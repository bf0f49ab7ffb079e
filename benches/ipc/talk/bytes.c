/* A message through a descriptor that carries bytes and knows nothing of messages. */
#include "channel.h"

#include <errno.h>
#include <unistd.h>

void write_message(int fd, const struct message *message)
{
    const char *bytes = (const char *)message;
    for (size_t done = 0; done < sizeof *message;) {
        ssize_t wrote = write(fd, bytes + done, sizeof *message - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            fail("write");
    }
}

void read_message(int fd, struct message *message)
{
    char *bytes = (char *)message;
    for (size_t done = 0; done < sizeof *message;) {
        ssize_t got = read(fd, bytes + done, sizeof *message - done);
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            fail("read");
    }
}
