/* brandes_forward.c - breadth-first search that counts shortest paths.
 *
 * Two ways to find the next level. Top-down: the vertices of a level sum their in-neighbours' counts and, in the same
 * pass, look for unseen out-neighbours, whose counts follow in the next pass. Bottom-up, if the level has a large share
 * of the edges: all unseen vertices sum their in-neighbours' counts; a vertex with a nonzero sum belongs to the next
 * level and has its count already. Large levels are extracted from the bitmap of seen vertices, in ascending order, so
 * that their rows are read sequentially. The direction depends only on the graph.
 *
 * Counts grow beyond any range, yet only ratios between neighbouring levels matter. So when the largest count of a
 * level exceeds 2^most_kept, the whole level is divided by a power of two, which is exact, and whose exponent is kept
 * for the backward pass.
 */
#include "algorithm/bc/brandes.h"

#include "engine/cpu/bitmap.h"

#include <math.h>
#include <string.h>

enum {
    WORDS = 16, /* of the bitmap, taken at a time */
    TAKE = 64,  /* vertices taken at a time */
    FINDS = 512 /* vertices that a thread finds before it reserves positions for them */
};

/* Exponents that a level may have. A sum over 2^32 neighbours stays finite, and so do the inverses. */
static const int most_kept = 900, least_kept = -900;

/* One thread's totals of a level. */
typedef struct survey {
    uint64_t out_edges, in_edges; /* of the vertices found */
    double least, most;           /* of the sums made */
    uint64_t count;               /* found, without positions yet */
    heddle_vertex found[FINDS];
    double sums[FINDS]; /* up: their counts */
} survey;

static void survey_begin(survey *s) {
    s->out_edges = s->in_edges = s->count = 0;
    s->least = HUGE_VAL;
    s->most = 0;
}

static inline double note_sum(survey *s, double sum) {
    s->least = sum < s->least ? sum : s->least;
    s->most = sum > s->most ? sum : s->most;
    return sum;
}

/* Assigns positions to the vertices found. */
static void flush(hd_brandes *b, survey *s) {
    uint64_t place = hd_fetch_add(&b->reached, s->count);
    memcpy(b->order + place, s->found, s->count * sizeof *s->found);
    memcpy(b->counts + place, s->sums, s->count * sizeof *s->sums);
    s->count = 0;
}

static inline void note_find(hd_brandes *b, survey *s, heddle_vertex v, double sum) {
    s->found[s->count] = v;
    s->sums[s->count] = sum;
    s->out_edges += hd_row_length(&b->out, v);
    s->in_edges += hd_row_length(&b->in, v);
    if (++s->count == FINDS)
        flush(b, s);
}

static void survey_end(hd_brandes *b, survey *all, survey *mine) {
    flush(b, mine);
    HD_CRITICAL {
        all->out_edges += mine->out_edges;
        all->in_edges += mine->in_edges;
        all->least = mine->least < all->least ? mine->least : all->least;
        all->most = mine->most > all->most ? mine->most : all->most;
    }
}

/* Runs `share(b, &survey, …)` on the team and merges the threads' surveys into `all`; or on this thread alone. */
#define ON_TEAM(b, all, share, ...)   \
    HD_PARALLEL((b)->ctx) {           \
        survey mine;                  \
        survey_begin(&mine);          \
        share(b, &mine, __VA_ARGS__); \
        survey_end(b, all, &mine);    \
    }

#define INLINE static inline __attribute__((always_inline))

/* ---- Counts -------------------------------------------------------------------------------------------------- */

bool hd_brandes_exponent(double least, double most, int *exponent) {
    int low, high;
    frexp(least, &low);
    frexp(most, &high);
    *exponent = high > most_kept ? high - most_kept : 0;
    return low - *exponent >= least_kept;
}

/* Turns sums into counts in the k-th of `parts` parts of the current level, if they are in range. */
static void commit_part(hd_brandes *b, const survey *all, uint64_t parts, uint64_t k) {
    uint64_t size = b->end - b->begin, end = b->begin + hd_split(size, parts, k + 1);
    int exponent;
    if (!hd_brandes_exponent(all->least, all->most, &exponent))
        return;
    double factor = ldexp(1, -exponent);
    for (uint64_t i = b->begin + hd_split(size, parts, k); i < end; i++)
        b->sigma[b->order[i]] = b->counts[i] *= factor;
}

static void commit(hd_brandes *b, const survey *all) {
    if (b->team && b->end - b->begin >= HD_BRANDES_SMALL) {
        HD_PARALLEL(b->ctx)
        commit_part(b, all, (uint64_t)hd_threads_here(), (uint64_t)hd_thread());
    } else {
        commit_part(b, all, 1, 0);
    }
}

