// The header of a library that many sources of a run begin with, parsed once for all of them.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <clang/Basic/FileManager.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Serialization/PCHContainerOperations.h>

namespace tilewise::cpp {

struct LibraryHeader {
  std::string line;          // "#include <torch/torch.h>"; empty: there is none
  std::string declarations;  // the stand-in that declares what it has
};

// The first one of a source `file` that has none but headers of C++ itself before it.
LibraryHeader FirstHeader(const std::string& file, std::string_view text);

// Sets `invocation` up to begin with what the header declares, and returns the files to read from.
// `flags` are those by which the header is parsed. Returns `files`, and leaves the invocation as it
// is, where the header is not precompiled: only the second source that asks has it made, as a lone
// one is parsed sooner without.
llvm::IntrusiveRefCntPtr<clang::FileManager> BeginWithHeader(
    const LibraryHeader& header, const std::string& flags, clang::CompilerInvocation& invocation,
    llvm::IntrusiveRefCntPtr<clang::FileManager> files,
    const std::shared_ptr<clang::PCHContainerOperations>& containers);

}  // namespace tilewise::cpp
