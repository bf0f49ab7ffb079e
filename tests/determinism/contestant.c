/* contestant WHAT HOW: says something right, wrong or nothing, and in the same instant ends badly */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) return 9;
    if (!strcmp(argv[1], "wrong")) printf("! 0\n");
    if (!strcmp(argv[1], "right")) printf("! 7\n");
    fflush(stdout);
    if (!strcmp(argv[2], "abort")) abort();
    if (!strcmp(argv[2], "null")) *(volatile int *)0 = 1;
    return 1;
}
