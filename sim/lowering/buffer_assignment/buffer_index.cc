// Offsets of each value's buffers; most values have one.

#include "sim/lowering/buffer_assignment/buffer_index.h"

namespace tilewise {

BufferIndex::BufferIndex(const Program& program)
    : buffers_(program.buffers), begin_(program.graph.size() + 1, 0) {
  for (const Buffer& buffer : buffers_) {
    ++begin_[buffer.value + 1];
  }
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1].value();
}

BufferId BufferIndex::ReadAt(OpId value, KernelId k) const {
  const BufferId begin = begin_[value];
  BufferId at = begin_[value + 1] - 1;
  while (at > begin && buffers_[at].first >= k) --at;
  return at >= begin ? at : BufferId();
}

BufferId BufferIndex::WrittenAt(OpId value, KernelId k) const {
  const BufferId begin = begin_[value];
  BufferId at = begin_[value + 1] - 1;
  while (at >= begin && buffers_[at].first != k) --at;
  return at >= begin ? at : BufferId();
}

}  // namespace tilewise
