// What a C++ source says by itself, in the form in which rules know it from Python: calls by dotted
// names, the blocks around them, what they are bound to, includes as imports.

#pragma once

#include <functional>
#include <string>

#include <clang/AST/ASTContext.h>

#include "workload/source_facts.h"

namespace tilewise::cpp {

// Takes the main file alone, calls in the order of the walk: a call before its arguments. `path` is
// what locations name the file.
SourceFacts CollectFacts(clang::ASTContext& context, const std::string& path);

// The same of another file of the tree, `path`; of that the classes, functions and variables that
// `keeps` (null: all).
SourceFacts CollectFacts(clang::ASTContext& context, const std::string& path, clang::FileID file,
                         const std::function<bool(const clang::Decl*)>& keeps);

}  // namespace tilewise::cpp
