#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>
int main(int count, char **words) {
    enum { LENGTH = 1 << 20 };
    /* Any file that it may read: its own. */
    int file = open(words[0], O_RDONLY);
    if (count < 1 || file < 0) return 7;
    for (long left = LENGTH; left > 0;) {
        off_t begin = 0;
        ssize_t sent = sendfile(1, file, &begin, left < 4096 ? left : 4096);
        if (sent <= 0) return 8;
        left -= sent;
    }
    return 0;
}
