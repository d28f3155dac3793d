# The Python grammar for tree-sitter, compiled from the npm package
# tree-sitter-python@0.20.4 (ABI 14, the newest that Debian 12's runtime reads).

set(package "${TILEWISE_TREE_SITTER_PYTHON}")
if(NOT package)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(cache "$ENV{XDG_CACHE_HOME}")
  else()
    set(cache "$ENV{HOME}/.cache")
  endif()
  set(package "${cache}/tilewise/node_modules/tree-sitter-python")
endif()
if(NOT EXISTS "${package}/src/parser.c")
  message(FATAL_ERROR
    "no tree-sitter-python grammar in ${package}; run scripts/setup, "
    "or set TILEWISE_TREE_SITTER_PYTHON")
endif()
add_library(tree_sitter_python STATIC "${package}/src/parser.c" "${package}/src/scanner.c")
target_include_directories(tree_sitter_python PRIVATE "${package}/src")
target_compile_options(tree_sitter_python PRIVATE -w)
target_link_libraries(tree_sitter_python PUBLIC PkgConfig::TREE_SITTER)
