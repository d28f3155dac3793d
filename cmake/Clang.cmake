# Clang 19's lexer, for frontend/cpp. Off: C++ sources are not read.

option(TILEWISE_CPP "Read C++ sources with Clang 19" ON)
if(TILEWISE_CPP)
  find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
  llvm_map_components_to_libnames(llvm_libraries support targetparser)
  add_library(tw_clang INTERFACE)
  target_include_directories(tw_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(tw_clang INTERFACE
    ${LLVM_LIBRARY_DIR}/libclangLex.a ${LLVM_LIBRARY_DIR}/libclangBasic.a
    ${llvm_libraries})
  target_compile_definitions(tw_clang INTERFACE TILEWISE_CPP)
  set(cpp_reader frontend/cpp)
  set(clang_library tw_clang)
endif()
