// One formula for each class of ops; matmuls are 2 m n k.

#include "workload/coverage.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tilewise {
namespace {

double Elements(const Op& op) { return static_cast<double>(op.shape.elements()); }

double Elements(const Graph& graph, const Op& op, size_t operand) {
  if (operand >= op.operands.size()) return 0;
  return Elements(graph.op(op.operands[operand]));
}

double DotFlops(const Graph& graph, const Op& op) {
  const Shape& lhs = graph.operand(op, 0).shape;
  double contracted = 1;
  for (const int64_t dim : op.as<DotAttrs>().lhs_contract) {
    contracted *= static_cast<double>(lhs.size(dim));
  }
  return 2 * Elements(op) * contracted;
}

// Returns the FLOPs of the forward convolution that it is, or is the gradient of: two for each
// element of the kernel at each position of the result, within a group.
double ConvolutionFlops(const Graph& graph, const Op& op) {
  const bool kernel_grad = op.kind == OpKind::kConvKernelGrad;
  const bool input_grad = op.kind == OpKind::kConvInputGrad;
  const Op& kernel = kernel_grad ? op : graph.operand(op, 1);
  // Result of the forward convolution.
  const Op& places = kernel_grad ? graph.operand(op, 1) : input_grad ? graph.operand(op, 0) : op;
  const int64_t out = kernel.shape.size(kernel.shape.rank() - 1);
  if (out <= 0) return 0;
  return 2 * Elements(places) * Elements(kernel) / static_cast<double>(out);
}

double WindowElements(const Op& op) {
  double size = 1;
  for (const WindowDim& dim : op.as<PoolAttrs>().window) {
    size *= static_cast<double>(dim.size);
  }
  return size;
}

// Two matmuls over every pair of a query and a key.
double AttentionFlops(const Graph& graph, const Op& op) {
  const Shape& q = graph.operand(op, 0).shape;
  const Shape& k = graph.operand(op, 1).shape;
  const Shape& v = graph.operand(op, 2).shape;
  const double pairs = static_cast<double>(q.size(0)) * static_cast<double>(q.size(1)) *
                       static_cast<double>(q.size(2)) * static_cast<double>(k.size(1));
  const auto depth = static_cast<double>(q.size(3) + v.size(3));
  const double products = op.kind == OpKind::kFlashAttentionGrad ? 2.5 : 1;
  return op.as<AttentionAttrs>().result == 0 ? products * 2 * pairs * depth : 0;
}

double CompositeFlops(const Graph& graph, const Op& op) {
  switch (op.kind) {
    case OpKind::kAttention:
      return AttentionFlops(graph, op);
    case OpKind::kSoftmax:
    case OpKind::kSoftmaxCrossEntropy:
      return 5 * Elements(graph, op, 0);
    case OpKind::kBatchNormInference:
      return 2 * Elements(graph, op, 0);
    default:  // norms with moments, gelu
      return 8 * Elements(graph, op, 0);
  }
}

double OnceFlops(const Graph& graph, const Op& op) {
  switch (ClassOf(op.kind)) {
    case OpClass::kLeaf:
    case OpClass::kData:
    case OpClass::kTransfer:
      return 0;
    case OpClass::kMxu:
      return op.kind == OpKind::kDot ? DotFlops(graph, op) : ConvolutionFlops(graph, op);
    case OpClass::kReduce:
      return Elements(graph, op, 0);
    case OpClass::kWindow:
      return op.kind == OpKind::kCumulative
                 ? Elements(op)
                 : WindowElements(op) * (op.kind == OpKind::kSelectAndScatter
                                             ? Elements(graph, op, 1)
                                             : Elements(op));
    case OpClass::kIndex:
      return op.kind == OpKind::kScatterAdd      ? Elements(graph, op, 1)
             : op.kind == OpKind::kScatterSlices ? Elements(graph, op, 2)
                                                 : 0;
    case OpClass::kRecurrent:
      return 2 * Elements(graph, op, 0) * static_cast<double>(graph.operand(op, 1).shape.size(0));
    case OpClass::kSort: {
      const Shape& keys = graph.operand(op, 0).shape;
      const int64_t dim =
          op.kind == OpKind::kTopK ? keys.rank() - 1 : op.as<SortAttrs>().dims.front();
      const auto length = static_cast<double>(keys.size(dim));
      return Elements(graph, op, 0) * std::max(1.0, std::log2(length));
    }
    case OpClass::kAttention:
      return AttentionFlops(graph, op);
    case OpClass::kComposite:
      return CompositeFlops(graph, op);
    default:  // elementwise, random, collective, opaque
      return Elements(op);
  }
}

double BytesOf(const Op& op) { return static_cast<double>(op.shape.unpadded_bytes().value); }

double Share(double part, double whole) { return whole > 0 ? part / whole : 1; }

double NativeOps(const Workload& workload) {
  double opaque = 0;
  for (const auto& [name, count] : workload.opaque_layers) {
    opaque += static_cast<double>(count);
  }
  const auto all = static_cast<double>(workload.layers);
  return all > opaque ? 1 - opaque / all : (opaque > 0 ? 0 : 1);
}

// Sums by line; ops without a line are left out.
class LineSums {
 public:
  explicit LineSums(const Graph& graph) : graph_(graph), used_(graph.size()) {}
  void Add(const Op& op, double flops) {
    // Places in tilewise's own modules, "<torch/nn/functional.py>", are no lines of the user's.
    if (op.location.line == 0 || op.location.file.starts_with('<')) return;
    const auto [at, added] =
        index_.try_emplace({op.location.file, op.location.cell, op.location.line}, lines_.size());
    if (added) lines_.push_back({op.location});
    LineCost& line = lines_[at->second];
    ++line.ops;
    line.flops += flops;
    for (const OpId operand : op.operands) {
      const Op& variable = graph_.op(operand);
      if (variable.kind != OpKind::kVariable || used_[operand]) continue;
      used_[operand] = true;
      line.parameters += variable.shape.elements();
    }
  }
  std::vector<LineCost> Take() { return std::move(lines_); }

