/* doctor.c - heddle doctor: what this machine has for Heddle, what is missing, and the command that brings it. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "report.h"
#include "text.h"
#include "trial.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEVICES = 64, WORD_COLUMN = 10 };

typedef struct doctor_settings {
    cli_common common;
} doctor_settings;

/* One part of the machine: `what` it has, or lacks; `remedy`: how to get it, NULL where nothing is missing. */
typedef struct finding {
    const char *part, *what, *remedy;
} finding;

typedef struct findings {
    cli_json *json; /* NULL: text */
} findings;

static void show(const findings *to, finding f) {
    if (!to->json) {
        printf("%-*s ", WORD_COLUMN, f.part);
        cli_wrap(stdout, f.what, WORD_COLUMN + 1, WORD_COLUMN + 1, CLI_WIDTH);
        if (f.remedy) {
            printf("%*s", WORD_COLUMN + 1, "");
            cli_wrap(stdout, f.remedy, WORD_COLUMN + 1, WORD_COLUMN + 1, CLI_WIDTH);
        }
        return;
    }
    cli_json_object(to->json, NULL);
    cli_json_text(to->json, "part", f.part);
    cli_json_flag(to->json, "found", !f.remedy);
    cli_json_text(to->json, "what", f.what);
    cli_json_text(to->json, "remedy", f.remedy);
    cli_json_end(to->json);
}

/* The first of these programs that is in the PATH; NULL: none is. */
static const char *find_program(const char *const *names) {
    const char *path = getenv("PATH");
    for (; *names; names++)
        for (const char *folder = path; folder && *names[0]; folder = *folder ? folder + 1 : NULL) {
            char file[PATH_MAX];
            size_t length = strcspn(folder, ":");
            snprintf(file, sizeof file, "%.*s/%s", (int)length, folder, *names);
            if (access(file, X_OK) == 0)
                return *names;
            folder += length;
        }
    return NULL;
}

static const char *remedy_of(const heddle_device_info *device) {
    if (!device->name[0])
        return !strcmp(device->kind, "cuda") ? "For a GPU of NVIDIA, install its driver; on Debian: apt install "
                                               "nvidia-driver."
                                             : "For other GPUs, install their OpenCL driver; on Debian: apt install "
                                               "ocl-icd-libopencl1, and pocl-opencl-icd for kernels on the CPU.";
    if (!strncmp(device->compiler, "none", 4))
        return "Its compiler, NVRTC, comes with the CUDA toolkit, and with: pip install "
               "nvidia-cuda-nvrtc-cu12. Where it lies elsewhere, HEDDLE_NVRTC names its file.";
    return NULL;
}

static void show_device(const findings *to, const heddle_device_info *device) {
    char what[sizeof device->name + sizeof device->missing + sizeof device->compiler + 96];
    if (!device->name[0])
        snprintf(what, sizeof what, "none: %s", device->missing);
    else if (!device->driver[0])
        snprintf(what, sizeof what, "%s, %u threads, %s of memory", device->name, device->units,
                 cli_bytes(device->memory).text);
    else
        snprintf(what, sizeof what, "%s, %s of memory; kernels by %s%s", device->name, cli_bytes(device->memory).text,
                 device->compiler, device->accelerator ? "" : "; the CPU itself, which auto never chooses");
    show(to, (finding){device->kind, what, remedy_of(device)});
}

static void show_programs(const findings *to) {
    const char *wanted = getenv("CC");
    const char *compiler = find_program((const char *const[]){wanted ? wanted : "cc", "cc", "gcc", "clang", NULL});
    const char *launcher = find_program((const char *const[]){"mpirun", "srun", NULL});
    char what[300];
    snprintf(what, sizeof what, compiler ? "%s compiles programs of your own: heddle run" : "no C compiler%s",
             compiler ? compiler : "");
    show(to,
         (finding){"programs", what, compiler ? NULL : "heddle run needs one on the CPU; on Debian: apt install gcc."});
    snprintf(what, sizeof what, launcher ? "%s starts runs on several processes or machines" : "no launcher%s",
             launcher ? launcher : "");
    show(to,
         (finding){"ranks", what, launcher ? NULL : "Several machines need one; on Debian: apt install openmpi-bin."});
}

static void show_cache(const findings *to, heddle_context *context) {
    heddle_cache_info info = {.size = sizeof info};
    char what[PATH_MAX + 64];
    if (heddle_cache_show(context, &info) == HEDDLE_OK && *info.path && !info.unused) {
        snprintf(what, sizeof what, "compiled kernels are kept in %s", info.path);
        show(to, (finding){"cache", what, NULL});
        return;
    }
    show(to, (finding){"cache", "none: every run compiles its kernels again",
                       "Set HEDDLE_CACHE to a folder that only you can write to."});
}

static int examine(void *user) {
    cli_session *session = user;
    cli_json json = {.out = stdout};
    findings to = {session->common->json ? &json : NULL};
    heddle_device_info devices[MOST_DEVICES];
    size_t count = 0;
    devices[0].size = sizeof devices[0];
    heddle_status status = heddle_device_list(session->context, devices, MOST_DEVICES, &count);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    if (to.json) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "version", heddle_version());
        cli_json_array(&json, "findings");
    }
    for (size_t i = 0; i < count && i < MOST_DEVICES; i++)
        show_device(&to, &devices[i]);
    show_programs(&to);
    show_cache(&to, session->context);
    if (to.json) {
        cli_json_end(&json);
        cli_json_end(&json);
    } else {
        puts("\nTo try it: heddle pr example:karate --top 5 --verify");
    }
    return 0;
}

static int run(cli_session *session, void *settings) {
    (void)settings;
    cli_trial trial = cli_try(examine, session);
    if (trial.sound)
        return trial.exit_status;
    cli_say("a driver of CUDA or OpenCL %s when it was opened; --device cpu works without any", trial.fault);
    return heddle_status_exit(HEDDLE_E_DEVICE);
}

static const cli_group groups[] = {CLI_COMMON_GROUP, CLI_END_GROUP};

const cli_command cli_doctor = {
    .name = "doctor",
    .hints = CLI_WORDS("check", "diagnose", "setup"),
    .summary = "what this machine has, and how to get what is missing",
    .operands = "",
    .about = "Looks at devices and their drivers, the C compiler for programs of your own, the launcher for several "
             "processes, and the cache of compiled kernels. For each that is missing it says how to get it. Nothing "
             "of this is needed for runs on the CPU.",
    .examples = "heddle doctor\nheddle doctor --json",
    .groups = groups,
    .settings_size = sizeof(doctor_settings),
    .run = run,
};
