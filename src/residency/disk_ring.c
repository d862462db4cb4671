/* disk_ring.c - see disk_ring.h. Want k is read into slot k % HD_DISK_SLOTS, once want k - HD_DISK_SLOTS was given
 * back. */
#include "residency/disk_ring.h"

#include "base/memory.h"
#include "residency/disk_uring.h"

static uint64_t memory_bytes(const hd_disk_ring *ring, int part) {
    return ring->room[part] ? hd_disk_room(ring->room[part]) + 2 * HD_DISK_PAGE : 0;
}

static int read_want(const hd_disk_ring *ring, uint64_t index) {
    hd_disk_slot *slot = (hd_disk_slot *)&ring->slots[index % HD_DISK_SLOTS];
    const hd_disk_want *want = &ring->wants[index];
    for (int part = 0; part < HD_DISK_PARTS; part++) {
        slot->at[part] = NULL;
        if (!want->bytes[part])
            continue;
        int error =
            hd_disk_file_read(ring->file, want->offset[part], want->bytes[part], slot->room[part], &slot->at[part]);
        if (error)
            return error;
    }
    return 0;
}

bool hd_disk_ring_wants(const hd_disk_ring *ring) {
    return ring->next < ring->count && ring->next < ring->freed + HD_DISK_SLOTS && !ring->error;
}

bool hd_disk_ring_claim(hd_disk_ring *ring, uint64_t *index) {
    if (!hd_disk_ring_wants(ring))
        return false;
    *index = ring->next++;
    if (ring->busy++ == 0)
        ring->begun = hd_clock();
    return true;
}

void hd_disk_ring_fill(hd_disk_ring *ring, uint64_t index, int error) {
    if (--ring->busy == 0)
        ring->reading += hd_clock() - ring->begun;
    if (error && !ring->error)
        ring->error = error;
    ring->slots[index % HD_DISK_SLOTS].holds = index + 1;
    pthread_cond_broadcast(&ring->filled);
}

