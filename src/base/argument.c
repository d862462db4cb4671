/* argument.c - NULL arguments, and structs of callers built with another version of the header. */
#include "base/argument.h"

#include <string.h>

/* Far above the size of any public struct: a larger value means that `size` was never set. */
enum { SIZE_MOST = 1 << 20 };

heddle_status hd_fail_null(heddle_context *ctx, const char *function, const char *argument) {
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: %s is NULL", function, argument);
}

heddle_status hd_fail_size(heddle_context *ctx, const char *function, const char *argument, size_t size, size_t known) {
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: %s->size is %zu, expected the size of the struct, %zu bytes", function,
                   argument, size, known);
}

static size_t size_of(const void *sized) {
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

static void set_size(void *sized, size_t size) { memcpy(sized, &size, sizeof size); }

bool hd_all_zero(const void *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)memory)[i])
            return false;
    return true;
}

static bool sensible(size_t size) { return size >= sizeof size && size <= SIZE_MOST; }

bool hd_copy_options(const void *given, void *options, size_t known) {
    if (!given)
        return true;
    size_t size = size_of(given), both = size < known ? size : known;
    if (!sensible(size) || !hd_all_zero((const char *)given + both, size - both))
        return false;
    memcpy(options, given, both);
    set_size(options, known);
    return true;
}

heddle_status hd_take_options(heddle_context *ctx, const char *function, const void *given, void *options,
                              size_t known) {
    if (hd_copy_options(given, options, known))
        return HEDDLE_OK;
    if (!sensible(size_of(given)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: options->size is %zu: the options' _init function sets it",
                       function, size_of(given));
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: options have fields, past byte %zu, that this older library lacks",
                   function, known);
}

void hd_give_defaults(void *options, size_t size, const void *defaults, size_t known) {
    if (!options || !sensible(size))
        return;
    memset(options, 0, size);
    memcpy(options, defaults, size < known ? size : known);
    set_size(options, size);
}

void hd_give(void *answer, const void *from, size_t known) {
    size_t size = size_of(answer) < known ? size_of(answer) : known;
    memcpy(answer, from, size);
    set_size(answer, size);
}
