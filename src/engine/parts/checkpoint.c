/* checkpoint.c - see checkpoint.h. */
#include "engine/parts/checkpoint.h"

#include "base/hash.h"
#include "exchange/agree.h"
#include "exchange/together.h"
#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x89HDCKPT\n"
#define UNFINISHED ".checkpoint-"

enum { VERSION = 2, PIECE = 64 << 20 };

typedef struct header {
    char magic[8];
    uint32_t endian, version;
    uint64_t graph, part[HD_CHECKPOINT_PARTS];
    uint64_t vertices, value_size;
    uint64_t round;
    uint64_t sum;      /* of the values, whoever has which (sum_values) */
    uint64_t checksum; /* of all of the above */
    char reserved[8];
} header;

_Static_assert(sizeof(header) == 128, "the layout has no gaps");

static uint64_t header_checksum(const header *h) { return hd_hash_block(h, offsetof(header, checksum)); }

/* ---- Whose values they are ------------------------------------------------------------------------------------- */

static heddle_status hash_rows(heddle_context *ctx, const heddle_graph *graph, uint64_t *hash) {
    heddle_adjacency out;
    uint64_t part[3] = {0};
    bool sound;
    if (graph->mapping.address) {
        *hash = hd_file_hash(graph);
        return HEDDLE_OK;
    }
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_hash_array(ctx, out.offsets, (graph->vertices + 1) * 8, NULL, NULL, &part[0], &sound));
    HD_TRY(hd_hash_array(ctx, out.targets, graph->edges * 4, NULL, NULL, &part[1], &sound));
    if (out.weights)
        HD_TRY(hd_hash_array(ctx, out.weights, graph->edges * hd_weight_size(graph->weight_type), NULL, NULL, &part[2],
                             &sound));
    *hash = hd_hash2(hd_hash2(part[0], part[1]), part[2]);
    return HEDDLE_OK;
}

static uint64_t add(uint64_t hash, const void *data, size_t bytes) {
    return hd_hash2(hash, data ? hd_hash_block(data, bytes) : 0);
}

static uint64_t add_text(uint64_t hash, const char *text) { return add(hash, text, text ? strlen(text) : 0); }

/* Not of tolerance and max_iterations: a run may go on for longer than was requested first. */
static void hash_parts(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup, uint64_t *part) {
    uint64_t n = run->graph->vertices;
    part[HD_CHECKPOINT_PROGRAM] = hd_hash2(add_text(add_text(1, program->text), program->defines), program->included);
    part[HD_CHECKPOINT_PRECISION] = program->in_double;
    part[HD_CHECKPOINT_PARAMETERS] = add(1, setup->parameter, sizeof setup->parameter);
    part[HD_CHECKPOINT_SOURCES] = add(1, setup->sources, (size_t)setup->source_count * sizeof *setup->sources);
    part[HD_CHECKPOINT_INITIAL] = add(1, setup->initial, (size_t)n * sizeof *setup->initial);
    part[HD_CHECKPOINT_FIXED] = add(1, setup->fixed, (size_t)n);
    part[HD_CHECKPOINT_SEED] = setup->seed;
}

heddle_status hd_checkpoint_of(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup,
                               hd_checkpoint *checkpoint) {
    const heddle_run_options *options = &run->options;
    *checkpoint = (hd_checkpoint){.folder = options->checkpoint,
                                  .every = options->checkpoint_every,
                                  .resume = options->resume,
                                  .labels = run->result->labels};
    if (!checkpoint->folder)
        return HEDDLE_OK;
    hash_parts(run, program, setup, checkpoint->part);
    return hash_rows(run->ctx, run->graph, &checkpoint->graph);
}