/* Stores what the backward pass needs about the level. False if its sums are out of range. */
static bool seal(hd_brandes *b, const survey *all, uint64_t edges) {
    int exponent;
    if (hd_cancelled(b->ctx))
        return true;
    if (!hd_brandes_exponent(all->least, all->most, &exponent))
        return false;
    b->delta[b->begin] = hd_level_word(exponent, edges);
    return true;
}

/* ---- Down ---------------------------------------------------------------------------------------------------- */

/* The kind of a pass over a level. */
typedef struct pass {
    bool sum;     /* compute its sums */
    bool find;    /* find the next level */
    bool collect; /* by marking it in `seen` only */
    bool shared;  /* by a team */
} pass;

INLINE void discover(hd_brandes *b, survey *s, uint64_t from, uint64_t to, const pass p) {
    for (; from < to; from++) {
        heddle_vertex w = b->out.targets[from];
        if (hd_bit_shared(b->seen, w))
            continue;
        if (!p.shared)
            hd_bit_set(b->seen, w);
        else if (!hd_bit_claim(b->seen, w))
            continue;
        if (p.collect)
            continue;
        note_find(b, s, w, 0);
        __builtin_prefetch(&b->in.targets[b->in.offsets[w]]); /* used soon */
        __builtin_prefetch(&b->sigma[w], 1);
    }
}

INLINE void down_share(hd_brandes *b, survey *s, const pass p) {
    uint64_t from, to;
    while (hd_brandes_take(b, TAKE, b->end, &from, &to) && !hd_cancelled(b->ctx))
        for (; from < to; from++) {
            heddle_vertex v = b->order[from];
            if (p.shared && ((p.sum && hd_row_length(&b->in, v) > HD_BRANDES_BIG) ||
                             (p.find && hd_row_length(&b->out, v) > HD_BRANDES_BIG))) {
                hd_brandes_defer(b, v, from);
                continue;
            }
            if (p.sum)
                b->counts[from] = note_sum(s, hd_whole_row_sum(&b->in, v, b->sigma));
            if (p.find)
                discover(b, s, b->out.offsets[v], b->out.offsets[v + 1], p);
        }
}

/* One specialised copy per kind of pass: the tests above cost more than the work on a short row. */
static void down_kind(hd_brandes *b, survey *s, const pass p) {
    const int kind = p.sum * 8 + p.find * 4 + p.collect * 2 + p.shared;
    switch (kind) {
#define KIND(number, ...) \
    case number: down_share(b, s, (pass){__VA_ARGS__}); break
        KIND(4, false, true, false, false);
        KIND(5, false, true, false, true);
        KIND(6, false, true, true, false);
        KIND(7, false, true, true, true);
        KIND(8, true, false, false, false);
        KIND(9, true, false, false, true);
        KIND(12, true, true, false, false);
        KIND(13, true, true, false, true);
        KIND(14, true, true, true, false);
        KIND(15, true, true, true, true);
#undef KIND
    }
}

static void discover_parts(hd_brandes *b, survey *s, uint64_t parts, const pass p) {
    uint64_t part, next;
    while (hd_brandes_take(b, 1, parts, &part, &next)) {
        uint64_t from, to;
        hd_brandes_part(b, &b->out, part, &from, &to);
        discover(b, s, from, to, p);
    }
}

/* The vertices that were set aside. */
static void down_big(hd_brandes *b, survey *all, const pass p) {
    if (p.sum) {
        hd_brandes_sum_big(b, &b->in, b->sigma);
        for (uint64_t k = 0; k < b->big_count; k++)
            b->counts[b->big_place[k]] = note_sum(all, b->parts[k]);
    }
    if (p.find) {
        uint64_t parts = hd_brandes_cut(b, &b->out);
        b->cursor = 0;
        ON_TEAM(b, all, discover_parts, parts, p)
    }
}

/* Extracts the vertices seen since `before` from the bitmap. */
static void collect_share(hd_brandes *b, survey *s, uint64_t words) {
    uint64_t word, end;
    while (hd_brandes_take(b, WORDS, words, &word, &end))
        for (; word < end; word++)
            for (uint64_t fresh = b->seen[word] & ~b->before[word]; fresh; fresh &= fresh - 1)
                note_find(b, s, (heddle_vertex)(word * 64 + (uint64_t)__builtin_ctzll(fresh)), 0);
}

/* One thread's part of `down`: sums become counts once all threads have computed theirs. */
static void down_together(hd_brandes *b, survey *all, const pass p) {
    survey mine;
    survey_begin(&mine);
    down_kind(b, &mine, p);
    survey_end(b, all, &mine);
    HD_BARRIER
    if (p.sum && b->big_count == 0)
        commit_part(b, all, (uint64_t)hd_threads_here(), (uint64_t)hd_thread());
}

/* Passes over the current level: computes its sums and counts, finds the next level, or both. False if the counts get
 * out of range. */
