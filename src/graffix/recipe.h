/* recipe.h - the decisions of a technique, as words that a file can keep.
 *
 * Finding clusters, and vertices to copy, takes most of the time of Graffix; building the graph from these decisions is
 * a copy of its rows. A recipe holds the decisions, not the graph: new edges are pairs of arcs, copies are names of
 * chunks. So whatever a file says, what is built are edges of the graph, paths of two of them, and copies that share a
 * vertex's edges; arcs and places are checked on the way, and a recipe that does not fit the graph is an error.
 */
#ifndef HD_GRAFFIX_RECIPE_H
#define HD_GRAFFIX_RECIPE_H

#include "graffix/graffix.h"

enum { HD_RECIPE_HEAD = 14 }; /* words that identify its input */

/* One that is being written (`from` is NULL), or read. */
typedef struct hd_recipe {
    uint64_t *words;
    uint64_t count, room;
    const uint64_t *from;
    uint64_t left;
} hd_recipe;

/* Begins one with the technique and knobs, and the graph that it is for, by its vertices, edges and weights; `order`:
 * the number of the order that it is renamed in, or 0. */
heddle_status hd_recipe_begin(heddle_context *ctx, hd_recipe *recipe, const heddle_graph *graph,
                              const hd_graffix_options *options, uint32_t order);
/* Reads one that was begun so. HD_RECIPE_OTHER: of another technique, knobs, graph or order; HD_RECIPE_VERSION: of
 * another version of Heddle. */
typedef enum hd_recipe_fit { HD_RECIPE_FITS, HD_RECIPE_OTHER, HD_RECIPE_VERSION } hd_recipe_fit;
hd_recipe_fit hd_recipe_open(const uint64_t *words, uint64_t count, const heddle_graph *graph,
                             const hd_graffix_options *options, uint32_t order, hd_recipe *recipe);
void hd_recipe_free(heddle_context *ctx, hd_recipe *recipe);

static inline bool hd_recipe_reads(const hd_recipe *recipe) { return recipe && recipe->from; }
static inline bool hd_recipe_writes(const hd_recipe *recipe) { return recipe && !recipe->from; }

heddle_status hd_recipe_put(heddle_context *ctx, hd_recipe *recipe, const void *data, uint64_t bytes);
/* The next array, whose elements have this size. HEDDLE_E_FORMAT: it is not there. */
heddle_status hd_recipe_take(heddle_context *ctx, hd_recipe *recipe, size_t size, const void **data, uint64_t *count);
heddle_status hd_recipe_wrong(heddle_context *ctx);

#endif
