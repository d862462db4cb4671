/* fake.c - see fake.h. */
#define _GNU_SOURCE
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    uint64_t bytes;
    void *memory;
    bool shown; /* not of the device's own */
} block;

static struct {
    pthread_mutex_t lock;
    fake_setup setup;
    uint64_t calls, used;
    char failed[64], report[256];
    int64_t count[FAKE_KINDS];
    block *blocks;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .setup = {.devices = 1, .memory = UINT64_C(1) << 30}};

static const char *const kind_names[FAKE_KINDS] = {"contexts", "queues",  "buffers", "host buffers", "events",
                                                   "programs", "modules", "kernels", "addresses",    "pages"};

/* ---- For tests -------------------------------------------------------------------------------------------------- */

void fake_begin(const fake_setup *setup) {
    pthread_mutex_lock(&fake.lock);
    fake.setup = *setup;
    fake.calls = 0;
    fake.failed[0] = '\0';
    pthread_mutex_unlock(&fake.lock);
}

uint64_t fake_calls(void) { return fake.calls; }

const char *fake_failed(void) { return fake.failed[0] ? fake.failed : NULL; }

uint64_t fake_left(char *text, size_t size) {
    uint64_t all = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < FAKE_KINDS; i++) {
        if (fake.count[i] && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%lld %s", used ? ", " : "", (long long)fake.count[i],
                                     kind_names[i]);
        all += (uint64_t)(fake.count[i] < 0 ? -fake.count[i] : fake.count[i]);
    }
    return all;
}

static uint64_t number_of(const char *text, const char *name, uint64_t otherwise) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin_from_environment(void) {
    const char *text = getenv("HEDDLE_FAKE"), *report;
    if (!text)
        return;
    fake.setup = (fake_setup){.at = number_of(text, "at=", 0),
                              .error = (int)number_of(text, "error=", 0),
                              .forever = number_of(text, "forever=", 0) != 0,
                              .idle = number_of(text, "idle=", 0) != 0,
                              .cooperative = number_of(text, "cooperative=", 0) != 0,
                              .old = number_of(text, "old=", 0) != 0,
                              .devices = (uint32_t)number_of(text, "devices=", 1),
                              .memory = number_of(text, "memory=", UINT64_C(1) << 30)};
    const char *minus = strstr(text, "error=-"); /* OpenCL's are negative */
    if (minus)
        fake.setup.error = -(int)number_of(minus, "error=-", 0);
    if ((report = strstr(text, "report=")))
        snprintf(fake.report, sizeof fake.report, "%.*s", (int)strcspn(report + 7, " "), report + 7);
}

__attribute__((destructor)) static void report_at_the_end(void) {
    char left[256];
    FILE *file = fake.report[0] ? fopen(fake.report, "w") : NULL;
    if (!file)
        return;
    uint64_t count = fake_left(left, sizeof left);
    fprintf(file, "calls %llu\nfailed %s\nleft %llu %s\n", (unsigned long long)fake.calls, fake.failed,
            (unsigned long long)count, left);
    fclose(file);
}

/* ---- For the libraries ------------------------------------------------------------------------------------------- */

int fake_call(const char *name) {
    pthread_mutex_lock(&fake.lock);
    uint64_t number = ++fake.calls;
    bool fails = fake.setup.at && (number == fake.setup.at || (fake.setup.forever && number > fake.setup.at));
    if (fails && !fake.failed[0])
        snprintf(fake.failed, sizeof fake.failed, "%s", name);
    pthread_mutex_unlock(&fake.lock);
    return fails ? fake.setup.error : 0;
}

uint32_t fake_devices(void) { return fake.setup.devices; }
bool fake_idle(void) { return fake.setup.idle; }
bool fake_cooperative(void) { return fake.setup.cooperative; }
bool fake_old(void) { return fake.setup.old; }
uint64_t fake_memory(void) { return fake.setup.memory; }
uint64_t fake_memory_free(void) { return fake.used < fake.setup.memory ? fake.setup.memory - fake.used : 0; }

