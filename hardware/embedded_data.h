// The files of hardware/data, compiled into the program.

#pragma once

#include <span>
#include <string_view>

namespace tilewise {

struct EmbeddedFile {
  std::string_view name;  // "chip_v3.txtpb"
  std::string_view text;
};
std::span<const EmbeddedFile> EmbeddedFiles();  // sorted by name

}  // namespace tilewise