static bool down(hd_brandes *b, survey *all, uint64_t edges, bool sum, bool find) {
    uint64_t words = hd_bitmap_words(b->vertices);
    pass p = {sum, find, find && edges > b->vertices / HD_BRANDES_PER_EDGE, b->team && edges >= HD_BRANDES_SMALL};
    b->cursor = b->begin;
    b->big_count = 0;
    if (p.collect)
        memcpy(b->before, b->seen, words * sizeof *b->seen);
    if (p.shared) {
        HD_PARALLEL(b->ctx)
        down_together(b, all, p);
    } else {
        down_kind(b, all, p);
    }
    if (b->big_count)
        down_big(b, all, p);
    if (sum && (!p.shared || b->big_count))
        commit(b, all);
    b->cursor = 0;
    if (p.collect && p.shared)
        ON_TEAM(b, all, collect_share, words)
    else if (p.collect)
        collect_share(b, all, words);
    flush(b, all);
    return !sum || seal(b, all, edges);
}

/* ---- Up ------------------------------------------------------------------------------------------------------ */

static void up_word(hd_brandes *b, survey *s, uint64_t word) {
    uint64_t open = ~b->seen[word], hit = 0;
    if ((word + 1) * 64 > b->vertices)
        open &= (UINT64_C(1) << b->vertices % 64) - 1;
    for (; open; open &= open - 1) {
        heddle_vertex v = (heddle_vertex)(word * 64 + (uint64_t)__builtin_ctzll(open));
        uint64_t length = hd_row_length(&b->in, v);
        if (length == 0)
            continue;
        if (b->team && length > HD_BRANDES_BIG) {
            hd_brandes_defer(b, v, 0);
            continue;
        }
        double sum = hd_whole_row_sum(&b->in, v, b->sigma);
        if (sum > 0) {
            note_find(b, s, v, note_sum(s, sum));
            hit |= open & -open;
        }
    }
    b->seen[word] |= hit;
}

static void up_share(hd_brandes *b, survey *s, uint64_t words) {
    uint64_t word, end;
    while (hd_brandes_take(b, WORDS, words, &word, &end) && !hd_cancelled(b->ctx))
        for (; word < end; word++)
            up_word(b, s, word);
}

/* Finds the next level among all unseen vertices, with its sums. */
static void up(hd_brandes *b, survey *all) {
    uint64_t words = hd_bitmap_words(b->vertices);
    b->big_count = b->cursor = 0;
    if (b->team)
        ON_TEAM(b, all, up_share, words)
    else
        up_share(b, all, words);
    if (b->big_count)
        hd_brandes_sum_big(b, &b->in, b->sigma);
    for (uint64_t k = 0; k < b->big_count; k++)
        if (b->parts[k] > 0) {
            note_find(b, all, b->big[k], note_sum(all, b->parts[k]));
            hd_bit_set(b->seen, b->big[k]);
        }
    flush(b, all);
}

/* ---- Levels -------------------------------------------------------------------------------------------------- */

static void start_at(hd_brandes *b, heddle_vertex source) {
    b->order[0] = source;
    b->delta[0] = 0;
    b->sigma[source] = b->counts[0] = 1;
    hd_bit_set(b->seen, source);
    hd_bit_set(b->starts, 0);
    b->begin = 0;
    b->end = b->reached = b->levels = 1;
}

/* Moves to the vertices found; false if there are none. */
static bool next_level(hd_brandes *b) {
    b->begin = b->end;
    b->end = b->reached;
    if (b->begin == b->end)
        return false;
    hd_bit_set(b->starts, b->begin);
    b->levels++;
    return true;
}

bool hd_brandes_forward(hd_brandes *b, heddle_vertex source) {
    uint64_t edges = hd_row_length(&b->out, source), unseen = b->edges - hd_row_length(&b->in, source);
    bool counted = true, more = true;
    survey s;
    start_at(b, source);
    while (more && !hd_brandes_advance(b, edges)) {
        bool rise = hd_brandes_rises(b, edges, unseen);
        if (!counted && !rise && hd_brandes_narrow_pays(b, edges)) {
            if (!hd_brandes_narrow_forward(b, &edges, &unseen))
                return false;
            more = b->begin < b->end;
            continue;
        }
        b->shared_edges += edges >= HD_BRANDES_SMALL ? edges : 0;
        survey_begin(&s);
        if ((!counted || !rise) && !down(b, &s, edges, !counted, !rise))
            return false;
        if (rise) {
            survey_begin(&s);
            up(b, &s);
        }
        counted = rise;
        more = next_level(b);
        edges = s.out_edges;
        unseen -= s.in_edges;
        if (more && counted) {
            commit(b, &s);
            if (!seal(b, &s, edges))
                return false;
        }
    }
    return true;
}