static void count(fake_kind kind, int change) {
    pthread_mutex_lock(&fake.lock);
    fake.count[kind] += change;
    pthread_mutex_unlock(&fake.lock);
}

void fake_made(fake_kind kind) { count(kind, 1); }
void fake_gone(fake_kind kind) { count(kind, -1); }

void *fake_allocate(uint64_t bytes) {
    if (bytes > fake_memory_free())
        return NULL;
    block *made = calloc(1, sizeof *made);
    if (made)
        made->memory = calloc(1, bytes ? bytes : 1);
    if (!made || !made->memory) {
        free(made);
        return NULL;
    }
    made->bytes = bytes;
    pthread_mutex_lock(&fake.lock);
    made->next = fake.blocks;
    fake.blocks = made;
    fake.used += bytes;
    fake.count[FAKE_MEMORY]++;
    pthread_mutex_unlock(&fake.lock);
    return made->memory;
}

bool fake_release(void *memory) {
    block *found = NULL;
    pthread_mutex_lock(&fake.lock);
    for (block **at = &fake.blocks; *at; at = &(*at)->next)
        if ((*at)->memory == memory && !(*at)->shown) {
            found = *at;
            *at = found->next;
            fake.used -= found->bytes;
            fake.count[FAKE_MEMORY]--;
            break;
        }
    pthread_mutex_unlock(&fake.lock);
    if (!found)
        return false;
    free(found->memory);
    free(found);
    return true;
}

void fake_show(void *memory, uint64_t bytes) {
    block *made = calloc(1, sizeof *made);
    *made = (block){.bytes = bytes, .memory = memory, .shown = true};
    pthread_mutex_lock(&fake.lock);
    made->next = fake.blocks;
    fake.blocks = made;
    pthread_mutex_unlock(&fake.lock);
}

bool fake_hide(void *memory, uint64_t bytes) {
    block *found = NULL;
    pthread_mutex_lock(&fake.lock);
    for (block **at = &fake.blocks; *at && !found; at = found ? at : &(*at)->next)
        if ((*at)->shown && (*at)->memory == memory && (!bytes || (*at)->bytes == bytes)) {
            found = *at;
            *at = found->next;
        }
    pthread_mutex_unlock(&fake.lock);
    free(found);
    return found != NULL;
}

bool fake_take(uint64_t bytes) {
    pthread_mutex_lock(&fake.lock);
    bool fits = fake.used + bytes <= fake.setup.memory;
    fake.used += fits ? bytes : 0;
    pthread_mutex_unlock(&fake.lock);
    return fits;
}

void fake_give(uint64_t bytes) {
    pthread_mutex_lock(&fake.lock);
    fake.used -= bytes;
    pthread_mutex_unlock(&fake.lock);
}

bool fake_inside(const void *from, uint64_t bytes) {
    const char *place = from;
    bool inside = false;
    pthread_mutex_lock(&fake.lock);
    for (const block *at = fake.blocks; at && !inside; at = at->next) {
        const char *start = at->memory;
        inside = place >= start && place + bytes <= start + at->bytes;
    }
    pthread_mutex_unlock(&fake.lock);
    return inside;
}

const char *fake_find(const char *text, const char *words) { return memmem(text, strlen(text), words, strlen(words)); }

/* The name may stand on a line of its own. */
bool fake_has_kernel(const char *text, const char *name) {
    static const char *const starts[] = {"KERNEL ", "KERNEL_OF(", "KERNEL_DENSE(", "CLUSTER_KERNEL "};
    size_t length = strlen(name);
    for (const char *at = text; (at = fake_find(at, name)); at++) {
        const char *line = at;
        while (line > text && (line[-1] == ' ' || line[-1] == '\n'))
            line--;
        while (line > text && line[-1] != '\n')
            line--;
        for (size_t i = 0; at[length] == '(' && i < sizeof starts / sizeof *starts; i++)
            if (strncmp(line, starts[i], strlen(starts[i])) == 0)
                return true;
    }
    return false;
}
