// Idleness limit: reads two lines after each question, one for bulls and one for cows.
#include <iostream>
#include <string>

int main() {
    std::string rounds, bulls, cows;
    std::getline(std::cin, rounds);
    std::cout << "? 0123" << std::endl;
    std::getline(std::cin, bulls);
    std::getline(std::cin, cows);
    std::cout << "? 4567" << std::endl;
}
