// A C++ source as Clang's syntax tree.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontend/cpp/syntax_tree.h"

namespace tilewise {

// What parsing took, of CPU time and of memory.
struct ParseCost {
  double seconds = 0;
  int64_t bytes = 0;
};

struct CppOptions {
  // Folder with compile_commands.json. Empty: where there are no flags either, the nearest folder
  // above the source that has one.
  std::string compilation_database;
  // Compiler flags: "-std=c++17", "-Iinclude". They go behind those of the database.
  std::vector<std::string> flags;
  // Flags that another source of the project needed to find its headers (`found_flags`). They count
  // where nothing else says how the source is compiled.
  std::vector<std::string> known_flags = {};
  // What parsing takes is added here, whether or not it succeeds. Null: nobody asks.
  ParseCost* cost = nullptr;
};

struct TranslationUnit {
  std::unique_ptr<cpp::SyntaxTree> tree;     // never null
  std::vector<std::string> missing_headers;  // as written, in order, once each
  // Headers in whose place those of the project were read, as written: "torch/torch.h".
  std::vector<std::string> stand_ins;
  std::string database;  // that told the flags; empty: none did
  // "-Isrc/utils": the folders of the checkout that had headers which were not found at first.
  std::vector<std::string> found_flags;
  int64_t errors = 0;        // of the compiler, missing headers left out
  std::string first_error;   // "train.cc:12: unknown type name 'Foo'"
  bool wants_cpp20 = false;  // a parameter of a function has the type `auto`

  // Whether all was there and nothing had to be recovered from.
  bool whole() const { return missing_headers.empty() && stand_ins.empty() && errors == 0; }
};

// Parses `text` as the file `path`. Headers that are missing and errors of the source are no
// failure: Clang recovers, and the unit says so. Safe on several threads. Errors: a text that is
// too large; a compilation database that cannot be read; flags that Clang does not take; a source
// on which Clang gave up.
absl::StatusOr<TranslationUnit> ParseTranslationUnit(const std::string& path, std::string_view text,
                                                     const CppOptions& options);

// "3 headers were not found: a.h, b.h, c.h; ..", for a note on the file; empty for a whole unit.
std::string DescribeRecovery(const TranslationUnit& unit);

}  // namespace tilewise
