/* device.h - the interface to devices with their own memory: one small table of functions.
 *
 * A device kind (cuda, opencl) is one file that fills hd_device_kind; the registry in registry.c lists them. Nothing
 * here is linked: a kind opens its driver's library at run time, and a missing one is a line in `heddle devices`.
 *
 * Threading: a kind's `discover` may be called from any thread. An hd_device belongs to one context and is used by one
 * thread at a time; two contexts may open the same device.
 * Errors: functions return heddle_status and fill the context's record with the driver's call, the device, and for
 * memory the bytes wanted and free. After a failed call the device may still be closed, and nothing leaks.
 */
#ifndef HD_DEVICE_DEVICE_H
#define HD_DEVICE_DEVICE_H

#include "base/context.h"

enum { HD_DEVICE_VERSION = 1 };

typedef struct hd_device hd_device;

/* Properties of a device that are known before it is opened. */
typedef struct hd_device_info {
    char name[128];
    char driver[96];      /* driver and its version */
    char compiler[96];    /* "NVRTC 13.0", "OpenCL C 1.2" */
    uint64_t memory;      /* bytes, total */
    uint64_t memory_free; /* bytes, or 0 if the driver does not report it */
    uint32_t units;       /* multiprocessors, compute units */
    uint32_t warp;        /* lanes that run in lockstep: collectives work on this many */
    uint32_t group_most;  /* lanes in a group, at most */
    uint64_t local_bytes; /* memory shared by a group */
    uint64_t local_most;  /* the same with hd_launch.local_bytes; 0: not supported */
    uint64_t cache_bytes; /* last-level cache */
    bool accelerator;     /* a real one: --device auto never picks an OpenCL device of type CPU */
    bool atomics64;       /* 64-bit integer atomics */
    bool doubles;
    bool grid_barrier; /* cooperative launches: all groups are resident and can wait for each other */
} hd_device_info;

/* Memory on the device. Opaque: `handle` is passed to kernels. */
typedef struct hd_buffer {
    uint64_t handle; /* CUdeviceptr or cl_mem */
    uint64_t bytes;
    uint64_t away;          /* of these, in the host's memory, which kernels use in place */
    struct hd_pages *pages; /* the device's own record of a buffer that is not plain device memory; else NULL */
} hd_buffer;

/* A part of a buffer, of whole pages, in the device's memory or the host's. */
typedef struct hd_page_run {
    uint64_t bytes;
    bool host;
} hd_page_run;

/* One argument of a kernel: a buffer's handle, or a plain number. */
typedef struct hd_argument {
    const void *value;
    size_t size;
} hd_argument;

#define HD_ARGUMENT_BUFFER(buffer) \
    { &(buffer).handle, sizeof(uint64_t) }
#define HD_ARGUMENT_VALUE(variable) \
    { &(variable), sizeof(variable) }

enum { HD_MOST_ARGUMENTS = 64 /* of a launch */ };

typedef struct hd_launch {
    uint32_t groups, lanes; /* grid and group size, in one dimension */
    uint32_t local_bytes;   /* shared memory beyond what the kernel declares */
    bool resident;          /* all groups must run at once (only where grid_barrier) */
    bool cached;            /* few groups: memory that they do not share is to be cache */
    const hd_argument *arguments;
    uint32_t argument_count;
    const char *name; /* of the kernel, for errors */
} hd_launch;

/* Blocks of pinned memory that large copies go through (stage.h). */
enum { HD_STAGES = 4, HD_MARKS_TIME = 4, HD_MARKS = HD_MARKS_TIME + HD_STAGES };
typedef struct hd_stages {
    void *block[HD_STAGES];
    bool busy[HD_STAGES];     /* a copy may be in progress: the block's mark says when it is over */
    uint64_t from[HD_STAGES]; /* downloads: destination offset of the block's content */
    uint32_t count, current;
    bool refused; /* no more memory could be pinned */
} hd_stages;

/* Queues that a device may have beside its own, and events that queues and host can wait for. */
enum { HD_QUEUES = 64, HD_EVENTS = 1024 };

/* Uses of the device's memory (budget.h). */
typedef struct hd_budget {
    uint64_t limit, used;     /* bytes on the device */
    uint64_t away;            /* bytes in the host's memory that kernels use */
    uint64_t peak, away_peak; /* the most of both since the limit was set */
    bool spills;
    uint64_t large, reserve; /* a buffer of `large` bytes spills before it takes what is reserved for smaller ones */
    double pinning;          /* seconds that it took to get the host's memory, since then */
    heddle_status (*allocate)(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer);
    void (*release)(hd_device *device, hd_buffer *buffer);
    heddle_status (*memory)(hd_device *device, uint64_t *free, uint64_t *total);
} hd_budget;

