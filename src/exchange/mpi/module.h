/* module.h - shared by libheddle and its MPI module.
 *
 * MPI libraries differ in their binary interface, and most machines have none. So all calls of MPI are in a small
 * shared library of its own, libheddle-mpi.so, which is opened only in processes that a launcher started together with
 * others (launcher.h). It is a thin layer: a table of functions over plain C types that never wait. Waiting, errors and
 * the failure of a rank are the library's business (link_mpi.c).
 *
 * Every function returns 0, or MPI's error code, of which `words` gives the text.
 */
#ifndef HD_EXCHANGE_MPI_MODULE_H
#define HD_EXCHANGE_MPI_MODULE_H

#include <stddef.h>
#include <stdint.h>

#define HD_MPI_MODULE "libheddle-mpi.so"
#define HD_MPI_OPEN "hd_mpi_open"

enum { HD_MPI_ABI = 4, HD_MPI_WORDS = 256 };

/* An MPI_Request, whatever it is. */
typedef struct hd_mpi_request {
    uint64_t bits;
} hd_mpi_request;

typedef struct hd_mpi {
    int abi; /* HD_MPI_ABI */
    int rank, size;
    int local;                  /* this rank's number among those of its machine */
    int machine;                /* the first rank of this machine */
    char version[HD_MPI_WORDS]; /* name and version of the MPI library, one line */
    /* Messages with tags 0 … 32767. Of any length: beyond `piece` bytes as several elements of one datatype. */
    int (*send)(int peer, int tag, const void *data, size_t bytes, hd_mpi_request *request);
    int (*receive)(int peer, int tag, void *data, size_t room, hd_mpi_request *request);
    /* *done: the request has ended; *bytes: the length of a message that was received. */
    int (*test)(hd_mpi_request *request, int *done, size_t *bytes);
    /* Asks for the end of a receive that nothing has come for; `test` reports its end, either way. */
    int (*cancel)(hd_mpi_request *request);
    /* Collectives: every rank's `count` numbers, by rank; a number for each rank; nothing. They end as requests do. */
    int (*gather)(const uint64_t *mine, uint64_t *all, int count, hd_mpi_request *request);
    int (*exchange)(const uint64_t *mine, uint64_t *theirs, hd_mpi_request *request);
    int (*barrier)(hd_mpi_request *request);
    /* Collective: from here on collectives of the ranks that pass in != 0 are those among them, by their order. They
     * end this with `regroup`, which they all call. */
    int (*group)(int in);
    int (*regroup)(void);
    /* Messages about failures have a communicator of their own: `alarm` starts one, `alarmed` takes one if it is there
     * (*peer: its sender; -1: there is none). */
    int (*alarm)(int peer, const void *data, size_t bytes, hd_mpi_request *request);
    int (*alarmed)(void *data, size_t room, int *peer);
    /* Ends MPI; only when nothing is under way. */
    int (*close)(void);
    void (*words)(int code, char *text, size_t size);
} hd_mpi;

/* The module's only symbol: starts MPI and fills the table. `piece`: see `send`; 0: 1 GiB. Returns 0, or MPI's error
 * code, with its text in `version`. */
typedef int (*hd_mpi_open_fn)(int abi, size_t piece, hd_mpi *mpi);

#endif
