/* plans.c - heddle help plans: presets, keys and orders of --plan in a line each, as the library lists them;
 * docs/schedules.md is the manual. */
#include "command.h"
#include "text.h"

#include <string.h>

enum { PLANS_COLUMN = 14 };

static void print_words(FILE *out, const char *name, const char *words) {
    int length = (int)strlen(name), column = length + 3 < PLANS_COLUMN ? PLANS_COLUMN : length + 4;
    fprintf(out, "  %-*s", column - 2, name);
    cli_wrap(out, words, column, PLANS_COLUMN, CLI_WIDTH);
}

/* "rename vertices first (none, degree or bfs)" */
static void print_key(FILE *out, size_t key) {
    const heddle_plan_key_info *info = heddle_plan_key_at(key);
    char values[256] = "", text[512];
    size_t used = 0;
    for (size_t i = 0; heddle_plan_value_at(key, i); i++)
        cli_list_word(values, sizeof values, &used, heddle_plan_value_at(key, i), !heddle_plan_value_at(key, i + 1));
    snprintf(text, sizeof text, "%s%s%s%s", info->description, used ? " (" : "", values, used ? ")" : "");
    print_words(out, info->name, text);
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
        print_words(out, name, heddle_plan_about(i));
    fputs("\nKeys:\n", out);
    for (size_t i = 0; heddle_plan_key_at(i); i++)
        print_key(out, i);
    fputs("\nOrders:\n", out);
    for (size_t i = 0; heddle_order_at(i); i++)
        print_words(out, heddle_order_at(i)->name, heddle_order_at(i)->description);
    fputs("\nheddle explain shows what a plan does on a graph. docs/schedules.md: the manual.\n", out);
}
