/* operator.c - see operator.h. */
#include "operator/operator.h"

static const hd_operator *const operators[] = {&hd_operator_once, &hd_operator_carried};

static bool plain_run(const hd_cpu_setup *setup) {
    return !setup->disk && !setup->passing && !setup->copies && !setup->clusters && !setup->out_degrees &&
           !setup->in_degrees && !setup->max_iterations;
}

const hd_operator *hd_operator_of(const hd_cpu_program *program, const heddle_graph *graph, const hd_cpu_setup *setup) {
    for (size_t i = 0; plain_run(setup) && i < sizeof operators / sizeof *operators; i++)
        if (program->traits & operators[i]->promise && !operators[i]->refuse(program, graph, setup))
            return operators[i];
    return NULL;
}
