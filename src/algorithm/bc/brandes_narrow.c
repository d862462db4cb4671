/* brandes_narrow.c - many small levels in a row, as in road networks, with two barriers per level (base/team.h).
 *
 * All sums of a level must be complete before the first becomes a count, and all counts before the next level sums
 * them: so there is a barrier after each step. A thread has the same part of a level in both steps. In the forward pass
 * each thread collects its finds in its own buffer; the words exchanged at the first barrier give the position of every
 * thread's finds, so that a thread mostly continues with the vertices it found itself, whose cache lines others have
 * not written.
 */
#include "algorithm/bc/brandes.h"

#include "base/memory.h"
#include "engine/cpu/bitmap.h"
#include "engine/path_label.h"

#include <math.h>
#include <string.h>

enum {
    FROM = 1 << 10,                   /* levels of more edges are worth starting a team */
    LEAST = 1 << 8,                   /* levels of fewer edges end it; */
    LEAST_BACK = 64,                  /* backward, levels of fewer vertices */
    MOST_BACK = HD_BRANDES_NARROW / 2 /* or of more */
};

/* Words that threads exchange in the forward pass. Backward it is only STOP. */
enum { FINDS, OUT_EDGES, IN_EDGES, LOW, HIGH, STOP, WORDS };

/* One thread's copy of the team's state, the same in all threads. */
typedef struct narrow {
    hd_brandes *b;
    hd_mate mate;
    heddle_vertex *found;
    uint64_t begin, end, reached; /* the current level, and the end of the vertices found */
    uint64_t edges, unseen, levels;
    bool again; /* not the first level: its edges have not been counted yet */
    bool failed;
} narrow;

heddle_status hd_brandes_narrow_new(hd_brandes *b) {
    b->mate_room = b->vertices < HD_BRANDES_NARROW ? b->vertices : HD_BRANDES_NARROW;
    HD_TRY(hd_team_new(b->ctx, &b->mates));
    return HD_NEW(b->ctx, &b->mate_finds, b->mates.room * b->mate_room, "levels");
}

void hd_brandes_narrow_free(hd_brandes *b) {
    HD_DELETE(&b->ctx->allocator, b->mate_finds, b->mates.room * b->mate_room);
    hd_team_free(b->ctx, &b->mates);
}

bool hd_brandes_narrow_pays(const hd_brandes *b, uint64_t edges) {
    return b->mate_finds && !b->crowded && edges >= FROM && edges < HD_BRANDES_NARROW;
}

static uint64_t part_begin(const narrow *n, uint64_t part) {
    return n->begin + hd_split(n->end - n->begin, n->mate.count, part);
}

/* The first thread counts edges and decides when to stop. */
static bool lead(narrow *n, uint64_t edges) {
    hd_brandes *b = n->b;
    b->crowded = hd_team_crowded(&n->mate);
    return (n->again && hd_brandes_advance(b, edges)) || b->crowded;
}

/* ---- Forward --------------------------------------------------------------------------------------------------- */

/* Finds the unseen out-neighbours of v. */
static inline void discover(narrow *n, heddle_vertex v, uint64_t *summary) {
    hd_brandes *b = n->b;
    for (uint64_t k = b->out.offsets[v]; k < b->out.offsets[v + 1]; k++) {
        heddle_vertex w = b->out.targets[k];
        if (hd_bit_shared(b->seen, w) || !hd_bit_claim(b->seen, w))
            continue;
        n->found[summary[FINDS]++] = w;
        summary[OUT_EDGES] += hd_row_length(&b->out, w);
        summary[IN_EDGES] += hd_row_length(&b->in, w);
        __builtin_prefetch(&b->in.targets[b->in.offsets[w]]); /* used soon */
        __builtin_prefetch(&b->sigma[w], 1);
    }
}

/* This thread's part of the sums, and of the search for the next level. */
static void sum_and_find(narrow *n, uint64_t *summary) {
    hd_brandes *b = n->b;
    double least = HUGE_VAL, most = 0;
    uint64_t to = part_begin(n, n->mate.self + 1);
    for (uint64_t i = part_begin(n, n->mate.self); i < to; i++) {
        heddle_vertex v = b->order[i];
        double sum = b->counts[i] = hd_whole_row_sum(&b->in, v, b->sigma);
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
        discover(n, v, summary);
    }
    summary[LOW] = hd_bits_of_double(least);
    summary[HIGH] = hd_bits_of_double(most);
}

/* Assigns positions to this thread's finds, and counts to its part of the level. */
static void commit_forward(narrow *n, uint64_t place, uint64_t finds, int exponent) {
    hd_brandes *b = n->b;
    double factor = ldexp(1, -exponent);
    uint64_t to = part_begin(n, n->mate.self + 1);
    for (uint64_t i = part_begin(n, n->mate.self); i < to; i++)
        b->sigma[b->order[i]] = b->counts[i] *= factor;
    memcpy(b->order + place, n->found, finds * sizeof *n->found);
}

