/* test_scan.c - reading and writing numbers: marks, digits, decimals, floats. */
#include "support.h"

#include "io/print.h"
#include "io/scan.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A plain generator, so that every run tests the same numbers. */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void marks_are_the_other_characters(void **state) {
    (void)state;
    static hd_marks marks;
    char text[HD_STRETCH];
    uint64_t seed = 1;
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < sizeof text; i++) { /* digits mostly, their neighbours, and anything */
            uint64_t word = draw(&seed);
            text[i] = round == 0 ? (char)i : word % 4 ? (char)('0' + word / 8 % 10) : (char)(word >> 40);
            if (round > 25 && word % 64 == 1)
                text[i] = "/:\xb0\x30"[word >> 60 & 3];
        }
        hd_marks_find(&marks, text, sizeof text);
        size_t count = 0;
        for (size_t i = 0; i < sizeof text; i++) {
            bool other = text[i] < '0' || text[i] > '9';
            assert_int_equal(hd_marks_plain(text + i / 64 * 64) >> (i % 64) & 1, other);
            if (other)
                assert_int_equal(marks.at[count++], i);
        }
        assert_int_equal(marks.count, count);
    }
    hd_marks_find(&marks, text, 0);
    assert_int_equal(marks.count, 0);
}

static void digits_of_every_length(void **state) {
    (void)state;
    const char text[40] = "1234567890123456789 and more";
    uint64_t value = 7, expected = 0;
    assert_false(hd_digits(text, 0, &value));
    for (size_t length = 1; length <= 15; length++) {
        expected = expected * 10 + (uint64_t)(text[length - 1] - '0');
        assert_true(hd_digits(text, length, &value));
        assert_int_equal(value, expected);
    }
    assert_false(hd_digits(text, 16, &value));
    assert_true(hd_digits("000000099999999x", 15, &value));
    assert_int_equal(value, 99999999);
}

static const char *scan_u64(const char *text, uint64_t *value) {
    const char *end = text + strlen(text), *p = hd_scan_u64(text, end, value);
    return p;
}

static void whole_numbers(void **state) {
    (void)state;
    uint64_t value = 0;
    assert_non_null(scan_u64("0", &value));
    assert_int_equal(value, 0);
    assert_non_null(scan_u64("18446744073709551615", &value));
    assert_true(value == UINT64_MAX);
    assert_non_null(scan_u64("00000000000000000000000000000042,", &value));
    assert_int_equal(value, 42);
    static const char *const bad[] = {"",    "-1",  "+1", "18446744073709551616", "99999999999999999999",
                                      "1.5", "12a", " 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(scan_u64(bad[i], &value));
}

static bool scan(const char *text, double *value, bool *real) {
    const char *end = text + strlen(text);
    *real = false;
    return hd_scan_number(text, end, value, real) == end;
}

static void numbers_as_weights_are_written(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        bool real;
    } good[] = {
        {"0", 0, false},
        {"-7", -7, false},
        {"+7", 7, false},
        {"4294967296", 4294967296.0, false},
        {"1.0", 1, true},
        {"5.", 5, true},
        {".5", 0.5, true},
        {"-0.25", -0.25, true},
        {"1e3", 1000, true},
        {"1E-2", 0.01, true},
        {"2.5e+3", 2500, true},
        {"0e999999999999999999999", 0, true},
        {"1e-50", 1e-50, true},
        {"4.9e-324", 0x1p-1074, true},
        {"2.2250738585072011e-308", 2.2250738585072011e-308, true},
        {"1.7976931348623157e308", 1.7976931348623157e308, true},
        {"1e39", 1e39, true},
        {"340282366920938463463374607431768211456", 0x1p128, false},
        {"3.4028234e38", 3.4028234e38, true},
        {"9007199254740993", 9007199254740992.0, false},
        {"0.30000000000000004", 0.30000000000000004, true},
        {"123456789012345678901234567890", 1.2345678901234568e29, false},
        {"0.000000000000000000000000000000000000000000001", 1e-45, true},
    };
    static const char *const bad[] = {"",     "-",    "+",     ".",     "e5",    "1e",      "1e+",   "nan", "NaN",
                                      "inf",  "-inf", "1e309", "1e999", "0x10",  "1.5.2",   "1,5x",  "--1", "1e5.5",
                                      "1 2x", "abc",  "1_000", "1f",    "2e308", "1e-9999", "1e-324"};
    double value;
    bool real;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(scan(good[i].text, &value, &real));
        if (value != good[i].value || real != good[i].real)
            fail_msg("%s was read as %.17g", good[i].text, value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (scan(bad[i], &value, &real))
            fail_msg("'%s' was taken for the number %.17g", bad[i], value);
}

static void whole_weights_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t whole;
        bool real, beyond;
    } given[] = {
        {"9007199254740993", 9007199254740993, false, false},
        {"-9007199254740993", -9007199254740993, false, false},
        {"9223372036854775807", INT64_MAX, false, false},
        {"-9223372036854775808", INT64_MIN, false, false},
        {"9223372036854775808", 0, false, true},
        {"-9223372036854775809", 0, false, true},
        {"10000000000000000000", 0, false, true},
        {"99999999999999999999999", 0, false, true},
        {"0000000000000000000000000000012", 12, false, false},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const char *end = given[i].text + strlen(given[i].text);
        hd_scanned number;
        assert_ptr_equal(hd_scan_weight(given[i].text, end, &number), end);
        if (number.whole != given[i].whole || number.real || number.beyond != given[i].beyond)
            fail_msg("%s was read as %lld", given[i].text, (long long)number.whole);
    }
}

