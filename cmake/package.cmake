# The CMake package: find_package(heddle) in another project. The shared library needs nothing else. The static one
# needs what heddle_dependencies links with; each NAME::… of that is a package that the config file looks for in turn.

include(CMakePackageConfigHelpers)

set(heddle_packages "") # with components behind a colon
get_target_property(libraries heddle_dependencies INTERFACE_LINK_LIBRARIES)
foreach(library ${libraries})
    if(library MATCHES "^OpenMP::")
        list(APPEND heddle_packages OpenMP:C)
    elseif(library MATCHES "^([A-Za-z0-9]+)::")
        list(APPEND heddle_packages ${CMAKE_MATCH_1})
    endif()
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_file(packaging/heddle-config.cmake.in heddle-config.cmake @ONLY)
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/heddle-config-version.cmake" COMPATIBILITY SameMinorVersion)

set(folders ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS heddle_dependencies heddle_static EXPORT heddle-static-targets ${folders})
install(EXPORT heddle-static-targets NAMESPACE heddle:: DESTINATION ${package_folder})
if(TARGET heddle_shared)
    set_target_properties(heddle_shared PROPERTIES EXPORT_NAME heddle)
    install(TARGETS heddle_shared EXPORT heddle-targets ${folders})
    install(EXPORT heddle-targets NAMESPACE heddle:: DESTINATION ${package_folder})
endif()
install(FILES "${PROJECT_BINARY_DIR}/heddle-config.cmake" "${PROJECT_BINARY_DIR}/heddle-config-version.cmake"
    DESTINATION ${package_folder})
