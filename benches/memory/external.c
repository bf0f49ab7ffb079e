/* External merge sort: pieces that fit are sorted and written out as runs, and the runs merged.
 *
 *     external MEMORY THREADS OUTPUT
 *
 * A quarter of the memory holds a piece, because qsort may ask for as much again. With threads,
 * each sorts its part of the piece into a run of its own. Half of the memory is for the buffers of
 * the merge. The runs are written to standard output, which is all that a program alone in a sandbox
 * may write to, and the sorted numbers after them. OUTPUT is the name by which the runs can be read.
 */
#include <pthread.h>

#include "sort.h"

enum { MOST_RUNS = 4096, MOST_THREADS = 16, STACK = 64 << 10 };

struct run {
    off_t next, end; /* of what is not yet in the buffer */
    int32_t *buffer;
    size_t at, filled; /* numbers */
};

static struct run runs[MOST_RUNS];
static size_t heap[MOST_RUNS];

struct part {
    int32_t *values;
    size_t count;
};

static void *sort_part(void *argument)
{
    struct part *part = argument;
    qsort(part->values, part->count, sizeof *part->values, by_value);
    return NULL;
}

/* Sorts each part by a thread of its own, the last by this one. */
static void sort_parts(struct part *parts, size_t count)
{
    pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    /* By default a stack is as large as a main thread's may become. */
    pthread_attr_setstacksize(&attributes, STACK);
    for (size_t number = 0; number + 1 < count; number++)
        if (pthread_create(&threads[number], &attributes, sort_part, &parts[number]) != 0)
            fail(3, "no thread could be started");
    sort_part(&parts[count - 1]);
    for (size_t number = 0; number + 1 < count; number++)
        pthread_join(threads[number], NULL);
}

static void *memory(size_t bytes)
{
    void *found = malloc(bytes);
    if (!found)
        fail(3, "no memory");
    return found;
}

/* Writes the runs; how many there are. */
static size_t split(size_t bytes, size_t budget, size_t threads)
{
    size_t room = budget / 4 / sizeof(int32_t), made = 0;
    int32_t *piece = memory(room * sizeof *piece);
    for (size_t done = 0; done < bytes;) {
        size_t now = bytes - done < room * sizeof *piece ? bytes - done : room * sizeof *piece;
        size_t count = now / sizeof *piece, each = (count + threads - 1) / threads, used = 0;
        struct part parts[MOST_THREADS];
        read_at(STDIN_FILENO, piece, now, (off_t)done);
        for (size_t first = 0; first < count; first += each) {
            size_t size = count - first < each ? count - first : each;
            parts[used++] = (struct part){piece + first, size};
        }
        sort_parts(parts, used);
        append(piece, now);
        for (size_t number = 0; number < used; number++) {
            off_t begin = (off_t)done + (parts[number].values - piece) * (off_t)sizeof *piece;
            if (made == MOST_RUNS)
                fail(2, "too many runs: give more memory");
            runs[made++] = (struct run){
                .next = begin, .end = begin + (off_t)(parts[number].count * sizeof *piece)};
        }
        done += now;
    }
    free(piece);
    return made;
}

/* Makes sure that there is a number in the buffer; false at the end of the run. */
static int fill(struct run *run, int fd, size_t room)
{
    if (run->at < run->filled)
        return 1;
    size_t left = (size_t)(run->end - run->next), now = room * sizeof(int32_t);
    if (left == 0)
        return 0;
    now = left < now ? left : now;
    read_at(fd, run->buffer, now, run->next);
    run->next += (off_t)now;
    run->at = 0;
    run->filled = now / sizeof(int32_t);
    return 1;
}

static int32_t head(size_t run)
{
    return runs[run].buffer[runs[run].at];
}

static void sift_down(size_t place, size_t size)
{
    size_t moved = heap[place];
    for (size_t child; (child = 2 * place + 1) < size; place = child) {
        if (child + 1 < size && head(heap[child + 1]) < head(heap[child]))
            child++;
        if (head(heap[child]) >= head(moved))
            break;
        heap[place] = heap[child];
    }
    heap[place] = moved;
}

static void merge(size_t count, size_t budget, const char *output)
{
    int fd = open(output, O_RDONLY);
    if (fd < 0)
        fail(4, "failed to open the output for reading");
    /* One buffer for each run, and two parts of the same size for the output. */
    size_t room = budget / 2 / (count + 2) / sizeof(int32_t), size = 0, waiting = 0;
    if (room == 0)
        fail(2, "too many runs: give more memory");
    int32_t *buffers = memory(room * (count + 2) * sizeof *buffers);
    int32_t *out = buffers + room * count;
    for (size_t run = 0; run < count; run++) {
        runs[run].buffer = buffers + room * run;
        if (fill(&runs[run], fd, room))
            heap[size++] = run;
    }
    for (size_t place = size / 2; place-- > 0;)
        sift_down(place, size);
    while (size > 0) {
        struct run *least = &runs[heap[0]];
        out[waiting++] = least->buffer[least->at++];
        if (waiting == 2 * room) {
            append(out, waiting * sizeof *out);
            waiting = 0;
        }
        if (!fill(least, fd, room))
            heap[0] = heap[--size];
        if (size > 0)
            sift_down(0, size);
    }
    append(out, waiting * sizeof *out);
    free(buffers);
}

int main(int argc, char **argv)
{
    size_t budget = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t threads = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (argc != 4 || budget < 64 << 10 || threads < 1 || threads > MOST_THREADS)
        fail(2, "usage: external MEMORY THREADS OUTPUT, at least 65536 bytes, 1 to 16 threads");
    merge(split(input_size(), budget, threads), budget, argv[3]);
    return sorted();
}
