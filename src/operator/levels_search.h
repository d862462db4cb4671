/* levels_search.h - the state of a breadth-first search, and its two kinds of round. */
#ifndef HD_OPERATOR_LEVELS_SEARCH_H
#define HD_OPERATOR_LEVELS_SEARCH_H

#include "base/team.h"
#include "engine/cpu/bitmap.h"
#include "engine/cpu/frontier.h"
#include "engine/cpu/work_buckets.h"

#define HD_BFS_NONE UINT32_MAX

typedef struct hd_bfs_search {
    heddle_context *ctx;
    heddle_adjacency out, in; /* in.offsets NULL: there is no bottom-up */
    uint64_t vertices, words; /* words: of a bitmap */
    uint32_t *levels;
    heddle_vertex *parents; /* or NULL */
    uint64_t *visited;      /* bits; bottom-up also sets those of vertices that nothing can reach; with parents they are
                               right only bottom-up */
    hd_frontier queue;      /* this round's frontier, top-down */
    uint64_t *front, *next; /* this round's frontier and the next, bottom-up: bits */
    hd_bins *bins;          /* top-down: what threads found, by ranges of vertices; NULL with one thread */
    unsigned range_shift;   /* v >> range_shift is v's range */
    uint64_t ranges;
    heddle_vertex *big_hits; /* bottom-up: the smallest parent of each vertex set aside */
    uint64_t cursor;         /* the next words (bottom-up) or range (top-down) that no thread has taken */
    uint32_t depth;          /* the level of what this round finds */
    uint32_t most;           /* the last level that is looked for */
    uint64_t size, edges;    /* of the frontier: vertices, out-edges (by sample, if many) */
    uint64_t walked;         /* edges looked at */
    uint64_t reported;       /* the part of them that progress has reported */
    uint64_t unseen;         /* out-edges of vertices that are in no level yet, by estimate */
    uint64_t reached;        /* vertices */
    hd_team team;            /* for many small rounds in a row; of no threads: there is none */
    heddle_vertex *team_finds;
    uint64_t team_room; /* of team_finds, for each of a thread's two buffers */
    bool crowded;       /* the team found that it is not worth having */
} hd_bfs_search;

/* One round: finds the vertices of level `depth`; they become the frontier. */
void hd_bfs_down(hd_bfs_search *s);
void hd_bfs_up(hd_bfs_search *s);

/* Many rounds, as long as they are small and top-down. */
heddle_status hd_bfs_narrow_new(hd_bfs_search *s);
void hd_bfs_narrow_free(hd_bfs_search *s);
bool hd_bfs_narrow_pays(const hd_bfs_search *s);
void hd_bfs_narrow(hd_bfs_search *s);

enum {
    HD_BFS_ALPHA = 15,      /* bottom-up when the frontier's out-edges are many and over this part of the unseen */
    HD_BFS_UPDATE = 1 << 16 /* edges between two reports of progress */
};

/* Is it time to go bottom-up? */
static inline bool hd_bfs_turns_up(const hd_bfs_search *s, uint64_t edges, uint64_t unseen) {
    return s->in.offsets && edges > unseen / HD_BFS_ALPHA && edges >= HD_FRONTIER_SMALL;
}

static inline void hd_bfs_report(hd_bfs_search *s) {
    hd_advance(s->ctx, s->walked - s->reported);
    s->reported = s->walked;
}

/* Carry the frontier from one form into the other. */
void hd_bfs_to_bits(hd_bfs_search *s);
void hd_bfs_to_queue(hd_bfs_search *s);

static inline uint64_t hd_degree(const heddle_adjacency *rows, uint64_t v) {
    return rows->offsets[v + 1] - rows->offsets[v];
}

#endif
