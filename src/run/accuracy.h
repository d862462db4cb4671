/* accuracy.h - how far an approximate result is from the exact one. */
#ifndef HD_RUN_ACCURACY_H
#define HD_RUN_ACCURACY_H

#include "algorithm/algorithm.h"

/* After a run with max_error: fills in what is proven, or says that it was exact. */
void hd_accuracy_state(const hd_run *run);
/* Runs the algorithm exactly and compares: the report's inaccuracy and worst_error. HEDDLE_E_VERIFY if the error
 * exceeds the bound that the result states. Where an exact run is too much work, a note says so. */
heddle_status hd_accuracy_measure(const hd_run *run, heddle_result *result);

#endif
