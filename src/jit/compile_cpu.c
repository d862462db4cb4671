/* compile_cpu.c - source text to shared object: key, cache, compiler, load.
 *
 * The key is a hash of the text, the compiler and its flags, so that whatever changes the code changes the name. The
 * compiler reads the text from a file and writes beside the final name; rename makes the result visible at once, so two
 * processes that compile the same program do not disturb each other.
 */
#include "jit/compile_cpu.h"

#include "base/hash.h"
#include "jit/cache.h"
#include "jit/keep.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char flags[] = "-std=gnu11 -O3 -fPIC -shared -ffp-contract=off -Werror=implicit-function-declaration";

typedef struct job {
    char source[640], object[640], log[640];
} job;

/* The first of $CC, cc, gcc, clang that the PATH has; into `path`. */
static bool find_compiler(char *path, size_t size) {
    const char *names[] = {getenv("CC"), "cc", "gcc", "clang"}, *search = getenv("PATH");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = names[i];
        if (!name || !*name || strchr(name, ' '))
            continue;
        if (strchr(name, '/')) {
            snprintf(path, size, "%s", name);
            if (access(path, X_OK) == 0)
                return true;
            continue;
        }
        for (const char *at = search; at && *at;) {
            size_t length = strcspn(at, ":");
            if (snprintf(path, size, "%.*s/%s", (int)length, at, name) < (int)size && access(path, X_OK) == 0)
                return true;
            at += length + (at[length] == ':');
        }
    }
    return false;
}

static heddle_status write_source(heddle_context *ctx, const char *path, const char *source, size_t bytes) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;
    if (file < 0)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, path, errno, "cannot write the program's source");
    while (done < bytes) {
        ssize_t written = write(file, source + done, bytes - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            int reason = errno;
            close(file);
            return hd_fail_file(ctx, HEDDLE_E_WRITE, path, reason, "cannot write the program's source");
        }
        done += (size_t)written;
    }
    return close(file) == 0 ? HEDDLE_OK : hd_fail_file(ctx, HEDDLE_E_WRITE, path, errno, "cannot write");
}

/* Waits for the compiler, and ends it when the work is cancelled. It is asked now and then rather than waited for: a
 * signal that comes just before the wait would not end it. */
static bool wait_for(heddle_context *ctx, pid_t child) {
    const struct timespec pause = {.tv_nsec = 2000000};
    int state = 0;
    bool told = false;
    for (pid_t done = 0; done != child; done = waitpid(child, &state, WNOHANG)) {
        if (done < 0 && errno != EINTR)
            return false;
        if (!told && hd_cancelled(ctx))
            told = kill(child, SIGTERM) == 0;
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* Runs the compiler with its words going to the log; true when it succeeded. */
static bool run_compiler(heddle_context *ctx, const char *compiler, job *files, int *reason) {
    posix_spawn_file_actions_t actions;
    char words[sizeof flags], *arguments[16];
    int count = 0;
    pid_t child;
    memcpy(words, flags, sizeof flags);
    arguments[count++] = (char *)(uintptr_t)compiler;
    for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest));)
        arguments[count++] = word;
    arguments[count++] = "-o";
    arguments[count++] = files->object;
    arguments[count++] = files->source;
    arguments[count++] = "-lm";
    arguments[count] = NULL;
    *reason = posix_spawn_file_actions_init(&actions);
    if (*reason)
        return false;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, files->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    *reason = posix_spawn(&child, compiler, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return !*reason && wait_for(ctx, child);
}

/* The compiler's first error, or its first line. */
static heddle_status fail_compile(heddle_context *ctx, const char *name, const char *log) {
    char text[4096] = "", *line, *chosen;
    FILE *file = fopen(log, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    chosen = strstr(text, "error: ");
    if (!chosen)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, name, 0, "does not compile: %.500s", text);
    for (line = chosen; line > text && line[-1] != '\n';)
        line--;
    line[strcspn(line, "\n")] = '\0';
    heddle_status status = hd_fail(ctx, HEDDLE_E_PROGRAM, "%.900s", line);
    unsigned long long row = 0, column = 0;
    if (strncmp(line, name, strlen(name)) == 0)
        sscanf(line + strlen(name), ":%llu:%llu:", &row, &column);
    ctx->error.line = row;
    ctx->error.column = column;
    snprintf(ctx->error.file, sizeof ctx->error.file, "%s", name);
    return status;
}

