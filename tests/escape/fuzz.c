/* Makes and ends tasks at random, from a seed: what the tracer must follow without losing one.
 *
 *   fuzz plan SEED    says in one line what SEED comes to: `exit 17 count 321`, `signal 9 count 40`
 *   fuzz SEED         does it: prints `count 321` and ends so
 *
 * A seed is a number of steps. In each, up to three scenes run at once in processes of their own, or
 * one in the main process, sometimes with threads beside them that compute, fork, breed threads or
 * storm with signals; some steps execute the program anew, from the main thread or from another. A
 * scene checks what it sees as any parent would: who ended, how, and that nothing hangs. Whatever
 * does not hold ends the program with 99 and a line on standard error. Afterwards: the count came
 * through, the program ended as the seed says, and nothing of it is left. */
#include "../programs/attack.h"
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>

static char *self;
static char *scene_name = "";

#define CHECK(condition) do { if (!(condition)) wrong(#condition, __LINE__, 0); } while (0)

_Noreturn static void wrong(const char *what, int line, long found) {
    dprintf(2, "line %d (%s): %s; %ld, errno %d\n", line, scene_name, what, found, errno);
    _exit(99);
}

/* --- Chance -------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct chance { uint64_t state; };

static unsigned pick(struct chance *chance, unsigned below) {
    chance->state = mix(chance->state, 1);
    return (unsigned)(chance->state >> 33) % below;
}

/* A moment of no known length: nothing, a few calls, some computing, a short sleep. */
static void moment(struct chance *chance) {
    switch (pick(chance, 5)) {
    case 0: break;
    case 1: for (unsigned i = pick(chance, 20); i > 0; i--) sched_yield(); break;
    case 2: for (volatile unsigned i = pick(chance, 60000); i > 0; i--) {} break;
    case 3: usleep(pick(chance, 400)); break;
    case 4: getppid(); break;
    }
}

/* --- Making and ending ---------------------------------------------------------------------------- */

static pid_t make(void) {
    pid_t child = fork();
    CHECK(child >= 0);
    return child;
}

static int status_of(pid_t child) {
    int status;
    pid_t got;
    while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR) {}
    if (got != child) wrong("waitpid", __LINE__, got);
    return status;
}

static void exited(pid_t child, int code) {
    int status = status_of(child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code) wrong("exited with another code", code, status);
}

static void killed(pid_t child, int signal) {
    int status = status_of(child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != signal) wrong("ended in another way", signal, status);
}

_Noreturn static void for_ever(void) { for (;;) pause(); }

_Noreturn static void end_thread(int code) {
    for (;;) syscall(SYS_exit, code);
}

static pthread_t thread_of(void *(*work)(void *), void *argument) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    /* While another thread of the process executes a program, the kernel says EAGAIN. */
    int failed = EAGAIN;
    for (int i = 0; i < 1000 && failed == EAGAIN; i++)
        if ((failed = pthread_create(&thread, &small, work, argument)) == EAGAIN) usleep(1000);
    if (failed) wrong("pthread_create", __LINE__, failed);
    pthread_attr_destroy(&small);
    return thread;
}

_Noreturn static void again(const char *as, int code) {
    char number[16];
    snprintf(number, sizeof number, "%d", code);
    execl(self, self, as, number, (char *)NULL);
    _exit(98);
}

/* Everybody who has the writing end is gone when this returns. */
static void until_gone(int ends[2]) {
    char byte;
    ssize_t got;
    close(ends[1]);
    while ((got = read(ends[0], &byte, 1)) > 0 || (got < 0 && errno == EINTR)) {}
    CHECK(got == 0);
    close(ends[0]);
}

/* --- What goes on beside ------------------------------------------------------------------------- */

static volatile int quiet;
static struct chance beside_chance[2];

/* What goes on beside rests now and then. One that never does can keep a child that has made a session
 * of its own (and so a scheduling group) from the one CPU for seconds where there is much else to do, and
 * the kernel from giving back what ended processes leave, which counts as memory. That is the kernel's
 * (6.18): the first is so without a sandbox too, under taskset. */
static void rest(unsigned turn, unsigned often) {
    if (turn % often == 0) usleep(100);
}

static void *spins(void *unused) {
    for (unsigned turn = 1; !quiet; turn++) {
        getppid();
        rest(turn, 4096);
    }
    return unused;
}

static void *forks(void *unused) {
    for (unsigned turn = 1; !quiet; turn++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child > 0) waitpid(child, NULL, 0);
        rest(turn, 8);
    }
    return unused;
}

