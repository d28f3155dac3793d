// How large one example is where it crosses from host to device.

#include "workload/example_size.h"

namespace tilewise {

Bytes BytesPerExample(const Workload& workload) {
  const Pipeline* pipeline = workload.training_pipeline();
  if (pipeline != nullptr && pipeline->item_bytes) return *pipeline->item_bytes;
  Bytes total;
  if (!workload.graph) return total;
  for (const Op& op : workload.graph->ops()) {
    // What does not grow with the batch stays on the device.
    if (op.kind != OpKind::kParameter || op.shape.is_static()) continue;
    total += op.shape.Bound(1).unpadded_bytes();
  }
  return total;
}

}  // namespace tilewise
