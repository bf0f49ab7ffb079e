/* Either side of a dialogue that is over at once. */
int main(void) { return 0; }
