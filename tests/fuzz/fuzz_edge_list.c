/* fuzz_edge_list.c - edge lists: as they are, and with options that the first bytes choose. With a list of vertices,
 * the input is that, too. */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes the input to a file that is gone when the process is; its path, or NULL. */
static const char *write_file(const uint8_t *data, size_t size) {
    static char path[64];
    static FILE *file;
    if (!file && !(file = tmpfile()))
        return NULL;
    rewind(file);
    if (ftruncate(fileno(file), 0) != 0 || fwrite(data, 1, size, file) != size || fflush(file) != 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    return path;
}

/* Every choice of options is a few bits of the first bytes. */
static void choose(heddle_load_options *options, const uint8_t *data, size_t size) {
    static const char *const columns[] = {
        NULL, "source=2,target=1", "weight=1", "source=b,target=a", "target=3,weight=2", "source=source,weight=none"};
    static const char delimiters[] = {'\0', ',', ';', '\t', ' ', '|'};
    unsigned first = data[0], second = data[1];
    options->ids = (heddle_id_choice)(first % 3);
    options->header = (heddle_header_choice)(first / 3 % 3);
    options->delimiter = delimiters[first / 9 % sizeof delimiters];
    options->columns = columns[second % (sizeof columns / sizeof *columns)];
    if (second & 64)
        options->weight_column = 4;
    if (second & 128)
        options->vertices_from = write_file(data + 2, size - 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    fuzz_read(&hd_format_edge_list, data, size, NULL);
    options.ids = HEDDLE_IDS_STRING;
    options.weight_column = 4;
    fuzz_read(&hd_format_edge_list, data, size, &options);
    options.ids = HEDDLE_IDS_INTEGER;
    options.weight_column = HEDDLE_COLUMN_NONE;
    options.vertices = 10;
    fuzz_read(&hd_format_edge_list, data, size, &options);
    if (size < 2)
        return 0;
    heddle_load_options_init(&options);
    choose(&options, data, size);
    fuzz_read(&hd_format_edge_list, data + 2, size - 2, &options);
    return 0;
}
