/* devices.c - heddle devices: the devices found, and what is missing for the others. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "report.h"
#include "text.h"
#include "trial.h"

enum { MOST_DEVICES = 64 };

typedef struct devices_settings {
    cli_common common;
} devices_settings;

static void print_json(const heddle_device_info *devices, size_t count) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_array(&json, "devices");
    for (size_t i = 0; i < count; i++) {
        const heddle_device_info *each = &devices[i];
        cli_json_object(&json, NULL);
        cli_json_text(&json, "kind", each->kind);
        cli_json_count(&json, "index", each->index);
        cli_json_flag(&json, "found", each->name[0]);
        cli_json_text(&json, "name", each->name[0] ? each->name : NULL);
        cli_json_text(&json, "driver", each->driver[0] ? each->driver : NULL);
        cli_json_text(&json, "compiler", each->compiler[0] ? each->compiler : NULL);
        cli_json_count(&json, "memory", each->memory);
        cli_json_count(&json, "units", each->units);
        cli_json_flag(&json, "accelerator", each->accelerator);
        cli_json_text(&json, "missing", each->missing[0] ? each->missing : NULL);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

static void print_device(const heddle_device_info *device) {
    if (!device->name[0]) {
        printf("%-10s none: %s\n", device->kind, device->missing);
        return;
    }
    char label[32];
    snprintf(label, sizeof label, device->driver[0] ? "%s:%u" : "%s", device->kind, device->index);
    printf("%-10s %s\n", label, device->name);
    printf("%-10s %s of memory, %u %s%s\n", "", cli_bytes(device->memory).text, device->units,
           device->driver[0] ? "compute units" : "threads",
           device->driver[0] && !device->accelerator ? ", the CPU itself (never chosen by auto)" : "");
    if (device->driver[0])
        printf("%-10s %s; kernels by %s\n", "", device->driver, device->compiler);
}

static int list(void *user) {
    cli_session *session = user;
    const cli_common *common = session->common;
    heddle_device_info devices[MOST_DEVICES];
    size_t count = 0;
    devices[0].size = sizeof devices[0];
    heddle_status status = heddle_device_list(session->context, devices, MOST_DEVICES, &count);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    if (common->json)
        print_json(devices, count);
    for (size_t i = 0; !common->json && i < count; i++)
        print_device(&devices[i]);
    return 0;
}

static int run(cli_session *session, void *settings) {
    (void)settings;
    cli_trial trial = cli_try(list, session);
    if (trial.sound)
        return trial.exit_status;
    cli_say("a driver of CUDA or OpenCL %s when it was opened; --device cpu works without any", trial.fault);
    return heddle_status_exit(HEDDLE_E_DEVICE);
}

static const cli_group groups[] = {CLI_COMMON_GROUP, CLI_END_GROUP};

const cli_command cli_devices = {
    .name = "devices",
    .hints = CLI_WORDS("gpus", "gpu"),
    .summary = "list the devices of this machine",
    .operands = "",
    .about =
        "Lists the CPU and the CUDA and OpenCL devices that were found, with memory, driver and compiler; and for "
        "each kind of which there is none, which library or driver is missing. --device takes the names in the first "
        "column.",
    .examples = "heddle devices\nheddle devices --json",
    .groups = groups,
    .settings_size = sizeof(devices_settings),
    .run = run,
};
