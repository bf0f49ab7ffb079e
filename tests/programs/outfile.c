/* Treats its standard output as the file that it is. Afterwards: what was written cannot be taken
 * back, nobody was held up, and the interactor has got `safe`. */
#include "attack.h"
#include <sys/file.h>
#include <sys/mman.h>

int main(void) {
    char block[16];
    /* The next question comes when the answer before it was read. */
    HOLDS(read(0, block, sizeof block) > 0);
    safe();
    HOLDS(read(0, block, sizeof block) > 0);
    FAILS(ftruncate(1, 0), "");
    FAILS(fcntl(1, 1033 /* F_ADD_SEALS */, 0x8 /* F_SEAL_WRITE */), "");
    FAILS(fcntl(1, 1024 /* F_SETLEASE */, F_WRLCK), "");
    HOLDS(mmap(0, 4096, PROT_WRITE, MAP_SHARED, 1, 0) == MAP_FAILED);
    lseek(1, 0, SEEK_SET);
    flock(1, LOCK_EX);
    fcntl(1, F_SETFL, O_NONBLOCK); /* no longer O_APPEND */
    if (pwrite(1, "X", 1, 0) < 0) perror("pwrite");
    if (fallocate(1, 3 /* punch a hole */, 0, 4096) < 0) perror("fallocate");
    fcntl(1, F_SETFL, O_APPEND);
    safe();
    HOLDS(read(0, block, sizeof block) > 0);
    return safe();
}
