/* What ordinary C programs do: see ../table.toml. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 4

static void answer(void) {
    long number;
    while (scanf("%ld", &number) == 1) {
        printf("%ld\n", 2 * number);
        fflush(stdout);
    }
}

static void *sum(void *part) {
    long first = *(long *)part, total = 0;
    for (long i = 0; i < 1000000; i++) total += first + i % 7;
    *(long *)part = total;
    return NULL;
}

static void threads(void) {
    pthread_t workers[WORKERS];
    long parts[WORKERS], total = 0;
    for (long i = 0; i < WORKERS; i++) {
        parts[i] = i;
        if (pthread_create(&workers[i], NULL, sum, &parts[i]) != 0) exit(3);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
        total += parts[i];
    }
    printf("%ld\n", total);
}

/* So much memory, every byte written. */
static volatile char *fill(size_t size) {
    char *memory = malloc(size);
    if (memory == NULL) exit(4);
    memset(memory, 1, size);
    return memory;
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "hello") == 0) {
        printf("hello\n");
    } else if (strcmp(what, "answer") == 0) {
        answer();
    } else if (strcmp(what, "threads") == 0) {
        threads();
    } else if (strcmp(what, "heap") == 0) {
        printf("%d\n", fill(200 << 20)[12345]);
    } else if (strcmp(what, "crash") == 0) {
        volatile int *nowhere = NULL;
        return *nowhere;
    } else if (strcmp(what, "exhaust") == 0) {
        for (;;) fill(1 << 20);
    } else {
        return 2;
    }
    return 0;
}
