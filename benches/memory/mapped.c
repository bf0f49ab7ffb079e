/* The output is a copy of the input, mapped into memory and sorted there: what does not fit is
 * written out and read in again by the kernel.
 *
 *     mapped MEMORY             by qsort, which in glibc asks for as much memory again
 *     mapped MEMORY in-place    by a quicksort that takes none
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

int main(int argc, char **argv)
{
    size_t bytes = input_size();
    for (size_t done = 0; done < bytes;) {
        size_t now = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        read_at(STDIN_FILENO, piece, now, (off_t)done);
        append(piece, now);
        done += now;
    }
    int fd = output_again(O_RDWR | O_APPEND);
    int32_t *values = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (values == MAP_FAILED)
        fail(3, "the file cannot be mapped");
    if (argc > 2 && strcmp(argv[2], "in-place") == 0)
        quicksort(values, bytes / sizeof *values);
    else
        qsort(values, bytes / sizeof *values, sizeof *values, by_value);
    return sorted();
}
