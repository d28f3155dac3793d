# hardware/: the schema compiled by protoc, and the .txtpb files embedded in
# the library so that the program needs no files of its own at run time.

file(GLOB hardware_data CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hardware/data/*.txtpb)
file(GLOB hardware_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hardware/*.cc)
file(GLOB hardware_protos CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hardware/*.proto)
if(hardware_sources)
  set(embedded ${CMAKE_BINARY_DIR}/hardware/embedded_data.cc)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded} -DFUNCTION=EmbeddedFiles
            "-DFILES=${hardware_data}"
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${hardware_data} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    VERBATIM)
  add_library(tw_hardware STATIC ${hardware_sources} ${embedded})
  target_link_libraries(tw_hardware PUBLIC tw_options tw_base PRIVATE protobuf::libprotobuf)
  add_library(tw_hardware_proto OBJECT ${hardware_protos})
  protobuf_generate(TARGET tw_hardware_proto LANGUAGE cpp
                    IMPORT_DIRS ${CMAKE_SOURCE_DIR}
                    PROTOC_OUT_DIR ${CMAKE_BINARY_DIR})
  target_include_directories(tw_hardware_proto SYSTEM PUBLIC ${CMAKE_BINARY_DIR})
  target_link_libraries(tw_hardware_proto PUBLIC protobuf::libprotobuf)
  target_link_libraries(tw_hardware PRIVATE tw_hardware_proto)
  tw_share_headers(tw_hardware)
else()
  add_library(tw_hardware INTERFACE)
  target_link_libraries(tw_hardware INTERFACE tw_options tw_base)
endif()
