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
    # The command brings gcc's runtime along where there is an archive of it: cli/waiting.c says why.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT HEDDLE_SANITIZE)
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a
            OUTPUT_VARIABLE gomp_archive OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT IS_ABSOLUTE "${gomp_archive}")
            set(gomp_archive "")
        endif()
    endif()
elseif(HEDDLE_OPENMP)
    message(STATUS "OpenMP: not found, everything runs on one thread (gcc has it; for clang install libomp-dev)")
else()
    message(STATUS "OpenMP: turned off, everything runs on one thread")
endif()

# Without OpenMP its pragmas are unknown words.
if(NOT (HEDDLE_OPENMP AND OpenMP_C_FOUND))
    add_compile_options(-Wno-unknown-pragmas)
endif()

# heddle_optional(OPTION LIBRARY PC LOST PACKAGE): uses a library, a target or a file, where it was found and
# HEDDLE_<OPTION> is on, and says what is lost otherwise. PC is its pkg-config module, or a flag where it has none.
macro(heddle_optional option library pc lost package)
    if(HEDDLE_${option} AND (TARGET "${library}" OR EXISTS "${library}"))
        target_link_libraries(heddle_dependencies INTERFACE "${library}")
        target_compile_definitions(heddle_dependencies INTERFACE HD_HAVE_${option}=1)
        if("${pc}" MATCHES "^-")
            string(APPEND pc_libs_private " ${pc}")
        else()
            list(APPEND pc_requires_private ${pc})
        endif()
        message(STATUS "${option}: found")
    elseif(HEDDLE_${option})
        message(STATUS "${option}: not found, ${lost} (install ${package})")
    else()
        message(STATUS "${option}: turned off, ${lost}")
    endif()
endmacro()

find_package(ZLIB QUIET)
find_package(BZip2 QUIET)
find_package(LibLZMA QUIET)
find_package(EXPAT QUIET)
# zstd ships no CMake module that every distribution has, so look for the two files.
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)
if(HEDDLE_ZSTD AND ZSTD_INCLUDE_DIR)
    target_include_directories(heddle_dependencies SYSTEM INTERFACE "$<BUILD_INTERFACE:${ZSTD_INCLUDE_DIR}>")
endif()
find_path(URING_INCLUDE_DIR liburing.h)
find_library(URING_LIBRARY uring)
mark_as_advanced(URING_INCLUDE_DIR URING_LIBRARY)
if(HEDDLE_URING AND URING_INCLUDE_DIR)
    target_include_directories(heddle_dependencies SYSTEM INTERFACE "$<BUILD_INTERFACE:${URING_INCLUDE_DIR}>")
endif()
heddle_optional(ZLIB ZLIB::ZLIB zlib ".gz files cannot be read or written" zlib1g-dev)
heddle_optional(ZSTD "${ZSTD_LIBRARY}" libzstd ".zst files cannot be read or written" libzstd-dev)
set_property(SOURCE src/base/version.c PROPERTY COMPILE_DEFINITIONS "HD_BZIP2_VERSION=\"${BZIP2_VERSION_STRING}\"")
heddle_optional(BZIP2 BZip2::BZip2 -lbz2 ".bz2 files cannot be read or written" libbz2-dev)
heddle_optional(LZMA LibLZMA::LibLZMA liblzma ".xz files cannot be read or written" liblzma-dev)
heddle_optional(EXPAT EXPAT::EXPAT expat "GraphML files cannot be read" libexpat1-dev)
heddle_optional(URING "${URING_LIBRARY}" liburing "graphs larger than memory are read by threads" liburing-dev)

# heddle_link_archives(TARGET LIBRARY…): a target brings these along, in place of opening the shared ones when it
# starts, where there are archives of them; a shared library only those that can lie at any address.
function(heddle_link_archives target)
    get_target_property(type ${target} TYPE)
    separate_arguments(compiler UNIX_COMMAND "${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS}")
    if(CMAKE_SYSROOT)
        list(APPEND compiler "--sysroot=${CMAKE_SYSROOT}")
    endif()
    foreach(library ${ARGN})
        execute_process(COMMAND ${compiler} -print-file-name=lib${library}.a
            OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE)
        set(fails 0)
        if(NOT IS_ABSOLUTE "${archive}")
            continue()
        elseif(type STREQUAL "SHARED_LIBRARY")
            execute_process(COMMAND ${compiler} -shared -o "${PROJECT_BINARY_DIR}/archive.so" -Wl,--whole-archive
                "${archive}" -Wl,--no-whole-archive -lm -pthread RESULT_VARIABLE fails OUTPUT_QUIET ERROR_QUIET)
        endif()
        if(fails EQUAL 0)
            target_link_libraries(${target} PRIVATE "${archive}")
        endif()
    endforeach()
    target_link_options(${target} PRIVATE -Wl,--as-needed) # no library of which an archive has everything
endfunction()

list(JOIN pc_requires_private ", " pc_requires_private)
string(STRIP "${pc_libs_private}" pc_libs_private)
