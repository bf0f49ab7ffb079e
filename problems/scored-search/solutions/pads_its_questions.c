/* Output limit: writes its questions in a column 900 letters wide, and never reads. */
#include <stdio.h>

int main(void) {
    for (;;) printf("? %900d\n", 1);
}