/* All functions of an open device. Slots marked (optional) may be NULL. Work goes to one in-order queue per device;
 * `finish` waits for it. After `upload` the host's memory may be reused; a download is complete after `finish`. */
struct hd_device {
    const struct hd_device_kind *kind;
    hd_device_info info;
    heddle_context *ctx;
    void (*close)(hd_device *device);
    heddle_status (*memory)(hd_device *device, uint64_t *free, uint64_t *total);
    /* HEDDLE_E_DEVICE_MEMORY if there is not enough memory; `what` names the use. */
    heddle_status (*allocate)(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer);
    void (*release)(hd_device *device, hd_buffer *buffer); /* NULL handle: nothing */
    /* (optional) The same in pinned memory of the host, which kernels use in place. */
    heddle_status (*allocate_host)(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer);
    /* (optional) The size of a page of the buffers below; 0: this driver cannot make any. */
    uint64_t (*page_bytes)(hd_device *device);
    /* (optional) One range of addresses for `bytes` bytes whose parts lie here and there. All but the last are whole
     * pages; the last is rounded up. */
    heddle_status (*allocate_pages)(hd_device *device, const hd_page_run *runs, uint32_t count, uint64_t bytes,
                                    const char *what, hd_buffer *buffer);
    void *(*pin)(hd_device *device, uint64_t bytes); /* (optional) host memory for fast copies; NULL: none left */
    void (*unpin)(hd_device *device, void *memory);  /* (optional) with pin */
    /* (optional) A buffer over memory of the host, pinned if the device pins any, which kernels read in place. It is
     * not released but unmapped, before the memory is given back. */
    heddle_status (*map)(hd_device *device, void *memory, uint64_t bytes, hd_buffer *buffer);
    void (*unmap)(hd_device *device, hd_buffer *buffer); /* (optional) with map; NULL handle: nothing */
    heddle_status (*upload)(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes);
    heddle_status (*download)(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes);
    /* (optional) the same between the device and pinned memory, asynchronously: a mark says when it is over. Without
     * `pin` any memory will do. */
    heddle_status (*send)(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes);
    heddle_status (*receive)(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes);
    heddle_status (*fill)(hd_device *device, const hd_buffer *buffer, uint64_t offset, uint32_t word, uint64_t bytes);
    /* (optional) A copy to a buffer of another open device of this kind, which may be the same one, opened by another
     * context; `finish` of this device waits for it. Meanwhile the other is not closed, nor its buffer released. */
    heddle_status (*copy_to)(hd_device *device, const hd_buffer *from, uint64_t offset, hd_device *peer,
                             const hd_buffer *to, uint64_t at, uint64_t bytes);
    /* Compiles source to a binary for `load` that can be stored in a file; freed with base/memory.h. A program that
     * does not compile: HEDDLE_E_PROGRAM with the compiler's message. */
    heddle_status (*compile)(hd_device *device, const char *name, const char *source, const char *options,
                             void **binary, size_t *bytes);
    heddle_status (*load)(hd_device *device, const void *binary, size_t bytes, void **module);
    void (*unload)(hd_device *device, void *module);
    heddle_status (*kernel)(hd_device *device, void *module, const char *name, void **kernel);
    heddle_status (*launch)(hd_device *device, void *kernel, const hd_launch *launch);
    /* The most groups of `lanes` lanes that can be resident at once. (optional: without grid_barrier) */
    uint32_t (*resident_groups)(hd_device *device, void *kernel, uint32_t lanes, uint32_t local_bytes);
    heddle_status (*finish)(hd_device *device);
    /* Times between marks on the queue, in seconds. (optional) */
    heddle_status (*mark)(hd_device *device, int slot); /* slot 0 .. 3; those from HD_MARKS_TIME on are stage.h's */
    heddle_status (*wait)(hd_device *device, int slot); /* (optional) until the queue has reached the mark */
    heddle_status (*between)(hd_device *device, int from, int to, double *seconds);
    /* More in-order queues, so that copies overlap kernels. (optional: all five, with `send`, or none)
     * `queues` makes queues 1 .. count (at most HD_QUEUES), which stay until the device is closed. `select` chooses the
     * queue that launch, send, receive, fill and finish use from then on; 0 is the device's own, and a caller that
     * selects another one selects 0 again. `post` puts an event (0 .. HD_EVENTS - 1) behind the work of the selected
     * queue, `await` lets the selected queue wait for it, `elapsed` gives the seconds between two events that `finish`
     * has seen pass. */
    heddle_status (*queues)(hd_device *device, uint32_t count);
    void (*select)(hd_device *device, uint32_t queue);
    heddle_status (*post)(hd_device *device, uint32_t event);
    heddle_status (*await)(hd_device *device, uint32_t event);
    heddle_status (*elapsed)(hd_device *device, uint32_t from, uint32_t to, double *seconds);
    hd_stages stages;
    hd_budget budget;
    bool fresh;  /* the module loaded next was just compiled */
    double bus;  /* bytes per second from pinned memory, measured once (bus.h); 0: not yet */
    double late; /* seconds of compiling that the driver deferred to the launch of such kernels; for the report */
    void *self;
};

