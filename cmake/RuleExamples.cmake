# cli/: of each rule one short fixture that has its finding and one that has
# not are embedded, so that `tilewise explain` shows them without files.

file(GLOB fixtures CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/rules/fixtures/*/*
                                     ${CMAKE_SOURCE_DIR}/tests/lint/fixtures/*/*)
set(examples)
set(shown)
foreach(file ${fixtures})
  string(REGEX MATCH "[A-Z0-9]+/(bad|good)" kind "${file}")
  file(SIZE ${file} size)
  if(kind AND size LESS 2048 AND NOT kind IN_LIST shown AND NOT file MATCHES "ipynb$")
    list(APPEND shown ${kind})
    list(APPEND examples ${file})
  endif()
endforeach()
set(embedded_examples ${CMAKE_BINARY_DIR}/cli/rule_example_files.cc)
add_custom_command(
  OUTPUT ${embedded_examples}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded_examples} -DFUNCTION=RuleExampleFiles
          -DWITH_FOLDER=ON "-DFILES=${examples}"
          -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
  DEPENDS ${examples} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
  VERBATIM)
target_sources(tw_cli PRIVATE ${embedded_examples})
