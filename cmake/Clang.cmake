# Clang 19, for frontend/cpp, in a plug-in that the program loads with the first C++ source. Off:
# C++ sources are not read, and nothing of LLVM is needed.

option(TILEWISE_CPP "Read C++ sources with Clang 19" ON)
option(TILEWISE_TIDY "The plug-in for clang-tidy 19" ON)
if(TILEWISE_CPP)
  # Packages of other releases may be installed, in part only: that of Clang 19 lies beside LLVM's.
  set(without "install libclang-19-dev, llvm-19-dev and clang-19, or leave C++ out with "
              "-DTILEWISE_CPP=OFF")
  find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19/lib/cmake/llvm)
  if(NOT LLVM_FOUND)
    message(FATAL_ERROR "C++ sources are read with Clang 19, and LLVM 19 was not found: "
                        ${without})
  endif()
  find_package(Clang CONFIG QUIET PATHS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang NO_DEFAULT_PATH)
  if(NOT Clang_FOUND)
    message(FATAL_ERROR "C++ sources are read with Clang 19, whose CMake package was not found in "
                        "${LLVM_INSTALL_PREFIX}/lib/cmake/clang: " ${without})
  endif()
  add_library(tw_clang INTERFACE)
  target_include_directories(tw_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_link_libraries(tw_clang INTERFACE clang-cpp LLVM)
endif()

# Whether the plug-in for clang-tidy is built, which holds the rules and all that they use.
set(tidy OFF)
if(TILEWISE_TIDY AND TILEWISE_CPP)
  find_path(clang_tidy_headers clang-tidy/ClangTidyCheck.h PATHS ${CLANG_INCLUDE_DIRS}
            NO_DEFAULT_PATH)
  if(clang_tidy_headers)
    set(tidy ON)
  else()
    message(STATUS "No headers of clang-tidy in ${CLANG_INCLUDE_DIRS}: libTilewiseTidy.so is left "
                   "out")
  endif()
endif()

# tw_position_independent(TARGET): its code may go into a plug-in. Calls within a source stay as
# fast as in a program.
function(tw_position_independent target)
  if(tidy)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
  endif()
endfunction()

# LibTorch's headers, installed or unpacked by scripts/setup: tests and benchmarks read them.
set(cache_folder "$ENV{XDG_CACHE_HOME}")
if(NOT cache_folder)
  set(cache_folder "$ENV{HOME}/.cache")
endif()
find_path(TILEWISE_LIBTORCH torch/csrc/api/include/torch/torch.h
          PATHS ${cache_folder}/tilewise/libtorch/usr/include
          DOC "Headers of LibTorch; without them their tests are skipped")

# tw_cpp_reader(): the reader, and the plug-in that holds it. The plug-in takes what it needs of
# tilewise from the program that loads it.
function(tw_cpp_reader)
  tw_library(tw_cpp FOLDERS frontend/cpp frontend/cpp/model
             LINKS tw_workload tw_op_library tw_clang)
  set(folder ${CMAKE_SOURCE_DIR}/frontend/cpp/stand_ins)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.inc)
  set(paths ${headers})
  list(TRANSFORM paths PREPEND ${folder}/)
  set(embedded ${CMAKE_BINARY_DIR}/frontend/stand_ins.cc)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded} -DFOLDER=${folder} "-DFILES=${headers}"
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedStandIns.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/EmbedStandIns.cmake
    VERBATIM)
  target_sources(tw_cpp PRIVATE ${embedded})
  set_target_properties(tw_cpp PROPERTIES POSITION_INDEPENDENT_CODE ON
                        DISABLE_PRECOMPILE_HEADERS ON)
  # Clang's own builtin headers (stddef.h).
  target_compile_definitions(tw_cpp PRIVATE
    TILEWISE_CLANG_RESOURCES="${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}")
  add_library(tilewise_cpp MODULE ${CMAKE_SOURCE_DIR}/frontend/cpp/plugin/plugin.cc
              $<TARGET_OBJECTS:tw_cpp>)
  target_link_libraries(tilewise_cpp PRIVATE tw_options tw_clang)
  set_target_properties(tilewise_cpp PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# tw_loads_plugins(PROGRAM): the plug-in is there when it runs.
function(tw_loads_plugins program)
  if(TARGET tilewise_cpp)
    add_dependencies(${program} tilewise_cpp)
  endif()
endfunction()

# tw_tidy_plugin(): rules on C++ sources as checks of clang-tidy, which has Clang itself. Symbols of
# tilewise stay within.
function(tw_tidy_plugin)
  if(NOT tidy)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tidy/*.cc)
  add_library(TilewiseTidy MODULE ${sources} $<TARGET_OBJECTS:tw_cpp>)
  target_link_libraries(TilewiseTidy PRIVATE tw_options tw_clang tw_lint)
  target_link_options(TilewiseTidy PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(TilewiseTidy PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
