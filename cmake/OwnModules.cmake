# frontend/program/modules: tilewise's own account of Python's libraries, as
# Python sources that are parsed when tilewise is built.

set(own_modules_folder ${CMAKE_SOURCE_DIR}/frontend/program/modules)
file(GLOB_RECURSE own_module_files CONFIGURE_DEPENDS ${own_modules_folder}/*.py)
set(own_modules_output ${CMAKE_BINARY_DIR}/frontend/own_modules)
set(embedded_modules ${own_modules_output}.cc)
add_executable(compile_modules ${CMAKE_SOURCE_DIR}/cmake/compile_modules.cc)
target_link_libraries(compile_modules PRIVATE tw_python)
add_custom_command(
  OUTPUT ${embedded_modules} ${own_modules_output}.bin
  COMMAND compile_modules ${own_modules_folder} ${own_modules_output}
  DEPENDS compile_modules ${own_module_files}
  VERBATIM)
set_source_files_properties(${embedded_modules} PROPERTIES OBJECT_DEPENDS
                                                           ${own_modules_output}.bin)
