# The recipes of docs/architecture.md as a test: the command with one toy more on each axis. A toy is one file, which
# lies under tests/recipes/src/ where src/ would have it, and one line in one table, which tests/recipes/tables.txt
# names. The tables are compiled again with that line; everything else is the library's, so a toy that needs more does
# not link or does not work.

set(recipes_dir "${PROJECT_BINARY_DIR}/recipes")
file(GLOB_RECURSE recipe_sources CONFIGURE_DEPENDS tests/recipes/src/*.c)
file(STRINGS tests/recipes/tables.txt recipe_lines)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/recipes/tables.txt")

foreach(line ${recipe_lines})
    string(REPLACE " " ";" words "${line}")
    list(GET words 0 file)
    list(GET words 1 table)
    list(GET words 2 toy)
    file(READ "${PROJECT_SOURCE_DIR}/${file}" text)
    set(head "#define ${table}\\(X\\) *\\\\\n    X\\([a-z_]+\\) *\\\\\n") # and its first line
    string(REGEX REPLACE "(${head})" "\\1    X(${toy}) \\\\\n" changed "${text}")
    if(changed STREQUAL text)
        message(FATAL_ERROR "${file}: there is no table ${table}")
    endif()
    file(CONFIGURE OUTPUT "${recipes_dir}/${file}" CONTENT "${changed}" @ONLY)
    list(APPEND recipe_sources "${recipes_dir}/${file}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
endforeach()

set(recipe_texts "")
file(GLOB_RECURSE kernel_texts RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS tests/recipes/src/*.cl)
foreach(kernel_text ${kernel_texts})
    get_filename_component(kernel ${kernel_text} NAME_WE)
    embed_text(${kernel_text} hd_text_${kernel} recipe_texts)
endforeach()
file(CONFIGURE OUTPUT "${recipes_dir}/embedded.c" CONTENT "${recipe_texts}" @ONLY)
set_source_files_properties("${recipes_dir}/embedded.c" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)

add_executable(heddle_recipes $<TARGET_OBJECTS:heddle> ${recipe_sources} "${recipes_dir}/embedded.c")
target_include_directories(heddle_recipes PRIVATE include src)
target_link_libraries(heddle_recipes PRIVATE heddle_static ${gomp_archive})
set_target_properties(heddle_recipes PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${recipes_dir}")
heddle_add_test(recipes cli ${CMAKE_COMMAND} -E env HEDDLE=$<TARGET_FILE:heddle_recipes>
    ${heddle_python} "${PROJECT_SOURCE_DIR}/tests/recipes/test_recipes.py")
