# The tests, found by name: a new file is a new test. Exit status 77 means skipped.
#
#   tests/unit/test_*.c        label unit   cmocka, linked with the static library, sees internal headers
#                              label device: those that run kernels, on PoCL where there is no other OpenCL device; they
#                              take minutes, so sanitized builds leave them to HEDDLE_TEST_ALL
#   tests/cli/test_*.sh, .py   label cli    drive the command named by $HEDDLE
#   tests/recipes/             label cli    a toy on each axis, added as docs/architecture.md says
#   tests/fake/                drivers that fail when told to, for the tests of devices
#   tests/fuzz/fuzz_*.c        label fuzz   replay of the seed corpus, or libFuzzer itself with HEDDLE_FUZZ
#   scripts/check-*.sh         label check  the rules of the tree, kept by scripts
#
# The target tests-LABEL builds all that tests with this label need. HEDDLE_TEST_DATA passes through from the
# environment.

foreach(label unit device cli fuzz)
    add_custom_target(tests-${label})
endforeach()
set(heddle_tests_dir "${PROJECT_BINARY_DIR}/tests")
file(MAKE_DIRECTORY "${heddle_tests_dir}")

# Tests run side by side: threads that wait must not hold the cores that others need.
set(heddle_test_environment "PYTHONDONTWRITEBYTECODE=1" "HEDDLE_FAKE_DRIVERS=${heddle_tests_dir}/fake"
    "OMP_WAIT_POLICY=passive")
