/* nvrtc.c - a libnvrtc.so of the test's own: its binaries are the source's text. */
#define _GNU_SOURCE
#include "fake.h"

#include "device/cuda_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _nvrtcProgram {
    char *source;
};

#define DECLARE(member, symbol, parameters) nvrtcResult symbol parameters;
HD_NVRTC_FUNCTIONS(DECLARE)

#define ENTER(name)                   \
    do {                              \
        int error_ = fake_call(name); \
        if (error_)                   \
            return error_;            \
    } while (0)

static const char words[] = "fake.cu(1): error: this is no kernel\n", start[] = "fake ";

nvrtcResult nvrtcVersion(int *major, int *minor) {
    ENTER("nvrtcVersion");
    *major = 13;
    *minor = 0;
    return 0;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *texts, const char *const *names) {
    (void)name, (void)headers, (void)texts, (void)names;
    ENTER("nvrtcCreateProgram");
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    fake_made(FAKE_PROGRAM);
    return 0;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    int error = fake_call("nvrtcDestroyProgram");
    free((*program)->source);
    free(*program);
    *program = NULL;
    fake_gone(FAKE_PROGRAM);
    return error;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    (void)count, (void)options;
    ENTER("nvrtcCompileProgram");
    return fake_find(program->source, "this is no kernel") ? NVRTC_ERROR_COMPILATION : 0;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    ENTER("nvrtcGetCUBINSize");
    *bytes = sizeof start + strlen(program->source);
    return 0;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) {
    ENTER("nvrtcGetCUBIN");
    memcpy(image, start, sizeof start);
    strcpy(image + sizeof start - 1, program->source);
    return 0;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    (void)program;
    ENTER("nvrtcGetProgramLogSize");
    *bytes = sizeof words;
    return 0;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *text) {
    (void)program;
    ENTER("nvrtcGetProgramLog");
    memcpy(text, words, sizeof words);
    return 0;
}
