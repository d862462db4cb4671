# Code that no run waits for: plans, drivers' calls, the choice of formats, messages, the host's side of devices.
# Compiled for size, which matters to what is downloaded (scripts/wheel.sh), and with -O2 where it has a parallel loop
# of its own. What verifies results and moves rows between ranks and disks is limited by memory, readers of GML and
# GraphML by their branches: -O2 is as fast as -O3 there, and smaller.

set(cold_sources ${library_sources})
set(host_side "_device\\.c$|/pr_(bins|packed|passes|small)\\.c$")
set(formats "/src/io/(fit|format)\\.c$")
list(FILTER cold_sources INCLUDE REGEX
     "/src/(device|engine/device|engine/primitive|jit|plan|run)/|/src/engine/[^/]*$|${formats}|${host_side}")
foreach(cold_source ${cold_sources})
    file(STRINGS "${cold_source}" loops REGEX "HD_PARALLEL|#pragma omp" LIMIT_COUNT 1)
    if(loops)
        list(APPEND cool_sources "${cold_source}")
    else()
        set_property(SOURCE "${cold_source}" APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
    endif()
endforeach()

set(memory_bound ${library_sources})
list(FILTER memory_bound INCLUDE REGEX "/src/(check|exchange|residency|schedule)/|/src/io/(gml|graphml)\\.c$")
set_property(SOURCE ${memory_bound} ${cool_sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
