/* Ways of letting some milliseconds pass and then going on, by name. None of them waits for input
 * that could come: after each the program has something to say. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    _exit(9);
}

static struct timespec span(long ms) {
    return (struct timespec){ms / 1000, ms % 1000 * 1000000};
}

static struct timeval coarse(long ms) {
    return (struct timeval){ms / 1000, ms % 1000 * 1000};
}

static struct timespec after(clockid_t clock, long ms) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += ms / 1000;
    time.tv_nsec += ms % 1000 * 1000000;
    if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
    return time;
}

static void nap(long ms) {
    struct timespec time = span(ms);
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
}

static void spin(long ms) {
    struct timespec end = after(CLOCK_MONOTONIC, ms), now;
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
}

static void put(int fd) {
    if (write(fd, "x", 1) != 1) fail("write of a byte");
}

static void get(int fd) {
    char byte;
    ssize_t length;
    do length = read(fd, &byte, 1);
    while (length < 0 && errno == EINTR);
    if (length != 1) fail("read of a byte");
}

static void tube(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
}

static pthread_t begin(void *(*work)(void *), void *with) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, with) != 0) fail("pthread_create");
    return thread;
}

static void asleep(long ms) { nap(ms); }

static void until(clockid_t clock, long ms) {
    struct timespec end = after(clock, ms);
    while (clock_nanosleep(clock, TIMER_ABSTIME, &end, NULL) == EINTR) {}
}
static void until_monotonic(long ms) { until(CLOCK_MONOTONIC, ms); }
static void until_real(long ms) { until(CLOCK_REALTIME, ms); }

static void naps(long ms) {
    while (ms-- > 0) nap(1);
}

static void polled(long ms) { poll(NULL, 0, (int)ms); }
static void ppolled(long ms) {
    struct timespec time = span(ms);
    ppoll(NULL, 0, &time, NULL);
}
static void selected(long ms) {
    struct timeval time = coarse(ms);
    select(0, NULL, NULL, NULL, &time);
}
static void pselected(long ms) {
    struct timespec time = span(ms);
    pselect(0, NULL, NULL, NULL, &time, NULL);
}

/* Those that watch standard input meanwhile, where nothing comes before this program speaks. */
static void poll_input(long ms) {
    struct pollfd input = {.events = POLLIN};
    poll(&input, 1, (int)ms);
}
static void ppoll_input(long ms) {
    struct pollfd input = {.events = POLLIN};
    struct timespec time = span(ms);
    ppoll(&input, 1, &time, NULL);
}
static void select_input(long ms) {
    struct timeval time = coarse(ms);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    select(1, &set, NULL, NULL, &time);
}
static void poll_input_often(long ms) {
    for (; ms > 0; ms -= 3) poll_input(3);
}
static void epoll_for(long ms, int fine) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    struct timespec time = span(ms);
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event) != 0) fail("epoll_ctl");
    if (fine) syscall(SYS_epoll_pwait2, epoll, &event, 1, &time, NULL, 8);
    else epoll_wait(epoll, &event, 1, (int)ms);
    close(epoll);
}
static void epoll_input(long ms) { epoll_for(ms, 0); }
static void epoll_fine(long ms) { epoll_for(ms, 1); }

static int ticking(long ms) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct itimerspec when = {.it_value = span(ms > 0 ? ms : 1)};
    if (timer < 0 || timerfd_settime(timer, 0, &when, NULL) != 0) fail("timerfd");
    return timer;
}
static void timerfd_read(long ms) {
    uint64_t ticks;
    int timer = ticking(ms);
    if (read(timer, &ticks, sizeof ticks) != sizeof ticks) fail("timerfd read");
    close(timer);
}
static void timerfd_poll(long ms) {
    struct pollfd fds[2] = {{.fd = 0, .events = POLLIN}, {.events = POLLIN}};
    fds[1].fd = ticking(ms);
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {}
    close(fds[1].fd);
}

