# The built-in vertex programs: src/engine/cpu/cpu_program.c is compiled once for each file of src/program and
# precision.
# And the text that stands around a user's program, embedded so that the installed library needs no source tree.

file(GLOB program_sources CONFIGURE_DEPENDS src/program/*.c)
set(program_wrapper "${PROJECT_SOURCE_DIR}/src/engine/cpu/cpu_program.c")
list(REMOVE_ITEM library_sources ${program_sources} ${program_wrapper})

set(program_objects "")
foreach(program_source ${program_sources})
    get_filename_component(program ${program_source} NAME_WE)
    set(precisions single double)
    if(program STREQUAL "sssp")
        list(APPEND precisions whole narrow)
    elseif(program STREQUAL "pr")
        list(APPEND precisions shares_single shares_double)
    endif()
    foreach(precision ${precisions})
        set(target program_${program}_${precision})
        add_library(${target} OBJECT ${program_wrapper})
        target_include_directories(${target} PRIVATE src)
        target_link_libraries(${target} PRIVATE heddle_dependencies)
        target_compile_definitions(${target} PRIVATE HD_PROGRAM_FILE="program/${program}.c"
            HD_PROGRAM_SYMBOL=hd_program_${program}_${precision} $<$<STREQUAL:${precision},double>:HEDDLE_DOUBLE>
            $<$<STREQUAL:${precision},shares_double>:HEDDLE_DOUBLE>)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
        list(APPEND program_objects $<TARGET_OBJECTS:${target}>)
    endforeach()
endforeach()
# Whole-numbered distances, for shards, splits and parts on the CPU; devices define DISTANCE in the text.
target_compile_definitions(program_sssp_whole PRIVATE DISTANCE=u64)
target_compile_definitions(program_sssp_narrow PRIVATE DISTANCE=u32)
# What vertices give along each edge, for runs from a file.
target_compile_definitions(program_pr_shares_single PRIVATE SHARES)
target_compile_definitions(program_pr_shares_double PRIVATE SHARES)

# What a compiler calls an embedded file in its messages: no file, of which it might show a line, has this name.
function(line_of number file output)
    string(REGEX REPLACE "^(.*/)?src/" "" name "${file}")
    set(${output} "#line ${number} \"<heddle>/${name}\"\n" PARENT_SCOPE)
endfunction()

# A file's text, with that of our own headers in the place of #include: nothing is looked for at run time. #line keeps
# the numbers of the lines.
function(flat_text file output)
    file(READ "${PROJECT_SOURCE_DIR}/${file}" whole)
    set(text "${whole}")
    string(REGEX MATCHALL "#include \"[^\"]+\"\n" includes "${text}")
    foreach(include ${includes})
        string(REGEX REPLACE ".*\"(.*)\".*" "src/\\1" header "${include}")
        flat_text(${header} inner)
        string(FIND "${whole}" "${include}" length)
        string(SUBSTRING "${whole}" 0 ${length} above)
        string(REGEX REPLACE "[^\n]" "" above "${above}")
        string(LENGTH "${above}" number)
        math(EXPR number "${number} + 2")
        line_of(${number} ${file} back)
        string(REPLACE "${include}" "${inner}${back}" text "${text}")
    endforeach()
    line_of(1 ${file} begin)
    set(${output} "${begin}${text}" PARENT_SCOPE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
endfunction()

# Appends a file as a C string, without what its comments say: that is the key of the cache of compiled kernels. Lines
# stay where they are.
function(embed_text file symbol output)
    flat_text(${file} text)
    set(before "")
    while(NOT text STREQUAL before) # each comment loses its first line in turn, until it is on one line
        set(before "${text}")
        string(REGEX REPLACE "/\\*([^*\n]|\\*+[^*/\n])*\\**\n" "\n/*" text "${text}")
    endwhile()
    string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" " " text "${text}")
    string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REGEX REPLACE "([^\n]*)\n" "    \"\\1\\\\n\"\n" text "${text}")
    set(text "/* ${file} */\nextern const char ${symbol}[];\nconst char ${symbol}[] =\n${text}    ;\n\n")
    set(${output} "${${output}}${text}" PARENT_SCOPE)
endfunction()

set(embedded "")
embed_text(src/engine/cpu/cpu_abi.h hd_text_cpu_abi embedded)
embed_text(src/program/prelude_cpu.h hd_text_prelude_cpu embedded)
embed_text(src/program/words.h hd_text_words embedded)
embed_text(src/engine/cpu/cpu_kernels.h hd_text_cpu_kernels embedded)
# Kernel text: .cl for what is both OpenCL C and CUDA, .cu for CUDA alone. NAME.cl is hd_text_NAME, and that of an
# algorithm hd_text_kernels_NAME.
file(GLOB_RECURSE kernel_texts RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS src/*.cl src/*.cu)
foreach(kernel_text ${kernel_texts})
    get_filename_component(kernel ${kernel_text} NAME_WE)
    if(kernel_text MATCHES "^src/(algorithm|run)/")
        set(kernel kernels_${kernel})
    endif()
    embed_text(${kernel_text} hd_text_${kernel} embedded)
endforeach()
foreach(program_source ${program_sources})
    get_filename_component(program ${program_source} NAME_WE)
    embed_text(src/program/${program}.c hd_text_program_${program} embedded)
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/embedded.c" CONTENT "${embedded}" @ONLY)
list(APPEND library_sources "${PROJECT_BINARY_DIR}/embedded.c")
# ISO C promises no more than 4095 characters in a literal; every compiler we build with takes more.
set_source_files_properties("${PROJECT_BINARY_DIR}/embedded.c" src/io/examples.c PROPERTIES
    COMPILE_OPTIONS -Wno-overlength-strings)
