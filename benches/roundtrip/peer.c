/* One side of a ping-pong, as small as a dialogue can be: what a round costs is then the cost of
 * the channel between the two sides.
 *
 *     peer a ROUNDS    asks: writes 9 bytes, waits for a line
 *     peer b ROUNDS    answers: waits for a line, writes 2 bytes
 *
 * Side b is also an interactor in the manner of testlib: it exits with 0, which accepts. The file
 * names that such an interactor is given come after ROUNDS and are ignored.
 *
 * Exit codes: 0 all rounds played, 2 the other side fell silent, 3 a write failed, 4 bad arguments.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int say(const char *line)
{
    size_t length = strlen(line);
    return write(STDOUT_FILENO, line, length) == (ssize_t)length;
}

static int hear(void)
{
    char line[64];
    size_t have = 0;
    while (have == 0 || line[have - 1] != '\n') {
        ssize_t got = read(STDIN_FILENO, line + have, sizeof line - have);
        if (got <= 0)
            return 0;
        have += (size_t)got;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3 || (strcmp(argv[1], "a") != 0 && strcmp(argv[1], "b") != 0))
        return 4;
    int asks = argv[1][0] == 'a';
    long rounds = strtol(argv[2], NULL, 10);
    for (long round = 0; round < rounds; round++) {
        if (asks && !say("? 123456\n"))
            return 3;
        if (!hear())
            return 2;
        if (!asks && !say(">\n"))
            return 3;
    }
    return 0;
}