static void *ends_raw(void *unused) {
    if (unused == NULL) end_thread(5);
    return unused;
}

static void *breeds(void *unused) {
    for (unsigned turn = 1; !quiet; turn++) {
        pthread_join(thread_of(ends_raw, NULL), NULL);
        rest(turn, 8);
    }
    return unused;
}

/* Only signals that are ignored by default: a program that is executed anew inherits what is pending. */
static void *storms(void *unused) {
    while (!quiet) {
        kill(getpid(), SIGURG);
        sigqueue(getpid(), SIGWINCH, (union sigval){.sival_int = 1});
        usleep(150);
    }
    return unused;
}

static void *(*const besides[])(void *) = {spins, forks, breeds, storms};

static void nothing(int signal) { (void)signal; }

static void be_ready(void) {
    struct sigaction action = {.sa_handler = nothing, .sa_flags = SA_RESTART};
    sigaction(SIGURG, &action, NULL);
    sigaction(SIGWINCH, &action, NULL);
}

/* --- Scenes -------------------------------------------------------------------------------------- */

static int some_code(struct chance *chance) { return 1 + pick(chance, 90); }

static int some_signal(struct chance *chance) {
    const int signals[] = {SIGKILL, SIGTERM, SIGUSR1, SIGINT, SIGALRM, SIGQUIT, SIGRTMIN, SIGRTMAX};
    int n = sizeof signals / sizeof *signals;
    return signals[pick(chance, n)];
}

static void ends(struct chance *chance) {
    int code = some_code(chance);
    pid_t child = make();
    if (child == 0) {
        moment(chance);
        _exit(code);
    }
    moment(chance);
    exited(child, code);
}

static void is_killed(struct chance *chance) {
    int signal = some_signal(chance);
    pid_t child = make();
    if (child == 0) for_ever();
    moment(chance);
    CHECK(kill(child, signal) == 0);
    killed(child, signal);
}

static void kills_itself(struct chance *chance) {
    int signal = some_signal(chance);
    pid_t child = make();
    if (child == 0) {
        moment(chance);
        kill(getpid(), signal);
        for_ever();
    }
    killed(child, signal);
}

static void crashes(struct chance *chance) {
    pid_t child = make();
    if (child == 0) {
        moment(chance);
        if (pick(chance, 2)) abort();
        *(volatile char *)8 = 1;
    }
    int status = status_of(child);
    CHECK(WIFSIGNALED(status) && (WTERMSIG(status) == SIGABRT || WTERMSIG(status) == SIGSEGV));
}

static void vforks(struct chance *chance) {
    int code = some_code(chance), how = pick(chance, 3);
    pid_t child = vfork();
    CHECK(child >= 0);
    if (child == 0) {
        if (how == 0) _exit(code);
        if (how == 1) again("exit", code);
        kill(getpid(), SIGKILL);
        for_ever();
    }
    if (how == 2) killed(child, SIGKILL);
    else exited(child, code);
}

static int in_clone(void *code) { return *(int *)code; }

static void clones(struct chance *chance) {
    static char stack[1 << 14] __attribute__((aligned(16)));
    const int flags[] = {SIGCHLD, CLONE_VM | CLONE_VFORK | SIGCHLD, CLONE_VM | SIGCHLD, CLONE_FILES | CLONE_FS | SIGCHLD};
    int code = some_code(chance);
    pid_t child = clone(in_clone, stack + sizeof stack, flags[pick(chance, 4)], &code);
    CHECK(child > 0);
    exited(child, code);
}

/* The child is its sibling: others wait for it. */
static void clones_a_sibling(struct chance *chance) {
    static char stack[1 << 14] __attribute__((aligned(16)));
    int code = some_code(chance), pipe_ends[2];
    CHECK(pipe(pipe_ends) == 0);
    CHECK(clone(in_clone, stack + sizeof stack, CLONE_PARENT | SIGCHLD, &code) > 0);
    moment(chance);
    until_gone(pipe_ends);
}

static void *says_so(void *said) {
    __atomic_add_fetch((int *)said, 1, __ATOMIC_SEQ_CST);
    return said;
}

static void threads(struct chance *chance) {
    pthread_t made[4];
    int n = 1 + pick(chance, 4), said = 0, raw = 0;
    for (int i = 0; i < n; i++) {
        int ends_so = pick(chance, 3) == 0;
        raw += ends_so;
        made[i] = thread_of(ends_so ? ends_raw : says_so, ends_so ? NULL : &said);
        moment(chance);
    }
    for (int i = 0; i < n; i++) CHECK(pthread_join(made[i], NULL) == 0);
    CHECK(said == n - raw);
}

