/* lpa_device.c - asynchronous label propagation on a device: labels.cl, colour by colour. */
#include "algorithm/lpa/lpa_device.h"

#include "algorithm/labels/labels_device.h"

heddle_status hd_lpa_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    return hd_labels_device_bytes(r, true, bytes);
}

heddle_status hd_device_lpa(const hd_run *run) {
    const hd_labels_rule rule = {.name = "colours", .coloured = true, .seed = hd_lpa_seed(&run->options)};
    uint64_t changed, colours;
    HD_TRY(hd_device_labels(run, &rule, &changed, &colours));
    if (!run->graph->vertices)
        run->result->report.iterations = 1;
    run->result->report.converged = changed == 0;
    return hd_lpa_finish(run, changed, colours);
}
