/* trial.c - see trial.h. */
#include "trial.h"

#include "report.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_SECONDS = 10, STEP_NANOSECONDS = 2000000 };

static long time_limit(void) {
    const char *text = getenv("HEDDLE_DRIVER_SECONDS");
    long seconds = text ? strtol(text, NULL, 10) : 0;
    return seconds > 0 ? seconds : USUAL_SECONDS;
}

/* Asks now and then, so that Ctrl-C and the limit are seen. True: it has ended by itself. */
static bool wait_for(pid_t child, long seconds, int *state) {
    const struct timespec step = {.tv_nsec = STEP_NANOSECONDS};
    for (long steps = seconds * (1000000000 / STEP_NANOSECONDS); steps > 0; steps--) {
        if (waitpid(child, state, WNOHANG) == child)
            return true;
        if (cli_interrupted())
            break;
        nanosleep(&step, NULL);
    }
    kill(child, SIGKILL);
    while (waitpid(child, state, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

cli_trial cli_try(int (*work)(void *user), void *user) {
    cli_trial trial = {.sound = true};
    long seconds = time_limit();
    int state = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        trial.exit_status = work(user);
        return trial;
    }
    if (child == 0) {
        _exit(cli_finish_output(work(user)));
    }
    bool ended = wait_for(child, seconds, &state);
    trial.late = !ended;
    trial.sound = ended && WIFEXITED(state);
    trial.exit_status = trial.sound ? WEXITSTATUS(state) : 0;
    if (!ended && cli_interrupted())
        trial = (cli_trial){.sound = true, .exit_status = CLI_EXIT_INTERRUPTED};
    else if (!ended)
        snprintf(trial.fault, sizeof trial.fault, "did not answer within %ld seconds", seconds);
    else if (!trial.sound)
        snprintf(trial.fault, sizeof trial.fault, "crashed (signal %d)", WTERMSIG(state));
    return trial;
}

/* ---- Drivers ----------------------------------------------------------------------------------------------------- */

static int open_drivers(void *user) {
    heddle_context *context;
    size_t count;
    (void)user;
    if (heddle_context_create(NULL, &context) == HEDDLE_OK)
        heddle_device_list(context, NULL, 0, &count);
    return 0;
}

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
    for (const unsigned char *p = data, *end = p + bytes; p < end; p++)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

/* Environment that changes with installed or chosen drivers. */
static uint64_t state_of_libraries(void) {
    static const char *const files[] = {"/etc/ld.so.cache", "/etc/OpenCL/vendors"};
    static const char *const names[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct stat info;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (stat(files[i], &info) == 0) {
            hash = mix(hash, &info.st_mtim, sizeof info.st_mtim);
            hash = mix(hash, &info.st_size, sizeof info.st_size);
        }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        hash = mix(hash, value ? value : "", value ? strlen(value) + 1 : 1);
    }
    return hash;
}

/* Marks the folder as the library does when it compiles: `heddle cache clear` refuses folders without this. */
static void put_tag(const char *folder) {
    static const char tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                              "# The cache of heddle: compiled kernels and programs. It may be removed at any time.\n";
    char path[640];
    snprintf(path, sizeof path, "%s/CACHEDIR.TAG", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    bool written = write(file, tag, sizeof tag - 1) == (ssize_t)sizeof tag - 1;
    if (close(file) != 0 || !written)
        unlink(path);
}

/* The file that remembers: its content is the fault, or nothing. */
static bool stamp_path(cli_session *session, char *path, size_t size) {
    heddle_cache_info cache = {.size = sizeof cache};
    if (heddle_cache_show(session->context, &cache) != HEDDLE_OK || !cache.path[0] || cache.unused)
        return false;
    mkdir(cache.path, 0700); /* as the library makes it */
    put_tag(cache.path);
    int length = snprintf(path, size, "%s/drivers-%016llx", cache.path, (unsigned long long)state_of_libraries());
    return length > 0 && (size_t)length < size && access(cache.path, W_OK) == 0;
}

bool cli_drivers_are_sound(cli_session *session) {
    char path[640];
    cli_trial trial = {.sound = true};
    if (!heddle_accelerator_possible() || !stamp_path(session, path, sizeof path))
        return true; /* auto opens no driver then, or there is no file to keep the result in */
    FILE *stamp = fopen(path, "r");
    if (stamp) {
        trial.sound = !fgets(trial.fault, sizeof trial.fault, stamp);
        fclose(stamp);
    } else {
        trial = cli_try(open_drivers, NULL);
        stamp = cli_interrupted() || trial.late ? NULL : fopen(path, "w");
        bool failed = stamp && fputs(trial.fault, stamp) < 0;
        if ((stamp && fclose(stamp) != 0) || failed)
            remove(path);
    }
    if (!trial.sound && !session->common->quiet)
        cli_say("note: a driver of CUDA or OpenCL %s when it was opened: running on the cpu%s", trial.fault,
                trial.late ? "" : "; once it is mended, 'heddle cache clear' has it tried again");
    return trial.sound;
}

static int find_accelerator(void *user) {
    enum { ROOM = 16 };
    heddle_device_info devices[ROOM] = {{.size = sizeof *devices}};
    heddle_context *context;
    size_t count = 0;
    int found = 0;
    (void)user;
    if (!heddle_accelerator_possible() || heddle_context_create(NULL, &context) != HEDDLE_OK)
        return 0;
    if (heddle_device_list(context, devices, ROOM, &count) == HEDDLE_OK)
        for (size_t i = 0; i < count && i < ROOM; i++)
            found = found || (devices[i].accelerator && !devices[i].missing[0]);
    heddle_context_destroy(&context);
    return found;
}

bool cli_accelerator_is_there(void) {
    cli_trial trial = cli_try(find_accelerator, NULL);
    return trial.sound && trial.exit_status == 1;
}
