/* Does nothing, and says how much address space that took: the footprint of every program that is
 * linked as the sorts are. */
#include "sort.h"

int main(void)
{
    (void)by_value;
    (void)input_size;
    (void)read_at;
    (void)append;
    (void)output_again;
    say_kib("address_space_kib", "VmPeak:");
    return sorted();
}
