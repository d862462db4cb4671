/* link.c - what all links share. */
#include "exchange/link.h"

heddle_status hd_link_drain(hd_link *link, heddle_status status, hd_message_way *ways, uint64_t count) {
    heddle_error error = link->ctx->error;
    if (status != HEDDLE_OK)
        link->fail(link, status);
    for (uint64_t i = 0; i < count; i++) {
        heddle_status waited = link->wait(link, &ways[i]);
        if (status == HEDDLE_OK && waited != HEDDLE_OK) {
            status = waited;
            error = link->ctx->error;
            link->fail(link, status);
        }
    }
    link->ctx->error = error;
    return status;
}
