/* As little as a program can do: nothing, or one side of a dialogue of one question and one answer.
 *
 *     tiny           ends at once
 *     tiny ask       asks, and waits for the answer
 *     tiny answer    waits for the question, and answers
 *
 * Further words are ignored: an interactor is given the names of its files.
 * Exit codes: 0 done, 2 the other side fell silent, 3 a write failed.
 */
#include <string.h>
#include <unistd.h>

static int say(const char *line)
{
    size_t length = strlen(line);
    return write(STDOUT_FILENO, line, length) == (ssize_t)length;
}

static int hear(void)
{
    char byte;
    while (read(STDIN_FILENO, &byte, 1) == 1)
        if (byte == '\n')
            return 1;
    return 0;
}

int main(int count, char **words)
{
    if (count < 2)
        return 0;
    int asks = strcmp(words[1], "ask") == 0;
    if (asks && !say("?\n"))
        return 3;
    if (!hear())
        return 2;
    if (!asks && !say("!\n"))
        return 3;
    return 0;
}