/* Of each value with its vertex, so that it does not matter who adds which. */
static uint64_t sum_values(const hd_slice *slice, size_t size, const void *values) {
    const char *p = values;
    uint64_t sum = 0;
    for (uint64_t v = 0; v < slice->own; v++) {
        uint64_t hash = slice->first + v;
        for (size_t done = 0; done < size; done += 8) {
            uint64_t word = 0;
            memcpy(&word, p + v * size + done, size - done < 8 ? size - done : 8);
            hash = hd_hash2(hash, word);
        }
        sum += hash;
    }
    return sum;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

typedef struct file {
    heddle_context *ctx;
    int fd;
    char path[PATH_MAX], final[PATH_MAX];
} file;

static heddle_status fail_file(const file *f, heddle_status status, const char *path, const char *words) {
    return hd_fail_file(f->ctx, status, path, errno, "%s", words);
}

static heddle_status transfer(file *f, bool writing, char *data, uint64_t bytes, uint64_t at) {
    while (bytes) {
        size_t piece = bytes < PIECE ? (size_t)bytes : PIECE;
        HD_TRY(hd_cancelled_status(f->ctx));
        ssize_t done = writing ? pwrite(f->fd, data, piece, (off_t)at) : pread(f->fd, data, piece, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail_file(f, writing ? HEDDLE_E_WRITE : HEDDLE_E_READ, writing ? f->path : f->final,
                             writing ? "cannot write" : "cannot read the checkpoint");
        data += done;
        at += (uint64_t)done;
        bytes -= (uint64_t)done;
    }
    return HEDDLE_OK;
}

static heddle_status name_files(file *f, const hd_checkpoint *checkpoint, uint64_t number) {
    size_t length = strlen(checkpoint->folder);
    if (length + 40 > PATH_MAX)
        return hd_fail_file(f->ctx, HEDDLE_E_ARGUMENT, checkpoint->folder, 0, "the path is too long");
    snprintf(f->final, sizeof f->final, "%s/checkpoint", checkpoint->folder);
    snprintf(f->path, sizeof f->path, "%s/%s%016llx", checkpoint->folder, UNFINISHED, (unsigned long long)number);
    return HEDDLE_OK;
}

static void remove_unfinished(const char *folder) {
    char path[PATH_MAX];
    DIR *list = opendir(folder);
    struct dirent *entry;
    while (list && (entry = readdir(list)))
        if (strncmp(entry->d_name, UNFINISHED, strlen(UNFINISHED)) == 0 &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path)
            unlink(path);
    if (list)
        closedir(list);
}

/* Where the file system has no locks, runs share the folder without: their unfinished files have different names, and
 * are left alone. */
static heddle_status lock_folder(heddle_context *ctx, const char *folder, int *lock) {
    if (mkdir(folder, 0777) == 0)
        hd_sync_name(folder);
    else if (errno != EEXIST)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, folder, errno, "cannot make the folder");
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, folder, errno, "cannot open the folder");
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        remove_unfinished(folder);
    else if (errno == EWOULDBLOCK)
        return hd_fail_file(ctx, HEDDLE_E_REFUSED, folder, 0,
                            "another run that is not over keeps its checkpoint in this folder: name another one");
    return HEDDLE_OK;
}

heddle_status hd_checkpoint_begin(hd_link *link, const hd_checkpoint *checkpoint, int *lock) {
    return hd_agree(link, link->rank ? HEDDLE_OK : lock_folder(link->ctx, checkpoint->folder, lock));
}

void hd_checkpoint_end(int lock) {
    if (lock >= 0)
        close(lock);
}

/* ---- Loading ---------------------------------------------------------------------------------------------------- */

/* The part that differs, in words, or NULL. */
static const char *different_part(const header *h, const hd_checkpoint *checkpoint, size_t size) {
    static const char *const words[] = {"another program",
                                        "another precision (--precision, or a tolerance that takes double precision)",
                                        "other parameters (--damping, --rate, --param)",
                                        "other sources",
                                        "other initial values",
                                        "other fixed vertices",
                                        "another seed"};
    _Static_assert(sizeof words / sizeof *words == HD_CHECKPOINT_PARTS, "each part has its words");
    for (int i = 0; i < HD_CHECKPOINT_PARTS; i++)
        if (h->part[i] != checkpoint->part[i])
            return words[i];
    return h->value_size != size ? words[HD_CHECKPOINT_PRECISION] : NULL;
}

static heddle_status check_header(const file *f, const header *h, const hd_checkpoint *checkpoint, uint64_t vertices,
                                  size_t size) {
    if (memcmp(h->magic, MAGIC, sizeof h->magic) != 0 || h->checksum != header_checksum(h))
        return hd_fail_file(f->ctx, HEDDLE_E_FORMAT, f->final, 0, "this is no checkpoint, or a damaged one");
    if (h->endian != 1 || h->version != VERSION)
        return hd_fail_file(f->ctx, HEDDLE_E_FORMAT, f->final, 0, "a checkpoint of another version or byte order");
    if (h->graph != checkpoint->graph || h->vertices != vertices)
        return hd_fail_file(f->ctx, HEDDLE_E_REFUSED, f->final, 0,
                            "the checkpoint is of another graph: leave out --resume, or name another folder");
    const char *different = different_part(h, checkpoint, size);
    if (different)
        return hd_fail_file(f->ctx, HEDDLE_E_REFUSED, f->final, 0,
                            "the checkpoint is of a run with %s: leave out --resume, or name another folder",
                            different);
    return HEDDLE_OK;
}

/* Sums are no proof against a file that was made on purpose. */
static heddle_status check_labels(const file *f, const hd_slice *slice, size_t size, const void *values) {
    const uint32_t *label = values;
    uint64_t vertices = slice->firsts[slice->parts], beyond = size != sizeof *label;
    for (uint64_t v = 0; !beyond && v < slice->own; v++)
        beyond |= label[v] >= vertices;
    return !beyond ? HEDDLE_OK
                   : hd_fail_file(f->ctx, HEDDLE_E_FORMAT, f->final, 0,
                                  "the checkpoint is damaged: it names vertices that the graph does not have");
}

