/* argument.h - what callers hand in and get back: NULL where a thing is needed, and structs of another version.
 *
 * A public function begins
 *     if (graph)
 *         *graph = NULL;                    outputs first, so that they are NULL whatever happens
 *     HD_ENTER(ctx);
 *     HD_NEEDS(ctx, path);
 *     HD_NEEDS(ctx, graph);
 *     HD_TRY(HD_TAKE_OPTIONS(ctx, given, &options));      `options` holds the defaults
 * and one that fills a caller's struct fills one of its own and ends with HD_GIVE.
 *
 * Sizes. A struct that grows begins with its size, as its owner's compiler knew it. Of options the part that both sides
 * know counts; what the library does not know must be 0, which is what its own _init left there. Of answers the part
 * that both know is written.
 */
#ifndef HD_BASE_ARGUMENT_H
#define HD_BASE_ARGUMENT_H

#include "base/context.h"

/* Without a context there is nobody to tell more. */
#define HD_ENTER(ctx)                 \
    do {                              \
        if (!(ctx))                   \
            return HEDDLE_E_ARGUMENT; \
        hd_enter(ctx);                \
    } while (0)

#define HD_NEEDS(ctx, argument)                            \
    do {                                                   \
        if (!(argument))                                   \
            return hd_fail_null(ctx, __func__, #argument); \
    } while (0)

heddle_status hd_fail_null(heddle_context *ctx, const char *function, const char *argument);

/* Lays what the caller knows over the defaults; nothing for NULL. */
#define HD_TAKE_OPTIONS(ctx, given, options) hd_take_options(ctx, __func__, given, options, sizeof *(options))
heddle_status hd_take_options(heddle_context *ctx, const char *function, const void *given, void *options,
                              size_t known);
/* The same for who has no context: false when the size or a field behind it makes no sense. */
bool hd_copy_options(const void *given, void *options, size_t known);
/* What `reserved` fields are: 0. */
bool hd_all_zero(const void *memory, size_t bytes);

/* Fills options of `size` bytes from defaults of `known` bytes; what is behind those is 0. For the _init functions. */
void hd_give_defaults(void *options, size_t size, const void *defaults, size_t known);

/* Is the struct to be filled there, and has it a size? */
#define HD_NEEDS_ROOM(ctx, answer)                                                         \
    do {                                                                                   \
        HD_NEEDS(ctx, answer);                                                             \
        if ((answer)->size < sizeof(size_t))                                               \
            return hd_fail_size(ctx, __func__, #answer, (answer)->size, sizeof *(answer)); \
    } while (0)
heddle_status hd_fail_size(heddle_context *ctx, const char *function, const char *argument, size_t size, size_t known);
/* Fills the caller's struct from one of ours. */
#define HD_GIVE(answer, from) hd_give(answer, from, sizeof *(from))
void hd_give(void *answer, const void *from, size_t known);

#endif
