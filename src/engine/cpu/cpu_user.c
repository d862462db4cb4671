/* cpu_user.c - from a user's C file to a program that the engine can run: embedded text is put before and after it;
 * #line keeps the user's own line numbers in the compiler's messages. */
#include "engine/cpu/cpu_user.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/word_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char hd_text_cpu_abi[], hd_text_prelude_cpu[], hd_text_cpu_kernels[];

enum { MOST_BYTES = 1 << 20 };

/* Definitions that a program must have, and the message if one is missing. */
static const struct {
    const char *name, *form;
} required[] = {
    {"VALUE", "#define VALUE f32, the type of a vertex's value"},
    {"MESSAGE", "#define MESSAGE f32, the type of what an edge carries"},
    {"init", "PROGRAM VALUE init(ABOUT me, RUN run), a vertex's first value"},
    {"identity", "PROGRAM MESSAGE identity(void), the message that changes nothing"},
    {"send",
     "PROGRAM MESSAGE send(VALUE value, u32 degree), or with WEIGHT send(VALUE value, WEIGHT weight, u32 degree)"},
    {"reduce", "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b), two messages made one"},
    {"update", "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run), 1 when the value changed"},
};

/* Definitions that depend on declarations, and functions whose arguments do. */
static const struct {
    const char *name, *form;
} declared[] = {
    {"send", "MESSAGE send(VALUE value, u32 degree): WEIGHT puts WEIGHT weight before the degree, SEND_EDGE puts EDGE "
             "edge and SEND_RUN puts RUN run behind it"},
    {"contribute", "void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) and #define TOTALS"},
    {"done", "int done(RUN run) and #define DONE"},
    {"next_phase", "u32 next_phase(RUN run) and #define FIRST_PHASE"},
};

/* A program that the caller passes as text. */
static heddle_status copy_text(heddle_context *ctx, const char *name, const char *given, char **text, size_t *bytes) {
    *bytes = strnlen(given, MOST_BYTES + 1);
    if (*bytes > MOST_BYTES)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, name, 0, "is longer than 1 MiB");
    HD_TRY(HD_NEW_ZERO(ctx, text, MOST_BYTES + 1, "the program's text"));
    memcpy(*text, given, *bytes);
    return HEDDLE_OK;
}

static heddle_status read_text(heddle_context *ctx, const char *path, const char *given, char **text, size_t *bytes) {
    if (given)
        return copy_text(ctx, path, given, text, bytes);
    FILE *file = fopen(path, "rb");
    if (!file)
        return hd_fail_file(ctx, HEDDLE_E_OPEN, path, errno, "cannot open the program");
    heddle_status status = HD_NEW_ZERO(ctx, text, MOST_BYTES + 1, "the program's text");
    if (status == HEDDLE_OK) {
        *bytes = fread(*text, 1, MOST_BYTES + 1, file);
        if (ferror(file))
            status = hd_fail_file(ctx, HEDDLE_E_READ, path, errno, "cannot read the program");
        else if (*bytes > MOST_BYTES || strlen(*text) != *bytes)
            status = hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "is no C program of at most 1 MiB");
    }
    fclose(file);
    return status;
}

heddle_status hd_program_text(heddle_context *ctx, const char *path, const char *given, char **text, size_t *room) {
    size_t bytes = 0;
    *text = NULL;
    *room = MOST_BYTES + 1;
    return read_text(ctx, path, given, text, &bytes);
}

uint64_t hd_program_includes(const char *text) {
    return strstr(text, "include") ? hd_hash2((uint64_t)(1e9 * hd_clock()), (uint64_t)getpid()) | 1 : 0;
}

heddle_status hd_program_explain_error(heddle_context *ctx, const char *path, const char *text) {
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!hd_find_identifier(text, required[i].name))
            return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "the program lacks %s: %s", required[i].name,
                                required[i].form);
    if (strstr(ctx->error.message, "define OUTPUT (") || hd_find_identifier(ctx->error.message, "hd_output"))
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0,
                            "%s: #define OUTPUT f32 (or u32, i32, u64, i64, f64) and write PROGRAM OUTPUT "
                            "output(VALUE value), the number that is the result",
                            hd_find_identifier(text, "OUTPUT") ? "OUTPUT is no type of numbers" : "VALUE is no number");
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        const char *name = declared[i].name, *form = declared[i].form;
        char message[sizeof ctx->error.message];
        uint64_t line = ctx->error.line, column = ctx->error.column;
        if (!hd_find_identifier(ctx->error.message, name))
            continue;
        if (!hd_find_identifier(text, name))
            return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "the program lacks %s: PROGRAM %s", name, form);
        memcpy(message, ctx->error.message, sizeof message);
        hd_fail(ctx, HEDDLE_E_PROGRAM, "%.700s; expected %s", message, form);
        ctx->error.line = line;
        ctx->error.column = column;
        snprintf(ctx->error.file, sizeof ctx->error.file, "%s", path);
        break;
    }
    return HEDDLE_E_PROGRAM;
}

