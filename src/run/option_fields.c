/* option_fields.c - see option_fields.h. */
#include "run/option_fields.h"

#include "base/argument.h"
#include "base/hash.h"
#include "base/word_list.h"

#include <string.h>

#define FIELD(name, kind, each) \
    { #name, offsetof(heddle_run_options, name), sizeof(((heddle_run_options *)0)->name), HD_FIELD_##kind, each }
#define PLAIN(name) FIELD(name, PLAIN, 0)
#define TEXT(name) FIELD(name, TEXT, 0)
#define LOCAL(name) FIELD(name, LOCAL, 0)

const hd_option_field hd_option_fields[] = {
    LOCAL(size),
    TEXT(algorithm),
    FIELD(sources, SOURCES, sizeof(heddle_vertex)),
    PLAIN(source_count),
    PLAIN(parents),
    PLAIN(each),
    PLAIN(weighted),
    PLAIN(damping),
    PLAIN(tolerance),
    PLAIN(max_iterations),
    FIELD(personalization, VERTICES, sizeof(double)),
    PLAIN(samples),
    PLAIN(normalized),
    PLAIN(delta),
    PLAIN(rate),
    FIELD(initial, VERTICES, sizeof(double)),
    FIELD(fixed, VERTICES, 1),
    PLAIN(precision),
    PLAIN(seed),
    LOCAL(program), /* a path: its text is compared */
    TEXT(parameters),
    LOCAL(device),
    TEXT(plan),
    LOCAL(profile),
    LOCAL(keep_source),
    TEXT(program_text),
    PLAIN(memory_limit),
    PLAIN(max_error),
    PLAIN(confidence),
    PLAIN(top),
    PLAIN(approximate),
    TEXT(checkpoint),
    PLAIN(checkpoint_every),
    PLAIN(resume),
    PLAIN(spread),
    PLAIN(reversed),
    PLAIN(reachable_only),
    PLAIN(alpha),
    PLAIN(hubs),
    PLAIN(resolution),
    FIELD(pairs, PAIRS, 2 * sizeof(heddle_vertex)),
    PLAIN(pair_count),
    PLAIN(measure),
    PLAIN(walks),
    PLAIN(length),
    PLAIN(p),
    PLAIN(q),
    LOCAL(compiled_program), /* its text is compared */
    PLAIN(direction),
    {NULL, 0, 0, HD_FIELD_LOCAL, 0},
};

uint64_t hd_option_hash(const hd_option_field *field, const heddle_run_options *options, uint64_t vertices) {
    const char *place = (const char *)options + field->offset;
    const char *array = NULL;
    uint64_t count = 0;
    if (field->kind == HD_FIELD_PLAIN)
        return hd_hash_block(place, field->size);
    if (field->kind == HD_FIELD_LOCAL)
        return 0;
    memcpy(&array, place, sizeof array);
    switch (field->kind) {
    case HD_FIELD_VERTICES: count = vertices; break;
    case HD_FIELD_SOURCES: count = options->source_count; break;
    case HD_FIELD_PAIRS: count = options->pair_count; break;
    case HD_FIELD_TEXT: return array ? hd_hash_block(array, strlen(array)) : 0;
    case HD_FIELD_PLAIN:
    case HD_FIELD_LOCAL: break;
    }
    return array && count ? hd_hash_block(array, (size_t)count * field->each) : 0;
}

/* max_error: what cannot keep an error budget is exact, and says so. weighted: algorithms that need weights use
 * them. */
static bool reads(const hd_algorithm *algorithm, const char *name) {
    return hd_has_word(algorithm->info.options, name) || strcmp(name, "max_error") == 0 ||
           (algorithm->weighs && strcmp(name, "weighted") == 0);
}

static bool belongs_to_some(const char *name) {
    const hd_algorithm *each;
    for (size_t i = 0; (each = hd_algorithm_at(i)); i++)
        if (hd_has_word(each->info.options, name))
            return true;
    return false;
}

/* 0 is what a caller leaves who fills the struct without its _init. */
static bool given(const hd_option_field *field, const heddle_run_options *options) {
    heddle_run_options defaults;
    heddle_run_options_init(&defaults);
    const char *value = (const char *)options + field->offset;
    return !hd_all_zero(value, field->size) && memcmp(value, (char *)&defaults + field->offset, field->size) != 0;
}

void hd_options_unused(const heddle_run_options *options, const hd_algorithm *algorithm, char *text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (const hd_option_field *f = hd_option_fields; f->name && used < size; f++)
        if (given(f, options) && !reads(algorithm, f->name) && belongs_to_some(f->name))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", f->name);
}
