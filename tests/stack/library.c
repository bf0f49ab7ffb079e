// A shared library that calls back.
int librarys(int (*back)(int)) {
    int sum = back(1); // here: librarys
    return sum + 1;
}
