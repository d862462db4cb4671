/* draw_graph.c - the graph as it is drawn: simple, undirected; its groups; its components. */
#include "draw/draw.h"

#include <stdlib.h>
#include <string.h>

void draw_graph_free(draw_graph *graph) {
    free(graph->offsets);
    free(graph->targets);
    free(graph->weights);
    *graph = (draw_graph){.n = 0};
}

static bool no_memory(draw_graph *graph) {
    draw_graph_free(graph);
    return false;
}

/* ---- Of a graph -------------------------------------------------------------------------------------------------- */

/* Writes the neighbours of v, of two ascending lists, each once; `to` NULL: counts them. */
static uint64_t merge(uint32_t v, const heddle_adjacency *out, const heddle_adjacency *in, uint32_t *to) {
    uint64_t i = out->offsets[v], j = in->offsets[v], count = 0;
    uint64_t i_end = out->offsets[v + 1], j_end = in->offsets[v + 1];
    uint32_t last = v; /* no loop */
    while (i < i_end || j < j_end) {
        bool first = j == j_end || (i < i_end && out->targets[i] <= in->targets[j]);
        uint32_t next = first ? out->targets[i++] : in->targets[j++];
        if (next == v || next == last)
            continue;
        if (to)
            to[count] = next;
        last = next;
        count++;
    }
    return count;
}

bool draw_graph_make(uint32_t n, const heddle_adjacency *out, const heddle_adjacency *in, draw_graph *graph) {
    *graph = (draw_graph){.n = n, .offsets = malloc(((size_t)n + 1) * sizeof *graph->offsets)};
    if (!graph->offsets)
        return false;
    graph->offsets[0] = 0;
    for (uint32_t v = 0; v < n; v++)
        graph->offsets[v + 1] = graph->offsets[v] + merge(v, out, in, NULL);
    graph->targets = malloc((graph->offsets[n] + 1) * sizeof *graph->targets);
    if (!graph->targets)
        return no_memory(graph);
    for (uint32_t v = 0; v < n; v++)
        merge(v, out, in, graph->targets + graph->offsets[v]);
    return true;
}

/* ---- Of groups --------------------------------------------------------------------------------------------------- */

typedef struct link {
    uint32_t a, b; /* a < b */
    uint32_t weight;
    bool kept;
} link;

static int by_ends(const void *one, const void *other) {
    const link *x = one, *y = other;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static int by_weight(const void *one, const void *other) {
    const link *x = one, *y = other;
    return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : by_ends(one, other);
}

/* Sorts, and makes one of those with the same ends. */
static size_t join(link *links, size_t count) {
    size_t used = 0;
    qsort(links, count, sizeof *links, by_ends);
    for (size_t i = 0; i < count; i++)
        if (used && links[used - 1].a == links[i].a && links[used - 1].b == links[i].b)
            links[used - 1].weight += links[i].weight;
        else
            links[used++] = links[i];
    return used;
}

/* The edges between groups. They are joined whenever the array is full, so that it stays near their number. */
static link *find_links(uint32_t n, const heddle_adjacency *out, const uint32_t *group, size_t *count) {
    size_t room = 1 << 16, used = 0;
    link *links = malloc(room * sizeof *links);
    for (uint32_t v = 0; links && v < n; v++)
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            uint32_t a = group[v], b = group[out->targets[e]];
            if (a == b)
                continue;
            if (used == room && (used = join(links, used)) > room / 2) {
                link *more = realloc(links, 2 * room * sizeof *links);
                if (!more) {
                    free(links);
                    return NULL;
                }
                links = more;
                room *= 2;
            }
            links[used++] = (link){.a = a < b ? a : b, .b = a < b ? b : a, .weight = 1};
        }
    *count = links ? join(links, used) : 0;
    return links;
}

/* A link stays if it is among the strongest of one of its ends. Returns how many stay, in front. */
static size_t keep_strongest(link *links, size_t count, uint32_t *kept, uint32_t strongest) {
    size_t used = 0;
    qsort(links, count, sizeof *links, by_weight);
    for (size_t i = 0; i < count; i++) {
        link each = links[i];
        if (kept[each.a] >= strongest && kept[each.b] >= strongest)
            continue;
        kept[each.a]++;
        kept[each.b]++;
        links[used++] = each;
    }
    qsort(links, used, sizeof *links, by_ends);
    return used;
}

