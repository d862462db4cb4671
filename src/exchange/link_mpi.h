/* link_mpi.h - the link between ranks: processes, perhaps on several machines, that a launcher started together. */
#ifndef HD_EXCHANGE_LINK_MPI_H
#define HD_EXCHANGE_LINK_MPI_H

#include "exchange/link.h"
#include "exchange/mpi/module.h"

/* Opens the MPI module and joins the other ranks; they all have to. The link is `ctx`'s until hd_link_mpi_close.
 * HEDDLE_E_REFUSED the second time in a process, HEDDLE_E_UNSUPPORTED without the module, HEDDLE_E_DEVICE when MPI does
 * not start. */
heddle_status hd_link_mpi_open(heddle_context *ctx, hd_link **link);
/* The same over a table that is there already (for tests). */
heddle_status hd_link_mpi_over(heddle_context *ctx, const hd_mpi *mpi, hd_link **link);
/* Name and version of the MPI library. */
const char *hd_link_mpi_library(const hd_link *link);
/* Collective, of all ranks: from here on the link of those ranks, in ascending order, is one between them alone, on
 * which this one has that number among those of its machine. That of the others stays as it was. */
heddle_status hd_link_mpi_group(hd_link *link, const uint32_t *ranks, uint32_t count, uint32_t local);
/* Collective, of these: the link is one of all ranks again. */
void hd_link_mpi_ungroup(hd_link *link);
/* Whether this rank takes next to no CPU while it waits. */
void hd_link_mpi_sleep(hd_link *link, bool asleep);
/* Leaves the others. After a failure it waits, for a few seconds at most, until they leave, too: a launcher ends the
 * other processes as soon as one has ended badly, and then the message would be lost. */
void hd_link_mpi_close(hd_link **link);

#endif
