/* programs.c - compiled vertex programs in the public interface. */
#include "algorithm/program/program.h"
#include "base/argument.h"

heddle_status heddle_program_compile(heddle_context *ctx, const char *name, const char *text,
                                     heddle_precision precision, heddle_program **program) {
    if (program)
        *program = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, name);
    HD_NEEDS(ctx, program);
    if (precision < HEDDLE_PRECISION_DEFAULT || precision > HEDDLE_PRECISION_DOUBLE)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_program_compile: precision %d: expected one of heddle_precision",
                       (int)precision);
    HD_TRY(hd_program_object_new(ctx, name, text, precision == HEDDLE_PRECISION_DOUBLE, program));
    heddle_status status = hd_user_check_declared(ctx, name, (*program)->compiled);
    if (status != HEDDLE_OK)
        heddle_program_destroy(program);
    return status;
}

const heddle_program_info *heddle_program_about(const heddle_program *program) {
    static const heddle_program_info none = {.size = sizeof none, .name = ""};
    return program ? &program->info : &none;
}

void heddle_program_destroy(heddle_program **program) {
    if (!program)
        return;
    hd_program_object_free(*program);
    *program = NULL;
}
