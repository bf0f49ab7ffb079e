/* The file is mapped into memory and sorted there.
 *
 *     mapped private
 *
 * maps its input, which it may not change: the kernel gives it a copy of each page that it writes to.
 *
 *     mapped shared HOW INPUT OUTPUT
 *
 * makes OUTPUT a copy of INPUT and maps that: pages that do not fit into memory are written back and
 * read in again. HOW is `qsort`, which in glibc asks for as much memory again, or `in-place`, a
 * quicksort that takes none. The order of the arguments is that of an interactor, which may write
 * to a file of its own.
 */
#include <sys/mman.h>

#include "sort.h"

static char piece[64 << 10];

/* Quicksort with the median of three, the smaller part first, so that the stack stays small. */
static void quicksort(int32_t *values, size_t count)
{
    while (count > 16) {
        int32_t first = values[0], middle = values[count / 2], last = values[count - 1];
        int32_t low = first < middle ? first : middle, high = first < middle ? middle : first;
        int32_t pivot = last < low ? low : last > high ? high : last;
        size_t left = 0, right = count - 1;
        for (;;) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left >= right)
                break;
            int32_t kept = values[left];
            values[left++] = values[right];
            values[right--] = kept;
        }
        /* Everything below `left` is at most the pivot, everything from there on at least. */
        size_t rest = count - left;
        if (left < rest) {
            quicksort(values, left);
            values += left;
            count = rest;
        } else {
            quicksort(values + left, rest);
            count = left;
        }
    }
    for (size_t next = 1; next < count; next++) {
        int32_t value = values[next];
        size_t place = next;
        for (; place > 0 && values[place - 1] > value; place--)
            values[place] = values[place - 1];
        values[place] = value;
    }
}

static int opened(const char *name, int flags)
{
    int fd = open(name, flags, 0644);
    if (fd < 0)
        fail(4, "failed to open a file");
    return fd;
}

static int32_t *mapped(size_t bytes, int flags, int fd)
{
    int32_t *values = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (values == MAP_FAILED)
        fail(3, "no memory for the mapping");
    return values;
}

static void copy(size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        size_t now = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        read_at(STDIN_FILENO, piece, now, (off_t)done);
        append(piece, now);
        done += now;
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "private") == 0) {
        size_t bytes = input_size();
        int32_t *values = mapped(bytes, MAP_PRIVATE, STDIN_FILENO);
        qsort(values, bytes / sizeof *values, sizeof *values, by_value);
        append(values, bytes);
        return sorted();
    }
    if (argc < 5 || strcmp(argv[1], "shared") != 0)
        fail(2, "usage: mapped private, or mapped shared qsort|in-place INPUT OUTPUT");
    /* In the place of the dialogue. */
    dup2(opened(argv[3], O_RDONLY), STDIN_FILENO);
    dup2(opened(argv[4], O_RDWR | O_CREAT | O_EXCL), STDOUT_FILENO);
    size_t bytes = input_size();
    copy(bytes);
    int32_t *values = mapped(bytes, MAP_SHARED, STDOUT_FILENO);
    if (strcmp(argv[2], "in-place") == 0)
        quicksort(values, bytes / sizeof *values);
    else
        qsort(values, bytes / sizeof *values, sizeof *values, by_value);
    return sorted();
}
