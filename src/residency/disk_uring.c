/* disk_uring.c - see disk_uring.h. A part that comes back short or with an error is read again plainly: so errors, the
 * end of the file and file systems without direct reads are treated in one place, disk_file.c. */
#include "residency/disk_uring.h"

#ifdef HD_HAVE_URING

#include <errno.h>

bool hd_disk_uring_open(hd_disk_ring *ring) {
    ring->has_uring =
        ring->file->direct >= 0 && io_uring_queue_init(HD_DISK_SLOTS * HD_DISK_PARTS, &ring->uring, 0) == 0;
    return ring->has_uring;
}

void hd_disk_uring_close(hd_disk_ring *ring) {
    if (ring->has_uring)
        io_uring_queue_exit(&ring->uring);
    ring->has_uring = false;
}

static uint64_t head_of(const hd_disk_want *want, int part) { return want->offset[part] % HD_DISK_PAGE; }

/* Whole pages around the part. */
static uint64_t span_of(const hd_disk_want *want, int part) {
    uint64_t bytes = head_of(want, part) + want->bytes[part];
    return (bytes + HD_DISK_PAGE - 1) / HD_DISK_PAGE * HD_DISK_PAGE;
}

static int read_plainly(const hd_disk_ring *ring, uint64_t index, int part) {
    hd_disk_slot *slot = (hd_disk_slot *)&ring->slots[index % HD_DISK_SLOTS];
    const hd_disk_want *want = &ring->wants[index];
    return hd_disk_file_read(ring->file, want->offset[part], want->bytes[part], slot->room[part], &slot->at[part]);
}

/* Queues the parts of a want. */
static void start(hd_disk_ring *ring, uint64_t index) {
    hd_disk_slot *slot = &ring->slots[index % HD_DISK_SLOTS];
    const hd_disk_want *want = &ring->wants[index];
    slot->index = index;
    slot->error = 0;
    slot->parts_left = 0;
    for (int part = 0; part < HD_DISK_PARTS; part++) {
        slot->at[part] = want->bytes[part] ? slot->room[part] + head_of(want, part) : NULL;
        if (!want->bytes[part])
            continue;
        struct io_uring_sqe *entry = io_uring_get_sqe(&ring->uring); /* there are as many as parts of all slots */
        io_uring_prep_read(entry, ring->file->direct, slot->room[part], (unsigned)span_of(want, part),
                           want->offset[part] - head_of(want, part));
        io_uring_sqe_set_data64(entry, index % HD_DISK_SLOTS * HD_DISK_PARTS + (uint64_t)part);
        slot->parts_left++;
    }
}

/* One part is there. True: so is the whole want. */
static bool take(hd_disk_ring *ring, uint64_t data, int got) {
    hd_disk_slot *slot = &ring->slots[data / HD_DISK_PARTS];
    int part = (int)(data % HD_DISK_PARTS);
    const hd_disk_want *want = &ring->wants[slot->index];
    if (got < 0 || (uint64_t)got < head_of(want, part) + want->bytes[part]) {
        int error = read_plainly(ring, slot->index, part);
        slot->error = slot->error ? slot->error : error;
    }
    return --slot->parts_left == 0;
}

/* Waits for one part, at least; wants that are complete are listed. Negative: the ring is of no use any more. */
static int collect(hd_disk_ring *ring, hd_disk_slot **complete) {
    struct io_uring_cqe *entry;
    int count = 0, result;
    do
        result = io_uring_submit_and_wait(&ring->uring, 1);
    while (result == -EINTR);
    while (io_uring_peek_cqe(&ring->uring, &entry) == 0) {
        uint64_t data = io_uring_cqe_get_data64(entry);
        int got = entry->res;
        io_uring_cqe_seen(&ring->uring, entry);
        if (take(ring, data, got))
            complete[count++] = &ring->slots[data / HD_DISK_PARTS];
        result = 0;
    }
    return result >= 0 || result == -EAGAIN || result == -EBUSY ? count : result;
}

/* Requests under way will not complete any more. */
static void give_up(hd_disk_ring *ring, int error) {
    for (int i = 0; i < HD_DISK_SLOTS; i++)
        if (ring->slots[i].parts_left) {
            ring->slots[i].parts_left = 0;
            hd_disk_ring_fill(ring, ring->slots[i].index, error);
        }
}

void *hd_disk_uring_read(void *self) {
    hd_disk_ring *ring = self;
    hd_disk_slot *complete[HD_DISK_SLOTS];
    uint64_t index;
    int broken = 0; /* the error after which nothing is queued any more */
    pthread_mutex_lock(&ring->lock);
    for (;;) {
        while (!ring->closing && !ring->busy && !hd_disk_ring_wants(ring))
            pthread_cond_wait(&ring->wanted, &ring->lock);
        if (ring->closing && !ring->busy)
            break;
        while (!ring->closing && !broken && hd_disk_ring_claim(ring, &index))
            start(ring, index);
        if (broken && hd_disk_ring_claim(ring, &index))
            hd_disk_ring_fill(ring, index, broken);
        if (broken)
            continue;
        pthread_mutex_unlock(&ring->lock);
        int count = collect(ring, complete);
        pthread_mutex_lock(&ring->lock);
        for (int i = 0; i < count; i++)
            hd_disk_ring_fill(ring, complete[i]->index, complete[i]->error);
        if (count < 0) {
            broken = -count;
            give_up(ring, broken);
        }
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

#else

bool hd_disk_uring_open(hd_disk_ring *ring) {
    (void)ring;
    return false;
}

void hd_disk_uring_close(hd_disk_ring *ring) { (void)ring; }

void *hd_disk_uring_read(void *ring) {
    (void)ring;
    return NULL;
}

#endif
