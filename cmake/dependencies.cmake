# What the library stands on, as the interface target heddle_dependencies. Everything but the C library is optional:
# a missing part costs its feature and one line here, never the build.
#
# For packaging/heddle.pc.in this also collects pc_requires_private and pc_libs_private.

add_library(heddle_dependencies INTERFACE)
set(pc_requires_private "")
set(pc_libs_private "")

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
target_link_libraries(heddle_dependencies INTERFACE Threads::Threads m ${CMAKE_DL_LIBS})
string(APPEND pc_libs_private " -pthread -lm")
foreach(library ${CMAKE_DL_LIBS})
    string(APPEND pc_libs_private " -l${library}")
endforeach()

if(HEDDLE_OPENMP)
    find_package(OpenMP COMPONENTS C QUIET)
endif()
if(HEDDLE_OPENMP AND OpenMP_C_FOUND)
    target_link_libraries(heddle_dependencies INTERFACE OpenMP::OpenMP_C)
    string(APPEND pc_libs_private " ${OpenMP_C_FLAGS}")
    message(STATUS "OpenMP: ${OpenMP_C_VERSION}, several threads")
elseif(HEDDLE_OPENMP)
    message(STATUS "OpenMP: not found, everything runs on one thread (gcc has it; for clang install libomp-dev)")
else()
    message(STATUS "OpenMP: turned off, everything runs on one thread")
endif()

# Without OpenMP its pragmas are unknown words.
if(NOT (HEDDLE_OPENMP AND OpenMP_C_FOUND))
    add_compile_options(-Wno-unknown-pragmas)
endif()

if(HEDDLE_ZLIB)
    find_package(ZLIB QUIET)
endif()
if(HEDDLE_ZLIB AND ZLIB_FOUND)
    target_link_libraries(heddle_dependencies INTERFACE ZLIB::ZLIB)
    target_compile_definitions(heddle_dependencies INTERFACE HD_HAVE_ZLIB=1)
    list(APPEND pc_requires_private zlib)
    message(STATUS "zlib: ${ZLIB_VERSION_STRING}, .gz files")
elseif(HEDDLE_ZLIB)
    message(STATUS "zlib: not found, .gz files cannot be read or written (install zlib1g-dev)")
else()
    message(STATUS "zlib: turned off, .gz files cannot be read or written")
endif()

# zstd ships no CMake module that every distribution has, so look for the two files.
if(HEDDLE_ZSTD)
    find_path(ZSTD_INCLUDE_DIR zstd.h)
    find_library(ZSTD_LIBRARY zstd)
    mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)
endif()
if(HEDDLE_ZSTD AND ZSTD_INCLUDE_DIR AND ZSTD_LIBRARY)
    target_include_directories(heddle_dependencies SYSTEM INTERFACE "${ZSTD_INCLUDE_DIR}")
    target_link_libraries(heddle_dependencies INTERFACE "${ZSTD_LIBRARY}")
    target_compile_definitions(heddle_dependencies INTERFACE HD_HAVE_ZSTD=1)
    list(APPEND pc_requires_private libzstd)
    message(STATUS "zstd: ${ZSTD_LIBRARY}, .zst files")
elseif(HEDDLE_ZSTD)
    message(STATUS "zstd: not found, .zst files cannot be read or written (install libzstd-dev)")
else()
    message(STATUS "zstd: turned off, .zst files cannot be read or written")
endif()

list(JOIN pc_requires_private ", " pc_requires_private)
string(STRIP "${pc_libs_private}" pc_libs_private)
