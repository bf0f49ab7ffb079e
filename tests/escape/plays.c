/* Says `safe`, and does nothing else. */
#include "../programs/attack.h"

int main(void) { return safe(); }
