// Which buffer a kernel finds a value in.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// Of a program whose buffers are ordered by value and then by time, and stay
// as they are. Answers are indices of Program::buffers, -1 for none.
class BufferIndex {
 public:
  explicit BufferIndex(const Program& program);

  // Where kernel `k` reads the value: as it was written last before `k`.
  int32_t ReadAt(OpId value, int32_t k) const;
  // Where kernel `k` writes it.
  int32_t WrittenAt(OpId value, int32_t k) const;

 private:
  const std::vector<Buffer>& buffers_;
  std::vector<int32_t> begin_;  // by op; one more at the end
};

}  // namespace tilewise
