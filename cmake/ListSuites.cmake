# Writes OUTPUT, which ctest reads: an entry PREFIX.SUITE for each suite of the
# GoogleTest program PROGRAM.

execute_process(COMMAND ${PROGRAM} --gtest_list_tests
                OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${listing}")
set(entries "")
foreach(line ${lines})
  # "Suite." or "Instance/Suite.  # TypeParam = ..."; cases are indented.
  if(NOT line MATCHES "^([^ ]+)\\.( |$)")
    continue()
  endif()
  set(suite ${CMAKE_MATCH_1})
  # Suites over all files of a folder take longest: the first run starts them first.
  set(cost 0)
  if(suite MATCHES "^All/")
    set(cost 1000)
  endif()
  # A suite that ends with a skipped case, and not with failures, is skipped.
  string(APPEND entries
"add_test([=[${PREFIX}.${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])
set_tests_properties([=[${PREFIX}.${suite}]=] PROPERTIES COST ${cost}
  SKIP_REGULAR_EXPRESSION [=[\\[  SKIPPED \\] [^\n]+\n$]=])
")
endforeach()
file(WRITE ${OUTPUT} "${entries}")
