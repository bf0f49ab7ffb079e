/* Runs a program with a ptrace stop before and after every system call, and nothing else. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count < 2) return 2;
    pid_t program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execv(words[1], words + 1);
        _exit(127);
    }
    int status;
    if (program < 0 || waitpid(program, &status, __WALL) < 0) return 3;
    ptrace(PTRACE_SETOPTIONS, program, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (;;) {
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP) signal = 0;
        if (ptrace(PTRACE_SYSCALL, program, NULL, signal) < 0) return 3;
        if (waitpid(program, &status, __WALL) < 0) return 3;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    }
}
