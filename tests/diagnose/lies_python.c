/* Has what a Python interpreter has, as far as a look goes by it, and damages it in the way that its
 * argument names. Says "ready" on descriptor 2 and waits for input. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t word;

/* An object has its count of references, its type, and what follows. */
word PyDict_Type[5], PyUnicode_Type[5], PyBytes_Type[5], PyList_Type[5];
word _PyRuntime[512];

static word *dict, *keys, *key, *stream, *writer, *file, *list, *text;

static word *object(word type, int words) {
    word *made = calloc(words, 8);
    made[0] = 1;
    made[1] = type;
    return made;
}

static word type(const char *name, word size) {
    word *made = object(0, 5);
    made[3] = (word)name;
    made[4] = size;
    return (word)made;
}

static void build(void) {
    text = object((word)PyUnicode_Type, 8);
    text[2] = 5;
    memcpy(text + 6, "? 50\n", 6);
    list = object((word)PyList_Type, 5);
    list[2] = 1;
    list[3] = (word)calloc(4, 8);
    *(word *)list[3] = (word)text;
    file = object(type("_io.FileIO", 64), 8);
    file[2] = 1;
    writer = object(type("_io.BufferedWriter", 144), 18);
    writer[2] = (word)file;
    stream = object(type("_io.TextIOWrapper", 192), 24);
    stream[4] = (word)writer;
    stream[17] = (word)list;
    stream[18] = 5;
    key = object((word)PyUnicode_Type, 8);
    key[2] = 6;
    memcpy(key + 6, "stdout", 7);
    keys = calloc(512, 8);
    keys[20] = (word)key;
    keys[21] = (word)stream;
    dict = object((word)PyDict_Type, 6);
    dict[2] = 90;
    dict[4] = (word)keys;
    _PyRuntime[200] = (word)dict;
}

static word any(void) {
    word *known[] = {dict, keys, key, stream, writer, file, list, text, _PyRuntime, PyDict_Type};
    word *one = known[rand() % 10];
    switch (rand() % 5) {
    case 0: return rand() % 300;
    case 1: return ~0ull - rand() % 64;
    case 2: return (word)one + rand() % 64;
    case 3: return 1ull << rand() % 64;
    default: return (word)one;
    }
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    build();
    if (!strcmp(way, "huge-list")) {
        list[2] = 1ull << 61;
    } else if (!strcmp(way, "long-list")) {
        /* As long as memory allows to read, and all the same text. */
        list[2] = 1 << 19;
        word *items = calloc(1 << 19, 8);
        for (int i = 0; i < 1 << 19; i++) items[i] = (word)text;
        list[3] = (word)items;
        stream[18] = 5ull << 19;
    } else if (!strcmp(way, "huge-text")) {
        text[2] = stream[18] = 1ull << 62;
    } else if (!strcmp(way, "wrap")) {
        text[2] = stream[18] = ~0ull - 40;
    } else if (!strcmp(way, "list-of-itself")) {
        *(word *)list[3] = (word)list;
    } else if (!strcmp(way, "many-dictionaries")) {
        /* Each of them as `sys` could have. */
        for (int i = 0; i < 512; i++) {
            word *other = object((word)PyDict_Type, 6);
            other[2] = 90;
            other[4] = (word)calloc(2048, 8);
            for (int k = 0; k < 2048; k++) ((word *)other[4])[k] = (word)text;
            _PyRuntime[i] = (word)other;
        }
    } else if (!strcmp(way, "writer-of-everything")) {
        writer[8] = (word)writer;
        writer[9] = writer[13] = 1ull << 60;
    } else if (!strcmp(way, "random")) {
        if (write(2, "ready\n", 6) != 6) return 3;
        word *places[] = {dict, keys, key, stream, writer, file, list, text, _PyRuntime, (word *)list[3]};
        int lengths[] = {6, 64, 8, 24, 18, 8, 5, 8, 256, 4};
        for (;;) {
            int which = rand() % 10;
            volatile word *place = places[which] + rand() % lengths[which];
            word before = *place;
            *place = any();
            for (volatile int i = rand() % 20000; i; i--) {}
            *place = before;
        }
    } else if (strcmp(way, "honest")) {
        return 2;
    }
    char byte;
    if (write(2, "ready\n", 6) != 6) return 3;
    return read(0, &byte, 1) != 1;
}
