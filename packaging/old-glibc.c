/* old-glibc.c - lets programs that are built here run where the C library is as old as glibc 2.17.
 *
 * Later releases gave some functions a new version, which a linker prefers, or brought them. This file defines these
 * functions, hidden, for the program that it is linked into: it passes the call to the old version, which every later
 * glibc still has. scripts/portable.sh compiles it; what it lacks shows in scripts/check-archive.sh.
 */
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

#ifdef __x86_64__
#define FIRST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST "GLIBC_2.17"
#else
#error "the first version of glibc for this processor is not known here"
#endif
#define OLD(name, symbol) __asm__(".symver old_" #name "," symbol "@" FIRST)

#define FUNCTION_OF_ONE(name)                                           \
    double old_##name(double x) __attribute__((visibility("default"))); \
    OLD(name, #name);                                                   \
    double name(double x);                                              \
    double name(double x) { return old_##name(x); }

FUNCTION_OF_ONE(exp)
FUNCTION_OF_ONE(exp2)
FUNCTION_OF_ONE(log)
FUNCTION_OF_ONE(log2)

double old_pow(double x, double y) __attribute__((visibility("default")));
OLD(pow, "pow");
double pow(double x, double y);
double pow(double x, double y) { return old_pow(x, y); }

/* On machines of 64 bits files of any size are those of fcntl and glob. What follows `command` is one word. */
int old_fcntl(int file, int command, void *argument) __attribute__((visibility("default")));
OLD(fcntl, "fcntl");
int fcntl64(int file, int command, void *argument);
int fcntl64(int file, int command, void *argument) { return old_fcntl(file, command, argument); }

int old_glob(const char *pattern, int flags, int (*failed)(const char *, int), void *found)
    __attribute__((visibility("default")));
OLD(glob, "glob");
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), void *found);
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), void *found) {
    return old_glob(pattern, flags, failed, found);
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags);
ssize_t getrandom(void *buffer, size_t size, unsigned flags) { return syscall(SYS_getrandom, buffer, size, flags); }
