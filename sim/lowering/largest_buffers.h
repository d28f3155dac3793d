// The buffers that make the HBM peak, as out-of-memory messages name them.

#pragma once

#include <string>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

struct LargeBuffer {
  std::string name;   // op name
  std::string shape;  // with layout
  Bytes padded, unpadded;
};

// The `count` largest buffers at the program's HBM peak, largest first.
std::vector<LargeBuffer> LargestBuffers(const Program& program, size_t count = 3);

}  // namespace tilewise
