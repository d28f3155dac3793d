// The files that Clang sees for a source: those of the machine, with the stand-ins beside.

#pragma once

#include <string>
#include <string_view>

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace tilewise::cpp {

// Stand-ins for installed headers come first here: Boost's options cost Clang half a second.
inline constexpr char kFirstFolder[] = "/tilewise/first";

// The stand-in that declares what the header `name` ("torch/nn.h") has; empty: there is none.
std::string DeclarationsOf(std::string_view name);

// With `text` as `file`. `folder` is the current one; empty: that of the process.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FilesWithStandIns(const std::string& folder,
                                                                  const std::string& file,
                                                                  std::string_view text);

}  // namespace tilewise::cpp
