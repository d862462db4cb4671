# The Python package: its tests, and what a wheel is made of (pyproject.toml, scikit-build-core). The package is a
# binding over the shared library and the header, which are installed beside the .py files. A wheel has the command too:
# it starts without Python and links with archives where there are some, so that it runs wherever it is put.

if(SKBUILD)
    if(NOT TARGET heddle_shared)
        message(FATAL_ERROR "the Python package needs the shared library: HEDDLE_SHARED=ON, no sanitizer")
    endif()
    target_link_options(heddle PRIVATE -s)
    install(TARGETS heddle RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT python)
    install(FILES docs/heddle.1 DESTINATION "${SKBUILD_DATA_DIR}/share/man/man1" COMPONENT python)
    target_link_options(heddle_shared PRIVATE -s)
    install(FILES $<TARGET_FILE:heddle_shared> DESTINATION heddle RENAME libheddle.so COMPONENT python
        PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    install(FILES include/heddle.h DESTINATION heddle COMPONENT python)
endif()

if(HEDDLE_TESTS AND TARGET heddle_shared)
    # heddle_find_python(VARIABLE MODULES): an interpreter that has them all; the environment of
    # scripts/python-env.sh first.
    function(heddle_find_python variable modules)
        foreach(candidate "$ENV{HEDDLE_PYTHON}" "${PROJECT_BINARY_DIR}/python-env/bin/python" python3 /usr/bin/python3)
            if(candidate)
                execute_process(COMMAND "${candidate}" -c "import sys; assert sys.version_info >= (3, 11); ${modules}"
                    RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
                if(missing EQUAL 0)
                    set(${variable} "${candidate}" PARENT_SCOPE)
                    return()
                endif()
            endif()
        endforeach()
        set(${variable} "" PARENT_SCOPE)
    endfunction()

    # heddle_python_test(NAME MODULES ARGUMENT…): pytest with these arguments, or a test that says what is missing
    function(heddle_python_test name modules)
        heddle_find_python(python "${modules}")
        if(python)
            heddle_add_test(${name} python "${python}" -m pytest -q -p no:cacheprovider ${ARGN})
            set_tests_properties(python/${name} PROPERTIES COST 60 ENVIRONMENT
                "${heddle_test_environment};HEDDLE_LIBRARY=$<TARGET_FILE:heddle_shared>;\
PYTHONPATH=${PROJECT_SOURCE_DIR}/python:${PROJECT_SOURCE_DIR}/python/tests")
        else()
            heddle_add_test(${name} python bash -c
                "echo 'skipped: no Python of 3.11 or later with the packages of scripts/python-env.sh' && exit 77")
        endif()
    endfunction()

    heddle_python_test(package "import numpy, pytest" -p heddle_suite "${PROJECT_SOURCE_DIR}/python/tests")
    # A part of NetworkX's own suite, against the backend; all of it: leave out what follows --pyargs networkx.
    heddle_python_test(networkx "import numpy, scipy, pytest, networkx as n; assert n.__version__ >= '3.4'"
        -p heddle_suite --heddle-suite --heddle-least 2500 -k "not use_bounds" --pyargs
        networkx.algorithms.components networkx.algorithms.assortativity networkx.algorithms.bipartite
        networkx.algorithms.community networkx.algorithms.connectivity.tests.test_edge_kcomponents
        networkx.algorithms.tests.test_bridges networkx.algorithms.tests.test_euler
        networkx.algorithms.tests.test_reciprocity networkx.algorithms.tests.test_richclub
        networkx.algorithms.tests.test_smetric networkx.algorithms.tests.test_hierarchy
        networkx.algorithms.centrality.tests.test_degree_centrality
        networkx.algorithms.link_analysis networkx.algorithms.shortest_paths
        networkx.algorithms.centrality.tests.test_closeness_centrality
        networkx.algorithms.centrality.tests.test_eigenvector_centrality
        networkx.algorithms.centrality.tests.test_harmonic_centrality
        networkx.algorithms.centrality.tests.test_katz_centrality
        networkx.algorithms.centrality.tests.test_reaching networkx.algorithms.tests.test_cluster
        networkx.algorithms.tests.test_core networkx.algorithms.tests.test_dag
        networkx.algorithms.tests.test_distance_measures networkx.algorithms.tests.test_efficiency
        networkx.algorithms.tests.test_link_prediction
        networkx.algorithms.tests.test_voronoi networkx.algorithms.tests.test_wiener
        networkx.algorithms.traversal.tests.test_bfs networkx.algorithms.tree.tests.test_mst
        networkx.generators.tests.test_ego)
endif()
