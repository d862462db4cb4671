# Writes commit.h, the commit of a checkout: cmake -D source=… -D output=… -P commit.cmake, in each build. The file
# changes only with the commit, and one source of the command includes it. Empty outside a checkout.
execute_process(COMMAND git -C "${source}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT EXISTS "${source}/.git" OR NOT commit MATCHES "^[0-9a-f]+(-dirty)?$")
    set(commit "")
endif()
file(CONFIGURE OUTPUT "${output}" CONTENT "#define CLI_COMMIT \"${commit}\"\n" @ONLY)
