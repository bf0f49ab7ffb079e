/* What a way from a writer to a reader has to offer. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

struct message {
    unsigned long index;
    char text[1024];
};

struct channel {
    const char *name;
    /* Makes it, before writer and reader part. What needs a name gets one in that folder. */
    void (*make)(const char *folder);
    /* Readies an end by the side that uses it; NULL where nothing is left to do. */
    void (*open_writer)(void);
    void (*open_reader)(void);
    void (*send)(const struct message *message);
    void (*receive)(struct message *message);
    /* Bytes that waited in memory at once, at most, as the reader saw it; NULL where the channel
     * itself sets a limit to that. */
    size_t (*most_kept)(void);
};

extern const struct channel fifo, queue, sockets, shared, pipes, watched;

/* Says what failed, and why, and ends the process. */
_Noreturn void fail(const char *what);

/* All bytes of a message, however many calls it takes. */
void write_message(int fd, const struct message *message);
void read_message(int fd, struct message *message);

#endif