/* The C library rounds correctly too. */
static void decimals_are_rounded_as_by_strtod(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 300000; i++) {
        uint64_t word = draw(&seed), mantissa = (word >> (word & 63)) % UINT64_C(10000000000000000000);
        int exponent = i % 2 ? (int)(draw(&seed) % 104) - 65 : (int)(draw(&seed) % 660) - 348;
        char text[64];
        double value, expected;
        bool real;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)mantissa, exponent);
        expected = strtod(text, NULL);
        if (isinf(expected) || (expected == 0 && mantissa))
            assert_false(scan(text, &value, &real));
        else if (!scan(text, &value, &real) || value != expected)
            fail_msg("%s was read as %.17g", text, value);
    }
}

/* Digits beyond the nineteenth decide where the number lies at or near the middle between two doubles. */
static void long_decimals_are_rounded_as_by_strtod(void **state) {
    (void)state;
    uint64_t seed = 5;
    double value;
    bool real;
    assert_true(scan("9007199254740993.00000000001", &value, &real));
    assert_true(value == 9007199254740994.0);
    for (int i = 0; i < 20000; i++) {
        char text[1300];
        double low, expected;
        uint64_t bits = draw(&seed) >> 1, exponent = i % 2 ? 1023 + draw(&seed) % 60 - 30 : draw(&seed) % 2046;
        bits = (bits & ((UINT64_C(1) << 52) - 1)) | exponent << 52;
        memcpy(&low, &bits, sizeof low);
        /* the middle, where a long double has the bit more that this takes */
        long double middle = ((long double)low + (long double)nextafter(low, HUGE_VAL)) / 2;
        int length = snprintf(text, sizeof text, "%.*Le", i % 3 ? 800 : (int)(draw(&seed) % 60) + 15, middle);
        char *e = strchr(text, 'e');
        assert_true(length > 0 && length < (int)sizeof text && e && e > text + 10);
        if (i % 5 == 0)
            e[-1] = e[-1] == '9' ? '8' : (char)(e[-1] + 1);
        expected = strtod(text, NULL);
        if (isinf(expected) || expected == 0)
            assert_false(scan(text, &value, &real));
        else if (!scan(text, &value, &real) || value != expected)
            fail_msg("%s was read as %.17g, not %.17g", text, value, expected);
    }
}

static void whole_numbers_are_printed(void **state) {
    (void)state;
    char text[HD_NUMBER_ROOM + 1], expected[HD_NUMBER_ROOM + 1];
    uint64_t seed = 5;
    for (int i = 0; i < 10000; i++) {
        uint64_t word = draw(&seed), value = word >> (word & 63);
        if (i < 3)
            value = i == 0 ? 0 : i == 1 ? UINT64_MAX : UINT64_C(1) << 63;
        *hd_print_u64(text, value) = '\0';
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
        assert_string_equal(text, expected);
        assert_int_equal(hd_digits_of(value), strlen(expected));
        *hd_print_i64(text, (int64_t)value) = '\0';
        snprintf(expected, sizeof expected, "%lld", (long long)value);
        assert_string_equal(text, expected);
    }
}

