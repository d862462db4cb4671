/* waiting.c - how this command's threads wait for each other: briefly on the core, then asleep.
 *
 * libgomp's threads spin for milliseconds at the end of every parallel loop unless the environment says otherwise. On a
 * machine with other work they hold the very core that the thread they wait for needs. libgomp reads its environment
 * in a constructor, so the words have to be there before: the build links libgomp into the command, and then this
 * constructor, which has a priority, comes first. (libomp reads them when the first loop starts.) The user's own
 * words stay as they are.
 */
#include <stdlib.h>

__attribute__((constructor(101))) static void wait_politely(void) {
    if (getenv("OMP_WAIT_POLICY"))
        return;
    setenv("GOMP_SPINCOUNT", "10000", 0); /* about 0.1 ms */
    setenv("KMP_BLOCKTIME", "1", 0);      /* ms; clang's */
}
