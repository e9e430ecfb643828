/* Python's configuration on 64-bit Linux and macOS, as far as the headers of the stable ABI ask for it. */
#define _GNU_SOURCE 1                   /* also with -std=c11 everything that the system declares */
#define _DARWIN_C_SOURCE 1
#define HAVE_SSIZE_T 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_PID_T 4
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 4
