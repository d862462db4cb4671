/* graphml.h - GraphML: graphml.c reads it with libexpat, graphml_write.c writes it. */
#ifndef HD_IO_GRAPHML_H
#define HD_IO_GRAPHML_H

#include "io/format.h"

heddle_status hd_graphml_read(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph);

/* The name of an XML document's root element, without prefix; empty if it is not XML. */
typedef struct hd_xml_root {
    const char *p;
    size_t length;
} hd_xml_root;
hd_xml_root hd_xml_find_root(const char *data, uint64_t bytes);

#endif
