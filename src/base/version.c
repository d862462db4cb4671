/* version.c - version of the library and the libraries that it was built with. */
#include "heddle.h"

#define DIGITS_(number) #number
#define DIGITS(number) DIGITS_(number)
#ifdef HD_HAVE_ZLIB
#include <zlib.h>
#define ZLIB_LINE "zlib " ZLIB_VERSION "\n"
#else
#define ZLIB_LINE "zlib: not built in (.gz files cannot be read)\n"
#endif
#ifdef HD_HAVE_ZSTD
#include <zstd.h>
#define ZSTD_LINE "zstd " ZSTD_VERSION_STRING "\n"
#else
#define ZSTD_LINE "zstd: not built in (.zst files cannot be read)\n"
#endif
#ifdef HD_HAVE_BZIP2
#define BZIP2_LINE "bzip2 " HD_BZIP2_VERSION "\n" /* its header has none: cmake/dependencies.cmake */
#else
#define BZIP2_LINE "bzip2: not built in (.bz2 files cannot be read)\n"
#endif
#ifdef HD_HAVE_LZMA
#include <lzma.h>
#define LZMA_LINE "liblzma " LZMA_VERSION_STRING "\n"
#else
#define LZMA_LINE "liblzma: not built in (.xz files cannot be read)\n"
#endif
#ifdef HD_HAVE_EXPAT
#include <expat.h>
#define EXPAT_LINE "expat " DIGITS(XML_MAJOR_VERSION) "." DIGITS(XML_MINOR_VERSION) "." DIGITS(XML_MICRO_VERSION) "\n"
#else
#define EXPAT_LINE "expat: not built in (GraphML files cannot be read)\n"
#endif
#ifdef HD_HAVE_URING
#include <liburing.h>
#ifdef IO_URING_VERSION_MAJOR
#define URING_LINE "liburing " DIGITS(IO_URING_VERSION_MAJOR) "." DIGITS(IO_URING_VERSION_MINOR) "\n"
#else
#define URING_LINE "liburing\n"
#endif
#else
#define URING_LINE "liburing: not built in (graphs larger than memory are read by threads)\n"
#endif
#if defined(_OPENMP) && defined(__clang__)
#define OPENMP_LINE "OpenMP (libomp)\n"
#elif defined(_OPENMP)
#define OPENMP_LINE "OpenMP (libgomp)\n"
#else
#define OPENMP_LINE "OpenMP: not built in (one thread)\n"
#endif
#if defined(__clang__)
#define COMPILER_LINE "clang " __clang_version__ "\n"
#elif defined(__GNUC__)
#define COMPILER_LINE "gcc " __VERSION__ "\n"
#else
#define COMPILER_LINE "an unknown compiler\n"
#endif

const char *heddle_version(void) { return HEDDLE_VERSION_STRING; }

const char *heddle_build_info(void) {
    return COMPILER_LINE OPENMP_LINE ZLIB_LINE ZSTD_LINE BZIP2_LINE LZMA_LINE EXPAT_LINE URING_LINE;
}
