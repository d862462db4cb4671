/* program_object.c - see program_object.h. */
#include "engine/cpu/program_object.h"

#include "base/limit.h"
#include "base/memory.h"
#include "engine/cpu/cpu_user.h"

#include <stdio.h>
#include <string.h>

static void describe(heddle_program *p) {
    const hd_cpu_program *c = p->compiled;
    static const struct {
        int trait, public;
    } traits[] = {{MONOTONE, HEDDLE_PROGRAM_MONOTONE},
                  {ALL_ACTIVE, HEDDLE_PROGRAM_ALL_ACTIVE},
                  {FROM_SOURCES, HEDDLE_PROGRAM_FROM_SOURCES},
                  {UNIQUE_FIXED_POINT, HEDDLE_PROGRAM_UNIQUE_FIXED_POINT},
                  {SUM, HEDDLE_PROGRAM_SUM},
                  {UNTIL_UNCHANGED, HEDDLE_PROGRAM_UNTIL_UNCHANGED},
                  {REVERSED, HEDDLE_PROGRAM_REVERSED},
                  {HD_HAS_TOTALS, HEDDLE_PROGRAM_TOTALS},
                  {HD_HAS_DONE, HEDDLE_PROGRAM_DONE},
                  {HD_HAS_PHASES, HEDDLE_PROGRAM_PHASES},
                  {ONCE, HEDDLE_PROGRAM_ONCE},
                  {LEAST_FIRST, HEDDLE_PROGRAM_LEAST_FIRST},
                  {LARGEST_FIRST, HEDDLE_PROGRAM_LARGEST_FIRST},
                  {CARRIED, HEDDLE_PROGRAM_CARRIED}};
    p->info = (heddle_program_info){.size = sizeof p->info,
                                    .name = p->name,
                                    .precision = p->in_double ? HEDDLE_PRECISION_DOUBLE : HEDDLE_PRECISION_SINGLE,
                                    .output = (heddle_value_type)c->output_type,
                                    .weighted = c->weighted != 0,
                                    .value_bytes = c->value_size,
                                    .message_bytes = c->message_size,
                                    .parameters = p->parameters};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        p->info.traits |= c->traits & traits[i].trait ? traits[i].public : 0;
    p->info.parameter_count = hd_cpu_parameter_list(c, p->names, p->parameters);
}

static heddle_status copy_text(heddle_context *ctx, const char *from, char **to, size_t *bytes) {
    *bytes = strlen(from) + 1;
    HD_TRY(HD_NEW(ctx, to, *bytes, "a program"));
    memcpy(*to, from, *bytes);
    return HEDDLE_OK;
}

static heddle_status object_of_text(heddle_context *ctx, const char *name, const char *text, bool in_double,
                                    heddle_program **program) {
    heddle_program *p;
    heddle_status status;
    *program = NULL;
    HD_TRY(HD_NEW_ZERO(ctx, &p, 1, "a program"));
    p->allocator = ctx->limit ? ctx->limit->inner : ctx->allocator;
    p->in_double = in_double;
    HD_CHECK(copy_text(ctx, name, &p->name, &p->name_bytes));
    HD_CHECK(copy_text(ctx, text, &p->text, &p->text_bytes));
    HD_CHECK(hd_cpu_program_load(ctx, p->name, p->text, in_double, &p->loaded, &p->compiled));
    describe(p);
    *program = p;
    return HEDDLE_OK;
out:
    hd_program_object_free(p);
    return status;
}

heddle_status hd_program_object_new(heddle_context *ctx, const char *name, const char *given, bool in_double,
                                    heddle_program **program) {
    char *text = NULL;
    size_t room = 0;
    heddle_status status = HEDDLE_OK;
    if (!given)
        status = hd_program_text(ctx, name, NULL, &text, &room);
    if (status == HEDDLE_OK)
        status = object_of_text(ctx, name, given ? given : text, in_double, program);
    HD_DELETE(&ctx->allocator, text, room);
    return status;
}

void hd_program_object_free(heddle_program *program) {
    if (!program)
        return;
    heddle_allocator allocator = program->allocator;
    hd_loaded_close(&program->loaded);
    HD_DELETE(&allocator, program->name, program->name_bytes);
    HD_DELETE(&allocator, program->text, program->text_bytes);
    HD_DELETE(&allocator, program, 1);
}

/* ---- The context's list ------------------------------------------------------------------------------------------ */

static void forget_programs(heddle_context *ctx) {
    while (ctx->programs) {
        heddle_program *first = ctx->programs;
        ctx->programs = first->next;
        hd_program_object_free(first);
    }
}

/* Takes it out of the list. */
static heddle_program *find_program(heddle_context *ctx, const char *name, const char *text, bool in_double) {
    for (heddle_program **at = &ctx->programs; *at; at = &(*at)->next) {
        heddle_program *p = *at;
        if (p->in_double == in_double && strcmp(p->text, text) == 0 && strcmp(p->name, name) == 0) {
            *at = p->next;
            return p;
        }
    }
    return NULL;
}

static void keep_program(heddle_context *ctx, heddle_program *program) {
    uint32_t count = 0;
    program->next = ctx->programs;
    ctx->programs = program;
    ctx->release_programs = forget_programs;
    for (heddle_program *p = program; p; p = p->next)
        if (++count == HD_PROGRAMS_KEPT && p->next) {
            hd_program_object_free(p->next);
            p->next = NULL;
        }
}

static heddle_status get_text(heddle_context *ctx, const char *name, const char *text, bool in_double,
                              const heddle_program **program, heddle_program **temporary) {
    heddle_program *p = ctx->keep_source ? NULL : find_program(ctx, name, text, in_double);
    *temporary = NULL;
    if (p)
        p->loaded.seconds = 0;
    else
        HD_TRY(object_of_text(ctx, name, text, in_double, &p));
    *program = p;
    if (p->loaded.included || ctx->keep_source)
        *temporary = p;
    else
        keep_program(ctx, p);
    return HEDDLE_OK;
}

heddle_status hd_program_object_get(heddle_context *ctx, const char *name, const char *given, bool in_double,
                                    const heddle_program **program, heddle_program **temporary) {
    char *text = NULL;
    size_t room = 0;
    *program = *temporary = NULL;
    if (given)
        return get_text(ctx, name, given, in_double, program, temporary);
    heddle_status status = hd_program_text(ctx, name, NULL, &text, &room);
    if (status == HEDDLE_OK)
        status = get_text(ctx, name, text, in_double, program, temporary);
    HD_DELETE(&ctx->allocator, text, room);
    return status;
}

bool hd_program_tested(const heddle_program *program, uint64_t key) {
    return atomic_load_explicit(&program->tested, memory_order_relaxed) == key;
}

void hd_program_set_tested(const heddle_program *program, uint64_t key) {
    atomic_store_explicit((atomic_uint_least64_t *)(uintptr_t)&program->tested, key, memory_order_relaxed);
}
