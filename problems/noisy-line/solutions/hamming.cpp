// A Hamming code: the places of all ones, counted from 1, have the exclusive or 0. If one bit was turned
// over, it is its place instead.
#include <iostream>
#include <string>
using namespace std;

const int LENGTH = 21;  // 16 bits, and one for each power of two below

bool holds_data(int place) { return place & (place - 1); }

int main() {
    string order, text;
    cin >> order >> text;
    string bits(LENGTH, '0');
    int sum = 0;
    if (order == "encode") {
        int number = stoi(text);
        for (int place = 1; place <= LENGTH; place++) {
            if (!holds_data(place)) continue;
            if (number & 1) bits[place - 1] = '1', sum ^= place;
            number >>= 1;
        }
        for (int power = 1; power <= LENGTH; power *= 2)
            if (sum & power) bits[power - 1] = '1';
        cout << bits << endl;
    } else {
        bits = text;
        for (int place = 1; place <= LENGTH; place++)
            if (bits[place - 1] == '1') sum ^= place;
        if (sum) bits[sum - 1] ^= 1;
        int number = 0;
        for (int place = LENGTH; place >= 1; place--)
            if (holds_data(place)) number = 2 * number + (bits[place - 1] - '0');
        cout << number << endl;
    }
}
