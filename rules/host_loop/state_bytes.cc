// The state of a training step, from the buffers of the lowered program.

#include "rules/host_loop/state_bytes.h"

namespace tilewise {

Bytes StateBytes(const Facts& facts) {
  Bytes total;
  for (const Buffer& buffer : facts.model->program.buffers) {
    if (buffer.use == BufferUse::kVariable || buffer.use == BufferUse::kOptimizerState) {
      total += buffer.padded;
    }
  }
  return total;
}

}  // namespace tilewise
