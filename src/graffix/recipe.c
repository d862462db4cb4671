/* recipe.c - see recipe.h. An array is its number of bytes, then the bytes, up to a whole word. */
#include "graffix/recipe.h"

#include "base/float_bits.h"
#include "base/memory.h"

#include <string.h>

enum { VERSION = 1, HEAD = HD_RECIPE_HEAD };

/* Techniques by numbers that files have. */
static uint64_t number_of(const hd_graffix *kind) {
    return (uint64_t)hd_graffix_has(kind, &hd_graffix_coalesce) |
           (uint64_t)hd_graffix_has(kind, &hd_graffix_latency) << 1 |
           (uint64_t)hd_graffix_has(kind, &hd_graffix_divergence) << 2;
}

static void fill_head(const heddle_graph *graph, const hd_graffix_options *options, uint32_t order,
                      uint64_t head[HEAD]) {
    const uint64_t words[HEAD] = {VERSION,
                                  number_of(options->kind),
                                  hd_bits_of_double(options->thresholds[0]),
                                  hd_bits_of_double(options->thresholds[1]),
                                  hd_bits_of_double(options->thresholds[2]),
                                  hd_bits_of_double(options->fill),
                                  hd_bits_of_double(options->budget),
                                  options->warp,
                                  options->chunk,
                                  options->spare,
                                  order,
                                  graph->vertices,
                                  graph->edges,
                                  (uint64_t)graph->weight_type};
    memcpy(head, words, sizeof words);
}

static heddle_status make_room(heddle_context *ctx, hd_recipe *r, uint64_t more) {
    uint64_t room = r->room;
    while (room < r->count + more)
        room = room * 2 + 64;
    if (room == r->room)
        return HEDDLE_OK;
    uint64_t *words = r->words ? hd_resize(&ctx->allocator, r->words, r->room * sizeof *words, room * sizeof *words)
                               : hd_alloc(&ctx->allocator, room * sizeof *words);
    if (!words)
        return hd_fail_memory(ctx, room * sizeof *words, "what is kept of graffix");
    r->words = words;
    r->room = room;
    return HEDDLE_OK;
}

heddle_status hd_recipe_begin(heddle_context *ctx, hd_recipe *recipe, const heddle_graph *graph,
                              const hd_graffix_options *options, uint32_t order) {
    *recipe = (hd_recipe){.count = 0};
    HD_TRY(make_room(ctx, recipe, HEAD));
    fill_head(graph, options, order, recipe->words);
    recipe->count = HEAD;
    return HEDDLE_OK;
}

hd_recipe_fit hd_recipe_open(const uint64_t *words, uint64_t count, const heddle_graph *graph,
                             const hd_graffix_options *options, uint32_t order, hd_recipe *recipe) {
    uint64_t head[HEAD];
    if (count < HEAD || words[0] != VERSION)
        return HD_RECIPE_VERSION;
    fill_head(graph, options, order, head);
    *recipe = (hd_recipe){.from = words + HEAD, .left = count - HEAD};
    return memcmp(head, words, sizeof head) == 0 ? HD_RECIPE_FITS : HD_RECIPE_OTHER;
}

void hd_recipe_free(heddle_context *ctx, hd_recipe *recipe) {
    HD_DELETE(&ctx->allocator, recipe->words, recipe->room);
    *recipe = (hd_recipe){.count = 0};
}

heddle_status hd_recipe_put(heddle_context *ctx, hd_recipe *recipe, const void *data, uint64_t bytes) {
    uint64_t words = (bytes + 7) / 8;
    HD_TRY(make_room(ctx, recipe, words + 1));
    uint64_t *to = recipe->words + recipe->count;
    to[0] = bytes;
    if (words) {
        to[words] = 0;
        memcpy(to + 1, data, bytes);
    }
    recipe->count += words + 1;
    return HEDDLE_OK;
}

heddle_status hd_recipe_wrong(heddle_context *ctx) {
    return hd_fail(ctx, HEDDLE_E_FORMAT,
                   "what the file keeps of graffix is not of its graph: heddle convert --prepare makes it anew");
}

heddle_status hd_recipe_take(heddle_context *ctx, hd_recipe *recipe, size_t size, const void **data, uint64_t *count) {
    uint64_t bytes = recipe->left ? recipe->from[0] : 0;
    if (!recipe->left || bytes % size != 0 || bytes > (recipe->left - 1) * 8)
        return hd_recipe_wrong(ctx);
    uint64_t words = (bytes + 7) / 8 + 1;
    *data = recipe->from + 1;
    *count = bytes / size;
    recipe->from += words;
    recipe->left -= words;
    return HEDDLE_OK;
}
