// The buffers that make the HBM peak, as out-of-memory messages name them.

#include "sim/lowering/largest_buffers.h"

#include "graph/shape.h"
#include "sim/lowering/layout.h"

namespace tilewise {

std::vector<LargeBuffer> LargestBuffers(const Program& program, size_t count) {
  std::vector<LargeBuffer> largest;
  for (const BufferId index : program.memory.largest) {
    if (largest.size() == count) break;
    const Buffer& buffer = program.buffers[index];
    const Op& op = program.graph.op(buffer.value);
    const Layout& layout = program.layouts[buffer.value];
    largest.push_back({.name = op.name,
                       .shape = FormatShape(op.shape) + FormatLayout(layout),
                       .padded = buffer.padded,
                       .unpadded = buffer.unpadded});
  }
  return largest;
}

}  // namespace tilewise
