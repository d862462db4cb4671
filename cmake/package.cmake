# The CMake package: find_package(heddle) in another project. Its dependencies are those that heddle_dependencies links
# with; each NAME::… of them is a package that the config file looks for in its turn.

include(CMakePackageConfigHelpers)

set(heddle_find_dependencies "")
get_target_property(libraries heddle_dependencies INTERFACE_LINK_LIBRARIES)
foreach(library ${libraries})
    if(library MATCHES "^OpenMP::")
        string(APPEND heddle_find_dependencies "find_dependency(OpenMP COMPONENTS C)\n")
    elseif(library MATCHES "^([A-Za-z0-9]+)::")
        string(APPEND heddle_find_dependencies "find_dependency(${CMAKE_MATCH_1})\n")
    endif()
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_file(packaging/heddle-config.cmake.in heddle-config.cmake @ONLY)
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/heddle-config-version.cmake" COMPATIBILITY SameMinorVersion)

set(package_targets heddle_dependencies heddle_static)
if(TARGET heddle_shared)
    set_target_properties(heddle_shared PROPERTIES EXPORT_NAME heddle)
    list(APPEND package_targets heddle_shared)
endif()
install(TARGETS ${package_targets} EXPORT heddle-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT heddle-targets NAMESPACE heddle:: DESTINATION ${package_folder})
install(FILES "${PROJECT_BINARY_DIR}/heddle-config.cmake" "${PROJECT_BINARY_DIR}/heddle-config-version.cmake"
    DESTINATION ${package_folder})
