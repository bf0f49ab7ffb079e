// An interactor on testlib.h that leaves by the exit that the test's input file names.
#include "testlib.h"

int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    std::string way = inf.readToken();
    int number = ouf.readInt(0, 1000);
    tout << number << std::endl;
    if (way == "ok") quitf(_ok, "%d it is", number);
    if (way == "wa") quitf(_wa, "%d it is not", number);
    if (way == "pe") quitf(_pe, "%d is written badly", number);
    if (way == "fail") quitf(_fail, "the jury has no idea about %d", number);
    if (way == "points") quitp(12.5, "for %d", number);
    if (way == "partially") quitf(_pc(30), "for %d", number);
    // Exit codes of the partial results 1 and 3 are those of wrong answer and of a failure.
    if (way == "partially-1") quitf(_pc(1), "for %d", number);
    if (way == "partially-3") quitf(_pc(3), "for %d", number);
    if (way == "two") {
        number = ouf.readInt();
        quitf(_ok, "and %d", number);
    }
    if (way == "only") {
        if (!ouf.seekEof()) quitf(_pe, "more than one number");
        quitf(_ok, "only %d", number);
    }
    quitf(_fail, "no such way: %s", way.c_str());
}
