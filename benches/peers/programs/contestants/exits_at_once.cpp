// Ends with exit code 0 before it has said anything.
int main() {}
