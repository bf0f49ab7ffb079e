/* Does nothing, and says how much address space that took: the footprint of every program that is
 * linked as the sorts are. */
#include "sort.h"

int main(void)
{
    say_kib("address_space_kib", "VmPeak:");
    return sorted();
}
