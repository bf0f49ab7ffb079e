/* The other side: answers three questions, notes the time, and waits for a fourth. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    char bytes[64];
    for (int i = 0; i < 3; i++)
        if (read(0, bytes, sizeof bytes) <= 0 || write(1, "7\n", 2) != 2) return 1;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    dprintf(2, "%ld%09ld\n", (long)now.tv_sec, now.tv_nsec);
    return read(0, bytes, sizeof bytes) <= 0;
}
