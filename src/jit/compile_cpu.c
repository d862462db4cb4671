/* compile_cpu.c - source text to shared object: key, cache, compiler, load.
 *
 * An entry's name is a hash of the text and the flags, and its key one of the compiler too: another compiler compiles
 * again, and without any what is there runs. Hashes of the included files are stored with the object and compared
 * before it is used. Each compilation has a temporary folder
 * of its own: clearing the cache meanwhile, or another process that compiles the same program, does not disturb it.
 */
#include "jit/compile_cpu.h"

#include "base/hash.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/depends.h"
#include "jit/entry.h"
#include "jit/keep_source.h"
#include "jit/scratch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 640, LINES_ROOM = 1 << 14, MOST_RULE = 1 << 20 };

static char *const flags[] = {
    "-std=gnu11", "-O3", "-fPIC", "-shared", "-ffp-contract=off", "-Werror=implicit-function-declaration"};
enum { FLAGS = sizeof flags / sizeof *flags };

/* A compilation. */
typedef struct job {
    heddle_context *ctx;
    const char *name, *source; /* the user's file; the text that is compiled */
    size_t bytes;
    hd_compiler compiler;
    hd_cache cache;
    uint64_t key;
    char final[PATH_ROOM]; /* in the cache */
    char folder[PATH_ROOM - 32], text[PATH_ROOM], object[PATH_ROOM], log[PATH_ROOM],
        rule[PATH_ROOM]; /* of one compilation */
    char includes[4096]; /* where the program's own folder is */
    char lines[LINES_ROOM];
} job;

/* ---- Compiling -------------------------------------------------------------------------------------------------- */

static heddle_status write_source(const job *j) {
    int file = open(j->text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;
    if (file < 0)
        return hd_fail_file(j->ctx, HEDDLE_E_WRITE, j->text, errno, "cannot write the program's source");
    while (done < j->bytes) {
        ssize_t written = write(file, j->source + done, j->bytes - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int reason = errno;
            close(file);
            return hd_fail_file(j->ctx, HEDDLE_E_WRITE, j->text, reason, "cannot write the program's source");
        }
        done += (size_t)written;
    }
    return close(file) == 0 ? HEDDLE_OK : hd_fail_file(j->ctx, HEDDLE_E_WRITE, j->text, errno, "cannot write");
}

/* The folder of the user's file, for what it includes. */
static void find_includes(job *j) {
    const char *slash = strrchr(j->name, '/');
    char folder[PATH_ROOM];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - j->name) + 1 : 1, slash ? j->name : ".");
    char *whole = realpath(folder, NULL);
    snprintf(j->includes, sizeof j->includes, "%s", whole ? whole : "/");
    free(whole);
}

