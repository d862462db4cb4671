/* plans.c - heddle help plans: presets and keys of --plan in a line each. The names come from the library, so that none
 * is missing; docs/schedules.md is the manual. */
#include "command.h"
#include "text.h"

#include <string.h>

enum { PLANS_COLUMN = 14 };

typedef struct plan_words {
    const char *name, *about;
} plan_words;

/* A name that ends in a dash stands for all that begin with it. */
static const plan_words presets[] = {
    {"auto", "the default: an algorithm's own kernels where it has some, else a schedule by the graph's degrees"},
    {"baseline", "one lane walks all edges of a vertex"},
    {"vwc-", "virtual warps: as many lanes walk a vertex' edges together"},
    {"ws", "Warp Segmentation: a warp walks its vertices' edges side by side"},
    {"tigr-v", "virtual nodes of at most K = 10 edges, one lane each"},
    {"tigr-v+", "the same, with the edges of a vertex taken in turn, so that lanes read side by side"},
    {"tigr-udt", "vertices of many edges split into trees first (heddle help transform)"},
    {"cusha-gs", "shards: edges grouped by target, with copies of their sources' values"},
    {"cusha-cw", "the same, with values copied by lists"},
    {"udt-cusha", "vertices of many edges split into trees, then shards"},
};

static const plan_words keys[] = {
    {"schedule", "thread, vwarp, wseg, vnode, edge, shard: which lane walks which edge"},
    {"width", "vwarp: 2, 4, 8, 16 or 32 lanes for a vertex"},
    {"transform", "none, cliq, circ, star, udt, rstar: split vertices of more than K edges first"},
    {"K", "vnode, transforms: the most edges of a node, or of a vertex"},
    {"order", "none, degree, bfs: rename vertices first, by degree or as a search comes to them"},
    {"coalesced", "vnode: yes or no"},
    {"mapping", "vnode: array or dynamic"},
    {"window", "shard: gs or cw"},
    {"range", "shard: vertices in a range"},
    {"shards", "shard: device or host, where they lie"},
    {"direction", "pull or push"},
    {"worklist", "yes: only vertices that changed send; or no"},
    {"sync", "relaxed or strict: whether a round sees its own values"},
    {"offsets", "32 or 64 bits"},
    {"warp", "OpenCL: 8 to 64 lanes of a warp"},
    {"debug", "yes: kernels for a debugger; or no"},
    {"doubles", "no: kernels as devices without double precision get them; or yes"},
};

static const char *about(const char *name) {
    const char *found = "";
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        size_t length = strlen(presets[i].name);
        bool prefix = presets[i].name[length - 1] == '-';
        if (prefix ? !strncmp(presets[i].name, name, length) : !strcmp(presets[i].name, name))
            found = presets[i].about;
    }
    return found;
}

static void print_words(FILE *out, const char *name, const char *words) {
    fprintf(out, "  %-*s", PLANS_COLUMN - 2, name);
    cli_wrap(out, words, PLANS_COLUMN, PLANS_COLUMN, CLI_WIDTH);
}

void cli_print_plans(FILE *out) {
    const char *name;
    cli_wrap(out,
             "A plan says how a run on a device goes: --plan takes a preset, KEY=VALUE,... or a preset and keys that "
             "change it (tigr-v,K=4). What is not given is chosen to fit; what an algorithm or a device cannot have is "
             "refused with the reason. On the CPU shards, transforms and orders count, the rest changes "
             "nothing.\n\nPresets:",
             0, 0, CLI_WIDTH);
    for (size_t i = 0; (name = heddle_plan_at(i)); i++)
        print_words(out, name, about(name));
    fputs("\nKeys:\n", out);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        print_words(out, keys[i].name, keys[i].about);
    fputs("\nheddle explain tells what a plan makes of a graph. docs/schedules.md: the manual.\n", out);
}
