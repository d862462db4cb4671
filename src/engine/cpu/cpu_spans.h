/* cpu_spans.h - rounds of a vertex program whose edges are read from a file, span by span (residency/disk_rows.h).
 *
 * Pull rounds read all spans. Pieces end where spans do, and their unfinished rows are joined at the end of the round,
 * in the order of the pieces, in whatever order the file was read. Push rounds read only the spans in which the
 * frontier has edges.
 */
#ifndef HD_ENGINE_CPU_CPU_SPANS_H
#define HD_ENGINE_CPU_CPU_SPANS_H

#include "engine/cpu/cpu_engine.h"
#include "residency/disk_rows.h"

/* Cuts the pieces, in place of the engine's own. */
heddle_status hd_spans_new(hd_engine *e);
void hd_spans_free(hd_engine *e);
/* Pulls all pieces, without joining them. */
heddle_status hd_spans_pull(hd_engine *e);
/* Pushes from the frontier; *count vertices are appended to the next one. */
heddle_status hd_spans_push(hd_engine *e, uint64_t *count, bool serial);
/* hd_cpu_laws on the edges of the first span. */
heddle_status hd_spans_laws(const hd_engine *e);

#endif