static bool run_compiler(job *j, int *reason) {
    char *arguments[FLAGS + 12];
    int count = 0;
    find_includes(j);
    for (int i = 0; i < FLAGS; i++)
        arguments[count++] = flags[i];
    char *const rest[] = {"-iquote", j->includes, "-MMD", "-MF", j->rule, "-MT", "x", "-o", j->object, j->text, "-lm"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        arguments[count++] = rest[i];
    arguments[count] = NULL;
    return hd_compiler_run(j->ctx, &j->compiler, arguments, j->log, j->folder, reason);
}

/* An error in Heddle's text around the program: the line of the program that the compiler's notes name, or NULL. */
static const char *place_in_program(const job *j, const char *line, char *after) {
    size_t length = strlen(j->name);
    if (strncmp(line, j->name, length) == 0)
        return NULL;
    for (char *note = after; note && strstr(note, ": note: "); note = strchr(note, '\n')) {
        note += *note == '\n';
        if (strncmp(note, j->name, length) == 0 && note[length] == ':') {
            note[length + strspn(note + length, ":0123456789") - 1] = '\0';
            return note;
        }
    }
    return NULL;
}

/* The compiler's first error, or its first words. */
static heddle_status fail_compile(const job *j) {
    char text[4096] = "", *line, *chosen;
    FILE *file = fopen(j->log, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    chosen = strstr(text, "error: ");
    if (!chosen)
        return hd_fail_file(j->ctx, HEDDLE_E_PROGRAM, j->name, 0, "does not compile: %.500s",
                            *text ? text : "the compiler failed without a word");
    for (line = chosen; line > text && line[-1] != '\n';)
        line--;
    chosen = line + strcspn(line, "\n");
    bool more = *chosen;
    *chosen = '\0';
    const char *place = place_in_program(j, line, more ? chosen + 1 : NULL);
    heddle_status status = place ? hd_fail(j->ctx, HEDDLE_E_PROGRAM, "%.300s: %.600s", place, strstr(line, "error: "))
                                 : hd_fail(j->ctx, HEDDLE_E_PROGRAM, "%.900s", line);
    unsigned long long row = 0, column = 0;
    place = place ? place : line;
    if (strncmp(place, j->name, strlen(j->name)) == 0)
        sscanf(place + strlen(j->name), ":%llu:%llu", &row, &column);
    j->ctx->error.line = row;
    j->ctx->error.column = column;
    snprintf(j->ctx->error.file, sizeof j->ctx->error.file, "%s", j->name);
    return status;
}

/* The files that the program includes, from the make rule that the compiler wrote. */
static bool note_includes(job *j) {
    hd_entry rule;
    if (!hd_entry_load(j->ctx, j->rule, MOST_RULE, &rule))
        return false;
    bool noted = hd_depends_note(j->ctx, rule.data, j->text, j->lines, sizeof j->lines);
    hd_entry_free(j->ctx, &rule);
    return noted;
}

static heddle_status load(const job *j, const char *path, const char *symbol, hd_loaded *loaded) {
    loaded->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->handle)
        return hd_fail(j->ctx, HEDDLE_E_PROGRAM, "cannot load the compiled program: %.800s", dlerror());
    loaded->symbol = dlsym(loaded->handle, symbol);
    loaded->included = j->lines[0] ? hd_hash_block(j->lines, strlen(j->lines)) : 0;
    if (loaded->symbol)
        return HEDDLE_OK;
    hd_loaded_close(loaded);
    return hd_fail(j->ctx, HEDDLE_E_PROGRAM, "the compiled program lacks %s", symbol);
}

/* Copies the object into the cache. */
static bool keep(job *j) {
    hd_entry object;
    if (j->cache.temporary || !hd_entry_load(j->ctx, j->object, HD_CACHE_MOST_BYTES, &object))
        return false;
    bool kept = hd_entry_write(&j->cache, j->final, j->key, object.data, object.bytes, j->lines);
    hd_entry_free(j->ctx, &object);
    return kept;
}

static heddle_status compile(job *j, const char *symbol, hd_loaded *loaded) {
    int reason = 0;
    HD_TRY(write_source(j));
    bool compiled = run_compiler(j, &reason);
    if (hd_cancelled(j->ctx)) /* Ctrl-C reaches the compiler too: it is not the program's fault */
        return hd_cancelled_status(j->ctx);
    if (!compiled)
        return reason ? hd_fail_file(j->ctx, reason == ENOMEM ? HEDDLE_E_MEMORY : HEDDLE_E_UNSUPPORTED,
                                     j->compiler.word[0], reason, "cannot run the C compiler")
                      : fail_compile(j);
    bool noted = note_includes(j), kept = noted && keep(j);
    heddle_status status = load(j, j->object, symbol, loaded);
    if (status != HEDDLE_OK && kept) /* the temporary folder may be mounted noexec */
        status = load(j, j->final, symbol, loaded);
    if (!noted) /* not cached, nor found again by a device: the temporary folder's unique name is part of the hash */
        loaded->included = hd_hash_block(j->folder, strlen(j->folder));
    if (kept)
        hd_cache_trim(j->ctx, &j->cache);
    return status;
}

static heddle_status make(job *j, const char *symbol, hd_loaded *loaded) {
    double start = hd_clock();
    if (!hd_scratch_make(j->cache.path, j->folder, sizeof j->folder))
        return hd_fail(j->ctx, HEDDLE_E_WRITE, "no folder to compile in: set TMPDIR to one of your own");
    snprintf(j->text, sizeof j->text, "%s/program.c", j->folder);
    snprintf(j->object, sizeof j->object, "%s/program.so", j->folder);
    snprintf(j->log, sizeof j->log, "%s/log", j->folder);
    snprintf(j->rule, sizeof j->rule, "%s/rule", j->folder);
    heddle_status status = compile(j, symbol, loaded);
    hd_scratch_remove(j->folder);
    loaded->seconds = hd_clock() - start;
    return status;
}

/* ---- From the cache --------------------------------------------------------------------------------------------- */

/* Loads the object from the cache, if it is intact and its included files are unchanged. */
static bool take(job *j, const char *symbol, hd_loaded *loaded) {
    hd_entry entry;
    if (!hd_entry_read(j->ctx, j->final, j->key, &entry))
        return false;
    snprintf(j->lines, sizeof j->lines, "%s", entry.data + entry.bytes);
    hd_entry_free(j->ctx, &entry);
    bool good = hd_depends_hold(j->ctx, j->lines) && load(j, j->final, symbol, loaded) == HEDDLE_OK;
    hd_enter(j->ctx); /* errors of the cache are not reported: the program is compiled again */
    return good;
}

heddle_status hd_compile_cpu(heddle_context *ctx, const char *name, const char *source, size_t bytes,
                             const char *symbol, hd_loaded *loaded) {
    job j = {.ctx = ctx, .name = name, .source = source, .bytes = bytes};
    char file[64];
    uint64_t text_key = hd_hash_block(source, bytes);
    bool found = hd_compiler_find(ctx, &j.compiler);
    *loaded = (hd_loaded){.handle = NULL};
    for (int i = 0; i < FLAGS; i++)
        text_key = hd_hash2(text_key, hd_hash_block(flags[i], strlen(flags[i])));
    j.key = found ? hd_hash2(text_key, j.compiler.identity) | 1 : HD_ENTRY_ANY;
    HD_TRY(hd_keep_source(ctx, name, "c", text_key, source));
    HD_TRY(hd_cache_open(ctx, &j.cache));
    snprintf(file, sizeof file, "cpu-%016llx.so", (unsigned long long)text_key);
    heddle_status status = HEDDLE_OK;
    if (!hd_cache_path(&j.cache, file, j.final, sizeof j.final))
        status = hd_fail(ctx, HEDDLE_E_WRITE, "the cache folder's name is too long");
    else if (!take(&j, symbol, loaded))
        status = found ? make(&j, symbol, loaded)
                       : hd_fail(ctx, HEDDLE_E_UNSUPPORTED,
                                 "no C compiler found to compile %.200s with (looked for $CC, cc, gcc, clang)", name);
    hd_cache_close(&j.cache);
    return status;
}

void hd_loaded_close(hd_loaded *loaded) {
    if (loaded->handle)
        dlclose(loaded->handle);
    loaded->handle = NULL;
}