static bool from_links(uint32_t n, const link *links, size_t count, draw_graph *graph) {
    *graph = (draw_graph){.n = n,
                          .offsets = calloc((size_t)n + 2, sizeof *graph->offsets),
                          .targets = malloc((2 * count + 1) * sizeof *graph->targets),
                          .weights = malloc((2 * count + 1) * sizeof *graph->weights)};
    uint64_t *next = graph->offsets;
    if (!graph->offsets || !graph->targets || !graph->weights)
        return no_memory(graph);
    for (size_t i = 0; i < count; i++) {
        next[links[i].a + 2]++; /* two places on, where the rows begin while they are filled */
        next[links[i].b + 2]++;
    }
    for (uint32_t v = 0; v < n; v++)
        next[v + 2] += next[v + 1];
    for (size_t i = 0; i < count; i++) {
        uint64_t a = next[links[i].a + 1]++, b = next[links[i].b + 1]++;
        graph->targets[a] = links[i].b;
        graph->targets[b] = links[i].a;
        graph->weights[a] = graph->weights[b] = (float)links[i].weight;
    }
    return true;
}

bool draw_graph_group(uint32_t n, const heddle_adjacency *out, const uint32_t *group, uint32_t count,
                      uint32_t strongest, draw_graph *graph) {
    size_t links = 0;
    uint32_t *kept = calloc((size_t)count + 1, sizeof *kept);
    link *list = kept ? find_links(n, out, group, &links) : NULL;
    bool done = list != NULL;
    *graph = (draw_graph){.n = 0};
    if (done) {
        links = keep_strongest(list, links, kept, strongest);
        done = from_links(count, list, links, graph);
    }
    free(list);
    free(kept);
    return done;
}

/* ---- Components -------------------------------------------------------------------------------------------------- */

typedef struct component_size {
    uint32_t size, first;
} component_size;

static int by_size(const void *one, const void *other) {
    const component_size *x = one, *y = other;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Labels with the smallest vertex; returns the size. */
static uint32_t flood(const draw_graph *graph, uint32_t first, uint32_t *component, uint32_t *queue) {
    uint32_t begin = 0, end = 1;
    queue[0] = first;
    component[first] = first;
    while (begin < end) {
        uint32_t v = queue[begin++];
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            if (component[graph->targets[e]] == UINT32_MAX) {
                component[graph->targets[e]] = first;
                queue[end++] = graph->targets[e];
            }
    }
    return end;
}

bool draw_graph_components(const draw_graph *graph, uint32_t *component, uint32_t *count) {
    uint32_t n = graph->n, found = 0;
    uint32_t *queue = malloc(((size_t)n + 1) * sizeof *queue);
    component_size *sizes = malloc(((size_t)n + 1) * sizeof *sizes);
    bool done = queue && sizes;
    if (done) {
        memset(component, 0xff, (size_t)n * sizeof *component);
        for (uint32_t v = 0; v < n; v++)
            if (component[v] == UINT32_MAX)
                sizes[found++] = (component_size){flood(graph, v, component, queue), v};
        qsort(sizes, found, sizeof *sizes, by_size);
        for (uint32_t i = 0; i < found; i++)
            queue[sizes[i].first] = i;
        for (uint32_t v = 0; v < n; v++)
            component[v] = queue[component[v]];
        *count = found;
    }
    free(queue);
    free(sizes);
    return done;
}

bool draw_graph_sort(const draw_graph *graph, const uint32_t *component, uint32_t count, uint32_t *order,
                     uint32_t **first) {
    uint32_t *begin = calloc((size_t)count + 2, sizeof *begin);
    *first = begin;
    if (!begin)
        return false;
    for (uint32_t v = 0; v < graph->n; v++)
        begin[component[v] + 2]++;
    for (uint32_t c = 0; c < count; c++)
        begin[c + 2] += begin[c + 1];
    for (uint32_t v = 0; v < graph->n; v++)
        order[begin[component[v] + 1]++] = v;
    return true;
}