/* A kind of device. */
typedef struct hd_device_kind {
    int version;      /* HD_DEVICE_VERSION */
    const char *name; /* "cuda", "opencl" */
    /* The number of devices; 0 with the reason ("libcuda.so.1 not found") in `missing`. Never fails. */
    uint32_t (*discover)(char *missing, size_t size);
    /* (optional) False if it is certain, before a driver is opened, that no device is an accelerator. */
    bool (*accelerates)(void);
    heddle_status (*describe)(heddle_context *ctx, uint32_t index, hd_device_info *info);
    heddle_status (*open)(heddle_context *ctx, uint32_t index, hd_device **device);
    /* Part of every cache key: everything besides the source that affects the compiled code. */
    void (*identity)(const hd_device *device, char *text, size_t size);
    /* (optional) Whether copy_to between these devices does not pass through the host. */
    bool (*reaches)(uint32_t from, uint32_t to);
    const char *prelude;       /* kernel text that defines the macros used by src/schedule/ (prelude_NAME) */
    const char *suffix;        /* of a file that holds a kernel's source: "cu" */
    const char *options;       /* for the compiler, */
    const char *debug_options; /* and for kernels to be debugged */
    /* Groups hold several warps of a fixed width, whose lanes exchange registers. Otherwise a group is one warp, of any
     * width, and its lanes exchange values through shared memory. */
    bool warps;
    bool reads_host;    /* kernels can read the host's pinned memory under its own address */
    bool maps_host;     /* buffers can lie in the host's memory (allocate_host) */
    bool static_shared; /* kernels declare all of their shared memory: a launch cannot add any */
} hd_device_kind;

const hd_device_kind *hd_device_kind_at(size_t index); /* NULL past the last */
static inline bool hd_device_may_accelerate(const hd_device_kind *kind) {
    return !kind->accelerates || kind->accelerates();
}
/* Whether a name is that of the host itself, which has no kind. */
bool hd_device_is_cpu(const char *name);
/* The kind that "cuda" or "cuda:1" names; NULL for NULL, "auto", "cpu" and everything else. */
const hd_device_kind *hd_device_kind_of(const char *name);

/* The devices of a run, by their full names: "cpu", "cuda:0". One that is named twice is two logical devices. */
enum { HD_DEVICES_MOST = 64 };
typedef struct hd_device_list {
    uint32_t count;
    char name[HD_DEVICES_MOST][24];
} hd_device_list;
/* Reads "cuda", "cuda:0,1", "opencl:0,cpu", "cpu,cpu"; false for anything else, "auto" too. */
bool hd_device_list_read(const char *text, hd_device_list *list);
/* HEDDLE_E_ARGUMENT, with the valid names. */
heddle_status hd_device_unknown(heddle_context *ctx, const char *name);
/* Opens "cuda", "cuda:1", "opencl:0"; HEDDLE_E_DEVICE, with what is missing, if there is none; HEDDLE_E_ARGUMENT for an
 * invalid name. */
heddle_status hd_device_open(heddle_context *ctx, const char *name, hd_device **device);
/* How many there are of a kind; HEDDLE_E_DEVICE, with what is missing, if there is none. */
heddle_status hd_device_count(heddle_context *ctx, const hd_device_kind *kind, uint32_t *count);
/* The name with its index: "cuda" is "cuda:0". */
void hd_device_full_name(const char *name, char *full, size_t size);
/* Whether device `from` copies to the memory of `to` without the host, by their full names. */
bool hd_device_reaches(const char *from, const char *to);
/* Its properties, without opening it. */
heddle_status hd_device_look(heddle_context *ctx, const char *name, hd_device_info *info);

#endif
