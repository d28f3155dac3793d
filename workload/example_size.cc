// How large one example is where it crosses from host to device.

#include "workload/example_size.h"

namespace tilewise {

Bytes BytesPerExample(const Workload& workload, const Graph* graph) {
  const Pipeline* pipeline = workload.training_pipeline();
  if (pipeline != nullptr && pipeline->item_bytes) return *pipeline->item_bytes;
  Bytes total;
  // A model by its name alone: its inputs are made on the device, as in the
  // benchmarks that are published for such models.
  if (graph == nullptr || workload.files.empty()) return total;
  for (const Op& op : graph->ops()) {
    // What does not grow with the batch stays on the device.
    if (op.kind != OpKind::kParameter || op.shape.is_static()) continue;
    total += op.shape.Bound(1).unpadded_bytes();
  }
  return total;
}

}  // namespace tilewise
