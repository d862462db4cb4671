/* disk_ring.h - reads a list of parts of a file ahead of the one who uses them, into a bounded ring of buffers.
 *
 * The caller takes the parts in the order of the list and gives each back before the next. One thread reads by io_uring
 * (disk_uring.h); where that is not to be had, a few threads read, a part each: direct reads keep a thread waiting, so
 * several of them are what keeps the disk busy.
 */
#ifndef HD_RESIDENCY_DISK_RING_H
#define HD_RESIDENCY_DISK_RING_H

#include "residency/disk_file.h"

#ifdef HD_HAVE_URING
#include <liburing.h>
#endif

enum { HD_DISK_SLOTS = 4, HD_DISK_PARTS = 2 };

/* Parts that go together, such as the targets and the weights of a span. */
typedef struct hd_disk_want {
    uint64_t offset[HD_DISK_PARTS], bytes[HD_DISK_PARTS]; /* bytes 0: nothing */
} hd_disk_want;

typedef struct hd_disk_slot {
    char *memory[HD_DISK_PARTS]; /* allocated */
    char *room[HD_DISK_PARTS];   /* at a page, with a page before it that belongs to it */
    char *at[HD_DISK_PARTS];     /* where the part that was read begins */
    uint64_t holds;              /* 1 + the number of the want; 0: none */
    uint64_t index;              /* io_uring only: the want that is read, what of it is under way, its error */
    int parts_left, error;
} hd_disk_slot;

typedef struct hd_disk_ring {
    heddle_context *ctx;
    const hd_disk_file *file;
    uint64_t room[HD_DISK_PARTS]; /* bytes that a slot can take of each part */
    hd_disk_slot slots[HD_DISK_SLOTS];
    pthread_t threads[HD_DISK_SLOTS];
    int thread_count; /* 0: none could be started, the caller reads */
#ifdef HD_HAVE_URING
    struct io_uring uring;
    bool has_uring;
#endif
    bool locks; /* the three below exist */
    pthread_mutex_t lock;
    pthread_cond_t wanted, filled;
    /* Guarded by the lock. */
    const hd_disk_want *wants;
    uint64_t count;
    uint64_t next;  /* to be read */
    uint64_t freed; /* given back */
    uint64_t busy;  /* threads that are reading */
    int error;      /* of the first read that failed; 0: none */
    bool closing;
    double waited;         /* seconds in which the caller had to wait */
    double begun, reading; /* when a thread began to read; seconds in which any did */
} hd_disk_ring;

/* `file` must outlive the ring. Each part of a want has at most so many bytes. Closed also where this fails. */
heddle_status hd_disk_ring_open(heddle_context *ctx, const hd_disk_file *file, const uint64_t bytes[HD_DISK_PARTS],
                                hd_disk_ring *ring);
void hd_disk_ring_close(hd_disk_ring *ring);

/* Starts to read the wants, which must stay until the end. */
void hd_disk_ring_begin(hd_disk_ring *ring, const hd_disk_want *wants, uint64_t count);
/* Waits for the `index`-th want; they are taken in order. *slot is valid until it is given back. */
heddle_status hd_disk_ring_take(hd_disk_ring *ring, uint64_t index, hd_disk_slot **slot);
void hd_disk_ring_give_back(hd_disk_ring *ring);
/* After the last read, also in the middle of the list. Gives the seconds in which threads read, and in which the
 * caller waited for that. */
void hd_disk_ring_end(hd_disk_ring *ring, double *reading, double *waited);

/* For those who read, with the lock held: whether there is something to read; the next want; a want that was read. */
bool hd_disk_ring_wants(const hd_disk_ring *ring);
bool hd_disk_ring_claim(hd_disk_ring *ring, uint64_t *index);
void hd_disk_ring_fill(hd_disk_ring *ring, uint64_t index, int error);

#endif
