// Computes and never asks.
int main() {
    for (volatile long long turns = 0;; turns = turns + 1) {}
}
