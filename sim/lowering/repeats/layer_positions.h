// Which layer each op and kernel of a lowered program belongs to, and what
// stands for it in the other layers.

#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/lowering/program.h"
#include "sim/lowering/repeats/fold.h"

namespace tilewise {

struct LayerPosition {
  int32_t repeat = -1;  // -1: outside of all repeats
  int32_t layer = -1;   // of the kept ones
  int32_t rank = -1;    // among the layer's ops, or kernels
  bool in(const LayerPosition& other) const { return repeat == other.repeat && repeat >= 0; }
  bool is_typical() const { return layer == kTypicalLayer; }
  // Neighbours of the typical layer must be like it.
  bool is_middle() const { return layer >= kTypicalLayer - 1 && layer <= kTypicalLayer + 1; }
};

class LayerPositions {
 public:
  // Fails when the typical layer and its neighbours differ.
  static absl::StatusOr<LayerPositions> Find(const Program& program, const FoldedGraph& folded);

  const LayerPosition& op(OpId id) const { return ops_[id]; }
  const LayerPosition& kernel(size_t k) const { return kernels_[k]; }
  const std::vector<LayerPosition>& ops() const { return ops_; }
  const std::vector<LayerPosition>& kernels() const { return kernels_; }
  // Op number `rank` of a middle layer.
  OpId OpAt(int32_t repeat, int32_t layer, int32_t rank) const {
    return layer_ops_[repeat][layer][rank];
  }

 private:
  absl::Status CheckOps(const Program& program) const;
  absl::Status CheckKernels(const Program& program) const;
  bool SameOperands(const Op& op, const Op& next) const;
  bool SharesFarOps(const Kernel& kernel, const Kernel& next) const;

  std::vector<LayerPosition> ops_;      // by op
  std::vector<LayerPosition> kernels_;  // by kernel, the position of its root
  // These are listed by repeat and kept layer, in the program's order.
  std::vector<std::vector<std::vector<OpId>>> layer_ops_;
  std::vector<std::vector<std::vector<int32_t>>> layer_kernels_;
};

}  // namespace tilewise
