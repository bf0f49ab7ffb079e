/* One side of a dialogue in which both always answer in the end:
 *
 *     plays first|second ROUNDS READS WRITES SIZE MOVE[,MOVE...]
 *
 * In each round the first sends a line and the second answers with a line. Before each line the
 * program makes its next move. READS says who reads standard input, and how that gets to who makes
 * the moves; WRITES how a line of SIZE bytes is written. */
#include "moves.h"

static char *line;
static size_t room = 1 << 20, filled;

/* Reads on until there is a whole line. */
static void take_line(int fd) {
    filled = 0;
    while (filled == 0 || line[filled - 1] != '\n') {
        ssize_t length = read(fd, line + filled, room - filled);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) _exit(8);
        filled += (size_t)length;
        if (filled == room) _exit(6);
    }
    line[filled] = 0;
}

static const char *reads;
static int relay[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int there; /* 1 while a line was read and not used yet */
static sem_t full, empty;

/* Always a line ahead, as reader threads are. */
static void *reader(void *none) {
    for (;;) {
        if (!strcmp(reads, "thread-poll")) {
            struct pollfd input = {.events = POLLIN};
            while (poll(&input, 1, 50) <= 0) {}
        }
        char *mine = malloc(room);
        size_t got = 0;
        while (got == 0 || mine[got - 1] != '\n') {
            ssize_t length = read(0, mine + got, room - got);
            if (length < 0 && errno == EINTR) continue;
            if (length <= 0) return none;
            got += (size_t)length;
        }
        if (!strcmp(reads, "thread-semaphore")) {
            while (sem_wait(&empty) != 0) {}
            memcpy(line, mine, filled = got);
            line[filled] = 0;
            sem_post(&full);
        } else {
            pthread_mutex_lock(&lock);
            while (there) pthread_cond_wait(&changed, &lock);
            memcpy(line, mine, filled = got);
            line[filled] = 0;
            there = 1;
            pthread_cond_broadcast(&changed);
            pthread_mutex_unlock(&lock);
        }
        free(mine);
    }
}

/* Passes standard input on through a pipe. */
static void *relays(void *none) {
    static char bytes[65536];
    for (;;) {
        ssize_t length = read(0, bytes, sizeof bytes);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) return none;
        for (ssize_t done = 0, step; done < length; done += step)
            if ((step = write(relay[1], bytes + done, (size_t)(length - done))) < 0) return none;
    }
}

static void begin_reading(void) {
    if (!strcmp(reads, "thread-pipe") || !strcmp(reads, "child")) tube(relay);
    if (!strcmp(reads, "thread-pipe")) begin(relays, NULL);
    if (!strcmp(reads, "child") && fork() == 0) _exit(relays(NULL) != NULL);
    if (!strcmp(reads, "thread-semaphore")) sem_init(&full, 0, 0), sem_init(&empty, 0, 1);
    if (!strcmp(reads, "thread") || !strcmp(reads, "thread-poll") ||
        !strcmp(reads, "thread-semaphore"))
        begin(reader, NULL);
}

static void next_line(long round) {
    static int first = 1;
    if (!strcmp(reads, "plain")) {
        take_line(0);
    } else if (!strcmp(reads, "poll")) {
        struct pollfd input = {.events = POLLIN};
        while (poll(&input, 1, -1) < 0) {}
        take_line(0);
    } else if (!strcmp(reads, "epoll")) {
        int epoll = epoll_create1(EPOLL_CLOEXEC);
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event) != 0) fail("epoll_ctl");
        while (epoll_wait(epoll, &event, 1, 20) <= 0) {}
        close(epoll);
        take_line(0);
    } else if (!strcmp(reads, "thread-pipe") || !strcmp(reads, "child")) {
        take_line(relay[0]);
    } else if (!strcmp(reads, "thread-semaphore")) {
        if (!first) sem_post(&empty);
        while (sem_wait(&full) != 0) {}
    } else {
        pthread_mutex_lock(&lock);
        if (!first) there = 0, pthread_cond_broadcast(&changed);
        while (!there) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    first = 0;
    if (atol(line) != round) _exit(5);
}

struct piece {
    const char *bytes;
    size_t length;
};

static void *put_piece(void *with) {
    struct piece *piece = with;
    while (piece->length > 0) {
        ssize_t length = write(1, piece->bytes, piece->length);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) fail("write");
        piece->bytes += length, piece->length -= (size_t)length;
    }
    return NULL;
}

static void say(long round, const char *writes, size_t size) {
    char *bytes = malloc(size + 32);
    size_t length = (size_t)sprintf(bytes, "%ld ", round);
    while (length < size) bytes[length++] = 'x';
    bytes[length++] = '\n';
    struct piece piece = {bytes, length};
    if (!strcmp(writes, "thread")) {
        pthread_join(begin(put_piece, &piece), NULL);
    } else if (!strcmp(writes, "halves")) {
        piece.length = length / 2;
        put_piece(&piece);
        nap(5);
        piece.length = length - length / 2;
        put_piece(&piece);
    } else if (!strcmp(writes, "pieces")) {
        for (size_t done = 0; done < length; done += 1000) {
            piece.bytes = bytes + done;
            piece.length = length - done < 1000 ? length - done : 1000;
            put_piece(&piece);
        }
    } else {
        put_piece(&piece);
    }
    free(bytes);
}

int main(int count, char **words) {
    if (count < 7) return 7;
    int speaks_first = !strcmp(words[1], "first");
    long rounds = atol(words[2]);
    const char *writes = words[4];
    size_t size = (size_t)atol(words[5]);
    char *moves = words[6], *next = moves;
    reads = words[3];
    line = malloc(room + 1);
    begin_reading();
    for (long round = 0; round < rounds; round++) {
        if (!speaks_first) next_line(round);
        char now[64];
        size_t length = strcspn(next, ",");
        snprintf(now, sizeof now, "%.*s", (int)length, next);
        move(now);
        next = next[length] ? next + length + 1 : moves;
        say(round, writes, size);
        if (speaks_first) next_line(round);
    }
    _exit(0);
}
