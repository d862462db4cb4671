# libheddle-mpi.so: all that calls MPI, opened at run time by processes that a launcher started together. The library
# and the command do not link with MPI, and do not need it.
#
# Sanitized builds have none unless it is asked for: MPI libraries leak and race by design.

if(HEDDLE_MPI STREQUAL "AUTO" AND HEDDLE_SANITIZE)
    set(heddle_mpi_wanted OFF)
else()
    set(heddle_mpi_wanted ${HEDDLE_MPI})
endif()
if(heddle_mpi_wanted STREQUAL "AUTO" OR heddle_mpi_wanted)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI COMPONENTS C QUIET)
    if(NOT MPI_C_FOUND AND NOT heddle_mpi_wanted STREQUAL "AUTO")
        message(FATAL_ERROR "MPI: not found, and HEDDLE_MPI is ON (install libopenmpi-dev, or libmpich-dev)")
    endif()
endif()

if((heddle_mpi_wanted STREQUAL "AUTO" OR heddle_mpi_wanted) AND MPI_C_FOUND)
    add_library(heddle_mpi MODULE src/exchange/mpi/module.c)
    target_include_directories(heddle_mpi PRIVATE src)
    target_link_libraries(heddle_mpi PRIVATE MPI::MPI_C)
    set_target_properties(heddle_mpi PROPERTIES OUTPUT_NAME heddle-mpi PREFIX lib SUFFIX .so
        C_VISIBILITY_PRESET hidden)
    install(TARGETS heddle_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    message(STATUS "MPI: ${MPI_C_VERSION}, several ranks")
elseif(heddle_mpi_wanted STREQUAL "AUTO")
    message(STATUS "MPI: not found, no runs on several ranks (install libopenmpi-dev)")
else()
    message(STATUS "MPI: turned off, no runs on several ranks")
endif()
