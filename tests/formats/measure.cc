// Lowers, simulates and adds up.

#include "tests/formats/measure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tests/formats/model.h"

namespace tilewise::formats {
namespace {

// Of a time, or of work: what files write as numbers of f32 may differ.
constexpr double kRounding = 1e-3;

bool Differ(double a, double b) {
  return std::abs(a - b) > kRounding * std::max(std::abs(a), std::abs(b));
}

Cost CostOf(const Program& program, const Timeline& timeline) {
  Cost cost;
  for (const Kernel& kernel : program.kernels) {
    const auto times = static_cast<double>(kernel.repeat);
    ++cost.kernels[std::string(KernelKindName(kernel.kind))];
    const VectorWork& vector = kernel.vector;
    cost.matrix_flops += times * kernel.matrix.padded_flops;
    cost.vector_work += times * (vector.alu + vector.transcendental + vector.cross_lane);
    cost.bytes += times * static_cast<double>((kernel.hbm_read + kernel.hbm_write).value);
  }
  cost.microseconds = timeline.step.value * 1e6;
  return cost;
}

}  // namespace

std::string Cost::Text() const {
  int64_t count = 0;
  std::string kinds;
  for (const auto& [kind, kernels_of_it] : kernels) {
    count += kernels_of_it;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kernels_of_it, kind);
  }
  return fmt::format("{} kernels ({}), {:.4g} FLOP, {:.5g} vector, {:.6g} bytes, {:.3f} us", count,
                     kinds, matrix_flops, vector_work, bytes, microseconds);
}

absl::StatusOr<Cost> Measure(const Workload& workload, bool training) {
  if (!workload.graph) return InvalidInput("no graph");
  const Graph& graph = *workload.graph;
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kOpaque) {
      return InvalidInput("found an opaque op: " + op.as<OpaqueAttrs>().label);
    }
  }
  if (training && graph.trainable_parameters() == 0) {
    return InvalidInput("nothing to train");
  }
  TW_ASSIGN_OR_RETURN(const Target target, MakeTarget("v4", 1, ""));
  LowerOptions options;
  options.training = training;
  options.spec.loss = LossKind::kMeanSquaredError;
  TW_ASSIGN_OR_RETURN(const Program program,
                      Lower(graph, graph.is_static() ? 1 : kBatch, target, options));
  return CostOf(program, SimulateStep(program, target));
}

std::string Disagreement(const Cost& a, const Cost& b) {
  std::string parts;
  const auto add = [&](bool differs, const char* part) {
    if (differs) parts += (parts.empty() ? "" : ", ") + std::string(part);
  };
  add(a.kernels != b.kernels, "kernels");
  add(Differ(a.matrix_flops, b.matrix_flops), "matrix work");
  add(Differ(a.vector_work, b.vector_work), "vector work");
  add(Differ(a.bytes, b.bytes), "bytes");
  add(Differ(a.microseconds, b.microseconds), "time");
  return parts;
}

}  // namespace tilewise::formats
