// Which files of a translation unit are the project's own.

#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <clang/Basic/SourceManager.h>

namespace tilewise::cpp {

// The folder of a file, from the root of the file system on.
std::filesystem::path FolderOf(const std::string& path);

// A folder or a file as `file` is named: from the current folder on where the name of that is.
std::string NamedLike(const std::filesystem::path& path, const std::string& file);

// The folder with .git above a file; empty: none.
std::string CheckoutOf(const std::string& path);

// "-std=c++20": the standard that the nearest build file above a source asks for (of CMake, Bazel,
// Meson or Make), else C++17.
std::string StandardOf(const std::string& path);

// The main file, and headers of its checkout, without those of libraries that lie in it
// (include/torch). Without a checkout, those in the folder of the main file or in one beside it:
// src/main.cpp, include/net.h.
class ProjectFiles {
 public:
  // `sources` outlives it.
  explicit ProjectFiles(const clang::SourceManager& sources);

  // The use of a macro counts, not the line that defines it.
  bool Has(clang::SourceLocation at) const;

 private:
  std::string Absolute(llvm::StringRef name) const;

  const clang::SourceManager& sources_;
  std::string source_;
  std::string folder_;  // with a slash at its end; empty: the main file alone
  mutable std::map<clang::FileID, bool> known_;
};

}  // namespace tilewise::cpp
