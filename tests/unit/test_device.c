/* test_device.c - the device layer on whatever devices this machine has; on a machine without a GPU that is OpenCL on
 * the CPU (PoCL), and without that the tests say that they were skipped. */
#include "support.h"

#include "base/memory.h"
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>

static const char cuda_source[] = "extern \"C\" __global__ void triple(unsigned *data, unsigned count) {\n"
                                  "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "    if (i < count) data[i] *= 3;\n"
                                  "}\n";
static const char opencl_source[] = "__kernel void triple(__global unsigned *data, unsigned count) {\n"
                                    "    unsigned i = get_global_id(0);\n"
                                    "    if (i < count) data[i] *= 3;\n"
                                    "}\n";

static const char *source_for(const hd_device *device) {
    return strcmp(device->kind->name, "cuda") == 0 ? cuda_source : opencl_source;
}

static void use_device(heddle_context *ctx, const char *name) {
    enum { COUNT = 1000 };
    hd_device *device;
    hd_buffer buffer;
    uint32_t data[COUNT], count = COUNT;
    void *binary, *module, *kernel;
    size_t bytes;
    double seconds = -1;
    support_assert_status(ctx, hd_device_open(ctx, name, &device), HEDDLE_OK);
    print_message("%s: %s, %s, %s\n", name, device->info.name, device->info.driver, device->info.compiler);
    support_assert_status(ctx, device->allocate(device, sizeof data, "a test", &buffer), HEDDLE_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    support_assert_status(ctx, device->upload(device, &buffer, 0, data, sizeof data), HEDDLE_OK);
    support_assert_status(ctx, device->fill(device, &buffer, 0, 7, 40), HEDDLE_OK);
    support_assert_status(ctx, device->compile(device, "triple", source_for(device), "", &binary, &bytes), HEDDLE_OK);
    support_assert_status(ctx, device->load(device, binary, bytes, &module), HEDDLE_OK);
    support_assert_status(ctx, device->kernel(device, module, "triple", &kernel), HEDDLE_OK);
    hd_argument arguments[] = {HD_ARGUMENT_BUFFER(buffer), HD_ARGUMENT_VALUE(count)};
    hd_launch launch = {.groups = 32, .lanes = 32, .arguments = arguments, .argument_count = 2, .name = "triple"};
    support_assert_status(ctx, device->mark(device, 0), HEDDLE_OK);
    support_assert_status(ctx, device->launch(device, kernel, &launch), HEDDLE_OK);
    support_assert_status(ctx, device->mark(device, 1), HEDDLE_OK);
    support_assert_status(ctx, device->download(device, data, &buffer, 0, sizeof data), HEDDLE_OK);
    support_assert_status(ctx, device->finish(device), HEDDLE_OK);
    support_assert_status(ctx, device->between(device, 0, 1, &seconds), HEDDLE_OK);
    assert_true(seconds >= 0);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(data[i], i < 10 ? 21 : i * 3);
    hd_free(&ctx->allocator, binary, bytes);
    device->unload(device, module);
    device->release(device, &buffer);

    assert_int_equal(device->compile(device, "broken", "this is no kernel", "", &binary, &bytes), HEDDLE_E_PROGRAM);
    assert_null(binary);
    assert_int_equal(device->allocate(device, UINT64_C(1) << 50, "too much", &buffer), HEDDLE_E_DEVICE_MEMORY);
    support_assert_message(ctx, "1125899906842624 bytes wanted for too much");
    device->close(device);
}

static void test_every_device(void **unused) {
    (void)unused;
    uint32_t found = 0;
    heddle_context *ctx = support_context(1);
    for (size_t k = 0; hd_device_kind_at(k); k++) {
        char missing[192] = "", name[32];
        uint32_t count = hd_device_kind_at(k)->discover(missing, sizeof missing);
        if (count == 0) {
            assert_true(*missing); /* says why */
            print_message("skipped %s: %s\n", hd_device_kind_at(k)->name, missing);
        }
        for (uint32_t i = 0; i < count; i++, found++) {
            snprintf(name, sizeof name, "%s:%u", hd_device_kind_at(k)->name, i);
            use_device(ctx, name);
        }
    }
    heddle_context_destroy(&ctx);
    if (!found)
        skip();
}

static void test_unknown_devices(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        heddle_status status;
    } cases[] = {{"cuda:99999", HEDDLE_E_DEVICE},
                 {"opencl:99999", HEDDLE_E_DEVICE},
                 {"opencl:4294967295", HEDDLE_E_DEVICE},
                 {"quantum", HEDDLE_E_ARGUMENT},
                 {"", HEDDLE_E_ARGUMENT},
                 {"cuda:", HEDDLE_E_ARGUMENT},
                 {"opencl:x", HEDDLE_E_ARGUMENT},
                 {"cuda:1x", HEDDLE_E_ARGUMENT},
                 {"opencl:-1", HEDDLE_E_ARGUMENT},
                 {"opencl:+0", HEDDLE_E_ARGUMENT},
                 {"opencl: 0", HEDDLE_E_ARGUMENT},
                 {"openclx", HEDDLE_E_ARGUMENT},
                 {"opencl:4294967296", HEDDLE_E_ARGUMENT}, /* would be 0 in 32 bits */
                 {"opencl:18446744073709551616", HEDDLE_E_ARGUMENT}};
    heddle_context *ctx = support_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_device *device;
        support_assert_status(ctx, hd_device_open(ctx, cases[i].name, &device), cases[i].status);
        assert_null(device);
    }
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_device), cmocka_unit_test(test_unknown_devices)};
    setenv("POCL_DEVICES", "pthread pthread", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
