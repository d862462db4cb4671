/* hdl.h - the layout of Heddle's own file format, designed to be mapped and used in place (specified in
 * docs/formats.md).
 *
 *     header     128 bytes
 *     table      one entry of 32 bytes per section
 *     sections   each at a multiple of 64 bytes, large ones at a multiple of 4096; zeros between
 *
 * All numbers are in the byte order of the machine that wrote the file, which the endian mark shows. Readers skip
 * sections of kinds they do not know, unless these are marked as required.
 */
#ifndef HD_IO_HDL_H
#define HD_IO_HDL_H

#include "graph/order.h"
#include "io/output.h"

#define HD_HDL_MAGIC "\x89HDL\r\n\x1a\n" /* 8 bytes; a transfer in text mode breaks it */
#define HD_HDL_ENDIAN UINT32_C(0x01020304)
#define HD_HDL_VERSION UINT32_C(2) /* 2: weights of 64 bits; files without them are written as version 1 */

enum { HD_HDL_DIRECTED = 1 };         /* header flags */
enum { HD_HDL_REQUIRED = 1 };         /* entry flags: readers that do not know the kind must refuse the file */
enum { HD_HDL_MOST_SECTIONS = 1024 }; /* a larger count is a damaged one */

typedef struct hd_hdl_header {
    char magic[8];
    uint32_t endian;
    uint32_t version;
    uint64_t vertices;
    uint64_t edges;
    uint32_t flags;
    uint32_t weight_type; /* heddle_weight_type */
    uint32_t id_type;     /* heddle_id_type */
    uint32_t sections;    /* entries in the table */
    int64_t id_base;      /* without id values: vertex v is id_base + v */
    uint64_t file_bytes;  /* the whole file, a multiple of 64 */
    uint64_t checksum;    /* of the header, this field being 0, and the table */
    char reserved[56];    /* 0 */
} hd_hdl_header;

/* Kinds. 14 .. 31 are kept for more about the graph itself, 32 .. 2^31 - 1 for prepared layouts (orders, transforms,
 * partitions), the rest for private use. The graph renamed (graph/order.h) has the kinds of rows, and the places, plus
 * 32 in degree order, plus 48 in bfs order: 16 + 16 times the order's number. */
typedef enum hd_hdl_kind {
    HD_HDL_OUT_OFFSETS = 1, /* uint64_t x (vertices + 1) */
    HD_HDL_OUT_TARGETS,     /* uint32_t x edges */
    HD_HDL_OUT_WEIGHTS,     /* 4 bytes x edges, or 8 as the type wants */
    HD_HDL_IN_OFFSETS,      /* the same for in-edges, all or none, directed graphs only */
    HD_HDL_IN_TARGETS,
    HD_HDL_IN_WEIGHTS,
    HD_HDL_ID_VALUES,    /* int64_t or uint64_t x vertices, ascending */
    HD_HDL_LABEL_STARTS, /* uint64_t x (vertices + 1): label v is text[starts[v] .. starts[v + 1]) */
    HD_HDL_LABEL_TEXT,
    HD_HDL_PLACES, /* renamed graphs only: uint32_t x vertices, the permutation original -> renamed vertex */
    /* Optional, the same in fewer bits (graph/pack.h), in the order of hd_packed_what: */
    HD_HDL_PACKED_OUT,
    HD_HDL_PACKED_IN,     /* with in-edges */
    HD_HDL_PACKED_WEIGHTS /* of out-edges */
} hd_hdl_kind;

/* Decisions prepared for Graffix (graffix/recipe.h): uint64_t words, of kinds from this one on. */
enum { HD_HDL_KEPT = 1024 };
static inline bool hd_hdl_is_kept(uint32_t in_file) {
    return in_file >= HD_HDL_KEPT && in_file < HD_HDL_KEPT + HD_KEPT_MOST;
}

/* The graphs in a file: the main one, and its renamed version for each order. */
enum { HD_HDL_VIEWS = 1 + HD_ORDERS };

/* Converts a kind of one view to the kind in the file, and back: false for an unknown kind. */
static inline uint32_t hd_hdl_kind_in(int view, uint32_t kind) { return view ? 16 + 16 * (uint32_t)view + kind : kind; }
static inline bool hd_hdl_kind_known(uint32_t in_file, int *view, uint32_t *kind) {
    *view = in_file < 32 ? 0 : (int)(in_file / 16) - 1;
    *kind = *view ? in_file % 16 : in_file;
    if (*view == 0)
        return *kind >= HD_HDL_OUT_OFFSETS && *kind <= HD_HDL_KINDS && *kind != HD_HDL_PLACES;
    return hd_order_numbered((uint32_t)*view) && ((*kind >= HD_HDL_OUT_OFFSETS && *kind <= HD_HDL_IN_WEIGHTS) ||
                                                  (*kind >= HD_HDL_PLACES && *kind <= HD_HDL_KINDS));
}

typedef struct hd_hdl_entry {
    uint32_t kind;
    uint32_t flags;
    uint64_t offset;
    uint64_t bytes;
    uint64_t checksum; /* base/hash.h */
} hd_hdl_entry;

_Static_assert(sizeof(hd_hdl_header) == 128 && sizeof(hd_hdl_entry) == 32, "the layout has no gaps");
_Static_assert((int)HD_HDL_PACKED_WEIGHTS == (int)HD_HDL_KINDS, "graph.h has room for all kinds");

/* "out targets", "degree order: out targets": of a kind in a file. */
typedef struct hd_hdl_name {
    char text[48];
} hd_hdl_name;
hd_hdl_name hd_hdl_kind_name(uint32_t in_file); /* "out offsets", "bfs order: places" */
/* The checksum of header (its own field taken as 0) and table. */
uint64_t hd_hdl_header_checksum(const hd_hdl_header *header, const hd_hdl_entry *table);

/* A graph's `verify` (hdl_verify.c). */
heddle_status hd_hdl_verify(heddle_context *ctx, heddle_graph *graph, int what, const struct hd_hash_tap *tap);
/* The same by several processes that have the file open, each a share of the sections of rows and ids (whose labels are
 * not compared with each other: so ids count as unchecked afterwards). An error that one of them finds is known to that
 * one alone.
 */
struct hd_hash_share;
heddle_status hd_hdl_verify_shared(heddle_context *ctx, heddle_graph *graph, int what,
                                   const struct hd_hash_share *share);
/* For code that reads rows by parts: the same checks (hdl_verify.c). Bytes [from, to) of the rows' targets, or weights;
 * the target before must be readable. Targets within bounds; adds descents inside rows to *falls, 0 in a sound file. */
bool hd_hdl_targets_sound(const heddle_graph *graph, const hd_csr *rows, uint64_t from, uint64_t to, uint64_t *falls);
bool hd_hdl_weights_sound(const heddle_graph *graph, const hd_csr *rows, uint64_t from, uint64_t to);
/* A copy of the offsets of the out-edges or in-edges: checksum and bounds. */
heddle_status hd_hdl_check_offsets(heddle_context *ctx, const heddle_graph *graph, bool in, const uint64_t *offsets);
heddle_status hd_hdl_fail_section(heddle_context *ctx, const heddle_graph *graph, uint32_t kind, const char *words);
/* hdl_write.c: a header without ids, sections and checksum; then, once the table has kinds and bytes, where sections
 * lie, and how long the file is. */
hd_hdl_header hd_hdl_header_of(uint64_t vertices, uint64_t edges, bool directed, heddle_weight_type type);
void hd_hdl_place(hd_hdl_header *header, hd_hdl_entry *table);
heddle_status hd_hdl_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                           hd_output *output);

#endif
