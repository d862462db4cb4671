/* test_output.c - files appear whole or not at all. */
#define _GNU_SOURCE
#include "context_case.h"

#include "io/input.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In place of the system's: counts, and fails when told to. */
static int syncs, folder_syncs, sync_error;
static const char *sync_target; /* not there before the file is synced, there before its folder is */

int fsync(int fd) {
    struct stat about;
    assert_int_equal(fstat(fd, &about), 0);
    bool folder = S_ISDIR(about.st_mode);
    *(folder ? &folder_syncs : &syncs) += 1;
    if (sync_target)
        assert_int_equal(access(sync_target, F_OK) == 0, folder);
    if (sync_error) {
        errno = sync_error;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

static hd_output *open_output(const char *path) {
    hd_output *output;
    support_assert_status(ctx, hd_output_open(ctx, path, 0, &output), HEDDLE_OK);
    return output;
}

static void assert_content(const char *path, const char *expected) {
    size_t bytes;
    char *data = support_read_file(path, &bytes);
    assert_string_equal(data, expected);
    free(data);
}

static void appears_at_the_end(void **state) {
    const char *path = support_temp_path("new.txt");
    hd_output *output = open_output(path);
    (void)state;
    hd_output_printf(output, "%d %s\n", 12, "words");
    hd_output_write(output, "more", 4);
    memcpy(hd_output_reserve(output, 100), "\nplace", 6);
    hd_output_advance(output, 6);
    assert_int_equal(hd_output_position(output), 19);
    assert_string_equal(hd_output_name(output), path);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_in_range(support_temp_entries(), 0, 1); /* without a name, or under another one */
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_null(output);
    assert_content(path, "12 words\nmore\nplace");
    assert_int_equal(support_temp_entries(), 1);
    unlink(path);
}

static void exists(const char *path, bool expected) { assert_int_equal(access(path, F_OK) == 0, expected); }

/* A process that is killed leaves its file under the name that others open it by: the next to write the same file
 * removes it; not while its process exists, and nothing that only looks like it. */
static void left_by_a_killed_process(void **state) {
    const char *path = support_temp_path("left.txt"), *other = support_temp_path(".left.txt.backupcopies");
    char left[PATH_MAX];
    int ready[2], status;
    (void)state;
    close(open(other, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        hd_output *output = open_output(path);
        const char *name = hd_output_share(output);
        if (write(ready[1], name, strlen(name) + 1) > 0)
            pause();
        _exit(1);
    }
    assert_true(read(ready[0], left, sizeof left) > 0);
    for (int killed = 0; killed < 2; killed++) {
        if (killed)
            assert_true(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
        exists(left, true);
        hd_output *output = open_output(path);
        exists(left, !killed);
        support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    }
    exists(left, false);
    exists(other, true);
    close(ready[0]);
    close(ready[1]);
    unlink(other);
    unlink(path);
}

static void abandoned_leaves_nothing(void **state) {
    const char *path = support_write_text("kept.txt", "old");
    hd_output *output = open_output(path);
    (void)state;
    hd_output_write(output, "new", 3);
    hd_output_abandon(&output);
    assert_null(output);
    hd_output_abandon(&output);
    assert_content(path, "old");
    assert_int_equal(support_temp_entries(), 1);
    unlink(path);
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void permissions(void **state) {
    const char *path = support_temp_path("mode.txt");
    mode_t old = umask(027);
    hd_output *output = open_output(path);
    (void)state;
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_int_equal(mode_of(path), 0640); /* what any new file gets */
    chmod(path, 0604);
    output = open_output(path);
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_int_equal(mode_of(path), 0604); /* what the old file had */
    umask(old);
    if (geteuid() != 0) {
        chmod(path, 0400);
        assert_int_equal(hd_output_open(ctx, path, 0, &output), HEDDLE_E_WRITE);
        support_assert_message(ctx, "Permission denied");
    }
    unlink(path);
}

static void links_are_followed(void **state) {
    const char *target = support_write_text("target.txt", "old"), *link = support_temp_path("link.txt");
    struct stat info;
    (void)state;
    assert_int_equal(symlink("target.txt", link), 0);
    hd_output *output = open_output(link);
    hd_output_write(output, "new", 3);
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_content(target, "new");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(link);
    unlink(target);
}

static void what_cannot_be_created(void **state) {
    hd_output *output;
    char *longest = malloc(5001);
    (void)state;
    memset(longest, 'x', 5000);
    longest[5000] = '\0';
    assert_int_equal(hd_output_open(ctx, support_temp_path("no/such/folder.txt"), 0, &output), HEDDLE_E_WRITE);
    support_assert_message(ctx, "No such file or directory");
    support_assert_message(ctx, "folder.txt");
    assert_null(output);
    assert_int_equal(hd_output_open(ctx, support_temp_dir(), 0, &output), HEDDLE_E_WRITE);
    support_assert_message(ctx, "is a directory");
    assert_int_equal(hd_output_open(ctx, "", 0, &output), HEDDLE_E_WRITE);
    assert_int_equal(hd_output_open(ctx, support_temp_path("none/"), 0, &output), HEDDLE_E_WRITE);
    assert_int_equal(hd_output_open(ctx, longest, 0, &output), HEDDLE_E_WRITE);
    longest[200] = '\0'; /* a long name leaves room for the temporary one */
    const char *path = support_temp_path(longest);
    output = open_output(path);
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    unlink(path);
    free(longest);
    assert_int_equal(support_temp_entries(), 0);
}

static void devices_are_written_directly(void **state) {
    hd_output *output = open_output("/dev/null");
    (void)state;
    hd_output_write(output, "gone", 4);
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_int_equal(access("/dev/null", F_OK), 0);
    output = open_output("/dev/full");
    for (int i = 0; i < 5; i++) {
        static const char block[HD_OUTPUT_ROOM];
        hd_output_write(output, block, sizeof block);
    }
    assert_true(hd_output_failed(output));
    assert_int_equal(hd_output_close(&output), HEDDLE_E_WRITE);
    support_assert_message(ctx, "/dev/full");
    support_assert_message(ctx, "No space left");
}

/* A limit on the file size stands for a full disk: writes fail, and an existing file must survive that. */
static void full_disk(void **state) {
    const char *const names[] = {"full.txt", "full.gz", "full.zst"};
    struct rlimit old, small = {.rlim_cur = 100000};
    (void)state;
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        hd_output *output;
        const char *path = support_write_text(names[i], "old");
        if (hd_output_open(ctx, path, 0, &output) == HEDDLE_E_UNSUPPORTED) {
            unlink(path);
            continue;
        }
        setrlimit(RLIMIT_FSIZE, &small);
        for (uint32_t k = 0; k < 1000000; k++) {
            uint32_t noise = k * UINT32_C(2654435761);
            noise ^= noise >> 15;
            hd_output_write(output, &noise, sizeof noise);
        }
        heddle_status status = hd_output_close(&output);
        setrlimit(RLIMIT_FSIZE, &old);
        support_assert_status(ctx, status, HEDDLE_E_WRITE);
        support_assert_message(ctx, "File too large");
        assert_content(path, "old");
        assert_int_equal(support_temp_entries(), 1);
        unlink(path);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void on_disk_before_its_name(void **state) {
    const char *path = support_temp_path("synced.txt");
    (void)state;
    hd_output *output = open_output(path);
    hd_output_write(output, "new", 3);
    syncs = folder_syncs = 0;
    sync_target = path;
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    sync_target = NULL;
    assert_int_equal(syncs, 1);
    assert_int_equal(folder_syncs, 1);
    assert_content(path, "new");
    static const int failures[] = {ENOSPC, EIO, EDQUOT};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        output = open_output(path);
        hd_output_write(output, "lost", 4);
        sync_error = failures[i];
        support_assert_status(ctx, hd_output_close(&output), HEDDLE_E_WRITE);
        sync_error = 0;
        support_assert_message(ctx, strerror(failures[i]));
        assert_content(path, "new");
        assert_int_equal(support_temp_entries(), 1);
    }
    output = open_output(path);
    sync_error = EINVAL; /* a file system that cannot */
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    sync_error = 0;
    syncs = 0;
    output = open_output("/dev/null");
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    assert_int_equal(syncs, 0); /* nothing there to wait for */
    unlink(path);
}

static void closed_pipe(void **state) {
    int ends[2], kept = dup(1);
    hd_output *output;
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    heddle_status opened = hd_output_open(ctx, "-", 0, &output);
    hd_output_write(output, "x", 1);
    heddle_status status = hd_output_close(&output);
    dup2(kept, 1);
    close(kept);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(opened, HEDDLE_OK);
    support_assert_status(ctx, status, HEDDLE_E_WRITE);
    support_assert_message(ctx, "<stdout>");
    support_assert_message(ctx, "Broken pipe");
}

/* Pieces of all sizes, around that of the buffer too, come out in order. */
static void pieces_of_all_sizes(void **state) {
    static const size_t sizes[] = {1,       7, 100,    HD_OUTPUT_ROOM - 1, HD_OUTPUT_ROOM, HD_OUTPUT_ROOM + 1,
                                   3 << 20, 5, 1 << 16};
    const char *const names[] = {"sizes.bin", "sizes.gz", "sizes.zst"};
    size_t most = 3 << 20;
    uint32_t *data = malloc(most);
    (void)state;
    for (uint32_t i = 0; i < most / 4; i++)
        data[i] = i * i;
    for (int n = 0; n < 3; n++) {
        hd_output *output;
        hd_input input;
        size_t at = 0;
        const char *path = support_temp_path(names[n]);
        if (hd_output_open(ctx, path, n ? 1 : 0, &output) == HEDDLE_E_UNSUPPORTED)
            continue;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            hd_output_write(output, data, sizes[i]);
            if (i % 2)
                hd_output_printf(output, "%0*d", 1000, 7);
        }
        support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
        support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_OK);
        assert_int_equal(input.compressed, n > 0);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            assert_true(input.bytes >= at + sizes[i]);
            assert_memory_equal(input.data + at, data, sizes[i]);
            at += sizes[i] + (i % 2 ? 1000 : 0);
        }
        assert_int_equal(at, input.bytes);
        hd_input_close(ctx, &input);
        unlink(path);
    }
    free(data);
}

static void cancelled(void **state) {
    const char *const names[] = {"cancelled", "cancelled.gz", "cancelled.zst"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        hd_output *output;
        if (hd_output_open(ctx, support_temp_path(names[i]), 0, &output) == HEDDLE_E_UNSUPPORTED)
            continue;
        hd_output_write(output, "x", 1);
        support_cancel(ctx);
        heddle_status status = hd_output_close(&output);
        support_uncancel(ctx);
        assert_int_equal(status, HEDDLE_E_CANCELLED);
        assert_int_equal(support_temp_entries(), 0);
    }
}

static void wrong_levels(void **state) {
    hd_output *output;
    (void)state;
    heddle_status status = hd_output_open(ctx, support_temp_path("level.gz"), 77, &output);
    assert_true(status == HEDDLE_E_ARGUMENT || status == HEDDLE_E_UNSUPPORTED);
    status = hd_output_open(ctx, support_temp_path("level.zst"), -5, &output);
    assert_true(status == HEDDLE_E_ARGUMENT || status == HEDDLE_E_UNSUPPORTED);
    assert_int_equal(support_temp_entries(), 0);
}

static heddle_status write_and_close(heddle_context *failing, void *path) {
    static const char block[4 << 20];
    hd_output *output;
    HD_TRY(hd_output_open(failing, path, 0, &output));
    hd_output_write(output, block, sizeof block);
    hd_output_printf(output, "%d", 5);
    return hd_output_close(&output);
}

static void memory_fails(void **state) {
    const char *const names[] = {"memory", "memory.gz", "memory.zst"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        hd_output *output;
        if (hd_output_open(ctx, support_temp_path(names[i]), 0, &output) == HEDDLE_E_UNSUPPORTED)
            continue;
        hd_output_abandon(&output);
        support_try_every_failure(write_and_close, (void *)(uintptr_t)support_temp_path(names[i]));
        assert_int_equal(support_temp_entries(), 1);
        unlink(support_temp_path(names[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appears_at_the_end),
        cmocka_unit_test(abandoned_leaves_nothing),
        cmocka_unit_test(left_by_a_killed_process),
        cmocka_unit_test(permissions),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_cannot_be_created),
        cmocka_unit_test(devices_are_written_directly),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(on_disk_before_its_name),
        cmocka_unit_test(closed_pipe),
        cmocka_unit_test(pieces_of_all_sizes),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(wrong_levels),
        cmocka_unit_test(memory_fails),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
