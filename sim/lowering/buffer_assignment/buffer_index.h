// Which buffer a kernel finds a value in.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// Finds buffers of a program whose buffers are ordered by value and then by
// time, and stay as they are. Answers are none where there is no such buffer.
class BufferIndex {
 public:
  explicit BufferIndex(const Program& program);

  // Returns the buffer where kernel `k` reads the value: as it was written last
  // before `k`.
  BufferId ReadAt(OpId value, KernelId k) const;
  // Returns the buffer where kernel `k` writes it.
  BufferId WrittenAt(OpId value, KernelId k) const;

 private:
  const std::vector<Buffer>& buffers_;
  std::vector<BufferId> begin_;  // by op; one more at the end
};

}  // namespace tilewise