static int rung[2];
static void ring(int signal) {
    (void)signal;
    int before = errno;
    put(rung[1]);
    errno = before;
}
/* The handler runs in whichever thread the kernel picks, often one that reads standard input. */
static void itimer(long ms) {
    struct sigaction action = {.sa_handler = ring, .sa_flags = SA_RESTART};
    struct itimerval when = {.it_value = coarse(ms > 0 ? ms : 1)};
    tube(rung);
    if (sigaction(SIGALRM, &action, NULL) != 0) fail("sigaction");
    if (setitimer(ITIMER_REAL, &when, NULL) != 0) fail("setitimer");
    get(rung[0]);
    close(rung[0]), close(rung[1]);
}
static sem_t notified;
static void notify(union sigval value) {
    (void)value;
    sem_post(&notified);
}
static void posix_timer(long ms) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
    struct itimerspec when = {.it_value = span(ms > 0 ? ms : 1)};
    timer_t timer;
    sem_init(&notified, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) fail("timer_create");
    if (timer_settime(timer, 0, &when, NULL) != 0) fail("timer_settime");
    while (sem_wait(&notified) != 0) {}
    timer_delete(timer);
}
static void sigtimed(long ms) {
    struct timespec time = span(ms);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigtimedwait(&set, NULL, &time);
}

static void condition_on(clockid_t clock, long ms) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_condattr_t attributes;
    pthread_cond_t never;
    struct timespec end = after(clock, ms);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, clock);
    pthread_cond_init(&never, &attributes);
    pthread_mutex_lock(&lock);
    while (pthread_cond_timedwait(&never, &lock, &end) == 0) {}
    pthread_mutex_unlock(&lock);
}
static void condition(long ms) { condition_on(CLOCK_MONOTONIC, ms); }
static void condition_real(long ms) { condition_on(CLOCK_REALTIME, ms); }
static void semaphore(long ms) {
    sem_t never;
    struct timespec end = after(CLOCK_REALTIME, ms);
    sem_init(&never, 0, 0);
    while (sem_timedwait(&never, &end) != 0 && errno == EINTR) {}
}
static void locked(long ms) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec end = after(CLOCK_REALTIME, ms);
    pthread_mutex_lock(&lock);
    pthread_mutex_timedlock(&lock, &end);
}
static void futex(long ms) {
    struct timespec time = span(ms);
    uint32_t word = 1;
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &time, NULL, 0);
}

static void *sleeps(void *ms) {
    nap((long)ms);
    return NULL;
}
static void thread_joined(long ms) { pthread_join(begin(sleeps, (void *)ms), NULL); }

struct wake {
    pthread_mutex_t lock;
    pthread_cond_t turned;
    int turn;
    long ms;
    int in, out;
};
static void *signals_late(void *with) {
    struct wake *wake = with;
    nap(wake->ms);
    pthread_mutex_lock(&wake->lock);
    wake->turn = 1;
    pthread_cond_signal(&wake->turned);
    pthread_mutex_unlock(&wake->lock);
    return NULL;
}
static void thread_signals(long ms) {
    struct wake wake = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, ms, 0, 0};
    pthread_t thread = begin(signals_late, &wake);
    pthread_mutex_lock(&wake.lock);
    while (!wake.turn) pthread_cond_wait(&wake.turned, &wake.lock);
    pthread_mutex_unlock(&wake.lock);
    pthread_join(thread, NULL);
}
/* Each of five threads sleeps a while and then wakes the next through a pipe. */
static void *link_of_chain(void *with) {
    struct wake *link = with;
    get(link->in);
    nap(link->ms);
    put(link->out);
    return NULL;
}
static void chain(long ms) {
    enum { LINKS = 5 };
    struct wake links[LINKS];
    pthread_t threads[LINKS];
    int ends[LINKS + 1][2];
    for (int i = 0; i <= LINKS; i++) tube(ends[i]);
    for (int i = 0; i < LINKS; i++) {
        links[i].in = ends[i][0], links[i].out = ends[i + 1][1], links[i].ms = ms / LINKS;
        threads[i] = begin(link_of_chain, &links[i]);
    }
    put(ends[0][1]);
    get(ends[LINKS][0]);
    for (int i = 0; i < LINKS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i <= LINKS; i++) close(ends[i][0]), close(ends[i][1]);
}
/* Two threads wake each other in turn, many times, with nothing else to do. */
static void *plays_back(void *with) {
    struct wake *table = with;
    for (long i = 0; i < table->ms; i++) {
        pthread_mutex_lock(&table->lock);
        while (table->turn != 1) pthread_cond_wait(&table->turned, &table->lock);
        table->turn = 0;
        pthread_cond_broadcast(&table->turned);
        pthread_mutex_unlock(&table->lock);
    }
    return NULL;
}
static void hand_over(long ms) {
    struct wake table = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, ms * 20, 0, 0};
    pthread_t thread = begin(plays_back, &table);
    for (long i = 0; i < table.ms; i++) {
        pthread_mutex_lock(&table.lock);
        table.turn = 1;
        pthread_cond_broadcast(&table.turned);
        while (table.turn != 0) pthread_cond_wait(&table.turned, &table.lock);
        pthread_mutex_unlock(&table.lock);
    }
    pthread_join(thread, NULL);
}

