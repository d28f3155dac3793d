// The buffers that make the HBM peak, as out-of-memory messages name them, like ones of many layers
// together.

#pragma once

#include <string>
#include <vector>

#include "base/location.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Buffers of one shape and use whose names differ in numbers alone.
struct LargeBuffer {
  std::string name;        // op name; of several with the range of each number: "layer1..24/dot"
  std::string shape;       // with layout
  Bytes padded, unpadded;  // of each
  int64_t count = 1;
  BufferUse use = BufferUse::kTemporary;
  Location location;  // of the op in the user's file; several: none unless they have it in common

  Bytes all_padded() const { return padded * count; }
};

// The `count` groups that take most at the program's HBM peak, largest first.
std::vector<LargeBuffer> LargestBuffers(const Program& program, size_t count = 3);

}  // namespace tilewise
