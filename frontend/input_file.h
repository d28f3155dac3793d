// One file as readers get it.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

struct InputFile {
  std::string path;
  // The whole file, mapped rather than copied; good until the reader returns.
  std::string_view bytes;
};

}  // namespace tilewise
