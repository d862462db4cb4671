/* disk.c - residency disk: the CPU reads edges from an .hdl file, span by span (disk_rows.h). */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    if (facts->on_device)
        return "devices read memory; use residency=mixed or --device cpu instead";
    if (!facts->in_file)
        return "the graph is not an uncompressed .hdl file with a name: heddle convert writes one";
    return facts->no_disk[0] ? facts->no_disk : NULL;
}

static bool fits(const hd_residency_facts *facts) { return facts->disk_least <= facts->room; }

const hd_residency hd_residency_disk = {.name = "disk",
                                        .about = "on the CPU: edges are read from the .hdl file, part by part",
                                        .road = "disk",
                                        .refuse = refuse,
                                        .fits = fits,
                                        .on_host = hd_residency_none_on_host,
                                        .from_file = true};
