/* graphml.h - what the parts of GraphML share: graphml.c reads, through libexpat, graphml_write.c writes. */
#ifndef HD_IO_GRAPHML_H
#define HD_IO_GRAPHML_H

#include "io/format.h"

heddle_status hd_graphml_read(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph);

/* The name of an XML document's first element, without prefix; empty when it is no such document. */
typedef struct hd_xml_root {
    const char *p;
    size_t length;
} hd_xml_root;
hd_xml_root hd_xml_find_root(const char *data, uint64_t bytes);

#endif
