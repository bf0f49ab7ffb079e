// Asks without flushing, and waits for the answer.
#include <cstdio>

int main() {
    long long rounds = 0, answer = 0;
    if (std::scanf("%lld", &rounds) != 1) return 0;
    for (long long round = 0; round < rounds; ++round) {
        std::printf("? %lld\n", round);
        if (std::scanf("%lld", &answer) != 1) return 0;
    }
    std::printf("! %lld\n", rounds);
}