/* A child does something for a while, and this process waits for it in some way. */
static pid_t child(void (*work)(long), long ms, int report) {
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
        work(ms);
        if (report >= 0) put(report);
        _exit(0);
    }
    return pid;
}
static void bury(pid_t pid) {
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}
static void child_sleeps(long ms) { bury(child(nap, ms, -1)); }
static void child_reports(long ms) {
    int ends[2];
    tube(ends);
    pid_t pid = child(spin, ms, ends[1]);
    get(ends[0]);
    close(ends[0]), close(ends[1]);
    bury(pid);
}
static void child_notifies(long ms) {
    uint64_t got;
    int event = eventfd(0, EFD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        uint64_t one = 1;
        nap(ms);
        _exit(write(event, &one, sizeof one) != sizeof one);
    }
    if (read(event, &got, sizeof got) != sizeof got) fail("eventfd");
    close(event);
    bury(pid);
}
static void child_talks(long ms) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    pid_t pid = child(nap, ms, ends[1]);
    get(ends[0]);
    close(ends[0]), close(ends[1]);
    bury(pid);
}
static void child_holds_lock(long ms) {
    pthread_mutex_t *lock = mmap(NULL, sizeof *lock, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    int ends[2];
    if (lock == MAP_FAILED) fail("mmap");
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(lock, &shared);
    tube(ends);
    pid_t pid = fork();
    if (pid == 0) {
        pthread_mutex_lock(lock);
        put(ends[1]);
        nap(ms);
        pthread_mutex_unlock(lock);
        _exit(0);
    }
    get(ends[0]);
    pthread_mutex_lock(lock);
    munmap(lock, sizeof *lock);
    close(ends[0]), close(ends[1]);
    bury(pid);
}
static void child_continues(long ms) {
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        nap(ms + 1);
        while (getppid() == parent) {
            kill(parent, SIGCONT);
            nap(1);
        }
        _exit(0);
    }
    kill(parent, SIGSTOP);
    kill(pid, SIGKILL);
    bury(pid);
}

static void computes(long ms) { spin(ms); }
static void yields(long ms) {
    struct timespec end = after(CLOCK_MONOTONIC, ms), now;
    do sched_yield(), clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
}
static void at_once(long ms) { (void)ms; }

/* A read that ends by itself: nobody writes, but the socket has a timeout. */
static void socket_timeout(long ms) {
    struct timeval time = coarse(ms > 0 ? ms : 1);
    int ends[2];
    char byte;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) != 0) nap(ms);
    else while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {}
    close(ends[0]), close(ends[1]);
}

static const struct {
    const char *name;
    void (*pass)(long ms);
} MOVES[] = {
    {"at-once", at_once}, {"sleep", asleep}, {"until", until_monotonic}, {"until-real", until_real},
    {"naps", naps}, {"poll", polled}, {"ppoll", ppolled}, {"select", selected},
    {"pselect", pselected}, {"poll-input", poll_input}, {"ppoll-input", ppoll_input},
    {"select-input", select_input}, {"poll-input-often", poll_input_often},
    {"epoll-input", epoll_input}, {"epoll-fine", epoll_fine}, {"timerfd", timerfd_read},
    {"timerfd-poll", timerfd_poll}, {"itimer", itimer}, {"posix-timer", posix_timer},
    {"sigtimedwait", sigtimed}, {"condition", condition}, {"condition-real", condition_real},
    {"semaphore", semaphore}, {"mutex", locked}, {"futex", futex}, {"thread", thread_joined},
    {"thread-signals", thread_signals}, {"chain", chain}, {"hand-over", hand_over},
    {"child", child_sleeps}, {"child-reports", child_reports}, {"child-notifies", child_notifies},
    {"child-talks", child_talks}, {"child-holds-lock", child_holds_lock},
    {"child-continues", child_continues}, {"compute", computes}, {"yield", yields},
    {"socket-timeout", socket_timeout},
};

/* `name:milliseconds` */
static void move(const char *words) {
    const char *colon = strchr(words, ':');
    size_t length = colon ? (size_t)(colon - words) : strlen(words);
    for (size_t i = 0; i < sizeof MOVES / sizeof *MOVES; i++)
        if (strlen(MOVES[i].name) == length && !strncmp(MOVES[i].name, words, length))
            return MOVES[i].pass(colon ? atol(colon + 1) : 0);
    fprintf(stderr, "no move is called %s\n", words);
    _exit(7);
}
