# Code that is no faster with -O3. No run waits for plans, drivers' calls, the choice of formats, messages and the
# host's side of devices; memory limits what verifies results and moves rows between ranks and disks, and branches limit
# the readers of GML and GraphML.

set(cold_sources ${library_sources})
set(host_side "_device\\.c$|/pr_(bins|packed|passes|small)\\.c$")
set(formats "/src/io/(fit|format|gml|graphml)\\.c$")
set(folders "/src/(check|device|engine/device|engine/primitive|exchange|jit|plan|residency|run|schedule)/")
list(FILTER cold_sources INCLUDE REGEX "${folders}|/src/engine/[^/]*$|${formats}|${host_side}")
set_property(SOURCE ${cold_sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
