/* shared_labels.h - numbering the labels of a graph whose edges are spread over ranks, as one process numbers them: in
 * the order in which they first occur in the input.
 *
 * Ranks have consecutive shares of the input, so that a label first occurs on the lowest rank that has it. A hash gives
 * every label an owner, which all ranks that have it query; the owner assigns the label to the lowest of them.
 * Ranks number these in the order of their shares, behind those of lower ranks, and the owners pass the numbers on.
 * Messages hold a label's place in the input, which all ranks have mapped, and numbers.
 */
#ifndef HD_EXCHANGE_SHARED_LABELS_H
#define HD_EXCHANGE_SHARED_LABELS_H

#include "exchange/shared_ids.h"
#include "graph/ids.h"

/* Labels of the vertices that this rank has numbered. */
typedef struct hd_shared_labels {
    uint64_t first, count; /* vertices */
    uint64_t *starts;      /* count + 1, in the text of all labels; NULL: the graph has none */
    char *text;
    uint64_t bytes, all_bytes; /* of these labels, and of all */
} hd_shared_labels;

/* Collective. `map`: this rank's labels, in the order of its share. Fills in the vertices, `numbers` and `asked` of
 * `ids`. HEDDLE_E_LIMIT for more than 2^32 - 2 labels. Freed by hd_shared_labels_free, and ids, in any case. */
heddle_status hd_shared_labels_number(hd_link *link, const hd_id_map *map, hd_shared_ids *ids,
                                      hd_shared_labels *labels);
void hd_shared_labels_free(hd_link *link, hd_shared_labels *labels);

#endif
