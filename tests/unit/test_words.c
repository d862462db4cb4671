/* test_words.c - lists of words, and sizes for people to read. */
#include "support.h"

#include "base/word_list.h"

static void has_word(void **state) {
    (void)state;
    assert_true(hd_has_word("one two", "one") && hd_has_word("one two", "two"));
    assert_false(hd_has_word("one two", "on") || hd_has_word("one two", "ne") || hd_has_word("one two", "three"));
    assert_true(hd_has_word("ones stone one", "one"));
    assert_false(hd_has_word("ones stone", "one") || hd_has_word("", "one"));
}

static void join(void **state) {
    static const char *const words[] = {"cliq", "circ", "star"};
    char text[32];
    (void)state;
    hd_join(words, 3, ", ", " or ", text, sizeof text);
    assert_string_equal(text, "cliq, circ or star");
    hd_join(words, 2, ", ", " or ", text, sizeof text);
    assert_string_equal(text, "cliq or circ");
    hd_join(words, 1, ", ", " or ", text, sizeof text);
    assert_string_equal(text, "cliq");
    hd_join(words, 0, ", ", " or ", text, sizeof text);
    assert_string_equal(text, "");
    for (size_t room = 1; room < 19; room++) { /* cut, and nothing is written behind */
        memset(text, '#', sizeof text);
        hd_join(words, 3, ", ", " or ", text, room);
        assert_int_equal(strlen(text), room - 1);
        assert_int_equal(memcmp(text, "cliq, circ or star", room - 1), 0);
        assert_int_equal(text[room], '#');
    }
    text[0] = '#';
    hd_join(words, 3, ", ", " or ", text, 0);
    assert_int_equal(text[0], '#');
}

static void identifiers(void **state) {
    static const char text[] = "done_not undone done2 (done) done";
    (void)state;
    assert_ptr_equal(hd_find_identifier(text, "done"), strstr(text, "done)"));
    assert_ptr_equal(hd_find_identifier(text, "undone"), strstr(text, "undone"));
    assert_null(hd_find_identifier(text, "one"));
    assert_null(hd_find_identifier("", "one"));
    assert_string_equal(hd_find_identifier("one", "one"), "one");
}

static void lines(void **state) {
    char text[HD_LINE_ROOM + 1], path[2 * HD_LINE_ROOM];
    (void)state;
    hd_line_of("a\"b\\c", text);
    assert_string_equal(text, "#line 1 \"a\\\"b\\\\c\"\n");
    for (int quote = 0; quote < 2; quote++) { /* too long */
        memset(path, quote ? '"' : 'x', sizeof path);
        path[sizeof path - 1] = '\0';
        text[HD_LINE_ROOM] = '#';
        hd_line_of(path, text);
        assert_true(strlen(text) >= HD_LINE_ROOM - 5 && strlen(text) < HD_LINE_ROOM);
        assert_string_equal(text + strlen(text) - 2, "\"\n");
        assert_int_equal(text[HD_LINE_ROOM], '#');
    }
}

static void sizes(void **state) {
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 bytes"},
                 {1023, "1023 bytes"},
                 {1024, "1.0 KiB"},
                 {1536, "1.5 KiB"},
                 {1048576, "1.0 MiB"},
                 {UINT64_C(3) << 29, "1.5 GiB"},
                 {UINT64_C(1) << 40, "1.0 TiB"},
                 {UINT64_C(1) << 50, "1.0 PiB"},
                 {UINT64_C(1) << 60, "1.0 EiB"},
                 {UINT64_MAX, "16.0 EiB"}};
    char text[HD_BYTES_ROOM];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_bytes_text(cases[i].bytes, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_word), cmocka_unit_test(join),
                                       cmocka_unit_test(identifiers), cmocka_unit_test(lines), cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
