/* save_spread.c - values that are spread over ranks become one file: see save.h. No rank has more of it than a buffer.
 *
 * Every rank formats its rows twice. The first time the bytes are only counted, and the sum over the lower ranks is the
 * place of its rows in the file. The second time they are written there. Rank 0 makes the file, under a temporary name
 * that all others open, and gives it the final name when all have written.
 *
 * Output other than a plain file on a file system of all ranks (standard output, a pipe, a compressed file) is written
 * by rank 0 alone, to which the others send their rows in pieces, one rank after the other.
 */
#include "base/memory.h"
#include "exchange/agree.h"
#include "exchange/together.h"
#include "run/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

typedef struct writing {
    heddle_context *ctx;
    hd_link *link;
    const heddle_graph *graph;
    const heddle_result *result;
    const char *path;
    hd_save_share share;
    char temporary[PATH_MAX]; /* the new file; empty: the others have to send their rows */
    int fd;                   /* of it, on all ranks but 0 */
    uint64_t at;              /* where the next bytes go */
    hd_output *output;        /* of rank 0 */
} writing;

/* ---- Where formatted bytes go ----------------------------------------------------------------------------------- */

static bool count_bytes(void *self, const void *data, size_t bytes) {
    (void)self, (void)data, (void)bytes;
    return true;
}

static bool write_bytes(void *self, const void *data, size_t bytes) {
    writing *w = self;
    for (const char *p = data; bytes;) {
        ssize_t done = pwrite(w->fd, p, bytes, (off_t)w->at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            hd_fail_file(w->ctx, HEDDLE_E_WRITE, w->path, errno, "cannot write");
            return false;
        }
        p += done;
        bytes -= (size_t)done;
        w->at += (uint64_t)done;
    }
    return true;
}

static bool send_bytes(void *self, const void *data, size_t bytes) {
    writing *w = self;
    const char *p = data;
    while (bytes) {
        hd_message_way way = {.open = false};
        size_t piece = bytes < PIECE ? bytes : PIECE;
        if (w->link->send(w->link, 0, p, piece, &way) != HEDDLE_OK || w->link->wait(w->link, &way) != HEDDLE_OK)
            return false;
        p += piece;
        bytes -= piece;
    }
    return true;
}

/* *bytes: how many the rows are. */
static heddle_status write_to(writing *w, hd_output_sink sink, uint64_t *bytes) {
    hd_output *output;
    HD_TRY(hd_output_open_sink(w->ctx, w->path, sink, w, &output));
    heddle_status status = hd_save_write(w->ctx, output, w->graph, w->result, w->path, &w->share);
    *bytes = hd_output_position(output);
    if (status == HEDDLE_OK)
        return hd_output_close(&output);
    hd_output_abandon(&output);
    return status;
}

/* ---- All into one file ------------------------------------------------------------------------------------------ */

static heddle_status open_first(writing *w) {
    char whole[PATH_MAX];
    HD_TRY(hd_output_open(w->ctx, w->path, 0, &w->output));
    const char *name = hd_output_share(w->output);
    if (name && realpath(name, whole)) /* the others may be in other folders */
        snprintf(w->temporary, sizeof w->temporary, "%s", whole);
    return HEDDLE_OK;
}

/* Whether all ranks see rank 0's file. */
static heddle_status open_others(writing *w) {
    uint64_t seen = w->temporary[0] != '\0';
    if (seen && w->link->rank) {
        w->fd = open(w->temporary, O_WRONLY | O_CLOEXEC);
        seen = w->fd >= 0;
    }
    HD_TRY(w->link->reduce(w->link, HD_LINK_MIN, &seen, 1));
    if (!seen)
        w->temporary[0] = '\0';
    return HEDDLE_OK;
}

static heddle_status write_place(writing *w, uint64_t expected) {
    uint64_t bytes = 0;
    if (!w->link->rank) {
        HD_TRY(hd_save_write(w->ctx, w->output, w->graph, w->result, w->path, &w->share));
        bytes = hd_output_position(w->output);
    } else {
        HD_TRY(write_to(w, write_bytes, &bytes));
        if (fsync(w->fd) != 0 && errno != EINVAL && errno != ENOSYS && errno != EINTR)
            return hd_fail_file(w->ctx, HEDDLE_E_WRITE, w->path, errno, "cannot write");
    }
    return bytes == expected ? HEDDLE_OK
                             : hd_fail_file(w->ctx, HEDDLE_E_INTERNAL, w->path, 0, "the rows changed while written");
}

