# frontend/program/modules: tilewise's own account of Python's libraries, as
# Python sources that are compiled in.

set(own_modules_folder ${CMAKE_SOURCE_DIR}/frontend/program/modules)
file(GLOB_RECURSE own_modules CONFIGURE_DEPENDS RELATIVE ${own_modules_folder}
     ${own_modules_folder}/*.py)
set(embedded_modules ${CMAKE_BINARY_DIR}/frontend/own_modules.cc)
set(own_module_files ${own_modules})
list(TRANSFORM own_module_files PREPEND ${own_modules_folder}/)
add_custom_command(
  OUTPUT ${embedded_modules}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded_modules} -DFOLDER=${own_modules_folder}
          "-DFILES=${own_modules}" -P ${CMAKE_SOURCE_DIR}/cmake/EmbedModules.cmake
  DEPENDS ${own_module_files} ${CMAKE_SOURCE_DIR}/cmake/EmbedModules.cmake
  VERBATIM)
