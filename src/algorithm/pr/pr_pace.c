/* pr_pace.c - see pr_pace.h. */
#include "algorithm/pr/pr_pace.h"

#include <math.h>

static const double best_ratio = 0.3; /* changes hardly ever shrink faster; if they do, plain rounds are good enough */

hd_pace hd_pace_start(double damping, double tolerance, double radius) {
    radius = radius < damping ? radius : damping;
    return (hd_pace){.damping = damping,
                     .tolerance = tolerance,
                     .radius = radius,
                     .known = radius > 0,
                     .weight = 1,
                     .ratio = radius * sqrt(0.5)};
}

/* The expected next change. If the radius is known, two extrapolated rounds shrink it by the square of Chebyshev's
 * rate. */
static double foresee(const hd_pace *pace) {
    if (!pace->known || !(pace->weight > 1))
        return pace->change * pace->ratio;
    double rate = pace->radius / (1 + sqrt(1 - pace->radius * pace->radius));
    return pace->change * fmin(pace->ratio, rate * rate / pace->ratio);
}

double hd_pace_onward(const hd_pace *pace) {
    if (!(pace->ratio > 0) || foresee(pace) < pace->tolerance)
        return 0;
    double square = pace->radius * pace->radius;
    double next = pace->weight > 1 ? 1 / (1 - square * pace->weight / 4) : 1 / (1 - square / 2);
    return next - 1;
}

void hd_pace_note(hd_pace *pace, double onward, double change) {
    double ratio = pace->change > 0 ? change / pace->change : pace->ratio, seen = 0;
    if (!(pace->weight > 1)) /* changes shrink by the eigenvalue itself */
        seen = ratio;
    else if (ratio * ratio > pace->weight - 1) /* an eigenvalue above the estimate: a root z of z^2 - e*w*z + w - 1 */
        seen = (ratio + (pace->weight - 1) / ratio) / pace->weight;
    seen = seen < pace->damping ? seen : pace->damping;
    pace->known &= seen <= pace->radius;
    pace->radius = seen > pace->radius ? seen : pace->radius;
    pace->weight = 1 + onward;
    pace->ratio = ratio;
    pace->change = change;
}

bool hd_pace_hopeless(double change, uint64_t left, double tolerance) {
    return left < 64 && change * pow(best_ratio, (double)left) > tolerance;
}
