// Ends, or stays, in a known function in the way that its first argument names. A line that a test
// looks for is marked with "here: NAME".
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

volatile int zero, sink;
const char way_names[] = "names";
int *volatile nowhere;
void (*volatile no_function)(void);

#define APART __attribute__((noinline, noclone, noipa))
#define PART static inline __attribute__((always_inline))

APART void null_write(void) {
    *nowhere = 7; // here: null-write
    sink++;
}

APART void null_call(void) {
    no_function(); // here: null-call
    sink++;
}

APART int divide(int number) {
    sink = number / zero; // here: divide
    return sink + 1;
}

PART void deepest(void) {
    nowhere[1] = sink; // here: inlined-deepest
}

PART void middle(void) {
    sink++;
    deepest(); // here: inlined-middle
}

APART void around(void) {
    sink++;
    middle(); // here: inlined-around
    sink++;
}

APART int descend(int depth) {
    if (depth == 0) {
        *nowhere = depth; // here: descend-end
    }
    return descend(depth - 1) + sink; // here: descend
}

APART int odd(int depth);

APART int even(int depth) {
    sink = depth;
    return odd(depth + 1) + sink; // here: even
}

APART int odd(int depth) {
    volatile char some[100];
    some[depth & 63] = 1;
    return even(depth + 1) + some[0]; // here: odd
}

APART int fork_in_two(int depth) {
    sink = depth;
    if (depth & 1) {
        return fork_in_two(depth + 1) + 1;
    }
    return fork_in_two(depth + 1) + sink;
}

APART int large(void) {
    volatile char room[64 << 20];
    room[0] = (char)zero; // here: large
    return room[zero];
}

APART void handler(int signal) {
    sink = signal;
    *nowhere = 1; // here: handler
}

APART void raises(void) {
    raise(SIGUSR1); // here: raises
    sink++;
}

APART void interrupted(void) {
    for (;;) {
        sink++; // here: interrupted
    }
}

APART void burn(void) {
    putchar('.');
    fflush(stdout);
    for (;;) {
        sink++; // here: burn
    }
}

APART void waits(void) {
    char byte;
    putchar('.');
    fflush(stdout);
    sink = (int)read(0, &byte, 1); // here: waits
    sink++;
}

APART void *threads_own(void *argument) {
    sink = *(int *)argument;
    null_write(); // here: thread
    return NULL;
}

APART void *threads_descent(void *argument) {
    sink = even(0); // here: thread-descent
    return argument;
}

void in_thread(void *(*function)(void *)) {
    pthread_t thread;
    int number = 5;
    pthread_create(&thread, NULL, function, &number);
    pthread_join(thread, NULL);
}

int compare(const void *a, const void *b) {
    if (*(const int *)a == *(const int *)b) {
        *nowhere = 1; // here: compare
    }
    return *(const int *)a - *(const int *)b;
}

APART void sorts(void) {
    int numbers[] = {3, 1, 2, 3};
    qsort(numbers, 4, sizeof *numbers, compare); // here: sorts
    sink = numbers[0];
}

APART void aborts(void) {
    abort(); // here: aborts
}

#ifdef LIBRARY
int librarys(int (*back)(int));
APART int called_back(int number) {
    *nowhere = number; // here: called-back
    return 1;
}
APART void calls_library(void) {
    sink = librarys(called_back); // here: calls-library
    sink++;
}
#endif

// Frame pointers that lead in a circle.
APART void circle(void) {
    static void *frames[4];
    frames[0] = &frames[2], frames[2] = &frames[0];
    frames[1] = frames[3] = (void *)(size_t)circle;
    __asm__ volatile("mov %0, %%rbp\n\tmov %0, %%rsp\n\txor %%eax, %%eax\n\tmov (%%rax), %%eax"
                     :
                     : "r"(frames)
                     : "memory");
}

// No stack at all.
APART void no_stack(void) {
    __asm__ volatile("mov $0x10, %%rsp\n\tmov $0x18, %%rbp\n\txor %%eax, %%eax\n\tmov (%%rax), %%eax"
                     :
                     :
                     : "memory");
}

// A stack of as many return addresses as there is memory for.
APART void forged(void) {
    size_t count = (size_t)8 << 20;
    void **words = mmap(NULL, count * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < count; i++) {
        words[i] = (char *)(size_t)descend + 32;
    }
    __asm__ volatile("mov %0, %%rsp\n\txor %%eax, %%eax\n\tjmp *%%rax" : : "r"(words) : "memory");
}

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "";
    int number = count > 2 ? atoi(arguments[2]) : 0;
    if (strcmp(way, "null-write") == 0) null_write(); // here: main-null-write
    if (strcmp(way, "null-call") == 0) null_call();
    if (strcmp(way, "divide") == 0) sink = divide(5);
    if (strcmp(way, "inlined") == 0) around(); // here: main-inlined
    if (strcmp(way, "descend") == 0) sink = descend(number); // here: main-descend
    if (strcmp(way, "overflow") == 0) sink = descend(-1); // here: main-overflow
    if (strcmp(way, "two-overflow") == 0) sink = even(0); // here: main-two
    if (strcmp(way, "fork-in-two") == 0) sink = fork_in_two(0);
    if (strcmp(way, "large") == 0) sink = large();
    if (strcmp(way, "handler") == 0) {
        signal(SIGUSR1, handler);
        raises();
    }
    if (strcmp(way, "alternate") == 0) {
        stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&stack, NULL);
        sigaction(SIGALRM, &action, NULL);
        alarm(1);
        interrupted(); // here: main-interrupted
    }
    if (strcmp(way, "burn") == 0) burn();
    if (strcmp(way, "waits") == 0) waits();
    if (strcmp(way, "thread") == 0) in_thread(threads_own);
    if (strcmp(way, "thread-overflow") == 0) in_thread(threads_descent);
    if (strcmp(way, "sorts") == 0) sorts();
    if (strcmp(way, "aborts") == 0) aborts();
    if (strcmp(way, "read-only") == 0) *(volatile char *)way_names = 1;
    if (strcmp(way, "impossible") == 0) sink = *(volatile char *)0x4141414141414141;
    if (strcmp(way, "beyond") == 0) {
        char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(tmpfile()), 0);
        sink = *(volatile char *)page;
    }
    if (strcmp(way, "circle") == 0) circle();
    if (strcmp(way, "no-stack") == 0) no_stack();
    if (strcmp(way, "forged") == 0) forged();
#ifdef LIBRARY
    if (strcmp(way, "library") == 0) calls_library();
#endif
    return 0;
}
