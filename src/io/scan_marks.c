/* scan_marks.c - finds the characters other than digits, 64 at a time.
 *
 * The comparison gives a 64-bit mask, one bit per character; the positions of its set bits are then written out. There
 * are versions in plain C, for any x86-64, and for x86-64 CPUs of the last ten years.
 */
#include "io/scan.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

uint64_t hd_marks_plain(const char *p) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t marks = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t word;
        memcpy(&word, p + 8 * i, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word ^= UINT64_C(0x3030303030303030); /* digits become 0 .. 9; adding 0x76 sets the top bit of all others */
        word = (((word & low) + UINT64_C(0x7676767676767676)) | word) & ~low;
        marks |= ((word >> 7) * UINT64_C(0x0102040810204080) >> 56) << (8 * i); /* gathers the eight bits */
    }
    return marks;
}

/* Writes the positions of the next eight set bits; always eight entries, because extra writes cost less than a branch.
 * */
ALWAYS_INLINE uint64_t write_eight(uint32_t *at, size_t start, uint64_t marks) {
    for (int i = 0; i < 8; i++) {
        at[i] = (uint32_t)start + (uint32_t)__builtin_ctzll(marks | UINT64_C(1) << 63);
        marks &= marks - 1;
    }
    return marks;
}

ALWAYS_INLINE void find(hd_marks *found, const char *p, size_t bytes, uint64_t (*marks_of)(const char *)) {
    size_t count = 0;
    for (size_t start = 0; start < bytes; start += HD_MARKS_BLOCK) {
        uint64_t marks = marks_of(p + start);
        uint32_t *at = found->at + count;
        size_t here = (size_t)__builtin_popcountll(marks);
        count += here;
        marks = write_eight(at, start, marks);
        if (here > 8) {
            marks = write_eight(at + 8, start, marks);
            for (size_t i = 16; i < here; i += 8)
                marks = write_eight(at + i, start, marks);
        }
    }
    found->count = count;
}

#if defined(__x86_64__)
ALWAYS_INLINE uint64_t sixteen(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    bytes = _mm_sub_epi8(bytes, _mm_set1_epi8((char)(0x80 + '0'))); /* digits become -128 .. -119 */
    return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(-119)));
}

ALWAYS_INLINE uint64_t marks_sse2(const char *p) {
    return sixteen(p) | sixteen(p + 16) << 16 | sixteen(p + 32) << 32 | sixteen(p + 48) << 48;
}

__attribute__((target("avx2"))) ALWAYS_INLINE uint64_t thirty_two(const char *p) {
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);
    bytes = _mm256_sub_epi8(bytes, _mm256_set1_epi8((char)(0x80 + '0')));
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-119)));
}

__attribute__((target("avx2"))) ALWAYS_INLINE uint64_t marks_avx2(const char *p) {
    return thirty_two(p) | thirty_two(p + 32) << 32;
}

static void find_sse2(hd_marks *found, const char *p, size_t bytes) { find(found, p, bytes, marks_sse2); }

__attribute__((target("avx2,bmi,popcnt"))) static void find_avx2(hd_marks *found, const char *p, size_t bytes) {
    find(found, p, bytes, marks_avx2);
}

void hd_marks_find(hd_marks *marks, const char *p, size_t bytes) {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
        find_avx2(marks, p, bytes);
    else
        find_sse2(marks, p, bytes);
}
#else
void hd_marks_find(hd_marks *marks, const char *p, size_t bytes) { find(marks, p, bytes, hd_marks_plain); }
#endif
