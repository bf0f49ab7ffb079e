/* Starts set-user-id programs and looks at what it has itself. Afterwards: no privilege is gained,
 * and there was none. */
#include "attack.h"
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

int main(int argc, char **argv) {
    struct statvfs usr;
    HOLDS(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    HOLDS(geteuid() != 0 && getegid() != 0 && getgroups(0, NULL) <= 1);
    int bounded = argc > 1 && !strcmp(argv[1], "namespaces");
    if (bounded) HOLDS(statvfs("/usr", &usr) == 0 && usr.f_flag & ST_NOSUID && usr.f_flag & ST_RDONLY);
    const char *programs[] = {"/usr/bin/su", "/bin/su", "/usr/bin/passwd", "/usr/bin/mount"};
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0) {
            close(0);
            dup2(2, 1);
            execl(programs[i], programs[i], "-c", "id", (char *)NULL);
            _exit(99);
        }
        int status;
        HOLDS(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) broken("set-user-id", programs[i]);
    }
    return safe();
}
