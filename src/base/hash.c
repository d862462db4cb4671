/* hash.c - checksums of large arrays in parallel. */
#include "base/hash.h"

#include "base/memory.h"
#include "base/parallel.h"

heddle_status hd_hash_array(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                            uint64_t *hash, bool *sound) {
    uint64_t blocks = hd_hash_blocks(bytes), *hashes;
    bool all_sound = true;
    HD_TRY(HD_NEW(ctx, &hashes, blocks, "block checksums"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 4) reduction(&& : all_sound) if (blocks > 1))
    for (uint64_t k = 0; k < blocks; k++) {
        uint64_t from = k * HD_HASH_BLOCK, to = k + 1 < blocks ? from + HD_HASH_BLOCK : bytes;
        if (hd_advance(ctx, to - from))
            continue;
        hashes[k] = hd_hash_block((const char *)data + from, (size_t)(to - from));
        if (visit)
            all_sound = visit(self, from, to) && all_sound;
    }
    heddle_status status = hd_cancelled_status(ctx);
    if (status == HEDDLE_OK) {
        *hash = hd_hash_join(hashes, bytes);
        *sound = all_sound;
    }
    HD_DELETE(&ctx->allocator, hashes, blocks);
    return status;
}