static void check_float(float value) {
    char text[HD_NUMBER_ROOM + 1];
    double back;
    bool real;
    char *end = hd_print_float(text, value);
    *end = '\0';
    if (!scan(text, &back, &real) || (float)back != value || signbit((float)back) != signbit(value) || !real ||
        end - text > 16)
        fail_msg("%.9g was printed as %s", value, text);
}

static void floats_come_back_the_same(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)draw(&seed);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_float(value);
        check_float((float)(bits >> 8) / (float)(1 << (bits & 15)));
    }
    for (int exponent = -45; exponent <= 38; exponent++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        float value = strtof(text, NULL);
        check_float(value);
        check_float(nextafterf(value, 0));
        check_float(nextafterf(value, INFINITY) < INFINITY ? nextafterf(value, INFINITY) : value);
    }
    check_float(3.40282347e38f);
    check_float(-0.0f);
}

static void floats_are_printed_short(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0, "0.0"},
                 {1, "1.0"},
                 {-2.5f, "-2.5"},
                 {0.1f, "0.1"},
                 {100, "100.0"},
                 {1e9f, "1000000000.0"},
                 {1e10f, "1e10"},
                 {1.5e-7f, "1.5e-7"},
                 {0.0001f, "0.0001"},
                 {16777216, "16777216.0"},
                 {0.33333334f, "0.33333334"},
                 {999999.94f, "999999.94"},
                 {3.1415927f, "3.1415927"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[HD_NUMBER_ROOM + 1];
        *hd_print_float(text, cases[i].value) = '\0';
        assert_string_equal(text, cases[i].text);
    }
}

/* A program that set a locale with a decimal comma must not change what is read and written. */
static void check_double(double value) {
    char text[HD_NUMBER_ROOM + 1], expected[40];
    *hd_print_double(text, value) = '\0';
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        if (strtod(expected, NULL) == value)
            break;
    }
    if (strcmp(text, expected) != 0)
        fail_msg("expected %s, found %s", expected, text);
}

static void doubles_are_printed_short(void **state) {
    (void)state;
    static const double special[] = {0.0,     -0.0,    1e15,    1e16,    1e17,  123456789012345678.0,
                                     0.1,     0.3,     1e-4,    1.5e-5,  1e22,  1e23,
                                     5e-324,  DBL_MAX, DBL_MIN, 9.5,     1e-5,  100,
                                     999e-18, 1e-11,   1e43,    1e70,    1e-38, 1e-300,
                                     -2.5,    0.2,     1 / 3.0, 2 / 3.0, 1e100, 9007199254740993.0,
                                     3,       1e21};
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        check_double(special[i]);
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_double(power);
        check_double(nextafter(power, 0));
        check_double(-nextafter(power, INFINITY));
    }
    for (int i = 0; i < 30000; i++) {
        uint64_t word = draw(&seed), bits = draw(&seed);
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any))
            check_double(any);
        check_double((double)(word >> 11) * 0x1p-53);                                  /* as ranks are */
        check_double((double)(word % 1000000) / 1000);                                 /* few digits */
        check_double((double)(word % 100000) * pow(10, (double)(bits % 100) - 50));    /* few, far from the point */
        check_double(ldexp((double)(word >> 11), (int)(bits % 300) - 200));            /* many */
        check_double(nextafter(pow(10, (double)(bits % 120) - 60), word % 2 ? 0 : 2)); /* beside powers of ten */
    }
}

static void the_locale_does_not_matter(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        print_message("skipped: no German locale here\n");
        skip();
    }
    double value;
    bool real;
    char text[HD_NUMBER_ROOM + 1];
    assert_true(scan("1.5", &value, &real));
    assert_true(value == 1.5);
    *hd_print_float(text, 1.5f) = '\0';
    assert_string_equal(text, "1.5");
    *hd_print_double(text, -2.5) = '\0';
    assert_string_equal(text, "-2.5");
    *hd_print_double(text, 2.5e-300) = '\0';
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "2.5e-300");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_the_other_characters),
        cmocka_unit_test(digits_of_every_length),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(numbers_as_weights_are_written),
        cmocka_unit_test(whole_weights_are_exact),
        cmocka_unit_test(decimals_are_rounded_as_by_strtod),
        cmocka_unit_test(long_decimals_are_rounded_as_by_strtod),
        cmocka_unit_test(whole_numbers_are_printed),
        cmocka_unit_test(floats_come_back_the_same),
        cmocka_unit_test(floats_are_printed_short),
        cmocka_unit_test(doubles_are_printed_short),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