static void *forks_once(void *chance) {
    ends(chance);
    return NULL;
}

static void thread_forks(struct chance *chance) {
    pthread_t thread = thread_of(forks_once, chance);
    CHECK(pthread_join(thread, NULL) == 0);
}

static int late_code;
static struct chance late_chance;

static void *ends_all(void *unused) {
    moment(&late_chance);
    _exit(late_code);
    return unused;
}

static void *ends_itself(void *unused) {
    moment(&late_chance);
    end_thread(late_code);
    return unused;
}

static void *executes(void *unused) {
    moment(&late_chance);
    again("exit", late_code);
    return unused;
}

/* A leader that goes first, or waits for ever. */
static void leave(struct chance *chance, int code) {
    moment(chance);
    switch (pick(chance, 3)) {
    case 0: pthread_exit(NULL);
    case 1: end_thread(code);
    default: for_ever();
    }
}

static void prepare(struct chance *chance) {
    late_code = some_code(chance);
    late_chance.state = mix(chance->state, 3);
}

static void leader_first(struct chance *chance) {
    prepare(chance);
    pid_t child = make();
    if (child == 0) {
        thread_of(ends_all, NULL);
        leave(chance, 76);
    }
    exited(child, late_code);
}

/* Without exit_group it depends on the kernel whose word counts, the leader's or that of the last. */
static void each_by_itself(struct chance *chance) {
    prepare(chance);
    pid_t child = make();
    if (child == 0) {
        for (int n = 1 + pick(chance, 3); n > 0; n--) thread_of(ends_itself, NULL);
        end_thread(late_code);
    }
    exited(child, late_code);
}

static void thread_executes(struct chance *chance) {
    prepare(chance);
    pid_t child = make();
    if (child == 0) {
        quiet = 0;
        for (int n = pick(chance, 3); n > 0; n--) thread_of(besides[pick(chance, 3)], NULL);
        thread_of(executes, NULL);
        leave(chance, 75);
    }
    exited(child, late_code);
}

/* Whoever is first, the code is the same. */
static void all_at_once(struct chance *chance) {
    prepare(chance);
    pid_t child = make();
    if (child == 0) {
        for (int n = 2 + pick(chance, 3); n > 0; n--) thread_of(pick(chance, 2) ? executes : ends_all, NULL);
        leave(chance, 74);
    }
    exited(child, late_code);
}

static void stops(struct chance *chance) {
    int code = some_code(chance), rounds = 1 + pick(chance, 3), status;
    int several = pick(chance, 2), dies = pick(chance, 3) == 0;
    pid_t child = make();
    if (child == 0) {
        quiet = 0;
        if (several) thread_of(spins, NULL);
        /* Not to the process: another thread could take it, and this one go on. */
        for (int i = 0; i < rounds; i++) raise(SIGSTOP);
        _exit(code);
    }
    for (int i = 0; i < rounds; i++) {
        while (waitpid(child, &status, WUNTRACED) < 0 && errno == EINTR) {}
        if (!WIFSTOPPED(status)) wrong("did not stop", __LINE__, status);
        moment(chance);
        if (dies) break;
        CHECK(kill(child, SIGCONT) == 0);
    }
    if (dies) {
        CHECK(kill(child, SIGKILL) == 0);
        killed(child, SIGKILL);
    } else exited(child, code);
}

static void stop_storm(struct chance *chance) {
    pid_t child = make();
    if (child == 0) {
        quiet = 0;
        thread_of(breeds, NULL);
        for_ever();
    }
    for (int i = 5 + pick(chance, 20); i > 0; i--) {
        CHECK(kill(child, pick(chance, 2) ? SIGSTOP : SIGCONT) == 0);
        moment(chance);
    }
    CHECK(kill(child, SIGKILL) == 0);
    killed(child, SIGKILL);
}

