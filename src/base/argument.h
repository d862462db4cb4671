/* argument.h - checks of public arguments: required pointers, and structs of callers built with another version.
 *
 * A public function begins
 *     if (graph)
 *         *graph = NULL;                    outputs first, so that they are NULL whatever happens
 *     HD_ENTER(ctx);
 *     HD_NEEDS(ctx, path);
 *     HD_NEEDS(ctx, graph);
 *     HD_TRY(HD_TAKE_OPTIONS(ctx, given, &options));      `options` holds the defaults
 * and one that fills a caller's struct fills a local copy and ends with HD_GIVE.
 *
 * Sizes. A struct that can grow begins with its size, as the caller's compiler knew it. Of options, the common prefix
 * of both versions is read; fields that this library does not know must be 0, as the newer _init left them. Of answers,
 * the common prefix is written.
 */
#ifndef HD_BASE_ARGUMENT_H
#define HD_BASE_ARGUMENT_H

#include "base/context.h"

/* Without a context there is no error record to fill, and that of a context which another thread uses is not touched.
 * The call ends with its function, wherever that returns. */
#define HD_ENTER(ctx)                                                                    \
    if (!(ctx))                                                                          \
        return HEDDLE_E_ARGUMENT;                                                        \
    heddle_context *hd_call_ __attribute__((cleanup(hd_call_end))) = hd_call_begin(ctx); \
    if (!hd_call_)                                                                       \
    return HEDDLE_E_REFUSED

#define HD_NEEDS(ctx, argument)                            \
    do {                                                   \
        if (!(argument))                                   \
            return hd_fail_null(ctx, __func__, #argument); \
    } while (0)

heddle_status hd_fail_null(heddle_context *ctx, const char *function, const char *argument);

/* Overwrites the defaults in `options` with the fields that the caller's struct has; NULL changes nothing. */
#define HD_TAKE_OPTIONS(ctx, given, options) hd_take_options(ctx, __func__, given, options, sizeof *(options))
heddle_status hd_take_options(heddle_context *ctx, const char *function, const void *given, void *options,
                              size_t known);
/* The same without a context: false if the size is implausible or a field unknown to this library is not 0. */
bool hd_copy_options(const void *given, void *options, size_t known);
/* Whether all bytes are 0, as those of `reserved` fields must be. */
bool hd_all_zero(const void *memory, size_t bytes);

/* Fills options of `size` bytes from defaults of `known` bytes, the rest with 0. For the _init functions. */
void hd_give_defaults(void *options, size_t size, const void *defaults, size_t known);

/* Checks that the struct to fill is not NULL and that its size is set. */
#define HD_NEEDS_ROOM(ctx, answer)                                                         \
    do {                                                                                   \
        HD_NEEDS(ctx, answer);                                                             \
        if ((answer)->size < sizeof(size_t))                                               \
            return hd_fail_size(ctx, __func__, #answer, (answer)->size, sizeof *(answer)); \
    } while (0)
heddle_status hd_fail_size(heddle_context *ctx, const char *function, const char *argument, size_t size, size_t known);
/* Copies the library's struct into the caller's, as far as the caller's size reaches. */
#define HD_GIVE(answer, from) hd_give(answer, from, sizeof *(from))
void hd_give(void *answer, const void *from, size_t known);

#endif
