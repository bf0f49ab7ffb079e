// Not the real one: what the interactor of this package needs of it, written for the tests.
#pragma once
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3 };

[[noreturn]] inline void quit(TResult result, const std::string& why) {
    static const char* words[] = {"ok ", "wrong answer ", "wrong output format ", "FAIL "};
    std::cerr << words[result] << why << std::endl;
    std::exit(result);
}