static void *read_on(void *self) {
    hd_disk_ring *ring = self;
    uint64_t index;
    pthread_mutex_lock(&ring->lock);
    for (;;) {
        while (!ring->closing && !hd_disk_ring_wants(ring))
            pthread_cond_wait(&ring->wanted, &ring->lock);
        if (ring->closing || !hd_disk_ring_claim(ring, &index))
            break;
        pthread_mutex_unlock(&ring->lock);
        int error = read_want(ring, index);
        pthread_mutex_lock(&ring->lock);
        hd_disk_ring_fill(ring, index, error);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

static heddle_status make_slots(hd_disk_ring *ring) {
    for (int i = 0; i < HD_DISK_SLOTS; i++)
        for (int part = 0; part < HD_DISK_PARTS; part++) {
            hd_disk_slot *slot = &ring->slots[i];
            if (!ring->room[part])
                continue;
            HD_TRY(HD_NEW(ring->ctx, &slot->memory[part], memory_bytes(ring, part), "read buffers"));
            uintptr_t start = (uintptr_t)slot->memory[part];
            uintptr_t page = (start + HD_DISK_PAGE - 1) / HD_DISK_PAGE * HD_DISK_PAGE;
            slot->room[part] = slot->memory[part] + (page - start) + HD_DISK_PAGE;
        }
    return HEDDLE_OK;
}

static bool make_locks(hd_disk_ring *ring) {
    if (pthread_mutex_init(&ring->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&ring->wanted, NULL) != 0) {
        pthread_mutex_destroy(&ring->lock);
        return false;
    }
    if (pthread_cond_init(&ring->filled, NULL) != 0) {
        pthread_cond_destroy(&ring->wanted);
        pthread_mutex_destroy(&ring->lock);
        return false;
    }
    return true;
}

heddle_status hd_disk_ring_open(heddle_context *ctx, const hd_disk_file *file, const uint64_t bytes[HD_DISK_PARTS],
                                hd_disk_ring *ring) {
    *ring = (hd_disk_ring){.ctx = ctx, .file = file};
    for (int part = 0; part < HD_DISK_PARTS; part++)
        ring->room[part] = bytes[part];
    HD_TRY(make_slots(ring));
    ring->locks = make_locks(ring);
    if (!ring->locks)
        return hd_fail(ctx, HEDDLE_E_INTERNAL, "cannot make a lock");
    bool uring = hd_disk_uring_open(ring);
    int most = uring ? 1 : HD_DISK_SLOTS;
    while (ring->thread_count < most &&
           pthread_create(&ring->threads[ring->thread_count], NULL, uring ? hd_disk_uring_read : read_on, ring) == 0)
        ring->thread_count++;
    return HEDDLE_OK;
}

void hd_disk_ring_close(hd_disk_ring *ring) {
    if (!ring->ctx)
        return;
    if (ring->locks) {
        pthread_mutex_lock(&ring->lock);
        ring->closing = true;
        pthread_cond_broadcast(&ring->wanted);
        pthread_mutex_unlock(&ring->lock);
        for (int i = 0; i < ring->thread_count; i++)
            pthread_join(ring->threads[i], NULL);
        hd_disk_uring_close(ring);
        pthread_cond_destroy(&ring->filled);
        pthread_cond_destroy(&ring->wanted);
        pthread_mutex_destroy(&ring->lock);
    }
    for (int i = 0; i < HD_DISK_SLOTS; i++)
        for (int part = 0; part < HD_DISK_PARTS; part++)
            HD_DELETE(&ring->ctx->allocator, ring->slots[i].memory[part], memory_bytes(ring, part));
    *ring = (hd_disk_ring){.ctx = NULL};
}

void hd_disk_ring_begin(hd_disk_ring *ring, const hd_disk_want *wants, uint64_t count) {
    pthread_mutex_lock(&ring->lock);
    ring->wants = wants;
    ring->count = count;
    ring->next = ring->freed = 0;
    ring->error = 0;
    ring->waited = ring->reading = 0;
    for (int i = 0; i < HD_DISK_SLOTS; i++)
        ring->slots[i].holds = 0;
    pthread_cond_broadcast(&ring->wanted);
    pthread_mutex_unlock(&ring->lock);
}

heddle_status hd_disk_ring_take(hd_disk_ring *ring, uint64_t index, hd_disk_slot **slot) {
    *slot = &ring->slots[index % HD_DISK_SLOTS];
    if (!ring->thread_count) {
        double start = hd_clock();
        int error = read_want(ring, index);
        ring->reading += hd_clock() - start;
        ring->waited += hd_clock() - start;
        return error ? hd_disk_file_fail(ring->ctx, ring->file, error) : HEDDLE_OK;
    }
    pthread_mutex_lock(&ring->lock);
    if ((*slot)->holds != index + 1 && !ring->error) {
        double start = hd_clock();
        while ((*slot)->holds != index + 1 && !ring->error)
            pthread_cond_wait(&ring->filled, &ring->lock);
        ring->waited += hd_clock() - start;
    }
    int error = ring->error;
    pthread_mutex_unlock(&ring->lock);
    return error ? hd_disk_file_fail(ring->ctx, ring->file, error) : HEDDLE_OK;
}

void hd_disk_ring_give_back(hd_disk_ring *ring) {
    pthread_mutex_lock(&ring->lock);
    ring->freed++;
    pthread_cond_broadcast(&ring->wanted);
    pthread_mutex_unlock(&ring->lock);
}

void hd_disk_ring_end(hd_disk_ring *ring, double *reading, double *waited) {
    pthread_mutex_lock(&ring->lock);
    ring->count = ring->next; /* nothing more is begun */
    while (ring->busy)
        pthread_cond_wait(&ring->filled, &ring->lock);
    *reading = ring->reading;
    *waited = ring->waited;
    pthread_mutex_unlock(&ring->lock);
}
