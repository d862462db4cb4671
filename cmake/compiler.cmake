# How everything is compiled: the language, the default build type, warnings, sanitizers.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # __atomic, __builtin and their kin
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(CMAKE_SIZEOF_VOID_P LESS 8)
    message(FATAL_ERROR "Heddle needs a machine with 64-bit addresses: files are mapped whole, and sizes are 64-bit. "
        "This compiler (${CMAKE_C_COMPILER}) is for one of 32 bits.")
endif()

# Sanitized builds keep assertions and readable stacks; everything else is meant to be fast (-O3).
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    if(HEDDLE_SANITIZE)
        set(CMAKE_BUILD_TYPE Debug)
    else()
        set(CMAKE_BUILD_TYPE Release)
    endif()
endif()

add_compile_options(-Wall -Wextra -Wpedantic)
# Where the tree lies does not show in what is built (scripts/check-reproducible.sh). With a launcher (ccache) it may:
# these options would keep it from finding what it compiled in another folder.
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=/a=/b compiler_maps_prefixes)
if(compiler_maps_prefixes AND NOT CMAKE_C_COMPILER_LAUNCHER)
    add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=build -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
if(HEDDLE_WERROR)
    add_compile_options(-Werror)
endif()
add_compile_definitions(_FILE_OFFSET_BITS=64)

if(HEDDLE_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEDDLE_FUZZ needs clang (this is ${CMAKE_C_COMPILER_ID}): "
        "configure with -DCMAKE_C_COMPILER=clang")
endif()
if(HEDDLE_FUZZ AND NOT HEDDLE_SANITIZE)
    set(HEDDLE_SANITIZE "address,undefined")
endif()

if(HEDDLE_SANITIZE)
    if(HEDDLE_SANITIZE MATCHES "thread" AND HEDDLE_OPENMP AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        message(FATAL_ERROR "ThreadSanitizer reports false races in gcc's OpenMP runtime: "
            "configure with -DCMAKE_C_COMPILER=clang, or with -DHEDDLE_OPENMP=OFF")
    endif()
    add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer -O1 -g1)
    add_link_options(-fsanitize=${HEDDLE_SANITIZE})
    if(HEDDLE_SANITIZE MATCHES "memory" AND HEDDLE_OPENMP)
        message(FATAL_ERROR "MemorySanitizer does not see what OpenMP's runtime writes: configure with "
            "-DHEDDLE_OPENMP=OFF, and without zlib, zstd, bzip2, liblzma, expat and liburing")
    endif()
    if(HEDDLE_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
    if(HEDDLE_SANITIZE MATCHES "address,undefined") # these two AddressSanitizer sees itself, and they compile for long
        add_compile_options(-fno-sanitize=null,object-size)
    endif()
    message(STATUS "sanitizers: ${HEDDLE_SANITIZE}")
endif()
