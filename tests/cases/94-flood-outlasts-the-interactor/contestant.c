/* asks for ever, and never reads an answer */
#include <stdio.h>
int main(void) {
    for (;;) puts("? 0");
}
