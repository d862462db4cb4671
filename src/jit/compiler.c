/* compiler.c - see compiler.h. */
#include "jit/compiler.h"

#include "base/hash.h"
#include "base/memory.h"

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

enum { MOST_ARGUMENTS = HD_COMPILER_WORDS + 24, OWN_VARIABLES = 2 };

/* ---- Which one -------------------------------------------------------------------------------------------------- */

static bool runs(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* Where a command is, by its name. */
static bool locate(const char *name, size_t length, char *path, size_t size) {
    if (memchr(name, '/', length))
        return snprintf(path, size, "%.*s", (int)length, name) < (int)size && runs(path);
    for (const char *at = getenv("PATH"); at && *at;) {
        size_t folder = strcspn(at, ":");
        if (snprintf(path, size, "%.*s/%.*s", folder ? (int)folder : 1, folder ? at : ".", (int)length, name) <
                (int)size &&
            runs(path))
            return true;
        at += folder + (at[folder] == ':');
    }
    return false;
}

/* Cuts "ccache gcc -m64" into its words; the first is made a path. */
static bool take_words(const char *text, hd_compiler *compiler) {
    size_t used;
    text += strspn(text, " \t\n");
    compiler->words = 0;
    if (!*text || !locate(text, strcspn(text, " \t\n"), compiler->text, sizeof compiler->text))
        return false;
    compiler->word[compiler->words++] = compiler->text;
    used = strlen(compiler->text) + 1;
    for (text += strcspn(text, " \t\n"); *(text += strspn(text, " \t\n"));) {
        size_t length = strcspn(text, " \t\n");
        if (compiler->words == HD_COMPILER_WORDS || used + length + 1 > sizeof compiler->text)
            return false;
        compiler->word[compiler->words++] = compiler->text + used;
        memcpy(compiler->text + used, text, length);
        compiler->text[used + length] = '\0';
        used += length + 1;
        text += length;
    }
    return true;
}

static uint64_t identify(const hd_compiler *compiler) {
    struct stat about;
    uint64_t identity = (uint64_t)compiler->words;
    for (int i = 0; i < compiler->words; i++)
        identity = hd_hash2(identity, hd_hash_block(compiler->word[i], strlen(compiler->word[i])));
    if (stat(compiler->word[0], &about) != 0)
        return identity;
    return hd_hash2(identity, hd_hash2((uint64_t)about.st_size, (uint64_t)about.st_mtime));
}

bool hd_compiler_find(heddle_context *ctx, hd_compiler *compiler) {
    const char *wanted = getenv("CC"), *names[] = {wanted, "cc", "gcc", "clang"};
    bool requested = wanted && wanted[strspn(wanted, " \t\n")];
    for (size_t i = !requested; i < sizeof names / sizeof *names; i++)
        if (take_words(names[i], compiler)) {
            if (requested && i > 0)
                hd_note(ctx, "CC is '%.200s', which is not there: %s is used", wanted, compiler->word[0]);
            compiler->identity = identify(compiler);
            return true;
        }
    return false;
}

/* ---- Running it ------------------------------------------------------------------------------------------------- */

/* Waits for the compiler, and ends it if the work is cancelled. Polls instead of blocking: a signal that arrives just
 * before a blocking wait would not end it. */
static bool wait_for(heddle_context *ctx, pid_t child) {
    const struct timespec pause = {.tv_nsec = 2000000};
    int state = 0;
    bool signalled = false;
    for (pid_t done = 0; done != child; done = waitpid(child, &state, WNOHANG)) {
        if (done < 0 && errno != EINTR)
            return false;
        if (!signalled && hd_cancelled(ctx))
            signalled = kill(child, SIGTERM) == 0;
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* The environment, with our folder for temporary files and an English locale. */
static char **environment(heddle_context *ctx, char *own[OWN_VARIABLES], size_t *count) {
    size_t kept = 0;
    char **all;
    *count = OWN_VARIABLES + 1;
    for (char **each = environ; each && *each; each++)
        ++*count;
    all = hd_alloc(&ctx->allocator, *count * sizeof *all);
    for (char **each = environ; all && each && *each; each++)
        if (strncmp(*each, "TMPDIR=", 7) != 0 && strncmp(*each, "LC_ALL=", 7) != 0)
            all[kept++] = *each;
    for (int i = 0; all && i < OWN_VARIABLES; i++)
        all[kept++] = own[i];
    if (all)
        all[kept] = NULL;
    return all;
}

static int spawn(const hd_compiler *compiler, char *const *arguments, char **variables, const char *log, pid_t *child) {
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason)
        return reason;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    reason = posix_spawn(child, compiler->word[0], &actions, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

bool hd_compiler_run(heddle_context *ctx, const hd_compiler *compiler, char *const *more, const char *log,
                     const char *folder, int *reason) {
    char *arguments[MOST_ARGUMENTS + 1], place[640], plain[] = "LC_ALL=C", *own[OWN_VARIABLES] = {place, plain};
    size_t variable_count;
    int count = 0;
    pid_t child;
    for (int i = 0; i < compiler->words; i++)
        arguments[count++] = compiler->word[i];
    for (; *more && count < MOST_ARGUMENTS; more++)
        arguments[count++] = *more;
    arguments[count] = NULL;
    snprintf(place, sizeof place, "TMPDIR=%s", folder);
    char **variables = environment(ctx, own, &variable_count);
    if (!variables) {
        *reason = ENOMEM;
        return false;
    }
    *reason = spawn(compiler, arguments, variables, log, &child);
    HD_DELETE(&ctx->allocator, variables, variable_count);
    return !*reason && wait_for(ctx, child);
}
