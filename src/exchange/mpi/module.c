/* module.c - the MPI module, libheddle-mpi.so: see module.h. The only file that includes mpi.h. */
#include "exchange/mpi/module.h"

#include <mpi.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(hd_mpi_request), "a request fits into 64 bits");

/* A process has one MPI, so one set of these. */
static MPI_Comm messages, numbers, alarms;
static MPI_Comm all; /* while `numbers` is of a group: that of all ranks; else MPI_COMM_NULL */
static size_t piece = (size_t)1 << 30;

static MPI_Request request_of(const hd_mpi_request *request) {
    MPI_Request own;
    memcpy(&own, request, sizeof own);
    return own;
}

/* `own` by its address: it is filled by the call that gives the code. */
static int keep(int code, const MPI_Request *own, hd_mpi_request *request) {
    request->bits = 0;
    memcpy(request, own, sizeof *own);
    return code;
}

/* MPI counts elements in an int. A longer message is one element of a type that is made for its length: so many pieces,
 * and the rest. Bytes are bytes on both sides, whatever the types. */
static int long_type(size_t bytes, MPI_Datatype *type) {
    int lengths[2] = {(int)(bytes / piece), (int)(bytes % piece)}, code;
    MPI_Aint places[2] = {0, (MPI_Aint)(bytes - bytes % piece)};
    MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    if ((code = MPI_Type_contiguous((int)piece, MPI_BYTE, &types[0])) != MPI_SUCCESS)
        return code;
    code = MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_free(&types[0]);
    return code != MPI_SUCCESS ? code : MPI_Type_commit(type);
}

static int send_bytes(int peer, int tag, const void *data, size_t bytes, hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    if (bytes <= piece)
        return keep(MPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, messages, &own), &own, request);
    MPI_Datatype type;
    int code = long_type(bytes, &type);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Isend(data, 1, type, peer, tag, messages, &own);
    MPI_Type_free(&type);
    return keep(code, &own, request);
}

static int receive_bytes(int peer, int tag, void *data, size_t room, hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    if (room <= piece)
        return keep(MPI_Irecv(data, (int)room, MPI_BYTE, peer, tag, messages, &own), &own, request);
    MPI_Datatype type;
    int code = long_type(room, &type);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Irecv(data, 1, type, peer, tag, messages, &own);
    MPI_Type_free(&type);
    return keep(code, &own, request);
}

static int test(hd_mpi_request *request, int *done, size_t *bytes) {
    MPI_Request own = request_of(request);
    MPI_Status status;
    MPI_Count count = 0;
    int code = MPI_Test(&own, done, &status);
    keep(code, &own, request);
    if (code == MPI_SUCCESS && *done && bytes) {
        code = MPI_Get_elements_x(&status, MPI_BYTE, &count);
        *bytes = (size_t)count;
    }
    return code;
}

static int cancel(hd_mpi_request *request) {
    MPI_Request own = request_of(request);
    return MPI_Cancel(&own);
}

static int gather(const uint64_t *mine, uint64_t *all, int count, hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    return keep(MPI_Iallgather(mine, count, MPI_UINT64_T, all, count, MPI_UINT64_T, numbers, &own), &own, request);
}

static int exchange(const uint64_t *mine, uint64_t *theirs, hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    return keep(MPI_Ialltoall(mine, 1, MPI_UINT64_T, theirs, 1, MPI_UINT64_T, numbers, &own), &own, request);
}

static int barrier(hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    return keep(MPI_Ibarrier(numbers, &own), &own, request);
}

static int group(int in) {
    MPI_Comm own;
    int code = MPI_Comm_split(numbers, in ? 0 : MPI_UNDEFINED, 0, &own);
    if (code != MPI_SUCCESS || !in)
        return code;
    all = numbers;
    numbers = own;
    return MPI_Comm_set_errhandler(numbers, MPI_ERRORS_RETURN);
}

static int regroup(void) {
    if (all == MPI_COMM_NULL)
        return MPI_SUCCESS;
    int code = MPI_Comm_free(&numbers);
    numbers = all;
    all = MPI_COMM_NULL;
    return code;
}

