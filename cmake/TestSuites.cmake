# tw_discover_suites(TARGET PREFIX): a ctest entry for each suite of a GoogleTest
# program, listed when it is built. One process runs all cases of a suite; its
# output names those that failed or were skipped.

function(tw_discover_suites target prefix)
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    BYPRODUCTS ${tests}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DPREFIX=${prefix}
            -DOUTPUT=${tests} -P ${PROJECT_SOURCE_DIR}/cmake/ListSuites.cmake
    VERBATIM)
  # A program that is not built is a test that fails.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake
"if(EXISTS [=[${tests}]=])
  include([=[${tests}]=])
else()
  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
               ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
endfunction()