/* The first thread stores what the backward pass needs. */
static void seal(narrow *n, int exponent, uint64_t finds) {
    hd_brandes *b = n->b;
    b->shared_edges += n->edges >= HD_BRANDES_SMALL ? n->edges : 0;
    b->delta[n->begin] = hd_level_word(exponent, n->edges);
    if (finds)
        hd_bit_set(b->starts, n->end);
}

/* One level; true if another one follows. */
static bool go_down(narrow *n) {
    uint64_t summary[WORDS] = {0}, finds = 0, edges = 0, in_edges = 0, place = n->reached;
    double least = HUGE_VAL, most = 0;
    int exponent;
    sum_and_find(n, summary);
    summary[STOP] = n->mate.self == 0 && lead(n, n->edges);
    hd_team_meet(&n->mate, summary, WORDS);
    for (uint64_t t = 0; t < n->mate.count; t++) {
        const uint64_t *words = hd_team_words(&n->mate, t);
        double low = hd_double_of(words[LOW]), high = hd_double_of(words[HIGH]);
        place += t < n->mate.self ? words[FINDS] : 0;
        finds += words[FINDS];
        edges += words[OUT_EDGES];
        in_edges += words[IN_EDGES];
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    bool stop = hd_team_words(&n->mate, 0)[STOP];
    n->failed = !hd_brandes_exponent(least, most, &exponent);
    if (n->failed)
        return false;
    commit_forward(n, place, summary[FINDS], exponent);
    if (n->mate.self == 0)
        seal(n, exponent, finds);
    hd_team_meet(&n->mate, NULL, 0);
    n->begin = n->end;
    n->end = n->reached += finds;
    n->levels += finds > 0;
    n->edges = edges;
    n->unseen -= in_edges;
    n->again = true;
    return finds && !stop && edges >= LEAST && edges < HD_BRANDES_NARROW && !hd_brandes_rises(n->b, edges, n->unseen);
}

static narrow join(hd_brandes *b) {
    narrow n = {.b = b, .mate = hd_team_join(&b->mates)};
    n.found = b->mate_finds + n.mate.self * b->mate_room;
    n.begin = b->begin;
    n.end = b->end;
    n.reached = b->reached;
    n.levels = b->levels;
    return n;
}

bool hd_brandes_narrow_forward(hd_brandes *b, uint64_t *edges, uint64_t *unseen) {
    narrow last = {.b = b};
    hd_team_ready(&b->mates);
    HD_PARALLEL(b->ctx) {
        narrow n = join(b);
        n.edges = *edges;
        n.unseen = *unseen;
        while (go_down(&n)) {
        }
        if (n.mate.self == 0)
            last = n;
    }
    b->begin = last.begin;
    b->end = last.end;
    b->reached = last.reached;
    b->levels = last.levels;
    *edges = last.edges;
    *unseen = last.unseen;
    return !last.failed;
}

/* ---- Backward -------------------------------------------------------------------------------------------------- */

/* This thread's part of the dependencies. There is nothing behind the last level. */
static void sum_back(const narrow *n, uint64_t from, uint64_t to) {
    hd_brandes *b = n->b;
    if (n->end == b->reached) {
        memset(b->delta + from, 0, (to - from) * sizeof *b->delta);
        return;
    }
    for (uint64_t i = from; i < to; i++)
        b->delta[i] = b->counts[i] * hd_whole_row_sum(&b->out, b->order[i], b->share);
}

/* One level, whose word is *word, which is replaced by the next one's; true if another one follows. The words must be
 * read before any thread overwrites them with dependencies. */
static bool go_up(narrow *n, double *word) {
    hd_brandes *b = n->b;
    uint64_t from = part_begin(n, n->mate.self), to = part_begin(n, n->mate.self + 1);
    double factor = ldexp(1, hd_level_exponent(*word));
    uint64_t stop = n->mate.self == 0 && lead(n, 0);
    sum_back(n, from, to);
    hd_team_meet(&n->mate, NULL, 0);
    for (uint64_t i = from; i < to; i++) {
        heddle_vertex v = b->order[i];
        b->share[v] = (1 + b->delta[i]) / (b->counts[i] * factor);
        if (b->total)
            b->total[v] += b->delta[i];
    }
    uint64_t begin = n->begin > 1 ? hd_brandes_begin(b, n->begin) : 0;
    *word = n->begin > 1 ? b->delta[begin] : 0;
    hd_team_meet(&n->mate, &stop, 1);
    n->end = n->begin;
    n->begin = begin;
    n->again = true;
    return n->end - begin >= LEAST_BACK && n->end - begin < MOST_BACK && !hd_level_wide(*word) &&
           !hd_team_words(&n->mate, 0)[0];
}

uint64_t hd_brandes_narrow_backward(hd_brandes *b, uint64_t end) {
    uint64_t begin = hd_brandes_begin(b, end), done = 0;
    hd_team_ready(&b->mates);
    HD_PARALLEL(b->ctx) {
        narrow n = join(b);
        double word = b->delta[begin];
        n.begin = begin;
        n.end = end;
        hd_team_meet(&n.mate, NULL, 0); /* all have read the word */
        while (go_up(&n, &word)) {
        }
        if (n.mate.self == 0)
            done = n.end;
    }
    return done;
}