/* Puts the compiled program in its place, on the disk first: half of one must not be found there after a crash. */
static bool put_in_place(const char *object, const char *final) {
    int file = open(object, O_RDONLY | O_CLOEXEC);
    bool synced = file >= 0 && (fsync(file) == 0 || errno == EINVAL || errno == ENOSYS);
    if (file >= 0)
        close(file);
    return synced && chmod(object, 0700) == 0 && rename(object, final) == 0;
}

static heddle_status compile(heddle_context *ctx, const hd_cache *cache, const char *compiler, const char *name,
                             const char *source, size_t bytes, const char *final) {
    job files;
    char stem[64];
    int reason = 0;
    heddle_status status;
    snprintf(stem, sizeof stem, "build-%ld-%p", (long)getpid(), (void *)&files);
    snprintf(files.source, sizeof files.source, "%s/%s.c", cache->path, stem);
    snprintf(files.object, sizeof files.object, "%s/%s.so", cache->path, stem);
    snprintf(files.log, sizeof files.log, "%s/%s.log", cache->path, stem);
    status = write_source(ctx, files.source, source, bytes);
    bool written = status == HEDDLE_OK, compiled = written && run_compiler(ctx, compiler, &files, &reason);
    if (!written)
        ; /* the disk is full: what is there of it goes too */
    else if (hd_cancelled(ctx))
        status = hd_cancelled_status(ctx); /* Ctrl-C reaches the compiler too: it is not the program's fault */
    else if (!compiled)
        status = reason ? hd_fail_file(ctx, HEDDLE_E_UNSUPPORTED, compiler, reason, "cannot run the C compiler")
                        : fail_compile(ctx, name, files.log);
    else if (!put_in_place(files.object, final))
        status = hd_fail_file(ctx, HEDDLE_E_WRITE, final, errno, "cannot keep the compiled program");
    else
        status = HEDDLE_OK;
    unlink(files.source);
    unlink(files.object);
    unlink(files.log);
    return status;
}

static heddle_status load(heddle_context *ctx, const char *path, const char *symbol, hd_loaded *loaded) {
    loaded->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->library)
        return hd_fail(ctx, HEDDLE_E_PROGRAM, "cannot load the compiled program: %.800s", dlerror());
    loaded->symbol = dlsym(loaded->library, symbol);
    if (loaded->symbol)
        return HEDDLE_OK;
    hd_loaded_close(loaded);
    return hd_fail(ctx, HEDDLE_E_PROGRAM, "the compiled program lacks %s", symbol);
}

heddle_status hd_compile_cpu(heddle_context *ctx, const char *name, const char *source, size_t bytes,
                             const char *symbol, hd_loaded *loaded) {
    char compiler[512], final[640], file[64];
    hd_cache cache;
    *loaded = (hd_loaded){.library = NULL};
    if (!find_compiler(compiler, sizeof compiler))
        return hd_fail(ctx, HEDDLE_E_UNSUPPORTED,
                       "no C compiler found to compile %.200s with (looked for $CC, cc, gcc, clang)", name);
    uint64_t key = hd_hash2(hd_hash_block(source, bytes), hd_hash_block(compiler, strlen(compiler)));
    key = hd_hash2(key, hd_hash_block(flags, sizeof flags));
    HD_TRY(hd_keep_source(ctx, name, "c", key, source));
    HD_TRY(hd_cache_open(ctx, &cache));
    snprintf(file, sizeof file, "cpu-%016llx.so", (unsigned long long)key);
    heddle_status status = HEDDLE_OK;
    if (!hd_cache_path(&cache, file, final, sizeof final))
        status = hd_fail(ctx, HEDDLE_E_WRITE, "the cache folder's name is too long");
    else if (!hd_cache_has(final)) {
        double start = hd_clock();
        status = compile(ctx, &cache, compiler, name, source, bytes, final);
        loaded->seconds = hd_clock() - start;
    }
    if (status == HEDDLE_OK)
        status = load(ctx, final, symbol, loaded);
    hd_cache_close(&cache);
    return status;
}

void hd_loaded_close(hd_loaded *loaded) {
    if (loaded->library)
        dlclose(loaded->library);
    loaded->library = NULL;
}
