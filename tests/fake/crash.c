/* crash.c - a libOpenCL.so.1 that ends whoever opens it. */
#include <stdlib.h>

__attribute__((constructor)) static void fall(void) { abort(); }
