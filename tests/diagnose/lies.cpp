// Damages the standard streams in the way that its argument names, says "ready" on descriptor 2 and
// waits for input, without ever touching them again.
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

static uint64_t state = 0x9e3779b97f4a7c15;
static uint64_t chance() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static char *unmapped() {
    void *at = mmap(nullptr, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(at, 1 << 16);
    return static_cast<char *>(at);
}

// What can be damaged: the stream object, its buffer, and forged virtual tables and names.
struct Target {
    char *at;
    size_t size;
};
static char forged[4096];
static Target targets[3];

static uint64_t word() {
    const Target &target = targets[chance() % 3];
    switch (chance() % 6) {
    case 0: return chance();
    case 1: return chance() % 4096;
    case 2: return -(chance() % 4096);
    default: return reinterpret_cast<uintptr_t>(target.at) + chance() % target.size;
    }
}

// Damages a few words at a time and repairs them, so that a look gets now here and now there.
static void store_for_ever() {
    static char sound[3][4096];
    for (int i = 0; i < 3; i++) std::memcpy(sound[i], targets[i].at, targets[i].size);
    for (;;) {
        for (int stores = 1 + chance() % 4; stores > 0; stores--) {
            const Target &target = targets[chance() % 3];
            const uint64_t value = word();
            std::memcpy(target.at + chance() % (target.size - 7), &value, 8);
        }
        usleep(chance() % 500);
        for (int i = 0; i < 3; i++) std::memcpy(targets[i].at, sound[i], targets[i].size);
    }
}

static void set(void *object, size_t index, const void *value) {
    std::memcpy(static_cast<char *>(object) + 8 * index, &value, 8);
}

int main(int argc, char **argv) {
    const std::string way = argc > 1 ? argv[1] : "";
    std::ios::sync_with_stdio(false);
    std::cout << "? 50\n";
    void *const stream = &std::cout;
    void *const buffer = std::cout.rdbuf();
    char **const words = reinterpret_cast<char **>(forged);
    if (way == "no-table") {
        set(stream, 0, unmapped());
    } else if (way == "base-far-away") {
        words[0] = reinterpret_cast<char *>(INTPTR_MAX);
        set(stream, 0, &words[3]);
    } else if (way == "no-type") {
        set(buffer, 0, unmapped());
    } else if (way == "endless-name") {
        std::memset(forged, 'x', sizeof forged);
        words[0] = forged;
        words[2] = reinterpret_cast<char *>(&words[4]);
        set(buffer, 0, &words[1]);
        words[0] = reinterpret_cast<char *>(&words[1]);
    } else if (way == "huge") {
        set(buffer, 5, reinterpret_cast<void *>(INTPTR_MAX));
    } else if (way == "backwards") {
        set(buffer, 5, nullptr);
    } else if (way == "no-file") {
        set(buffer, 13, unmapped());
    } else if (way == "random") {
        targets[0] = {static_cast<char *>(stream), sizeof std::cout};
        targets[1] = {static_cast<char *>(buffer), 112};
        targets[2] = {forged, sizeof forged};
        std::thread(store_for_ever).detach();
    } else {
        return 3;
    }
    if (write(2, "ready\n", 6) != 6) return 4;
    char byte;
    const auto read_bytes = read(0, &byte, 1);
    _exit(read_bytes < 0);
}
