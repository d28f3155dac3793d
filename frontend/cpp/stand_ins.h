// Short declarations of the public interfaces of LibTorch, XLA and TensorFlow, which Clang reads
// where the headers of these libraries are not installed.

#pragma once

#include <span>

namespace tilewise {

// Where Clang finds them, behind every folder that the user names.
inline constexpr char kStandInFolder[] = "/tilewise/stand-ins";

struct StandIn {
  const char* name;  // "tilewise/torch.h", which those of stand_ins.def include
  const char* text;
};

std::span<const StandIn> StandIns();

}  // namespace tilewise
