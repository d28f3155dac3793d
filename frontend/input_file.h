// One file as readers get it.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

struct InputFile {
  std::string path;
  // The whole file, mapped rather than copied; good until the reader returns.
  std::string_view bytes;
  // What the framework writes beside it, where that is there: the debug info of
  // a SavedModel.
  std::string_view beside = {};
};

}  // namespace tilewise
