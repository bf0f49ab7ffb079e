/* The whole file in memory, and qsort. Whether there is so much memory is not asked, as naive
 * programs do not ask: without it, this dies of a write to address 0. */
#include "sort.h"

int main(void)
{
    size_t bytes = input_size();
    int32_t *values = malloc(bytes);
    /* By the program's own hand: the kernel would answer a read into nowhere with an error. */
    *(volatile int32_t *)values = 0;
    read_at(STDIN_FILENO, values, bytes, 0);
    qsort(values, bytes / sizeof *values, sizeof *values, by_value);
    append(values, bytes);
    return sorted();
}
