// Where the values of the model's ops are in the lowered step.

#include "session/forward_values.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr int kMaxSteps = 8;  // from a dot's operand to the weight

// Whether `value`, made for `source`, can stand for its result.
bool StandsFor(const Op& value, const Op& source) {
  if (value.phase != Phase::kForward || value.kind == OpKind::kCopy) {
    return false;
  }
  return value.kind == source.kind || value.shape.dims == source.shape.dims;
}

}  // namespace

std::vector<OpId> ForwardValues(const Facts& facts) {
  const Graph& source = *facts.source;
  std::vector<OpId> values(source.size(), kNoOp);
  for (const Op& op : facts.model->program.graph.ops()) {
    if (op.origin == kNoOp || op.origin >= source.size()) continue;
    const Op& made_for = source.op(op.origin);
    if (!StandsFor(op, made_for)) continue;
    OpId& value = values[op.origin];
    const bool is_better = value == kNoOp || op.kind == made_for.kind ||
                           facts.model->program.graph.op(value).kind != made_for.kind;
    if (is_better) value = op.id;
  }
  return values;
}

int64_t LaneDim(const Layout& layout) {
  return layout.minor_to_major.empty() ? -1 : layout.minor_to_major[0];
}

int64_t SublaneDim(const Layout& layout) {
  return layout.minor_to_major.size() < 2 ? -1 : layout.minor_to_major[1];
}

std::string LaidOut(const Program& program, OpId value) {
  return fmt::format("{}{}", FormatShape(program.graph.op(value).shape),
                     FormatLayout(program.layouts[value]));
}

Bytes StoredBytes(const Program& program, OpId value, const Chip& chip) {
  return PaddedBytes(program.graph.op(value).shape, program.layouts[value], chip);
}

int64_t MovesOf(const Program& program, OpId value) {
  int64_t moves = 0;
  for (const Kernel& kernel : program.kernels) {
    const auto times =
        std::ranges::count(kernel.outputs, value) + std::ranges::count(kernel.inputs, value);
    moves += times * kernel.repeat;
  }
  return moves;
}

WeightDim WeightDimOf(const Graph& graph, OpId value, int64_t dim) {
  for (int step = 0; step < kMaxSteps; ++step) {
    const Op& op = graph.op(value);
    if (dim < 0 || dim >= op.shape.rank()) return {};
    if (op.kind == OpKind::kVariable) return {value, dim};
    if (op.kind == OpKind::kTranspose) {
      dim = op.as<TransposeAttrs>().dims[dim];
    } else if (op.kind != OpKind::kConvert) {
      return {};
    }
    value = op.operands[0];
  }
  return {};
}

bool IsLastMatrixOp(const Graph& graph, OpId op) {
  std::vector<bool> reached(graph.size(), false);
  reached[op] = true;
  for (OpId id = op; id < graph.size(); ++id) {
    if (!reached[id]) continue;
    for (const OpId user : graph.users(id)) {
      const OpKind kind = graph.op(user).kind;
      const OpClass its_class = ClassOf(kind);
      if (its_class == OpClass::kMxu || its_class == OpClass::kAttention ||
          its_class == OpClass::kRecurrent || kind == OpKind::kAttention) {
        return false;
      }
      reached[user] = true;
    }
  }
  return true;
}

}  // namespace tilewise