static heddle_status write_in_place(writing *w) {
    uint64_t bytes = 0, all;
    HD_TRY(hd_agree(w->link, write_to(w, count_bytes, &bytes)));
    HD_TRY(hd_prefix(w->link, bytes, &w->at, &all));
    return hd_agree(w->link, write_place(w, bytes));
}

/* ---- Through rank 0 --------------------------------------------------------------------------------------------- */

/* An empty message is the last of a rank. A rank that cannot format its rows sends that, too, and is heard later. */
static heddle_status receive_rows(writing *w, char *room) {
    for (uint32_t p = 1; p < w->link->size; p++)
        for (hd_message_way way = {.bytes = 1}; way.bytes;) {
            HD_TRY(w->link->receive(w->link, p, room, PIECE, &way));
            HD_TRY(w->link->wait(w->link, &way));
            hd_output_write(w->output, room, way.bytes);
        }
    return HEDDLE_OK;
}

static heddle_status send_rows(writing *w) {
    uint64_t bytes;
    hd_message_way way = {.open = false};
    heddle_status status = write_to(w, send_bytes, &bytes), sent;
    heddle_error error = w->ctx->error;
    sent = w->link->send(w->link, 0, "", 0, &way);
    if (sent == HEDDLE_OK)
        sent = w->link->wait(w->link, &way);
    if (status == HEDDLE_OK)
        return sent;
    w->ctx->error = error;
    return status;
}

static heddle_status write_through_first(writing *w) {
    char *room = NULL;
    if (w->link->rank)
        return hd_agree(w->link, send_rows(w));
    heddle_status status = HD_NEW(w->ctx, &room, PIECE, "rows of other ranks"), received;
    if (status != HEDDLE_OK) {
        w->link->fail(w->link, status); /* the others are sending */
        return status;
    }
    status = hd_save_write(w->ctx, w->output, w->graph, w->result, w->path, &w->share);
    received = receive_rows(w, room);
    HD_DELETE(&w->ctx->allocator, room, PIECE);
    return hd_agree(w->link, status != HEDDLE_OK ? status : received);
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

static heddle_status write_all(writing *w) {
    HD_TRY(hd_agree(w->link, w->link->rank ? HEDDLE_OK : open_first(w)));
    HD_TRY(hd_broadcast(w->link, 0, w->temporary, sizeof w->temporary));
    HD_TRY(open_others(w));
    HD_TRY(w->temporary[0] ? write_in_place(w) : write_through_first(w));
    return hd_agree(w->link, w->output ? hd_output_close(&w->output) : HEDDLE_OK);
}

static heddle_status write_shared(writing *w) {
    heddle_status status = write_all(w);
    if (w->fd >= 0)
        close(w->fd);
    hd_output_abandon(&w->output);
    if (status != HEDDLE_OK && w->temporary[0]) /* by anyone: a rank that is left over can */
        unlink(w->temporary);
    return status;
}

static heddle_status write_own(writing *w) {
    return hd_agree(w->link, hd_save_by_rank(w->ctx, w->graph, w->result, w->path));
}

heddle_status hd_save_spread(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                             const char *path, bool own_file) {
    hd_link *link = ctx->link;
    writing w = {.ctx = ctx,
                 .link = link,
                 .graph = graph,
                 .result = result,
                 .path = path,
                 .fd = -1,
                 .share = {.begins = link->rank == 0,
                           .ends = link->rank + 1 == link->size,
                           .before = result->first,
                           .all = graph->vertices}};
    heddle_status status = hd_result_of(ctx, "heddle_result_save", graph, result);
    if (status == HEDDLE_OK)
        status = hd_save_check(ctx, graph, result, path);
    HD_TRY(hd_together_begin(ctx, status));
    status = hd_together_check(ctx, graph, HD_VERIFY_IDS);
    if (status == HEDDLE_OK) {
        w.share.longest_id = hd_save_longest_id(graph, result->first, result->count);
        status = link->reduce(link, HD_LINK_MAX, &w.share.longest_id, 1);
    }
    if (status == HEDDLE_OK)
        status = own_file ? write_own(&w) : write_shared(&w);
    return hd_together_end(ctx, status);
}
