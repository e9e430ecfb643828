/* What compiled modules need of a C runtime beyond what Windows itself has: with this they are linked without MinGW's,
 * and are a sixth as large.
 */

#define C99_RETURN_VALUE 2ull           /* of ucrtbase.dll's function, which does the work */

int __stdio_common_vsprintf(unsigned long long options, char *text, unsigned long long size, const char *format,
                            void *locale, __builtin_va_list arguments);

int vsnprintf(char *text, unsigned long long size, const char *format, __builtin_va_list arguments)
{
    return __stdio_common_vsprintf(C99_RETURN_VALUE, text, size, format, 0, arguments);
}

/* Behind isnan() and isinf() of MinGW's math.h, with its numbers for NaN, infinite, normal, subnormal and zero. */
int __fpclassify(double x)
{
    return __builtin_fpclassify(0x100, 0x500, 0x400, 0x4400, 0x4000, x);
}

/* Called by functions with more than a page of local variables, whose size is in rax: touches every page from the
 * top down, because Windows grows a stack by one page at a time. Changes no register.
 */
__attribute__((naked)) void ___chkstk_ms(void)
{
    __asm__("push %rax\n"
            "push %rcx\n"
            "lea 24(%rsp), %rcx\n"              /* the stack before the call */
            "0: sub $4096, %rax\n"
            "jbe 1f\n"
            "sub $4096, %rcx\n"
            "orb $0, (%rcx)\n"
            "jmp 0b\n"
            "1: add $4096, %rax\n"
            "sub %rax, %rcx\n"
            "orb $0, (%rcx)\n"
            "pop %rcx\n"
            "pop %rax\n"
            "ret\n");
}
