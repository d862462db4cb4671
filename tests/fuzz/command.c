/* command.c - the heddle command without its main function, for fuzz_run.c, which uses its random cases. */
int heddle_main(int argc, char **argv);
#define main heddle_main
#include "../../cli/main.c"
