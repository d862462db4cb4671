/* budget.c - see budget.h. */
#include "device/budget.h"

static uint64_t left_of(const hd_budget *b) { return b->limit > b->used ? b->limit - b->used : 0; }

/* The sizes of parts are whole pages. */
static uint64_t on_device(const hd_buffer *buffer) { return buffer->bytes - buffer->away; }

static void count(hd_budget *b, const hd_buffer *buffer) {
    b->used += on_device(buffer);
    b->away += buffer->away;
    b->peak = b->used > b->peak ? b->used : b->peak;
    b->away_peak = b->away > b->away_peak ? b->away : b->away_peak;
}

heddle_status hd_budget_host(hd_device *d, uint64_t bytes, const char *what, hd_buffer *buffer) {
    double start = hd_clock();
    *buffer = (hd_buffer){.handle = 0};
    HD_TRY(d->allocate_host(d, bytes, what, buffer));
    d->budget.pinning += hd_clock() - start;
    count(&d->budget, buffer);
    return HEDDLE_OK;
}

heddle_status hd_budget_pages(hd_device *d, const hd_page_run *runs, uint32_t count_of, uint64_t bytes,
                              const char *what, hd_buffer *buffer) {
    double start = hd_clock();
    *buffer = (hd_buffer){.handle = 0};
    HD_TRY(d->allocate_pages(d, runs, count_of, bytes, what, buffer));
    d->budget.pinning += hd_clock() - start;
    count(&d->budget, buffer);
    return HEDDLE_OK;
}

static heddle_status refuse(hd_device *d, uint64_t bytes, const char *what) {
    return hd_fail(d->ctx, HEDDLE_E_DEVICE_MEMORY,
                   "%s: %llu bytes wanted for %s, %llu of the memory limit of %llu are free", d->info.name,
                   (unsigned long long)bytes, what, (unsigned long long)left_of(&d->budget),
                   (unsigned long long)d->budget.limit);
}

/* Of the device, if `left` bytes suffice. */
static heddle_status take(hd_device *d, uint64_t bytes, uint64_t left, const char *what, hd_buffer *buffer) {
    hd_budget *b = &d->budget;
    bool spills = b->spills && d->allocate_host;
    *buffer = (hd_buffer){.handle = 0};
    if (bytes > left)
        return spills ? hd_budget_host(d, bytes, what, buffer) : refuse(d, bytes, what);
    heddle_status status = b->allocate(d, bytes, what, buffer);
    if (status == HEDDLE_E_DEVICE_MEMORY && spills) {
        hd_enter(d->ctx);
        return hd_budget_host(d, bytes, what, buffer);
    }
    HD_TRY(status);
    count(b, buffer);
    return HEDDLE_OK;
}

static heddle_status allocate(hd_device *d, uint64_t bytes, const char *what, hd_buffer *buffer) {
    const hd_budget *b = &d->budget;
    uint64_t left = left_of(b);
    if (b->spills && bytes >= b->large)
        left -= b->reserve < left ? b->reserve : left;
    return take(d, bytes, left, what, buffer);
}

heddle_status hd_budget_edges(hd_device *d, uint64_t bytes, const char *what, hd_buffer *buffer) {
    return take(d, bytes, left_of(&d->budget), what, buffer);
}

static void release(hd_device *d, hd_buffer *buffer) {
    if (buffer->handle) {
        d->budget.used -= on_device(buffer);
        d->budget.away -= buffer->away;
    }
    d->budget.release(d, buffer);
}

static heddle_status memory(hd_device *d, uint64_t *free, uint64_t *total) {
    HD_TRY(d->budget.memory(d, free, total));
    uint64_t left = left_of(&d->budget);
    *free = left < *free ? left : *free;
    return HEDDLE_OK;
}

void hd_budget_install(hd_device *d) {
    d->budget = (hd_budget){.limit = UINT64_MAX, .allocate = d->allocate, .release = d->release, .memory = d->memory};
    d->allocate = allocate;
    d->release = release;
    d->memory = memory;
}

void hd_budget_limit(hd_device *d, uint64_t bytes, bool spills) {
    hd_budget *b = &d->budget;
    b->limit = bytes;
    b->spills = spills;
    b->peak = b->used;
    b->away_peak = b->away;
    b->pinning = 0;
    b->large = UINT64_MAX;
    b->reserve = 0;
}
