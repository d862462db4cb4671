/* The link over MPI between three processes: this test starts itself under mpirun, which has to be there. Messages of
 * more than 64 bytes count as long here (mpi/module.h). */
#include "exchange/agree.h"
#include "exchange/launcher.h"
#include "exchange/link_mpi.h"
#include "exchange/together.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS = 3, PIECE = 64, LONGEST = 1000 };

static int failures;

#define EXPECT(condition)                                                           \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            failures++;                                                             \
        }                                                                           \
    } while (0)

/* Every rank sends to every other, all lengths at once, before it receives any. */
static void messages(hd_link *link) {
    static const size_t lengths[HD_LINK_POSTED] = {0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, LONGEST, 7};
    static unsigned char out[RANKS][HD_LINK_POSTED][LONGEST], in[RANKS][HD_LINK_POSTED][LONGEST];
    hd_message_way sends[RANKS][HD_LINK_POSTED], receives[RANKS][HD_LINK_POSTED];
    for (uint32_t p = 0; p < link->size; p++)
        for (uint32_t i = 0; p != link->rank && i < HD_LINK_POSTED; i++) {
            for (size_t k = 0; k < LONGEST; k++)
                out[p][i][k] = (unsigned char)(17 * link->rank + 5 * p + 31 * i + k);
            EXPECT(link->send(link, p, out[p][i], lengths[i], &sends[p][i]) == HEDDLE_OK);
        }
    for (uint32_t p = 0; p < link->size; p++)
        for (uint32_t i = 0; p != link->rank && i < HD_LINK_POSTED; i++)
            EXPECT(link->receive(link, p, in[p][i], LONGEST, &receives[p][i]) == HEDDLE_OK);
    for (uint32_t p = 0; p < link->size; p++)
        for (uint32_t i = 0; p != link->rank && i < HD_LINK_POSTED; i++) {
            EXPECT(link->wait(link, &receives[p][i]) == HEDDLE_OK && receives[p][i].bytes == lengths[i]);
            for (size_t k = 0; k < lengths[i]; k++)
                EXPECT(in[p][i][k] == (unsigned char)(17 * p + 5 * link->rank + 31 * i + k));
            EXPECT(link->wait(link, &sends[p][i]) == HEDDLE_OK && link->wait(link, &sends[p][i]) == HEDDLE_OK);
        }
}

static void collectives(hd_link *link) {
    uint64_t numbers[2] = {link->rank + 1, 10 - link->rank}, mine[RANKS], theirs[RANKS], before, all;
    double reals[2] = {0.1 * link->rank, link->rank == 1 ? (double)NAN : 1};
    EXPECT(link->reduce(link, HD_LINK_SUM, numbers, 2) == HEDDLE_OK && numbers[0] == 6 && numbers[1] == 27);
    numbers[0] = link->rank + 5;
    EXPECT(link->reduce(link, HD_LINK_MIN, numbers, 1) == HEDDLE_OK && numbers[0] == 5);
    numbers[0] = link->rank + 5;
    EXPECT(link->reduce(link, HD_LINK_MAX, numbers, 1) == HEDDLE_OK && numbers[0] == 7);
    EXPECT(link->reduce_real(link, HD_LINK_MAX, reals, 2) == HEDDLE_OK && reals[0] == 0.1 * 2 && reals[1] != reals[1]);
    for (uint32_t p = 0; p < RANKS; p++)
        mine[p] = 100 * link->rank + p;
    EXPECT(link->counts(link, mine, theirs) == HEDDLE_OK);
    for (uint32_t p = 0; p < RANKS; p++)
        EXPECT(theirs[p] == 100 * p + link->rank);
    EXPECT(hd_tell_all(link, 7 * link->rank, theirs) == HEDDLE_OK);
    for (uint32_t p = 0; p < RANKS; p++)
        EXPECT(theirs[p] == 7 * p);
    EXPECT(link->barrier(link) == HEDDLE_OK);
    EXPECT(hd_prefix(link, 10 + link->rank, &before, &all) == HEDDLE_OK && all == 33);
    EXPECT(before == (link->rank == 0 ? 0 : link->rank == 1 ? 10 : 21));
    for (uint32_t root = 0; root < RANKS; root++) {
        numbers[0] = link->rank == root ? 42 + root : 0;
        EXPECT(hd_broadcast(link, root, numbers, sizeof *numbers) == HEDDLE_OK && numbers[0] == 42 + root);
    }
}

