// Layers of a lowered program are told apart by the source ops that their ops
// were made for, and compared op by op and kernel by kernel.

#include "sim/lowering/repeats/layer_positions.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace tilewise {
namespace {

absl::Status Differ(const Program& program, OpId id, std::string_view what) {
  return InvalidInput(
      fmt::format("{} is not lowered as in the next layer: {}", program.graph.op(id).name, what));
}

bool SameNumbers(const Kernel& a, const Kernel& b) {
  return a.kind == b.kind && a.phase == b.phase && a.ops.size() == b.ops.size() &&
         a.inputs.size() == b.inputs.size() && a.outputs.size() == b.outputs.size() &&
         a.hbm_read == b.hbm_read && a.hbm_write == b.hbm_write && a.vector.alu == b.vector.alu &&
         a.vector.loads == b.vector.loads && a.matrix.weight_tiles == b.matrix.weight_tiles &&
         a.matrix.rows_per_tile == b.matrix.rows_per_tile && a.windows.steps == b.windows.steps &&
         a.repeat == b.repeat && a.participants == b.participants && a.collective == b.collective;
}

}  // namespace

absl::StatusOr<LayerPositions> LayerPositions::Find(const Program& program,
                                                    const FoldedGraph& folded) {
  LayerPositions positions;
  const size_t repeats = folded.repeats.size();
  positions.layer_ops_.assign(repeats, std::vector<std::vector<OpId>>(kKeptLayers));
  positions.layer_kernels_.assign(repeats, std::vector<std::vector<int32_t>>(kKeptLayers));
  const auto position = [&](OpId origin, auto item, auto& lists) {
    LayerPosition found;
    if (origin == kNoOp) return found;
    const FoldedGraph::Position at = folded.PositionOf(origin);
    if (at.repeat < 0) return found;
    auto& list = lists[at.repeat][at.layer];
    found = {at.repeat, at.layer, static_cast<int32_t>(list.size())};
    list.push_back(item);
    return found;
  };
  for (const Op& op : program.graph.ops()) {
    positions.ops_.push_back(position(op.origin, op.id, positions.layer_ops_));
  }
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    positions.kernels_.push_back(
        position(program.kernels[k].origin, static_cast<int32_t>(k), positions.layer_kernels_));
  }
  TW_RETURN_IF_ERROR(positions.CheckOps(program));
  TW_RETURN_IF_ERROR(positions.CheckKernels(program));
  return positions;
}

// Operands in the middle layers are the same op of the next layer each time;
// those elsewhere, which all layers share, are the same.
bool LayerPositions::SameOperands(const Op& op, const Op& next) const {
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const LayerPosition& a = this->op(op.operands[i]);
    const LayerPosition& b = this->op(next.operands[i]);
    if (op.operands[i] == next.operands[i]) {
      if (a.repeat >= 0 && a.is_middle() && a.in(this->op(op.id))) return false;
    } else if (!a.in(b) || a.layer + 1 != b.layer) {
      return false;
    } else if (!a.is_middle() && !b.is_middle()) {
      return false;  // two layers away: a copy of the op would not find it
    } else if (a.is_middle() && b.is_middle() && a.rank != b.rank) {
      return false;
    }
  }
  return true;
}

absl::Status LayerPositions::CheckOps(const Program& program) const {
  for (const auto& layers : layer_ops_) {
    for (size_t layer = kTypicalLayer - 1; layer <= kTypicalLayer; ++layer) {
      const auto& here = layers[layer];
      const auto& next = layers[layer + 1];
      for (size_t i = 0; i < std::min(here.size(), next.size()); ++i) {
        const Op& a = program.graph.op(here[i]);
        const Op& b = program.graph.op(next[i]);
        if (!SameWork(a, b)) return Differ(program, a.id, "other work");
        if (!SameOperands(a, b)) return Differ(program, a.id, "other operands");
        const auto layout = [&](OpId id) { return program.layouts[id]; };
        if (!(layout(a.id) == layout(b.id))) {
          return Differ(program, a.id, "another layout");
        }
      }
      if (here.size() == next.size()) continue;
      return InvalidInput(fmt::format("layers have {} and {} ops", here.size(), next.size()));
    }
  }
  return absl::OkStatus();
}

// What the kernel has of other layers than its own and the next ones, all
// layers have.
bool LayerPositions::SharesFarOps(const Kernel& kernel, const Kernel& next) const {
  const LayerPosition& own = op(kernel.root);
  return std::all_of(kernel.ops.begin(), kernel.ops.end(), [&](OpId id) {
    const LayerPosition& position = op(id);
    return (position.in(own) && std::abs(position.layer - own.layer) <= 1) ||
           std::binary_search(next.ops.begin(), next.ops.end(), id);
  });
}

absl::Status LayerPositions::CheckKernels(const Program& program) const {
  for (const auto& layers : layer_kernels_) {
    for (size_t layer = kTypicalLayer - 1; layer <= kTypicalLayer; ++layer) {
      const auto& here = layers[layer];
      const auto& next = layers[layer + 1];
      for (size_t i = 0; i < std::min(here.size(), next.size()); ++i) {
        const Kernel& a = program.kernels[here[i]];
        const Kernel& b = program.kernels[next[i]];
        if (!SameNumbers(a, b) || !SharesFarOps(a, b))
          return Differ(program, a.root, "another kernel");
      }
      if (here.size() == next.size()) continue;
      return InvalidInput(fmt::format("layers have {} and {} kernels", here.size(), next.size()));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewise
