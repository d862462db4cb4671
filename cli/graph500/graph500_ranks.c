/* graph500_ranks.c - see graph500_ranks.h. The file has the tree's number, rank 0's parents and distances, then a
 * verdict of each rank. */
#include "graph500/graph500_ranks.h"

#include "ranks.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Findings of a rank, before its bits of `joined`. */
typedef struct verdict {
    uint64_t tree, rule, traversed;
} verdict;

static uint64_t joined_bytes(const cli_g500_meeting *m) { return cli_g500_joined_words(m->vertices) * 8; }
static uint64_t tree_bytes(const cli_g500_meeting *m) { return m->vertices * 4; }
static uint64_t verdict_at(const cli_g500_meeting *m, int rank) {
    return sizeof m->tree + 2 * tree_bytes(m) + (uint64_t)rank * (sizeof(verdict) + joined_bytes(m));
}

static int fail(const cli_g500_meeting *m, const char *what, const char *why) {
    cli_say("%s, by which ranks check a tree, cannot be %s: %s", m->path, what, why);
    return heddle_status_exit(HEDDLE_E_WRITE);
}

/* Reads or writes bytes of the file; the exit status. */
static int pass(const cli_g500_meeting *m, bool writing, char *bytes, uint64_t count, uint64_t at) {
    while (count) {
        ssize_t done = writing ? pwrite(m->file, bytes, count, (off_t)at) : pread(m->file, bytes, count, (off_t)at);
        if (done == 0)
            errno = writing ? EIO : ENODATA;
        if (done <= 0 && errno != EINTR)
            return fail(m, writing ? "written" : "read", strerror(errno));
        uint64_t bytes_done = done > 0 ? (uint64_t)done : 0;
        bytes += bytes_done;
        count -= bytes_done;
        at += bytes_done;
    }
    return 0;
}

static int put(const cli_g500_meeting *m, const void *bytes, uint64_t count, uint64_t at) {
    return pass(m, true, (char *)bytes, count, at);
}

static int take(const cli_g500_meeting *m, void *bytes, uint64_t count, uint64_t at) {
    return pass(m, false, bytes, count, at);
}

/* A disk without room for it is full before the first search. */
static int make_file(cli_g500_meeting *m) {
    m->file = open(m->path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0600);
    if (m->file < 0)
        return fail(m, "made", errno == EEXIST ? "it exists; remove it, if no other run uses it" : strerror(errno));
    int full = posix_fallocate(m->file, 0, (off_t)verdict_at(m, m->ranks));
    if (full != ENOSPC && full != EDQUOT)
        return 0;
    unlink(m->path);
    return fail(m, "written", strerror(full));
}

static int open_file(cli_g500_meeting *m) {
    m->file = open(m->path, O_RDWR | O_CLOEXEC);
    return m->file < 0 ? fail(m, "opened", strerror(errno)) : 0;
}

static int make_room(cli_g500_meeting *m) {
    m->parents = malloc(tree_bytes(m) + 4);
    m->distances = malloc(tree_bytes(m) + 4);
    if (m->parents && m->distances)
        return 0;
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

int cli_g500_meeting_open(cli_g500_meeting *m, cli_session *session, const char *path, uint64_t vertices) {
    *m = (cli_g500_meeting){.session = session,
                            .rank = heddle_context_rank(session->context),
                            .ranks = heddle_context_ranks(session->context),
                            .file = -1,
                            .vertices = vertices};
    snprintf(m->path, sizeof m->path, "%s", path);
    int exit_status = cli_ranks_agree(session, m->rank ? 0 : make_file(m));
    if (exit_status)
        return exit_status;
    exit_status = m->rank ? open_file(m) : 0;
    exit_status = cli_ranks_agree(session, exit_status || !m->rank ? exit_status : make_room(m));
    if (!m->rank)
        unlink(path);
    return exit_status;
}

void cli_g500_meeting_close(cli_g500_meeting *m) {
    if (m->session && m->file >= 0)
        close(m->file);
    free(m->parents);
    free(m->distances);
    *m = (cli_g500_meeting){.session = NULL};
}

static int put_tree(const cli_g500_meeting *m, const cli_g500_tree *tree) {
    uint64_t at = sizeof m->tree;
    int exit_status = put(m, &m->tree, sizeof m->tree, 0);
    if (!exit_status)
        exit_status = put(m, tree->parents, tree_bytes(m), at);
    return exit_status || !tree->distances ? exit_status : put(m, tree->distances, tree_bytes(m), at + tree_bytes(m));
}

static int check_number(const cli_g500_meeting *m, uint64_t number) {
    return number == m->tree ? 0 : fail(m, "used", "not all ranks see at once what others write to it");
}

static int take_tree(const cli_g500_meeting *m, cli_g500_tree *tree) {
    uint64_t number, at = sizeof number;
    int exit_status = take(m, &number, sizeof number, 0);
    if (!exit_status)
        exit_status = check_number(m, number);
    if (!exit_status)
        exit_status = take(m, m->parents, tree_bytes(m), at);
    tree->parents = m->parents;
    if (exit_status || !tree->distances)
        return exit_status;
    tree->distances = m->distances;
    return take(m, m->distances, tree_bytes(m), at + tree_bytes(m));
}

static int put_verdict(const cli_g500_meeting *m, cli_g500_rule rule, const cli_g500_found *found) {
    verdict mine = {m->tree, rule, found->traversed};
    int exit_status = put(m, &mine, sizeof mine, verdict_at(m, m->rank));
    return exit_status ? exit_status : put(m, found->joined, joined_bytes(m), verdict_at(m, m->rank) + sizeof mine);
}

/* Adds what another rank has found; `words` is room for its bits. */
static int add_verdict(const cli_g500_meeting *m, int rank, uint64_t *words, cli_g500_found *found,
                       cli_g500_rule *rule) {
    verdict other;
    int exit_status = take(m, &other, sizeof other, verdict_at(m, rank));
    exit_status = exit_status ? exit_status : check_number(m, other.tree);
    exit_status = exit_status ? exit_status : take(m, words, joined_bytes(m), verdict_at(m, rank) + sizeof other);
    if (exit_status)
        return exit_status;
    *rule = other.rule > (uint64_t)*rule ? (cli_g500_rule)other.rule : *rule;
    found->traversed += other.traversed;
    for (uint64_t i = 0; i < cli_g500_joined_words(m->vertices); i++)
        found->joined[i] |= words[i];
    return 0;
}

static int add_verdicts(const cli_g500_meeting *m, cli_g500_found *found, cli_g500_rule *rule) {
    uint64_t *words = malloc(joined_bytes(m));
    int exit_status = 0;
    if (!words) {
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    for (int rank = 1; rank < m->ranks && !exit_status; rank++)
        exit_status = add_verdict(m, rank, words, found, rule);
    free(words);
    return exit_status;
}

int cli_g500_check_together(cli_g500_meeting *m, const cli_g500_tree *given, const cli_g500 *edges,
                            cli_g500_found *found, cli_g500_rule *rule) {
    cli_g500_tree tree = *given;
    m->tree++;
    int exit_status = cli_ranks_agree(m->session, m->rank ? 0 : put_tree(m, &tree));
    if (exit_status)
        return exit_status;
    exit_status = m->rank ? take_tree(m, &tree) : 0;
    if (!exit_status) {
        *rule = cli_g500_check_tree(&tree, found);
        if (*rule == CLI_G500_HOLDS)
            *rule = cli_g500_check_edges(&tree, edges, found);
        exit_status = m->rank ? put_verdict(m, *rule, found) : 0;
    }
    exit_status = cli_ranks_agree(m->session, exit_status);
    if (exit_status || m->rank)
        return exit_status;
    exit_status = add_verdicts(m, found, rule);
    if (!exit_status && *rule == CLI_G500_HOLDS)
        *rule = cli_g500_check_joined(&tree, found);
    return exit_status;
}