/* A checkpoint that is not there is one of round 0. */
static heddle_status read_own(file *f, const hd_checkpoint *checkpoint, const hd_slice *slice, size_t size,
                              void *values, header *h) {
    uint64_t vertices = slice->firsts[slice->parts];
    *h = (header){.round = 0};
    f->fd = open(f->final, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0)
        return errno == ENOENT ? HEDDLE_OK : fail_file(f, HEDDLE_E_OPEN, f->final, "cannot open the checkpoint");
    HD_TRY(transfer(f, false, (char *)h, sizeof *h, 0));
    HD_TRY(check_header(f, h, checkpoint, vertices, size));
    HD_TRY(transfer(f, false, values, slice->own * size, sizeof *h + slice->first * size));
    return checkpoint->labels ? check_labels(f, slice, size, values) : HEDDLE_OK;
}

heddle_status hd_checkpoint_load(hd_link *link, const hd_checkpoint *checkpoint, const hd_slice *slice, size_t size,
                                 void *values, uint64_t *round) {
    file f = {.ctx = link->ctx, .fd = -1};
    header h;
    HD_TRY(name_files(&f, checkpoint, 0));
    heddle_status status = read_own(&f, checkpoint, slice, size, values, &h);
    if (f.fd >= 0)
        close(f.fd);
    HD_TRY(hd_agree(link, status));
    HD_TRY(hd_agree_same(link, h.round,
                         "the ranks see different checkpoints: the folder has to be on a file system "
                         "that all machines share"));
    uint64_t sum = h.round ? sum_values(slice, size, values) : 0;
    HD_TRY(link->reduce(link, HD_LINK_SUM, &sum, 1));
    if (sum != h.sum)
        return hd_fail_file(link->ctx, HEDDLE_E_FORMAT, f.final, 0, "the checkpoint is damaged (its sum is wrong)");
    *round = h.round;
    return HEDDLE_OK;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

static heddle_status create(file *f, bool first) {
    f->fd = open(f->path, O_WRONLY | O_CLOEXEC | (first ? O_CREAT | O_EXCL : 0), 0666);
    return f->fd >= 0 ? HEDDLE_OK : fail_file(f, HEDDLE_E_WRITE, f->path, "cannot create the checkpoint");
}

static heddle_status sync_file(file *f) {
    if (fsync(f->fd) != 0 && errno != EINVAL)
        return fail_file(f, HEDDLE_E_WRITE, f->path, "cannot write");
    return HEDDLE_OK;
}

/* The header comes last, then the name. */
static heddle_status finish(file *f, header *h) {
    h->checksum = header_checksum(h);
    HD_TRY(transfer(f, true, (char *)h, sizeof *h, 0));
    HD_TRY(sync_file(f));
    if (rename(f->path, f->final) != 0)
        return fail_file(f, HEDDLE_E_WRITE, f->final, "cannot rename the checkpoint");
    hd_sync_name(f->final);
    return HEDDLE_OK;
}

static heddle_status write_all(hd_link *link, file *f, const hd_slice *slice, size_t size, const void *values,
                               header *h) {
    HD_TRY(hd_agree(link, link->rank ? HEDDLE_OK : create(f, true)));
    heddle_status status = link->rank ? create(f, false) : HEDDLE_OK;
    if (status == HEDDLE_OK)
        status = transfer(f, true, (char *)(uintptr_t)values, slice->own * size, sizeof *h + slice->first * size);
    if (status == HEDDLE_OK)
        status = sync_file(f);
    HD_TRY(hd_agree(link, status));
    return hd_agree(link, link->rank ? HEDDLE_OK : finish(f, h));
}

heddle_status hd_checkpoint_save(hd_link *link, const hd_checkpoint *checkpoint, const hd_slice *slice, size_t size,
                                 const void *values, uint64_t round) {
    file f = {.ctx = link->ctx, .fd = -1};
    header h = {.magic = {0},
                .endian = 1,
                .version = VERSION,
                .graph = checkpoint->graph,
                .vertices = slice->firsts[slice->parts],
                .value_size = size,
                .round = round,
                .sum = sum_values(slice, size, values)};
    uint64_t number = 0;
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.part, checkpoint->part, sizeof h.part);
    if (!link->rank && getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = (uint64_t)getpid();
    HD_TRY(hd_broadcast(link, 0, &number, sizeof number));
    HD_TRY(link->reduce(link, HD_LINK_SUM, &h.sum, 1));
    HD_TRY(name_files(&f, checkpoint, number));
    heddle_status status = write_all(link, &f, slice, size, values, &h);
    if (f.fd >= 0)
        close(f.fd);
    if (status != HEDDLE_OK) /* by anyone: a rank that is left over can */
        unlink(f.path);
    return status;
}