static void real_time(struct chance *chance) {
    int n = 1 + pick(chance, 20);
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 5);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    pid_t child = make();
    if (child == 0) {
        for (int i = 0; i < n; i++) {
            siginfo_t info;
            while (sigwaitinfo(&set, &info) < 0) CHECK(errno == EINTR);
            CHECK(info.si_value.sival_int == i);
        }
        _exit(n);
    }
    for (int i = 0; i < n; i++)
        CHECK(sigqueue(child, SIGRTMIN + 5, (union sigval){.sival_int = i}) == 0);
    exited(child, n);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void orphans(struct chance *chance) {
    int pipe_ends[2], new_session = pick(chance, 2), n = 1 + pick(chance, 3);
    CHECK(pipe(pipe_ends) == 0);
    pid_t child = make();
    if (child == 0) {
        if (new_session) setsid();
        for (int i = 0; i < n; i++)
            if (make() == 0) {
                moment(chance);
                if (pick(chance, 2)) kill(getpid(), some_signal(chance));
                _exit(3);
            }
        moment(chance);
        _exit(4);
    }
    exited(child, 4);
    until_gone(pipe_ends);
}

static void groups(struct chance *chance) {
    int up[2], leader_ends = pick(chance, 2), pipe_ends[2];
    char byte;
    CHECK(pipe(up) == 0 && pipe(pipe_ends) == 0);
    pid_t child = make();
    if (child == 0) {
        if (pick(chance, 2)) setsid();
        else setpgid(0, 0);
        for (int i = 0; i < 2; i++) if (make() == 0) for_ever();
        CHECK(write(up[1], "x", 1) == 1);
        if (leader_ends) _exit(6);
        for_ever();
    }
    while (read(up[0], &byte, 1) < 0) CHECK(errno == EINTR);
    /* The group outlives its leader. */
    if (leader_ends) exited(child, 6);
    CHECK(kill(-child, SIGKILL) == 0);
    if (!leader_ends) killed(child, SIGKILL);
    until_gone(pipe_ends);
    close(up[0]);
    close(up[1]);
}

/* Killed while it forks: what it was making may exist or not. */
static void killed_while(struct chance *chance, void *(*work)(void *)) {
    int pipe_ends[2];
    CHECK(pipe(pipe_ends) == 0);
    pid_t child = make();
    if (child == 0) {
        quiet = 0;
        for (int n = pick(chance, 3); n > 0; n--) thread_of(work, NULL);
        work(NULL);
    }
    moment(chance);
    moment(chance);
    CHECK(kill(child, SIGKILL) == 0);
    killed(child, SIGKILL);
    until_gone(pipe_ends);
}

static void killed_while_forking(struct chance *chance) { killed_while(chance, forks); }
static void killed_while_breeding(struct chance *chance) { killed_while(chance, breeds); }

static __attribute__((noinline)) void vfork_once(void) {
    pid_t child = vfork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
}

static void *vforks_often(void *unused) {
    for (unsigned turn = 1; !quiet; turn++) {
        vfork_once();
        rest(turn, 8);
    }
    return unused;
}

static void killed_while_vforking(struct chance *chance) { killed_while(chance, vforks_often); }

static void *dies_alone(void *signal) {
    moment(&late_chance);
    syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), *(int *)signal);
    return NULL;
}

static void thread_dies(struct chance *chance) {
    int signal = some_signal(chance);
    prepare(chance);
    pid_t child = make();
    if (child == 0) {
        thread_of(dies_alone, &signal);
        leave(chance, 73);
    }
    killed(child, signal);
}

static void nobody_waits(struct chance *chance) {
    int n = 1 + pick(chance, 4);
    pid_t child = make();
    if (child == 0) {
        signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < n; i++) if (make() == 0) _exit(i);
        while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
        CHECK(errno == ECHILD);
        _exit(n);
    }
    exited(child, n);
}

static void looks_first(struct chance *chance) {
    int code = some_code(chance);
    siginfo_t info;
    pid_t child = make();
    if (child == 0) _exit(code);
    while (waitid(P_PID, child, &info, WEXITED | WNOWAIT) < 0) CHECK(errno == EINTR);
    CHECK(info.si_status == code);
    moment(chance);
    /* What has ended and was not waited for can still be signalled. */
    CHECK(kill(child, pick(chance, 2) ? SIGTERM : SIGKILL) == 0);
    exited(child, code);
    CHECK(kill(child, SIGTERM) < 0 && errno == ESRCH);
}

static void dies_with_parent(struct chance *chance) {
    int pipe_ends[2], up[2];
    char byte;
    CHECK(pipe(pipe_ends) == 0 && pipe(up) == 0);
    pid_t child = make();
    if (child == 0) {
        if (make() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            CHECK(write(up[1], "x", 1) == 1);
            for_ever();
        }
        while (read(up[0], &byte, 1) < 0) CHECK(errno == EINTR);
        moment(chance);
        _exit(8);
    }
    close(up[0]);
    close(up[1]);
    exited(child, 8);
    until_gone(pipe_ends);
}

