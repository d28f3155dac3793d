# accuracy/: the tables of validation/ are embedded, so that `tilewise validate`
# needs no files of its own at run time.

file(GLOB validation_data CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/validation/*.csv)
set(embedded_validation ${CMAKE_BINARY_DIR}/accuracy/validation_data.cc)
add_custom_command(
  OUTPUT ${embedded_validation}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded_validation} -DFUNCTION=ValidationFiles
          "-DFILES=${validation_data}" -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
  DEPENDS ${validation_data} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
  VERBATIM)
find_package(Threads REQUIRED)
tw_library(tw_accuracy FOLDERS accuracy LINKS tw_session Threads::Threads)
target_sources(tw_accuracy PRIVATE ${embedded_validation})