static int alarm_peer(int peer, const void *data, size_t bytes, hd_mpi_request *request) {
    MPI_Request own = MPI_REQUEST_NULL;
    return keep(MPI_Isend(data, (int)bytes, MPI_BYTE, peer, 0, alarms, &own), &own, request);
}

static int alarmed(void *data, size_t room, int *peer) {
    MPI_Status status;
    int there = 0, code = MPI_Iprobe(MPI_ANY_SOURCE, 0, alarms, &there, &status);
    *peer = -1;
    if (code != MPI_SUCCESS || !there)
        return code;
    *peer = status.MPI_SOURCE;
    return MPI_Recv(data, (int)room, MPI_BYTE, *peer, 0, alarms, MPI_STATUS_IGNORE);
}

static int close_all(void) {
    MPI_Comm_free(&messages);
    MPI_Comm_free(&numbers);
    MPI_Comm_free(&alarms);
    return MPI_Finalize();
}

static void words(int code, char *text, size_t size) {
    char own[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, own, &length) != MPI_SUCCESS)
        length = 0;
    size_t kept = (size_t)length < size ? (size_t)length : size - 1;
    memcpy(text, own, kept);
    text[kept] = '\0';
}

/* The caller's program may have started MPI already; then it ends it, too. */
static int close_guest(void) {
    MPI_Comm_free(&messages);
    MPI_Comm_free(&numbers);
    MPI_Comm_free(&alarms);
    return MPI_SUCCESS;
}

static int start(int *guest) {
    int code = MPI_Initialized(guest), provided;
    if (code != MPI_SUCCESS || *guest)
        return code;
    return MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
}

/* Errors are returned rather than ending the process. */
static int own_communicator(MPI_Comm *own) {
    int code = MPI_Comm_dup(MPI_COMM_WORLD, own);
    return code != MPI_SUCCESS ? code : MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
}

/* Ranks that share memory are on one machine. */
static int count_local(int *local, int *first) {
    MPI_Comm machine;
    int code = MPI_Comm_split_type(messages, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Comm_rank(machine, local);
    MPI_Comm_rank(messages, first);
    code = MPI_Bcast(first, 1, MPI_INT, 0, machine);
    MPI_Comm_free(&machine);
    return code;
}

__attribute__((visibility("default"))) int hd_mpi_open(int abi, size_t given_piece, hd_mpi *mpi);

int hd_mpi_open(int abi, size_t given_piece, hd_mpi *mpi) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int code, guest = 0, length = 0;
    *mpi = (hd_mpi){.abi = HD_MPI_ABI};
    if (abi != HD_MPI_ABI)
        return 0;
    if (given_piece)
        piece = given_piece;
    all = MPI_COMM_NULL;
    if ((code = start(&guest)) != MPI_SUCCESS || (code = own_communicator(&messages)) != MPI_SUCCESS ||
        (code = own_communicator(&numbers)) != MPI_SUCCESS || (code = own_communicator(&alarms)) != MPI_SUCCESS ||
        (code = count_local(&mpi->local, &mpi->machine)) != MPI_SUCCESS) {
        words(code, mpi->version, sizeof mpi->version);
        return code;
    }
    MPI_Comm_rank(messages, &mpi->rank);
    MPI_Comm_size(messages, &mpi->size);
    MPI_Get_library_version(version, &length);
    size_t kept = strcspn(version, ",\n");
    kept = kept < sizeof mpi->version ? kept : sizeof mpi->version - 1;
    memcpy(mpi->version, version, kept);
    mpi->send = send_bytes;
    mpi->receive = receive_bytes;
    mpi->test = test;
    mpi->cancel = cancel;
    mpi->gather = gather;
    mpi->exchange = exchange;
    mpi->barrier = barrier;
    mpi->group = group;
    mpi->regroup = regroup;
    mpi->alarm = alarm_peer;
    mpi->alarmed = alarmed;
    mpi->close = guest ? close_guest : close_all;
    mpi->words = words;
    return 0;
}
