/* provenance.c - see provenance.h. commit.h is made by the build (cmake/commit.cmake); only this file includes it. */
#include "provenance.h"

#include "text.h"
#include <commit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void json_command(cli_json *json, const cli_session *session) {
    cli_json_array(json, "command");
    cli_json_text(json, NULL, "heddle");
    for (int i = 0; i < session->word_count; i++)
        cli_json_text(json, NULL, session->words[i]);
    cli_json_end(json);
}

/* The same in all reports of a process. */
static void json_date(cli_json *json) {
    static time_t now;
    char text[32];
    struct tm utc;
    if (!now)
        now = time(NULL);
    bool known = gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    cli_json_text(json, "date", known ? text : NULL);
}

/* The processor's name, as Linux has it; empty if it has none. */
static void read_processor(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (file && !name[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0)
            snprintf(name, size, "%.*s", (int)strcspn(colon + 1, "\n") - 1, colon + 2);
    }
    if (file)
        fclose(file);
}

static void json_machine(cli_json *json) {
    struct utsname system;
    char processor[160];
    bool known = uname(&system) == 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    read_processor(processor, sizeof processor);
    cli_json_object(json, "machine");
    cli_json_text(json, "processor", processor[0] ? processor : NULL);
    cli_json_count(json, "processors", cores > 0 ? (uint64_t)cores : 0);
    cli_json_text(json, "architecture", known ? system.machine : NULL);
    cli_json_text(json, "system", known ? system.sysname : NULL);
    cli_json_text(json, "release", known ? system.release : NULL);
    cli_json_end(json);
}

/* The library's entry of the device; false if there is none. The CPU is `machine`, and opens no driver. */
static bool find_device(const cli_session *session, const char *device, heddle_device_info *found) {
    enum { MOST = 64 };
    char name[40];
    size_t count = 0;
    if (!device || strcmp(device, "cpu") == 0)
        return false;
    heddle_device_info *list = calloc(MOST, sizeof *list);
    bool there = false;
    if (list)
        list[0].size = sizeof *list;
    if (list && heddle_device_list(session->context, list, MOST, &count) == HEDDLE_OK)
        for (size_t i = 0; i < count && i < MOST && !there; i++) {
            snprintf(name, sizeof name, "%s:%u", list[i].kind, list[i].index);
            there = list[i].name[0] && strcmp(name, device) == 0;
            *found = list[i];
        }
    free(list);
    return there;
}

const char *cli_commit(void) { return CLI_COMMIT[0] ? CLI_COMMIT : NULL; }

#define DIGITS_(number) #number
#define DIGITS(number) DIGITS_(number)
#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#elif defined(__riscv)
#define PROCESSOR "riscv64"
#elif defined(__s390x__)
#define PROCESSOR "s390x"
#elif defined(__powerpc64__)
#define PROCESSOR "ppc64"
#else
#define PROCESSOR "another processor"
#endif
#ifdef __GLIBC__
#define C_LIBRARY "glibc " DIGITS(__GLIBC__) "." DIGITS(__GLIBC_MINOR__)
#else
#define C_LIBRARY "another C library"
#endif

const char *cli_platform(void) { return PROCESSOR ", " C_LIBRARY; }

void cli_json_provenance(cli_json *json, const cli_session *session, const char *device) {
    heddle_device_info info;
    bool found = find_device(session, device, &info);
    cli_json_text(json, "version", heddle_version());
    cli_json_text(json, "commit", cli_commit());
    json_command(json, session);
    json_date(json);
    json_machine(json);
    cli_json_text(json, "device_name", found ? info.name : NULL);
    cli_json_text(json, "driver", found ? info.driver : NULL);
}
