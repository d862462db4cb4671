/* device_peers.c - see device_peers.h. */
#include "engine/parts/device_peers.h"

#include "base/memory.h"

_Static_assert((int)HD_DEVICES_MOST <= (int)HD_DIRECT_MOST, "a bit for each device");

static bool reaches(const hd_run *run, uint32_t from, uint32_t to) {
    const char *one = run->devices.name[from], *other = run->devices.name[to];
    if (from == to || run->plan.exchange->every || run->plan.peer == HD_NO)
        return false;
    if (run->plan.peer == HD_YES)
        return hd_device_kind_of(one) && hd_device_kind_of(one) == hd_device_kind_of(other);
    return hd_device_reaches(one, other);
}

heddle_status hd_peers_new(const hd_run *run, hd_peer **peers) {
    uint32_t count = run->devices.count;
    HD_TRY(HD_NEW_ZERO(run->ctx, peers, count, "parts"));
    for (uint32_t p = 0; p < count; p++) {
        pthread_mutex_init(&(*peers)[p].lock, NULL);
        for (uint32_t q = 0; q < count; q++)
            (*peers)[p].reaches |= (uint64_t)reaches(run, p, q) << q;
    }
    return HEDDLE_OK;
}

void hd_peers_free(heddle_context *ctx, uint32_t count, hd_peer **peers) {
    for (uint32_t p = 0; *peers && p < count; p++)
        pthread_mutex_destroy(&(*peers)[p].lock);
    HD_DELETE(&ctx->allocator, *peers, count);
}

hd_direct hd_peers_find(const hd_part *part) {
    const hd_peer *peers = part->job->peers;
    const hd_slice *s = part->slice;
    hd_direct direct = {.out = 0};
    for (uint32_t p = 0; peers && part->link && p < s->parts; p++) {
        if (hd_slice_read_by(s, p))
            direct.out |= peers[s->part].reaches & UINT64_C(1) << p;
        if (hd_slice_reads(s, p))
            direct.in |= (peers[p].reaches >> s->part & 1) << p;
    }
    return direct;
}

void hd_peer_publish(hd_peer *peer, hd_device *device, const hd_buffer *places, const hd_buffer *values,
                     const uint64_t *starts) {
    pthread_mutex_lock(&peer->lock);
    peer->places = *places;
    peer->values = *values;
    peer->starts = starts;
    peer->device = device;
    pthread_mutex_unlock(&peer->lock);
}

void hd_peer_withdraw(hd_peer *peer) {
    pthread_mutex_lock(&peer->lock);
    peer->device = NULL;
    pthread_mutex_unlock(&peer->lock);
}

static heddle_status copy(const hd_part *part, const hd_peer *peer, hd_device *device, const hd_buffer *places,
                          const hd_buffer *values, uint64_t at, uint64_t count) {
    size_t size = part->value_size;
    uint64_t to = peer->starts[part->slice->part];
    HD_TRY(device->copy_to(device, places, at * sizeof(uint32_t), peer->device, &peer->places, to * sizeof(uint32_t),
                           count * sizeof(uint32_t)));
    HD_TRY(device->copy_to(device, values, at * size, peer->device, &peer->values, to * size, count * size));
    return device->finish(device);
}

heddle_status hd_peer_copy(const hd_part *part, uint32_t to, hd_device *device, const hd_buffer *places,
                           const hd_buffer *values, uint64_t at, uint64_t count) {
    hd_peer *peer = &part->job->peers[to];
    heddle_status status = HEDDLE_OK;
    pthread_mutex_lock(&peer->lock);
    if (peer->device && count)
        status = copy(part, peer, device, places, values, at, count);
    pthread_mutex_unlock(&peer->lock);
    return status;
}
