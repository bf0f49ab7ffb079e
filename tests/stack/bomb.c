// A crash in a program whose debug information is written by hand, against whoever reads it.
#ifdef NESTED
// Each entry is a call that was made part of the one before.
#define ATTRIBUTES ".byte 0x11,0x01,0x12,0x07,0,0\n"
#define ENTRIES ".rept 1000000\n.byte 2\n.quad main\n.quad 4096\n.endr\n.zero 1000001\n"
#define KIND "0x1d"
#else
// Each entry has very many attributes, of a form that takes no bytes.
#define ATTRIBUTES ".rept 1000000\n.byte 0x3f,0x19\n.endr\n.byte 0,0\n"
#define ENTRIES ".fill 1000000,1,2\n.byte 0\n"
#define KIND "0x2e"
#endif

__asm__(".section .debug_abbrev,\"\",@progbits\n"
        ".byte 1,0x11,1,0x11,0x01,0x12,0x07,0,0\n"
        ".byte 2," KIND
#ifdef NESTED
        ",1\n"
#else
        ",0\n"
#endif
        ATTRIBUTES ".byte 0\n"
        ".section .debug_info,\"\",@progbits\n"
        "begin: .long end - begin - 4\n"
        ".short 4\n.long 0\n.byte 8\n"
        ".byte 1\n.quad main\n.quad 4096\n" ENTRIES "end:\n"
        ".text\n");

int main(void) {
    *(volatile int *)0 = 1;
}
