/* fake.h - what the libraries that stand in for drivers share: one count of calls, one of which can be made to fail,
 * and a book of everything that was made and not given back.
 *
 * Tests that are linked with it call fake_begin; a command takes the same from the environment:
 *   HEDDLE_FAKE="at=5 error=2 forever=1 devices=2 memory=1000000 idle=1 cooperative=1 old=1 report=FILE"
 * At the end of the process the report's file says what was called, what failed and what was left.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- For tests -------------------------------------------------------------------------------------------------- */

typedef struct fake_setup {
    uint64_t at;      /* the call that fails, counted from 1; 0: none */
    int error;        /* what it returns */
    bool forever;     /* all later ones fail too: the device is gone */
    uint32_t devices; /* how many there are */
    uint64_t memory;  /* bytes on each */
    bool idle;        /* no kernel does anything */
    bool cooperative; /* CUDA: groups can wait for each other, and share much memory */
    bool old;         /* CUDA: no virtual memory management */
} fake_setup;

void fake_begin(const fake_setup *setup);
uint64_t fake_calls(void);
const char *fake_failed(void);               /* the first call that was made to fail, or NULL */
uint64_t fake_left(char *text, size_t size); /* how much was not given back; `text`: of what kinds */

/* ---- For the libraries ------------------------------------------------------------------------------------------- */

typedef enum fake_kind {
    FAKE_CONTEXT,
    FAKE_QUEUE,
    FAKE_MEMORY,
    FAKE_HOST_MEMORY,
    FAKE_EVENT,
    FAKE_PROGRAM,
    FAKE_MODULE,
    FAKE_KERNEL,
    FAKE_ADDRESSES, /* ranges that are reserved */
    FAKE_PAGES,     /* memory to map, by its handle or its mapping */
    FAKE_KINDS
} fake_kind;

int fake_call(const char *name); /* counts; 0, or the error to return */
uint32_t fake_devices(void);
bool fake_idle(void), fake_cooperative(void), fake_old(void);
uint64_t fake_memory(void), fake_memory_free(void);
void fake_made(fake_kind kind), fake_gone(fake_kind kind);

/* Device memory: zeroed, found again by any address inside it. */
void *fake_allocate(uint64_t bytes); /* NULL: there is not so much */
bool fake_release(void *memory);
/* Memory of others that devices may use; `used`: bytes of the device's that it takes. */
void fake_show(void *memory, uint64_t bytes);
bool fake_hide(void *memory, uint64_t bytes); /* false: it was not shown, or not with this size */
bool fake_take(uint64_t bytes);               /* false: there is not so much */
void fake_give(uint64_t bytes);
bool fake_inside(const void *from, uint64_t bytes); /* the whole range lies in one block */

/* Kernels: a "binary" is the source's text. */
/* strstr(), without the count of all bytes, one by one, that AddressSanitizer puts before it. */
const char *fake_find(const char *text, const char *words);
bool fake_has_kernel(const char *text, const char *name);
enum { FAKE_ARGUMENTS = 64 };
/* The sizes of a kernel's arguments, and how many there are; 0: not known. */
uint32_t fake_arguments(const char *text, const char *kernel, uint8_t sizes[FAKE_ARGUMENTS]);
/* Does what matters to the host (kernels.c): a run ends after a few rounds. `arguments` as of cuLaunchKernel. */
void fake_run(const char *text, const char *kernel, const void *const *arguments);

/* The beginning of a call, which may be the one that fails. */
#define ENTER(name)                   \
    do {                              \
        int error_ = fake_call(name); \
        if (error_)                   \
            return error_;            \
    } while (0)
/* What gives something back does so even where it reports an error, as drivers do. */
#define LEAVE(name, kind)             \
    do {                              \
        int error_ = fake_call(name); \
        fake_gone(kind);              \
        return error_;                \
    } while (0)

#endif
