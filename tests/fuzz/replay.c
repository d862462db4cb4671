/* replay.c - runs a fuzz target over given inputs, without libFuzzer.
 *
 * Each argument is a file, or a folder whose files are taken one by one (folders inside it too). Every input goes to
 * LLVMFuzzerTestOneInput once, in a block of exactly its size, so that memory checkers see reads past the end. The
 * empty input always comes first. Exit status 1 when an input cannot be read; a target that fails does so by itself.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long inputs;

static int complain(const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
}

static void feed(const uint8_t *data, size_t size) {
    LLVMFuzzerTestOneInput(data, size);
    inputs++;
}

static int replay_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return complain(path);
    uint8_t *data = malloc(size ? size : 1);
    int failed = !data || fread(data, 1, size, file) != size;
    if (failed)
        complain(path);
    else
        feed(data, size);
    free(data);
    fclose(file);
    return failed;
}

static int replay(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return complain(path);
    if (!S_ISDIR(about.st_mode))
        return replay_file(path, (size_t)about.st_size);

    DIR *folder = opendir(path);
    if (!folder)
        return complain(path);
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        failed |= replay(inside);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv) {
    int failed = 0;
    feed((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    printf("%lu inputs\n", inputs);
    return failed;
}