static void agreements(hd_link *link) {
    heddle_context *ctx = link->ctx;
    EXPECT(hd_agree(link, HEDDLE_OK) == HEDDLE_OK);
    heddle_status status = link->rank ? hd_fail(ctx, HEDDLE_E_FORMAT, "line %u", link->rank) : HEDDLE_OK;
    EXPECT(hd_agree(link, status) == HEDDLE_E_FORMAT && strcmp(ctx->error.message, "rank 1: line 1") == 0);
    EXPECT(hd_agree(link, hd_fail(ctx, HEDDLE_E_REFUSED, "no")) == HEDDLE_E_REFUSED);
    EXPECT(strcmp(ctx->error.message, "no") == 0); /* all alike: nobody is named */
    EXPECT(hd_agree_same(link, 7, "differ") == HEDDLE_OK);
    EXPECT(hd_agree_same(link, link->rank / 2, "differ") == HEDDLE_E_REFUSED);
}

/* Rank 1 cannot begin, and the others are in an agreement before the meeting already, or in the meeting: all end with
 * its failure, and the link is as good as before. */
static void failing_early(hd_link *link) {
    heddle_context *ctx = link->ctx;
    ctx->link = link;
    for (int at = 0; at < 2; at++) {
        heddle_status status;
        EXPECT(hd_together_begin(ctx, HEDDLE_OK) == HEDDLE_OK);
        if (link->rank == 1)
            status = hd_fail(ctx, HEDDLE_E_MEMORY, "no room");
        else
            status = at ? hd_together_meet(ctx) : hd_agree(link, HEDDLE_OK);
        EXPECT(hd_together_end(ctx, status) == HEDDLE_E_MEMORY);
        EXPECT(strstr(ctx->error.message, "rank 1: no room"));
    }
    EXPECT(hd_together_begin(ctx, HEDDLE_OK) == HEDDLE_OK && hd_together_meet(ctx) == HEDDLE_OK);
    EXPECT(hd_together_end(ctx, HEDDLE_OK) == HEDDLE_OK);
    ctx->link = NULL;
}

/* Rank 1 fails while the others wait for its messages, in a receive and in a collective. */
static void failing(hd_link *link) {
    hd_message_way way;
    char room[PIECE];
    uint64_t number = 0;
    if (link->rank == 1) {
        link->fail(link, hd_fail(link->ctx, HEDDLE_E_MEMORY, "no room"));
    } else {
        heddle_status status =
            link->rank ? link->reduce(link, HD_LINK_SUM, &number, 1) : link->receive(link, 1, room, sizeof room, &way);
        if (!link->rank && status == HEDDLE_OK)
            status = link->wait(link, &way);
        EXPECT(status == HEDDLE_E_MEMORY && strcmp(link->ctx->error.message, "rank 1: no room") == 0);
    }
    EXPECT(link->barrier(link) == HEDDLE_E_MEMORY);
    EXPECT(link->send(link, link->rank ? 0 : 1, room, 1, &way) == HEDDLE_E_MEMORY);
}

static hd_mpi_open_fn find_module(void) {
    hd_mpi_open_fn open = NULL;
    void *module = dlopen(HEDDLE_MPI_MODULE, RTLD_NOW | RTLD_GLOBAL);
    void *symbol = module ? dlsym(module, HD_MPI_OPEN) : NULL;
    memcpy(&open, &symbol, sizeof open);
    return open;
}

