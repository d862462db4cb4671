/* peer_lagraph.c - runs algorithms of LAGraph on a symmetric Matrix Market file, for bench/run.py --part peers.
 *
 *     peer-lagraph FILE.mtx -s SOURCE -d DELTA -n TRIALS ALGORITHM…     (bfs, sssp, cc, pr, bc; sssp alone)
 *
 * SOURCE counts from 1, as the file does. Lines on standard output: "done ALGORITHM" as soon as its first result is
 * there, "check ALGORITHM A B" for bfs and sssp (vertices reached, sum of distances) and cc (size of the largest
 * component, components of two vertices or more), "ms ALGORITHM X" for each trial. Not a part of the build:
 * bench/run.py compiles it against the LAGraph it is given.
 */
#include <GraphBLAS.h>
#include <LAGraph.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char message[LAGRAPH_MSG_LEN];

static void must(int status, const char *what) {
    if (status >= 0)
        return;
    fprintf(stderr, "peer-lagraph: %s: %d %s\n", what, status, message);
    exit(1);
}

/* Edges as LAGraph's own demonstrations hold them: present or not, or 32-bit weights. */
static LAGraph_Graph load(const char *path, int weighted) {
    GrB_Matrix read = NULL, matrix = NULL;
    LAGraph_Graph graph = NULL;
    GrB_Index vertices = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    must(LAGraph_MMRead(&read, file, message), "read");
    fclose(file);
    if (weighted) {
        must(GrB_Matrix_nrows(&vertices, read), "rows");
        must(GrB_Matrix_new(&matrix, GrB_INT32, vertices, vertices), "matrix");
        must(GrB_Matrix_apply(matrix, NULL, NULL, GrB_IDENTITY_INT32, read, NULL), "weights");
    } else {
        must(LAGraph_Matrix_Structure(&matrix, read, message), "structure");
    }
    GrB_Matrix_free(&read);
    must(GrB_Matrix_wait(matrix, GrB_MATERIALIZE), "matrix");
    must(LAGraph_New(&graph, &matrix, LAGraph_ADJACENCY_UNDIRECTED, message), "graph");
    if (weighted)
        must(LAGraph_Cached_EMin(graph, message), "least weight");
    else
        must(LAGraph_Cached_OutDegree(graph, message), "degrees");
    return graph;
}

static GrB_Vector run(const char *name, LAGraph_Graph graph, GrB_Index source, GrB_Scalar delta) {
    GrB_Vector result = NULL;
    int rounds = 0, status = GrB_INVALID_VALUE;
    if (strcmp(name, "bfs") == 0)
        status = LAGr_BreadthFirstSearch(&result, NULL, graph, source, message);
    else if (strcmp(name, "sssp") == 0)
        status = LAGr_SingleSourceShortestPath(&result, graph, source, delta, message);
    else if (strcmp(name, "cc") == 0)
        status = LAGr_ConnectedComponents(&result, graph, message);
    else if (strcmp(name, "pr") == 0)
        status = LAGr_PageRankGAP(&result, &rounds, graph, 0.85f, 1e-4f, 100, message);
    else if (strcmp(name, "bc") == 0)
        status = LAGr_Betweenness(&result, graph, &source, 1, message);
    must(status, name);
    must(GrB_Vector_wait(result, GrB_MATERIALIZE), name);
    return result;
}

static void check_components(const int64_t *label, GrB_Index vertices) {
    GrB_Index *size = calloc(vertices, sizeof *size), largest = 0, several = 0;
    for (GrB_Index v = 0; size && v < vertices; v++)
        size[label[v]]++;
    for (GrB_Index v = 0; size && v < vertices; v++) {
        largest = size[v] > largest ? size[v] : largest;
        several += size[v] > 1;
    }
    printf("check cc %llu %llu\n", (unsigned long long)largest, (unsigned long long)several);
    free(size);
}

static void check(const char *name, GrB_Vector result) {
    GrB_Index count = 0, reached = 0;
    must(GrB_Vector_nvals(&count, result), "entries");
    int64_t *value = malloc((count + 1) * sizeof *value), sum = 0;
    if (!value)
        exit(1);
    must(GrB_Vector_extractTuples_INT64(NULL, value, &count, result), "entries");
    if (strcmp(name, "cc") == 0) {
        check_components(value, count);
    } else {
        for (GrB_Index i = 0; i < count; i++)
            if (value[i] < INT32_MAX) { /* which is sssp's infinity; bfs has no entry there */
                reached++;
                sum += value[i];
            }
        printf("check %s %llu %lld\n", name, (unsigned long long)reached, (long long)sum);
    }
    free(value);
}

static void time_algorithm(const char *name, LAGraph_Graph graph, GrB_Index source, GrB_Scalar delta, int trials) {
    for (int i = 0; i < trials; i++) {
        double start = LAGraph_WallClockTime();
        GrB_Vector result = run(name, graph, source, delta);
        double seconds = LAGraph_WallClockTime() - start;
        if (i == 0) {
            printf("done %s\n", name);
            fflush(stdout);
            if (strcmp(name, "pr") != 0 && strcmp(name, "bc") != 0)
                check(name, result);
        }
        printf("ms %s %.3f\n", name, seconds * 1e3);
        GrB_Vector_free(&result);
    }
}

int main(int argc, char **argv) {
    GrB_Scalar delta = NULL;
    GrB_Index source = 0;
    int trials = 1, width = 16, at = 2;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (argv[at][1] == 's')
            source = strtoull(argv[at + 1], NULL, 10) - 1;
        else if (argv[at][1] == 'd')
            width = atoi(argv[at + 1]);
        else if (argv[at][1] == 'n')
            trials = atoi(argv[at + 1]);
    }
    if (at >= argc) {
        fprintf(stderr, "usage: peer-lagraph FILE.mtx -s SOURCE -d DELTA -n TRIALS ALGORITHM...\n");
        return 2;
    }
    must(LAGraph_Init(message), "start");
    must(GrB_Scalar_new(&delta, GrB_INT32), "delta");
    must(GrB_Scalar_setElement_INT32(delta, width), "delta");
    LAGraph_Graph graph = load(argv[1], strcmp(argv[at], "sssp") == 0);
    for (; at < argc; at++)
        time_algorithm(argv[at], graph, source, delta, trials);
    LAGraph_Delete(&graph, message);
    GrB_Scalar_free(&delta);
    return LAGraph_Finalize(message) < 0;
}