 private:
  const Graph& graph_;
  std::vector<bool> used_;
  std::map<std::tuple<std::string, int32_t, int32_t>, size_t> index_;
  std::vector<LineCost> lines_;
};

}  // namespace

double CountFlops(const Graph& graph, const Op& op) {
  return OnceFlops(graph, op) * static_cast<double>(op.loop.trip_count);
}

double CountMultiplyAdds(const Graph& graph, const Op& op) {
  const OpClass its_class = ClassOf(op.kind);
  const bool multiplies = its_class == OpClass::kMxu || its_class == OpClass::kRecurrent ||
                          its_class == OpClass::kAttention || op.kind == OpKind::kAttention;
  return multiplies ? CountFlops(graph, op) / 2 : 0;
}

double CountBytes(const Graph& graph, const Op& op) {
  if (ClassOf(op.kind) == OpClass::kLeaf) return 0;
  double bytes = BytesOf(op);
  for (const OpId operand : op.operands) bytes += BytesOf(graph.op(operand));
  return bytes * static_cast<double>(op.loop.trip_count);
}

Coverage MeasureCoverage(const Workload& workload, int64_t batch) {
  Coverage coverage;
  coverage.batch = batch;
  coverage.native_ops = NativeOps(workload);
  if (!workload.graph) return coverage;
  const Graph graph = workload.graph->Bind(batch);
  double opaque_flops = 0;
  double opaque_bytes = 0;
  LineSums lines(graph);
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
    lines.Add(op, flops);
    if (op.kind != OpKind::kOpaque) continue;
    opaque_flops += flops;
    opaque_bytes += bytes;
  }
  coverage.native_flops = Share(coverage.flops - opaque_flops, coverage.flops);
  coverage.native_bytes = Share(coverage.bytes - opaque_bytes, coverage.bytes);
  coverage.lines = lines.Take();
  return coverage;
}

}  // namespace tilewise
