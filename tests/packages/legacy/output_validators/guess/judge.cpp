#include "judge.h"

#include <cstdlib>
#include <fstream>

namespace judge {
static std::string place;

void messages(const std::string& folder) { place = folder + "/judgemessage.txt"; }

static void end(const std::string& why, int code) {
    std::ofstream(place) << why << '\n';
    std::exit(code);
}

void accept(const std::string& why) {
    end(why, 42);
    std::abort();
}

void reject(const std::string& why) {
    end(why, 43);
    std::abort();
}
}  // namespace judge
