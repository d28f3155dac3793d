// Even split of a kernel's bytes: enough steps for the VMEM budget, and as many
// as balance the exposed first and last window against the cost of a step.

#include "sim/lowering/passes/even_tiles.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "sim/lowering/passes/window_overhead.h"

namespace tilewise {

void SetSteps(Kernel& kernel, int64_t steps, Bytes window, const Chip& chip) {
  Windows& windows = kernel.windows;
  windows.steps = steps;
  windows.vmem = window;
  const bool has_room = 2 * window <= chip.vmem_window_budget;
  windows.buffers = steps > 1 && has_room ? 2 : 1;
  windows.read_per_step = {CeilDiv(kernel.hbm_read.value, steps)};
  windows.write_per_step = {CeilDiv(kernel.hbm_write.value, steps)};
}

void SplitEvenly(Kernel& kernel, const Chip& chip) {
  const int64_t total = (kernel.hbm_read + kernel.hbm_write).value;
  const int64_t budget =
      std::max<int64_t>(1, chip.vmem_window_budget.value / 2);
  const double seconds = static_cast<double>(total) / chip.hbm_bandwidth.value;
  const auto balanced =
      static_cast<int64_t>(std::sqrt(seconds / WindowOverhead(chip).value));
  const int64_t steps =
      std::max({int64_t{1}, CeilDiv(total, budget), balanced});
  SetSteps(kernel, steps, {CeilDiv(total, steps)}, chip);
}

}  // namespace tilewise