set(heddle_launcher "")
if(TARGET heddle)
    set(heddle_command "$<TARGET_FILE:heddle>")
    if(CMAKE_CROSSCOMPILING_EMULATOR) # one word for tests of the command
        set(heddle_launcher ${CMAKE_CROSSCOMPILING_EMULATOR})
        set(heddle_command "${PROJECT_BINARY_DIR}/emulated-heddle")
        list(JOIN heddle_launcher " " emulator)
        file(GENERATE OUTPUT "${heddle_command}" CONTENT "#!/bin/sh\nexec ${emulator} $<TARGET_FILE:heddle> \"$@\"\n"
            FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    endif()
    list(APPEND heddle_test_environment "HEDDLE=${heddle_command}")
endif()
if(HEDDLE_SANITIZE MATCHES "address")
    # archer, which libomp opens for ThreadSanitizer, has thread-local memory of its own. LeakSanitizer takes it for
    # what another glibc allocates where its address happens to look so, and crashes.
    list(APPEND heddle_test_environment "OMP_TOOL=disabled"
        "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0")
    set(heddle_launcher bash "${PROJECT_SOURCE_DIR}/tests/sanitized.sh")
endif()
if(HEDDLE_SANITIZE MATCHES "memory") # programs are instrumented, too; drivers are not, and are kept away
    list(APPEND heddle_test_environment "CC=${CMAKE_C_COMPILER} -fsanitize=memory"
        "LD_LIBRARY_PATH=${heddle_tests_dir}/fake/no-opencl:${heddle_tests_dir}/fake/no-cuda")
elseif(CMAKE_CROSSCOMPILING_EMULATOR)
    list(APPEND heddle_test_environment "CC=${CMAKE_C_COMPILER}")
endif()
if(HEDDLE_SANITIZE MATCHES "thread")
    # Only our own code is instrumented; archer, beside libomp, tells what its barriers order.
    list(APPEND heddle_test_environment "TSAN_OPTIONS=ignore_noninstrumented_modules=1" "OMP_NUM_THREADS=4")
endif()

# heddle_add_test(NAME label command …)
function(heddle_add_test name label)
    add_test(NAME ${label}/${name} COMMAND ${ARGN} WORKING_DIRECTORY "${heddle_tests_dir}")
    set_tests_properties(${label}/${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 900
        ENVIRONMENT "${heddle_test_environment}")
endfunction()

# ---- fake drivers ------------------------------------------------------------------------------------------------

# heddle_fake(TARGET FOLDER NAME SUFFIX SOURCE): a library that is found before the driver's own by LD_LIBRARY_PATH.
function(heddle_fake target folder name suffix source)
    add_library(${target} SHARED tests/fake/${source})
    target_include_directories(${target} PRIVATE include src tests/fake)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX ${suffix}
        LIBRARY_OUTPUT_DIRECTORY "${heddle_tests_dir}/fake/${folder}")
endfunction()

heddle_fake(fake_driver "" fake_driver .so fake.c)
target_sources(fake_driver PRIVATE tests/fake/kernels.c)
find_package(Threads REQUIRED)
target_link_libraries(fake_driver PRIVATE Threads::Threads)
heddle_fake(fake_cuda "" cuda .so.1 cuda.c)
target_sources(fake_cuda PRIVATE tests/fake/cuda_pages.c tests/fake/streams.c)
target_link_libraries(fake_cuda PRIVATE Threads::Threads)
heddle_fake(fake_nvrtc "" nvrtc .so nvrtc.c)
heddle_fake(fake_opencl "" OpenCL .so.1 opencl.c)
foreach(target fake_cuda fake_nvrtc fake_opencl)
    target_link_libraries(${target} PRIVATE fake_driver)
endforeach()
heddle_fake(fake_crash crash OpenCL .so.1 crash.c)
heddle_fake(fake_stuck stuck OpenCL .so.1 stuck.c)
heddle_fake(fake_no_cuda no-cuda cuda .so.1 empty.c)
heddle_fake(fake_no_nvrtc no-nvrtc nvrtc .so empty.c)
heddle_fake(fake_no_opencl no-opencl OpenCL .so.1 empty.c)
set(fake_drivers fake_cuda fake_nvrtc fake_opencl fake_crash fake_stuck fake_no_cuda fake_no_nvrtc fake_no_opencl)

# ---- unit --------------------------------------------------------------------------------------------------------

find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
mark_as_advanced(CMOCKA_INCLUDE_DIR CMOCKA_LIBRARY)

file(GLOB unit_sources CONFIGURE_DEPENDS tests/unit/test_*.c)
file(GLOB unit_support CONFIGURE_DEPENDS tests/unit/support.c)
if(CMOCKA_INCLUDE_DIR AND CMOCKA_LIBRARY)
    if(unit_support)
        add_library(heddle_unit_support OBJECT ${unit_support})
        target_include_directories(heddle_unit_support PRIVATE src "${CMOCKA_INCLUDE_DIR}")
        target_link_libraries(heddle_unit_support PRIVATE heddle_static)
        set(unit_support $<TARGET_OBJECTS:heddle_unit_support>)
    endif()
    foreach(source ${unit_sources})
        get_filename_component(target ${source} NAME_WE)
        string(REPLACE "test_" "" name ${target})
        add_executable(${target} ${source} ${unit_support})
        target_include_directories(${target} PRIVATE src tests/unit "${CMOCKA_INCLUDE_DIR}")
        target_link_libraries(${target} PRIVATE heddle_static "${CMOCKA_LIBRARY}")
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${heddle_tests_dir}")
        set(label unit)
        if(name MATCHES "^(device_|incore|nvrtc|profile|shards|transform_runs)")
            set(label device)
        endif()
        heddle_add_test(${name} ${label} ${heddle_launcher} $<TARGET_FILE:${target}>)
        add_dependencies(tests-${label} ${target})
    endforeach()
    if(TARGET test_incore_more) # every option with every other, where HEDDLE_TEST_ALL asks for it
        set_tests_properties(device/incore_more PROPERTIES TIMEOUT 3600)
    endif()
    target_include_directories(test_graph500 PRIVATE cli) # it includes sources of the command
    if(TARGET heddle_mpi)
        add_dependencies(test_link_mpi heddle_mpi)
    endif()
    target_compile_definitions(test_link_mpi PRIVATE HEDDLE_MPI_MODULE="${PROJECT_BINARY_DIR}/libheddle-mpi.so")
    foreach(target test_fake_device test_fake_kernels test_fake_queues test_fake_residency test_fake_start)
        target_include_directories(${target} PRIVATE tests/fake)
        target_link_libraries(${target} PRIVATE fake_driver)
        target_compile_definitions(${target} PRIVATE FAKE_DRIVERS="${heddle_tests_dir}/fake")
        add_dependencies(${target} ${fake_drivers})
    endforeach()
elseif(unit_sources)
    message(STATUS "cmocka: not found, unit tests are not built (install libcmocka-dev)")
endif()

# ---- examples ----------------------------------------------------------------------------------------------------

# examples/api/NAME.c prints what NAME.out has.
file(GLOB example_sources CONFIGURE_DEPENDS examples/api/*.c)
foreach(source ${example_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE heddle_static)
    set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${heddle_tests_dir}")
    heddle_add_test(example_${name} unit bash "${PROJECT_SOURCE_DIR}/scripts/check-output.sh"
        $<TARGET_FILE:example_${name}> "${PROJECT_SOURCE_DIR}/examples/api/${name}.out")
    add_dependencies(tests-unit example_${name})
endforeach()

# ---- cli ---------------------------------------------------------------------------------------------------------

# Of the Pythons at hand, take one that has what some tests compare with.
foreach(candidate python3 /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy, scipy, networkx" RESULT_VARIABLE missing
        OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
        set(heddle_python ${candidate})
        break()
    endif()
endforeach()
if(NOT heddle_python)
    set(heddle_python python3)
    message(STATUS "NetworkX and SciPy: not found, tests that compare with them are skipped "
        "(install python3-networkx python3-scipy)")
endif()

if(TARGET heddle)
    file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/test_*.sh tests/cli/test_*.py)
    foreach(script ${cli_tests})
        get_filename_component(name ${script} NAME_WE)
        string(REPLACE "test_" "" name ${name})
        if(script MATCHES "\\.py$")
            heddle_add_test(${name} cli ${heddle_python} ${script})
        else()
            heddle_add_test(${name} cli bash ${script})
        endif()
    endforeach()
    include(recipes)
    add_dependencies(tests-cli product bench-algorithms heddle_recipes ${fake_drivers})
endif()

# ---- fuzz --------------------------------------------------------------------------------------------------------

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
file(GLOB fuzz_support CONFIGURE_DEPENDS tests/fuzz/support.c)
foreach(source ${fuzz_sources})
    get_filename_component(target ${source} NAME_WE)
    string(REPLACE "fuzz_" "" name ${target})
    set(corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    add_executable(${target} ${source} ${fuzz_support})
    target_include_directories(${target} PRIVATE src tests/fuzz)
    target_link_libraries(${target} PRIVATE heddle_static)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    add_dependencies(tests-fuzz ${target})
    if(name STREQUAL "run") # the command's random cases
        set(case_sources ${command_sources})
        list(FILTER case_sources EXCLUDE REGEX "/cli/main.c$")
        target_sources(${target} PRIVATE tests/fuzz/command.c ${case_sources})
        target_include_directories(${target} PRIVATE cli "${PROJECT_BINARY_DIR}/commit")
        add_dependencies(${target} commit)
    endif()
    if(HEDDLE_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        heddle_add_test(${name} fuzz
            bash "${PROJECT_SOURCE_DIR}/scripts/fuzz.sh" $<TARGET_FILE:${target}> "${corpus}")
        set_tests_properties(fuzz/${name} PROPERTIES TIMEOUT 1000000) # FUZZ_SECONDS decides
    else()
        target_sources(${target} PRIVATE tests/fuzz/replay.c)
        heddle_add_test(${name} fuzz ${target} "${corpus}")
    endif()
endforeach()

# ---- check -------------------------------------------------------------------------------------------------------

# They look at the tree or at the plain build, so once is enough.
if(NOT HEDDLE_SANITIZE)
    set(scripts "${PROJECT_SOURCE_DIR}/scripts")
    heddle_add_test(order check bash "${scripts}/check-order.sh")
    heddle_add_test(lines check bash "${scripts}/check-lines.sh")
    heddle_add_test(format check bash "${scripts}/check-format.sh")
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # once is enough: with the compiler of the release build
        heddle_add_test(tidy check bash "${scripts}/check-tidy.sh" "${PROJECT_BINARY_DIR}")
    endif()
    heddle_add_test(header-c check bash "${scripts}/check-header.sh" c "${CMAKE_C_COMPILER}")
    heddle_add_test(header-c++ check bash "${scripts}/check-header.sh" c++)
    heddle_add_test(symbols check bash "${scripts}/check-symbols.sh" $<TARGET_FILE:heddle_static>
        $<$<TARGET_EXISTS:heddle_shared>:$<TARGET_FILE:heddle_shared>>)
    if(TARGET heddle_shared)
        heddle_add_test(abi check ${heddle_python} "${scripts}/check-abi.py" "${CMAKE_C_COMPILER}"
            $<TARGET_FILE:heddle_shared>)
    endif()
    if(TARGET heddle)
        heddle_add_test(docs check bash "${scripts}/check-docs.sh")
        if(EXISTS "${PROJECT_BINARY_DIR}/site-env/complete") # scripts/python-env.sh made it
            heddle_add_test(site check "${PROJECT_BINARY_DIR}/site-env/bin/python"
                "${PROJECT_SOURCE_DIR}/tests/site/test_site.py" $<TARGET_FILE:heddle>)
            heddle_add_test(public check "${PROJECT_BINARY_DIR}/site-env/bin/python"
                "${PROJECT_SOURCE_DIR}/tests/site/test_public.py")
        endif()
        if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # the release build, once more in another folder
            heddle_add_test(reproducible check bash "${scripts}/check-reproducible.sh" "${PROJECT_BINARY_DIR}")
            if(NOT "$ENV{HEDDLE_TEST_ALL}" STREQUAL "")
                heddle_add_test(reproducible-packages check bash "${scripts}/check-reproducible.sh"
                    "${PROJECT_BINARY_DIR}" packages)
                set_tests_properties(check/reproducible-packages PROPERTIES TIMEOUT 3600)
            endif()
        endif()
    endif()
    heddle_add_test(install check bash "${scripts}/check-install.sh" "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}")
endif()

# ---- order -------------------------------------------------------------------------------------------------------

# ctest starts tests of high cost first, so that no long one is left over at the end. Tests whose kernels others compile
# too come later: they find them in PoCL's cache. Its own measurements replace these costs from the second run on.
foreach(cost_of device/incore_stream:95 device/device_residency:90 device/device_presets:85 device/transform_runs:85
        device/device_bc:80 device/incore:75 device/nvrtc:70 device/incore_sums:70 device/device_paths:65
        device/device_rename:65 device/device_pr:65 device/device_scc:60 device/device_bfs:55 device/device_mst:55
        device/shards:40 device/device_parts:40 device/incore_more:40 device/device_memory:30 device/device_order:20
        cli/ranks:60 cli/limited:60 cli/programs:60 cli/run:50 cli/from_disk:50 cli/algorithms:50 cli/convert:50
        cli/interrupt:45 cli/cache:40 cli/data:40 cli/bench:40 cli/formats:30 cli/errors:30 cli/selftest:30
        unit/fake_kernels:60 unit/external:50 unit/order:45 unit/mst:45 unit/budget:40 unit/engine:35 unit/rounds:35
        unit/pr:35 unit/sssp:35 unit/sswp:35 unit/tc:35 unit/fake_device:35 unit/fake_residency:35 unit/verify_rank:30
        unit/fake_queues:30 unit/fake_start:30 unit/hints:30 unit/bc:30 check/tidy:50
        check/reproducible:90)
    string(REPLACE ":" ";" cost_of ${cost_of})
    list(GET cost_of 0 name)
    list(GET cost_of 1 cost)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES COST ${cost})
    endif()
endforeach()
