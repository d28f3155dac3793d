# frontend/: a library for each format with a schema or a grammar of its own, so
# that each is built and tested apart. .proto files beside the sources are
# compiled; generated names are those of the fields of the wire tables.

pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)

function(tw_reader name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;LINKS" ${ARGN})
  set(protos)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.proto)
    list(APPEND protos ${found})
  endforeach()
  tw_library(${name} FOLDERS ${ARG_FOLDERS} LINKS ${ARG_LINKS})
  if(protos)
    add_library(${name}_proto OBJECT ${protos})
    protobuf_generate(TARGET ${name}_proto LANGUAGE cpp
                      IMPORT_DIRS ${CMAKE_SOURCE_DIR}
                      PROTOC_OUT_DIR ${CMAKE_BINARY_DIR})
    target_include_directories(${name}_proto SYSTEM PUBLIC ${CMAKE_BINARY_DIR})
    target_link_libraries(${name}_proto PUBLIC protobuf::libprotobuf)
    get_target_property(kind ${name} TYPE)
    if(kind STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(${name} INTERFACE ${name}_proto)
    else()
      target_link_libraries(${name} PUBLIC ${name}_proto)
    endif()
  endif()
endfunction()

tw_reader(tw_wire FOLDERS frontend/wire LINKS tw_base protobuf::libprotobuf)
tw_reader(tw_hlo FOLDERS frontend/hlo LINKS tw_workload tw_op_library tw_wire)
tw_reader(tw_mlir FOLDERS frontend/mlir LINKS tw_hlo)
tw_reader(tw_tensorflow FOLDERS frontend/tensorflow frontend/tensorflow/ops
          LINKS tw_workload tw_op_library tw_wire nlohmann_json::nlohmann_json)
tw_reader(tw_onnx FOLDERS frontend/onnx frontend/onnx/ops
          LINKS tw_workload tw_op_library tw_wire)
include(OwnModules)
tw_library(tw_program FOLDERS frontend/program frontend/program/ops
           LINKS tw_onnx tw_op_library tw_workload tw_python
           PRIVATE_LINKS Boost::boost yaml-cpp)
target_sources(tw_program PRIVATE ${embedded_modules})
set_source_files_properties(${embedded_modules} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                            SKIP_PRECOMPILE_HEADERS ON)
