/* Files that ranks convert together: the same bytes as from one process. Ranks are parts of this process. */
#include "exchange/link.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINES = 20000, ROOM = LINES * 40 };

typedef struct job {
    const char *from, *to;
    heddle_load_options load;
    heddle_save_options save;
    heddle_generate_options generate; /* if there is no `from` */
} job;

static heddle_status make(heddle_context *ctx, const job *j, const char *to) {
    return j->from ? heddle_graph_convert(ctx, j->from, &j->load, to, &j->save)
                   : heddle_graph_generate_file(ctx, &j->generate, to, &j->save);
}

static heddle_status convert_part(hd_link *link, void *user) {
    const job *j = user;
    heddle_context *ctx = link->ctx;
    ctx->link = link;
    heddle_status status = make(ctx, j, j->to);
    ctx->link = NULL;
    return status;
}

static job new_job(const char *from) {
    job j = {.from = from, .to = support_temp_path("all.hdl")};
    heddle_load_options_init(&j.load);
    heddle_save_options_init(&j.save);
    j.save.in_edges = 1;
    heddle_generate_options_init(&j.generate);
    return j;
}

static void check(heddle_context *ctx, const job *given) {
    const char *one = support_temp_path("one.hdl");
    job j = *given;
    size_t bytes, more;
    support_assert_status(ctx, make(ctx, &j, one), HEDDLE_OK);
    char *expected = support_read_file(one, &bytes);
    for (uint32_t parts = 1; parts <= 5; parts += 2) {
        support_assert_status(ctx, hd_link_local(ctx, parts, convert_part, &j), HEDDLE_OK);
        char *got = support_read_file(j.to, &more);
        assert_int_equal(bytes, more);
        assert_memory_equal(expected, got, bytes);
        free(got);
        unlink(j.to);
    }
    free(expected);
    unlink(one);
}

/* Lines of two ids and perhaps a weight: enough text for several parts. */
static const char *write_lines(const char *name, const char *start, uint64_t modulus, long long factor, long long base,
                               const char *weight) {
    char *text = malloc(ROOM), *p = text;
    p += sprintf(p, "%s", start);
    uint64_t state = 1;
    for (int i = 0; i < LINES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        long long u = base + (long long)((state >> 33) % modulus) * factor,
                  v = base + (long long)(state >> 40) % 97 * factor;
        p += sprintf(p, "%lld %lld", u, v);
        if (weight)
            p += sprintf(p, weight, i % 13);
        *p++ = '\n';
    }
    const char *path = support_write_file(name, text, (size_t)(p - text));
    free(text);
    return path;
}

/* Enough text for several parts, but fewer ids than ranks. */
static const char *write_two_ids(void) {
    static const char line[] = "1 2\n";
    size_t bytes = sizeof line - 1;
    char *text = malloc(LINES * 2 * bytes);
    for (size_t i = 0; i < LINES * 2; i++)
        memcpy(text + i * bytes, line, bytes);
    const char *path = support_write_file("e.txt", text, LINES * 2 * bytes);
    free(text);
    return path;
}

/* Labels that occur on several ranks, and some on one only. */
static const char *write_labels(void) {
    char *text = malloc(ROOM), *p = text;
    for (int i = 0; i < LINES; i++)
        p += sprintf(p, "v%d %s%d\n", i * 7919 % 1013, i % 3 ? "w" : "long-name-", i % 3 ? i * 31 % 977 : i / 5);
    const char *path = support_write_file("l.txt", text, (size_t)(p - text));
    free(text);
    return path;
}

/* All weights are 1 but one, which decides their type, wherever it stands. */
static void one_weight_decides(void **state) {
    static const char *const odd[] = {"0.5", "0.1", "-3", "5000000000", "-5000000000"};
    heddle_context *ctx = support_context(1);
    char *text = malloc(ROOM);
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int at = 0; at < LINES; at += (LINES - 1) / 3) {
            char *p = text;
            for (int line = 0; line < LINES; line++)
                p += sprintf(p, "%d %d %s\n", line % 501, line % 73, line == at ? odd[i] : "1");
            job j = new_job(support_write_file("w.txt", text, (size_t)(p - text)));
            check(ctx, &j);
        }
    free(text);
    heddle_context_destroy(&ctx);
}

