/* thinks before it reads */
#include <time.h>
#include <unistd.h>
int main(void) {
    enum { LENGTH = 1 << 20 };
    static char b[1 << 16];
    struct timespec second = {.tv_sec = 1, .tv_nsec = 200000000};
    ssize_t got;
    long length = 0;
    nanosleep(&second, NULL);
    while (length < LENGTH && (got = read(0, b, sizeof b)) > 0) length += got;
    return length == LENGTH ? 0 : 1;
}