static void inherits_orphans(struct chance *chance) {
    int n = 1 + pick(chance, 3);
    pid_t child = make();
    if (child == 0) {
        CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
        pid_t middle = make();
        if (middle == 0) {
            for (int i = 0; i < n; i++)
                if (make() == 0) {
                    moment(chance);
                    _exit(9);
                }
            _exit(10);
        }
        int status, nines = 0, tens = 0;
        pid_t got;
        while ((got = waitpid(-1, &status, 0)) > 0 || errno == EINTR) {
            if (got <= 0) continue;
            nines += WIFEXITED(status) && WEXITSTATUS(status) == 9;
            tens += WIFEXITED(status) && WEXITSTATUS(status) == 10;
        }
        CHECK(nines == n && tens == 1);
        _exit(11);
    }
    exited(child, 11);
}

static const struct { const char *name; void (*play)(struct chance *); } scenes[] = {
    {"ends", ends}, {"is_killed", is_killed}, {"kills_itself", kills_itself}, {"crashes", crashes},
    {"vforks", vforks}, {"clones", clones}, {"clones_a_sibling", clones_a_sibling}, {"threads", threads},
    {"thread_forks", thread_forks}, {"leader_first", leader_first}, {"each_by_itself", each_by_itself},
    {"thread_executes", thread_executes}, {"all_at_once", all_at_once}, {"stops", stops},
    {"stop_storm", stop_storm}, {"real_time", real_time}, {"orphans", orphans}, {"groups", groups},
    {"killed_while_forking", killed_while_forking}, {"killed_while_breeding", killed_while_breeding},
    {"killed_while_vforking", killed_while_vforking}, {"thread_dies", thread_dies},
    {"nobody_waits", nobody_waits}, {"looks_first", looks_first}, {"dies_with_parent", dies_with_parent},
    {"inherits_orphans", inherits_orphans},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* --- A seed -------------------------------------------------------------------------------------- */

enum { STEPS = 16, AT_ONCE = 3, DAEMONS = 3 };

struct step {
    int executes;       /* 0: not; else from which thread, and what the others do */
    int scenes, scene[AT_ONCE];
    int in_main;        /* the only scene is played by the main process */
    int daemon;         /* leaves one behind */
    int besides, beside[2];
    struct chance chance;
};

static int steps_of(uint64_t seed) { return 2 + mix(seed, 5) % (STEPS - 2); }

static struct step step_of(uint64_t seed, int number) {
    struct step step = {.chance = {mix(seed, 1000 + number)}};
    struct chance *chance = &step.chance;
    if (pick(chance, 5) == 0) step.executes = 1 + pick(chance, 4);
    step.scenes = 1 + pick(chance, AT_ONCE);
    for (int i = 0; i < step.scenes; i++) step.scene[i] = pick(chance, SCENES);
    step.in_main = step.scenes == 1 && pick(chance, 2);
    step.daemon = pick(chance, 12) == 0;
    if (pick(chance, 3) == 0) step.besides = 1 + pick(chance, 2);
    for (int i = 0; i < step.besides; i++) step.beside[i] = pick(chance, 4);
    return step;
}

static int count_of(uint64_t seed) {
    int count = 0;
    for (int i = 0; i < steps_of(seed); i++) {
        struct step step = step_of(seed, i);
        for (int s = 0; s < step.scenes; s++) count += 1 + step.scene[s];
        if (step.executes) count += 100;
    }
    return count;
}

struct end {
    int signal, code;
    int way;
    struct chance chance;
};

static struct end end_of(uint64_t seed) {
    struct end end = {.chance = {mix(seed, 7)}};
    end.way = pick(&end.chance, 9);
    end.code = pick(&end.chance, 3) ? 0 : some_code(&end.chance);
    if (end.way >= 6) end.signal = some_signal(&end.chance);
    return end;
}

static struct end the_end;

static void *ends_for_all(void *unused) {
    moment(&the_end.chance);
    _exit(the_end.code);
    return unused;
}

static void *dies_for_all(void *unused) {
    moment(&the_end.chance);
    syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), the_end.signal);
    for_ever();
    return unused;
}

static void *lingers(void *unused) {
    usleep(2000);
    end_thread(the_end.code);
    return unused;
}