static void same_file(void **state) {
    heddle_context *ctx = support_context(1);
    (void)state;
    job plain = new_job(write_lines("a.txt", "", 3000, 1, 10, NULL)); /* with gaps */
    check(ctx, &plain);
    plain.load.build.symmetrize = 1;
    check(ctx, &plain);
    plain.load.build.symmetrize = 0;
    plain.load.vertices = 5000;
    check(ctx, &plain);
    job far = new_job(write_lines("b.txt", "", 5000, 1000000007, -40000000, " %d.5"));
    check(ctx, &far);
    far.load.build.symmetrize = far.load.build.drop_loops = 1;
    far.load.build.duplicates = HEDDLE_DUPLICATES_SUM;
    check(ctx, &far);
    job known = new_job(
        write_lines("c.mtx", "%%MatrixMarket matrix coordinate integer general\n4000 4000 20000\n", 4000, 1, 1, " %d"));
    check(ctx, &known);
    job made = new_job(NULL);
    made.generate.kind = "rmat";
    made.generate.scale = 12;
    made.generate.weighted = 1;
    check(ctx, &made);
    made.generate.build.symmetrize = 1;
    check(ctx, &made);
    made.generate.kind = "grid";
    made.generate.width = made.generate.height = 50;
    check(ctx, &made);
    job tiny = new_job(support_write_text("d.txt", "# nothing but a loop\n7 7\n"));
    check(ctx, &tiny);
    job few = new_job(write_two_ids());
    check(ctx, &few);
    job named = new_job(write_labels());
    check(ctx, &named);
    named.load.build.symmetrize = 1;
    check(ctx, &named);
    job names = new_job(support_write_text("f.txt", "anna bert\nbert carl\n"));
    check(ctx, &names);
    heddle_context_destroy(&ctx);
}

static void refuse(heddle_context *ctx, const job *j, heddle_status status, const char *words) {
    size_t before = support_temp_entries();
    job own = *j;
    support_assert_status(ctx, hd_link_local(ctx, 3, convert_part, &own), status);
    support_assert_message(ctx, words);
    assert_int_equal(support_temp_entries(), before);
}

static void refusals(void **state) {
    heddle_context *ctx = support_context(1);
    job j = new_job(support_write_text("e.txt", "1 2\n2 3\n"));
    (void)state;
    j.to = support_temp_path("x.mtx");
    refuse(ctx, &j, HEDDLE_E_REFUSED, ".hdl");
    j.to = support_temp_path("none/x.hdl");
    refuse(ctx, &j, HEDDLE_E_WRITE, "cannot create");
    j = new_job(support_temp_path("none.txt"));
    refuse(ctx, &j, HEDDLE_E_OPEN, "none.txt");
    j = new_job(support_write_text("g.graph", "2 1\n2\n1\n"));
    refuse(ctx, &j, HEDDLE_E_REFUSED, "edge lists, .gr and .mtx");
    char *text = malloc(ROOM);
    memset(text, '\n', ROOM);
    memcpy(text, "1 2", 3);
    memcpy(text + ROOM - 10, "3 x", 3); /* in the last rank's share */
    j = new_job(support_write_file("h.txt", text, ROOM));
    refuse(ctx, &j, HEDDLE_E_FORMAT, "expected an integer");
    free(text);
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    size_t before = support_temp_entries();
    heddle_status status = hd_link_local(ctx, 3, convert_part, user);
    if (status == HEDDLE_OK)
        unlink(((job *)user)->to);
    assert_int_equal(support_temp_entries(), before);
    return status;
}

static void every_allocation_may_fail(void **state) {
    job j = new_job(support_write_text("i.txt", "3 500000000000 1.5\n4 3 2\n500000000000 3 1\n9 9 1\n"));
    (void)state;
    j.load.build.symmetrize = 1;
    support_try_every_failure(attempt, &j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_file),
        cmocka_unit_test(one_weight_decides),
        cmocka_unit_test(refusals),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
