/* stuck.c - a libOpenCL.so.1 that never finishes opening. */
#include <unistd.h>

__attribute__((constructor)) static void wait_for_ever(void) {
    for (;;)
        pause();
}