static heddle_status join(heddle_context *ctx, const char *path, const char *text, bool in_double, char **source,
                          size_t *capacity, size_t *bytes) {
    char line[HD_LINE_ROOM];
    hd_line_of(path, line);
    *capacity = strlen(hd_text_cpu_abi) + strlen(hd_text_prelude_cpu) + strlen(text) + strlen(hd_text_cpu_kernels) +
                sizeof line + 512;
    HD_TRY(HD_NEW(ctx, source, *capacity, "the program's source"));
    int length = snprintf(*source, *capacity,
                          "%s%s%s\n%s%s\n"
                          "#define HD_USER_PROGRAM\n#define HD_PROGRAM_SYMBOL heddle_program\n#define "
                          "HD_PROGRAM_VISIBILITY \"default\"\n%s",
                          in_double ? "#define HEDDLE_DOUBLE\n" : "", hd_text_cpu_abi, hd_text_prelude_cpu, line, text,
                          hd_text_cpu_kernels);
    *bytes = (size_t)length;
    return HEDDLE_OK;
}

heddle_status hd_cpu_program_load(heddle_context *ctx, const char *path, const char *text, bool in_double,
                                  hd_loaded *loaded, const hd_cpu_program **program) {
    char *source = NULL;
    size_t capacity = 0, source_bytes = 0;
    *loaded = (hd_loaded){.handle = NULL};
    if (strnlen(text, MOST_BYTES + 1) > MOST_BYTES)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "is longer than 1 MiB");
    heddle_status status = join(ctx, path, text, in_double, &source, &capacity, &source_bytes);
    if (status == HEDDLE_OK)
        status = hd_compile_cpu(ctx, path, source, source_bytes, "heddle_program", loaded);
    if (status == HEDDLE_E_PROGRAM)
        status = hd_program_explain_error(ctx, path, text);
    HD_DELETE(&ctx->allocator, source, capacity);
    HD_TRY(status);
    *program = loaded->symbol;
    if ((*program)->abi == HD_CPU_ABI)
        return HEDDLE_OK;
    hd_loaded_close(loaded);
    return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "was compiled for another version");
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

/* Reads "name=number" at *at; false at the end or on a syntax error. */
static bool next_pair(const char **at, const char **name, size_t *length, double *value) {
    const char *p = *at + strspn(*at, " ,");
    char *end;
    *name = p;
    *length = strcspn(p, "= ,");
    *at = p;
    if (*length == 0 || p[*length] != '=')
        return false;
    *value = strtod(p + *length + 1, &end);
    if (end == p + *length + 1 || (*end && *end != ' ' && *end != ','))
        return false;
    *at = end;
    return true;
}

static int find_parameter(const hd_cpu_program *program, const char *wanted, size_t wanted_length) {
    const char *at = program->parameters, *name;
    size_t length;
    double value;
    for (int i = 0; i < HD_PARAMETERS && next_pair(&at, &name, &length, &value); i++)
        if (length == wanted_length && memcmp(name, wanted, length) == 0)
            return i;
    return -1;
}

heddle_status hd_cpu_parameters(heddle_context *ctx, const hd_cpu_program *program, const char *given,
                                double parameter[HD_PARAMETERS]) {
    const char *at = program->parameters, *name;
    size_t length;
    double value;
    memset(parameter, 0, HD_PARAMETERS * sizeof *parameter);
    for (int i = 0; i < HD_PARAMETERS && next_pair(&at, &name, &length, &value); i++)
        parameter[i] = value;
    for (at = given ? given : ""; next_pair(&at, &name, &length, &value);) {
        int i = find_parameter(program, name, length);
        if (i < 0)
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the program has no parameter '%.*s' (it has: %.200s)", (int)length,
                           name, *program->parameters ? program->parameters : "none");
        parameter[i] = value;
    }
    if (*(at + strspn(at, " ,")))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "parameters '%.100s': expected name=number,name=number", given);
    return HEDDLE_OK;
}

uint32_t hd_cpu_parameter_list(const hd_cpu_program *program, char names[HD_PARAMETERS][HD_PARAMETER_NAME],
                               heddle_program_parameter parameters[HD_PARAMETERS]) {
    const char *at = program->parameters, *name;
    size_t length;
    double value;
    uint32_t count = 0;
    for (; count < HD_PARAMETERS && next_pair(&at, &name, &length, &value); count++) {
        snprintf(names[count], HD_PARAMETER_NAME, "%.*s", (int)length, name);
        parameters[count] = (heddle_program_parameter){.name = names[count], .value = value};
    }
    return count;
}
