/* best_pairs.c - see best_pairs.h. */
#include "algorithm/similar/best_pairs.h"

#include "base/memory.h"

enum { FIRST_ROOM = 64 };

static inline void swap(hd_pair *heap, uint64_t a, uint64_t b) {
    hd_pair other = heap[a];
    heap[a] = heap[b];
    heap[b] = other;
}

static void rise(hd_pair *heap, uint64_t at) {
    for (; at && hd_pair_before(&heap[(at - 1) / 2], &heap[at]); at = (at - 1) / 2)
        swap(heap, at, (at - 1) / 2);
}

static void sink(hd_pair *heap, uint64_t count, uint64_t at) {
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && hd_pair_before(&heap[child], &heap[child + 1]);
        if (!hd_pair_before(&heap[at], &heap[child]))
            return;
        swap(heap, at, child);
    }
}

static bool grow(const heddle_allocator *allocator, hd_best_pairs *best) {
    uint64_t room = best->room ? 2 * best->room : FIRST_ROOM;
    room = room < best->most ? room : best->most;
    hd_pair *larger = best->heap ? hd_resize(allocator, best->heap, best->room * sizeof *larger, room * sizeof *larger)
                                 : hd_alloc(allocator, room * sizeof *larger);
    if (!larger)
        return false;
    best->heap = larger;
    best->room = room;
    return true;
}

void hd_best_pairs_add(const heddle_allocator *allocator, hd_best_pairs *best, hd_pair pair) {
    if (best->count < best->most) {
        if (best->count == best->room && !grow(allocator, best)) {
            best->failed = true;
            return;
        }
        best->heap[best->count] = pair;
        rise(best->heap, best->count++);
    } else if (best->most && hd_pair_before(&pair, best->heap)) {
        best->heap[0] = pair;
        sink(best->heap, best->count, 0);
    }
}

void hd_best_pairs_sort(hd_best_pairs *best) {
    for (uint64_t left = best->count; left > 1;) {
        swap(best->heap, 0, --left);
        sink(best->heap, left, 0);
    }
}

void hd_best_pairs_close(const heddle_allocator *allocator, hd_best_pairs *best) {
    HD_DELETE(allocator, best->heap, best->room);
    *best = (hd_best_pairs){.most = best->most};
}
