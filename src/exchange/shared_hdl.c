/* shared_hdl.c - see shared_hdl.h. Rank 0 makes the file, under a temporary name that the others open; each rank writes
 * its ranges of the sections. When all have, they map it and hash a share of its blocks each, and rank 0 writes header
 * and table and gives the file its name. */
#include "exchange/shared_hdl.h"

#include "exchange/agree.h"
#include "exchange/together.h"
#include "io/hdl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECTIONS = 8, PIECE = 64 << 20 };

/* A rank's range of a section. */
typedef struct range {
    const void *data;
    uint64_t bytes, at; /* in the section */
} range;

typedef struct writing {
    hd_link *link;
    heddle_context *ctx;
    const hd_shared_graph *graph;
    const char *path;
    hd_hdl_header header;
    hd_hdl_entry table[SECTIONS];
    range ranges[SECTIONS];
    hd_output *output;        /* of rank 0: the file until it has its name */
    char temporary[PATH_MAX]; /* its name until then */
    int fd;
    char *map;
} writing;

static heddle_status fail_file(const writing *w, const char *words) {
    return hd_fail_file(w->ctx, HEDDLE_E_WRITE, w->path, errno, "%s", words);
}

/* ---- The layout ------------------------------------------------------------------------------------------------- */

static void add(writing *w, uint32_t kind, uint64_t bytes, const void *data, uint64_t at, uint64_t own) {
    uint32_t i = w->header.sections++;
    w->table[i] = (hd_hdl_entry){.kind = kind, .bytes = bytes};
    w->ranges[i] = (range){data, own, at};
}

