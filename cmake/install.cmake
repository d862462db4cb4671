# What `make install` puts where: GNU folders under the prefix, DESTDIR honoured.

# The prefix is found from where heddle.pc lies, so that it is right after `cmake --install --prefix` and after a move;
# an absolute folder of libraries has no place below it.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
foreach(folder includedir libdir)
    string(TOUPPER ${folder} upper)
    set(pc_${folder} "${CMAKE_INSTALL_${upper}}")
    if(NOT IS_ABSOLUTE "${pc_${folder}}")
        set(pc_${folder} "\${prefix}/${pc_${folder}}")
    endif()
endforeach()
configure_file(packaging/heddle.pc.in heddle.pc @ONLY)

install(FILES include/heddle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
include(package) # the libraries
if(TARGET heddle)
    install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(FILES "${PROJECT_BINARY_DIR}/heddle.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/heddle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The header's comments are the reference of the interface; its manual page is made of them.
find_program(AWK NAMES awk gawk mawk)
mark_as_advanced(AWK)
if(AWK)
    set(manual "${PROJECT_SOURCE_DIR}/scripts/header-manual.awk")
    add_custom_command(OUTPUT heddle.3 DEPENDS "${manual}" "${PROJECT_SOURCE_DIR}/include/heddle.h" VERBATIM
        COMMAND ${AWK} -v version=${PROJECT_VERSION} -f "${manual}" "${PROJECT_SOURCE_DIR}/include/heddle.h" > heddle.3)
    add_custom_target(manual ALL DEPENDS heddle.3)
    add_dependencies(product manual)
    install(FILES "${PROJECT_BINARY_DIR}/heddle.3" DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
else()
    message(STATUS "awk: not found, the manual page heddle(3) is not made")
endif()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES completions/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES completions/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
