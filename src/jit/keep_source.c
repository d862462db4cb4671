/* keep_source.c - see keep_source.h. */
#include "jit/keep_source.h"

#include "io/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char mark[] = "/* heddle: ";

/* Letters, digits and what names are made of; all else becomes one '-'. */
static void clean(const char *text, size_t length, char *label, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < size; i++) {
        bool plain = isalnum((unsigned char)text[i]) || strchr("_+.", text[i]);
        if (plain)
            label[used++] = text[i];
        else if (used && label[used - 1] != '-')
            label[used++] = '-';
    }
    while (used && label[used - 1] == '-')
        used--;
    label[used] = '\0';
}

static void make_label(const char *name, const char *source, char *label, size_t size) {
    if (strncmp(source, mark, sizeof mark - 1) == 0) {
        const char *words = source + sizeof mark - 1;
        clean(words, strcspn(words, "*\n"), label, size);
        return;
    }
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    clean(base, dot && dot > base ? (size_t)(dot - base) : strlen(base), label, size);
}

heddle_status hd_keep_source(heddle_context *ctx, const char *name, const char *suffix, uint64_t key,
                             const char *source) {
    char label[128], path[1024];
    const char *folder = ctx->keep_source;
    if (!folder)
        return HEDDLE_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, folder, errno, "cannot make the folder for kernel sources");
    make_label(name, source, label, sizeof label);
    int length = snprintf(path, sizeof path, "%s/%s-%08llx.%s", folder, label, (unsigned long long)(key >> 32), suffix);
    if (length < 0 || (size_t)length >= sizeof path)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, folder, 0, "the name is too long");
    hd_output *output;
    HD_TRY(hd_output_open(ctx, path, 0, &output));
    hd_output_write(output, source, strlen(source));
    return hd_output_close(&output);
}
