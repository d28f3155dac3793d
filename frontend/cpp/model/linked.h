// A C++ program of several sources: what its main one only declares is looked for beside it.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/cpp/model/program_writer.h"
#include "frontend/cpp/syntax_tree.h"

namespace tilewise::cpp {

// Parses a source for its syntax tree; null: it cannot be read.
using ParseSource =
    std::function<std::unique_ptr<SyntaxTree>(const std::string& path, const std::string& text)>;

// The program in `unit`, the source `path`, with modules for the sources beside it (in its folder,
// or in `src` beside a folder of headers) that define what it declares. These are parsed for what
// is `asked` for or runs by itself: another source is a part of other programs.
TranslatedProgram TranslateLinked(const SyntaxTree& unit, const std::string& path, bool asked,
                                  const ParseSource& parse);

}  // namespace tilewise::cpp
