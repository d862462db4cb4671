# What `make install` puts where: GNU folders under the prefix, DESTDIR honoured.

configure_file(packaging/heddle.pc.in heddle.pc @ONLY)

install(FILES include/heddle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS heddle_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET heddle_shared)
    install(TARGETS heddle_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET heddle)
    install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(FILES "${PROJECT_BINARY_DIR}/heddle.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES docs/heddle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES completions/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES completions/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
