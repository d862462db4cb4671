/* test_spill.c - temporary files without a name: where they are created, what is written and read, what fails and how
 * it is said. */
#include "base/spill.h"

#include "support.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>

static void written_and_read(void **state) {
    (void)state;
    static const char text[] = "spilled";
    char back[sizeof text];
    void *mapped;
    heddle_context *ctx = support_context(1);
    const char *folder = support_temp_dir();
    uint64_t entries = support_temp_entries();
    hd_spill file;
    support_assert_status(ctx, hd_spill_open(ctx, folder, &file), HEDDLE_OK);
    assert_int_equal(support_temp_entries(), entries); /* it has no name */
    assert_int_equal(hd_spill_write(&file, text, sizeof text, 5000), 0);
    assert_int_equal(hd_spill_read(&file, back, sizeof back, 5000), 0);
    assert_memory_equal(back, text, sizeof text);
    assert_int_equal(hd_spill_read(&file, back, sizeof back, 5001), EIO); /* past the end */
    support_assert_status(ctx, hd_spill_map(ctx, &file, 6000, &mapped), HEDDLE_OK);
    assert_memory_equal((char *)mapped + 5000, text, sizeof text);
    assert_int_equal(((char *)mapped)[5999], 0);
    munmap(mapped, 6000);
    support_assert_status(ctx, hd_spill_map(ctx, &file, UINT64_MAX / 2 + 1, &mapped), HEDDLE_E_WRITE);
    assert_null(mapped);
    support_assert_status(ctx, hd_spill_map(ctx, &file, INT64_MAX, &mapped), HEDDLE_E_WRITE);
    support_assert_message(ctx, "cannot extend a temporary file in this folder");
    assert_null(mapped);
    hd_spill_close(&file);
    hd_spill_close(&file);
    assert_int_equal(file.fd, -1);
    heddle_context_destroy(&ctx);
}

/* "": where TMPDIR says, or /var/tmp. */
static void folders(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    const char *missing = support_temp_path("no such folder");
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL, *far = malloc(PATH_MAX + 2);
    hd_spill file;
    assert_non_null(far);
    memset(far, 'x', PATH_MAX + 1);
    far[PATH_MAX + 1] = '\0';
    support_assert_status(ctx, hd_spill_open(ctx, missing, &file), HEDDLE_E_WRITE);
    support_assert_message(ctx, "cannot create a temporary file in this folder: No such file or directory");
    assert_int_equal(file.fd, -1);
    support_assert_status(ctx, hd_spill_open(ctx, far, &file), HEDDLE_E_WRITE);
    support_assert_message(ctx, "File name too long");
    setenv("TMPDIR", missing, 1);
    support_assert_status(ctx, hd_spill_open(ctx, "", &file), HEDDLE_E_WRITE);
    support_assert_message(ctx, missing);
    for (int unset = 0; unset < 2; unset++) {
        if (unset)
            unsetenv("TMPDIR");
        else
            setenv("TMPDIR", "", 1);
        hd_spill_open(ctx, "", &file); /* whether or not this machine has the folder */
        assert_string_equal(file.folder, "/var/tmp");
        hd_spill_close(&file);
    }
    if (before)
        setenv("TMPDIR", before, 1);
    free(before);
    free(far);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(folders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
