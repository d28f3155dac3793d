// Sums over the ops of the graph, bound to the batch.

#include "workload/coverage.h"

#include "workload/op_count.h"

namespace tilewise {
namespace {

double Share(double part, double whole) { return whole > 0 ? part / whole : 1; }

double NativeOps(const Workload& workload) {
  double opaque = 0;
  for (const auto& [name, count] : workload.opaque_layers) {
    opaque += static_cast<double>(count);
  }
  const auto all = static_cast<double>(workload.layers);
  return all > opaque ? 1 - opaque / all : (opaque > 0 ? 0 : 1);
}

}  // namespace

Coverage MeasureCoverage(const Workload& workload, int64_t batch) {
  Coverage coverage;
  coverage.batch = batch;
  coverage.native_ops = NativeOps(workload);
  if (!workload.graph) return coverage;
  const Graph graph = workload.graph->Bind(batch);
  double opaque_flops = 0;
  double opaque_bytes = 0;
  for (const Op& op : graph.ops()) {
    ++coverage.by_kind[std::string(OpName(op.kind))];
    if (op.kind == OpKind::kVariable) {
      coverage.parameters += op.shape.elements();
      coverage.parameter_bytes += op.shape.unpadded_bytes();
    }
    if (ClassOf(op.kind) == OpClass::kLeaf) continue;
    ++coverage.ops;
    const double flops = CountFlops(graph, op);
    const double bytes = CountBytes(graph, op);
    coverage.flops += flops;
    coverage.bytes += bytes;
    if (op.kind != OpKind::kOpaque) continue;
    opaque_flops += flops;
    opaque_bytes += bytes;
  }
  coverage.native_flops = Share(coverage.flops - opaque_flops, coverage.flops);
  coverage.native_bytes = Share(coverage.bytes - opaque_bytes, coverage.bytes);
  return coverage;
}

}  // namespace tilewise