/* The offset after the last row is its owner's. */
static void lay_out(writing *w) {
    const hd_shared_graph *g = w->graph;
    uint64_t n = g->vertices, m = g->edges, size = hd_weight_size(g->weight_type);
    bool last = w->link->rank + 1 == w->link->size;
    w->header = hd_hdl_header_of(n, m, g->directed, g->weight_type);
    w->header.id_type = g->id_type;
    w->header.id_base = g->id_base;
    add(w, HD_HDL_OUT_OFFSETS, (n + 1) * 8, g->offsets, g->first * 8, (g->own + last) * 8);
    add(w, HD_HDL_OUT_TARGETS, m * 4, g->targets, g->first_edge * 4, g->own_edges * 4);
    if (g->weight_type != HEDDLE_WEIGHT_NONE)
        add(w, HD_HDL_OUT_WEIGHTS, m * size, g->weights, g->first_edge * size, g->own_edges * size);
    if (g->in_edges) {
        add(w, HD_HDL_IN_OFFSETS, (n + 1) * 8, g->in.offsets, g->first * 8, (g->own + last) * 8);
        add(w, HD_HDL_IN_TARGETS, m * 4, g->in.targets, g->in_first * 4, g->in.edges * 4);
    }
    if (g->in_edges && size)
        add(w, HD_HDL_IN_WEIGHTS, m * size, g->in.weights, g->in_first * size, g->in.edges * size);
    if (g->id_values)
        add(w, HD_HDL_ID_VALUES, n * 8, g->ids.own, g->ids.own_first * 8, g->ids.own_count * 8);
    if (g->labels.starts) {
        const hd_shared_labels *l = &g->labels;
        add(w, HD_HDL_LABEL_STARTS, (n + 1) * 8, l->starts, l->first * 8, (l->count + last) * 8);
        add(w, HD_HDL_LABEL_TEXT, l->all_bytes, l->text, l->starts[0], l->bytes);
    }
    hd_hdl_place(&w->header, w->table);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static heddle_status make_file(writing *w) {
    HD_TRY(hd_output_open(w->ctx, w->path, 0, &w->output));
    const char *name = hd_output_share(w->output);
    if (!name)
        return hd_output_failed(w->output)
                   ? hd_output_close(&w->output)
                   : hd_fail_file(w->ctx, HEDDLE_E_REFUSED, w->path, 0,
                                  "several ranks write a plain file: neither a pipe nor a compressed one");
    return realpath(name, w->temporary) ? HEDDLE_OK : fail_file(w, "cannot create");
}

static heddle_status open_file(writing *w) {
    w->fd = open(w->temporary, O_RDWR | O_CLOEXEC);
    if (w->fd < 0)
        return fail_file(w, "cannot open the new file, which has to be on a file system that all ranks share");
    return w->link->rank || ftruncate(w->fd, (off_t)w->header.file_bytes) == 0 ? HEDDLE_OK
                                                                               : fail_file(w, "cannot write");
}

static heddle_status write_bytes(writing *w, const char *data, uint64_t bytes, uint64_t at) {
    while (bytes) {
        size_t piece = bytes < PIECE ? (size_t)bytes : PIECE;
        HD_TRY(hd_cancelled_status(w->ctx));
        ssize_t done = pwrite(w->fd, data, piece, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail_file(w, "cannot write");
        data += done;
        at += (uint64_t)done;
        bytes -= (uint64_t)done;
    }
    return HEDDLE_OK;
}

static heddle_status sync_file(writing *w) {
    if (fsync(w->fd) != 0 && errno != EINVAL && errno != ENOSYS && errno != EINTR)
        return fail_file(w, "cannot write");
    return HEDDLE_OK;
}

static heddle_status write_ranges(writing *w) {
    for (uint32_t i = 0; i < w->header.sections; i++)
        HD_TRY(write_bytes(w, w->ranges[i].data, w->ranges[i].bytes, w->table[i].offset + w->ranges[i].at));
    return sync_file(w);
}

/* ---- Checksums -------------------------------------------------------------------------------------------------- */

static heddle_status map_file(writing *w) {
    void *map = mmap(NULL, w->header.file_bytes, PROT_READ, MAP_SHARED, w->fd, 0);
    w->map = map == MAP_FAILED ? NULL : map;
    return w->map ? HEDDLE_OK : fail_file(w, "cannot read the new file");
}

static heddle_status hash_sections(writing *w) {
    hd_phase_begin(w->ctx, "checksum", w->header.file_bytes / w->link->size);
    heddle_status status = HEDDLE_OK;
    for (uint32_t i = 0; i < w->header.sections && status == HEDDLE_OK; i++)
        status = hd_together_hash(w->link, w->map + w->table[i].offset, w->table[i].bytes, &w->table[i].checksum);
    hd_phase_end(w->ctx);
    return status;
}

static heddle_status write_header(writing *w) {
    w->header.checksum = hd_hdl_header_checksum(&w->header, w->table);
    HD_TRY(write_bytes(w, (const char *)&w->header, sizeof w->header, 0));
    HD_TRY(write_bytes(w, (const char *)w->table, w->header.sections * sizeof *w->table, sizeof w->header));
    HD_TRY(sync_file(w));
    return hd_output_close(&w->output);
}

static heddle_status write_all(writing *w) {
    HD_TRY(hd_agree(w->link, w->link->rank ? HEDDLE_OK : make_file(w)));
    HD_TRY(hd_broadcast(w->link, 0, w->temporary, sizeof w->temporary));
    HD_TRY(hd_agree(w->link, open_file(w)));
    HD_TRY(hd_agree(w->link, write_ranges(w)));
    HD_TRY(hd_agree(w->link, map_file(w)));
    HD_TRY(hash_sections(w));
    return hd_agree(w->link, w->link->rank ? HEDDLE_OK : write_header(w));
}

heddle_status hd_shared_hdl_write(hd_link *link, const hd_shared_graph *graph, const char *path) {
    writing w = {.link = link, .ctx = link->ctx, .graph = graph, .path = path, .fd = -1};
    lay_out(&w);
    heddle_status status = write_all(&w);
    if (w.map)
        munmap(w.map, w.header.file_bytes);
    if (w.fd >= 0)
        close(w.fd);
    hd_output_abandon(&w.output);
    if (status != HEDDLE_OK && w.temporary[0]) /* by anyone: a rank that is left over can */
        unlink(w.temporary);
    return status;
}
