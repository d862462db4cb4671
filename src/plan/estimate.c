/* estimate.c - see estimate.h. A round takes as long as the slowest of three: moving its sectors, issuing all steps,
 * and the longest warp, whose latency nothing can hide; on skewed graphs that last one makes the difference. */
#include "plan/estimate.h"

/* Fitted to a round of pr on an H200, seven schedules on four graphs: most are within twice what was measured,
 * all within four times; shards, whose slowest range is not known, are not among them. */
static const double launch_seconds = 4e-6;
static const double sectors_a_second = 1.7e11;
static const double steps_a_second = 3e9;
static const double step_seconds = 0.2e-6; /* latency of a lane's step; each level of a reduction takes as long again */

static double larger(double a, double b) { return a > b ? a : b; }

double hd_estimate_round(const hd_efficiency *efficiency, double transactions, uint32_t warp, uint32_t side) {
    double moving = (double)efficiency->useful * transactions / sectors_a_second;
    double issuing = (double)efficiency->slots / warp / steps_a_second, step = step_seconds;
    for (uint32_t lanes = side; lanes > 1; lanes /= 2)
        step += step_seconds;
    return launch_seconds + larger(larger(moving, issuing), (double)efficiency->longest * step);
}
