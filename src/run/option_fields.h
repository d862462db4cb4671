/* option_fields.h - the fields of heddle_run_options as a table: ranks of a run compare their options field by field,
 * so that none is forgotten and a refusal names what differs. */
#ifndef HD_RUN_OPTION_FIELDS_H
#define HD_RUN_OPTION_FIELDS_H

#include "algorithm/algorithm.h"

typedef enum hd_field_kind {
    HD_FIELD_PLAIN,    /* a number */
    HD_FIELD_TEXT,     /* a string, or NULL */
    HD_FIELD_VERTICES, /* an array of one element of `each` bytes per vertex, or NULL */
    HD_FIELD_SOURCES,  /* `source_count` elements */
    HD_FIELD_PAIRS,    /* `pair_count` elements */
    HD_FIELD_LOCAL     /* may differ: the rank's own device, or no part of the result */
} hd_field_kind;

typedef struct hd_option_field {
    const char *name;
    size_t offset, size;
    hd_field_kind kind;
    size_t each;
} hd_option_field;

extern const hd_option_field hd_option_fields[]; /* in the order of the struct; the last has no name */

/* The fields that differ from their default although the algorithm does not read them, as text: "damping, rate"; "" if
 * there are none. Fields that no algorithm lists among its options are for all. */
void hd_options_unused(const heddle_run_options *options, const hd_algorithm *algorithm, char *text, size_t size);

uint64_t hd_option_hash(const hd_option_field *field, const heddle_run_options *options, uint64_t vertices);

#endif