/* The launcher kills the others as soon as one ends after a failure: each notes in a file that it has said what it
 * found, and waits for the others' notes. */
static void wait_for_others(void) {
    const char *path = getenv("HEDDLE_LINK_NOTES");
    FILE *notes = path ? fopen(path, "a") : NULL;
    struct stat file;
    if (!notes)
        return;
    fputc('.', notes);
    fclose(notes);
    while (stat(path, &file) == 0 && file.st_size < RANKS)
        sched_yield();
}

static int as_rank(void) {
    heddle_context *ctx;
    hd_link *link = NULL;
    hd_mpi mpi;
    hd_mpi_open_fn open = find_module();
    if (!open || open(HD_MPI_ABI, PIECE, &mpi) != 0 || mpi.size != RANKS || !mpi.version[0])
        return 1;
    EXPECT(heddle_context_create(NULL, &ctx) == HEDDLE_OK && hd_link_mpi_over(ctx, &mpi, &link) == HEDDLE_OK);
    EXPECT(link->rank == hd_launched().rank && link->size == RANKS && link->local == link->rank); /* one machine */
    messages(link);
    messages(link);
    collectives(link);
    agreements(link);
    failing_early(link);
    failing(link);
    hd_link_mpi_close(&link);
    heddle_context_destroy(&ctx);
    fprintf(stderr, "rank %d: %d failures\n", mpi.rank, failures);
    wait_for_others();
    return failures ? 1 : 0;
}

/* Launchers are recognised by what they put into the environment. */
static void launchers(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "PMI_RANK",
                                        "PMI_SIZE",
                                        "PMIX_RANK",
                                        "SLURM_NTASKS",
                                        "HEDDLE_MPI"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    EXPECT(hd_launched().size == 1 && !hd_launched().by);
    setenv("SLURM_NTASKS", "8", 1); /* a batch script, not one of eight */
    EXPECT(hd_launched().size == 1);
    setenv("PMIX_RANK", "3", 1);
    EXPECT(hd_launched().size == 8 && hd_launched().rank == 3);
    setenv("PMIX_RANK", "8", 1);
    EXPECT(hd_launched().size == 1);
    setenv("PMI_RANK", "1", 1);
    setenv("PMI_SIZE", "2", 1);
    EXPECT(hd_launched().size == 2 && hd_launched().rank == 1);
    setenv("HEDDLE_MPI", "off", 1);
    EXPECT(hd_launched().size == 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* Without finalising MPI, as after a failure, Open MPI's launcher counts a process as failed: so the ranks say what
 * they found, and that counts. */
static int under_launcher(const char *self) {
    char command[4400], line[512], notes[] = "/tmp/heddle-link-XXXXXX";
    int good = 0, file = mkstemp(notes);
    if (file < 0)
        return 1;
    close(file);
    snprintf(command, sizeof command,
             "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 HEDDLE_LINK_NOTES=%s "
             "timeout 100 mpirun --oversubscribe -n %d '%s' 2>&1",
             notes, RANKS, self);
    FILE *output = popen(command, "r");
    if (!output)
        return 1;
    while (fgets(line, sizeof line, output)) {
        int rank, count;
        if (sscanf(line, "rank %d: %d failures", &rank, &count) == 2)
            good += count == 0;
        else
            fputs(line, stdout);
    }
    pclose(output);
    unlink(notes);
    printf("%d of %d ranks as expected\n", good, RANKS);
    return good == RANKS ? 0 : 1;
}

int main(int argc, char **argv) {
    struct stat file;
    (void)argc;
    if (hd_launched().size > 1)
        return as_rank();
    launchers();
    if (failures)
        return 1;
    if (stat(HEDDLE_MPI_MODULE, &file) != 0 || system("mpirun --version >/dev/null 2>&1") != 0) {
        puts("no MPI: the launchers' variables were tested, the link was not");
        return 77;
    }
    return under_launcher(argv[0]);
}