static void *executes_the_end(void *unused) {
    again("exit", the_end.code);
    return unused;
}

static void come_to(struct end end) {
    the_end = end;
    struct chance *chance = &the_end.chance;
    quiet = 0;
    /* Threads that do not end would keep a program alive whose leader leaves without exit_group. */
    if (end.way != 3)
        for (int n = pick(chance, 3); n > 0; n--) thread_of(besides[pick(chance, 4)], NULL);
    pid_t parent = getpid();
    switch (end.way) {
    case 0: _exit(end.code);
    case 1: exit(end.code);
    case 2: thread_of(ends_for_all, NULL); pthread_exit(NULL);
    case 3: thread_of(lingers, NULL); end_thread(end.code);
    case 4: thread_of(ends_for_all, NULL); for_ever();
    case 5: thread_of(executes_the_end, NULL); end_thread(44);
    case 6: kill(getpid(), end.signal); for_ever();
    case 7: thread_of(dies_for_all, NULL); pthread_exit(NULL);
    default:
        if (make() == 0) {
            kill(parent, end.signal);
            _exit(0);
        }
        for_ever();
    }
}

/* --- The main process ---------------------------------------------------------------------------- */

static void daemonize(void) {
    pid_t middle = make();
    if (middle == 0) {
        setsid();
        if (make() == 0) {
            for (int signal_number = 1; signal_number < 65; signal_number++) signal(signal_number, SIG_IGN);
            for_ever();
        }
        _exit(12);
    }
    exited(middle, 12);
}

static void play(int scene, uint64_t seed) {
    struct chance chance = {seed};
    scene_name = (char *)scenes[scene].name;
    scenes[scene].play(&chance);
}

static int seed_argument, next_step, daemons_made;

_Noreturn static void anew(void) {
    char numbers[3][16];
    snprintf(numbers[0], 16, "%d", seed_argument);
    snprintf(numbers[1], 16, "%d", next_step);
    snprintf(numbers[2], 16, "%d", daemons_made);
    execl(self, self, numbers[0], numbers[1], numbers[2], (char *)NULL);
    _exit(97);
}

static void *anew_in_thread(void *unused) {
    moment(&beside_chance[0]);
    anew();
    return unused;
}

static void one_step(struct step step) {
    pthread_t beside[2];
    pid_t players[AT_ONCE];
    quiet = 0;
    for (int i = 0; i < step.besides; i++) beside[i] = thread_of(besides[step.beside[i]], NULL);
    if (step.in_main) play(step.scene[0], mix(step.chance.state, 20));
    else {
        for (int i = 0; i < step.scenes; i++) {
            players[i] = make();
            if (players[i] == 0) {
                play(step.scene[i], mix(step.chance.state, 30 + i));
                _exit(0);
            }
            moment(&step.chance);
        }
        for (int i = 0; i < step.scenes; i++) exited(players[i], 0);
    }
    scene_name = "main";
    if (step.daemon && daemons_made < DAEMONS) {
        daemonize();
        daemons_made++;
    }
    beside_chance[0].state = mix(step.chance.state, 40);
    switch (step.executes) {
    case 1: anew();
    case 2: thread_of(anew_in_thread, NULL); for_ever();
    case 3: thread_of(anew_in_thread, NULL); pthread_exit(NULL);
    case 4: thread_of(anew_in_thread, NULL); end_thread(55);
    default: break;
    }
    quiet = 1;
    for (int i = 0; i < step.besides; i++) pthread_join(beside[i], NULL);
}

int main(int argc, char **argv) {
    self = argv[0];
    if (argc == 3 && !strcmp(argv[1], "exit")) return atoi(argv[2]);
    if (argc == 3 && !strcmp(argv[1], "plan")) {
        struct end end = end_of(atoi(argv[2]));
        printf("%s %d count %d\n", end.signal ? "signal" : "exit", end.signal ? end.signal : end.code,
               count_of(atoi(argv[2])));
        return 0;
    }
    if (argc < 2) return 96;
    seed_argument = atoi(argv[1]);
    next_step = argc > 2 ? atoi(argv[2]) : 0;
    daemons_made = argc > 3 ? atoi(argv[3]) : 0;
    be_ready();
    while (next_step < steps_of(seed_argument)) one_step(step_of(seed_argument, next_step++));
    char line[32];
    int length = snprintf(line, sizeof line, "count %d\n", count_of(seed_argument));
    if (write(1, line, length) != length) return 95;
    come_to(end_of(seed_argument));
    return 94;
}
