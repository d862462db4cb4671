/* graphalytics_set.c - the .properties file of a Graphalytics data set: lines "graph.NAME.KEY = VALUE". */
#include "graphalytics/graphalytics.h"

#include "report.h"
#include "text.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const cli_ldbc_algorithm cli_ldbc_algorithms[] = {
    {"bfs", "bfs", CLI_LDBC_EXACT, "9223372036854775807", .source = offsetof(cli_ldbc_set, bfs_source)},
    {"cdlp", "cdlp", CLI_LDBC_LABELS, NULL, .rounds = offsetof(cli_ldbc_set, cdlp_rounds)},
    {"lcc", "lcc", CLI_LDBC_CLOSE, NULL, 0, 0},
    {"pr", "pr", CLI_LDBC_CLOSE, NULL, .rounds = offsetof(cli_ldbc_set, pr_rounds)},
    {"sssp", "sssp", CLI_LDBC_CLOSE, "infinity", .source = offsetof(cli_ldbc_set, sssp_source)},
    {"wcc", "cc", CLI_LDBC_EQUIVALENT, NULL, 0, 0},
    {NULL, NULL, CLI_LDBC_EXACT, NULL, 0, 0},
};

const cli_ldbc_algorithm *cli_ldbc_find(const char *name) {
    for (const cli_ldbc_algorithm *each = cli_ldbc_algorithms; each->name; each++)
        if (!strcmp(each->name, name))
            return each;
    return NULL;
}

/* A key, and where its text or number goes. */
typedef struct property {
    const char *key;
    char *text;
    size_t size;
    uint64_t *count;
    double *real;
} property;

static bool read_number(const property *p, const char *value) {
    if (p->real)
        return cli_read_real(value, strlen(value), p->real);
    char *end;
    errno = 0;
    *p->count = strtoull(value, &end, 10);
    return !errno && end != value && !*end && *value != '-';
}

/* Lists have commas; here blanks alone. */
static void read_text(const property *p, const char *value) {
    size_t used = 0;
    for (const char *c = value; *c && used + 1 < p->size; c++)
        if (*c != ',')
            p->text[used++] = *c;
        else if (c[1] != ' ')
            p->text[used++] = ' ';
    p->text[used] = '\0';
}

static bool take(cli_ldbc_set *set, const char *key, const char *value) {
    const property all[] = {
        {"vertex-file", set->vertex_file, sizeof set->vertex_file, NULL, NULL},
        {"edge-file", set->edge_file, sizeof set->edge_file, NULL, NULL},
        {"algorithms", set->algorithms, sizeof set->algorithms, NULL, NULL},
        {"edge-properties.names", set->edge_values, sizeof set->edge_values, NULL, NULL},
        {"bfs.source-vertex", set->bfs_source, sizeof set->bfs_source, NULL, NULL},
        {"sssp.source-vertex", set->sssp_source, sizeof set->sssp_source, NULL, NULL},
        {"sssp.weight-property", set->weight, sizeof set->weight, NULL, NULL},
        {"pr.damping-factor", NULL, 0, NULL, &set->damping},
        {"pr.num-iterations", NULL, 0, &set->pr_rounds, NULL},
        {"cdlp.max-iterations", NULL, 0, &set->cdlp_rounds, NULL},
    };
    if (!strcmp(key, "directed")) {
        set->directed = !strcmp(value, "true") ? 1 : !strcmp(value, "false") ? 0 : -1;
        return set->directed >= 0;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].key, key)) {
            if (!all[i].text)
                return read_number(&all[i], value);
            read_text(&all[i], value);
        }
    return true;
}

/* Cuts blanks off both ends. */
static char *trim(char *text) {
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n && strchr(" \t\r\n", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* "graph.NAME.KEY": the name is the one in the line that names the edge file, and may have dots in it. */
static const char *key_of(const cli_ldbc_set *set, const char *whole) {
    size_t length = strlen(set->name);
    bool ours = !strncmp(whole, "graph.", 6) && !strncmp(whole + 6, set->name, length) && whole[6 + length] == '.';
    return ours ? whole + 7 + length : NULL;
}

static bool find_name(cli_ldbc_set *set, const char *whole) {
    static const char end[] = ".edge-file";
    size_t length = strlen(whole), tail = sizeof end - 1;
    if (set->name[0] || strncmp(whole, "graph.", 6) != 0 || length < 7 + tail ||
        strcmp(whole + length - tail, end) != 0)
        return false;
    snprintf(set->name, sizeof set->name, "%.*s", (int)(length - tail - 6), whole + 6);
    return true;
}

/* One pass: finds the name, or takes the values. Returns the number of the first line that is wrong, or 0. */
static int pass(FILE *file, cli_ldbc_set *set, bool names) {
    char line[1024];
    rewind(file);
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        char *equals = strchr(line, '='), *text = trim(line);
        if (*text == '#' || !equals)
            continue;
        *equals = '\0';
        char *whole = trim(text), *value = trim(equals + 1);
        const char *key;
        if (names)
            find_name(set, whole);
        else if ((key = key_of(set, whole)) && !take(set, key, value))
            return number;
    }
    return 0;
}

static int incomplete(const char *path, const char *what) {
    cli_say("%s: it has no %s", path, what);
    return CLI_EXIT_OUTPUT;
}

bool cli_ldbc_read(const char *path, cli_ldbc_set *set, int *exit_status) {
    const char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "r");
    *set = (cli_ldbc_set){.directed = -1, .damping = 0.85, .pr_rounds = 10, .cdlp_rounds = 10};
    if (!file) {
        cli_say("%s: %s", path, strerror(errno));
        *exit_status = CLI_EXIT_OUTPUT;
        return false;
    }
    snprintf(set->folder, sizeof set->folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    pass(file, set, true);
    int wrong = set->name[0] ? pass(file, set, false) : 0;
    fclose(file);
    if (!set->name[0])
        return false;
    if (wrong)
        cli_say("%s:%d: a value that its key cannot have", path, wrong);
    *exit_status = wrong                  ? CLI_EXIT_OUTPUT
                   : !set->vertex_file[0] ? incomplete(path, "vertex-file")
                   : set->directed < 0    ? incomplete(path, "directed")
                   : !set->algorithms[0]  ? incomplete(path, "algorithms")
                                          : 0;
    return !*exit_status;
}
